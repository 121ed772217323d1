/* A displacement at impacts: see tangent.h. */
#include "engine/collide.h"
#include "motion/resolver.h"
#include "motion/proximity.h"
#include "motion/variation/saltation.h"

#include <math.h>
#include <string.h>

/* Pairs struck at once, each of its own accord, whose orders are all tried. */
enum { ORDERED = 4 };

/* Velocities of displaced motions at a contact differ by at most this share of the speed of approach. */
static const double SIMILAR = 1e-3;

/* The touch of a pair that strikes, and its velocity. A side without thickness is struck on the
 * face from which the other comes, whatever rounding says of a gap that is zero. */
static void touch_struck(const pc_configuration *at, pc_places *places, int pair, pc_touch *touch, double v[2])
{
    signed char *face = &places->face[pair];
    for (*face = 1;; *face = -1) {
        pc_configuration_contact(at, places, pair, touch, v);
        if (v[PC_N] < 0 || *face < 0) return;
    }
}

/* The state after an impact of one pair, by its law. */
static pc_status strike(pc_carrier *c, double t, double *y, const void *context)
{
    pc_run *run = c->run;
    int pair = *(const int *)context, m = c->n / 2;
    const pc_pair *p = &run->scene->pairs[pair];
    const pc_configuration *at = pc_planar_make(c->planar, t, y);
    if (!at) return pc_run_stopped(run, c->err);
    pc_touch touch;
    pc_configuration_touch(at, &c->planar->places, pair, &touch);
    pc_mobility W;
    double v0[3] = {0};
    pc_status status = pc_contact_approach(&c->planar->mechanics, pair, &touch, &run->scratch.block, &W, v0, c->err);
    if (status != PC_OK) return status;
    pc_impact impact;
    pc_impact_init(&impact);
    status = pc_law_impact(p->law, p->params, &W, v0, &impact, c->err);
    pc_mechanics_jump(&c->planar->mechanics, &(pc_contact_set){1, &pair, &touch}, impact.impulse, run->scratch.block.a);
    for (int i = 0; i < m; i++) y[m + i] += run->scratch.block.a[i];
    pc_impact_free(&impact);
    return status;
}

/* The state after one impact of all pairs. The run resolves it as if it happened now, and forgets it. */
static pc_status strike_together(pc_carrier *c, double t, double *y, const void *context)
{
    pc_run *run = c->run;
    const pc_instant *now = context;
    pc_touching *touching = pc_run_begin_touching(run);
    pc_status status = PC_OK;
    for (int i = 0; i < now->n && status == PC_OK; i++)
        status = pc_touching_add(touching, now->pair[i], false, false, c->err);
    for (int i = 0; i < c->contacts.n && status == PC_OK; i++)
        status = pc_touching_add(touching, c->contacts.pair[i], false, false, c->err);
    if (status == PC_OK) status = pc_run_reserve(run, touching->n, c->err);
    if (status != PC_OK) return status;
    if (!pc_planar_make(c->planar, t, y)) return pc_run_stopped(run, c->err);
    pc_resolver resolver = pc_run_resolver(run);
    return pc_resolver_joint_jump(&resolver, touching, y + run->scene->n_dof, c->err);
}

/* How much later a displaced motion closes the gap of the k-th impact, at the state y. */
static pc_status delay(pc_carrier *c, const pc_instant *now, int k, double *dt)
{
    int pair = now->pair[k];
    pc_run *run = c->run;
    pc_touch touch;
    double v[2], change[2];
    const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
    if (!at) return pc_run_stopped(run, c->err);
    touch_struck(at, &c->planar->places, pair, &touch, v);
    pc_configuration_change(at, pair, &touch, c->d, change);
    if (-v[PC_N] < c->slowest->speed) *c->slowest = (pc_slowest){-v[PC_N], now->t};
    if (!(v[PC_N] < -pc_pair_resolution(run->scene, run->state.memory, pair)))
        return pc_instant_refuse(c, now, pair,
                                 k ? "impacts that follow each other at once die out" : "the impact grazes");
    *dt = -change[PC_N] / v[PC_N];
    return PC_OK;
}

