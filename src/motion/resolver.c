/* One instant of a run at which pairs touch: see run.h. */
#include "motion/accumulation.h"
#include "motion/impacts.h"
#include "motion/ledger.h"
#include "motion/proximity.h"

#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Attempts to find how the pairs that touch go on, each after an impact that the last one asked for. */
enum { TURNS = 64 };

/* Velocities within so many times that of zero are what corrections of other contacts leave. */
static const double RIDING = 1e4;

/* Places nearer to one another than this share of the lengths are told apart by rounding alone. */
static const double SAME_PLACE = 1e-12;

/* Shares of the loads and of the greatest force that rounding leaves where conditions are nearly dependent. */
static const double BORNE_BY = 1e-9;

/* Coordinates that round apart are the same. */
static int compare(double a, double b, double small)
{
    return a < b - small ? -1 : a > b + small;
}

static int compare_places(const pc_touch *a, const pc_touch *b, double length)
{
    for (int k = 0; k < 2; k++) {
        double at[] = {a->center[0][k] - a->reach * a->n[k], b->center[0][k] - b->reach * b->n[k]};
        int way = compare(at[0], at[1], SAME_PLACE * length);
        if (way != 0) return way;
    }
    int way = compare(a->n[0], b->n[0], SAME_PLACE);
    return way != 0 ? way : compare(a->n[1], b->n[1], SAME_PLACE);
}

void pc_touching_sort(pc_touching *touching, const pc_run *run)
{
    double length = 0;
    for (int i = 0; i < touching->n; i++) {
        pc_touching_pair *p = &touching->at[i];
        pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, p->pair, &p->touch);
        length = fmax(length, run->scene->pairs[p->pair].length);
    }
    for (int i = 1, k; i < touching->n; i++) {
        const pc_touching_pair next = touching->at[i];
        for (k = i; k > 0 && compare_places(&next.touch, &touching->at[k - 1].touch, length) < 0; k--)
            touching->at[k] = touching->at[k - 1];
        touching->at[k] = next;
    }
}

pc_touching *pc_run_begin_touching(pc_run *run)
{
    run->scratch.touching.n = run->scratch.gone.n = 0;
    return &run->scratch.touching;
}

pc_status pc_run_add_touching(pc_run *run, pc_touching *touching, pc_error *err)
{
    const pc_touching *gone = &run->scratch.gone;
    pc_status status = PC_OK;
    for (int pair = 0; pair < run->scene->n_pairs && status == PC_OK; pair++) {
        if (pc_pair_acts_in_motion(run->scene, pair)) continue;
        pc_touch touch;
        pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
        bool touches = touch.meets && fabs(touch.gap) <= PC_TOUCHING * run->scene->pairs[pair].length;
        for (int i = 0; i < gone->n; i++) touches &= gone->at[i].pair != pair;
        if (touches) status = pc_touching_add(touching, pair, false, false, err);
    }
    return status;
}

static void velocity_of(const pc_run *run, int pair, double v[2])
{
    pc_touch touch;
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    pc_configuration_velocity(&run->scratch.system.now, pair, &touch, v);
}

/* What touches holds to the part of the outline where it does, until the next arc knows which pairs are open. It has
 * been sorted. */
static void hold(pc_run *run, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++)
        run->scratch.system.places.feature[touching->at[i].pair] = (signed char)touching->at[i].touch.feature;
}

