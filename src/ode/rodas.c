/* Rodas5P: a stiffly accurate Rosenbrock method of order 5 in eight stages with an interpolant of order 4, made to
 * keep its order on stiff and parabolic problems: Steinebach (2023), Construction of Rosenbrock-Wanner method Rodas5P,
 * BIT Numerical Mathematics 63:27. Each step takes one Jacobian, one factorization and eight linear solves; nothing
 * is iterated, so no Newton iteration can fail. Measured beside Rodas4 (Hairer and Wanner) on the problems of
 * tests/c/ode/stiff_problems.h it needs the same time at errors of 1e-5 and from half to a seventh of it at 1e-10. See
 * rk.h for the form.
 */
#include "ode/rk.h"
#include "math/linsolve.h"
#include "math/twin.h"
#include "ode/ode.h"

#include <float.h>
#include <math.h>
#include <string.h>

const pc_rodas_table pc_rodas_rodas5p = {
    .stages = 8,
    .dense = 3,
    .gamma = 0.21193756319429014,
    .c = {0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1},
    .d = {0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069},
    .a = {{0},
          {3.0},
          {2.849394379747939, 0.45842242204463923},
          {-6.954028509809101, 2.489845061869568, -10.358996098473584},
          {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1,
           1}},
    .C = {{0},
          {-14.155112264123755},
          {-17.97296035885952, -2.859693295451294},
          {147.12150275711716, -1.41221402718213, 71.68940251302358},
          {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
          {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471},
          {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
           -28.087943162872662},
          {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
           -54.66780262877968, -9.48861652309627}},
    .H = {{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
           1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
          {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
           15.98066361424651, -6.789040303419874, -6.710236069923372},
          {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
           -59.78993625266729, -0.15582684282751913, 4.883087185713722}},
};

/* Workspace: U_1 .. U_s, then these vectors, then J and the factors. */
enum { F0 = PC_RODAS_STAGES, RATE_T, ARGUMENT, TERM, VECTORS = TERM + PC_RODAS_DENSE };

static size_t room(const pc_ode_method *method, size_t n, size_t stride)
{
    (void)method;
    return VECTORS * stride + 2 * n * n;
}

static double *vector(const pc_stepper *s, int i)
{
    return s->work + (size_t)i * s->stride;
}

/* out = from + sum_j a_j U_j of the first `length` stages; the vectors are padded to pairs. */
static void combine(const pc_stepper *s, double *out, const double *from, const double *a, int length)
{
    for (size_t i = 0; i < s->stride; i += 4) {
        pc_twin low = pc_twin_load(from + i), high = pc_twin_load(from + i + 2);
        for (int j = 0; j < length; j++) {
            const double *U = s->work + (size_t)j * s->stride + i;
            low += a[j] * pc_twin_load(U);
            high += a[j] * pc_twin_load(U + 2);
        }
        pc_twin_store(out + i, low);
        pc_twin_store(out + i + 2, high);
    }
}

static int start(pc_stepper *s)
{
    s->ready = false; /* nothing of (t, y) is known yet */
    int got = pc_stepper_rhs(s, s->t, s->y, vector(s, F0));
    if (got != 0) return got;
    return pc_stepper_finite(s, vector(s, F0)) ? 0 : 1;
}

/* Columns of J by differences. The increment is sqrt(rounding) of the component, and at least so long that rounding
 * of f, through h J, stays a thousandth of the tolerance (as in CVODE's dense linear solver, Hindmarsh et al. 2005). */
static int difference_jacobian(pc_stepper *s, double h, double *J)
{
    int n = s->problem->n;
    double *y = vector(s, ARGUMENT), *f = vector(s, 0);
    const double *f0 = vector(s, F0);
    double least = 1000 * fabs(h) * DBL_EPSILON * n * pc_stepper_norm(s, f0);
    memcpy(y, s->y, s->stride * sizeof *y);
    for (int j = 0; j < n; j++) {
        double weight = s->settings.atol + s->settings.rtol * fabs(s->y[j]);
        double step = fmax(sqrt(DBL_EPSILON) * fabs(s->y[j]), least * weight);
        if (step == 0) step = weight;
        y[j] = s->y[j] + step;
        step = y[j] - s->y[j];
        int got = pc_stepper_rhs(s, s->t, y, f);
        if (got != 0) return got;
        y[j] = s->y[j];
        for (int i = 0; i < n; i++) J[i * n + j] = (f[i] - f0[i]) / step;
    }
    return 0;
}

/* f, J and df/dt at (t, y), once a step; a refused step uses them again. */
static int differentiate(pc_stepper *s, double h, double *J)
{
    const pc_ode_problem *p = s->problem;
    int n = p->n, got;
    got = pc_stepper_rhs(s, s->t, s->y, vector(s, F0));
    if (got != 0) return got;
    memcpy(s->y_new, s->y, s->stride * sizeof *s->y);
    s->statistics.jacobians++;
    if (p->jacobian) {
        memset(J, 0, (size_t)n * (size_t)n * sizeof *J);
        got = p->jacobian(s->t, s->y, J, p->context);
    } else {
        got = difference_jacobian(s, h, J);
    }
    if (got != 0 || p->autonomous) return got;
    /* balances the rounding of t against the curvature over a step */
    double step = sqrt(DBL_EPSILON * fmax(fabs(s->t), fabs(h)) * fabs(h)), t = s->t + (h > 0 ? step : -step);
    step = t - s->t;
    double *ft = vector(s, RATE_T);
    got = pc_stepper_rhs(s, t, s->y, ft);
    for (int i = 0; i < n && got == 0; i++) ft[i] = (ft[i] - vector(s, F0)[i]) / step;
    return got;
}

static int attempt(pc_stepper *s, double h, double *error)
{
    const pc_rodas_table *m = s->method->table;
    int n = s->problem->n, got;
    double *J = s->work + VECTORS * s->stride, *W = J + n * n, *y = vector(s, ARGUMENT);
    const double *ft = vector(s, RATE_T);
    if (!s->ready) {
        got = differentiate(s, h, J);
        if (got != 0) return got;
        s->ready = true;
    }
    double diagonal = 1 / (h * m->gamma);
    for (int i = 0; i < n * n; i++) W[i] = -J[i];
    for (int i = 0; i < n; i++) W[i * n + i] += diagonal;
    s->statistics.factorizations++;
    if (!pc_lu_factor(W, n, s->pivots)) return 1;

    for (int k = 0; k < m->stages; k++) {
        double *U = vector(s, k);
        if (k == 0) {
            memcpy(U, vector(s, F0), (size_t)n * sizeof *U);
        } else {
            combine(s, y, s->y, m->a[k], k);
            got = pc_stepper_rhs(s, s->t + m->c[k] * h, y, U);
            if (got != 0) return got;
            double share[PC_RODAS_STAGES];
            for (int j = 0; j < k; j++) share[j] = m->C[k][j] / h;
            combine(s, U, U, share, k);
        }
        if (m->d[k] != 0 && !s->problem->autonomous)
            for (int i = 0; i < n; i++) U[i] += h * m->d[k] * ft[i];
        pc_lu_solve(W, n, s->pivots, U);
    }
    const double *last = vector(s, m->stages - 1);
    for (int i = 0; i < n; i++) s->y_new[i] = y[i] + last[i];
    *error = pc_stepper_norm(s, last);
    return 0;
}

static int interpolate(pc_stepper *s)
{
    static const pc_dense_term terms[PC_RODAS_DENSE] = {{1, 1}, {2, 1}, {3, 1}};
    const pc_rodas_table *m = s->method->table;
    for (int d = 0; d < m->dense; d++) {
        double *k = vector(s, TERM + d);
        memset(k, 0, s->stride * sizeof *k);
        combine(s, k, k, m->H[d], m->stages);
    }
    pc_dense_assemble(&s->dense, &s->form, s->y_old, s->y, terms, m->dense, vector(s, TERM), s->stride);
    return 0;
}

static const pc_schema schema = {
    .name = "solver.rodas5p",
    .summary = "Rosenbrock method of order 5 for stiff systems, adaptive, with dense output of order 4.",
    .details =
        "L-stable. Each step takes the Jacobian, from differences unless it is given, and solves linear systems, so "
        "its cost grows with the cube of the number of equations.",
    .source = "Steinebach (2023)",
    .example = "print(percuss.solver.rodas5p{ rtol = 1e-6 })",
    PC_ODE_ADAPTIVE};

const pc_ode_method pc_ode_rodas5p = {.schema = &schema,
                                      .order = 5,
                                      .dense_order = 4,
                                      .dense_degree = 4,
                                      .error_order = 4,
                                      .safety = 0.9,
                                      .stages = 8,
                                      .stiff = true,
                                      .table = &pc_rodas_rodas5p,
                                      .room = room,
                                      .start = start,
                                      .attempt = attempt,
                                      .interpolate = interpolate};
