/* What scenes are made of, as userdata: chains, free bodies and forces; obstacles: see obstacle.c. */
#include "bind/core/bind.h"
#include "bind/ode/ode.h"
#include "bind/scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- chains ---- */

static void read_numbers(lua_State *L, const pc_schema *schema, const char *name, int n, double *out)
{
    size_t got;
    const double *numbers = pc_option_numbers(L, 1, schema, name, &got);
    if (numbers && got != (size_t)n)
        pc_refuse(L, "chain: %s must be a list of %d numbers, one for each link, not %d", name, n, (int)got);
    if (numbers) memcpy(out, numbers, got * sizeof *out);
}

static void read_links(lua_State *L, pc_chain *chain)
{
    pc_option_push(L, 1, "links");
    lua_Integer n = luaL_len(L, -1);
    if (n < 1 || n > PC_CHAIN_LINKS) pc_refuse(L, "chain: it has from 1 to %d links, not %d", PC_CHAIN_LINKS, (int)n);
    chain->n = (int)n;
    for (int i = 0; i < chain->n; i++) {
        lua_geti(L, -1, i + 1);
        pc_options_read(L, -1, &pc_link_schema, &chain->links[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_pivot(lua_State *L, int self, pc_pivot *pivot)
{
    if (!pc_option_push(L, 1, "pivot")) return;
    if (lua_isfunction(L, -1)) {
        lua_setiuservalue(L, self, PC_CHAIN_PIVOT);
        return;
    }
    pc_options_read(L, -1, &pc_pivot_schema, pivot);
    lua_pop(L, 1);
}

static const pc_row chain_rows[] = {
    {.name = "links",
     .kind = PC_LIST,
     .options = &pc_link_schema,
     .initial = PC_REQUIRED,
     .doc = "tables of the parameters of percuss.link, from the pivot on"},
    PC_STAYS_ROW("angles", PC_NUMBERS, .unit = PC_UNIT_RAD, .otherwise = "zeros", .allowed = PC_ANY,
                 .doc = "at the start"),
    PC_STAYS_ROW("rates", PC_NUMBERS, .unit = PC_UNIT_RAD_PER_S, .otherwise = "zeros", .allowed = PC_ANY,
                 .doc = "at the start"),
    PC_STAYS_ROW("pivot", PC_TABLE, .also = PC_ALSO(PC_FUNCTION), .options = &pc_pivot_schema,
                 .otherwise = "at the origin",
                 .doc = "at x + amplitude_x sin(frequency t + phase), and y likewise; or a function of t that returns "
                        "x, y, their velocities and accelerations; or, with floats = true, nothing holds the upper "
                        "end, which begins at x, y with the velocity vx, vy"),
    PC_STAYS_ROW("torque", PC_FUNCTION, .otherwise = "none",
                 .doc = "of t, angles, rates; returns a torque (N m) for each link, one by one"),
};
const pc_schema pc_chain_options_schema = {.name = "chain", PC_ROWS(chain_rows), .base = &pc_chain_schema};

/* link{ ... }: the table, when all in it is right. */
int pc_link_new(lua_State *L)
{
    pc_link link;
    lua_settop(L, 1);
    pc_options_read(L, 1, &pc_link_schema, &link);
    return 1;
}

/* chain{ links =, angles =, rates =, ... } */
int pc_chain_new(lua_State *L)
{
    pc_argument_type(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_bound_chain *self = pc_type_new(L, &pc_type_chain, sizeof *self, PC_CHAIN_USERVALUES);
    pc_options_take(L, 1, &pc_chain_options_schema, &self->options);
    read_links(L, &self->chain);
    read_numbers(L, &pc_chain_options_schema, "angles", self->chain.n, self->angles);
    read_numbers(L, &pc_chain_options_schema, "rates", self->chain.n, self->rates);
    read_pivot(L, 2, &self->chain.pivot);
    if (pc_option_push(L, 1, "torque")) lua_setiuservalue(L, 2, PC_CHAIN_TORQUE);
    pc_error err = {0};
    if (pc_chain_check(&self->chain, &self->options, &err) != PC_OK) return pc_raise(L, &err);
    lua_settop(L, 2);
    pc_recipe_keep(L, 1, 2, PC_CHAIN_OPTIONS);
    return 1;
}

void pc_push_numbers(lua_State *L, const double *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void chain_push_angles(lua_State *L, void *self)
{
    pc_push_numbers(L, ((pc_bound_chain *)self)->angles, ((pc_bound_chain *)self)->chain.n);
}

static void chain_push_rates(lua_State *L, void *self)
{
    pc_push_numbers(L, ((pc_bound_chain *)self)->rates, ((pc_bound_chain *)self)->chain.n);
}

static void chain_push_links(lua_State *L, void *self)
{
    const pc_chain *chain = &((pc_bound_chain *)self)->chain;
    lua_createtable(L, chain->n, 0);
    for (int i = 0; i < chain->n; i++) {
        lua_createtable(L, 0, pc_link_schema.n_rows);
        for (int k = 0; k < pc_link_schema.n_rows; k++) {
            pc_row_push(L, &pc_link_schema.rows[k], &chain->links[i]);
            lua_setfield(L, -2, pc_link_schema.rows[k].name);
        }
        lua_rawseti(L, -2, i + 1);
    }
}

static void chain_push_pivot(lua_State *L, void *self)
{
    const pc_pivot *pivot = &((pc_bound_chain *)self)->chain.pivot;
    lua_createtable(L, 0, pc_pivot_schema.n_rows);
    for (int i = 0; i < pc_pivot_schema.n_rows; i++) {
        pc_row_push(L, &pc_pivot_schema.rows[i], pivot);
        lua_setfield(L, -2, pc_pivot_schema.rows[i].name);
    }
}

static void chain_push_name(lua_State *L, void *self)
{
    const char *name = ((pc_bound_chain *)self)->options.name;
    lua_pushstring(L, name[0] ? name : "chain");
}

static void chain_describe(lua_State *L, void *self)
{
    int n = ((pc_bound_chain *)self)->chain.n;
    lua_pushfstring(L, "chain of %d link%s", n, n == 1 ? "" : "s");
}

static const pc_property chain_properties[] = {
    {"links", chain_push_links, NULL, "list of links with their parameters"},
    {"angles", chain_push_angles, "rad", "of the links at the start, from the downward vertical, anticlockwise"},
    {"rates", chain_push_rates, "rad/s", "of the links at the start"},
    {"pivot", chain_push_pivot, NULL, "place and motion of the pivot"},
    {"name", chain_push_name, NULL, "its name in events and columns"},
    {0},
};

const pc_type pc_type_chain = {
    .name = "percuss.chain",
    .summary = "A planar chain of rigid links hanging from a pivot, or floating, with its motion at the start.",
    .properties = chain_properties,
    .describe = chain_describe,
};

/* ---- free bodies ---- */

/* Room for the pieces of the body at index 2, which keeps it. */
static pc_free_piece *new_pieces(lua_State *L, int n)
{
    pc_free_piece *pieces = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *pieces, 0);
    lua_setiuservalue(L, 2, PC_FREE_PIECES);
    return pieces;
}

/* corners = { { x, y }, ... }, on top of the stack */
static void read_corners(lua_State *L, pc_bound_free *self)
{
    int n = (int)luaL_len(L, -1);
    const double(*corners)[2] = pc_read_places(L, "free", "corners", n);
    pc_error err = {0};
    if (pc_free_take_corners(&self->shape, corners, n, new_pieces(L, 1), &err)) pc_raise(L, &err);
}

/* What a shape within a body must not have, since the whole has it. */
static void check_shape(lua_State *L, const pc_free_shape *shape, int number)
{
    const char *own = shape->vx != 0 ? "vx" : shape->vy != 0 ? "vy" : shape->rate != 0 ? "rate" : NULL;
    if (own) pc_refuse(L, "free: shapes[%d] has no %s of its own; the body has it", number, own);
}

/* shapes = { { shape =, mass =, x =, y =, angle =, ... } or a free body, ... }, on top of the stack */
static void read_shapes(lua_State *L, pc_bound_free *self)
{
    enum { MOST = 1000 };
    int list = lua_gettop(L), n = (int)luaL_len(L, list), n_pieces = 0;
    if (n > MOST) pc_refuse(L, "free: shapes has %d entries; a body is put together from up to %d", n, MOST);
    pc_free_shape *shapes = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *shapes, 0);
    lua_createtable(L, n, 0); /* keeps the bodies that tables make */
    for (int i = 0; i < n; i++) {
        if (lua_geti(L, list, i + 1) == LUA_TTABLE) {
            lua_pushcfunction(L, pc_free_new);
            lua_insert(L, -2);
            lua_call(L, 1, 1);
        }
        const pc_bound_free *one = pc_type_test(L, -1, &pc_type_free);
        if (!one) pc_refuse(L, "free: shapes[%d] must be a table or a free body, not %s", i + 1, luaL_typename(L, -1));
        check_shape(L, &one->shape, i + 1);
        shapes[i] = one->shape;
        n_pieces += pc_free_pieces(&one->shape);
        lua_rawseti(L, -2, i + 1);
    }
    pc_error err = {0};
    if (pc_free_take_shapes(&self->shape, shapes, n, new_pieces(L, n_pieces), &err)) pc_raise(L, &err);
}

int pc_free_new(lua_State *L)
{
    pc_argument_type(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_bound_free *self = pc_type_new(L, &pc_type_free, sizeof *self, PC_FREE_USERVALUES);
    pc_options_read(L, 1, &pc_free_schema, &self->shape);
    if (pc_option_push(L, 1, "corners")) read_corners(L, self);
    lua_settop(L, 2);
    if (pc_option_push(L, 1, "shapes")) read_shapes(L, self);
    lua_settop(L, 2);
    pc_recipe_keep(L, 1, 2, PC_FREE_OPTIONS);
    return 1;
}

int pc_push_parameter(lua_State *L, const pc_schema *schema, const void *object)
{
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(schema, key, &err);
        return pc_raise(L, &err);
    }
    pc_row_push(L, &schema->rows[row], object);
    return 1;
}

static int free_index(lua_State *L)
{
    const pc_bound_free *self = pc_type_check(L, 1, &pc_type_free);
    static const char *const kept[] = {"body", "corners", "shapes"}; /* as they were given */
    for (int i = 0; i < (int)(sizeof kept / sizeof *kept); i++) {
        if (strcmp(luaL_checkstring(L, 2), kept[i]) != 0) continue;
        lua_getiuservalue(L, 1, PC_FREE_OPTIONS);
        lua_getfield(L, -1, kept[i]);
        return 1;
    }
    return pc_push_parameter(L, &pc_free_schema, &self->shape);
}

static void free_push_name(lua_State *L, void *self)
{
    const char *name = ((pc_bound_free *)self)->shape.name;
    lua_pushstring(L, name[0] ? name : "body");
}

/* pieces: of each a list of { along, across }, round = radius about them */
static void free_push_pieces(lua_State *L, void *self)
{
    const pc_free_shape *shape = &((pc_bound_free *)self)->shape;
    int n = pc_free_pieces(shape);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        pc_free_piece piece;
        pc_free_find_piece(shape, i, &piece);
        lua_createtable(L, piece.n, 1);
        for (int k = 0; k < piece.n; k++) {
            pc_push_numbers(L, piece.points[k], 2);
            lua_rawseti(L, -2, k + 1);
        }
        lua_pushnumber(L, piece.round);
        lua_setfield(L, -2, "round");
        lua_rawseti(L, -2, i + 1);
    }
}

static void free_describe(lua_State *L, void *self)
{
    pc_schema_push_text(L, &pc_free_schema, &((pc_bound_free *)self)->shape);
}

static const pc_property free_properties[] = {
    {"name", free_push_name, NULL, "its name in events and columns"},
    {"pieces", free_push_pieces, "m",
     "convex pieces of its outline: corners, ends or centre from the mass centre, and the radius round them"},
    {0},
};
static const luaL_Reg free_meta[] = {{"__index", free_index}, {NULL, NULL}};

const pc_type pc_type_free = {
    .name = "percuss.free",
    .summary = "A free planar body with its motion at the start; each parameter is a field.",
    .properties = free_properties,
    .metamethods = free_meta,
    .describe = free_describe,
};

/* Forces of scenes as userdata: a constructor for every kind in the list, with functions of Lua that run in a coroutine
 * of the force, which is never resumed. */

/* Stack of the coroutine: the function, and the table of the body that it may get. */
enum { FUNCTION = 1, BODY, FIXED = BODY };

static void reset(pc_bound_force *self)
{
    lua_settop(self->L, FIXED);
    pc_callback_open(self->L, FUNCTION, "f", &self->call);
}

static void set_number(lua_State *L, const char *name, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, BODY, name);
}

static int push_arguments(lua_State *L, pc_force_arguments kind, double t, const pc_force_end *end)
{
    switch (kind) {
    case PC_FORCE_OF_PLACE:
        lua_pushnumber(L, end->x);
        lua_pushnumber(L, end->y);
        lua_pushnumber(L, t);
        return 3;
    case PC_FORCE_OF_ANGLE:
        lua_pushnumber(L, t);
        lua_pushnumber(L, end[0].angle - end[1].angle);
        lua_pushnumber(L, end[0].rate - end[1].rate);
        return 3;
    case PC_FORCE_OF_BODY:
    case PC_FORCE_NO_FUNCTION: break;
    }
    set_number(L, "x", end->x);
    set_number(L, "y", end->y);
    set_number(L, "vx", end->vx);
    set_number(L, "vy", end->vy);
    set_number(L, "angle", end->angle);
    set_number(L, "rate", end->rate);
    set_number(L, "mass", end->mass);
    lua_pushnumber(L, t);
    lua_pushvalue(L, BODY);
    return 2;
}

static int call_function(void *context, pc_force_arguments kind, double t, const pc_force_end *end, double out[3])
{
    static const int least[] = {0, 2, 1, 2}, most[] = {0, 2, 1, 3};
    pc_bound_force *self = context;
    lua_State *L = self->L;
    if (self->call.failed) reset(self);
    int n = push_arguments(L, kind, t, end);
    lua_State *before = pc_interrupt_enter(L);
    pc_status status = pc_callback_call(&self->call, n, most[kind], NULL);
    pc_interrupt_enter(before);
    if (status != PC_OK) {
        if (self->call.failed) pc_failure_keep(L, self->call.error, PC_FAILURE_THROWN);
        return -1;
    }
    int got = 0;
    for (int i = 0; i < most[kind]; i++) {
        int index = i - most[kind], number;
        out[i] = lua_tonumberx(L, index, &number);
        if ((number && isfinite(out[i])) || (i >= least[kind] && lua_isnil(L, index))) continue;
        char text[160];
        snprintf(text, sizeof text, "%s: f must return %s (SI), but result %d is %s at t = %.10g s",
                 self->kind->schema->name, least[kind] == 1 ? "a number" : "numbers", i + 1,
                 !number         ? luaL_typename(L, index)
                 : isnan(out[i]) ? "not a number"
                                 : "infinite",
                 t);
        lua_pushstring(L, text);
        pc_failure_keep(L, -1, PC_FAILURE_TOLD);
        lua_pop(L, 1);
        got = -1;
        break;
    }
    lua_pop(L, most[kind]);
    return got;
}

/* The name of the part at `value`, which stands for a body: parts are called by what they were named. */
static void name_part(lua_State *L, const pc_schema *schema, const char *option)
{
    const pc_bound_free *body = pc_type_test(L, -1, &pc_type_free);
    const pc_bound_chain *chain = pc_type_test(L, -1, &pc_type_chain);
    if (!body && !chain) return;
    const char *name = body ? body->shape.name : chain->options.name;
    if (!name[0])
        pc_refuse(L, "%s: %s is a part without a name; give it one, as in name = \"ball\", or say %s = \"%s\"",
                  schema->name, option, option, body ? "body" : "chain");
    lua_pushstring(L, name);
    lua_replace(L, -2);
}

/* Put a copy of the options at index 1 in their place, with names for parts and without a function, which is above it;
 * nil: there is none. Of a link a number says how far from its upper joint. */
static void spell_options(lua_State *L, const pc_force_kind *kind)
{
    if (!lua_istable(L, 1)) {
        lua_pushnil(L);
        return;
    }
    lua_newtable(L);
    lua_pushnil(L); /* the function */
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (kind->function && strcmp(key, "f") == 0) {
            if (!lua_isfunction(L, -1))
                pc_refuse(L, "%s: f must be a function, not a %s", kind->schema->name, luaL_typename(L, -1));
            lua_pushvalue(L, -1);
            lua_replace(L, 3);
            continue;
        }
        name_part(L, kind->schema, key);
        size_t n = strlen(key);
        if (n >= 2 && strcmp(key + n - 2, "at") == 0 && lua_type(L, -1) == LUA_TNUMBER) {
            double along = lua_tonumber(L, -1);
            lua_pop(L, 1);
            pc_push_numbers(L, (double[2]){0, 0 - along}, 2);
        }
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, 2);
    }
    lua_insert(L, 2); /* the function below the copy */
    lua_replace(L, 1);
}

