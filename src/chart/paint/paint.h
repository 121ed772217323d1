/* Drawing a laid out figure on a page: the pen of figure.h for devices that have lines, areas and type. */
#ifndef PC_CHART_PAINT_H
#define PC_CHART_PAINT_H

#include "chart/figure/figure.h"

#define PC_UPRIGHT 1.5707963267948966

typedef struct pc_type_style {
    double height;
    pc_colour colour;
    double just; /* 0 begins, 0.5 is centred, 1 ends at the point; in height the text is centred on it */
    double turn; /* radians from level, anticlockwise; PC_UPRIGHT runs upwards */
    bool bold;
    double room; /* type shrinks to fit into this width; 0: as wide as it is */
} pc_type_style;

/* What a device does, in the layout's pixels, y up. */
typedef struct pc_ink pc_ink;
struct pc_ink {
    double scale; /* dots of the device a pixel */
    void (*line)(pc_ink *ink, pc_colour colour, double width, const double *x, const double *y, int n);
    void (*area)(pc_ink *ink, pc_colour colour, const double *x, const double *y, int n);
    void (*text)(pc_ink *ink, double x, double y, const char *label, const pc_type_style *style);
};

pc_status pc_paint_figure(const pc_figure *figure, const pc_layout *layout, pc_ink *ink, pc_error *err);

/* svg.c: the bytes of an SVG file (1.1), with type as text; lengths are points of 1/72 inch. */
pc_status pc_svg_render(const pc_figure *figure, const pc_layout *layout, pc_buffer *bytes, pc_error *err);

/* Figures through PLplot: as files, as pixels and in windows.
 *
 * PLplot has one stream here and belongs to one thread: the whole program may be in one of these functions at a time.
 * It never gets to open a file, to ask for one on standard input, or to end the program. Without PLplot
 * (pc_fail_missing) charts are SVG and text.
 */

/* The bytes of a file, by the device of that name. scale: the device's dots a pixel. */
pc_status pc_plplot_render(const pc_figure *figure, const pc_layout *layout, const char *device, double scale,
                           pc_buffer *bytes, pc_error *err);

/* Pixels, three bytes each, the upper row first. */
pc_status pc_plplot_pixels(const pc_figure *figure, const pc_layout *layout, double scale, pc_buffer *pixels,
                           pc_error *err);

/* Opens an X window with the figure and returns as soon as it is there. The window stays, even after this process has
 * ended, until it is closed, or Return or the right button is pressed in it. PC_E_SYSTEM where there is no display. */
pc_status pc_plplot_window(const pc_figure *figure, pc_error *err);

enum { PC_PLPLOT_VERSION = 80 };

/* "5.15.0" of the library that is loaded; NULL: there is none. */
char *pc_plplot_version(char text[PC_PLPLOT_VERSION]);

#endif
