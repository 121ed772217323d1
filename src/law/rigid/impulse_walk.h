/* Inside the rigid laws: the rule for the end of restitution on a straight line, and walking along such lines in space.
 * (The planar path is the same in scalars of its own, see impulse.c: it takes no longer than a few calls do.)
 */
#ifndef PC_LAW_RIGID_IMPULSE_WALK_H
#define PC_LAW_RIGID_IMPULSE_WALK_H

#include "law/rigid/impulse.h"

#include <math.h>

/* Events of a body whose W is singular fall together: its contact point cannot move in all directions, so slip stops
 * where compression ends. They are one if they differ by this fraction, well above the rounding of v0 and W. */
#define PC_COINCIDENCE 1e-10

/* Where the walk stands; the partial sums and the flags are kept in the impact. */
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

/* What the measure of restitution still lacks when the contact has come to normal velocity v_n. */
static inline double pc_ending_lack(const pc_ending *ending, double coefficient, const pc_impact *so_far, double v_n)
{
    return ending->target(coefficient, so_far) - ending->v * v_n - ending->p * so_far->impulse_restitution[PC_N] -
           ending->w * so_far->work_n_restitution;
}

/* Further normal impulse to the end along a straight line on which v_n changes from `v_n` at `slope` per unit of p_n;
 * infinite if it is never reached. */
static inline double pc_ending_distance(const pc_ending *ending, double lack, double v_n, double slope)
{
    if (lack <= 0) return 0;
    /* lack = b x + w slope x^2/2, by the root that does not cancel */
    double b = ending->v * slope + ending->p + ending->w * v_n;
    if (ending->w == 0) return b > 0 ? lack / b : INFINITY;
    double square = b * b + 2 * ending->w * slope * lack;
    double sum = square >= 0 ? b + sqrt(square) : 0;
    return sum > 0 ? 2 * lack / sum : INFINITY;
}

/* Member by member: compilers zero a large struct by a string instruction that takes longer than all the rest. */
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

/* A new phase that starts here; NULL if memory is short. */
static inline pc_phase *pc_walk_open(pc_walk *walk, pc_phase_kind kind, int sign)
{
    pc_phase *phase = pc_impact_push(walk->impact);
    if (!phase) return NULL;
    phase->kind = kind;
    phase->sign = sign;
    pc_walk_put(walk, &phase->start);
    return phase;
}

/* Add what a stretch of the path brings to the partial sums; v_n does not change its sign on it. */
static inline void pc_walk_sum(pc_impact *sums, bool compression, double dp_t, double dp_n, double dp_t2, double work_n)
{
    if (compression) {
        sums->impulse_compression[PC_T] += dp_t;
        sums->impulse_compression[PC_N] += dp_n;
        sums->impulse_compression[PC_T2] += dp_t2;
        sums->work_n_compression += work_n;
    } else {
        sums->impulse_restitution[PC_T] += dp_t;
        sums->impulse_restitution[PC_N] += dp_n;
        sums->impulse_restitution[PC_T2] += dp_t2;
        sums->work_n_restitution += work_n;
    }
}

/* On by dp along a line; `stop` and `turn` say which velocity becomes 0 there: the tangential or the normal one. */
static inline void pc_walk_step(pc_walk *walk, const pc_line *line, double dp, bool stop, bool turn)
{
    double dp_t = line->slope_p[PC_T] * dp, dp_t2 = line->slope_p[PC_T2] * dp;
    double v_t = stop ? 0 : walk->v[PC_T] + line->slope_v[PC_T] * dp;
    double v_t2 = stop ? 0 : walk->v[PC_T2] + line->slope_v[PC_T2] * dp;
    double v_n = turn ? 0 : walk->v[PC_N] + line->slope_v[PC_N] * dp;
    double work_n = dp * ((walk->v[PC_N] + v_n) / 2);
    pc_walk_sum(walk->impact, walk->v[PC_N] < 0 || v_n < 0, dp_t, dp, dp_t2, work_n);
    walk->work_n += work_n;
    walk->work_f += dp_t * ((walk->v[PC_T] + v_t) / 2) + dp_t2 * ((walk->v[PC_T2] + v_t2) / 2);
    walk->p[PC_T] += dp_t;
    walk->p[PC_N] += dp;
    walk->p[PC_T2] += dp_t2;
    walk->v[PC_T] = v_t;
    walk->v[PC_N] = v_n;
    walk->v[PC_T2] = v_t2;
}

