/* Figures as text: see text.h.
 *
 * A panel, from above: title, legend, bar of colours, label of y with what its ticks share, phases, the curves between
 * the axes, ticks of x, label of x. The layout's units are dots, eight in a cell; they are square enough on a usual
 * terminal, whose cells are twice as high as wide. Values are shades, or half blocks on a terminal with colours;
 * directions are arrows.
 */
#include "chart/text/text.h"

#include "base/alloc.h"
#include "chart/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pc_status pc_canvas_open(pc_canvas *canvas, int columns, int rows, bool unicode, bool colour, pc_error *err)
{
    *canvas = (pc_canvas){.columns = columns, .rows = rows, .unicode = unicode, .colour = colour};
    canvas->cells = pc_calloc((size_t)columns * (size_t)rows, sizeof *canvas->cells);
    if (!canvas->cells) return pc_fail(err, PC_E_MEMORY, "not enough memory for a chart as text");
    for (int i = 0; i < columns * rows; i++) canvas->cells[i].colour = -1;
    return PC_OK;
}

void pc_canvas_close(pc_canvas *canvas)
{
    pc_free(canvas->cells);
    *canvas = (pc_canvas){0};
}

static pc_cell *cell_at(const pc_canvas *canvas, int column, int row)
{
    if (column < 0 || row < 0 || column >= canvas->columns || row >= canvas->rows) return NULL;
    return &canvas->cells[row * canvas->columns + column];
}

void pc_canvas_put(pc_canvas *canvas, int column, int row, unsigned character, int colour)
{
    pc_cell *cell = cell_at(canvas, column, row);
    if (cell) *cell = (pc_cell){.character = character, .colour = colour};
}

void pc_canvas_write(pc_canvas *canvas, int column, int row, const char *text, int colour)
{
    for (unsigned c; (c = pc_label_next(&text)) != 0; column++) {
        bool cut = column == canvas->columns - 1 && *text;
        pc_canvas_put(canvas, column, row, !cut ? c : canvas->unicode ? 0x2026 : '~', colour);
    }
}

void pc_canvas_put_behind(pc_canvas *canvas, int column, int row, unsigned character, int colour)
{
    pc_cell *cell = cell_at(canvas, column, row);
    if (!cell || cell->dots || (cell->character && !cell->behind)) return;
    *cell = (pc_cell){.character = character, .colour = colour, .behind = true};
}

void pc_canvas_put_half(pc_canvas *canvas, int column, int half, int colour)
{
    pc_cell *cell = half < 0 ? NULL : cell_at(canvas, column, half / 2);
    if (!cell || cell->dots || (cell->character && !cell->behind)) return;
    if (cell->character != PC_HALVES) *cell = (pc_cell){PC_HALVES, .colour = -1, .lower = -1, .behind = true};
    *(half % 2 ? &cell->lower : &cell->colour) = colour;
}

bool pc_canvas_is_free(const pc_canvas *canvas, int column, int row, int columns)
{
    for (int c = column; c < column + columns; c++) {
        const pc_cell *cell = cell_at(canvas, c, row);
        if (!cell || cell->dots || (cell->character && !cell->behind)) return false;
    }
    return true;
}

bool pc_canvas_has_no_text(const pc_canvas *canvas, int column, int row, int columns)
{
    for (int c = column; c < column + columns; c++) {
        const pc_cell *cell = cell_at(canvas, c, row);
        if (!cell || (cell->character && !cell->behind)) return false;
    }
    return true;
}

/* Bits of the braille block U+2800, by [row][column] in the cell (ISO 11548-1 numbers the dots). */
static const uint8_t DOT_BITS[PC_DOTS_Y][PC_DOTS_X] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

void pc_canvas_dot(pc_canvas *canvas, int x, int y, int pen, int colour)
{
    if (x < 0 || y < 0) return;
    pc_cell *cell = cell_at(canvas, x / PC_DOTS_X, y / PC_DOTS_Y);
    if (!cell || (cell->character && !cell->behind)) return;
    cell->dots |= DOT_BITS[y % PC_DOTS_Y][x % PC_DOTS_X];
    cell->pen = (uint8_t)pen;
    cell->colour = colour;
}

void pc_canvas_line(pc_canvas *canvas, int x0, int y0, int x1, int y1, int pen, int colour)
{
    /* Bresenham: the error term says when the minor coordinate steps */
    int dx = abs(x1 - x0), dy = -abs(y1 - y0), step_x = x0 < x1 ? 1 : -1, step_y = y0 < y1 ? 1 : -1, error = dx + dy;
    for (;;) {
        pc_canvas_dot(canvas, x0, y0, pen, colour);
        if (x0 == x1 && y0 == y1) return;
        int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x0 += step_x;
        }
        if (twice <= dx) {
            error += dx;
            y0 += step_y;
        }
    }
}

/* --- printing --- */

/* What stands for a pen in ASCII. */
static const char MARKS[] = "*+ox#%@&";

