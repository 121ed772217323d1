/* Friction at several planar contacts: solutions are checked against the conditions themselves, on random bodies with
 * random contacts, and against known cases: a block on an incline, redundant supports, Painleve's rod. */
#include "cone_random.h"

#include "math/friction.h"
#include "math/linsolve.h"

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
    double cover[SIDE];
    int index[2 * SIDE + 1];
    pc_rng rng;
    pc_rng_seed(&rng, 92);
    for (int i = 0; i < SIDE; i++) cover[i] = 1;
    for (int k = 0; k < 500; k++) {
        double B[SIDE][3];
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < 3; j++) B[i][j] = (double)pc_rng_below(&rng, 5) - 2;
        for (int i = 0; i < SIDE; i++) {
            double inside = B[i][0] - 2 * B[i][1]; /* in the range of M; with this or more there is a solution */
            q[i] = pc_rng_below(&rng, 2) ? inside : fmax(inside, 0);
            for (int j = 0; j < SIDE; j++) M[i * SIDE + j] = B[i][0] * B[j][0] + B[i][1] * B[j][1] + B[i][2] * B[j][2];
        }
        ck_assert(pc_lcp_solve(SIDE, M, q, cover, z, work, index));
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

START_TEST(random_problems_are_all_solved)
{
    pc_rng rng;
    pc_rng_seed(&rng, 93);
    for (int k = 0; k < 400; k++) cone_check(&rng, k);
}
END_TEST

/* The same problem with its contacts in another order, or seen in a mirror, has the same solution, though there may be
 * others: towers on more points than they need, whose friction is not determined. */
START_TEST(order_and_mirror_images_make_no_difference)
{
    static cone_problem q, other;
    pc_rng rng;
    pc_rng_seed(&rng, 94);
    int dependent = 0, differ = 0, apart_only = 0;
    for (int k = 0; k < 400; k++) {
        cone_random(&rng, k % 2 ? CONE_ROW : CONE_TOWER, &q);
        int n = q.n, order[CONES];
        for (int way = 0; way < 2; way++) {
            for (int i = 0, j; i < n; i++) {
                j = (int)pc_rng_below(&rng, (uint64_t)i + 1);
                order[i] = order[j];
                order[j] = i;
            }
            other = q;
            for (int i = 0; i < n; i++) {
                other.c[i] = q.c[order[i]];
                for (int c = 0; c < 2; c++) /* in a mirror tangential components change their sign */
                    for (int f = 0; f < 3 * q.bodies; f++)
                        other.J[2 * i + c][f] = q.J[2 * order[i] + c][f] * (way == 1 && c == CONE_T ? -1 : 1);
            }
            cone_product(&other);
            ck_assert(cone_solve(&q));
            ck_assert(cone_solve(&other));
            double speed = 0, most = 0, off = 0, apart = 0;
            for (int i = 0; i < 2 * n; i++) {
                speed = fmax(speed, fmax(fabs(q.b[i]), fabs(q.v[i])));
                most = fmax(most, fabs(q.p[i]));
            }
            for (int i = 0; i < n; i++)
                for (int c = 0; c < 2; c++) {
                    double sign = way == 1 && c == CONE_T ? -1 : 1;
                    off = fmax(off, fabs(other.v[2 * i + c] - sign * q.v[2 * order[i] + c]));
                    apart = fmax(apart, fabs(other.p[2 * i + c] - sign * q.p[2 * order[i] + c]));
                }
            differ += off > 1e-9 * speed;
            apart_only += off <= 1e-9 * speed && apart > 1e-6 * most;
        }
        dependent += 2 * n > 3 * q.bodies;
    }
    ck_assert_int_gt(dependent, 300);
    /* of 800, where only Lemke's method finds a solution of several: its path follows the order of the list */
    ck_assert_int_le(differ, 8);
    ck_assert_int_le(apart_only, 24);
}
END_TEST

/* Of all least-squares solutions the one of least norm, whatever the rank: what is left is across the columns, and the
 * solution is a sum of rows. */
START_TEST(least_norm_solutions_are_sums_of_rows)
{
    enum { SIDE = 9 };
    pc_rng rng;
    pc_rng_seed(&rng, 95);
    for (int k = 0; k < 500; k++) {
        int n = 1 + (int)pc_rng_below(&rng, SIDE), rank = (int)pc_rng_below(&rng, (uint64_t)n + 1), order[SIDE];
        double L[SIDE][SIDE], R[SIDE][SIDE], A[SIDE * SIDE] = {0}, kept[SIDE * SIDE], x[SIDE], b[SIDE];
        double *work = calloc(pc_least_norm_room(SIDE), sizeof *work), left[SIDE], y[SIDE];
        for (int i = 0; i < n; i++) {
            x[i] = b[i] = pc_rng_between(&rng, -1, 1);
            for (int r = 0; r < rank; r++) L[i][r] = pc_rng_between(&rng, -1, 1), R[r][i] = pc_rng_between(&rng, -1, 1);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int r = 0; r < rank; r++) A[j * n + i] += L[i][r] * R[r][j];
        memcpy(kept, A, sizeof A);
        ck_assert_int_eq(pc_least_norm(A, n, 1e-10, x, work, order), rank);
        for (int i = 0; i < n; i++) {
            left[i] = -b[i];
            for (int j = 0; j < n; j++) left[i] += kept[j * n + i] * x[j];
        }
        double size = 1;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
        for (int r = 0; r < rank; r++) {
            double across = 0;
            for (int i = 0; i < n; i++) across += L[i][r] * left[i];
            ck_assert_double_le(fabs(across), 1e-9 * size);
        }
        /* what is left of x beside the rows, by their orthonormal basis */
        memcpy(y, x, sizeof y);
        for (int r = 0; r < rank; r++) {
            double length = 0;
            for (int s = 0; s < 2 * r; s++) {
                double dot = 0;
                for (int j = 0; j < n; j++) dot += R[r][j] * R[s % r][j];
                for (int j = 0; j < n; j++) R[r][j] -= dot * R[s % r][j];
            }
            for (int j = 0; j < n; j++) length += R[r][j] * R[r][j];
            for (int j = 0; j < n; j++) R[r][j] /= sqrt(length);
        }
        for (int r = 0; r < 2 * rank; r++) {
            double dot = 0;
            for (int j = 0; j < n; j++) dot += y[j] * R[r % rank][j];
            for (int j = 0; j < n; j++) y[j] -= dot * R[r % rank][j];
        }
        for (int j = 0; j < n; j++) ck_assert_double_le(fabs(y[j]), 1e-8 * size);
        free(work);
    }
}
END_TEST

UNIT_MAIN("friction", 60, random_problems_are_all_solved, order_and_mirror_images_make_no_difference,
          least_norm_solutions_are_sums_of_rows, impulses_meet_every_condition, redundant_supports_carry_the_weight,
          slip_that_presses_has_no_force, bodies_without_play_stop_each_other, degenerate_complementarity_ends)
