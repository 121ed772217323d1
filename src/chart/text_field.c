/* Fields as text: see text_parts.h. Values as shades, or coloured blocks on a terminal with colours; lines as dots;
 * directions as arrows. */
#include "chart/bands.h"
#include "chart/contour.h"
#include "chart/label.h"
#include "chart/stream.h"
#include "chart/text_parts.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Shades from least to greatest; the least is not blank, which stands for no value. */
static const unsigned UNICODE_RAMP[] = {0xB7, 0x2591, 0x2592, 0x2593, 0x2588};
static const unsigned ASCII_RAMP[] = {'.', ':', '-', '=', '+', '*', '#', '%', '@'};

typedef struct shade {
    unsigned character;
    int colour;
} shade;

/* The shade at 0 to 1 of the palette. */
static shade shade_at(const pc_text_chart *t, const pc_field *field, double at)
{
    at = fmin(fmax(at, 0), 1);
    if (t->canvas->unicode && t->canvas->colour) {
        return (shade){0x2588, pc_colour_terminal(pc_palette_at(field->palette, at))};
    }
    const unsigned *ramp = t->canvas->unicode ? UNICODE_RAMP : ASCII_RAMP;
    int n = t->canvas->unicode ? (int)(sizeof UNICODE_RAMP / sizeof *UNICODE_RAMP)
                               : (int)(sizeof ASCII_RAMP / sizeof *ASCII_RAMP);
    return (shade){ramp[(int)fmin(at * n, n - 1)], PC_TEXT_PLAIN};
}

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

static pc_status draw_cells(pc_text_chart *t, const pc_field *field, pc_error *err)
{
    double *x = pc_calloc(field->nx + 1, sizeof *x), *y = pc_calloc(field->ny + 1, sizeof *y);
    pc_status status = x && y ? PC_OK : pc_fail(err, PC_E_MEMORY, "not enough memory to draw a heatmap");
    if (!status) {
        pc_scale z;
        pc_field_scale(field, &z);
        pc_field_edges(field->x, field->nx, t->x.log, x);
        pc_field_edges(field->y, field->ny, t->y.log, y);
        for (int r = 0; r < t->rows; r++) {
            int j = line_of(y, field->ny, pc_scale_value(&t->y, 1 - (r + 0.5) / t->rows));
            for (int c = 0; c < t->columns && j >= 0; c++) {
                int i = line_of(x, field->nx, pc_scale_value(&t->x, (c + 0.5) / t->columns));
                double value = i < 0 ? (double)NAN : field->values[0][(size_t)i * field->ny + (size_t)j];
                double at = pc_scale_position(&z, value);
                if (!isfinite(value) || isnan(at)) continue;
                shade s = shade_at(t, field, at);
                pc_canvas_put_behind(t->canvas, t->left + c, t->top + r, s.character, s.colour);
            }
        }
    }
    pc_free(x);
    pc_free(y);
    return status;
}

static void draw_bands(pc_text_chart *t, const pc_field *field)
{
    pc_bands bands;
    pc_bands_make(field, &bands);
    for (int r = 0; r < t->rows; r++) {
        double y = pc_scale_value(&t->y, 1 - (r + 0.5) / t->rows);
        for (int c = 0; c < t->columns; c++) {
            double x = pc_scale_value(&t->x, (c + 0.5) / t->columns);
            int band = pc_bands_find(&bands, pc_bands_value(&bands, x, y));
            if (band < 0) continue;
            shade s = shade_at(t, field, pc_bands_position(&bands, band));
            pc_canvas_put_behind(t->canvas, t->left + c, t->top + r, s.character, s.colour);
        }
    }
}

/* An end of the bar, to three digits. */
static void end_text(double value, char *text, size_t size)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", value);
    pc_field_level_text(strtod(digits, NULL), text, size);
}

void pc_text_bar(pc_text_chart *t, const pc_field *field, int row)
{
    enum { STEPS = 20, ROOM = 48 };
    pc_scale z;
    pc_field_scale(field, &z);
    pc_buffer label = {0};
    if (field->z.label) pc_buffer_print(&label, "%s ", field->z.label);
    if (field->z.unit) pc_buffer_print(&label, "[%s] ", field->z.unit);
    char text[ROOM];
    end_text(z.lo, text, sizeof text);
    pc_buffer_print(&label, "%s", text);
    pc_canvas_write(t->canvas, t->left, row, pc_text_plain(t, pc_buffer_text(&label)), PC_TEXT_PLAIN);
    int column = t->left + pc_text_columns(t, pc_buffer_text(&label)) + 1;
    pc_buffer_free(&label);
    for (int i = 0; i < STEPS; i++) {
        shade s = shade_at(t, field, (i + 0.5) / STEPS);
        pc_canvas_put(t->canvas, column + i, row, s.character, s.colour);
    }
    end_text(z.hi, text, sizeof text);
    pc_canvas_write(t->canvas, column + STEPS + 1, row, pc_text_plain(t, text), PC_TEXT_PLAIN);
}

/* --- lines --- */

typedef struct line_pen {
    pc_dot_pen dots;
    const char *label; /* of a level, or NULL */
    pc_status status;
    pc_error *err;
} line_pen;

/* Middle of a run, by length; and its whole length. */
static double middle_of(const double *x, const double *y, int n, double *mx, double *my)
{
    double whole = 0, length = 0;
    for (int i = 1; i < n; i++) whole += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    *mx = x[0];
    *my = y[0];
    for (int i = 1; i < n && length < whole / 2; i++) {
        length += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
        *mx = x[i];
        *my = y[i];
    }
    return whole;
}

