/* Small dense linear systems, row-major, and eigenvalues of small symmetric matrices. */
#ifndef PC_MATH_LINSOLVE_H
#define PC_MATH_LINSOLVE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* LU with partial pivoting, n x n. Factor `a` in place; row i was exchanged with row pivots[i]. False if a pivot is
 * zero or not finite. */
bool pc_lu_factor(double *a, int n, int *pivots);

/* Solve with the factors; b becomes x. */
void pc_lu_solve(const double *lu, int n, const int *pivots, double *b);

/* Solve A x = b, n x n, for some right sides b, which follow in the rows of A, by elimination with full pivoting, in
 * place; unknowns whose conditions follow from the others (pivots below the share `least` of the largest) become 0.
 * x: the solutions one after another. The rank is returned; order: room for n integers. `diagonal`: A is symmetric
 * without negative eigenvalues, and pivots are sought on it. */
int pc_solve_dependent(double *A, int n, int sides, double least, bool diagonal, double *x, int *order);

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

/* Nonlinear least squares with bounds: the minimum of |r(x)|^2 over lo <= x <= hi, and how well it is determined.
 *
 * Levenberg-Marquardt of MINPACK (More 1978; Debian's cminpack) on unbounded variables, into which the bounds are
 * mapped as in MINUIT (James and Roos 1975): x = lo + (hi - lo) (1 + sin u)/2 between two bounds, and
 * x = lo - 1 + sqrt(1 + u^2) above one. Without cminpack it refuses (pc_fail_missing).
 */

enum { PC_LSQ_UNKNOWNS = 32 };

/* The m residuals at x; any status but PC_OK ends the search with it. */
typedef pc_status (*pc_lsq_residuals)(void *context, const double *x, double *r, pc_error *err);

typedef struct pc_lsq_problem {
    int n, m; /* unknowns, residuals; 1 <= n <= PC_LSQ_UNKNOWNS, n <= m */
    pc_lsq_residuals residuals;
    void *context;
    const double *lo, *hi; /* infinite where there is no bound */
    double tolerance;      /* relative, of the sum of squares and of x */
    int max_calls;         /* of `residuals` */
} pc_lsq_problem;

typedef struct pc_lsq_result {
    double sum;                     /* of squares */
    int calls;                      /* of `residuals` */
    bool converged;                 /* false: max_calls was reached; x is the best point so far */
    bool at_bound[PC_LSQ_UNKNOWNS]; /* the minimum pushes this unknown against a bound */
    int n_free;                     /* unknowns that do not lie at a bound */
    bool determined;                /* the free unknowns are: the covariance is meaningful */
} pc_lsq_result;

/* x: the start, strictly inside the bounds; then the minimum. r: m numbers, the residuals there. inverse: n x n, the
 * inverse of J^T J over the free unknowns, J = dr/dx by central differences; zero in rows and columns of unknowns at a
 * bound, and everywhere if they are not determined. Times the variance of a residual it is the covariance. */
pc_status pc_least_squares(const pc_lsq_problem *problem, double *x, double *r, double *inverse, pc_lsq_result *result,
                           pc_error *err);

#endif
