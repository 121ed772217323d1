/* Impacts as userdata. */
#ifndef PC_BIND_BIND_IMPACT_H
#define PC_BIND_BIND_IMPACT_H

#include "bind/bind.h"
#include "motion/collision.h"

/* Payload. User value 1 is the body, 2 the law. */
typedef pc_collision pc_bound_impact;

enum { PC_IMPACT_BODY = 1, PC_IMPACT_LAW, PC_IMPACT_USERVALUES = 2 };

extern const pc_type pc_type_impact;

/* Push { word = true } of each flag (PC_FLAG_*). */
void pc_impact_push_flags(lua_State *L, unsigned flags);

#endif
