/* A statement at the prompt: see statement.h. */
#include "repl/statement.h"

#include "base/alloc.h"
#include "base/grow.h"
#include "repl/editor.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

static const char as_expression[] = "return ";
enum { EXPRESSION = sizeof as_expression - 1 };

/* So many lines are compiled one by one, which shows a mistake as soon as it is typed; after that only when nothing
 * is open. */
enum { EAGER_LINES = 50 };

static void append(lua_State *L, pc_statement *s, const char *text, size_t length)
{
    if (!PC_GROW(s->text, s->capacity, s->length + length + 1)) luaL_error(L, "not enough memory");
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->text[s->length] = '\0';
}

static void add_line(lua_State *L, pc_statement *s, const char *line, size_t length)
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

/* More lines may help if the compiler stumbles over the end of the text; not so in a string that ends with its line. */
static bool is_incomplete(lua_State *L, const pc_statement *s, int status)
{
    static const char mark[] = "<eof>";
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    if (status == LUA_ERRSYNTAX && !s->balance.quote && strstr(text, "unfinished string near")) return false;
    return status == LUA_ERRSYNTAX && length >= sizeof mark - 1 && strcmp(text + length - sizeof mark + 1, mark) == 0;
}

/* Compile `text`, which "return " precedes. Leaves the function or the error text. Text only: junk that looks like
 * precompiled code must not be run. */
static int compile_readings(lua_State *L, pc_statement *s, const char *text, size_t length, bool *incomplete)
{
    int status = luaL_loadbufferx(L, text, length, "=stdin", "t");
    *incomplete = is_incomplete(L, s, status);
    s->is_expression = status == LUA_OK;
    if (status == LUA_OK) return status;
    lua_pop(L, 1);
    status = luaL_loadbufferx(L, text + EXPRESSION, length - EXPRESSION, "=stdin", "t");
    *incomplete = status != LUA_OK && (*incomplete || is_incomplete(L, s, status));
    return status;
}

/* Where the statement behind a leading word `time` begins, or NULL. */
static const char *behind_time(const pc_statement *s)
{
    const char *p = s->text + EXPRESSION;
    while (isspace((unsigned char)*p)) p++;
    if (strncmp(p, "time", 4) != 0 || !isspace((unsigned char)p[4])) return NULL;
    return p + 5;
}

/* `time x` is no Lua, so no program is lost by giving it a meaning: only what does not compile is looked at. */
static int compile(lua_State *L, pc_statement *s, bool *incomplete)
{
    s->is_timed = false;
    int status = compile_readings(L, s, s->text, s->length, incomplete);
    const char *rest = status == LUA_OK || *incomplete ? NULL : behind_time(s);
    if (rest) {
        s->is_timed = true;
        lua_pop(L, 1);
        lua_pushlstring(L, as_expression, EXPRESSION);
        lua_pushlstring(L, rest, s->length - (size_t)(rest - s->text));
        lua_concat(L, 2);
        size_t length;
        const char *text = lua_tolstring(L, -1, &length);
        status = compile_readings(L, s, text, length, incomplete);
        lua_remove(L, -2);
    }
    const char *end = s->text + s->length;
    while (end > s->text + EXPRESSION && isspace((unsigned char)end[-1])) end--;
    s->is_silent = s->is_expression && end[-1] == ';';
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

pc_line pc_statement_read(lua_State *L, pc_statement *s, int *status)
{
    bool incomplete = true;
    s->n_lines = 0;
    while (incomplete) {
        const char *line;
        size_t length;
        pc_editor_after(s->n_lines > 0 ? s->text + EXPRESSION : NULL);
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

void pc_statement_push_text(lua_State *L, const pc_statement *s)
{
    const char *text = s->is_timed ? behind_time(s) : s->text + EXPRESSION;
    lua_pushlstring(L, text, s->length - (size_t)(text - s->text));
}

void pc_statement_free(pc_statement *s)
{
    pc_free(s->text);
    *s = (pc_statement){0};
}
