/* Built-in right-hand sides as userdata. */
#ifndef PC_BIND_BIND_SYSTEM_H
#define PC_BIND_BIND_SYSTEM_H

#include "bind/bind.h"
#include "ode/systems.h"

#include <stdalign.h>

typedef struct pc_bound_system {
    const pc_ode_system *system;
    alignas(16) unsigned char params[];
} pc_bound_system;

extern const pc_type pc_type_system;

#endif
