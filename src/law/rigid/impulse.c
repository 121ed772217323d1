/* The planar path through impulse space: see impulse.h.
 *
 * There are at most two phases. Once slip has stopped, stick lasts (its force ratio does not change) and reverse
 * slip speeds up; in both v_n never falls again, since w_nn - mu |w_tn| > det W/w_tt >= 0 where stick is refused.
 * So v_n has one minimum at most, the jam, and compression ends once.
 */
#include "law/rigid/impulse.h"

#include "law/rigid/impulse_walk.h"
#include "math/mobility.h"

#include <float.h>
#include <math.h>

/* A gain counts from here on, as a fraction of the works that were summed: above rounding, below any real gain. */
#define GAIN 1e-12

/* A line of the path: changes per unit of p_n. */
typedef struct line {
    pc_phase_kind kind;
    int sign;
    double ratio, slope_t, slope_n; /* of p_t, v_t, v_n */
} line;

static inline line line_of(const pc_mobility *W, pc_phase_kind kind, int sign, double ratio)
{
    return (line){kind, sign, ratio, W->tn + W->tt * ratio, W->nn + W->tn * ratio};
}

/* The line from v_t = 0. With W of rank 1 slip from rest takes v_n along, and at the limit of sticking neither moves: a
 * pendulum with mu = tan theta, whose W is known to rounding, has to wedge and not to creep at a rate made of it. */
static inline line rest_line(const pc_mobility *W, const pc_coulomb *coulomb)
{
    double limit = coulomb->static_friction * W->tt;
    if (W->rank < 2) limit += limit * PC_RANK_TOLERANCE;
    if (fabs(W->tn) > limit) {
        int sign = W->tn > 0 ? 1 : -1;
        return line_of(W, PC_PHASE_SLIP, sign, -coulomb->friction * sign);
    }
    line l = line_of(W, PC_PHASE_STICK, 0, W->tt > 0 ? -W->tn / W->tt : 0);
    l.slope_t = 0;
    if (W->tt > 0 && (W->rank < 2 || l.slope_n < 0)) l.slope_n = 0;
    return l;
}

/* Where the walk stands. */
typedef struct place {
    double p_t, p_n, v_t, v_n, work_n, work_f;
} place;

/* Member by member: compilers zero a large struct by a string instruction that takes longer than all the rest. */
static inline void put(const place *w, pc_state *s)
{
    s->t = 0;
    for (int i = 0; i < 3; i++) s->u[i] = s->F[i] = 0;
    s->v[PC_T] = s->s[0] = w->v_t;
    s->v[PC_N] = w->v_n;
    s->v[PC_T2] = s->s[1] = s->p[PC_T2] = 0;
    s->p[PC_T] = w->p_t;
    s->p[PC_N] = w->p_n;
    s->work_n = w->work_n;
    s->work_t = 0;
    s->work_f = w->work_f;
}

/* On by dp along a line, to the velocity given. */
static inline void move(place *w, const line *l, double dp, double v_t, double v_n)
{
    w->p_t += l->ratio * dp;
    w->p_n += dp;
    w->work_n += dp * ((w->v_n + v_n) / 2);
    w->work_f += l->ratio * dp * ((w->v_t + v_t) / 2);
    w->v_t = v_t;
    w->v_n = v_n;
}

/* The same, and into the partial sums; v_n does not change its sign on the way. The sums take the share itself: as a
 * difference of totals a small restitution would be lost in the rounding of the compression. */
static inline void move_summed(place *w, const line *l, double dp, double v_t, double v_n, pc_impact *out)
{
    bool compression = w->v_n < 0 || v_n < 0;
    double *impulse = compression ? out->impulse_compression : out->impulse_restitution;
    impulse[PC_T] += l->ratio * dp;
    impulse[PC_N] += dp;
    *(compression ? &out->work_n_compression : &out->work_n_restitution) += dp * ((w->v_n + v_n) / 2);
    move(w, l, dp, v_t, v_n);
}

