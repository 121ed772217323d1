/* From the core's error record to Lua: see bind.h.
 *
 * Wrong arguments raise a string with the position in the script. Numerical and other failures raise an error
 * object { code, message, time, quantity } that prints as its message. The environment's failures are returned.
 */
#include "bind/bind.h"
#include "bind/callback.h"
#include "bind/interrupt.h"
#include "bind/scripted_law.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int error_tostring(lua_State *L)
{
    lua_getfield(L, 1, "message");
    return 1;
}

/* As luaL_where(L, 1); where one of percuss's own modules called, the place in the script that called the module,
 * perhaps through a function of Lua's library. */
static void push_where(lua_State *L)
{
    lua_Debug at;
    int level = 1;
    for (bool inside = false; lua_getstack(L, level, &at) && lua_getinfo(L, "Sl", &at); level++) {
        bool own = strncmp(at.source, "=percuss.", 9) == 0;
        if (!own && !(inside && at.currentline < 0)) break;
        inside = true;
    }
    luaL_where(L, level);
}

int pc_refuse(lua_State *L, const char *format, ...)
{
    luaL_checkstack(L, 6, NULL);
    push_where(L);
    va_list arguments;
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    lua_concat(L, 2);
    lua_error(L);
    abort(); /* lua_error does not return, but is not declared so */
}

int pc_refuse_text(lua_State *L)
{
    pc_refuse(L, "%s", lua_tostring(L, 1));
}

void pc_error_push(lua_State *L, const pc_error *err)
{
    lua_createtable(L, 0, 4);
    lua_pushstring(L, pc_status_word(err->code));
    lua_setfield(L, -2, "code");
    push_where(L);
    lua_pushstring(L, err->text[0] ? err->text : pc_status_text(err->code));
    lua_concat(L, 2);
    lua_setfield(L, -2, "message");
    if (err->quantity[0]) {
        lua_pushstring(L, err->quantity);
        lua_setfield(L, -2, "quantity");
        if (!isnan(err->time)) {
            lua_pushnumber(L, err->time);
            lua_setfield(L, -2, "time");
        }
    }
    if (luaL_newmetatable(L, "percuss.error")) {
        lua_pushcfunction(L, error_tostring);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
}

int pc_raise(lua_State *L, const pc_error *err)
{
    int scripted = pc_scripted_push_error(L);
    if (scripted == PC_SCRIPTED_THROWN) return pc_callback_raise_value(L);
    if (scripted == PC_SCRIPTED_TOLD) {
        push_where(L);
        lua_insert(L, -2);
        lua_concat(L, 2);
        return lua_error(L);
    }
    if (err->code == PC_E_ARGUMENT || err->code == PC_E_UNSUPPORTED) {
        push_where(L);
        lua_pushstring(L, err->text);
        lua_concat(L, 2);
        return lua_error(L);
    }
    /* there is one object for every interruption, which may carry a partial result already */
    if (err->code == PC_E_INTERRUPTED) return pc_interrupt_raise(L, 0);
    pc_error_push(L, err);
    return lua_error(L);
}

int pc_push_failure(lua_State *L, const pc_error *err)
{
    lua_pushnil(L);
    lua_pushstring(L, err->text);
    lua_pushstring(L, pc_status_word(err->code));
    return 3;
}
