/* Solvers of differential equations, a method with its settings, and built-in right-hand sides as userdata. */
#ifndef PC_BIND_ODE_SOLVER_H
#define PC_BIND_ODE_SOLVER_H

#include "bind/core/bind.h"
#include "ode/ode.h"

#include <stdalign.h>

typedef struct pc_bound_solver {
    const pc_ode_method *method;
    pc_ode_settings settings;
} pc_bound_solver;

extern const pc_type pc_type_solver;

typedef struct pc_bound_system {
    const pc_ode_system *system;
    alignas(double) unsigned char params[]; /* Lua aligns what it allocates as a double */
} pc_bound_system;

extern const pc_type pc_type_system;

#endif
