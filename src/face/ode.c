/* Solvers, events and differential equations: see percuss.h. */
#include "face/face.h"

#include "base/alloc.h"
#include "event/event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- solvers ---- */

percuss_solver *percuss_solver_new(const char *kind, const percuss_option *options, percuss_error *error)
{
    int index;
    const pc_schema *schema = pc_face_kind("solver", kind, &index, error);
    if (!schema) return NULL;
    percuss_solver *self = pc_handle_new(PC_HANDLE_SOLVER, sizeof *self, NULL, error);
    if (!self) return NULL;
    self->method = pc_ode_methods[index];
    return pc_handle_made(self, pc_face_read(schema, options, &self->settings, NULL, error));
}

void pc_face_solver(const percuss_solver *solver, const pc_ode_method **method, pc_ode_settings *settings)
{
    *method = solver ? solver->method : &pc_ode_dop853;
    if (solver)
        *settings = solver->settings;
    else
        pc_schema_defaults((*method)->schema, settings);
}

/* ---- events and breaks ---- */

enum { MOST = 1000000 }; /* events or breaks; more are a mistake */

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static percuss_code open_events(pc_face_watch *w, const char *function, const percuss_event *events, int n,
                                bool actions, percuss_error *error)
{
    for (int i = 0; i < n; i++) {
        const percuss_event *e = &events[i];
        if (!e->g) return pc_face_null(error, function, "g of an event");
        if (e->direction < -1 || e->direction > 1)
            return pc_face_fail(error, PERCUSS_E_ARGUMENT, "direction", "",
                                "%s: direction = %d of event %d is not allowed; it must be -1, 0 or 1", function,
                                e->direction, i + 1);
        if (e->action && !actions)
            return pc_face_fail(error, PERCUSS_E_UNSUPPORTED, "action", "",
                                "%s: events of a scene have no actions; event %d has one", function, i + 1);
        if (e->name)
            snprintf(w->names[i], sizeof w->names[i], "%.47s", e->name);
        else
            snprintf(w->names[i], sizeof w->names[i], "event %d", i + 1);
        w->events[i] = (pc_event){.name = w->names[i],
                                  .direction = e->direction,
                                  .terminal = e->terminal,
                                  .leaving = PC_LEAVING_EITHER,
                                  .rough = true,
                                  .g = e->g,
                                  .action = e->action,
                                  .context = e->context};
    }
    w->n_events = n;
    return PERCUSS_OK;
}

void pc_face_copy_times(const double *times, size_t n, double *out)
{
    if (n == 0) return;
    memcpy(out, times, n * sizeof *out);
    qsort(out, n, sizeof *out, by_time);
}

percuss_code pc_face_watch_open(pc_face_watch *watch, const char *function, const percuss_event *events, int n_events,
                                bool actions, const double *breaks, int n_breaks, percuss_error *error)
{
    if (n_events < 0 || n_events > MOST || n_breaks < 0 || n_breaks > MOST)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, n_events < 0 || n_events > MOST ? "n_events" : "n_breaks", "",
                            "%s: %d events and %d breaks are not allowed; there may be from 0 to %d", function,
                            n_events, n_breaks, MOST);
    if ((n_events > 0 && !events) || (n_breaks > 0 && !breaks))
        return pc_face_null(error, function, n_events > 0 && !events ? "events" : "breaks");
    watch->events = pc_calloc((size_t)n_events, sizeof *watch->events);
    watch->names = pc_calloc((size_t)n_events, sizeof *watch->names);
    watch->t = pc_calloc((size_t)n_breaks, sizeof *watch->t);
    if (!watch->events || !watch->names || !watch->t)
        return pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "%s: not enough memory for its events", function);
    percuss_code code = open_events(watch, function, events, n_events, actions, error);
    if (code != PERCUSS_OK || n_breaks == 0) return code;
    if (!pc_face_finite(breaks, (size_t)n_breaks, function, "breaks", "s", error)) return PERCUSS_E_ARGUMENT;
    pc_face_copy_times(breaks, (size_t)n_breaks, watch->t);
    watch->breaks = (pc_breaks){watch->t, n_breaks};
    return PERCUSS_OK;
}

