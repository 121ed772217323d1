/* Protected calls of Lua functions from C: see bind.h.
 *
 * When the kept error is raised, the frames of the callback are gone and a message handler further out could no longer
 * see them. Their traceback is therefore taken at the error and remembered in the registry, beside the value it
 * belongs to, until the next error in a callback. The value itself is not touched: what a script throws through a
 * solver, it catches; but where a partial result would be lost with it, what is no table comes within an error object.
 */
#include "base/status.h"
#include "bind/core/bind.h"

#include <lauxlib.h>
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
