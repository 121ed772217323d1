/* Inline charts: see media.h. */
#include "chart/media/media.h"

#include "base/row.h"
#include "chart/paint/paint.h"
#include "chart/text/text.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
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

/* --- asking --- */

enum { ANSWER_ROOM = 2048, ANSWER_MS = 300, TYPED_MAX = 64, CELL_MAX = 200 };

/* What the terminal said of itself; `typed`: the bytes that were no answer. */
static struct {
    bool asked, answered, kitty, sixel;
    int cell_width, cell_height; /* 0: not told */
    char typed[ANSWER_ROOM];
    size_t n_typed;
} said;

size_t pc_terminal_typed(char *out, size_t room)
{
    size_t n = said.n_typed < room ? said.n_typed : room;
    memcpy(out, said.typed, n);
    said.n_typed = 0;
    return n;
}

/* The numbers of "1;2;3" up to a byte that is neither digit nor semicolon, which *end is then; at most `room`. */
static int read_numbers(const char *text, int *numbers, int room, const char **end)
{
    int n = 0;
    for (*end = text; (**end >= '0' && **end <= '9') || **end == ';';) {
        char *stop;
        long value = strtol(*end, &stop, 10);
        if (n < room) numbers[n++] = value >= 0 && value < 100000 ? (int)value : -1;
        *end = stop > *end ? stop : *end;
        if (**end == ';') (*end)++;
    }
    return n;
}

/* The answer that begins at `text`: its length, or 0 if this is none. Answers are of the forms ESC [ ? numbers c,
 * ESC [ 6 ; height ; width t, and ESC _ G text ESC backslash. */
static size_t take_answer(const char *text)
{
    const char *end;
    int numbers[32];
    if (strncmp(text, "\033[?", 3) == 0) {
        int n = read_numbers(text + 3, numbers, 32, &end);
        if (*end != 'c') return 0;
        for (int i = 0; i < n; i++) said.sixel = said.sixel || numbers[i] == 4;
        said.answered = true;
        return (size_t)(end - text) + 1;
    }
    if (strncmp(text, "\033[6;", 4) == 0) {
        int n = read_numbers(text + 2, numbers, 32, &end);
        if (*end != 't') return 0;
        bool sound = n == 3 && numbers[1] >= 6 && numbers[1] <= CELL_MAX && numbers[2] >= 3 && numbers[2] <= CELL_MAX;
        said.cell_height = sound ? numbers[1] : 0;
        said.cell_width = sound ? numbers[2] : 0;
        return (size_t)(end - text) + 1;
    }
    if (strncmp(text, "\033_G", 3) == 0 && (end = strstr(text, "\033\\")) != NULL) {
        const char *okay = strstr(text, ";OK");
        said.kitty = okay && okay < end;
        return (size_t)(end - text) + 2;
    }
    return 0;
}

/* Length of an escape sequence that is no answer: a key, nonsense, or an answer that was cut off. */
static size_t skip_sequence(const char *text, size_t size)
{
    size_t i = 1;
    if (i < size && (text[i] == '[' || text[i] == 'O')) {
        for (i++; i < size && text[i] >= 0x20 && text[i] < 0x40; i++) continue;
        return i < size ? i + 1 : size;
    }
    if (i < size && strchr("_P]^X", text[i])) {
        while (i < size && text[i] != '\a' && text[i] != '\033') i++;
        if (i < size && text[i] == '\033') return i + 1 < size && text[i + 1] == '\\' ? i + 2 : i;
        return i < size ? i + 1 : size;
    }
    return i < size ? 2 : size;
}

