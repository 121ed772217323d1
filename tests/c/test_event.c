/* Events on dense output: grazes, pairs, clusters, seams, starts, accumulation; user functions by fits; failures.
 *
 * Cases named event.* are those derived for Kecskemethy (1999), last paragraph: integers in their coefficients are
 * exact, times are in seconds.
 */
#include "base/alloc.h"
#include "base/interrupt.h"
#include "event/fit.h"
#include "event/solve.h"
#include "math/rng.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FOUND = 64 };

typedef struct finds {
    int n;
    double t[MAX_FOUND];
    int multiplicity[MAX_FOUND], before[MAX_FOUND], after[MAX_FOUND];
} finds;

/* Follow the polynomial sum a_i t^i over the steps of a grid, as y of a system of one equation, with g = y. */
static void follow(const double *a, int degree, const double *grid, int n_grid, int direction, finds *out)
{
    double linear[3] = {0, 0, 1};
    pc_event event = {.name = "g", .direction = direction, .linear = linear};
    pc_locator locator;
    ck_assert_int_eq(pc_locator_open(&locator, &event, 1, 1, NULL), PC_OK);
    double c[PC_POLY_DEGREE + 1], last = NAN;
    out->n = 0;
    for (int k = 0; k + 1 < n_grid; k++) {
        pc_dense dense = {grid[k], grid[k + 1] - grid[k], 1, degree, c};
        pc_poly_from_power(a, degree, grid[k], grid[k + 1], c);
        if (k > 0) c[0] = last; /* steps join exactly */
        last = c[degree];
        ck_assert_int_eq(pc_locator_scan(&locator, &dense, NULL), PC_OK);
        for (int i = 0; i < locator.n_found; i++) {
            out->t[out->n] = locator.found[i].t;
            out->multiplicity[out->n] = locator.found[i].multiplicity;
            out->before[out->n] = locator.found[i].before;
            out->after[out->n++] = locator.found[i].after;
        }
    }
    pc_locator_close(&locator);
}

#define FOLLOW(out, direction, a, ...)                                                                                 \
    follow(a, (int)(sizeof(a) / sizeof *(a)) - 1, (double[]){__VA_ARGS__},                                             \
           (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), direction, out)

static const double EXACT = 1e-12; /* absolute tolerance that the cases state */

START_TEST(a_graze_inside_a_step_is_one_event_of_multiplicity_two)
{
    double a[] = {1342989 / 2000000.0, -36297 / 10000.0, 981 / 200.0};
    finds f;
    FOLLOW(&f, 0, a, 0, 0.25, 0.5, 0.75, 1);
    ck_assert_int_eq(f.n, 1);
    ck_assert_double_eq_tol(f.t[0], 0.37, EXACT);
    ck_assert_int_eq(f.multiplicity[0], 2);
    ck_assert(f.before[0] == 1 && f.after[0] == 1);
    FOLLOW(&f, -1, a, 0, 1); /* zero was reached from above */
    ck_assert_int_eq(f.n, 1);
    FOLLOW(&f, 1, a, 0, 1);
    ck_assert_int_eq(f.n, 0);
}
END_TEST

START_TEST(an_excursion_of_two_microseconds_is_two_events)
{
    double a[] = {134298899999019 / 200000000000000.0, -36297 / 10000.0, 981 / 200.0};
    finds f;
    FOLLOW(&f, 0, a, 0, 0.25, 0.5, 0.75, 1);
    ck_assert_int_eq(f.n, 2);
    /* rounding of the coefficients alone moves these roots by 1e-16/(g 1e-6) = 1e-11 */
    ck_assert_double_eq_tol(f.t[0], 0.369999, 2e-11);
    ck_assert_double_eq_tol(f.t[1], 0.370001, 2e-11);
    ck_assert(f.before[0] == 1 && f.after[0] == -1 && f.after[1] == 1);
}
END_TEST

START_TEST(a_near_miss_is_none)
{
    double a[] = {134298900000981 / 200000000000000.0, -36297 / 10000.0, 981 / 200.0};
    finds f;
    FOLLOW(&f, 0, a, 0, 0.25, 0.5, 0.75, 1);
    ck_assert_int_eq(f.n, 0);
}
END_TEST

