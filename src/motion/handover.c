/* A compliant contact slides over the edge of an outline.
 *
 * Two outlines touch with a corner of one before a side of the other, or, where they are round, with two corners. A
 * corner that is pressed into a side and leaves it at the side's end is then as near to the corner there, and the pair
 * of the two corners goes on with the same indentation and stretch; it does so for the side again, on the way back.
 *
 * Sharp corners do not touch each other. One that is pressed into a side stays there up to the side's end, however deep
 * it is. Beyond, the corner at that end may be before a side that runs back from the first one, as where two flat sides
 * lie on each other: then that pair goes on, or else the same pair on the next side of the outline, if that is turned
 * by less than a right angle. What is left of the indentation is the cosine of the angle between the sides: what the
 * spring held besides is dissipated, and all of it where nothing goes on.
 *
 * Where a side lies on a side, each of their two ends that lie on the other is a contact with a spring of its own;
 * where two of them coincide (boxes of one width) one contact begins, of the corner of the outline that comes first in
 * the scene and moves. As the sides slide apart the contacts at both ends of what they have in common meet where both
 * end. Where corners are round one is left, with one spring, as deep as each was. What the other one held has nowhere
 * to go: neither velocities nor the indentation may jump, and a spring that held both would be stiffer than the law
 * says. It is dissipated.
 */
#include "motion/contact_changes.h"
#include "motion/handover.h"
#include "motion/proximity.h"

#include <math.h>

/* An edge is where the margin that a contact has crossed is less than this share of the lengths in its gap: the time of
 * the crossing is known to rounding. */
static const double AT_EDGE = 1e-12;

/* A corner that comes before a side while another contact keeps the two outlines pressed is no deeper than so many
 * times that, or what integration leaves unseen, as a share of the lengths; else it has come through the side it is
 * nearest to. */
static const double DEEP = 2, UNSEEN = 1e-10;

/* An indentation below this share of a contact's length is what the end of the contact leaves. */
static const double LEFT = 1e-9;

/* The pair of corner i of an outline with another outline; -1: there is none. */
static int find_pair(const pc_scene *scene, int outline, int i, int other)
{
    for (int k = 0; k < scene->n_pairs; k++) {
        const pc_site *site = &scene->sites[scene->pairs[k].site];
        if (site->outline == outline && site->corner == i && scene->pairs[k].outline == other) return k;
    }
    return -1;
}

/* The corner of its outline at which a pair is about to leave it, or has just done so; -1: it is at no edge. */
static int edge_of(const pc_planar *system, int pair)
{
    const pc_pair *p = &system->now.scene->pairs[pair];
    double margin[PC_MARGINS], near = AT_EDGE * p->length;
    pc_touch touch;
    pc_configuration_touch(&system->now, &system->places, pair, &touch);
    pc_configuration_margins(&system->now, &system->places, pair, margin);
    if (touch.feature % 2 == 0) return touch.meets && fmin(margin[2], margin[3]) > near ? -1 : touch.feature / 2;
    if (fmin(margin[0], margin[1]) > near) return -1; /* at neither end of the side */
    return pc_outline_neighbour(&system->now.scene->outlines[p->outline], touch.feature,
                                margin[0] < margin[1] ? -1 : 1) /
           2;
}

/* The pair that takes over at a corner, where the roles change, if it is as near and of the same law; or -1. */
static int counterpart(const pc_run *run, int pair, int corner)
{
    const pc_scene *scene = run->scene;
    const pc_pair *p = &scene->pairs[pair];
    int next = find_pair(scene, p->outline, corner, scene->sites[p->site].outline);
    if (next < 0 || scene->pairs[next].params != p->params) return -1;
    double apart = pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, next) -
                   pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, pair);
    return fabs(apart) <= AT_EDGE * p->length ? next : -1;
}

/* How fast a site moves to the end (0, 1) of a side, and beyond; 0 where that is rounding. The side runs along -t. */
static double outwards(const pc_run *run, int pair, const pc_touch *touch, int end)
{
    double v[2];
    pc_configuration_velocity(&run->scratch.system.now, pair, touch, v);
    return fabs(v[PC_T]) <= pc_pair_resolution(run->scene, run->state.memory, pair) ? 0 : end ? -v[PC_T] : v[PC_T];
}

/* True if a corner at the end of a side is on its way beyond it. */
static bool leaves(const pc_run *run, int pair, const pc_touch *touch, int corner)
{
    return touch->feature % 2 && outwards(run, pair, touch, corner != touch->feature / 2) > 0;
}

/* ---- sharp corners ---- */

