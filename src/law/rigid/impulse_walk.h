/* Inside the rigid laws: the rule for the end of restitution, and walking through impulse space along straight lines,
 * in the plane (d = 2) and in space (d = 3). d is a constant wherever it is passed, so each has code of its own.
 */
#ifndef PC_LAW_RIGID_IMPULSE_WALK_H
#define PC_LAW_RIGID_IMPULSE_WALK_H

#include "law/rigid/rigid.h"

#include <math.h>

/* d is to be known where these are compiled. */
#define PC_WALK_INLINE static inline __attribute__((always_inline))

/* Events of a body whose W is singular fall together: its contact point cannot move in all directions, so slip stops
 * where compression ends. They are one if they differ by this fraction, well above the rounding of v0 and W. */
#define PC_COINCIDENCE 1e-10

/* Where the walk stands; the partial sums and the flags are kept in the impact. In the plane t2 stays 0. */
typedef struct pc_walk {
    pc_impact *impact;
    double p[3], v[3], work_n, work_f;
} pc_walk;

/* A straight line: changes of p and v per unit of normal impulse (slope_p[PC_N] is 1). */
typedef struct pc_line {
    pc_phase_kind kind;
    int sign;
    double slope_p[3], slope_v[3];
    bool stops; /* slip comes to rest on it */
} pc_line;

/* Why a line was left. PC_WALK_NEVER: neither a stop nor an end lies ahead. */
typedef enum pc_walk_reason { PC_WALK_STOPPED, PC_WALK_ENDED, PC_WALK_NEVER } pc_walk_reason;

/* The quantity by which a rule measures restitution, from the three that there are. */
static inline double pc_rule_measure(const pc_joint_rule *rule, double v_n, double p_n, double work_n)
{
    return rule->kind == PC_JOINT_NEWTON ? v_n : rule->kind == PC_JOINT_POISSON ? p_n : work_n;
}

/* What that quantity still lacks when the contact has come to normal velocity v_n. */
static inline double pc_rule_lack(const pc_joint_rule *rule, const pc_impact *so_far, double v_n)
{
    double e = rule->e;
    double target = pc_rule_measure(rule, -e * so_far->v0[PC_N], e * so_far->impulse_compression[PC_N],
                                    -e * e * so_far->work_n_compression);
    return target - pc_rule_measure(rule, v_n, so_far->impulse_restitution[PC_N], so_far->work_n_restitution);
}

/* Further normal impulse to the end along a straight line on which v_n changes from `v_n` at `slope` per unit of p_n;
 * infinite if it is never reached. */
static inline double pc_rule_distance(const pc_joint_rule *rule, double lack, double v_n, double slope)
{
    if (lack <= 0) return 0;
    double rate = pc_rule_measure(rule, slope, 1, v_n);
    if (rule->kind != PC_JOINT_STRONGE) return rate > 0 ? lack / rate : INFINITY;
    /* lack = rate x + slope x^2/2, by the root that does not cancel */
    double square = rate * rate + 2 * slope * lack;
    double sum = square >= 0 ? rate + sqrt(square) : 0;
    return sum > 0 ? 2 * lack / sum : INFINITY;
}

/* Member by member: compilers zero a large struct by a string instruction that takes longer than all the rest, and keep
 * an array that a loop runs over in memory. */
static inline void pc_walk_put(const pc_walk *walk, pc_state *state)
{
    state->t = 0;
    for (int i = 0; i < 3; i++) state->u[i] = state->F[i] = 0;
    state->v[PC_T] = state->s[0] = walk->v[PC_T];
    state->v[PC_N] = walk->v[PC_N];
    state->v[PC_T2] = state->s[1] = walk->v[PC_T2];
    state->p[PC_T] = walk->p[PC_T];
    state->p[PC_N] = walk->p[PC_N];
    state->p[PC_T2] = walk->p[PC_T2];
    state->work_n = walk->work_n;
    state->work_t = 0;
    state->work_f = walk->work_f;
}

/* A new phase that starts here; NULL, with the error filled, if memory is short. */
static inline pc_phase *pc_walk_open(pc_walk *walk, const pc_line *line, pc_error *err)
{
    pc_phase *phase = pc_impact_push(walk->impact);
    if (!phase) {
        pc_fail(err, PC_E_MEMORY, "no memory for a phase of the impact");
        return NULL;
    }
    phase->kind = line->kind;
    phase->sign = line->sign;
    pc_walk_put(walk, &phase->start);
    return phase;
}

/* Add what a stretch of the path brings to the partial sums; v_n does not change its sign on it. The sums take the
 * share itself: as a difference of totals a small restitution would be lost in the rounding of the compression. */
PC_WALK_INLINE void pc_walk_sum(pc_impact *sums, bool compression, const double dp[3], double work_n, int d)
{
    double *impulse = compression ? sums->impulse_compression : sums->impulse_restitution;
    impulse[PC_T] += dp[PC_T];
    impulse[PC_N] += dp[PC_N];
    if (d == 3) impulse[PC_T2] += dp[PC_T2];
    *(compression ? &sums->work_n_compression : &sums->work_n_restitution) += work_n;
}

/* One component of a step by x: `rests`: its velocity becomes 0. Returns the work on it. */
static inline double pc_walk_component(pc_walk *walk, const pc_line *line, int i, double x, bool rests)
{
    double v = walk->v[i], dp = line->slope_p[i] * x;
    walk->v[i] = rests ? 0 : v + line->slope_v[i] * x;
    walk->p[i] += dp;
    return dp * ((v + walk->v[i]) / 2);
}

