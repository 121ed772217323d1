/* Restitution: what tells it by the speed of approach, and what a law achieves.
 *
 * A kind that tells it (law/rigid/restitution.c) or a function of a script is a userdata that begins as the coefficient
 * which laws copy, and whoever has such a law keeps it alive. A function runs in a coroutine of its own, which is never
 * resumed: so it can be called wherever an impact is made, and cannot yield.
 */
#include "bind/law/restitution.h"

#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "engine/collide.h"
#include "law/rigid/rigid.h"
#include "math/roots.h"

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

/* User values: the function, its coroutine; what keeps `text`. */
enum { GIVEN = 1, COROUTINE, TEXT, USERVALUES = TEXT };

/* Stack of the coroutine. */
enum { FUNCTION = 1 };

typedef struct bound_restitution {
    pc_coefficient coefficient; /* first: rows copy it */
    pc_curve curve;
    const pc_restitution_kind *kind;        /* NULL: a function */
    uint64_t given;                         /* which rows of the kind the caller set */
    pc_callback call;                       /* of a function, in its coroutine */
    alignas(double) unsigned char params[]; /* of a kind; Lua aligns what it allocates as a double */
} bound_restitution;

static const bound_restitution *of_curve(const pc_curve *curve)
{
    return (const void *)((const char *)curve - offsetof(bound_restitution, curve));
}

static pc_status kind_at(const pc_curve *curve, double speed, double *e, pc_error *err)
{
    const bound_restitution *self = of_curve(curve);
    (void)err;
    *e = self->kind->at(self->params, speed);
    return PC_OK;
}

/* What a function returned, where it is no restitution. */
static pc_status refuse_result(lua_State *L, double speed, pc_error *err)
{
    char what[96], text[192];
    if (lua_type(L, -1) != LUA_TNUMBER)
        snprintf(what, sizeof what, "must return a number, not %s,", luaL_typename(L, -1));
    else
        snprintf(what, sizeof what, "returned %.10g, which is not from 0 to 1,", lua_tonumber(L, -1));
    snprintf(text, sizeof text, "restitution: the function %s at a speed of approach of %.10g m/s", what, speed);
    lua_pushstring(L, text);
    pc_failure_keep(L, -1, PC_FAILURE_TOLD);
    lua_pop(L, 2);
    return pc_fail(err, PC_E_CALLBACK, "%s", text);
}

/* The value of the function as it was before a failure. */
static void reset(bound_restitution *self)
{
    lua_settop(self->call.L, FUNCTION);
    pc_callback_open(self->call.L, FUNCTION, "restitution", &self->call);
}

static pc_status function_at(const pc_curve *curve, double speed, double *e, pc_error *err)
{
    bound_restitution *self = (bound_restitution *)(uintptr_t)of_curve(curve); /* its coroutine is scratch */
    lua_State *L = self->call.L;
    *e = NAN;
    if (self->call.failed) reset(self);
    pc_failure_clear(L);
    lua_pushnumber(L, speed);
    lua_State *before = pc_interrupt_enter(L);
    pc_status status = pc_callback_call(&self->call, 1, 1, err);
    pc_interrupt_enter(before);
    if (status) {
        if (self->call.failed) pc_failure_keep(L, self->call.error, PC_FAILURE_THROWN);
        return status;
    }
    double x = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!(x >= 0 && x <= 1)) return refuse_result(L, speed, err);
    lua_pop(L, 1);
    *e = x;
    return PC_OK;
}

static bound_restitution *push_new(lua_State *L, size_t size)
{
    bound_restitution *self = pc_type_new(L, &pc_type_restitution, sizeof *self + size, USERVALUES);
    self->coefficient = (pc_coefficient){NAN, &self->curve};
    return self;
}

/* Its text, on top of the stack. */
static void keep_text(lua_State *L, int object, bound_restitution *self)
{
    self->curve.text = lua_tostring(L, -1);
    lua_setiuservalue(L, object, TEXT);
}

