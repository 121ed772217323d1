/* An impact of elements from change to change: see element_impact.h. */
#include "engine/element_motion.h"

#include "base/status.h"
#include "math/roots.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Besides the guards of a closed contact those of an open one, positive while it stays so; and marks, whose sign is
 * watched. */
enum { CLOSE = PC_ALL_GUARDS, RECOVER, N_GUARDS, TURN = N_GUARDS, REVERSAL, CREST_N, CREST_T };

/* So many turns without a slip tell that there will be none: to and fro. */
enum { TURNS = 3 };

/* Where a contact that never ends comes to rest, and the result there. */
typedef struct resting {
    pc_state at;
    pc_recorder record;
    int n_phases;
    unsigned flags;
} resting;

typedef struct run {
    motion *d;
    const pc_element_task *task;
    pc_element_summary *out;
    pc_impact *record; /* NULL: k > 1 */
    double arrested;   /* scaled time when the slip of an only contact last ended */
    /* Where a neck held it back; else its first turning point in this stick phase, or where it rests. Its turns. */
    resting rest;
    double turn_time[TURNS], turn_force[TURNS][2];
    bool rests;   /* wedged without a vibration */
    bool adheres; /* has too little energy to part, however long it vibrates */
    pc_error *err;
} run;

/* ---- what may change a contact's mode, and when ----
 *
 * A *guard* is positive while the mode lasts; the first to fall in a step ends it (event/event.h). What merely has
 * to be noted (turning points, crests, reversals) is a *mark*: it changes its sign.
 */

/* Of an element with a history, which is carried on at each turn, of which the branch keeps count. Stick is over when
 * the last ring lets go, and slip where all come to rest; of too few neither can be told. */
static double ring_guard(const pc_contact *c, const pc_contact_values *m, int which)
{
    bool cone = pc_guard_is_cone(which);
    int sign = !cone ? c->sign : which == PC_GUARD_CONE_UP ? 1 : -1;
    if (which == PC_GUARD_BRANCH) return c->branch ? -m->w : m->w;
    if (!cone && which != PC_GUARD_ARREST) return pc_contact_guard(c, m, which);
    if (c->stuck != cone || !pc_contact_has_mode(c)) return 1;
    /* by how much the contact point is faster than the bounds of stretches grow: while it is, rings that slip go on */
    double lead = sign * m->v_t - c->p.tangential.cone * m->w;
    return !cone ? lead : m->whole == sign && lead > 0 ? -1 : 1;
}

/* Value of a guard, positive while the contact stays as it is and 1 where it has no such place; or of a mark. */
static inline double guard(const contact *c, const pc_contact_values *m, int which)
{
    if (which < PC_GUARDS && pc_contact_has_rings(&c->base)) return ring_guard(&c->base, m, which);
    switch (which) {
    case CLOSE: return -m->u;
    case RECOVER: return m->u + c->residual;
    case TURN: return m->w;
    case REVERSAL: return m->Ft;
    case CREST_N: return pc_contact_growth(m, PC_N);
    case CREST_T: return pc_contact_growth(m, PC_T);
    case PC_GUARD_ARREST: /* forces may pull as well as press, and what comes to rest without friction goes back */
        if (c->base.p.tangential.mu == 0) return c->base.sign * m->slip;
        break;
    default: break;
    }
    return pc_contact_guard(&c->base, m, which);
}

/* Force or root of the indentation, scaled, that rounding makes where nothing has moved yet: 1e-30 is seen. */
static const double RESTING = 1e-15;

/* A cone or a slip speed this far below zero, in scaled units, may be the integrator's error: at the exact threshold
 * between stick and slip both start from zero and grow with the fifth power of time only. Or it may be what rounding of
 * the velocities is, and a damper makes of it. In a row, contacts of bodies that still rest hold rounding alone, which
 * is no release. */
static double noise(pc_guard_walk *walk, int i, int which)
{
    const motion *d = walk->context;
    const contact *c = &d->contacts[i];
    double least = 10 * d->task->tolerance;
    switch (which) {
    case PC_GUARD_RELEASE: return d->k > 1 ? RESTING : 0;
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN: return fmax(least, c->base.p.tangential.mu * d->node[0][i].n.dFdw * c->fine[PC_N]);
    case PC_GUARD_ARREST: return fmax(least, c->fine[PC_T]);
    case PC_GUARD_TURN:
    case PC_GUARD_BRACE_UP:
    case PC_GUARD_BRACE_DOWN: return least;
    default: return 0;
    }
}