static unsigned shown_character(const pc_canvas *canvas, const pc_cell *cell)
{
    if (cell->dots && (!cell->character || cell->behind)) {
        if (canvas->unicode) return 0x2800u + cell->dots;
        return (unsigned char)MARKS[(cell->pen > 0 ? cell->pen - 1 : 0) % (int)(sizeof MARKS - 1)];
    }
    return cell->character ? cell->character : ' ';
}

/* Write the sequence for a colour of characters (38) or of their ground (48). */
static void print_colour(int layer, int colour, pc_buffer *out)
{
    if (colour < 0)
        pc_buffer_print(out, "\033[%dm", layer + 1);
    else if (colour >= PC_TRUE_COLOUR)
        pc_buffer_print(out, "\033[%d;2;%d;%d;%dm", layer, colour >> 16 & 255, colour >> 8 & 255, colour & 255);
    else
        pc_buffer_print(out, "\033[%d;5;%dm", layer, colour);
}

/* What a cell prints: halves of one colour are a full block, and a lower half alone has a character of its own. */
static pc_cell shown_cell(const pc_canvas *canvas, const pc_cell *cell)
{
    pc_cell shown = {.character = shown_character(canvas, cell), .colour = cell->colour, .lower = -1};
    if (shown.character != PC_HALVES || cell->dots) return shown;
    shown.lower = cell->lower;
    if (cell->lower == cell->colour) {
        shown.character = 0x2588;
        shown.lower = -1;
    } else if (cell->colour < 0) {
        shown.character = 0x2584;
        shown.colour = cell->lower;
        shown.lower = -1;
    }
    return shown;
}

void pc_canvas_print(const pc_canvas *canvas, pc_buffer *out)
{
    for (int row = 0; row < canvas->rows; row++) {
        const pc_cell *cells = &canvas->cells[row * canvas->columns];
        int end = canvas->columns, colour = -1, ground = -1;
        while (end > 0 && shown_character(canvas, &cells[end - 1]) == ' ') end--;
        for (int c = 0; c < end; c++) {
            const pc_cell shown = shown_cell(canvas, &cells[c]);
            int wanted = canvas->colour && shown.character != ' ' ? shown.colour : colour;
            if (wanted != colour) print_colour(38, wanted, out);
            if (shown.lower != ground) print_colour(48, shown.lower, out);
            colour = wanted;
            ground = shown.lower;
            pc_buffer_put(out, shown.character);
        }
        if (colour >= 0) print_colour(38, -1, out);
        if (ground >= 0) print_colour(48, -1, out);
        pc_buffer_put(out, '\n');
    }
}

/* Line drawing characters in both repertoires. */
typedef struct strokes {
    unsigned vertical, tick_left, corner, horizontal, tick_below, guide_up, guide_level, span, span_start, span_end,
        span_both, tick_right;
} strokes;

static const strokes UNICODE_STROKES = {0x2502, 0x2524, 0x2514, 0x2500, 0x252C, 0x250A,
                                        0x2504, 0x2500, 0x251C, 0x2524, 0x253C, 0x251C};
static const strokes ASCII_STROKES = {'|', '+', '+', '-', '+', ':', '.', '-', '[', ']', '|', '+'};

/* Grey that reads on light and dark, for what lies behind the curves; and the terminal's own colour. */
enum { GUIDE = 245, PLAIN = -1 };

enum { SAMPLE = 6 }; /* columns of a sample in the legend */

typedef struct text_pen {
    pc_pen pen;
    pc_panel_layout layout;
    pc_canvas *canvas;
    pc_buffer *work;
    const strokes *strokes;
    int left, top, columns, rows;        /* cells of the curves */
    int title, bar, label, spans, below; /* rows: of the label of x, `below` */
    int head_left, head_columns;         /* where what stands above is centred */
    int tick_end;                        /* of the last tick of x */
    bool true_colour;
} text_pen;

static text_pen *pen_of(pc_pen *pen)
{
    return (text_pen *)pen;
}

/* --- cells and colours --- */

/* A label without markup, in the characters of the canvas; valid until the next call. */
static const char *plain(const text_pen *t, const char *label)
{
    pc_buffer_clear(t->work);
    pc_label_plain(label, t->canvas->unicode, t->work);
    return pc_buffer_text(t->work);
}

static int width_of(const text_pen *t, const char *label)
{
    return pc_label_columns(plain(t, label));
}

static void write_centred(const text_pen *t, int left, int columns, int row, const char *label)
{
    const char *text = plain(t, label);
    int start = left + (columns - pc_label_columns(text)) / 2;
    pc_canvas_write(t->canvas, start > 0 ? start : 0, row, text, PLAIN);
}

/* Writes a text at the first of the places where it hides nothing, or at the first of all. */
static void write_free(const text_pen *t, const int (*places)[2], int n_places, const char *text)
{
    int width = pc_label_columns(text), chosen = 0;
    for (int i = n_places - 1; i >= 0; i--) {
        if (pc_canvas_is_free(t->canvas, places[i][0], places[i][1], width)) chosen = i;
    }
    pc_canvas_write(t->canvas, places[chosen][0], places[chosen][1], text, GUIDE);
}

