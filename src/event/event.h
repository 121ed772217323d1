/* Events: zeros of functions g(t, y) along a motion, located on the dense output of its steps.
 *
 * An event happens when g *reaches* zero: direction -1 from above, +1 from below, 0 from either side. A graze (g
 * touches zero and turns back) is an event as well. It happens once, wherever steps end: g has to leave zero before it
 * can reach it again, and a g that stays zero gives one event when it gets there.
 *
 * At the start of a motion (or after something jumped) nothing has reached anything: a g that is zero there gives an
 * event if its direction is not 0 and it leaves zero towards that side, so a body on the floor with downward speed
 * strikes it at once and one with upward speed does not. (Where either side counts, `leaving` says towards which.)
 *
 * Functions of users are *rough*: they may have kinks, jumps and poles. Where no polynomial fits however short the
 * step is cut, the signs on both sides decide: a change of sign is one event in its direction, at the first double
 * beyond it. A pole is none: there |g| grows towards the place on both sides. A zero at the end of a step is told in
 * the next one, which shows how g leaves it, so that what is told does not depend on where steps end.
 *
 * What is promised: g that is linear in the state is the integrator's own polynomial, and none of its zeros is
 * missed. Any other g is fitted along the step by polynomials whose error, judged by the last coefficient and at
 * three points beside the fitted ones, is below PC_EVENT_FIT of max |g| over the step; the step is cut until that
 * holds, no zero of the fit is missed, and a crossing is then polished on g itself. Where g is noisy the fit keeps its
 * error, and values within it count as zero; a rough g that cannot be fitted even so ends in an error with event and
 * time.
 */
#ifndef PC_EVENT_EVENT_H
#define PC_EVENT_EVENT_H

#include "base/status.h"
#include "math/roots.h"
#include "ode/ode.h"

#include <stdbool.h>
#include <stddef.h>

#define PC_EVENT_FIT 1e-12

/* Returns 0, or nonzero to stop with an error. A result that is not a number is an error naming event and time, and so
 * is an infinite one, unless g is rough: it may be at a pole. */
typedef int (*pc_event_function)(double t, const double *y, double *g, void *context);

/* Whether a zero is an event: 1 or 0, or a negative number to stop with an error. */
typedef int (*pc_event_check)(double t, const double *y, void *context);

/* What to do at an event; may change y. Returns one of the following, or a negative number for an error. */
typedef int (*pc_event_action)(double t, double *y, void *context);
enum {
    PC_ACTION_CONTINUE, /* nothing changed */
    PC_ACTION_RESTART,  /* the state or the right-hand side changed */
    PC_ACTION_STOP,     /* end the motion here */
};

enum { PC_LEAVING_EITHER = 2 };

typedef struct pc_event {
    const char *name;
    int direction; /* -1, 0, +1 */
    int leaving;   /* with direction 0: leaving a zero at the start towards this side is an event; 0: neither; either:
                      at the start of the motion alone, not after a jump */
    bool terminal; /* ends the motion, after its action */
    pc_event_function g;
    const double *linear; /* instead of g: constant, factor of t, factors of the components of y it looks at */
    pc_event_action action;
    void *context;        /* of g, holds and action */
    bool first;           /* its first event ends the step: what comes later, of any event, is not looked for */
    pc_event_check holds; /* NULL: every zero that counts is an event */
    int leading;          /* g looks at the first so many components of y alone; 0: at all of them */
    bool rough;           /* g may have kinks, jumps and poles */
    double noise;         /* rounding of g, where known: values and fits are no better than that; 0: measured */
} pc_event;

/* One event that happened; signs of g before and after, 0 where unseen (see math/roots.h). */
typedef struct pc_occurrence {
    int event; /* index in the list of events */
    double t, x;
    double value, rate; /* of g there; value is what rounding left of zero */
    int multiplicity, before, after;
} pc_occurrence;