/* True if a guard may fall in the mode that the contact is in. */
static bool applies(const motion *d, const contact *c, int which)
{
    bool open = c->open;
    switch (which) {
    case CLOSE: return open;
    case RECOVER: return open && c->residual > 0;
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN: return sticks(c) && !(d->body && d->body->persistent);
    case PC_GUARD_ARREST: return slips(c);
    case PC_GUARD_TURN:
    case PC_GUARD_BRACE_UP:
    case PC_GUARD_BRACE_DOWN: return !open && c->base.rolling > 0;
    case PC_GUARD_BRANCH: return !open && (c->base.p.plastic || pc_contact_has_rings(&c->base));
    default: return !open;
    }
}

/* The contacts at the fraction x of the step, and the state at d->state; then of that no more than they follow from. */
static void evaluate(const motion *d, double x, pc_contact_values *out)
{
    pc_element_state_at(d, x, d->state);
    pc_element_values(d, d->state, out);
}

static void evaluate_motion(const motion *d, double x, pc_contact_values *out)
{
    pc_element_motion_at(d, x, d->state);
    pc_element_values(d, d->state, out);
}

/* Share of a step between places where F_t is taken for its slope. */
static const double NEARBY = 1e-6;

/* CREST_T of a held point of a body: its friction follows from the motion, and its slope from neighbours. */
static double crest(const motion *d, int i, double x)
{
    double size[2];
    for (int k = 0; k < 2; k++) {
        evaluate_motion(d, k ? fmin(x + NEARBY, 1) : fmax(x - NEARBY, 0), d->probe);
        size[k] = fabs(d->probe[i].Ft);
    }
    return size[1] - size[0];
}

/* A guard or mark of contact i at the fraction x of a step, where the values are m. */
static inline double mark(const motion *d, int i, int which, double x, const pc_contact_values *m)
{
    const contact *c = &d->contacts[i];
    bool held = d->body && which == CREST_T && pc_contact_is_constrained(&c->base);
    return held ? crest(d, i, x) : guard(c, m, which);
}

static double mark_at(const motion *d, int i, int which, double x)
{
    evaluate_motion(d, x, d->probe);
    return mark(d, i, which, x, &d->probe[i]);
}

/* ---- the first guard to fall ---- */

static void evaluate_in_step(pc_guard_walk *walk, int i, double x)
{
    const motion *d = walk->context;
    if (x == 1) /* the state there is that of the next step */
        pc_element_values(d, pc_element_at(d), d->node[i]);
    else
        evaluate_motion(d, x, d->node[i]);
}

static pc_guard_known values_in_step(pc_guard_walk *walk, int i, int which, double *value, double *rate)
{
    const motion *d = walk->context;
    const contact *c = &d->contacts[i];
    if (!applies(d, c, which)) return PC_GUARD_OFF;
    /* this branch of the law has no kink */
    if (which == PC_GUARD_KINK && d->node[0][i].n.kink == 1 && d->node[PC_GUARD_PLACES - 1][i].n.kink == 1)
        return PC_GUARD_OFF;
    bool known = pc_contact_guard_has_rate(&c->base, which);
    for (int j = 0; j < PC_GUARD_PLACES; j++) {
        const pc_contact_values *m = &d->node[j][i];
        value[j] = guard(c, m, which);
        if (known) rate[j] = pc_contact_guard_rate(&c->base, m, which);
    }
    if (c->base.fresh) value[0] = fmax(value[0], 0);
    return known ? PC_GUARD_RATES : PC_GUARD_VALUES;
}

static double at_in_step(pc_guard_walk *walk, int i, int which, double x)
{
    return mark_at(walk->context, i, which, x);
}

/* The first change in the step. */
static pc_guard_fall find_change(motion *d)
{
    pc_guard_walk walk = {.contacts = d->k,
                          .guards = N_GUARDS,
                          .place = d->place,
                          .context = d,
                          .look = evaluate_in_step,
                          .values = values_in_step,
                          .noise = noise,
                          .at = at_in_step};
    pc_guard_fall fall;
    pc_element_resolve(d, pc_element_at(d));
    pc_guard_walk_find(&walk, &fall);
    return fall;
}

