/* A body that moves while its contact lasts: what it adds to the scaled equations. See element_impact.h. */
#include "engine/element_impact_internal.h"

#include <math.h>
#include <string.h>

static double unit_of_velocity(const drive *d, int i)
{
    return i < d->body->n_u - d->body->n_q ? d->scales.velocity : d->spin;
}

void pc_element_prepare_body(drive *d)
{
    const pc_element_body *b = d->body;
    const double q[PC_ELEMENT_DOF] = {0}, reach = b->reach > 0 ? b->reach : d->scales.length;
    d->turn = d->scales.length / reach;
    d->spin = d->scales.velocity / reach;
    d->energy0 = b->energy(b->self, q, b->u0);
}

void pc_element_begin_body(const drive *d, double *state)
{
    double *u = state + BODY + d->body->n_q;
    for (int i = 0; i < d->body->n_u; i++) u[i] = d->body->u0[i] / unit_of_velocity(d, i);
}

void pc_element_body_at(const drive *d, const double *state, double q[PC_ELEMENT_DOF], double u[PC_ELEMENT_DOF])
{
    const int n_q = d->body->n_q, n_u = d->body->n_u;
    const double *at = state + BODY;
    for (int i = 0; i < n_q; i++) q[i] = at[i] * d->turn;
    for (int i = 0; i < n_u; i++) u[i] = at[n_q + i] * unit_of_velocity(d, i);
}

double pc_element_gained(const drive *d, const double *state)
{
    double q[PC_ELEMENT_DOF], u[PC_ELEMENT_DOF];
    pc_element_body_at(d, state, q, u);
    return (d->body->energy(d->body->self, q, u) - d->energy0) / d->work;
}

void pc_element_place_body(const drive *d, const double *state)
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

void pc_element_body_rates(const drive *d, const pc_contact_values *m, double clock, const double *state, double *rate)
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

void pc_element_body_jacobian(drive *d, const double *state, double step, double least, double *J)
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
