/* Painting fields: see paint_parts.h.
 *
 * Areas that only touch leave seams where devices smooth their edges. So a row of cells is painted from left to right,
 * each area reaching a little under the next, and rows from below. Neighbours of the same colour are one area.
 */
#include "chart/bands.h"
#include "chart/contour.h"
#include "chart/label.h"
#include "chart/paint_parts.h"
#include "chart/stream.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <stdio.h>

/* --- cells --- */

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

static pc_status paint_cells(const pc_painter *p, const pc_field *field, const pc_panel_layout *l, pc_error *err)
{
    const pc_box f = l->frame;
    pc_scale z;
    pc_field_scale(field, &z);
    strips columns, rows;
    pc_status status = make_strips(field->x, field->nx, &l->x, f.x0, f.x1, &columns, err);
    if (status) return status;
    status = make_strips(field->y, field->ny, &l->y, f.y0, f.y1, &rows, err);
    if (status) {
        free_strips(&columns);
        return status;
    }
    /* all of the device's pixel that holds the edge */
    const double under = 1.2 * fmax(1, 1 / p->page.scale);
    for (int r = 0; !status && r < rows.n; r++) {
        if (pc_interrupted()) status = pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
        for (int c = 0; c < columns.n;) {
            int shade = shade_of(&z, field->values[0][columns.lines[c] * field->ny + rows.lines[r]]), end = c + 1;
            while (end < columns.n &&
                   shade_of(&z, field->values[0][columns.lines[end] * field->ny + rows.lines[r]]) == shade) {
                end++;
            }
            pc_box area = {columns.edges[c], rows.edges[r], fmin(columns.edges[end] + under, f.x1),
                           fmin(rows.edges[r + 1] + under, f.y1)};
            if (shade >= 0) pc_paint_box(p, pc_palette_at(field->palette, (shade + 0.5) / SHADES), area);
            c = end;
        }
    }
    free_strips(&rows);
    free_strips(&columns);
    return status;
}

/* --- bands --- */

