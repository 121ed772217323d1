/* Userdata from type records, and functions that cannot exist without their documentation.
 *
 * Two forms of payload. Inline: the C struct lives inside the userdata (impacts, laws, bodies, arrays). Owner: the
 * userdata holds a struct whose pointers are freed by `free`. Always create the userdata first, in an empty state
 * with its metatable, and fill it afterwards: an error in between leaves nothing behind.
 *
 * No luaL_Buffer, string building or table access while heap memory is held that no userdata owns.
 */
#ifndef PC_BIND_CORE_BIND_H
#define PC_BIND_CORE_BIND_H

#include "base/row.h"
#include "base/status.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

/* A function with its documentation; it cannot be registered without a summary, and `example` runs as a test (its
 * printed output is compared with the lines after "-->"). The list of its arguments ends with a NULL name; they have no
 * members. */
typedef struct pc_function {
    const char *name;
    lua_CFunction call;
    const char *summary;
    const pc_row *params; /* NULL: none */
    const char *returns;  /* "number (J)", or NULL */
    const char *source;   /* literature, or NULL */
    const char *example;
} pc_function;

/* The list of arguments of a function that takes one table, with the parameters of a schema. */
#define PC_TAKES(schema)                                                                                               \
    ((const pc_row[]){{.name = "options", .kind = PC_TABLE, .initial = PC_REQUIRED, .options = &(schema)}, {0}})

/* A value computed from an object and read as a field: pushes exactly one value. */
typedef struct pc_property {
    const char *name;
    void (*push)(lua_State *L, void *self); /* the userdata is at index 1 of the stack */
    const char *unit;                       /* "" for pure numbers, NULL where it has no meaning */
    const char *doc;
} pc_property;

typedef struct pc_type {
    const char *name;              /* "percuss.impact": also the key of the metatable */
    const char *summary;           /* one sentence */
    const pc_property *properties; /* ends with a NULL name; may be NULL */
    const pc_function *methods;    /* ends with a NULL name; may be NULL */
    const luaL_Reg *metamethods;   /* __add, __len, ...; may be NULL. __index given here is asked last, for names
                                       and keys that are neither property nor method */
    void (*free)(void *self);      /* frees what the payload owns; called once, by __close or the collector: any later
                                      use of the object is the error "the figure was closed" */
    bool (*in_use)(const void *self); /* a function of it is running, which may call a script; NULL: none does */
    void (*describe)(lua_State *L, void *self); /* pushes the text of tostring */
} pc_type;

/* Make the metatable of a type (once a state) and enter the type in the register. Leaves the stack as it was. */
void pc_type_open(lua_State *L, const pc_type *type);

/* A new zeroed userdata of `size` bytes, with metatable and `uservalues` user values, on top of the stack. */
void *pc_type_new(lua_State *L, const pc_type *type, size_t size, int uservalues);

/* Payload at `index`; raises an argument error that names both types, or returns NULL for pc_type_test. */
void *pc_type_check(lua_State *L, int index, const pc_type *type);
void *pc_type_test(lua_State *L, int index, const pc_type *type);

/* Register functions into the table on top of the stack; `path` is the table's name in scripts ("array", "contact";
 * "" for percuss itself). */
void pc_functions_open(lua_State *L, const char *path, const pc_function *functions);

/* Set a documented constant in the table on top of the stack. */
void pc_constant_open(lua_State *L, const char *path, const char *name, double value, const char *unit,
                      const char *doc);

/* Register a constructor: a closure of `call` with the light userdata `context` as upvalue 1, described by a
 * schema, in the table on top of the stack under the last part of schema->name. */
void pc_constructor_open(lua_State *L, const pc_schema *schema, lua_CFunction call, const void *context);

/* Read the options table at `index` into `object` (schema->size bytes, which Lua must own). Unknown names, wrong
 * types and values outside their range raise an error that says what is allowed. The table is not changed. Rows of
 * kind PC_OBJECT accept a userdata of the type "percuss." followed by row->object, whose payload is copied. Returns
 * which rows were given, bit i for row i. */
uint64_t pc_options_read(lua_State *L, int index, const pc_schema *schema, void *object);

