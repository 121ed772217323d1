/* Bernstein polynomials, their roots, and the bracketed root. */
#include "math/roots.h"
#include "rng.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

START_TEST(values_at_the_ends_are_the_coefficients)
{
    double b[] = {0.1, 7, -3, 1.0 / 3, 2e-17};
    for (int d = 0; d <= 4; d++) {
        ck_assert(pc_poly_eval(b, d, 0) == b[0]);
        ck_assert(pc_poly_eval(b, d, 1) == b[d]);
    }
}
END_TEST

START_TEST(powers_become_bernstein_and_keep_their_values)
{
    double a[] = {1, -2, 0.5, 3, -1}, b[5];
    pc_poly_from_power(a, 4, -1, 2, b);
    for (int i = 0; i <= 30; i++) {
        double x = i / 30.0, t = -1 + 3 * x, exact = (((a[4] * t + a[3]) * t + a[2]) * t + a[1]) * t + a[0];
        ck_assert_double_eq_tol(pc_poly_eval(b, 4, x), exact, 32 * DBL_EPSILON * pc_poly_bound(b, 4));
    }
}
END_TEST

START_TEST(part_of_a_polynomial_is_the_same_polynomial)
{
    double b[] = {1, -4, 2, 5, -1, 3}, part[6];
    pc_poly_part(b, 5, 0.3, 0.8, part);
    for (int i = 0; i <= 10; i++)
        ck_assert_double_eq_tol(pc_poly_eval(part, 5, i / 10.0), pc_poly_eval(b, 5, 0.3 + 0.05 * i), 1e-14);
}
END_TEST

START_TEST(derivative_matches_differences)
{
    double b[] = {1, -4, 2, 5, -1, 3}, d[5], h = 1e-6;
    pc_poly_derivative(b, 5, d);
    for (double x = 0.1; x < 1; x += 0.1) {
        double slope = (pc_poly_eval(b, 5, x + h) - pc_poly_eval(b, 5, x - h)) / (2 * h);
        ck_assert_double_eq_tol(pc_poly_eval(d, 4, x), slope, 1e-8); /* h^2 f''' and rounding/h */
    }
}
END_TEST

static double cubic(double x, void *context)
{
    ++*(int *)context;
    return x * x * x - 2;
}

START_TEST(bracketed_root_is_found_to_rounding_in_few_calls)
{
    int calls = 0;
    double x = pc_root_between(cubic, &calls, 0, -2, 2, 6, 0);
    ck_assert_double_eq_tol(x, cbrt(2), 4 * DBL_EPSILON);
    ck_assert_int_le(calls, 14);
}
END_TEST

/* Bernstein coefficients of the product of (x - r) over the roots and of a factor without roots, in extended
 * precision: multiply by (x - r) = -r (1 - x) + (1 - r) x. */
static int product(const double *root, const int *multiplicity, int n, double *b)
{
    long double c[PC_POLY_DEGREE + 1] = {1}; /* scaled: c_j = C(d, j) b_j */
    int d = 0;
    for (int i = 0; i < n; i++) {
        for (int m = 0; m < multiplicity[i]; m++) {
            d++;
            for (int j = d; j >= 0; j--)
                c[j] = (j < d ? -(long double)root[i] * c[j] : 0) + (j > 0 ? (1 - (long double)root[i]) * c[j - 1] : 0);
        }
    }
    for (int j = 0; j <= d; j++) b[j] = (double)(c[j] / (long double)pc_binomial(d, j));
    return d;
}

/* Roots at least 0.12 apart, multiplicities up to 4, one of them possibly outside: coefficients rounded to double
 * move a root of multiplicity m by (rounding/p^(m)/m!)^(1/m); what is located is the mean of that cluster, which moves
 * by rounding alone. The bound below is that rounding: DBL_EPSILON times the condition |b|/(p^(m)(r)/m!). */
START_TEST(a_hundred_thousand_polynomials_give_back_their_roots_and_multiplicities)
{
    pc_rng rng;
    pc_rng_seed(&rng, 1);
    double worst = 0;
    int total = 0, multiple = 0;
    for (int trial = 0; trial < 100000; trial++) {
        double root[4], b[PC_POLY_DEGREE + 1];
        int m[4], n = 1 + (int)pc_rng_below(&rng, 4), degree = 0;
        for (int i = 0; i < n; i++) {
            root[i] = (i + pc_rng_between(&rng, 0.3, 0.7)) / n;
            m[i] = pc_rng_below(&rng, 2) ? 1 : 1 + (int)pc_rng_below(&rng, 4);
            if (degree + m[i] > 8) m[i] = 1;
            degree += m[i];
        }
        ck_assert_int_eq(product(root, m, n, b), degree);
        pc_root found[PC_POLY_DEGREE + 2];
        int side = PC_SIDE_UNKNOWN, count = pc_poly_roots(b, degree, 0, &side, found);
        ck_assert_msg(count == n, "trial %d: %d roots instead of %d", trial, count, n);
        for (int i = 0; i < n; i++) {
            ck_assert_int_eq(found[i].multiplicity, m[i]);
            ck_assert_int_eq(found[i].before == found[i].after, m[i] % 2 == 0);
            double slope = 1;
            for (int k = 0; k < n; k++)
                if (k != i) slope *= pow(fabs(root[i] - root[k]), m[k]);
            double units = fabs(found[i].x - root[i]) / (DBL_EPSILON * (1 + pc_poly_bound(b, degree) / slope));
            worst = fmax(worst, units);
            total++;
            multiple += m[i] > 1;
        }
    }
    printf("%d roots, %d of them multiple; worst error %.1f units of rounding times condition\n", total, multiple,
           worst);
    ck_assert(multiple > 10000);
    /* differences of coefficients lose up to degree^m more for multiple roots */
    ck_assert(worst < 500);
}
END_TEST

