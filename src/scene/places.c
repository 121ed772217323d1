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
#include "scene/places.h"

#include "base/tolerance.h"

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

static const pc_scene *scene_of(const pc_contact_state *s)
{
    return s->mechanics->at->scene;
}

static const pc_places *places_of(const pc_contact_state *s)
{
    return &((const pc_planar *)s->mechanics->self)->places;
}

static double gap_of(const pc_contact_state *s, int pair)
{
    return pc_configuration_gap(s->mechanics->at, places_of(s), pair);
}

static void touch_of(const pc_contact_state *s, int pair, pc_touch *touch)
{
    pc_configuration_touch(s->mechanics->at, places_of(s), pair, touch);
}

static void margins_of(const pc_contact_state *s, int pair, double margin[PC_MARGINS])
{
    pc_configuration_margins(s->mechanics->at, places_of(s), pair, margin);
}

static int side_of(const pc_contact_state *s, int pair, bool any)
{
    return pc_configuration_side(s->mechanics->at, places_of(s), pair, any);
}

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
static int edge_of(const pc_contact_state *s, int pair)
{
    const pc_pair *p = &scene_of(s)->pairs[pair];
    double margin[PC_MARGINS], near = AT_EDGE * p->length;
    pc_touch touch;
    touch_of(s, pair, &touch);
    margins_of(s, pair, margin);
    if (touch.feature % 2 == 0) return touch.meets && fmin(margin[2], margin[3]) > near ? -1 : touch.feature / 2;
    if (fmin(margin[0], margin[1]) > near) return -1; /* at neither end of the side */
    return pc_outline_neighbour(&scene_of(s)->outlines[p->outline], touch.feature, margin[0] < margin[1] ? -1 : 1) / 2;
}

/* The pair that takes over at a corner, where the roles change or the next part of a curve begins, if it is as near and
 * of the same law; or -1. */
static int counterpart(const pc_contact_state *s, int pair, int corner)
{
    const pc_scene *scene = scene_of(s);
    const pc_pair *p = &scene->pairs[pair];
    const bool part = scene->outlines[p->outline].part.whole > 0;
    int next = part ? pc_configuration_next_part(s->mechanics->at, pair, corner > 0)
                    : find_pair(scene, p->outline, corner, scene->sites[p->site].outline);
    if (next < 0 || scene->pairs[next].params != p->params) return -1;
    double apart = gap_of(s, next) - gap_of(s, pair);
    return fabs(apart) <= AT_EDGE * p->length ? next : -1;
}

/* How fast a site moves to the end (0, 1) of a side, and beyond; 0 where that is rounding. The side runs along -t. */
static double outwards(const pc_contact_state *s, int pair, const pc_touch *touch, int end)
{
    double v[2];
    pc_configuration_velocity(s->mechanics->at, pair, touch, v);
    return fabs(v[PC_T]) <= pc_pair_resolution(scene_of(s), s->memory, pair) ? 0 : end ? -v[PC_T] : v[PC_T];
}

/* True if a corner at the end of a side is on its way beyond it. */
static bool leaves(const pc_contact_state *s, int pair, const pc_touch *touch, int corner)
{
    return touch->feature % 2 && outwards(s, pair, touch, corner != touch->feature / 2) > 0;
}

/* ---- sharp corners ---- */

/* The pair of the corner that faces a pair's site, if it is of the same law; -1: there is none. */
static int facing_pair(const pc_contact_state *s, int pair, int feature, int end, pc_facing *facing)
{
    const pc_scene *scene = scene_of(s);
    const pc_pair *p = &scene->pairs[pair];
    if (!pc_configuration_facing(s->mechanics->at, pair, feature, end, facing)) return -1;
    int next = find_pair(scene, p->outline, facing->corner, scene->sites[p->site].outline);
    return next >= 0 && scene->pairs[next].params == p->params ? next : -1;
}

/* True if of a pair and the one that faces it, at the end of its side, this one begins where both touch: that which has
 * left an indentation there, or that of the outline that moves and comes first, unless it leaves its side. Both are to
 * say the same, so they ask the same one. */
static bool is_first(const pc_contact_state *s, int pair, int end, int next, const pc_facing *facing)
{
    const pc_scene *scene = scene_of(s);
    const pc_pair *p = &scene->pairs[pair];
    int own = scene->sites[p->site].outline, held = places_of(s)->feature[next];
    bool first = scene->outlines[own].member >= 0 && (scene->outlines[p->outline].member < 0 || own < p->outline);
    pc_touch touch;
    if (s->memory[pair].residual != s->memory[next].residual)
        return s->memory[pair].residual > s->memory[next].residual;
    if (!first) places_of(s)->feature[next] = facing->feature;
    touch_of(s, first ? pair : next, &touch);
    bool leaves = outwards(s, first ? pair : next, &touch, first ? end : facing->end) > 0;
    places_of(s)->feature[next] = held;
    return first != leaves;
}

