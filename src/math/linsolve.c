/* LU with partial pivoting: see linsolve.h. Golub and Van Loan, Matrix Computations, 3.4 (outer product form; the
 * rows are contiguous). The diagonal of U is kept inverted: solving then has no division. */
#include "math/linsolve.h"

#include "math/twin.h"

#include <math.h>

/* Exchange n numbers with as many others; each `stride` apart. */
static void swap(double *a, double *b, int n, int stride)
{
    for (int i = 0; i < n * stride; i += stride) {
        double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

bool pc_lu_factor(double *a, int n, int *pivots)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        pivots[k] = p;
        double pivot = a[p * n + k];
        if (pivot == 0 || !isfinite(pivot)) return false;
        if (p != k) swap(a + p * n, a + k * n, n, 1);
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
    for (int i = 0; i < n; i++) swap(&b[pivots[i]], &b[i], 1, 1);
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

/* The largest entry from (k, k) on, or the largest on the diagonal; rows of `row` numbers. */
static void find_pivot(const double *A, int n, int row, int k, bool diagonal, int *pi, int *pj)
{
    *pi = *pj = k;
    for (int i = k; i < n; i++) {
        int first = diagonal ? i : k, last = diagonal ? i : n - 1;
        for (int j = first; j <= last; j++)
            if (fabs(A[i * row + j]) > fabs(A[*pi * row + *pj])) *pi = i, *pj = j;
    }
}

int pc_solve_dependent(double *A, int n, int sides, double least, bool diagonal, double *x, int *order)
{
    int row = n + sides, rank = n;
    double first = 0;
    for (int j = 0; j < n; j++) order[j] = j;
    for (int k = 0; k < n; k++) {
        int pi, pj;
        find_pivot(A, n, row, k, diagonal, &pi, &pj);
        double largest = fabs(A[pi * row + pj]);
        if (k == 0) first = largest;
        if (!(largest > least * first)) {
            rank = k;
            break;
        }
        swap(A + k * row, A + pi * row, row, 1);
        swap(A + k, A + pj, n, row);
        int other = order[k];
        order[k] = order[pj];
        order[pj] = other;
        for (int i = k + 1; i < n; i++) {
            double *restrict own = A + i * row, factor = own[k] / A[k * row + k];
            const double *restrict top = A + k * row;
            if (factor == 0) continue;
            for (int j = k; j < row; j++) own[j] -= factor * top[j];
        }
    }
    for (int s = 0; s < sides; s++, x += n)
        for (int k = n - 1; k >= 0; k--) {
            double sum = k < rank ? A[k * row + n + s] : 0;
            for (int j = k + 1; j < rank && k < rank; j++) sum -= A[k * row + j] * x[order[j]];
            x[order[k]] = k < rank ? sum / A[k * row + k] : 0;
        }
    return rank;
}

size_t pc_least_norm_room(int n)
{
    return 3 * (size_t)n;
}

/* The reflection that turns x, of n entries, into its first alone, which becomes *top; x becomes its vector, the
 * first entry not kept but 1. The factor of the reflection is returned. */
static double reflect(double *x, int n, double *top)
{
    double square = 0, first = x[0];
    for (int i = 1; i < n; i++) square += x[i] * x[i];
    *top = first;
    if (square == 0) return 0;
    double length = copysign(sqrt(first * first + square), first), sum = first + length;
    for (int i = 1; i < n; i++) x[i] /= sum;
    *top = -length;
    return sum / length;
}

/* y += a x */
static void add_times(double a, const double *x, int n, double *y)
{
    int i = 0;
    for (; i + 2 <= n; i += 2) pc_twin_store(y + i, pc_twin_load(y + i) + a * pc_twin_load(x + i));
    if (i < n) y[i] += a * x[i];
}

/* Four sums side by side do not wait for one another. */
static void apply(const double *vector, double factor, int n, double *x)
{
    pc_twin part[2] = {{x[0], 0}, {0, 0}};
    int i = 1;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 2; k++) part[k] += pc_twin_load(vector + i + 2 * k) * pc_twin_load(x + i + 2 * k);
    for (; i < n; i++) part[0][0] += vector[i] * x[i];
    double sum = factor * ((part[0][0] + part[0][1]) + (part[1][0] + part[1][1]));
    x[0] -= sum;
    add_times(-sum, vector + 1, n - 1, x + 1);
}

/* A = Q R with exchanged columns; x becomes Q^T x. Squares of columns are brought up to date and taken anew where
 * they have lost half their digits (Golub and Van Loan, 5.4.1). */
static int factor_columns(double *A, int n, double least, double *x, double *square, double *fresh, int *order)
{
    double first = 0;
    for (int j = 0; j < n; j++) {
        order[j] = j;
        square[j] = 0;
        for (int i = 0; i < n; i++) square[j] += A[j * n + i] * A[j * n + i];
        fresh[j] = square[j];
        first = fmax(first, square[j]);
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int j = k; j < n; j++) {
            if (square[j] < 1e-6 * fresh[j]) {
                square[j] = 0;
                for (int i = k; i < n; i++) square[j] += A[j * n + i] * A[j * n + i];
                fresh[j] = square[j];
            }
            if (square[j] > square[best]) best = j;
        }
        if (!(square[best] > least * least * first)) return k;
        if (best != k) {
            swap(A + k * n, A + best * n, n, 1);
            int other = order[k];
            order[k] = order[best];
            order[best] = other;
            square[best] = square[k];
            fresh[best] = fresh[k];
        }
        double top, factor = reflect(A + k * n + k, n - k, &top);
        for (int j = k + 1; j < n; j++) {
            double *a = A + j * n + k;
            if (factor != 0) apply(A + k * n + k, factor, n - k, a);
            square[j] -= a[0] * a[0];
        }
        if (factor != 0) apply(A + k * n + k, factor, n - k, x + k);
        A[k * n + k] = top;
    }
    return n;
}

