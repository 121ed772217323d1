/* What happens at one time of a state: see instant.h. */
#include "engine/instant.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "engine/separation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A depth, as a share of the lengths in a gap, that rounding does not explain. */
static const double UNSEEN = 1e-10;

/* Changes of contacts at one instant before they are no longer taken one by one. */
enum { FLICKERS = 8 };

static const pc_provider_parts *parts_of(const pc_instant *it)
{
    return it->resolver.at->mechanics->provider->parts;
}

static void hold(const pc_instant *it, int place, int part)
{
    if (parts_of(it)) parts_of(it)->hold(it->resolver.at->mechanics->self, place, part);
}

static pc_status tell(const pc_instant *it, int place, pc_contact_change change, int mode, pc_error *err)
{
    return it->resolver.log.change(it->resolver.log.context, place, change, mode, err);
}

pc_status pc_instant_correct(pc_instant *it, pc_error *err)
{
    const pc_resolver *r = &it->resolver;
    if (r->at->contacts->n == 0) return PC_OK;
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    if (status == PC_OK) pc_contacts_project(r->at->contacts, r->at->mechanics, r->at->block, false, r->at->y);
    return status;
}

/* ---- forces that are nearly zero ---- */

/* Forces come from linear systems that may be nearly singular (joints of a straight chain on a floor, discs that jam
 * one another), so their noise is a generous share of the greatest one; crossings are polished on the function itself,
 * so this costs no accuracy. */
static double noise_share(const pc_block *block)
{
    if (block->shared) return 1e-7;
    return fmin(fmax(1e-9, PC_ROUNDING / block->spread), 1e-4);
}

/* Forces that are zero when they begin (friction at the apex of its cone) still round like the loads they balance. */
static const double LOAD_NOISE = 1e-13;

static double largest_load(const pc_contacts *c, const pc_mechanics *m, const pc_block *block)
{
    double load = m->fall, most = 0, least = INFINITY;
    for (int i = 0; i < 2 * block->n; i++) {
        load = fmax(load, fabs(block->b[i]));
        most = fmax(most, block->W[i * 2 * block->n + i]);
    }
    for (int i = 0; i < c->n; i++) {
        int row = 2 * i + PC_N;
        double W = block->W[row * 2 * block->n + row];
        if (W > DBL_EPSILON * most) least = fmin(least, W); /* else nothing gives there: a link in its own line */
    }
    return load / least;
}

double pc_contacts_noise(const pc_contacts *c, const pc_mechanics *m, const pc_block *block, double force)
{
    const double share = m->follows ? fmax(noise_share(block), PC_ROUNDING * block->grown) : noise_share(block);
    return fmax(share * force, LOAD_NOISE * largest_load(c, m, block));
}

double pc_contacts_greatest(const pc_contacts *c)
{
    double most = 0;
    for (int i = 0; i < c->n; i++) most = fmax(most, fabs(c->force[i][PC_N]) + fabs(c->force[i][PC_T]));
    return most;
}

bool pc_instant_holds(const pc_instant *it, pc_guard_kind what, int place, int sign)
{
    const pc_resolver *r = &it->resolver;
    const pc_contacts *c = r->at->contacts;
    const bool rolls = what == PC_GUARDS_BRACE;
    int i = pc_contacts_find(c, place);
    if (i < 0 || (rolls ? c->roll[i] : c->mode[i]) != 0) return false;
    double mu = rolls ? 1 : pc_mechanics_pairing(r->at->mechanics, place)->static_friction;
    double margin = mu * c->force[i][PC_N] + sign * (rolls ? c->hold[i] : c->force[i][PC_T]);
    return margin > pc_contacts_noise(c, r->at->mechanics, r->at->block, pc_contacts_greatest(c));
}

/* ---- what touches is resolved ---- */

