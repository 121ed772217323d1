/* An impact of elements from change to change: see element_impact.h. */
#include "engine/element_impact_internal.h"

#include "base/status.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* One contact that only pushes always ends, though where W is nearly singular after as many swings as the root of its
 * condition tells, which is a million steps at 1e-7. What is wedged between contacts, or held by what pulls, may not
 * end. */
enum { MAX_STEPS = 200000, MAX_STEPS_OF_SWINGS = 10000000, MAX_STALLS = 64, FEW_STALLS = 4 };

/* Closing speed, scaled, that counts as none between impacts: some 1e-14 a step, 1e4 steps at most. */
static const double STANDSTILL = 1e-10;

/* Least change of a velocity, scaled, that counts as none: some hundred times what rounding makes of it in explicit
 * steps. Where impulses cancel in v0 + W p it is as much as that leaves. */
static const double SPENT = 1e-13;

/* Stretch, scaled, that is none. */
static const double UNSTRETCHED = 1e-12;

/* Speed, scaled, that is far above that: what creeps more slowly may never part. */
static const double GLIDING = 1e-11;

/* What moves a contact point at rest on, where friction cannot hold it at a pressure F; 0: it can. Without a velocity
 * product that counts per unit of pressure. */
static double push(const motion *d, int i, double mu, double F)
{
    const double *row = d->W + (size_t)(2 * i) * 2 * (size_t)d->k + 2 * i;
    double product = d->body ? d->frame->c[PC_T] : 0, wtt = row[0], wtn = row[1];
    double force = product != 0 ? wtn * F + product : wtn, bound = product != 0 ? mu * wtt * F : mu * wtt;
    return fabs(force) > bound ? force : 0;
}

/* Set the mode of a contact that has just closed, or whose particle has come to rest; holds: for the second time at
 * this instant, so that friction just holds, or it would begin to slip for ever. */
static void grip(motion *d, int i, const pc_contact_values *m, bool closing, bool holds)
{
    contact *c = &d->contacts[i];
    const pc_tangential *e = &c->base.p.tangential;
    double way = 0;
    c->base.fresh = true;
    c->turns = 0;
    if (closing && m->v_t != 0 && e->mu > 0) return;
    if (e->mu == 0) /* what comes to rest goes back: forces may pull as well as press */
        way = !closing ? -c->base.sign : m->v_t != 0 ? m->v_t : push(d, i, 0, 0);
    /* with several contacts the forces at the others decide as well: should it be too much, its cone says so */
    else if (e->kind == PC_TANGENTIAL_RIGID && d->k == 1 && !holds)
        way = push(d, i, e->mu, m->Fn);
    c->base.stuck = way == 0;
    if (way != 0) c->base.sign = way < 0 ? -1 : 1;
}

/* Contact i touches. Its springs are followed to the very end. */
static void touch(run *r, int i, double *y, const pc_contact_values *m)
{
    contact *c = &r->d->contacts[i];
    double *own = y + i * PER_CONTACT;
    own[Q] = own[UT] = 0;
    for (int j = 0; j < c->base.p.memory; j++) y[c->recall + j] = 0;
    c->open = false;
    c->base.shape = NULL;
    c->base.rooted = r->d->k == 1 && !pc_contact_has_rings(&c->base);
    if (c->base.rooted && c->base.p.neck > 0) { /* the state holds what is left until the end of that */
        c->shape.offset = -c->base.p.neck;
        own[Y] = pow(c->base.p.neck, 1.0 / c->base.p.root);
    }
    pc_contact_begin(&c->base, 0, m->w, m->v_t, 1, 0);
    c->base.parting = 0;
    c->ft_sign = 0;
    pc_recorder_touch(&c->record, m->w, own + PT, own[WN]);
    if (isnan(r->out[i].start)) r->out[i].start = y[r->d->n - 1] * r->d->time;
    r->out[i].n_closings++;
    pc_element_reshape(r->d, i, 0, y);
    grip(r->d, i, m, true, false);
}

