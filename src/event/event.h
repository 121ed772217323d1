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

#endif
