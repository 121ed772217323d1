/* Figures as text: curves in braille, everything else in real characters. */
#ifndef PC_CHART_TEXT_H
#define PC_CHART_TEXT_H

#include "chart/figure/figure.h"

#include <stdint.h>

/* A page of character cells. Each cell holds a character, two halves of a colour each, one above the other, or eight
 * dots, two across and four down, which print as one braille character; in ASCII a cell with any dot prints as the mark
 * of the curve that drew it. */

enum { PC_DOTS_X = 2, PC_DOTS_Y = 4 };

/* Colours are indices in a terminal's palette of 256, PC_TRUE_COLOUR + 0xRRGGBB, or -1 for the terminal's own. */
enum { PC_TRUE_COLOUR = 0x1000000 };

/* character: 0 for none; where it is `behind`, dots go before it. pen: who drew the dots, from 1. lower: the colour of
 * the lower half where the character is PC_HALVES, and `colour` is that of the upper one; -1: nothing is there. */
typedef struct pc_cell {
    uint32_t character;
    uint8_t dots, pen;
    int32_t colour, lower;
    bool behind;
} pc_cell;

enum { PC_HALVES = 0x2580 };

typedef struct pc_canvas {
    int columns, rows;
    bool unicode, colour;
    pc_cell *cells; /* row-major, the upper row first */
} pc_canvas;

pc_status pc_canvas_open(pc_canvas *canvas, int columns, int rows, bool unicode, bool colour, pc_error *err);
void pc_canvas_close(pc_canvas *canvas);

/* Characters beyond an edge are left out; a text that the right edge cuts ends in an ellipsis. `text` is plain
 * (pc_label_plain). */
void pc_canvas_put(pc_canvas *canvas, int column, int row, unsigned character, int colour);
void pc_canvas_write(pc_canvas *canvas, int column, int row, const char *text, int colour);

/* A character that shows only where no dot is. */
void pc_canvas_put_behind(pc_canvas *canvas, int column, int row, unsigned character, int colour);

/* One half of a cell, counted from the top of the canvas, which shows only where no dot is. */
void pc_canvas_put_half(pc_canvas *canvas, int column, int half, int colour);

/* True if `columns` cells from here lie on the canvas and hold neither dots nor characters before the dots. */
bool pc_canvas_is_free(const pc_canvas *canvas, int column, int row, int columns);

/* The same, where dots do not matter. */
bool pc_canvas_has_no_text(const pc_canvas *canvas, int column, int row, int columns);

/* Dots count from the upper left corner of the canvas, y downwards. */
void pc_canvas_dot(pc_canvas *canvas, int x, int y, int pen, int colour);
void pc_canvas_line(pc_canvas *canvas, int x0, int y0, int x1, int y1, int pen, int colour);

/* All rows, without blanks at their ends, each with a newline. Without colour there is no escape byte in it. */
void pc_canvas_print(const pc_canvas *canvas, pc_buffer *out);

enum { PC_TEXT_COLUMNS_MIN = 24, PC_TEXT_ROWS_MIN = 8, PC_TEXT_SIDE_MAX = 1000 };

/* columns, rows: of the whole figure, whose panels stand one below the other; rows 0: 20 a panel. unicode: braille,
 * lines and half blocks, otherwise ASCII alone. colour: escape sequences for a terminal of 256 colours; true_colour:
 * for one that takes 24 bits. */
typedef struct pc_text_options {
    int columns, rows;
    bool unicode, colour, true_colour;
} pc_text_options;

/* Appends the text. Panels that would get fewer rows than PC_TEXT_ROWS_MIN get that many. */
pc_status pc_figure_text(const pc_figure *figure, pc_text_options options, pc_buffer *out, pc_error *err);

#endif
