/* Semi-definite systems, ranks and small eigenvalue problems under bodies. */
#include "unit.h"

#include "body/body.h"
#include "math/linsolve.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t seed = 5761;

static double uniform(double lo, double hi)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

/* G: n x r, not far from the first columns of the unit matrix; A = G G^T has rank r and its non-zero eigenvalues lie
 * within about 1e-3 and 10. */
static void draw_semidefinite(int n, int r, double *G, double *A)
{
    for (int i = 0; i < n * r; i++) G[i] = (i / r == i % r ? 1 : 0) + uniform(-0.4, 0.4);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0;
            for (int k = 0; k < r; k++) A[i * n + j] += G[i * r + k] * G[j * r + k];
        }
}

/* A right-hand side in the range of A has the solution of least norm: A x = b, and x is orthogonal to every null
 * direction of A. A null direction is what remains of any vector c when its least solution of A y = A c is removed. The
 * bounds are rounding times a condition number of 1e4. */
START_TEST(consistent_singular_systems_get_the_solution_of_least_norm)
{
    for (int trial = 0; trial < 2000; trial++) {
        int n = 2 + (int)uniform(0, 7), r = 1 + (int)uniform(0, n);
        double G[64], A[64], w[8], b[8] = {0}, x[8], null[8], size = 0;
        draw_semidefinite(n, r, G, A);
        for (int k = 0; k < r; k++) w[k] = uniform(-1, 1);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < r; k++) b[i] += G[i * r + k] * w[k];
            size = fmax(size, fabs(b[i]));
        }
        pc_error err = {0};
        ck_assert_msg(!pc_solve_semidefinite(n, A, 1, b, x, &err), "%s", err.text);
        for (int i = 0; i < n; i++) {
            double sum = 0, terms = size;
            for (int j = 0; j < n; j++) {
                sum += A[i * n + j] * x[j];
                terms += fabs(A[i * n + j] * x[j]);
            }
            ck_assert_msg(fabs(sum - b[i]) <= 1e-12 * terms, "residual %.3g of %.3g", sum - b[i], terms);
        }
        /* x has no part along a null direction: take a vector, remove its range part by solving A y = A c */
        double c[8], Ac[8] = {0};
        for (int i = 0; i < n; i++) c[i] = uniform(-1, 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) Ac[i] += A[i * n + j] * c[j];
        ck_assert(!pc_solve_semidefinite(n, A, 1, Ac, null, &err));
        double along = 0, length = 0;
        for (int i = 0; i < n; i++) {
            along += (c[i] - null[i]) * x[i];
            length += fabs(x[i]) + fabs(null[i]);
        }
        ck_assert_msg(fabs(along) <= 1e-12 * length * (1 + length), "part along a null direction: %.3g of %.3g", along,
                      length);
    }
}
END_TEST

START_TEST(diagonal_systems_are_exact)
{
    const double A[9] = {3, 0, 0, 0, 7e-9, 0, 0, 0, 1.1e12}, B[6] = {1, 2, 3, -1, 5, 0};
    double X[6];
    ck_assert(!pc_solve_semidefinite(3, A, 2, B, X, NULL));
    for (int i = 0; i < 3; i++)
        for (int r = 0; r < 2; r++) ck_assert_double_eq(X[i * 2 + r], B[r * 3 + i] / A[i * 4]);
}
END_TEST

START_TEST(indefinite_and_inconsistent_systems_are_refused)
{
    const struct {
        double A[4], b[2];
    } bad[] = {
        {{1, 2, 2, 1}, {1, 0}},   {{0, 1, 1, 0}, {1, 0}},   {{-1, 0, 0, 1}, {0, 1}}, {{1, 0, 0, 0}, {0, 1}},
        {{1, 1, 1, 1}, {1, 1.1}}, {{1, 0, 0, NAN}, {1, 0}}, {{0, 0, 0, 0}, {1, 0}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double x[2];
        pc_error err = {0};
        ck_assert_int_eq(pc_solve_semidefinite(2, bad[i].A, 1, bad[i].b, x, &err), PC_E_ARGUMENT);
        ck_assert_str_ne(err.text, "");
    }
}
END_TEST

START_TEST(eigenvectors_diagonalize_and_are_orthonormal)
{
    for (int trial = 0; trial < 2000; trial++) {
        double G[9], A[9], m[3][3], values[3], v[3][3];
        int r = 1 + trial % 3;
        draw_semidefinite(3, r, G, A);
        for (int i = 0; i < 9; i++) m[i / 3][i % 3] = A[i];
        double size = A[0] + A[4] + A[8];
        pc_eigen_symmetric3(m, values, v);
        ck_assert(values[0] >= values[1] && values[1] >= values[2]);
        for (int k = r; k < 3; k++) ck_assert(fabs(values[k]) <= 4e-16 * size);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                double Av = 0, dot = 0;
                for (int j = 0; j < 3; j++) {
                    Av += m[i][j] * v[j][k];
                    dot += v[j][i] * v[j][k];
                }
                ck_assert_msg(fabs(Av - values[k] * v[i][k]) <= 4e-15 * size, "%.3g", Av - values[k] * v[i][k]);
                ck_assert(fabs(dot - (i == k)) <= 4e-15);
            }
    }
}
END_TEST

