/* A planar chain of rigid links hanging from a pivot, as a system that moves.
 *
 * Coordinates are the absolute angles q of the links, from the downward vertical, anticlockwise positive: a link from
 * its upper to its lower joint has the direction e = (sin q, -cos q) and f = de/dq = (cos q, sin q) in (x, y), y up.
 *
 * The mass matrix is never formed. Because the angles are absolute, the part of the chain below a joint acts on it
 * like a mass that depends on direction, R = M a + b with a the joint's acceleration and R the force that the joint
 * has to bring up; M and b follow from the links below, one after the other. So accelerations, the response to
 * impulses and all joint reactions cost a number of operations proportional to the number of links.
 */
#ifndef PC_BODY_CHAIN_H
#define PC_BODY_CHAIN_H

#include "base/row.h"
#include "base/status.h"

#include <stdbool.h>

enum { PC_CHAIN_LINKS = 50 };

/* One link with the joint above it. The torque M cos(frequency t + phase) acts on the link, from the ground or,
 * `from_joint`, from the link above. */
typedef struct pc_link {
    double mass, length;                   /* length: from the upper to the lower joint */
    double center;                         /* of mass, from the upper joint along the link */
    double inertia;                        /* about the centre of mass */
    double radius;                         /* of a disc that may touch; 0: the end is a point */
    double reach;                          /* centre of that disc (or the point), from the upper joint */
    double thickness;                      /* between its sides, which end round about its joints */
    double damping, stiffness, rest_angle; /* of the joint: on the relative rate and angle */
    double torque, frequency, phase;
    int from; /* 0: ground, 1: joint */
} pc_link;

extern const pc_schema pc_link_schema;

/* How the pivot moves: position x + amplitude sin(frequency t + phase), or a function of the user. */
typedef struct pc_pivot {
    double x, y;
    double amplitude_x, amplitude_y, frequency, phase;
    /* position, velocity and acceleration (x, y each) at t; NULL: the harmonic above. Returns 0, or < 0 to stop */
    int (*motion)(double t, double state[6], void *context);
    void *context;
} pc_pivot;

extern const pc_schema pc_pivot_schema; /* of place and harmonic motion */

/* Additional torques on the links, from the ground; NULL if there are none. Returns 0, or < 0 to stop. */
typedef int (*pc_chain_torque)(double t, const double *q, const double *u, double *torque, void *context);

typedef struct pc_chain {
    int n;
    pc_link links[PC_CHAIN_LINKS];
    pc_pivot pivot;
    pc_chain_torque torque;
    void *torque_context;
} pc_chain;

/* Where one link and its upper joint are; a chain needs n + 1 of them, the last for its end. The second line is of the
 * factored chain. */
typedef struct pc_chain_node {
    double ex, ey, x, y;                   /* direction; f = (-ey, ex); the upper joint */
    double mxx, mxy, myy, hx, hy, inverse; /* R = M a + b, and the link's share of it; 1/D */
} pc_chain_node;

/* What acts on one link. */
typedef struct pc_chain_force {
    double fx, fy, moment; /* external force, and its moment with all torques about the upper joint */
    double bx, by, beta;   /* of the solution */
    double rx, ry;         /* force on the link at its upper joint, once it is solved */
} pc_chain_force;

/* Position, velocity and acceleration of the pivot. Returns 0, or < 0 to stop. */
int pc_pivot_state(const pc_pivot *pivot, double t, double state[6]);
bool pc_pivot_moves(const pc_pivot *pivot);

/* Directions and joint positions; pivot: position of the pivot. */
void pc_chain_place(const pc_chain *chain, const double pivot[2], const double *q, pc_chain_node *nodes);

/* Clear the external forces; or set them to what gravity, joints and torques do. The latter returns < 0 to stop. */
void pc_chain_unload(const pc_chain *chain, pc_chain_force *forces);
int pc_chain_load(const pc_chain *chain, const pc_chain_node *nodes, double t, const double *q, const double *u,
                  double gravity, pc_chain_force *forces);

/* Torques on link i by what its row describes: from the ground, and in the joint above it (its opposite acts on the
 * link above). */
void pc_joint_torques(const pc_chain *chain, int i, double t, const double *q, const double *u, double *ground,
                      double *inner);

/* Add a force on link k at the point (x, y), and a torque. */
void pc_chain_push(const pc_chain_node *nodes, int k, double x, double y, double fx, double fy, pc_chain_force *forces);

/* The part of the solution that depends on the configuration alone. */
void pc_chain_factor(const pc_chain *chain, pc_chain_node *nodes);

/* Angular accelerations of a factored chain for the external forces, an acceleration of the pivot, and rates u (NULL:
 * at rest); with impulses for forces and u == NULL, the jumps of the rates. Joint reactions are left in the forces. */
void pc_chain_solve(const pc_chain *chain, const pc_chain_node *nodes, const double acceleration[2], const double *u,
                    pc_chain_force *forces, double *a);

/* Energies, J, of a placed chain. Potential: of gravity above y = 0 and of the joint springs. */
double pc_chain_kinetic(const pc_chain *chain, const pc_chain_node *nodes, const double velocity[2], const double *u);
double pc_chain_potential(const pc_chain *chain, const pc_chain_node *nodes, const double *q, double gravity);

/* Power of the joints' damping (<= 0) and of the torques, W. Returns < 0 to stop. */
int pc_chain_power(const pc_chain *chain, double t, const double *q, const double *u, double *damping, double *torque);

#endif