/* The pair of the corner that faces a pair's site, if it is of the same law; -1: there is none. */
static int facing_pair(const pc_run *run, int pair, int feature, int end, pc_facing *facing)
{
    const pc_scene *scene = run->scene;
    const pc_pair *p = &scene->pairs[pair];
    if (!pc_configuration_facing(&run->scratch.system.now, pair, feature, end, facing)) return -1;
    int next = find_pair(scene, p->outline, facing->corner, scene->sites[p->site].outline);
    return next >= 0 && scene->pairs[next].params == p->params ? next : -1;
}

/* True if of a pair and the one that faces it, at the end of its side, this one begins where both touch: that which has
 * left an indentation there, or that of the outline that moves and comes first, unless it leaves its side. Both are to
 * say the same, so they ask the same one. */
static bool is_first(const pc_run *run, int pair, int end, int next, const pc_facing *facing)
{
    const pc_scene *scene = run->scene;
    const pc_pair *p = &scene->pairs[pair];
    int own = scene->sites[p->site].outline, held = run->scratch.system.places.feature[next];
    bool first = scene->outlines[own].member >= 0 && (scene->outlines[p->outline].member < 0 || own < p->outline);
    pc_touch touch;
    if (run->state.memory[pair].residual != run->state.memory[next].residual)
        return run->state.memory[pair].residual > run->state.memory[next].residual;
    if (!first) run->scratch.system.places.feature[next] = (signed char)facing->feature;
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, first ? pair : next, &touch);
    bool leaves = outwards(run, first ? pair : next, &touch, first ? end : facing->end) > 0;
    run->scratch.system.places.feature[next] = (signed char)held;
    return first != leaves;
}

static bool is_held_to(const pc_run *run, int pair, int feature)
{
    for (int i = 0; i < run->state.compliant.n; i++)
        if (run->state.compliant.contact[i].pair == pair) return run->state.compliant.contact[i].feature == feature;
    return false;
}

/* True if the end of the side at which a corner would begin has a contact of the pair that faces it, or that one is to
 * begin, or it has left an indentation there. *faces: there is such a pair at the end that it is at (0, 1;
 * -1: none). */
static bool is_taken(const pc_run *run, int pair, int side, const pc_touch *touch, int at_end, bool *faces)
{
    double gap = touch->gap + run->state.memory[pair].residual;
    *faces = false;
    for (int end = 0; end < 2; end++) {
        pc_facing facing;
        int next = facing_pair(run, pair, side, end, &facing);
        if (next < 0) continue;
        *faces |= end == at_end;
        if (is_held_to(run, next, facing.feature)) return true;
        if (pc_configuration_side(&run->scratch.system.now, &run->scratch.system.places, next, false) != facing.feature)
            continue;
        double small = PC_TOUCHING * run->scene->pairs[next].length, left = run->state.memory[next].residual;
        if (facing.height + left > small) {
            if (gap < -small) return true;
        } else if (pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, next) + left <= small &&
                   !is_first(run, pair, end, next, &facing)) {
            return true;
        }
    }
    return false;
}

/* The end of its side that a corner is at, to rounding, or beyond; -1: neither. */
static int end_of(const pc_run *run, int pair)
{
    double margin[PC_MARGINS], near = AT_EDGE * run->scene->pairs[pair].length;
    pc_configuration_margins(&run->scratch.system.now, &run->scratch.system.places, pair, margin);
    int end = margin[0] < margin[1] ? 0 : 1;
    return margin[end] <= near ? end : -1;
}

/* The pair, placed, at the side it would hold to. */
static bool may_begin_sharp(const pc_run *run, int pair, int side)
{
    pc_touch touch;
    bool faces;
    double v[2];
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    pc_configuration_velocity(&run->scratch.system.now, pair, &touch, v);
    /* what has closed may be the gap of another side, which is nearer */
    double gap = touch.gap + run->state.memory[pair].residual, length = run->scene->pairs[pair].length;
    bool opens = gap >= -PC_TOUCHING * length && v[PC_N] > pc_pair_resolution(run->scene, run->state.memory, pair);
    if (opens || gap > UNSEEN * length) return false;
    int end = end_of(run, pair);
    if (is_taken(run, pair, side, &touch, end, &faces)) return false;
    if (end < 0 || faces) return true;
    int corner = pc_outline_neighbour(&run->scene->outlines[run->scene->pairs[pair].outline], side, end ? 1 : -1) / 2;
    return run->state.memory[pair].residual == 0 && !leaves(run, pair, &touch, corner);
}

bool pc_run_is_off(const pc_run *run, int which)
{
    const pc_run_contact *c = &run->state.compliant.contact[which];
    const pc_pair *p = &run->scene->pairs[c->pair];
    double margin[PC_MARGINS];
    if (c->feature < 0) return false;
    pc_configuration_margins(&run->scratch.system.now, &run->scratch.system.places, c->pair, margin);
    return fmin(margin[0], margin[1]) < -PC_OVERHANG * p->length / 2;
}