/* ---- what goes into the result ---- */

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

static pc_state tell_state(const motion *d, const double *y, const pc_contact_values *m)
{
    double length = d->scales.length, speed = d->scales.velocity;
    pc_state s = {.t = y[d->n - 1] * d->time};
    double vn = -m->w;
    s.u[PC_T] = (pc_contact_has_rings(&d->contacts[0].base) ? m->q : y[UT]) * length;
    s.u[PC_N] = m->u * length;
    s.v[PC_T] = m->v_t * speed;
    s.v[PC_N] = vn * speed;
    s.F[PC_T] = m->Ft * d->force;
    s.F[PC_N] = m->Fn * d->force;
    s.p[PC_T] = y[PT] * d->impulse;
    s.p[PC_N] = y[PN] * d->impulse;
    s.s[0] = m->slip * speed;
    double total = d->body ? pc_element_gained(d, y) : pc_element_worked(d, y, m),
           rubbed = y[WF] + pc_element_apart(d, 0, m);
    s.work_n = y[WN] * d->work;
    s.work_f = rubbed * d->work;
    s.work_t = (total - y[WN] - rubbed) * d->work;
    return s;
}

/* What rounding left of u where a contact ends must not show in its forces there. */
static void clear_end(const motion *d, int i, double *y, pc_contact_values *m)
{
    if (!(fabs(y[i * PER_CONTACT + Y]) < PC_ELEMENT_PARTED)) return;
    y[i * PER_CONTACT + Y] = 0;
    pc_element_values(d, y, m);
}

/* Where they may be greatest: at jumps and ends. */
static void note_forces(run *r, const pc_contact_values *m, double time)
{
    for (int i = 0; i < r->d->k; i++) {
        pc_recorder *record = &r->d->contacts[i].record;
        pc_recorder_force(record, PC_N, fabs(m[i].Fn), time);
        pc_recorder_force(record, PC_T, fabs(m[i].Ft), time);
    }
}

/* Impulse and work since w last changed its sign. */
static void settle(run *r, int i, const double *y)
{
    const double *own = y + i * PER_CONTACT;
    pc_recorder_settle(&r->d->contacts[i].record, own + PT, own[WN]);
}

/* The only contact comes to rest. */
static void note_rest(run *r, const double *y, const pc_contact_values *m)
{
    if (!r->record || r->adheres) return;
    r->rest = (resting){tell_state(r->d, y, m), r->d->contacts[0].record, r->record->n_phases, r->record->flags};
}

/* A turn this soon after another, scaled, is the same. */
static const double AT_ONCE = 1e-6;

static void note_turn(run *r, const double *y, const pc_contact_values *m)
{
    int n = r->d->contacts[0].turns;
    double t = y[r->d->n - 1] * r->d->time;
    if (n >= TURNS || (n > 0 && t - r->turn_time[n - 1] < AT_ONCE * r->d->time)) return;
    if (n == 0) {
        note_rest(r, y, m);
        memcpy(r->d->rest, y, (size_t)r->d->n * sizeof *y);
    }
    r->d->contacts[0].turns++;
    r->turn_time[n] = t;
    r->turn_force[n][PC_T] = m->Ft * r->d->force;
    r->turn_force[n][PC_N] = m->Fn * r->d->force;
}

/* The only contact rests from now on. */
static void arrest(run *r, const double *y, const pc_contact_values *m)
{
    pc_recorder *record = &r->d->contacts[0].record;
    settle(r, 0, y);
    if (record->compression_time == 0) record->compression_time = y[r->d->n - 1] * r->d->time;
    note_turn(r, y, m);
}

/* Whether an only contact that attracts, which turns on its way out, has too little energy to come to its end. Where
 * friction does not reach the normal motion, it will turn there again, for a neck; else all there is must be less than
 * what a neck takes, or than nothing. A body that moves may get energy from elsewhere. */
static bool is_separate(const motion *d)
{
    return d->W[1] == 0 || d->contacts[0].base.p.tangential.mu == 0;
}

