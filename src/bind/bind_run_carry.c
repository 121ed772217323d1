/* run:carry: what becomes of a small displacement. */
#include "bind/argument.h"
#include "bind/bind_run.h"
#include "motion/variation.h"

#include <math.h>

/* The n numbers of a field of the table at index 2. */
static void read_part(lua_State *L, const char *name, int n, double *out)
{
    if (lua_getfield(L, 2, name) != LUA_TTABLE || luaL_len(L, -1) != n)
        pc_refuse(L, "carry: %s must be a list of %d numbers, one for each coordinate", name, n);
    for (int i = 0; i < n; i++) {
        int number;
        lua_rawgeti(L, -1, i + 1);
        out[i] = lua_tonumberx(L, -1, &number);
        if (!number || !isfinite(out[i])) pc_refuse(L, "carry: %s[%d] must be a finite number", name, i + 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* run:carry({ q =, u = } [, from, to]) */
int pc_run_carry_list(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    pc_run *run = &self->run;
    pc_argument_type(L, 2, LUA_TTABLE);
    double from = pc_argument_number_or(L, 3, run->history.t0), to = pc_argument_number_or(L, 4, run->state.t);
    lua_settop(L, 2);
    int n = run->scene->n_dof;
    double *d = lua_newuserdatauv(L, 2 * (size_t)n * sizeof *d, 0);
    read_part(L, "q", n, d);
    read_part(L, "u", n, d + n);
    pc_run_session session = {0};
    pc_slowest slowest = {.speed = INFINITY};
    pc_run_enter(L, 1, &session);
    pc_status status = pc_run_carry(run, from, to, d, &slowest, &session.err);
    pc_run_leave(&session);
    if (status != PC_OK) return pc_raise(L, &session.err);
    lua_createtable(L, 0, 4);
    pc_push_numbers(L, d, n);
    lua_setfield(L, -2, "q");
    pc_push_numbers(L, d + n, n);
    lua_setfield(L, -2, "u");
    if (isfinite(slowest.speed)) {
        lua_pushnumber(L, slowest.speed);
        lua_setfield(L, -2, "slowest");
        lua_pushnumber(L, slowest.t);
        lua_setfield(L, -2, "slowest_time");
    }
    return 1;
}
