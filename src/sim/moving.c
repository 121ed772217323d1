/* One impact with the configuration moving: the body turns while the contact lasts, and W with it.
 *
 *     dv/dt = W(q) F + c
 *
 * with the velocity product c = Jdot u + J A^-1 h of what moves (moving_mover.c). Forces are those of an element and
 * its tangential element (contact/element.h); stick and slip as in contact/driver.h, but where friction holds the
 * contact point itself the velocity product takes part in the balance:
 *     stick   F_t = -(w_tn F_n + c_t)/w_tt, while |F_t| <= mu F_n.
 * Scaled units are those of the element: mass 1/w_nn, |v_n0|, its length.
 */
#include "sim/moving.h"
#include "sim/moving_parts.h"

#include "base/interrupt.h"
#include "event/solve.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The state: these, then coordinates and velocities of the body. */
enum { Q, STRETCH, PT, PN, WORK_N, WORK_F, BODY, MOST = BODY + 2 * PC_BODY_DOF };

/* What may happen, in the order in which simultaneous events act. */
enum { RELEASE, TURN, KNOT, RELOAD, CONE_UP, CONE_DOWN, ARREST, N_EVENTS };

typedef enum mode { STICK, SLIP } mode;

enum { MAX_PHASES = 10000 };

/* How long one phase may last, in units of the element's time: many times a whole contact. */
static const double LONGEST = 500;

/* Relative and absolute error of a step; energies then close to 1e-11. */
static const double TOLERANCE = 1e-12;

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

typedef struct moment {
    pc_mover_site site;
    double w;
    pc_normal n;
    double q, Fn, Ft, dFn, slip, creep;
} moment;

typedef struct moving {
    const pc_moving_task *task;
    size_t traced; /* how many of its times are behind */
    const pc_element *element;
    pc_prepared p;
    pc_mover body;
    int n; /* of the state */
    mode mode;
    int sign, branch;
    double memory;
    int knot_side;
    bool closing, persistent;
    double mark[3]; /* p_t, p_n, work where w last changed its sign */
    double time, force, impulse, work;
    double y[MOST], t;
    pc_impact *out;
    pc_error *err;
} moving;

/* ---- the equations ---- */

static const double *velocities(const moving *s, const double *y)
{
    return y + BODY + s->body.n_q;
}

static void place(const moving *s, const double *y, moment *m)
{
    pc_mover_place(&s->body, y + BODY, velocities(s, y), &m->site);
    m->w = -m->site.v[1];
}

static void look(const moving *s, const double *y, moment *m)
{
    const pc_tangential *e = &s->p.tangential;
    place(s, y, m);
    /* beyond the parting the root goes on with odd symmetry */
    double size = s->p.root == 1   ? fabs(m->site.u)
                  : s->p.root == 2 ? sqrt(fabs(m->site.u))
                                   : pow(fabs(m->site.u), 1.0 / s->p.root);
    double root = copysign(size, m->site.u);
    pc_indent x = {root, m->site.u, m->w, s->branch, s->memory};
    s->element->normal(&s->p, &x, &m->n);
    if (s->mode == STICK) {
        m->q = y[Q];
        m->Fn = m->n.F + pc_tangential_extra(e, &m->n, m->q);
        m->Ft = e->kind == PC_TANGENTIAL_RIGID ? -(m->site.wtn * m->Fn + m->site.c[0]) / m->site.wtt
                                               : pc_tangential_force(e, &m->n, m->q);
    } else {
        pc_slide slide = pc_tangential_slip(e, &m->n, s->p.pulls, s->sign, m->site.u);
        m->q = slide.q;
        m->Fn = slide.Fn;
        m->Ft = slide.Ft;
    }
    m->dFn = m->n.dFdu * m->w - m->n.dFdw * (m->site.wtn * m->Ft + m->site.wnn * m->Fn + m->site.c[1]);
    m->creep = m->site.v[0];
    m->slip = 0;
    if (s->mode == STICK) return;
    /* at the touch itself stiffness and force vanish together, and no force does work */
    bool bare = m->Fn == 0 || (s->p.pulls && m->Fn < 0);
    m->creep = bare ? 0 : pc_tangential_creep(e, &m->n, s->sign, m->w, m->dFn);
    m->slip = m->site.v[0] - m->creep;
}

