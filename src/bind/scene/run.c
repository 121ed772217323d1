/* percuss.simulate: a scene set in motion. */
#include "bind/core/argument.h"
#include "bind/core/array.h"
#include "bind/core/interrupt.h"
#include "bind/core/callback.h"
#include "bind/ode/ode.h"
#include "bind/scene/run.h"

#include <math.h>
#include <string.h>

enum { MOST_EVENTS = 32 };

pc_bound_run *pc_run_check(lua_State *L)
{
    return pc_type_check(L, 1, &pc_type_run);
}

pc_bound_scene *pc_run_push_scene(lua_State *L, int index)
{
    lua_getiuservalue(L, index, PC_RUN_SCENE);
    pc_bound_scene *scene = pc_type_test(L, -1, &pc_type_scene);
    if (!scene) pc_refuse(L, "the scene of this run was closed; keep it open as long as the run is asked");
    return scene;
}

void pc_run_enter(lua_State *L, int index, pc_run_session *s)
{
    s->run = pc_type_check(L, index, &pc_type_run);
    if (s->run->in_use)
        pc_refuse(L, "the run is being worked out; what is called meanwhile can read its fields, but not ask it for "
                     "more");
    s->scene = pc_run_push_scene(L, index);
    s->saved = pc_scene_functions_open(L, -1, &s->err, &s->failed);
    s->run->in_use = true;
}

void pc_run_leave(pc_run_session *s)
{
    pc_callback broken = s->failed ? *s->failed : (pc_callback){0}; /* closing restores what was there before */
    s->run->in_use = false;
    pc_scene_functions_close(s->scene, s->saved);
    if (broken.failed && s->partial) pc_callback_raise_partial(&broken, s->partial);
    if (broken.failed) pc_callback_raise(&broken);
}

/* ---- events of the user ---- */

typedef struct watcher {
    pc_callback g;
    int n;
    pc_callback **failed;
    pc_error *err;
} watcher;

