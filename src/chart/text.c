/* Figures as text: see text.h.
 *
 * A panel, from above: title, legend, label of y with what its ticks share, phases, the curves between the axes, ticks
 * of x, label of x. The curves' dots are square enough on a usual terminal, whose cells are twice as high as wide.
 */
#include "chart/text.h"

#include "chart/label.h"
#include "chart/layout.h"
#include "chart/reach.h"
#include "chart/text_parts.h"

#include <math.h>
#include <stdio.h>

static const pc_strokes UNICODE_STROKES = {0x2502, 0x2524, 0x2514, 0x2500, 0x252C, 0x250A,
                                           0x2504, 0x2500, 0x251C, 0x2524, 0x253C, 0x251C};
static const pc_strokes ASCII_STROKES = {'|', '+', '+', '-', '+', ':', '.', '-', '[', ']', '|', '+'};

/* --- helpers --- */

const char *pc_text_plain(pc_text_chart *t, const char *label)
{
    pc_buffer_clear(t->work);
    pc_label_plain(label, t->canvas->unicode, t->work);
    return pc_buffer_text(t->work);
}

int pc_text_columns(pc_text_chart *t, const char *label)
{
    return pc_label_columns(pc_text_plain(t, label));
}

static void write_centred(pc_text_chart *t, int left, int columns, int row, const char *label)
{
    const char *text = pc_text_plain(t, label);
    int start = left + (columns - pc_label_columns(text)) / 2;
    pc_canvas_write(t->canvas, start > 0 ? start : 0, row, text, PC_TEXT_PLAIN);
}

int pc_text_column(const pc_text_chart *t, double x)
{
    return t->left + (int)floor(x / PC_DOTS_X);
}

int pc_text_row(const pc_text_chart *t, double y)
{
    return t->top + t->rows - 1 - (int)floor(y / PC_DOTS_Y);
}

bool pc_text_dot(const pc_scale *scale, double value, double dots, double *dot)
{
    double at = pc_scale_position(scale, value);
    if (!(at >= -1e-9 && at <= 1 + 1e-9)) return false;
    *dot = floor(fmin(fmax(at, 0), 1) * (dots - 1) + 0.5);
    return true;
}

/* The palette of theme.h in tones of a 256-colour terminal that read on a light and on a dark ground. */
static const int TERMINAL_PALETTE[PC_PALETTE] = {32, 166, 36, 175, 178, 74, PC_TEXT_PLAIN};

int pc_text_colour(pc_colour colour)
{
    double least = fmin(colour.red, fmin(colour.green, colour.blue));
    double most = fmax(colour.red, fmax(colour.green, colour.blue));
    /* what is nearly black or white takes the terminal's own colour, which can be seen on its ground */
    return most < 0x40 || least > 0xD8 ? PC_TEXT_PLAIN : pc_colour_terminal(colour);
}

static int series_colour(const pc_text_chart *t, size_t i)
{
    pc_colour colour = t->panel->series[i].style.colour;
    return colour.given ? pc_text_colour(colour) : TERMINAL_PALETTE[i % PC_PALETTE];
}

/* --- curves --- */

/* Unit of the dash patterns, in dots: gaps of four dots are what the eye still finds between braille characters. */
static const double DASH_UNIT = 1.5;

