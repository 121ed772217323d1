/* Breaks: see breaks.h. */
#include "ode/breaks.h"

#include <float.h>
#include <math.h>

/* How many breaks lie before t, or at it if `with`. */
static int count(const pc_breaks *b, double t, int with)
{
    int lo = 0, hi = b->n;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (b->t[middle] < t || (with && b->t[middle] == t))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

double pc_breaks_next(const pc_breaks *b, double t, double t_end)
{
    if (t_end >= t) {
        int i = count(b, t, 1);
        return i < b->n && b->t[i] < t_end ? b->t[i] : t_end;
    }
    int i = count(b, t, 0) - 1;
    return i >= 0 && b->t[i] > t_end ? b->t[i] : t_end;
}

static double beside(double t)
{
    return fmax(4 * DBL_EPSILON * fabs(t), DBL_MIN);
}

pc_span pc_breaks_span(const pc_breaks *b, double t, int forwards)
{
    int after = count(b, t, forwards);
    pc_span span = {-INFINITY, INFINITY};
    if (after > 0) span.from = b->t[after - 1] + beside(b->t[after - 1]);
    if (after < b->n) span.to = b->t[after] - beside(b->t[after]);
    return span;
}
