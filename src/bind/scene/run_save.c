/* Runs into files and back: run:save, percuss.load_run. */
#include "base/files.h"
#include "bind/core/bind.h"
#include "bind/scene/scene.h"
#include "bind/scene/run.h"
#include "motion/save.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOTE_SCENE, NOTE_SETTINGS };

/* How the run was asked for, as a table on top of the stack; `events`: index of the list of its events. */
static void push_settings(lua_State *L, const pc_bound_run *self, int events)
{
    lua_createtable(L, 0, 4);
    pc_bound_solver *solver = pc_type_new(L, &pc_type_solver, sizeof *solver, 0);
    *solver = self->solver;
    lua_setfield(L, -2, "solver");
    if (self->contact_solver.method) {
        solver = pc_type_new(L, &pc_type_solver, sizeof *solver, 0);
        *solver = self->contact_solver;
        lua_setfield(L, -2, "contact_solver");
    }
    lua_pushinteger(L, self->max_impacts);
    lua_setfield(L, -2, "max_impacts");
    lua_pushboolean(L, self->record);
    lua_setfield(L, -2, "record");
    lua_pushvalue(L, events);
    lua_setfield(L, -2, "events");
    lua_createtable(L, self->breaks.n, 0);
    for (int i = 0; i < self->breaks.n; i++) {
        lua_pushnumber(L, self->breaks.t[i]);
        lua_rawseti(L, -2, i + 1);
    }
    if (self->breaks.n > 0)
        lua_setfield(L, -2, "breaks");
    else
        lua_pop(L, 1);
    if (isnan(self->time_scale)) return;
    lua_pushnumber(L, self->time_scale);
    lua_setfield(L, -2, "time_scale");
}

/* run:save(path) */
int pc_run_save_file(lua_State *L)
{
    const pc_bound_run *self = pc_run_check(L);
    const char *path = pc_argument_string(L, 2);
    lua_settop(L, 2);
    pc_note notes[PC_SAVE_NOTES];
    pc_run_push_scene(L, 1);
    notes[NOTE_SCENE].bytes = pc_recipe_push(L, 3, "save: the scene", &notes[NOTE_SCENE].n);
    lua_getiuservalue(L, 1, PC_RUN_EVENTS);
    push_settings(L, self, lua_gettop(L));
    notes[NOTE_SETTINGS].bytes = pc_recipe_push(L, -1, "save: the settings", &notes[NOTE_SETTINGS].n);
    pc_error err = {0};
    pc_status status = pc_run_save(&self->run, notes, path, &err);
    if (status == PC_E_SYSTEM) return pc_push_failure(L, &err);
    if (status != PC_OK) return pc_raise(L, &err);
    lua_settop(L, 2);
    return 1;
}

/* The bytes of a file as a userdata on top of the stack, made before the file is opened, since that may raise. */
static pc_status push_file(lua_State *L, const char *path, pc_note *file, pc_error *err)
{
    size_t size, got = 0;
    pc_status status = pc_file_measure(path, &size, err);
    if (status) return status;
    unsigned char *bytes = lua_newuserdatauv(L, size + 1, 0);
    status = pc_file_read(path, bytes, size, &got, err);
    *file = (pc_note){bytes, got};
    return status;
}

static const pc_row load_rows[] = {
    {.name = "scene",
     .kind = PC_OBJECT,
     .object = "scene",
     .initial = PC_ABSENT,
     .otherwise = "made from the file",
     .doc = "the scene again, needed where it has functions of Lua"},
    {.name = "events",
     .kind = PC_LIST,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc = "those of the run again, needed to continue a run that has some"},
};
static const pc_schema load_schema = {.name = "load_run", PC_ROWS(load_rows)};

static const pc_row load_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &load_schema,
     .initial = PC_ABSENT,
     .otherwise = "{}",
     .doc = "what a file cannot hold"},
    {0},
};

/* Its argument, a note, as the value that it makes, or nil. */
static int make_value(lua_State *L)
{
    const pc_note *note = lua_touserdata(L, 1);
    if (!pc_recipe_make(L, note->bytes, note->n)) lua_pushnil(L);
    return 1;
}

/* Push what a note of the file makes, or nil. What a constructor refuses is told as a fault of the file. */
static void push_value(lua_State *L, const pc_saved *saved, int which)
{
    lua_pushcfunction(L, make_value);
    lua_pushlightuserdata(L, (void *)&saved->notes[which]);
    int code = lua_pcall(L, 1, 1, 0);
    if (code == LUA_OK) return;
    if (code != LUA_ERRRUN || lua_type(L, -1) != LUA_TSTRING) lua_error(L); /* no memory, or an interruption */
    pc_refuse(L, "load_run: '%s' is damaged: %s", saved->path, lua_tostring(L, -1));
}

