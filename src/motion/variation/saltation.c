/* A displacement at an instant at which contacts change: see tangent.h. */
#include "base/grow.h"
#include "motion/proximity.h"
#include "motion/variation/saltation.h"

#include <math.h>
#include <string.h>

/* A force below this share of the greatest one at the instant is one that has come to zero. */
static const double GONE = 1e-6;

/* Forces round at a few 1e-16 of the largest, more where conditions are nearly dependent. */
static const double FORCE_ROUNDING = 1e-12;

/* So many impacts of one pair at one instant are taken for the beginning of infinitely many. */
enum { ENDLESS = 64 };

static const pc_event_record *event(const pc_carrier *c, size_t i)
{
    return (const pc_event_record *)c->run->history.events.data + i;
}

bool pc_instant_tells(const pc_carrier *c, const pc_instant *now, pc_event_kind kind, int pair)
{
    for (size_t i = now->first; i < now->last; i++)
        if (event(c, i)->kind == kind && event(c, i)->pair == pair) return true;
    return false;
}

/* The contacts from now on: some of those of afterwards, or all. */
static void adopt(pc_carrier *c, const pc_instant *now, const pc_contacts *closed)
{
    if (closed != &c->contacts) pc_contacts_copy(&c->contacts, closed);
    pc_planar_hold_none(c->planar);
    for (int i = 0; i < now->after->n; i++)
        if (pc_instant_find(closed, now->after->pair[i]) >= 0)
            c->planar->places.feature[now->after->pair[i]] = now->closed[i].feature;
}

pc_status pc_instant_refuse(const pc_carrier *c, const pc_instant *now, int pair, const char *why)
{
    return pc_fail_at(c->err, PC_E_UNSUPPORTED, now->t, "contact",
                      "%s: %s at t = %.10g: there a displacement has no image", pc_instant_name(c, pair), why, now->t);
}

pc_status pc_carrier_shift(pc_carrier *c, double t, const double *y, double dt)
{
    double *rate = c->near;
    if (dt == 0) return PC_OK;
    if (!pc_carrier_rates(c, t, y, rate)) return pc_run_stopped(c->run, c->err);
    for (int i = 0; i < c->n; i++) c->d[i] += dt * rate[i];
    return PC_OK;
}

/* ---- when contacts change ---- */

/* A function whose zero changes the contacts of a displaced motion; which: of the margins; or the sign of a slip. */
typedef enum sight { NORMAL_SPEED, SLIP_SPEED, CONE, BOUND } sight;

typedef struct pc_trigger {
    sight what;
    int pair, which;
} trigger;

static pc_status value(pc_carrier *c, double t, double *near, const void *context)
{
    const trigger *cause = context;
    const pc_places *places = &c->planar->places;
    pc_touch touch;
    double v[2], margin[PC_MARGINS];
    const pc_configuration *at =
        cause->what == CONE ? pc_carrier_rates(c, t, near, c->near) : pc_planar_make(c->planar, t, near);
    if (!at) return pc_run_stopped(c->run, c->err);
    if (cause->what == CONE) {
        const double *force = c->contacts.force[pc_instant_find(&c->contacts, cause->pair)];
        near[0] = c->run->scene->pairs[cause->pair].static_friction * force[PC_N] + cause->which * force[PC_T];
    } else if (cause->what == BOUND) {
        pc_configuration_margins(at, places, cause->pair, margin);
        near[0] = margin[cause->which];
    } else {
        pc_configuration_contact(at, places, cause->pair, &touch, v);
        near[0] = v[cause->what == NORMAL_SPEED ? PC_N : PC_T];
    }
    return PC_OK;
}

/* How fast a cause changes along a direction of the state and of the time. */
static pc_status slope(pc_carrier *c, const trigger *cause, double t, const double *along, double dt, double *rate)
{
    return pc_carrier_differ(c, value, cause, t, along, dt, INFINITY, 1, rate);
}

static double rounding_of(const pc_carrier *c, const trigger *cause)
{
    const double *force;
    switch (cause->what) {
    case CONE:
        force = c->contacts.force[pc_instant_find(&c->contacts, cause->pair)];
        return FORCE_ROUNDING * (fabs(force[PC_N]) + fabs(force[PC_T]));
    case BOUND: return PC_TOUCHING * c->run->scene->pairs[cause->pair].length;
    default: return pc_pair_resolution(c->run->scene, c->run->state.memory, cause->pair);
    }
}

/* From the one side to the other of such a difference, in its steps. */
static const double SIDES = 4;

/* How much later that happens in a displaced motion. */
static pc_status postponed(pc_carrier *c, const pc_instant *now, const trigger *cause, double *dt)
{
    double along_d, along_t;
    if (!pc_carrier_rates(c, now->t, c->y, c->rates)) return pc_run_stopped(c->run, c->err);
    pc_status status = slope(c, cause, now->t, c->d, 0, &along_d);
    if (status == PC_OK) status = slope(c, cause, now->t, c->rates, 1, &along_t);
    if (status != PC_OK) return status;
    double difference = fabs(along_t) * SIDES * pc_carrier_step(c, c->rates);
    if (!(difference > rounding_of(c, cause)))
        return pc_instant_refuse(c, now, cause->pair, "the contact changes in passing");
    *dt = -along_d / along_t;
    return PC_OK;
}

