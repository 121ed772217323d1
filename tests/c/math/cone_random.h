/* Random problems of planar contacts with friction: free bodies with contacts anywhere, boxes on corners, towers, and
 * contacts that depend on one another, with masses over four decades. */
#ifndef TESTS_C_CONE_RANDOM_H
#define TESTS_C_CONE_RANDOM_H

#include "unit.h"

#include "math/friction.h"
#include "rng.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CONE_T, CONE_N, CONES = 32 };

typedef enum cone_kind { CONE_FREE, CONE_BOX, CONE_TOWER, CONE_ROW, CONE_KINDS } cone_kind;

typedef struct cone_problem {
    int n, bodies;
    pc_rubbing c[CONES];
    double J[2 * CONES][3 * CONES], inverse[3 * CONES], u[3 * CONES];
    double W[4 * CONES * CONES], b[2 * CONES], p[2 * CONES], v[2 * CONES];
    double rounding;
} cone_problem;

/* One more contact of bodies a and b (-1: what stands still), with arms from their centres. */
static inline void cone_touch(cone_problem *q, int a, int b, const double n[2], const double ra[2], const double rb[2])
{
    int i = q->n++;
    for (int side = 0; side < 2; side++) {
        int body = side ? b : a, sign = side ? -1 : 1;
        const double *r = side ? rb : ra;
        if (body < 0) continue;
        q->J[2 * i + CONE_T][3 * body] += sign * n[1];
        q->J[2 * i + CONE_T][3 * body + 1] -= sign * n[0];
        q->J[2 * i + CONE_T][3 * body + 2] -= sign * (r[0] * n[0] + r[1] * n[1]);
        q->J[2 * i + CONE_N][3 * body] += sign * n[0];
        q->J[2 * i + CONE_N][3 * body + 1] += sign * n[1];
        q->J[2 * i + CONE_N][3 * body + 2] += sign * (r[0] * n[1] - r[1] * n[0]);
    }
}

static inline void cone_product(cone_problem *q)
{
    int side = 2 * q->n;
    for (int i = 0; i < side; i++) {
        q->b[i] = 0;
        for (int k = 0; k < 3 * q->bodies; k++) q->b[i] += q->J[i][k] * q->u[k];
        for (int j = 0; j < side; j++) {
            q->W[i * side + j] = 0;
            for (int k = 0; k < 3 * q->bodies; k++) q->W[i * side + j] += q->J[i][k] * q->inverse[k] * q->J[j][k];
        }
    }
}

static inline void cone_free(pc_rng *rng, cone_problem *q)
{
    int n = 1 + (int)pc_rng_below(rng, 16);
    while (q->n < n) {
        int a = (int)pc_rng_below(rng, (uint64_t)q->bodies), b = (int)pc_rng_below(rng, (uint64_t)q->bodies + 1) - 1;
        double angle = pc_rng_between(rng, -M_PI, M_PI), normal[2] = {cos(angle), sin(angle)}, r[2][2];
        for (int k = 0; k < 4; k++) r[k / 2][k % 2] = pc_rng_between(rng, -1, 1);
        cone_touch(q, a, a == b ? -1 : b, normal, r[0], r[1]);
    }
}

/* A tower of boxes, each on two corners (or on more points of its side), leaning a little or not. */
static inline void cone_tower(pc_rng *rng, cone_problem *q, int points)
{
    double lean = pc_rng_below(rng, 2) ? 0 : pc_rng_between(rng, -0.1, 0.1), half = 0.5, below = 0.5;
    const double up[2] = {-sin(lean), cos(lean)}, along[2] = {cos(lean), sin(lean)};
    for (int k = 0; k < q->bodies; k++) {
        double wide = pc_rng_between(rng, 0.3, 1), off = k ? pc_rng_between(rng, -0.2, 0.2) : 0;
        half = pc_rng_between(rng, 0.2, 1);
        for (int i = 0; i < points; i++) {
            double x = points == 1 ? 0 : wide * (2.0 * i / (points - 1) - 1), ra[2], rb[2];
            for (int d = 0; d < 2; d++) {
                ra[d] = x * along[d] - half * up[d];
                rb[d] = (x + off) * along[d] + below * up[d];
            }
            cone_touch(q, k, k - 1, up, ra, rb);
        }
        below = half;
    }
}