void pc_face_watch_close(pc_face_watch *watch)
{
    pc_free(watch->events);
    pc_free(watch->names);
    pc_free(watch->t);
}

percuss_code pc_face_time_scale(const char *function, double given, double stretch, bool silent, double *out,
                                percuss_error *error)
{
    if (!(given >= 0))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "time_scale", "s",
                            "%s: time_scale = %g s is not allowed; it must be > 0 s, infinite where nothing depends on "
                            "time, or 0 where that is not known",
                            function, given);
    *out = given == 0 ? (silent ? PC_ODE_SHARE * fabs(stretch) : 0) : isfinite(given) ? given : 0;
    return PERCUSS_OK;
}

/* ---- differential equations ---- */

struct percuss_motion {
    pc_handle handle;
    pc_solution solution;
};

static void close_motion(pc_handle *handle)
{
    pc_solution_free(&((percuss_motion *)handle)->solution);
}

static percuss_code check_ode(const percuss_ode *ode, const double *y0, double t0, double t1, percuss_error *error)
{
    if (!ode || !ode->rhs || !y0) return pc_face_null(error, "ode_solve", !ode ? "ode" : ode->rhs ? "y0" : "rhs");
    if (ode->n < 1 || ode->n > MOST)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "n", "",
                            "ode_solve: n = %d is not allowed; it must be from 1 to %d", ode->n, MOST);
    if (ode->n_positions < 0 || ode->n_positions > ode->n)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "n_positions", "",
                            "ode_solve: n_positions = %d is not allowed; it must be from 0 to %d", ode->n_positions,
                            ode->n);
    if (ode->max_events < 0)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "max_events", "",
                            "ode_solve: max_events = %d is not allowed; it must be > 0, or 0 for 100000",
                            ode->max_events);
    bool finite = pc_face_finite(&t0, 1, "ode_solve", "t0", "s", error) &&
                  pc_face_finite(&t1, 1, "ode_solve", "t1", "s", error) &&
                  pc_face_finite(y0, (size_t)ode->n, "ode_solve", "y0", "", error);
    return finite ? PERCUSS_OK : PERCUSS_E_ARGUMENT;
}

