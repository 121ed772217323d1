/* The run of the driver: from change to change. See driver.h.
 *
 * Everything that may change a contact's mode is a *guard*: positive while the mode lasts. A guard is looked at in
 * five places of each step, which the integrator resolves to 1e-13, and followed down where it dips in between. What
 * merely has to be noted (turning points, crests, reversals) is a *mark*: it changes its sign.
 */
#include "contact/driver_parts.h"

#include "base/interrupt.h"
#include "math/roots.h"

#include <math.h>
#include <string.h>

enum { RELEASE, CLOSE, CONE_UP, CONE_DOWN, ARREST, KNOT, BRANCH, N_GUARDS, TURN = N_GUARDS, REVERSAL, CREST_N, CREST_T };

enum { MAX_STEPS = 200000, MAX_STALLS = 64 };

/* Guards that reach zero together with the end of contact, to rounding of the step, are part of the end. */
static const double TOGETHER = 1e-9;

/* Later than any contact ends, in scaled time. */
static const double HORIZON = 1e12;

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

typedef struct run {
    drive *d;
    const pc_drive_task *task;
    pc_drive_summary *out;
    pc_impact *record; /* NULL: k > 1 */
    pc_state arrest;   /* first turning point of this stick phase */
    size_t n_traced;
    pc_error *err;
} run;

typedef struct probe {
    const run *r;
    const pc_dense *dense;
    int contact, which;
} probe;

/* ---- guards and marks ---- */

static double cone(const contact *c, const moment *m, int sign)
{
    const pc_tangential *e = &c->p.tangential;
    if (e->kind == PC_TANGENTIAL_RIGID) return 1;
    if (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED)
        return isfinite(e->cone) ? e->cone * m->u - sign * m->q : 1;
    return e->mu * fmax(m->Fn, 0) + sign * m->Ft;
}

/* Positive while the contact stays as it is; 1 where the guard does not apply. */
static double guard(const contact *c, const moment *m, int which)
{
    bool open = c->mode == OPEN;
    switch (which) {
    case RELEASE: return open ? 1 : m->n.release;
    case CLOSE: return open ? -m->u : 1;
    case CONE_UP: return c->mode == STICK ? cone(c, m, 1) : 1;
    case CONE_DOWN: return c->mode == STICK ? cone(c, m, -1) : 1;
    case ARREST: return c->mode == SLIP ? c->sign * m->slip : 1;
    case KNOT: return open || m->n.knot == 1 ? 1 : c->knot_side * m->n.knot;
    case BRANCH:
        if (open || !c->p.plastic) return 1;
        return c->branch == 0 ? m->w : c->memory - m->u;
    case TURN: return m->w;
    case REVERSAL: return m->Ft;
    case CREST_N: return m->dFn;
    default: return m->Ft * m->dFt;
    }
}

static void look(const run *r, const pc_dense *dense, double x, moment *out)
{
    pc_dense_eval(dense, x, r->d->state);
    pc_drive_moments(r->d, r->d->state, out);
}

static double probe_at(double x, void *context)
{
    const probe *p = context;
    look(p->r, p->dense, x, p->r->d->probe);
    return guard(&p->r->d->contacts[p->contact], &p->r->d->probe[p->contact], p->which);
}

/* Zero between a and b, where the values are fa and fb; a where they have the same sign (a jump at a). */
static double zero_between(const probe *p, double a, double fa, double b, double fb)
{
    if ((fa > 0) == (fb > 0)) return a;
    return pc_root_between(probe_at, (void *)p, a, fa, b, fb, 0);
}