/* How what lasts now differs from before. */
static pc_status tell_changes(const pc_instant *it, pc_error *err)
{
    const pc_contacts *now = it->resolver.at->contacts, *before = it->resolver.before;
    pc_status status = PC_OK;
    for (int i = 0; i < before->n && status == PC_OK; i++)
        if (pc_contacts_find(now, before->pair[i]) < 0) status = tell(it, before->pair[i], PC_CHANGE_END, 0, err);
    for (int j = 0; j < now->n && status == PC_OK; j++) {
        int old = pc_contacts_find(before, now->pair[j]), mode = now->mode[j];
        if (old >= 0 && before->mode[old] == mode) continue;
        pc_contact_change change = old < 0                  ? PC_CHANGE_BEGIN
                                   : mode == 0              ? PC_CHANGE_STICK
                                   : before->mode[old] == 0 ? PC_CHANGE_SLIP
                                                            : PC_CHANGE_REVERSAL;
        const pc_pairing *pairing = pc_mechanics_pairing(it->resolver.at->mechanics, now->pair[j]);
        if (change == PC_CHANGE_REVERSAL && pc_pairing_is_smooth(pairing)) continue; /* it was at another time */
        status = tell(it, now->pair[j], change, mode, err);
    }
    return status;
}

/* Accelerations that rounding makes of nothing, as a share of that of a fall; and velocities, as a multiple of what
 * contacts resolve. */
static const double STILL = 1e-11, SLOW = 10;

/* Nothing moves and nothing accelerates, as far as rounding tells. */
static pc_status tell_rest(const pc_instant *it, pc_error *err)
{
    const pc_resolver *r = &it->resolver;
    const pc_mechanics *m = r->at->mechanics;
    double resolved = 0, fast = 0, force = 0;
    for (int i = 0; i < m->n_places; i++) resolved = fmax(resolved, pc_contact_state_resolution(r->at, i));
    for (int i = 0; i < r->at->contacts->n; i++)
        if (r->at->contacts->mode[i] != 0 && pc_mechanics_pairing(m, r->at->contacts->pair[i])->friction > 0)
            return PC_OK;
    pc_status status = pc_contact_state_accelerate(it->resolver.at, NULL, it->resolver.at->a, err);
    if (status != PC_OK) return status;
    for (int i = 0; i < m->n; i++) {
        fast = fmax(fast, fabs(r->at->y[m->n + i]));
        force = fmax(force, fabs(r->at->a[i]));
    }
    if (fast > SLOW * resolved || force > STILL * m->fall) return PC_OK;
    return tell(it, -1, PC_CHANGE_REST, 0, err);
}

/* Everything that happens to what touches, which holds to the part of an outline where it does until the next arc. jam:
 * a place whose slip presses it, struck from v_n = 0; or -1. */
static pc_status resolve(pc_instant *it, int jam, bool *settled, pc_error *err)
{
    pc_touching *touching = it->touching;
    pc_status status = it->reserve(it->context, touching->n, it, err);
    if (status == PC_OK) status = pc_contact_state_place(it->resolver.at, err);
    for (int i = 0; i < touching->n && status == PC_OK; i++) {
        pc_touch touch;
        pc_mechanics_touch(it->resolver.at->mechanics, touching->at[i].pair, &touch);
        hold(it, touching->at[i].pair, touch.feature);
    }
    if (status == PC_OK) status = pc_resolve(&it->resolver, touching, jam, settled, err);
    if (status != PC_OK || !*settled) return status;
    status = tell_changes(it, err);
    return status == PC_OK && it->resolver.at->contacts->n > 0 ? tell_rest(it, err) : status;
}

static void clear(pc_instant *it)
{
    it->touching->n = it->gone->n = 0;
}

static pc_status find_touching(pc_instant *it, pc_error *err)
{
    return pc_touching_find(it->touching, it->gone, it->resolver.at->mechanics, err);
}

/* ---- past an instant that does not settle ---- */

/* A step changes velocities by about this share of the greatest; the next one, if it follows soon, by twice as much. */
static const double SHORTEST = 1e-9, LONGEST = 1e-6;

/* "Soon": within so many times the last step. */
static const double SOON = 100;

/* The state goes from where it is to what impulses make of it in proportion to time, while no contact is closed. What
 * that takes of the energy was lost. */
