/* What options of the chart module mean, beyond their rows: see chart_internal.h. */
#include "bind/chart/chart.h"
#include "bind/core/interrupt.h"

#include <math.h>
#include <stdio.h>

const char *const pc_side_names[] = {"left", "right", NULL};

pc_style pc_chart_style(lua_State *L, const char *name, const pc_pen_options *pen)
{
    pc_style style = {.dash = (pc_dash)pen->dash, .width = pen->width};
    if (!pen->colour || pc_colour_parse(pen->colour, &style.colour)) return style;
    int n = 0;
    while (pc_colour_names[n]) n++;
    const char *near = pc_nearest(pen->colour, pc_colour_names, n);
    pc_refuse(L, "%s: colour = '%s' is neither \"#rrggbb\" nor a known name%s%s%s", name, pen->colour,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* An element of a pair of limits, on top of the stack; NaN where there is none. */
static double read_limit(lua_State *L, const char *name, const char *key, int element)
{
    int type = lua_rawgeti(L, -1, element);
    if (type != LUA_TNIL && type != LUA_TNUMBER)
        pc_refuse(L, "%s: %s[%d] must be a number, not %s", name, key, element, luaL_typename(L, -1));
    double limit = type == LUA_TNIL ? (double)NAN : lua_tonumber(L, -1);
    lua_pop(L, 1);
    return limit;
}

pc_axis pc_chart_axis(lua_State *L, const pc_schema *schema, const char *name, bool log)
{
    pc_axis axis = {0};
    pc_error err = {0};
    double lo = NAN, hi = NAN;
    char key[16];
    snprintf(key, sizeof key, "%slim", name);
    if (pc_option_push(L, 2, key)) {
        lo = read_limit(L, schema->name, key, 1);
        hi = read_limit(L, schema->name, key, 2);
        lua_pop(L, 1);
    }
    pc_chart_ok(L, pc_axis_set_limits(&axis, name, lo, hi, log, &err), &err);
    return axis;
}

const double *pc_chart_numbers(lua_State *L, const pc_schema *schema, const char *key, size_t *n)
{
    return pc_option_numbers(L, 2, schema, key, n);
}

void pc_chart_ok(lua_State *L, pc_status status, const pc_error *err)
{
    if (status == PC_E_INTERRUPTED) pc_interrupt_raise(L, 0);
    if (status) pc_raise(L, err);
}