static int rates(double t, const double *y, double *rate, void *context)
{
    const moving *s = context;
    moment m;
    (void)t;
    look(s, y, &m);
    const pc_mover *body = &s->body;
    double *go_on = rate + BODY, *push = go_on + body->n_q;
    pc_mover_go(body, velocities(s, y), go_on);
    for (int i = 0; i < body->n_u; i++) push[i] = m.site.bias[i] + m.site.across[i] * m.Ft + m.site.along[i] * m.Fn;
    rate[Q] = s->mode == STICK ? m.site.v[0] * pc_tangential_gain(&s->p.tangential, &m.n) : 0;
    rate[STRETCH] = s->p.tangential.kind == PC_TANGENTIAL_RIGID ? 0 : m.creep;
    rate[PT] = m.Ft;
    rate[PN] = m.Fn;
    rate[WORK_N] = -m.Fn * m.w;
    rate[WORK_F] = s->mode == SLIP ? m.Ft * m.slip : 0;
    return 0;
}

/* ---- events ---- */

typedef struct watch {
    const moving *s;
    int kind;
} watch;

static int guard(double t, const double *y, double *g, void *context)
{
    const watch *watched = context;
    const moving *s = watched->s;
    const pc_tangential *e = &s->p.tangential;
    moment m;
    (void)t;
    look(s, y, &m);
    int up = watched->kind == CONE_UP ? 1 : -1;
    switch (watched->kind) {
    case RELEASE: *g = m.n.release; break;
    case TURN: *g = m.w; break;
    case KNOT: *g = s->knot_side * m.n.knot; break;
    case RELOAD: *g = s->memory - m.site.u; break;
    case ARREST: *g = s->sign * m.slip; break;
    default:
        if (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED)
            *g = isfinite(e->cone) ? e->cone * m.site.u - up * m.q : 1;
        else
            *g = e->mu * m.Fn + up * m.Ft;
    }
    return 0;
}

static bool watches(const moving *s, int kind)
{
    moment m;
    switch (kind) {
    case KNOT: look(s, s->y, &m); return m.n.knot != 1;
    case RELOAD: return s->p.plastic && s->branch == 1;
    case CONE_UP:
    case CONE_DOWN: return s->mode == STICK && !s->persistent;
    case ARREST: return s->mode == SLIP && s->p.tangential.mu > 0;
    default: return true;
    }
}

/* ---- the result ---- */

static pc_state state_of(const moving *s, const double *y, double t)
{
    moment m;
    look(s, y, &m);
    double v = s->body.scales.velocity, l = s->body.scales.length;
    pc_state out = {.t = t * s->time,
                    .u = {y[STRETCH] * l, m.site.u * l},
                    .v = {m.site.v[0] * v, m.site.v[1] * v},
                    .F = {m.Ft * s->force, m.Fn * s->force},
                    .p = {y[PT] * s->impulse, y[PN] * s->impulse},
                    .s = {m.slip * v},
                    .work_n = y[WORK_N] * s->work,
                    .work_f = y[WORK_F] * s->work};
    double energy = pc_mover_energy(&s->body, y + BODY, velocities(s, y));
    out.work_t = energy * s->work - s->out->energy0 - out.work_n - out.work_f;
    return out;
}

static void note_peaks(moving *s, const double *y, double t)
{
    moment m;
    look(s, y, &m);
    double now[2] = {fabs(m.Ft) * s->force, m.Fn * s->force};
    for (int i = 0; i < 2; i++) {
        if (!(now[i] > s->out->peak[i])) continue;
        s->out->peak[i] = now[i];
        s->out->peak_time[i] = t * s->time;
    }
}

static void settle(moving *s)
{
    pc_impact *out = s->out;
    double *impulse = s->closing ? out->impulse_compression : out->impulse_restitution;
    impulse[PC_T] += (s->y[PT] - s->mark[0]) * s->impulse;
    impulse[PC_N] += (s->y[PN] - s->mark[1]) * s->impulse;
    *(s->closing ? &out->work_n_compression : &out->work_n_restitution) += (s->y[WORK_N] - s->mark[2]) * s->work;
    s->mark[0] = s->y[PT], s->mark[1] = s->y[PN], s->mark[2] = s->y[WORK_N];
}

static pc_status open_phase(moving *s)
{
    pc_phase *phase = pc_impact_push(s->out);
    if (!phase) return pc_fail(s->err, PC_E_MEMORY, "not enough memory for %d phases", s->out->n_phases + 1);
    *phase = (pc_phase){.kind = s->mode == SLIP ? PC_PHASE_SLIP : PC_PHASE_STICK,
                        .sign = s->mode == SLIP ? s->sign : 0,
                        .start = state_of(s, s->y, s->t)};
    for (int i = 0; i + 1 < s->out->n_phases; i++)
        if (s->out->phases[i].sign * phase->sign < 0) s->out->flags |= PC_FLAG_REVERSE_SLIP;
    return PC_OK;
}

