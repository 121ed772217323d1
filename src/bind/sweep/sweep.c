/* The module "percuss.sweep_core": what percuss.sweep (Lua) is made of. Where points lie, who this process is, what a
 * sweep is compared by. Running is in sweep_run.c. */
#include "base/digest.h"
#include "base/files.h"
#include "base/system.h"
#include "base/version.h"
#include "bind/core/bind.h"
#include "bind/sweep/sweep.h"
#include "sweep/store.h"
#include "sweep/plan.h"
#include "sweep/team.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#endif

/* grid(values, inner, first, stride, n): coordinate of points first, first + stride, ... along an axis whose value
 * changes every `inner` points. */
static int grid(lua_State *L)
{
    const pc_array *values = pc_array_check(L, 1);
    uint64_t inner = (uint64_t)pc_argument_integer(L, 2), point = (uint64_t)pc_argument_integer(L, 3);
    uint64_t stride = (uint64_t)pc_argument_integer(L, 4);
    pc_array *out = pc_array_new(L, (size_t)pc_argument_integer(L, 5));
    for (size_t k = 0; k < out->n; k++, point += stride) out->v[k] = values->v[point / inner % values->n];
    return 1;
}

/* sample(kind, seed, d, points, lo, hi, first, stride, n) */
static int sample(lua_State *L)
{
    static const char *const kinds[] = {"random", "sobol", "latin", NULL};
    pc_sampling kind = (pc_sampling)luaL_checkoption(L, 1, NULL, kinds);
    uint64_t seed = (uint64_t)pc_argument_integer(L, 2), points = (uint64_t)pc_argument_integer(L, 4);
    unsigned d = (unsigned)pc_argument_integer(L, 3);
    double lo = pc_argument_number(L, 5), hi = pc_argument_number(L, 6);
    uint64_t point = (uint64_t)pc_argument_integer(L, 7), stride = (uint64_t)pc_argument_integer(L, 8);
    pc_argument_check(L, kind != PC_SAMPLE_SOBOL || d < PC_SOBOL_DIMENSIONS, 3,
                      "must not exceed the coordinates of Sobol's sequence");
    pc_array *out = pc_array_new(L, (size_t)pc_argument_integer(L, 9));
    pc_sample_column(kind, seed, d, points, point, stride, out->n, out->v);
    for (size_t k = 0; k < out->n; k++) out->v[k] = lo + (hi - lo) * out->v[k];
    return 1;
}

/* digest(list of strings and arrays) -> 16 hexadecimal digits */
static int digest(lua_State *L)
{
    pc_argument_type(L, 1, LUA_TTABLE);
    uint64_t d = PC_DIGEST_START;
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, 1, i);
        const pc_array *a = pc_array_test(L, -1);
        size_t bytes = a ? a->n * sizeof *a->v : 0;
        const void *data = a ? (const void *)a->v : lua_tolstring(L, -1, &bytes);
        uint64_t length = bytes; /* so that neighbours cannot run into each other */
        d = pc_digest(pc_digest(d, &length, sizeof length), data, bytes);
        lua_pop(L, 1);
    }
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)d);
    lua_pushstring(L, text);
    return 1;
}

/* shard(text or nil) -> index, count, the launcher's variable or nil */
static int shard(lua_State *L)
{
    pc_shard found;
    pc_error err = {0};
    const char *text = luaL_optstring(L, 1, NULL), *launcher = NULL;
    pc_status status = text ? pc_shard_parse(text, &found, &err) : pc_shard_of_environment(&found, &launcher, &err);
    if (status) return pc_refuse(L, "%s", err.text);
    lua_pushinteger(L, (lua_Integer)found.index);
    lua_pushinteger(L, (lua_Integer)found.count);
    lua_pushstring(L, launcher);
    return 3;
}

int pc_sweep_jobs(void)
{
    const char *asked = getenv("PERCUSS_JOBS");
    int jobs = asked ? atoi(asked) : 0;
    return pc_sweep_in_worker() ? 1 : jobs > 0 ? jobs : pc_system_cores();
}

static int cores(lua_State *L)
{
    lua_pushinteger(L, pc_sweep_in_worker() ? 1 : pc_system_cores());
    return 1;
}