static bool adheres(const run *r, const double *y, const pc_contact_values *m)
{
    const motion *d = r->d;
    const pc_contact *c = &d->contacts[0].base;
    if (d->body) return false;
    if (c->p.neck > 0 && is_separate(d)) return true;
    pc_indent end = {.u = -c->p.neck};
    double needed = c->element->stored(&c->p, &end), energy0 = r->record ? r->record->energy0 / d->work : INFINITY;
    double gained = pc_element_worked(d, y, m);
    return energy0 + gained + pc_contact_stored(c, m) < needed;
}

/* What adheres with so little energy comes to rest, as friction takes what goes to and fro between the axes. */
static void come_to_rest(const run *r, resting *out)
{
    const double *W = r->task->W, *v = r->task->v0, det = W[0] * W[3] - W[1] * W[2];
    double p[2] = {0, -v[PC_N] / W[3]}, before = out->at.work_n;
    if (r->task->rank > 1) {
        p[PC_T] = (W[1] * v[PC_N] - W[3] * v[PC_T]) / det;
        p[PC_N] = (W[2] * v[PC_T] - W[0] * v[PC_N]) / det;
    }
    for (int i = 0; i < 2; i++) {
        out->record.restitution.impulse[i] += p[i] - out->at.p[i];
        out->at.p[i] = p[i];
        out->at.v[i] = 0;
    }
    out->at.work_n = -(r->record->energy0 + out->at.work_t + out->at.work_f);
    out->record.restitution.work += out->at.work_n - before;
}

static void turn(run *r, int i, const double *y)
{
    motion *d = r->d;
    contact *c = &d->contacts[i];
    const double *own = y + i * PER_CONTACT;
    pc_recorder_turn(&c->record, y[d->n - 1], own + PT, own[WN]);
    const pc_contact_values *m = &d->probe[i];
    if (sticks(c) && d->k == 1) note_turn(r, y, m);
    if (d->k > 1 || !(c->base.p.pulls && c->base.element->pull_off)) return;
    if (r->adheres || c->record.way < 0 || !adheres(r, y, m)) return;
    note_rest(r, y, m);
    r->adheres = true;
    if (r->record && !is_separate(d)) come_to_rest(r, &r->rest);
}

typedef struct sought {
    const motion *d;
    int contact, which;
} sought;

static double sought_at(double x, void *context)
{
    const sought *p = context;
    return mark_at(p->d, p->contact, p->which, x);
}

/* To where a mark changes its sign between node j and the one before, or to that where it does not (a jump there). */
static void go_to_mark(motion *d, int i, int which, int j, double before, double at)
{
    sought p = {d, i, which};
    const double *x = d->place + j - 1;
    bool jumps = (before > 0) == (at > 0);
    evaluate(d, jumps ? x[0] : pc_root_between(sought_at, &p, x[0], before, x[1], at, 0), d->probe);
}

/* Marks of contact i between node j and the one before; ends: the contact ends at j. */
static pc_status note(run *r, int i, int j, bool ends)
{
    motion *d = r->d;
    contact *c = &d->contacts[i];
    const pc_contact_values *a = &d->node[j - 1][i], *b = &d->node[j][i], *m = &d->probe[i];
    const double *y = d->state, *time = &y[d->n - 1];
    pc_recorder *record = &c->record;
    if (c->open) return PC_OK;
    /* what integration leaves of no force has no sign */
    double Ft = d->body && fabs(b->Ft) <= ROUNDING ? 0 : b->Ft;
    if (record->way == 0) record->way = b->w;
    if ((b->w > 0 && record->way < 0) || (b->w < 0 && record->way > 0)) {
        go_to_mark(d, i, TURN, j, a->w, b->w);
        turn(r, i, y);
    }
    if (!ends && Ft != 0 && c->ft_sign == 0) c->ft_sign = copysign(1, Ft);
    if (!ends && Ft * c->ft_sign < 0) {
        go_to_mark(d, i, REVERSAL, j, a->Ft, b->Ft);
        c->ft_sign = -c->ft_sign;
        pc_status status = pc_recorder_reversal(record, *time);
        if (status) return status;
    }
    for (int axis = PC_T; axis <= PC_N; axis++) {
        int which = axis == PC_N ? CREST_N : CREST_T;
        double ga = mark(d, i, which, d->place[j - 1], a), gb = mark(d, i, which, d->place[j], b);
        if (!(ga > 0 && gb <= 0)) continue;
        go_to_mark(d, i, which, j, ga, gb);
        pc_recorder_force(record, axis, fabs(axis == PC_N ? m->Fn : m->Ft), *time);
    }
    return PC_OK;
}

