/* What the files of the chart module share: options read from tables, and the payloads checked. */
#ifndef PC_BIND_CHART_CHART_INTERNAL_H
#define PC_BIND_CHART_CHART_INTERNAL_H

#include "bind/chart/chart.h"

#include <stdbool.h>
#include <stddef.h>

/* Types of options that many kinds share: the words of pc_dash_names, and sides. */
#define PC_DASH_TYPE "auto | solid | dashed | dotted | dash_dot | dash_dot_dot | long_dashed"
#define PC_SIDE_TYPE "left | right"

/* The table of options at stack index `table` of the function called `name`. */
typedef struct pc_chart_options {
    lua_State *L;
    int table;
    const char *name;
} pc_chart_options;

/* Refuses names in the table at `index` that are not among the documented ones, with or without the dot of an option;
 * elements 1..n of its list part are
 * allowed. Without a table there is an empty one. */
pc_chart_options pc_chart_options_open(lua_State *L, int index, const char *name, const pc_param *params,
                                       lua_Integer n);

/* Raises "name: key must be expected, not ..." for the value on top of the stack. */
void pc_chart_option_wrong(pc_chart_options o, const char *key, const char *expected);

/* A string that lives in the table, or NULL. */
const char *pc_chart_option_text(pc_chart_options o, const char *key);
bool pc_chart_option_flag(pc_chart_options o, const char *key, bool otherwise);
double pc_chart_option_number(pc_chart_options o, const char *key, double otherwise);
int pc_chart_option_whole(pc_chart_options o, const char *key, int otherwise);

/* Index of the option's word among `words`, which end with NULL. */
int pc_chart_option_word(pc_chart_options o, const char *key, const char *const *words, int otherwise);

/* colour, dash, width. */
pc_style pc_chart_option_style(pc_chart_options o);

/* The option `axis`: true for "right". */
bool pc_chart_option_right(pc_chart_options o);

/* Limits and scale of an axis from the options `name`lim and `name`log; without label and unit. */
pc_axis pc_chart_option_axis(pc_chart_options o, const char *name);

/* Element `position` of the list part, or the option `key`: a number. */
double pc_chart_option_at(pc_chart_options o, lua_Integer position, const char *key);

/* The same: an array or a list of numbers. What is returned stays on the stack. */
const double *pc_chart_option_numbers(pc_chart_options o, lua_Integer position, const char *key, size_t *n);

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
extern const pc_param pc_heatmap_params[], pc_bands_params[], pc_contour_params[], pc_vectors_params[],
    pc_bars_params[], pc_histogram_params[], pc_errorbars_params[];

/* chart.gif(path, options): chart_gif.c. */
int pc_chart_gif(lua_State *L);
extern const pc_param pc_gif_params[];
extern const pc_type pc_type_gif;

/* figure:panel{ ... }, with its options. */
int pc_figure_panel(lua_State *L);
extern const pc_param pc_panel_params[];

#endif
