/* Systems: see system.h. */
#include "sim/system.h"

#include "base/alloc.h"
#include "sim/compliant.h"

#include <math.h>

pc_status pc_system_open(pc_system *s, const pc_scene *scene, pc_error *err)
{
    *s = (pc_system){.scene = scene};
    s->nodes = pc_calloc((size_t)scene->n_nodes + 1, sizeof *s->nodes);
    s->pivots = pc_calloc((size_t)scene->n_members + 1, sizeof *s->pivots);
    if (s->nodes && s->pivots) return PC_OK;
    pc_system_close(s);
    return pc_fail(err, PC_E_MEMORY, "not enough memory for a scene of %d links", scene->n_nodes);
}

void pc_system_close(pc_system *s)
{
    pc_free(s->nodes);
    pc_free(s->pivots);
    s->nodes = NULL;
    s->pivots = NULL;
}

static int place_member(pc_system *s, int m)
{
    const pc_member *member = &s->scene->members[m];
    pc_chain_node *nodes = s->nodes + member->node;
    const double *q = s->q + member->first;
    if (member->chain) {
        int got = pc_pivot_state(&member->chain->pivot, s->t, s->pivots[m]);
        if (got != 0) return got;
        pc_chain_place(member->chain, s->pivots[m], q, nodes);
        return 0;
    }
    nodes->x = q[0];
    nodes->y = q[1];
    const double angle = q[2];
    nodes->ex = sin(angle);
    nodes->ey = -cos(angle);
    return 0;
}

static void set_state(pc_system *s, double t, const double *y)
{
    s->t = t;
    s->q = y;
    s->u = y + s->scene->n_dof;
}

int pc_system_place_pair(pc_system *s, int pair, double t, const double *y)
{
    const pc_pair *p = &s->scene->pairs[pair];
    set_state(s, t, y);
    int got = place_member(s, s->scene->sites[p->site].member);
    return got != 0 || p->fixed ? got : place_member(s, s->scene->sites[p->other].member);
}

int pc_system_place(pc_system *s, double t, const double *y)
{
    const pc_scene *scene = s->scene;
    set_state(s, t, y);
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        int got = place_member(s, m);
        if (got != 0) return got;
        if (member->chain) pc_chain_factor(member->chain, s->nodes + member->node);
    }
    return 0;
}

static void site_center(const pc_system *s, const pc_site *site, double center[2])
{
    const pc_chain_node *node = s->nodes + s->scene->members[site->member].node + site->link;
    center[0] = node->x + site->along * node->ex - site->across * node->ey;
    center[1] = node->y + site->along * node->ey + site->across * node->ex;
}

void pc_system_touch(const pc_system *s, int pair, pc_touch *touch)
{
    const pc_pair *p = &s->scene->pairs[pair];
    const pc_site *a = &s->scene->sites[p->site];
    double other[2], radius;
    site_center(s, a, touch->center[0]);
    if (p->fixed) {
        const pc_obstacle *o = &s->scene->obstacles[p->other];
        other[0] = o->x;
        other[1] = o->y;
        radius = o->radius;
        if (!o->disc) {
            touch->n[0] = o->nx;
            touch->n[1] = o->ny;
            touch->distance = INFINITY;
            double x = touch->center[0][0] - o->x, y = touch->center[0][1] - o->y;
            touch->gap = x * o->nx + y * o->ny - a->radius;
            return;
        }
    } else {
        const pc_site *b = &s->scene->sites[p->other];
        site_center(s, b, touch->center[1]);
        other[0] = touch->center[1][0];
        other[1] = touch->center[1][1];
        radius = b->radius;
    }
    double x = touch->center[0][0] - other[0], y = touch->center[0][1] - other[1];
    touch->distance = hypot(x, y);
    touch->n[0] = x / touch->distance;
    touch->n[1] = y / touch->distance;
    touch->gap = touch->distance - a->radius - radius;
}

double pc_system_gap(const pc_system *s, int pair)
{
    pc_touch touch = {0};
    pc_system_touch(s, pair, &touch);
    return touch.gap;
}

/* Motion of a site's centre and the rate of its link, for rates x of all members: velocities, accelerations (`bent`:
 * with the part that belongs to the velocities) or jumps. base: motion of the pivots, at that place of their state;
 * < 0: they rest. */
