/* Tables of arrays in files: pc.csv.read, pc.csv.write, pc.array.from_csv, a:to_csv.
 *
 * What a file does wrong is returned (nil, message, code); what a script does wrong is raised.
 */
#include "bind/array/array.h"
#include "bind/core/bind.h"
#include "math/csv.h"

#include <string.h>

/* The table being read belongs to a userdata while arrays are made from it: any of them may raise an error. */
static const char reader_type[] = "percuss.csv_reader";

static int reader_gc(lua_State *L)
{
    pc_csv_free(luaL_checkudata(L, 1, reader_type));
    return 0;
}

static pc_csv *push_reader(lua_State *L)
{
    pc_csv *table = lua_newuserdatauv(L, sizeof *table, 0);
    *table = (pc_csv){0};
    if (luaL_newmetatable(L, reader_type)) {
        lua_pushcfunction(L, reader_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return table;
}

/* 0, or the number of results that tell of the failure. */
static int failure(lua_State *L, pc_status status, const pc_error *err)
{
    if (status == PC_OK) return 0;
    if (status == PC_E_SYSTEM) return pc_push_failure(L, err);
    pc_array_ok(L, status, err);
    return 0;
}

static pc_array *push_column(lua_State *L, const pc_csv *table, size_t column)
{
    pc_array *a = pc_array_push_unset(L, table->n_rows);
    const double *v = table->values + column;
    for (size_t i = 0; i < a->n; i++) a->v[i] = v[i * table->n_columns];
    return a;
}

enum { ONE = 2 }; /* bytes of a text of one character */

typedef struct read_options {
    char separator[ONE];
} read_options;

static const pc_row read_rows[] = {
    {.name = "missing",
     .kind = PC_STRING,
     .also = PC_ALSO(PC_LIST),
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc = "fields that stand for a number that is not there and become nan: \"\" for empty ones, \"NA\", or a list"},
    {.name = "separator",
     .kind = PC_TEXT,
     .offset = offsetof(read_options, separator),
     .count = ONE,
     .initial = PC_ABSENT,
     .otherwise = "\",\"",
     .doc = "what stands between fields: one character, as \";\" or a tab"},
    {.name = "columns",
     .kind = PC_LIST,
     .initial = PC_ABSENT,
     .otherwise = "all",
     .doc = "names of the columns to read, in this order; the others may hold text"},
};
static const pc_schema read_schema = {.name = "csv.read", PC_ROWS(read_rows), .size = sizeof(read_options)};

/* The words of an option, a text or a list of texts, as a block on the stack; *n of them. */
static const char *const *words_of(lua_State *L, int options, const char *name, size_t *n)
{
    *n = 0;
    if (!pc_option_push(L, options, name)) return NULL;
    if (lua_type(L, -1) == LUA_TSTRING) {
        lua_createtable(L, 1, 0);
        lua_insert(L, -2);
        lua_rawseti(L, -2, 1);
    }
    *n = lua_rawlen(L, -1);
    const char **words = lua_newuserdatauv(L, (*n + 1) * sizeof *words, 0);
    for (size_t i = 0; i < *n; i++) {
        if (lua_rawgeti(L, -2, (lua_Integer)i + 1) != LUA_TSTRING)
            pc_refuse(L, "csv.read: %s must be texts; number %I is a %s", name, (LUAI_UACINT)i + 1,
                      luaL_typename(L, -1));
        words[i] = lua_tostring(L, -1); /* the list holds it */
        lua_pop(L, 1);
    }
    return words;
}

static int csv_read(lua_State *L)
{
    lua_settop(L, 2);
    const char *path = pc_argument_string(L, 1);
    read_options options;
    pc_options_take(L, 2, &read_schema, &options);
    pc_csv_format format = {.separator = options.separator[0]};
    if (format.separator == '"' || format.separator == '\n')
        pc_refuse(L, "csv.read: separator must be another character than a quote or the end of a line");
    format.missing = words_of(L, 2, "missing", &format.n_missing);
    format.columns = words_of(L, 2, "columns", &format.n_columns);
    pc_csv *table = push_reader(L);
    pc_error err = {0};
    int results = failure(L, pc_csv_read(table, path, &format, &err), &err);
    if (results) return results;
    lua_createtable(L, 0, (int)table->n_columns);
    lua_createtable(L, (int)table->n_columns, 0);
    for (size_t i = 0; i < table->n_columns; i++) {
        const pc_csv_header *header = &table->headers[i];
        lua_createtable(L, 2, 1);
        lua_pushstring(L, header->name);
        lua_rawseti(L, -2, 1);
        push_column(L, table, i);
        lua_pushvalue(L, -1);
        lua_setfield(L, -5, header->name);
        lua_rawseti(L, -2, 2);
        lua_pushstring(L, header->unit);
        lua_setfield(L, -2, "unit");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    pc_csv_free(table);
    return 2;
}

/* Column named or numbered by argument 2; the first without it. */
static size_t column_argument(lua_State *L, const pc_csv *table)
{
    if (lua_type(L, 2) != LUA_TSTRING) {
        lua_Integer i = pc_argument_integer_or(L, 2, 1);
        if (i < 1 || (size_t)i > table->n_columns)
            pc_argument_error(L, 2, lua_pushfstring(L, "is not one of the %d columns", (int)table->n_columns));
        return (size_t)i - 1;
    }
    enum { MOST = 256 };
    const char *name = lua_tostring(L, 2), *words[MOST];
    int n = 0;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (strcmp(table->headers[i].name, name) == 0) return i;
        if (n < MOST) words[n++] = table->headers[i].name;
    }
    const char *near = pc_nearest(name, words, n);
    if (near) pc_refuse(L, "'%s' has no column '%s'; did you mean '%s'?", lua_tostring(L, 1), name, near);
    pc_refuse(L, "'%s' has no column '%s'", lua_tostring(L, 1), name);
    return 0;
}

static int array_from_csv(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    lua_settop(L, 2);
    pc_csv *table = push_reader(L);
    pc_error err = {0};
    int results = failure(L, pc_csv_read(table, path, NULL, &err), &err);
    if (results) return results;
    push_column(L, table, column_argument(L, table));
    pc_csv_free(table);
    return 1;
}

/* Pushes the path, or the failure. */
static int write_columns(lua_State *L, const char *path, const pc_csv_column *columns, size_t n_columns, size_t n_rows)
{
    pc_error err = {0};
    int results = failure(L, pc_csv_write(path, columns, n_columns, n_rows, &err), &err);
    if (results) return results;
    lua_pushstring(L, path);
    return 1;
}

/* A string field of the entry on top of the stack, kept alive by the entry; NULL where it is absent. */
static const char *entry_string(lua_State *L, lua_Integer i, const char *field)
{
    int type = field ? lua_getfield(L, -1, field) : lua_rawgeti(L, -1, 1);
    if (type != LUA_TSTRING && !(field && type == LUA_TNIL))
        pc_refuse(L, "column %I: %s must be a string, not a %s", (LUAI_UACINT)i, field ? field : "the name",
                  luaL_typename(L, -1));
    const char *text = lua_tostring(L, -1);
    lua_pop(L, 1);
    return text;
}

/* csv.write(path, { { name, array, unit = }, ... }) */
static int csv_write(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    pc_argument_type(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
    if (n == 0) return pc_argument_error(L, 2, "must have at least one column");
    /* lists given instead of arrays become arrays, which this table keeps alive */
    lua_createtable(L, (int)n, 0);
    pc_csv_column *columns = lua_newuserdatauv(L, (size_t)n * sizeof *columns, 0);
    size_t n_rows = 0;
    for (lua_Integer i = 1; i <= n; i++) {
        if (lua_rawgeti(L, 2, i) != LUA_TTABLE)
            return pc_refuse(L, "column %I must be { name, array, unit = }, not a %s", (LUAI_UACINT)i,
                             luaL_typename(L, -1));
        pc_csv_column *column = &columns[i - 1];
        column->name = entry_string(L, i, NULL);
        column->unit = entry_string(L, i, "unit");
        lua_rawgeti(L, -1, 2);
        if (lua_type(L, -1) != LUA_TTABLE && !pc_array_test(L, -1))
            return pc_refuse(L, "column '%s' must hold an array, not a %s", column->name, luaL_typename(L, -1));
        const pc_array *a = pc_array_take(L, -1);
        if (i > 1 && a->n != n_rows)
            return pc_refuse(L, "column '%s' has %I elements, but the columns before it have %I", column->name,
                             (LUAI_UACINT)a->n, (LUAI_UACINT)n_rows);
        n_rows = a->n;
        column->values = a->v;
        lua_rawseti(L, 3, i);
        lua_pop(L, 1);
    }
    return write_columns(L, path, columns, (size_t)n, n_rows);
}

static int array_to_csv(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    const char *path = pc_argument_string(L, 2);
    pc_csv_column column = {pc_argument_string_or(L, 3, "value"), pc_argument_string_or(L, 4, ""), a->v};
    return write_columns(L, path, &column, 1, a->n);
}

static const pc_row read_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &read_schema,
     .initial = PC_ABSENT,
     .otherwise = "{}",
     .doc = "how a file is written that is not percuss's"},
    {0},
};
static const pc_row write_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "columns",
     .kind = PC_TABLE,
     .initial = PC_REQUIRED,
     .doc = "list of { name, array, unit = }, arrays of one length"},
    {0},
};
static const pc_row from_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "column",
     .kind = PC_STRING,
     .also = PC_ALSO(PC_INTEGER),
     .initial = PC_ABSENT,
     .otherwise = "1",
     .doc = "name or number of the column"},
    {0},
};
static const pc_row to_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "name", .kind = PC_STRING, .initial = PC_ABSENT, .otherwise = "\"value\"", .doc = "header of the column"},
    {.name = "unit",
     .kind = PC_STRING,
     .initial = PC_ABSENT,
     .otherwise = "\"\"",
     .doc = "unit, written in brackets behind the name"},
    {0},
};