/* The dot nearest to a point of the page; the cell of a dot. */
static double dot_of(double at)
{
    return floor(at + 0.5);
}

static int column_of(const text_pen *t, double x)
{
    return t->left + (int)floor(x / PC_DOTS_X);
}

static int row_of(const text_pen *t, double y)
{
    return t->top + t->rows - 1 - (int)floor(y / PC_DOTS_Y);
}

/* The palette of figure.h in tones of a 256-colour terminal that read on a light and on a dark ground. */
static const int TERMINAL_PALETTE[PC_PALETTE] = {32, 166, 36, 175, 178, 74, PLAIN};

/* A colour as the terminal takes it, exactly or as the nearest. */
static int colour_of(const text_pen *t, pc_colour colour)
{
    if (t->true_colour) return PC_TRUE_COLOUR + (colour.red << 16) + (colour.green << 8) + colour.blue;
    return pc_colour_terminal(colour);
}

/* The same for a colour that was asked for. */
static int terminal_colour(const text_pen *t, pc_colour colour)
{
    double least = fmin(colour.red, fmin(colour.green, colour.blue));
    double most = fmax(colour.red, fmax(colour.green, colour.blue));
    /* what is nearly black or white takes the terminal's own colour, which can be seen on its ground */
    return most < 0x40 || least > 0xD8 ? PLAIN : colour_of(t, colour);
}

/* --- strokes --- */

/* Unit of the dash patterns, in dots: gaps of four dots are what the eye still finds between braille characters. */
static const double DASH_UNIT = 1.5;

typedef struct stroke {
    const text_pen *t;
    int pen, colour;
    pc_dash dash;
} stroke;

static void draw_dots(void *context, const double *x, const double *y, int n)
{
    const stroke *s = context;
    const text_pen *t = s->t;
    const int left = t->left * PC_DOTS_X, bottom = (t->top + t->rows) * PC_DOTS_Y - 1;
    int px = left + (int)dot_of(x[0]), py = bottom - (int)dot_of(y[0]);
    if (n == 1) pc_canvas_dot(t->canvas, px, py, s->pen, s->colour);
    for (int i = 1; i < n; i++) {
        int qx = left + (int)dot_of(x[i]), qy = bottom - (int)dot_of(y[i]);
        pc_canvas_line(t->canvas, px, py, qx, qy, s->pen, s->colour);
        px = qx;
        py = qy;
    }
}

static void draw_dashes(stroke s, const double *x, const double *y, int n)
{
    pc_dash_run(s.dash, DASH_UNIT, x, y, n, draw_dots, &s);
}

/* --- series --- */

/* In ASCII curves differ by their marks, and dashes would only tear them. */
static stroke series_stroke(const text_pen *t, size_t i)
{
    pc_colour colour = t->pen.panel->series[i].style.colour;
    return (stroke){t, (int)(i % 200) + 1, colour.given ? terminal_colour(t, colour) : TERMINAL_PALETTE[i % PC_PALETTE],
                    t->canvas->unicode ? pc_panel_series_dash(t->pen.panel, i) : PC_DASH_SOLID};
}

static void draw_series_run(pc_pen *pen, size_t i, const double *x, const double *y, int n)
{
    draw_dashes(series_stroke(pen_of(pen), i), x, y, n);
}

static bool inside(pc_box b, double x, double y)
{
    return x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1;
}

/* A small cross of dots, so that it differs from a line's; it stays within the frame, where it is of a point there. */
static void draw_marker(pc_pen *pen, size_t i, double x, double y)
{
    const text_pen *t = pen_of(pen);
    const pc_box f = t->layout.frame;
    stroke s = series_stroke(t, i);
    if (!t->canvas->unicode && inside(f, x, y)) {
        draw_dots(&s, &x, &y, 1);
        return;
    }
    for (int k = -1; k <= 1; k++) {
        const double ex[2] = {x + k, x}, ey[2] = {y, y + k};
        for (int j = 0; j < 2; j++) {
            if (inside(f, ex[j], ey[j]) || !inside(f, x, y)) draw_dots(&s, &ex[j], &ey[j], 1);
        }
    }
}

/* Its outline, filled with every second dot, so that overlapping bars stay apart. */
static void draw_bar(pc_pen *pen, size_t i, pc_box b)
{
    stroke s = series_stroke(pen_of(pen), i);
    const double x[5] = {b.x0, b.x0, b.x1, b.x1, b.x0}, y[5] = {b.y0, b.y1, b.y1, b.y0, b.y0};
    draw_dots(&s, x, y, 5);
    for (double row = ceil(b.y0); row < b.y1; row++) {
        for (double dot = ceil(b.x0); dot < b.x1; dot++) {
            if (fmod(row + dot, 2) == 0) draw_dots(&s, &dot, &row, 1);
        }
    }
}

