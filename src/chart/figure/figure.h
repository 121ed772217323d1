/* A figure as plain data: panels in a grid, each with two axes, series, fields, reference lines,
 * shaded spans and notes.
 *
 * Nothing here knows how a figure is drawn. A figure owns its panels and they own copies of all numbers and texts;
 * pc_figure_free frees the whole. Texts use the markup of label.h.
 *
 * A NaN or an infinite value breaks a line and is not drawn. On a logarithmic axis values that are not positive are
 * left out, and the panel says how many. A series without a point that can be drawn keeps its legend entry, with
 * "(no data)"; a panel without any says so in its middle.
 */
#ifndef PC_CHART_FIGURE_H
#define PC_CHART_FIGURE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Colours: the page, the palette of the curves, colours by name, and palettes for numbers.
 *
 * The colours of curves are those of Okabe and Ito (2008), "Color Universal Design", told apart under every common form
 * of colour blindness. Curves also differ by dash, so that a copy in black and white can be read.
 *
 * Sequential palettes grow evenly in lightness, so that they keep their order in a copy in black and white and under
 * every common form of colour blindness. A diverging palette is lightest in its middle, which stands for zero.
 */

/* given == false: take the next of the palette. */
typedef struct pc_colour {
    unsigned char red, green, blue;
    bool given;
} pc_colour;

enum { PC_PALETTE = 7, PC_TINTS = 4 };

typedef struct pc_theme {
    const char *name;
    pc_colour page, ink, muted, grid;
    pc_colour curve[PC_PALETTE];
    pc_colour tint[PC_TINTS]; /* behind spans: light enough for every curve to stay visible */
} pc_theme;

/* All themes; ends with a NULL name. The first is the default. */
extern const pc_theme pc_themes[];

/* Theme of a name, or NULL. */
const pc_theme *pc_theme_find(const char *name);

/* "#1b9e77" or a name (pc_colour_names); false if it is neither. */
bool pc_colour_parse(const char *text, pc_colour *colour);

extern const char *const pc_colour_names[]; /* ends with NULL */

/* Nearest index in the 6x6x6 cube of a 256-colour terminal. */
int pc_colour_terminal(pc_colour colour);

/* --- palettes of colours for numbers: heatmaps and their colour bars --- */

enum { PC_PALETTE_POINTS = 10 };

/* points: colours at equal distances, joined by straight lines in sRGB. */
typedef struct pc_palette {
    const char *name;
    bool diverging;
    int n;
    unsigned points[PC_PALETTE_POINTS]; /* 0xRRGGBB */
} pc_palette;

extern const pc_palette pc_palettes[]; /* ends with a NULL name; the first is the default */

/* The colour at 0 (least) to 1 (greatest); values outside take the nearest end. */
pc_colour pc_palette_at(const pc_palette *palette, double at);

/* CIE lightness L* of a colour, 0 to 100. */
double pc_colour_lightness(pc_colour colour);

/* --- kinds of series: rows with abilities, which is all that the drawing code asks for --- */

typedef struct pc_series_kind {
    const char *name;
    bool joined;    /* consecutive points are joined */
    bool held;      /* a value holds until the next point: joined by steps */
    bool marked;    /* every point gets a marker */
    bool filled;    /* what a point reaches over is an area */
    bool whiskered; /* what a point reaches over is shown by lines with ends */
    const char *doc;
} pc_series_kind;

extern const pc_series_kind pc_series_kinds[]; /* ends with a NULL name */
const pc_series_kind *pc_series_kind_find(const char *name);

typedef enum pc_dash {
    PC_DASH_AUTO,
    PC_DASH_SOLID,
    PC_DASH_DASHED,
    PC_DASH_DOTTED,
    PC_DASH_DASH_DOT,
    PC_DASH_DASH_DOT_DOT,
    PC_DASH_LONG_DASHED,
    PC_N_DASHES
} pc_dash;

/* Words in the order of pc_dash; ends with NULL. */
extern const char *const pc_dash_names[];

/* Lengths of pen down and pen up in multiples of the line's width; 0 ends the list. */
extern const double pc_dash_patterns[PC_N_DASHES][8];

/* width: multiple of the usual pen, 0 for 1. */
typedef struct pc_style {
    pc_colour colour;
    pc_dash dash;
    double width;
} pc_style;

/* What the points of a series reach over: bars and error bars. NULL, or NaN in a place: no further than the point. */
typedef struct pc_reach {
    double *x_lo, *x_hi, *y_lo, *y_hi;
} pc_reach;

