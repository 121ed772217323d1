/* Arrays: see array.h. Element by element, extremes and order, sums, regular sequences, interpolation, derivatives
 * and integrals. Loops can be interrupted, without a test per element; all sums are compensated. */
#include "math/array.h"

#include "base/alloc.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Elements between two looks at the interrupt flag: a few milliseconds of the slowest function. */
enum { PC_ARRAY_CHUNK = 1 << 16 };

/* End of the chunk that begins at `start`. */
static inline size_t pc_chunk_end(size_t start, size_t n)
{
    return n - start > PC_ARRAY_CHUNK ? start + PC_ARRAY_CHUNK : n;
}

static inline pc_status pc_array_stopped(size_t done, size_t n, pc_error *err)
{
    return pc_fail(err, PC_E_INTERRUPTED, "interrupted after %zu of %zu elements", done, n);
}

/* Runs its body for [start, end) chunk by chunk; leaves the enclosing function when interrupted. */
#define PC_CHUNKS(n, start, end, err)                                                                                  \
    for (size_t start = 0, end = pc_chunk_end(0, (n)); start < (n); start = end, end = pc_chunk_end(start, (n)))       \
        if (pc_interrupted())                                                                                          \
            return pc_array_stopped(start, (n), (err));                                                                \
        else

/* Its statement for each i < n; the same. */
#define PC_EACH(n, i, err)                                                                                             \
    PC_CHUNKS(n, pc_start, pc_end, err)                                                                                \
    for (size_t i = pc_start; i < pc_end; i++)

/* Neumaier's variant of Kahan's compensated sum (ZAMM 54, 1974, 39-51): the low-order part lost by each addition is
 * kept and added at the end. Its error is one rounding of the result plus about n eps^2 sum|x|, so that for any array
 * that fits into memory only the rounding remains, unless the terms cancel to that degree. */
typedef struct pc_compensated {
    double sum, lost;
} pc_compensated;

static inline void pc_compensated_add(pc_compensated *a, double x)
{
    double sum = a->sum + x;
    a->lost += fabs(a->sum) >= fabs(x) ? (a->sum - sum) + x : (x - sum) + a->sum;
    a->sum = sum;
}

/* Where the sum itself is infinite or NaN the lost part means nothing (inf - inf). */
static inline double pc_compensated_total(pc_compensated a)
{
    return isfinite(a.sum) ? a.sum + a.lost : a.sum;
}

/* Differences, derivatives and integrals of samples. */

/* x[i + 1] - x[i] */
static inline double step(pc_abscissae x, size_t i)
{
    return x.v ? x.v[i + 1] - x.v[i] : x.x;
}

/* A derivative needs a step that keeps its sign and is never zero. */
static pc_status check_monotonic(size_t n, pc_abscissae x, pc_error *err)
{
    if (!x.v) {
        if (x.x != 0 && isfinite(x.x)) return PC_OK;
        return pc_fail(err, PC_E_ARGUMENT, "the spacing must be finite and not zero, not %g", x.x);
    }
    bool rising = n < 2 || x.v[1] > x.v[0];
    for (size_t i = 0; i + 1 < n; i++) {
        double h = rising ? step(x, i) : -step(x, i);
        if (!(h > 0 && isfinite(h)))
            return pc_fail(err, PC_E_ARGUMENT, "x must rise or fall throughout; x[%zu] is %g and x[%zu] is %g", i + 1,
                           x.v[i], i + 2, x.v[i + 1]);
    }
    return PC_OK;
}

pc_status pc_array_diff(size_t n, const double *y, double *out, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "differences need at least one element");
    PC_EACH(n - 1, i, err) out[i] = y[i + 1] - y[i];
    return PC_OK;
}

/* The parabola through three points has the slope of each chord at the chord's middle and is linear in between, so
 * its derivative at the point between steps g and h is the average of the slopes s and t, each weighted with the
 * other's step; at the ends it is extrapolated. */