static void close_phase(moving *s)
{
    pc_phase *last = &s->out->phases[s->out->n_phases - 1];
    last->stop = state_of(s, s->y, s->t);
    if (!(last->stop.t > last->start.t) && s->out->n_phases > 1) s->out->n_phases--;
}

/* ---- changes ---- */

/* The contact point (rigid tangential element) or the particle has come to rest, or the contact begins. */
static void grip(moving *s, bool closing)
{
    const pc_tangential *e = &s->p.tangential;
    moment m;
    place(s, s->y, &m);
    s->mode = STICK;
    bool slides = closing && m.site.v[0] != 0;
    if (e->kind == PC_TANGENTIAL_RIGID || e->mu == 0) {
        /* what would move it, against what friction can hold; at the touch per unit of normal force */
        look(s, s->y, &m);
        double push = closing ? m.site.c[0] : m.site.wtn * m.Fn + m.site.c[0],
               hold = closing ? 0 : e->mu * m.site.wtt * m.Fn;
        if (closing && push == 0) push = m.site.wtn, hold = e->mu * m.site.wtt;
        if (!slides && fabs(push) <= hold) return;
        s->mode = SLIP;
        s->sign = (slides ? m.site.v[0] : push) < 0 ? -1 : 1;
    } else if (closing) {
        /* a small touch shows which of the two forces grows faster */
        pc_indent x = {.u = 1e-12, .w = m.w};
        x.y = pow(x.u, 1.0 / s->p.root);
        s->element->normal(&s->p, &x, &m.n);
        if (pc_tangential_starts_stuck(e, &m.n, x.u, m.w, m.site.v[0])) return;
        s->mode = SLIP;
        s->sign = m.site.v[0] < 0 ? -1 : 1;
    }
}

static void turn(moving *s)
{
    settle(s);
    if (!s->closing) s->out->flags |= PC_FLAG_RECOMPRESSION;
    if (s->closing && s->out->compression_time == 0) s->out->compression_time = s->t * s->time;
    if (s->closing && s->p.plastic && s->branch == 0) {
        moment m;
        place(s, s->y, &m);
        s->memory = m.site.u;
        s->branch = 1;
    }
    s->closing = !s->closing;
}

/* States at the times asked for, up to the end of a stretch. */
static void trace(moving *s, const pc_solution *stretch)
{
    const pc_moving_task *task = s->task;
    for (; s->traced < task->n_times && task->times[s->traced] <= stretch->t * s->time; s->traced++) {
        double y[MOST], t = task->times[s->traced] / s->time;
        bool inside = t > stretch->t0 && pc_solution_at(stretch, t, 1, y);
        task->states[s->traced] = state_of(s, inside ? y : t > stretch->t0 ? stretch->y : s->y, t);
    }
}

/* Peaks where the normal force crests within a stretch: with damping that is not where the indentation turns. */
static void find_crests(moving *s, const pc_solution *stretch)
{
    double before = -1;
    for (size_t i = 0; i < stretch->n_arcs; i++) {
        double lo = stretch->arcs[i].t, hi = stretch->arcs[i].stop, y[MOST];
        moment m;
        if (!pc_solution_at(stretch, hi, -1, y)) continue;
        look(s, y, &m);
        bool crest = before > 0 && m.dFn < 0;
        before = m.dFn;
        /* halving to the rounding of time: the force is flat there */
        for (int k = 0; crest && k < 40; k++) {
            double middle = (lo + hi) / 2;
            pc_solution_at(stretch, middle, 1, y);
            look(s, y, &m);
            *(m.dFn > 0 ? &lo : &hi) = middle;
        }
        if (crest) note_peaks(s, y, lo);
    }
}

