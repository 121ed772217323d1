/* The module percuss.body: a constructor for every kind in the list, bodies as userdata whose parameters are fields,
 * and percuss.pair. Everything about a kind comes from its descriptor; this file knows none by name. */
#include "bind/core/bind.h"
#include "bind/law/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static pc_body *check_body(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_body);
}

static void *params_of(pc_body *body)
{
    return ((pc_bound_body *)body)->params; /* the body is its first member */
}

/* The body whose parameters are read. */
static int make_body(lua_State *L, pc_bound_body *self, const pc_body_kind *kind)
{
    pc_error err = {0};
    if (pc_body_make(kind, self->params, &self->body, &err)) {
        /* what build and finish refuse lacks the name of the kind */
        if (strncmp(err.text, "body.", 5) != 0) return pc_refuse(L, "%s: %s", kind->schema->name, err.text);
        return pc_raise(L, &err);
    }
    return 1;
}

/* body.<name>{ parameters } */
static int body_new(lua_State *L)
{
    const pc_body_kind *kind = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_bound_body *self = pc_type_new(L, &pc_type_body, sizeof *self + kind->schema->size, 0);
    self->given = pc_options_read(L, 1, kind->schema, self->params);
    return make_body(L, self, kind);
}

/* body:with{ parameters } */
static int body_with(lua_State *L)
{
    const pc_bound_body *from = pc_type_check(L, 1, &pc_type_body);
    const pc_body_kind *kind = from->body.kind;
    if (!kind) return pc_refuse(L, "a pair of bodies has no parameters; change one of the bodies, and make it again");
    lua_settop(L, 2);
    pc_bound_body *self = pc_type_new(L, &pc_type_body, sizeof *self + kind->schema->size, 0);
    self->given = pc_options_change(L, 2, kind->schema, from->params, from->given, self->params);
    return make_body(L, self, kind);
}

static int pair(lua_State *L)
{
    const pc_body *a = check_body(L, 1), *b = check_body(L, 2);
    pc_bound_body *self = pc_type_new(L, &pc_type_body, sizeof *self, PC_PAIR_USERVALUES);
    pc_error err = {0};
    if (pc_body_pair(a, b, &self->body, &err)) return pc_raise(L, &err);
    for (int i = PC_PAIR_A; i <= PC_PAIR_B; i++) {
        lua_pushvalue(L, i);
        lua_setiuservalue(L, -2, i);
    }
    return 1;
}

bool pc_pair_bodies(lua_State *L, int index, const pc_body *bodies[2])
{
    const pc_bound_body *self = pc_type_test(L, index, &pc_type_body);
    if (!self || self->body.kind) return false;
    for (int i = PC_PAIR_A; i <= PC_PAIR_B; i++) {
        lua_getiuservalue(L, index, i);
        const pc_bound_body *one = pc_type_test(L, -1, &pc_type_body);
        lua_pop(L, 1);
        if (!one) return false;
        bodies[i - PC_PAIR_A] = &one->body;
    }
    return true;
}

/* ---- fields ---- */

static void push_number_or_nil(lua_State *L, double x)
{
    if (isnan(x))
        lua_pushnil(L);
    else
        lua_pushnumber(L, x);
}

/* Nearest among all that can stand after the dot. */
static int refuse_field(lua_State *L, const pc_body *body, const char *key)
{
    const char *known[128];
    int n = 0;
    for (const pc_property *p = pc_type_body.properties; p->name; p++) known[n++] = p->name;
    for (const pc_function *f = pc_type_body.methods; f->name; f++) known[n++] = f->name;
    const pc_schema *schema = body->kind ? body->kind->schema : NULL;
    for (int i = 0; schema && i < schema->n_rows && n < 126; i++) {
        known[n++] = schema->rows[i].name;
        known[n++] = schema->rows[i].symbol;
    }
    known[n++] = "inertia";
    const char *name = schema ? schema->name : "a pair of bodies", *near = pc_nearest(key, known, n);
    luaL_where(L, 2); /* level 1 is the type's own __index */
    if (near)
        lua_pushfstring(L, "%s has no field '%s'; did you mean '%s'?", name, key, near);
    else
        lua_pushfstring(L, "%s has no field '%s'", name, key);
    lua_concat(L, 2);
    return lua_error(L);
}

/* About t2 through the mass centre, where the body moves freely; NaN elsewhere. */
static double inertia_of(const pc_body *body)
{
    return body->form == PC_BODY_FREE ? body->A[body->dof * body->dof - 1] : NAN;
}