/* The surfaces have opened by what was left of the indentation: the gap counts from the undeformed ones again. */
static void recover(contact *c, double *own)
{
    own[Y] += c->residual;
    c->residual = 0;
}

/* What follows when a guard of contact i has fallen at the state y. True if a new phase begins. */
static bool change(run *r, int i, int which, double *y, const pc_contact_values *m)
{
    contact *c = &r->d->contacts[i];
    double *own = y + i * PER_CONTACT;
    c->base.fresh = true;
    switch (which) {
    case PC_GUARD_RELEASE:
        pc_element_settle(r, i, y);
        c->open = true;
        r->out[i].stop = y[r->d->n - 1] * r->d->time;
        if (r->d->k > 1 && own[Y] > PC_ELEMENT_PARTED) c->residual += own[Y], own[Y] = 0;
        return false;
    case RECOVER: recover(c, own); return false;
    case CLOSE:
        own[Y] = 0;
        touch(r, i, y, m);
        return false;
    case PC_GUARD_ARREST:
        if (pc_contact_has_rings(&c->base)) {
            c->base.stuck = true;
            c->turns = 0;
            return true;
        }
        own[Q] = m->q;
        grip(r->d, i, m, false, y[r->d->n - 1] == r->arrested);
        r->arrested = y[r->d->n - 1];
        return true;
    default: break;
    }
    pc_contact_cross(&c->base, m, which);
    if (pc_guard_is_cone(which)) return true;
    pc_element_reshape(r->d, i, m->u, y);
    return false;
}

/* No contact presses, and none will: what integration leaves of a closing speed of 0 does not count as one. */
static bool over(const run *r, const pc_contact_values *m)
{
    for (int i = 0; i < r->d->k; i++) {
        const contact *c = &r->d->contacts[i];
        if (r->d->k == 1 && !c->open) return false;
        if ((!c->open && m[i].u + c->base.p.neck > 0) || (r->d->k > 1 && m[i].w > STANDSTILL)) return false;
    }
    return true;
}

/* A stuck contact with one degree of freedom that has turned thrice without slipping goes on for ever: its energy does
 * not grow, so the forces never come nearer to the cone again than they did in that cycle. */
static bool wedged(const run *r)
{
    const contact *c = &r->d->contacts[0];
    return r->rests || (r->d->k == 1 && r->task->rank == 1 && sticks(c) && c->turns >= PC_ELEMENT_TURNS);
}

/* Where W has rank 1 both velocities vanish together: what has begun to stick stands still, and turns; a point that
 * friction itself holds can be pushed in no direction, and stays. */
static bool stands(const run *r, const pc_contact_values *m)
{
    const motion *d = r->d;
    return d->k == 1 && sticks(&d->contacts[0]) && r->task->rank == 1 && d->W[0] > 0 && fabs(m->w) <= STANDSTILL;
}

/* Forces after a change of modes. */
static void resume(motion *d, const double *y, bool jumps, pc_contact_values *out)
{
    pc_element_hold(d);
    pc_element_values(d, y, out);
    if (d->k > 1 && jumps) pc_element_balance(d, y, out);
}

/* Where the coupled law never slips, the normal force grows beyond all bounds as the bodies part; unless the stretch,
 * scaled, is rounding. */
static bool is_unbounded(const contact *c, const pc_contact_values *m)
{
    const pc_tangential *e = &c->base.p.tangential;
    return e->kind == PC_TANGENTIAL_COUPLED && isinf(e->cone) && fabs(m->q) > UNSTRETCHED;
}

/* Carry on the history of an element at d->state, with the values m there. Sums over a few rings know the mode less
 * well than guards do. */
