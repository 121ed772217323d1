/* Nonlinear least squares with bounds: see linsolve.h. */
#include "math/linsolve.h"

#ifdef PC_HAVE_CMINPACK

#include "base/alloc.h"

#include <cminpack.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* An unknown this close to a bound, relative to its distance from zero or the width of its range, lies at it: near the
 * bound x moves with the square of u, which the search resolves to about the root of its tolerance. */
#define AT_BOUND 1e-6

/* A direction of J^T J (scaled to ones on its diagonal) weaker than this is lost in the rounding of J. */
#define UNDETERMINED 1e-10

typedef struct search {
    const pc_lsq_problem *problem;
    pc_error *err;
    pc_status status;
    int calls;
    double start[PC_LSQ_UNKNOWNS], x[PC_LSQ_UNKNOWNS];
} search;

static double to_bounded(double u, double lo, double hi)
{
    if (isfinite(lo) && isfinite(hi)) return lo + (hi - lo) * (0.5 + 0.5 * sin(u));
    if (isfinite(lo)) return lo - 1 + sqrt(u * u + 1);
    if (isfinite(hi)) return hi + 1 - sqrt(u * u + 1);
    return u;
}

static double to_free(double x, double lo, double hi)
{
    if (isfinite(lo) && isfinite(hi)) return asin(2 * (x - lo) / (hi - lo) - 1);
    if (isfinite(lo)) return sqrt((x - lo + 1) * (x - lo + 1) - 1);
    if (isfinite(hi)) return sqrt((hi - x + 1) * (hi - x + 1) - 1);
    return x;
}

static pc_status call(search *s, const double *x, double *r)
{
    const pc_lsq_problem *p = s->problem;
    s->calls++;
    pc_status status = p->residuals(p->context, x, r, s->err);
    for (int i = 0; !status && i < p->m; i++)
        if (!isfinite(r[i])) status = pc_fail(s->err, PC_E_NUMERIC, "residual %d is %g", i + 1, r[i]);
    return status;
}

/* MINPACK stops at a negative value. */
static int evaluate(void *context, int m, int n, const double *u, double *r, int flag)
{
    (void)m, (void)flag;
    search *s = context;
    for (int i = 0; i < n; i++) s->x[i] = to_bounded(u[i], s->problem->lo[i], s->problem->hi[i]);
    s->status = call(s, s->x, r);
    return s->status ? -1 : 0;
}

static pc_status check(const pc_lsq_problem *p, const double *x, pc_error *err)
{
    if (p->n < 1 || p->n > PC_LSQ_UNKNOWNS)
        return pc_fail(err, PC_E_ARGUMENT, "%d unknowns are not allowed: from 1 to %d", p->n, PC_LSQ_UNKNOWNS);
    if (p->m < p->n) return pc_fail(err, PC_E_ARGUMENT, "%d residuals cannot determine %d unknowns", p->m, p->n);
    for (int i = 0; i < p->n; i++)
        if (!(x[i] > p->lo[i] && x[i] < p->hi[i]))
            return pc_fail(err, PC_E_ARGUMENT, "unknown %d starts at %g, which is not inside its bounds %g and %g",
                           i + 1, x[i], p->lo[i], p->hi[i]);
    return PC_OK;
}

static pc_status run_minpack(search *s, double *x, double *r, double *work, bool *converged)
{
    const pc_lsq_problem *p = s->problem;
    int n = p->n, m = p->m, calls = 0, pivots[PC_LSQ_UNKNOWNS];
    double u[PC_LSQ_UNKNOWNS], scale[PC_LSQ_UNKNOWNS], qtf[PC_LSQ_UNKNOWNS], w[3][PC_LSQ_UNKNOWNS];
    for (int i = 0; i < n; i++) u[i] = to_free(x[i], p->lo[i], p->hi[i]);
    int info = lmdif(evaluate, s, m, n, u, r, p->tolerance, p->tolerance, 0, p->max_calls, 0, scale, 1, 100, 0, &calls,
                     work, m, pivots, qtf, w[0], w[1], w[2], work + (size_t)m * (size_t)n);
    if (info < 0) return s->status;
    /* 6, 7, 8: the tolerance asks for more than double precision has, so this is the minimum */
    *converged = info != 5 && info != 0;
    for (int i = 0; i < n; i++) x[i] = to_bounded(u[i], p->lo[i], p->hi[i]);
    return PC_OK;
}

static bool lies_at_bound(double x, double lo, double hi)
{
    double width = isfinite(lo) && isfinite(hi) ? hi - lo : fmax(1, fabs(x));
    return x - lo < AT_BOUND * width || hi - x < AT_BOUND * width;
}

