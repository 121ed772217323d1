/* Obstacles as userdata: a constructor for every kind in the list, with functions of Lua for their motion and with
 * lists and functions for their curves. */
#include "bind/core/bind.h"
#include "bind/scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- obstacles ----
 *
 * Functions of their motion run in a coroutine of the obstacle, which is never resumed. */

enum { MOTION = 1, SURFACE, FUNCTIONS = SURFACE };

static void reset_functions(pc_bound_obstacle *self)
{
    lua_settop(self->L, FUNCTIONS);
    pc_callback_open(self->L, MOTION, "motion", &self->motion);
    pc_callback_open(self->L, SURFACE, "surface_speed", &self->surface);
}

/* Numbers that a function of t returns: `group` of them, or twice as many, up to `most`; how many. < 0: an error. */
static int call_drive(pc_bound_obstacle *self, pc_callback *call, double t, int group, int most, double *out)
{
    lua_State *L = self->L;
    if (self->motion.failed || self->surface.failed) reset_functions(self);
    lua_pushnumber(L, t);
    lua_State *before = pc_interrupt_enter(L);
    pc_status status = pc_callback_call(call, 1, most, NULL);
    pc_interrupt_enter(before);
    if (status != PC_OK) {
        if (call->failed) pc_failure_keep(L, call->error, PC_FAILURE_THROWN);
        return -1;
    }
    int got = 0;
    for (int number; got < most; got++) {
        out[got] = lua_tonumberx(L, got - most, &number);
        if (got >= group && got % group == 0 && lua_isnil(L, got - most)) break;
        if (number && isfinite(out[got])) continue;
        char text[200];
        snprintf(text, sizeof text, "%s: %s must return %s (SI), but result %d is %s at t = %.10g s",
                 self->kind->schema->name, call == &self->motion ? "motion" : "surface_speed",
                 call == &self->motion ? "x, y and angle, then all of their rates, then all rates of these, as far as "
                                         "it knows them"
                                       : "a speed, and its rate if it knows that",
                 got + 1,
                 !number           ? luaL_typename(L, got - most)
                 : isnan(out[got]) ? "not a number"
                                   : "infinite",
                 t);
        lua_pushstring(L, text);
        pc_failure_keep(L, -1, PC_FAILURE_TOLD);
        lua_pop(L, 1);
        got = -1;
        break;
    }
    lua_pop(L, most);
    return got;
}

static int call_motion(double t, double state[9], void *context)
{
    pc_bound_obstacle *self = context;
    return call_drive(self, &self->motion, t, 3, 9, state);
}

static int call_surface(double t, double state[2], void *context)
{
    pc_bound_obstacle *self = context;
    return call_drive(self, &self->surface, t, 1, 2, state);
}

/* The options `motion` and `surface_speed` of the table at index 1, for the obstacle at `object`. */
static void read_drive(lua_State *L, int object, pc_bound_obstacle *self)
{
    pc_drive *drive = &((pc_obstacle_common *)(void *)self->params)->drive;
    *drive = (pc_drive){.context = self};
    lua_settop(L, object);
    lua_getfield(L, 1, "motion");
    lua_getfield(L, 1, "surface_speed");
    if (lua_istable(L, object + 1)) pc_options_read(L, object + 1, &pc_drive_schema, drive);
    if (lua_isfunction(L, object + 1)) drive->motion = call_motion;
    drive->context = self;
    if (lua_isnumber(L, object + 2)) drive->surface_speed = lua_tonumber(L, object + 2);
    if (lua_isfunction(L, object + 2)) drive->surface = call_surface;
    if (drive->motion || drive->surface) {
        self->L = lua_newthread(L);
        lua_setiuservalue(L, object, PC_OBSTACLE_COROUTINE);
        lua_xmove(L, self->L, FUNCTIONS);
        reset_functions(self);
    }
    lua_settop(L, object);
}

/* ---- lists and functions of curves ----
 *
 * Functions are called while the obstacle is made alone, from the constructor: their errors are its own. */

const double (*pc_read_places(lua_State *L, const char *what, const char *row, int n))[2]
{
    int list = lua_gettop(L);
    double(*places)[2] = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *places, 0);
    for (int i = 0; i < n; i++) {
        bool good = lua_geti(L, list, i + 1) == LUA_TTABLE && luaL_len(L, -1) == 2;
        for (int k = 0; k < 2 && good; k++) {
            good = lua_geti(L, list + 2, k + 1) == LUA_TNUMBER;
            places[i][k] = lua_tonumber(L, -1);
            good = good && isfinite(places[i][k]);
            lua_pop(L, 1);
        }
        if (!good) pc_refuse(L, "%s: %s[%d] must be a place { x, y } of two finite numbers (m)", what, row, i + 1);
        lua_settop(L, list + 1);
    }
    return (const double(*)[2])places;
}

/* Of a list. */
enum { MOST_ENTRIES = 100000 };

