/* percuss.elastic: elastic bodies of revolution, and what happens when one strikes. */
#include "bind/core/bind.h"
#include "body/body.h"
#include "elastic/elastic.h"

#include <math.h>
#include <string.h>

/* ---- bodies ---- */

typedef struct solid {
    double radius, length;
    int nose; /* < 0: a radius was given, which the shape has */
    pc_material material;
} solid;

enum { ROUND, FLAT };

/* Radii of the rod in that of its nose: contacts on flatter caps reach the rim at any speed that is of use. */
enum { NOSE_MOST = 100 };

typedef struct bound_elastic {
    const pc_schema *schema;
    solid solid;
    pc_elastic_body body;
} bound_elastic;

#define MATERIAL_ROW                                                                                                   \
    {                                                                                                                  \
        .name = "material", .kind = PC_OBJECT, .offset = offsetof(solid, material), .count = sizeof(pc_material),      \
        .initial = PC_REQUIRED, .object = "material",                                                                  \
        .doc = "with young, density and a Poisson's ratio from 0 to 0.45, above which the cells of the mesh would "    \
               "lock"                                                                                                  \
    }

#define RADIUS_ROW(text)                                                                                               \
    PC_ROW(solid, radius, "radius", .symbol = "R", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,  \
           .sample = {1e-3, 0.1}, .doc = text)

static const pc_row sphere_rows[] = {RADIUS_ROW("of the sphere"), MATERIAL_ROW};

static const pc_row outline_rows[] = {
    {.name = "outline",
     .kind = PC_LIST,
     .initial = PC_REQUIRED,
     .doc = "points { r, z } (m) of half of the section, from near the pole, which is at { 0, 0 }, to the axis again, "
            "{ 0, height }; 2 to 65 of them, all in sight of the pole"},
    RADIUS_ROW("of curvature at the pole"),
    MATERIAL_ROW,
};

static const pc_row rod_rows[] = {
    RADIUS_ROW("of the rod"),
    PC_ROW(solid, length, "length", .symbol = "L", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e-2, 1}, .doc = "of the cylinder between the ends; from half of the radius to 60 times it"),
    PC_CHOICE_ROW(solid, nose, "nose", (const char *const[]){"round", "flat", NULL}, .also = PC_ALSO(PC_REAL),
                  .unit = PC_UNIT_M, .initial = ROUND, .otherwise = "round", .allowed = PC_POSITIVE,
                  .doc = "of both ends: \"round\", hemispheres, or \"flat\", which touches everywhere at once; or the "
                         "radius of a spherical cap at the end that strikes, from the rod's radius to 100 times it, "
                         "while the far end is a hemisphere; other noses are outlines of elastic.body"),
    MATERIAL_ROW,
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    const solid *s = object;
    const pc_material *m = &s->material;
    (void)given;
    if (isnan(m->young) || isnan(m->poisson) || isnan(m->density))
        return pc_fail(err, PC_E_ARGUMENT, "%s: material '%s' has no %s", schema->name, m->name,
                       isnan(m->young)     ? "young"
                       : isnan(m->poisson) ? "poisson"
                                           : "density");
    if (!(m->poisson >= 0 && m->poisson <= PC_ELASTIC_POISSON_MOST))
        return pc_fail(err, PC_E_ARGUMENT, "%s: material '%s' has poisson = %g; it must be from 0 to %g", schema->name,
                       m->name, m->poisson, PC_ELASTIC_POISSON_MOST);
    if (s->length > 0 && !(s->length >= 0.5 * s->radius && s->length <= 60 * s->radius))
        return pc_fail(err, PC_E_ARGUMENT, "%s: length = %g m; it must be from %g to %g m, 0.5 to 60 times the radius",
                       schema->name, s->length, 0.5 * s->radius, 60 * s->radius);
    return PC_OK;
}

static const pc_schema schemas[] = {
    {.name = "elastic.sphere",
     .summary = "An elastic sphere, for percuss.elastic.collide.",
     .example = "print(percuss.elastic.sphere{ radius = 0.01, material = percuss.material.steel }.mass > 0) --> true",
     PC_ROWS(sphere_rows),
     .size = sizeof(solid),
     .validate = validate},
    {.name = "elastic.rod",
     .summary = "An elastic rod that stands upright, for percuss.elastic.collide.",
     .details =
         "With flat ends all of the face meets the plane at the same time, and a wave front as steep as the mesh "
         "resolves runs up the rod.",
     .example = "local rod = percuss.elastic.rod{ radius = 0.01, length = 0.1, material = percuss.material.steel }\n"
                "print(string.format('%.4f', rod.height)) --> 0.0600",
     PC_ROWS(rod_rows),
     .size = sizeof(solid),
     .validate = validate},
    {.name = "elastic.body",
     .summary = "An elastic body of revolution with an outline of one's own, for percuss.elastic.collide.",
     .details =
         "The outline is a smooth curve through the points; near the pole it is a circle of the radius. It may be "
         "up to six times as far from the pole, and a fifth, as the sphere of that radius is.",
     .example = "local egg = {}\n"
                "for i = 1, 32 do\n"
                "    local t = math.pi * i / 32\n"
                "    egg[i] = { i < 32 and 0.02 * math.sin(t) or 0, 0.03 * (1 - math.cos(t)) }\n"
                "end\n"
                "local body = percuss.elastic.body{ outline = egg, radius = 0.02^2 / 0.03, material = "
                "percuss.material.steel }\n"
                "print(string.format('%.4f', body.mass / (7850 * 4/3 * math.pi * 0.02^2 * 0.03))) --> 1.0000",
     PC_ROWS(outline_rows),
     .size = sizeof(solid),
     .validate = validate},
};