/* How far to go along d so that the velocities at the contact stay similar: bounces before they accumulate are slower
 * than the displacements of difference quotients. */
static pc_status reach_of(pc_carrier *c, const pc_instant *now, int pair, double *most)
{
    pc_touch touch;
    double v[2], change[2];
    const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
    if (!at) return pc_run_stopped(c->run, c->err);
    pc_configuration_contact(at, &c->planar->places, pair, &touch, v);
    pc_configuration_change(at, pair, &touch, c->d + c->n / 2, change);
    *most = SIMILAR * fabs(v[PC_N]) / hypot(change[PC_T], change[PC_N]);
    return PC_OK;
}

/* A pair stays closed from this impact on: it is the last of the pair, and the bounces that follow do not
 * accumulate. */
static bool closes(const pc_carrier *c, const pc_instant *now, int k)
{
    for (int i = k + 1; i < now->n; i++)
        if (now->pair[i] == now->pair[k]) return false;
    return pc_instant_find(now->after, now->pair[k]) >= 0 &&
           !pc_instant_tells(c, now, PC_EVENT_ACCUMULATION, now->pair[k]);
}

/* Pairs that stay closed are stopped, as the run does with what is slower than v_rest: y and d. */
static pc_status stop(pc_carrier *c, double t, double dt)
{
    pc_status status = pc_carrier_project(c, t, dt, true);
    if (status != PC_OK || c->contacts.n == 0) return status;
    if (!pc_planar_make(c->planar, t, c->y)) return pc_run_stopped(c->run, c->err);
    pc_contacts_project(&c->contacts, &c->planar->mechanics, &c->run->scratch.block, true, c->y);
    return PC_OK;
}

/* The k-th impact, or all of them together. */
static pc_status leap(pc_carrier *c, const pc_instant *now, int k)
{
    double dt = 0, most = INFINITY;
    pc_status status = delay(c, now, k, &dt);
    if (status == PC_OK) status = pc_carrier_shift(c, now->t, c->y, dt);
    if (status == PC_OK) status = reach_of(c, now, now->pair[k], &most);
    pc_carrier_map map = now->together ? strike_together : strike;
    const void *context = now->together ? (const void *)now : &now->pair[k];
    /* along d and dt together the gap stays closed: the law is asked where displaced motions strike */
    if (status == PC_OK) status = pc_carrier_differ(c, map, context, now->t, c->d, dt, most, c->n, c->d);
    if (status == PC_OK) status = map(c, now->t, c->y, context);
    if (status != PC_OK) return status;
    c->planar->places.face[now->pair[k]] = 0;
    if (k == 0) {
        status = pc_instant_go_on(c, now, dt);
        if (status != PC_OK) return status;
        pc_contacts_copy(&c->contacts, &c->kept_closed);
    }
    for (int i = k; i < (now->together ? now->n : k + 1); i++)
        if (closes(c, now, i)) pc_instant_add(&c->contacts, now->after, pc_instant_find(now->after, now->pair[i]));
    status = stop(c, now->t, dt);
    return status == PC_OK ? pc_carrier_shift(c, now->t, c->y, -dt) : status;
}

/* All impacts in the order of now->pair, from the state in kept[0] and the displacement in kept[1]. */
static pc_status leap_all(pc_carrier *c, const pc_instant *now)
{
    size_t size = (size_t)c->n * sizeof *c->y;
    pc_status status = PC_OK;
    memcpy(c->y, c->kept[0], size);
    memcpy(c->d, c->kept[1], size);
    pc_contacts_copy(&c->contacts, &c->before);
    int n = now->together ? 1 : now->n;
    for (int k = 0; k < n && status == PC_OK; k++) status = leap(c, now, k);
    return status;
}

static pc_status refuse_order(const pc_carrier *c, const pc_instant *now, int first, int second)
{
    return pc_fail_at(c->err, PC_E_UNSUPPORTED, now->t, "impact",
                      "%s and %s are struck at once at t = %.10g, and the motion depends on which is first: there a "
                      "displacement has no one image",
                      pc_instant_name(c, first), pc_instant_name(c, second), now->t);
}

