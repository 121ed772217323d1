/* What happens in a step, and when: see event.h. */
#include "event/event.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

pc_status pc_locator_reserve(pc_locator *locator, const pc_event *events, int most, int n, pc_error *err)
{
    bool good = PC_GROW(locator->watch, locator->watch_room, most) && PC_GROW(locator->found, locator->room, most);
    if (good && (n > locator->n || !locator->fitter)) {
        pc_fitter *fitter = pc_fitter_new(n, locator->fitter);
        good = fitter != NULL;
        if (good) {
            pc_fitter_free(locator->fitter);
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
    pc_fitter_free(locator->fitter);
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
    w->status = pc_fitter_value(w->locator->fitter, w->event, x, &g, w->err);
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
    pc_status status = pc_fitter_least(w->locator->fitter, w->event, side, fmax(0, *x - reach), fmin(1, *x + reach),
                                       &place, &least, w->err);
    *x = fabs(least) <= fit->noise ? place : NAN;
    return status;
}

/* *added: it is an event. */
static pc_status tell(const walk *w, const pc_root *root, double x, double value, double slope, bool *added)
{
    const pc_dense *d = w->dense;
    pc_locator *l = w->locator;
    pc_status status = pc_fitter_check(l->fitter, w->event, x, added, w->err);
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
            status = pc_fitter_value(l->fitter, event, x, &value, err);
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
    pc_fitter_begin(l->fitter, dense);
    for (int e = 0; e < l->n_events; e++) {
        walk w = walk_of(l, dense, e, err);
        if (w.watch->idle || w.watch->from >= l->until) continue;
        pc_status status = PC_OK;
        bool found = false;
        if (w.watch->to > w.watch->from) status = fall(&w, &found);
        if (status == PC_OK && !found)
            status = pc_fitter_run(l->fitter, w.event, w.watch->from, l->until, visit, &w, &l->fit_error, err);
        if (status != PC_OK) return status;
    }
    pc_status status = tell_held(l, dense, err);
    l->g_calls = pc_fitter_calls(l->fitter);
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
