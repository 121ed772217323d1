/* Impacts in a run: one pair by its law, or several at once. */
#include "sim/run_parts.h"

#include "math/lcp.h"

#include <math.h>
#include <string.h>

double pc_run_energy(pc_system *system)
{
    return pc_system_kinetic(system) + pc_system_potential(system);
}

pc_status pc_run_new_hit(pc_run *run, pc_hit **hit, double **states, pc_error *err)
{
    int n = run->scene->n_dof;
    size_t count = 3 * (size_t)n + 2 * (size_t)run->scene->n_nodes;
    pc_status status = pc_pool_grow(&run->hits, 1, sizeof **hit, err);
    if (status == PC_OK) status = pc_pool_grow(&run->states, count, sizeof **states, err);
    if (status != PC_OK) return status;
    *hit = (pc_hit *)run->hits.data + run->hits.used;
    *states = (double *)run->states.data + run->states.used;
    **hit = (pc_hit){.t = run->t, .states = run->states.used};
    memset(*states, 0, count * sizeof **states);
    memcpy(*states, run->y, 2 * (size_t)n * sizeof **states);
    return PC_OK;
}

/* Let the impulses that were pushed act, and complete the record of `hits` impacts of this instant. */
static pc_status finish(pc_run *run, double *states, pc_hit *hit, pc_error *err)
{
    const pc_scene *scene = run->scene;
    int n = scene->n_dof;
    double *after = states + 2 * n, *joints = after + n;
    hit->energy0 = pc_run_energy(&run->system);
    pc_system_jumps(&run->system, run->block.a);
    for (int i = 0; i < n; i++) after[i] = run->y[n + i] += run->block.a[i];
    for (int i = 0; i < scene->n_nodes; i++) {
        joints[2 * i] = run->system.nodes[i].rx;
        joints[2 * i + 1] = run->system.nodes[i].ry;
    }
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, err);
    hit->energy1 = pc_run_energy(&run->system);
    return PC_OK;
}

static pc_status keep(pc_run *run, const pc_hit *hit, pc_error *err)
{
    run->states.used += 3 * (size_t)run->scene->n_dof + 2 * (size_t)run->scene->n_nodes;
    return pc_run_tell(run, (pc_event_record){.kind = PC_HAPPENS_IMPACT, .pair = hit->pair, .impact = run->hits.used++},
                       err);
}

static void describe(pc_hit *hit, const pc_impact *impact)
{
    for (int i = 0; i < 2; i++) {
        hit->v1[i] = impact->v1[i];
        hit->impulse[i] = impact->impulse[i];
    }
    hit->outcome = impact->outcome;
    hit->flags = impact->flags;
    hit->n_phases = impact->n_phases;
}

pc_status pc_run_meet(pc_run *run, int pair, const pc_touch *touch, pc_mobility *W, double v[2], pc_error *err)
{
    pc_block_build(&run->block, &run->system, &pair, touch, 1);
    const double *block = run->block.W;
    *W = (pc_mobility){.tt = block[0], .tn = 0.5 * (block[1] + block[2]), .nn = block[3]};
    pc_system_velocity(&run->system, pair, touch, v);
    return pc_mobility_rank(W, &W->rank, err);
}

pc_status pc_run_strike(pc_run *run, int pair, int order, bool from_rest, bool *nothing, pc_error *err)
{
    const pc_pair *p = &run->scene->pairs[pair];
    pc_hit *hit;
    double *states;
    pc_status status = pc_run_new_hit(run, &hit, &states, err);
    if (status != PC_OK) return status;
    hit->pair = pair;
    hit->order = order;

    pc_touch touch;
    pc_system_touch(&run->system, pair, &touch);
    status = pc_run_meet(run, pair, &touch, &hit->W, hit->v0, err);
    if (status != PC_OK) return status;
    if (from_rest) hit->v0[PC_N] = 0;

    pc_impact impact;
    pc_impact_init(&impact);
    status = p->law->impact(p->params, &hit->W, (double[3]){hit->v0[PC_T], hit->v0[PC_N], 0}, &impact, err);
    if (status == PC_OK) describe(hit, &impact);
    *nothing = impact.outcome == PC_OUTCOME_NONE;
    pc_impact_free(&impact);
    if (status != PC_OK || *nothing) return status;

    pc_system_unload(&run->system);
    pc_system_push(&run->system, pair, &touch, hit->impulse);
    status = finish(run, states, hit, err);
    if (status != PC_OK) return status;
    run->lost += hit->energy0 - hit->energy1;
    return keep(run, hit, err);
}

/* Restitution of a law, by its name among the parameters; 1 where a law has none. */
static double restitution_of(const pc_pair *pair)
{
    int row = pc_schema_find(pair->law->schema, "restitution");
    return row < 0 ? 1 : pc_row_number(&pair->law->schema->rows[row], pair->params);
}

/* One complementarity problem of rates v + W p with Coulomb friction on p, where `given` normal impulses act as well;
 * impulses into p (t, n of each pair), which include them. */
