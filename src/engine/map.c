/* Many impacts of one law at once: see collide.h. */
#include "engine/collide.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/thread.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static double at(pc_map_column column, size_t i)
{
    return column.values ? column.values[i] : column.fixed;
}

static void put(const pc_map_columns *map, pc_map_output which, size_t i, double value)
{
    if (map->out[which]) map->out[which][i] = value;
}

static void put_impact(const pc_map_columns *map, size_t i, const pc_impact *impact)
{
    put(map, PC_MAP_VT, i, impact->v1[PC_T]);
    put(map, PC_MAP_VN, i, impact->v1[PC_N]);
    put(map, PC_MAP_PT, i, impact->impulse[PC_T]);
    put(map, PC_MAP_PN, i, impact->impulse[PC_N]);
    put(map, PC_MAP_DURATION, i, impact->duration);
    put(map, PC_MAP_COMPRESSION_TIME, i, impact->compression_time);
    put(map, PC_MAP_PEAK_N, i, impact->peak[PC_N]);
    put(map, PC_MAP_WORK_N, i, impact->work_n);
    put(map, PC_MAP_WORK_F, i, impact->work_f);
    double lost = pc_impact_loss(impact);
    put(map, PC_MAP_LOSS, i, lost);
    put(map, PC_MAP_LOSS_OF_MAX, i, impact->energy0 > 0 ? lost / impact->energy0 : 0);
    put(map, PC_MAP_OUTCOME, i, impact->outcome);
    put(map, PC_MAP_PHASES, i, impact->n_phases);
}

/* The parameters of point i: those of the map with its columns written over them. */
static void set_params(const pc_law *law, const pc_map_columns *map, size_t i, void *params)
{
    for (int r = 0; map->rows && r < law->schema->n_rows; r++) {
        const pc_row *row = &law->schema->rows[r];
        if (row->kind == PC_REAL) *(double *)(void *)((char *)params + row->offset) = at(map->rows[r], i);
    }
}

static pc_status run_point(const pc_law *law, const pc_map_columns *map, size_t i, void *params, pc_error *err)
{
    pc_mobility W = {.tt = at(map->w_tt, i), .tn = at(map->w_tn, i), .nn = at(map->w_nn, i)};
    W.rank = (int)at(map->rank, i);
    double v0[3] = {0};
    v0[PC_T] = at(map->v_t, i);
    v0[PC_N] = at(map->v_n, i);
    set_params(law, map, i, params);
    pc_turning_resistance resistance = {0};
    if (law->turning) law->turning(params, &resistance);
    if (resistance.rolling > 0)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s: rolling (delta) = %.10g m: maps know how the contact point moves, but not how the body "
                       "turns; use collide at each point",
                       law->schema->name, resistance.rolling);
    pc_impact impact;
    pc_impact_init(&impact);
    pc_status status = pc_law_impact(law, params, &W, v0, &impact, err);
    if (!status) put_impact(map, i, &impact);
    pc_impact_free(&impact);
    return status;
}

/* A law without a batch kernel: one impact after the other. */
static pc_status run_points(const pc_law *law, const pc_map_columns *map, size_t *failed, pc_error *err)
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

static pc_status run_part(const pc_law *law, const pc_map_columns *part, size_t *failed, pc_error *err)
{
    return law->map ? law->map(part, failed, err) : run_points(law, part, failed, err);
}

/* ---- blocks and threads ---- */

/* Points that a thread takes at once: some hundred microseconds of a fast law, so that threads end together, and
 * whole pages of the columns. Less than two a thread is not worth one. */
enum { BLOCK = 8192 };

/* What the threads of a map share. Blocks are taken in order, so those before a failed one have been taken too. */
typedef struct shared_work {
    const pc_law *law;
    const pc_map *map;
    atomic_size_t next; /* block */
    atomic_bool stop;
} shared_work;

typedef struct worker {
    shared_work *work;
    size_t failed, block; /* block: the one that err is of, which ended the worker or was the first with a failure */
    pc_status status;
    pc_error err;
} worker;

/* What a worker needs for one block: the map cut to it, and the columns that are computed. */
typedef struct bench {
    pc_map_columns part;
    pc_map_column rows[PC_MAP_ROWS_MAX];
    pc_map_block block;
    double loss[BLOCK];
    double columns[]; /* BLOCK numbers for each that is computed */
} bench;

static bench *new_bench(const pc_law *law, const pc_map *map)
{
    const pc_map_filler *filler = map->filler;
    pc_map_block block = {0};
    double **wanted[8 + PC_MAP_ROWS_MAX];
    size_t n = 0;
    bench *b;
    if (filler && filler->mobility) {
        wanted[n++] = &block.w_tt;
        wanted[n++] = &block.w_tn;
        wanted[n++] = &block.w_nn;
        wanted[n++] = &block.rank;
    }
    if (filler && filler->motion) {
        wanted[n++] = &block.v_t;
        wanted[n++] = &block.v_n;
        if (map->fraction) wanted[n++] = &block.energy;
    }
    for (int k = 0; filler && filler->rows && k < law->schema->n_rows; k++)
        if (law->schema->rows[k].kind == PC_REAL) wanted[n++] = &block.rows[k];
    b = pc_calloc(1, sizeof *b + n * BLOCK * sizeof *b->columns);
    if (!b) return NULL;
    for (size_t k = 0; k < n; k++) *wanted[k] = b->columns + k * BLOCK;
    b->block = block;
    return b;
}

