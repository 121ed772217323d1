/* Tables: named columns of equal length with units, as userdata. */
#ifndef PC_BIND_ARRAY_TABLE_H
#define PC_BIND_ARRAY_TABLE_H

#include "bind/core/bind.h"

#include <stddef.h>

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