static bool solve_together(pc_run *run, const pc_touching *touching, const double *v, const double *given, double *p)
{
    pc_block *block = &run->block;
    int n = touching->n, size = 3 * n, side = 2 * n;
    double *M = block->M, *q = block->q, *z = block->z, mu[PC_CLOSED];
    memset(M, 0, (size_t)(size * size) * sizeof *M);
    memset(q, 0, (size_t)size * sizeof *q);
    for (int i = 0; i < n; i++) mu[i] = run->scene->pairs[touching->pair[i]].friction;
    for (int i = 0; i < side; i++) {
        int row = i % 2 == PC_N ? i / 2 : n + i / 2;
        q[row] = v[i];
        for (int j = 0; j < n; j++) {
            double normal = block->W[i * side + 2 * j + PC_N] - mu[j] * block->W[i * side + 2 * j + PC_T];
            M[row * size + j] = normal;
            M[row * size + n + j] = block->W[i * side + 2 * j + PC_T];
            q[row] += normal * given[j];
        }
        if (i % 2 == PC_T) M[row * size + 2 * n + i / 2] = 1;
    }
    for (int j = 0; j < n; j++) {
        M[(2 * n + j) * size + j] = 2 * mu[j];
        M[(2 * n + j) * size + n + j] = -1;
        q[2 * n + j] = 2 * mu[j] * given[j];
    }
    if (!pc_lcp_solve(size, M, q, z, block->lcp, block->index)) return false;
    for (int i = 0; i < n; i++) {
        p[2 * i + PC_N] = z[i] + given[i];
        p[2 * i + PC_T] = z[n + i] - mu[i] * p[2 * i + PC_N];
    }
    return true;
}

/* Poisson's law for several contacts (Pfeiffer and Glocker 1996, chapter 8): compression brings no pair closer, then
 * each gives back its share of impulse, more where it would be passed through. */
pc_status pc_run_strike_together(pc_run *run, const pc_touching *touching, pc_error *err)
{
    int n = touching->n, side = 2 * n;
    pc_touch touch[PC_CLOSED];
    double v0[2 * PC_CLOSED], v[2 * PC_CLOSED], p[2 * PC_CLOSED], back[2 * PC_CLOSED], given[PC_CLOSED] = {0};
    for (int i = 0; i < n; i++) {
        pc_system_touch(&run->system, touching->pair[i], &touch[i]);
        pc_system_velocity(&run->system, touching->pair[i], &touch[i], v0 + 2 * i);
    }
    pc_block_build(&run->block, &run->system, touching->pair, touch, n);
    bool solved = solve_together(run, touching, v0, given, p);
    for (int i = 0; i < side; i++) {
        v[i] = v0[i];
        for (int j = 0; j < side; j++) v[i] += run->block.W[i * side + j] * p[j];
    }
    for (int i = 0; i < n; i++) given[i] = restitution_of(&run->scene->pairs[touching->pair[i]]) * p[2 * i + PC_N];
    solved = solved && solve_together(run, touching, v, given, back);
    if (!solved)
        return pc_fail_at(err, PC_E_NUMERIC, run->t, "impulse",
                          "no impulses solve the simultaneous impact of %d contacts at t = %.17g", n, run->t);

    /* one record for each pair that got an impulse; the first carries the change of state */
    double energy0 = pc_run_energy(&run->system);
    pc_mobility W[PC_CLOSED];
    double v1[2 * PC_CLOSED];
    for (int i = 0; i < side; i++) {
        v1[i] = v[i];
        for (int j = 0; j < side; j++) v1[i] += run->block.W[i * side + j] * back[j];
    }
    for (int i = 0; i < n; i++) {
        const double *block = run->block.W + 2 * i * side + 2 * i;
        W[i] = (pc_mobility){.tt = block[0], .tn = block[1], .nn = block[side + 1]};
    }
    pc_system_unload(&run->system);
    for (int i = 0; i < n; i++) {
        p[2 * i] += back[2 * i];
        p[2 * i + 1] += back[2 * i + 1];
        pc_system_push(&run->system, touching->pair[i], &touch[i], p + 2 * i);
    }
    int order = 0;
    for (int i = 0; i < n; i++) {
        if (!(p[2 * i + PC_N] > 0)) continue;
        pc_hit *hit;
        double *states;
        pc_status status = pc_run_new_hit(run, &hit, &states, err);
        if (status != PC_OK) return status;
        hit->pair = touching->pair[i];
        hit->order = order;
        hit->together = true;
        hit->W = W[i];
        for (int k = 0; k < 2; k++) {
            hit->v0[k] = v0[2 * i + k];
            hit->v1[k] = v1[2 * i + k];
            hit->impulse[k] = p[2 * i + k];
        }
        if (order++ == 0) {
            status = finish(run, states, hit, err);
            if (status != PC_OK) return status;
            run->lost += energy0 - hit->energy1;
        } else { /* the state is that after all of them */
            int m = run->scene->n_dof;
            memcpy(states + 2 * m, run->y + m, (size_t)m * sizeof *states);
            hit->energy0 = hit->energy1 = pc_run_energy(&run->system);
        }
        status = keep(run, hit, err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}
