/* percuss.map: one law over arrays of motions and parameters.
 *
 * Every name in the options is a component of the motion, a parameter of the law or a parameter of the body; a number
 * holds for all points, an array varies. The columns are prepared here and one call runs them all.
 */
#include "bind/argument.h"
#include "bind/array_parts.h"
#include "bind/bind_array.h"
#include "bind/bind_map_parts.h"
#include "bind/bind_sweep.h"
#include "bind/register.h"

#include <math.h>
#include <string.h>

enum { COPIES = PC_MAP_OPTIONS + 1 };

static const pc_property map_fields[] = {
#define PC_MAP_OUTPUT(id, name, unit, doc) {name, NULL, unit, doc},
#include "law/map_outputs.def"
#undef PC_MAP_OUTPUT
    {"loss_fraction", NULL, "", "energy lost as a fraction of the body's kinetic energy before"},
    {"vt0", NULL, "m/s", "tangential velocity of the contact point before"},
    {"vn0", NULL, "m/s", "normal velocity of the contact point before"},
    {"names", NULL, NULL, "list of the columns that were wanted"},
    {"units", NULL, NULL, "their units by name"},
    {0},
};
enum { LOSS_FRACTION = PC_N_MAP_OUTPUTS, VT0, VN0, N_OUTPUTS };

static const pc_type type_map = {
    .name = "percuss.map",
    .summary = "Many impacts: columns with a number for each, as arrays.",
    .properties = map_fields,
};

