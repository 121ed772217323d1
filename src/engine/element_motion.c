/* The motion of an impact of elements: see element_motion.h.
 *
 * A body that moves while its contact lasts, the equations, steps by series or by the integrator, explicit, or stiff
 * where damping asks for that, and at last the units of the scaled problem and its workspace.
 */
#include "engine/element_motion.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "math/linsolve.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- a body that moves ---- */

static double unit_of_velocity(const motion *d, int i)
{
    return i < d->body->n_u - d->body->n_q ? d->scales.velocity : d->spin;
}

void pc_element_begin_body(const motion *d, double *state)
{
    double *u = state + BODY + d->body->n_q;
    for (int i = 0; i < d->body->n_u; i++) u[i] = d->body->u0[i] / unit_of_velocity(d, i);
}

void pc_element_body_at(const motion *d, const double *state, double q[PC_ELEMENT_DOF], double u[PC_ELEMENT_DOF])
{
    const int n_q = d->body->n_q, n_u = d->body->n_u;
    const double *at = state + BODY;
    for (int i = 0; i < n_q; i++) q[i] = at[i] * d->turn;
    for (int i = 0; i < n_u; i++) u[i] = at[n_q + i] * unit_of_velocity(d, i);
}

double pc_element_gained(const motion *d, const double *state)
{
    double q[PC_ELEMENT_DOF], u[PC_ELEMENT_DOF];
    pc_element_body_at(d, state, q, u);
    return (d->body->energy(d->body->self, q, u) - d->energy0) / d->work;
}

static void place_body(const motion *d, const double *state)
{
    double q[PC_ELEMENT_DOF], u[PC_ELEMENT_DOF], speed = d->scales.velocity, mass = d->scales.mass;
    const pc_element_body *b = d->body;
    pc_element_frame *f = d->frame;
    pc_element_body_at(d, state, q, u);
    b->place(b->self, q, u, f);
    d->W[0] = f->W.tt * mass;
    d->W[1] = d->W[2] = f->W.tn * mass;
    d->W[3] = f->W.nn * mass;
    for (int i = 0; i < 2; i++) {
        f->v[i] /= speed;
        f->size[i] /= speed;
        f->c[i] *= d->time / speed;
    }
    for (int i = 0; i < b->n_u; i++) {
        double unit = unit_of_velocity(d, i);
        f->bias[i] *= d->time / unit;
        f->across[i] *= d->impulse / unit;
        f->along[i] *= d->impulse / unit;
    }
}

static void body_rates(const motion *d, const pc_contact_values *m, double clock, const double *state, double *rate)
{
    const int n_q = d->body->n_q, n_u = d->body->n_u;
    const pc_element_frame *f = d->frame;
    const double *turning = state + BODY + n_u;
    double *go = rate + BODY, *push = go + n_q;
    for (int i = 0; i < n_q; i++) go[i] = clock * turning[i];
    for (int i = 0; i < n_u; i++) push[i] = clock * (f->bias[i] + f->across[i] * m->Ft + f->along[i] * m->Fn);
    if (clock != 0) return;
    for (int i = 0; i < n_q + n_u; i++) go[i] = 0;
}

/* ---- equations ---- */

static double power(double y, int n)
{
    double x = 1;
    for (; n > 0; n--) x *= y;
    return x;
}

static double clock_of(const motion *d, double y)
{
    return d->root * power(y, d->root - 1);
}

/* Indentation, and its root where the state holds that. Beyond the parting it goes on with odd symmetry. */
static void place(const motion *d, const contact *c, double held, pc_contact_values *m)
{
    int root = d->root;
    m->y = held;
    m->u = held;
    if (d->k == 1) m->u = c->shape.offset + (root == 2 ? copysign(held * held, held) : power(held, root));
}

/* F_t of a held point: see keep_at_rest. */
static void press(const contact *c, pc_contact_values *m)
{
    m->Fn = m->Ft = 0;
    if (!c->open) pc_contact_forces(&c->base, m);
}

/* ---- rigid tangential elements that stick ----
 *
 * Contacts that stick without an element of their own hold v_t = 0: their friction forces are those that keep all of
 * these velocities at rest against every other force,
 *
 *     W_SS F_S = -(what the normal forces and the friction of the others do to v_S).
 *
 * Where more contacts stick than the bodies have freedoms W_SS is singular and the forces are not determined, though
 * the motion is; the smallest ones are taken.
 */

static double mobility(const motion *d, int i, int part_i, int j, int part_j)
{
    return d->W[(size_t)(2 * i + part_i) * 2 * (size_t)d->k + (size_t)(2 * j + part_j)];
}

static bool is_rigid(const contact *c)
{
    return c->base.p.tangential.kind == PC_TANGENTIAL_RIGID && c->base.p.tangential.mu > 0;
}

/* W_SS and its pseudo-inverse, column by column. */
void pc_element_hold(motion *d)
{
    int n = 0;
    for (int i = 0; i < d->k; i++)
        if (sticks(&d->contacts[i]) && is_rigid(&d->contacts[i])) d->held[n++] = i;
    d->n_held = n;
    double *column = d->hold.inverse;
    for (int m = 0; m < n; m++, column += n) {
        for (int i = 0; i < n * n; i++) d->hold.A[i] = mobility(d, d->held[i / n], PC_T, d->held[i % n], PC_T);
        for (int i = 0; i < n; i++) column[i] = i == m;
        pc_least_norm(d->hold.A, n, PC_RANK_TOLERANCE, column, d->hold.work, d->order);
    }
}

