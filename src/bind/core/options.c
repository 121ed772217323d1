/* Parameters by their rows: from a Lua table to a C struct, back to Lua values, and as text. See bind.h.
 *
 * Names are found through one table per list of rows (word or alias to row number), made on first use and kept in the
 * registry, so that reading five options costs five raw accesses.
 */
#include "bind/core/bind.h"

#include <math.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Push the table from names to row numbers. */
static void push_names(lua_State *L, const pc_schema *schema)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, schema->rows) == LUA_TTABLE) return;
    lua_pop(L, 1);
    lua_createtable(L, 0, 2 * schema->n_rows);
    int first = 0; /* the rows of the base count on from those of the schema */
    for (const pc_schema *s = schema; s; first += s->n_rows, s = s->base)
        for (int i = 0; i < s->n_rows; i++) {
            lua_pushinteger(L, first + i);
            lua_setfield(L, -2, s->rows[i].name);
            if (!s->rows[i].symbol) continue;
            lua_pushinteger(L, first + i);
            lua_setfield(L, -2, s->rows[i].symbol);
        }
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, schema->rows);
}

/* "a number", "a string", ... for error texts; userdata by the name of its type. */
static const char *type_text(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: return "nothing";
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

/* Whether the value is of the kind, as values that stay in their table are. */
static bool is_kind(lua_State *L, int value, pc_kind kind, const char *object)
{
    int type = lua_type(L, value);
    switch (kind) {
    case PC_REAL: return type == LUA_TNUMBER;
    case PC_INTEGER: return type == LUA_TNUMBER && lua_tonumber(L, value) == floor(lua_tonumber(L, value));
    case PC_BOOLEAN: return type == LUA_TBOOLEAN;
    case PC_CHOICE:
    case PC_STRING: return type == LUA_TSTRING;
    case PC_NUMBERS:
    case PC_LIST: return type == LUA_TTABLE || pc_array_test(L, value);
    case PC_TABLE: return type == LUA_TTABLE;
    case PC_FUNCTION: return type == LUA_TFUNCTION;
    case PC_OBJECT: break;
    default: return true;
    }
    lua_pushfstring(L, "percuss.%s", object);
    bool is = luaL_testudata(L, value, lua_tostring(L, -1)) != NULL;
    lua_pop(L, 1);
    return is;
}

/* A value that stays in its table. */
static pc_status check_kept(lua_State *L, const pc_schema *schema, int index, int value, uint64_t *given, pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    bool is = is_kind(L, value, row->kind, row->object);
    for (int kind = 0; !is && row->also >> kind; kind++)
        is = row->also >> kind & 1 && is_kind(L, value, (pc_kind)kind, row->object);
    if (!is) return pc_schema_wrong_type(schema, index, type_text(L, value), err);
    pc_status status = PC_OK;
    if (lua_type(L, value) == LUA_TNUMBER)
        status = pc_schema_check_number(schema, index, lua_tonumber(L, value), 0, err);
    return status ? status : pc_schema_claim(schema, index, given, err);
}

/* Zero bytes would cut a name in C: another file would be written than the one that was meant. */
static pc_status set_word(lua_State *L, const pc_schema *schema, int row, void *object, int value, uint64_t *given,
                          pc_error *err)
{
    size_t n;
    const char *word = lua_tolstring(L, value, &n);
    if (strlen(word) != n)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s must not have a zero byte", schema->name, schema->rows[row].name);
    return pc_schema_set_word(schema, row, object, word, given, err);
}

/* One value, at stack index `value`, into one row. */
static pc_status set_row(lua_State *L, const pc_schema *schema, int row, void *object, int value, uint64_t *given,
                         pc_error *err)
{
    if (schema->rows[row].kind == PC_CHOICE && lua_type(L, value) == LUA_TSTRING)
        return set_word(L, schema, row, object, value, given, err);
    if (pc_row_stays(&schema->rows[row])) return check_kept(L, schema, row, value, given, err);
    switch (schema->rows[row].kind) {
    case PC_VECTOR: return set_vector(L, schema, row, object, value, given, err);
    case PC_MATRIX: return set_matrix(L, schema, row, object, value, given, err);
    case PC_OBJECT: return set_object(L, schema, row, object, value, given, err);
    case PC_REAL:
        if (schema->rows[row].count > 0 && lua_type(L, value) != LUA_TNUMBER)
            return set_object(L, schema, row, object, value, given, err);
        break;
    default: break;
    }
    switch (lua_type(L, value)) {
    case LUA_TNUMBER: return pc_schema_set_number(schema, row, object, lua_tonumber(L, value), given, err);
    case LUA_TBOOLEAN: return pc_schema_set_boolean(schema, row, object, lua_toboolean(L, value), given, err);
    case LUA_TSTRING: return set_word(L, schema, row, object, value, given, err);
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

/* A key of the table, at index -2, that is no row's name: an element of its list, or refused. */
static void check_key(lua_State *L, const pc_schema *schema)
{
    pc_error err = {0};
    if (schema->list && lua_isinteger(L, -2)) return;
    bool has_places = false;
    for (int i = 0; i < schema->n_rows; i++) has_places = has_places || schema->rows[i].place > 0;
    if (lua_type(L, -2) != LUA_TSTRING && !has_places)
        pc_refuse(L, "%s takes named parameters only, as in %s{ %s = ... }", schema->name, schema->name,
                  schema->n_rows ? schema->rows[0].name : "name");
    pc_schema_unknown(schema, luaL_tolstring(L, -2, NULL), &err);
    pc_raise(L, &err);
}

/* Rows of the table go on top of those in `given`, which the object has. With a base, only rows of the schema itself
 * are told. */
static uint64_t read(lua_State *L, int index, const pc_schema *schema, uint64_t given, void *object)
{
    int names = lua_gettop(L);
    pc_error err = {0};
    uint64_t of_base = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        int value = lua_gettop(L), row = lua_type(L, -2) == LUA_TSTRING ? row_of(L, names) : -1;
        pc_status status = PC_OK;
        if (row < 0)
            check_key(L, schema);
        else if (row < schema->n_rows)
            status = set_row(L, schema, row, object, value, &given, &err);
        else
            status = set_row(L, schema->base, row - schema->n_rows, object, value, &of_base, &err);
        if (status) pc_raise(L, &err);
        lua_settop(L, value - 1);
    }
    if (pc_schema_finish(schema, object, given, &err)) pc_raise(L, &err);
    if (schema->base && pc_schema_finish(schema->base, object, of_base, &err)) pc_raise(L, &err);
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

uint64_t pc_options_read(lua_State *L, int index, const pc_schema *schema, void *object)
{
    index = begin(L, index, schema);
    pc_schema_defaults(schema->base ? schema->base : schema, object);
    uint64_t given = read(L, index, schema, 0, object);
    lua_pop(L, 1);
    return given;
}

/* The row whose place in the table's list is the key at index -2 of a pair on top of the stack, or -1. */
static int row_at_place(lua_State *L, const pc_schema *schema)
{
    if (!lua_isinteger(L, -2)) return -1;
    for (int i = 0; i < schema->n_rows; i++)
        if (schema->rows[i].place > 0 && schema->rows[i].place == lua_tointeger(L, -2)) return i;
    return -1;
}

/* The value of a row from the table at `index` into the copy on top, under its word. */
static void copy_row(lua_State *L, int index, const pc_schema *schema, int i)
{
    const pc_row *row = &schema->rows[i];
    pc_error err = {0};
    uint64_t given = UINT64_C(1) << i;
    int copy = lua_gettop(L), word = lua_getfield(L, index, row->name);
    if (row->place > 0 && lua_geti(L, index, row->place) != LUA_TNIL) {
        if (word != LUA_TNIL)
            pc_refuse(L, "%s: '%s' and element %d of the list are the same; give one of them", schema->name, row->name,
                      row->place);
        lua_replace(L, -2);
    }
    lua_settop(L, copy + 1);
    if (row->symbol && lua_getfield(L, index, row->symbol) != LUA_TNIL) {
        if (!lua_isnil(L, copy + 1) && pc_schema_claim(schema, i, &given, &err)) pc_raise(L, &err);
        lua_replace(L, -2);
    }
    lua_settop(L, copy + 1);
    lua_setfield(L, copy, row->name);
}

/* Put a plain copy in the place of the table at `index`; the table of names is on top. */
static void copy_plain(lua_State *L, int index, const pc_schema *schema)
{
    int names = lua_gettop(L);
    lua_createtable(L, 0, schema->n_rows);
    int copy = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        int row = lua_type(L, -2) == LUA_TSTRING ? row_of(L, names) : row_at_place(L, schema);
        if (row < 0) check_key(L, schema);
        lua_pop(L, 1);
    }
    for (const pc_schema *s = schema; s; s = s->base)
        for (int i = 0; i < s->n_rows; i++) copy_row(L, index, s, i);
    for (lua_Integer i = 1; schema->list && lua_geti(L, index, i) != LUA_TNIL; i++) lua_rawseti(L, copy, i);
    lua_settop(L, copy);
    lua_replace(L, index);
}

uint64_t pc_options_take(lua_State *L, int index, const pc_schema *schema, void *object)
{
    index = lua_absindex(L, index);
    if (lua_gettop(L) < index) lua_settop(L, index);
    if (lua_isnil(L, index)) {
        lua_newtable(L);
        lua_replace(L, index);
    }
    begin(L, index, schema);
    copy_plain(L, index, schema);
    pc_schema_defaults(schema->base ? schema->base : schema, object);
    uint64_t given = read(L, index, schema, 0, object);
    lua_pop(L, 1);
    return given;
}

bool pc_option_push(lua_State *L, int index, const char *name)
{
    lua_pushstring(L, name);
    bool is_there = lua_rawget(L, index) != LUA_TNIL;
    if (!is_there) lua_pop(L, 1);
    return is_there;
}

const double *pc_option_numbers(lua_State *L, int index, const pc_schema *schema, const char *name, size_t *n)
{
    *n = 0;
    return pc_option_push(L, index, name) ? pc_list_numbers(L, schema, name, n) : NULL;
}

const double *pc_list_numbers(lua_State *L, const pc_schema *schema, const char *name, size_t *n)
{
    if (!pc_array_or_table(L, -1)) {
        pc_error err = {0};
        pc_schema_wrong_type(schema, pc_schema_find(schema, name), type_text(L, -1), &err);
        pc_raise(L, &err);
    }
    const int row = pc_schema_find(schema, name), list = lua_gettop(L);
    const pc_range *r = &schema->rows[row].allowed;
    const bool checked = schema->rows[row].kind == PC_NUMBERS && (r->lo != r->hi || r->lo_open);
    pc_error err = {0};
    const pc_array *array = pc_array_test(L, list);
    *n = array ? array->n : (size_t)lua_rawlen(L, list); /* a metatable may say a length that memory has not */
    double *copy = array ? NULL : lua_newuserdatauv(L, (*n ? *n : 1) * sizeof *copy, 0);
    for (size_t i = 0; i < *n && (copy || checked); i++) {
        if (copy) {
            if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TNUMBER)
                pc_refuse(L, "%s: %s[%I] must be a number, not %s", schema->name, name, (LUAI_UACINT)i + 1,
                          type_text(L, -1));
            copy[i] = lua_tonumber(L, -1);
            lua_pop(L, 1);
        }
        if (checked && pc_schema_check_number(schema, row, copy ? copy[i] : array->v[i], i + 1, &err))
            pc_raise(L, &err);
    }
    return copy ? copy : array->v;
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
    given = read(L, index, schema, given, object);
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
    case PC_CHOICE:
        lua_pushstring(L, isnan(pc_row_number(row, object)) ? NULL : row->choices[(int)pc_row_number(row, object)]);
        return;
    case PC_MATRIX: push_matrix(L, at); return;
    case PC_TEXT: lua_pushstring(L, at); return;
    case PC_STRING: lua_pushstring(L, *(const char *const *)at); return;
    case PC_VECTOR: break;
    default: lua_pushnil(L); return; /* an owner that wants it readable gives it a property */
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
        const pc_curve *curve = pc_row_curve(row, object);
        if (isnan(x) && !curve) continue;
        const char *value = amount;
        if (curve)
            value = curve->text;
        else if (row->kind == PC_CHOICE)
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

/* ---- rows of functions written in Lua ---- */

static const char *const lua_kinds[] = {
    [PC_REAL] = "number",   [PC_INTEGER] = "integer",   [PC_BOOLEAN] = "boolean",
    [PC_STRING] = "string", [PC_NUMBERS] = "array",     [PC_LIST] = "list",
    [PC_TABLE] = "table",   [PC_FUNCTION] = "function", [PC_ANYTHING] = "any",
};

/* The kind that a word means; another word is a type of percuss. */
static pc_kind kind_of(const char *word)
{
    for (int i = 0; i < (int)(sizeof lua_kinds / sizeof *lua_kinds); i++)
        if (lua_kinds[i] && strcmp(lua_kinds[i], word) == 0) return (pc_kind)i;
    return PC_OBJECT;
}

static const char *text_field(lua_State *L, int table, const char *key)
{
    lua_getfield(L, table, key);
    const char *text = lua_tostring(L, -1); /* the table keeps it */
    lua_pop(L, 1);
    return text;
}

/* A bound of the table in field `closed` or `open`. */
static double bound_field(lua_State *L, int table, const char *closed, const char *open, double none, bool *is_open)
{
    bool is_closed = lua_getfield(L, table, closed) == LUA_TNUMBER;
    *is_open = !is_closed;
    if (!is_closed) lua_getfield(L, table, open);
    double bound = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : none;
    lua_pop(L, is_closed ? 1 : 2);
    return bound;
}

enum { MOST_WORDS = 64 };

/* The row that the table at `index` describes (percuss.parameter). */
static pc_row read_row(lua_State *L, int index, const char *words[MOST_WORDS + 1])
{
    pc_row row = {.name = text_field(L, index, "name"), .kind = PC_ANYTHING, .allowed = PC_ANY};
    lua_getfield(L, index, "kinds");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
        const char *word = lua_tostring(L, -1);
        pc_kind kind = kind_of(word);
        if (kind == PC_OBJECT) row.object = word;
        if (i == 1)
            row.kind = kind;
        else
            row.also |= PC_ALSO(kind);
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    const char *unit = text_field(L, index, "unit");
    if (unit && !pc_unit_parse(unit, &row.unit)) row.written = unit;
    row.allowed.lo = bound_field(L, index, "least", "above", -INFINITY, &row.allowed.lo_open);
    row.allowed.hi = bound_field(L, index, "most", "below", INFINITY, &row.allowed.hi_open);
    if (lua_getfield(L, index, "choices") == LUA_TTABLE) {
        int n = 0;
        while (n < MOST_WORDS && lua_rawgeti(L, -1, n + 1) == LUA_TSTRING) {
            words[n++] = lua_tostring(L, -1);
            lua_pop(L, 1);
        }
        words[n] = NULL;
        row.choices = words;
        if (row.kind == PC_STRING) row.kind = PC_CHOICE;
    }
    lua_pop(L, 1);
    return row;
}

/* Where functions are called, what can be called is one; and a table of percuss is a table. */
static bool is_welcome(lua_State *L, const pc_row *row, int value)
{
    unsigned kinds = row->also | PC_ALSO(row->kind);
    if (kinds & PC_ALSO(PC_FUNCTION) && luaL_getmetafield(L, value, "__call") != LUA_TNIL) {
        lua_pop(L, 1);
        return true;
    }
    return kinds & PC_ALSO(PC_TABLE) && luaL_testudata(L, value, "percuss.table");
}

/* wrong(where, name, row, value) -> what is wrong with the value, or nil */
static int row_wrong(lua_State *L)
{
    lua_settop(L, 4);
    luaL_checkstack(L, 12, NULL);
    const char *words[MOST_WORDS + 1];
    pc_row row = read_row(L, 3, words);
    row.name = lua_tostring(L, 2);
    const pc_schema schema = {.name = lua_tostring(L, 1), .rows = &row, .n_rows = 1};
    pc_error err = {0};
    uint64_t given = 0;
    int choice;
    pc_status status;
    if (row.kind == PC_CHOICE && lua_type(L, 4) == LUA_TSTRING)
        status = pc_schema_set_word(&schema, 0, &choice, lua_tostring(L, 4), &given, &err);
    else if (is_welcome(L, &row, 4))
        status = PC_OK;
    else
        status = check_kept(L, &schema, 0, 4, &given, &err);
    if (status == PC_OK) return 0;
    lua_pushstring(L, err.text);
    return 1;
}

/* allowed(row) -> the range in words */
static int row_allowed(lua_State *L)
{
    char text[160];
    const char *words[MOST_WORDS + 1];
    lua_settop(L, 1);
    const pc_row row = read_row(L, 1, words);
    lua_pushstring(L, pc_range_text(&row, text, sizeof text));
    return 1;
}

/* unknown(where, name, words) -> what is wrong with the name */
static int row_unknown(lua_State *L)
{
    const char *words[MOST_WORDS];
    int n = 0;
    lua_settop(L, 3);
    while (n < MOST_WORDS && lua_rawgeti(L, 3, n + 1) == LUA_TSTRING) {
        words[n++] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    pc_error err = {0};
    pc_fail_unknown(luaL_checkstring(L, 1), luaL_checkstring(L, 2), words, n, &err);
    lua_pushstring(L, err.text);
    return 1;
}

int pc_row_core_open(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"wrong", row_wrong}, {"allowed", row_allowed}, {"unknown", row_unknown}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
