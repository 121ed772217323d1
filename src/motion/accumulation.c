/* Impacts that accumulate.
 *
 * The end of a sequence is extrapolated. Late in it intervals and speeds round (a gap of rounding d takes d/v), early
 * in it the motion may still change by the end: so it is found from several impacts, every time the speeds have halved,
 * and the one with the least error counts. From an impact with the speed v and the ratio r of speeds after and before,
 * the bounces are those of a point under a load A(t) + J s - S s (d - s)/2, s the time since the last impact and d that
 * of the bounce: A is a parabola through the loads after the last three impacts, J and S follow from the free motion of
 * the next bounce, and stay.
 *
 * Where several contacts bounce at once (a box on its corners, a pile), each disturbs the others, and no intervals form
 * a sequence that could be extrapolated. But every contact for itself comes to bounces below the rounding of positions;
 * after one of these, or after it has been closed, the next as low is taken to be the beginning of the end: restitution
 * e < 1 makes the rest of them a geometric sequence, which ends after 2 v/(a (1 - e)), for a speed v and an
 * acceleration a that presses the pair together.
 */
#include "motion/accumulation.h"
#include "motion/impacts.h"
#include "motion/proximity.h"

#include <math.h>
#include <string.h>

/* Speeds at which bounces are as low as `accumulating` wants them are 1e-6 of that of a fall over the lengths of the
 * pair. */
static const double GENTLE = 1e-4;

bool pc_run_is_gentle(const pc_run *run, int pair, double v)
{
    return fabs(v) <= GENTLE * pc_run_speed_scale(run, pair);
}

/* A bounce of the speed v that lasts d rises by v d/4 at most; the bounds are those of `accumulating`. */
static bool is_low(const pc_run *run, int pair, double v, double d)
{
    if (!pc_run_is_gentle(run, pair, v)) return false;
    return v * d <= 4 * PC_OVERHANG * run->scene->pairs[pair].length || d <= 1e-11 * fabs(run->state.t);
}

void pc_run_record_bounces(pc_run *run, const pc_touching *touching, const pc_contacts *before, size_t first)
{
    const pc_impact_record *hits = run->history.hits.data;
    for (size_t i = first; i < run->history.hits.used; i++) {
        int pair = hits[i].pair;
        pc_pair_memory *memory = &run->state.memory[pair];
        if (memory->last_impact == run->state.t) continue; /* that was not the first one here */
        memory->low_bounce = is_low(run, pair, fabs(hits[i].v0[PC_N]), run->state.t - memory->last_impact);
        memory->last_impact = run->state.t;
    }
    for (int i = 0; i < touching->n; i++)
        for (int j = 0; j < before->n; j++)
            if (before->pair[j] == touching->pair[i]) run->state.memory[touching->pair[i]].low_bounce = true;
}

/* What a pair gives back of a speed v: by the law, without friction. */
static double restitution(pc_run *run, int pair, double v)
{
    const pc_pair *p = &run->scene->pairs[pair];
    pc_joint_rule rule;
    if (pc_run_joint_rule(run, pair, v, &rule)) return rule.e;
    pc_touch touch;
    pc_mobility W;
    double v0[2];
    pc_error err = {0};
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    if (pc_run_approach(run, pair, &touch, &W, v0, &err) != PC_OK) return 1;
    double e = pc_law_restitution(p->law, p->params, W.nn, v, &err);
    return isnan(e) ? 1 : e;
}

bool pc_run_may_stay(pc_run *run, int pair, double v)
{
    return run->state.memory[pair].low_bounce && restitution(run, pair, v) < 1;
}

bool pc_run_ends_bouncing(const pc_run *run, int pair, double v, double a)
{
    return v <= 0 || is_low(run, pair, v, 2 * v / a);
}

/* Slip may make the bounces shrink by another ratio than e, which shows in the speeds before and after. */
pc_status pc_run_log_accumulation(pc_run *run, int pair, double v, double a, pc_error *err)
{
    const pc_impact_record *hits = run->history.hits.data;
    double next = 2 * v / a, ratio = NAN;
    for (size_t i = run->history.hits.used; i > 0 && hits[i - 1].t == run->state.t;
         i--) /* the first one here: what it came with */
        if (hits[i - 1].pair == pair) ratio = -v / hits[i - 1].v0[PC_N];
    if (!(ratio > 0 && ratio < 1)) ratio = restitution(run, pair, v);
    pc_event_record event = {.kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio};
    event.t = pc_run_end_of_bounces(run, pair, run->state.t + next / (1 - ratio));
    pc_run_forget_bounces(run); /* it is not to be found again by its intervals */
    return pc_run_log(run, event, err);
}

static void forget(pc_bouncing *b)
{
    *b = (pc_bouncing){
        .load = {NAN, NAN, NAN}, .speed = NAN, .ratio = NAN, .anchor = INFINITY, .end = NAN, .error = INFINITY};
}

