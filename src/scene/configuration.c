/* Configurations of a scene in the plane: see configuration.h; how pairs touch is in touch.c. */
#include "scene/configuration.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void pc_places_release(const pc_places *places, int n_pairs)
{
    memset(places->feature, -1, (size_t)n_pairs);
    memset(places->face, 0, (size_t)n_pairs);
}

pc_status pc_configuration_open(pc_configuration *c, const pc_scene *scene, pc_error *err)
{
    *c = (pc_configuration){.scene = scene,
                            .nodes = pc_calloc((size_t)scene->n_nodes + 1, sizeof *c->nodes),
                            .pivots = pc_calloc((size_t)scene->n_members + 1, sizeof *c->pivots)};
    if (c->nodes && c->pivots) return PC_OK;
    pc_configuration_close(c);
    return pc_fail(err, PC_E_MEMORY, "not enough memory for a scene of %d links", scene->n_nodes);
}

void pc_configuration_close(pc_configuration *c)
{
    pc_free(c->nodes);
    pc_free(c->pivots);
    c->nodes = NULL;
    c->pivots = NULL;
}

static int place_member(pc_configuration *c, int m)
{
    const pc_member *member = &c->scene->members[m];
    pc_chain_node *nodes = c->nodes + member->node;
    const double *q = c->q + member->first;
    if (member->chain) {
        int got = pc_pivot_state(&member->chain->pivot, c->t, c->pivots[m]);
        if (got != 0) return got;
        pc_chain_place(member->chain, c->pivots[m], q, nodes);
        return 0;
    }
    nodes->x = q[0];
    nodes->y = q[1];
    const double angle = q[2];
    nodes->ex = sin(angle);
    nodes->ey = -cos(angle);
    return 0;
}

static void set_state(pc_configuration *c, double t, const double *y)
{
    c->has = 0;
    c->t = t;
    c->q = y;
    c->u = y + c->scene->n_dof;
}

int pc_configuration_place_pair(pc_configuration *c, int pair, double t, const double *y)
{
    const pc_pair *p = &c->scene->pairs[pair];
    int first = c->scene->sites[p->site].member, second = c->scene->outlines[p->outline].member;
    set_state(c, t, y);
    c->pair = pair;
    int got = first < 0 ? 0 : place_member(c, first);
    return got != 0 || second < 0 ? got : place_member(c, second);
}

int pc_configuration_place(pc_configuration *c, double t, const double *y)
{
    const pc_scene *scene = c->scene;
    set_state(c, t, y);
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        int got = place_member(c, m);
        if (got != 0) return got;
        if (member->chain) pc_chain_factor(member->chain, c->nodes + member->node);
    }
    c->has = PC_HAS_POSES | PC_HAS_FACTORS;
    return 0;
}

double pc_configuration_kinetic(const pc_configuration *c)
{
    double sum = 0;
    assert(c->has & PC_HAS_POSES);
    for (int m = 0; m < c->scene->n_members; m++) {
        const pc_member *member = &c->scene->members[m];
        const double *u = c->u + member->first;
        if (member->chain) {
            sum += pc_chain_kinetic(member->chain, c->nodes + member->node, c->pivots[m] + 2, u);
        } else {
            sum += 0.5 * (member->body.mass * (u[0] * u[0] + u[1] * u[1]) + member->body.inertia * u[2] * u[2]);
        }
    }
    return sum;
}

double pc_configuration_potential(const pc_configuration *c)
{
    double sum = 0, g = c->scene->gravity;
    assert(c->has & PC_HAS_POSES);
    for (int m = 0; m < c->scene->n_members; m++) {
        const pc_member *member = &c->scene->members[m];
        const double *q = c->q + member->first;
        if (member->chain)
            sum += pc_chain_potential(member->chain, c->nodes + member->node, q, g);
        else
            sum += member->body.mass * g * q[1];
    }
    return sum;
}

double pc_configuration_energy(const pc_configuration *c)
{
    return pc_configuration_kinetic(c) + pc_configuration_potential(c);
}