/* Forces, or their rates, at those that hold, from all the others in `all`. */
static void keep_at_rest(const motion *d, pc_contact_values *all, bool rates)
{
    int n = d->n_held;
    if (n == 0) return;
    if (d->body) { /* whose W has changed since */
        if (!rates) all->Ft = d->W[0] > 0 ? -(d->W[1] * all->Fn + d->frame->c[PC_T]) / d->W[0] : 0;
        return;
    }
    double *b = d->hold.work;
    for (int l = 0; l < n; l++) {
        b[l] = 0;
        int i = d->held[l];
        for (int j = 0; j < d->k; j++) {
            const contact *c = &d->contacts[j];
            bool held = !c->open && pc_contact_is_constrained(&c->base);
            b[l] += mobility(d, i, PC_T, j, PC_N) * (rates ? all[j].dFn : all[j].Fn);
            if (!held) b[l] += mobility(d, i, PC_T, j, PC_T) * (rates ? all[j].dFt : all[j].Ft);
        }
    }
    for (int l = 0; l < n; l++) {
        double sum = 0;
        for (int m = 0; m < n; m++) sum -= d->hold.inverse[l * n + m] * b[m];
        *(rates ? &all[d->held[l]].dFt : &all[d->held[l]].Ft) = sum;
    }
}

/* ---- what resists rolling ----
 *
 * With the rate as a third velocity, times the length, M = [W x; x' own], x = cross. While it rolls the couple is
 * -+F_n, while it is held that which keeps the rate at zero; either way it is linear in F, and what F does to v is a
 * matrix of its own, no longer symmetric in the first case. Velocities go on from where the one becomes the other. */

double pc_element_turning(const motion *d, const double *state)
{
    return d->rolling.rate + d->rolling.by[PC_T] * state[PT] + d->rolling.by[PC_N] * state[PN];
}

double pc_element_couple(const motion *d, const double *state)
{
    return d->rolling.couple + d->rolling.with[PC_T] * state[PT] + d->rolling.with[PC_N] * state[PN];
}

void pc_element_roll(motion *d, int roll, const double *state)
{
    const double *W = d->rolling.W, *x = d->rolling.cross, own = d->rolling.own, *p = state + PT;
    double rate = roll != 0 ? pc_element_turning(d, state) : 0, couple = pc_element_couple(d, state), v[2];
    for (int i = 0; i < 2; i++) v[i] = d->v0[i] + d->W[2 * i] * p[0] + d->W[2 * i + 1] * p[1];
    for (int j = 0; j < 2; j++) d->rolling.with[j] = roll != 0 ? (j == PC_N ? -roll : 0) : -x[j] / own;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) d->W[2 * i + j] = W[2 * i + j] + x[i] * d->rolling.with[j];
        d->v0[i] = v[i] - (d->W[2 * i] * p[0] + d->W[2 * i + 1] * p[1]);
        d->rolling.by[i] = roll != 0 ? x[i] + own * d->rolling.with[i] : 0;
    }
    d->rolling.rate = rate - (d->rolling.by[0] * p[0] + d->rolling.by[1] * p[1]);
    d->rolling.couple = couple - (d->rolling.with[0] * p[0] + d->rolling.with[1] * p[1]);
    d->contacts[0].base.roll = roll;
}

double pc_element_worked(const motion *d, const double *state, const pc_contact_values *m)
{
    const double *v0 = d->task->turning ? d->rolling.v0 : d->v0;
    double sum = state[PT] * (v0[PC_T] + m->v_t) + state[PN] * (v0[PC_N] - m->w);
    if (d->task->turning) sum += pc_element_couple(d, state) * (d->rolling.rate0 + pc_element_turning(d, state));
    return sum / 2;
}

/* ---- values and rates ---- */

/* Rates of the forces, and slip; all forces are known. */
static void follow(const motion *d, int i, pc_contact_values *all)
{
    const contact *c = &d->contacts[i];
    pc_contact_values *m = &all[i];
    if (c->open) {
        m->dFn = m->dFt = m->slip = m->creep = 0;
        return;
    }
    const double *row = d->W + (size_t)(2 * i + 1) * 2 * (size_t)d->k;
    double dw = d->body ? -d->frame->c[PC_N] : 0;
    for (int j = 0; j < d->k; j++) dw -= row[2 * j] * all[j].Ft + row[2 * j + 1] * all[j].Fn;
    if (pc_tangential_is_damped(&c->base.p.tangential)) {
        row -= 2 * d->k;
        m->dv_t = d->body ? d->frame->c[PC_T] : 0;
        for (int j = 0; j < d->k; j++) m->dv_t += row[2 * j] * all[j].Ft + row[2 * j + 1] * all[j].Fn;
    }
    pc_contact_rates(&c->base, m, dw);
}

/* What forces do to one another, and their rates. */
static inline void react(const motion *d, pc_contact_values *all)
{
    keep_at_rest(d, all, false);
    for (int i = 0; i < d->k; i++) follow(d, i, all);
    keep_at_rest(d, all, true);
}

