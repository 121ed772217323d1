/* Panels of a figure: made by figure:panel, filled by their methods. */
#include "bind/chart/chart.h"

#include <stddef.h>

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

enum { X, Y, RIGHT, N_AXES };
static const char *const axis_names[] = {"x", "y", "right"};

typedef struct panel_options {
    const char *title, *label[N_AXES], *unit[N_AXES];
    bool log[N_AXES], equal, polar, legend;
} panel_options;

#define LIMITS(word, text)                                                                                             \
    {                                                                                                                  \
        .name = word, .kind = PC_TABLE, .initial = PC_ABSENT, .otherwise = "from the data", .doc = text                \
    }

static const pc_row panel_rows[] = {
    PC_CHART_TEXT(panel_options, title, "title", "above the panel"),
    PC_CHART_TEXT(panel_options, label[X], "xlabel", "what x is"),
    PC_CHART_TEXT(panel_options, label[Y], "ylabel", "what y is"),
    PC_CHART_TEXT(panel_options, unit[X], "xunit", "unit of x, written after its label in brackets"),
    PC_CHART_TEXT(panel_options, unit[Y], "yunit", "unit of y, written after its label in brackets"),
    LIMITS("xlim", "{ first, last } of x; either may be nil; first > last turns the axis round"),
    LIMITS("ylim", "{ first, last } of y; either may be nil; first > last turns the axis round"),
    PC_ROW(panel_options, log[X], "xlog",
           .doc = "logarithmic x axis; values that are not positive are left out and counted"),
    PC_ROW(panel_options, log[Y], "ylog",
           .doc = "logarithmic y axis; values that are not positive are left out and counted"),
    PC_CHART_TEXT(panel_options, label[RIGHT], "rightlabel", "what y of series with axis = \"right\" is"),
    PC_CHART_TEXT(panel_options, unit[RIGHT], "rightunit", "unit of these series, in brackets after their label"),
    LIMITS("rightlim", "{ first, last } of the right axis"),
    PC_ROW(panel_options, log[RIGHT], "rightlog", .doc = "logarithmic right axis"),
    PC_ROW(panel_options, equal, "equal", .doc = "units of x and y are equally long"),
    PC_ROW(panel_options, polar, "polar", .doc = "series give angle (rad, anticlockwise from the right) and radius"),
    PC_ROW(panel_options, legend, "legend", .initial = true,
           .doc = "name the series that have labels where it hides least"),
};
const pc_schema pc_panel_options = {.name = "figure:panel", PC_ROWS(panel_rows), .size = sizeof(panel_options)};

/* The texts still belong to the table. */
static pc_status set_texts(pc_axis *axis, const char *label, const char *unit, pc_error *err)
{
    pc_status status = pc_panel_set_text(&axis->label, label, err);
    return status ? status : pc_panel_set_text(&axis->unit, unit, err);
}

/* Everything is read before the panel is added: a wrong option leaves the figure as it was. */
int pc_figure_panel(lua_State *L)
{
    lua_settop(L, 2);
    pc_type_check(L, 1, &pc_type_figure);
    panel_options o;
    pc_options_take(L, 2, &pc_panel_options, &o);
    pc_figure *figure = ((pc_bound_figure *)pc_type_check(L, 1, &pc_type_figure))->figure;
    pc_axis axes[N_AXES];
    for (int i = 0; i < N_AXES; i++) axes[i] = pc_chart_axis(L, &pc_panel_options, axis_names[i], o.log[i]);
    if ((o.equal || o.polar) && (o.log[X] || o.log[Y]))
        return pc_refuse(L, "figure:panel: %s does not go with a logarithmic axis", o.polar ? "polar" : "equal");
    pc_bound_panel *self = pc_type_new(L, &pc_type_panel, sizeof *self, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, PC_PANEL_FIGURE);
    pc_error err = {0};
    pc_chart_ok(L, pc_figure_add_panel(figure, &self->panel, &err), &err);
    pc_panel *panel = self->panel;
    panel->legend = o.legend;
    panel->equal = o.equal;
    panel->polar = o.polar;
    pc_status status = pc_panel_set_text(&panel->title, o.title, &err);
    pc_axis *to[N_AXES] = {&panel->x, &panel->y, &panel->right};
    for (int i = 0; i < N_AXES && !status; i++) {
        *to[i] = axes[i];
        status = set_texts(to[i], o.label[i], o.unit[i], &err);
    }
    if (status) pc_figure_drop_panel(figure);
    pc_chart_ok(L, status, &err);
    return 1;
}

