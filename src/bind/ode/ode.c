/* The module percuss.ode: differential equations whose right-hand side, events and actions are Lua functions.
 *
 * Up to eight components are passed as numbers, f(t, y1, y2, ...) -> dy1, dy2, ..., which costs no table; above, f(t,
 * y, dydt) gets two tables that are used again at every call. Everything that C needs during the solve lives in
 * userdata on the stack of ode_solve; the solution is the motion that it returns.
 */
#include "bind/core/array.h"
#include "bind/core/interrupt.h"
#include "bind/core/register.h"
#include "bind/ode/motion.h"
#include "bind/ode/ode.h"
#include "bind/ode/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EVENTS = 32, OPTIONS = 1, MOTION = 2 };

/* ---- reading the options ---- */

static const char *const option_words[] = {"rhs",    "y",          "t",         "start",      "events",
                                           "solver", "jacobian",   "positions", "autonomous", "names",
                                           "record", "max_events", "progress",  "breaks",     "time_scale"};
static const char *const event_words[] = {"g", "direction", "terminal", "action", "name"};
enum { N_OPTIONS = sizeof option_words / sizeof *option_words, N_EVENT = sizeof event_words / sizeof *event_words };

static int refuse_name(lua_State *L, const char *where, const char *name, const char *const *words, int n)
{
    const char *near = pc_nearest(name, words, n);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 0; i < n; i++) {
        luaL_addstring(&text, i ? ", " : "");
        luaL_addstring(&text, words[i]);
    }
    luaL_pushresult(&text);
    return pc_refuse(L, "%s: '%s' is not an option%s%s%s (options: %s)", where, name, near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "", lua_tostring(L, -1));
}

/* Every key of the table at `index` must be a known word; or the number 1, where `list` allows it. */
static void check_names(lua_State *L, int index, const char *where, const char *const *words, int n, bool list)
{
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (list && lua_isinteger(L, -1) && lua_tointeger(L, -1) == 1) continue;
        if (lua_type(L, -1) != LUA_TSTRING) pc_refuse(L, "%s: options have names, as in %s = ...", where, words[0]);
        bool known = false;
        for (int i = 0; i < n && !known; i++) known = strcmp(lua_tostring(L, -1), words[i]) == 0;
        if (!known) refuse_name(L, where, lua_tostring(L, -1), words, n);
    }
}