/* Tell how the closed pairs differ from those of before. */
static pc_status tell_changes(pc_run *run, const pc_contacts *before, pc_error *err)
{
    const pc_contacts *now = &run->state.contacts;
    pc_status status = PC_OK;
    for (int i = 0; i < before->n && status == PC_OK; i++) {
        bool found = false;
        for (int j = 0; j < now->n; j++) found |= now->pair[j] == before->pair[i];
        if (!found) status = pc_run_log(run, (pc_event_record){.kind = PC_EVENT_LIFT, .pair = before->pair[i]}, err);
    }
    for (int j = 0; j < now->n && status == PC_OK; j++) {
        int old = -1;
        for (int i = 0; i < before->n; i++)
            if (before->pair[i] == now->pair[j]) old = i;
        pc_event_record event = {.pair = now->pair[j], .mode = now->mode[j]};
        if (old < 0)
            event.kind = PC_EVENT_BEGIN;
        else if (before->mode[old] == now->mode[j])
            continue;
        else
            event.kind = now->mode[j] == 0        ? PC_EVENT_STICK
                         : before->mode[old] == 0 ? PC_EVENT_SLIP
                                                  : PC_EVENT_REVERSAL;
        status = pc_run_log(run, event, err);
    }
    return status;
}

/* How a pair that touches slips, now: 0, or the sign. */
static int slip_of(const pc_run *run, const pc_touching *touching, int i, double v_t)
{
    double small = pc_pair_resolution(run->scene, run->state.memory, touching->at[i].pair);
    int slip = touching->at[i].slip;
    if (touching->at[i].kept) return touching->at[i].rest ? 0 : slip;
    if (slip && slip * v_t >= -small) return slip;
    return touching->at[i].rest || fabs(v_t) <= small ? 0 : v_t > 0 ? 1 : -1;
}

/* The pairs that do not separate, with the sign of their slip; those of a velocity below v_rest are stopped. *stopped:
 * there was such a velocity. */
static void collect(pc_run *run, const pc_touching *touching, pc_contacts *may, bool *stopped)
{
    may->n = 0;
    *stopped = false;
    for (int i = 0; i < touching->n; i++) {
        int pair = touching->at[i].pair;
        double v[2], small = pc_pair_resolution(run->scene, run->state.memory, pair), speed = 0;
        velocity_of(run, pair, v);
        bool slow = touching->at[i].still || touching->at[i].kept || fabs(v[PC_N]) < run->scene->v_rest;
        *stopped |= slow && !touching->at[i].kept && v[PC_N] != 0;
        if (!slow && v[PC_N] > small) {
            if (!pc_run_may_stay(run, pair, v[PC_N])) continue;
            speed = v[PC_N];
        }
        int k = may->n++;
        may->parting[k] = speed;
        may->pair[k] = pair;
        may->mode[k] = slip_of(run, touching, i, v[PC_T]);
    }
}

/* What the projection has taken may have turned a slip round: its sign is that of the velocity it has now. */
static void aim(const pc_run *run, const pc_touching *touching, pc_contacts *c)
{
    for (int i = 0, k = 0; k < c->n; k++) {
        double v[2];
        while (touching->at[i].pair != c->pair[k]) i++;
        velocity_of(run, c->pair[k], v);
        c->mode[k] = slip_of(run, touching, i, v[PC_T]);
    }
}

/* Velocities have changed: what was known of them is over. */
static void forget(pc_touching *touching, bool slips)
{
    for (int i = 0; i < touching->n; i++) {
        touching->at[i].kept = false;
        if (!slips) continue;
        touching->at[i].rest = false;
        touching->at[i].slip = 0;
    }
}

/* Leave candidates out: those whose next bounce is too high to be the last, for the forces that `kept` has, or, without
 * that, all that separate. True if there were any: the others have to be decided on anew. */
static bool leave_bouncing(pc_run *run, pc_contacts *may, const pc_contacts *kept)
{
    int n = 0, all = may->n;
    for (int i = 0; i < all; i++) {
        int j = 0;
        while (kept && j < kept->n && kept->pair[j] != may->pair[i]) j++;
        bool bounces = may->parting[i] > 0;
        if (bounces && kept)
            bounces = j < kept->n && !pc_run_ends_bouncing(run, may->pair[i], may->parting[i], kept->press[j]);
        if (bounces) continue;
        may->pair[n] = may->pair[i];
        may->mode[n] = may->mode[i];
        may->parting[n++] = may->parting[i];
    }
    may->n = n;
    return n < all;
}

