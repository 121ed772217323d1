/* Motions as userdata: the result of solving differential equations. */
#ifndef PC_BIND_ODE_MOTION_H
#define PC_BIND_ODE_MOTION_H

#include "bind/core/bind.h"
#include "event/solve.h"

/* Owner of the solution. User value 1: list of the names of the components, or nil; 2: list of the events' names. */
typedef struct pc_bound_motion {
    pc_solution solution;
} pc_bound_motion;

enum { PC_MOTION_NAMES = 1, PC_MOTION_EVENTS, PC_MOTION_USERVALUES = 2 };

/* Functions take the components as numbers up to this size, and as a table above. */
enum { PC_MOTION_NUMBERS = 8 };

extern const pc_type pc_type_motion;

#endif