int pc_force_new(lua_State *L)
{
    const pc_force_kind *kind = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    spell_options(L, kind);
    int function = lua_gettop(L);
    pc_bound_force *self = pc_type_new(L, &pc_type_force, sizeof *self + kind->schema->size, PC_FORCE_USERVALUES);
    int object = lua_gettop(L);
    self->kind = kind;
    pc_options_read(L, 1, kind->schema, self->params);
    pc_force_common *common = (void *)self->params;
    if (kind->ends > 0 && !common->place[0].body[0])
        return pc_refuse(L, "%s: %s is needed: the body that it acts on", kind->schema->name,
                         kind->schema->rows[0].name);
    pc_recipe_keep(L, 1, object, PC_FORCE_OPTIONS);
    if (kind->function && pc_option_push(L, 1, "breaks")) {
        if (!lua_isfunction(L, function))
            return pc_refuse(L, "%s: breaks are those of f, and there is none", kind->schema->name);
        pc_breaks breaks;
        pc_breaks_read(L, kind->schema->name, &breaks);
        common->breaks = breaks.t;
        common->n_breaks = breaks.n;
        lua_setiuservalue(L, object, PC_FORCE_BREAKS);
    }
    lua_settop(L, object);
    if (!lua_isfunction(L, function)) return 1;
    self->L = lua_newthread(L);
    lua_setiuservalue(L, object, PC_FORCE_COROUTINE);
    lua_pushvalue(L, function);
    lua_createtable(L, 0, 8);
    lua_xmove(L, self->L, FIXED);
    reset(self);
    common->function = (pc_force_function){call_function, self};
    /* so that a recipe tells of the function */
    lua_getiuservalue(L, object, PC_FORCE_OPTIONS);
    lua_pushvalue(L, function);
    lua_setfield(L, -2, "f");
    lua_settop(L, object);
    return 1;
}

