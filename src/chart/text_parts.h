/* What the files that draw charts as text share. */
#ifndef PC_CHART_TEXT_PARTS_H
#define PC_CHART_TEXT_PARTS_H

#include "chart/canvas.h"
#include "chart/field.h"
#include "chart/text.h"

/* Line drawing characters in both repertoires. */
typedef struct pc_strokes {
    unsigned vertical, tick_left, corner, horizontal, tick_below, guide_up, guide_level, span, span_start, span_end,
        span_both, tick_right;
} pc_strokes;

/* Grey that reads on light and dark, for what lies behind the curves; and the terminal's own colour. */
enum { PC_TEXT_GUIDE = 245, PC_TEXT_PLAIN = -1 };

typedef struct pc_text_chart {
    const pc_figure *figure;
    const pc_panel *panel;
    const pc_strokes *strokes;
    pc_canvas *canvas;
    pc_buffer *work;
    pc_scale x, y, right;
    int top, left, columns, rows; /* cells of the curves */
    pc_box frame;                 /* the same in dots, y upwards from the bottom row of cells */
} pc_text_chart;

/* A label without markup, in the characters of the canvas; valid until the next call. */
const char *pc_text_plain(pc_text_chart *t, const char *label);
int pc_text_columns(pc_text_chart *t, const char *label);

/* The cell of a dot. */
int pc_text_column(const pc_text_chart *t, double x);
int pc_text_row(const pc_text_chart *t, double y);

/* The dot of a value, or false where it lies off the axis. */
bool pc_text_dot(const pc_scale *scale, double value, double dots, double *dot);

/* The terminal's colour nearest to a colour that was asked for. */
int pc_text_colour(pc_colour colour);

typedef struct pc_dot_pen {
    pc_text_chart *chart;
    pc_dash dash;
    int pen, colour;
} pc_dot_pen;

/* Sinks for runs; the context is a pc_dot_pen. */
void pc_text_stroke(void *pen, const double *x, const double *y, int n);
void pc_text_dash(void *pen, const double *x, const double *y, int n);

/* text_axes.c: limits, ticks, first column and columns of the curves of a panel of `rows` rows; then, where units of x
 * and y are equally long, fewer columns or rows; and the axes around the curves. */
void pc_text_frame(pc_text_chart *t, int rows);
void pc_text_equalize(pc_text_chart *t);
void pc_text_axes(pc_text_chart *t);

/* text_field.c: `shaded`: the fields that lie behind the curves, else those that lie over them. */
pc_status pc_text_fields(pc_text_chart *t, bool shaded, pc_error *err);

/* The colours of the panel's shaded field with their values, in one row of the canvas. */
void pc_text_bar(pc_text_chart *t, const pc_field *field, int row);

/* A sample of a field for the legend, at most `columns` wide. */
void pc_text_field_sample(pc_text_chart *t, const pc_field *field, int column, int row, int columns);

#endif