static void push_list(lua_State *L, const double *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* g(t, q, u) -> number */
static int call_event(double t, const double *y, double *g, void *context)
{
    watcher *w = context;
    lua_State *L = w->g.L;
    lua_pushnumber(L, t);
    push_list(L, y, w->n);
    push_list(L, y + w->n, w->n);
    if (pc_callback_call(&w->g, 3, 1, w->err) != PC_OK) {
        *w->failed = &w->g;
        return -1;
    }
    int known = pc_ode_read_value(L, g);
    if (!known)
        pc_fail_at(w->err, PC_E_ARGUMENT, t, w->g.name, "event %s must return a number, true or false, not a %s",
                   w->g.name, luaL_typename(L, -1));
    lua_pop(L, 1);
    return known ? 0 : -1;
}

static const char *const event_words[] = {"name", "direction", "terminal", NULL};

void pc_run_keep_events(lua_State *L, int options, int run, bool callable)
{
    int type = lua_getfield(L, options, "events");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        pc_refuse(L, "simulate: events must be a list, as in { { function(t, q, u) ... end, name = \"top\" } }");
    lua_newtable(L);
    int names = lua_gettop(L), list = names - 1;
    lua_Integer n = type == LUA_TTABLE ? luaL_len(L, list) : 0;
    if (n > MOST_EVENTS) pc_refuse(L, "simulate: at most %d events", MOST_EVENTS);
    for (lua_Integer i = 1; i <= n; i++) {
        if (lua_geti(L, list, i) != LUA_TTABLE || (lua_rawgeti(L, -1, 1) != LUA_TFUNCTION && callable))
            pc_refuse(L, "simulate: events[%d] must be a table that begins with a function of (t, q, u)", (int)i);
        int event = lua_gettop(L) - 1;
        pc_check_words(L, event, "simulate: an event", event_words);
        lua_getfield(L, event, "direction");
        double direction = lua_tonumber(L, -1);
        if (!lua_isnil(L, -1) && direction != 0 && direction != 1 && direction != -1)
            pc_refuse(L, "simulate: events[%d]: direction must be -1, 0 or 1", (int)i);
        if (lua_getfield(L, event, "name") == LUA_TNIL) {
            lua_pop(L, 1);
            lua_pushfstring(L, "event %d", (int)i);
        }
        if (lua_type(L, -1) != LUA_TSTRING) pc_refuse(L, "simulate: events[%d]: name must be a string", (int)i);
        lua_rawseti(L, names, i);
        lua_settop(L, names);
    }
    lua_setiuservalue(L, run, PC_RUN_NAMES);
    lua_setiuservalue(L, run, PC_RUN_EVENTS);
}

/* Make the kept events callable; what they need stays on the stack. */
static pc_event *open_events(lua_State *L, int run, int n_dof, pc_error *err, pc_callback **failed, int *n)
{
    if (lua_getiuservalue(L, run, PC_RUN_EVENTS) != LUA_TTABLE) {
        *n = 0;
        return NULL;
    }
    int list = lua_gettop(L);
    *n = (int)luaL_len(L, list);
    pc_event *events = lua_newuserdatauv(L, (size_t)*n * sizeof *events + 1, 0);
    watcher *watchers = lua_newuserdatauv(L, (size_t)*n * sizeof *watchers + 1, 0);
    lua_getiuservalue(L, run, PC_RUN_NAMES);
    int names = lua_gettop(L);
    for (int i = 0; i < *n; i++) {
        luaL_checkstack(L, LUA_MINSTACK + 8, "too many events");
        lua_rawgeti(L, names, i + 1);
        const char *name = lua_tostring(L, -1); /* the run keeps it */
        lua_rawgeti(L, list, i + 1);
        lua_getfield(L, -1, "direction");
        lua_getfield(L, -2, "terminal");
        events[i] = (pc_event){.name = name,
                               .direction = (int)lua_tonumber(L, -2),
                               .terminal = lua_toboolean(L, -1),
                               .leaving = PC_LEAVING_EITHER,
                               .rough = true,
                               .g = call_event,
                               .context = &watchers[i]};
        if (lua_rawgeti(L, -3, 1) != LUA_TFUNCTION)
            pc_refuse(L, "simulate: this run was read from a file, which cannot hold the functions of its events; give "
                         "them again, as in load_run(path, { events = ... })");
        watchers[i] = (watcher){.n = n_dof, .failed = failed, .err = err};
        pc_callback_open(L, lua_gettop(L), name, &watchers[i].g);
    }
    return events;
}

/* ---- running ---- */

typedef struct reporter {
    pc_callback callback;
    bool given;
} reporter;

static void report(double t, long impacts, void *context)
{
    reporter *r = context;
    lua_pushnumber(r->callback.L, t);
    lua_pushinteger(r->callback.L, impacts);
    pc_callback_call(&r->callback, 2, 0, NULL); /* an error in it is raised when the run is over */
}

static bool reads_time(const pc_bound_scene *scene)
{
    for (int i = 0; i < scene->scene.n_forces; i++)
        if (((const pc_force_common *)scene->scene.forces[i].params)->function.call) return true;
    for (int i = 0; i < scene->n_chains; i++)
        if (scene->functions[i].has_torque || scene->functions[i].has_pivot) return true;
    return false;
}

void pc_run_keep_breaks(lua_State *L, int options, int run)
{
    pc_bound_run *self = lua_touserdata(L, run);
    lua_getfield(L, options, "breaks");
    pc_breaks_read(L, "simulate", &self->breaks);
    lua_setiuservalue(L, run, PC_RUN_BREAKS);
    int type = lua_getfield(L, options, "time_scale"), number;
    double scale = lua_tonumberx(L, -1, &number);
    if (type != LUA_TNIL && (!number || !(scale > 0)))
        luaL_error(L, "simulate: time_scale must be > 0 s (math.huge: no function reads the time), not %s",
                   luaL_tolstring(L, -1, NULL));
    self->time_scale = type == LUA_TNIL ? NAN : scale;
    lua_pop(L, 1);
}

/* Go on with the run at stack index `index` until `t`; `progress`: index of a function or nil. */
static void advance(lua_State *L, int index, double t, int progress)
{
    pc_bound_run *self = lua_touserdata(L, index);
    pc_run_session session = {.partial = index};
    pc_error *err = &session.err;
    pc_run_options options = {.method = self->solver.method,
                              .settings = self->solver.settings,
                              .contact = self->contact_solver.method,
                              .contact_settings = self->contact_solver.settings,
                              .max_impacts = (long)self->run.history.impacts.used + self->max_impacts,
                              .record = self->record,
                              .breaks = self->breaks};
    pc_bound_scene *scene = pc_run_push_scene(L, index);
    int n_dof = scene->scene.n_dof;
    bool silent = isnan(self->time_scale);
    if (!silent && isfinite(self->time_scale)) options.time_scale = self->time_scale;
    if (silent && self->breaks.n == 0 && reads_time(scene)) options.time_scale = PC_ODE_SHARE * (t - self->run.state.t);
    options.events = open_events(L, index, n_dof, err, &session.failed, &options.n_events);
    reporter r = {.given = lua_isfunction(L, progress)};
    if (r.given) {
        pc_callback_open(L, progress, "progress", &r.callback);
        options.progress = report;
        options.progress_context = &r;
    }
    pc_run_enter(L, index, &session);
    pc_status status = pc_run_advance(&self->run, &options, t, err);
    pc_run_leave(&session);
    if (status == PC_OK && r.given && r.callback.failed) pc_callback_raise_partial(&r.callback, index);
    if (status == PC_OK) return;
    if (status == PC_E_INTERRUPTED) pc_interrupt_raise(L, index);
    if (pc_failure_push(L)) pc_callback_raise_value_partial(L, index);
    if (status == PC_E_ARGUMENT || status == PC_E_UNSUPPORTED) pc_refuse(L, "simulate: %s", err->text);
    pc_error_push(L, err);
    lua_pushvalue(L, index);
    lua_setfield(L, -2, "partial");
    lua_error(L);
}

static const pc_param simulate_params[] = {
    {"scene", "scene", NULL, NULL, "what moves"},
    {"options", "table", NULL, NULL, "a table of"},
    {".duration", "number", "s", NULL, "of the motion"},
    {".start", "number", "s", "0", "time at the start"},
    {".q", "list", NULL, "those of the parts", "coordinates at the start"},
    {".u", "list", NULL, "those of the parts", "velocities at the start"},
    {".solver", "solver", NULL, "percuss.solver.dop853{}", "method with its settings"},
    {".contact_solver", "solver", NULL, "collocation, explicit or stiff as it turns out",
     "with configuration = \"moving\", while contacts are closed: percuss.solver.rodas5p{} or another, whose rtol is "
     "relative to their indentations"},
    {".max_impacts", "integer", NULL, "1000000", "the run stops there; a continued one after as many more"},
    {".breaks", "list", "s", "none",
     "times at which a torque or pivot in Lua jumps or has a kink: no step crosses one, and the functions are never "
     "asked at it, but just before and just after. A pivot's place and velocity may not jump"},
    {".time_scale", "number", "s", "1/256 of the duration, with breaks none",
     "what a torque or pivot in Lua does by the time alone lasts at least so long: a shorter pulse may be stepped "
     "over"},
    {".record", "boolean", NULL, "true", "keep what at, columns and charts need"},
    {".events", "list", NULL, "none", "{ function(t, q, u), name =, direction =, terminal = }"},
    {".progress", "function", NULL, "none", "called with time and number of impacts"},
    {0},
};

static void read_solver(lua_State *L, pc_bound_solver *solver)
{
    solver->method = &pc_ode_dop853;
    if (lua_getfield(L, 2, "solver") == LUA_TNIL) {
        pc_schema_defaults(solver->method->schema, &solver->settings);
    } else {
        pc_bound_solver *given = pc_type_test(L, -1, &pc_type_solver);
        if (given)
            *solver = *given;
        else
            pc_refuse(L, "simulate: solver must be one of percuss.solver, as in solver.dop853{ rtol = 1e-9 }, not %s",
                      luaL_tolstring(L, -1, NULL));
    }
    lua_pop(L, 1);
    if (solver->method->symplectic)
        pc_refuse(L, "simulate: %s needs forces that do not depend on velocities, which scenes have",
                  solver->method->schema->name);
}

/* The method while compliant contacts are closed; its relative tolerance is that of the contacts. */
static void read_contact_solver(lua_State *L, pc_bound_solver *solver)
{
    if (lua_getfield(L, 2, "contact_solver") != LUA_TNIL) {
        const pc_bound_solver *given = pc_type_test(L, -1, &pc_type_solver);
        if (given)
            *solver = *given;
        else
            pc_refuse(L,
                      "simulate: contact_solver must be one of percuss.solver, as in solver.rodas5p{ rtol = 1e-9 }, "
                      "not %s",
                      luaL_tolstring(L, -1, NULL));
        if (solver->method->error_order == 0 || !solver->method->attempt)
            pc_refuse(L,
                      "simulate: contact_solver needs a method that chooses its steps by errors in the size of a "
                      "contact, such as dop853 or rodas5p; %s does not",
                      solver->method->schema->name);
    }
    lua_pop(L, 1);
}

/* Coordinates or velocities at the start other than those of the scene's parts. */
static void read_state(lua_State *L, const char *name, int n, double *out)
{
    if (lua_getfield(L, 2, name) != LUA_TNIL) {
        if (!pc_array_or_table(L, -1) || luaL_len(L, -1) != n)
            pc_refuse(L, "simulate: %s must be a list of %d numbers, one for each coordinate of the scene", name, n);
        for (int i = 0; i < n; i++) {
            int number;
            lua_geti(L, -1, i + 1);
            out[i] = lua_tonumberx(L, -1, &number);
            if (!number || !isfinite(out[i])) pc_refuse(L, "simulate: %s[%d] must be a finite number", name, i + 1);
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

/* simulate(scene, { duration =, ... }) */
static int simulate(lua_State *L)
{
    pc_bound_scene *scene = pc_type_check(L, 1, &pc_type_scene);
    pc_argument_type(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    pc_check_options(L, 2, "simulate", simulate_params, &pc_run_schema);
    pc_run_settings settings;
    pc_options_read_among(L, 2, &pc_run_schema, &settings);
    int type = lua_getfield(L, 2, "progress");
    if (type != LUA_TNIL && type != LUA_TFUNCTION)
        return pc_refuse(L, "simulate: progress must be a function of (time, impacts)");

    pc_bound_run *self = pc_type_new(L, &pc_type_run, sizeof *self, PC_RUN_USERVALUES);
    int index = lua_gettop(L);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, index, PC_RUN_SCENE);
    self->max_impacts = settings.max_impacts;
    self->record = settings.record;
    read_solver(L, &self->solver);
    read_contact_solver(L, &self->contact_solver);
    pc_run_keep_events(L, 2, index, true);
    pc_run_keep_breaks(L, 2, index);
    int n = scene->scene.n_dof;
    double *y = lua_newuserdatauv(L, 2 * (size_t)n * sizeof *y, 0);
    memcpy(y, scene->start, 2 * (size_t)n * sizeof *y);
    read_state(L, "q", n, y);
    read_state(L, "u", n, y + n);
    pc_error err = {0};
    pc_type_check(L, 1, &pc_type_scene); /* an options table may call a script, which may close it */
    if (pc_run_open(&self->run, &scene->scene, settings.start, y, &err) != PC_OK) return pc_raise(L, &err);
    advance(L, index, settings.start + settings.duration, index - 1);
    lua_settop(L, index);
    return 1;
}

/* run:continue(duration) */
int pc_run_continue(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    double duration = pc_argument_number(L, 2);
    pc_argument_check(L, duration >= 0 && isfinite(duration), 2, "must be a number of s, not negative");
    lua_settop(L, 3); /* an optional progress function */
    advance(L, 1, self->run.state.t + duration, 3);
    lua_settop(L, 1);
    return 1;
}

static void run_free(void *self)
{
    pc_run_close(&((pc_bound_run *)self)->run);
}

static bool run_in_use(const void *self)
{
    return ((const pc_bound_run *)self)->in_use;
}

static void run_describe(lua_State *L, void *self)
{
    const pc_run *run = &((pc_bound_run *)self)->run;
    lua_pushfstring(L, "run from t = %f to %f: %d impact%s, %d event%s, %d steps", run->history.t0, run->state.t,
                    (int)run->history.impacts.used, run->history.impacts.used == 1 ? "" : "s",
                    (int)run->history.events.used, run->history.events.used == 1 ? "" : "s",
                    (int)run->history.statistics.steps);
}

#define BALL                                                                                                           \
    "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1, y = 1.1 }\n"                                 \
    "local world = percuss.scene{ ball, percuss.floor{ height = 0 },\n"                                                \
    "    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }\n"

static const pc_function functions[] = {
    {"simulate", simulate, "Set a scene in motion: smooth arcs, impacts by its laws, contacts that last.",
     simulate_params, "run; if it fails or is interrupted, the error's field partial is the run as far as it got", NULL,
     BALL "local run = percuss.simulate(world, { duration = 2 })\n"
          "print(string.format(\"%.9f\", run.impacts[1].time)) --> 0.451523641"},
    {0},
};

const pc_type pc_type_run = {
    .name = "percuss.run",
    .summary = "A motion with impacts: what happened, and the state at any time.",
    .properties = pc_run_properties,
    .methods = pc_run_methods,
    .free = run_free,
    .in_use = run_in_use,
    .describe = run_describe,
};

void pc_open_run(lua_State *L)
{
    pc_type_open(L, &pc_type_run);
    pc_functions_open(L, "", functions);
    pc_functions_open(L, "", pc_run_files);
}