static void push_mass(lua_State *L, void *self)
{
    pc_elastic_scales scales;
    pc_elastic_body_scales(&((bound_elastic *)self)->body, 1, &scales);
    lua_pushnumber(L, scales.mass);
}

static void push_inertia(lua_State *L, void *self)
{
    pc_elastic_scales scales;
    pc_elastic_body_scales(&((bound_elastic *)self)->body, 1, &scales);
    lua_pushnumber(L, scales.inertia);
}

static void push_height(lua_State *L, void *self)
{
    pc_elastic_scales scales;
    pc_elastic_body_scales(&((bound_elastic *)self)->body, 1, &scales);
    lua_pushnumber(L, scales.height);
}

static void push_speed(lua_State *L, void *self)
{
    const pc_elastic_body *body = &((bound_elastic *)self)->body;
    lua_pushnumber(L, sqrt(body->young / body->density));
}

static const pc_property body_properties[] = {
    {"mass", push_mass, "kg", "density times volume"},
    {"inertia", push_inertia, "kg m^2", "moment of inertia about the mass centre, across the axis"},
    {"height", push_height, "m", "of the mass centre above the contact point"},
    {"bar_speed", push_speed, "m/s", "of longitudinal waves in a bar, sqrt(young/density)"},
    {0},
};

static int body_index(lua_State *L);

static void body_describe(lua_State *L, void *self)
{
    const bound_elastic *bound = self;
    pc_schema_push_text(L, bound->schema, &bound->solid);
    if (bound->solid.nose >= 0) return;
    char amount[80];
    pc_quantity_text(bound->body.shape.nose, (pc_unit)PC_UNIT_M, amount, sizeof amount);
    lua_pushlstring(L, lua_tostring(L, -1), lua_rawlen(L, -1) - 2); /* without " }" */
    lua_pushfstring(L, "%s, nose = %s }", lua_tostring(L, -1), amount);
}

static const luaL_Reg body_metamethods[] = {{"__index", body_index}, {NULL, NULL}};

static const pc_type type_body = {
    .name = "percuss.elastic_body",
    .summary = "An elastic body of revolution that stands with its pole on a plane; its parameters are fields as well.",
    .properties = body_properties,
    .metamethods = body_metamethods,
    .describe = body_describe,
};

static int body_index(lua_State *L)
{
    const bound_elastic *bound = pc_type_check(L, 1, &type_body);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(bound->schema, key);
    if (row >= 0 && bound->schema->rows[row].kind == PC_OBJECT) { /* the material: kept as it was given */
        lua_getiuservalue(L, 1, 1);
        return 1;
    }
    if (row >= 0 && bound->schema->rows[row].kind == PC_CHOICE && bound->solid.nose < 0) {
        lua_pushnumber(L, bound->body.shape.nose);
        return 1;
    }
    if (row >= 0 && bound->schema->rows[row].kind == PC_LIST) { /* the outline: of the points as they are kept */
        const pc_elastic_shape *s = &bound->body.shape;
        lua_createtable(L, s->n - 1, 0);
        for (int i = s->n - 2; i >= 0; i--) {
            double far = 2 * s->radius * cos(s->angle[i]) * s->stretch[i];
            lua_createtable(L, 2, 0);
            lua_pushnumber(L, far * sin(s->angle[i]));
            lua_rawseti(L, -2, 1);
            lua_pushnumber(L, far * cos(s->angle[i]));
            lua_rawseti(L, -2, 2);
            lua_rawseti(L, -2, s->n - 1 - i);
        }
        return 1;
    }
    if (row >= 0) {
        pc_row_push(L, &bound->schema->rows[row], &bound->solid);
        return 1;
    }
    pc_error err = {0};
    pc_schema_unknown(bound->schema, key, &err);
    return pc_raise(L, &err);
}

