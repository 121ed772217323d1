/* Userdata from type records, and records: plain tables of results whose misspelt fields are errors instead of nil. See
 * bind.h.
 *
 * A metatable's __index is a C closure over one table that maps each name to a method (function) or a property
 * (light userdata), so a lookup is one raw access and never a chain of comparisons. Names that are neither go to the
 * type's own __index, or raise an error with the nearest known name.
 */
#include "bind/core/bind.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Upvalues of the __index closure. */
enum { NAMES = 1, OWN_INDEX, TYPE };

static void push_metatable(lua_State *L, const pc_type *type)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, type) != LUA_TTABLE)
        pc_refuse(L, "type %s was used before its module was opened", type->name);
}

/* Collect the string keys of the table at `index` and raise an error that names the one nearest to `key`. */
static int unknown_name(lua_State *L, int names, const char *owner, const char *key)
{
    enum { MOST = 128 };
    const char *words[MOST];
    int n = 0;
    names = lua_absindex(L, names);
    lua_pushnil(L);
    while (lua_next(L, names)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING && n < MOST) words[n++] = lua_tostring(L, -1);
    }
    const char *near = pc_nearest(key, words, n);
    if (near) return pc_refuse(L, "%s has no field '%s'; did you mean '%s'?", owner, key, near);
    return pc_refuse(L, "%s has no field '%s'", owner, key);
}

static int type_index(lua_State *L)
{
    lua_pushvalue(L, 2);
    int kind = lua_rawget(L, lua_upvalueindex(NAMES));
    if (kind == LUA_TFUNCTION) return 1;
    if (kind == LUA_TLIGHTUSERDATA) {
        const pc_property *property = lua_touserdata(L, -1);
        property->push(L, lua_touserdata(L, 1));
        return 1;
    }
    if (!lua_isnil(L, lua_upvalueindex(OWN_INDEX))) {
        lua_settop(L, 2);
        lua_pushvalue(L, lua_upvalueindex(OWN_INDEX));
        lua_insert(L, 1);
        lua_call(L, 2, 1);
        return 1;
    }
    const pc_type *type = lua_touserdata(L, lua_upvalueindex(TYPE));
    if (lua_type(L, 2) != LUA_TSTRING)
        return pc_refuse(L, "%s has named fields only, not [%s]", type->name, luaL_tolstring(L, 2, NULL));
    return unknown_name(L, lua_upvalueindex(NAMES), type->name, lua_tostring(L, 2));
}

static int type_newindex(lua_State *L)
{
    const pc_type *type = lua_touserdata(L, lua_upvalueindex(1));
    return pc_refuse(L, "%s cannot be changed (field '%s'); make a new one", type->name, luaL_tolstring(L, 2, NULL));
}

static int type_tostring(lua_State *L)
{
    const pc_type *type = lua_touserdata(L, lua_upvalueindex(1));
    type->describe(L, pc_type_check(L, 1, type));
    return 1;
}

/* ---- closing ----
 *
 * What was freed keeps its memory but not its type: its metatable becomes that of closed objects of its type, in which
 * every operation is an error. A finalizer does the same, because in Lua's order of finalizers an object may be used
 * after its own, by what referred to it. */

/* Registry key of the metatable of closed objects; the type itself is the key of its own. */
static const void *closed_key(const pc_type *type)
{
    return (const char *)type + 1;
}

/* "figure" */
static const char *short_name(const pc_type *type)
{
    return strncmp(type->name, "percuss.", 8) == 0 ? type->name + 8 : type->name;
}

static void set_closed(lua_State *L, int index, const pc_type *type, void *self)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, closed_key(type));
    lua_setmetatable(L, index);
    type->free(self);
}

static int type_gc(lua_State *L)
{
    const pc_type *type = lua_touserdata(L, lua_upvalueindex(1));
    void *self = pc_type_test(L, 1, type);
    if (self) set_closed(L, 1, type, self);
    return 0;
}

static int type_close(lua_State *L)
{
    const pc_type *type = lua_touserdata(L, lua_upvalueindex(1));
    void *self = pc_type_test(L, 1, type);
    if (!self) return 0;
    if (type->in_use && type->in_use(self))
        return pc_refuse(L, "the %s is in use and cannot be closed now", short_name(type));
    set_closed(L, 1, type, self);
    return 0;
}

static int closed_use(lua_State *L)
{
    const pc_type *type = lua_touserdata(L, lua_upvalueindex(1));
    return pc_refuse(L, "the %s was closed", short_name(type));
}

static int closed_tostring(lua_State *L)
{
    const pc_type *type = lua_touserdata(L, lua_upvalueindex(1));
    lua_pushfstring(L, "%s (closed)", short_name(type));
    return 1;
}

static int closed_close(lua_State *L)
{
    (void)L;
    return 0;
}

/* Set field `name` of the metatable on top to a closure of `call` over the type. */
static void set_closure(lua_State *L, const pc_type *type, const char *name, lua_CFunction call)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)type);
    lua_pushcclosure(L, call, 1);
    lua_setfield(L, -2, name);
}

