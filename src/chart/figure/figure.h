/* A figure as plain data: panels in a grid, each with two axes, series, fields, reference lines,
 * shaded spans and notes.
 *
 * Nothing here knows how a figure is drawn. A figure owns its panels and they own copies of all numbers and texts;
 * pc_figure_free frees the whole. Texts use the markup of figure.h.
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

/* Texts on charts: a growing run of bytes, and UTF-8 with a little markup for sub- and superscripts.
 *
 *     F_t   ω_0 t   v_{n,0}   m^2   10^{-3}   N/m^1.5
 *
 * A script takes the braces after it, or else the letters and digits that follow (after ^ also a leading sign and a
 * decimal point). A bare "_" is a subscript only after a short symbol of at most two letters, so that names such as
 * loss_fraction stay names; "_{" always is one. A backslash makes the next character literal.
 */

/* --- bytes, for charts as text and for pictures in memory ---
 * Appending never reports: the first request for memory that fails marks the buffer as failed, later appends do
 * nothing, and whoever fills it asks once at the end (pc_buffer_status). That keeps the drawing code free of a check
 * after every character. */

/* All zero is an empty buffer. While nothing has failed and size > 0, data[size] is a zero byte. */
typedef struct pc_buffer {
    char *data;
    size_t size, capacity;
    bool failed;
} pc_buffer;

void pc_buffer_append(pc_buffer *buffer, const void *bytes, size_t size);
void pc_buffer_print(pc_buffer *buffer, const char *format, ...) PC_PRINTF(2, 3);

/* Append one character as UTF-8. */
void pc_buffer_put(pc_buffer *buffer, unsigned character);

/* Forget the contents, keep the memory. */
void pc_buffer_clear(pc_buffer *buffer);

/* Contents as a string: never NULL. */
const char *pc_buffer_text(const pc_buffer *buffer);

pc_status pc_buffer_status(const pc_buffer *buffer, pc_error *err);
void pc_buffer_free(pc_buffer *buffer);

/* --- labels --- */

/* Longest label, in characters; the rest is replaced by an ellipsis. PLplot's drawing of text has fixed buffers
 * behind it, which a label of this length cannot fill even if every second character is a script. */
enum { PC_LABEL_LENGTH = 120 };

/* A copy (pc_free) fit for every device: malformed UTF-8 becomes U+FFFD, control characters become spaces, so that
 * no label can send bytes to a terminal that steer it; too long ones are cut. NULL: no memory. */
char *pc_label_clean(const char *text);

/* Next character of UTF-8 text, advancing *text; U+FFFD for malformed bytes, 0 at the end. */
unsigned pc_label_next(const char **text);

/* The markup, read piece by piece: one base character or one whole script, bytes [start, start + size) at one height: 0
 * base, -1 subscript, +1 superscript. */
typedef struct pc_label_piece {
    const char *start;
    size_t size;
    int height;
} pc_label_piece;

/* Begin with {label, 0}. */
typedef struct pc_label_reader {
    const char *at;
    int letters; /* letters of the word that ends here */
} pc_label_reader;

/* The next piece; false at the end. */
bool pc_label_read(pc_label_reader *reader, pc_label_piece *piece);

/* Append as plain text. With `unicode` scripts use the raised and lowered characters where all of them exist (ω₀,
 * m²) and stay as written otherwise; without it Greek letters and signs are spelled in ASCII. */
void pc_label_plain(const char *label, bool unicode, pc_buffer *out);

/* Columns that plain text takes on a terminal. */
int pc_label_columns(const char *plain);

/* Width in multiples of the font's size, from the average widths of a sans-serif face: for room, not for precision. */
double pc_label_width(const char *label);

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

/* Limits and ticks of an axis, and what a field has on its scale of colours, the same for every device. */

enum { PC_TICKS_MAX = 64, PC_TICK_TEXT = 32 };

typedef struct pc_tick {
    double value;
    char text[PC_TICK_TEXT]; /* in label markup; "" for a minor tick */
} pc_tick;

/* An axis with everything resolved. lo may be greater than hi: then it runs backwards. */
typedef struct pc_scale {
    double lo, hi;
    bool log;
    int n_ticks;
    pc_tick ticks[PC_TICKS_MAX];
    char common[48]; /* what all tick texts share: "×10^{-3}", "+ 1200", or "" */
} pc_scale;

/* Limits of both axes of a panel: what is given, and what is not from the data, reference lines and spans included,
 * with a margin where a curve would touch the frame. */
void pc_panel_limits(const pc_panel *panel, pc_scale *x, pc_scale *y);

