/* Bounces too low to be told from rounding: see run.h.
 *
 * Where several contacts bounce at once (a box on its corners, a pile), each disturbs the others, and no intervals
 * form a sequence that could be extrapolated (accumulation.c). But every contact for itself comes to bounces below the
 * rounding of positions; after one of these, or after it has been closed, the next as low is taken to be the
 * beginning of the end: restitution e < 1 makes the rest of them a geometric sequence, which ends after
 * 2 v/(a (1 - e)), for a speed v and an acceleration a that presses the pair together.
 */
#include "motion/run_internal.h"

#include <math.h>

/* Speeds at which bounces are as low as accumulation.c wants them are 1e-6 of that of a fall over the lengths of the
 * pair. */
static const double GENTLE = 1e-4;

bool pc_run_is_gentle(const pc_run *run, int pair, double v)
{
    return fabs(v) <= GENTLE * pc_run_speed_scale(run, pair);
}

/* A bounce of the speed v that lasts d rises by v d/4 at most; the bounds are those of accumulation.c. */
static bool is_low(const pc_run *run, int pair, double v, double d)
{
    if (!pc_run_is_gentle(run, pair, v)) return false;
    return v * d <= 4 * PC_OVERHANG * run->scene->pairs[pair].length || d <= 1e-11 * fabs(run->state.t);
}

void pc_run_record_bounces(pc_run *run, const pc_touching *touching, const pc_contacts *before, size_t first)
{
    const pc_impact_record *hits = run->history.hits.data;
    for (size_t i = first; i < run->history.hits.used; i++) {
        int pair = hits[i].pair;
        pc_pair_memory *memory = &run->state.memory[pair];
        if (memory->last_impact == run->state.t) continue; /* that was not the first one here */
        memory->low_bounce = is_low(run, pair, fabs(hits[i].v0[PC_N]), run->state.t - memory->last_impact);
        memory->last_impact = run->state.t;
    }
    for (int i = 0; i < touching->n; i++)
        for (int j = 0; j < before->n; j++)
            if (before->pair[j] == touching->pair[i]) run->state.memory[touching->pair[i]].low_bounce = true;
}

/* What a pair gives back of a speed v: by the law, without friction. */
static double restitution(pc_run *run, int pair, double v)
{
    const pc_pair *p = &run->scene->pairs[pair];
    pc_joint_rule rule;
    if (pc_run_joint_rule(run, pair, v, &rule)) return rule.e;
    pc_touch touch;
    pc_mobility W;
    double v0[2];
    pc_error err = {0};
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    if (pc_run_approach(run, pair, &touch, &W, v0, &err) != PC_OK) return 1;
    double e = pc_law_restitution(p->law, p->params, W.nn, v, &err);
    return isnan(e) ? 1 : e;
}

bool pc_run_may_stay(pc_run *run, int pair, double v)
{
    return run->state.memory[pair].low_bounce && restitution(run, pair, v) < 1;
}

bool pc_run_ends_bouncing(const pc_run *run, int pair, double v, double a)
{
    return v <= 0 || is_low(run, pair, v, 2 * v / a);
}

/* Slip may make the bounces shrink by another ratio than e, which shows in the speeds before and after. */
pc_status pc_run_log_accumulation(pc_run *run, int pair, double v, double a, pc_error *err)
{
    const pc_impact_record *hits = run->history.hits.data;
    double next = 2 * v / a, ratio = NAN;
    for (size_t i = run->history.hits.used; i > 0 && hits[i - 1].t == run->state.t;
         i--) /* the first one here: what it came with */
        if (hits[i - 1].pair == pair) ratio = -v / hits[i - 1].v0[PC_N];
    if (!(ratio > 0 && ratio < 1)) ratio = restitution(run, pair, v);
    pc_event_record event = {.kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio};
    event.t = pc_run_end_of_bounces(run, pair, run->state.t + next / (1 - ratio));
    pc_run_forget_bounces(run); /* it is not to be found again by its intervals */
    return pc_run_log(run, event, err);
}
