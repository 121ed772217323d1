/* Figures as text: see text.h.
 *
 * A panel, from above: title, legend, label of y with what its ticks share, phases, the curves between the axes, ticks
 * of x, label of x. The curves' dots are square enough on a usual terminal, whose cells are twice as high as wide.
 */
#include "chart/text.h"

#include "chart/canvas.h"
#include "chart/label.h"
#include "chart/layout.h"

#include <math.h>
#include <stdio.h>

/* Line drawing characters in both repertoires. */
typedef struct strokes {
    unsigned vertical, tick_left, corner, horizontal, tick_below, guide_up, guide_level, span, span_start, span_end,
        span_both;
} strokes;

static const strokes UNICODE_STROKES = {0x2502, 0x2524, 0x2514, 0x2500, 0x252C, 0x250A,
                                        0x2504, 0x2500, 0x251C, 0x2524, 0x253C};
static const strokes ASCII_STROKES = {'|', '+', '+', '-', '+', ':', '.', '-', '[', ']', '|'};

/* Grey that reads on light and dark: for what lies behind the curves. */
enum { GUIDE_COLOUR = 245, PLAIN = -1 };

typedef struct text_chart {
    const pc_figure *figure;
    const pc_panel *panel;
    const strokes *strokes;
    pc_canvas *canvas;
    pc_buffer *work;
    pc_scale x, y;
    int top, left, columns, rows; /* cells of the curves */
    pc_box frame;                 /* the same in dots, y upwards from the bottom row of cells */
} text_chart;

/* --- helpers --- */

static const char *plain(text_chart *t, const char *label)
{
    pc_buffer_clear(t->work);
    pc_label_plain(label, t->canvas->unicode, t->work);
    return pc_buffer_text(t->work);
}

static int columns_of(text_chart *t, const char *label)
{
    return pc_label_columns(plain(t, label));
}

static void write_centred(text_chart *t, int left, int columns, int row, const char *label)
{
    const char *text = plain(t, label);
    int start = left + (columns - pc_label_columns(text)) / 2;
    pc_canvas_write(t->canvas, start > 0 ? start : 0, row, text, PLAIN);
}

static int dot_to_column(const text_chart *t, double x)
{
    return t->left + (int)floor(x / PC_DOTS_X);
}

static int dot_to_row(const text_chart *t, double y)
{
    return t->top + t->rows - 1 - (int)floor(y / PC_DOTS_Y);
}

/* The dot of a value, or false where it lies off the axis. */
static bool dot_of(const pc_scale *scale, double value, double dots, double *dot)
{
    double at = pc_scale_position(scale, value);
    if (!(at >= -1e-9 && at <= 1 + 1e-9)) return false;
    *dot = floor(fmin(fmax(at, 0), 1) * (dots - 1) + 0.5);
    return true;
}

/* The palette of theme.h in tones of a 256-colour terminal that read on a light and on a dark ground. */
static const int TERMINAL_PALETTE[PC_PALETTE] = {32, 166, 36, 175, 178, 74, PLAIN};

static int series_colour(const text_chart *t, size_t i)
{
    pc_colour colour = t->panel->series[i].style.colour;
    if (!colour.given) return TERMINAL_PALETTE[i % PC_PALETTE];
    double least = fmin(colour.red, fmin(colour.green, colour.blue));
    double most = fmax(colour.red, fmax(colour.green, colour.blue));
    /* what is nearly black or white takes the terminal's own colour, which can be seen on its ground */
    return most < 0x40 || least > 0xD8 ? PLAIN : pc_colour_terminal(colour);
}

/* --- curves --- */

/* Unit of the dash patterns, in dots: gaps of four dots are what the eye still finds between braille characters. */
static const double DASH_UNIT = 1.5;

typedef struct dot_pen {
    text_chart *chart;
    pc_dash dash;
    int pen, colour;
} dot_pen;