static void site_motion(const pc_system *s, const pc_site *site, const double *x, int base, bool bent, double out[3])
{
    const pc_member *member = &s->scene->members[site->member];
    const pc_chain_node *nodes = s->nodes + member->node, *node = nodes + site->link;
    const double *rate = x + member->first, *w = s->u + member->first;
    double vx, vy, turn, spin;
    if (member->chain) {
        vx = base < 0 ? 0 : s->pivots[site->member][base];
        vy = base < 0 ? 0 : s->pivots[site->member][base + 1];
        for (int i = 0; i < site->link; i++) {
            double l = member->chain->links[i].length, w2 = bent ? w[i] * w[i] : 0;
            vx += l * (-rate[i] * nodes[i].ey - w2 * nodes[i].ex);
            vy += l * (rate[i] * nodes[i].ex - w2 * nodes[i].ey);
        }
        turn = rate[site->link];
        spin = w[site->link];
    } else {
        vx = rate[0];
        vy = rate[1];
        turn = rate[2];
        spin = w[2];
    }
    double rx = site->along * node->ex - site->across * node->ey;
    double ry = site->along * node->ey + site->across * node->ex;
    double w2 = bent ? spin * spin : 0;
    out[0] = vx - turn * ry - w2 * rx;
    out[1] = vy + turn * rx - w2 * ry;
    out[2] = turn;
}

/* Both sides together: relative motion of the centres, and the rates that roll the circles. */
static void pair_motion(const pc_system *s, int pair, const pc_touch *touch, const double *x, int base, bool bent,
                        double v[2])
{
    const pc_pair *p = &s->scene->pairs[pair];
    const pc_site *a = &s->scene->sites[p->site];
    double first[3];
    site_motion(s, a, x, base, bent, first);
    double roll = a->radius * first[2];
    if (!p->fixed) {
        const pc_site *b = &s->scene->sites[p->other];
        double second[3];
        site_motion(s, b, x, base, bent, second);
        first[0] -= second[0];
        first[1] -= second[1];
        roll += b->radius * second[2];
    }
    v[PC_T] = touch->n[1] * first[0] - touch->n[0] * first[1] + roll;
    v[PC_N] = touch->n[0] * first[0] + touch->n[1] * first[1];
}

void pc_system_velocity(const pc_system *s, int pair, const pc_touch *touch, double v[2])
{
    pair_motion(s, pair, touch, s->u, 2, false, v);
}

void pc_system_change(const pc_system *s, int pair, const pc_touch *touch, const double *du, double v[2])
{
    pair_motion(s, pair, touch, du, -1, false, v);
}

/* Around a circle the frame turns with the line of centres: n' = (c_t/d) t, t' = -(c_t/d) n, c the relative velocity
 * of the centres. */
void pc_system_acceleration(const pc_system *s, int pair, const pc_touch *touch, const double *a, double v[2])
{
    pair_motion(s, pair, touch, a, 4, true, v);
    if (isinf(touch->distance)) return;
    const pc_pair *p = &s->scene->pairs[pair];
    const pc_site *first = &s->scene->sites[p->site];
    double motion[3], other[3] = {0};
    site_motion(s, first, s->u, 2, false, motion);
    if (!p->fixed) site_motion(s, &s->scene->sites[p->other], s->u, 2, false, other);
    double cx = motion[0] - other[0], cy = motion[1] - other[1];
    double ct = touch->n[1] * cx - touch->n[0] * cy, cn = touch->n[0] * cx + touch->n[1] * cy;
    v[PC_N] += ct * ct / touch->distance;
    v[PC_T] -= ct * cn / touch->distance;
}

void pc_system_unload(pc_system *s)
{
    for (int m = 0; m < s->scene->n_members; m++) {
        const pc_member *member = &s->scene->members[m];
        pc_chain_node *nodes = s->nodes + member->node;
        if (member->chain)
            pc_chain_unload(member->chain, nodes);
        else
            nodes->fx = nodes->fy = nodes->moment = 0;
    }
}

