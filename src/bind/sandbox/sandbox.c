/* percuss.sandbox: text that nobody vouches for runs in a process of its own, which can do nothing but compute.
 *
 * The parent starts the program percuss again (child.c), sends requests and gets data back. Nothing here waits
 * except percuss.sandbox.wait, so that one script can keep many sandboxes busy.
 */
#include "base/status.h"
#include "bind/core/bind.h"
#include "bind/sandbox/sandbox.h"
#include "sandbox/sandbox.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sandbox_options {
    double memory, instructions, processor, reply;
    int seed;
} sandbox_options;

typedef struct bound_sandbox {
    pc_process *process; /* NULL: not started, or closed */
} bound_sandbox;

static const double MIB = 1048576;

#define EXAMPLE                                                                                                        \
    "local box = percuss.sandbox.open{ memory = 64 }\n"                                                                \
    "local function answer()\n"                                                                                        \
    "    local reply, code\n"                                                                                          \
    "    repeat\n"                                                                                                     \
    "        percuss.sandbox.wait({ box }, 10)\n"                                                                      \
    "        reply, code = box:take()\n"                                                                               \
    "    until code ~= \"wait\"\n"                                                                                     \
    "    return reply\n"                                                                                               \
    "end\n"                                                                                                            \
    "print(answer().seccomp ~= nil)\n"                                                                                 \
    "box:post({ \"load\", \"=work\", \"local work = ... work.g = 9.81\", {} }, 5)\n"                                   \
    "print(answer().ok)\n"                                                                                             \
    "box:post({ \"get\", \"g\" }, 5)\n"                                                                                \
    "print(answer().values[1])\n"                                                                                      \
    "box:close()\n"                                                                                                    \
    "--> true\n--> true\n--> 9.81"

/* --- what can be set --- */

static const pc_row rows[] = {
    PC_ROW(sandbox_options, memory, "memory", .initial = 256, .allowed = {16, 65536, false, false},
           .doc = "memory for Lua's values, in MiB; the solvers may take as much again"),
    PC_ROW(sandbox_options, instructions, "instructions", .initial = 1e9, .allowed = {1e3, 1e15, false, false},
           .doc = "instructions of Lua for each request"),
    PC_ROW(sandbox_options, processor, "processor", .unit = PC_UNIT_S, .initial = 600,
           .allowed = {1, 1e6, false, false}, .doc = "processor time of the whole process"),
    PC_ROW(sandbox_options, reply, "reply", .initial = 8, .allowed = {0.0009765625, 1024, false, false},
           .doc = "longest reply, in MiB"),
    PC_ROW(sandbox_options, seed, "seed", .initial = 1, .allowed = PC_ANY,
           .doc = "seed of math.random, set anew for each request"),
};

static const pc_schema schema = {
    .name = "sandbox.open",
    .summary = "Start a Lua with percuss in a process that can open no file, start no process and reach no network.",
    .details = "Its first message is { seccomp =, landlock = }: which walls of the kernel stand; or { refused = why }\n"
               "where limits cannot be set, and the process ends. Requests are\n"
               "{ \"load\", name, text, work }, { \"get\", name } and { \"call\", name, { arguments, ... } }.",
    .source = "Linux manual pages seccomp(2), landlock(7), setrlimit(2)",
    .example = EXAMPLE,
    PC_ROWS(rows),
    .size = sizeof(sandbox_options),
};

/* --- life and death --- */

static const pc_type pc_type_sandbox;

/* Text of a whole number for the command line. */
static char *whole(double x, char text[24])
{
    snprintf(text, 24, "%lld", (long long)x);
    return text;
}