pc_status pc_array_gradient(size_t n, const double *y, pc_abscissae x, double *out, pc_error *err)
{
    if (n < 2) return pc_fail(err, PC_E_ARGUMENT, "a derivative needs at least 2 elements, not %zu", n);
    pc_status status = check_monotonic(n, x, err);
    if (status != PC_OK) return status;
    double g = step(x, 0), s = (y[1] - y[0]) / g;
    if (n == 2) {
        out[0] = out[1] = s;
        return PC_OK;
    }
    double h = step(x, 1), t = (y[2] - y[1]) / h;
    out[0] = s - (t - s) * (g / (g + h));
    PC_EACH(n - 2, i, err) {
        g = step(x, i);
        h = step(x, i + 1);
        s = (y[i + 1] - y[i]) / g;
        t = (y[i + 2] - y[i + 1]) / h;
        out[i + 1] = s + (t - s) * (g / (g + h));
    }
    out[n - 1] = t + (t - s) * (h / (g + h));
    return PC_OK;
}

static inline double area(const double *y, pc_abscissae x, size_t i)
{
    return 0.5 * (y[i] + y[i + 1]) * step(x, i);
}

pc_status pc_array_trapz(size_t n, const double *y, pc_abscissae x, double *integral, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_EACH(n > 0 ? n - 1 : 0, i, err) pc_compensated_add(&a, area(y, x, i));
    *integral = pc_compensated_total(a);
    return PC_OK;
}

pc_status pc_array_cumtrapz(size_t n, const double *y, pc_abscissae x, double *out, pc_error *err)
{
    if (n == 0) return PC_OK;
    pc_compensated a = {0, 0};
    out[0] = 0;
    PC_EACH(n - 1, i, err) {
        pc_compensated_add(&a, area(y, x, i));
        out[i + 1] = pc_compensated_total(a);
    }
    return PC_OK;
}

/* Functions element by element. The lists of array.def become one loop per
 * function (and per shape of its arguments), which the compiler vectorises where the function allows it. */

/* Lua's float remainder: C's fmod, moved by b where the signs differ. */
static double modulo(double a, double b)
{
    double m = fmod(a, b);
    if (m != 0 && (m < 0) != (b < 0)) m += b;
    return m;
}

/* Squares are exact products, as in Lua; pow costs twenty times as much. */
static double power(double a, double b)
{
    return b == 2 ? a * a : pow(a, b);
}

#define PC_UNARY(name, expression, summary, example)                                                                   \
    static void each_##name(size_t n, const double *v, double *out)                                                    \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++) {                                                                               \
            double x = v[i];                                                                                           \
            out[i] = expression;                                                                                       \
        }                                                                                                              \
    }
#include "math/array.def"

#define PC_BINARY(name, expression)                                                                                    \
    static void each2_##name(size_t n, pc_operand p, pc_operand q, double *out)                                        \
    {                                                                                                                  \
        double a = p.x, b = q.x;                                                                                       \
        if (p.v && q.v) {                                                                                              \
            for (size_t i = 0; i < n; i++) {                                                                           \
                a = p.v[i];                                                                                            \
                b = q.v[i];                                                                                            \
                out[i] = expression;                                                                                   \
            }                                                                                                          \
        } else if (p.v) {                                                                                              \
            for (size_t i = 0; i < n; i++) {                                                                           \
                a = p.v[i];                                                                                            \
                out[i] = expression;                                                                                   \
            }                                                                                                          \
        } else if (q.v) {                                                                                              \
            for (size_t i = 0; i < n; i++) {                                                                           \
                b = q.v[i];                                                                                            \
                out[i] = expression;                                                                                   \
            }                                                                                                          \
        } else {                                                                                                       \
            for (size_t i = 0; i < n; i++) out[i] = expression;                                                        \
        }                                                                                                              \
    }
#include "math/array.def"

static const struct {
    const char *name;
    void (*run)(size_t n, const double *v, double *out);
} unary[] = {
#define PC_UNARY(name, expression, summary, example) {#name, each_##name},
#include "math/array.def"
};

static void (*const binary[])(size_t n, pc_operand p, pc_operand q, double *out) = {
#define PC_BINARY(name, expression) each2_##name,
#include "math/array.def"
};

static pc_operand from(pc_operand a, size_t start)
{
    if (a.v) a.v += start;
    return a;
}

