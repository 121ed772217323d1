/* The walk over a panel: see figure.h. */
#include "chart/figure/figure.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>

static pc_status interrupted(pc_pen *pen)
{
    return pc_interrupted() ? pc_fail(pen->err, PC_E_INTERRUPTED, "interrupted while drawing") : PC_OK;
}

/* The first failure counts. */
static void keep(pc_pen *pen, pc_status status)
{
    if (!pen->status) pen->status = status;
}

static double place(const pc_scale *scale, double value, double from, double to)
{
    return from + pc_scale_position(scale, value) * (to - from);
}

/* --- spans --- */

static void walk_spans(pc_pen *pen, bool labels)
{
    const pc_panel *panel = pen->panel;
    for (size_t i = 0; i < panel->n_spans; i++) {
        double left, right;
        if (!pc_span_ends(pen->layout, &panel->spans[i], &left, &right)) continue;
        if (labels && panel->spans[i].label)
            pen->kind->span_label(pen, i, left, right);
        else if (!labels)
            pen->kind->span(pen, i, left, right);
    }
}

/* --- fields: cells --- */

enum { SHADES = 128 }; /* about what the eye tells apart along a palette */

/* Number of the shade of a value, or -1 for none. */
static int shade_of(const pc_scale *z, double value)
{
    double at = pc_scale_position(z, value);
    if (!isfinite(value) || isnan(at)) return -1;
    return (int)fmin(fmax(at * SHADES, 0), SHADES - 1);
}

/* The cells of an axis that are drawn: those inside the frame, and where they are finer than a pixel only the one at
 * the middle of each. Places of the edges on the page, n + 1, and the grid lines they belong to. */
typedef struct strips {
    int n;
    double *edges;
    size_t *lines;
} strips;

static void free_strips(strips *s)
{
    pc_free(s->edges);
    pc_free(s->lines);
}

static pc_status make_strips(const double *lines, size_t n, const pc_scale *scale, double from, double to, strips *s,
                             pc_error *err)
{
    double *edges = pc_calloc(n + 1, sizeof *edges);
    s->edges = pc_calloc(n + 1, sizeof *s->edges);
    s->lines = pc_calloc(n, sizeof *s->lines);
    if (!edges || !s->edges || !s->lines) {
        pc_free(edges);
        free_strips(s);
        return pc_fail(err, PC_E_MEMORY, "not enough memory to draw a heatmap");
    }
    pc_field_edges(lines, n, scale->log, edges);
    s->n = 0;
    bool backwards = scale->hi < scale->lo;
    for (size_t k = 0; k < n; k++) {
        size_t i = backwards ? n - 1 - k : k;
        double a = pc_scale_position(scale, edges[backwards ? i + 1 : i]);
        double b = pc_scale_position(scale, edges[backwards ? i : i + 1]);
        if (isnan(b) || b <= 0 || a >= 1) continue;
        a = isnan(a) ? from : from + fmax(a, 0) * (to - from);
        b = from + fmin(b, 1) * (to - from);
        /* a strip thinner than a pixel joins the one before it */
        if (s->n > 0 && b - s->edges[s->n - 1] < 1) {
            if (i != s->lines[s->n - 1] && 0.5 * (a + b) < 0.5 + s->edges[s->n - 1]) s->lines[s->n - 1] = i;
        } else {
            s->edges[s->n] = a;
            s->lines[s->n++] = i;
        }
        s->edges[s->n] = b;
    }
    pc_free(edges);
    return PC_OK;
}

/* Cell by cell; neighbours of one shade are one area. */
static pc_status walk_cells(pc_pen *pen, const pc_field *field)
{
    const pc_panel_layout *l = pen->layout;
    const pc_box f = l->frame;
    pc_scale z;
    pc_field_scale(field, &z);
    strips columns, rows;
    pc_status status = make_strips(field->x, field->nx, &l->x, f.x0, f.x1, &columns, pen->err);
    if (status) return status;
    status = make_strips(field->y, field->ny, &l->y, f.y0, f.y1, &rows, pen->err);
    if (status) {
        free_strips(&columns);
        return status;
    }
    for (int r = 0; !status && r < rows.n; r++) {
        status = interrupted(pen);
        for (int c = 0; c < columns.n;) {
            int shade = shade_of(&z, field->values[0][columns.lines[c] * field->ny + rows.lines[r]]), end = c + 1;
            while (end < columns.n &&
                   shade_of(&z, field->values[0][columns.lines[end] * field->ny + rows.lines[r]]) == shade) {
                end++;
            }
            pc_box area = {columns.edges[c], rows.edges[r], columns.edges[end], rows.edges[r + 1]};
            if (shade >= 0) pen->kind->area(pen, field->palette, (shade + 0.5) / SHADES, area);
            c = end;
        }
    }
    free_strips(&rows);
    free_strips(&columns);
    return status;
}

