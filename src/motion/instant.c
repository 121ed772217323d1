/* An instant of a loop: what happens where something that was watched fires, and where a motion begins. */
#include "motion/contact_changes.h"
#include "motion/handover.h"
#include "motion/loop.h"
#include "motion/resolver.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <math.h>
#include <string.h>

/* Closed contacts drift within the tolerances of the method: put them back. */
pc_status pc_run_correct(pc_run *run, pc_error *err)
{
    if (run->state.contacts.n == 0) return PC_OK;
    if (!pc_planar_make(&run->scratch.system, run->state.t, run->state.y)) return pc_run_stopped(run, err);
    pc_contacts_project(&run->state.contacts, &run->scratch.system.mechanics, &run->scratch.block, false, run->state.y);
    return PC_OK;
}

pc_status pc_loop_keep_features(pc_loop *l, int first, int last)
{
    pc_run *run = l->run;
    const pc_places *places = &run->scratch.system.places;
    for (int i = first; i < last; i++) {
        const pc_occurrence *o = &l->locator.found[i];
        const pc_guard *w = &l->guards[o->event];
        pc_touch touch;
        if (w->what != PC_GUARDS_GAP) continue;
        if (o->before < 0) places->face[w->pair] = (signed char)-places->face[w->pair];
        if (pc_pair_acts_in_motion(run->scene, w->pair)) continue;
        const pc_configuration *now = pc_planar_make_pair(&run->scratch.system, w->pair, run->state.t, run->state.y);
        if (!now) return pc_run_stopped(run, l->err);
        pc_configuration_touch(now, places, w->pair, &touch);
        if (touch.meets) places->feature[w->pair] = (signed char)touch.feature;
    }
    return PC_OK;
}

/* See whether the impacts from `first` on lead to others without end. One impact, or several struck as one, say how the
 * speed of their pair changed to the last bit of their own velocities. */
static pc_status accumulate(pc_run *run, size_t first, pc_error *err)
{
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + first,
                           *end = (const pc_impact_record *)run->history.impacts.data + run->history.impacts.used;
    bool once = record->rule != PC_RULE_SEQUENTIAL || end - record == 1;
    for (const pc_impact_record *other = record + 1; other < end; other++)
        once &= other->rule == record->rule && other->pair != record->pair;
    pc_touching *touching = pc_run_begin_touching(run);
    pc_resolver resolver = pc_run_resolver(run);
    pc_status status =
        pc_resolver_accumulate(&resolver, record->pair, record->v0[PC_N], once ? record->v1[PC_N] : NAN, touching, err);
    return status == PC_OK && touching->n > 0 ? pc_run_resolve(run, touching, -1, err) : status;
}

/* ---- past an instant that does not settle, by steps of engine/impulse_step.c ---- */

/* A step changes velocities by about this share of the greatest; the next one, if it follows soon, by twice as much. */
static const double SHORTEST = 1e-9, LONGEST = 1e-6;

/* "Soon": within so many times the last step. */
static const double SOON = 100;

/* The state goes from `ends` (of each component, before and after) to the latter in proportion to time, while no pair
 * is closed. What that takes of the energy before was lost. */
static pc_status record(pc_loop *l, const double *ends, double h, double energy)
{
    pc_run *run = l->run;
    const pc_dense dense = {run->state.t, h, 2 * run->scene->n_dof, 1, (double *)ends};
    int closed = run->state.contacts.n;
    double work = run->state.work[0] + run->state.work[1] + run->state.work[2];
    run->state.contacts.n = 0;
    pc_status status = pc_run_record_modes(run, l->err);
    if (status == PC_OK) status = pc_run_record_arc(run, &dense, run->state.t + h, l->options->record, l->err);
    run->state.contacts.n = closed;
    if (status != PC_OK) return status;
    run->state.t += h;
    const pc_configuration *after = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!after) return pc_run_stopped(run, l->err);
    run->state.lost +=
        energy + (run->state.work[0] + run->state.work[1] + run->state.work[2] - work) - pc_configuration_energy(after);
    return PC_OK;
}

