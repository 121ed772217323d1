/* Motions whose impacts are known otherwise: balls by formula, spinning rods by dense sampling of their gaps. */
#ifndef TESTS_C_MOTION_ORACLE_H
#define TESTS_C_MOTION_ORACLE_H

#include "motion_scenes.h"

/* Explicit methods of every order and a stiff one, at a random tolerance from 1e-3 to 1e-13. */
static inline pc_run_options random_options(pc_rng *rng)
{
    static const pc_ode_method *const methods[] = {&pc_ode_dop853, &pc_ode_dopri5, &pc_ode_bs32};
    pc_run_options options = run_options(methods[pc_rng_below(rng, 3)], pow(10, -pc_rng_between(rng, 3, 13)));
    options.record = false;
    return options;
}

/* A ball thrown up or down above a floor: n impacts at known times and no other. Returns how many there were. */
static inline int bounce(pc_rng *rng)
{
    pc_error err = {0};
    double g = pc_rng_between(rng, 1, 20), h = pc_rng_between(rng, 0, 5), v = pc_rng_between(rng, -5, 5);
    double e = pc_rng_between(rng, 0.3, 1), radius = pc_rng_between(rng, 0.01, 0.5);
    pc_rigid law = rigid(e, pc_rng_between(rng, 0, 1));
    pc_free_shape ball = {.shape = PC_SHAPE_DISC, .mass = 1, .inertia = radius * radius / 2, .radius = radius};
    pc_scene scene = {.gravity = g};
    must(pc_scene_add_free(&scene, &ball, "ball", &err), &err);
    add_hull(&scene, pc_outline_plane("floor", 0, 0, 0, 1));
    must(pc_scene_join(&scene, &pc_law_newton, &law, &err), &err);

    double speed = sqrt(v * v + 2 * g * h), t[9];
    t[0] = (v + speed) / g;
    for (int k = 0; k < 8; k++) t[k + 1] = t[k] + 2 * pow(e, k + 1) * speed / g;
    double y[6] = {0, h + radius, 0, pc_rng_between(rng, -3, 3), v, pc_rng_between(rng, -3, 3)};
    pc_run run;
    must(pc_run_open(&run, &scene, 0, y, &err), &err);
    pc_run_options options = random_options(rng);
    must(pc_run_advance(&run, &options, (t[6] + t[7]) / 2, &err), &err);
    size_t n;
    const pc_impact_record *impacts = pc_run_impacts(&run, &n);
    ck_assert_uint_eq(n, 7);
    /* flight is a parabola, exact for every method but for the rounding of times and of heights over speeds */
    for (size_t k = 0; k < n; k++) ck_assert_double_eq_tol(impacts[k].t, t[k], 1e-11 * (1 + t[k]));
    pc_run_close(&run);
    pc_scene_free(&scene);
    return (int)n;
}

/* A rod of half length 1 between planes at +-depth, without gravity and friction: uniform motion between impacts. */
typedef struct spinner {
    double y, angle, vy, rate, inertia, depth;
} spinner;

/* Gap of end `end` (0, 1) to the lower (0) or upper plane at a time from now. */
static inline double spinner_gap(const spinner *s, int end, int plane, double t)
{
    double y = s->y + s->vy * t - (end ? -1 : 1) * cos(s->angle + s->rate * t);
    return s->depth + (plane ? -y : y);
}

/* The next impact within `span`: sampled far more finely than a gap can turn twice, minima refined by golden section.
 * Grazes nearer to zero than `doubt`, and impacts nearer to each other, are left to other tests: then -1. */
