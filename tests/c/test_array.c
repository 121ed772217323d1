/* Kernels of arrays. Where a result is exact in binary arithmetic the tests demand equality; other bounds are given
 * in units of the last place and say why. */
#include "math/array.h"

#include "base/alloc.h"
#include "base/interrupt.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static double number(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13; /* xorshift64 of Marsaglia */
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

/* ---- sequences ---- */

START_TEST(linspace_hits_both_ends_and_the_decimals_between)
{
    double x[11];
    ck_assert_int_eq(pc_array_linspace(0, 1, 11, x, NULL), PC_OK);
    for (int i = 0; i < 11; i++) ck_assert_double_eq(x[i], i / 10.0);
    ck_assert_int_eq(pc_array_linspace(0.1, -0.7, 7, x, NULL), PC_OK);
    ck_assert_double_eq(x[0], 0.1);
    ck_assert_double_eq(x[6], -0.7);
    for (int i = 1; i < 7; i++) ck_assert_double_lt(x[i], x[i - 1]);
}
END_TEST

START_TEST(one_value_cannot_be_two)
{
    double x[3];
    pc_error err;
    ck_assert_int_eq(pc_array_linspace(2, 2, 1, x, &err), PC_OK);
    ck_assert_double_eq(x[0], 2);
    ck_assert_int_eq(pc_array_linspace(1, 2, 1, x, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_linspace(1, 2, 0, x, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_linspace(0, NAN, 1, x, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_linspace(-DBL_MAX, DBL_MAX, 3, x, &err), PC_E_ARGUMENT);
}
END_TEST

START_TEST(logspace_keeps_whole_decades_exact)
{
    double x[7];
    ck_assert_int_eq(pc_array_logspace(1e-3, 1e3, 7, x, NULL), PC_OK);
    const double decades[] = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};
    for (int i = 0; i < 7; i++) ck_assert_double_eq(x[i], decades[i]);
    ck_assert_int_eq(pc_array_logspace(-8, -2, 3, x, NULL), PC_OK);
    /* one pow and one product */
    ck_assert_double_eq_tol(x[1], -4, 4 * 4 * DBL_EPSILON);
    ck_assert_int_eq(pc_array_logspace(-1, 1, 3, x, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_logspace(0, 1, 3, x, NULL), PC_E_ARGUMENT);
}
END_TEST

START_TEST(a_range_counts_an_end_that_only_rounding_misses)
{
    const struct {
        double a, b, step;
        size_t n;
        double last;
    } cases[] = {
        {0, 0.3, 0.1, 4, 0.3}, {0, 1, 0.1, 11, 1}, {1000.1, 1000.3, 0.1, 3, 1000.3}, {0, 0.29, 0.1, 3, 0.2},
        {1, -1, -0.5, 5, -1},  {5, 5, 1, 1, 5},    {0, 0.3 - 1e-12, 0.1, 3, 0.2},    {-0.3, 0, 0.1, 4, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t n = 0;
        double x[16];
        ck_assert_int_eq(pc_array_range_count(cases[i].a, cases[i].b, cases[i].step, &n, NULL), PC_OK);
        ck_assert_uint_eq(n, cases[i].n);
        ck_assert_int_eq(pc_array_range(cases[i].a, cases[i].b, cases[i].step, n, x, NULL), PC_OK);
        ck_assert_double_eq(x[0], cases[i].a);
        ck_assert_double_eq(x[n - 1], cases[i].last);
    }
    size_t n = 7;
    ck_assert_int_eq(pc_array_range_count(1, 0, 1, &n, NULL), PC_OK);
    ck_assert_uint_eq(n, 0);
    ck_assert_int_eq(pc_array_range_count(0, 1, 0, &n, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_range_count(0, 1, 1e-300, &n, NULL), PC_E_ARGUMENT);
}
END_TEST

START_TEST(a_size_that_no_object_can_have_is_zero)
{
    ck_assert_uint_eq(pc_array_bytes(3), sizeof(pc_array) + 3 * sizeof(double));
    ck_assert_uint_eq(pc_array_bytes(SIZE_MAX / 8), 0);
    ck_assert_uint_eq(pc_array_bytes(SIZE_MAX), 0);
}
END_TEST

/* ---- element by element ---- */

START_TEST(remainder_and_floor_division_are_those_of_lua)
{
    const double a[] = {7, -7, 7, -7, 6, -6, 5.5, -1, 1, 0};
    const double b[] = {3, 3, -3, -3, 3, 3, -2, INFINITY, -INFINITY, 5};
    const double mod[] = {1, 2, -2, -1, 0, 0, -0.5, INFINITY, -INFINITY, 0};
    const double idiv[] = {2, -3, -3, 2, 2, -2, -3, 0, 0, 0}; /* -1 // inf is -0.0 in Lua */
    double out[COUNT(a)];
    ck_assert_int_eq(pc_array_each2(PC_BINARY_mod, COUNT(a), (pc_operand){a, 0}, (pc_operand){b, 0}, out, NULL), PC_OK);
    for (size_t i = 0; i < COUNT(a); i++) ck_assert_double_eq(out[i], mod[i]);
    ck_assert_int_eq(pc_array_each2(PC_BINARY_idiv, COUNT(a), (pc_operand){a, 0}, (pc_operand){b, 0}, out, NULL),
                     PC_OK);
    for (size_t i = 0; i < COUNT(a); i++) ck_assert_double_eq(out[i], idiv[i]);
}
END_TEST

START_TEST(a_number_stands_for_an_array_on_either_side)
{
    const double a[] = {1, 2, 4};
    pc_operand array = {a, 0}, two = {NULL, 2};
    double out[3];
    pc_array_each2(PC_BINARY_sub, 3, array, two, out, NULL);
    ck_assert(out[0] == -1 && out[1] == 0 && out[2] == 2);
    pc_array_each2(PC_BINARY_div, 3, two, array, out, NULL);
    ck_assert(out[0] == 2 && out[1] == 1 && out[2] == 0.5);
    pc_array_each2(PC_BINARY_le, 3, two, two, out, NULL);
    ck_assert(out[0] == 1 && out[1] == 1 && out[2] == 1);
}
END_TEST

START_TEST(every_chunk_of_a_long_array_is_computed)
{
    enum { N = 3 * 65536 + 17 };
    double *x = pc_calloc(N, sizeof *x);
    for (int i = 0; i < N; i++) x[i] = i;
    ck_assert_int_eq(pc_array_each2(PC_BINARY_mul, N, (pc_operand){x, 0}, (pc_operand){x, 0}, x, NULL), PC_OK);
    ck_assert_int_eq(pc_array_each(PC_UNARY_sqrt, N, x, x, NULL), PC_OK);
    for (int i = 0; i < N; i++) ck_assert_double_eq(x[i], i);
    pc_free(x);
}
END_TEST

START_TEST(the_sign_of_nan_is_nan)
{
    const double x[] = {-2, -0.0, 0, 3, NAN};
    double out[5];
    pc_array_each(PC_UNARY_sign, 5, x, out, NULL);
    ck_assert(out[0] == -1 && out[1] == 0 && out[2] == 0 && out[3] == 1);
    ck_assert_double_nan(out[4]);
    ck_assert_int_eq(pc_array_clip(5, x, -1, 1, out, NULL), PC_OK);
    ck_assert(out[0] == -1 && out[3] == 1);
    ck_assert_double_nan(out[4]);
    ck_assert_int_eq(pc_array_clip(5, x, 1, -1, out, NULL), PC_E_ARGUMENT);
}
END_TEST

START_TEST(functions_are_found_by_name)
{
    ck_assert_int_eq(pc_array_unary_find("sqrt"), PC_UNARY_sqrt);
    ck_assert_int_eq(pc_array_unary_find("sqroot"), PC_N_UNARY);
    ck_assert_str_eq(pc_array_unary_name(PC_UNARY_expm1), "expm1");
}
END_TEST

START_TEST(arrays_with_nan_equal_nothing)
{
    const double a[] = {1, 2}, b[] = {1, 2}, c[] = {1, NAN};
    ck_assert(pc_array_equal(2, a, b));
    ck_assert(!pc_array_equal(2, a, c));
    ck_assert(!pc_array_equal(2, c, c));
    ck_assert(pc_array_equal(0, a, c));
}
END_TEST

/* ---- sums ---- */

START_TEST(a_sum_keeps_what_plain_addition_loses)
{
    const double x[] = {1, 1e100, 1, -1e100};
    double sum = 0;
    ck_assert_int_eq(pc_array_sum(4, x, &sum, NULL), PC_OK);
    ck_assert_double_eq(sum, 2);
    double partial[4];
    pc_array_cumsum(4, x, partial, NULL);
    ck_assert(partial[0] == 1 && partial[1] == 1e100 && partial[2] == 1e100 && partial[3] == 2);
}
END_TEST

/* The reference is compensated too, in the wider type: its own error is below 2^-64 of the sum of magnitudes, and the
 * data cancel by less than 2^10. So the only error left is the final rounding. */
START_TEST(a_long_sum_is_right_to_the_last_place)
{
    enum { N = 200000 };
    double *x = pc_calloc(N, sizeof *x);
    long double exact = 0, lost = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (number() - 0.49) * exp(20 * (number() - 0.5));
        long double t = exact + x[i];
        lost += fabsl(exact) >= fabsl((long double)x[i]) ? (exact - t) + x[i] : (x[i] - t) + exact;
        exact = t;
    }
    exact += lost;
    double sum = 0, plain = 0;
    ck_assert_int_eq(pc_array_sum(N, x, &sum, NULL), PC_OK);
    ck_assert_double_le(fabs((double)((long double)sum - exact)), DBL_EPSILON * fabs((double)exact));
    for (int i = 0; i < N; i++) plain += x[i];
    ck_assert_double_gt(fabs((double)((long double)plain - exact)), fabs((double)((long double)sum - exact)));
    pc_free(x);
}
END_TEST

START_TEST(infinite_terms_give_what_plain_addition_gives)
{
    const double up[] = {1, INFINITY, 2}, both[] = {INFINITY, -INFINITY}, nan[] = {1, NAN};
    double sum = 0;
    pc_array_sum(3, up, &sum, NULL);
    ck_assert_double_eq(sum, INFINITY);
    pc_array_sum(2, both, &sum, NULL);
    ck_assert_double_nan(sum);
    pc_array_sum(2, nan, &sum, NULL);
    ck_assert_double_nan(sum);
    pc_array_sum(0, nan, &sum, NULL);
    ck_assert_double_eq(sum, 0);
}
END_TEST

/* The mean and the deviations are exact here; a sum of squares minus a square of the sum would lose all digits. */
START_TEST(variance_does_not_suffer_from_a_large_mean)
{
    const double x[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    double variance = 0;
    ck_assert_int_eq(pc_array_variance(4, x, 1, &variance, NULL), PC_OK);
    ck_assert_double_eq(variance, 30);
    ck_assert_int_eq(pc_array_variance(4, x, 0, &variance, NULL), PC_OK);
    ck_assert_double_eq(variance, 22.5);
    ck_assert_int_eq(pc_array_variance(1, x, 1, &variance, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_mean(0, x, &variance, NULL), PC_E_ARGUMENT);
}
END_TEST

/* Squares, sum and root: three roundings, so two units in the last place are generous. */
START_TEST(the_norm_neither_overflows_nor_underflows)
{
    const double large[] = {3e300, -4e300}, small[] = {3e-310, 4e-310}, zero[] = {0, -0.0}, odd[] = {1, NAN};
    double norm = 0;
    pc_array_norm(2, large, 2, &norm, NULL);
    ck_assert_double_eq_tol(norm, 5e300, 2 * DBL_EPSILON * 5e300);
    pc_array_norm(2, small, 2, &norm, NULL);
    ck_assert_double_eq_tol(norm, 5e-310, 2 * 0x1p-1074);
    pc_array_norm(2, zero, 2, &norm, NULL);
    ck_assert_double_eq(norm, 0);
    pc_array_norm(2, odd, 2, &norm, NULL);
    ck_assert_double_nan(norm);
    pc_array_norm(2, large, 1, &norm, NULL);
    ck_assert_double_eq(norm, 7e300);
    pc_array_norm(2, large, INFINITY, &norm, NULL);
    ck_assert_double_eq(norm, 4e300);
    ck_assert_int_eq(pc_array_norm(2, large, 3, &norm, NULL), PC_E_ARGUMENT);
}
END_TEST

START_TEST(products_are_summed_with_compensation)
{
    const double a[] = {1e50, 1, 1e50}, b[] = {1e50, 3, -1e50};
    double dot = 0;
    ck_assert_int_eq(pc_array_dot(3, a, b, &dot, NULL), PC_OK);
    ck_assert_double_eq(dot, 3);
}
END_TEST

/* ---- calculus ---- */

/* All numbers below are short binary fractions, so the parabola's derivative comes out exactly. */
START_TEST(the_gradient_of_a_parabola_is_exact_on_any_grid)
{
    const double x[] = {-1, 0, 2, 4, 8, 16};
    double y[6], slope[6];
    for (int i = 0; i < 6; i++) y[i] = 3 * x[i] * x[i] - 5 * x[i] + 1;
    ck_assert_int_eq(pc_array_gradient(6, y, (pc_abscissae){x, 0}, slope, NULL), PC_OK);
    /* the weights g / (g + h) are 1/3, 1/2, 1/3, 1/3: rounded, hence a few units in the last place of the terms */
    for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(slope[i], 6 * x[i] - 5, 8 * DBL_EPSILON * 91);
    const double falling[] = {16, 8, 4, 2, 0, -1};
    for (int i = 0; i < 6; i++) y[i] = 3 * falling[i] * falling[i];
    ck_assert_int_eq(pc_array_gradient(6, y, (pc_abscissae){falling, 0}, slope, NULL), PC_OK);
    for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(slope[i], 6 * falling[i], 8 * DBL_EPSILON * 96);
}
END_TEST

START_TEST(the_gradient_refuses_what_has_no_derivative)
{
    const double x[] = {0, 1, 1, 2}, y[] = {0, 1, 2, 3}, nan[] = {0, 1, NAN, 2};
    double slope[4];
    pc_error err;
    ck_assert_int_eq(pc_array_gradient(4, y, (pc_abscissae){x, 0}, slope, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "x[2] is 1 and x[3] is 1"));
    ck_assert_int_eq(pc_array_gradient(4, y, (pc_abscissae){nan, 0}, slope, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_gradient(4, y, (pc_abscissae){NULL, 0}, slope, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_gradient(1, y, (pc_abscissae){NULL, 1}, slope, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_array_gradient(2, y, (pc_abscissae){NULL, 0.5}, slope, &err), PC_OK);
    ck_assert(slope[0] == 2 && slope[1] == 2);
}
END_TEST

START_TEST(the_trapezoidal_rule_is_exact_for_lines)
{
    const double x[] = {0, 0.5, 2, 8}, y[] = {1, 2, 5, 17}; /* 2 x + 1 */
    double integral = 0, partial[4];
    ck_assert_int_eq(pc_array_trapz(4, y, (pc_abscissae){x, 0}, &integral, NULL), PC_OK);
    ck_assert_double_eq(integral, 72); /* x^2 + x at 8 */
    ck_assert_int_eq(pc_array_cumtrapz(4, y, (pc_abscissae){x, 0}, partial, NULL), PC_OK);
    for (int i = 0; i < 4; i++) ck_assert_double_eq(partial[i], x[i] * x[i] + x[i]);
    pc_array_trapz(1, y, (pc_abscissae){x, 0}, &integral, NULL);
    ck_assert_double_eq(integral, 0);
    pc_array_trapz(0, y, (pc_abscissae){x, 0}, &integral, NULL);
    ck_assert_double_eq(integral, 0);
}
END_TEST

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

/* ---- interruption ---- */

START_TEST(a_raised_flag_stops_every_long_loop)
{
    double x[100], out[100], r = 0;
    for (int i = 0; i < 100; i++) x[i] = 100 - i;
    size_t lo, hi;
    pc_operand a = {x, 0};
    long live = pc_alloc_live();
    pc_error err;
    pc_interrupt_flag = 1;
    ck_assert_int_eq(pc_array_linspace(0, 1, 100, out, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_each(PC_UNARY_exp, 100, x, out, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_each2(PC_BINARY_pow, 100, a, a, out, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_sum(100, x, &r, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_variance(100, x, 1, &r, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_norm(100, x, 2, &r, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_extremes(100, x, &lo, &hi, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_sort(100, x, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_argsort(100, x, 0, out, &err), PC_E_INTERRUPTED);
    ck_assert_int_eq(pc_array_cumtrapz(100, x, (pc_abscissae){NULL, 1}, out, &err), PC_E_INTERRUPTED);
    pc_interrupt_flag = 0;
    ck_assert_int_eq(pc_alloc_live(), live);
    ck_assert_int_eq(pc_array_sum(100, x, &r, &err), PC_OK);
}
END_TEST

UNIT_MAIN("array", 30, linspace_hits_both_ends_and_the_decimals_between, one_value_cannot_be_two,
          logspace_keeps_whole_decades_exact, a_range_counts_an_end_that_only_rounding_misses,
          a_size_that_no_object_can_have_is_zero, remainder_and_floor_division_are_those_of_lua,
          a_number_stands_for_an_array_on_either_side, every_chunk_of_a_long_array_is_computed, the_sign_of_nan_is_nan,
          functions_are_found_by_name, arrays_with_nan_equal_nothing, a_sum_keeps_what_plain_addition_loses,
          a_long_sum_is_right_to_the_last_place, infinite_terms_give_what_plain_addition_gives,
          variance_does_not_suffer_from_a_large_mean, the_norm_neither_overflows_nor_underflows,
          products_are_summed_with_compensation, the_gradient_of_a_parabola_is_exact_on_any_grid,
          the_gradient_refuses_what_has_no_derivative, the_trapezoidal_rule_is_exact_for_lines,
          sorting_gives_an_ascending_permutation_with_nan_last, argsort_keeps_equal_elements_in_their_order,
          sorting_without_memory_says_so_and_leaks_nothing, extremes_are_the_first_of_equals_and_refuse_nan,
          quantiles_follow_definition_seven, unique_keeps_one_of_each, searching_counts_the_elements_not_above,
          interpolation_is_exact_at_the_knots_in_any_order, interpolation_between_knots_lies_on_the_chord,
          values_outside_the_data_are_refused_held_or_filled, interpolation_refuses_disorder,
          a_raised_flag_stops_every_long_loop)
