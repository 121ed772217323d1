/* Scenes: see scene.h. */
#include "scene/curve_parts.h"

#include "base/alloc.h"
#include "law/rigid/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const pc_rule_words[] = {"tied", "simultaneous", "sequential", NULL};
static const char *const configuration_words[] = {"frozen", "moving", NULL};
static const char *const recovery_words[] = {"on_opening", "permanent", NULL};

static const pc_row rows[] = {
    PC_ROW(pc_scene, gravity, "gravity", .symbol = "g", .unit = PC_UNIT_M_PER_S2, .initial = 9.81, .allowed = PC_ANY,
           .doc = "acceleration of gravity, downwards"),
    PC_ROW(pc_scene, v_rest, "v_rest", .unit = PC_UNIT_M_PER_S, .initial = 0, .allowed = PC_NONNEGATIVE,
           .doc = "after an impact a normal velocity below this becomes 0; off unless given"),
    PC_CHOICE_ROW(
        pc_scene, rule, "together", pc_rule_words, .initial = PC_RULE_TIED,
        .doc =
            "contacts that strike at one instant. \"tied\": those that approach fastest, each within ten times the "
            "relative tolerance of the run of another one, are struck as one, then what approaches next; "
            "\"simultaneous\": all that touch are struck as one; \"sequential\": one after the other by their laws, "
            "the fastest first. What is struck as one compresses until none approaches, with Coulomb's friction; then "
            "each contact restitutes by its own law: contact.newton to v_n = -e v_n0 (as contact.poisson where "
            "friction holds bodies against that), contact.poisson with R times its impulse of compression, "
            "contact.stronge with E times that and a factor, the same for all of them, with which their normal works "
            "of restitution sum up to E^2 times those of compression, or less where that would create energy. "
            "Compliant laws press all at once until their contacts are over. Laws of single impacts (all others) go "
            "one after the other in a tie as well, from left to right, and the impact says so (flags.order_dependent); "
            "\"simultaneous\" takes laws with a joint rule only: contact.newton, contact.poisson and contact.stronge"),
    PC_CHOICE_ROW(pc_scene, configuration, "configuration", configuration_words, .initial = PC_CONFIGURATION_FROZEN,
                  .doc =
                      "while a contact by a compliant law lasts: \"frozen\", an impact at one instant; or \"moving\", "
                      "its forces act within the motion, several at once, and contacts may last; what slides over a "
                      "sharp edge goes on before the next side, less deep, or loses its contact, and what the spring "
                      "held besides counts as dissipated; two bodies touch in the middle of their overlap"),
    PC_CHOICE_ROW(pc_scene, recovery, "recovery", recovery_words, .initial = PC_RECOVERY_ON_OPENING,
                  .doc =
                      "with configuration = \"moving\", where a contact ends indented: \"on_opening\", the gap counts "
                      "from there until it has opened by as much; \"permanent\", plastic laws keep their indentation"),
};

const pc_schema pc_scene_schema = {
    .name = "scene",
    .summary = "Chains and free bodies with what stands in their way and the law by which they collide.",
    PC_ROWS(rows),
    .size = sizeof(pc_scene),
};

static pc_status fail_memory(pc_error *err)
{
    return pc_fail(err, PC_E_MEMORY, "scene: not enough memory for its members and what can touch");
}

static pc_status add_member(pc_scene *scene, pc_member member, const char *name, pc_error *err)
{
    if (!PC_GROW(scene->members, scene->member_room, scene->n_members + 1)) return fail_memory(err);
    member.first = scene->n_dof;
    member.node = scene->n_nodes;
    snprintf(member.name, sizeof member.name, "%s", name);
    scene->members[scene->n_members++] = member;
    scene->n_dof += member.n_dof;
    scene->n_nodes += member.chain ? member.chain->n + 1 : 1;
    scene->n_mechanisms += member.mechanism != NULL;
    return PC_OK;
}

/* Of the member that was added last. */
static pc_status add_member_outline(pc_scene *scene, pc_outline outline, int link, pc_error *err)
{
    outline.member = scene->n_members - 1;
    outline.link = link;
    return pc_scene_add_outline(scene, &outline, err);
}

pc_status pc_scene_add_chain(pc_scene *scene, const pc_chain *chain, const char *name, pc_error *err)
{
    return add_member(scene, (pc_member){.chain = chain, .n_dof = pc_chain_coordinates(chain)}, name, err);
}

pc_status pc_scene_add_body(pc_scene *scene, const pc_free_body *body, const char *name, pc_error *err)
{
    return add_member(scene, (pc_member){.body = *body, .n_dof = 3}, name, err);
}

pc_status pc_scene_add_mechanism(pc_scene *scene, const pc_mechanism *mechanism, const char *name, pc_error *err)
{
    pc_member member = {.mechanism = mechanism, .n_dof = mechanism->n};
    if (pc_mechanism_is_driven(mechanism)) {
        if (!PC_GROW(scene->drives, scene->drive_room, scene->n_drives + 1)) return fail_memory(err);
        scene->drives[scene->n_drives++] = (pc_drive){0};
        member.drive = scene->n_drives;
    }
    pc_status status = add_member(scene, member, name, err);
    for (int i = 0; i < mechanism->n_gaps && status == PC_OK; i++)
        status = add_member_outline(scene, pc_outline_point(mechanism->gaps[i].name, 0, 0, 0), i, err);
    return status;
}

