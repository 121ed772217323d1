/* The resolver of a run, and what it tells: impacts, whose impulses act on the state, and events. */
#include "motion/resolver.h"

#include <math.h>
#include <string.h>

/* ---- impacts ---- */

pc_status pc_run_new_impact(pc_run *run, pc_impact_record **record, double **states, pc_error *err)
{
    int n = run->scene->n_dof;
    size_t count = 3 * (size_t)n + 2 * (size_t)run->scene->n_nodes;
    pc_status status = pc_pool_grow(&run->history.impacts, 1, sizeof **record, err);
    if (status == PC_OK) status = pc_pool_grow(&run->history.states, count, sizeof **states, err);
    if (status != PC_OK) return status;
    *record = (pc_impact_record *)run->history.impacts.data + run->history.impacts.used;
    *states = (double *)run->history.states.data + run->history.states.used;
    **record = (pc_impact_record){.t = run->state.t, .rule = PC_RULE_SEQUENTIAL, .states = run->history.states.used};
    memset(*states, 0, count * sizeof **states);
    memcpy(*states, run->state.y, 2 * (size_t)n * sizeof **states);
    return PC_OK;
}

void pc_run_reactions(const pc_run *run, double *out)
{
    for (int i = 0; i < run->scene->n_nodes; i++) {
        out[2 * i] = run->scratch.system.forces[i].rx;
        out[2 * i + 1] = run->scratch.system.forces[i].ry;
    }
}

/* Impulses p act on the state. */
static pc_status finish(pc_run *run, const pc_contact_set *set, const double *p, double *states,
                        pc_impact_record *record, pc_error *err)
{
    int n = run->scene->n_dof;
    double *after = states + 2 * n, *joints = after + n;
    record->energy0 = pc_configuration_energy(&run->scratch.system.now);
    pc_mechanics_jump(&run->scratch.system.mechanics, set, p, run->scratch.block.a);
    for (int i = 0; i < n; i++) after[i] = run->state.y[n + i] += run->scratch.block.a[i];
    pc_run_reactions(run, joints);
    const pc_configuration *now = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!now) return pc_run_stopped(run, err);
    record->energy1 = pc_configuration_energy(now);
    run->state.lost += record->energy0 - record->energy1;
    return PC_OK;
}

static pc_status keep(pc_run *run, const pc_impact_record *record, pc_error *err)
{
    run->history.states.used += 3 * (size_t)run->scene->n_dof + 2 * (size_t)run->scene->n_nodes;
    return pc_run_log(
        run, (pc_event_record){.kind = PC_EVENT_IMPACT, .pair = record->pair, .impact = run->history.impacts.used++},
        err);
}

static pc_status record_single(void *context, const pc_single_impact *single, int order, pc_error *err)
{
    pc_run *run = context;
    const pc_impact *impact = &single->impact;
    pc_impact_record *record;
    double *states;
    pc_status status = pc_run_new_impact(run, &record, &states, err);
    if (status != PC_OK) return status;
    record->pair = single->place;
    record->order = order;
    record->W = single->W;
    for (int i = 0; i < 2; i++) {
        record->v0[i] = single->v0[i];
        record->v1[i] = impact->v1[i];
        record->impulse[i] = impact->impulse[i];
    }
    record->outcome = impact->outcome;
    record->flags = impact->flags | (single->tied ? PC_FLAG_ORDER_DEPENDENT : 0);
    record->n_phases = impact->n_phases;
    status = finish(run, &(pc_contact_set){1, &single->place, &single->touch}, record->impulse, states, record, err);
    return status == PC_OK ? keep(run, record, err) : status;
}

