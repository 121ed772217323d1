/* The scaled equations of an impact of elements: see element_impact.h. */
#include "engine/element_impact_internal.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static double power(double y, int n)
{
    double x = 1;
    for (; n > 0; n--) x *= y;
    return x;
}

double pc_element_clock(const drive *d, double y)
{
    return d->root * power(y, d->root - 1);
}

/* Indentation, and its root where the state holds that. Beyond the parting it goes on with odd symmetry. */
static void place(const drive *d, const contact *c, double held, pc_contact_values *m)
{
    int root = d->root;
    m->y = held;
    m->u = held;
    if (d->k == 1) m->u = c->shape.offset + (root == 2 ? copysign(held * held, held) : power(held, root));
}

/* F_t of a held point: see pc_element_held. */
static void press(const contact *c, pc_contact_values *m)
{
    m->Fn = m->Ft = 0;
    if (!c->open) pc_contact_forces(&c->base, m);
}

/* Rates of the forces, and slip; all forces are known. */
static void follow(const drive *d, int i, pc_contact_values *all)
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
    pc_contact_rates(&c->base, m, dw);
}

/* What forces do to one another, and their rates. */
static inline void react(const drive *d, pc_contact_values *all)
{
    pc_element_held(d, all, false);
    for (int i = 0; i < d->k; i++) follow(d, i, all);
    pc_element_held(d, all, true);
}

void pc_element_values(const drive *d, const double *state, pc_contact_values *out)
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
        place(d, &d->contacts[i], state[i * PER_CONTACT + Y], m);
        press(&d->contacts[i], m);
    }
    react(d, out);
}

void pc_element_resolve(const drive *d, const double *state)
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

void pc_element_reshape(drive *d, int i, double u, double *state)
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
static bool follows(const drive *d, const contact *c)
{
    return d->way == BY_STIFF_STEPS && !c->open && pc_contact_stretch_follows(&c->base);
}

double pc_element_apart(const drive *d, int i, const pc_contact_values *m)
{
    const contact *c = &d->contacts[i];
    if (pc_contact_has_rings(&c->base)) return m->kept;
    return follows(d, c) ? pc_contact_stored_along(&c->base, m) : 0;
}

static inline void rates(const drive *d, const double *state, const pc_contact_values *all, double *rate)
{
    double clock = pc_element_clock(d, all->y);
    if (d->body) pc_element_body_rates(d, all, clock, state, rate);
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        const pc_contact_values *m = &all[i];
        double *r = rate + i * PER_CONTACT;
        r[Y] = m->w;
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
        if (follows(d, c)) r[WF] = clock * (m->Ft * m->v_t - m->stretching);
    }
    rate[d->n - 1] = clock;
}

int pc_element_rhs(double tau, const double *state, double *rate, void *context)
{
    drive *d = context;
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
    drive *d = context;
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
        for (int which = 0; which < 4; which++) {
            memcpy(changed, given, (size_t)d->k * sizeof *given);
            pc_contact_values *m = &changed[i];
            double *x = which == Y ? (d->k == 1 ? &m->y : &m->u) : which == Q ? &m->q : which == PT ? &m->v_t : &m->w;
            double before = *x, h = step * fmax(fabs(before), least);
            *x = before + h;
            h = *x - before;
            if (which == Y) place(d, &d->contacts[i], *x, m);
            press(&d->contacts[i], m);
            react(d, changed);
            rates(d, state, changed, f);
            for (size_t row = 0; row < n; row++) {
                double slope = (f[row] - f0[row]) / h, *to = J + row * n;
                if (which == Y || which == Q) {
                    to[i * PER_CONTACT + (size_t)which] += slope;
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
static void scale(drive *d, double speed, double approach)
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

static pc_status prepare(drive *d, pc_error *err)
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
        speed = fmax(speed, closing(task, i, e->mu));
    }
    if (speed > approach) scale(d, speed, approach);
    d->root = d->k > 1 || pc_contact_has_rings(&d->contacts[0].base) ? 1 : d->contacts[0].base.p.root;
    if (d->body) pc_element_prepare_body(d);
    const pc_element_contact *only = d->k == 1 ? task->contacts : NULL;
    if (!only || !only->element->suit) return PC_OK;
    const pc_mobility W = {.tt = task->W[0], .tn = task->W[1], .nn = task->W[3]};
    return only->element->suit(only->params, &W, &d->contacts[0].base.p, err);
}

/* Doubles of a cache line, at which the coefficients of series begin. */
enum { LINE = 8 };

pc_status pc_element_open(drive **out, const pc_element_task *task, pc_error *err)
{
    const pc_element_body *body = task->body;
    size_t k = (size_t)task->k, side = 2 * k, n = k * PER_CONTACT + 1;
    if (body) n += (size_t)(body->n_q + body->n_u);
    bool series = k == 1 && !body && task->contacts[0].element->shape;
    size_t doubles = side * side + side + 5 * n + 3 * k * k + k;
    doubles += body ? n : series ? n * (PC_SERIES_ORDER + 2) + LINE : 0;
    size_t values = (1 + PC_GUARD_PLACES + 1) * k;
    drive *d =
        pc_calloc(1, sizeof *d + doubles * sizeof(double) + k * sizeof(contact) + values * sizeof(pc_contact_values) +
                         sizeof(pc_stepper) + 2 * k * sizeof(int) + (body ? sizeof *d->frame : 0));
    if (!d) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", task->k);
    d->k = task->k;
    d->n = (int)n;
    d->task = task;
    d->body = body;
    d->W = d->memory;
    d->v0 = d->W + side * side;
    d->state = d->v0 + side;
    d->rest = d->state + n;
    d->scale = d->rest + n;
    d->spare = d->scale + n;
    if (series) {
        d->at = d->spare + 2 * n;
        double *c = d->at + n;
        while ((uintptr_t)c % (LINE * sizeof *c) != 0) c++;
        d->dense = (pc_dense){.n = (int)n, .degree = PC_SERIES_ORDER, .c = c};
    }
    d->hold.L = d->memory + doubles - (3 * k * k + k);
    d->hold.G = d->hold.L + k * k;
    d->hold.inverse = d->hold.G + k * k;
    d->hold.b = d->hold.inverse + k * k;
    d->contacts = (contact *)(void *)(d->memory + doubles);
    d->now = (pc_contact_values *)(void *)(d->contacts + k);
    d->probe = d->now + k;
    for (int j = 0; j < PC_GUARD_PLACES; j++) d->node[j] = d->probe + k * (size_t)(j + 1);
    d->inside = (pc_stepper *)(void *)(d->now + values);
    d->frame = (pc_element_frame *)(void *)(d->inside + 1);
    d->held = (int *)(void *)(d->frame + (body ? 1 : 0));
    d->pivots = d->held + k;
    d->problem = (pc_ode_problem){
        .n = d->n, .rhs = pc_element_rhs, .jacobian = pc_element_jacobian, .context = d, .autonomous = true};
    pc_status status = prepare(d, err);
    if (series && d->contacts[0].base.p.has_shape) d->series = pc_series_widest();
    if (!status) status = pc_element_take(d, d->series ? BY_SERIES : BY_EXPLICIT_STEPS, err);
    if (status)
        pc_free(d);
    else
        *out = d;
    return status;
}

void pc_element_close(drive *d)
{
    for (int i = 0; i < d->k; i++) pc_contact_close_rings(&d->contacts[i].base);
    pc_stepper_close(&d->stepper);
    pc_stepper_close(d->inside);
    pc_free(d);
}
