/* Panels of a figure: made by figure:panel, filled by their methods. */
#include "bind/chart_parts.h"

#include <math.h>
#include <stdio.h>

/* A panel outlives a figure that was closed: then it is of no use any more. */
pc_panel *pc_panel_check(lua_State *L, int index)
{
    const pc_bound_panel *self = pc_type_check(L, index, &pc_type_panel);
    lua_getiuservalue(L, index, PC_PANEL_FIGURE);
    if (!pc_type_test(L, -1, &pc_type_figure)) luaL_error(L, "the figure of this panel was closed");
    lua_pop(L, 1);
    return self->panel;
}

/* --- making one --- */

const pc_param pc_panel_params[] = {
    {"title", "string", NULL, "none", "above the panel"},
    {"xlabel", "string", NULL, "none", "what x is"},
    {"ylabel", "string", NULL, "none", "what y is"},
    {"xunit", "string", NULL, "none", "unit of x, written after its label in brackets"},
    {"yunit", "string", NULL, "none", "unit of y, written after its label in brackets"},
    {"xlim", "table", NULL, "from the data", "{ first, last }; either may be nil; first > last turns the axis round"},
    {"ylim", "table", NULL, "from the data", "the same for y"},
    {"xlog", "boolean", NULL, "false", "logarithmic axis; values that are not positive are left out and counted"},
    {"ylog", "boolean", NULL, "false", "the same for y"},
    {"legend", "boolean", NULL, "true", "name the series that have labels where it hides least"},
    {0},
};

/* An element of a pair of limits; NaN where there is none. */
static double read_limit(pc_chart_options o, const char *key, int element)
{
    int type = lua_geti(o.L, -1, element);
    if (type != LUA_TNIL && type != LUA_TNUMBER) luaL_error(o.L, "%s: %s must hold numbers", o.name, key);
    double limit = type == LUA_TNIL ? (double)NAN : lua_tonumber(o.L, -1);
    lua_pop(o.L, 1);
    return limit;
}

/* What the options say about an axis; the texts still belong to the table. */
typedef struct axis_request {
    const char *label, *unit;
    pc_axis limits;
} axis_request;

static axis_request read_axis(pc_chart_options o, const char *name)
{
    lua_State *L = o.L;
    axis_request request = {0};
    pc_error err = {0};
    char key[8];
    double lo = NAN, hi = NAN;
    snprintf(key, sizeof key, "%slabel", name);
    request.label = pc_chart_option_text(o, key);
    snprintf(key, sizeof key, "%sunit", name);
    request.unit = pc_chart_option_text(o, key);
    snprintf(key, sizeof key, "%slim", name);
    int type = lua_getfield(L, o.table, key);
    if (type != LUA_TNIL && type != LUA_TTABLE) pc_chart_option_wrong(o, key, "a table { first, last }");
    if (type == LUA_TTABLE) {
        lo = read_limit(o, key, 1);
        hi = read_limit(o, key, 2);
    }
    lua_pop(L, 1);
    snprintf(key, sizeof key, "%slog", name);
    pc_chart_ok(L, pc_axis_set_limits(&request.limits, name, lo, hi, pc_chart_option_flag(o, key, false), &err), &err);
    return request;
}

static pc_status set_axis(pc_axis *axis, const axis_request *request, pc_error *err)
{
    *axis = request->limits;
    pc_status status = pc_panel_set_text(&axis->label, request->label, err);
    return status ? status : pc_panel_set_text(&axis->unit, request->unit, err);
}