static void stroke_dots(void *context, const double *x, const double *y, int n)
{
    const dot_pen *pen = context;
    const text_chart *t = pen->chart;
    const int left = t->left * PC_DOTS_X, bottom = (t->top + t->rows) * PC_DOTS_Y - 1;
    int px = left + (int)floor(x[0] + 0.5), py = bottom - (int)floor(y[0] + 0.5);
    if (n == 1) pc_canvas_dot(t->canvas, px, py, pen->pen, pen->colour);
    for (int i = 1; i < n; i++) {
        int qx = left + (int)floor(x[i] + 0.5), qy = bottom - (int)floor(y[i] + 0.5);
        pc_canvas_line(t->canvas, px, py, qx, qy, pen->pen, pen->colour);
        px = qx;
        py = qy;
    }
}

static void dash_dots(void *context, const double *x, const double *y, int n)
{
    const dot_pen *pen = context;
    pc_dash_run(pen->dash, DASH_UNIT, x, y, n, stroke_dots, context);
}

/* A marker is a small cross of dots, so that it differs from a line's. */
static void mark_dots(void *context, const double *x, const double *y, int n)
{
    const dot_pen *pen = context;
    const text_chart *t = pen->chart;
    (void)n;
    for (int k = -1; k <= 1; k++) {
        double ex[2] = {x[0] + k, x[0]}, ey[2] = {y[0], y[0] + k};
        for (int i = 0; i < 2; i++) {
            bool inside = ex[i] >= 0 && ex[i] <= t->frame.x1 && ey[i] >= 0 && ey[i] <= t->frame.y1;
            if (inside) stroke_dots(context, &ex[i], &ey[i], 1);
        }
    }
}

static dot_pen pen_of(text_chart *t, size_t i)
{
    return (dot_pen){t, pc_panel_series_dash(t->panel, i), (int)(i % 200) + 1, series_colour(t, i)};
}

static pc_status draw_curves(text_chart *t, pc_error *err)
{
    pc_status status = PC_OK;
    for (size_t i = 0; !status && i < t->panel->n_series; i++) {
        const pc_series *series = &t->panel->series[i];
        dot_pen pen = pen_of(t, i);
        /* in ASCII curves differ by their marks, and dashes would only tear them */
        if (!t->canvas->unicode) pen.dash = PC_DASH_SOLID;
        if (series->kind->joined) {
            status = pc_curve_runs(series, &t->x, &t->y, t->frame, t->frame, 1, dash_dots, &pen, err);
        }
        if (!status && series->kind->marked) {
            status = pc_curve_points(series, &t->x, &t->y, t->frame, 1, t->canvas->unicode ? mark_dots : stroke_dots,
                                     &pen, err);
        }
    }
    return status;
}

/* --- what surrounds them --- */

/* Legend entries in rows; returns the number of rows, and draws them where `draw` says so. */
static int legend_rows(text_chart *t, int row, bool draw)
{
    enum { SAMPLE = 6 };
    int column = t->left, rows = 0;
    pc_buffer text = {0};
    for (size_t i = 0; t->panel->legend && i < t->panel->n_series; i++) {
        if (!t->panel->series[i].label) continue;
        pc_entry entry = {.index = i};
        pc_entry_text(t->panel, &entry, &text);
        int width = SAMPLE + 1 + columns_of(t, pc_buffer_text(&text));
        if (rows == 0) rows = 1;
        if (column > t->left && column + width > t->canvas->columns) {
            column = t->left;
            rows++;
        }
        if (draw) {
            /* the sample is a chart of its own, one row high */
            text_chart sample = *t;
            sample.left = column;
            sample.top = row + rows - 1;
            sample.rows = 1;
            sample.frame = (pc_box){0, 0, SAMPLE * PC_DOTS_X - 1, PC_DOTS_Y - 1};
            dot_pen pen = pen_of(t, i);
            pen.chart = &sample;
            const double x[2] = {0, SAMPLE * PC_DOTS_X - 1}, y[2] = {1, 1}, mx = SAMPLE * PC_DOTS_X / 2, my = 2;
            if (!t->canvas->unicode) pen.dash = PC_DASH_SOLID;
            if (t->panel->series[i].kind->joined) dash_dots(&pen, x, y, 2);
            if (t->panel->series[i].kind->marked) mark_dots(&pen, &mx, &my, 1);
            pc_canvas_write(t->canvas, column + SAMPLE + 1, sample.top, plain(t, pc_buffer_text(&text)), PLAIN);
        }
        column += width + 3;
    }
    pc_buffer_free(&text);
    return rows;
}