static pc_status step(pc_loop *l, const pc_touching *touching, double h)
{
    pc_run *run = l->run;
    int n = run->scene->n_dof;
    pc_status status = pc_run_reserve(run, touching->n, l->err); /* first, for it may move the state and scratch */
    if (status != PC_OK) return status;
    const pc_configuration *before = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!before) return pc_run_stopped(run, l->err);
    double energy = pc_configuration_energy(before), *ends = pc_calloc(4 * (size_t)n, sizeof *ends);
    if (!ends) return pc_fail(l->err, PC_E_MEMORY, "not enough memory for a step of %d coordinates", n);
    for (int i = 0; i < 2 * n; i++) ends[2 * i] = run->state.y[i];
    pc_resolver resolver = pc_run_resolver(run);
    status = pc_impulse_step(&resolver, touching, h, l->err);
    for (int i = 0; i < n; i++) run->state.y[i] += h * run->state.y[n + i];
    for (int i = 0; i < 2 * n; i++) ends[2 * i + 1] = run->state.y[i];
    for (int i = 0; i < 2 * n && status != PC_OK; i++) run->state.y[i] = ends[2 * i];
    if (status == PC_OK) status = record(l, ends, h, energy);
    pc_free(ends);
    return status;
}

/* One step, and what becomes of the contacts after it. */
static pc_status attempt(pc_loop *l)
{
    pc_run *run = l->run;
    pc_touching *touching = pc_run_begin_touching(run);
    double h;
    if (!pc_planar_make(&run->scratch.system, run->state.t, run->state.y)) return pc_run_stopped(run, l->err);
    pc_status status = pc_run_find_touching(run, touching, l->err);
    bool soon = l->pass.h > 0 && run->state.t - l->pass.t <= SOON * l->pass.h;
    l->pass.share = soon ? fmin(2 * l->pass.share, LONGEST) : SHORTEST;
    pc_resolver resolver = pc_run_resolver(run);
    if (status == PC_OK) status = pc_impulse_step_length(&resolver, touching, l->pass.share, &h, l->err);
    if (status != PC_OK) return status;
    h = fmax(h, pc_one_instant(run->state.t, 0));
    if (run->state.t < l->t_end) h = fmin(h, l->t_end - run->state.t);
    l->pass.h = h;
    l->pass.t = run->state.t + h;
    status = step(l, touching, h);
    touching->n = 0;
    if (status == PC_OK) status = pc_run_find_touching(run, touching, l->err);
    return status == PC_OK ? pc_run_resolve(run, touching, -1, l->err) : status;
}

pc_status pc_loop_impulse_step(pc_loop *l)
{
    enum { ATTEMPTS = 16 };
    pc_run *run = l->run;
    run->state.unsettled = true;
    for (int i = 0; i < ATTEMPTS && run->state.compliant.n == 0 && run->state.unsettled; i++) {
        pc_status status = attempt(l);
        if (status != PC_OK) return status;
    }
    if (!run->state.unsettled) return PC_OK;
    return pc_fail_at(l->err, PC_E_NUMERIC, run->state.t, "force",
                      "no contact forces are consistent with the motion at t = %.17g", run->state.t);
}

/* ---- instants ---- */

/* Settle, and see whether the impacts there go on for ever. */
static pc_status settle(pc_loop *l, pc_touching *touching, int jam)
{
    pc_run *run = l->run;
    size_t first = run->history.impacts.used;
    pc_status status = pc_run_resolve(run, touching, jam, l->err);
    if (status == PC_OK && !run->state.unsettled && run->history.impacts.used > first)
        status = accumulate(run, first, l->err);
    return status == PC_OK && run->state.unsettled ? pc_loop_impulse_step(l) : status;
}

/* Forced changes of a closed pair: at a zero of its normal force it opens, at the edge of the cone it slips. */
static pc_status open_pair(pc_run *run, int pair, pc_error *err)
{
    pc_contacts_open(&run->state.contacts, pair);
    return pc_run_log(run, (pc_event_record){.kind = PC_EVENT_LIFT, .pair = pair}, err);
}

