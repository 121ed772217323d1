/* The stick-slip law with linear springs in space: see sledge3d.c for the law and sledge3d/run.c for its solution. */
#ifndef PC_LAW_SLEDGE3D_SLEDGE3D_H
#define PC_LAW_SLEDGE3D_SLEDGE3D_H

#include "law/law.h"

typedef struct pc_sledge3d {
    double kn, kt, eta, mu, restitution;
} pc_sledge3d;

/* States wanted on the way: `times` in ascending order, s; a time beyond the end gives the state at the end. */
typedef struct pc_sledge3d_trace {
    const double *times;
    size_t n;
    pc_state *states;
} pc_sledge3d_trace;

/* One impact, v0[PC_N] < 0, W with its rank. `out` is initialised and has v0 and energy0; `trace` may be NULL. */
pc_status pc_sledge3d_solve(const pc_sledge3d *law, const pc_mobility *W, const pc_sledge3d_trace *trace,
                            pc_impact *out, pc_error *err);

extern const pc_law pc_law_sledge3d;

#endif