static pc_status step(pc_instant *it, double h, pc_error *err)
{
    const pc_mechanics *m = it->resolver.at->mechanics;
    const int n = m->n;
    pc_status status = it->reserve(it->context, it->touching->n, it, err);
    if (status == PC_OK) status = pc_contact_state_place(it->resolver.at, err);
    if (status != PC_OK) return status;
    pc_resolver *r = &it->resolver;
    double work = 0, energy = pc_contact_state_energy(r->at), *ends = pc_calloc(4 * (size_t)n, sizeof *ends);
    if (!ends) return pc_fail(err, PC_E_MEMORY, "not enough memory for a step of %d coordinates", n);
    const pc_dense dense = {r->at->t, h, 2 * n, 1, ends};
    for (int i = 0; i < 2 * n; i++) ends[2 * i] = r->at->y[i];
    status = pc_impulse_step(r, it->touching, h, err);
    const pc_joint_impact *joint = &r->sequence->joint;
    double given = 0;
    const pc_contact_set struck = {joint->n, joint->place, joint->touch};
    if (status == PC_OK) given = pc_carried_work(m, &struck, joint->p, NULL);
    for (int i = 0; i < n; i++) r->at->y[i] += h * r->at->y[n + i];
    for (int i = 0; i < 2 * n; i++) ends[2 * i + 1] = r->at->y[i];
    for (int i = 0; i < 2 * n && status == PC_OK; i++) r->at->y[i] = ends[2 * i];
    int closed = r->at->contacts->n;
    r->at->contacts->n = 0;
    if (status == PC_OK) status = it->passed(it->context, &dense, &work, err);
    r->at->contacts->n = closed;
    pc_free(ends);
    if (status != PC_OK) return status;
    r->at->t = dense.t + h;
    if ((status = pc_contact_state_place(it->resolver.at, err)) != PC_OK) return status;
    *r->lost += energy + work + given - pc_contact_state_energy(r->at);
    *r->driven += given;
    return PC_OK;
}

/* One step, and what becomes of the contacts after it. */
static pc_status attempt(pc_instant *it, bool *settled, pc_error *err)
{
    pc_resolver *r = &it->resolver;
    double h;
    clear(it);
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    if (status == PC_OK) status = find_touching(it, err);
    bool soon = it->pass.h > 0 && r->at->t - it->pass.t <= SOON * it->pass.h;
    it->pass.share = soon ? fmin(2 * it->pass.share, LONGEST) : SHORTEST;
    if (status == PC_OK) status = pc_impulse_step_length(r, it->touching, it->pass.share, &h, err);
    if (status != PC_OK) return status;
    h = fmax(h, pc_one_instant(r->at->t, 0));
    if (r->at->t < it->end) h = fmin(h, it->end - r->at->t);
    it->pass.h = h;
    it->pass.t = r->at->t + h;
    status = step(it, h, err);
    r->jumped = true;
    it->touching->n = 0;
    if (status == PC_OK) status = find_touching(it, err);
    return status == PC_OK ? resolve(it, -1, settled, err) : status;
}

pc_status pc_instant_pass(pc_instant *it, pc_error *err)
{
    enum { ATTEMPTS = 16 };
    bool settled = false;
    for (int i = 0; i < ATTEMPTS && it->resolver.at->compliant->n == 0 && !settled; i++) {
        pc_status status = attempt(it, &settled, err);
        if (status != PC_OK) return status;
    }
    if (settled) return PC_OK;
    return pc_fail_at(err, PC_E_NUMERIC, it->resolver.at->t, "force",
                      "no contact forces are consistent with the motion at t = %.17g", it->resolver.at->t);
}

/* ---- all of an instant ---- */

/* See whether the first impact leads to others without end. */
static pc_status accumulate(pc_instant *it, const pc_first_impact *first, bool *settled, pc_error *err)
{
    clear(it);
    pc_status status = pc_resolver_accumulate(&it->resolver, first->place, first->v0, first->once ? first->v1 : NAN,
                                              it->touching, err);
    return status == PC_OK && it->touching->n > 0 ? resolve(it, -1, settled, err) : status;
}