/* How g went through zero: -1 down, +1 up, 0: it touched it. */
static inline int pc_occurrence_direction(const pc_occurrence *o)
{
    bool returns = o->before != 0 && o->multiplicity % 2 == 0 && (o->after == 0 || o->after == o->before);
    int sign = returns ? 0 : o->before != 0 ? -o->before : o->after;
    return (sign > 0) - (sign < 0);
}

typedef struct pc_watch {
    int side;        /* memory of pc_poly_roots */
    bool fired;      /* this event caused the restart */
    double rate;     /* dg/dt when it fired */
    double residual; /* |g| when it fired: its zero is only known so well */
    bool waits;      /* g has been zero from the start and has left it towards neither side yet */
    bool idle;       /* the caller knows that g keeps its sign in the next step, which is not searched for it */
    double from;     /* or up to this fraction of it; then only the first zero after that matters */
    double to;       /* > from: and g is known to fall from there to here */
    bool holds;      /* a rough g is at a zero that is still to be told */
    pc_occurrence held;
} pc_watch;

/* All events of a motion, watched together. */
typedef struct pc_locator {
    const pc_event *events;
    int n_events, n;
    pc_watch *watch;
    pc_occurrence *found; /* of the last scan, in order of time; simultaneous ones in the order of the list */
    int n_found;
    size_t room, watch_room; /* of found and watch */
    double until;            /* the fraction of the step after which nothing matters */
    bool begins;             /* nothing has jumped yet since the start of the motion */
    bool last;               /* the caller's: no step follows this one */
    long g_calls, pieces;
    double fit_error; /* greatest so far, relative to max |g| over its step */
    struct pc_fitter *fitter;
} pc_locator;

pc_status pc_locator_open(pc_locator *locator, const pc_event *events, int n_events, int n, pc_error *err);
void pc_locator_close(pc_locator *locator);

/* A list of up to `most` events from now on, of a state of up to n components. On failure room is as before. */
pc_status pc_locator_reserve(pc_locator *locator, const pc_event *events, int most, int n, pc_error *err);

/* Something jumped, or the motion begins; then, what happened there, for each: such an event is not reported again
 * where its g simply goes on through zero. What was found stays readable until the next scan. */
void pc_locator_restart(pc_locator *locator);
void pc_locator_add_cause(pc_locator *locator, const pc_occurrence *cause);

/* Find what happens in a step. */
pc_status pc_locator_scan(pc_locator *locator, const pc_dense *dense, pc_error *err);

/* One past the last of what was found at the same instant as `first`. */
int pc_locator_instant(const pc_locator *locator, const pc_dense *dense, int first);

/* The instants at which a motion starts afresh. */
typedef struct pc_restarts {
    double last; /* time of the last one; before, that of the start */
    int stalls;  /* so many in a row without progress in time */
} pc_restarts;

/* One more at t. The next step of the stepper, unless NULL, is then at most some times as long as what lies between. */
void pc_restarts_add(pc_restarts *restarts, double t, pc_stepper *stepper);

/* A function that is known in closed form from a time t on: a polynomial and waves, or by the length of a vector of
 * two.
 *
 *     p(s) = c[0] + c[1] s + c[2] s^2 + sum of a sin x + b cos x,   x = frequency (s or t + s) + phase
 *     f(s) = p_0 - radius, |p| - radius or radius - |p|
 *
 * Its second derivative is nowhere below -bend, with bend = sum A frequency^2 - 2 c[2], A = hypot(a, b), or the sum of
 * these sizes, since |p|'' >= n.p'', n the direction of p. So from a value and a rate on f stays above a known
 * parabola, whose first zero cannot be beyond that of f. Going from one such zero to the next converges with the square
 * near a zero of f, of heights p_0, whose third derivative is bounded as well, with the cube, and never steps over one.
 * For radius - |p| the same is done with radius^2 - |p|^2, bounded as far as the speed is.
 */