void pc_element_values(const motion *d, const double *state, pc_contact_values *out)
{
    if (d->body) place_body(d, state);
    for (int i = 0; i < d->k; i++) {
        const double *row = d->W + (size_t)(2 * i) * 2 * (size_t)d->k, *next = row + 2 * d->k;
        double vt = d->v0[2 * i], vn = d->v0[2 * i + 1];
        for (int j = 0; j < d->k; j++) {
            double pt = state[j * PER_CONTACT + PT], pn = state[j * PER_CONTACT + PN];
            vt += row[2 * j] * pt + row[2 * j + 1] * pn;
            vn += next[2 * j] * pt + next[2 * j + 1] * pn;
        }
        if (d->body) vt = d->frame->v[PC_T], vn = d->frame->v[PC_N];
        pc_contact_values *m = &out[i];
        m->v_t = vt + d->shift[2 * i];
        m->w = -(vn + d->shift[2 * i + 1]);
        m->q = state[i * PER_CONTACT + Q];
        const contact *c = &d->contacts[i];
        for (int j = 0; j < c->base.p.memory; j++) m->recall[j] = state[c->recall + j];
        place(d, &d->contacts[i], state[i * PER_CONTACT + Y], m);
        press(&d->contacts[i], m);
    }
    react(d, out);
    if (!d->task->turning) return;
    out->turn = pc_element_turning(d, state);
    out->hold = -(d->rolling.cross[PC_T] * out->Ft + d->rolling.cross[PC_N] * out->Fn) / d->rolling.own;
}

void pc_element_resolve(const motion *d, const double *state)
{
    size_t side = 2 * (size_t)d->k;
    for (size_t i = 0; i < side; i++) {
        double size = d->body ? d->frame->size[i] : fabs(d->v0[i]);
        for (int j = 0; j < d->k && !d->body; j++) {
            const double *w = d->W + i * side + 2 * j, *own = state + j * PER_CONTACT;
            size += fabs(w[0] * own[PT]) + fabs(w[1] * own[PN]);
        }
        d->contacts[i / 2].fine[i % 2] = pc_rounding(size);
    }
}

void pc_element_reshape(motion *d, int i, double u, double *state)
{
    contact *c = &d->contacts[i];
    if (!d->series) return;
    double before = c->shape.offset, *held = &state[i * PER_CONTACT + Y];
    pc_indent x = {.u = u, .branch = c->base.branch, .memory = c->base.memory};
    c->base.element->shape(&c->base.p, &x, c->base.kink_side < 0, &c->shape);
    c->base.shape = &c->shape;
    double deep = u - c->shape.offset;
    if (c->shape.offset != before)
        *held = c->base.p.root == 1 ? deep : copysign(pow(fabs(deep), 1.0 / c->base.p.root), deep);
}

/* The stretch of what slips follows the normal force: see pc_contact_stretch_follows. */
static bool follows(const motion *d, const contact *c)
{
    return d->way == BY_STIFF_STEPS && !c->open && pc_contact_stretch_follows(&c->base);
}

double pc_element_apart(const motion *d, int i, const pc_contact_values *m)
{
    const contact *c = &d->contacts[i];
    if (pc_contact_has_rings(&c->base)) return m->kept;
    return follows(d, c) ? pc_contact_stored_along(&c->base, m) : 0;
}

static inline void rates(const motion *d, const double *state, const pc_contact_values *all, double *rate)
{
    double clock = clock_of(d, all->y);
    if (d->body) body_rates(d, all, clock, state, rate);
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        const pc_contact_values *m = &all[i];
        double *r = rate + i * PER_CONTACT;
        r[Y] = m->w;
        for (int j = 0; j < c->base.p.memory; j++) rate[c->recall + j] = 0;
        r[Q] = r[UT] = r[PT] = r[PN] = r[WN] = r[WF] = 0;
        if (c->open || clock == 0) continue; /* at the touch itself all but y stands still */
        r[PT] = clock * m->Ft;
        r[PN] = clock * m->Fn;
        r[WN] = -clock * m->Fn * m->w;
        r[UT] = clock * m->creep;
        if (pc_contact_has_rings(&c->base))
            r[Q] = m->v_t, r[WF] = m->Ft * m->v_t;
        else if (sticks(c))
            r[Q] = clock * m->v_t * pc_tangential_gain(&c->base.p.tangential, &m->n);
        else
            r[WF] = m->Ft != 0 ? clock * m->Ft * m->slip : 0;
        if (c->base.p.memory > 0) {
            pc_contact_remember(&c->base, m, rate + c->recall);
            for (int j = 0; j < c->base.p.memory; j++) rate[c->recall + j] *= clock;
        }
        if (follows(d, c)) r[WF] = clock * (m->Ft * m->v_t - m->stretching);
        if (c->base.roll != 0) r[WF] -= clock * c->base.roll * m->Fn * m->turn;
    }
    rate[d->n - 1] = clock;
}

static int rhs(double tau, const double *state, double *rate, void *context)
{
    motion *d = context;
    (void)tau;
    pc_element_values(d, state, d->now);
    rates(d, state, d->now, rate);
    return 0;
}

