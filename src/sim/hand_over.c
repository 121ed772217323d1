/* A compliant contact slides over the edge of an outline.
 *
 * Two outlines touch with a corner of one before a side of the other, or, where they are round, with two corners. A
 * corner that is pressed into a side and leaves it at the side's end is then as near to the corner there, and the pair
 * of the two corners goes on with the same indentation and stretch; it does so for the side again, on the way back.
 * Sharp corners do not touch each other: what slides over one loses its contact, and what its springs held is
 * dissipated.
 *
 * Where a side lies on a side, each of their two ends that lie on the other is a contact with a spring of its own. As
 * they slide apart these two meet where both sides end, and one contact is left, with one spring, as deep as each was.
 * What the other one held has nowhere to go: neither velocities nor the indentation may jump, and a spring that held
 * both would be stiffer than the law says. It is dissipated.
 */
#include "sim/run_parts.h"

#include <math.h>

/* An edge is where the margin that a contact has crossed is less than this share of the lengths in its gap: the time of
 * the crossing is known to rounding. */
static const double AT_EDGE = 1e-12;

/* An indentation below this share of a contact's length is what the end of the contact leaves. */
static const double LEFT = 1e-9;

/* The pair of corner i of a hull with another hull; -1: there is none. */
static int find_pair(const pc_scene *scene, int hull, int i, int other)
{
    for (int k = 0; k < scene->n_pairs; k++) {
        const pc_site *site = &scene->sites[scene->pairs[k].site];
        if (site->hull == hull && site->corner == i && scene->pairs[k].hull == other) return k;
    }
    return -1;
}

/* The corner of its hull at which a pair is about to leave it, or has just done so; -1: it is at no edge. */
static int edge_of(const pc_system *system, int pair)
{
    const pc_pair *p = &system->scene->pairs[pair];
    double margin[PC_MARGINS], near = AT_EDGE * p->length;
    pc_touch touch;
    pc_system_touch(system, pair, &touch);
    pc_system_margins(system, pair, margin);
    if (touch.feature % 2 == 0) return touch.meets && fmin(margin[2], margin[3]) > near ? -1 : touch.feature / 2;
    if (fmin(margin[0], margin[1]) > near) return -1; /* at neither end of the side */
    return pc_hull_neighbour(&system->scene->hulls[p->hull], touch.feature, margin[0] < margin[1] ? -1 : 1) / 2;
}

/* The pair that takes over at a corner, where the roles change, if it is as near and of the same law; or -1. */
static int counterpart(const pc_run *run, int pair, int corner)
{
    const pc_scene *scene = run->scene;
    const pc_pair *p = &scene->pairs[pair];
    int next = find_pair(scene, p->hull, corner, scene->sites[p->site].hull);
    if (next < 0 || scene->pairs[next].params != p->params) return -1;
    if (!p->corners && !scene->pairs[next].corners) return -1; /* both are sharp */
    double apart = pc_system_gap(&run->system, next) - pc_system_gap(&run->system, pair);
    return fabs(apart) <= AT_EDGE * p->length ? next : -1;
}

/* True if a corner at the end of a side is on its way beyond it. The side runs along -t. */
static bool leaves(const pc_run *run, int pair, const pc_touch *touch, int corner)
{
    double v[2];
    if (touch->feature % 2 == 0) return false;
    pc_system_velocity(&run->system, pair, touch, v);
    return (corner == touch->feature / 2 ? v[PC_T] : -v[PC_T]) > pc_run_resolution(run, pair);
}

bool pc_run_may_begin(const pc_run *run, int pair)
{
    pc_touch touch;
    pc_system_touch(&run->system, pair, &touch);
    if (!touch.meets || touch.edge) return false;
    int corner = edge_of(&run->system, pair);
    if (corner < 0) return true;
    int next = counterpart(run, pair, corner);
    if (run->residual[pair] != 0) return false;
    return next >= 0 ? !pc_run_is_pressed(run, next) : !leaves(run, pair, &touch, corner);
}

bool pc_run_hand_over(pc_run *run, int which)
{
    pc_compliant *all = &run->compliant;
    pc_pressed *c = &all->contact[which];
    if (!(all->now[which].u > LEFT * c->length)) return false;
    int corner = edge_of(&run->system, c->pair), next = corner < 0 ? -1 : counterpart(run, c->pair, corner);
    if (next < 0 || pc_run_is_pressed(run, next)) return false;
    run->residual[next] = run->residual[c->pair];
    run->dented[next] = run->dented[c->pair];
    c->pair = next;
    c->face = run->system.face[next];
    all->version++;
    return true;
}