START_TEST(pseudo_inverse_undoes_what_the_mobility_can_do)
{
    for (int trial = 0; trial < 3000; trial++) {
        int n = 2 + trial % 2, r = 1 + (int)uniform(0, n);
        double G[9], A[9], p[3] = {0}, v[3], g[3], back[3];
        draw_semidefinite(n, r, G, A);
        pc_mobility W = n == 2
                            ? (pc_mobility){.tt = A[0], .tn = A[1], .nn = A[3]}
                            : (pc_mobility){.tt = A[0], .tn = A[1], .tt2 = A[2], .nn = A[4], .t2n = A[5], .t2t2 = A[8]};
        ck_assert(!pc_mobility_rank(&W, &W.rank, NULL));
        ck_assert_int_eq(W.rank, r);
        for (int i = 0; i < n; i++) p[i] = uniform(-1, 1);
        const double M[3][3] = {{W.tt, W.tn, W.tt2}, {W.tn, W.nn, W.t2n}, {W.tt2, W.t2n, W.t2t2}};
        double scale = 0;
        for (int i = 0; i < 3; i++) v[i] = M[i][0] * p[0] + M[i][1] * p[1] + M[i][2] * p[2];
        pc_mobility_solve_pseudo(&W, v, g);
        for (int i = 0; i < 3; i++) {
            back[i] = M[i][0] * g[0] + M[i][1] * g[1] + M[i][2] * g[2];
            scale += fabs(M[i][0] * g[0]) + fabs(M[i][1] * g[1]) + fabs(M[i][2] * g[2]);
        }
        for (int i = 0; i < 3; i++)
            ck_assert_msg(fabs(back[i] - v[i]) <= 1e-13 * scale + 1e-15, "%.3g of %.3g", back[i] - v[i], scale);
        /* least of all impulses with this effect: never longer than p */
        ck_assert(g[0] * g[0] + g[1] * g[1] + g[2] * g[2] <= (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) * (1 + 1e-6));
    }
}
END_TEST

START_TEST(negative_mobilities_are_refused)
{
    const pc_mobility bad[] = {{.tt = 1, .tn = 2, .nn = 1}, {.tt = -1, .nn = 1},
                               {.tt = -1, .nn = 0},         {.tt = 1, .nn = 1, .t2t2 = 1, .tt2 = 2},
                               {.tt = NAN, .nn = 1},        {.tt = 1, .nn = 1, .t2t2 = NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int rank;
        pc_error err = {0};
        ck_assert_msg(pc_mobility_rank(&bad[i], &rank, &err) == PC_E_ARGUMENT, "case %zu", i);
    }
}
END_TEST

START_TEST(planar_part_is_given_only_where_the_second_tangent_decouples)
{
    pc_mobility plane;
    const pc_mobility free_ball = {.tt = 3.5, .nn = 1, .t2t2 = 3.5, .rank = 3};
    const pc_mobility coupled = {.tt = 3.5, .nn = 1, .t2t2 = 3.5, .t2n = 1e-6, .rank = 3};
    ck_assert(pc_mobility_planar(&free_ball, &plane));
    ck_assert(plane.rank == 2 && plane.tt == 3.5 && plane.t2t2 == 0);
    ck_assert(!pc_mobility_planar(&coupled, &plane));
}
END_TEST

UNIT_MAIN("body_solve", 30, consistent_singular_systems_get_the_solution_of_least_norm, diagonal_systems_are_exact,
          indefinite_and_inconsistent_systems_are_refused, eigenvectors_diagonalize_and_are_orthonormal,
          pseudo_inverse_undoes_what_the_mobility_can_do, negative_mobilities_are_refused,
          planar_part_is_given_only_where_the_second_tangent_decouples)
