/* Many impacts of one law at once: see map.h. */
#include "contact/map.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
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

/* Less is not worth a thread. */
enum { SLICE_LEAST = 1 << 14 };

/* Points first .. first + n - 1 of a map, as a map of their own. */
typedef struct slice {
    const pc_law *law;
    pc_map map;
    pc_column rows[64];
    size_t failed;
    pc_status status;
    pc_error err;
} slice;

static pc_column part_of(pc_column column, size_t first)
{
    if (column.values) column.values += first;
    return column;
}

static void cut(const pc_law *law, const pc_map *map, size_t first, size_t n, slice *s)
{
    *s = (slice){.law = law, .map = *map};
    pc_map *m = &s->map;
    m->n = n;
    pc_column *columns[] = {&m->w_tt, &m->w_tn, &m->w_nn, &m->rank, &m->v_t, &m->v_n};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) *columns[k] = part_of(*columns[k], first);
    for (int k = 0; map->rows && k < law->schema->n_rows; k++) s->rows[k] = part_of(map->rows[k], first);
    if (map->rows) m->rows = s->rows;
    for (int k = 0; k < PC_N_MAP_OUTPUTS; k++)
        if (m->out[k]) m->out[k] += first;
}

static void *run_slice(void *context)
{
    slice *s = context;
    s->status = s->law->map(&s->map, &s->failed, &s->err);
    return NULL;
}

/* A slice whose thread cannot be started is run by the caller. */
static void run_slices(slice *slices, int n)
{
    pthread_t threads[PC_MAP_THREADS_MAX];
    bool started[PC_MAP_THREADS_MAX] = {false};
    /* signals belong to the thread that runs Lua */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (int i = 1; i < n; i++) started[i] = pthread_create(&threads[i], NULL, run_slice, &slices[i]) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < n; i++)
        if (!started[i]) run_slice(&slices[i]);
    for (int i = 1; i < n; i++)
        if (started[i]) pthread_join(threads[i], NULL);
}

static pc_status run_threads(const pc_law *law, const pc_map *map, int threads, size_t *failed, pc_error *err)
{
    slice *slices = pc_calloc((size_t)threads, sizeof *slices);
    if (!slices) return pc_fail(err, PC_E_MEMORY, "no memory for the parts of a map");
    for (int i = 0; i < threads; i++) {
        /* in multiples of the widest kernel's lanes no part has a remainder but the last */
        size_t first = map->n / (size_t)threads * (size_t)i & ~(size_t)63;
        size_t end = i + 1 < threads ? map->n / (size_t)threads * (size_t)(i + 1) & ~(size_t)63 : map->n;
        cut(law, map, first, end - first, &slices[i]);
    }
    run_slices(slices, threads);
    pc_status status = PC_OK;
    for (int i = 0; i < threads; i++) {
        bool tells = slices[i].status ? status == PC_OK : slices[i].failed && *failed == 0 && status == PC_OK;
        if (tells) *err = slices[i].err;
        if (status == PC_OK) status = slices[i].status;
        *failed += slices[i].failed;
    }
    pc_free(slices);
    return status;
}

pc_status pc_law_map(const pc_law *law, const pc_map *map, int threads, size_t *failed, pc_error *err)
{
    *failed = 0;
    if (!law->map) return run_points(law, map, failed, err);
    size_t most = map->n / SLICE_LEAST;
    if (threads > PC_MAP_THREADS_MAX) threads = PC_MAP_THREADS_MAX;
    if ((size_t)threads > most) threads = (int)most;
    return threads > 1 ? run_threads(law, map, threads, failed, err) : law->map(map, failed, err);
}
