/* percuss.map: one law over arrays of motions and parameters.
 *
 * Every name in the options is a component of the motion, a parameter of the law or a parameter of the body; a number
 * holds for all points, an array varies. The columns are prepared here and one call runs them all.
 */
#include "base/alloc.h"
#include "bind/array/array.h"
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "bind/sweep/sweep.h"
#include "engine/collide.h"

#include <math.h>
#include <string.h>

enum { PC_MAP_SOURCES_MAX = 32 };

/* Stack indices of the arguments. */
enum { PC_MAP_BODY = 1, PC_MAP_LAW, PC_MAP_OPTIONS };

/* Components of the motion that can vary. */
enum { PC_MOTION_VT, PC_MOTION_VN, PC_MOTION_SPEED, PC_MOTION_INCIDENCE, PC_MOTION_RATE, PC_N_MOTION };

/* One name of the options that varies: where its values go. */
typedef enum pc_map_target { PC_MAP_TO_MOTION, PC_MAP_TO_LAW, PC_MAP_TO_BODY } pc_map_target;
typedef struct pc_map_source {
    pc_map_target to;
    int row; /* of the law's or the body's schema */
    const char *name;
    const double *values;
} pc_map_source;

typedef struct pc_map_request {
    lua_State *L;
    pc_bound_body *body;
    pc_bound_law *law;
    size_t n; /* 0: no array seen so far */
    int n_sources;
    pc_map_source sources[PC_MAP_SOURCES_MAX];
    int motion;                     /* stack index of the table with the fixed part of the motion */
    void *law_params, *body_params; /* working copies */
    uint64_t law_given, body_given;
    uint64_t law_fresh, body_fresh; /* of those, what the options give */
    bool law_varies, body_varies, motion_varies;
} pc_map_request;

/* What the motion table says where nothing varies; then the varying components over it. The forms that can vary are
 * { vt, vn }, { speed, incidence } and { rate }. */
typedef struct pc_map_motion {
    double fixed[PC_N_MOTION]; /* NaN: not given */
    const double *values[PC_N_MOTION];
    double v[3], u[PC_BODY_DOF]; /* of a motion that does not vary */
} pc_map_motion;

/* What the threads of a map read of the call. */
typedef struct pc_map_fill {
    const pc_map_request *r;
    const pc_map_motion *m;
} pc_map_fill;

/* Read the options, and the motion at the first point, which tells its form. */
void pc_map_read_options(pc_map_request *r);
void pc_map_open_motion(pc_map_request *r, pc_map_motion *m);

/* The filler of the map (engine/collide.h); its context is a pc_map_fill. */
pc_status pc_map_fill_block(const void *context, size_t first, size_t n, const pc_map_block *to, pc_error *err);

/* Set the rows of one schema that vary, check them, and derive the alternatives. What is given is the same at every
 * point, so that it is checked at the first of a block alone. */
pc_status pc_map_set_rows(const pc_map_request *r, pc_map_target to, const pc_schema *schema, size_t i, bool first,
                          void *params, uint64_t given, pc_error *err);

/* An error of one point names it, unless the text does so already. */
pc_status pc_map_name_point(pc_status status, size_t i, pc_error *err);

/* False, and the error says which point it is. */
bool pc_map_velocity_is_finite(size_t i, double v_t, double v_n, pc_error *err);

/* ---- the motion at one point ---- */

bool pc_map_velocity_is_finite(size_t i, double v_t, double v_n, pc_error *err)
{
    if (isfinite(v_t) && isfinite(v_n)) return true;
    pc_fail(err, PC_E_ARGUMENT, "map: the velocity of point %zu is not finite (vt = %g, vn = %g m/s)", i + 1, v_t, v_n);
    return false;
}

static double motion_at(const pc_map_motion *m, int word, size_t i)
{
    return m->values[word] ? m->values[word][i] : m->fixed[word];
}

/* Contact velocity, and with_own the body's own velocities, at point i of a body that may differ from point to point. A
 * jointed body allows few contact velocities, which its own tell. */
