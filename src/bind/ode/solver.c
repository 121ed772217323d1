/* The modules percuss.solver and percuss.system: a constructor for every method and every built-in right-hand side in
 * the lists; solvers are userdata whose settings are fields. This file knows none by name. */
#include "bind/core/register.h"
#include "bind/ode/solver.h"

#include <string.h>

static pc_bound_solver *check_solver(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_solver);
}

/* solver.<name>{ settings }; without settings where none is required */
static int solver_new(lua_State *L)
{
    const pc_ode_method *method = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    pc_bound_solver *self = pc_type_new(L, &pc_type_solver, sizeof *self, 0);
    self->method = method;
    pc_options_read(L, 1, method->schema, &self->settings);
    return 1;
}

static int solver_index(lua_State *L)
{
    pc_bound_solver *self = check_solver(L, 1);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(self->method->schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(self->method->schema, key, &err);
        return pc_raise(L, &err);
    }
    pc_row_push(L, &self->method->schema->rows[row], &self->settings);
    return 1;
}

static void solver_describe(lua_State *L, void *self)
{
    pc_bound_solver *solver = self;
    pc_schema_push_text(L, solver->method->schema, &solver->settings);
}

static void push_name(lua_State *L, void *self)
{
    lua_pushstring(L, strchr(((pc_bound_solver *)self)->method->schema->name, '.') + 1);
}

static void push_order(lua_State *L, void *self)
{
    lua_pushinteger(L, ((pc_bound_solver *)self)->method->order);
}

static void push_dense_order(lua_State *L, void *self)
{
    lua_pushinteger(L, ((pc_bound_solver *)self)->method->dense_order);
}

static void push_stiff(lua_State *L, void *self)
{
    lua_pushboolean(L, ((pc_bound_solver *)self)->method->stiff);
}

static void push_adaptive(lua_State *L, void *self)
{
    lua_pushboolean(L, ((pc_bound_solver *)self)->method->error_order > 0);
}

static const pc_property properties[] = {
    {"name", push_name, NULL, "name of the method"},
    {"order", push_order, "", "order of a step"},
    {"dense_order", push_dense_order, "", "order of the polynomial between the ends of a step"},
    {"stiff", push_stiff, NULL, "whether it is made for stiff systems"},
    {"adaptive", push_adaptive, NULL, "whether it chooses its own steps"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", solver_index}, {NULL, NULL}};

const pc_type pc_type_solver = {
    .name = "percuss.solver",
    .summary = "A method for differential equations with its settings; each setting is a field.",
    .properties = properties,
    .metamethods = metamethods,
    .describe = solver_describe,
};

void pc_open_solver(lua_State *L)
{
    pc_type_open(L, &pc_type_solver);
    lua_newtable(L);
    for (int i = 0; i < pc_n_ode_methods; i++)
        pc_constructor_open(L, pc_ode_methods[i]->schema, solver_new, pc_ode_methods[i]);
    pc_module_strict(L, "solver");
    lua_setfield(L, -2, "solver");
}

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

static const pc_property system_properties[] = {
    {"n", push_n, "", "number of components of its state"},
    {"names", push_names, NULL, "their names, a list"},
    {"start", push_start, NULL, "the customary state at the start, a list"},
    {0},
};

static const luaL_Reg system_metamethods[] = {{"__index", system_index}, {NULL, NULL}};

const pc_type pc_type_system = {
    .name = "percuss.system",
    .summary = "A built-in right-hand side for ode.solve, with its parameters as fields.",
    .properties = system_properties,
    .metamethods = system_metamethods,
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
