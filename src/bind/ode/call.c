/* Calls of a script's functions from a solver: see ode.h. Results are checked here, so that a wrong one is named
 * with its time. */
#include "bind/core/bind.h"
#include "bind/ode/ode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void push_state(pc_ode_side *s, double t, const double *y)
{
    lua_State *L = s->L;
    lua_pushnumber(L, t);
    if (s->n <= PC_MOTION_NUMBERS) {
        for (int i = 0; i < s->n; i++) lua_pushnumber(L, y[i]);
        return;
    }
    for (int i = 0; i < s->n; i++) {
        lua_pushnumber(L, y[i]);
        lua_rawseti(L, s->y_table, i + 1);
    }
    lua_pushvalue(L, s->y_table);
}

static int state_width(const pc_ode_side *s)
{
    return s->n <= PC_MOTION_NUMBERS ? s->n : 1;
}

static int call(pc_ode_side *s, pc_callback *callback, int n_args, int n_results)
{
    if (pc_callback_call(callback, n_args, n_results, s->err) == PC_OK) return 0;
    s->failed = callback;
    return -1;
}

static int refuse_result(pc_ode_side *s, double t, const char *who, int index, const char *wanted)
{
    pc_fail_at(s->err, PC_E_ARGUMENT, t, who, "%s must return %s; at t = %.14g its result %d is %s", who, wanted, t,
               index + 1, luaL_typename(s->L, -1));
    return -1;
}