static pc_status motion_point(const pc_map_request *r, const pc_map_motion *m, size_t i, const pc_body *body,
                              bool with_own, double v[3], double *u, pc_error *err)
{
    bool polar = m->values[PC_MOTION_SPEED] || m->values[PC_MOTION_INCIDENCE] || !isnan(m->fixed[PC_MOTION_SPEED]);
    bool own = m->values[PC_MOTION_RATE] || !isnan(m->fixed[PC_MOTION_RATE]);
    v[PC_T2] = 0;
    if (own) {
        u[0] = motion_at(m, PC_MOTION_RATE, i);
        pc_body_contact_velocity(body, u, v);
    } else if (polar) {
        double speed = motion_at(m, PC_MOTION_SPEED, i), incidence = motion_at(m, PC_MOTION_INCIDENCE, i);
        v[PC_T] = speed * sin(incidence);
        v[PC_N] = -speed * cos(incidence);
    } else if (r->motion_varies || !isnan(m->fixed[PC_MOTION_VN])) {
        v[PC_T] = motion_at(m, PC_MOTION_VT, i);
        v[PC_N] = motion_at(m, PC_MOTION_VN, i);
    } else { /* v, omega or rates: the same for all points */
        memcpy(u, m->u, (size_t)body->dof * sizeof *u);
        pc_body_contact_velocity(body, u, v);
        return PC_OK;
    }
    if (!pc_map_velocity_is_finite(i, v[PC_T], v[PC_N], err)) return PC_E_ARGUMENT;
    return own || !with_own ? PC_OK : pc_body_velocities(body, v, u, err);
}

/* ---- columns ---- */

/* The working copies of one thread. */
typedef struct workbench {
    pc_body body;
    unsigned char *law, *body_params;
} workbench;

pc_status pc_map_set_rows(const pc_map_request *r, pc_map_target to, const pc_schema *schema, size_t i, bool first,
                          void *params, uint64_t given, pc_error *err)
{
    for (int k = 0; k < r->n_sources; k++) {
        const pc_map_source *s = &r->sources[k];
        if (s->to != to) continue;
        uint64_t fresh = 0;
        pc_status status = pc_schema_set_number(schema, s->row, params, s->values[i], &fresh, err);
        if (status) return status;
    }
    if (first) return pc_schema_finish(schema, params, given, err);
    return schema->validate ? schema->validate(schema, params, given, err) : PC_OK;
}

/* Point i of the call is point k of the block. */
static pc_status fill_point(const pc_map_fill *c, workbench *w, size_t i, size_t k, const pc_map_block *to,
                            pc_error *err)
{
    const pc_map_request *r = c->r;
    const pc_body *here = &r->body->body;
    pc_status status;
    if (r->body_varies) {
        const pc_body_kind *kind = r->body->body.kind;
        status = pc_map_set_rows(r, PC_MAP_TO_BODY, kind->schema, i, k == 0, w->body_params, r->body_given, err);
        if (!status) status = pc_body_make(kind, w->body_params, &w->body, err);
        if (status) return status;
        here = &w->body;
        to->w_tt[k] = here->W.tt;
        to->w_tn[k] = here->W.tn;
        to->w_nn[k] = here->W.nn;
        to->rank[k] = here->W.rank;
    }
    if (to->v_t) {
        double v[3] = {0}, u[PC_BODY_DOF] = {0};
        bool with_own = here->dof > 0 && (to->energy || here->form == PC_BODY_JOINTED);
        status = motion_point(r, c->m, i, here, with_own, v, u, err);
        if (status) return status;
        to->v_t[k] = v[PC_T];
        to->v_n[k] = v[PC_N];
        if (to->energy) to->energy[k] = here->dof > 0 ? pc_body_energy(here, u) : pc_mobility_energy(&here->W, v);
    }
    if (!r->law_varies) return PC_OK;
    const pc_schema *schema = r->law->law->schema;
    status = pc_map_set_rows(r, PC_MAP_TO_LAW, schema, i, k == 0, w->law, r->law_given, err);
    for (int row = 0; row < schema->n_rows && !status; row++)
        if (to->rows[row]) to->rows[row][k] = *(double *)(void *)(w->law + schema->rows[row].offset);
    return status;
}

pc_status pc_map_name_point(pc_status status, size_t i, pc_error *err)
{
    char text[PC_ERROR_TEXT];
    memcpy(text, err->text, sizeof text);
    if (strncmp(text, "map: ", 5) != 0) pc_fail(err, status, "map: point %zu: %.400s", i + 1, text);
    return status;
}

