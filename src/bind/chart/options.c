/* Options of the chart module: see chart_internal.h. Figures are not described by parameter rows, because most of what
 * they take is text and data; the names that are refused or accepted are those of the documentation. */
#include "bind/chart/chart_internal.h"
#include "bind/core/argument.h"
#include "bind/core/array.h"
#include "bind/core/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Put a plain copy in the place of the options: a metatable that gives more than the table has is asked here, once.
 * What is read later calls no script, and texts live as long as the copy. */
static void copy_known(lua_State *L, int index, const pc_param *params, lua_Integer n)
{
    lua_createtable(L, (int)n, 4);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, index, i);
        lua_rawseti(L, -2, i);
    }
    for (const pc_param *p = params; p->name; p++) {
        const char *key = p->name + (p->name[0] == '.');
        lua_getfield(L, index, key);
        lua_setfield(L, -2, key);
    }
    lua_replace(L, index);
}

pc_chart_options pc_chart_options_open(lua_State *L, int index, const char *name, const pc_param *params, lua_Integer n)
{
    const pc_chart_options o = {L, index, name};
    if (lua_isnoneornil(L, index)) {
        lua_settop(L, index - 1);
        lua_newtable(L);
        return o;
    }
    pc_argument_type(L, index, LUA_TTABLE);
    enum { MOST = 32 };
    const char *words[MOST];
    int n_words = 0;
    for (const pc_param *p = params; p->name && n_words < MOST; p++) words[n_words++] = p->name + (p->name[0] == '.');
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= n) continue;
        const char *key = luaL_tolstring(L, -1, NULL);
        bool string = lua_type(L, -2) == LUA_TSTRING, known = false;
        for (int i = 0; string && i < n_words; i++) known = known || strcmp(key, words[i]) == 0;
        if (!known) {
            const char *near = string ? pc_nearest(key, words, n_words) : NULL;
            if (near) pc_refuse(L, "%s has no option '%s'; did you mean '%s'?", name, key, near);
            pc_refuse(L, "%s has no option '%s'", name, key);
        }
        lua_pop(L, 1);
    }
    copy_known(L, index, params, n);
    return o;
}

void pc_chart_option_wrong(pc_chart_options o, const char *key, const char *expected)
{
    pc_refuse(o.L, "%s: %s must be %s, not %s", o.name, key, expected, luaL_typename(o.L, -1));
}

const char *pc_chart_option_text(pc_chart_options o, const char *key)
{
    int type = lua_getfield(o.L, o.table, key);
    if (type != LUA_TNIL && type != LUA_TSTRING) pc_chart_option_wrong(o, key, "a string");
    const char *text = lua_tostring(o.L, -1);
    lua_pop(o.L, 1);
    return text;
}

bool pc_chart_option_flag(pc_chart_options o, const char *key, bool otherwise)
{
    int type = lua_getfield(o.L, o.table, key);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) pc_chart_option_wrong(o, key, "true or false");
    bool flag = type == LUA_TNIL ? otherwise : lua_toboolean(o.L, -1);
    lua_pop(o.L, 1);
    return flag;
}

double pc_chart_option_number(pc_chart_options o, const char *key, double otherwise)
{
    int type = lua_getfield(o.L, o.table, key);
    if (type != LUA_TNIL && type != LUA_TNUMBER) pc_chart_option_wrong(o, key, "a number");
    double number = type == LUA_TNIL ? otherwise : lua_tonumber(o.L, -1);
    lua_pop(o.L, 1);
    return number;
}

int pc_chart_option_whole(pc_chart_options o, const char *key, int otherwise)
{
    double number = pc_chart_option_number(o, key, otherwise);
    if (number != floor(number) || fabs(number) > 1e6) {
        pc_refuse(o.L, "%s: %s must be a whole number of moderate size, not %f", o.name, key, number);
    }
    return (int)number;
}

int pc_chart_option_word(pc_chart_options o, const char *key, const char *const *words, int otherwise)
{
    const char *word = pc_chart_option_text(o, key);
    if (!word) return otherwise;
    int n = 0;
    for (; words[n]; n++) {
        if (strcmp(words[n], word) == 0) return n;
    }
    luaL_Buffer list;
    luaL_buffinit(o.L, &list);
    for (int i = 0; i < n; i++) {
        if (i > 0) luaL_addstring(&list, i == n - 1 ? " or " : ", ");
        luaL_addstring(&list, words[i]);
    }
    luaL_pushresult(&list);
    return pc_refuse(o.L, "%s: %s = '%s' is not known; it is %s", o.name, key, word, lua_tostring(o.L, -1));
}

