/* Solvers of differential equations as userdata: a method with its settings. */
#ifndef PC_BIND_BIND_SOLVER_H
#define PC_BIND_BIND_SOLVER_H

#include "bind/bind.h"
#include "ode/ode.h"

typedef struct pc_bound_solver {
    const pc_ode_method *method;
    pc_ode_settings settings;
} pc_bound_solver;

extern const pc_type pc_type_solver;

#endif
