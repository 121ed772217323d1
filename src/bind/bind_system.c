/* The module percuss.system: a constructor for every built-in right-hand side; this file knows none by name. */
#include "bind/bind_system.h"

#include "bind/register.h"

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

static const pc_property properties[] = {
    {"n", push_n, "", "number of components of its state"},
    {"names", push_names, NULL, "their names, a list"},
    {"start", push_start, NULL, "the customary state at the start, a list"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", system_index}, {NULL, NULL}};

const pc_type pc_type_system = {
    .name = "percuss.system",
    .summary = "A built-in right-hand side for ode.solve, with its parameters as fields.",
    .properties = properties,
    .metamethods = metamethods,
    .describe = system_describe,
};

void pc_open_system(lua_State *L)
{
    pc_type_open(L, &pc_type_system);
    lua_newtable(L);
    for (int i = 0; i < pc_n_ode_systems; i++)
        pc_constructor_open(L, pc_ode_systems[i]->schema, system_new, pc_ode_systems[i]);
    pc_module_strict(L, "system");
    lua_setfield(L, -2, "system");
}
