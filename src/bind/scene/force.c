/* Forces of scenes as userdata: a constructor for every kind in the list, with functions of Lua that run in a coroutine
 * of the force, which is never resumed. */
#include "bind/core/argument.h"
#include "bind/core/interrupt.h"
#include "bind/scene/recipe.h"
#include "bind/scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    {"kind", push_kind, NULL, "spring, rotational_spring, drag, magnus, field, motor or force"},
    {"name", push_name, NULL, "its name in columns and works"},
    {0},
};
static const luaL_Reg meta[] = {{"__index", force_index}, {NULL, NULL}};

const pc_type pc_type_force = {
    .name = "percuss.scene_force",
    .summary = "A force for scenes: a spring, a motor, drag, a field; each parameter is a field.",
    .properties = properties,
    .metamethods = meta,
    .describe = describe,
};