static bool differ(const pc_carrier *c, const double *a, const double *b)
{
    double *difference = c->near;
    for (int i = 0; i < c->n; i++) difference[i] = a[i] - b[i];
    double size = fmax(pc_carrier_size(c, a), pc_carrier_size(c, b));
    return !(pc_carrier_size(c, difference) <= PC_SAME * size);
}

/* Every order of the impacts from the k-th on has to lead to the state in kept[2], and to the displacement in kept[3],
 * which that of the first one fills. */
static pc_status try_orders(pc_carrier *c, pc_instant *now, int k, bool *known)
{
    pc_status status = PC_OK;
    if (k == now->n) {
        status = leap_all(c, now);
        if (status != PC_OK) return status;
        if (!*known) memcpy(c->kept[3], c->d, (size_t)c->n * sizeof *c->d);
        *known = true;
        bool other = differ(c, c->kept[2], c->y) || differ(c, c->kept[3], c->d);
        return other ? refuse_order(c, now, now->pair[0], now->pair[1]) : PC_OK;
    }
    for (int i = k; i < now->n && status == PC_OK; i++) {
        int pair = now->pair[i];
        now->pair[i] = now->pair[k];
        now->pair[k] = pair;
        status = try_orders(c, now, k + 1, known);
        now->pair[k] = now->pair[i];
        now->pair[i] = pair;
    }
    return status;
}

/* Pairs that approach before any has struck, of which the first two are told: the others are struck by what these do.
 * One leads, and the rest follow in a displaced motion as well; of several that lead, a displaced motion strikes one
 * first. */
static int leaders(pc_carrier *c, const pc_instant *now, const pc_configuration *at, int pair[2])
{
    int n = 0;
    for (int k = 0; k < now->n; k++) {
        pc_touch touch;
        double v[2];
        bool known = false;
        for (int i = 0; i < k; i++) known |= now->pair[i] == now->pair[k];
        touch_struck(at, &c->planar->places, now->pair[k], &touch, v);
        c->planar->places.face[now->pair[k]] = 0;
        if (known || !(v[PC_N] < -pc_pair_resolution(c->run->scene, c->run->state.memory, now->pair[k]))) continue;
        if (n < 2) pair[n] = now->pair[k];
        n++;
    }
    return n;
}

/* The leader, now->pair[0], strikes together with pairs that touch: they have to touch in a displaced motion. */
static pc_status check_touching(pc_carrier *c, const pc_instant *now, const pc_configuration *at)
{
    double size = pc_carrier_size(c, c->d);
    for (int k = 1; k < now->n; k++) {
        pc_touch touch;
        double change[2];
        pc_configuration_touch(at, &c->planar->places, now->pair[k], &touch);
        pc_configuration_change(at, now->pair[k], &touch, c->d, change);
        if (fabs(change[PC_N]) > PC_SAME * size * c->length) return refuse_order(c, now, now->pair[0], now->pair[k]);
    }
    return PC_OK;
}

pc_status pc_instant_impact(pc_carrier *c, pc_instant *now)
{
    size_t size = (size_t)c->n * sizeof *c->y;
    int lead[2];
    const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
    if (!at) return pc_run_stopped(c->run, c->err);
    pc_contacts_copy(&c->before, &c->contacts);
    int n = leaders(c, now, at, lead);
    memcpy(c->kept[0], c->y, size);
    memcpy(c->kept[1], c->d, size);
    if (n <= 1) {
        for (int k = 1; k < now->n && n == 1 && now->together; k++) { /* it is the leader's instant */
            if (now->pair[k] != lead[0]) continue;
            now->pair[k] = now->pair[0];
            now->pair[0] = lead[0];
        }
        pc_status status = now->together ? check_touching(c, now, at) : PC_OK;
        return status == PC_OK ? leap_all(c, now) : status;
    }
    if (n < now->n || n > ORDERED) return refuse_order(c, now, lead[0], lead[1]);
    pc_run_at(c->run, now->t, 1, c->kept[2]);
    now->together = false; /* displaced motions strike one after the other */
    bool known = false;
    pc_status status = try_orders(c, now, 0, &known);
    memcpy(c->d, c->kept[3], size);
    return status;
}