pc_status pc_map_fill_block(const void *context, size_t first, size_t n, const pc_map_block *to, pc_error *err)
{
    const pc_map_fill *c = context;
    const pc_map_request *r = c->r;
    size_t law_size = (r->law->law->schema->size + 15) & ~(size_t)15;
    size_t body_size = r->body->body.kind ? r->body->body.kind->schema->size : 0;
    workbench *w = pc_calloc(1, sizeof *w);
    unsigned char *params = pc_calloc(1, law_size + body_size);
    pc_status status = w && params ? PC_OK : pc_fail(err, PC_E_MEMORY, "no memory for a block of a map");
    if (!status) {
        w->law = memcpy(params, r->law_params, r->law->law->schema->size);
        w->body_params = params + law_size;
        if (body_size) memcpy(w->body_params, r->body_params, body_size);
    }
    for (size_t k = 0; k < n && !status; k++) {
        status = fill_point(c, w, first + k, k, to, err);
        if (status) pc_map_name_point(status, first + k, err);
    }
    pc_free(params);
    pc_free(w);
    return status;
}

static const char *const motion_words[] = {"vt", "vn", "speed", "incidence", "rate"};

static int motion_word(const char *name)
{
    for (int i = 0; i < PC_N_MOTION; i++)
        if (strcmp(name, motion_words[i]) == 0) return i;
    return -1;
}