/* Push a restitution by the function at `index`. */
static void push_function(lua_State *L, int index)
{
    luaL_checkstack(L, 8, NULL);
    bound_restitution *self = push_new(L, 0);
    int object = lua_gettop(L);
    self->curve.at = function_at;
    lua_pushvalue(L, index);
    lua_setiuservalue(L, object, GIVEN);
    lua_State *own = lua_newthread(L);
    lua_setiuservalue(L, object, COROUTINE);
    if (!lua_checkstack(own, LUA_MINSTACK + FUNCTION)) pc_refuse(L, "restitution: not enough memory");
    lua_pushvalue(L, index);
    lua_xmove(L, own, FUNCTION);
    self->call.L = own;
    reset(self);
    lua_pushliteral(L, "function");
    keep_text(L, object, self);
}

/* The lists of a table, behind its parameters, with their slopes. */
static void fit_table(lua_State *L, const pc_schema *schema, bound_restitution *self, const double *speeds,
                      const double *values, size_t n)
{
    pc_restitution_table *table = (void *)self->params;
    double *lists = (double *)(void *)(self->params + schema->size);
    memcpy(lists, speeds, n * sizeof *lists);
    memcpy(lists + n, values, n * sizeof *lists);
    *table = (pc_restitution_table){n, lists, lists + n, lists + 2 * n};
    pc_error err = {0};
    if (pc_restitution_table_fit(table, lists + 2 * n, &err)) pc_raise(L, &err);
}

static bool has_lists(const pc_schema *schema)
{
    return schema->rows[0].kind == PC_NUMBERS;
}

/* restitution.<kind>{ parameters } */
static int restitution_new(lua_State *L)
{
    const pc_restitution_kind *kind = lua_touserdata(L, lua_upvalueindex(1));
    const pc_schema *schema = kind->schema;
    const double *speeds = NULL, *values = NULL;
    size_t n = 0, m = 0;
    lua_settop(L, 1);
    pc_argument_type(L, 1, LUA_TTABLE);
    if (has_lists(schema)) {
        pc_restitution_table unused;
        lua_pushvalue(L, 1);
        pc_options_take(L, 2, schema, &unused);
        speeds = pc_option_numbers(L, 2, schema, "speeds", &n);
        values = pc_option_numbers(L, 2, schema, "values", &m);
        if (n != m) return pc_refuse(L, "%s: %d speeds and %d values; give as many", schema->name, (int)n, (int)m);
    }
    bound_restitution *self = push_new(L, schema->size + 3 * n * sizeof(double));
    int object = lua_gettop(L);
    self->kind = kind;
    self->curve.at = kind_at;
    if (n > 0)
        fit_table(L, schema, self, speeds, values, n);
    else
        self->given = pc_options_read(L, 1, schema, self->params);
    if (has_lists(schema))
        lua_pushfstring(L, "%s{ speeds = array[%d], values = array[%d] }", schema->name, (int)n, (int)n);
    else
        pc_schema_push_text(L, schema, self->params);
    keep_text(L, object, self);
    lua_settop(L, object);
    return 1;
}

/* restitution(speed), of a number or an array. */
static int restitution_call(lua_State *L)
{
    const bound_restitution *self = pc_type_check(L, 1, &pc_type_restitution);
    const pc_array *speeds = pc_array_test(L, 2);
    if (!speeds && lua_type(L, 2) != LUA_TNUMBER)
        return pc_refuse(L, "restitution: a speed is a number or an array, not %s", luaL_typename(L, 2));
    size_t n = speeds ? speeds->n : 1;
    pc_array *out = speeds ? pc_array_push_unset(L, n) : NULL;
    for (size_t i = 0; i < n; i++) {
        double e, speed = speeds ? speeds->v[i] : lua_tonumber(L, 2);
        pc_error err = {0};
        if (!(speed >= 0) || isinf(speed))
            return pc_refuse(L, "restitution: speed = %f m/s is not allowed; it must be >= 0 m/s", speed);
        if (self->curve.at(&self->curve, speed, &e, &err)) return pc_raise(L, &err);
        if (out)
            out->v[i] = e;
        else
            lua_pushnumber(L, e);
    }
    return 1;
}

