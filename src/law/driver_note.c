/* What goes into the result of a driven impact: see driver.h. */
#include "law/driver_internal.h"

#include "math/roots.h"

#include <math.h>

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

pc_state pc_drive_state(const drive *d, const double *y, const moment *m)
{
    double length = d->scales.length, speed = d->scales.velocity;
    pc_state s = {.t = y[d->n - 1] * d->time};
    double vn = -m->w;
    s.u[PC_T] = y[UT] * length;
    s.u[PC_N] = m->u * length;
    s.v[PC_T] = m->vt * speed;
    s.v[PC_N] = vn * speed;
    s.F[PC_T] = m->Ft * d->force;
    s.F[PC_N] = m->Fn * d->force;
    s.p[PC_T] = y[PT] * d->impulse;
    s.p[PC_N] = y[PN] * d->impulse;
    s.s[0] = m->slip * speed;
    double total = (y[PT] * (d->v0[0] + m->vt) + y[PN] * (d->v0[1] + vn)) / 2;
    s.work_n = y[WN] * d->work;
    s.work_f = y[WF] * d->work;
    s.work_t = (total - y[WN] - y[WF]) * d->work;
    return s;
}

void pc_drive_note_peak(const run *r, int i, int axis, double force, double time)
{
    pc_drive_summary *s = &r->out[i];
    double F = fabs(force) * r->d->force;
    if (!(F > s->peak[axis])) return;
    s->peak[axis] = F;
    s->peak_time[axis] = time * r->d->time;
}

/* Impulse and work since the last change of sign of w go to compression or restitution. */
void pc_drive_settle(const run *r, int i, const double *y)
{
    const drive *d = r->d;
    contact *c = &d->contacts[i];
    pc_drive_summary *s = &r->out[i];
    const double *own = y + i * PER_CONTACT;
    bool closing = c->w_sign > 0;
    double *impulse = closing ? s->compression : s->restitution;
    impulse[PC_T] += (own[PT] - c->mark[0]) * d->impulse;
    impulse[PC_N] += (own[PN] - c->mark[1]) * d->impulse;
    *(closing ? &s->work_compression : &s->work_restitution) += (own[WN] - c->mark[2]) * d->work;
    c->mark[0] = own[PT], c->mark[1] = own[PN], c->mark[2] = own[WN];
}

void pc_drive_arrest(run *r, const double *y, const moment *m)
{
    pc_drive_settle(r, 0, y);
    if (isnan(r->out[0].first_turn)) r->out[0].first_turn = y[r->d->n - 1] * r->d->time;
    if (r->record) r->arrest = pc_drive_state(r->d, y, m);
}

static void turn(run *r, int i, const double *y)
{
    drive *d = r->d;
    contact *c = &d->contacts[i];
    pc_drive_settle(r, i, y);
    bool recompression = c->w_sign < 0;
    c->w_sign = -c->w_sign;
    if (!recompression && isnan(r->out[i].first_turn)) r->out[i].first_turn = y[d->n - 1] * d->time;
    if (c->mode == STICK && c->turns++ == 0 && r->record) r->arrest = pc_drive_state(d, y, &d->probe[i]);
    if (recompression && r->record) r->record->flags |= PC_FLAG_RECOMPRESSION;
}