/* What a corner of an outline is called. It has a number of two digits at most. */
static void name_site(const pc_outline *outline, int i, char name[PC_NAME])
{
    const unsigned number = (unsigned)(i % PC_OUTLINE_SIDES) + 1;
    if (outline->n_sides == 0)
        snprintf(name, PC_NAME, "%s", outline->name);
    else if (pc_outline_is_curve(outline))
        snprintf(name, PC_NAME, "%.20s.end%d", outline->name, i > 0 ? 2 : 1);
    else if (!outline->closed)
        snprintf(name, PC_NAME, "%.20s.edge", outline->name);
    else
        snprintf(name, PC_NAME, "%.20s.%s%u", outline->name, outline->n_sides == 2 ? "end" : "corner", number);
}

pc_status pc_scene_add_outline(pc_scene *scene, const pc_outline *outline, pc_error *err)
{
    if (!PC_GROW(scene->outlines, scene->outline_room, scene->n_outlines + 1)) return fail_memory(err);
    scene->outlines[scene->n_outlines] = *outline;
    if (outline->member < 0) scene->n_obstacles++;
    double corner[2];
    for (int i = 0; i < pc_outline_corners(outline); i++) {
        if (!pc_outline_corner(outline, i, corner) || (outline->joined && i == 0)) continue;
        if (!PC_GROW(scene->sites, scene->site_room, scene->n_sites + 1)) return fail_memory(err);
        pc_site *site = &scene->sites[scene->n_sites++];
        *site =
            (pc_site){outline->member, outline->link, corner[0], corner[1], outline->radius, "", scene->n_outlines, i};
        name_site(outline, i, site->name);
    }
    scene->n_outlines++;
    return PC_OK;
}

/* The middle of what is bounded, or what a curve says it is; else a point of it. */
static void find_middle(const pc_outline *outline, double middle[2])
{
    double corner[2], sum[2] = {0, 0};
    int n = 0;
    if (pc_outline_is_curve(outline)) {
        middle[0] = outline->x;
        middle[1] = outline->y;
        return;
    }
    for (int i = 0; i < PC_OUTLINE_SIDES; i++) {
        if (!pc_outline_corner(outline, i, corner)) continue;
        for (int k = 0; k < 2; k++) sum[k] += corner[k];
        n++;
    }
    middle[0] = n > 0 ? sum[0] / n : outline->sides[0].x;
    middle[1] = n > 0 ? sum[1] / n : outline->sides[0].y;
}

pc_status pc_scene_add_obstacle(pc_scene *scene, pc_outline *outline, const pc_drive *drive, pc_error *err)
{
    if (pc_drive_acts(drive)) {
        if (!PC_GROW(scene->drives, scene->drive_room, scene->n_drives + 1)) return fail_memory(err);
        pc_drive *own = &scene->drives[scene->n_drives++];
        *own = *drive;
        find_middle(outline, own->middle);
        outline->link = scene->n_drives;
    }
    return pc_scene_add_outline(scene, outline, err);
}

const char *pc_scene_drive_name(const pc_scene *scene, int drive)
{
    int i = 0;
    for (int m = 0; m < scene->n_members; m++)
        if (scene->members[m].drive == drive + 1) return scene->members[m].name;
    while (scene->outlines[i].member >= 0 || scene->outlines[i].link != drive + 1) i++;
    return scene->outlines[i].name;
}

bool pc_scene_drives_gaps(const pc_scene *scene, int drive)
{
    for (int m = 0; m < scene->n_members; m++)
        if (scene->members[m].drive == drive + 1) return true;
    return false;
}

/* Clearances look at sixteenths of a step, fits at a dozen places of it or more: two periods of a swing are between. */
static const double PERIODS = 2;

/* What turns with a rate moves far in a turn; its outline is looked at as often as hands of a clock pass a quarter. */
static const double TURNS = 0.25;

double pc_scene_longest_step(const pc_scene *scene, double scale)
{
    double longest = INFINITY;
    for (int i = 0; i < scene->n_drives; i++) {
        const pc_drive *drive = &scene->drives[i];
        if (drive->motion && scale > 0) longest = fmin(longest, scale);
        if (!drive->motion && drive->frequency != 0 && pc_drive_displaces(drive))
            longest = fmin(longest, PERIODS * 2 * M_PI / fabs(drive->frequency));
        if (!drive->motion && drive->rate != 0) longest = fmin(longest, TURNS * 2 * M_PI / fabs(drive->rate));
    }
    for (int m = 0; m < scene->n_members; m++)
        if (scene->members[m].drive > 0)
            longest = fmin(longest, fmin(scale > 0 ? scale : INFINITY, scene->members[m].mechanism->time_scale));
    return longest;
}

/* Names of everything that a force may act on, for an error. */
static void list_bodies(const pc_scene *scene, char *text, size_t size)
{
    size_t used = 0;
    for (int m = 0; m < scene->n_members && used + 1 < size; m++) {
        const pc_member *member = &scene->members[m];
        const char *gap = used > 0 ? ", " : "";
        if (member->mechanism) continue;
        int got = member->chain && member->chain->n > 1 ? snprintf(text + used, size - used, "%s%s.link1 to %s.link%d",
                                                                   gap, member->name, member->name, member->chain->n)
                                                        : snprintf(text + used, size - used, "%s%s", gap, member->name);
        used += (size_t)got;
    }
}