pc_status pc_array_each(pc_array_unary f, size_t n, const double *x, double *out, pc_error *err)
{
    PC_CHUNKS(n, start, end, err)
    {
        unary[f].run(end - start, x + start, out + start);
    }
    return PC_OK;
}

pc_status pc_array_each2(pc_array_binary f, size_t n, pc_operand a, pc_operand b, double *out, pc_error *err)
{
    PC_CHUNKS(n, start, end, err)
    {
        binary[f](end - start, from(a, start), from(b, start), out + start);
    }
    return PC_OK;
}

pc_array_unary pc_array_unary_find(const char *name)
{
    int f = 0;
    while (f < PC_N_UNARY && strcmp(unary[f].name, name) != 0) f++;
    return (pc_array_unary)f;
}

const char *pc_array_unary_name(pc_array_unary f)
{
    return unary[f].name;
}

pc_status pc_array_clip(size_t n, const double *x, double lo, double hi, double *out, pc_error *err)
{
    if (!(lo <= hi)) return pc_fail(err, PC_E_ARGUMENT, "clip needs lo <= hi, not %g and %g", lo, hi);
    PC_EACH(n, i, err) out[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];
    return PC_OK;
}

pc_status pc_array_choose(size_t n, const double *mask, pc_operand a, pc_operand b, double *out, pc_error *err)
{
    PC_EACH(n, i, err) out[i] = mask[i] != 0 ? (a.v ? a.v[i] : a.x) : (b.v ? b.v[i] : b.x);
    return PC_OK;
}

size_t pc_array_count(size_t n, const double *mask)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += mask[i] != 0;
    return count;
}

bool pc_array_equal(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++)
        if (!(a[i] == b[i])) return false;
    return true;
}

size_t pc_array_bytes(size_t n)
{
    if (n > (PTRDIFF_MAX - sizeof(pc_array)) / sizeof(double)) return 0;
    return sizeof(pc_array) + n * sizeof(double);
}

static pc_status check_ends(double a, double b, size_t n, pc_error *err)
{
    if (!isfinite(a) || !isfinite(b)) return pc_fail(err, PC_E_ARGUMENT, "the ends %g and %g must be finite", a, b);
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "the number of values must be at least 1, not 0");
    if (n == 1 && a != b) return pc_fail(err, PC_E_ARGUMENT, "one value cannot be both %g and %g", a, b);
    return PC_OK;
}

/* a + (b - a) i / (n - 1): the product comes first, so that from 0 to 1 in tenths the values are the decimals. */
pc_status pc_array_linspace(double a, double b, size_t n, double *out, pc_error *err)
{
    pc_status status = check_ends(a, b, n, err);
    if (status != PC_OK) return status;
    double width = b - a, last = (double)(n - 1);
    if (!isfinite(width * last))
        return pc_fail(err, PC_E_ARGUMENT, "the ends %g and %g are too far apart for %zu values", a, b, n);
    PC_EACH(n, i, err) out[i] = a + width * (double)i / last;
    out[0] = a;
    out[n - 1] = b;
    return PC_OK;
}

/* a 10^(d i / (n - 1)), d the number of decades: the decimal logarithm keeps whole decades exact. */
pc_status pc_array_logspace(double a, double b, size_t n, double *out, pc_error *err)
{
    pc_status status = check_ends(a, b, n, err);
    if (status != PC_OK) return status;
    if (!(a > 0 && b > 0) && !(a < 0 && b < 0))
        return pc_fail(err, PC_E_ARGUMENT,
                       "logspace needs two ends of the same sign, not zero; it got %g and %g (they are values, not "
                       "exponents)",
                       a, b);
    double decades = log10(fabs(b)) - log10(fabs(a)), last = (double)(n - 1);
    PC_EACH(n, i, err) out[i] = a * pow(10, decades * (double)i / last);
    out[0] = a;
    out[n - 1] = b;
    return PC_OK;
}

/* Uncertainty of the number of steps from a to b: a, b and step carry half a unit in the last place each from their
 * decimal form, and the difference and the quotient add theirs; together below 2 eps (|a| + |b|) / |step|, doubled
 * for safety. */
static double slack(double a, double b, double step)
{
    return 4 * DBL_EPSILON * (fabs(a) + fabs(b)) / fabs(step);
}

