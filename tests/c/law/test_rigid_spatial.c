/* Rigid impacts in space: checked values, the plane as a special case, another integrator, invariances. */
#include "unit.h"

#include "engine/collide.h"
#include "law/rigid/impulse_spatial.h"
#include "law/law.h"
#include "law/rigid/rigid.h"
#include "math/mobility.h"
#include "rng.h"

#include <float.h>
#include <math.h>
#include <string.h>

extern const pc_law pc_law_newton, pc_law_poisson, pc_law_stronge;
static const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};

typedef struct reference_case {
    const char *id;
    double E, mu;
    pc_mobility W;
    double before[3], p[3], after[3], loss, critical;
} reference_case;

static const reference_case cases[] = {
#include "../../reference/rigid_spatial.inc"
};
enum { N_CASES = sizeof cases / sizeof *cases };

static pc_rng rng;

static double uniform(double lo, double hi)
{
    return pc_rng_between(&rng, lo, hi);
}

static void collide(const pc_law *law, const pc_rigid *params, const pc_mobility *W, const double v0[3], pc_impact *hit)
{
    pc_impact_init(hit);
    pc_error err = {0};
    ck_assert_msg(pc_law_impact(law, params, W, v0, hit, &err) == PC_OK, "%s: %s", law->schema->name, err.text);
}

/* W = M M^T of a random 3 x 3 matrix, so that its eigenvalues spread over some decades. */
static pc_mobility random_mobility(void)
{
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = uniform(-1, 1);
    double w[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) w[i][j] += m[i][k] * m[j][k];
    return (pc_mobility){w[0][0], w[0][1], w[1][1], w[2][2], w[0][2], w[1][2], 3, NULL, NULL};
}

START_TEST(checked_values_are_reproduced)
{
    for (int i = 0; i < N_CASES; i++) {
        const reference_case *c = &cases[i];
        pc_rigid params = {.restitution = {.value = c->E}, .coulomb = {c->mu, c->mu}};
        pc_impact hit;
        collide(&pc_law_stronge, &params, &c->W, c->before, &hit);
        /* the values carry 12 digits, W and v0 among them */
        for (int k = 0; k < 3; k++) {
            ck_assert_msg(fabs(hit.impulse[k] - c->p[k]) <= 1e-11, "%s p[%d]: %.13g, reference %.13g", c->id, k,
                          hit.impulse[k], c->p[k]);
            ck_assert_msg(fabs(hit.v1[k] - c->after[k]) <= 2e-11, "%s v[%d]: %.13g, reference %.13g", c->id, k,
                          hit.v1[k], c->after[k]);
        }
        ck_assert_double_eq_tol(hit.energy0 - hit.energy1, c->loss, 1e-11);
        double ratio[2], direction[2], growth;
        pc_impulse_rest(&params.coulomb, &c->W, ratio, direction, &growth);
        ck_assert_double_eq_tol(hypot(ratio[0], ratio[1]), c->critical, 1e-11);
        pc_impact_free(&hit);
    }
}
END_TEST

/* Checked value keck.rigid3d.rest_dir.mu0.4. */
START_TEST(slip_from_rest_takes_the_checked_direction)
{
    pc_mobility W = {3, -1.2, 2.5, 2, 0.5, 0.4, 3, NULL, NULL};
    pc_coulomb coulomb = {0.4, 0.4};
    double ratio[2], direction[2], growth;
    ck_assert(!pc_impulse_rest(&coulomb, &W, ratio, direction, &growth));
    ck_assert_double_eq_tol(direction[0], -0.858891331167, 1e-12);
    ck_assert_double_eq_tol(direction[1], 0.512157867503, 1e-12);
    ck_assert_double_eq_tol(growth, 0.316410197935, 1e-12);
}
END_TEST

/* The spherical pendulum of Birlik (2012), 4.1.1.1, at 60 degrees: W = 1 - link x link, unit mass. */
static pc_mobility pendulum60(void)
{
    double c = 0.5, s = sqrt(0.75);
    return (pc_mobility){c * c, c * s, s * s, 1, 0, 0, 2, NULL, NULL};
}

