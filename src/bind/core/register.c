/* The register of everything public: see bind.h.
 *
 * Kept in the Lua registry: `list`, an array of entries, `values`, a map from a function value to its entry, and
 * `records`, a map from an entry to its const record as a light pointer. An entry is a table { kind, path } until it is
 * expanded, or, for things written in Lua, the finished table, which has no record.
 */
#include "bind/core/bind.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char list_key = 0, values_key = 0, records_key = 0;

static void push_table(lua_State *L, const void *key)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, key);
    }
}

static void set_string(lua_State *L, const char *key, const char *value)
{
    if (!value) return;
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* New entry on top of the stack, already in the list. */
static void push_entry(lua_State *L, const char *kind, const char *owner, const char *separator, const char *name,
                       const void *record)
{
    luaL_checkstack(L, 6, NULL);
    lua_createtable(L, 0, 3);
    set_string(L, "kind", kind);
    if (owner[0])
        lua_pushfstring(L, "%s%s%s", owner, separator, name);
    else
        lua_pushstring(L, name);
    lua_setfield(L, -2, "path");
    if (record) {
        push_table(L, &records_key);
        lua_pushvalue(L, -2);
        lua_pushlightuserdata(L, (void *)(uintptr_t)record);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    push_table(L, &list_key);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
}

/* Entry on top, value below it: remember which entry describes the value, and pop the entry. */
static void bind_value(lua_State *L)
{
    push_table(L, &values_key);
    lua_pushvalue(L, -3);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 2);
}

void pc_register_function(lua_State *L, const char *owner, const char *separator, const pc_function *function)
{
    if (!function->summary || !function->summary[0])
        pc_refuse(L, "%s%s%s has no documentation", owner, separator, function->name);
    /* methods are called "impact:plot", whatever the full name of the type */
    const char *short_owner = strncmp(owner, "percuss.", 8) == 0 ? owner + 8 : owner;
    push_entry(L, separator[0] == ':' ? "method" : "function", short_owner, separator, function->name, function);
    bind_value(L);
}

void pc_register_callable(lua_State *L, const char *owner, const pc_function *function)
{
    pc_register_function(L, owner, ".", function);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, function->call);
    push_table(L, &values_key); /* the entry of the table is that of what runs, too */
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -5);
    lua_rawget(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    lua_setfield(L, -2, "__call");
    lua_setmetatable(L, -2);
}

void pc_register_schema(lua_State *L, const pc_schema *schema)
{
    push_entry(L, "constructor", "", "", schema->name, schema);
    bind_value(L);
}

void pc_register_equations(lua_State *L, const char *path, const char *equations)
{
    luaL_checkstack(L, 4, NULL);
    push_table(L, &list_key);
    for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i > 0; i--) {
        lua_rawgeti(L, -1, i);
        lua_getfield(L, -1, "path");
        bool same = strcmp(lua_tostring(L, -1), path) == 0;
        lua_pop(L, 1);
        if (same) set_string(L, "equations", equations);
        lua_pop(L, 1);
        if (same) break;
    }
    lua_pop(L, 1);
}

void pc_register_forget(lua_State *L, const char *path)
{
    luaL_checkstack(L, 4, NULL);
    push_table(L, &list_key);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1), kept = 0;
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        lua_getfield(L, -1, "path");
        bool same = strcmp(lua_tostring(L, -1), path) == 0;
        lua_pop(L, 1);
        if (same)
            lua_pop(L, 1);
        else
            lua_rawseti(L, -2, ++kept);
    }
    for (; n > kept; n--) {
        lua_pushnil(L);
        lua_rawseti(L, -2, n);
    }
    lua_pop(L, 1);
}

void pc_register_type(lua_State *L, const pc_type *type)
{
    const char *name = strncmp(type->name, "percuss.", 8) == 0 ? type->name + 8 : type->name;
    push_entry(L, "type", "", "", name, type);
    lua_pop(L, 1);
}

void pc_register_constant(lua_State *L, const char *owner, const char *name, double value, const char *unit,
                          const char *doc)
{
    push_entry(L, "constant", owner, ".", name, NULL);
    set_string(L, "summary", doc);
    set_string(L, "unit", unit);
    lua_pushnumber(L, value);
    lua_setfield(L, -2, "value");
    lua_pop(L, 1);
}

/* ---- expansion of records into tables ---- */

static void push_rows(lua_State *L, const pc_schema *schema);

