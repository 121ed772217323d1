/* Compliant contacts begin, change and end: see compliant.h and run.h. */
#include "motion/contact_changes.h"
#include "motion/handover.h"
#include "motion/resolver.h"

#include "base/alloc.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PHASES = sizeof((pc_impact_history *)0)->phase };

/* A speed below this share of the fastest contact's is no measure of what is going on. */
static const double SLOW = 1e-3;

/* What integration leaves of a velocity that has come to zero is far below this share of a contact's speed. */
static const double JUMP = 1e-4;

/* A depth, as a share of the lengths in a gap, that rounding does not explain. */
static const double UNSEEN = 1e-10;

static double *rows_of(pc_run *run, int which)
{
    return run->state.y + 2 * run->scene->n_dof + which * PC_ROWS;
}

static pc_impact_record *impact_of(pc_run *run, int which)
{
    return (pc_impact_record *)run->history.impacts.data + run->state.compliant.contact[which].impact;
}

static pc_impact_history *record_of(pc_run *run, int which)
{
    return pc_run_impact_history(&run->history, run->state.compliant.contact[which].impact);
}

pc_status pc_run_evaluate(pc_run *run, const pc_configuration **at, pc_error *err)
{
    const pc_configuration *now = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (at) *at = now;
    if (!now || pc_run_accelerate(run, run->scratch.a) != 0) return pc_run_stopped(run, err);
    pc_compliant_rates(&run->state.compliant, &run->scratch.system.mechanics, run->scratch.a, NULL);
    return PC_OK;
}

/* The same without rates, unless forces do not follow from the state alone. */
static pc_status evaluate_forces(pc_run *run, const pc_configuration **at, pc_error *err)
{
    if (pc_compliant_held(&run->state.compliant) > 0) return pc_run_evaluate(run, at, err);
    *at = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!*at) return pc_run_stopped(run, err);
    pc_compliant_evaluate(&run->state.compliant, &run->scratch.system.mechanics);
    return PC_OK;
}

/* ---- records ---- */

static void note_phase(pc_run *run, int which)
{
    const pc_contact *contact = &run->state.compliant.contact[which].base;
    pc_impact_record *record = impact_of(run, which);
    signed char *phase = record_of(run, which)->phase, kind = (signed char)(contact->stuck ? 0 : contact->sign);
    if (record->n_phases > 0 && record->n_phases <= PHASES && phase[record->n_phases - 1] == kind) return;
    if (record->n_phases < PHASES) phase[record->n_phases] = kind;
    record->n_phases++;
    for (int i = 0; i < PHASES && i < record->n_phases; i++)
        if (phase[i] * kind < 0) record->flags |= PC_FLAG_REVERSE_SLIP;
}

/* What the contact has done up to now; its forces are known. */
static void update_record(pc_run *run, int which)
{
    const pc_contact_values *m = &run->state.compliant.now[which];
    const double *rows = rows_of(run, which);
    pc_impact_record *record = impact_of(run, which);
    int n = run->scene->n_dof;
    double *states = (double *)run->history.states.data + record->states;
    memcpy(states + 2 * n, run->state.y + n, (size_t)n * sizeof *states);
    memcpy(states + 3 * n + 2 * run->scene->n_nodes, run->state.y, (size_t)n * sizeof *states);
    record->v1[PC_T] = m->v_t;
    record->v1[PC_N] = -m->w;
    record->impulse[PC_T] = rows[PC_ROW_PT];
    record->impulse[PC_N] = rows[PC_ROW_PN];
    double *work = record_of(run, which)->work;
    pc_compliant_works(&run->state.compliant.contact[which].base, m, rows, work);
    record->energy1 = record->energy0 + (work[0] + work[1] + work[2]);
}

pc_status pc_run_update_impacts(pc_run *run, pc_error *err)
{
    if (run->state.compliant.n == 0) return PC_OK;
    pc_status status = pc_run_evaluate(run, NULL, err);
    for (int i = 0; i < run->state.compliant.n && status == PC_OK; i++) update_record(run, i);
    return status;
}

