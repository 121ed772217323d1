/* One impact of a body: see collision.h. */
#include "motion/collision.h"

#include "engine/collide.h"
#include "scene/moving_body.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

static const char *const configuration_words[] = {"frozen", "moving", NULL};
static const char *const stick_words[] = {"coulomb", "persistent", NULL};

static const pc_row rows[] = {
    PC_CHOICE_ROW(pc_collide_options, configuration, "configuration", configuration_words,
                  .initial = PC_CONFIGURATION_FROZEN, .doc = PC_COLLIDE_CONFIGURATION),
    PC_CHOICE_ROW(pc_collide_options, stick, "stick", stick_words, .initial = 0, .doc = PC_COLLIDE_STICK),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    const pc_collide_options *o = object;
    (void)schema;
    (void)given;
    if (o->stick == 0 || o->configuration == PC_CONFIGURATION_MOVING) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT, "collide: stick = \"persistent\" belongs to configuration = \"moving\"");
}

const pc_schema pc_collide_schema = {
    .name = "collide",
    .summary = "How the body stands while an impact lasts.",
    PC_ROWS(rows),
    .size = sizeof(pc_collide_options),
    .validate = validate,
};

/* A planar law serves a spatial body when the second tangent neither moves nor couples. The bound on the coupling is
 * rounding: W comes from products and one factorisation of order 1. */
static pc_status require_plane(const pc_law *law, const pc_mobility *W, const double v0[3], pc_error *err)
{
    if (law->abilities & PC_LAW_SPATIAL) return PC_OK;
    double scale = 1e-12 * (W->tt + W->nn + W->t2t2);
    if (fabs(W->tt2) <= scale && fabs(W->t2n) <= scale && v0[PC_T2] == 0) return PC_OK;
    return pc_fail(err, PC_E_UNSUPPORTED,
                   "%s is a planar law, but this impact leaves the plane: vt2 = %.6g m/s, W couples t and t2 by %.3g "
                   "and n and t2 by %.3g 1/kg; use a spatial law",
                   law->schema->name, v0[PC_T2], W->tt2, W->t2n);
}

/* What never leaves is at rest, or its normal velocity is, but u0 + A^-1 J^T p leaves the rounding of u0: some 1e-16 of
 * it, far below 1e-13. */
static void clear_rounding(int dof, const double *u0, double *u1)
{
    double scale = 0;
    for (int i = 0; i < dof; i++) scale = fmax(scale, fabs(u0[i]));
    for (int i = 0; i < dof; i++)
        if (fabs(u1[i]) < 1e-13 * scale) u1[i] = 0;
}

static pc_moving_task moving_task(const pc_colliding *who, const pc_collision *collision)
{
    return (pc_moving_task){.body = who->body,
                            .body_params = who->body->kind ? who->body_params : NULL,
                            .element = who->law->element,
                            .params = who->law_params,
                            .u0 = collision->u0,
                            .persistent = collision->persistent};
}

static pc_status collide_moving(const pc_colliding *who, pc_collision *out, pc_error *err)
{
    pc_status rigid = pc_body_require_rigid(who->body, "configuration = \"moving\"", err);
    if (rigid) return rigid;
    if (!who->law->element)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "configuration = \"moving\" needs a compliant law, such as contact.linear or "
                       "contact.hunt_crossley; %s is none",
                       who->law->schema->name);
    pc_moving_task task = moving_task(who, out);
    return pc_moving_impact(&task, &out->impact, out->u1, &out->rotation, err);
}

/* The body's W with its modes, which live as long as the body. */
static pc_mobility mobility_of(const pc_body *body, const pc_collision *collision)
{
    pc_mobility out = pc_collision_mobility(collision);
    out.modes = body->vibration.n > 0 ? &body->vibration : NULL;
    return out;
}

/* What turns against a law that resists that, and the response of the body to couples: dof x 3. Round surfaces roll;
 * what twists is in space. */
