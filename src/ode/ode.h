/* Ordinary differential equations y' = f(t, y), one step at a time.
 *
 * A *problem* is functions and a size. A *method* makes one step with an error estimate and turns it into a
 * polynomial; it knows nothing else. A *stepper* holds a method in motion: it chooses the steps, keeps the statistics
 * and owns the workspace, which is allocated once. Events, recording and stop rules belong to the caller.
 */
#ifndef PC_ODE_ODE_H
#define PC_ODE_ODE_H

#include "base/alloc.h"
#include "base/row.h"
#include "base/status.h"
#include "math/roots.h"

#include <stdbool.h>
#include <stddef.h>

/* Dense output: one step as a polynomial per component, in the Bernstein basis of the step.
 *
 *     y_i(t + x h) = sum_j c[i (degree + 1) + j] C(degree, j) x^j (1 - x)^(degree - j),   0 <= x <= 1
 *
 * The first and last coefficients are the states at both ends, bit for bit, so consecutive steps join exactly, and
 * whatever is linear in the state is a polynomial of the same degree with the same combination of coefficients.
 */

enum { PC_DENSE_DEGREE = 12 }; /* the highest that a method may use */

typedef struct pc_dense {
    double t, h; /* from t to t + h; h < 0 integrates backwards */
    int n, degree;
    double *c; /* n rows of degree + 1 */
} pc_dense;

/* Where t lies in the step, clipped to [0, 1]; exact at both ends. */
double pc_dense_place(const pc_dense *dense, double t);

/* The state at the fraction x of the step. */
void pc_dense_eval(const pc_dense *dense, double x, double *y);

/* Interpolants are published as y0 + x (y1 - y0) + sum_k F_k x^a_k (1 - x)^b_k. */
typedef struct pc_dense_term {
    int a, b;
} pc_dense_term;
enum { PC_DENSE_TERMS = 6 };

/* The terms in the Bernstein basis, worked out at the first use; all zero before. */
typedef struct pc_dense_form {
    const pc_dense_term *terms; /* of which */
    double shape[PC_DENSE_TERMS][PC_DENSE_DEGREE + 2];
} pc_dense_form;

void pc_dense_prepare(pc_dense_form *form, int degree, const pc_dense_term *terms, int n_terms);

/* Bernstein coefficients from such a form; F_k of component i at f[k * stride + i]. `form` is kept from step to step,
 * with the same terms and degree. */
void pc_dense_assemble(pc_dense *dense, pc_dense_form *form, const double *y0, const double *y1,
                       const pc_dense_term *terms, int n_terms, const double *f, size_t stride);

/* ---- a recorded motion: the polynomials of its steps, one after another ---- */

/* An arc is the dense output of a step up to where it stopped counting, at its end or at an event within it. Arcs are
 * in the order of time, which may run backwards, and join: each begins where the one before stopped. Where something
 * jumped, the state at that time is the last of one arc and the first of the next. */
typedef struct pc_arc {
    double t, h, stop;  /* polynomial on t .. t + h, h not 0, valid up to `stop` */
    int n, degree;      /* components of the state, and of their polynomials */
    size_t coefficient; /* the first of n rows of degree + 1 */
} pc_arc;

typedef struct pc_trajectory {
    pc_pool arcs, coefficients; /* pc_arc, double */
} pc_trajectory;

static inline const pc_arc *pc_trajectory_arcs(const pc_trajectory *trajectory, size_t *n)
{
    *n = trajectory->arcs.used;
    return trajectory->arcs.data;
}

/* Add a step up to `stop`. On failure the trajectory is as before. */
pc_status pc_trajectory_append(pc_trajectory *trajectory, const pc_dense *dense, double stop, pc_error *err);

/* The first arc that stops after t, or at t for side < 0; the number of arcs: none does. */
size_t pc_trajectory_find(const pc_trajectory *trajectory, double t, int side);

/* The first n components at a time within the motion; where the state jumps side < 0 gives it before and otherwise
 * after. There are arcs, and the result is the one that told it: beyond the last one, that. */
size_t pc_trajectory_at(const pc_trajectory *trajectory, double t, int side, int n, double *y);

/* The polynomial of an arc; its coefficients are the trajectory's, until something is added. */
pc_dense pc_trajectory_dense(const pc_trajectory *trajectory, size_t arc);

void pc_trajectory_free(pc_trajectory *trajectory);

/* Functions of the caller return 0; a positive number where they cannot be evaluated here (the step is tried again,
 * shorter); a negative one to stop (the stepper returns PC_E_CALLBACK). A result that is not finite counts as
 * "cannot be evaluated here". */
