/* Events of motions: all of them, in their order, with what they do; bounces that accumulate. */
#include "event/event.h"
#include "event_motions.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>

/* ---- motions ---- */

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
    size_t n_arcs;
    const pc_arc *arcs = pc_trajectory_arcs(&s.trajectory, &n_arcs);
    ck_assert(n_arcs > 0 && arcs[n_arcs - 1].stop == s.t);
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
            pc_solve_task task = {.problem = &problem,
                                  .method = &pc_ode_rk4,
                                  .settings = &settings,
                                  .events = events,
                                  .n_events = 2,
                                  .max_events = 100,
                                  .t0 = 0,
                                  .t1 = 0.003,
                                  .y0 = &y0};
            pc_solution s;
            ck_assert_int_eq(pc_solve(&task, &s, NULL), PC_OK);
            ck_assert_uint_eq(s.n_events, 2);
            ck_assert_int_eq(s.events[0].event, order);
            ck_assert_double_eq_tol(s.events[0].t, 0.001, 1e-15);
            ck_assert_double_eq_tol(s.events[1].t, 0.002, 1e-15);
            ck_assert_uint_eq(s.trajectory.arcs.used, 0);
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

/* ---- failures ---- */

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

UNIT_MAIN("event motion", 60, twenty_roots_of_a_function_in_one_step_are_all_found,
          all_zeros_of_a_cubic_are_found_with_default_steps, a_terminal_event_ends_the_motion_on_its_own_row,
          close_events_fire_once_each_in_order, simultaneous_events_come_in_the_order_of_the_list,
          a_bouncing_ball_strikes_when_it_should_and_stalls_where_its_bounces_accumulate,
          arcs_below_the_rounding_of_their_event_function_stall_and_do_not_hang, an_elastic_ball_never_misses_a_bounce,
          a_ball_on_the_floor_strikes_it_only_downwards, a_jump_is_seen_from_both_sides,
          backward_motion_meets_the_same_events)
