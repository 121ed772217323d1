/* Kernels of arrays: order, searching, interpolation. Where a result is exact in binary arithmetic the tests demand
 * equality; other bounds say why they have their size. */
#include "math/array.h"
#include "array_numbers.h"
#include "unit.h"

#include "base/alloc.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- order ---- */

/* Random numbers with many repetitions, and every tenth or so NaN. */
static void fill_with_repetitions(size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = number() < 0.1 ? NAN : floor(number() * (double)(n / 3 + 1));
}

static const size_t sizes[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 100, 1000, 65536, 65537, 200000};

START_TEST(sorting_gives_an_ascending_permutation_with_nan_last)
{
    for (size_t k = 0; k < COUNT(sizes); k++) {
        size_t n = sizes[k], nan = 0, numbers;
        double *x = pc_calloc(n, sizeof *x), before = 0, after = 0;
        fill_with_repetitions(n, x);
        for (size_t i = 0; i < n; i++) {
            if (isnan(x[i]))
                nan++;
            else
                before += x[i]; /* integers below 2^53: exact in any order */
        }
        ck_assert_int_eq(pc_array_sort(n, x, NULL), PC_OK);
        numbers = n - nan;
        for (size_t i = 0; i < numbers; i++) after += x[i];
        ck_assert_double_eq(before, after);
        for (size_t i = 1; i < numbers; i++) ck_assert(x[i - 1] <= x[i]);
        for (size_t i = numbers; i < n; i++) ck_assert_double_nan(x[i]);
        pc_free(x);
    }
}
END_TEST

START_TEST(argsort_keeps_equal_elements_in_their_order)
{
    for (size_t k = 0; k < COUNT(sizes); k++) {
        size_t n = sizes[k];
        double *x = pc_calloc(n, sizeof *x), *place = pc_calloc(n, sizeof *place);
        unsigned char *seen = pc_calloc(n, 1);
        fill_with_repetitions(n, x);
        ck_assert_int_eq(pc_array_argsort(n, x, 1, place, NULL), PC_OK);
        for (size_t i = 0; i < n; i++) {
            size_t p = (size_t)place[i] - 1;
            ck_assert_uint_lt(p, n);
            ck_assert(!seen[p]);
            seen[p] = 1;
            if (i == 0) continue;
            double last = x[(size_t)place[i - 1] - 1];
            bool tie = last == x[p] || (isnan(last) && isnan(x[p]));
            ck_assert(tie ? place[i - 1] < place[i] : last < x[p] || isnan(x[p]));
        }
        pc_free(x);
        pc_free(place);
        pc_free(seen);
    }
}
END_TEST

START_TEST(sorting_without_memory_says_so_and_leaks_nothing)
{
    double x[] = {3, 1, 2}, place[3];
    long live = pc_alloc_live();
    pc_error err;
    pc_alloc_fail_after(0);
    ck_assert_int_eq(pc_array_sort(3, x, &err), PC_E_MEMORY);
    for (long n = 0; n < 2; n++) {
        pc_alloc_fail_after(n);
        ck_assert_int_eq(pc_array_argsort(3, x, 0, place, &err), PC_E_MEMORY);
    }
    pc_alloc_fail_after(-1);
    ck_assert_int_eq(pc_alloc_live(), live);
}
END_TEST

START_TEST(extremes_are_the_first_of_equals_and_refuse_nan)
{
    const double x[] = {2, 5, 1, 5, 1}, nan[] = {1, NAN};
    size_t lo = 9, hi = 9;
    pc_error err;
    ck_assert_int_eq(pc_array_extremes(5, x, &lo, &hi, &err), PC_OK);
    ck_assert(lo == 2 && hi == 1);
    ck_assert_int_eq(pc_array_extremes(2, nan, &lo, &hi, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "[2]"));
    ck_assert_int_eq(pc_array_extremes(0, nan, &lo, &hi, &err), PC_E_ARGUMENT);
}
END_TEST