/* b is `count` steps from a, up to rounding. */
static bool meets(double a, double b, double step, size_t count)
{
    return fabs((b - a) / step - (double)count) <= slack(a, b, step);
}

pc_status pc_array_range_count(double a, double b, double step, size_t *n, pc_error *err)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(step))
        return pc_fail(err, PC_E_ARGUMENT, "range needs finite numbers, not %g, %g, %g", a, b, step);
    if (step == 0) return pc_fail(err, PC_E_ARGUMENT, "the step of a range must not be 0");
    double steps = (b - a) / step + slack(a, b, step);
    if (!(steps < 0x1p48)) return pc_fail(err, PC_E_ARGUMENT, "a range from %g to %g by %g is too long", a, b, step);
    *n = steps < 0 ? 0 : (size_t)steps + 1;
    return PC_OK;
}

pc_status pc_array_range(double a, double b, double step, size_t n, double *out, pc_error *err)
{
    PC_EACH(n, i, err) out[i] = a + step * (double)i;
    if (n > 0 && meets(a, b, step, n - 1)) out[n - 1] = b;
    return PC_OK;
}

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
    PC_EACH(n, i, err) {
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
    return PC_OK;
}

/* Extremes, sorting, quantiles.
 *
 * Sorting is a merge sort from the bottom up: stable, n log n whatever the data, and it can be interrupted between
 * two merges of a chunk. NaN has no place in the order and is moved to the end first, so that the merges compare
 * with a plain <.
 */

pc_status pc_array_refuse_nan(size_t n, const double *x, const char *what, pc_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i])) return pc_fail(err, PC_E_ARGUMENT, "%s is not a number at [%zu]", what, i + 1);
    return PC_OK;
}

pc_status pc_array_extremes(size_t n, const double *x, size_t *least, size_t *greatest, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "an empty array has no least or greatest element");
    size_t lo = 0, hi = 0;
    PC_EACH(n, i, err) {
        if (isnan(x[i])) return pc_array_refuse_nan(n, x, "the array", err);
        if (x[i] < x[lo]) lo = i;
        if (x[i] > x[hi]) hi = i;
    }
    *least = lo;
    *greatest = hi;
    return PC_OK;
}

/* A number with the position it came from. */
typedef struct item {
    double key;
    size_t position;
} item;

enum { RUN = 16 }; /* runs of this length are made by insertion; divides PC_ARRAY_CHUNK */

/* SORT(T, KEY): insertion_T, merge_T and sort_T for elements of type T ordered by KEY(element). */
#define SORT(T, KEY)                                                                                                   \
    static void insertion_##T(size_t n, T *x)                                                                          \
    {                                                                                                                  \
        for (size_t i = 1; i < n; i++) {                                                                               \
            T moved = x[i];                                                                                            \
            size_t j = i;                                                                                              \
            for (; j > 0 && KEY(moved) < KEY(x[j - 1]); j--) x[j] = x[j - 1];                                          \
            x[j] = moved;                                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* [from, middle) and [middle, to) of x into the same places of out; equals of the left come first */              \
    static void merge_##T(const T *x, size_t from, size_t middle, size_t to, T *out)                                   \
    {                                                                                                                  \
        size_t i = from, j = middle, k = from;                                                                         \
        while (i < middle && j < to) {                                                                                 \
            bool right = KEY(x[j]) < KEY(x[i]);                                                                        \
            out[k++] = right ? x[j] : x[i];                                                                            \
            i += !right;                                                                                               \
            j += right;                                                                                                \
        }                                                                                                              \
        memcpy(out + k, x + i, (middle - i) * sizeof(T));                                                              \
        memcpy(out + k + (middle - i), x + j, (to - j) * sizeof(T));                                                   \
    }                                                                                                                  \
                                                                                                                       \
    /* Sorts x with `spare` of the same size; *sorted says which of the two holds the result. */                       \
    static pc_status sort_##T(size_t n, T *x, T *spare, T **sorted, pc_error *err)                                     \
    {                                                                                                                  \
        PC_CHUNKS(n, start, end, err)                                                                                  \
        {                                                                                                              \
            for (size_t i = start; i < end; i += RUN) insertion_##T(end - i < RUN ? end - i : RUN, x + i);             \
        }                                                                                                              \
        for (size_t width = RUN; width < n; width *= 2) {                                                              \
            size_t looked = 0;                                                                                         \
            for (size_t i = 0; i < n; i += 2 * width) {                                                                \
                size_t middle = n - i < width ? n : i + width;                                                         \
                size_t to = n - i < 2 * width ? n : i + 2 * width;                                                     \
                merge_##T(x, i, middle, to, spare);                                                                    \
                if (to - looked >= PC_ARRAY_CHUNK && pc_interrupted())                                                 \
                    return pc_fail(err, PC_E_INTERRUPTED, "interrupted while sorting %zu elements", n);                \
                if (to - looked >= PC_ARRAY_CHUNK) looked = to;                                                        \
            }                                                                                                          \
            T *swap = x;                                                                                               \
            x = spare;                                                                                                 \
            spare = swap;                                                                                              \
        }                                                                                                              \
        *sorted = x;                                                                                                   \
        return PC_OK;                                                                                                  \
    }

#define ITSELF(x) (x)
#define KEY_OF(x) ((x).key)
SORT(double, ITSELF)
SORT(item, KEY_OF)

static bool ascends(size_t n, const double *x)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] < x[i - 1]) return false;
    return true;
}

