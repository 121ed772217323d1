/* A configuration: where everything in a scene is and how it moves, made from (t, q, u).
 *
 * It is constant once it is made, and asked by all that needs gaps, frames, velocities and energies. To which feature
 * of an outline a pair holds is not in it: that is remembered by whoever follows the pair, and given as its place.
 */
#ifndef PC_SCENE_CONFIGURATION_H
#define PC_SCENE_CONFIGURATION_H

#include "engine/provider.h"
#include "scene/scene.h"

#include <float.h>

/* What of it was made: positions of all members, and the parts of the solution for forces that follow from them.
 * Without PC_HAS_POSES it has the members of one pair alone. Debug builds assert that what is needed was made. */
enum { PC_HAS_POSES = 1, PC_HAS_FACTORS = 2 };

/* An obstacle that does not stand still: its frame, in which the outline is as it was described, and how that moves. */
typedef struct pc_drive_frame {
    pc_chain_node node;
    double velocity[2], acceleration[2]; /* of its origin */
    pc_drive_state state;
} pc_drive_frame;

struct pc_configuration {
    const pc_scene *scene;
    double t;
    const double *q, *u; /* of the caller; must outlive it */
    unsigned has;
    int pair;            /* whose members it has, without PC_HAS_POSES */
    double (*pivots)[6]; /* of each chain: position, velocity, acceleration */
    pc_chain_node *nodes;
    pc_drive_frame *drives; /* of each drive of the scene */
    double time_scale;      /* what functions of drives do lasts at least so long, s */
    pc_span within;         /* between two breaks, to whose inside times are clipped; infinite: there are none */
    int torn;               /* from 1: the drive that was found not to be smooth within that; 0: none was */
    pc_mechanism_frame *mechanisms; /* of each member that is one; asked lazily, so what they know grows */
};

/* Of each pair. feature: of closed ones, the part of the outline that they hold to, though the site may be a little
 * beyond it, or so deep in the outline that another side is nearer; -1: the nearest. face: of thin ones, on which side
 * of the core the site is, 1 or -1; 0: not known. */
typedef struct pc_places {
    int *feature, *face;
} pc_places;

/* None held: every pair is at what is nearest. */
void pc_places_release(const pc_places *places, int n_pairs);

pc_status pc_configuration_open(pc_configuration *c, const pc_scene *scene, pc_error *err);
void pc_configuration_close(pc_configuration *c);

/* Make it for the state y = (q, u), which must stay; or of it what belongs to the members of one pair, which is enough
 * for its gap. < 0 where a function of the user asks to stop. */
int pc_configuration_place(pc_configuration *c, double t, const double *y);
int pc_configuration_place_pair(pc_configuration *c, int pair, double t, const double *y);

/* The same with other velocities, from where they are in y; false: it has to be made anew. */
bool pc_configuration_move(pc_configuration *c, const double *y);

/* What moves by functions of time alone, where one span of time ends and another begins: by how much the place of a
 * drive or a pivot jumps there, or the velocity of a pivot, with its unit and whose it is, or NULL; and whether the
 * velocity of an obstacle or of its surface does. */
typedef struct pc_break_jump {
    double by;
    const char *unit, *name;
    bool strikes;
} pc_break_jump;

/* < 0 where a function of the user asks to stop. */
int pc_configuration_jump(pc_configuration *c, double t, const pc_span *before, const pc_span *after,
                          pc_break_jump *out);

/* Rounding of a gap, as a share of the lengths in it. */
#define PC_TOUCHING (64 * DBL_EPSILON)

void pc_configuration_touch(const pc_configuration *c, const pc_places *places, int pair, pc_touch *touch);

double pc_configuration_gap(const pc_configuration *c, const pc_places *places, int pair);

/* Height of a thin pair's site above the line of its core, on the positive side where face = 1. */
double pc_configuration_height(const pc_configuration *c, int pair);

/* Whether that site is before its core, clearly: not beyond an end, nor nearer to it than this share of the lengths. */
#define PC_TIP 1e-9
bool pc_configuration_is_before(const pc_configuration *c, int pair);

/* On which side of a thin core the site belongs that lies in it: where the outlines do not overlap, else that of a
 * body above something fixed, or the open side of a curve. */
int pc_configuration_outer_face(const pc_configuration *c, int pair);

