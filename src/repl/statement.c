/* A statement at the prompt: see prompt.h. */
#include "base/alloc.h"
#include "base/status.h"
#include "bind/core/bind.h"
#include "chart/media/media.h"
#include "repl/prompt.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines typed by a person, piped in, or pasted: see prompt.h.
 *
 * A paste reaches the editor as one text with newlines in it; it is handed out line by line, so that it means what it
 * would have meant if typed.
 */

/* Invariant: `next` points into `text`, at what has not been handed out, or is NULL when nothing is left. */
static struct {
    bool edited;
    char *text;
    char *next;
    size_t capacity; /* of `text`, as getline wants it */
} input;

static bool has_cursor(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void pc_line_open(lua_State *L)
{
    input.edited = has_cursor() && pc_editor_open(L);
}

/* The signal handler makes getline return; the terminal has dropped its unfinished line by itself. */
static pc_line read_plain(const char *prompt, const char **text, size_t *length)
{
    fputs(prompt, stdout);
    fflush(stdout);
    ssize_t n = pc_interrupted() ? -1 : getline(&input.text, &input.capacity, stdin);
    if (n < 0) {
        clearerr(stdin);
        if (!pc_interrupted()) return PC_LINE_END;
        putchar('\n');
        return PC_LINE_INTERRUPTED;
    }
    if (n > 0 && input.text[n - 1] == '\n') input.text[--n] = '\0';
    *text = input.text;
    *length = (size_t)n;
    return PC_LINE_TEXT;
}

static pc_line read_edited(const char *prompt, const char **text, size_t *length)
{
    if (!input.next) {
        free(input.text);
        input.text = NULL;
        char typed[256];
        pc_editor_type(typed, pc_terminal_typed(typed, sizeof typed));
        pc_line status = pc_editor_read(prompt, &input.text);
        if (status != PC_LINE_TEXT) return status;
        input.next = input.text;
    }
    *text = input.next;
    *length = strcspn(input.next, "\n");
    char *end = input.next + *length;
    input.next = *end ? end + 1 : NULL;
    *end = '\0';
    return PC_LINE_TEXT;
}

pc_line pc_line_read(const char *prompt, const char **text, size_t *length)
{
    return input.edited ? read_edited(prompt, text, length) : read_plain(prompt, text, length);
}

void pc_line_discard(void)
{
    input.next = NULL;
}

void pc_line_remember(const char *statement)
{
    if (input.edited) pc_editor_remember(statement);
}

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

void pc_statement_clear(pc_statement *s)
{
    s->n_lines = 0;
}

void pc_statement_add(lua_State *L, pc_statement *s, const char *line, size_t length)
{
    if (s->n_lines++ == 0) {
        s->length = 0;
        s->begin = EXPRESSION;
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

/* What follows a leading word `time`, or NULL. */
static const char *behind_time(const pc_statement *s)
{
    const char *p = s->text + EXPRESSION;
    while (isspace((unsigned char)*p)) p++;
    if (strncmp(p, "time", 4) != 0 || !isspace((unsigned char)p[4])) return NULL;
    return p + 5;
}

/* --- sequences --- */

static const char *step(pc_balance *balance, const char *p, const char *end);

/* A piece of a sequence: from `text` up to the semicolon that ends it or, where `is_last`, to the end of all. */
typedef struct piece {
    const char *text, *end, *comment; /* where its first comment begins; NULL without one */
    bool is_last;
} piece;

static piece piece_at(const char *text, const char *end)
{
    pc_balance balance = {0};
    piece found = {.text = text, .end = end, .is_last = true};
    const char *p = text;
    while (p < end) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        if (!line_end) line_end = end;
        while (p < line_end) {
            bool open = balance.long_level || balance.quote;
            if (!open && *p == ';' && balance.depth == 0) {
                found.end = p;
                found.is_last = false;
                return found;
            }
            if (!open && p[0] == '-' && p[1] == '-' && !found.comment) found.comment = p;
            p = step(&balance, p, line_end);
        }
        if (p < end) p++;
    }
    return found;
}

static bool is_blank(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p)) p++;
    return p == end;
}