static double number_option(lua_State *L, const char *name, double initial)
{
    if (lua_getfield(L, OPTIONS, name) == LUA_TNIL && !isnan(initial)) {
        lua_pop(L, 1);
        return initial;
    }
    int number;
    double x = lua_tonumberx(L, -1, &number);
    if (!number || !isfinite(x))
        pc_refuse(L, "ode.solve: %s must be a finite number, not %s", name, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return x;
}

static bool boolean_option(lua_State *L, const char *name, bool initial)
{
    int type = lua_getfield(L, OPTIONS, name);
    bool x = type == LUA_TNIL ? initial : lua_toboolean(L, -1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        pc_refuse(L, "ode.solve: %s must be true or false, not %s", name, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return x;
}

/* The function in field `name` of the table at `index` stays on the stack with its slot. False if it is absent. */
static bool function_option(lua_State *L, int index, const char *where, const char *name, const char *label,
                            pc_callback *callback)
{
    int type = lua_getfield(L, index, name);
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (type != LUA_TFUNCTION)
        pc_refuse(L, "%s: %s must be a function, not %s", where, name, luaL_tolstring(L, -1, NULL));
    pc_callback_open(L, lua_gettop(L), label, callback);
    return true;
}

/* The built-in system in `rhs`, kept alive by the options; NULL if rhs is something else. */
static pc_bound_system *system_option(lua_State *L)
{
    lua_getfield(L, OPTIONS, "rhs");
    pc_bound_system *system = pc_type_test(L, -1, &pc_type_system);
    lua_pop(L, 1);
    return system;
}

/* The state at the start: a list of numbers or one number; a built-in system has a customary one. A block of doubles
 * stays on the stack. */
static double *read_start(lua_State *L, const pc_bound_system *system, int *n)
{
    int type = lua_getfield(L, OPTIONS, "y");
    if (type == LUA_TNIL && system) {
        *n = system->system->n;
        double *y = lua_newuserdatauv(L, (size_t)*n * sizeof *y, 0);
        memcpy(y, system->system->start, (size_t)*n * sizeof *y);
        return y;
    }
    if (type == LUA_TNUMBER) {
        double *one = lua_newuserdatauv(L, sizeof *one, 0);
        *one = lua_tonumber(L, -2);
        *n = 1;
        return one;
    }
    if (type != LUA_TTABLE && !pc_array_test(L, -1))
        pc_refuse(L, "ode.solve: y must be the state at the start, a number or a list of numbers, not %s",
                  luaL_tolstring(L, -1, NULL));
    lua_Integer count = luaL_len(L, -1);
    if (count < 1 || count > 1000000) pc_refuse(L, "ode.solve: y must have from 1 to 1000000 components");
    double *y = lua_newuserdatauv(L, (size_t)count * sizeof *y, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, -2, i + 1);
        int number;
        y[i] = lua_tonumberx(L, -1, &number);
        if (!number || !isfinite(y[i]))
            pc_refuse(L, "ode.solve: y[%d] must be a finite number, not %s", (int)i + 1, luaL_tolstring(L, -1, NULL));
        lua_pop(L, 1);
    }
    *n = (int)count;
    return y;
}

/* Names of the components, for columns: as many as there are, all different. */
static void read_names(lua_State *L, const pc_bound_system *system, int n)
{
    if (lua_getfield(L, OPTIONS, "names") == LUA_TNIL && system) {
        lua_createtable(L, n, 0);
        for (int i = 0; i < n; i++) {
            lua_pushstring(L, system->system->names[i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setiuservalue(L, MOTION, PC_MOTION_NAMES);
    } else if (!lua_isnil(L, -1)) {
        if (!lua_istable(L, -1) || luaL_len(L, -1) != n)
            pc_refuse(L, "ode.solve: names must be a list of %d strings, one for every component of y", n);
        lua_createtable(L, n, 0);
        for (int i = 1; i <= n; i++) {
            if (lua_geti(L, -2, i) != LUA_TSTRING || strcmp(lua_tostring(L, -1), "t") == 0)
                pc_refuse(L, "ode.solve: names[%d] must be a string other than \"t\", not %s", i,
                          luaL_tolstring(L, -1, NULL));
            lua_rawseti(L, -2, i);
        }
        lua_setiuservalue(L, MOTION, PC_MOTION_NAMES);
    }
    lua_pop(L, 1);
}

/* One event from the table at the top of the stack, where its functions stay above it. `names` is the stack index of
 * the list of names. */
static void read_event(lua_State *L, pc_ode_side *s, int number, int names, pc_event *event, pc_ode_watcher *w)
{
    int index = lua_gettop(L);
    char where[40];
    snprintf(where, sizeof where, "ode.solve: event %d", number);
    if (!lua_istable(L, index))
        pc_refuse(L, "%s must be a table { g, direction =, terminal =, action =, name = }, not %s", where,
                  luaL_typename(L, index));
    check_names(L, index, where, event_words, N_EVENT, true);
    *w = (pc_ode_watcher){.side = s};

    int type = lua_getfield(L, index, "name");
    if (type == LUA_TNIL)
        lua_pushfstring(L, "event %d", number);
    else if (type != LUA_TSTRING)
        pc_refuse(L, "%s: name must be a string, not %s", where, luaL_tolstring(L, -1, NULL));
    w->name = lua_tostring(L, -1); /* the list of names keeps it alive */
    lua_rawseti(L, names, number);
    if (type == LUA_TNIL) lua_pop(L, 1);

    *event =
        (pc_event){.name = w->name, .leaving = PC_LEAVING_EITHER, .rough = true, .g = pc_ode_call_event, .context = w};
    type = lua_getfield(L, index, "direction");
    double direction = lua_tonumber(L, -1);
    if (type != LUA_TNIL && (type != LUA_TNUMBER || (direction != 0 && direction != 1 && direction != -1)))
        pc_refuse(L, "%s: direction must be -1 (falling), 0 (both) or 1 (rising), not %s", where,
                  luaL_tolstring(L, -1, NULL));
    event->direction = (int)direction;
    type = lua_getfield(L, index, "terminal");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        pc_refuse(L, "%s: terminal must be true or false, not %s", where, luaL_tolstring(L, -1, NULL));
    event->terminal = lua_toboolean(L, -1);
    lua_pop(L, 2);

    if (lua_geti(L, index, 1) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_getfield(L, index, "g");
    }
    if (lua_type(L, -1) != LUA_TFUNCTION)
        pc_refuse(L, "%s: its first element must be the function g(t, y...) whose zeros are wanted, not %s", where,
                  luaL_tolstring(L, -1, NULL));
    pc_callback_open(L, lua_gettop(L), w->name, &w->g);
    w->has_action = function_option(L, index, where, "action", w->name, &w->action);
    if (w->has_action) event->action = pc_ode_call_action;
}

/* The list of events; what belongs to them stays on the stack. */
static int read_events(lua_State *L, pc_ode_side *s, pc_event **events)
{
    int type = lua_getfield(L, OPTIONS, "events");
    if (type == LUA_TNIL) return 0;
    if (type != LUA_TTABLE)
        pc_refuse(L, "ode.solve: events must be a list of events, not %s", luaL_tolstring(L, -1, NULL));
    int list = lua_gettop(L);
    lua_Integer n = luaL_len(L, list);
    if (n > MOST_EVENTS) pc_refuse(L, "ode.solve: at most %d events, not %d", MOST_EVENTS, (int)n);
    *events = lua_newuserdatauv(L, (size_t)n * sizeof **events + 1, 0);
    pc_ode_watcher *watchers = lua_newuserdatauv(L, (size_t)n * sizeof *watchers + 1, 0);
    lua_createtable(L, (int)n, 0);
    int names = lua_gettop(L);
    for (int i = 0; i < (int)n; i++) {
        luaL_checkstack(L, 20, "too many events");
        lua_geti(L, list, i + 1);
        read_event(L, s, i + 1, names, &(*events)[i], &watchers[i]);
    }
    lua_pushvalue(L, names);
    lua_setiuservalue(L, MOTION, PC_MOTION_EVENTS);
    return (int)n;
}

static double read_time_scale(lua_State *L, double t0, double t1, bool silent)
{
    int type = lua_getfield(L, OPTIONS, "time_scale"), number;
    double scale = lua_tonumberx(L, -1, &number);
    if (type != LUA_TNIL && (!number || !(scale > 0)))
        pc_refuse(L, "ode.solve: time_scale must be a number > 0 (math.huge: the rates do not depend on t), not %s",
                  luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    if (type == LUA_TNIL) return silent ? PC_ODE_SHARE * fabs(t1 - t0) : 0;
    return isfinite(scale) ? scale : 0;
}

static void read_solver(lua_State *L, pc_bound_solver *solver)
{
    if (lua_getfield(L, OPTIONS, "solver") == LUA_TNIL) {
        solver->method = &pc_ode_dop853;
        pc_schema_defaults(solver->method->schema, &solver->settings);
    } else {
        pc_bound_solver *given = pc_type_test(L, -1, &pc_type_solver);
        if (given)
            *solver = *given;
        else
            pc_refuse(L, "ode.solve: solver must be one of percuss.solver, as in solver.dop853{ rtol = 1e-9 }, not %s",
                      luaL_tolstring(L, -1, NULL));
    }
    lua_pop(L, 1);
}

/* ---- solve ---- */

/* How a failed solve comes out: the callback's own error, an interruption, or an error object with what there is. */
static int raise_failure(lua_State *L, const pc_ode_side *s, const pc_error *err)
{
    if (err->code == PC_E_INTERRUPTED) return pc_interrupt_raise(L, MOTION);
    if (s->failed && s->failed->failed) return pc_callback_raise_partial(s->failed, MOTION);
    /* what is wrong with the options, not with what a function returned on the way */
    if ((err->code == PC_E_ARGUMENT || err->code == PC_E_UNSUPPORTED) && !err->quantity[0])
        return pc_refuse(L, "ode.solve: %s", err->text);
    pc_error_push(L, err);
    lua_pushvalue(L, MOTION);
    lua_setfield(L, -2, "partial");
    return lua_error(L);
}

/* A right-hand side in Lua, with its Jacobian if there is one. */
static void read_functions(lua_State *L, pc_ode_side *s, pc_ode_problem *problem)
{
    if (!function_option(L, OPTIONS, "ode.solve", "rhs", "rhs", &s->rhs))
        pc_refuse(L, "ode.solve: rhs must be given: the function f(t, y...) that returns the rates of y, or a system");
    if (function_option(L, OPTIONS, "ode.solve", "jacobian", "jacobian", &s->jacobian))
        problem->jacobian = pc_ode_call_jacobian;
}

/* A built-in right-hand side. It brings its own Jacobian and structure, so options that would say them again are
 * refused. */
static void read_system(lua_State *L, pc_ode_side *s, pc_bound_system *bound, pc_ode_problem *problem)
{
    static const char *const own[] = {"jacobian", "autonomous", "positions", "breaks", "time_scale"};
    const pc_ode_system *system = bound->system;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (lua_getfield(L, OPTIONS, own[i]) != LUA_TNIL)
            pc_refuse(L, "ode.solve: %s goes with a function as rhs; %s brings its own", own[i], system->schema->name);
        else
            lua_pop(L, 1);
    if (s->n != system->n)
        pc_refuse(L, "ode.solve: y has %d components, but the state of %s has %d", s->n, system->schema->name,
                  system->n);
    problem->rhs = system->rhs;
    problem->jacobian = system->jacobian;
    problem->context = bound->params;
    problem->n_positions = system->n_positions;
    problem->autonomous = true;
}

static int ode_solve(lua_State *L)
{
    lua_settop(L, 1);
    if (!lua_istable(L, OPTIONS))
        return pc_refuse(L, "ode.solve takes a table, as in ode.solve{ rhs = f, y = { 1, 0 }, t = 10 }, not %s",
                         luaL_typename(L, OPTIONS));
    check_names(L, OPTIONS, "ode.solve", option_words, N_OPTIONS, false);
    pc_bound_motion *motion = pc_type_new(L, &pc_type_motion, sizeof *motion, PC_MOTION_USERVALUES);

    pc_error err = {0};
    pc_ode_side s = {.L = L, .err = &err};
    pc_bound_system *system = system_option(L);
    double *y = read_start(L, system, &s.n);
    read_names(L, system, s.n);
    pc_ode_problem problem = {.n = s.n, .rhs = pc_ode_call_rhs, .context = &s};
    if (system)
        read_system(L, &s, system, &problem);
    else
        read_functions(L, &s, &problem);
    bool has_progress = function_option(L, OPTIONS, "ode.solve", "progress", "progress", &s.progress);
    double positions = number_option(L, "positions", 0), max_events = number_option(L, "max_events", 100000);
    if (positions != floor(positions) || positions < 0 || positions > s.n)
        return pc_refuse(L, "ode.solve: positions must be an integer from 0 to %d, not %f", s.n, positions);
    if (max_events != floor(max_events) || max_events < 1 || max_events > 2e9)
        return pc_refuse(L, "ode.solve: max_events must be an integer from 1 to 2000000000, not %f", max_events);
    if (!system) {
        problem.n_positions = (int)positions;
        problem.autonomous = boolean_option(L, "autonomous", false);
    }

    pc_bound_solver solver;
    read_solver(L, &solver);
    if (s.n > PC_MOTION_NUMBERS) {
        lua_createtable(L, s.n, 0);
        s.y_table = lua_gettop(L);
        lua_createtable(L, s.n, 0);
        s.f_table = lua_gettop(L);
        for (int i = 1; i <= s.n; i++) { /* full, so that no call has to allocate */
            lua_pushnumber(L, 0);
            lua_rawseti(L, s.y_table, i);
            lua_pushnumber(L, 0);
            lua_rawseti(L, s.f_table, i);
        }
    }
    pc_event *events = NULL;
    int n_events = read_events(L, &s, &events);
    luaL_checkstack(L, s.n <= PC_MOTION_NUMBERS ? 2 * s.n + 10 : 10, NULL);
    pc_solve_task task = {.problem = &problem,
                          .method = solver.method,
                          .settings = &solver.settings,
                          .events = events,
                          .n_events = n_events,
                          .max_events = (int)max_events,
                          .t0 = number_option(L, "start", 0),
                          .t1 = number_option(L, "t", NAN),
                          .y0 = y,
                          .record = boolean_option(L, "record", true)};
    if (has_progress) {
        task.progress = pc_ode_call_progress;
        task.progress_context = &s;
    }
    lua_getfield(L, OPTIONS, "breaks");
    pc_breaks_read(L, "ode.solve", &task.breaks);
    problem.time_scale = read_time_scale(L, task.t0, task.t1, !problem.autonomous && task.breaks.n == 0);
    if (pc_solve(&task, &motion->solution, &err) != PC_OK) return raise_failure(L, &s, &err);
    lua_settop(L, MOTION);
    return 1;
}

static const pc_param solve_params[] = {
    {"rhs", "function or system", NULL, NULL,
     "a built-in system, or f(t, y1, y2, ...) -> rates of y1, y2, ...; for more than 8 components f(t, y, dydt), which "
     "fills the table dydt"},
    {"y", "list or number", NULL, "that of a built-in system", "state at the start"},
    {"t", "number", "s", NULL, "time to end at; before start to go backwards"},
    {"start", "number", "s", "0", "time at the start"},
    {"events", "list", NULL, "none",
     "events { g, direction = 0, terminal = false, action = nil, name = }: g(t, y...) is a number whose zeros are "
     "found, or true or false, which jumps; direction -1 means reached from above, 1 from below, 0 both; terminal ends "
     "the motion; action(t, y...) "
     "may return a new state, as y1, y2, ... or as a list (table or array), and after it \"stop\" or a new right-hand "
     "side; for more than 8 components action(t, y) may also change the table y in place"},
    {"solver", "solver", NULL, "solver.dop853{}", "method with its settings"},
    {"jacobian", "function", NULL, "by differences",
     "for stiff solvers: (t, y...) -> table of rows of the derivatives of the rates"},
    {"autonomous", "boolean", NULL, "false",
     "whether the rates do not depend on t: saves stiff solvers a call, and all of them the look ahead of time_scale"},
    {"breaks", "list", NULL, "none",
     "times at which the rates jump or have a kink by t alone (a force is switched, a table has a corner): no step "
     "crosses one, and the rates are never asked at it, but just before and just after, so that t < 5 and t <= 5 in "
     "them are the same"},
    {"time_scale", "number", "s", "1/256 of the time, with breaks or autonomous = true none",
     "what the rates do by t alone lasts at least so long. A step that would be longer is preceded by calls at that "
     "distance, and ends where they tell a change: a shorter pulse may be stepped over silently, as may one of less "
     "than 1/256 of the time without this option or breaks. math.huge: the rates depend on y alone"},
    {"positions", "integer", NULL, "0", "for symplectic solvers: how many of y, from the first, are positions"},
    {"names", "list", NULL, "none", "names of the components, for columns"},
    {"record", "boolean", NULL, "true", "whether the motion is kept for at and columns"},
    {"max_events", "integer", NULL, "100000", "events after which the motion ends with an error"},
    {"progress", "function", NULL, "none", "called every 4096 steps with the time and the number of events"},
    {0},
};

static const pc_function functions[] = {
    {"solve", ode_solve,
     "Solve y' = f(t, y) with events. An event function g is fitted by polynomials along each step to 1e-12 of its "
     "size "
     "(judged beside the fitted points), the step being cut until that holds; no zero of these polynomials is missed, "
     "grazes included. Where g has a kink or jumps, the signs on both sides decide: one change of sign is one event in "
     "its direction, at the first number beyond it. A pole is none: |g| grows without bound on both sides. A g that "
     "is noise to more than 1e-8 of its size, or changes too often to be followed, ends in an error that names it "
     "and its time. A g that is zero at the start counts if it leaves zero towards its direction; direction 0 tells "
     "it in any case. An event whose action leaves its g where it is, within the error of that, ends the motion as "
     "stalled. On failure the error carries the motion so far as `partial`.",
     solve_params, "motion", "Hairer, Norsett and Wanner (1993); Kecskemethy (1999)",
     "local m = pc.ode.solve{\n"
     "  rhs = function(t, y, v) return v, -9.81 end, y = { 1, 0 }, t = 1,\n"
     "  events = { { function(t, y) return y end, direction = -1, name = \"floor\",\n"
     "               action = function(t, y, v) return 0, -0.5*v end } },\n"
     "}\n"
     "print(#m.events, m.events[1].name, (\"%.12f\"):format(m.events[1].time))\n"
     "--> 2\tfloor\t0.451523640986"},
    {0},
};

void pc_open_ode(lua_State *L)
{
    pc_type_open(L, &pc_type_motion);
    lua_newtable(L);
    pc_functions_open(L, "ode", functions);
    pc_module_strict(L, "ode");
    lua_setfield(L, -2, "ode");
}
