/* The module percuss.contact: a constructor for every law in the list, and laws as userdata whose parameters are
 * fields. Everything about a law comes from its descriptor; this file knows none by name. */
#include "bind/bind_contact.h"

#include "bind/law_options.h"
#include "bind/register.h"

static pc_bound_law *check_law(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_law);
}

/* contact.<name>{ parameters } */
static int law_new(lua_State *L)
{
    const pc_law *law = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_bound_law *self = pc_type_new(L, &pc_type_law, sizeof *self + law->schema->size, 0);
    self->law = law;
    pc_law_spell_options(L, 1, law->schema);
    self->given = pc_options_read(L, 1, law->schema, self->params);
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
        same = x == y || (x != x && y != y);
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
        {PC_LAW_PLANAR, "planar"},           {PC_LAW_SPATIAL, "spatial"},           {PC_LAW_COMPLIANT, "compliant"},
        {PC_LAW_CLOSED_FORM, "closed_form"}, {PC_LAW_CONSERVATIVE, "conservative"}, {PC_LAW_MAY_GAIN, "may_gain"},
        {PC_LAW_ADHESIVE, "adhesive"},
    };
    unsigned abilities = ((pc_bound_law *)self)->law->abilities;
    lua_createtable(L, 0, sizeof words / sizeof *words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(abilities & words[i].bit)) continue;
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, words[i].word);
    }
}

static const pc_property properties[] = {
    {"name", push_name, NULL, "name of the law"},
    {"abilities", push_abilities, NULL,
     "set of words: planar, spatial, compliant, closed_form, conservative, may_gain, adhesive"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", law_index}, {"__eq", law_equal}, {NULL, NULL}};

const pc_type pc_type_law = {
    .name = "percuss.law",
    .summary = "A contact law with its parameters; each parameter is a field, by its word or its symbol.",
    .properties = properties,
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
}
