/* require "percuss": the table percuss with all its modules.
 *
 * The same function serves the program (preloaded) and percuss.so (stock lua5.4). Modules in C open first, in the
 * order of modules.def; the part of the library written in Lua is embedded in the binary and reached through
 * package.preload, so that `require "percuss.plot"` works without any file.
 */
#include "bind/bind.h"
#include "bind/embedded.h"
#include "bind/register.h"

#include <stdint.h>

/* Loader in package.preload: upvalue 1 is the embedded file. */
static int load_embedded(lua_State *L)
{
    const struct pc_embedded *file = lua_touserdata(L, lua_upvalueindex(1));
    lua_pushfstring(L, "=%s", file->name);
    if (luaL_loadbufferx(L, (const char *)file->data, file->size, lua_tostring(L, -1), "t") != LUA_OK)
        return lua_error(L);
    lua_pushstring(L, file->name);
    lua_call(L, 1, 1);
    return 1;
}

static void preload_embedded(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    for (const struct pc_embedded *file = pc_embedded; file->name; file++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)file);
        lua_pushcclosure(L, load_embedded, 1);
        lua_setfield(L, -2, file->name);
    }
    lua_pop(L, 1);
}

void pc_percuss_preload(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_percuss);
    lua_setfield(L, -2, "percuss");
    lua_pop(L, 1);
    preload_embedded(L);
}

int luaopen_percuss(lua_State *L)
{
    luaL_checkversion(L);
    lua_newtable(L);
    /* modules may ask for each other and for the table itself while they open */
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "percuss");
    lua_pushcfunction(L, pc_refuse_text);
    lua_setfield(L, -2, "percuss.refuse");
    lua_pushcfunction(L, pc_record_define);
    lua_setfield(L, -2, "percuss.record_type");
    lua_pop(L, 1);
#define PC_MODULE(name) pc_open_##name(L);
#include "bind/modules.def"
#undef PC_MODULE
    preload_embedded(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.init");
    lua_call(L, 1, 0);
    pc_module_strict(L, "percuss");
    return 1;
}