START_TEST(zeros_at_step_ends_count_once)
{
    finds f;
    double graze[] = {0.25, -1, 1}, simple[] = {1.5, -3.5, 1};
    FOLLOW(&f, 0, graze, 0, 0.25, 0.5, 0.75, 1);
    ck_assert_int_eq(f.n, 1);
    ck_assert_double_eq_tol(f.t[0], 0.5, EXACT);
    FOLLOW(&f, 0, simple, 0, 0.25, 0.5, 0.75, 1);
    ck_assert_int_eq(f.n, 1);
    ck_assert_double_eq_tol(f.t[0], 0.5, EXACT);
    ck_assert_int_eq(f.before[0], 1);
}
END_TEST

START_TEST(two_pairs_in_one_step_are_four_events)
{
    double a[] = {27 / 2500.0, -24 / 125.0, 101 / 100.0, -9 / 5.0, 1}, t[] = {0.1, 0.2, 0.6, 0.9};
    finds f;
    FOLLOW(&f, 0, a, 0, 1);
    ck_assert_int_eq(f.n, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(f.t[i], t[i], EXACT);
        ck_assert_int_eq(f.before[i], i % 2 ? -1 : 1);
    }
    FOLLOW(&f, -1, a, 0, 1);
    ck_assert_int_eq(f.n, 2);
}
END_TEST

/* Three roots 1.1e-6 apart: between them |p| is 1e-19, far below the rounding of coefficients near 1. In double
 * precision they are one crossing, located where their mean is, and known to the cube root of that rounding. */
START_TEST(a_cluster_below_rounding_is_one_crossing)
{
    double a[] = {0.125000825001315000231, -75000330000263 / 1e14, 15000033 / 1e7, -1};
    finds f;
    FOLLOW(&f, 0, a, 0, 0.5, 1);
    ck_assert_int_eq(f.n, 1);
    ck_assert_int_eq(f.multiplicity[0] % 2, 1);
    ck_assert(f.before[0] == 1);
    ck_assert_double_eq_tol(f.t[0], 0.5000011, 5e-6);
}
END_TEST

START_TEST(a_start_on_the_surface_counts_only_on_the_way_through)
{
    finds f;
    double leaving[] = {0, 2, -981 / 200.0}, pressing[] = {0, 0, -1.5}, entering[] = {0, -2, -981 / 200.0};
    FOLLOW(&f, -1, leaving, 0, 0.5, 1);
    ck_assert_int_eq(f.n, 1);
    ck_assert_double_eq_tol(f.t[0], 0.4077471967380224, EXACT);
    FOLLOW(&f, -1, pressing, 0, 0.5, 1);
    ck_assert_int_eq(f.n, 1);
    ck_assert(f.t[0] == 0 && f.multiplicity[0] == 2);
    FOLLOW(&f, -1, entering, 0, 0.5, 1);
    ck_assert(f.n == 1 && f.t[0] == 0);
    FOLLOW(&f, 1, entering, 0, 0.5, 1);
    ck_assert_int_eq(f.n, 0);
    double residual[] = {-1e-17, 0.3, -981 / 200.0};
    FOLLOW(&f, -1, residual, 0, 0.1);
    ck_assert_int_eq(f.n, 1);
    ck_assert_double_eq_tol(f.t[0], 0.06116207951070333, EXACT);
}
END_TEST

START_TEST(touch_and_crossing_in_one_step_are_told_apart)
{
    finds f;
    double slip[] = {5 / 32.0, -0.5, 0.4}, both[] = {3 / 64.0, -7 / 16.0, 1.25, -1};
    FOLLOW(&f, 0, slip, 0, 0.5, 1);
    ck_assert_int_eq(f.n, 1);
    ck_assert_double_eq_tol(f.t[0], 0.625, EXACT);
    ck_assert(f.multiplicity[0] == 2 && f.after[0] == 1);
    FOLLOW(&f, 0, both, 0, 1);
    ck_assert_int_eq(f.n, 2);
    ck_assert_double_eq_tol(f.t[0], 0.25, EXACT);
    ck_assert_double_eq_tol(f.t[1], 0.75, EXACT);
    ck_assert(f.multiplicity[0] == 2 && f.multiplicity[1] == 1 && f.after[1] == -1);
}
END_TEST

