/* Impacts as userdata. */
#ifndef PC_BIND_LAW_IMPACT_H
#define PC_BIND_LAW_IMPACT_H

#include "bind/core/bind.h"
#include "bind/core/register.h"
#include "bind/law/body.h"
#include "bind/law/contact.h"
#include "motion/collision.h"

/* Payload. User value 1 is the body, 2 the law. */
typedef pc_collision pc_bound_impact;

enum { PC_IMPACT_BODY = 1, PC_IMPACT_LAW, PC_IMPACT_USERVALUES = 2 };

extern const pc_type pc_type_impact;

/* Push { word = true } of each flag (PC_FLAG_*). */
void pc_impact_push_flags(lua_State *L, unsigned flags);

#define PC_IMPACT_EXAMPLE                                                                                              \
    "local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }\n"                                               \
    "local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }\n"             \
    "local hit = percuss.collide(ball, spring, { vt = 1, vn = -1 })\n"

/* Who strikes by which law, as the core wants it. */
pc_colliding pc_impact_colliding(const pc_bound_body *body, const pc_bound_law *law);

/* Body and law of the impact at a stack index, which keeps them alive. */
const pc_bound_body *pc_impact_body_of(lua_State *L, int impact);
const pc_bound_law *pc_impact_law_of(lua_State *L, int impact);

/* Push a state as a table: the columns of a trace at one instant. */
void pc_impact_open_records(lua_State *L); /* the types of a trace and of a state */
void pc_impact_push_state(lua_State *L, const pc_state *s, bool spatial);

extern const pc_property pc_impact_properties[]; /* impact.c */
extern const pc_function pc_impact_methods[];    /* impact_trace.c */

#endif