/* One record for each pair that got an impulse; the first carries the change of state. */
static pc_status record_joint(void *context, const pc_joint_impact *joint, pc_rule rule, int *order, pc_error *err)
{
    pc_run *run = context;
    int n = joint->n, side = 2 * n, n_dof = run->scene->n_dof;
    bool told = false;
    for (int i = 0; i < n; i++) {
        if (!(joint->p[2 * i + PC_N] > 0)) continue;
        pc_impact_record *record;
        double *states;
        pc_status status = pc_run_new_impact(run, &record, &states, err);
        if (status != PC_OK) return status;
        const double *own = joint->block->W + 2 * i * side + 2 * i;
        record->pair = joint->place[i];
        record->order = (*order)++;
        record->rule = (int)rule;
        record->flags = pc_joint_impact_gains(joint) ? PC_FLAG_GAINED_ENERGY : 0;
        record->W = (pc_mobility){.tt = own[0], .tn = own[1], .nn = own[side + 1]};
        for (int k = 0; k < 2; k++) {
            record->v0[k] = joint->v0[2 * i + k];
            record->v1[k] = joint->v1[2 * i + k];
            record->impulse[k] = joint->p[2 * i + k];
        }
        if (!told) {
            status = finish(run, &(pc_contact_set){n, joint->place, joint->touch}, joint->p, states, record, err);
            if (status != PC_OK) return status;
            told = true;
        } else { /* the state is that after all of them */
            memcpy(states + 2 * n_dof, run->state.y + n_dof, (size_t)n_dof * sizeof *states);
            record->energy0 = record->energy1 = pc_configuration_energy(&run->scratch.system.now);
        }
        status = keep(run, record, err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

/* ---- events ---- */

static pc_status log_accumulation(void *context, int pair, double ratio, double end, pc_error *err)
{
    return pc_run_log(context, (pc_event_record){.t = end, .kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio},
                      err);
}

static pc_status log_jam(void *context, int pair, pc_error *err)
{
    return pc_run_log(context, (pc_event_record){.kind = PC_EVENT_JAM, .pair = pair}, err);
}

/* Tell how the closed pairs differ from those of before. */
static pc_status tell_changes(pc_run *run, const pc_contacts *before, pc_error *err)
{
    const pc_contacts *now = &run->state.contacts;
    pc_status status = PC_OK;
    for (int i = 0; i < before->n && status == PC_OK; i++) {
        if (pc_contacts_find(now, before->pair[i]) < 0)
            status = pc_run_log(run, (pc_event_record){.kind = PC_EVENT_LIFT, .pair = before->pair[i]}, err);
    }
    for (int j = 0; j < now->n && status == PC_OK; j++) {
        int old = pc_contacts_find(before, now->pair[j]);
        pc_event_record event = {.pair = now->pair[j], .mode = now->mode[j]};
        if (old < 0)
            event.kind = PC_EVENT_BEGIN;
        else if (before->mode[old] == now->mode[j])
            continue;
        else
            event.kind = now->mode[j] == 0        ? PC_EVENT_STICK
                         : before->mode[old] == 0 ? PC_EVENT_SLIP
                                                  : PC_EVENT_REVERSAL;
        status = pc_run_log(run, event, err);
    }
    return status;
}

/* Nothing moves and nothing accelerates, as far as rounding tells. */
static pc_status tell_rest(pc_run *run, pc_error *err)
{
    int n = run->scene->n_dof;
    double fastest_pair = 0, fast = 0, force = 0, *a = run->scratch.a;
    for (int i = 0; i < run->scene->n_pairs; i++)
        fastest_pair = fmax(fastest_pair, pc_pair_resolution(run->scene, run->state.memory, i));
    for (int i = 0; i < run->state.contacts.n; i++)
        if (run->state.contacts.mode[i] != 0 && run->scene->pairs[run->state.contacts.pair[i]].friction > 0)
            return PC_OK;
    if (pc_run_accelerate(run, a) != 0) return pc_run_stopped(run, err);
    for (int i = 0; i < n; i++) {
        fast = fmax(fast, fabs(run->state.y[n + i]));
        force = fmax(force, fabs(a[i]));
    }
    if (fast > 10 * fastest_pair || force > 1e-11 * fabs(run->scene->gravity)) return PC_OK;
    return pc_run_log(run, (pc_event_record){.kind = PC_EVENT_REST, .pair = -1}, err);
}

/* ---- the resolver ---- */

static double speed_by_now(void *context, int pair)
{
    pc_run *run = context;
    pc_pair_record_speed(&run->scratch.system.now, run->state.memory, pair);
    return pc_pair_speed_scale(run->scene, run->state.memory, pair);
}

pc_resolver pc_run_resolver(pc_run *run)
{
    pc_run_state *state = &run->state;
    pc_run_scratch *scratch = &run->scratch;
    return (pc_resolver){.mechanics = &scratch->system.mechanics,
                         .log = {run, record_single, record_joint, log_accumulation, speed_by_now, log_jam},
                         .rule = (pc_rule)run->scene->rule,
                         .rtol = run->rtol,
                         .v_rest = run->scene->v_rest,
                         .t = state->t,
                         .y = state->y,
                         .lost = &state->lost,
                         .contacts = &state->contacts,
                         .compliant = &state->compliant,
                         .memory = state->memory,
                         .accumulation = &state->accumulation,
                         .spare = scratch->spare,
                         .a = scratch->a,
                         .before = &scratch->before,
                         .candidates = &scratch->candidates,
                         .sequence = &scratch->sequence,
                         .block = &scratch->block};
}

pc_touching *pc_run_begin_touching(pc_run *run)
{
    run->scratch.touching.n = run->scratch.gone.n = 0;
    return &run->scratch.touching;
}

pc_status pc_run_find_touching(pc_run *run, pc_touching *touching, pc_error *err)
{
    return pc_touching_find(touching, &run->scratch.gone, &run->scratch.system.mechanics, err);
}

/* What touches holds to the part of the outline where it does, until the next arc knows which pairs are open. */
static void hold(pc_run *run, const pc_touching *touching)
{
    const pc_planar *system = &run->scratch.system;
    for (int i = 0; i < touching->n; i++) {
        pc_touch touch;
        pc_mechanics_touch(&system->mechanics, touching->at[i].pair, &touch);
        system->places.feature[touching->at[i].pair] = (signed char)touch.feature;
    }
}

pc_status pc_run_resolve(pc_run *run, pc_touching *touching, int jam, pc_error *err)
{
    bool settled;
    pc_status status = pc_run_reserve(run, touching->n, err);
    if (status != PC_OK) return status;
    if (!pc_planar_make(&run->scratch.system, run->state.t, run->state.y)) return pc_run_stopped(run, err);
    hold(run, touching);
    pc_resolver resolver = pc_run_resolver(run);
    status = pc_resolve(&resolver, touching, jam, &settled, err);
    if (status != PC_OK) return status;
    run->state.unsettled = !settled;
    if (!settled) return PC_OK;
    status = tell_changes(run, &run->scratch.before, err);
    return status == PC_OK && run->state.contacts.n > 0 ? tell_rest(run, err) : status;
}
