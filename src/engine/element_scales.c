/* The scaled problem of an impact of elements: its units, its workspace, and a body that moves while its contact lasts.
 * See element_impact.h. */
#include "engine/element_impact_internal.h"

#include "base/alloc.h"
#include "math/linsolve.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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
    bool series = k == 1 && !body && task->contacts[0].element->shape;
    size_t held = 2 * k * k + pc_least_norm_room((int)k); /* of what sticks without an element */
    size_t doubles = side * side + side + 5 * n + held;
    doubles += body ? n : series ? n * (PC_SERIES_ORDER + 2) + LINE : 0;
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
    d->problem = (pc_ode_problem){
        .n = d->n, .rhs = pc_element_rhs, .jacobian = pc_element_jacobian, .context = d, .autonomous = true};
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

void pc_element_place_body(const motion *d, const double *state)
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

void pc_element_body_rates(const motion *d, const pc_contact_values *m, double clock, const double *state, double *rate)
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

void pc_element_body_jacobian(motion *d, const double *state, double step, double least, double *J)
{
    const int n = d->n;
    double *f0 = d->spare, *f = f0 + n, *changed = f + n;
    memcpy(changed, state, (size_t)n * sizeof *changed);
    for (int column = 0; column < n - 1; column++) {
        if (column > Q && column < BODY) continue;
        changed[column] += step * fmax(fabs(state[column]), least);
        double h = changed[column] - state[column];
        pc_element_rhs(0, changed, f, d);
        changed[column] = state[column];
        for (int row = 0; row < n; row++) J[row * n + column] += (f[row] - f0[row]) / h;
    }
}
