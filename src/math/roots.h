/* Roots that are never missed: all zeros of a polynomial on [0, 1] in order, with multiplicity, and one zero of a
 * function between two values of opposite sign. */
#ifndef PC_MATH_ROOTS_H
#define PC_MATH_ROOTS_H

#include "math/poly.h"

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

#endif
