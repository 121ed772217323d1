/* One impact with the configuration moving: the body turns while the contact lasts, and W with it.
 *
 *     dv/dt = W(q) F + c
 *
 * with the velocity product c = Jdot u + J A^-1 h of what moves (moving_mover.c). Forces are those of an element and
 * its tangential element (law/element.h); stick and slip as in engine/element_impact.h, but where friction holds the
 * contact point itself the velocity product takes part in the balance:
 *     stick   F_t = -(w_tn F_n + c_t)/w_tt, while |F_t| <= mu F_n.
 * Where the tangential element has a history (law/rings.h) the motion goes by short steps, at the end of which that
 * is carried on.
 * Scaled units are those of the element: mass 1/w_nn, |v_n0|, its length.
 */
#include "motion/moving.h"
#include "motion/moving_internal.h"

#include "base/interrupt.h"
#include "event/solve.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* What may happen, in the order in which simultaneous events act; NOTHING did, for a long time. */
enum { RELEASE, TURN, KINK, RELOAD, CONE_UP, CONE_DOWN, ARREST, N_EVENTS, NOTHING = N_EVENTS };

static const int guards[] = {[RELEASE] = PC_GUARD_RELEASE,
                             [KINK] = PC_GUARD_KINK,
                             [RELOAD] = PC_GUARD_BRANCH,
                             [CONE_UP] = PC_GUARD_CONE_UP,
                             [CONE_DOWN] = PC_GUARD_CONE_DOWN};

enum { MAX_PHASES = 10000 };

/* How long one phase may last, in units of the element's time: many times a whole contact. */
static const double LONGEST = 500;

/* An indentation that is next to none. */
static const double TOUCH = 1e-12;

/* Relative and absolute error of a step; energies then close to 1e-11. */
static const double TOLERANCE = 1e-13;

/* How far beyond its edge a cone, or a slip from rest, may be by the error of steps, as in engine/element_guards.c. */
static const double BLUR = 1e-12;

/* And how fast what has come to rest may still slip, where rounding of a small force is all of a rate. */
static const double STANDING = 1e-6;

/* Of the energy before, beyond any error of the integration. */
static const double GIVEN = 1e-6;

/* ---- the equations ---- */

void pc_moving_place(const moving *s, const double *y, moment *m)
{
    pc_mover_place(&s->body, y + BODY, pc_moving_velocities(s, y), &m->site);
    m->press = (pc_contact_values){.u = m->site.u, .w = -m->site.v[1], .v_t = m->site.v[0], .q = y[Q]};
}

void pc_moving_evaluate(const moving *s, const double *y, moment *m)
{
    const pc_mover_site *at = &m->site;
    pc_contact_values *p = &m->press;
    pc_moving_place(s, y, m);
    pc_contact_forces(&s->press, p);
    if (pc_contact_is_constrained(&s->press)) p->Ft = -(at->wtn * p->Fn + at->c[0]) / at->wtt;
    pc_contact_rates(&s->press, p, -(at->wtn * p->Ft + at->wnn * p->Fn + at->c[1]));
}

static int rates(double t, const double *y, double *rate, void *context)
{
    const moving *s = context;
    const pc_mover *body = &s->body;
    moment m;
    (void)t;
    pc_moving_evaluate(s, y, &m);
    const pc_contact_values *p = &m.press;
    double *go_on = rate + BODY, *push = go_on + body->n_q;
    pc_mover_go(body, pc_moving_velocities(s, y), go_on);
    for (int i = 0; i < body->n_u; i++) push[i] = m.site.bias[i] + m.site.across[i] * p->Ft + m.site.along[i] * p->Fn;
    bool remembers = pc_contact_has_rings(&s->press);
    rate[Q] = s->press.stuck || remembers ? p->v_t * pc_tangential_gain(&s->press.p.tangential, &p->n) : 0;
    rate[STRETCH] = p->creep;
    rate[PT] = p->Ft;
    rate[PN] = p->Fn;
    rate[WORK_N] = -p->Fn * p->w;
    rate[WORK_F] = p->Ft * (remembers ? p->v_t : p->slip);
    return 0;
}

/* ---- events ---- */

typedef struct watch {
    const moving *s;
    int kind;
} watch;

/* Slip of the particle, without a jump at the touch, where stiffness and force vanish together. */
static double slip_of(const moving *s, moment *m)
{
    if (m->press.Fn != 0 || s->press.p.tangential.kind == PC_TANGENTIAL_RIGID) return m->press.slip;
    m->press.u = TOUCH;
    pc_contact_forces(&s->press, &m->press);
    pc_contact_rates(&s->press, &m->press, -m->site.c[1]);
    return m->press.slip;
}