/* On by x along a line; `stop` and `turn` say which velocity becomes 0 there: the tangential or the normal one. */
PC_WALK_INLINE void pc_walk_step(pc_walk *walk, const pc_line *line, double x, bool stop, bool turn, bool compression,
                                 int d)
{
    double work_n = pc_walk_component(walk, line, PC_N, x, turn);
    double work_f = pc_walk_component(walk, line, PC_T, x, stop);
    if (d == 3) work_f += pc_walk_component(walk, line, PC_T2, x, stop);
    const double dp[3] = {line->slope_p[PC_T] * x, x, line->slope_p[PC_T2] * x};
    pc_walk_sum(walk->impact, compression, dp, work_n, d);
    walk->work_n += work_n;
    walk->work_f += work_f;
}

PC_WALK_INLINE double pc_walk_to_stop(const pc_walk *walk, const pc_line *line, int d)
{
    if (!line->stops) return INFINITY;
    int i = d < 3 || fabs(line->slope_v[PC_T]) >= fabs(line->slope_v[PC_T2]) ? PC_T : PC_T2;
    return -walk->v[i] / line->slope_v[i];
}

/* Follow a line until slip stops or the contact ends. `singular`: in stick nothing can move, so a stop and the end of
 * compression may fall together and are then taken for one. */
PC_WALK_INLINE pc_walk_reason pc_walk_line(pc_walk *walk, const pc_line *line, bool singular, const pc_joint_rule *rule,
                                           int d)
{
    double slope = line->slope_v[PC_N];
    double to_stop = pc_walk_to_stop(walk, line, d);
    for (;;) {
        bool compression = walk->v[PC_N] < 0 || (walk->v[PC_N] == 0 && slope < 0);
        double to_turn = INFINITY, to_end = INFINITY;
        /* v_n = 0 lies ahead where compression rises to it or restitution falls back to it, which it does in space */
        if (compression ? slope > 0 : d == 3 && slope < 0) to_turn = -walk->v[PC_N] / slope;
        if (singular && to_stop < INFINITY && fabs(to_turn - to_stop) <= PC_COINCIDENCE * to_stop) to_turn = to_stop;
        if (!compression)
            to_end = pc_rule_distance(rule, pc_rule_lack(rule, walk->impact, walk->v[PC_N]), walk->v[PC_N], slope);
        else if (slope < 0)
            walk->impact->flags |= PC_FLAG_JAM;
        double x = to_turn < to_stop ? to_turn : to_stop;
        if (to_end < x) x = to_end;
        if (!(x < INFINITY)) return PC_WALK_NEVER;
        if (x > 0) pc_walk_step(walk, line, x, x == to_stop, x == to_turn, compression, d);
        if (x == to_end) return PC_WALK_ENDED;
        if (x == to_stop) return PC_WALK_STOPPED;
        if (!compression) walk->impact->flags |= PC_FLAG_RECOMPRESSION;
        to_stop -= x;
    }
}

/* The error for a motion that W cannot change. */
static inline pc_status pc_walk_fail(double v_n, pc_error *err)
{
    return pc_fail(err, PC_E_ARGUMENT,
                   "no impulse can change vn = %.10g m/s: W does not allow this motion of the contact point, or "
                   "friction is just at the limit between slip and stick",
                   v_n);
}

/* A phase along a line, and why it was left. Where stuck nothing can move, the normal impulse grows to no effect:
 * Poisson's rule sets an end to it, the others do not; either way the contact point rests. The partial sums leave that
 * out, since v_n is neither < 0 nor > 0. What slip in space has left of v_n is known but to rounding. */
PC_WALK_INLINE pc_status pc_walk_phase(pc_walk *walk, const pc_line *line, bool singular, const pc_joint_rule *rule,
                                       int d, pc_walk_reason *reason, pc_error *err)
{
    bool stuck = line->kind == PC_PHASE_STICK && !(line->slope_v[PC_N] > 0);
    *reason = PC_WALK_ENDED;
    if (!stuck && walk->impact->n_phases && walk->v[PC_N] >= 0 && pc_rule_lack(rule, walk->impact, walk->v[PC_N]) <= 0)
        return PC_OK; /* slip stopped just where the contact ends */
    pc_phase *phase = pc_walk_open(walk, line, err);
    if (!phase) return PC_E_MEMORY;
    if (stuck) {
        const double *v0 = walk->impact->v0;
        double rounding = d == 3 ? PC_COINCIDENCE * (fabs(v0[PC_T]) + fabs(v0[PC_N]) + fabs(v0[PC_T2])) : 0;
        if (fabs(walk->v[PC_N]) > rounding) return pc_walk_fail(walk->v[PC_N], err);
        walk->v[PC_N] = 0;
        double more = pc_rule_distance(rule, pc_rule_lack(rule, walk->impact, 0), 0, 0);
        if (more < INFINITY) {
            walk->p[PC_T] += line->slope_p[PC_T] * more;
            walk->p[PC_N] += more;
            if (d == 3) walk->p[PC_T2] += line->slope_p[PC_T2] * more;
        }
        walk->impact->outcome = PC_OUTCOME_WEDGED;
    } else {
        *reason = pc_walk_line(walk, line, singular, rule, d);
        if (*reason == PC_WALK_NEVER) return pc_walk_fail(walk->v[PC_N], err);
    }
    pc_walk_put(walk, &phase->stop);
    return PC_OK;
}

#endif
