/* The module "percuss.sweep_core": what percuss.sweep (Lua) is made of. Where points lie, who this process is, what a
 * sweep is compared by. Running is in bind_sweep_run.c, stores in bind_sweep_store.c. */
#include "bind/argument.h"
#include "bind/bind_sweep.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/version.h"
#include "bind/bind_array.h"
#include "sweep/npz.h"
#include "sweep/sample.h"
#include "sweep/shard.h"
#include "sweep/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
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
    return pc_sweep_in_worker() ? 1 : jobs > 0 ? jobs : pc_team_cores();
}

static int cores(lua_State *L)
{
    lua_pushinteger(L, pc_sweep_in_worker() ? 1 : pc_team_cores());
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
    size_t n = lua_rawlen(L, 2);
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
