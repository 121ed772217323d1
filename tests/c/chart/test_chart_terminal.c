/* Where inline charts go. Each test runs in a process of its own, so that its environment is free to change. */
#include "chart/media/media.h"
#include "chart_curves.h"
#include "scratch.h"
#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void clear_environment(void)
{
    static const char *const names[] = {"PERCUSS_CHART", "NO_COLOR",        "TMUX",     "STY",  "COLUMNS",
                                        "LINES",         "LC_ALL",          "LC_CTYPE", "LANG", "TERM",
                                        "TERM_PROGRAM",  "KITTY_WINDOW_ID", "COLORTERM"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
}

/* A pseudo-terminal's far end: what a program sees as its terminal. */
static int open_terminal(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(master, 0);
    ck_assert_int_eq(grantpt(master), 0);
    ck_assert_int_eq(unlockpt(master), 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(slave, 0);
    return slave;
}

static pc_terminal detect(int descriptor, const char *wish)
{
    pc_terminal terminal;
    pc_error err = {0};
    pc_status status = pc_terminal_detect(descriptor, wish, &terminal, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
    return terminal;
}

/* The bytes that show a small figure there. */
static void show(const pc_terminal *terminal, pc_buffer *out)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 3, "F_n");
    pc_error err = {0};
    pc_status status = pc_figure_inline(figure, terminal, out, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
    pc_figure_free(figure);
}

START_TEST(a_pipe_gets_text_without_escapes_whatever_the_terminal)
{
    clear_environment();
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    static const char *const terms[] = {"xterm-kitty", "xterm-256color", "mlterm", "dumb", ""};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        setenv("TERM", terms[i], 1);
        setenv("LANG", "de_DE.UTF-8", 1);
        pc_terminal terminal = detect(ends[1], NULL);
        ck_assert_int_eq(terminal.way, PC_WAY_BRAILLE);
        ck_assert(!terminal.is_terminal && !terminal.colour && terminal.utf8);
        ck_assert(terminal.columns == 80 && terminal.rows == 24);
        pc_buffer out = {0};
        show(&terminal, &out);
        ck_assert_ptr_null(memchr(out.data, '\033', out.size));
        ck_assert_ptr_nonnull(strstr(out.data, "\u2524"));
        pc_buffer_free(&out);
    }
}
END_TEST

START_TEST(a_dumb_terminal_gets_no_escapes)
{
    clear_environment();
    setenv("TERM", "dumb", 1);
    pc_terminal terminal = detect(open_terminal(), NULL);
    ck_assert(terminal.is_terminal && !terminal.colour && terminal.way == PC_WAY_BRAILLE);
    pc_buffer out = {0};
    show(&terminal, &out);
    ck_assert_ptr_null(memchr(out.data, '\033', out.size));
    pc_buffer_free(&out);
}
END_TEST

START_TEST(terminals_with_pixels_get_pixels_but_not_inside_tmux)
{
    clear_environment();
    int terminal = open_terminal();
    setenv("TERM", "xterm-kitty", 1);
    setenv("KITTY_WINDOW_ID", "1", 1);
    ck_assert_int_eq(detect(terminal, NULL).way, PC_WAY_KITTY);
    setenv("TMUX", "/tmp/tmux-0/default,1,0", 1);
    ck_assert_int_eq(detect(terminal, NULL).way, PC_WAY_BRAILLE);
    ck_assert_int_eq(detect(terminal, "sixel").way, PC_WAY_SIXEL);
    unsetenv("TMUX");
    setenv("TERM", "screen-256color", 1);
    ck_assert_int_eq(detect(terminal, NULL).way, PC_WAY_BRAILLE);
    clear_environment();
    setenv("TERM", "mlterm", 1);
    ck_assert_int_eq(detect(terminal, NULL).way, PC_WAY_SIXEL);
    setenv("TERM", "xterm-256color", 1);
    pc_terminal plain = detect(terminal, NULL);
    ck_assert(plain.way == PC_WAY_BRAILLE && plain.colour);
    setenv("NO_COLOR", "1", 1);
    ck_assert(!detect(terminal, NULL).colour);
}
END_TEST

START_TEST(option_goes_before_variable_and_unknown_words_are_refused)
{
    clear_environment();
    setenv("PERCUSS_CHART", "png", 1);
    ck_assert_int_eq(detect(1, NULL).way, PC_WAY_PNG);
    ck_assert_int_eq(detect(1, "none").way, PC_WAY_NONE);
    pc_terminal terminal;
    pc_error err = {0};
    ck_assert_int_eq(pc_terminal_detect(1, "sixl", &terminal, &err), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "as = 'sixl' is not known; did you mean 'sixel'?");
    setenv("PERCUSS_CHART", "printer", 1);
    ck_assert_int_eq(pc_terminal_detect(1, NULL, &terminal, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "PERCUSS_CHART = 'printer'"));
}
END_TEST

START_TEST(the_locale_decides_between_braille_and_ascii)
{
    clear_environment();
    ck_assert(!detect(1, NULL).utf8);
    setenv("LANG", "C", 1);
    ck_assert(!detect(1, NULL).utf8);
    setenv("LC_CTYPE", "C.UTF-8", 1);
    ck_assert(detect(1, NULL).utf8);
    setenv("LC_ALL", "C", 1);
    ck_assert(!detect(1, NULL).utf8);
}
END_TEST

START_TEST(each_way_of_pixels_speaks_its_protocol)
{
    static const struct {
        const char *way, *begins, *holds;
    } rows[] = {
        {"sixel", "\033P", "\033\\"}, {"kitty", "\033_G", "\033\\"}, {"iterm", "\033]1337;File=inline=1", "\a"}};
    clear_environment();
    for (int i = 0; i < 3; i++) {
        pc_terminal terminal = detect(1, rows[i].way);
        pc_buffer out = {0};
        show(&terminal, &out);
        ck_assert_uint_gt(out.size, 1000);
        ck_assert_msg(strncmp(out.data, rows[i].begins, strlen(rows[i].begins)) == 0, "%s", rows[i].way);
        ck_assert_ptr_nonnull(strstr(out.data, rows[i].holds));
        ck_assert_int_eq(out.data[out.size - 1], '\n');
        pc_buffer_free(&out);
    }
}
END_TEST

/* Value of a letter of base64, or -1. */
static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static const char *decode_base64(const char *text, pc_buffer *bytes)
{
    unsigned group = 0;
    int letters = 0;
    for (; base64_value(*text) >= 0; text++) {
        group = group << 6 | (unsigned)base64_value(*text);
        if (++letters % 4 != 0) continue;
        const char three[3] = {(char)(group >> 16), (char)(group >> 8), (char)group};
        pc_buffer_append(bytes, three, 3);
        group = 0;
    }
    if (letters % 4 >= 2) pc_buffer_append(bytes, &(char){(char)(group >> (letters % 4 == 3 ? 10 : 4))}, 1);
    if (letters % 4 == 3) pc_buffer_append(bytes, &(char){(char)(group >> 2)}, 1);
    while (*text == '=') text++;
    return text;
}

/* The end of a PNG file: the type of its last chunk and that chunk's checksum (PNG specification, 11.2.5). */
static void check_png(const pc_buffer *png)
{
    ck_assert_uint_gt(png->size, 1000);
    ck_assert_int_eq(memcmp(png->data, "\x89PNG\r\n\x1a\n", 8), 0);
    ck_assert_int_eq(memcmp(png->data + png->size - 8, "IEND\xAE\x42\x60\x82", 8), 0);
}

START_TEST(pictures_for_kitty_and_iterm_carry_a_whole_png)
{
    clear_environment();
    pc_terminal terminal = detect(1, "kitty");
    pc_buffer out = {0}, png = {0};
    show(&terminal, &out);
    const char *at = out.data;
    for (int more = 1; more; at += 2) {
        const char *begin = strchr(at, ';');
        ck_assert(strncmp(at, "\033_G", 3) == 0 && begin && begin[-2] == '=');
        more = begin[-1] == '1';
        at = decode_base64(begin + 1, &png);
        ck_assert_int_le((int)(at - begin - 1), 4096);
        ck_assert(strncmp(at, "\033\\", 2) == 0);
    }
    ck_assert_str_eq(at, "\n");
    check_png(&png);
    pc_buffer_clear(&out);
    pc_buffer_clear(&png);
    terminal = detect(1, "iterm");
    show(&terminal, &out);
    ck_assert_str_eq(decode_base64(strchr(out.data, ':') + 1, &png), "\a\n");
    check_png(&png);
    pc_buffer_free(&out);
    pc_buffer_free(&png);
}
END_TEST

/* The head of a PNG file of that size; what follows is not looked at. */
static pc_buffer png_of(unsigned width, unsigned height)
{
    pc_buffer png = {0};
    pc_buffer_append(&png, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    const unsigned sides[2] = {width, height};
    for (int i = 0; i < 8; i++) pc_buffer_append(&png, &(char){(char)(sides[i / 4] >> (24 - 8 * (i % 4)))}, 1);
    for (int i = 0; i < 40; i++) pc_buffer_append(&png, "", 1);
    return png;
}

START_TEST(a_picture_file_keeps_its_proportions_and_fits_the_window)
{
    static const struct {
        unsigned width, height;
        const char *cells;
    } rows[] = {
        {90, 180, "c=10,r=10,"}, {1, 1, "c=1,r=1,"}, {14400, 7200, "c=80,r=20,"}, {9, 1000000000, "c=1,r=1000,"}};
    clear_environment();
    pc_terminal terminal = detect(1, "kitty"); /* 80 columns, cells of 9 x 18 */
    pc_error err = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pc_buffer png = png_of(rows[i].width, rows[i].height), out = {0};
        ck_assert_int_eq(pc_png_inline(&png, &terminal, &out, &err), PC_OK);
        ck_assert_msg(strstr(out.data, rows[i].cells), "%.60s", out.data + 1);
        pc_buffer_free(&png);
        pc_buffer_free(&out);
    }
    pc_buffer none = {0}, zero = png_of(0, 5), out = {0};
    ck_assert_int_eq(pc_png_inline(&none, &terminal, &out, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_png_inline(&zero, &terminal, &out, &err), PC_E_ARGUMENT);
    terminal = detect(1, "sixel");
    ck_assert_int_eq(pc_png_inline(&zero, &terminal, &out, &err), PC_E_UNSUPPORTED);
    ck_assert_uint_eq(out.size, 0);
    pc_buffer_free(&zero);
}
END_TEST

START_TEST(none_shows_nothing_and_png_names_a_new_file)
{
    clear_environment();
    char folder[SCRATCH_SIZE];
    scratch_pattern(folder);
    int here = open(".", O_RDONLY);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    pc_buffer out = {0};
    pc_terminal terminal = detect(1, "none");
    show(&terminal, &out);
    ck_assert_uint_eq(out.size, 0);
    terminal = detect(1, "png");
    show(&terminal, &out);
    show(&terminal, &out);
    ck_assert_str_eq(out.data, "chart: percuss-1.png\nchart: percuss-2.png\n");
    ck_assert_int_eq(access("percuss-2.png", R_OK), 0);
    pc_buffer_free(&out);
    unlink("percuss-1.png");
    unlink("percuss-2.png");
    ck_assert_int_eq(fchdir(here), 0);
    close(here);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

UNIT_MAIN("chart terminal", 120, a_pipe_gets_text_without_escapes_whatever_the_terminal,
          a_dumb_terminal_gets_no_escapes, terminals_with_pixels_get_pixels_but_not_inside_tmux,
          option_goes_before_variable_and_unknown_words_are_refused, the_locale_decides_between_braille_and_ascii,
          each_way_of_pixels_speaks_its_protocol, pictures_for_kitty_and_iterm_carry_a_whole_png,
          a_picture_file_keeps_its_proportions_and_fits_the_window, none_shows_nothing_and_png_names_a_new_file)
