/* Panels of a figure: made by figure:panel, filled by their methods. */
#include "bind/chart/chart_internal.h"

#include <stdio.h>

/* A panel outlives a figure that was closed: then it is of no use any more. Options may call a script, which may close
 * the figure, so the panel is checked before they are read and fetched afterwards. */
pc_panel *pc_panel_check(lua_State *L, int index)
{
    const pc_bound_panel *self = pc_type_check(L, index, &pc_type_panel);
    lua_getiuservalue(L, index, PC_PANEL_FIGURE);
    if (!pc_type_test(L, -1, &pc_type_figure)) pc_refuse(L, "the figure of this panel was closed");
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
    {"xlim", "table", NULL, "from the data",
     "{ first, last } of x; either may be nil; first > last turns the axis round"},
    {"ylim", "table", NULL, "from the data",
     "{ first, last } of y; either may be nil; first > last turns the axis round"},
    {"xlog", "boolean", NULL, "false", "logarithmic x axis; values that are not positive are left out and counted"},
    {"ylog", "boolean", NULL, "false", "logarithmic y axis; values that are not positive are left out and counted"},
    {"rightlabel", "string", NULL, "none", "what y of series with axis = \"right\" is"},
    {"rightunit", "string", NULL, "none", "unit of these series, in brackets after their label"},
    {"rightlim", "table", NULL, "from the data", "{ first, last } of the right axis"},
    {"rightlog", "boolean", NULL, "false", "logarithmic right axis"},
    {"equal", "boolean", NULL, "false", "units of x and y are equally long"},
    {"polar", "boolean", NULL, "false", "series give angle (rad, anticlockwise from the right) and radius"},
    {"legend", "boolean", NULL, "true", "name the series that have labels where it hides least"},
    {0},
};

/* What the options say about an axis; the texts still belong to the table. */
typedef struct axis_request {
    const char *label, *unit;
    pc_axis limits;
} axis_request;

static axis_request read_axis(pc_chart_options o, const char *name)
{
    axis_request request = {0};
    char key[16];
    snprintf(key, sizeof key, "%slabel", name);
    request.label = pc_chart_option_text(o, key);
    snprintf(key, sizeof key, "%sunit", name);
    request.unit = pc_chart_option_text(o, key);
    request.limits = pc_chart_option_axis(o, name);
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
    pc_type_check(L, 1, &pc_type_figure);
    pc_chart_options o = pc_chart_options_open(L, 2, "panel", pc_panel_params, 0);
    pc_figure *figure = ((pc_bound_figure *)pc_type_check(L, 1, &pc_type_figure))->figure;
    const char *title = pc_chart_option_text(o, "title");
    bool legend = pc_chart_option_flag(o, "legend", true);
    const axis_request x = read_axis(o, "x"), y = read_axis(o, "y"), right = read_axis(o, "right");
    bool equal = pc_chart_option_flag(o, "equal", false), polar = pc_chart_option_flag(o, "polar", false);
    if ((equal || polar) && (x.limits.log || y.limits.log)) {
        return pc_refuse(L, "panel: %s does not go with a logarithmic axis", polar ? "polar" : "equal");
    }
    pc_bound_panel *self = pc_type_new(L, &pc_type_panel, sizeof *self, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, PC_PANEL_FIGURE);
    pc_error err = {0};
    pc_chart_ok(L, pc_figure_add_panel(figure, &self->panel, &err), &err);
    self->panel->legend = legend;
    self->panel->equal = equal;
    self->panel->polar = polar;
    pc_status status = pc_panel_set_text(&self->panel->title, title, &err);
    if (!status) status = set_axis(&self->panel->x, &x, &err);
    if (!status) status = set_axis(&self->panel->y, &y, &err);
    if (!status) status = set_axis(&self->panel->right, &right, &err);
    if (status) pc_figure_drop_panel(figure);
    pc_chart_ok(L, status, &err);
    return 1;
}

/* --- what is drawn on a panel --- */