static pc_status begin_slip(pc_run *run, int pair, int sign, pc_touching *touching, pc_error *err)
{
    int closed = pc_contacts_find(&run->state.contacts, pair);
    if (closed >= 0) run->state.contacts.mode[closed] = sign;
    pc_status status = pc_touching_add(touching, pair, false, false, err);
    for (int i = 0; i < touching->n; i++)
        if (touching->at[i].pair == pair) touching->at[i].slip = sign;
    if (status != PC_OK) return status;
    return pc_run_log(run, (pc_event_record){.kind = PC_EVENT_SLIP, .pair = pair, .mode = sign}, err);
}

/* A pair opens at this instant: then nothing else becomes of it (at the apex of the cone everything is zero). */
static bool opens(const pc_loop *l, int first, int last, int pair)
{
    for (int i = first; i < last; i++) {
        const pc_guard *w = &l->guards[l->locator.found[i].event];
        if (w->what == PC_GUARDS_NORMAL && w->pair == pair) return true;
    }
    return false;
}

/* Changes of contacts at one instant before they are no longer taken one by one. */
enum { FLICKERS = 8 };

/* A closed pair comes to where another part of the outlines takes over: it goes on there, or it has slipped off.
 * *gone: the latter. */
static pc_status pass_bound(pc_run *run, const pc_configuration *now, int pair, int margin, bool *gone, pc_error *err)
{
    int next = pc_configuration_beyond(now, &run->scratch.system.places, pair, margin);
    *gone = next < 0;
    run->scratch.system.places.feature[pair] = (signed char)next;
    return *gone ? open_pair(run, pair, err) : PC_OK;
}

/* The margin of a contact that is at the end of its part, up to the overhang, and slides off it; -1: it does not. */
static int margin_passed(const pc_run *run, const pc_configuration *now, int i)
{
    int pair = run->state.contacts.pair[i];
    const pc_places *places = &run->scratch.system.places;
    double margin[PC_MARGINS], rate[PC_MARGINS], small = pc_pair_resolution(run->scene, run->state.memory, pair);
    pc_touch touch;
    if (run->state.contacts.mode[i] == 0) return -1;
    pc_configuration_touch(now, places, pair, &touch);
    pc_configuration_margins(now, places, pair, margin);
    pc_configuration_margin_rates(now, pair, &touch, rate);
    for (int k = 0; k < PC_MARGINS; k++)
        if (fabs(margin[k]) <= PC_OVERHANG * run->scene->pairs[pair].length && rate[k] < -small) return k;
    return -1;
}

/* A corner that slides off the end of a side opens where the end of that side closes with the side that the corner
 * begins: while the overhang lasts both would be one contact, and share its load. */
static pc_status open_passed(pc_loop *l, pc_touching *gone)
{
    pc_run *run = l->run;
    pc_status status = PC_OK;
    if (run->state.contacts.n == 0) return PC_OK;
    const pc_configuration *now = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!now) return pc_run_stopped(run, l->err);
    for (int i = run->state.contacts.n - 1; i >= 0 && status == PC_OK; i--) {
        int pair = run->state.contacts.pair[i], margin = margin_passed(run, now, i);
        if (margin < 0 || pc_configuration_beyond(now, &run->scratch.system.places, pair, margin) >= 0) continue;
        bool off;
        status = pass_bound(run, now, pair, margin, &off, l->err);
        if (status == PC_OK) status = pc_touching_add(gone, pair, false, false, l->err);
    }
    return status;
}

/* A gap that closes again at once: the bounce before it was lower than its rounding. */
static bool closes_again(pc_loop *l, const pc_occurrence *o, const pc_guard *w)
{
    pc_run *run = l->run;
    if (w->what != PC_GUARDS_GAP || o->t - l->restarts.last > pc_one_instant(o->t, 0) ||
        l->restarts.last <= run->history.t0)
        return false;
    pc_touch touch;
    double v[2];
    const pc_configuration *now = pc_planar_make_pair(&run->scratch.system, w->pair, run->state.t, run->state.y);
    if (!now) return false; /* what makes it again below tells */
    pc_configuration_contact(now, &run->scratch.system.places, w->pair, &touch, v);
    return pc_bounce_is_gentle(v[PC_N], pc_pair_speed_scale(run->scene, run->state.memory, w->pair));
}

