/* Impacts that accumulate. */
#include "sim/run_parts.h"

#include <math.h>
#include <string.h>

static void note_impact(pc_run *run, int pair)
{
    memmove(run->recent + 1, run->recent, 4 * sizeof *run->recent);
    memmove(run->recent_pair + 1, run->recent_pair, 3 * sizeof *run->recent_pair);
    run->recent[0] = run->t;
    run->recent_pair[0] = pair;
}

/* The intervals d of the last impacts shrink by one ratio, and the bounces are low (their height is v d/4, v the
 * speed at which they end) or near in time. The bounds balance two errors of the extrapolation to the end: it
 * neglects what changes over the rest of the sequence, and the intervals round, all the more the lower the bounces.
 * Both are then below 1e-9 of the last second. */
static bool accumulating(const pc_run *run, double v, double *ratio)
{
    const double *t = run->recent;
    double d0 = t[0] - t[1], d1 = t[1] - t[2], d2 = t[2] - t[3], d3 = t[3] - t[4];
    if (!(d0 > 0 && d0 < d1 && d1 < d2 && d2 < d3) || !pc_run_is_gentle(run, run->recent_pair[0], v)) return false;
    *ratio = cbrt(d0 / d3);
    bool settled = fabs(d0 / d1 - d2 / d3) <= 0.1 * (1 - *ratio);
    double length = run->scene->pairs[run->recent_pair[0]].length;
    return settled && (v * d0 <= 4e-12 * length || d0 <= 1e-11 * fabs(t[0]));
}

static pc_status close_accumulated(pc_run *run, const pc_hit *hit, pc_error *err)
{
    int pair = hit->pair;
    double ratio;
    if (!accumulating(run, fabs(hit->v0[PC_N]), &ratio)) return PC_OK;
    double rest = (run->recent[0] - run->recent[1]) * ratio / (1 - ratio);
    pc_status status = pc_run_tell(
        run,
        (pc_event_record){.t = run->recent[0] + rest, .kind = PC_HAPPENS_ACCUMULATION, .pair = pair, .ratio = ratio},
        err);
    pc_touching touching = {0};
    for (int i = 0; i < run->contacts.n && status == PC_OK; i++)
        status = pc_touching_add(&touching, run->contacts.pair[i], false, false, err);
    for (int i = 0; i < 4 && status == PC_OK; i++) {
        int other = run->recent_pair[i];
        if (fabs(pc_system_gap(&run->system, other)) <= 1e-10 * run->scene->pairs[other].length)
            status = pc_touching_add(&touching, other, false, true, err);
    }
    for (int i = 0; i < 5; i++) run->recent[i] = NAN;
    return status == PC_OK ? pc_run_settle(run, &touching, -1, err) : status;
}

pc_status pc_run_accumulate(pc_run *run, const pc_hit *hit, pc_error *err)
{
    note_impact(run, hit->pair);
    return close_accumulated(run, hit, err);
}