static int guard(double t, const double *y, double *g, void *context)
{
    const watch *watched = context;
    const moving *s = watched->s;
    moment m;
    (void)t;
    if (watched->kind < CONE_UP) {
        pc_moving_place(s, y, &m);
        pc_contact_normal(&s->press, &m.press);
    } else {
        pc_moving_evaluate(s, y, &m);
    }
    switch (watched->kind) {
    case TURN: *g = m.press.w; break;
    case ARREST: *g = s->press.sign * slip_of(s, &m) + s->press.backward; break;
    case CONE_UP:
    case CONE_DOWN: *g = pc_contact_guard(&s->press, &m.press, guards[watched->kind]) + BLUR; break;
    default: *g = pc_contact_guard(&s->press, &m.press, guards[watched->kind]);
    }
    return 0;
}

static bool watches(const moving *s, int kind)
{
    const pc_contact *c = &s->press;
    bool modes = !pc_contact_has_rings(c);
    moment m;
    switch (kind) {
    case KINK: pc_moving_evaluate(s, s->y, &m); return m.press.n.kink != 1;
    case RELOAD: return c->p.plastic && c->branch == 1;
    case CONE_UP:
    case CONE_DOWN: return modes && c->stuck && !s->task->persistent;
    case ARREST: return modes && !c->stuck && c->p.tangential.mu > 0;
    default: return true;
    }
}

/* ---- changes ---- */

static void slip(moving *s, double way)
{
    s->press.stuck = false;
    s->press.sign = way < 0 ? -1 : 1;
    s->press.backward = 0;
}

/* What would move a contact point at rest that has no element, against what friction can hold; at the touch per unit
 * of normal force. */
static void hold(moving *s, bool closing)
{
    double mu = s->press.p.tangential.mu;
    moment m;
    s->press.stuck = true;
    pc_moving_evaluate(s, s->y, &m);
    const pc_mover_site *at = &m.site;
    double push = closing ? at->c[0] : at->wtn * m.press.Fn + at->c[0], bound = closing ? 0 : mu * at->wtt * m.press.Fn;
    if (closing && push == 0) push = at->wtn, bound = mu * at->wtt;
    if (!(fabs(push) > bound)) return;
    slip(s, push);
    /* what grows from the touch with a high power of time is below the errors of the integration for a while, and that
     * is no arrest */
    if (closing) s->press.backward = TOLERANCE;
}

static pc_status begin(moving *s)
{
    moment m;
    pc_moving_place(s, s->y, &m);
    pc_contact_begin(&s->press, 0, m.press.w, m.press.v_t, 1, 0);
    if (pc_contact_has_rings(&s->press)) return pc_contact_open_rings(&s->press, 0, m.press.w, 1, 1, s->err);
    const pc_tangential *e = &s->press.p.tangential;
    if (m.press.v_t == 0 && (e->kind == PC_TANGENTIAL_RIGID || e->mu == 0)) hold(s, true);
    return PC_OK;
}

/* The contact point, or the particle, has come to rest. Where a slip has ended before at this instant friction just
 * holds: it would begin again for ever. */
static void grip(moving *s, bool holds)
{
    moment m;
    pc_moving_evaluate(s, s->y, &m);
    s->y[Q] = m.press.q;
    s->press.stuck = true;
    if (!holds && s->press.p.tangential.kind == PC_TANGENTIAL_RIGID) hold(s, false);
}

/* Where friction vanishes under tension slip jumps, which may be taken for a fall of it. */
static bool stands(const moving *s)
{
    moment m;
    pc_moving_evaluate(s, s->y, &m);
    return s->press.sign * slip_of(s, &m) < STANDING;
}

static void turn(moving *s)
{
    if (s->record.way > 0 && s->press.p.plastic && s->press.branch == 0) {
        moment m;
        pc_moving_place(s, s->y, &m);
        s->press.memory = m.press.u;
        s->press.branch = 1;
    }
    pc_recorder_turn(&s->record, s->t, s->y + PT, s->y[WORK_N]);
    pc_moving_turns(s);
}

