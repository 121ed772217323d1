/* Arrays of doubles and the kernels that run over them.
 *
 * The payload of an array is one block: the count, then the numbers. Lua keeps that block inside a userdata, so the
 * collector sees every byte. The kernels know nothing of that: they take pointers and counts, write into memory of
 * the caller, and ask the interrupt flag every 2^16 elements (PC_E_INTERRUPTED, output partly written).
 *
 * Positions are 0-based here; scripts see them 1-based. Arithmetic is IEEE 754 as in Lua: 0/0 is NaN, and NaN
 * spreads. Only where an order is needed (extremes, quantiles, searching) NaN is refused, by position.
 */
#ifndef PC_MATH_ARRAY_H
#define PC_MATH_ARRAY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct pc_array {
    size_t n;
    double v[];
} pc_array;

/* Bytes of an array of n numbers; 0 if no object can be that large. */
size_t pc_array_bytes(size_t n);

/* ---- regular sequences ---- */

/* n numbers from a to b inclusive, evenly spaced; the ends are exact. n == 1 needs a == b. */
pc_status pc_array_linspace(double a, double b, size_t n, double *out, pc_error *err);

/* n numbers from a to b inclusive with a constant ratio; a and b are the first and last value, not exponents. */
pc_status pc_array_logspace(double a, double b, size_t n, double *out, pc_error *err);

/* How many numbers a, a + step, ... lie up to b. An end that is a whole number of steps away up to rounding counts. */
pc_status pc_array_range_count(double a, double b, double step, size_t *n, pc_error *err);

/* The n numbers counted by pc_array_range_count. */
pc_status pc_array_range(double a, double b, double step, size_t n, double *out, pc_error *err);

/* ---- element by element ---- */

typedef enum pc_array_unary {
#define PC_UNARY(name, expression, summary, example) PC_UNARY_##name,
#include "math/array.def"
    PC_N_UNARY
} pc_array_unary;

typedef enum pc_array_binary {
#define PC_BINARY(name, expression) PC_BINARY_##name,
#include "math/array.def"
    PC_N_BINARY
} pc_array_binary;

/* An array (v) or one number (v == NULL) that stands for an array of equal numbers. */
typedef struct pc_operand {
    const double *v;
    double x;
} pc_operand;

/* `out` may be one of the inputs. */
pc_status pc_array_each(pc_array_unary f, size_t n, const double *x, double *out, pc_error *err);
pc_status pc_array_each2(pc_array_binary f, size_t n, pc_operand a, pc_operand b, double *out, pc_error *err);

/* The unary function of that name, or PC_N_UNARY; and the names in the order of the list. */
pc_array_unary pc_array_unary_find(const char *name);
const char *pc_array_unary_name(pc_array_unary f);

/* Nearest number of [lo, hi]; NaN stays. */
pc_status pc_array_clip(size_t n, const double *x, double lo, double hi, double *out, pc_error *err);

/* out[i] = mask[i] is not zero ? a[i] : b[i]. */
pc_status pc_array_choose(size_t n, const double *mask, pc_operand a, pc_operand b, double *out, pc_error *err);

size_t pc_array_count(size_t n, const double *mask);
bool pc_array_equal(size_t n, const double *a, const double *b);

/* ---- sums and what follows from them ---- */

/* Neumaier's compensated sum: the rounding error does not grow with n. */
pc_status pc_array_sum(size_t n, const double *x, double *sum, pc_error *err);
pc_status pc_array_dot(size_t n, const double *x, const double *y, double *dot, pc_error *err);
pc_status pc_array_product(size_t n, const double *x, double *product, pc_error *err);
pc_status pc_array_mean(size_t n, const double *x, double *mean, pc_error *err);

/* Sum of squared deviations divided by n - lost. */
pc_status pc_array_variance(size_t n, const double *x, size_t lost, double *variance, pc_error *err);

/* p is 1, 2 or infinity. The 2-norm neither overflows nor underflows on the way. */
pc_status pc_array_norm(size_t n, const double *x, double p, double *norm, pc_error *err);

/* out has n elements; `out` may be x. */
pc_status pc_array_cumsum(size_t n, const double *x, double *out, pc_error *err);
pc_status pc_array_cumprod(size_t n, const double *x, double *out, pc_error *err);

/* ---- differences and integrals of samples y over x ---- */

/* The abscissae of samples: given one by one (v), or evenly spaced by `x` (v == NULL). */
typedef pc_operand pc_abscissae;

/* out has n - 1 elements. */
pc_status pc_array_diff(size_t n, const double *y, double *out, pc_error *err);

/* Derivative of the parabola through three neighbours, at the ends too; of the line where n == 2. x must be
 * strictly monotonic. */
pc_status pc_array_gradient(size_t n, const double *y, pc_abscissae x, double *out, pc_error *err);

pc_status pc_array_trapz(size_t n, const double *y, pc_abscissae x, double *integral, pc_error *err);

/* Integral from the first sample to each; out[0] == 0. */
pc_status pc_array_cumtrapz(size_t n, const double *y, pc_abscissae x, double *out, pc_error *err);

/* ---- extremes, sorting, quantiles ---- */

/* Positions of the least and the greatest element (the first of equals). n == 0 and NaN are refused. */
pc_status pc_array_extremes(size_t n, const double *x, size_t *least, size_t *greatest, pc_error *err);

/* Ascending, NaN last, in place. */
pc_status pc_array_sort(size_t n, double *x, pc_error *err);

/* out: positions in ascending order of x, NaN last, equals in their order, plus `base`. */
pc_status pc_array_argsort(size_t n, const double *x, double base, double *out, pc_error *err);

/* Quantiles at q in [0, 1] of ascending x without NaN: linear between the order statistics (the seventh definition
 * of Hyndman and Fan 1996, the usual one). */
pc_status pc_array_quantile(size_t n, const double *sorted, size_t n_q, const double *q, double *out, pc_error *err);

/* Drop repeated neighbours of ascending x, in place; NaN counts once. Returns the new count. */
size_t pc_array_unique(size_t n, double *sorted);

/* PC_E_ARGUMENT with the position where x holds NaN; `what` names the array in the text. */
pc_status pc_array_refuse_nan(size_t n, const double *x, const char *what, pc_error *err);

/* ---- ascending abscissae ---- */

/* How many elements of ascending x are <= value, in log n steps. */
size_t pc_array_search(size_t n, const double *x, double value);

/* PC_E_ARGUMENT with the position where x does not ascend (equal neighbours are allowed unless `strictly`) or is
 * NaN. */
pc_status pc_array_refuse_unsorted(size_t n, const double *x, bool strictly, const char *what, pc_error *err);

typedef enum pc_outside {
    PC_OUTSIDE_ERROR, /* a value outside the abscissae is refused */
    PC_OUTSIDE_HOLD,  /* takes the ordinate of the nearest end */
    PC_OUTSIDE_FILL,  /* takes `fill` */
} pc_outside;

/* Piecewise linear through (xs, ys), exact at the knots; xs strictly ascending, at least one knot. */
pc_status pc_array_interp(size_t n, const double *x, size_t n_knots, const double *xs, const double *ys,
                          pc_outside outside, double fill, double *out, pc_error *err);

#endif
