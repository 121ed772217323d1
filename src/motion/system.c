/* Systems: see system.h; how pairs touch is in touch.c. */
#include "motion/system.h"

#include "base/alloc.h"
#include "motion/compliant.h"

#include <math.h>
#include <string.h>

pc_status pc_system_open(pc_system *s, const pc_scene *scene, pc_error *err)
{
    *s = (pc_system){.scene = scene, .span = {-INFINITY, INFINITY}};
    s->nodes = pc_calloc((size_t)scene->n_nodes + 1, sizeof *s->nodes);
    s->pivots = pc_calloc((size_t)scene->n_members + 1, sizeof *s->pivots);
    s->feature = pc_calloc((size_t)scene->n_pairs + 1, 2);
    if (s->nodes && s->pivots && s->feature) {
        s->face = s->feature + scene->n_pairs + 1;
        memset(s->feature, -1, (size_t)scene->n_pairs);
        return PC_OK;
    }
    pc_system_close(s);
    return pc_fail(err, PC_E_MEMORY, "not enough memory for a scene of %d links", scene->n_nodes);
}

void pc_system_close(pc_system *s)
{
    pc_free(s->nodes);
    pc_free(s->pivots);
    pc_free(s->feature);
    s->nodes = NULL;
    s->feature = s->face = NULL;
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
    s->t = pc_span_clip(&s->span, t);
    s->q = y;
    s->u = y + s->scene->n_dof;
}

int pc_system_place_pair(pc_system *s, int pair, double t, const double *y)
{
    const pc_pair *p = &s->scene->pairs[pair];
    int first = s->scene->sites[p->site].member, second = s->scene->outlines[p->outline].member;
    set_state(s, t, y);
    int got = first < 0 ? 0 : place_member(s, first);
    return got != 0 || second < 0 ? got : place_member(s, second);
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

static void unload_member(pc_system *s, int m)
{
    const pc_member *member = &s->scene->members[m];
    pc_chain_node *nodes = s->nodes + member->node;
    if (member->chain)
        pc_chain_unload(member->chain, nodes);
    else
        nodes->fx = nodes->fy = nodes->moment = 0;
}

void pc_system_unload(pc_system *s)
{
    for (int m = 0; m < s->scene->n_members; m++) unload_member(s, m);
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
    if (s->compliant) pc_compliant_apply(s);
    return 0;
}

static void solve_member(pc_system *s, int m, bool moving, double *a)
{
    static const double rest[2] = {0, 0};
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

static void solve(pc_system *s, bool moving, double *a)
{
    for (int m = 0; m < s->scene->n_members; m++) solve_member(s, m, moving, a);
}

void pc_system_accelerations(pc_system *s, double *a)
{
    solve(s, true, a);
}

void pc_system_jumps(pc_system *s, double *du)
{
    solve(s, false, du);
}

/* The members a pair acts on; -1: none. */
static void members_of(const pc_system *s, int pair, int members[2])
{
    const pc_pair *p = &s->scene->pairs[pair];
    members[0] = s->scene->sites[p->site].member;
    members[1] = s->scene->outlines[p->outline].member;
}

void pc_system_respond(pc_system *s, int pair, const pc_touch *touch, const double impulse[2], double *du)
{
    int members[2];
    members_of(s, pair, members);
    for (int k = 0; k < 2; k++)
        if (members[k] >= 0) unload_member(s, members[k]);
    pc_system_push(s, pair, touch, impulse);
    for (int k = 0; k < 2; k++)
        if (members[k] >= 0) solve_member(s, members[k], false, du);
}

bool pc_system_coupled(const pc_system *s, int pair, int other)
{
    int a[2], b[2];
    members_of(s, pair, a);
    members_of(s, other, b);
    return (a[0] >= 0 && (a[0] == b[0] || a[0] == b[1])) || (a[1] >= 0 && (a[1] == b[0] || a[1] == b[1]));
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
