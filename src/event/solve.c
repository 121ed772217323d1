/* The run loop with events: see event.h. */
#include "event/event.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* Restarts in a row without progress in time that count as a stall. A legitimate cascade at one instant (a row of
 * touching balls) is shorter; an accumulation never ends. */
enum { STALL = 64 };

/* Steps between two reports of progress: a few milliseconds of the fastest motions. */
enum { REPORT = 4096 };

const char *pc_stop_word(pc_stop stop)
{
    static const char *const words[] = {"end", "event", "stalled", "error"};
    return words[stop];
}

/* Keep an event with the state before it; the state after it is filled in by the caller. */
static pc_status record_event(pc_solution *s, const pc_occurrence *o, const double *y, double **after, pc_error *err)
{
    size_t n = (size_t)s->n;
    if (!PC_GROW(s->events, s->event_room, s->n_events + 1) ||
        !PC_GROW(s->event_states, s->state_room, 2 * n * (s->n_events + 1)))
        return pc_fail_at(err, PC_E_MEMORY, s->t, "memory", "not enough memory to record the motion at t = %.17g",
                          s->t);
    s->events[s->n_events] = *o;
    double *before = s->event_states + 2 * n * s->n_events;
    memcpy(before, y, n * sizeof *y);
    memcpy(before + n, y, n * sizeof *y);
    *after = before + n;
    s->n_events++;
    return PC_OK;
}

typedef struct run {
    const pc_solve_task *task;
    pc_solution *solution;
    pc_ode_problem problem; /* that of the task, asked on one side of its breaks */
    pc_span span;
    pc_stepper stepper;
    pc_locator locator;
    pc_restarts restarts;
    pc_error *err;
} run;

static int rhs_of_side(double t, const double *y, double *dydt, void *context)
{
    const run *r = context;
    const pc_ode_problem *problem = r->task->problem;
    return problem->rhs(pc_span_clip(&r->span, t), y, dydt, problem->context);
}

static int jacobian_of_side(double t, const double *y, double *dfdy, void *context)
{
    const run *r = context;
    const pc_ode_problem *problem = r->task->problem;
    return problem->jacobian(pc_span_clip(&r->span, t), y, dfdy, problem->context);
}

/* Let the method begin at the solution's time and state. After a break it knows nothing of what comes. */
static pc_status start(run *r)
{
    const pc_solve_task *task = r->task;
    const pc_solution *s = r->solution;
    r->span = pc_breaks_span(&task->breaks, s->t, task->t1 >= task->t0);
    return pc_stepper_start(&r->stepper, s->t, s->y, r->err);
}

/* Let the events [first, last) of a step act at one instant on y. */
static pc_status act(run *r, int first, int last, double *y, bool *restart, bool *stop)
{
    pc_solution *s = r->solution;
    for (int i = first; i < last; i++) {
        const pc_occurrence *o = &r->locator.found[i];
        const pc_event *event = &r->task->events[o->event];
        if (s->n_events >= (size_t)r->task->max_events)
            return pc_fail_at(r->err, PC_E_LIMIT, o->t, "max_events",
                              "%d events happened, which is max_events; stopped at t = %.17g, where the next was %s",
                              r->task->max_events, o->t, event->name);
        double *after = NULL;
        pc_status status = record_event(s, o, y, &after, r->err);
        if (status != PC_OK) return status;
        int verdict = PC_ACTION_CONTINUE;
        if (event->action) {
            pc_error_clear(r->err);
            verdict = event->action(o->t, y, event->context);
            if (verdict < 0)
                return pc_fail_stopped(r->err, o->t, event->name, "the action of event %s failed at t = %.17g",
                                       event->name, o->t);
            memcpy(after, y, (size_t)s->n * sizeof *y);
        }
        *restart = *restart || verdict == PC_ACTION_RESTART;
        if (event->terminal || verdict == PC_ACTION_STOP) {
            *stop = true;
            s->stop_event = o->event;
        }
    }
    return PC_OK;
}

/* The events of the step just made. *cut: the motion ends or starts afresh at s->t with s->y. */
static pc_status events_of_step(run *r, const pc_dense *dense, bool *cut, bool *stop)
{
    pc_solution *s = r->solution;
    pc_locator *l = &r->locator;
    l->last = r->stepper.t == r->task->t1;
    pc_status status = pc_locator_scan(l, dense, r->err);
    for (int i = 0, last; i < l->n_found && status == PC_OK && !*cut; i = last) {
        last = pc_locator_instant(l, dense, i);
        bool restart = false;
        double t = l->found[i].t;
        pc_dense_eval(dense, l->found[i].x, s->y);
        status = act(r, i, last, s->y, &restart, stop);
        if (status != PC_OK || *stop || restart) {
            s->t = t;
            *cut = true;
        }
        if (restart && !*stop && status == PC_OK) {
            pc_restarts_add(&r->restarts, t, &r->stepper);
            pc_locator_restart(l);
            for (int k = i; k < last; k++) pc_locator_add_cause(l, &l->found[k]);
            if (r->restarts.stalls >= STALL) {
                s->stop = PC_STOP_STALLED;
                s->stop_event = s->events[s->n_events - 1].event;
                *stop = true;
            } else {
                status = start(r);
            }
        }
    }
    return status;
}

