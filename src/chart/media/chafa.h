/* What chafa is for: which terminals know which pictures, and sixels. Without it (pc_fail_missing) charts in a terminal
 * are text. */
#ifndef PC_CHART_CHAFA_H
#define PC_CHART_CHAFA_H

#include "chart/figure/label.h"

typedef enum pc_pixels { PC_PIXELS_NONE, PC_PIXELS_KITTY, PC_PIXELS_ITERM, PC_PIXELS_SIXEL } pc_pixels;

/* The best way to send pixels to the terminal of this environment. */
pc_pixels pc_chafa_detect(void);

/* Pixels (three bytes each, columns x rows cells of that many pixels) as sixels. */
pc_status pc_chafa_sixel(const pc_buffer *pixels, int columns, int rows, int cell_width, int cell_height,
                         pc_buffer *out, pc_error *err);

/* "chafa 1.12.4\nGLib 2.74.6\n"; "" without chafa. Returns `text`. */
char *pc_chafa_versions(char *text, size_t size);

#endif