/* The points of the list at the top of the stack into the shape. */
static void read_outline(lua_State *L, double radius, pc_elastic_shape *shape)
{
    double r[PC_ELASTIC_OUTLINE_MOST], z[PC_ELASTIC_OUTLINE_MOST];
    lua_Integer n = luaL_len(L, -1);
    for (lua_Integer i = 0; i < n && i < PC_ELASTIC_OUTLINE_MOST; i++) {
        double *to[2] = {&r[i], &z[i]};
        if (lua_geti(L, -1, i + 1) != LUA_TTABLE)
            pc_refuse(L, "elastic.body: outline[%d] must be a point { r, z }, not a %s", (int)i + 1,
                      luaL_typename(L, -1));
        for (int k = 0; k < 2; k++) {
            bool number = lua_geti(L, -1, k + 1) == LUA_TNUMBER;
            *to[k] = lua_tonumber(L, -1);
            if (!number || !isfinite(*to[k]) || *to[k] < 0)
                pc_refuse(L, "elastic.body: outline[%d] must be { r, z }, two numbers from 0 on", (int)i + 1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    pc_error err = {0};
    if (pc_elastic_shape_outline(radius, (int)n, r, z, shape, &err)) pc_refuse(L, "elastic.body: %s", err.text);
}

/* The radius on top of the stack. */
static void read_nose(lua_State *L, bound_elastic *self)
{
    const double R = self->solid.radius, nose = lua_tonumber(L, -1);
    if (!(nose >= R && nose <= NOSE_MOST * R)) {
        char value[80], least[80], most[80];
        const pc_unit unit = PC_UNIT_M;
        pc_refuse(L, "elastic.rod: nose = %s; it must be from %s to %s, 1 to %d times the rod's radius, or \"flat\"",
                  pc_quantity_text(nose, unit, value, sizeof value), pc_quantity_text(R, unit, least, sizeof least),
                  pc_quantity_text(NOSE_MOST * R, unit, most, sizeof most), NOSE_MOST);
    }
    self->solid.nose = -1, self->body.shape.nose = nose;
}

static int body_new(lua_State *L)
{
    const pc_schema *schema = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    bound_elastic *self = pc_type_new(L, &type_body, sizeof *self, 1);
    self->schema = schema;
    pc_options_take(L, 1, schema, &self->solid);
    pc_option_push(L, 1, "material");
    lua_setiuservalue(L, 2, 1);
    const solid *s = &self->solid;
    self->body = (pc_elastic_body){
        .shape = {.radius = s->radius, .length = s->length, .flat = s->nose == FLAT},
        .young = s->material.young,
        .poisson = s->material.poisson,
        .density = s->material.density,
    };
    if (pc_option_push(L, 1, "nose")) {
        if (lua_type(L, -1) == LUA_TNUMBER) read_nose(L, self);
        lua_settop(L, 2);
    }
    if (pc_option_push(L, 1, "outline")) {
        read_outline(L, s->radius, &self->body.shape);
        lua_settop(L, 2);
    }
    return 1;
}

/* ---- collide ---- */

typedef struct striking {
    double vt, vn, omega, friction, tolerance;
    int cells;
    bool radial_friction;
} striking;

static const pc_row striking_rows[] = {
    PC_ROW(striking, vt, "vt", .unit = PC_UNIT_M_PER_S, .initial = 0, .allowed = PC_ANY,
           .doc = "velocity of the contact point along the plane"),
    PC_ROW(striking, vn, "vn", .unit = PC_UNIT_M_PER_S, .initial = PC_REQUIRED, .allowed = {-INFINITY, 0, true, true},
           .doc = "its normal velocity; it approaches below 0"),
    PC_ROW(striking, omega, "omega", .unit = PC_UNIT_RAD_PER_S, .initial = 0, .allowed = PC_ANY,
           .doc = "rate of rotation from t towards n; the mass centre moves with vt - omega height"),
    PC_ROW(striking, friction, "friction", .symbol = "mu", .greek = "μ", .initial = 0, .allowed = PC_NONNEGATIVE,
           .doc = "Coulomb's coefficient"),
    PC_ROW(
        striking, radial_friction, "radial_friction", .initial = 0,
        .doc =
            "friction against the radial displacement that pressure causes; of a normal impact alone (vt and omega 0)"),
    PC_ROW(striking, cells, "cells", .initial = 10,
           .allowed = PC_BETWEEN(PC_ELASTIC_CELLS_LEAST, PC_ELASTIC_CELLS_MOST), .group = 1,
           .doc = "of the mesh along 1.25 to 1.4 times the contact radius, or along the radius of flat ends; the time "
                  "goes as the third power"),
    PC_ROW(striking, tolerance, "tolerance", .initial = PC_ABSENT, .allowed = {1e-4, 0.1, false, false}, .group = 1,
           .doc = "error allowed in e, in v_t over mu (2 - nu)/(2 (1 - nu)) |vn|, and in the duration over its Hertz "
                  "value: finer and finer meshes, two of each, whose contact edges lie half a cell apart, are averaged "
                  "and, from the third on, extrapolated, until the estimated error is less, at most 40 cells"),
    {.name = "progress",
     .kind = PC_FUNCTION,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc =
         "called now and then with the time passed over the estimated contact time; returning false stops, as Ctrl-C "
         "does"},
};

static pc_status striking_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    const striking *s = object;
    (void)given;
    if (s->radial_friction && (s->vt != 0 || s->omega != 0))
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: radial_friction needs a normal impact, vt = 0 and omega = 0; with tangential motion its "
                       "friction is not axisymmetric",
                       schema->name);
    return PC_OK;
}

static const pc_schema striking_schema = {
    .name = "elastic.collide",
    PC_ROWS(striking_rows),
    .size = sizeof(striking),
    .groups = {PC_AT_MOST_ONE},
    .validate = striking_validate,
};

typedef struct bound_hit {
    pc_elastic_hit hit;
    pc_elastic_body body;
    pc_elastic_motion motion;
} bound_hit;

enum { HIT_BODY = 1, HIT_USERVALUES = 1 };

static bound_hit *check_hit(lua_State *L);

static void set(lua_State *L, const char *key, double x)
{
    if (isnan(x)) return;
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

static void push_pair(lua_State *L, double t, double n)
{
    lua_createtable(L, 0, 2);
    set(L, "t", t);
    set(L, "n", n);
    pc_record_seal(L, "t n t2");
}

/* ---- fields of a hit: the words of an impact by a law ---- */

static void push_outcome(lua_State *L, void *self)
{
    (void)self;
    lua_pushliteral(L, "rebound");
}

static void push_wedged(lua_State *L, void *self)
{
    (void)self;
    lua_pushboolean(L, 0);
}

static const char *regime(const pc_elastic_result *r)
{
    if (r->n_phases == 0) return "frictionless";
    bool slips = false, sticks = false;
    for (int i = 0; i < r->n_phases; i++)
        if (r->phases[i].sign)
            slips = true;
        else
            sticks = true;
    if (!sticks) return r->n_phases == 1 ? "gross slip" : "slip-slip";
    if (!slips) return "gross stick";
    if (r->n_phases == 2) return r->phases[0].sign ? "slip-stick" : "stick-slip";
    return r->n_phases == 3 && r->phases[0].sign ? "slip-stick-slip" : "many cycles";
}

static void push_regime(lua_State *L, void *self)
{
    lua_pushstring(L, regime(&((bound_hit *)self)->hit.result));
}

static void push_phases(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    lua_createtable(L, r->n_phases, 0);
    for (int i = 0; i < r->n_phases; i++) {
        lua_createtable(L, 0, 4);
        lua_pushstring(L, r->phases[i].sign ? "slip" : "stick");
        lua_setfield(L, -2, "kind");
        lua_pushinteger(L, r->phases[i].sign);
        lua_setfield(L, -2, "sign");
        set(L, "start", r->phases[i].start);
        set(L, "stop", r->phases[i].stop);
        pc_record_seal(L, "");
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_duration(lua_State *L, void *self)
{
    lua_pushnumber(L, ((bound_hit *)self)->hit.result.duration);
}

static void push_compression_time(lua_State *L, void *self)
{
    lua_pushnumber(L, ((bound_hit *)self)->hit.result.compression_time);
}

static void push_impulse(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    push_pair(L, r->impulse[0], r->impulse[1]);
}

static double contact_velocity(const bound_hit *self)
{
    return self->hit.result.v_t + self->hit.result.omega * self->hit.height;
}

static void push_velocity(lua_State *L, void *self)
{
    push_pair(L, contact_velocity(self), ((bound_hit *)self)->hit.result.v_n);
}

static void push_velocity_before(lua_State *L, void *self)
{
    const bound_hit *hit = self;
    push_pair(L, hit->motion.vt + hit->motion.omega * hit->hit.scales.height, -hit->motion.approach);
}

static void push_motion(lua_State *L, double v_t, double v_n, double omega)
{
    lua_createtable(L, 0, 2);
    lua_createtable(L, 2, 0);
    lua_pushnumber(L, v_t);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, v_n);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, -2, "v");
    set(L, "omega", omega);
    pc_record_seal(L, "");
}

static void push_body(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    push_motion(L, r->v_t, r->v_n, r->omega);
}

static void push_body_before(lua_State *L, void *self)
{
    const pc_elastic_motion *m = &((bound_hit *)self)->motion;
    push_motion(L, m->vt, -m->approach, m->omega);
}

static void push_restitution(lua_State *L, void *self)
{
    const bound_hit *hit = self;
    const pc_elastic_result *r = &hit->hit.result;
    /* of a rigid motion whose W has no w_tn the three are one */
    double e = r->v_n / hit->motion.approach, compression = r->impulse_compression[1];
    lua_createtable(L, 0, 3);
    set(L, "kinematic", e);
    set(L, "kinetic", (r->impulse[1] - compression) / compression);
    set(L, "energetic", e);
    pc_record_seal(L, "kinematic kinetic energetic asked");
}

static void push_impulse_ratio(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    lua_createtable(L, 0, 3);
    set(L, "total", r->impulse[0] / r->impulse[1]);
    set(L, "compression", r->impulse_compression[0] / r->impulse_compression[1]);
    set(L, "restitution", (r->impulse[0] - r->impulse_compression[0]) / (r->impulse[1] - r->impulse_compression[1]));
    pc_record_seal(L, "total compression restitution");
}

static void push_energy(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    lua_createtable(L, 0, 4);
    set(L, "before", r->energy_before);
    set(L, "after", r->energy_after);
    set(L, "vibration", r->vibration[0] + r->vibration[1]);
    set(L, "friction", -r->friction_work);
    pc_record_seal(L, "");
}

static void push_vibration(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    push_pair(L, r->vibration[1], r->vibration[0]);
}

static void push_loss(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    lua_pushnumber(L, r->energy_before - r->energy_after);
}

static void push_loss_fraction(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    lua_pushnumber(L, 1 - r->energy_after / r->energy_before);
}

static void push_peak(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    lua_createtable(L, 0, 4);
    set(L, "n", r->peak[1]);
    set(L, "t", r->peak[0]);
    set(L, "n_time", r->peak_time[1]);
    set(L, "t_time", r->peak_time[0]);
    pc_record_seal(L, "");
}

/* Hertz's impact, and what of the method's assumptions is strained. */
static void push_hertz(lua_State *L, void *self)
{
    const pc_elastic_scales *s = &((bound_hit *)self)->hit.scales;
    lua_createtable(L, 0, 4);
    set(L, "contact_radius", s->contact_radius);
    set(L, "depth", s->depth);
    set(L, "peak", s->force);
    set(L, "duration", s->duration);
    pc_record_seal(L, "depth peak");
}

static double displacement(const bound_hit *hit)
{
    return hit->hit.result.greatest_slip / hit->hit.scales.contact_radius;
}

static double steepness(const bound_hit *hit)
{
    return hit->body.shape.flat ? 0 : hit->hit.scales.contact_radius / pc_elastic_shape_curvature(&hit->body.shape);
}

/* A contact point that goes this far, in contact radii, takes the contact along; terms of order (a/R)^2 that the method
 * lacks reach a hundredth of the result; the estimate of the error is above the tolerance. */
static const double FAR = 0.5, STEEP = 0.1;

#define FLAG_WORDS                                                                                                     \
    "gained_energy e_above_one reverse_slip gross_stick gross_slip recompression jam displaced steep unresolved"

static void push_flags(lua_State *L, void *self)
{
    const bound_hit *hit = self;
    const pc_elastic_result *r = &hit->hit.result;
    int forward = 0, backward = 0, sticks = 0;
    for (int i = 0; i < r->n_phases; i++) {
        forward += r->phases[i].sign > 0;
        backward += r->phases[i].sign < 0;
        sticks += r->phases[i].sign == 0;
    }
    const struct {
        const char *word;
        bool holds;
    } words[] = {
        {"reverse_slip", forward && backward},       {"gross_stick", sticks && !forward && !backward},
        {"gross_slip", !sticks && r->n_phases == 1}, {"recompression", r->contacts > 1},
        {"displaced", displacement(hit) > FAR},      {"steep", steepness(hit) > STEEP},
        {"unresolved", hit->hit.unresolved},
    };
    lua_newtable(L);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i].holds) continue;
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, words[i].word);
    }
    pc_record_seal(L, FLAG_WORDS);
}

