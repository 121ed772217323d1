/* Linear systems with a symmetric positive semi-definite matrix. */
#ifndef PC_BODY_SOLVE_H
#define PC_BODY_SOLVE_H

#include "base/status.h"

/* Solve A X = B^T: A is n x n (n <= PC_BODY_DOF), row-major, symmetric; B has `rows` rows of n numbers; X is n x rows,
 * row-major. A may be singular if B is zero along its null directions; then X is the solution of least norm.
 * PC_E_ARGUMENT if A is not positive semi-definite or B is not zero along a null direction of A. */
pc_status pc_solve_semidefinite(int n, const double *A, int rows, const double *B, double *X, pc_error *err);

#endif