/* The parameters by word or symbol; mass, inertia and curvature of bodies without such a parameter. */
static int body_index(lua_State *L)
{
    pc_body *self = check_body(L, 1);
    const char *key = luaL_checkstring(L, 2);
    int row = self->kind ? pc_schema_find(self->kind->schema, key) : -1;
    if (row >= 0)
        pc_row_push(L, &self->kind->schema->rows[row], params_of(self));
    else if (strcmp(key, "mass") == 0)
        push_number_or_nil(L, self->mass);
    else if (strcmp(key, "inertia") == 0)
        push_number_or_nil(L, inertia_of(self));
    else if (strcmp(key, "curvature") == 0)
        push_number_or_nil(L, self->curvature);
    else
        return refuse_field(L, self, key);
    return 1;
}

static void push_kind(lua_State *L, void *self)
{
    const pc_body *body = self;
    lua_pushstring(L, body->kind ? body->kind->schema->name + sizeof "body." - 1 : "pair");
}

/* W as rows of a square matrix. */
static int matrix_of(const pc_body *body, double W[3][3])
{
    const pc_mobility *w = &body->W;
    const double full[3][3] = {{w->tt, w->tn, w->tt2}, {w->tn, w->nn, w->t2n}, {w->tt2, w->t2n, w->t2t2}};
    memcpy(W, full, sizeof full);
    return body->spatial ? 3 : 2;
}

