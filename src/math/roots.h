/* Roots that are never missed: all zeros of a polynomial on [0, 1] in order, with multiplicity, and one zero of a
 * function between two values of opposite sign. And the points of Gauss's rules, roots of Legendre's polynomials. */
#ifndef PC_MATH_ROOTS_H
#define PC_MATH_ROOTS_H

/* One zero. `before` and `after`: the sign of p on either side; 0 where that side was not seen (a zero at the very
 * start has no before, one at the very end no after). A touch has before == after and even multiplicity. */
typedef struct pc_root {
    double x;
    int multiplicity;
    int before, after;
} pc_root;

/* On which side of zero a function was last seen. */
enum { PC_SIDE_UNKNOWN = 2 }; /* besides -1, 0, +1 */

/* Walk over [0, 1] and list the zeros of p in increasing order; the number found is returned (at most
 * degree + 1; `roots` has room for them).
 *
 * Values of magnitude <= `zero` count as zero: give the uncertainty of the coefficients, to which the rounding of
 * the evaluation is added here. Zeros closer together than p can tell (|p| <= zero in between) are one zero with
 * their multiplicities added.
 *
 * `side` is the walk's memory from one piece of a function to the next: the side on which p was last seen. 0 means
 * it is at a zero that has been reported, and only leaving it makes the next zero possible. So a zero at the seam of
 * two pieces is reported once, whatever rounding does there. PC_SIDE_UNKNOWN at the start of everything: then a zero
 * at x = 0 is reported with before == 0. */
int pc_poly_roots(const double *b, int degree, double zero, int *side, pc_root *roots);

/* Zero of f between a and b with f(a) f(b) <= 0, to rounding of x (or `tolerance`, if larger): Chandrupatla (1997),
 * bisection or inverse quadratic interpolation, whichever his test admits. Gives the end of the last bracket where
 * |f| is smaller; NaN if f returns NaN. */
double pc_root_between(double (*f)(double x, void *context), void *context, double a, double fa, double b, double fb,
                       double tolerance);

/* Place k of 0 to n - 1 of the rule of Gauss and Legendre with n = 4, 6, 8 or 16 points on [-1, 1], and its weight. It
 * is exact for polynomials of degree 2 n - 1. */
double pc_gauss(int n, int k, double *weight);

/* Polynomials in the Bernstein basis of [0, 1].
 *
 *     p(x) = sum_j b[j] C(d, j) x^j (1 - x)^(d - j),   d = degree
 *
 * The basis is the best conditioned one of all that are positive on the interval (Farouki and Rajan 1987): values
 * are accurate to rounding of max |b|, p(0) = b[0] and p(1) = b[d] exactly, p lies between the least and the
 * greatest coefficient, and p has at most as many roots inside as the coefficients have changes of sign.
 */

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

/* max |b[j]| */
double pc_poly_bound(const double *b, int degree);

/* From powers: sum_i a[i] t^i on [lo, hi], as p(x) with t = lo + x (hi - lo). */
void pc_poly_from_power(const double *a, int degree, double lo, double hi, double *b);

#endif
