/* Lemke's method on a dense tableau: see friction.h. */
#include "math/friction.h"

#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the variables w_1 .. w_n, z_1 .. z_n and the artificial z_0, numbered in this order, one is basic in each row; the
 * tableau has a column of each other, and the right-hand side. A basic variable would have a column of the unit
 * matrix. */
typedef struct tableau {
    int n, columns;
    double *a;
    int *basis, *held; /* variable that is basic in each row; that of each column */
} tableau;

/* Share of the largest pivot of a column below which one is to be avoided: of those down to the rank the lesser
 * half, in digits. */
static const double TINY = 1e-6;

/* Ratios within this share of one another are equal, right-hand sides within that share of q zero: eps for each of
 * 256 rows (64 contacts) in M and as much in q. A tenth of it left 8 of 40,000 random problems without an answer,
 * this none. */
static const double TIE = 512 * DBL_EPSILON;

size_t pc_lcp_room(int n)
{
    return (size_t)n * (size_t)(n + 2);
}

static int column_of(const tableau *t, int variable)
{
    int column = 0;
    while (t->held[column] != variable) column++;
    return column;
}

/* The variable of a column becomes basic in a row, and the one that was gets the column. */
static void pivot(tableau *t, int row, int column)
{
    double *restrict p = t->a + row * t->columns, inverse = 1 / p[column];
    p[column] = 1;
    for (int j = 0; j < t->columns; j++) p[j] *= inverse;
    for (int i = 0; i < t->n; i++) {
        double *restrict r = t->a + i * t->columns, factor = r[column];
        if (i == row || factor == 0) continue;
        r[column] = 0;
        for (int j = 0; j < t->columns; j++) r[j] -= factor * p[j];
    }
    int left = t->basis[row];
    t->basis[row] = t->held[column];
    t->held[column] = left;
}

/* Row i of the slack w_j. */
static double slack_of(const tableau *t, int i, int j)
{
    if (t->basis[i] == j) return 1;
    for (int k = 0; k <= t->n; k++)
        if (t->held[k] == j) return t->a[i * t->columns + k];
    return 0;
}

/* Whether row i, divided by its entry in the entering column, is lexicographically less than row k so divided: which
 * of two variables that reach zero together would be the first if the right-hand side were moved a little, slack by
 * slack. With this rule no basis comes twice (Cottle, Pang and Stone 1992, section 4.9). */
static bool goes_first(const tableau *t, int i, int k, int column)
{
    double a = t->a[i * t->columns + column], b = t->a[k * t->columns + column];
    for (int j = 0; j < t->n; j++) {
        double p = slack_of(t, i, j) / a, q = slack_of(t, k, j) / b;
        if (fabs(p - q) > TIE * fmax(fabs(p), fabs(q))) return p < q;
    }
    return false;
}

/* Row in which the entering column first drives a variable to zero; -1 on a ray. Entries below the rounding of the
 * column do not count. Where right-hand sides that are moved by their rounding could make a row the first, it is
 * among the candidates (Harris 1973): z_0 goes before all others, then pivots that are not tiny beside the largest,
 * and of these the first by the rule above. */
static int leaving_row(const tableau *t, int column, double rounding)
{
    double largest = 0, limit = INFINITY, pivot_size = 0;
    int row = -1, last = t->columns - 1;
    for (int i = 0; i < t->n; i++) largest = fmax(largest, fabs(t->a[i * t->columns + column]));
    for (int i = 0; i < t->n; i++) {
        const double *r = t->a + i * t->columns;
        if (r[column] > pc_rank_bound(largest)) limit = fmin(limit, (fmax(r[last], 0) + rounding) / r[column]);
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < t->n; i++) {
            const double *r = t->a + i * t->columns;
            if (!(r[column] > pc_rank_bound(largest)) || fmax(r[last], 0) > limit * r[column]) continue;
            if (t->basis[i] == 2 * t->n) return i;
            if (pass == 0)
                pivot_size = fmax(pivot_size, r[column]);
            else if (r[column] >= TINY * pivot_size && (row < 0 || goes_first(t, i, row, column)))
                row = i;
        }
    return row;
}

bool pc_lcp_solve(int n, const double *M, const double *q, const double *cover, double *z, double *work, int *index)
{
    tableau t = {.n = n, .columns = n + 2, .a = work, .basis = index, .held = index + n};
    const int last = n + 1; /* the right-hand side */
    memset(z, 0, (size_t)n * sizeof *z);
    int worst = -1;
    double size = 0;
    for (int i = 0; i < n; i++) {
        double *r = t.a + i * t.columns;
        for (int j = 0; j < n; j++) r[j] = -M[i * n + j];
        r[n] = -cover[i];
        r[last] = q[i];
        t.basis[i] = i;
        t.held[i] = n + i;
        size = fmax(size, fabs(q[i]));
        if (q[i] < 0 && (worst < 0 || q[i] * cover[worst] < q[worst] * cover[i])) worst = i;
    }
    if (worst < 0) return true;
    t.held[n] = 2 * n;
    pivot(&t, worst, n);
    int entering = worst;   /* column of the complement of w_worst, which has left */
    int artificial = worst; /* the row where z_0 is basic */
    for (int turn = 0; turn < 50 * (n + 1); turn++) {
        int row = leaving_row(&t, entering, TIE * size);
        /* z_0 that is zero to rounding need not leave: this is a solution, or the next to it */
        bool solved = t.a[artificial * t.columns + last] <= TIE * size;
        if (row < 0 && !solved) return false;
        if (row < 0 || row == artificial) {
            if (row >= 0) pivot(&t, row, entering);
            for (int i = 0; i < n; i++)
                if (t.basis[i] >= n && t.basis[i] < 2 * n) z[t.basis[i] - n] = fmax(t.a[i * t.columns + last], 0);
            return true;
        }
        int left = t.basis[row];
        pivot(&t, row, entering);
        entering = column_of(&t, left < n ? left + n : left - n);
    }
    return false;
}