/* What a field has on its palette at a place of the raster. */
typedef struct sampler {
    const pc_field *field;
    pc_bands bands;
    double *x, *y; /* edges of cells; NULL for bands */
} sampler;

/* The grid line whose cell holds a value, or -1. */
static int line_of(const double *edges, size_t n, double value)
{
    if (!(value >= edges[0] && value <= edges[n])) return -1;
    size_t lo = 0, hi = n;
    while (hi - lo > 1) {
        size_t middle = (lo + hi) / 2;
        if (value >= edges[middle])
            lo = middle;
        else
            hi = middle;
    }
    return (int)lo;
}

static double sample(const sampler *s, double x, double y)
{
    if (s->field->kind->banded) {
        int band = pc_bands_find(&s->bands, pc_bands_value(&s->bands, x, y));
        return band < 0 ? (double)NAN : pc_bands_position(&s->bands, band);
    }
    int i = line_of(s->x, s->field->nx, x), j = line_of(s->y, s->field->ny, y);
    double value = i < 0 || j < 0 ? (double)NAN : s->field->values[0][(size_t)i * s->field->ny + (size_t)j];
    return isfinite(value) ? pc_scale_position(&s->bands.z, value) : (double)NAN;
}

/* Lines of one place of the raster, each in runs of one colour, from below. */
static pc_status sample_rows(pc_pen *pen, const sampler *s)
{
    const pc_panel_layout *l = pen->layout;
    const pc_box f = l->frame;
    const int rows = pen->rows, columns = pen->columns;
    for (int r = 0; r < rows; r++) {
        pc_status status = interrupted(pen);
        if (status) return status;
        double y = pc_scale_value(&l->y, (r + 0.5) / rows), bottom = f.y0 + (f.y1 - f.y0) * r / rows;
        double top = f.y0 + (f.y1 - f.y0) * (r + 1) / rows, at = NAN;
        int start = 0;
        for (int c = 0; c <= columns; c++) {
            double next = c < columns ? sample(s, pc_scale_value(&l->x, (c + 0.5) / columns), y) : (double)NAN;
            if (c < columns && (next == at || (isnan(next) && isnan(at)))) continue;
            pc_box run = {f.x0 + (f.x1 - f.x0) * start / columns, bottom, f.x0 + (f.x1 - f.x0) * c / columns, top};
            if (!isnan(at)) pen->kind->area(pen, s->field->palette, at, run);
            at = next;
            start = c;
        }
    }
    return PC_OK;
}

static pc_status walk_samples(pc_pen *pen, const pc_field *field)
{
    sampler s = {.field = field};
    pc_bands_make(field, &s.bands);
    pc_status status = PC_OK;
    if (!field->kind->banded) {
        s.x = pc_calloc(field->nx + 1, sizeof *s.x);
        s.y = pc_calloc(field->ny + 1, sizeof *s.y);
        if (s.x && s.y) {
            pc_field_edges(field->x, field->nx, pen->layout->x.log, s.x);
            pc_field_edges(field->y, field->ny, pen->layout->y.log, s.y);
        } else {
            status = pc_fail(pen->err, PC_E_MEMORY, "not enough memory to draw a heatmap");
        }
    }
    if (!status) status = sample_rows(pen, &s);
    pc_free(s.x);
    pc_free(s.y);
    return status;
}

/* --- fields: lines --- */

typedef struct field_walk {
    pc_pen *pen;
    const pc_field *field;
    double level;
} field_walk;

static void give_level(void *context, const double *x, const double *y, int n)
{
    const field_walk *w = context;
    w->pen->kind->level(w->pen, w->field, w->level, x, y, n);
}