/* Whether a piece compiles, by itself or as an expression. */
static bool piece_compiles(lua_State *L, const piece *part, bool as_value, bool *incomplete)
{
    size_t length = (size_t)(part->end - part->text);
    lua_pushstring(L, as_value ? as_expression : "");
    lua_pushlstring(L, part->text, length);
    lua_concat(L, 2);
    const char *text = lua_tolstring(L, -1, &length);
    int status = luaL_loadbufferx(L, text, length, "=stdin", "t");
    static const char mark[] = "<eof>";
    if (status == LUA_ERRSYNTAX && part->is_last) {
        const char *problem = lua_tolstring(L, -1, &length);
        *incomplete = *incomplete || (length >= sizeof mark - 1 && !strstr(problem, "unfinished string near") &&
                                      strcmp(problem + length - sizeof mark + 1, mark) == 0);
    }
    lua_pop(L, 2);
    return status == LUA_OK;
}

/* Add the text from a place of a statement on as a chunk in which expressions are given to a function, or as a script
 * has it, with `show` around them. False if there is no expression, or if something is neither that nor a statement. */
static bool add_pieces(lua_State *L, luaL_Buffer *out, const pc_statement *s, const char *from, bool script,
                       bool *incomplete, int *n_pieces)
{
    const char *start = s->text + s->begin, *end = s->text + s->length;
    int n = 0, n_expressions = 0;
    for (const char *p = from; p < end && !is_blank(p, end); n++) {
        piece part = piece_at(p, end);
        while (part.text < part.end && (*part.text == ' ' || *part.text == '\t')) part.text++;
        bool expression = !is_blank(part.text, part.end) && piece_compiles(L, &part, true, incomplete);
        if (!expression && !piece_compiles(L, &part, false, incomplete)) return false;
        n_expressions += expression;
        p = part.is_last ? end : part.end + 1;
        bool silent = expression && !part.is_last && is_blank(p, end);
        char call[80] = "";
        long long length = part.end - part.text;
        if (script && expression)
            snprintf(call, sizeof call, "%s", silent ? "_ = (" : "show(");
        else if (expression)
            snprintf(call, sizeof call, "(...)(%lld, %lld, ", (long long)(part.text - start),
                     silent ? -length : length);
        luaL_addstring(out, call);
        luaL_addlstring(out, part.text, (size_t)length);
        /* a comment ends with its line */
        if (expression) luaL_addstring(out, part.comment ? "\n)" : ")");
        if (!part.is_last) luaL_addstring(out, "; ");
    }
    *n_pieces = n;
    return n_expressions > 0;
}

/* The whole statement in that way; false if no semicolon divides it. */
static bool add_sequence(lua_State *L, luaL_Buffer *out, const pc_statement *s, bool script, bool *incomplete)
{
    const char *from = s->text + s->begin + s->head;
    int n = 0;
    luaL_addlstring(out, s->text + s->begin, s->head);
    /* what follows must not be taken for arguments of the line before */
    if (s->head > 0) luaL_addchar(out, ';');
    return add_pieces(L, out, s, from, script, incomplete, &n) && (n > 1 || s->head > 0);
}

/* Put the function of a sequence in the place of what is on top of the stack; false, and nothing is done, if the
 * statement is none. */
static bool compile_sequence(lua_State *L, pc_statement *s, bool *incomplete)
{
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    bool is_sequence = add_sequence(L, &out, s, false, incomplete);
    luaL_pushresult(&out);
    if (is_sequence) {
        size_t length;
        const char *text = lua_tolstring(L, -1, &length);
        is_sequence = luaL_loadbufferx(L, text, length, "=stdin", "t") == LUA_OK;
        lua_remove(L, -2);
    }
    if (is_sequence)
        lua_remove(L, -2);
    else
        lua_pop(L, 1);
    return is_sequence;
}

void pc_statement_push_script(lua_State *L, const pc_statement *s)
{
    bool incomplete = false;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    add_sequence(L, &out, s, true, &incomplete);
    luaL_pushresult(&out);
}

