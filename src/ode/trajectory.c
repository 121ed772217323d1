/* Arcs and their coefficients in two pools: see trajectory.h. */
#include "ode/trajectory.h"

pc_status pc_trajectory_append(pc_trajectory *trajectory, const pc_dense *dense, double stop, pc_error *err)
{
    pc_pool *coefficients = &trajectory->coefficients;
    size_t first = coefficients->used, count = (size_t)dense->n * (size_t)(dense->degree + 1);
    pc_arc arc = {dense->t, dense->h, stop, dense->n, dense->degree, first};
    pc_status status = pc_pool_append(coefficients, dense->c, count, sizeof *dense->c, err);
    if (status == PC_OK) status = pc_pool_append(&trajectory->arcs, &arc, 1, sizeof arc, err);
    if (status == PC_OK) return PC_OK;
    coefficients->used = first;
    return pc_fail_at(err, status, stop, "memory", "not enough memory to record the motion at t = %.17g", stop);
}

size_t pc_trajectory_find(const pc_trajectory *trajectory, double t, int side)
{
    size_t lo = 0, hi;
    const pc_arc *arcs = pc_trajectory_arcs(trajectory, &hi);
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        double left = arcs[middle].h > 0 ? arcs[middle].stop - t : t - arcs[middle].stop;
        if (left > 0 || (left == 0 && side < 0))
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

pc_dense pc_trajectory_dense(const pc_trajectory *trajectory, size_t arc)
{
    const pc_arc *a = (const pc_arc *)trajectory->arcs.data + arc;
    return (pc_dense){a->t, a->h, a->n, a->degree, (double *)trajectory->coefficients.data + a->coefficient};
}

size_t pc_trajectory_at(const pc_trajectory *trajectory, double t, int side, int n, double *y)
{
    size_t arc = pc_trajectory_find(trajectory, t, side);
    if (arc == trajectory->arcs.used) arc--;
    pc_dense dense = pc_trajectory_dense(trajectory, arc);
    dense.n = n;
    pc_dense_eval(&dense, pc_dense_place(&dense, t), y);
    return arc;
}

void pc_trajectory_free(pc_trajectory *trajectory)
{
    pc_pool_free(&trajectory->arcs);
    pc_pool_free(&trajectory->coefficients);
}
