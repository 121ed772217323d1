/* Inside the sandbox: a Lua state with percuss in it that answers the parent's requests, one after the other.
 *
 *     { "load", name, text, work, fields, asks }   run a chunk; it gets the table `work`, whose fields are its answers;
 *                                                  the reply has the types of those that `fields` names
 *     { "get", name }                              the field, or what it returns if it is a function
 *     { "call", name, arguments }                  what the field, a function, returns for each list of arguments
 *
 * A reply: { ok =, values =, n =, kinds =, reason =, message =, output =, cut =, seconds = }. A chunk that is loaded
 * with `asks`, which is no submission, gets a function as well: it sends { asks = list } before the reply and returns
 * what comes back. The libraries that reach outside are not there: io knows a scratch folder in memory alone, of os
 * there are the clock, remove and rename, no debug, no package, and load takes text only.
 */
#include "bind/core/bind.h"
#include "bind/sandbox/sandbox.h"
#include "sandbox/sandbox.h"

#include <lualib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOOK_STEP = 1000, OUTPUT_MOST = 1 << 16, MESSAGE_MOST = 1 << 10, REQUEST_MOST = 1 << 28 };

/* One process holds one sandbox; the hook and the allocator find it here. */
static struct {
    size_t memory, memory_most;
    int64_t spent, instructions; /* for the field that is asked for, in as many requests as it takes */
    size_t reply_most;
    lua_Integer seed;
    bool exceeded; /* the field that is asked for used up its instructions */
    char output[OUTPUT_MOST];
    size_t output_size;
    bool output_cut;
} child;

static const char work_key = 0, seed_key = 0, field_key = 0;

/* ---- limits ---- */

/* Lua's allocator with a ceiling: a request beyond it fails, which Lua turns into the error "not enough memory". */
static void *allocate(void *context, void *block, size_t old, size_t fresh)
{
    (void)context;
    if (!block) old = 0; /* then it says what is allocated */
    if (fresh == 0) {
        free(block);
        child.memory -= old;
        return NULL;
    }
    if (fresh > old && fresh - old > child.memory_most - child.memory) return NULL;
    void *result = realloc(block, fresh);
    if (result) child.memory += fresh - old;
    return result;
}

/* Counts instructions. The first error can be caught; a script that goes on after it loses the whole process, which is
 * as reproducible as the count, and what time limits are not. */
static void count(lua_State *L, lua_Debug *event)
{
    (void)event;
    child.spent += HOOK_STEP;
    if (child.spent <= child.instructions) return;
    child.exceeded = true;
    if (child.spent > child.instructions + child.instructions / 8 + 100 * HOOK_STEP) _exit(PC_SANDBOX_INSTRUCTIONS);
    luaL_error(L, "more than %I instructions", (LUAI_UACINT)child.instructions);
}

/* ---- libraries ---- */

static void print_bytes(const char *text, size_t n)
{
    size_t room = OUTPUT_MOST - child.output_size;
    if (n > room) {
        n = room;
        child.output_cut = true;
    }
    memcpy(child.output + child.output_size, text, n);
    child.output_size += n;
}

static int sandbox_print(lua_State *L)
{
    int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        size_t size;
        const char *text = luaL_tolstring(L, i, &size);
        if (i > 1) print_bytes("\t", 1);
        print_bytes(text, size);
        lua_pop(L, 1);
    }
    print_bytes("\n", 1);
    return 0;
}

/* io.write(...) and file:write(...): upvalue 1 is the index of the first text. Returns the object or nothing. */
static int sandbox_write(lua_State *L)
{
    int first = (int)lua_tointeger(L, lua_upvalueindex(1)), n = lua_gettop(L);
    for (int i = first; i <= n; i++) {
        size_t size;
        const char *text = luaL_checklstring(L, i, &size);
        print_bytes(text, size);
    }
    lua_settop(L, first - 1);
    return first - 1;
}

/* load with its third argument set to "t"; upvalue 1 is the real one. */
static int sandbox_load(lua_State *L)
{
    int n = lua_gettop(L);
    if (n < 3) lua_settop(L, n = 3);
    lua_pushliteral(L, "t");
    lua_replace(L, 3);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, LUA_MULTRET);
    return lua_gettop(L);
}

static int no_variable(lua_State *L)
{
    luaL_checkstring(L, 1);
    lua_pushnil(L);
    return 1;
}

static void open_io(lua_State *L)
{
    pc_sandbox_push_io(L);
    lua_pushinteger(L, 1);
    lua_pushcclosure(L, sandbox_write, 1);
    lua_setfield(L, -2, "write");
    lua_createtable(L, 0, 1);
    lua_pushinteger(L, 2);
    lua_pushcclosure(L, sandbox_write, 1);
    lua_setfield(L, -2, "write");
    lua_setfield(L, -2, "stdout");
    lua_setglobal(L, "io");
}