/* What touches at a place is the only thing that happens. */
static bool is_alone(const pc_instant *it)
{
    const pc_touching *touching = it->touching;
    return it->resolver.at->contacts->n + it->resolver.at->compliant->n + it->gone->n == 0 && touching->n == 1 &&
           !touching->at[0].rest && !touching->at[0].still;
}

static pc_status resolve_alone(pc_instant *it, bool *settled, pc_error *err)
{
    const int place = it->touching->at[0].pair;
    pc_touch touch;
    pc_status status = it->reserve(it->context, 1, it, err);
    if (status != PC_OK) return status;
    pc_mechanics_touch(it->resolver.at->mechanics, place, &touch);
    hold(it, place, touch.feature);
    return pc_resolve_alone(&it->resolver, place, &touch, settled, err);
}

static pc_status settle(pc_instant *it, int jam, bool alone, pc_error *err)
{
    bool settled = false;
    pc_status status = alone ? resolve_alone(it, &settled, err) : PC_OK;
    if (status == PC_OK && alone && !settled) status = find_touching(it, err);
    if (status == PC_OK && !settled) status = resolve(it, jam, &settled, err);
    const pc_first_impact first = it->resolver.sequence->first;
    if (status == PC_OK && settled && first.place >= 0) status = accumulate(it, &first, &settled, err);
    return status == PC_OK && !settled ? pc_instant_pass(it, err) : status;
}

/* What has come of compliant contacts: jumps of velocities tell their friction its sense, else what was found of held
 * points does. *changed: forces have jumped since it was found. */
static pc_status change_compliant(pc_instant *it, bool *changed, pc_error *err)
{
    pc_compliant *compliant = it->resolver.at->compliant;
    pc_status status = PC_OK;
    *changed = false;
    if (it->resolver.jumped) status = pc_changes_jump(&it->changes, changed, err);
    for (int i = 0; i < compliant->n && status == PC_OK; i++)
        if (compliant->loose[i] != 0 && pc_contact_is_constrained(&compliant->contact[i].base))
            status = pc_changes_let_slip(&it->changes, i, compliant->loose[i], compliant->now[i].v_t, err);
    *changed &= it->resolver.at->contacts->n > 0;
    return status;
}

static pc_status decide_once(pc_instant *it, bool jumped, int jam, bool *changed, pc_error *err)
{
    bool alone = jam < 0 && !jumped && is_alone(it);
    pc_compliant *compliant = it->resolver.at->compliant;
    it->resolver.jumped = jumped;
    for (int i = 0; i < compliant->n; i++) compliant->loose[i] = 0;
    pc_status status = pc_resolver_add_closed(&it->resolver, jumped, it->touching, err);
    if (status == PC_OK && !alone) status = find_touching(it, err);
    if (status == PC_OK) status = settle(it, jam, alone, err);
    return status == PC_OK ? change_compliant(it, changed, err) : status;
}

/* What touches, with all that is closed, goes on so or otherwise; the configuration has been made. */
static pc_status decide(pc_instant *it, bool jumped, int jam, pc_error *err)
{
    bool changed = false;
    pc_status status = decide_once(it, jumped, jam, &changed, err);
    if (status != PC_OK || !changed) return status;
    it->touching->n = 0;
    status = pc_contact_state_place(it->resolver.at, err);
    return status == PC_OK ? decide_once(it, false, -1, &changed, err) : status;
}

pc_status pc_instant_decide(pc_instant *it, bool jumped, pc_error *err)
{
    clear(it);
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    return status == PC_OK ? decide(it, jumped, -1, err) : status;
}

/* ---- guards that have fallen ---- */

/* Forced changes of a closed contact: at a zero of its normal force it opens, at the edge of the cone it slips. */
static pc_status open_place(pc_instant *it, int place, pc_error *err)
{
    pc_contacts_open(it->resolver.at->contacts, place);
    return tell(it, place, PC_CHANGE_END, 0, err);
}

