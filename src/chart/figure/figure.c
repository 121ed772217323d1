/* Figures as plain data: see figure.h. */
#include "chart/figure/figure.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const pc_series_kind pc_series_kinds[] = {
    {"line", .joined = true, .doc = "points joined by straight lines"},
    {"step", .joined = true, .held = true, .doc = "each value holds until the next point"},
    {"scatter", .marked = true, .doc = "one marker for each point"},
    {"bars", .filled = true, .doc = "a bar from a base to each point"},
    {"errorbars", .marked = true, .whiskered = true, .doc = "a marker with the reach of its error"},
    {.name = NULL},
};

const char *const pc_dash_names[] = {"auto",     "solid",        "dashed",      "dotted",
                                     "dash_dot", "dash_dot_dot", "long_dashed", NULL};

const double pc_dash_patterns[PC_N_DASHES][8] = {
    [PC_DASH_DASHED] = {5, 2.6},
    [PC_DASH_DOTTED] = {1.3, 1.8},
    [PC_DASH_DASH_DOT] = {6, 2.2, 1.3, 2.2},
    [PC_DASH_DASH_DOT_DOT] = {6, 2.2, 1.3, 2.2, 1.3, 2.2},
    [PC_DASH_LONG_DASHED] = {11, 3},
};

const pc_series_kind *pc_series_kind_find(const char *name)
{
    for (const pc_series_kind *kind = pc_series_kinds; kind->name; kind++) {
        if (strcmp(kind->name, name) == 0) return kind;
    }
    return NULL;
}

const pc_field_kind pc_field_kinds[] = {
    {"heatmap", .shaded = true, .parts = 1, .doc = "cells coloured by value, with a colour bar"},
    {"bands", .shaded = true, .banded = true, .parts = 1, .doc = "areas between levels, with a colour bar in steps"},
    {"contour", .levelled = true, .parts = 1, .doc = "lines of equal value with their labels"},
    {"vectors", .arrowed = true, .parts = 2, .doc = "an arrow at grid points"},
    {"streamlines", .traced = true, .parts = 2, .doc = "lines that follow a vector field, evenly spaced"},
    {.name = NULL},
};

const pc_field_kind *pc_field_kind_find(const char *name)
{
    for (const pc_field_kind *kind = pc_field_kinds; kind->name; kind++) {
        if (strcmp(kind->name, name) == 0) return kind;
    }
    return NULL;
}

static pc_status no_memory(pc_error *err)
{
    return pc_fail(err, PC_E_MEMORY, "not enough memory for the figure");
}

/* --- life and death --- */

static void series_clear(pc_series *series)
{
    pc_reach *r = &series->reach;
    double *const numbers[] = {series->x, series->y, r->x_lo, r->x_hi, r->y_lo, r->y_hi};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) pc_free(numbers[i]);
    pc_free(series->label);
}

static void field_clear(pc_field *field)
{
    pc_free(field->x);
    pc_free(field->y);
    pc_free(field->values[0]);
    pc_free(field->values[1]);
    pc_free(field->z.label);
    pc_free(field->z.unit);
    pc_free(field->levels);
    pc_free(field->label);
}

static void panel_free(pc_panel *panel)
{
    if (!panel) return;
    for (size_t i = 0; i < panel->n_series; i++) series_clear(&panel->series[i]);
    for (size_t i = 0; i < panel->n_guides; i++) pc_free(panel->guides[i].label);
    for (size_t i = 0; i < panel->n_spans; i++) pc_free(panel->spans[i].label);
    for (size_t i = 0; i < panel->n_notes; i++) pc_free(panel->notes[i].text);
    for (size_t i = 0; i < panel->n_fields; i++) field_clear(&panel->fields[i]);
    char *const texts[] = {panel->title,  panel->x.label,     panel->x.unit,    panel->y.label,
                           panel->y.unit, panel->right.label, panel->right.unit};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) pc_free(texts[i]);
    pc_free(panel->fields);
    pc_free(panel->series);
    pc_free(panel->guides);
    pc_free(panel->spans);
    pc_free(panel->notes);
    pc_free(panel);
}

pc_status pc_figure_new(pc_figure **figure, pc_error *err)
{
    *figure = pc_calloc(1, sizeof **figure);
    if (!*figure) return no_memory(err);
    (*figure)->columns = 1;
    (*figure)->theme = &pc_themes[0];
    return PC_OK;
}