/* The same for an object like another of the schema, of which the rows in `given` were given: those in the table take
 * the place of theirs and of their alternatives. */
uint64_t pc_options_change(lua_State *L, int index, const pc_schema *schema, const void *from, uint64_t given,
                           void *object);

/* The same where values of the script are among the rows, or places of the table's list: a plain copy takes its place
 * at `index`, an empty one where nothing is given, with everything under its word. What a metatable gives is asked
 * once. From the copy the caller fetches what the object does not hold; its types are right. `object` may be NULL
 * where no row has a member. */
uint64_t pc_options_take(lua_State *L, int index, const pc_schema *schema, void *object);

/* Push the value of the word in a table of pc_options_take, if it is there. */
bool pc_option_push(lua_State *L, int index, const char *name);

/* The numbers of a list or array in such a table, and their count; NULL: it is not there. Each is within the range of
 * its row, if that has one. What is returned stays on the stack, with what it lies in. */
const double *pc_option_numbers(lua_State *L, int index, const pc_schema *schema, const char *name, size_t *n);

/* Those of the list or array on top of the stack, which belong to the row called `name`. */
const double *pc_list_numbers(lua_State *L, const pc_schema *schema, const char *name, size_t *n);

/* For the part of the library written in Lua, as require "percuss.row_core": its reader (percuss.argument) asks there
 * what is wrong with a value by a row, so that both readers say the same. */
int pc_row_core_open(lua_State *L);

/* Push the value of one row of an object; numbers that are absent (NaN) as nil. */
void pc_row_push(lua_State *L, const pc_row *row, const void *object);

/* Push the one-line form of an object: "contact.linear{ friction = 0.5, ... }". */
void pc_schema_push_text(lua_State *L, const pc_schema *schema, const void *object);

/* Make the table on top of the stack a record: reading a name that it has not is an error with the nearest one, unless
 * it is one of the words "a b c" that may be absent. Pairs, new fields and other keys are as in any table. `optional`
 * must be a constant; its address is a key in the registry. */
void pc_record_seal(lua_State *L, const char *optional);

/* A type of records: tables with the fields that its properties name (push is NULL), under which help, completion and
 * the annotations for editors know them. A field that a record has not is nil, any other name an error. */
void pc_record_open(lua_State *L, const pc_type *type);

/* Make the table on top of the stack a record of the type. */
void pc_record_make(lua_State *L, const pc_type *type);

/* For the part of the library written in Lua, as require "percuss.record_type": (name, list of { name =, unit = })
 * makes such a type and returns its metatable; (name) returns that of a type there is. */
int pc_record_define(lua_State *L);

/* For an __index of one's own: the record at index 1 has no name as at index 2. Raises, or returns 0 if it may be
 * absent. */
int pc_record_missing(lua_State *L, const char *optional);

/* Let the metatable on top of the stack make text of a record as the prompt shows it. */
void pc_record_say(lua_State *L);

/* As luaL_error, but told of the line of the script that called the library, however deep in the part of the library
 * that is written in Lua the mistake was found. In Lua: require "percuss.refuse"(text). */
__attribute__((noreturn)) int pc_refuse(lua_State *L, const char *format, ...);
int pc_refuse_text(lua_State *L);

/* Raise the error in the record: argument errors with the position in the script; others as an error object
 * (table with fields code, message, time, quantity and a __tostring). Never returns; int for `return pc_raise()`. */
int pc_raise(lua_State *L, const pc_error *err);

/* The error object alone, on top of the stack: { code, message, time, quantity }, printed as its message. */
void pc_error_push(lua_State *L, const pc_error *err);

/* For the environment (files, displays): pushes nil, message, code and returns 3. */
int pc_push_failure(lua_State *L, const pc_error *err);

/* Modules: each opens itself into the table percuss, which is on top of the stack, and leaves the stack balanced.
 * The list is modules.def; open.c runs it. */
#define PC_MODULE(name) void pc_open_##name(lua_State *L);
#include "bind/core/modules.def"
#undef PC_MODULE

/* require "percuss" */
int luaopen_percuss(lua_State *L);

/* Make `require "percuss"` and `require "percuss.study"` work in a host that has percuss linked in. */
void pc_percuss_preload(lua_State *L);

#endif