static void draw_spans(text_chart *t, int row)
{
    const strokes *s = t->strokes;
    for (size_t i = 0; i < t->panel->n_spans; i++) {
        const pc_span *span = &t->panel->spans[i];
        double lo = fmax(span->lo, fmin(t->x.lo, t->x.hi)), hi = fmin(span->hi, fmax(t->x.lo, t->x.hi)), a, b;
        if (lo > hi || !dot_of(&t->x, lo, t->frame.x1 + 1, &a) || !dot_of(&t->x, hi, t->frame.x1 + 1, &b)) continue;
        int from = dot_to_column(t, fmin(a, b)), to = dot_to_column(t, fmax(a, b));
        for (int c = from; c <= to; c++) {
            const pc_cell *cell = &t->canvas->cells[row * t->canvas->columns + c];
            bool shared = cell->character == s->span_end || cell->character == s->span_start;
            unsigned stroke = c == from ? s->span_start : c == to ? s->span_end : s->span;
            pc_canvas_put(t->canvas, c, row, shared ? s->span_both : stroke, GUIDE_COLOUR);
        }
        if (!span->label) continue;
        const char *text = plain(t, span->label);
        int width = pc_label_columns(text), start = from + (to - from + 1 - width) / 2;
        if (width + 4 <= to - from) {
            pc_canvas_put(t->canvas, start - 1, row, ' ', PLAIN);
            pc_canvas_put(t->canvas, start + width, row, ' ', PLAIN);
        }
        if (width + 2 <= to - from) pc_canvas_write(t->canvas, start, row, text, PLAIN);
    }
}

/* Writes a text at the first of the places where it hides nothing, or at the first of all. */
static void write_free(text_chart *t, const int (*places)[2], int n_places, const char *text)
{
    int width = pc_label_columns(text), chosen = 0;
    for (int i = n_places - 1; i >= 0; i--) {
        if (pc_canvas_is_free(t->canvas, places[i][0], places[i][1], width)) chosen = i;
    }
    pc_canvas_write(t->canvas, places[chosen][0], places[chosen][1], text, GUIDE_COLOUR);
}

static void draw_guides(text_chart *t)
{
    for (size_t i = 0; i < t->panel->n_guides; i++) {
        const pc_guide *guide = &t->panel->guides[i];
        double dot;
        const char *text = guide->label ? plain(t, guide->label) : NULL;
        int width = text ? pc_label_columns(text) : 0;
        if (guide->vertical) {
            if (!dot_of(&t->x, guide->at, t->frame.x1 + 1, &dot)) continue;
            int column = dot_to_column(t, dot);
            for (int r = 0; r < t->rows; r++) {
                pc_canvas_put_behind(t->canvas, column, t->top + r, t->strokes->guide_up, GUIDE_COLOUR);
            }
            const int places[][2] = {{column + 1, t->top},
                                     {column - width, t->top},
                                     {column + 1, t->top + 1},
                                     {column - width, t->top + 1},
                                     {column + 1, t->top + t->rows - 1}};
            if (text) write_free(t, places, 5, text);
        } else {
            if (!dot_of(&t->y, guide->at, t->frame.y1 + 1, &dot)) continue;
            int row = dot_to_row(t, dot), end = t->left + t->columns - width;
            for (int c = 0; c < t->columns; c++) {
                pc_canvas_put_behind(t->canvas, t->left + c, row, t->strokes->guide_level, GUIDE_COLOUR);
            }
            const int places[][2] = {{end, row - (row > t->top)},
                                     {end, row + (row < t->top + t->rows - 1)},
                                     {t->left + 1, row - (row > t->top)},
                                     {end, row}};
            if (text) write_free(t, places, 4, text);
        }
    }
}