/* Hold to a side of a pair from now on, if what is pressed is still so before that. The indentation may become less,
 * not more: what it would be deeper counts as left behind. */
static bool go_on(pc_run *run, int which, int next, int side)
{
    pc_compliant *all = &run->state.compliant;
    pc_run_contact *c = &all->contact[which];
    signed char *feature = run->scratch.system.places.feature, before = feature[next];
    double most = all->now[which].u;
    feature[next] = (signed char)side;
    double u = -(pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, next) + c->residual);
    if (!(u > 0 && u <= DEEP * most)) {
        feature[next] = before;
        return false;
    }
    if (next != c->pair) {
        feature[c->pair] = -1;
        run->state.memory[next].permanent = run->state.memory[c->pair].permanent;
    }
    c->residual += fmax(u - most, 0);
    run->state.memory[next].residual = c->residual;
    c->pair = next;
    c->feature = side;
    all->version++;
    return true;
}

/* What is off the end of its side goes on there, or nowhere. */
static bool hand_over_sharp(pc_run *run, int which)
{
    const pc_run_contact *c = &run->state.compliant.contact[which];
    pc_facing facing;
    int end = end_of(run, c->pair);
    if (end < 0 || !pc_run_is_off(run, which)) return false;
    int next = facing_pair(run, c->pair, c->feature, end, &facing);
    if (next >= 0 && facing.before && !pc_run_is_compliant(run, next) && go_on(run, which, next, facing.feature))
        return true;
    int side = pc_configuration_side(&run->scratch.system.now, &run->scratch.system.places, c->pair, false);
    return side >= 0 && side != c->feature && go_on(run, which, c->pair, side);
}

/* ---- both kinds ---- */

/* How deep the deepest contact of the outlines of a pair is, or was; their members are placed. */
static double depth_beside(const pc_run *run, int pair)
{
    const pc_scene *scene = run->scene;
    int own = scene->sites[scene->pairs[pair].site].outline, other = scene->pairs[pair].outline;
    double most = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *p = &scene->pairs[i];
        int outline = scene->sites[p->site].outline;
        if (!((outline == own && p->outline == other) || (outline == other && p->outline == own))) continue;
        double depth = pc_run_is_compliant(run, i)
                           ? -pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, i)
                           : run->state.memory[i].residual;
        most = fmax(most, depth);
    }
    return most;
}

bool pc_run_keeps_feature(const pc_run *run, int pair)
{
    return run->scene->pairs[pair].sharp && run->state.memory[pair].residual > 0 && !run->state.memory[pair].permanent;
}

bool pc_run_keep_feature(pc_run *run, int pair)
{
    if (!run->scene->pairs[pair].sharp) return true;
    signed char *feature = &run->scratch.system.places.feature[pair];
    if (*feature >= 0 && pc_run_keeps_feature(run, pair)) return true;
    *feature = (signed char)pc_configuration_side(&run->scratch.system.now, &run->scratch.system.places, pair, false);
    double deep = fmax(DEEP * depth_beside(run, pair), UNSEEN * run->scene->pairs[pair].length);
    if (*feature >= 0 && -(pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, pair) +
                           run->state.memory[pair].residual) > deep)
        *feature =
            (signed char)pc_configuration_side(&run->scratch.system.now, &run->scratch.system.places, pair, true);
    return *feature >= 0;
}

bool pc_run_may_begin(pc_run *run, int pair)
{
    pc_touch touch;
    if (run->scene->pairs[pair].sharp) {
        signed char before = run->scratch.system.places.feature[pair];
        bool may =
            pc_run_keep_feature(run, pair) && may_begin_sharp(run, pair, run->scratch.system.places.feature[pair]);
        run->scratch.system.places.feature[pair] = before;
        return may;
    }
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    if (!touch.meets || touch.edge) return false;
    int corner = edge_of(&run->scratch.system, pair);
    if (corner < 0) return true;
    int next = counterpart(run, pair, corner);
    if (run->state.memory[pair].residual != 0) return false;
    return next >= 0 ? !pc_run_is_compliant(run, next) : !leaves(run, pair, &touch, corner);
}

bool pc_run_handover(pc_run *run, int which)
{
    pc_compliant *all = &run->state.compliant;
    pc_run_contact *c = &all->contact[which];
    if (!(all->now[which].u > LEFT * c->length)) return false;
    if (c->feature >= 0) return hand_over_sharp(run, which);
    int corner = edge_of(&run->scratch.system, c->pair), next = corner < 0 ? -1 : counterpart(run, c->pair, corner);
    if (next < 0 || pc_run_is_compliant(run, next)) return false;
    run->state.memory[next].residual = run->state.memory[c->pair].residual;
    run->state.memory[next].permanent = run->state.memory[c->pair].permanent;
    c->pair = next;
    all->version++;
    return true;
}