/* "chain.link2" or the name of a member with one body; false if it is none. */
static bool find_body(const pc_scene *scene, const char *name, int *member, int *link)
{
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *candidate = &scene->members[m];
        size_t n = strlen(candidate->name);
        if (candidate->mechanism || strncmp(name, candidate->name, n) != 0) continue;
        int number = 0, end = 0, links = candidate->chain ? candidate->chain->n : 1;
        *member = m;
        *link = 0;
        if (name[n] == '\0' && links == 1) return true;
        if (!candidate->chain || sscanf(name + n, ".link%d%n", &number, &end) != 1 || name[n + (size_t)end]) continue;
        *link = number - 1;
        if (number >= 1 && number <= links) return true;
    }
    return false;
}

/* The ends of a force: on which bodies, and where. */
static pc_status place_ends(const pc_scene *scene, pc_scene_force *force, pc_error *err)
{
    const pc_force_common *common = force->params;
    const int ends = force->kind->ends;
    for (int i = 0; i < ends; i++) {
        const pc_force_place *place = &common->place[i];
        bool ground = strcmp(place->body, "ground") == 0 || (!place->body[0] && i > 0);
        if (!ground && !find_body(scene, place->body, &force->member[i], &force->link[i])) {
            char bodies[160] = "";
            list_bodies(scene, bodies, sizeof bodies);
            return pc_fail(err, PC_E_ARGUMENT, "scene: %s acts on '%s', which is no body of this scene; there are %s",
                           force->name, place->body, bodies);
        }
        /* axes at angle 0: e is (0, -1), f is (1, 0) */
        force->along[i] = ground ? place->at[0] : 0 - place->at[1];
        force->across[i] = ground ? place->at[1] : place->at[0];
    }
    if (ends == 2 && force->member[0] == force->member[1] && force->link[0] == force->link[1])
        return pc_fail(err, PC_E_ARGUMENT, "scene: both ends of %s are on %s", force->name,
                       force->member[0] < 0 ? "the ground" : common->place[0].body);
    return PC_OK;
}

/* Where a body is at the coordinates q, as one end; false where a function of the user moves its pivot. */
static bool find_start(const pc_scene *scene, int m, int link, const double *q, pc_chain_node *node, double *angle)
{
    *node = (pc_chain_node){.ex = 1};
    *angle = 0;
    if (m < 0) return true;
    const pc_member *member = &scene->members[m];
    double state[6];
    q += member->first;
    if (!member->chain) {
        node->x = q[0];
        node->y = q[1];
        *angle = q[2];
    } else if (member->chain->pivot.motion || pc_pivot_state(&member->chain->pivot, 0, state) != 0) {
        return false;
    } else {
        const bool floats = member->chain->pivot.floats;
        node->x = floats ? q[member->chain->n] : state[0];
        node->y = floats ? q[member->chain->n + 1] : state[1];
        for (int i = 0; i < link; i++) {
            node->x += member->chain->links[i].length * sin(q[i]);
            node->y -= member->chain->links[i].length * cos(q[i]);
        }
        *angle = q[link];
    }
    node->ex = sin(*angle);
    node->ey = -cos(*angle);
    return true;
}

/* Places of a joint that were not given: those of the point `at`, else of the end that was given, else of the origin of
 * the first body, where the bodies are at their start. */
static pc_status place_joint(const pc_scene *scene, pc_scene_joint *joint, const double *q, pc_error *err)
{
    pc_scene_force *force = &joint->at;
    const pc_joint *common = force->params;
    pc_chain_node node[2];
    double angle[2], at[2] = {common->at[0], common->at[1]};
    bool known = true, given[2];
    for (int k = 0; k < 2; k++) {
        known &= find_start(scene, force->member[k], force->link[k], q, &node[k], &angle[k]);
        given[k] = !isnan(force->along[k]);
    }
    joint->start = (pc_joint_start){angle[1], angle[0] - angle[1]};
    if (given[0] && given[1]) return PC_OK;
    if (!known)
        return pc_fail(
            err, PC_E_ARGUMENT,
            "scene: %s: a pivot is moved by a function, so where its link starts is not known; give a_at and "
            "b_at",
            force->name);
    if (isnan(at[0]) && !given[0] && !given[1] && force->kind->needs_place)
        return pc_fail(err, PC_E_ARGUMENT, "scene: %s needs its place: at = { x, y } in space, or a_at and b_at",
                       force->name);
    for (int k = 0; k < 2 && isnan(at[0]); k++) {
        if (!given[k] && (k > 0 || given[1])) continue;
        double along = given[k] ? force->along[k] : 0, across = given[k] ? force->across[k] : 0;
        at[0] = node[k].x + along * node[k].ex - across * node[k].ey;
        at[1] = node[k].y + along * node[k].ey + across * node[k].ex;
    }
    for (int k = 0; k < 2; k++) {
        double x = at[0] - node[k].x, y = at[1] - node[k].y;
        if (given[k]) continue;
        force->along[k] = x * node[k].ex + y * node[k].ey;
        force->across[k] = y * node[k].ex - x * node[k].ey;
    }
    return PC_OK;
}

/* Places on a link, as a share of the lengths, at which it is at a hinge of its chain. */
static const double AT_HINGE = 1e-12;

