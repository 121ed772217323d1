/* Impacts in a run, of one pair by its law and of several as one: what becomes of the state, and their records. */
#include "motion/accumulation.h"
#include "motion/impacts.h"
#include "motion/ledger.h"
#include "motion/proximity.h"

#include "engine/joint_impact.h"

#include <math.h>
#include <string.h>

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

/* Impulses p act on the state. */
static pc_status finish(pc_run *run, const pc_contact_set *set, const double *p, double *states,
                        pc_impact_record *record, pc_error *err)
{
    const pc_scene *scene = run->scene;
    int n = scene->n_dof;
    double *after = states + 2 * n, *joints = after + n;
    record->energy0 = pc_run_energy(&run->scratch.system);
    pc_mechanics_jump(&run->scratch.system.mechanics, set, p, run->scratch.block.a);
    for (int i = 0; i < n; i++) after[i] = run->state.y[n + i] += run->scratch.block.a[i];
    for (int i = 0; i < scene->n_nodes; i++) {
        joints[2 * i] = run->scratch.system.forces[i].rx;
        joints[2 * i + 1] = run->scratch.system.forces[i].ry;
    }
    if (pc_planar_place(&run->scratch.system, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
    record->energy1 = pc_run_energy(&run->scratch.system);
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

pc_status pc_run_approach(pc_run *run, int pair, const pc_touch *touch, pc_mobility *W, double v[2], pc_error *err)
{
    return pc_contact_approach(&run->scratch.system.mechanics, pair, touch, &run->scratch.block, W, v, err);
}

static pc_striking striking(const pc_run *run, int pair)
{
    const pc_pair *p = &run->scene->pairs[pair];
    return (pc_striking){p->name, p->law, p->params, p->friction,
                         pc_pair_speed_scale(run->scene, run->state.memory, pair)};
}

bool pc_run_joint_rule(const pc_run *run, int pair, double approach, pc_joint_rule *rule)
{
    const pc_striking contact = striking(run, pair);
    return pc_striking_rule(&contact, approach, rule);
}

/* ---- records ---- */

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
            record->energy0 = record->energy1 = pc_run_energy(&run->scratch.system);
        }
        status = keep(run, record, err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

static pc_status record_accumulation(void *context, int pair, double ratio, pc_error *err)
{
    pc_run *run = context;
    pc_event_record event = {.kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio};
    event.t = run->state.t + pc_accumulation_rest(&run->state.accumulation, run->state.t);
    return pc_run_log(run, event, err);
}

static double speed_by_now(void *context, int pair)
{
    pc_run *run = context;
    pc_pair_record_speed(&run->scratch.system.now, run->state.memory, pair);
    return pc_pair_speed_scale(run->scene, run->state.memory, pair);
}

/* ---- impacts of a run ---- */

pc_status pc_run_single_impact(pc_run *run, int pair, int order, bool *nothing, pc_error *err)
{
    const pc_striking contact = striking(run, pair);
    pc_single_impact single = {.place = pair};
    pc_status status =
        pc_single_impact_strike(&single, &contact, true, &run->scratch.system.mechanics, &run->scratch.block, err);
    *nothing = single.impact.outcome == PC_OUTCOME_NONE;
    if (status == PC_OK && !*nothing) status = record_single(run, &single, order, err);
    pc_impact_free(&single.impact);
    return status;
}

pc_status pc_run_impact_sequence(pc_run *run, const pc_touching *touching, int *order, pc_error *err)
{
    const pc_impact_log log = {run, record_single, record_joint, record_accumulation, speed_by_now};
    pc_impact_sequence *sequence = &run->scratch.sequence;
    sequence->mechanics = &run->scratch.system.mechanics;
    sequence->block = &run->scratch.block;
    sequence->log = &log;
    sequence->rule = (pc_rule)run->scene->rule;
    sequence->t = run->state.t;
    sequence->rtol = run->rtol;
    sequence->order = *order;
    sequence->n = touching->n;
    for (int i = 0; i < touching->n; i++) {
        const pc_touching_pair *p = &touching->at[i];
        sequence->place[i] = p->pair;
        sequence->contact[i] = striking(run, p->pair);
        sequence->still[i] = p->still;
        sequence->kept[i] = p->kept;
    }
    pc_status status = pc_impact_sequence_strike(sequence, err);
    *order = sequence->order;
    return status;
}

/* With n places. */
static pc_joint_impact *meet(pc_run *run, int n)
{
    pc_joint_impact *joint = &run->scratch.sequence.joint;
    joint->n = n;
    for (int i = 0; i < n; i++) joint->contact[i] = striking(run, joint->place[i]);
    pc_joint_impact_meet(joint, &run->scratch.system.mechanics, &run->scratch.block);
    return joint;
}

static pc_joint_impact *meet_touching(pc_run *run, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++) run->scratch.sequence.joint.place[i] = touching->at[i].pair;
    return meet(run, touching->n);
}

pc_status pc_run_joint_jump(pc_run *run, const pc_touching *touching, double *u, pc_error *err)
{
    pc_joint_impact *joint = meet_touching(run, touching);
    double *du = run->scratch.block.a;
    int n = joint->n;
    bool any = false;
    if (!pc_joint_impact_by_rules(joint)) return pc_joint_impact_unsolved(n, run->state.t, err);
    for (int i = 0; i < n; i++) any |= joint->p[2 * i + PC_N] > 0;
    if (!any) return PC_OK;
    pc_mechanics_jump(&run->scratch.system.mechanics, &(pc_contact_set){n, joint->place, joint->touch}, joint->p, du);
    for (int i = 0; i < run->scene->n_dof; i++) u[i] += du[i];
    return PC_OK;
}

static void keep_loaded(pc_contacts *c, const double *p)
{
    int kept = 0;
    for (int i = 0; i < c->n; i++) {
        if (!(p[2 * i + PC_N] > 0)) continue;
        c->pair[kept] = c->pair[i];
        c->mode[kept++] = c->mode[i];
    }
    c->n = kept;
}

pc_status pc_run_jam_impact(pc_run *run, pc_contacts *c, int *order, double *slow, bool *nothing, pc_error *err)
{
    int n = c->n;
    *nothing = true;
    if (pc_compliant_accelerations(&run->state.compliant, &run->scratch.system.mechanics, &run->scratch.block, NULL,
                                   run->scratch.a) != 0)
        return pc_run_stopped(run, err);
    memcpy(run->scratch.sequence.joint.place, c->pair, (size_t)n * sizeof *c->pair);
    pc_joint_impact *joint = meet(run, n);
    for (int i = 0; i < n; i++)
        pc_configuration_acceleration(&run->scratch.system.now, c->pair[i], &joint->touch[i], run->scratch.a,
                                      joint->load + 2 * i);
    if (!pc_joint_impact_jam(joint, c->mode, joint->load, slow, nothing))
        return pc_joint_impact_unsolved(n, run->state.t, err);
    if (*nothing) {
        keep_loaded(c, joint->p);
        return PC_OK;
    }
    pc_event_record event = {.kind = PC_EVENT_JAM, .pair = c->pair[0]};
    for (int i = 0; i < n; i++)
        if (c->mode[i] != 0) event.pair = c->pair[i];
    pc_status status = pc_run_log(run, event, err);
    if (status != PC_OK) return status;
    if (!pc_joint_impact_after_jam(joint, err))
        return err->code != PC_OK ? err->code : pc_joint_impact_unsolved(n, run->state.t, err);
    return record_joint(run, joint, PC_RULE_SIMULTANEOUS, order, err);
}

pc_status pc_run_impulse_step(pc_run *run, const pc_touching *touching, double h, pc_error *err)
{
    pc_planar *planar = &run->scratch.system;
    int n = run->scene->n_dof;
    pc_status status = pc_run_reserve(run, touching->n, err);
    if (status != PC_OK) return status;
    double *u = run->state.y + n, *a = run->scratch.a;
    if (pc_compliant_accelerations(&run->state.compliant, &planar->mechanics, &run->scratch.block, NULL, a) != 0)
        return pc_run_stopped(run, err);
    for (int i = 0; i < n; i++) u[i] += h * a[i];
    if (pc_planar_place(planar, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
    pc_joint_impact *joint = meet_touching(run, touching);
    if (!pc_joint_impact_compress(joint)) return pc_joint_impact_unsolved(touching->n, run->state.t, err);
    pc_mechanics_jump(&planar->mechanics, &(pc_contact_set){joint->n, joint->place, joint->touch}, joint->p, a);
    for (int i = 0; i < n; i++) u[i] += a[i];
    return PC_OK;
}