/* A column from the first of some points on, or what has been computed for them. */
static void take(pc_map_column *column, size_t first, const double *computed)
{
    if (column->values) column->values += first;
    if (computed) column->values = computed;
}

/* Points first .. first + n - 1 of a map, as a map of their own, with the columns that are computed. */
static pc_status cut(bench *b, const pc_law *law, const pc_map *map, size_t first, size_t n, pc_error *err)
{
    pc_map_columns *part = &b->part;
    *part = map->columns;
    part->n = n;
    pc_map_column *columns[] = {&part->w_tt, &part->w_tn, &part->w_nn, &part->rank, &part->v_t, &part->v_n};
    const double *computed[] = {b->block.w_tt, b->block.w_tn, b->block.w_nn, b->block.rank, b->block.v_t, b->block.v_n};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) take(columns[k], first, computed[k]);
    for (int k = 0; part->rows && k < law->schema->n_rows; k++) {
        b->rows[k] = part->rows[k];
        take(&b->rows[k], first, b->block.rows[k]);
    }
    if (part->rows) part->rows = b->rows;
    for (int k = 0; k < PC_N_MAP_OUTPUTS; k++)
        if (part->out[k]) part->out[k] += first;
    if (map->fraction && !part->out[PC_MAP_LOSS]) part->out[PC_MAP_LOSS] = b->loss;
    return map->filler ? map->filler->fill(map->filler->context, first, n, &b->block, err) : PC_OK;
}

/* What does not depend on the law. */
static void finish(const bench *b, const pc_map *map, size_t first)
{
    const pc_map_columns *part = &b->part;
    for (size_t i = 0; map->before_t && i < part->n; i++) map->before_t[first + i] = at(part->v_t, i);
    for (size_t i = 0; map->before_n && i < part->n; i++) map->before_n[first + i] = at(part->v_n, i);
    for (size_t i = 0; map->fraction && i < part->n; i++)
        map->fraction[first + i] = part->out[PC_MAP_LOSS][i] / (b->block.energy ? b->block.energy[i] : map->energy);
}

static void run_worker(void *context)
{
    worker *w = context;
    shared_work *work = w->work;
    const pc_map *map = work->map;
    bench *b = new_bench(work->law, map);
    if (!b) w->status = pc_fail(&w->err, PC_E_MEMORY, "no memory for a block of a map");
    while (!w->status && !atomic_load(&work->stop)) {
        size_t block = atomic_fetch_add(&work->next, 1), first = block * BLOCK, failed = 0;
        if (first >= map->columns.n) break;
        size_t left = map->columns.n - first;
        pc_error err = {0};
        w->status = cut(b, work->law, map, first, left < BLOCK ? left : BLOCK, &err);
        if (!w->status) w->status = run_part(work->law, &b->part, &failed, &err);
        if (!w->status) finish(b, map, first);
        if (w->status || (failed && w->failed == 0)) {
            w->block = block;
            w->err = err;
        }
        w->failed += failed;
    }
    if (w->status) atomic_store(&work->stop, true);
    pc_free(b);
}

pc_status pc_law_map(const pc_law *law, const pc_map *map, int threads, size_t *failed, pc_error *err)
{
    const size_t most = map->columns.n / (2 * BLOCK);
    *failed = 0;
    if (threads > PC_THREADS_MAX) threads = PC_THREADS_MAX;
    if ((size_t)threads > most) threads = (int)most;
    if (!law->map || threads < 1) threads = 1;
    worker *workers = pc_calloc((size_t)threads, sizeof *workers);
    if (!workers) return pc_fail(err, PC_E_MEMORY, "no memory for the workers of a map");
    shared_work shared = {.law = law, .map = map};
    for (int i = 0; i < threads; i++) workers[i].work = &shared;
    /* the caller is the first worker; what threads cannot be started for, the others do */
    pc_threads_run(run_worker, workers, sizeof *workers, threads);
    /* what ended a worker tells more than a failed point, and of those the first in order */
    const worker *told = NULL;
    for (int i = 0; i < threads; i++) {
        const worker *w = &workers[i];
        *failed += w->failed;
        if (!w->status && w->failed == 0) continue;
        bool graver = told && w->status && !told->status, lesser = told && !w->status && told->status;
        if (!told || graver || (!lesser && w->block < told->block)) told = w;
    }
    pc_status status = told ? told->status : PC_OK;
    if (told && err) *err = told->err;
    if (status == PC_E_INTERRUPTED)
        pc_fail(err, status, "interrupted after about %zu of %zu impacts", atomic_load(&shared.next) * BLOCK,
                map->columns.n);
    pc_free(workers);
    return status;
}