static bool is_held_to(const pc_contact_state *s, int pair, int feature)
{
    for (int i = 0; i < s->compliant->n; i++)
        if (s->compliant->contact[i].pair == pair) return s->compliant->contact[i].feature == feature;
    return false;
}

/* True if the end of the side at which a corner would begin has a contact of the pair that faces it, or that one is to
 * begin, or it has left an indentation there. *faces: there is such a pair at the end that it is at (0, 1;
 * -1: none). */
static bool is_taken(const pc_contact_state *s, int pair, int side, const pc_touch *touch, int at_end, bool *faces)
{
    double gap = touch->gap + s->memory[pair].residual;
    *faces = false;
    for (int end = 0; end < 2; end++) {
        pc_facing facing;
        int next = facing_pair(s, pair, side, end, &facing);
        if (next < 0) continue;
        *faces |= end == at_end;
        if (is_held_to(s, next, facing.feature)) return true;
        if (side_of(s, next, false) != facing.feature) continue;
        double small = PC_TOUCHING * scene_of(s)->pairs[next].length, left = s->memory[next].residual;
        if (facing.height + left > small) {
            if (gap < -small) return true;
        } else if (gap_of(s, next) + left <= small && !is_first(s, pair, end, next, &facing)) {
            return true;
        }
    }
    return false;
}

/* The end of its side that a corner is at, to rounding, or beyond; -1: neither. */
static int end_of(const pc_contact_state *s, int pair)
{
    double margin[PC_MARGINS], near = AT_EDGE * scene_of(s)->pairs[pair].length;
    margins_of(s, pair, margin);
    int end = margin[0] < margin[1] ? 0 : 1;
    return margin[end] <= near ? end : -1;
}

/* The pair at the side it would hold to. */
static bool may_begin_sharp(const pc_contact_state *s, int pair, int side)
{
    pc_touch touch;
    bool faces;
    double v[2];
    touch_of(s, pair, &touch);
    pc_configuration_velocity(s->mechanics->at, pair, &touch, v);
    /* what has closed may be the gap of another side, which is nearer */
    double gap = touch.gap + s->memory[pair].residual, length = scene_of(s)->pairs[pair].length;
    bool opens = gap >= -PC_TOUCHING * length && v[PC_N] > pc_pair_resolution(scene_of(s), s->memory, pair);
    if (opens || gap > UNSEEN * length) return false;
    int end = end_of(s, pair);
    if (is_taken(s, pair, side, &touch, end, &faces)) return false;
    if (end < 0 || faces) return true;
    int next = pc_outline_neighbour(&scene_of(s)->outlines[scene_of(s)->pairs[pair].outline], side, end ? 1 : -1);
    if (next % 2) return true; /* a curve goes on */
    int corner = next / 2;
    return s->memory[pair].residual == 0 && !leaves(s, pair, &touch, corner);
}

bool pc_compliant_is_off(const pc_contact_state *s, int which)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    const pc_pair *p = &scene_of(s)->pairs[c->pair];
    double margin[PC_MARGINS];
    if (c->feature < 0) return false;
    margins_of(s, c->pair, margin);
    return fmin(margin[0], margin[1]) < -PC_OVERHANG * p->length / 2;
}

/* Hold to a side of a pair from now on, if what is pressed is still so before that. The indentation may become less,
 * not more: what it would be deeper counts as left behind. */
static bool go_on(const pc_contact_state *s, int which, int next, int side)
{
    pc_compliant *all = s->compliant;
    pc_compliant_contact *c = &all->contact[which];
    int *feature = places_of(s)->feature, before = feature[next];
    double most = all->now[which].u;
    feature[next] = side;
    double u = -(gap_of(s, next) + c->residual);
    if (!(u > 0 && u <= DEEP * most)) {
        feature[next] = before;
        return false;
    }
    if (next != c->pair) {
        feature[c->pair] = -1;
        s->memory[next].permanent = s->memory[c->pair].permanent;
    }
    c->residual += fmax(u - most, 0);
    s->memory[next].residual = c->residual;
    c->pair = next;
    c->feature = side;
    all->version++;
    return true;
}

