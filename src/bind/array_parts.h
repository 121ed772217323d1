/* For the files of the array binding only: the lists of methods they contribute, and what they share. */
#ifndef PC_BIND_ARRAY_PARTS_H
#define PC_BIND_ARRAY_PARTS_H

#include "base/interrupt.h"
#include "bind/bind_array.h"
#include "bind/interrupt.h"

/* Methods by file; each list ends with a NULL name. */
extern const pc_function pc_array_methods_access[]; /* bind_array_access.c */
extern const pc_function pc_array_methods_each[];   /* bind_array_each.c */
extern const pc_function pc_array_methods_unary[];
extern const pc_function pc_array_methods_sum[];   /* bind_array_sum.c */
extern const pc_function pc_array_methods_order[]; /* bind_array_order.c */
extern const pc_function pc_array_methods_csv[];   /* bind_array_csv.c */

/* Functions of the table percuss.array and of percuss itself. */
extern const pc_function pc_array_functions_make[]; /* bind_array_make.c */
extern const pc_function pc_array_functions_top[];
extern const pc_function pc_array_functions_each[];  /* bind_array_each.c */
extern const pc_function pc_array_functions_csv[];   /* bind_array_csv.c */
extern const pc_function pc_array_functions_order[]; /* bind_array_order.c; of percuss itself */

/* The table percuss.csv into percuss, which is on top of the stack. */
void pc_array_open_csv(lua_State *L); /* bind_array_csv.c */

/* pc.array(...) */
extern const pc_function pc_array_constructor;

/* Metamethods. */
extern const luaL_Reg pc_array_arithmetic[]; /* bind_array_each.c */
int pc_array_newindex(lua_State *L);         /* bind_array_access.c */
int pc_array_element(lua_State *L);          /* a[i] and a[mask]; asked for keys that are not strings */
void pc_array_describe(lua_State *L, void *self);

/* Raise the error of a failed status. */
void pc_array_ok(lua_State *L, pc_status status, const pc_error *err);

/* For loops here that cost much an element: look at the interrupt flag now and then. */
static inline void pc_array_poll(lua_State *L, size_t i)
{
    if ((i & 0xffff) == 0xffff && pc_interrupted()) pc_interrupt_raise(L, 0);
}

/* The number or array at `index`; *n becomes its length where it is an array (it starts as SIZE_MAX) and unequal
 * lengths raise an error. */
pc_operand pc_array_operand(lua_State *L, int index, size_t *n);

/* A position 1..most given as argument `index`, or `initial` where the argument is absent; 0-based. */
size_t pc_array_position(lua_State *L, int index, size_t most, lua_Integer initial);

/* New array with the elements of `a` where the mask at `index` is not zero. */
int pc_array_push_where(lua_State *L, const pc_array *a, int index);

/* A new array whose elements have no value yet: for results that are written completely, or not handed out. Clearing
 * them first would cost as much as an addition. */
pc_array *pc_array_push_unset(lua_State *L, size_t n);

/* A new array with the elements of a on top of the stack. */
pc_array *pc_array_push_copy(lua_State *L, const pc_array *a);

/* A count of elements given as argument `index`. */
size_t pc_array_count_argument(lua_State *L, int index);

#endif
