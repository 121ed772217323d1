/* Fields on panels: heatmap, bands, contour, vectors, streamlines. */
#include "bind/chart/chart.h"
#include "bind/core/bind.h"
#include "chart/figure/figure.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of all kinds of fields; each has some. */
typedef struct field_options {
    const char *label, *unit;
    pc_pen_options pen;
    bool log, labelled;
    int palette;
    double density;
} field_options;

static const char *const palette_names[] = {"viridis", "cividis", "grey", "diverging", NULL};

#define GRID                                                                                                           \
    PC_CHART_NUMBERS("x", 1, "grid lines of x, ascending or descending; first of the list, or by name"),               \
        PC_CHART_NUMBERS("y", 2, "grid lines of y; second of the list, or by name")
#define VALUES "#x * #y numbers, that of x[i] and y[j] at (i - 1) * #y + j; or a table of #x arrays of #y numbers"
#define LINE                                                                                                           \
    PC_CHART_COLOUR(field_options, "of the theme"), PC_CHART_DASH(field_options, "of the line; auto: solid"),          \
        PC_CHART_WIDTH(field_options)
#define LABEL PC_CHART_TEXT(field_options, label, "label", "name in the legend")
#define COLOURS                                                                                                        \
    PC_CHART_TEXT(field_options, label, "label", "what z is, beside the bar of colours"),                              \
        PC_CHART_TEXT(field_options, unit, "unit", "unit of z, written after its label in brackets"),                  \
        {.name = "lim",                                                                                                \
         .kind = PC_TABLE,                                                                                             \
         .initial = PC_ABSENT,                                                                                         \
         .otherwise = "from the values",                                                                               \
         .doc = "{ least, greatest } value of the colours; either may be nil"},                                        \
        PC_ROW(field_options, log, "log", .doc = "colours by the logarithm; values that are not positive stay blank"), \
        PC_CHOICE_ROW(field_options, palette, "palette", palette_names,                                                \
                      .doc = "the colours; diverging: lightest at zero")
#define LEVELS(text)                                                                                                   \
    {                                                                                                                  \
        .name = "levels", .kind = PC_INTEGER, .also = PC_ALSO(PC_NUMBERS), .place = 4, .initial = PC_ABSENT,           \
        .otherwise = "round values", .allowed = PC_BETWEEN(1, PC_LEVELS_MAX), .doc = text                              \
    }
#define FIELD(word, array)                                                                                             \
    {                                                                                                                  \
        .name = "panel:" word, PC_ROWS(array), .size = sizeof(field_options)                                           \
    }

static const pc_row heatmap_rows[] = {GRID, PC_CHART_NUMBERS("z", 3, VALUES "; NaN stays blank"), COLOURS};
const pc_schema pc_heatmap_options = FIELD("heatmap", heatmap_rows);

static const pc_row bands_rows[] = {
    GRID,
    PC_CHART_NUMBERS("z", 3, VALUES "; a cell with a NaN stays blank"),
    LEVELS("ends of the bands, in any order, or about how many"),
    COLOURS,
};
const pc_schema pc_bands_options = FIELD("bands", bands_rows);

static const pc_row contour_rows[] = {
    GRID,
    PC_CHART_NUMBERS("z", 3, VALUES "; no line passes a NaN"),
    LEVELS("levels of the lines, in any order, or about how many"),
    PC_ROW(field_options, labelled, "labels", .initial = true, .doc = "write the levels on the lines"),
    LABEL,
    LINE,
};
const pc_schema pc_contour_options = FIELD("contour", contour_rows);

static const pc_row vectors_rows[] = {
    GRID,
    PC_CHART_NUMBERS("u", 3, "rates of x: " VALUES),
    PC_CHART_NUMBERS("v", 4, "rates of y, in the same order"),
    LABEL,
    PC_ROW(field_options, density, "density", .initial = 1, .allowed = PC_BETWEEN(0.1, 10),
           .doc = "how close arrows or lines stand"),
    LINE,
};
const pc_schema pc_vectors_options = FIELD("vectors", vectors_rows);
const pc_schema pc_streamlines_options = FIELD("streamlines", vectors_rows);