static void draw_whiskers(pc_pen *pen, size_t i, double x, double y, pc_box b)
{
    stroke s = series_stroke(pen_of(pen), i);
    const double ux[2] = {x, x}, uy[2] = {b.y0, b.y1}, lx[2] = {b.x0, b.x1}, ly[2] = {y, y};
    draw_dots(&s, ux, uy, 2);
    draw_dots(&s, lx, ly, 2);
}

/* --- fields --- */

/* Shades from least to greatest; the least is not blank, which stands for no value. */
static const unsigned UNICODE_RAMP[] = {0xB7, 0x2591, 0x2592, 0x2593, 0x2588};
static const unsigned ASCII_RAMP[] = {'.', ':', '-', '=', '+', '*', '#', '%', '@'};

typedef struct shade {
    unsigned character;
    int colour;
} shade;

/* The shade at 0 to 1 of a palette. */
static shade shade_at(const text_pen *t, const pc_palette *palette, double at)
{
    at = fmin(fmax(at, 0), 1);
    if (t->canvas->unicode && t->canvas->colour) return (shade){0x2588, colour_of(t, pc_palette_at(palette, at))};
    const unsigned *ramp = t->canvas->unicode ? UNICODE_RAMP : ASCII_RAMP;
    int n = t->canvas->unicode ? (int)(sizeof UNICODE_RAMP / sizeof *UNICODE_RAMP)
                               : (int)(sizeof ASCII_RAMP / sizeof *ASCII_RAMP);
    return (shade){ramp[(int)fmin(at * n, n - 1)], PLAIN};
}

/* Whether shades are halves of cells. */
static bool has_halves(const text_pen *t)
{
    return t->canvas->unicode && t->canvas->colour;
}

/* One row of the raster of shades, which has two a cell where these are halves. */
static void draw_area(pc_pen *pen, const pc_palette *palette, double at, pc_box b)
{
    const text_pen *t = pen_of(pen);
    const pc_box f = t->layout.frame;
    const shade s = shade_at(t, palette, at);
    const int row = (int)lround(b.y0 / f.y1 * pen->rows), halves = 2 * (t->top + t->rows) - 1;
    const int first = (int)lround(b.x0 / f.x1 * t->columns), end = (int)lround(b.x1 / f.x1 * t->columns);
    for (int c = first; c < end; c++) {
        if (has_halves(t))
            pc_canvas_put_half(t->canvas, t->left + c, halves - row, s.colour);
        else
            pc_canvas_put_behind(t->canvas, t->left + c, t->top + t->rows - 1 - row, s.character, s.colour);
    }
}

static stroke field_stroke(const text_pen *t, const pc_field *field)
{
    int colour = field->style.colour.given                             ? terminal_colour(t, field->style.colour)
                 : t->pen.panel->n_series > 0 || field->kind->levelled ? GUIDE
                                                                       : TERMINAL_PALETTE[0];
    bool solid = field->style.dash == PC_DASH_AUTO || !t->canvas->unicode;
    return (stroke){t, 1, colour, solid ? PC_DASH_SOLID : field->style.dash};
}

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

/* A line of equal value in dots, with its level in the middle where no other text stands. */
static void draw_level(pc_pen *pen, const pc_field *field, double level, const double *x, const double *y, int n)
{
    const text_pen *t = pen_of(pen);
    draw_dashes(field_stroke(t, field), x, y, n);
    if (!field->labelled) return;
    char label[32];
    pc_field_level_text(level, label, sizeof label);
    double mx, my, length = middle_of(x, y, n, &mx, &my);
    const char *text = plain(t, label);
    int width = pc_label_columns(text), column = column_of(t, mx) - width / 2, row = row_of(t, my);
    bool room = column > t->left && column + width < t->left + t->columns;
    for (int r = row - 1; room && r <= row + 1; r++) {
        room = pc_canvas_has_no_text(t->canvas, column - 1, r, width + 2) || r < t->top || r >= t->top + t->rows;
    }
    if (room && length > 3.0 * PC_DOTS_X * width) pc_canvas_write(t->canvas, column, row, text, PLAIN);
}

/* By the direction in eighths of a turn from the right, anticlockwise. */
static unsigned arrow_character(const text_pen *t, double u, double v)
{
    static const unsigned unicode[] = {0x2192, 0x2197, 0x2191, 0x2196, 0x2190, 0x2199, 0x2193, 0x2198};
    static const char ascii[] = ">/^\\</v\\";
    int eighth = ((int)lround(atan2(v, u) / 0.7853981633974483) + 8) % 8;
    return t->canvas->unicode ? unicode[eighth] : (unsigned char)ascii[eighth];
}

static void draw_arrow(pc_pen *pen, const pc_field *field, const double x[2], const double y[2])
{
    const text_pen *t = pen_of(pen);
    pc_canvas_put_behind(t->canvas, column_of(t, (x[0] + x[1]) / 2), row_of(t, (y[0] + y[1]) / 2),
                         arrow_character(t, x[1] - x[0], y[1] - y[0]), field_stroke(t, field).colour);
}

