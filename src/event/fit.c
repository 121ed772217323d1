/* Fits of event functions along a step: see fit.h.
 *
 * g is sampled at Chebyshev points, of degree 8 first and 16 if that is not enough (the nine points are among the
 * seventeen). The last Chebyshev coefficient and the errors at three points that belong to no grid tell how far the
 * series has converged. What does not converge is halved. Trefethen, Approximation Theory and Approximation Practice
 * (2013), chapters 4 and 8.
 */
#include "event/fit.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { LOW = 8, HIGH = 16, NODES = HIGH + 1 };

/* A kink takes one chain of halvings as deep as doubles go; a step that would take more in all is not worth it, and
 * the remaining parts keep their error. */
enum { DEPTH = 40, HALVINGS = 20000 };

/* Parts as short as this share of the time are not told apart from an instant. */
static const double INSTANT = 8 * DBL_EPSILON;

/* Places about midway between neighbours of both grids, in no ratio to each other. */
enum { CHECKS = 3 };
static const double CHECK_AT[CHECKS] = {0.2644508497187474, 0.4485281374238570, 0.7353104294119243};

/* What is known to be clear up to somewhere reaches zero soon after, in most cases: a piece of this length then needs a
 * low degree. */
static const double NEAR = 0.125;

/* Halving that no longer reduces the error means noise or a kink; below this share of max |g|, or so many times the
 * noise, it is accepted. */
static const double PLATEAU = 1e-8, NOISY = 64;

/* Where so many halvings in a row leave more than this share of the error, after as many in all as a few jumps do not
 * need, it is noise, whatever its size (forces of contacts that rounding makes dependent or not). A kink leaves half of
 * it at each. */
enum { IN_VAIN = 16, MANY = 400 };
static const double KEPT = 0.1;

/* The same for every fitter, made when the first one is. */
static struct {
    double node[NODES];                /* on [0, 1] */
    double series[2][NODES][NODES];    /* samples to Chebyshev coefficients, of both degrees */
    double bernstein[2][NODES][NODES]; /* Chebyshev to Bernstein coefficients */
} table;
static pthread_once_t table_made = PTHREAD_ONCE_INIT;

struct pc_fitter {
    int n;
    const pc_dense *dense;
    long calls;
    int known[NODES];
    double until;         /* what the nodes belong to: the step up to there */
    double *state[NODES]; /* the `known` first components of y at the nodes of that, for all events */
    double *y;
    double memory[];
};

/* T_m in the Bernstein basis of degree d: T_m = sum_i (-1)^(m-i) C(2m, 2i) x^i (1-x)^(m-i), raised to degree d.
 * All terms are integers below 2^53. */
static double chebyshev_in_bernstein(int m, int d, int j)
{
    double sum = 0;
    for (int i = 0; i <= m; i++) sum += ((m - i) % 2 ? -1 : 1) * pc_binomial(2 * m, 2 * i) * pc_binomial(d - m, j - i);
    return sum / pc_binomial(d, j);
}

static void make_table(void)
{
    double cosine[2 * HIGH + 1];
    for (int k = 0; k <= 2 * HIGH; k++) cosine[k] = cos(M_PI * k / HIGH);
    for (int k = 0; k < NODES; k++) table.node[k] = k == 0 ? 0 : k == HIGH ? 1 : 0.5 * (1 - cosine[k]);
    for (int level = 0; level < 2; level++) {
        int d = level ? HIGH : LOW, stride = HIGH / d;
        for (int m = 0; m <= d; m++) {
            for (int k = 0; k <= d; k++) {
                double t = cosine[m * (d - k) % (2 * d) * stride]; /* T_m at node k */
                double half = (m == 0 || m == d ? 0.5 : 1) * (k == 0 || k == d ? 0.5 : 1);
                table.series[level][m][k] = 2.0 / d * half * t;
                table.bernstein[level][k][m] = chebyshev_in_bernstein(m, d, k);
            }
        }
    }
}

pc_fitter *pc_fitter_new(int n)
{
    pthread_once(&table_made, make_table);
    size_t doubles = (size_t)n * (NODES + 1);
    pc_fitter *f = pc_calloc(1, sizeof *f + doubles * sizeof(double));
    if (!f) return NULL;
    f->n = n;
    for (int k = 0; k < NODES; k++) f->state[k] = f->memory + (size_t)n * (size_t)k;
    f->y = f->memory + (size_t)n * NODES;
    return f;
}

void pc_fitter_free(pc_fitter *fitter)
{
    pc_free(fitter);
}

long pc_fitter_calls(const pc_fitter *fitter)
{
    return fitter->calls;
}

void pc_fitter_begin(pc_fitter *fitter, const pc_dense *dense)
{
    fitter->dense = dense;
    fitter->until = 1;
    memset(fitter->known, 0, sizeof fitter->known);
}

static double time_at(const pc_fitter *f, double x)
{
    return x == 1 ? f->dense->t + f->dense->h : f->dense->t + x * f->dense->h;
}

