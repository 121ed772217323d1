/* Tables: named columns of equal length with units. What a table can do beyond holding them is in percuss.table (Lua).
 *
 * t.name is the column of that name, unless a method or property is called so: t:column(name) always is.
 */
#include "bind/array/array.h"
#include "bind/core/bind.h"

#include <string.h>

static pc_array *find_column(lua_State *L, int index, const char *name)
{
    lua_getiuservalue(L, index, PC_TABLE_COLUMNS);
    lua_getfield(L, -1, name);
    pc_array *column = pc_array_test(L, -1);
    lua_pop(L, 2);
    return column;
}

static int refuse_name(lua_State *L, int index, const char *name)
{
    enum { MOST = 256 };
    const char *words[MOST];
    int n = 0;
    lua_getiuservalue(L, index, PC_TABLE_NAMES);
    for (lua_Integer i = 1; n < MOST && lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
        words[n++] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    const char *near = pc_nearest(name, words, n);
    return near ? pc_refuse(L, "the table has no column '%s'; did you mean '%s'?", name, near)
                : pc_refuse(L, "the table has no column '%s'", name);
}

double *pc_table_column(lua_State *L, int index, const char *name)
{
    pc_array *column = find_column(L, index, name);
    if (column) return column->v;
    refuse_name(L, index, name);
    return NULL;
}

/* t:column(name), and __index for names that are neither properties nor methods */
static int table_column(lua_State *L)
{
    pc_type_check(L, 1, &pc_type_table);
    if (lua_type(L, 2) != LUA_TSTRING)
        return pc_refuse(L, "columns have names; t:row(i) gives the i-th row (the name was a %s)", luaL_typename(L, 2));
    const char *name = lua_tostring(L, 2);
    lua_getiuservalue(L, 1, PC_TABLE_COLUMNS);
    if (lua_getfield(L, -1, name) == LUA_TNIL) return refuse_name(L, 1, name);
    return 1;
}

/* ---- making ---- */

/* Entry { name, values, unit = } on top of the stack becomes a column of the table at `table`. */
static void add_column(lua_State *L, int table, int position)
{
    pc_bound_table *self = lua_touserdata(L, table);
    int entry = lua_gettop(L);
    if (!lua_istable(L, entry))
        pc_refuse(L, "table: column %d must be { name, values, unit = }, not a %s", position, luaL_typename(L, entry));
    if (lua_rawgeti(L, entry, 1) != LUA_TSTRING)
        pc_refuse(L, "table: column %d must begin with its name, not with a %s", position, luaL_typename(L, -1));
    const char *name = lua_tostring(L, -1);
    if (!*name) pc_refuse(L, "table: the name of column %d is empty", position);
    if (find_column(L, table, name)) pc_refuse(L, "table: there are two columns called '%s'", name);

    lua_rawgeti(L, entry, 2);
    if (!lua_istable(L, -1) && !pc_array_test(L, -1))
        pc_refuse(L, "table: column '%s' must hold an array or a list of numbers, not a %s", name,
                  luaL_typename(L, -1));
    const pc_array *values = pc_array_take(L, -1);
    if (position > 1 && values->n != self->n)
        pc_refuse(L, "table: column '%s' has %I values, but the columns before it have %I", name,
                  (LUAI_UACINT)values->n, (LUAI_UACINT)self->n);
    self->n = values->n;
    lua_getiuservalue(L, table, PC_TABLE_COLUMNS);
    lua_insert(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);

    lua_getiuservalue(L, table, PC_TABLE_UNITS);
    int type = lua_getfield(L, entry, "unit");
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        lua_pushliteral(L, "");
    } else if (type != LUA_TSTRING) {
        pc_refuse(L, "table: the unit of column '%s' must be a string, not a %s", name, lua_typename(L, type));
    }
    lua_setfield(L, -2, name);
    lua_getiuservalue(L, table, PC_TABLE_NAMES);
    lua_pushvalue(L, entry + 1);
    lua_rawseti(L, -2, position);
    lua_settop(L, entry);
}

/* __call of the table percuss.table, which is argument 1 */
static int make(lua_State *L)
{
    lua_remove(L, 1);
    pc_argument_type(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_type_new(L, &pc_type_table, sizeof(pc_bound_table), PC_TABLE_USERVALUES);
    for (int i = 1; i <= PC_TABLE_USERVALUES; i++) {
        if (i != PC_TABLE_INFO || lua_getfield(L, 1, "info") != LUA_TTABLE) {
            lua_settop(L, 2);
            lua_newtable(L);
        }
        lua_setiuservalue(L, 2, i);
    }
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, 1, i);
        add_column(L, 2, (int)i);
        lua_pop(L, 1);
    }
    return 1;
}

/* ---- rows ---- */

static int table_row(lua_State *L)
{
    const pc_bound_table *self = pc_type_check(L, 1, &pc_type_table);
    lua_Integer i = pc_argument_integer(L, 2);
    if (i < 1 || (size_t)i > self->n)
        return pc_refuse(L, "the table has %I rows, but no row %I", (LUAI_UACINT)self->n, (LUAI_UACINT)i);
    lua_settop(L, 2);
    lua_newtable(L);
    lua_getiuservalue(L, 1, PC_TABLE_NAMES);
    for (lua_Integer k = 1; lua_rawgeti(L, 4, k) == LUA_TSTRING; k++) {
        const double *column = pc_table_column(L, 1, lua_tostring(L, -1));
        lua_pushnumber(L, column[i - 1]);
        lua_rawset(L, 3);
    }
    lua_settop(L, 3);
    return 1;
}

