/* A scene in the plane as the engine asks for it: what forces and impulses do in a configuration, and what the scene
 * does by itself.
 *
 * It holds room for one configuration, `now`, and for the forces that are solved for in it. What pairs hold to in it
 * belongs to the state of whoever follows them, or is `own`, where another time is looked at.
 */
#ifndef PC_SCENE_PLANAR_H
#define PC_SCENE_PLANAR_H

#include "scene/joints.h"

typedef struct pc_planar {
    pc_configuration now;
    pc_places places, own;
    pc_joints joints;
    pc_chain_force *forces; /* of each node */
    double *made;           /* coordinates for which `now` was made as a whole: see provide_place */
    double *answer;         /* of all velocities to one impulse */
    pc_pairing *pairing;    /* of each pair, as the scene has them */
    pc_mechanics mechanics; /* what the engine asks, in `now`; a place is a pair */
} pc_planar;

pc_status pc_planar_open(pc_planar *planar, const pc_scene *scene, pc_error *err);
void pc_planar_close(pc_planar *planar);

/* Look at another time than that of the state: pairs hold to `own`, nothing yet. */
void pc_planar_hold_none(pc_planar *planar);

/* Make the configuration of a state, with all that solving needs, or with what the gap of one pair needs; until the
 * next one is made. Functions of time are never asked at a break, but on the side of the step. NULL where a function
 * of the user asks to stop; < 0 from those that return int. */
const pc_configuration *pc_planar_make(pc_planar *planar, double t, const double *y);
const pc_configuration *pc_planar_make_pair(pc_planar *planar, int pair, double t, const double *y);

/* Power of damping, of torques, forces that store nothing and driven joints, and of moving pivots, W; of joints and
 * pivots by the reactions of the last solution. And of one force: of what it damps, and of what it does besides. < 0: a
 * function of the user stopped. */
int pc_planar_power(const pc_planar *planar, double power[3]);
int pc_planar_force_power(const pc_configuration *c, int force, double power[2]);

/* Power, W, that the drive of an obstacle gives at a contact with the force (t, n); with an impulse, the work. False:
 * there is no drive. */
bool pc_planar_drive_power(const pc_configuration *c, int pair, const pc_touch *touch, const double force[2],
                           double *power);

/* By how much joints are open in the configuration, of each condition, and then how fast they open: 2 n numbers, which
 * may be where its state is. And take such an error of all conditions, of places or of rates, from x, coordinates or
 * velocities, by forces: which it becomes. */
void pc_planar_joint_errors(const pc_planar *planar, double *error);
void pc_planar_take(const pc_planar *planar, double *error, double *x);

/* Add `times` the reactions of the last solution to sum, as many as there are (pc_scene_reactions). */
void pc_planar_add_reactions(const pc_planar *planar, double times, double *sum);

#endif
