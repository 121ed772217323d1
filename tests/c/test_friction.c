/* Friction at several planar contacts: solutions are checked against the conditions themselves, on random bodies with
 * random contacts, and against known cases: a block on an incline, redundant supports, Painleve's rod. */
#include "unit.h"

#include "math/friction.h"
#include "math/lcp.h"
#include "math/rng.h"

#include <math.h>
#include <string.h>

enum { T, N, MOST = 16 };

typedef struct problem {
    int n;
    pc_rubbing c[MOST];
    double W[4 * MOST * MOST], b[2 * MOST], p[2 * MOST], v[2 * MOST];
} problem;

static bool solve(problem *q)
{
    double *work = calloc(pc_friction_room(q->n), sizeof *work);
    int *index = calloc(pc_friction_indices(q->n), sizeof *index);
    bool got = pc_friction_solve(q->n, q->c, q->W, q->b, 1e-14, q->p, work, index);
    free(work);
    free(index);
    for (int i = 0; i < 2 * q->n; i++) {
        q->v[i] = q->b[i];
        for (int j = 0; j < 2 * q->n; j++) q->v[i] += q->W[i * 2 * q->n + j] * q->p[j];
    }
    return got;
}

/* Bodies of three freedoms each; contact i of bodies a and b at random places, with a random normal. What stands still
 * is body -1. The rows are those of J, and W = J A^-1 J^T. */
static void touch_random(pc_rng *rng, int bodies, problem *q)
{
    double J[2 * MOST][3 * MOST] = {{0}}, inverse[3 * MOST];
    for (int k = 0; k < bodies; k++) {
        inverse[3 * k] = inverse[3 * k + 1] = 1 / pc_rng_between(rng, 0.2, 3);
        inverse[3 * k + 2] = inverse[3 * k] * pc_rng_between(rng, 2, 12);
    }
    for (int i = 0; i < q->n; i++) {
        int a = (int)pc_rng_below(rng, (uint64_t)bodies), b = (int)pc_rng_below(rng, (uint64_t)bodies + 1) - 1;
        double angle = pc_rng_between(rng, -M_PI, M_PI), n[2] = {cos(angle), sin(angle)};
        for (int side = 0; side < 2; side++) {
            int body = side ? b : a, sign = side ? -1 : 1;
            double r[2] = {pc_rng_between(rng, -1, 1), pc_rng_between(rng, -1, 1)};
            if (body < 0 || a == b) continue;
            J[2 * i + T][3 * body] += sign * n[1], J[2 * i + T][3 * body + 1] -= sign * n[0];
            J[2 * i + T][3 * body + 2] -= sign * (r[0] * n[0] + r[1] * n[1]);
            J[2 * i + N][3 * body] += sign * n[0], J[2 * i + N][3 * body + 1] += sign * n[1];
            J[2 * i + N][3 * body + 2] += sign * (r[0] * n[1] - r[1] * n[0]);
        }
        if (a == b) { /* with itself: with what stands still instead */
            J[2 * i + T][3 * a] = n[1], J[2 * i + T][3 * a + 1] = -n[0];
            J[2 * i + N][3 * a] = n[0], J[2 * i + N][3 * a + 1] = n[1];
        }
    }
    double u[3 * MOST];
    for (int k = 0; k < 3 * bodies; k++) u[k] = pc_rng_between(rng, -1, 1);
    for (int i = 0; i < 2 * q->n; i++) {
        q->b[i] = 0;
        for (int k = 0; k < 3 * bodies; k++) q->b[i] += J[i][k] * u[k];
        for (int j = 0; j < 2 * q->n; j++) {
            q->W[i * 2 * q->n + j] = 0;
            for (int k = 0; k < 3 * bodies; k++) q->W[i * 2 * q->n + j] += J[i][k] * inverse[k] * J[j][k];
        }
    }
}

