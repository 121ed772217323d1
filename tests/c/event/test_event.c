/* Events on dense output: grazes, pairs, clusters, seams, starts; fast functions by fits; failures.
 *
 * Cases named event.* are those derived for Kecskemethy (1999), last paragraph: integers in their coefficients are
 * exact, times are in seconds.
 */
#include "event/event.h"
#include "event_motions.h"
#include "unit.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>

enum { MAX_FOUND = 64 };

typedef struct finds {
    int n;
    double t[MAX_FOUND];
    int multiplicity[MAX_FOUND], before[MAX_FOUND], after[MAX_FOUND];
} finds;

/* Follow the polynomial sum a_i t^i over the steps of a grid, as y of a system of one equation, with g = y - level. */
static void follow(const double *a, int degree, const double *grid, int n_grid, int direction, double level, finds *out)
{
    double linear[3] = {-level, 0, 1};
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
           (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), direction, 0, out)

/* y = 1 - t - t^2/4 over [0, 2], and g = sin y, which falls from 0.2 of the step on for a while. */
static int sine_of(double t, const double *y, double *g, void *context)
{
    (void)t;
    ++*(int *)context;
    *g = sin(*y);
    return 0;
}

START_TEST(what_is_known_to_fall_is_found_where_a_fit_finds_it_and_sooner)
{
    const double a[] = {1, -1, -0.25};
    double c[3];
    int calls[2] = {0, 0};
    pc_occurrence found[2];
    pc_dense dense = {0, 2, 1, 2, c};
    pc_poly_from_power(a, 2, 0, 2, c);
    for (int known = 0; known < 2; known++) {
        pc_event event = {.name = "g", .direction = -1, .g = sine_of, .context = &calls[known]};
        pc_locator locator;
        ck_assert_int_eq(pc_locator_open(&locator, &event, 1, 1, NULL), PC_OK);
        locator.watch->side = 1;
        locator.watch->from = 0.2;
        locator.watch->to = known ? 0.6 : 0;
        ck_assert_int_eq(pc_locator_scan(&locator, &dense, NULL), PC_OK);
        ck_assert_int_eq(locator.n_found, 1);
        found[known] = *locator.found;
        ck_assert_int_eq(locator.watch->side, -1);
        /* not where it does not reach zero: the rest is searched as ever */
        locator.watch->side = 1;
        locator.watch->to = known ? 0.3 : 0;
        ck_assert_int_eq(pc_locator_scan(&locator, &dense, NULL), PC_OK);
        ck_assert_int_eq(locator.n_found, 1);
        ck_assert_double_eq_tol(locator.found->t, found[known].t, 1e-15);
        pc_locator_close(&locator);
    }
    ck_assert_double_eq_tol(found[1].t, 2 * (sqrt(2) - 1), 1e-15);
    ck_assert_double_eq_tol(found[1].t, found[0].t, 1e-15);
    ck_assert_double_eq_tol(found[1].rate, -sqrt(2), 1e-6); /* dy/dt there, over 1e-7 of the step */
    ck_assert_double_eq_tol(found[0].rate, -sqrt(2), 1e-6);
    ck_assert(found[1].before == 1 && found[1].after == -1 && found[1].multiplicity == 1);
    ck_assert_int_lt(calls[1], calls[0]);
}
END_TEST

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

/* y = 1 - t and its mirror: in the first steps y - 1 is zero to rounding, and nothing has left it yet. */
START_TEST(a_start_on_the_surface_is_left_in_whichever_step_that_shows)
{
    const double grid[] = {0, 1e-17, 1e-16, 0.5, 1}, falls[] = {1, -1}, rises[] = {1, 1};
    for (int first = 0; first < 3; first++) {
        finds f;
        follow(falls, 1, grid + first, 5 - first, -1, 1, &f);
        ck_assert_int_eq(f.n, 1);
        ck_assert_double_le(f.t[0], 1e-16);
        ck_assert(f.before[0] == 0 && f.after[0] == -1);
        follow(rises, 1, grid + first, 5 - first, -1, 1, &f);
        ck_assert_int_eq(f.n, 0);
    }
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
    pc_solve_task task = {.problem = &problem,
                          .method = &pc_ode_dop853,
                          .settings = &settings,
                          .events = &event,
                          .n_events = 1,
                          .max_events = 5,
                          .t0 = 0,
                          .t1 = 100,
                          .y0 = y0,
                          .record = true};
    pc_solution s;
    pc_error err;
    ck_assert_int_eq(pc_solve(&task, &s, &err), PC_E_LIMIT);
    ck_assert_uint_eq(s.n_events, 5);
    ck_assert_double_eq_tol(s.t, 6 * M_PI, 1e-6);
    pc_solution_free(&s);
}
END_TEST

UNIT_MAIN("event", 60, what_is_known_to_fall_is_found_where_a_fit_finds_it_and_sooner,
          a_graze_inside_a_step_is_one_event_of_multiplicity_two, an_excursion_of_two_microseconds_is_two_events,
          a_near_miss_is_none, zeros_at_step_ends_count_once, two_pairs_in_one_step_are_four_events,
          a_cluster_below_rounding_is_one_crossing, a_start_on_the_surface_counts_only_on_the_way_through,
          a_start_on_the_surface_is_left_in_whichever_step_that_shows, touch_and_crossing_in_one_step_are_told_apart,
          a_spinning_rod_grazes_and_then_strikes, no_pulse_of_a_fast_function_is_missed,
          a_kinked_function_keeps_its_zeros_and_says_how_well_it_was_fitted, roots_are_those_of_the_interpolant,
          an_event_that_is_not_a_number_is_named_with_its_time, an_event_function_may_fail_at_every_call,
          short_memory_is_reported_and_what_was_found_is_kept, an_interrupt_leaves_the_motion_so_far,
          events_are_limited)
