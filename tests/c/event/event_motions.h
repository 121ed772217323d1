/* Motions with events to test. */
#ifndef TESTS_C_EVENT_MOTIONS_H
#define TESTS_C_EVENT_MOTIONS_H

#include "event/event.h"

#include "unit.h"

#include <math.h>

static const double EXACT = 1e-12; /* absolute tolerance that the cases state */

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
    pc_solve_task task = {.problem = &problem,
                          .method = method,
                          .settings = &settings,
                          .events = events,
                          .n_events = n_events,
                          .max_events = 100000,
                          .t0 = t0,
                          .t1 = t1,
                          .y0 = y0,
                          .record = true};
    return pc_solve(&task, solution, err);
}

static int chebyshev_rate(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)y, (void)context;
    dydt[0] = 1;
    return 0;
}

static const double FIRST[] = {0, 0, 1, 0, 0};

static double gravity = 9.81;

static int fall(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[1];
    dydt[1] = -gravity;
    return 0;
}

static int oscillator(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[1];
    dydt[1] = -y[0];
    return 0;
}

#endif