/* ---- motions ---- */

static pc_ode_settings tight(double rtol)
{
    return (pc_ode_settings){.rtol = rtol, .atol = rtol, .max_step = INFINITY, .step = 0.1, .max_steps = 1000000};
}

static pc_status run(const pc_ode_method *method, pc_rhs rhs, int n, const double *y0, double t0, double t1,
                     const pc_event *events, int n_events, double rtol, pc_solution *solution, pc_error *err)
{
    static pc_ode_problem problem; /* outlives the run */
    problem = (pc_ode_problem){.n = n, .rhs = rhs};
    pc_ode_settings settings = tight(rtol);
    pc_solve_task task = {&problem, method, &settings, events, n_events, 100000, t0, t1, y0, true, NULL, NULL};
    return pc_solve(&task, solution, err);
}

static int chebyshev_rate(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)y, (void)context;
    dydt[0] = 1;
    return 0;
}

static int chebyshev20(double t, const double *y, double *g, void *context)
{
    double a = 1, b = y[0];
    (void)t, (void)context;
    for (int k = 2; k <= 20; k++) {
        double c = 2 * y[0] * b - a;
        a = b;
        b = c;
    }
    *g = b;
    return 0;
}

START_TEST(twenty_roots_of_a_function_in_one_step_are_all_found)
{
    pc_event event = {.name = "T20", .g = chebyshev20};
    pc_solution s;
    double y0 = -1;
    ck_assert_int_eq(run(&pc_ode_dop853, chebyshev_rate, 1, &y0, -1, 1, &event, 1, 1e-3, &s, NULL), PC_OK);
    ck_assert_uint_eq(s.n_events, 20);
    for (int i = 0; i < 20; i++) ck_assert_double_eq_tol(s.events[i].t, -cos((2 * i + 1) * M_PI / 40), EXACT);
    pc_solution_free(&s);
}
END_TEST

/* E1: y' = 3 t^2 + 12 t - 4 from y(-8) = -120. */
static int cubic_rate(double t, const double *y, double *dydt, void *context)
{
    (void)y, (void)context;
    dydt[0] = 3 * t * t + 12 * t - 4;
    return 0;
}

static int first(double t, const double *y, double *g, void *context)
{
    (void)t, (void)context;
    *g = y[0];
    return 0;
}

static const double FIRST[] = {0, 0, 1, 0, 0};

START_TEST(all_zeros_of_a_cubic_are_found_with_default_steps)
{
    for (int k = 0; k < pc_n_ode_methods; k++) {
        if (pc_ode_methods[k]->symplectic) continue;
        for (int linear = 0; linear < 2; linear++) {
            pc_event event = {.name = "y", .g = linear ? NULL : first, .linear = linear ? FIRST : NULL};
            pc_solution s;
            double y0 = -120;
            ck_assert_int_eq(run(pc_ode_methods[k], cubic_rate, 1, &y0, -8, 8, &event, 1, 1e-9, &s, NULL), PC_OK);
            ck_assert_uint_eq(s.n_events, 3);
            /* a cubic is exact for all methods but CVODE's, whose error is hundreds of steps of 1e-9 |y| over a slope
               of 32 at worst */
            double near = pc_ode_methods[k]->step ? 1e-6 : 1e-9;
            for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(s.events[i].t, -6 + 4 * i, near);
            pc_solution_free(&s);
        }
    }
}
END_TEST

/* E2: fall with quadratic drag, ends on the ground. */
static int drag(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[1];
    dydt[1] = -10 + 0.01 * y[1] * y[1];
    return 0;
}