typedef struct instant {
    const motion *d;
    double wanted;
} instant;

static double time_at(double x, void *context)
{
    const instant *p = context;
    return pc_element_time_at(p->d, x) - p->wanted;
}

/* States at the times asked for, up to there. */
static void answer(run *r, double x_end)
{
    motion *d = r->d;
    pc_recorder *record = &d->contacts[0].record;
    while (pc_recorder_asks(record, DBL_MAX)) {
        instant p = {d, pc_recorder_next(record) / d->time};
        double fb = time_at(x_end, &p);
        if (fb < 0) return;
        double fa = time_at(0, &p);
        evaluate(d, fa >= 0 ? 0 : pc_root_between(time_at, &p, 0, fa, x_end, fb, 0), d->probe);
        clear_end(d, 0, d->state, d->probe);
        pc_state now = tell_state(d, d->state, d->probe);
        pc_recorder_answer(record, &now);
    }
}

/* From there without a force until u = 0. */
static void trace_glide(run *r, const double *y, const pc_contact_values *m)
{
    const motion *d = r->d;
    pc_recorder *record = &r->d->contacts[0].record;
    double start = y[d->n - 1] * d->time, stop = (y[d->n - 1] + m->u / -m->w) * d->time;
    while (pc_recorder_asks(record, stop)) {
        pc_state s = tell_state(d, y, m);
        s.u[PC_N] += s.v[PC_N] * (start - pc_recorder_next(record));
        pc_recorder_answer(record, &s);
    }
}

static pc_status begin_phase(run *r, const double *y, const pc_contact_values *m)
{
    if (!r->record) return PC_OK;
    contact *c = &r->d->contacts[0];
    int sign = slips(c) ? c->base.sign : 0;
    pc_state start = tell_state(r->d, y, m);
    if (r->d->W[3] - c->base.p.tangential.mu * sign * r->d->W[1] < 0) r->record->flags |= PC_FLAG_JAM;
    return pc_recorder_open_phase(&c->record, sign ? PC_PHASE_SLIP : PC_PHASE_STICK, sign, &start);
}

static void end_phase(run *r, const double *y, const pc_contact_values *m)
{
    if (!r->record) return;
    pc_state stop = tell_state(r->d, y, m);
    pc_recorder_close_phase(&r->d->contacts[0].record, &stop);
}

/* Note what lies in the step up to the place `end`; the values there are those of the node that is given back. */
static pc_status note_step(run *r, double end, int released, int *last)
{
    motion *d = r->d;
    *last = 1;
    while (d->place[*last] < end) ++*last;
    if (d->place[*last] > end) evaluate(d, d->place[*last] = end, d->node[*last]);
    for (int i = 0; i < d->k; i++)
        for (int j = 1; j <= *last; j++) {
            pc_status status = note(r, i, j, j == *last && released == i);
            if (status) return status;
        }
    answer(r, end);
    return PC_OK;
}

/* Forces at two turns a period apart that agree so well are those of a vibration without damping. */
static const double SAME = 1e-6;

/* Frequency, mean and amplitude of the forces of what stays; unknown where the vibration dies away. */
static void note_lock(const run *r, pc_impact *out)
{
    const double *first = r->turn_force[0], *second = r->rests ? first : r->turn_force[1],
                 *third = r->rests ? first : r->turn_force[2];
    double size = fabs(first[PC_N]) + fabs(first[PC_T]);
    if (hypot(third[PC_T] - first[PC_T], third[PC_N] - first[PC_N]) > SAME * size) return;
    /* between its ends a vibration turns; what creeps seems to, by rounding */
    if (!r->rests && !(hypot(second[PC_T] - first[PC_T], second[PC_N] - first[PC_N]) > SAME * size)) return;
    if (!r->rests) out->lock_frequency = 2 * M_PI / (r->turn_time[2] - r->turn_time[0]);
    for (int i = 0; i < 2; i++) {
        out->lock_mean[i] = (first[i] + second[i]) / 2;
        out->lock_amplitude[i] = fabs(first[i] - second[i]) / 2;
    }
}

