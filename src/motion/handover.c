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

static double gap_of(const pc_configuration *at, const pc_run_state *state, int pair)
{
    const pc_places places = pc_run_state_places(state);
    return pc_configuration_gap(at, &places, pair);
}

static void touch_of(const pc_configuration *at, const pc_run_state *state, int pair, pc_touch *touch)
{
    const pc_places places = pc_run_state_places(state);
    pc_configuration_touch(at, &places, pair, touch);
}

static void margins_of(const pc_configuration *at, const pc_run_state *state, int pair, double margin[PC_MARGINS])
{
    const pc_places places = pc_run_state_places(state);
    pc_configuration_margins(at, &places, pair, margin);
}

static int side_of(const pc_configuration *at, const pc_run_state *state, int pair, bool any)
{
    const pc_places places = pc_run_state_places(state);
    return pc_configuration_side(at, &places, pair, any);
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
static int edge_of(const pc_configuration *at, const pc_run_state *state, int pair)
{
    const pc_pair *p = &at->scene->pairs[pair];
    double margin[PC_MARGINS], near = AT_EDGE * p->length;
    pc_touch touch;
    touch_of(at, state, pair, &touch);
    margins_of(at, state, pair, margin);
    if (touch.feature % 2 == 0) return touch.meets && fmin(margin[2], margin[3]) > near ? -1 : touch.feature / 2;
    if (fmin(margin[0], margin[1]) > near) return -1; /* at neither end of the side */
    return pc_outline_neighbour(&at->scene->outlines[p->outline], touch.feature, margin[0] < margin[1] ? -1 : 1) / 2;
}

/* The pair that takes over at a corner, where the roles change, if it is as near and of the same law; or -1. */
static int counterpart(const pc_configuration *at, const pc_run_state *state, int pair, int corner)
{
    const pc_scene *scene = at->scene;
    const pc_pair *p = &scene->pairs[pair];
    int next = find_pair(scene, p->outline, corner, scene->sites[p->site].outline);
    if (next < 0 || scene->pairs[next].params != p->params) return -1;
    double apart = gap_of(at, state, next) - gap_of(at, state, pair);
    return fabs(apart) <= AT_EDGE * p->length ? next : -1;
}

/* How fast a site moves to the end (0, 1) of a side, and beyond; 0 where that is rounding. The side runs along -t. */
static double outwards(const pc_configuration *at, const pc_run_state *state, int pair, const pc_touch *touch, int end)
{
    double v[2];
    pc_configuration_velocity(at, pair, touch, v);
    return fabs(v[PC_T]) <= pc_pair_resolution(at->scene, state->memory, pair) ? 0 : end ? -v[PC_T] : v[PC_T];
}

/* True if a corner at the end of a side is on its way beyond it. */
static bool leaves(const pc_configuration *at, const pc_run_state *state, int pair, const pc_touch *touch, int corner)
{
    return touch->feature % 2 && outwards(at, state, pair, touch, corner != touch->feature / 2) > 0;
}

/* ---- sharp corners ---- */

/* The pair of the corner that faces a pair's site, if it is of the same law; -1: there is none. */
static int facing_pair(const pc_configuration *at, int pair, int feature, int end, pc_facing *facing)
{
    const pc_scene *scene = at->scene;
    const pc_pair *p = &scene->pairs[pair];
    if (!pc_configuration_facing(at, pair, feature, end, facing)) return -1;
    int next = find_pair(scene, p->outline, facing->corner, scene->sites[p->site].outline);
    return next >= 0 && scene->pairs[next].params == p->params ? next : -1;
}

/* True if of a pair and the one that faces it, at the end of its side, this one begins where both touch: that which has
 * left an indentation there, or that of the outline that moves and comes first, unless it leaves its side. Both are to
 * say the same, so they ask the same one. */
static bool is_first(const pc_configuration *at, pc_run_state *state, int pair, int end, int next,
                     const pc_facing *facing)
{
    const pc_scene *scene = at->scene;
    const pc_pair *p = &scene->pairs[pair];
    int own = scene->sites[p->site].outline, held = state->feature[next];
    bool first = scene->outlines[own].member >= 0 && (scene->outlines[p->outline].member < 0 || own < p->outline);
    pc_touch touch;
    if (state->memory[pair].residual != state->memory[next].residual)
        return state->memory[pair].residual > state->memory[next].residual;
    if (!first) state->feature[next] = (signed char)facing->feature;
    touch_of(at, state, first ? pair : next, &touch);
    bool leaves = outwards(at, state, first ? pair : next, &touch, first ? end : facing->end) > 0;
    state->feature[next] = (signed char)held;
    return first != leaves;
}

static bool is_held_to(const pc_run_state *state, int pair, int feature)
{
    for (int i = 0; i < state->compliant.n; i++)
        if (state->compliant.contact[i].pair == pair) return state->compliant.contact[i].feature == feature;
    return false;
}

/* True if the end of the side at which a corner would begin has a contact of the pair that faces it, or that one is to
 * begin, or it has left an indentation there. *faces: there is such a pair at the end that it is at (0, 1;
 * -1: none). */
static bool is_taken(const pc_configuration *at, pc_run_state *state, int pair, int side, const pc_touch *touch,
                     int at_end, bool *faces)
{
    double gap = touch->gap + state->memory[pair].residual;
    *faces = false;
    for (int end = 0; end < 2; end++) {
        pc_facing facing;
        int next = facing_pair(at, pair, side, end, &facing);
        if (next < 0) continue;
        *faces |= end == at_end;
        if (is_held_to(state, next, facing.feature)) return true;
        if (side_of(at, state, next, false) != facing.feature) continue;
        double small = PC_TOUCHING * at->scene->pairs[next].length, left = state->memory[next].residual;
        if (facing.height + left > small) {
            if (gap < -small) return true;
        } else if (gap_of(at, state, next) + left <= small && !is_first(at, state, pair, end, next, &facing)) {
            return true;
        }
    }
    return false;
}

/* The end of its side that a corner is at, to rounding, or beyond; -1: neither. */
static int end_of(const pc_configuration *at, const pc_run_state *state, int pair)
{
    double margin[PC_MARGINS], near = AT_EDGE * at->scene->pairs[pair].length;
    margins_of(at, state, pair, margin);
    int end = margin[0] < margin[1] ? 0 : 1;
    return margin[end] <= near ? end : -1;
}

/* The pair at the side it would hold to. */
static bool may_begin_sharp(const pc_configuration *at, pc_run_state *state, int pair, int side)
{
    pc_touch touch;
    bool faces;
    double v[2];
    touch_of(at, state, pair, &touch);
    pc_configuration_velocity(at, pair, &touch, v);
    /* what has closed may be the gap of another side, which is nearer */
    double gap = touch.gap + state->memory[pair].residual, length = at->scene->pairs[pair].length;
    bool opens = gap >= -PC_TOUCHING * length && v[PC_N] > pc_pair_resolution(at->scene, state->memory, pair);
    if (opens || gap > UNSEEN * length) return false;
    int end = end_of(at, state, pair);
    if (is_taken(at, state, pair, side, &touch, end, &faces)) return false;
    if (end < 0 || faces) return true;
    int corner = pc_outline_neighbour(&at->scene->outlines[at->scene->pairs[pair].outline], side, end ? 1 : -1) / 2;
    return state->memory[pair].residual == 0 && !leaves(at, state, pair, &touch, corner);
}

bool pc_compliant_is_off(const pc_configuration *at, const pc_run_state *state, int which)
{
    const pc_compliant_contact *c = &state->compliant.contact[which];
    const pc_pair *p = &at->scene->pairs[c->pair];
    double margin[PC_MARGINS];
    if (c->feature < 0) return false;
    margins_of(at, state, c->pair, margin);
    return fmin(margin[0], margin[1]) < -PC_OVERHANG * p->length / 2;
}

/* Hold to a side of a pair from now on, if what is pressed is still so before that. The indentation may become less,
 * not more: what it would be deeper counts as left behind. */
static bool go_on(const pc_configuration *at, pc_run_state *state, int which, int next, int side)
{
    pc_compliant *all = &state->compliant;
    pc_compliant_contact *c = &all->contact[which];
    signed char *feature = state->feature, before = feature[next];
    double most = all->now[which].u;
    feature[next] = (signed char)side;
    double u = -(gap_of(at, state, next) + c->residual);
    if (!(u > 0 && u <= DEEP * most)) {
        feature[next] = before;
        return false;
    }
    if (next != c->pair) {
        feature[c->pair] = -1;
        state->memory[next].permanent = state->memory[c->pair].permanent;
    }
    c->residual += fmax(u - most, 0);
    state->memory[next].residual = c->residual;
    c->pair = next;
    c->feature = side;
    all->version++;
    return true;
}

/* What is off the end of its side goes on there, or nowhere. */
static bool hand_over_sharp(const pc_configuration *at, pc_run_state *state, int which)
{
    const pc_compliant_contact *c = &state->compliant.contact[which];
    pc_facing facing;
    int end = end_of(at, state, c->pair);
    if (end < 0 || !pc_compliant_is_off(at, state, which)) return false;
    int next = facing_pair(at, c->pair, c->feature, end, &facing);
    if (next >= 0 && facing.before && !pc_compliant_has(&state->compliant, next) &&
        go_on(at, state, which, next, facing.feature))
        return true;
    int side = side_of(at, state, c->pair, false);
    return side >= 0 && side != c->feature && go_on(at, state, which, c->pair, side);
}

/* ---- both kinds ---- */

/* How deep the deepest contact of the outlines of a pair is, or was. */
static double depth_beside(const pc_configuration *at, const pc_run_state *state, int pair)
{
    const pc_scene *scene = at->scene;
    int own = scene->sites[scene->pairs[pair].site].outline, other = scene->pairs[pair].outline;
    double most = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *p = &scene->pairs[i];
        int outline = scene->sites[p->site].outline;
        if (!((outline == own && p->outline == other) || (outline == other && p->outline == own))) continue;
        double depth = pc_compliant_has(&state->compliant, i) ? -gap_of(at, state, i) : state->memory[i].residual;
        most = fmax(most, depth);
    }
    return most;
}

