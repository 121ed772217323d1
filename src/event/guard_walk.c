/* The walk over guards: see event.h. */
#include "event/event.h"

#include "math/roots.h"

#include <float.h>
#include <math.h>

/* Guards that reach zero nearer to the end of contact than this share of the step fall together with it: far above what
 * rounding makes of the two zeros, and far below what anything takes place in. Without it, 90 of 2,000 central impacts
 * by linear springs end with a slip of no duration. */
static const double TOGETHER = 1e-9;

/* Shares of a step: over which the slope of a guard is taken, and by which a zero of `at` may miss that of the
 * motion. */
static const double NEARBY = 1e-6, FARTHEST = 1e-2;

/* A guard that keeps this share of its values on both sides where it was found to be zero has jumped there. */
static const double JUMP = 1e-3;

/* A rate below this share of the greatest dips by the square of it, which is rounding: a guard that begins with a rate
 * of zero only rises. */
static const double LEVEL = 1e-8;

typedef struct probe {
    pc_guard_walk *walk;
    int contact, guard;
    pc_guard_known known;
    const double *value, *rate;
    double noise; /* NaN: not asked for yet, since nothing has come below zero */
    double shift; /* added to the guard */
    bool exact;
    double nearest, least; /* where `at` was nearest to zero since a search began, and its value there */
} probe;

static double probe_at(double x, void *context)
{
    probe *p = context;
    pc_guard_walk *w = p->walk;
    double value = (p->exact ? w->exact : w->at)(w, p->contact, p->guard, x) + p->shift;
    if (!p->exact && fabs(value) < fabs(p->least)) p->nearest = x, p->least = value;
    return value;
}

/* The zero of the motion near that of `at`, whose slopes are as exact as its places: one correction leaves of the
 * distance its own size, or the tolerance, as a share. From the nearest one correction is enough. */
static double approach(probe *p, double a, double fa, double b, double fb, double x)
{
    double from = fmax(a, x - NEARBY), to = fmin(b, x + NEARBY), start = x;
    double slope = (probe_at(to, p) - probe_at(from, p)) / (to - from);
    p->exact = true;
    for (int k = 0; k < 2; k++) {
        double last = x;
        x -= probe_at(x, p) / slope;
        if (fabs(x - last) <= NEARBY && x >= a && x <= b) break;
        if (fabs(x - start) <= FARTHEST && x >= a && x <= b) continue;
        x = pc_root_between(probe_at, p, a, fa, b, fb, 0);
        break;
    }
    p->exact = false;
    return x;
}

/* Where a guard jumps it falls without being zero: the change belongs to the far side, where it has fallen. On the near
 * side the next step would find the same jump again, for ever. */
static double beyond_jump(probe *p, double x, double fa, double b, double fb)
{
    double least = JUMP * fmin(fa, -fb);
    bool near = x == p->nearest || (fabs(x - p->nearest) <= NEARBY && fabs(p->least) <= least);
    double here = near ? p->least : probe_at(x, p);
    for (double step = DBL_EPSILON; here > least && x < b; step *= 2) {
        x = fmin(x + step, b);
        here = probe_at(x, p);
    }
    return x;
}

/* Zero between a and b, where the values are fa and fb; a where they have the same sign (a jump at a). */
static double zero_between(probe *p, double a, double fa, double b, double fb)
{
    if ((fa > 0) == (fb > 0)) return a;
    p->least = INFINITY;
    double x = pc_root_between(probe_at, p, a, fa, b, fb, p->walk->exact ? NEARBY : 0);
    if (p->walk->exact) x = approach(p, a, fa, b, fb, x);
    return beyond_jump(p, x, fa, b, fb);
}

/* What lies above its chords' continuations, as a dip does, and has these values at a < x1 < x2 < b, is above this. */
static double least_between(double a, double fa, double x1, double f1, double x2, double f2, double b, double fb)
{
    double steepest = fmax(fabs(f2 - f1) / (x2 - x1), fmax((fa - f1) / (x1 - a), (fb - f2) / (b - x2)));
    return fmin(f1, f2) - steepest * fmax(x2 - x1, x1 - a);
}

/* Follow a dip between a and b, where the values are fa and fb, down by golden section until it is below the noise; its
 * place and value, or 2 if it stays above. */
static double dip(probe *p, double a, double fa, double b, double fb, double *value)
{
    const double golden = 0.3819660112501051;
    double x1 = a + golden * (b - a), x2 = b - golden * (b - a);
    double f1 = probe_at(x1, p), f2 = probe_at(x2, p);
    for (int i = 0; i < 40 && f1 >= -p->noise && f2 >= -p->noise; i++) {
        if (least_between(a, fa, x1, f1, x2, f2, b, fb) > 0) break;
        if (f1 < f2) {
            b = x2, fb = f2, x2 = x1, f2 = f1;
            x1 = a + golden * (b - a);
            f1 = probe_at(x1, p);
        } else {
            a = x1, fa = f1, x1 = x2, f1 = f2;
            x2 = b - golden * (b - a);
            f2 = probe_at(x2, p);
        }
    }
    *value = f1 < -p->noise ? f1 : f2;
    return f1 < -p->noise ? x1 : f2 < -p->noise ? x2 : 2;
}

/* Where a guard falls that is below its noise at b, and above zero at a; or at the beginning of the step as far below
 * zero as the noise: it may have risen before. */