/* Along one line until slip stops or the contact ends; w->v_n < 0 on it, or >= 0, or first the one and then the other.
 * `singular`: W has rank 1, so that slip stops where compression ends. */
static inline pc_walk_reason follow(place *w, const line *l, bool singular, double coefficient, const pc_ending *ending,
                                    pc_impact *out)
{
    bool slows = l->kind == PC_PHASE_SLIP && l->sign * l->slope_t < 0;
    double to_stop = slows ? -w->v_t / l->slope_t : INFINITY;
    if (w->v_n < 0 || (w->v_n == 0 && l->slope_n < 0)) {
        double to_turn = l->slope_n > 0 ? -w->v_n / l->slope_n : INFINITY;
        if (singular && to_stop < INFINITY && fabs(to_turn - to_stop) <= PC_COINCIDENCE * to_stop) to_turn = to_stop;
        if (l->slope_n < 0) out->flags |= PC_FLAG_JAM;
        bool stops = to_stop <= to_turn, turns = to_turn <= to_stop;
        double dp = stops ? to_stop : to_turn;
        if (!(dp < INFINITY)) return PC_WALK_NEVER;
        move_summed(w, l, dp, stops ? 0 : w->v_t + l->slope_t * dp, turns ? 0 : w->v_n + l->slope_n * dp, out);
        if (stops) return PC_WALK_STOPPED;
        to_stop -= dp;
    }
    double lack = pc_ending_lack(ending, coefficient, out, w->v_n);
    double to_end = pc_ending_distance(ending, lack, w->v_n, l->slope_n);
    bool stops = to_stop <= to_end;
    double dp = stops ? to_stop : to_end;
    if (!(dp < INFINITY)) return PC_WALK_NEVER;
    move_summed(w, l, dp, stops ? 0 : w->v_t + l->slope_t * dp, w->v_n + l->slope_n * dp, out);
    return to_end <= to_stop ? PC_WALK_ENDED : PC_WALK_STOPPED;
}

/* Stuck where nothing can move, the normal impulse grows to no effect. Poisson's rule sets an end to it, the others do
 * not; either way the contact point rests. The partial sums leave it out, since v_n is neither < 0 nor > 0. */
static pc_walk_reason wedge(place *w, const line *l, double coefficient, const pc_ending *ending, pc_impact *out)
{
    if (w->v_n != 0) return PC_WALK_NEVER;
    double more = pc_ending_distance(ending, pc_ending_lack(ending, coefficient, out, 0), 0, 0);
    if (more < INFINITY) move(w, l, more, 0, 0);
    out->outcome = PC_OUTCOME_WEDGED;
    return PC_WALK_ENDED;
}

