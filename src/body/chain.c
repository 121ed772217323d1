/* Planar chains: see chain.h.
 *
 * Letters: for one link m mass, l length, c distance of the mass centre, J = I + m c^2 inertia about the upper joint,
 * w rate, a acceleration of the upper joint, M', b' of the joint below. Moments about the upper joint and forces on
 * the link (e x v = f.v for any vector v) give
 *
 *     (J + l^2 f.M'f) dw/dt = beta - h.a,   h = m c f + l M'f,   beta = l^2 w^2 f.M'e - l f.b' + moment
 *     R = (M' + m - h h^T/D) a + h beta/D - w^2 (l M'e + m c e) + b' - force
 *
 * which is the articulated-body recursion (Featherstone 1983) for planar links described by absolute angles.
 */
#include "body/chain.h"

#include "math/twin.h"

#include <math.h>
#include <string.h>

static const char *const from_words[] = {"ground", "joint", NULL};

static const pc_row rows[] = {
    PC_ROW(pc_link, mass, "mass", .symbol = "m", .unit = PC_UNIT_KG, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .doc = "mass of the link"),
    PC_ROW(pc_link, length, "length", .symbol = "l", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .doc = "from the upper joint to the lower one, or to the end"),
    PC_ROW(pc_link, center, "center", .symbol = "lc", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_ANY,
           .doc = "of mass, from the upper joint along the link; half the length if not given"),
    PC_ROW(pc_link, inertia, "inertia", .symbol = "I", .unit = PC_UNIT_KG_M2, .initial = PC_ABSENT,
           .allowed = PC_NONNEGATIVE, .doc = "about the centre of mass; that of a slender rod, m l^2/12, if not given"),
    PC_ROW(pc_link, radius, "radius", .symbol = "r", .unit = PC_UNIT_M, .initial = 0, .allowed = PC_NONNEGATIVE,
           .doc = "of the disc that may touch; 0: a point"),
    PC_ROW(pc_link, reach, "reach", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_ANY,
           .doc = "centre of the disc or point that may touch, from the upper joint; the length if not given"),
    PC_ROW(pc_link, thickness, "thickness", .unit = PC_UNIT_M, .initial = 0, .allowed = PC_NONNEGATIVE,
           .doc = "between its sides, with touch = \"links\"; its ends are round, as a capsule's"),
    PC_ROW(pc_link, damping, "damping", .symbol = "c", .unit = {.kg = 1, .m = 2, .s = -1, .rad = -2}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .doc = "viscous, of the upper joint: torque per relative rate"),
    PC_ROW(pc_link, stiffness, "stiffness", .symbol = "k", .unit = {.kg = 1, .m = 2, .s = -2, .rad = -2}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .doc = "spring of the upper joint: torque per relative angle"),
    PC_ROW(pc_link, rest_angle, "rest_angle", .unit = PC_UNIT_RAD, .initial = 0, .allowed = PC_ANY,
           .doc = "relative angle at which that spring is slack"),
    PC_ROW(pc_link, torque, "torque", .symbol = "M", .unit = {.kg = 1, .m = 2, .s = -2, .rad = -1}, .initial = 0,
           .allowed = PC_ANY, .doc = "amplitude of the torque M cos(frequency t + phase) on the link"),
    PC_ROW(pc_link, frequency, "frequency", .symbol = "Omega", .greek = "Ω", .unit = PC_UNIT_RAD_PER_S, .initial = 0,
           .allowed = PC_ANY, .doc = "of that torque"),
    PC_ROW(pc_link, phase, "phase", .unit = PC_UNIT_RAD, .initial = 0, .allowed = PC_ANY, .doc = "of that torque"),
    PC_CHOICE_ROW(pc_link, from, "from", from_words, .initial = 0,
                  .doc = "what that torque pushes against: \"ground\", or \"joint\" for a motor between this link and "
                         "the one above"),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_link *link = object;
    if (isnan(link->center)) link->center = link->length / 2;
    if (isnan(link->inertia)) link->inertia = link->mass * link->length * link->length / 12;
    if (isnan(link->reach)) link->reach = link->length;
    if (!(link->inertia + link->mass * link->center * link->center > 0))
        return pc_fail(err, PC_E_ARGUMENT, "%s: a link needs inertia about its upper joint; give inertia or center",
                       schema->name);
    if (link->frequency == 0 || pc_schema_given(schema, given, "torque")) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT, "%s: frequency without torque has no effect", schema->name);
}

