/* Protected calls of Lua functions from C: see callback.h.
 *
 * When the kept error is raised, the frames of the callback are gone and a message handler further out could no longer
 * see them. Their traceback is therefore taken at the error and remembered in the registry, beside the value it
 * belongs to, until the next error in a callback. The value itself is not touched: what a script throws through a
 * solver, it catches; but where a partial result would be lost with it, what is no table comes within an error object.
 */
#include "base/status.h"
#include "bind/core/bind.h"
#include "bind/core/callback.h"
#include "bind/core/interrupt.h"

#include <lauxlib.h>
#include <string.h>

/* Its address is the registry key of the last error in a callback, a table with these elements. */
static const char record_key = 0;
enum { RECORD_VALUE = 1, RECORD_TRACEBACK, RECORD_RAISER };

/* Push the function at a level of the call stack, or nil. */
static void push_function(lua_State *L, int level)
{
    lua_Debug frame;
    if (lua_getstack(L, level, &frame))
        lua_getinfo(L, "f", &frame);
    else
        lua_pushnil(L);
}

/* Two equal strings may come from different places: the remembered traceback counts only while the function that
 * called the solver raises (level 1, seen from the handler). */
bool pc_callback_traceback(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    int top = lua_gettop(L);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &record_key) == LUA_TTABLE) {
        lua_rawgeti(L, -1, RECORD_VALUE);
        lua_rawgeti(L, -2, RECORD_RAISER);
        push_function(L, 1);
        if (!lua_isnil(L, -1) && lua_rawequal(L, -1, -2) && lua_rawequal(L, index, -3)) {
            lua_rawgeti(L, top + 1, RECORD_TRACEBACK);
            lua_replace(L, top + 1);
            lua_settop(L, top + 1);
            return true;
        }
    }
    lua_settop(L, top);
    luaL_traceback(L, L, NULL, 1);
    return false;
}

/* Lua's own words for a yield that cannot be do not say who called whom. */
static void explain_yield(lua_State *L, const char *name)
{
    const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
    if (strcmp(text, "attempt to yield across a C-call boundary") != 0 &&
        strcmp(text, "attempt to yield from outside a coroutine") != 0)
        return;
    luaL_where(L, 2);
    lua_pushfstring(L, "%s must not yield: percuss waits for its result", name);
    lua_concat(L, 2);
    lua_replace(L, 1);
}

/* Message handler of all callbacks: upvalue 1 is the name. */
static int remember_error(lua_State *L)
{
    lua_settop(L, 1);
    if (pc_interrupted()) return 1;
    explain_yield(L, lua_touserdata(L, lua_upvalueindex(1)));
    pc_callback_traceback(L, 1);
    lua_createtable(L, 3, 0);
    lua_insert(L, 2);
    lua_rawseti(L, 2, RECORD_TRACEBACK);
    lua_pushvalue(L, 1);
    lua_rawseti(L, 2, RECORD_VALUE);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &record_key);
    return 1;
}

/* Until there is an error, the slot for it holds the message handler. */
void pc_callback_open(lua_State *L, int index, const char *name, pc_callback *callback)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, LUA_MINSTACK + 3, NULL);
    lua_pushlightuserdata(L, (void *)name);
    lua_pushcclosure(L, remember_error, 1);
    *callback = (pc_callback){.L = L, .function = index, .error = lua_gettop(L), .name = name};
}

static pc_status fail_interrupted(pc_callback *callback, pc_error *err)
{
    return pc_fail(err, PC_E_INTERRUPTED, "interrupted in %s", callback->name);
}

static pc_status fail_kept(pc_callback *callback, pc_error *err)
{
    lua_State *L = callback->L;
    const char *text = lua_type(L, callback->error) == LUA_TSTRING ? lua_tostring(L, callback->error)
                                                                   : luaL_typename(L, callback->error);
    return pc_fail(err, PC_E_CALLBACK, "%s: %s", callback->name, text);
}

pc_status pc_callback_call(pc_callback *callback, int n_args, int n_results, pc_error *err)
{
    lua_State *L = callback->L;
    lua_pushvalue(L, callback->function);
    lua_insert(L, -n_args - 1);
    return pc_callback_run(callback, n_args, n_results, err);
}

