/* Collocation for motions under springs: see lobatto.c. */
#ifndef PC_ODE_LOBATTO_H
#define PC_ODE_LOBATTO_H

#include "ode/ode.h"

enum { PC_ODE_SPRINGS = 4 };

/* What is stiff in a problem y = (positions, velocities, others), whose positions change at the rates of the
 * velocities: springs and dampers. The deflection x of one changes at the rate row . velocities, and its force
 * stiffness x + damping dx/dt adds column times itself to the rates of the velocities. component: of the others, the
 * state of a spring, which changes at factor dx/dt; < 0: none. No rates depend on what else there is among the others.
 *
 * At each attempt the problem is asked for its springs, then for rates at the points 1, 2, ... 9 of the step, that many
 * times over; and in the end, for each point, for the rates of the others there, where by now the deflections have
 * changed by x[k], and their rates by v[k], since it was asked last. */
typedef struct pc_ode_springs {
    int n;
    double stiffness[PC_ODE_SPRINGS], damping[PC_ODE_SPRINGS], factor[PC_ODE_SPRINGS];
    int component[PC_ODE_SPRINGS];
    double *row, *column; /* of each spring in turn */
} pc_ode_springs;

/* Needs the problem's `springs`, `others` and n_positions. Not among the methods that users choose from. */
extern const pc_ode_method pc_ode_lobatto;

#endif