pc_style pc_chart_option_style(pc_chart_options o)
{
    pc_style style = {.dash = (pc_dash)pc_chart_option_word(o, "dash", pc_dash_names, PC_DASH_AUTO)};
    const char *colour = pc_chart_option_text(o, "colour");
    if (colour && !pc_colour_parse(colour, &style.colour)) {
        int n = 0;
        while (pc_colour_names[n]) n++;
        const char *near = pc_nearest(colour, pc_colour_names, n);
        pc_refuse(o.L, "%s: colour = '%s' is neither \"#rrggbb\" nor a known name%s%s%s", o.name, colour,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    style.width = pc_chart_option_number(o, "width", 1);
    if (!(style.width > 0 && style.width <= 20)) {
        pc_refuse(o.L, "%s: width = %f is not allowed: more than 0, at most 20", o.name, style.width);
    }
    return style;
}

bool pc_chart_option_right(pc_chart_options o)
{
    static const char *const sides[] = {"left", "right", NULL};
    return pc_chart_option_word(o, "axis", sides, 0) == 1;
}

/* An element of a pair of limits; NaN where there is none. */
static double read_limit(pc_chart_options o, const char *key, int element)
{
    int type = lua_rawgeti(o.L, -1, element);
    if (type != LUA_TNIL && type != LUA_TNUMBER) pc_refuse(o.L, "%s: %s must hold numbers", o.name, key);
    double limit = type == LUA_TNIL ? (double)NAN : lua_tonumber(o.L, -1);
    lua_pop(o.L, 1);
    return limit;
}

pc_axis pc_chart_option_axis(pc_chart_options o, const char *name)
{
    pc_axis axis = {0};
    pc_error err = {0};
    double lo = NAN, hi = NAN;
    char key[16];
    snprintf(key, sizeof key, "%slim", name);
    int type = lua_getfield(o.L, o.table, key);
    if (type != LUA_TNIL && type != LUA_TTABLE) pc_chart_option_wrong(o, key, "a table { first, last }");
    if (type == LUA_TTABLE) {
        lo = read_limit(o, key, 1);
        hi = read_limit(o, key, 2);
    }
    lua_pop(o.L, 1);
    snprintf(key, sizeof key, "%slog", name);
    bool log = pc_chart_option_flag(o, key, false);
    pc_chart_ok(o.L, pc_axis_set_limits(&axis, name, lo, hi, log, &err), &err);
    return axis;
}

double pc_chart_option_at(pc_chart_options o, lua_Integer position, const char *key)
{
    if (lua_geti(o.L, o.table, position) == LUA_TNIL) {
        lua_pop(o.L, 1);
        lua_getfield(o.L, o.table, key);
    }
    if (lua_type(o.L, -1) != LUA_TNUMBER) pc_chart_option_wrong(o, key, "a number");
    double number = lua_tonumber(o.L, -1);
    lua_pop(o.L, 1);
    return number;
}

const double *pc_chart_option_numbers(pc_chart_options o, lua_Integer position, const char *key, size_t *n)
{
    lua_State *L = o.L;
    if (lua_geti(L, o.table, position) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_getfield(L, o.table, key);
    }
    const pc_array *array = pc_array_test(L, -1);
    if (array) {
        *n = array->n;
        return array->v;
    }
    if (!lua_istable(L, -1)) pc_chart_option_wrong(o, key, "an array or a list of numbers");
    int list = lua_gettop(L);
    *n = (size_t)lua_rawlen(L, list);
    double *numbers = lua_newuserdatauv(L, (*n ? *n : 1) * sizeof *numbers, 0);
    for (size_t i = 0; i < *n; i++) {
        if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TNUMBER) {
            pc_refuse(L, "%s: %s[%d] must be a number, not %s", o.name, key, (int)i + 1, luaL_typename(L, -1));
        }
        numbers[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return numbers;
}

void pc_chart_ok(lua_State *L, pc_status status, const pc_error *err)
{
    if (status == PC_E_INTERRUPTED) pc_interrupt_raise(L, 0);
    if (status) pc_raise(L, err);
}