static void set_number(lua_State *L, const char *key, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

/* Field `default`: the text of what holds where the row is not given; `initial`: the value itself, if it is one. */
static void set_default(lua_State *L, const pc_row *row)
{
    if (row->initial == PC_REQUIRED) {
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, "required");
        return;
    }
    set_string(L, "default", row->otherwise);
    if (isnan(row->initial) || row->also) return;
    switch (row->kind) {
    case PC_CHOICE:
        lua_pushstring(L, row->choices[(int)row->initial]);
        lua_pushfstring(L, "\"%s\"", lua_tostring(L, -1));
        break;
    case PC_BOOLEAN:
        lua_pushboolean(L, row->initial != 0);
        lua_pushstring(L, row->initial != 0 ? "true" : "false");
        break;
    case PC_REAL:
        lua_pushnumber(L, row->initial);
        lua_pushfstring(L, "%f", row->initial);
        break;
    case PC_INTEGER:
        lua_pushinteger(L, (lua_Integer)row->initial);
        lua_pushfstring(L, "%d", (int)row->initial);
        break;
    default: return;
    }
    lua_setfield(L, -3, "default");
    lua_setfield(L, -2, "initial");
}

/* least or above, most or below: as far as there are bounds. */
static void set_range(lua_State *L, const pc_row *row)
{
    char text[160];
    const pc_range *r = &row->allowed;
    bool has_numbers = row->kind == PC_REAL || row->kind == PC_INTEGER || row->kind == PC_VECTOR;
    if (r->lo == r->hi && !r->lo_open) return;
    if (has_numbers) set_string(L, "allowed", pc_range_text(row, text, sizeof text));
    if (isfinite(r->lo)) set_number(L, r->lo_open ? "above" : "least", r->lo);
    if (isfinite(r->hi)) set_number(L, r->hi_open ? "below" : "most", r->hi);
}

