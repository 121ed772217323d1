/* Bars, error bars and histograms: see reach.h. */
#include "chart/reach.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <stdlib.h>

/* Place of a value on the page. On a logarithmic axis what is not positive lies infinitely far beyond the lower end. */
static double place(const pc_scale *scale, double value, double from, double to)
{
    double at = pc_scale_position(scale, value);
    if (isnan(at) && scale->log && value <= 0) at = scale->hi > scale->lo ? -INFINITY : INFINITY;
    return fmin(fmax(from + at * (to - from), -1e8), 1e8);
}

static double end_of(const double *ends, size_t i, double otherwise)
{
    return ends && !isnan(ends[i]) ? ends[i] : otherwise;
}

pc_status pc_reach_each(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_reach_sink sink,
                        void *context, pc_error *err)
{
    const pc_reach *r = &series->reach;
    for (size_t i = 0; i < series->n; i++) {
        if ((i & 0xFFFF) == 0 && pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
        double px = series->x[i], py = series->y[i];
        if (!isfinite(px) || !isfinite(py) || (x->log && px <= 0) || (y->log && py <= 0)) continue;
        double xs[2] = {end_of(r->x_lo, i, px), end_of(r->x_hi, i, px)};
        double ys[2] = {end_of(r->y_lo, i, py), end_of(r->y_hi, i, py)};
        for (int k = 0; k < 2; k++) {
            xs[k] = place(x, xs[k], frame.x0, frame.x1);
            ys[k] = place(y, ys[k], frame.y0, frame.y1);
        }
        pc_box box = {fmax(fmin(xs[0], xs[1]), frame.x0), fmax(fmin(ys[0], ys[1]), frame.y0),
                      fmin(fmax(xs[0], xs[1]), frame.x1), fmin(fmax(ys[0], ys[1]), frame.y1)};
        if (box.x0 > box.x1 || box.y0 > box.y1) continue;
        sink(context, place(x, px, frame.x0, frame.x1), place(y, py, frame.y0, frame.y1), box);
    }
    return PC_OK;
}

/* --- histograms --- */

size_t pc_histogram_count(const double *values, size_t n_values, const double *edges, size_t n, double *counts)
{
    size_t outside = 0;
    for (size_t k = 0; k < n; k++) counts[k] = 0;
    for (size_t i = 0; i < n_values; i++) {
        double value = values[i];
        if (!(value >= edges[0] && value <= edges[n])) {
            outside++;
            continue;
        }
        size_t lo = 0, hi = n;
        while (hi - lo > 1) {
            size_t middle = (lo + hi) / 2;
            if (value >= edges[middle])
                lo = middle;
            else
                hi = middle;
        }
        counts[lo]++;
    }
    return outside;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

pc_status pc_histogram_bins(const double *values, size_t n_values, size_t most, double *lo, double *hi, size_t *n,
                            pc_error *err)
{
    double *sorted = pc_calloc(n_values, sizeof *sorted);
    if (!sorted) return pc_fail(err, PC_E_MEMORY, "not enough memory for a histogram");
    size_t m = 0;
    for (size_t i = 0; i < n_values; i++) {
        if (isfinite(values[i])) sorted[m++] = values[i];
    }
    if (m == 0) {
        pc_free(sorted);
        return pc_fail(err, PC_E_ARGUMENT, "histogram: none of the %zu values is finite", n_values);
    }
    qsort(sorted, m, sizeof *sorted, ascending);
    *lo = sorted[0];
    *hi = sorted[m - 1];
    double quartiles = sorted[3 * (m - 1) / 4] - sorted[(m - 1) / 4];
    pc_free(sorted);
    if (*lo == *hi) {
        double room = *lo == 0 ? 0.5 : 0.5 * fabs(*lo);
        *lo -= room;
        *hi += room;
        *n = 1;
        return PC_OK;
    }
    double bins = quartiles > 0 ? (*hi - *lo) / (2 * quartiles / cbrt((double)m)) : log2((double)m) + 1;
    *n = (size_t)fmin(fmax(ceil(bins), 1), (double)most);
    return PC_OK;
}
