/* Inline charts: see terminal.h. */
#include "chart/media/terminal.h"

#include "base/row.h"
#include "chart/media/chafa.h"
#include "chart/media/file.h"
#include "chart/paint/plplot.h"
#include "chart/text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *const pc_way_names[] = {"auto", "sixel", "kitty", "iterm", "braille", "window", "png", "none", NULL};

/* --- the environment --- */

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/* By the variables that select the locale, so that it also holds in a host that never called setlocale. */
static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = environment(names[i]);
        if (!*value) continue;
        return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8") || strstr(value, "UTF8");
    }
    return false;
}

static int number_in(const char *name, int otherwise)
{
    int value = atoi(environment(name));
    return value > 0 && value < 10000 ? value : otherwise;
}

/* Size in characters and pixels: what the terminal says, else COLUMNS and LINES, else 80 x 24; cells of 9 x 18 where
 * pixels are not told. */
static void find_size(int descriptor, pc_terminal *terminal)
{
    struct winsize size = {0};
    bool told = terminal->is_terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    terminal->columns = told ? size.ws_col : number_in("COLUMNS", 80);
    terminal->rows = told && size.ws_row > 0 ? size.ws_row : number_in("LINES", 24);
    bool pixels = told && size.ws_row > 0 && size.ws_xpixel >= 3 * size.ws_col && size.ws_ypixel >= 6 * size.ws_row;
    terminal->cell_width = pixels ? size.ws_xpixel / size.ws_col : 9;
    terminal->cell_height = pixels ? size.ws_ypixel / size.ws_row : 18;
}

/* --- pixels --- */

/* kitty's "terminal graphics protocol" and iTerm2's "inline images protocol" take PNG files, a twentieth of the bytes
 * that raw pixels need: that is felt over a slow line. Sixels have to be made from pixels, with a palette. */

/* Append bytes in base64 (RFC 4648). */
static void put_base64(const char *bytes, size_t size, pc_buffer *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned group = 0;
        for (size_t k = 0; k < 3; k++) group = group << 8 | (i + k < size ? (unsigned char)bytes[i + k] : 0);
        char text[4];
        for (size_t k = 0; k < 4; k++) text[k] = i + k <= size ? digits[group >> (18 - 6 * k) & 63] : '=';
        pc_buffer_append(out, text, sizeof text);
    }
}

/* A PNG file in kitty's protocol, scaled to columns x rows cells. */
static void print_kitty(const pc_buffer *png, int columns, int rows, pc_buffer *out)
{
    enum { CHUNK = 3072 }; /* 4096 letters, the most that one sequence may carry */
    for (size_t i = 0; i < png->size; i += CHUNK) {
        size_t size = png->size - i < CHUNK ? png->size - i : CHUNK;
        int more = i + size < png->size;
        /* a=T: send and show; f=100: a PNG file; q=2: no answer, which would arrive as typed input */
        if (i == 0)
            pc_buffer_print(out, "\033_Ga=T,f=100,q=2,c=%d,r=%d,m=%d;", columns, rows, more);
        else
            pc_buffer_print(out, "\033_Gm=%d;", more);
        put_base64(png->data + i, size, out);
        pc_buffer_print(out, "\033\\");
    }
    pc_buffer_put(out, '\n');
}

static void print_iterm(const pc_buffer *png, int columns, int rows, pc_buffer *out)
{
    pc_buffer_print(out, "\033]1337;File=inline=1;size=%zu;width=%d;height=%d;preserveAspectRatio=0:", png->size,
                    columns, rows);
    put_base64(png->data, png->size, out);
    pc_buffer_print(out, "\a\n");
}

/* The best for the terminal of this environment. */
static pc_way best_pixel_way(void)
{
    static const pc_way ways[] = {PC_WAY_BRAILLE, PC_WAY_KITTY, PC_WAY_ITERM, PC_WAY_SIXEL};
    return ways[pc_chafa_detect()];
}

/* Inside a multiplexer the terminal's name in other variables is not who reads the bytes. */
static bool in_multiplexer(void)
{
    const char *term = environment("TERM");
    return *environment("TMUX") || *environment("STY") || strncmp(term, "screen", 6) == 0 ||
           strncmp(term, "tmux", 4) == 0;
}

pc_status pc_terminal_detect(int descriptor, const char *wish, pc_terminal *terminal, pc_error *err)
{
    const char *term = environment("TERM"), *given = wish ? wish : environment("PERCUSS_CHART");
    *terminal = (pc_terminal){.is_terminal = isatty(descriptor) == 1, .utf8 = locale_is_utf8(), .way = PC_WAY_AUTO};
    bool capable = terminal->is_terminal && *term && strcmp(term, "dumb") != 0;
    terminal->colour = capable && !*environment("NO_COLOR");
    find_size(descriptor, terminal);
    if (*given) {
        int way = 0;
        while (pc_way_names[way] && strcmp(pc_way_names[way], given) != 0) way++;
        if (!pc_way_names[way]) {
            const char *near = pc_nearest(given, pc_way_names, way), *name = wish ? "as" : "PERCUSS_CHART";
            if (near)
                return pc_fail(err, PC_E_ARGUMENT, "%s = '%s' is not known; did you mean '%s'?", name, given, near);
            return pc_fail(err, PC_E_ARGUMENT,
                           "%s = '%s' is not known; it is auto, sixel, kitty, iterm, braille, window, png or none",
                           name, given);
        }
        terminal->way = (pc_way)way;
    }
    if (terminal->way == PC_WAY_AUTO) {
        terminal->way = capable && !in_multiplexer() ? best_pixel_way() : PC_WAY_BRAILLE;
    }
    return PC_OK;
}

