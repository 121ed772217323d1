/* Straight lines in impulse space: see impulse_walk.h. */
#include "contact/impulse_walk.h"

#include <math.h>

/* Events of a body whose W is singular fall together: its contact point cannot move in all directions, so slip stops
 * where compression ends. They are one if they differ by this fraction, well above the rounding of v0 and W. */
#define COINCIDENCE 1e-10

double pc_ending_lack(const pc_ending *ending, double coefficient, const pc_impact *so_far, double v_n)
{
    return ending->target(coefficient, so_far) - ending->v * v_n - ending->p * so_far->impulse_restitution[PC_N] -
           ending->w * so_far->work_n_restitution;
}

double pc_ending_distance(const pc_ending *ending, double lack, double v_n, double slope)
{
    if (lack <= 0) return 0;
    /* lack = b x + w slope x^2/2, by the root that does not cancel */
    double b = ending->v * slope + ending->p + ending->w * v_n;
    double sum = b + sqrt(b * b + 2 * ending->w * slope * lack);
    return sum > 0 ? 2 * lack / sum : INFINITY;
}

void pc_walk_put(const pc_walk *walk, pc_state *state)
{
    *state = (pc_state){.v = {walk->v[0], walk->v[1], walk->v[2]},
                        .p = {walk->p[0], walk->p[1], walk->p[2]},
                        .s = {walk->v[PC_T], walk->v[PC_T2]},
                        .work_n = walk->work_n,
                        .work_f = walk->work_f};
}

pc_phase *pc_walk_open(pc_walk *walk, pc_phase_kind kind, int sign)
{
    pc_phase *phase = pc_impact_push(walk->impact);
    if (!phase) return NULL;
    phase->kind = kind;
    phase->sign = sign;
    pc_walk_put(walk, &phase->start);
    return phase;
}

void pc_walk_advance(pc_walk *walk, const double p[3], const double v[3], double work_n, double work_f)
{
    pc_impact *sums = walk->impact;
    bool compression = walk->v[PC_N] < 0 || v[PC_N] < 0;
    double *impulse = compression ? sums->impulse_compression : sums->impulse_restitution;
    *(compression ? &sums->work_n_compression : &sums->work_n_restitution) += work_n - walk->work_n;
    for (int i = 0; i < 3; i++) {
        impulse[i] += p[i] - walk->p[i];
        walk->p[i] = p[i];
        walk->v[i] = v[i];
    }
    walk->work_n = work_n;
    walk->work_f = work_f;
}

void pc_walk_step(pc_walk *walk, const pc_line *line, double dp, bool stop, bool turn)
{
    double p[3], v[3];
    for (int i = 0; i < 3; i++) {
        p[i] = walk->p[i] + line->slope_p[i] * dp;
        v[i] = walk->v[i] + line->slope_v[i] * dp;
    }
    if (stop) v[PC_T] = v[PC_T2] = 0;
    if (turn) v[PC_N] = 0;
    double mean_t = (walk->v[PC_T] + v[PC_T]) / 2, mean_n = (walk->v[PC_N] + v[PC_N]) / 2;
    double mean_t2 = (walk->v[PC_T2] + v[PC_T2]) / 2;
    double work_f = dp * (line->slope_p[PC_T] * mean_t + line->slope_p[PC_T2] * mean_t2);
    pc_walk_advance(walk, p, v, walk->work_n + dp * mean_n, walk->work_f + work_f);
}

static double distance_to_stop(const pc_walk *walk, const pc_line *line)
{
    if (!line->stops) return INFINITY;
    int i = fabs(line->slope_v[PC_T]) >= fabs(line->slope_v[PC_T2]) ? PC_T : PC_T2;
    return -walk->v[i] / line->slope_v[i];
}

pc_walk_reason pc_walk_line(pc_walk *walk, const pc_line *line, bool singular, double coefficient,
                            const pc_ending *ending)
{
    double slope = line->slope_v[PC_N];
    double to_stop = distance_to_stop(walk, line);
    for (;;) {
        bool compression = walk->v[PC_N] < 0 || (walk->v[PC_N] == 0 && slope < 0);
        /* v_n = 0 lies ahead where compression rises to it or restitution falls back to it */
        double to_turn = compression == (slope > 0) && slope != 0 ? -walk->v[PC_N] / slope : INFINITY;
        double to_end = INFINITY;
        if (compression) {
            if (slope < 0) walk->impact->flags |= PC_FLAG_JAM;
            if (singular && isfinite(to_stop) && fabs(to_turn - to_stop) <= COINCIDENCE * to_stop) to_turn = to_stop;
        } else {
            double lack = pc_ending_lack(ending, coefficient, walk->impact, walk->v[PC_N]);
            to_end = pc_ending_distance(ending, lack, walk->v[PC_N], slope);
        }
        double dp = fmin(fmin(to_turn, to_stop), to_end);
        if (isinf(dp)) return PC_WALK_NEVER;
        if (dp > 0) pc_walk_step(walk, line, dp, dp == to_stop, dp == to_turn);
        if (dp == to_end) return PC_WALK_ENDED;
        if (dp == to_stop) return PC_WALK_STOPPED;
        if (!compression) walk->impact->flags |= PC_FLAG_RECOMPRESSION;
        to_stop -= dp;
    }
}

/* Stuck where nothing can move: the normal impulse grows to no effect. Poisson's rule sets an end to it, the others
 * do not; either way the contact point rests. The partial sums leave it out, since v_n is neither < 0 nor > 0. */
static void wedge(pc_walk *walk, const pc_line *line, double coefficient, const pc_ending *ending)
{
    double lack = pc_ending_lack(ending, coefficient, walk->impact, 0);
    double more = pc_ending_distance(ending, lack, 0, 0);
    if (isfinite(more))
        for (int i = 0; i < 3; i++) walk->p[i] += line->slope_p[i] * more;
    walk->impact->outcome = PC_OUTCOME_WEDGED;
}

pc_status pc_walk_from_rest(pc_walk *walk, const pc_line *line, double coefficient, const pc_ending *ending,
                            pc_error *err)
{
    bool stuck = line->kind == PC_PHASE_STICK && !(line->slope_v[PC_N] > 0);
    if (!stuck && walk->impact->n_phases && walk->v[PC_N] >= 0 &&
        pc_ending_lack(ending, coefficient, walk->impact, walk->v[PC_N]) <= 0)
        return PC_OK; /* slip stopped just where the contact ends */
    pc_phase *phase = pc_walk_open(walk, line->kind, line->sign);
    if (!phase) return pc_fail(err, PC_E_MEMORY, "no memory for a phase of the impact");
    if (stuck) {
        if (walk->v[PC_N] != 0) return pc_walk_fail(walk, err);
        wedge(walk, line, coefficient, ending);
    } else if (pc_walk_line(walk, line, false, coefficient, ending) != PC_WALK_ENDED) {
        return pc_walk_fail(walk, err);
    }
    pc_walk_put(walk, &phase->stop);
    return PC_OK;
}

pc_status pc_walk_fail(const pc_walk *walk, pc_error *err)
{
    return pc_fail(err, PC_E_ARGUMENT,
                   "no impulse can change vn = %.10g m/s: W does not allow this motion of the contact point",
                   walk->v[PC_N]);
}
