/* Colours: the page, the palette of the curves, colours by name, and palettes for numbers.
 *
 * The colours of curves are those of Okabe and Ito (2008), "Color Universal Design", told apart under every common form
 * of colour blindness. Curves also differ by dash, so that a copy in black and white can be read.
 *
 * Sequential palettes grow evenly in lightness, so that they keep their order in a copy in black and white and under
 * every common form of colour blindness. A diverging palette is lightest in its middle, which stands for zero.
 */
#ifndef PC_CHART_THEME_H
#define PC_CHART_THEME_H

#include <stdbool.h>

/* given == false: take the next of the palette. */
typedef struct pc_colour {
    unsigned char red, green, blue;
    bool given;
} pc_colour;

enum { PC_PALETTE = 7, PC_TINTS = 4 };

typedef struct pc_theme {
    const char *name;
    pc_colour page, ink, muted, grid;
    pc_colour curve[PC_PALETTE];
    pc_colour tint[PC_TINTS]; /* behind spans: light enough for every curve to stay visible */
} pc_theme;

/* All themes; ends with a NULL name. The first is the default. */
extern const pc_theme pc_themes[];

/* Theme of a name, or NULL. */
const pc_theme *pc_theme_find(const char *name);

/* "#1b9e77" or a name (pc_colour_names); false if it is neither. */
bool pc_colour_parse(const char *text, pc_colour *colour);

extern const char *const pc_colour_names[]; /* ends with NULL */

/* Nearest index in the 6x6x6 cube of a 256-colour terminal. */
int pc_colour_terminal(pc_colour colour);

/* --- palettes of colours for numbers: heatmaps and their colour bars --- */

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