/* Everything is read before the panel is added: a wrong option leaves the figure as it was. */
int pc_figure_panel(lua_State *L)
{
    lua_settop(L, 2);
    pc_figure *figure = ((pc_bound_figure *)pc_type_check(L, 1, &pc_type_figure))->figure;
    pc_chart_options o = pc_chart_options_open(L, 2, "panel", pc_panel_params, 0);
    const char *title = pc_chart_option_text(o, "title");
    bool legend = pc_chart_option_flag(o, "legend", true);
    const axis_request x = read_axis(o, "x"), y = read_axis(o, "y");
    pc_bound_panel *self = pc_type_new(L, &pc_type_panel, sizeof *self, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, PC_PANEL_FIGURE);
    pc_error err = {0};
    pc_chart_ok(L, pc_figure_add_panel(figure, &self->panel, &err), &err);
    self->panel->legend = legend;
    pc_status status = pc_panel_set_text(&self->panel->title, title, &err);
    if (!status) status = set_axis(&self->panel->x, &x, &err);
    if (!status) status = set_axis(&self->panel->y, &y, &err);
    if (status) pc_figure_drop_panel(figure);
    pc_chart_ok(L, status, &err);
    return 1;
}

/* --- what is drawn on a panel --- */

/* clang-format off */
#define STYLE_PARAMS \
    {"colour", "string", NULL, "the next of the palette", "\"#rrggbb\" or a name such as \"blue\""}, \
    {"dash", "string", NULL, "\"auto\"", "solid, dashed, dotted, dash_dot, dash_dot_dot, long_dashed; auto: its own"}, \
    {"width", "number", NULL, "1", "multiple of the usual pen"}
/* clang-format on */

static const pc_param series_params[] = {
    {"x", "array", NULL, NULL, "first of the list, or by name; a list of numbers will do"},
    {"y", "array", NULL, NULL, "second of the list, or by name; NaN breaks a line"},
    {"label", "string", NULL, "none", "name in the legend"},
    STYLE_PARAMS,
    {0},
};

static int add_series(lua_State *L, const char *kind)
{
    pc_panel *panel = pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, kind, series_params, 2);
    pc_style style = pc_chart_option_style(o);
    const char *label = pc_chart_option_text(o, "label");
    size_t nx, ny;
    const double *x = pc_chart_option_numbers(o, 1, "x", &nx), *y = pc_chart_option_numbers(o, 2, "y", &ny);
    if (nx != ny) {
        return luaL_error(L, "%s%s%s%s: x has %d numbers and y has %d", kind, label ? " \"" : "", label ? label : "",
                          label ? "\"" : "", (int)nx, (int)ny);
    }
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, nx, label, style, &err), &err);
    lua_settop(L, 1);
    return 1;
}

static int panel_line(lua_State *L)
{
    return add_series(L, "line");
}

static int panel_step(lua_State *L)
{
    return add_series(L, "step");
}

static int panel_scatter(lua_State *L)
{
    return add_series(L, "scatter");
}

static const pc_param hline_params[] = {
    {"y", "number", NULL, NULL, "where; by name or first of the list"},
    {"label", "string", NULL, "none", "written along the line"},
    STYLE_PARAMS,
    {0},
};
static const pc_param vline_params[] = {
    {"x", "number", NULL, NULL, "where; by name or first of the list"},
    {"label", "string", NULL, "none", "written along the line"},
    STYLE_PARAMS,
    {0},
};

static int add_guide(lua_State *L, bool vertical)
{
    pc_panel *panel = pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o =
        pc_chart_options_open(L, 2, vertical ? "vline" : "hline", vertical ? vline_params : hline_params, 1);
    pc_error err = {0};
    double at = pc_chart_option_at(o, 1, vertical ? "x" : "y");
    pc_chart_ok(
        L, pc_panel_add_guide(panel, vertical, at, pc_chart_option_text(o, "label"), pc_chart_option_style(o), &err),
        &err);
    lua_settop(L, 1);
    return 1;
}

static int panel_hline(lua_State *L)
{
    return add_guide(L, false);
}

static int panel_vline(lua_State *L)
{
    return add_guide(L, true);
}

static const pc_param span_params[] = {
    {"from", "number", NULL, NULL, "one end; by name or first of the list"},
    {"to", "number", NULL, NULL, "the other end; by name or second of the list"},
    {"label", "string", NULL, "none", "spans of one label share a tint; without a label, the tint of the one before"},
    {0},
};