int pc_least_norm(double *A, int n, double least, double *x, double *work, int *order)
{
    double *factor = work, *y = work + n;
    int rank = factor_columns(A, n, least, x, work, y, order), rest = n - rank;
    /* R of full row rank to the right of its triangle: reflections of rows, from the last, on (k, rank .. n) */
    for (int k = rank - 1; k >= 0 && rest > 0; k--) {
        double *row = work + 2 * n, *vector = A + (size_t)n * (size_t)rank;
        row[0] = A[k * n + k];
        for (int j = 0; j < rest; j++) row[1 + j] = vector[j * n + k];
        factor[k] = reflect(row, rest + 1, &A[k * n + k]);
        for (int j = 0; j < rest; j++) vector[j * n + k] = row[1 + j];
        double *sum = row + 1 + rest;
        for (int i = 0; i < k; i++) sum[i] = A[k * n + i];
        for (int j = 0; j < rest; j++) add_times(row[1 + j], vector + j * n, k, sum);
        for (int i = 0; i < k; i++) sum[i] *= factor[k];
        add_times(-1, sum, k, A + k * n);
        for (int j = 0; j < rest; j++) add_times(-row[1 + j], sum, k, vector + j * n);
    }
    for (int k = n - 1; k >= 0; k--) {
        double sum = k < rank ? x[k] : 0;
        for (int j = k + 1; j < rank; j++) sum -= A[j * n + k] * y[j];
        y[k] = k < rank ? sum / A[k * n + k] : 0;
    }
    for (int k = 0; k < rank && rest > 0; k++) {
        double sum = y[k];
        for (int j = rank; j < n; j++) sum += A[j * n + k] * y[j];
        sum *= factor[k];
        y[k] -= sum;
        for (int j = rank; j < n; j++) y[j] -= sum * A[j * n + k];
    }
    for (int k = 0; k < n; k++) x[order[k]] = y[k];
    return rank;
}

