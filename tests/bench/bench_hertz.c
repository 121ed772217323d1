/* Laws of the Hertz family: the coupled law beside CVODE's Adams method at equal achieved error, every law that is an
 * element, Maw's rings, and a row of spheres. Times are minima of repeats. */
#include "body/body.h"
#include "engine/collide.h"
#include "engine/element_impact.h"
#include "law/hertz.h"
#include "law/maw/maw.h"
#include "scene/moving_body.h"

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

enum { REPEATS = 9, LOOPS = 40 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sphere of Lai (1999): nu = 0.3, mu = 0.5, lambda = 5/9, m = v = E* = R = 1. */
typedef struct problem {
    double psi, kappa, mu, C, v_t, v_n;
    pc_mobility W;
} problem;

static problem sphere(double psi)
{
    problem p = {.psi = psi, .kappa = 1.7 / 2.1, .mu = 0.5, .W = {.tt = 14.0 / 9, .nn = 4.0 / 9, .rank = 2}};
    double slope = psi * 0.5 * 1.7 / 1.4, v = hypot(1, slope);
    p.C = pc_coupled_cone(p.kappa, p.mu);
    p.v_t = slope / v;
    p.v_n = -1 / v;
    return p;
}

static pc_coupled law_of(const problem *p)
{
    return (pc_coupled){.hertz = {.modulus = 1, .kappa = p->kappa, .radius = 1, .counter_radius = NAN},
                        .friction = p->mu};
}

static void drive(const problem *p, double tolerance, double v[2])
{
    pc_coupled law = law_of(p);
    double W[4] = {p->W.tt, 0, 0, p->W.nn}, v0[2] = {p->v_t, p->v_n};
    pc_element integrated = pc_coupled_element;
    integrated.shape = NULL;
    pc_element_contact contact = {&integrated, &law};
    pc_element_task task = {.k = 1, .contacts = &contact, .W = W, .rank = 2, .v0 = v0, .tolerance = tolerance};
    pc_element_summary s;
    if (pc_element_run(&task, &s, NULL, NULL, NULL))
        v[0] = v[1] = NAN;
    else
        memcpy(v, s.v, sizeof s.v);
}

static void by_law(const problem *p, double tolerance, double v[2])
{
    pc_coupled law = law_of(p);
    double v0[3] = {p->v_t, p->v_n, 0};
    pc_impact hit;
    (void)tolerance;
    pc_impact_init(&hit);
    if (pc_law_impact(&pc_law_coupled, &law, &p->W, v0, &hit, NULL))
        v[0] = v[1] = NAN;
    else
        memcpy(v, hit.v1, 2 * sizeof *v);
    pc_impact_free(&hit);
}

#ifdef PC_HAVE_SUNDIALS

/* The same by CVODE in time, with its rootfinding: y = u, s, v_t, v_n; slip: s = sign C u. */
typedef struct motion {
    const problem *p;
    int sign;
} motion;

static int rhs(realtype t, N_Vector y, N_Vector dydt, void *context)
{
    const motion *m = context;
    const problem *p = m->p;
    (void)t;
    double u = NV_Ith_S(y, 0), s = m->sign ? m->sign * p->C * u : NV_Ith_S(y, 1);
    double root = sqrt(fabs(u)), F_n = 0, F_t = 0;
    if (u > 0) {
        F_n = 4.0 / 3 * root * u + s * s / (3 * p->kappa * root);
        F_t = m->sign ? -m->sign * p->mu * F_n : -4 / (3 * p->kappa) * root * s;
    }
    NV_Ith_S(dydt, 0) = -NV_Ith_S(y, 3);
    NV_Ith_S(dydt, 1) = m->sign ? -m->sign * p->C * NV_Ith_S(y, 3) : NV_Ith_S(y, 2);
    NV_Ith_S(dydt, 2) = p->W.tt * F_t;
    NV_Ith_S(dydt, 3) = p->W.nn * F_n;
    return 0;
}

static int guards(realtype t, N_Vector y, realtype *g, void *context)
{
    const motion *m = context;
    (void)t;
    double u = NV_Ith_S(y, 0), s = NV_Ith_S(y, 1);
    g[0] = u;
    g[1] = m->sign ? m->sign * NV_Ith_S(y, 2) + m->p->C * NV_Ith_S(y, 3) : m->p->C * u - s;
    g[2] = m->sign ? 1 : m->p->C * u + s;
    return 0;
}

static void adams(const problem *p, double tolerance, double v[2])
{
    static SUNContext context = NULL;
    if (!context) SUNContext_Create(NULL, &context);
    motion m = {p, fabs(p->v_t) > -p->C * p->v_n ? 1 : 0};
    N_Vector y = N_VNew_Serial(4, context);
    double start[4] = {0, 0, p->v_t, p->v_n};
    memcpy(NV_DATA_S(y), start, sizeof start);
    void *cvode = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
    CVodeInit(cvode, rhs, 0, y);
    CVodeSStolerances(cvode, tolerance, tolerance);
    CVodeSetNonlinearSolver(cvode, solver);
    CVodeSetUserData(cvode, &m);
    CVodeSetMaxNumSteps(cvode, 100000);
    CVodeRootInit(cvode, 3, guards);
    realtype t = 0;
    for (int i = 0; i < 100; i++) {
        int flag = CVode(cvode, 100, y, &t, CV_NORMAL);
        if (flag != CV_ROOT_RETURN) break;
        int roots[3];
        CVodeGetRootInfo(cvode, roots);
        if (roots[0] && NV_Ith_S(y, 3) > 0) break;
        if (m.sign && roots[1])
            m.sign = 0;
        else if (roots[1])
            m.sign = 1;
        else if (roots[2])
            m.sign = -1;
        else
            continue;
        CVodeReInit(cvode, t, y);
    }
    v[0] = NV_Ith_S(y, 2);
    v[1] = NV_Ith_S(y, 3);
    CVodeFree(&cvode);
    SUNNonlinSolFree(solver);
    N_VDestroy(y);
}

#endif

typedef void method(const problem *p, double tolerance, double v[2]);

/* Time and error at the loosest tolerance whose error stays below 1e-10 in every impact. */
static double cheapest(const char *name, method *run, bool fixed)
{
    static const double psis[] = {0.5, 1, 1.2, 2, 3, 4, 6};
    enum { N = sizeof psis / sizeof *psis };
    double exact[N][2];
    for (int i = 0; i < N; i++) {
        problem p = sphere(psis[i]);
        drive(&p, 1e-14, exact[i]);
    }
    for (double tolerance = 1e-7; tolerance > 1e-15; tolerance /= fixed ? 1e9 : 2) {
        double error = 0, best = INFINITY;
        for (int i = 0; i < N; i++) {
            problem p = sphere(psis[i]);
            double v[2];
            run(&p, tolerance, v);
            error = fmax(error, fmax(fabs(v[0] - exact[i][0]), fabs(v[1] - exact[i][1])));
        }
        if (!(error <= 1e-10) && !fixed) continue;
        for (int r = 0; r < REPEATS; r++) {
            double start = now(), v[2];
            for (int k = 0; k < LOOPS; k++) {
                problem p = sphere(psis[k % N]);
                run(&p, tolerance, v);
            }
            best = fmin(best, (now() - start) / LOOPS);
        }
        printf("  %-34s %8.1f us, error %.1e\n", name, best * 1e6, error);
        return best;
    }
    printf("  %-34s does not reach 1e-10\n", name);
    return NAN;
}

/* A rod of 1 m and 0.1 kg that turns while its tip strikes. */
static void turning_rod(pc_body *body)
{
    double inertia[3][3] = {{0}}, arm = 0.5 / sqrt(2);
    *body = (pc_body){.curvature = NAN};
    inertia[PC_T2][PC_T2] = 0.1 / 12;
    pc_body_fill_free(body, false, 0.1, inertia, (double[3]){-arm, -arm, 0});
    if (pc_body_finish(body, NULL)) exit(EXIT_FAILURE);
}

/* One oblique impact by every element, all parameters in the middle of their ranges; frozen, and of the rod. */
static void every_element(void)
{
    pc_body rod;
    turning_rod(&rod);
    puts("an oblique impact by each element (rigid tangential side where there is a choice)");
    for (int i = 0; i < pc_n_laws; i++) {
        const pc_law *law = pc_laws[i];
        if (!law->element || law == &pc_law_maw) continue; /* see rings() */
        union {
            double align;
            unsigned char bytes[1024];
        } params;
        uint64_t given = 0;
        bool done[9] = {false};
        pc_schema_defaults(law->schema, &params);
        for (int k = 0; k < law->schema->n_rows; k++) {
            const pc_row *row = &law->schema->rows[k];
            if (row->kind != PC_REAL || !(row->sample.hi > row->sample.lo) || (row->group && done[row->group]))
                continue;
            double lo = row->sample.lo, hi = row->sample.hi;
            double value = lo > 0 && hi / lo > 100 ? sqrt(lo * hi) : (lo + hi) / 2;
            pc_schema_set_number(law->schema, k, &params, value, &given, NULL);
            if (row->group) done[row->group] = true;
        }
        if (pc_schema_finish(law->schema, &params, given, NULL)) continue;
        const pc_mobility W = {.tt = 35, .nn = 10, .rank = 2};
        double v0[3] = {1, -1, 0}, u1[3], rotation, best[2] = {INFINITY, INFINITY};
        pc_moving_task task = {.body = &rod, .element = law->element, .params = &params, .u0 = v0};
        for (int r = 0; r < 2 * REPEATS; r++) {
            double start = now();
            for (int k = 0; k < LOOPS; k++) {
                pc_impact hit;
                pc_impact_init(&hit);
                if (r % 2)
                    pc_moving_impact(&task, &hit, u1, &rotation, NULL);
                else
                    pc_law_impact(law, &params, &W, v0, &hit, NULL);
                pc_impact_free(&hit);
            }
            best[r % 2] = fmin(best[r % 2], (now() - start) / LOOPS);
        }
        printf("  %-34s %8.1f us\n", law->schema->name, best[0] * 1e6);
        printf("  %-22s and it turns %8.1f us\n", law->schema->name, best[1] * 1e6);
    }
}

static void rings(void)
{
    static pc_maw_step steps[401];
    double best = INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        double start = now();
        pc_maw_run(2, 1.44, 200, steps, NULL, 0, NULL);
        best = fmin(best, now() - start);
    }
    printf("Maw, Barber and Fawcett\n  %-34s %8.2f ms\n", "200 rings, 400 steps", best * 1e3);
}

int main(void)
{
    puts("coupled law, sphere, psi1 = 0.5 to 6: at an error of 1e-10");
    cheapest("percuss, by integration", drive, false);
    double own = cheapest("percuss, by series", by_law, true);
#ifdef PC_HAVE_SUNDIALS
    double other = cheapest("CVODE Adams with rootfinding", adams, false);
    printf("  %-34s %8.1f\n", "ratio", other / own);
#else
    (void)own;
#endif
    every_element();
    rings();
    return 0;
}
