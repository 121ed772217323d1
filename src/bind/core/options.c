/* Parameters by their rows: from a Lua table to a C struct, back to Lua values, and as text. See bind.h.
 *
 * Names are found through one table per schema (word or alias to row number), made on first use and kept in the
 * registry, so that reading five options costs five raw accesses.
 */
#include "bind/core/array.h"
#include "bind/core/bind.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Push the table from names to row numbers. */
static void push_names(lua_State *L, const pc_schema *schema)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, schema) == LUA_TTABLE) return;
    lua_pop(L, 1);
    lua_createtable(L, 0, 2 * schema->n_rows);
    for (int i = 0; i < schema->n_rows; i++) {
        lua_pushinteger(L, i);
        lua_setfield(L, -2, schema->rows[i].name);
        if (!schema->rows[i].symbol) continue;
        lua_pushinteger(L, i);
        lua_setfield(L, -2, schema->rows[i].symbol);
    }
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, schema);
}

/* "a number", "a string", ... for error texts; userdata by the name of its type. */
static const char *type_text(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: return "nil";
    case LUA_TBOOLEAN: return "a boolean";
    case LUA_TNUMBER: return "a number";
    case LUA_TSTRING: return "a string";
    case LUA_TTABLE: return "a table";
    case LUA_TFUNCTION: return "a function";
    default: break;
    }
    if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING) return lua_tostring(L, -1); /* alive in the metatable */
    return luaL_typename(L, index);
}

/* Numbers of the list (a table or an array) at `index`; their count, or -1. */
static int read_list(lua_State *L, int index, double *out, int most)
{
    if (!lua_istable(L, index) && !pc_array_test(L, index)) return -1;
    lua_Integer n = luaL_len(L, index);
    if (n > most) return most + 1;
    for (lua_Integer i = 1; i <= n; i++) {
        bool number = lua_geti(L, index, i) == LUA_TNUMBER;
        out[i - 1] = lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (!number) return -1;
    }
    return (int)n;
}

static pc_status set_vector(lua_State *L, const pc_schema *schema, int row, void *object, int value, uint64_t *given,
                            pc_error *err)
{
    double list[32];
    int n = read_list(L, value, list, 32);
    if (n < 0) return pc_schema_wrong_type(schema, row, type_text(L, value), err);
    return pc_schema_set_vector(schema, row, object, list, (size_t)n, given, err);
}

static pc_status set_matrix(lua_State *L, const pc_schema *schema, int row, void *object, int value, uint64_t *given,
                            pc_error *err)
{
    const char *name = schema->rows[row].name;
    if (!lua_istable(L, value)) return pc_schema_wrong_type(schema, row, type_text(L, value), err);
    lua_Integer rows = luaL_len(L, value);
    if (rows < 1 || rows > PC_MATRIX_SIDE)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s must have 1 to %d rows, not %d", schema->name, name, PC_MATRIX_SIDE,
                       (int)rows);
    /* the matrix is large: it lives in a userdata while it is read, because reading may raise */
    pc_matrix *matrix = lua_newuserdatauv(L, sizeof *matrix, 0);
    memset(matrix, 0, sizeof *matrix);
    bool list_of_numbers = lua_geti(L, value, 1) == LUA_TNUMBER; /* one row */
    lua_pop(L, 1);
    matrix->rows = list_of_numbers ? 1 : (int)rows;
    for (int i = 0; i < matrix->rows; i++) {
        double list[PC_MATRIX_SIDE];
        if (list_of_numbers)
            lua_pushvalue(L, value);
        else
            lua_geti(L, value, i + 1);
        int n = read_list(L, lua_gettop(L), list, PC_MATRIX_SIDE);
        lua_pop(L, 1);
        if (i == 0) matrix->cols = n;
        if (n < 1 || n != matrix->cols || n > PC_MATRIX_SIDE)
            return pc_fail(err, PC_E_ARGUMENT,
                           "%s: %s must be a table of rows of numbers, all of one length from 1 to %d (row %d is not)",
                           schema->name, name, PC_MATRIX_SIDE, i + 1);
        memcpy(matrix->v + i * n, list, (size_t)n * sizeof *list);
    }
    pc_status status = pc_schema_set_matrix(schema, row, object, matrix, given, err);
    lua_pop(L, 1);
    return status;
}

static pc_status set_object(lua_State *L, const pc_schema *schema, int row, void *object, int value, uint64_t *given,
                            pc_error *err)
{
    lua_pushfstring(L, "percuss.%s", schema->rows[row].object);
    void *payload = luaL_testudata(L, value, lua_tostring(L, -1));
    lua_pop(L, 1);
    if (!payload) return pc_schema_wrong_type(schema, row, type_text(L, value), err);
    return pc_schema_set_object(schema, row, object, payload, given, err);
}

/* One value, at stack index `value`, into one row. */
static pc_status set_row(lua_State *L, const pc_schema *schema, int row, void *object, int value, uint64_t *given,
                         pc_error *err)
{
    switch (schema->rows[row].kind) {
    case PC_VECTOR: return set_vector(L, schema, row, object, value, given, err);
    case PC_MATRIX: return set_matrix(L, schema, row, object, value, given, err);
    case PC_OBJECT: return set_object(L, schema, row, object, value, given, err);
    default: break;
    }
    switch (lua_type(L, value)) {
    case LUA_TNUMBER: return pc_schema_set_number(schema, row, object, lua_tonumber(L, value), given, err);
    case LUA_TBOOLEAN: return pc_schema_set_boolean(schema, row, object, lua_toboolean(L, value), given, err);
    case LUA_TSTRING: return pc_schema_set_word(schema, row, object, lua_tostring(L, value), given, err);
    default: return pc_schema_wrong_type(schema, row, type_text(L, value), err);
    }
}