static inline double pc_walk_to_stop(const pc_walk *walk, const pc_line *line)
{
    if (!line->stops) return INFINITY;
    int i = fabs(line->slope_v[PC_T]) >= fabs(line->slope_v[PC_T2]) ? PC_T : PC_T2;
    return -walk->v[i] / line->slope_v[i];
}

/* Follow a line until slip stops or the contact ends. `singular`: in stick nothing can move, so a stop and the end of
 * compression may fall together and are then taken for one. */
static inline pc_walk_reason pc_walk_line(pc_walk *walk, const pc_line *line, bool singular, double coefficient,
                                          const pc_ending *ending)
{
    double slope = line->slope_v[PC_N];
    double to_stop = pc_walk_to_stop(walk, line);
    for (;;) {
        bool compression = walk->v[PC_N] < 0 || (walk->v[PC_N] == 0 && slope < 0);
        /* v_n = 0 lies ahead where compression rises to it or restitution falls back to it */
        double to_turn = compression == (slope > 0) && slope != 0 ? -walk->v[PC_N] / slope : INFINITY;
        if (singular && to_stop < INFINITY && fabs(to_turn - to_stop) <= PC_COINCIDENCE * to_stop) to_turn = to_stop;
        double to_end = INFINITY;
        if (!compression) {
            double lack = pc_ending_lack(ending, coefficient, walk->impact, walk->v[PC_N]);
            to_end = pc_ending_distance(ending, lack, walk->v[PC_N], slope);
        } else if (slope < 0) {
            walk->impact->flags |= PC_FLAG_JAM;
        }
        double dp = to_turn < to_stop ? to_turn : to_stop;
        if (to_end < dp) dp = to_end;
        if (!(dp < INFINITY)) return PC_WALK_NEVER;
        if (dp > 0) pc_walk_step(walk, line, dp, dp == to_stop, dp == to_turn);
        if (dp == to_end) return PC_WALK_ENDED;
        if (dp == to_stop) return PC_WALK_STOPPED;
        if (!compression) walk->impact->flags |= PC_FLAG_RECOMPRESSION;
        to_stop -= dp;
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

/* From rest in the tangent plane to the end: stick, or slip once more. Where stuck nothing can move, the normal impulse
 * grows to no effect: Poisson's rule sets an end to it, the others do not; either way the contact point rests. The
 * partial sums leave that out, since v_n is neither < 0 nor > 0. */
static inline pc_status pc_walk_from_rest(pc_walk *walk, const pc_line *line, double coefficient,
                                          const pc_ending *ending, pc_error *err)
{
    bool stuck = line->kind == PC_PHASE_STICK && !(line->slope_v[PC_N] > 0);
    if (!stuck && walk->impact->n_phases && walk->v[PC_N] >= 0 &&
        pc_ending_lack(ending, coefficient, walk->impact, walk->v[PC_N]) <= 0)
        return PC_OK; /* slip stopped just where the contact ends */
    pc_phase *phase = pc_walk_open(walk, line->kind, line->sign);
    if (!phase) return pc_fail(err, PC_E_MEMORY, "no memory for a phase of the impact");
    if (!stuck) {
        if (pc_walk_line(walk, line, false, coefficient, ending) != PC_WALK_ENDED)
            return pc_walk_fail(walk->v[PC_N], err);
    } else {
        const double *v0 = walk->impact->v0;
        double rounding = PC_COINCIDENCE * (fabs(v0[PC_T]) + fabs(v0[PC_N]) + fabs(v0[PC_T2]));
        if (fabs(walk->v[PC_N]) > rounding) return pc_walk_fail(walk->v[PC_N], err);
        walk->v[PC_N] = 0;
        double lack = pc_ending_lack(ending, coefficient, walk->impact, 0);
        double more = pc_ending_distance(ending, lack, 0, 0);
        if (more < INFINITY)
            for (int i = 0; i < 3; i++) walk->p[i] += line->slope_p[i] * more;
        walk->impact->outcome = PC_OUTCOME_WEDGED;
    }
    pc_walk_put(walk, &phase->stop);
    return PC_OK;
}

#endif
