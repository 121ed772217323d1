/* Motions with impacts: the double pendulum of Sypniewska-Kaminska (2017) beside CVODE Adams with rootfinding, the
 * cost of a right-hand side beside the bare function, and chains of 2 to 50 links. Times are minima of repeats; ratios
 * come from one run. */
#include "body/chain.h"
#include "engine/collide.h"
#include "law/law.h"
#include "law/rigid/rigid.h"
#include "motion/look.h"

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

extern const pc_law pc_law_poisson;

enum { REPEATS = 15, IMPACTS = 10 };

/* Times of the ten impacts in six seconds with mu = 0.15, from a Taylor series in 67 digits. */
static const double known[IMPACTS] = {1.4781753667658502, 2.3924904221941743, 3.0869958707395750, 3.7789958163773,
                                      4.3120810759175800, 4.7343388099777,    5.0911539918893,    5.4032249007079,
                                      5.6528902029139,    5.8544294086782720};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static pc_chain chain;
static pc_scene scene;
static const pc_rigid law = {.restitution = {.value = 0.9}, .coulomb = {0.15, 0.15}};

static const double *paper(void)
{
    static double y[4];
    chain.n = 2;
    chain.links[0] = (pc_link){.mass = 3.2, .length = 0.5, .center = 0.25, .inertia = 0.0676, .reach = 0.5};
    chain.links[1] =
        (pc_link){.mass = 3.8, .length = 0.6, .center = 0.3627, .inertia = 0.164, .radius = 0.05, .reach = 0.65};
    scene.gravity = 9.81;
    pc_scene_add_chain(&scene, &chain, "pendulum", NULL);
    pc_outline disc = pc_outline_point("disc", 0.65, 0, 0.05), floor = pc_outline_plane("floor", 0, -0.9, 0, 1);
    disc.member = 0;
    disc.link = 1;
    pc_scene_add_outline(&scene, &disc, NULL);
    pc_scene_add_outline(&scene, &floor, NULL);
    pc_scene_join(&scene, &pc_law_poisson, &law, NULL);
    double degree = M_PI / 180;
    memcpy(y, (double[4]){-140 * degree, 90 * degree, -1.2, 0.5}, sizeof y);
    return y;
}

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

/* ---- the pendulum, here ---- */

static point own_run(const double *y, double rtol, bool record)
{
    point best = {NAN, INFINITY};
    for (int r = 0; r < 10 * REPEATS; r++) {
        pc_run run;
        pc_run_options options = {.method = &pc_ode_dop853, .record = record};
        options.settings = (pc_ode_settings){rtol, rtol, 0, INFINITY, 0, 1000000};
        double begin = now();
        pc_status status = pc_run_open(&run, &scene, 0, y, NULL);
        if (status == PC_OK) status = pc_run_advance(&run, &options, 6, NULL);
        best.time = fmin(best.time, now() - begin);
        size_t n;
        const pc_impact_record *impacts = pc_run_impacts(&run, &n);
        best.error = status == PC_OK && n == IMPACTS ? 0 : NAN;
        for (size_t i = 0; i < n && i < IMPACTS; i++) best.error = fmax(best.error, fabs(impacts[i].t - known[i]));
        pc_run_close(&run);
    }
    return best;
}

/* ---- the pendulum, by CVODE ---- */

#ifdef PC_HAVE_SUNDIALS
static pc_direct direct; /* the same right-hand side as here */

static int cvode_rhs(realtype t, N_Vector y, N_Vector f, void *user)
{
    (void)user;
    const double *q = NV_DATA_S(y);
    double *dydt = NV_DATA_S(f);
    dydt[0] = q[2];
    dydt[1] = q[3];
    return pc_direct_accelerate(&direct, t, q, q + 2, dydt + 2);
}

static int cvode_gap(realtype t, N_Vector y, realtype *g, void *user)
{
    (void)t, (void)user;
    const double *q = NV_DATA_S(y);
    *g = 0.9 - 0.05 - 0.5 * cos(q[0]) - 0.65 * cos(q[1]);
    return 0;
}

/* The same impact by the same law, then CVodeReInit. */
static void cvode_strike(pc_planar *system, pc_block *block, double t, double *y)
{
    int pair = 0;
    pc_touch touch;
    double v[3] = {0}, du[2];
    pc_planar_make(system, t, y);
    pc_configuration_touch(&system->now, &system->places, pair, &touch);
    pc_block_build(block, &system->mechanics, &(pc_contact_set){1, &pair, &touch});
    pc_configuration_velocity(&system->now, pair, &touch, v);
    pc_mobility W = {.tt = block->W[0], .tn = block->W[1], .nn = block->W[3], .rank = 2};
    pc_impact impact;
    pc_impact_init(&impact);
    pc_law_impact(&pc_law_poisson, &law, &W, v, &impact, NULL);
    pc_mechanics_jump(&system->mechanics, &(pc_contact_set){1, &pair, &touch}, impact.impulse, du);
    y[2] += du[0];
    y[3] += du[1];
    pc_impact_free(&impact);
}