static pc_status start(bound_sandbox *self, const sandbox_options *o, pc_error *err)
{
    char memory[24], instructions[24], processor[24], reply[24], seed[24];
    char option[] = PC_SANDBOX_OPTION, name[] = "percuss";
    char *argv[] = {name,
                    option,
                    whole(o->memory * MIB, memory),
                    whole(o->instructions, instructions),
                    whole(o->processor, processor),
                    whole(o->reply * MIB, reply),
                    whole(o->seed, seed),
                    NULL};
    /* the loader may need a path of the parent; the leak check would need what a confined process lacks */
    char leaks[] = "ASAN_OPTIONS=detect_leaks=0", jobs[] = "PERCUSS_JOBS=1";
    char path[4096] = "LD_LIBRARY_PATH=";
    const char *libraries = getenv("LD_LIBRARY_PATH");
    if (libraries && strlen(libraries) < sizeof path - strlen(path)) strcat(path, libraries);
    char *environment[] = {leaks, jobs, libraries ? path : NULL, NULL};
    return pc_process_start(&self->process, "/proc/self/exe", argv, environment, (size_t)(o->reply * MIB) + 65536, err);
}

static int sandbox_open(lua_State *L)
{
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    bound_sandbox *self = pc_type_new(L, &pc_type_sandbox, sizeof *self, 0);
    sandbox_options *options = lua_newuserdatauv(L, sizeof *options, 0);
    pc_options_read(L, 1, &schema, options);
    pc_error err = {0};
    if (start(self, options, &err)) return pc_push_failure(L, &err);
    pc_process_allow(self->process, 30);
    lua_pushvalue(L, 2);
    return 1;
}

static void sandbox_free(void *payload)
{
    bound_sandbox *self = payload;
    pc_process_free(self->process);
    self->process = NULL;
}

static pc_process *check_process(lua_State *L, int index)
{
    bound_sandbox *self = pc_type_check(L, index, &pc_type_sandbox);
    if (!self->process) pc_refuse(L, "the sandbox was closed");
    return self->process;
}

static int sandbox_close(lua_State *L)
{
    sandbox_free(pc_type_check(L, 1, &pc_type_sandbox));
    return 0;
}

/* --- requests --- */

static int sandbox_post(lua_State *L)
{
    pc_process *process = check_process(L, 1);
    pc_argument_type(L, 2, LUA_TTABLE);
    double seconds = pc_argument_number(L, 3);
    pc_argument_check(L, seconds > 0 && seconds <= 1e6, 3, "must be > 0 s, at most 1e6 s");
    size_t n;
    pc_error err = {0};
    if (pc_sandbox_encode(L, 2, (size_t)1 << 28, &n, &err)) return pc_raise(L, &err);
    if (pc_process_send(process, lua_touserdata(L, -1), n, seconds, &err)) return pc_push_failure(L, &err);
    lua_pushvalue(L, 1);
    return 1;
}

/* nil, code, message */
static int no_reply(lua_State *L, const char *code, const char *message)
{
    lua_pushnil(L);
    lua_pushstring(L, code);
    lua_pushstring(L, message);
    return 3;
}

static int report_end(lua_State *L, const pc_process *process)
{
    int code = 0, signal = 0;
    char text[96];
    pc_process_end(process, &code, &signal);
    if (signal) {
        snprintf(text, sizeof text, "the process ended by signal %d (%.60s)", signal, strsignal(signal));
        return no_reply(L, "ended", text);
    }
    if (code == PC_SANDBOX_INSTRUCTIONS) return no_reply(L, "instructions", "too many instructions");
    if (code == PC_SANDBOX_UNUSABLE) return no_reply(L, "memory", "the process could not go on: not enough memory");
    snprintf(text, sizeof text, "the process ended with code %d", code);
    return no_reply(L, "ended", text);
}

static int sandbox_take(lua_State *L)
{
    pc_process *process = check_process(L, 1);
    const unsigned char *bytes;
    size_t n;
    pc_error err = {0};
    switch (pc_process_receive(process, &bytes, &n)) {
    case PC_REPLY_WAIT: return no_reply(L, "wait", "no answer yet");
    case PC_REPLY_LATE: return no_reply(L, "time", "no answer in the time allowed");
    case PC_REPLY_LONG: return no_reply(L, "output", "the answer is too long");
    case PC_REPLY_ENDED: return report_end(L, process);
    case PC_REPLY_HERE: break;
    }
    if (pc_sandbox_decode(L, bytes, n, &err)) return no_reply(L, "ended", err.text);
    return 1;
}