void pc_run_forget_bounces(pc_run *run)
{
    for (int i = 0; i < 5; i++) run->state.recent[i] = NAN;
    forget(&run->state.bouncing);
}

static void note_impact(pc_run *run, int pair)
{
    memmove(run->state.recent + 1, run->state.recent, 4 * sizeof *run->state.recent);
    memmove(run->state.recent_pair + 1, run->state.recent_pair, 3 * sizeof *run->state.recent_pair);
    run->state.recent[0] = run->state.t;
    run->state.recent_pair[0] = pair;
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

double pc_run_rest_of_impacts(const pc_run *run)
{
    double ratio, d[4] = {run->state.t - run->state.recent[0]};
    for (int i = 1; i < 4; i++) d[i] = run->state.recent[i - 1] - run->state.recent[i];
    return shrink(d) ? rest_of(d, &ratio) : 0;
}

/* The intervals d of the last impacts shrink, and the bounces are low (their height is v d/4, v the
 * speed at which they end) or near in time. The bounds balance two errors of the extrapolation to the end: it
 * neglects what changes over the rest of the sequence, and the intervals round, all the more the lower the bounces.
 * Both are then below 1e-9 of the last second. */
static bool accumulating(const pc_run *run, double v, double *ratio, double *rest)
{
    const double *t = run->state.recent;
    const double d[4] = {t[0] - t[1], t[1] - t[2], t[2] - t[3], t[3] - t[4]};
    if (!shrink(d) || !pc_run_is_gentle(run, run->state.recent_pair[0], v)) return false;
    *rest = rest_of(d, ratio);
    bool settled = fabs(d[0] / d[1] - d[2] / d[3]) <= 0.1 * (1 - *ratio);
    double length = run->scene->pairs[run->state.recent_pair[0]].length;
    return settled && (v * d[0] <= 4e-12 * length || d[0] <= 1e-11 * fabs(t[0]));
}

/* The load on a pair for the state y: the acceleration with which it closes, with the contacts that last. */
static pc_status load_of(pc_run *run, int pair, const double *y, double *load, pc_error *err)
{
    pc_touch touch;
    double a[2];
    if (pc_planar_place(&run->scratch.system, run->state.t, y) != 0 ||
        pc_contacts_accelerate(&run->state.contacts, &run->state.compliant, &run->scratch.system, &run->scratch.block,
                               run->scratch.a) != 0)
        return pc_run_stopped(run, err);
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    pc_configuration_acceleration(&run->scratch.system.now, pair, &touch, run->scratch.a, a);
    *load = -a[PC_N];
    return PC_OK;
}

/* Loads in the middle of the next bounce, which lasts d, and at its end; those now are run->scratch.a. */
static pc_status load_ahead(pc_run *run, int pair, double d, double load[2], pc_error *err)
{
    static const double part[] = {0.25, 0.5, 1};
    int n = run->scene->n_dof;
    double *y = run->scratch.spare, unused;
    memcpy(y, run->state.y, 2 * (size_t)n * sizeof *y);
    for (int k = 0; k < 3; k++) { /* by the rates a half of the way there */
        for (int i = 0; i < n; i++) {
            y[i] = run->state.y[i] + part[k] * d * y[n + i];
            y[n + i] = run->state.y[n + i] + part[k] * d * run->scratch.a[i];
        }
        pc_status status = load_of(run, pair, y, k == 0 ? &unused : &load[k - 1], err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
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

/* The end as it looks from here, if that is better than what is known. */
static pc_status look_ahead(pc_run *run, int pair, double v, double ratio, pc_error *err)
{
    pc_bouncing *known = &run->state.bouncing;
    const double *t = run->state.recent, *load = known->load;
    double first = (load[0] - load[1]) / (t[0] - t[1]), second = (load[1] - load[2]) / (t[1] - t[2]);
    double curve = 2 * (first - second) / (t[0] - t[2]), d = 2 * v / load[0], ahead[2];
    if (!isfinite(curve)) return PC_OK;
    pc_status status = load_ahead(run, pair, d, ahead, err);
    if (status != PC_OK) return status;
    double flight = 4 * (ahead[1] - 2 * ahead[0] + load[0]) / (d * d);
    bounces all = {.A = {load[0], first + 0.5 * curve * (t[0] - t[1]), curve}, .S = flight, .ratio = ratio};
    all.J = (ahead[1] - load[0]) / d;
    bounces straight = all, plain = all;
    straight.A[2] = plain.S = 0;
    double left = time_left(&all, v), rounding = NOISE * run->scene->pairs[pair].length * load[0] / (v * v);
    double error = rounding * left + NEXT_LOAD * fabs(left - time_left(&straight, v)) +
                   NEXT_FLIGHT * fabs(left - time_left(&plain, v));
    if (!(error < known->error)) return PC_OK;
    known->error = error;
    known->end = run->state.t + left;
    return PC_OK;
}

/* How the speed of the pair changed at the instant whose first impact is `hit`. One impact, or several struck as one,
 * say that to the last bit of their own velocities. */
static double ratio_of(pc_run *run, const pc_impact_record *hit)
{
    const pc_impact_record *end = (const pc_impact_record *)run->history.hits.data + run->history.hits.used;
    double v[2] = {0, hit->v1[PC_N]};
    bool once = hit->rule != PC_RULE_SEQUENTIAL || end - hit == 1;
    for (const pc_impact_record *other = hit + 1; other < end; other++)
        once &= other->rule == hit->rule && other->pair != hit->pair;
    if (!once) {
        pc_touch touch;
        pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, hit->pair, &touch);
        pc_configuration_velocity(&run->scratch.system.now, hit->pair, &touch, v);
    }
    return -v[PC_N] / hit->v0[PC_N];
}

/* From this share of the greatest speed on: intervals round at 1e-11 of themselves there, and in what is left of the
 * sequence little changes. */
static const double FOLLOWED = 1e-3;

/* The ratio of a sequence stays, as a share of what is lost each time: what changes it shows in the end as often as
 * there are bounces. */
static const double STEADY = 1e-6;

/* Follow bounces of one pair, from when they are gentle. *ratio: of its speeds after and before; NaN: it is no sequence
 * of one pair. */
static pc_status follow(pc_run *run, const pc_impact_record *hit, double *ratio, pc_error *err)
{
    pc_bouncing *b = &run->state.bouncing;
    const double *t = run->state.recent;
    int pair = hit->pair;
    double v = 0, load, before = b->load[0], expected = 2 * b->speed / before;
    *ratio = NAN;
    if (fabs(hit->v0[PC_N]) <= FOLLOWED * pc_run_speed_scale(run, pair)) {
        pc_status status = load_of(run, pair, run->state.y, &load, err);
        if (status != PC_OK) return status;
        *ratio = ratio_of(run, hit);
        v = -*ratio * hit->v0[PC_N];
    }
    bool alone = run->state.recent_pair[1] == pair && run->state.recent_pair[2] == pair;
    if (!(*ratio > 0 && *ratio < 1 && load > 0) || !alone) {
        *ratio = NAN;
        forget(b);
        return PC_OK;
    }
    /* something else has struck meanwhile, or slip has come to another mode */
    bool same = fabs(*ratio - b->ratio) <= STEADY * (1 - *ratio);
    if (!same || !(fabs(t[0] - t[1] - expected) <= 0.1 * (1 - *ratio) * expected)) forget(b);
    memmove(b->load + 1, b->load, 2 * sizeof *b->load);
    b->load[0] = load;
    b->speed = v;
    b->ratio = *ratio;
    if (!(v <= 0.5 * b->anchor) || isnan(b->load[2])) return PC_OK;
    b->anchor = v;
    pc_status status = look_ahead(run, pair, v, *ratio, err);
    if (status == PC_OK && pc_planar_place(&run->scratch.system, run->state.t, run->state.y) != 0)
        return pc_run_stopped(run, err);
    return status;
}

double pc_run_end_of_bounces(const pc_run *run, int pair, double guess)
{
    bool known = run->state.recent_pair[0] == pair && run->state.bouncing.end >= run->state.t;
    return known ? run->state.bouncing.end : guess;
}

static pc_status close_accumulated(pc_run *run, const pc_impact_record *hit, double exact, pc_error *err)
{
    int pair = hit->pair;
    double ratio, rest;
    if (!accumulating(run, fabs(hit->v0[PC_N]), &ratio, &rest)) return PC_OK;
    if (exact > 0) {
        ratio = exact;
        rest = (run->state.recent[0] - run->state.recent[1]) * ratio / (1 - ratio);
    }
    double end = run->state.t + rest;
    pc_status status = pc_run_log(
        run,
        (pc_event_record){
            .t = pc_run_end_of_bounces(run, pair, end), .kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio},
        err);
    pc_touching touching = {0};
    for (int i = 0; i < run->state.contacts.n && status == PC_OK; i++)
        status = pc_touching_add(&touching, run->state.contacts.pair[i], false, false, err);
    for (int i = 0; i < 4 && status == PC_OK; i++) {
        int other = run->state.recent_pair[i];
        if (fabs(pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, other)) <=
            1e-10 * run->scene->pairs[other].length)
            status = pc_touching_add(&touching, other, false, true, err);
    }
    pc_run_forget_bounces(run);
    return status == PC_OK ? pc_run_resolve(run, &touching, -1, err) : status;
}

pc_status pc_run_accumulate(pc_run *run, const pc_impact_record *hit, pc_error *err)
{
    double ratio;
    note_impact(run, hit->pair);
    pc_status status = follow(run, hit, &ratio, err);
    return status == PC_OK ? close_accumulated(run, hit, ratio, err) : status;
}
