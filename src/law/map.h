/* Many impacts of one law at once.
 *
 * Inputs are columns: an array of n values, or one value for all. Parameters of the law come as one column per row of
 * its schema, in SI units, already checked and with every alternative derived. A law with a batch kernel sets
 * pc_law.map; the others are called point by point.
 */
#ifndef PC_LAW_MAP_H
#define PC_LAW_MAP_H

#include "law/law.h"

#include <stdbool.h>

typedef struct pc_column {
    const double *values; /* NULL: `fixed` everywhere */
    double fixed;
} pc_column;

typedef enum pc_map_output {
#define PC_MAP_OUTPUT(id, name, unit, doc) PC_MAP_##id,
#include "law/map_outputs.def"
#undef PC_MAP_OUTPUT
    PC_N_MAP_OUTPUTS
} pc_map_output;

enum { PC_MAP_THREADS_MAX = 64, PC_MAP_ROWS_MAX = 64 };

/* Columns of one block of points, to be computed; NULL: not this one. */
typedef struct pc_map_block {
    double *w_tt, *w_tn, *w_nn, *rank, *v_t, *v_n, *energy;
    double *rows[PC_MAP_ROWS_MAX];
} pc_map_block;

/* Computes the input columns that no array holds, block by block in the thread that runs the block: they stay in its
 * cache, and no column of all points is needed. An error ends the map; of several the first in order is reported. */
typedef struct pc_map_filler {
    pc_status (*fill)(const void *context, size_t first, size_t n, const pc_map_block *block, pc_error *err);
    const void *context;
    bool mobility, motion, rows; /* what it computes; with the motion also the energy */
} pc_map_filler;

struct pc_map {
    size_t n;
    pc_column w_tt, w_tn, w_nn, rank; /* mobility in the plane, 1/kg */
    pc_column v_t, v_n;               /* contact point before, m/s */
    const void *params;               /* of the law: what the columns do not change */
    const pc_column *rows;            /* NULL: params for all; else schema->n_rows columns (REAL rows are used) */
    const pc_map_filler *filler;      /* NULL: all columns are there */
    double energy;                    /* before, where the filler does not compute it */
    double *out[PC_N_MAP_OUTPUTS];    /* n numbers each; NULL: not wanted */
    double *fraction;                 /* out: loss over energy before */
    double *before_t, *before_n;      /* out: v_t and v_n */
};

/* Run the map, in up to `threads` threads where the law has a batch kernel; results do not depend on their number.
 * Points that cannot be solved read NaN in every column and are counted in `failed`; `err` then holds the first reason.
 * Points that do not approach have the outcome PC_OUTCOME_NONE and keep their velocities. */
pc_status pc_law_map(const pc_law *law, const pc_map *map, int threads, size_t *failed, pc_error *err);

#endif