static pc_status tell(pc_run *run, int which, pc_event_kind kind, pc_error *err)
{
    const pc_compliant_contact *c = &run->state.compliant.contact[which];
    pc_event_record event = {
        .kind = kind, .pair = c->pair, .mode = c->base.stuck ? 0 : c->base.sign, .impact = c->impact};
    return pc_run_log(run, event, err);
}

/* ---- how fast, how deep ---- */

/* The speed at which an impact would indent the contact by u. Lengths grow with a power of the speed. */
static double speed_of_length(const pc_pair *p, double mass, double u)
{
    const pc_element *element = p->law->element;
    double speed = 1;
    for (int i = 0; i < 60; i++) {
        double length = element->length(p->params, mass, speed), factor = u / length;
        speed *= factor;
        if (fabs(factor - 1) < 1e-3) break;
    }
    return speed;
}

/* The speed at which the contact would be stopped by an acceleration a: v^2 = a times its length. */
static double speed_of_load(const pc_pair *p, double mass, double a)
{
    double speed = 1;
    for (int i = 0; i < 60; i++) {
        double next = sqrt(a * p->law->element->length(p->params, mass, speed));
        bool settled = fabs(next - speed) < 1e-3 * speed;
        speed = next;
        if (settled) break;
    }
    return speed;
}

/* Size of what is about to happen: the greatest of the closing speed, what presses the pair together, how deep it
 * already is, and, where all that is next to nothing, what the contacts around it do. */
static double typical_speed(const pc_run *run, const pc_pair *p, double mass, double w, double u, double load)
{
    double speed = fmax(w, 0), around = 0;
    bool loaded = load > 0 && (speed == 0 || load * p->law->element->length(p->params, mass, speed) > speed * speed);
    if (loaded) speed = fmax(speed, speed_of_load(p, mass, load));
    if (u > 0) speed = fmax(speed, speed_of_length(p, mass, u));
    for (int i = 0; i < run->state.compliant.n; i++) around = fmax(around, run->state.compliant.contact[i].speed);
    return speed < SLOW * around ? around : speed;
}

/* ---- begin ---- */

/* From rest, but for what creep and rounding have left of v_t. A point that has been set moving, by a corner that
 * passed another one, slips as it moves. */
static void begin_slip(pc_compliant_contact *c, int sign, double v_t)
{
    pc_contact *contact = &c->base;
    bool rigid = contact->p.tangential.kind == PC_TANGENTIAL_RIGID, moves = rigid && fabs(v_t) > JUMP * c->speed;
    contact->stuck = false;
    contact->sign = moves ? (v_t < 0 ? -1 : 1) : sign;
    contact->backward = rigid && !moves ? fmax(-sign * v_t, 0) : 0;
}

/* A point without an element sticks only if friction can hold it. At the touch there is no force yet; then what would
 * move it is compared with what friction would do per newton. */
static pc_status settle_held(pc_run *run, int which, const double *W, pc_error *err)
{
    pc_compliant_contact *c = &run->state.compliant.contact[which];
    if (!pc_contact_is_constrained(&c->base)) return PC_OK;
    pc_status status = pc_run_evaluate(run, NULL, err);
    if (status != PC_OK) return status;
    const pc_contact_values *m = &run->state.compliant.now[which];
    double mu = c->base.p.tangential.mu, push = -m->Ft, hold = mu * fmax(m->Fn, 0);
    if (W && !(m->Fn > 0)) {
        double other = fabs(push) * W[0], size = fabs(run->scene->gravity) + 1e-12 * c->speed * c->speed / c->length;
        bool alone = other <= 64 * DBL_EPSILON * size;
        hold = alone ? mu * W[0] : 0;
        push = alone ? W[1] : push;
    }
    if (fabs(push) <= hold) return PC_OK;
    begin_slip(c, push < 0 ? -1 : 1, W ? 0 : m->v_t);
    return PC_OK;
}