/* Slip begins, or rolling against its resistance. */
static pc_status begin_motion(pc_instant *it, bool rolls, int place, int sign, pc_error *err)
{
    pc_contacts *c = it->resolver.at->contacts;
    int closed = pc_contacts_find(c, place);
    if (closed >= 0) (rolls ? c->roll : c->mode)[closed] = sign;
    pc_touching_pair *p = pc_touching_add(it->touching, place, err);
    if (!p) return PC_E_MEMORY;
    *(rolls ? &p->roll : &p->slip) = sign;
    return rolls ? PC_OK : tell(it, place, PC_CHANGE_SLIP, sign, err);
}

/* What touches takes part, from now on as it is said of it. */
static pc_status take_part(pc_instant *it, pc_touching_pair as, pc_error *err)
{
    pc_touching_pair *p = pc_touching_add(it->touching, as.pair, err);
    if (!p) return PC_E_MEMORY;
    p->rest |= as.rest;
    p->halts |= as.halts;
    p->still |= as.still;
    return PC_OK;
}

/* What is closed no longer, and is not to be closed again. */
static pc_status leave(pc_instant *it, int place, pc_error *err)
{
    pc_status status = open_place(it, place, err);
    return status == PC_OK && !pc_touching_add(it->gone, place, err) ? PC_E_MEMORY : status;
}

/* A closed contact is over, and another place goes on as it did. */
static pc_status follow(pc_instant *it, int place, int next, pc_error *err)
{
    pc_contacts *c = it->resolver.at->contacts;
    const int i = pc_contacts_find(c, place), mode = c->mode[i];
    if (pc_contacts_find(c, next) >= 0) return leave(it, place, err); /* it does so already */
    c->pair[i] = next;
    pc_status status = tell(it, place, PC_CHANGE_END, 0, err);
    if (status == PC_OK) status = tell(it, next, PC_CHANGE_BEGIN, mode, err);
    return status == PC_OK && !pc_touching_add(it->gone, place, err) ? PC_E_MEMORY : status;
}

/* A closed contact comes to where another part of the outlines takes over: it goes on there, in a frame that has turned
 * by the overhang, or another place does, or it has slipped off. The configuration has been made. */
static pc_status leave_part(pc_instant *it, int place, int margin, pc_error *err)
{
    const pc_mechanics *m = it->resolver.at->mechanics;
    const int part = parts_of(it)->beyond(m->self, m->at, place, margin);
    const int next = part < 0 ? parts_of(it)->follower(m->self, m->at, place, margin) : -1;
    hold(it, place, part);
    pc_status status = next >= 0 ? follow(it, place, next, err) : part < 0 ? leave(it, place, err) : PC_OK;
    return status == PC_OK && (part >= 0 || next >= 0) ? pc_instant_correct(it, err) : status;
}

static pc_status pass_bound(pc_instant *it, int place, int margin, pc_error *err)
{
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    return status == PC_OK ? leave_part(it, place, margin, err) : status;
}

/* The margin of a contact that is at the end of its part, up to the overhang, and slides off it; -1: it does not. */
static int margin_passed(const pc_instant *it, int i)
{
    const pc_resolver *r = &it->resolver;
    const pc_mechanics *m = r->at->mechanics;
    int place = r->at->contacts->pair[i];
    double margin[PC_MARGINS], rate[PC_MARGINS], small = pc_contact_state_resolution(r->at, place);
    pc_touch touch;
    if (r->at->contacts->mode[i] == 0) return -1;
    pc_mechanics_touch(m, place, &touch);
    parts_of(it)->margins(m->self, m->at, place, margin);
    parts_of(it)->margin_rates(m->at, place, &touch, rate);
    double overhang = PC_OVERHANG * pc_mechanics_pairing(m, place)->length;
    for (int k = 0; k < PC_MARGINS; k++)
        if (fabs(margin[k]) <= overhang && rate[k] < -small) return k;
    return -1;
}

/* A corner that slides off the end of a side opens where the end of that side closes with the side that the corner
 * begins: while the overhang lasts both would be one contact, and share its load. */