static void draw_axes(text_chart *t)
{
    const strokes *s = t->strokes;
    int bottom = t->top + t->rows;
    for (int r = 0; r < t->rows; r++) pc_canvas_put(t->canvas, t->left - 1, t->top + r, s->vertical, PLAIN);
    for (int c = 0; c < t->columns; c++) pc_canvas_put(t->canvas, t->left + c, bottom, s->horizontal, PLAIN);
    pc_canvas_put(t->canvas, t->left - 1, bottom, s->corner, PLAIN);
    for (int i = 0; i < t->y.n_ticks; i++) {
        double dot;
        if (!t->y.ticks[i].text[0] || !dot_of(&t->y, t->y.ticks[i].value, t->frame.y1 + 1, &dot)) continue;
        const char *text = plain(t, t->y.ticks[i].text);
        pc_canvas_put(t->canvas, t->left - 1, dot_to_row(t, dot), s->tick_left, PLAIN);
        pc_canvas_write(t->canvas, t->left - 2 - pc_label_columns(text), dot_to_row(t, dot), text, PLAIN);
    }
    int end = 0; /* of the last text written */
    for (int i = 0; i < t->x.n_ticks; i++) {
        double dot;
        if (!t->x.ticks[i].text[0] || !dot_of(&t->x, t->x.ticks[i].value, t->frame.x1 + 1, &dot)) continue;
        const char *text = plain(t, t->x.ticks[i].text);
        int column = dot_to_column(t, dot), width = pc_label_columns(text), start = column - width / 2;
        pc_canvas_put(t->canvas, column, bottom, s->tick_below, PLAIN);
        if (start + width > t->canvas->columns) start = t->canvas->columns - width;
        if (start < end) continue;
        pc_canvas_write(t->canvas, start, bottom + 1, text, PLAIN);
        end = start + width + 1;
    }
}

static void draw_notes(text_chart *t)
{
    size_t masked = pc_panel_count_masked(t->panel);
    if (pc_panel_is_empty(t->panel)) write_centred(t, t->left, t->columns, t->top + t->rows / 2, "no data");
    if (masked > 0) {
        char note[64];
        snprintf(note, sizeof note, "%zu value%s \u2264 0 not shown", masked, masked == 1 ? "" : "s");
        const char *text = plain(t, note);
        int start = t->left + t->columns - pc_label_columns(text);
        const int places[][2] = {{start, t->top + t->rows - 1}, {start, t->top}, {t->left + 1, t->top}};
        write_free(t, places, 3, text);
    }
    for (size_t i = 0; i < t->panel->n_notes; i++) {
        const pc_note *note = &t->panel->notes[i];
        double x, y;
        if (!dot_of(&t->x, note->x, t->frame.x1 + 1, &x) || !dot_of(&t->y, note->y, t->frame.y1 + 1, &y)) continue;
        const char *text = plain(t, note->text);
        int width = pc_label_columns(text), column = dot_to_column(t, x);
        if (column + width > t->canvas->columns && column - width >= t->left) column -= width;
        pc_canvas_write(t->canvas, column, dot_to_row(t, y), text, PLAIN);
    }
}

/* --- a panel --- */

static int widest_tick(text_chart *t, const pc_scale *scale)
{
    int widest = 0;
    for (int i = 0; i < scale->n_ticks; i++) {
        int columns = columns_of(t, scale->ticks[i].text);
        if (columns > widest) widest = columns;
    }
    return widest;
}

/* Ticks of x: fewer until their texts keep two blanks between them. */
static void set_x_ticks(text_chart *t)
{
    for (int wanted = t->columns / 8 > 1 ? t->columns / 8 : 1; wanted >= 1; wanted--) {
        pc_scale_set_ticks(&t->x, wanted);
        int labelled = 0;
        for (int i = 0; i < t->x.n_ticks; i++) labelled += t->x.ticks[i].text[0] != '\0';
        if (labelled * (widest_tick(t, &t->x) + 2) <= t->columns + 2) return;
    }
}