typedef int (*pc_rhs)(double t, const double *y, double *dydt, void *context);

/* df/dy, row-major n x n: dfdy[i * n + j] = d f_i/d y_j; zeroed before the call. */
typedef int (*pc_jacobian)(double t, const double *y, double *dfdy, void *context);

/* Where nobody says how f depends on t, what it does by t alone is taken to last at least this share of the time that
 * is integrated. */
#define PC_ODE_SHARE (1.0 / 256)

typedef struct pc_ode_problem {
    int n;
    pc_rhs rhs;
    pc_jacobian jacobian; /* NULL: by differences, where a method needs one */
    void *context;
    int n_positions;     /* for methods that need it: y begins with n_positions positions, whose rates depend on the
                        velocities that follow alone; for symplectic ones, that is all of y, and the rates of the
                        velocities depend on t and the positions alone; else 0 */
    bool autonomous;     /* f does not depend on t: saves stiff methods a call */
    double time_scale;   /* what f does by t alone lasts at least so long: see ode.c; 0: no step need care */
    const double *scale; /* sizes of the components, by which atol is multiplied; NULL: all 1 */
} pc_ode_problem;

/* What can be set. Methods of fixed step use `step` and `max_steps`, the others everything but `step`. */
typedef struct pc_ode_settings {
    double rtol, atol; /* the error of a step is held below atol + rtol |y| (root mean square over the components) */
    double first_step; /* 0: chosen */
    double max_step;   /* infinite: no limit */
    double step;
    int max_steps; /* accepted and rejected together */
} pc_ode_settings;

typedef struct pc_ode_statistics {
    long steps, rejected, rhs_calls, jacobians, factorizations;
} pc_ode_statistics;

void pc_ode_statistics_add(pc_ode_statistics *sum, const pc_ode_statistics *more);

typedef struct pc_ode_method pc_ode_method;

/* A method in motion. After a step: the state y at t, y_old at t_old, h = t - t_old. Vectors have `stride` >= n
 * elements, a multiple of 4; what lies beyond n is zero and stays zero, so that kernels run without a remainder. */
typedef struct pc_stepper {
    const pc_ode_method *method;
    const pc_ode_problem *problem;
    pc_ode_settings settings;
    double t, t_old, h;
    size_t stride;
    double *y, *y_old, *y_new;
    double *work; /* the method's own vectors */
    int *pivots;
    void *own;          /* what else a method keeps */
    const void *kernel; /* and with what it computes */
    bool ready;         /* the workspace belongs to (t, y): the next attempt may build on the last one */

    double h_next, log_error_old;
    double *ahead;   /* two vectors: the rates at (t, y), and at a later t */
    double flat, at; /* how far beyond the time `at` f depends on y alone, as far as it was asked */
    bool rejected;   /* the last attempt of this step was refused */
    bool not_finite; /* and a value was not finite */
    pc_dense dense;
    pc_dense_form form;
    bool has_dense; /* dense describes the last step */
    pc_ode_statistics statistics;
    double *memory;
} pc_stepper;

/* A method describes itself. Its functions return what the caller's functions return: 0, > 0, < 0. */
struct pc_ode_method {
    const pc_schema *schema; /* of pc_ode_settings; named "solver.dop853" */
    int order;               /* of the step */
    int dense_order;         /* the interpolant's error is O(h^(dense_order + 1)) */
    int dense_degree;        /* of the polynomial, at most PC_DENSE_DEGREE */
    int error_order;         /* the estimate shrinks as h^(error_order + 1); 0: fixed step */
    int stages;              /* right-hand sides of one step */
    bool stiff;              /* L-stable, uses a Jacobian */
    bool symplectic;         /* needs n_positions */
    double beta;             /* weight of the previous error in the step control (Hairer and Wanner, IV.2) */
    double safety;           /* share taken of the step that would just meet the tolerance */
    const void *table;       /* coefficients, for methods that share code */

    size_t (*room)(const pc_ode_method *method, size_t n, size_t stride); /* doubles of workspace */
    pc_status (*open)(pc_stepper *s, pc_error *err);                      /* NULL: nothing to do */
    void (*close)(pc_stepper *s);                                         /* NULL: nothing to do */
    int (*start)(pc_stepper *s);                                          /* (t, y) is new: no memory of before */
    int (*attempt)(pc_stepper *s, double h, double *error);               /* y_new; *error <= 1 is good enough */
    int (*interpolate)(pc_stepper *s);                                    /* fill dense.c for the step just made */

    /* Methods that choose their own steps have this instead of `attempt`. */
    pc_status (*step)(pc_stepper *s, double t_end, pc_error *err);
};

