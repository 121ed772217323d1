/* Bodies whose configuration moves while a contact lasts: a free body in the plane, a chain of links.
 *
 *     dv/dt = W(q) F + c
 *
 * with the velocity product c = Jdot u + J A^-1 h of what moves. The engine follows the contact
 * (engine/element_impact.h) and asks for these in each configuration.
 */
#include "scene/moving_body.h"

#include "body/chain.h"
#include "engine/element_impact.h"

#include <math.h>
#include <string.h>

_Static_assert((int)PC_ELEMENT_DOF >= (int)PC_BODY_DOF, "the engine has room for every body");

/* Of the energy before, beyond any error of the integration. */
static const double GIVEN = 1e-6;

typedef struct moving_body {
    pc_element_body as; /* what the engine sees */
    double mass, inertia, arm[2], radius;
    pc_chain chain;
    double angles[PC_BODY_DOF]; /* of a chain at the start */
} moving_body;

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

enum { VT, VN, OMEGA };

static void place_free(const void *self, const double *q, const double *u, pc_element_frame *f)
{
    const moving_body *m = self;
    double c = cos(q[0]), d = sin(q[0]), omega = u[OMEGA];
    double b[2] = {m->arm[0] * c - m->arm[1] * d, m->arm[0] * d + m->arm[1] * c};
    double a[2] = {b[0], b[1] - m->radius};
    f->v[0] = u[VT] - omega * a[1];
    f->v[1] = u[VN] + omega * a[0];
    f->size[0] = fabs(u[VT]) + fabs(omega * a[1]);
    f->size[1] = fabs(u[VN]) + fabs(omega * a[0]);
    f->W = (pc_mobility){.tt = 1 / m->mass + a[1] * a[1] / m->inertia,
                         .tn = -a[0] * a[1] / m->inertia,
                         .nn = 1 / m->mass + a[0] * a[0] / m->inertia};
    for (int i = 0; i < 2; i++) f->c[i] = -omega * omega * b[i];
    f->bias[VT] = f->bias[VN] = f->bias[OMEGA] = 0;
    f->across[VT] = f->along[VN] = 1 / m->mass;
    f->across[VN] = f->along[VT] = 0;
    f->across[OMEGA] = -a[1] / m->inertia;
    f->along[OMEGA] = a[0] / m->inertia;
}

static double energy_free(const void *self, const double *q, const double *u)
{
    const moving_body *m = self;
    (void)q;
    return (m->mass * (u[VT] * u[VT] + u[VN] * u[VN]) + m->inertia * u[OMEGA] * u[OMEGA]) / 2;
}

static pc_status open_free(moving_body *m, const pc_body *body, pc_error *err)
{
    if (body->form != PC_BODY_FREE || body->spatial)
        return pc_fail(
            err, PC_E_UNSUPPORTED,
            "configuration = \"moving\" is for free bodies in the plane, pendulums and linkages; scenes move "
            "in percuss.simulate");
    if (body->curvature <= 0)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "configuration = \"moving\" needs a tip or a convex surface: a flat one "
                       "would touch elsewhere as soon as it turns");
    m->radius = isnan(body->curvature) ? 0 : 1 / body->curvature;
    m->arm[0] = body->J[3 + 2];
    m->arm[1] = -body->J[2] + m->radius;
    m->mass = body->A[0];
    m->inertia = body->A[8] > 0 ? body->A[8] : 1; /* without any nothing turns it */
    m->as = (pc_element_body){.n_q = 1, .n_u = 3, .place = place_free, .energy = energy_free};
    m->as.reach = fmax(hypot(m->arm[0], m->arm[1]), m->radius);
    return PC_OK;
}

/* ---- a chain ----
 *
 * The velocity product is that of the last joint's centre and the links' own (body/chain.h). */

/* The nodes of the chain at angles that have changed by q. */
static void pose(const moving_body *m, const double *q, pc_chain_node *nodes)
{
    double angles[PC_BODY_DOF], none[2] = {0};
    for (int i = 0; i < m->chain.n; i++) angles[i] = m->angles[i] + q[i];
    pc_chain_place(&m->chain, none, angles, nodes);
}

/* Accelerations by a force of 1 N on the end, or, without one, those of the rates alone. */
static void respond(const moving_body *m, const pc_chain_node *nodes, const double *rates, double ft, double fn,
                    double *out)
{
    int last = m->chain.n - 1;
    double none[2] = {0};
    pc_chain_force forces[PC_BODY_DOF];
    pc_chain_unload(&m->chain, forces);
    pc_chain_push(nodes, last, nodes[last + 1].x, nodes[last + 1].y - m->radius, ft, fn, forces);
    pc_chain_solve(&m->chain, nodes, none, rates, forces, out);
}