/* What tells the time stays of os; remove and rename are for the scratch folder. */
static void open_os(lua_State *L)
{
    static const char *const kept[] = {"clock", "date", "difftime", "time"};
    lua_pushcfunction(L, luaopen_os);
    lua_call(L, 0, 1);
    lua_createtable(L, 0, 6);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        lua_getfield(L, -2, kept[i]);
        lua_setfield(L, -2, kept[i]);
    }
    lua_pushcfunction(L, no_variable);
    lua_setfield(L, -2, "getenv");
    lua_pushcfunction(L, pc_sandbox_remove);
    lua_setfield(L, -2, "remove");
    lua_pushcfunction(L, pc_sandbox_rename);
    lua_setfield(L, -2, "rename");
    lua_setglobal(L, "os");
    lua_pop(L, 1);
}

/* `require` finds what is linked in and nothing else; the table package is out of reach. */
static void open_require(lua_State *L)
{
    luaL_requiref(L, LUA_LOADLIBNAME, luaopen_package, 1);
    lua_createtable(L, 1, 0);
    lua_getfield(L, -2, "searchers");
    lua_rawgeti(L, -1, 1);
    lua_rawseti(L, -3, 1);
    lua_pop(L, 1);
    lua_setfield(L, -2, "searchers");
    lua_pop(L, 1);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_pushnil(L);
    lua_setfield(L, -2, LUA_LOADLIBNAME);
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_setglobal(L, LUA_LOADLIBNAME);
}

static void open_libraries(lua_State *L)
{
    static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                         {LUA_STRLIBNAME, luaopen_string},
                                         {LUA_TABLIBNAME, luaopen_table},
                                         {LUA_MATHLIBNAME, luaopen_math},
                                         {LUA_UTF8LIBNAME, luaopen_utf8},
                                         {LUA_COLIBNAME, luaopen_coroutine},
                                         {NULL, NULL}};
    for (const luaL_Reg *library = libraries; library->name; library++) {
        luaL_requiref(L, library->name, library->func, 1);
        lua_pop(L, 1);
    }
    open_io(L);
    open_os(L);
    open_require(L);
    static const char *const removed[] = {"dofile", "loadfile"};
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        lua_pushnil(L);
        lua_setglobal(L, removed[i]);
    }
    lua_getglobal(L, LUA_STRLIBNAME);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_pop(L, 1);
    lua_getglobal(L, "load");
    lua_pushcclosure(L, sandbox_load, 1);
    lua_setglobal(L, "load");
    lua_pushcfunction(L, sandbox_print);
    lua_setglobal(L, "print");
    lua_getglobal(L, LUA_MATHLIBNAME);
    lua_getfield(L, -1, "randomseed");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &seed_key);
    lua_pop(L, 1);
    pc_percuss_preload(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss");
    lua_call(L, 1, 0);
}

/* ---- requests: each in protected mode with the request at index 1; results are values of the reply ---- */

/* The values above index `from` as the list `values` and the number `n` in the reply at index 2. */
static void set_values(lua_State *L, int from)
{
    int n = lua_gettop(L) - from;
    lua_createtable(L, n, 0);
    lua_insert(L, from + 1);
    for (int i = n; i >= 1; i--) lua_rawseti(L, from + 1, i);
    lua_setfield(L, 2, "values");
    lua_pushinteger(L, n);
    lua_setfield(L, 2, "n");
}

/* Push the work table's field that the request names. */
static void push_answer(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &work_key);
    lua_rawgeti(L, 1, 2);
    lua_rawget(L, -2);
    lua_remove(L, -2);
}

static int ask(lua_State *L);

/* What editors and shells put in front of a program is no part of it: a byte order mark, and a first line that begins
 * with #, whose end stays, so that lines keep their numbers. */
static const char *skip_head(const char *text, size_t *n)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *end = text + *n;
    if (*n >= 3 && memcmp(text, mark, 3) == 0) text += 3;
    if (text < end && *text == '#') {
        const char *line = memchr(text, '\n', (size_t)(end - text));
        text = line ? line : end;
    }
    *n = (size_t)(end - text);
    return text;
}

/* Types of the work's fields that `fields` of the request names. */
static void set_kinds(lua_State *L)
{
    lua_newtable(L);
    int kinds = lua_gettop(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &work_key);
    lua_rawgeti(L, 1, 5);
    bool listed = lua_istable(L, -1) && lua_istable(L, -2);
    for (lua_Integer i = 1; listed && lua_rawgeti(L, kinds + 2, i) == LUA_TSTRING; i++) {
        lua_pushvalue(L, -1);
        if (lua_rawget(L, kinds + 1) != LUA_TNIL) {
            lua_pushvalue(L, -2);
            lua_pushstring(L, luaL_typename(L, -2));
            lua_rawset(L, kinds);
        }
        lua_settop(L, kinds + 2);
    }
    lua_settop(L, kinds);
    lua_setfield(L, 2, "kinds");
}