/* Rows of the settings, for the schemas of methods. */
enum { PC_ODE_ADAPTIVE_ROWS = 5, PC_ODE_FIXED_ROWS = 2 };
extern const pc_row pc_ode_adaptive_rows[PC_ODE_ADAPTIVE_ROWS], pc_ode_fixed_rows[PC_ODE_FIXED_ROWS];
#define PC_ODE_ADAPTIVE PC_ROWS(pc_ode_adaptive_rows), .size = sizeof(pc_ode_settings)
#define PC_ODE_FIXED PC_ROWS(pc_ode_fixed_rows), .size = sizeof(pc_ode_settings)

/* The methods of methods.def, and the list of them in its order. */
#define PC_ODE_METHOD(name) extern const pc_ode_method pc_ode_##name;
#include "ode/methods.def"
#undef PC_ODE_METHOD
extern const pc_ode_method *const pc_ode_methods[];
extern const int pc_n_ode_methods;

/* Workspace for a problem; `problem` must stay alive. On failure the stepper is empty and may be closed. */
pc_status pc_stepper_open(pc_stepper *s, const pc_ode_method *method, const pc_ode_problem *problem,
                          const pc_ode_settings *settings, pc_error *err);
void pc_stepper_close(pc_stepper *s);

/* Begin at (t, y), or go on from there after something jumped: everything remembered of the past is dropped but
 * the step size. `y` may be the stepper's own. */
pc_status pc_stepper_start(pc_stepper *s, double t, const double *y, pc_error *err);

/* One accepted step towards t_end, which is hit exactly when it is near. */
pc_status pc_stepper_step(pc_stepper *s, double t_end, pc_error *err);

/* The polynomial of the last step. Made on demand: some methods call the right-hand side for it. */
pc_status pc_stepper_dense(pc_stepper *s, const pc_dense **dense, pc_error *err);

/* For methods. */
static inline int pc_stepper_rhs(pc_stepper *s, double t, const double *y, double *dydt)
{
    s->statistics.rhs_calls++;
    return s->problem->rhs(t, y, dydt, s->problem->context);
}

/* The error that component i may have: atol scale_i + rtol max(|y_i|, |y_new_i|). */
static inline double pc_stepper_weight(const pc_stepper *s, int i)
{
    double a = s->y[i] < 0 ? -s->y[i] : s->y[i], b = s->y_new[i] < 0 ? -s->y_new[i] : s->y_new[i];
    double atol = s->problem->scale ? s->settings.atol * s->problem->scale[i] : s->settings.atol;
    return atol + s->settings.rtol * (a > b ? a : b);
}

/* Root mean square of v_i over that. */
double pc_stepper_norm(const pc_stepper *s, const double *v);

bool pc_stepper_finite(const pc_stepper *s, const double *v);

/* Breaks: times at which a right-hand side jumps or has a kink by t alone.
 *
 * No step crosses one: a method ends there and starts afresh. Which of its two values f has at a break itself is up to
 * comparisons in it (t < 5, t <= 5), and no method can know. So it is never asked there: within a step that ends at a
 * break its last value is that just before, and the first of the next step that just after, 4 roundings of t away.
 */

typedef struct pc_breaks {
    const double *t; /* ascending */
    int n;
} pc_breaks;

/* Where a step that begins at t on the way to t_end has to end: at the first break after t, or at t_end. */
double pc_breaks_next(const pc_breaks *breaks, double t, double t_end);

/* The times at which f may be asked between two breaks. */
typedef struct pc_span {
    double from, to;
} pc_span;

/* Those of a step that begins at t, forwards or backwards in time. */
pc_span pc_breaks_span(const pc_breaks *breaks, double t, int forwards);

static inline double pc_span_clip(const pc_span *span, double t)
{
    return t < span->from ? span->from : t > span->to ? span->to : t;
}

/* Right-hand sides that are built in: equations that every work on integrators uses, and the oscillators of a first
 * course. A script gives one as `rhs` and pays no call into Lua.
 */

enum { PC_ODE_SYSTEM_SIZE = 4 };

typedef struct pc_ode_system {
    const pc_schema *schema; /* schema->size bytes of parameters: `context` of the functions */
    int n;                   /* components */
    const char *names[PC_ODE_SYSTEM_SIZE];
    double start[PC_ODE_SYSTEM_SIZE]; /* the customary state at the start */
    pc_rhs rhs;
    pc_jacobian jacobian;
    int n_positions; /* see pc_ode_problem */
} pc_ode_system;

/* All, in the order of help; none depends on t. */
extern const pc_ode_system pc_ode_systems[];
extern const int pc_n_ode_systems;

#endif