/* Slopes of all rates where one number, *x, changes by h, and with it what has a value. */
static void difference(motion *d, const double *state, double *x, double value, double h)
{
    const int n = d->n;
    double *slope = d->spare + n, kept = *x;
    *x += h;
    h = value + h - value;
    rhs(0, state, slope, d);
    *x = kept;
    for (int row = 0; row < n; row++) slope[row] = (slope[row] - d->spare[row]) / h;
}

/* Rates follow from where each contact stands: they are linear or nearly so in its w, v_t and q and smooth in y, all
 * of which are about 1. What velocities owe to the impulses on a frozen configuration is linear. Differences in the
 * impulses themselves, which may be a million times as great, would be all rounding. */
static int jacobian(double tau, const double *state, double *J, void *context)
{
    motion *d = context;
    (void)tau;
    const double step = sqrt(DBL_EPSILON), least = 1e-3;
    const size_t n = (size_t)d->n, side = 2 * (size_t)d->k;
    double *slope = d->spare + n, *changed = slope + n;
    memcpy(changed, state, n * sizeof *changed);
    pc_element_values(d, state, d->probe);
    rates(d, state, d->probe, d->spare);
    for (size_t column = 0; column + 1 < n; column++) {
        size_t part = column < (size_t)d->k * PER_CONTACT ? column % PER_CONTACT : Y;
        double value = state[column], h = step * fmax(fabs(value), least);
        if (part > Q) continue;
        /* mirror images take mirrored differences */
        difference(d, changed, &changed[column], value, part == Q && !d->body ? copysign(h, value) : h);
        for (size_t row = 0; row < n; row++) J[row * n + column] += slope[row];
    }
    for (size_t i = 0; i < side && !d->body; i++) {
        const pc_contact_values *m = &d->probe[i / 2];
        double value = i % 2 == PC_T ? m->v_t : -m->w, h = step * fmax(fabs(value), least);
        difference(d, changed, &d->shift[i], value, copysign(h, i % 2 == PC_T ? value : -1));
        for (size_t row = 0; row < n; row++)
            for (size_t j = 0; j < side; j++)
                J[row * n + j / 2 * PER_CONTACT + PT + j % 2] += slope[row] * d->W[i * side + j];
    }
    return 0;
}

/* How far contact i is from what its mode allows: beyond the cone in stick, accelerated against the slip in slip. */
static double excess(const motion *d, int i, const pc_contact_values *all)
{
    const contact *c = &d->contacts[i];
    if (sticks(c)) return fabs(all[i].Ft) - c->base.p.tangential.mu * fmax(all[i].Fn, 0);
    double a = 0;
    for (int j = 0; j < d->k; j++)
        a += mobility(d, i, PC_T, j, PC_T) * all[j].Ft + mobility(d, i, PC_T, j, PC_N) * all[j].Fn;
    return -c->base.sign * a;
}

/* Forces have jumped: which of the rigid points at rest stick, and which begin to slide? Normal forces are given, so
 * this is a complementarity problem with bounds and a positive matrix, solved by changing the worst offender, then, by
 * Murty's rule, the first one, which ends. */
void pc_element_balance(motion *d, const double *y, pc_contact_values *out)
{
    const double rest = 10 * d->task->tolerance;
    const int patience = 2 * d->k, most = patience + (d->k < 16 ? 1 << d->k : 1 << 16);
    for (int i = 0; i < d->k; i++) {
        contact *c = &d->contacts[i];
        if (slips(c) && is_rigid(c) && fabs(out[i].v_t) <= rest) c->base.stuck = c->base.fresh = true;
    }
    for (int turn = 0; turn < most; turn++) {
        pc_element_hold(d);
        pc_element_values(d, y, out);
        int who = -1;
        double worst = rest;
        for (int i = 0; i < d->k; i++) {
            const contact *c = &d->contacts[i];
            if (c->open || !is_rigid(c) || fabs(out[i].v_t) > rest) continue;
            double off = excess(d, i, out);
            if (off > worst && (who < 0 || turn < patience)) who = i, worst = turn < patience ? off : worst;
        }
        if (who < 0) return;
        contact *c = &d->contacts[who];
        c->base.fresh = true;
        if (sticks(c)) c->base.sign = out[who].Ft < 0 ? 1 : -1;
        c->base.stuck = !c->base.stuck;
    }
}

/* ---- steps ---- */

/* The series of a step lie where its dense output does. */
enum { BLOCK = PC_SERIES_BLOCK };
_Static_assert((int)PC_SERIES_Y == Y && (int)PC_SERIES_Q == Q && (int)PC_SERIES_PT == PT && (int)PC_SERIES_PN == PN &&
                   PC_SERIES_STRETCH == UT - BLOCK && PC_SERIES_WN == WN - BLOCK && PC_SERIES_WF == WF - BLOCK,
               "the state holds what the series tell, in their order");

static const pc_expansion *series_of(const motion *d)
{
    return (const void *)d->own.c;
}

/* Step over radius of convergence: 1e-13^(1/32), 1e-13 being what the first term left out may be. */
static const double PACE = 0.39;

/* Longest step by series or explicit, scaled: guards are looked at in five places of it. */
static const double LONGEST = 0.5;

/* What is damped keeps steps short long after it has died away. By series such steps are some 4.8 times the time of
 * the damping while there is something left of it and 12 when that is rounding, explicitly about 6; stiff ones know no
 * such bound, and with less than NOT_STIFF another way would be as good. */
