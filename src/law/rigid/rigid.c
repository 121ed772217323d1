/* Rigid laws with Coulomb friction: see rigid.h. */
#include "law/rigid/rigid.h"

#include "law/rigid/impulse_rolling.h"
#include "law/rigid/impulse_spatial.h"
#include "law/rigid/impulse_walk.h"
#include "math/mobility.h"

#include <float.h>
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

/* Whether it resists what turns here. */
static bool resists(const pc_rigid *law, const pc_mobility *W, pc_turning_resistance *resistance)
{
    pc_rigid_turning(law, resistance);
    return W->turning && (resistance->rolling > 0 || (resistance->twisting > 0 && W->turning->own[PC_N][PC_N] > 0));
}

static pc_status impact_by_rule(const pc_rigid *law, const pc_joint_rule *rule, const pc_mobility *W,
                                const double v0[3], pc_impact *out, pc_error *err)
{
    const pc_coulomb *coulomb = &law->coulomb;
    pc_turning_resistance resistance;
    if (resists(law, W, &resistance)) return pc_impulse_rolling(coulomb, &resistance, rule, W, v0, out, err);
    if (!stays_in_plane(W, v0)) return pc_impulse_spatial(coulomb, rule, W, v0, out, err);
    if (W->t2t2 == 0) return pc_impulse_planar(coulomb, rule, W, v0, out, err);
    pc_mobility plane;
    pc_mobility_planar(W, &plane);
    return pc_impulse_planar(coulomb, rule, &plane, v0, out, err);
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

pc_status pc_rigid_impact(const pc_rigid *law, pc_joint_kind kind, const pc_mobility *W, const double v0[3],
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

void pc_rigid_turning(const void *params, pc_turning_resistance *out)
{
    const pc_rigid *law = params;
    out->rolling = isnan(law->rolling) ? 0 : law->rolling;
    out->twisting = isnan(law->twisting) ? 0 : law->twisting;
}

pc_status pc_rigid_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err)
{
    const pc_rigid *law = params;
    pc_turning_resistance resistance;
    if (resists(law, W, &resistance))
        return pc_impulse_rolling_path(&law->coulomb, &resistance, W, impact, p_n, n, out, err);
    pc_impulse_path(stays_in_plane(W, impact->v0) ? NULL : &law->coulomb, W, impact, p_n, n, out);
    return PC_OK;
}

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

pc_status pc_impulse_planar(const pc_coulomb *coulomb, const pc_joint_rule *rule, const pc_mobility *W,
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

/* Normal impulse that goes with a ratio; not positive or not finite where none can reverse v_n. */
static double normal_of_ratio(const pc_mobility *W, const double v0[3], double e, double ratio)
{
    return -(1 + e) * v0[PC_N] / (W->nn + W->tn * ratio);
}

double pc_ratio_after(const pc_mobility *W, const double v0[3], double e, double ratio)
{
    return v0[PC_T] + (W->tn + W->tt * ratio) * normal_of_ratio(W, v0, e, ratio);
}

double pc_ratio_reaching(const pc_mobility *W, const double v0[3], double e, double v_t)
{
    double rebound = (1 + e) * v0[PC_N], missing = v0[PC_T] - v_t;
    double weight = missing * W->tn - rebound * W->tt; /* p_n det W */
    return weight > 0 ? (rebound * W->tn - missing * W->nn) / weight : NAN;
}

void pc_ratio_lossless(const pc_mobility *W, const double v0[3], double e, double bounds[2])
{
    /* p.(v0 + v1) = 0 times (w_nn + w_tn r)/p_n: a r^2 + 2 b r + c = 0 */
    double v_t = v0[PC_T], v_n = v0[PC_N];
    double a = 2 * v_t * W->tn - (1 + e) * v_n * W->tt, b = v_t * W->nn - e * v_n * W->tn;
    double c = (1 - e) * v_n * W->nn;
    double root = sqrt(b * b - a * c); /* a c <= 0 unless friction alone can stop the body */
    double q = b >= 0 ? -(b + root) : root - b;
    double first = q / a, second = q != 0 ? c / q : 0;
    if (!isfinite(first)) first = NAN;
    bounds[0] = fmin(first, second);
    bounds[1] = fmax(first, second);
    if (isnan(first)) bounds[0] = NAN;
}

double pc_ratio_against_departure(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    const pc_rigid *law = params;
    double mu = law->coulomb.friction, r = pc_ratio_reaching(W, v0, e, 0);
    if (fabs(r) <= law->coulomb.static_friction) return r;
    /* v_t+ has the same sign for all ratios short of sticking, which is that of r = 0 */
    return pc_ratio_after(W, v0, e, 0) > 0 ? -mu : mu;
}

pc_status pc_ratio_impact(const pc_schema *schema, pc_ratio_rule *rule, const void *params, const pc_mobility *W,
                          const double v0[3], pc_impact *out, pc_error *err)
{
    pc_mobility plane;
    pc_status status = pc_ratio_plane(schema->name, W, v0, &plane, err);
    if (status) return status;
    if (v0[PC_N] >= 0) {
        for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    double e;
    status = pc_coefficient_at(params, -v0[PC_N], &e, err);
    if (status) return status;
    double ratio = rule(params, e, &plane, v0), p_n = normal_of_ratio(&plane, v0, e, ratio);
    if (!(p_n > 0 && p_n < INFINITY))
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s: no impulse with the ratio p_t/p_n = %.6g can reverse the normal velocity of this body",
                       schema->name, ratio);
    return pc_impulse_direct(&plane, v0, (double[3]){ratio * p_n, p_n, 0}, out, err);
}

pc_status pc_ratio_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err)
{
    (void)params, (void)err;
    pc_impulse_path(NULL, W, impact, p_n, n, out);
    return PC_OK;
}

pc_status pc_ratio_plane(const char *law, const pc_mobility *W, const double v0[3], pc_mobility *plane, pc_error *err)
{
    *plane = *W;
    if (W->t2t2 == 0 && v0[PC_T2] == 0) return PC_OK;
    if (v0[PC_T2] == 0 && pc_mobility_planar(W, plane)) return PC_OK;
    return pc_fail(err, PC_E_UNSUPPORTED, "%s is a planar law, but this impact leaves the plane", law);
}