void pc_figure_free(pc_figure *figure)
{
    if (!figure) return;
    for (size_t i = 0; i < figure->n_panels; i++) panel_free(figure->panels[i]);
    pc_free(figure->panels);
    pc_free(figure->title);
    pc_free(figure);
}

/* --- building --- */

pc_status pc_figure_set_size(pc_figure *figure, int width, int height, int columns, pc_error *err)
{
    const struct {
        const char *name;
        int value;
    } sides[] = {{"width", width}, {"height", height}};
    for (int i = 0; i < 2; i++) {
        if (sides[i].value == 0) continue;
        if (sides[i].value < PC_FIGURE_SIDE_MIN || sides[i].value > PC_FIGURE_SIDE_MAX) {
            return pc_fail(err, PC_E_ARGUMENT, "%s = %d is not allowed: from %d to %d pixels", sides[i].name,
                           sides[i].value, PC_FIGURE_SIDE_MIN, PC_FIGURE_SIDE_MAX);
        }
    }
    if (columns < 1 || columns > PC_FIGURE_COLUMNS_MAX) {
        return pc_fail(err, PC_E_ARGUMENT, "columns = %d is not allowed: from 1 to %d", columns, PC_FIGURE_COLUMNS_MAX);
    }
    figure->width = width;
    figure->height = height;
    figure->columns = columns;
    return PC_OK;
}

pc_status pc_panel_set_text(char **field, const char *text, pc_error *err)
{
    char *copy = NULL;
    if (text && !(copy = pc_label_clean(text))) return no_memory(err);
    pc_free(*field);
    *field = copy;
    return PC_OK;
}

pc_status pc_figure_set_title(pc_figure *figure, const char *title, pc_error *err)
{
    return pc_panel_set_text(&figure->title, title, err);
}

void pc_figure_size(const pc_figure *figure, int *width, int *height)
{
    int panels = figure->n_panels ? (int)figure->n_panels : 1;
    int columns = figure->columns < panels ? figure->columns : panels;
    int rows = (panels + columns - 1) / columns;
    *width = figure->width ? figure->width : columns == 1 ? 800 : 480 * columns;
    *height = figure->height ? figure->height : rows == 1 ? (columns == 1 ? 500 : 400) : 60 + 290 * rows;
    if (*width > PC_FIGURE_SIDE_MAX) *width = PC_FIGURE_SIDE_MAX;
    if (*height > PC_FIGURE_SIDE_MAX) *height = PC_FIGURE_SIDE_MAX;
}

pc_status pc_figure_add_panel(pc_figure *figure, pc_panel **panel, pc_error *err)
{
    if (figure->n_panels == PC_FIGURE_PANELS_MAX) {
        return pc_fail(err, PC_E_LIMIT, "a figure has at most %d panels", PC_FIGURE_PANELS_MAX);
    }
    if (!PC_GROW(figure->panels, figure->panel_room, figure->n_panels + 1)) return no_memory(err);
    *panel = pc_calloc(1, sizeof **panel);
    if (!*panel) return no_memory(err);
    (*panel)->x.lo = (*panel)->x.hi = (*panel)->y.lo = (*panel)->y.hi = NAN;
    (*panel)->right.lo = (*panel)->right.hi = NAN;
    (*panel)->legend = true;
    figure->panels[figure->n_panels++] = *panel;
    return PC_OK;
}

void pc_figure_drop_panel(pc_figure *figure)
{
    if (figure->n_panels > 0) panel_free(figure->panels[--figure->n_panels]);
}

pc_status pc_axis_set_limits(pc_axis *axis, const char *name, double lo, double hi, bool log, pc_error *err)
{
    const double limits[2] = {lo, hi};
    for (int i = 0; i < 2; i++) {
        if (isinf(limits[i])) {
            return pc_fail(err, PC_E_ARGUMENT, "%slim[%d] must be finite, not %g", name, i + 1, limits[i]);
        }
        if (log && limits[i] <= 0) {
            return pc_fail(err, PC_E_ARGUMENT, "%slim[%d] = %g does not go with a logarithmic axis: it must be > 0",
                           name, i + 1, limits[i]);
        }
    }
    if (lo == hi) return pc_fail(err, PC_E_ARGUMENT, "%slim is empty: both limits are %g", name, lo);
    axis->lo = lo;
    axis->hi = hi;
    axis->log = log;
    return PC_OK;
}