/* Words, and where a number is welcome as well, all that is allowed. */
static void set_choices(lua_State *L, const pc_row *row)
{
    if (!row->choices) return;
    if (row->also & PC_ALSO(PC_REAL)) {
        char range[160];
        lua_pushliteral(L, "");
        for (int i = 0; row->choices[i]; i++) {
            lua_pushfstring(L, "%s%s | ", lua_tostring(L, -1), row->choices[i]);
            lua_remove(L, -2);
        }
        lua_pushfstring(L, "%s%s", lua_tostring(L, -1), pc_range_text(row, range, sizeof range));
        lua_setfield(L, -3, "allowed");
        lua_pop(L, 1);
    }
    lua_newtable(L);
    for (int i = 0; row->choices[i]; i++) {
        lua_pushstring(L, row->choices[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "choices");
}

static void push_row(lua_State *L, const pc_row *row)
{
    char text[160], unit[PC_UNIT_TEXT];
    bool is_number = row->kind == PC_REAL || row->kind == PC_VECTOR || row->also & PC_ALSO(PC_REAL);
    luaL_checkstack(L, 6, NULL);
    lua_createtable(L, 0, 10);
    set_string(L, "name", row->name);
    set_string(L, "symbol", row->symbol);
    set_string(L, "greek", row->greek);
    set_string(L, "type", pc_row_type_text(row, text, sizeof text));
    set_string(L, "doc", row->doc);
    pc_row_unit_text(row, unit);
    if (is_number || pc_row_unit_text(row, unit)[0]) set_string(L, "unit", pc_row_unit_text(row, unit));
    set_range(L, row);
    set_default(L, row);
    set_choices(L, row);
    if (row->group) {
        lua_pushinteger(L, row->group);
        lua_setfield(L, -2, "group");
    }
    if (!row->options) return;
    push_rows(L, row->options);
    lua_setfield(L, -2, "options");
}

static void push_rows(lua_State *L, const pc_schema *schema)
{
    lua_newtable(L);
    int n = 0;
    for (; schema; schema = schema->base)
        for (int i = 0; i < schema->n_rows; i++) {
            push_row(L, &schema->rows[i]);
            lua_rawseti(L, -2, ++n);
        }
}

static void expand_function(lua_State *L, const pc_function *f)
{
    set_string(L, "summary", f->summary);
    set_string(L, "returns", f->returns);
    set_string(L, "source", f->source);
    set_string(L, "example", f->example);
    if (f->params && f->params->options && !f->params->doc) {
        push_rows(L, f->params->options);
        lua_setfield(L, -2, "rows");
        return;
    }
    lua_newtable(L);
    for (int n = 0; f->params && f->params[n].name; n++) {
        push_row(L, &f->params[n]);
        lua_rawseti(L, -2, n + 1);
    }
    lua_setfield(L, -2, "params");
}

static void expand_schema(lua_State *L, const pc_schema *schema)
{
    set_string(L, "summary", schema->summary);
    set_string(L, "details", schema->details);
    set_string(L, "equations", schema->equations);
    set_string(L, "source", schema->source);
    set_string(L, "example", schema->example);
    push_rows(L, schema);
    lua_setfield(L, -2, "rows");
}

static void expand_type(lua_State *L, const pc_type *type)
{
    set_string(L, "summary", type->summary);
    lua_newtable(L);
    int n = 0;
    for (const pc_property *p = type->properties; p && p->name; p++) {
        lua_createtable(L, 0, 3);
        set_string(L, "name", p->name);
        set_string(L, "unit", p->unit);
        set_string(L, "doc", p->doc);
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "fields");
}

/* The record of the entry at `index`, or NULL. */
static const void *record_of(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    push_table(L, &records_key);
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    const void *record = lua_touserdata(L, -1);
    lua_pop(L, 2);
    return record;
}

/* Entry on top of the stack: fill it from its record, once. */
static void expand(lua_State *L)
{
    const void *record = record_of(L, -1);
    bool done = lua_getfield(L, -1, "summary") != LUA_TNIL;
    lua_pop(L, 1);
    if (!record || done) return;
    lua_getfield(L, -1, "kind");
    const char *kind = lua_tostring(L, -1);
    lua_pop(L, 1); /* the entry still holds the string */
    if (strcmp(kind, "function") == 0 || strcmp(kind, "method") == 0)
        expand_function(L, record);
    else if (strcmp(kind, "constructor") == 0)
        expand_schema(L, record);
    else if (strcmp(kind, "type") == 0)
        expand_type(L, record);
}

int pc_register_list(lua_State *L)
{
    push_table(L, &list_key);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        expand(L);
        lua_pop(L, 1);
    }
    return 1;
}

/* document(path, value or nil, { kind=, summary=, params=, example= ... }): things written in Lua. */
int pc_register_document(lua_State *L)
{
    pc_argument_string(L, 1);
    pc_argument_type(L, 3, LUA_TTABLE);
    if (lua_getfield(L, 3, "summary") != LUA_TSTRING) return pc_refuse(L, "%s has no summary", lua_tostring(L, 1));
    lua_settop(L, 3);
    lua_pushvalue(L, 1);
    lua_setfield(L, 3, "path");
    bool has_kind = lua_getfield(L, 3, "kind") != LUA_TNIL;
    lua_settop(L, 3);
    if (!has_kind) set_string(L, "kind", "function");
    push_table(L, &list_key);
    lua_pushvalue(L, 3);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_settop(L, 3);
    if (!lua_isnil(L, 2)) bind_value(L);
    return 0;
}

int pc_register_lookup(lua_State *L)
{
    pc_argument_any(L, 1);
    push_table(L, &values_key);
    lua_pushvalue(L, 1);
    if (lua_rawget(L, -2) != LUA_TTABLE) return 0;
    expand(L);
    return 1;
}

const pc_function *pc_register_running(lua_State *L, const char **path, bool *method)
{
    lua_Debug running;
    *path = NULL;
    *method = false;
    if (!lua_getstack(L, 0, &running) || !lua_getinfo(L, "f", &running)) return NULL;
    int top = lua_gettop(L);
    luaL_checkstack(L, 4, NULL);
    push_table(L, &values_key);
    lua_pushvalue(L, top);
    const pc_function *function = NULL;
    if (lua_rawget(L, -2) == LUA_TTABLE) {
        lua_getfield(L, -1, "kind");
        const char *kind = lua_tostring(L, -1);
        *method = kind && strcmp(kind, "method") == 0;
        function = record_of(L, top + 2);                              /* NULL for an entry made in Lua */
        if (kind && strcmp(kind, "constructor") == 0) function = NULL; /* a schema describes it */
        lua_getfield(L, top + 2, "path");
        *path = lua_tostring(L, -1);
    }
    lua_settop(L, top - 1);
    return function;
}

void pc_functions_open(lua_State *L, const char *path, const pc_function *functions)
{
    for (const pc_function *f = functions; f->name; f++) {
        lua_pushcfunction(L, f->call);
        pc_register_function(L, path, ".", f);
        lua_setfield(L, -2, f->name);
    }
}

void pc_constant_open(lua_State *L, const char *path, const char *name, double value, const char *unit, const char *doc)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
    pc_register_constant(L, path, name, value, unit, doc);
}

void pc_constructor_open(lua_State *L, const pc_schema *schema, lua_CFunction call, const void *context)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)context);
    lua_pushcclosure(L, call, 1);
    pc_register_schema(L, schema);
    const char *dot = strrchr(schema->name, '.');
    lua_setfield(L, -2, dot ? dot + 1 : schema->name);
}
