/* The scaled equations of the driver: see driver.h. */
#include "law/driver_internal.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Longest step, scaled: guards are looked at in five places of it. */
static const double LONGEST = 0.5;

static double power(double y, int n)
{
    double x = 1;
    for (; n > 0; n--) x *= y;
    return x;
}

double pc_drive_clock(const drive *d, double y)
{
    int root = d->contacts[0].p.root;
    return d->k > 1 ? 1 : root * power(y, root - 1);
}

/* Indentation and its root, from whichever the state holds. Beyond the parting both go on with odd symmetry. */
static void place(const drive *d, const contact *c, double held, moment *m)
{
    int root = c->p.root;
    if (d->k == 1) {
        m->y = held;
        m->u = c->shape.offset + (root == 2 ? copysign(held * held, held) : power(held, root));
        return;
    }
    m->u = held;
    m->y = root == 1 ? held : copysign(root == 2 ? sqrt(fabs(held)) : pow(fabs(held), 1.0 / root), held);
}

/* Forces of one contact. */
static void press(const drive *d, const contact *c, moment *m)
{
    m->Fn = m->Ft = 0;
    if (c->mode == OPEN) return;
    const pc_tangential *e = &c->p.tangential;
    if (d->series) {
        pc_force_normal(&c->shape, c->p.root, m->y, m->u, m->w, &m->n);
        if (c->p.pulls) m->n.kink = m->n.F;
    } else {
        pc_indent x = {m->y, m->u, m->w, c->branch, c->memory};
        c->element->normal(&c->p, &x, &m->n);
    }
    if (c->mode == STICK) {
        m->Fn = m->n.F + pc_tangential_extra(e, &m->n, m->q);
        m->Ft = pc_tangential_force(e, &m->n, m->q); /* rigid: see pc_drive_held */
        return;
    }
    pc_slide slide = pc_tangential_slip(e, &m->n, c->p.pulls, c->sign, m->u);
    m->q = slide.q;
    m->Fn = slide.Fn;
    m->Ft = slide.Ft;
}

/* Rates of the forces, and slip; all forces are known. */
static void follow(const drive *d, int i, moment *all)
{
    const contact *c = &d->contacts[i];
    moment *m = &all[i];
    m->dFn = m->dFt = m->slip = m->creep = 0;
    if (c->mode == OPEN) return;
    const double *row = d->W + (size_t)(2 * i + 1) * 2 * (size_t)d->k;
    double dw = 0;
    for (int j = 0; j < d->k; j++) dw -= row[2 * j] * all[j].Ft + row[2 * j + 1] * all[j].Fn;
    const pc_tangential *e = &c->p.tangential;
    m->dFn = m->n.dFdu * m->w + m->n.dFdw * dw;
    if (c->mode == SLIP) {
        m->creep = pc_tangential_creep(e, &m->n, c->sign, m->w, m->dFn);
        if (c->p.pulls && m->Fn <= 0) m->creep = 0;
        m->slip = m->vt - m->creep;
    } else {
        m->creep = m->vt;
    }
    if (e->kind == PC_TANGENTIAL_COUPLED)
        m->dFn += e->ratio * (m->n.ddk * m->w * m->q * m->q / 2 + m->n.dk * m->q * m->creep);
    if (c->mode == SLIP)
        m->dFt = -c->sign * (e->mu * m->dFn);
    else if (e->kind == PC_TANGENTIAL_RIGID)
        m->dFt = 0; /* see pc_drive_held */
    else if (e->kind == PC_TANGENTIAL_SPRING)
        m->dFt = -e->kt * m->vt;
    else if (e->kind == PC_TANGENTIAL_MINDLIN)
        m->dFt = -e->ratio * m->n.k * m->vt;
    else
        m->dFt = -e->ratio * (m->n.dk * m->w * m->q + m->n.k * m->vt);
}

void pc_drive_moments(const drive *d, const double *state, moment *out)
{
    for (int i = 0; i < d->k; i++) {
        const double *row = d->W + (size_t)(2 * i) * 2 * (size_t)d->k, *next = row + 2 * d->k;
        double vt = d->v0[2 * i], vn = d->v0[2 * i + 1];
        for (int j = 0; j < d->k; j++) {
            double pt = state[j * PER_CONTACT + PT], pn = state[j * PER_CONTACT + PN];
            vt += row[2 * j] * pt + row[2 * j + 1] * pn;
            vn += next[2 * j] * pt + next[2 * j + 1] * pn;
        }
        moment *m = &out[i];
        m->vt = vt;
        m->w = -vn;
        m->q = state[i * PER_CONTACT + Q];
        place(d, &d->contacts[i], state[i * PER_CONTACT + Y], m);
        press(d, &d->contacts[i], m);
    }
    pc_drive_held(d, out, false);
    for (int i = 0; i < d->k; i++) follow(d, i, out);
    pc_drive_held(d, out, true);
}

void pc_drive_resolve(const drive *d, const double *state)
{
    size_t side = 2 * (size_t)d->k;
    for (size_t i = 0; i < side; i++) {
        double size = fabs(d->v0[i]);
        for (int j = 0; j < d->k; j++) {
            const double *w = d->W + i * side + 2 * j, *own = state + j * PER_CONTACT;
            size += fabs(w[0] * own[PT]) + fabs(w[1] * own[PN]);
        }
        d->contacts[i / 2].fine[i % 2] = pc_rounding(size);
    }
}

