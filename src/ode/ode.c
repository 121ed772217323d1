/* The step loop: choice of the step size, acceptance, statistics; the list of methods and the rows of their settings;
 * breaks: see ode.h. */
#include "ode/ode.h"

#include "base/alloc.h"
#include "math/twin.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { VECTORS = 5 }; /* y, y_old, y_new, and two to look ahead with */

/* Places asked ahead of one step at most: a step that finds nothing ends there. */
enum { AHEAD = 4096 };

/* Step control. The new step is h * safety * error^-alpha * error_old^beta, alpha = 1/(error_order + 1) - 3/4 beta,
 * within these factors (Hairer, Norsett and Wanner, Solving ODEs I, II.4). */
static const double SHRINK = 0.2, GROW = 8;

/* ln 1e-4: smaller errors are no reason to distrust the next step, and it is what a motion starts with. */
static const double LOG_SMALL = -9.210340371976182;

pc_status pc_stepper_open(pc_stepper *s, const pc_ode_method *method, const pc_ode_problem *problem,
                          const pc_ode_settings *settings, pc_error *err)
{
    *s = (pc_stepper){.method = method, .problem = problem, .settings = *settings};
    if (problem->n < 1) return pc_fail(err, PC_E_ARGUMENT, "a system needs at least one equation");
    if (method->symplectic && (problem->n_positions < 1 || 2 * problem->n_positions != problem->n))
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s needs a system of as many positions as velocities; this one has %d positions among %d",
                       method->schema->name, problem->n_positions, problem->n);

    size_t n = (size_t)problem->n;
    s->stride = (n + 3) / 4 * 4;
    size_t dense = n * (size_t)(method->dense_degree + 1);
    size_t work = method->room ? method->room(method, n, s->stride) : 0;
    s->memory = pc_calloc(VECTORS * s->stride + work + dense, sizeof(double));
    s->pivots = pc_calloc(n, sizeof(int));
    if (!s->memory || !s->pivots) {
        pc_stepper_close(s);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d equations", problem->n);
    }
    s->y = s->memory;
    s->y_old = s->y + s->stride;
    s->y_new = s->y_old + s->stride;
    s->ahead = s->y_new + s->stride;
    s->work = s->ahead + 2 * s->stride;
    s->dense = (pc_dense){.n = problem->n, .degree = method->dense_degree, .c = s->work + work};
    pc_status status = method->open ? method->open(s, err) : PC_OK;
    if (status != PC_OK) pc_stepper_close(s);
    return status;
}

void pc_ode_statistics_add(pc_ode_statistics *sum, const pc_ode_statistics *more)
{
    sum->steps += more->steps;
    sum->rejected += more->rejected;
    sum->rhs_calls += more->rhs_calls;
    sum->jacobians += more->jacobians;
    sum->factorizations += more->factorizations;
}

void pc_stepper_close(pc_stepper *s)
{
    if (s->method && s->method->close && s->memory) s->method->close(s);
    pc_free(s->memory);
    pc_free(s->pivots);
    s->memory = NULL;
    s->pivots = NULL;
}

double pc_stepper_norm(const pc_stepper *s, const double *v)
{
    double sum = 0;
    int n = s->problem->n;
    for (int i = 0; i < n; i++) {
        double e = v[i] / pc_stepper_weight(s, i);
        sum += e * e;
    }
    return sqrt(sum / n);
}

bool pc_stepper_finite(const pc_stepper *s, const double *v)
{
    for (int i = 0; i < s->problem->n; i++)
        if (!isfinite(v[i])) return false;
    return true;
}

static pc_status stopped(const pc_stepper *s, pc_error *err)
{
    return pc_fail_stopped(err, s->t, "rhs", "the right-hand side asked to stop near t = %.17g", s->t);
}

static pc_status not_finite(const pc_stepper *s, pc_error *err)
{
    return pc_fail_at(err, PC_E_NUMERIC, s->t, "rhs", "the right-hand side is not finite near t = %.17g", s->t);
}

