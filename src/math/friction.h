/* Planar contacts with Coulomb's friction: impulses p that turn velocities b into v = b + W p, or forces that do so
 * with accelerations.
 *
 * Of each contact, with components t and n: what its normal part has beyond `given` is >= 0, v_n >= 0, and one of them
 * is zero; |p_t| <= mu p_n, and where v_t is not zero p_t = -sign(v_t) mu p_n. Given slip, p_t = -slip mu p_n whatever
 * v_t becomes. With slip 0 everywhere and W symmetric and positive semi-definite there is a solution (Anitescu and
 * Potra 1997, theorem 4.2), though where W is singular perhaps not one alone. With given slip there may be none:
 * Painleve's paradox.
 */
#ifndef PC_MATH_FRICTION_H
#define PC_MATH_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pc_rubbing {
    double mu;
    int slip;     /* its sign where that is given, else 0 */
    double given; /* part of p_n that acts in any case, >= 0 */
    bool held;    /* p_n is the given one and v_n free */
} pc_rubbing;

/* Doubles and integers of workspace for n contacts. */
size_t pc_friction_room(int n);
size_t pc_friction_indices(int n);

/* p (t, n of each contact) for W, row-major 2n x 2n, and b, of which values within `rounding` of zero are zero. Where
 * modes leave p open it is the one of least norm, in roots of energies. What is left of the conditions is checked: it
 * is below 1e-12 of the greatest velocity, or where nothing better is found below the root of a rounding. False: no
 * solution was found. */
bool pc_friction_solve(int n, const pc_rubbing *contacts, const double *W, const double *b, double rounding, double *p,
                       double *work, int *index);

/* Linear complementarity problems: w = M z + q with w, z >= 0 and w_i z_i = 0 for all i. */

/* Doubles of workspace for a problem of size n. */
size_t pc_lcp_room(int n);

/* Lemke's method (Cottle, Pang and Stone 1992, section 4.4) with a covering vector, whose elements are > 0: false if it
 * ends on a ray, where for the problems of friction there is no solution. M is row-major and kept; work holds
 * pc_lcp_room(n) doubles, index 2 n + 1 integers. */
bool pc_lcp_solve(int n, const double *M, const double *q, const double *cover, double *z, double *work, int *index);

#endif
