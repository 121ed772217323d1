/* Completion of Lua names under Tab: see complete.h.
 *
 * The word before the cursor is a path: names joined by `.` or `:`, the last one unfinished. The path is walked from
 * the globals; the last table's keys, and those of its __index tables, are the candidates.
 */
#include "repl/complete.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdio.h>
#include <readline/readline.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static lua_State *state;

static const char *const keywords[] = {"and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
                                       "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
                                       "repeat",   "return", "then", "true", "until",  "while"};

/* Chains of __index longer than this are cut: they may be circular. */
enum { INDEX_CHAIN = 16 };

/* Readline's list of matches: the common prefix at 0, the candidates, NULL; all malloc'ed, as readline frees them. */
typedef struct match_list {
    char **items;
    size_t count, capacity;
} match_list;

static void add_match(match_list *list, const char *path, size_t path_length, const char *name)
{
    if (list->count + 2 > list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        char **items = realloc(list->items, capacity * sizeof *items);
        if (!items) return;
        list->items = items;
        list->capacity = capacity;
        if (list->count == 0) list->items[list->count++] = NULL;
    }
    size_t length = strlen(name);
    char *text = malloc(path_length + length + 1);
    if (!text) return;
    memcpy(text, path, path_length);
    memcpy(text + path_length, name, length + 1);
    list->items[list->count++] = text;
}

static bool is_name(const char *text, size_t length)
{
    if (length == 0 || isdigit((unsigned char)text[0])) return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_') return false;
    return true;
}

/* Replace the value on top of the stack by its __index, if that is a table; else by nil. */
static void step_index(lua_State *L)
{
    if (!lua_getmetatable(L, -1)) {
        lua_pushnil(L);
    } else {
        lua_pushliteral(L, "__index");
        lua_rawget(L, -2);
        lua_remove(L, -2);
        if (!lua_istable(L, -1)) {
            lua_pop(L, 1);
            lua_pushnil(L);
        }
    }
    lua_remove(L, -2);
}

/* Replace the value on top of the stack by its field, looked up raw along the chain of __index tables, or by nil. */
static void step_field(lua_State *L, const char *name, size_t length)
{
    for (int i = 0; i < INDEX_CHAIN && !lua_isnil(L, -1); i++) {
        if (lua_istable(L, -1)) {
            lua_pushlstring(L, name, length);
            lua_rawget(L, -2);
            if (!lua_isnil(L, -1)) {
                lua_remove(L, -2);
                return;
            }
            lua_pop(L, 1);
        }
        step_index(L);
    }
    lua_pop(L, 1);
    lua_pushnil(L);
}

static void add_keys(lua_State *L, match_list *list, const char *path, size_t path_length, bool only_functions)
{
    const char *prefix = path + path_length;
    size_t length = strlen(prefix);
    for (int i = 0; i < INDEX_CHAIN && !lua_isnil(L, -1); i++) {
        if (lua_istable(L, -1)) {
            for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
                if (lua_type(L, -2) != LUA_TSTRING || (only_functions && !lua_isfunction(L, -1))) continue;
                size_t key_length;
                const char *key = lua_tolstring(L, -2, &key_length);
                if (is_name(key, key_length) && strncmp(key, prefix, length) == 0)
                    add_match(list, path, path_length, key);
            }
        }
        step_index(L);
    }
}

/* Protected: arguments are the word and the match_list, as light userdata. */
static int collect(lua_State *L)
{
    const char *word = lua_touserdata(L, 1);
    match_list *list = lua_touserdata(L, 2);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_pushglobaltable(L);
    const char *name = word;
    size_t length = strcspn(name, ".:");
    for (; name[length]; length = strcspn(name, ".:")) {
        if (!is_name(name, length)) return 0;
        step_field(L, name, length);
        name += length + 1;
    }
    size_t path_length = (size_t)(name - word);
    if (*name && !is_name(name, length)) return 0;
    if (path_length == 0)
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
            if (strncmp(keywords[i], name, length) == 0) add_match(list, "", 0, keywords[i]);
    add_keys(L, list, word, path_length, path_length > 0 && word[path_length - 1] == ':');
    return 0;
}

/* Readline wants the longest common prefix first. Sorting and removal of doubles are its own. */
static void add_common_prefix(match_list *list)
{
    size_t length = strlen(list->items[1]);
    for (size_t i = 2; i < list->count; i++) {
        size_t same = 0;
        while (same < length && list->items[i][same] == list->items[1][same]) same++;
        length = same;
    }
    list->items[0] = malloc(length + 1);
    if (!list->items[0]) return;
    memcpy(list->items[0], list->items[1], length);
    list->items[0][length] = '\0';
}

static char **complete(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_attempted_completion_over = 1;
    rl_completion_append_character = '\0';
    match_list list = {NULL, 0, 0};
    lua_State *L = state;
    if (!lua_checkstack(L, 4)) return NULL;
    lua_pushcfunction(L, collect);
    lua_pushlightuserdata(L, (void *)word);
    lua_pushlightuserdata(L, &list);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
    if (list.count < 2) {
        free(list.items);
        return NULL;
    }
    list.items[list.count] = NULL;
    add_common_prefix(&list);
    return list.items;
}

void pc_complete_open(lua_State *L)
{
    state = L;
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = rl_completer_word_break_characters = " \t\n\"\\'><=;+-*/%^~#{}()[],&|";
    rl_completer_quote_characters = "";
    rl_ignore_completion_duplicates = 1;
}