/* A line in the units of the axes, on its way to the page. */
static void map_level(void *context, const double *x, const double *y, int n)
{
    const field_walk *w = context;
    pc_pen *pen = w->pen;
    const pc_panel_layout *l = pen->layout;
    if (pen->status) return;
    keep(pen, pc_curve_trace(x, y, (size_t)n, false, &l->x, &l->y, l->frame, l->frame, 0.5 * pen->column, give_level,
                             context, pen->err));
}

static pc_status walk_levels(pc_pen *pen, const pc_field *field)
{
    double levels[PC_LEVELS_MAX];
    int n = pc_field_levels(field, levels);
    for (int i = 0; i < n && !pen->status; i++) {
        field_walk w = {pen, field, levels[i]};
        keep(pen, pc_contour_trace(field, levels[i], map_level, &w, pen->err));
    }
    return pen->status;
}

static void give_arrow(void *context, const double *x, const double *y, int n)
{
    const field_walk *w = context;
    (void)n;
    w->pen->kind->arrow(w->pen, w->field, x, y);
}

static void give_stream(void *context, const double *x, const double *y, int n)
{
    const field_walk *w = context;
    w->pen->kind->stream(w->pen, w->field, x, y, n);
}

static pc_status walk_flow(pc_pen *pen, const pc_field *field)
{
    const pc_panel_layout *l = pen->layout;
    field_walk w = {.pen = pen, .field = field};
    pc_stream flow;
    pc_status status = pc_stream_make(field, &l->x, &l->y, l->frame, &flow, pen->err);
    if (status) return status;
    if (field->kind->arrowed)
        pc_stream_arrows(&flow, pen->arrow_spacing / field->density, pen->arrow_least, give_arrow, &w);
    if (field->kind->traced) status = pc_stream_lines(&flow, pen->spacing / field->density, give_stream, &w, pen->err);
    pc_stream_free(&flow);
    return status;
}

/* `shaded`: the fields that lie behind the grid, else those that lie over it. */
static void walk_fields(pc_pen *pen, bool shaded)
{
    for (size_t i = 0; !pen->status && i < pen->panel->n_fields; i++) {
        const pc_field *field = &pen->panel->fields[i];
        if (field->kind->shaded != shaded) continue;
        keep(pen, interrupted(pen));
        if (!pen->status && field->kind->shaded)
            keep(pen, field->kind->banded || pen->kind->sampled ? walk_samples(pen, field) : walk_cells(pen, field));
        if (!pen->status && field->kind->levelled) keep(pen, walk_levels(pen, field));
        if (!pen->status && field->kind->parts == 2) keep(pen, walk_flow(pen, field));
    }
}

pc_colour pc_bands_colour(const pc_bands *bands, double at)
{
    const pc_field *field = bands->field;
    if (!field->kind->banded) return pc_palette_at(field->palette, at);
    int band = pc_bands_find(bands, pc_scale_value(&bands->z, at));
    return pc_palette_at(field->palette, band < 0 ? at : pc_bands_position(bands, band));
}

/* --- reference lines --- */

static void walk_guides(pc_pen *pen, bool labels)
{
    const pc_box f = pen->layout->frame;
    for (size_t i = 0; i < pen->panel->n_guides; i++) {
        const pc_guide *guide = &pen->panel->guides[i];
        double at = pc_scale_position(guide->vertical ? &pen->layout->x : &pen->layout->y, guide->at);
        if (!(at >= 0 && at <= 1)) continue;
        double x[2] = {f.x0, f.x1}, y[2] = {f.y0, f.y1};
        if (guide->vertical)
            x[0] = x[1] = f.x0 + at * (f.x1 - f.x0);
        else
            y[0] = y[1] = f.y0 + at * (f.y1 - f.y0);
        if (!labels)
            pen->kind->guide(pen, i, x, y);
        else if (guide->label)
            pen->kind->guide_label(pen, i, x[0], y[0]);
    }
}

/* --- series --- */

typedef struct series_walk {
    pc_pen *pen;
    size_t series;
} series_walk;

static void give_run(void *context, const double *x, const double *y, int n)
{
    const series_walk *w = context;
    w->pen->kind->run(w->pen, w->series, x, y, n);
}

static void give_markers(void *context, const double *x, const double *y, int n)
{
    const series_walk *w = context;
    for (int i = 0; i < n; i++) w->pen->kind->marker(w->pen, w->series, x[i], y[i]);
}