/* Made beforehand: a finalizer that has to make it could fail for want of memory. */
static void open_closed(lua_State *L, const pc_type *type)
{
    static const char *const operations[] = {
        "__index", "__newindex", "__len", "__call", "__pairs", "__concat", "__unm",  "__add",
        "__sub",   "__mul",      "__div", "__mod",  "__pow",   "__idiv",   "__band", "__bor",
        "__bxor",  "__shl",      "__shr", "__bnot", "__lt",    "__le",
    };
    enum { N = sizeof operations / sizeof *operations };
    lua_createtable(L, 0, N + 4);
    lua_pushlightuserdata(L, (void *)(uintptr_t)type);
    lua_pushcclosure(L, closed_use, 1);
    for (int i = 0; i < N; i++) {
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, operations[i]);
    }
    lua_pop(L, 1);
    set_closure(L, type, "__tostring", closed_tostring);
    lua_pushcfunction(L, closed_close); /* closing twice does nothing more */
    lua_setfield(L, -2, "__close");
    lua_pushfstring(L, "closed %s", short_name(type));
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__name");
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, closed_key(type));
}

/* The table of names: methods as functions, properties as light userdata. */
static void push_names(lua_State *L, const pc_type *type)
{
    lua_newtable(L);
    for (const pc_property *p = type->properties; p && p->name; p++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)p);
        lua_setfield(L, -2, p->name);
    }
    for (const pc_function *f = type->methods; f && f->name; f++) {
        lua_pushcfunction(L, f->call);
        pc_register_function(L, type->name, ":", f);
        lua_setfield(L, -2, f->name);
    }
}

void pc_type_open(lua_State *L, const pc_type *type)
{
    luaL_checkstack(L, 8, NULL);
    luaL_newmetatable(L, type->name); /* sets __name; the name also finds it in the registry */
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, type);
    if (type->metamethods) luaL_setfuncs(L, type->metamethods, 0);

    push_names(L, type);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__names");
    lua_getfield(L, -2, "__index"); /* the type's own, or nil */
    lua_pushlightuserdata(L, (void *)(uintptr_t)type);
    lua_pushcclosure(L, type_index, 3);
    lua_setfield(L, -2, "__index");

    bool writable = lua_getfield(L, -1, "__newindex") != LUA_TNIL;
    lua_pop(L, 1);
    if (!writable) set_closure(L, type, "__newindex", type_newindex);
    if (type->describe) set_closure(L, type, "__tostring", type_tostring);
    if (type->free) {
        open_closed(L, type);
        set_closure(L, type, "__gc", type_gc);
        set_closure(L, type, "__close", type_close);
    }
    lua_pushstring(L, type->name);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    pc_register_type(L, type);
}

void *pc_type_new(lua_State *L, const pc_type *type, size_t size, int uservalues)
{
    void *self = lua_newuserdatauv(L, size, uservalues);
    memset(self, 0, size);
    push_metatable(L, type);
    lua_setmetatable(L, -2);
    return self;
}

/* The userdata at `index` if its metatable is the one at a key of the registry. */
static void *test_metatable(lua_State *L, int index, const void *key)
{
    void *self = lua_touserdata(L, index);
    if (!self || !lua_getmetatable(L, index)) return NULL;
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? self : NULL;
}

void *pc_type_test(lua_State *L, int index, const pc_type *type)
{
    return test_metatable(L, index, type);
}

void *pc_type_check(lua_State *L, int index, const pc_type *type)
{
    void *self = pc_type_test(L, index, type);
    if (self) return self;
    if (test_metatable(L, index, closed_key(type))) pc_refuse(L, "the %s was closed", short_name(type));
    pc_argument_type_error(L, index, type->name);
    return NULL;
}

/* percuss.extend(type_name, method_name, function): the Lua part of the library adds methods to types. */
int pc_type_extend(lua_State *L)
{
    const char *type_name = pc_argument_string(L, 1);
    const char *name = pc_argument_string(L, 2);
    pc_argument_type(L, 3, LUA_TFUNCTION);
    if (luaL_getmetatable(L, type_name) != LUA_TTABLE || lua_getfield(L, -1, "__names") != LUA_TTABLE)
        return pc_refuse(L, "there is no type '%s' to extend", type_name);
    if (lua_getfield(L, -1, name) != LUA_TNIL) return pc_refuse(L, "%s has a '%s' already", type_name, name);
    lua_pop(L, 1);
    lua_pushvalue(L, 3);
    lua_setfield(L, -2, name);
    return 0;
}

/* __index of the module tables: a misspelt function is named at once instead of "attempt to call a nil value". */
static int module_index(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    return unknown_name(L, 1, lua_tostring(L, lua_upvalueindex(1)), lua_tostring(L, 2));
}

void pc_module_strict(lua_State *L, const char *name)
{
    if (!lua_getmetatable(L, -1)) lua_createtable(L, 0, 2);
    lua_pushstring(L, name);
    lua_pushcclosure(L, module_index, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

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
    enum { MOST = 200 };
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