static double *copy_numbers(const double *values, size_t n)
{
    double *copy = pc_calloc(n, sizeof *copy);
    if (copy && n) memcpy(copy, values, n * sizeof *copy);
    return copy;
}

/* From angle and radius to x and y. */
static void turn_to_page(double *x, double *y)
{
    double angle = *x, radius = *y;
    *x = radius * cos(angle);
    *y = radius * sin(angle);
}

static pc_status refuse_on_polar(const pc_panel *panel, const char *what, pc_error *err)
{
    return panel->polar ? pc_fail(err, PC_E_ARGUMENT, "%s do not go on a polar panel", what) : PC_OK;
}

pc_status pc_panel_add_reaching(pc_panel *panel, const pc_series_kind *kind, const double *x, const double *y, size_t n,
                                const pc_reach *reach, const char *label, pc_style style, pc_error *err)
{
    if (panel->polar && (kind->filled || kind->whiskered || kind->held)) {
        return pc_fail(err, PC_E_ARGUMENT, "%s do not go on a polar panel: lines and markers do", kind->name);
    }
    pc_series series = {.kind = kind, .n = n, .style = style};
    series.x = copy_numbers(x, n);
    series.y = copy_numbers(y, n);
    bool complete = series.x && series.y && pc_panel_set_text(&series.label, label, NULL) == PC_OK;
    const double *const given[] = {reach->x_lo, reach->x_hi, reach->y_lo, reach->y_hi};
    double **const kept[] = {&series.reach.x_lo, &series.reach.x_hi, &series.reach.y_lo, &series.reach.y_hi};
    for (size_t i = 0; complete && i < sizeof given / sizeof *given; i++) {
        if (given[i]) complete = (*kept[i] = copy_numbers(given[i], n)) != NULL;
    }
    if (!complete || !PC_GROW(panel->series, panel->series_room, panel->n_series + 1)) {
        series_clear(&series);
        return no_memory(err);
    }
    for (size_t i = 0; panel->polar && i < n; i++) turn_to_page(&series.x[i], &series.y[i]);
    panel->series[panel->n_series++] = series;
    return PC_OK;
}

pc_status pc_panel_add_series(pc_panel *panel, const pc_series_kind *kind, const double *x, const double *y, size_t n,
                              const char *label, pc_style style, pc_error *err)
{
    return pc_panel_add_reaching(panel, kind, x, y, n, &(pc_reach){0}, label, style, err);
}

pc_status pc_panel_add_guide(pc_panel *panel, bool vertical, double at, const char *label, pc_style style,
                             pc_error *err)
{
    if (refuse_on_polar(panel, "reference lines", err)) return PC_E_ARGUMENT;
    if (!isfinite(at)) {
        return pc_fail(err, PC_E_ARGUMENT, "a reference line must be at a finite %s, not %g", vertical ? "x" : "y", at);
    }
    pc_guide guide = {.vertical = vertical, .at = at, .style = style};
    bool complete = pc_panel_set_text(&guide.label, label, NULL) == PC_OK;
    if (!complete || !PC_GROW(panel->guides, panel->guide_room, panel->n_guides + 1)) {
        pc_free(guide.label);
        return no_memory(err);
    }
    panel->guides[panel->n_guides++] = guide;
    return PC_OK;
}

pc_status pc_panel_add_span(pc_panel *panel, double lo, double hi, const char *label, pc_error *err)
{
    if (refuse_on_polar(panel, "spans", err)) return PC_E_ARGUMENT;
    if (isnan(lo) || isnan(hi)) return pc_fail(err, PC_E_ARGUMENT, "a span must have two ends, not %g and %g", lo, hi);
    pc_span span = {.lo = fmin(lo, hi), .hi = fmax(lo, hi)};
    bool complete = pc_panel_set_text(&span.label, label, NULL) == PC_OK;
    if (!complete || !PC_GROW(panel->spans, panel->span_room, panel->n_spans + 1)) {
        pc_free(span.label);
        return no_memory(err);
    }
    panel->spans[panel->n_spans++] = span;
    return PC_OK;
}