/* Moves the numbers to the front in their order; the NaN left over go behind. Returns how many numbers there are. */
static size_t nan_last(size_t n, double *x)
{
    size_t numbers = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i])) x[numbers++] = x[i];
    for (size_t i = numbers; i < n; i++) x[i] = NAN;
    return numbers;
}

pc_status pc_array_sort(size_t n, double *x, pc_error *err)
{
    n = nan_last(n, x);
    if (ascends(n, x)) return PC_OK;
    double *spare = pc_calloc(n, sizeof *spare), *sorted = x;
    if (!spare) return pc_fail(err, PC_E_MEMORY, "no memory to sort %zu elements", n);
    pc_status status = sort_double(n, x, spare, &sorted, err);
    if (sorted != x) memcpy(x, sorted, n * sizeof *x);
    pc_free(spare);
    return status;
}

pc_status pc_array_argsort(size_t n, const double *x, double base, double *out, pc_error *err)
{
    item *items = pc_calloc(n, sizeof *items), *spare = pc_calloc(n, sizeof *spare), *sorted = items;
    if (!items || !spare) {
        pc_free(items);
        pc_free(spare);
        return pc_fail(err, PC_E_MEMORY, "no memory to sort %zu elements", n);
    }
    size_t numbers = 0, at_end = n;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i])) items[numbers++] = (item){x[i], i};
    for (size_t i = n; i-- > 0;)
        if (isnan(x[i])) out[--at_end] = base + (double)i;
    pc_status status = sort_item(numbers, items, spare, &sorted, err);
    if (status == PC_OK)
        for (size_t i = 0; i < numbers; i++) out[i] = base + (double)sorted[i].position;
    pc_free(items);
    pc_free(spare);
    return status;
}

pc_status pc_array_quantile(size_t n, const double *sorted, size_t n_q, const double *q, double *out, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "an empty array has no quantiles");
    for (size_t i = 0; i < n_q; i++) {
        if (!(q[i] >= 0 && q[i] <= 1))
            return pc_fail(err, PC_E_ARGUMENT, "a quantile must be from 0 to 1, not %g", q[i]);
        double place = q[i] * (double)(n - 1), below = floor(place), part = place - below;
        size_t k = (size_t)below;
        /* without the test an infinite neighbour of weight zero would give NaN */
        out[i] = part == 0 ? sorted[k] : (1 - part) * sorted[k] + part * sorted[k + 1];
    }
    return PC_OK;
}

size_t pc_array_unique(size_t n, double *sorted)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool repeated = kept > 0 && (sorted[i] == sorted[kept - 1] || (isnan(sorted[i]) && isnan(sorted[kept - 1])));
        if (!repeated) sorted[kept++] = sorted[i];
    }
    return kept;
}

/* Sums and what follows from them. */