/* Marks of contact i between two places with moments a and b. */
static pc_status note(run *r, const pc_dense *dense, int i, double xa, const moment *a, double xb, const moment *b,
                      bool ends)
{
    drive *d = r->d;
    contact *c = &d->contacts[i];
    if (c->mode == OPEN) return PC_OK;
    const double *y = d->state, *time = &y[d->n - 1];
    if (b->w != 0 && c->w_sign == 0) c->w_sign = copysign(1, b->w);
    if (b->w * c->w_sign < 0) {
        pc_drive_look(d, dense, pc_drive_zero(d, dense, i, TURN, xa, a->w, xb, b->w), d->probe);
        turn(r, i, y);
    }
    if (!ends && b->Ft != 0 && c->ft_sign == 0) c->ft_sign = copysign(1, b->Ft);
    if (!ends && b->Ft * c->ft_sign < 0) {
        pc_drive_look(d, dense, pc_drive_zero(d, dense, i, REVERSAL, xa, a->Ft, xb, b->Ft), d->probe);
        r->out[i].n_reversals++;
        c->ft_sign = -c->ft_sign;
        if (r->record && !pc_impact_push_reversal(r->record, *time * d->time))
            return pc_fail(r->err, PC_E_MEMORY, "not enough memory for the reversals of an impact");
    }
    for (int axis = PC_T; axis <= PC_N; axis++) {
        int which = axis == PC_N ? CREST_N : CREST_T;
        double ga = pc_drive_guard(c, a, which), gb = pc_drive_guard(c, b, which);
        if (!(ga > 0 && gb <= 0)) continue;
        pc_drive_look(d, dense, pc_drive_zero(d, dense, i, which, xa, ga, xb, gb), d->probe);
        pc_drive_note_peak(r, i, axis, axis == PC_N ? d->probe[i].Fn : d->probe[i].Ft, *time);
    }
    return PC_OK;
}

typedef struct moment_in_step {
    const drive *d;
    const pc_dense *dense;
    double wanted;
} moment_in_step;

static double time_at(double x, void *context)
{
    const moment_in_step *p = context;
    return pc_drive_time_at(p->d, p->dense, x) - p->wanted;
}

/* States at the times asked for, up to the place `x_end` of the step. */
static void trace(run *r, const pc_dense *dense, double x_end)
{
    for (; r->n_traced < r->task->n_times; r->n_traced++) {
        moment_in_step p = {r->d, dense, r->task->times[r->n_traced] / r->d->time};
        double fb = time_at(x_end, &p);
        if (fb < 0) return;
        double fa = time_at(0, &p);
        double x = fa >= 0 ? 0 : pc_root_between(time_at, &p, 0, fa, x_end, fb, 0);
        pc_drive_look(r->d, dense, x, r->d->probe);
        if (fabs(r->d->state[Y]) < PC_DRIVE_PARTED) {
            r->d->state[Y] = 0;
            pc_drive_moments(r->d, r->d->state, r->d->probe);
        }
        pc_state *s = &r->task->states[r->n_traced];
        *s = pc_drive_state(r->d, r->d->state, r->d->probe);
        s->t = r->task->times[r->n_traced];
    }
}

void pc_drive_trace_glide(run *r, const double *y, const moment *m)
{
    const drive *d = r->d;
    const pc_drive_task *task = r->task;
    double start = y[d->n - 1] * d->time, stop = (y[d->n - 1] + m->u / -m->w) * d->time;
    for (; r->n_traced < task->n_times && task->times[r->n_traced] <= stop; r->n_traced++) {
        pc_state *s = &task->states[r->n_traced];
        *s = pc_drive_state(d, y, m);
        s->t = task->times[r->n_traced];
        s->u[PC_N] += s->v[PC_N] * (start - s->t);
    }
}

pc_status pc_drive_begin_phase(run *r, const double *y, const moment *m)
{
    pc_impact *out = r->record;
    if (!out) return PC_OK;
    const contact *c = &r->d->contacts[0];
    pc_phase *phase = pc_impact_push(out);
    if (!phase) return pc_fail(r->err, PC_E_MEMORY, "not enough memory for %d phases", out->n_phases + 1);
    *phase =
        (pc_phase){.kind = c->mode == SLIP ? PC_PHASE_SLIP : PC_PHASE_STICK, .sign = c->mode == SLIP ? c->sign : 0};
    phase->start = pc_drive_state(r->d, y, m);
    if (c->mode == SLIP) {
        for (int i = 0; i + 1 < out->n_phases; i++)
            if (out->phases[i].kind == PC_PHASE_SLIP && out->phases[i].sign != c->sign)
                out->flags |= PC_FLAG_REVERSE_SLIP;
        if (r->d->W[3] - c->p.tangential.mu * c->sign * r->d->W[1] < 0) out->flags |= PC_FLAG_JAM;
    }
    return PC_OK;
}