/* How far a closed pair is from where another feature takes over: of the outline, before and after; where it holds to a
 * corner, of the site's own outline as well. Infinite where nothing does. */
void pc_configuration_margins(const pc_configuration *c, const pc_places *places, int pair, double margin[PC_MARGINS]);

/* Rates of the finite ones, for the velocities of the state. */
void pc_configuration_margin_rates(const pc_configuration *c, int pair, const pc_touch *touch, double rate[PC_MARGINS]);

/* The feature beyond a margin, -1 if the pair does not touch there. */
int pc_configuration_beyond(const pc_configuration *c, const pc_places *places, int pair, int margin);

/* The pair that goes on, with the next part, where a site leaves a part of a curve at an end (0, 1); -1: none does. */
int pc_configuration_next_part(const pc_configuration *c, int pair, int end);

/* The side before which a sharp corner of the pair is, of those through which its own outline does not reach, or, if
 * `any`, of all; -1: before none. */
int pc_configuration_side(const pc_configuration *c, const pc_places *places, int pair, bool any);

/* What faces a side of the outline from its end (1: the last), where the site is near that: the side of the site's own
 * outline that runs back over it from the site, and the corner of the outline at that end, before it. Two flat sides
 * that lie on each other are in contact at both ends of what they have in common, each the end of one of them. */
typedef struct pc_facing {
    int feature, corner, end; /* the end of that side which is the site */
    double margin;            /* of the corner, from the site along that side */
    double height;            /* above that side */
    bool before;              /* not beyond an end of it */
} pc_facing;

/* False: none does. */
bool pc_configuration_facing(const pc_configuration *c, int pair, int feature, int end, pc_facing *facing);

/* (t, n) velocity of the contact point for the velocities of the state, relative to the surface of an obstacle that
 * moves, and what jumps du would change of it. */
void pc_configuration_velocity(const pc_configuration *c, int pair, const pc_touch *touch, double v[2]);
void pc_configuration_change(const pc_configuration *c, int pair, const pc_touch *touch, const double *du, double v[2]);

/* (t, n) velocity of what a drive moves at a contact: forces and impulses of the contact on the members do work with
 * it, which the drive gives. False: there is no drive. */
bool pc_configuration_drive_velocity(const pc_configuration *c, int pair, const pc_touch *touch, double v[2]);

/* How a pair touches, and its velocity. */
static inline void pc_configuration_contact(const pc_configuration *c, const pc_places *places, int pair,
                                            pc_touch *touch, double v[2])
{
    pc_configuration_touch(c, places, pair, touch);
    pc_configuration_velocity(c, pair, touch, v);
}

/* (t, n) acceleration of the contact point for accelerations a, in the rolling sense that a sticking contact keeps
 * both at zero. */
void pc_configuration_acceleration(const pc_configuration *c, int pair, const pc_touch *touch, const double *a,
                                   double v[2]);

/* What rates of all velocities are: jumps of them, themselves, or accelerations, to which what the velocities bend
 * belongs. Pivots that move do so in the last two. */
typedef enum pc_rates { PC_RATES_JUMPS, PC_RATES_VELOCITIES, PC_RATES_ACCELERATIONS } pc_rates;

/* What rates of all velocities are of a condition of a joint: see pc_rates; with accelerations the bend belongs to it.
 */
double pc_configuration_row_rate(const pc_configuration *c, const pc_scene_force *force, const pc_joint_row *row,
                                 const double *x, pc_rates kind);

/* The coordinate of the joint of a pair. */
void pc_configuration_coordinate(const pc_configuration *c, int pair, pc_joint_row *row);

/* An end of a force of the scene; and the mass centre of a link of a member, as one. */
void pc_configuration_force_end(const pc_configuration *c, const pc_scene_force *force, int end, pc_force_end *out);
void pc_configuration_body_end(const pc_configuration *c, int member, int link, pc_force_end *out);

/* False where a function of a mechanism stopped, of those that tell its gaps as well. */
bool pc_configuration_is_known(const pc_configuration *c);

/* Kinetic and potential energy, and their sum, J. */
double pc_configuration_kinetic(const pc_configuration *c);
double pc_configuration_potential(const pc_configuration *c);
double pc_configuration_energy(const pc_configuration *c);

#endif
