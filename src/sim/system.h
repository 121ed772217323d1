/* A scene in a state: where things are, what a force does to them, what they do by themselves.
 *
 * A system holds the workspace. After pc_system_place it knows the configuration at (t, y); everything else below is
 * asked of it then.
 */
#ifndef PC_SIM_SYSTEM_H
#define PC_SIM_SYSTEM_H

#include "sim/scene.h"

/* A pair in a configuration. */
typedef struct pc_touch {
    double gap;
    double n[2];         /* t = (n_y, -n_x) */
    double distance;     /* of the centres; infinite for a plane */
    double center[2][2]; /* of both circles; the second only where it moves */
} pc_touch;

typedef struct pc_system {
    const pc_scene *scene;
    double t;
    const double *q, *u; /* of the caller */
    double (*pivots)[6]; /* of each member: position, velocity, acceleration */
    pc_chain_node *nodes;
    struct pc_compliant *compliant; /* contacts whose forces act as well (compliant.h); NULL: none */
} pc_system;

pc_status pc_system_open(pc_system *system, const pc_scene *scene, pc_error *err);
void pc_system_close(pc_system *system);

/* Positions, and what solving needs; y must stay. Returns < 0 where a function of the user asks to stop,
 * as do the others that return int. */
int pc_system_place(pc_system *system, double t, const double *y);

/* Positions of the members of one pair alone, which is enough for its gap. */
int pc_system_place_pair(pc_system *system, int pair, double t, const double *y);

void pc_system_touch(const pc_system *system, int pair, pc_touch *touch);

/* Gap of a pair for the state last placed. */
double pc_system_gap(const pc_system *system, int pair);

/* (t, n) velocity of the contact point for the velocities of the state, and what jumps du would change of it. */
void pc_system_velocity(const pc_system *system, int pair, const pc_touch *touch, double v[2]);
void pc_system_change(const pc_system *system, int pair, const pc_touch *touch, const double *du, double v[2]);

/* (t, n) acceleration of the contact point for accelerations a, in the rolling sense that a sticking contact keeps
 * both at zero. */
void pc_system_acceleration(const pc_system *system, int pair, const pc_touch *touch, const double *a, double v[2]);

/* Forces or impulses on the members: begin with none, or with gravity, joints, torques and compliant contacts; add those of others,
 * force = (t, n) on the first site and its opposite on the other; then solve for accelerations or jumps. */
void pc_system_unload(pc_system *system);
int pc_system_load(pc_system *system);
void pc_system_push(pc_system *system, int pair, const pc_touch *touch, const double force[2]);
void pc_system_accelerations(pc_system *system, double *a);
void pc_system_jumps(pc_system *system, double *du);

/* Kinetic and potential energy, J. */
double pc_system_kinetic(pc_system *system);
double pc_system_potential(const pc_system *system);

/* Power of damping, torques and moving pivots, W; the last by the reactions of the last solution. */
int pc_system_power(const pc_system *system, double power[3]);

#endif