START_TEST(a_terminal_event_ends_the_motion_on_its_own_row)
{
    pc_event event = {.name = "ground", .linear = FIRST, .direction = -1, .terminal = true};
    pc_solution s;
    double y0[2] = {1000, 0};
    ck_assert_int_eq(run(&pc_ode_dop853, drag, 2, y0, 0, 100, &event, 1, 1e-11, &s, NULL), PC_OK);
    ck_assert_int_eq(s.stop, PC_STOP_EVENT);
    ck_assert_int_eq(s.stop_event, 0);
    ck_assert_double_eq_tol(s.t, acosh(exp(10)) / sqrt(0.1), 1e-8);
    ck_assert_double_eq_tol(s.y[1], -31.622776569, 1e-8);
    ck_assert_double_eq_tol(s.y[0], 0, 1e-11);
    ck_assert(s.arcs[s.n_arcs - 1].stop == s.t);
    double at[2];
    ck_assert(pc_solution_at(&s, s.t, 1, at) && at[1] == s.y[1]);
    ck_assert(!pc_solution_at(&s, s.t + 1e-9, 1, at));
    pc_solution_free(&s);
}
END_TEST

/* E6: both of two events close together fire once, in order, whatever the step and the order of registration. */
static int before_threshold(double t, const double *y, double *g, void *context)
{
    (void)t;
    *g = y[0] - *(double *)context;
    return 0;
}

START_TEST(close_events_fire_once_each_in_order)
{
    double steps[] = {1e-6, 0.0005, 0.001}, at[2] = {0.001, 0.002}, y0 = 0;
    for (int k = 0; k < 3; k++) {
        for (int order = 0; order < 2; order++) {
            pc_event events[2] = {{.name = "a", .g = before_threshold, .context = &at[order]},
                                  {.name = "b", .g = before_threshold, .context = &at[1 - order]}};
            pc_ode_problem problem = {.n = 1, .rhs = chebyshev_rate};
            pc_ode_settings settings = tight(1e-9);
            settings.step = steps[k];
            pc_solve_task task = {&problem, &pc_ode_rk4, &settings, events, 2, 100, 0, 0.003, &y0, false, NULL, NULL};
            pc_solution s;
            ck_assert_int_eq(pc_solve(&task, &s, NULL), PC_OK);
            ck_assert_uint_eq(s.n_events, 2);
            ck_assert_int_eq(s.events[0].event, order);
            ck_assert_double_eq_tol(s.events[0].t, 0.001, 1e-15);
            ck_assert_double_eq_tol(s.events[1].t, 0.002, 1e-15);
            ck_assert_uint_eq(s.n_arcs, 0);
            pc_solution_free(&s);
        }
    }
}
END_TEST

START_TEST(simultaneous_events_come_in_the_order_of_the_list)
{
    double at = 0.7, y0 = 0;
    for (int k = 0; k < 2; k++) {
        pc_event events[3] = {{.name = "a", .g = before_threshold, .context = &at},
                              {.name = "b", .linear = (double[]){-0.7, 1, 0}},
                              {.name = "c", .linear = (double[]){-0.7, 0, 1}}};
        if (k) {
            pc_event swap = events[0];
            events[0] = events[2];
            events[2] = swap;
        }
        pc_solution s;
        ck_assert_int_eq(run(&pc_ode_dop853, chebyshev_rate, 1, &y0, 0, 3, events, 3, 1e-9, &s, NULL), PC_OK);
        ck_assert_uint_eq(s.n_events, 3);
        for (int i = 0; i < 3; i++) ck_assert_int_eq(s.events[i].event, i);
        pc_solution_free(&s);
    }
}
END_TEST

/* ---- bouncing ---- */

static double gravity = 9.81;

static int fall(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[1];
    dydt[1] = -gravity;
    return 0;
}

static int bounce(double t, double *y, void *context)
{
    (void)t;
    y[1] *= -*(double *)context;
    return PC_ACTION_RESTART;
}

