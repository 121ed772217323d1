/* Bounces in a run: the sequences of engine/accumulation.h, and those that are too low to be told from rounding.
 *
 * Where several contacts bounce at once (a box on its corners, a pile), each disturbs the others, and no intervals form
 * a sequence that could be extrapolated. But every contact for itself comes to bounces below the rounding of positions;
 * after one of these, or after it has been closed, the next as low is taken to be the beginning of the end: restitution
 * e < 1 makes the rest of them a geometric sequence, which ends after 2 v/(a (1 - e)), for a speed v and an
 * acceleration a that presses the pair together.
 */
#include "motion/accumulation.h"
#include "engine/collide.h"
#include "motion/impacts.h"
#include "motion/proximity.h"

#include <math.h>
#include <string.h>

/* Speeds at which bounces are as low as pc_accumulation_is_due wants them are 1e-6 of that of a fall over the lengths
 * of the pair. */
static const double GENTLE = 1e-4;

bool pc_run_is_gentle(const pc_run *run, int pair, double v)
{
    return fabs(v) <= GENTLE * pc_pair_speed_scale(run->scene, run->state.memory, pair);
}

/* A bounce of the speed v that lasts d rises by v d/4 at most; the bounds are those of pc_accumulation_is_due. */
static bool is_low(const pc_run *run, int pair, double v, double d)
{
    if (!pc_run_is_gentle(run, pair, v)) return false;
    return v * d <= 4 * PC_OVERHANG * run->scene->pairs[pair].length || d <= 1e-11 * fabs(run->state.t);
}

void pc_run_record_bounces(pc_run *run, const pc_touching *touching, const pc_contacts *before, size_t first)
{
    const pc_impact_record *impacts = run->history.impacts.data;
    for (size_t i = first; i < run->history.impacts.used; i++) {
        int pair = impacts[i].pair;
        pc_pair_memory *memory = &run->state.memory[pair];
        if (memory->last_impact == run->state.t) continue; /* that was not the first one here */
        memory->low_bounce = is_low(run, pair, fabs(impacts[i].v0[PC_N]), run->state.t - memory->last_impact);
        memory->last_impact = run->state.t;
    }
    for (int i = 0; i < touching->n; i++)
        for (int j = 0; j < before->n; j++)
            if (before->pair[j] == touching->at[i].pair) run->state.memory[touching->at[i].pair].low_bounce = true;
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
    const pc_impact_record *impacts = run->history.impacts.data;
    double next = 2 * v / a, ratio = NAN;
    for (size_t i = run->history.impacts.used; i > 0 && impacts[i - 1].t == run->state.t;
         i--) /* the first one here: what it came with */
        if (impacts[i - 1].pair == pair) ratio = -v / impacts[i - 1].v0[PC_N];
    if (!(ratio > 0 && ratio < 1)) ratio = restitution(run, pair, v);
    pc_event_record event = {.kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio};
    event.t = pc_accumulation_end(&run->state.accumulation, pair, run->state.t, run->state.t + next / (1 - ratio));
    pc_accumulation_forget(&run->state.accumulation); /* it is not to be found again by its intervals */
    return pc_run_log(run, event, err);
}

/* The load on a pair for the state y: the acceleration with which it closes, with the contacts that last. */
static pc_status load_of(pc_run *run, int pair, const double *y, double *load, pc_error *err)
{
    pc_touch touch;
    double a[2];
    if (pc_planar_place(&run->scratch.system, run->state.t, y) != 0 || pc_run_accelerate(run, run->scratch.a) != 0)
        return pc_run_stopped(run, err);
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    pc_configuration_acceleration(&run->scratch.system.now, pair, &touch, run->scratch.a, a);
    *load = -a[PC_N];
    return PC_OK;
}

