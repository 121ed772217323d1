/* Rigid impact followed through impulse space (Routh).
 *
 * While a rigid contact lasts nothing moves, so the normal impulse p_n takes the place of time: v = v0 + W p. In
 * each phase the force has a constant direction (slip in one direction, or stick), hence v is linear in p_n and
 * works are exact trapezia. Slip: dp_t = -mu s dp_n. When it stops the contact sticks if |w_tn| <= mu_s w_tt, with
 * dp_t/dp_n = -w_tn/w_tt; otherwise slip starts again with s = sign(w_tn). Compression ends at v_n = 0; how
 * restitution ends is the only thing in which the laws differ (pc_joint_rule).
 *
 * Routh, Dynamics of a System of Rigid Bodies (1905), part 1, chapter 5; Stronge, Proc. R. Soc. Lond. A 431 (1990);
 * Wang and Mason, J. Appl. Mech. 59 (1992).
 */
#ifndef PC_LAW_RIGID_RIGID_H
#define PC_LAW_RIGID_RIGID_H

#include "base/row.h"
#include "law/law.h"

/* Impact known by its impulse alone, as algebraic laws give it; in space where W or v0 has a part along the second
 * tangent. Works and the partial sums are those of the straight line in the space of impulses that leads to it. */
pc_status pc_impulse_direct(const pc_mobility *W, const double v0[3], const double p[3], pc_impact *out, pc_error *err);

/* Totals, energies and flags from phases and partial sums that are complete. */
void pc_impulse_finish(const pc_mobility *W, pc_impact *out);

/* Restitution by the speed of approach: what a pc_coefficient may have in place of a number. `at` is from 0 to 1 for
 * any speed >= 0. */
typedef struct pc_restitution_kind {
    const pc_schema *schema; /* of its parameters */
    double (*at)(const void *params, double speed);
} pc_restitution_kind;

extern const pc_restitution_kind pc_restitution_kinds[];
extern const int pc_n_restitution_kinds;

typedef struct pc_restitution_power {
    double at, value, exponent, greatest;
} pc_restitution_power;

typedef struct pc_restitution_viscoelastic {
    double at, value, beta;
} pc_restitution_viscoelastic;

/* Whoever makes one gives it the lists, which have no members, and slopes by pc_restitution_table_fit. */
typedef struct pc_restitution_table {
    size_t n;
    const double *speed, *value, *slope;
} pc_restitution_table;
pc_status pc_restitution_table_fit(const pc_restitution_table *table, double *slope, pc_error *err);

/* What the rigid laws with Coulomb friction share: parameters and the choice between the planar and the spatial path.
 * A law of this family is its rule for the end of restitution.
 */

typedef struct pc_rigid {
    pc_coefficient restitution; /* e, R or E, as the law says */
    pc_coulomb coulomb;
    double rolling, twisting; /* NaN: none */
} pc_rigid;

/* Rows of restitution, of a struct that has this member, and of the friction of a pc_rigid. */
#define PC_RIGID_RESTITUTION_ROW(type, symbol_, text)                                                                  \
    {                                                                                                                  \
        .name = "restitution", .role = PC_RESTITUTION, .symbol = symbol_,                                              \
        PC_COEFFICIENT(type, restitution, "restitution"), .initial = PC_REQUIRED, .allowed = PC_BETWEEN(0, 1),         \
        .sample = {0, 1}, .doc = text "; or what tells it by the speed of approach"                                    \
    }
#define PC_RIGID_FRICTION_ROW(text)                                                                                    \
    PC_ROW(pc_rigid, coulomb.friction, "friction", .symbol = "mu", .greek = "μ", .initial = PC_REQUIRED,               \
           .allowed = PC_NONNEGATIVE, .sample = {0, 2}, .doc = text)
#define PC_RIGID_STATIC_ROW(text)                                                                                      \
    PC_ROW(pc_rigid, coulomb.static_friction, "static_friction", .symbol = "mu_s", .greek = "μ_s",                     \
           .initial = PC_ABSENT, .allowed = PC_NONNEGATIVE, .doc = text)

/* pc_schema.validate of a pc_rigid, whether it has a row of static friction or not: settles that and checks it. */
pc_status pc_rigid_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err);

/* pc_law.friction of a pc_rigid. */
void pc_rigid_friction(const void *params, pc_coulomb *out);

/* Algebraic laws: Newton's restitution and a rule for the impulse ratio r = p_t/p_n.
 *
 * With v_n+ = -e v_n the ratio decides everything: p_n = -(1 + e) v_n/(w_nn + w_tn r) and p_t = r p_n. Where p_n > 0,
 * v_t+ grows with r at the rate (1 + e) |v_n| det W/(w_nn + w_tn r)^2, so a rule for v_t+ and r has one solution.
 */

#define PC_RATIO_RESTITUTION_ROW(type)                                                                                 \
    PC_RIGID_RESTITUTION_ROW(type, "e", "kinematic coefficient of restitution e = -v_n+/v_n-")

/* Tangential velocity that the ratio leaves. */
double pc_ratio_after(const pc_mobility *W, const double v0[3], double e, double ratio);

/* The ratio that leaves the tangential velocity v_t; 0: after which nothing slides (Brach's mu_0). NaN if no impulse
 * with p_n > 0 does that. */
double pc_ratio_reaching(const pc_mobility *W, const double v0[3], double e, double v_t);

/* The ratios between which an impact loses energy, in ascending order (Brach's mu_T is that of the side of mu_0); NaN
 * where there is no bound. */
void pc_ratio_lossless(const pc_mobility *W, const double v0[3], double e, double bounds[2]);

/* The ratio that a law gives an impact with restitution e. */
typedef double pc_ratio_rule(const void *params, double e, const pc_mobility *W, const double v0[3]);

/* Whittaker's rule, of a pc_rigid: sticking if |r| <= static_friction allows it, else friction against v_t+. */
pc_ratio_rule pc_ratio_against_departure;

/* One impact by a law whose parameters begin with its restitution, a pc_coefficient; and pc_law.path. */
pc_status pc_ratio_impact(const pc_schema *schema, pc_ratio_rule *rule, const void *params, const pc_mobility *W,
                          const double v0[3], pc_impact *out, pc_error *err);
pc_status pc_ratio_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err);

/* The law NAME of parameters `type` with such a rule and with NAME_rows; what else its schema tells follows by name. */
#define PC_RATIO_LAW(name_, type, rule, more, friction_, joint_rule_, ...)                                             \
    static const pc_schema name_##_schema = {                                                                          \
        .name = "contact." #name_, PC_ROWS(name_##_rows), .size = sizeof(type), __VA_ARGS__};                          \
    static pc_status name_##_impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked,      \
                                    pc_impact *out, pc_error *err)                                                     \
    {                                                                                                                  \
        (void)asked;                                                                                                   \
        return pc_ratio_impact(&name_##_schema, rule, params, W, v0, out, err);                                        \
    }                                                                                                                  \
    const pc_law pc_law_##name_ = {.schema = &name_##_schema,                                                          \
                                   .abilities = PC_LAW_PLANAR | (more),                                                \
                                   .impact = name_##_impact,                                                           \
                                   .path = pc_ratio_path,                                                              \
                                   .friction = friction_,                                                              \
                                   .joint_rule = joint_rule_};

/* The planar part of W; an error where the second tangent couples or moves. */
pc_status pc_ratio_plane(const char *law, const pc_mobility *W, const double v0[3], pc_mobility *plane, pc_error *err);

#endif
