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
#include "ode/rk.h"

#include <string.h>

enum { DRIFTS = 7, KICKS = 6 };

static const double A1 = 0.0792036964311957, A2 = 0.353172906049774, A3 = -0.0420650803577195;
static const double B1 = 0.209515106613362, B2 = -0.143851773179818;

static int advance(pc_stepper *s, double h)
{
    const double a[DRIFTS] = {A1, A2, A3, 1 - 2 * (A1 + A2 + A3), A3, A2, A1};
    const double b[KICKS] = {B1, B2, 0.5 - B1 - B2, 0.5 - B1 - B2, B2, B1};
    int half = s->problem->n_positions, n = s->problem->n;
    double *y = s->y_new, *f = pc_rk_scratch(s), t = s->t;
    memcpy(f, pc_rk_stage(s, 0), s->stride * sizeof(double));
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
    return pc_stepper_rhs(s, s->t + h, y, pc_rk_stage(s, 1));
}

static const pc_rk_kernel *kernel(size_t stride)
{
    static const pc_rk_kernel own = {advance, pc_rk_interpolate};
    (void)stride;
    return &own;
}

/* For its driver a step is one stage: what begins and ends it is as in other methods. */
static const pc_rk_table table = {.stages = 1, .kernel = kernel};

static const pc_schema schema = {
    .name = "solver.symplectic",
    .summary = "Symplectic method of order 4 for separable systems, fixed steps, cubic dense output.",
    .details = "The state is a list of positions, whose rates depend on the velocities alone, followed by as many "
               "velocities, whose rates depend on time and the positions alone.",
    .source = "Blanes and Moan (2002)",
    .example = "print(percuss.solver.symplectic{ step = 1e-2 })",
    PC_ODE_FIXED};

const pc_ode_method pc_ode_symplectic = {.schema = &schema,
                                         .order = 4,
                                         .dense_order = 3,
                                         .dense_degree = 3,
                                         .stages = 2 * KICKS + 1,
                                         .symplectic = true,
                                         .table = &table,
                                         PC_RK_FUNCTIONS};