void pc_drive_reshape(drive *d, int i, double u, double *state)
{
    contact *c = &d->contacts[i];
    if (!d->series) return;
    double before = c->shape.offset, *held = &state[i * PER_CONTACT + Y];
    pc_indent x = {.u = u, .branch = c->branch, .memory = c->memory};
    c->element->shape(&c->p, &x, c->kink_side < 0, &c->shape);
    double deep = u - c->shape.offset;
    if (c->shape.offset != before) *held = c->p.root == 1 ? deep : copysign(pow(fabs(deep), 1.0 / c->p.root), deep);
}

int pc_drive_rhs(double tau, const double *state, double *rate, void *context)
{
    drive *d = context;
    (void)tau;
    pc_drive_moments(d, state, d->now);
    double clock = pc_drive_clock(d, state[Y]);
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        const moment *m = &d->now[i];
        double *r = rate + i * PER_CONTACT;
        r[Y] = m->w;
        r[Q] = r[UT] = r[PT] = r[PN] = r[WN] = r[WF] = 0;
        if (c->mode == OPEN || clock == 0) continue; /* at the touch itself all but y stands still */
        r[PT] = clock * m->Ft;
        r[PN] = clock * m->Fn;
        r[WN] = -clock * m->Fn * m->w;
        r[UT] = clock * m->creep;
        if (c->mode == STICK)
            r[Q] = clock * m->vt * pc_tangential_gain(&c->p.tangential, &m->n);
        else
            r[WF] = m->Ft != 0 ? clock * m->Ft * m->slip : 0;
    }
    rate[d->n - 1] = clock;
    return 0;
}

/* The greatest closing speed of contact i as in rigid mechanics, m/s: slip that jams (w_nn < mu s w_nt) drives the
 * bodies together until friction has stopped it. An impact may be a thousand times as hard as its approach tells. */
static double closing(const pc_drive_task *task, int i, double mu)
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
    const pc_drive_task *task = d->task;
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
        const pc_drive_contact *from = &task->contacts[i];
        double own = task->W[(2 * (size_t)i + 1) * (side + 1)];
        d->contacts[i].element = from->element;
        from->element->prepare(from->params, s, 1 / own, approach, &d->contacts[i].p);
    }
}

static pc_status prepare(drive *d, pc_error *err)
{
    const pc_drive_task *task = d->task;
    double wnn = task->W[2 * (size_t)d->k + 1], approach = 0, speed = 0;
    if (!(wnn > 0 && task->W[0] >= 0))
        return pc_fail(err, PC_E_ARGUMENT, "W needs w_nn > 0 and w_tt >= 0; here w_nn = %.10g, w_tt = %.10g 1/kg", wnn,
                       task->W[0]);
    for (int i = 0; i < d->k; i++) approach = fmax(approach, -task->v0[2 * i + 1]);
    scale(d, approach, approach);
    for (int i = 0; i < d->k; i++) {
        const pc_tangential *e = &d->contacts[i].p.tangential;
        if (e->kind == PC_TANGENTIAL_RINGS)
            return pc_fail(
                err, PC_E_UNSUPPORTED,
                "contact %d: rings with friction act at one contact, or within a motion; at several contacts "
                "of an impact take a law like coupled or hertz_mindlin",
                i + 1);
        speed = fmax(speed, closing(task, i, e->mu));
    }
    if (speed > approach) scale(d, speed, approach);
    return PC_OK;
}

pc_status pc_drive_open(drive **out, const pc_drive_task *task, pc_error *err)
{
    size_t k = (size_t)task->k, side = 2 * k, n = k * PER_CONTACT + 1;
    bool series = k == 1 && task->contacts[0].element->shape;
    size_t doubles = side * side + side + n + (series ? n * (PC_SERIES_ORDER + 2) : 0) + 3 * k * k + k;
    size_t moments = (1 + PC_DRIVE_NODES + 1) * k;
    drive *d = pc_calloc(1, sizeof *d + doubles * sizeof(double) + k * sizeof(contact) + moments * sizeof(moment) +
                                2 * k * sizeof(int));
    if (!d) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", task->k);
    d->k = task->k;
    d->n = (int)n;
    d->task = task;
    d->W = d->memory;
    d->v0 = d->W + side * side;
    d->state = d->v0 + side;
    if (series) {
        d->at = d->state + n;
        d->dense = (pc_dense){.n = (int)n, .degree = PC_SERIES_ORDER, .c = d->at + n};
    }
    d->hold.L = d->memory + doubles - (3 * k * k + k);
    d->hold.G = d->hold.L + k * k;
    d->hold.inverse = d->hold.G + k * k;
    d->hold.b = d->hold.inverse + k * k;
    d->contacts = (contact *)(void *)(d->memory + doubles);
    d->now = (moment *)(void *)(d->contacts + k);
    d->probe = d->now + k;
    for (int j = 0; j < PC_DRIVE_NODES; j++) d->node[j] = d->probe + k * (size_t)(j + 1);
    d->held = (int *)(void *)(d->now + moments);
    d->pivots = d->held + k;
    d->problem = (pc_ode_problem){.n = d->n, .rhs = pc_drive_rhs, .context = d, .autonomous = true};
    pc_ode_settings settings = {
        .rtol = task->tolerance, .atol = task->tolerance, .max_step = LONGEST, .max_steps = INT_MAX};
    pc_status status = prepare(d, err);
    if (series && d->contacts[0].p.has_shape) d->series = pc_series_widest();
    if (!status && !d->series) status = pc_stepper_open(&d->stepper, &pc_ode_dop853, &d->problem, &settings, err);
    if (status)
        pc_free(d);
    else
        *out = d;
    return status;
}

void pc_drive_close(drive *d)
{
    if (!d->series) pc_stepper_close(&d->stepper);
    pc_free(d);
}
