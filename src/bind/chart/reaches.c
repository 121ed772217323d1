/* Series that reach over something: bars, histograms, error bars. */
#include "bind/chart/chart_internal.h"
#include "bind/core/array.h"
#include "chart/figure/curve.h"

#include <math.h>

#define LABEL_AND_STYLE                                                                                                \
    {"label", "string", NULL, "none", "name in the legend"},                                                           \
        {"colour", "string", NULL, "the next of the palette", "\"#rrggbb\" or a name such as \"blue\""},               \
        {"width", "number", "", "1", "multiple of the usual pen"},                                                     \
    {                                                                                                                  \
        "axis", PC_SIDE_TYPE, NULL, "\"left\"", "the axis on which y counts"                                           \
    }

const pc_param pc_bars_params[] = {
    {"x", "array", NULL, NULL, "middles of the bars; first of the list, or by name"},
    {"y", "array", NULL, NULL, "their heights; second of the list, or by name"},
    {"base", "number", "y", "0", "where bars begin"},
    {"thickness", "number", "x", "0.8 of the least distance of two", "of a bar, in units of x"},
    {"shift", "number", "x", "0", "moves all bars, so that series stand side by side"},
    LABEL_AND_STYLE,
    {0},
};

const pc_param pc_histogram_params[] = {
    {"values", "array", NULL, NULL, "first of the list, or by name; those that are not finite are left out"},
    {"bins", "array", NULL, "by Freedman and Diaconis", "how many, or their edges"},
    {"density", "boolean", NULL, "false", "share of all values a unit of x instead of counts"},
    LABEL_AND_STYLE,
    {0},
};

const pc_param pc_errorbars_params[] = {
    {"x", "array", NULL, NULL, "first of the list, or by name"},
    {"y", "array", NULL, NULL, "second of the list, or by name"},
    {"yerr", "array", NULL, "none", "error of each y, a number for all, or { below, above }, two arrays"},
    {"xerr", "array", NULL, "none", "error of each x, a number for all, or { below, above }, two arrays"},
    LABEL_AND_STYLE,
    {0},
};

/* What the options say besides the numbers, read before anything is added. */
typedef struct series_request {
    pc_chart_options o;
    const char *label;
    pc_style style;
    bool right;
} series_request;

static series_request open_request(lua_State *L, const char *name, const pc_param *params, lua_Integer n)
{
    lua_settop(L, 2);
    series_request r = {.o = pc_chart_options_open(L, 2, name, params, n)};
    r.label = pc_chart_option_text(r.o, "label");
    r.style = pc_chart_option_style(r.o);
    r.right = pc_chart_option_right(r.o);
    return r;
}

static int add_series(const series_request *r, const char *kind, const double *x, const double *y, size_t n,
                      const pc_reach *reach)
{
    lua_State *L = r->o.L;
    pc_panel *panel = pc_panel_check(L, 1);
    pc_error err = {0};
    const pc_series_kind *found = pc_series_kind_find(kind);
    pc_chart_ok(L, pc_panel_add_reaching(panel, found, x, y, n, reach, r->label, r->style, &err), &err);
    panel->series[panel->n_series - 1].right = r->right;
    lua_settop(L, 1);
    return 1;
}

static void refuse_lengths(const series_request *r, const char *what, size_t n, size_t expected)
{
    if (n == expected) return;
    pc_refuse(r->o.L, "%s%s%s%s: x has %d numbers and %s has %d", r->o.name, r->label ? " \"" : "",
              r->label ? r->label : "", r->label ? "\"" : "", (int)expected, what, (int)n);
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
    const series_request r = open_request(L, "bars", pc_bars_params, 2);
    size_t n, ny;
    const double *given = pc_chart_option_numbers(r.o, 1, "x", &n), *y = pc_chart_option_numbers(r.o, 2, "y", &ny);
    refuse_lengths(&r, "y", ny, n);
    double base = pc_chart_option_number(r.o, "base", 0), shift = pc_chart_option_number(r.o, "shift", 0);
    double thickness = pc_chart_option_number(r.o, "thickness", usual_thickness(given, n));
    if (!(thickness > 0)) return pc_refuse(L, "bars: thickness = %f is not allowed: it must be > 0", thickness);
    double *x = new_numbers(L, n), *lo = new_numbers(L, n), *hi = new_numbers(L, n), *from = new_numbers(L, n);
    for (size_t i = 0; i < n; i++) {
        x[i] = given[i] + shift;
        lo[i] = x[i] - 0.5 * thickness;
        hi[i] = x[i] + 0.5 * thickness;
        from[i] = base;
    }
    return add_series(&r, "bars", x, y, n, &(pc_reach){.x_lo = lo, .x_hi = hi, .y_lo = from});
}

