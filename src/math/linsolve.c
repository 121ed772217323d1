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
            double factor = a[i * n + k] *= inverse;
            if (factor == 0) continue;
            for (int j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
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
        double sum = b[i];
        for (int j = 0; j < i; j++) sum -= lu[i * n + j] * b[j];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < n; j++) sum -= lu[i * n + j] * b[j];
        b[i] = sum * lu[i * n + i];
    }
}