static percuss_code solve(const percuss_ode *ode, const pc_face_watch *watch, const double *y0, double t0, double t1,
                          percuss_motion *motion, percuss_error *error)
{
    pc_ode_problem problem = {.n = ode->n,
                              .rhs = ode->rhs,
                              .jacobian = ode->jacobian,
                              .context = ode->context,
                              .n_positions = ode->n_positions,
                              .autonomous = ode->autonomous};
    bool silent = !problem.autonomous && watch->breaks.n == 0;
    percuss_code code = pc_face_time_scale("ode_solve", ode->time_scale, t1 - t0, silent, &problem.time_scale, error);
    if (code != PERCUSS_OK) return code;
    const pc_ode_method *method;
    pc_ode_settings settings;
    pc_face_solver(ode->solver, &method, &settings);
    pc_error err = {0};
    const pc_solve_task task = {.problem = &problem,
                                .method = method,
                                .settings = &settings,
                                .events = watch->events,
                                .n_events = watch->n_events,
                                .max_events = ode->max_events ? ode->max_events : 100000,
                                .t0 = t0,
                                .t1 = t1,
                                .y0 = y0,
                                .record = !ode->forget,
                                .progress = ode->progress,
                                .progress_context = ode->progress_context,
                                .breaks = watch->breaks};
    return pc_solve(&task, &motion->solution, &err) == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

percuss_code percuss_ode_solve(const percuss_ode *ode, const double *y0, double t0, double t1, percuss_motion **motion,
                               percuss_error *error)
{
    if (!motion) return pc_face_null(error, "ode_solve", "motion");
    *motion = NULL;
    percuss_code code = check_ode(ode, y0, t0, t1, error);
    if (code != PERCUSS_OK) return code;
    pc_face_watch watch = {0};
    code = pc_face_watch_open(&watch, "ode_solve", ode->events, ode->n_events, true, ode->breaks, ode->n_breaks, error);
    percuss_motion *self = NULL;
    if (code == PERCUSS_OK) {
        self = pc_handle_new(PC_HANDLE_MOTION, sizeof *self, close_motion, error);
        code = self ? solve(ode, &watch, y0, t0, t1, self, error) : PERCUSS_E_MEMORY;
    }
    pc_face_watch_close(&watch);
    if (self && self->solution.y)
        *motion = self;
    else
        pc_handle_drop(self);
    return code;
}

percuss_code percuss_motion_read(const percuss_motion *motion, percuss_motion_record *out, percuss_error *error)
{
    if (!motion || !out) return pc_face_null(error, "motion_read", motion ? "out" : "motion");
    static const percuss_ending endings[] = {[PC_STOP_END] = PERCUSS_ENDED,
                                             [PC_STOP_EVENT] = PERCUSS_BY_EVENT,
                                             [PC_STOP_STALLED] = PERCUSS_BY_STALLING,
                                             [PC_STOP_ERROR] = PERCUSS_BY_FAILURE};
    const pc_solution *s = &motion->solution;
    *out = (percuss_motion_record){.n = s->n,
                                   .start = s->t0,
                                   .time = s->t,
                                   .ending = endings[s->stop],
                                   .event = s->stop_event,
                                   .n_events = s->n_events,
                                   .steps = s->statistics.steps,
                                   .rejected = s->statistics.rejected,
                                   .rhs_calls = s->statistics.rhs_calls,
                                   .jacobians = s->statistics.jacobians,
                                   .factorizations = s->statistics.factorizations,
                                   .event_calls = s->g_calls,
                                   .fit_error = s->fit_error};
    return PERCUSS_OK;
}

percuss_code percuss_motion_at(const percuss_motion *motion, double t, int side, double *y, int n, percuss_error *error)
{
    if (!motion || !y) return pc_face_null(error, "motion_at", motion ? "y" : "motion");
    const pc_solution *s = &motion->solution;
    percuss_code code = pc_face_count("motion_at", "the motion", "components", n, s->n, error);
    if (code != PERCUSS_OK) return code;
    if (pc_solution_at(s, t, side < 0 ? -1 : 1, y)) return PERCUSS_OK;
    if (t == s->t) { /* known without a record */
        memcpy(y, s->y, (size_t)n * sizeof *y);
        return PERCUSS_OK;
    }
    return pc_face_fail(error, PERCUSS_E_ARGUMENT, "t", "s",
                        "motion_at: t = %.10g s is not allowed; the motion goes from %.10g to %.10g s%s", t, s->t0,
                        s->t, s->trajectory.arcs.used == 0 ? ", of which the end alone was kept" : "");
}

percuss_code percuss_motion_event_read(const percuss_motion *motion, size_t i, percuss_motion_event *out,
                                       double *before, double *after, int n, percuss_error *error)
{
    if (!motion || !out) return pc_face_null(error, "motion_event_read", motion ? "out" : "motion");
    const pc_solution *s = &motion->solution;
    const ptrdiff_t n_events = (ptrdiff_t)s->n_events;
    percuss_code code = pc_face_index("motion_event_read", "event", "the motion", (ptrdiff_t)i, n_events, error);
    if (code == PERCUSS_OK && (before || after))
        code = pc_face_count("motion_event_read", "the motion", "components", n, s->n, error);
    if (code != PERCUSS_OK) return code;
    const pc_occurrence *o = &s->events[i];
    *out = (percuss_motion_event){.t = o->t,
                                  .event = o->event,
                                  .direction = pc_occurrence_direction(o),
                                  .from = o->before,
                                  .multiplicity = o->multiplicity};
    if (before) memcpy(before, pc_solution_event_state(s, i, 0), (size_t)n * sizeof *before);
    if (after) memcpy(after, pc_solution_event_state(s, i, 1), (size_t)n * sizeof *after);
    return PERCUSS_OK;
}
