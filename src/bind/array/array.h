/* For the files of the array binding only: the lists of methods they contribute, and what they share. */
#ifndef PC_BIND_ARRAY_ARRAY_H
#define PC_BIND_ARRAY_ARRAY_H

#include "bind/core/bind.h"

#include <stddef.h>

/* Methods by file; each list ends with a NULL name. */
extern const pc_function pc_array_methods_access[]; /* access.c */
extern const pc_function pc_array_methods_each[];   /* each.c */
extern const pc_function pc_array_methods_unary[];
extern const pc_function pc_array_methods_sum[];   /* reduce.c */
extern const pc_function pc_array_methods_order[]; /* reduce.c */
extern const pc_function pc_array_methods_csv[];   /* csv.c */

/* Functions of the table percuss.array and of percuss itself. */
extern const pc_function pc_array_functions_make[]; /* array.c */
extern const pc_function pc_array_functions_top[];
extern const pc_function pc_array_functions_each[];  /* each.c */
extern const pc_function pc_array_functions_csv[];   /* csv.c */
extern const pc_function pc_array_functions_order[]; /* reduce.c; of percuss itself */

/* The table percuss.csv into percuss, which is on top of the stack. */
void pc_array_open_csv(lua_State *L); /* csv.c */

/* pc.array(...) */
extern const pc_function pc_array_constructor;

/* Metamethods. */
extern const luaL_Reg pc_array_arithmetic[]; /* each.c */
int pc_array_newindex(lua_State *L);         /* access.c */
int pc_array_element(lua_State *L);          /* a[i] and a[mask]; asked for keys that are not strings */
void pc_array_describe(lua_State *L, void *self);

/* Raise the error of a failed status. */
void pc_array_ok(lua_State *L, pc_status status, const pc_error *err);

/* The number or array at `index`; *n becomes its length where it is an array (it starts as SIZE_MAX) and unequal
 * lengths raise an error. */
pc_operand pc_array_operand(lua_State *L, int index, size_t *n);

/* A position 1..most given as argument `index`, or `initial` where the argument is absent; 0-based. */
size_t pc_array_position(lua_State *L, int index, size_t most, lua_Integer initial);

/* New array with the elements of `a` where the mask at `index` is not zero. */
int pc_array_push_where(lua_State *L, const pc_array *a, int index);

/* A count of elements given as argument `index`. */
size_t pc_array_count_argument(lua_State *L, int index);

/* Tables: named columns of equal length with units, as userdata. */

/* What the columns are is in the user values: a table of arrays by name, the list of names, a table of units by name,
 * and a table with whatever else belongs to the table. Invariant: every array has n elements. */
typedef struct pc_bound_table {
    size_t n;
} pc_bound_table;

enum { PC_TABLE_COLUMNS = 1, PC_TABLE_NAMES, PC_TABLE_UNITS, PC_TABLE_INFO, PC_TABLE_USERVALUES = 4 };

extern const pc_type pc_type_table;

/* The column called `name` of the table at `index`; an error names the nearest one. It is not on the stack, but the
 * table keeps it alive. */
double *pc_table_column(lua_State *L, int index, const char *name);

#endif