/* Compile what is there: an expression, a statement, or a sequence. */
static int compile_untimed(lua_State *L, pc_statement *s, bool *incomplete)
{
    s->is_sequence = false;
    int status = compile_readings(L, s, s->text, s->length, incomplete);
    const char *end = s->text + s->length;
    while (end > s->text + EXPRESSION && isspace((unsigned char)end[-1])) end--;
    s->is_silent = s->is_expression && end[-1] == ';';
    if (s->is_expression || !memchr(s->text, ';', s->length)) return status;
    bool goes_on = false;
    s->is_sequence = compile_sequence(L, s, &goes_on);
    *incomplete = !s->is_sequence && (*incomplete || goes_on);
    return s->is_sequence ? LUA_OK : status;
}

/* `time x` is no Lua, so no program is lost by giving it a meaning: only what does not compile is looked at. */
int pc_statement_compile(lua_State *L, pc_statement *s, bool *incomplete)
{
    static const char word[] = "time", blank[] = "    ";
    s->head = 0;
    s->begin = EXPRESSION;
    s->is_timed = false;
    int status = compile_untimed(L, s, incomplete);
    const char *rest = status == LUA_OK || *incomplete ? NULL : behind_time(s);
    if (!rest) return status;
    s->is_timed = true;
    s->begin = (size_t)(rest - s->text);
    lua_pop(L, 1);
    /* places in the text stay what they are */
    char *timed = s->text + (rest - s->text) - sizeof word;
    memcpy(timed, blank, sizeof word - 1);
    status = compile_untimed(L, s, incomplete);
    memcpy(timed, word, sizeof word - 1);
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
    pc_statement_clear(s);
    while (incomplete) {
        const char *line;
        size_t length;
        pc_editor_after(s->n_lines > 0 ? s->text + EXPRESSION : NULL);
        pc_line got = read_line(L, s->n_lines == 0, &line, &length);
        if (got == PC_LINE_INTERRUPTED || (got == PC_LINE_END && s->n_lines == 0)) return got;
        if (got == PC_LINE_TEXT) pc_statement_add(L, s, line, length);
        lua_settop(L, 0);
        if (got == PC_LINE_TEXT && s->n_lines > EAGER_LINES && !pc_balance_closed(&s->balance)) continue;
        *status = pc_statement_compile(L, s, &incomplete);
        if (got == PC_LINE_END) break;
        if (incomplete) lua_settop(L, 0);
    }
    pc_line_remember(s->text + EXPRESSION);
    return PC_LINE_TEXT;
}

/* True if there is more than space and comments. */
static bool has_code(const char *p, const char *end)
{
    pc_balance balance = {0};
    while (p < end) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        if (!line_end) line_end = end;
        while (p < line_end) {
            const bool comment = line_end - p >= 2 && p[0] == '-' && p[1] == '-';
            if (!balance.long_level && !comment && !isspace((unsigned char)*p)) return true;
            p = step(&balance, p, line_end);
        }
        if (p < end) p++;
    }
    return false;
}

static bool compiles(lua_State *L, const char *text, size_t length)
{
    bool good = luaL_loadbufferx(L, text, length, "=stdin", "t") == LUA_OK;
    lua_pop(L, 1);
    return good;
}

/* Lines of a cell where no block, bracket or string is open, the last ones of them. */
enum { TAILS = 64 };

int pc_statement_compile_cell(lua_State *L, pc_statement *s)
{
    bool incomplete;
    int status = pc_statement_compile(L, s, &incomplete);
    if (s->is_expression || s->is_timed) return status;
    const char *start = s->text + EXPRESSION, *end = s->text + s->length;
    size_t tails[TAILS], n = 0;
    pc_balance balance = {0};
    for (const char *p = start; p < end;) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        if (!line_end) line_end = end;
        if (p > start && pc_balance_closed(&balance)) tails[n++ % TAILS] = (size_t)(p - start);
        pc_balance_add(&balance, p, (size_t)(line_end - p));
        p = line_end < end ? line_end + 1 : end;
    }
    for (size_t tried = 0; tried < TAILS && n > 0; tried++) {
        const size_t head = tails[--n % TAILS];
        if (!has_code(start + head, end)) continue;
        /* what Lua reads as one statement stays one: a call of what stands in the line before */
        if (status == LUA_OK && !s->is_sequence && start[head + strspn(start + head, " \t")] == '(') continue;
        const pc_statement before = *s;
        s->head = head;
        if (compiles(L, start, head) && compile_sequence(L, s, &incomplete)) {
            s->is_sequence = true;
            return LUA_OK;
        }
        *s = before;
        /* a last line that is a statement shows nothing */
        if (status == LUA_OK && compiles(L, start + head, (size_t)(end - start) - head)) break;
    }
    return status;
}