/* Lines of one pixel, each in runs of one band, under the same rules as cells. */
static pc_status paint_bands(const pc_painter *p, const pc_field *field, const pc_panel_layout *l, pc_error *err)
{
    const pc_box f = l->frame;
    const double pixel = fmin(1, 1 / p->page.scale), under = 1.2 * fmax(1, 1 / p->page.scale);
    const int columns = (int)ceil((f.x1 - f.x0) / pixel), rows = (int)ceil((f.y1 - f.y0) / pixel);
    pc_bands bands;
    pc_bands_make(field, &bands);
    for (int r = 0; r < rows; r++) {
        if (pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
        double y = pc_scale_value(&l->y, (r + 0.5) / rows), top = f.y0 + (f.y1 - f.y0) * (r + 1) / rows;
        double bottom = f.y0 + (f.y1 - f.y0) * r / rows;
        int band = -1, start = 0;
        for (int c = 0; c <= columns; c++) {
            double x = pc_scale_value(&l->x, (c + 0.5) / columns);
            int next = c < columns ? pc_bands_find(&bands, pc_bands_value(&bands, x, y)) : -1;
            if (next == band && c < columns) continue;
            pc_box run = {f.x0 + (f.x1 - f.x0) * start / columns, bottom,
                          fmin(f.x0 + (f.x1 - f.x0) * c / columns + under, f.x1), fmin(top + under, f.y1)};
            if (band >= 0) pc_paint_box(p, pc_palette_at(field->palette, pc_bands_position(&bands, band)), run);
            band = next;
            start = c;
        }
    }
    return PC_OK;
}

/* --- contours --- */

typedef struct placed {
    double x, y;
} placed;

typedef struct contour_pen {
    pc_painter *painter;
    const pc_panel_layout *layout;
    pc_curve_pen pen;
    char text[32]; /* of the level */
    double width;  /* of the text; 0: no label */
    placed labels[256];
    int n_labels;
    pc_status status;
    pc_error *err;
} contour_pen;

static bool crowded(const contour_pen *c, double x, double y)
{
    const pc_box f = c->layout->frame;
    double half = 0.6 * c->width;
    if (x - half < f.x0 || x + half > f.x1 || y - half < f.y0 || y + half > f.y1) return true;
    for (int i = 0; i < c->n_labels; i++) {
        if (hypot(c->labels[i].x - x, c->labels[i].y - y) < 1.6 * c->width) return true;
    }
    return false;
}

/* Lengths along a run: at[i] from its first point to point i. */
static void measure(const double *x, const double *y, int n, double *at)
{
    at[0] = 0;
    for (int i = 1; i < n; i++) at[i] = at[i - 1] + hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
}

static void point_at(const double *x, const double *y, const double *at, int n, double s, double *px, double *py)
{
    int i = 1;
    while (i < n - 1 && at[i] < s) i++;
    double part = at[i] > at[i - 1] ? (s - at[i - 1]) / (at[i] - at[i - 1]) : 0;
    *px = x[i - 1] + part * (x[i] - x[i - 1]);
    *py = y[i - 1] + part * (y[i] - y[i - 1]);
}

/* The straightest place for a label, as the length from the start of the run to the label's middle; negative if there
 * is none. */
static double find_place(const contour_pen *c, const double *x, const double *y, const double *at, int n)
{
    enum { TRIES = 24 };
    double best = -1, straightest = 0.9; /* chord over arc */
    for (int k = 1; k < TRIES; k++) {
        double s = at[n - 1] * k / TRIES, ax, ay, bx, by;
        if (s < 0.8 * c->width || s > at[n - 1] - 0.8 * c->width) continue;
        point_at(x, y, at, n, s - c->width / 2, &ax, &ay);
        point_at(x, y, at, n, s + c->width / 2, &bx, &by);
        /* of equally straight places the one nearest to the middle of the line */
        double straight = hypot(bx - ax, by - ay) / c->width - 0.02 * fabs(2.0 * k / TRIES - 1);
        if (straight <= straightest || crowded(c, (ax + bx) / 2, (ay + by) / 2)) continue;
        straightest = straight;
        best = s;
    }
    return best;
}

/* Draws the part of a run between two lengths along it. */
static void draw_part(contour_pen *c, const double *x, const double *y, const double *at, int n, double from, double to)
{
    double *px = pc_calloc((size_t)n + 2, sizeof *px), *py = pc_calloc((size_t)n + 2, sizeof *py);
    if (px && py) {
        int m = 0;
        point_at(x, y, at, n, from, &px[m], &py[m]);
        m++;
        for (int i = 0; i < n; i++) {
            if (at[i] <= from || at[i] >= to) continue;
            px[m] = x[i];
            py[m++] = y[i];
        }
        point_at(x, y, at, n, to, &px[m], &py[m]);
        pc_paint_run(&c->pen, px, py, m + 1);
    } else {
        c->status = pc_fail(c->err, PC_E_MEMORY, "not enough memory to draw contours");
    }
    pc_free(px);
    pc_free(py);
}

/* A run on the page: with its label, and a gap in the line there, where the label finds room. */
static void paint_contour(void *context, const double *x, const double *y, int n)
{
    contour_pen *c = context;
    pc_paint_pen(c->painter, c->pen.colour, c->pen.width);
    double *at = n > 1 && c->width > 0 && c->n_labels < 256 ? pc_calloc((size_t)n, sizeof *at) : NULL;
    double place = -1;
    if (at) {
        measure(x, y, n, at);
        place = find_place(c, x, y, at, n);
    }
    if (place < 0) {
        pc_paint_run(&c->pen, x, y, n);
    } else {
        double half = c->width / 2, ax, ay, bx, by;
        draw_part(c, x, y, at, n, 0, place - half);
        draw_part(c, x, y, at, n, place + half, at[n - 1]);
        point_at(x, y, at, n, place - half, &ax, &ay);
        point_at(x, y, at, n, place + half, &bx, &by);
        /* the text reads from left to right */
        double turn = bx >= ax ? atan2(by - ay, bx - ax) : atan2(ay - by, ax - bx);
        pc_paint_text(c->painter, (ax + bx) / 2, (ay + by) / 2, c->text,
                      (pc_type_style){
                          .height = 0.85 * c->painter->type->tick, .colour = c->pen.colour, .just = 0.5, .turn = turn});
        c->labels[c->n_labels++] = (placed){(ax + bx) / 2, (ay + by) / 2};
    }
    pc_free(at);
}

/* A line in the units of the axes, on its way to the page. */
static void map_contour(void *context, const double *x, const double *y, int n)
{
    contour_pen *c = context;
    if (c->status) return;
    const pc_box f = c->layout->frame;
    pc_status status =
        pc_curve_trace(x, y, (size_t)n, false, &c->layout->x, &c->layout->y, f, f, 0.5, paint_contour, c, c->err);
    if (status) c->status = status;
}

/* Ink on light and page on dark colours, by the colour that the level has in the heatmap below. */
static pc_colour contour_colour(const pc_painter *p, const pc_panel *panel, const pc_field *field, double level)
{
    const pc_field *ground = pc_panel_bar(panel);
    if (field->style.colour.given || !ground) return pc_field_colour(panel, field, p->theme);
    pc_scale z;
    pc_field_scale(ground, &z);
    pc_colour under = pc_palette_at(ground->palette, pc_scale_position(&z, level));
    return pc_colour_lightness(under) > 50 ? (pc_colour){0x14, 0x14, 0x14, true} : (pc_colour){0xF8, 0xF8, 0xF8, true};
}

static pc_status paint_contours(pc_painter *p, const pc_panel *panel, const pc_field *field, const pc_panel_layout *l,
                                pc_error *err)
{
    double levels[PC_LEVELS_MAX];
    int n = pc_field_levels(field, levels);
    contour_pen *c = pc_calloc(1, sizeof *c);
    if (!c) return pc_fail(err, PC_E_MEMORY, "not enough memory to draw contours");
    *c = (contour_pen){.painter = p, .layout = l, .err = err};
    for (int i = 0; i < n && !c->status; i++) {
        c->pen = (pc_curve_pen){p, field->style.dash == PC_DASH_AUTO ? PC_DASH_SOLID : field->style.dash,
                                0.75 * pc_paint_width(p, &field->style), contour_colour(p, panel, field, levels[i])};
        pc_field_level_text(levels[i], c->text, sizeof c->text);
        c->width = field->labelled ? 0.85 * p->type->tick * (pc_label_width(c->text) + 0.5) : 0;
        pc_status status = pc_contour_trace(field, levels[i], map_contour, c, err);
        if (!c->status) c->status = status;
    }
    pc_status status = c->status;
    pc_free(c);
    return status;
}

/* --- vectors --- */

typedef struct arrow_pen {
    const pc_painter *painter;
    pc_curve_pen pen;
    double head; /* length of an arrow's head, in pixels */
    double each; /* length of line between heads of a streamline */
} arrow_pen;

static void paint_arrow(void *context, const double *x, const double *y, int n)
{
    arrow_pen *a = context;
    (void)n;
    double u = x[1] - x[0], v = y[1] - y[0], length = hypot(u, v), head = fmin(a->head, 0.6 * length);
    /* the shaft ends inside the head */
    double neck = 1 - 0.7 * head / length;
    pc_paint_pen(a->painter, a->pen.colour, a->pen.width);
    pc_paint_line(x[0], y[0], x[0] + neck * u, y[0] + neck * v);
    pc_paint_head(a->painter, a->pen.colour, x[1], y[1], u, v, head);
}

static void paint_stream(void *context, const double *x, const double *y, int n)
{
    arrow_pen *a = context;
    pc_paint_pen(a->painter, a->pen.colour, a->pen.width);
    pc_paint_run(&a->pen, x, y, n);
    double length = 0, whole = 0;
    for (int i = 1; i < n; i++) whole += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    int heads = 1 + (int)(whole / a->each), drawn = 0;
    for (int i = 1; i < n && drawn < heads; i++) {
        length += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
        if (length < whole * (drawn + 0.5) / heads) continue;
        pc_paint_head(a->painter, a->pen.colour, x[i], y[i], x[i] - x[i - 1], y[i] - y[i - 1], a->head);
        drawn++;
    }
}

static pc_status paint_flow(const pc_painter *p, const pc_panel *panel, const pc_field *field, const pc_panel_layout *l,
                            pc_error *err)
{
    pc_stream flow;
    pc_status status = pc_stream_make(field, &l->x, &l->y, l->frame, &flow, err);
    if (status) return status;
    double width = 0.6 * pc_paint_width(p, &field->style), spacing = 2.1 * p->type->tick / field->density;
    arrow_pen a = {.painter = p, .head = 0.62 * p->type->tick, .each = 14 * p->type->tick};
    pc_dash dash = field->style.dash == PC_DASH_AUTO ? PC_DASH_SOLID : field->style.dash;
    a.pen = (pc_curve_pen){p, dash, width, pc_field_colour(panel, field, p->theme)};
    if (field->kind->arrowed) pc_stream_arrows(&flow, 1.1 * spacing, 0.35 * p->type->tick, paint_arrow, &a);
    if (field->kind->traced) status = pc_stream_lines(&flow, spacing, paint_stream, &a, err);
    pc_stream_free(&flow);
    return status;
}

pc_status pc_paint_fields(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l, bool shaded, pc_error *err)
{
    pc_status status = PC_OK;
    for (size_t i = 0; !status && i < panel->n_fields; i++) {
        const pc_field *field = &panel->fields[i];
        if (field->kind->shaded != shaded) continue;
        if (field->kind->banded)
            status = paint_bands(p, field, l, err);
        else if (field->kind->shaded)
            status = paint_cells(p, field, l, err);
        if (!status && field->kind->levelled) status = paint_contours(p, panel, field, l, err);
        if (!status && field->kind->parts == 2) status = paint_flow(p, panel, field, l, err);
    }
    return status;
}
