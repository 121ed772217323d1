/* Where an inline chart goes: what standard output is, and the bytes to send there. */
#ifndef PC_CHART_TERMINAL_H
#define PC_CHART_TERMINAL_H

#include "chart/figure/figure.h"
#include "chart/figure/label.h"

typedef enum pc_way {
    PC_WAY_AUTO,
    PC_WAY_SIXEL, /* pixels, three ways */
    PC_WAY_KITTY,
    PC_WAY_ITERM,
    PC_WAY_BRAILLE, /* text; ASCII where the locale has no UTF-8 */
    PC_WAY_WINDOW,  /* an X window, which stays */
    PC_WAY_PNG,     /* a file in the current directory, whose name is printed */
    PC_WAY_NONE,
} pc_way;

extern const char *const pc_way_names[]; /* in the order of pc_way; ends with NULL */

typedef struct pc_terminal {
    bool is_terminal;
    bool utf8;
    bool colour; /* a terminal that takes escape sequences, and NO_COLOR is not set */
    bool true_colour;
    int columns, rows;
    int cell_width, cell_height; /* pixels */
    pc_way way;                  /* never PC_WAY_AUTO */
} pc_terminal;

/* Look at a file descriptor and the environment. `wish` is a word of pc_way_names or NULL; without it the variable
 * PERCUSS_CHART counts, and without that: pixels on a terminal that has them, text everywhere else. PC_E_ARGUMENT for a
 * word that is none.
 *
 * Where it matters the terminal is asked what it draws, once, and only if this process is in its foreground and nothing
 * waits to be read: by kitty's query, for the size of a cell, and for its attributes (DA1), which nearly all answer, so
 * that their answer ends the wait. One that stays silent costs a third of a second, and the environment decides. */
pc_status pc_terminal_detect(int descriptor, const char *wish, pc_terminal *terminal, pc_error *err);

/* What was typed while the terminal was asked: copies up to `room` bytes, forgets it, and returns their number. */
size_t pc_terminal_typed(char *out, size_t room);

/* Append the bytes that show the figure. No escape byte is among them unless this is a terminal that takes them, or
 * pixels were asked for by name. */
pc_status pc_figure_inline(const pc_figure *figure, const pc_terminal *terminal, pc_buffer *out, pc_error *err);

/* The same for a PNG file that somebody else made, at most as wide as the window. PC_E_UNSUPPORTED where the terminal
 * does not take PNG files itself (it is neither kitty's nor iTerm2's way), PC_E_ARGUMENT if it is no PNG file. */
pc_status pc_png_inline(const pc_buffer *png, const pc_terminal *terminal, pc_buffer *out, pc_error *err);

#endif