enum { MOST_BINS = 10000 };

/* Edges of the bins that the option asks for, n + 1 of them, on the stack. */
static const double *read_edges(lua_State *L, const series_request *r, const double *values, size_t n_values, size_t *n)
{
    int type = lua_getfield(L, 2, "bins");
    if (type == LUA_TNIL || type == LUA_TNUMBER) {
        double lo, hi;
        pc_error err = {0};
        pc_chart_ok(L, pc_histogram_bins(values, n_values, 200, &lo, &hi, n, &err), &err);
        if (type == LUA_TNUMBER) {
            int wanted = pc_chart_option_whole(r->o, "bins", 0);
            if (wanted < 1 || wanted > MOST_BINS) {
                pc_refuse(L, "histogram: bins = %d is not allowed: from 1 to %d", wanted, MOST_BINS);
            }
            *n = (size_t)wanted;
        }
        double *edges = new_numbers(L, *n + 1);
        for (size_t i = 0; i <= *n; i++) edges[i] = lo + (hi - lo) * ((double)i / (double)*n);
        edges[*n] = hi;
        return edges;
    }
    size_t n_edges;
    const double *edges = pc_chart_option_numbers(r->o, 2, "bins", &n_edges);
    if (n_edges < 2) pc_refuse(L, "histogram: bins has %d edges; there must be at least 2", (int)n_edges);
    for (size_t i = 1; i < n_edges; i++) {
        if (!(edges[i] > edges[i - 1]) || !isfinite(edges[i]) || !isfinite(edges[0])) {
            pc_refuse(L, "histogram: edges must ascend, but bins[%d] = %f follows %f", (int)i + 1, edges[i],
                      edges[i - 1]);
        }
    }
    *n = n_edges - 1;
    return edges;
}

int pc_panel_histogram(lua_State *L)
{
    const series_request r = open_request(L, "histogram", pc_histogram_params, 1);
    size_t n_values, n;
    const double *values = pc_chart_option_numbers(r.o, 1, "values", &n_values);
    bool density = pc_chart_option_flag(r.o, "density", false);
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
    int type = lua_getfield(L, 2, key);
    if (type == LUA_TNIL) return;
    int given = lua_gettop(L);
    *lo = new_numbers(L, n);
    *hi = new_numbers(L, n);
    for (int side = 0; side < 2; side++) {
        const double *errors = NULL;
        double same = 0;
        size_t n_errors = n;
        if (type == LUA_TNUMBER) {
            same = lua_tonumber(L, given);
        } else {
            bool pair = false;
            if (type == LUA_TTABLE) {
                int first = lua_geti(L, given, 1);
                pair = first == LUA_TTABLE || first == LUA_TUSERDATA;
            }
            pc_chart_options inner = {L, pair ? given : 2, r->o.name};
            errors = pair ? pc_chart_option_numbers(inner, side + 1, key, &n_errors)
                          : pc_chart_option_numbers(inner, 3, key, &n_errors);
        }
        refuse_lengths(r, key, n_errors, n);
        for (size_t i = 0; i < n; i++) {
            double error = errors ? errors[i] : same;
            if (error < 0) pc_refuse(L, "%s: %s[%d] = %f is negative", r->o.name, key, (int)i + 1, error);
            (side ? *hi : *lo)[i] = values[i] + (side ? error : -error);
        }
    }
}

int pc_panel_errorbars(lua_State *L)
{
    const series_request r = open_request(L, "errorbars", pc_errorbars_params, 2);
    size_t n, ny;
    const double *x = pc_chart_option_numbers(r.o, 1, "x", &n), *y = pc_chart_option_numbers(r.o, 2, "y", &ny);
    refuse_lengths(&r, "y", ny, n);
    pc_reach reach;
    read_errors(L, &r, "xerr", x, n, &reach.x_lo, &reach.x_hi);
    read_errors(L, &r, "yerr", y, n, &reach.y_lo, &reach.y_hi);
    return add_series(&r, "errorbars", x, y, n, &reach);
}
