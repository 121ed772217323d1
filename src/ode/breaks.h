/* Breaks: times at which a right-hand side jumps or has a kink by t alone.
 *
 * No step crosses one: a method ends there and starts afresh. Which of its two values f has at a break itself is up to
 * comparisons in it (t < 5, t <= 5), and no method can know. So it is never asked there: within a step that ends at a
 * break its last value is that just before, and the first of the next step that just after, 4 roundings of t away.
 */
#ifndef PC_ODE_BREAKS_H
#define PC_ODE_BREAKS_H

typedef struct pc_breaks {
    const double *t; /* ascending */
    int n;
} pc_breaks;

/* Where a step that begins at t on the way to t_end has to end: at the first break after t, or at t_end. */
double pc_breaks_next(const pc_breaks *breaks, double t, double t_end);

/* The times at which f may be asked between two breaks. */
typedef struct pc_span {
    double from, to;
} pc_span;

/* Those of a step that begins at t, forwards or backwards in time. */
pc_span pc_breaks_span(const pc_breaks *breaks, double t, int forwards);

static inline double pc_span_clip(const pc_span *span, double t)
{
    return t < span->from ? span->from : t > span->to ? span->to : t;
}

#endif