pc_status pc_run_close_pair(pc_run *run, int pair, pc_error *err)
{
    const pc_scene *scene = run->scene;
    const pc_pair *p = &scene->pairs[pair];
    pc_compliant *all = &run->state.compliant;
    pc_status status = pc_run_reserve(run, run->state.contacts.n + 1, err);
    if (status != PC_OK) return status;
    const pc_configuration *at = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!at) return pc_run_stopped(run, err);

    pc_touch touch;
    double v[2], v_before[2], a[2], W[4];
    pc_configuration_contact(at, &run->scratch.system.places, pair, &touch, v);
    memcpy(v_before, v, sizeof v);
    pc_block_build(&run->scratch.block, &run->scratch.system.mechanics, &(pc_contact_set){1, &pair, &touch});
    memcpy(W, run->scratch.block.W, sizeof W);
    if (pc_run_accelerate(run, run->scratch.a) != 0) return pc_run_stopped(run, err);
    pc_configuration_acceleration(at, pair, &touch, run->scratch.a, a);
    if (fabs(v[PC_T]) <= pc_pair_resolution(run->scene, run->state.memory, pair)) v[PC_T] = 0;
    if (fabs(v[PC_N]) <= pc_pair_resolution(run->scene, run->state.memory, pair)) v[PC_N] = 0;

    double u = -(touch.gap + run->state.memory[pair].residual);
    if (u <= 1e-12 * p->length) u = 0;       /* rounding of the gap, or what the locator left of zero */
    if (u == 0 && v[PC_N] > 0) return PC_OK; /* it came round the end of a thin side, and goes on from there */
    pc_compliant_contact c = {.pair = pair,
                              .feature = run->state.feature[pair],
                              .residual = run->state.memory[pair].residual,
                              .mass = 1 / W[3],
                              .base.element = p->law->element};
    c.speed = typical_speed(run, p, c.mass, -v[PC_N], u, -a[PC_N]);
    if (!(c.speed > 0)) c.speed = SLOW * run->state.memory[pair].greatest_speed;
    if (!(c.speed > 0)) return PC_OK; /* it only touches, and nothing gives a scale: it rides */
    c.length = p->law->element->length(p->params, c.mass, c.speed);
    p->law->element->prepare(p->params, &(pc_scales){1, 1, 1}, c.mass, c.speed, &c.base.p);
    pc_contact_begin(&c.base, u, -v[PC_N], v[PC_T], c.length, DBL_EPSILON * p->length);

    pc_impact_record *record;
    double *states;
    status = pc_run_new_impact(run, &record, &states, err); /* the pool may move: states is not used */
    if (status == PC_OK)
        status = pc_pool_grow(&run->history.states, 4 * (size_t)scene->n_dof + 2 * (size_t)scene->n_nodes,
                              sizeof(double), err);
    if (status == PC_OK) status = pc_pool_grow(&run->history.impact_histories, 1, sizeof(pc_impact_history), err);
    if (status == PC_OK && pc_contact_has_rings(&c.base))
        status = pc_contact_open_rings(&c.base, u, -v[PC_N], c.length, c.speed, err);
    if (status != PC_OK) return status;
    run->history.states.used += 4 * (size_t)scene->n_dof + 2 * (size_t)scene->n_nodes; /* the last: q in the end */
    record->compliant = true;
    record->history = run->history.impact_histories.used++;
    c.impact = run->history.impacts.used++;
    int which = all->n++;
    all->version++;
    all->contact[which] = c;
    all->now[which] = (pc_contact_values){0};
    memset(rows_of(run, which), 0, PC_ROWS * sizeof(double));
    status = settle_held(run, which, u > 0 ? NULL : W, err);
    if (status == PC_OK) status = evaluate_forces(run, &at, err);
    if (status != PC_OK) return status;

    double stored = pc_contact_stored(&all->contact[which].base, &all->now[which]);
    run->state.sprung -= stored;
    record = impact_of(run, which);
    *record_of(run, which) = (pc_impact_history){
        .stop = NAN, .peaks = {{fabs(all->now[which].Ft), fmax(all->now[which].Fn, 0)}, {run->state.t, run->state.t}}};
    record->pair = pair;
    record->W = (pc_mobility){.tt = W[0], .tn = 0.5 * (W[1] + W[2]), .nn = W[3]};
    memcpy(record->v0, v_before, sizeof record->v0);
    record->energy0 = pc_configuration_energy(at) + pc_compliant_stored(all);
    update_record(run, which);
    note_phase(run, which);
    return tell(run, which, PC_EVENT_BEGIN, err);
}

