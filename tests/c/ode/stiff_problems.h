/* Stiff problems with reference solutions, for tests and benchmarks. References without another source: Mazzia and
 * Magherini (2008), Test set for initial value problem solvers, release 2.4 (problems VDPOL, ROBER, HIRES). */
#ifndef TESTS_C_STIFF_PROBLEMS_H
#define TESTS_C_STIFF_PROBLEMS_H

#include "ode/ode.h"

typedef struct stiff_problem {
    const char *name;
    pc_ode_problem ode;
    double t1, start[8], reference[8];
    double atol_by_rtol; /* the solution's scale: tests use atol = rtol times this */
} stiff_problem;

/* Van der Pol's equation in slow time t/mu: y0' = y1, eps y1' = (1 - y0^2) y1 - y0, eps = 1/mu^2. */
static int van_der_pol(double t, const double *y, double *dydt, void *context)
{
    double eps = *(const double *)context;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / eps;
    return 0;
}

static int van_der_pol_jacobian(double t, const double *y, double *J, void *context)
{
    double eps = *(const double *)context;
    (void)t;
    J[1] = 1;
    J[2] = (-2 * y[0] * y[1] - 1) / eps;
    J[3] = (1 - y[0] * y[0]) / eps;
    return 0;
}

/* Robertson's reactions (1966). */
static int robertson(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dydt[2] = 3e7 * y[1] * y[1];
    dydt[1] = -dydt[0] - dydt[2];
    return 0;
}

static int robertson_jacobian(double t, const double *y, double *J, void *context)
{
    (void)t, (void)context;
    J[0] = -0.04;
    J[1] = 1e4 * y[2];
    J[2] = 1e4 * y[1];
    J[7] = 6e7 * y[1];
    J[3] = 0.04;
    J[4] = -J[1] - J[7];
    J[5] = -J[2];
    return 0;
}

/* High irradiance responses of photomorphogenesis: Schaefer (1975). */
static int hires(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dydt[1] = 1.71 * y[0] - 8.75 * y[1];
    dydt[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dydt[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dydt[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    dydt[5] = -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dydt[6] = 280 * y[5] * y[7] - 1.81 * y[6];
    dydt[7] = -dydt[6];
    return 0;
}

/* Two decoupled modes seen in mixed coordinates: rates 6e5 and 10 per second, forced so that the fast mode follows
 * the slow one. y = P (a, b), a = exp(-10 t), b = exp(-6e5 t), P = [1 1; 1 -1]/2. */
static int two_rates(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    double a = y[0] + y[1], b = y[0] - y[1];
    dydt[0] = 0.5 * (-10 * a - 6e5 * b);
    dydt[1] = 0.5 * (-10 * a + 6e5 * b);
    return 0;
}

static int two_rates_jacobian(double t, const double *y, double *J, void *context)
{
    (void)t, (void)y, (void)context;
    J[0] = J[3] = 0.5 * (-10 - 6e5);
    J[1] = J[2] = 0.5 * (-10 + 6e5);
    return 0;
}

static double eps_1e3 = 1e-6, eps_1e6 = 1e-12;

static const stiff_problem stiff_problems[] = {
    {.name = "Van der Pol, mu = 1e3",
     .ode = {.n = 2, .rhs = van_der_pol, .jacobian = van_der_pol_jacobian, .context = &eps_1e3, .autonomous = true},
     .t1 = 2,
     .start = {2, 0},
     .reference = {1.706167732170483, -0.8928097010247975},
     .atol_by_rtol = 1},
    {.name = "Van der Pol, mu = 1e6",
     .ode = {.n = 2, .rhs = van_der_pol, .jacobian = van_der_pol_jacobian, .context = &eps_1e6, .autonomous = true},
     .t1 = 2,
     .start = {2, 0},
     /* Rodas5P and CVODE's BDF at their tightest agree on this */
     .reference = {1.70554621753, -0.89347636255},
     .atol_by_rtol = 1},
    {.name = "Robertson, t = 40",
     .ode = {.n = 3, .rhs = robertson, .jacobian = robertson_jacobian, .autonomous = true},
     .t1 = 40,
     .start = {1, 0, 0},
     /* the same */
     .reference = {0.71582706871945, 9.1855347645587e-06, 0.28416374574578},
     .atol_by_rtol = 1e-6},
    {.name = "Robertson, t = 1e11",
     .ode = {.n = 3, .rhs = robertson, .jacobian = robertson_jacobian, .autonomous = true},
     .t1 = 1e11,
     .start = {1, 0, 0},
     .reference = {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050},
     .atol_by_rtol = 1e-10},
    {.name = "HIRES",
     .ode = {.n = 8, .rhs = hires, .autonomous = true},
     .t1 = 321.8122,
     .start = {1, 0, 0, 0, 0, 0, 0, 0.0057},
     .reference = {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
                   0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2},
     .atol_by_rtol = 1e-4},
    {.name = "rates 6e5 and 10 per s",
     .ode = {.n = 2, .rhs = two_rates, .jacobian = two_rates_jacobian, .autonomous = true},
     .t1 = 0.5,
     .start = {1, 0},
     .reference = {0.5 * 6.737946999085467e-3, 0.5 * 6.737946999085467e-3},
     .atol_by_rtol = 1e-3},
};
enum { N_STIFF = sizeof stiff_problems / sizeof *stiff_problems };

#endif