/* versions() -> the versions, and the class of the processor, that the last bits of results depend on */
static int versions(lua_State *L)
{
#ifdef __GLIBC__
    lua_pushfstring(L, "percuss %s, %s, glibc %s", PC_VERSION, LUA_RELEASE, gnu_get_libc_version());
#else
    lua_pushfstring(L, "percuss %s, %s", PC_VERSION, LUA_RELEASE);
#endif
#if defined(__x86_64__)
    /* libm chooses its functions by these */
    lua_pushfstring(L, "x86-64%s%s%s", __builtin_cpu_supports("avx2") ? " avx2" : "",
                    __builtin_cpu_supports("fma") ? " fma" : "", __builtin_cpu_supports("avx512f") ? " avx512" : "");
#elif defined(__aarch64__)
    lua_pushliteral(L, "aarch64");
#else
    lua_pushliteral(L, "other");
#endif
    return 2;
}

/* npz(path, list of { name, array }) -> path; or nil, message, code */
static int npz(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    pc_argument_type(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    size_t n = (size_t)lua_rawlen(L, 2);
    pc_npz_column *columns = lua_newuserdatauv(L, (n + 1) * sizeof *columns, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        const pc_array *values = pc_array_check(L, -1);
        columns[i] = (pc_npz_column){lua_tostring(L, -2), values->v, values->n};
        lua_pop(L, 3);
    }
    pc_error err = {0};
    pc_status status = pc_npz_write(path, columns, n, &err);
    if (status == PC_E_SYSTEM) return pc_push_failure(L, &err);
    if (status) return pc_raise(L, &err);
    lua_settop(L, 1);
    return 1;
}

/* Whether this process has no file system and can start no other. */
static int confined(lua_State *L)
{
    lua_pushboolean(L, pc_files_replaced() != NULL);
    return 1;
}

static int open_core(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"grid", grid},         {"sample", sample}, {"digest", digest},     {"shard", shard},      {"cores", cores},
        {"versions", versions}, {"npz", npz},       {"confined", confined}, {"run", pc_sweep_run}, {NULL, NULL}};
    luaL_newlib(L, functions);
    pc_sweep_open_stores(L);
    return 1;
}

void pc_open_sweep(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, open_core);
    lua_setfield(L, -2, "percuss.sweep_core");
    lua_pop(L, 1);
}

static int store_close(lua_State *L)
{
    pc_bound_store *self = luaL_checkudata(L, 1, PC_BOUND_STORE);
    pc_store_close(self->store);
    self->store = NULL;
    return 0;
}

/* An empty owner on top of the stack. */
static pc_bound_store *push_store(lua_State *L)
{
    pc_bound_store *self = lua_newuserdatauv(L, sizeof *self, 0);
    self->store = NULL;
    if (luaL_newmetatable(L, PC_BOUND_STORE)) {
        lua_pushcfunction(L, store_close);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__gc");
        lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    return self;
}

/* The same, closed when the present call ends in whatever way: a store that stays open may keep others out of the
 * file. */
static pc_bound_store *push_passing_store(lua_State *L)
{
    pc_bound_store *self = push_store(L);
    lua_toclose(L, -1);
    return self;
}

/* nil, message, code for what the environment does wrong; other errors are raised. */
static int failure(lua_State *L, const pc_error *err)
{
    return err->code == PC_E_SYSTEM ? pc_push_failure(L, err) : pc_raise(L, err);
}

static void copy_word(lua_State *L, int index, const char *key, char word[PC_STORE_WORD])
{
    lua_getfield(L, index, key);
    const char *text = luaL_checkstring(L, -1);
    size_t n = strlen(text) < PC_STORE_WORD - 1 ? strlen(text) : PC_STORE_WORD - 1;
    memcpy(word, text, n);
    word[n] = '\0';
    lua_pop(L, 1);
}

/* Columns { name, unit, is_input } of the list on top of the stack, which keeps their texts alive. */
static size_t read_columns(lua_State *L, pc_store_column *columns)
{
    size_t n = (size_t)lua_rawlen(L, -1);
    if (n > PC_STORE_COLUMNS_MAX) pc_refuse(L, "sweep: more than %d columns", PC_STORE_COLUMNS_MAX);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        lua_rawgeti(L, -3, 3);
        columns[i] = (pc_store_column){lua_tostring(L, -3), lua_tostring(L, -2), lua_toboolean(L, -1)};
        lua_pop(L, 4);
    }
    return n;
}

/* store_open(path, { name =, points =, parameters =, function =, program =, processor =, columns =, changed = })
 * -> store, number of rows that it has, or nil, message, code */