const pc_schema pc_link_schema = {
    .name = "link",
    .summary = "One rigid link of a planar chain, with the joint above it.",
    .details = "It returns a table with the parameters given and the defaults of the others, which chain takes as it "
               "takes a plain one.",
    .equations =
        "(I + m lc^2) phi'' = M cos(Omega t + phase) - m g lc sin(phi) - k (phi - rest_angle) - c phi': of one "
        "link alone, at the angle phi; those below it pull at its end",
    .example = "local rod = percuss.link{ mass = 1, length = 0.5, damping = 0.02 }\n"
               "local rig = percuss.chain{ links = { rod, rod, rod }, angles = { 0.3, 0.2, 0.1 } }\n"
               "print(rig.links[3].inertia == 0.25 / 12) --> true",
    PC_ROWS(rows),
    .size = sizeof(pc_link),
    .validate = validate,
};

#define PIVOT_ROW(member, unit_, text) PC_ROW(pc_pivot, member, #member, .unit = unit_, .allowed = PC_ANY, .doc = text)

static const pc_row pivot_rows[] = {
    PIVOT_ROW(x, PC_UNIT_M, "where it is, or the middle of its motion"),
    PIVOT_ROW(y, PC_UNIT_M, "where it is, or the middle of its motion, upwards"),
    PIVOT_ROW(amplitude_x, PC_UNIT_M, "of its motion x + amplitude_x sin(frequency t + phase)"),
    PIVOT_ROW(amplitude_y, PC_UNIT_M, "of its motion y + amplitude_y sin(frequency t + phase)"),
    PIVOT_ROW(frequency, PC_UNIT_RAD_PER_S, "of its motion"),
    PIVOT_ROW(phase, PC_UNIT_RAD, "of its motion at t = 0"),
    PC_ROW(pc_pivot, floats, "floats",
           .doc = "nothing holds it: the chain falls freely, its upper end at x, y at the start; these, x0 and y0, are "
                  "coordinates then, behind the angles"),
    PIVOT_ROW(vx, PC_UNIT_M_PER_S, "velocity at the start of one that floats"),
    PIVOT_ROW(vy, PC_UNIT_M_PER_S, "velocity at the start of one that floats, upwards"),
};

static pc_status validate_pivot(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    static const char *const driven[] = {"amplitude_x", "amplitude_y", "frequency", "phase"}, *const started[] = {"vx",
                                                                                                                  "vy"};
    const pc_pivot *pivot = object;
    for (int i = 0; i < 4 && pivot->floats; i++)
        if (pc_schema_given(schema, given, driven[i]))
            return pc_fail(err, PC_E_ARGUMENT, "pivot: %s has no effect on one that floats", driven[i]);
    for (int i = 0; i < 2 && !pivot->floats; i++)
        if (pc_schema_given(schema, given, started[i]))
            return pc_fail(err, PC_E_ARGUMENT, "pivot: %s has no effect without floats = true", started[i]);
    return PC_OK;
}

const pc_schema pc_pivot_schema = {
    .name = "pivot",
    .summary = "From where a chain hangs: a place, or a harmonic motion about it; or where its upper end floats.",
    PC_ROWS(pivot_rows),
    .size = sizeof(pc_pivot),
    .validate = validate_pivot,
};

int pc_pivot_state(const pc_pivot *p, double t, double state[6])
{
    if (p->motion) return p->motion(t, state, p->context);
    if (!pc_pivot_moves(p)) {
        double s = p->phase == 0 ? 0 : sin(p->phase);
        state[0] = p->x + p->amplitude_x * s;
        state[1] = p->y + p->amplitude_y * s;
        state[2] = state[3] = state[4] = state[5] = 0;
        return 0;
    }
    double w = p->frequency, s = sin(w * t + p->phase), c = cos(w * t + p->phase);
    state[0] = p->x + p->amplitude_x * s;
    state[1] = p->y + p->amplitude_y * s;
    state[2] = p->amplitude_x * w * c;
    state[3] = p->amplitude_y * w * c;
    state[4] = -p->amplitude_x * w * w * s;
    state[5] = -p->amplitude_y * w * w * s;
    return 0;
}