/* ---- the type ---- */

static int force_index(lua_State *L)
{
    const pc_bound_force *self = pc_type_check(L, 1, &pc_type_force);
    if (self->kind->function && strcmp(luaL_checkstring(L, 2), "breaks") == 0) { /* as they were given */
        lua_getiuservalue(L, 1, PC_FORCE_OPTIONS);
        lua_getfield(L, -1, "breaks");
        return 1;
    }
    return pc_push_parameter(L, self->kind->schema, self->params);
}

static void push_kind(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_force *)self)->kind->schema->name);
}

static void push_name(lua_State *L, void *self)
{
    const pc_bound_force *force = self;
    const pc_force_common *common = (const void *)force->params;
    lua_pushstring(L, common->name[0] ? common->name : force->kind->schema->name);
}

static void describe(lua_State *L, void *self)
{
    const pc_bound_force *force = self;
    pc_schema_push_text(L, force->kind->schema, force->params);
}

static const pc_property properties[] = {
    {"kind", push_kind, NULL,
     "spring, rotational_spring, drag, magnus, field, motor or force; of joints pin, slider or weld"},
    {"name", push_name, NULL, "its name in columns and works"},
    {0},
};
static const luaL_Reg meta[] = {{"__index", force_index}, {NULL, NULL}};

const pc_type pc_type_force = {
    .name = "percuss.scene_force",
    .summary = "A force for scenes: a spring, a motor, drag, a field, or a joint; each parameter is a field.",
    .properties = properties,
    .metamethods = meta,
    .describe = describe,
};
