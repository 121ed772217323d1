/* Records: plain tables of results whose misspelt fields are errors instead of nil. */
#include "bind/bind.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether `word` is one of the words of the list "a b c". */
static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)); p += n)
        if (n > 0 && (p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) return true;
    return false;
}

/* Names that the record at index 1 has, into `words`; they stay on the stack. */
static int collect_names(lua_State *L, const char **words, int most)
{
    int n = 0;
    lua_pushnil(L);
    while (n < most && lua_checkstack(L, 4) && lua_next(L, 1)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING) continue;
        words[n++] = lua_tostring(L, -1);
        lua_pushvalue(L, -1); /* for lua_next; the one below keeps the text */
    }
    return n;
}

/* Add the words of the list, which are cut apart in `text`. */
static int add_words(const char *list, char *text, size_t room, const char **words, int n, int most)
{
    size_t length = strlen(list);
    if (length >= room) return n;
    memcpy(text, list, length + 1);
    for (char *word = strtok(text, " "); word && n < most; word = strtok(NULL, " ")) words[n++] = word;
    return n;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int pc_record_missing(lua_State *L, const char *optional)
{
    enum { MOST = 200 };
    const char *words[MOST];
    char text[512];
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    const char *key = lua_tostring(L, 2);
    if (has_word(optional, key)) return 0;
    int n = add_words(optional, text, sizeof text, words, collect_names(L, words, MOST), MOST);
    qsort(words, (size_t)n, sizeof *words, compare); /* the table's own order changes from run to run */
    const char *near = pc_nearest(key, words, n);
    for (int i = 0; !near && i < n; i++) /* "vx" for "body.vx" */
        if (strlen(words[i]) > strlen(key) && strcmp(words[i] + strlen(words[i]) - strlen(key), key) == 0 &&
            words[i][strlen(words[i]) - strlen(key) - 1] == '.')
            near = words[i];
    if (near) return pc_refuse(L, "there is no field '%s' here; did you mean '%s'?", key, near);
    return pc_refuse(L, "there is no field '%s' here", key);
}

/* __index, asked for what is not there; upvalue 1: the words that may be absent. */
static int missing(lua_State *L)
{
    return pc_record_missing(L, lua_touserdata(L, lua_upvalueindex(1)));
}

/* __tostring: as the prompt shows it. */
static int as_text(lua_State *L)
{
    lua_settop(L, 1);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.pretty");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "plain");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

void pc_record_say(lua_State *L)
{
    lua_pushcfunction(L, as_text);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "__record");
}

void pc_record_seal(lua_State *L, const char *optional)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, optional) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 3);
        lua_pushlightuserdata(L, (void *)(uintptr_t)optional);
        lua_pushcclosure(L, missing, 1);
        lua_setfield(L, -2, "__index");
        pc_record_say(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, optional);
    }
    lua_setmetatable(L, -2);
}