bool pc_pivot_moves(const pc_pivot *p)
{
    return p->motion || ((p->amplitude_x != 0 || p->amplitude_y != 0) && p->frequency != 0);
}

void pc_chain_place(const pc_chain *chain, const double pivot[2], const double *q, pc_chain_node *nodes)
{
    double x = pivot[0], y = pivot[1], sine[2], cosine[2];
    for (int i = 0; i < chain->n; i++) {
        pc_chain_node *node = &nodes[i];
        if (i % 2 == 0) pc_sincos_pair((const double[2]){q[i], i + 1 < chain->n ? q[i + 1] : 0}, sine, cosine);
        node->ex = sine[i % 2];
        node->ey = -cosine[i % 2];
        node->x = x;
        node->y = y;
        x += chain->links[i].length * node->ex;
        y += chain->links[i].length * node->ey;
    }
    nodes[chain->n].x = x;
    nodes[chain->n].y = y;
}

void pc_chain_unload(const pc_chain *chain, pc_chain_force *forces)
{
    for (int i = 0; i < chain->n; i++) forces[i].fx = forces[i].fy = forces[i].moment = 0;
}

static double harmonic(const pc_link *link, double t)
{
    return link->torque * cos(link->frequency * t + link->phase);
}

void pc_joint_torques(const pc_chain *chain, int i, double t, const double *q, const double *u, double *ground,
                      double *inner)
{
    const pc_link *link = &chain->links[i];
    *ground = *inner = 0;
    if (link->damping != 0) *inner -= link->damping * (u[i] - (i ? u[i - 1] : 0));
    if (link->stiffness != 0) *inner -= link->stiffness * (q[i] - (i ? q[i - 1] : 0) - link->rest_angle);
    if (link->torque != 0) *(link->from ? inner : ground) += harmonic(link, t);
}

int pc_chain_load(const pc_chain *chain, const pc_chain_node *nodes, double t, const double *q, const double *u,
                  double gravity, pc_chain_force *forces)
{
    double extra[PC_CHAIN_LINKS];
    if (chain->torque) {
        int got = chain->torque(t, q, u, extra, chain->torque_context);
        if (got != 0) return got;
    }
    for (int i = 0; i < chain->n; i++) {
        const pc_link *link = &chain->links[i];
        double weight = link->mass * gravity;
        forces[i].fx = 0;
        forces[i].fy = -weight;
        forces[i].moment = -weight * link->center * nodes[i].ex + (chain->torque ? extra[i] : 0);
        double ground, inner;
        pc_joint_torques(chain, i, t, q, u, &ground, &inner);
        forces[i].moment += ground;
        forces[i].moment += inner;
        if (i) forces[i - 1].moment -= inner;
    }
    return 0;
}

void pc_chain_push(const pc_chain_node *nodes, int k, double x, double y, double fx, double fy, pc_chain_force *forces)
{
    pc_chain_force *on = &forces[k];
    on->fx += fx;
    on->fy += fy;
    on->moment += (x - nodes[k].x) * fy - (y - nodes[k].y) * fx;
}

void pc_chain_factor(const pc_chain *chain, pc_chain_node *nodes)
{
    double mxx = 0, mxy = 0, myy = 0; /* M' */
    for (int i = chain->n - 1; i >= 0; i--) {
        const pc_link *link = &chain->links[i];
        pc_chain_node *node = &nodes[i];
        double fx = -node->ey, fy = node->ex, mc = link->mass * link->center;
        double px = mxx * fx + mxy * fy, py = mxy * fx + myy * fy; /* M'f */
        double d = link->inertia + mc * link->center + link->length * link->length * (fx * px + fy * py);
        node->hx = mc * fx + link->length * px;
        node->hy = mc * fy + link->length * py;
        double inverse = 1 / d;
        node->inverse = inverse;
        mxx += link->mass - node->hx * node->hx * inverse;
        mxy -= node->hx * node->hy * inverse;
        myy += link->mass - node->hy * node->hy * inverse;
        node->mxx = mxx;
        node->mxy = mxy;
        node->myy = myy;
    }
}

