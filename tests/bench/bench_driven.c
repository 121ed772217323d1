/* A ball on a vibrating table, locked to one bounce in each period: 1e4 impacts beside the exact map, and beside CVODE
 * Adams with rootfinding; and a bifurcation diagram of 500 amplitudes by 200 impacts. The orbit is stable, so that
 * errors of impact times stay what a method makes of them, and its times are known: whole periods. Times are minima of
 * repeats; ratios come from one run. */
#include "base/alloc.h"
#include "law/law.h"
#include "law/rigid/rigid.h"
#include "motion/run.h"

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

extern const pc_law pc_law_newton;

enum { REPEATS = 5, IMPACTS = 10000, AMPLITUDES = 500, SAMPLES = 200 };

/* Errors are equal up to this factor. */
static const double EQUAL = 1.5;

static const double G = 9.81, RESTITUTION = 0.8, FREQUENCY = 60, AMPLITUDE = 0.0021, RADIUS = 0.01;
static const pc_rigid law = {.restitution = {.value = 0.8}, .coulomb = {0, 0}};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double period(void)
{
    return 2 * M_PI / FREQUENCY;
}

/* The phase at which the ball strikes once in each period, over the frequency. */
static double phase_time(double amplitude)
{
    double e = RESTITUTION;
    return acos(M_PI * G * (1 - e) / ((1 + e) * amplitude * FREQUENCY * FREQUENCY)) / FREQUENCY;
}

typedef struct point {
    double error, time;
} point;

/* ---- the exact map ---- */

/* The flight from (t, y, v), relative speed at its end. The gap h curves down by no more than g + A w^2, so that no
 * root lies before that of h + h' s - (g + A w^2) s^2/2. */
static double flight(double A, double t, double y, double v, double *speed)
{
    double w = FREQUENCY, most = G + A * w * w, s = 0, h = fmax(y - A * sin(w * t), 0), rate = v - A * w * cos(w * t);
    for (int i = 0; i < 200; i++) {
        double step = (rate + sqrt(rate * rate + 2 * most * h)) / most;
        if (s + step == s) break;
        s += step;
        h = y + v * s - 0.5 * G * s * s - A * sin(w * (t + s));
        rate = v - G * s - A * w * cos(w * (t + s));
        if (h > 0) continue;
        s -= h / rate;
        break;
    }
    *speed = -rate;
    return s;
}

static point map_run(void)
{
    point best = {NAN, INFINITY};
    for (int r = 0; r < REPEATS; r++) {
        double begin = now(), A = AMPLITUDE, w = FREQUENCY, start = phase_time(A), t = start, v = G * period() / 2;
        double error = 0, speed;
        for (int i = 1; i <= IMPACTS; i++) {
            t += flight(A, t, A * sin(w * t), v, &speed);
            v = A * w * cos(w * t) + RESTITUTION * speed;
            error = fmax(error, fabs(t - start - i * period()));
        }
        best.time = fmin(best.time, now() - begin);
        best.error = error;
    }
    return best;
}

/* ---- here ---- */

static void open_scene(pc_scene *scene, double amplitude)
{
    *scene = (pc_scene){.gravity = G};
    const pc_free_body ball = {1, 1};
    const pc_drive drive = {.amplitude_y = amplitude, .frequency = FREQUENCY};
    pc_scene_add_body(scene, &ball, "ball", NULL);
    pc_outline disc = pc_outline_point("ball", 0, 0, RADIUS), table = pc_outline_plane("table", 0, 0, 0, 1);
    disc.member = 0;
    pc_scene_add_outline(scene, &disc, NULL);
    pc_scene_add_obstacle(scene, &table, &drive, NULL);
    pc_scene_join(scene, &pc_law_newton, &law, NULL);
}

/* On the locked orbit, `above` it by a little; returns how many impacts there were. */
static size_t bounce(double amplitude, double above, long impacts, double rtol, double *error)
{
    pc_scene scene;
    pc_run run;
    double start = phase_time(amplitude), y[6] = {0};
    y[1] = amplitude * sin(FREQUENCY * start) + RADIUS + above;
    y[4] = G * period() / 2;
    open_scene(&scene, amplitude);
    pc_run_options options = {.method = &pc_ode_dop853, .max_impacts = impacts};
    options.settings = (pc_ode_settings){rtol, rtol, 0, INFINITY, 0, 100000000};
    pc_status status = pc_run_open(&run, &scene, start, y, NULL);
    if (status == PC_OK) status = pc_run_advance(&run, &options, start + 3.0 * (double)impacts * period(), NULL);
    size_t n = 0;
    const pc_impact_record *records = pc_run_impacts(&run, &n);
    *error = status == PC_OK ? 0 : NAN;
    for (size_t i = 0; i < n; i++) *error = fmax(*error, fabs(records[i].t - start - (double)(i + 1) * period()));
    pc_run_close(&run);
    pc_scene_free(&scene);
    return n;
}