static pc_status carry(run *r, double tau, pc_contact_values *m)
{
    motion *d = r->d;
    contact *c = &d->contacts[0];
    if (!pc_contact_has_rings(&c->base)) return PC_OK;
    double *y = d->state;
    const bool stuck = c->base.stuck;
    const int sign = c->base.sign;
    pc_status status = pc_contact_advance_rings(&c->base, m, &y[Q], r->err);
    c->base.stuck = stuck;
    c->base.sign = sign;
    d->carry = tau + c->base.rings->step;
    pc_element_values(d, y, m);
    pc_element_note_forces(r, m, y[d->n - 1]);
    return status;
}

/* The same where a step has just ended, if it is the last until then. */
static pc_status carry_on(run *r)
{
    motion *d = r->d;
    if (!pc_contact_has_rings(&d->contacts[0].base) || d->stepper.t != d->carry) return PC_OK;
    double tau = d->carry;
    memcpy(d->state, d->stepper.y, (size_t)d->n * sizeof *d->state);
    pc_status status = carry(r, tau, d->node[0]);
    return status ? status : pc_element_start(d, tau, d->state, r->err);
}

/* Go over to what follows a change at d->state. */
static pc_status cross(run *r, double tau, int who, int what, pc_contact_values *m)
{
    motion *d = r->d;
    double *y = d->state;
    /* at greatest indentation the stiffness changes, and a slip may go on */
    bool plastic = d->contacts[who].base.p.plastic && d->contacts[who].base.branch == 0;
    if (what == PC_GUARD_ARREST && plastic && fabs(m[who].w) <= STANDSTILL) what = PC_GUARD_BRANCH;
    if (what == PC_GUARD_RELEASE && fabs(y[who * PER_CONTACT + Y]) < PC_ELEMENT_PARTED) {
        /* what rounding left of u must not show in the forces at the very end */
        y[who * PER_CONTACT + Y] = 0;
        pc_element_values(d, y, m);
    }
    pc_element_note_forces(r, m, y[d->n - 1]);
    if (what == PC_GUARD_RELEASE && d->k == 1 && is_unbounded(&d->contacts[0], m))
        pc_recorder_force(&d->contacts[0].record, PC_N, INFINITY, y[d->n - 1]);
    bool phase = change(r, who, what, y, &m[who]);
    if (phase || what == PC_GUARD_RELEASE) pc_element_end_phase(r, y, m);
    if (what == PC_GUARD_RELEASE && over(r, m)) return PC_OK;
    /* a force reaches its cone without a jump */
    bool jumps = what != PC_GUARD_CONE_UP && what != PC_GUARD_CONE_DOWN;
    resume(d, y, jumps, d->node[0]);
    pc_element_note_forces(r, d->node[0], y[d->n - 1]);
    pc_status status = phase ? pc_element_begin_phase(r, y, d->node[0]) : PC_OK;
    if (status) return status;
    if (stands(r, d->node[0])) {
        pc_element_arrest(r, y, d->node[0]);
        r->rests = pc_contact_is_constrained(&d->contacts[0].base);
    }
    if (what != PC_GUARD_RELEASE) status = carry(r, tau, d->node[0]);
    if (status) return status;
    return pc_element_start(d, tau, y, r->err);
}

/* Where no contact is closed the bodies fly straight: go to where the next one closes. */
static pc_status fly(run *r)
{
    motion *d = r->d;
    double *y = d->state, soonest = INFINITY;
    int first = -1;
    const pc_contact_values *m = d->node[0];
    for (int i = 0; i < d->k; i++) {
        if (!d->contacts[i].open) return PC_OK;
        double time = m[i].w > STANDSTILL ? fmax(-m[i].u, 0) / m[i].w : INFINITY;
        if (time < soonest) soonest = time, first = i;
    }
    memcpy(y, d->stepper.y, (size_t)d->n * sizeof *y);
    for (int i = 0; i < d->k; i++) {
        double *own = y + i * PER_CONTACT;
        own[Y] += m[i].w * soonest;
        if (d->contacts[i].residual > 0 && own[Y] <= -d->contacts[i].residual) recover(&d->contacts[i], own);
    }
    y[first * PER_CONTACT + Y] = 0;
    y[d->n - 1] += soonest;
    pc_element_values(d, y, d->node[0]);
    touch(r, first, y, &m[first]);
    resume(d, y, true, d->node[0]);
    return pc_stepper_start(&d->stepper, d->stepper.t, y, r->err);
}

