/* Sequences of bounces in a run, and their ends: see engine/accumulation.h. */
#include "motion/accumulation.h"

#include <math.h>
#include <string.h>

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
    if (!pc_bounce_is_gentle(v, pc_pair_speed_scale(run->scene, run->state.memory, pair))) return PC_OK;
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