/* What touches, with all that is closed, goes on so or otherwise; the configuration has been made. */
static pc_status decide(pc_loop *l, bool jumped, pc_touching *touching, int jam)
{
    pc_run *run = l->run;
    const pc_resolver resolver = pc_run_resolver(run);
    pc_status status = pc_resolver_add_closed(&resolver, jumped, touching, l->err);
    if (status == PC_OK) status = pc_run_find_touching(run, touching, l->err);
    if (status == PC_OK) status = settle(l, touching, jam);
    return status == PC_OK ? pc_run_stick_again(run, l->err) : status;
}

/* The events [first, last) at one instant. *changed: the motion starts afresh. */
pc_status pc_loop_act(pc_loop *l, int first, int last, bool *changed, bool *stop)
{
    pc_run *run = l->run;
    pc_touching *touching = pc_run_begin_touching(run), *gone = &run->scratch.gone;
    /* What reaches a bound has to change, though the accelerations there do not tell yet. But if that comes to nothing,
     * because it cannot move without others that can still bear the load, it is decided on. */
    bool unsettled = false, forced = l->restarts.stalls < FLICKERS, jumped = false;
    int jam = -1;
    pc_status status = PC_OK;
    for (int i = first; i < last && status == PC_OK; i++) {
        const pc_occurrence *o = &l->locator.found[i];
        const pc_guard *w = &l->guards[o->event];
        if (w->what == PC_GUARDS_USER) {
            const pc_event *event = &l->options->events[w->pair];
            status = pc_run_log(run, (pc_event_record){.kind = PC_EVENT_USER, .pair = w->pair}, l->err);
            int verdict = event->action && status == PC_OK ? event->action(o->t, run->state.y, event->context) : 0;
            if (verdict < 0) return pc_run_stopped(run, l->err);
            jumped |= verdict == PC_ACTION_RESTART;
            *changed |= jumped;
            if (event->terminal || verdict == PC_ACTION_STOP) {
                *stop = true;
                run->state.stop_event = w->pair;
            }
            continue;
        }
        *changed = true;
        if (w->what == PC_GUARDS_RECOVERY) run->state.memory[w->pair].residual = 0;
        if (w->what == PC_GUARDS_GAP && pc_pair_acts_in_motion(run->scene, w->pair)) {
            status = pc_run_close_late(run, w->pair, l->err);
            continue;
        }
        if (w->what == PC_GUARDS_NORMAL) {
            if (forced) status = open_pair(run, w->pair, l->err);
            if (forced && status == PC_OK) status = pc_touching_add(gone, w->pair, false, false, l->err);
            unsettled = true;
        }
        if (w->what == PC_GUARDS_MARGIN && !opens(l, first, last, w->pair)) {
            /* what the errors of the step have broken breaks a little later, from where the contact is now */
            if (!pc_planar_make(&run->scratch.system, run->state.t, run->state.y) ||
                pc_run_accelerate(run, run->scratch.a) != 0)
                return pc_run_stopped(run, l->err);
            if (forced && pc_loop_sticks(l, w)) continue;
            if (forced) status = begin_slip(run, w->pair, w->sign, touching, l->err);
            unsettled = true;
        }
        unsettled |= w->what == PC_GUARDS_PERSISTENCE;
        if (w->what == PC_GUARDS_JAM) jam = w->pair;
        if (w->what == PC_GUARDS_BOUND) {
            bool off;
            const pc_configuration *now =
                pc_planar_make_pair(&run->scratch.system, w->pair, run->state.t, run->state.y);
            if (!now) return pc_run_stopped(run, l->err);
            status = pass_bound(run, now, w->pair, w->sign, &off, l->err);
            if (off && status == PC_OK) status = pc_touching_add(gone, w->pair, false, false, l->err);
            if (!off && status == PC_OK)
                status = pc_run_correct(run, l->err); /* the frame has turned by the overhang */
            unsettled = true;
        }
        if (w->what == PC_GUARDS_GAP) status = open_passed(l, gone);
        if (status != PC_OK) return status;
        if (w->what == PC_GUARDS_GAP || w->what == PC_GUARDS_SLIP || w->what == PC_GUARDS_JAM) {
            unsettled = true;
            status = pc_touching_add(touching, w->pair, w->what == PC_GUARDS_SLIP, closes_again(l, o, w), l->err);
        }
    }
    if (status != PC_OK || (first < last && !*changed)) return status;
    if (!pc_planar_make(&run->scratch.system, run->state.t, run->state.y)) return pc_run_stopped(run, l->err);
    const pc_resolver resolver = pc_run_resolver(run);
    for (int i = 0; i < run->state.contacts.n && !jumped; i++) unsettled |= pc_resolver_has_turned(&resolver, i);
    return unsettled ? decide(l, jumped, touching, jam) : PC_OK;
}

