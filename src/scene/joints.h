/* The joints of a scene in one configuration: their conditions, what their forces do, and the forces that keep them.
 *
 * With G the conditions read off the velocities, W = G M^-1 G^T is what unit forces of all conditions do to them. It
 * may be singular: closed loops have conditions that follow from others. Which do is decided by G alone, whatever the
 * masses, and forces are those of least squares in conditions of unit size.
 */
#ifndef PC_SCENE_JOINTS_H
#define PC_SCENE_JOINTS_H

#include "scene/configuration.h"

typedef struct pc_joints {
    int n;             /* conditions */
    pc_joint_row *row; /* in the configuration that was made last */
    int *joint;        /* of each: of which joint it is one */
    int *group;        /* of each member: those with one number are joined, directly or not */
    double *response;  /* of each: changes of all velocities by its unit force */
    double *force;     /* N or N m, of the last solution */
    double *error;     /* what conditions are off by, which becomes forces */
    /* Forces are U L z, with U the scales that give conditions unit size, and L of `rank` columns; z solves the
     * factored L^T U W U L z = L^T U b. */
    double *unit, *L, *W, *WL, *factors;
    int *rank, *pivots;
    double *independence; /* the least pivot of those columns: the square of an angle between conditions, rad */
    double *spread;       /* the least pivot of the factors, as a share of the largest */
    int *n_near, *near;   /* of each condition: with which ones it has a member in common, n numbers at most */
    double *G, *x, *room; /* scaled conditions by coordinates; zeros, one for each; n numbers */
    /* Of each joint with dry friction: the mobility of its coordinate without joints. What bounds friction, N or N m,
     * is the force of a condition of its own, which nothing else moves: its mobility is this one, and without forces it
     * accelerates by as much as makes its force. And (x, y) of its reaction in the last solution. */
    double *give, *reached;
} pc_joints;

pc_status pc_joints_open(pc_joints *joints, const pc_scene *scene, pc_error *err);
void pc_joints_close(pc_joints *joints);

/* The conditions in a configuration with velocities. */
void pc_joints_place(const pc_joints *joints, const pc_configuration *c);

/* Row i of G times rates x of all velocities: see pc_rates; with accelerations the bend belongs to it. */
double pc_joints_read(const pc_joints *joints, const pc_configuration *c, int i, const double *x, pc_rates kind);

/* W from the responses. */
void pc_joints_weigh(const pc_joints *joints, const pc_configuration *c);

/* Forces that change the conditions by b, n numbers, which become these forces. */
void pc_joints_solve(const pc_joints *joints, double *b);

/* Whether rounding of the factors shows in those forces: what they leave is to be taken once more. */
bool pc_joints_depend(const pc_joints *joints);

/* The greatest force, N, of a condition that holds a point, in the last solution. */
double pc_joints_greatest(const pc_joints *joints);

/* The joint that is open the widest, and by how much: m or rad, and as a share of the lengths of all joints, or of one;
 * NULL: none is. And that which opens the fastest, m/s or rad/s, as a share of the speeds of all. */
const char *pc_joints_worst(const pc_joints *joints, const pc_configuration *c, double *gap, const char **unit,
                            double *share);
const char *pc_joints_fastest(const pc_joints *joints, const pc_configuration *c, const double *u, double *rate,
                              const char **unit, double *share);

/* Sizes of the coordinates and velocities that are joined, 2 n_dof numbers, 0 of others: those of the greatest in its
 * group. What a joint locks moves by the rounding of its forces, of which no step can ask more. */
void pc_joints_sizes(const pc_joints *joints, const pc_configuration *c, double *size);

/* Force on the first body of a joint, at its end; forces: what chains pass on at their nodes. */
pc_wrench pc_joints_reaction(const pc_joints *joints, const pc_scene *scene, const pc_chain_force *forces, int joint);

#endif
