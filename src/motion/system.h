/* What forces and impulses do in a configuration, and what a scene does by itself.
 *
 * A system is a workspace: pc_system_place makes the configuration `now`, forces are added and solved for in it.
 */
#ifndef PC_MOTION_SYSTEM_H
#define PC_MOTION_SYSTEM_H

#include "ode/breaks.h"
#include "scene/configuration.h"

typedef struct pc_system {
    pc_configuration now;
    pc_places places;
    pc_span span;           /* between two breaks, to whose inside times are clipped; infinite: there are none */
    pc_chain_force *forces; /* of each node */
    struct pc_compliant *compliant; /* contacts whose forces act as well (compliant.h); NULL: none */
} pc_system;

pc_status pc_system_open(pc_system *system, const pc_scene *scene, pc_error *err);
void pc_system_close(pc_system *system);

/* Make `now`, with all that solving needs; or what the gap of one pair needs. Functions of time are never asked at a
 * break, but on the side of the step. < 0 where a function of the user asks to stop, as the others that return int. */
int pc_system_place(pc_system *system, double t, const double *y);
int pc_system_place_pair(pc_system *system, int pair, double t, const double *y);

/* Forces or impulses on the members: begin with none, or with gravity, joints, torques and compliant contacts; add
 * those of others, force = (t, n) on the first site and its opposite on the other; then solve for accelerations or
 * jumps. */
void pc_system_unload(pc_system *system);
int pc_system_load(pc_system *system);
void pc_system_push(pc_system *system, int pair, const pc_touch *touch, const double force[2]);
void pc_system_accelerations(pc_system *system, double *a);
void pc_system_jumps(pc_system *system, double *du);

/* Jumps by an impulse on a pair alone, of the members it acts on; what du says of others stays. */
void pc_system_respond(pc_system *system, int pair, const pc_touch *touch, const double impulse[2], double *du);

/* Whether two pairs have a member in common: only then does an impulse on one change the velocity of the other. */
bool pc_system_coupled(const pc_system *system, int pair, int other);

/* Power of damping, torques and moving pivots, W; the last by the reactions of the last solution. */
int pc_system_power(const pc_system *system, double power[3]);

#endif