static int sandbox_wait(lua_State *L)
{
    enum { MOST = 256 };
    pc_process *processes[MOST];
    pc_argument_type(L, 1, LUA_TTABLE);
    double seconds = pc_argument_number(L, 2);
    lua_Integer n = luaL_len(L, 1);
    pc_argument_check(L, n > 0 && n <= MOST, 1, "must have 1 to 256 sandboxes");
    for (lua_Integer i = 0; i < n; i++) {
        char what[48];
        snprintf(what, sizeof what, "sandbox.wait: sandboxes[%d]", (int)i + 1);
        lua_rawgeti(L, 1, i + 1);
        const bound_sandbox *self = pc_argument_part(L, -1, &pc_type_sandbox, what);
        if (!self->process) return pc_refuse(L, "%s is closed", what);
        processes[i] = self->process; /* alive in the list */
        lua_pop(L, 1);
    }
    pc_process_wait(processes, (size_t)n, seconds);
    return pc_interrupted() ? pc_interrupt_raise(L, 0) : 0;
}

/* Call a function. Whatever it raises is handed back; an interruption ends with it, so that its caller can save what
 * there is. */
static int sandbox_attempt(lua_State *L)
{
    pc_argument_type(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    bool ended = lua_pcall(L, 0, 0, 0) == LUA_OK;
    if (pc_interrupted()) {
        pc_interrupt_clear(L);
        return no_reply(L, "interrupted", "interrupted");
    }
    lua_pushboolean(L, ended);
    lua_insert(L, 1);
    return lua_gettop(L);
}

static const pc_row post_params[] = {
    {.name = "request",
     .kind = PC_TABLE,
     .initial = PC_REQUIRED,
     .doc = "data: nil, booleans, numbers, strings, arrays, tables of them"},
    {.name = "seconds",
     .kind = PC_REAL,
     .unit = PC_UNIT_S,
     .initial = PC_REQUIRED,
     .doc = "wall time for the answer; after it the process is killed"},
    {0},
};

static const pc_function methods[] = {
    {"post", sandbox_post, "Send a request.", post_params, "the sandbox; or nil, message, code", NULL, EXAMPLE},
    {"take", sandbox_take, "Take the answer if it is there.", NULL,
     "table: the data that the process sent; or nil, code (wait, time, instructions, memory, output, ended), message",
     NULL, EXAMPLE},
    {"close", sandbox_close, "Kill the process.", NULL, NULL, NULL, EXAMPLE},
    {0},
};

static void sandbox_describe(lua_State *L, void *payload)
{
    const bound_sandbox *self = payload;
    int code, signal;
    bool runs = self->process && !pc_process_end(self->process, &code, &signal);
    lua_pushstring(L, runs ? "sandbox: runs" : "sandbox: ended");
}

static const pc_type pc_type_sandbox = {
    .name = "percuss.sandbox",
    .summary = "A Lua with percuss in a confined process of its own.",
    .methods = methods,
    .free = sandbox_free,
    .describe = sandbox_describe,
};

static const pc_row wait_params[] = {
    {.name = "sandboxes", .kind = PC_TABLE, .initial = PC_REQUIRED, .doc = "list of them"},
    {.name = "seconds", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_REQUIRED, .doc = "longest wait"},
    {0},
};

static const pc_row attempt_params[] = {
    {.name = "f", .kind = PC_FUNCTION, .initial = PC_REQUIRED, .doc = "what is to be done, without arguments"},
    {0},
};

static const pc_function functions[] = {
    {"attempt", sandbox_attempt, "Call a function so that Ctrl-C ends it and nothing else.", attempt_params,
     "true; or false and the error; or nil, \"interrupted\", message", NULL,
     "print(percuss.sandbox.attempt(function() error(\"no\", 0) end))\n--> false\tno"},
    {"wait", sandbox_wait, "Wait until one of the sandboxes has an answer or has run out of time.", wait_params, NULL,
     NULL, EXAMPLE},
    {0},
};

void pc_open_sandbox(lua_State *L)
{
    pc_type_open(L, &pc_type_sandbox);
    lua_newtable(L);
    pc_constructor_open(L, &schema, sandbox_open, NULL);
    pc_functions_open(L, "sandbox", functions);
    pc_module_strict(L, "sandbox");
    lua_setfield(L, -2, "sandbox");
}