pc_status pc_run_close_late(pc_run *run, int pair, pc_error *err)
{
    const pc_configuration *at = pc_planar_make_pair(&run->scratch.system, pair, run->state.t, run->state.y);
    if (!at) return pc_run_stopped(run, err);
    pc_compliant_hold_side(at, &run->state, pair);
    double gap = pc_configuration_gap(at, &run->scratch.system.places, pair);
    if (-(gap + run->state.memory[pair].residual) > UNSEEN * run->scene->pairs[pair].length)
        run->state.memory[pair].residual = -gap;
    return pc_run_close_pair(run, pair, err);
}

/* ---- spring release ---- */

/* A compliant contact that parts with stretched springs gives back at once what they hold: see
 * pc_contact_release_springs. Its impulse is that of a force without bounds, so what contacts that last rigidly answer
 * to it, and points that friction holds, is in proportion to it, as long as their modes stay. For the motion it acts
 * where it begins: its impulses times the way that is left, a share 1e-9 of a contact's, is below what integration can
 * tell. The record of the impact tells of where it ends. */

/* What a unit impulse along t and along n does: rows of n velocities, then those impulses in the joints. A force at the
 * contact tells, by what there is more than without it. */
static pc_status respond(pc_run *run, int which, double force, double *rows, int length, pc_error *err)
{
    pc_compliant *all = &run->state.compliant;
    const pc_touch touch = all->touch[which];
    const double push[3][2] = {{force, 0}, {0, force}, {0, 0}};
    int n = run->scene->n_dof;
    for (int i = 0; i < 3; i++) {
        const pc_acting more = {{1, &all->contact[which].pair, &touch}, push[i], NULL};
        double *a = rows + i * length, *joints = a + n;
        if (pc_contacts_accelerate_under(&run->state.contacts, all, &run->scratch.system.mechanics, &run->scratch.block,
                                         &more, a) != 0)
            return pc_run_stopped(run, err);
        for (int k = 0; k < run->scene->n_nodes; k++) {
            joints[2 * k] = run->scratch.system.forces[k].rx;
            joints[2 * k + 1] = run->scratch.system.forces[k].ry;
        }
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < length; k++) rows[i * length + k] = (rows[i * length + k] - rows[2 * length + k]) / force;
    return PC_OK;
}

/* The response is known, and so is all that is in `now`. How long it takes. */
static double give_back(pc_run *run, const pc_configuration *at, int which, const double *rows, int length)
{
    const pc_compliant_contact *c = &run->state.compliant.contact[which];
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + c->impact;
    pc_impact_history *history = pc_run_impact_history(&run->history, c->impact);
    const pc_contact_values *m = &run->state.compliant.now[which];
    const pc_touch *touch = &run->state.compliant.touch[which];
    int n = run->scene->n_dof;
    double *mine = run->state.y + 2 * n + which * PC_ROWS, along[2], across[2];
    double *joints = (double *)run->history.states.data + record->states + 3 * n;
    pc_configuration_change(at, c->pair, touch, rows, across);
    pc_configuration_change(at, c->pair, touch, rows + length, along);
    pc_spring_release release;
    const double *p = release.impulse;
    /* what slides elsewhere answers unlike on both axes: work knows their mean */
    double tn = (along[PC_T] + across[PC_N]) / 2;
    pc_contact_release_springs(&c->base, m, &(pc_mobility){.tt = across[PC_T], .tn = tn, .nn = along[PC_N]}, &release);
    for (int k = 0; k < length; k++) {
        double jump = p[PC_T] * rows[k] + p[PC_N] * rows[length + k];
        *(k < n ? &run->state.y[n + k] : &joints[k - n]) += jump;
    }
    mine[PC_ROW_PT] += p[PC_T];
    mine[PC_ROW_PN] += p[PC_N];
    mine[PC_ROW_WT] += p[PC_T] * (m->v_t + (across[PC_T] * p[PC_T] + along[PC_T] * p[PC_N]) / 2);
    mine[PC_ROW_WN] += p[PC_N] * (-m->w + (across[PC_N] * p[PC_T] + along[PC_N] * p[PC_N]) / 2);
    if (release.unbounded) pc_peaks_note(&history->peaks, PC_N, INFINITY, run->state.t + release.duration);
    return release.duration;
}

