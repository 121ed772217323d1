/* CVODE of SUNDIALS as a second opinion: variable-order Adams and BDF behind the contract of a method.
 *
 * CVODE chooses its own steps, so this file has `step` instead of `attempt`. Its history array is a Taylor polynomial
 * about the end of the step; that polynomial over the step is the dense output. Its value at the start differs from
 * the state there by no more than the tolerance, and the coefficient is replaced by that state so that steps join.
 * Hindmarsh et al. (2005), SUNDIALS: suite of nonlinear and differential/algebraic equation solvers.
 */
#include "ode/ode.h"

#include "base/alloc.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

typedef struct cvode {
    void *memory;
    SUNContext context;
    N_Vector y, rate;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    double *jacobian; /* row-major, for the caller's function */
    long rejected_before;
    bool asked_to_stop; /* by the right-hand side or the Jacobian */
} cvode;

static int rhs(realtype t, N_Vector y, N_Vector ydot, void *user)
{
    pc_stepper *s = user;
    double *f = N_VGetArrayPointer(ydot);
    int got = pc_stepper_rhs(s, t, N_VGetArrayPointer(y), f);
    if (got < 0) ((cvode *)s->own)->asked_to_stop = true;
    for (int i = 0; i < s->problem->n && got == 0; i++) {
        if (!isfinite(f[i])) {
            s->not_finite = true;
            return 1;
        }
    }
    return got;
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector c)
{
    pc_stepper *s = user;
    cvode *own = s->own;
    int n = s->problem->n;
    (void)fy, (void)a, (void)b, (void)c;
    memset(own->jacobian, 0, (size_t)n * (size_t)n * sizeof(double));
    int got = s->problem->jacobian(t, N_VGetArrayPointer(y), own->jacobian, s->problem->context);
    if (got < 0) own->asked_to_stop = true;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) SM_ELEMENT_D(J, i, j) = own->jacobian[i * n + j];
    return got;
}

/* CVODE's messages would go to the terminal. */
static void silent(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}

static void close_cvode(pc_stepper *s)
{
    cvode *own = s->own;
    if (!own) return;
    if (own->memory) CVodeFree(&own->memory);
    if (own->nonlinear) SUNNonlinSolFree(own->nonlinear);
    if (own->linear) SUNLinSolFree(own->linear);
    if (own->matrix) SUNMatDestroy(own->matrix);
    if (own->y) N_VDestroy(own->y);
    if (own->rate) N_VDestroy(own->rate);
    if (own->context) SUNContext_Free(&own->context);
    pc_free(own->jacobian);
    pc_free(own);
    s->own = NULL;
}

static bool attach_solver(pc_stepper *s, cvode *own)
{
    int n = s->problem->n;
    if (!s->method->stiff) {
        own->nonlinear = SUNNonlinSol_FixedPoint(own->y, 0, own->context);
        return own->nonlinear && CVodeSetNonlinearSolver(own->memory, own->nonlinear) == CV_SUCCESS;
    }
    own->matrix = SUNDenseMatrix(n, n, own->context);
    if (!own->matrix) return false;
    own->linear = SUNLinSol_Dense(own->y, own->matrix, own->context);
    if (!own->linear || CVodeSetLinearSolver(own->memory, own->linear, own->matrix) != CV_SUCCESS) return false;
    if (!s->problem->jacobian) return true;
    own->jacobian = pc_calloc((size_t)n * (size_t)n, sizeof(double));
    return own->jacobian && CVodeSetJacFn(own->memory, jacobian) == CV_SUCCESS;
}

static pc_status open_cvode(pc_stepper *s, pc_error *err)
{
    cvode *own = pc_calloc(1, sizeof *own);
    if (!own) return pc_fail(err, PC_E_MEMORY, "not enough memory for CVODE");
    s->own = own;
    const pc_ode_settings *set = &s->settings;
    bool good = SUNContext_Create(NULL, &own->context) == 0;
    good = good && (own->y = N_VMake_Serial(s->problem->n, s->y, own->context));
    good = good && (own->rate = N_VClone(own->y));
    good = good && (own->memory = CVodeCreate(s->method->stiff ? CV_BDF : CV_ADAMS, own->context));
    good = good && CVodeSetErrHandlerFn(own->memory, silent, NULL) == CV_SUCCESS;
    good = good && CVodeInit(own->memory, rhs, 0, own->y) == CV_SUCCESS;
    good = good && CVodeSetUserData(own->memory, s) == CV_SUCCESS;
    good = good && CVodeSStolerances(own->memory, set->rtol, set->atol) == CV_SUCCESS;
    good = good && attach_solver(s, own);
    good = good && (!isfinite(set->max_step) || CVodeSetMaxStep(own->memory, set->max_step) == CV_SUCCESS);
    if (good) return PC_OK;
    return pc_fail(err, PC_E_MEMORY, "CVODE could not be set up for %d equations", s->problem->n);
}

static int start(pc_stepper *s)
{
    cvode *own = s->own;
    N_VSetArrayPointer(s->y, own->y);
    if (CVodeReInit(own->memory, s->t, own->y) != CV_SUCCESS) return -1;
    CVodeSetUserData(own->memory, s);
    double first = s->h_next > 0 ? s->h_next : s->settings.first_step;
    if (first > 0) CVodeSetInitStep(own->memory, first);
    own->asked_to_stop = false;
    own->rejected_before = s->statistics.rejected;
    return rhs(s->t, own->y, own->rate, s);
}

