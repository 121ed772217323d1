/* Completion under Tab: see complete.h. Readline finds the word before the cursor, the module percuss.complete the
 * candidates for it; here one is handed to the other. */
#include "repl/complete.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <readline/readline.h>

static lua_State *state;
static const char *earlier_lines;

/* Its address is the registry key of the function that finds candidates. */
static const char candidates_key = 0;

/* Words end at these; the backslash belongs to \mu, and a dot or colon to a path. In a string only its quote ends them,
 * so that names of files stay whole. */
static char break_characters[] = " \t\n\"'><=;+-*/%^~#{}()[],&|";
static char string_breaks[] = "\"'";

/* True if the cursor is in a string that began in this line. */
static bool in_string(void)
{
    char quote = 0;
    for (int i = 0; i < rl_point; i++) {
        char c = rl_line_buffer[i];
        if (quote && c == '\\')
            i++;
        else if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '-' && rl_line_buffer[i + 1] == '-')
            return false;
    }
    return quote != 0;
}

static char *choose_breaks(void)
{
    return in_string() ? string_breaks : break_characters;
}

/* Readline's list of matches: the longest common prefix at 0, the candidates, NULL; all of it from malloc, as readline
 * frees it. NULL if there is no memory. */
static char **make_matches(lua_State *L, int list)
{
    size_t n = (size_t)lua_rawlen(L, list), common = 0;
    char **matches = calloc(n + 2, sizeof *matches);
    for (size_t i = 1; matches && i <= n; i++) {
        lua_rawgeti(L, list, (lua_Integer)i);
        matches[i] = strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
        if (!matches[i]) break;
        size_t same = 0;
        while (i > 1 && same < common && matches[1][same] == matches[i][same]) same++;
        common = i > 1 ? same : strlen(matches[1]);
    }
    if (matches && matches[n]) matches[0] = strndup(matches[1], common);
    if (matches && matches[0]) return matches;
    for (size_t i = 1; matches && i <= n; i++) free(matches[i]);
    free(matches);
    return NULL;
}

/* Push the answer of percuss.complete for the word that begins at `start`: a list, or nil for the name of a file. */
static bool push_candidates(lua_State *L, const char *word, int start, bool string)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &candidates_key) != LUA_TFUNCTION) return false;
    lua_pushstring(L, earlier_lines ? earlier_lines : "");
    lua_pushstring(L, earlier_lines ? "\n" : "");
    lua_pushlstring(L, rl_line_buffer, (size_t)start);
    lua_concat(L, 3);
    lua_pushstring(L, word);
    lua_pushboolean(L, string);
    return lua_pcall(L, 3, 1, 0) == LUA_OK;
}

static char **complete(const char *word, int start, int end)
{
    (void)end;
    lua_State *L = state;
    bool string = in_string();
    char **matches = NULL;
    rl_completion_append_character = '\0';
    rl_attempted_completion_over = 1;
    if (!lua_checkstack(L, LUA_MINSTACK)) return NULL;
    int top = lua_gettop(L);
    bool found = push_candidates(L, word, start, string);
    if (found && lua_istable(L, -1) && lua_rawlen(L, -1) > 0)
        matches = make_matches(L, lua_gettop(L));
    else if (found && lua_isnil(L, -1) && string)
        rl_attempted_completion_over = 0; /* readline completes names of files */
    lua_settop(L, top);
    return matches;
}

static int load_module(lua_State *L)
{
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.complete");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "candidates");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &candidates_key);
    return 0;
}

void pc_complete_open(lua_State *L)
{
    state = L;
    /* a host without percuss has nothing to complete; the prompt has said so already */
    lua_pushcfunction(L, load_module);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1);
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = rl_completer_word_break_characters = break_characters;
    rl_completion_word_break_hook = choose_breaks;
    rl_completer_quote_characters = "";
    rl_basic_quote_characters = ""; /* a string need not end with what Tab wrote */
    rl_ignore_completion_duplicates = 1;
}

void pc_complete_after(const char *lines)
{
    earlier_lines = lines;
}