/* A contour in dots, with its level in the middle where no other text stands. */
static void draw_contour(void *context, const double *x, const double *y, int n)
{
    line_pen *pen = context;
    pc_text_chart *t = pen->dots.chart;
    pc_text_dash(&pen->dots, x, y, n);
    if (!pen->label) return;
    double mx, my, length = middle_of(x, y, n, &mx, &my);
    const char *text = pc_text_plain(t, pen->label);
    int width = pc_label_columns(text), column = pc_text_column(t, mx) - width / 2, row = pc_text_row(t, my);
    bool room = column > t->left && column + width < t->left + t->columns;
    for (int r = row - 1; room && r <= row + 1; r++) {
        room = pc_canvas_has_no_text(t->canvas, column - 1, r, width + 2) || r < t->top || r >= t->top + t->rows;
    }
    if (room && length > 3.0 * PC_DOTS_X * width) pc_canvas_write(t->canvas, column, row, text, PC_TEXT_PLAIN);
}

static void map_contour(void *context, const double *x, const double *y, int n)
{
    line_pen *pen = context;
    const pc_text_chart *t = pen->dots.chart;
    if (pen->status) return;
    pen->status =
        pc_curve_trace(x, y, (size_t)n, false, &t->x, &t->y, t->frame, t->frame, 1, draw_contour, pen, pen->err);
}

static pc_status draw_contours(const pc_field *field, line_pen *pen, pc_error *err)
{
    double levels[PC_LEVELS_MAX];
    int n = pc_field_levels(field, levels);
    for (int i = 0; i < n && !pen->status; i++) {
        char text[32];
        pc_field_level_text(levels[i], text, sizeof text);
        pen->label = field->labelled ? text : NULL;
        pc_status status = pc_contour_trace(field, levels[i], map_contour, pen, err);
        if (!pen->status) pen->status = status;
    }
    pen->label = NULL;
    return pen->status;
}

/* --- arrows --- */

/* By the direction in eighths of a turn from the right, anticlockwise. */
static unsigned arrow_character(const pc_canvas *canvas, double u, double v)
{
    static const unsigned unicode[] = {0x2192, 0x2197, 0x2191, 0x2196, 0x2190, 0x2199, 0x2193, 0x2198};
    static const char ascii[] = ">/^\\</v\\";
    int eighth = ((int)lround(atan2(v, u) / 0.7853981633974483) + 8) % 8;
    return canvas->unicode ? unicode[eighth] : (unsigned char)ascii[eighth];
}

static void draw_arrow(void *context, const double *x, const double *y, int n)
{
    line_pen *pen = context;
    pc_text_chart *t = pen->dots.chart;
    (void)n;
    unsigned arrow = arrow_character(t->canvas, x[1] - x[0], y[1] - y[0]);
    pc_canvas_put_behind(t->canvas, pc_text_column(t, (x[0] + x[1]) / 2), pc_text_row(t, (y[0] + y[1]) / 2), arrow,
                         pen->dots.colour);
}

static void draw_stream(void *context, const double *x, const double *y, int n)
{
    line_pen *pen = context;
    pc_text_chart *t = pen->dots.chart;
    pc_text_dash(&pen->dots, x, y, n);
    int i = n / 2, k = i + 4 < n ? i + 4 : n - 1;
    unsigned arrow = arrow_character(t->canvas, x[k] - x[i], y[k] - y[i]);
    pc_canvas_put(t->canvas, pc_text_column(t, x[i]), pc_text_row(t, y[i]), arrow, pen->dots.colour);
}

static pc_status draw_flow(pc_text_chart *t, const pc_field *field, line_pen *pen, pc_error *err)
{
    pc_stream flow;
    pc_status status = pc_stream_make(field, &t->x, &t->y, t->frame, &flow, err);
    if (status) return status;
    if (field->kind->arrowed) pc_stream_arrows(&flow, 7 / field->density, 1, draw_arrow, pen);
    if (field->kind->traced) status = pc_stream_lines(&flow, 11 / field->density, draw_stream, pen, err);
    pc_stream_free(&flow);
    return status;
}

static int field_colour(const pc_text_chart *t, const pc_field *field)
{
    if (field->style.colour.given) return pc_text_colour(field->style.colour);
    return t->panel->n_series > 0 || field->kind->levelled ? PC_TEXT_GUIDE : 32;
}

pc_status pc_text_fields(pc_text_chart *t, bool shaded, pc_error *err)
{
    pc_status status = PC_OK;
    for (size_t i = 0; !status && i < t->panel->n_fields; i++) {
        const pc_field *field = &t->panel->fields[i];
        if (field->kind->shaded != shaded) continue;
        if (pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
        pc_dash dash = field->style.dash == PC_DASH_AUTO || !t->canvas->unicode ? PC_DASH_SOLID : field->style.dash;
        line_pen pen = {.dots = {t, dash, 1, field_colour(t, field)}, .err = err};
        if (field->kind->banded)
            draw_bands(t, field);
        else if (field->kind->shaded)
            status = draw_cells(t, field, err);
        if (!status && field->kind->levelled) status = draw_contours(field, &pen, err);
        if (!status && field->kind->parts == 2) status = draw_flow(t, field, &pen, err);
    }
    return status;
}

void pc_text_field_sample(pc_text_chart *t, const pc_field *field, int column, int row, int columns)
{
    int colour = field_colour(t, field);
    bool dashed = field->style.dash != PC_DASH_AUTO && field->style.dash != PC_DASH_SOLID;
    for (int c = 0; c < columns - 1; c++) {
        if (!dashed || c % 2 == 0) pc_canvas_put(t->canvas, column + c, row, t->strokes->horizontal, colour);
    }
    unsigned end = field->kind->parts == 2 ? arrow_character(t->canvas, 1, 0) : dashed ? ' ' : t->strokes->horizontal;
    pc_canvas_put(t->canvas, column + columns - 1, row, end, colour);
}
