/* Searching and interpolating over ascending abscissae: see array.h. */
#include "math/array.h"
#include "math/array_loop.h"

#include <math.h>

size_t pc_array_search(size_t n, const double *x, double value)
{
    size_t lo = 0, hi = n; /* x[i] <= value for i < lo, x[i] > value for i >= hi */
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (x[middle] <= value)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

pc_status pc_array_refuse_unsorted(size_t n, const double *x, bool strictly, const char *what, pc_error *err)
{
    if (n == 1) return pc_array_refuse_nan(n, x, what, err);
    for (size_t i = 1; i < n; i++) {
        if (strictly ? x[i] > x[i - 1] : x[i] >= x[i - 1]) continue;
        return pc_fail(err, PC_E_ARGUMENT, "%s must be %sascending; [%zu] is %.10g and [%zu] is %.10g", what,
                       strictly ? "strictly " : "", i, x[i - 1], i + 1, x[i]);
    }
    return PC_OK;
}

/* On the segment that starts at knot k; computed from its nearer end, which makes both ends exact. */
static double between(const double *xs, const double *ys, size_t k, double x)
{
    double t = (x - xs[k]) / (xs[k + 1] - xs[k]);
    return t < 0.5 ? ys[k] + t * (ys[k + 1] - ys[k]) : ys[k + 1] - (1 - t) * (ys[k + 1] - ys[k]);
}

static pc_status refuse_outside(double x, size_t i, double lo, double hi, pc_error *err)
{
    return pc_fail(err, PC_E_ARGUMENT,
                   "x[%zu] = %.10g is outside the data, which go from %.10g to %.10g (say \"hold\" or give a number to "
                   "have it filled)",
                   i + 1, x, lo, hi);
}

pc_status pc_array_interp(size_t n, const double *x, size_t n_knots, const double *xs, const double *ys,
                          pc_outside outside, double fill, double *out, pc_error *err)
{
    if (n_knots == 0) return pc_fail(err, PC_E_ARGUMENT, "interpolation needs at least one point");
    if (isinf(xs[0]) || isinf(xs[n_knots - 1])) return pc_fail(err, PC_E_ARGUMENT, "xs must be finite");
    pc_status status = pc_array_refuse_unsorted(n_knots, xs, true, "xs", err);
    if (status == PC_OK) status = pc_array_refuse_nan(n, x, "x", err);
    if (status != PC_OK) return status;
    size_t k = 0, last = n_knots - 1; /* the segment of the value before: ascending x never search */
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) {
            if (x[i] < xs[0] || x[i] > xs[last]) {
                if (outside == PC_OUTSIDE_ERROR) return refuse_outside(x[i], i, xs[0], xs[last], err);
                out[i] = outside == PC_OUTSIDE_FILL ? fill : x[i] < xs[0] ? ys[0] : ys[last];
                continue;
            }
            if (x[i] == xs[last]) {
                out[i] = ys[last];
                continue;
            }
            if (!(x[i] >= xs[k] && x[i] < xs[k + 1])) {
                k++;
                if (!(k < last && x[i] >= xs[k] && x[i] < xs[k + 1])) k = pc_array_search(n_knots, xs, x[i]) - 1;
            }
            out[i] = between(xs, ys, k, x[i]);
        }
    }
    return PC_OK;
}
