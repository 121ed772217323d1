/* Running Lua code for a person: see chunk.h. */
#include "repl/chunk.h"

#include "bind/core/callback.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

/* Its address is the registry key of the traceback kept. */
static const char trace_key = 0;

/* True if a Lua function, other than a chunk's own body and the look-up of names, is on the call stack. */
static bool inside_function(lua_State *L)
{
    lua_Debug frame;
    for (int level = 1; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "S", &frame);
        bool looks_up = strcmp(frame.source, "=percuss.prompt") == 0 || strcmp(frame.source, "=percuss.strict") == 0;
        if (frame.what[0] == 'L' && !looks_up) return true;
    }
    return false;
}

/* True if the text at `index` begins with a line of the library: "percuss.NAME:LINE: ". Sets where that ends. */
static bool begins_in_library(const char *text, const char **rest)
{
    static const char library[] = "percuss.";
    if (strncmp(text, library, sizeof library - 1) != 0) return false;
    const char *p = text + sizeof library - 1;
    while (isalnum((unsigned char)*p) || *p == '_') p++;
    if (*p++ != ':' || !isdigit((unsigned char)*p)) return false;
    while (isdigit((unsigned char)*p)) p++;
    *rest = p + 2;
    return p[0] == ':' && p[1] == ' ';
}

/* An error that the library raises is told with the line that called it: replace the text at index 1. A line at the
 * prompt has left the stack by its tail call, and needs no name. */
static const char *blame_caller(lua_State *L, const char *text)
{
    lua_Debug frame;
    const char *rest;
    if (!begins_in_library(text, &rest)) return text;
    bool found = false;
    for (int level = 1; !found && lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "Sl", &frame);
        found = frame.currentline >= 0 && strncmp(frame.source, "=percuss.", 9) != 0;
    }
    if (found)
        text = lua_pushfstring(L, "%s:%d: %s", frame.short_src, frame.currentline, rest);
    else
        text = lua_pushstring(L, rest);
    lua_replace(L, 1);
    return text;
}

/* Message handler: upvalue 1 is the pc_trace. Error objects that can describe themselves do so without a traceback,
 * as in stock lua, unless they are about the error of a function that percuss called. */
static int describe_error(lua_State *L)
{
    lua_settop(L, 1);
    const char *text = lua_tostring(L, 1);
    bool described = false;
    if (!text) {
        described = luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING;
        text =
            described ? lua_tostring(L, -1) : lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
    }
    if (lua_type(L, 1) == LUA_TSTRING) text = blame_caller(L, text);
    bool from_callback = pc_callback_traceback(L, 1);
    if (described && !from_callback) {
        lua_pop(L, 1);
        return 1;
    }
    if (lua_tointeger(L, lua_upvalueindex(1)) == PC_TRACE_ALWAYS) {
        lua_pushfstring(L, "%s\n%s", text, lua_tostring(L, -1));
        return 1;
    }
    if (from_callback || inside_function(L)) lua_rawsetp(L, LUA_REGISTRYINDEX, &trace_key);
    lua_pushstring(L, text);
    return 1;
}

bool pc_chunk_push_traceback(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &trace_key) == LUA_TSTRING) return true;
    lua_pop(L, 1);
    lua_pushboolean(L, false);
    return false;
}

void pc_chunk_forget_traceback(lua_State *L)
{
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &trace_key);
}

int pc_chunk_call(lua_State *L, int n_args, int n_results, pc_trace trace)
{
    int base = lua_gettop(L) - n_args;
    lua_pushinteger(L, trace);
    lua_pushcclosure(L, describe_error, 1);
    lua_insert(L, base);
    int status = lua_pcall(L, n_args, n_results, base);
    lua_remove(L, base);
    return status;
}

void pc_chunk_print(const char *program, const char *text)
{
    fflush(stdout);
    if (program) fprintf(stderr, "%s: ", program);
    fprintf(stderr, "%s\n", text);
    fflush(stderr);
}

int pc_chunk_report(lua_State *L, int status, const char *program)
{
    if (status != LUA_OK) {
        const char *text = lua_tostring(L, -1);
        pc_chunk_print(program, text ? text : "(error object without text)");
        lua_pop(L, 1);
    }
    return status;
}