typedef struct reading {
    lua_State *L;
    const char *kind, *row;
    int function, room; /* places in the stack */
} reading;

/* Structs as the options of a row describe them, of the tables in the list on top of the stack. */
static const void *read_tables(lua_State *L, const reading *r, const pc_schema *schema, int n)
{
    int list = lua_gettop(L);
    char *out = lua_newuserdatauv(L, ((size_t)n + 1) * schema->size, 0);
    for (int i = 0; i < n; i++) {
        if (lua_geti(L, list, i + 1) != LUA_TTABLE)
            pc_refuse(L, "%s: %s[%d] must be a table, not %s", r->kind, r->row, i + 1, luaL_typename(L, -1));
        pc_options_read(L, list + 2, schema, out + (size_t)i * schema->size);
        lua_settop(L, list + 1);
    }
    return out;
}

static int call_curve(double s, double out[4], void *context)
{
    enum { MOST = 4 };
    const reading *r = context;
    lua_State *L = r->L;
    int top = lua_gettop(L), n = 0;
    lua_pushvalue(L, r->function);
    lua_pushnumber(L, s);
    lua_call(L, 1, MOST);
    while (n < MOST && !(n > 0 && lua_isnil(L, top + n + 1))) {
        int number;
        out[n] = lua_tonumberx(L, top + n + 1, &number);
        if (!number || !isfinite(out[n])) {
            char at[40];
            snprintf(at, sizeof at, "%.10g", s);
            pc_refuse(L, "%s: result %d of %s is %s at %s; it must be a finite number", r->kind, n + 1, r->row,
                      !number         ? luaL_typename(L, top + n + 1)
                      : isnan(out[n]) ? "not a number"
                                      : "infinite",
                      at);
        }
        n++;
    }
    lua_settop(L, top);
    return n;
}

static void *give_room(size_t size, void *context)
{
    const reading *r = context;
    void *room = lua_newuserdatauv(r->L, size, 0);
    lua_replace(r->L, r->room); /* it takes the place of the last one when that is done with */
    return room;
}

/* The row of lists and functions that is given, for the obstacle at `object`. */
static void read_source(lua_State *L, int object, pc_bound_obstacle *self)
{
    const pc_schema *schema = self->kind->schema;
    int row = 0;
    lua_settop(L, object);
    while (!((schema->rows[row].kind == PC_LIST || schema->rows[row].kind == PC_FUNCTION) &&
             pc_option_push(L, 1, schema->rows[row].name)))
        row++; /* one is: see their group */
    reading r = {L, schema->name, schema->rows[row].name, object + 1, object + 2};
    pc_obstacle_source source = {.row = r.row, .f = call_curve, .room = give_room, .context = &r};
    lua_settop(L, r.function);
    lua_pushnil(L);
    if (schema->rows[row].kind == PC_LIST) {
        lua_pushvalue(L, r.function);
        lua_Integer n = luaL_len(L, -1);
        if (n > MOST_ENTRIES)
            pc_refuse(L, "%s: %s has %I entries; it may have %d", r.kind, r.row, (LUAI_UACINT)n, MOST_ENTRIES);
        source.n = (int)n;
        if (schema->rows[row].options)
            source.list = read_tables(L, &r, schema->rows[row].options, source.n);
        else
            source.places = pc_read_places(L, r.kind, r.row, source.n);
    }
    pc_error err = {0};
    if (self->kind->take(self->params, &source, &err)) pc_raise(L, &err);
    lua_pushvalue(L, r.room);
    lua_setiuservalue(L, object, PC_OBSTACLE_ROOM);
    lua_settop(L, object);
}

int pc_obstacle_new(lua_State *L)
{
    const pc_obstacle_kind *kind = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_bound_obstacle *self =
        pc_type_new(L, &pc_type_obstacle, sizeof *self + kind->schema->size, PC_OBSTACLE_USERVALUES);
    pc_options_read(L, 1, kind->schema, self->params);
    self->kind = kind;
    read_drive(L, 2, self);
    if (kind->take) read_source(L, 2, self);
    pc_recipe_keep(L, 1, 2, PC_OBSTACLE_OPTIONS);
    return 1;
}

static void obstacle_push_kind(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_obstacle *)self)->kind->schema->name);
}

static void obstacle_push_name(lua_State *L, void *self)
{
    const pc_bound_obstacle *obstacle = self;
    const pc_obstacle_common *common = (const void *)obstacle->params;
    lua_pushstring(L, common->name[0] ? common->name : obstacle->kind->schema->name);
}

/* How many straight lines look like a span: each turns by no more than a few degrees. */
static int lines_of(const pc_curve_span *span)
{
    static const double TURN = 0.06;
    enum { LOOKS = 16, LEAST = 4 };
    double before[2], way[2], at[2], bend, turn = 0;
    if (span->degree == 1) return 1;
    pc_curve_at(span, -1, at, before, &bend);
    for (int i = 1; i <= LOOKS; i++) {
        pc_curve_at(span, -1 + 2.0 * i / LOOKS, at, way, &bend);
        turn += fabs(before[0] * way[1] - before[1] * way[0]);
        memcpy(before, way, sizeof before);
    }
    return LEAST + (int)(turn / TURN);
}