/* Checked value SW2: a swerve through the end of compression. */
START_TEST(a_spherical_pendulum_swerves_as_checked)
{
    pc_mobility W = pendulum60();
    double v0[3] = {-1, -sqrt(3), -1.5};
    pc_rigid params = {.restitution = {.value = 1}, .coulomb = {0.5, 0.5}};
    pc_impact hit;
    collide(&pc_law_stronge, &params, &W, v0, &hit);
    ck_assert_double_eq_tol(hit.impulse_compression[PC_N], 2.0826655522535935, 1e-11);
    ck_assert_double_eq_tol(hit.impulse[PC_N], 4.485390869784, 1e-11);
    ck_assert_double_eq_tol(hit.v1[PC_T], 0.8041544477465229, 1e-11);
    ck_assert_double_eq_tol(hit.v1[PC_T2], -0.04640527376009047, 1e-11);
    ck_assert_double_eq_tol(hit.v1[PC_N], 1.392836360629469, 1e-11);
    ck_assert_double_eq_tol(-hit.work_f, 1.8305945236225967, 1e-11);
    pc_state middle;
    pc_law_stronge.path(&params, &W, &hit, &hit.impulse_compression[PC_N], 1, &middle, NULL);
    ck_assert_double_eq_tol(middle.v[PC_T2], -0.5495026365735637, 1e-11);
    ck_assert_double_eq_tol(middle.v[PC_N], 0, 1e-13);
}
END_TEST

/* Checked value SW3 stops at 1e-9 m/s, so its impulse lacks about 1e-9 N s. Nothing moves in stick: wedged. */
START_TEST(a_spherical_pendulum_that_stops_is_wedged)
{
    pc_mobility W = pendulum60();
    double v0[3] = {-1, -sqrt(3), 0.3};
    for (int i = 0; i < 3; i++) {
        pc_rigid params = {.restitution = {.value = 1}, .coulomb = {1, 2}};
        pc_impact hit;
        collide(laws[i], &params, &W, v0, &hit);
        ck_assert_int_eq(hit.outcome, PC_OUTCOME_WEDGED);
        ck_assert_double_eq_tol(hit.phases[0].stop.p[PC_N], 1.4765460148109255, 3e-9);
        for (int k = 0; k < 3; k++) ck_assert(hit.v1[k] == 0);
    }
}
END_TEST

/* The engine of space on problems that stay in the plane, against that of the plane, in any azimuth. */
START_TEST(in_a_symmetry_plane_space_equals_the_plane)
{
    pc_rng_seed(&rng, 1986);
    for (int i = 0; i < 30000; i++) {
        double a = uniform(0, 3.14159), big = exp(uniform(-2, 2)), small = big * exp(uniform(-6, 0));
        double c = cos(a), s = sin(a);
        pc_mobility P = {.tt = big * c * c + small * s * s, .tn = (big - small) * c * s, .rank = 2};
        P.nn = big * s * s + small * c * c;
        double v[3] = {i % 9 ? uniform(-3, 3) : 0, -uniform(0.1, 2), 0}, mu = i % 13 ? uniform(0, 3) : 0;
        pc_rigid params = {.restitution = {.value = uniform(0, 1)}, .coulomb = {mu, mu * uniform(1, 1.5)}};
        const pc_law *law = laws[i % 3];
        pc_impact planar, spatial;
        collide(law, &params, &P, v, &planar);

        /* the same in space, turned by an azimuth; the second tangent has a mobility of its own */
        double f = uniform(-3.14159, 3.14159), C = cos(f), S = sin(f), side = uniform(0.1, 2);
        pc_mobility W = {.tt = P.tt * C * C + side * S * S,
                         .tn = P.tn * C,
                         .nn = P.nn,
                         .t2t2 = P.tt * S * S + side * C * C,
                         .tt2 = (P.tt - side) * C * S,
                         .t2n = P.tn * S,
                         .rank = 3};
        collide(law, &params, &W, (double[3]){v[0] * C, v[1], v[0] * S}, &spatial);
        double scale = fabs(v[0]) + fabs(v[1]) + (P.tt + P.nn) * planar.impulse[PC_N] * (1 + mu);
        double bound = 1e-12 * scale;
        double along = spatial.v1[PC_T] * C + spatial.v1[PC_T2] * S;
        ck_assert_msg(fabs(along - planar.v1[PC_T]) <= bound && fabs(spatial.v1[PC_N] - planar.v1[PC_N]) <= bound,
                      "case %d: v %.17g %.17g, plane %.17g %.17g", i, along, spatial.v1[PC_N], planar.v1[PC_T],
                      planar.v1[PC_N]);
        ck_assert_double_le(fabs(spatial.impulse[PC_N] - planar.impulse[PC_N]), 1e-12 * planar.impulse[PC_N] * 10);
        pc_impact_free(&planar);
        pc_impact_free(&spatial);
    }
}
END_TEST

