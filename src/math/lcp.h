/* Linear complementarity problems: w = M z + q with w, z >= 0 and w_i z_i = 0 for all i. */
#ifndef PC_MATH_LCP_H
#define PC_MATH_LCP_H

#include <stdbool.h>
#include <stddef.h>

/* Doubles of workspace for a problem of size n. */
size_t pc_lcp_room(int n);

/* Lemke's method (Cottle, Pang and Stone 1992, section 4.4) with a covering vector, whose elements are > 0: false if it
 * ends on a ray, where for the problems of friction there is no solution. M is row-major and kept; work holds
 * pc_lcp_room(n) doubles, index 2 n + 1 integers. */
bool pc_lcp_solve(int n, const double *M, const double *q, const double *cover, double *z, double *work, int *index);

#endif