static void push_method(lua_State *L, void *self)
{
    const bound_hit *hit = self;
    const pc_elastic_result *r = &hit->hit.result;
    lua_createtable(L, 0, 10);
    lua_pushinteger(L, hit->hit.cells);
    lua_setfield(L, -2, "cells");
    lua_pushinteger(L, hit->hit.meshes);
    lua_setfield(L, -2, "meshes");
    lua_pushinteger(L, r->steps);
    lua_setfield(L, -2, "steps");
    set(L, "step", r->step);
    set(L, "cell_steps", r->cell_steps);
    set(L, "balance", r->energy_error / r->energy_before);
    set(L, "momentum", r->momentum_error / (hit->hit.mass * hit->motion.approach));
    set(L, "displacement", displacement(hit));
    set(L, "steepness", steepness(hit));
    pc_record_seal(L, "");
}

static void push_uncertainty(lua_State *L, void *self)
{
    const bound_hit *hit = self;
    if (isnan(hit->hit.error_unit)) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, 0, 4);
    set(L, "restitution", hit->hit.error_restitution);
    set(L, "velocity", hit->hit.error_unit * pc_elastic_unit(&hit->body, &hit->motion));
    set(L, "duration", hit->hit.error_duration * hit->hit.scales.duration);
    set(L, "peak", hit->hit.error_peak * hit->hit.result.peak[1]);
    pc_record_seal(L, "");
}