pc_status pc_impulse_planar(const pc_coulomb *coulomb, double coefficient, const pc_ending *ending,
                            const pc_mobility *W, const double v0[3], pc_impact *out, pc_error *err)
{
    place w = {.v_t = v0[PC_T], .v_n = v0[PC_N]};
    out->v0[PC_T] = out->v1[PC_T] = v0[PC_T];
    out->v0[PC_N] = out->v1[PC_N] = v0[PC_N];
    int sign = (w.v_t > 0) - (w.v_t < 0);
    line l = sign ? line_of(W, PC_PHASE_SLIP, sign, -coulomb->friction * sign) : rest_line(W, coulomb);
    if (w.v_n > 0 || (w.v_n == 0 && !(l.slope_n < 0))) {
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    for (;;) {
        bool stuck = l.kind == PC_PHASE_STICK && !(l.slope_n > 0);
        /* slip that stops just where the contact ends has no second phase */
        if (!stuck && out->n_phases && w.v_n >= 0 && pc_ending_lack(ending, coefficient, out, w.v_n) <= 0) break;
        pc_phase *phase = pc_impact_push(out);
        if (!phase) return pc_fail(err, PC_E_MEMORY, "no memory for a phase of the impact");
        phase->kind = l.kind;
        phase->sign = l.sign;
        put(&w, &phase->start);
        pc_walk_reason reason =
            stuck ? wedge(&w, &l, coefficient, ending, out) : follow(&w, &l, W->rank < 2, coefficient, ending, out);
        put(&w, &phase->stop);
        if (reason == PC_WALK_NEVER) return pc_walk_fail(w.v_n, err);
        if (reason == PC_WALK_ENDED) break;
        l = rest_line(W, coulomb);
    }
    pc_impulse_finish(W, out);
    return PC_OK;
}

pc_status pc_impulse_direct(const pc_mobility *W, const double v0[3], const double p[3], pc_impact *out, pc_error *err)
{
    place w = {.v_t = v0[PC_T], .v_n = v0[PC_N]};
    out->v0[PC_T] = v0[PC_T];
    out->v0[PC_N] = v0[PC_N];
    /* slip in the sense that the tangential impulse opposes */
    double ratio = p[PC_T] / p[PC_N];
    int sign = ratio != 0 ? (ratio < 0) - (ratio > 0) : (v0[PC_T] > 0) - (v0[PC_T] < 0);
    line l = line_of(W, sign ? PC_PHASE_SLIP : PC_PHASE_STICK, sign, ratio);
    pc_phase *phase = pc_impact_push(out);
    if (!phase) return pc_fail(err, PC_E_MEMORY, "no memory for a phase of the impact");
    phase->kind = l.kind;
    phase->sign = l.sign;
    put(&w, &phase->start);
    double to_turn = fmin(-v0[PC_N] / l.slope_n, p[PC_N]);
    move_summed(&w, &l, to_turn, w.v_t + l.slope_t * to_turn, 0, out);
    double rest = p[PC_N] - to_turn;
    double v_t = w.v_t + l.slope_t * rest;
    /* a ratio that was made to hold the contact point leaves the rounding of its terms */
    double rounding = 8 * DBL_EPSILON * (fabs(v0[PC_T]) + (fabs(W->tn) + W->tt * fabs(ratio)) * p[PC_N]);
    move_summed(&w, &l, rest, fabs(v_t) <= rounding ? 0 : v_t, l.slope_n * rest, out);
    put(&w, &phase->stop);
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

void pc_impulse_between(const pc_phase *phase, double p_n, pc_state *out)
{
    const pc_state *a = &phase->start, *b = &phase->stop;
    double whole = b->p[PC_N] - a->p[PC_N];
    double x = whole > 0 ? (p_n - a->p[PC_N]) / whole : 1;
    *out = (pc_state){0};
    for (int i = 0; i < 3; i++) {
        out->p[i] = a->p[i] + x * (b->p[i] - a->p[i]);
        out->v[i] = a->v[i] + x * (b->v[i] - a->v[i]);
    }
    out->s[0] = out->v[PC_T];
    out->s[1] = out->v[PC_T2];
    double dp_n = out->p[PC_N] - a->p[PC_N], dp_t = out->p[PC_T] - a->p[PC_T], dp_t2 = out->p[PC_T2] - a->p[PC_T2];
    out->work_n = a->work_n + dp_n * (a->v[PC_N] + out->v[PC_N]) / 2;
    out->work_f = a->work_f + dp_t * (a->v[PC_T] + out->v[PC_T]) / 2 + dp_t2 * (a->v[PC_T2] + out->v[PC_T2]) / 2;
}

pc_status pc_impulse_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n,
                          size_t n, pc_state *out, pc_error *err)
{
    (void)params;
    (void)W;
    (void)err;
    int k = 0;
    for (size_t i = 0; i < n; i++) {
        while (k < impact->n_phases - 1 && p_n[i] > impact->phases[k].stop.p[PC_N]) k++;
        pc_impulse_between(&impact->phases[k], p_n[i], &out[i]);
    }
    return PC_OK;
}