static int refuse_name(pc_map_request *r, const char *name)
{
    enum { MOST = 160 };
    const char *words[MOST];
    int n = 0;
    const pc_schema *schemas[] = {r->law->law->schema, r->body->body.kind ? r->body->body.kind->schema : NULL};
    for (int i = 0; i < PC_N_MOTION; i++) words[n++] = motion_words[i];
    words[n++] = "columns";
    for (int k = 0; k < 2 && schemas[k]; k++)
        for (int i = 0; i < schemas[k]->n_rows; i++) {
            words[n++] = schemas[k]->rows[i].name;
            if (schemas[k]->rows[i].symbol) words[n++] = schemas[k]->rows[i].symbol;
        }
    const char *near = pc_nearest(name, words, n);
    return pc_refuse(r->L, "map: '%s' is neither a motion nor a parameter of %s%s%s%s%s%s", name,
                     r->law->law->schema->name, schemas[1] ? " or " : "", schemas[1] ? schemas[1]->name : "",
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void add_source(pc_map_request *r, pc_map_target to, int row, const char *name, const pc_array *values)
{
    if (r->n && values->n != r->n)
        pc_refuse(r->L, "map: '%s' has %d values, but another array has %d; all must have the same length", name,
                  (int)values->n, (int)r->n);
    if (values->n == 0) pc_refuse(r->L, "map: '%s' is an empty array", name);
    if (r->n_sources == PC_MAP_SOURCES_MAX) pc_refuse(r->L, "map: more than %d arrays", PC_MAP_SOURCES_MAX);
    r->n = values->n;
    r->sources[r->n_sources++] = (pc_map_source){to, row, name, values->v};
}

/* A row given anew replaces what was given for it and for its alternatives, but not those that the options give too: so
 * that these are refused, whichever was read first. */
static void open_row(const pc_schema *schema, int row, void *params, uint64_t *given, uint64_t fresh)
{
    int group = schema->rows[row].group;
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *other = &schema->rows[i];
        if (i != row && (group == 0 || other->group != group || fresh >> i & 1)) continue;
        *given &= ~(UINT64_C(1) << i);
        if (i != row && other->kind == PC_REAL) *(double *)(void *)((char *)params + other->offset) = NAN;
    }
}

static void read_row(pc_map_request *r, pc_map_target to, const pc_schema *schema, int row, void *params,
                     uint64_t *given)
{
    lua_State *L = r->L;
    const pc_array *values = pc_array_test(L, -1);
    uint64_t *fresh = to == PC_MAP_TO_LAW ? &r->law_fresh : &r->body_fresh;
    if (*fresh >> row & 1)
        pc_refuse(L, "map: '%s' and '%s' are the same parameter; give one of them", schema->rows[row].name,
                  schema->rows[row].symbol);
    open_row(schema, row, params, given, *fresh);
    *fresh |= UINT64_C(1) << row;
    if (values) {
        if (schema->rows[row].kind != PC_REAL)
            pc_refuse(L, "map: '%s' cannot vary; give one value", schema->rows[row].name);
        add_source(r, to, row, schema->rows[row].name, values);
        *given |= UINT64_C(1) << row;
        if (to == PC_MAP_TO_LAW)
            r->law_varies = true;
        else
            r->body_varies = true;
        return;
    }
    pc_error err = {0};
    pc_status status;
    if (lua_type(L, -1) == LUA_TNUMBER)
        status = pc_schema_set_number(schema, row, params, lua_tonumber(L, -1), given, &err);
    else if (lua_type(L, -1) == LUA_TSTRING)
        status = pc_schema_set_word(schema, row, params, lua_tostring(L, -1), given, &err);
    else
        status = pc_schema_wrong_type(schema, row, luaL_typename(L, -1), &err);
    if (status) pc_raise(L, &err);
    if (to == PC_MAP_TO_BODY) r->body_varies = true;
    if (to == PC_MAP_TO_LAW) r->law_varies = true;
}

/* Key at -2, value on top. */
static void read_pair(pc_map_request *r)
{
    lua_State *L = r->L;
    if (lua_type(L, -2) != LUA_TSTRING)
        pc_refuse(L, "map takes named entries only, as in { vt = ..., friction = ... }");
    const char *name = lua_tostring(L, -2);
    if (strcmp(name, "columns") == 0) return;
    const pc_array *values = pc_array_test(L, -1);
    int word = motion_word(name);
    if (word >= 0 && values) {
        add_source(r, PC_MAP_TO_MOTION, word, name, values);
        r->motion_varies = true;
        return;
    }
    int row = pc_schema_find(r->law->law->schema, name);
    if (word < 0 && row >= 0) {
        read_row(r, PC_MAP_TO_LAW, r->law->law->schema, row, r->law_params, &r->law_given);
        return;
    }
    const pc_body_kind *kind = r->body->body.kind;
    row = word < 0 && kind ? pc_schema_find(kind->schema, name) : -1;
    if (row >= 0) {
        read_row(r, PC_MAP_TO_BODY, kind->schema, row, r->body_params, &r->body_given);
        return;
    }
    bool other_motion = word >= 0 || strcmp(name, "v") == 0 || strcmp(name, "omega") == 0 || strcmp(name, "rates") == 0;
    if (!other_motion) refuse_name(r, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, r->motion, name);
}

void pc_map_read_options(pc_map_request *r)
{
    lua_State *L = r->L;
    lua_pushnil(L);
    while (lua_next(L, PC_MAP_OPTIONS)) {
        read_pair(r);
        lua_pop(L, 1);
    }
    if (r->n == 0)
        pc_refuse(L, "map: at least one entry must be an array, as in { vt = percuss.linspace(-1, 1, 100) }");
}

/* ---- the motion ---- */

void pc_map_open_motion(pc_map_request *r, pc_map_motion *m)
{
    lua_State *L = r->L;
    *m = (pc_map_motion){0};
    for (int i = 0; i < PC_N_MOTION; i++) {
        m->fixed[i] = lua_getfield(L, r->motion, motion_words[i]) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        lua_pop(L, 1);
    }
    for (int i = 0; i < r->n_sources; i++)
        if (r->sources[i].to == PC_MAP_TO_MOTION) m->values[r->sources[i].row] = r->sources[i].values;
    if (isnan(m->fixed[PC_MOTION_VT])) m->fixed[PC_MOTION_VT] = 0; /* as in any motion */
    /* the first point, by the reader of motions, so that a wrong form is refused in its words */
    for (int i = 0; i < PC_N_MOTION; i++) {
        if (!m->values[i]) continue;
        lua_pushnumber(L, m->values[i][0]);
        lua_setfield(L, r->motion, motion_words[i]);
    }
    pc_body_motion_read(L, r->motion, &r->body->body, m->u, m->v);
}

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
    if (pc_body_require_rigid(&r.body->body, "map", &err)) return pc_raise(L, &err);
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

static const pc_row map_params[] = {
    {.name = "body",
     .kind = PC_OBJECT,
     .object = "body",
     .initial = PC_REQUIRED,
     .doc = "the body that strikes, in the plane"},
    {.name = "law", .kind = PC_OBJECT, .object = "law", .initial = PC_REQUIRED, .doc = "a planar contact law"},
    {.name = "options",
     .kind = PC_TABLE,
     .initial = PC_REQUIRED,
     .doc = "motion (vt, vn | speed, incidence | rate | v, omega), parameters of the law and of the body by name: "
            "numbers, or "
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
