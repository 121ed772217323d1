/* What the files of impacts share. */
#ifndef PC_BIND_BIND_IMPACT_PARTS_H
#define PC_BIND_BIND_IMPACT_PARTS_H

#include "bind/bind_body.h"
#include "bind/bind_contact.h"
#include "bind/bind_impact.h"
#include "bind/register.h"

#define PC_IMPACT_EXAMPLE                                                                                              \
    "local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }\n"                                               \
    "local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }\n"             \
    "local hit = percuss.collide(ball, spring, { vt = 1, vn = -1 })\n"

/* bind_impact.c: who strikes by which law, as the core wants it. */
pc_colliding pc_impact_colliding(const pc_bound_body *body, const pc_bound_law *law);

/* bind_impact_fields.c: body and law of the impact at a stack index, which keeps them alive. */
const pc_bound_body *pc_impact_body_of(lua_State *L, int impact);
const pc_bound_law *pc_impact_law_of(lua_State *L, int impact);

/* Push a state as a table: the columns of a trace at one instant. */
void pc_impact_open_records(lua_State *L); /* the types of a trace and of a state */
void pc_impact_push_state(lua_State *L, const pc_state *s, bool spatial);

extern const pc_property pc_impact_properties[]; /* bind_impact_fields.c */
extern const pc_function pc_impact_methods[];    /* bind_impact_trace.c */

#endif