static pc_status failed(const pc_stepper *s, int flag, pc_error *err)
{
    if (((cvode *)s->own)->asked_to_stop)
        return pc_fail_stopped(err, s->t, "rhs", "the right-hand side asked to stop near t = %.17g", s->t);
    if (s->not_finite)
        return pc_fail_at(err, PC_E_NUMERIC, s->t, "rhs", "the right-hand side is not finite near t = %.17g", s->t);
    return pc_fail_at(err, PC_E_NUMERIC, s->t, "step", "CVODE stopped near t = %.17g: %s", s->t,
                      flag == CV_ERR_FAILURE    ? "the tolerances cannot be met"
                      : flag == CV_CONV_FAILURE ? "its iteration does not converge"
                                                : "no step could be made");
}

static pc_status step(pc_stepper *s, double t_end, pc_error *err)
{
    cvode *own = s->own;
    if (s->statistics.steps + s->statistics.rejected >= s->settings.max_steps)
        return pc_fail_at(err, PC_E_LIMIT, s->t, "max_steps",
                          "%d steps, the solver's max_steps, did not reach t = %g; stopped at t = %.17g",
                          s->settings.max_steps, t_end, s->t);
    double t = s->t;
    s->not_finite = false;
    N_VSetArrayPointer(s->y_new, own->y);
    if (CVodeSetStopTime(own->memory, t_end) != CV_SUCCESS) return failed(s, CV_ERR_FAILURE, err);
    int flag = CVode(own->memory, t_end, own->y, &t, CV_ONE_STEP);
    if (flag < 0) return failed(s, flag, err);
    /* CVODE would go on with steps below the rounding of t for ever */
    if (flag != CV_TSTOP_RETURN && fabs(t - s->t) < 4 * DBL_EPSILON * fabs(t)) return failed(s, CV_ERR_FAILURE, err);

    double *spare = s->y_old;
    s->y_old = s->y;
    s->y = s->y_new;
    s->y_new = spare;
    s->t_old = s->t;
    s->t = flag == CV_TSTOP_RETURN ? t_end : t;
    s->h = s->t - s->t_old;
    s->has_dense = false;
    s->h_next = fabs(s->h);

    long fails = 0, setups = 0, jacobians = 0;
    CVodeGetNumErrTestFails(own->memory, &fails);
    s->statistics.steps++;
    s->statistics.rejected = own->rejected_before + fails;
    if (s->method->stiff) {
        CVodeGetNumLinSolvSetups(own->memory, &setups);
        CVodeGetNumJacEvals(own->memory, &jacobians);
        s->statistics.factorizations = setups;
        s->statistics.jacobians = jacobians;
    }
    return PC_OK;
}

static int interpolate(pc_stepper *s)
{
    cvode *own = s->own;
    int n = s->problem->n, order = 1;
    if (CVodeGetLastOrder(own->memory, &order) != CV_SUCCESS) return 1;
    double taylor[PC_DENSE_DEGREE + 1], scale = 1, *c = s->dense.c;
    s->dense.degree = order;
    for (int k = 0; k <= order; k++) {
        if (CVodeGetDky(own->memory, s->t, k, own->rate) != CV_SUCCESS) return 1;
        const double *d = N_VGetArrayPointer(own->rate);
        for (int i = 0; i < n; i++) c[i * (order + 1) + k] = d[i] * scale;
        scale *= s->h / (k + 1);
    }
    for (int i = 0; i < n; i++) {
        double *row = c + i * (order + 1);
        memcpy(taylor, row, (size_t)(order + 1) * sizeof *row);
        pc_poly_from_power(taylor, order, -1, 0, row);
        row[0] = s->y_old[i];
        row[order] = s->y[i];
    }
    return 0;
}

#define SETTINGS .rows = pc_ode_adaptive_rows, .n_rows = PC_ODE_ADAPTIVE_ROWS, .size = sizeof(pc_ode_settings)
#define CVODE_FUNCTIONS                                                                                                \
    .open = open_cvode, .close = close_cvode, .start = start, .step = step, .interpolate = interpolate

static const pc_schema adams_schema = {
    .name = "solver.adams",
    .summary = "Adams method of variable order up to 12 (CVODE): a second opinion for smooth motion.",
    .source = "Hindmarsh et al. (2005), SUNDIALS",
    .example = "print(percuss.solver.adams{ rtol = 1e-8 })",
    SETTINGS};

const pc_ode_method pc_ode_adams = {.schema = &adams_schema,
                                    .order = 12,
                                    .dense_order = 12,
                                    .dense_degree = PC_DENSE_DEGREE,
                                    .error_order = 12,
                                    .stages = 2,
                                    CVODE_FUNCTIONS};

static const pc_schema bdf_schema = {
    .name = "solver.bdf",
    .summary = "Backward differentiation of variable order up to 5 (CVODE): a second opinion for stiff systems.",
    .source = "Hindmarsh et al. (2005), SUNDIALS",
    .example = "print(percuss.solver.bdf{ rtol = 1e-8 })",
    SETTINGS};

const pc_ode_method pc_ode_bdf = {.schema = &bdf_schema,
                                  .order = 5,
                                  .dense_order = 5,
                                  .dense_degree = PC_DENSE_DEGREE,
                                  .error_order = 5,
                                  .stages = 2,
                                  .stiff = true,
                                  CVODE_FUNCTIONS};
