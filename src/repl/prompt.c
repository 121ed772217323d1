/* The interactive prompt: see prompt.h. */
#include "repl/prompt.h"

#include "base/alloc.h"
#include "base/interrupt.h"
#include "bind/interrupt.h"
#include "repl/balance.h"
#include "repl/chunk.h"
#include "repl/line.h"
#include "repl/signals.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A statement as far as it has been read. It is kept behind the word that makes an expression a statement, so that
 * both readings can be compiled without copying. */
static const char as_expression[] = "return ";
enum { EXPRESSION = sizeof as_expression - 1 };

/* So many lines are compiled one by one, which shows a mistake as soon as it is typed; after that only when nothing
 * is open. */
enum { EAGER_LINES = 50 };

typedef struct statement {
    char *text; /* as_expression, the lines with newlines between them, a zero */
    size_t length, capacity;
    int n_lines;
    pc_balance balance;
} statement;

static void append(lua_State *L, statement *s, const char *text, size_t length)
{
    if (s->capacity - s->length <= length) {
        size_t capacity = 2 * (s->length + length) + 80;
        char *bigger = pc_realloc(s->text, capacity, 1);
        if (!bigger) luaL_error(L, "not enough memory");
        s->text = bigger;
        s->capacity = capacity;
    }
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->text[s->length] = '\0';
}

static void add_line(lua_State *L, statement *s, const char *line, size_t length)
{
    if (s->n_lines++ == 0) {
        s->length = 0;
        s->balance = (pc_balance){0};
        append(L, s, as_expression, EXPRESSION);
        /* `= x` is how Lua 5.2 and older asked for a value */
        if (length > 0 && line[0] == '=') line++, length--;
    } else {
        append(L, s, "\n", 1);
    }
    append(L, s, line, length);
    pc_balance_add(&s->balance, line, length);
}

/* More lines may help if the compiler stumbles over the end of the text. */
static bool is_incomplete(lua_State *L, int status)
{
    static const char mark[] = "<eof>";
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    return status == LUA_ERRSYNTAX && length >= sizeof mark - 1 && strcmp(text + length - sizeof mark + 1, mark) == 0;
}

/* Compile what has been read, as an expression if that is possible. Leaves the function or the error text. Text only:
 * junk that looks like precompiled code must not be run. */
static int compile(lua_State *L, const statement *s, bool *incomplete)
{
    int status = luaL_loadbufferx(L, s->text, s->length, "=stdin", "t");
    *incomplete = is_incomplete(L, status);
    if (status == LUA_OK) return status;
    lua_pop(L, 1);
    status = luaL_loadbufferx(L, s->text + EXPRESSION, s->length - EXPRESSION, "=stdin", "t");
    *incomplete = status != LUA_OK && (*incomplete || is_incomplete(L, status));
    return status;
}

/* Protected: the arguments are the name of a global and the prompt to use where it is not set. */
static int find_prompt(lua_State *L)
{
    if (lua_getglobal(L, lua_tostring(L, 1)) == LUA_TNIL)
        lua_settop(L, 2);
    else
        luaL_tolstring(L, -1, NULL);
    return 1;
}

static pc_line read_line(lua_State *L, bool first, const char **line, size_t *length)
{
    const char *usual = first ? "> " : ">> ";
    lua_settop(L, 0);
    lua_pushcfunction(L, find_prompt);
    lua_pushstring(L, first ? "_PROMPT" : "_PROMPT2");
    lua_pushstring(L, usual);
    const char *prompt = lua_pcall(L, 2, 1, 0) == LUA_OK ? lua_tostring(L, -1) : usual;
    return pc_line_read(prompt, line, length);
}

/* Read lines until they compile or cannot. With PC_LINE_TEXT, *status tells whether a function or an error text is the
 * only value on the stack. */
