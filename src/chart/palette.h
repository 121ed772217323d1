/* Palettes of colours for numbers: heatmaps and their colour bars.
 *
 * Sequential palettes grow evenly in lightness, so that they keep their order in a copy in black and white and under
 * every common form of colour blindness. A diverging palette is lightest in its middle, which stands for zero.
 */
#ifndef PC_CHART_PALETTE_H
#define PC_CHART_PALETTE_H

#include "chart/theme.h"

enum { PC_PALETTE_POINTS = 10 };

/* points: colours at equal distances, joined by straight lines in sRGB. */
typedef struct pc_palette {
    const char *name;
    bool diverging;
    int n;
    unsigned points[PC_PALETTE_POINTS]; /* 0xRRGGBB */
} pc_palette;

extern const pc_palette pc_palettes[]; /* ends with a NULL name; the first is the default */

/* The colour at 0 (least) to 1 (greatest); values outside take the nearest end. */
pc_colour pc_palette_at(const pc_palette *palette, double at);

/* CIE lightness L* of a colour, 0 to 100. */
double pc_colour_lightness(pc_colour colour);

#endif
