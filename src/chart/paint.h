/* Drawing a laid out figure on the open page of PLplot's stream. */
#ifndef PC_CHART_PAINT_H
#define PC_CHART_PAINT_H

#include "chart/layout.h"

/* How the page's units relate to the layout's pixels. */
typedef struct pc_page {
    double scale;         /* device units a pixel */
    bool whole_font_size; /* the device cuts the height of type to whole units */
} pc_page;

pc_status pc_paint_figure(const pc_figure *figure, const pc_layout *layout, pc_page page, pc_error *err);

#endif