/* clang-format off */
#define STYLE_PARAMS \
    {"colour", "string", NULL, "the next of the palette", "\"#rrggbb\" or a name such as \"blue\""}, \
    {"dash", PC_DASH_TYPE, NULL, "\"auto\"", "of the line; auto: its own"}, \
    {"width", "number", "", "1", "multiple of the usual pen"}
/* clang-format on */

static const pc_param series_params[] = {
    {"x", "array", NULL, NULL, "abscissae: first of the list, or by name; a list of numbers will do"},
    {"y", "array", NULL, NULL, "ordinates: second of the list, or by name; NaN breaks a line"},
    {"label", "string", NULL, "none", "name in the legend"},
    {"axis", PC_SIDE_TYPE, NULL, "\"left\"", "the axis on which y counts"},
    STYLE_PARAMS,
    {0},
};

static int add_series(lua_State *L, const char *kind)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, kind, series_params, 2);
    pc_panel *panel = pc_panel_check(L, 1);
    pc_style style = pc_chart_option_style(o);
    const char *label = pc_chart_option_text(o, "label");
    bool right = pc_chart_option_right(o);
    size_t nx, ny;
    const double *x = pc_chart_option_numbers(o, 1, "x", &nx), *y = pc_chart_option_numbers(o, 2, "y", &ny);
    if (nx != ny) {
        return pc_refuse(L, "%s%s%s%s: x has %d numbers and y has %d", kind, label ? " \"" : "", label ? label : "",
                         label ? "\"" : "", (int)nx, (int)ny);
    }
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, nx, label, style, &err), &err);
    panel->series[panel->n_series - 1].right = right;
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
    {"y", "number", "y", NULL, "where the line is; by name or first of the list"},
    {"label", "string", NULL, "none", "written along the line"},
    STYLE_PARAMS,
    {0},
};
static const pc_param vline_params[] = {
    {"x", "number", "x", NULL, "where the line is; by name or first of the list"},
    {"label", "string", NULL, "none", "written along the line"},
    STYLE_PARAMS,
    {0},
};

static int add_guide(lua_State *L, bool vertical)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o =
        pc_chart_options_open(L, 2, vertical ? "vline" : "hline", vertical ? vline_params : hline_params, 1);
    pc_panel *panel = pc_panel_check(L, 1);
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
    {"from", "number", "x", NULL, "one end; by name or first of the list"},
    {"to", "number", "x", NULL, "the other end; by name or second of the list"},
    {"label", "string", NULL, "none", "spans of one label share a tint; without a label, the tint of the one before"},
    {0},
};

static int panel_span(lua_State *L)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, "span", span_params, 2);
    pc_panel *panel = pc_panel_check(L, 1);
    double from = pc_chart_option_at(o, 1, "from"), to = pc_chart_option_at(o, 2, "to");
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_span(panel, from, to, pc_chart_option_text(o, "label"), &err), &err);
    lua_settop(L, 1);
    return 1;
}

static const pc_param text_params[] = {
    {"x", "number", "x", NULL, "where the text begins; by name or first of the list"},
    {"y", "number", "y", NULL, "its middle line; by name or second of the list"},
    {"text", "string", NULL, NULL, "what is written; by name or third of the list"},
    {0},
};

