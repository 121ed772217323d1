/* What happens in a step, and when: see event.h. First fits of event functions along the step, then the zeros of these.
 *
 * g is sampled at Chebyshev points, of degree 8 first and 16 if that is not enough (the nine points are among the
 * seventeen). The last Chebyshev coefficient and the errors at three points that belong to no grid tell how far the
 * series has converged. What does not converge is halved. Trefethen, Approximation Theory and Approximation Practice
 * (2013), chapters 4 and 8.
 */
#include "event/event.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/thread.h"
#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- fits ---- */

enum { LOW = 8, HIGH = 16, NODES = HIGH + 1 };

/* A kink takes one chain of halvings as deep as doubles go; a step that would take more in all is not worth it, and
 * the remaining parts keep their error. */
enum { DEPTH = 40, HALVINGS = 20000 };

/* Places about midway between neighbours of both grids, in no ratio to each other. */
enum { CHECKS = 3 };
static const double CHECK_AT[CHECKS] = {0.2644508497187474, 0.4485281374238570, 0.7353104294119243};

/* What is known to be clear up to somewhere reaches zero soon after, in most cases: a piece of this length then needs a
 * low degree. The golden scenes take the fewest evaluations at 1/8, and less than 1 % more from 1/32 to 1/2. */
static const double NEAR = 0.125;

/* Halving divides the error of a smooth g by 2^9 at least, that of a kink by 2, and does not change noise: an error of
 * which more than LEFT remains is that of a kink or of noise. It is accepted below the root of eps of max |g|, which is
 * the noise of a g that takes differences, and as well as any double zero is known; or below so many times the noise,
 * which was measured at the ends of the step alone and may be greater inside (8 times passes all tests as well). */
static const double LEFT = 0.25, PLATEAU = 0x1p-26, NOISY = 64;

/* The error of a fit is so many times its tail. A rough g may be singular at the edge of a part, where the samples
 * between show an eighth of it. */
static const double SMOOTH_ERROR = 4, ROUGH_ERROR = 16;

/* A rough g is noise if so many times in a row neither half has less than this share of the error. The half without the
 * kink has 2^-9 of it, or less. */
enum { NOISY_ROW = 3 };
static const double SMOOTH = 0.01;

/* Of a rough g a few values near a pole say nothing about the rest: what exceeds the median of the first samples by
 * this factor does not count as its size, nor what rounding does to it there as its noise. A value at a pole itself is
 * a large one, whose square is finite. */
static const double OUTLYING = 100, AT_POLE = 1e150;

/* If so many halvings in a row leave more than this share of the error it is noise, whatever its size (forces of
 * contacts that rounding makes dependent or not): a kink leaves 2^-16, and what goes like |x|^a less than a tenth if
 * a > 1/5. A jump leaves all of it, and ends at the least width; ten jumps in a step are followed so far. */
enum { IN_VAIN = 16, MANY = 10 * DEPTH };
static const double KEPT = 0.1;

/* The same for every fitter, made when the first one is. */
static struct {
    double node[NODES];                /* on [0, 1] */
    double series[2][NODES][NODES];    /* samples to Chebyshev coefficients, of both degrees */
    double bernstein[2][NODES][NODES]; /* Chebyshev to Bernstein coefficients */
} table;
static pc_once table_made;

/* Of a section in the golden ratio, the smaller part. */
static const double GOLDEN = 0.3819660112501051;

/* Bernstein coefficients of g on the part [lo, hi] of the step. */
typedef struct pc_fit {
    double lo, hi;
    int degree;
    double b[PC_POLY_DEGREE + 1];
    double error; /* values this near zero cannot be told from zero */
    double noise; /* what rounding alone does to g */
    bool jump;    /* no polynomial: the values at both ends, between which g jumps or has a pole */
    double pit;   /* of a rough g: where |g| is least beside an end, which the fit may not show; NaN: it shows all */
} pc_fit;

typedef struct pc_fitter {
    int n;
    const pc_dense *dense;
    long calls;
    int known[NODES];
    double until;         /* what the nodes belong to: the step up to there */
    double *state[NODES]; /* the `known` first components of y at the nodes of that, for all events */
    double *y;
    double memory[];
} pc_fitter;

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

/* For n components; instead of one that there was, whose calls it goes on counting, or NULL. NULL: no memory. */
static pc_fitter *fitter_new(int n, const pc_fitter *before)
{
    pc_once_call(&table_made, make_table);
    size_t doubles = (size_t)n * (NODES + 1);
    pc_fitter *f = pc_calloc(1, sizeof *f + doubles * sizeof(double));
    if (!f) return NULL;
    f->n = n;
    f->calls = before ? before->calls : 0;
    for (int k = 0; k < NODES; k++) f->state[k] = f->memory + (size_t)n * (size_t)k;
    f->y = f->memory + (size_t)n * NODES;
    return f;
}

/* Forget the states of the step before. */
static void fitter_begin(pc_fitter *fitter, const pc_dense *dense)
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
    pc_error_clear(err);
    int got = event->g(t, y, g, event->context);
    if (got != 0) return pc_fail_stopped(err, t, event->name, "event %s asked to stop at t = %.17g", event->name, t);
    if (isinf(*g) && event->rough) *g = copysign(AT_POLE, *g);
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