/* Fields: the parameters by word. */
static int restitution_index(lua_State *L)
{
    const bound_restitution *self = pc_type_check(L, 1, &pc_type_restitution);
    const char *key = luaL_checkstring(L, 2);
    if (!self->kind) return pc_refuse(L, "a restitution by a function has no field '%s'; call it with a speed", key);
    const pc_schema *schema = self->kind->schema;
    int row = pc_schema_find(schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(schema, key, &err);
        return pc_raise(L, &err);
    }
    if (!has_lists(schema)) {
        pc_row_push(L, &schema->rows[row], self->params);
        return 1;
    }
    const pc_restitution_table *table = (const void *)self->params;
    pc_array *list = pc_array_push_unset(L, table->n);
    memcpy(list->v, row == 0 ? table->speed : table->value, table->n * sizeof *list->v);
    return 1;
}

static void restitution_describe(lua_State *L, void *self)
{
    const bound_restitution *r = self;
    if (r->kind)
        lua_pushstring(L, r->curve.text);
    else
        lua_pushliteral(L, "restitution by a function of the speed of approach");
}

/* What a function is, as text; nil of a kind. */
static void push_identity(lua_State *L, void *self)
{
    if (((const bound_restitution *)self)->kind) {
        lua_pushnil(L);
        return;
    }
    luaL_checkstack(L, 6, NULL);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.identity");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "digest");
    lua_getiuservalue(L, 1, GIVEN);
    lua_call(L, 1, 1);
    lua_remove(L, -2);
}

