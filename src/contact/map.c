/* Many impacts of one law at once: see map.h. */
#include "contact/map.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
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

/* ---- threads ---- */

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

static pc_column part_of(pc_column column, size_t first)
{
    if (column.values) column.values += first;
    return column;
}

/* Points first .. first + n - 1 of a map, as a map of their own. */
static void cut(const pc_law *law, const pc_map *map, size_t first, size_t n, pc_map *part, pc_column rows[64])
{
    *part = *map;
    part->n = n;
    pc_column *columns[] = {&part->w_tt, &part->w_tn, &part->w_nn, &part->rank, &part->v_t, &part->v_n};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) *columns[k] = part_of(*columns[k], first);
    for (int k = 0; map->rows && k < law->schema->n_rows; k++) rows[k] = part_of(map->rows[k], first);
    if (map->rows) part->rows = rows;
    for (int k = 0; k < PC_N_MAP_OUTPUTS; k++)
        if (part->out[k]) part->out[k] += first;
}

static void *run_worker(void *context)
{
    worker *w = context;
    shared_work *work = w->work;
    for (;;) {
        size_t block = atomic_fetch_add(&work->next, 1), first = block * BLOCK, n = work->map->n;
        if (first >= n || atomic_load(&work->stop)) return NULL;
        pc_map part;
        pc_column rows[64];
        cut(work->law, work->map, first, n - first < BLOCK ? n - first : BLOCK, &part, rows);
        size_t failed = 0;
        pc_error err = {0};
        pc_status status = work->law->map(&part, &failed, &err);
        if (status || (failed && w->failed == 0)) {
            w->block = block;
            w->err = err;
        }
        w->failed += failed;
        w->status = status;
        if (!status) continue;
        atomic_store(&work->stop, true);
        return NULL;
    }
}

/* The caller is the first worker; what threads cannot be started for, the others do. */
static void run_workers(worker *workers, int n)
{
    pthread_t threads[PC_MAP_THREADS_MAX];
    bool started[PC_MAP_THREADS_MAX] = {false};
    /* signals belong to the thread that runs Lua */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (int i = 1; i < n; i++) started[i] = pthread_create(&threads[i], NULL, run_worker, &workers[i]) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run_worker(&workers[0]);
    for (int i = 1; i < n; i++)
        if (started[i]) pthread_join(threads[i], NULL);
}

static pc_status run_threads(const pc_law *law, const pc_map *map, int threads, size_t *failed, pc_error *err)
{
    worker *workers = pc_calloc((size_t)threads, sizeof *workers);
    if (!workers) return pc_fail(err, PC_E_MEMORY, "no memory for the workers of a map");
    shared_work shared = {.law = law, .map = map};
    for (int i = 0; i < threads; i++) workers[i].work = &shared;
    run_workers(workers, threads);
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
        pc_fail(err, status, "interrupted after about %zu of %zu impacts", atomic_load(&shared.next) * BLOCK, map->n);
    pc_free(workers);
    return status;
}

pc_status pc_law_map(const pc_law *law, const pc_map *map, int threads, size_t *failed, pc_error *err)
{
    *failed = 0;
    if (!law->map) return run_points(law, map, failed, err);
    size_t most = map->n / (2 * BLOCK);
    if (threads > PC_MAP_THREADS_MAX) threads = PC_MAP_THREADS_MAX;
    if ((size_t)threads > most) threads = (int)most;
    return threads > 1 ? run_threads(law, map, threads, failed, err) : law->map(map, failed, err);
}