static const double EDGE_OF_SERIES = 8, EDGE_OF_EXPLICIT_STEPS = 4, NOT_STIFF = 3;
enum { STIFF_STEPS = 8, NOT_STIFF_STEPS = 6 };

const double *pc_element_at(const motion *d)
{
    return d->way == BY_SERIES ? d->at : d->stepper.y;
}

/* A stiff step's polynomial does not know what its stages have damped, and forces tell a millionth of that: the step is
 * made again, up to there. It has the same beginning and so the same Jacobian. */
static void within(const motion *d, double x, double *state)
{
    pc_stepper *s = d->inside;
    const double *y = x == 1 ? d->stepper.y : x == 0 ? s->y : s->y_new;
    double error;
    if (y == s->y_new) s->method->attempt(s, x * d->own.h, &error);
    memcpy(state, y, (size_t)d->n * sizeof *state);
}

void pc_element_motion_at(const motion *d, double x, double *state)
{
    if (d->way == BY_SERIES)
        d->series->sum(series_of(d)->motion, x, state);
    else if (d->way == BY_STIFF_STEPS)
        within(d, x, state);
    else
        pc_dense_eval(d->step, x, state);
}

void pc_element_state_at(const motion *d, double x, double *state)
{
    pc_element_motion_at(d, x, state);
    if (d->way == BY_SERIES) d->series->sum(series_of(d)->rest, x, state + BLOCK);
}

double pc_element_time_at(const motion *d, double x)
{
    if (d->way == BY_SERIES) {
        double rest[BLOCK];
        d->series->sum(series_of(d)->rest, x, rest);
        return rest[PC_SERIES_TIME];
    }
    const pc_dense *step = d->step;
    if (d->way == BY_EXPLICIT_STEPS) return pc_poly_eval(step->c + (d->n - 1) * (step->degree + 1), step->degree, x);
    within(d, x, d->spare);
    return d->spare[d->n - 1];
}

/* The series converge up to the nearest singularity in the complex plane, and fall off like (h/radius)^k. The radius is
 * the least |c_k|^(-1/k) of the later coefficients; from a touch only every (PC_SERIES_POWER + 1)-th need differ from
 * 0. Of |c_k| the exponent is enough. */
static double reach(const pc_expansion *s)
{
    double least = INFINITY;
    for (int k = PC_SERIES_ORDER - PC_SERIES_POWER; k <= PC_SERIES_ORDER; k++) {
        /* the greatest has the greatest bits */
        uint64_t bits[6], most = 0;
        memcpy(bits, s->motion[k], BLOCK * sizeof *bits);
        memcpy(bits + BLOCK, s->rest[k], 2 * sizeof *bits);
        for (int i = 0; i < 6; i++) most = bits[i] << 1 > most ? bits[i] << 1 : most;
        double size = -((double)(most >> 53) - 1022) / k;
        if (most > 0 && size < least) least = size;
    }
    return fmin(exp2(least) * PACE, LONGEST);
}

static void series_step(motion *d)
{
    const contact *c = &d->contacts[0];
    const pc_contact_values *m = d->node[0];
    pc_course course = {d->W[0], d->W[1], d->W[3], d->at[Y], d->at[Q], m->v_t, m->w, slips(c) ? c->base.sign : 0};
    pc_tangential e = c->base.p.tangential;
    if (c->base.p.pulls && c->base.kink_side < 0) e.mu = 0;
    pc_expansion *s = (void *)d->own.c;
    d->series->expand(&c->shape, c->base.p.root, &e, &course, s);
    double h = reach(s);
    d->series->scale(s, h);
    s->motion[0][PC_SERIES_PT] = d->at[PT];
    s->motion[0][PC_SERIES_PN] = d->at[PN];
    memcpy(s->rest[0], d->at + BLOCK, BLOCK * sizeof *d->at);
    pc_element_state_at(d, 1, d->at);
    d->own.t = d->tau;
    d->own.h = h;
    d->tau += h;
}

/* Rate at which damping takes away what forces do not keep up, in the time of steps. A point that friction holds moves
 * along where the normal force pushes it. */
static double damping(const motion *d)
{
    const pc_contact_values *m = d->node[0];
    double most = 0;
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        const double *to_t = d->W + (size_t)(2 * i) * 2 * (size_t)d->k + 2 * i, *to_n = to_t + 2 * d->k;
        double along = sticks(c) ? c->base.p.tangential.ct * to_t[0] : 0;
        most = fmax(most, along);
        if (c->open || m[i].n.dFdw == 0) continue;
        double give = to_n[1];
        if (slips(c))
            give -= c->base.p.tangential.mu * c->base.sign * to_n[0];
        else if (c->base.p.tangential.kind == PC_TANGENTIAL_RIGID && to_t[0] > 0)
            give -= to_n[0] * (to_n[0] / to_t[0]);
        most = fmax(most, fabs(give * m[i].n.dFdw) + along);
    }
    return most * fabs(clock_of(d, m->y));
}

/* Change of the indentation in the longest step, as a share, below which a contact creeps. */
static const double CREEP = 1e-2;

/* Dashpots that friction holds may leave next to no motion long before the end: explicit steps would be many, whatever
 * their error. */
