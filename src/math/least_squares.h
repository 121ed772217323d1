/* Nonlinear least squares with bounds: the minimum of |r(x)|^2 over lo <= x <= hi, and how well it is determined.
 *
 * Levenberg-Marquardt of MINPACK (More 1978; Debian's cminpack) on unbounded variables, into which the bounds are
 * mapped as in MINUIT (James and Roos 1975): x = lo + (hi - lo) (1 + sin u)/2 between two bounds, and
 * x = lo - 1 + sqrt(1 + u^2) above one. Without cminpack it refuses (pc_fail_missing).
 */
#ifndef PC_MATH_LEAST_SQUARES_H
#define PC_MATH_LEAST_SQUARES_H

#include "base/status.h"

#include <stdbool.h>

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
