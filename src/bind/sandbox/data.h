/* Lua values as bytes, for the way between a sandbox and its parent.
 *
 * Data alone: nil, booleans, numbers, strings, tables without metatables, arrays, and figures as tables of what they
 * show. Anything else becomes { opaque = name of its type }. Writing runs no Lua code, and reading trusts nothing:
 * depth, number of values and every length are checked.
 */
#ifndef PC_BIND_SANDBOX_DATA_H
#define PC_BIND_SANDBOX_DATA_H

#include "base/status.h"

#include <lua.h>
#include <stddef.h>

/* Leave the bytes of the value at `index` as a userdata on top of the stack; PC_E_LIMIT, and nothing on the stack, if
 * it is nested too deeply or longer than `most` bytes. */
pc_status pc_sandbox_encode(lua_State *L, int index, size_t most, size_t *n, pc_error *err);

/* Push the value of the bytes; PC_E_ARGUMENT, and nothing on the stack, if they are no value. */
pc_status pc_sandbox_decode(lua_State *L, const unsigned char *bytes, size_t n, pc_error *err);

#endif
