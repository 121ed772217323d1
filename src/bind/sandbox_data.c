/* Lua values as bytes: see sandbox_data.h. A value is a tag and what follows it:
 *
 *     N nil, T true, F false, I integer (8 bytes), D double (8), S length (8) and bytes, A count (8) and doubles,
 *     L keys and values in turn, up to E
 *
 * Numbers are in the machine's order: both ends are one program on one machine. Writing is done twice by the same code,
 * first to count, then into memory of that size, so that no heap memory is held while Lua could raise an error.
 */
#include "bind/sandbox_data.h"

#include "bind/bind_array.h"
#include "bind/bind_chart.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DEEPEST = 20, MOST_VALUES = 400000 };

/* ---- writing ---- */

typedef struct writer {
    unsigned char *out; /* NULL: count alone */
    size_t n, most;
    bool too_deep;
} writer;

static void put(writer *w, const void *bytes, size_t n)
{
    if (w->out && n > 0) memcpy(w->out + w->n, bytes, n);
    w->n += n;
}

static void put_tag(writer *w, char tag)
{
    put(w, &tag, 1);
}

static void put_string(writer *w, const char *text, size_t n)
{
    uint64_t length = n;
    put_tag(w, 'S');
    put(w, &length, sizeof length);
    put(w, text, n);
}

static void put_key(writer *w, const char *name)
{
    put_string(w, name, strlen(name));
}

static void put_integer(writer *w, lua_Integer i)
{
    put_tag(w, 'I');
    put(w, &i, sizeof i);
}

static void put_doubles(writer *w, const double *v, size_t n)
{
    uint64_t count = n;
    put_tag(w, 'A');
    put(w, &count, sizeof count);
    put(w, v, n * sizeof *v);
}

static void put_field_text(writer *w, const char *key, const char *text)
{
    if (!text) return;
    put_key(w, key);
    put_key(w, text);
}

static void put_axis(writer *w, const char *key, const pc_axis *axis)
{
    put_key(w, key);
    put_tag(w, 'L');
    put_field_text(w, "label", axis->label);
    put_field_text(w, "unit", axis->unit);
    put_key(w, "log");
    put_tag(w, axis->log ? 'T' : 'F');
    put_tag(w, 'E');
}

static void put_series(writer *w, const pc_series *series)
{
    put_tag(w, 'L');
    put_field_text(w, "kind", series->kind->name);
    put_field_text(w, "label", series->label);
    put_key(w, "x");
    put_doubles(w, series->x, series->n);
    put_key(w, "y");
    put_doubles(w, series->y, series->n);
    put_tag(w, 'E');
}

static void put_panel(writer *w, const pc_panel *panel)
{
    put_tag(w, 'L');
    put_field_text(w, "title", panel->title);
    put_axis(w, "x", &panel->x);
    put_axis(w, "y", &panel->y);
    put_key(w, "fields");
    put_integer(w, (lua_Integer)panel->n_fields);
    put_key(w, "series");
    put_tag(w, 'L');
    for (size_t i = 0; i < panel->n_series; i++) {
        put_integer(w, (lua_Integer)i + 1);
        put_series(w, &panel->series[i]);
    }
    put_tag(w, 'E');
    put_tag(w, 'E');
}

/* { figure = true, title =, panels = { { title =, x = { label =, unit =, log = }, y =, fields =, series = ... } } } */
static void put_figure(writer *w, const pc_figure *figure)
{
    put_tag(w, 'L');
    put_key(w, "figure");
    put_tag(w, 'T');
    put_field_text(w, "title", figure->title);
    put_key(w, "panels");
    put_tag(w, 'L');
    for (size_t i = 0; i < figure->n_panels; i++) {
        put_integer(w, (lua_Integer)i + 1);
        put_panel(w, figure->panels[i]);
    }
    put_tag(w, 'E');
    put_tag(w, 'E');
}

/* A userdata, function or coroutine. The name of a type is taken from the metatable without running any of its
 * functions. */
static void put_object(writer *w, lua_State *L, int index)
{
    const pc_array *array = pc_array_test(L, index);
    if (array) {
        put_doubles(w, array->v, array->n);
        return;
    }
    const pc_bound_figure *bound = pc_type_test(L, index, &pc_type_figure);
    if (bound && bound->figure) {
        put_figure(w, bound->figure);
        return;
    }
    put_tag(w, 'L');
    put_key(w, "opaque");
    bool named = false;
    if (lua_getmetatable(L, index)) {
        lua_pushliteral(L, "__name");
        named = lua_rawget(L, -2) == LUA_TSTRING;
        if (named) put_key(w, lua_tostring(L, -1));
        lua_pop(L, 2);
    }
    if (!named) put_key(w, luaL_typename(L, index));
    put_tag(w, 'E');
}

static void put_value(writer *w, lua_State *L, int index, int depth);