/* What a small change of an unknown is measured by: its distance from zero now or in the beginning, which is none if
 * both are zero; then the width of its range, or its unit. */
static double size_of(const search *s, int k, double x)
{
    double size = fmax(fabs(x), fabs(s->start[k])), width = s->problem->hi[k] - s->problem->lo[k];
    return size > 0 ? size : isfinite(width) ? width : 1;
}

/* J^T J over all unknowns, each column of J by central differences that stay inside the bounds. */
static pc_status normal_matrix(search *s, const double *x, double *work, double *A)
{
    const pc_lsq_problem *p = s->problem;
    int n = p->n, m = p->m;
    double *below = work + (size_t)m * (size_t)n, at[PC_LSQ_UNKNOWNS];
    memcpy(at, x, (size_t)n * sizeof *at);
    for (int k = 0; k < n; k++) {
        double *J = work + (size_t)m * (size_t)k;
        double h = cbrt(DBL_EPSILON) * size_of(s, k, x[k]);
        double up = fmin(x[k] + h, p->hi[k]), down = fmax(x[k] - h, p->lo[k]);
        at[k] = up;
        pc_status status = call(s, at, J);
        at[k] = down;
        if (!status) status = call(s, at, below);
        if (status) return status;
        at[k] = x[k];
        for (int i = 0; i < m; i++) J[i] = (J[i] - below[i]) / (up - down);
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int i = 0; i < m; i++)
                sum += work[(size_t)m * (size_t)a + (size_t)i] * work[(size_t)m * (size_t)b + (size_t)i];
            A[a * n + b] = A[b * n + a] = sum;
        }
    return PC_OK;
}

/* Inverse of the part of A that belongs to free unknowns, by a solution for each column of A with ones on its diagonal.
 */
static bool invert(const double *A, int n, const bool *fixed, double *inverse)
{
    int list[PC_LSQ_UNKNOWNS], order[PC_LSQ_UNKNOWNS], f = 0;
    double M[PC_LSQ_UNKNOWNS * (PC_LSQ_UNKNOWNS + 1)], d[PC_LSQ_UNKNOWNS], x[PC_LSQ_UNKNOWNS];
    memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
    for (int i = 0; i < n; i++) {
        if (fixed[i]) continue;
        list[f] = i;
        d[f] = sqrt(A[i * n + i]);
        if (!(d[f++] > 0)) return false;
    }
    for (int c = 0; c < f; c++) {
        for (int a = 0; a < f; a++) {
            for (int b = 0; b < f; b++) M[a * (f + 1) + b] = A[list[a] * n + list[b]] / (d[a] * d[b]);
            M[a * (f + 1) + f] = a == c;
        }
        if (pc_solve_dependent(M, f, 1, UNDETERMINED, true, x, order) < f) return false;
        for (int a = 0; a < f; a++) inverse[list[a] * n + list[c]] = x[a] / (d[a] * d[c]);
    }
    return true;
}

pc_status pc_least_squares(const pc_lsq_problem *problem, double *x, double *r, double *inverse, pc_lsq_result *result,
                           pc_error *err)
{
    pc_status status = check(problem, x, err);
    if (status) return status;
    size_t n = (size_t)problem->n, m = (size_t)problem->m;
    double *work = pc_calloc(m * (n + 1), sizeof *work);
    if (!work) return pc_fail(err, PC_E_MEMORY, "no memory for %d residuals", problem->m);
    search s = {.problem = problem, .err = err};
    memcpy(s.start, x, n * sizeof *x);
    *result = (pc_lsq_result){0};
    double A[PC_LSQ_UNKNOWNS * PC_LSQ_UNKNOWNS];
    status = run_minpack(&s, x, r, work, &result->converged);
    if (!status) status = normal_matrix(&s, x, work, A);
    if (!status) status = call(&s, x, r);
    pc_free(work);
    if (status) return status;
    for (size_t i = 0; i < m; i++) result->sum += r[i] * r[i];
    for (int i = 0; i < problem->n; i++) {
        result->at_bound[i] = lies_at_bound(x[i], problem->lo[i], problem->hi[i]);
        result->n_free += !result->at_bound[i];
    }
    result->determined = invert(A, problem->n, result->at_bound, inverse);
    result->calls = s.calls;
    return PC_OK;
}

#else

pc_status pc_least_squares(const pc_lsq_problem *problem, double *x, double *r, double *inverse, pc_lsq_result *result,
                           pc_error *err)
{
    (void)problem, (void)x, (void)r, (void)inverse, (void)result;
    return pc_fail_missing(err, "cminpack", "fits");
}

#endif