/* Loads in the middle of the next bounce, which lasts d, and at its end; those now are run->scratch.a. */
static pc_status load_ahead(pc_run *run, int pair, double d, double load[2], pc_error *err)
{
    static const double part[] = {0.25, 0.5, 1};
    int n = run->scene->n_dof;
    double *y = run->scratch.spare, unused;
    memcpy(y, run->state.y, 2 * (size_t)n * sizeof *y);
    for (int k = 0; k < 3; k++) { /* by the rates a half of the way there */
        for (int i = 0; i < n; i++) {
            y[i] = run->state.y[i] + part[k] * d * y[n + i];
            y[n + i] = run->state.y[n + i] + part[k] * d * run->scratch.a[i];
        }
        pc_status status = load_of(run, pair, y, k == 0 ? &unused : &load[k - 1], err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

/* How the speed of the pair changed at the instant whose first impact has this record. One impact, or several
 * struck as one, say that to the last bit of their own velocities. */
static double ratio_of(pc_run *run, const pc_impact_record *record)
{
    const pc_impact_record *end = (const pc_impact_record *)run->history.impacts.data + run->history.impacts.used;
    double v[2] = {0, record->v1[PC_N]};
    bool once = record->rule != PC_RULE_SEQUENTIAL || end - record == 1;
    for (const pc_impact_record *other = record + 1; other < end; other++)
        once &= other->rule == record->rule && other->pair != record->pair;
    if (!once) {
        pc_touch touch;
        pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, record->pair, &touch);
        pc_configuration_velocity(&run->scratch.system.now, record->pair, &touch, v);
    }
    return -v[PC_N] / record->v0[PC_N];
}

/* From this share of the greatest speed on: intervals round at 1e-11 of themselves there, and in what is left of the
 * sequence little changes. */
static const double FOLLOWED = 1e-3;

/* Follow bounces of one pair, from when they are gentle. *ratio: of its speeds after and before; NaN: it is no sequence
 * of one pair. */
static pc_status follow(pc_run *run, const pc_impact_record *record, double *ratio, pc_error *err)
{
    pc_accumulation *known = &run->state.accumulation;
    int pair = record->pair;
    double load = NAN, ahead[2];
    *ratio = NAN;
    if (fabs(record->v0[PC_N]) <= FOLLOWED * pc_pair_speed_scale(run->scene, run->state.memory, pair)) {
        pc_status status = load_of(run, pair, run->state.y, &load, err);
        if (status != PC_OK) return status;
        *ratio = ratio_of(run, record);
    }
    double v = -*ratio * record->v0[PC_N];
    if (!pc_accumulation_follow(known, load, v, ratio)) return PC_OK;
    pc_status status = load_ahead(run, pair, 2 * v / load, ahead, err);
    if (status != PC_OK) return status;
    pc_accumulation_look_ahead(known, ahead, run->scene->pairs[pair].length);
    return pc_planar_place(&run->scratch.system, run->state.t, run->state.y) == 0 ? PC_OK : pc_run_stopped(run, err);
}

static pc_status close_accumulated(pc_run *run, const pc_impact_record *record, double exact, pc_error *err)
{
    int pair = record->pair;
    double ratio, rest, v = fabs(record->v0[PC_N]);
    if (!pc_run_is_gentle(run, pair, v)) return PC_OK;
    if (!pc_accumulation_is_due(&run->state.accumulation, v, run->scene->pairs[pair].length, exact, &ratio, &rest))
        return PC_OK;
    double end = pc_accumulation_end(&run->state.accumulation, pair, run->state.t, run->state.t + rest);
    pc_status status =
        pc_run_log(run, (pc_event_record){.t = end, .kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio}, err);
    pc_touching *touching = pc_run_begin_touching(run);
    for (int i = 0; i < run->state.contacts.n && status == PC_OK; i++)
        status = pc_touching_add(touching, run->state.contacts.pair[i], false, false, err);
    for (int i = 0; i < 4 && status == PC_OK; i++) {
        int other = run->state.accumulation.pair[i];
        if (fabs(pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, other)) <=
            1e-10 * run->scene->pairs[other].length)
            status = pc_touching_add(touching, other, false, true, err);
    }
    pc_accumulation_forget(&run->state.accumulation);
    return status == PC_OK ? pc_run_resolve(run, touching, -1, err) : status;
}

pc_status pc_run_accumulate(pc_run *run, const pc_impact_record *record, pc_error *err)
{
    double ratio;
    pc_accumulation_add(&run->state.accumulation, run->state.t, record->pair);
    pc_status status = follow(run, record, &ratio, err);
    return status == PC_OK ? close_accumulated(run, record, ratio, err) : status;
}