static void place_chain(const void *self, const double *q, const double *u, pc_element_frame *f)
{
    const moving_body *m = self;
    pc_chain_node nodes[PC_BODY_DOF + 1];
    pose(m, q, nodes);
    pc_chain_factor(&m->chain, nodes);
    respond(m, nodes, u, 0, 0, f->bias);
    respond(m, nodes, NULL, 1, 0, f->across);
    respond(m, nodes, NULL, 0, 1, f->along);
    f->W = (pc_mobility){0};
    for (int i = 0; i < 2; i++) f->v[i] = f->size[i] = f->c[i] = 0;
    for (int i = 0; i < m->chain.n; i++) {
        double l = m->chain.links[i].length;
        double jt = -l * nodes[i].ey + (i == m->chain.n - 1 ? m->radius : 0), jn = l * nodes[i].ex;
        f->v[0] += jt * u[i];
        f->v[1] += jn * u[i];
        f->size[0] += fabs(jt * u[i]);
        f->size[1] += fabs(jn * u[i]);
        f->W.tt += jt * f->across[i];
        f->W.tn += jt * f->along[i];
        f->W.nn += jn * f->along[i];
        f->c[0] += jt * f->bias[i] - l * nodes[i].ex * u[i] * u[i];
        f->c[1] += jn * f->bias[i] - l * nodes[i].ey * u[i] * u[i];
    }
}

static double energy_chain(const void *self, const double *q, const double *u)
{
    const moving_body *m = self;
    pc_chain_node nodes[PC_BODY_DOF + 1];
    double none[2] = {0};
    pose(m, q, nodes);
    return pc_chain_kinetic(&m->chain, nodes, none, u);
}

static void open_chain(moving_body *m, const pc_body *body, const void *params)
{
    body->kind->chain(params, &m->chain, m->angles);
    int n = m->chain.n;
    m->radius = m->chain.links[n - 1].radius;
    m->as = (pc_element_body){.n_q = n, .n_u = n, .place = place_chain, .energy = energy_chain};
    for (int i = 0; i < n; i++) m->as.reach += m->chain.links[i].length;
}

/* ---- either ---- */

/* Friction never gives energy. Where it would, a slip has not been seen to end: of a jam whose force grows from
 * rounding within the time of a stiff damper. */
static pc_status check(const pc_impact *out, pc_error *err)
{
    if (out->work_f <= GIVEN * out->energy0) return PC_OK;
    return pc_fail(err, PC_E_NUMERIC,
                   "friction came to give %.3g J in an impact with %.3g J: its slip could not be followed", out->work_f,
                   out->energy0);
}

pc_status pc_moving_impact(const pc_moving_task *task, pc_impact *out, double *u1, double *rotation, pc_error *err)
{
    const pc_body *body = task->body;
    moving_body m = {0};
    pc_status status = PC_OK;
    if (body->kind && body->kind->chain && task->body_params)
        open_chain(&m, body, task->body_params);
    else
        status = open_free(&m, body, err);
    if (status != PC_OK) return status;
    double v0[3], turned[PC_BODY_DOF];
    pc_body_contact_velocity(body, task->u0, v0);
    for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
    memcpy(u1, task->u0, (size_t)body->dof * sizeof *u1);
    *rotation = 0;
    out->energy0 = out->energy1 = pc_body_energy(body, task->u0);
    if (!(v0[PC_N] < 0)) {
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    m.as.self = &m;
    m.as.u0 = task->u0;
    m.as.persistent = task->persistent;
    m.as.turned = turned;
    m.as.u1 = u1;
    const double W[4] = {body->W.tt, body->W.tn, body->W.tn, body->W.nn};
    pc_element_contact contact = {task->element, task->params};
    pc_element_task impact = {.k = 1,
                              .contacts = &contact,
                              .W = W,
                              .rank = m.as.n_u == 1 ? 1 : 2,
                              .v0 = v0,
                              .body = &m.as,
                              .tolerance = PC_ELEMENT_TOLERANCE / 10,
                              .asked = task->asked};
    pc_element_summary summary;
    status = pc_element_run(&impact, &summary, out, NULL, err);
    if (status != PC_OK) return status;
    *rotation = turned[m.as.n_q - 1];
    return check(out, err);
}
