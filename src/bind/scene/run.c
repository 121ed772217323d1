/* percuss.simulate: a scene set in motion. */
#include "bind/core/bind.h"
#include "bind/ode/ode.h"
#include "bind/scene/run.h"

#include <math.h>
#include <stddef.h>
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

typedef struct event_options {
    const char *name;
    int direction;
    bool terminal;
} event_options;

/* Of the functions of a run that was read from a file nothing is there until they are given again. */
#define EVENT(what, needed)                                                                                            \
    {.name = "g", .kind = what, .place = 1, .initial = needed, .doc = "of (t, q, u): where it vanishes"},              \
        {.name = "name",                                                                                               \
         .kind = PC_STRING,                                                                                            \
         .offset = offsetof(event_options, name),                                                                      \
         .initial = PC_ABSENT,                                                                                         \
         .otherwise = "event and its number",                                                                          \
         .doc = "what it is called in run.events"},                                                                    \
        PC_ROW(event_options, direction, "direction", .allowed = PC_BETWEEN(-1, 1),                                    \
               .doc = "1: g rises, -1: it falls, 0: both"),                                                            \
        PC_ROW(event_options, terminal, "terminal", .doc = "the run ends there")

static const pc_row event_rows[] = {EVENT(PC_FUNCTION, PC_REQUIRED)},
                    saved_event_rows[] = {EVENT(PC_ANYTHING, PC_ABSENT)};
static const pc_schema event_schema = {
    .name = "simulate: an event", PC_ROWS(event_rows), .size = sizeof(event_options)};
static const pc_schema saved_event_schema = {
    .name = "load_run: an event", PC_ROWS(saved_event_rows), .size = sizeof(event_options)};

