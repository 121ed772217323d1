/* An event function along one step as polynomials, piece by piece. */
#ifndef PC_EVENT_FIT_H
#define PC_EVENT_FIT_H

#include "event/event.h"

/* Bernstein coefficients of g on the part [lo, hi] of the step. */
typedef struct pc_fit {
    double lo, hi;
    int degree;
    double b[PC_POLY_DEGREE + 1];
    double error; /* values this near zero cannot be told from zero */
    double noise; /* what rounding alone does to g */
    bool jump;    /* no polynomial: the values at both ends, between which g jumps or has a pole */
    double pit;   /* of a rough g: where |g| is least beside an end, which the fit may not show; NaN: it shows all */
} pc_fit;

typedef struct pc_fitter pc_fitter;

/* For n components; instead of one that there was, whose calls it goes on counting, or NULL. NULL: no memory. */
pc_fitter *pc_fitter_new(int n, const pc_fitter *before);
void pc_fitter_free(pc_fitter *fitter);

/* Forget the states of the step before. */
void pc_fitter_begin(pc_fitter *fitter, const pc_dense *dense);

/* g of an event at the fraction x of the step. */
pc_status pc_fitter_value(pc_fitter *fitter, const pc_event *event, double x, double *g, pc_error *err);

/* Whether a zero of it there is an event: *holds. */
pc_status pc_fitter_check(pc_fitter *fitter, const pc_event *event, double x, bool *holds, pc_error *err);

/* Visit the pieces of a step from the fraction `from` to `until` in order (of what is linear, the whole step), those
 * near `from` by themselves, until a visit sets *enough. `worst` collects the greatest error relative to max |g|
 * over the step, where it exceeds what was promised. */
typedef pc_status (*pc_fit_visit)(const pc_fit *fit, void *context, bool *enough, pc_error *err);
pc_status pc_fitter_run(pc_fitter *fitter, const pc_event *event, double from, double until, pc_fit_visit visit,
                        void *context, double *worst, pc_error *err);

/* The least value of sign g for x in [a, b], by sections in the golden ratio; where it has one. */
pc_status pc_fitter_least(pc_fitter *fitter, const pc_event *event, double sign, double a, double b, double *x,
                          double *g, pc_error *err);

long pc_fitter_calls(const pc_fitter *fitter);

#endif
