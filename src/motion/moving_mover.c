/* Bodies that move while a contact lasts: a free body in the plane, a chain of links. See moving.c. */
#include "motion/moving_internal.h"

#include <math.h>
#include <string.h>

/* ---- a free body ----
 *
 * With b the arm from the mass centre to the centre of curvature of the striking surface (the tip itself where it is
 * sharp), R the radius of curvature and n the normal,
 *
 *     arm   a(theta) = b(theta) - R n
 *     v     = (vt - omega a_n, vn + omega a_t)
 *     c     = -omega^2 b
 *
 * Brach (1993), equation 21, has the velocity product c for the tip of a rod. */

enum { HEIGHT, ANGLE, VT = 0, VN, OMEGA };

static void place_free(const pc_mover *m, const double *q, const double *u, pc_mover_site *s)
{
    double theta = q[ANGLE] * m->bend, c = cos(theta), d = sin(theta), omega = u[OMEGA];
    double b[2] = {m->arm[0] * c - m->arm[1] * d, m->arm[0] * d + m->arm[1] * c};
    double a[2] = {b[0], b[1] - m->curvature};
    /* b_n(theta) - b_n(0) without cancellation */
    double half = sin(theta / 2);
    s->u = -(q[HEIGHT] + (m->arm[0] * d - 2 * m->arm[1] * half * half) / m->bend);
    s->v[0] = u[VT] - omega * a[1];
    s->v[1] = u[VN] + omega * a[0];
    s->wtt = 1 / m->mass + a[1] * a[1] / m->inertia;
    s->wtn = -a[0] * a[1] / m->inertia;
    s->wnn = 1 / m->mass + a[0] * a[0] / m->inertia;
    for (int i = 0; i < 2; i++) s->c[i] = -omega * omega * m->bend * b[i];
    s->bias[VT] = s->bias[VN] = s->bias[OMEGA] = 0;
    s->across[VT] = s->along[VN] = 1 / m->mass;
    s->across[VN] = s->along[VT] = 0;
    s->across[OMEGA] = -a[1] / m->inertia;
    s->along[OMEGA] = a[0] / m->inertia;
}

/* ---- a chain ----
 *
 * Computed in SI; the velocity product is that of the last joint's centre and the links' own (body/chain.h). */

/* Angles, the nodes of the chain there, and its rates in SI. */
static void pose(const pc_mover *m, const double *q, const double *u, double *rates, pc_chain_node *nodes)
{
    double angles[PC_BODY_DOF], none[2] = {0};
    for (int i = 0; i < m->n_q; i++) {
        angles[i] = m->angles[i] + q[i] * m->bend;
        rates[i] = u[i] * m->scales.velocity / m->reach;
    }
    pc_chain_place(m->chain, none, angles, nodes);
}

/* Accelerations by a force of 1 N on the end, or, without one, those of the rates alone. */
static void respond(const pc_mover *m, const pc_chain_node *nodes, const double *rates, double ft, double fn,
                    double *out)
{
    int last = m->n_q - 1;
    double none[2] = {0};
    pc_chain_force forces[PC_BODY_DOF];
    pc_chain_unload(m->chain, forces);
    pc_chain_push(nodes, last, nodes[last + 1].x, nodes[last + 1].y - m->radius, ft, fn, forces);
    pc_chain_solve(m->chain, nodes, none, rates, forces, out);
}

static void place_chain(const pc_mover *m, const double *q, const double *u, pc_mover_site *s)
{
    pc_chain_node nodes[PC_BODY_DOF + 1];
    double rates[PC_BODY_DOF], low = 0, W[2][2] = {{0}}, c[2] = {0}, v[2] = {0};
    pose(m, q, u, rates, nodes);
    pc_chain_factor(m->chain, nodes);
    respond(m, nodes, rates, 0, 0, s->bias);
    respond(m, nodes, NULL, 1, 0, s->across);
    respond(m, nodes, NULL, 0, 1, s->along);
    for (int i = 0; i < m->n_q; i++) {
        double l = m->chain->links[i].length, half = q[i] * m->bend / 2;
        double jt = -l * nodes[i].ey + (i == m->n_q - 1 ? m->radius : 0), jn = l * nodes[i].ex;
        low -= l * 2 * sin(m->angles[i] + half) * sin(half); /* -cos(angle) + cos(start) */
        v[0] += jt * rates[i];
        v[1] += jn * rates[i];
        W[0][0] += jt * s->across[i];
        W[0][1] += jt * s->along[i];
        W[1][1] += jn * s->along[i];
        c[0] += jt * s->bias[i] - l * nodes[i].ex * rates[i] * rates[i];
        c[1] += jn * s->bias[i] - l * nodes[i].ey * rates[i] * rates[i];
    }
    double speed = m->scales.velocity, length = m->scales.length, mass = m->scales.mass;
    s->u = low / length;
    for (int i = 0; i < 2; i++) {
        s->v[i] = v[i] / speed;
        s->c[i] = c[i] * length / (speed * speed);
    }
    s->wtt = W[0][0] * mass;
    s->wtn = W[0][1] * mass;
    s->wnn = W[1][1] * mass;
    for (int i = 0; i < m->n_q; i++) {
        s->bias[i] *= m->reach * length / (speed * speed);
        s->across[i] *= m->reach * mass;
        s->along[i] *= m->reach * mass;
    }
}