/* Numbers from a list at the top of the stack (popped), read without metamethods. */
static int read_list(pc_ode_side *s, double t, const char *who, double *out)
{
    lua_State *L = s->L;
    int got = 0;
    for (int i = 0; i < s->n && got == 0; i++) {
        int number;
        lua_rawgeti(L, -1, i + 1);
        out[i] = lua_tonumberx(L, -1, &number);
        if (!number) got = refuse_result(s, t, who, i, "a number for every component");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return got;
}

int pc_ode_call_rhs(double t, const double *y, double *dydt, void *context)
{
    pc_ode_side *s = context;
    lua_State *L = s->L;
    push_state(s, t, y);
    if (s->n > PC_MOTION_NUMBERS) {
        lua_pushvalue(L, s->f_table);
        if (call(s, &s->rhs, 3, 0) != 0) return -1;
        lua_pushvalue(L, s->f_table);
        return read_list(s, t, "rhs", dydt);
    }
    if (call(s, &s->rhs, s->n + 1, s->n) != 0) return -1;
    int got = 0;
    for (int i = 0; i < s->n && got == 0; i++) {
        int number;
        dydt[i] = lua_tonumberx(L, i - s->n, &number);
        if (number) continue;
        lua_pushvalue(L, i - s->n);
        got = refuse_result(s, t, "rhs", i, "a number for every component");
        lua_pop(L, 1);
    }
    lua_pop(L, s->n);
    return got;
}

int pc_ode_call_jacobian(double t, const double *y, double *dfdy, void *context)
{
    pc_ode_side *s = context;
    lua_State *L = s->L;
    push_state(s, t, y);
    if (call(s, &s->jacobian, state_width(s) + 1, 1) != 0) return -1;
    int got = 0;
    for (int i = 0; i < s->n && got == 0; i++) {
        bool row = lua_istable(L, -1) && lua_rawgeti(L, -1, i + 1) == LUA_TTABLE;
        got = row ? read_list(s, t, "jacobian", dfdy + i * s->n)
                  : refuse_result(s, t, "jacobian", i, "a table of rows, one for every component");
        if (!row && lua_istable(L, -2)) lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return got;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void pc_breaks_read(lua_State *L, const char *where, pc_breaks *breaks)
{
    int list = lua_gettop(L);
    *breaks = (pc_breaks){0};
    if (lua_isnil(L, list)) return;
    if (!pc_array_or_table(L, list))
        pc_refuse(L, "%s: breaks must be a list of times, as in breaks = { 1, 2.5 }, not %s", where,
                  luaL_tolstring(L, list, NULL));
    lua_Integer n = luaL_len(L, list);
    double *t = lua_newuserdatauv(L, (size_t)n * sizeof *t + 1, 0);
    for (lua_Integer i = 0; i < n; i++) {
        int number;
        lua_geti(L, list, i + 1);
        t[i] = lua_tonumberx(L, -1, &number);
        if (!number || !isfinite(t[i]))
            pc_refuse(L, "%s: breaks[%d] must be a finite time, not %s", where, (int)i + 1,
                      luaL_tolstring(L, -1, NULL));
        lua_pop(L, 1);
    }
    qsort(t, (size_t)n, sizeof *t, by_time);
    lua_replace(L, list);
    breaks->t = t;
    breaks->n = (int)n;
}

/* What is true or false jumps from 1 to -1. */
int pc_ode_read_value(lua_State *L, double *g)
{
    int number;
    *g = lua_tonumberx(L, -1, &number);
    if (lua_isboolean(L, -1)) *g = lua_toboolean(L, -1) ? 1 : -1;
    return number || lua_isboolean(L, -1);
}

int pc_ode_call_event(double t, const double *y, double *g, void *context)
{
    pc_ode_watcher *w = context;
    pc_ode_side *s = w->side;
    push_state(s, t, y);
    if (call(s, &w->g, state_width(s) + 1, 1) != 0) return -1;
    int known = pc_ode_read_value(s->L, g);
    int got = known ? 0 : refuse_result(s, t, w->name, 0, "a number, true or false");
    lua_pop(s->L, 1);
    return got;
}

/* The last result of an action, at `index`: nil, "stop", or a new right-hand side. */
static int read_verdict(pc_ode_watcher *w, double t, int index, bool changed)
{
    pc_ode_side *s = w->side;
    lua_State *L = s->L;
    switch (lua_type(L, index)) {
    case LUA_TNIL: return changed ? PC_ACTION_RESTART : PC_ACTION_CONTINUE;
    case LUA_TFUNCTION:
        if (!s->rhs.L) {
            pc_fail_at(s->err, PC_E_ARGUMENT, t, w->name,
                       "the action of event %s returned a new right-hand side at t = %.14g, but the present one is a "
                       "built-in system; start with a function to switch",
                       w->name, t);
            return -1;
        }
        lua_pushvalue(L, index);
        lua_replace(L, s->rhs.function);
        return PC_ACTION_RESTART;
    case LUA_TSTRING:
        if (strcmp(lua_tostring(L, index), "stop") == 0) return PC_ACTION_STOP;
        break;
    default: break;
    }
    pc_fail_at(s->err, PC_E_ARGUMENT, t, w->name,
               "the action of event %s may return a new state (%s), then \"stop\" or a new right-hand side; at "
               "t = %.14g it returned a %s",
               w->name, s->n <= PC_MOTION_NUMBERS ? "y1, y2, ... or a list of them" : "a list, or y changed in place",
               t, luaL_typename(L, index));
    return -1;
}

/* The list at `index`, a table or an array, is the new state. */
static int read_new_state(pc_ode_watcher *w, double t, int index, double *y)
{
    pc_ode_side *s = w->side;
    lua_State *L = s->L;
    const pc_array *array = pc_array_test(L, index);
    size_t n = array ? array->n : (size_t)lua_rawlen(L, index);
    if (n != (size_t)s->n) {
        pc_fail_at(s->err, PC_E_ARGUMENT, t, w->name,
                   "the action of event %s must return a state of %d components; at t = %.14g its list has %zu",
                   w->name, s->n, t, n);
        return -1;
    }
    if (!array) {
        lua_pushvalue(L, index);
        return read_list(s, t, w->name, y);
    }
    memcpy(y, array->v, n * sizeof *y);
    return 0;
}

/* Few components: action(t, y1, ...) -> nothing | y1, ... [, verdict] | list [, verdict] | verdict. */
static int act_on_numbers(pc_ode_watcher *w, double t, double *y)
{
    pc_ode_side *s = w->side;
    lua_State *L = s->L;
    int n = s->n;
    if (call(s, &w->action, n + 1, n + 1) != 0) return -1;
    int first = lua_gettop(L) - n, verdict;
    if (pc_array_or_table(L, first)) {
        verdict = read_new_state(w, t, first, y);
        if (verdict == 0) verdict = read_verdict(w, t, first + 1, true);
    } else if (lua_type(L, first) != LUA_TNUMBER) {
        int told = first; /* nothing for the state, then a verdict */
        while (told < first + n && lua_isnil(L, told)) told++;
        verdict = read_verdict(w, t, told, false);
    } else {
        verdict = read_verdict(w, t, -1, true);
        for (int i = 0; i < n && verdict >= 0; i++) {
            int number;
            y[i] = lua_tonumberx(L, first + i, &number);
            if (number) continue;
            lua_pushvalue(L, first + i);
            verdict = refuse_result(s, t, w->name, i, "a number for every component");
            lua_pop(L, 1);
        }
    }
    lua_pop(L, n + 1);
    return verdict;
}

/* Many components: action(t, y) changes the table or returns a list; -> nothing | list [, verdict] | verdict. */
static int act_on_table(pc_ode_watcher *w, double t, double *y)
{
    pc_ode_side *s = w->side;
    lua_State *L = s->L;
    if (call(s, &w->action, 2, 2) != 0) return -1;
    int first = lua_gettop(L) - 1, verdict = 0;
    bool changed = pc_array_or_table(L, first);
    if (changed) {
        verdict = read_new_state(w, t, first, y);
    } else {
        for (int i = 0; i < s->n && verdict == 0; i++) {
            int number;
            lua_rawgeti(L, s->y_table, i + 1);
            double yi = lua_tonumberx(L, -1, &number);
            if (!number) verdict = refuse_result(s, t, w->name, i, "leave a number for every component");
            changed = changed || yi != y[i];
            y[i] = yi;
            lua_pop(L, 1);
        }
    }
    bool second = pc_array_or_table(L, first) || lua_isnil(L, first);
    if (verdict == 0) verdict = read_verdict(w, t, second ? first + 1 : first, changed);
    lua_pop(L, 2);
    return verdict;
}

int pc_ode_call_action(double t, double *y, void *context)
{
    pc_ode_watcher *w = context;
    push_state(w->side, t, y);
    return w->side->n <= PC_MOTION_NUMBERS ? act_on_numbers(w, t, y) : act_on_table(w, t, y);
}

int pc_ode_call_progress(double t, size_t n_events, void *context)
{
    pc_ode_side *s = context;
    lua_pushnumber(s->L, t);
    lua_pushinteger(s->L, (lua_Integer)n_events);
    return call(s, &s->progress, 2, 0);
}