/* The end of a joint at which a link hangs on what the other end is on, 0 or 1; -1: they are no hinge of a chain. */
static int find_hinge(const pc_scene *scene, const pc_scene_force *at)
{
    for (int k = 0; k < 2; k++) {
        const int m = at->member[k], above = at->member[!k];
        const pc_chain *chain = m < 0 ? NULL : scene->members[m].chain;
        if (!chain || (above < 0 ? at->link[k] != 0 : above != m || at->link[!k] != at->link[k] - 1)) continue;
        if (above < 0 && (pc_pivot_moves(&chain->pivot) || chain->pivot.motion || chain->pivot.floats)) continue;
        const double x = above < 0 ? chain->pivot.x : chain->links[at->link[!k]].length,
                     y = above < 0 ? chain->pivot.y : 0, near = AT_HINGE * (fabs(x) + fabs(y) + chain->links[0].length);
        bool here = fabs(at->along[k]) + fabs(at->across[k]) <= near;
        if (here && fabs(at->along[!k] - x) + fabs(at->across[!k] - y) <= near) return k;
    }
    return -1;
}

pc_status pc_scene_add_force(pc_scene *scene, const pc_force_kind *kind, const void *params, const char *name,
                             const double *q, pc_error *err)
{
    pc_scene_joint joint = {.at = {.kind = kind, .params = params, .member = {-1, -1}}};
    snprintf(joint.at.name, sizeof joint.at.name, "%s", name);
    pc_status status = place_ends(scene, &joint.at, err);
    if (status == PC_OK && kind->join) status = place_joint(scene, &joint, q, err);
    if (status != PC_OK) return status;
    if (kind->join) {
        if (kind->holds_points) joint.hinge = 1 + find_hinge(scene, &joint.at);
        if (!PC_GROW(scene->joints, scene->joint_room, scene->n_joints + 1)) return fail_memory(err);
        scene->joints[scene->n_joints++] = joint;
    } else {
        if (!PC_GROW(scene->forces, scene->force_room, scene->n_forces + 1)) return fail_memory(err);
        scene->forces[scene->n_forces++] = joint.at;
    }
    return PC_OK;
}

static pc_breaks breaks_of(const pc_scene_force *force)
{
    const pc_force_common *common = force->params;
    return (pc_breaks){common->breaks, common->n_breaks};
}

double pc_scene_next_break(const pc_scene *scene, double t, double t_end)
{
    for (int i = 0; i < scene->n_forces; i++) {
        const pc_breaks breaks = breaks_of(&scene->forces[i]);
        t_end = pc_breaks_next(&breaks, t, t_end);
    }
    return t_end;
}

pc_span pc_scene_break_span(const pc_scene *scene, double t)
{
    pc_span all = {-INFINITY, INFINITY};
    for (int i = 0; i < scene->n_forces; i++) {
        const pc_breaks breaks = breaks_of(&scene->forces[i]);
        const pc_span span = pc_breaks_span(&breaks, t, 1);
        all = (pc_span){fmax(all.from, span.from), fmin(all.to, span.to)};
    }
    return all;
}

static const char *const touch_words[] = {"end", "joints", "links", "none", NULL};

static const pc_row chain_rows[] = {
    PC_CHOICE_ROW(pc_chain_options, touch, "touch", touch_words, .initial = PC_TOUCH_END,
                  .doc = "what may touch besides links with a radius; links: their whole length, but not the pivot"),
    PC_ROW(pc_chain_options, name, "name", .initial = PC_ABSENT,
           .doc = "for pairs, events and columns, which then begin with it: \"arm.angle1\""),
};

const pc_schema pc_chain_schema = {
    .name = "chain",
    .summary = "A planar chain of rigid links: what it is called and what of it may touch.",
    PC_ROWS(chain_rows),
    .size = sizeof(pc_chain_options),
};

pc_status pc_chain_check(const pc_chain *chain, const pc_chain_options *options, pc_error *err)
{
    for (int i = 0; i < chain->n; i++)
        if (chain->links[i].thickness > 0 && options->touch != PC_TOUCH_LINKS)
            return pc_fail(err, PC_E_ARGUMENT,
                           "chain: links[%d]: thickness = %.10g m has no effect without touch = \"links\"", i + 1,
                           chain->links[i].thickness);
    const pc_link *first = &chain->links[0];
    if (!chain->pivot.floats) return PC_OK;
    if (first->damping != 0 || first->stiffness != 0 || (first->torque != 0 && first->from))
        return pc_fail(err, PC_E_ARGUMENT,
                       "chain: links[1] has no joint above it where the pivot floats: damping, stiffness and a torque "
                       "from the joint have no effect there");
    return PC_OK;
}

/* What may touch of link i: its end, the point or disc there, or its whole length from joint to joint. */
static pc_status add_link(pc_scene *scene, const pc_chain *chain, int i, int touch, const char *name, pc_error *err)
{
    const pc_link *link = &chain->links[i];
    bool last = i == chain->n - 1, whole = touch == PC_TOUCH_LINKS;
    pc_status status = PC_OK;
    char part[PC_NAME + 8]; /* room for any number of a link */
    if (whole) {
        const double ends[4] = {0, 0, last && link->radius == 0 ? link->reach : link->length, 0};
        snprintf(part, sizeof part, "%.20s.link%d", name, i + 1);
        pc_outline outline = pc_outline_polygon(part, ends, 2, link->thickness / 2);
        /* the end of the link before is as round, or rounder; the pivot touches nothing */
        outline.joined = i == 0 ? !chain->pivot.floats : link->thickness <= link[-1].thickness;
        if (ends[2] > 0) status = add_member_outline(scene, outline, i, err);
    }
    if (status == PC_OK && i == 0 && chain->pivot.floats && touch == PC_TOUCH_JOINTS) {
        snprintf(part, sizeof part, "%.20s.joint1", name);
        status = add_member_outline(scene, pc_outline_point(part, 0, 0, 0), 0, err);
    }
    bool disc = link->radius > 0;
    if (status != PC_OK || !(disc || touch == PC_TOUCH_JOINTS || (touch == PC_TOUCH_END && last))) return status;
    snprintf(part, sizeof part, last ? "%.24s" : "%.20s.joint%d", name, i + 2);
    return add_member_outline(scene, pc_outline_point(part, link->reach, 0, link->radius), i, err);
}

