/* The interactive prompt: see prompt.h. What can be said in Lua (names, showing values, the record of the session) is
 * in the module percuss.prompt; here a statement is run. */
#include "repl/prompt.h"

#include "base/status.h"
#include "bind/core/bind.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Its address is the registry key of the module percuss.prompt. */
static const char module_key = 0;

/* Push a function of the module; false, with nothing pushed, if the module could not be loaded. */
static bool push_hook(lua_State *L, const char *name)
{
    luaL_checkstack(L, LUA_MINSTACK, "too many results to print");
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &module_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        return false;
    }
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    return true;
}

static void set_last_value(lua_State *L, int index)
{
    lua_pushvalue(L, index);
    lua_pushglobaltable(L);
    lua_insert(L, -2);
    lua_pushliteral(L, "_");
    lua_insert(L, -2);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* Tell the module how wide the window is now and whether it takes escape sequences. */
static void measure_screen(lua_State *L)
{
    struct winsize window = {0};
    const char *terminal = getenv("TERM");
    bool is_screen = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0;
    if (!push_hook(L, "screen")) return;
    lua_pushinteger(L, is_screen ? window.ws_col : 0);
    lua_pushboolean(L, is_screen && terminal && *terminal && strcmp(terminal, "dumb") != 0);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
}

/* Lines that a text takes in a window of so many columns. */
static int count_lines(const char *text, int columns)
{
    int n = 0, column = 0;
    for (; *text; text++) {
        if (*text == '\n' || ++column > columns) n++, column = 0;
    }
    return n;
}

/* True if the text went through a pager: $PAGER, or less where there is one, which leaves short texts on the screen.
 * While it runs Ctrl-C is its own, and it may end before it has read everything. */
static bool page(const char *text)
{
    struct winsize window = {0};
    const char *pager = getenv("PAGER"), *terminal = getenv("TERM");
    bool is_screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    if (!is_screen || ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row < 2 || window.ws_col < 1)
        return false;
    if (count_lines(text, window.ws_col) < window.ws_row - 1) return false;
    if (pager && (!*pager || strcmp(pager, "cat") == 0)) return false;
    fflush(stdout);
    FILE *pipe =
        popen(pager ? "eval \"$PAGER\"" : "command -v less >/dev/null || exit 127; LESS=${LESS-FRX} exec less", "w");
    if (!pipe) return false;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, broken;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGPIPE, &ignore, &broken);
    fputs(text, pipe);
    int status = pclose(pipe);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGPIPE, &broken, NULL);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

/* prompt.page(text) */
static int show_page(lua_State *L)
{
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    if (!page(text)) fwrite(text, 1, length, stdout);
    return 0;
}

/* All values on the stack above `base`, which the text on top tells the source of. The first stays in `_`, also where a
 * semicolon silences it. */
static void print_values(lua_State *L, int base, bool is_silent)
{
    int n = lua_gettop(L) - base - 1;
    if (n <= 0) return;
    set_last_value(L, base + 1);
    if (is_silent) return;
    measure_screen(L);
    if (!push_hook(L, "print")) return;
    lua_insert(L, base + 1);
    lua_insert(L, base + 2); /* the text goes first */
    if (lua_pcall(L, n + 1, 0, 0) == LUA_OK) return;
    luaL_tolstring(L, -1, NULL);
    lua_pushfstring(L, "error calling 'print' (%s)", lua_tostring(L, -1));
    if (!pc_interrupted()) pc_chunk_print(NULL, lua_tostring(L, -1));
}

/* What a sequence calls with each of its expressions: offset and length in the text, which is the upvalue, and the
 * values. */
static int show_piece(lua_State *L)
{
    size_t whole;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &whole);
    lua_Integer offset = lua_tointeger(L, 1), length = lua_tointeger(L, 2);
    bool is_silent = length < 0;
    if (length < 0) length = -length;
    if (offset >= 0 && (size_t)(offset + length) <= whole) lua_pushlstring(L, text + offset, (size_t)length);
    print_values(L, 2, is_silent);
    return 0;
}