static int store_open(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    pc_argument_type(L, 2, LUA_TTABLE);
    pc_store_identity identity = {0};
    lua_getfield(L, 2, "points");
    identity.points = (uint64_t)luaL_checkinteger(L, -1);
    copy_word(L, 2, "parameters", identity.parameters);
    copy_word(L, 2, "function", identity.function);
    copy_word(L, 2, "program", identity.program);
    copy_word(L, 2, "processor", identity.processor);
    static const char *const changes[] = {"refuse", "keep", "restart", NULL};
    lua_getfield(L, 2, "changed");
    pc_store_change change = (pc_store_change)luaL_checkoption(L, -1, "refuse", changes);
    lua_getfield(L, 2, "name");
    const char *name = luaL_checkstring(L, -1);
    pc_bound_store *self = push_store(L);
    lua_getfield(L, 2, "columns");
    pc_store_column columns[PC_STORE_COLUMNS_MAX];
    size_t n = read_columns(L, columns);
    pc_error err = {0};
    pc_status status = pc_store_open(&self->store, path, true, &err);
    if (!status) status = pc_store_begin(self->store, name, &identity, columns, n, change, &err);
    if (status) {
        pc_store_close(self->store);
        self->store = NULL;
        return failure(L, &err);
    }
    lua_pop(L, 1);
    return 1;
}

static void push_identity(lua_State *L, const pc_store *store)
{
    const pc_store_sweep *sweep = pc_store_present(store);
    const pc_store_identity *what = &sweep->identity;
    lua_createtable(L, 0, 6);
    const struct {
        const char *key, *text;
    } words[] = {{"name", sweep->name},
                 {"parameters", what->parameters},
                 {"function", what->function},
                 {"program", what->program},
                 {"processor", what->processor}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        lua_pushstring(L, words[i].text);
        lua_setfield(L, -2, words[i].key);
    }
    lua_pushinteger(L, (lua_Integer)what->points);
    lua_setfield(L, -2, "points");
}