static double fall_between(probe *p, double a, double fa, double b, double fb)
{
    if (fa > 0 || a > 0) return zero_between(p, a, fa, b, fb);
    double found = 0;
    p->shift = p->noise;
    for (double x = b / 2; x > 1e-9 * b && found == 0; x /= 8) {
        double value = probe_at(x, p);
        if (value > 0) found = zero_between(p, x, value, b, fb + p->noise);
    }
    p->shift = 0;
    return found;
}

/* The same, where at `limit` and beyond it does not matter any more: 2 if it falls there. */
static double fall_before(probe *p, double a, double fa, double b, double fb, double limit)
{
    if (b > limit) {
        b = limit;
        fb = probe_at(b, p);
        if (!(fb < 0)) return 2;
    }
    return fall_between(p, a, fa, b, fb);
}

/* The parabola through three equidistant values has its least value between them, near zero beside the middle one. */
static bool dips(double a, double b, double c)
{
    if (!(b < a && b <= c)) return false;
    double bend = a - 2 * b + c, tilt = c - a;
    return b - tilt * tilt / (8 * bend) <= b / 4;
}

/* Between two places where a guard is above this share of its greatest value in the step it does not fall to zero and
 * rise again, or it would be greater at others. */
static bool is_far(const double v[PC_GUARD_PLACES], double least)
{
    double most = -INFINITY;
    for (int j = 0; j < PC_GUARD_PLACES; j++) most = fmax(most, v[j]);
    return least > most / 2;
}

static double noise_of(probe *p)
{
    if (isnan(p->noise)) p->noise = p->walk->noise(p->walk, p->contact, p->guard);
    return p->noise;
}

static bool has_fallen(probe *p, double value)
{
    return value < 0 && value < -noise_of(p);
}

/* Where a guard first falls in the step; at `limit` and beyond it does not matter any more; 2 if it does not fall. */
static double first_fall(probe *p, double limit)
{
    pc_guard_walk *w = p->walk;
    const double *x = w->place, *v = p->value, *rate = p->rate;
    const int last = PC_GUARD_PLACES - 1;
    double low, lowest, steepest = 0;
    if (w->ends_only) return has_fallen(p, v[last]) ? fall_between(p, x[0], v[0], x[last], v[last]) : 2;
    for (int j = 0; j <= last && p->known == PC_GUARD_RATES; j++) steepest = fmax(steepest, fabs(rate[j]));
    for (int j = 1; j <= last && x[j - 1] < limit; j++) {
        if (has_fallen(p, v[j])) return fall_before(p, x[j - 1], v[j - 1], x[j], v[j], limit);
        if (isnan(v[j])) return 2;
        if (p->known == PC_GUARD_RATES && rate[j - 1] < -LEVEL * steepest && rate[j] > 0) {
            if (is_far(v, fmin(v[j - 1], v[j]))) continue;
            noise_of(p);
            low = dip(p, x[j - 1], v[j - 1], x[j], v[j], &lowest);
        } else if (j < last && x[j] < limit && dips(v[j - 1], v[j], v[j + 1])) {
            noise_of(p);
            low = dip(p, x[j - 1], v[j - 1], x[j + 1], v[j + 1], &lowest);
        } else {
            continue;
        }
        if (low < 2) return fall_between(p, x[j - 1], v[j - 1], low, lowest);
    }
    return 2;
}

/* The first of some guards of all contacts to fall before *fall. False if none of them can fall. */
static bool find_first(pc_guard_walk *w, int from, int to, pc_guard_fall *fall)
{
    bool can = false;
    double value[PC_GUARD_PLACES], rate[PC_GUARD_PLACES];
    for (int i = 0; i < w->contacts; i++)
        for (int g = from; g < to && !w->failed; g++) {
            pc_guard_known known = w->values(w, i, g, value, rate);
            if (known == PC_GUARD_OFF) continue;
            probe p = {.walk = w, .contact = i, .guard = g, .known = known, .value = value, .rate = rate, .noise = NAN};
            can = true;
            double x = first_fall(&p, fall->x);
            if (!(x < fall->x) || w->failed) continue;
            if (g > 0 && x <= 1 && w->ends_at && w->ends_at(w, i, x)) continue;
            *fall = (pc_guard_fall){x, i, g};
        }
    return can;
}

/* Spread the places evenly from 0 to `end` and look there; the guards at 0 are known. */
static void spread(pc_guard_walk *w, double end)
{
    const int last = PC_GUARD_PLACES - 1;
    w->place[0] = 0;
    for (int j = 1; j <= last && !w->failed; j++) {
        w->place[j] = j == last ? end : end * j / last;
        w->look(w, j, w->place[j]);
    }
}

bool pc_guard_walk_find(pc_guard_walk *w, pc_guard_fall *fall)
{
    *fall = (pc_guard_fall){2, -1, -1};
    spread(w, 1);
    find_first(w, 0, 1, fall);
    bool ends = fall->x <= 1;
    if (w->failed || (ends && fall->x == 0)) return !w->failed;
    pc_guard_fall none = {ends ? fall->x - TOGETHER : 2, -1, -1}, first = none, other = none;
    if (find_first(w, 1, w->guards, &first) && ends) {
        spread(w, fall->x);
        find_first(w, 1, w->guards, &other);
    }
    if (other.guard < 0) other = first; /* at the end it is within its noise, and below it beyond */
    if (other.guard >= 0) *fall = other;
    return !w->failed;
}
