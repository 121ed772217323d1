/* One instant of a run at which pairs touch: see run.h. */
#include "sim/run_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Impacts at one instant. Between contacts that stay closed they decay geometrically down to rounding; with restitution
 * 0.999 that takes 30,000. */
enum { IMPACTS = 100000, TURNS = 64 };

/* Velocities of contact points are sums of terms that round at DBL_EPSILON of the largest. */
static const double RESOLUTION = 64 * DBL_EPSILON;

pc_status pc_touching_add(pc_touching *touching, int pair, bool rest, bool still, pc_error *err)
{
    for (int i = 0; i < touching->n; i++) {
        if (touching->pair[i] != pair) continue;
        touching->rest[i] |= rest;
        touching->still[i] |= still;
        return PC_OK;
    }
    if (touching->n == PC_CLOSED)
        return pc_fail(err, PC_E_LIMIT, "more than %d contacts are closed at one instant", PC_CLOSED);
    touching->pair[touching->n] = pair;
    touching->rest[touching->n] = rest;
    touching->still[touching->n++] = still;
    return PC_OK;
}

double pc_run_resolution(const pc_run *run, int pair)
{
    return RESOLUTION * run->greatest[pair];
}

/* Size of the terms that make up the velocity of what is fixed to a link, `arm` away from its upper joint. */
static double link_speed(const pc_run *run, int m, int link, double arm)
{
    if (m < 0) return 0;
    const pc_member *member = &run->scene->members[m];
    const double *u = run->system.u + member->first;
    if (!member->chain) return fabs(u[0]) + fabs(u[1]) + arm * fabs(u[2]);
    const double *pivot = run->system.pivots[m];
    double sum = fabs(pivot[2]) + fabs(pivot[3]) + arm * fabs(u[link]);
    for (int i = 0; i < link; i++) sum += member->chain->links[i].length * fabs(u[i]);
    return sum;
}

void pc_run_note_speed(pc_run *run, int pair)
{
    const pc_pair *p = &run->scene->pairs[pair];
    const pc_site *site = &run->scene->sites[p->site];
    const pc_hull *hull = &run->scene->hulls[p->hull];
    double own = fabs(site->along) + fabs(site->across) + site->radius;
    double speed = link_speed(run, site->member, site->link, own) +
                   link_speed(run, hull->member, hull->link, pc_hull_reach(hull) + hull->radius);
    run->greatest[pair] = fmax(run->greatest[pair], speed);
}

static void velocity_of(const pc_run *run, int pair, double v[2])
{
    pc_touch touch;
    pc_system_touch(&run->system, pair, &touch);
    pc_system_velocity(&run->system, pair, &touch, v);
}

/* The pair that approaches fastest, or -1. */
static int fastest(pc_run *run, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++) pc_run_note_speed(run, touching->pair[i]);
    int found = -1;
    double least = 0;
    for (int i = 0; i < touching->n; i++) {
        double v[2];
        velocity_of(run, touching->pair[i], v);
        if (touching->still[i] || !(v[PC_N] < -pc_run_resolution(run, touching->pair[i]))) continue;
        if (found >= 0 && v[PC_N] >= least) continue;
        found = touching->pair[i];
        least = v[PC_N];
    }
    return found;
}

static pc_status strike_all(pc_run *run, pc_touching *touching, int *order, pc_error *err)
{
    for (;;) {
        int pair = fastest(run, touching);
        if (pair < 0) return PC_OK;
        if (*order >= IMPACTS)
            return pc_fail_at(err, PC_E_LIMIT, run->t, "impacts", "%d impacts at t = %.17g came to no end", IMPACTS,
                              run->t);
        bool nothing = false;
        pc_status status = run->scene->rule == PC_RULE_SIMULTANEOUS && touching->n > 1
                               ? pc_run_strike_together(run, touching, err)
                               : pc_run_strike(run, pair, *order, false, &nothing, err);
        if (status == PC_OK && nothing)
            status = pc_fail_at(err, PC_E_NUMERIC, run->t, "impact",
                                "%s: the law does nothing about an approach at "
                                "t = %.17g",
                                run->scene->pairs[pair].name, run->t);
        if (status != PC_OK) return status;
        (*order)++;
    }
}

/* What touches holds to the part of the hull where it does, until the next arc knows which pairs are open. */
static void hold(pc_run *run, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++) {
        pc_touch touch;
        pc_system_touch(&run->system, touching->pair[i], &touch);
        run->system.feature[touching->pair[i]] = (signed char)touch.feature;
    }
}

/* Tell how the closed pairs differ from those of before. */
static pc_status tell_changes(pc_run *run, const pc_contacts *before, pc_error *err)
{
    const pc_contacts *now = &run->contacts;
    pc_status status = PC_OK;
    for (int i = 0; i < before->n && status == PC_OK; i++) {
        bool found = false;
        for (int j = 0; j < now->n; j++) found |= now->pair[j] == before->pair[i];
        if (!found) status = pc_run_tell(run, (pc_event_record){.kind = PC_HAPPENS_LIFT, .pair = before->pair[i]}, err);
    }
    for (int j = 0; j < now->n && status == PC_OK; j++) {
        int old = -1;
        for (int i = 0; i < before->n; i++)
            if (before->pair[i] == now->pair[j]) old = i;
        pc_event_record event = {.pair = now->pair[j], .mode = now->mode[j]};
        if (old < 0)
            event.kind = PC_HAPPENS_BEGIN;
        else if (before->mode[old] == now->mode[j])
            continue;
        else
            event.kind = now->mode[j] == 0        ? PC_HAPPENS_STICK
                         : before->mode[old] == 0 ? PC_HAPPENS_SLIP
                                                  : PC_HAPPENS_REVERSAL;
        status = pc_run_tell(run, event, err);
    }
    return status;
}