/* What is off the end of its side goes on there, or nowhere. */
static bool hand_over_sharp(const pc_contact_state *s, int which)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    pc_facing facing;
    int end = end_of(s, c->pair);
    if (end < 0 || !pc_compliant_is_off(s, which)) return false;
    const pc_outline *outline = &scene_of(s)->outlines[scene_of(s)->pairs[c->pair].outline];
    if (pc_outline_is_curve(outline)) {
        int beyond = pc_outline_neighbour(outline, c->feature, end ? 1 : -1);
        return beyond % 2 && go_on(s, which, c->pair, beyond);
    }
    int next = facing_pair(s, c->pair, c->feature, end, &facing);
    if (next >= 0 && facing.before && !pc_compliant_has(s->compliant, next) && go_on(s, which, next, facing.feature))
        return true;
    int side = side_of(s, c->pair, false);
    return side >= 0 && side != c->feature && go_on(s, which, c->pair, side);
}

/* ---- both kinds ---- */

/* How deep the deepest contact of the outlines of a pair is, or was. */
static double depth_beside(const pc_contact_state *s, int pair)
{
    const pc_scene *scene = scene_of(s);
    int own = scene->sites[scene->pairs[pair].site].outline, other = scene->pairs[pair].outline;
    double most = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *p = &scene->pairs[i];
        int outline = scene->sites[p->site].outline;
        if (!((outline == own && p->outline == other) || (outline == other && p->outline == own))) continue;
        double depth = pc_compliant_has(s->compliant, i) ? -gap_of(s, i) : s->memory[i].residual;
        most = fmax(most, depth);
    }
    return most;
}

bool pc_compliant_keeps_side(const pc_scene *scene, const pc_pair_memory *memory, int pair)
{
    return scene->pairs[pair].sharp && memory[pair].residual > 0 && !memory[pair].permanent;
}

void pc_compliant_leave(const pc_contact_state *s, int pair)
{
    if (!pc_compliant_keeps_side(scene_of(s), s->memory, pair)) places_of(s)->feature[pair] = -1;
}

bool pc_compliant_hold_side(const pc_contact_state *s, int pair)
{
    if (!scene_of(s)->pairs[pair].sharp) return true;
    int *feature = &places_of(s)->feature[pair];
    if (*feature >= 0 && pc_compliant_keeps_side(scene_of(s), s->memory, pair)) return true;
    *feature = side_of(s, pair, false);
    double deep = fmax(DEEP * depth_beside(s, pair), UNSEEN * scene_of(s)->pairs[pair].length);
    if (*feature >= 0 && -(gap_of(s, pair) + s->memory[pair].residual) > deep) *feature = side_of(s, pair, true);
    return *feature >= 0;
}

bool pc_compliant_may_begin(const pc_contact_state *s, int pair)
{
    pc_touch touch;
    if (scene_of(s)->pairs[pair].sharp) {
        int before = places_of(s)->feature[pair];
        bool may = pc_compliant_hold_side(s, pair) && may_begin_sharp(s, pair, places_of(s)->feature[pair]);
        places_of(s)->feature[pair] = before;
        return may;
    }
    touch_of(s, pair, &touch);
    if (!touch.meets || touch.edge) return false;
    int corner = edge_of(s, pair);
    if (corner < 0) return true;
    int next = counterpart(s, pair, corner);
    if (s->memory[pair].residual != 0) return false;
    return next >= 0 ? !pc_compliant_has(s->compliant, next) : !leaves(s, pair, &touch, corner);
}

bool pc_compliant_hand_over(const pc_contact_state *s, int which)
{
    pc_compliant *all = s->compliant;
    pc_compliant_contact *c = &all->contact[which];
    if (!(all->now[which].u > LEFT * c->length)) return false;
    if (c->feature >= 0) return hand_over_sharp(s, which);
    int corner = edge_of(s, c->pair), next = corner < 0 ? -1 : counterpart(s, c->pair, corner);
    if (next < 0 || pc_compliant_has(s->compliant, next)) return false;
    s->memory[next].residual = s->memory[c->pair].residual;
    s->memory[next].permanent = s->memory[c->pair].permanent;
    c->pair = next;
    all->version++;
    return true;
}

/* ---- open pairs near contact: what is watched of them ---- */

/* Accelerations that follow from forces round at a few 1e-16 of the largest, more where the forces are nearly
 * dependent. */
static const double STILL = 1e-11;

double pc_pair_gap(const pc_configuration *c, const pc_places *places, const pc_pair_memory *memory, int pair)
{
    bool thin = c->scene->pairs[pair].thin;
    double gap = thin ? places->face[pair] * pc_configuration_height(c, pair) : pc_configuration_gap(c, places, pair);
    return gap + memory[pair].residual;
}

/* Nearer to the line of its core than this, as a share of the lengths, a site of rigid bodies does not change faces: it
 * has sunk into the core while other contacts carried the load. If it comes to there from beyond an end, it belongs to
 * the face on whose side its own outline is. */
