/* What the files that paint share: pens, areas and type on the page, in the layout's pixels. */
#ifndef PC_CHART_PAINT_PARTS_H
#define PC_CHART_PAINT_PARTS_H

#include "chart/paint.h"

typedef struct pc_painter {
    const pc_figure *figure;
    const pc_theme *theme;
    const pc_type_sizes *type;
    pc_page page;
    pc_buffer text; /* work space */
} pc_painter;

/* --- strokes, areas, type: paint_parts.c --- */

void pc_paint_pen(const pc_painter *p, pc_colour colour, double width);
void pc_paint_line(double x0, double y0, double x1, double y1); /* with the pen set last */
void pc_paint_shape(const pc_painter *p, pc_colour colour, const double *x, const double *y, int n);
void pc_paint_box(const pc_painter *p, pc_colour colour, pc_box b);
void pc_paint_outline(const pc_painter *p, pc_colour colour, double width, pc_box b);

/* `part` of a colour over another one. */
pc_colour pc_paint_blend(pc_colour colour, pc_colour ground, double part);

#define PC_UPRIGHT 1.5707963267948966

typedef struct pc_type_style {
    double height;
    pc_colour colour;
    double just; /* 0 begins, 0.5 is centred, 1 ends at the point */
    double turn; /* radians from level, anticlockwise; PC_UPRIGHT runs upwards */
    bool bold;
    double room; /* type shrinks to fit into this width; 0: as wide as it is */
} pc_type_style;

void pc_paint_text(pc_painter *p, double x, double y, const char *label, pc_type_style style);

/* --- curves and markers --- */

typedef struct pc_curve_pen {
    const pc_painter *painter;
    pc_dash dash;
    double width;
    pc_colour colour;
} pc_curve_pen;

/* Width of a pen in pixels. */
double pc_paint_width(const pc_painter *p, const pc_style *style);

/* A pc_run_sink; the context is a pc_curve_pen, whose pen is set. */
void pc_paint_run(void *pen, const double *x, const double *y, int n);

/* A filled triangle of length `size` with its tip at (x, y), pointing along (u, v). */
void pc_paint_head(const pc_painter *p, pc_colour colour, double x, double y, double u, double v, double size);

/* Corners of a marker of radius 1: equal steps from an angle in eighths of a turn. */
typedef struct pc_shape {
    int corners;
    double start, radius;
} pc_shape;

typedef struct pc_marker_pen {
    const pc_painter *painter;
    const pc_shape *shape;
    double radius;
    pc_colour colour;
} pc_marker_pen;

/* The marker of series i: different series get different shapes for copies without colour. */
pc_marker_pen pc_paint_marker_of(const pc_painter *p, const pc_panel *panel, size_t i);

/* A pc_run_sink; the context is a pc_marker_pen. */
void pc_paint_marker(void *pen, const double *x, const double *y, int n);

/* --- parts of a panel --- */

/* paint_axes.c: the grid behind the curves; frame, ticks and labels over them; circles and
 * spokes of a polar panel with their texts; the bar of a shaded field's colours. */
void pc_paint_grid(const pc_painter *p, const pc_panel_layout *l);
void pc_paint_axes(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l);
void pc_paint_polar(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l);
void pc_paint_bar(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l);

/* paint_field.c: `shaded`: the fields that lie behind the grid, else those that lie over it. */
pc_status pc_paint_fields(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l, bool shaded, pc_error *err);

#endif
