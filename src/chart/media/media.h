/* Where figures go: files, GIF, the terminal. */
#ifndef PC_CHART_MEDIA_MEDIA_H
#define PC_CHART_MEDIA_MEDIA_H

#include "base/status.h"
#include "chart/figure/figure.h"

/* A kind of file, known by the ending of its name. */
typedef struct pc_format {
    const char *ending; /* "png" */
    const char *device; /* PLplot's name; NULL: the file is written here (svg.c) */
    double scale;       /* device units a pixel, where dots an inch have no meaning; 0: dpi / 96 */
} pc_format;

extern const pc_format pc_formats[]; /* ends with a NULL ending */
enum { PC_FORMAT_PNG };              /* its place in the list */

/* The format that a path asks for by its ending, or PC_E_ARGUMENT naming those that exist. */
pc_status pc_format_of_path(const char *path, const pc_format **format, pc_error *err);

/* The bytes of a file. dpi: dots an inch, where the format has dots; 96 draws a figure at its size in pixels. */
pc_status pc_figure_render(const pc_figure *figure, const pc_format *format, double dpi, pc_buffer *bytes,
                           pc_error *err);

/* Pixels of width x height dots, three bytes each, the upper row first. The figure is laid out for this size. */
pc_status pc_figure_pixels(const pc_figure *figure, int width, int height, double dpi, pc_buffer *pixels,
                           pc_error *err);

/* Write a file whole or not at all: the bytes go to a new file beside it, which then takes its name. */
pc_status pc_figure_save(const pc_figure *figure, const char *path, double dpi, pc_error *err);

enum { PC_DPI_MIN = 24, PC_DPI_MAX = 1200 };

/* What chafa is for: which terminals know which pictures, and sixels. Without it (pc_fail_missing) charts in a terminal
 * are text. */

typedef enum pc_pixels { PC_PIXELS_NONE, PC_PIXELS_KITTY, PC_PIXELS_ITERM, PC_PIXELS_SIXEL } pc_pixels;

/* The best way to send pixels to the terminal of this environment. */
pc_pixels pc_chafa_detect(void);

/* Pixels (three bytes each, columns x rows cells of that many pixels) as sixels. */
pc_status pc_chafa_sixel(const pc_buffer *pixels, int columns, int rows, int cell_width, int cell_height,
                         pc_buffer *out, pc_error *err);

/* "chafa 1.12.4\nGLib 2.74.6\n"; "" without chafa. Returns `text`. */
char *pc_chafa_versions(char *text, size_t size);

/* Moving pictures as GIF files that loop for ever, by giflib.
 *
 * A GIF has at most 256 colours: those that fill most of the first picture, to 6 bits a channel; what comes later takes
 * the nearest. Of each picture only the part that differs from the one before is stored. Times are kept in hundredths
 * of a second, so that their sum stays right whatever the rate. Without giflib none opens (pc_fail_missing).
 */

/* Faster ones are slowed down by what shows them. */
enum { PC_GIF_RATE_MAX = 50 };

typedef struct pc_gif pc_gif;

/* rate: pictures a second, at most PC_GIF_RATE_MAX. The file appears at the commit, or not at all. */
pc_status pc_gif_open(pc_gif **gif, const char *path, int width, int height, double rate, pc_error *err);

/* One picture: width x height, three bytes each, the upper row first. */
pc_status pc_gif_add(pc_gif *gif, const unsigned char *pixels, pc_error *err);

/* Both end the life of the gif; NULL may be abandoned. PC_E_ARGUMENT: nothing was added. */
pc_status pc_gif_commit(pc_gif *gif, pc_error *err);
void pc_gif_abandon(pc_gif *gif);

/* Where an inline chart goes: what standard output is, and the bytes to send there. */

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