/* Which outputs are wanted: all, or those that `columns` lists. */
static void read_columns(lua_State *L, bool wanted[N_OUTPUTS])
{
    int type = lua_getfield(L, PC_MAP_OPTIONS, "columns");
    for (int k = 0; k < N_OUTPUTS; k++) wanted[k] = type == LUA_TNIL;
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    if (type != LUA_TTABLE) pc_refuse(L, "map: columns must be a list of names, not a %s", lua_typename(L, type));
    lua_Integer n = luaL_len(L, -1);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, -1, i);
        const char *name = luaL_tolstring(L, -1, NULL);
        int k = 0;
        while (k < N_OUTPUTS && strcmp(name, map_fields[k].name) != 0) k++;
        if (k == N_OUTPUTS) {
            const char *words[N_OUTPUTS];
            for (int j = 0; j < N_OUTPUTS; j++) words[j] = map_fields[j].name;
            const char *near = pc_nearest(name, words, N_OUTPUTS);
            pc_refuse(L, "map: there is no column '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
        }
        wanted[k] = true;
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

/* The motion varies and nothing else in { vt, vn } of a body that is not jointed: the arrays serve as they are. */
static bool plain_motion(const pc_map_request *r, const pc_map_motion *m)
{
    return !r->body_varies && r->body->body.form != PC_BODY_JOINTED &&
           (m->values[PC_MOTION_VT] || m->values[PC_MOTION_VN]) && !m->values[PC_MOTION_SPEED] &&
           !m->values[PC_MOTION_INCIDENCE] && !m->values[PC_MOTION_RATE];
}

static void *copy_params(lua_State *L, const void *params, size_t size)
{
    void *copy = lua_newuserdatauv(L, size ? size : 1, 0);
    memcpy(copy, params, size);
    luaL_ref(L, COPIES);
    return copy;
}

/* Arrays of velocities that serve as they are were not looked at before. */
static void refuse_motion(lua_State *L, const pc_map_columns *job)
{
    pc_error err = {0};
    for (size_t i = 0; i < job->n; i++) {
        double v_t = job->v_t.values ? job->v_t.values[i] : job->v_t.fixed;
        double v_n = job->v_n.values ? job->v_n.values[i] : job->v_n.fixed;
        if (!pc_map_velocity_is_finite(i, v_t, v_n, &err)) pc_raise(L, &err);
    }
}

static int map(lua_State *L)
{
    pc_map_request r = {.L = L,
                        .body = pc_type_check(L, PC_MAP_BODY, &pc_type_body),
                        .law = pc_type_check(L, PC_MAP_LAW, &pc_type_law)};
    pc_argument_type(L, PC_MAP_OPTIONS, LUA_TTABLE);
    lua_settop(L, PC_MAP_OPTIONS);
    lua_newtable(L); /* COPIES: keeps the copies of this call alive */
    lua_newtable(L);
    r.motion = lua_gettop(L);
    const pc_law *law = r.law->law;
    if (!(law->abilities & PC_LAW_PLANAR) || r.body->body.spatial)
        return pc_refuse(L, "map: it runs planar laws on planar bodies only");
    r.law_params = copy_params(L, r.law->params, law->schema->size);
    r.law_given = r.law->given;
    if (r.body->body.kind) {
        r.body_params = copy_params(L, r.body->params, r.body->body.kind->schema->size);
        r.body_given = r.body->given;
    }
    pc_map_read_options(&r);
    bool wanted[N_OUTPUTS];
    read_columns(L, wanted);
    pc_map_motion m;
    pc_map_open_motion(&r, &m);
    bool plain = plain_motion(&r, &m);
    pc_error err = {0};
    /* what is no column is derived here, once */
    if (r.law_varies && pc_map_set_rows(&r, PC_MAP_TO_LAW, law->schema, 0, true, r.law_params, r.law_given, &err)) {
        pc_map_name_point(err.code, 0, &err);
        return pc_raise(L, &err);
    }
    const pc_mobility *W = &r.body->body.W;
    pc_map_column rows[PC_MAP_ROWS_MAX];
    for (int k = 0; k < law->schema->n_rows; k++)
        rows[k] = (pc_map_column){NULL, pc_row_number(&law->schema->rows[k], r.law_params)};
    pc_map_fill context = {&r, &m};
    pc_map_filler filler = {
        .fill = pc_map_fill_block, .context = &context, .mobility = r.body_varies, .rows = r.law_varies};
    filler.motion = r.body_varies || (r.motion_varies && (!plain || wanted[LOSS_FRACTION]));
    pc_map job = {
        .columns = {.n = r.n,
                    .w_tt = {NULL, W->tt},
                    .w_tn = {NULL, W->tn},
                    .w_nn = {NULL, W->nn},
                    .rank = {NULL, W->rank},
                    .v_t = {plain ? m.values[PC_MOTION_VT] : NULL, plain ? m.fixed[PC_MOTION_VT] : m.v[PC_T]},
                    .v_n = {plain ? m.values[PC_MOTION_VN] : NULL, plain ? m.fixed[PC_MOTION_VN] : m.v[PC_N]},
                    .params = r.law_params,
                    .rows = rows},
        .filler = filler.mobility || filler.motion || filler.rows ? &filler : NULL,
        .energy = r.body->body.dof > 0 ? pc_body_energy(&r.body->body, m.u) : pc_mobility_energy(W, m.v),
    };

    /* results */
    lua_createtable(L, 0, N_OUTPUTS + 2);
    int result = lua_gettop(L);
    double *out[N_OUTPUTS] = {0};
    lua_newtable(L);
    lua_newtable(L);
    int names = result + 1, units = result + 2, n_names = 0;
    for (int k = 0; k < N_OUTPUTS; k++) {
        if (!wanted[k]) continue;
        out[k] = pc_array_push_unset(L, r.n)->v;
        lua_setfield(L, result, map_fields[k].name);
        lua_pushstring(L, map_fields[k].name);
        lua_rawseti(L, names, ++n_names);
        lua_pushstring(L, map_fields[k].unit);
        lua_setfield(L, units, map_fields[k].name);
    }
    memcpy(job.columns.out, out, sizeof job.columns.out);
    job.fraction = out[LOSS_FRACTION];
    job.before_t = out[VT0];
    job.before_n = out[VN0];

    size_t failed = 0;
    if (pc_law_map(law, &job, law->abilities & PC_LAW_SCRIPT ? 1 : pc_sweep_jobs(), &failed, &err))
        return pc_raise(L, &err);
    if (failed) {
        char text[PC_ERROR_TEXT];
        memcpy(text, err.text, sizeof text);
        refuse_motion(L, &job.columns);
        pc_fail(&err, PC_E_NUMERIC, "map: %zu of %zu impacts could not be computed; the first: %.300s", failed, r.n,
                text);
        return pc_raise(L, &err);
    }
    lua_setfield(L, result, "units");
    lua_setfield(L, result, "names");
    pc_record_make(L, &type_map);
    return 1;
}

static const pc_param map_params[] = {
    {"body", "body", NULL, NULL, "the body that strikes, in the plane"},
    {"law", "law", NULL, NULL, "a planar contact law"},
    {"options", "table", NULL, NULL,
     "motion (vt, vn | speed, incidence | rate | v, omega), parameters of the law and of the body by name: numbers, or "
     "arrays of equal length; columns = list of the wanted results (default: all)"},
    {0},
};

static const pc_function functions[] = {
    {"map", map, "Many impacts at once: any motion, law or body parameter may be an array.", map_params, "map", NULL,
     "local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }\n"
     "local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }\n"
     "local result = percuss.map(ball, spring, { vt = percuss.linspace(0, 3, 4), vn = -1 })\n"
     "print(#result.vt, result.vn[1])\n--> 4\t1.0"},
    {0},
};

void pc_open_map(lua_State *L)
{
    pc_record_open(L, &type_map);
    pc_functions_open(L, "", functions);
}
