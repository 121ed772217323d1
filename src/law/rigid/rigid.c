/* Rigid laws with Coulomb friction: see rigid.h. */
#include "law/rigid/rigid.h"

#include "law/rigid/impulse_rolling.h"
#include "law/rigid/impulse_spatial.h"
#include "law/rigid/impulse_walk.h"
#include "math/mobility.h"

#include <float.h>
#include <math.h>

/* The planar path through impulse space.
 *
 * There are at most two phases. Once slip has stopped, stick lasts (its force ratio does not change) and reverse
 * slip speeds up; in both v_n never falls again, since w_nn - mu |w_tn| > det W/w_tt >= 0 where stick is refused.
 * So v_n has one minimum at most, the jam, and compression ends once.
 */

/* A gain counts from here on, as a fraction of the works that were summed: above rounding, below any real gain. */
#define GAIN 1e-12

static inline pc_line line_of(const pc_mobility *W, pc_phase_kind kind, int sign, double ratio)
{
    double slope_t = W->tn + W->tt * ratio;
    return (pc_line){.kind = kind,
                     .sign = sign,
                     .slope_p = {ratio, 1},
                     .slope_v = {slope_t, W->nn + W->tn * ratio},
                     .stops = sign * slope_t < 0};
}

/* The line from v_t = 0. With W of rank 1 slip from rest takes v_n along, and at the limit of sticking neither moves: a
 * pendulum with mu = tan theta, whose W is known to rounding, has to wedge and not to creep at a rate made of it. */
static inline pc_line rest_line(const pc_mobility *W, const pc_coulomb *coulomb)
{
    double limit = coulomb->static_friction * W->tt;
    if (W->rank < 2) limit += limit * PC_RANK_TOLERANCE;
    if (fabs(W->tn) > limit) {
        int sign = W->tn > 0 ? 1 : -1;
        return line_of(W, PC_PHASE_SLIP, sign, -coulomb->friction * sign);
    }
    pc_line l = line_of(W, PC_PHASE_STICK, 0, W->tt > 0 ? -W->tn / W->tt : 0);
    l.slope_v[PC_T] = 0;
    if (W->tt > 0 && (W->rank < 2 || l.slope_v[PC_N] < 0)) l.slope_v[PC_N] = 0;
    return l;
}

/* It starts where the bodies approach, or, from v_n = 0, where slip in a jam presses them together. `out` is freshly
 * initialised. */
