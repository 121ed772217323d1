/* Kernels of arrays: sequences, arithmetic, sums, calculus. Where a result is exact in binary arithmetic the tests
 * demand equality; other bounds are given in units of the last place and say why. */
#include "math/array.h"
#include "array_numbers.h"
#include "unit.h"

#include "base/alloc.h"
#include "base/status.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

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
          a_raised_flag_stops_every_long_loop)
