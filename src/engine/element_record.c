/* What goes into the result of an impact of elements: see element_impact.h. */
#include "engine/element_impact_internal.h"

#include "math/roots.h"

#include <math.h>
#include <string.h>

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

pc_state pc_element_state(const motion *d, const double *y, const pc_contact_values *m)
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
    double total = d->body ? pc_element_gained(d, y) : (y[PT] * (d->v0[0] + m->v_t) + y[PN] * (d->v0[1] + vn)) / 2,
           rubbed = y[WF] + pc_element_apart(d, 0, m);
    s.work_n = y[WN] * d->work;
    s.work_f = rubbed * d->work;
    s.work_t = (total - y[WN] - rubbed) * d->work;
    return s;
}

void pc_element_note_forces(run *r, const pc_contact_values *m, double time)
{
    for (int i = 0; i < r->d->k; i++) {
        pc_recorder *record = &r->d->contacts[i].record;
        pc_recorder_force(record, PC_N, fabs(m[i].Fn), time);
        pc_recorder_force(record, PC_T, fabs(m[i].Ft), time);
    }
}

void pc_element_settle(run *r, int i, const double *y)
{
    const double *own = y + i * PER_CONTACT;
    pc_recorder_settle(&r->d->contacts[i].record, own + PT, own[WN]);
}

/* The only contact comes to rest. */
static void note_rest(const run *r, const double *y, const pc_contact_values *m, resting *out)
{
    const pc_recorder *record = &r->d->contacts[0].record;
    if (!r->record) return;
    *out = (resting){.at = pc_element_state(r->d, y, m),
                     .compression = record->compression,
                     .restitution = record->restitution,
                     .n_phases = r->record->n_phases,
                     .flags = r->record->flags};
}

/* A turn this soon after another, scaled, is the same. */
static const double AT_ONCE = 1e-6;

static void note_turn(run *r, const double *y, const pc_contact_values *m)
{
    int n = r->d->contacts[0].turns;
    double t = y[r->d->n - 1] * r->d->time;
    if (n >= PC_ELEMENT_TURNS || (n > 0 && t - r->turn_time[n - 1] < AT_ONCE * r->d->time)) return;
    if (n == 0) {
        note_rest(r, y, m, &r->arrest);
        memcpy(r->d->rest, y, (size_t)r->d->n * sizeof *y);
    }
    r->d->contacts[0].turns++;
    r->turn_time[n] = t;
    r->turn_force[n][PC_T] = m->Ft * r->d->force;
    r->turn_force[n][PC_N] = m->Fn * r->d->force;
}

void pc_element_arrest(run *r, const double *y, const pc_contact_values *m)
{
    pc_recorder *record = &r->d->contacts[0].record;
    pc_element_settle(r, 0, y);
    if (record->compression_time == 0) record->compression_time = y[r->d->n - 1] * r->d->time;
    note_turn(r, y, m);
}

/* Whether an only contact with a neck, which turns on its way out, has too little energy to come to its end. Where
 * friction does not reach the normal motion, it will turn there again; else all there is must be less than what the
 * neck takes. A body that moves may get energy from elsewhere. */
static bool is_separate(const motion *d)
{
    return d->W[1] == 0 || d->contacts[0].base.p.tangential.mu == 0;
}

static bool adheres(const run *r, const double *y, const pc_contact_values *m)
{
    const motion *d = r->d;
    const pc_contact *c = &d->contacts[0].base;
    if (d->body || is_separate(d)) return !d->body;
    pc_indent end = {.u = -c->p.neck};
    double needed = c->element->stored(&c->p, &end), energy0 = r->record ? r->record->energy0 / d->work : INFINITY;
    double gained = (y[PT] * (d->v0[0] + m->v_t) + y[PN] * (d->v0[1] - m->w)) / 2;
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
        out->restitution.impulse[i] += p[i] - out->at.p[i];
        out->at.p[i] = p[i];
        out->at.v[i] = 0;
    }
    out->at.work_n = -(r->record->energy0 + out->at.work_t + out->at.work_f);
    out->restitution.work += out->at.work_n - before;
}

static void turn(run *r, int i, const double *y)
{
    motion *d = r->d;
    contact *c = &d->contacts[i];
    const double *own = y + i * PER_CONTACT;
    pc_recorder_turn(&c->record, y[d->n - 1], own + PT, own[WN]);
    const pc_contact_values *m = &d->probe[i];
    if (sticks(c) && d->k == 1) note_turn(r, y, m);
    if (d->k > 1 || !(c->base.p.neck > 0)) return;
    if (r->adheres || c->record.way < 0 || !adheres(r, y, m)) return;
    r->adheres = true;
    note_rest(r, y, m, &r->held);
    if (r->record && !is_separate(d)) come_to_rest(r, &r->held);
}

