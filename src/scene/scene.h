/* A scene: what moves, what stands in its way, and by which law they collide. Constant while a motion runs.
 *
 * Members are chains and free bodies in the plane (x, y), y up, gravity along -y. What can touch are *outlines*: of
 * obstacles, and of the links of members. A *site* is a circle (or a point, of radius 0) about a corner of an outline.
 * A *pair* is a site and the outline of another body that it may touch, at a corner or a side; of two convex outlines
 * that touch, one touches with a corner. Its frame is t, n with n from the outline to the site and t = (n_y, -n_x), so
 * that a positive rate about t x n turns anticlockwise.
 *
 * The state is y = (q, u): coordinates of all members, then their velocities.
 */
#ifndef PC_SCENE_SCENE_H
#define PC_SCENE_SCENE_H

#include "body/chain.h"
#include "engine/impact_sequence.h"
#include "law/law.h"
#include "ode/ode.h"
#include "scene/force/force.h"
#include "scene/mechanism.h"
#include "scene/obstacle.h"
#include "shape/outline.h"

/* A free body: coordinates x, y of the mass centre and the angle, as of a link whose upper joint is the centre. */
typedef struct pc_free_body {
    double mass, inertia;
} pc_free_body;

typedef struct pc_member {
    const pc_chain *chain; /* NULL: a free body */
    pc_free_body body;
    const pc_mechanism *mechanism; /* neither of them, but a system of the user's own */
    int first, n_dof;              /* its part of q and u */
    int node;                      /* its part of the nodes */
    int drive; /* of the gaps of a mechanism that depend on time, by its number among drives from 1 on */
    char name[PC_NAME];
    bool named; /* by its user: columns begin with the name even if there is no other */
} pc_member;

/* Whether one of its coordinates, counted from `first`, is an angle; else it is a length. */
static inline bool pc_member_turns(const pc_member *member, int coordinate)
{
    if (member->mechanism) return member->mechanism->coordinates[coordinate].angle;
    return member->chain ? coordinate < member->chain->n : coordinate == 2;
}

/* Centre at along e + across f from the upper joint of the link, or from the mass centre; of an obstacle, at
 * (along, across) where it was described. */
typedef struct pc_site {
    int member, link; /* as of an outline */
    double along, across, radius;
    char name[PC_NAME];
    int outline, corner; /* of which it is a corner */
} pc_site;

/* A pair of outlines; a gap of a mechanism, whose site and outline are its mechanism's, a point that is nowhere; or, of
 * a joint, a stop that bounds its coordinate from below or above, or its dry friction. Those have a site and an outline
 * behind all others, which stand for the ends of the joint. */
typedef enum pc_pair_kind { PC_PAIR_OUTLINES, PC_PAIR_GAP, PC_PAIR_LOWER, PC_PAIR_UPPER, PC_PAIR_DRY } pc_pair_kind;

typedef struct pc_pair {
    int site, outline;
    pc_pair_kind kind;
    int joint;     /* of a stop or of friction */
    int gap;       /* of a mechanism, from 1 on */
    bool corners;  /* may touch at the outline's corners; else that is for the pair of their own sites */
    bool bounded;  /* its gap may close where it does not touch */
    bool thin;     /* a point before a side without thickness, which has two faces */
    bool sharp;    /* without a radius, before sides that end */
    bool round;    /* one of the two has a radius */
    bool cramped;  /* a disc before a curve that would touch it in two places, if it were on the other side */
    int beyond[2]; /* of a part of a curve: the pairs that go on where it is cut, at its beginning and its end */
    const pc_law *law;
    const void *params;
    double friction, static_friction; /* of the law; 0 where it has none */
    double pull;                      /* greatest force that holds it together at rest, N */
    double rolling;                   /* resistance of a round contact to rolling, m */
    double length;                    /* size of the terms in the gap, for its rounding */
    double arm[2]; /* of outlines: how far the surface of each may be from where its link or its body is, m */
    char name[2 * PC_NAME + 4];
} pc_pair;