START_TEST(a_bouncing_ball_strikes_when_it_should_and_stalls_where_its_bounces_accumulate)
{
    double e = 0.5, y0[2] = {1, 0};
    double times[] = {0.4515236409857309, 0.9030472819714618, 1.128809102464327, 1.24169001271076,  1.298130467833976,
                      1.326350695395585,  1.340460809176389,  1.347515866066791, 1.351043394511992, 1.352807158734592,
                      1.353689040845892,  1.354129981901543,  1.354350452429368, 1.35446068769328,  1.354515805325236};
    for (int linear = 0; linear < 2; linear++) {
        pc_event event = {.name = "floor",
                          .direction = -1,
                          .g = linear ? NULL : first,
                          .linear = linear ? FIRST : NULL,
                          .action = bounce,
                          .context = &e};
        pc_solution s;
        gravity = 9.81;
        ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, y0, 0, 5, &event, 1, 1e-10, &s, NULL), PC_OK);
        ck_assert_uint_gt(s.n_events, 15);
        for (int i = 0; i < 15; i++) ck_assert_double_eq_tol(s.events[i].t, times[i], EXACT);
        ck_assert_int_eq(s.stop, PC_STOP_STALLED);
        ck_assert_double_eq_tol(s.t, 1.354570922957193, EXACT);
        ck_assert(s.y[0] > -1e-14); /* never below the floor */
        double y[2];
        for (double t = 0; t < s.t; t += 1e-3) ck_assert(pc_solution_at(&s, t, 1, y) && y[0] > -1e-14);
        printf("%zu bounces until t = %.17g\n", s.n_events, s.t);
        pc_solution_free(&s);
    }
}
END_TEST

/* The floor at y = 1: near it g = y - 1 is rounded like 1, however small the arcs become. */
static int above_one(double t, const double *y, double *g, void *context)
{
    (void)t, (void)context;
    *g = y[0] - 1;
    return 0;
}

START_TEST(arcs_below_the_rounding_of_their_event_function_stall_and_do_not_hang)
{
    double e = 0.5, y0[2] = {2, 0};
    pc_event event = {.name = "floor", .direction = -1, .g = above_one, .action = bounce, .context = &e};
    pc_solution s;
    gravity = 9.81;
    ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, y0, 0, 5, &event, 1, 1e-10, &s, NULL), PC_OK);
    ck_assert_int_eq(s.stop, PC_STOP_STALLED);
    /* arcs lower than 1e-15 are lost; the one before lasts 4 sqrt(2e-15/g) */
    ck_assert_double_eq_tol(s.t, 1.354570922957193, 6e-8);
    ck_assert_double_eq_tol(s.y[0], 1, 1e-14);
    ck_assert_int_lt(s.g_calls, 20000);
    pc_solution_free(&s);
}
END_TEST

/* E5: elastic ball, to t = 500. */
START_TEST(an_elastic_ball_never_misses_a_bounce)
{
    double e = 1, y0[2] = {50, 0}, ends[] = {50, 500, 5000};
    gravity = 9.8;
    for (int k = 0; k < 3; k++) {
        pc_event event = {.name = "floor", .direction = -1, .linear = FIRST, .action = bounce, .context = &e};
        pc_solution s;
        ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, y0, 0, ends[k], &event, 1, 1e-12, &s, NULL), PC_OK);
        ck_assert_uint_eq(s.n_events, (size_t)((ends[k] - 3.194383) / 6.388766) + 1);
        if (k == 0) {
            ck_assert_double_eq_tol(s.y[0], 43.961347998, 1e-8);
            ck_assert_double_eq_tol(s.y[1], 10.879226960, 1e-8);
        }
        pc_solution_free(&s);
    }
}
END_TEST

/* E8: what a ball on the floor does depends on its speed there. */
START_TEST(a_ball_on_the_floor_strikes_it_only_downwards)
{
    double e = 0.5;
    pc_event event = {.name = "floor", .direction = -1, .linear = FIRST, .action = bounce, .context = &e};
    pc_solution s;
    gravity = 9.81;
    double up[2] = {0, 1}, down[2] = {0, -1}, rest[2] = {0, 0};
    event.terminal = true;
    ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, up, 0, 1, &event, 1, 1e-10, &s, NULL), PC_OK);
    ck_assert_double_eq_tol(s.t, 2 / 9.81, EXACT);
    pc_solution_free(&s);
    ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, down, 0, 1, &event, 1, 1e-10, &s, NULL), PC_OK);
    ck_assert(s.t == 0 && s.n_events == 1 && s.y[1] == 0.5);
    pc_solution_free(&s);
    event.terminal = false;
    ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, rest, 0, 1, &event, 1, 1e-10, &s, NULL), PC_OK);
    ck_assert_int_eq(s.stop, PC_STOP_STALLED);
    ck_assert(s.t == 0);
    pc_solution_free(&s);
}
END_TEST

