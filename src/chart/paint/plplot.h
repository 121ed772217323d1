/* Figures through PLplot: as files, as pixels and in windows.
 *
 * PLplot has one stream here and belongs to one thread: the whole program may be in one of these functions at a time.
 * It never gets to open a file, to ask for one on standard input, or to end the program. Without PLplot
 * (pc_fail_missing) charts are SVG and text.
 */
#ifndef PC_CHART_PLPLOT_H
#define PC_CHART_PLPLOT_H

#include "chart/figure/layout.h"

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