typedef struct pc_series {
    const pc_series_kind *kind;
    double *x, *y;
    size_t n;
    pc_reach reach;
    bool right;  /* y counts on the right axis */
    char *label; /* NULL: not in the legend */
    pc_style style;
} pc_series;

/* A reference line across the panel. */
typedef struct pc_guide {
    bool vertical;
    double at;
    char *label;
    pc_style style;
} pc_guide;

/* A shaded interval of x, such as a phase of stick. Spans with the same label share a tint; one without a label takes
 * that of the span before it. */
typedef struct pc_span {
    double lo, hi;
    char *label;
} pc_span;

typedef struct pc_note {
    double x, y;
    char *text;
} pc_note;

/* lo, hi: NaN for a limit that follows from the data. */
typedef struct pc_axis {
    char *label;
    char *unit; /* printed after the label in brackets, as in column headers */
    double lo, hi;
    bool log;
} pc_axis;

/* Kinds as rows with abilities, as those of series. */
typedef struct pc_field_kind {
    const char *name;
    bool shaded;   /* cells around the grid points, filled by value; brings a colour bar */
    bool banded;   /* shaded, but by areas between levels, with values between the grid points */
    bool levelled; /* lines of equal value, with labels */
    bool arrowed;  /* an arrow at grid points */
    bool traced;   /* lines that follow the arrows */
    int parts;     /* values at each point: 1 for numbers, 2 for vectors */
    const char *doc;
} pc_field_kind;

extern const pc_field_kind pc_field_kinds[]; /* ends with a NULL name */
const pc_field_kind *pc_field_kind_find(const char *name);

/* Numbers or vectors on a grid, drawn as colours, lines of equal value, arrows or streamlines. A field owns its grid
 * lines, which ascend, and its values; value (i, j), at x[i] and y[j], is values[i * ny + j]. Where a value is not
 * finite nothing is drawn. Limits, grid lines and levels may lie on logarithmic axes. */
typedef struct pc_field {
    const pc_field_kind *kind;
    size_t nx, ny;
    double *x, *y;
    double *values[2]; /* z; or u and v */
    pc_axis z;         /* label, unit, limits and scale of the colours */
    const pc_palette *palette;
    double *levels; /* ascending; NULL: about `about` round values */
    int about;
    size_t n_levels;
    bool labelled;  /* levels are written on their lines */
    double density; /* of arrows and streamlines: 1 is usual */
    char *label;    /* in the legend: not for shaded fields, whose colour bar has that of z */
    pc_style style;
} pc_field;

typedef struct pc_panel {
    char *title;
    pc_axis x, y;
    pc_axis right; /* a second axis of y, on the right, where a series counts on it */
    bool equal;    /* a unit of x is as long as one of y */
    bool polar;    /* points are given as angle (radians, anticlockwise from the right) and radius, and kept as x, y */
    bool legend;
    pc_field *fields;
    size_t n_fields, field_room;
    pc_series *series;
    size_t n_series, series_room;
    pc_guide *guides;
    size_t n_guides, guide_room;
    pc_span *spans;
    size_t n_spans, span_room;
    pc_note *notes;
    size_t n_notes, note_room;
} pc_panel;

typedef struct pc_figure {
    char *title;
    int width, height; /* pixels at 96 dots an inch; 0: follows from the panels */
    int columns;       /* panels a row */
    const pc_theme *theme;
    pc_panel **panels;
    size_t n_panels, panel_room;
} pc_figure;

enum { PC_FIGURE_SIDE_MIN = 160, PC_FIGURE_SIDE_MAX = 8192, PC_FIGURE_PANELS_MAX = 64, PC_FIGURE_COLUMNS_MAX = 8 };

/* --- building ---
 * A function that fails leaves the figure as it was. */

pc_status pc_figure_new(pc_figure **figure, pc_error *err);
void pc_figure_free(pc_figure *figure);

/* 0 stands for a size that follows from the panels. */
pc_status pc_figure_set_size(pc_figure *figure, int width, int height, int columns, pc_error *err);
pc_status pc_figure_set_title(pc_figure *figure, const char *title, pc_error *err);

/* Size in pixels, with what is 0 in the figure filled in. */
void pc_figure_size(const pc_figure *figure, int *width, int *height);

pc_status pc_figure_add_panel(pc_figure *figure, pc_panel **panel, pc_error *err);

/* Takes the last panel away again. */
void pc_figure_drop_panel(pc_figure *figure);