/* The result is what it was when the contact came to rest, or was held back by its neck: at the sticking speed that is
 * where it would have parted. */
static void stay(const run *r, pc_impact *out)
{
    pc_recorder *record = &r->d->contacts[0].record;
    out->n_phases = r->rest.n_phases;
    out->flags = r->rest.flags;
    record->compression = r->rest.record.compression;
    record->restitution = r->rest.record.restitution;
    pc_recorder_stay(record, r->adheres ? PC_OUTCOME_ADHERED : PC_OUTCOME_WEDGED, &r->rest.at);
    if (!r->adheres) note_lock(r, out);
}

static void finish(run *r, bool stays, double *duration)
{
    motion *d = r->d;
    const double *y = d->state;
    pc_element_values(d, y, d->now);
    for (int i = 0; i < d->k; i++) {
        pc_element_summary *s = &r->out[i];
        const double *own = y + i * PER_CONTACT;
        s->v[PC_T] = d->now[i].v_t * d->scales.velocity;
        s->v[PC_N] = -d->now[i].w * d->scales.velocity;
        s->p[PC_T] = own[PT] * d->impulse;
        s->p[PC_N] = own[PN] * d->impulse;
        s->work_n = own[WN] * d->work;
        s->work_f = (own[WF] + pc_element_apart(d, i, &d->now[i])) * d->work;
        memcpy(s->peak, d->contacts[i].record.peaks.force, sizeof s->peak);
        memcpy(s->peak_time, d->contacts[i].record.peaks.time, sizeof s->peak_time);
    }
    if (r->task->turning) {
        const double length = r->task->turning->rolling;
        r->out->couple = pc_element_couple(d, y) * d->impulse * length;
        r->out->rate = pc_element_turning(d, y) * d->scales.velocity / length;
    }
    if (duration) *duration = y[d->n - 1] * d->time;
    if (d->body) pc_element_body_at(d, stays ? d->rest : y, d->body->turned, d->body->u1);
    for (int i = 0; d->body && stays && i < d->body->n_u; i++) d->body->u1[i] = 0;
    pc_impact *out = r->record;
    if (!out) return;
    pc_recorder *record = &d->contacts[0].record;
    if (stays) stay(r, out);
    pc_recorder_finish(record);
    pc_recorder_judge(record, ROUNDING, out->energy0, pc_tangential_may_gain(&d->contacts[0].base.p.tangential));
    pc_recorder_answer_rest(record, &out->phases[out->n_phases - 1].stop);
}

/* ---- from change to change ---- */

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

/* What has come to rest from rolling, or begins so: it rolls on, or back, if no couple holds it. At a touch there is no
 * force yet; then that of friction for each newton decides. */