/* Follow a dip between a and b down by golden section until it is negative; its place, or 2 if it stays positive. */
static double dip(const probe *p, double a, double b)
{
    const double golden = 0.3819660112501051;
    double x1 = a + golden * (b - a), x2 = b - golden * (b - a);
    double f1 = probe_at(x1, (void *)p), f2 = probe_at(x2, (void *)p);
    for (int i = 0; i < 40 && f1 >= 0 && f2 >= 0; i++) {
        if (f1 < f2) {
            b = x2, x2 = x1, f2 = f1;
            x1 = a + golden * (b - a);
            f1 = probe_at(x1, (void *)p);
        } else {
            a = x1, x1 = x2, f1 = f2;
            x2 = b - golden * (b - a);
            f2 = probe_at(x2, (void *)p);
        }
    }
    return f1 < 0 ? x1 : f2 < 0 ? x2 : 2;
}

/* Where a guard of contact i first becomes negative in the step; 2 if it does not. */
static double first_fall(const run *r, const pc_dense *dense, const double *x, int i, int which)
{
    const contact *c = &r->d->contacts[i];
    probe p = {r, dense, i, which};
    double v[PC_DRIVE_NODES];
    for (int j = 0; j < PC_DRIVE_NODES; j++) v[j] = guard(c, &r->d->node[j][i], which);
    bool fresh = c->fresh;
    if (fresh) v[0] = fmax(v[0], 0);
    for (int j = 1; j < PC_DRIVE_NODES; j++) {
        if (v[j] < 0) return zero_between(&p, x[j - 1], v[j - 1], x[j], v[j]);
        if (isnan(v[j])) return 2;
        if (j + 1 == PC_DRIVE_NODES || !(v[j] < v[j - 1] && v[j] <= v[j + 1])) continue;
        double bend = v[j - 1] - 2 * v[j] + v[j + 1], tilt = v[j + 1] - v[j - 1];
        if (v[j] - tilt * tilt / (8 * bend) > v[j] / 4) continue;
        double low = dip(&p, x[j - 1], x[j + 1]);
        if (low < 2) return zero_between(&p, x[j - 1], v[j - 1], low, -1);
    }
    return 2;
}

/* ---- records ---- */

static pc_state state_of(const drive *d, const double *y, const moment *m)
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

static void note_peak(const run *r, int i, int axis, double force, double tau_time)
{
    pc_drive_summary *s = &r->out[i];
    double F = fabs(force) * r->d->force;
    if (!(F > s->peak[axis])) return;
    s->peak[axis] = F;
    s->peak_time[axis] = tau_time * r->d->time;
}

/* Impulse and work since the last change of sign of w go to compression or restitution. */
static void settle(const run *r, int i, const double *y)
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

static void turn(run *r, int i, const double *y)
{
    drive *d = r->d;
    contact *c = &d->contacts[i];
    settle(r, i, y);
    bool recompression = c->w_sign < 0;
    c->w_sign = -c->w_sign;
    if (!recompression && isnan(r->out[i].first_turn)) r->out[i].first_turn = y[d->n - 1] * d->time;
    if (c->mode == STICK && c->turns++ == 0 && r->record) r->arrest = state_of(d, y, &d->probe[i]);
    if (recompression && r->record) r->record->flags |= PC_FLAG_RECOMPRESSION;
}

/* Marks of contact i between two places with moments a and b. */
static void note(run *r, const pc_dense *dense, int i, double xa, const moment *a, double xb, const moment *b,
                 bool ends)
{
    drive *d = r->d;
    contact *c = &d->contacts[i];
    if (c->mode == OPEN) return;
    const double *y = d->state;
    if (b->w != 0 && c->w_sign == 0) c->w_sign = copysign(1, b->w);
    if (b->w * c->w_sign < 0) {
        probe p = {r, dense, i, TURN};
        look(r, dense, zero_between(&p, xa, a->w, xb, b->w), d->probe);
        turn(r, i, y);
    }
    if (!ends && b->Ft != 0 && c->ft_sign == 0) c->ft_sign = copysign(1, b->Ft);
    if (!ends && b->Ft * c->ft_sign < 0) {
        probe p = {r, dense, i, REVERSAL};
        look(r, dense, zero_between(&p, xa, a->Ft, xb, b->Ft), d->probe);
        r->out[i].n_reversals++;
        c->ft_sign = -c->ft_sign;
    }
    for (int axis = PC_T; axis <= PC_N; axis++) {
        int which = axis == PC_N ? CREST_N : CREST_T;
        double ga = guard(c, a, which), gb = guard(c, b, which);
        if (!(ga > 0 && gb <= 0)) continue;
        probe p = {r, dense, i, which};
        look(r, dense, zero_between(&p, xa, ga, xb, gb), d->probe);
        note_peak(r, i, axis, axis == PC_N ? d->probe[i].Fn : d->probe[i].Ft, y[d->n - 1]);
    }
}