/* Marks of contact i between two places with values a and b. */
static pc_status note(run *r, const pc_dense *dense, int i, double xa, const pc_contact_values *a, double xb,
                      const pc_contact_values *b, bool ends)
{
    motion *d = r->d;
    contact *c = &d->contacts[i];
    if (c->open) return PC_OK;
    const double *y = d->state, *time = &y[d->n - 1];
    pc_recorder *record = &c->record;
    /* what integration leaves of no force has no sign */
    double Ft = d->body && fabs(b->Ft) <= ROUNDING ? 0 : b->Ft;
    if (record->way == 0) record->way = b->w;
    if ((b->w > 0 && record->way < 0) || (b->w < 0 && record->way > 0)) {
        pc_element_evaluate(d, dense, pc_element_zero(d, dense, i, TURN, xa, a->w, xb, b->w), d->probe);
        turn(r, i, y);
    }
    if (!ends && Ft != 0 && c->ft_sign == 0) c->ft_sign = copysign(1, Ft);
    if (!ends && Ft * c->ft_sign < 0) {
        pc_element_evaluate(d, dense, pc_element_zero(d, dense, i, REVERSAL, xa, a->Ft, xb, b->Ft), d->probe);
        c->ft_sign = -c->ft_sign;
        pc_status status = pc_recorder_reversal(record, *time);
        if (status) return status;
    }
    for (int axis = PC_T; axis <= PC_N; axis++) {
        int which = axis == PC_N ? CREST_N : CREST_T;
        double ga = pc_element_mark(d, dense, i, which, xa, a), gb = pc_element_mark(d, dense, i, which, xb, b);
        if (!(ga > 0 && gb <= 0)) continue;
        pc_element_evaluate(d, dense, pc_element_zero(d, dense, i, which, xa, ga, xb, gb), d->probe);
        pc_recorder_force(record, axis, fabs(axis == PC_N ? d->probe[i].Fn : d->probe[i].Ft), *time);
    }
    return PC_OK;
}

typedef struct time_in_step {
    const motion *d;
    const pc_dense *dense;
    double wanted;
} time_in_step;

static double time_at(double x, void *context)
{
    const time_in_step *p = context;
    return pc_element_time_at(p->d, p->dense, x) - p->wanted;
}

void pc_element_answer(run *r, const pc_dense *dense, double x_end)
{
    pc_recorder *record = &r->d->contacts[0].record;
    while (record->traced < record->n_times) {
        time_in_step p = {r->d, dense, record->times[record->traced] / r->d->time};
        double fb = time_at(x_end, &p);
        if (fb < 0) return;
        double fa = time_at(0, &p);
        double x = fa >= 0 ? 0 : pc_root_between(time_at, &p, 0, fa, x_end, fb, 0);
        pc_element_evaluate(r->d, dense, x, r->d->probe);
        if (fabs(r->d->state[Y]) < PC_ELEMENT_PARTED) {
            r->d->state[Y] = 0;
            pc_element_values(r->d, r->d->state, r->d->probe);
        }
        pc_state now = pc_element_state(r->d, r->d->state, r->d->probe);
        pc_recorder_answer(record, &now);
    }
}

void pc_element_trace_glide(run *r, const double *y, const pc_contact_values *m)
{
    const motion *d = r->d;
    pc_recorder *record = &r->d->contacts[0].record;
    double start = y[d->n - 1] * d->time, stop = (y[d->n - 1] + m->u / -m->w) * d->time;
    while (pc_recorder_asks(record, stop)) {
        pc_state s = pc_element_state(d, y, m);
        s.u[PC_N] += s.v[PC_N] * (start - record->times[record->traced]);
        pc_recorder_answer(record, &s);
    }
}

pc_status pc_element_begin_phase(run *r, const double *y, const pc_contact_values *m)
{
    if (!r->record) return PC_OK;
    contact *c = &r->d->contacts[0];
    int sign = slips(c) ? c->base.sign : 0;
    pc_state start = pc_element_state(r->d, y, m);
    if (r->d->W[3] - c->base.p.tangential.mu * sign * r->d->W[1] < 0) r->record->flags |= PC_FLAG_JAM;
    return pc_recorder_open_phase(&c->record, sign ? PC_PHASE_SLIP : PC_PHASE_STICK, sign, &start);
}

void pc_element_end_phase(run *r, const double *y, const pc_contact_values *m)
{
    if (!r->record) return;
    pc_state stop = pc_element_state(r->d, y, m);
    pc_recorder_close_phase(&r->d->contacts[0].record, &stop);
}

/* Note what lies in the step up to the place `end`; the values there are those of the node *last. */
pc_status pc_element_note_step(run *r, const pc_dense *dense, double end, int released, int *last)
{
    motion *d = r->d;
    const double *places = d->place;
    *last = 1;
    while (places[*last] < end) ++*last;
    if (places[*last] > end) pc_element_evaluate(d, dense, end, d->node[*last]);
    for (int i = 0; i < d->k; i++)
        for (int j = 1; j <= *last; j++) {
            bool ends = j == *last;
            pc_status status = note(r, dense, i, places[j - 1], &d->node[j - 1][i], ends ? end : places[j],
                                    &d->node[j][i], ends && released == i);
            if (status) return status;
        }
    pc_element_answer(r, dense, end);
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
    const resting *from = r->adheres ? &r->held : &r->arrest;
    out->n_phases = from->n_phases;
    out->flags = from->flags;
    record->compression = from->compression;
    record->restitution = from->restitution;
    pc_recorder_stay(record, r->adheres ? PC_OUTCOME_ADHERED : PC_OUTCOME_WEDGED, &from->at);
    if (!r->adheres) note_lock(r, out);
}

void pc_element_finish(run *r, bool stays, double *duration)
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
