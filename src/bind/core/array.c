/* Arrays as payload of userdata: made, recognised, taken from lists. Their type and all methods are in the room array.
 */
#include "bind/core/array.h"

#include "base/alloc.h"
#include "bind/core/argument.h"

#include <string.h>

pc_array *pc_array_push_unset(lua_State *L, size_t n)
{
    size_t bytes = pc_array_bytes(n);
    if (!bytes) pc_refuse(L, "an array of %I elements is too large", (LUAI_UACINT)n);
    pc_array *a = lua_newuserdatauv(L, bytes, 0);
    a->n = n;
    pc_expect_writes(a, bytes);
    luaL_setmetatable(L, pc_type_array.name);
    return a;
}

pc_array *pc_array_new(lua_State *L, size_t n)
{
    pc_array *a = pc_array_push_unset(L, n);
    memset(a->v, 0, n * sizeof *a->v);
    return a;
}

pc_array *pc_array_check(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_array);
}

pc_array *pc_array_test(lua_State *L, int index)
{
    return pc_type_test(L, index, &pc_type_array);
}

bool pc_array_or_table(lua_State *L, int index)
{
    return lua_istable(L, index) || pc_array_test(L, index);
}

pc_array *pc_array_take(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) return pc_array_check(L, index);
    size_t n = (size_t)lua_rawlen(L, index);
    pc_array *a = pc_array_push_unset(L, n);
    for (size_t i = 0; i < n; i++) {
        pc_array_poll(L, i);
        if (lua_rawgeti(L, index, (lua_Integer)i + 1) != LUA_TNUMBER) {
            pc_argument_error(L, index,
                              lua_pushfstring(L, "must hold numbers: element [%I] must be a number, not a %s",
                                              (LUAI_UACINT)i + 1, luaL_typename(L, -1)));
        }
        a->v[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_replace(L, index);
    return a;
}

pc_array *pc_array_push_copy(lua_State *L, const pc_array *a)
{
    pc_array *copy = pc_array_push_unset(L, a->n);
    memcpy(copy->v, a->v, a->n * sizeof *a->v);
    return copy;
}