/* g of an event at the fraction x of the step. */
static pc_status fitter_value(pc_fitter *f, const pc_event *event, double x, double *g, pc_error *err)
{
    state_at(f, needed(f, event), x, f->y);
    return call(f, event, time_at(f, x), f->y, g, err);
}

/* Whether a zero of it there is an event: *holds. */
static pc_status fitter_check(pc_fitter *f, const pc_event *event, double x, bool *holds, pc_error *err)
{
    *holds = true;
    if (!event->holds) return PC_OK;
    state_at(f, needed(f, event), x, f->y);
    pc_error_clear(err);
    double t = time_at(f, x);
    int got = event->holds(t, f->y, event->context);
    *holds = got > 0;
    if (got >= 0) return PC_OK;
    return pc_fail_stopped(err, t, event->name, "event %s asked to stop at t = %.17g", event->name, t);
}

/* The least value of sign g for x in [a, b], by sections in the golden ratio; where it has one. */
static pc_status fitter_least(pc_fitter *f, const pc_event *event, double sign, double a, double b, double *x,
                              double *g, pc_error *err)
{
    double at[2] = {a + GOLDEN * (b - a), b - GOLDEN * (b - a)}, v[2];
    for (int k = 0; k < 2; k++) {
        pc_status status = fitter_value(f, event, at[k], &v[k], err);
        if (status != PC_OK) return status;
    }
    while (a < at[0] && at[0] < at[1] && at[1] < b) {
        int k = sign * v[0] <= sign * v[1] ? 0 : 1; /* the least is on its side */
        if (k == 0) {
            b = at[1], at[1] = at[0], v[1] = v[0], at[0] = a + GOLDEN * (b - a);
        } else {
            a = at[0], at[0] = at[1], v[0] = v[1], at[1] = b - GOLDEN * (b - a);
        }
        pc_status status = fitter_value(f, event, at[k], &v[k], err);
        if (status != PC_OK) return status;
    }
    int k = sign * v[0] <= sign * v[1] ? 0 : 1;
    *x = at[k];
    *g = v[k];
    return PC_OK;
}

typedef pc_status (*fit_visit)(const pc_fit *fit, void *context, bool *enough, pc_error *err);

typedef struct job {
    pc_fitter *f;
    const pc_event *event;
    fit_visit visit;
    void *context;
    double scale;   /* max |g| seen on the step; of a rough g, its size there */
    double typical; /* of a rough g: the median of |g| where it is not zero */
    double noise;   /* what rounding does to g */
    int halvings;   /* of the step so far */
    bool enough;    /* the visitor has seen what it came for */
    double *worst;  /* see fitter_run */
    pc_error *err;
} job;

static void note_size(job *w, double g)
{
    if (!w->event->rough) w->scale = fmax(w->scale, fabs(g));
}

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
        status = fitter_value(f, w->event, lo + (hi - lo) * table.node[k], g, w->err);
    }
    note_size(w, *g);
    return status;
}

/* The size of a rough g by those of its first samples that are not zero. */
static void measure_size(job *w, const double *g, const double *check)
{
    double size[LOW + 1 + CHECKS];
    int n = 0;
    for (int k = 0; k < NODES + CHECKS; k += k < HIGH ? 2 : 1) {
        double v = fabs(k < NODES ? g[k] : check[k - NODES]);
        if (v == 0) continue;
        int i = n++;
        for (; i > 0 && size[i - 1] > v; i--) size[i] = size[i - 1];
        size[i] = v;
    }
    if (n == 0) return;
    w->typical = size[n / 2];
    double most = fmin(size[n - 1], OUTLYING * size[n / 2]);
    w->scale = fmax(w->scale, most);
    if (fmax(fabs(g[0]), fabs(g[HIGH])) > most) w->noise = 4 * DBL_EPSILON * most;
}

/* What rounding does to g where its caller does not say: the change when each argument moves by a few units of its
 * last place, at both ends of the step. No two of fifty arguments move alike at both ends, or g could hide in their sum
 * or difference. Without this, a g that cancels, such as x - 1 on an arc that leaves x = 1 by 1e-16, could never be
 * fitted to its own size. */
static pc_status perturb(job *w, int end, double size, double towards, double *g)
{
    pc_fitter *f = w->f;
    const double *y = f->state[end ? HIGH : 0];
    double t = time_at(f, end ? f->until : 0);
    for (int i = 0; i < f->n; i++) {
        int units = end ? 2 + i / 5 % 5 : i % 2 ? -2 - i % 5 : 2 + i % 5;
        f->y[i] = y[i] * (1 + units * size);
    }
    return call(f, w->event, t * (1 + 4 * towards * size), f->y, g, w->err);
}

/* A jump that lies just there does not grow with what makes the change, a smooth change grows as much: GROWN is about
 * the mean of the two, as a factor. A change this large beside g, of a few roundings, is suspected to be a jump. */
static const double SUSPICIOUS = 1e-3, MORE = 1000, GROWN = 30;

