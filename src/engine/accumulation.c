/* Ends of sequences of impacts: see accumulation.h. */
#include "engine/accumulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Speeds at which bounces are low are 1e-6 of that of a fall over the lengths of the contact. */
static const double GENTLE = 1e-4;

bool pc_bounce_is_gentle(double v, double scale)
{
    return fabs(v) <= GENTLE * scale;
}

bool pc_bounce_is_low(double v, double d, double length, double t)
{
    return v * d <= 4e-12 * length || d <= 1e-11 * fabs(t);
}

/* No loads and speeds so far belong to one sequence. */
static void begin(pc_accumulation *a)
{
    for (int i = 0; i < 3; i++) a->load[i] = NAN;
    a->speed = a->ratio = a->end = NAN;
    a->anchor = a->error = INFINITY;
}

void pc_accumulation_forget(pc_accumulation *a)
{
    for (int i = 0; i < 5; i++) a->time[i] = NAN;
    begin(a);
}

void pc_accumulation_add(pc_accumulation *a, double t, int pair)
{
    memmove(a->time + 1, a->time, 4 * sizeof *a->time);
    memmove(a->pair + 1, a->pair, 3 * sizeof *a->pair);
    a->time[0] = t;
    a->pair[0] = pair;
}

/* What follows the last impact, from the intervals d of the last ones, the latest first, which shrink by one ratio, or
 * by two in turn (three balls that are pressed together strike at two places, which need not be alike). */
static double rest_of(const double d[4], double *ratio)
{
    double both = sqrt(d[0] * d[1] / (d[2] * d[3]));
    *ratio = sqrt(both);
    return (d[0] + d[1]) * both / (1 - both);
}

static bool shrink(const double d[4])
{
    return d[0] > 0 && d[0] < d[1] && d[1] < d[2] && d[2] < d[3];
}

double pc_accumulation_rest(const pc_accumulation *a, double t)
{
    double ratio, d[4] = {t - a->time[0]};
    for (int i = 1; i < 4; i++) d[i] = a->time[i - 1] - a->time[i];
    return shrink(d) ? rest_of(d, &ratio) : 0;
}

/* The intervals d of the last impacts shrink, and the bounces are low (their height is v d/4, v the speed at which they
 * end) or near in time. The bounds balance two errors of the extrapolation to the end: it neglects what changes over
 * the rest of the sequence, and the intervals round, all the more the lower the bounces. Both are then below 1e-9 of
 * the last second. */
bool pc_accumulation_is_due(const pc_accumulation *a, double v, double length, double exact, double *ratio,
                            double *rest)
{
    const double *t = a->time;
    const double d[4] = {t[0] - t[1], t[1] - t[2], t[2] - t[3], t[3] - t[4]};
    if (!shrink(d)) return false;
    *rest = rest_of(d, ratio);
    bool settled = fabs(d[0] / d[1] - d[2] / d[3]) <= 0.1 * (1 - *ratio);
    if (!settled || !pc_bounce_is_low(v, d[0], length, t[0])) return false;
    if (!(exact > 0)) return true;
    *ratio = exact;
    *rest = d[0] * *ratio / (1 - *ratio);
    return true;
}

/* Load on a pair that bounces: A[0] + A[1] t + A[2] t^2/2 after an impact at t, and J s - S s (d - s)/2 more in the
 * flight of d that follows: what goes with time and with height. */
typedef struct bounces {
    double A[3], J, S, ratio;
} bounces;

/* Rounding of a sum. */
static const double SETTLED = 1e-16;

/* More of them are not followed, where the load changes meanwhile: restitution is above 0.998 then. */
enum { BOUNCES = 20000 };