static pc_status call(pc_fitter *f, const pc_event *event, double t, const double *y, double *g, pc_error *err)
{
    f->calls++;
    if (err) err->code = PC_OK;
    int got = event->g(t, y, g, event->context);
    if (got != 0 && err && err->code != PC_OK) return err->code; /* the caller has filled the record */
    if (got != 0)
        return pc_fail_at(err, PC_E_CALLBACK, t, event->name, "event %s asked to stop at t = %.17g", event->name, t);
    if (!isfinite(*g))
        return pc_fail_at(err, PC_E_NUMERIC, t, event->name, "event %s is %s at t = %.17g", event->name,
                          isnan(*g) ? "not a number" : "infinite", t);
    return PC_OK;
}

/* How many components of y an event needs. */
static int needed(const pc_fitter *f, const pc_event *event)
{
    return event->leading > 0 ? event->leading : f->dense->n;
}

/* The first components of y at the fraction x of the step. */
static void state_at(const pc_fitter *f, int n, double x, double *y)
{
    pc_dense part = *f->dense;
    part.n = n;
    pc_dense_eval(&part, x, y);
}

pc_status pc_fitter_value(pc_fitter *f, const pc_event *event, double x, double *g, pc_error *err)
{
    state_at(f, needed(f, event), x, f->y);
    return call(f, event, time_at(f, x), f->y, g, err);
}

pc_status pc_fitter_check(pc_fitter *f, const pc_event *event, double x, bool *holds, pc_error *err)
{
    *holds = true;
    if (!event->holds) return PC_OK;
    state_at(f, needed(f, event), x, f->y);
    if (err) err->code = PC_OK;
    int got = event->holds(time_at(f, x), f->y, event->context);
    *holds = got > 0;
    if (got < 0 && err && err->code != PC_OK) return err->code;
    return got >= 0 ? PC_OK
                    : pc_fail_at(err, PC_E_CALLBACK, time_at(f, x), event->name, "event %s asked to stop at t = %.17g",
                                 event->name, time_at(f, x));
}

typedef struct job {
    pc_fitter *f;
    const pc_event *event;
    pc_fit_visit visit;
    void *context;
    double scale;  /* max |g| seen on the step */
    double noise;  /* what rounding does to g */
    int halvings;  /* of the step so far */
    bool enough;   /* the visitor has seen what it came for */
    double *worst; /* see pc_fitter_run */
    pc_error *err;
} job;

/* g at node k of the part [lo, hi]. */
static pc_status sample(job *w, double lo, double hi, int k, double *g)
{
    pc_fitter *f = w->f;
    pc_status status;
    if (lo == 0 && hi == f->until) {
        int n = needed(f, w->event);
        if (f->known[k] < n) {
            state_at(f, n, hi * table.node[k], f->state[k]);
            f->known[k] = n;
        }
        status = call(f, w->event, time_at(f, hi * table.node[k]), f->state[k], g, w->err);
    } else {
        status = pc_fitter_value(f, w->event, lo + (hi - lo) * table.node[k], g, w->err);
    }
    w->scale = fmax(w->scale, fabs(*g));
    return status;
}

/* What rounding does to g where its caller does not say: the change when each argument moves by a few units of its
 * last place, at both ends of the step. No two of fifty arguments move alike at both ends, or g could hide in their sum
 * or difference. Without this, a g that cancels, such as x - 1 on an arc that leaves x = 1 by 1e-16, could never be
 * fitted to its own size. */
static pc_status measure_noise(job *w, double g_lo, double g_hi)
{
    pc_fitter *f = w->f;
    for (int end = 0; end < 2; end++) {
        const double *y = f->state[end ? HIGH : 0];
        double t = time_at(f, end ? f->until : 0), g;
        for (int i = 0; i < f->n; i++) {
            int units = end ? 2 + i / 5 % 5 : i % 2 ? -2 - i % 5 : 2 + i % 5;
            f->y[i] = y[i] * (1 + units * DBL_EPSILON);
        }
        pc_status status = call(f, w->event, t * (1 + 4 * DBL_EPSILON), f->y, &g, w->err);
        if (status != PC_OK) return status;
        w->noise = fmax(w->noise, fabs(g - (end ? g_hi : g_lo)));
    }
    return PC_OK;
}

/* Fit of one degree from samples at every second or every node; gives the error as far as the series shows it. */
static double fit_samples(int level, const double *g, pc_fit *fit)
{
    int d = level ? HIGH : LOW, stride = HIGH / d;
    double c[NODES] = {0};
    for (int m = 0; m <= d; m++) {
        for (int k = 0; k <= d; k++) c[m] += table.series[level][m][k] * g[k * stride];
    }
    for (int j = 0; j <= d; j++) {
        fit->b[j] = 0;
        for (int m = 0; m <= d; m++) fit->b[j] += table.bernstein[level][j][m] * c[m];
    }
    fit->b[0] = g[0];
    fit->b[d] = g[HIGH];
    fit->degree = d;
    return fabs(c[d]);
}

/* Halvings in a row that have left most of the error which the first of them met. */
typedef struct vain {
    double error;
    int halvings;
} vain;