pc_status pc_stepper_start(pc_stepper *s, double t, const double *y, pc_error *err)
{
    pc_error_clear(err);
    s->t = s->t_old = t;
    if (y != s->y) memcpy(s->y, y, (size_t)s->problem->n * sizeof *y);
    memcpy(s->y_new, s->y, s->stride * sizeof *s->y);
    if (!isfinite(t) || !pc_stepper_finite(s, s->y))
        return pc_fail_at(err, PC_E_ARGUMENT, t, "start", "the state at t = %.17g is not finite", t);
    s->log_error_old = LOG_SMALL;
    s->rejected = s->not_finite = s->has_dense = false;
    s->ready = true;
    s->flat = 0;
    int got = s->method->start(s);
    if (got < 0) return stopped(s, err);
    return got > 0 ? not_finite(s, err) : PC_OK;
}

/* Starting step after Hairer, Norsett and Wanner, II.4: an explicit Euler step tells the size of y''. */
static int guess_step(pc_stepper *s, double t_end, double *h)
{
    int n = s->problem->n;
    double *y1 = s->y_old, *f0 = s->work, *f1 = s->y_new;
    int got = pc_stepper_rhs(s, s->t, s->y, f0);
    if (got != 0) return got;
    memcpy(s->y_new, s->y, s->stride * sizeof *s->y);
    double d0 = pc_stepper_norm(s, s->y), d1 = pc_stepper_norm(s, f0);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    double span = fabs(t_end - s->t), sign = t_end < s->t ? -1 : 1;
    h0 = fmin(h0, span);
    for (int i = 0; i < n; i++) y1[i] = s->y[i] + sign * h0 * f0[i];
    got = pc_stepper_rhs(s, s->t + sign * h0, y1, f1);
    if (got < 0) return got;
    double d2 = 0;
    for (int i = 0; i < n; i++) y1[i] = f1[i] - f0[i];
    memcpy(s->y_new, s->y, s->stride * sizeof *s->y);
    d2 = pc_stepper_norm(s, y1) / h0;
    double worst = fmax(d1, d2);
    double h1 = worst <= 1e-15 ? fmax(1e-6, 1e-3 * h0) : pow(0.01 / worst, 1.0 / (s->method->error_order + 1));
    *h = got > 0 || !isfinite(d2) ? h0 : fmin(100 * h0, fmin(h1, span));
    return isfinite(*h) && *h > 0 ? 0 : 1;
}

static int choose_first(pc_stepper *s, double t_end)
{
    if (s->method->error_order == 0)
        s->h_next = s->settings.step;
    else if (s->settings.first_step > 0)
        s->h_next = s->settings.first_step;
    else {
        int got = guess_step(s, t_end, &s->h_next);
        if (got != 0) return got;
        return s->method->start(s); /* the guess used the workspace */
    }
    return 0;
}

static void accept(pc_stepper *s, double t_new, double h)
{
    double *spare = s->y_old;
    s->y_old = s->y;
    s->y = s->y_new;
    s->y_new = spare;
    s->t_old = s->t;
    s->t = t_new;
    s->h = h;
    s->has_dense = false;
    s->ready = false;
    s->statistics.steps++;
}

/* New step size after an error estimate, given by its logarithm (-infinity: no error at all). */
static double next_step(const pc_stepper *s, double h, double log_error)
{
    const pc_ode_method *m = s->method;
    double alpha = 1.0 / (m->error_order + 1);
    if (log_error > 0) return h * fmax(SHRINK, m->safety * exp(-alpha * log_error));
    double factor = m->safety * exp((0.75 * m->beta - alpha) * log_error + m->beta * s->log_error_old);
    return h * fmin(s->rejected ? 1 : GROW, fmax(SHRINK, factor));
}

/* A function of t that does nothing for long and then something is stepped over where no stage of a step falls on it:
 * at rest, or where all goes on by itself, the error estimate is zero and steps have no bound. So before a step longer
 * than the time scale of f the rates of the state now are asked along it, that far apart. Where these change f acts by
 * itself: the step ends at the last place before that, and is no longer than the time scale if that is here. A system
 * whose rates follow from y alone goes on with its own steps, for one call in each time scale. */