static void push_object(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, HIT_BODY);
}

/* ---- histories ---- */

static const pc_property history_fields[] = {
    {"t", NULL, "s", "time since the first touch, an array as all others"},
    {"F_n", NULL, "N", "normal force: means over four-hundredths of the Hertz contact time"},
    {"F_t", NULL, "N", "tangential force of the plane on the body"},
    {"v_n", NULL, "m/s", "normal velocity of the rigid part of the motion"},
    {"v_t", NULL, "m/s", "tangential velocity of the contact point by the rigid part of the motion"},
    {"contact_radius", NULL, "m", "half-way between the outermost ring that touches and the next: known to one cell"},
    {"stick_radius", NULL, "m", "radius of the outermost ring that sticks"},
    {"names", NULL, NULL, "list of the columns"},
    {"units", NULL, NULL, "their units by name"},
    {0},
};
static const pc_type type_history = {
    .name = "percuss.elastic_history",
    .summary = "The history of an impact of an elastic body: columns over time.",
    .properties = history_fields,
};

static double sample_value(const pc_elastic_sample *s, int column)
{
    const double values[] = {s->t, s->normal, s->tangential, s->v_n, s->v_t, s->contact_radius, s->stick_radius};
    return values[column];
}

enum { N_COLUMNS = 7 };

static void push_history(lua_State *L, void *self)
{
    const pc_elastic_result *r = &((bound_hit *)self)->hit.result;
    lua_createtable(L, 0, N_COLUMNS + 2);
    for (int c = 0; c < N_COLUMNS; c++) {
        pc_array *a = pc_array_new(L, (size_t)r->n_samples);
        for (int i = 0; i < r->n_samples; i++) a->v[i] = sample_value(&r->samples[i], c);
        lua_setfield(L, -2, history_fields[c].name);
    }
    lua_createtable(L, N_COLUMNS, 0);
    lua_createtable(L, 0, N_COLUMNS);
    for (int c = 0; c < N_COLUMNS; c++) {
        lua_pushstring(L, history_fields[c].name);
        lua_rawseti(L, -3, c + 1);
        lua_pushstring(L, history_fields[c].unit);
        lua_setfield(L, -2, history_fields[c].name);
    }
    lua_setfield(L, -3, "units");
    lua_setfield(L, -2, "names");
    pc_record_make(L, &type_history);
}

static const pc_property pressure_fields[] = {
    {"time", NULL, "s", "of the sample that was taken"},
    {"radius", NULL, "m", "of the rings, an array"},
    {"pressure", NULL, "Pa", "on each, an array"},
    {"traction", NULL, "Pa", "along the plane on each, an array; with radial_friction along the radius"},
    {"limit", NULL, "Pa", "mu times the pressure, an array: where the traction has this magnitude, the ring slips"},
    {"contact_radius", NULL, "m", "as in the history"},
    {"stick_radius", NULL, "m", "as in the history"},
    {0},
};
static const pc_type type_pressure = {
    .name = "percuss.elastic_pressure",
    .summary = "Pressure and traction over the rings of a contact at one moment.",
    .properties = pressure_fields,
};

/* hit:pressure(t) -> record */
static int pressure(lua_State *L)
{
    const bound_hit *hit = check_hit(L);
    double t = pc_argument_number(L, 2);
    const pc_elastic_result *r = &hit->hit.result;
    const double end = r->samples[r->n_samples - 1].t;
    if (!(t >= 0 && t <= end))
        return pc_refuse(L, "pressure: t = %f s is outside the history, which goes from 0 to %f s", t, end);
    int at = 0, n = hit->hit.n_rings;
    while (at + 1 < r->n_samples && fabs(r->samples[at + 1].t - t) <= fabs(r->samples[at].t - t)) at++;
    const double *force = r->rings + (size_t)at * 2 * (size_t)n;
    lua_createtable(L, 0, 7);
    set(L, "time", r->samples[at].t);
    set(L, "contact_radius", r->samples[at].contact_radius);
    set(L, "stick_radius", r->samples[at].stick_radius);
    static const char *const names[] = {"radius", "pressure", "traction", "limit"};
    for (int c = 0; c < 4; c++) {
        pc_array *a = pc_array_new(L, (size_t)n);
        for (int i = 0; i < n; i++) {
            double p = force[i] / hit->hit.area[i];
            a->v[i] = c == 0   ? hit->hit.radius[i]
                      : c == 1 ? p
                      : c == 2 ? force[n + i] / hit->hit.area[i]
                               : hit->motion.friction * p;
        }
        lua_setfield(L, -2, names[c]);
    }
    pc_record_make(L, &type_pressure);
    return 1;
}