/* Velocities jump, and all rates are in `now`; *at: the configuration after that; duration: how long it takes. */
static pc_status release_springs(pc_run *run, const pc_configuration **at, int which, double *duration, pc_error *err)
{
    pc_status status = pc_run_evaluate(run, at, err);
    double force = run->state.compliant.now[which].Fn;
    if (status != PC_OK || !(force > 0)) return status;
    double kinetic = pc_configuration_kinetic(*at);
    int length = run->scene->n_dof + 2 * run->scene->n_nodes;
    double *rows = pc_calloc(3 * (size_t)length, sizeof *rows), elements[2], friction;
    if (!rows) return pc_fail(err, PC_E_MEMORY, "not enough memory for the end of a contact");
    status = respond(run, which, force, rows, length, err);
    pc_compliant_work(&run->state.compliant, run->state.y + 2 * run->scene->n_dof, &elements[0], &friction);
    if (status == PC_OK) *duration = give_back(run, *at, which, rows, length);
    pc_free(rows);
    pc_compliant_work(&run->state.compliant, run->state.y + 2 * run->scene->n_dof, &elements[1], &friction);
    if (status == PC_OK) status = pc_run_evaluate(run, at, err);
    /* what slides elsewhere rubs meanwhile */
    if (status == PC_OK && run->state.contacts.n > 0)
        run->state.work[3] += pc_configuration_kinetic(*at) - kinetic - (elements[1] - elements[0]);
    return status;
}

/* The record of the impact, when the contact is no longer closed, goes on to the end of that. */
static pc_status end_spring_release(pc_run *run, size_t which, double duration, pc_error *err)
{
    pc_impact_record *record = (pc_impact_record *)run->history.impacts.data + which;
    int n = run->scene->n_dof;
    double *u = (double *)run->history.states.data + record->states + 2 * n, *joints = u + n;
    double *q = joints + 2 * run->scene->n_nodes, a[2];
    pc_touch touch;
    const pc_configuration *at = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!at) return pc_run_stopped(run, err);
    if (pc_run_accelerate(run, run->scratch.a) != 0) return pc_run_stopped(run, err);
    pc_configuration_touch(at, &run->scratch.system.places, record->pair, &touch);
    pc_configuration_acceleration(at, record->pair, &touch, run->scratch.a, a);
    for (int i = 0; i < n; i++) {
        q[i] += duration * u[i];
        u[i] += duration * run->scratch.a[i];
    }
    for (int i = 0; i < run->scene->n_nodes; i++) {
        joints[2 * i] += duration * run->scratch.system.forces[i].rx;
        joints[2 * i + 1] += duration * run->scratch.system.forces[i].ry;
    }
    for (int i = 0; i < 2; i++) record->v1[i] += duration * a[i];
    return PC_OK;
}

/* ---- changes and end ---- */

/* The law ends the contact, after some time more. What it leaves of the indentation counts until the gap has opened by
 * as much. */
