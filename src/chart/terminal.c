/* Inline charts: see terminal.h. chafa knows which terminals understand which pictures. */
#include "chart/terminal.h"

#include "base/row.h"
#include "chart/picture.h"
#include "chart/render.h"
#include "chart/text.h"
#include "chart/window.h"

#include <chafa.h>

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

typedef struct pixel_way {
    pc_way way;
    ChafaTermSeq needs;
} pixel_way;

/* In order of preference: sixels lose colours to a palette. */
static const pixel_way pixel_ways[] = {
    {PC_WAY_KITTY, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1},
    {PC_WAY_ITERM, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE},
    {PC_WAY_SIXEL, CHAFA_TERM_SEQ_BEGIN_SIXELS},
};
enum { N_PIXEL_WAYS = sizeof pixel_ways / sizeof *pixel_ways };

/* The best that chafa knows about the terminal of this environment. */
static pc_way best_pixel_way(void)
{
    gchar **variables = g_get_environ();
    ChafaTermInfo *info = chafa_term_db_detect(chafa_term_db_get_default(), variables);
    g_strfreev(variables);
    pc_way best = PC_WAY_BRAILLE;
    for (int i = N_PIXEL_WAYS - 1; i >= 0; i--) {
        if (chafa_term_info_have_seq(info, pixel_ways[i].needs)) best = pixel_ways[i].way;
    }
    chafa_term_info_unref(info);
    return best;
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
            status = pc_picture_sixel(&picture, columns, rows, terminal->cell_width, terminal->cell_height, out, err);
        }
    } else {
        pc_figure sized = *figure;
        sized.width = (int)lround(width * 96 / dpi);
        sized.height = (int)lround(height * 96 / dpi);
        status = pc_figure_render(&sized, &pc_formats[PC_FORMAT_PNG], dpi, &picture, err);
        if (!status && terminal->way == PC_WAY_KITTY) pc_picture_kitty(&picture, columns, rows, out);
        if (!status && terminal->way == PC_WAY_ITERM) pc_picture_iterm(&picture, columns, rows, out);
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
    if (terminal->way == PC_WAY_KITTY) pc_picture_kitty(png, cells[0], cells[1], out);
    if (terminal->way == PC_WAY_ITERM) pc_picture_iterm(png, cells[0], cells[1], out);
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
    case PC_WAY_WINDOW: return pc_figure_open_window(figure, err);
    case PC_WAY_PNG: return print_file(figure, out, err);
    case PC_WAY_NONE: return PC_OK;
    default: return print_text(figure, terminal, out, err);
    }
}