static void give_reach(void *context, double x, double y, pc_box reach)
{
    const series_walk *w = context;
    const pc_series_kind *kind = w->pen->panel->series[w->series].kind;
    if (kind->filled) w->pen->kind->bar(w->pen, w->series, reach);
    if (kind->whiskered) w->pen->kind->whiskers(w->pen, w->series, x, y, reach);
}

static pc_status walk_series(pc_pen *pen, size_t i)
{
    const pc_series *series = &pen->panel->series[i];
    const pc_panel_layout *l = pen->layout;
    const pc_scale *y = pc_layout_scale_of(l, series);
    series_walk w = {pen, i};
    pc_status status = PC_OK;
    if (series->kind->filled || series->kind->whiskered)
        status = pc_reach_each(series, &l->x, y, l->frame, give_reach, &w, pen->err);
    if (!status && series->kind->joined)
        status = pc_curve_runs(series, &l->x, y, l->frame, l->frame, pen->column, give_run, &w, pen->err);
    if (!status && series->kind->marked)
        status = pc_curve_points(series, &l->x, y, l->frame, 1, give_markers, &w, pen->err);
    return status;
}

/* --- axes --- */

static void walk_grid(pc_pen *pen)
{
    const pc_panel_layout *l = pen->layout;
    const pc_box f = l->frame;
    for (int i = 0; i < l->x.n_ticks; i++) {
        double x = place(&l->x, l->x.ticks[i].value, f.x0, f.x1);
        if (l->x.ticks[i].text[0] && x > f.x0 + 1 && x < f.x1 - 1) pen->kind->grid(pen, true, x);
    }
    for (int i = 0; i < l->y.n_ticks; i++) {
        double y = place(&l->y, l->y.ticks[i].value, f.y0, f.y1);
        if (l->y.ticks[i].text[0] && y > f.y0 + 1 && y < f.y1 - 1) pen->kind->grid(pen, false, y);
    }
}

static void walk_ticks(pc_pen *pen, pc_side side, const pc_scale *scale, double from, double to)
{
    for (int i = 0; i < scale->n_ticks; i++)
        pen->kind->tick(pen, side, place(scale, scale->ticks[i].value, from, to), scale->ticks[i].text);
}

static void walk_axis_text(pc_pen *pen, pc_side side, const pc_axis *axis, const pc_scale *scale)
{
    pc_buffer label = {0};
    pc_axis_text(axis, &label);
    pen->kind->axis(pen, side, pc_buffer_text(&label), scale->common);
    keep(pen, pc_buffer_status(&label, pen->err));
    pc_buffer_free(&label);
}

static void walk_axes(pc_pen *pen)
{
    const pc_panel *panel = pen->panel;
    const pc_panel_layout *l = pen->layout;
    const pc_box f = l->frame;
    pen->kind->frame(pen);
    walk_ticks(pen, PC_SIDE_BELOW, &l->x, f.x0, f.x1);
    walk_ticks(pen, PC_SIDE_LEFT, &l->y, f.y0, f.y1);
    walk_axis_text(pen, PC_SIDE_BELOW, &panel->x, &l->x);
    walk_axis_text(pen, PC_SIDE_LEFT, &panel->y, &l->y);
    if (pc_panel_has_right(panel)) {
        walk_ticks(pen, PC_SIDE_RIGHT, &l->right, f.y0, f.y1);
        walk_axis_text(pen, PC_SIDE_RIGHT, &panel->right, &l->right);
    }
    if (panel->title) pen->kind->title(pen, panel->title);
}

/* Circles and spokes, behind the curves; what the radius is stands where the device has room for it. */
static void walk_polar(pc_pen *pen)
{
    const pc_panel *panel = pen->panel;
    const pc_panel_layout *l = pen->layout;
    const pc_box f = l->frame;
    const double x = (f.x0 + f.x1) / 2, y = (f.y0 + f.y1) / 2, radius = (f.x1 - f.x0) / 2;
    for (int degrees = 0; degrees < 360; degrees += 30) pen->kind->spoke(pen, x, y, radius, degrees);
    pen->kind->circle(pen, x, y, radius, NULL);
    for (int i = 0; i < l->radius.n_ticks; i++) {
        double at = pc_scale_position(&l->radius, l->radius.ticks[i].value);
        if (at > 0.01) pen->kind->circle(pen, x, y, at * radius, l->radius.ticks[i].text);
    }
    static const pc_scale none = {0};
    walk_axis_text(pen, PC_SIDE_BELOW, &panel->x, &none);
    walk_axis_text(pen, PC_SIDE_LEFT, &panel->y, &l->radius);
    if (panel->title) pen->kind->title(pen, panel->title);
}