static point own_run(double rtol)
{
    point best = {NAN, INFINITY};
    for (int r = 0; r < REPEATS; r++) {
        double begin = now();
        bounce(AMPLITUDE, 0, IMPACTS, rtol, &best.error);
        best.time = fmin(best.time, now() - begin);
    }
    return best;
}

/* ---- CVODE ---- */

#ifdef PC_HAVE_SUNDIALS
static int cvode_rhs(realtype t, N_Vector y, N_Vector f, void *user)
{
    (void)t, (void)user;
    NV_DATA_S(f)[0] = NV_DATA_S(y)[1];
    NV_DATA_S(f)[1] = -G;
    return 0;
}

/* `zero`: the time at which its clock was started. */
static int cvode_gap(realtype t, N_Vector y, realtype *g, void *zero)
{
    *g = NV_DATA_S(y)[0] - AMPLITUDE * sin(FREQUENCY * (*(double *)zero + t));
    return 0;
}

/* It looks for roots between the ends of its steps, which are no longer than half a period: enough for this orbit,
 * where others ask for less, and its fastest way. It finds roots to 100 roundings of its time, so its clock starts anew
 * at each impact: else errors stay above 3e-12 s. */
static point cvode_run(double rtol)
{
    point best = {NAN, INFINITY};
    for (int r = 0; r < REPEATS; r++) {
        double begin = now(), error = 0, start = phase_time(AMPLITUDE), zero = start;
        SUNContext context;
        SUNContext_Create(NULL, &context);
        N_Vector y = N_VNew_Serial(2, context);
        NV_DATA_S(y)[0] = AMPLITUDE * sin(FREQUENCY * start);
        NV_DATA_S(y)[1] = G * period() / 2;
        void *cv = CVodeCreate(CV_ADAMS, context);
        CVodeInit(cv, cvode_rhs, 0, y);
        CVodeSetUserData(cv, &zero);
        CVodeSStolerances(cv, rtol, rtol);
        SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
        CVodeSetNonlinearSolver(cv, solver);
        CVodeRootInit(cv, 1, cvode_gap);
        int direction = -1, n = 0;
        CVodeSetRootDirection(cv, &direction);
        CVodeSetMaxNumSteps(cv, 100000000);
        CVodeSetMaxStep(cv, period() / 2);
        realtype t = 0;
        while (n < IMPACTS && CVode(cv, 2 * period(), y, &t, CV_NORMAL) == CV_ROOT_RETURN) {
            zero += t;
            error = fmax(error, fabs(zero - start - ++n * period()));
            double table = AMPLITUDE * FREQUENCY * cos(FREQUENCY * zero), *v = &NV_DATA_S(y)[1];
            *v = table - RESTITUTION * (*v - table);
            CVodeReInit(cv, 0, y);
        }
        best.time = fmin(best.time, now() - begin);
        best.error = n == IMPACTS ? error : NAN;
        SUNNonlinSolFree(solver);
        N_VDestroy(y);
        CVodeFree(&cv);
        SUNContext_Free(&context);
    }
    return best;
}
#endif

int main(void)
{
    pc_alloc_keep(); /* repeats are for what it takes once memory is there */
    const point map = map_run(), own = own_run(1e-8);
    printf("ball on a table, %d impacts: exact map %.2f ms (error %.1e s), here %.1f ms (%.1e s), ratio %.1f\n",
           IMPACTS, 1e3 * map.time, map.error, 1e3 * own.time, own.error, own.time / map.time);
#ifdef PC_HAVE_SUNDIALS
    double equal = INFINITY;
    for (int i = 6; i <= 14; i += 2) {
        point other = cvode_run(pow(10, -i));
        printf("  CVODE Adams with rootfinding, rtol 1e-%02d: %.1f ms (error %.1e s), %.1f times as long\n", i,
               1e3 * other.time, other.error, other.time / own.time);
        if (other.error <= EQUAL * own.error) equal = fmin(equal, other.time);
    }
    printf("  at equal error, CVODE takes %.1f times as long\n", equal / own.time);
#endif
    double begin = now(), error;
    size_t n = 0;
    for (int i = 0; i < AMPLITUDES; i++) n += bounce(0.0022 + 0.0012 * i / AMPLITUDES, 1e-5, SAMPLES, 1e-8, &error);
    double time = now() - begin;
    printf("bifurcation diagram, %d amplitudes, %zu impacts: %.2f s, %.1f us an impact\n", AMPLITUDES, n, time,
           1e6 * time / (double)n);
    return 0;
}
