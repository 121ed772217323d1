/* Rank, pseudo-inverse, energy and planar part of a mobility: see mobility.h. */
#include "math/mobility.h"

#include "math/linsolve.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void pc_mobility_matrix(const pc_mobility *W, double M[3][3])
{
    const double w[3][3] = {{W->tt, W->tn, W->tt2}, {W->tn, W->nn, W->t2n}, {W->tt2, W->t2n, W->t2t2}};
    memcpy(M, w, sizeof w);
}

void pc_mobility_turning_matrix(const pc_mobility *W, double M[PC_TURNING_SIDE][PC_TURNING_SIDE])
{
    double w[3][3];
    pc_mobility_matrix(W, w);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            M[i][j] = w[i][j];
            M[3 + i][j] = M[j][3 + i] = W->turning->cross[i][j];
            M[3 + i][3 + j] = W->turning->own[i][j];
        }
}

static bool is_planar(const pc_mobility *W)
{
    return W->t2t2 == 0 && W->tt2 == 0 && W->t2n == 0;
}

/* ad - bc without cancellation (Kahan; error analysis by Jeannerod, Louvet and Muller, Math. Comp. 82, 2013). */
static double difference_of_products(double a, double d, double b, double c)
{
    double bc = b * c;
    double error = fma(-b, c, bc);
    return fma(a, d, -bc) + error;
}

/* Eigenvalues of the planar part; the smaller one from the determinant, which keeps its digits near rank 1. */
static void planar_eigenvalues(const pc_mobility *W, double *large, double *small)
{
    if (W->tn == 0) {
        *large = W->tt > W->nn ? W->tt : W->nn;
        *small = W->tt > W->nn ? W->nn : W->tt;
        return;
    }
    double sum = W->tt + W->nn;
    double spread = hypot(W->tt - W->nn, 2 * W->tn);
    *large = (sum + spread) / 2;
    *small = *large > 0 ? difference_of_products(W->tt, W->nn, W->tn, W->tn) / *large : (sum - spread) / 2;
}

static void eigen(const pc_mobility *W, double values[3], double vectors[3][3])
{
    double m[3][3];
    pc_mobility_matrix(W, m);
    pc_eigen_symmetric3(m, values, vectors);
}

pc_status pc_mobility_rank(const pc_mobility *W, int *rank, pc_error *err)
{
    double values[3], vectors[3][3];
    int n = 3;
    if (is_planar(W)) {
        planar_eigenvalues(W, &values[0], &values[1]);
        n = 2;
    } else {
        eigen(W, values, vectors);
    }
    double bound = pc_rank_bound(values[0]);
    if (!(values[0] >= 0) || !(values[n - 1] >= -bound))
        return pc_fail(err, PC_E_ARGUMENT,
                       "W is not positive semi-definite: its least eigenvalue is %.10g 1/kg; it must be >= 0 1/kg",
                       values[n - 1]);
    *rank = 0;
    for (int i = 0; i < n; i++) *rank += values[i] > bound;
    return PC_OK;
}

void pc_mobility_solve_pseudo(const pc_mobility *W, const double v[3], double g[3])
{
    g[PC_T] = g[PC_N] = g[PC_T2] = 0;
    if (is_planar(W)) {
        if (W->rank == 2) {
            double det = difference_of_products(W->tt, W->nn, W->tn, W->tn);
            g[PC_T] = difference_of_products(W->nn, v[PC_T], W->tn, v[PC_N]) / det;
            g[PC_N] = difference_of_products(W->tt, v[PC_N], W->tn, v[PC_T]) / det;
        } else if (W->rank == 1) {
            /* W = w x x^T with |x| = 1 and w its trace: W^+ = W/w^2 */
            double w = W->tt + W->nn;
            g[PC_T] = (W->tt * v[PC_T] + W->tn * v[PC_N]) / w / w;
            g[PC_N] = (W->tn * v[PC_T] + W->nn * v[PC_N]) / w / w;
        }
        return;
    }
    double values[3], x[3][3];
    eigen(W, values, x);
    for (int k = 0; k < W->rank; k++) {
        double c = (x[0][k] * v[PC_T] + x[1][k] * v[PC_N] + x[2][k] * v[PC_T2]) / values[k];
        g[PC_T] += c * x[0][k];
        g[PC_N] += c * x[1][k];
        g[PC_T2] += c * x[2][k];
    }
}

double pc_mobility_energy(const pc_mobility *W, const double v[3])
{
    double g[3];
    pc_mobility_solve_pseudo(W, v, g);
    return (v[PC_T] * g[PC_T] + v[PC_N] * g[PC_N] + v[PC_T2] * g[PC_T2]) / 2;
}

bool pc_mobility_planar(const pc_mobility *W, pc_mobility *plane)
{
    /* the same tolerance as for the rank: below it the coupling is rounding */
    double bound = pc_rank_bound(W->tt + W->nn + W->t2t2);
    if (fabs(W->tt2) > bound || fabs(W->t2n) > bound) return false;
    pc_mobility p = {.tt = W->tt, .tn = W->tn, .nn = W->nn};
    pc_mobility_rank(&p, &p.rank, NULL);
    *plane = p;
    return true;
}

double pc_mobility_turning_energy(const pc_mobility *W, const double v[3], int *rank)
{
    enum { SIDE = PC_TURNING_SIDE };
    double M[SIDE][SIDE], A[SIDE * (SIDE + 1)], x[SIDE], size[SIDE], all[SIDE], sum = 0;
    int order[SIDE];
    pc_mobility_turning_matrix(W, M);
    for (int i = 0; i < 3; i++) {
        all[i] = v[i];
        all[3 + i] = W->turning->rate[i];
    }
    /* rows of unit size: rates and velocities have different units */
    for (int i = 0; i < SIDE; i++) size[i] = M[i][i] > 0 ? sqrt(M[i][i]) : 1;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) A[i * (SIDE + 1) + j] = M[i][j] / (size[i] * size[j]);
        A[i * (SIDE + 1) + SIDE] = all[i] / size[i];
    }
    const int found = pc_solve_dependent(A, SIDE, 1, PC_RANK_TOLERANCE, true, x, order);
    if (rank) *rank = found;
    for (int i = 0; i < SIDE; i++) sum += x[i] * all[i] / size[i];
    return sum > 0 ? sum / 2 : 0;
}
