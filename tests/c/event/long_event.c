/* Roots and events at random, millions of them, against what does not share their code: dense sampling and closed
 * forms. */
#include "event/event.h"
#include "rng.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* For inner loops: Check writes to a pipe for every assertion that it counts. */
#define CLAIM(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) ck_abort_msg("not so: %s", #condition);                                                      \
    } while (0)

/* ---- polynomials with random coefficients ---- */

enum { SAMPLES = 100 };

/* Between neighbouring samples where p is safely not zero, the number of crossings found has the parity of the change
 * of sign; at every root p is zero to the rounding of its coefficients or of the slope there. */
START_TEST(random_polynomials_change_sign_where_they_are_said_to)
{
    pc_rng rng;
    pc_rng_seed(&rng, 11);
    long crossings = 0, checked = 0;
    for (int trial = 0; trial < 200000; trial++) {
        int degree = 1 + (int)pc_rng_below(&rng, 16), side = PC_SIDE_UNKNOWN;
        double b[PC_POLY_DEGREE + 1];
        for (int j = 0; j <= degree; j++) b[j] = pc_rng_between(&rng, -1, 1) * pow(10, pc_rng_between(&rng, -3, 0));
        pc_root root[PC_POLY_DEGREE + 2];
        int n = pc_poly_roots(b, degree, 0, &side, root), next = 0;
        double d[PC_POLY_DEGREE], noise = 64 * (degree + 1) * DBL_EPSILON * pc_poly_bound(b, degree);
        pc_poly_derivative(b, degree, d);
        for (int i = 0; i < n; i++) {
            double slope = pc_poly_eval(d, degree - 1, root[i].x);
            CLAIM(i == 0 || root[i].x > root[i - 1].x);
            CLAIM(fabs(pc_poly_eval(b, degree, root[i].x)) <= noise + 4 * DBL_EPSILON * fabs(slope));
        }
        crossings += n;
        double last = b[0];
        for (int k = 1; k <= SAMPLES; k++) {
            double x = (double)k / (SAMPLES), here = pc_poly_eval(b, degree, x);
            int between = 0;
            while (next < n && root[next].x <= x) between += root[next++].multiplicity % 2;
            if (fabs(here) > noise && fabs(last) > noise) {
                CLAIM(between % 2 == ((here > 0) != (last > 0)));
                checked++;
            }
            last = here;
        }
    }
    printf("%ld roots, %ld intervals checked\n", crossings, checked);
}
END_TEST

/* ---- oscillators seen through functions of their state ---- */

typedef struct pair_of_modes {
    double w[2], a[2], phase[2], level;
} pair_of_modes;

static int modes_rate(double t, const double *y, double *dydt, void *context)
{
    const pair_of_modes *m = context;
    (void)t;
    for (int i = 0; i < 2; i++) {
        dydt[i] = y[2 + i];
        dydt[2 + i] = -m->w[i] * m->w[i] * y[i];
    }
    return 0;
}

static double modes_exact(const pair_of_modes *m, double t)
{
    double sum = -m->level;
    for (int i = 0; i < 2; i++) sum += m->a[i] * cos(m->w[i] * t + m->phase[i]);
    return sum;
}

static int modes_sum(double t, const double *y, double *g, void *context)
{
    (void)t;
    *g = y[0] + y[1] - ((const pair_of_modes *)context)->level;
    return 0;
}

/* All events of y0 + y1 = level, as a polynomial and by fits, against changes of sign of the exact function on a grid
 * with 400 points to the shortest period. An event that the grid cannot decide (an excursion shorter than its spacing)
 * must be a true zero of the exact function. */
START_TEST(random_oscillators_meet_their_levels)
{
    pc_rng rng;
    pc_rng_seed(&rng, 12);
    long events = 0, hidden = 0;
    double worst = 0;
    for (int trial = 0; trial < 2000; trial++) {
        pair_of_modes m;
        double y0[4], amplitude = 0;
        for (int i = 0; i < 2; i++) {
            m.w[i] = pc_rng_between(&rng, 0.3, 4);
            m.a[i] = pc_rng_between(&rng, 0.2, 1);
            m.phase[i] = pc_rng_between(&rng, 0, 2 * M_PI);
            y0[i] = m.a[i] * cos(m.phase[i]);
            y0[2 + i] = -m.a[i] * m.w[i] * sin(m.phase[i]);
            amplitude += m.a[i];
        }
        /* every third level is near the top, where excursions are short */
        m.level = amplitude * (trial % 3 ? pc_rng_between(&rng, -0.9, 0.9) : 1 - pow(10, pc_rng_between(&rng, -5, -1)));
        double weights[6] = {-m.level, 0, 1, 1, 0, 0}, t1 = 40;
        pc_ode_problem problem = {.n = 4, .rhs = modes_rate, .context = &m};
        pc_ode_settings settings = {.rtol = 1e-12, .atol = 1e-13, .max_step = INFINITY, .max_steps = 100000};
        pc_event event = {
            .name = "level", .g = trial % 2 ? modes_sum : NULL, .linear = trial % 2 ? NULL : weights, .context = &m};
        pc_solve_task task = {.problem = &problem,
                              .method = &pc_ode_dop853,
                              .settings = &settings,
                              .events = &event,
                              .n_events = 1,
                              .max_events = 10000,
                              .t0 = 0,
                              .t1 = t1,
                              .y0 = y0};
        pc_solution s;
        ck_assert_int_eq(pc_solve(&task, &s, NULL), PC_OK);
        for (size_t i = 0; i < s.n_events; i++) {
            /* the integration is good to 1e-10 after forty units of time */
            double g = modes_exact(&m, s.events[i].t);
            worst = fmax(worst, fabs(g));
        }
        events += (long)s.n_events;
        double step = 2 * M_PI / 400 / fmax(m.w[0], m.w[1]), last = modes_exact(&m, 0);
        size_t next = 0;
        for (double t = step; t < t1; t += step) {
            double here = modes_exact(&m, t);
            int between = 0;
            while (next < s.n_events && s.events[next].t <= t) between += s.events[next++].multiplicity % 2;
            if (fabs(here) > 1e-9 && fabs(last) > 1e-9) CLAIM(between % 2 == ((here > 0) != (last > 0)));
            hidden += between > 1;
            last = here;
        }
        pc_solution_free(&s);
    }
    printf("%ld events, %ld times two between points of the grid; worst residual %.2g\n", events, hidden, worst);
    ck_assert(worst < 1e-9);
    ck_assert_int_gt(hidden, 0); /* or the test would not see what changes of sign miss */
}
END_TEST