/* A force with its ends: on which member and link (< 0: the ground), and where, as of a site. */
typedef struct pc_scene_force {
    const pc_force_kind *kind;
    const void *params;
    int member[2], link[2];
    double along[2], across[2];
    char name[PC_NAME];
} pc_scene_force;

/* A joint: a force that follows from what its ends have to keep. hinge: it is where a chain has its own, which holds
 * its ends together; 1 + the end that is the upper joint of its link; 0: it is not. */
typedef struct pc_scene_joint {
    pc_scene_force at;
    pc_joint_start start;
    int hinge;
} pc_scene_joint;

extern const char *const pc_rule_words[];

/* What a compliant law does: an impact of its own, with everything else at rest meanwhile; or, if it is an element,
 * forces while all goes on moving. */
typedef enum pc_compliance { PC_CONFIGURATION_FROZEN, PC_CONFIGURATION_MOVING } pc_compliance;

/* When what a contact has left indented recovers: once the contact has opened by as much; plastic laws may keep it. */
typedef enum pc_recovery { PC_RECOVERY_ON_OPENING, PC_RECOVERY_PERMANENT } pc_recovery;

typedef struct pc_scene {
    double gravity;
    bool rolls;    /* some pairs resist rolling */
    bool clings;   /* some are held together */
    double v_rest; /* a normal velocity after an impact below this becomes 0; 0: off */
    int rule, configuration, recovery;
    int n_members, n_sites, n_outlines, n_obstacles, n_pairs, n_forces, n_drives, n_joints;
    int n_dof, n_nodes, n_mechanisms;
    int n_parts, n_spans; /* parts of curves, whose outlines are behind the others, and their spans: curve_parts.h */
    int n_ends, n_own;    /* sites and outlines for joints, behind all others; and pairs of joints, the last ones */
    pc_member *members;
    pc_site *sites;
    pc_outline *outlines;
    pc_pair *pairs;
    pc_scene_force *forces;
    pc_scene_joint *joints;
    pc_drive *drives; /* of obstacles that do not stand still */
    pc_curve_span *spans;
    size_t span_room, member_room, site_room, outline_room, pair_room, force_room, joint_room, drive_room;
} pc_scene;

extern const pc_schema pc_scene_schema;

/* Build a scene: members with their outlines, fixed outlines, then all pairs that can meet. What was added stays as it
 * is. */
pc_status pc_scene_add_chain(pc_scene *scene, const pc_chain *chain, const char *name, pc_error *err);
pc_status pc_scene_add_body(pc_scene *scene, const pc_free_body *body, const char *name, pc_error *err);

/* A mechanism, with what stands for its gaps. */
pc_status pc_scene_add_mechanism(pc_scene *scene, const pc_mechanism *mechanism, const char *name, pc_error *err);

/* What of a chain may touch besides links with a radius, and what it is called (empty: no name was given). */
enum { PC_TOUCH_END, PC_TOUCH_JOINTS, PC_TOUCH_LINKS, PC_TOUCH_NONE };
typedef struct pc_chain_options {
    int touch;
    char name[PC_PART_NAME];
} pc_chain_options;

extern const pc_schema pc_chain_schema;

/* Links with a thickness need PC_TOUCH_LINKS. */
pc_status pc_chain_check(const pc_chain *chain, const pc_chain_options *options, pc_error *err);

/* The outlines of the chain that was added last: discs at the ends of links, and what else may touch. */
pc_status pc_scene_add_links(pc_scene *scene, const pc_chain *chain, int touch, const char *name, pc_error *err);

/* An outline, with a site at each of its corners: "box.corner1". */
pc_status pc_scene_add_outline(pc_scene *scene, const pc_outline *outline, pc_error *err);

/* The outline of an obstacle, and how it moves. */
pc_status pc_scene_add_obstacle(pc_scene *scene, pc_outline *outline, const pc_drive *drive, pc_error *err);

/* The drive of an outline or a site; NULL: it belongs to a member, or stands still. */
static inline const pc_drive *pc_scene_drive(const pc_scene *scene, int member, int link)
{
    return member < 0 && link > 0 ? &scene->drives[link - 1] : NULL;
}

