/* Integrators: cost of a call, work for an error beside CVODE, events beside CVODE's rootfinding. Times are minima of
 * repeats; ratios come from one run. */
#include "stiff_problems.h"
#include "event/event.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef PC_HAVE_SUNDIALS
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#endif

enum { REPEATS = 7 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- cost of a call ---- */

/* Two coupled oscillators. */
static int four(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -2 * y[0] + y[1];
    dydt[3] = y[0] - 2 * y[1];
    return 0;
}

static pc_rhs volatile opaque = four; /* the compiler must not see through the pointer */

static double bare_call(void)
{
    double y[4] = {1, 0, 0, 1}, f[4], best = INFINITY;
    pc_rhs rhs = opaque;
    for (int r = 0; r < REPEATS; r++) {
        double start = now();
        for (int i = 0; i < 1000000; i++) {
            rhs(0, y, f, NULL);
            y[0] += 1e-9 * f[0];
        }
        best = fmin(best, (now() - start) / 1e6);
    }
    return best;
}

static void cost_of_calls(void)
{
    double bare = bare_call();
    printf("right-hand side of 4 equations: %.1f ns by itself\n", 1e9 * bare);
    for (int k = 0; k < pc_n_ode_methods; k++) {
        const pc_ode_method *m = pc_ode_methods[k];
        if (m->symplectic) continue;
        pc_ode_problem problem = {.n = 4, .rhs = opaque, .autonomous = true};
        pc_ode_settings settings = {
            .rtol = 1e-9, .atol = 1e-9, .max_step = INFINITY, .step = 0.01, .max_steps = 2000000000};
        double start[4] = {1, 0, 0, 1}, best = INFINITY;
        long calls = 0;
        for (int r = 0; r < REPEATS; r++) {
            pc_stepper s;
            pc_stepper_open(&s, m, &problem, &settings, NULL);
            pc_stepper_start(&s, 0, start, NULL);
            double begin = now();
            while (s.statistics.rhs_calls < 200000)
                if (pc_stepper_step(&s, 1e9, NULL) != PC_OK) break;
            double time = now() - begin;
            calls = s.statistics.rhs_calls;
            best = fmin(best, time / (double)calls);
            pc_stepper_close(&s);
        }
        printf("  %-18s overhead %6.1f ns a call\n", m->schema->name, 1e9 * (best - bare));
    }
}

/* ---- work for an error ---- */

typedef struct point {
    double error, time;
} point;

/* Time at a given error, between the points of a ladder of tolerances, in logarithms. */
static double time_at(const point *ladder, int n, double error)
{
    for (int i = 0; i + 1 < n; i++) {
        if (!(ladder[i].error >= error && ladder[i + 1].error <= error)) continue;
        double u = log(ladder[i].error / error) / log(ladder[i].error / ladder[i + 1].error);
        return ladder[i].time * pow(ladder[i + 1].time / ladder[i].time, u);
    }
    return NAN;
}

static point stiff_run(const pc_ode_method *m, const stiff_problem *p, double rtol)
{
    point best = {NAN, INFINITY};
    pc_ode_settings settings = {
        .rtol = rtol, .atol = rtol * p->atol_by_rtol, .max_step = INFINITY, .max_steps = 10000000};
    for (int r = 0; r < REPEATS; r++) {
        pc_stepper s;
        pc_status status = pc_stepper_open(&s, m, &p->ode, &settings, NULL);
        double begin = now();
        status = status == PC_OK ? pc_stepper_start(&s, 0, p->start, NULL) : status;
        while (status == PC_OK && s.t != p->t1) status = pc_stepper_step(&s, p->t1, NULL);
        best.time = fmin(best.time, now() - begin);
        best.error = status == PC_OK ? 0 : NAN;
        for (int i = 0; i < p->ode.n && status == PC_OK; i++)
            best.error = fmax(best.error, fabs(s.y[i] / p->reference[i] - 1));
        pc_stepper_close(&s);
    }
    return best;
}

static void stiff_ladder(const pc_ode_method *m, const stiff_problem *p, point *ladder, int n)
{
    for (int i = 0; i < n; i++) ladder[i] = stiff_run(m, p, pow(10, -2 - 0.5 * i));
}

static void stiff_work(void)
{
    enum { RUNGS = 22 };
    printf("stiff systems: time for an achieved relative error at the end\n");
    for (int k = 0; k < N_STIFF; k++) {
        const stiff_problem *p = &stiff_problems[k];
        point own[RUNGS];
        stiff_ladder(&pc_ode_rodas5p, p, own, RUNGS);
#ifdef PC_HAVE_SUNDIALS
        point bdf[RUNGS];
        stiff_ladder(&pc_ode_bdf, p, bdf, RUNGS);
#endif
        for (double error = 1e-5; error > 1e-10; error *= 1e-2) {
            double t = time_at(own, RUNGS, error);
            printf("  %-24s error %g: rodas5p %8.1f us", p->name, error, 1e6 * t);
#ifdef PC_HAVE_SUNDIALS
            double other = time_at(bdf, RUNGS, error);
            printf("   CVODE BDF %9.1f us   ratio %5.1f", 1e6 * other, other / t);
#endif
            printf("\n");
        }
    }
}

/* ---- events ---- */

/* Kepler's problem, eccentricity 0.5; events are the passages of y = 0: each half period, at the apses. */
static int kepler(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -y[0] / r3;
    dydt[3] = -y[1] / r3;
    return 0;
}

static const double ORBIT[4] = {0.5, 0, 0, 1.7320508075688772};
enum { ORBITS = 20, PASSAGES = 2 * ORBITS - 1 };

static int passage(double t, const double *y, double *g, void *context)
{
    (void)t, (void)context;
    *g = y[1];
    return 0;
}

/* Greatest error of the times of passage. */
static point own_events(const pc_ode_method *m, double rtol, bool linear)
{
    static const double weights[6] = {0, 0, 0, 1, 0, 0};
    pc_ode_problem problem = {.n = 4, .rhs = kepler};
    pc_ode_settings settings = {.rtol = rtol, .atol = rtol, .max_step = INFINITY, .max_steps = 10000000};
    pc_event event = {.name = "apsis", .g = linear ? NULL : passage, .linear = linear ? weights : NULL};
    pc_solve_task task = {.problem = &problem,
                          .method = m,
                          .settings = &settings,
                          .events = &event,
                          .n_events = 1,
                          .max_events = 1000,
                          .t0 = 0,
                          .t1 = (2 * ORBITS - 0.5) * M_PI,
                          .y0 = ORBIT};
    point best = {0, INFINITY};
    for (int r = 0; r < REPEATS; r++) {
        pc_solution s;
        double begin = now();
        pc_status status = pc_solve(&task, &s, NULL);
        best.time = fmin(best.time, now() - begin);
        best.error = status == PC_OK && s.n_events == PASSAGES ? 0 : NAN;
        for (size_t i = 0; i < s.n_events && !isnan(best.error); i++)
            best.error = fmax(best.error, fabs(s.events[i].t - (double)(i + 1) * M_PI));
        pc_solution_free(&s);
    }
    return best;
}

#ifdef PC_HAVE_SUNDIALS
static int cvode_rhs(realtype t, N_Vector y, N_Vector f, void *user)
{
    return kepler(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f), user);
}