static pc_status open_passed(pc_instant *it, pc_error *err)
{
    const pc_resolver *r = &it->resolver;
    const pc_mechanics *m = r->at->mechanics;
    if (r->at->contacts->n == 0 || !parts_of(it)) return PC_OK;
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    for (int i = r->at->contacts->n - 1; i >= 0 && status == PC_OK; i--) {
        int place = r->at->contacts->pair[i], margin = margin_passed(it, i);
        if (margin < 0 || parts_of(it)->beyond(m->self, m->at, place, margin) >= 0) continue;
        status = leave_part(it, place, margin, err);
    }
    return status;
}

/* A gap that closes again at once, whose bounce before was lower than its rounding. */
static pc_status closes_again(pc_instant *it, const pc_fallen_guard *guard, bool *again, pc_error *err)
{
    *again = guard->what == PC_GUARDS_GAP && guard->t - it->last <= pc_one_instant(guard->t, 0) && it->last > it->start;
    if (!*again) return PC_OK;
    double v[2];
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    if (status != PC_OK) return status;
    pc_contact_state_velocity(it->resolver.at, guard->place, v);
    *again = pc_bounce_is_gentle(v[PC_N], pc_contact_state_speed(it->resolver.at, guard->place));
    return PC_OK;
}

/* What reaches a bound has to change, though the accelerations there do not tell yet. But if that comes to nothing,
 * because it cannot move without others that can still bear the load, it is decided on. */
void pc_instant_open(pc_instant *it)
{
    clear(it);
    it->undecided = it->jumped = false;
    it->forced = it->stalls < FLICKERS;
    it->jam = -1;
}

pc_status pc_instant_take(pc_instant *it, const pc_fallen_guard *guard, pc_error *err)
{
    const int place = guard->place;
    bool again;
    pc_status status = PC_OK;
    if (guard->what == PC_GUARDS_GAP && pc_mechanics_pairing(it->resolver.at->mechanics, place)->acts_in_motion)
        return pc_instant_close_late(it, place, err);
    switch (guard->what) {
    case PC_GUARDS_RECOVERY: it->resolver.at->memory[place].residual = 0; return PC_OK;
    case PC_GUARDS_REACTION: return PC_OK; /* the motion begins afresh */
    case PC_GUARDS_NORMAL:
        if (it->forced) status = leave(it, place, err);
        break;
    case PC_GUARDS_MARGIN:
    case PC_GUARDS_BRACE:
        if (guard->opens) return PC_OK; /* at the apex of the cone everything is zero */
        /* what the errors of the step have broken breaks a little later, from where the contact is now */
        if ((status = pc_contact_state_place(it->resolver.at, err)) != PC_OK ||
            (status = pc_contact_state_accelerate(it->resolver.at, NULL, it->resolver.at->a, err)) != PC_OK)
            return status;
        if (!it->forced) break;
        if (pc_instant_holds(it, guard->what, place, guard->sign)) return PC_OK;
        status = begin_motion(it, guard->what == PC_GUARDS_BRACE, place, guard->sign, err);
        break;
    case PC_GUARDS_ROLL: status = take_part(it, (pc_touching_pair){.pair = place, .halts = true}, err); break;
    case PC_GUARDS_BOUND: status = pass_bound(it, place, guard->sign, err); break;
    case PC_GUARDS_GAP:
    case PC_GUARDS_SLIP:
    case PC_GUARDS_JAM:
        if (guard->what == PC_GUARDS_GAP) status = open_passed(it, err);
        if (guard->what == PC_GUARDS_JAM) it->jam = place;
        if (status == PC_OK) status = closes_again(it, guard, &again, err);
        bool stops = guard->what == PC_GUARDS_SLIP;
        if (status == PC_OK)
            status = take_part(it, (pc_touching_pair){.pair = place, .rest = stops, .still = again}, err);
        break;
    default: break;
    }
    it->undecided = true;
    return status;
}

pc_status pc_instant_close(pc_instant *it, pc_error *err)
{
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    for (int i = 0; i < it->resolver.at->contacts->n && status == PC_OK && !it->jumped; i++)
        it->undecided |= pc_resolver_has_turned(&it->resolver, i);
    return status == PC_OK && (it->undecided || it->jumped) ? decide(it, it->jumped, it->jam, err) : status;
}