static pc_status release(pc_run *run, const pc_configuration *at, int which, double more, pc_error *err)
{
    pc_compliant *all = &run->state.compliant;
    const pc_scene *scene = run->scene;
    update_record(run, which);
    record_of(run, which)->stop = run->state.t + more;
    pc_status status = tell(run, which, PC_EVENT_LIFT, err);
    const double *work = record_of(run, which)->work;
    if (status == PC_OK) status = pc_run_check_compliant(run, which, work[2], err);
    run->state.sprung += work[0] + work[1];
    run->state.work[3] += work[2];
    const pc_compliant_contact *c = &all->contact[which];
    double left = -all->touch[which].gap, rounding = 1e-12 * scene->pairs[c->pair].length;
    run->state.memory[c->pair].residual = left > rounding && !pc_compliant_is_off(at, &run->state, which) ? left : 0;
    run->state.memory[c->pair].permanent = scene->recovery == PC_RECOVERY_PERMANENT && c->base.p.plastic;
    if (!pc_compliant_keeps_side(scene, &run->state, c->pair)) run->state.feature[c->pair] = -1;
    pc_contact_close_rings(&all->contact[which].base);
    all->n--;
    all->version++;
    for (int i = which; i < all->n; i++) {
        all->contact[i] = all->contact[i + 1];
        memcpy(rows_of(run, i), rows_of(run, i + 1), PC_ROWS * sizeof(double));
    }
    return status;
}

/* The contact is over, unless another goes on with it. Where its bodies part by a spring release, what it holds has not
 * come to an edge, beyond which that is lost. */
static pc_status end(pc_run *run, const pc_configuration *at, int which, pc_error *err)
{
    const pc_contact *contact = &run->state.compliant.contact[which].base;
    if (pc_compliant_hand_over(at, &run->state, which))
        return pc_run_stick_again(run, err); /* in a frame that has turned */
    bool bursts = contact->parting > 0 && run->state.compliant.now[which].u < 2 * contact->parting;
    double duration = 0;
    size_t impact = run->state.compliant.contact[which].impact;
    pc_status status = bursts ? release_springs(run, &at, which, &duration, err) : PC_OK;
    if (status == PC_OK) status = release(run, at, which, duration, err);
    if (status == PC_OK && bursts) status = end_spring_release(run, impact, duration, err);
    return status == PC_OK && bursts ? pc_run_stick_again(run, err) : status;
}

/* The particle, or the point itself, has come to rest. */
static pc_status arrest(pc_run *run, int which, pc_error *err)
{
    pc_compliant_contact *c = &run->state.compliant.contact[which];
    int sign = c->base.sign;
    /* a corner that is pressed past another jumps to the next side of it, and its velocity with the frame */
    if (c->base.p.tangential.kind == PC_TANGENTIAL_RIGID &&
        fabs(run->state.compliant.now[which].v_t) > JUMP * c->speed) {
        c->base.sign = -sign;
        note_phase(run, which);
        return tell(run, which, PC_EVENT_REVERSAL, err);
    }
    rows_of(run, which)[PC_ROW_Q] = run->state.compliant.now[which].q;
    c->base.stuck = true;
    c->base.fresh = true;
    pc_status status = settle_held(run, which, NULL, err);
    if (status != PC_OK) return status;
    if (!c->base.stuck && c->base.sign == sign) return PC_OK; /* goes on as it did */
    note_phase(run, which);
    return tell(run, which, c->base.stuck ? PC_EVENT_STICK : PC_EVENT_REVERSAL, err);
}

pc_status pc_run_change(pc_run *run, int which, int guard, pc_error *err)
{
    pc_contact *contact = &run->state.compliant.contact[which].base;
    const pc_configuration *at;
    pc_status status = guard == PC_GUARD_RELEASE ? evaluate_forces(run, &at, err) : pc_run_evaluate(run, &at, err);
    if (status != PC_OK) return status;
    contact->fresh = true;
    switch (guard) {
    case PC_GUARD_RELEASE: return end(run, at, which, err);
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN:
        begin_slip(&run->state.compliant.contact[which], guard == PC_GUARD_CONE_UP ? 1 : -1,
                   run->state.compliant.now[which].v_t);
        note_phase(run, which);
        return tell(run, which, PC_EVENT_SLIP, err);
    case PC_GUARD_ARREST: return arrest(run, which, err);
    default: pc_contact_cross(contact, &run->state.compliant.now[which], guard); return PC_OK;
    }
}