pc_status pc_instant_go_on(pc_carrier *c, const pc_instant *now, double dt)
{
    pc_contacts *kept = &c->kept_closed;
    pc_status status = PC_OK;
    double size = pc_carrier_size(c, c->d), gap[2], slower;
    kept->n = 0;
    for (int i = 0; i < now->after->n && status == PC_OK; i++) {
        const trigger speed = {.what = NORMAL_SPEED, .pair = now->after->pair[i]};
        bool struck = pc_instant_tells(c, now, PC_EVENT_ACCUMULATION, speed.pair);
        for (int k = 0; k < now->n; k++) struck |= now->pair[k] == speed.pair;
        if (struck) continue;
        pc_instant_add(kept, now->after, i);
        if (pc_instant_find(&c->contacts, speed.pair) >= 0) continue;
        status = slope(c, &speed, now->t, c->d, dt, &slower);
        if (status != PC_OK) return status;
        const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
        if (!at) return pc_run_stopped(c->run, c->err);
        pc_touch touch;
        pc_configuration_touch(at, &c->planar->places, speed.pair, &touch);
        pc_configuration_change(at, speed.pair, &touch, c->d, gap);
        if (fabs(gap[PC_N]) > PC_SAME * size * c->length || fabs(slower) > PC_SAME * size * c->speed)
            status = pc_instant_refuse(c, now, speed.pair, "the contact closes without an impact");
    }
    return status;
}

/* ---- changes of contacts that last ---- */

/* The bound of its part of the outlines at which a closed pair is; -1: none. */
static int bound_of(const pc_carrier *c, const pc_configuration *at, int pair)
{
    double margin[PC_MARGINS], least = PC_SAME * c->run->scene->pairs[pair].length;
    int found = -1;
    pc_configuration_margins(at, &c->planar->places, pair, margin);
    for (int k = 0; k < PC_MARGINS; k++) {
        if (!(fabs(margin[k]) < least)) continue;
        least = fabs(margin[k]);
        found = k;
    }
    return found;
}

/* What changed the i-th closed contact, whose forces are known; false: nothing that changes a rate, or others did. */
static bool cause_of(const pc_carrier *c, const pc_instant *now, const pc_configuration *at, int i, trigger *cause)
{
    const pc_contacts *closed = &c->contacts;
    int pair = closed->pair[i], mode = closed->mode[i], k = pc_instant_find(now->after, pair);
    const pc_pair *p = &c->run->scene->pairs[pair];
    double largest = 0;
    for (int j = 0; j < closed->n; j++) largest = fmax(largest, fabs(closed->force[j][PC_N]));
    bool off = k < 0 && closed->force[i][PC_N] > GONE * largest; /* it has slipped off */
    *cause = (trigger){.what = BOUND, .pair = pair, .which = bound_of(c, at, pair)};
    if (off || (k >= 0 && now->closed[k].feature != c->planar->places.feature[pair])) return cause->which >= 0;
    if (k < 0 || mode == now->after->mode[k]) return false;
    *cause = (trigger){.what = mode ? SLIP_SPEED : CONE, .pair = pair, .which = now->after->mode[k]};
    return mode != 0 || p->static_friction > p->friction;
}

/* Contacts that were closed change without an impact. Where one stops or passes a bound forces jump, and others may
 * slip because of it: these are not asked when. */
static pc_status pass_changes(pc_carrier *c, const pc_instant *now)
{
    int n = 0;
    bool jumps = false;
    double least = INFINITY, most = -INFINITY, size = pc_carrier_size(c, c->d), change = 0;
    if (!PC_GROW(c->causes, c->causes_room, c->contacts.n))
        return pc_fail(c->err, PC_E_MEMORY, "not enough memory for %d contacts", c->contacts.n);
    trigger *causes = c->causes;
    const pc_configuration *at = pc_carrier_rates(c, now->t, c->y, c->f[0]);
    if (!at) return pc_run_stopped(c->run, c->err);
    for (int i = 0; i < c->contacts.n; i++) {
        if (!cause_of(c, now, at, i, &causes[n])) continue;
        jumps |= causes[n++].what != CONE;
    }
    int first = -1, last = -1;
    for (int i = 0; i < n; i++) {
        if (jumps && causes[i].what == CONE) continue;
        double dt;
        pc_status status = postponed(c, now, &causes[i], &dt);
        if (status != PC_OK) return status;
        if (dt < least) least = dt, first = causes[i].pair;
        if (dt > most) most = dt, last = causes[i].pair;
    }
    double dt = first < 0 ? 0 : least;
    pc_status status = pc_carrier_shift(c, now->t, c->y, dt);
    if (status == PC_OK) status = pc_instant_go_on(c, now, dt);
    if (status != PC_OK) return status;
    if (!pc_carrier_rates(c, now->t, c->y, c->f[0])) return pc_run_stopped(c->run, c->err);
    adopt(c, now, &c->kept_closed);
    if (!pc_carrier_rates(c, now->t, c->y, c->f[1])) return pc_run_stopped(c->run, c->err);
    for (int i = 0; i < c->n; i++) {
        change = fmax(change, fabs(c->f[1][i] - c->f[0][i]) / c->scale[i]);
        c->d[i] -= dt * c->f[1][i];
    }
    if ((most - least) * change > PC_SAME * size)
        return pc_fail_at(c->err, PC_E_UNSUPPORTED, now->t, "contact",
                          "%s and %s change at once at t = %.10g, and a displaced motion changes one first: there a "
                          "displacement has no one image",
                          pc_instant_name(c, first), pc_instant_name(c, last), now->t);
    return PC_OK;
}

