/* Arguments of the functions written in C: a wrong one is told with the function, the argument by the name that its
 * documentation gives it, and what it must be. Functions that are not in the register keep Lua's words.
 */
#ifndef PC_BIND_CORE_ARGUMENT_H
#define PC_BIND_CORE_ARGUMENT_H

#include "bind/core/bind.h"

#include <stdbool.h>

/* As luaL_argerror: raises; int for `return`. `must` completes "restitution: argument 3, speed = -1, ". */
int pc_argument_error(lua_State *L, int index, const char *must);

/* As luaL_typeerror: `expected` is a word of Lua ("number") or the name of a type ("percuss.body"). */
int pc_argument_type_error(lua_State *L, int index, const char *expected);

/* The payload of what stands at `index`, part of an argument; raises "<what> must be a body, not a number". */
void *pc_argument_part(lua_State *L, int index, const pc_type *type, const char *what);

/* As the functions luaL_check*, luaL_opt* and luaL_argcheck. Texts are not numbers and numbers no texts here. */
void pc_argument_check(lua_State *L, bool holds, int index, const char *must);
void pc_argument_any(lua_State *L, int index);
void pc_argument_type(lua_State *L, int index, int type);
double pc_argument_number(lua_State *L, int index);
double pc_argument_number_or(lua_State *L, int index, double otherwise);
lua_Integer pc_argument_integer(lua_State *L, int index);
lua_Integer pc_argument_integer_or(lua_State *L, int index, lua_Integer otherwise);

/* Refuses zero bytes, at which C would cut a name: another file would be written than the one that was meant. */
const char *pc_argument_string(lua_State *L, int index);
const char *pc_argument_string_or(lua_State *L, int index, const char *otherwise);
const char *pc_argument_bytes(lua_State *L, int index, size_t *n);

/* As luaL_checkoption without a default: the place of a word in `words`, which end with NULL. */
int pc_argument_word(lua_State *L, int index, const char *const words[]);

#endif