static double time_at(double x, void *context)
{
    const probe *p = context;
    const pc_dense *dense = p->dense;
    const double *row = dense->c + (dense->n - 1) * (dense->degree + 1);
    return pc_poly_eval(row, dense->degree, x) - p->r->task->times[p->r->n_traced] / p->r->d->time;
}

/* States at the times asked for, up to the place `x_end` of the step. */
static void trace(run *r, const pc_dense *dense, double x_end)
{
    probe p = {.r = r, .dense = dense};
    for (; r->n_traced < r->task->n_times; r->n_traced++) {
        double fb = time_at(x_end, &p);
        if (fb < 0) return;
        double fa = time_at(0, &p);
        double x = fa >= 0 ? 0 : pc_root_between(time_at, &p, 0, fa, x_end, fb, 0);
        look(r, dense, x, r->d->probe);
        pc_state *s = &r->task->states[r->n_traced];
        *s = state_of(r->d, r->d->state, r->d->probe);
        s->t = r->task->times[r->n_traced];
    }
}

/* ---- changes of mode ---- */

static pc_status begin_phase(run *r, const double *y, const moment *m)
{
    pc_impact *out = r->record;
    if (!out) return PC_OK;
    const contact *c = &r->d->contacts[0];
    pc_phase *phase = pc_impact_push(out);
    if (!phase) return pc_fail(r->err, PC_E_MEMORY, "not enough memory for %d phases", out->n_phases + 1);
    *phase = (pc_phase){.kind = c->mode == SLIP ? PC_PHASE_SLIP : PC_PHASE_STICK, .sign = c->mode == SLIP ? c->sign : 0};
    phase->start = state_of(r->d, y, m);
    if (c->mode == SLIP) {
        for (int i = 0; i + 1 < out->n_phases; i++)
            if (out->phases[i].kind == PC_PHASE_SLIP && out->phases[i].sign != c->sign)
                out->flags |= PC_FLAG_REVERSE_SLIP;
        if (r->d->W[3] - c->p.tangential.mu * c->sign * r->d->W[1] < 0) out->flags |= PC_FLAG_JAM;
    }
    return PC_OK;
}

static void end_phase(run *r, const double *y, const moment *m)
{
    pc_impact *out = r->record;
    if (!out) return;
    pc_phase *last = &out->phases[out->n_phases - 1];
    last->stop = state_of(r->d, y, m);
    /* a phase of no duration leaves no trace */
    if (!(last->stop.t > last->start.t) && out->n_phases > 1) out->n_phases--;
}

