/* Symplectic partitioned Runge-Kutta method of order 4 for separable systems q' = v(u), u' = a(t, q).
 *
 * Six stages, symmetric, with error constants hundreds of times smaller than those of the three-stage method of
 * Forest and Ruth: Blanes and Moan (2002), Practical symplectic partitioned Runge-Kutta and Runge-Kutta-Nystrom
 * methods, table 2, S6 of order 4. Energy errors stay bounded over long times; steps are fixed, as they must be for
 * that.
 *
 * A step alternates drifts q += a_i h v(u) and kicks u += b_i h a(t, q), drift first and last. The right-hand side
 * is asked for both halves each time, since it has one form for all methods; its results at both ends of the step
 * give the cubic Hermite interpolant.
 */
#include "ode/ode.h"

#include <string.h>

enum { DRIFTS = 7, KICKS = 6, F_OLD = 0, F_NEW, F_STAGE, F_1, F_2, VECTORS };

static const double A1 = 0.0792036964311957, A2 = 0.353172906049774, A3 = -0.0420650803577195;
static const double B1 = 0.209515106613362, B2 = -0.143851773179818;

static size_t room(const pc_ode_method *method, size_t n, size_t stride)
{
    (void)method;
    (void)n;
    return VECTORS * stride;
}

static double *vector(const pc_stepper *s, int i)
{
    return s->work + (size_t)i * s->stride;
}

static int start(pc_stepper *s)
{
    int got = pc_stepper_rhs(s, s->t, s->y, vector(s, F_NEW));
    if (got != 0) return got;
    return pc_stepper_finite(s, vector(s, F_NEW)) ? 0 : 1;
}

static int attempt(pc_stepper *s, double h, double *error)
{
    const double a[DRIFTS] = {A1, A2, A3, 1 - 2 * (A1 + A2 + A3), A3, A2, A1};
    const double b[KICKS] = {B1, B2, 0.5 - B1 - B2, 0.5 - B1 - B2, B2, B1};
    int half = s->problem->n_positions, n = s->problem->n;
    double *y = s->y_new, *f = vector(s, F_STAGE), t = s->t;
    (void)error;
    memcpy(vector(s, F_OLD), vector(s, F_NEW), s->stride * sizeof(double));
    memcpy(f, vector(s, F_OLD), s->stride * sizeof(double));
    memcpy(y, s->y, s->stride * sizeof(double));
    for (int i = 0; i < DRIFTS; i++) {
        for (int j = 0; j < half; j++) y[j] += a[i] * h * f[j];
        t += a[i] * h;
        if (i == KICKS) break;
        int got = pc_stepper_rhs(s, t, y, f);
        if (got != 0) return got;
        for (int j = half; j < n; j++) y[j] += b[i] * h * f[j];
        got = pc_stepper_rhs(s, t, y, f); /* the rates of the positions with the new velocities */
        if (got != 0) return got;
    }
    int got = pc_stepper_rhs(s, s->t + h, y, vector(s, F_NEW));
    return got == 0 && !pc_stepper_finite(s, vector(s, F_NEW)) ? 1 : got;
}

static int interpolate(pc_stepper *s)
{
    static const pc_dense_term terms[] = {{1, 1}, {2, 1}};
    const double *k0 = vector(s, F_OLD), *k1 = vector(s, F_NEW);
    double *f1 = vector(s, F_1), *f2 = vector(s, F_2);
    for (int i = 0; i < s->problem->n; i++) {
        double delta = s->y[i] - s->y_old[i];
        f1[i] = s->h * k0[i] - delta;
        f2[i] = 2 * delta - s->h * (k0[i] + k1[i]);
    }
    pc_dense_assemble(&s->dense, &s->form, s->y_old, s->y, terms, 2, f1, s->stride);
    return 0;
}

static const pc_schema schema = {
    .name = "solver.symplectic",
    .summary = "Symplectic method of order 4 for separable systems, fixed steps, cubic dense output.",
    .details = "The state is a list of positions, whose rates depend on the velocities alone, followed by as many "
               "velocities, whose rates depend on time and the positions alone.",
    .source = "Blanes and Moan (2002)",
    .example = "print(percuss.solver.symplectic{ step = 1e-2 })",
    .rows = pc_ode_fixed_rows,
    .n_rows = PC_ODE_FIXED_ROWS,
    .size = sizeof(pc_ode_settings)};

const pc_ode_method pc_ode_symplectic = {.schema = &schema,
                                         .order = 4,
                                         .dense_order = 3,
                                         .dense_degree = 3,
                                         .stages = 2 * KICKS + 1,
                                         .symplectic = true,
                                         .room = room,
                                         .start = start,
                                         .attempt = attempt,
                                         .interpolate = interpolate};