static pc_status impulse_planar(const pc_coulomb *coulomb, const pc_joint_rule *rule, const pc_mobility *W,
                                const double v0[3], pc_impact *out, pc_error *err)
{
    pc_walk walk = {.impact = out, .v = {v0[PC_T], v0[PC_N]}};
    for (int i = 0; i < 2; i++) out->v0[i] = out->v1[i] = v0[i];
    int sign = (v0[PC_T] > 0) - (v0[PC_T] < 0);
    pc_line line = sign ? line_of(W, PC_PHASE_SLIP, sign, -coulomb->friction * sign) : rest_line(W, coulomb);
    if (v0[PC_N] > 0 || (v0[PC_N] == 0 && !(line.slope_v[PC_N] < 0))) {
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    for (;;) {
        pc_walk_reason reason;
        pc_status status = pc_walk_phase(&walk, &line, W->rank < 2, rule, 2, &reason, err);
        if (status) return status;
        if (reason == PC_WALK_ENDED) break;
        line = rest_line(W, coulomb);
    }
    pc_impulse_finish(W, out);
    return PC_OK;
}

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

static void turning(const void *params, pc_turning_resistance *out)
{
    const pc_rigid *law = params;
    out->rolling = isnan(law->rolling) ? 0 : law->rolling;
    out->twisting = isnan(law->twisting) ? 0 : law->twisting;
}

/* Whether it resists what turns here. */
static bool resists(const pc_rigid *law, const pc_mobility *W, pc_turning_resistance *resistance)
{
    turning(law, resistance);
    return W->turning && (resistance->rolling > 0 || (resistance->twisting > 0 && W->turning->own[PC_N][PC_N] > 0));
}

static pc_status impact_by_rule(const pc_rigid *law, const pc_joint_rule *rule, const pc_mobility *W,
                                const double v0[3], pc_impact *out, pc_error *err)
{
    const pc_coulomb *coulomb = &law->coulomb;
    pc_turning_resistance resistance;
    if (resists(law, W, &resistance)) return pc_impulse_rolling(coulomb, &resistance, rule, W, v0, out, err);
    if (!stays_in_plane(W, v0)) return pc_impulse_spatial(coulomb, rule, W, v0, out, err);
    if (W->t2t2 == 0) return impulse_planar(coulomb, rule, W, v0, out, err);
    pc_mobility plane;
    pc_mobility_planar(W, &plane);
    return impulse_planar(coulomb, rule, &plane, v0, out, err);
}

/* The speed that the impulse of compression would stop without friction: the approach, but for a jam. */
static pc_status jam_speed(const pc_rigid *law, pc_joint_kind kind, const pc_mobility *W, const double v0[3],
                           double *speed, pc_error *err)
{
    const pc_joint_rule rule = {kind, 0};
    pc_impact hit;
    pc_impact_init(&hit);
    pc_status status = impact_by_rule(law, &rule, W, v0, &hit, err);
    *speed = W->nn * hit.impulse_compression[PC_N];
    pc_impact_free(&hit);
    return status;
}

/* One impact; planar where v0 and W stay in the plane, spatial otherwise. Restitution is that of the speed of approach;
 * of a jam, which begins without one, that of the approach which its impulse of compression would stop. */
static pc_status impact_by_kind(const pc_rigid *law, pc_joint_kind kind, const pc_mobility *W, const double v0[3],
                                pc_impact *out, pc_error *err)
{
    pc_joint_rule rule = {kind, law->restitution.value};
    if (isnan(rule.e) && v0[PC_N] <= 0) {
        double speed = -v0[PC_N];
        pc_status status = speed > 0 ? PC_OK : jam_speed(law, kind, W, v0, &speed, err);
        if (!status) status = pc_coefficient_at(&law->restitution, speed, &rule.e, err);
        if (status) return status;
    }
    return impact_by_rule(law, &rule, W, v0, out, err);
}

void pc_rigid_friction(const void *params, pc_coulomb *out)
{
    *out = ((const pc_rigid *)params)->coulomb;
}

static pc_status path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                      pc_state *out, pc_error *err)
{
    const pc_rigid *law = params;
    pc_turning_resistance resistance;
    if (resists(law, W, &resistance))
        return pc_impulse_rolling_path(&law->coulomb, &resistance, W, impact, p_n, n, out, err);
    pc_impulse_path(stays_in_plane(W, impact->v0) ? NULL : &law->coulomb, W, impact, p_n, n, out);
    return PC_OK;
}

/* ---- the laws that follow an impact through impulse space: they differ in how restitution ends ---- */

/* The law NAME, with what it calls its restitution and the equation that ends it; what else its schema tells follows
 * by name. */
#define PATH_LAW(name_, symbol_, restitution_, kind_, more, equation, ...)                                             \
    static const pc_row name_##_rows[] = {                                                                             \
        PC_RIGID_RESTITUTION_ROW(pc_rigid, symbol_, restitution_),                                                     \
        PC_RIGID_FRICTION_ROW("coefficient of friction while slipping"),                                               \
        PC_RIGID_STATIC_ROW("coefficient of friction while sticking, not below friction; the same if not given"),      \
        PC_ROW(pc_rigid, rolling, "rolling", .symbol = "delta", .greek = "δ", .unit = PC_UNIT_M, .initial = PC_ABSENT, \
               .otherwise = "0", .allowed = PC_NONNEGATIVE,                                                            \
               .doc = "resistance to rolling of round contacts: the couple against it is delta times the normal "      \
                      "force or impulse, or what holds them"),                                                         \
        PC_ROW(pc_rigid, twisting, "twisting", .symbol = "delta_n", .greek = "δ_n", .unit = PC_UNIT_M,                 \
               .initial = PC_ABSENT, .otherwise = "0", .allowed = PC_NONNEGATIVE,                                      \
               .doc = "resistance of bodies in space to twisting about the normal: the couple against it is delta_n "  \
                      "times the normal impulse, or what holds them"),                                                 \
    };                                                                                                                 \
    static const pc_schema name_##_schema = {.name = "contact." #name_,                                                \
                                             .equations = equation                                                     \
                                             "\ndp_t = -mu s dp_n: in slip, s = 1 or -1 being its direction\n"         \
                                             "|dp_t| <= mu dp_n: in stick",                                            \
                                             PC_ROWS(name_##_rows),                                                    \
                                             .size = sizeof(pc_rigid),                                                 \
                                             .validate = pc_rigid_validate,                                            \
                                             __VA_ARGS__};                                                             \
    static pc_status name_##_impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked,      \
                                    pc_impact *out, pc_error *err)                                                     \
    {                                                                                                                  \
        (void)asked;                                                                                                   \
        return impact_by_kind(params, kind_, W, v0, out, err);                                                         \
    }                                                                                                                  \
    static int name_##_joint_rule(const void *params, double approach, pc_joint_rule *out)                             \
    {                                                                                                                  \
        out->kind = kind_;                                                                                             \
        return pc_coefficient_at(&((const pc_rigid *)params)->restitution, approach, &out->e, NULL);                   \
    }                                                                                                                  \
    const pc_law pc_law_##name_ = {.schema = &name_##_schema,                                                          \
                                   .abilities = PC_LAW_PLANAR | PC_LAW_SPATIAL | (more),                               \
                                   .impact = name_##_impact,                                                           \
                                   .path = path,                                                                       \
                                   .friction = pc_rigid_friction,                                                      \
                                   .turning = turning,                                                                 \
                                   .joint_rule = name_##_joint_rule};

