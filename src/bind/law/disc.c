/* Thin discs in space: percuss.flat_impact, one that falls flat or tilted, and percuss.disc_on_plane, one that falls,
 * bounces, slides, spins, rolls and settles. */
#include "bind/core/bind.h"
#include "law/flat/flat.h"
#include "motion/disc_plane/disc_plane.h"

#include <string.h>

static void set(lua_State *L, const char *key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

static const pc_property fields[] = {
    {"velocity", NULL, "m/s", "of the disc's centre away from the obstacle, afterwards"},
    {"rate", NULL, "rad/s", "rate of the tilt afterwards"},
    {"tilt", NULL, "rad", "angle between disc and plane at separation"},
    {"azimuth", NULL, "rad",
     "direction of the lower side at separation, from the line that joins the axes of the discs"},
    {"rate_x", NULL, "rad/s", "rotation about the line that joins the axes of the discs"},
    {"rate_y", NULL, "rad/s", "rotation about the direction in the plane across that line"},
    {"duration", NULL, "s", "from first touch to separation"},
    {"impulse", NULL, "N s", "normal impulse on the disc"},
    {"energy_before", NULL, "J", "kinetic energy at first touch"},
    {"energy_after", NULL, "J", "kinetic energy at separation"},
    {0},
};
static const pc_type type_flat_impact = {
    .name = "percuss.flat_impact",
    .summary = "What the impact of a thin disc has done; what a model does not have is nil.",
    .properties = fields,
};

static int flat_impact(lua_State *L)
{
    pc_argument_type(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_flat_task *task = lua_newuserdatauv(L, sizeof *task, 0);
    pc_options_read(L, 1, &pc_flat_schema, task);
    pc_flat_result r;
    pc_error err = {0};
    if (pc_flat_impact(task, &r, &err)) return pc_raise(L, &err);
    lua_createtable(L, 0, 10);
    set(L, "velocity", r.velocity);
    set(L, "rate", r.rate);
    set(L, "tilt", r.tilt);
    set(L, "azimuth", r.azimuth);
    set(L, "rate_x", r.rate_x);
    set(L, "rate_y", r.rate_y);
    set(L, "duration", r.duration);
    set(L, "impulse", r.impulse);
    set(L, "energy_before", r.energy0);
    set(L, "energy_after", r.energy1);
    pc_record_make(L, &type_flat_impact);
    return 1;
}

static const pc_function flat_functions[] = {
    {"flat_impact", flat_impact,
     "The frictionless impact of a thin disc on a plane or, partly overlapping, on a fixed disc, from first touch to "
     "separation: springs spread over the rim or the face, with one potential from point to line to surface.",
     PC_TAKES(pc_flat_schema), "flat_impact", "Kecskemethy, Lange and Grabner (1999), extensions (3) and (4)",
     "local r = percuss.flat_impact{ model = \"rim\", radius = 1, mass = 1, stiffness = 1e4, speed = 1, tilt = 0.5 }\n"
     "print(string.format(\"%.6f %.6f\", r.velocity, r.rate)) --> -0.509002 -1.721531"},
    {0},
};

void pc_open_flat(lua_State *L)
{
    pc_record_open(L, &type_flat_impact);
    pc_functions_open(L, "", flat_functions);
}

/* The columns are in the user value, a table of arrays by name. */
enum { DISC_COLUMNS = 1, DISC_USERVALUES = 1 };

typedef struct bound_disc_run {
    pc_disc_run run;
    pc_disc_plane task;
} bound_disc_run;

static const struct {
    const char *name, *unit;
} columns[] = {
#define PC_DISC_COLUMN(id, unit, doc) {#id, unit},
#include "motion/disc_plane/columns.def"
#undef PC_DISC_COLUMN
};

static bound_disc_run *check_run(lua_State *L);

static void push_names(lua_State *L, void *self)
{
    (void)self;
    lua_createtable(L, PC_N_DISC_COLUMNS, 0);
    for (int c = 0; c < PC_N_DISC_COLUMNS; c++) {
        lua_pushstring(L, columns[c].name);
        lua_rawseti(L, -2, c + 1);
    }
}

static void push_units(lua_State *L, void *self)
{
    (void)self;
    lua_createtable(L, 0, PC_N_DISC_COLUMNS);
    for (int c = 0; c < PC_N_DISC_COLUMNS; c++) {
        lua_pushstring(L, columns[c].unit);
        lua_setfield(L, -2, columns[c].name);
    }
}

static void push_phases(lua_State *L, void *self)
{
    const pc_disc_run *run = &((bound_disc_run *)self)->run;
    lua_createtable(L, (int)run->n_phases, 0);
    for (size_t i = 0; i < run->n_phases; i++) {
        lua_createtable(L, 0, 3);
        lua_pushstring(L, pc_disc_mode_words[run->phases[i].mode]);
        lua_setfield(L, -2, "kind");
        lua_pushnumber(L, run->phases[i].start);
        lua_setfield(L, -2, "start");
        lua_pushnumber(L, run->phases[i].stop);
        lua_setfield(L, -2, "stop");
        pc_record_seal(L, "");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_drift(lua_State *L, void *self)
{
    lua_pushnumber(L, ((bound_disc_run *)self)->run.drift);
}

static void push_steps(lua_State *L, void *self)
{
    lua_pushinteger(L, ((bound_disc_run *)self)->run.steps);
}

static void run_free(void *self)
{
    pc_disc_run_free(&((bound_disc_run *)self)->run);
}

static void run_describe(lua_State *L, void *self)
{
    const bound_disc_run *r = self;
    lua_pushfstring(L, "disc on a plane for %f s: %d phases, %d steps", r->run.stop, (int)r->run.n_phases,
                    (int)r->run.steps);
}

/* A column by its name. */
static int column(lua_State *L)
{
    check_run(L);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    lua_getiuservalue(L, 1, DISC_COLUMNS);
    if (lua_getfield(L, -1, name) != LUA_TNIL) return 1;
    const char *words[PC_N_DISC_COLUMNS];
    for (int c = 0; c < PC_N_DISC_COLUMNS; c++) words[c] = columns[c].name;
    const char *near = pc_nearest(name, words, PC_N_DISC_COLUMNS);
    return pc_refuse(L, "the run of a disc has no column '%s'%s%s%s", luaL_tolstring(L, 2, NULL),
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static const pc_property properties[] = {
    {"names", push_names, NULL, "list of the columns"},
    {"units", push_units, NULL, "their units, by name"},
    {"phases", push_phases, NULL,
     "list of what the contact did: kind (\"flight\", \"smooth\", \"stick\" or \"slip\"), start and stop (s)"},
    {"drift", push_drift, "J",
     "greatest change of kinetic energy + potential + stored + lost_friction + lost_damping over the rows: the error "
     "of integration"},
    {"steps", push_steps, "", "how many steps the integration took"},
    {0},
};

/* run:at(t) -> table of all columns at one time */
static int run_at(lua_State *L)
{
    const bound_disc_run *self = check_run(L);
    double t = pc_argument_number(L, 2), values[PC_N_DISC_COLUMNS];
    if (!(t >= 0 && t <= self->run.stop))
        return pc_refuse(L, "at: t = %f s is outside the motion, which lasts from 0 to %f s", t, self->run.stop);
    pc_disc_row row;
    pc_error err = {0};
    if (pc_disc_run_at(&self->task, &self->run, t, &row, &err) != PC_OK) return pc_raise(L, &err);
    memcpy(values, &row, sizeof values);
    lua_createtable(L, 0, PC_N_DISC_COLUMNS);
    for (int c = 0; c < PC_N_DISC_COLUMNS; c++) {
        lua_pushnumber(L, values[c]);
        lua_setfield(L, -2, columns[c].name);
    }
    pc_record_seal(L, "");
    return 1;
}

static const pc_row at_params[] = {
    {.name = "t", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_REQUIRED, .doc = "from 0 to the duration"}, {0}};

static const pc_function methods[] = {
    {"at", run_at,
     "The motion at any time: the values of all columns there; where the contact changes, after it. It is followed "
     "again "
     "from a state nearby, as exactly as the run itself.",
     at_params, "table: the columns by name as numbers", NULL,
     "local run = percuss.disc_on_plane{ radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2, height = 0.1,\n"
     "    duration = 0.1 }\n"
     "print(string.format(\"%.5f m\", run:at(0.05).height)) --> 0.08774 m"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", column}, {NULL, NULL}};

static const pc_type pc_type_disc_run = {
    .name = "percuss.disc_run",
    .summary = "The motion of a disc on a plane: columns by name, as run.tilt or run.force, and phases.",
    .properties = properties,
    .methods = methods,
    .metamethods = metamethods,
    .free = run_free,
    .describe = run_describe,
};

static bound_disc_run *check_run(lua_State *L)
{
    return pc_type_check(L, 1, &pc_type_disc_run);
}

/* The columns of the run at index 2, as far as it got. */
static void keep_columns(lua_State *L, const pc_disc_run *run)
{
    lua_createtable(L, 0, PC_N_DISC_COLUMNS);
    for (int c = 0; c < PC_N_DISC_COLUMNS; c++) {
        double *to = pc_array_new(L, (size_t)run->n_rows)->v;
        for (int i = 0; i < run->n_rows; i++) {
            double row[PC_N_DISC_COLUMNS];
            memcpy(row, &run->rows[i], sizeof row);
            to[i] = row[c];
        }
        lua_setfield(L, -2, columns[c].name);
    }
    lua_setiuservalue(L, 2, DISC_COLUMNS);
}

static int disc_on_plane(lua_State *L)
{
    pc_argument_type(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    bound_disc_run *self = pc_type_new(L, &pc_type_disc_run, sizeof *self, DISC_USERVALUES);
    pc_options_read(L, 1, &pc_disc_plane_schema, &self->task);
    pc_error err = {0};
    pc_status status = pc_disc_plane_run(&self->task, &self->run, &err);
    if (status == PC_E_MEMORY) return pc_raise(L, &err);
    keep_columns(L, &self->run);
    if (status == PC_OK) return 1;
    if (status == PC_E_INTERRUPTED) return pc_interrupt_raise(L, 2);
    pc_error_push(L, &err);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "partial");
    return lua_error(L);
}

static const pc_function functions[] = {
    {"disc_on_plane", disc_on_plane,
     "A thin disc in space falls, bounces, slides, spins, rolls and settles on a rough plane. Springs spread over its "
     "rim or face carry it; a sledge at their pressure centre holds it by friction, sliding and spinning together.",
     PC_TAKES(pc_disc_plane_schema),
     "disc_run: columns t, x, y, height, vx, vy, vz, tilt, azimuth, precession, spin, twist, depth, force, friction, "
     "couple, lever, creep, kinetic, potential, stored, lost_friction, lost_damping, mode; phases, drift, steps. If it "
     "fails or is interrupted, the error's field partial is the run as far as it got",
     "Kecskemethy, Lange and Grabner (1999), extension (3)",
     "local run = percuss.disc_on_plane{ radius = 0.05, mass = 0.1, stiffness = 1e4, friction = 0.2,\n"
     "    velocity = { 0.5, 0, 0 }, duration = 0.1 }\n"
     "local v = run.vx\n"
     "print(string.format(\"%.4f m/s^2\", (v[#v] - v[501]) / 0.05)) --> -1.9620 m/s^2"},
    {0},
};

void pc_open_disc_plane(lua_State *L)
{
    pc_type_open(L, &pc_type_disc_run);
    pc_functions_open(L, "", functions);
}