pc_status pc_scene_add_links(pc_scene *scene, const pc_chain *chain, int touch, const char *name, pc_error *err)
{
    pc_status status = PC_OK;
    for (int i = 0; i < chain->n && status == PC_OK && touch != PC_TOUCH_NONE; i++)
        status = add_link(scene, chain, i, touch, name, err);
    return status;
}

void pc_pair_set_law(pc_pair *pair, const pc_law *law, const void *params)
{
    pair->law = law;
    pair->params = params;
    pc_coulomb friction = {0};
    if (law->friction) law->friction(params, &friction);
    pair->friction = friction.friction;
    pair->static_friction = friction.static_friction;
    pair->pull = law->element && law->element->pull_off ? law->element->pull_off(params) : 0;
    pc_turning_resistance resistance = {0};
    if (law->turning) law->turning(params, &resistance);
    pair->rolling = pair->round ? resistance.rolling : 0;
}

/* Both bodies of a pair may be named as a whole, or by what touches. */
static bool is_named(const pc_scene *scene, const char *name, const char *part, int member, const pc_outline *outline)
{
    return strcmp(name, part) == 0 || strcmp(name, outline->name) == 0 ||
           (member >= 0 && strcmp(name, scene->members[member].name) == 0);
}

static bool names_match(const pc_scene *scene, const pc_pair *pair, const char *a, const char *b)
{
    const pc_site *site = &scene->sites[pair->site];
    const pc_outline *outline = &scene->outlines[pair->outline], *own = &scene->outlines[site->outline];
    const pc_outline *whole = outline->part.whole ? &scene->outlines[outline->part.whole - 1] : outline;
    bool a1 = is_named(scene, a, site->name, site->member, own), b1 = is_named(scene, b, site->name, site->member, own);
    bool a2 = is_named(scene, a, outline->name, outline->member, whole),
         b2 = is_named(scene, b, outline->name, outline->member, whole);
    return (a1 && b2) || (b1 && a2);
}

/* After the laws of pairs have changed. */
static void note_what_lasts(pc_scene *scene)
{
    scene->rolls = scene->clings = false;
    for (int i = 0; i < scene->n_pairs; i++) {
        scene->rolls |= scene->pairs[i].rolling > 0;
        scene->clings |= scene->pairs[i].pull > 0 && !pc_pair_acts_in_motion(scene, i);
    }
}

int pc_scene_set_law(pc_scene *scene, const char *a, const char *b, const pc_law *law, const void *params)
{
    int found = 0;
    for (int i = 0; i < scene->n_pairs - scene->n_own; i++) {
        if (!names_match(scene, &scene->pairs[i], a, b)) continue;
        pc_pair_set_law(&scene->pairs[i], law, params);
        found++;
    }
    note_what_lasts(scene);
    return found;
}

/* How far what is fixed to a link, `own` from its upper joint, gets from the origin, or is large. */
static double reach(const pc_scene *scene, int m, int link, double own)
{
    const pc_drive *drive = pc_scene_drive(scene, m, link);
    if (drive) {
        double away = pc_drive_reach(drive, own + fabs(drive->middle[0]) + fabs(drive->middle[1]));
        return own + (isfinite(away) ? away : 0);
    }
    const pc_chain *chain = m < 0 ? NULL : scene->members[m].chain;
    if (!chain) return own;
    for (int i = 0; i < link; i++) own += chain->links[i].length;
    return own + fabs(chain->pivot.x) + fabs(chain->pivot.y) + fabs(chain->pivot.amplitude_x) +
           fabs(chain->pivot.amplitude_y);
}

typedef struct joining {
    pc_scene *scene;
    const pc_law *law;
    const void *params;
    pc_error *err;
} joining;

static pc_status add_pair(const joining *j, int a, int h, bool corners)
{
    pc_scene *scene = j->scene;
    const pc_site *site = &scene->sites[a];
    const pc_outline *outline = &scene->outlines[h];
    double radius = site->radius + fabs(outline->radius);
    if (radius == 0 && outline->n_sides == 0) return PC_OK; /* points in the plane do not meet */
    if (!PC_GROW(scene->pairs, scene->pair_room, scene->n_pairs + 1)) return fail_memory(j->err);
    const double arm[2] = {fabs(site->along) + fabs(site->across) + site->radius,
                           pc_outline_reach(outline) + fabs(outline->radius)};
    double length =
        reach(scene, site->member, site->link, arm[0]) + reach(scene, outline->member, outline->link, arm[1]);
    bool endless = pc_outline_is_plane(outline);
    pc_pair *pair = &scene->pairs[scene->n_pairs++];
    *pair = (pc_pair){.site = a,
                      .outline = h,
                      .corners = corners && radius > 0,
                      .bounded = outline->n_sides > 0 && !endless && !(corners && radius > 0),
                      .thin = radius == 0 && pc_outline_thin(outline),
                      .sharp = radius == 0 && !endless,
                      .round = radius > 0,
                      .length = length,
                      .arm = {arm[0], arm[1]}};
    if (site->member < 0)
        snprintf(pair->name, sizeof pair->name, "%s on %s", outline->name, site->name);
    else
        snprintf(pair->name, sizeof pair->name, "%s on %s", site->name, outline->name);
    if (j->law) pc_pair_set_law(pair, j->law, j->params);
    return PC_OK;
}

