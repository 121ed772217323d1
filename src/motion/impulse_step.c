/* Past an instant that does not settle, by steps of engine/impulse_step.c: see loop.h. */
#include "motion/loop.h"
#include "motion/resolver.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <float.h>
#include <math.h>

/* A step changes velocities by about this share of the greatest; the next one, if it follows soon, by twice as much. */
static const double SHORTEST = 1e-9, LONGEST = 1e-6;

/* "Soon": within so many times the last step. */
static const double SOON = 100;

/* The state goes from `ends` (of each component, before and after) to the latter in proportion to time, while no pair
 * is closed. What that takes of the energy before was lost. */
static pc_status record(pc_loop *l, const double *ends, double h, double energy)
{
    pc_run *run = l->run;
    const pc_dense dense = {run->state.t, h, 2 * run->scene->n_dof, 1, (double *)ends};
    int closed = run->state.contacts.n;
    double work = run->state.work[0] + run->state.work[1] + run->state.work[2];
    run->state.contacts.n = 0;
    pc_status status = pc_run_record_modes(run, l->err);
    if (status == PC_OK) status = pc_run_record_arc(run, &dense, run->state.t + h, l->options->record, l->err);
    run->state.contacts.n = closed;
    if (status != PC_OK) return status;
    run->state.t += h;
    const pc_configuration *after = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!after) return pc_run_stopped(run, l->err);
    run->state.lost +=
        energy + (run->state.work[0] + run->state.work[1] + run->state.work[2] - work) - pc_configuration_energy(after);
    return PC_OK;
}

static pc_status step(pc_loop *l, const pc_touching *touching, double h)
{
    pc_run *run = l->run;
    int n = run->scene->n_dof;
    pc_status status = pc_run_reserve(run, touching->n, l->err); /* first, for it may move the state and scratch */
    if (status != PC_OK) return status;
    const pc_configuration *before = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!before) return pc_run_stopped(run, l->err);
    double energy = pc_configuration_energy(before), *ends = pc_calloc(4 * (size_t)n, sizeof *ends);
    if (!ends) return pc_fail(l->err, PC_E_MEMORY, "not enough memory for a step of %d coordinates", n);
    for (int i = 0; i < 2 * n; i++) ends[2 * i] = run->state.y[i];
    pc_resolver resolver = pc_run_resolver(run);
    status = pc_impulse_step(&resolver, touching, h, l->err);
    for (int i = 0; i < n; i++) run->state.y[i] += h * run->state.y[n + i];
    for (int i = 0; i < 2 * n; i++) ends[2 * i + 1] = run->state.y[i];
    for (int i = 0; i < 2 * n && status != PC_OK; i++) run->state.y[i] = ends[2 * i];
    if (status == PC_OK) status = record(l, ends, h, energy);
    pc_free(ends);
    return status;
}

/* One step, and what becomes of the contacts after it. */
static pc_status attempt(pc_loop *l)
{
    pc_run *run = l->run;
    pc_touching *touching = pc_run_begin_touching(run);
    double h;
    if (!pc_planar_make(&run->scratch.system, run->state.t, run->state.y)) return pc_run_stopped(run, l->err);
    pc_status status = pc_run_find_touching(run, touching, l->err);
    bool soon = l->pass.h > 0 && run->state.t - l->pass.t <= SOON * l->pass.h;
    l->pass.share = soon ? fmin(2 * l->pass.share, LONGEST) : SHORTEST;
    pc_resolver resolver = pc_run_resolver(run);
    if (status == PC_OK) status = pc_impulse_step_length(&resolver, touching, l->pass.share, &h, l->err);
    if (status != PC_OK) return status;
    h = fmax(h, pc_one_instant(run->state.t, 0));
    if (run->state.t < l->t_end) h = fmin(h, l->t_end - run->state.t);
    l->pass.h = h;
    l->pass.t = run->state.t + h;
    status = step(l, touching, h);
    touching->n = 0;
    if (status == PC_OK) status = pc_run_find_touching(run, touching, l->err);
    return status == PC_OK ? pc_run_resolve(run, touching, -1, l->err) : status;
}

pc_status pc_loop_impulse_step(pc_loop *l)
{
    enum { ATTEMPTS = 16 };
    pc_run *run = l->run;
    run->state.unsettled = true;
    for (int i = 0; i < ATTEMPTS && run->state.compliant.n == 0 && run->state.unsettled; i++) {
        pc_status status = attempt(l);
        if (status != PC_OK) return status;
    }
    if (!run->state.unsettled) return PC_OK;
    return pc_fail_at(l->err, PC_E_NUMERIC, run->state.t, "force",
                      "no contact forces are consistent with the motion at t = %.17g", run->state.t);
}
