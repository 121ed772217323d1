/* Arrays as other bindings see them: the payload of math/array.h inside a userdata. */
#ifndef PC_BIND_BIND_ARRAY_H
#define PC_BIND_BIND_ARRAY_H

#include "bind/bind.h"
#include "math/array.h"

extern const pc_type pc_type_array;

/* A new array of n zeros on top of the stack. */
pc_array *pc_array_new(lua_State *L, size_t n);

/* The array at `index`; an argument error, or NULL for pc_array_test, if it is something else. */
pc_array *pc_array_check(lua_State *L, int index);
pc_array *pc_array_test(lua_State *L, int index);

/* Whether a list of numbers may stand at `index`: a table or an array. */
bool pc_array_or_table(lua_State *L, int index);

/* The array at argument `index`, where a list of numbers is welcome too: it is replaced on the stack by an array. */
pc_array *pc_array_take(lua_State *L, int index);

#endif
