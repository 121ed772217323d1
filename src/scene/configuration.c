/* Configurations of a scene in the plane: see configuration.h.
 *
 * How a pair touches: near a corner both sides are circles, and the frame turns with the line of centres. Before a side
 * the frame turns with the outline: the site is compared with the point of the outline's body where its centre is,
 * which the normal through it does not leave.
 */
#include "scene/configuration.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "engine/separation.h"
#include "scene/curve_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void pc_places_release(const pc_places *places, int n_pairs)
{
    for (int i = 0; i < n_pairs; i++) {
        places->feature[i] = -1;
        places->face[i] = 0;
    }
}

/* Where nothing is said of functions of time. */
static const double UNKNOWN_SCALE = 1e-3;

pc_status pc_configuration_open(pc_configuration *c, const pc_scene *scene, pc_error *err)
{
    *c = (pc_configuration){.scene = scene,
                            .nodes = pc_calloc((size_t)scene->n_nodes + 1, sizeof *c->nodes),
                            .pivots = pc_calloc((size_t)scene->n_members + 1, sizeof *c->pivots),
                            .drives = pc_calloc((size_t)scene->n_drives + 1, sizeof *c->drives),
                            .time_scale = UNKNOWN_SCALE,
                            .within = {-INFINITY, INFINITY}};
    bool good = c->nodes && c->pivots && c->drives;
    pc_status status = PC_OK;
    if (good && scene->n_mechanisms > 0) {
        c->mechanisms = pc_calloc((size_t)scene->n_members, sizeof *c->mechanisms);
        good = c->mechanisms != NULL;
    }
    for (int m = 0; m < scene->n_members && good && c->mechanisms && status == PC_OK; m++)
        if (scene->members[m].mechanism)
            status = pc_mechanism_frame_open(&c->mechanisms[m], scene->members[m].mechanism, err);
    if (good && status == PC_OK) return PC_OK;
    pc_configuration_close(c);
    if (status != PC_OK) return status;
    return pc_fail(err, PC_E_MEMORY, "not enough memory for a scene of %d links", scene->n_nodes);
}

void pc_configuration_close(pc_configuration *c)
{
    pc_free(c->nodes);
    pc_free(c->pivots);
    pc_free(c->drives);
    for (int m = 0; c->mechanisms && m < c->scene->n_members; m++) pc_mechanism_frame_close(&c->mechanisms[m]);
    pc_free(c->mechanisms);
    *c = (pc_configuration){0};
}

