/* Impacts of one contact at frozen configuration by any law: its own way, or the motion of its element
 * (element_impact.h). */
#ifndef PC_ENGINE_COLLIDE_H
#define PC_ENGINE_COLLIDE_H

#include "law/law.h"

#include <stdbool.h>

/* As pc_law.impact, of laws that are elements as well; and states of an impact at times in ascending order, s, for
 * which it is made again. */
pc_status pc_law_impact(const pc_law *law, const void *params, const pc_mobility *W, const double v0[3], pc_impact *out,
                        pc_error *err);
pc_status pc_law_trace(const pc_law *law, const void *params, const pc_mobility *W, const pc_impact *impact,
                       const double *times, size_t n, pc_state *out, pc_error *err);

/* Kinematic restitution of a central impact on a body of mass 1/w_nn with the speed v > 0; NaN with `err` filled. */
double pc_law_restitution(const pc_law *law, const void *params, double w_nn, double v, pc_error *err);

/* Many impacts of one law at once, block by block in threads. A law with a batch kernel sets pc_law.map; the others are
 * called point by point.
 */

enum { PC_MAP_ROWS_MAX = 64 };

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

typedef struct pc_map {
    pc_map_columns columns;
    const pc_map_filler *filler; /* NULL: all columns are there */
    double energy;               /* before, where the filler does not compute it */
    double *fraction;            /* out: loss over energy before */
    double *before_t, *before_n; /* out: v_t and v_n */
} pc_map;

/* Run the map, in up to `threads` threads where the law has a batch kernel; results do not depend on their number.
 * Points that cannot be solved read NaN in every column and are counted in `failed`; `err` then holds the first reason.
 * Points that do not approach have the outcome PC_OUTCOME_NONE and keep their velocities. */
pc_status pc_law_map(const pc_law *law, const pc_map *map, int threads, size_t *failed, pc_error *err);

#endif