static void release_springs(moving *s)
{
    moment m;
    pc_moving_evaluate(s, s->y, &m);
    const pc_mover_site *at = &m.site;
    const pc_mobility W = {.tt = at->wtt, .tn = at->wtn, .nn = at->wnn};
    double before[PC_BODY_DOF], after[PC_BODY_DOF], *u = s->y + BODY + s->body.n_q;
    pc_spring_release b;
    pc_contact_release_springs(&s->press, &m.press, &W, &b);
    const double *p = b.impulse, jump[2] = {W.tt * p[0] + W.tn * p[1], W.tn * p[0] + W.nn * p[1]};
    double crept = b.duration * (at->v[0] + (1 - b.late) * jump[0]);
    pc_mover_go(&s->body, u, before);
    for (int i = 0; i < s->body.n_u; i++) u[i] += at->across[i] * p[0] + at->along[i] * p[1];
    pc_mover_go(&s->body, u, after);
    for (int i = 0; i < s->body.n_q; i++) s->y[BODY + i] += b.duration * (after[i] - b.late * (after[i] - before[i]));
    s->y[Q] += crept;
    s->y[STRETCH] += crept;
    s->y[PT] += p[0];
    s->y[PN] += p[1];
    s->y[WORK_N] += (at->v[1] + jump[1] / 2) * p[1];
    s->t += b.duration;
    if (!b.unbounded) return;
    pc_recorder_force(&s->record, PC_N, INFINITY, s->t);
}

/* The next phase, if this is one, in the mode that has been set. */
static pc_status next_phase(moving *s)
{
    pc_status status = pc_moving_open_phase(s);
    if (status == PC_OK && s->press.stuck) pc_moving_grips(s);
    return status;
}

/* The end of a step of an element with a history. */
static pc_status carry(moving *s)
{
    pc_contact before = s->press;
    moment m;
    pc_moving_evaluate(s, s->y, &m);
    pc_status status = pc_contact_advance_rings(&s->press, &m.press, &s->y[Q], s->err);
    if (status != PC_OK || (s->press.stuck == before.stuck && (s->press.stuck || s->press.sign == before.sign)))
        return status;
    pc_moving_close_phase(s);
    return next_phase(s);
}

static pc_status solve(moving *s, double t1, const pc_event *events, int n_events, pc_solution *solution)
{
    pc_ode_problem problem = {.n = s->n, .rhs = rates, .context = s, .autonomous = true};
    pc_ode_settings settings = {.rtol = TOLERANCE, .atol = TOLERANCE, .max_step = 0.25, .max_steps = INT_MAX};
    bool remembers = pc_contact_has_rings(&s->press);
    if (remembers) settings.first_step = t1 - s->t;
    pc_solve_task task = {.problem = &problem,
                          .method = remembers ? &pc_ode_dopri5 : &pc_ode_dop853,
                          .settings = &settings,
                          .events = events,
                          .n_events = n_events,
                          .max_events = INT_MAX,
                          .t0 = s->t,
                          .t1 = t1,
                          .y0 = s->y,
                          .record = true};
    pc_status status = pc_solve(&task, solution, s->err);
    if (status == PC_OK) status = pc_moving_record_stretch(s, solution);
    if (status != PC_OK) return status;
    memcpy(s->y, solution->y, (size_t)s->n * sizeof *s->y);
    s->t = solution->t;
    return remembers ? carry(s) : PC_OK;
}

pc_status pc_moving_linger(moving *s, double t)
{
    pc_status status = PC_OK;
    while (status == PC_OK && s->t < t) {
        pc_solution solution = {0};
        bool remembers = pc_contact_has_rings(&s->press);
        status = solve(s, remembers ? fmin(s->t + s->press.rings->step, t) : t, NULL, 0, &solution);
        pc_solution_free(&solution);
    }
    return status;
}

/* On to what happens next, or until t. */
static pc_status follow_to(moving *s, double t, int *what)
{
    pc_event events[N_EVENTS];
    watch watched[N_EVENTS];
    int n = 0;
    for (int kind = 0; kind < N_EVENTS; kind++) {
        if (!watches(s, kind)) continue;
        watched[n] = (watch){s, kind};
        events[n] = (pc_event){.name = "guard", .direction = -1, .terminal = true, .g = guard, .context = &watched[n]};
        if (kind == TURN) events[n].direction = s->record.way > 0 ? -1 : 1;
        n++;
    }
    pc_solution solution = {0};
    pc_status status = solve(s, t, events, n, &solution);
    *what = solution.stop == PC_STOP_EVENT ? watched[solution.stop_event].kind : NOTHING;
    pc_solution_free(&solution);
    return status;
}