int pc_system_load(pc_system *s)
{
    for (int m = 0; m < s->scene->n_members; m++) {
        const pc_member *member = &s->scene->members[m];
        pc_chain_node *nodes = s->nodes + member->node;
        if (!member->chain) {
            nodes->fx = nodes->moment = 0;
            nodes->fy = -member->body.mass * s->scene->gravity;
            continue;
        }
        int got =
            pc_chain_load(member->chain, s->t, s->q + member->first, s->u + member->first, s->scene->gravity, nodes);
        if (got != 0) return got;
    }
    if (s->compliant) pc_compliant_push(s);
    return 0;
}

static void push_site(pc_system *s, const pc_site *site, const double center[2], double towards, const double n[2],
                      const double force[2])
{
    pc_chain_node *nodes = s->nodes + s->scene->members[site->member].node;
    pc_chain_push(nodes, site->link, center[0] + towards * n[0], center[1] + towards * n[1], force[0], force[1]);
}

void pc_system_push(pc_system *s, int pair, const pc_touch *touch, const double force[2])
{
    const pc_pair *p = &s->scene->pairs[pair];
    const pc_site *a = &s->scene->sites[p->site];
    const double *n = touch->n;
    double on_first[2] = {force[PC_T] * n[1] + force[PC_N] * n[0], -force[PC_T] * n[0] + force[PC_N] * n[1]};
    push_site(s, a, touch->center[0], -a->radius, n, on_first);
    if (p->fixed) return;
    const pc_site *b = &s->scene->sites[p->other];
    double on_second[2] = {-on_first[0], -on_first[1]};
    push_site(s, b, touch->center[1], b->radius, n, on_second);
}

static void solve(pc_system *s, bool moving, double *a)
{
    static const double rest[2] = {0, 0};
    for (int m = 0; m < s->scene->n_members; m++) {
        const pc_member *member = &s->scene->members[m];
        pc_chain_node *nodes = s->nodes + member->node;
        double *out = a + member->first;
        if (member->chain) {
            pc_chain_solve(member->chain, moving ? s->pivots[m] + 4 : rest, moving ? s->u + member->first : NULL, out,
                           nodes);
        } else {
            out[0] = nodes->fx / member->body.mass;
            out[1] = nodes->fy / member->body.mass;
            out[2] = nodes->moment / member->body.inertia;
        }
    }
}

void pc_system_accelerations(pc_system *s, double *a)
{
    solve(s, true, a);
}

void pc_system_jumps(pc_system *s, double *du)
{
    solve(s, false, du);
}

double pc_system_kinetic(pc_system *s)
{
    double sum = 0;
    for (int m = 0; m < s->scene->n_members; m++) {
        const pc_member *member = &s->scene->members[m];
        const double *u = s->u + member->first;
        if (member->chain) {
            pc_chain_move(member->chain, s->pivots[m] + 2, u, s->nodes + member->node);
            sum += pc_chain_kinetic(member->chain, u, s->nodes + member->node);
        } else {
            sum += 0.5 * (member->body.mass * (u[0] * u[0] + u[1] * u[1]) + member->body.inertia * u[2] * u[2]);
        }
    }
    return sum;
}

double pc_system_potential(const pc_system *s)
{
    double sum = 0, g = s->scene->gravity;
    for (int m = 0; m < s->scene->n_members; m++) {
        const pc_member *member = &s->scene->members[m];
        const double *q = s->q + member->first;
        if (member->chain)
            sum += pc_chain_potential(member->chain, q, g, s->nodes + member->node);
        else
            sum += member->body.mass * g * q[1];
    }
    return sum;
}

int pc_system_power(const pc_system *s, double power[3])
{
    power[0] = power[1] = power[2] = 0;
    for (int m = 0; m < s->scene->n_members; m++) {
        const pc_member *member = &s->scene->members[m];
        if (!member->chain) continue;
        double damping, torque;
        int got = pc_chain_power(member->chain, s->t, s->q + member->first, s->u + member->first, &damping, &torque);
        if (got != 0) return got;
        const pc_chain_node *top = s->nodes + member->node;
        power[0] += damping;
        power[1] += torque;
        power[2] += top->rx * s->pivots[m][2] + top->ry * s->pivots[m][3];
    }
    return 0;
}