pc_status pc_panel_add_note(pc_panel *panel, double x, double y, const char *text, pc_error *err)
{
    if (!isfinite(x) || !isfinite(y)) {
        return pc_fail(err, PC_E_ARGUMENT, "a text must be at a finite point, not (%g, %g)", x, y);
    }
    pc_note note = {.x = x, .y = y};
    if (panel->polar) turn_to_page(&note.x, &note.y);
    bool complete = pc_panel_set_text(&note.text, text, NULL) == PC_OK;
    if (!complete || !PC_GROW(panel->notes, panel->note_room, panel->n_notes + 1)) {
        pc_free(note.text);
        return no_memory(err);
    }
    panel->notes[panel->n_notes++] = note;
    return PC_OK;
}

/* --- fields --- */

static pc_status check_lines(const char *kind, const char *name, const double *lines, size_t n, pc_error *err)
{
    if (n < 2) return pc_fail(err, PC_E_ARGUMENT, "%s: %s has %zu grid lines; it needs at least 2", kind, name, n);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(lines[i])) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: %s[%zu] = %g is not finite", kind, name, i + 1, lines[i]);
        }
        if (i > 0 && lines[i] == lines[i - 1]) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: %s[%zu] repeats %g", kind, name, i + 1, lines[i]);
        }
        if (i > 0 && (lines[i] > lines[i - 1]) != (lines[1] > lines[0])) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: grid lines must ascend or descend, but %s[%zu] = %g follows %g",
                           kind, name, i + 1, lines[i], lines[i - 1]);
        }
    }
    return PC_OK;
}

/* A copy that ascends. */
static double *copy_lines(const double *lines, size_t n)
{
    double *copy = pc_calloc(n, sizeof *copy);
    bool descends = lines[1] < lines[0];
    for (size_t i = 0; copy && i < n; i++) copy[i] = lines[descends ? n - 1 - i : i];
    return copy;
}

static double *copy_values(const double *x, size_t nx, const double *y, size_t ny, const double *values)
{
    double *copy = nx <= SIZE_MAX / ny ? pc_calloc(nx * ny, sizeof *copy) : NULL;
    bool turn_x = x[1] < x[0], turn_y = y[1] < y[0];
    for (size_t i = 0; copy && i < nx; i++) {
        const double *column = values + (turn_x ? nx - 1 - i : i) * ny;
        for (size_t j = 0; j < ny; j++) copy[i * ny + j] = column[turn_y ? ny - 1 - j : j];
    }
    return copy;
}

pc_status pc_panel_add_field(pc_panel *panel, const pc_field_kind *kind, const double *x, size_t nx, const double *y,
                             size_t ny, const double *const values[2], pc_field **field, pc_error *err)
{
    if (panel->polar) return pc_fail(err, PC_E_ARGUMENT, "%s does not go on a polar panel", kind->name);
    pc_status status = check_lines(kind->name, "x", x, nx, err);
    if (!status) status = check_lines(kind->name, "y", y, ny, err);
    if (status) return status;
    pc_field made = {
        .kind = kind, .nx = nx, .ny = ny, .palette = &pc_palettes[0], .labelled = true, .about = 8, .density = 1};
    made.z.lo = made.z.hi = NAN;
    made.x = copy_lines(x, nx);
    made.y = copy_lines(y, ny);
    bool complete = made.x && made.y;
    for (int k = 0; complete && k < kind->parts; k++) {
        made.values[k] = copy_values(x, nx, y, ny, values[k]);
        complete = made.values[k] != NULL;
    }
    if (!complete || !PC_GROW(panel->fields, panel->field_room, panel->n_fields + 1)) {
        field_clear(&made);
        return no_memory(err);
    }
    *field = &panel->fields[panel->n_fields++];
    **field = made;
    return PC_OK;
}

void pc_panel_drop_field(pc_panel *panel)
{
    if (panel->n_fields > 0) field_clear(&panel->fields[--panel->n_fields]);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

pc_status pc_field_set_levels(pc_field *field, const double *levels, size_t n, pc_error *err)
{
    if (n < 1 || n > PC_LEVELS_MAX) {
        return pc_fail(err, PC_E_ARGUMENT, "%s: levels holds %zu numbers; 1 to %d are allowed", field->kind->name, n,
                       PC_LEVELS_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(levels[i])) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: levels[%zu] = %g is not finite", field->kind->name, i + 1,
                           levels[i]);
        }
    }
    double *copy = pc_calloc(n, sizeof *copy);
    if (!copy) return no_memory(err);
    memcpy(copy, levels, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, ascending);
    size_t kept = 1;
    for (size_t i = 1; i < n; i++) {
        if (copy[i] > copy[kept - 1]) copy[kept++] = copy[i];
    }
    pc_free(field->levels);
    field->levels = copy;
    field->n_levels = kept;
    return PC_OK;
}

