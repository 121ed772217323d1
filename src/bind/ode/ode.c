/* The module percuss.ode: differential equations whose right-hand side, events and actions are Lua functions.
 *
 * Up to eight components are passed as numbers, f(t, y1, y2, ...) -> dy1, dy2, ..., which costs no table; above, f(t,
 * y, dydt) gets two tables that are used again at every call. Everything that C needs during the solve lives in
 * userdata on the stack of ode_solve; the solution is the motion that it returns.
 */
#include "bind/ode/ode.h"

#include "bind/core/bind.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EVENTS = 32, OPTIONS = 1, MOTION = 2 };

/* ---- reading the options ---- */

typedef struct event_options {
    const char *name;
    int direction;
    bool terminal;
} event_options;

static const pc_row event_rows[] = {
    {.name = "g",
     .kind = PC_FUNCTION,
     .place = 1,
     .initial = PC_REQUIRED,
     .doc = "g(t, y...): a number whose zeros are found, or true or false, which jumps"},
    PC_ROW(event_options, direction, "direction", .allowed = PC_BETWEEN(-1, 1),
           .doc = "-1 means reached from above, 1 from below, 0 both"),
    PC_ROW(event_options, terminal, "terminal", .doc = "it ends the motion"),
    {.name = "action",
     .kind = PC_FUNCTION,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc = "action(t, y...) may return a new state, as y1, y2, ... or as a list (table or array), and after it "
            "\"stop\" or a new right-hand side; for more than 8 components action(t, y) may also change the table y "
            "in place"},
    {.name = "name",
     .kind = PC_STRING,
     .offset = offsetof(event_options, name),
     .initial = PC_ABSENT,
     .otherwise = "event and its number",
     .doc = "what it is called in motion.events"},
};

typedef struct solve_options {
    double t, start;
    int positions, max_events;
    bool autonomous, record;
} solve_options;

static const pc_schema event_schema = {
    .name = "ode.solve: an event", PC_ROWS(event_rows), .size = sizeof(event_options)};

static const pc_row solve_rows[] = {
    {.name = "rhs",
     .kind = PC_FUNCTION,
     .object = "system",
     .also = PC_ALSO(PC_OBJECT),
     .initial = PC_REQUIRED,
     .doc = "a built-in system, or f(t, y1, y2, ...) -> rates of y1, y2, ...; for more than 8 components f(t, y, "
            "dydt), which "
            "fills the table dydt"},
    {.name = "y",
     .kind = PC_NUMBERS,
     .allowed = PC_ANY,
     .also = PC_ALSO(PC_REAL),
     .initial = PC_ABSENT,
     .otherwise = "that of a built-in system",
     .doc = "state at the start"},
    PC_ROW(solve_options, t, "t", .unit = PC_UNIT_S, .initial = PC_REQUIRED,
           .doc = "time to end at; before start to go backwards"),
    PC_ROW(solve_options, start, "start", .unit = PC_UNIT_S, .doc = "time at the start"),
    {.name = "events",
     .kind = PC_LIST,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .options = &event_schema,
     .doc = "a table for each, which begins with its function"},
    {.name = "solver",
     .kind = PC_OBJECT,
     .object = "solver",
     .initial = PC_ABSENT,
     .otherwise = "solver.dop853{}",
     .doc = "method with its settings"},
    {.name = "jacobian",
     .kind = PC_FUNCTION,
     .initial = PC_ABSENT,
     .otherwise = "by differences",
     .doc = "for stiff solvers: (t, y...) -> table of rows of the derivatives of the rates"},
    PC_ROW(solve_options, autonomous, "autonomous",
           .doc = "whether the rates do not depend on t: saves stiff solvers a call, and all of them the look ahead of "
                  "time_scale"),
    {.name = "breaks",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_S,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc =
         "times at which the rates jump or have a kink by t alone (a force is switched, a table has a corner): no step "
         "crosses one, and the rates are never asked at it, but just before and just after, so that t < 5 and t <= 5 "
         "in "
         "them are the same"},
    {.name = "time_scale",
     .kind = PC_REAL,
     .also = PC_ALSO(PC_REAL),
     .unit = PC_UNIT_S,
     .initial = PC_ABSENT,
     .otherwise = "1/256 of the time, with breaks or autonomous = true none",
     .allowed = {0, INFINITY, true, false},
     .doc = "what the rates do by t alone lasts at least so long. A step that would be longer is preceded by calls at "
            "that "
            "distance, and ends where they tell a change: a shorter pulse may be stepped over silently, as may one of "
            "less "
            "than 1/256 of the time without this option or breaks. math.huge: the rates depend on y alone"},
    PC_ROW(solve_options, positions, "positions", .allowed = PC_BETWEEN(0, 1e6),
           .doc = "for symplectic solvers: how many of y, from the first, are positions"),
    {.name = "names",
     .kind = PC_LIST,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc = "names of the components, for columns"},
    PC_ROW(solve_options, record, "record", .initial = true, .doc = "whether the motion is kept for at and columns"),
    PC_ROW(solve_options, max_events, "max_events", .allowed = PC_BETWEEN(1, 2e9), .initial = 100000,
           .doc = "events after which the motion ends with an error"),
    {.name = "progress",
     .kind = PC_FUNCTION,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc = "called every 4096 steps with the time and the number of events"},
};
static const pc_schema solve_schema = {.name = "ode.solve", PC_ROWS(solve_rows), .size = sizeof(solve_options)};