static int look_ahead(pc_stepper *s, double sign, double *wanted)
{
    double scale = s->problem->time_scale;
    if (!(scale > 0) || !(*wanted > scale)) return 0;
    double *now = s->ahead, *then = now + s->stride;
    if (s->flat == 0 || s->at != s->t) {
        s->at = s->t;
        s->flat = scale;
        int got = pc_stepper_rhs(s, s->t, s->y, now);
        if (got != 0) return got;
    }
    /* s->flat: up to there, and at no place before it, did anything change */
    bool same = true;
    for (int k = 0; k < AHEAD && s->flat < *wanted && same; k++) {
        int got = pc_stepper_rhs(s, s->t + sign * s->flat, s->y, then);
        if (got < 0) return got;
        for (int i = 0; i < s->problem->n && same; i++) same = got == 0 && now[i] == then[i];
        if (same) s->flat += scale;
    }
    *wanted = fmin(*wanted, same ? s->flat : fmax(scale, s->flat - scale));
    return 0;
}

pc_status pc_stepper_step(pc_stepper *s, double t_end, pc_error *err)
{
    const pc_ode_method *m = s->method;
    pc_error_clear(err);
    if (m->step) return m->step(s, t_end, err);
    if (s->h_next == 0) {
        int got = choose_first(s, t_end);
        if (got < 0) return stopped(s, err);
        if (got > 0) return not_finite(s, err);
    }
    double sign = t_end < s->t ? -1 : 1;
    s->rejected = s->not_finite = false;
    for (;;) {
        if (s->statistics.steps + s->statistics.rejected >= s->settings.max_steps)
            return pc_fail_at(err, PC_E_LIMIT, s->t, "max_steps",
                              "%d steps, the solver's max_steps, did not reach t = %g; stopped at t = %.17g",
                              s->settings.max_steps, t_end, s->t);
        double wanted = m->error_order > 0 ? fmin(s->h_next, s->settings.max_step) : s->h_next,
               left = fabs(t_end - s->t);
        if (m->error_order > 0) {
            double reach = fmin(wanted, left), seen = reach;
            int got = look_ahead(s, sign, &seen);
            if (got < 0) return stopped(s, err);
            if (got > 0) return not_finite(s, err);
            if (seen < reach) wanted = seen;
        }
        bool last = wanted * (1 + 1e-10) >= left;
        /* two nearly equal steps to the end rather than one and a stub */
        double h = last ? left : m->error_order > 0 && wanted > 0.5 * left ? 0.5 * left : wanted;
        double t_new = last ? t_end : s->t + sign * h;
        if (t_new == s->t || (h < 4 * DBL_EPSILON * fabs(s->t) && !last)) {
            if (s->not_finite) return not_finite(s, err);
            return pc_fail_at(err, PC_E_NUMERIC, s->t, "step",
                              "the step size fell to the rounding of t = %.17g: the solution is singular there, its "
                              "rates jump at a time that is not among the breaks, or the tolerances cannot be met",
                              s->t);
        }
        h = t_new - s->t; /* what the step really is, with its sign */

        double error = 0;
        int got = m->attempt(s, h, &error);
        if (got < 0) return stopped(s, err);
        bool good = got == 0 && (m->error_order > 0 ? error <= 1 : pc_stepper_finite(s, s->y_new));
        if (good) {
            if (m->error_order > 0) {
                double log_error = log(error), proposal = next_step(s, fabs(h), log_error);
                /* a step cut short by t_end says nothing against the longer one that was wanted */
                s->h_next = last && !s->rejected && wanted < s->settings.max_step ? fmax(proposal, wanted) : proposal;
                s->log_error_old = fmax(log_error, LOG_SMALL);
            }
            accept(s, t_new, h);
            return PC_OK;
        }
        s->statistics.rejected++;
        s->not_finite = got > 0 || !(error <= DBL_MAX);
        if (m->error_order == 0) return not_finite(s, err);
        s->h_next = s->not_finite ? 0.25 * fabs(h) : next_step(s, fabs(h), log(error));
        s->rejected = true;
    }
}

