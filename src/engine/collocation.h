/* Collocation for motions under springs: see collocation.c. */
#ifndef PC_ENGINE_COLLOCATION_H
#define PC_ENGINE_COLLOCATION_H

#include "ode/ode.h"

enum { PC_SPRINGS = 4 };

/* What is stiff in a problem y = (positions, velocities, others), whose positions change at the rates of the
 * velocities: springs and dampers. The deflection x of one changes at the rate row . velocities, and its force
 * stiffness x + damping dx/dt adds column times itself to the rates of the velocities. component: of the others, the
 * state of a spring, which changes at factor dx/dt; < 0: none. No rates depend on what else there is among the others.
 */
typedef struct pc_springs {
    int n;
    double stiffness[PC_SPRINGS], damping[PC_SPRINGS], factor[PC_SPRINGS];
    int component[PC_SPRINGS];
    double *row, *column; /* of each spring in turn */
} pc_springs;

/* At each attempt the problem is asked for its springs, then for rates at the points 1, 2, ... 9 of the step, that many
 * times over; and in the end, for each point, for the rates of the others there, where by now the deflections have
 * changed by x[k], and their rates by v[k], since it was asked last. All functions get the context of `ode`. */
typedef struct pc_spring_problem {
    pc_ode_problem ode; /* with n_positions; its address is that of the whole, which the method finds by it */
    int (*springs)(double t, const double *y, pc_springs *springs, void *context);
    int (*others)(int point, double t, const double *y, const double *x, const double *v, double *dydt, void *context);
} pc_spring_problem;

/* For steppers whose problem is the `ode` of a pc_spring_problem. */
extern const pc_ode_method pc_collocation;

#endif