static void brace(motion *d, const double *y, bool closing)
{
    const contact *c = &d->contacts[0];
    const pc_tangential *e = &c->base.p.tangential;
    pc_element_roll(d, 0, y);
    pc_element_hold(d);
    pc_element_values(d, y, d->probe);
    if (closing) {
        bool rigid = e->kind == PC_TANGENTIAL_RIGID && d->W[0] > 0;
        double Ft = slips(c) ? -e->mu * c->base.sign : rigid ? -d->W[1] / d->W[0] : 0;
        d->probe->Fn = 1;
        d->probe->hold = -(d->rolling.cross[PC_T] * Ft + d->rolling.cross[PC_N]) / d->rolling.own;
    }
    int roll = pc_contact_roll_on(d->probe);
    if (roll != 0) pc_element_roll(d, roll, y);
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
    if (c->base.rolling > 0 && c->base.roll == 0) brace(r->d, y, true);
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
        settle(r, i, y);
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
    case PC_GUARD_TURN: brace(r->d, y, false); return false;
    case PC_GUARD_BRACE_UP:
    case PC_GUARD_BRACE_DOWN: pc_element_roll(r->d, which == PC_GUARD_BRACE_UP ? 1 : -1, y); return false;
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
    return r->rests || (r->d->k == 1 && r->task->rank == 1 && sticks(c) && c->turns >= TURNS);
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
    note_forces(r, m, y[d->n - 1]);
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
    if (what == PC_GUARD_RELEASE) clear_end(d, who, y, m);
    note_forces(r, m, y[d->n - 1]);
    if (what == PC_GUARD_RELEASE && d->k == 1 && is_unbounded(&d->contacts[0], m))
        pc_recorder_force(&d->contacts[0].record, PC_N, INFINITY, y[d->n - 1]);
    bool phase = change(r, who, what, y, &m[who]);
    if (phase || what == PC_GUARD_RELEASE) end_phase(r, y, m);
    if (what == PC_GUARD_RELEASE && over(r, m)) return PC_OK;
    /* a force reaches its cone without a jump */
    bool jumps = what != PC_GUARD_CONE_UP && what != PC_GUARD_CONE_DOWN;
    resume(d, y, jumps, d->node[0]);
    note_forces(r, d->node[0], y[d->n - 1]);
    pc_status status = phase ? begin_phase(r, y, d->node[0]) : PC_OK;
    if (status) return status;
    if (stands(r, d->node[0])) {
        arrest(r, y, d->node[0]);
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
    arrest(r, pc_element_at(r->d), r->d->node[0]);
    r->rests = true;
}

/* To where the bodies that glide apart leave each other. */
static pc_status glide(run *r)
{
    motion *d = r->d;
    double *y = d->state;
    pc_contact_values *m = d->node[0];
    memcpy(y, pc_element_at(d), (size_t)d->n * sizeof *y);
    trace_glide(r, y, m);
    y[d->n - 1] += m->u / -m->w;
    y[Y] = 0;
    pc_element_values(d, y, m);
    return cross(r, 0, 0, PC_GUARD_RELEASE, m);
}

/* After a step in which nothing happens, of what stays for as long as states are asked for. */
static pc_status linger(run *r)
{
    answer(r, 1);
    pc_element_values(r->d, pc_element_at(r->d), r->d->node[0]);
    return carry_on(r);
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
static pc_status drop_shape(run *r)
{
    motion *d = r->d;
    double tau = d->step->t;
    pc_element_state_at(d, 0, d->state);
    d->contacts[0].base.shape = NULL;
    d->series = NULL;
    if (d->way == BY_SERIES) {
        pc_status status = pc_element_take(d, BY_EXPLICIT_STEPS, r->err);
        if (status) return status;
    }
    pc_element_values(d, d->state, d->node[0]);
    return pc_element_start(d, tau, d->state, r->err);
}

/* Give up, or stop where the user asks for it. */
static pc_status check_steps(const run *r, int step, int most)
{
    const motion *d = r->d;
    const pc_prepared *only = &d->contacts[0].base.p;
    double t = pc_element_at(d)[d->n - 1] * d->time;
    if (step % 64 == 63 && pc_interrupted())
        return pc_fail_at(r->err, PC_E_INTERRUPTED, t, "steps", "interrupted during an impact");
    if (step < most) return PC_OK;
    const char *why = only->neck > 0 ? ": the bodies may adhere to each other for ever"
                      : d->k > 1     ? ": the bodies may be wedged between their contacts"
                      : only->pulls  ? ": a contact that pulls ends only below critical damping"
                                     : "";
    return pc_fail_at(r->err, PC_E_LIMIT, t, "steps", "the contact has not ended after %d steps%s", step, why);
}

static pc_status go(run *r)
{
    motion *d = r->d;
    const pc_recorder *record = &d->contacts[0].record;
    bool rings = pc_contact_has_rings(&d->contacts[0].base), lingers = false;
    bool swings = d->k == 1 && (!d->body || rings) && !d->contacts[0].base.p.pulls;
    int stalls = 0, most = swings ? MAX_STEPS_OF_SWINGS : MAX_STEPS;
    for (int step = 0;; step++) {
        pc_status status = check_steps(r, step, lingers ? INT_MAX : most);
        if (!status && d->k > 1) status = fly(r);
        if (!status) status = pc_element_step(d, r->err);
        if (!status && lingers) status = linger(r);
        if (status) return status;
        if (lingers && pc_recorder_asks(record, DBL_MAX)) continue;
        if (lingers) return PC_OK;
        pc_guard_fall fall = find_change(d);
        double end = fmin(fall.x, 1);
        if (!keeps_shape(d, end)) {
            status = drop_shape(r);
            if (status) return status;
            continue;
        }
        int last, what = fall.guard;
        if (fall.x <= 0 && stalls >= FEW_STALLS && parted(d, fall.contact)) what = PC_GUARD_RELEASE;
        status = note_step(r, end, what == PC_GUARD_RELEASE ? fall.contact : -1, &last);
        if (status) return status;
        for (int i = 0; i < d->k; i++) d->contacts[i].base.fresh = false;
        if (fall.x <= 1) {
            stalls = fall.x > 0 ? 0 : stalls + 1;
            pc_element_state_at(d, fall.x, d->state);
            if (stalls > MAX_STALLS)
                return pc_fail_at(r->err, PC_E_NUMERIC, d->state[d->n - 1] * d->time, "phases",
                                  "stick and slip follow each other at one instant");
            status = cross(r, d->step->t + fall.x * d->step->h, fall.contact, what, d->node[last]);
            if (status || over(r, d->node[last]) || r->rests) return status;
        } else {
            pc_contact_values *first = d->node[0];
            d->node[0] = d->node[PC_GUARD_PLACES - 1];
            d->node[PC_GUARD_PLACES - 1] = first;
            lingers = wedged(r);
            if (!lingers && r->adheres && !pc_recorder_asks(record, DBL_MAX)) return PC_OK;
            if (!lingers) status = carry_on(r);
            if (status) return status;
            if (!lingers && has_crept(d)) rest_there(r), lingers = true;
            if (lingers && !pc_recorder_asks(record, DBL_MAX)) return PC_OK;
        }
        if (!lingers && glides(d)) return glide(r);
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
                                              .asked = r->task->asked,
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
    note_forces(r, m, 0);
    pc_status status = begin_phase(r, y, m);
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
    if (!status) finish(&r, wedged(&r) || r.adheres, duration);
    pc_element_close(r.d);
    return status;
}

/* What is held against rolling has to move as freely as before, but for that. */
static pc_status check_turning(const pc_mobility *W, const pc_turning *t, pc_error *err)
{
    const double *x = t->cross[PC_T2], own = t->own[PC_T2][PC_T2];
    double tt = W->tt - x[PC_T] * x[PC_T] / own, tn = W->tn - x[PC_T] * x[PC_N] / own,
           nn = W->nn - x[PC_N] * x[PC_N] / own;
    if (own > 0 && tt > PC_RANK_TOLERANCE * W->tt && tt * nn - tn * tn > PC_RANK_TOLERANCE * W->tt * W->nn)
        return PC_OK;
    return pc_fail(err, PC_E_UNSUPPORTED,
                   "the impact of a compliant law that resists rolling is for bodies that turn and move freely; this "
                   "one could not move without turning: leave rolling out, or take a rigid law");
}

pc_status pc_element_impact(const pc_element *element, const void *params, const pc_mobility *W, const double v0[3],
                            pc_asked asked, pc_impact *out, pc_error *err)
{
    const pc_turning *turning = W->turning && W->turning->rolling > 0 ? W->turning : NULL;
    pc_mobility plane = *W;
    pc_status status = pc_impact_begin(out, &plane, 2, v0, err);
    if (status || out->outcome == PC_OUTCOME_NONE) return status;
    if (W->turning) out->energy0 = out->energy1 = pc_mobility_turning_energy(W, v0, NULL);
    double w[4] = {W->tt, W->tn, W->tn, W->nn};
    pc_element_contact one = {element, params};
    pc_element_task task = {.k = 1,
                            .contacts = &one,
                            .W = w,
                            .rank = plane.rank,
                            .v0 = v0,
                            .turning = turning,
                            .tolerance = PC_ELEMENT_TOLERANCE,
                            .asked = asked};
    pc_element_summary summary;
    if (turning) status = check_turning(W, turning, err);
    if (!status) status = pc_element_run(&task, &summary, out, NULL, err);
    if (status || !turning) return status;
    out->couple[PC_T2] = summary.couple;
    out->rate0[PC_T2] = turning->rate[PC_T2];
    out->rate1[PC_T2] = summary.rate;
    return PC_OK;
}
