/* Right-hand sides that are built in: equations that every work on integrators uses, and the oscillators of a first
 * course. A script gives one as `rhs` and pays no call into Lua.
 */
#ifndef PC_ODE_SYSTEMS_H
#define PC_ODE_SYSTEMS_H

#include "ode/ode.h"

enum { PC_ODE_SYSTEM_SIZE = 4 };

typedef struct pc_ode_system {
    const pc_schema *schema; /* schema->size bytes of parameters: `context` of the functions */
    int n;                   /* components */
    const char *names[PC_ODE_SYSTEM_SIZE];
    double start[PC_ODE_SYSTEM_SIZE]; /* the customary state at the start */
    pc_rhs rhs;
    pc_jacobian jacobian;
    int n_positions; /* see pc_ode_problem */
} pc_ode_system;

/* All in the order of systems.def; none depends on t. */
extern const pc_ode_system *const pc_ode_systems[];
extern const int pc_n_ode_systems;

#endif