/* The same for the right axis of y. */
void pc_panel_right_limits(const pc_panel *panel, pc_scale *right);

/* Limits of one axis: what is given, and what is not from the data between lo and hi (lo > hi: there is none), without
 * a margin. */
void pc_scale_resolve(const pc_axis *axis, double lo, double hi, pc_scale *scale);

/* Ticks for the limits in *scale, about `wanted` of them. */
void pc_scale_set_ticks(pc_scale *scale, int wanted);

/* Position of a value: 0 at lo, 1 at hi. Not finite where the value cannot be drawn. */
double pc_scale_position(const pc_scale *scale, double value);

/* The value at a position. */
double pc_scale_value(const pc_scale *scale, double position);

/* --- fields --- */

/* Limits of the colours. Those that are not given follow from the values; on both sides of zero alike where the
 * palette diverges. */
void pc_field_scale(const pc_field *field, pc_scale *z);

/* Levels of a levelled field: its own, or round values within its limits. */
int pc_field_levels(const pc_field *field, double levels[PC_LEVELS_MAX]);

/* A level as its label says it, in label markup. */
void pc_field_level_text(double level, char *text, size_t size);

/* Edges of the cells around n ascending grid lines, n + 1 of them: halfway between neighbours, on a logarithmic axis
 * by their ratio. */
void pc_field_edges(const double *lines, size_t n, bool log, double *edges);

/* First and last value that the field covers along an axis: edges of cells for fields that have them. */
void pc_field_reach(const pc_field *field, bool along_y, bool log, double *first, double *last);

/* --- bands: areas between the levels of a field, each of one colour --- */

/* Band i lies between level i - 1 and level i; the first and the last have no end. */
typedef struct pc_bands {
    const pc_field *field;
    pc_scale z;
    int n_levels;
    double levels[PC_LEVELS_MAX];
} pc_bands;

void pc_bands_make(const pc_field *field, pc_bands *bands);

/* The band of a value, or -1 where it is not finite or not on the scale. */
int pc_bands_find(const pc_bands *bands, double value);

/* Where the colour of a band stands on the palette, from 0 to 1: at the middle of its part of the scale. */
double pc_bands_position(const pc_bands *bands, int band);

/* Value at a point of the axes, linear in x and in y between grid points; NaN outside of the grid and in a cell that
 * has a corner without value. */
double pc_bands_value(const pc_bands *bands, double x, double y);

/* From series and fields to what a device draws: runs of connected points in device coordinates, clipped to a box.
 *
 * Of neighbouring points in one column of the device only the first, the lowest, the highest and the last are kept,
 * in their order: no extreme is lost, and a million points cost what the device can show.
 */

/* A rectangle, x0 < x1 and y0 < y1; y points up. */
typedef struct pc_box {
    double x0, y0, x1, y1;
} pc_box;

/* Points of a line being made. All zero is none; what cannot be added is not, and marks the whole as failed. */
typedef struct pc_points {
    double *x, *y;
    int n;
    size_t x_room, y_room;
    bool failed;
} pc_points;

void pc_points_add(pc_points *points, double x, double y);
void pc_points_free(pc_points *points);

/* Receives a run of n >= 1 points; a run of one point is an isolated dot. */
typedef void (*pc_run_sink)(void *context, const double *x, const double *y, int n);

/* Runs of a joined series. The frame is where the scales end, `box` where the pen may go (the frame or a little
 * more). `column`: width of a device column in units of the box. */
pc_status pc_curve_runs(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_box box,
                        double column, pc_run_sink sink, void *context, pc_error *err);

/* The same for arrays of points; `held`: joined by steps. */
pc_status pc_curve_trace(const double *px, const double *py, size_t n, bool held, const pc_scale *x, const pc_scale *y,
                         pc_box frame, pc_box box, double column, pc_run_sink sink, void *context, pc_error *err);

/* Points of a series inside the frame, each as a run of one. Points less than `grain` apart in both coordinates may
 * be given once. */
pc_status pc_curve_points(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, double grain,
                          pc_run_sink sink, void *context, pc_error *err);

/* The part of a segment inside a box; false if there is none (Liang and Barsky 1984). */
bool pc_clip_segment(pc_box box, double *x0, double *y0, double *x1, double *y1);

/* Cut a run into dashes. `unit` is the length that the pattern counts in. */
void pc_dash_run(pc_dash dash, double unit, const double *x, const double *y, int n, pc_run_sink sink, void *context);

/* --- bars and error bars: what points reach over --- */

/* Receives a point and what it reaches over, clipped to the frame. */
typedef void (*pc_reach_sink)(void *context, double x, double y, pc_box reach);