static int panel_span(lua_State *L)
{
    pc_panel *panel = pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, "span", span_params, 2);
    double from = pc_chart_option_at(o, 1, "from"), to = pc_chart_option_at(o, 2, "to");
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_span(panel, from, to, pc_chart_option_text(o, "label"), &err), &err);
    lua_settop(L, 1);
    return 1;
}

static const pc_param text_params[] = {
    {"x", "number", NULL, NULL, "where the text begins; by name or first of the list"},
    {"y", "number", NULL, NULL, "its middle line; by name or second of the list"},
    {"text", "string", NULL, NULL, "what is written; by name or third of the list"},
    {0},
};

static int panel_text(lua_State *L)
{
    pc_panel *panel = pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, "text", text_params, 3);
    double x = pc_chart_option_at(o, 1, "x"), y = pc_chart_option_at(o, 2, "y");
    if (lua_geti(L, 2, 3) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_getfield(L, 2, "text");
    }
    if (lua_type(L, -1) != LUA_TSTRING) pc_chart_option_wrong(o, "text", "a string");
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_note(panel, x, y, lua_tostring(L, -1), &err), &err);
    lua_settop(L, 1);
    return 1;
}

/* --- the type --- */

static void panel_describe(lua_State *L, void *self)
{
    (void)self;
    const pc_panel *panel = pc_panel_check(L, 1);
    lua_pushfstring(L, "panel%s%s%s: %d series", panel->title ? " \"" : "", panel->title ? panel->title : "",
                    panel->title ? "\"" : "", (int)panel->n_series);
}

static void push_panel_figure(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_PANEL_FIGURE);
}

static const pc_property panel_properties[] = {
    {"figure", push_panel_figure, NULL, "the figure that it belongs to"},
    {0},
};

#define SMALL_FIGURE "local c = pc.chart.figure{ title = \"v\" }\nlocal p = c:panel{ xlabel = \"t\" }\n"

static const pc_function panel_methods[] = {
    {"line", panel_line, "Points joined by straight lines; NaN leaves a gap.", series_params, "the panel", NULL,
     SMALL_FIGURE "p:line{ pc.array{ 0, 1, 2 }, { 0, 1, 4 }, label = \"v_n\", dash = \"dashed\" }\n"
                  "print(p) --> panel: 1 series"},
    {"step", panel_step, "Each value holds until the next point.", series_params, "the panel", NULL,
     SMALL_FIGURE "p:step{ { 0, 1, 2 }, { 1, 3, 2 } }\nprint(c.series) --> 1"},
    {"scatter", panel_scatter, "One marker for each point.", series_params, "the panel", NULL,
     SMALL_FIGURE "p:scatter{ x = { 0, 1 }, y = { 2, 3 }, colour = \"orange\" }\nprint(c.series) --> 1"},
    {"hline", panel_hline, "A level reference line.", hline_params, "the panel", NULL,
     SMALL_FIGURE "p:hline{ y = 0, label = \"rest\" }"},
    {"vline", panel_vline, "An upright reference line.", vline_params, "the panel", NULL,
     SMALL_FIGURE "p:vline{ x = 1, label = \"end of compression\" }"},
    {"span", panel_span, "Shade an interval of x, such as a phase.", span_params, "the panel", NULL,
     SMALL_FIGURE "p:span{ 0, 0.5, label = \"stick\" }:span{ 0.5, 1, label = \"slip\" }"},
    {"text", panel_text, "Write a text at a point.", text_params, "the panel", NULL,
     SMALL_FIGURE "p:text{ 0.5, 1, \"peak\" }"},
    {0},
};

const pc_type pc_type_panel = {
    .name = "percuss.panel",
    .summary = "One pair of axes of a figure, with series, reference lines, spans and texts.",
    .properties = panel_properties,
    .methods = panel_methods,
    .describe = panel_describe,
};