/* Enter the statement in the record; the text of its error, if it had one, is on top of the stack and stays there. */
static void note(lua_State *L, const pc_statement *s, bool failed, int n_values)
{
    const char *kind = !s->is_expression ? (n_values > 0 ? "values" : "statement")
                       : s->is_silent    ? "silent"
                                         : "expression";
    if (!push_hook(L, "note")) return;
    if (s->is_sequence && !failed)
        pc_statement_push_script(L, s);
    else
        pc_statement_push_text(L, s);
    lua_pushstring(L, kind);
    if (failed)
        lua_pushvalue(L, -4);
    else
        lua_pushnil(L);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK) lua_pop(L, 1);
}

/* In a statement of one line the place says nothing: take it off the error text on top of the stack. */
static void remove_place(lua_State *L, const pc_statement *s)
{
    static const char place[] = "stdin:1: ";
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    if (s->n_lines > 1 || !text || strncmp(text, place, sizeof place - 1) != 0) return;
    lua_pushlstring(L, text + sizeof place - 1, length - (sizeof place - 1));
    lua_replace(L, -2);
}

/* The module may know what a statement that is no Lua was meant to be: add that to the error text on the stack. */
static void advise(lua_State *L, const pc_statement *s)
{
    if (!push_hook(L, "advice")) return;
    pc_statement_push_text(L, s);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK || !lua_isstring(L, -1)) {
        lua_pop(L, 1);
        return;
    }
    lua_pushfstring(L, "%s; %s", lua_tostring(L, -2), lua_tostring(L, -1));
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/* Print the error text on the stack as one sentence; the module keeps the traceback. */
static void report(lua_State *L, const pc_statement *s, int status)
{
    static bool has_told;
    remove_place(L, s);
    if (status == LUA_ERRSYNTAX) advise(L, s);
    note(L, s, true, 0);
    if (push_hook(L, "report") && !lua_isnil(L, -1)) {
        lua_pushvalue(L, -2);
        pc_chunk_push_traceback(L);
        if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
        return;
    }
    lua_settop(L, -2); /* no report of its own */
    pc_chunk_report(L, status, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &module_key) == LUA_TTABLE) {
        bool has_trace = pc_chunk_push_traceback(L);
        lua_setfield(L, -2, "last_trace");
        if (has_trace && !has_told) pc_chunk_print(NULL, "  (traceback() shows where this came from)");
        has_told = has_told || has_trace;
    }
    lua_pop(L, 1);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_time(double wall, double cpu)
{
    double unit = wall < 1e-3 ? 1e-6 : wall < 1 ? 1e-3 : 1;
    printf("took %.3g %s (processor %.3g %s)\n", wall / unit,
           unit < 1e-5 ? "us"
           : unit < 1  ? "ms"
                       : "s",
           cpu / unit,
           unit < 1e-5 ? "us"
           : unit < 1  ? "ms"
                       : "s");
}

/* Run the function on the stack and print what it returns, or its error. If Ctrl-C came, this is what came of it,
 * whatever else did. */
static pc_outcome run_statement(lua_State *L, const pc_statement *s, int status)
{
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    pc_chunk_forget_traceback(L);
    if (status == LUA_OK && s->is_sequence) {
        pc_statement_push_text(L, s);
        lua_pushcclosure(L, show_piece, 1);
    }
    if (status == LUA_OK) status = pc_chunk_call(L, s->is_sequence ? 1 : 0, LUA_MULTRET, PC_TRACE_KEEP);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (pc_interrupted()) {
        lua_settop(L, 0);
        lua_pushliteral(L, "interrupted");
        note(L, s, true, 0);
    } else if (status == LUA_OK) {
        note(L, s, false, lua_gettop(L));
        if (lua_gettop(L) > 0) {
            pc_statement_push_text(L, s);
            print_values(L, 0, s->is_silent);
        }
        if (s->is_timed && !pc_interrupted()) print_time(wall, cpu);
    } else {
        report(L, s, status);
    }
    lua_settop(L, 0);
    return pc_interrupted() ? PC_OUTCOME_INTERRUPTED : status == LUA_OK ? PC_OUTCOME_OK : PC_OUTCOME_ERROR;
}

/* Give the function on the stack the names of the prompt: the one upvalue of a chunk is its _ENV. */
static void set_environment(lua_State *L, bool strict)
{
    if (!push_hook(L, "environment")) return;
    lua_pushboolean(L, !strict);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK || !lua_istable(L, -1) || !lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
}