static void request_load(lua_State *L)
{
    size_t size;
    lua_rawgeti(L, 1, 2);
    lua_rawgeti(L, 1, 3);
    lua_rawgeti(L, 1, 4);
    lua_rawgeti(L, 1, 6);
    bool asks = lua_toboolean(L, 6);
    const char *name = luaL_checkstring(L, 3), *text = luaL_checklstring(L, 4, &size);
    lua_pushvalue(L, 5);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &work_key);
    text = skip_head(text, &size);
    if (luaL_loadbufferx(L, text, size, name, "t") != LUA_OK) lua_error(L);
    lua_pushvalue(L, 5);
    if (asks) lua_pushcfunction(L, ask);
    lua_call(L, asks ? 2 : 1, 0);
}

static void request_get(lua_State *L)
{
    push_answer(L);
    if (lua_isfunction(L, 3)) lua_call(L, 0, LUA_MULTRET);
    set_values(L, 2);
}

static void request_call(lua_State *L)
{
    push_answer(L);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    lua_rawgeti(L, 1, 3);
    int n = (int)lua_rawlen(L, 4);
    lua_createtable(L, n, 0);
    for (int i = 1; i <= n; i++) {
        lua_pushvalue(L, 3);
        lua_rawgeti(L, 4, i);
        int list = lua_gettop(L), arguments = (int)lua_rawlen(L, list);
        luaL_checkstack(L, arguments + 1, "too many arguments");
        for (int k = 1; k <= arguments; k++) lua_rawgeti(L, list, k);
        lua_remove(L, list);
        lua_call(L, arguments, 1);
        lua_rawseti(L, 5, i);
    }
    set_values(L, 4);
}

/* The limit of instructions is for a field, and not for each request about it. */
static void count_for(lua_State *L, int field)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &field_key);
    if (!lua_rawequal(L, field, -1)) child.spent = 0;
    lua_pushvalue(L, field);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &field_key);
}

static int answer(lua_State *L)
{
    lua_rawgeti(L, 1, 1);
    const char *verb = luaL_checkstring(L, -1);
    bool loads = strcmp(verb, "load") == 0;
    if (loads)
        lua_pushnil(L);
    else
        lua_rawgeti(L, 1, 2);
    count_for(L, lua_gettop(L));
    lua_rawgetp(L, LUA_REGISTRYINDEX, &seed_key);
    lua_pushinteger(L, child.seed);
    lua_call(L, 1, 0);
    lua_settop(L, 2);
    lua_sethook(L, count, LUA_MASKCOUNT, HOOK_STEP);
    if (loads) {
        request_load(L);
    } else if (strcmp(verb, "get") == 0) {
        request_get(L);
    } else {
        request_call(L);
    }
    return 0;
}

static int error_text(lua_State *L)
{
    luaL_tolstring(L, 1, NULL);
    return 1;
}

/* Replace the error value on top by its text, which a __tostring of the script may write. */
static void push_error_text(lua_State *L)
{
    if (lua_type(L, -1) != LUA_TSTRING) {
        lua_pushcfunction(L, error_text);
        lua_insert(L, -2);
        if (lua_pcall(L, 1, 1, 0) != LUA_OK || lua_type(L, -1) != LUA_TSTRING) {
            lua_pop(L, 1);
            lua_pushliteral(L, "an error without text");
        }
    }
    size_t n;
    const char *text = lua_tolstring(L, -1, &n);
    lua_pushlstring(L, text, n < MESSAGE_MOST ? n : MESSAGE_MOST);
    lua_remove(L, -2);
}

static void set_failure(lua_State *L, int status)
{
    push_error_text(L);
    lua_setfield(L, 2, "message");
    lua_pushstring(L, child.exceeded ? "instructions" : status == LUA_ERRMEM ? "memory" : "error");
    lua_setfield(L, 2, "reason");
}

/* Send the value on top and pop it. A value too long is replaced by the statement of that. */
static void send_value(lua_State *L)
{
    size_t n;
    pc_error err;
    if (pc_sandbox_encode(L, -1, child.reply_most, &n, &err) != PC_OK) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, err.text);
        lua_setfield(L, -2, "message");
        lua_pushliteral(L, "output");
        lua_setfield(L, -2, "reason");
        if (pc_sandbox_encode(L, -1, child.reply_most, &n, &err) != PC_OK) _exit(PC_SANDBOX_UNUSABLE);
        lua_remove(L, -2);
    }
    unsigned char head[PC_PROCESS_HEAD];
    pc_process_head(n, head);
    if (!pc_process_write(PC_PROCESS_FD, head, sizeof head) ||
        !pc_process_write(PC_PROCESS_FD, lua_touserdata(L, -1), n))
        _exit(EXIT_SUCCESS);
    lua_pop(L, 2);
}

