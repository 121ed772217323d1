/* Arrays as other bindings see them: the payload of math/array.h inside a userdata. */
#ifndef PC_BIND_CORE_ARRAY_H
#define PC_BIND_CORE_ARRAY_H

#include "base/status.h"
#include "bind/core/bind.h"
#include "bind/core/interrupt.h"
#include "math/array.h"

extern const pc_type pc_type_array; /* in the room array, with its methods */

/* A new array of n zeros on top of the stack. */
pc_array *pc_array_new(lua_State *L, size_t n);

/* The array at `index`; an argument error, or NULL for pc_array_test, if it is something else. */
pc_array *pc_array_check(lua_State *L, int index);
pc_array *pc_array_test(lua_State *L, int index);

/* Whether a list of numbers may stand at `index`: a table or an array. */
bool pc_array_or_table(lua_State *L, int index);

/* The array at argument `index`, where a list of numbers is welcome too: it is replaced on the stack by an array. */
pc_array *pc_array_take(lua_State *L, int index);

/* A new array whose elements have no value yet: for results that are written completely, or not handed out. Clearing
 * them first would cost as much as an addition. */
pc_array *pc_array_push_unset(lua_State *L, size_t n);

/* A new array with the elements of a on top of the stack. */
pc_array *pc_array_push_copy(lua_State *L, const pc_array *a);

/* For loops that cost much an element: look at the interrupt flag now and then. */
static inline void pc_array_poll(lua_State *L, size_t i)
{
    if ((i & 0xffff) == 0xffff && pc_interrupted()) pc_interrupt_raise(L, 0);
}

#endif