static const double SUNK = 1e-4;

bool pc_pair_update_face(const pc_configuration *c, const pc_places *places, int pair)
{
    const pc_pair *p = &c->scene->pairs[pair];
    if (!p->thin) return false;
    /* what presses a curve is behind it */
    if (places->feature[pair] >= 0 && pc_outline_is_curve(&c->scene->outlines[p->outline])) return false;
    double height = pc_configuration_height(c, pair);
    int *face = &places->face[pair], before = *face;
    if (fabs(height) > SUNK * p->length || *face == 0 || pc_pair_acts_in_motion(c->scene, pair)) {
        if (fabs(height) > PC_TOUCHING * p->length) *face = height > 0 ? 1 : -1;
    } else if (!pc_configuration_is_before(c, pair)) {
        *face = pc_configuration_outer_face(c, pair);
    }
    return *face != before;
}

bool pc_pair_rides_along(const pc_contact_state *s, int pair)
{
    const pc_configuration *c = s->mechanics->at;
    pc_touch touch;
    double v[2], a[2], largest = fabs(c->scene->gravity);
    if (s->memory[pair].riding == s->t) return true;
    if (s->contacts->n == 0) return false;
    pc_configuration_touch(c, places_of(s), pair, &touch);
    pc_configuration_velocity(c, pair, &touch, v);
    pc_configuration_acceleration(c, pair, &touch, s->a, a);
    for (int i = 0; i < c->scene->n_dof; i++) largest = fmax(largest, fabs(s->a[i]));
    return touch.meets && fabs(touch.gap) <= PC_TOUCHING * c->scene->pairs[pair].length &&
           fabs(v[PC_N]) <= pc_pair_resolution(c->scene, s->memory, pair) && fabs(a[PC_N]) <= STILL * largest;
}

double pc_pair_speed_scale(const pc_scene *scene, const pc_pair_memory *memory, int pair)
{
    return pc_speed_scale(&memory[pair], fabs(scene->gravity), scene->pairs[pair].length);
}

double pc_pair_resolution(const pc_scene *scene, const pc_pair_memory *memory, int pair)
{
    return pc_rounding(pc_pair_speed_scale(scene, memory, pair));
}

/* Size of the terms that make up the velocity of what is fixed to a link, `arm` away from its upper joint, or to an
 * obstacle. */
static double link_speed(const pc_configuration *c, int m, int link, double arm)
{
    if (m < 0 && link > 0) {
        const pc_drive_frame *drive = &c->drives[link - 1];
        return fabs(drive->velocity[0]) + fabs(drive->velocity[1]) + arm * fabs(drive->state.rate[2]) +
               fabs(drive->state.surface[0]);
    }
    if (m < 0) return 0;
    const pc_member *member = &c->scene->members[m];
    const double *u = c->u + member->first;
    if (!member->chain) return fabs(u[0]) + fabs(u[1]) + arm * fabs(u[2]);
    const double *pivot = member->chain->pivot.floats ? u + member->chain->n : c->pivots[m] + 2;
    double sum = fabs(pivot[0]) + fabs(pivot[1]) + arm * fabs(u[link]);
    for (int i = 0; i < link; i++) sum += member->chain->links[i].length * fabs(u[i]);
    return sum;
}

/* The same of the coordinate of a joint. */
static double coordinate_speed(const pc_configuration *c, const pc_pair *p)
{
    const pc_scene_force *at = &c->scene->joints[p->joint].at;
    const bool angular = pc_joint_angular(at->kind, at->params);
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        pc_force_end end;
        pc_configuration_force_end(c, at, k, &end);
        sum += angular ? fabs(end.rate) : fabs(end.vx) + fabs(end.vy);
    }
    return sum;
}

void pc_pair_record_speed(const pc_configuration *c, pc_pair_memory *memory, int pair)
{
    const pc_pair *p = &c->scene->pairs[pair];
    const pc_site *site = &c->scene->sites[p->site];
    const pc_outline *outline = &c->scene->outlines[p->outline];
    if (p->kind == PC_PAIR_GAP) {
        double terms = pc_mechanism_speed(&c->mechanisms[site->member], p->gap - 1);
        memory[pair].greatest_speed = fmax(memory[pair].greatest_speed, terms);
        return;
    }
    if (p->kind != PC_PAIR_OUTLINES) {
        memory[pair].greatest_speed = fmax(memory[pair].greatest_speed, coordinate_speed(c, p));
        return;
    }
    double speed =
        link_speed(c, site->member, site->link, p->arm[0]) + link_speed(c, outline->member, outline->link, p->arm[1]);
    memory[pair].greatest_speed = fmax(memory[pair].greatest_speed, speed);
}
