/* Compliant contacts within motions beside CVODE: a pendulum that strikes an elastic wall five times in a second, and a
 * ball that an overdamped floor brings to rest. Equal errors, minima of repeats, ratios from one run. */
#include "contact/hunt_crossley.h"
#include "contact/law.h"
#include "contact/linear.h"
#include "sim/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef PC_HAVE_SUNDIALS
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#endif

enum { REPEATS = 25, RUNGS = 13 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct point {
    double error, time;
} point;

/* Time at a given error, between the points of a ladder of tolerances, in logarithms. */
static double time_at(const point *ladder, double error)
{
    for (int i = 0; i + 1 < RUNGS; i++) {
        if (!(ladder[i].error >= error && ladder[i + 1].error <= error)) continue;
        double u = log(ladder[i].error / error) / log(ladder[i].error / ladder[i + 1].error);
        return ladder[i].time * pow(ladder[i + 1].time / ladder[i].time, u);
    }
    return NAN;
}

/* A scene, what it begins with, and what it comes to: the first coordinate and its rate in the end. */
typedef struct trial {
    pc_scene *scene;
    const double *start;
    double duration;
    double end[2], known[2];
    size_t impacts;
    long steps, jacobians;
} trial;

static double error_of(const trial *t)
{
    return fmax(fabs(t->end[0] - t->known[0]), fabs(t->end[1] - t->known[1]));
}

static point own(trial *t, double rtol, int repeats)
{
    point best = {NAN, INFINITY};
    int n = t->scene->n_dof, watched = n == 1 ? 0 : 1;
    for (int r = 0; r < repeats; r++) {
        pc_run run;
        pc_error err = {0};
        pc_run_options options = {.method = &pc_ode_dop853};
        options.settings = (pc_ode_settings){rtol, rtol, 0, INFINITY, 0, 100000000};
        double begin = now();
        pc_status status = pc_run_open(&run, t->scene, 0, t->start, &err);
        if (status == PC_OK) status = pc_run_advance(&run, &options, t->duration, &err);
        best.time = fmin(best.time, now() - begin);
        if (status != PC_OK) {
            printf("%s\n", err.text);
            return best;
        }
        t->end[0] = run.y[watched];
        t->end[1] = run.y[n + watched];
        t->steps = run.statistics.steps;
        t->jacobians = run.statistics.jacobians;
        pc_run_hits(&run, &t->impacts);
        pc_run_close(&run);
    }
    best.error = error_of(t);
    return best;
}

/* ---- the pendulum ---- */

/* A rod of 1 m and 1 kg that hangs between two elastic walls: of half period 80 us in contact, at about 10 degrees. */
static pc_chain chain = {.n = 1, .links = {{.mass = 1, .length = 1, .center = 0.5, .inertia = 1.0 / 12, .reach = 1}}};
static pc_linear wall = {.mu = 0, .restitution = 1};
static const double GRAVITY = 9.81, HALF = 0.17;

static void pendulum(pc_scene *scene)
{
    double mass = 1.0 / 3, rate = M_PI / 80e-6; /* of the tip, at right angles to the wall nearly */
    wall.kn = mass * rate * rate;
    wall.kt = wall.kn;
    wall.eta = 1;
    scene->gravity = GRAVITY;
    scene->configuration = PC_CONFIGURATION_MOVING;
    pc_scene_add_chain(scene, &chain, "pendulum", NULL);
    pc_scene_add_site(scene, &(pc_site){0, 0, 1, 0, 0, "tip"}, NULL);
    pc_scene_add_obstacle(scene, &(pc_obstacle){.x = HALF, .nx = -1, .name = "right"}, NULL);
    pc_scene_add_obstacle(scene, &(pc_obstacle){.x = -HALF, .nx = 1, .name = "left"}, NULL);
    pc_scene_join(scene, &pc_law_linear, &wall, NULL);
}

#ifdef PC_HAVE_SUNDIALS
/* The same written out by hand, with max(0, F) and no events: its best case is a bare function. */
static int pendulum_rhs(realtype t, N_Vector y, N_Vector f, void *user)
{
    (void)t, (void)user;
    const double *q = NV_DATA_S(y);
    double s = sin(q[0]), c = cos(q[0]);
    double right = fmax(s - HALF, 0), left = fmax(-HALF - s, 0);
    NV_DATA_S(f)[0] = q[1];
    NV_DATA_S(f)[1] = 3 * (wall.kn * (left - right) * c - GRAVITY / 2 * s);
    return 0;
}

/* And restarted at every touch and parting, as its manual recommends. */
static int pendulum_roots(realtype t, N_Vector y, realtype *g, void *user)
{
    (void)t, (void)user;
    double s = sin(NV_DATA_S(y)[0]);
    g[0] = HALF - s;
    g[1] = s + HALF;
    return 0;
}

static point cvode_pendulum(trial *t, double rtol, bool roots)
{
    point best = {NAN, INFINITY};
    for (int r = 0; r < REPEATS; r++) {
        double begin = now();
        SUNContext context;
        SUNContext_Create(NULL, &context);
        N_Vector y = N_VNew_Serial(2, context);
        memcpy(NV_DATA_S(y), t->start, 2 * sizeof(double));
        void *cv = CVodeCreate(CV_ADAMS, context);
        CVodeInit(cv, pendulum_rhs, 0, y);
        CVodeSStolerances(cv, rtol, rtol * 1e-3); /* of the indentation, whose size is 1e-5 m */
        SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
        CVodeSetNonlinearSolver(cv, solver);
        CVodeSetMaxNumSteps(cv, 10000000);
        CVodeSetMaxStep(cv, 0.02); /* it would step across a whole impact */
        CVodeSetStopTime(cv, t->duration);
        if (roots) CVodeRootInit(cv, 2, pendulum_roots);
        realtype at = 0;
        while (at < t->duration) {
            int got = CVode(cv, t->duration, y, &at, CV_NORMAL);
            if (got < 0) break;
            if (got == CV_ROOT_RETURN) CVodeReInit(cv, at, y);
        }
        best.time = fmin(best.time, now() - begin);
        t->end[0] = NV_DATA_S(y)[0];
        t->end[1] = NV_DATA_S(y)[1];
        SUNNonlinSolFree(solver);
        N_VDestroy(y);
        CVodeFree(&cv);
        SUNContext_Free(&context);
    }
    best.error = error_of(t);
    return best;
}
#endif

static void print_ladder(const char *name, const point *ladder)
{
    printf("  %s:", name);
    for (int i = 0; i < RUNGS; i += 3) printf("  %.1e s error %.1e", ladder[i].time, ladder[i].error);
    printf("\n");
}

static void time_pendulum(void)
{
    static pc_scene scene;
    static const double start[2] = {0, 1.7};
    pendulum(&scene);
    trial t = {.scene = &scene, .start = start, .duration = 1};
    own(&t, 1e-14, 1);
    memcpy(t.known, t.end, sizeof t.known);
    point ladder[RUNGS];
    for (int i = 0; i < RUNGS; i++) ladder[i] = own(&t, pow(10, -4 - 0.75 * i), REPEATS);
    print_ladder("percuss", ladder);
    const double errors[] = {1e-4, 1e-6, 1e-8};
    double time[3];
    for (int e = 0; e < 3; e++) time[e] = time_at(ladder, errors[e]);
    for (int e = 0; e < 3; e++)
        printf("elastic pendulum, %zu impacts in %g s, error %g: %.1f us\n", t.impacts, t.duration, errors[e],
               1e6 * time[e]);
#ifdef PC_HAVE_SUNDIALS
    for (int roots = 0; roots < 2; roots++) {
        for (int i = 0; i < RUNGS; i++) ladder[i] = cvode_pendulum(&t, pow(10, -4 - 0.75 * i), roots);
        print_ladder(roots ? "CVODE, restarted" : "CVODE", ladder);
        for (int e = 0; e < 3; e++)
            printf("  CVODE Adams%s, error %g: %.1f us   ratio %.1f\n", roots ? " with rootfinding" : "", errors[e],
                   1e6 * time_at(ladder, errors[e]), time_at(ladder, errors[e]) / time[e]);
    }
#endif
    pc_scene_free(&scene);
}

int main(void)
{
    time_pendulum();
    return 0;
}