/* The bodies separate and u, which has been about 1, is rounding: there the forces no longer tell stick from slip. */
static bool parted(const motion *d, int i)
{
    const pc_contact_values *m = &d->node[0][i];
    return m->w < 0 && m->u + d->contacts[i].base.p.neck <= DBL_EPSILON;
}

/* A damper may leave no force at all, at any depth, while the bodies part: Hunt and Crossley's is spent where w is
 * -1/zeta. Then they glide apart, however long the damper would keep explicit steps short. What the force could still
 * change of w, and of v_t through friction, is next to the rounding of the speed before; and what is stuck by a spring
 * slips at no more than that. */
static bool glides(const motion *d)
{
    const contact *c = &d->contacts[0];
    const pc_contact_values *m = d->node[0];
    if (d->k > 1 || d->body || c->open || !(m->u > 0 && m->n.dFdw > 0)) return false;
    if (m->n.kink != 1) return false; /* beyond which the force may come back */
    double fine = fmax(SPENT, c->fine[PC_N]);
    if (!(m->w < -fmax(GLIDING, 10 * fine))) return false;
    if (!(fmax(fabs(m->Fn), fabs(m->Ft)) <= fine * m->n.dFdw)) return false;
    pc_contact half = c->base;
    pc_contact_values there = *m;
    there.u = m->u / 2;
    half.shape = NULL, half.rooted = false;
    pc_contact_normal(&half, &there);
    return fabs(there.n.F) <= fine * there.n.dFdw;
}

/* What a dashpot along the surface holds may creep away from a pressed contact for ever, ever more slowly: where
 * neither velocity nor acceleration is left it rests. */
static bool has_crept(const motion *d)
{
    const contact *c = &d->contacts[0];
    const pc_contact_values *m = d->node[0];
    if (d->k > 1 || d->body || !sticks(c) || c->base.p.tangential.kind != PC_TANGENTIAL_DASHPOT) return false;
    double a = d->W[2] * m->Ft + d->W[3] * m->Fn;
    return fmax(fmax(fabs(m->w), fabs(m->v_t)), fmax(fabs(a), fabs(m->dv_t))) <= STANDSTILL;
}

static void rest_there(run *r)
{
    r->d->contacts[0].turns = 0;
    pc_element_arrest(r, pc_element_at(r->d), r->d->node[0]);
    r->rests = true;
}

/* To where the bodies that glide apart leave each other. */
static pc_status glide(run *r)
{
    motion *d = r->d;
    double *y = d->state;
    pc_contact_values *m = d->node[0];
    memcpy(y, pc_element_at(d), (size_t)d->n * sizeof *y);
    pc_element_trace_glide(r, y, m);
    y[d->n - 1] += m->u / -m->w;
    y[Y] = 0;
    pc_element_values(d, y, m);
    return cross(r, 0, 0, PC_GUARD_RELEASE, m);
}

/* What stays goes on in its mode, whatever happens, for as long as states are asked for. */
static pc_status linger(run *r)
{
    motion *d = r->d;
    pc_status status = PC_OK;
    for (int step = 0; !status && pc_recorder_asks(&d->contacts[0].record, DBL_MAX); step++) {
        const pc_dense *dense;
        if (step % 64 == 63 && pc_interrupted())
            return pc_fail_at(r->err, PC_E_INTERRUPTED, pc_element_at(d)[d->n - 1] * d->time, "steps",
                              "interrupted during an impact");
        status = pc_element_step(d, &dense, r->err);
        if (status) return status;
        pc_element_answer(r, dense, 1);
        pc_element_values(d, pc_element_at(d), d->node[0]);
        status = carry_on(r);
    }
    return status;
}