static inline void cone_random(pc_rng *rng, cone_kind kind, cone_problem *q)
{
    memset(q, 0, sizeof *q);
    double decades = pc_rng_between(rng, 0, 4), most = pc_rng_below(rng, 3) ? 1.5 : 5;
    int points = kind == CONE_ROW ? 3 + (int)pc_rng_below(rng, 3) : 2;
    q->bodies = kind == CONE_BOX ? 1 : 1 + (int)pc_rng_below(rng, kind == CONE_FREE ? 6 : 5);
    if (kind == CONE_TOWER && pc_rng_below(rng, 8) == 0) q->bodies = 5 + (int)pc_rng_below(rng, 11);
    for (int k = 0; k < q->bodies; k++) {
        q->inverse[3 * k] = q->inverse[3 * k + 1] = pow(10, -pc_rng_between(rng, 0, decades));
        q->inverse[3 * k + 2] = q->inverse[3 * k] * pc_rng_between(rng, 2, 12);
    }
    if (kind == CONE_FREE)
        cone_free(rng, q);
    else
        cone_tower(rng, q, points);
    /* all fall alike, or one comes to what rests, or each moves as it will */
    int way = (int)pc_rng_below(rng, 3), one = (int)pc_rng_below(rng, (uint64_t)q->bodies);
    for (int k = 0; k < q->bodies; k++) {
        double u[3] = {pc_rng_between(rng, -1, 1), pc_rng_between(rng, -1, 1), pc_rng_between(rng, -1, 1)};
        if (way == 0) u[0] = u[2] = 0, u[1] = -9.81;
        for (int d = 0; d < 3; d++) q->u[3 * k + d] = way == 1 && k != one ? 0 : u[d];
    }
    bool given = pc_rng_below(rng, 4) == 0, alike = pc_rng_below(rng, 2);
    double mu = pc_rng_between(rng, 0, most);
    for (int i = 0; i < q->n; i++) {
        q->c[i].mu = alike ? mu : pc_rng_below(rng, 6) == 0 ? 0 : pc_rng_between(rng, 0, most);
        q->c[i].given = given ? pc_rng_uniform(rng) / q->inverse[0] : 0;
    }
    cone_product(q);
    double speed = 0;
    for (int i = 0; i < 2 * q->n; i++) speed = fmax(speed, fabs(q->b[i]));
    q->rounding = 1e-14 * speed;
}

static inline bool cone_solve(cone_problem *q)
{
    double *work = calloc(pc_friction_room(q->n), sizeof *work);
    int *index = calloc(pc_friction_indices(q->n), sizeof *index);
    bool got = pc_friction_solve(q->n, q->c, q->W, q->b, q->rounding, q->p, work, index);
    free(work);
    free(index);
    for (int i = 0; i < 2 * q->n; i++) {
        q->v[i] = q->b[i];
        for (int j = 0; j < 2 * q->n; j++) q->v[i] += q->W[i * 2 * q->n + j] * q->p[j];
    }
    return got;
}

/* How far p is from the conditions: the greatest of |min(W_nn x, v_n)| and of what p_t - v_t/W_tt lacks of p_t when
 * it is brought back into the cone, as velocities over the root of W, and as a share of the greatest velocity in
 * these units. */
static inline double cone_residual(const cone_problem *q)
{
    double speed = 0, worst = 0;
    int side = 2 * q->n;
    for (int i = 0; i < q->n; i++) {
        double tt = q->W[2 * i * (side + 1)], nn = q->W[(2 * i + 1) * (side + 1)];
        double vt = q->v[2 * i], vn = q->v[2 * i + 1], pt = q->p[2 * i], pn = q->p[2 * i + 1];
        double cone = q->c[i].mu * fmax(pn, 0), to = fmax(-cone, fmin(cone, pt - vt / tt));
        worst = fmax(worst, fabs(fmin(nn * (pn - q->c[i].given), vn)) / sqrt(nn));
        worst = fmax(worst, tt * fabs(pt - to) / sqrt(tt));
        speed = fmax(speed, fmax(fmax(fabs(q->b[2 * i]), fabs(vt)) / sqrt(tt),
                                 fmax(fabs(q->b[2 * i + 1]), fabs(vn)) / sqrt(nn)));
    }
    return speed > 0 ? worst / speed : worst;
}

/* The next problem of a campaign: solved, within the root of a rounding. Returns its residual. */
static inline double cone_check(pc_rng *rng, int which)
{
    static cone_problem q;
    cone_random(rng, (cone_kind)(which % CONE_KINDS), &q);
    ck_assert_msg(cone_solve(&q), "problem %d of %d contacts", which, q.n);
    double residual = cone_residual(&q);
    ck_assert_msg(residual <= sqrt(2 * q.n * DBL_EPSILON), "problem %d of %d contacts: %g", which, q.n, residual);
    for (int i = 0; i < q.n; i++) {
        ck_assert_double_ge(q.p[2 * i + 1], q.c[i].given);
        ck_assert_double_le(fabs(q.p[2 * i]), q.c[i].mu * q.p[2 * i + 1]);
    }
    return residual;
}

#endif