/* Set the mode of a contact that closes, or whose particle has come to rest. */
static void grip(drive *d, int i, const moment *m, bool closing)
{
    contact *c = &d->contacts[i];
    const pc_tangential *e = &c->p.tangential;
    const double *row = d->W + (size_t)(2 * i) * 2 * (size_t)d->k + 2 * i;
    double wtt = row[0], wtn = row[1];
    c->fresh = true;
    c->turns = 0;
    c->mode = STICK;
    if (e->mu == 0) {
        double way = m->vt != 0 && closing ? m->vt : wtn;
        c->mode = way != 0 ? SLIP : STICK;
        c->sign = way < 0 ? -1 : 1;
    } else if (e->kind == PC_TANGENTIAL_RIGID) {
        bool slides = closing && m->vt != 0;
        if (!slides && fabs(wtn) <= e->mu * wtt) return;
        c->mode = SLIP;
        c->sign = (slides ? m->vt : wtn) < 0 ? -1 : 1;
    } else if (closing) {
        /* a small touch shows which of the two forces grows faster; so small that the powers of u decide */
        pc_touch x = {.u = 1e-12, .w = m->w};
        x.y = pow(x.u, 1.0 / c->p.root);
        pc_normal n;
        c->element->normal(&c->p, &x, &n);
        if (pc_tangential_starts_stuck(e, &n, x.u, m->w, m->vt)) return;
        c->mode = SLIP;
        c->sign = m->vt < 0 ? -1 : 1;
    }
}

/* Contact i touches. */
static void touch(run *r, int i, double *y, const moment *m)
{
    contact *c = &r->d->contacts[i];
    double *own = y + i * PER_CONTACT;
    own[Q] = own[UT] = 0;
    c->branch = 0;
    c->memory = 0;
    c->knot_side = 1;
    c->w_sign = m->w > 0 ? 1 : m->w < 0 ? -1 : 0;
    c->ft_sign = 0;
    c->mark[0] = own[PT], c->mark[1] = own[PN], c->mark[2] = own[WN];
    if (isnan(r->out[i].start)) r->out[i].start = y[r->d->n - 1] * r->d->time;
    r->out[i].n_closings++;
    grip(r->d, i, m, true);
}

/* What follows when a guard of contact i has fallen at the state y. True if a new phase begins. */
static bool change(run *r, int i, int which, double *y, const moment *m)
{
    contact *c = &r->d->contacts[i];
    double *own = y + i * PER_CONTACT;
    c->fresh = true;
    switch (which) {
    case RELEASE:
        settle(r, i, y);
        c->mode = OPEN;
        r->out[i].stop = y[r->d->n - 1] * r->d->time;
        return false;
    case CLOSE:
        own[Y] = 0;
        touch(r, i, y, m);
        return false;
    case CONE_UP:
    case CONE_DOWN:
        c->mode = SLIP;
        c->sign = which == CONE_UP ? 1 : -1;
        return true;
    case ARREST:
        own[Q] = m->q;
        grip(r->d, i, m, false);
        return true;
    case KNOT: c->knot_side = -c->knot_side; return false;
    default:
        if (c->branch == 0) c->memory = m->u;
        c->branch = !c->branch;
        return false;
    }
}

static bool over(const run *r, const moment *m)
{
    for (int i = 0; i < r->d->k; i++) {
        const contact *c = &r->d->contacts[i];
        if (r->d->k == 1 && c->mode != OPEN) return false;
        if ((c->mode != OPEN && m[i].u > 0) || (r->d->k > 1 && m[i].w > 0)) return false;
    }
    return true;
}

/* A stuck contact with one degree of freedom that has turned thrice without slipping goes on for ever: its energy does
 * not grow, so the forces never come nearer to the cone again than they did in that cycle. */
static bool wedged(const run *r)
{
    const contact *c = &r->d->contacts[0];
    return r->d->k == 1 && r->task->rank == 1 && c->mode == STICK && c->turns >= 3;
}

/* The first change in a step; false if there is none. */
static bool find_change(const run *r, const pc_dense *dense, const double *places, double *cut, int *who, int *what)
{
    *cut = 2;
    *who = *what = -1;
    for (int i = 0; i < r->d->k; i++)
        for (int g = 0; g < N_GUARDS; g++) {
            double x = first_fall(r, dense, places, i, g);
            bool first = *what == RELEASE && *who == i ? x < *cut - TOGETHER : x < *cut;
            if (first) *cut = x, *who = i, *what = g;
        }
    return *cut <= 1;
}

