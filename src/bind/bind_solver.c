/* The module percuss.solver: a constructor for every method in the list, solvers as userdata whose settings are
 * fields. This file knows no method by name. */
#include "bind/bind_solver.h"

#include "bind/register.h"

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
