/* LU with partial pivoting: see linsolve.h. Golub and Van Loan, Matrix Computations, 3.4 (outer product form; the rows
 * are contiguous). The diagonal of U is kept inverted: solving then has no division. */
#include "math/linsolve.h"

#include <math.h>

bool pc_lu_factor(double *a, int n, int *pivots)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        pivots[k] = p;
        double pivot = a[p * n + k];
        if (pivot == 0 || !isfinite(pivot)) return false;
        if (p != k) {
            for (int j = 0; j < n; j++) {
                double swap = a[p * n + j];
                a[p * n + j] = a[k * n + j];
                a[k * n + j] = swap;
            }
        }
        double inverse = 1 / pivot;
        a[k * n + k] = inverse;
        for (int i = k + 1; i < n; i++) {
            double *row = a + i * n, factor = row[k] *= inverse;
            const double *top = a + k * n;
            if (factor == 0) continue;
            for (int j = k + 1; j < n; j++) row[j] -= factor * top[j];
        }
    }
    return true;
}

void pc_lu_solve(const double *lu, int n, const int *pivots, double *b)
{
    for (int i = 0; i < n; i++) {
        double swap = b[pivots[i]];
        b[pivots[i]] = b[i];
        b[i] = swap;
    }
    for (int i = 1; i < n; i++) {
        const double *row = lu + i * n;
        double sum = b[i];
        for (int j = 0; j < i; j++) sum -= row[j] * b[j];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = lu + i * n;
        double sum = b[i];
        for (int j = i + 1; j < n; j++) sum -= row[j] * b[j];
        b[i] = sum * row[i];
    }
}

/* The largest entry from (k, k) on, or the largest on the diagonal. */
static void find_pivot(const double *A, int n, int k, bool diagonal, int *pi, int *pj)
{
    int row = n + 1;
    *pi = *pj = k;
    for (int i = k; i < n; i++) {
        int first = diagonal ? i : k, last = diagonal ? i : n - 1;
        for (int j = first; j <= last; j++)
            if (fabs(A[i * row + j]) > fabs(A[*pi * row + *pj])) *pi = i, *pj = j;
    }
}

static int solve_dependent(double *A, int n, double least, bool diagonal, double *x, int *order)
{
    int row = n + 1, rank = n;
    double first = 0;
    for (int j = 0; j < n; j++) order[j] = j;
    for (int k = 0; k < n; k++) {
        int pi, pj;
        find_pivot(A, n, k, diagonal, &pi, &pj);
        double largest = fabs(A[pi * row + pj]);
        if (k == 0) first = largest;
        if (!(largest > least * first)) {
            rank = k;
            break;
        }
        for (int j = 0; j <= n; j++) {
            double swap = A[k * row + j];
            A[k * row + j] = A[pi * row + j];
            A[pi * row + j] = swap;
        }
        for (int i = 0; i < n; i++) {
            double swap = A[i * row + k];
            A[i * row + k] = A[i * row + pj];
            A[i * row + pj] = swap;
        }
        int other = order[k];
        order[k] = order[pj];
        order[pj] = other;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * row + k] / A[k * row + k];
            if (factor == 0) continue;
            for (int j = k; j <= n; j++) A[i * row + j] -= factor * A[k * row + j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double sum = k < rank ? A[k * row + n] : 0;
        for (int j = k + 1; j < rank && k < rank; j++) sum -= A[k * row + j] * x[order[j]];
        x[order[k]] = k < rank ? sum / A[k * row + k] : 0;
    }
    return rank;
}

int pc_solve_dependent(double *A, int n, double least, double *x, int *order)
{
    return solve_dependent(A, n, least, false, x, order);
}

int pc_solve_diagonal(double *A, int n, double least, double *x, int *order)
{
    return solve_dependent(A, n, least, true, x, order);
}
