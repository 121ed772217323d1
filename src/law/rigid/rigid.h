/* What the rigid laws with Coulomb friction share: parameters and the choice between the planar and the spatial path.
 * A law of this family is its rule for the end of restitution.
 */
#ifndef PC_LAW_RIGID_RIGID_H
#define PC_LAW_RIGID_RIGID_H

#include "base/row.h"
#include "law/rigid/impulse.h"

typedef struct pc_rigid {
    double restitution; /* e, R or E, as the law says */
    pc_coulomb coulomb;
} pc_rigid;

/* Rows of restitution, of a struct that has this member, and of the friction of a pc_rigid. */
#define PC_RIGID_RESTITUTION_ROW(type, symbol_, text)                                                                  \
    {                                                                                                                  \
        .name = "restitution", .role = PC_RESTITUTION, .symbol = symbol_, PC_MEMBER(type, restitution),                \
        .initial = PC_REQUIRED, .allowed = PC_BETWEEN(0, 1), .sample = {0, 1}, .doc = text                             \
    }
#define PC_RIGID_FRICTION_ROW(text)                                                                                    \
    {                                                                                                                  \
        .name = "friction", .symbol = "mu", .greek = "μ", PC_MEMBER(pc_rigid, coulomb.friction),                       \
        .initial = PC_REQUIRED, .allowed = PC_NONNEGATIVE, .sample = {0, 2}, .doc = text                               \
    }
#define PC_RIGID_STATIC_ROW(text)                                                                                      \
    {                                                                                                                  \
        .name = "static_friction", .symbol = "mu_s", .greek = "μ_s", PC_MEMBER(pc_rigid, coulomb.static_friction),     \
        .initial = PC_ABSENT, .allowed = PC_NONNEGATIVE, .doc = text                                                   \
    }

/* All three, of a law that follows the impact through impulse space. */
#define PC_RIGID_ROWS(symbol_, text)                                                                                   \
    PC_RIGID_RESTITUTION_ROW(pc_rigid, symbol_, text),                                                                 \
        PC_RIGID_FRICTION_ROW("coefficient of friction while slipping"),                                               \
        PC_RIGID_STATIC_ROW("coefficient of friction while sticking, not below friction; the same if not given")

/* pc_schema.validate of a pc_rigid, whether it has a row of static friction or not: settles that and checks it. */
pc_status pc_rigid_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err);

/* One impact; planar where v0 and W stay in the plane, spatial otherwise. */
pc_status pc_rigid_impact(const pc_rigid *law, pc_joint_kind kind, const pc_mobility *W, const double v0[3],
                          pc_impact *out, pc_error *err);

/* pc_law.impact and pc_law.joint_rule of a law of this family. */
#define PC_RIGID_RULE(kind_)                                                                                           \
    static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out,              \
                            pc_error *err)                                                                             \
    {                                                                                                                  \
        return pc_rigid_impact(params, kind_, W, v0, out, err);                                                        \
    }                                                                                                                  \
    static int joint_rule(const void *params, double approach, pc_joint_rule *out)                                     \
    {                                                                                                                  \
        (void)approach;                                                                                                \
        *out = (pc_joint_rule){kind_, ((const pc_rigid *)params)->restitution};                                        \
        return 0;                                                                                                      \
    }

/* pc_law.friction of a pc_rigid. */
void pc_rigid_friction(const void *params, pc_coulomb *out);

/* pc_law.path of this family. */
pc_status pc_rigid_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err);

#endif