static pc_line read_statement(lua_State *L, statement *s, int *status)
{
    bool incomplete = true;
    s->n_lines = 0;
    while (incomplete) {
        const char *line;
        size_t length;
        pc_line got = read_line(L, s->n_lines == 0, &line, &length);
        if (got == PC_LINE_INTERRUPTED || (got == PC_LINE_END && s->n_lines == 0)) return got;
        if (got == PC_LINE_TEXT) add_line(L, s, line, length);
        lua_settop(L, 0);
        if (got == PC_LINE_TEXT && s->n_lines > EAGER_LINES && !pc_balance_closed(&s->balance)) continue;
        *status = compile(L, s, &incomplete);
        if (got == PC_LINE_END) break;
        if (incomplete) lua_settop(L, 0);
    }
    pc_line_remember(s->text + EXPRESSION);
    return PC_LINE_TEXT;
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

/* All values on the stack, by the global `print`, which a script may have replaced. */
static void print_values(lua_State *L)
{
    int n = lua_gettop(L);
    if (n == 0) return;
    luaL_checkstack(L, LUA_MINSTACK, "too many results to print");
    set_last_value(L, 1);
    lua_getglobal(L, "print");
    lua_insert(L, 1);
    if (lua_pcall(L, n, 0, 0) == LUA_OK) return;
    luaL_tolstring(L, -1, NULL);
    lua_pushfstring(L, "error calling 'print' (%s)", lua_tostring(L, -1));
    if (!pc_interrupted()) pc_chunk_print(NULL, lua_tostring(L, -1));
}

/* Run the function on the stack and print what it returns, or its error. Returns true if Ctrl-C came, whatever else
 * came of it. */
static bool run_statement(lua_State *L)
{
    int status = pc_chunk_call(L, 0, LUA_MULTRET, PC_TRACE_FUNCTIONS);
    if (!pc_interrupted()) {
        if (status == LUA_OK)
            print_values(L);
        else
            pc_chunk_report(L, status, NULL);
    }
    lua_settop(L, 0);
    return pc_interrupted();
}

/* Back to the prompt: the rest of a paste is dropped, the partial result is kept. `ran`: a statement was running. */
static void recover(lua_State *L, bool ran)
{
    pc_line_discard();
    pc_interrupt_clear(L);
    bool partial = !lua_isnil(L, -1);
    if (partial) set_last_value(L, -1);
    if (ran) pc_chunk_print(NULL, partial ? "interrupted: what there is so far is in _" : "interrupted");
    lua_settop(L, 0);
}

static int import_names(lua_State *L)
{
    lua_settop(L, 0);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss");
    lua_call(L, 1, 1);
    lua_pushglobaltable(L);
    lua_pushliteral(L, "pc");
    lua_pushvalue(L, 1);
    lua_rawset(L, 2);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        bool is_free = lua_rawget(L, 2) == LUA_TNIL;
        lua_pop(L, 1);
        if (!is_free || lua_type(L, -2) != LUA_TSTRING) continue;
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, 2);
    }
    return 0;
}

void pc_prompt_run(lua_State *L)
{
    lua_settop(L, 0);
    lua_pushcfunction(L, import_names);
    pc_chunk_report(L, pc_chunk_call(L, 0, 0, PC_TRACE_ALWAYS), NULL);
    pc_line_open(L);

    statement s = {0};
    for (;;) {
        int status = LUA_OK;
        pc_signals_reset();
        pc_line got = read_statement(L, &s, &status);
        if (got == PC_LINE_END) break;
        bool interrupted = got == PC_LINE_INTERRUPTED;
        if (got == PC_LINE_TEXT && status == LUA_OK)
            interrupted = run_statement(L);
        else if (got == PC_LINE_TEXT)
            pc_chunk_report(L, status, NULL);
        /* without a person at the other end there is nobody to go on: the program stops as a script does */
        if (interrupted && !isatty(STDIN_FILENO)) break;
        if (interrupted) recover(L, got == PC_LINE_TEXT);
    }
    pc_free(s.text);
    putchar('\n');
    fflush(stdout);
}
