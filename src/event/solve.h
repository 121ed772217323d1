/* A motion from t0 to t1 with events: the loop that joins a stepper and a locator, with an optional recorder.
 *
 * Simultaneous events act in the order of the list on one state. After an action that changes something the method
 * starts afresh from there. Events whose actions stop all progress (a ball bounced ever lower) end the motion with
 * PC_STOP_STALLED at the time where they accumulate.
 */
#ifndef PC_EVENT_SOLVE_H
#define PC_EVENT_SOLVE_H

#include "event/event.h"
#include "ode/ode.h"

typedef struct pc_solve_task {
    const pc_ode_problem *problem;
    const pc_ode_method *method;
    const pc_ode_settings *settings;
    const pc_event *events;
    int n_events, max_events;
    double t0, t1; /* t1 < t0 integrates backwards */
    const double *y0;
    bool record; /* keep the dense output of all steps */
    pc_status (*arc)(const pc_dense *dense, double stop, void *context, pc_error *err); /* see each; may be NULL */
    void *arc_context;
    int (*progress)(double t, size_t n_events, void *context); /* now and then; nonzero ends in an error; may be NULL */
    void *progress_context;
    pc_breaks breaks; /* where f jumps by t alone */
} pc_solve_task;

typedef enum pc_stop {
    PC_STOP_END,     /* t1 was reached */
    PC_STOP_EVENT,   /* a terminal event, or an action that said so */
    PC_STOP_STALLED, /* events accumulated */
    PC_STOP_ERROR,   /* the status says which */
} pc_stop;

const char *pc_stop_word(pc_stop stop);

/* The result; valid, as far as it got, on failure too. */
typedef struct pc_solution {
    int n;
    pc_stop stop;
    int stop_event; /* index in the list of events, or -1 */
    double t0, t;   /* from where to where */
    double *y;      /* at t */
    pc_occurrence *events;
    double *event_states; /* for each event n values before its action and n after it */
    size_t n_events, event_room, state_room;
    pc_trajectory trajectory; /* empty unless recorded */
    pc_ode_statistics statistics;
    long g_calls;
    double
        fit_error; /* greatest error of a fit relative to max |g| over its step where it missed PC_EVENT_FIT, else 0 */
} pc_solution;

pc_status pc_solve(const pc_solve_task *task, pc_solution *solution, pc_error *err);
void pc_solution_free(pc_solution *solution);

/* State at t, from the recorded arcs. Where the state jumps at t, side < 0 gives it before and otherwise after. False
 * if t lies outside the motion or nothing was recorded. */
bool pc_solution_at(const pc_solution *solution, double t, int side, double *y);

static inline const double *pc_solution_event_state(const pc_solution *solution, size_t event, int after)
{
    return solution->event_states + (2 * event + (after != 0)) * (size_t)solution->n;
}

#endif
