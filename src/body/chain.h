/* A planar chain of rigid links hanging from a pivot, or floating, as a system that moves.
 *
 * Coordinates are the absolute angles q of the links, from the downward vertical, anticlockwise positive: a link from
 * its upper to its lower joint has the direction e = (sin q, -cos q) and f = de/dq = (cos q, sin q) in (x, y), y up.
 *
 * The mass matrix is never formed. Because the angles are absolute, the part of the chain below a joint acts on it
 * like a mass that depends on direction, R = M a + b with a the joint's acceleration and R the force that the joint
 * has to bring up; M and b follow from the links below, one after the other. So accelerations, the response to
 * impulses and all joint reactions cost a number of operations proportional to the number of links. Where nothing holds
 * the pivot, R is zero there, which gives its acceleration; its x and y are then coordinates as well, behind the
 * angles.
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

/* How the pivot moves: position x + amplitude sin(frequency t + phase), or a function of the user. One that floats is
 * held by nothing: it begins at x, y with the velocity vx, vy. */
typedef struct pc_pivot {
    double x, y;
    bool floats;
    double vx, vy;
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

/* How many coordinates there are. */
static inline int pc_chain_coordinates(const pc_chain *chain)
{
    return chain->pivot.floats ? chain->n + 2 : chain->n;
}

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

/* Position, velocity and acceleration of a pivot that does not float. Returns 0, or < 0 to stop. */
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
 * at rest); with impulses for forces and u == NULL, the jumps of the rates. Where the pivot floats its own
 * acceleration, or jump, follows them. Joint reactions are left in the forces. */
void pc_chain_solve(const pc_chain *chain, const pc_chain_node *nodes, const double acceleration[2], const double *u,
                    pc_chain_force *forces, double *a);

/* Energies, J, of a placed chain. Potential: of gravity above y = 0 and of the joint springs. */
double pc_chain_kinetic(const pc_chain *chain, const pc_chain_node *nodes, const double velocity[2], const double *u);
double pc_chain_potential(const pc_chain *chain, const pc_chain_node *nodes, const double *q, double gravity);

/* Power of the joints' damping (<= 0) and of the torques, W. Returns < 0 to stop. */
int pc_chain_power(const pc_chain *chain, double t, const double *q, const double *u, double *damping, double *torque);

/* Accelerations of short chains in free flight, straight from the equations of motion
 *
 *     sum_j c_ij cos(q_i - q_j) a_j = s_i g.e'_i - sum_j c_ij sin(q_i - q_j) u_j^2 + torques
 *
 * with e_i the direction of link i, e'_i its derivative, s_i the first moment and c_ij the product of inertia of what
 * the links carry: constants, taken out of the chain once. For up to PC_DIRECT_LINKS links this is several times faster
 * than the recursion of chain.h, but knows no reactions and no forces from outside.
 */

enum { PC_DIRECT_LINKS = 4 };

typedef struct pc_direct pc_direct;
typedef int pc_direct_run(const pc_direct *direct, double t, const double *q, const double *u, double *a);

struct pc_direct {
    const pc_chain *chain;
    pc_direct_run *run; /* for this processor */
    double gravity;
    double s[PC_DIRECT_LINKS], c[PC_DIRECT_LINKS][PC_DIRECT_LINKS]; /* kg m, kg m^2 */
    double first;                                                   /* 1/c_00 */
    double pivot[2];                                                /* where it rests, unless it moves */
    bool joints;                                                    /* some joint has damping, a spring or a torque */
    bool moves;                                                     /* the pivot does */
};

/* False if the chain is too long. `chain` must stay. */
bool pc_direct_open(pc_direct *direct, const pc_chain *chain, double gravity);

/* < 0 where a function of the user asks to stop. */
static inline int pc_direct_accelerate(const pc_direct *direct, double t, const double *q, const double *u, double *a)
{
    return direct->run(direct, t, q, u, a);
}

/* Directions of the links. */
typedef struct pc_direct_place {
    double sine[PC_DIRECT_LINKS], cosine[PC_DIRECT_LINKS];
} pc_direct_place;

/* A circle on a link, with its centre at along e + across e' from the upper joint, before a line through `point` with
 * the unit normal n towards it; t = (n_y, -n_x). `apart`: the radii in the gap, of which that of the circle is
 * `radius`. */
typedef struct pc_direct_contact {
    int link;
    double along, across, radius, apart;
    double n[2], point[2];
} pc_direct_contact;

/* For a chain whose pivot rests and whose joints have no torques: its place; gap and velocity v (t, n) of a contact;
 * add a force (t, n) there to the torques on the links; and accelerations under these. */
void pc_direct_find_place(const pc_direct *direct, const double *q, pc_direct_place *out);
double pc_direct_touch(const pc_direct *direct, const pc_direct_contact *contact, const pc_direct_place *at,
                       const double *u, double v[2]);
void pc_direct_push(const pc_direct *direct, const pc_direct_contact *contact, const pc_direct_place *at,
                    const double force[2], double *torque);
void pc_direct_accelerate_under(const pc_direct *direct, const pc_direct_place *at, const double *u,
                                const double *torque, double *a);

/* For `run`: torques of the joints and of the user on each link. */
int pc_direct_torques(const pc_chain *chain, double t, const double *q, const double *u, double *out);

/* The same arithmetic and bits in the instructions of every processor, and in AVX2, which needs fewer. */
pc_direct_run pc_direct_run_any, pc_direct_run_avx2;

#endif