static void push_W(lua_State *L, void *self)
{
    double W[3][3];
    int n = matrix_of(self, W);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, n, 0);
        for (int j = 0; j < n; j++) {
            lua_pushnumber(L, W[i][j]);
            lua_rawseti(L, -2, j + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
}

#define PUSH_ELEMENT(element)                                                                                          \
    static void push_w_##element(lua_State *L, void *self)                                                             \
    {                                                                                                                  \
        lua_pushnumber(L, ((pc_body *)self)->W.element);                                                               \
    }
PUSH_ELEMENT(tt)
PUSH_ELEMENT(tn)
PUSH_ELEMENT(nn)
PUSH_ELEMENT(t2t2)
PUSH_ELEMENT(tt2)
PUSH_ELEMENT(t2n)

static void push_rank(lua_State *L, void *self)
{
    lua_pushinteger(L, ((pc_body *)self)->W.rank);
}

static void push_lai(lua_State *L, void *self)
{
    double mass, lambda, theta;
    pc_body_lai(self, &mass, &lambda, &theta);
    lua_createtable(L, 0, 3);
    lua_pushnumber(L, mass);
    lua_setfield(L, -2, "mass");
    lua_pushnumber(L, lambda);
    lua_setfield(L, -2, "lambda");
    lua_pushnumber(L, theta);
    lua_setfield(L, -2, "theta");
    pc_record_seal(L, "");
}

static void push_spatial(lua_State *L, void *self)
{
    lua_pushboolean(L, ((pc_body *)self)->spatial);
}

static void push_velocity_names(lua_State *L, void *self)
{
    const pc_body *body = self;
    lua_createtable(L, body->dof, 0);
    for (int i = 0; i < body->dof; i++) {
        lua_pushstring(L, body->names[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_material(lua_State *L, void *self)
{
    const pc_body *body = self;
    if (!body->material.name[0]) {
        lua_pushnil(L);
        return;
    }
    pc_material *material = pc_type_new(L, &pc_type_material, sizeof *material, 0);
    *material = body->material;
}

static const pc_property properties[] = {
    {"kind", push_kind, NULL, "name of the constructor, or \"pair\""},
    {"W", push_W, "1/kg", "inverse effective mass as a table of rows along t, n (and t2)"},
    {"w_tt", push_w_tt, "1/kg", "its element (t, t)"},
    {"w_tn", push_w_tn, "1/kg", "its element (t, n)"},
    {"w_nn", push_w_nn, "1/kg", "its element (n, n)"},
    {"w_t2t2", push_w_t2t2, "1/kg", "its element (t2, t2); 0 in the plane"},
    {"w_tt2", push_w_tt2, "1/kg", "its element (t, t2); 0 in the plane"},
    {"w_t2n", push_w_t2n, "1/kg", "its element (t2, n); 0 in the plane"},
    {"rank", push_rank, "", "rank of W: eigenvalues above 1e-12 times the largest"},
    {"lai", push_lai, NULL, "Lai's effective mass (kg), lambda and theta (rad): .mass, .lambda, .theta"},
    {"spatial", push_spatial, NULL, "true if the body moves in space, with the second tangent"},
    {"velocity_names", push_velocity_names, NULL,
     "names of the body's own velocities, a list; empty where it has none"},
    {"material", push_material, NULL, "material of the surface, or nil"},
    {0},
};

/* ---- methods ---- */

static int body_contact_velocity(lua_State *L)
{
    const pc_body *body = check_body(L, 1);
    double u[PC_BODY_DOF], v[3];
    pc_body_motion_read(L, 2, body, u, v);
    lua_createtable(L, 0, 3);
    lua_pushnumber(L, v[PC_T]);
    lua_setfield(L, -2, "vt");
    lua_pushnumber(L, v[PC_N]);
    lua_setfield(L, -2, "vn");
    if (body->spatial) {
        lua_pushnumber(L, v[PC_T2]);
        lua_setfield(L, -2, "vt2");
    }
    pc_record_seal(L, "vt2");
    return 1;
}

static int body_velocities(lua_State *L)
{
    const pc_body *body = check_body(L, 1);
    double u[PC_BODY_DOF], v[3];
    pc_body_motion_read(L, 2, body, u, v);
    pc_body_motion_push(L, body, u, v);
    return 1;
}

static double impulse_component(lua_State *L, int index, const char *name, bool needed)
{
    int type = lua_getfield(L, index, name);
    double p = lua_tonumber(L, -1);
    if (type != LUA_TNUMBER && (needed || type != LUA_TNIL))
        pc_refuse(L, "impulse: %s must be a number (N s), not %s", name, luaL_typename(L, -1));
    if (!isfinite(p)) pc_refuse(L, "impulse: %s = %f N s must be finite", name, p);
    lua_pop(L, 1);
    return p;
}

static int body_after(lua_State *L)
{
    const pc_body *body = check_body(L, 1);
    double u[PC_BODY_DOF], v[3], p[3] = {0};
    pc_body_motion_read(L, 2, body, u, v);
    pc_argument_type(L, 3, LUA_TTABLE);
    p[PC_T] = impulse_component(L, 3, "t", true);
    p[PC_N] = impulse_component(L, 3, "n", true);
    if (body->spatial) p[PC_T2] = impulse_component(L, 3, "t2", false);
    pc_body_after(body, u, p, u);
    const pc_mobility *W = &body->W;
    v[PC_T] += W->tt * p[PC_T] + W->tn * p[PC_N] + W->tt2 * p[PC_T2];
    v[PC_N] += W->tn * p[PC_T] + W->nn * p[PC_N] + W->t2n * p[PC_T2];
    v[PC_T2] += W->tt2 * p[PC_T] + W->t2n * p[PC_N] + W->t2t2 * p[PC_T2];
    pc_body_motion_push(L, body, u, v);
    return 1;
}

static int body_energy(lua_State *L)
{
    const pc_body *body = check_body(L, 1);
    double u[PC_BODY_DOF], v[3];
    pc_body_motion_read(L, 2, body, u, v);
    lua_pushnumber(L, body->dof > 0 ? pc_body_energy(body, u) : pc_mobility_energy(&body->W, v));
    return 1;
}

static int body_loss_max(lua_State *L)
{
    const pc_body *body = check_body(L, 1);
    double u[PC_BODY_DOF], v[3];
    pc_body_motion_read(L, 2, body, u, v);
    lua_pushnumber(L, pc_mobility_energy(&body->W, v));
    return 1;
}

/* ---- text ---- */

static void add_number(luaL_Buffer *b, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.10g", x);
    luaL_addstring(b, text);
}

/* "{{3.5, 0}, {0, 1}}" */
static void add_matrix(luaL_Buffer *b, int rows, int cols, const double *v)
{
    for (int i = 0; i < rows; i++) {
        luaL_addstring(b, i ? "}, {" : "{{");
        for (int j = 0; j < cols; j++) {
            if (j) luaL_addstring(b, ", ");
            add_number(b, v[i * cols + j]);
        }
    }
    luaL_addstring(b, "}}");
}

/* What a reader needs to make the body again: no booleans at rest, no values that follow from others. */
static bool add_row(luaL_Buffer *b, const pc_row *row, const void *params, const char *gap)
{
    const void *at = (const char *)params + row->offset;
    char text[96];
    double x = pc_row_number(row, params);
    bool list = row->kind == PC_VECTOR, matrix = row->kind == PC_MATRIX && ((const pc_matrix *)at)->rows > 0;
    if (row->follows || (isnan(x) && !list && !matrix) || (row->kind == PC_BOOLEAN && x == 0)) return false;
    luaL_addstring(b, gap);
    luaL_addstring(b, row->name);
    luaL_addstring(b, " = ");
    if (matrix) {
        const pc_matrix *m = at;
        add_matrix(b, m->rows, m->cols, m->v);
    } else if (list) {
        for (size_t i = 0; i < row->count; i++) {
            luaL_addstring(b, i ? ", " : "{");
            add_number(b, ((const double *)at)[i]);
        }
        luaL_addstring(b, "}");
    } else if (row->kind == PC_CHOICE) {
        luaL_addchar(b, '"');
        luaL_addstring(b, row->choices[(int)x]);
        luaL_addchar(b, '"');
    } else if (row->kind == PC_BOOLEAN) {
        luaL_addstring(b, "true");
    } else {
        luaL_addstring(b, pc_quantity_text(x, row->unit, text, sizeof text));
    }
    return true;
}

static void add_line(luaL_Buffer *b, pc_body *body)
{
    if (!body->kind) {
        double W[3][3], packed[9];
        int n = matrix_of(body, W);
        for (int i = 0; i < n * n; i++) packed[i] = W[i / n][i % n];
        luaL_addstring(b, "pair{ W = ");
        add_matrix(b, n, n, packed);
        luaL_addstring(b, " 1/kg }");
        return;
    }
    const pc_schema *schema = body->kind->schema;
    const char *gap = "{ ";
    luaL_addstring(b, schema->name);
    for (int i = 0; i < schema->n_rows; i++)
        if (add_row(b, &schema->rows[i], params_of(body), gap)) gap = ", ";
    if (body->material.name[0]) {
        luaL_addstring(b, ", material = ");
        luaL_addstring(b, body->material.name);
    }
    luaL_addstring(b, " }");
}

static void body_describe(lua_State *L, void *self)
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    add_line(&b, self);
    luaL_pushresult(&b);
}

/* body:describe(): the line of tostring and what the contact feels, a line each. */
static int body_report(lua_State *L)
{
    static const char axes[3][3] = {"t", "n", "t2"};
    pc_body *body = check_body(L, 1);
    double W[3][3], mass, lambda, theta;
    int n = matrix_of(body, W);
    char text[200];
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    add_line(&b, body);
    if (body->kind) {
        luaL_addstring(&b, "\n  ");
        luaL_addstring(&b, body->kind->schema->summary);
    }
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "\n  %-12s%-2s", i ? "" : "W (1/kg)", axes[i]);
        luaL_addstring(&b, text);
        for (int j = 0; j < n; j++) {
            snprintf(text, sizeof text, " %14.8g", W[i][j]);
            luaL_addstring(&b, text);
        }
    }
    snprintf(text, sizeof text, "\n  %-14s %d", "rank", body->W.rank);
    luaL_addstring(&b, text);
    pc_body_lai(body, &mass, &lambda, &theta);
    snprintf(text, sizeof text, "\n  %-14s mass %.8g kg, lambda %.8g, theta %.8g rad", "Lai", mass, lambda, theta);
    luaL_addstring(&b, text);
    if (!isnan(body->mass)) {
        snprintf(text, sizeof text, "\n  %-14s %.8g kg", "moving mass", body->mass);
        luaL_addstring(&b, text);
    }
    if (!isnan(inertia_of(body))) {
        snprintf(text, sizeof text, "\n  %-14s %.8g kg m^2", "inertia", inertia_of(body));
        luaL_addstring(&b, text);
    }
    if (!isnan(body->curvature)) {
        snprintf(text, sizeof text, "\n  %-14s %.8g 1/m", "curvature", body->curvature);
        luaL_addstring(&b, text);
    }
    for (int i = 0; i < body->dof; i++) {
        char unit[PC_UNIT_TEXT];
        pc_unit_text(body->units[i], NAN, unit);
        snprintf(text, sizeof text, unit[0] ? "%s (%s)" : "%s", body->names[i], unit);
        luaL_addstring(&b, i ? ", " : "\n  velocities     ");
        luaL_addstring(&b, text);
    }
    luaL_pushresult(&b);
    return 1;
}

#define EXAMPLE_ROD "local rod = percuss.body.rod{ length = 1, mass = 1, angle = 45*percuss.deg }\n"
#define MOTION_TEXT                                                                                                    \
    "of the contact point: vt and vn, or speed and incidence; or in the body's own velocities: v and omega of a free " \
    "body, those of joints by name or as rates"

static const pc_row motion_params[] = {
    {.name = "motion", .kind = PC_TABLE, .options = &pc_motion_schema, .initial = PC_REQUIRED, .doc = MOTION_TEXT},
    {0}};
static const pc_row after_params[] = {
    {.name = "motion", .kind = PC_TABLE, .options = &pc_motion_schema, .initial = PC_REQUIRED, .doc = MOTION_TEXT},
    {.name = "impulse",
     .kind = PC_TABLE,
     .unit = PC_UNIT_N_S,
     .initial = PC_REQUIRED,
     .doc = "impulse of the obstacle on the body: { t =, n = }, in space with t2 ="},
    {0},
};

static const pc_row with_params[] = {{.name = "changes",
                                      .kind = PC_TABLE,
                                      .initial = PC_REQUIRED,
                                      .doc = "parameters by word or symbol, in place of this body's"},
                                     {0}};

static const pc_function methods[] = {
    {"with", body_with, "A body like this one with other parameters.", with_params, "body", NULL,
     "local ball = percuss.body.sphere{ radius = 0.1, mass = 2 }\nprint(ball:with{ mass = 3 }.mass) --> 3.0"},
    {"contact_velocity", body_contact_velocity, "Velocity of the contact point for a motion of the body.",
     motion_params, "table: vt, vn, in space vt2 (m/s)", NULL,
     "local ball = percuss.body.sphere{ radius = 0.5, mass = 1 }\n"
     "print(ball:contact_velocity{ v = { 1, -2 }, omega = 3 }.vt) --> 2.5"},
    {"velocities", body_velocities,
     "The body's own velocities for a motion of the contact point. A free body is taken to translate; a body on joints "
     "moves with the least kinetic energy, which is the only way for a pendulum.",
     motion_params, "table: a motion in the body's own velocities, as collide takes it and hit.body is one", NULL,
     EXAMPLE_ROD "print(rod:velocities{ vt = 1, vn = -2 }.omega) --> 0.0"},
    {"after", body_after, "The motion after an impulse at the contact.", after_params,
     "table: a motion in the body's own velocities, as collide takes it and hit.body is one", NULL,
     EXAMPLE_ROD "print(rod:after({ v = { 0, -1 }, omega = 0 }, { t = 0, n = 0.5 }).v[2]) --> -0.5"},
    {"energy", body_energy, "Kinetic energy of a motion; of a body known by W alone the contact's share of it.",
     motion_params, "number (J)", NULL, EXAMPLE_ROD "print(rod:energy{ vt = 0, vn = -2 }) --> 2.0"},
    {"loss_max", body_loss_max,
     "The most energy that an impact can take from a motion: all that is left when the contact point stops.",
     motion_params, "number (J)", "Lai (1999), equation 5.72",
     "local ball = percuss.body.sphere{ radius = 0.1, mass = 2 }\nprint(ball:loss_max{ vt = 0, vn = -1 }) --> 1.0"},
    {"describe", body_report, "A report of several lines: W, rank, Lai's parameters, velocities.", NULL, "string", NULL,
     EXAMPLE_ROD "print(rod:describe():match(\"rank%s+(%d)\")) --> 2"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", body_index}, {NULL, NULL}};

const pc_type pc_type_body = {
    .name = "percuss.body",
    .summary =
        "A body frozen at the instant of contact; each of its parameters is a field as well, and so are mass (kg), "
        "inertia (kg m^2, about t2 through the mass centre of a free body) and curvature (1/m).",
    .properties = properties,
    .methods = methods,
    .metamethods = metamethods,
    .describe = body_describe,
};

static const pc_row pair_params[] = {
    {.name = "a",
     .kind = PC_OBJECT,
     .object = "body",
     .initial = PC_REQUIRED,
     .doc = "the body in whose frame the impact is described"},
    {.name = "b",
     .kind = PC_OBJECT,
     .object = "body",
     .initial = PC_REQUIRED,
     .doc = "the other body, given in its own frame with the normal pointing into it"},
    {0},
};

static const pc_function functions[] = {
    {"pair", pair,
     "Two bodies that strike each other: W = W_a + W_b, moved by their relative velocity, or by { a =, b = }: the "
     "motions of both, each in its own frame, b in that which is turned half round. The impulse acts on a as it stands "
     "and on b reversed; bodies of an impact has both motions afterwards. A law that is given the pair as its body "
     "takes "
     "the material of a, and that of b for the other side.",
     pair_params, "body", NULL,
     "local ball = percuss.body.sphere{ radius = 0.1, mass = 2 }\nprint(percuss.pair(ball, ball).w_nn) --> 1.0"},
    {0},
};

void pc_open_body(lua_State *L)
{
    pc_type_open(L, &pc_type_body);
    pc_functions_open(L, "", functions);
    lua_newtable(L);
    for (int i = 0; i < pc_n_body_kinds; i++)
        pc_constructor_open(L, pc_body_kinds[i]->schema, body_new, pc_body_kinds[i]);
    pc_module_strict(L, "body");
    lua_setfield(L, -2, "body");
}

static int material_new(lua_State *L)
{
    const pc_schema *schema = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_material *self = pc_type_new(L, &pc_type_material, sizeof *self, 0);
    pc_options_read(L, 1, schema, self);
    return 1;
}

static void push_source(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_material *)self)->source); /* nil for NULL */
}

/* Constants by word or symbol; unknown ones are nil. */
static int material_index(lua_State *L)
{
    const pc_material *self = pc_type_check(L, 1, &pc_type_material);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(&pc_material_schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(&pc_material_schema, key, &err);
        return pc_raise(L, &err);
    }
    pc_row_push(L, &pc_material_schema.rows[row], self);
    return 1;
}

static int material_equal(lua_State *L)
{
    const pc_material *a = pc_type_test(L, 1, &pc_type_material), *b = pc_type_test(L, 2, &pc_type_material);
    lua_pushboolean(L, a && b && pc_material_same(a, b));
    return 1;
}

static void material_describe(lua_State *L, void *self)
{
    const pc_material *material = self;
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    luaL_addstring(&b, material->name);
    const char *gap = ": ";
    for (int i = 0; i < pc_material_schema.n_rows; i++) {
        const pc_row *row = &pc_material_schema.rows[i];
        double x = pc_row_number(row, material);
        if (isnan(x)) continue;
        char amount[96];
        luaL_addstring(&b, gap);
        luaL_addstring(&b, row->name);
        luaL_addchar(&b, ' ');
        luaL_addstring(&b, pc_quantity_text(x, row->unit, amount, sizeof amount));
        gap = ", ";
    }
    luaL_pushresult(&b);
}

static const pc_property material_properties[] = {
    {"source", push_source, NULL, "where the constants of a named material come from"},
    {0},
};

static const luaL_Reg material_metamethods[] = {{"__index", material_index}, {"__eq", material_equal}, {NULL, NULL}};

const pc_type pc_type_material = {
    .name = "percuss.material",
    .summary = "Elastic and plastic constants: density, young, poisson, yield; a constant that is unknown is nil.",
    .properties = material_properties,
    .metamethods = material_metamethods,
    .describe = material_describe,
};

void pc_open_material(lua_State *L)
{
    pc_type_open(L, &pc_type_material);
    lua_newtable(L);
    for (int i = 0; i < pc_n_materials; i++) {
        pc_material *self = pc_type_new(L, &pc_type_material, sizeof *self, 0);
        *self = pc_materials[i];
        lua_setfield(L, -2, self->name);
    }
    pc_constructor_open(L, &pc_material_schema, material_new, &pc_material_schema);
    pc_module_strict(L, "material");
    lua_setfield(L, -2, "material");
}

/* Motion tables: from what a script says about a velocity to the velocities of body and contact point. */

/* Keys known to every body. Velocities with names of their own ("rate") come from the body. */
typedef enum key { VT, VN, VT2, SPEED, INCIDENCE, AZIMUTH, V, OMEGA, RATES, N_KEYS } key;

static const char *const words[N_KEYS] = {"vt", "vn", "vt2", "speed", "incidence", "azimuth", "v", "omega", "rates"};

static const pc_row motion_rows[] = {
    {.name = "vt",
     .kind = PC_REAL,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "of the contact point, along t"},
    {.name = "vn",
     .kind = PC_REAL,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "of the contact point, along n; below 0 it approaches"},
    {.name = "vt2",
     .kind = PC_REAL,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "of the contact point, along the second tangent, in space"},
    {.name = "speed", .kind = PC_REAL, .unit = PC_UNIT_M_PER_S, .initial = PC_ABSENT, .doc = "of the contact point"},
    {.name = "incidence",
     .kind = PC_REAL,
     .unit = PC_UNIT_RAD,
     .initial = PC_ABSENT,
     .doc = "of that speed, from the normal"},
    {.name = "azimuth",
     .kind = PC_REAL,
     .unit = PC_UNIT_RAD,
     .initial = PC_ABSENT,
     .doc = "of that speed, from t towards t2, in space"},
    {.name = "v",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_ABSENT,
     .doc = "{ t, n[, t2] } of the mass centre of a free body"},
    {.name = "omega",
     .kind = PC_REAL,
     .also = PC_ALSO(PC_NUMBERS),
     .unit = PC_UNIT_RAD_PER_S,
     .initial = PC_ABSENT,
     .doc = "of a free body; in space a list"},
    {.name = "rates",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_RAD_PER_S,
     .initial = PC_ABSENT,
     .doc = "of all joints of a body on joints; each may be given by its name instead, as in rate ="},
};

const pc_schema pc_motion_schema = {.name = "motion", PC_ROWS(motion_rows)};

#define BIT(key) (1u << (key))
#define CONTACT (BIT(VT) | BIT(VN) | BIT(VT2))
#define POLAR (BIT(SPEED) | BIT(INCIDENCE) | BIT(AZIMUTH))
#define FREE (BIT(V) | BIT(OMEGA))
#define OWN BIT(N_KEYS) /* a named velocity of the body */

typedef struct reading {
    lua_State *L;
    const pc_body *body;
    unsigned seen;
    double number[N_KEYS]; /* of the keys that are numbers */
    double v[3], omega[3]; /* of the list V, and of OMEGA */
    double *u;
    unsigned own; /* bit i: velocity i was given by its name */
} reading;

static int refuse_key(reading *r, const char *name)
{
    const char *known[N_KEYS + PC_BODY_DOF];
    int n = 0;
    for (int i = 0; r->body->form == PC_BODY_JOINTED && i < r->body->dof; i++) known[n++] = r->body->names[i];
    for (int k = 0; k < N_KEYS; k++) known[n++] = words[k];
    const char *near = pc_nearest(name, known, n);
    if (near) return pc_refuse(r->L, "the motion has no parameter '%s'; did you mean '%s'?", name, near);
    return pc_refuse(
        r->L, "the motion has no parameter '%s'; it has vt and vn, speed and incidence, or the body's own velocities",
        name);
}

static double read_number(reading *r, int index, const char *name)
{
    if (lua_type(r->L, index) != LUA_TNUMBER)
        pc_refuse(r->L, "motion: %s must be a number, not a %s", name, luaL_typename(r->L, index));
    double x = lua_tonumber(r->L, index);
    if (!isfinite(x)) pc_refuse(r->L, "motion: %s = %f must be finite", name, x);
    return x;
}

/* Exactly n numbers of the list at `index`. */
static void read_list(reading *r, int index, const char *name, double *out, int n)
{
    if (!pc_array_or_table(r->L, index))
        pc_refuse(r->L, "motion: %s must be a list of %d numbers, not a %s", name, n, luaL_typename(r->L, index));
    lua_Integer length = luaL_len(r->L, index);
    if (length != n) pc_refuse(r->L, "motion: %s must be a list of %d numbers, not %d", name, n, (int)length);
    for (int i = 0; i < n; i++) {
        lua_geti(r->L, index, i + 1);
        out[i] = read_number(r, lua_gettop(r->L), name);
        lua_pop(r->L, 1);
    }
}

static void read_omega(reading *r, int index)
{
    r->omega[0] = r->omega[1] = 0;
    if (r->body->spatial && lua_type(r->L, index) != LUA_TNUMBER)
        read_list(r, index, "omega", r->omega, 3);
    else
        r->omega[2] = read_number(r, index, "omega");
}

/* A velocity of the body by its name; false if it has none of that name. */
static bool read_own(reading *r, int index, const char *name)
{
    const pc_body *body = r->body;
    for (int i = 0; body->form == PC_BODY_JOINTED && i < body->dof; i++) {
        if (strcmp(name, body->names[i]) != 0) continue;
        r->u[i] = read_number(r, index, name);
        r->own |= 1u << i;
        r->seen |= OWN;
        return true;
    }
    return false;
}

/* One pair: the key at -2, the value on top. */
static void read_pair(reading *r)
{
    lua_State *L = r->L;
    int value = lua_gettop(L);
    if (lua_type(L, -2) != LUA_TSTRING) pc_refuse(L, "a motion has named entries only, as in { vt = 1, vn = -1 }");
    const char *name = lua_tostring(L, -2);
    int k = 0;
    while (k < N_KEYS && strcmp(name, words[k]) != 0) k++;
    if (k == N_KEYS) {
        if (!read_own(r, value, name)) refuse_key(r, name);
        return;
    }
    r->seen |= BIT(k);
    switch (k) {
    case V: read_list(r, value, name, r->v, r->body->spatial ? 3 : 2); break;
    case OMEGA: read_omega(r, value); break;
    case RATES: read_list(r, value, name, r->u, r->body->dof); break;
    default: r->number[k] = read_number(r, value, name);
    }
    if ((BIT(k) & (FREE | BIT(RATES))) && r->body->form == PC_BODY_DATA)
        pc_refuse(L, "motion: this body is known by its W alone and has no '%s'; give vt and vn", name);
    if ((BIT(k) & FREE) && r->body->form != PC_BODY_FREE)
        pc_refuse(L, "motion: '%s' belongs to a free body; this one moves by its joint: give '%s'", name,
                  r->body->dof == 1 ? r->body->names[0] : "rates");
    if ((BIT(k) & (BIT(VT2) | BIT(AZIMUTH))) && !r->body->spatial)
        pc_refuse(L, "motion: '%s' needs a body in space; this one moves in the plane", name);
}

/* The forms exclude one another: whoever gives two of them would have one ignored. */
static void refuse_mixture(reading *r)
{
    static const unsigned forms[] = {CONTACT, POLAR, FREE, BIT(RATES), OWN};
    static const char *const texts[] = {"vt, vn (of the contact point)", "speed, incidence (of the contact point)",
                                        "v, omega (of the mass centre)", "rates (all of the body's own velocities)",
                                        "the body's own velocities by name"};
    int first = -1;
    for (int i = 0; i < 5; i++) {
        if (!(r->seen & forms[i])) continue;
        if (first >= 0) pc_refuse(r->L, "motion: give either %s or %s, not both", texts[first], texts[i]);
        first = i;
    }
    if (first < 0)
        pc_refuse(r->L, "motion: give vt and vn of the contact point, speed and incidence, or the body's own "
                        "velocities");
}

/* True if a joint leaves the contact point of a planar body one direction; it is then proportional to (tn, nn). */
static bool is_guided(const pc_body *body)
{
    return body->form == PC_BODY_JOINTED && body->W.rank == 1 && !body->spatial;
}

static void from_contact(reading *r, double v[3])
{
    const pc_mobility *W = &r->body->W;
    bool t = r->seen & BIT(VT), n = r->seen & BIT(VN);
    v[PC_T] = t ? r->number[VT] : 0;
    v[PC_N] = n ? r->number[VN] : 0;
    v[PC_T2] = r->seen & BIT(VT2) ? r->number[VT2] : 0;
    if (is_guided(r->body) && t != n) {
        /* the other one follows; where it cannot, pc_body_velocities says why */
        if (n && W->nn > PC_RANK_TOLERANCE * W->tt) v[PC_T] = v[PC_N] * W->tn / W->nn;
        if (t && W->tt > PC_RANK_TOLERANCE * W->nn) v[PC_N] = v[PC_T] * W->tn / W->tt;
    } else if (!n) {
        pc_refuse(r->L, "motion: vn is needed (m/s, < 0 approaches)");
    }
}

static void from_polar(reading *r, double v[3])
{
    const pc_mobility *W = &r->body->W;
    if (!(r->seen & BIT(SPEED))) pc_refuse(r->L, "motion: speed is needed beside incidence (m/s)");
    double speed = r->number[SPEED], incidence = r->number[INCIDENCE];
    double azimuth = r->seen & BIT(AZIMUTH) ? r->number[AZIMUTH] : 0;
    if (speed < 0) pc_refuse(r->L, "motion: speed = %f m/s is not allowed; it must be >= 0 m/s", speed);
    if (!(r->seen & BIT(INCIDENCE))) {
        if (!is_guided(r->body) || W->nn <= PC_RANK_TOLERANCE * W->tt)
            pc_refuse(r->L, "motion: incidence is needed beside speed (rad from the normal; 0 is head-on)");
        double size = hypot(W->tn, W->nn);
        v[PC_T] = -speed * W->tn / size;
        v[PC_N] = -speed * W->nn / size;
        v[PC_T2] = 0;
        return;
    }
    const double quarter = 1.5707963267948966;
    if (fabs(incidence) > quarter) {
        if (fabs(incidence) > 4 * quarter)
            pc_refuse(r->L,
                      "motion: incidence = %f rad is not allowed; it must be from -pi/2 to pi/2 rad; did you "
                      "mean %f*percuss.deg?",
                      incidence, incidence);
        pc_refuse(r->L, "motion: incidence = %f rad is not allowed; it must be from -pi/2 to pi/2 rad", incidence);
    }
    v[PC_T] = speed * sin(incidence) * cos(azimuth);
    v[PC_N] = -speed * cos(incidence);
    v[PC_T2] = speed * sin(incidence) * sin(azimuth);
}

static void from_free(reading *r)
{
    if (!(r->seen & BIT(V))) pc_refuse(r->L, "motion: v is needed beside omega (velocity of the mass centre, m/s)");
    int half = r->body->spatial ? 3 : 2;
    memcpy(r->u, r->v, (size_t)half * sizeof *r->v);
    if (r->body->spatial)
        memcpy(r->u + half, r->omega, sizeof r->omega);
    else
        r->u[half] = r->omega[2];
}

void pc_body_motion_read(lua_State *L, int index, const pc_body *body, double *u, double v[3])
{
    reading r = {.L = L, .body = body, .u = u};
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    if (lua_type(L, index) != LUA_TTABLE)
        pc_refuse(L, "a motion is a table, as in { vt = 1, vn = -1 }, not %s%s", lua_isnoneornil(L, index) ? "" : "a ",
                  luaL_typename(L, index));
    lua_pushnil(L);
    while (lua_next(L, index)) {
        read_pair(&r);
        lua_pop(L, 1);
    }
    refuse_mixture(&r);

    if (r.seen & (CONTACT | POLAR)) {
        pc_error err = {0};
        if (r.seen & CONTACT)
            from_contact(&r, v);
        else
            from_polar(&r, v);
        if (body->dof == 0) return;
        if (pc_body_velocities(body, v, u, &err)) pc_refuse(L, "motion: %s", err.text);
    } else if (r.seen & FREE) {
        from_free(&r);
    } else if (r.seen & OWN) {
        for (int i = 0; i < body->dof; i++)
            if (!(r.own >> i & 1)) pc_refuse(L, "motion: %s is needed as well", body->names[i]);
    }
    pc_body_contact_velocity(body, u, v);
}

static void push_list(lua_State *L, const double *list, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, list[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

void pc_body_motion_push(lua_State *L, const pc_body *body, const double *u, const double v[3])
{
    static const char *const contact[] = {"vt", "vn", "vt2"};
    int half = body->spatial ? 3 : 2;
    lua_createtable(L, 0, 3);
    switch (body->form) {
    case PC_BODY_DATA:
        for (int i = 0; i < half; i++) {
            lua_pushnumber(L, v[i]);
            lua_setfield(L, -2, contact[i]);
        }
        break;
    case PC_BODY_FREE:
        push_list(L, u, half);
        lua_setfield(L, -2, "v");
        if (body->spatial)
            push_list(L, u + half, 3);
        else
            lua_pushnumber(L, u[half]);
        lua_setfield(L, -2, "omega");
        break;
    case PC_BODY_JOINTED:
        for (int i = 0; i < body->dof; i++) {
            lua_pushnumber(L, u[i]);
            lua_setfield(L, -2, body->names[i]);
        }
    }
    pc_record_seal(L, "");
}
