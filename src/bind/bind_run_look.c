/* Methods of a run: the state at a time, columns. */
#include "bind/argument.h"
#include "bind/bind_array.h"
#include "bind/bind_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- columns of an instant ---- */

typedef struct layout {
    int n;
    pc_run_column *columns;
} layout;

/* The layout of a scene, in a userdata on top of the stack. */
static void push_layout(lua_State *L, const pc_scene *scene, layout *l)
{
    l->n = pc_run_columns(scene, NULL, 0);
    l->columns = lua_newuserdatauv(L, (size_t)l->n * sizeof *l->columns + 1, 0);
    pc_run_columns(scene, l->columns, l->n);
}

/* ---- at ---- */

static void look_at(lua_State *L, int index, pc_run *run, double t, int side, pc_look *look)
{
    pc_run_session session = {0};
    int top = lua_gettop(L);
    pc_run_enter(L, index, &session);
    pc_status status = pc_run_look(run, t, side, look, &session.err);
    pc_run_leave(&session);
    if (status != PC_OK) pc_raise(L, &session.err);
    lua_settop(L, top);
}

void pc_run_push_instant(lua_State *L, int index, double t, const double *y)
{
    pc_bound_run *self = lua_touserdata(L, index);
    pc_run *run = &self->run;
    pc_run_session session = {0};
    int top = lua_gettop(L);
    pc_run_enter(L, index, &session);
    pc_look look;
    pc_status status = pc_run_look_state(run, t, y, &look, &session.err);
    pc_run_leave(&session);
    if (status != PC_OK) pc_raise(L, &session.err);
    lua_settop(L, top);
    layout l;
    push_layout(L, run->scene, &l);
    lua_createtable(L, 0, l.n);
    for (int i = 0; i < l.n; i++) {
        if (!pc_run_column_is_of_state(&l.columns[i])) continue;
        lua_pushnumber(L, pc_run_column_value(&look, &l.columns[i]));
        lua_setfield(L, -2, l.columns[i].name);
    }
    pc_record_seal(L, "");
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
}

void pc_run_push_rates(lua_State *L, const pc_scene *scene, const double *u)
{
    layout l;
    push_layout(L, scene, &l);
    lua_createtable(L, 0, scene->n_dof);
    for (int i = 0; i < l.n; i++) {
        const pc_run_column *c = &l.columns[i];
        if (c->from != PC_COLUMN_RATE && c->from != PC_COLUMN_BODY_U) continue;
        lua_pushnumber(L, u[scene->members[c->member].first + c->k]);
        lua_setfield(L, -2, c->name);
    }
    pc_record_seal(L, "");
    lua_remove(L, -2);
}