pc_status pc_stepper_dense(pc_stepper *s, const pc_dense **dense, pc_error *err)
{
    pc_error_clear(err);
    if (!s->has_dense) {
        s->dense.t = s->t_old;
        s->dense.h = s->h;
        int got = s->method->interpolate(s);
        if (got < 0) return stopped(s, err);
        if (got > 0) return not_finite(s, err);
        s->has_dense = true;
    }
    *dense = &s->dense;
    return PC_OK;
}

const pc_row pc_ode_adaptive_rows[PC_ODE_ADAPTIVE_ROWS] = {
    PC_ROW(pc_ode_settings, rtol, "rtol", .initial = 1e-9, .allowed = {1e-15, 1, false, true}, .sample = {1e-10, 1e-4},
           .doc = "Error of a step allowed relative to the size of each component."),
    PC_ROW(pc_ode_settings, atol, "atol", .initial = 1e-12, .allowed = {0, INFINITY, true, true},
           .sample = {1e-12, 1e-6}, .doc = "Error of a step allowed whatever the size of a component."),
    PC_ROW(pc_ode_settings, first_step, "first_step", .initial = 0, .allowed = {0, INFINITY, false, true},
           .doc = "First step to try; 0: chosen from the problem."),
    PC_ROW(pc_ode_settings, max_step, "max_step", .initial = INFINITY, .allowed = {0, INFINITY, true, false},
           .doc = "No step is longer than this."),
    PC_ROW(pc_ode_settings, max_steps, "max_steps", .initial = 1000000, .allowed = {1, 2e9, false, false},
           .doc = "Steps, accepted and rejected, after which the run ends with the error `limit`."),
};

const pc_row pc_ode_fixed_rows[PC_ODE_FIXED_ROWS] = {
    PC_ROW(pc_ode_settings, step, "step", .initial = PC_REQUIRED, .allowed = {0, INFINITY, true, true},
           .sample = {1e-3, 1e-1}, .doc = "Length of every step; the last one may be shorter."),
    PC_ROW(pc_ode_settings, max_steps, "max_steps", .initial = 10000000, .allowed = {1, 2e9, false, false},
           .doc = "Steps after which the run ends with the error `limit`."),
};

const pc_ode_method *const pc_ode_methods[] = {
#define PC_ODE_METHOD(name) &pc_ode_##name,
#include "ode/methods.def"
#undef PC_ODE_METHOD
};

const int pc_n_ode_methods = (int)(sizeof pc_ode_methods / sizeof *pc_ode_methods);