/* ---- fields ---- */

typedef struct section_options {
    int quantity, points;
} section_options;

static const char *const quantity_words[] = {"stress",   "pressure", "sigma_tt", "sigma_nn",
                                             "sigma_tn", "u_t",      "u_n",      NULL};

static const pc_row section_rows[] = {
    PC_CHOICE_ROW(section_options, quantity, "quantity", quantity_words, .initial = 0,
                  .doc = "stress: the equivalent one of von Mises, pressure: the mean one, sigma_tt, sigma_nn, "
                         "sigma_tn (Pa), or displacements u_t, u_n (m)"),
    {.name = "times",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_S,
     .initial = PC_REQUIRED,
     .allowed = PC_NONNEGATIVE,
     .doc = "since the first touch, ascending; the nearest steps are taken"},
    {.name = "x",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .otherwise = "all of the body",
     .allowed = PC_ANY,
     .doc = "{ least, greatest } along t, from the axis"},
    {.name = "z",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .otherwise = "all of the body",
     .allowed = PC_ANY,
     .doc = "{ least, greatest } along n, from the plane"},
    PC_ROW(section_options, points, "points", .initial = 121, .allowed = PC_BETWEEN(3, 1001),
           .doc = "of the grid along the longer side; the other has as many as make its cells square"),
};
static const pc_schema section_schema = {
    .name = "elastic_impact:section", PC_ROWS(section_rows), .size = sizeof(section_options)};

static const pc_property section_fields[] = {
    {"time", NULL, "s", "of the step that was taken"},
    {"x", NULL, "m", "along t from the axis, an array"},
    {"z", NULL, "m", "along n from the plane, an array"},
    {"values", NULL, NULL,
     "of the quantity, an array: all z for each x in turn, as charts take it; NaN outside of the body"},
    {"unit", NULL, NULL, "of the values"},
    {0},
};
static const pc_type type_section = {
    .name = "percuss.elastic_section",
    .summary = "A field in the section of an elastic body along t and n, at one moment.",
    .properties = section_fields,
};

typedef struct filming {
    pc_elastic_section section;
    double *times;   /* of the steps that were taken */
    double **frames; /* room that Lua owns */
} filming;

static pc_status film(void *context, const pc_elastic_model *model, int which, double t,
                      const pc_elastic_field u[PC_ELASTIC_HARMONICS], const double *const contact[PC_ELASTIC_HARMONICS],
                      pc_error *err)
{
    filming *f = context;
    f->times[which] = t;
    return pc_elastic_section_sample(model, &f->section, u, contact, f->frames[which], err);
}

/* { least, greatest } at the word, or what is there without one. */
static void read_extent(lua_State *L, const char *name, double out[2])
{
    size_t n;
    const double *given = pc_option_numbers(L, 2, &section_schema, name, &n);
    if (!given) return;
    if (n != 2 || !(given[0] < given[1])) pc_refuse(L, "section: %s must be { least, greatest }", name);
    out[0] = given[0], out[1] = given[1];
}

static void push_axis(lua_State *L, const char *name, const double ends[2], int n)
{
    pc_array *a = pc_array_new(L, (size_t)n);
    for (int i = 0; i < n; i++) a->v[i] = ends[0] + (ends[1] - ends[0]) * i / (n - 1);
    lua_setfield(L, -2, name);
}

/* hit:section(options) -> list of sections */
static int section(lua_State *L)
{
    const bound_hit *hit = check_hit(L);
    lua_settop(L, 2);
    section_options o;
    pc_options_take(L, 2, &section_schema, &o);
    const double R = hit->hit.scales.width, H = hit->hit.scales.top;
    const double end = hit->hit.result.samples[hit->hit.result.n_samples - 1].t;
    filming f = {.section = {.quantity = (pc_elastic_quantity)o.quantity, .x = {-R, R}, .z = {0, H}}};
    read_extent(L, "x", f.section.x);
    read_extent(L, "z", f.section.z);
    double width = f.section.x[1] - f.section.x[0], height = f.section.z[1] - f.section.z[0];
    double cell = fmax(width, height) / (o.points - 1);
    f.section.nx = (int)fmax(3, round(width / cell) + 1), f.section.nz = (int)fmax(3, round(height / cell) + 1);
    size_t n;
    const double *times = pc_option_numbers(L, 2, &section_schema, "times", &n);
    for (size_t i = 0; i < n; i++) {
        if (!(times[i] <= end))
            return pc_refuse(L, "section: times[%d] = %f s is outside the history, which ends at %f s", (int)i + 1,
                             times[i], end);
        if (i > 0 && times[i] < times[i - 1]) return pc_refuse(L, "section: times must ascend");
    }
    size_t points = (size_t)f.section.nx * (size_t)f.section.nz;
    if (n * points > 100000000)
        return pc_refuse(L, "section: %d fields of %d points are too many", (int)n, (int)points);
    f.times = lua_newuserdatauv(L, (n + 1) * sizeof *f.times, 0);
    f.frames = lua_newuserdatauv(L, (n + 1) * sizeof *f.frames, 0);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_createtable(L, 0, 5);
        push_axis(L, "x", f.section.x, f.section.nx);
        push_axis(L, "z", f.section.z, f.section.nz);
        f.frames[i] = pc_array_new(L, points)->v;
        lua_setfield(L, -2, "values");
        lua_pushstring(L, o.quantity >= PC_ELASTIC_U_T ? "m" : "Pa");
        lua_setfield(L, -2, "unit");
        pc_record_make(L, &type_section);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    pc_elastic_watch watch = {.times = times, .n = (int)n, .see = film, .context = &f};
    pc_error err = {0};
    pc_status status = pc_elastic_collide_again(&hit->body, &hit->motion, &hit->hit, &watch, &err);
    if (status == PC_E_INTERRUPTED) return pc_interrupt_raise(L, 0);
    if (status) return pc_raise(L, &err);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        set(L, "time", f.times[i]);
        lua_pop(L, 1);
    }
    return 1;
}

