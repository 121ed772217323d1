/* Figures in windows of their own. */
#ifndef PC_CHART_WINDOW_H
#define PC_CHART_WINDOW_H

#include "chart/figure.h"

/* Opens an X window with the figure and returns as soon as it is there. The window stays, even after this process has
 * ended, until it is closed, or Return or the right button is pressed in it. PC_E_SYSTEM where there is no display. */
pc_status pc_figure_open_window(const pc_figure *figure, pc_error *err);

#endif