/* --- what drawing asks --- */

pc_dash pc_panel_series_dash(const pc_panel *panel, size_t i)
{
    if (panel->series[i].style.dash != PC_DASH_AUTO) return panel->series[i].style.dash;
    static const pc_dash order[] = {PC_DASH_SOLID,  PC_DASH_DASHED,      PC_DASH_DASH_DOT,
                                    PC_DASH_DOTTED, PC_DASH_LONG_DASHED, PC_DASH_DASH_DOT_DOT};
    enum { N = sizeof order / sizeof *order };
    bool taken[PC_N_DASHES] = {false};
    size_t rank = 0, n_free = 0; /* of this line among those that have automatic dashes */
    for (size_t k = 0; k < panel->n_series; k++) {
        const pc_series *series = &panel->series[k];
        if (!series->kind->joined) continue;
        taken[series->style.dash] = true;
        if (k < i && series->style.dash == PC_DASH_AUTO) rank++;
    }
    pc_dash free_dashes[N] = {PC_DASH_SOLID};
    for (size_t k = 0; k < N; k++) {
        if (!taken[order[k]]) free_dashes[n_free++] = order[k];
    }
    return n_free ? free_dashes[rank % n_free] : order[rank % N];
}

pc_colour pc_panel_series_colour(const pc_panel *panel, size_t i, const pc_theme *theme)
{
    pc_colour colour = panel->series[i].style.colour;
    return colour.given ? colour : theme->curve[i % PC_PALETTE];
}

int pc_panel_span_tint(const pc_panel *panel, size_t i)
{
    /* a span without a label goes with the one before it */
    while (i > 0 && !panel->spans[i].label) i--;
    int tint = 0;
    for (size_t k = 0; k < i; k++) {
        const char *label = panel->spans[k].label;
        if (!label) continue;
        if (strcmp(label, panel->spans[i].label) == 0) return pc_panel_span_tint(panel, k);
        bool seen = false;
        for (size_t j = 0; j < k && !seen; j++) {
            seen = panel->spans[j].label && strcmp(label, panel->spans[j].label) == 0;
        }
        tint += !seen;
    }
    return tint % PC_TINTS;
}

const pc_axis *pc_panel_axis_of(const pc_panel *panel, const pc_series *series)
{
    return series->right ? &panel->right : &panel->y;
}

bool pc_panel_has_right(const pc_panel *panel)
{
    for (size_t i = 0; i < panel->n_series; i++) {
        if (panel->series[i].right) return true;
    }
    return false;
}

bool pc_panel_shows(const pc_panel *panel, const pc_series *series, double x, double y)
{
    bool log = pc_panel_axis_of(panel, series)->log;
    return isfinite(x) && isfinite(y) && (!panel->x.log || x > 0) && (!log || y > 0);
}

bool pc_panel_has_data(const pc_panel *panel, const pc_series *series)
{
    for (size_t i = 0; i < series->n; i++) {
        if (pc_panel_shows(panel, series, series->x[i], series->y[i])) return true;
    }
    return false;
}

bool pc_panel_is_empty(const pc_panel *panel)
{
    for (size_t i = 0; i < panel->n_series; i++) {
        if (pc_panel_has_data(panel, &panel->series[i])) return false;
    }
    for (size_t i = 0; i < panel->n_fields; i++) {
        if (pc_field_has_data(&panel->fields[i])) return false;
    }
    return panel->n_series + panel->n_fields > 0;
}

size_t pc_panel_count_masked(const pc_panel *panel)
{
    size_t masked = 0;
    for (size_t k = 0; k < panel->n_fields; k++) {
        const pc_field *field = &panel->fields[k];
        if (!field->kind->shaded || !field->z.log) continue;
        for (size_t i = 0; i < field->nx * field->ny; i++) {
            masked += isfinite(field->values[0][i]) && field->values[0][i] <= 0;
        }
    }
    if (!panel->x.log && !panel->y.log && !panel->right.log) return masked;
    for (size_t k = 0; k < panel->n_series; k++) {
        const pc_series *series = &panel->series[k];
        for (size_t i = 0; i < series->n; i++) {
            masked += isfinite(series->x[i]) && isfinite(series->y[i]) &&
                      !pc_panel_shows(panel, series, series->x[i], series->y[i]);
        }
    }
    return masked;
}