static int cvode_root(realtype t, N_Vector y, realtype *g, void *user)
{
    return passage(t, N_VGetArrayPointer(y), g, user);
}

/* The same with CVODE's own driver and its rootfinding, which looks for changes of sign between steps. */
static point cvode_events(double rtol)
{
    point best = {0, INFINITY};
    for (int r = 0; r < REPEATS; r++) {
        SUNContext context;
        SUNContext_Create(NULL, &context);
        N_Vector y = N_VNew_Serial(4, context);
        memcpy(N_VGetArrayPointer(y), ORBIT, sizeof ORBIT);
        void *memory = CVodeCreate(CV_ADAMS, context);
        SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
        CVodeInit(memory, cvode_rhs, 0, y);
        CVodeSStolerances(memory, rtol, rtol);
        CVodeSetNonlinearSolver(memory, solver);
        CVodeRootInit(memory, 1, cvode_root);
        CVodeSetMaxNumSteps(memory, 10000000);
        double t = 0, t1 = (2 * ORBITS - 0.5) * M_PI, begin = now();
        int found = 0;
        best.error = 0;
        for (;;) {
            int flag = CVode(memory, t1, y, &t, CV_NORMAL);
            if (flag != CV_ROOT_RETURN) break;
            found++;
            best.error = fmax(best.error, fabs(t - found * M_PI));
        }
        best.time = fmin(best.time, now() - begin);
        if (found != PASSAGES) best.error = NAN;
        CVodeFree(&memory);
        SUNNonlinSolFree(solver);
        N_VDestroy(y);
        SUNContext_Free(&context);
    }
    return best;
}
#endif

static void event_work(void)
{
    enum { RUNGS = 19 };
    point dop[RUNGS], fitted[RUNGS], dopri[RUNGS];
    printf("Kepler, eccentricity 0.5, %d passages: time for an achieved error of their times\n", PASSAGES);
    for (int i = 0; i < RUNGS; i++) {
        double rtol = pow(10, -4 - 0.5 * i);
        dop[i] = own_events(&pc_ode_dop853, rtol, true);
        fitted[i] = own_events(&pc_ode_dop853, rtol, false);
        dopri[i] = own_events(&pc_ode_dopri5, rtol, true);
    }
#ifdef PC_HAVE_SUNDIALS
    point adams[RUNGS];
    for (int i = 0; i < RUNGS; i++) adams[i] = cvode_events(pow(10, -4 - 0.5 * i));
#endif
    for (double error = 1e-3; error > 1e-10; error *= 1e-2) {
        double t = time_at(dop, RUNGS, error);
        printf("  error %g: dop853 %7.1f us, with g fitted %7.1f us, dopri5 %7.1f us", error, 1e6 * t,
               1e6 * time_at(fitted, RUNGS, error), 1e6 * time_at(dopri, RUNGS, error));
#ifdef PC_HAVE_SUNDIALS
        double other = time_at(adams, RUNGS, error);
        printf("   CVODE Adams %8.1f us   ratio %5.1f", 1e6 * other, other / t);
#endif
        printf("\n");
    }
}

int main(void)
{
    cost_of_calls();
    stiff_work();
    event_work();
    return 0;
}