/* store_read(path, name or nil) -> list of { name, array, unit = }, failures, identity; or nil, message, code */
static int store_read(lua_State *L)
{
    const char *path = pc_argument_string(L, 1), *name = luaL_optstring(L, 2, NULL);
    lua_settop(L, 2);
    pc_bound_store *self = push_passing_store(L);
    pc_error err = {0};
    uint64_t n_rows = 0, n_failed = 0;
    pc_status status = pc_store_open(&self->store, path, false, &err);
    if (!status) status = pc_store_select(self->store, name, &err);
    if (!status) status = pc_store_count(self->store, &n_rows, &n_failed, &err);
    if (status) return failure(L, &err);

    if (n_rows > SIZE_MAX / sizeof(double)) return luaL_error(L, "the store has more rows than fit into memory");
    const pc_store_column *columns = pc_store_present(self->store)->columns;
    const size_t n = pc_store_present(self->store)->n_columns;
    double *values[PC_STORE_COLUMNS_MAX + 1];
    lua_createtable(L, (int)n + 1, 0); /* 4: the list; its first column is the index */
    for (size_t c = 0; c <= n; c++) {
        lua_createtable(L, 2, 1);
        lua_pushstring(L, c == 0 ? "index" : columns[c - 1].name);
        lua_rawseti(L, -2, 1);
        values[c] = pc_array_new(L, (size_t)n_rows)->v;
        lua_rawseti(L, -2, 2);
        lua_pushstring(L, c == 0 ? "" : columns[c - 1].unit);
        lua_setfield(L, -2, "unit");
        lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    lua_newtable(L); /* 5: failures */
    pc_store_row row;
    bool found = true;
    status = pc_store_rows(self->store, &err);
    for (uint64_t k = 0; !status && k < n_rows; k++) {
        status = pc_store_next(self->store, &row, &found, &err);
        if (status || !found) break;
        values[0][k] = (double)row.index;
        for (size_t c = 0; c < n; c++) values[c + 1][k] = row.values[c];
        if (!row.error) continue;
        lua_pushstring(L, row.error);
        lua_rawseti(L, 5, (lua_Integer)k + 1);
    }
    if (status) return failure(L, &err);
    push_identity(L, self->store);
    return 3;
}

/* A run of missing indices first, first + step, ..., last: shards leave gaps of that form. */
typedef struct gap {
    uint64_t first, last, step;
} gap;

/* Append the gap to the list on top of the stack, unless that is long enough. */
static void push_gap(lua_State *L, const gap *g, lua_Integer most)
{
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    if (g->first == 0 || n >= most) return;
    const lua_Integer parts[] = {(lua_Integer)g->first, (lua_Integer)g->last, (lua_Integer)g->step};
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushinteger(L, parts[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_rawseti(L, -2, n + 1);
}

/* Pushes the list of gaps { first, last, step } in the present sweep, at most `most`, and the number of missing points
 * in all. */
static pc_status push_missing(lua_State *L, pc_store *store, lua_Integer most, pc_error *err)
{
    uint64_t expected = 1, missing = 0, points = pc_store_present(store)->identity.points;
    gap g = {0, 0, 1};
    pc_store_row row = {0};
    bool found = true;
    lua_newtable(L);
    pc_status status = pc_store_rows(store, err);
    while (!status && expected <= points) {
        status = pc_store_next(store, &row, &found, err);
        if (status) break;
        uint64_t next = found ? row.index : points + 1;
        for (uint64_t i = expected; i < next; i++) {
            if (g.first && g.first == g.last) {
                g.step = i - g.first;
            } else if (!g.first || i != g.last + g.step) {
                push_gap(L, &g, most);
                g = (gap){i, i, 1};
            }
            g.last = i;
            if (g.first < g.last && g.step == 1) i = g.last = next - 1; /* there may be more than could be counted */
        }
        missing += next - expected;
        expected = next + 1;
    }
    push_gap(L, &g, most);
    lua_pushinteger(L, (lua_Integer)missing);
    return status;
}

/* Every part of the list at index 2 is a store that can be read; if not, the failure is in the record. */
static pc_status check_parts(lua_State *L, pc_bound_store *self, pc_error *err)
{
    pc_status status = PC_OK;
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
    for (lua_Integer i = 1; i <= n && status == PC_OK; i++) {
        if (lua_rawgeti(L, 2, i) != LUA_TSTRING)
            pc_refuse(L, "store.merge: part %d must be the name of a store, not a %s", (int)i, luaL_typename(L, -1));
        size_t bytes;
        if (strlen(lua_tolstring(L, -1, &bytes)) != bytes)
            pc_refuse(L, "store.merge: the name of part %d must not have a zero byte", (int)i);
        status = pc_store_open(&self->store, lua_tostring(L, -1), false, err);
        pc_store_close(self->store);
        self->store = NULL;
        lua_pop(L, 1);
    }
    return status;
}

/* store_merge(path, list of paths) -> points taken from each part, list of sweeps { name, points, rows, failed,
 * missing, gaps }; or nil, message, code */
static int store_merge(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    pc_argument_type(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    pc_bound_store *self = push_passing_store(L);
    pc_error err = {0};
    /* first, so that a misspelt part leaves no new store behind */
    if (check_parts(L, self, &err) || pc_store_open(&self->store, path, true, &err)) return failure(L, &err);
    lua_newtable(L); /* 4: taken */
    lua_newtable(L); /* 5: sweeps */
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
    for (lua_Integer i = 1; i <= n; i++) {
        uint64_t rows = 0;
        lua_rawgeti(L, 2, i);
        if (pc_store_merge(self->store, lua_tostring(L, -1), &rows, &err)) return failure(L, &err);
        lua_pushinteger(L, (lua_Integer)rows);
        lua_rawseti(L, 4, i);
        lua_pop(L, 1);
    }
    pc_store *store = self->store;
    for (size_t i = 0;; i++) {
        bool found;
        uint64_t rows, failed;
        if (pc_store_select_nth(store, i, &found, &err)) return failure(L, &err);
        if (!found) break;
        if (pc_store_count(store, &rows, &failed, &err)) return failure(L, &err);
        push_identity(L, store);
        lua_pushinteger(L, (lua_Integer)rows);
        lua_setfield(L, -2, "rows");
        lua_pushinteger(L, (lua_Integer)failed);
        lua_setfield(L, -2, "failed");
        enum { GAPS = 20 };
        if (push_missing(L, store, GAPS, &err)) return failure(L, &err);
        lua_setfield(L, -3, "missing");
        lua_setfield(L, -2, "gaps");
        lua_rawseti(L, 5, (lua_Integer)i + 1);
    }
    lua_settop(L, 5);
    return 2;
}

void pc_sweep_open_stores(lua_State *L)
{
    static const luaL_Reg functions[] = {{"store_open", store_open},
                                         {"store_close", store_close},
                                         {"store_read", store_read},
                                         {"store_merge", store_merge},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
