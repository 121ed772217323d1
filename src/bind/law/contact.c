/* The module percuss.contact: a constructor for every law in the list, and laws as userdata whose parameters are
 * fields. Everything about a law comes from its descriptor; this file knows none by name. */
#include "bind/core/argument.h"
#include "bind/core/register.h"
#include "bind/law/body.h"
#include "bind/law/contact.h"
#include "bind/law/scripted_law.h"
#include "engine/collide.h"
#include "math/roots.h"

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

static pc_bound_law *check_law(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_law);
}

/* contact.<name>{ parameters } */
static int law_new(lua_State *L)
{
    const pc_law *law = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_bound_law *self = pc_type_new(L, &pc_type_law, sizeof *self + law->schema->size, 1);
    self->law = law;
    pc_law_spell_options(L, 1, law->schema);
    self->given = pc_options_read(L, 1, law->schema, self->params);
    return 1;
}

pc_bound_law *pc_law_push_like(lua_State *L, int index)
{
    const pc_bound_law *from = check_law(L, index);
    index = lua_absindex(L, index);
    pc_bound_law *self = pc_type_new(L, &pc_type_law, sizeof *self + from->law->schema->size, 1);
    self->law = from->law;
    lua_getiuservalue(L, index, 1); /* a kind in Lua */
    lua_setiuservalue(L, -2, 1);
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

static double check_speed(lua_State *L, int index)
{
    double speed = pc_argument_number(L, index);
    pc_argument_check(L, speed > 0 && isfinite(speed), index, "must be a positive number of m/s");
    return speed;
}

/* restitution(law, body, speed) -> achieved, asked */
static int restitution(lua_State *L)
{
    const pc_bound_law *law = pc_type_check(L, 1, &pc_type_law);
    const pc_body *body = pc_type_check(L, 2, &pc_type_body);
    double speed = check_speed(L, 3);
    pc_error err = {0};
    double e = pc_law_restitution(law->law, law->params, body->W.nn, speed, &err);
    if (err.code) return pc_raise(L, &err);
    lua_pushnumber(L, e);
    int row = pc_schema_find_role(law->law->schema, PC_RESTITUTION);
    if (row >= 0)
        pc_row_push(L, &law->law->schema->rows[row], law->params);
    else
        lua_pushnil(L);
    return 2;
}

/* A law with one parameter free. */
typedef struct trial {
    const pc_law *law;
    const void *params; /* as given */
    void *changed;      /* working copy */
    uint64_t given;
    int row;
    double w_nn, speed, wanted;
    bool logarithmic;
    pc_error err;
} trial;

/* Set the row in place of what was given, and let the schema derive the rest. */
static pc_status set_parameter(trial *t, double value)
{
    const pc_schema *schema = t->law->schema;
    uint64_t given = pc_schema_without(schema, t->given, t->row);
    pc_schema_copy(schema, t->params, given, t->changed);
    pc_status status = pc_schema_set_number(schema, t->row, t->changed, value, &given, &t->err);
    if (!status) status = pc_schema_finish(schema, t->changed, given, &t->err);
    return status;
}

static double miss(double x, void *context)
{
    trial *t = context;
    if (set_parameter(t, t->logarithmic ? exp(x) : x)) return NAN;
    return pc_law_restitution(t->law, t->changed, t->w_nn, t->speed, &t->err) - t->wanted;
}

/* calibrate(law, parameter, body, speed, e, [lo, hi]) -> law, achieved */
static int calibrate(lua_State *L)
{
    const pc_bound_law *law = pc_type_check(L, 1, &pc_type_law);
    const char *name = pc_argument_string(L, 2);
    const pc_body *body = pc_type_check(L, 3, &pc_type_body);
    double speed = check_speed(L, 4), e = pc_argument_number(L, 5);
    pc_argument_check(L, e >= 0 && e <= 1, 5, "must be from 0 to 1");
    const pc_schema *schema = law->law->schema;
    trial t = {
        .law = law->law, .params = law->params, .given = law->given, .w_nn = body->W.nn, .speed = speed, .wanted = e};
    t.row = pc_schema_find(schema, name);
    if (t.row < 0) {
        pc_schema_unknown(schema, name, &t.err);
        return pc_raise(L, &t.err);
    }
    const pc_row *row = &schema->rows[t.row];
    pc_argument_check(L, row->kind == PC_REAL, 2, "must be the name of a number");
    double lo = pc_argument_number_or(L, 6, row->sample.lo), hi = pc_argument_number_or(L, 7, row->sample.hi);
    if (!(lo < hi)) return pc_refuse(L, "calibrate: give the range in which to look for %s, lo < hi", name);
    t.logarithmic = lo > 0 && hi / lo > 10;
    lua_settop(L, 3);

    pc_bound_law *out = pc_law_push_like(L, 1);
    t.changed = out->params;
    double a = t.logarithmic ? log(lo) : lo, b = t.logarithmic ? log(hi) : hi;
    double fa = miss(a, &t), fb = isnan(fa) ? NAN : miss(b, &t);
    if (isnan(fa) || isnan(fb)) return pc_raise(L, &t.err);
    if ((fa > 0) == (fb > 0) && fa != 0 && fb != 0)
        return pc_refuse(L, "calibrate: %s from %f to %f gives restitutions from %f to %f at %f m/s, and not %f", name,
                         lo, hi, fa + e, fb + e, speed, e);
    double x = pc_root_between(miss, &t, a, fa, b, fb, 0);
    double left = isnan(x) ? NAN : miss(x, &t);
    if (isnan(left)) return pc_raise(L, &t.err);
    out->given = pc_schema_without(schema, law->given, t.row) | UINT64_C(1) << t.row;
    lua_pushnumber(L, e + left);
    return 2;
}

#define EXAMPLE                                                                                                        \
    "local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }\n"                                                 \
    "local law = percuss.contact.lankarani_nikravesh{ stiffness = 1e9, restitution = 0.5, friction = 0 }\n"

static const pc_row restitution_params[] = {
    {.name = "law", .kind = PC_OBJECT, .object = "law", .initial = PC_REQUIRED, .doc = "the contact law"},
    {.name = "body",
     .kind = PC_OBJECT,
     .object = "body",
     .initial = PC_REQUIRED,
     .doc = "the body, which gives the normal mass 1/w_nn"},
    {.name = "speed", .kind = PC_REAL, .unit = PC_UNIT_M_PER_S, .initial = PC_REQUIRED, .doc = "of approach"},
    {0},
};
static const pc_row calibrate_params[] = {
    {.name = "law",
     .kind = PC_OBJECT,
     .object = "law",
     .initial = PC_REQUIRED,
     .doc = "the law to begin with; it stays as it is"},
    {.name = "parameter", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "word or symbol of the parameter to find"},
    {.name = "body",
     .kind = PC_OBJECT,
     .object = "body",
     .initial = PC_REQUIRED,
     .doc = "the body, which gives the normal mass 1/w_nn"},
    {.name = "speed", .kind = PC_REAL, .unit = PC_UNIT_M_PER_S, .initial = PC_REQUIRED, .doc = "of approach"},
    {.name = "e", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "wanted kinematic restitution"},
    {.name = "lo",
     .kind = PC_REAL,
     .written = "unit of the parameter",
     .initial = PC_ABSENT,
     .otherwise = "the least value of typical ones",
     .doc = "range in which to look"},
    {.name = "hi",
     .kind = PC_REAL,
     .written = "unit of the parameter",
     .initial = PC_ABSENT,
     .otherwise = "the greatest value of typical ones",
     .doc = "range in which to look"},
    {0},
};

static const pc_function functions[] = {
    {"restitution", restitution,
     "The kinematic restitution that a law achieves in a central impact, and the one that it was asked for.",
     restitution_params,
     "number, number: achieved and asked for (-); nil for the second where the law was not given one", NULL,
     EXAMPLE "local achieved, asked = percuss.restitution(law, ball, 1)\n"
             "print(string.format('%.3f', achieved), asked) --> 0.725\t0.5"},
    {"calibrate", calibrate,
     "Find the value of a parameter with which a law achieves a wanted restitution in a central impact.",
     calibrate_params, "law, number (the restitution achieved)", NULL,
     EXAMPLE "local better, achieved = percuss.calibrate(law, 'restitution', ball, 1, 0.7, 0, 1)\n"
             "print(string.format('%.9f', achieved), better.restitution < 0.7) --> 0.700000000\ttrue"},
    {0},
};

void pc_open_restitution(lua_State *L)
{
    pc_functions_open(L, "", functions);
}