static pc_status follow(moving *s, int *what)
{
    pc_event events[N_EVENTS];
    watch watched[N_EVENTS];
    int n = 0;
    for (int kind = 0; kind < N_EVENTS; kind++) {
        if (!watches(s, kind)) continue;
        watched[n] = (watch){s, kind};
        events[n] = (pc_event){.name = "guard", .direction = -1, .terminal = true, .g = guard, .context = &watched[n]};
        if (kind == TURN) events[n].direction = s->closing ? -1 : 1;
        n++;
    }
    pc_ode_problem problem = {.n = s->n, .rhs = rates, .context = s, .autonomous = true};
    pc_ode_settings settings = {.rtol = TOLERANCE, .atol = TOLERANCE, .max_step = 0.25, .max_steps = INT_MAX};
    pc_solve_task task = {.problem = &problem,
                          .method = &pc_ode_dop853,
                          .settings = &settings,
                          .events = events,
                          .n_events = n,
                          .max_events = INT_MAX,
                          .t0 = s->t,
                          .t1 = s->t + LONGEST,
                          .y0 = s->y,
                          .record = true};
    pc_solution solution = {0};
    pc_status status = pc_solve(&task, &solution, s->err);
    if (!status && solution.stop != PC_STOP_EVENT)
        status = pc_fail_at(s->err, PC_E_NUMERIC, solution.t * s->time, "contact",
                            "the contact does not end: it may be wedged, as the frozen configuration would tell");
    if (!status) {
        find_crests(s, &solution);
        trace(s, &solution);
        memcpy(s->y, solution.y, (size_t)s->n * sizeof *s->y);
        s->t = solution.t;
        *what = watched[solution.stop_event].kind;
    }
    pc_solution_free(&solution);
    return status;
}

static pc_status go(moving *s)
{
    double arrested = -1; /* when slip last ended */
    grip(s, true);
    pc_status status = open_phase(s);
    for (int i = 0; !status; i++) {
        int what;
        if (i == MAX_PHASES)
            return pc_fail_at(s->err, PC_E_LIMIT, s->t * s->time, "phases",
                              "the contact has not ended after %d changes", i);
        if (pc_interrupted())
            return pc_fail_at(s->err, PC_E_INTERRUPTED, s->t * s->time, "phases", "interrupted during an impact");
        status = follow(s, &what);
        if (status) return status;
        note_peaks(s, s->y, s->t);
        moment m;
        switch (what) {
        case RELEASE:
            settle(s);
            close_phase(s);
            return PC_OK;
        case TURN: turn(s); break;
        case KNOT: s->knot_side = -s->knot_side; break;
        case RELOAD: s->branch = 0; break;
        case CONE_UP:
        case CONE_DOWN:
            close_phase(s);
            s->mode = SLIP;
            s->sign = what == CONE_UP ? 1 : -1;
            status = open_phase(s);
            break;
        default:
            look(s, s->y, &m);
            close_phase(s);
            s->y[Q] = m.q;
            grip(s, false);
            /* friction as it just holds: a slip that ended where it began would begin again for ever */
            if (s->t == arrested) s->mode = STICK;
            arrested = s->t;
            status = open_phase(s);
        }
    }
    return status;
}

/* ---- one impact ---- */

static void finish(moving *s, double *u1, double *rotation)
{
    pc_impact *out = s->out;
    const pc_state *end = &out->phases[out->n_phases - 1].stop;
    pc_mover_end(&s->body, s->y + BODY, velocities(s, s->y), u1, rotation);
    while (s->traced < s->task->n_times) s->task->states[s->traced++] = *end;
    out->duration = end->t;
    for (int i = 0; i < 2; i++) {
        out->v1[i] = end->v[i];
        out->impulse[i] = end->p[i];
    }
    out->work_n = end->work_n;
    out->work_t = end->work_t;
    out->work_f = end->work_f;
    out->energy1 = out->energy0 + (end->work_n + end->work_t + end->work_f);
    if (out->n_phases == 1)
        out->flags |= out->phases[0].kind == PC_PHASE_SLIP ? PC_FLAG_GROSS_SLIP : PC_FLAG_GROSS_STICK;
    if (out->work_n_restitution > -out->work_n_compression * (1 + ROUNDING)) out->flags |= PC_FLAG_E_ABOVE_ONE;
    if (out->energy1 > out->energy0 * (1 + ROUNDING)) out->flags |= PC_FLAG_GAINED_ENERGY;
}

pc_status pc_moving_impact(const pc_moving_task *task, pc_impact *out, double *u1, double *rotation, pc_error *err)
{
    const pc_body *body = task->body;
    const pc_element *element = task->element;
    pc_chain chain;
    moving s = {.task = task,
                .element = element,
                .knot_side = 1,
                .closing = true,
                .persistent = task->persistent,
                .out = out,
                .err = err};
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
    element->prepare(task->params, &scales, unit, speed, &s.p);
    s.n = BODY + s.body.n_q + s.body.n_u;
    s.time = length / speed;
    s.impulse = unit * speed;
    s.work = s.impulse * speed;
    s.force = s.work / length;
    status = go(&s);
    if (!status) finish(&s, u1, rotation);
    return status;
}
