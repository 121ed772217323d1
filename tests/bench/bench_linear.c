/* How long an impact on the linear law takes: over arrays at each width, alone, and CVODE on the
 * same equations where it is installed. The case is a sphere with mu 0.5, v_t/v_n 1, eta 1.21: slip, stick, slip.
 *
 * Minima of many short repeats: the machine may do other things meanwhile. */
#include "engine/collide.h"
#include "law/linear/linear.h"
#include "rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const pc_linear law = {.kn = 1, .kt = 1 / 1.21, .eta = 1.21, .mu = 0.5, .restitution = 1};
static const pc_mobility sphere = {.tt = 3.5, .nn = 1, .rank = 2};

static double time_impact(double *v_t)
{
    double best = INFINITY, v0[3] = {-1, -1, 0};
    for (int repeat = 0; repeat < 3000; repeat++) {
        double start = seconds();
        for (int i = 0; i < 10; i++) {
            pc_impact hit;
            if (pc_law_impact(&pc_law_linear, &law, &sphere, v0, &hit, NULL)) exit(EXIT_FAILURE);
            *v_t = hit.v1[PC_T];
            pc_impact_free(&hit);
        }
        best = fmin(best, (seconds() - start) / 10);
    }
    return best;
}

/* ---- arrays ---- */

enum { N = 4096 };
static double in[7][N], out[14][N];

/* sphere: one case with v_t/v_n from 0.9 to 1.1, as a sweep would have it; otherwise unlike impacts in random order. */
static void fill(bool mixed)
{
    pc_rng rng;
    pc_rng_seed(&rng, 3);
    for (int i = 0; i < N; i++) {
        double a = mixed ? pow(10, pc_rng_between(&rng, -0.5, 1)) : 3.5;
        double angle = mixed ? pc_rng_between(&rng, -1.5, 1.5) : atan(0.9 + 0.2 * i / N);
        in[0][i] = a;
        in[1][i] = mixed ? sqrt(a) * pc_rng_between(&rng, -0.98, 0.98) : 0;
        in[2][i] = sin(angle);
        in[3][i] = -cos(angle);
        in[4][i] = mixed ? pow(10, pc_rng_between(&rng, -1, 1)) : 1.21;
        in[5][i] = mixed ? pc_rng_between(&rng, 0, 2) : 0.5;
        in[6][i] = mixed && pc_rng_uniform(&rng) < 0.5 ? pc_rng_between(&rng, 0.3, 1) : 1;
    }
}

/* Seconds a point, over blocks of 4096, from columns in SI units to the velocities, the loss and the outcome; or to all
 * that there is. */
static double time_map(int width, bool all)
{
    const pc_map_column rows[PC_LINEAR_ROWS] = {[PC_LINEAR_KN] = {NULL, 1},
                                                [PC_LINEAR_ETA] = {in[4], 0},
                                                [PC_LINEAR_MU] = {in[5], 0},
                                                [PC_LINEAR_E] = {in[6], 0}};
    pc_map_columns map = {
        .n = N,
        .w_tt = {in[0], 0},
        .w_tn = {in[1], 0},
        .w_nn = {NULL, 1},
        .rank = {NULL, 2},
        .v_t = {in[2], 0},
        .v_n = {in[3], 0},
        .rows = rows,
        .out = {[PC_MAP_VT] = out[0], [PC_MAP_VN] = out[1], [PC_MAP_LOSS_OF_MAX] = out[2], [PC_MAP_OUTCOME] = out[3]}};
    for (int k = 0; all && k < PC_N_MAP_OUTPUTS; k++) map.out[k] = out[k];
    double best = INFINITY;
    size_t failed;
    for (int repeat = 0; repeat < 300; repeat++) {
        double start = seconds();
        if (pc_linear_map_width(&map, width, &failed, NULL)) return NAN;
        best = fmin(best, (seconds() - start) / N);
    }
    return best;
}

/* ---- CVODE: Adams, relative tolerance 1e-10, root finding, one run of the same impact ---- */

#if defined(PC_HAVE_SUNDIALS)
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int slip_sign; /* 0 in stick */

static void forces(const double *y, double *ft, double *fn)
{
    *fn = law.kn * y[1];
    *ft = slip_sign == 0 ? -law.kt * y[0] : -law.mu * slip_sign * *fn;
}