void pc_chain_solve(const pc_chain *chain, const pc_chain_node *nodes, const double acceleration[2], const double *u,
                    pc_chain_force *forces, double *a)
{
    /* from the end upwards: b and beta */
    double bx = 0, by = 0;
    for (int i = chain->n - 1; i >= 0; i--) {
        const pc_link *link = &chain->links[i];
        const pc_chain_node *node = &nodes[i], *below = i + 1 < chain->n ? node + 1 : NULL;
        pc_chain_force *on = &forces[i];
        double ex = node->ex, ey = node->ey, l = link->length;
        double w2 = u ? u[i] * u[i] : 0;
        double gx = below ? below->mxx * ex + below->mxy * ey : 0; /* M'e */
        double gy = below ? below->mxy * ex + below->myy * ey : 0;
        on->beta = l * l * w2 * (ex * gy - ey * gx) - l * (ex * by - ey * bx) + on->moment;
        double share = on->beta * node->inverse, mc = link->mass * link->center;
        bx += node->hx * share - w2 * (l * gx + mc * ex) - on->fx;
        by += node->hy * share - w2 * (l * gy + mc * ey) - on->fy;
        on->bx = bx;
        on->by = by;
    }
    /* from the pivot downwards: accelerations and reactions */
    double ax = acceleration[0], ay = acceleration[1];
    if (chain->pivot.floats) {
        const double determinant = nodes->mxx * nodes->myy - nodes->mxy * nodes->mxy;
        ax = (nodes->mxy * by - nodes->myy * bx) / determinant;
        ay = (nodes->mxy * bx - nodes->mxx * by) / determinant;
        a[chain->n] = ax;
        a[chain->n + 1] = ay;
    }
    for (int i = 0; i < chain->n; i++) {
        const pc_chain_node *node = &nodes[i];
        pc_chain_force *on = &forces[i];
        double l = chain->links[i].length;
        on->rx = node->mxx * ax + node->mxy * ay + on->bx;
        on->ry = node->mxy * ax + node->myy * ay + on->by;
        a[i] = (on->beta - node->hx * ax - node->hy * ay) * node->inverse;
        double w2 = u ? u[i] * u[i] : 0;
        ax += l * (-a[i] * node->ey - w2 * node->ex);
        ay += l * (a[i] * node->ex - w2 * node->ey);
    }
}

double pc_chain_kinetic(const pc_chain *chain, const pc_chain_node *nodes, const double velocity[2], const double *u)
{
    double sum = 0, joint[2] = {velocity[0], velocity[1]};
    for (int i = 0; i < chain->n; i++) {
        const pc_link *link = &chain->links[i];
        double vx = joint[0] - link->center * u[i] * nodes[i].ey;
        double vy = joint[1] + link->center * u[i] * nodes[i].ex;
        sum += 0.5 * (link->mass * (vx * vx + vy * vy) + link->inertia * u[i] * u[i]);
        double speed = link->length * u[i];
        joint[0] -= speed * nodes[i].ey;
        joint[1] += speed * nodes[i].ex;
    }
    return sum;
}

double pc_chain_potential(const pc_chain *chain, const pc_chain_node *nodes, const double *q, double gravity)
{
    double sum = 0;
    for (int i = 0; i < chain->n; i++) {
        const pc_link *link = &chain->links[i];
        double turn = q[i] - (i ? q[i - 1] : 0) - link->rest_angle;
        sum += link->mass * gravity * (nodes[i].y + link->center * nodes[i].ey);
        sum += 0.5 * link->stiffness * turn * turn;
    }
    return sum;
}

int pc_chain_power(const pc_chain *chain, double t, const double *q, const double *u, double *damping, double *torque)
{
    double extra[PC_CHAIN_LINKS];
    *damping = *torque = 0;
    if (chain->torque) {
        int got = chain->torque(t, q, u, extra, chain->torque_context);
        if (got != 0) return got;
        for (int i = 0; i < chain->n; i++) *torque += extra[i] * u[i];
    }
    for (int i = 0; i < chain->n; i++) {
        const pc_link *link = &chain->links[i];
        double relative = u[i] - (i ? u[i - 1] : 0);
        *damping -= link->damping * relative * relative;
        if (link->torque != 0) *torque += harmonic(link, t) * (link->from ? relative : u[i]);
    }
    return 0;
}