bool pc_field_has_data(const pc_field *field)
{
    for (size_t i = 0; i < field->nx * field->ny; i++) {
        if (isfinite(field->values[0][i])) return true;
    }
    return false;
}

const pc_field *pc_panel_bar(const pc_panel *panel)
{
    for (size_t i = 0; i < panel->n_fields; i++) {
        if (panel->fields[i].kind->shaded) return &panel->fields[i];
    }
    return NULL;
}

pc_colour pc_field_colour(const pc_panel *panel, const pc_field *field, const pc_theme *theme)
{
    if (field->style.colour.given) return field->style.colour;
    if (field->kind->levelled) return theme->ink;
    /* vectors are ground for curves, where there are any */
    return panel->n_series > 0 ? theme->muted : theme->curve[0];
}

/* --- histograms --- */

size_t pc_histogram_count(const double *values, size_t n_values, const double *edges, size_t n, double *counts)
{
    size_t outside = 0;
    for (size_t k = 0; k < n; k++) counts[k] = 0;
    for (size_t i = 0; i < n_values; i++) {
        double value = values[i];
        if (!(value >= edges[0] && value <= edges[n])) {
            outside++;
            continue;
        }
        size_t lo = 0, hi = n;
        while (hi - lo > 1) {
            size_t middle = (lo + hi) / 2;
            if (value >= edges[middle])
                lo = middle;
            else
                hi = middle;
        }
        counts[lo]++;
    }
    return outside;
}

pc_status pc_histogram_bins(const double *values, size_t n_values, size_t most, double *lo, double *hi, size_t *n,
                            pc_error *err)
{
    double *sorted = pc_calloc(n_values, sizeof *sorted);
    if (!sorted) return pc_fail(err, PC_E_MEMORY, "not enough memory for a histogram");
    size_t m = 0;
    for (size_t i = 0; i < n_values; i++) {
        if (isfinite(values[i])) sorted[m++] = values[i];
    }
    if (m == 0) {
        pc_free(sorted);
        return pc_fail(err, PC_E_ARGUMENT, "histogram: none of the %zu values is finite", n_values);
    }
    qsort(sorted, m, sizeof *sorted, ascending);
    *lo = sorted[0];
    *hi = sorted[m - 1];
    double quartiles = sorted[3 * (m - 1) / 4] - sorted[(m - 1) / 4];
    pc_free(sorted);
    if (*lo == *hi) {
        double room = *lo == 0 ? 0.5 : 0.5 * fabs(*lo);
        *lo -= room;
        *hi += room;
        *n = 1;
        return PC_OK;
    }
    double bins = quartiles > 0 ? (*hi - *lo) / (2 * quartiles / cbrt((double)m)) : log2((double)m) + 1;
    *n = (size_t)fmin(fmax(ceil(bins), 1), (double)most);
    return PC_OK;
}

/* Themes, named colours and palettes for numbers.
 *
 * viridis: S. van der Walt and N. Smith (2015), in the public domain (CC0). cividis: J. R. Nunez, C. R. Anderton and
 * R. S. Renslow (2018), "Optimizing colormaps with consideration for color vision deficiency", PLoS ONE 13, e0199239.
 * Ten of their colours each; between them the error of a straight line is below what the eye sees.
 */

#define RGB(hex)                                                                                                       \
    {                                                                                                                  \
        ((hex) >> 16) & 0xFF, ((hex) >> 8) & 0xFF, (hex)&0xFF, true                                                    \
    }

/* Okabe and Ito's values. */
#define BLUE RGB(0x0072B2)
#define VERMILLION RGB(0xD55E00)
#define GREEN RGB(0x009E73)
#define PURPLE RGB(0xCC79A7)
#define ORANGE RGB(0xE69F00)
#define SKY RGB(0x56B4E9)
#define YELLOW RGB(0xF0E442)