static const pc_property properties[] = {
    {"identity", push_identity, NULL, "of a function: text that changes when it does; else nil"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", restitution_index}, {"__call", restitution_call}, {NULL, NULL}};

const pc_type pc_type_restitution = {
    .name = "percuss.restitution",
    .summary =
        "Restitution by the speed of approach; called with a speed, or an array of them, it gives the coefficient. "
        "Each parameter is a field.",
    .properties = properties,
    .metamethods = metamethods,
    .describe = restitution_describe,
};

/* ---- in laws ---- */

static const pc_row *row_of(const pc_schema *schema)
{
    int row = pc_schema_find_role(schema, PC_RESTITUTION);
    return row >= 0 && schema->rows[row].count > 0 ? &schema->rows[row] : NULL;
}

/* Push what the table at `index` says of a row, by word or symbol; its type. */
static int push_option(lua_State *L, int index, const pc_row *row)
{
    int type = lua_getfield(L, index, row->name);
    if (type != LUA_TNIL || !row->symbol) return type;
    lua_pop(L, 1);
    return lua_getfield(L, index, row->symbol);
}

void pc_restitution_spell(lua_State *L, int index, const pc_schema *schema)
{
    const pc_row *row = row_of(schema);
    if (!row || !lua_istable(L, index)) return;
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    int function = lua_gettop(L) + 1;
    if (push_option(L, index, row) == LUA_TFUNCTION) {
        lua_newtable(L);
        for (lua_pushnil(L); lua_next(L, index);) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            if (lua_rawequal(L, -1, function)) {
                push_function(L, function);
                lua_replace(L, -2);
            }
            lua_rawset(L, function + 1);
        }
        lua_replace(L, index);
    }
    lua_settop(L, function - 1);
}

void pc_restitution_keep(lua_State *L, int index, int law, const pc_schema *schema)
{
    const pc_row *row = row_of(schema);
    if (!row) return;
    law = lua_absindex(L, law);
    if (push_option(L, lua_absindex(L, index), row) != LUA_TNIL) {
        if (lua_type(L, -1) == LUA_TNUMBER) {
            lua_pop(L, 1);
            lua_pushnil(L);
        }
        lua_setiuservalue(L, law, PC_LAW_RESTITUTION);
        return;
    }
    lua_pop(L, 1);
}

/* Push the speeds or the values of a table as a plain list. */
static void push_list(lua_State *L, const pc_restitution_table *table, int row)
{
    const double *list = row == 0 ? table->speed : table->value;
    lua_createtable(L, (int)table->n, 0);
    for (size_t i = 0; i < table->n; i++) {
        lua_pushnumber(L, list[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

bool pc_restitution_push_recipe(lua_State *L, int index, const char **name)
{
    const bound_restitution *self = pc_type_check(L, index, &pc_type_restitution);
    if (!self->kind) return false;
    const pc_schema *schema = self->kind->schema;
    *name = schema->name;
    lua_createtable(L, 0, schema->n_rows);
    for (int i = 0; i < schema->n_rows; i++) {
        if (has_lists(schema))
            push_list(L, (const void *)self->params, i);
        else if (self->given >> i & 1)
            pc_row_push(L, &schema->rows[i], self->params);
        else
            continue;
        lua_setfield(L, -2, schema->rows[i].name);
    }
    return true;
}

void pc_restitution_push_asked(lua_State *L, const pc_bound_law *law, double speed)
{
    int row = pc_schema_find_role(law->law->schema, PC_RESTITUTION);
    const pc_curve *curve = row < 0 ? NULL : pc_row_curve(&law->law->schema->rows[row], law->params);
    pc_error err = {0};
    double e;
    if (row < 0)
        lua_pushnil(L);
    else if (!curve)
        pc_row_push(L, &law->law->schema->rows[row], law->params);
    else if (curve->at(curve, speed, &e, &err))
        pc_raise(L, &err);
    else
        lua_pushnumber(L, e);
}

/* ---- what a law achieves ---- */

static double check_speed(lua_State *L, int index)
{
    double speed = pc_argument_number(L, index);
    pc_argument_check(L, speed > 0 && isfinite(speed), index, "must be a positive number of m/s");
    return speed;
}

/* restitution(law, body, speed) -> achieved, asked */
static int restitution(lua_State *L)
{
    lua_remove(L, 1); /* the table that is called */
    const pc_bound_law *law = pc_type_check(L, 1, &pc_type_law);
    const pc_body *body = pc_type_check(L, 2, &pc_type_body);
    double speed = check_speed(L, 3);
    pc_error err = {0};
    double e = NAN;
    if (pc_body_require_rigid(body, "restitution", &err) == PC_OK)
        e = pc_law_restitution(law->law, law->params, body->W.nn, speed, &err);
    if (err.code) return pc_raise(L, &err);
    lua_pushnumber(L, e);
    pc_restitution_push_asked(L, law, speed);
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
    if (pc_body_require_rigid(body, "calibrate", &t.err)) return pc_raise(L, &t.err);
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

static const pc_function achieved = {
    "restitution",
    restitution,
    "The kinematic restitution that a law achieves in a central impact, and the one that it was asked for.",
    restitution_params,
    "number, number: achieved and asked for (-); nil for the second where the law was not given one",
    NULL,
    EXAMPLE "local achieved, asked = percuss.restitution(law, ball, 1)\n"
            "print(string.format('%.3f', achieved), asked) --> 0.725\t0.5"};

static const pc_function functions[] = {
    {"calibrate", calibrate,
     "Find the value of a parameter with which a law achieves a wanted restitution in a central impact.",
     calibrate_params, "law, number (the restitution achieved)", NULL,
     EXAMPLE "local better, achieved = percuss.calibrate(law, 'restitution', ball, 1, 0.7, 0, 1)\n"
             "print(string.format('%.9f', achieved), better.restitution < 0.7) --> 0.700000000\ttrue"},
    {0},
};

void pc_open_restitution(lua_State *L)
{
    pc_type_open(L, &pc_type_restitution);
    lua_newtable(L);
    for (int i = 0; i < pc_n_restitution_kinds; i++)
        pc_constructor_open(L, pc_restitution_kinds[i].schema, restitution_new, &pc_restitution_kinds[i]);
    pc_register_callable(L, "", &achieved);
    pc_module_strict(L, "restitution");
    lua_setfield(L, -2, "restitution");
    pc_functions_open(L, "", functions);
}
