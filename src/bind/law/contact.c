/* The module percuss.contact: a constructor for every law in the list, and laws as userdata whose parameters are
 * fields. Everything about a law comes from its descriptor; this file knows none by name. */
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "bind/law/restitution.h"

#include <math.h>
#include <string.h>

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
    pc_restitution_spell(L, index, schema);
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
        const pc_body *two[2];
        bool pair = pc_pair_bodies(L, lua_gettop(L), two) && !pc_material_same(&two[0]->material, &two[1]->material) &&
                    pc_schema_find_role(schema, PC_COUNTER_YOUNG) >= 0;
        lua_insert(L, -2); /* keep the body alive below the copy */
        offer_material(L, schema, pair ? &two[0]->material : &body->material, false);
        if (pair) offer_material(L, schema, &two[1]->material, true);
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

static pc_bound_law *check_law(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_law);
}

pc_bound_law *pc_law_push(lua_State *L, const pc_law *law)
{
    pc_bound_law *self = pc_type_new(L, &pc_type_law, sizeof *self + law->schema->size, PC_LAW_USERVALUES);
    self->law = law;
    return self;
}

/* contact.<name>{ parameters } */
static int law_new(lua_State *L)
{
    const pc_law *law = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_bound_law *self = pc_law_push(L, law);
    pc_law_spell_options(L, 1, law->schema);
    self->given = pc_options_read(L, 1, law->schema, self->params);
    pc_restitution_keep(L, 1, 2, law->schema);
    return 1;
}

pc_bound_law *pc_law_push_like(lua_State *L, int index)
{
    const pc_bound_law *from = check_law(L, index);
    index = lua_absindex(L, index);
    pc_bound_law *self = pc_law_push(L, from->law);
    for (int i = 1; i <= PC_LAW_USERVALUES; i++) {
        lua_getiuservalue(L, index, i);
        lua_setiuservalue(L, -2, i);
    }
    return self;
}

/* law:with{ parameters } */
static int law_with(lua_State *L)
{
    const pc_bound_law *from = check_law(L, 1);
    lua_settop(L, 2);
    pc_law_spell_options(L, 2, from->law->schema);
    pc_bound_law *self = pc_law_push_like(L, 1);
    self->given = pc_options_change(L, 2, from->law->schema, from->params, from->given, self->params);
    pc_restitution_keep(L, 2, 3, from->law->schema);
    return 1;
}

/* Fields: the parameters by word or symbol. */
static int law_index(lua_State *L)
{
    pc_bound_law *self = check_law(L, 1);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(self->law->schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(self->law->schema, key, &err);
        return pc_raise(L, &err);
    }
    if (pc_row_curve(&self->law->schema->rows[row], self->params))
        lua_getiuservalue(L, 1, PC_LAW_RESTITUTION);
    else
        pc_row_push(L, &self->law->schema->rows[row], self->params);
    return 1;
}

static int law_equal(lua_State *L)
{
    pc_bound_law *a = pc_type_test(L, 1, &pc_type_law), *b = pc_type_test(L, 2, &pc_type_law);
    bool same = a && b && a->law == b->law;
    for (int i = 0; same && i < a->law->schema->n_rows; i++) {
        const pc_row *row = &a->law->schema->rows[i];
        double x = pc_row_number(row, a->params), y = pc_row_number(row, b->params);
        same = (x == y || (x != x && y != y)) && pc_row_curve(row, a->params) == pc_row_curve(row, b->params);
    }
    lua_pushboolean(L, same);
    return 1;
}

static void law_describe(lua_State *L, void *self)
{
    pc_bound_law *law = self;
    pc_schema_push_text(L, law->law->schema, law->params);
}

static void push_name(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_law *)self)->law->schema->name + sizeof "contact." - 1);
}

/* abilities: a set of words, { planar = true, ... } */
static void push_abilities(lua_State *L, void *self)
{
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = {
        {PC_LAW_PLANAR, "planar"},
        {PC_LAW_SPATIAL, "spatial"},
        {PC_LAW_COMPLIANT, "compliant"},
        {PC_LAW_CLOSED_FORM, "closed_form"},
        {PC_LAW_CONSERVATIVE, "conservative"},
        {PC_LAW_MAY_GAIN, "may_gain"},
        {PC_LAW_ADHESIVE, "adhesive"},
        {PC_LAW_SCRIPT, "script"},
    };
    unsigned abilities = ((pc_bound_law *)self)->law->abilities;
    lua_createtable(L, 0, sizeof words / sizeof *words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(abilities & words[i].bit)) continue;
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, words[i].word);
    }
}

/* What its functions are; nil of laws that have none. */
static void push_identity(lua_State *L, void *self)
{
    pc_scripted_push_identity(L, ((pc_bound_law *)self)->law);
}

static const pc_property properties[] = {
    {"name", push_name, NULL, "name of the law"},
    {"abilities", push_abilities, NULL,
     "set of words: planar, spatial, compliant, closed_form, conservative, may_gain, adhesive, "
     "script"},
    {"identity", push_identity, NULL,
     "of a law from contact.define: text that changes when its functions do; else nil"},
    {0},
};

static const pc_row with_params[] = {{.name = "changes",
                                      .kind = PC_TABLE,
                                      .initial = PC_REQUIRED,
                                      .doc = "parameters by word or symbol, in place of this law's"},
                                     {0}};

static const pc_function methods[] = {
    {"with", law_with, "A law like this one with other parameters.", with_params, "law", NULL,
     "local law = percuss.contact.newton{ restitution = 0.8, friction = 0.3 }\n"
     "print(law:with{ friction = 0.2 }) --> contact.newton{ restitution = 0.8, friction = 0.2, static_friction = 0.2 "
     "}"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", law_index}, {"__eq", law_equal}, {NULL, NULL}};

const pc_type pc_type_law = {
    .name = "percuss.law",
    .summary = "A contact law with its parameters; each parameter is a field, by its word or its symbol.",
    .properties = properties,
    .methods = methods,
    .metamethods = metamethods,
    .describe = law_describe,
};

void pc_open_contact(lua_State *L)
{
    pc_type_open(L, &pc_type_law);
    lua_newtable(L);
    for (int i = 0; i < pc_n_laws; i++) pc_constructor_open(L, pc_laws[i]->schema, law_new, pc_laws[i]);
    pc_module_strict(L, "contact");
    lua_setfield(L, -2, "contact");
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, pc_scripted_open);
    lua_setfield(L, -2, "percuss.law_core");
    lua_pop(L, 1);
}
