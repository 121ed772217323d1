/* Character cells with braille dots: see canvas.h. */
#include "chart/text/canvas.h"

#include "base/alloc.h"
#include "chart/figure/label.h"

#include <stdlib.h>

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