/* The pairs that do not separate, with the sign of their slip; those of a velocity below v_rest are stopped. */
static void collect(pc_run *run, const pc_touching *touching, pc_contacts *candidates, bool *stopped)
{
    candidates->n = 0;
    for (int i = 0; i < touching->n; i++) {
        double v[2], small = pc_run_resolution(run, touching->pair[i]);
        velocity_of(run, touching->pair[i], v);
        bool slow = touching->still[i] || fabs(v[PC_N]) < run->scene->v_rest;
        *stopped |= slow && v[PC_N] != 0;
        if (!slow && v[PC_N] > small) continue;
        int k = candidates->n++;
        candidates->pair[k] = touching->pair[i];
        candidates->mode[k] = touching->rest[i] || fabs(v[PC_T]) <= small ? 0 : v[PC_T] > 0 ? 1 : -1;
    }
}

/* Slip whose friction presses the pair harder than its normal force can relieve, most so; or -1. */
static int jammed(const pc_run *run, const pc_contacts *candidates)
{
    int found = -1;
    double least = 0;
    for (int i = 0; i < candidates->n; i++) {
        double give = pc_contacts_give(candidates, &run->system, &run->block, i);
        if (candidates->mode[i] == 0 || !(give < least)) continue;
        found = candidates->pair[i];
        least = give;
    }
    return found;
}

static pc_status strike_jam(pc_run *run, int pair, int order, pc_error *err)
{
    bool nothing = false;
    pc_status status = pc_run_tell(run, (pc_event_record){.kind = PC_HAPPENS_JAM, .pair = pair}, err);
    if (status == PC_OK) status = pc_run_strike(run, pair, order, true, &nothing, err);
    if (status == PC_OK && nothing)
        status =
            pc_fail_at(err, PC_E_NUMERIC, run->t, "force",
                       "%s: slip jams at t = %.17g (Painleve): no contact force is consistent with it and this law "
                       "has no impact from rest",
                       run->scene->pairs[pair].name, run->t);
    return status;
}

/* Nothing moves and nothing accelerates, as far as rounding tells. */
static pc_status tell_rest(pc_run *run, pc_error *err)
{
    int n = run->scene->n_dof;
    double fastest_pair = 0, fast = 0, force = 0, *a = run->a;
    for (int i = 0; i < run->scene->n_pairs; i++) fastest_pair = fmax(fastest_pair, pc_run_resolution(run, i));
    for (int i = 0; i < run->contacts.n; i++)
        if (run->contacts.mode[i] != 0 && run->scene->pairs[run->contacts.pair[i]].friction > 0) return PC_OK;
    if (pc_contacts_accelerate(&run->contacts, &run->system, &run->block, a) != 0) return pc_run_stopped(run, err);
    double free_fall = fmax(fabs(run->scene->gravity), 1e-300);
    for (int i = 0; i < n; i++) {
        fast = fmax(fast, fabs(run->y[n + i]));
        force = fmax(force, fabs(a[i]));
    }
    if (fast > 10 * fastest_pair || force > 1e-11 * free_fall) return PC_OK;
    return pc_run_tell(run, (pc_event_record){.kind = PC_HAPPENS_REST, .pair = -1}, err);
}

pc_status pc_run_settle(pc_run *run, pc_touching *touching, int jam, pc_error *err)
{
    pc_contacts before = run->contacts, *now = &run->contacts;
    pc_status status = PC_OK;
    int order = 0;
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, err);
    hold(run, touching);
    for (int turn = 0; turn < TURNS; turn++) {
        if (jam >= 0) {
            status = strike_jam(run, jam, order++, err);
            for (int i = 0; i < touching->n; i++) touching->rest[i] = false;
        }
        if (status == PC_OK) status = strike_all(run, touching, &order, err);
        if (status != PC_OK) return status;

        bool stopped = false;
        collect(run, touching, now, &stopped);
        if (now->n + run->compliant.n > PC_CLOSED)
            return pc_fail(err, PC_E_LIMIT, "more than %d contacts are closed at one instant", PC_CLOSED);
        if (now->n > 0) {
            double energy = pc_run_energy(&run->system);
            pc_contacts_project(now, &run->system, &run->block, stopped, run->y);
            if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, err);
            if (stopped) run->lost += energy - pc_run_energy(&run->system);
        }
        pc_verdict verdict = now->n > 0 ? pc_contacts_decide(now, &run->system, &run->block) : PC_CONSISTENT;
        if (verdict == PC_STOPPED) return pc_run_stopped(run, err);
        if (verdict == PC_CONSISTENT) {
            status = tell_changes(run, &before, err);
            return status == PC_OK && now->n > 0 ? tell_rest(run, err) : status;
        }
        jam = jammed(run, now);
        if (jam < 0) break;
    }
    return pc_fail_at(err, PC_E_NUMERIC, run->t, "force",
                      "no contact forces are consistent with the motion at t = %.17g", run->t);
}