/* run:at(t [, side]) -> table of all columns, and q, u */
static int run_at(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    double t = pc_argument_number(L, 2);
    static const char *const sides[] = {"after", "before", NULL};
    int side = !lua_isnoneornil(L, 3) && pc_argument_word(L, 3, sides) == 1 ? -1 : 1;
    lua_settop(L, 3);
    pc_look look;
    look_at(L, 1, &self->run, t, side, &look);
    layout l;
    push_layout(L, self->run.scene, &l);
    lua_createtable(L, 0, l.n + 3);
    lua_pushnumber(L, t);
    lua_setfield(L, -2, "t");
    for (int i = 0; i < l.n; i++) {
        lua_pushnumber(L, pc_run_column_value(&look, &l.columns[i]));
        lua_setfield(L, -2, l.columns[i].name);
    }
    int n = self->run.scene->n_dof;
    for (int k = 0; k < 2; k++) {
        lua_createtable(L, n, 0);
        for (int i = 0; i < n; i++) {
            lua_pushnumber(L, look.y[k * n + i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, k ? "u" : "q");
    }
    pc_record_seal(L, "");
    return 1;
}

/* ---- columns ---- */

/* Times of the rows, as an array on top of the stack: those given; or multiples of a step and both sides of each
 * jump; or the ends of all arcs. side[i] < 0: before the jump. */
static pc_array *push_times(lua_State *L, const pc_run *run, int index, signed char **sides)
{
    if (lua_type(L, index) == LUA_TTABLE || lua_type(L, index) == LUA_TUSERDATA) {
        lua_pushvalue(L, index);
        pc_array *times = pc_array_take(L, lua_gettop(L));
        *sides = lua_newuserdatauv(L, times->n + 1, 0);
        memset(*sides, 1, times->n + 1);
        lua_insert(L, -2);
        return times;
    }
    double step = pc_argument_number_or(L, index, 0), span = run->state.t - run->history.t0;
    pc_argument_check(L, lua_isnoneornil(L, index) || (step > 0 && isfinite(step)), index, "must be > 0");
    if (step > 0 && span / step > 1e8) pc_refuse(L, "%f rows are too many; give a longer step", span / step);
    size_t n_arcs;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n_arcs);
    size_t grid = step > 0 ? (size_t)(span / step * (1 + 1e-12)) + 1 : 0;
    size_t n_impacts, n = 0, most;
    const pc_impact_record *impacts = pc_run_impacts(run, &n_impacts);
    most = grid + 2 * n_impacts + (step > 0 ? 2 : n_arcs + 2);
    double *t = lua_newuserdatauv(L, most * sizeof *t, 0);
    *sides = lua_newuserdatauv(L, most, 0);
    size_t g = 0, h = 0, a = 0;
    t[n] = run->history.t0;
    (*sides)[n++] = 1;
    while (h < n_impacts && impacts[h].t <= run->history.t0) h++;
    while (n_arcs > 0) { /* merge: the next row is the earliest of grid, impact and arc */
        double next_g = step > 0 && g + 1 < grid ? run->history.t0 + (double)(g + 1) * step : INFINITY;
        double next_h = h < n_impacts ? impacts[h].t : INFINITY;
        double next_a = step > 0 ? INFINITY : a < n_arcs ? arcs[a].stop : INFINITY;
        double next = fmin(next_g, fmin(next_h, next_a));
        if (!(next < run->state.t)) break;
        if (next_h == next) {
            t[n] = next;
            (*sides)[n++] = -1;
            while (h < n_impacts && impacts[h].t == next) h++;
        }
        t[n] = next;
        (*sides)[n++] = 1;
        if (next_g == next) g++;
        while (step == 0 && a < n_arcs && arcs[a].stop <= next) a++;
    }
    if (run->state.t > run->history.t0) {
        t[n] = run->state.t;
        (*sides)[n++] = 1;
    }
    pc_array *times = pc_array_new(L, n);
    memcpy(times->v, t, n * sizeof *t);
    return times;
}

/* run:columns([step or times]) -> { names =, units =, t = array, ... } */
static int run_columns(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    pc_run *run = &self->run;
    lua_settop(L, 2);
    signed char *sides;
    pc_array *times = push_times(L, run, 2, &sides);
    int at = lua_gettop(L);
    layout l;
    push_layout(L, run->scene, &l);
    lua_createtable(L, 0, l.n + 3);
    int result = lua_gettop(L);
    lua_createtable(L, l.n + 1, 0);
    lua_createtable(L, 0, l.n + 1);
    double **out = lua_newuserdatauv(L, (size_t)l.n * sizeof *out + 1, 0);
    lua_pushvalue(L, at);
    lua_setfield(L, result, "t");
    lua_pushliteral(L, "t");
    lua_rawseti(L, result + 1, 1);
    lua_pushliteral(L, "s");
    lua_setfield(L, result + 2, "t");
    for (int i = 0; i < l.n; i++) {
        out[i] = pc_array_new(L, times->n)->v;
        lua_setfield(L, result, l.columns[i].name);
        lua_pushstring(L, l.columns[i].name);
        lua_rawseti(L, result + 1, i + 2);
        lua_pushstring(L, l.columns[i].unit);
        lua_setfield(L, result + 2, l.columns[i].name);
    }
    for (size_t k = 0; k < times->n; k++) {
        pc_look look;
        look_at(L, 1, run, times->v[k], sides[k], &look);
        for (int i = 0; i < l.n; i++) out[i][k] = pc_run_column_value(&look, &l.columns[i]);
    }
    lua_settop(L, result + 2);
    lua_setfield(L, result, "units");
    lua_setfield(L, result, "names");
    pc_record_seal(L, "");
    return 1;
}

#define BALL                                                                                                           \
    "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1, y = 1.1 }\n"                                 \
    "local world = percuss.scene{ ball, percuss.floor{ height = 0 },\n"                                                \
    "    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }\n"                                      \
    "local run = percuss.simulate(world, { duration = 0.4 })\n"

static const pc_param at_params[] = {
    {"t", "number", "s", NULL, "time within the run"},
    {"side", "string", NULL, "\"after\"", "where velocities jump at t: \"before\" or \"after\""},
    {0},
};
static const pc_param columns_params[] = {
    {"times", "number or array", "s", "the ends of all steps",
     "step between rows, or the times themselves; unless they are given, an impact has two rows, before and after"},
    {0},
};
static const pc_param continue_params[] = {
    {"duration", "number", "s", NULL, "how much longer"},
    {"progress", "function", NULL, "nil", "function of time and number of impacts"},
    {0},
};

static const pc_param carry_params[] = {
    {"displacement", "table", NULL, NULL, "q and u: lists of a number for each coordinate"},
    {"from", "number", "s", "the start", "when it is made, after what happened then"},
    {"to", "number", "s", "the end", "when it is looked at, after what happened then"},
    {0},
};
static const pc_param save_params[] = {
    {"path", "string", NULL, NULL, "name of the file"},
    {0},
};

const pc_function pc_run_methods[] = {
    {"at", run_at, "Everything at one time: coordinates, positions, gaps, forces, energies.", at_params,
     "table: the columns by name as numbers, and q, u (lists)", NULL,
     BALL "print(string.format(\"%.6f %.6f\", run:at(0.2).y, run:at(0.2).vy)) --> 0.903800 -1.962000"},
    {"columns", run_columns,
     "The run as arrays: angle1, rate1, x1, y1 (lower ends), Rx1, Ry1 (force on a link at its upper joint) of chains; "
     "x, y, "
     "angle, vx, vy, rate of free bodies; gap, F_t, F_n of contacts; kinetic, potential, energy (their sum), damped, "
     "torque "
     "and pivot (their work), friction (what it took), lost (in impacts), J. With configuration = \"moving\" also "
     "stored "
     "(in the springs of contacts; energy includes it) and dissipated (by their laws).",
     columns_params, "table: the columns by name as arrays; names (list) and units (by name)", NULL,
     BALL "local c = run:columns(0.1)\nprint(#c.t, string.format(\"%.6f\", c.vy[3])) --> 5\t-1.962000"},
    {"continue", pc_run_continue, "Let the run go on; the run itself grows.", continue_params, "the run", NULL,
     BALL "print(run:continue(0.6).impact_count) --> 2"},
    {"carry", pc_run_carry_list,
     "What a small displacement of the state becomes along the run: linearised arcs, and the saltation where contacts "
     "change, at impacts by their law. A contact that lasts allows some displacements; what it forbids is taken away. "
     "Where the motion is no smooth function of its start (a graze, a jam, two impacts at once whose order matters), "
     "and with configuration = \"moving\", the answer is an error. The displacement is integrated with the rtol of the "
     "run, at best 1e-12; forces and impacts are differentiated by differences of four points, good to some 1e-11 of "
     "the lengths and speeds in the scene, an impact slower than these by a factor to that factor times as much, one "
     "by a compliant law that is integrated to some 1e-8.",
     carry_params,
     "table: q and u (lists), slowest (speed of approach of the impact nearest to a graze, m/s; nil without impacts), "
     "slowest_time",
     "Aizerman and Gantmakher (1958); Mueller (1995)",
     BALL "-- half a metre per second more downwards at the start, a tenth of a second later\n"
          "local d = run:carry({ q = { 0, 0, 0 }, u = { 0, -0.5, 0 } }, 0, 0.1)\n"
          "print(string.format(\"%.6f %.6f\", d.q[2], d.u[2])) --> -0.050000 -0.500000"},
    {"save", pc_run_save_file,
     "Write the run into a file, whole or not at all; percuss.load_run reads it. Functions of Lua in it are not kept.",
     save_params, "name of the file; or nil, message, code", NULL,
     BALL "print(run:save \"bounce.run\") --> bounce.run"},
    {0},
};
