/* pc.array: contiguous doubles inside the userdata. This file makes the type out of its parts; bind_array_make.c
 * creates arrays, _access.c reads and writes elements, _each.c computes element by element, _sum.c and _order.c hold
 * the rest. */
#include "base/alloc.h"
#include "bind/argument.h"
#include "bind/array_parts.h"
#include "bind/register.h"

#include <string.h>

static const pc_function *const methods[] = {
    pc_array_methods_access, pc_array_methods_each,  pc_array_methods_unary,
    pc_array_methods_sum,    pc_array_methods_order, pc_array_methods_csv,
};
enum { N_LISTS = sizeof methods / sizeof *methods };

static const luaL_Reg metamethods[] = {{"__newindex", pc_array_newindex}, {NULL, NULL}};

const pc_type pc_type_array = {
    .name = "percuss.array",
    .summary = "Numbers in one block of memory: a[i] from 1 to #a, arithmetic element by element, a .. b joins, "
               "== compares all. < and <= cannot give an array in Lua: use a:lt(b) and its sisters, which give masks "
               "of 1 and 0.",
    .metamethods = metamethods,
    .describe = pc_array_describe,
};

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
    size_t n = lua_rawlen(L, index);
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

void pc_array_ok(lua_State *L, pc_status status, const pc_error *err)
{
    if (status == PC_OK) return;
    if (status == PC_E_INTERRUPTED) pc_interrupt_raise(L, 0);
    pc_raise(L, err);
}

static const char *nearest_method(const char *name)
{
    enum { MOST = 128 };
    const char *words[MOST];
    int n = 0;
    for (int i = 0; i < N_LISTS; i++)
        for (const pc_function *f = methods[i]; f->name && n < MOST; f++) words[n++] = f->name;
    return pc_nearest(name, words, n);
}

/* Replaces the type's own __index, because a[i] has to be quick: elements first, then names. */
static int array_index(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) return pc_array_element(L);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    const char *name = lua_tostring(L, 2), *near = nearest_method(name);
    if (near) return pc_refuse(L, "an array has no method '%s'; did you mean '%s'?", name, near);
    return pc_refuse(L, "an array has no method '%s'", name);
}

/* Adds the lists of methods to the metatable that pc_type_open has made. */
static void open_methods(lua_State *L)
{
    luaL_getmetatable(L, pc_type_array.name);
    lua_getfield(L, -1, "__names");
    for (int i = 0; i < N_LISTS; i++)
        for (const pc_function *f = methods[i]; f->name; f++) {
            lua_pushcfunction(L, f->call);
            pc_register_function(L, pc_type_array.name, ":", f);
            lua_setfield(L, -2, f->name);
        }
    lua_pushcclosure(L, array_index, 1);
    lua_setfield(L, -2, "__index");
    luaL_setfuncs(L, pc_array_arithmetic, 0);
    lua_pop(L, 1);
}

void pc_open_array(lua_State *L)
{
    pc_type_open(L, &pc_type_array);
    open_methods(L);
    lua_newtable(L);
    pc_functions_open(L, "array", pc_array_functions_make);
    pc_functions_open(L, "array", pc_array_functions_each);
    pc_functions_open(L, "array", pc_array_functions_csv);
    pc_register_callable(L, "", &pc_array_constructor);
    pc_module_strict(L, "array");
    lua_setfield(L, -2, "array");
    pc_functions_open(L, "", pc_array_functions_top);
    pc_functions_open(L, "", pc_array_functions_order);
    pc_array_open_csv(L);
}