/* Refuse a disc that would touch a curve in two places, on the side on which things move or on the other. */
static pc_status refuse_fit(const pc_outline *body, const pc_outline *outline, bool other_side, pc_error *err)
{
    double where[2], limit, radius = fabs(body->radius) + outline->radius;
    pc_plane_curve curve = outline->curve;
    if (other_side) curve.side = -curve.side;
    pc_curve_fit fit = pc_curve_takes(&curve, radius, where, &limit);
    const char *why = fit == PC_CURVE_TIGHT    ? "its radius of curvature is"
                      : fit == PC_CURVE_NARROW ? "another part of it is nearer,"
                                               : "the opening between its ends is";
    return pc_fail(
        err, PC_E_UNSUPPORTED,
        "scene: %s is too large for %s%s: it would touch it in two places near (%.6g, %.6g), where %s %.6g m, and "
        "%s takes %s %.6g m; %s",
        body->name, other_side ? "the other side of " : "", outline->name, where[0], where[1], why, limit, body->name,
        fit == PC_CURVE_OPENING ? "a diameter of" : "a radius of", fit == PC_CURVE_OPENING ? 2 * radius : radius,
        other_side
            ? "contacts in two places are followed on the side on which things move"
            : "contacts in two places are followed on curves that do not meet themselves, where the disc gets to "
              "some of the curve and lies nowhere in a hollow of its own radius");
}

/* Refuse bodies with sides before what bends towards them. */
static pc_status check_curve(const joining *j, const pc_outline *body, const pc_outline *outline)
{
    double where[2];
    if (body->n_sides == 0 || !pc_curve_bulges(&outline->curve, where)) return PC_OK;
    return pc_fail(j->err, PC_E_UNSUPPORTED,
                   "scene: %s has sides, and %s bends towards them at (%.6g, %.6g): sides touch straight and hollow "
                   "curves alone, with their corners; discs and points touch any, and pegs are touched by sides",
                   body->name, outline->name, where[0], where[1]);
}

/* Whether a disc would touch a curve, or a part of it, in two places on the other side. */
static bool is_cramped(const pc_outline *body, const pc_outline *outline)
{
    double where[2], limit, radius = fabs(body->radius) + outline->radius;
    pc_plane_curve curve = outline->curve;
    if (body->n_sides > 0 || radius == 0) return false;
    curve.side = -curve.side;
    const pc_curve_fit fit = pc_curve_takes(&curve, radius, where, &limit);
    const bool cut = outline->part.cut[0] || outline->part.cut[1]; /* then that is no opening between ends */
    return fit != PC_CURVE_FITS && !(fit == PC_CURVE_OPENING && cut);
}

/* A site with a curve, or with each of the parts that it touches in one place at a time. */
static pc_status add_on_curve(const joining *j, int a, int h)
{
    pc_scene *scene = j->scene;
    const int own = scene->sites[a].outline, before = scene->n_pairs;
    int first, n;
    pc_curve_fit fit;
    pc_status status =
        pc_scene_part_curve(scene, h, scene->sites[a].radius + scene->outlines[h].radius, &first, &n, &fit, j->err);
    if (status == PC_OK && n == 0 && fit != PC_CURVE_FITS)
        return refuse_fit(&scene->outlines[own], &scene->outlines[h], false, j->err);
    if (status == PC_OK && n == 0) status = add_pair(j, a, h, true);
    for (int i = 0; i < n && status == PC_OK; i++) {
        status = add_pair(j, a, first + i, true);
        if (status != PC_OK) break;
        scene->pairs[before + i].bounded = true;
        for (int end = 0; end < 2; end++) scene->pairs[before + i].beyond[end] = before + (i + (end ? 1 : n - 1)) % n;
    }
    for (int i = before; i < scene->n_pairs; i++)
        scene->pairs[i].cramped = is_cramped(&scene->outlines[own], &scene->outlines[scene->pairs[i].outline]);
    return status;
}

/* All sites of outline a on outline b. */
static pc_status add_sites(const joining *j, int a, int b, bool corners)
{
    pc_status status = PC_OK;
    for (int i = 0; i < j->scene->n_sites && status == PC_OK; i++) {
        if (j->scene->sites[i].outline != a) continue;
        const bool curved = pc_outline_is_curve(&j->scene->outlines[b]);
        status = curved ? add_on_curve(j, i, b) : add_pair(j, i, b, corners);
    }
    return status;
}

pc_status pc_scene_refuse_cramped(const pc_scene *scene, int pair, pc_error *err)
{
    const pc_pair *p = &scene->pairs[pair];
    return refuse_fit(&scene->outlines[scene->sites[p->site].outline], &scene->outlines[p->outline], true, err);
}