bool pc_compliant_keeps_side(const pc_scene *scene, const pc_run_state *state, int pair)
{
    return scene->pairs[pair].sharp && state->memory[pair].residual > 0 && !state->memory[pair].permanent;
}

bool pc_compliant_hold_side(const pc_configuration *at, pc_run_state *state, int pair)
{
    if (!at->scene->pairs[pair].sharp) return true;
    signed char *feature = &state->feature[pair];
    if (*feature >= 0 && pc_compliant_keeps_side(at->scene, state, pair)) return true;
    *feature = (signed char)side_of(at, state, pair, false);
    double deep = fmax(DEEP * depth_beside(at, state, pair), UNSEEN * at->scene->pairs[pair].length);
    if (*feature >= 0 && -(gap_of(at, state, pair) + state->memory[pair].residual) > deep)
        *feature = (signed char)side_of(at, state, pair, true);
    return *feature >= 0;
}

bool pc_compliant_may_begin(const pc_configuration *at, pc_run_state *state, int pair)
{
    pc_touch touch;
    if (at->scene->pairs[pair].sharp) {
        signed char before = state->feature[pair];
        bool may = pc_compliant_hold_side(at, state, pair) && may_begin_sharp(at, state, pair, state->feature[pair]);
        state->feature[pair] = before;
        return may;
    }
    touch_of(at, state, pair, &touch);
    if (!touch.meets || touch.edge) return false;
    int corner = edge_of(at, state, pair);
    if (corner < 0) return true;
    int next = counterpart(at, state, pair, corner);
    if (state->memory[pair].residual != 0) return false;
    return next >= 0 ? !pc_compliant_has(&state->compliant, next) : !leaves(at, state, pair, &touch, corner);
}

bool pc_compliant_hand_over(const pc_configuration *at, pc_run_state *state, int which)
{
    pc_compliant *all = &state->compliant;
    pc_compliant_contact *c = &all->contact[which];
    if (!(all->now[which].u > LEFT * c->length)) return false;
    if (c->feature >= 0) return hand_over_sharp(at, state, which);
    int corner = edge_of(at, state, c->pair), next = corner < 0 ? -1 : counterpart(at, state, c->pair, corner);
    if (next < 0 || pc_compliant_has(&state->compliant, next)) return false;
    state->memory[next].residual = state->memory[c->pair].residual;
    state->memory[next].permanent = state->memory[c->pair].permanent;
    c->pair = next;
    all->version++;
    return true;
}
