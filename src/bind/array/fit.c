/* Least squares for the Lua part of fits: the module "percuss.fit_core" with one function. */
#include "bind/core/bind.h"
#include "math/linsolve.h"

#include <string.h>

enum { FUNCTION = 1, UNKNOWNS, OPTIONS };

typedef struct fit {
    pc_callback callback;
    pc_array *residuals; /* where the function puts them */
    int residuals_at, n;
} fit;

/* f(x1, x2, ..., residuals) */
static pc_status evaluate(void *context, const double *x, double *r, pc_error *err)
{
    fit *f = context;
    lua_State *L = f->callback.L;
    for (int i = 0; i < f->n; i++) lua_pushnumber(L, x[i]);
    lua_pushvalue(L, f->residuals_at);
    pc_status status = pc_callback_call(&f->callback, f->n + 1, 0, err);
    if (!status) memcpy(r, f->residuals->v, f->residuals->n * sizeof *r);
    return status;
}

static void read_numbers(lua_State *L, const char *key, int n, double *out)
{
    lua_getfield(L, UNKNOWNS, key);
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, -1, i + 1);
        out[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void push_flags(lua_State *L, const bool *flags, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushboolean(L, flags[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* least_squares(f, { start =, lo =, hi = }, { m =, tolerance =, calls = }) -> { x, inverse (n x n, row by row),
 * residuals, sum, calls, converged, at_bound, n_free, determined } */
static int least_squares(lua_State *L)
{
    pc_argument_type(L, FUNCTION, LUA_TFUNCTION);
    pc_argument_type(L, UNKNOWNS, LUA_TTABLE);
    pc_argument_type(L, OPTIONS, LUA_TTABLE);
    lua_settop(L, OPTIONS);
    double lo[PC_LSQ_UNKNOWNS], hi[PC_LSQ_UNKNOWNS];
    lua_getfield(L, UNKNOWNS, "start");
    int n = (int)lua_rawlen(L, -1);
    if (n < 1 || n > PC_LSQ_UNKNOWNS)
        return pc_refuse(L, "%d unknowns are not allowed: from 1 to %d", n, PC_LSQ_UNKNOWNS);
    pc_array *x = pc_array_new(L, (size_t)n);
    int x_at = lua_gettop(L);
    read_numbers(L, "start", n, x->v);
    read_numbers(L, "lo", n, lo);
    read_numbers(L, "hi", n, hi);
    lua_getfield(L, OPTIONS, "m");
    lua_getfield(L, OPTIONS, "tolerance");
    lua_getfield(L, OPTIONS, "calls");
    fit f = {.n = n};
    pc_lsq_problem problem = {.n = n,
                              .m = (int)luaL_checkinteger(L, -3),
                              .residuals = evaluate,
                              .context = &f,
                              .lo = lo,
                              .hi = hi,
                              .tolerance = luaL_checknumber(L, -2),
                              .max_calls = (int)luaL_checkinteger(L, -1)};
    f.residuals = pc_array_new(L, (size_t)problem.m);
    f.residuals_at = lua_gettop(L);
    pc_array *r = pc_array_new(L, (size_t)problem.m);
    int r_at = lua_gettop(L);
    pc_array *inverse = pc_array_new(L, (size_t)(n * n));
    int inverse_at = lua_gettop(L);
    pc_callback_open(L, FUNCTION, "model", &f.callback);
    luaL_checkstack(L, n + 2, NULL);

    pc_lsq_result result;
    pc_error err = {0};
    pc_status status = pc_least_squares(&problem, x->v, r->v, inverse->v, &result, &err);
    if (status == PC_E_CALLBACK || status == PC_E_INTERRUPTED) return pc_callback_raise(&f.callback);
    if (status) return pc_raise(L, &err);

    lua_createtable(L, 0, 9);
    lua_pushvalue(L, x_at);
    lua_setfield(L, -2, "x");
    lua_pushvalue(L, r_at);
    lua_setfield(L, -2, "residuals");
    lua_pushvalue(L, inverse_at);
    lua_setfield(L, -2, "inverse");
    lua_pushnumber(L, result.sum);
    lua_setfield(L, -2, "sum");
    lua_pushinteger(L, result.calls);
    lua_setfield(L, -2, "calls");
    lua_pushboolean(L, result.converged);
    lua_setfield(L, -2, "converged");
    lua_pushinteger(L, result.n_free);
    lua_setfield(L, -2, "n_free");
    lua_pushboolean(L, result.determined);
    lua_setfield(L, -2, "determined");
    push_flags(L, result.at_bound, n);
    lua_setfield(L, -2, "at_bound");
    return 1;
}

static int open_core(lua_State *L)
{
    static const luaL_Reg functions[] = {{"least_squares", least_squares}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}

void pc_open_fit(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, open_core);
    lua_setfield(L, -2, "percuss.fit_core");
    lua_pop(L, 1);
}
