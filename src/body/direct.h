/* Accelerations of short chains in free flight, straight from the equations of motion
 *
 *     sum_j c_ij cos(q_i - q_j) a_j = s_i g.e'_i - sum_j c_ij sin(q_i - q_j) u_j^2 + torques
 *
 * with e_i the direction of link i, e'_i its derivative, s_i the first moment and c_ij the product of inertia of what
 * the links carry: constants, taken out of the chain once. For up to PC_DIRECT_LINKS links this is several times faster
 * than the recursion of chain.h, but knows no reactions and no forces from outside.
 */
#ifndef PC_BODY_DIRECT_H
#define PC_BODY_DIRECT_H

#include "body/chain.h"

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
