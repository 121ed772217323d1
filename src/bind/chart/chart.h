/* What the files of the chart module share: rows of options that many have, and the payloads checked. */
#ifndef PC_BIND_CHART_CHART_H
#define PC_BIND_CHART_CHART_H

#include "bind/core/bind.h"
#include "chart/figure/figure.h"

#include <stdbool.h>
#include <stddef.h>

/* What options say of a pen. */
typedef struct pc_pen_options {
    const char *colour;
    int dash;
    double width;
} pc_pen_options;

/* Rows of texts that need not be there, and of the pen in the member `pen` of a struct. */
/* clang-format off */
#define PC_CHART_TEXT(type, member, word, text) \
    {.name = word, .kind = PC_STRING, .offset = offsetof(type, member), .initial = PC_ABSENT, .otherwise = "none", \
     .doc = text}
#define PC_CHART_COLOUR(type, instead) \
    {.name = "colour", .kind = PC_STRING, .offset = offsetof(type, pen.colour), .initial = PC_ABSENT, \
     .otherwise = instead, .doc = "\"#rrggbb\" or a name such as \"blue\""}
#define PC_CHART_DASH(type, text) \
    PC_CHOICE_ROW(type, pen.dash, "dash", pc_dash_names, .doc = text)
#define PC_CHART_WIDTH(type) \
    {.name = "width", .kind = PC_REAL, .offset = offsetof(type, pen.width), .initial = 1, \
     .allowed = {0, 20, true, false}, .doc = "multiple of the usual pen"}
#define PC_CHART_AXIS(type) \
    PC_CHOICE_ROW(type, axis, "axis", pc_side_names, .doc = "the axis on which y counts")
#define PC_CHART_NUMBERS(word, at, text) \
    {.name = word, .kind = PC_NUMBERS, .place = at, .initial = PC_REQUIRED, .doc = text}
#define PC_CHART_PLACE(type, member, word, at, axis, text) \
    {.name = word, .kind = PC_REAL, .offset = offsetof(type, member), .place = at, .written = axis, \
     .initial = PC_REQUIRED, .doc = text}
/* clang-format on */

/* left, right */
extern const char *const pc_side_names[];

/* Style of the pen; `name` of the function for what is wrong with it. */
pc_style pc_chart_style(lua_State *L, const char *name, const pc_pen_options *pen);

/* Limits { first, last } in the table of options at index 2, under `name`lim; without label and unit. */
pc_axis pc_chart_axis(lua_State *L, const pc_schema *schema, const char *name, bool log);

/* Numbers that have to be there: pc_option_numbers of the table at index 2. */
const double *pc_chart_numbers(lua_State *L, const pc_schema *schema, const char *key, size_t *n);

/* The panel at `index`, whose figure is still open. */
pc_panel *pc_panel_check(lua_State *L, int index);

/* Raises the error in the record if `status` is one. */
void pc_chart_ok(lua_State *L, pc_status status, const pc_error *err);

/* Methods of panels: chart_fields.c and chart_reaches.c. */
int pc_panel_heatmap(lua_State *L);
int pc_panel_bands(lua_State *L);
int pc_panel_contour(lua_State *L);
int pc_panel_vectors(lua_State *L);
int pc_panel_streamlines(lua_State *L);
int pc_panel_bars(lua_State *L);
int pc_panel_histogram(lua_State *L);
int pc_panel_errorbars(lua_State *L);
extern const pc_schema pc_heatmap_options, pc_bands_options, pc_contour_options, pc_vectors_options,
    pc_streamlines_options, pc_bars_options, pc_histogram_options, pc_errorbars_options;

/* chart.gif(path, options): chart_gif.c. */
int pc_chart_gif(lua_State *L);
extern const pc_row pc_gif_params[];
extern const pc_type pc_type_gif;

/* figure:panel{ ... }, with its options. */
int pc_figure_panel(lua_State *L);
extern const pc_schema pc_panel_options;

/* Figures and their panels as userdata. A figure owns everything; a panel keeps its figure alive. */

/* figure == NULL: not made yet. */
typedef struct pc_bound_figure {
    pc_figure *figure;
} pc_bound_figure;

/* The panel belongs to the figure in user value 1. */
typedef struct pc_bound_panel {
    pc_panel *panel;
} pc_bound_panel;

enum { PC_PANEL_FIGURE = 1 };

extern const pc_type pc_type_figure, pc_type_panel;

#endif
