/* The scaled equations of an impact of elements: see element_impact.h. */
#include "engine/element_impact_internal.h"

#include "base/tolerance.h"
#include "math/linsolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double power(double y, int n)
{
    double x = 1;
    for (; n > 0; n--) x *= y;
    return x;
}

double pc_element_clock(const motion *d, double y)
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
    if (d->body) pc_element_place_body(d, state);
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
        m->v_t = vt;
        m->w = -vn;
        m->q = state[i * PER_CONTACT + Q];
        const contact *c = &d->contacts[i];
        for (int j = 0; j < c->base.p.memory; j++) m->recall[j] = state[c->recall + j];
        place(d, &d->contacts[i], state[i * PER_CONTACT + Y], m);
        press(&d->contacts[i], m);
    }
    react(d, out);
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
    double clock = pc_element_clock(d, all->y);
    if (d->body) pc_element_body_rates(d, all, clock, state, rate);
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
    }
    rate[d->n - 1] = clock;
}

int pc_element_rhs(double tau, const double *state, double *rate, void *context)
{
    motion *d = context;
    (void)tau;
    pc_element_values(d, state, d->now);
    rates(d, state, d->now, rate);
    return 0;
}

/* Rates follow from where each contact stands: they are linear or nearly so in its w, v_t and q and smooth in y, all
 * of which are about 1. What w and v_t owe to impulses is linear. Differences in the impulses themselves, which may be
 * a million times as great, would be all rounding. */
int pc_element_jacobian(double tau, const double *state, double *J, void *context)
{
    motion *d = context;
    (void)tau;
    const double step = sqrt(DBL_EPSILON), least = 1e-3;
    const size_t n = (size_t)d->n, side = 2 * (size_t)d->k;
    pc_contact_values *changed = d->now, *given = d->probe;
    double *f0 = d->spare, *f = f0 + n;
    pc_element_values(d, state, given);
    rates(d, state, given, f0);
    if (d->body) {
        pc_element_body_jacobian(d, state, step, least, J);
        return 0;
    }
    for (size_t i = 0; i < (size_t)d->k; i++) {
        const double *toward_t = d->W + 2 * i * side, *toward_n = toward_t + side;
        const int memory = d->contacts[i].base.p.memory;
        for (int which = 0; which < 4 + memory; which++) {
            memcpy(changed, given, (size_t)d->k * sizeof *given);
            pc_contact_values *m = &changed[i];
            double *x = which > PN    ? &m->recall[which - 4]
                        : which == Y  ? (d->k == 1 ? &m->y : &m->u)
                        : which == Q  ? &m->q
                        : which == PT ? &m->v_t
                                      : &m->w;
            /* mirror images take mirrored differences */
            double before = *x, h = copysign(step * fmax(fabs(before), least), which == Q || which == PT ? before : 1);
            *x = before + h;
            h = *x - before;
            if (which == Y) place(d, &d->contacts[i], *x, m);
            press(&d->contacts[i], m);
            react(d, changed);
            rates(d, state, changed, f);
            for (size_t row = 0; row < n; row++) {
                double slope = (f[row] - f0[row]) / h, *to = J + row * n;
                if (which == Y || which == Q || which > PN) {
                    to[which > PN ? (size_t)(d->contacts[i].recall + which - 4) : i * PER_CONTACT + (size_t)which] +=
                        slope;
                    continue;
                }
                for (size_t j = 0; j < (size_t)d->k; j++) {
                    to[j * PER_CONTACT + PT] += which == PT ? slope * toward_t[2 * j] : -slope * toward_n[2 * j];
                    to[j * PER_CONTACT + PN] +=
                        which == PT ? slope * toward_t[2 * j + 1] : -slope * toward_n[2 * j + 1];
                }
            }
        }
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