static void draw_stream(pc_pen *pen, const pc_field *field, const double *x, const double *y, int n)
{
    const text_pen *t = pen_of(pen);
    const stroke s = field_stroke(t, field);
    draw_dashes(s, x, y, n);
    int i = n / 2, k = i + 4 < n ? i + 4 : n - 1;
    pc_canvas_put(t->canvas, column_of(t, x[i]), row_of(t, y[i]), arrow_character(t, x[k] - x[i], y[k] - y[i]),
                  s.colour);
}

/* An end of the bar, to three digits. */
static void end_text(double value, char *text, size_t size)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", value);
    pc_field_level_text(strtod(digits, NULL), text, size);
}

/* The colours with their values and what they are, in one row. */
static void draw_colours(pc_pen *pen, const pc_bands *bands)
{
    enum { STEPS = 20, ROOM = 48 };
    const text_pen *t = pen_of(pen);
    const pc_axis *z = &bands->field->z;
    pc_buffer label = {0};
    if (z->label) pc_buffer_print(&label, "%s ", z->label);
    if (z->unit) pc_buffer_print(&label, "[%s] ", z->unit);
    char text[ROOM];
    end_text(bands->z.lo, text, sizeof text);
    pc_buffer_print(&label, "%s", text);
    pc_canvas_write(t->canvas, t->head_left, t->bar, plain(t, pc_buffer_text(&label)), PLAIN);
    int column = t->head_left + width_of(t, pc_buffer_text(&label)) + 1;
    pc_buffer_free(&label);
    for (int i = 0; i < STEPS; i++) {
        shade s = shade_at(t, bands->field->palette, (i + 0.5) / STEPS);
        pc_canvas_put(t->canvas, column + i, t->bar, s.character, s.colour);
    }
    end_text(bands->z.hi, text, sizeof text);
    pc_canvas_write(t->canvas, column + STEPS + 1, t->bar, plain(t, text), PLAIN);
}

/* --- spans and reference lines --- */

/* Spans are bars in a row of their own. */
static void draw_span(pc_pen *pen, size_t span, double left, double right)
{
    const text_pen *t = pen_of(pen);
    const strokes *s = t->strokes;
    (void)span;
    int from = column_of(t, dot_of(left)), to = column_of(t, dot_of(right));
    for (int c = from; c <= to; c++) {
        const pc_cell *cell = &t->canvas->cells[t->spans * t->canvas->columns + c];
        bool shared = cell->character == s->span_end || cell->character == s->span_start;
        unsigned bar = c == from ? s->span_start : c == to ? s->span_end : s->span;
        pc_canvas_put(t->canvas, c, t->spans, shared ? s->span_both : bar, GUIDE);
    }
}

static void draw_span_label(pc_pen *pen, size_t span, double left, double right)
{
    const text_pen *t = pen_of(pen);
    int from = column_of(t, dot_of(left)), to = column_of(t, dot_of(right));
    const char *text = plain(t, pen->panel->spans[span].label);
    int width = pc_label_columns(text), start = from + (to - from + 1 - width) / 2;
    if (width + 4 <= to - from) {
        pc_canvas_put(t->canvas, start - 1, t->spans, ' ', PLAIN);
        pc_canvas_put(t->canvas, start + width, t->spans, ' ', PLAIN);
    }
    if (width + 2 <= to - from) pc_canvas_write(t->canvas, start, t->spans, text, PLAIN);
}

static void draw_guide(pc_pen *pen, size_t guide, const double x[2], const double y[2])
{
    const text_pen *t = pen_of(pen);
    if (pen->panel->guides[guide].vertical) {
        int column = column_of(t, dot_of(x[0]));
        for (int r = 0; r < t->rows; r++)
            pc_canvas_put_behind(t->canvas, column, t->top + r, t->strokes->guide_up, GUIDE);
    } else {
        int row = row_of(t, dot_of(y[0]));
        for (int c = 0; c < t->columns; c++)
            pc_canvas_put_behind(t->canvas, t->left + c, row, t->strokes->guide_level, GUIDE);
    }
}

static void draw_guide_label(pc_pen *pen, size_t guide, double x, double y)
{
    const text_pen *t = pen_of(pen);
    const char *text = plain(t, pen->panel->guides[guide].label);
    const int width = pc_label_columns(text), last = t->top + t->rows - 1;
    if (pen->panel->guides[guide].vertical) {
        const int c = column_of(t, dot_of(x));
        const int places[][2] = {
            {c + 1, t->top}, {c - width, t->top}, {c + 1, t->top + 1}, {c - width, t->top + 1}, {c + 1, last}};
        write_free(t, places, 5, text);
    } else {
        const int row = row_of(t, dot_of(y)), end = t->left + t->columns - width, above = row - (row > t->top);
        const int places[][2] = {{end, above}, {end, row + (row < last)}, {t->left + 1, above}, {end, row}};
        write_free(t, places, 4, text);
    }
}

/* --- axes --- */

