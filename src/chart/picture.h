/* Pictures as escape sequences. */
#ifndef PC_CHART_PICTURE_H
#define PC_CHART_PICTURE_H

#include "chart/buffer.h"

/* A PNG file in kitty's graphics protocol, scaled to columns x rows cells. */
void pc_picture_kitty(const pc_buffer *png, int columns, int rows, pc_buffer *out);

/* The same in iTerm2's protocol for inline images. */
void pc_picture_iterm(const pc_buffer *png, int columns, int rows, pc_buffer *out);

/* Pixels (three bytes each, width x height) as sixels, by chafa. */
pc_status pc_picture_sixel(const pc_buffer *pixels, int columns, int rows, int cell_width, int cell_height,
                           pc_buffer *out, pc_error *err);

#endif
