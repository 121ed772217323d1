/* Extremes, sorting, quantiles: see array.h.
 *
 * Sorting is a merge sort from the bottom up: stable, n log n whatever the data, and it can be interrupted between
 * two merges of a chunk. NaN has no place in the order and is moved to the end first, so that the merges compare
 * with a plain <.
 */
#include "math/array.h"
#include "math/array_loop.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

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
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) {
            if (isnan(x[i])) return pc_array_refuse_nan(n, x, "the array", err);
            if (x[i] < x[lo]) lo = i;
            if (x[i] > x[hi]) hi = i;
        }
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