static void draw_frame(pc_pen *pen)
{
    text_pen *t = pen_of(pen);
    const strokes *s = t->strokes;
    const int bottom = t->top + t->rows;
    for (int r = 0; r < t->rows; r++) pc_canvas_put(t->canvas, t->left - 1, t->top + r, s->vertical, PLAIN);
    for (int c = 0; c < t->columns; c++) pc_canvas_put(t->canvas, t->left + c, bottom, s->horizontal, PLAIN);
    pc_canvas_put(t->canvas, t->left - 1, bottom, s->corner, PLAIN);
    for (int r = 0; pc_panel_has_right(pen->panel) && r < t->rows; r++)
        pc_canvas_put(t->canvas, t->left + t->columns, t->top + r, s->vertical, PLAIN);
    t->tick_end = 0;
}

static void draw_tick(pc_pen *pen, pc_side side, double at, const char *label)
{
    text_pen *t = pen_of(pen);
    const strokes *s = t->strokes;
    const pc_box f = t->layout.frame;
    if (!label[0]) return;
    const char *text = plain(t, label);
    const int width = pc_label_columns(text), bottom = t->top + t->rows;
    if (side == PC_SIDE_BELOW) {
        int column = column_of(t, dot_of(fmin(fmax(at, f.x0), f.x1))), start = column - width / 2;
        pc_canvas_put(t->canvas, column, bottom, s->tick_below, PLAIN);
        if (start + width > t->canvas->columns) start = t->canvas->columns - width;
        if (start < t->tick_end) return;
        pc_canvas_write(t->canvas, start, bottom + 1, text, PLAIN);
        t->tick_end = start + width + 1;
        return;
    }
    const int row = row_of(t, dot_of(fmin(fmax(at, f.y0), f.y1)));
    if (side == PC_SIDE_LEFT) {
        pc_canvas_put(t->canvas, t->left - 1, row, s->tick_left, PLAIN);
        pc_canvas_write(t->canvas, t->left - 2 - width, row, text, PLAIN);
    } else {
        pc_canvas_put(t->canvas, t->left + t->columns, row, s->tick_right, PLAIN);
        pc_canvas_write(t->canvas, t->left + t->columns + 2, row, text, PLAIN);
    }
}

static void draw_axis(pc_pen *pen, pc_side side, const char *label, const char *common)
{
    const text_pen *t = pen_of(pen);
    if (side == PC_SIDE_BAR || (!label[0] && !common[0])) return;
    pc_buffer both = {0};
    pc_buffer_print(&both, "%s%s%s", label, label[0] && common[0] ? "  " : "", common);
    const char *text = plain(t, pc_buffer_text(&both));
    if (side == PC_SIDE_BELOW)
        write_centred(t, t->left, t->columns, t->below, pc_buffer_text(&both));
    else if (side == PC_SIDE_LEFT)
        pc_canvas_write(t->canvas, 0, t->label, text, PLAIN);
    else
        pc_canvas_write(t->canvas, t->canvas->columns - pc_label_columns(text), t->label, text, PLAIN);
    pc_buffer_free(&both);
}

static void draw_title(pc_pen *pen, const char *text)
{
    const text_pen *t = pen_of(pen);
    write_centred(t, t->head_left, t->head_columns, t->title, text);
}

/* The edge in dots; radii below the level diameter. */
static void draw_circle(pc_pen *pen, double x, double y, double radius, const char *label)
{
    enum { CORNERS = 90 };
    const text_pen *t = pen_of(pen);
    if (label) {
        const char *text = plain(t, label);
        int column = column_of(t, x) + (int)(radius * t->columns / t->layout.frame.x1 + 1e-9) - pc_label_columns(text);
        pc_canvas_write(t->canvas, column, row_of(t, y) + 1, text, GUIDE);
        return;
    }
    stroke s = {t, 1, GUIDE, PC_DASH_SOLID};
    double px[CORNERS + 1], py[CORNERS + 1];
    for (int i = 0; i <= CORNERS; i++) {
        double angle = 6.283185307179586 * i / CORNERS;
        px[i] = x + radius * cos(angle);
        py[i] = fmin(fmax(y + radius * sin(angle), 0), t->layout.frame.y1);
    }
    draw_dots(&s, px, py, CORNERS + 1);
}

/* The level and the upright diameter alone, with the angles at three of their ends. */
static void draw_spoke(pc_pen *pen, double x, double y, double radius, int degrees)
{
    const text_pen *t = pen_of(pen);
    const int row = row_of(t, y), column = column_of(t, x), end = t->left + t->columns;
    char angle[16];
    (void)radius;
    snprintf(angle, sizeof angle, "%d°", degrees);
    const char *text = plain(t, angle);
    if (degrees == 0) {
        for (int c = 0; c < t->columns; c++)
            pc_canvas_put_behind(t->canvas, t->left + c, row, t->strokes->guide_level, GUIDE);
        pc_canvas_write(t->canvas, end + 1, row, text, PLAIN);
    } else if (degrees == 90) {
        for (int r = 0; r < t->rows; r++)
            pc_canvas_put_behind(t->canvas, column, t->top + r, t->strokes->guide_up, GUIDE);
        pc_canvas_write(t->canvas, column + 2, t->top, text, PLAIN);
    } else if (degrees == 180) {
        pc_canvas_write(t->canvas, t->left - 1 - pc_label_columns(text), row, text, PLAIN);
    }
}