/* The drive of an obstacle in a pair, by its number in `drives`; -1: there is none. */
static inline int pc_scene_pair_drive(const pc_scene *scene, int pair)
{
    const pc_site *site = &scene->sites[scene->pairs[pair].site];
    const pc_outline *outline = &scene->outlines[scene->pairs[pair].outline];
    if (scene->pairs[pair].kind == PC_PAIR_GAP) return scene->members[site->member].drive - 1;
    return (site->member < 0 ? site->link : outline->member < 0 ? outline->link : 0) - 1;
}

const char *pc_scene_drive_name(const pc_scene *scene, int drive);

/* True for what moves gaps of a mechanism: it has no place. */
bool pc_scene_drives_gaps(const pc_scene *scene, int drive);

/* No step may be longer, so that what is watched is seen at least as often as obstacles swing, s; scale: what functions
 * do lasts at least so long. Infinite: none of them moves. */
double pc_scene_longest_step(const pc_scene *scene, double scale);

/* The breaks of all forces: see pc_breaks_next and pc_breaks_span, forwards. */
double pc_scene_next_break(const pc_scene *scene, double t, double t_end);
pc_span pc_scene_break_span(const pc_scene *scene, double t);

/* A force or a joint of members that are there, whose coordinates at their start are q; its parameters must stay.
 * PC_E_ARGUMENT: an end is no member, or has no place. */
pc_status pc_scene_add_force(pc_scene *scene, const pc_force_kind *kind, const void *params, const char *name,
                             const double *q, pc_error *err);

/* All pairs that can meet, with a law; NULL: each is to be given its own (pc_pair_set_law). */
pc_status pc_scene_join(pc_scene *scene, const pc_law *law, const void *params, pc_error *err);
void pc_scene_free(pc_scene *scene);

/* Every pair needs a law. With configuration = "moving" every compliant law must be an element, and there must
 * be one. */
pc_status pc_scene_check(const pc_scene *scene, pc_error *err);

/* A cramped pair has come to stay on the other side of its curve: the failure that says where it touches twice. */
pc_status pc_scene_refuse_cramped(const pc_scene *scene, int pair, pc_error *err);

/* How many numbers the reactions in a scene are: (x, y) of each node of chains, on its link at the upper joint, then
 * (x, y, moment) of each joint, on its first body. */
static inline size_t pc_scene_reactions(const pc_scene *scene)
{
    return 2 * (size_t)scene->n_nodes + 3 * (size_t)scene->n_joints;
}

/* True if what is recorded of a member is told apart by its name. */
static inline bool pc_scene_tells(const pc_scene *scene, int member)
{
    return scene->n_members > 1 || scene->members[member].named;
}

/* True for pairs that press by their law while everything moves, as stops of joints do in any case. */
static inline bool pc_pair_acts_in_motion(const pc_scene *scene, int pair)
{
    const pc_pair *p = &scene->pairs[pair];
    return (scene->configuration == PC_CONFIGURATION_MOVING || p->kind > PC_PAIR_GAP) && p->law->element;
}

/* The sign with which the coordinate of a joint opens its stop. */
static inline int pc_pair_opens_with(const pc_pair *pair)
{
    return pair->kind == PC_PAIR_UPPER ? -1 : 1;
}

/* The parameters of the joint of a pair. */
static inline const pc_joint *pc_pair_joint(const pc_scene *scene, const pc_pair *pair)
{
    return scene->joints[pair->joint].at.params;
}

/* How many may at once. */
int pc_scene_compliant_pairs(const pc_scene *scene);

/* The most variables that the element of one of them remembers. */
int pc_scene_memory(const pc_scene *scene);

/* Give a pair another law. */
void pc_pair_set_law(pc_pair *pair, const pc_law *law, const void *params);

/* Give it to all pairs of two parts, which may be named as a whole or by what touches of them; how many there are. */
int pc_scene_set_law(pc_scene *scene, const char *a, const char *b, const pc_law *law, const void *params);

#endif