/* `towards`: 1 or -1, which way the time moves: the state moves the same way, and g could hide between the two. */
static pc_status measure_noise(job *w, double g_lo, double g_hi, double towards)
{
    for (int end = 0; end < 2; end++) {
        double here = end ? g_hi : g_lo, g, further;
        pc_status status = perturb(w, end, DBL_EPSILON, towards, &g);
        if (status != PC_OK) return status;
        double change = fabs(g - here);
        if (w->event->rough && change > SUSPICIOUS * fmax(fabs(g), fabs(here))) {
            status = perturb(w, end, MORE * DBL_EPSILON, towards, &further);
            if (status != PC_OK) return status;
            if (fabs(further - here) < GROWN * change) continue;
        }
        w->noise = fmax(w->noise, change);
    }
    return PC_OK;
}

/* Fit of one degree from samples at every second or every node; gives the error as far as the series shows it: by its
 * last term or, since one may vanish by chance, by its last two. */
static double fit_samples(int level, const double *g, bool rough, pc_fit *fit)
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
    return rough ? fmax(fabs(c[d]), fabs(c[d - 1])) : fabs(c[d]);
}

/* Halvings in a row that have left most of the error which the first of them met. */
typedef struct vain {
    double error;
    int halvings;
} vain;

/* A part with its fit; tail: by how much g differs from it; good: that is below what was promised. */
typedef struct part {
    pc_fit fit;
    double g_lo, g_hi, tail;
    bool good;
} part;

static double error_factor(const job *w)
{
    return w->event->rough ? ROUGH_ERROR : SMOOTH_ERROR;
}

/* A line that has the signs of g at both ends: a value near a pole must not make the other one look like rounding. */
static void fit_signs(const job *w, part *p)
{
    double least = fmin(fabs(p->g_lo), fabs(p->g_hi));
    p->fit.degree = 1;
    p->fit.b[0] = least > w->noise ? copysign(least, p->g_lo) : p->g_lo;
    p->fit.b[1] = least > w->noise ? copysign(least, p->g_hi) : p->g_hi;
}

/* Fit g on a part, of which lo, hi and the values there are given: raise the degree if that is not enough. */
static pc_status fit_part(job *w, part *p, bool whole)
{
    pc_fitter *f = w->f;
    double g[NODES] = {0}, check[CHECKS], lo = p->fit.lo, hi = p->fit.hi, size = 0, allowed = 0;
    bool rough = w->event->rough, beyond = rough && !whole;
    g[0] = p->g_lo;
    g[HIGH] = p->g_hi;
    for (int k = 0; k < CHECKS; k++) {
        pc_status status = fitter_value(f, w->event, lo + (hi - lo) * CHECK_AT[k], &check[k], w->err);
        if (status != PC_OK) return status;
        note_size(w, check[k]);
    }
    for (int level = 0; level < 2; level++) {
        for (int k = level ? 1 : 2; k < HIGH; k += 2) {
            pc_status status = sample(w, lo, hi, k, &g[k]);
            if (status != PC_OK) return status;
        }
        if (rough && whole && level == 0) measure_size(w, g, check);
        size = w->scale;
        for (int k = 0; k <= HIGH && rough; k += level ? 1 : 2) {
            size = fmax(size, fabs(g[k]));
            beyond = beyond && fabs(g[k]) > OUTLYING * w->typical && (g[k] > 0) == (g[0] > 0);
        }
        p->tail = fit_samples(level, g, rough, &p->fit);
        for (int k = 0; k < CHECKS; k++)
            p->tail = fmax(p->tail, fabs(check[k] - pc_poly_eval(p->fit.b, p->fit.degree, CHECK_AT[k])));
        allowed = fmax(PC_EVENT_FIT / error_factor(w) * size, w->noise);
        if (p->tail <= allowed || beyond) break;
    }
    p->good = p->tail <= allowed;
    if (p->good || !beyond) return PC_OK;
    /* beside a pole g is so large that it needs no fit to tell that it is not zero */
    fit_signs(w, p);
    p->tail = 0;
    p->good = true;
    return PC_OK;
}

static bool is_least(const job *w, const part *p, int depth)
{
    const pc_dense *dense = w->f->dense;
    return (p->fit.hi - p->fit.lo) * fabs(dense->h) <= pc_one_instant(dense->t, 0) || depth == DEPTH;
}

/* A kink very near an end of a part is lost in the tolerance of its fit, and with it a zero that g only touches there.
 * Where |g| is as small as that at an end, though not zero, its least value beside that end is searched, over this
 * share of the part. */
static const double PIT = 64 * PC_EVENT_FIT, BESIDE = 1e-6;

static pc_status find_pit(job *w, part *p)
{
    p->fit.pit = NAN;
    for (int end = 0; end < 2; end++) {
        double g = end ? p->g_hi : p->g_lo, x, least;
        if (fabs(g) <= p->fit.error || fabs(g) > PIT * w->scale) continue;
        double width = p->fit.hi - p->fit.lo, reach = fmin(width, fmax(BESIDE * width, PIT));
        double a = end ? p->fit.hi - reach : p->fit.lo;
        pc_status status = fitter_least(w->f, w->event, g > 0 ? 1 : -1, a, a + reach, &x, &least, w->err);
        if (status != PC_OK) return status;
        if (fabs(least) <= w->noise) p->fit.pit = x;
    }
    return PC_OK;
}