/* --- notes and legend --- */

static void draw_note(pc_pen *pen, pc_note_kind kind, double x, double y, const char *label)
{
    const text_pen *t = pen_of(pen);
    const char *text = plain(t, label);
    const int width = pc_label_columns(text), last = t->top + t->rows - 1, start = t->left + t->columns - width;
    if (kind == PC_NOTE_EMPTY) {
        write_centred(t, t->left, t->columns, t->top + t->rows / 2, label);
    } else if (kind == PC_NOTE_MASKED) {
        const int places[][2] = {{start, last}, {start, t->top}, {t->left + 1, t->top}};
        write_free(t, places, 3, text);
    } else {
        int column = column_of(t, dot_of(x));
        if (column + width > t->canvas->columns && column - width >= t->left) column -= width;
        pc_canvas_write(t->canvas, column, row_of(t, dot_of(y)), text, PLAIN);
    }
}

static void draw_field_sample(pc_pen *pen, const pc_field *field, double x, double y)
{
    const text_pen *t = pen_of(pen);
    const int colour = field_stroke(t, field).colour, column = column_of(t, x), row = row_of(t, y);
    bool dashed = field->style.dash != PC_DASH_AUTO && field->style.dash != PC_DASH_SOLID;
    for (int c = 0; c < SAMPLE - 1; c++) {
        if (!dashed || c % 2 == 0) pc_canvas_put(t->canvas, column + c, row, t->strokes->horizontal, colour);
    }
    unsigned end = field->kind->parts == 2 ? arrow_character(t, 1, 0) : dashed ? ' ' : t->strokes->horizontal;
    pc_canvas_put(t->canvas, column + SAMPLE - 1, row, end, colour);
}

static void draw_entry(pc_pen *pen, double x, double y, const char *text)
{
    const text_pen *t = pen_of(pen);
    pc_canvas_write(t->canvas, column_of(t, x - pen->sample) + SAMPLE + 1, row_of(t, y), plain(t, text), PLAIN);
}

static const pc_pen_kind kind = {
    .sampled = true,
    .span = draw_span,
    .span_label = draw_span_label,
    .area = draw_area,
    .level = draw_level,
    .arrow = draw_arrow,
    .stream = draw_stream,
    .guide = draw_guide,
    .guide_label = draw_guide_label,
    .run = draw_series_run,
    .marker = draw_marker,
    .bar = draw_bar,
    .whiskers = draw_whiskers,
    .frame = draw_frame,
    .tick = draw_tick,
    .axis = draw_axis,
    .title = draw_title,
    .circle = draw_circle,
    .spoke = draw_spoke,
    .colours = draw_colours,
    .note = draw_note,
    .field_sample = draw_field_sample,
    .entry = draw_entry,
};

/* --- layout --- */

static int widest_tick(const text_pen *t, const pc_scale *scale)
{
    int widest = 0;
    for (int i = 0; i < scale->n_ticks; i++) {
        int columns = width_of(t, scale->ticks[i].text);
        if (columns > widest) widest = columns;
    }
    return widest;
}

/* Ticks of x: fewer until their texts keep two blanks between them. */
static void set_x_ticks(text_pen *t)
{
    pc_scale *x = &t->layout.x;
    for (int wanted = t->columns / 8 > 1 ? t->columns / 8 : 1; wanted >= 1; wanted--) {
        pc_scale_set_ticks(x, wanted);
        int labelled = 0;
        for (int i = 0; i < x->n_ticks; i++) labelled += x->ticks[i].text[0] != '\0';
        if (labelled * (widest_tick(t, x) + 2) <= t->columns + 2) return;
    }
}

/* Limits, ticks, first column and columns of the curves of a panel of `rows` rows. */
static void set_axes(text_pen *t, int rows)
{
    const pc_panel *panel = t->pen.panel;
    pc_panel_layout *l = &t->layout;
    int wanted = rows / 5 > 2 ? rows / 5 : 2;
    pc_panel_limits(panel, &l->x, &l->y);
    pc_scale_set_ticks(&l->y, wanted);
    t->left = panel->polar ? 6 : widest_tick(t, &l->y) + 2;
    t->columns = t->canvas->columns - t->left - 1;
    if (panel->polar) {
        t->columns -= 4;
        l->radius = (pc_scale){.lo = 0, .hi = l->x.hi};
        pc_scale_set_ticks(&l->radius, 2);
    }
    if (pc_panel_has_right(panel)) {
        pc_panel_right_limits(panel, &l->right);
        pc_scale_set_ticks(&l->right, wanted);
        t->columns -= widest_tick(t, &l->right) + 2;
    }
    set_x_ticks(t);
}

