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

/* For those: torques of the joints and of the user on each link. */
int pc_direct_torques(const pc_chain *chain, double t, const double *q, const double *u, double *out);

/* The same arithmetic and bits in the instructions of every processor, and in AVX2, which needs fewer. */
pc_direct_run pc_direct_run_any, pc_direct_run_avx2;

#endif
