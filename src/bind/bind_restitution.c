/* What restitution a law gives, and which parameter gives a wanted one. */
#include "bind/argument.h"
#include "bind/bind_body.h"
#include "bind/bind_contact.h"
#include "engine/collide.h"
#include "math/roots.h"

#include <math.h>
#include <string.h>

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

static const pc_param restitution_params[] = {
    {"law", "law", NULL, NULL, "the contact law"},
    {"body", "body", NULL, NULL, "the body, which gives the normal mass 1/w_nn"},
    {"speed", "number", "m/s", NULL, "of approach"},
    {0},
};
static const pc_param calibrate_params[] = {
    {"law", "law", NULL, NULL, "the law to begin with; it stays as it is"},
    {"parameter", "string", NULL, NULL, "word or symbol of the parameter to find"},
    {"body", "body", NULL, NULL, "the body, which gives the normal mass 1/w_nn"},
    {"speed", "number", "m/s", NULL, "of approach"},
    {"e", "number", "", NULL, "wanted kinematic restitution"},
    {"lo", "number", "unit of the parameter", "the least value of typical ones", "range in which to look"},
    {"hi", "number", "unit of the parameter", "the greatest value of typical ones", "range in which to look"},
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