START_TEST(quantiles_follow_definition_seven)
{
    /* 1 + q (n - 1) is the fractional rank: 2.2 for q = 0.3, n = 5 */
    const double x[] = {10, 20, 40, 80, 160}, q[] = {0, 0.3, 0.5, 1};
    double out[4];
    ck_assert_int_eq(pc_array_quantile(5, x, 4, q, out, NULL), PC_OK);
    ck_assert_double_eq(out[0], 10);
    ck_assert_double_eq_tol(out[1], 24, 4 * DBL_EPSILON * 24); /* 0.3 * 4 and the weights are rounded */
    ck_assert_double_eq(out[2], 40);
    ck_assert_double_eq(out[3], 160);
    const double ends[] = {-INFINITY, 0, INFINITY}, half = 0.5, bad = 1.5;
    ck_assert_int_eq(pc_array_quantile(3, ends, 1, &half, out, NULL), PC_OK);
    ck_assert_double_eq(out[0], 0);
    ck_assert_int_eq(pc_array_quantile(3, ends, 1, &bad, out, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_quantile(0, ends, 1, &half, out, NULL), PC_E_ARGUMENT);
}
END_TEST

START_TEST(unique_keeps_one_of_each)
{
    double x[] = {1, 1, 2, 3, 3, 3, NAN, NAN};
    ck_assert_uint_eq(pc_array_unique(8, x), 4);
    ck_assert(x[0] == 1 && x[1] == 2 && x[2] == 3 && isnan(x[3]));
    ck_assert_uint_eq(pc_array_unique(0, x), 0);
}
END_TEST

/* ---- searching and interpolation ---- */

START_TEST(searching_counts_the_elements_not_above)
{
    const double x[] = {10, 20, 20, 30};
    const struct {
        double value;
        size_t count;
    } cases[] = {{-INFINITY, 0}, {9, 0}, {10, 1}, {15, 1}, {20, 3}, {29.9, 3}, {30, 4}, {INFINITY, 4}};
    for (size_t i = 0; i < COUNT(cases); i++) ck_assert_uint_eq(pc_array_search(4, x, cases[i].value), cases[i].count);
    ck_assert_uint_eq(pc_array_search(0, x, 1), 0);
}
END_TEST

START_TEST(interpolation_is_exact_at_the_knots_in_any_order)
{
    enum { N = 500 };
    double xs[N], ys[N], x[N], out[N];
    double at = 0;
    for (int i = 0; i < N; i++) {
        xs[i] = at += 0.01 + number();
        ys[i] = number() * 1e3;
    }
    ck_assert_int_eq(pc_array_interp(N, xs, N, xs, ys, PC_OUTSIDE_ERROR, 0, out, NULL), PC_OK);
    ck_assert(pc_array_equal(N, out, ys));
    for (int i = 0; i < N; i++) x[i] = xs[i * 211 % N]; /* 211 is coprime to 500: all knots, shuffled */
    ck_assert_int_eq(pc_array_interp(N, x, N, xs, ys, PC_OUTSIDE_ERROR, 0, out, NULL), PC_OK);
    for (int i = 0; i < N; i++) ck_assert_double_eq(out[i], ys[i * 211 % N]);
}
END_TEST

START_TEST(interpolation_between_knots_lies_on_the_chord)
{
    const double xs[] = {0, 1, 3}, ys[] = {0, 10, -10}, x[] = {0.25, 0.75, 1.5, 2.5, 0.5};
    const double expected[] = {2.5, 7.5, 5, -5, 5};
    double out[5];
    ck_assert_int_eq(pc_array_interp(5, x, 3, xs, ys, PC_OUTSIDE_ERROR, 0, out, NULL), PC_OK);
    for (int i = 0; i < 5; i++) ck_assert_double_eq(out[i], expected[i]);
}
END_TEST

START_TEST(values_outside_the_data_are_refused_held_or_filled)
{
    const double xs[] = {0, 1}, ys[] = {5, 7}, x[] = {-1, 0.5, 2};
    double out[3];
    pc_error err;
    ck_assert_int_eq(pc_array_interp(3, x, 2, xs, ys, PC_OUTSIDE_ERROR, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "x[1] = -1"));
    ck_assert_int_eq(pc_array_interp(3, x, 2, xs, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_OK);
    ck_assert(out[0] == 5 && out[1] == 6 && out[2] == 7);
    ck_assert_int_eq(pc_array_interp(3, x, 2, xs, ys, PC_OUTSIDE_FILL, -9, out, &err), PC_OK);
    ck_assert(out[0] == -9 && out[1] == 6 && out[2] == -9);
}
END_TEST

START_TEST(interpolation_refuses_disorder)
{
    const double twice[] = {0, 1, 1}, down[] = {1, 0, -1}, nan[] = {0, NAN, 2}, far[] = {0, 1, INFINITY};
    const double ys[] = {0, 0, 0}, x[] = {0}, no[] = {NAN}, one[] = {0}, lone = NAN;
    double out[1];
    pc_error err;
    ck_assert_int_eq(pc_array_interp(1, x, 3, twice, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "strictly ascending"));
    ck_assert_int_eq(pc_array_interp(1, x, 3, down, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_interp(1, x, 3, nan, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_interp(1, x, 3, far, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_interp(1, x, 0, far, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_interp(1, x, 1, &lone, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_interp(1, no, 1, one, ys, PC_OUTSIDE_HOLD, 0, out, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_interp(1, x, 1, one, ys, PC_OUTSIDE_ERROR, 0, out, &err), PC_OK);
    ck_assert_double_eq(out[0], 0);
}
END_TEST

UNIT_MAIN("array order", 30, sorting_gives_an_ascending_permutation_with_nan_last,
          argsort_keeps_equal_elements_in_their_order, sorting_without_memory_says_so_and_leaks_nothing,
          extremes_are_the_first_of_equals_and_refuse_nan, quantiles_follow_definition_seven, unique_keeps_one_of_each,
          searching_counts_the_elements_not_above, interpolation_is_exact_at_the_knots_in_any_order,
          interpolation_between_knots_lies_on_the_chord, values_outside_the_data_are_refused_held_or_filled,
          interpolation_refuses_disorder)