/* True if the element has the forces of the shape that it was found to have, at the places of a step up to its end. */
static bool keeps_shape(const motion *d, double end)
{
    const contact *c = &d->contacts[0];
    if (!c->base.shape || !c->base.element->agrees) return true;
    for (int j = 0; j < PC_GUARD_PLACES && d->place[j] <= end; j++) {
        const pc_contact_values *m = d->node[j];
        const pc_indent x = {.y = m->y, .u = m->u, .w = m->w, .force_alone = true};
        if (m->y >= 0 && !c->base.element->agrees(&c->base.p, &x, m->n.F)) return false;
    }
    return true;
}

/* The step that was made by a shape is none: from where it began the element itself is integrated. */
static pc_status drop_shape(run *r, const pc_dense *dense)
{
    motion *d = r->d;
    double tau = dense->t;
    pc_element_state_at(d, dense, 0, d->state);
    d->contacts[0].base.shape = NULL;
    d->series = NULL;
    if (d->way == BY_SERIES) {
        pc_status status = pc_element_take(d, BY_EXPLICIT_STEPS, r->err);
        if (status) return status;
    }
    pc_element_values(d, d->state, d->node[0]);
    return pc_element_start(d, tau, d->state, r->err);
}

static pc_status go(run *r)
{
    motion *d = r->d;
    int stalls = 0;
    bool rings = pc_contact_has_rings(&d->contacts[0].base);
    bool swings = d->k == 1 && (!d->body || rings) && !d->contacts[0].base.p.pulls;
    int most = swings ? MAX_STEPS_OF_SWINGS : MAX_STEPS;
    for (int step = 0;; step++) {
        double t = pc_element_at(d)[d->n - 1] * d->time;
        if (step == most) {
            const char *why = d->contacts[0].base.p.neck > 0 ? ": the bodies may adhere to each other for ever"
                              : d->k > 1                     ? ": the bodies may be wedged between their contacts"
                              : d->contacts[0].base.p.pulls  ? ": a contact that pulls ends only below critical damping"
                                                             : "";
            return pc_fail_at(r->err, PC_E_LIMIT, t, "steps", "the contact has not ended after %d steps%s", step, why);
        }
        if (step % 64 == 63 && pc_interrupted())
            return pc_fail_at(r->err, PC_E_INTERRUPTED, t, "steps", "interrupted during an impact");
        const pc_dense *dense;
        pc_status status = d->k > 1 ? fly(r) : PC_OK;
        if (!status) status = pc_element_step(d, &dense, r->err);
        if (status) return status;
        double cut;
        int who, what, last;
        bool changes = pc_element_find_change(d, dense, &cut, &who, &what);
        if (!keeps_shape(d, fmin(cut, 1))) {
            status = drop_shape(r, dense);
            if (status) return status;
            continue;
        }
        if (changes && cut <= 0 && stalls >= FEW_STALLS && parted(d, who)) what = PC_GUARD_RELEASE;
        status = pc_element_note_step(r, dense, fmin(cut, 1), what == PC_GUARD_RELEASE ? who : -1, &last);
        if (status) return status;
        for (int i = 0; i < d->k; i++) d->contacts[i].base.fresh = false;
        if (changes) {
            stalls = cut > 0 ? 0 : stalls + 1;
            if (stalls > MAX_STALLS)
                return pc_fail_at(r->err, PC_E_NUMERIC, t, "phases", "stick and slip follow each other at one instant");
            pc_element_state_at(d, dense, cut, d->state);
            status = cross(r, dense->t + cut * dense->h, who, what, d->node[last]);
            if (status || over(r, d->node[last]) || r->rests) return status;
        } else {
            pc_contact_values *first = d->node[0];
            d->node[0] = d->node[PC_GUARD_PLACES - 1];
            d->node[PC_GUARD_PLACES - 1] = first;
            if (wedged(r)) return linger(r);
            if (r->adheres && !pc_recorder_asks(&d->contacts[0].record, DBL_MAX)) return status;
            status = carry_on(r);
            if (status) return status;
            if (has_crept(d)) rest_there(r);
            if (r->rests) return pc_recorder_asks(&d->contacts[0].record, DBL_MAX) ? linger(r) : status;
        }
        if (glides(d)) return glide(r);
    }
}