pc_status pc_loop_decide(pc_loop *l)
{
    pc_run *run = l->run;
    pc_touching *touching = pc_run_begin_touching(run);
    if (!pc_planar_make(&run->scratch.system, run->state.t, run->state.y)) return pc_run_stopped(run, l->err);
    return decide(l, false, touching, -1);
}

/* A compliant pair at the start: closed if it is compressed, approaches, or is loaded at rest. */
static pc_status begin_compliant(pc_run *run, int pair, pc_error *err)
{
    double rounding = PC_TOUCHING * run->scene->pairs[pair].length, v[2], a[2];
    const pc_configuration *now = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!now) return pc_run_stopped(run, err);
    const pc_places *places = &run->scratch.system.places;
    if (pc_configuration_gap(now, places, pair) > rounding || !pc_compliant_may_begin(now, &run->state, pair))
        return PC_OK;
    pc_compliant_hold_side(now, &run->state, pair); /* what does not begin holds to nothing when it is watched */
    pc_touch touch;
    pc_configuration_contact(now, places, pair, &touch, v);
    pc_pair_record_speed(now, run->state.memory, pair);
    if (touch.gap < -rounding) return pc_run_close_pair(run, pair, err);
    double small = pc_pair_resolution(run->scene, run->state.memory, pair);
    if (v[PC_N] > small) return PC_OK;
    if (pc_run_accelerate(run, run->scratch.a) != 0) return pc_run_stopped(run, err);
    pc_configuration_acceleration(now, pair, &touch, run->scratch.a, a);
    return v[PC_N] < -small || a[PC_N] < 0 ? pc_run_close_pair(run, pair, err) : PC_OK;
}

/* What touches at the start, before anything has moved. */
pc_status pc_loop_begin(pc_loop *l)
{
    pc_run *run = l->run;
    pc_touching *touching = pc_run_begin_touching(run);
    pc_status status = PC_OK;
    pc_places *places = &run->scratch.system.places;
    const pc_configuration *now = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!now) return pc_run_stopped(run, l->err);
    for (int pair = 0; pair < run->scene->n_pairs && status == PC_OK; pair++) {
        const pc_pair *p = &run->scene->pairs[pair];
        if (p->thin) places->face[pair] = (signed char)pc_configuration_outer_face(now, pair);
        pc_pair_update_face(now, places, pair);
        double gap = pc_configuration_gap(now, places, pair);
        if (gap < -PC_TOUCHING * p->length && !pc_pair_acts_in_motion(run->scene, pair))
            status = pc_fail_at(l->err, PC_E_ARGUMENT, run->state.t, "gap",
                                "%s: the motion begins with a gap of %.6g m", p->name, gap);
    }
    if (status == PC_OK) status = pc_run_find_touching(run, touching, l->err);
    run->state.energy0 = pc_configuration_energy(now);
    if (status == PC_OK) status = touching->n > 0 ? settle(l, touching, -1) : PC_OK;
    for (int pair = 0; pair < run->scene->n_pairs && status == PC_OK; pair++)
        if (pc_pair_acts_in_motion(run->scene, pair)) status = begin_compliant(run, pair, l->err);
    if (status == PC_OK) run->state.energy0 += pc_compliant_stored(&run->state.compliant);
    if (status == PC_OK) status = pc_run_record_modes(run, l->err);
    run->state.begun = status == PC_OK;
    return status;
}