/* ---- either ---- */

pc_status pc_mover_open(pc_mover *m, const pc_body *body, const void *params, pc_chain *chain, pc_error *err)
{
    *m = (pc_mover){0};
    if (body->kind && body->kind->chain && params) {
        body->kind->chain(params, chain, m->angles);
        m->chain = chain;
        m->n_q = m->n_u = chain->n;
        m->radius = chain->links[chain->n - 1].radius;
        for (int i = 0; i < chain->n; i++) m->reach += chain->links[i].length;
        return PC_OK;
    }
    if (body->form != PC_BODY_FREE || body->spatial)
        return pc_fail(
            err, PC_E_UNSUPPORTED,
            "configuration = \"moving\" is for free bodies in the plane, pendulums and linkages; scenes move "
            "in percuss.simulate");
    if (body->curvature <= 0)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "configuration = \"moving\" needs a tip or a convex surface: a flat one "
                       "would touch elsewhere as soon as it turns");
    m->n_q = 2;
    m->n_u = 3;
    m->curvature = isnan(body->curvature) ? 0 : 1 / body->curvature;
    m->arm[0] = body->J[3 + 2];
    m->arm[1] = -body->J[2] + m->curvature;
    m->reach = fmax(hypot(m->arm[0], m->arm[1]), m->curvature);
    return PC_OK;
}

void pc_mover_scale(pc_mover *m, const pc_body *body, const pc_scales *scales, const double *u0, double *u)
{
    if (!(m->reach > 0)) m->reach = scales->length;
    m->scales = *scales;
    m->bend = scales->length / m->reach;
    for (int i = 0; i < m->n_u; i++) u[i] = u0[i] * (m->chain || i == OMEGA ? m->reach : 1) / scales->velocity;
    if (m->chain) return;
    m->mass = body->A[0] / scales->mass;
    m->inertia = body->A[8] > 0 ? body->A[8] / (scales->mass * m->reach * m->reach) : 1;
    m->arm[0] /= m->reach, m->arm[1] /= m->reach;
    m->curvature /= m->reach;
}

void pc_mover_place(const pc_mover *m, const double *q, const double *u, pc_mover_site *site)
{
    if (m->chain)
        place_chain(m, q, u, site);
    else
        place_free(m, q, u, site);
}

void pc_mover_go(const pc_mover *m, const double *u, double *rate)
{
    if (m->chain)
        memcpy(rate, u, (size_t)m->n_u * sizeof *u);
    else
        rate[HEIGHT] = u[VN], rate[ANGLE] = u[OMEGA];
}

double pc_mover_energy(const pc_mover *m, const double *q, const double *u)
{
    if (!m->chain) return (m->mass * (u[VT] * u[VT] + u[VN] * u[VN]) + m->inertia * u[OMEGA] * u[OMEGA]) / 2;
    pc_chain_node nodes[PC_BODY_DOF + 1];
    double rates[PC_BODY_DOF], none[2] = {0};
    pose(m, q, u, rates, nodes);
    double v = m->scales.velocity;
    return pc_chain_kinetic(m->chain, nodes, none, rates) / (m->scales.mass * v * v);
}

void pc_mover_end(const pc_mover *m, const double *q, const double *u, double *u1, double *rotation)
{
    for (int i = 0; i < m->n_u; i++) u1[i] = u[i] * m->scales.velocity / (m->chain || i == OMEGA ? m->reach : 1);
    *rotation = q[m->n_q - 1] * m->bend;
}