/* A curve as a chain of short straight lines, into the table on top of the stack. */
static void push_curve(lua_State *L, const pc_outline *outline)
{
    const pc_plane_curve *curve = &outline->curve;
    int n = 0;
    double at[2], way[2], bend;
    lua_newtable(L);
    for (int i = 0; i < curve->n; i++) {
        const pc_curve_span *span = &curve->spans[i];
        const int lines = lines_of(span);
        for (int k = n > 0; k <= lines; k++) {
            pc_curve_at(span, -1 + 2.0 * k / lines, at, way, &bend);
            pc_push_numbers(L, at, 2);
            lua_rawseti(L, -2, ++n);
        }
    }
    lua_setfield(L, -2, "corners");
    lua_pushnumber(L, outline->radius);
    lua_setfield(L, -2, "radius");
    lua_pushboolean(L, outline->closed);
    lua_setfield(L, -2, "closed");
    lua_pushboolean(L, true);
    lua_setfield(L, -2, "curve");
    pc_push_numbers(L, (double[2]){outline->x, outline->y}, 2);
    lua_setfield(L, -2, "middle");
}

/* shape: what drawing needs */
static void obstacle_push_shape(lua_State *L, void *self)
{
    const pc_bound_obstacle *obstacle = self;
    const pc_outline outline = obstacle->kind->build(obstacle->params);
    double corner[2];
    lua_createtable(L, 0, 5);
    if (pc_outline_is_curve(&outline)) {
        push_curve(L, &outline);
        return;
    }
    const pc_side *first = &outline.sides[0], *last = &outline.sides[outline.n_sides - (outline.n_sides > 0)];
    lua_createtable(L, PC_OUTLINE_SIDES, 0);
    for (int i = 0, n = 0; i < PC_OUTLINE_SIDES; i++) {
        if (!pc_outline_corner(&outline, i, corner)) continue;
        pc_push_numbers(L, corner, 2);
        lua_rawseti(L, -2, ++n);
    }
    if (outline.n_sides == 1) {
        pc_push_numbers(L, (double[2]){first->x, first->y}, 2);
        lua_rawseti(L, -2, 1);
    }
    lua_setfield(L, -2, "corners");
    lua_pushnumber(L, outline.radius);
    lua_setfield(L, -2, "radius");
    lua_pushboolean(L, outline.closed);
    lua_setfield(L, -2, "closed");
    if (outline.n_sides == 0 || outline.closed) return;
    pc_push_numbers(L, (double[2]){-first->ex, -first->ey}, 2);
    lua_setfield(L, -2, "from");
    pc_push_numbers(L, (double[2]){last->ex, last->ey}, 2);
    lua_setfield(L, -2, "to");
}

/* Each parameter of its kind is a field. */
static int obstacle_index(lua_State *L)
{
    const pc_bound_obstacle *self = pc_type_check(L, 1, &pc_type_obstacle);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(self->kind->schema, key);
    pc_kind kind = row < 0 ? PC_REAL : self->kind->schema->rows[row].kind;
    if (kind != PC_LIST && kind != PC_FUNCTION && strcmp(key, "motion") != 0 && strcmp(key, "surface_speed") != 0)
        return pc_push_parameter(L, self->kind->schema, self->params);
    lua_getiuservalue(L, 1, PC_OBSTACLE_OPTIONS);
    lua_getfield(L, -1, key);
    return 1;
}

static void obstacle_describe(lua_State *L, void *self)
{
    const pc_bound_obstacle *obstacle = self;
    char text[160];
    obstacle->kind->describe(obstacle->params, text, sizeof text);
    lua_pushstring(L, text);
}

static const pc_property obstacle_properties[] = {
    {"kind", obstacle_push_kind, NULL, "the word that made it, such as floor"},
    {"name", obstacle_push_name, NULL, "its name in pairs, events and columns"},
    {"shape", obstacle_push_shape, NULL,
     "corners { x, y } of its outline, radius round it (negative: the inside of a circle), closed; from, to: "
     "directions in which it has no end; of a curve, with curve = true, the corners are places along it, radius is "
     "half "
     "its thickness, and middle is what it turns about"},
    {0},
};
static const luaL_Reg obstacle_meta[] = {{"__index", obstacle_index}, {NULL, NULL}};

const pc_type pc_type_obstacle = {
    .name = "percuss.obstacle",
    .summary = "Something that stands in the way, such as a floor or a peg; each parameter is a field.",
    .properties = obstacle_properties,
    .metamethods = obstacle_meta,
    .describe = obstacle_describe,
};