bool pc_run_has_jumped(const pc_run *run, int which, double v_t)
{
    const pc_compliant_contact *c = &run->state.compliant.contact[which];
    return pc_contact_is_constrained(&c->base) && fabs(v_t) > JUMP * c->speed;
}

pc_status pc_run_let_slip(pc_run *run, int which, double v_t, pc_error *err)
{
    begin_slip(&run->state.compliant.contact[which], 0, v_t);
    run->state.compliant.contact[which].base.fresh = true;
    note_phase(run, which);
    return tell(run, which, PC_EVENT_SLIP, err);
}

pc_status pc_run_carry_histories(pc_run *run, pc_error *err)
{
    pc_compliant *all = &run->state.compliant;
    bool any = false;
    for (int i = 0; i < all->n; i++) any |= pc_contact_has_rings(&all->contact[i].base);
    if (!any) return PC_OK;
    pc_status status = pc_run_evaluate(run, NULL, err);
    for (int i = 0; i < all->n && status == PC_OK; i++) {
        pc_contact *contact = &all->contact[i].base;
        if (!pc_contact_has_rings(contact)) continue;
        int before = contact->stuck ? 0 : contact->sign;
        double *rows = rows_of(run, i), both = rows[PC_ROW_WT] + rows[PC_ROW_WF];
        status = pc_contact_advance_rings(contact, &all->now[i], &rows[PC_ROW_Q], err);
        /* what is stored the springs know best, and together their work and that of friction is exact */
        rows[PC_ROW_WT] = -all->now[i].kept;
        rows[PC_ROW_WF] = both - rows[PC_ROW_WT];
        int after = contact->stuck ? 0 : contact->sign;
        if (status != PC_OK || after == before) continue;
        note_phase(run, i);
        status = tell(run, i, after == 0 ? PC_EVENT_STICK : before == 0 ? PC_EVENT_SLIP : PC_EVENT_REVERSAL, err);
        if (status == PC_OK) status = pc_run_record_modes(run, err); /* another phase in the arcs to come */
    }
    return status;
}

/* An impact elsewhere has changed velocities, not forces: what slid may now slide the other way, what was held lets
 * go, and a plastic contact that was loaded is unloaded. */
pc_status pc_run_stick_again(pc_run *run, pc_error *err)
{
    pc_compliant *all = &run->state.compliant;
    if (all->n == 0) return PC_OK;
    pc_status status = pc_run_evaluate(run, NULL, err);
    for (int i = 0; i < all->n && status == PC_OK; i++) {
        pc_contact *contact = &all->contact[i].base;
        pc_contact_values m = all->now[i];
        double small = pc_pair_resolution(run->scene, run->state.memory, all->contact[i].pair);
        contact->fresh = true;
        if (contact->p.plastic && contact->branch == 0 && m.w < 0) pc_contact_cross(contact, &m, PC_GUARD_BRANCH);
        bool element = contact->p.tangential.kind != PC_TANGENTIAL_RIGID;
        bool slides = !element && fabs(m.v_t) > small;
        if (pc_contact_is_constrained(contact) && slides) {
            contact->stuck = false;
            contact->sign = m.v_t < 0 ? -1 : 1;
            status = tell(run, i, PC_EVENT_SLIP, err);
        } else if (!contact->stuck && contact->p.tangential.mu > 0 && contact->sign * m.slip < -small) {
            if (element) {
                rows_of(run, i)[PC_ROW_Q] = m.q;
                contact->stuck = true;
            } else {
                contact->sign = -contact->sign;
            }
            status = tell(run, i, element ? PC_EVENT_STICK : PC_EVENT_REVERSAL, err);
        }
        note_phase(run, i);
    }
    return status;
}
