/* Systems: see system.h. */
#include "motion/system.h"

#include "base/alloc.h"
#include "motion/compliant.h"

#include <math.h>
#include <string.h>

pc_status pc_system_open(pc_system *s, const pc_scene *scene, pc_error *err)
{
    *s = (pc_system){.span = {-INFINITY, INFINITY}};
    pc_status status = pc_configuration_open(&s->now, scene, err);
    if (status != PC_OK) return status;
    s->forces = pc_calloc((size_t)scene->n_nodes + 1, sizeof *s->forces);
    s->places.feature = pc_calloc((size_t)scene->n_pairs + 1, 2);
    if (s->forces && s->places.feature) {
        s->places.face = s->places.feature + scene->n_pairs + 1;
        memset(s->places.feature, -1, (size_t)scene->n_pairs);
        return PC_OK;
    }
    pc_system_close(s);
    return pc_fail(err, PC_E_MEMORY, "not enough memory for a scene of %d links", scene->n_nodes);
}

void pc_system_close(pc_system *s)
{
    pc_configuration_close(&s->now);
    pc_free(s->forces);
    pc_free(s->places.feature);
    s->forces = NULL;
    s->places = (pc_places){NULL, NULL};
}

int pc_system_place(pc_system *s, double t, const double *y)
{
    return pc_configuration_place(&s->now, pc_span_clip(&s->span, t), y);
}

int pc_system_place_pair(pc_system *s, int pair, double t, const double *y)
{
    return pc_configuration_place_pair(&s->now, pair, pc_span_clip(&s->span, t), y);
}

static void unload_member(pc_system *s, int m)
{
    const pc_member *member = &s->now.scene->members[m];
    pc_chain_force *on = s->forces + member->node;
    if (member->chain)
        pc_chain_unload(member->chain, on);
    else
        on->fx = on->fy = on->moment = 0;
}

void pc_system_unload(pc_system *s)
{
    for (int m = 0; m < s->now.scene->n_members; m++) unload_member(s, m);
}

int pc_system_load(pc_system *s)
{
    const pc_configuration *now = &s->now;
    for (int m = 0; m < s->now.scene->n_members; m++) {
        const pc_member *member = &s->now.scene->members[m];
        pc_chain_force *on = s->forces + member->node;
        if (!member->chain) {
            on->fx = on->moment = 0;
            on->fy = -member->body.mass * now->scene->gravity;
            continue;
        }
        int got = pc_chain_load(member->chain, now->nodes + member->node, now->t, now->q + member->first,
                                now->u + member->first, now->scene->gravity, on);
        if (got != 0) return got;
    }
    if (s->compliant) pc_compliant_apply(s);
    return 0;
}

static void solve_member(pc_system *s, int m, bool moving, double *a)
{
    static const double rest[2] = {0, 0};
    const pc_member *member = &s->now.scene->members[m];
    pc_chain_force *on = s->forces + member->node;
    double *out = a + member->first;
    if (member->chain) {
        pc_chain_solve(member->chain, s->now.nodes + member->node, moving ? s->now.pivots[m] + 4 : rest,
                       moving ? s->now.u + member->first : NULL, on, out);
    } else {
        out[0] = on->fx / member->body.mass;
        out[1] = on->fy / member->body.mass;
        out[2] = on->moment / member->body.inertia;
    }
}

static void solve(pc_system *s, bool moving, double *a)
{
    for (int m = 0; m < s->now.scene->n_members; m++) solve_member(s, m, moving, a);
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
    const pc_pair *p = &s->now.scene->pairs[pair];
    members[0] = s->now.scene->sites[p->site].member;
    members[1] = s->now.scene->outlines[p->outline].member;
}

static void push(pc_system *s, int member, int link, const double center[2], double towards, const double n[2],
                 const double force[2])
{
    if (member < 0) return;
    int first = s->now.scene->members[member].node;
    pc_chain_push(s->now.nodes + first, link, center[0] + towards * n[0], center[1] + towards * n[1], force[0],
                  force[1], s->forces + first);
}

void pc_system_push(pc_system *s, int pair, const pc_touch *touch, const double force[2])
{
    const pc_pair *p = &s->now.scene->pairs[pair];
    const pc_site *site = &s->now.scene->sites[p->site];
    const pc_outline *outline = &s->now.scene->outlines[p->outline];
    const double *n = touch->n;
    double on_first[2] = {force[PC_T] * n[1] + force[PC_N] * n[0], -force[PC_T] * n[0] + force[PC_N] * n[1]};
    double on_second[2] = {-on_first[0], -on_first[1]};
    push(s, site->member, site->link, touch->center[0], -touch->reach, n, on_first);
    push(s, outline->member, outline->link, touch->center[1], touch->roll, n, on_second);
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

int pc_system_power(const pc_system *s, double power[3])
{
    power[0] = power[1] = power[2] = 0;
    for (int m = 0; m < s->now.scene->n_members; m++) {
        const pc_member *member = &s->now.scene->members[m];
        if (!member->chain) continue;
        double damping, torque;
        int got = pc_chain_power(member->chain, s->now.t, s->now.q + member->first, s->now.u + member->first, &damping,
                                 &torque);
        if (got != 0) return got;
        const pc_chain_force *top = s->forces + member->node;
        power[0] += damping;
        power[1] += torque;
        power[2] += top->rx * s->now.pivots[m][2] + top->ry * s->now.pivots[m][3];
    }
    return 0;
}