pc_status pc_array_sum(size_t n, const double *x, double *sum, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_EACH(n, i, err) pc_compensated_add(&a, x[i]);
    *sum = pc_compensated_total(a);
    return PC_OK;
}

pc_status pc_array_dot(size_t n, const double *x, const double *y, double *dot, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_EACH(n, i, err) pc_compensated_add(&a, x[i] * y[i]);
    *dot = pc_compensated_total(a);
    return PC_OK;
}

pc_status pc_array_product(size_t n, const double *x, double *product, pc_error *err)
{
    double p = 1;
    PC_EACH(n, i, err) p *= x[i];
    *product = p;
    return PC_OK;
}

pc_status pc_array_mean(size_t n, const double *x, double *mean, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "an empty array has no mean");
    pc_status status = pc_array_sum(n, x, mean, err);
    *mean /= (double)n;
    return status;
}

/* Two passes; the second sum corrects the rounding of the mean (Chan, Golub and LeVeque, Amer. Statistician 37,
 * 1983, equation 1.7). */
pc_status pc_array_variance(size_t n, const double *x, size_t lost, double *variance, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "an empty array has no variance");
    if (n <= lost)
        return pc_fail(err, PC_E_ARGUMENT,
                       "a variance with %zu degrees of freedom lost needs more than %zu elements, not %zu", lost, lost,
                       n);
    double mean;
    pc_status status = pc_array_mean(n, x, &mean, err);
    if (status != PC_OK) return status;
    pc_compensated squares = {0, 0}, rest = {0, 0};
    PC_EACH(n, i, err) {
        double d = x[i] - mean;
        pc_compensated_add(&squares, d * d);
        pc_compensated_add(&rest, d);
    }
    double r = pc_compensated_total(rest);
    *variance = (pc_compensated_total(squares) - r * r / (double)n) / (double)(n - lost);
    return PC_OK;
}

/* Greatest magnitude; NaN if any element is. */
static pc_status norm_inf(size_t n, const double *x, double *norm, pc_error *err)
{
    double most = 0;
    bool nan = false;
    PC_EACH(n, i, err) {
        double m = fabs(x[i]);
        most = m > most ? m : most;
        nan |= isnan(m);
    }
    *norm = nan ? NAN : most;
    return PC_OK;
}

static pc_status norm_1(size_t n, const double *x, double *norm, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_EACH(n, i, err) pc_compensated_add(&a, fabs(x[i]));
    *norm = pc_compensated_total(a);
    return PC_OK;
}

/* Scaled by a power of two near the greatest element: exact, and no square overflows; what underflows is too small
 * to matter. */
static pc_status norm_2(size_t n, const double *x, double *norm, pc_error *err)
{
    double most = 0;
    pc_status status = norm_inf(n, x, &most, err);
    *norm = most;
    if (status != PC_OK || !isfinite(most) || most == 0) return status;
    int exponent;
    frexp(most, &exponent);
    if (exponent < -1000) exponent = -1000; /* 2^1000 is in range and lifts any subnormal out of danger */
    double scale = ldexp(1, -exponent);
    pc_compensated a = {0, 0};
    PC_EACH(n, i, err) {
        double s = x[i] * scale;
        pc_compensated_add(&a, s * s);
    }
    *norm = ldexp(sqrt(pc_compensated_total(a)), exponent);
    return PC_OK;
}

pc_status pc_array_norm(size_t n, const double *x, double p, double *norm, pc_error *err)
{
    if (p == 1) return norm_1(n, x, norm, err);
    if (p == 2) return norm_2(n, x, norm, err);
    if (p == INFINITY) return norm_inf(n, x, norm, err);
    return pc_fail(err, PC_E_ARGUMENT, "the norm must be 1, 2 or math.huge, not %g", p);
}

pc_status pc_array_cumsum(size_t n, const double *x, double *out, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_EACH(n, i, err) {
        pc_compensated_add(&a, x[i]);
        out[i] = pc_compensated_total(a);
    }
    return PC_OK;
}

pc_status pc_array_cumprod(size_t n, const double *x, double *out, pc_error *err)
{
    double p = 1;
    PC_EACH(n, i, err) out[i] = p *= x[i];
    return PC_OK;
}
