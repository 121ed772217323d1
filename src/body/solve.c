/* Symmetric positive semi-definite systems by a pivoted L D L^T factorization (Higham, Accuracy and Stability of
 * Numerical Algorithms, 10.3).
 *
 * A mass matrix mixes kilograms with moments of inertia, so it is first scaled to unit diagonal, up to a factor of 2:
 * scaling by powers of two is exact, and leaves a diagonal matrix with exact reciprocals in the answer.
 */
#include "body/solve.h"
#include "body/body.h"

#include "base/tolerance.h"

#include <math.h>
#include <string.h>

enum { SIDE = PC_BODY_DOF };

/* A right-hand side counts as zero along a null direction below this fraction of its size: the direction itself is
 * known to about eps/PC_RANK_TOLERANCE^(1/2). */
#define CONSISTENT 1e-9

typedef struct factors {
    int n, rank;
    int order[SIDE];    /* pivot k is row order[k] */
    double scale[SIDE]; /* powers of two */
    double L[SIDE][SIDE], D[SIDE];
    double null[SIDE][SIDE]; /* rows rank..n-1: null directions in the original coordinates */
} factors;

/* A power of two within a factor 2 of 1/sqrt(a); 1 for a = 0. Halving rounds down for negative exponents too, so that
 * other units of measurement, by powers of four, change nothing but the scale. */
static double power_scale(double a)
{
    if (!(a > 0)) return 1;
    int exponent;
    frexp(a, &exponent);
    return ldexp(1, -(exponent - (exponent & 1)) / 2);
}

static void exchange(factors *f, double S[SIDE][SIDE], int i, int j)
{
    if (i == j) return;
    int o = f->order[i];
    f->order[i] = f->order[j], f->order[j] = o;
    for (int k = 0; k < f->n; k++) {
        double x = S[i][k];
        S[i][k] = S[j][k], S[j][k] = x;
    }
    for (int k = 0; k < f->n; k++) {
        double x = S[k][i];
        S[k][i] = S[k][j], S[k][j] = x;
    }
    for (int k = 0; k < f->n; k++) {
        double x = f->L[i][k];
        f->L[i][k] = f->L[j][k], f->L[j][k] = x;
    }
}

/* False if A is not positive semi-definite. */
static bool factorize(factors *f, int n, const double *A)
{
    double S[SIDE][SIDE];
    f->n = n;
    for (int i = 0; i < n; i++) {
        memset(f->L[i], 0, (size_t)n * sizeof f->L[i][0]);
        f->order[i] = i;
        f->scale[i] = power_scale(A[i * n + i]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) S[i][j] = f->scale[i] * A[i * n + j] * f->scale[j];
    int k = 0;
    for (; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (S[i][i] > S[pivot][pivot]) pivot = i;
        if (!(S[pivot][pivot] > PC_RANK_TOLERANCE)) break;
        exchange(f, S, k, pivot);
        f->D[k] = S[k][k];
        f->L[k][k] = 1;
        for (int i = k + 1; i < n; i++) f->L[i][k] = S[i][k] / f->D[k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) S[i][j] -= f->L[i][k] * S[k][j];
    }
    f->rank = k;
    /* what remains of a semi-definite matrix with zero diagonal is zero */
    for (int i = k; i < n; i++)
        for (int j = k; j < n; j++)
            if (!(fabs(S[i][j]) <= 2 * PC_RANK_TOLERANCE)) return false;
    return true;
}

/* x: in permuted order; solve L^T x = b in place over the leading `rank` rows. */
static void back_substitute(const factors *f, double *x)
{
    for (int i = f->rank - 1; i >= 0; i--)
        for (int j = i + 1; j < f->rank; j++) x[i] -= f->L[j][i] * x[j];
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Orthonormal null directions: for each dependent row r, L11^T x1 = -L21^T e_r and x2 = e_r. */
static void find_null_directions(factors *f)
{
    for (int r = f->rank; r < f->n; r++) {
        double x[SIDE] = {0};
        for (int j = 0; j < f->rank; j++) x[j] = -f->L[r][j];
        back_substitute(f, x);
        x[r] = 1;
        double *direction = f->null[r];
        for (int i = 0; i < f->n; i++) direction[f->order[i]] = f->scale[f->order[i]] * x[i];
        for (int s = f->rank; s < r; s++) {
            double along = dot(f->n, f->null[s], direction);
            for (int i = 0; i < f->n; i++) direction[i] -= along * f->null[s][i];
        }
        double norm = sqrt(dot(f->n, direction, direction));
        for (int i = 0; i < f->n; i++) direction[i] /= norm;
    }
}

pc_status pc_solve_semidefinite(int n, const double *A, int rows, const double *B, double *X, pc_error *err)
{
    factors f;
    if (!factorize(&f, n, A)) return pc_fail(err, PC_E_ARGUMENT, "the mass matrix is not positive semi-definite");
    find_null_directions(&f);
    for (int row = 0; row < rows; row++) {
        const double *b = &B[row * n];
        double size = sqrt(dot(n, b, b));
        for (int r = f.rank; r < n; r++)
            if (fabs(dot(n, b, f.null[r])) > CONSISTENT * size)
                return pc_fail(err, PC_E_ARGUMENT,
                               "the mass matrix is singular and the contact point moves in a direction without "
                               "inertia: W would be infinite");
        double y[SIDE] = {0}, x[SIDE] = {0};
        for (int i = 0; i < f.rank; i++) {
            y[i] = b[f.order[i]] * f.scale[f.order[i]];
            for (int j = 0; j < i; j++) y[i] -= f.L[i][j] * y[j];
        }
        for (int i = 0; i < f.rank; i++) y[i] /= f.D[i];
        back_substitute(&f, y);
        for (int i = 0; i < f.rank; i++) x[f.order[i]] = f.scale[f.order[i]] * y[i];
        for (int r = f.rank; r < n; r++) {
            double along = dot(n, x, f.null[r]);
            for (int i = 0; i < n; i++) x[i] -= along * f.null[r][i];
        }
        for (int i = 0; i < n; i++) X[i * rows + row] = x[i];
    }
    return PC_OK;
}
