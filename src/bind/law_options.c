/* Options of laws that stand for several parameters at once: see law_options.h. */
#include "bind/argument.h"
#include "bind/law_options.h"

#include "bind/bind_body.h"

#include <math.h>

/* Set what a body or a material gives in the copy on top of the stack, unless the caller gave it by word or symbol. */
static void offer(lua_State *L, const pc_schema *schema, pc_role role, double value)
{
    int row = pc_schema_find_role(schema, role);
    if (row < 0 || isnan(value)) return;
    const char *names[] = {schema->rows[row].name, schema->rows[row].symbol};
    for (int i = 0; i < 2 && names[i]; i++) {
        int type = lua_getfield(L, -1, names[i]);
        lua_pop(L, 1);
        if (type != LUA_TNIL) return;
    }
    lua_pushnumber(L, value);
    lua_setfield(L, -2, names[0]);
}

static void offer_material(lua_State *L, const pc_schema *schema, const pc_material *m, bool counter)
{
    if (isnan(m->young) || isnan(m->poisson))
        pc_refuse(L, "%s: material '%s' has no young and poisson", schema->name, m->name);
    offer(L, schema, counter ? PC_COUNTER_YOUNG : PC_YOUNG, m->young);
    offer(L, schema, counter ? PC_COUNTER_POISSON : PC_POISSON, m->poisson);
}

/* Take an option out of the copy on top of the stack: its value above the copy, or nothing and false. */
static bool take(lua_State *L, const char *name)
{
    if (lua_getfield(L, -1, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    lua_pushnil(L);
    lua_setfield(L, -3, name);
    return true;
}

void pc_law_spell_options(lua_State *L, int index, const pc_schema *schema)
{
    if (!lua_istable(L, index) || pc_schema_find_role(schema, PC_YOUNG) < 0) return;
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    if (take(L, "body")) {
        const pc_body *body = pc_argument_part(L, -1, &pc_type_body, "body");
        lua_insert(L, -2); /* keep the body alive below the copy */
        offer_material(L, schema, &body->material, false);
        if (body->curvature > 0) offer(L, schema, PC_RADIUS, 1 / body->curvature);
        lua_remove(L, -2);
    }
    if (take(L, "material")) {
        const pc_material *m = pc_argument_part(L, -1, &pc_type_material, "material");
        lua_insert(L, -2);
        offer_material(L, schema, m, false);
        lua_remove(L, -2);
    }
    if (take(L, "counter_material")) {
        const pc_material *m = pc_argument_part(L, -1, &pc_type_material, "counter_material");
        lua_insert(L, -2);
        offer_material(L, schema, m, true);
        lua_remove(L, -2);
    }
    lua_replace(L, index);
}