/* --- what is drawn on a panel --- */

/* Of series and of lines. */
typedef struct line_options {
    const char *label;
    pc_pen_options pen;
    int axis;
    double at;
} line_options;

#define LINE_STYLE                                                                                                     \
    PC_CHART_COLOUR(line_options, "the next of the palette"),                                                          \
        PC_CHART_DASH(line_options, "of the line; auto: its own"), PC_CHART_WIDTH(line_options)

static const pc_row series_rows[] = {
    PC_CHART_NUMBERS("x", 1, "abscissae: first of the list, or by name; a list of numbers will do"),
    PC_CHART_NUMBERS("y", 2, "ordinates: second of the list, or by name; NaN breaks a line"),
    PC_CHART_TEXT(line_options, label, "label", "name in the legend"),
    PC_CHART_AXIS(line_options),
    LINE_STYLE,
};
static const pc_schema line_schema = {.name = "panel:line", PC_ROWS(series_rows), .size = sizeof(line_options)};
static const pc_schema step_schema = {.name = "panel:step", PC_ROWS(series_rows), .size = sizeof(line_options)};
static const pc_schema scatter_schema = {.name = "panel:scatter", PC_ROWS(series_rows), .size = sizeof(line_options)};

static int add_series(lua_State *L, const pc_schema *schema, const char *kind)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    line_options o;
    pc_options_take(L, 2, schema, &o);
    pc_panel *panel = pc_panel_check(L, 1);
    pc_style style = pc_chart_style(L, schema->name, &o.pen);
    size_t nx, ny;
    const double *x = pc_chart_numbers(L, schema, "x", &nx), *y = pc_chart_numbers(L, schema, "y", &ny);
    if (nx != ny) {
        return pc_refuse(L, "%s%s%s%s: x has %d numbers and y has %d", schema->name, o.label ? " \"" : "",
                         o.label ? o.label : "", o.label ? "\"" : "", (int)nx, (int)ny);
    }
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, nx, o.label, style, &err), &err);
    panel->series[panel->n_series - 1].right = o.axis == 1;
    lua_settop(L, 1);
    return 1;
}

static int panel_line(lua_State *L)
{
    return add_series(L, &line_schema, "line");
}

static int panel_step(lua_State *L)
{
    return add_series(L, &step_schema, "step");
}

static int panel_scatter(lua_State *L)
{
    return add_series(L, &scatter_schema, "scatter");
}

static const pc_row hline_rows[] = {
    PC_CHART_PLACE(line_options, at, "y", 1, "y", "where the line is; by name or first of the list"),
    PC_CHART_TEXT(line_options, label, "label", "written along the line"),
    LINE_STYLE,
};
static const pc_row vline_rows[] = {
    PC_CHART_PLACE(line_options, at, "x", 1, "x", "where the line is; by name or first of the list"),
    PC_CHART_TEXT(line_options, label, "label", "written along the line"),
    LINE_STYLE,
};
static const pc_schema hline_schema = {.name = "panel:hline", PC_ROWS(hline_rows), .size = sizeof(line_options)};
static const pc_schema vline_schema = {.name = "panel:vline", PC_ROWS(vline_rows), .size = sizeof(line_options)};

static int add_guide(lua_State *L, const pc_schema *schema)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    line_options o;
    pc_options_take(L, 2, schema, &o);
    pc_panel *panel = pc_panel_check(L, 1);
    pc_error err = {0};
    pc_style style = pc_chart_style(L, schema->name, &o.pen);
    pc_chart_ok(L, pc_panel_add_guide(panel, schema == &vline_schema, o.at, o.label, style, &err), &err);
    lua_settop(L, 1);
    return 1;
}

