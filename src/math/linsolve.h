/* Small dense linear systems: LU with partial pivoting, row-major n x n. */
#ifndef PC_MATH_LINSOLVE_H
#define PC_MATH_LINSOLVE_H

#include <stdbool.h>

/* Factor `a` in place; row i was exchanged with row pivots[i]. False if a pivot is zero or not finite. */
bool pc_lu_factor(double *a, int n, int *pivots);

/* Solve with the factors; b becomes x. */
void pc_lu_solve(const double *lu, int n, const int *pivots, double *b);

#endif