/* Points of a series whose reach meets the frame. An end that a logarithmic axis cannot show lies at the frame. */
pc_status pc_reach_each(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_reach_sink sink,
                        void *context, pc_error *err);

/* --- lines of equal value --- */

/* Gives every line of a level to the sink, in the units of the axes. A closed line ends at its first point. Cells
 * with a value that is not finite have no line. Between grid points values run straight; where a cell has two lines,
 * the mean of its corners says which corners they join. */
pc_status pc_contour_trace(const pc_field *field, double level, pc_run_sink sink, void *context, pc_error *err);

/* --- streamlines and arrows --- */

/* The field in the coordinates of a frame: a vector is the velocity with which a point moves over the page, so that
 * arrows are tangent to the curves drawn there, whatever the scales of the axes. */
typedef struct pc_stream {
    pc_box frame;
    size_t nx, ny;
    double *x, *y; /* grid lines on the page, ascending or descending as the axes run */
    double *u, *v; /* NaN where there is no vector */
    double fastest;
} pc_stream;

pc_status pc_stream_make(const pc_field *field, const pc_scale *x, const pc_scale *y, pc_box frame, pc_stream *flow,
                         pc_error *err);
void pc_stream_free(pc_stream *flow);

/* The vector at a point of the page; false outside the field and where it has none. */
bool pc_stream_at(const pc_stream *flow, double x, double y, double *u, double *v);

/* Streamlines about `spacing` apart, each a run in the direction of flow (Jobard and Lefer 1997, "Creating
 * evenly-spaced streamlines of arbitrary density"). */
pc_status pc_stream_lines(const pc_stream *flow, double spacing, pc_run_sink sink, void *context, pc_error *err);

/* Arrows at grid points at least `spacing` apart, each a run of two points, tail and tip, centred on its grid point;
 * the longest is `spacing` long, none is shorter than `least`. There is none where the field vanishes,
 * nor where it would leave the frame. */
void pc_stream_arrows(const pc_stream *flow, double spacing, double least, pc_run_sink sink, void *context);

/* Where everything goes on a page: frames, margins, legends, in pixels at 96 dots an inch, y up. */

/* Sizes of type and pens, chosen once for a figure. */
typedef struct pc_type_sizes {
    double tick, label, title; /* height of type */
    double pen;                /* width of a curve */
    double gap;                /* the small distance between things */
} pc_type_sizes;

/* One entry of a legend: a series, a field, or a span that has no room for its label. */
typedef enum pc_entry_of { PC_ENTRY_SERIES, PC_ENTRY_FIELD, PC_ENTRY_SPAN } pc_entry_of;

typedef struct pc_entry {
    pc_entry_of of;
    size_t index;
    double x, y; /* left end of the sample; middle of the text */
} pc_entry;

enum { PC_ENTRIES_MAX = 48 };

typedef struct pc_panel_layout {
    pc_scale x, y;
    pc_box frame;
    double x_label, y_label, title; /* distances of middle lines from the frame */
    pc_scale right;                 /* the second axis of y, where there is one */
    double right_label;
    pc_scale radius; /* of a polar panel, from its middle to its edge */
    pc_scale z;      /* of the colours of a shaded field, beside its bar */
    pc_box bar;
    double z_label; /* distance of its middle line from the frame */
    int n_entries;
    pc_entry entries[PC_ENTRIES_MAX];
    bool legend_inside;
    pc_box legend; /* with its padding, where it lies inside the frame */
} pc_panel_layout;

typedef struct pc_layout {
    double width, height;
    pc_type_sizes type;
    double title; /* middle line of the figure's title */
    size_t n_panels;
    pc_panel_layout *panels;
} pc_layout;

/* Text of a legend entry: the label, with "(no data)" where a series has none. */
void pc_entry_text(const pc_panel *panel, const pc_entry *entry, pc_buffer *text);

/* Length of the sample before the text of an entry. */
double pc_entry_sample(const pc_type_sizes *type);

/* "F_t [N]": the label of an axis with its unit; empty if there is none. */
void pc_axis_text(const pc_axis *axis, pc_buffer *text);

/* True if a span's label fits at the top of the span. */
bool pc_span_has_room(const pc_panel *panel, const pc_panel_layout *layout, const pc_type_sizes *type, size_t span);

/* Left and right end of a span within the frame; false if it lies outside. */
bool pc_span_ends(const pc_panel_layout *layout, const pc_span *span, double *left, double *right);

/* The scale of y on which a series counts. */
const pc_scale *pc_layout_scale_of(const pc_panel_layout *layout, const pc_series *series);

pc_status pc_layout_make(const pc_figure *figure, pc_layout *layout, pc_error *err);
void pc_layout_free(pc_layout *layout);

