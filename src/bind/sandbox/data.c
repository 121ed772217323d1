/* Data of sandboxes: see sandbox.h. Tagged values (bind.h), and besides
 *
 *     A count (8) and doubles, in the machine's order: both ends are one program on one machine
 */
#include "bind/chart/chart.h"
#include "bind/core/bind.h"
#include "bind/sandbox/sandbox.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DEEPEST = 20, MOST_VALUES = 400000 };

/* Keys beside 1..n, in the whole value. Whoever chooses them can make all of a table's keys collide, and filling it
 * then takes the square of their number; a list costs no hashing. */
enum { MOST_KEYS = 10000 };

/* ---- writing ---- */

typedef struct writer {
    pc_tagged_out out;
    size_t most;
    int values, keys; /* keys beside those of lists */
    bool too_deep;
} writer;

static void put_tag(writer *w, char tag)
{
    pc_tagged_put_tag(&w->out, tag);
}

static void put_key(writer *w, const char *name)
{
    pc_tagged_put_string(&w->out, name, strlen(name));
}

static void put_integer(writer *w, lua_Integer i)
{
    pc_tagged_put_bits(&w->out, 'I', (uint64_t)i);
}

static void put_doubles(writer *w, const double *v, size_t n)
{
    pc_tagged_put_bits(&w->out, 'A', n);
    pc_tagged_put(&w->out, v, n * sizeof *v);
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

static bool too_much(const writer *w)
{
    return w->too_deep || w->values > MOST_VALUES || w->keys > MOST_KEYS || w->out.n > w->most;
}

/* The list first, then what has other keys. */
static void put_table(writer *w, lua_State *L, int index, int depth)
{
    if (depth > DEEPEST || !lua_checkstack(L, 8)) {
        w->too_deep = true;
        return;
    }
    put_tag(w, 'L');
    lua_Integer n = 0;
    while (!too_much(w) && lua_rawgeti(L, index, n + 1) != LUA_TNIL) {
        put_integer(w, ++n);
        w->values++;
        put_value(w, L, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    if (too_much(w)) return;
    lua_pop(L, 1);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int key = lua_type(L, -2);
        if (lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= n) continue;
        if (key == LUA_TSTRING || key == LUA_TNUMBER || key == LUA_TBOOLEAN) {
            w->keys++;
            put_value(w, L, lua_gettop(L) - 1, depth + 1);
            put_value(w, L, lua_gettop(L), depth + 1);
        }
        if (too_much(w)) {
            lua_pop(L, 2);
            return;
        }
    }
    put_tag(w, 'E');
}

/* `index` is absolute. */
static void put_value(writer *w, lua_State *L, int index, int depth)
{
    w->values++;
    if (pc_tagged_put_plain(&w->out, L, index)) return;
    if (lua_type(L, index) == LUA_TTABLE)
        put_table(w, L, index, depth);
    else
        put_object(w, L, index);
}

pc_status pc_sandbox_encode(lua_State *L, int index, size_t most, size_t *n, pc_error *err)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, NULL);
    writer count = {.most = most};
    put_value(&count, L, index, 0);
    if (count.too_deep) return pc_fail(err, PC_E_LIMIT, "a table is nested more than %d deep", DEEPEST);
    if (count.values > MOST_VALUES)
        return pc_fail(err, PC_E_LIMIT, "it has more than %d values; give long lists as arrays", MOST_VALUES);
    if (count.keys > MOST_KEYS)
        return pc_fail(err, PC_E_LIMIT, "its tables have more than %d keys beside 1, 2, ... n", MOST_KEYS);
    if (count.out.n > most) return pc_fail(err, PC_E_LIMIT, "the value takes more than %zu bytes", most);
    writer w = {.out = {lua_newuserdatauv(L, count.out.n, 0), 0}, .most = most};
    put_value(&w, L, index, 0);
    *n = w.out.n;
    return PC_OK;
}

/* ---- reading ---- */

typedef struct reader {
    pc_tagged_in in;
    int values, keys; /* left; keys beside those of lists */
} reader;

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
    for (lua_Integer next = 1; r->in.at < r->in.end && *r->in.at != 'E';) {
        if (!get_value(r, L, depth + 1) || !is_key(L)) return false;
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == next)
            next++;
        else if (--r->keys < 0)
            return false;
        if (!get_value(r, L, depth + 1)) return false;
        lua_rawset(L, -3);
    }
    return r->in.at++ < r->in.end;
}

static bool get_doubles(reader *r, lua_State *L)
{
    size_t n;
    if (!pc_tagged_get_length(&r->in, sizeof(double), &n)) return false;
    double *v = pc_array_new(L, n)->v;
    if (n > 0) memcpy(v, r->in.at, n * sizeof *v);
    r->in.at += n * sizeof *v;
    return true;
}

/* Pushes the value; after false the stack holds what was read so far. */
static bool get_value(reader *r, lua_State *L, int depth)
{
    char tag;
    if (depth > DEEPEST || --r->values < 0 || !lua_checkstack(L, 8) || !pc_tagged_get_tag(&r->in, &tag)) return false;
    switch (tag) {
    case 'A': return get_doubles(r, L);
    case 'L': return get_table(r, L, depth);
    default: return pc_tagged_push_plain(&r->in, L, tag);
    }
}

pc_status pc_sandbox_decode(lua_State *L, const unsigned char *bytes, size_t n, pc_error *err)
{
    int top = lua_gettop(L);
    reader r = {.in = {bytes, bytes + n}, .values = MOST_VALUES, .keys = MOST_KEYS};
    if (get_value(&r, L, 0) && r.in.at == r.in.end) return PC_OK;
    lua_settop(L, top);
    return pc_fail(err, PC_E_ARGUMENT, "what the sandbox sent is no value");
}