/* Whether slip goes on in its direction, or has stopped, and nothing moves along the normals. */
static bool moves_on(const pc_run *run, const pc_contacts *c)
{
    for (int i = 0; i < c->n; i++) {
        double v[2], small = pc_pair_resolution(run->scene, run->state.memory, c->pair[i]);
        velocity_of(run, c->pair[i], v);
        if (c->mode[i] * v[PC_T] < -small || fabs(v[PC_N]) > RIDING * small) return false;
    }
    return true;
}

/* rub: bounces are stopped, whose impulses bring friction with them: what the contact's force gives too much until they
 * would have ended is taken here, of both. Where that would turn slip round, or cannot be done, they stop
 * without friction. */
static pc_status project(pc_run *run, pc_contacts *c, bool rub, pc_error *err)
{
    if (c->n == 0) return PC_OK;
    size_t size = 2 * (size_t)run->scene->n_dof * sizeof *run->state.y;
    double energy = pc_run_energy(&run->scratch.system);
    if (rub) memcpy(run->scratch.spare, run->state.y, size);
    pc_contacts_project(c, &run->scratch.system.mechanics, &run->scratch.block, rub, run->state.y);
    if (pc_planar_place(&run->scratch.system, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
    if (!rub) return PC_OK;
    if (!moves_on(run, c)) {
        memcpy(run->state.y, run->scratch.spare, size);
        if (pc_planar_place(&run->scratch.system, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
        pc_contacts_project(c, &run->scratch.system.mechanics, &run->scratch.block, false, run->state.y);
        if (pc_planar_place(&run->scratch.system, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
    }
    run->state.lost += energy - pc_run_energy(&run->scratch.system);
    return PC_OK;
}

/* Decide which candidates stay closed, as the run's contacts. */
static pc_verdict decide(pc_run *run, pc_contacts *may)
{
    pc_contacts *now = &run->state.contacts;
    for (;;) {
        pc_contacts_copy(now, may);
        pc_verdict verdict = now->n > 0 ? pc_contacts_decide(now, &run->state.compliant, &run->scratch.system.mechanics,
                                                             &run->scratch.block)
                                        : PC_CONSISTENT;
        bool left = verdict != PC_STOPPED && leave_bouncing(run, may, verdict == PC_CONSISTENT ? now : NULL);
        if (!left) return verdict;
    }
}

/* Stop the pairs that come to stay closed though they separate, each from its last bounce, and tell of those that were
 * open before. *any: there were such pairs, and velocities have changed. */
static pc_status end_bounces(pc_run *run, pc_touching *touching, const pc_contacts *may, const pc_contacts *before,
                             bool *any, pc_error *err)
{
    pc_contacts *now = &run->state.contacts;
    pc_status status = PC_OK;
    *any = false;
    for (int j = 0; j < now->n && status == PC_OK; j++) {
        int i = 0;
        while (may->pair[i] != now->pair[j]) i++;
        now->mode[j] = may->mode[i]; /* as they move now, not as they will */
        if (may->parting[i] == 0) continue;
        *any = true;
        bool was = false;
        for (int k = 0; k < before->n; k++) was |= before->pair[k] == now->pair[j];
        if (!was) status = pc_run_log_accumulation(run, now->pair[j], may->parting[i], now->press[j], err);
        if (status == PC_OK) status = pc_touching_add(touching, now->pair[j], false, true, err);
    }
    return *any && status == PC_OK ? project(run, now, true, err) : status;
}

/* Slip whose friction presses the pair harder than its normal force can relieve, most so; or -1. */
static int jammed(const pc_run *run, const pc_contacts *c)
{
    int found = -1;
    double least = 0;
    for (int i = 0; i < c->n; i++) {
        double give = pc_contacts_slip_mobility(c, &run->scratch.system.mechanics, &run->scratch.block, i);
        if (c->mode[i] == 0 || !(give < least)) continue;
        found = c->pair[i];
        least = give;
    }
    return found;
}

/* Pairs that touch and do not separate, but get no force: others carry the load. They ride along, whatever rounding
 * makes of their acceleration. */
static void note_left(pc_run *run, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++) {
        int pair = touching->at[i].pair, j = 0;
        double v[2];
        while (j < run->state.contacts.n && run->state.contacts.pair[j] != pair) j++;
        velocity_of(run, pair, v);
        if (j == run->state.contacts.n &&
            fabs(v[PC_N]) <= RIDING * pc_pair_resolution(run->scene, run->state.memory, pair))
            run->state.memory[pair].riding = run->state.t;
    }
}

/* Slips that stop in no time: they count as stopped. */
static bool stop_slow(const pc_run *run, const pc_contacts *c, double slow, pc_touching *touching)
{
    bool any = false;
    for (int i = 0; i < touching->n; i++)
        for (int j = 0; j < c->n; j++) {
            double v[2];
            if (c->pair[j] != touching->at[i].pair || c->mode[j] == 0) continue;
            velocity_of(run, touching->at[i].pair, v);
            if (fabs(v[PC_T]) > slow) continue;
            touching->at[i].rest = any = true;
            touching->at[i].slip = 0;
        }
    return any;
}

/* What becomes of contacts for which no forces were found. */
typedef enum way_out { STRUCK, STOPPED, BORNE } way_out;

/* Slip presses some pairs harder than normal forces can relieve. One that does so by itself is struck by its law, from
 * v_n = 0; else all of them together. If no impact comes of it, slips that are next to nothing are stopped; and if
 * there are none, the load of a short time showed forces that bear it: these pairs stay closed. */
static pc_status strike_jam(pc_run *run, int pair, pc_contacts *c, pc_touching *touching, int *order, way_out *way,
                            pc_error *err)
{
    bool nothing = false;
    double slow;
    *way = STRUCK;
    if (pair >= 0) {
        pc_status status = pc_run_log(run, (pc_event_record){.kind = PC_EVENT_JAM, .pair = pair}, err);
        if (status == PC_OK) status = pc_run_single_impact(run, pair, (*order)++, &nothing, err);
        if (status != PC_OK || !nothing) return status;
        return pc_fail_at(err, PC_E_NUMERIC, run->state.t, "force",
                          "%s: slip jams at t = %.17g (Painleve): no contact force is consistent with it and this law "
                          "has no impact from rest",
                          run->scene->pairs[pair].name, run->state.t);
    }
    pc_status status = pc_run_jam_impact(run, c, order, &slow, &nothing, err);
    if (nothing) *way = stop_slow(run, c, slow, touching) ? STOPPED : BORNE;
    return status;
}

/* Nothing moves and nothing accelerates, as far as rounding tells. */
static pc_status tell_rest(pc_run *run, pc_error *err)
{
    int n = run->scene->n_dof;
    double fastest_pair = 0, fast = 0, force = 0, *a = run->scratch.a;
    for (int i = 0; i < run->scene->n_pairs; i++)
        fastest_pair = fmax(fastest_pair, pc_pair_resolution(run->scene, run->state.memory, i));
    for (int i = 0; i < run->state.contacts.n; i++)
        if (run->state.contacts.mode[i] != 0 && run->scene->pairs[run->state.contacts.pair[i]].friction > 0)
            return PC_OK;
    if (pc_run_accelerate(run, a) != 0) return pc_run_stopped(run, err);
    for (int i = 0; i < n; i++) {
        fast = fmax(fast, fabs(run->state.y[n + i]));
        force = fmax(force, fabs(a[i]));
    }
    if (fast > 10 * fastest_pair || force > 1e-11 * fabs(run->scene->gravity)) return PC_OK;
    return pc_run_log(run, (pc_event_record){.kind = PC_EVENT_REST, .pair = -1}, err);
}

/* That a short load was borne by these pairs says little where slips change at once: they may stay closed if they are
 * at rest along the normals, and the forces of their modes keep them there and press. */
static pc_status see_borne(pc_run *run, pc_contacts *c, bool *borne, pc_error *err)
{
    double most = 0, load = fabs(run->scene->gravity);
    if (pc_contacts_accelerate(c, &run->state.compliant, &run->scratch.system.mechanics, &run->scratch.block,
                               run->scratch.a) != 0)
        return pc_run_stopped(run, err);
    for (int i = 0; i < c->n; i++) {
        most = fmax(most, fabs(c->force[i][PC_N]) + fabs(c->force[i][PC_T]));
        for (int k = 0; k < 2; k++) load = fmax(load, fabs(run->scratch.block.b[2 * i + k]));
    }
    *borne = true;
    for (int i = 0; i < c->n; i++) {
        double v[2], a[2];
        pc_configuration_velocity(&run->scratch.system.now, c->pair[i], &c->touch[i], v);
        pc_configuration_acceleration(&run->scratch.system.now, c->pair[i], &c->touch[i], run->scratch.a, a);
        *borne &= fabs(v[PC_N]) <= RIDING * pc_pair_resolution(run->scene, run->state.memory, c->pair[i]) &&
                  fabs(a[PC_N]) <= BORNE_BY * load && c->force[i][PC_N] >= -BORNE_BY * most;
    }
    return PC_OK;
}

pc_status pc_run_resolve(pc_run *run, pc_touching *touching, int jam, pc_error *err)
{
    pc_contacts *now = &run->state.contacts, *before = &run->scratch.before, *may = &run->scratch.candidates;
    pc_status status = pc_run_reserve(run, touching->n, err);
    bool jams = jam >= 0, settled = false, stopped;
    int order = 0;
    size_t first = run->history.impacts.used;
    if (status != PC_OK) return status;
    pc_contacts_copy(before, now);
    may->n = 0;
    if (pc_planar_place(&run->scratch.system, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
    pc_touching_sort(touching, run);
    hold(run, touching);
    for (int turn = 0; turn < TURNS && !settled; turn++) {
        int struck = order;
        way_out way = STRUCK;
        if (jams) status = strike_jam(run, jam, may, touching, &order, &way, err);
        if (status == PC_OK && way == BORNE) {
            pc_contacts_copy(now, may);
            status = see_borne(run, now, &settled, err);
            if (status != PC_OK) return status;
            break;
        }
        if (status == PC_OK) status = pc_run_impact_sequence(run, touching, &order, err);
        if (status != PC_OK) return status;
        if (order > struck) forget(touching, true);
        pc_run_record_bounces(run, touching, before, first);

        collect(run, touching, may, &stopped);
        now->n = 0;
        for (int i = 0; i < may->n; i++) {
            if (may->parting[i] > 0) continue;
            now->pair[now->n] = may->pair[i];
            now->mode[now->n++] = may->mode[i];
        }
        status = project(run, now, stopped, err);
        if (status != PC_OK) return status;
        if (stopped) forget(touching, false);
        aim(run, touching, may);
        pc_verdict verdict = decide(run, may);
        if (verdict == PC_STOPPED) return pc_run_stopped(run, err);
        jams = verdict == PC_INCONSISTENT;
        jam = jams ? jammed(run, may) : -1;
        if (jams) continue;
        bool ended = false;
        for (int i = 0; i < may->n; i++) ended |= may->parting[i] > 0;
        if (ended) status = end_bounces(run, touching, may, before, &ended, err);
        if (status != PC_OK) return status;
        if (ended) forget(touching, false);
        settled = !ended;
    }
    run->state.unsettled = !settled;
    if (!settled) {
        pc_contacts_copy(now, before);
        return PC_OK;
    }
    note_left(run, touching);
    status = tell_changes(run, before, err);
    return status == PC_OK && now->n > 0 ? tell_rest(run, err) : status;
}