/* The one walk over a panel: everything that is drawn of it, part by part, given to a pen.
 *
 * The walk knows what a panel holds and where it lies on the layout's page; a pen knows how its device shows it. There
 * is a pen for pages (paint.h) and one for characters (text.h).
 *
 * Order: tints, fields, grid, reference lines, curves, their labels, frame, bar of colours, texts, legend: what is read
 * last is drawn last.
 */

typedef struct pc_pen pc_pen;

/* Where a text of an axis stands. */
typedef enum pc_side { PC_SIDE_BELOW, PC_SIDE_LEFT, PC_SIDE_RIGHT, PC_SIDE_BAR } pc_side;

/* What a note is: of the user, that nothing could be drawn, how many values a logarithmic axis hides. */
typedef enum pc_note_kind { PC_NOTE_OWN, PC_NOTE_EMPTY, PC_NOTE_MASKED } pc_note_kind;

/* What a device does. Points are in the layout's units; `series`, `span` and `guide` are numbers in the panel. Nothing
 * is reported: a pen that fails keeps its first failure in `status`, which ends the walk. */
typedef struct pc_pen_kind {
    /* true: cells of a heatmap are looked up once for each place of the pen's raster; false: drawn one by one */
    bool sampled;

    void (*span)(pc_pen *pen, size_t span, double left, double right);
    void (*span_label)(pc_pen *pen, size_t span, double left, double right);

    /* an area of one colour, `at` from 0 to 1 of a palette; areas come in rows from below, each from left to right */
    void (*area)(pc_pen *pen, const pc_palette *palette, double at, pc_box box);
    void (*level)(pc_pen *pen, const pc_field *field, double level, const double *x, const double *y, int n);
    void (*arrow)(pc_pen *pen, const pc_field *field, const double x[2], const double y[2]);
    void (*stream)(pc_pen *pen, const pc_field *field, const double *x, const double *y, int n);

    void (*guide)(pc_pen *pen, size_t guide, const double x[2], const double y[2]);
    void (*guide_label)(pc_pen *pen, size_t guide, double x, double y);

    /* runs of a joined series; a marker; a bar and whiskers over what a point reaches */
    void (*run)(pc_pen *pen, size_t series, const double *x, const double *y, int n);
    void (*marker)(pc_pen *pen, size_t series, double x, double y);
    void (*bar)(pc_pen *pen, size_t series, pc_box reach);
    void (*whiskers)(pc_pen *pen, size_t series, double x, double y, pc_box reach);

    /* axes: a line of the grid (NULL: there is none), the frame, a tick (minor ones have no text), the text of an axis
     * with what its ticks share */
    void (*grid)(pc_pen *pen, bool vertical, double at);
    void (*frame)(pc_pen *pen);
    void (*tick)(pc_pen *pen, pc_side side, double at, const char *text);
    void (*axis)(pc_pen *pen, pc_side side, const char *label, const char *common);
    void (*title)(pc_pen *pen, const char *text);

    /* of a polar panel: a circle with its radius (NULL: the edge), a spoke with its angle */
    void (*circle)(pc_pen *pen, double x, double y, double radius, const char *text);
    void (*spoke)(pc_pen *pen, double x, double y, double radius, int degrees);

    void (*colours)(pc_pen *pen, const pc_bands *bands);
    void (*note)(pc_pen *pen, pc_note_kind kind, double x, double y, const char *text);

    /* legend: what lies under it (NULL: nothing); the samples of a span and of a field; a text. Samples of series are
     * drawn by what draws the series. */
    void (*legend)(pc_pen *pen);
    void (*span_sample)(pc_pen *pen, size_t span, double x, double y);
    void (*field_sample)(pc_pen *pen, const pc_field *field, double x, double y);
    void (*entry)(pc_pen *pen, double x, double y, const char *text);
} pc_pen_kind;

/* The first member of every pen. */
struct pc_pen {
    const pc_pen_kind *kind;
    const pc_panel *panel;
    const pc_panel_layout *layout;
    double column;                     /* width of the finest column that the device shows */
    int columns, rows;                 /* the raster of shades over the frame */
    double spacing;                    /* of streamlines at density 1 */
    double arrow_spacing, arrow_least; /* of arrows */
    double sample, sample_half;        /* of a legend's sample: length, half its height */
    pc_status status;
    pc_error *err;
};

pc_status pc_panel_draw(pc_pen *pen);

/* The colour at 0 to 1 of a bar of colours: of bands that of the band there. */
pc_colour pc_bands_colour(const pc_bands *bands, double at);

#endif