static inline double next_impact(const spinner *s, double span, int *end, int *plane, double doubt)
{
    double step = 0.02 / (fabs(s->rate) + fabs(s->vy) + 1), best = INFINITY, second = INFINITY;
    for (int k = 0; k < 4; k++) {
        double before = INFINITY, here = spinner_gap(s, k / 2, k % 2, 0);
        for (double t = 0; t < span && t < best + 2 * step; t += step) {
            double next = spinner_gap(s, k / 2, k % 2, t + step), lo = t - step, hi = t + step, zero = NAN;
            if (t > 0 && here <= before && here <= next && here < 0.02) { /* a minimum lies near */
                for (int turn = 0; turn < 80; turn++) {
                    double a = lo + 0.381966 * (hi - lo), b = hi - 0.381966 * (hi - lo);
                    if (spinner_gap(s, k / 2, k % 2, a) < spinner_gap(s, k / 2, k % 2, b))
                        hi = b;
                    else
                        lo = a;
                }
                double least = spinner_gap(s, k / 2, k % 2, lo);
                if (fabs(least) < doubt) return -1;
                if (least < 0 && here > 0) zero = lo;
            }
            if (isnan(zero) && here > 0 && next < 0) zero = t + step;
            if (!isnan(zero)) {
                double a = fmax(t - step, 0), b = zero;
                if (spinner_gap(s, k / 2, k % 2, a) <= 0) a = t;
                for (int turn = 0; turn < 100; turn++) {
                    double middle = 0.5 * (a + b);
                    if (spinner_gap(s, k / 2, k % 2, middle) > 0)
                        a = middle;
                    else
                        b = middle;
                }
                if (b < best) {
                    second = best;
                    best = b;
                    *end = k / 2;
                    *plane = k % 2;
                } else {
                    second = fmin(second, b);
                }
                break;
            }
            before = here;
            here = next;
        }
    }
    if (fabs(best - span) < doubt || second - best < doubt) return -1;
    return best < span ? best : INFINITY;
}

/* Elastic impact without friction at an end. */
static inline void spinner_strike(spinner *s, int end, int plane)
{
    double x = (end ? -1 : 1) * sin(s->angle); /* of the end from the mass centre */
    double v = s->vy + s->rate * x, p = -2 * v / (1 + x * x / s->inertia);
    (void)plane;
    s->vy += p;
    s->rate += p * x / s->inertia;
}

/* Returns how many impacts agreed; -1 if the case is one of those left out. */
static inline int spin(pc_rng *rng)
{
    pc_error err = {0};
    spinner s = {.depth = pc_rng_between(rng, 1.02, 2),
                 .angle = pc_rng_between(rng, -3, 3),
                 .vy = pc_rng_between(rng, -1, 1),
                 .rate = pc_rng_between(rng, -20, 20),
                 .inertia = pc_rng_between(rng, 0.2, 0.6)};
    pc_free_shape rod = {.shape = PC_SHAPE_ROD, .mass = 1, .inertia = s.inertia, .length = 2, .radius = NAN};
    pc_rigid law = rigid(1, 0);
    pc_scene scene = {0};
    must(pc_scene_add_free(&scene, &rod, "rod", &err), &err);
    add_hull(&scene, pc_outline_plane("floor", 0, -s.depth, 0, 1));
    add_hull(&scene, pc_outline_plane("ceiling", 0, s.depth, 0, -1));
    must(pc_scene_join(&scene, &pc_law_newton, &law, &err), &err);
    double y[6] = {0, s.y, s.angle, 0, s.vy, s.rate}, duration = 6, t[5];
    int n = 0, end = 0, plane = 0, verdict = 0;
    for (double now = 0; n < 5;) {
        double wait = next_impact(&s, duration - now, &end, &plane, 1e-5);
        if (wait < 0) verdict = -1;
        if (wait < 0 || isinf(wait)) break;
        now += wait;
        s.y += s.vy * wait;
        s.angle += s.rate * wait;
        spinner_strike(&s, end, plane);
        t[n++] = now;
    }
    if (verdict == 0) {
        pc_run run;
        must(pc_run_open(&run, &scene, 0, y, &err), &err);
        pc_run_options options = random_options(rng);
        options.max_impacts = 5;
        must(pc_run_advance(&run, &options, duration, &err), &err);
        size_t found;
        const pc_impact_record *impacts = pc_run_impacts(&run, &found);
        ck_assert_uint_eq(found, (unsigned)n);
        /* flight is uniform and exact; an impact passes errors of time on, multiplied by up to 1e3 near a graze */
        for (int k = 0; k < n; k++) ck_assert_double_eq_tol(impacts[k].t, t[k], 1e-7);
        pc_run_close(&run);
        verdict = n;
    }
    pc_scene_free(&scene);
    return verdict;
}

#endif
