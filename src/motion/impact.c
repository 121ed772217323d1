/* Impacts in a run: one pair by its law. */
#include "motion/impacts.h"
#include "motion/ledger.h"

#include <math.h>
#include <string.h>

pc_status pc_run_new_impact(pc_run *run, pc_impact_record **hit, double **states, pc_error *err)
{
    int n = run->scene->n_dof;
    size_t count = 3 * (size_t)n + 2 * (size_t)run->scene->n_nodes;
    pc_status status = pc_pool_grow(&run->history.hits, 1, sizeof **hit, err);
    if (status == PC_OK) status = pc_pool_grow(&run->history.states, count, sizeof **states, err);
    if (status != PC_OK) return status;
    *hit = (pc_impact_record *)run->history.hits.data + run->history.hits.used;
    *states = (double *)run->history.states.data + run->history.states.used;
    **hit = (pc_impact_record){.t = run->state.t, .rule = PC_RULE_SEQUENTIAL, .states = run->history.states.used};
    memset(*states, 0, count * sizeof **states);
    memcpy(*states, run->state.y, 2 * (size_t)n * sizeof **states);
    return PC_OK;
}

pc_status pc_run_finish_impact(pc_run *run, double *states, pc_impact_record *hit, pc_error *err)
{
    const pc_scene *scene = run->scene;
    int n = scene->n_dof;
    double *after = states + 2 * n, *joints = after + n;
    hit->energy0 = pc_run_energy(&run->scratch.system);
    pc_system_jumps(&run->scratch.system, run->scratch.block.a);
    for (int i = 0; i < n; i++) after[i] = run->state.y[n + i] += run->scratch.block.a[i];
    for (int i = 0; i < scene->n_nodes; i++) {
        joints[2 * i] = run->scratch.system.forces[i].rx;
        joints[2 * i + 1] = run->scratch.system.forces[i].ry;
    }
    if (pc_system_place(&run->scratch.system, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
    hit->energy1 = pc_run_energy(&run->scratch.system);
    run->state.lost += hit->energy0 - hit->energy1;
    return PC_OK;
}

pc_status pc_run_keep_impact(pc_run *run, const pc_impact_record *hit, pc_error *err)
{
    run->history.states.used += 3 * (size_t)run->scene->n_dof + 2 * (size_t)run->scene->n_nodes;
    return pc_run_log(
        run, (pc_event_record){.kind = PC_EVENT_IMPACT, .pair = hit->pair, .impact = run->history.hits.used++}, err);
}

static void describe(pc_impact_record *hit, const pc_impact *impact)
{
    for (int i = 0; i < 2; i++) {
        hit->v1[i] = impact->v1[i];
        hit->impulse[i] = impact->impulse[i];
    }
    hit->outcome = impact->outcome;
    hit->flags = impact->flags;
    hit->n_phases = impact->n_phases;
}

pc_status pc_run_approach(pc_run *run, int pair, const pc_touch *touch, pc_mobility *W, double v[2], pc_error *err)
{
    pc_block_build(&run->scratch.block, &run->scratch.system, &pair, touch, 1);
    const double *block = run->scratch.block.W;
    *W = (pc_mobility){.tt = block[0], .tn = 0.5 * (block[1] + block[2]), .nn = block[3]};
    pc_configuration_velocity(&run->scratch.system.now, pair, touch, v);
    return pc_mobility_rank(W, &W->rank, err);
}

pc_status pc_run_single_impact(pc_run *run, int pair, int order, bool from_rest, bool tied, bool *nothing,
                               pc_error *err)
{
    const pc_pair *p = &run->scene->pairs[pair];
    pc_impact_record *hit;
    double *states;
    pc_status status = pc_run_new_impact(run, &hit, &states, err);
    if (status != PC_OK) return status;
    hit->pair = pair;
    hit->order = order;

    pc_touch touch;
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    status = pc_run_approach(run, pair, &touch, &hit->W, hit->v0, err);
    if (status != PC_OK) return status;
    if (from_rest) hit->v0[PC_N] = 0;

    pc_impact impact;
    pc_impact_init(&impact);
    status = p->law->impact(p->params, &hit->W, (double[3]){hit->v0[PC_T], hit->v0[PC_N], 0}, &impact, err);
    if (status == PC_OK) describe(hit, &impact);
    if (tied) hit->flags |= PC_FLAG_ORDER_DEPENDENT;
    *nothing = impact.outcome == PC_OUTCOME_NONE;
    pc_impact_free(&impact);
    if (status != PC_OK || *nothing) return status;

    pc_system_unload(&run->scratch.system);
    pc_system_push(&run->scratch.system, pair, &touch, hit->impulse);
    status = pc_run_finish_impact(run, states, hit, err);
    if (status != PC_OK) return status;
    return pc_run_keep_impact(run, hit, err);
}