/* ---- functions much faster than the step ---- */

/* Lower end of a spinning rod, length 1, that falls: gap n0 - g t^2/2 - |cos(20 t)|/2. */
static double rod_height;

static int rod_gap(double t, const double *y, double *g, void *context)
{
    (void)t, (void)context;
    *g = rod_height + y[0] - 0.5 * fabs(cos(20 * t));
    return 0;
}

START_TEST(a_spinning_rod_grazes_and_then_strikes)
{
    double y0[2] = {0, 0};
    pc_event event = {.name = "gap", .g = rod_gap};
    pc_solution s;
    gravity = 9.81;
    rod_height = 1.009312074414233;
    ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, y0, 0, 0.42, &event, 1, 1e-12, &s, NULL), PC_OK);
    ck_assert_uint_eq(s.n_events, 2);
    ck_assert_double_eq_tol(s.events[0].t, 0.3306778682690833, 1e-8); /* a double zero: square root of rounding */
    ck_assert_int_eq(s.events[0].multiplicity, 2);
    ck_assert_double_eq_tol(s.events[1].t, 0.4111350041704063, 1e-11);
    printf("spinning rod: %ld calls of g in %ld steps\n", s.g_calls, s.statistics.steps);
    pc_solution_free(&s);
}
END_TEST

static int fast_cosine(double t, const double *y, double *g, void *context)
{
    (void)y;
    *g = cos(*(double *)context * t) - 0.999;
    return 0;
}

START_TEST(no_pulse_of_a_fast_function_is_missed)
{
    for (double w = 10; w < 1000; w *= 2.7) {
        pc_event event = {.name = "pulse", .g = fast_cosine, .context = &w};
        pc_solution s;
        double y0 = 0;
        ck_assert_int_eq(run(&pc_ode_dop853, chebyshev_rate, 1, &y0, 0.1, 10, &event, 1, 1e-6, &s, NULL), PC_OK);
        double a = acos(0.999);
        size_t expected = 0;
        for (long k = 0; k < 2000; k++) {
            for (int side = -1; side <= 1; side += 2) {
                double t = ((double)k * 2 * M_PI + side * a) / w;
                if (t <= 0.1 || t > 10) continue;
                ck_assert_uint_lt(expected, s.n_events);
                ck_assert_double_eq_tol(s.events[expected].t, t, 1e-12);
                expected++;
            }
        }
        ck_assert_uint_eq(s.n_events, expected);
        printf("cos(%.0f t): %zu events in %ld steps, %ld calls\n", w, s.n_events, s.statistics.steps, s.g_calls);
        pc_solution_free(&s);
    }
}
END_TEST

static int kink(double t, const double *y, double *g, void *context)
{
    (void)y, (void)context;
    *g = fabs(t - 1 / 3.0) - 1e-3;
    return 0;
}

START_TEST(a_kinked_function_keeps_its_zeros_and_says_how_well_it_was_fitted)
{
    pc_event event = {.name = "kink", .g = kink};
    pc_solution s;
    double y0 = 0;
    ck_assert_int_eq(run(&pc_ode_dop853, chebyshev_rate, 1, &y0, 0, 1, &event, 1, 1e-6, &s, NULL), PC_OK);
    ck_assert_uint_eq(s.n_events, 2);
    ck_assert_double_eq_tol(s.events[0].t, 1 / 3.0 - 1e-3, 1e-12);
    ck_assert_double_eq_tol(s.events[1].t, 1 / 3.0 + 1e-3, 1e-12);
    ck_assert(s.fit_error > PC_EVENT_FIT && s.fit_error < 1e-7);
    pc_solution_free(&s);
}
END_TEST

/* ---- a wall that is only just reached: excursions of x = sin t beyond 0.9999 ---- */

static int oscillator(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[1];
    dydt[1] = -y[0];
    return 0;
}

