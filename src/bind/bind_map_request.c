/* Reading a call of percuss.map: what varies, what is fixed, and the form of the motion. */
#include "bind/array_parts.h"
#include "bind/bind_array.h"
#include "bind/bind_map_parts.h"

#include <math.h>
#include <string.h>

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