static void check_conditions(const problem *q, int which)
{
    double largest = 1, bound;
    for (int i = 0; i < 2 * q->n; i++) largest = fmax(largest, fabs(q->p[i]));
    bound = 1e-9 * largest; /* of velocities: rounding times the size of the problem and its condition */
    for (int i = 0; i < q->n; i++) {
        double x = q->p[2 * i + N] - q->c[i].given, pt = q->p[2 * i + T], cone = q->c[i].mu * q->p[2 * i + N];
        double vt = q->v[2 * i + T], vn = q->v[2 * i + N];
        ck_assert_msg(x >= -bound && vn >= -bound * 12, "case %d, contact %d: p_n %g, v_n %g", which, i, x, vn);
        ck_assert_msg(fmin(x, vn) <= bound * 12, "case %d, contact %d: p_n %g and v_n %g", which, i, x, vn);
        ck_assert_msg(fabs(pt) <= cone + bound, "case %d, contact %d: p_t %g beyond %g", which, i, pt, cone);
        ck_assert_msg(fabs(vt) <= bound * 12 || fabs(pt + copysign(cone, vt)) <= bound,
                      "case %d, contact %d slips at %g with %g of %g", which, i, vt, pt, cone);
    }
}

START_TEST(impulses_meet_every_condition)
{
    pc_rng rng;
    pc_rng_seed(&rng, 91);
    int stuck = 0, slid = 0, open = 0;
    for (int k = 0; k < 3000; k++) {
        problem q = {.n = 1 + (int)pc_rng_below(&rng, MOST)};
        /* fewer freedoms than conditions in most cases */
        touch_random(&rng, 1 + (int)pc_rng_below(&rng, 6), &q);
        bool given = pc_rng_below(&rng, 3) == 0;
        for (int i = 0; i < q.n; i++) {
            q.c[i].mu = pc_rng_below(&rng, 6) == 0 ? 0 : pc_rng_between(&rng, 0, 2);
            q.c[i].given = given ? pc_rng_uniform(&rng) : 0;
        }
        ck_assert_msg(solve(&q), "case %d of %d contacts", k, q.n);
        check_conditions(&q, k);
        for (int i = 0; i < q.n; i++) {
            if (q.p[2 * i + N] <= q.c[i].given + 1e-12)
                open++;
            else if (fabs(q.v[2 * i + T]) < 1e-9)
                stuck++;
            else
                slid++;
        }
    }
    /* every state occurs often enough to be tested */
    ck_assert_int_gt(stuck, 1000);
    ck_assert_int_gt(slid, 1000);
    ck_assert_int_gt(open, 1000);
}
END_TEST

/* A row of supports under one block: more normal forces than freedoms, all at rest. */
START_TEST(redundant_supports_carry_the_weight)
{
    for (int n = 1; n <= MOST; n++) {
        problem q = {.n = n};
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double x = n == 1 ? 0 : -1 + 2.0 * i / (n - 1);
            q.c[i].mu = 0.5;
            q.b[2 * i + N] = -9.81;
            for (int j = 0; j < n; j++) {
                double z = n == 1 ? 0 : -1 + 2.0 * j / (n - 1);
                double *w = q.W + 2 * i * 2 * n + 2 * j;
                w[0] = 1 + 3 * 0.25; /* feet at half the height of the centre, mass 1, inertia 1/3 */
                w[1] = 3 * 0.5 * z;
                w[2 * n] = 3 * 0.5 * x;
                w[2 * n + 1] = 1 + 3 * x * z;
            }
        }
        ck_assert(solve(&q));
        for (int i = 0; i < n; i++) {
            sum += q.p[2 * i + N];
            ck_assert_double_ge(q.p[2 * i + N], 0);
            ck_assert_double_eq_tol(q.v[2 * i + N], 0, 1e-12);
        }
        ck_assert_double_eq_tol(sum, 9.81, 1e-11);
    }
}
END_TEST

/* Given slip: where it presses harder than a force can relieve, mu w_nt > w_nn, there is none; else the force is known.
 */