/* Draws a panel into rows [first, first + rows) of the canvas. */
static pc_status draw_panel(text_chart *t, int first, int rows, pc_error *err)
{
    const pc_panel *panel = t->panel;
    pc_panel_limits(panel, &t->x, &t->y);
    pc_scale_set_ticks(&t->y, rows / 5 > 2 ? rows / 5 : 2);
    t->left = widest_tick(t, &t->y) + 2;
    t->columns = t->canvas->columns - t->left - 1;
    set_x_ticks(t);

    pc_buffer label = {0};
    pc_axis_text(&panel->y, &label);
    if (t->y.common[0]) pc_buffer_print(&label, "%s%s", label.size ? "  " : "", t->y.common);
    int row = first;
    if (panel->title) write_centred(t, t->left, t->columns, row++, panel->title);
    row += legend_rows(t, row, true);
    if (label.size) pc_canvas_write(t->canvas, 0, row++, plain(t, pc_buffer_text(&label)), PLAIN);
    int span_row = row;
    if (panel->n_spans > 0) row++;
    pc_axis_text(&panel->x, &label);
    if (t->x.common[0]) pc_buffer_print(&label, "%s%s", label.size ? "  " : "", t->x.common);

    t->top = row;
    t->rows = first + rows - row - 2 - (label.size > 0);
    pc_status status = pc_buffer_status(&label, err);
    if (t->rows < 2 || t->columns < 8) {
        status = pc_fail(err, PC_E_ARGUMENT, "%d x %d characters are too few for a panel with its texts",
                         t->canvas->columns, rows);
    }
    if (!status) {
        t->frame = (pc_box){0, 0, PC_DOTS_X * t->columns - 1, PC_DOTS_Y * t->rows - 1};
        if (panel->n_spans > 0) draw_spans(t, span_row);
        status = draw_curves(t, err);
        draw_guides(t);
        draw_axes(t);
        draw_notes(t);
        if (label.size) write_centred(t, t->left, t->columns, t->top + t->rows + 2, pc_buffer_text(&label));
    }
    pc_buffer_free(&label);
    return status;
}

pc_status pc_figure_text(const pc_figure *figure, pc_text_options options, pc_buffer *out, pc_error *err)
{
    enum { ROWS_A_PANEL = 20 };
    int n = (int)figure->n_panels;
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "the figure has no panel to draw");
    if (options.columns < PC_TEXT_COLUMNS_MIN || options.columns > PC_TEXT_SIDE_MAX) {
        return pc_fail(err, PC_E_ARGUMENT, "columns = %d is not allowed: from %d to %d", options.columns,
                       PC_TEXT_COLUMNS_MIN, PC_TEXT_SIDE_MAX);
    }
    if (options.rows != 0 && (options.rows < PC_TEXT_ROWS_MIN || options.rows > PC_TEXT_SIDE_MAX)) {
        return pc_fail(err, PC_E_ARGUMENT, "rows = %d is not allowed: from %d to %d", options.rows, PC_TEXT_ROWS_MIN,
                       PC_TEXT_SIDE_MAX);
    }
    int heading = figure->title ? 1 : 0, total = options.rows ? options.rows : ROWS_A_PANEL * n + heading;
    int rows = (total - heading) / n;
    if (rows < PC_TEXT_ROWS_MIN) rows = PC_TEXT_ROWS_MIN;

    pc_canvas canvas;
    pc_buffer work = {0};
    pc_status status =
        pc_canvas_open(&canvas, options.columns, heading + rows * n, options.unicode, options.colour, err);
    if (status) return status;
    text_chart t = {.figure = figure, .canvas = &canvas, .work = &work};
    t.strokes = options.unicode ? &UNICODE_STROKES : &ASCII_STROKES;
    if (figure->title) write_centred(&t, 0, canvas.columns, 0, figure->title);
    for (int i = 0; !status && i < n; i++) {
        t.panel = figure->panels[i];
        status = draw_panel(&t, heading + i * rows, rows, err);
    }
    if (!status) pc_canvas_print(&canvas, out);
    if (!status) status = pc_buffer_status(&work, err);
    if (!status) status = pc_buffer_status(out, err);
    pc_buffer_free(&work);
    pc_canvas_close(&canvas);
    return status;
}