static int panel_hline(lua_State *L)
{
    return add_guide(L, &hline_schema);
}

static int panel_vline(lua_State *L)
{
    return add_guide(L, &vline_schema);
}

typedef struct span_options {
    double from, to;
    const char *label;
} span_options;

static const pc_row span_rows[] = {
    PC_CHART_PLACE(span_options, from, "from", 1, "x", "one end; by name or first of the list"),
    PC_CHART_PLACE(span_options, to, "to", 2, "x", "the other end; by name or second of the list"),
    PC_CHART_TEXT(span_options, label, "label",
                  "spans of one label share a tint; without a label, the tint of the one before"),
};
static const pc_schema span_schema = {.name = "panel:span", PC_ROWS(span_rows), .size = sizeof(span_options)};

static int panel_span(lua_State *L)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    span_options o;
    pc_options_take(L, 2, &span_schema, &o);
    pc_panel *panel = pc_panel_check(L, 1);
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_span(panel, o.from, o.to, o.label, &err), &err);
    lua_settop(L, 1);
    return 1;
}

typedef struct note_options {
    double x, y;
    const char *text;
} note_options;

static const pc_row note_rows[] = {
    PC_CHART_PLACE(note_options, x, "x", 1, "x", "where the text begins; by name or first of the list"),
    PC_CHART_PLACE(note_options, y, "y", 2, "y", "its middle line; by name or second of the list"),
    {.name = "text",
     .kind = PC_STRING,
     .offset = offsetof(note_options, text),
     .place = 3,
     .initial = PC_REQUIRED,
     .doc = "what is written; by name or third of the list"},
};
static const pc_schema note_schema = {.name = "panel:text", PC_ROWS(note_rows), .size = sizeof(note_options)};