/* Keep the partial result on the stack. `ran`: a statement or a script was running. */
static void keep_partial(lua_State *L, bool ran)
{
    bool partial = !lua_isnil(L, -1);
    if (partial) set_last_value(L, -1);
    if (ran) pc_chunk_print(NULL, partial ? "interrupted: what there is so far is in _" : "interrupted");
    lua_settop(L, 0);
}

/* Back to the prompt: the rest of a paste is dropped, the partial result is kept. */
static void recover(lua_State *L, bool ran)
{
    pc_line_discard();
    pc_interrupt_clear(L);
    keep_partial(L, ran);
}

static int open_module(lua_State *L)
{
    lua_settop(L, 0);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.prompt");
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss");
    lua_call(L, 1, 0);
    lua_call(L, 1, 1);
    lua_pushcfunction(L, show_page);
    lua_setfield(L, -2, "page");
    lua_getfield(L, -1, "import");
    lua_call(L, 0, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &module_key);
    return 0;
}

void pc_prompt_open(lua_State *L)
{
    lua_pushcfunction(L, open_module);
    lua_call(L, 0, 0);
}

/* The statement of a cell, reused for the next. */
static pc_statement cell;

static void read_cell(lua_State *L, const char *code, size_t length)
{
    const char *end = code + length;
    pc_statement_clear(&cell);
    for (const char *p = code; p <= end;) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        if (!line_end) line_end = end;
        pc_statement_add(L, &cell, p, (size_t)(line_end - p));
        p = line_end + 1;
    }
}

pc_outcome pc_prompt_cell(lua_State *L, const char *code, size_t length, bool strict)
{
    read_cell(L, code, length);
    lua_settop(L, 0);
    int status = pc_statement_compile_cell(L, &cell);
    if (status == LUA_OK) set_environment(L, strict);
    pc_outcome outcome = run_statement(L, &cell, status);
    fflush(stdout);
    return outcome;
}

bool pc_prompt_recover(lua_State *L)
{
    pc_interrupt_clear(L);
    bool partial = !lua_isnil(L, -1);
    if (partial) set_last_value(L, -1);
    lua_pop(L, 1);
    return partial;
}

const char *pc_prompt_is_complete(lua_State *L, const char *code, size_t length)
{
    bool incomplete = false;
    read_cell(L, code, length);
    if (pc_statement_compile_cell(L, &cell) == LUA_OK) return "complete";
    pc_statement_compile(L, &cell, &incomplete);
    return incomplete ? "incomplete" : "invalid";
}

void pc_prompt_run(lua_State *L, bool strict)
{
    lua_settop(L, 0);
    bool interrupted_script = pc_interrupted();
    pc_interrupt_clear(L);
    lua_pushcfunction(L, open_module);
    pc_chunk_report(L, pc_chunk_call(L, 0, 0, PC_TRACE_ALWAYS), NULL);
    keep_partial(L, interrupted_script);
    pc_line_open(L);

    pc_statement s = {0};
    for (;;) {
        int status = LUA_OK;
        pc_signals_reset();
        pc_line got = pc_statement_read(L, &s, &status);
        if (got == PC_LINE_END) break;
        bool interrupted = got == PC_LINE_INTERRUPTED;
        if (got == PC_LINE_TEXT) {
            if (status == LUA_OK) set_environment(L, strict);
            interrupted = run_statement(L, &s, status) == PC_OUTCOME_INTERRUPTED;
        }
        /* without a person at the other end there is nobody to go on: the program stops as a script does */
        if (interrupted && !isatty(STDIN_FILENO)) break;
        if (interrupted) recover(L, got == PC_LINE_TEXT);
    }
    pc_statement_free(&s);
    putchar('\n');
    fflush(stdout);
}

static volatile sig_atomic_t n_interrupts;

/* The default action takes over as soon as the handler returns and the signal is no longer blocked, so the third
 * Ctrl-C ends the program as if it had no handler. */
static void on_interrupt(int number)
{
    if (++n_interrupts >= 3) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    pc_interrupt_request();
}

static void do_nothing(int number)
{
    (void)number;
}

void pc_signals_open(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    /* A file that grows beyond `ulimit -f` fails as on a full disk. Handled, not ignored: programs that are started
     * from here have their own way. */
    action.sa_handler = do_nothing;
    action.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &action, NULL);
}

void pc_signals_reset(void)
{
    n_interrupts = 0;
}