/* Size of the picture in cells: the figure's own size, enlarged where cells are large (a dense display), reduced to
 * the window. */
static void picture_cells(const pc_figure *figure, const pc_terminal *terminal, double *dpi, int *columns, int *rows)
{
    int width, height;
    pc_figure_size(figure, &width, &height);
    double scale = fmax(1, terminal->cell_height / 20.0);
    double limit = (double)terminal->columns * terminal->cell_width;
    if (width * scale > limit) {
        /* a narrower chart keeps its height where it can: type stays readable */
        height = (int)(height * fmax(0.7, limit / (width * scale)));
        width = (int)(limit / scale);
    }
    *dpi = 96 * scale;
    *columns = (int)fmax(4, floor(width * scale / terminal->cell_width));
    *rows = (int)fmax(4, floor(height * scale / terminal->cell_height));
}

static pc_status print_pixels(const pc_figure *figure, const pc_terminal *terminal, pc_buffer *out, pc_error *err)
{
    double dpi;
    int columns, rows;
    picture_cells(figure, terminal, &dpi, &columns, &rows);
    int width = columns * terminal->cell_width, height = rows * terminal->cell_height;
    pc_buffer picture = {0};
    pc_status status;
    if (terminal->way == PC_WAY_SIXEL) {
        status = pc_figure_pixels(figure, width, height, dpi, &picture, err);
        if (!status) {
            status = pc_chafa_sixel(&picture, columns, rows, terminal->cell_width, terminal->cell_height, out, err);
        }
    } else {
        pc_figure sized = *figure;
        sized.width = (int)lround(width * 96 / dpi);
        sized.height = (int)lround(height * 96 / dpi);
        status = pc_figure_render(&sized, &pc_formats[PC_FORMAT_PNG], dpi, &picture, err);
        if (!status && terminal->way == PC_WAY_KITTY) print_kitty(&picture, columns, rows, out);
        if (!status && terminal->way == PC_WAY_ITERM) print_iterm(&picture, columns, rows, out);
    }
    pc_buffer_free(&picture);
    return status ? status : pc_buffer_status(out, err);
}

/* Four bytes of a PNG file as a number, most significant first. */
static double png_number(const unsigned char *at)
{
    return at[0] * 16777216.0 + at[1] * 65536.0 + at[2] * 256.0 + at[3];
}

/* Width and height are the first numbers of the first chunk (PNG specification, 11.2.2). */
pc_status pc_png_inline(const pc_buffer *png, const pc_terminal *terminal, pc_buffer *out, pc_error *err)
{
    if (terminal->way != PC_WAY_KITTY && terminal->way != PC_WAY_ITERM)
        return pc_fail(err, PC_E_UNSUPPORTED, "this terminal takes no PNG files");
    const unsigned char *bytes = (const unsigned char *)png->data;
    double width = 0, height = 0;
    if (png->size > 33 && memcmp(bytes, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) == 0) {
        width = png_number(bytes + 16);
        height = png_number(bytes + 20);
    }
    if (!(width > 0 && height > 0)) return pc_fail(err, PC_E_ARGUMENT, "this is no PNG file");
    double columns = fmin(ceil(width / terminal->cell_width), terminal->columns);
    double rows = columns * terminal->cell_width * height / width / terminal->cell_height;
    int cells[2] = {(int)fmax(1, columns), (int)fmin(fmax(1, round(rows)), 1000)};
    if (terminal->way == PC_WAY_KITTY) print_kitty(png, cells[0], cells[1], out);
    if (terminal->way == PC_WAY_ITERM) print_iterm(png, cells[0], cells[1], out);
    return pc_buffer_status(out, err);
}

/* --- text and files --- */

static pc_status print_text(const pc_figure *figure, const pc_terminal *terminal, pc_buffer *out, pc_error *err)
{
    /* one panel fills the window but for the prompt, within reason; more panels share it down to a readable height */
    int rows = terminal->rows - 2, n = (int)figure->n_panels, least = 15 * n;
    if (rows > 32) rows = n == 1 ? 32 : rows;
    if (rows < 12) rows = 12;
    if (n > 1 && rows < least) rows = least;
    int columns = terminal->columns < 120 ? terminal->columns : 120;
    if (columns < PC_TEXT_COLUMNS_MIN) columns = PC_TEXT_COLUMNS_MIN;
    if (rows > PC_TEXT_SIDE_MAX) rows = PC_TEXT_SIDE_MAX;
    return pc_figure_text(figure, (pc_text_options){columns, rows, terminal->utf8, terminal->colour}, out, err);
}

static pc_status print_file(const pc_figure *figure, pc_buffer *out, pc_error *err)
{
    char name[40];
    for (int i = 1; i < 10000; i++) {
        snprintf(name, sizeof name, "percuss-%d.png", i);
        if (access(name, F_OK) == 0) continue;
        pc_status status = pc_figure_save(figure, name, 96, err);
        if (!status) pc_buffer_print(out, "chart: %s\n", name);
        return status ? status : pc_buffer_status(out, err);
    }
    return pc_fail(err, PC_E_SYSTEM, "the names percuss-1.png to percuss-9999.png are all taken here");
}

pc_status pc_figure_inline(const pc_figure *figure, const pc_terminal *terminal, pc_buffer *out, pc_error *err)
{
    switch (terminal->way) {
    case PC_WAY_SIXEL:
    case PC_WAY_KITTY:
    case PC_WAY_ITERM: return print_pixels(figure, terminal, out, err);
    case PC_WAY_WINDOW: return pc_plplot_window(figure, err);
    case PC_WAY_PNG: return print_file(figure, out, err);
    case PC_WAY_NONE: return PC_OK;
    default: return print_text(figure, terminal, out, err);
    }
}