const pc_theme pc_themes[] = {{.name = "light",
                               .page = RGB(0xFFFFFF),
                               .ink = RGB(0x1E1E1E),
                               .muted = RGB(0x666666),
                               .grid = RGB(0xE3E3E3),
                               .curve = {BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, RGB(0x1E1E1E)},
                               .tint = {RGB(0xEAF1F8), RGB(0xFBF0E4), RGB(0xE8F4EE), RGB(0xF6EDF3)}},
                              {.name = "dark",
                               .page = RGB(0x181A1F),
                               .ink = RGB(0xE6E6E6),
                               .muted = RGB(0xA0A4AB),
                               .grid = RGB(0x33363D),
                               .curve = {SKY, ORANGE, RGB(0x2CC295), PURPLE, YELLOW, RGB(0xF2803A), RGB(0xE6E6E6)},
                               .tint = {RGB(0x202B38), RGB(0x362B1E), RGB(0x1C312A), RGB(0x33263A)}},
                              {.name = NULL}};

static const struct {
    const char *name;
    pc_colour colour;
} named[] = {{"blue", BLUE},          {"vermillion", VERMILLION}, {"green", GREEN},
             {"purple", PURPLE},      {"orange", ORANGE},         {"sky", SKY},
             {"yellow", YELLOW},      {"black", RGB(0x000000)},   {"grey", RGB(0x808080)},
             {"white", RGB(0xFFFFFF)}};

const char *const pc_colour_names[] = {"blue",   "vermillion", "green", "purple", "orange", "sky",
                                       "yellow", "black",      "grey",  "white",  NULL};

const pc_theme *pc_theme_find(const char *name)
{
    for (const pc_theme *theme = pc_themes; theme->name; theme++) {
        if (strcmp(theme->name, name) == 0) return theme;
    }
    return NULL;
}

bool pc_colour_parse(const char *text, pc_colour *colour)
{
    if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
        unsigned long hex = strtoul(text + 1, NULL, 16);
        *colour = (pc_colour){(unsigned char)(hex >> 16 & 0xFF), (unsigned char)(hex >> 8 & 0xFF),
                              (unsigned char)(hex & 0xFF), true};
        return true;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(named[i].name, text) == 0) {
            *colour = named[i].colour;
            return true;
        }
    }
    return false;
}

/* Level 0..5 of the cube, whose channel values are 0, 95, 135, 175, 215, 255. */
static int cube_level(int channel)
{
    return channel < 48 ? 0 : channel < 115 ? 1 : (channel - 35) / 40;
}

int pc_colour_terminal(pc_colour colour)
{
    return 16 + 36 * cube_level(colour.red) + 6 * cube_level(colour.green) + cube_level(colour.blue);
}

/* --- palettes --- */

const pc_palette pc_palettes[] = {
    {"viridis",
     false,
     10,
     {0x440154, 0x482878, 0x3E4A89, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725}},
    {"cividis",
     false,
     10,
     {0x00204D, 0x00336F, 0x39486B, 0x575C6D, 0x707173, 0x8A8779, 0xA69D75, 0xC4B56C, 0xE4CF5B, 0xFFEA46}},
    {"grey", false, 2, {0x202020, 0xF4F4F4}},
    /* Okabe and Ito's blue and vermillion, darkened outwards and lightened inwards */
    {"diverging", true, 7, {0x0A3560, 0x0072B2, 0x9CC7E2, 0xF4F4F1, 0xF0BB92, 0xD55E00, 0x702C00}},
    {.name = 0},
};

static double channel(unsigned from, unsigned to, int shift, double part)
{
    double a = from >> shift & 0xFF, b = to >> shift & 0xFF;
    return a + part * (b - a);
}

pc_colour pc_palette_at(const pc_palette *palette, double at)
{
    double place = fmin(fmax(at, 0), 1) * (palette->n - 1);
    int i = (int)fmin(floor(place), palette->n - 2);
    double part = place - i;
    unsigned a = palette->points[i], b = palette->points[i + 1];
    return (pc_colour){(unsigned char)(channel(a, b, 16, part) + 0.5), (unsigned char)(channel(a, b, 8, part) + 0.5),
                       (unsigned char)(channel(a, b, 0, part) + 0.5), true};
}

/* sRGB to linear light (IEC 61966-2-1). */
static double linear_light(unsigned char value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double pc_colour_lightness(pc_colour colour)
{
    double y =
        0.2126 * linear_light(colour.red) + 0.7152 * linear_light(colour.green) + 0.0722 * linear_light(colour.blue);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}
