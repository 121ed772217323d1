/* Many impacts of one law at once: see map.h. */
#include "contact/map.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <string.h>

static double at(pc_column column, size_t i)
{
    return column.values ? column.values[i] : column.fixed;
}

static void put(const pc_map *map, pc_map_output which, size_t i, double value)
{
    if (map->out[which]) map->out[which][i] = value;
}

static void put_impact(const pc_map *map, size_t i, const pc_impact *hit)
{
    put(map, PC_MAP_VT, i, hit->v1[PC_T]);
    put(map, PC_MAP_VN, i, hit->v1[PC_N]);
    put(map, PC_MAP_PT, i, hit->impulse[PC_T]);
    put(map, PC_MAP_PN, i, hit->impulse[PC_N]);
    put(map, PC_MAP_DURATION, i, hit->duration);
    put(map, PC_MAP_COMPRESSION_TIME, i, hit->compression_time);
    put(map, PC_MAP_PEAK_N, i, hit->peak[PC_N]);
    put(map, PC_MAP_WORK_N, i, hit->work_n);
    put(map, PC_MAP_WORK_F, i, hit->work_f);
    double lost = hit->energy0 - hit->energy1;
    put(map, PC_MAP_LOSS, i, lost);
    put(map, PC_MAP_LOSS_OF_MAX, i, hit->energy0 > 0 ? lost / hit->energy0 : 0);
    put(map, PC_MAP_OUTCOME, i, hit->outcome);
    put(map, PC_MAP_PHASES, i, hit->n_phases);
}

/* The parameters of point i: those of the map with its columns written over them. */
static void set_params(const pc_law *law, const pc_map *map, size_t i, void *params)
{
    for (int r = 0; map->rows && r < law->schema->n_rows; r++) {
        const pc_row *row = &law->schema->rows[r];
        if (row->kind == PC_REAL) *(double *)(void *)((char *)params + row->offset) = at(map->rows[r], i);
    }
}

static pc_status run_point(const pc_law *law, const pc_map *map, size_t i, void *params, pc_error *err)
{
    pc_mobility W = {.tt = at(map->w_tt, i), .tn = at(map->w_tn, i), .nn = at(map->w_nn, i)};
    W.rank = (int)at(map->rank, i);
    double v0[3] = {0};
    v0[PC_T] = at(map->v_t, i);
    v0[PC_N] = at(map->v_n, i);
    set_params(law, map, i, params);
    pc_impact hit;
    pc_impact_init(&hit);
    pc_status status = law->impact(params, &W, v0, &hit, err);
    if (!status) put_impact(map, i, &hit);
    pc_impact_free(&hit);
    return status;
}

/* A law without a batch kernel: one impact after the other. */
static pc_status run_points(const pc_law *law, const pc_map *map, size_t *failed, pc_error *err)
{
    void *params = pc_calloc(1, law->schema->size);
    if (!params) return pc_fail(err, PC_E_MEMORY, "no memory for the parameters of %s", law->schema->name);
    memcpy(params, map->params, law->schema->size);
    pc_status status = PC_OK;
    for (size_t i = 0; i < map->n && !status; i++) {
        if (i % 1024 == 0 && pc_interrupted()) {
            status = pc_fail(err, PC_E_INTERRUPTED, "interrupted after %zu of %zu impacts", i, map->n);
            break;
        }
        pc_status point = run_point(law, map, i, params, *failed ? NULL : err);
        if (point == PC_E_MEMORY) status = point;
        if (!point || status) continue;
        for (int k = 0; k < PC_N_MAP_OUTPUTS; k++) put(map, (pc_map_output)k, i, NAN);
        ++*failed;
    }
    pc_free(params);
    return status;
}

pc_status pc_law_map(const pc_law *law, const pc_map *map, size_t *failed, pc_error *err)
{
    *failed = 0;
    return law->map ? law->map(map, failed, err) : run_points(law, map, failed, err);
}