/* Bounces have accumulated: at their end, where the contact closes, its speed comes to zero. */
static pc_status pass_accumulation(pc_carrier *c, const pc_instant *now, int i)
{
    const trigger end = {.what = NORMAL_SPEED, .pair = now->after->pair[i]};
    double dt;
    pc_status status = postponed(c, now, &end, &dt);
    if (status == PC_OK) status = pc_carrier_shift(c, now->t, c->y, dt);
    if (status != PC_OK) return status;
    pc_instant_add(&c->contacts, now->after, i);
    status = pc_carrier_project(c, now->t, dt, true);
    return status == PC_OK ? pc_carrier_shift(c, now->t, c->y, -dt) : status;
}

/* ---- an instant ---- */

/* What the run has told of it. The time of an accumulation is that of its end, which is yet to come. */
static pc_status gather(pc_carrier *c, pc_instant *now, const pc_impact_record **first)
{
    const pc_impact_record *impacts = c->run->history.impacts.data;
    size_t i = c->event, all = c->run->history.events.used;
    while (i < all && (event(c, i)->kind == PC_EVENT_ACCUMULATION || event(c, i)->t < now->t)) i++;
    now->first = i;
    while (i < all && (event(c, i)->kind == PC_EVENT_ACCUMULATION || event(c, i)->t == now->t)) i++;
    now->last = c->event = i;
    for (i = now->first; i < now->last; i++) {
        const pc_event_record *e = event(c, i);
        if (e->kind == PC_EVENT_JAM)
            return pc_instant_refuse(c, now, e->pair, "slip jams, where forces grow beyond bounds,");
        if (e->kind != PC_EVENT_IMPACT) continue;
        const pc_impact_record *record = &impacts[e->impact];
        if (record->compliant)
            return pc_instant_refuse(c, now, e->pair, "an impact with configuration = \"moving\" begins");
        if (now->n == 0) *first = record;
        bool mixed = now->n > 0 && now->together != (record->rule == PC_RULE_SIMULTANEOUS);
        int again = 0;
        for (int k = 0; k < now->n; k++) again += now->pair[k] == e->pair;
        if (mixed || again >= ENDLESS)
            return pc_instant_refuse(c, now, e->pair, "impacts without end follow each other at one instant");
        if (!PC_GROW(c->struck, c->struck_room, now->n + 1))
            return pc_fail(c->err, PC_E_MEMORY, "not enough memory for %d impacts at one instant", now->n + 1);
        now->together = record->rule == PC_RULE_SIMULTANEOUS;
        now->pair = c->struck;
        now->pair[now->n++] = e->pair;
    }
    return PC_OK;
}

pc_status pc_carrier_pass(pc_carrier *c, double t, size_t before, size_t after)
{
    pc_run *run = c->run;
    pc_instant now = {.t = t, .after = &c->after};
    const pc_impact_record *record = NULL;
    const double *states = run->history.states.data;
    int n_before, n_after;
    pc_run_closed(run, before, &n_before);
    now.closed = pc_run_closed(run, after, &n_after);
    pc_status status = pc_carrier_reserve(c, n_before + n_after);
    if (status != PC_OK) return status;
    pc_run_restore_modes(run, after, &c->after);
    pc_run_restore_modes(run, before, &c->contacts);
    status = gather(c, &now, &record);
    if (status != PC_OK) return status;
    pc_run_at(run, t, -1, c->y);
    if (record) {
        memcpy(c->y, states + record->states, (size_t)c->n * sizeof *c->y);
        status = pc_instant_impact(c, &now);
    } else {
        status = pass_changes(c, &now);
    }
    pc_run_at(run, t, 1, c->y);
    adopt(c, &now, &c->contacts);
    for (int i = 0; i < c->after.n && status == PC_OK; i++)
        if (pc_instant_find(&c->contacts, c->after.pair[i]) < 0) status = pass_accumulation(c, &now, i);
    return status == PC_OK ? pc_carrier_project(c, t, 0, false) : status;
}
