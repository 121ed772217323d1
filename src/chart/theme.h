/* Colours: the page, the palette of the curves, and colours by name.
 *
 * The palette is that of Okabe and Ito (2008), "Color Universal Design", told apart under every common form of colour
 * blindness. Curves also differ by dash, so that a copy in black and white can be read.
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

#endif