static void walk_bar(pc_pen *pen)
{
    const pc_field *field = pc_panel_bar(pen->panel);
    const pc_panel_layout *l = pen->layout;
    if (!field) return;
    pc_bands bands;
    pc_bands_make(field, &bands);
    pen->kind->colours(pen, &bands);
    walk_ticks(pen, PC_SIDE_BAR, &l->z, l->bar.y0, l->bar.y1);
    walk_axis_text(pen, PC_SIDE_BAR, &field->z, &l->z);
}

/* --- texts --- */

static void walk_notes(pc_pen *pen)
{
    const pc_panel *panel = pen->panel;
    const pc_panel_layout *l = pen->layout;
    const pc_box f = l->frame;
    size_t masked = pc_panel_count_masked(panel);
    if (pc_panel_is_empty(panel)) pen->kind->note(pen, PC_NOTE_EMPTY, (f.x0 + f.x1) / 2, (f.y0 + f.y1) / 2, "no data");
    if (masked > 0) {
        char text[64];
        snprintf(text, sizeof text, "%zu value%s \u2264 0 not shown", masked, masked == 1 ? "" : "s");
        pen->kind->note(pen, PC_NOTE_MASKED, f.x1, f.y0, text);
    }
    for (size_t i = 0; i < panel->n_notes; i++) {
        double u = pc_scale_position(&l->x, panel->notes[i].x), v = pc_scale_position(&l->y, panel->notes[i].y);
        if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
        pen->kind->note(pen, PC_NOTE_OWN, f.x0 + u * (f.x1 - f.x0), f.y0 + v * (f.y1 - f.y0), panel->notes[i].text);
    }
}

static void draw_series_sample(pc_pen *pen, size_t i, double left, double y)
{
    const pc_series_kind *kind = pen->panel->series[i].kind;
    const double middle = left + pen->sample / 2, half = 0.4 * pen->sample;
    const double x[2] = {left, left + pen->sample}, level[2] = {y, y};
    pc_box reach = {middle - half, y - pen->sample_half, middle + half, y + pen->sample_half};
    if (kind->filled) pen->kind->bar(pen, i, reach);
    reach.x0 = reach.x1 = middle;
    if (kind->whiskered) pen->kind->whiskers(pen, i, middle, y, reach);
    if (kind->joined) pen->kind->run(pen, i, x, level, 2);
    if (kind->marked) pen->kind->marker(pen, i, middle, y);
}

static void walk_legend(pc_pen *pen)
{
    const pc_panel_layout *l = pen->layout;
    pc_buffer text = {0};
    if (l->n_entries > 0 && pen->kind->legend) pen->kind->legend(pen);
    for (int i = 0; i < l->n_entries; i++) {
        const pc_entry *e = &l->entries[i];
        if (e->of == PC_ENTRY_SPAN)
            pen->kind->span_sample(pen, e->index, e->x, e->y);
        else if (e->of == PC_ENTRY_FIELD)
            pen->kind->field_sample(pen, &pen->panel->fields[e->index], e->x, e->y);
        else
            draw_series_sample(pen, e->index, e->x, e->y);
        pc_entry_text(pen->panel, e, &text);
        pen->kind->entry(pen, e->x + pen->sample, e->y, pc_buffer_text(&text));
    }
    keep(pen, pc_buffer_status(&text, pen->err));
    pc_buffer_free(&text);
}

/* --- all of it --- */

pc_status pc_panel_draw(pc_pen *pen)
{
    const pc_panel *panel = pen->panel;
    pen->status = PC_OK;
    walk_spans(pen, false);
    walk_fields(pen, true);
    if (panel->polar)
        walk_polar(pen);
    else if (pen->kind->grid && !pc_panel_bar(panel))
        walk_grid(pen);
    walk_fields(pen, false);
    walk_guides(pen, false);
    for (size_t i = 0; !pen->status && i < panel->n_series; i++) keep(pen, walk_series(pen, i));
    if (pen->status) return pen->status;
    walk_guides(pen, true);
    if (!panel->polar) walk_axes(pen);
    walk_bar(pen);
    walk_spans(pen, true);
    walk_notes(pen);
    walk_legend(pen);
    return pen->status;
}