static int place_member(pc_configuration *c, int m)
{
    const pc_member *member = &c->scene->members[m];
    pc_chain_node *nodes = c->nodes + member->node;
    const double *q = c->q + member->first;
    if (member->mechanism) return pc_mechanism_place(&c->mechanisms[m], c->t, q, c->u + member->first);
    if (member->chain) {
        const int n = member->chain->n;
        if (member->chain->pivot.floats) { /* its velocity is a part of u */
            const double state[6] = {q[n], q[n + 1]};
            memcpy(c->pivots[m], state, sizeof state);
        } else {
            int got = pc_pivot_state(&member->chain->pivot, c->t, c->pivots[m]);
            if (got != 0) return got;
        }
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

/* What is turned by the angle about the middle m and displaced by d has its origin at o = d + m - R m. */
static int place_drive(pc_configuration *c, int i)
{
    const pc_drive *drive = &c->scene->drives[i];
    pc_drive_frame *frame = &c->drives[i];
    pc_drive_state *s = &frame->state;
    int got = pc_drive_find(drive, c->t, c->time_scale, &c->within, s);
    if (got == PC_DRIVE_TORN) c->torn = i + 1;
    if (got != 0) return got;
    const bool turned = s->place[2] != 0;
    double ex = turned ? cos(s->place[2]) : 1, ey = turned ? sin(s->place[2]) : 0;
    double w = s->rate[2], turning = s->acceleration[2];
    double x = drive->middle[0], y = drive->middle[1], rx = x * ex - y * ey, ry = x * ey + y * ex; /* R m */
    frame->node.ex = ex;
    frame->node.ey = ey;
    frame->node.x = s->place[0] + (x - rx);
    frame->node.y = s->place[1] + (y - ry);
    frame->velocity[0] = s->rate[0] + w * ry;
    frame->velocity[1] = s->rate[1] - w * rx;
    frame->acceleration[0] = s->acceleration[0] + turning * ry + w * w * rx;
    frame->acceleration[1] = s->acceleration[1] - turning * rx + w * w * ry;
    return 0;
}

/* Velocities known by differences may be off by this share of themselves, and, over the time scale, by this share of
 * the lengths. */
static const double SMOOTH = 1e-6, STANDS = 1e-11;

/* How far apart two numbers are; 0: no further than they may be. */
static double difference(double a, double b, double may)
{
    double by = fabs(b - a);
    return by > may ? by : 0;
}

static int jump_of_drive(pc_configuration *c, int i, const double t[2], const pc_span *const within[2], double length,
                         pc_break_jump *out)
{
    const pc_drive *drive = &c->scene->drives[i];
    pc_drive_state s[2];
    for (int k = 0; k < 2; k++) {
        int got = pc_drive_find(drive, t[k], c->time_scale, within[k], &s[k]);
        if (got == PC_DRIVE_TORN) c->torn = i + 1;
        if (got < 0) return got;
    }
    const double meanwhile = 2 * (t[1] - t[0]), still = STANDS * length / c->time_scale;
    for (int j = 0; j < 3; j++) {
        double speed = fmax(fabs(s[0].rate[j]), fabs(s[1].rate[j]));
        double change = fmax(fabs(s[0].acceleration[j]), fabs(s[1].acceleration[j]));
        double by = difference(s[0].place[j], s[1].place[j], PC_OVERLAP * length + speed * meanwhile);
        out->strikes |= difference(s[0].rate[j], s[1].rate[j], SMOOTH * speed + change * meanwhile + still) > 0;
        if (by > 0) *out = (pc_break_jump){by, j == 2 ? "rad" : "m", pc_scene_drive_name(c->scene, i), out->strikes};
    }
    const double *was = s[0].surface, *is = s[1].surface;
    double speed = fmax(fabs(was[0]), fabs(is[0])), change = fmax(fabs(was[1]), fabs(is[1]));
    out->strikes |= difference(was[0], is[0], SMOOTH * speed + change * meanwhile) > 0;
    return 0;
}

static int jump_of_pivot(const pc_configuration *c, int m, const double t[2], double length, pc_break_jump *out)
{
    const pc_member *member = &c->scene->members[m];
    double s[2][6];
    for (int k = 0; k < 2; k++) {
        int got = pc_pivot_state(&member->chain->pivot, t[k], s[k]);
        if (got != 0) return got;
    }
    for (int j = 0; j < 4; j++) {
        double change = fmax(fabs(s[0][2 + j]), fabs(s[1][2 + j])), most = fmax(fabs(s[0][j]), fabs(s[1][j]));
        double may = (j < 2 ? PC_OVERLAP * length : SMOOTH * most) + 2 * change * (t[1] - t[0]);
        double by = difference(s[0][j], s[1][j], may);
        if (by > 0) *out = (pc_break_jump){by, j < 2 ? "m" : "m/s", member->name, out->strikes};
    }
    return 0;
}

int pc_configuration_jump(pc_configuration *c, double t, const pc_span *before, const pc_span *after,
                          pc_break_jump *out)
{
    const pc_scene *scene = c->scene;
    const pc_span *const within[2] = {before, after};
    const double at[2] = {pc_span_clip(before, t), pc_span_clip(after, t)};
    double length = 0;
    int got = 0;
    *out = (pc_break_jump){0};
    for (int i = 0; i < scene->n_pairs; i++) length = fmax(length, scene->pairs[i].length);
    for (int i = 0; i < scene->n_drives && got == 0; i++)
        if (scene->drives[i].motion || scene->drives[i].surface) got = jump_of_drive(c, i, at, within, length, out);
    for (int m = 0; m < scene->n_members && got == 0; m++)
        if (scene->members[m].chain && scene->members[m].chain->pivot.motion)
            got = jump_of_pivot(c, m, at, length, out);
    return got;
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
    int got = first < 0 ? 0 : place_member(c, first), drive = pc_scene_pair_drive(c->scene, pair);
    if (p->kind == PC_PAIR_GAP) {
        double gap;
        return got != 0 ? got : pc_mechanism_gap_at(&c->mechanisms[first], p->gap - 1, &gap);
    }
    if (got == 0 && second >= 0) got = place_member(c, second);
    return got != 0 || drive < 0 ? got : place_drive(c, drive);
}

bool pc_configuration_move(pc_configuration *c, const double *y)
{
    const pc_scene *scene = c->scene;
    c->q = y;
    c->u = y + scene->n_dof;
    for (int m = 0; c->mechanisms && m < scene->n_members; m++) {
        int first = scene->members[m].first;
        if (scene->members[m].mechanism && !pc_mechanism_move(&c->mechanisms[m], y + first, c->u + first)) return false;
    }
    return true;
}

int pc_configuration_place(pc_configuration *c, double t, const double *y)
{
    const pc_scene *scene = c->scene;
    set_state(c, t, y);
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        int got = place_member(c, m);
        if (got == 0 && member->mechanism) got = pc_mechanism_factor(&c->mechanisms[m]);
        if (got != 0) return got;
        if (member->chain) pc_chain_factor(member->chain, c->nodes + member->node);
    }
    for (int i = 0; i < scene->n_drives; i++) {
        int got = place_drive(c, i);
        if (got != 0) return got;
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
        if (member->mechanism) {
            sum += pc_mechanism_kinetic(&c->mechanisms[m]);
        } else if (member->chain) {
            const double *pivot = member->chain->pivot.floats ? u + member->chain->n : c->pivots[m] + 2;
            sum += pc_chain_kinetic(member->chain, c->nodes + member->node, pivot, u);
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
        if (member->mechanism)
            sum += pc_mechanism_potential(&c->mechanisms[m]);
        else if (member->chain)
            sum += pc_chain_potential(member->chain, c->nodes + member->node, q, g);
        else
            sum += member->body.mass * g * q[1];
    }
    for (int i = 0; i < c->scene->n_forces; i++) {
        const pc_scene_force *force = &c->scene->forces[i];
        pc_force_end end[2];
        if (!force->kind->potential) continue;
        for (int k = 0; k < force->kind->ends; k++) pc_configuration_force_end(c, force, k, &end[k]);
        sum += force->kind->potential(force->params, end);
    }
    return sum;
}

double pc_configuration_energy(const pc_configuration *c)
{
    return pc_configuration_kinetic(c) + pc_configuration_potential(c);
}

bool pc_configuration_is_known(const pc_configuration *c)
{
    bool known = true;
    double gap;
    for (int m = 0; c->mechanisms && m < c->scene->n_members; m++) {
        const pc_mechanism *mechanism = c->scene->members[m].mechanism;
        for (int i = 0; mechanism && i < mechanism->n_gaps; i++) (void)pc_mechanism_gap_at(&c->mechanisms[m], i, &gap);
        known &= !c->mechanisms[m].failed;
    }
    return known;
}

/* ---- how pairs touch ---- */

/* The mechanism to which a gap belongs. */
static pc_mechanism_frame *frame_of(const pc_configuration *c, int pair)
{
    return &c->mechanisms[c->scene->sites[c->scene->pairs[pair].site].member];
}

/* What a mechanism to which a gap belongs has of rates of all coordinates. */
static const double *own_part(const pc_configuration *c, const pc_pair *p, const double *x)
{
    return x + c->scene->members[c->scene->sites[p->site].member].first;
}

/* A gap of a mechanism: there is no place where it is, and nothing turns its frame but its rows. */
static void touch_gap(const pc_configuration *c, int pair, pc_touch *touch)
{
    *touch = (pc_touch){.n = {0, 1}, .distance = INFINITY, .meets = true};
    (void)pc_mechanism_gap_at(frame_of(c, pair), c->scene->pairs[pair].gap - 1, &touch->gap);
}

static const pc_chain_node *node_of(const pc_configuration *c, int member, int link)
{
    static const pc_chain_node fixed = {.ex = 1};
    if (member < 0) return link > 0 ? &c->drives[link - 1].node : &fixed;
    assert(c->has & PC_HAS_POSES || member == c->scene->sites[c->scene->pairs[c->pair].site].member ||
           member == c->scene->outlines[c->scene->pairs[c->pair].outline].member);
    return c->nodes + c->scene->members[member].node + link;
}

static void place(const pc_chain_node *node, double along, double across, double out[2])
{
    out[0] = node->x + along * node->ex - across * node->ey;
    out[1] = node->y + along * node->ey + across * node->ex;
}

/* A direction in the frame of a node, and back. */
static void turn_out(const pc_chain_node *node, const double in[2], double out[2])
{
    out[0] = in[0] * node->ex - in[1] * node->ey;
    out[1] = in[0] * node->ey + in[1] * node->ex;
}

static void turn_in(const pc_chain_node *node, const double in[2], double out[2])
{
    out[0] = in[0] * node->ex + in[1] * node->ey;
    out[1] = in[1] * node->ex - in[0] * node->ey;
}

/* A point in the frame of a node. */
static void local(const pc_chain_node *node, const double point[2], double out[2])
{
    const double away[2] = {point[0] - node->x, point[1] - node->y};
    turn_in(node, away, out);
}

/* A pair in a configuration: the site's centre, and where that is in the frame of the outline. */
typedef struct meeting {
    const pc_pair *pair;
    const pc_site *site;
    const pc_outline *own, *outline;   /* that of the site, and the one before it */
    const pc_chain_node *here, *there; /* of the two */
    double center[2], at[2];
} meeting;

static inline meeting meet(const pc_configuration *c, int pair)
{
    const pc_pair *p = &c->scene->pairs[pair];
    const pc_site *site = &c->scene->sites[p->site];
    const pc_outline *outline = &c->scene->outlines[p->outline];
    meeting m = {.pair = p,
                 .site = site,
                 .own = &c->scene->outlines[site->outline],
                 .outline = outline,
                 .here = node_of(c, site->member, site->link),
                 .there = node_of(c, outline->member, outline->link)};
    place(m.here, site->along, site->across, m.center);
    local(m.there, m.center, m.at);
    return m;
}

/* Directions of the site's outline from its corner, in the frame of the other one. */
static bool site_rays(const meeting *m, double rays[2][2])
{
    double own[2][2], out[2];
    if (!pc_outline_rays(m->own, m->site->corner, own)) return false;
    for (int k = 0; k < 2; k++) {
        turn_out(m->here, own[k], out);
        turn_in(m->there, out, rays[k]);
    }
    return true;
}

static int nearest(const pc_configuration *c, const pc_places *places, int pair, const meeting *m)
{
    const pc_pair *p = m->pair;
    const pc_outline *outline = m->outline;
    double tolerance = pc_rounding(p->length), rays[2][2];
    if (pc_outline_is_curve(outline)) return pc_outline_nearest(outline, m->at[0], m->at[1], tolerance, NULL, false);
    if (outline->n_sides <= 1) return outline->n_sides; /* corner 0 of a point, side 0 of a plane */
    if (p->thin) {
        const pc_side *side = &outline->sides[0];
        double along = pc_side_place(side, m->at[0], m->at[1]);
        bool front = places->face[pair] ? places->face[pair] > 0 : pc_side_height(side, m->at[0], m->at[1]) >= 0;
        if (along >= -tolerance && along <= side->hi + tolerance) return front ? 1 : 3;
        return along < 0 ? 0 : 2;
    }
    bool has = p->bounded && site_rays(m, rays);
    return pc_outline_nearest(outline, m->at[0], m->at[1], tolerance, has ? rays : NULL,
                              p->sharp || !pc_pair_acts_in_motion(c->scene, pair));
}

/* Of two round corners that press each other each is the part of its outline nearest to the other; where one lies
 * before a side of the other's, that is another pair, which may be pressed already. How far it is from there. */
static double beside_corner(const meeting *m, const double corner[2])
{
    double at[2], margin[2];
    if (m->own->n_sides == 0) return INFINITY;
    local(m->here, corner, at);
    pc_outline_margins(m->own, 2 * m->site->corner, at[0], at[1], margin);
    return fmin(margin[0], margin[1]);
}

int pc_configuration_side(const pc_configuration *c, const pc_places *places, int pair, bool any)
{
    const meeting m = meet(c, pair);
    double rays[2][2];
    if (m.pair->thin) {
        int feature = nearest(c, places, pair, &m);
        return feature % 2 ? feature : -1;
    }
    bool has = !any && site_rays(&m, rays);
    /* where it may be seen to close, by another side, at that much from the end of this one */
    double tolerance = 2 * PC_ROUNDING * m.pair->length;
    int side = pc_outline_side_before(m.outline, m.at[0], m.at[1], tolerance, has ? rays : NULL);
    return side < 0 ? -1 : 2 * side + 1;
}

/* What faces a side from its end. */
static bool find_facing(const meeting *m, int feature, int end, pc_facing *out)
{
    const pc_outline *own = m->own;
    if (own->n_sides == 0 || pc_outline_is_curve(own) || pc_outline_is_curve(m->outline)) return false;
    const pc_side *side = &m->outline->sides[feature / 2];
    double back[2], normal[2], corner[2], point[2], at[2], least = 0;
    const double along[2] = {end ? -side->ex : side->ex, end ? -side->ey : side->ey}, up[2] = {side->ey, -side->ex};
    turn_out(m->there, along, point);
    turn_in(m->here, point, back);
    turn_out(m->there, up, point);
    turn_in(m->here, point, normal);
    out->corner = pc_outline_neighbour(m->outline, feature, end ? 1 : -1) / 2;
    if (!pc_outline_corner(m->outline, out->corner, corner)) return false;
    place(m->there, corner[0], corner[1], point);
    local(m->here, point, at);
    for (int after = 0; after < 2; after++) {
        int i = after ? m->site->corner : pc_outline_neighbour(own, 2 * m->site->corner, -1) / 2;
        const pc_side *face = &own->sides[i];
        double runs = (after ? 1 : -1) * (face->ex * back[0] + face->ey * back[1]);
        double against = face->ey * normal[0] - face->ex * normal[1];
        if (!(runs > 0 && against < least)) continue;
        double away = pc_side_place(face, at[0], at[1]);
        least = against;
        out->feature = 2 * i + 1;
        out->end = !after;
        out->margin = after ? away - face->lo : face->hi - away;
        out->height = pc_side_height(face, at[0], at[1]);
        out->before = away >= face->lo && away <= face->hi;
    }
    return least < 0;
}

bool pc_configuration_facing(const pc_configuration *c, int pair, int feature, int end, pc_facing *out)
{
    const meeting m = meet(c, pair);
    return find_facing(&m, feature, end, out);
}

/* A sharp corner that is pressed stays in contact with its side up to the end of that, however deep it is, and beyond
 * while the corner there is not yet before the side that faces it. */
static bool is_over(const meeting *m, int feature)
{
    double overhang = PC_OVERHANG * m->pair->length;
    if (pc_outline_is_curve(m->outline)) {
        double margin[2];
        pc_outline_margins(m->outline, feature, m->at[0], m->at[1], margin);
        return fmin(margin[0], margin[1]) >= -overhang;
    }
    const pc_side *side = &m->outline->sides[feature / 2];
    double along = pc_side_place(side, m->at[0], m->at[1]);
    if (along >= side->lo - overhang && along <= side->hi + overhang) return true;
    pc_facing facing;
    return find_facing(m, feature, along > side->hi, &facing) && facing.margin <= overhang;
}

/* Where the site of a pair is beside a curve. */
static void find_foot(const meeting *m, pc_curve_foot *foot)
{
    pc_curve_nearest(&m->outline->curve, m->at[0], m->at[1], pc_rounding(m->pair->length), foot);
}

/* On which side of a curve the site is: of a point that touches it the one where it was, which rounding does not tell
 * any more. */
static int side_of_curve(const pc_places *places, int pair, const meeting *m, double height)
{
    return m->pair->thin && places->face[pair] ? places->face[pair] : height < 0 ? -1 : 1;
}

/* Of a centre so high before a side or a curve. */
static double gap_before(const meeting *m, double height)
{
    return height - (m->site->radius + m->outline->radius);
}

static double gap_at_side(const meeting *m, int feature)
{
    return gap_before(m, pc_side_height(&m->outline->sides[feature / 2], m->at[0], m->at[1]));
}

/* Before a side, or a curve, the point of the outline's body is taken where the centre is: so high along the normal. */
static void touch_before(const meeting *m, const double normal[2], double height, pc_touch *touch)
{
    touch->gap = gap_before(m, height);
    touch->distance = INFINITY;
    turn_out(m->there, normal, touch->n);
    touch->center[1][0] = m->center[0];
    touch->center[1][1] = m->center[1];
    touch->roll = -m->site->radius;
}

static void touch_side(const meeting *m, pc_touch *touch)
{
    const pc_side *side = &m->outline->sides[touch->feature / 2];
    const double normal[2] = {side->ey, -side->ex};
    touch_before(m, normal, pc_side_height(side, m->at[0], m->at[1]), touch);
}

/* The normal of a curve turns besides as the centre moves along. */
static void touch_curve(const meeting *m, const pc_places *places, int pair, const pc_curve_foot *foot, pc_touch *touch)
{
    int side = side_of_curve(places, pair, m, foot->height);
    const double normal[2] = {-side * foot->tangent[1], side * foot->tangent[0]};
    touch_before(m, normal, side * foot->height, touch);
    touch->curvature = side * foot->curvature / (1 + foot->curvature * foot->height);
}

static void touch_corner(const meeting *m, pc_touch *touch)
{
    double corner[2] = {0, 0};
    pc_outline_corner(m->outline, touch->feature / 2, corner);
    place(m->there, corner[0], corner[1], touch->center[1]);
    double x = m->center[0] - touch->center[1][0], y = m->center[1] - touch->center[1][1];
    /* inside of a circle, whose radius is negative, so is the distance: the normal points to its centre */
    bool inside = m->outline->radius < 0;
    double away = hypot(x, y);
    touch->distance = inside ? -away : away;
    touch->n[0] = away > 0 || !inside ? x / touch->distance : 0;
    touch->n[1] = away > 0 || !inside ? y / touch->distance : 1;
    touch->gap = touch->distance - m->site->radius - m->outline->radius;
    touch->roll = m->outline->radius;
}

/* Stops and dry friction of a joint are where its ends are; their frame tells them apart, and has no other meaning. */
static void touch_joint(const pc_configuration *c, const pc_pair *p, int pair, pc_touch *touch)
{
    pc_joint_row row;
    pc_force_end end;
    pc_configuration_coordinate(c, pair, &row);
    pc_configuration_force_end(c, &c->scene->joints[p->joint].at, 0, &end);
    const pc_joint *joint = pc_pair_joint(c->scene, p);
    *touch = (pc_touch){.n = {pc_pair_opens_with(p), 0},
                        .distance = INFINITY,
                        .center = {{end.x, end.y}, {end.x, end.y}},
                        .meets = true};
    if (p->kind == PC_PAIR_LOWER) touch->gap = row.error - joint->lower;
    if (p->kind == PC_PAIR_UPPER) touch->gap = joint->upper - row.error;
    if (p->kind != PC_PAIR_DRY) return;
    touch->n[0] = 0;
    touch->n[1] = 1;
}

/* The rate of the coordinate of a joint: along n of a stop, along t of its friction, whose other component is zero. */
static void joint_motion(const pc_configuration *c, const pc_pair *p, int pair, const double *x, pc_rates kind,
                         double v[2])
{
    pc_joint_row row;
    pc_configuration_coordinate(c, pair, &row);
    double rate = pc_configuration_row_rate(c, &c->scene->joints[p->joint].at, &row, x, kind);
    v[PC_T] = v[PC_N] = 0;
    v[p->kind == PC_PAIR_DRY ? PC_T : PC_N] = pc_pair_opens_with(p) * rate;
}

/* The pair that goes on where a site leaves a part of a curve for this corner of it; -1: none does. */
static int beyond_part(const pc_configuration *c, int pair, const meeting *m, int corner)
{
    return m->outline->part.whole ? pc_pair_beyond_part(c->scene, pair, corner > 0, m->at[0], m->at[1]) : -1;
}

void pc_configuration_touch(const pc_configuration *c, const pc_places *places, int pair, pc_touch *touch)
{
    if (c->scene->pairs[pair].kind != PC_PAIR_OUTLINES) {
        if (c->scene->pairs[pair].kind == PC_PAIR_GAP)
            touch_gap(c, pair, touch);
        else
            touch_joint(c, &c->scene->pairs[pair], pair, touch);
        return;
    }
    const meeting m = meet(c, pair);
    bool held = places->feature[pair] >= 0, sinks = pc_pair_acts_in_motion(c->scene, pair);
    touch->center[0][0] = m.center[0];
    touch->center[0][1] = m.center[1];
    pc_curve_foot foot;
    bool curved = pc_outline_is_curve(m.outline);
    if (held && curved && places->feature[pair] % 2)
        pc_curve_on_span(&m.outline->curve, places->feature[pair] / 2, m.at[0], m.at[1], &foot);
    else if (!held && curved)
        find_foot(&m, &foot);
    touch->feature = held     ? places->feature[pair]
                     : curved ? pc_outline_foot_feature(m.outline, &foot)
                              : nearest(c, places, pair, &m);
    touch->reach = m.site->radius;
    touch->yields = touch->aside = touch->couple = touch->curvature = 0;
    touch->edge = false;
    if (touch->feature % 2) {
        if (curved)
            touch_curve(&m, places, pair, &foot, touch);
        else
            touch_side(&m, touch);
        touch->meets = !held || !m.pair->sharp || !sinks || is_over(&m, touch->feature);
        return;
    }
    touch_corner(&m, touch);
    touch->meets = m.pair->corners && beyond_part(c, pair, &m, touch->feature) < 0;
    if (!sinks) return;
    if (m.site->member >= 0 && m.outline->member >= 0) {
        /* bodies that press into each other touch in the middle: what acts on them acts at one place, or it would turn
         * them */
        touch->yields = 0.5;
        touch->reach += touch->yields * touch->gap;
        touch->roll += touch->yields * touch->gap;
    }
    if (!m.pair->corners || m.outline->radius < 0) return;
    double before = beside_corner(&m, touch->center[1]), rounding = pc_rounding(m.pair->length);
    touch->meets &= before >= -rounding;
    touch->edge = before <= rounding;
}

double pc_configuration_gap(const pc_configuration *c, const pc_places *places, int pair)
{
    if (c->scene->pairs[pair].kind == PC_PAIR_OUTLINES) {
        const meeting m = meet(c, pair);
        const int held = places->feature[pair];
        if (!pc_outline_is_curve(m.outline)) {
            const int feature = held >= 0 ? held : nearest(c, places, pair, &m);
            if (feature % 2) return gap_at_side(&m, feature);
        }
    }
    pc_touch touch = {0};
    pc_configuration_touch(c, places, pair, &touch);
    return touch.gap;
}

double pc_configuration_height(const pc_configuration *c, int pair)
{
    const meeting m = meet(c, pair);
    pc_curve_foot foot;
    if (pc_outline_is_curve(m.outline)) {
        find_foot(&m, &foot);
        return foot.height;
    }
    return pc_side_height(&m.outline->sides[0], m.at[0], m.at[1]);
}

bool pc_configuration_is_before(const pc_configuration *c, int pair)
{
    const meeting m = meet(c, pair);
    if (pc_outline_is_curve(m.outline)) {
        const pc_plane_curve *curve = &m.outline->curve;
        double tip = curve->closed ? -INFINITY : PC_TIP * m.pair->length;
        pc_curve_foot foot;
        find_foot(&m, &foot);
        return foot.end == 0 && (foot.span > 0 || foot.margin[0] >= tip) &&
               (foot.span < curve->n - 1 || foot.margin[1] >= tip);
    }
    const pc_side *core = &m.outline->sides[0];
    double along = pc_side_place(core, m.at[0], m.at[1]), end = PC_TIP * m.pair->length;
    return along >= core->lo + end && along <= core->hi - end;
}

int pc_configuration_outer_face(const pc_configuration *c, int pair)
{
    const meeting m = meet(c, pair);
    const pc_side *side = &m.outline->sides[0];
    double normal[2] = {side->ey, -side->ex}, rays[2][2], up[2];
    if (pc_outline_is_curve(m.outline)) {
        pc_curve_foot foot;
        find_foot(&m, &foot);
        normal[0] = -foot.tangent[1];
        normal[1] = foot.tangent[0];
    }
    if (site_rays(&m, rays)) {
        double lean = rays[0][0] * normal[0] + rays[0][1] * normal[1] + rays[1][0] * normal[0] + rays[1][1] * normal[1];
        if (lean != 0) return lean > 0 ? 1 : -1;
    }
    if (pc_outline_is_curve(m.outline)) return m.outline->curve.side;
    turn_out(m.there, normal, up);
    return (up[1] >= 0) == (m.site->member >= 0) ? 1 : -1;
}

void pc_configuration_margins(const pc_configuration *c, const pc_places *places, int pair, double margin[PC_MARGINS])
{
    if (c->scene->pairs[pair].kind != PC_PAIR_OUTLINES) {
        for (int k = 0; k < PC_MARGINS; k++) margin[k] = INFINITY;
        return;
    }
    const meeting m = meet(c, pair);
    pc_touch touch;
    double at[2];
    pc_configuration_touch(c, places, pair, &touch);
    pc_outline_margins(m.outline, touch.feature, m.at[0], m.at[1], margin);
    if (pc_outline_is_curve(m.outline) && touch.feature % 2 && places->feature[pair] < 0)
        for (int k = 0; k < 2; k++) /* what holds to no part goes on where one ends as another begins */
            if (pc_outline_neighbour(m.outline, touch.feature, k ? 1 : -1) % 2) margin[k] = INFINITY;
    margin[2] = margin[3] = INFINITY;
    if (touch.feature % 2 || m.own->n_sides == 0 || m.outline->radius < 0) return;
    local(m.here, touch.center[1], at);
    pc_outline_margins(m.own, 2 * m.site->corner, at[0], at[1], margin + 2);
}

int pc_configuration_beyond(const pc_configuration *c, const pc_places *places, int pair, int margin)
{
    if (margin > 1) return -1;
    const meeting m = meet(c, pair);
    int feature = places->feature[pair], step = margin ? 1 : -1;
    if (feature % 2 == 0 && pc_outline_is_bar(m.outline))
        step = pc_side_height(&m.outline->sides[feature / 2], m.at[0], m.at[1]) > 0 ? 1 : -1;
    int next = pc_outline_neighbour(m.outline, feature, step);
    return next % 2 || (m.pair->corners && beyond_part(c, pair, &m, next) < 0) ? next : -1;
}

int pc_configuration_next_part(const pc_configuration *c, int pair, int end)
{
    if (c->scene->pairs[pair].kind != PC_PAIR_OUTLINES) return -1;
    const meeting m = meet(c, pair);
    return beyond_part(c, pair, &m, end);
}

/* ---- motion ---- */

/* Of the three motions below each leaves out what the others are about: so each has its own copy of this. */
#define INLINE static inline __attribute__((always_inline))

/* The same of a point of an obstacle that is driven, at r from the origin of its frame. */
static void drive_motion(const pc_drive_frame *frame, const double r[2], bool bent, double out[3])
{
    const double *of = bent ? frame->acceleration : frame->velocity;
    double rate = frame->state.rate[2], turn = bent ? frame->state.acceleration[2] : rate, w2 = bent ? rate * rate : 0;
    out[0] = of[0] - turn * r[1] - w2 * r[0];
    out[1] = of[1] + turn * r[0] - w2 * r[1];
    out[2] = turn;
}

/* Motion of a point of a body, at r from the upper joint of its link, and the rate of the link, for rates x of all
 * members: velocities, accelerations (`bent`: with the part that belongs to the velocities) or jumps. base: motion of
 * the pivots, at that place of their state; < 0: they rest. */
INLINE void body_motion(const pc_configuration *c, int m, int link, const double r[2], const double *x, int base,
                        bool bent, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    if (m < 0) {
        if (link > 0 && base >= 0) drive_motion(&c->drives[link - 1], r, bent, out);
        return;
    }
    const pc_member *member = &c->scene->members[m];
    const pc_chain_node *nodes = c->nodes + member->node;
    const double *rate = x + member->first, *w = c->u + member->first;
    double vx, vy, turn, spin;
    if (member->chain) {
        const bool floats = member->chain->pivot.floats;
        vx = floats ? rate[member->chain->n] : base < 0 ? 0 : c->pivots[m][base];
        vy = floats ? rate[member->chain->n + 1] : base < 0 ? 0 : c->pivots[m][base + 1];
        for (int i = 0; i < link; i++) {
            double l = member->chain->links[i].length, w2 = bent ? w[i] * w[i] : 0;
            vx += l * (-rate[i] * nodes[i].ey - w2 * nodes[i].ex);
            vy += l * (rate[i] * nodes[i].ex - w2 * nodes[i].ey);
        }
        turn = rate[link];
        spin = w[link];
    } else {
        vx = rate[0];
        vy = rate[1];
        turn = rate[2];
        spin = w[2];
    }
    double w2 = bent ? spin * spin : 0;
    out[0] = vx - turn * r[1] - w2 * r[0];
    out[1] = vy + turn * r[0] - w2 * r[1];
    out[2] = turn;
}

INLINE void site_motion(const pc_configuration *c, const pc_site *site, const double *x, int base, bool bent,
                        double out[3])
{
    const pc_chain_node *node = node_of(c, site->member, site->link);
    const double own[2] = {site->along, site->across};
    double r[2];
    turn_out(node, own, r);
    body_motion(c, site->member, site->link, r, x, base, bent, out);
}

/* Of what a body has at a point. */
static void point_motion(const pc_configuration *c, int member, int link, const double point[2], const double *x,
                         int base, bool bent, double out[3])
{
    const pc_chain_node *node = node_of(c, member, link);
    const double r[2] = {point[0] - node->x, point[1] - node->y};
    body_motion(c, member, link, r, x, base, bent, out);
}

/* Both together: relative motion of the centres, and the rates that roll the outlines. */
INLINE void pair_motion(const pc_configuration *c, int pair, const pc_touch *touch, const double *x, int base,
                        bool bent, double v[2])
{
    const pc_pair *p = &c->scene->pairs[pair];
    const pc_site *site = &c->scene->sites[p->site];
    const pc_outline *outline = &c->scene->outlines[p->outline];
    double first[3];
    site_motion(c, site, x, base, bent, first);
    double roll = touch->reach * first[2], second[3] = {0};
    if (outline->member >= 0 || (outline->link > 0 && base >= 0)) {
        point_motion(c, outline->member, outline->link, touch->center[1], x, base, bent, second);
        first[0] -= second[0];
        first[1] -= second[1];
        roll += touch->roll * second[2];
    }
    if (touch->couple != 0) {
        v[PC_T] = touch->couple * (first[2] + -second[2]);
        v[PC_N] = 0;
        return;
    }
    v[PC_T] = touch->n[1] * first[0] - touch->n[0] * first[1] + roll;
    v[PC_N] = touch->n[0] * first[0] + touch->n[1] * first[1];
    int drive = base < 0 || c->scene->n_drives == 0 ? -1 : pc_scene_pair_drive(c->scene, pair);
    if (drive >= 0) v[PC_T] -= c->drives[drive].state.surface[bent];
}

void pc_configuration_velocity(const pc_configuration *c, int pair, const pc_touch *touch, double v[2])
{
    const pc_pair *p = &c->scene->pairs[pair];
    if (p->kind == PC_PAIR_OUTLINES)
        pair_motion(c, pair, touch, c->u, 2, false, v);
    else if (p->kind == PC_PAIR_GAP)
        pc_mechanism_velocity(frame_of(c, pair), p->gap - 1, v);
    else
        joint_motion(c, p, pair, c->u, PC_RATES_VELOCITIES, v);
}

void pc_configuration_change(const pc_configuration *c, int pair, const pc_touch *touch, const double *du, double v[2])
{
    const pc_pair *p = &c->scene->pairs[pair];
    if (p->kind == PC_PAIR_OUTLINES)
        pair_motion(c, pair, touch, du, -1, false, v);
    else if (p->kind == PC_PAIR_GAP)
        pc_mechanism_change(frame_of(c, pair), p->gap - 1, own_part(c, p, du), v);
    else
        joint_motion(c, p, pair, du, PC_RATES_JUMPS, v);
}

/* With c the relative velocity of the centres: near a corner the frame turns with the line of centres, n' = (c_t/d) t,
 * t' = -(c_t/d) n. Before a side it turns with the outline at the rate w, n' = -w t, t' = w n, and the point of the
 * outline that is compared changes, which doubles the terms (Coriolis). Before a curve it does both, the curvature
 * standing for 1/d. */
void pc_configuration_acceleration(const pc_configuration *c, int pair, const pc_touch *touch, const double *a,
                                   double v[2])
{
    const pc_pair *p = &c->scene->pairs[pair];
    if (p->kind != PC_PAIR_OUTLINES) {
        if (p->kind == PC_PAIR_GAP)
            pc_mechanism_acceleration(frame_of(c, pair), p->gap - 1, own_part(c, p, a), v);
        else
            joint_motion(c, p, pair, a, PC_RATES_ACCELERATIONS, v);
        return;
    }
    pair_motion(c, pair, touch, a, 4, true, v);
    if (touch->couple != 0) return;
    const pc_outline *outline = &c->scene->outlines[p->outline];
    if (isinf(touch->distance) && touch->curvature == 0 && outline->member < 0 && outline->link == 0) return;
    double motion[3], other[3];
    site_motion(c, &c->scene->sites[p->site], c->u, 2, false, motion);
    point_motion(c, outline->member, outline->link, touch->center[1], c->u, 2, false, other);
    double cx = motion[0] - other[0], cy = motion[1] - other[1];
    double ct = touch->n[1] * cx - touch->n[0] * cy, cn = touch->n[0] * cx + touch->n[1] * cy;
    if (isinf(touch->distance)) {
        v[PC_N] -= (2 * other[2] - touch->curvature * ct) * ct;
        v[PC_T] += (2 * other[2] - touch->curvature * ct) * cn;
    } else {
        v[PC_N] += ct * ct / touch->distance;
        v[PC_T] += touch->yields * cn * (motion[2] + other[2]) - ct * cn / touch->distance;
    }
}

bool pc_configuration_drive_velocity(const pc_configuration *c, int pair, const pc_touch *touch, double v[2])
{
    const pc_site *site = &c->scene->sites[c->scene->pairs[pair].site];
    const pc_outline *outline = &c->scene->outlines[c->scene->pairs[pair].outline];
    int drive = pc_scene_pair_drive(c->scene, pair);
    double motion[3];
    v[PC_T] = v[PC_N] = 0;
    if (drive < 0) return false;
    if (c->scene->pairs[pair].kind == PC_PAIR_GAP) {
        pc_mechanism_drift(frame_of(c, pair), c->scene->pairs[pair].gap - 1, v);
        return true;
    }
    if (site->member < 0)
        site_motion(c, site, c->u, 2, false, motion);
    else
        point_motion(c, outline->member, outline->link, touch->center[1], c->u, 2, false, motion);
    double roll = site->member < 0 ? touch->reach : -touch->roll, sign = site->member < 0 ? -1 : 1;
    v[PC_T] = sign * (touch->n[1] * motion[0] - touch->n[0] * motion[1] + roll * motion[2]) +
              c->drives[drive].state.surface[0];
    v[PC_N] = sign * (touch->n[0] * motion[0] + touch->n[1] * motion[1]);
    return true;
}

/* Velocity of the site's body as that of the outline sees it, at a point of both. */
static void relative_velocity(const pc_configuration *c, const pc_site *site, const pc_outline *outline,
                              const double point[2], double v[2])
{
    double first[3], second[3];
    point_motion(c, site->member, site->link, point, c->u, 2, false, first);
    point_motion(c, outline->member, outline->link, point, c->u, 2, false, second);
    v[0] = first[0] - second[0];
    v[1] = first[1] - second[1];
}

void pc_configuration_margin_rates(const pc_configuration *c, int pair, const pc_touch *touch, double rate[PC_MARGINS])
{
    const pc_pair *p = &c->scene->pairs[pair];
    const pc_site *site = &c->scene->sites[p->site];
    const pc_outline *outline = &c->scene->outlines[p->outline], *own = &c->scene->outlines[site->outline];
    double v[2], there[2];
    if (p->kind == PC_PAIR_GAP) return; /* none is finite */
    relative_velocity(c, site, outline, touch->center[0], v);
    turn_in(node_of(c, outline->member, outline->link), v, there);
    double at[2], own_at[2];
    local(node_of(c, outline->member, outline->link), touch->center[0], at);
    pc_outline_margin_rates(outline, touch->feature, at[0], at[1], there[0], there[1], rate);
    rate[2] = rate[3] = 0;
    if (touch->feature % 2 || outline->radius < 0) return;
    relative_velocity(c, site, outline, touch->center[1], v);
    turn_in(node_of(c, site->member, site->link), v, there);
    local(node_of(c, site->member, site->link), touch->center[1], own_at);
    pc_outline_margin_rates(own, 2 * site->corner, own_at[0], own_at[1], -there[0], -there[1], rate + 2);
}

/* ---- ends of forces ---- */

static void find_end(const pc_configuration *c, int m, int link, const double own[2], pc_force_end *out)
{
    const pc_member *member = &c->scene->members[m];
    const pc_chain_node *node = node_of(c, m, link);
    double r[2], motion[3];
    turn_out(node, own, r);
    body_motion(c, m, link, r, c->u, 2, false, motion);
    *out = (pc_force_end){.x = node->x + r[0],
                          .y = node->y + r[1],
                          .vx = motion[0],
                          .vy = motion[1],
                          .angle = c->q[member->first + (member->chain ? link : 2)],
                          .rate = motion[2],
                          .mass = member->chain ? member->chain->links[link].mass : member->body.mass};
}

/* Motion of an end that is on a body: x, y, angle. */
static void end_rates(const pc_configuration *c, const pc_scene_force *force, int end, const double *x, pc_rates kind,
                      double out[3])
{
    static const int base[] = {[PC_RATES_JUMPS] = -1, [PC_RATES_VELOCITIES] = 2, [PC_RATES_ACCELERATIONS] = 4};
    const double own[2] = {force->along[end], force->across[end]};
    double r[2];
    turn_out(node_of(c, force->member[end], force->link[end]), own, r);
    body_motion(c, force->member[end], force->link[end], r, x, base[kind], kind == PC_RATES_ACCELERATIONS, out);
}

double pc_configuration_row_rate(const pc_configuration *c, const pc_scene_force *force, const pc_joint_row *row,
                                 const double *x, pc_rates kind)
{
    double sum = kind == PC_RATES_ACCELERATIONS ? row->bend : 0;
    for (int k = 0; k < 2; k++) {
        double motion[3];
        if (force->member[k] < 0) continue;
        end_rates(c, force, k, x, kind, motion);
        sum += row->on[k].fx * motion[0] + row->on[k].fy * motion[1] + row->on[k].moment * motion[2];
    }
    return sum;
}

void pc_configuration_coordinate(const pc_configuration *c, int pair, pc_joint_row *row)
{
    const pc_scene_joint *joint = &c->scene->joints[c->scene->pairs[pair].joint];
    pc_force_end end[2];
    for (int k = 0; k < 2; k++) pc_configuration_force_end(c, &joint->at, k, &end[k]);
    joint->at.kind->coordinate(joint->at.params, end, &joint->start, row);
}

void pc_configuration_force_end(const pc_configuration *c, const pc_scene_force *force, int end, pc_force_end *out)
{
    const double own[2] = {force->along[end], force->across[end]};
    if (force->member[end] >= 0)
        find_end(c, force->member[end], force->link[end], own, out);
    else
        *out = (pc_force_end){.x = own[0], .y = own[1], .mass = INFINITY};
}

void pc_configuration_body_end(const pc_configuration *c, int member, int link, pc_force_end *out)
{
    const pc_chain *chain = c->scene->members[member].chain;
    const double own[2] = {chain ? chain->links[link].center : 0, 0};
    find_end(c, member, link, own, out);
}
