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

/* Motions: states at any time, columns, events, statistics. */

static pc_bound_motion *check_motion(lua_State *L)
{
    return pc_type_check(L, 1, &pc_type_motion);
}

static const pc_solution *solution_of(lua_State *L)
{
    return &check_motion(L)->solution;
}

static int refuse_time(lua_State *L, const pc_solution *s, double t)
{
    if (s->trajectory.arcs.used == 0 && s->t != s->t0)
        return pc_refuse(L, "the motion was not recorded (record = false)");
    return pc_refuse(L, "t = %f s lies outside the motion, which runs from %f to %f s", t, s->t0, s->t);
}

/* State at t into y; a motion that never left its start has one state. */
static bool state_at(const pc_solution *s, double t, int side, double *y)
{
    if (s->trajectory.arcs.used > 0) return pc_solution_at(s, t, side, y);
    if (t != s->t) return false;
    for (int i = 0; i < s->n; i++) y[i] = s->y[i];
    return true;
}

/* n numbers, or one table where they would be many. */
static int push_values(lua_State *L, const double *y, int n)
{
    if (n <= PC_MOTION_NUMBERS) {
        luaL_checkstack(L, n, NULL);
        for (int i = 0; i < n; i++) lua_pushnumber(L, y[i]);
        return n;
    }
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, y[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* motion:at(t [, side]) */
static int motion_at(lua_State *L)
{
    const pc_solution *s = solution_of(L);
    double t = pc_argument_number(L, 2);
    static const char *const sides[] = {"after", "before", NULL};
    int side = !lua_isnoneornil(L, 3) && pc_argument_word(L, 3, sides) == 1 ? -1 : 1;
    double *y = lua_newuserdatauv(L, (size_t)s->n * sizeof *y, 0);
    if (!state_at(s, t, side, y)) return refuse_time(L, s, t);
    return push_values(L, y, s->n);
}

/* ---- columns ---- */

/* The times of columns, as an array on top of the stack: those given, or multiples of a step. The last time is the end
 * of the motion unless times were given. */
static pc_array *push_times(lua_State *L, const pc_solution *s, int index)
{
    if (lua_type(L, index) != LUA_TNUMBER) {
        lua_pushvalue(L, index);
        return pc_array_take(L, lua_gettop(L));
    }
    double step = lua_tonumber(L, index), span = fabs(s->t - s->t0);
    if (!(step > 0)) pc_refuse(L, "the step between rows must be > 0, not %f", step);
    /* rows at multiples of the step that are not the end up to rounding, then the end */
    double whole = floor(span / step * (1 + 1e-12));
    if (whole > 1e8) pc_refuse(L, "%f rows are too many; give a longer step", whole);
    size_t n = (size_t)whole + (span - whole * step > 1e-9 * step ? 2 : 1);
    pc_array *times = pc_array_new(L, n);
    double direction = s->t < s->t0 ? -1 : 1;
    for (size_t i = 0; i < n; i++) times->v[i] = s->t0 + direction * (double)i * step;
    times->v[n - 1] = s->t;
    return times;
}

/* Whether the state jumps where an arc ends. */
static bool jumps_after(const pc_solution *s, size_t arc)
{
    pc_dense now = pc_trajectory_dense(&s->trajectory, arc);
    size_t n;
    const pc_arc *a = pc_trajectory_arcs(&s->trajectory, &n) + arc;
    const double *next = s->y;
    int stride = 1, n_end = now.degree + 1;
    if (a->stop != a->t + a->h) return true; /* cut: where an action changed something */
    if (arc + 1 < n) {
        pc_dense after = pc_trajectory_dense(&s->trajectory, arc + 1);
        next = after.c;
        stride = after.degree + 1;
    }
    for (int i = 0; i < s->n; i++)
        if (now.c[i * n_end + now.degree] != next[i * stride]) return true;
    return false;
}

/* The rows of columns where none were asked for: the start and the ends of steps, both states where they differ. */
static size_t fill_steps(const pc_solution *s, double *t, double **column, double *y)
{
    size_t rows = 0, n_arcs;
    double *after = y + s->n;
    const pc_arc *arcs = pc_trajectory_arcs(&s->trajectory, &n_arcs);
    for (size_t k = 0; k <= n_arcs; k++) {
        double time = k == 0 ? s->t0 : arcs[k - 1].stop;
        bool known = state_at(s, time, 1, after);
        bool jump = k > 0 && known && jumps_after(s, k - 1) && state_at(s, time, -1, y) &&
                    memcmp(y, after, (size_t)s->n * sizeof *y) != 0;
        for (int side = jump ? 0 : 1; side < 2; side++) {
            if (t) t[rows] = time;
            for (int i = 0; t && i < s->n; i++) column[i][rows] = side ? after[i] : y[i];
            rows++;
        }
    }
    return rows;
}

/* motion:columns([step or times]) -> { t =, [1] =, [2] =, ..., name = } */
static int motion_columns(lua_State *L)
{
    const pc_solution *s = solution_of(L);
    lua_settop(L, 2);
    lua_createtable(L, s->n, s->n + 1);
    double *y = lua_newuserdatauv(L, 2 * (size_t)s->n * sizeof *y, 0);
    double **column = lua_newuserdatauv(L, (size_t)s->n * sizeof *column, 0);
    bool steps = lua_isnil(L, 2);
    if (steps && s->trajectory.arcs.used == 0 && s->t != s->t0) return refuse_time(L, s, s->t0);
    pc_array *times = steps ? pc_array_new(L, fill_steps(s, NULL, NULL, y)) : push_times(L, s, 2);
    lua_setfield(L, 3, "t"); /* the table keeps it alive */
    for (int i = 0; i < s->n; i++) {
        column[i] = pc_array_new(L, times->n)->v;
        lua_rawseti(L, 3, i + 1);
    }
    if (steps) fill_steps(s, times->v, column, y);
    for (size_t k = 0; k < times->n && !steps; k++) {
        if (!state_at(s, times->v[k], 1, y)) return refuse_time(L, s, times->v[k]);
        for (int i = 0; i < s->n; i++) column[i][k] = y[i];
    }
    if (lua_getiuservalue(L, 1, PC_MOTION_NAMES) == LUA_TTABLE) {
        for (int i = 1; i <= s->n; i++) {
            lua_rawgeti(L, -1, i);
            lua_rawgeti(L, 3, i);
            lua_rawset(L, 3);
        }
    }
    lua_settop(L, 3);
    return 1;
}

/* ---- fields ---- */

static void push_time(lua_State *L, void *self)
{
    lua_pushnumber(L, ((pc_bound_motion *)self)->solution.t);
}

static void push_start(lua_State *L, void *self)
{
    lua_pushnumber(L, ((pc_bound_motion *)self)->solution.t0);
}

static void push_stop(lua_State *L, void *self)
{
    lua_pushstring(L, pc_stop_word(((pc_bound_motion *)self)->solution.stop));
}

static void push_vector(lua_State *L, const double *y, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, y[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_y(lua_State *L, void *self)
{
    const pc_solution *s = &((pc_bound_motion *)self)->solution;
    push_vector(L, s->y, s->y ? s->n : 0);
}

/* Name of an event, on top of the stack. */
static void push_event_name(lua_State *L, int event)
{
    lua_getiuservalue(L, 1, PC_MOTION_EVENTS);
    lua_rawgeti(L, -1, event + 1);
    lua_remove(L, -2);
}

static void push_events(lua_State *L, void *self)
{
    static const char *const kinds[] = {"down", "touch", "up"};
    const pc_solution *s = &((pc_bound_motion *)self)->solution;
    lua_createtable(L, (int)s->n_events, 0);
    for (size_t i = 0; i < s->n_events; i++) {
        const pc_occurrence *o = &s->events[i];
        lua_createtable(L, 0, 8);
        lua_pushnumber(L, o->t);
        lua_setfield(L, -2, "time");
        push_event_name(L, o->event);
        lua_setfield(L, -2, "name");
        lua_pushinteger(L, o->event + 1);
        lua_setfield(L, -2, "index");
        lua_pushstring(L, kinds[pc_occurrence_direction(o) + 1]);
        lua_setfield(L, -2, "kind");
        lua_pushinteger(L, o->multiplicity);
        lua_setfield(L, -2, "multiplicity");
        if (o->before != 0) {
            lua_pushstring(L, o->before > 0 ? "above" : "below");
            lua_setfield(L, -2, "from");
        }
        push_vector(L, pc_solution_event_state(s, i, 0), s->n);
        lua_setfield(L, -2, "before");
        push_vector(L, pc_solution_event_state(s, i, 1), s->n);
        lua_setfield(L, -2, "after");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_stop_event(lua_State *L, void *self)
{
    int event = ((pc_bound_motion *)self)->solution.stop_event;
    if (event < 0)
        lua_pushnil(L);
    else
        push_event_name(L, event);
}

static void push_statistics(lua_State *L, void *self)
{
    const pc_solution *s = &((pc_bound_motion *)self)->solution;
    const struct {
        const char *name;
        long value;
    } counts[] = {
        {"steps", s->statistics.steps},
        {"rejected", s->statistics.rejected},
        {"rhs_calls", s->statistics.rhs_calls},
        {"jacobians", s->statistics.jacobians},
        {"event_calls", s->g_calls},
        {"factorizations", s->statistics.factorizations},
    };
    lua_createtable(L, 0, 7);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        lua_pushinteger(L, counts[i].value);
        lua_setfield(L, -2, counts[i].name);
    }
    lua_pushnumber(L, s->fit_error);
    lua_setfield(L, -2, "fit_error");
}

static void motion_describe(lua_State *L, void *self)
{
    const pc_solution *s = &((pc_bound_motion *)self)->solution;
    lua_pushfstring(L, "motion of %d equation%s from t = %f to %f (%s): %d steps, %d event%s", s->n,
                    s->n == 1 ? "" : "s", s->t0, s->t, pc_stop_word(s->stop), (int)s->statistics.steps,
                    (int)s->n_events, s->n_events == 1 ? "" : "s");
}

static void motion_free(void *self)
{
    pc_solution_free(&((pc_bound_motion *)self)->solution);
}

#define FALL "local m = pc.ode.solve{ rhs = function(t, y, v) return v, -9.81 end, y = { 1, 0 }, t = 0.4 }\n"

static const pc_property properties[] = {
    {"time", push_time, "s", "time at which the motion ended"},
    {"start", push_start, "s", "time at which it began"},
    {"y", push_y, NULL, "state at the end, a list"},
    {"stop", push_stop, NULL,
     "why it ended: end (the time was reached), event, stalled (events accumulated) or error (a partial result)"},
    {"stop_event", push_stop_event, NULL, "name of the event that ended it, or nil"},
    {"events", push_events, NULL,
     "list of what happened: time, name, index, kind (down, up, touch), multiplicity, from (above or below zero; nil "
     "at the "
     "start), before and after (states)"},
    {"statistics", push_statistics, NULL,
     "table of counts: steps, rejected, rhs_calls, event_calls, jacobians, factorizations; and fit_error, the greatest "
     "error of a fit to an event function relative to its size where it is above 1e-12"},
    {0},
};

static const pc_row at_params[] = {
    {.name = "t", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_REQUIRED, .doc = "time within the motion"},
    {.name = "side",
     .kind = PC_STRING,
     .initial = PC_ABSENT,
     .otherwise = "\"after\"",
     .doc = "where the state jumps at t: the state \"before\" or \"after\""},
    {0},
};
static const pc_row columns_params[] = {
    {.name = "times",
     .kind = PC_REAL,
     .also = PC_ALSO(PC_NUMBERS),
     .initial = PC_ABSENT,
     .otherwise = "the ends of steps",
     .doc = "step between rows, or the times themselves; by default a jump has two rows, the state before it and after "
            "it"},
    {0},
};

static const pc_function methods[] = {
    {"at", motion_at, "The state at a time, from the polynomials of the steps.", at_params,
     "numbers (a table for more than 8 components)", NULL,
     FALL "print((\"%.6f %.6f\"):format(m:at(0.2)))\n--> 0.803800 -1.962000"},
    {"columns", motion_columns, "The motion as arrays, one for each component; the last row is its end.",
     columns_params, "table: t, then one array by index and by name", NULL,
     FALL "local c = m:columns(0.15)\nprint(#c.t, c.t[4], c[1][4] == m.y[1])\n--> 4\t0.4\ttrue"},
    {0},
};

const pc_type pc_type_motion = {
    .name = "percuss.motion",
    .summary = "The motion that a system of differential equations makes, with its events.",
    .properties = properties,
    .methods = methods,
    .free = motion_free,
    .describe = motion_describe,
};