/* The row that the key at index -2, of a pair on top of the stack, names; -1: none does. */
static int row_of(lua_State *L, int names)
{
    lua_pushvalue(L, -2);
    int row = lua_rawget(L, names) == LUA_TNUMBER ? (int)lua_tointeger(L, -1) : -1;
    lua_pop(L, 1);
    return row;
}

/* Rows of the table go on top of those in `given`, which the object has. `shared`: what is no row belongs to somebody
 * else, who has checked it. */
static uint64_t read(lua_State *L, int index, const pc_schema *schema, bool shared, uint64_t given, void *object)
{
    int names = lua_gettop(L);
    pc_error err = {0};
    lua_pushnil(L);
    while (lua_next(L, index)) {
        int value = lua_gettop(L);
        if (lua_type(L, -2) != LUA_TSTRING && shared) {
            lua_pop(L, 1);
            continue;
        }
        if (lua_type(L, -2) != LUA_TSTRING)
            pc_refuse(L, "%s takes named parameters only, as in %s{ %s = ... }", schema->name, schema->name,
                      schema->n_rows ? schema->rows[0].name : "name");
        int row = row_of(L, names);
        if (row < 0 && !shared) {
            pc_schema_unknown(schema, lua_tostring(L, -2), &err);
            pc_raise(L, &err);
        }
        if (row >= 0 && set_row(L, schema, row, object, value, &given, &err)) pc_raise(L, &err);
        lua_settop(L, value - 1);
    }
    if (pc_schema_finish(schema, object, given, &err)) pc_raise(L, &err);
    return given;
}

/* An absolute index, and the table of names on top of the stack. */
static int begin(lua_State *L, int index, const pc_schema *schema)
{
    luaL_checkstack(L, 10, NULL);
    index = lua_absindex(L, index);
    if (!lua_istable(L, index))
        pc_refuse(L, "%s takes a table of parameters, as in %s{ %s = ... }, not %s", schema->name, schema->name,
                  schema->n_rows ? schema->rows[0].name : "", type_text(L, index));
    push_names(L, schema);
    return index;
}

static uint64_t read_anew(lua_State *L, int index, const pc_schema *schema, bool shared, void *object)
{
    index = begin(L, index, schema);
    pc_schema_defaults(schema, object);
    uint64_t given = read(L, index, schema, shared, 0, object);
    lua_pop(L, 1);
    return given;
}

uint64_t pc_options_read(lua_State *L, int index, const pc_schema *schema, void *object)
{
    return read_anew(L, index, schema, false, object);
}

uint64_t pc_options_read_among(lua_State *L, int index, const pc_schema *schema, void *object)
{
    return read_anew(L, index, schema, true, object);
}

uint64_t pc_options_change(lua_State *L, int index, const pc_schema *schema, const void *from, uint64_t given,
                           void *object)
{
    index = begin(L, index, schema);
    int names = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int row = lua_type(L, -2) == LUA_TSTRING ? row_of(L, names) : -1;
        if (row >= 0) given = pc_schema_without(schema, given, row);
    }
    pc_schema_copy(schema, from, given, object);
    given = read(L, index, schema, false, given, object);
    lua_pop(L, 1);
    return given;
}

static void push_number_or_nil(lua_State *L, double x)
{
    if (isnan(x))
        lua_pushnil(L);
    else
        lua_pushnumber(L, x);
}

static void push_matrix(lua_State *L, const pc_matrix *matrix)
{
    lua_createtable(L, matrix->rows, 0);
    for (int i = 0; i < matrix->rows; i++) {
        lua_createtable(L, matrix->cols, 0);
        for (int j = 0; j < matrix->cols; j++) {
            lua_pushnumber(L, matrix->v[i * matrix->cols + j]);
            lua_rawseti(L, -2, j + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
}

void pc_row_push(lua_State *L, const pc_row *row, const void *object)
{
    const void *at = (const char *)object + row->offset;
    switch (row->kind) {
    case PC_REAL: push_number_or_nil(L, pc_row_number(row, object)); return;
    case PC_INTEGER: lua_pushinteger(L, (lua_Integer)pc_row_number(row, object)); return;
    case PC_BOOLEAN: lua_pushboolean(L, pc_row_number(row, object) != 0); return;
    case PC_CHOICE: lua_pushstring(L, row->choices[(int)pc_row_number(row, object)]); return;
    case PC_MATRIX: push_matrix(L, at); return;
    case PC_TEXT: lua_pushstring(L, at); return;
    case PC_OBJECT: lua_pushnil(L); return; /* an owner that wants it readable gives it a property */
    case PC_VECTOR: break;
    }
    lua_createtable(L, (int)row->count, 0);
    for (size_t i = 0; i < row->count; i++) {
        lua_pushnumber(L, ((const double *)at)[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void pc_schema_push_text(lua_State *L, const pc_schema *schema, const void *object)
{
    char text[1024], amount[96];
    size_t used = (size_t)snprintf(text, sizeof text, "%s{", schema->name);
    const char *gap = " ";
    for (int i = 0; i < schema->n_rows && used < sizeof text - 1; i++) {
        const pc_row *row = &schema->rows[i];
        double x = pc_row_number(row, object);
        if (isnan(x)) continue;
        const char *value = amount;
        if (row->kind == PC_CHOICE)
            snprintf(amount, sizeof amount, "\"%s\"", row->choices[(int)x]);
        else if (row->kind == PC_BOOLEAN)
            value = x != 0 ? "true" : "false";
        else
            pc_quantity_text(x, row->unit, amount, sizeof amount);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", gap, row->name, value);
        gap = ", ";
    }
    if (used > sizeof text - 3) used = sizeof text - 3;
    memcpy(text + used, " }", 3);
    lua_pushstring(L, text);
}