static pc_status follow(moving *s, int *what)
{
    double last = s->t + LONGEST;
    if (!pc_contact_has_rings(&s->press)) return follow_to(s, last, what);
    pc_status status;
    do {
        pc_moving_record_peaks(s, s->y, s->t);
        status = follow_to(s, fmin(s->t + s->press.rings->step, last), what);
    } while (status == PC_OK && *what == NOTHING && s->t < last);
    return status;
}

static pc_status go(moving *s)
{
    double arrested = -1; /* when slip last ended */
    pc_status status = begin(s);
    if (status == PC_OK) status = next_phase(s);
    for (int i = 0; !status && !pc_moving_is_wedged(s); i++) {
        int what;
        if (i == MAX_PHASES)
            return pc_fail_at(s->err, PC_E_LIMIT, s->t * s->time, "phases",
                              "the contact has not ended after %d changes", i);
        if (pc_interrupted())
            return pc_fail_at(s->err, PC_E_INTERRUPTED, s->t * s->time, "phases", "interrupted during an impact");
        status = follow(s, &what);
        if (status) return status;
        pc_moving_record_peaks(s, s->y, s->t);
        switch (what) {
        case RELEASE:
            if (s->press.parting > 0) release_springs(s);
            pc_recorder_settle(&s->record, s->y + PT, s->y[WORK_N]);
            pc_moving_close_phase(s);
            return PC_OK;
        case TURN: turn(s); break;
        case KINK: s->press.kink_side = -s->press.kink_side; break;
        case RELOAD: s->press.branch = 0; break;
        case CONE_UP:
        case CONE_DOWN:
            pc_moving_close_phase(s);
            slip(s, what == CONE_UP ? 1 : -1);
            s->press.backward = BLUR; /* it may hardly begin where friction just held */
            status = next_phase(s);
            break;
        case ARREST:
            if (!stands(s)) break;
            pc_moving_close_phase(s);
            grip(s, s->t == arrested);
            arrested = s->t;
            status = next_phase(s);
            break;
        default: status = pc_moving_waits(s);
        }
    }
    return status;
}

/* Friction never gives energy. Where it would, a slip has not been seen to end: of a jam whose force grows from
 * rounding within the time of a stiff damper. */
static pc_status check(const moving *s)
{
    const pc_impact *out = s->out;
    if (out->work_f <= GIVEN * out->energy0) return PC_OK;
    return pc_fail_at(s->err, PC_E_NUMERIC, s->t * s->time, "friction",
                      "friction came to give %.3g J in an impact with %.3g J: its slip could not be followed",
                      out->work_f, out->energy0);
}

pc_status pc_moving_impact(const pc_moving_task *task, pc_impact *out, double *u1, double *rotation, pc_error *err)
{
    const pc_body *body = task->body;
    const pc_element *element = task->element;
    pc_chain chain;
    moving s = {.task = task, .press.element = element, .out = out, .err = err};
    pc_status status = pc_mover_open(&s.body, body, task->body_params, &chain, err);
    if (status) return status;
    double v0[3];
    pc_body_contact_velocity(body, task->u0, v0);
    for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
    memcpy(u1, task->u0, (size_t)body->dof * sizeof *u1);
    *rotation = 0;
    out->energy0 = out->energy1 = pc_body_energy(body, task->u0);
    if (!(v0[PC_N] < 0)) {
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    double unit = 1 / body->W.nn, speed = -v0[PC_N], length = element->length(task->params, unit, speed);
    pc_scales scales = {unit, speed, length};
    pc_mover_scale(&s.body, body, &scales, task->u0, s.y + BODY + s.body.n_q);
    element->prepare(task->params, &scales, unit, speed, &s.press.p);
    if (pc_contact_has_rings(&s.press) && task->persistent)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "stick = \"persistent\" is for a point that sticks as a whole; rings stick each by itself");
    s.n = BODY + s.body.n_q + s.body.n_u;
    s.time = length / speed;
    s.impulse = unit * speed;
    s.work = s.impulse * speed;
    s.force = s.work / length;
    s.record = (pc_recorder){.out = out,
                             .d = 2,
                             .time = s.time,
                             .force = s.force,
                             .impulse = s.impulse,
                             .work = s.work,
                             .way = 1,
                             .times = task->times,
                             .states = task->states,
                             .n_times = task->n_times,
                             .err = err};
    status = go(&s);
    if (status == PC_OK && pc_moving_is_wedged(&s))
        status = pc_moving_finish_wedged(&s, u1, rotation);
    else if (status == PC_OK)
        pc_moving_finish(&s, u1, rotation);
    if (status == PC_OK) status = check(&s);
    pc_contact_close_rings(&s.press);
    return status;
}