static int panel_text(lua_State *L)
{
    pc_panel_check(L, 1);
    lua_settop(L, 2);
    note_options o;
    pc_options_take(L, 2, &note_schema, &o);
    pc_panel *panel = pc_panel_check(L, 1);
    pc_error err = {0};
    pc_chart_ok(L, pc_panel_add_note(panel, o.x, o.y, o.text, &err), &err);
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
    {"line", panel_line, "Points joined by straight lines; NaN leaves a gap.", PC_TAKES(line_schema), "the panel", NULL,
     SMALL_FIGURE "p:line{ pc.array{ 0, 1, 2 }, { 0, 1, 4 }, label = \"v_n\", dash = \"dashed\" }\n"
                  "print(p) --> panel: 1 series"},
    {"step", panel_step, "Each value holds until the next point.", PC_TAKES(step_schema), "the panel", NULL,
     SMALL_FIGURE "p:step{ { 0, 1, 2 }, { 1, 3, 2 } }\nprint(c.series) --> 1"},
    {"scatter", panel_scatter, "One marker for each point.", PC_TAKES(scatter_schema), "the panel", NULL,
     SMALL_FIGURE "p:scatter{ x = { 0, 1 }, y = { 2, 3 }, colour = \"orange\" }\nprint(c.series) --> 1"},
    {"bars", pc_panel_bars, "A bar from a base to each point.", PC_TAKES(pc_bars_options), "the panel", NULL,
     SMALL_FIGURE "p:bars{ { 1, 2, 3 }, { 0.2, 0.5, 0.3 }, label = \"share\", thickness = 0.4, shift = -0.2 }\n"
                  "p:bars{ { 1, 2, 3 }, { 0.3, 0.4, 0.3 }, label = \"expected\", thickness = 0.4, shift = 0.2 }\n"
                  "print(p) --> panel: 2 series"},
    {"histogram", pc_panel_histogram, "Bars that count values in bins.", PC_TAKES(pc_histogram_options), "the panel",
     "D. Freedman and P. Diaconis (1981), Z. Wahrscheinlichkeitstheorie verw. Gebiete 57, 453 (number of bins)",
     SMALL_FIGURE "p:histogram{ { 1, 1.2, 2, 2.1, 2.2, 3 }, bins = { 0.5, 1.5, 2.5, 3.5 } }\nprint(p) --> panel: 1 "
                  "series"},
    {"errorbars", pc_panel_errorbars, "A marker for each point with the reach of its error.",
     PC_TAKES(pc_errorbars_options), "the panel", NULL,
     SMALL_FIGURE "p:errorbars{ { 1, 2 }, { 3, 4 }, yerr = { 0.2, 0.3 }, xerr = 0.1, label = \"measured\" }\n"
                  "print(p) --> panel: 1 series"},
    {"heatmap", pc_panel_heatmap,
     "Cells coloured by a value on a grid, with a bar of the colours. Grids finer than the page are sampled.",
     PC_TAKES(pc_heatmap_options), "the panel", NULL,
     SMALL_FIGURE "p:heatmap{ { 0, 1 }, { 0, 1, 2 }, { 1, 2, 3, 4, 5, 6 }, label = \"loss\", unit = \"J\" }\n"
                  "p:contour{ { 0, 1 }, { 0, 1, 2 }, { { 1, 2, 3 }, { 4, 5, 6 } }, levels = { 2.5, 4 } }\n"
                  "print(p) --> panel: 0 series, 2 fields"},
    {"bands", pc_panel_bands,
     "Areas between levels of a value on a grid, each of one colour, with a bar: filled contours.",
     PC_TAKES(pc_bands_options), "the panel", NULL,
     SMALL_FIGURE "p:bands{ { 0, 1 }, { 0, 1 }, { 0, 1, 1, 2 }, levels = { 0.5, 1, 1.5 }, label = \"loss\" }\n"
                  "p:contour{ { 0, 1 }, { 0, 1 }, { 0, 1, 1, 2 }, levels = { 0.5, 1, 1.5 } }\n"
                  "print(p) --> panel: 0 series, 2 fields"},
    {"contour", pc_panel_contour, "Lines of equal value on a grid, with their levels written on them.",
     PC_TAKES(pc_contour_options), "the panel", NULL,
     SMALL_FIGURE "p:contour{ { 0, 1 }, { 0, 1 }, { 0, 1, 1, 2 }, levels = { 0.5, 1, 1.5 }, labels = false }\n"
                  "print(p) --> panel: 0 series, 1 field"},
    {"vectors", pc_panel_vectors,
     "An arrow at grid points: the direction in which (x, y) moves over the page at the rates (u, v).",
     PC_TAKES(pc_vectors_options), "the panel", NULL,
     SMALL_FIGURE "p:vectors{ { -1, 0, 1 }, { -1, 1 }, { 1, -1, 1, -1, 1, -1 }, { 1, 1, 0, 0, -1, -1 } }\n"
                  "print(p) --> panel: 0 series, 1 field"},
    {"streamlines", pc_panel_streamlines, "Evenly spaced lines that follow the rates (u, v) on a grid.",
     PC_TAKES(pc_streamlines_options), "the panel",
     "B. Jobard and W. Lefer (1997), Creating evenly-spaced streamlines of arbitrary density",
     SMALL_FIGURE "p:streamlines{ { -1, 1 }, { -1, 1 }, u = { 1, -1, 1, -1 }, v = { 1, 1, -1, -1 }, density = 0.8 }\n"
                  "print(p) --> panel: 0 series, 1 field"},
    {"hline", panel_hline, "A level reference line.", PC_TAKES(hline_schema), "the panel", NULL,
     SMALL_FIGURE "p:hline{ y = 0, label = \"rest\" }"},
    {"vline", panel_vline, "An upright reference line.", PC_TAKES(vline_schema), "the panel", NULL,
     SMALL_FIGURE "p:vline{ x = 1, label = \"end of compression\" }"},
    {"span", panel_span, "Shade an interval of x, such as a phase.", PC_TAKES(span_schema), "the panel", NULL,
     SMALL_FIGURE "p:span{ 0, 0.5, label = \"stick\" }:span{ 0.5, 1, label = \"slip\" }"},
    {"text", panel_text, "Write a text at a point.", PC_TAKES(note_schema), "the panel", NULL,
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