/* Push what the parent sends next. */
static void receive(lua_State *L)
{
    unsigned char head[PC_PROCESS_HEAD];
    if (!pc_process_read(PC_PROCESS_FD, head, sizeof head)) _exit(EXIT_SUCCESS);
    size_t n = pc_process_length(head);
    if (n > REQUEST_MOST) _exit(PC_SANDBOX_UNUSABLE);
    unsigned char *bytes = lua_newuserdatauv(L, n, 0);
    if (!pc_process_read(PC_PROCESS_FD, bytes, n)) _exit(EXIT_SUCCESS);
    pc_error err;
    if (pc_sandbox_decode(L, bytes, n, &err) != PC_OK) _exit(PC_SANDBOX_UNUSABLE);
    lua_remove(L, -2);
}

static int ask(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_createtable(L, 0, 1);
    lua_insert(L, 1);
    lua_setfield(L, 1, "asks");
    send_value(L);
    receive(L);
    return 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One request and its reply, in protected mode: only a lack of memory for the reply itself can fail here. */
static int serve(lua_State *L)
{
    receive(L);
    double start = now();
    child.exceeded = child.output_cut = false;
    child.output_size = 0;
    lua_createtable(L, 0, 8);
    lua_pushcfunction(L, answer);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    int status = lua_pcall(L, 2, 0, 0);
    if (status == LUA_OK && child.exceeded) {
        /* it caught the error and ended in time to spare the process; the limit counts all the same */
        lua_pushliteral(L, "too many instructions");
        status = LUA_ERRRUN;
    }
    lua_pushboolean(L, status == LUA_OK);
    lua_setfield(L, 2, "ok");
    if (status != LUA_OK) set_failure(L, status);
    lua_sethook(L, NULL, 0, 0);
    set_kinds(L);
    lua_pushnumber(L, now() - start);
    lua_setfield(L, 2, "seconds");
    lua_pushlstring(L, child.output, child.output_size);
    lua_setfield(L, 2, "output");
    lua_pushboolean(L, child.output_cut);
    lua_setfield(L, 2, "cut");
    lua_settop(L, 2);
    send_value(L);
    return 0;
}

/* The first message where a protection that every machine has to offer is missing; the process ends after it. */
static int refuse(lua_State *L)
{
    const pc_error *err = lua_touserdata(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, err->text);
    lua_setfield(L, -2, "refused");
    send_value(L);
    return 0;
}

static int start(lua_State *L)
{
    const int *walls = lua_touserdata(L, 1);
    open_libraries(L);
    lua_createtable(L, 0, 2);
    lua_pushboolean(L, *walls & PC_WALL_SECCOMP);
    lua_setfield(L, -2, "seccomp");
    lua_pushboolean(L, *walls & PC_WALL_LANDLOCK);
    lua_setfield(L, -2, "landlock");
    send_value(L);
    return 0;
}

int pc_sandbox_child(int argc, char **argv)
{
    if (argc != 7) return PC_SANDBOX_UNUSABLE;
    child.memory_most = (size_t)strtoull(argv[2], NULL, 10);
    child.instructions = strtoll(argv[3], NULL, 10);
    unsigned long processor = strtoul(argv[4], NULL, 10);
    child.reply_most = (size_t)strtoull(argv[5], NULL, 10);
    child.seed = strtoll(argv[6], NULL, 10);

    int walls;
    pc_error err = {0};
    /* the solvers' own memory is not Lua's: as much again, and some for the libraries */
    pc_confinement limits = {2 * child.memory_most + ((size_t)64 << 20), processor};
    pc_confine_descriptors(PC_PROCESS_FD + 1);
    bool confined = pc_confine_lifetime(&err) == PC_OK && pc_confine(&limits, &walls, &err) == PC_OK;
    lua_State *L = lua_newstate(allocate, NULL);
    if (!L) return PC_SANDBOX_UNUSABLE;
    lua_pushcfunction(L, confined ? start : refuse);
    lua_pushlightuserdata(L, confined ? (void *)&walls : (void *)&err);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK || !confined) return PC_SANDBOX_UNUSABLE;
    for (;;) {
        lua_settop(L, 0);
        lua_pushcfunction(L, serve);
        if (lua_pcall(L, 0, 0, 0) != LUA_OK) return PC_SANDBOX_UNUSABLE;
    }
}