/* The function in field `name` of the table at `index` stays on the stack with its slot. False if it is absent. */
static bool function_option(lua_State *L, int index, const char *name, const char *label, pc_callback *callback)
{
    if (!pc_option_push(L, index, name)) return false;
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
    size_t count;
    const double *given = pc_option_numbers(L, OPTIONS, &solve_schema, "y", &count);
    if (!given) pc_refuse(L, "ode.solve: y is needed: the state at the start, a number or a list of numbers");
    if (count < 1 || count > 1000000) pc_refuse(L, "ode.solve: y must have from 1 to 1000000 components");
    double *y = lua_newuserdatauv(L, count * sizeof *y, 0);
    memcpy(y, given, count * sizeof *y);
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
    pc_schema schema = event_schema;
    schema.name = where;
    event_options o;
    pc_options_take(L, index, &schema, &o);
    *w = (pc_ode_watcher){.side = s};
    if (o.name)
        lua_pushstring(L, o.name);
    else
        lua_pushfstring(L, "event %d", number);
    w->name = lua_tostring(L, -1); /* the list of names keeps it alive */
    lua_rawseti(L, names, number);
    *event = (pc_event){.name = w->name,
                        .direction = o.direction,
                        .terminal = o.terminal,
                        .leaving = PC_LEAVING_EITHER,
                        .rough = true,
                        .g = pc_ode_call_event,
                        .context = w};
    function_option(L, index, "g", w->name, &w->g);
    w->has_action = function_option(L, index, "action", w->name, &w->action);
    if (w->has_action) event->action = pc_ode_call_action;
}

/* The list of events; what belongs to them stays on the stack. */
static int read_events(lua_State *L, pc_ode_side *s, pc_event **events)
{
    if (!pc_option_push(L, OPTIONS, "events")) return 0;
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
    if (!pc_option_push(L, OPTIONS, "time_scale")) return silent ? PC_ODE_SHARE * fabs(t1 - t0) : 0;
    double scale = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return isfinite(scale) ? scale : 0;
}

static void read_solver(lua_State *L, pc_bound_solver *solver)
{
    if (pc_option_push(L, OPTIONS, "solver")) {
        *solver = *(pc_bound_solver *)pc_type_check(L, -1, &pc_type_solver);
        lua_pop(L, 1);
    } else {
        solver->method = &pc_ode_dop853;
        pc_schema_defaults(solver->method->schema, &solver->settings);
    }
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
    if (!function_option(L, OPTIONS, "rhs", "rhs", &s->rhs))
        pc_refuse(L, "ode.solve: rhs must be given: the function f(t, y...) that returns the rates of y, or a system");
    if (function_option(L, OPTIONS, "jacobian", "jacobian", &s->jacobian)) problem->jacobian = pc_ode_call_jacobian;
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
    solve_options o;
    pc_options_take(L, OPTIONS, &solve_schema, &o);
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
    bool has_progress = function_option(L, OPTIONS, "progress", "progress", &s.progress);
    if (o.positions > s.n)
        return pc_refuse(L, "ode.solve: positions = %d is not allowed; it must be from 0 to %d", o.positions, s.n);
    if (!system) {
        problem.n_positions = o.positions;
        problem.autonomous = o.autonomous;
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
                          .max_events = o.max_events,
                          .t0 = o.start,
                          .t1 = o.t,
                          .y0 = y,
                          .record = o.record};
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
     PC_TAKES(solve_schema), "motion", "Hairer, Norsett and Wanner (1993); Kecskemethy (1999)",
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

/* The modules percuss.solver and percuss.system: a constructor for every method and every built-in right-hand side in
 * the lists; solvers are userdata whose settings are fields. This file knows none by name. */

static pc_bound_solver *check_solver(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_solver);
}

/* solver.<name>{ settings }; without settings where none is required */
static int solver_new(lua_State *L)
{
    const pc_ode_method *method = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    pc_bound_solver *self = pc_type_new(L, &pc_type_solver, sizeof *self, 0);
    self->method = method;
    pc_options_read(L, 1, method->schema, &self->settings);
    return 1;
}