/* How many breaks lie before t, or at it if `with`. */
static int count(const pc_breaks *b, double t, int with)
{
    int lo = 0, hi = b->n;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (b->t[middle] < t || (with && b->t[middle] == t))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

double pc_breaks_next(const pc_breaks *b, double t, double t_end)
{
    if (t_end >= t) {
        int i = count(b, t, 1);
        return i < b->n && b->t[i] < t_end ? b->t[i] : t_end;
    }
    int i = count(b, t, 0) - 1;
    return i >= 0 && b->t[i] > t_end ? b->t[i] : t_end;
}

static double beside(double t)
{
    return fmax(4 * DBL_EPSILON * fabs(t), DBL_MIN);
}

pc_span pc_breaks_span(const pc_breaks *b, double t, int forwards)
{
    int after = count(b, t, forwards);
    pc_span span = {-INFINITY, INFINITY};
    if (after > 0) span.from = b->t[after - 1] + beside(b->t[after - 1]);
    if (after < b->n) span.to = b->t[after] - beside(b->t[after]);
    return span;
}

double pc_dense_place(const pc_dense *dense, double t)
{
    double x = (t - dense->t) / dense->h;
    return t == dense->t + dense->h || x > 1 ? 1 : x > 0 ? x : 0;
}

void pc_dense_eval(const pc_dense *dense, double x, double *y)
{
    if (x != 1) {
        pc_poly_eval_rows(dense->c, dense->n, dense->degree, x, y);
        return;
    }
    const double *end = dense->c + dense->degree; /* as it does, since many arcs end at what happens */
    for (int i = 0; i < dense->n; i++, end += dense->degree + 1) y[i] = *end;
}

/* x^a (1 - x)^b = sum_j C(degree - a - b, j - a)/C(degree, j) B_j(x): multiply by (x + 1 - x)^(degree - a - b). */
void pc_dense_prepare(pc_dense_form *form, int degree, const pc_dense_term *terms, int n_terms)
{
    if (form->terms == terms) return;
    form->terms = terms;
    for (int k = 0; k < n_terms; k++) {
        int raise = degree - terms[k].a - terms[k].b;
        for (int j = 0; j <= degree; j++)
            form->shape[k][j] = pc_binomial(raise, j - terms[k].a) / pc_binomial(degree, j);
    }
}

void pc_dense_assemble(pc_dense *dense, pc_dense_form *form, const double *y0, const double *y1,
                       const pc_dense_term *terms, int n_terms, const double *f, size_t stride)
{
    int degree = dense->degree;
    double share = 1.0 / degree;
    pc_dense_prepare(form, degree, terms, n_terms);
    for (int i = 0; i < dense->n; i++) {
        double *c = dense->c + i * (degree + 1), delta = (y1[i] - y0[i]) * share;
        double sum[PC_DENSE_DEGREE + 2];
        for (int j = 0; j <= degree; j += 2) { /* the rows have room for one more */
            pc_twin two = {y0[i] + delta * j, y0[i] + delta * (j + 1)};
            for (int k = 0; k < n_terms; k++)
                two += f[(size_t)k * stride + (size_t)i] * pc_twin_load(&form->shape[k][j]);
            pc_twin_store(sum + j, two);
        }
        for (int j = 1; j < degree; j++) c[j] = sum[j];
        c[0] = y0[i];
        c[degree] = y1[i];
    }
}

/* ---- a recorded motion, in two pools ---- */

pc_status pc_trajectory_append(pc_trajectory *trajectory, const pc_dense *dense, double stop, pc_error *err)
{
    pc_pool *coefficients = &trajectory->coefficients;
    size_t first = coefficients->used, count = (size_t)dense->n * (size_t)(dense->degree + 1);
    pc_arc arc = {dense->t, dense->h, stop, dense->n, dense->degree, first};
    pc_status status = pc_pool_append(coefficients, dense->c, count, sizeof *dense->c, err);
    if (status == PC_OK) status = pc_pool_append(&trajectory->arcs, &arc, 1, sizeof arc, err);
    if (status == PC_OK) return PC_OK;
    coefficients->used = first;
    return pc_fail_at(err, status, stop, "memory", "not enough memory to record the motion at t = %.17g", stop);
}

size_t pc_trajectory_find(const pc_trajectory *trajectory, double t, int side)
{
    size_t lo = 0, hi;
    const pc_arc *arcs = pc_trajectory_arcs(trajectory, &hi);
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        double left = arcs[middle].h > 0 ? arcs[middle].stop - t : t - arcs[middle].stop;
        if (left > 0 || (left == 0 && side < 0))
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

pc_dense pc_trajectory_dense(const pc_trajectory *trajectory, size_t arc)
{
    const pc_arc *a = (const pc_arc *)trajectory->arcs.data + arc;
    return (pc_dense){a->t, a->h, a->n, a->degree, (double *)trajectory->coefficients.data + a->coefficient};
}

size_t pc_trajectory_at(const pc_trajectory *trajectory, double t, int side, int n, double *y)
{
    size_t arc = pc_trajectory_find(trajectory, t, side);
    if (arc == trajectory->arcs.used) arc--;
    pc_dense dense = pc_trajectory_dense(trajectory, arc);
    dense.n = n;
    pc_dense_eval(&dense, pc_dense_place(&dense, t), y);
    return arc;
}

void pc_trajectory_free(pc_trajectory *trajectory)
{
    pc_pool_free(&trajectory->arcs);
    pc_pool_free(&trajectory->coefficients);
}