/* t:rows(positions): a new table of those rows, in that order. */
static int table_rows(lua_State *L)
{
    const pc_bound_table *self = pc_type_check(L, 1, &pc_type_table);
    const pc_array *positions = pc_array_take(L, 2);
    lua_settop(L, 2);
    for (size_t k = 0; k < positions->n; k++) {
        double at = positions->v[k];
        if (!(at >= 1 && at <= (double)self->n && at == (double)(size_t)at))
            return pc_refuse(L, "rows: position %I is %f, but must be a whole number from 1 to %I", (LUAI_UACINT)k + 1,
                             at, (LUAI_UACINT)self->n);
    }
    pc_bound_table *out = pc_type_new(L, &pc_type_table, sizeof *out, PC_TABLE_USERVALUES);
    out->n = positions->n;
    lua_getiuservalue(L, 1, PC_TABLE_NAMES);
    lua_newtable(L); /* 5: the new columns */
    for (lua_Integer c = 1; lua_rawgeti(L, 4, c) == LUA_TSTRING; c++) {
        const double *from = pc_table_column(L, 1, lua_tostring(L, -1));
        pc_array *to = pc_array_new(L, out->n);
        for (size_t k = 0; k < out->n; k++) to->v[k] = from[(size_t)positions->v[k] - 1];
        lua_rawset(L, 5);
    }
    lua_settop(L, 5);
    lua_setiuservalue(L, 3, PC_TABLE_COLUMNS);
    lua_setiuservalue(L, 3, PC_TABLE_NAMES);
    lua_getiuservalue(L, 1, PC_TABLE_UNITS);
    lua_setiuservalue(L, 3, PC_TABLE_UNITS);
    lua_newtable(L);
    lua_setiuservalue(L, 3, PC_TABLE_INFO);
    return 1;
}

static int table_length(lua_State *L)
{
    const pc_bound_table *self = pc_type_check(L, 1, &pc_type_table);
    lua_pushinteger(L, (lua_Integer)self->n);
    return 1;
}

/* ---- properties: copies, so that a script cannot break what belongs together ---- */

static void push_names(lua_State *L, void *self)
{
    (void)self;
    lua_newtable(L);
    lua_getiuservalue(L, 1, PC_TABLE_NAMES);
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) lua_rawseti(L, -3, i);
    lua_pop(L, 2);
}

static void push_units(lua_State *L, void *self)
{
    (void)self;
    lua_newtable(L);
    lua_getiuservalue(L, 1, PC_TABLE_UNITS);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
}

static void push_info(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_TABLE_INFO);
}

/* The text of tostring is made in Lua. */
static void describe(lua_State *L, void *self)
{
    (void)self;
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.table");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "text");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
}

static const pc_property properties[] = {
    {"names", push_names, NULL, "list of the names of the columns"},
    {"units", push_units, NULL, "table of units by name"},
    {"info", push_info, NULL,
     "what else is known of it; of a sweep: computed, skipped, failed, failures, seconds, ..."},
    {0},
};

static const pc_row name_params[] = {
    {.name = "name", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the column"}, {0}};
static const pc_row row_params[] = {
    {.name = "i", .kind = PC_INTEGER, .initial = PC_REQUIRED, .doc = "number of the row"}, {0}};
static const pc_row rows_params[] = {{.name = "positions",
                                      .kind = PC_NUMBERS,
                                      .also = PC_ALSO(PC_TABLE),
                                      .initial = PC_REQUIRED,
                                      .doc = "numbers of rows, in the wanted order"},
                                     {0}};

static const pc_function methods[] = {
    {"column", table_column, "A column, whatever its name; t.name does the same where no method is called so.",
     name_params, "array", NULL,
     "local t = percuss.table{ { \"x\", { 1, 2, 3 }, unit = \"m\" } }\nprint(t:column \"x\", t.x == t:column \"x\")\n"
     "--> array[3] {1, 2, 3}\ttrue"},
    {"row", table_row, "One row as a table of numbers by column.", row_params,
     "table: numbers by the names of the columns", NULL,
     "print(percuss.table{ { \"x\", { 1, 2, 3 } } }:row(2).x)\n--> 2.0"},
    {"rows", table_rows, "A table of some rows, in the order given; a row may come twice.", rows_params,
     "percuss table", NULL, "print(percuss.table{ { \"x\", { 1, 2, 3 } } }:rows{ 3, 1 }.x)\n--> array[2] {3, 1}"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", table_column}, {"__len", table_length}, {NULL, NULL}};

const pc_type pc_type_table = {
    .name = "percuss.table",
    .summary = "Columns of numbers of one length with names and units: t.name is an array, #t the number of rows.",
    .properties = properties,
    .methods = methods,
    .metamethods = metamethods,
    .describe = describe,
};

static const pc_row make_params[] = {
    {.name = "columns",
     .kind = PC_TABLE,
     .initial = PC_REQUIRED,
     .doc = "list of { name, values, unit = }, arrays or lists of one length, as percuss.csv.read gives it"},
    {0},
};

static const pc_function constructor = {
    "table",
    make,
    "A table of columns with names and units.",
    make_params,
    "percuss table",
    NULL,
    "local t = percuss.table{ { \"speed\", { 1, 2 }, unit = \"m/s\" }, { \"loss\", { 0.1, 0.4 } } }\n"
    "print(#t, t.units.speed, t.loss[2])\n--> 2\tm/s\t0.4"};

void pc_open_table(lua_State *L)
{
    pc_type_open(L, &pc_type_table);
    lua_newtable(L);
    pc_register_callable(L, "", &constructor);
    pc_module_strict(L, "table");
    lua_setfield(L, -2, "table");
}
