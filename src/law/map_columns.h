/* Columns of many impacts of one law at once.
 *
 * Inputs are columns: an array of n values, or one value for all. Parameters of the law come as one column per row of
 * its schema, in SI units, already checked and with every alternative derived.
 */
#ifndef PC_LAW_MAP_COLUMNS_H
#define PC_LAW_MAP_COLUMNS_H

#include <stddef.h>

typedef struct pc_map_column {
    const double *values; /* NULL: `fixed` everywhere */
    double fixed;
} pc_map_column;

typedef enum pc_map_output {
#define PC_MAP_OUTPUT(id, name, unit, doc) PC_MAP_##id,
#include "law/map_outputs.def"
#undef PC_MAP_OUTPUT
    PC_N_MAP_OUTPUTS
} pc_map_output;

typedef struct pc_map_columns {
    size_t n;
    pc_map_column w_tt, w_tn, w_nn, rank; /* mobility in the plane, 1/kg */
    pc_map_column v_t, v_n;               /* contact point before, m/s */
    const void *params;                   /* of the law: what the columns do not change */
    const pc_map_column *rows;            /* NULL: params for all; else schema->n_rows columns (REAL rows are used) */
    double *out[PC_N_MAP_OUTPUTS];        /* n numbers each; NULL: not wanted */
} pc_map_columns;

#endif
