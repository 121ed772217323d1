/* The module percuss.impulse: what rigid impact theory knows beyond the impact itself: the path through impulse space,
 * bounds of the impulse ratio, and the flow of sliding. */
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "law/rigid/impulse_spatial.h"
#include "law/rigid/rigid.h"

#include <math.h>
#include <stdlib.h>

static void set_number(lua_State *L, const char *key, double x)
{
    if (isnan(x)) return;
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

/* ---- the path ---- */

static const struct {
    const char *name, *unit;
} columns[] = {
    {"p_n", "N s"}, {"p_t", "N s"},  {"p_t2", "N s"}, {"v_n", "m/s"},
    {"v_t", "m/s"}, {"v_t2", "m/s"}, {"W_n", "J"},    {"W_f", "J"},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void state_values(const pc_state *s, double out[N_COLUMNS])
{
    const double values[N_COLUMNS] = {s->p[PC_N], s->p[PC_T],  s->p[PC_T2], s->v[PC_N],
                                      s->v[PC_T], s->v[PC_T2], s->work_n,   s->work_f};
    for (int i = 0; i < N_COLUMNS; i++) out[i] = values[i];
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The corners: where phases start and stop, and the end of compression. */
static size_t corners(const pc_impact *impact, double *p)
{
    size_t n = 0;
    for (int k = 0; k < impact->n_phases; k++) p[n++] = impact->phases[k].start.p[PC_N];
    p[n++] = impact->impulse[PC_N];
    double compression = impact->impulse_compression[PC_N];
    if (compression > 0 && compression < impact->impulse[PC_N]) p[n++] = compression;
    return n;
}

static const pc_property path_fields[] = {
    {"p_n", NULL, "N s", "normal impulse up to the point, an array, as all columns"},
    {"p_t", NULL, "N s", "tangential impulse up to there"},
    {"p_t2", NULL, "N s", "in space: that along the second tangent"},
    {"v_n", NULL, "m/s", "normal velocity of the contact point"},
    {"v_t", NULL, "m/s", "tangential velocity of the contact point"},
    {"v_t2", NULL, "m/s", "in space: that along the second tangent"},
    {"W_n", NULL, "J", "work of the normal impulse up to there"},
    {"W_f", NULL, "J", "work of friction up to there"},
    {"names", NULL, NULL, "list of the columns"},
    {"units", NULL, NULL, "their units by name"},
    {0},
};
static const pc_type type_path = {
    .name = "percuss.impulse_path",
    .summary = "The path of a rigid impact through impulse space, in columns.",
    .properties = path_fields,
};

/* path(hit, [n]) -> { names =, units =, p_n = array, ... } */
static int path(lua_State *L)
{
    const pc_bound_impact *hit = pc_type_check(L, 1, &pc_type_impact);
    lua_Integer n_more = pc_argument_integer_or(L, 2, 0);
    pc_argument_check(L, n_more >= 0 && n_more <= 10000000, 2, "must be from 0 to 1e7");
    lua_getiuservalue(L, 1, PC_IMPACT_LAW);
    const pc_bound_law *law = lua_touserdata(L, -1);
    if (!law->law->path)
        return pc_refuse(L, "path: %s follows its impact in time, not in impulse: see impact:trace",
                         law->law->schema->name);
    lua_settop(L, 1);

    /* work space and columns belong to Lua, so that an error leaves nothing behind */
    size_t room = (size_t)n_more + (size_t)hit->impact.n_phases + 2;
    double *p = lua_newuserdatauv(L, room * sizeof *p, 0);
    pc_state *states = lua_newuserdatauv(L, room * sizeof *states, 0);
    size_t n = corners(&hit->impact, p);
    double compression = hit->impact.impulse_compression[PC_N];
    for (lua_Integer i = 1; i <= n_more; i++) p[n++] = hit->impact.impulse[PC_N] * (double)i / (double)(n_more + 1);
    qsort(p, n, sizeof *p, compare_numbers);
    pc_error err = {0};
    const pc_mobility W = pc_collision_mobility(hit);
    if (law->law->path(law->params, &W, &hit->impact, p, n, states, &err)) return pc_raise(L, &err);

    lua_createtable(L, 0, N_COLUMNS + 2);
    lua_createtable(L, N_COLUMNS, 0);
    lua_createtable(L, 0, N_COLUMNS);
    double *out[N_COLUMNS];
    for (int c = 0; c < N_COLUMNS; c++) {
        lua_pushstring(L, columns[c].name);
        lua_rawseti(L, -3, c + 1);
        lua_pushstring(L, columns[c].unit);
        lua_setfield(L, -2, columns[c].name);
        out[c] = pc_array_new(L, n)->v;
        lua_setfield(L, -4, columns[c].name);
    }
    lua_setfield(L, -3, "units");
    lua_setfield(L, -2, "names");
    pc_record_make(L, &type_path);
    for (size_t i = 0; i < n; i++) {
        double row[N_COLUMNS];
        if (p[i] == compression) states[i].v[PC_N] = 0; /* by definition: the rounding of interpolation goes */
        state_values(&states[i], row);
        for (int c = 0; c < N_COLUMNS; c++) out[c][i] = row[c];
    }
    return 1;
}

/* ---- bounds ---- */

static const pc_property bounds_fields[] = {
    {"sticking", NULL, "", "mu_0: the ratio after which nothing slides; nil where no ratio does that"},
    {"greatest_loss", NULL, "", "mu_max: mu_0 at e = 0, the ratio of the greatest loss"},
    {"lossless", NULL, "",
     "list of the two ratios at which no energy is lost, the lesser first; mu_T is that on the side of mu_0; nil where "
     "there are no two"},
    {0},
};
static const pc_type type_bounds = {
    .name = "percuss.impulse_bounds",
    .summary = "Impulse ratios p_t/p_n that bound a planar impact.",
    .properties = bounds_fields,
};

/* bounds(body, motion, e) -> { sticking =, greatest_loss =, lossless = { lo, hi } } */
static int bounds(lua_State *L)
{
    const pc_body *body = pc_type_check(L, 1, &pc_type_body);
    double u[PC_BODY_DOF] = {0}, v0[3] = {0};
    pc_body_motion_read(L, 2, body, u, v0);
    double e = pc_argument_number(L, 3);
    pc_argument_check(L, e >= 0 && e <= 1, 3, "must be from 0 to 1");
    pc_argument_check(L, v0[PC_N] < 0, 2, "must approach: vn < 0");
    pc_mobility plane;
    pc_error err = {0};
    if (pc_ratio_plane("impulse.bounds", &body->W, v0, &plane, &err)) return pc_raise(L, &err);
    double lossless[2];
    pc_ratio_lossless(&plane, v0, e, lossless);
    lua_createtable(L, 0, 3);
    set_number(L, "sticking", pc_ratio_reaching(&plane, v0, e, 0));
    set_number(L, "greatest_loss", pc_ratio_reaching(&plane, v0, 0, 0));
    if (!isnan(lossless[0]) && !isnan(lossless[1])) {
        lua_createtable(L, 2, 0);
        for (int i = 0; i < 2; i++) {
            lua_pushnumber(L, lossless[i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, "lossless");
    }
    pc_record_make(L, &type_bounds);
    return 1;
}

/* ---- flow ---- */

static const pc_body *check_spatial(lua_State *L, const char *function)
{
    const pc_body *body = pc_type_check(L, 1, &pc_type_body);
    if (body->W.t2t2 > 0) return body;
    pc_refuse(L, "%s: the body moves in a plane alone; give it a second tangent (spatial = true, or a 3 x 3 mobility)",
              function);
    return NULL;
}

static double check_friction(lua_State *L, int index, const char *function)
{
    double mu = pc_argument_number(L, index);
    if (!(mu >= 0 && mu < INFINITY))
        pc_refuse(L, "%s: friction (mu) = %f is not allowed; it must be finite and >= 0", function, mu);
    return mu;
}

static void push_direction(lua_State *L, const pc_flow_direction *d)
{
    static const char *const kinds[] = {"node sink", "node source", "saddle", "degenerate"};
    lua_createtable(L, 0, 5);
    set_number(L, "angle", d->angle);
    set_number(L, "growth", d->growth);
    set_number(L, "turning", d->turn_by_phi);
    lua_pushstring(L, kinds[d->kind]);
    lua_setfield(L, -2, "kind");
    lua_pushboolean(L, d->turn_by_phi < 0);
    lua_setfield(L, -2, "attracting");
    pc_record_seal(L, "");
}

static const pc_property flow_fields[] = {
    {"friction", NULL, "", "coefficient of friction mu"},
    {"critical_friction", NULL, "", "mu from which on a contact whose slip has stopped sticks; nil where none does"},
    {"invariant", NULL, NULL,
     "list of the directions in which slip keeps its direction: .angle (rad, from t towards t2), .growth and .turning "
     "(1/kg: eigenvalues of the flow along and across it), .kind (node sink, node source, saddle, "
     "degenerate), .attracting (boolean)"},
    {"change", NULL, "rad", "list of the angles, from t towards t2, at which the speed turns from falling to rising"},
    {"every_direction", NULL, NULL, "true if slip keeps any direction; the list of the invariant ones is empty then"},
    {"after_stop", NULL, NULL,
     "what follows when slip stops: .sticks (boolean); if it does, .ratio_t and .ratio_t2, force over normal force "
     "(-); else .angle of the new slip (rad, from t towards t2) and its .growth (1/kg)"},
    {"count", NULL, "", "of directions: .invariant, of these .attracting and .repelling; .change"},
    {"body", NULL, NULL, "the body"},
    {0},
};
static const pc_type type_flow = {
    .name = "percuss.flow",
    .summary = "The flow of sliding of a body: how the slip velocity turns and grows while normal impulse accrues.",
    .properties = flow_fields,
};

/* flow(body, mu) -> flow */
static int flow(lua_State *L)
{
    const pc_body *body = check_spatial(L, "impulse.flow");
    double mu = check_friction(L, 2, "impulse.flow");
    pc_flow f;
    pc_error err = {0};
    if (pc_flow_make(&body->W, mu, &f, &err)) return pc_raise(L, &err);
    lua_createtable(L, 0, 8);
    lua_createtable(L, f.n_invariant, 0);
    int attracting = 0;
    for (int i = 0; i < f.n_invariant; i++) {
        push_direction(L, &f.invariant[i]);
        lua_rawseti(L, -2, i + 1);
        attracting += f.invariant[i].turn_by_phi < 0;
    }
    lua_setfield(L, -2, "invariant");
    lua_createtable(L, f.n_change, 0);
    for (int i = 0; i < f.n_change; i++) {
        lua_pushnumber(L, f.change[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "change");
    lua_pushboolean(L, f.every_direction);
    lua_setfield(L, -2, "every_direction");
    set_number(L, "friction", mu);
    set_number(L, "critical_friction", f.critical_friction);
    lua_createtable(L, 0, 3);
    lua_pushboolean(L, f.sticks);
    lua_setfield(L, -2, "sticks");
    if (f.sticks) {
        set_number(L, "ratio_t", f.ratio[0]);
        set_number(L, "ratio_t2", f.ratio[1]);
    } else {
        set_number(L, "angle", f.restart);
        set_number(L, "growth", f.restart_growth);
    }
    pc_record_seal(L, "ratio_t ratio_t2 angle growth");
    lua_setfield(L, -2, "after_stop");
    lua_createtable(L, 0, 4);
    lua_pushinteger(L, f.n_invariant);
    lua_setfield(L, -2, "invariant");
    lua_pushinteger(L, attracting);
    lua_setfield(L, -2, "attracting");
    lua_pushinteger(L, f.n_invariant - attracting);
    lua_setfield(L, -2, "repelling");
    lua_pushinteger(L, f.n_change);
    lua_setfield(L, -2, "change");
    pc_record_seal(L, "");
    lua_setfield(L, -2, "count");
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "body");
    pc_record_make(L, &type_flow);
    return 1;
}

/* trajectory(body, mu, vt, vt2, options) -> array of vt, array of vt2 */
static int trajectory(lua_State *L)
{
    const pc_body *body = check_spatial(L, "impulse.trajectory");
    double mu = check_friction(L, 2, "impulse.trajectory");
    double v[2] = {pc_argument_number(L, 3), pc_argument_number(L, 4)};
    double speed = hypot(v[0], v[1]);
    pc_argument_check(L, speed > 0 && speed < INFINITY, 3, "must be a velocity that is not 0");
    double span = pc_argument_number_or(L, 5, 8);
    lua_Integer n = pc_argument_integer_or(L, 6, 200);
    pc_argument_check(L, span > 0 && span < INFINITY, 5, "must be a positive number");
    pc_argument_check(L, n >= 2 && n <= 1000000, 6, "must be from 2 to 1e6");
    double unit = hypot(body->W.tn, body->W.t2n) + mu * (body->W.tt + body->W.t2t2);
    if (!(unit > 0)) unit = 1;
    double *room = lua_newuserdatauv(L, 2 * (size_t)n * sizeof *room, 0);
    size_t first = 0, kept = pc_flow_trajectory(&body->W, mu, v, -span / unit, span / unit, (size_t)n, 1e-6 * speed,
                                                1e3 * speed, room, room + n, &first);
    for (int c = 0; c < 2; c++) {
        double *out = pc_array_new(L, kept)->v;
        for (size_t i = 0; i < kept; i++) out[i] = room[(size_t)(c * n) + first + i];
    }
    return 2;
}

#define EXAMPLE_HIT                                                                                                    \
    "local rod = percuss.body.rod{ mass = 1, length = 1, angle = -45*percuss.deg }\n"                                  \
    "local hit = percuss.collide(rod, percuss.contact.stronge{ E = 1, mu = 0.01 }, { vt = 0.6, vn = -1 })\n"

#define PENDULUM                                                                                                       \
    "local c, s = math.cos(60*percuss.deg), math.sin(60*percuss.deg)\n"                                                \
    "local body = percuss.body.matrix{ W = {{ c*c, c*s, 0 }, { c*s, s*s, 0 }, { 0, 0, 1 }} }\n"

#define BODY                                                                                                           \
    {                                                                                                                  \
        .name = "body", .kind = PC_OBJECT, .object = "body", .initial = PC_REQUIRED,                                   \
        .doc = "a body with a second tangent"                                                                          \
    }
#define FRICTION                                                                                                       \
    {                                                                                                                  \
        .name = "friction", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "coefficient of friction mu, >= 0"         \
    }

static const pc_row path_params[] = {
    {.name = "hit", .kind = PC_OBJECT, .object = "impact", .initial = PC_REQUIRED, .doc = "an impact by a rigid law"},
    {.name = "n",
     .kind = PC_INTEGER,
     .doc = "further points, equally spaced in normal impulse; corners are always there"},
    {0},
};
static const pc_row bounds_params[] = {
    {.name = "body", .kind = PC_OBJECT, .object = "body", .initial = PC_REQUIRED, .doc = "the body that strikes"},
    {.name = "motion",
     .kind = PC_TABLE,
     .options = &pc_motion_schema,
     .initial = PC_REQUIRED,
     .doc = "its motion, as for collide"},
    {.name = "restitution", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "kinematic coefficient e"},
    {0},
};
static const pc_row flow_params[] = {BODY, FRICTION, {0}};
static const pc_row trajectory_params[] = {
    BODY,
    FRICTION,
    {.name = "vt",
     .kind = PC_REAL,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_REQUIRED,
     .doc = "tangential velocity at a point of the curve, along t"},
    {.name = "vt2", .kind = PC_REAL, .unit = PC_UNIT_M_PER_S, .initial = PC_REQUIRED, .doc = "along t2"},
    {.name = "span",
     .kind = PC_REAL,
     .initial = 8,
     .doc = "how far to follow it to either side, in units of the greatest rate"},
    {.name = "n", .kind = PC_INTEGER, .initial = 200, .doc = "number of points"},
    {0},
};

static const pc_function functions[] = {
    {"path", path,
     "The path of a rigid impact through impulse space: states at its corners (phases, end of compression) and "
     "between.",
     path_params, "impulse_path", "Routh (1905); Stronge (2000)",
     EXAMPLE_HIT "print(string.format(\"%.6f\", percuss.impulse.path(hit).v_n[2]))\n--> -0.010492"},
    {"bounds", bounds,
     "Impulse ratios p_t/p_n that bound a planar impact with restitution e: sticking (mu_0, nothing slides "
     "afterwards), "
     "greatest_loss (mu_max, at e = 0), lossless (the two with no loss, of which mu_T is that on the side of mu_0).",
     bounds_params, "impulse_bounds", "Brach (1993), with the corrected equation 22",
     "local rod = percuss.body.rod{ mass = 1, length = 1, angle = -45*percuss.deg }\n"
     "local b = percuss.impulse.bounds(rod, { vt = 0.2, vn = -1 }, 1)\n"
     "print(string.format(\"%.6f %.6f\", b.sticking, b.lossless[2]))\n--> 0.531915 0.454545"},
    {"flow", flow,
     "Directions of sliding: those that slip keeps, those in which its speed turns from falling to rising, and what "
     "happens after it stops. percuss.flow takes W in place of a body, too.",
     flow_params, "flow",
     "Bhatt and Koechling (1995); Birlik (2012), section 4.1.1, whose eigenvalues are these over mu",
     PENDULUM "local f = percuss.impulse.flow(body, 1)\n"
              "print(f.count.invariant, string.format(\"%.5f %s\", f.invariant[2].angle, f.invariant[2].kind))\n"
              "--> 4\t2.18628 saddle"},
    {"trajectory", trajectory,
     "How the tangential velocity moves while normal impulse accrues: the curve through a point, both ways.",
     trajectory_params, "array, array: v_t and v_t2 (m/s)", "Bhatt and Koechling (1995)",
     PENDULUM "local vt, vt2 = percuss.impulse.trajectory(body, 1, -0.5, 0.4)\nprint(#vt == #vt2) --> true"},
    {0},
};

void pc_open_impulse(lua_State *L)
{
    pc_record_open(L, &type_path);
    pc_record_open(L, &type_bounds);
    pc_record_open(L, &type_flow);
    lua_newtable(L);
    pc_functions_open(L, "impulse", functions);
    pc_module_strict(L, "impulse");
    lua_setfield(L, -2, "impulse");
}