pc_status pc_callback_run(pc_callback *callback, int n_args, int n_results, pc_error *err)
{
    lua_State *L = callback->L;
    if (callback->failed) {
        lua_pop(L, n_args + 1);
        return fail_kept(callback, err);
    }
    int status = lua_pcall(L, n_args, n_results, callback->error);
    if (pc_interrupted()) {
        lua_pop(L, status == LUA_OK ? n_results : 1);
        return fail_interrupted(callback, err);
    }
    if (status == LUA_OK) return PC_OK;
    lua_replace(L, callback->error);
    callback->failed = true;
    return fail_kept(callback, err);
}

/* Replace what was thrown, on top of the stack and in the record of the last error, by an error object about it. */
static void wrap_error(lua_State *L)
{
    int thrown = lua_gettop(L);
    pc_error err = {.code = PC_E_CALLBACK};
    pc_error_push(L, &err);
    luaL_tolstring(L, thrown, NULL);
    lua_setfield(L, -2, "message");
    lua_pushvalue(L, thrown);
    lua_setfield(L, -2, "cause");
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &record_key) == LUA_TTABLE) {
        lua_rawgeti(L, -1, RECORD_TRACEBACK);
        lua_setfield(L, -3, "traceback");
        lua_pushvalue(L, -2);
        lua_rawseti(L, -2, RECORD_VALUE);
    }
    lua_pop(L, 1);
    lua_replace(L, thrown);
}

int pc_callback_raise_value_partial(lua_State *L, int partial)
{
    partial = lua_absindex(L, partial);
    luaL_checkstack(L, 6, NULL);
    if (lua_type(L, -1) != LUA_TTABLE) wrap_error(L);
    lua_pushliteral(L, "partial");
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pushliteral(L, "partial");
        lua_pushvalue(L, partial);
        lua_rawset(L, -4);
    }
    lua_pop(L, 1);
    return pc_callback_raise_value(L);
}

int pc_callback_raise_partial(pc_callback *callback, int partial)
{
    if (!callback->failed) return pc_interrupt_raise(callback->L, partial);
    partial = lua_absindex(callback->L, partial);
    lua_pushvalue(callback->L, callback->error);
    return pc_callback_raise_value_partial(callback->L, partial);
}

int pc_callback_raise_value(lua_State *L)
{
    luaL_checkstack(L, 4, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &record_key) == LUA_TTABLE) {
        push_function(L, 0);
        lua_rawseti(L, -2, RECORD_RAISER);
    }
    lua_pop(L, 1);
    return lua_error(L);
}

int pc_callback_raise(pc_callback *callback)
{
    lua_State *L = callback->L;
    if (!callback->failed) return pc_interrupt_raise(L, 0);
    lua_pushvalue(L, callback->error);
    return pc_callback_raise_value(L);
}

/* Their addresses are the keys of what was kept in the registry. */
static const char thrown_key = 0, told_key = 0;

bool pc_failure_waits(lua_State *L)
{
    luaL_checkstack(L, 2, NULL);
    bool waits = lua_rawgetp(L, LUA_REGISTRYINDEX, &thrown_key) != LUA_TNIL;
    waits |= lua_rawgetp(L, LUA_REGISTRYINDEX, &told_key) != LUA_TNIL;
    lua_pop(L, 2);
    return waits;
}

void pc_failure_keep(lua_State *L, int index, pc_failure failure)
{
    index = lua_absindex(L, index);
    if (pc_failure_waits(L)) return;
    lua_pushvalue(L, index);
    lua_rawsetp(L, LUA_REGISTRYINDEX, failure == PC_FAILURE_THROWN ? &thrown_key : &told_key);
}

void pc_failure_clear(lua_State *L)
{
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &thrown_key);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &told_key);
}

pc_failure pc_failure_push(lua_State *L)
{
    luaL_checkstack(L, 3, NULL);
    pc_failure failure = PC_FAILURE_THROWN;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &thrown_key) == LUA_TNIL) {
        lua_pop(L, 1);
        failure = PC_FAILURE_TOLD;
        if (lua_rawgetp(L, LUA_REGISTRYINDEX, &told_key) == LUA_TNIL) {
            lua_pop(L, 1);
            return PC_FAILURE_NONE;
        }
    }
    pc_failure_clear(L);
    return failure;
}
