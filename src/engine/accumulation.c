/* Ends of sequences of impacts: see accumulation.h. */
#include "engine/resolver.h"

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

bool pc_accumulation_follow(pc_accumulation *a, double load, double v, bool varies, double *ratio)
{
    bool alone = a->pair[1] == a->pair[0] && a->pair[2] == a->pair[0];
    if (!(*ratio > 0 && *ratio < 1 && load > 0) || !alone) {
        *ratio = NAN;
        begin(a);
        return false;
    }
    /* something else has struck meanwhile, or slip has come to another mode */
    bool same = varies ? a->ratio > 0 : fabs(*ratio - a->ratio) <= STEADY * (1 - *ratio);
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

static void find_end(pc_accumulation *a, double left, double error)
{
    if (!(error < a->error)) return;
    a->error = error;
    a->end = a->time[0] + left;
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
    find_end(a, left, error);
}

void pc_accumulation_foresee(pc_accumulation *a, double left, double length)
{
    double v = a->speed, load = a->load[0], rest = 2 * v / load * left, rate, curve;
    if (!(left > 0)) return;
    fit_load(a, &rate, &curve);
    /* as if the load changed by that until the end, which is more than it does in the mean */
    double change = rest * (fabs(rate) + rest * fabs(curve)) / load;
    find_end(a, rest, rest * (NOISE * length * load / (v * v) + change));
}

/* Bounces that are followed one by one; what is left of them below this share no longer counts. */
enum { FOLLOWED_BOUNCES = 20000 };
static const double NOTHING_LEFT = 1e-14;

/* Powers of the speed from which on bounces count as endless. They are from 1 on, but a law that tends to that shows it
 * nearly. */
static const double ENDLESS = 0.98;

/* The rest of a sequence in which the loss 1 - ratio goes with the power p of the speed, as S = v + S(v ratio): in
 * powers of the loss x it is v (1/((1 - p) x) - p/2 - p x/6 ...), for p = 0 the geometric sum. */
static double rest_of_power(double v, double x, double p)
{
    return v * (1 / ((1 - p) * x) - p / 2 - p * x / 6);
}

pc_status pc_bounces_left(pc_bounce_ratio *ratio, const void *context, double v, double *left, pc_error *err)
{
    double first, half = 0, sum = 0, at = v;
    *left = 0;
    pc_status status = ratio(context, v, &first, err);
    if (!status) status = ratio(context, v / 2, &half, err);
    if (status || first == half) return status;
    for (int i = 0;; i++) {
        double now, below;
        status = ratio(context, at, &now, err);
        if (!status) status = ratio(context, at / 2, &below, err);
        if (status) return status;
        double power = now < 1 && below < 1 ? log2((1 - now) / (1 - below)) : INFINITY;
        double rest = power < ENDLESS ? rest_of_power(at, 1 - now, power) : INFINITY;
        if (!(now > 0) || rest < NOTHING_LEFT * sum || i == FOLLOWED_BOUNCES) {
            sum += now > 0 ? rest : at;
            break;
        }
        sum += at;
        at *= now;
    }
    if (isfinite(sum)) *left = sum / v;
    return PC_OK;
}

double pc_accumulation_end(const pc_accumulation *a, int pair, double t, double guess)
{
    return a->pair[0] == pair && a->end >= t ? a->end : guess;
}

/* ---- in a motion ---- */

/* The load on a contact for the state y at t: the acceleration with which it closes, with the contacts that last. */
static pc_status load_of(pc_resolver *r, int place, double t, const double *y, double *load, pc_error *err)
{
    pc_touch touch;
    double a[2];
    if (pc_mechanics_place(r->at->mechanics, t, y) != 0 ||
        pc_contacts_accelerate(r->at->contacts, r->at->compliant, r->at->mechanics, r->at->block, r->at->a) != 0)
        return pc_mechanics_stopped(t, err);
    pc_mechanics_touch(r->at->mechanics, place, &touch);
    pc_mechanics_acceleration(r->at->mechanics, place, &touch, r->at->a, a);
    *load = -a[PC_N];
    return PC_OK;
}

/* Loads in the middle of the next bounce, which lasts d, and at its end; those now are r->at->a. */
static pc_status load_ahead(pc_resolver *r, int place, double d, double load[2], pc_error *err)
{
    static const double part[] = {0.25, 0.5, 1};
    int n = r->at->mechanics->n;
    double *y = r->spare, unused;
    memcpy(y, r->at->y, 2 * (size_t)n * sizeof *y);
    for (int k = 0; k < 3; k++) { /* by the rates a half of the way there */
        for (int i = 0; i < n; i++) {
            y[i] = r->at->y[i] + part[k] * d * y[n + i];
            y[n + i] = r->at->y[n + i] + part[k] * d * r->at->a[i];
        }
        pc_status status = load_of(r, place, r->at->t + part[k] * d, y, k == 0 ? &unused : &load[k - 1], err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

/* A contact whose law is asked: pc_bounce_ratio. */
typedef struct bouncing {
    const pc_resolver *r;
    int place;
} bouncing;

static pc_status ratio_of(const void *context, double v, double *ratio, pc_error *err)
{
    const bouncing *b = context;
    return pc_resolver_restitution(b->r, b->place, v, ratio, err);
}

pc_status pc_resolver_bounces(const pc_resolver *r, int place, double v, double *left, pc_error *err)
{
    *left = 0;
    if (pc_mechanics_pairing(r->at->mechanics, place)->law->element) return PC_OK; /* to be integrated each time */
    return pc_bounces_left(ratio_of, &(bouncing){r, place}, v, left, err);
}

/* Whether the law of a place gives another share of a speed back than of the half of it. */
static pc_status varies_at(const pc_resolver *r, int place, double v, bool *varies, pc_error *err)
{
    double whole = 0, half = 0;
    *varies = false;
    if (pc_mechanics_pairing(r->at->mechanics, place)->law->element) return PC_OK;
    pc_status status = pc_resolver_restitution(r, place, v, &whole, err);
    if (status == PC_OK) status = pc_resolver_restitution(r, place, v / 2, &half, err);
    *varies = status == PC_OK && whole != half;
    return status;
}

/* From this share of the greatest speed on: intervals round at 1e-11 of themselves there, and in what is left of the
 * sequence little changes. */
static const double FOLLOWED = 1e-3;

/* Follow bounces of one contact, from when they are gentle. *ratio: of its speeds after and before; NaN: it is no
 * sequence of one contact. */
static pc_status follow(pc_resolver *r, int place, double v0, double v1, double scale, double *ratio, pc_error *err)
{
    double load = NAN, ahead[2], left, length = pc_mechanics_pairing(r->at->mechanics, place)->length;
    bool varies = false;
    pc_status status = PC_OK;
    *ratio = NAN;
    if (fabs(v0) <= FOLLOWED * scale) {
        status = load_of(r, place, r->at->t, r->at->y, &load, err);
        if (status == PC_OK) status = varies_at(r, place, fabs(v0), &varies, err);
        if (status != PC_OK) return status;
        *ratio = -v1 / v0;
    }
    double v = -*ratio * v0;
    if (!pc_accumulation_follow(r->accumulation, load, v, varies, ratio)) return PC_OK;
    if (varies) {
        status = pc_resolver_bounces(r, place, v, &left, err);
        if (status == PC_OK) pc_accumulation_foresee(r->accumulation, left, length);
        return status;
    }
    status = load_ahead(r, place, 2 * v / load, ahead, err);
    if (status != PC_OK) return status;
    pc_accumulation_look_ahead(r->accumulation, ahead, length);
    return pc_contact_state_place(r->at, err);
}

/* What touches where impacts have accumulated, without v_n. */
static pc_status gather(const pc_resolver *r, pc_touching *touching, pc_error *err)
{
    for (int i = 0; i < r->at->contacts->n; i++)
        if (!pc_touching_add(touching, r->at->contacts->pair[i], err)) return PC_E_MEMORY;
    for (int i = 0; i < 4; i++) {
        int other = r->accumulation->pair[i];
        pc_touch touch;
        pc_mechanics_touch(r->at->mechanics, other, &touch);
        if (fabs(touch.gap) > 1e-10 * pc_mechanics_pairing(r->at->mechanics, other)->length) continue;
        pc_touching_pair *p = pc_touching_add(touching, other, err);
        if (!p) return PC_E_MEMORY;
        p->still = true;
    }
    return PC_OK;
}

pc_status pc_resolver_accumulate(pc_resolver *r, int place, double v0, double v1, pc_touching *touching, pc_error *err)
{
    double ratio, rest, length = pc_mechanics_pairing(r->at->mechanics, place)->length,
                        scale = pc_contact_state_speed(r->at, place);
    pc_accumulation *known = r->accumulation;
    pc_accumulation_add(known, r->at->t, place);
    if (isnan(v1)) {
        double v[2];
        pc_contact_state_velocity(r->at, place, v);
        v1 = v[PC_N];
    }
    pc_status status = follow(r, place, v0, v1, scale, &ratio, err);
    if (status != PC_OK || !pc_bounce_is_gentle(v0, scale)) return status;
    if (!pc_accumulation_is_due(known, fabs(v0), length, ratio, &ratio, &rest)) return PC_OK;
    double left, load;
    status = pc_resolver_bounces(r, place, v1, &left, err);
    if (status == PC_OK && left > 0) { /* the last interval rounds more than the load */
        status = load_of(r, place, r->at->t, r->at->y, &load, err);
        if (load > 0) rest = 2 * v1 / load * left;
    }
    if (status != PC_OK) return status;
    double end = pc_accumulation_end(known, place, r->at->t, r->at->t + rest);
    status = r->log.accumulation(r->log.context, place, ratio, end, err);
    if (status == PC_OK) status = gather(r, touching, err);
    pc_accumulation_forget(known);
    return status;
}