START_TEST(roots_are_those_of_the_interpolant)
{
    double wall[] = {-0.9999, 0, 1, 0}, y0[2] = {0, 1};
    pc_event event = {.name = "wall", .linear = wall};
    pc_solution s;
    ck_assert_int_eq(run(&pc_ode_rk4, oscillator, 2, y0, 0, 2, &event, 1, 1e-9, &s, NULL), PC_OK);
    ck_assert_uint_eq(s.n_events, 2);
    ck_assert_double_eq_tol(s.events[0].t, 1.556680727376438, EXACT);
    ck_assert_double_eq_tol(s.events[1].t, 1.584927274489463, EXACT);
    pc_solution_free(&s);
    ck_assert_int_eq(run(&pc_ode_dop853, oscillator, 2, y0, 0, 2, &event, 1, 1e-14, &s, NULL), PC_OK);
    /* slope of x at the wall is 0.014, so the integration's 1e-14 appears as 1e-12 */
    ck_assert_double_eq_tol(s.events[0].t, 1.556654073317384, 4e-12);
    ck_assert_double_eq_tol(s.events[1].t, 1.584938580272409, 4e-12);
    pc_solution_free(&s);
}
END_TEST

/* ---- failures ---- */

static int nan_after_half(double t, const double *y, double *g, void *context)
{
    (void)context;
    *g = t > 0.5 ? NAN : y[0] + 1;
    return 0;
}

START_TEST(an_event_that_is_not_a_number_is_named_with_its_time)
{
    pc_event event = {.name = "gap", .g = nan_after_half};
    pc_solution s;
    pc_error err;
    double y0[2] = {0, 1};
    ck_assert_int_eq(run(&pc_ode_dop853, oscillator, 2, y0, 0, 10, &event, 1, 1e-9, &s, &err), PC_E_NUMERIC);
    ck_assert_str_eq(err.quantity, "gap");
    ck_assert(err.time > 0.5 && err.time < 2);
    ck_assert(s.stop == PC_STOP_ERROR && s.t <= 0.5);
    double y[2];
    ck_assert(s.t == 0 || pc_solution_at(&s, s.t / 2, 1, y)); /* what there was is kept */
    pc_solution_free(&s);
}
END_TEST

static int counted(double t, const double *y, double *g, void *context)
{
    int *left = context;
    (void)t;
    *g = y[0] - 0.5;
    return (*left)-- > 0 ? 0 : -1;
}

START_TEST(an_event_function_may_fail_at_every_call)
{
    double y0[2] = {0, 1};
    for (int calls = 0;; calls++) {
        int left = calls;
        long live = pc_alloc_live();
        pc_event event = {.name = "g", .g = counted, .context = &left};
        pc_solution s;
        pc_error err;
        pc_status status = run(&pc_ode_dop853, oscillator, 2, y0, 0, 10, &event, 1, 1e-6, &s, &err);
        pc_solution_free(&s);
        ck_assert_int_eq(pc_alloc_live(), live);
        if (status == PC_OK) break;
        ck_assert_int_eq(status, PC_E_CALLBACK);
    }
}
END_TEST

START_TEST(short_memory_is_reported_and_what_was_found_is_kept)
{
    double y0[2] = {0, 1};
    for (int n = 0;; n++) {
        long live = pc_alloc_live();
        pc_event event = {.name = "x", .linear = FIRST};
        pc_solution s;
        pc_error err;
        pc_alloc_fail_after(n);
        pc_status status = run(&pc_ode_dop853, oscillator, 2, y0, 0, 200, &event, 1, 1e-9, &s, &err);
        pc_alloc_fail_after(-1);
        pc_solution_free(&s);
        ck_assert_int_eq(pc_alloc_live(), live);
        if (status == PC_OK) break;
        ck_assert_int_eq(status, PC_E_MEMORY);
    }
}
END_TEST

START_TEST(an_interrupt_leaves_the_motion_so_far)
{
    double y0[2] = {0, 1};
    pc_solution s;
    pc_interrupt_flag = 1;
    pc_status status = run(&pc_ode_dop853, oscillator, 2, y0, 0, 10, NULL, 0, 1e-9, &s, NULL);
    pc_interrupt_flag = 0;
    ck_assert_int_eq(status, PC_E_INTERRUPTED);
    ck_assert(s.t == 0 && s.y[1] == 1);
    pc_solution_free(&s);
}
END_TEST