/* The gaps of a mechanism, each with its law or that of the scene. */
static pc_status add_gaps(const joining *j, int m)
{
    pc_scene *scene = j->scene;
    const pc_mechanism *mechanism = scene->members[m].mechanism;
    for (int a = 0; a < scene->n_sites; a++) {
        if (scene->sites[a].member != m) continue;
        const pc_mechanism_gap *gap = &mechanism->gaps[scene->sites[a].link];
        if (!PC_GROW(scene->pairs, scene->pair_room, scene->n_pairs + 1)) return fail_memory(j->err);
        pc_pair *pair = &scene->pairs[scene->n_pairs++];
        *pair = (pc_pair){.site = a,
                          .outline = scene->sites[a].outline,
                          .kind = PC_PAIR_GAP,
                          .gap = scene->sites[a].link + 1,
                          .length = gap->length};
        snprintf(pair->name, sizeof pair->name, "%s", gap->name);
        const pc_law *law = gap->law ? gap->law : j->law;
        if (law) pc_pair_set_law(pair, law, gap->law ? gap->params : j->params);
    }
    return PC_OK;
}

/* Two outlines of which the second is fixed, or both move. A disc touches the outline of the other; the inside of a
 * circle is touched by corners; of two outlines with sides the corners of each touch the other, and corners that touch
 * corners belong to the first. */
static pc_status meet(const joining *j, int a, int b)
{
    const pc_outline *first = &j->scene->outlines[a], *second = &j->scene->outlines[b];
    if (second->radius < 0) return add_sites(j, a, b, true);
    if (pc_outline_is_curve(second)) {
        pc_status status = check_curve(j, first, second);
        if (status != PC_OK) return status;
    }
    const bool sides = first->n_sides > 0;
    if (sides && second->n_sides == 0) return add_sites(j, b, a, true);
    pc_status status = add_sites(j, a, b, true);
    return status == PC_OK && sides ? add_sites(j, b, a, false) : status;
}

/* What a joint holds together touches only if it says so. */
static bool is_joined(const pc_scene *scene, const pc_outline *a, const pc_outline *b)
{
    for (int i = 0; i < scene->n_joints; i++) {
        const pc_scene_force *at = &scene->joints[i].at;
        if (((const pc_joint *)at->params)->touch) continue;
        for (int k = 0; k < 2; k++) {
            bool first = at->member[k] == a->member && at->link[k] == a->link;
            if (first && at->member[!k] == b->member && at->link[!k] == b->link) return true;
        }
    }
    return false;
}

/* What stands for the ends of a joint in its pairs. */
static pc_status add_ends(pc_scene *scene, const pc_scene_force *at, pc_error *err)
{
    if (!PC_GROW(scene->sites, scene->site_room, scene->n_sites + scene->n_ends + 1) ||
        !PC_GROW(scene->outlines, scene->outline_room, scene->n_outlines + scene->n_parts + scene->n_ends + 1))
        return fail_memory(err);
    const int at_outline = scene->n_outlines + scene->n_parts + scene->n_ends;
    pc_outline *outline = &scene->outlines[at_outline];
    *outline = pc_outline_point(at->name, at->along[1], at->across[1], 0);
    outline->member = at->member[1];
    outline->link = at->link[1];
    pc_site *site = &scene->sites[scene->n_sites + scene->n_ends];
    *site = (pc_site){.member = at->member[0],
                      .link = at->link[0],
                      .along = at->along[0],
                      .across = at->across[0],
                      .outline = at_outline};
    snprintf(site->name, sizeof site->name, "%s", at->name);
    scene->n_ends++;
    return PC_OK;
}

/* Size of the terms of the coordinate of a joint: of its angle, or of its way. */
static double coordinate_size(const pc_scene *scene, const pc_scene_joint *joint)
{
    const pc_joint *p = joint->at.params;
    double size = fmax(isnan(p->lower) ? 0 : fabs(p->lower), isnan(p->upper) ? 0 : fabs(p->upper));
    if (pc_joint_angular(joint->at.kind, p)) return 1 + size + fabs(joint->start.angle) + fabs(joint->start.second);
    for (int k = 0; k < 2; k++)
        size +=
            reach(scene, joint->at.member[k], joint->at.link[k], fabs(joint->at.along[k]) + fabs(joint->at.across[k]));
    return size;
}

static pc_status add_own(pc_scene *scene, int joint, pc_pair_kind kind, pc_error *err)
{
    static const char *const words[] = {
        [PC_PAIR_LOWER] = "lower", [PC_PAIR_UPPER] = "upper", [PC_PAIR_DRY] = "friction"};
    const pc_scene_joint *of = &scene->joints[joint];
    const pc_joint *p = of->at.params;
    if (!PC_GROW(scene->pairs, scene->pair_room, scene->n_pairs + 1)) return fail_memory(err);
    pc_pair *pair = &scene->pairs[scene->n_pairs++];
    scene->n_own++;
    *pair = (pc_pair){.site = scene->n_sites + scene->n_ends - 1,
                      .outline = scene->n_outlines + scene->n_parts + scene->n_ends - 1,
                      .kind = kind,
                      .joint = joint,
                      .length = coordinate_size(scene, of)};
    snprintf(pair->name, sizeof pair->name, "%s.%s", of->at.name, words[kind]);
    if (kind == PC_PAIR_DRY)
        pc_pair_set_law(pair, pc_joint_dry_law(), &p->dry_params);
    else
        pc_pair_set_law(pair, p->stop, &p->stop_params);
    return PC_OK;
}