static pc_status report(run *r)
{
    const pc_solve_task *task = r->task;
    const pc_ode_statistics *counts = &r->stepper.statistics;
    if (!task->progress || counts->steps == 0 || counts->steps % REPORT != 0) return PC_OK;
    pc_error_clear(r->err);
    if (task->progress(r->solution->t, r->solution->n_events, task->progress_context) == 0) return PC_OK;
    return pc_fail_stopped(r->err, r->solution->t, "progress", "progress asked to stop at t = %.17g", r->solution->t);
}

static pc_status loop(run *r)
{
    const pc_solve_task *task = r->task;
    pc_solution *s = r->solution;
    pc_status status = start(r);
    bool stop = false;
    while (status == PC_OK && !stop && s->t != task->t1) {
        if (pc_interrupted()) return pc_fail_at(r->err, PC_E_INTERRUPTED, s->t, "", "interrupted at t = %.17g", s->t);
        double t_end = pc_breaks_next(&task->breaks, s->t, task->t1);
        status = pc_stepper_step(&r->stepper, t_end, r->err);
        if (status != PC_OK) return status;

        const pc_dense *dense = NULL;
        bool cut = false;
        if (task->record || task->arc || task->n_events > 0) status = pc_stepper_dense(&r->stepper, &dense, r->err);
        if (status == PC_OK && task->n_events > 0) status = events_of_step(r, dense, &cut, &stop);
        if (status != PC_OK && !cut) return status; /* the step is not part of the result */
        if (!cut) {
            s->t = r->stepper.t;
            memcpy(s->y, r->stepper.y, (size_t)s->n * sizeof *s->y);
        }
        if (dense && s->t != dense->t) {
            pc_status kept = task->record ? pc_trajectory_append(&s->trajectory, dense, s->t, r->err) : PC_OK;
            if (kept == PC_OK && task->arc) kept = task->arc(dense, s->t, task->arc_context, r->err);
            if (status == PC_OK) status = kept;
        }
        if (status == PC_OK && !cut && s->t == t_end && t_end != task->t1) {
            r->stepper.h_next = 0;
            status = start(r);
        }
        if (status == PC_OK) status = report(r);
    }
    if (status == PC_OK && stop && s->stop != PC_STOP_STALLED) s->stop = PC_STOP_EVENT;
    return status;
}

pc_status pc_solve(const pc_solve_task *task, pc_solution *solution, pc_error *err)
{
    pc_error own = {0};
    int n = task->problem->n;
    *solution = (pc_solution){.n = n, .t0 = task->t0, .t = task->t0, .stop = PC_STOP_END, .stop_event = -1};
    if (!isfinite(task->t0) || !isfinite(task->t1))
        return pc_fail(err, PC_E_ARGUMENT, "the times must be finite, not from %g to %g", task->t0, task->t1);
    run r = {.task = task, .solution = solution, .restarts.last = task->t0, .err = err ? err : &own};
    solution->y = pc_calloc((size_t)(n > 0 ? n : 1), sizeof(double));
    if (!solution->y) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d equations", n);
    r.problem = *task->problem;
    if (task->breaks.n > 0) {
        r.problem.rhs = rhs_of_side;
        if (r.problem.jacobian) r.problem.jacobian = jacobian_of_side;
        r.problem.context = &r;
    }
    pc_status status = pc_stepper_open(&r.stepper, task->method, &r.problem, task->settings, r.err);
    if (status == PC_OK) {
        memcpy(solution->y, task->y0, (size_t)n * sizeof(double));
        if (task->n_events > 0) status = pc_locator_open(&r.locator, task->events, task->n_events, n, r.err);
        if (status == PC_OK) status = loop(&r);
        solution->statistics = r.stepper.statistics;
        solution->g_calls = r.locator.g_calls;
        solution->fit_error = r.locator.fit_error;
        pc_locator_close(&r.locator);
        pc_stepper_close(&r.stepper);
    }
    if (status != PC_OK) solution->stop = PC_STOP_ERROR;
    return status;
}

void pc_solution_free(pc_solution *s)
{
    pc_free(s->y);
    pc_free(s->events);
    pc_free(s->event_states);
    pc_trajectory_free(&s->trajectory);
    *s = (pc_solution){0};
}

bool pc_solution_at(const pc_solution *s, double t, int side, double *y)
{
    double direction = s->t < s->t0 ? -1 : 1;
    if (s->trajectory.arcs.used == 0 || direction * (t - s->t0) < 0 || !(direction * (s->t - t) >= 0)) return false;
    if (t == s->t && side >= 0)
        memcpy(y, s->y, (size_t)s->n * sizeof *y);
    else
        pc_trajectory_at(&s->trajectory, t, side, s->n, y);
    return true;
}
