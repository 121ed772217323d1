/* Rigid laws with Coulomb friction: see rigid.h. */
#include "law/rigid/rigid.h"

#include "law/rigid/impulse_spatial.h"
#include "math/mobility.h"

#include <math.h>

pc_status pc_rigid_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_coulomb *c = &((pc_rigid *)object)->coulomb;
    if (!pc_schema_given(schema, given, "static_friction")) c->static_friction = c->friction;
    if (c->static_friction < c->friction)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: static_friction (mu_s) = %.10g; it must not be below friction (mu) = %.10g", schema->name,
                       c->static_friction, c->friction);
    return PC_OK;
}

static bool stays_in_plane(const pc_mobility *W, const double v0[3])
{
    return W->tt2 == 0 && W->t2n == 0 && v0[PC_T2] == 0;
}

pc_status pc_rigid_impact(const pc_rigid *law, pc_joint_kind kind, const pc_mobility *W, const double v0[3],
                          pc_impact *out, pc_error *err)
{
    const pc_joint_rule rule = {kind, law->restitution};
    if (!stays_in_plane(W, v0)) return pc_impulse_spatial(&law->coulomb, &rule, W, v0, out, err);
    if (W->t2t2 == 0) return pc_impulse_planar(&law->coulomb, &rule, W, v0, out, err);
    pc_mobility plane;
    pc_mobility_planar(W, &plane);
    return pc_impulse_planar(&law->coulomb, &rule, &plane, v0, out, err);
}

void pc_rigid_friction(const void *params, pc_coulomb *out)
{
    *out = ((const pc_rigid *)params)->coulomb;
}

pc_status pc_rigid_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err)
{
    const pc_rigid *law = params;
    (void)err;
    pc_impulse_path(stays_in_plane(W, impact->v0) ? NULL : &law->coulomb, W, impact, p_n, n, out);
    return PC_OK;
}
