/* What happens in a step, and when: see event.h. */
#include "event/fit.h"

#include "base/alloc.h"

#include <float.h>
#include <math.h>
#include <string.h>

pc_status pc_locator_open(pc_locator *locator, const pc_event *events, int n_events, int n, pc_error *err)
{
    *locator = (pc_locator){.events = events, .n_events = n_events, .n = n, .capacity = 16};
    locator->watch = pc_calloc((size_t)n_events, sizeof *locator->watch);
    locator->found = pc_calloc((size_t)locator->capacity, sizeof *locator->found);
    locator->fitter = pc_fitter_new(n);
    if (!locator->watch || !locator->found || !locator->fitter) {
        pc_locator_close(locator);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d events", n_events);
    }
    pc_locator_restart(locator, NULL, 0);
    return PC_OK;
}

void pc_locator_close(pc_locator *locator)
{
    pc_free(locator->watch);
    pc_free(locator->found);
    pc_fitter_free(locator->fitter);
    locator->watch = NULL;
    locator->found = NULL;
    locator->fitter = NULL;
}

void pc_locator_restart(pc_locator *locator, const pc_occurrence *causes, int n_causes)
{
    for (int e = 0; e < locator->n_events; e++) locator->watch[e] = (pc_watch){.side = PC_SIDE_UNKNOWN};
    for (int i = 0; i < n_causes; i++) {
        pc_watch *w = &locator->watch[causes[i].event];
        w->fired = true;
        w->rate = causes[i].rate;
        w->residual = fabs(causes[i].value);
    }
    locator->n_found = 0;
}

/* One event on its way through the pieces of a step. */
typedef struct walk {
    pc_locator *locator;
    const pc_dense *dense;
    int event;
} walk;

static bool counts(const pc_event *event, const pc_root *root)
{
    int leaving = event->direction ? event->direction : event->leaving;
    if (root->before == 0) return leaving != 0 && root->after == leaving;
    return event->direction == 0 || event->direction == -root->before;
}

/* What counts as the same time, in fractions of a step. */
static double together(const pc_dense *dense)
{
    return 8 * DBL_EPSILON * fmax(1, fabs(dense->t / dense->h));
}

/* *added: it is an event. */
static pc_status add(pc_locator *locator, const pc_dense *dense, pc_occurrence occurrence, bool *added, pc_error *err)
{
    const pc_event *event = &locator->events[occurrence.event];
    pc_status status = pc_fitter_check(locator->fitter, event, occurrence.x, added, err);
    if (status != PC_OK || !*added) return status;
    if (event->first) locator->until = fmin(locator->until, occurrence.x + together(dense));

    if (locator->n_found == locator->capacity) {
        void *more = pc_realloc(locator->found, 2 * (size_t)locator->capacity, sizeof *locator->found);
        if (!more) return pc_fail(err, PC_E_MEMORY, "not enough memory for the events of a step");
        locator->found = more;
        locator->capacity *= 2;
    }
    locator->found[locator->n_found++] = occurrence;
    return PC_OK;
}

typedef struct probe {
    pc_fitter *fitter;
    const pc_event *event;
    pc_error *err;
    pc_status status;
} probe;

static double g_at(double x, void *context)
{
    probe *p = context;
    double g = NAN;
    p->status = pc_fitter_value(p->fitter, p->event, x, &g, p->err);
    return p->status == PC_OK ? g : NAN;
}

/* Zeros of a piece. One that lasts from the start of all to the end of a piece is still to be left, however short that
 * piece was: the next one begins there. */