/* Contact ends when v_n = -e v_n0; */
PATH_LAW(newton, "e", "kinematic coefficient of restitution e = -v_n+/v_n-", PC_JOINT_NEWTON, PC_LAW_MAY_GAIN,
         "v_n' = -e v_n: afterwards",
         .summary = "Rigid impact with friction; the normal velocity is reversed by the kinematic coefficient e.",
         .details = "May create energy where slip stops or reverses; the result says so (flags.gained_energy).",
         .source = "Routh (1905); Sypniewska-Kaminska (2017), section 3.3; Wang and Mason (1992)",
         .example = "print(percuss.contact.newton{ restitution = 0.8, friction = 0.3 }.e) --> 0.8")

/* when the normal impulse of restitution is R times that of compression; */
PATH_LAW(poisson, "R", "kinetic coefficient of restitution R = p_n(restitution)/p_n(compression)", PC_JOINT_POISSON, 0,
         "p_r = R p_c: normal impulses of restitution and of compression",
         .summary = "Rigid impact with friction; the normal impulse of restitution is R times that of compression.",
         .details = "Never creates energy, though the energetic coefficient that comes out may exceed 1.",
         .source = "Routh (1905); Sypniewska-Kaminska (2017), equations 28-37; Wang and Mason (1992)",
         .example = "print(percuss.contact.poisson{ restitution = 0.9, friction = 0.15 }.R) --> 0.9")

/* when the work of the normal force in restitution is E^2 times what it took in compression. */
PATH_LAW(stronge, "E", "energetic coefficient of restitution, E^2 = W_n(restitution)/-W_n(compression)",
         PC_JOINT_STRONGE, PC_LAW_CONSERVATIVE, "W_r = -E^2 W_c: normal works of restitution and of compression",
         .summary = "Rigid impact with friction; the normal force gives back E^2 of the work it took.",
         .details = "Never creates energy. With E = 1 it loses the work of friction alone and is the limit of the "
                    "linear contact for infinite tangential stiffness.",
         .source = "Stronge, Proc. R. Soc. Lond. A 431 (1990), 169-181; Brach (1993); Kecskemethy (1999)",
         .example = "print(percuss.contact.stronge{ restitution = 0.5, friction = 0.3 }.E) --> 0.5")

