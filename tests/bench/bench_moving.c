/* Compliant contacts within motions beside CVODE: a pendulum that strikes an elastic wall five times in a second, one
 * that rubs on a floor, also beside DOP853 by hand, and a ball that an overdamped floor brings to rest. Equal errors,
 * minima of repeats, ratios from one run. */
#include "law/law.h"
#include "law/linear/linear.h"
#include "math/roots.h"
#include "motion/look.h"

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

extern const pc_law pc_law_kelvin_voigt;

enum { REPEATS = 25, RUNGS = 13 };

#define GRAVITY 9.81

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

/* The quickest of runs, from loose to tight, that is as exact. */
static double quickest(const point *ladder, int n, double error)
{
    double best = NAN;
    for (int i = 0; i < n; i++)
        if (ladder[i].error <= error) best = fmin(best, ladder[i].time);
    return best;
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
        t->end[0] = run.state.y[watched];
        t->end[1] = run.state.y[n + watched];
        t->steps = run.history.statistics.steps;
        t->jacobians = run.history.statistics.jacobians;
        pc_run_impacts(&run, &t->impacts);
        pc_run_close(&run);
    }
    best.error = error_of(t);
    return best;
}

/* ---- the pendulum ---- */

/* A rod of 1 m and 1 kg that hangs between two elastic walls: of half period 80 us in contact, at about 10 degrees. */
static pc_chain chain = {.n = 1, .links = {{.mass = 1, .length = 1, .center = 0.5, .inertia = 1.0 / 12, .reach = 1}}};
static pc_linear wall = {.mu = 0, .restitution = 1};
static const double HALF = 0.17;