/* Where units of x and y are equally long: fewer columns or rows. */
static void equalize(text_pen *t)
{
    const pc_scale *x = &t->layout.x, *y = &t->layout.y;
    double across = fabs(x->hi - x->lo), up = fabs(y->hi - y->lo);
    int columns = (int)lround(PC_DOTS_Y * t->rows * across / (PC_DOTS_X * up));
    if (columns < t->columns) {
        t->left += (t->columns - columns) / 2;
        t->columns = columns > 4 ? columns : 4;
    } else {
        int rows = (int)lround(PC_DOTS_X * t->columns * up / (PC_DOTS_Y * across));
        t->rows = rows < t->rows ? (rows > 2 ? rows : 2) : t->rows;
    }
    set_x_ticks(t);
}

/* Lets the entries of the legend flow in rows; x and y are columns and rows from the first. Returns how many rows. */
static int flow_entries(text_pen *t)
{
    const pc_panel *panel = t->pen.panel;
    pc_panel_layout *l = &t->layout;
    int column = t->left, row = 0;
    pc_buffer text = {0};
    l->n_entries = 0;
    for (size_t i = 0; panel->legend && i < panel->n_series + panel->n_fields; i++) {
        bool is_field = i >= panel->n_series;
        pc_entry e = {is_field ? PC_ENTRY_FIELD : PC_ENTRY_SERIES, is_field ? i - panel->n_series : i, 0, 0};
        if (!(is_field ? panel->fields[e.index].label : panel->series[i].label) || l->n_entries == PC_ENTRIES_MAX)
            continue;
        pc_entry_text(panel, &e, &text);
        int width = SAMPLE + 1 + width_of(t, pc_buffer_text(&text));
        if (column > t->left && column + width > t->canvas->columns) {
            column = t->left;
            row++;
        }
        e.x = column;
        e.y = row;
        l->entries[l->n_entries++] = e;
        column += width + 3;
    }
    pc_buffer_free(&text);
    return l->n_entries ? row + 1 : 0;
}

static bool has_text(const pc_axis *axis, const pc_scale *scale)
{
    return axis->label || axis->unit || scale->common[0];
}

/* Lays a panel out in rows [first, first + rows) of the canvas. */
static pc_status lay_out(text_pen *t, int first, int rows, pc_error *err)
{
    const pc_panel *panel = t->pen.panel;
    pc_panel_layout *l = &t->layout;
    set_axes(t, rows);
    t->head_left = t->left;
    t->head_columns = t->columns;
    t->title = first;
    const int legend = first + (panel->title != NULL);
    t->bar = legend + flow_entries(t);
    t->label = t->bar + (pc_panel_bar(panel) != NULL);
    bool right = pc_panel_has_right(panel) && has_text(&panel->right, &l->right);
    t->spans = t->label + (right || has_text(&panel->y, panel->polar ? &l->radius : &l->y));
    t->top = t->spans + (panel->n_spans > 0);
    static const pc_scale none = {0};
    bool named = has_text(&panel->x, panel->polar ? &none : &l->x);
    t->rows = first + rows - t->top - 2 - named;
    if (t->rows < 2 || t->columns < 8)
        return pc_fail(err, PC_E_ARGUMENT, "%d x %d characters are too few for a panel with its texts",
                       t->canvas->columns, rows);
    if (panel->equal || panel->polar) equalize(t);
    t->below = t->top + t->rows + 2;
    l->frame = (pc_box){0, 0, PC_DOTS_X * t->columns - 1, PC_DOTS_Y * t->rows - 1};
    for (int i = 0; i < l->n_entries; i++) {
        /* on the page; a line runs through the lower half of its row, as it does in letters */
        pc_entry *e = &l->entries[i];
        e->y = PC_DOTS_Y * (t->top + t->rows - 1 - legend - e->y) + 1.49;
        e->x = PC_DOTS_X * (e->x - t->left);
    }
    return PC_OK;
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
    text_pen t = {.canvas = &canvas, .work = &work, .true_colour = options.true_colour};
    t.strokes = options.unicode ? &UNICODE_STROKES : &ASCII_STROKES;
    if (figure->title) write_centred(&t, 0, canvas.columns, 0, figure->title);
    for (int i = 0; !status && i < n; i++) {
        t.layout = (pc_panel_layout){0};
        t.pen = (pc_pen){.kind = &kind, .panel = figure->panels[i], .layout = &t.layout, .column = 1, .err = err};
        status = lay_out(&t, heading + i * rows, rows, err);
        t.pen.columns = t.columns;
        t.pen.rows = has_halves(&t) ? 2 * t.rows : t.rows;
        t.pen.spacing = 11;
        t.pen.arrow_spacing = 7;
        t.pen.arrow_least = 1;
        t.pen.sample = SAMPLE * PC_DOTS_X - 1;
        t.pen.sample_half = 1.49;
        if (!status) status = pc_panel_draw(&t.pen);
    }
    if (!status) pc_canvas_print(&canvas, out);
    if (!status) status = pc_buffer_status(&work, err);
    if (!status) status = pc_buffer_status(out, err);
    pc_buffer_free(&work);
    pc_canvas_close(&canvas);
    return status;
}