static point cvode_run(const double *start, double rtol)
{
    point best = {NAN, INFINITY};
    pc_planar system;
    pc_block block;
    pc_planar_open(&system, &scene, NULL);
    pc_block_open(&block, scene.n_dof, scene.n_pairs, NULL);
    pc_direct_open(&direct, &chain, scene.gravity);
    for (int r = 0; r < 2 * REPEATS; r++) {
        double begin = now(), error = 0;
        SUNContext context;
        SUNContext_Create(NULL, &context);
        N_Vector y = N_VNew_Serial(4, context);
        memcpy(NV_DATA_S(y), start, 4 * sizeof *start);
        void *cv = CVodeCreate(CV_ADAMS, context);
        CVodeInit(cv, cvode_rhs, 0, y);
        CVodeSStolerances(cv, rtol, rtol);
        SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
        CVodeSetNonlinearSolver(cv, solver);
        CVodeRootInit(cv, 1, cvode_gap);
        int direction = -1, n = 0;
        CVodeSetRootDirection(cv, &direction);
        CVodeSetMaxNumSteps(cv, 1000000);
        CVodeSetStopTime(cv, 6);
        realtype t = 0;
        while (t < 6) {
            int got = CVode(cv, 6, y, &t, CV_NORMAL);
            if (got < 0) break;
            if (got != CV_ROOT_RETURN) continue;
            if (n < IMPACTS) error = fmax(error, fabs(t - known[n]));
            n++;
            cvode_strike(&system, &block, t, NV_DATA_S(y));
            CVodeReInit(cv, t, y);
        }
        best.time = fmin(best.time, now() - begin);
        best.error = n == IMPACTS ? error : NAN;
        SUNNonlinSolFree(solver);
        N_VDestroy(y);
        CVodeFree(&cv);
        SUNContext_Free(&context);
    }
    pc_planar_close(&system);
    pc_block_close(&block);
    return best;
}
#endif

static void the_paper(const double *y)
{
    enum { RUNGS = 17 };
    point own[RUNGS], quiet[RUNGS];
    for (int i = 0; i < RUNGS; i++) {
        own[i] = own_run(y, pow(10, -5 - 0.5 * i), true);
        quiet[i] = own_run(y, pow(10, -5 - 0.5 * i), false);
    }
    double error = 3e-9, t = time_at(own, RUNGS, error), bare = time_at(quiet, RUNGS, error);
    printf("double pendulum, 6 s, mu = 0.15, 10 impacts within %g s: %.3f ms recorded, %.3f ms not\n", error, 1e3 * t,
           1e3 * bare);
#ifdef PC_HAVE_SUNDIALS
    point other[RUNGS];
    for (int i = 0; i < RUNGS; i++) other[i] = cvode_run(y, pow(10, -5 - 0.5 * i));
    double cvode = time_at(other, RUNGS, error);
    /* which keeps no record */
    printf("  CVODE Adams with rootfinding: %.3f ms   ratio %.1f to the recorded, %.1f to the other\n", 1e3 * cvode,
           cvode / t, cvode / bare);
#endif
}

/* ---- right-hand sides and chains ---- */

/* A hanging chain of n links, bent by a little, without obstacles. */
static double chain_cost(int n, double *step)
{
    pc_chain *c = &chain;
    memset(c, 0, sizeof *c);
    c->n = n;
    double y[2 * PC_CHAIN_LINKS] = {0}, dydt[PC_CHAIN_LINKS], bare = INFINITY, within = INFINITY;
    for (int i = 0; i < n; i++) {
        c->links[i] = (pc_link){.mass = 1, .length = 0.1, .center = 0.05, .inertia = 1e-3, .reach = 0.1};
        y[i] = 0.5 + 0.02 * i;
    }
    static pc_chain_node space[PC_CHAIN_LINKS + 1];
    static pc_chain_force forces[PC_CHAIN_LINKS];
    static const double rest[2] = {0, 0};
    pc_direct own;
    bool is_short = pc_direct_open(&own, c, 9.81);
    for (int r = 0; r < 40 * REPEATS; r++) { /* short ones, of which some are not disturbed */
        double begin = now();
        int calls = 10000 / n;
        for (int i = 0; i < calls; i++) {
            if (is_short) {
                pc_direct_accelerate(&own, 0, y, y + n, dydt);
            } else {
                pc_chain_place(c, rest, y, space);
                pc_chain_factor(c, space);
                pc_chain_load(c, space, 0, y, y + n, 9.81, forces);
                pc_chain_solve(c, space, rest, y + n, forces, dydt);
            }
            y[0] += 1e-12 * dydt[0];
        }
        bare = fmin(bare, (now() - begin) / calls);
    }
    static pc_scene alone;
    pc_scene_free(&alone);
    memset(&alone, 0, sizeof alone);
    alone.gravity = 9.81;
    pc_scene_add_chain(&alone, c, "chain", NULL);
    long calls = 1, steps = 1;
    for (int r = 0; r < 4 * REPEATS; r++) {
        pc_run run;
        pc_run_options options = {.method = &pc_ode_dop853};
        options.settings = (pc_ode_settings){1e-8, 1e-8, 0, INFINITY, 0, 1000000};
        pc_run_open(&run, &alone, 0, y, NULL);
        double begin = now();
        pc_run_advance(&run, &options, 1, NULL);
        double time = now() - begin;
        calls = run.history.statistics.rhs_calls;
        steps = run.history.statistics.steps;
        within = fmin(within, time);
        pc_run_close(&run);
    }
    *step = within / (double)steps;
    printf("chain of %2d links: right-hand side %7.1f ns bare, %7.1f ns a call in a motion (ratio %.2f); %8.2f us a "
           "step\n",
           n, 1e9 * bare, 1e9 * within / (double)calls, within / (double)calls / bare, 1e6 * *step);
    pc_scene_free(&alone);
    return bare;
}

int main(void)
{
    the_paper(paper());
    double two, ten, fifty;
    chain_cost(2, &two);
    chain_cost(10, &ten);
    chain_cost(50, &fifty);
    printf("cost of a step from 10 to 50 links grows %.1f times (n^2 would be 25)\n", fifty / ten);
    pc_scene_free(&scene);
    return 0;
}