void pc_text_stroke(void *context, const double *x, const double *y, int n)
{
    const pc_dot_pen *pen = context;
    const pc_text_chart *t = pen->chart;
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

void pc_text_dash(void *context, const double *x, const double *y, int n)
{
    const pc_dot_pen *pen = context;
    pc_dash_run(pen->dash, DASH_UNIT, x, y, n, pc_text_stroke, context);
}

/* A marker is a small cross of dots, so that it differs from a line's. */
static void mark_dots(void *context, const double *x, const double *y, int n)
{
    const pc_dot_pen *pen = context;
    const pc_text_chart *t = pen->chart;
    (void)n;
    for (int k = -1; k <= 1; k++) {
        double ex[2] = {x[0] + k, x[0]}, ey[2] = {y[0], y[0] + k};
        for (int i = 0; i < 2; i++) {
            bool inside = ex[i] >= 0 && ex[i] <= t->frame.x1 && ey[i] >= 0 && ey[i] <= t->frame.y1;
            if (inside) pc_text_stroke(context, &ex[i], &ey[i], 1);
        }
    }
}

static pc_dot_pen pen_of(pc_text_chart *t, size_t i)
{
    return (pc_dot_pen){t, pc_panel_series_dash(t->panel, i), (int)(i % 200) + 1, series_colour(t, i)};
}

/* A bar: its outline, filled with every second dot, so that overlapping bars stay apart. */
static void fill_dots(void *context, double x, double y, pc_box b)
{
    const double px[5] = {b.x0, b.x0, b.x1, b.x1, b.x0}, py[5] = {b.y0, b.y1, b.y1, b.y0, b.y0};
    (void)x;
    (void)y;
    pc_text_stroke(context, px, py, 5);
    for (double row = ceil(b.y0); row < b.y1; row++) {
        for (double dot = ceil(b.x0); dot < b.x1; dot++) {
            if (fmod(row + dot, 2) == 0) pc_text_stroke(context, &dot, &row, 1);
        }
    }
}

static void whisker_dots(void *context, double x, double y, pc_box b)
{
    const double ux[2] = {x, x}, uy[2] = {b.y0, b.y1}, lx[2] = {b.x0, b.x1}, ly[2] = {y, y};
    pc_text_stroke(context, ux, uy, 2);
    pc_text_stroke(context, lx, ly, 2);
}

static pc_status draw_curves(pc_text_chart *t, pc_error *err)
{
    pc_status status = PC_OK;
    for (size_t i = 0; !status && i < t->panel->n_series; i++) {
        const pc_series *series = &t->panel->series[i];
        pc_dot_pen pen = pen_of(t, i);
        /* in ASCII curves differ by their marks, and dashes would only tear them */
        if (!t->canvas->unicode) pen.dash = PC_DASH_SOLID;
        const pc_scale *y = series->right ? &t->right : &t->y;
        if (series->kind->filled || series->kind->whiskered) {
            status =
                pc_reach_each(series, &t->x, y, t->frame, series->kind->filled ? fill_dots : whisker_dots, &pen, err);
        }
        if (!status && series->kind->joined) {
            status = pc_curve_runs(series, &t->x, y, t->frame, t->frame, 1, pc_text_dash, &pen, err);
        }
        if (!status && series->kind->marked) {
            status = pc_curve_points(series, &t->x, y, t->frame, 1, t->canvas->unicode ? mark_dots : pc_text_stroke,
                                     &pen, err);
        }
    }
    return status;
}

/* --- what surrounds them --- */

enum { SAMPLE = 6 };

/* The sample of a series is a chart of its own, one row high. */
static void draw_sample(pc_text_chart *t, size_t i, int column, int row)
{
    pc_text_chart sample = *t;
    sample.left = column;
    sample.top = row;
    sample.rows = 1;
    sample.frame = (pc_box){0, 0, SAMPLE * PC_DOTS_X - 1, PC_DOTS_Y - 1};
    pc_dot_pen pen = pen_of(t, i);
    pen.chart = &sample;
    const double x[2] = {0, SAMPLE * PC_DOTS_X - 1}, y[2] = {1, 1}, mx = SAMPLE * PC_DOTS_X / 2, my = 2;
    if (!t->canvas->unicode) pen.dash = PC_DASH_SOLID;
    if (t->panel->series[i].kind->filled) fill_dots(&pen, mx, my, (pc_box){x[0] + 2, 0, x[1] - 2, 3});
    if (t->panel->series[i].kind->whiskered) whisker_dots(&pen, mx, my, (pc_box){mx, 0, mx, 3});
    if (t->panel->series[i].kind->joined) pc_text_dash(&pen, x, y, 2);
    if (t->panel->series[i].kind->marked) mark_dots(&pen, &mx, &my, 1);
}

/* Draws the entries of the legend in rows, from `row` on; returns how many rows they take. */
static int draw_legend(pc_text_chart *t, int row)
{
    const pc_panel *panel = t->panel;
    int column = t->left, rows = 0;
    pc_buffer text = {0};
    for (size_t i = 0; panel->legend && i < panel->n_series + panel->n_fields; i++) {
        bool is_field = i >= panel->n_series;
        pc_entry entry = {is_field ? PC_ENTRY_FIELD : PC_ENTRY_SERIES, is_field ? i - panel->n_series : i, 0, 0};
        if (!(is_field ? panel->fields[entry.index].label : panel->series[i].label)) continue;
        pc_entry_text(panel, &entry, &text);
        int width = SAMPLE + 1 + pc_text_columns(t, pc_buffer_text(&text));
        if (rows == 0) rows = 1;
        if (column > t->left && column + width > t->canvas->columns) {
            column = t->left;
            rows++;
        }
        int at = row + rows - 1;
        if (is_field)
            pc_text_field_sample(t, &panel->fields[entry.index], column, at, SAMPLE);
        else
            draw_sample(t, i, column, at);
        pc_canvas_write(t->canvas, column + SAMPLE + 1, at, pc_text_plain(t, pc_buffer_text(&text)), PC_TEXT_PLAIN);
        column += width + 3;
    }
    pc_buffer_free(&text);
    return rows;
}

static void draw_spans(pc_text_chart *t, int row)
{
    const pc_strokes *s = t->strokes;
    for (size_t i = 0; i < t->panel->n_spans; i++) {
        const pc_span *span = &t->panel->spans[i];
        double lo = fmax(span->lo, fmin(t->x.lo, t->x.hi)), hi = fmin(span->hi, fmax(t->x.lo, t->x.hi)), a, b;
        if (lo > hi || !pc_text_dot(&t->x, lo, t->frame.x1 + 1, &a) || !pc_text_dot(&t->x, hi, t->frame.x1 + 1, &b))
            continue;
        int from = pc_text_column(t, fmin(a, b)), to = pc_text_column(t, fmax(a, b));
        for (int c = from; c <= to; c++) {
            const pc_cell *cell = &t->canvas->cells[row * t->canvas->columns + c];
            bool shared = cell->character == s->span_end || cell->character == s->span_start;
            unsigned stroke = c == from ? s->span_start : c == to ? s->span_end : s->span;
            pc_canvas_put(t->canvas, c, row, shared ? s->span_both : stroke, PC_TEXT_GUIDE);
        }
        if (!span->label) continue;
        const char *text = pc_text_plain(t, span->label);
        int width = pc_label_columns(text), start = from + (to - from + 1 - width) / 2;
        if (width + 4 <= to - from) {
            pc_canvas_put(t->canvas, start - 1, row, ' ', PC_TEXT_PLAIN);
            pc_canvas_put(t->canvas, start + width, row, ' ', PC_TEXT_PLAIN);
        }
        if (width + 2 <= to - from) pc_canvas_write(t->canvas, start, row, text, PC_TEXT_PLAIN);
    }
}

/* Writes a text at the first of the places where it hides nothing, or at the first of all. */
static void write_free(pc_text_chart *t, const int (*places)[2], int n_places, const char *text)
{
    int width = pc_label_columns(text), chosen = 0;
    for (int i = n_places - 1; i >= 0; i--) {
        if (pc_canvas_is_free(t->canvas, places[i][0], places[i][1], width)) chosen = i;
    }
    pc_canvas_write(t->canvas, places[chosen][0], places[chosen][1], text, PC_TEXT_GUIDE);
}

static void draw_guides(pc_text_chart *t)
{
    for (size_t i = 0; i < t->panel->n_guides; i++) {
        const pc_guide *guide = &t->panel->guides[i];
        double dot;
        const char *text = guide->label ? pc_text_plain(t, guide->label) : NULL;
        int width = text ? pc_label_columns(text) : 0;
        if (guide->vertical) {
            if (!pc_text_dot(&t->x, guide->at, t->frame.x1 + 1, &dot)) continue;
            int column = pc_text_column(t, dot);
            for (int r = 0; r < t->rows; r++) {
                pc_canvas_put_behind(t->canvas, column, t->top + r, t->strokes->guide_up, PC_TEXT_GUIDE);
            }
            const int places[][2] = {{column + 1, t->top},
                                     {column - width, t->top},
                                     {column + 1, t->top + 1},
                                     {column - width, t->top + 1},
                                     {column + 1, t->top + t->rows - 1}};
            if (text) write_free(t, places, 5, text);
        } else {
            if (!pc_text_dot(&t->y, guide->at, t->frame.y1 + 1, &dot)) continue;
            int row = pc_text_row(t, dot), end = t->left + t->columns - width;
            for (int c = 0; c < t->columns; c++) {
                pc_canvas_put_behind(t->canvas, t->left + c, row, t->strokes->guide_level, PC_TEXT_GUIDE);
            }
            const int places[][2] = {{end, row - (row > t->top)},
                                     {end, row + (row < t->top + t->rows - 1)},
                                     {t->left + 1, row - (row > t->top)},
                                     {end, row}};
            if (text) write_free(t, places, 4, text);
        }
    }
}

static void draw_notes(pc_text_chart *t)
{
    size_t masked = pc_panel_count_masked(t->panel);
    if (pc_panel_is_empty(t->panel)) write_centred(t, t->left, t->columns, t->top + t->rows / 2, "no data");
    if (masked > 0) {
        char note[64];
        snprintf(note, sizeof note, "%zu value%s \u2264 0 not shown", masked, masked == 1 ? "" : "s");
        const char *text = pc_text_plain(t, note);
        int start = t->left + t->columns - pc_label_columns(text);
        const int places[][2] = {{start, t->top + t->rows - 1}, {start, t->top}, {t->left + 1, t->top}};
        write_free(t, places, 3, text);
    }
    for (size_t i = 0; i < t->panel->n_notes; i++) {
        const pc_note *note = &t->panel->notes[i];
        double x, y;
        if (!pc_text_dot(&t->x, note->x, t->frame.x1 + 1, &x) || !pc_text_dot(&t->y, note->y, t->frame.y1 + 1, &y))
            continue;
        const char *text = pc_text_plain(t, note->text);
        int width = pc_label_columns(text), column = pc_text_column(t, x);
        if (column + width > t->canvas->columns && column - width >= t->left) column -= width;
        pc_canvas_write(t->canvas, column, pc_text_row(t, y), text, PC_TEXT_PLAIN);
    }
}

/* --- a panel --- */

/* Draws a panel into rows [first, first + rows) of the canvas. */
static pc_status draw_panel(pc_text_chart *t, int first, int rows, pc_error *err)
{
    const pc_panel *panel = t->panel;
    pc_text_frame(t, rows);
    pc_buffer label = {0};
    pc_axis_text(&panel->y, &label);
    if (t->y.common[0]) pc_buffer_print(&label, "%s%s", label.size ? "  " : "", t->y.common);
    int row = first;
    if (panel->title) write_centred(t, t->left, t->columns, row++, panel->title);
    row += draw_legend(t, row);
    if (pc_panel_bar(panel)) pc_text_bar(t, pc_panel_bar(panel), row++);
    if (label.size) pc_canvas_write(t->canvas, 0, row, pc_text_plain(t, pc_buffer_text(&label)), PC_TEXT_PLAIN);
    bool labelled = label.size > 0;
    pc_axis_text(&panel->right, &label);
    if (t->right.n_ticks && t->right.common[0])
        pc_buffer_print(&label, "%s%s", label.size ? "  " : "", t->right.common);
    if (t->right.n_ticks && label.size) {
        const char *text = pc_text_plain(t, pc_buffer_text(&label));
        pc_canvas_write(t->canvas, t->canvas->columns - pc_label_columns(text), row, text, PC_TEXT_PLAIN);
        labelled = true;
    }
    row += labelled;
    int span_row = row;
    if (panel->n_spans > 0) row++;
    pc_axis_text(&panel->x, &label);
    if (t->x.common[0] && !panel->polar) pc_buffer_print(&label, "%s%s", label.size ? "  " : "", t->x.common);

    t->top = row;
    t->rows = first + rows - row - 2 - (label.size > 0);
    pc_status status = pc_buffer_status(&label, err);
    if (t->rows < 2 || t->columns < 8) {
        status = pc_fail(err, PC_E_ARGUMENT, "%d x %d characters are too few for a panel with its texts",
                         t->canvas->columns, rows);
    }
    if (!status) {
        int below = t->top + t->rows + 2;
        if (panel->equal || panel->polar) pc_text_equalize(t);
        if (t->top + t->rows + 2 < below) below = t->top + t->rows + 2;
        t->frame = (pc_box){0, 0, PC_DOTS_X * t->columns - 1, PC_DOTS_Y * t->rows - 1};
        if (panel->n_spans > 0) draw_spans(t, span_row);
        status = pc_text_fields(t, true, err);
        if (!status) status = pc_text_fields(t, false, err);
        if (!status) status = draw_curves(t, err);
        draw_guides(t);
        pc_text_axes(t);
        draw_notes(t);
        if (label.size) write_centred(t, t->left, t->columns, below, pc_buffer_text(&label));
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
    pc_text_chart t = {.figure = figure, .canvas = &canvas, .work = &work};
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