/* Note what lies in the step up to the place `end`, whose moments are those of the last node used. */
static int note_step(run *r, const pc_dense *dense, const double *places, double end, int released)
{
    drive *d = r->d;
    int last = 1;
    while (places[last] < end) last++;
    if (places[last] > end) look(r, dense, end, d->node[last]);
    for (int i = 0; i < d->k; i++)
        for (int j = 1; j <= last; j++)
            note(r, dense, i, places[j - 1], &d->node[j - 1][i], j < last ? places[j] : end, &d->node[j][i],
                 j == last && released == i);
    if (r->task->times) trace(r, dense, end);
    return last;
}

/* Go over to what follows a change at d->state. */
static pc_status cross(run *r, double tau, int who, int what, const moment *m)
{
    drive *d = r->d;
    double *y = d->state;
    for (int i = 0; i < d->k; i++) {
        note_peak(r, i, PC_N, m[i].Fn, y[d->n - 1]);
        note_peak(r, i, PC_T, m[i].Ft, y[d->n - 1]);
    }
    bool phase = change(r, who, what, y, &m[who]);
    if (phase || what == RELEASE) end_phase(r, y, m);
    if (what == RELEASE && over(r, m)) return PC_OK;
    pc_drive_moments(d, y, d->node[0]);
    pc_status status = phase ? begin_phase(r, y, d->node[0]) : PC_OK;
    return status ? status : pc_stepper_start(&d->stepper, tau, y, r->err);
}

static pc_status go(run *r)
{
    static const double places[PC_DRIVE_NODES] = {0, 0.25, 0.5, 0.75, 1};
    drive *d = r->d;
    pc_stepper *s = &d->stepper;
    int stalls = 0;
    for (int step = 0;; step++) {
        double t = s->y[d->n - 1] * d->time;
        if (step == MAX_STEPS)
            return pc_fail_at(r->err, PC_E_LIMIT, t, "steps", "the contact has not ended after %d steps", step);
        if (step % 64 == 63 && pc_interrupted())
            return pc_fail_at(r->err, PC_E_INTERRUPTED, t, "steps", "interrupted during an impact");
        const pc_dense *dense;
        pc_status status = pc_stepper_step(s, HORIZON, r->err);
        if (!status) status = pc_stepper_dense(s, &dense, r->err);
        if (status) return status;
        for (int j = 1; j < PC_DRIVE_NODES; j++) look(r, dense, places[j], d->node[j]);

        double cut;
        int who, what;
        bool changes = find_change(r, dense, places, &cut, &who, &what);
        int last = note_step(r, dense, places, fmin(cut, 1), what == RELEASE ? who : -1);
        for (int i = 0; i < d->k; i++) d->contacts[i].fresh = false;
        if (changes) {
            stalls = cut > 0 ? 0 : stalls + 1;
            if (stalls > MAX_STALLS)
                return pc_fail_at(r->err, PC_E_NUMERIC, t, "phases", "stick and slip follow each other at one instant");
            look(r, dense, cut, d->node[last]);
            status = cross(r, dense->t + cut * dense->h, who, what, d->node[last]);
            if (status || over(r, d->node[last])) return status;
        } else {
            moment *first = d->node[0];
            d->node[0] = d->node[PC_DRIVE_NODES - 1];
            d->node[PC_DRIVE_NODES - 1] = first;
            if (wedged(r)) return PC_OK;
        }
    }
}

/* ---- from outside ---- */

static pc_status begin(run *r)
{
    drive *d = r->d;
    double *y = d->state;
    memset(y, 0, (size_t)d->n * sizeof *y);
    for (int i = 0; i < d->k; i++) {
        r->out[i] = (pc_drive_summary){.start = NAN, .stop = NAN, .first_turn = NAN};
        double gap = r->task->gaps ? r->task->gaps[i] / d->scales.length : 0;
        y[i * PER_CONTACT + Y] = -gap;
        d->contacts[i].mode = OPEN;
        d->contacts[i].fresh = true;
    }
    moment *m = d->node[0];
    pc_drive_moments(d, y, m);
    for (int i = 0; i < d->k; i++)
        if (m[i].u >= 0 && m[i].w >= 0) touch(r, i, y, &m[i]);
    pc_drive_moments(d, y, m);
    pc_status status = begin_phase(r, y, m);
    return status ? status : pc_stepper_start(&d->stepper, 0, y, r->err);
}

