/* percuss.flat_impact: a thin disc that falls flat or tilted. */
#include "bind/argument.h"
#include "bind/bind.h"
#include "bind/register.h"
#include "law/flat/flat.h"

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

static const pc_param params[] = {
    {"options", "table", NULL, NULL, "of the parameters above"},
    {0},
};

static const pc_function functions[] = {
    {"flat_impact", flat_impact,
     "The frictionless impact of a thin disc on a plane or, partly overlapping, on a fixed disc, from first touch to "
     "separation: springs spread over the rim or the face, with one potential from point to line to surface.",
     params, "flat_impact", "Kecskemethy, Lange and Grabner (1999), extensions (3) and (4)",
     "local r = percuss.flat_impact{ model = \"rim\", radius = 1, mass = 1, stiffness = 1e4, speed = 1, tilt = 0.5 }\n"
     "print(string.format(\"%.6f %.6f\", r.velocity, r.rate)) --> -0.509002 -1.721531"},
    {0},
};

void pc_open_flat(lua_State *L)
{
    pc_record_open(L, &type_flat_impact);
    pc_functions_open(L, "", functions);
    pc_register_options(L, "flat_impact", &pc_flat_schema);
}