static int rates(realtype t, N_Vector state, N_Vector rate, void *data)
{
    (void)t;
    (void)data;
    const double *y = NV_DATA_S(state);
    double *d = NV_DATA_S(rate), ft, fn;
    forces(y, &ft, &fn);
    d[0] = slip_sign == 0 ? y[2] : -law.mu * slip_sign * law.kn * y[3] / law.kt;
    d[1] = -y[3];
    d[2] = sphere.tt * ft;
    d[3] = sphere.nn * fn;
    return 0;
}

/* Falling through 0: F_n; the slip speed, or either edge of the cone. */
static int guards(realtype t, N_Vector state, realtype *g, void *data)
{
    (void)t;
    (void)data;
    const double *y = NV_DATA_S(state);
    double ft, fn;
    forces(y, &ft, &fn);
    g[0] = fn;
    if (slip_sign != 0) {
        g[1] = slip_sign * (y[2] + law.mu * slip_sign * law.kn * y[3] / law.kt);
        g[2] = 1;
    } else {
        g[1] = law.mu * fn + ft;
        g[2] = law.mu * fn - ft;
    }
    return 0;
}

/* Seconds for one impact; v_t afterwards. */
static double run_cvode(void *solver, N_Vector state, double *v_t, long *steps)
{
    double start = seconds(), *y = NV_DATA_S(state);
    realtype t = 0;
    y[0] = y[1] = 0;
    y[2] = y[3] = -1;
    slip_sign = -1;
    *steps = 0;
    for (;;) {
        int found[3];
        long taken = 0;
        if (CVodeReInit(solver, t, state)) return NAN;
        int status = CVode(solver, 10, state, &t, CV_NORMAL);
        if (CVodeGetNumSteps(solver, &taken)) return NAN;
        *steps += taken;
        if (status != CV_ROOT_RETURN || CVodeGetRootInfo(solver, found)) return NAN;
        if (found[0]) break;
        slip_sign = slip_sign != 0 ? 0 : found[1] ? 1 : -1;
    }
    *v_t = y[2];
    return seconds() - start;
}

static void compare_cvode(double impact, double kernel, double exact)
{
    SUNContext context;
    if (SUNContext_Create(NULL, &context)) return;
    N_Vector state = N_VNew_Serial(4, context);
    void *solver = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver nonlinear = SUNNonlinSol_FixedPoint(state, 0, context);
    int directions[3] = {-1, -1, -1};
    bool ready = !CVodeInit(solver, rates, 0, state) && !CVodeSStolerances(solver, 1e-10, 1e-12) &&
                 !CVodeSetNonlinearSolver(solver, nonlinear) && !CVodeRootInit(solver, 3, guards) &&
                 !CVodeSetRootDirection(solver, directions) && !CVodeSetMaxNumSteps(solver, 100000);
    double best = INFINITY, v_t = NAN;
    long steps = 0;
    for (int repeat = 0; ready && repeat < 200; repeat++) best = fmin(best, run_cvode(solver, state, &v_t, &steps));
    if (ready)
        printf("CVODE Adams rtol 1e-10      %9.1f us, %ld steps, v_t off by %.1e: %.0f kernels, %.0f impact()s\n",
               best * 1e6, steps, fabs(v_t - exact), best / kernel, best / impact);
    CVodeFree(&solver);
    SUNNonlinSolFree(nonlinear);
    N_VDestroy(state);
    SUNContext_Free(&context);
}
#else
static void compare_cvode(double impact, double kernel, double exact)
{
    (void)impact;
    (void)kernel;
    (void)exact;
    printf("CVODE is not installed\n");
}
#endif

int main(void)
{
    double v_t, impact = time_impact(&v_t), kernel = NAN;
    static const int widths[] = {1, 4, 8};
    for (int mixed = 0; mixed < 2; mixed++) {
        fill(mixed);
        for (int k = 0; k < 3; k++) {
            double some = time_map(widths[k], false), all = time_map(widths[k], true);
            if (mixed == 0 && k == 0) kernel = some;
            printf("%-7s %d lane%s %7.1f ns a point (%.2f of a sphere in one lane), with times and works %7.1f ns\n",
                   mixed ? "mixed" : "sphere", widths[k], k ? "s:" : ": ", some * 1e9, some / kernel, all * 1e9);
        }
    }
    printf("impact() with its record    %9.1f ns\n", impact * 1e9);
    compare_cvode(impact, kernel, v_t);
    return EXIT_SUCCESS;
}