/* Stops and dry friction of joints. */
static pc_status add_joint_pairs(pc_scene *scene, pc_error *err)
{
    pc_status status = PC_OK;
    for (int i = 0; i < scene->n_joints && status == PC_OK; i++) {
        const pc_joint *p = scene->joints[i].at.params;
        if (!scene->joints[i].at.kind->coordinate || (!p->stop && !p->rubs)) continue;
        status = add_ends(scene, &scene->joints[i].at, err);
        if (status == PC_OK && p->stop && !isnan(p->lower)) status = add_own(scene, i, PC_PAIR_LOWER, err);
        if (status == PC_OK && p->stop && !isnan(p->upper)) status = add_own(scene, i, PC_PAIR_UPPER, err);
        if (status == PC_OK && p->rubs) status = add_own(scene, i, PC_PAIR_DRY, err);
    }
    return status;
}

pc_status pc_scene_join(pc_scene *scene, const pc_law *law, const void *params, pc_error *err)
{
    joining j = {scene, law, params, err};
    pc_status status = PC_OK;
    for (int a = 0; a < scene->n_outlines && status == PC_OK; a++) {
        int member = scene->outlines[a].member;
        if (member < 0 || scene->members[member].mechanism) continue;
        for (int b = 0; b < scene->n_outlines && status == PC_OK; b++)
            if (scene->outlines[b].member < 0) status = meet(&j, a, b);
        for (int b = a + 1; b < scene->n_outlines && status == PC_OK; b++) {
            const pc_outline *other = &scene->outlines[b];
            if (other->member < 0 || other->member == member || scene->members[other->member].mechanism ||
                is_joined(scene, &scene->outlines[a], other))
                continue;
            status = meet(&j, a, b);
        }
    }
    for (int m = 0; m < scene->n_members && status == PC_OK; m++)
        if (scene->members[m].mechanism) status = add_gaps(&j, m);
    if (status == PC_OK) status = add_joint_pairs(scene, err);
    note_what_lasts(scene);
    return status;
}

/* Where all that touch are one problem, every law that strikes has to say how it restitutes there. */
static pc_status check_joint_rules(const pc_scene *scene, pc_error *err)
{
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *pair = &scene->pairs[i];
        if (pair->law->joint_rule || pc_pair_acts_in_motion(scene, i)) continue;
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "scene: together = \"simultaneous\" needs laws that say how they restitute in a joint impact "
                       "(contact.newton, contact.poisson, contact.stronge); %s (%s) knows impacts of one contact only, "
                       "which \"tied\" and \"sequential\" take",
                       pair->law->schema->name, pair->name);
    }
    return PC_OK;
}

pc_status pc_scene_check(const pc_scene *scene, pc_error *err)
{
    for (int i = 0; i < scene->n_pairs; i++)
        if (!scene->pairs[i].law)
            return pc_fail(err, PC_E_ARGUMENT,
                           "scene: no law is given for %s: add contact =, the law of all pairs, or an entry of pairs",
                           scene->pairs[i].name);
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *pair = &scene->pairs[i];
        if (pair->kind != PC_PAIR_GAP || pair->friction == 0) continue;
        if (scene->members[scene->sites[pair->site].member].mechanism->gaps[pair->gap - 1].has_tangent) continue;
        return pc_fail(err, PC_E_ARGUMENT,
                       "scene: gap '%s' of %s has no tangent, so friction = %.10g has no direction; give tangent = its "
                       "row of slip, or a law without friction",
                       pair->name, scene->members[scene->sites[pair->site].member].name, pair->friction);
    }
    pc_status status = scene->rule == PC_RULE_SIMULTANEOUS ? check_joint_rules(scene, err) : PC_OK;
    if (status != PC_OK) return status;
    if (scene->configuration == PC_CONFIGURATION_FROZEN) return PC_OK;
    int n_compliant = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *pair = &scene->pairs[i];
        if (pair->kind == PC_PAIR_OUTLINES && pair->law->element && scene->outlines[pair->outline].curve.crosses)
            return pc_fail(
                err, PC_E_UNSUPPORTED,
                "scene: %s meets itself, and where it does a compliant contact (%s) would not know on which of "
                "its parts it goes on; give rigid laws, or a curve that does not",
                scene->outlines[pair->outline].name, pair->name);
        n_compliant += pair->law->element != NULL;
        if (!pair->law->element && pair->law->abilities & PC_LAW_COMPLIANT)
            return pc_fail(err, PC_E_UNSUPPORTED,
                           "scene: configuration = \"moving\" needs laws whose force follows from the indentation and "
                           "its rate; %s (%s) gives whole impacts only",
                           pair->law->schema->name, pair->name);
    }
    if (n_compliant > 0) return PC_OK;
    return pc_fail(err, PC_E_UNSUPPORTED,
                   "scene: configuration = \"moving\" needs a compliant law at one contact at least, such as "
                   "contact.linear or contact.hunt_crossley");
}

int pc_scene_compliant_pairs(const pc_scene *scene)
{
    int pairs = 0;
    for (int i = 0; i < scene->n_pairs; i++) pairs += pc_pair_acts_in_motion(scene, i);
    return pairs;
}

int pc_scene_memory(const pc_scene *scene)
{
    int most = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *pair = &scene->pairs[i];
        if (!pc_pair_acts_in_motion(scene, i) || !pair->law->element->memory) continue;
        int own = pair->law->element->memory(pair->params);
        most = own > most ? own : most;
    }
    return most;
}

void pc_scene_free(pc_scene *scene)
{
    pc_free(scene->members);
    pc_free(scene->sites);
    pc_free(scene->outlines);
    pc_free(scene->pairs);
    pc_free(scene->forces);
    pc_free(scene->drives);
    pc_free(scene->joints);
    pc_free(scene->spans);
    *scene = (pc_scene){0};
}