/* How long it takes from an impact with the speed v to the end of all. */
static double time_left(const bounces *b, double v)
{
    double t = 0, first = 2 * v / (b->A[0] * (1 - b->ratio));
    for (int i = 0; i < BOUNCES; i++) {
        double A = b->A[0] + t * (b->A[1] + 0.5 * t * b->A[2]), d = 2 * v / A, rest = d / (1 - b->ratio);
        if (!(A > 0) || !isfinite(d)) return NAN;
        /* what changes in the rest no longer counts */
        double change = rest * (fabs(b->A[1]) + t * fabs(b->A[2])) + d * (fabs(b->J) + d * fabs(b->S));
        if (rest * change <= SETTLED * A * first) return t + rest;
        for (int k = 0; k < 3; k++) /* v = A d/2 + J d^2/6 + S d^3/24 */
            d = 2 * v / (A + d * (b->J / 3 - d * b->S / 12));
        v = b->ratio * d * (0.5 * A + d * (b->J / 3 - d * b->S / 24));
        t += d;
    }
    return NAN;
}

/* Rounding of a gap and of the steps of a bounce, in sizes of the gap's lengths; shares of the terms of the highest
 * order that estimate what is left out. */
static const double NOISE = 3 * DBL_EPSILON, NEXT_LOAD = 0.03, NEXT_FLIGHT = 0.03;

/* The load after the last impact as a parabola in time: its rate and curvature there. */
static void fit_load(const pc_accumulation *a, double *rate, double *curve)
{
    const double *t = a->time, *load = a->load;
    double first = (load[0] - load[1]) / (t[0] - t[1]), second = (load[1] - load[2]) / (t[1] - t[2]);
    *curve = 2 * (first - second) / (t[0] - t[2]);
    *rate = first + 0.5 * *curve * (t[0] - t[1]);
}

/* The ratio of a sequence stays, as a share of what is lost each time: what changes it shows in the end as often as
 * there are bounces. */
static const double STEADY = 1e-6;

bool pc_accumulation_follow(pc_accumulation *a, double load, double v, double *ratio)
{
    bool alone = a->pair[1] == a->pair[0] && a->pair[2] == a->pair[0];
    if (!(*ratio > 0 && *ratio < 1 && load > 0) || !alone) {
        *ratio = NAN;
        begin(a);
        return false;
    }
    /* something else has struck meanwhile, or slip has come to another mode */
    bool same = fabs(*ratio - a->ratio) <= STEADY * (1 - *ratio);
    double expected = 2 * a->speed / a->load[0], rate, curve;
    if (!same || !(fabs(a->time[0] - a->time[1] - expected) <= 0.1 * (1 - *ratio) * expected)) begin(a);
    memmove(a->load + 1, a->load, 2 * sizeof *a->load);
    a->load[0] = load;
    a->speed = v;
    a->ratio = *ratio;
    if (!(v <= 0.5 * a->anchor) || isnan(a->load[2])) return false;
    a->anchor = v;
    fit_load(a, &rate, &curve);
    return isfinite(curve);
}

void pc_accumulation_look_ahead(pc_accumulation *a, const double ahead[2], double length)
{
    double v = a->speed, load = a->load[0], d = 2 * v / load, flight = 4 * (ahead[1] - 2 * ahead[0] + load) / (d * d);
    bounces all = {.A = {load}, .J = (ahead[1] - load) / d, .S = flight, .ratio = a->ratio};
    fit_load(a, &all.A[1], &all.A[2]);
    bounces straight = all, plain = all;
    straight.A[2] = plain.S = 0;
    double left = time_left(&all, v), rounding = NOISE * length * load / (v * v);
    double error = rounding * left + NEXT_LOAD * fabs(left - time_left(&straight, v)) +
                   NEXT_FLIGHT * fabs(left - time_left(&plain, v));
    if (!(error < a->error)) return;
    a->error = error;
    a->end = a->time[0] + left;
}

double pc_accumulation_end(const pc_accumulation *a, int pair, double t, double guess)
{
    return a->pair[0] == pair && a->end >= t ? a->end : guess;
}