static pc_status visit_part(job *w, part *p)
{
    p->fit.error = error_factor(w) * p->tail + w->noise;
    p->fit.noise = w->noise;
    pc_status status = w->event->rough ? find_pit(w, p) : PC_OK;
    if (status != PC_OK) return status;
    if (!p->good && w->scale > 0) *w->worst = fmax(*w->worst, p->fit.error / w->scale);
    return w->visit(&p->fit, w->context, &w->enough, w->err);
}

/* Count a halving, and find the two halves without their fits. */
static pc_status halve(job *w, const part *p, part half[2])
{
    const pc_fit *fit = &p->fit;
    if (pc_interrupted())
        return pc_fail_at(w->err, PC_E_INTERRUPTED, time_at(w->f, fit->lo), w->event->name, "interrupted in event %s",
                          w->event->name);
    w->halvings++;
    double middle = 0.5 * (fit->lo + fit->hi), g;
    pc_status status = fitter_value(w->f, w->event, middle, &g, w->err);
    half[0] = (part){.fit = {.lo = fit->lo, .hi = middle}, .g_lo = p->g_lo, .g_hi = g};
    half[1] = (part){.fit = {.lo = middle, .hi = fit->hi}, .g_lo = g, .g_hi = p->g_hi};
    return status;
}

/* A part of a smooth g. `before`: error of the part that this is half of. */
static pc_status smooth_part(job *w, part *p, int depth, double before, vain row)
{
    pc_status status = fit_part(w, p, depth == 0);
    if (status != PC_OK) return status;
    bool plateau = p->tail > LEFT * before && p->tail < fmax(PLATEAU * w->scale, NOISY * w->noise);
    row = p->tail > KEPT * row.error ? (vain){row.error, row.halvings + 1} : (vain){p->tail, 0};
    if (!p->good && row.halvings >= IN_VAIN && w->halvings >= MANY) w->noise = fmax(w->noise, p->tail);
    p->good |= p->tail <= w->noise;
    if (p->good || plateau || is_least(w, p, depth) || w->halvings >= HALVINGS) return visit_part(w, p);
    part half[2];
    double tail = p->tail;
    status = halve(w, p, half);
    if (status == PC_OK) status = smooth_part(w, &half[0], depth + 1, tail, row);
    return status == PC_OK && !w->enough ? smooth_part(w, &half[1], depth + 1, tail, row) : status;
}

/* A part of a rough g, which was fitted. A kink or a jump lies in one of its halves, and the other is smooth; where
 * `noisy` times in a row neither half is any better g is noise. */
static pc_status rough_part(job *w, part *p, int depth, int noisy)
{
    if (p->good) return visit_part(w, p);
    if (is_least(w, p, depth)) {
        fit_signs(w, p);
        p->fit.error = p->fit.noise = w->noise;
        p->fit.jump = true;
        pc_status status = find_pit(w, p);
        return status != PC_OK ? status : w->visit(&p->fit, w->context, &w->enough, w->err);
    }
    if (w->halvings >= HALVINGS)
        return pc_fail_at(
            w->err, PC_E_NUMERIC, time_at(w->f, p->fit.lo), w->event->name,
            "event %s cannot be followed near t = %.17g: it is noise, or it changes so often that %d cuts "
            "of a step of %.3g do not tell where it is zero",
            w->event->name, time_at(w->f, p->fit.lo), HALVINGS, fabs(w->f->dense->h));
    part half[2];
    pc_status status = halve(w, p, half);
    bool better = false;
    for (int i = 0; i < 2 && status == PC_OK; i++) {
        status = fit_part(w, &half[i], false);
        better |= half[i].tail < SMOOTH * p->tail;
    }
    if (status != PC_OK) return status;
    noisy = better ? 0 : noisy + 1;
    if (noisy >= NOISY_ROW && p->tail < fmax(PLATEAU * w->scale, NOISY * w->noise)) return visit_part(w, p);
    status = rough_part(w, &half[0], depth + 1, noisy);
    return status == PC_OK && !w->enough ? rough_part(w, &half[1], depth + 1, noisy) : status;
}

static pc_status follow(job *w, double lo, double hi, double g_lo, double g_hi)
{
    part p = {.fit = {.lo = lo, .hi = hi}, .g_lo = g_lo, .g_hi = g_hi};
    if (!w->event->rough) return smooth_part(w, &p, 0, INFINITY, (vain){INFINITY, 0});
    pc_status status = fit_part(w, &p, true);
    bool usual = fmax(fabs(g_lo), fabs(g_hi)) <= w->scale;
    if (status == PC_OK && !p.good && usual && lo == 0 && hi == w->f->until && w->event->noise == 0) {
        status = measure_noise(w, g_lo, g_hi, -1);
        p.good = p.tail <= w->noise;
    }
    return status == PC_OK ? rough_part(w, &p, 0, 0) : status;
}