static const pc_property hit_properties[] = {
    {"outcome", push_outcome, NULL, "\"rebound\", always: the body is free"},
    {"wedged", push_wedged, NULL, "false"},
    {"regime", push_regime, NULL,
     "order of phases as a word: \"gross slip\", \"slip-stick-slip\", ...; \"frictionless\""},
    {"phases", push_phases, NULL,
     "list of phases: .kind (\"slip\" where every ring slips the same way, else \"stick\"), .sign of the slip along t "
     "(0 "
     "in stick), .start and .stop (s)"},
    {"duration", push_duration, "s", "how long the contact lasts"},
    {"compression_time", push_compression_time, "s", "when the mass centre turns"},
    {"impulse", push_impulse, "N s", "impulse of the plane on the body: .t, .n"},
    {"velocity", push_velocity, "m/s",
     "velocity of the contact point afterwards, by the rigid part of the motion: .t, .n"},
    {"velocity_before", push_velocity_before, "m/s", "velocity of the contact point before: .t, .n"},
    {"body", push_body, NULL,
     "rigid part of the motion afterwards: .v of the mass centre, a list { t, n } (m/s), and .omega (rad/s)"},
    {"body_before", push_body_before, NULL, "the motion before, in the same form as body"},
    {"restitution", push_restitution, "",
     "coefficients of restitution: .kinematic (e), .kinetic (R), .energetic (E), which are equal here but for errors"},
    {"impulse_ratio", push_impulse_ratio, "", "p_t/p_n: .total, .compression, .restitution"},
    {"energy", push_energy, "J",
     "of the rigid motion: .before, .after; left in .vibration; taken by .friction. They balance as method.balance "
     "says"},
    {"vibration", push_vibration, "J",
     "energy left in vibration by harmonic: .n of the axisymmetric one, .t of the one that bends and shears"},
    {"loss", push_loss, "J", "energy that the rigid motion has lost, to friction and vibration"},
    {"loss_fraction", push_loss_fraction, "", "energy that was lost, as a fraction of that before"},
    {"peak", push_peak, "N", "greatest forces: .n, .t, and when: .n_time, .t_time (s)"},
    {"hertz", push_hertz, NULL,
     "Hertz's impact of the same rigid body: .contact_radius (m), .depth (m), .peak (N), .duration (s); of flat ends "
     "the "
     "radius and 2 length/bar_speed"},
    {"flags", push_flags, NULL,
     "set of words: " FLAG_WORDS "; displaced: the contact point went farther than half a contact radius, and the "
     "method does not take the contact along; steep: the contact radius is more than a tenth of the body's, and terms "
     "of "
     "its square are not to be trusted; unresolved: the finest mesh did not meet the tolerance. method has their "
     "sizes"},
    {"method", push_method, NULL,
     "of the computation: .cells, .meshes, .steps, .step (s), .cell_steps (nodes times steps), .balance (greatest "
     "error of "
     "the energy over that before), .momentum (difference between momenta and impulses over m |vn|), .displacement and "
     ".steepness (see flags)"},
    {"uncertainty", push_uncertainty, NULL,
     "with a tolerance: estimated errors of .restitution (-), .velocity (of .t, m/s), .duration (s), .peak (N); else "
     "nil"},
    {"history", push_history, NULL, "elastic_history: forces, velocities, contact and stick radius over time"},
    {"object", push_object, NULL, "the body that struck"},
    {0},
};

static const pc_row pressure_params[] = {
    {.name = "t",
     .kind = PC_REAL,
     .unit = PC_UNIT_S,
     .initial = PC_REQUIRED,
     .doc = "since the first touch; the nearest sample is taken"},
    {0},
};

#define EXAMPLE                                                                                                        \
    "local ball = percuss.elastic.sphere{ radius = 0.02, material = percuss.material.steel }\n"                        \
    "local hit = percuss.elastic.collide(ball, { vt = 0.1, vn = -1, friction = 0.3, cells = 6 })\n"

static const pc_function hit_methods[] = {
    {"pressure", pressure, "Pressure and traction over the rings at a moment.", pressure_params, "elastic_pressure",
     NULL,
     EXAMPLE "local p = hit:pressure(hit.duration / 2)\n"
             "print(p.pressure[1] > p.pressure[3], p.pressure[6]) --> true\t0.0"},
    {"section", section,
     "Fields in the section along t and n at some moments, for which the impact is computed once more.",
     PC_TAKES(section_schema), "list of elastic_section", NULL,
     EXAMPLE "local s = hit:section{ quantity = 'u_n', times = { 0, hit.compression_time }, points = 21 }\n"
             "print(#s, s[1].values[231], s[2].values[231] < 0) --> 2\t0.0\ttrue"},
    {0},
};

static void hit_free(void *self)
{
    pc_elastic_hit_free(&((bound_hit *)self)->hit);
}

/* What strains the method or the computation, with its size. */
static void describe_flags(luaL_Buffer *b, const bound_hit *hit)
{
    char line[200];
    if (displacement(hit) > FAR) {
        snprintf(line, sizeof line,
                 "\n  displaced      by %.3g contact radii along the plane, which must be few tenths",
                 displacement(hit));
        luaL_addstring(b, line);
    }
    if (steepness(hit) > STEEP) {
        snprintf(line, sizeof line, "\n  steep          a/R = %.3g: terms of its square, %.2g, are not to be trusted",
                 steepness(hit), steepness(hit) * steepness(hit));
        luaL_addstring(b, line);
    }
    if (hit->hit.unresolved) luaL_addstring(b, "\n  unresolved     the finest mesh did not meet the tolerance");
}

