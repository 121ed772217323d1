/* Ctrl-C and Lua: see interrupt.h. */
#include "base/status.h"
#include "bind/core/bind.h"
#include "bind/core/interrupt.h"

#include <lualib.h>
#include <stdatomic.h>
#include <string.h>

/* The state that executes: the main one, or the coroutine resumed last. Lock-free, as a signal handler reads it.
 * Invariant: it is alive, because a resumed coroutine is on the stack of its resumer. */
static _Atomic(lua_State *) running;

/* Its address is the registry key of the error object of the present interruption. */
static const char object_key = 0;

static void set_running(lua_State *L)
{
    atomic_store_explicit(&running, L, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

lua_State *pc_interrupt_enter(lua_State *L)
{
    lua_State *before = atomic_load_explicit(&running, memory_order_relaxed);
    if (before) set_running(L);
    return before;
}

/* A coroutine that was suspended with an armed hook keeps it past the end of the interruption; the hook then takes
 * itself off. */
static void interrupt_hook(lua_State *L, lua_Debug *record)
{
    (void)record;
    if (pc_interrupted()) pc_interrupt_raise(L, 0);
    lua_sethook(L, NULL, 0, 0);
}

static void arm(lua_State *L)
{
    lua_sethook(L, interrupt_hook, LUA_MASKCOUNT, 1);
}

void pc_interrupt_request(void)
{
    pc_interrupt_flag = 1;
    lua_State *L = atomic_load_explicit(&running, memory_order_relaxed);
    if (L) arm(L);
}

/* Push "file:line: " of the innermost function that has a line. From a hook this is level 0, from a C function 1. */
static void push_position(lua_State *L)
{
    lua_Debug record;
    for (int level = 0; lua_getstack(L, level, &record); level++) {
        lua_getinfo(L, "Sl", &record);
        /* the library's own lines tell a user nothing */
        if (record.currentline <= 0 || strncmp(record.short_src, "percuss.", 8) == 0) continue;
        lua_pushfstring(L, "%s:%d: ", record.short_src, record.currentline);
        return;
    }
    lua_pushliteral(L, "");
}

int pc_interrupt_raise(lua_State *L, int partial)
{
    luaL_checkstack(L, 6, NULL);
    if (partial) partial = lua_absindex(L, partial);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &object_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        pc_error err;
        pc_fail(&err, PC_E_INTERRUPTED, "interrupted");
        pc_error_push(L, &err);
        push_position(L);
        lua_pushliteral(L, "interrupted");
        lua_concat(L, 2);
        lua_setfield(L, -2, "message");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &object_key);
    }
    /* the outermost computation raises last and knows most: its partial result replaces an inner one */
    if (partial) {
        lua_pushvalue(L, partial);
        lua_setfield(L, -2, "partial");
    }
    /* a C function that found the flag by itself may be running in a state the signal did not arm */
    arm(L);
    return lua_error(L);
}

void pc_interrupt_clear(lua_State *L)
{
    lua_sethook(L, NULL, 0, 0);
    pc_interrupt_flag = 0;
    luaL_checkstack(L, 2, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &object_key) == LUA_TTABLE)
        lua_getfield(L, -1, "partial");
    else
        lua_pushnil(L);
    lua_remove(L, -2);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &object_key);
}

/* Resume `co` with the `n_args` values on top of `L`. Returns the number of values it handed back, now on top of `L`;
 * or -1 with the error value there. Texts and order as in the stock library. */
static int transfer(lua_State *L, lua_State *co, int n_args)
{
    if (!lua_checkstack(co, n_args)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, co, n_args);
    int n_results = 0;
    set_running(co);
    int status = lua_resume(co, L, n_args, &n_results);
    set_running(L);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(co, L, 1);
        return -1;
    }
    if (!lua_checkstack(L, n_results + 1)) {
        lua_pop(co, n_results);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(co, L, n_results);
    return n_results;
}

/* coroutine.resume */
static int resume(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co, 1, "thread");
    int n_results = transfer(L, co, lua_gettop(L) - 1);
    if (pc_interrupted()) return pc_interrupt_raise(L, 0);
    lua_pushboolean(L, n_results >= 0);
    n_results = n_results >= 0 ? n_results : 1;
    lua_insert(L, -n_results - 1);
    return n_results + 1;
}

/* The function that coroutine.wrap returns: upvalue 1 is the coroutine. */
static int call_wrapped(lua_State *L)
{
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int n_results = transfer(L, co, lua_gettop(L));
    if (n_results >= 0 && !pc_interrupted()) return n_results;

    int status = lua_status(co);
    if (status != LUA_OK && status != LUA_YIELD) {
        /* died of an error: close its pending variables, which may replace the error */
        set_running(co);
        status = lua_resetthread(co);
        set_running(L);
        lua_xmove(co, L, 1);
    }
    if (pc_interrupted()) return pc_interrupt_raise(L, 0);
    if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

/* coroutine.wrap */
static int wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    lua_pushcclosure(L, call_wrapped, 1);
    return 1;
}

void pc_interrupt_open(lua_State *L)
{
    static const luaL_Reg wrappers[] = {{"resume", resume}, {"wrap", wrap}, {NULL, NULL}};
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_COLIBNAME);
    luaL_setfuncs(L, wrappers, 0);
    lua_pop(L, 2);
    set_running(L);
}

void pc_interrupt_close(void)
{
    set_running(NULL);
}