static bool creeps(const motion *d)
{
    const pc_contact_values *m = d->node[0];
    bool all = true;
    for (int i = 0; i < d->k && all; i++) {
        const contact *c = &d->contacts[i];
        all = sticks(c) && c->base.p.tangential.kind == PC_TANGENTIAL_DASHPOT &&
              fabs(m[i].w) * LONGEST < CREEP * (d->k == 1 ? m[i].y : m[i].u);
    }
    return all;
}

pc_status pc_element_take(motion *d, pc_element_way way, pc_error *err)
{
    d->way = way;
    d->at_limit = 0;
    if (way == BY_SERIES) return PC_OK;
    bool stiff = way == BY_STIFF_STEPS;
    bool brief = pc_contact_has_rings(&d->contacts[0].base);
    const pc_ode_method *method = stiff ? &pc_ode_rodas5p : brief ? &pc_ode_dopri5 : &pc_ode_dop853;
    pc_ode_settings settings = {.rtol = d->task->tolerance,
                                .atol = d->task->tolerance,
                                .max_step = stiff ? INFINITY : LONGEST,
                                .max_steps = INT_MAX};
    pc_stepper_close(&d->stepper);
    pc_stepper_close(d->inside);
    *d->inside = (pc_stepper){0};
    d->problem.scale = stiff ? d->scale : NULL;
    pc_status status = pc_stepper_open(&d->stepper, method, &d->problem, &settings, err);
    if (!status && stiff) status = pc_stepper_open(d->inside, method, &d->problem, &settings, err);
    return status;
}

/* Count the steps that speak for another way, and go on by that when there have been enough. */
static pc_status choose(motion *d, pc_error *err)
{
    bool stiff = d->way == BY_STIFF_STEPS;
    if (d->at_limit < (stiff ? NOT_STIFF_STEPS : STIFF_STEPS)) return PC_OK;
    double tau = d->way == BY_SERIES ? d->tau : d->stepper.t;
    double *y = d->state;
    memcpy(y, pc_element_at(d), (size_t)d->n * sizeof *y);
    for (int i = 0; i < d->k; i++) y[i * PER_CONTACT + WF] += pc_element_apart(d, i, &d->node[0][i]);
    pc_status status = pc_element_take(d, !stiff ? BY_STIFF_STEPS : d->series ? BY_SERIES : BY_EXPLICIT_STEPS, err);
    for (int i = 0; i < d->k; i++) y[i * PER_CONTACT + WF] -= pc_element_apart(d, i, &d->node[0][i]);
    return status ? status : pc_element_start(d, tau, y, err);
}

/* Later than any contact ends that does not creep, in scaled time. */
static const double HORIZON = 1e12;

/* No component of a stiff step is asked for more than what rounding of the velocities leaves of it. The stretch follows
 * from the motion, and in slip a damper makes a rate of that rounding. */
static void weigh(motion *d)
{
    double step = d->stepper.h_next / d->task->tolerance, time = step * fabs(clock_of(d, d->node[0]->y));
    pc_element_resolve(d, pc_element_at(d));
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        const pc_contact_values *m = &d->node[0][i];
        double *own = d->scale + i * PER_CONTACT;
        own[Y] = fmax(1, step * c->fine[PC_N]);
        own[Q] = fmax(1, time * c->fine[PC_T] * pc_tangential_gain(&c->base.p.tangential, &m->n));
        own[PT] = own[PN] = 1;
        own[WN] = fmax(1, time * c->fine[PC_N] * fabs(m->Fn));
        double rough = c->fine[PC_N] * c->base.p.tangential.mu * m->n.dFdw; /* of F_t in slip */
        own[WF] = fmax(1, time * (fabs(m->Ft) * c->fine[PC_T] + fabs(m->v_t) * rough));
        own[UT] = INFINITY;
    }
    for (int i = d->k * PER_CONTACT; i < d->n; i++) d->scale[i] = 1;
}

static pc_status integrate(motion *d, pc_error *err)
{
    if (d->stepper.t >= HORIZON)
        return pc_fail_at(err, PC_E_LIMIT, d->stepper.y[d->n - 1] * d->time, "time",
                          "the contact has not ended after %.0e times its own time: the bodies creep away from each "
                          "other",
                          HORIZON);
    if (d->way == BY_STIFF_STEPS) weigh(d);
    bool rings = pc_contact_has_rings(&d->contacts[0].base);
    pc_status status = pc_stepper_step(&d->stepper, rings ? d->carry : HORIZON, err);
    if (status) return status;
    if (d->way == BY_EXPLICIT_STEPS) return pc_stepper_dense(&d->stepper, &d->step, err);
    d->own.t = d->stepper.t_old;
    d->own.h = d->stepper.h;
    return pc_stepper_start(d->inside, d->stepper.t_old, d->stepper.y_old, err);
}

/* Where they cost something, slopes are found once a step, for what is judged by them. */
static void find_slopes(motion *d)
{
    for (int i = 0; i < d->k; i++) {
        pc_contact_values *m = &d->node[0][i];
        const contact *c = &d->contacts[i];
        if (c->open || !m->lean || !c->base.element->rate) continue;
        m->lean = false;
        pc_contact_normal(&c->base, m);
        m->lean = true;
    }
}