static void hit_describe(lua_State *L, void *self)
{
    const bound_hit *hit = self;
    const pc_elastic_result *r = &hit->hit.result;
    const double unit = pc_elastic_unit(&hit->body, &hit->motion);
    char line[400];
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    snprintf(line, sizeof line,
             "impact of an elastic body: %s\n"
             "  duration       %g s, compression %g s, peak force %g N normal, %g N tangential\n"
             "  contact point  v_t %g -> %g m/s, v_n %g -> %g m/s\n",
             regime(r), r->duration, r->compression_time, r->peak[1], r->peak[0],
             hit->motion.vt + hit->motion.omega * hit->hit.scales.height, contact_velocity(hit), -hit->motion.approach,
             r->v_n);
    luaL_addstring(&b, line);
    snprintf(line, sizeof line,
             "  impulse        p_t = %g, p_n = %g N s, ratio %g\n"
             "  energy         before %g J, of which vibration %.3g, friction %.3g\n"
             "  mesh           %d cells, energy balanced to %.1g of itself",
             r->impulse[0], r->impulse[1], r->impulse[0] / r->impulse[1], r->energy_before,
             (r->vibration[0] + r->vibration[1]) / r->energy_before, fabs(r->friction_work) / r->energy_before,
             hit->hit.cells, r->energy_error / r->energy_before);
    luaL_addstring(&b, line);
    if (!isnan(hit->hit.error_unit)) {
        snprintf(line, sizeof line, "\n  uncertainty    e %.1g, v_t %.1g m/s, duration %.1g s",
                 hit->hit.error_restitution, hit->hit.error_unit * unit,
                 hit->hit.error_duration * hit->hit.scales.duration);
        luaL_addstring(&b, line);
    }
    describe_flags(&b, hit);
    luaL_pushresult(&b);
}

static const pc_type type_hit = {
    .name = "percuss.elastic_impact",
    .summary = "What happened in the impact of an elastic body: the fields of an impact, and what waves took.",
    .properties = hit_properties,
    .methods = hit_methods,
    .free = hit_free,
    .describe = hit_describe,
};

static bound_hit *check_hit(lua_State *L)
{
    return pc_type_check(L, 1, &type_hit);
}

static bool report(void *context, double share)
{
    pc_callback *callback = context;
    pc_error err = {0};
    lua_pushnumber(callback->L, share);
    if (pc_callback_call(callback, 1, 1, &err)) return false;
    bool stops = lua_isboolean(callback->L, -1) && !lua_toboolean(callback->L, -1);
    lua_pop(callback->L, 1);
    return !stops;
}

/* collide(body, options) -> elastic_impact */
static int collide(lua_State *L)
{
    const bound_elastic *bound = pc_type_check(L, 1, &type_body);
    lua_settop(L, 2);
    striking s;
    pc_options_take(L, 2, &striking_schema, &s);
    bound_hit *self = pc_type_new(L, &type_hit, sizeof *self, HIT_USERVALUES);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 3, HIT_BODY);
    self->body = bound->body;
    pc_elastic_scales scales;
    pc_elastic_body_scales(&bound->body, -s.vn, &scales);
    self->motion = (pc_elastic_motion){.vt = s.vt - s.omega * scales.height,
                                       .approach = -s.vn,
                                       .omega = s.omega,
                                       .friction = s.friction,
                                       .radial_friction = s.radial_friction};
    pc_callback callback = {0};
    pc_elastic_watch watch = {.progress = report, .context = &callback};
    bool told = pc_option_push(L, 2, "progress");
    if (told) pc_callback_open(L, lua_gettop(L), "progress", &callback);
    pc_elastic_request request = {
        .motion = self->motion, .cells = s.cells, .tolerance = s.tolerance, .watch = told ? &watch : NULL};
    pc_error err = {0};
    pc_status status = pc_elastic_collide(&bound->body, &request, &self->hit, &err);
    if (callback.failed) return pc_callback_raise(&callback);
    if (status == PC_E_INTERRUPTED) return pc_interrupt_raise(L, 0);
    if (status) return pc_raise(L, &err);
    lua_settop(L, 3);
    return 1;
}

static const pc_row collide_params[] = {
    {.name = "body",
     .kind = PC_OBJECT,
     .object = "elastic_body",
     .initial = PC_REQUIRED,
     .doc = "the body that strikes"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &striking_schema,
     .initial = PC_REQUIRED,
     .doc = "how it strikes, and how finely that is computed"},
    {0},
};

static const pc_function functions[] = {
    {"collide", collide,
     "The impact of an elastic body on a rigid plane with friction by elastodynamics: waves, stick and slip ring by "
     "ring, "
     "and no law of contact. Two equal bodies head-on without friction are the same problem, each with half of their "
     "relative velocity.",
     collide_params, "elastic_impact",
     "Lai (1999), chapter 6; Maw, Barber and Fawcett, Wear 38 (1976), for the assumptions on friction",
     EXAMPLE "print(hit.regime, hit.restitution.kinematic > 0.999) --> stick-slip\ttrue"},
    {0},
};

void pc_open_elastic(lua_State *L)
{
    pc_type_open(L, &type_body);
    pc_type_open(L, &type_hit);
    pc_record_open(L, &type_history);
    pc_record_open(L, &type_pressure);
    pc_record_open(L, &type_section);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        pc_constructor_open(L, &schemas[i], body_new, &schemas[i]);
    pc_functions_open(L, "elastic", functions);
    pc_module_strict(L, "elastic");
    lua_setfield(L, -2, "elastic");
}