static void finish(run *r, double *duration)
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
    bool stays = wedged(r);
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
    out->n_reversals = s->n_reversals;
    if (stays) out->arrest_time = r->arrest.t;
    if (out->n_phases == 1) out->flags |= last->kind == PC_PHASE_SLIP ? PC_FLAG_GROSS_SLIP : PC_FLAG_GROSS_STICK;
    if (out->work_n_restitution > -out->work_n_compression * (1 + ROUNDING)) out->flags |= PC_FLAG_E_ABOVE_ONE;
    if (out->energy1 > out->energy0 * (1 + ROUNDING)) out->flags |= PC_FLAG_GAINED_ENERGY;
}

pc_status pc_drive(const pc_drive_task *task, pc_drive_summary *summary, pc_impact *record, double *duration,
                   pc_error *err)
{
    run r = {.task = task, .out = summary, .record = record, .err = err};
    pc_status status = pc_drive_open(&r.d, task, err);
    if (status) return status;
    status = begin(&r);
    if (!status && !over(&r, r.d->node[0])) status = go(&r);
    if (!status) finish(&r, duration);
    if (!status && task->times) {
        const pc_phase *last = record ? &record->phases[record->n_phases - 1] : NULL;
        for (; last && r.n_traced < task->n_times; r.n_traced++) task->states[r.n_traced] = last->stop;
    }
    pc_drive_close(r.d);
    return status;
}

static pc_status run_one(const pc_element *element, const void *params, const pc_mobility *W, const double v0[3],
                         const double *times, size_t n, pc_state *states, pc_impact *out, pc_error *err)
{
    double w[4] = {W->tt, W->tn, W->tn, W->nn};
    pc_drive_contact one = {element, params};
    pc_drive_task task = {.k = 1, .contacts = &one, .W = w, .rank = W->rank, .v0 = v0, .tolerance = PC_DRIVE_TOLERANCE};
    task.times = times;
    task.n_times = n;
    task.states = states;
    pc_drive_summary summary;
    return pc_drive(&task, &summary, out, NULL, err);
}

pc_status pc_drive_impact(const pc_element *element, const void *params, const pc_mobility *W, const double v0[3],
                          pc_impact *out, pc_error *err)
{
    pc_impact_init(out);
    pc_mobility plane = {.tt = W->tt, .tn = W->tn, .nn = W->nn, .rank = W->rank};
    for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
    if (!isfinite(v0[PC_T]) || !isfinite(v0[PC_N]))
        return pc_fail(err, PC_E_ARGUMENT, "velocity before the impact (%g, %g) m/s must be finite", v0[PC_T],
                       v0[PC_N]);
    if (plane.rank == 0 && pc_mobility_rank(&plane, &plane.rank, err)) return PC_E_ARGUMENT;
    out->energy0 = out->energy1 = pc_mobility_energy(&plane, v0);
    if (v0[PC_N] >= 0) {
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    return run_one(element, params, &plane, v0, NULL, 0, NULL, out, err);
}

pc_status pc_drive_trace(const pc_element *element, const void *params, const pc_mobility *W, const pc_impact *impact,
                         const double *times, size_t n, pc_state *out, pc_error *err)
{
    if (impact->outcome == PC_OUTCOME_NONE)
        return pc_fail(err, PC_E_ARGUMENT, "there was no impact: the bodies did not approach");
    pc_impact again;
    pc_impact_init(&again);
    pc_status status = run_one(element, params, W, impact->v0, times, n, out, &again, err);
    pc_impact_free(&again);
    return status;
}