pc_status pc_element_step(motion *d, pc_error *err)
{
    find_slopes(d);
    pc_status status = choose(d, err);
    d->step = &d->own;
    if (!status && d->way != BY_SERIES) status = integrate(d, err);
    if (status) return status;
    if (d->way == BY_SERIES) series_step(d);
    double reach = damping(d) * d->step->h;
    double edge = d->way == BY_SERIES ? EDGE_OF_SERIES : EDGE_OF_EXPLICIT_STEPS;
    bool slow = creeps(d), other = d->way == BY_STIFF_STEPS ? reach < NOT_STIFF && !slow : reach > edge || slow;
    d->at_limit = other ? d->at_limit + 1 : 0;
    return PC_OK;
}

pc_status pc_element_start(motion *d, double tau, const double *y, pc_error *err)
{
    if (d->way != BY_SERIES) return pc_stepper_start(&d->stepper, tau, y, err);
    memcpy(d->at, y, (size_t)d->n * sizeof *y);
    d->tau = tau;
    return PC_OK;
}

/* ---- units and workspace ---- */

/* The greatest closing speed of contact i as in rigid mechanics, m/s: slip that jams (w_nn < mu s w_nt) drives the
 * bodies together until friction has stopped it. An impact may be a thousand times as hard as its approach tells. */
static double closing(const pc_element_task *task, int i, double mu)
{
    size_t side = 2 * (size_t)task->k, t = 2 * (size_t)i, n = t + 1;
    double tt = task->W[t * side + t], tn = task->W[t * side + n], nn = task->W[n * side + n];
    double vt = fabs(task->v0[t]), vn = fmax(-task->v0[n], 0), along = task->v0[t] < 0 ? -tn : tn;
    double jam = mu * along - nn, stopping = mu * tt - along;
    return jam > 0 && stopping > 0 ? vn + jam * vt / stopping : vn;
}

/* Scale by a speed what is approached with another. */
static void scale(motion *d, double speed, double approach)
{
    const pc_element_task *task = d->task;
    size_t side = 2 * (size_t)d->k;
    pc_scales *s = &d->scales;
    s->mass = 1 / task->W[side + 1];
    s->velocity = speed;
    s->length = task->contacts[0].element->length(task->contacts[0].params, s->mass, speed);
    d->time = s->length / speed;
    d->impulse = s->mass * speed;
    d->work = d->impulse * speed;
    d->force = d->work / s->length;
    for (size_t i = 0; i < side * side; i++) d->W[i] = task->W[i] * s->mass;
    for (size_t i = 0; i < side; i++) d->v0[i] = task->v0[i] / speed;
    for (int i = 0; i < d->k; i++) {
        const pc_element_contact *from = &task->contacts[i];
        double own = task->W[(2 * (size_t)i + 1) * (side + 1)];
        d->contacts[i].base.element = from->element;
        from->element->prepare(from->params, s, 1 / own, approach, &d->contacts[i].base.p);
    }
}

/* Units of a body, and its energy as it begins. */
static void prepare_body(motion *d)
{
    const pc_element_body *b = d->body;
    const double q[PC_ELEMENT_DOF] = {0}, reach = b->reach > 0 ? b->reach : d->scales.length;
    d->turn = d->scales.length / reach;
    d->spin = d->scales.velocity / reach;
    d->energy0 = b->energy(b->self, q, b->u0);
}

/* In the units of the others, as it begins. */
static void prepare_rolling(motion *d)
{
    const pc_turning *t = d->task->turning;
    const double length = t->rolling, mass = d->scales.mass;
    contact *c = &d->contacts[0];
    for (int i = 0; i < 4; i++) d->rolling.W[i] = d->W[i];
    for (int i = 0; i < 2; i++) {
        d->rolling.v0[i] = d->v0[i];
        d->rolling.cross[i] = length * t->cross[PC_T2][i] * mass;
    }
    d->rolling.own = length * length * t->own[PC_T2][PC_T2] * mass;
    d->rolling.rate = d->rolling.rate0 = length * t->rate[PC_T2] / d->scales.velocity;
    c->base.rolling = length;
    pc_element_roll(d, (d->rolling.rate > 0) - (d->rolling.rate < 0), d->state);
}