const pc_function pc_array_functions_csv[] = {
    {"from_csv", array_from_csv, "One column of a CSV file.", from_params, "array; or nil, message, code", NULL,
     "pc.array{ 1, 2 }:to_csv \"v.csv\"\nprint(pc.array.from_csv \"v.csv\") --> array[2] {1, 2}"},
    {0},
};

const pc_function pc_array_methods_csv[] = {
    {"to_csv", array_to_csv, "Write the array as a CSV file of one column; the file appears whole or not at all.",
     to_params, "the path; or nil, message, code", NULL,
     "pc.array{ 1, 2 }:to_csv(\"v.csv\", \"v\", \"m/s\")\nprint(io.lines(\"v.csv\")()) --> v [m/s]"},
    {0},
};

static const pc_function functions[] = {
    {"read", csv_read,
     "A CSV file of numbers with headers \"name [unit]\": a table of arrays by name, and a list of "
     "{ name, array, unit = } in the order of the file, as pc.csv.write takes it.",
     read_params, "table, list; or nil, message, code", "RFC 4180",
     "pc.csv.write(\"x.csv\", { { \"t\", pc.array{ 0, 1 }, unit = \"s\" }, { \"x\", pc.array{ 5, 7 } } })\n"
     "local column, list = pc.csv.read \"x.csv\"\nprint(column.x, list[1][1], list[1].unit) "
     "--> array[2] {5, 7}\tt\ts"},
    {"write", csv_write,
     "Write arrays as the columns of a CSV file. Numbers read back exactly; the file appears whole or not at all.",
     write_params, "the path; or nil, message, code", "RFC 4180",
     "print(pc.csv.write(\"x.csv\", { { \"x\", pc.array{ 5, 7 } } })) --> x.csv"},
    {0},
};

/* percuss is on top of the stack. */
void pc_array_open_csv(lua_State *L)
{
    lua_newtable(L);
    pc_functions_open(L, "csv", functions);
    pc_module_strict(L, "csv");
    lua_setfield(L, -2, "csv");
}