/* Eigenvalues of symmetric matrices by Jacobi's rotations (Golub and Van Loan, Matrix Computations, 8.5).
 *
 * Jacobi rather than the trigonometric closed form of 3 x 3: the small eigenvalues decide ranks, and Jacobi finds them
 * with an error of the order of rounding in the matrix, where the closed form loses half of the digits at double roots.
 */

/* Rotate rows and columns p and q of a symmetric matrix so that their entry vanishes; rows p and q of `vectors` as
 * well. */
static void rotate(int n, double *A, double *vectors, int p, int q)
{
    double off = A[p * n + q];
    if (off == 0) return;
    double ratio = (A[q * n + q] - A[p * n + p]) / (2 * off);
    double t = (ratio >= 0 ? 1 : -1) / (fabs(ratio) + sqrt(ratio * ratio + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = A[k * n + p], y = A[k * n + q];
        A[k * n + p] = c * x - s * y, A[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = A[p * n + k], y = A[q * n + k];
        A[p * n + k] = c * x - s * y, A[q * n + k] = s * x + c * y;
        x = vectors[p * n + k], y = vectors[q * n + k];
        vectors[p * n + k] = c * x - s * y, vectors[q * n + k] = s * x + c * y;
    }
    A[p * n + q] = A[q * n + p] = 0;
}

static void start_rotations(int n, double *vectors)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) vectors[i * n + j] = i == j;
}

/* The diagonal, which `sign` makes ascend, and the rows of vectors with it. */
static void sort_values(int n, const double *A, double sign, double *values, double *vectors)
{
    for (int i = 0; i < n; i++) values[i] = A[i * n + i];
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (sign * values[j] < sign * values[least]) least = j;
        swap(&values[i], &values[least], 1, 1);
        swap(vectors + i * n, vectors + least * n, n, 1);
    }
}

void pc_eigen_symmetric3(double matrix[3][3], double values[3], double vectors[3][3])
{
    double A[9], rows[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A[3 * i + j] = i <= j ? matrix[i][j] : matrix[j][i];
    start_rotations(3, rows);
    /* convergence is quadratic: six sweeps are enough for 3 x 3 in double, the bound keeps NaN from looping */
    for (int sweep = 0; sweep < 12 && (A[1] != 0 || A[2] != 0 || A[5] != 0); sweep++) {
        rotate(3, A, rows, 0, 1);
        rotate(3, A, rows, 0, 2);
        rotate(3, A, rows, 1, 2);
    }
    sort_values(3, A, -1, values, rows);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) vectors[i][k] = rows[3 * k + i];
}

bool pc_eigen_pencil(int n, double *K, double *M, double *values, double *vectors)
{
    /* M = L L' in the lower triangle; K becomes L^-1 K L^-T */
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= M[i * n + k] * M[j * n + k];
            if (i == j && !(sum > 0)) return false;
            M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * n + j];
        }
    }
    for (int side = 0; side < 2; side++) /* rows, then, K being transposed, columns */
        for (int c = 0; c < n; c++)
            for (int i = 0; i < n; i++) {
                double *at = side == 0 ? &K[i * n + c] : &K[c * n + i];
                for (int k = 0; k < i; k++) *at -= M[i * n + k] * (side == 0 ? K[k * n + c] : K[c * n + k]);
                *at /= M[i * n + i];
            }
    start_rotations(n, vectors);
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0, all = 0;
        for (int p = 0; p < n; p++)
            for (int q = 0; q < n; q++) {
                all += K[p * n + q] * K[p * n + q];
                if (p != q) off += K[p * n + q] * K[p * n + q];
            }
        if (off <= 1e-30 * all) break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) rotate(n, K, vectors, p, q);
    }
    sort_values(n, K, 1, values, vectors);
    for (int v = 0; v < n; v++) /* back by L^-T */
        for (int i = n - 1; i >= 0; i--) {
            double *x = vectors + v * n;
            for (int k = i + 1; k < n; k++) x[i] -= M[k * n + i] * x[k];
            x[i] /= M[i * n + i];
        }
    return true;
}
