/* Functions, constants and constructors into their module tables: see bind.h. */
#include "bind/bind.h"
#include "bind/register.h"

#include <stdint.h>
#include <string.h>

void pc_functions_open(lua_State *L, const char *path, const pc_function *functions)
{
    for (const pc_function *f = functions; f->name; f++) {
        lua_pushcfunction(L, f->call);
        pc_register_function(L, path, ".", f);
        lua_setfield(L, -2, f->name);
    }
}

void pc_constant_open(lua_State *L, const char *path, const char *name, double value, const char *unit, const char *doc)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
    pc_register_constant(L, path, name, value, unit, doc);
}

void pc_constructor_open(lua_State *L, const pc_schema *schema, lua_CFunction call, const void *context)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)context);
    lua_pushcclosure(L, call, 1);
    pc_register_schema(L, schema);
    const char *dot = strrchr(schema->name, '.');
    lua_setfield(L, -2, dot ? dot + 1 : schema->name);
}