/* What is linear in t and y: the same combination of the coefficients. Its error is rounding alone. */
static void combine(const pc_fitter *f, const pc_event *event, pc_fit *fit)
{
    const pc_dense *dense = f->dense;
    int d = dense->degree, row = d + 1, n = needed(f, event);
    const double *w = event->linear;
    double size = 0, t_end = dense->t + dense->h;
    for (int j = 0; j <= d; j++) {
        double t = j == d ? t_end : dense->t + dense->h * j / d;
        double sum = w[0] + w[1] * t, terms = fabs(w[0]) + fabs(w[1] * t);
        for (int i = 0; i < n; i++) {
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

/* Visit the pieces of a step from the fraction `from` to `until` in order (of what is linear, the whole step), those
 * near `from` by themselves, until a visit sets *enough. `worst` collects the greatest error relative to max |g|
 * over the step, where it exceeds what was promised. */
static pc_status fitter_run(pc_fitter *f, const pc_event *event, double from, double until, fit_visit visit,
                            void *context, double *worst, pc_error *err)
{
    if (event->linear) {
        pc_fit fit;
        combine(f, event, &fit);
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
    w.noise = event->noise > 0 ? event->noise : 4 * DBL_EPSILON * fmax(fabs(g_lo), fabs(g_hi));
    if (status == PC_OK && event->noise == 0 && from == 0) status = measure_noise(&w, g_lo, g_hi, 1);
    if (status == PC_OK) status = follow(&w, from, to, g_lo, g_hi);
    if (status != PC_OK || to == until || w.enough) return status;
    g_lo = g_hi;
    status = sample(&w, to, until, HIGH, &g_hi);
    return status == PC_OK ? follow(&w, to, until, g_lo, g_hi) : status;
}

/* ---- zeros ---- */

pc_status pc_locator_reserve(pc_locator *locator, const pc_event *events, int most, int n, pc_error *err)
{
    bool good = PC_GROW(locator->watch, locator->watch_room, most) && PC_GROW(locator->found, locator->room, most);
    if (good && (n > locator->n || !locator->fitter)) {
        pc_fitter *fitter = fitter_new(n, locator->fitter);
        good = fitter != NULL;
        if (good) {
            pc_free(locator->fitter);
            locator->fitter = fitter;
            locator->n = n;
        }
    }
    if (!good) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d events", most);
    locator->events = events;
    return PC_OK;
}

pc_status pc_locator_open(pc_locator *locator, const pc_event *events, int n_events, int n, pc_error *err)
{
    *locator = (pc_locator){.n_events = n_events};
    pc_status status = pc_locator_reserve(locator, events, n_events, n, err);
    if (status != PC_OK) {
        pc_locator_close(locator);
        return status;
    }
    pc_locator_restart(locator);
    locator->begins = true;
    return PC_OK;
}

void pc_locator_close(pc_locator *locator)
{
    pc_free(locator->watch);
    pc_free(locator->found);
    pc_free(locator->fitter);
    locator->watch = NULL;
    locator->found = NULL;
    locator->fitter = NULL;
}

void pc_locator_restart(pc_locator *locator)
{
    for (int e = 0; e < locator->n_events; e++) locator->watch[e] = (pc_watch){.side = PC_SIDE_UNKNOWN};
    locator->n_found = 0;
    locator->begins = false;
}

void pc_locator_add_cause(pc_locator *locator, const pc_occurrence *cause)
{
    pc_watch *w = &locator->watch[cause->event];
    w->fired = true;
    w->rate = cause->rate;
    w->residual = fabs(cause->value);
}

/* One event on its way through the pieces of a step. */
typedef struct walk {
    pc_locator *locator;
    const pc_dense *dense;
    const pc_event *event;
    pc_watch *watch;
    pc_error *err;
    pc_status status; /* of the last value of g */
    bool turned;      /* g came near zero where this piece begins, and went back */
    double held_from; /* where the piece began in which the first zero of this one was found; NaN: in this one */
} walk;

static walk walk_of(pc_locator *l, const pc_dense *dense, int event, pc_error *err)
{
    return (walk){.locator = l, .dense = dense, .event = &l->events[event], .watch = &l->watch[event], .err = err};
}

/* NaN from where it has failed on. */
static double g_at(double x, void *context)
{
    walk *w = context;
    double g = NAN;
    if (w->status != PC_OK) return g;
    w->status = fitter_value(w->locator->fitter, w->event, x, &g, w->err);
    return w->status == PC_OK ? g : NAN;
}

static bool counts(const walk *w, const pc_root *root)
{
    const pc_event *event = w->event;
    int leaving = event->direction ? event->direction : event->leaving;
    if (root->before == 0 && leaving == PC_LEAVING_EITHER) return w->locator->begins;
    if (root->before == 0) return leaving != 0 && root->after == leaving;
    return event->direction == 0 || event->direction == -root->before;
}

/* What counts as the same time, in fractions of a step. */
static double together(const pc_dense *dense)
{
    return PC_INSTANT * fmax(1, fabs(dense->t / dense->h));
}

/* Zeros of a piece. One that lasts from the start of all to the end of a piece is still to be left, however short that
 * piece was: the next one begins there. */
static int zeros(walk *w, const pc_fit *fit, double error, pc_root *roots)
{
    pc_watch *watch = w->watch;
    bool waits = watch->waits && watch->side == 0;
    if (waits) watch->side = PC_SIDE_UNKNOWN;
    int n = pc_poly_roots(fit->b, fit->degree, error, &watch->side, roots);
    if (waits && (n == 0 || roots[0].before != 0)) { /* it was left at the seam */
        int after = n > 0 ? roots[0].before : watch->side;
        memmove(roots + 1, roots, (size_t)n * sizeof *roots);
        roots[0] = (pc_root){.multiplicity = 1, .after = after};
        n++;
    }
    watch->waits = n > 0 && roots[n - 1].before == 0 && roots[n - 1].after == 0;
    return n;
}

/* In a part as short as this of a step only the sign on both sides counts: what more turns there are in it is error.
 * Beside the seam of two parts a touch is searched as far as this, at least. */
static const double SHORTEST = 1e-6, NEAR_SEAM = 1e-9;

/* How often a rough g is zero at a root whose sides are known: an odd number of times if it goes through. */
static void mend_multiplicity(pc_root *root, bool pointlike)
{
    if (root->before == 0 || root->after == 0) return;
    int least = root->before == root->after ? 2 : 1;
    if (pointlike || root->multiplicity < least) root->multiplicity = least;
    if ((root->multiplicity - least) % 2 != 0) root->multiplicity++;
}

/* Zeros of a piece of a rough g. One that lasts to its end is held until the next piece shows how g leaves it; what
 * lasts from there to the end of that one is told as it is, unless it began with the motion: then g has to leave it. */
static int zeros_of_rough(walk *w, const pc_fit *fit, double error, pc_root *roots)
{
    const pc_locator *l = w->locator;
    pc_watch *watch = w->watch;
    bool held = watch->holds && watch->side == 0, pointlike = fit->hi - fit->lo < SHORTEST;
    if (held) watch->side = PC_SIDE_UNKNOWN;
    int n = pc_poly_roots(fit->b, fit->degree, error, &watch->side, roots);
    int after = n > 0 ? roots[0].before : watch->side;
    if (held && after != 0 && after == watch->held.before && (watch->held.multiplicity == 1 || pointlike)) {
        held = false; /* neither fit has shown it turn */
        w->turned = true;
    } else if (held && after != 0) { /* it was left at the seam */
        memmove(roots + 1, roots, (size_t)n * sizeof *roots);
        roots[0] = (pc_root){.multiplicity = 1, .after = after};
        n++;
    }
    if (held) {
        roots[0].before = watch->held.before;
        if (watch->held.multiplicity > roots[0].multiplicity) roots[0].multiplicity = watch->held.multiplicity;
    }
    watch->holds = false;
    for (int i = 0; i < n; i++) mend_multiplicity(&roots[i], pointlike);
    pc_root *last = n > 0 ? &roots[n - 1] : NULL;
    w->held_from = held ? watch->held.x : NAN;
    if (!last || last->after != 0) return n;
    bool at_start = last->before == 0 && l->begins && w->event->leaving == PC_LEAVING_EITHER;
    bool long_enough = (held && n == 1) || (l->last && fit->hi == l->until);
    if (long_enough ? last->before != 0 || at_start : at_start) {
        last->multiplicity = 1; /* it stays zero */
        return n;
    }
    watch->holds = true;
    watch->held = (pc_occurrence){.before = last->before, .multiplicity = last->multiplicity, .x = fit->lo};
    return n - 1;
}

/* Where a rough g has gone through zero by a jump: the first double at which it is beyond. */
static pc_status bisect(walk *w, int before, double a, double b, double *x, double *value)
{
    double gb = g_at(b, w);
    for (;;) {
        double middle = a + 0.5 * (b - a);
        if (w->status != PC_OK || middle <= a || middle >= b) break;
        double g = g_at(middle, w);
        if ((g > 0 ? 1 : g < 0 ? -1 : 0) == before) {
            a = middle;
        } else {
            b = middle;
            gb = g;
        }
    }
    *x = b;
    *value = gb;
    return w->status;
}

/* A change of sign at x is a pole if |g| grows towards it on both sides. Between these distances, in roundings of x, a
 * g that only jumps does not change, and a pole |x|^-a grows by 64^a, which is more than OF_POLE if a > 0.1. */
static const double NEARER = 64, FARTHER = 4096, OF_POLE = 1.5;

static pc_status is_pole(walk *w, double x, bool *pole)
{
    const pc_dense *d = w->dense;
    double unit = DBL_EPSILON * fmax(1, fabs(d->t / d->h));
    int told = 0;
    *pole = true;
    for (int side = -1; side <= 1 && w->status == PC_OK; side += 2) {
        double near = x + side * NEARER * unit, far = x + side * FARTHER * unit;
        if (far < 0 || far > 1) continue; /* the other side tells */
        double g_near = g_at(near, w), g_far = g_at(far, w);
        *pole = *pole && fabs(g_near) > OF_POLE * fabs(g_far);
        told++;
    }
    *pole = *pole && told > 0;
    return w->status;
}

/* Where a rough g goes through zero in a piece that has several turns or a kink there, or at its seam with the one
 * before: about x, as wide as it takes. */
static pc_status polish_wide(walk *w, const pc_fit *fit, int before, double *x, double *value)
{
    double most = fmax(fit->hi - fit->lo, SHORTEST);
    for (double reach = 8 * DBL_EPSILON; reach <= most; reach *= 16) {
        double a = fmax(0, *x - reach), b = fmin(1, *x + reach);
        double ga = g_at(a, w), gb = g_at(b, w);
        if (w->status != PC_OK) return w->status;
        if (!(before > 0 ? ga > 0 && gb < 0 : ga < 0 && gb > 0)) continue;
        *x = pc_root_between(g_at, w, a, ga, b, gb, 0);
        break;
    }
    *value = g_at(*x, w);
    return w->status;
}

/* Move a crossing of the fit to the zero of g itself, if g changes sign within the fit's error. */
static pc_status polish(walk *w, const pc_fit *fit, int before, double slope, double *x, double *value)
{
    double reach = fmax(2 * fit->error / fabs(slope), 8 * DBL_EPSILON);
    double a = fmax(fit->lo, *x - reach), b = fmin(fit->hi, *x + reach);
    double ga = g_at(a, w), gb = g_at(b, w);
    if (w->status == PC_OK && (ga < 0) != (gb < 0))
        *x = pc_root_between(g_at, w, a, ga, b, gb, 0);
    else if (w->status == PC_OK && w->event->rough)
        return polish_wide(w, fit, before, x, value);
    *value = g_at(*x, w);
    return w->status;
}

/* Where a kink may touch zero, near x: what is least about there tells whether it does, not how near the fits were. NaN
 * if not. */
static pc_status find_touch(const walk *w, const pc_fit *fit, int side, double *x)
{
    double place, least, reach = fmax(NEAR_SEAM, fit->hi - fit->lo);
    pc_status status = fitter_least(w->locator->fitter, w->event, side, fmax(0, *x - reach), fmin(1, *x + reach),
                                    &place, &least, w->err);
    *x = fabs(least) <= fit->noise ? place : NAN;
    return status;
}

/* *added: it is an event. */
static pc_status tell(const walk *w, const pc_root *root, double x, double value, double slope, bool *added)
{
    const pc_dense *d = w->dense;
    pc_locator *l = w->locator;
    pc_status status = fitter_check(l->fitter, w->event, x, added, w->err);
    if (status != PC_OK || !*added) return status;
    if (w->event->first) l->until = fmin(l->until, x + together(d));
    if (!PC_GROW(l->found, l->room, l->n_found + 1))
        return pc_fail(w->err, PC_E_MEMORY, "not enough memory for the events of a step");
    l->found[l->n_found++] = (pc_occurrence){.event = (int)(w->event - l->events),
                                             .t = x == 1 ? d->t + d->h : d->t + x * d->h,
                                             .x = x,
                                             .value = value,
                                             .rate = slope / d->h,
                                             .multiplicity = root->multiplicity,
                                             .before = root->before,
                                             .after = root->after};
    return PC_OK;
}

/* Slopes of g on both sides of a restart are those of one smooth g if they differ by less than this share. The slope of
 * a fit is known to 2 d^2 of its error (Markov), which is 5e-10 of max |g| for degree 16, and on a difference over
 * NEARBY to a few 1e-7. */
static const double SAME_RATE = 1e-6;

static pc_status visit(const pc_fit *fit, void *context, bool *enough, pc_error *err)
{
    walk *w = context;
    pc_locator *l = w->locator;
    const pc_event *event = w->event;
    pc_watch *watch = w->watch;
    double width = fit->hi - fit->lo, rate[PC_POLY_DEGREE], error = fit->error;
    pc_poly_derivative(fit->b, fit->degree, rate);
    l->pieces++;

    if (watch->side == PC_SIDE_UNKNOWN || watch->waits) error += watch->residual;
    if (watch->side == PC_SIDE_UNKNOWN && watch->fired) {
        /* the zero that caused a restart is known as well as it was located, and if g goes on through it as before,
           it has been reported */
        double before = watch->rate * width * w->dense->h, noise = DBL_EPSILON * pc_poly_bound(fit->b, fit->degree);
        bool same = noise < SAME_RATE * fabs(before) && fabs(rate[0] - before) <= SAME_RATE * fabs(before);
        if (same && fabs(fit->b[0]) <= 2 * error + noise) watch->side = 0;
    }

    pc_root roots[PC_POLY_DEGREE + 3];
    int n = event->rough ? zeros_of_rough(w, fit, error, roots) : zeros(w, fit, error, roots);
    double pit = event->rough ? fit->pit : NAN;
    if (w->turned) {
        pit = fit->lo;
        w->turned = false;
        pc_status status = find_touch(w, fit, watch->side, &pit);
        if (status != PC_OK) return status;
    }
    if (n == 0 && !isnan(pit) && (watch->side == 1 || watch->side == -1)) {
        roots[n++] = (pc_root){(pit - fit->lo) / width, 2, watch->side, watch->side};
    }
    for (int i = 0; i < n; i++) {
        if (!counts(w, &roots[i])) continue;
        double slope = pc_poly_eval(rate, fit->degree - 1, roots[i].x) / width, value;
        double x = fit->lo + width * roots[i].x;
        if (roots[i].x == 1) x = fit->hi;
        bool inside = roots[i].x > 0 && roots[i].x < 1, through = roots[i].before * roots[i].after < 0;
        bool seam = event->rough && i == 0 && !isnan(w->held_from), pole = false;
        pc_status status = PC_OK;
        if (event->rough && width < SHORTEST && roots[i].before != 0 && roots[i].after == roots[i].before) {
            status = find_touch(w, fit, roots[i].before, &x);
            if (status != PC_OK) return status;
            if (isnan(x)) continue;
        }
        if (event->linear)
            value = pc_poly_eval(fit->b, fit->degree, roots[i].x);
        else if (roots[i].before != 0 && (seam ? roots[i].after == 0 && w->held_from < x : fit->jump)) {
            double from = seam ? w->held_from : fit->lo;
            status = bisect(w, roots[i].before, from, seam ? x : fit->hi, &x, &value);
            if (status == PC_OK && through) status = is_pole(w, x, &pole);
            slope = value = 0; /* what is beyond a jump is no rounding */
        } else if (event->rough && through && !(inside && roots[i].multiplicity == 1))
            status = polish_wide(w, fit, roots[i].before, &x, &value);
        else if (roots[i].multiplicity == 1 && inside)
            status = polish(w, fit, roots[i].before, slope, &x, &value);
        else
            status = fitter_value(l->fitter, event, x, &value, err);
        if (status != PC_OK) return status;
        if (pole) continue;
        bool added;
        status = tell(w, &roots[i], x, value, slope, &added);
        if (status != PC_OK) return status;
        if (!added) continue;
        *enough = event->first || watch->from > 0;
        if (*enough) break;
    }
    return PC_OK;
}

/* A slope is taken over this share of a step: what curvature adds to it is of this size, what rounding adds eps over
 * it. */
static const double NEARBY = 1e-7;

/* g is known to fall from one place to another: if it is zero in between no fit is needed to tell where. */
static pc_status fall(walk *w, bool *found)
{
    double a = w->watch->from, b = fmin(w->watch->to, w->locator->until), ga = g_at(a, w), gb = g_at(b, w);
    *found = ga > 0 && gb < 0;
    if (w->status != PC_OK || !*found) return w->status;
    double x = pc_root_between(g_at, w, a, ga, b, gb, 0), value = g_at(x, w);
    double beside = x < 0.5 ? x + NEARBY : x - NEARBY, g = g_at(beside, w);
    if (w->status != PC_OK) return w->status;
    w->watch->side = -1;
    bool added; /* if not, it was the only zero all the same */
    const pc_root root = {.multiplicity = 1, .before = 1, .after = -1};
    return tell(w, &root, x, value, (g - value) / (beside - x), &added);
}

/* Order of time; what cannot be told apart in the order of the list. Few entries, nearly sorted: insertion. */
static void sort(pc_locator *l, const pc_dense *dense)
{
    double near = together(dense);
    for (int i = 1; i < l->n_found; i++) {
        pc_occurrence o = l->found[i];
        int k = i;
        while (k > 0 && (l->found[k - 1].x > o.x + near ||
                         (fabs(l->found[k - 1].x - o.x) <= near && l->found[k - 1].event > o.event))) {
            l->found[k] = l->found[k - 1];
            k--;
        }
        l->found[k] = o;
    }
}

/* What is held at the end of a step happens together with what was found there. */
static pc_status tell_held(pc_locator *l, const pc_dense *dense, pc_error *err)
{
    bool meets = false;
    for (int i = 0; i < l->n_found; i++) meets |= l->found[i].x >= 1 - together(dense);
    for (int e = 0; e < l->n_events && meets; e++) {
        walk w = walk_of(l, dense, e, err);
        pc_root root = {1, w.watch->held.multiplicity, w.watch->held.before, 0};
        if (!w.watch->holds || root.before == 0 || !counts(&w, &root)) continue;
        double value = g_at(1, &w);
        bool added;
        pc_status status = w.status == PC_OK ? tell(&w, &root, 1, value, 0, &added) : w.status;
        if (status != PC_OK) return status;
        w.watch->holds = false;
    }
    return PC_OK;
}

pc_status pc_locator_scan(pc_locator *l, const pc_dense *dense, pc_error *err)
{
    l->n_found = 0;
    l->until = 1;
    fitter_begin(l->fitter, dense);
    for (int e = 0; e < l->n_events; e++) {
        walk w = walk_of(l, dense, e, err);
        if (w.watch->idle || w.watch->from >= l->until) continue;
        pc_status status = PC_OK;
        bool found = false;
        if (w.watch->to > w.watch->from) status = fall(&w, &found);
        if (status == PC_OK && !found)
            status = fitter_run(l->fitter, w.event, w.watch->from, l->until, visit, &w, &l->fit_error, err);
        if (status != PC_OK) return status;
    }
    pc_status status = tell_held(l, dense, err);
    l->g_calls = l->fitter->calls;
    sort(l, dense);
    return status;
}

int pc_locator_instant(const pc_locator *locator, const pc_dense *dense, int first)
{
    double t = locator->found[first].t, near = pc_one_instant(t, dense->h);
    int last = first + 1;
    while (last < locator->n_found && fabs(locator->found[last].t - t) <= near) last++;
    return last;
}

/* Where events follow each other ever faster, steps far longer than the arcs between them would leave their heights to
 * the rounding of the rest. */
static const double LONGEST_ARC = 16;

void pc_restarts_add(pc_restarts *restarts, double t, pc_stepper *stepper)
{
    double passed = fabs(t - restarts->last);
    bool progress = passed > pc_one_instant(t, 0);
    restarts->stalls = progress ? 0 : restarts->stalls + 1;
    restarts->last = t;
    if (progress && stepper && stepper->method->error_order > 0)
        stepper->h_next = fmin(stepper->h_next, LONGEST_ARC * passed);
}