/* Appends the numbers of the array or list on top of the stack. */
static void append_numbers(lua_State *L, const pc_schema *schema, const char *key, size_t expected, double *numbers)
{
    int top = lua_gettop(L);
    size_t n;
    const double *given = pc_list_numbers(L, schema, key, &n);
    if (n != expected) pc_refuse(L, "%s: %s has %d numbers where %d belong", schema->name, key, (int)n, (int)expected);
    memcpy(numbers, given, n * sizeof *numbers);
    lua_settop(L, top);
}

/* Values on a grid, copied into a userdata that stays on the stack. */
static const double *read_grid(lua_State *L, const pc_schema *schema, const char *key, size_t nx, size_t ny)
{
    if (ny > 0 && nx > SIZE_MAX / sizeof(double) / ny) pc_refuse(L, "%s: the grid is too large", schema->name);
    double *values = lua_newuserdatauv(L, (nx > 0 && ny > 0 ? nx * ny : 1) * sizeof *values, 0);
    pc_option_push(L, 2, key);
    bool nested = false;
    if (lua_istable(L, -1)) {
        int first = lua_rawgeti(L, -1, 1);
        nested = first == LUA_TTABLE || first == LUA_TUSERDATA;
        lua_pop(L, 1);
    }
    if (!nested) {
        append_numbers(L, schema, key, nx * ny, values);
    } else {
        if ((size_t)lua_rawlen(L, -1) != nx) {
            pc_refuse(L, "%s: %s has %d arrays where %d belong", schema->name, key, (int)lua_rawlen(L, -1), (int)nx);
        }
        for (size_t i = 0; i < nx; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            append_numbers(L, schema, key, ny, values + i * ny);
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    return values;
}

/* --- the methods --- */

/* The field whose options are at index 2, added to the panel at index 1. */
static pc_field *add_field(lua_State *L, const pc_schema *schema, const char *const keys[2])
{
    pc_panel *panel = pc_panel_check(L, 1);
    const pc_field_kind *kind = pc_field_kind_find(strchr(schema->name, ':') + 1);
    size_t nx, ny;
    const double *x = pc_chart_numbers(L, schema, "x", &nx), *y = pc_chart_numbers(L, schema, "y", &ny);
    const double *values[2] = {NULL, NULL};
    for (int k = 0; k < kind->parts; k++) values[k] = read_grid(L, schema, keys[k], nx, ny);
    pc_error err = {0};
    pc_field *field;
    pc_chart_ok(L, pc_panel_add_field(panel, kind, x, nx, y, ny, values, &field, &err), &err);
    return field;
}

/* Sets the field's text, or takes the field away again and raises the error. */
static void set_text(lua_State *L, char **text, const char *to)
{
    pc_error err = {0};
    pc_status status = pc_panel_set_text(text, to, &err);
    if (status) pc_panel_drop_field(pc_panel_check(L, 1));
    pc_chart_ok(L, status, &err);
}

/* The option `levels`: a list, or about how many. Read before the field is there, set on it afterwards. */
typedef struct level_option {
    const double *levels;
    size_t n;
    int about; /* 0: not given */
} level_option;

static level_option read_levels(lua_State *L, const pc_schema *schema)
{
    level_option got = {0};
    if (!pc_option_push(L, 2, "levels")) return got;
    if (lua_type(L, -1) == LUA_TNUMBER)
        got.about = (int)lua_tointeger(L, -1);
    else
        got.levels = pc_list_numbers(L, schema, "levels", &got.n);
    return got;
}

static void set_levels(lua_State *L, pc_field *field, level_option got)
{
    if (got.about) field->about = got.about;
    pc_error err = {0};
    pc_status status = got.levels ? pc_field_set_levels(field, got.levels, got.n, &err) : PC_OK;
    if (status) pc_panel_drop_field(pc_panel_check(L, 1));
    pc_chart_ok(L, status, &err);
}

static int add_shaded(lua_State *L, const pc_schema *schema, bool banded)
{
    lua_settop(L, 2);
    field_options o;
    pc_options_take(L, 2, schema, &o);
    pc_axis z = pc_chart_axis(L, schema, "", o.log);
    level_option levels = {0};
    if (banded) levels = read_levels(L, schema);
    pc_field *field = add_field(L, schema, (const char *const[]){"z", NULL});
    field->z = z;
    for (const pc_palette *p = pc_palettes; p->name; p++)
        if (strcmp(p->name, palette_names[o.palette]) == 0) field->palette = p;
    set_levels(L, field, levels);
    set_text(L, &field->z.label, o.label);
    set_text(L, &field->z.unit, o.unit);
    lua_settop(L, 1);
    return 1;
}

int pc_panel_heatmap(lua_State *L)
{
    return add_shaded(L, &pc_heatmap_options, false);
}

int pc_panel_bands(lua_State *L)
{
    return add_shaded(L, &pc_bands_options, true);
}

int pc_panel_contour(lua_State *L)
{
    lua_settop(L, 2);
    field_options o;
    pc_options_take(L, 2, &pc_contour_options, &o);
    pc_style style = pc_chart_style(L, pc_contour_options.name, &o.pen);
    level_option levels = read_levels(L, &pc_contour_options);
    pc_field *field = add_field(L, &pc_contour_options, (const char *const[]){"z", NULL});
    field->style = style;
    field->labelled = o.labelled;
    set_levels(L, field, levels);
    set_text(L, &field->label, o.label);
    lua_settop(L, 1);
    return 1;
}

static int add_vectors(lua_State *L, const pc_schema *schema)
{
    lua_settop(L, 2);
    field_options o;
    pc_options_take(L, 2, schema, &o);
    pc_style style = pc_chart_style(L, schema->name, &o.pen);
    pc_field *field = add_field(L, schema, (const char *const[]){"u", "v"});
    field->style = style;
    field->density = o.density;
    set_text(L, &field->label, o.label);
    lua_settop(L, 1);
    return 1;
}

int pc_panel_vectors(lua_State *L)
{
    return add_vectors(L, &pc_vectors_options);
}

int pc_panel_streamlines(lua_State *L)
{
    return add_vectors(L, &pc_streamlines_options);
}

/* Series that reach over something: bars, histograms, error bars. */

typedef struct reach_options {
    const char *label;
    pc_pen_options pen;
    int axis;
    double base, thickness, shift;
    bool density;
} reach_options;

#define LABEL_AND_STYLE                                                                                                \
    PC_CHART_TEXT(reach_options, label, "label", "name in the legend"),                                                \
        PC_CHART_COLOUR(reach_options, "the next of the palette"), PC_CHART_WIDTH(reach_options),                      \
        PC_CHART_AXIS(reach_options)

static const pc_row bars_rows[] = {
    PC_CHART_NUMBERS("x", 1, "middles of the bars; first of the list, or by name"),
    PC_CHART_NUMBERS("y", 2, "their heights; second of the list, or by name"),
    PC_ROW(reach_options, base, "base", .written = "y", .doc = "where bars begin"),
    PC_ROW(reach_options, thickness, "thickness", .written = "x", .initial = PC_ABSENT,
           .otherwise = "0.8 of the least distance of two", .allowed = PC_POSITIVE, .doc = "of a bar, in units of x"),
    PC_ROW(reach_options, shift, "shift", .written = "x", .doc = "moves all bars, so that series stand side by side"),
    LABEL_AND_STYLE,
};
const pc_schema pc_bars_options = {.name = "panel:bars", PC_ROWS(bars_rows), .size = sizeof(reach_options)};

enum { MOST_BINS = 10000 };

static const pc_row histogram_rows[] = {
    PC_CHART_NUMBERS("values", 1, "first of the list, or by name; those that are not finite are left out"),
    {.name = "bins",
     .kind = PC_INTEGER,
     .also = PC_ALSO(PC_NUMBERS),
     .initial = PC_ABSENT,
     .otherwise = "by Freedman and Diaconis",
     .allowed = PC_BETWEEN(1, MOST_BINS),
     .doc = "how many, or their edges"},
    PC_ROW(reach_options, density, "density", .doc = "share of all values a unit of x instead of counts"),
    LABEL_AND_STYLE,
};
const pc_schema pc_histogram_options = {
    .name = "panel:histogram", PC_ROWS(histogram_rows), .size = sizeof(reach_options)};

#define ERROR(word, text)                                                                                              \
    {                                                                                                                  \
        .name = word, .kind = PC_NUMBERS, .also = PC_ALSO(PC_REAL), .initial = PC_ABSENT, .otherwise = "none",         \
        .doc = text                                                                                                    \
    }

static const pc_row errorbars_rows[] = {
    PC_CHART_NUMBERS("x", 1, "first of the list, or by name"),
    PC_CHART_NUMBERS("y", 2, "second of the list, or by name"),
    ERROR("yerr", "error of each y, a number for all, or { below, above }, two arrays"),
    ERROR("xerr", "error of each x, a number for all, or { below, above }, two arrays"),
    LABEL_AND_STYLE,
};
const pc_schema pc_errorbars_options = {
    .name = "panel:errorbars", PC_ROWS(errorbars_rows), .size = sizeof(reach_options)};

/* What the options say besides the numbers, read before anything is added. */
typedef struct series_request {
    lua_State *L;
    const pc_schema *schema;
    reach_options o;
    pc_style style;
} series_request;

static series_request open_request(lua_State *L, const pc_schema *schema)
{
    lua_settop(L, 2);
    series_request r = {.L = L, .schema = schema};
    pc_options_take(L, 2, schema, &r.o);
    r.style = pc_chart_style(L, schema->name, &r.o.pen);
    return r;
}

static int add_series(const series_request *r, const char *kind, const double *x, const double *y, size_t n,
                      const pc_reach *reach)
{
    lua_State *L = r->L;
    pc_panel *panel = pc_panel_check(L, 1);
    pc_error err = {0};
    const pc_series_kind *found = pc_series_kind_find(kind);
    pc_chart_ok(L, pc_panel_add_reaching(panel, found, x, y, n, reach, r->o.label, r->style, &err), &err);
    panel->series[panel->n_series - 1].right = r->o.axis == 1;
    lua_settop(L, 1);
    return 1;
}

static void refuse_lengths(const series_request *r, const char *what, size_t n, size_t expected)
{
    if (n == expected) return;
    const char *label = r->o.label;
    pc_refuse(r->L, "%s%s%s%s: x has %d numbers and %s has %d", r->schema->name, label ? " \"" : "", label ? label : "",
              label ? "\"" : "", (int)expected, what, (int)n);
}

static double *new_numbers(lua_State *L, size_t n)
{
    return lua_newuserdatauv(L, (n ? n : 1) * sizeof(double), 0);
}

/* 0.8 of the least distance between two neighbours; of one bar, 0.8. */
static double usual_thickness(const double *x, size_t n)
{
    double least = INFINITY;
    for (size_t i = 1; i < n; i++) {
        double distance = fabs(x[i] - x[i - 1]);
        if (distance > 0 && distance < least) least = distance;
    }
    return isfinite(least) ? 0.8 * least : 0.8;
}

int pc_panel_bars(lua_State *L)
{
    const series_request r = open_request(L, &pc_bars_options);
    size_t n, ny;
    const double *given = pc_chart_numbers(L, r.schema, "x", &n), *y = pc_chart_numbers(L, r.schema, "y", &ny);
    refuse_lengths(&r, "y", ny, n);
    const double base = r.o.base, shift = r.o.shift;
    const double thickness = isnan(r.o.thickness) ? usual_thickness(given, n) : r.o.thickness;
    double *x = new_numbers(L, n), *lo = new_numbers(L, n), *hi = new_numbers(L, n), *from = new_numbers(L, n);
    for (size_t i = 0; i < n; i++) {
        x[i] = given[i] + shift;
        lo[i] = x[i] - 0.5 * thickness;
        hi[i] = x[i] + 0.5 * thickness;
        from[i] = base;
    }
    return add_series(&r, "bars", x, y, n, &(pc_reach){.x_lo = lo, .x_hi = hi, .y_lo = from});
}

/* Edges of the bins that the option asks for, n + 1 of them, on the stack. */
static const double *read_edges(lua_State *L, const series_request *r, const double *values, size_t n_values, size_t *n)
{
    int type = pc_option_push(L, 2, "bins") ? lua_type(L, -1) : LUA_TNIL;
    if (type == LUA_TNIL || type == LUA_TNUMBER) {
        double lo, hi;
        pc_error err = {0};
        pc_chart_ok(L, pc_histogram_bins(values, n_values, 200, &lo, &hi, n, &err), &err);
        if (type == LUA_TNUMBER) *n = (size_t)lua_tointeger(L, -1);
        double *edges = new_numbers(L, *n + 1);
        for (size_t i = 0; i <= *n; i++) edges[i] = lo + (hi - lo) * ((double)i / (double)*n);
        edges[*n] = hi;
        return edges;
    }
    size_t n_edges;
    const double *edges = pc_chart_numbers(L, r->schema, "bins", &n_edges);
    if (n_edges < 2) pc_refuse(L, "panel:histogram: bins has %d edges; there must be at least 2", (int)n_edges);
    for (size_t i = 1; i < n_edges; i++) {
        if (!(edges[i] > edges[i - 1]) || !isfinite(edges[i]) || !isfinite(edges[0])) {
            pc_refuse(L, "panel:histogram: edges must ascend, but bins[%d] = %f follows %f", (int)i + 1, edges[i],
                      edges[i - 1]);
        }
    }
    *n = n_edges - 1;
    return edges;
}

int pc_panel_histogram(lua_State *L)
{
    const series_request r = open_request(L, &pc_histogram_options);
    size_t n_values, n;
    const double *values = pc_chart_numbers(L, r.schema, "values", &n_values);
    const bool density = r.o.density;
    const double *edges = read_edges(L, &r, values, n_values, &n);
    double *x = new_numbers(L, n), *counts = new_numbers(L, n), *zero = new_numbers(L, n), *lo = new_numbers(L, n),
           *hi = new_numbers(L, n);
    size_t outside = pc_histogram_count(values, n_values, edges, n, counts);
    for (size_t i = 0; i < n; i++) {
        lo[i] = edges[i];
        hi[i] = edges[i + 1];
        x[i] = 0.5 * (lo[i] + hi[i]);
        zero[i] = 0;
        /* an empty share of nothing is nothing */
        if (density && n_values > outside) counts[i] /= (double)(n_values - outside) * (hi[i] - lo[i]);
    }
    return add_series(&r, "bars", x, counts, n, &(pc_reach){.x_lo = lo, .x_hi = hi, .y_lo = zero});
}

/* Ends of the errors that an option gives, around the values; both NULL where there is none. */
static void read_errors(lua_State *L, const series_request *r, const char *key, const double *values, size_t n,
                        double **lo, double **hi)
{
    *lo = *hi = NULL;
    if (!pc_option_push(L, 2, key)) return;
    int given = lua_gettop(L), type = lua_type(L, given);
    bool pair = false;
    if (type == LUA_TTABLE) {
        int first = lua_geti(L, given, 1);
        pair = first == LUA_TTABLE || first == LUA_TUSERDATA;
        lua_pop(L, 1);
    }
    *lo = new_numbers(L, n);
    *hi = new_numbers(L, n);
    for (int side = 0; side < 2; side++) {
        const double *errors = NULL;
        double same = 0;
        size_t n_errors = n;
        if (type == LUA_TNUMBER) {
            same = lua_tonumber(L, given);
        } else {
            if (pair)
                lua_geti(L, given, side + 1);
            else
                lua_pushvalue(L, given);
            errors = pc_list_numbers(L, r->schema, key, &n_errors);
        }
        refuse_lengths(r, key, n_errors, n);
        for (size_t i = 0; i < n; i++) {
            double error = errors ? errors[i] : same;
            if (error < 0)
                pc_refuse(L, "%s: %s[%d] = %f is not allowed; it must be >= 0", r->schema->name, key, (int)i + 1,
                          error);
            (side ? *hi : *lo)[i] = values[i] + (side ? error : -error);
        }
    }
}

int pc_panel_errorbars(lua_State *L)
{
    const series_request r = open_request(L, &pc_errorbars_options);
    size_t n, ny;
    const double *x = pc_chart_numbers(L, r.schema, "x", &n), *y = pc_chart_numbers(L, r.schema, "y", &ny);
    refuse_lengths(&r, "y", ny, n);
    pc_reach reach;
    read_errors(L, &r, "xerr", x, n, &reach.x_lo, &reach.x_hi);
    read_errors(L, &r, "yerr", y, n, &reach.y_lo, &reach.y_hi);
    return add_series(&r, "errorbars", x, y, n, &reach);
}