static pc_status begin(run *r)
{
    motion *d = r->d;
    double *y = d->state;
    memset(y, 0, (size_t)d->n * sizeof *y);
    if (d->body) pc_element_begin_body(d, y);
    for (int i = 0; i < d->k; i++) {
        r->out[i] = (pc_element_summary){.start = NAN, .stop = NAN};
        double gap = r->task->gaps ? r->task->gaps[i] / d->scales.length : 0;
        y[i * PER_CONTACT + Y] = -gap;
        d->contacts[i].open = true;
        d->contacts[i].base.fresh = true;
        d->contacts[i].record = (pc_recorder){.out = r->record,
                                              .d = 2,
                                              .time = d->time,
                                              .force = d->force,
                                              .impulse = d->impulse,
                                              .work = d->work,
                                              .times = r->task->times,
                                              .states = r->task->states,
                                              .n_times = r->task->n_times,
                                              .err = r->err};
    }
    pc_contact_values *m = d->node[0];
    pc_element_values(d, y, m);
    for (int i = 0; i < d->k; i++)
        if (m[i].u >= 0 && m[i].w >= 0) touch(r, i, y, &m[i]);
    if (pc_contact_has_rings(&d->contacts[0].base)) {
        pc_status status = pc_contact_open_rings(&d->contacts[0].base, 0, m->w, 1, 1, r->err);
        if (status) return status;
        d->carry = d->contacts[0].base.rings->step;
    }
    resume(d, y, true, m);
    pc_element_note_forces(r, m, 0);
    pc_status status = pc_element_begin_phase(r, y, m);
    return status ? status : pc_element_start(d, 0, y, r->err);
}

pc_status pc_element_run(const pc_element_task *task, pc_element_summary *summary, pc_impact *record, double *duration,
                         pc_error *err)
{
    run r = {.task = task, .out = summary, .record = record, .arrested = -1, .err = err};
    pc_status status = pc_element_open(&r.d, task, err);
    if (status) return status;
    status = begin(&r);
    if (!status && !over(&r, r.d->node[0])) status = go(&r);
    if (!status) pc_element_finish(&r, wedged(&r) || r.adheres, duration);
    pc_element_close(r.d);
    return status;
}

static pc_status run_one(const pc_element *element, const void *params, const pc_mobility *W, const double v0[3],
                         const double *times, size_t n, pc_state *states, pc_impact *out, pc_error *err)
{
    double w[4] = {W->tt, W->tn, W->tn, W->nn};
    pc_element_contact one = {element, params};
    pc_element_task task = {
        .k = 1, .contacts = &one, .W = w, .rank = W->rank, .v0 = v0, .tolerance = PC_ELEMENT_TOLERANCE};
    task.times = times;
    task.n_times = n;
    task.states = states;
    pc_element_summary summary;
    return pc_element_run(&task, &summary, out, NULL, err);
}

pc_status pc_element_impact(const pc_element *element, const void *params, const pc_mobility *W, const double v0[3],
                            pc_impact *out, pc_error *err)
{
    pc_mobility plane = *W;
    pc_status status = pc_impact_begin(out, &plane, 2, v0, err);
    if (status || out->outcome == PC_OUTCOME_NONE) return status;
    return run_one(element, params, &plane, v0, NULL, 0, NULL, out, err);
}

pc_status pc_element_trace(const pc_element *element, const void *params, const pc_mobility *W, const pc_impact *impact,
                           const double *times, size_t n, pc_state *out, pc_error *err)
{
    pc_impact again;
    pc_impact_init(&again);
    pc_status status = run_one(element, params, W, impact->v0, times, n, out, &again, err);
    pc_impact_free(&again);
    return status;
}