/* Sort what came: answers are taken, other sequences dropped, the rest was typed. */
static void take_answers(const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const unsigned char c = (unsigned char)text[i];
        size_t taken = c == '\033' ? take_answer(text + i) : 1;
        if (c != '\033' && (c >= 0x20 || c == '\n' || c == '\r' || c == '\t')) said.typed[said.n_typed++] = text[i];
        i += taken ? taken : skip_sequence(text + i, size - i);
    }
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Read until the attributes have come, the time is over, or somebody interrupts. */
static void wait_for_answers(int terminal)
{
    char text[ANSWER_ROOM];
    size_t size = 0;
    const double limit = milliseconds() + ANSWER_MS;
    bool complete = false;
    while (!complete && size + 1 < sizeof text) {
        struct pollfd ready = {.fd = terminal, .events = POLLIN};
        double left = limit - milliseconds();
        if (left <= 0 || poll(&ready, 1, (int)left + 1) <= 0) break;
        ssize_t n = read(terminal, text + size, sizeof text - 1 - size);
        if (n <= 0) break;
        size += (size_t)n;
        text[size] = '\0';
        const char *attributes = memchr(text, '\033', size);
        while (attributes && strncmp(attributes, "\033[?", 3) != 0) attributes = strchr(attributes + 1, '\033');
        complete = attributes && strchr(attributes, 'c');
    }
    text[size] = '\0';
    take_answers(text, size);
    /* nobody types so fast */
    if (said.n_typed > TYPED_MAX) said.n_typed = 0;
    if (size + 1 == sizeof text) tcflush(terminal, TCIFLUSH);
}

/* The linux console prints what it does not know. What others print of the query is erased again. */
static void ask(int descriptor)
{
    static const char query[] = "\0337\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[16t\033[c\0338\033[K";
    const char *name = ttyname(descriptor);
    struct termios before, raw;
    if (said.asked || !name || strcmp(environment("TERM"), "linux") == 0) return;
    int terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return;
    if (tcgetpgrp(terminal) == getpgrp() && tcgetattr(terminal, &before) == 0) {
        raw = before;
        raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
        raw.c_cc[VMIN] = 0;
        raw.c_cc[VTIME] = 0;
        tcsetattr(terminal, TCSANOW, &raw);
        /* what somebody has typed ahead is left to its reader, and the question to another time */
        struct pollfd ready = {.fd = terminal, .events = POLLIN};
        if (poll(&ready, 1, 0) == 0 && write(terminal, query, sizeof query - 1) == (ssize_t)sizeof query - 1) {
            said.asked = true;
            wait_for_answers(terminal);
        }
        tcsetattr(terminal, TCSANOW, &before);
    }
    close(terminal);
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
    terminal->cell_width = pixels ? size.ws_xpixel / size.ws_col : said.cell_width ? said.cell_width : 9;
    terminal->cell_height = pixels ? size.ws_ypixel / size.ws_row : said.cell_height ? said.cell_height : 18;
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

/* Inside a multiplexer the terminal's name in other variables is not who reads the bytes. */
static bool in_multiplexer(void)
{
    const char *term = environment("TERM");
    return *environment("TMUX") || *environment("STY") || strncmp(term, "screen", 6) == 0 ||
           strncmp(term, "tmux", 4) == 0;
}

/* What the terminal says counts; of one that says nothing what the environment says, unless a multiplexer stands
 * between, which would swallow the pixels. Only iTerm2 is known by its environment alone. */
static pc_way best_way(int descriptor)
{
    static const pc_way ways[] = {PC_WAY_BRAILLE, PC_WAY_KITTY, PC_WAY_ITERM, PC_WAY_SIXEL};
    const pc_way named = in_multiplexer() ? PC_WAY_BRAILLE : ways[pc_chafa_detect()];
    ask(descriptor);
    if (!said.answered || named == PC_WAY_ITERM) return named;
    return said.kitty ? PC_WAY_KITTY : said.sixel ? PC_WAY_SIXEL : PC_WAY_BRAILLE;
}

pc_status pc_terminal_detect(int descriptor, const char *wish, pc_terminal *terminal, pc_error *err)
{
    const char *term = environment("TERM"), *given = wish ? wish : environment("PERCUSS_CHART");
    *terminal = (pc_terminal){.is_terminal = isatty(descriptor) == 1, .utf8 = locale_is_utf8(), .way = PC_WAY_AUTO};
    bool capable = terminal->is_terminal && *term && strcmp(term, "dumb") != 0;
    terminal->colour = capable && !*environment("NO_COLOR");
    const char *depth = environment("COLORTERM");
    terminal->true_colour = terminal->colour && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0);
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
    if (terminal->way == PC_WAY_AUTO) terminal->way = capable ? best_way(descriptor) : PC_WAY_BRAILLE;
    find_size(descriptor, terminal);
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
    return pc_figure_text(
        figure, (pc_text_options){columns, rows, terminal->utf8, terminal->colour, terminal->true_colour}, out, err);
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