static pc_status prepare(motion *d, pc_error *err)
{
    const pc_element_task *task = d->task;
    double wnn = task->W[2 * (size_t)d->k + 1], approach = 0, speed = 0;
    if (!(wnn > 0 && task->W[0] >= 0))
        return pc_fail(err, PC_E_ARGUMENT, "W needs w_nn > 0 and w_tt >= 0; here w_nn = %.10g, w_tt = %.10g 1/kg", wnn,
                       task->W[0]);
    for (int i = 0; i < d->k; i++) approach = fmax(approach, -task->v0[2 * i + 1]);
    scale(d, approach, approach);
    for (int i = 0; i < d->k; i++) {
        const pc_tangential *e = &d->contacts[i].base.p.tangential;
        bool rings = e->kind == PC_TANGENTIAL_RINGS;
        if (rings && d->body && d->body->persistent)
            return pc_fail(err, PC_E_UNSUPPORTED,
                           "stick = \"persistent\" is for a point that sticks as a whole; rings stick each by itself");
        if (rings && d->k > 1)
            return pc_fail(
                err, PC_E_UNSUPPORTED,
                "contact %d: rings with friction act at one contact, or within a motion; at several contacts "
                "of an impact take a law like coupled or hertz_mindlin",
                i + 1);
        const pc_element *element = task->contacts[i].element;
        double own = task->W[(2 * (size_t)i + 1) * (2 * (size_t)d->k + 1)];
        speed = fmax(speed, closing(task, i, e->mu));
        if (element->sticking_speed) speed = fmax(speed, element->sticking_speed(task->contacts[i].params, 1 / own));
    }
    if (speed > approach) scale(d, speed, approach);
    if (d->body) prepare_body(d);
    if (task->turning) prepare_rolling(d);
    const pc_element_contact *only = d->k == 1 ? task->contacts : NULL;
    pc_status status = PC_OK;
    if (only && only->element->suit) {
        const pc_mobility W = {.tt = task->W[0], .tn = task->W[1], .nn = task->W[3]};
        status = only->element->suit(only->params, &W, &d->contacts[0].base.p, err);
    }
    d->root = d->k > 1 || pc_contact_has_rings(&d->contacts[0].base) ? 1 : d->contacts[0].base.p.root;
    return status;
}

/* Doubles of a cache line, at which the coefficients of series begin. */
enum { LINE = 8 };

pc_status pc_element_open(motion **out, const pc_element_task *task, pc_error *err)
{
    const pc_element_body *body = task->body;
    size_t k = (size_t)task->k, side = 2 * k, n = k * PER_CONTACT + 1;
    if (body) n += (size_t)(body->n_q + body->n_u);
    const size_t recall = n - 1;
    for (size_t i = 0; i < k; i++) {
        const pc_element *e = task->contacts[i].element;
        if (e->memory) n += (size_t)e->memory(task->contacts[i].params);
    }
    bool series = k == 1 && !body && !task->turning && task->contacts[0].element->shape;
    size_t held = 2 * k * k + pc_least_norm_room((int)k); /* of what sticks without an element */
    size_t doubles = side * side + 2 * side + 6 * n + held + (series ? n * (PC_SERIES_ORDER + 2) + LINE : 0);
    size_t values = (1 + PC_GUARD_PLACES + 1) * k;
    motion *d =
        pc_calloc(1, sizeof *d + doubles * sizeof(double) + k * sizeof(contact) + values * sizeof(pc_contact_values) +
                         sizeof(pc_stepper) + 2 * k * sizeof(int) + (body ? sizeof *d->frame : 0));
    if (!d) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", task->k);
    d->k = task->k;
    d->n = (int)n;
    d->task = task;
    d->body = body;
    d->W = d->memory;
    d->v0 = d->W + side * side;
    d->shift = d->v0 + side;
    d->state = d->shift + side;
    d->rest = d->state + n;
    d->scale = d->rest + n;
    d->spare = d->scale + n;
    if (series) {
        d->at = d->spare + 3 * n;
        double *c = d->at + n;
        while ((uintptr_t)c % (LINE * sizeof *c) != 0) c++;
        d->own = (pc_dense){.n = (int)n, .degree = PC_SERIES_ORDER, .c = c};
    }
    d->hold.A = d->memory + doubles - held;
    d->hold.inverse = d->hold.A + k * k;
    d->hold.work = d->hold.inverse + k * k;
    d->contacts = (contact *)(void *)(d->memory + doubles);
    d->now = (pc_contact_values *)(void *)(d->contacts + k);
    d->probe = d->now + k;
    for (int j = 0; j < PC_GUARD_PLACES; j++) d->node[j] = d->probe + k * (size_t)(j + 1);
    d->inside = (pc_stepper *)(void *)(d->now + values);
    d->frame = (pc_element_frame *)(void *)(d->inside + 1);
    d->held = (int *)(void *)(d->frame + (body ? 1 : 0));
    d->order = d->held + k;
    d->problem = (pc_ode_problem){.n = d->n, .rhs = rhs, .jacobian = jacobian, .context = d, .autonomous = true};
    pc_status status = prepare(d, err);
    for (size_t i = 0, at = recall; i < k; at += (size_t)d->contacts[i++].base.p.memory)
        d->contacts[i].recall = (int)at;
    const pc_prepared *only = &d->contacts[0].base.p;
    if (series && only->has_shape && !pc_tangential_is_damped(&only->tangential)) d->series = pc_series_widest();
    /* a rigid element slips with the contact point, and a dashpot by its force, whatever the rates of the forces */
    for (size_t i = 0; i < values; i++) {
        const pc_tangential_kind kind = d->contacts[i % k].base.p.tangential.kind;
        bool rigid = kind == PC_TANGENTIAL_RIGID || kind == PC_TANGENTIAL_DASHPOT;
        d->now[i].force_alone = rigid && i < k;
        d->now[i].lean = rigid && i >= k; /* probes and nodes */
    }
    if (!status) status = pc_element_take(d, d->series ? BY_SERIES : BY_EXPLICIT_STEPS, err);
    if (status)
        pc_free(d);
    else
        *out = d;
    return status;
}

void pc_element_close(motion *d)
{
    for (int i = 0; i < d->k; i++) pc_contact_close_rings(&d->contacts[i].base);
    pc_stepper_close(&d->stepper);
    pc_stepper_close(d->inside);
    pc_free(d);
}