/* Replaces a text that the panel owns: `field` is one of its members; NULL takes it away. */
pc_status pc_panel_set_text(char **field, const char *text, pc_error *err);

/* `name` ("x", "y") is for messages. Refused: limits that are infinite, equal, or not positive on a log axis. */
pc_status pc_axis_set_limits(pc_axis *axis, const char *name, double lo, double hi, bool log, pc_error *err);

/* The series is copied; label may be NULL. Polar panels take lines and markers alone. */
pc_status pc_panel_add_series(pc_panel *panel, const pc_series_kind *kind, const double *x, const double *y, size_t n,
                              const char *label, pc_style style, pc_error *err);

/* The same for kinds that reach; the last series of the panel is left as it is if this fails. */
pc_status pc_panel_add_reaching(pc_panel *panel, const pc_series_kind *kind, const double *x, const double *y, size_t n,
                                const pc_reach *reach, const char *label, pc_style style, pc_error *err);
pc_status pc_panel_add_guide(pc_panel *panel, bool vertical, double at, const char *label, pc_style style,
                             pc_error *err);
pc_status pc_panel_add_span(pc_panel *panel, double lo, double hi, const char *label, pc_error *err);
pc_status pc_panel_add_note(pc_panel *panel, double x, double y, const char *text, pc_error *err);

/* Grid lines must be finite and strictly monotonic, at least two each way; descending ones are turned round together
 * with the values. values[1] is NULL for kinds of one part. Everything is copied. *field points into the panel until
 * the next one is added. */
pc_status pc_panel_add_field(pc_panel *panel, const pc_field_kind *kind, const double *x, size_t nx, const double *y,
                             size_t ny, const double *const values[2], pc_field **field, pc_error *err);

/* Takes the last field away again. */
void pc_panel_drop_field(pc_panel *panel);

/* Finite levels in any order; equal ones count once. */
enum { PC_LEVELS_MAX = 64 };
pc_status pc_field_set_levels(pc_field *field, const double *levels, size_t n, pc_error *err);

/* What a field owns; for pc_figure_free. */
void pc_field_clear(pc_field *field);

/* --- what drawing asks --- */

/* Dash and colour of series i, with "automatic" resolved: automatic dashes keep away from those that others asked
 * for, as long as there are enough. */
pc_dash pc_panel_series_dash(const pc_panel *panel, size_t i);
pc_colour pc_panel_series_colour(const pc_panel *panel, size_t i, const pc_theme *theme);

/* Number of the tint of span i. */
int pc_panel_span_tint(const pc_panel *panel, size_t i);

/* The axis on which y of a series counts; and whether any counts on the right one. */
const pc_axis *pc_panel_axis_of(const pc_panel *panel, const pc_series *series);
bool pc_panel_has_right(const pc_panel *panel);

/* True if the point of the series can be drawn on its axes. */
bool pc_panel_shows(const pc_panel *panel, const pc_series *series, double x, double y);

/* True if any point of the series can be drawn. */
bool pc_panel_has_data(const pc_panel *panel, const pc_series *series);

/* True if there are series or fields and none of them can be drawn. */
bool pc_panel_is_empty(const pc_panel *panel);

/* Finite points that a logarithmic axis hides. */
size_t pc_panel_count_masked(const pc_panel *panel);

/* True if any value of the field is finite. */
bool pc_field_has_data(const pc_field *field);

/* The first shaded field of a panel, whose colour bar it shows; or NULL. */
const pc_field *pc_panel_bar(const pc_panel *panel);

/* Colour of the field's lines and arrows on a theme. */
pc_colour pc_field_colour(const pc_panel *panel, const pc_field *field, const pc_theme *theme);

/* --- histograms --- */

/* Counts of values in bins: counts[k] for edges[k] <= value < edges[k + 1], the last bin with its right edge. `edges`
 * ascend, n + 1 of them. Values that are not finite or lie outside are left out; their number is returned. */
size_t pc_histogram_count(const double *values, size_t n_values, const double *edges, size_t n, double *counts);

/* A number of bins of equal width for values: by the rule of Freedman and Diaconis (1981), 2 IQR / n^(1/3) wide; by
 * that of Sturges (1926) where half of the values are equal. At least 1, at most `most`. lo and hi: least and greatest
 * finite value, moved apart if they are equal; PC_E_ARGUMENT if there is none. */
pc_status pc_histogram_bins(const double *values, size_t n_values, size_t most, double *lo, double *hi, size_t *n,
                            pc_error *err);

#endif