/* One part: fit, raise the degree, or halve. `before`: error of the part that this is half of. */
static pc_status part(job *w, double lo, double hi, double g_lo, double g_hi, int depth, double before, vain row)
{
    pc_fitter *f = w->f;
    double g[NODES] = {0}, check[CHECKS];
    g[0] = g_lo;
    g[HIGH] = g_hi;
    pc_fit fit = {.lo = lo, .hi = hi};
    double tail = 0;
    pc_status status;
    for (int k = 0; k < CHECKS; k++) {
        status = pc_fitter_value(f, w->event, lo + (hi - lo) * CHECK_AT[k], &check[k], w->err);
        if (status != PC_OK) return status;
        w->scale = fmax(w->scale, fabs(check[k]));
    }
    for (int level = 0; level < 2; level++) {
        for (int k = level ? 1 : 2; k < HIGH; k += 2) {
            status = sample(w, lo, hi, k, &g[k]);
            if (status != PC_OK) return status;
        }
        tail = fit_samples(level, g, &fit);
        for (int k = 0; k < CHECKS; k++)
            tail = fmax(tail, fabs(check[k] - pc_poly_eval(fit.b, fit.degree, CHECK_AT[k])));
        if (tail <= fmax(0.25 * PC_EVENT_FIT * w->scale, w->noise)) break;
    }
    bool good = tail <= fmax(0.25 * PC_EVENT_FIT * w->scale, w->noise);
    bool plateau = tail > 0.25 * before && tail < fmax(PLATEAU * w->scale, NOISY * w->noise);
    row = tail > KEPT * row.error ? (vain){row.error, row.halvings + 1} : (vain){tail, 0};
    if (!good && row.halvings >= IN_VAIN && w->halvings >= MANY) w->noise = fmax(w->noise, tail);
    good |= tail <= w->noise;
    bool instant = (hi - lo) * fabs(f->dense->h) <= INSTANT * fabs(f->dense->t);
    if (good || plateau || instant || depth == DEPTH || w->halvings >= HALVINGS) {
        fit.error = 4 * tail + w->noise;
        if (!good && w->scale > 0) *w->worst = fmax(*w->worst, fit.error / w->scale);
        return w->visit(&fit, w->context, &w->enough, w->err);
    }
    if (pc_interrupted())
        return pc_fail_at(w->err, PC_E_INTERRUPTED, time_at(f, lo), w->event->name, "interrupted in event %s",
                          w->event->name);
    w->halvings++;
    double middle = 0.5 * (lo + hi), g_middle;
    status = pc_fitter_value(f, w->event, middle, &g_middle, w->err);
    if (status == PC_OK) status = part(w, lo, middle, g_lo, g_middle, depth + 1, tail, row);
    return status == PC_OK && !w->enough ? part(w, middle, hi, g_middle, g_hi, depth + 1, tail, row) : status;
}

/* What is linear in t and y: the same combination of the coefficients. Its error is rounding alone. */
static void combine(const pc_event *event, const pc_dense *dense, pc_fit *fit)
{
    int d = dense->degree, row = d + 1;
    const double *w = event->linear;
    double size = 0, t_end = dense->t + dense->h;
    for (int j = 0; j <= d; j++) {
        double t = j == d ? t_end : dense->t + dense->h * j / d;
        double sum = w[0] + w[1] * t, terms = fabs(w[0]) + fabs(w[1] * t);
        for (int i = 0; i < dense->n; i++) {
            double term = w[2 + i] * dense->c[i * row + j];
            sum += term;
            terms += fabs(term);
        }
        fit->b[j] = sum;
        size = fmax(size, terms);
    }
    fit->degree = d;
    fit->lo = 0;
    fit->hi = 1;
    fit->error = 2 * DBL_EPSILON * size;
}

pc_status pc_fitter_run(pc_fitter *f, const pc_event *event, double from, double until, pc_fit_visit visit,
                        void *context, double *worst, pc_error *err)
{
    if (event->linear) {
        pc_fit fit;
        combine(event, f->dense, &fit);
        bool enough;
        return visit(&fit, context, &enough, err);
    }
    if (until != f->until) memset(f->known, 0, sizeof f->known);
    f->until = until;
    job w = {.f = f, .event = event, .visit = visit, .context = context, .worst = worst, .err = err};
    double g_lo = 0, g_hi = 0, to = from > 0 ? fmin(from + NEAR, until) : until;
    pc_status status = sample(&w, from, until, 0, &g_lo);
    if (status == PC_OK) status = sample(&w, from, to, HIGH, &g_hi);
    /* g is rounded, where it is small, like the terms it is made of: at least about like its largest values */
    w.noise = event->noise > 0 ? event->noise : 4 * DBL_EPSILON * w.scale;
    if (status == PC_OK && event->noise == 0 && from == 0) status = measure_noise(&w, g_lo, g_hi);
    if (status == PC_OK) status = part(&w, from, to, g_lo, g_hi, 0, INFINITY, (vain){INFINITY, 0});
    if (status != PC_OK || to == until || w.enough) return status;
    g_lo = g_hi;
    status = sample(&w, to, until, HIGH, &g_hi);
    return status == PC_OK ? part(&w, to, until, g_lo, g_hi, 0, INFINITY, (vain){INFINITY, 0}) : status;
}