pc_status pc_impulse_direct(const pc_mobility *W, const double v0[3], const double p[3], pc_impact *out, pc_error *err)
{
    pc_walk walk = {.impact = out, .v = {v0[PC_T], v0[PC_N], v0[PC_T2]}};
    for (int i = 0; i < 3; i++) out->v0[i] = v0[i];
    /* slip in the sense that the tangential impulse opposes */
    double ratio = p[PC_T] / p[PC_N], ratio2 = p[PC_T2] / p[PC_N];
    bool slips = ratio != 0 || ratio2 != 0 || v0[PC_T] != 0 || v0[PC_T2] != 0;
    int sign = ratio != 0 ? (ratio < 0) - (ratio > 0) : ratio2 == 0 ? (v0[PC_T] > 0) - (v0[PC_T] < 0) : 0;
    pc_line line = line_of(W, slips ? PC_PHASE_SLIP : PC_PHASE_STICK, sign, ratio);
    line.slope_p[PC_T2] = ratio2;
    line.slope_v[PC_T] += W->tt2 * ratio2;
    line.slope_v[PC_N] += W->t2n * ratio2;
    line.slope_v[PC_T2] = W->tt2 * ratio + W->t2n + W->t2t2 * ratio2;
    pc_phase *phase = pc_walk_open(&walk, &line, err);
    if (!phase) return PC_E_MEMORY;
    double to_turn = fmin(-v0[PC_N] / line.slope_v[PC_N], p[PC_N]), rest = p[PC_N] - to_turn;
    pc_walk_step(&walk, &line, to_turn, false, true, true, 3);
    /* a ratio that was made to hold the contact point leaves the rounding of its terms */
    double terms =
        (fabs(W->tn) + fabs(W->t2n) + (W->tt + fabs(W->tt2)) * fabs(ratio) + (W->t2t2 + fabs(W->tt2)) * fabs(ratio2)) *
        p[PC_N];
    double rounding = 8 * DBL_EPSILON * (fabs(v0[PC_T]) + fabs(v0[PC_T2]) + terms);
    bool held = fabs(walk.v[PC_T] + line.slope_v[PC_T] * rest) <= rounding &&
                fabs(walk.v[PC_T2] + line.slope_v[PC_T2] * rest) <= rounding;
    pc_walk_step(&walk, &line, rest, held, false, false, 3);
    pc_walk_put(&walk, &phase->stop);
    pc_impulse_finish(W, out);
    return PC_OK;
}

/* v.W^+.v/2. By elimination, which gives a sum of squares, where that loses no digits to speak of. */
static double energy(const pc_mobility *W, const double v[3])
{
    double det = W->tt * W->nn - W->tn * W->tn;
    if (W->rank < (W->t2t2 > 0 ? 3 : 2) || det < W->tt * W->nn / 16) return pc_mobility_energy(W, v);
    double l_t = W->tn / W->nn, tt = W->tt - l_t * W->tn, v_t = v[PC_T] - l_t * v[PC_N];
    double sum = v[PC_N] * v[PC_N] / W->nn + v_t * v_t / tt;
    if (W->t2t2 > 0) {
        double l_n = W->t2n / W->nn, l = (W->tt2 - l_t * W->t2n) / tt;
        double t2t2 = W->t2t2 - l_n * W->t2n - l * l * tt, v_t2 = v[PC_T2] - l_n * v[PC_N] - l * v_t;
        if (t2t2 < W->t2t2 / 16) return pc_mobility_energy(W, v);
        sum += v_t2 * v_t2 / t2t2;
    }
    return sum / 2;
}

/* Flags and reversals that follow from the order of phases. */
static void judge_phases(pc_impact *out)
{
    bool forward = false, backward = false, stick = false;
    double last = 0;
    for (int i = 0; i < out->n_phases; i++) {
        const pc_phase *phase = &out->phases[i];
        stick |= phase->kind == PC_PHASE_STICK;
        forward |= phase->sign > 0;
        backward |= phase->sign < 0;
        double force = phase->stop.p[PC_T] - phase->start.p[PC_T];
        if (force * last < 0) pc_impact_push_reversal(out, 0); /* at most one: there is room */
        if (force != 0) last = force;
    }
    if (forward && backward) out->flags |= PC_FLAG_REVERSE_SLIP;
    if (out->n_phases == 1) out->flags |= stick ? PC_FLAG_GROSS_STICK : PC_FLAG_GROSS_SLIP;
}

void pc_impulse_finish(const pc_mobility *W, pc_impact *out)
{
    const pc_state *end = &out->phases[out->n_phases - 1].stop;
    for (int i = 0; i < 3; i++) {
        out->impulse[i] = end->p[i];
        out->v1[i] = end->v[i];
    }
    out->work_n = end->work_n;
    out->work_f = end->work_f;
    out->energy0 = energy(W, out->v0);
    double left = out->energy0 + out->work_n + out->work_f;
    out->energy1 = left > 0 ? left : 0;
    judge_phases(out);

    double absorbed = -out->work_n_compression, returned = out->work_n_restitution;
    if (returned > absorbed * (1 + GAIN)) out->flags |= PC_FLAG_E_ABOVE_ONE;
    if (out->work_n + out->work_f > GAIN * (absorbed + returned - out->work_f)) out->flags |= PC_FLAG_GAINED_ENERGY;

    /* an impulsive force has no finite peak, and lasts no time unless it never ends */
    out->peak[PC_N] = INFINITY;
    out->peak[PC_T] = end->p[PC_T] != 0 || end->p[PC_T2] != 0 ? INFINITY : 0;
    if (out->outcome == PC_OUTCOME_WEDGED) out->duration = INFINITY;
}