/* Push the scene of the file: the one given in the options at index 2, if it is the same, else one made anew. */
static pc_bound_scene *push_scene(lua_State *L, const pc_saved *saved)
{
    pc_note note = saved->notes[NOTE_SCENE];
    if (lua_getfield(L, 2, "scene") != LUA_TNIL) {
        pc_bound_scene *scene = pc_type_check(L, -1, &pc_type_scene);
        size_t n;
        const unsigned char *own = pc_recipe_push(L, -1, "load_run: the scene", &n);
        if (pc_recipe_push_difference(L, note.bytes, note.n, own, n))
            pc_refuse(L, "load_run: '%s' is a run of another scene: %s differs", saved->path, lua_tostring(L, -1));
        lua_pop(L, 1);
        return scene;
    }
    lua_pop(L, 1);
    if (pc_recipe_push_function(L, note.bytes, note.n))
        pc_refuse(L,
                  "load_run: the scene of '%s' has a function of Lua (%s), which a file cannot hold; give the scene "
                  "again, as in load_run(path, { scene = world })",
                  saved->path, lua_tostring(L, -1));
    push_value(L, saved, NOTE_SCENE);
    pc_bound_scene *scene = pc_type_test(L, -1, &pc_type_scene);
    if (!scene) pc_refuse(L, "load_run: '%s' does not hold a scene", saved->path);
    return scene;
}

/* The settings of the file into the run at `index`, with the functions of its events where they are given. */
static void read_settings(lua_State *L, const pc_saved *saved, pc_bound_run *self, int index)
{
    pc_note note = saved->notes[NOTE_SETTINGS];
    const pc_bound_solver *solver = NULL;
    push_value(L, saved, NOTE_SETTINGS);
    int settings = lua_gettop(L);
    if (lua_istable(L, settings) && lua_getfield(L, settings, "solver") == LUA_TUSERDATA)
        solver = pc_type_test(L, -1, &pc_type_solver);
    if (!solver) pc_refuse(L, "load_run: '%s' does not say how the run was made", saved->path);
    self->solver = *solver;
    if (lua_getfield(L, settings, "contact_solver") == LUA_TUSERDATA &&
        (solver = pc_type_test(L, -1, &pc_type_solver)) != NULL)
        self->contact_solver = *solver;
    lua_getfield(L, settings, "max_impacts");
    self->max_impacts = (long)lua_tointeger(L, -1);
    lua_getfield(L, settings, "record");
    self->record = lua_toboolean(L, -1);
    pc_run_keep_breaks(L, settings, index);
    if (lua_getfield(L, 2, "events") == LUA_TNIL) {
        pc_run_keep_events(L, settings, index, false);
        return;
    }
    pc_run_keep_events(L, 2, index, true);
    lua_getiuservalue(L, index, PC_RUN_EVENTS);
    push_settings(L, self, lua_gettop(L));
    size_t n;
    const unsigned char *own = pc_recipe_push(L, -1, "load_run: events", &n);
    if (pc_recipe_push_difference(L, note.bytes, note.n, own, n))
        pc_refuse(L, "load_run: the events given are not those of the run in '%s': %s differs", saved->path,
                  lua_tostring(L, -1));
}

/* load_run(path [, { scene =, events = }]) */
static int load_run(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    lua_settop(L, 2);
    pc_options_take(L, 2, &load_schema, NULL);
    pc_error err = {0};
    pc_note file = {0};
    pc_saved saved;
    if (push_file(L, path, &file, &err) != PC_OK) return pc_push_failure(L, &err);
    if (pc_saved_open(&saved, file, path, &err) != PC_OK) return pc_raise(L, &err);
    pc_bound_run *self = pc_type_new(L, &pc_type_run, sizeof *self, PC_RUN_USERVALUES);
    int index = lua_gettop(L);
    const pc_bound_scene *scene = push_scene(L, &saved);
    lua_setiuservalue(L, index, PC_RUN_SCENE);
    read_settings(L, &saved, self, index);
    if (pc_saved_restore(&saved, &self->run, &scene->scene, &err) != PC_OK) return pc_raise(L, &err);
    self->run.breaks = self->breaks;
    lua_settop(L, index);
    return 1;
}

const pc_function pc_run_files[] = {
    {"load_run", load_run, "Read a run that run:save has written; it answers and goes on as the first one would.",
     load_params, "run; or nil, message, code where the file cannot be read", NULL,
     "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1, y = 1.1 }\n"
     "local world = percuss.scene{ ball, percuss.floor{ height = 0 },\n"
     "    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }\n"
     "local run = percuss.simulate(world, { duration = 0.5 })\n"
     "local again = percuss.load_run(run:save \"bounce.run\")\n"
     "print(again:continue(0.6):at(1).y == run:continue(0.6):at(1).y) --> true"},
    {0},
};
