/* Series whose points reach somewhere: the rectangles of bars and the whiskers of error bars, on the page. */
#ifndef PC_CHART_REACH_H
#define PC_CHART_REACH_H

#include "chart/curve.h"

/* Receives a point and what it reaches over, clipped to the frame. */
typedef void (*pc_reach_sink)(void *context, double x, double y, pc_box reach);

/* Points of a series whose reach meets the frame. An end that a logarithmic axis cannot show lies at the frame. */
pc_status pc_reach_each(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_reach_sink sink,
                        void *context, pc_error *err);

/* Counts of values in bins: counts[k] for edges[k] <= value < edges[k + 1], the last bin with its right edge. `edges`
 * ascend, n + 1 of them. Values that are not finite or lie outside are left out; their number is returned. */
size_t pc_histogram_count(const double *values, size_t n_values, const double *edges, size_t n, double *counts);

/* A number of bins of equal width for values: by the rule of Freedman and Diaconis (1981), 2 IQR / n^(1/3) wide; by
 * that of Sturges (1926) where half of the values are equal. At least 1, at most `most`. lo and hi: least and greatest
 * finite value, moved apart if they are equal; PC_E_ARGUMENT if there is none. */
pc_status pc_histogram_bins(const double *values, size_t n_values, size_t most, double *lo, double *hi, size_t *n,
                            pc_error *err);

#endif