void pc_statement_push_text(lua_State *L, const pc_statement *s)
{
    lua_pushlstring(L, s->text + s->begin, s->length - s->begin);
}

void pc_statement_free(pc_statement *s)
{
    pc_free(s->text);
    *s = (pc_statement){0};
}

/* Whether Lua text may be complete. Follows the lexical rules of the manual of Lua 5.4, section 3.1. */

/* Every block ends with one of the closers. `while` and `for` open theirs by `do`, `elseif` and `else` go on with
 * one. */
static const char *const openers[] = {"do", "function", "if", "repeat", NULL};
static const char *const closers[] = {"end", "until", NULL};

static bool is_among(const char *const *words, const char *word, size_t length)
{
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0) return true;
    return false;
}

/* Level of the long bracket that starts at `p` ('[' or ']' as `bracket`), counted from 1; 0 if there is none. */
static int long_bracket(const char *p, const char *end, char bracket)
{
    const char *q = p + 1;
    if (p >= end || *p != bracket) return 0;
    while (q < end && *q == '=') q++;
    return q < end && *q == bracket ? (int)(q - p) : 0;
}

static const char *skip_long(pc_balance *balance, const char *p, const char *end)
{
    for (; p < end; p++) {
        if (long_bracket(p, end, ']') != balance->long_level) continue;
        p += balance->long_level + 1;
        balance->long_level = 0;
        return p;
    }
    return end;
}

/* An unfinished string ends with its line, unless the newline is escaped or skipped by \z. */
static const char *skip_string(pc_balance *balance, const char *p, const char *end)
{
    char quote = balance->quote;
    for (; p < end; p++) {
        if (*p == quote) {
            balance->quote = 0;
            return p + 1;
        }
        if (*p != '\\') continue;
        bool skips = ++p < end && *p == 'z';
        while (skips && p + 1 < end && isspace((unsigned char)p[1])) p++;
        if (p >= end || (skips && p + 1 == end)) return end;
    }
    balance->quote = 0;
    return end;
}

static const char *skip_word(pc_balance *balance, const char *p, const char *end)
{
    const char *start = p;
    while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
    balance->depth += is_among(openers, start, (size_t)(p - start));
    balance->depth -= is_among(closers, start, (size_t)(p - start));
    return p;
}

/* Read one token; returns where the next one begins. A comment, and a string that goes on, end with the line. */
static const char *step(pc_balance *balance, const char *p, const char *end)
{
    bool comment = end - p >= 2 && p[0] == '-' && p[1] == '-';
    int level = long_bracket(comment ? p + 2 : p, end, '[');
    if (balance->long_level) return skip_long(balance, p, end);
    if (balance->quote) return skip_string(balance, p, end);
    if (level) {
        balance->long_level = level;
        return p + (comment ? 2 : 0) + level + 1;
    }
    if (comment) return end;
    if (*p == '"' || *p == '\'') {
        balance->quote = *p++;
        if (p == end) balance->quote = 0;
        return p;
    }
    if (isalnum((unsigned char)*p) || *p == '_') return skip_word(balance, p, end);
    balance->depth += *p == '(' || *p == '[' || *p == '{';
    balance->depth -= *p == ')' || *p == ']' || *p == '}';
    return p + 1;
}

void pc_balance_add(pc_balance *balance, const char *line, size_t length)
{
    const char *end = line + length;
    while (line < end) line = step(balance, line, end);
}

bool pc_balance_closed(const pc_balance *balance)
{
    return balance->depth <= 0 && !balance->long_level && !balance->quote;
}

/* Its address is the registry key of the traceback kept. */
static const char trace_key = 0;

/* True if a Lua function, other than a chunk's own body and the look-up of names, is on the call stack. */
static bool inside_function(lua_State *L)
{
    lua_Debug frame;
    for (int level = 1; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "S", &frame);
        if (strcmp(frame.source, "=percuss.kernel") == 0) return false; /* what runs the cell */
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