static int zeros(pc_watch *watch, const pc_fit *fit, double error, pc_root *roots)
{
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

/* Move a crossing of the fit to the zero of g itself, if g changes sign within the fit's error. */
static pc_status polish(walk *w, const pc_fit *fit, double slope, double *x, double *value, pc_error *err)
{
    pc_locator *l = w->locator;
    probe p = {l->fitter, &l->events[w->event], err, PC_OK};
    double reach = fmax(2 * fit->error / fabs(slope), 8 * DBL_EPSILON);
    double a = fmax(fit->lo, *x - reach), b = fmin(fit->hi, *x + reach);
    double ga = g_at(a, &p), gb = p.status == PC_OK ? g_at(b, &p) : NAN;
    if (p.status == PC_OK && (ga < 0) != (gb < 0)) *x = pc_root_between(g_at, &p, a, ga, b, gb, 0);
    if (p.status == PC_OK) *value = g_at(*x, &p);
    return p.status;
}

static pc_status visit(const pc_fit *fit, void *context, bool *enough, pc_error *err)
{
    walk *w = context;
    pc_locator *l = w->locator;
    const pc_event *event = &l->events[w->event];
    pc_watch *watch = &l->watch[w->event];
    double width = fit->hi - fit->lo, rate[PC_POLY_DEGREE], error = fit->error;
    pc_poly_derivative(fit->b, fit->degree, rate);
    l->pieces++;

    if (watch->side == PC_SIDE_UNKNOWN || watch->waits) error += watch->residual;
    if (watch->side == PC_SIDE_UNKNOWN) {
        /* the zero that caused a restart is known as well as it was located, and if g goes on through it as before,
           it has been reported */
        double before = watch->rate * width * w->dense->h, noise = DBL_EPSILON * pc_poly_bound(fit->b, fit->degree);
        bool same = fabs(before) > 1e6 * noise && fabs(rate[0] - before) <= 1e-6 * fabs(before);
        if (watch->fired && same && fabs(fit->b[0]) <= 2 * error + noise) watch->side = 0;
    }

    pc_root roots[PC_POLY_DEGREE + 3];
    int n = zeros(watch, fit, error, roots);
    for (int i = 0; i < n; i++) {
        if (!counts(event, &roots[i])) continue;
        double slope = pc_poly_eval(rate, fit->degree - 1, roots[i].x) / width, value;
        double x = fit->lo + width * roots[i].x;
        if (roots[i].x == 1) x = fit->hi;
        if (event->linear)
            value = pc_poly_eval(fit->b, fit->degree, roots[i].x);
        else if (roots[i].multiplicity == 1 && roots[i].x > 0 && roots[i].x < 1) {
            pc_status status = polish(w, fit, slope, &x, &value, err);
            if (status != PC_OK) return status;
        } else {
            pc_status status = pc_fitter_value(l->fitter, event, x, &value, err);
            if (status != PC_OK) return status;
        }
        const pc_dense *d = w->dense;
        bool added;
        pc_status status = add(l, d,
                               (pc_occurrence){.event = w->event,
                                               .t = x == 1 ? d->t + d->h : d->t + x * d->h,
                                               .x = x,
                                               .value = value,
                                               .rate = slope / d->h,
                                               .multiplicity = roots[i].multiplicity,
                                               .before = roots[i].before,
                                               .after = roots[i].after},
                               &added, err);
        if (status != PC_OK) return status;
        if (!added) continue;
        *enough = event->first || watch->from > 0;
        if (*enough) break;
    }
    return PC_OK;
}

/* A slope is taken over this share of a step. */
static const double NEARBY = 1e-7;

/* g is known to fall from one place to another: if it is zero in between no fit is needed to tell where. */
static pc_status fall(walk *w, bool *found, pc_error *err)
{
    pc_locator *l = w->locator;
    pc_watch *watch = &l->watch[w->event];
    const pc_dense *d = w->dense;
    probe p = {.fitter = l->fitter, .event = &l->events[w->event], .err = err};
    double a = watch->from, b = fmin(watch->to, l->until), ga = g_at(a, &p), gb = p.status == PC_OK ? g_at(b, &p) : NAN;
    *found = ga > 0 && gb < 0;
    if (p.status != PC_OK || !*found) return p.status;
    double x = pc_root_between(g_at, &p, a, ga, b, gb, 0), value = p.status == PC_OK ? g_at(x, &p) : NAN;
    double beside = x < 0.5 ? x + NEARBY : x - NEARBY, g = p.status == PC_OK ? g_at(beside, &p) : NAN;
    if (p.status != PC_OK) return p.status;
    watch->side = -1;
    bool added; /* if not, it was the only zero all the same */
    return add(l, d,
               (pc_occurrence){.event = w->event,
                               .t = x == 1 ? d->t + d->h : d->t + x * d->h,
                               .x = x,
                               .value = value,
                               .rate = (g - value) / (beside - x) / d->h,
                               .multiplicity = 1,
                               .before = 1,
                               .after = -1},
               &added, err);
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

pc_status pc_locator_scan(pc_locator *l, const pc_dense *dense, pc_error *err)
{
    l->n_found = 0;
    l->until = 1;
    pc_fitter_begin(l->fitter, dense);
    for (int e = 0; e < l->n_events; e++) {
        if (l->watch[e].idle || l->watch[e].from >= l->until) continue;
        walk w = {l, dense, e};
        pc_status status = PC_OK;
        bool found = false;
        if (l->watch[e].to > l->watch[e].from) status = fall(&w, &found, err);
        if (status == PC_OK && !found)
            status = pc_fitter_run(l->fitter, &l->events[e], l->watch[e].from, l->until, visit, &w, &l->fit_error, err);
        if (status != PC_OK) return status;
    }
    l->g_calls = pc_fitter_calls(l->fitter);
    sort(l, dense);
    return PC_OK;
}
