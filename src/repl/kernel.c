/* The kernel of notebooks: see prompt.h. */
#include "base/status.h"
#include "bind/core/bind.h"
#include "repl/prompt.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_strict;

/* Interrupts stop a cell and nothing else: what answers a message must end, or its sender waits for ever. */
static volatile sig_atomic_t is_running;

static void on_interrupt(int number)
{
    (void)number;
    if (is_running) pc_interrupt_request();
}

/* core.send(channel, ids, header, parent, metadata, content) */
static int send_message(lua_State *L)
{
    pc_wire_send(L);
    return 0;
}

/* core.parent(header) */
static int set_parent(lua_State *L)
{
    size_t size;
    const char *header = luaL_checklstring(L, 1, &size);
    pc_wire_set_parent(header, size);
    return 0;
}

/* core.execute(code) -> "ok", "error" or "interrupted"; and whether a partial result is in _ */
static int execute(lua_State *L)
{
    size_t size;
    const char *code = luaL_checklstring(L, 1, &size);
    lua_pushvalue(L, 1);
    const int kept = luaL_ref(L, LUA_REGISTRYINDEX); /* the cell's values take the stack */
    is_running = 1;
    const pc_outcome outcome = pc_prompt_cell(L, code, size, is_strict);
    is_running = 0;
    luaL_unref(L, LUA_REGISTRYINDEX, kept);
    const bool partial = pc_prompt_recover(L);
    static const char *const words[] = {"ok", "error", "interrupted"};
    lua_pushstring(L, words[outcome]);
    lua_pushboolean(L, partial);
    return 2;
}

/* core.complete(code) -> "complete", "incomplete" or "invalid" */
static int is_complete(lua_State *L)
{
    size_t size;
    const char *code = luaL_checklstring(L, 1, &size);
    lua_pushstring(L, pc_prompt_is_complete(L, code, size));
    return 1;
}

/* Push a function of the module percuss.kernel. */
static void push_function(lua_State *L, const char *name)
{
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.kernel");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

static int port_at(lua_State *L, int settings, const char *name)
{
    lua_getfield(L, settings, name);
    const int port = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return port;
}

static const char *text_at(lua_State *L, int settings, const char *name)
{
    lua_getfield(L, settings, name); /* stays, so that the text does */
    return lua_tostring(L, -1);
}

/* Protected: the path is the argument. */
static int open_kernel(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"send", send_message}, {"parent", set_parent}, {"execute", execute}, {"complete", is_complete}, {NULL, NULL}};
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss");
    lua_call(L, 1, 0);
    pc_prompt_open(L);
    push_function(L, "settings");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    const int settings = lua_gettop(L);
    const pc_wire_settings set = {
        .transport = text_at(L, settings, "transport"),
        .ip = text_at(L, settings, "ip"),
        .key = text_at(L, settings, "key"),
        .shell = port_at(L, settings, "shell_port"),
        .publish = port_at(L, settings, "iopub_port"),
        .control = port_at(L, settings, "control_port"),
        .input = port_at(L, settings, "stdin_port"),
        .heartbeat = port_at(L, settings, "hb_port"),
    };
    const char *session = text_at(L, settings, "session");
    luaL_newlib(L, functions);
    lua_pushstring(L, session);
    lua_setfield(L, -2, "session");
    push_function(L, "start");
    lua_insert(L, -2);
    lua_call(L, 1, 0);
    setenv("PERCUSS_PROGRESS", "line", 0); /* standard error is no terminal, and yet somebody looks */
    if (!freopen("/dev/null", "r", stdin)) return luaL_error(L, "kernel: cannot open /dev/null");
    pc_error err = {0};
    if (pc_wire_open(&set, session, &err)) {
        lua_pushstring(L, err.text);
        return lua_error(L);
    }
    return 0;
}

/* Whoever started us and said so is gone, and nobody will ever ask for the end. */
static bool is_orphan(void)
{
    return getenv("JPY_PARENT_PID") && getppid() == 1;
}

bool pc_kernel_run(lua_State *L, const char *path, bool strict)
{
    is_strict = strict;
    lua_settop(L, 0);
    lua_pushcfunction(L, open_kernel);
    lua_pushstring(L, path);
    if (pc_chunk_report(L, pc_chunk_call(L, 1, 0, PC_TRACE_KEEP), "percuss") != LUA_OK) return false;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    bool goes_on = true;
    while (goes_on && !is_orphan()) {
        lua_settop(L, 0);
        if (!pc_wire_receive(L)) continue;
        push_function(L, "answer");
        lua_insert(L, 1);
        if (pc_chunk_call(L, 1, 1, PC_TRACE_ALWAYS) == LUA_OK)
            goes_on = lua_toboolean(L, -1);
        else
            pc_chunk_report(L, LUA_ERRRUN, "percuss");
    }
    pc_wire_close();
    return true;
}