enum { PC_WAVES = 4 };
typedef struct pc_wave {
    double a[2], b[2], frequency, phase;
    bool by_time; /* x goes by t + s, which rounds as times do */
} pc_wave;
typedef struct pc_closed_form {
    double t, c[3][2], radius;
    enum { PC_CLOSED_HEIGHT, PC_CLOSED_DISTANCE, PC_CLOSED_INSIDE } kind;
    int n;
    pc_wave wave[PC_WAVES];
} pc_closed_form;

double pc_closed_form_value(const pc_closed_form *f, double s);

/* Where it falls to zero first, with its rate and what rounding leaves of its value there; NONE: it stays above zero up
 * to s. UNKNOWN: it is below zero at the start, or not seen to rise from there. */
typedef struct pc_fall {
    enum { PC_FALL_NONE, PC_FALL_FOUND, PC_FALL_UNKNOWN } kind;
    double s, value, rate;
} pc_fall;

/* Values within `small` at the start are zero. What comes after `until` is not looked for. At the s of a fall the value
 * is zero for the time as t + s rounds. */
pc_fall pc_closed_form_fall(const pc_closed_form *f, double small, double until);

/* The first guard to fall within one step.
 *
 * A *guard* is a function that is positive while the mode of a contact lasts. All guards are known in a few places of
 * the step, which the integrator resolves to its tolerance; between two places a guard is followed down where it dips,
 * and its zero is found on the guard itself. What a guard means only its owner knows: here it has a value, the sign of
 * its rate where that is known, and a noise.
 *
 * Guard 0 of each contact is its end. Beyond the end of a contact its forces pull and the other guards mean nothing, so
 * that the places are spread anew up to the first end before the other guards are asked; what falls together with the
 * end is part of it.
 */

/* Places along a step, the first at 0. */
enum { PC_GUARD_PLACES = 5 };

/* What is known of a guard: it cannot fall; its values; its rates as well. */
typedef enum pc_guard_known { PC_GUARD_OFF, PC_GUARD_VALUES, PC_GUARD_RATES } pc_guard_known;

typedef struct pc_guard_walk pc_guard_walk;
struct pc_guard_walk {
    int contacts, guards;
    double *place;  /* PC_GUARD_PLACES fractions of the step */
    bool ends_only; /* the step is less exact within than at its end, by far: only its end is looked at */
    bool failed;    /* set by a callback: the walk ends */
    void *context;

    /* Make all guards known at place[i] = x. */
    void (*look)(pc_guard_walk *walk, int i, double x);

    /* A guard at all places, and perhaps its rate there, up to a positive factor. A guard that stands at zero as its
     * mode begins counts as 0 there, whatever rounding makes of it. */
    pc_guard_known (*values)(pc_guard_walk *walk, int contact, int guard, double value[PC_GUARD_PLACES],
                             double rate[PC_GUARD_PLACES]);

    /* How far below zero a guard may stand by errors alone. */
    double (*noise)(pc_guard_walk *walk, int contact, int guard);

    /* A guard at the fraction x. `exact` is given where `at` only approximates the motion: near the zero of `at`, with
     * the slope of `at`, it finds the zero of the motion. */
    double (*at)(pc_guard_walk *walk, int contact, int guard, double x);
    double (*exact)(pc_guard_walk *walk, int contact, int guard, double x); /* or NULL */

    /* True if the contact is about to end at x, where another of its guards falls; NULL: only the end tells. */
    bool (*ends_at)(pc_guard_walk *walk, int contact, double x);
};

typedef struct pc_guard_fall {
    double x; /* fraction of the step; > 1: none */
    int contact, guard;
} pc_guard_fall;

/* Find the first fall in the step. False if a callback failed. */
bool pc_guard_walk_find(pc_guard_walk *walk, pc_guard_fall *fall);

/* A motion from t0 to t1 with events: the loop that joins a stepper and a locator, with an optional recorder.
 *
 * Simultaneous events act in the order of the list on one state. After an action that changes something the method
 * starts afresh from there. Events whose actions stop all progress (a ball bounced ever lower) end the motion with
 * PC_STOP_STALLED at the time where they accumulate.
 */

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