/* ---- a ball in a box ---- */

typedef struct box {
    double gravity, e;
} box;

static int ball_rate(double t, const double *y, double *dydt, void *context)
{
    (void)t;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = 0;
    dydt[3] = -((const box *)context)->gravity;
    return 0;
}

static int wall_x(double t, double *y, void *context)
{
    (void)t;
    y[2] *= -((const box *)context)->e;
    return PC_ACTION_RESTART;
}

static int wall_y(double t, double *y, void *context)
{
    (void)t;
    y[3] *= -((const box *)context)->e;
    return PC_ACTION_RESTART;
}

static int floor_gap(double t, const double *y, double *g, void *context)
{
    (void)t, (void)context;
    *g = y[1];
    return 0;
}

static int ceiling_gap(double t, const double *y, double *g, void *context)
{
    (void)t, (void)context;
    *g = 1 - y[1];
    return 0;
}

/* It bounces between four walls, until the end or until its bounces accumulate, and is never outside; with e = 1 it
 * keeps its energy. Walls left and right are linear events, floor and ceiling functions. */
START_TEST(a_ball_never_leaves_its_box)
{
    static const double left[6] = {0, 0, 1, 0, 0, 0}, right[6] = {1, 0, -1, 0, 0, 0};
    pc_rng rng;
    pc_rng_seed(&rng, 13);
    long bounces = 0, stalled = 0;
    double outside = 0, drift = 0;
    for (int trial = 0; trial < 3000; trial++) {
        box b = {pc_rng_below(&rng, 4) ? pc_rng_between(&rng, 0.1, 10) : 0,
                 trial % 3 ? pc_rng_between(&rng, 0.3, 1) : 1};
        double y0[4] = {pc_rng_uniform(&rng), pc_rng_uniform(&rng), pc_rng_between(&rng, -3, 3),
                        pc_rng_between(&rng, -3, 3)};
        if (trial % 5 == 0) y0[0] = y0[1] = 0.5, y0[3] = y0[2]; /* into the corners, where two walls act at once */
        pc_event events[4] = {{.name = "left", .direction = -1, .linear = left, .action = wall_x, .context = &b},
                              {.name = "right", .direction = -1, .linear = right, .action = wall_x, .context = &b},
                              {.name = "floor", .direction = -1, .g = floor_gap, .action = wall_y, .context = &b},
                              {.name = "ceiling", .direction = -1, .g = ceiling_gap, .action = wall_y, .context = &b}};
        pc_ode_problem problem = {.n = 4, .rhs = ball_rate, .context = &b};
        pc_ode_settings settings = {.rtol = 1e-10, .atol = 1e-12, .max_step = INFINITY, .max_steps = 100000};
        pc_solve_task task = {.problem = &problem,
                              .method = &pc_ode_dop853,
                              .settings = &settings,
                              .events = events,
                              .n_events = 4,
                              .max_events = 10000,
                              .t0 = 0,
                              .t1 = 20,
                              .y0 = y0,
                              .record = true};
        pc_solution s;
        pc_error err;
        ck_assert_msg(pc_solve(&task, &s, &err) == PC_OK, "trial %d: %s", trial, err.text);
        ck_assert(s.stop == PC_STOP_END || s.stop == PC_STOP_STALLED);
        bounces += (long)s.n_events;
        stalled += s.stop == PC_STOP_STALLED;
        for (int k = 0; k <= 2000; k++) {
            double y[4];
            CLAIM(pc_solution_at(&s, fmin(s.t, s.t * k / 2000), 1, y));
            for (int i = 0; i < 2; i++) outside = fmax(outside, fmax(-y[i], y[i] - 1));
        }
        if (b.e == 1) {
            double before = b.gravity * y0[1] + (y0[2] * y0[2] + y0[3] * y0[3]) / 2;
            double after = b.gravity * s.y[1] + (s.y[2] * s.y[2] + s.y[3] * s.y[3]) / 2;
            drift = fmax(drift, fabs(after - before) / before);
        }
        pc_solution_free(&s);
    }
    printf("%ld bounces, %ld motions stalled; outside by %.2g at most; energy drift %.2g\n", bounces, stalled, outside,
           drift);
    ck_assert(outside < 1e-13);
    ck_assert(drift < 1e-10); /* a hundred bounces located to rounding on motions that are polynomials */
    ck_assert_int_gt(stalled, 100);
}
END_TEST

UNIT_MAIN("long_event", 600, a_ball_never_leaves_its_box, random_polynomials_change_sign_where_they_are_said_to,
          random_oscillators_meet_their_levels)
