/* Figures as text: curves in braille, everything else in real characters. */
#ifndef PC_CHART_TEXT_H
#define PC_CHART_TEXT_H

#include "chart/figure/label.h"
#include "chart/figure/figure.h"

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