static pc_status find_turning(const pc_colliding *who, pc_collision *out, double *response, pc_error *err)
{
    const pc_body *body = who->body;
    const char *name = who->law->schema->name;
    pc_turning_resistance r = {0};
    if (who->law->turning) who->law->turning(who->law_params, &r);
    if (!body->spatial) r.twisting = 0;
    out->resists = r.rolling > 0 || r.twisting > 0;
    if (!out->resists) return PC_OK;
    if (out->moving)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s: rolling (delta) = %.10g m is for configuration = \"frozen\" here; scenes with a free body "
                       "follow it while everything moves",
                       name, r.rolling);
    if (r.rolling > 0 && !(body->curvature != 0 && isfinite(body->curvature)))
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s: rolling (delta) = %.10g m is the resistance of a round surface, but the contact of %s has "
                       "no curvature; leave rolling out, or give the body its curvature",
                       name, r.rolling, body->kind ? body->kind->schema->name : "the pair");
    const bool wanted[3] = {r.rolling > 0, r.twisting > 0, r.rolling > 0};
    pc_error own = {0};
    pc_status status = pc_body_turning(body, out->u0, wanted, &out->turning, response, &own);
    if (status != PC_OK)
        return pc_fail(err, status, "%s: %s, which rolling or twisting asks for; leave them out, or use another body",
                       name, own.text);
    return PC_OK;
}

static void add_couple(const pc_body *body, const double *response, const double couple[3], double *u)
{
    for (int i = 0; i < body->dof; i++)
        for (int k = 0; k < 3; k++) u[i] += response[3 * i + k] * couple[k];
}

/* What becomes of the body. */
static pc_status follow(const pc_body *body, const double v0[3], const double *response, pc_collision *out,
                        pc_error *err)
{
    out->loss_max = out->resists ? out->impact.energy0 : pc_mobility_energy(&out->W, v0);
    if (!out->moving) pc_body_after(body, out->u0, out->impact.impulse, out->u1);
    if (out->resists) add_couple(body, response, out->impact.couple, out->u1);
    if (isinf(out->impact.duration)) clear_rounding(body->dof, out->u0, out->u1);
    bool own = body->dof > 0; /* else only the contact's share of the energy is known */
    out->energy0 = own ? pc_body_energy(body, out->u0) : out->impact.energy0;
    if (!isfinite(out->energy0) || !isfinite(out->loss_max))
        return pc_fail(err, PC_E_ARGUMENT, "collide: the kinetic energy of this motion is too large for a number");
    /* the mass matrix of a linkage is another one by then */
    out->energy1 = own && !out->moving ? pc_body_energy(body, out->u1) : out->impact.energy1;
    return PC_OK;
}

pc_status pc_collide(const pc_colliding *who, const pc_collide_options *options, const double *u0, const double v0[3],
                     pc_collision *out, pc_error *err)
{
    const pc_body *body = who->body;
    double response[PC_BODY_DOF * 3];
    pc_impact_init(&out->impact);
    out->W = body->W;
    out->moving = options->configuration == PC_CONFIGURATION_MOVING;
    out->persistent = options->stick;
    out->rotation = 0;
    if (body->dof > 0) memcpy(out->u0, u0, (size_t)body->dof * sizeof *u0);
    pc_status status = require_plane(who->law, &out->W, v0, err);
    if (status != PC_OK) return status;
    status = find_turning(who, out, response, err);
    if (status != PC_OK) return status;
    const pc_mobility W = mobility_of(body, out);
    status = out->moving ? collide_moving(who, out, err)
                         : pc_law_impact(who->law, who->law_params, &W, v0, &out->impact, err);
    if (status != PC_OK) return status;
    if (out->impact.outcome == PC_OUTCOME_NONE) /* at vn = 0 a rigid law may still find a jam */
        return pc_fail(err, PC_E_ARGUMENT,
                       "collide: the bodies do not approach: vn = %.14g m/s must be < 0 (the normal points away from "
                       "the obstacle)",
                       v0[PC_N]);
    return follow(body, v0, response, out, err);
}

pc_status pc_collision_trace(const pc_colliding *who, const pc_collision *collision, const double *times, size_t n,
                             pc_state *states, pc_error *err)
{
    const pc_mobility W = mobility_of(who->body, collision);
    if (!collision->moving)
        return pc_law_trace(who->law, who->law_params, &W, &collision->impact, times, n, states, err);
    pc_moving_task task = moving_task(who, collision);
    task.asked = (pc_asked){n, times, states};
    pc_impact again;
    double u1[PC_BODY_DOF], rotation;
    pc_impact_init(&again);
    pc_status status = pc_moving_impact(&task, &again, u1, &rotation, err);
    pc_impact_free(&again);
    return status;
}
