/* Records: plain tables of results whose misspelt fields are errors instead of nil. */
#include "bind/bind.h"
#include "bind/register.h"

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

/* Add the names that the table at an index has to `words`; they stay on the stack. */
static int collect_names(lua_State *L, int index, const char **words, int n, int most)
{
    lua_pushnil(L);
    while (n < most && lua_checkstack(L, 4) && lua_next(L, index)) {
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

/* The name at index 2 is none of the words. */
static int refuse_name(lua_State *L, const char **words, int n)
{
    const char *key = lua_tostring(L, 2);
    qsort(words, (size_t)n, sizeof *words, compare); /* a table's own order changes from run to run */
    const char *near = pc_nearest(key, words, n);
    for (int i = 0; !near && i < n; i++) /* "vx" for "body.vx" */
        if (strlen(words[i]) > strlen(key) && strcmp(words[i] + strlen(words[i]) - strlen(key), key) == 0 &&
            words[i][strlen(words[i]) - strlen(key) - 1] == '.')
            near = words[i];
    if (near) return pc_refuse(L, "there is no field '%s' here; did you mean '%s'?", key, near);
    return pc_refuse(L, "there is no field '%s' here", key);
}

int pc_record_missing(lua_State *L, const char *optional)
{
    enum { MOST = 200 };
    const char *words[MOST];
    char text[512];
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    if (has_word(optional, lua_tostring(L, 2))) return 0;
    int n = add_words(optional, text, sizeof text, words, collect_names(L, 1, words, 0, MOST), MOST);
    return refuse_name(L, words, n);
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

/* ---- types of records ---- */

/* __index, asked for what is not there. Upvalue: the names that records of the type may have. */
static int index_typed(lua_State *L)
{
    enum { MOST = 200, NAMES = 1 };
    const char *words[MOST];
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    int kind = lua_rawget(L, lua_upvalueindex(NAMES));
    if (kind == LUA_TFUNCTION) return 1;
    if (kind != LUA_TNIL || lua_type(L, 2) != LUA_TSTRING) return 0;
    int n = collect_names(L, lua_upvalueindex(NAMES), words, 0, MOST);
    n = collect_names(L, 1, words, n, MOST);
    return refuse_name(L, words, n);
}

/* The metatable of a new type of records, on top: without fields, which follow by add_field(). */
static void push_type(lua_State *L, const char *name)
{
    lua_pushfstring(L, "percuss.%s", name);
    luaL_newmetatable(L, lua_tostring(L, -1)); /* sets __name */
    lua_remove(L, -2);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__names");
    lua_pushcclosure(L, index_typed, 1);
    lua_setfield(L, -2, "__index");
    lua_newtable(L);
    lua_setfield(L, -2, "__units");
    lua_newtable(L);
    lua_setfield(L, -2, "__order");
    pc_record_say(L);
}

/* The metatable is on top. */
static void add_field(lua_State *L, const char *name, const char *unit)
{
    lua_getfield(L, -1, "__names");
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, name);
    lua_getfield(L, -2, "__order");
    lua_pushstring(L, name);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_getfield(L, -3, "__units");
    if (unit && unit[0]) {
        lua_pushstring(L, unit);
        lua_setfield(L, -2, name);
    }
    lua_pop(L, 3);
}

void pc_record_open(lua_State *L, const pc_type *type)
{
    push_type(L, type->name + sizeof "percuss." - 1);
    for (const pc_property *p = type->properties; p->name; p++) add_field(L, p->name, p->unit);
    lua_pop(L, 1);
    pc_register_type(L, type);
}

void pc_record_make(lua_State *L, const pc_type *type)
{
    luaL_setmetatable(L, type->name);
}

int pc_record_define(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    if (lua_isnoneornil(L, 2)) {
        lua_pushfstring(L, "percuss.%s", name);
        luaL_getmetatable(L, lua_tostring(L, -1));
        return 1;
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    push_type(L, name);
    for (lua_Integer i = 1; lua_geti(L, 2, i) == LUA_TTABLE; i++) {
        int field = lua_gettop(L);
        lua_getfield(L, field, "name");
        lua_getfield(L, field, "unit");
        lua_pushvalue(L, field - 1);
        add_field(L, luaL_checkstring(L, field + 1), lua_tostring(L, field + 2));
        lua_settop(L, field - 1);
    }
    lua_pop(L, 1);
    return 1;
}