static void pendulum(pc_scene *scene)
{
    double mass = 1.0 / 3, rate = M_PI / 80e-6; /* of the tip, at right angles to the wall nearly */
    wall.kn = mass * rate * rate;
    wall.kt = wall.kn;
    wall.eta = 1;
    scene->gravity = GRAVITY;
    scene->configuration = PC_CONFIGURATION_MOVING;
    pc_scene_add_chain(scene, &chain, "pendulum", NULL);
    pc_outline tip = pc_outline_point("tip", 1, 0, 0), right = pc_outline_plane("right", HALF, 0, -1, 0),
               left = pc_outline_plane("left", -HALF, 0, 1, 0);
    tip.member = 0;
    pc_scene_add_outline(scene, &tip, NULL);
    pc_scene_add_outline(scene, &right, NULL);
    pc_scene_add_outline(scene, &left, NULL);
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
    for (int i = 0; i < RUNGS; i++) ladder[i] = own(&t, pow(10, -2.25 - 0.75 * i), REPEATS);
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

/* ---- the pendulum that rubs ---- */

/* Birlik (2012), Fig 4.6: a steel ball of 5 mm radius on a massless link of 0.1 m falls from 90 degrees on a floor that
 * the end of the link meets 30 degrees from the vertical. In each impact that slips, sticks and slips back. */
static const double MASS = 4.08e-3, LINK = 0.1, BALL = 5e-3, DEPTH = 0.1 * 0.86602540378443865;
static const pc_linear rubbing_floor = {.kn = 1.5e7, .kt = 1.5e7 / 1.21, .eta = 1.21, .mu = 0.5, .restitution = 1};

static void rubbing_pendulum(pc_scene *scene)
{
    static pc_chain link = {.n = 1};
    link.links[0] =
        (pc_link){.mass = MASS, .length = LINK, .center = LINK, .inertia = 0.4 * MASS * BALL * BALL, .reach = LINK};
    scene->gravity = GRAVITY;
    scene->configuration = PC_CONFIGURATION_MOVING;
    pc_scene_add_chain(scene, &link, "pendulum", NULL);
    pc_outline tip = pc_outline_point("tip", LINK, 0, 0), floor = pc_outline_plane("floor", 0, -DEPTH, 0, 1);
    tip.member = 0;
    pc_scene_add_outline(scene, &tip, NULL);
    pc_scene_add_outline(scene, &floor, NULL);
    pc_scene_join(scene, &pc_law_linear, &rubbing_floor, NULL);
}

/* The same written out by hand: what holds, and what ends it. */
typedef struct rubbing {
    enum { FREE, SLIPS, STICKS } mode;
    double way;  /* of slip */
    double held; /* where the tip would be without tangential force, while it sticks */
    int changes;
} rubbing;

/* Place and velocity of the tip, and the forces on it. */
typedef struct rubbed {
    double x, u, vx, w, Ft, Fn;
} rubbed;

static void rub(const rubbing *r, const double *y, rubbed *at)
{
    const pc_linear *p = &rubbing_floor;
    double s = sin(y[0]), c = cos(y[0]);
    *at = (rubbed){.x = LINK * s, .u = LINK * c - DEPTH, .vx = LINK * c * y[1], .w = -LINK * s * y[1]};
    if (r->mode != FREE) at->Fn = p->kn * at->u;
    if (r->mode == SLIPS) at->Ft = -r->way * p->mu * at->Fn;
    if (r->mode == STICKS) at->Ft = -p->kt * (at->x - r->held);
}

static int rubbing_rhs(double t, const double *y, double *f, void *context)
{
    (void)t;
    const double J = MASS * (LINK * LINK + 0.4 * BALL * BALL);
    double s = sin(y[0]), c = cos(y[0]), torque = -MASS * GRAVITY * LINK * s;
    const rubbing *r = context;
    if (r->mode != FREE) {
        rubbed at;
        rub(r, y, &at);
        torque += LINK * (c * at.Ft + s * at.Fn);
    }
    f[0] = y[1];
    f[1] = torque / J;
    return 0;
}

/* What is positive while a mode lasts: the gap or the indentation, and speed of slip or margin of friction. */
static void rubbing_margins(const rubbing *r, const double *y, double g[2])
{
    const pc_linear *p = &rubbing_floor;
    rubbed at;
    rub(r, y, &at);
    g[0] = r->mode == FREE ? -at.u : at.u;
    g[1] = r->mode == FREE    ? 1
           : r->mode == SLIPS ? r->way * at.vx - p->mu * p->eta * at.w
                              : p->mu * at.Fn - fabs(at.Ft);
}

static void rubbing_changes(rubbing *r, const double *y, int which)
{
    const pc_linear *p = &rubbing_floor;
    rubbed at;
    rub(r, y, &at);
    r->changes++;
    if (which == 0 && r->mode != FREE) {
        r->mode = FREE;
    } else if (r->mode == STICKS) {
        r->mode = SLIPS;
        r->way = at.Ft > 0 ? -1 : 1;
    } else if (r->mode == SLIPS || fabs(at.vx) <= p->mu * p->eta * at.w) {
        r->held = at.x + at.Ft / p->kt;
        r->mode = STICKS;
    } else {
        r->mode = SLIPS;
        r->way = at.vx < 0 ? -1 : 1;
    }
}

/* Sizes of errors: those of a swing, and of an impact. */
static const double swing_scale[2] = {1, 10}, impact_scale[2] = {3e-4, 10};

/* One margin along a step; it is positive at the start but for rounding. */
typedef struct margin {
    const rubbing *r;
    const pc_dense *step;
    int which;
} margin;

static double margin_at(double x, void *context)
{
    const margin *m = context;
    double y[2], g[2];
    pc_dense_eval(m->step, x, y);
    rubbing_margins(m->r, y, g);
    return g[m->which];
}

/* First steps of a swing and of an impact, s. */
static const double SWING = 0.02, IMPACT = 4e-5;

/* Takes a step of DOP853, and the change that ends a mode on it from its polynomial. */
static pc_status rubbing_step(rubbing *r, pc_stepper *s, pc_error *err)
{
    double g[2], first = 2, y[2];
    int which = 0;
    pc_status status = pc_stepper_step(s, 1, err);
    if (status != PC_OK) return status;
    rubbing_margins(r, s->y, g);
    if (g[0] >= 0 && g[1] >= 0) return PC_OK;
    margin m = {.r = r};
    status = pc_stepper_dense(s, &m.step, err);
    if (status != PC_OK) return status;
    for (m.which = 0; m.which < 2; m.which++) {
        if (g[m.which] >= 0) continue;
        double start = fmax(margin_at(0, &m), -1e-3 * g[m.which]);
        double x = pc_root_between(margin_at, &m, 0, start, 1, g[m.which], 0);
        if (x < first) first = x, which = m.which;
    }
    pc_dense_eval(m.step, first, y);
    rubbing_changes(r, y, which);
    status = pc_stepper_start(s, s->t_old + first * s->h, y, err);
    if (which == 0) s->h_next = r->mode == FREE ? SWING : IMPACT;
    return status;
}

static point by_hand(trial *t, double rtol)
{
    point best = {NAN, INFINITY};
    for (int i = 0; i < REPEATS; i++) {
        rubbing r = {.mode = FREE};
        pc_error err = {0};
        pc_stepper s;
        pc_ode_problem problem = {.n = 2, .n_positions = 1, .rhs = rubbing_rhs, .context = &r, .autonomous = true};
        pc_ode_settings settings = {.atol = rtol, .max_step = 0.05, .max_steps = 100000000};
        problem.scale = swing_scale;
        double begin = now();
        pc_status status = pc_stepper_open(&s, &pc_ode_dop853, &problem, &settings, &err);
        if (status == PC_OK) status = pc_stepper_start(&s, 0, t->start, &err);
        while (status == PC_OK && s.t < t->duration) {
            status = rubbing_step(&r, &s, &err);
            problem.scale = r.mode == FREE ? swing_scale : impact_scale;
        }
        best.time = fmin(best.time, now() - begin);
        if (status != PC_OK) printf("%s\n", err.text);
        memcpy(t->end, s.y, sizeof t->end);
        t->impacts = (size_t)r.changes;
        t->steps = s.statistics.steps;
        pc_stepper_close(&s);
    }
    best.error = error_of(t);
    return best;
}

#ifdef PC_HAVE_SUNDIALS
static int cvode_rubbing_rhs(realtype t, N_Vector y, N_Vector f, void *user)
{
    return rubbing_rhs(t, NV_DATA_S(y), NV_DATA_S(f), user);
}

static int cvode_rubbing_roots(realtype t, N_Vector y, realtype *g, void *user)
{
    (void)t;
    rubbing_margins(user, NV_DATA_S(y), g);
    return 0;
}

static point cvode_rubbing(trial *t, double rtol)
{
    point best = {NAN, INFINITY};
    for (int i = 0; i < REPEATS; i++) {
        rubbing r = {.mode = FREE};
        double begin = now();
        SUNContext context;
        SUNContext_Create(NULL, &context);
        N_Vector y = N_VNew_Serial(2, context), tolerance = N_VNew_Serial(2, context);
        memcpy(NV_DATA_S(y), t->start, 2 * sizeof(double));
        void *cv = CVodeCreate(CV_ADAMS, context);
        CVodeInit(cv, cvode_rubbing_rhs, 0, y);
        SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
        CVodeSetNonlinearSolver(cv, solver);
        CVodeSetUserData(cv, &r);
        CVodeSetMaxNumSteps(cv, 10000000);
        CVodeSetMaxStep(cv, 0.05);
        CVodeRootInit(cv, 2, cvode_rubbing_roots);
        CVodeSetRootDirection(cv, (int[2]){-1, -1});
        CVodeSetNoInactiveRootWarn(cv);
        realtype at = 0;
        while (at < t->duration) {
            const double *scale = r.mode == FREE ? swing_scale : impact_scale;
            for (int k = 0; k < 2; k++) NV_DATA_S(tolerance)[k] = rtol * scale[k];
            CVodeSVtolerances(cv, 0, tolerance);
            CVodeSetStopTime(cv, t->duration);
            int got = CVode(cv, t->duration, y, &at, CV_NORMAL), found[2] = {0};
            if (got < 0) break;
            if (got != CV_ROOT_RETURN) continue;
            CVodeGetRootInfo(cv, found);
            rubbing_changes(&r, NV_DATA_S(y), found[0] ? 0 : 1);
            CVodeReInit(cv, at, y);
        }
        best.time = fmin(best.time, now() - begin);
        memcpy(t->end, NV_DATA_S(y), sizeof t->end);
        t->impacts = (size_t)r.changes;
        SUNNonlinSolFree(solver);
        N_VDestroy(y);
        N_VDestroy(tolerance);
        CVodeFree(&cv);
        SUNContext_Free(&context);
    }
    best.error = error_of(t);
    return best;
}
#endif

static void time_rubbing_pendulum(void)
{
    static pc_scene scene;
    static const double start[2] = {M_PI / 2, 0};
    rubbing_pendulum(&scene);
    trial t = {.scene = &scene, .start = start, .duration = 1};
    point ladder[RUNGS], hand[RUNGS];
    by_hand(&t, 1e-13);
    memcpy(t.known, t.end, sizeof t.known);
    size_t changes = t.impacts;
    for (int i = 0; i < RUNGS; i++) ladder[i] = own(&t, pow(10, -2.25 - 0.75 * i), REPEATS);
    size_t impacts = t.impacts;
    print_ladder("percuss", ladder);
    for (int i = 0; i < RUNGS; i++) hand[i] = by_hand(&t, pow(10, -2.25 - 0.75 * i));
    print_ladder("by hand, DOP853", hand);
    const double errors[] = {1e-4, 1e-6, 6e-9};
    for (int e = 0; e < 3; e++) {
        double mine = quickest(ladder, RUNGS, errors[e]), other = quickest(hand, RUNGS, errors[e]);
        printf("pendulum with friction, %zu impacts and %zu changes in %g s, error %g: %.1f us\n", impacts, changes,
               t.duration, errors[e], 1e6 * mine);
        printf("  by hand with DOP853: %.1f us   percuss takes %.2f times that\n", 1e6 * other, mine / other);
    }
#ifdef PC_HAVE_SUNDIALS
    for (int i = 0; i < RUNGS; i++) hand[i] = cvode_rubbing(&t, pow(10, -4 - 0.65 * i));
    print_ladder("CVODE, restarted", hand);
    for (int e = 0; e < 3; e++) {
        double mine = quickest(ladder, RUNGS, errors[e]), other = quickest(hand, RUNGS, errors[e]);
        printf("  CVODE Adams with rootfinding, error %g: %.1f us   ratio %.1f\n", errors[e], 1e6 * other,
               other / mine);
    }
#endif
    pc_scene_free(&scene);
}

/* ---- the floor ---- */

/* A ball of 1 kg falls with 1 m/s onto F = c (w + 10 u), c = 6e5 kg/s: rates 6e5 and 10 per s. It sinks to m g/k = 1.6
 * um within 4 s. Errors are those after 0.2 s and in the end, as shares of that. */
static const double DAMPING = 6e5, STIFFNESS = 6e6, SUNK = GRAVITY / 6e6;

/* The centre of the ball is 0.1 m above the floor, which rounds at this share of what it sinks. */
static const double ROUNDING = 1e-11;

static void known_sinking(double t, double end[2])
{
    double half = DAMPING / 2, root = sqrt(half * half - STIFFNESS), slow = STIFFNESS / (half + root),
           fast = half + root;
    /* x = -u + SUNK above the place of rest: x = A exp(-slow t) + B exp(-fast t), x(0) = SUNK, x'(0) = -1 */
    double A = (fast * SUNK - 1) / (fast - slow), B = SUNK - A;
    end[0] = A * exp(-slow * t) + B * exp(-fast * t);
    end[1] = -slow * A * exp(-slow * t) - fast * B * exp(-fast * t);
}

static void damped_floor(pc_scene *scene, const pc_law *law, const void *params)
{
    scene->gravity = GRAVITY;
    scene->configuration = PC_CONFIGURATION_MOVING;
    pc_scene_add_body(scene, &(pc_free_body){.mass = 1, .inertia = 0.005}, "ball", NULL);
    pc_outline ball = pc_outline_point("ball", 0, 0, 0.1), floor = pc_outline_plane("floor", 0, 0, 0, 1);
    ball.member = 0;
    pc_scene_add_outline(scene, &ball, NULL);
    pc_scene_add_outline(scene, &floor, NULL);
    pc_scene_join(scene, law, params, NULL);
}

#ifdef PC_HAVE_SUNDIALS
static int floor_rhs(realtype t, N_Vector y, N_Vector f, void *user)
{
    (void)t, (void)user;
    double u = -NV_DATA_S(y)[0], w = -NV_DATA_S(y)[1];
    NV_DATA_S(f)[0] = -w;
    NV_DATA_S(f)[1] = fmax(STIFFNESS * u + DAMPING * w, 0) - GRAVITY;
    return 0;
}

static point bdf_floor(trial *t, double rtol)
{
    point best = {NAN, INFINITY};
    for (int r = 0; r < REPEATS; r++) {
        double begin = now();
        SUNContext context;
        SUNContext_Create(NULL, &context);
        N_Vector y = N_VNew_Serial(2, context);
        NV_DATA_S(y)[0] = 0;
        NV_DATA_S(y)[1] = -1;
        void *cv = CVodeCreate(CV_BDF, context);
        CVodeInit(cv, floor_rhs, 0, y);
        CVodeSStolerances(cv, rtol, rtol * SUNK);
        SUNMatrix A = SUNDenseMatrix(2, 2, context);
        SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
        CVodeSetLinearSolver(cv, solver, A);
        CVodeSetMaxNumSteps(cv, 10000000);
        CVodeSetStopTime(cv, t->duration);
        realtype at = 0;
        int got = CVode(cv, t->duration, y, &at, CV_NORMAL);
        best.time = fmin(best.time, now() - begin);
        t->end[0] = NV_DATA_S(y)[0] + SUNK;
        if (got < 0) t->end[0] = NAN;
        CVodeGetNumSteps(cv, &t->steps);
        SUNLinSolFree(solver);
        SUNMatDestroy(A);
        N_VDestroy(y);
        CVodeFree(&cv);
        SUNContext_Free(&context);
    }
    best.error = fabs(t->end[0] - t->known[0]) / SUNK;
    return best;
}
#endif

static void time_floor(void)
{
    static pc_scene scene;
    static unsigned char params[512];
    pc_schema_defaults(pc_law_kelvin_voigt.schema, params);
    uint64_t given = 0;
    const pc_schema *schema = pc_law_kelvin_voigt.schema;
    pc_schema_set_number(schema, pc_schema_find(schema, "stiffness"), params, STIFFNESS, &given, NULL);
    pc_schema_set_number(schema, pc_schema_find(schema, "damping"), params, DAMPING, &given, NULL);
    pc_schema_set_number(schema, pc_schema_find(schema, "friction"), params, 0, &given, NULL);
    pc_schema_finish(schema, params, given, NULL);
    damped_floor(&scene, &pc_law_kelvin_voigt, params);
    static const double start[6] = {0, 0.1, 0, 0, -1, 0};
    const double durations[] = {0.2, 4};
    for (int d = 0; d < 2; d++) {
        trial t = {.scene = &scene, .start = start, .duration = durations[d]};
        known_sinking(t.duration, t.known);
        t.known[0] += 0.1 - SUNK; /* of the ball's centre */
        point mine[3], other[3];
        long steps[3][3];
        for (int i = 0; i < 3; i++) {
            mine[i] = own(&t, pow(10, -6 - 2 * i), REPEATS);
            mine[i].error = fabs(t.end[0] - t.known[0]) / SUNK;
            steps[i][0] = t.steps;
            steps[i][1] = t.jacobians;
        }
        point ladder[RUNGS];
        for (int i = 0; i < RUNGS; i++) {
            ladder[i] = own(&t, pow(10, -4 - 0.65 * i), REPEATS);
            ladder[i].error = fabs(t.end[0] - t.known[0]) / SUNK;
        }
        t.known[0] -= 0.1 - SUNK;
#ifdef PC_HAVE_SUNDIALS
        for (int i = 0; i < 3; i++) {
            other[i] = bdf_floor(&t, pow(10, -6 - 2 * i));
            steps[i][2] = t.steps;
        }
#endif
        for (int i = 0; i < 3; i++) {
            printf("overdamped floor, %g s, rtol %g: %.1f us, %ld steps (%ld stiff), error %.1e of m g/k\n", t.duration,
                   pow(10, -6 - 2 * i), 1e6 * mine[i].time, steps[i][0], steps[i][1], mine[i].error);
#ifdef PC_HAVE_SUNDIALS
            printf("  CVODE BDF: %.1f us, %ld steps, error %.1e   ratio %.1f", 1e6 * other[i].time, steps[i][2],
                   other[i].error, other[i].time / mine[i].time);
            double equal = quickest(ladder, RUNGS, fmax(other[i].error, ROUNDING));
            printf(", at equal error %.1f\n", other[i].time / equal);
#endif
        }
    }
    pc_scene_free(&scene);
}

int main(void)
{
    time_pendulum();
    time_rubbing_pendulum();
    time_floor();
    return 0;
}