static int solver_index(lua_State *L)
{
    pc_bound_solver *self = check_solver(L, 1);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(self->method->schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(self->method->schema, key, &err);
        return pc_raise(L, &err);
    }
    pc_row_push(L, &self->method->schema->rows[row], &self->settings);
    return 1;
}

static void solver_describe(lua_State *L, void *self)
{
    pc_bound_solver *solver = self;
    pc_schema_push_text(L, solver->method->schema, &solver->settings);
}

static void push_name(lua_State *L, void *self)
{
    lua_pushstring(L, strchr(((pc_bound_solver *)self)->method->schema->name, '.') + 1);
}

static void push_order(lua_State *L, void *self)
{
    lua_pushinteger(L, ((pc_bound_solver *)self)->method->order);
}

static void push_dense_order(lua_State *L, void *self)
{
    lua_pushinteger(L, ((pc_bound_solver *)self)->method->dense_order);
}

static void push_stiff(lua_State *L, void *self)
{
    lua_pushboolean(L, ((pc_bound_solver *)self)->method->stiff);
}

static void push_adaptive(lua_State *L, void *self)
{
    lua_pushboolean(L, ((pc_bound_solver *)self)->method->error_order > 0);
}

static const pc_property properties[] = {
    {"name", push_name, NULL, "name of the method"},
    {"order", push_order, "", "order of a step"},
    {"dense_order", push_dense_order, "", "order of the polynomial between the ends of a step"},
    {"stiff", push_stiff, NULL, "whether it is made for stiff systems"},
    {"adaptive", push_adaptive, NULL, "whether it chooses its own steps"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", solver_index}, {NULL, NULL}};

const pc_type pc_type_solver = {
    .name = "percuss.solver",
    .summary = "A method for differential equations with its settings; each setting is a field.",
    .properties = properties,
    .metamethods = metamethods,
    .describe = solver_describe,
};

void pc_open_solver(lua_State *L)
{
    pc_type_open(L, &pc_type_solver);
    lua_newtable(L);
    for (int i = 0; i < pc_n_ode_methods; i++)
        pc_constructor_open(L, pc_ode_methods[i]->schema, solver_new, pc_ode_methods[i]);
    pc_module_strict(L, "solver");
    lua_setfield(L, -2, "solver");
}

/* system.<name>{ parameters } */
static int system_new(lua_State *L)
{
    const pc_ode_system *system = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_bound_system *self = pc_type_new(L, &pc_type_system, sizeof *self + system->schema->size, 0);
    self->system = system;
    pc_options_read(L, 1, system->schema, self->params);
    return 1;
}

/* Fields: the parameters by word or symbol. */
static int system_index(lua_State *L)
{
    pc_bound_system *self = pc_type_check(L, 1, &pc_type_system);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(self->system->schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(self->system->schema, key, &err);
        return pc_raise(L, &err);
    }
    pc_row_push(L, &self->system->schema->rows[row], self->params);
    return 1;
}

static void system_describe(lua_State *L, void *self)
{
    pc_bound_system *system = self;
    pc_schema_push_text(L, system->system->schema, system->params);
}

static void push_n(lua_State *L, void *self)
{
    lua_pushinteger(L, ((pc_bound_system *)self)->system->n);
}

static void push_names(lua_State *L, void *self)
{
    const pc_ode_system *system = ((pc_bound_system *)self)->system;
    lua_createtable(L, system->n, 0);
    for (int i = 0; i < system->n; i++) {
        lua_pushstring(L, system->names[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_start(lua_State *L, void *self)
{
    const pc_ode_system *system = ((pc_bound_system *)self)->system;
    lua_createtable(L, system->n, 0);
    for (int i = 0; i < system->n; i++) {
        lua_pushnumber(L, system->start[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static const pc_property system_properties[] = {
    {"n", push_n, "", "number of components of its state"},
    {"names", push_names, NULL, "their names, a list"},
    {"start", push_start, NULL, "the customary state at the start, a list"},
    {0},
};

static const luaL_Reg system_metamethods[] = {{"__index", system_index}, {NULL, NULL}};

const pc_type pc_type_system = {
    .name = "percuss.system",
    .summary = "A built-in right-hand side for ode.solve, with its parameters as fields.",
    .properties = system_properties,
    .metamethods = system_metamethods,
    .describe = system_describe,
};

void pc_open_system(lua_State *L)
{
    pc_type_open(L, &pc_type_system);
    lua_newtable(L);
    for (int i = 0; i < pc_n_ode_systems; i++)
        pc_constructor_open(L, pc_ode_systems[i].schema, system_new, &pc_ode_systems[i]);
    pc_module_strict(L, "system");
    lua_setfield(L, -2, "system");
}