static int panel_text(lua_State *L)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, "text", text_params, 3);
    pc_panel *panel = pc_panel_check(L, 1);
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
    int fields = (int)panel->n_fields;
    if (fields == 0) return;
    lua_pushfstring(L, ", %d field%s", fields, fields == 1 ? "" : "s");
    lua_concat(L, 2);
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
    {"bars", pc_panel_bars, "A bar from a base to each point.", pc_bars_params, "the panel", NULL,
     SMALL_FIGURE "p:bars{ { 1, 2, 3 }, { 0.2, 0.5, 0.3 }, label = \"share\", thickness = 0.4, shift = -0.2 }\n"
                  "p:bars{ { 1, 2, 3 }, { 0.3, 0.4, 0.3 }, label = \"expected\", thickness = 0.4, shift = 0.2 }\n"
                  "print(p) --> panel: 2 series"},
    {"histogram", pc_panel_histogram, "Bars that count values in bins.", pc_histogram_params, "the panel",
     "D. Freedman and P. Diaconis (1981), Z. Wahrscheinlichkeitstheorie verw. Gebiete 57, 453 (number of bins)",
     SMALL_FIGURE "p:histogram{ { 1, 1.2, 2, 2.1, 2.2, 3 }, bins = { 0.5, 1.5, 2.5, 3.5 } }\nprint(p) --> panel: 1 "
                  "series"},
    {"errorbars", pc_panel_errorbars, "A marker for each point with the reach of its error.", pc_errorbars_params,
     "the panel", NULL,
     SMALL_FIGURE "p:errorbars{ { 1, 2 }, { 3, 4 }, yerr = { 0.2, 0.3 }, xerr = 0.1, label = \"measured\" }\n"
                  "print(p) --> panel: 1 series"},
    {"heatmap", pc_panel_heatmap,
     "Cells coloured by a value on a grid, with a bar of the colours. Grids finer than the page are sampled.",
     pc_heatmap_params, "the panel", NULL,
     SMALL_FIGURE "p:heatmap{ { 0, 1 }, { 0, 1, 2 }, { 1, 2, 3, 4, 5, 6 }, label = \"loss\", unit = \"J\" }\n"
                  "p:contour{ { 0, 1 }, { 0, 1, 2 }, { { 1, 2, 3 }, { 4, 5, 6 } }, levels = { 2.5, 4 } }\n"
                  "print(p) --> panel: 0 series, 2 fields"},
    {"bands", pc_panel_bands,
     "Areas between levels of a value on a grid, each of one colour, with a bar: filled contours.", pc_bands_params,
     "the panel", NULL,
     SMALL_FIGURE "p:bands{ { 0, 1 }, { 0, 1 }, { 0, 1, 1, 2 }, levels = { 0.5, 1, 1.5 }, label = \"loss\" }\n"
                  "p:contour{ { 0, 1 }, { 0, 1 }, { 0, 1, 1, 2 }, levels = { 0.5, 1, 1.5 } }\n"
                  "print(p) --> panel: 0 series, 2 fields"},
    {"contour", pc_panel_contour, "Lines of equal value on a grid, with their levels written on them.",
     pc_contour_params, "the panel", NULL,
     SMALL_FIGURE "p:contour{ { 0, 1 }, { 0, 1 }, { 0, 1, 1, 2 }, levels = { 0.5, 1, 1.5 }, labels = false }\n"
                  "print(p) --> panel: 0 series, 1 field"},
    {"vectors", pc_panel_vectors,
     "An arrow at grid points: the direction in which (x, y) moves over the page at the rates (u, v).",
     pc_vectors_params, "the panel", NULL,
     SMALL_FIGURE "p:vectors{ { -1, 0, 1 }, { -1, 1 }, { 1, -1, 1, -1, 1, -1 }, { 1, 1, 0, 0, -1, -1 } }\n"
                  "print(p) --> panel: 0 series, 1 field"},
    {"streamlines", pc_panel_streamlines, "Evenly spaced lines that follow the rates (u, v) on a grid.",
     pc_vectors_params, "the panel",
     "B. Jobard and W. Lefer (1997), Creating evenly-spaced streamlines of arbitrary density",
     SMALL_FIGURE "p:streamlines{ { -1, 1 }, { -1, 1 }, u = { 1, -1, 1, -1 }, v = { 1, 1, -1, -1 }, density = 0.8 }\n"
                  "print(p) --> panel: 0 series, 1 field"},
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
    .summary = "One pair of axes of a figure, with series, fields on grids, reference lines, spans and texts.",
    .properties = panel_properties,
    .methods = panel_methods,
    .describe = panel_describe,
};