START_TEST(polynomials_without_roots_have_none)
{
    pc_rng rng;
    pc_rng_seed(&rng, 2);
    for (int trial = 0; trial < 100000; trial++) {
        /* p^2 + small: positive, with many changes of sign in its coefficients */
        double r1 = pc_rng_uniform(&rng), r2 = pc_rng_uniform(&rng), b[PC_POLY_DEGREE + 1];
        int d = product((double[]){r1, r2}, (int[]){2, 2}, 2, b), side = PC_SIDE_UNKNOWN;
        pc_root found[PC_POLY_DEGREE + 2];
        for (int j = 0; j <= d; j++) b[j] += 1e-13;
        ck_assert_int_eq(pc_poly_roots(b, d, 0, &side, found), 0);
        ck_assert_int_eq(side, 1);
    }
}
END_TEST

START_TEST(a_root_at_the_seam_of_two_pieces_is_found_once)
{
    pc_rng rng;
    pc_rng_seed(&rng, 3);
    for (int trial = 0; trial < 20000; trial++) {
        /* roots at and near the seam, simple and double; rounding puts either sign there */
        double seam = pc_rng_between(&rng, 0.2, 0.8);
        double root = trial % 2 ? seam : seam + pc_rng_between(&rng, -4, 4) * DBL_EPSILON;
        int m = 1 + trial / 2 % 3;
        double b[PC_POLY_DEGREE + 1], left[8], right[8];
        int d = product((double[]){root, 1.5}, (int[]){m, 2}, 2, b), side = PC_SIDE_UNKNOWN, count;
        pc_root found[PC_POLY_DEGREE + 2];
        pc_poly_part(b, d, 0, seam, left);
        pc_poly_part(b, d, seam, 1, right);
        right[0] = left[d];
        count = pc_poly_roots(left, d, 0, &side, found);
        count += pc_poly_roots(right, d, 0, &side, found);
        ck_assert_msg(count == 1, "trial %d, multiplicity %d: %d roots", trial, m, count);
    }
}
END_TEST

START_TEST(zero_on_an_interval_is_one_root)
{
    double b[3] = {0, 0, 0}, down[3] = {1, 0.25, 0}, up[3] = {0, 0, 1};
    pc_root found[PC_POLY_DEGREE + 2];
    int side = PC_SIDE_UNKNOWN;
    ck_assert_int_eq(pc_poly_roots(down, 2, 0, &side, found), 1);
    ck_assert_int_eq(side, 0);
    ck_assert_int_eq(pc_poly_roots(b, 2, 0, &side, found), 0);
    ck_assert_int_eq(pc_poly_roots(b, 2, 0, &side, found), 0);
    ck_assert_int_eq(pc_poly_roots(up, 2, 0, &side, found), 0);
    ck_assert_int_eq(side, 1);
}
END_TEST

START_TEST(random_numbers_are_reproducible_and_uniform)
{
    pc_rng rng;
    pc_rng_seed(&rng, 42);
    uint64_t first = pc_rng_next(&rng);
    double mean = 0, square = 0;
    for (int i = 0; i < 1000000; i++) {
        double u = pc_rng_uniform(&rng);
        ck_assert(u >= 0 && u < 1);
        mean += u / 1e6;
        square += u * u / 1e6;
    }
    /* standard deviations of the two means are 2.9e-4 and 3.0e-4 */
    ck_assert_double_eq_tol(mean, 0.5, 1.5e-3);
    ck_assert_double_eq_tol(square, 1 / 3.0, 1.5e-3);
    pc_rng_seed(&rng, 42);
    ck_assert(pc_rng_next(&rng) == first);
    int count[7] = {0};
    for (int i = 0; i < 70000; i++) count[pc_rng_below(&rng, 7)]++;
    for (int i = 0; i < 7; i++) ck_assert_int_lt(abs(count[i] - 10000), 500); /* five standard deviations */
}
END_TEST

UNIT_MAIN("poly", 120, values_at_the_ends_are_the_coefficients, powers_become_bernstein_and_keep_their_values,
          part_of_a_polynomial_is_the_same_polynomial, derivative_matches_differences,
          bracketed_root_is_found_to_rounding_in_few_calls,
          a_hundred_thousand_polynomials_give_back_their_roots_and_multiplicities, polynomials_without_roots_have_none,
          a_root_at_the_seam_of_two_pieces_is_found_once, zero_on_an_interval_is_one_root,
          random_numbers_are_reproducible_and_uniform)