/* ---- compliant contacts begin ---- */

/* There is room for one more. */
static pc_status close_place(pc_instant *it, int place, pc_error *err)
{
    pc_status status = it->reserve(it->context, it->resolver.at->contacts->n + 1, it, err);
    return status == PC_OK ? pc_changes_close(&it->changes, place, err) : status;
}

/* In the configuration; false: it holds to no part, of those there are. */
static bool take_hold(const pc_instant *it, int place)
{
    return !parts_of(it) || parts_of(it)->take_hold(it->resolver.at, place);
}

pc_status pc_instant_close_late(pc_instant *it, int place, pc_error *err)
{
    const pc_mechanics *m = it->resolver.at->mechanics;
    double *residual = &it->resolver.at->memory[place].residual;
    pc_touch touch;
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    if (status != PC_OK) return status;
    /* its force may begin with a jump (a dashpot), under which what lasts no longer does */
    it->undecided |= it->resolver.at->contacts->n > 0;
    take_hold(it, place);
    pc_mechanics_touch(m, place, &touch);
    if (-(touch.gap + *residual) > UNSEEN * pc_mechanics_pairing(m, place)->length) *residual = -touch.gap;
    return close_place(it, place, err);
}

/* At the start: closed if it is compressed, approaches, or is loaded at rest. */
static pc_status begin_compliant(pc_instant *it, int place, pc_error *err)
{
    const pc_resolver *r = &it->resolver;
    const pc_mechanics *m = r->at->mechanics;
    double rounding = pc_rounding(pc_mechanics_pairing(m, place)->length), v[2], a[2];
    pc_touch touch;
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    if (status != PC_OK) return status;
    pc_mechanics_touch(m, place, &touch);
    if (touch.gap > rounding || !pc_instant_may_begin(it, place)) return PC_OK;
    take_hold(it, place); /* what does not begin holds to nothing when it is watched */
    pc_mechanics_touch(m, place, &touch);
    pc_mechanics_velocity(m, place, &touch, v);
    double small = pc_rounding(r->log.speed(r->log.context, place));
    if (touch.gap < -rounding) return close_place(it, place, err);
    if (v[PC_N] > small) return PC_OK;
    if ((status = pc_contact_state_accelerate(it->resolver.at, NULL, it->resolver.at->a, err)) != PC_OK) return status;
    pc_mechanics_acceleration(m, place, &touch, r->at->a, a);
    return v[PC_N] < -small || a[PC_N] < 0 ? close_place(it, place, err) : PC_OK;
}

pc_status pc_instant_begin(pc_instant *it, pc_error *err)
{
    const pc_mechanics *m = it->resolver.at->mechanics;
    clear(it);
    pc_status status = pc_contact_state_place(it->resolver.at, err);
    for (int place = 0; place < m->n_places && status == PC_OK; place++) {
        const pc_pairing *pairing = pc_mechanics_pairing(m, place);
        pc_touch touch;
        if (parts_of(it)) parts_of(it)->begin(m->self, m->at, place);
        pc_mechanics_touch(m, place, &touch);
        if (touch.gap < -PC_OVERLAP * pairing->length && !pairing->acts_in_motion)
            status =
                pc_fail_at(err, PC_E_ARGUMENT, it->resolver.at->t, "gap",
                           "%s: the motion begins with an overlap of %.6g m; give places that fit, or separate = true",
                           pairing->name, -touch.gap);
        else if (touch.gap < -pc_rounding(pairing->length) && touch.meets && !pairing->acts_in_motion)
            status = take_part(it, (pc_touching_pair){.pair = place}, err);
    }
    if (status == PC_OK) status = find_touching(it, err);
    if (status == PC_OK && it->touching->n > 0) status = settle(it, -1, false, err);
    for (int place = 0; place < m->n_places && status == PC_OK; place++)
        if (pc_mechanics_pairing(m, place)->acts_in_motion) status = begin_compliant(it, place, err);
    return status;
}