static void put_table(writer *w, lua_State *L, int index, int depth)
{
    if (depth > DEEPEST || !lua_checkstack(L, 8)) {
        w->too_deep = true;
        return;
    }
    put_tag(w, 'L');
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int key = lua_type(L, -2);
        if (key == LUA_TSTRING || key == LUA_TNUMBER || key == LUA_TBOOLEAN) {
            put_value(w, L, lua_gettop(L) - 1, depth + 1);
            put_value(w, L, lua_gettop(L), depth + 1);
        }
        if (w->too_deep || w->n > w->most) {
            lua_pop(L, 2);
            return;
        }
    }
    put_tag(w, 'E');
}

/* `index` is absolute. */
static void put_value(writer *w, lua_State *L, int index, int depth)
{
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: put_tag(w, 'N'); break;
    case LUA_TBOOLEAN: put_tag(w, lua_toboolean(L, index) ? 'T' : 'F'); break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            put_integer(w, lua_tointeger(L, index));
        } else {
            lua_Number x = lua_tonumber(L, index);
            put_tag(w, 'D');
            put(w, &x, sizeof x);
        }
        break;
    case LUA_TSTRING: {
        size_t n;
        const char *text = lua_tolstring(L, index, &n);
        put_string(w, text, n);
        break;
    }
    case LUA_TTABLE: put_table(w, L, index, depth); break;
    default: put_object(w, L, index);
    }
}

pc_status pc_sandbox_encode(lua_State *L, int index, size_t most, size_t *n, pc_error *err)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, NULL);
    writer count = {.most = most};
    put_value(&count, L, index, 0);
    if (count.too_deep) return pc_fail(err, PC_E_LIMIT, "a table is nested more than %d deep", DEEPEST);
    if (count.n > most) return pc_fail(err, PC_E_LIMIT, "the value takes more than %zu bytes", most);
    writer w = {.out = lua_newuserdatauv(L, count.n, 0), .most = most};
    put_value(&w, L, index, 0);
    *n = w.n;
    return PC_OK;
}

/* ---- reading ---- */

typedef struct reader {
    const unsigned char *at, *end;
    int values; /* left */
} reader;

static bool get(reader *r, void *to, size_t n)
{
    if ((size_t)(r->end - r->at) < n) return false;
    memcpy(to, r->at, n);
    r->at += n;
    return true;
}

/* A length of things of `size` bytes, all of which are there. */
static bool get_length(reader *r, size_t size, size_t *n)
{
    uint64_t length;
    if (!get(r, &length, sizeof length) || length > (uint64_t)(r->end - r->at) / size) return false;
    *n = (size_t)length;
    return true;
}

static bool get_value(reader *r, lua_State *L, int depth);

/* A key that a table can have: after 'L' come keys until the tag E. */
static bool is_key(lua_State *L)
{
    int type = lua_type(L, -1);
    if (type == LUA_TNUMBER) return !isnan(lua_tonumber(L, -1));
    return type == LUA_TSTRING || type == LUA_TBOOLEAN;
}

static bool get_table(reader *r, lua_State *L, int depth)
{
    lua_newtable(L);
    while (r->at < r->end && *r->at != 'E') {
        if (!get_value(r, L, depth + 1) || !is_key(L)) return false;
        if (!get_value(r, L, depth + 1)) return false;
        lua_rawset(L, -3);
    }
    return r->at++ < r->end;
}

/* Pushes the value; after false the stack holds what was read so far. */
static bool get_value(reader *r, lua_State *L, int depth)
{
    char tag;
    size_t n;
    if (depth > DEEPEST || --r->values < 0 || !lua_checkstack(L, 8) || !get(r, &tag, 1)) return false;
    switch (tag) {
    case 'N': lua_pushnil(L); return true;
    case 'T':
    case 'F': lua_pushboolean(L, tag == 'T'); return true;
    case 'I': {
        lua_Integer i;
        if (!get(r, &i, sizeof i)) return false;
        lua_pushinteger(L, i);
        return true;
    }
    case 'D': {
        lua_Number x;
        if (!get(r, &x, sizeof x)) return false;
        lua_pushnumber(L, x);
        return true;
    }
    case 'S':
        if (!get_length(r, 1, &n)) return false;
        lua_pushlstring(L, (const char *)r->at, n);
        r->at += n;
        return true;
    case 'A':
        if (!get_length(r, sizeof(double), &n)) return false;
        return get(r, pc_array_new(L, n)->v, n * sizeof(double));
    case 'L': return get_table(r, L, depth);
    default: return false;
    }
}

pc_status pc_sandbox_decode(lua_State *L, const unsigned char *bytes, size_t n, pc_error *err)
{
    int top = lua_gettop(L);
    reader r = {.at = bytes, .end = bytes + n, .values = MOST_VALUES};
    if (get_value(&r, L, 0) && r.at == r.end) return PC_OK;
    lua_settop(L, top);
    return pc_fail(err, PC_E_ARGUMENT, "what the sandbox sent is no value");
}
