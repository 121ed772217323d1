/* A recorded motion: the polynomials of its steps, one after another.
 *
 * An arc is the dense output of a step up to where it stopped counting, at its end or at an event within it. Arcs are
 * in the order of time, which may run backwards, and join: each begins where the one before stopped. Where something
 * jumped, the state at that time is the last of one arc and the first of the next.
 */
#ifndef PC_ODE_TRAJECTORY_H
#define PC_ODE_TRAJECTORY_H

#include "base/grow.h"
#include "ode/dense.h"

typedef struct pc_arc {
    double t, h, stop;  /* polynomial on t .. t + h, h not 0, valid up to `stop` */
    int n, degree;      /* components of the state, and of their polynomials */
    size_t coefficient; /* the first of n rows of degree + 1 */
} pc_arc;

typedef struct pc_trajectory {
    pc_pool arcs, coefficients; /* pc_arc, double */
} pc_trajectory;

static inline const pc_arc *pc_trajectory_arcs(const pc_trajectory *trajectory, size_t *n)
{
    *n = trajectory->arcs.used;
    return trajectory->arcs.data;
}

/* Add a step up to `stop`. On failure the trajectory is as before. */
pc_status pc_trajectory_append(pc_trajectory *trajectory, const pc_dense *dense, double stop, pc_error *err);

/* The first arc that stops after t, or at t for side < 0; the number of arcs: none does. */
size_t pc_trajectory_find(const pc_trajectory *trajectory, double t, int side);

/* The first n components at a time within the motion; where the state jumps side < 0 gives it before and otherwise
 * after. There are arcs, and the result is the one that told it: beyond the last one, that. */
size_t pc_trajectory_at(const pc_trajectory *trajectory, double t, int side, int n, double *y);

/* The polynomial of an arc; its coefficients are the trajectory's, until something is added. */
pc_dense pc_trajectory_dense(const pc_trajectory *trajectory, size_t arc);

void pc_trajectory_free(pc_trajectory *trajectory);

#endif