START_TEST(events_are_limited)
{
    pc_ode_problem problem = {.n = 2, .rhs = oscillator};
    pc_ode_settings settings = tight(1e-9);
    double y0[2] = {0, 1};
    pc_event event = {.name = "x", .linear = FIRST};
    pc_solve_task task = {&problem, &pc_ode_dop853, &settings, &event, 1, 5, 0, 100, y0, true, NULL, NULL};
    pc_solution s;
    pc_error err;
    ck_assert_int_eq(pc_solve(&task, &s, &err), PC_E_LIMIT);
    ck_assert_uint_eq(s.n_events, 5);
    ck_assert_double_eq_tol(s.t, 6 * M_PI, 1e-6);
    pc_solution_free(&s);
}
END_TEST

START_TEST(a_jump_is_seen_from_both_sides)
{
    double e = 1, y0[2] = {1, 0}, before[2], after[2];
    pc_event event = {.name = "floor", .direction = -1, .linear = FIRST, .action = bounce, .context = &e};
    pc_solution s;
    gravity = 2;
    ck_assert_int_eq(run(&pc_ode_dop853, fall, 2, y0, 0, 1.5, &event, 1, 1e-10, &s, NULL), PC_OK);
    double t = s.events[0].t;
    ck_assert(pc_solution_at(&s, t, -1, before) && pc_solution_at(&s, t, 1, after));
    ck_assert_double_eq_tol(before[1], -2, 1e-12);
    ck_assert_double_eq_tol(after[1], 2, 1e-12);
    ck_assert_double_eq_tol(pc_solution_event_state(&s, 0, 0)[1], -2, 1e-12);
    ck_assert_double_eq_tol(pc_solution_event_state(&s, 0, 1)[1], 2, 1e-12);
    pc_solution_free(&s);
}
END_TEST

START_TEST(backward_motion_meets_the_same_events)
{
    double y0[2] = {0, 1};
    pc_event event = {.name = "x", .linear = FIRST};
    pc_solution s;
    ck_assert_int_eq(run(&pc_ode_dop853, oscillator, 2, y0, 0, -10, &event, 1, 1e-12, &s, NULL), PC_OK);
    ck_assert_uint_eq(s.n_events, 3);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(s.events[i].t, -(i + 1) * M_PI, 1e-10);
    double y[2];
    ck_assert(pc_solution_at(&s, -5, 1, y));
    ck_assert_double_eq_tol(y[0], sin(-5), 1e-10);
    pc_solution_free(&s);
}
END_TEST

UNIT_MAIN("event", 60, a_graze_inside_a_step_is_one_event_of_multiplicity_two,
          an_excursion_of_two_microseconds_is_two_events, a_near_miss_is_none, zeros_at_step_ends_count_once,
          two_pairs_in_one_step_are_four_events, a_cluster_below_rounding_is_one_crossing,
          a_start_on_the_surface_counts_only_on_the_way_through, touch_and_crossing_in_one_step_are_told_apart,
          twenty_roots_of_a_function_in_one_step_are_all_found, all_zeros_of_a_cubic_are_found_with_default_steps,
          a_terminal_event_ends_the_motion_on_its_own_row, close_events_fire_once_each_in_order,
          simultaneous_events_come_in_the_order_of_the_list,
          a_bouncing_ball_strikes_when_it_should_and_stalls_where_its_bounces_accumulate,
          arcs_below_the_rounding_of_their_event_function_stall_and_do_not_hang, an_elastic_ball_never_misses_a_bounce,
          a_ball_on_the_floor_strikes_it_only_downwards, a_spinning_rod_grazes_and_then_strikes,
          no_pulse_of_a_fast_function_is_missed, a_kinked_function_keeps_its_zeros_and_says_how_well_it_was_fitted,
          roots_are_those_of_the_interpolant, an_event_that_is_not_a_number_is_named_with_its_time,
          an_event_function_may_fail_at_every_call, short_memory_is_reported_and_what_was_found_is_kept,
          an_interrupt_leaves_the_motion_so_far, events_are_limited, a_jump_is_seen_from_both_sides,
          backward_motion_meets_the_same_events)