void pc_drive_end_phase(run *r, const double *y, const moment *m)
{
    pc_impact *out = r->record;
    if (!out) return;
    pc_phase *last = &out->phases[out->n_phases - 1];
    last->stop = pc_drive_state(r->d, y, m);
    /* a phase of no duration leaves no trace */
    if (!(last->stop.t > last->start.t) && out->n_phases > 1) out->n_phases--;
}

/* Note what lies in the step up to the place `end`; the moments there are those of the node *last. */
pc_status pc_drive_note_step(run *r, const pc_dense *dense, double end, int released, int *last)
{
    drive *d = r->d;
    const double *places = pc_drive_places;
    *last = 1;
    while (places[*last] < end) ++*last;
    if (places[*last] > end) pc_drive_look(d, dense, end, d->node[*last]);
    for (int i = 0; i < d->k; i++)
        for (int j = 1; j <= *last; j++) {
            bool ends = j == *last;
            pc_status status = note(r, dense, i, places[j - 1], &d->node[j - 1][i], ends ? end : places[j],
                                    &d->node[j][i], ends && released == i);
            if (status) return status;
        }
    if (r->task->times) trace(r, dense, end);
    return PC_OK;
}

void pc_drive_finish(run *r, bool stays, double *duration)
{
    drive *d = r->d;
    const double *y = d->state;
    pc_drive_moments(d, y, d->now);
    for (int i = 0; i < d->k; i++) {
        pc_drive_summary *s = &r->out[i];
        const double *own = y + i * PER_CONTACT;
        s->v[PC_T] = d->now[i].vt * d->scales.velocity;
        s->v[PC_N] = -d->now[i].w * d->scales.velocity;
        s->p[PC_T] = own[PT] * d->impulse;
        s->p[PC_N] = own[PN] * d->impulse;
        s->work_n = own[WN] * d->work;
        s->work_f = own[WF] * d->work;
    }
    if (duration) *duration = y[d->n - 1] * d->time;
    pc_impact *out = r->record;
    if (!out) return;
    const pc_drive_summary *s = r->out;
    pc_phase *last = &out->phases[out->n_phases - 1];
    if (stays) {
        last->stop = r->arrest;
        last->stop.t = INFINITY;
    }
    const pc_state *end = stays ? &r->arrest : &last->stop;
    out->outcome = stays ? PC_OUTCOME_WEDGED : PC_OUTCOME_REBOUND;
    out->duration = last->stop.t;
    out->compression_time = s->first_turn;
    for (int i = 0; i < 2; i++) {
        out->v1[i] = stays ? 0 : end->v[i];
        out->impulse[i] = end->p[i];
        out->impulse_compression[i] = s->compression[i];
        out->impulse_restitution[i] = s->restitution[i];
        out->peak[i] = s->peak[i];
        out->peak_time[i] = s->peak_time[i];
    }
    out->work_n = end->work_n;
    out->work_t = end->work_t;
    out->work_f = end->work_f;
    out->work_n_compression = s->work_compression;
    out->work_n_restitution = s->work_restitution;
    out->energy1 = stays ? 0 : out->energy0 + (end->work_n + end->work_t + end->work_f);
    if (stays) out->arrest_time = r->arrest.t;
    if (out->n_phases == 1) out->flags |= last->kind == PC_PHASE_SLIP ? PC_FLAG_GROSS_SLIP : PC_FLAG_GROSS_STICK;
    if (out->work_n_restitution > -out->work_n_compression * (1 + ROUNDING)) out->flags |= PC_FLAG_E_ABOVE_ONE;
    if (out->energy1 > out->energy0 * (1 + ROUNDING)) out->flags |= PC_FLAG_GAINED_ENERGY;
    if (pc_tangential_may_gain(&r->d->contacts[0].p.tangential) && out->work_t > ROUNDING * out->energy0)
        out->flags |= PC_FLAG_TANGENTIAL_GAIN;
}
