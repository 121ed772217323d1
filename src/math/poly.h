/* Polynomials in the Bernstein basis of [0, 1].
 *
 *     p(x) = sum_j b[j] C(d, j) x^j (1 - x)^(d - j),   d = degree
 *
 * The basis is the best conditioned one of all that are positive on the interval (Farouki and Rajan 1987): values
 * are accurate to rounding of max |b|, p(0) = b[0] and p(1) = b[d] exactly, p lies between the least and the
 * greatest coefficient, and p has at most as many roots inside as the coefficients have changes of sign.
 */
#ifndef PC_MATH_POLY_H
#define PC_MATH_POLY_H

enum { PC_POLY_DEGREE = 32 }; /* the highest degree that is accepted */

/* C(n, k) for 0 <= n <= PC_POLY_DEGREE; 0 for k outside 0 .. n. */
double pc_binomial(int n, int k);

/* p(x) for x in [0, 1]; exact at both ends. */
double pc_poly_eval(const double *b, int degree, double x);

/* n of them at once, coefficients in rows; the same values to the last bit. */
void pc_poly_eval_rows(const double *b, int n, int degree, double x, double *out);

/* The derivative has degree - 1, degree coefficients; `d` may be `b`. degree >= 1. */
void pc_poly_derivative(const double *b, int degree, double *d);

/* The same polynomial on the part [lo, hi] of [0, 1], as one of [0, 1]; 0 <= lo < hi <= 1. */
void pc_poly_part(const double *b, int degree, double lo, double hi, double *out);

/* Changes of sign in the row of coefficients, zeros left out. */
int pc_poly_variations(const double *b, int degree);

/* max |b[j]| */
double pc_poly_bound(const double *b, int degree);

/* From powers: sum_i a[i] t^i on [lo, hi], as p(x) with t = lo + x (hi - lo). */
void pc_poly_from_power(const double *a, int degree, double lo, double hi, double *b);

#endif