void pc_run_keep_events(lua_State *L, int options, int run, bool callable)
{
    int type = lua_getfield(L, options, "events"), given = lua_gettop(L);
    if (type != LUA_TNIL && type != LUA_TTABLE)
        pc_refuse(L, "simulate: events must be a list, as in { { function(t, q, u) ... end, name = \"top\" } }");
    lua_Integer n = type == LUA_TTABLE ? luaL_len(L, given) : 0;
    if (n > MOST_EVENTS) pc_refuse(L, "simulate: at most %d events, not %d", MOST_EVENTS, (int)n);
    if (type == LUA_TNIL)
        lua_pushnil(L);
    else
        lua_createtable(L, (int)n, 0);
    lua_newtable(L);
    int names = lua_gettop(L), list = names - 1;
    for (lua_Integer i = 1; i <= n; i++) {
        event_options event;
        lua_geti(L, given, i);
        pc_options_take(L, names + 1, callable ? &event_schema : &saved_event_schema, &event);
        lua_getfield(L, names + 1, "g"); /* it is the first of a list in files */
        lua_rawseti(L, names + 1, 1);
        lua_pushnil(L);
        lua_setfield(L, names + 1, "g");
        if (event.name)
            lua_pushstring(L, event.name);
        else
            lua_pushfstring(L, "event %d", (int)i);
        lua_rawseti(L, names, i);
        lua_rawseti(L, list, i);
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
    for (int i = 0; i < scene->scene.n_forces; i++) {
        const pc_force_common *force = scene->scene.forces[i].params;
        if (force->function.call && force->n_breaks == 0) return true;
    }
    for (int i = 0; i < scene->scene.n_drives; i++)
        if (scene->scene.drives[i].motion || scene->scene.drives[i].surface) return true;
    for (int i = 0; i < scene->n_chains; i++)
        if (scene->functions[i].has_torque || scene->functions[i].has_pivot) return true;
    for (int m = 0; m < scene->scene.n_members; m++) {
        const pc_mechanism *mechanism = scene->scene.members[m].mechanism;
        if (mechanism && (mechanism->timed_force || pc_mechanism_is_driven(mechanism))) return true;
    }
    return false;
}

void pc_run_keep_breaks(lua_State *L, int options, int run)
{
    pc_bound_run *self = lua_touserdata(L, run);
    lua_getfield(L, options, "breaks");
    pc_breaks_read(L, "simulate", &self->breaks);
    lua_setiuservalue(L, run, PC_RUN_BREAKS);
    self->time_scale = lua_getfield(L, options, "time_scale") == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
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
                              .assemble = self->assemble,
                              .separate = self->separate,
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
    if (status == PC_E_INTERRUPTED || pc_interrupted())
        pc_interrupt_raise(L, index); /* in a function of the scene, too */
    pc_failure failure = pc_failure_push(L);
    if (failure == PC_FAILURE_TOLD) {
        pc_push_where(L);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    if (failure) pc_callback_raise_value_partial(L, index);
    if (status == PC_E_ARGUMENT || status == PC_E_UNSUPPORTED) pc_refuse(L, "simulate: %s", err->text);
    pc_error_push(L, err);
    lua_pushvalue(L, index);
    lua_setfield(L, -2, "partial");
    lua_error(L);
}

static const pc_row simulate_rows[] = {
    PC_STAYS_ROW("q", PC_NUMBERS, .otherwise = "those of the parts", .allowed = PC_ANY,
                 .doc = "coordinates at the start"),
    PC_STAYS_ROW("u", PC_NUMBERS, .otherwise = "those of the parts", .allowed = PC_ANY,
                 .doc = "velocities at the start"),
    {.name = "solver",
     .kind = PC_OBJECT,
     .object = "solver",
     .initial = PC_ABSENT,
     .otherwise = "percuss.solver.dop853{}",
     .doc = "method with its settings"},
    PC_STAYS_ROW("contact_solver", PC_OBJECT, .object = "solver",
                 .otherwise = "collocation, explicit or stiff as it turns out",
                 .doc = "with configuration = \"moving\", while contacts are closed: percuss.solver.rodas5p{} or "
                        "another, whose rtol is relative to their indentations"),
    PC_STAYS_ROW("breaks", PC_NUMBERS, .unit = PC_UNIT_S, .otherwise = "none",
                 .doc =
                     "times at which a torque, a pivot or the motion of an obstacle in Lua jumps or has a kink, beside "
                     "those that forces tell themselves: no step crosses one, and the functions are never asked at it, "
                     "but just before and just after. Where the velocity of an obstacle or of its surface jumps there, "
                     "what touches it is struck; its place, and place and velocity of a pivot, may not jump"),
    PC_STAYS_ROW("time_scale", PC_REAL, .also = PC_ALSO(PC_REAL), .unit = PC_UNIT_S,
                 .otherwise = "1/256 of the duration, with breaks none", .allowed = {0, INFINITY, true, false},
                 .doc = "what a torque, a pivot or the motion of an obstacle in Lua does by the time alone lasts at "
                        "least so long: a shorter pulse may be stepped over; math.huge: no function reads the time"),
    PC_STAYS_ROW("events", PC_LIST, .options = &event_schema, .otherwise = "none",
                 .doc = "a table for each, which begins with its function"),
    PC_STAYS_ROW("progress", PC_FUNCTION, .otherwise = "none", .doc = "called with time and number of impacts"),
};
static const pc_schema simulate_schema = {.name = "simulate", PC_ROWS(simulate_rows), .base = &pc_run_schema};

static const pc_row simulate_params[] = {
    {.name = "scene", .kind = PC_OBJECT, .object = "scene", .initial = PC_REQUIRED, .doc = "what moves"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &simulate_schema,
     .initial = PC_REQUIRED,
     .doc = "how long, from where, and how"},
    {0},
};

static void read_solver(lua_State *L, pc_bound_solver *solver)
{
    solver->method = &pc_ode_dop853;
    if (pc_option_push(L, 2, "solver"))
        *solver = *(pc_bound_solver *)pc_type_check(L, -1, &pc_type_solver);
    else
        pc_schema_defaults(solver->method->schema, &solver->settings);
    if (solver->method->symplectic)
        pc_refuse(L, "simulate: %s needs forces that do not depend on velocities, which scenes have",
                  solver->method->schema->name);
}

/* The method while compliant contacts are closed; its relative tolerance is that of the contacts. */
static void read_contact_solver(lua_State *L, pc_bound_solver *solver)
{
    if (!pc_option_push(L, 2, "contact_solver")) return;
    *solver = *(pc_bound_solver *)pc_type_check(L, -1, &pc_type_solver);
    if (solver->method->error_order == 0 || !solver->method->attempt)
        pc_refuse(L,
                  "simulate: contact_solver needs a method that chooses its steps by errors in the size of a contact, "
                  "such as dop853 or rodas5p; %s does not",
                  solver->method->schema->name);
    lua_pop(L, 1);
}

/* Coordinates or velocities at the start other than those of the scene's parts. */
static void read_state(lua_State *L, const char *name, int n, double *out)
{
    size_t got;
    const double *numbers = pc_option_numbers(L, 2, &simulate_schema, name, &got);
    if (numbers && got != (size_t)n)
        pc_refuse(L, "simulate: %s must be a list of %d numbers, one for each coordinate of the scene, not %d", name, n,
                  (int)got);
    if (numbers) memcpy(out, numbers, got * sizeof *out);
}

/* simulate(scene, { duration =, ... }) */
static int simulate(lua_State *L)
{
    pc_bound_scene *scene = pc_type_check(L, 1, &pc_type_scene);
    pc_argument_type(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    pc_run_settings settings;
    pc_options_take(L, 2, &simulate_schema, &settings);
    lua_getfield(L, 2, "progress");
    pc_bound_run *self = pc_type_new(L, &pc_type_run, sizeof *self, PC_RUN_USERVALUES);
    int index = lua_gettop(L);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, index, PC_RUN_SCENE);
    self->max_impacts = settings.max_impacts;
    self->record = settings.record;
    self->assemble = settings.assemble;
    self->separate = settings.separate;
    read_solver(L, &self->solver);
    lua_settop(L, index);
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