START_TEST(slip_that_presses_has_no_force)
{
    for (int k = 0; k < 200; k++) {
        double mu = 0.02 * k, tt = 2, tn = 0.9, nn = 1.1;
        if (fabs(nn - mu * tn) < 1e-3) continue;
        problem q = {.n = 1, .c = {{.mu = mu, .slip = 1}}, .W = {tt, tn, tn, nn}, .b = {1, -1}};
        bool is = nn - mu * tn > 0;
        ck_assert_int_eq(solve(&q), is);
        if (is) ck_assert_double_eq_tol(q.p[N], 1 / (nn - mu * tn), 1e-10 / (nn - mu * tn));
    }
}
END_TEST

/* Two discs in a row between walls that leave no play, not quite level: to approach each other along the line of
 * centres by next to nothing, they would have to stop sliding along it. W is singular but for the square of that
 * angle. */
START_TEST(bodies_without_play_stop_each_other)
{
    for (int k = 0; k < 6; k++) {
        double tilt = pow(10, -3 - k), mu = 0.9;
        problem q = {.n = 3, .c = {{.mu = mu}, {.mu = mu}, {.mu = mu}}};
        /* unit discs of mass 1 and inertia 1/2; left wall on disc 1, disc 1 on disc 2, right wall on disc 2 */
        double n[3][2] = {{1, 0}, {-cos(tilt), sin(tilt)}, {-1, 0}}, J[6][6] = {{0}};
        for (int i = 0; i < 3; i++) {
            int a = i == 2 ? 3 : 0;
            J[2 * i + T][a] = n[i][1], J[2 * i + T][a + 1] = -n[i][0], J[2 * i + T][a + 2] = 1;
            J[2 * i + N][a] = n[i][0], J[2 * i + N][a + 1] = n[i][1];
            if (i != 1) continue;
            J[2][3] = -n[1][1], J[2][4] = n[1][0], J[2][5] = 1;
            J[3][3] = -n[1][0], J[3][4] = -n[1][1];
        }
        const double u[6] = {0, -0.5, 0, 0, 0.5, 0};
        for (int i = 0; i < 6; i++)
            for (int d = 0; d < 6; d++) {
                q.b[i] += J[i][d] * u[d];
                for (int j = 0; j < 6; j++) q.W[i * 6 + j] += J[i][d] * (d % 3 == 2 ? 2 : 1) * J[j][d];
            }
        ck_assert_msg(solve(&q), "tilt %g", tilt);
        for (int i = 0; i < 3; i++) ck_assert_double_ge(q.v[2 * i + N], -1e-8);
    }
}
END_TEST

/* A known problem whose right-hand side is zero in places: ties at every pivot. */
START_TEST(degenerate_complementarity_ends)
{
    enum { SIDE = 12 };
    double M[SIDE * SIDE], q[SIDE], z[SIDE], *work = calloc(pc_lcp_room(SIDE), sizeof *work);
    int index[2 * SIDE + 1];
    pc_rng rng;
    pc_rng_seed(&rng, 92);
    for (int k = 0; k < 500; k++) {
        double B[SIDE][3];
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < 3; j++) B[i][j] = (double)pc_rng_below(&rng, 5) - 2;
        for (int i = 0; i < SIDE; i++) {
            double inside = B[i][0] - 2 * B[i][1]; /* in the range of M; with this or more there is a solution */
            q[i] = pc_rng_below(&rng, 2) ? inside : fmax(inside, 0);
            for (int j = 0; j < SIDE; j++) M[i * SIDE + j] = B[i][0] * B[j][0] + B[i][1] * B[j][1] + B[i][2] * B[j][2];
        }
        ck_assert(pc_lcp_solve(SIDE, M, q, 1e-13, z, work, index));
        for (int i = 0; i < SIDE; i++) {
            double w = q[i];
            for (int j = 0; j < SIDE; j++) w += M[i * SIDE + j] * z[j];
            ck_assert_double_ge(z[i], 0);
            ck_assert_double_ge(w, -1e-10);
            ck_assert_double_le(z[i] * w, 1e-10);
        }
    }
    free(work);
}
END_TEST

UNIT_MAIN("friction", 60, impulses_meet_every_condition, redundant_supports_carry_the_weight,
          slip_that_presses_has_no_force, bodies_without_play_stop_each_other, degenerate_complementarity_ends)