/* ---- another integrator: the classical Runge-Kutta method in long double ---- */

typedef long double real;
enum { X, Y, VN, P, PX, PY, WORK, N_STATE };

typedef struct problem {
    pc_mobility W;
    real mu, coefficient, v_n0, rate;
    char law; /* 'n', 'p' or 's' */
} problem;

static void slope_of(const problem *q, const real *z, real *d)
{
    real sigma = sqrtl(z[X] * z[X] + z[Y] * z[Y]), mu = q->mu;
    d[X] = q->W.tn * sigma - mu * (q->W.tt * z[X] + q->W.tt2 * z[Y]);
    d[Y] = q->W.t2n * sigma - mu * (q->W.tt2 * z[X] + q->W.t2t2 * z[Y]);
    d[VN] = q->W.nn * sigma - mu * (q->W.tn * z[X] + q->W.t2n * z[Y]);
    d[P] = sigma;
    d[PX] = -mu * z[X];
    d[PY] = -mu * z[Y];
    d[WORK] = z[VN] * sigma;
}

static void runge_kutta(const problem *q, const real *z, real h, real *out)
{
    real k[4][N_STATE], y[N_STATE];
    const real node[4] = {0, h / 2, h / 2, h};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < N_STATE; i++) y[i] = z[i] + (s ? node[s] * k[s - 1][i] : 0);
        slope_of(q, y, k[s]);
    }
    for (int i = 0; i < N_STATE; i++) out[i] = z[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* What restitution still lacks, from the state at the end of compression and now. */
static real lack(const problem *q, const real *c, const real *z)
{
    switch (q->law) {
    case 'n': return -q->coefficient * q->v_n0 - z[VN];
    case 'p': return q->coefficient * c[P] - (z[P] - c[P]);
    default: return -q->coefficient * q->coefficient * c[WORK] - (z[WORK] - c[WORK]);
    }
}

/* From rest: the direction by bisection on the rate of turning, of all directions in which slip grows. */
static bool rest_direction(const problem *q, real *c, real *s)
{
    const pc_mobility *W = &q->W;
    real det = (real)W->tt * W->t2t2 - (real)W->tt2 * W->tt2;
    real a = (W->t2t2 * (real)W->tn - W->tt2 * (real)W->t2n) / det;
    real b = (W->tt * (real)W->t2n - W->tt2 * (real)W->tn) / det;
    if (sqrtl(a * a + b * b) <= q->mu) return false;
    enum { N = 4000 };
    const real pi = 3.14159265358979323846264338327950288L;
    real last = 0;
    for (int i = 0; i <= N; i++) {
        real phi = 2 * pi * i / N, lo = phi - 2 * pi / N, hi = phi, d[N_STATE];
        slope_of(q, (real[N_STATE]){cosl(phi), sinl(phi)}, d);
        real turn = cosl(phi) * d[Y] - sinl(phi) * d[X];
        if (i && turn * last <= 0) {
            for (int k = 0; k < 80; k++) {
                real mid = (lo + hi) / 2;
                slope_of(q, (real[N_STATE]){cosl(mid), sinl(mid)}, d);
                real t = cosl(mid) * d[Y] - sinl(mid) * d[X];
                if (t * last > 0)
                    lo = mid;
                else
                    hi = mid;
            }
            *c = cosl(lo);
            *s = sinl(lo);
            slope_of(q, (real[N_STATE]){*c, *s}, d);
            if (*c * d[X] + *s * d[Y] > 0) return true;
        }
        last = turn;
    }
    ck_abort_msg("no direction from rest");
    return false;
}

/* A straight line from rest: v_n and p exact in p; c is the state at the end of compression if it is over. */
static void finish_straight(const problem *q, real *z, real *c, bool compressed)
{
    const pc_mobility *W = &q->W;
    real dc, ds, growth = 0, px, py;
    if (rest_direction(q, &dc, &ds)) {
        real d[N_STATE];
        slope_of(q, (real[N_STATE]){dc, ds}, d);
        growth = dc * d[X] + ds * d[Y];
        px = -q->mu * dc;
        py = -q->mu * ds;
    } else {
        real det = (real)W->tt * W->t2t2 - (real)W->tt2 * W->tt2;
        px = -(W->t2t2 * (real)W->tn - W->tt2 * (real)W->t2n) / det;
        py = -(W->tt * (real)W->t2n - W->tt2 * (real)W->tn) / det;
        dc = ds = 0;
    }
    real slope = W->nn + W->tn * px + W->t2n * py;
    for (int i = compressed; i < 2; i++) {
        real dp;
        if (i == 0) {
            dp = -z[VN] / slope;
        } else {
            real need = lack(q, c, z);
            dp = q->law == 'n'   ? need / slope
                 : q->law == 'p' ? need
                                 : (sqrtl(z[VN] * z[VN] + 2 * slope * need) - z[VN]) / slope;
        }
        z[WORK] += dp * (z[VN] + slope * dp / 2);
        z[VN] += slope * dp;
        z[P] += dp;
        z[PX] += px * dp;
        z[PY] += py * dp;
        z[X] += growth * dc * dp;
        z[Y] += growth * ds * dp;
        if (i == 0) memcpy(c, z, N_STATE * sizeof *c);
    }
}

/* The fraction of a step at which `f` changes sign, by bisection. */
static real fraction(const problem *q, const real *z, real h, const real *c)
{
    real lo = 0, hi = 1, y[N_STATE];
    for (int i = 0; i < 70; i++) {
        real mid = (lo + hi) / 2;
        runge_kutta(q, z, mid * h, y);
        if (c ? lack(q, c, y) > 0 : y[VN] < 0)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* False if v_n falls back to 0 in restitution, which this integrator leaves to the library. */
static bool integrate(const problem *q, const double v0[3], real h, real *z)
{
    memset(z, 0, N_STATE * sizeof *z);
    z[X] = v0[PC_T];
    z[Y] = v0[PC_T2];
    z[VN] = v0[PC_N];
    real c[N_STATE], y[N_STATE], speed0 = sqrtl(z[X] * z[X] + z[Y] * z[Y]);
    bool compressed = false;
    h /= q->rate;
    for (;;) {
        runge_kutta(q, z, h, y);
        if (!compressed && y[VN] >= 0) {
            runge_kutta(q, z, h * fraction(q, z, h, NULL), z);
            memcpy(c, z, sizeof c);
            compressed = true;
            continue;
        }
        if (compressed && y[VN] < z[VN] && y[VN] < 0) return false;
        if (compressed && lack(q, c, y) <= 0) {
            runge_kutta(q, z, h * fraction(q, z, h, c), z);
            return true;
        }
        memcpy(z, y, sizeof y);
        real sigma = sqrtl(z[X] * z[X] + z[Y] * z[Y]);
        if (sigma < 1e-14L * speed0) break;
    }
    z[X] = z[Y] = 0;
    finish_straight(q, z, c, compressed);
    return true;
}

START_TEST(halved_steps_of_another_integrator_converge_to_the_result)
{
    pc_rng_seed(&rng, 1995);
    int compared = 0, stopped = 0;
    for (int i = 0; i < 240; i++) {
        problem q = {
            .W = random_mobility(), .mu = uniform(0.05, 1.5), .coefficient = uniform(0, 1), .law = "nps"[i % 3]};
        double v0[3] = {uniform(-1, 1), -uniform(0.2, 1), uniform(-1, 1)};
        q.v_n0 = v0[PC_N];
        q.rate = hypot(q.W.tn, q.W.t2n) + (double)q.mu * (q.W.tt + q.W.t2t2);
        pc_rigid params = {.restitution = {.value = (double)q.coefficient}, .coulomb = {(double)q.mu, (double)q.mu}};
        pc_impact hit;
        collide(laws[i % 3], &params, &q.W, v0, &hit);
        real coarse[N_STATE], fine[N_STATE];
        if (!integrate(&q, v0, 0.02L, coarse) || !integrate(&q, v0, 0.01L, fine)) continue;
        const double got[] = {hit.v1[PC_T],      hit.v1[PC_T2],      hit.v1[PC_N], hit.impulse[PC_N],
                              hit.impulse[PC_T], hit.impulse[PC_T2], hit.work_n};
        real scale = 1 + fine[P] * (1 + q.mu), distance = 0, before = 0, after = 0;
        /* rounding; where W is nearly singular v0 is the small difference of large W p */
        real rounding = 64 * DBL_EPSILON * (8 + fine[P] * (q.W.tt + q.W.nn + q.W.t2t2));
        for (int k = 0; k < N_STATE; k++) {
            real better = fine[k] + (fine[k] - coarse[k]) / 15;
            distance = fmaxl(distance, fabsl(got[k] - better) / scale);
            before = fmaxl(before, fabsl(got[k] - coarse[k]) / scale);
            after = fmaxl(after, fabsl(got[k] - fine[k]) / scale);
        }
        /* the method has order 4: what is left of its error after extrapolation is a small part of the last change */
        ck_assert_msg(distance <= fmaxl(before / 40, rounding), "case %d: distance %.3Lg, errors %.3Lg and %.3Lg", i,
                      distance, before, after);
        ck_assert_msg(after <= fmaxl(before / 12, rounding), "case %d: errors %.3Lg and %.3Lg", i, before, after);
        compared++;
        stopped += hit.n_phases > 1;
        pc_impact_free(&hit);
    }
    ck_assert_int_gt(compared, 200);
    ck_assert_int_gt(stopped, 50);
}
END_TEST

/* Turning the axes t and t2 turns the result: nothing but W and v0 enters. */
START_TEST(the_choice_of_tangents_does_not_matter)
{
    pc_rng_seed(&rng, 62);
    for (int i = 0; i < 20000; i++) {
        pc_mobility W = random_mobility();
        double v0[3] = {uniform(-1, 1), -uniform(0.2, 1), uniform(-1, 1)}, mu = uniform(0, 2);
        double f = uniform(-3.14159, 3.14159), C = cos(f), S = sin(f);
        pc_mobility T = {.tt = C * C * W.tt + 2 * C * S * W.tt2 + S * S * W.t2t2,
                         .t2t2 = S * S * W.tt - 2 * C * S * W.tt2 + C * C * W.t2t2,
                         .tt2 = C * S * (W.t2t2 - W.tt) + (C * C - S * S) * W.tt2,
                         .tn = C * W.tn + S * W.t2n,
                         .t2n = C * W.t2n - S * W.tn,
                         .nn = W.nn,
                         .rank = 3};
        double turned[3] = {C * v0[PC_T] + S * v0[PC_T2], v0[PC_N], C * v0[PC_T2] - S * v0[PC_T]};
        pc_rigid params = {.restitution = {.value = uniform(0, 1)}, .coulomb = {mu, mu}};
        pc_impact a, b, n;
        collide(laws[i % 3], &params, &W, v0, &a);
        collide(laws[i % 3], &params, &T, turned, &b);
        /* the turned W is rounded: how much that may matter a small change of W shows */
        const double change = 1e-8;
        pc_mobility near = W;
        near.tt *= 1 + change;
        near.nn *= 1 + 2 * change;
        double beside[3] = {v0[PC_T] * (1 + 3 * change), v0[PC_N], v0[PC_T2] * (1 - change)};
        collide(laws[i % 3], &params, &near, beside, &n);
        double scale = 1 + a.impulse[PC_N] * (1 + mu) * (W.tt + W.nn + W.t2t2);
        double moves = 0;
        for (int k = 0; k < 3; k++) moves = fmax(moves, fabs(n.v1[k] - a.v1[k]));
        double bound = 256 * DBL_EPSILON * (scale + moves / change);
        ck_assert_double_le(fabs(C * a.v1[PC_T] + S * a.v1[PC_T2] - b.v1[PC_T]), bound);
        ck_assert_double_le(fabs(a.v1[PC_N] - b.v1[PC_N]), bound);
        pc_impact_free(&a);
        pc_impact_free(&b);
        pc_impact_free(&n);
    }
}
END_TEST

static double gain(const pc_impact *hit)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += hit->impulse[i] * (hit->v0[i] + hit->v1[i]) / 2;
    return sum;
}

START_TEST(poisson_and_stronge_never_gain_and_works_balance)
{
    pc_rng_seed(&rng, 7);
    int jams = 0, again = 0, gains = 0;
    for (int i = 0; i < 100000; i++) {
        pc_mobility W = random_mobility();
        double w = hypot(W.tn, W.t2n), v0[3] = {uniform(-1, 1), -uniform(0.02, 1), uniform(-1, 1)};
        double mu = i % 3 ? uniform(0, 10) : fmin(W.nn / w * (1 + uniform(-0.1, 0.1)), 10);
        const pc_law *law = laws[i % 5 % 3];
        pc_rigid params = {.restitution = {.value = i % 7 ? uniform(0, 1) : 1},
                           .coulomb = {mu, mu * (i % 2 ? 1.2 : 1)}};
        pc_impact hit;
        collide(law, &params, &W, v0, &hit);
        double moved = fabs(hit.work_n_compression) + hit.work_n_restitution - hit.work_f;
        double speed = 1.5 + (W.tt + W.nn + W.t2t2) * hit.impulse[PC_N] * (1 + mu);
        double cancelled = 64 * DBL_EPSILON * speed * hit.impulse[PC_N] * (1 + mu);
        ck_assert_double_le(fabs(hit.work_n + hit.work_f - gain(&hit)), 1e-12 * moved + cancelled);
        ck_assert_double_ge(hit.v1[PC_N], 0);
        bool flagged = hit.flags & PC_FLAG_GAINED_ENERGY;
        if (law != &pc_law_newton) {
            ck_assert_double_le(gain(&hit), 1e-12 * moved + cancelled);
            ck_assert(!flagged);
        } else if (fabs(gain(&hit)) > 1e-11 * moved + cancelled) {
            ck_assert_int_eq(flagged, gain(&hit) > 0);
            gains += flagged;
        }
        jams += (hit.flags & PC_FLAG_JAM) != 0;
        again += (hit.flags & PC_FLAG_RECOMPRESSION) != 0;
        pc_impact_free(&hit);
    }
    ck_assert_int_gt(jams, 1000);
    ck_assert_int_gt(gains, 100);
    ck_assert_int_gt(again, 0);
}
END_TEST

START_TEST(the_path_runs_from_the_start_to_the_end_and_keeps_the_equations)
{
    pc_rng_seed(&rng, 11);
    enum { N = 101 };
    for (int i = 0; i < 500; i++) {
        pc_mobility W = random_mobility();
        double v0[3] = {uniform(-1, 1), -uniform(0.2, 1), uniform(-1, 1)}, mu = uniform(0.1, 2);
        pc_rigid params = {.restitution = {.value = uniform(0, 1)}, .coulomb = {mu, mu}};
        const pc_law *law = laws[i % 3];
        pc_impact hit;
        collide(law, &params, &W, v0, &hit);
        double p[N];
        pc_state s[N];
        for (int k = 0; k < N; k++) p[k] = hit.impulse[PC_N] * k / (N - 1);
        ck_assert_int_eq(law->path(&params, &W, &hit, p, N, s, NULL), PC_OK);
        double scale = 1 + hit.impulse[PC_N] * (1 + mu) * (W.tt + W.nn + W.t2t2);
        for (int k = 0; k < N; k++) {
            double x = v0[PC_T] + W.tt * s[k].p[PC_T] + W.tn * s[k].p[PC_N] + W.tt2 * s[k].p[PC_T2];
            double n = v0[PC_N] + W.tn * s[k].p[PC_T] + W.nn * s[k].p[PC_N] + W.t2n * s[k].p[PC_T2];
            ck_assert_double_le(fabs(s[k].p[PC_N] - p[k]), 1e-13 * scale);
            ck_assert_double_le(fabs(x - s[k].v[PC_T]), 1e-12 * scale);
            ck_assert_double_le(fabs(n - s[k].v[PC_N]), 1e-12 * scale);
        }
        for (int k = 0; k < 3; k++) ck_assert_double_le(fabs(s[N - 1].v[k] - hit.v1[k]), 1e-12 * scale);
        ck_assert_double_le(fabs(s[N - 1].work_n - hit.work_n), 1e-12 * scale);
        pc_impact_free(&hit);
    }
}
END_TEST

UNIT_MAIN("rigid_spatial", 120, checked_values_are_reproduced, slip_from_rest_takes_the_checked_direction,
          a_spherical_pendulum_swerves_as_checked, a_spherical_pendulum_that_stops_is_wedged,
          in_a_symmetry_plane_space_equals_the_plane, halved_steps_of_another_integrator_converge_to_the_result,
          the_choice_of_tangents_does_not_matter, poisson_and_stronge_never_gain_and_works_balance,
          the_path_runs_from_the_start_to_the_end_and_keeps_the_equations)
