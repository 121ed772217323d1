/* Small dense linear systems, row-major, and eigenvalues of small symmetric matrices. */
#ifndef PC_MATH_LINSOLVE_H
#define PC_MATH_LINSOLVE_H

#include <stdbool.h>
#include <stddef.h>

/* LU with partial pivoting, n x n. Factor `a` in place; row i was exchanged with row pivots[i]. False if a pivot is
 * zero or not finite. */
bool pc_lu_factor(double *a, int n, int *pivots);

/* Solve with the factors; b becomes x. */
void pc_lu_solve(const double *lu, int n, const int *pivots, double *b);

/* Solve A x = b, n x n in rows of n + 1 with b last, by elimination with full pivoting, in place; unknowns whose
 * conditions follow from the others (pivots below the share `least` of the largest) become 0. The rank is returned;
 * order: room for n integers. */
int pc_solve_dependent(double *A, int n, double least, double *x, int *order);

/* The same for a symmetric A without negative eigenvalues, whose pivots may be sought on the diagonal. */
int pc_solve_diagonal(double *A, int n, double least, double *x, int *order);

/* The least-norm solution of least squares, A x = b, n x n: QR with exchanged columns, and, where the rank is less
 * than n (pivots up to the share `least` of the largest), of what is left of R transposed (Golub and Van Loan, 5.5.2).
 * x: b on entry; work: pc_least_norm_room(n) doubles. The rank is returned. */
size_t pc_least_norm_room(int n);
int pc_least_norm(double *A, int n, double least, double *x, double *work, int *order);

/* Eigenvalues of small symmetric matrices. */

/* Eigenvalues of a symmetric 3 x 3 matrix in descending order; column k of `vectors` (element [i][k]) belongs to
 * values[k]; the columns are orthonormal. Reads the upper triangle. */
void pc_eigen_symmetric3(double matrix[3][3], double values[3], double vectors[3][3]);

/* K x = value M x of symmetric n x n matrices, M positive, both destroyed: values ascend, row k of `vectors` belongs to
 * values[k], and x' M x = 1. By Jacobi's rotations. False if M is not positive. */
bool pc_eigen_pencil(int n, double *K, double *M, double *values, double *vectors);

#endif
