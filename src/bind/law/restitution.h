/* Restitution by the speed of approach, in the parameters of laws. */
#ifndef PC_BIND_LAW_RESTITUTION_H
#define PC_BIND_LAW_RESTITUTION_H

#include "bind/law/law.h"

#include <stdbool.h>

extern const pc_type pc_type_restitution;

/* Where the options at `index` have a function for the restitution of a law that takes one, the table is replaced on
 * the stack by a copy that has an object in its place; the caller's table is left alone. */
void pc_restitution_spell(lua_State *L, int index, const pc_schema *schema);

/* After they were read: the law keeps the object that they give, or none if they give a number. */
void pc_restitution_keep(lua_State *L, int index, int law, const pc_schema *schema);

/* Push the restitution that a law is asked for at a speed; nil: none. */
void pc_restitution_push_asked(lua_State *L, const pc_bound_law *law, double speed);

/* Push the options that the object at `index` was made with, and the name of its constructor; false, and nothing is
 * pushed: it is a function. */
bool pc_restitution_push_recipe(lua_State *L, int index, const char **name);

#endif
