/* Pens, areas and type through PLplot: see paint_parts.h. */
#include "chart/paint_parts.h"

#include "chart/label.h"

#include <plplot.h>

#include <math.h>

/* --- strokes, areas, type --- */

/* Colours go through one entry of PLplot's map: devices take the colour at the time of drawing. */
static void set_colour(pc_colour colour)
{
    plscol0(1, colour.red, colour.green, colour.blue);
    plcol0(1);
}

static unsigned char mix(unsigned char a, unsigned char b, double part)
{
    return (unsigned char)(part * a + (1 - part) * b + 0.5);
}

pc_colour pc_paint_blend(pc_colour colour, pc_colour ground, double part)
{
    return (pc_colour){mix(colour.red, ground.red, part), mix(colour.green, ground.green, part),
                       mix(colour.blue, ground.blue, part), true};
}

void pc_paint_pen(const pc_painter *p, pc_colour colour, double width)
{
    set_colour(colour);
    plwidth(width * p->page.scale);
}

void pc_paint_line(double x0, double y0, double x1, double y1)
{
    const double x[2] = {x0, x1}, y[2] = {y0, y1};
    plline(2, x, y);
}

void pc_paint_shape(const pc_painter *p, pc_colour colour, const double *x, const double *y, int n)
{
    /* devices outline an area with the pen: make that invisible */
    pc_paint_pen(p, colour, 0.02);
    plfill(n, x, y);
}

void pc_paint_box(const pc_painter *p, pc_colour colour, pc_box b)
{
    const double x[4] = {b.x0, b.x1, b.x1, b.x0}, y[4] = {b.y0, b.y0, b.y1, b.y1};
    pc_paint_shape(p, colour, x, y, 4);
}

void pc_paint_outline(const pc_painter *p, pc_colour colour, double width, pc_box b)
{
    const double x[5] = {b.x0, b.x1, b.x1, b.x0, b.x0}, y[5] = {b.y0, b.y0, b.y1, b.y1, b.y0};
    pc_paint_pen(p, colour, width);
    plline(5, x, y);
}

/* Millimetres of PLplot's character height for type of `height` device units: devices take 72 units an inch and set
 * type for 96 dots an inch. */
static double character_height(const pc_painter *p, double height)
{
    double units = height * p->page.scale;
    if (p->page.whole_font_size) units = floor(units + 0.5) + 0.1;
    return units * 0.75 * 25.4 / 72;
}

void pc_paint_text(pc_painter *p, double x, double y, const char *label, pc_type_style style)
{
    if (!label || !*label) return;
    double height = style.height, width = pc_label_width(label) * height * (style.bold ? 1.1 : 1);
    if (style.room > 0 && width > style.room) height *= fmax(0.6, style.room / width);
    pc_buffer_clear(&p->text);
    pc_label_plplot(label, &p->text);
    set_colour(style.colour);
    plsfont(PL_FCI_SANS, PL_FCI_UPRIGHT, style.bold ? PL_FCI_BOLD : PL_FCI_MEDIUM);
    plschr(character_height(p, height), 1);
    plptex(x, y, cos(style.turn), sin(style.turn), style.just, pc_buffer_text(&p->text));
}

/* --- curves --- */

static void stroke_run(void *context, const double *x, const double *y, int n)
{
    (void)context;
    if (n > 1) plline(n, x, y);
}

static const pc_shape shapes[] = {{14, 0, 1}, {4, 1, 1.2}, {3, 2, 1.3}, {4, 0, 1.25}};

void pc_paint_marker(void *context, const double *x, const double *y, int n)
{
    const pc_marker_pen *pen = context;
    double px[16], py[16];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < pen->shape->corners; k++) {
            double angle = 6.283185307179586 * (pen->shape->start / 8 + (double)k / pen->shape->corners);
            px[k] = x[i] + pen->radius * pen->shape->radius * cos(angle);
            py[k] = y[i] + pen->radius * pen->shape->radius * sin(angle);
        }
        plfill(pen->shape->corners, px, py);
    }
}

void pc_paint_run(void *context, const double *x, const double *y, int n)
{
    const pc_curve_pen *pen = context;
    if (n == 1) {
        /* a point between two gaps: a line has no length to draw, a dot shows it */
        pc_marker_pen dot = {pen->painter, &shapes[0], 1.4 * pen->width, pen->colour};
        pc_paint_pen(pen->painter, pen->colour, 0.02);
        pc_paint_marker(&dot, x, y, 1);
        pc_paint_pen(pen->painter, pen->colour, pen->width);
        return;
    }
    pc_dash_run(pen->dash, pen->width, x, y, n, stroke_run, NULL);
}

void pc_paint_head(const pc_painter *p, pc_colour colour, double x, double y, double u, double v, double size)
{
    double length = hypot(u, v);
    if (!(length > 0)) return;
    u *= size / length;
    v *= size / length;
    const double px[3] = {x, x - u - 0.38 * v, x - u + 0.38 * v}, py[3] = {y, y - v + 0.38 * u, y - v - 0.38 * u};
    pc_paint_shape(p, colour, px, py, 3);
}

double pc_paint_width(const pc_painter *p, const pc_style *style)
{
    return p->type->pen * (style->width > 0 ? style->width : 1);
}

pc_marker_pen pc_paint_marker_of(const pc_painter *p, const pc_panel *panel, size_t i)
{
    const pc_series *series = &panel->series[i];
    return (pc_marker_pen){p, &shapes[i % (sizeof shapes / sizeof *shapes)], 1.7 * pc_paint_width(p, &series->style),
                           pc_panel_series_colour(panel, i, p->theme)};
}
