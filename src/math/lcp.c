/* Lemke's method on a dense tableau: see lcp.h. */
#include "math/lcp.h"

#include <math.h>
#include <string.h>

/* Tableau columns: w_1 .. w_n, z_1 .. z_n, the artificial z_0, and the right-hand side. */
typedef struct tableau {
    int n, columns;
    double *a;
    int *basis; /* column that is basic in each row */
} tableau;

size_t pc_lcp_room(int n)
{
    return (size_t)n * (size_t)(2 * n + 2);
}

static void pivot(tableau *t, int row, int column)
{
    double *p = t->a + row * t->columns, inverse = 1 / p[column];
    for (int j = 0; j < t->columns; j++) p[j] *= inverse;
    p[column] = 1;
    for (int i = 0; i < t->n; i++) {
        double *r = t->a + i * t->columns, factor = r[column];
        if (i == row || factor == 0) continue;
        for (int j = 0; j < t->columns; j++) r[j] -= factor * p[j];
        r[column] = 0;
    }
    t->basis[row] = column;
}

/* Row in which the entering column first drives a variable to zero; ties go to z_0, then to the largest pivot. -1 on
 * a ray. Entries below the rounding of the column do not count. */
static int leaving_row(const tableau *t, int column)
{
    double largest = 0, best = INFINITY;
    int row = -1;
    for (int i = 0; i < t->n; i++) largest = fmax(largest, fabs(t->a[i * t->columns + column]));
    for (int i = 0; i < t->n; i++) {
        const double *r = t->a + i * t->columns;
        if (!(r[column] > 1e-12 * largest)) continue;
        double ratio = fmax(r[t->columns - 1], 0) / r[column];
        double close = 1e-13 * fmax(fabs(ratio), fabs(best));
        bool tie = row >= 0 && fabs(ratio - best) <= close;
        bool wins = t->basis[i] == 2 * t->n || (t->basis[row < 0 ? i : row] != 2 * t->n && row >= 0 &&
                                                r[column] > t->a[row * t->columns + column]);
        if (row < 0 || (!tie && ratio < best) || (tie && wins)) {
            row = i;
            best = ratio;
        }
    }
    return row;
}

bool pc_lcp_solve(int n, const double *M, const double *q, double *z, double *work, int *index)
{
    tableau t = {.n = n, .columns = 2 * n + 2, .a = work, .basis = index};
    memset(z, 0, (size_t)n * sizeof *z);
    int worst = -1;
    for (int i = 0; i < n; i++) {
        double *r = t.a + i * t.columns;
        memset(r, 0, (size_t)t.columns * sizeof *r);
        r[i] = 1;
        for (int j = 0; j < n; j++) r[n + j] = -M[i * n + j];
        r[2 * n] = -1;
        r[2 * n + 1] = q[i];
        t.basis[i] = i;
        if (q[i] < 0 && (worst < 0 || q[i] < q[worst])) worst = i;
    }
    if (worst < 0) return true;
    int entering = worst + n; /* complement of w_worst, which leaves */
    pivot(&t, worst, 2 * n);
    for (int turn = 0; turn < 50 * (n + 1); turn++) {
        int row = leaving_row(&t, entering);
        if (row < 0) return false;
        int left = t.basis[row];
        pivot(&t, row, entering);
        if (left == 2 * n) {
            for (int i = 0; i < n; i++)
                if (t.basis[i] >= n && t.basis[i] < 2 * n) z[t.basis[i] - n] = fmax(t.a[i * t.columns + 2 * n + 1], 0);
            return true;
        }
        entering = left < n ? left + n : left - n;
    }
    return false;
}
