/* Charts as text, and where inline charts go. */
#include "chart/label.h"
#include "chart/terminal.h"
#include "chart/text.h"
#include "scratch.h"
#include "unit.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pc_figure *new_figure(pc_panel **panel)
{
    pc_figure *figure;
    ck_assert_int_eq(pc_figure_new(&figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(figure, panel, NULL), PC_OK);
    return figure;
}

static void add(pc_panel *panel, const char *kind, const double *x, const double *y, size_t n, const char *label)
{
    pc_status s = pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, n, label, (pc_style){0}, NULL);
    ck_assert_int_eq(s, PC_OK);
}

/* A page of characters read back from the text. */
enum { SIDE = 200 };
typedef struct page {
    int rows, columns;
    unsigned at[SIDE][SIDE];
} page;

static void read_page(const char *text, page *p)
{
    memset(p, 0, sizeof *p);
    int column = 0;
    for (unsigned c; (c = pc_label_next(&text)) != 0;) {
        if (c == '\n') {
            p->rows++;
            column = 0;
            continue;
        }
        ck_assert(p->rows < SIDE && column < SIDE);
        p->at[p->rows][column++] = c;
        if (column > p->columns) p->columns = column;
    }
}

static void draw(const pc_figure *figure, pc_text_options options, page *p)
{
    pc_buffer text = {0};
    pc_error err = {0};
    pc_status status = pc_figure_text(figure, options, &text, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
    read_page(pc_buffer_text(&text), p);
    pc_buffer_free(&text);
}

/* Column of the first cell of a row that holds a character, or -1. */
static int find_in_row(const page *p, int row, unsigned character)
{
    for (int c = 0; c < p->columns; c++) {
        if (p->at[row][c] == character) return c;
    }
    return -1;
}

/* Row whose text, from its first non-blank on, begins with ASCII `text`; -1 if there is none. */
static int find_row(const page *p, const char *text)
{
    for (int r = 0; r < p->rows; r++) {
        int c = 0, i = 0;
        while (p->at[r][c] == ' ') c++;
        while (text[i] && p->at[r][c + i] == (unsigned char)text[i]) i++;
        if (!text[i]) return r;
    }
    return -1;
}

static bool is_braille(unsigned c)
{
    return c > 0x2800 && c <= 0x28FF;
}

/* Columns of the curves: from the axis to the right end of the axis line below. */
static void find_axes(const page *p, int *left, int *right, int *bottom)
{
    for (*bottom = 0; *bottom < p->rows; ++*bottom) {
        *left = find_in_row(p, *bottom, 0x2514);
        if (*left >= 0) break;
    }
    ck_assert_int_lt(*bottom, p->rows);
    *right = *left;
    while (p->at[*bottom][*right + 1] == 0x2500 || p->at[*bottom][*right + 1] == 0x252C) ++*right;
}

START_TEST(a_diagonal_runs_from_corner_to_corner)
{
    const double x[] = {0, 1}, y[] = {0, 1};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 2, NULL);
    ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", 0, 1, false, NULL), PC_OK);
    page p;
    draw(figure, (pc_text_options){60, 20, true, false}, &p);
    ck_assert_int_eq(p.rows, 20);
    ck_assert_int_le(p.columns, 60);
    int left, right, bottom;
    find_axes(&p, &left, &right, &bottom);
    for (int r = 0; r < bottom; r++) {
        for (int c = left + 1; c <= right; c++) {
            /* the cell's middle, as fractions of the axes */
            double u = (c - left - 0.5) / (right - left), v = (bottom - r - 0.5) / bottom;
            double off = fabs(u - v), cell = 1.0 / bottom + 1.0 / (right - left);
            if (is_braille(p.at[r][c]))
                ck_assert_double_le(off, cell);
            else
                ck_assert_double_ge(off, 0.25 / bottom);
        }
    }
    ck_assert(is_braille(p.at[bottom - 1][left + 1]) && is_braille(p.at[0][right]));
    pc_figure_free(figure);
}
END_TEST

START_TEST(ticks_stand_where_their_values_are)
{
    const double x[] = {0, 10}, y[] = {0, 4};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 2, NULL);
    ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", 0, 4, false, NULL), PC_OK);
    page p;
    draw(figure, (pc_text_options){64, 22, true, false}, &p);
    int left, right, bottom;
    find_axes(&p, &left, &right, &bottom);
    /* the line y = 0.4 x passes every tick of y at the x of the same height */
    int found = 0;
    for (int r = 0; r < bottom; r++) {
        if (p.at[r][left] != 0x2524) continue;
        double value = p.at[r][left - 2] - '0';
        if (left >= 4 && p.at[r][left - 3] == '.') value = (p.at[r][left - 4] - '0') + value / 10;
        double row = bottom - 0.5 - value / 4 * (bottom - 0.25);
        ck_assert_double_le(fabs(row - r), 1);
        found++;
    }
    ck_assert_int_ge(found, 3);
    pc_figure_free(figure);
}
END_TEST

START_TEST(texts_are_real_text)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_figure_set_title(figure, "One impact", NULL);
    pc_panel_set_text(&panel->x.label, "ω_0 t", NULL);
    pc_panel_set_text(&panel->y.label, "force", NULL);
    pc_panel_set_text(&panel->y.unit, "N", NULL);
    add(panel, "line", x, y, 3, "F_n");
    pc_panel_add_span(panel, 0, 1, "slip", NULL);
    pc_panel_add_span(panel, 1, 2, "stick", NULL);
    pc_buffer text = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){80, 24, true, false}, &text, NULL), PC_OK);
    static const char *const words[] = {"One impact", "ω₀ t", "force [N]", " Fₙ", " slip ", " stick ", "0.0", "1.0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ck_assert_msg(strstr(pc_buffer_text(&text), words[i]) != NULL, "\"%s\" is missing", words[i]);
    }
    pc_buffer_free(&text);
    pc_figure_free(figure);
}
END_TEST

START_TEST(without_unicode_every_byte_is_printable_ascii)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0}, z[] = {1, 0, 1};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_figure_set_title(figure, "θ = 5°, η ≥ 1", NULL);
    pc_panel_set_text(&panel->x.label, "ω_0 t", NULL);
    add(panel, "line", x, y, 3, "F_n");
    add(panel, "scatter", x, z, 3, "漢");
    pc_panel_add_span(panel, 0, 1, "slip", NULL);
    pc_panel_add_guide(panel, true, 1, "μ", (pc_style){0}, NULL);
    pc_panel_add_guide(panel, false, 0.5, "½", (pc_style){0}, NULL);
    pc_buffer text = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){80, 24, false, false}, &text, NULL), PC_OK);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        ck_assert_msg(c == '\n' || (c >= ' ' && c <= '~'), "byte %d at %d", c, (int)i);
    }
    /* each curve has its mark */
    ck_assert_ptr_nonnull(strchr(text.data, '*'));
    ck_assert_ptr_nonnull(strchr(text.data, '+'));
    pc_buffer_free(&text);
    pc_figure_free(figure);
}
END_TEST

START_TEST(colour_sequences_come_only_when_asked_for_and_are_closed)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 3, "F_n");
    pc_buffer plain = {0}, coloured = {0}, stripped = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, false}, &plain, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, true}, &coloured, NULL), PC_OK);
    ck_assert_ptr_null(strchr(plain.data, '\033'));
    ck_assert_ptr_nonnull(strchr(coloured.data, '\033'));
    /* taking the sequences away leaves the plain text; every line ends in the terminal's own colour */
    bool own = true;
    for (const char *s = coloured.data; *s; s++) {
        if (*s == '\033') {
            own = strncmp(s, "\033[39m", 5) == 0;
            s = strchr(s, 'm');
            continue;
        }
        if (*s == '\n') ck_assert(own);
        pc_buffer_append(&stripped, s, 1);
    }
    ck_assert_str_eq(stripped.data, plain.data);
    pc_buffer_free(&plain);
    pc_buffer_free(&coloured);
    pc_buffer_free(&stripped);
    pc_figure_free(figure);
}
END_TEST

START_TEST(panels_stand_one_below_the_other)
{
    const double x[] = {0, 1}, y[] = {0, 1};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_panel_set_text(&panel->title, "upper", NULL);
    add(panel, "line", x, y, 2, NULL);
    pc_figure_add_panel(figure, &panel, NULL);
    pc_panel_set_text(&panel->title, "lower", NULL);
    add(panel, "line", x, y, 2, NULL);
    page p;
    draw(figure, (pc_text_options){60, 30, true, false}, &p);
    ck_assert_int_eq(p.rows, 30);
    ck_assert_int_eq(find_row(&p, "upper"), 0);
    ck_assert_int_eq(find_row(&p, "lower"), 15);
    pc_figure_free(figure);
}
END_TEST

/* P4 of the cases known from other tools: a readable chart for each. */
START_TEST(degenerate_data_draws_readable_charts)
{
    static const double x[] = {1, 2, 3};
    static const double cases[][3] = {
        {1, 1, 1}, {NAN, 2, NAN}, {NAN, NAN, NAN}, {INFINITY, 1, -INFINITY}, {0, 1e300, -1e300}};
    static const bool shows[] = {true, true, false, true, true};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; pc_series_kinds[k].name; k++) {
            pc_panel *panel;
            pc_figure *figure = new_figure(&panel);
            add(panel, pc_series_kinds[k].name, x, cases[i], 3, "F");
            page p;
            draw(figure, (pc_text_options){60, 16, true, false}, &p);
            int left, right, bottom, dots = 0;
            find_axes(&p, &left, &right, &bottom);
            for (int r = 1; r < bottom; r++) {
                for (int c = left + 1; c <= right; c++) dots += is_braille(p.at[r][c]);
            }
            ck_assert_msg((dots > 0) == shows[i], "case %d as %s: %d cells", i, pc_series_kinds[k].name, dots);
            pc_figure_free(figure);
        }
    }
}
END_TEST

START_TEST(series_without_data_say_so)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", NULL, NULL, 0, "F_n");
    pc_buffer text = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, false}, &text, NULL), PC_OK);
    ck_assert_ptr_nonnull(strstr(text.data, "Fₙ (no data)"));
    ck_assert_ptr_nonnull(strstr(text.data, " no data\n"));
    pc_buffer_free(&text);
    pc_figure_free(figure);
}
END_TEST

START_TEST(values_hidden_by_a_log_axis_are_counted)
{
    const double x[] = {1, 2, 3}, y[] = {1, -1, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->y.log = true;
    add(panel, "line", x, y, 3, NULL);
    pc_buffer text = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, false}, &text, NULL), PC_OK);
    ck_assert_ptr_nonnull(strstr(text.data, "2 values ≤ 0 not shown"));
    pc_buffer_free(&text);
    pc_figure_free(figure);
}
END_TEST

START_TEST(every_size_draws_within_its_columns_or_is_refused)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1e6, -1e6};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 3, "a rather long label of a curve");
    pc_panel_add_guide(panel, true, 1, "a reference", (pc_style){0}, NULL);
    pc_panel_add_note(panel, 2, 1e6, "a note at the right end", NULL);
    pc_error err = {0};
    for (int columns = 0; columns <= 150; columns += 3) {
        for (int rows = 0; rows <= 60; rows += 4) {
            pc_buffer text = {0};
            pc_status status = pc_figure_text(figure, (pc_text_options){columns, rows, true, false}, &text, &err);
            if (status == PC_OK) {
                page p;
                read_page(text.data, &p);
                ck_assert_int_le(p.columns, columns);
                ck_assert_int_eq(p.rows, rows ? rows : 20);
            } else {
                ck_assert_int_eq(status, PC_E_ARGUMENT);
                ck_assert(columns < PC_TEXT_COLUMNS_MIN || (rows > 0 && rows < PC_TEXT_ROWS_MIN + 2));
            }
            pc_buffer_free(&text);
        }
    }
    pc_figure_free(figure);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(every_failing_allocation_is_reported)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 3, "F_n");
    add(panel, "scatter", x, y, 3, "F_t");
    pc_panel_set_text(&panel->x.label, "t", NULL);
    long before = pc_alloc_live();
    int failures = 0;
    for (long n = 0; n < 200; n++) {
        pc_buffer text = {0};
        pc_alloc_fail_after(n);
        pc_status status = pc_figure_text(figure, (pc_text_options){60, 16, true, false}, &text, NULL);
        pc_alloc_fail_after(-1);
        ck_assert(status == PC_OK || status == PC_E_MEMORY);
        failures += status == PC_E_MEMORY;
        pc_buffer_free(&text);
        ck_assert_int_eq((int)pc_alloc_live(), (int)before);
    }
    ck_assert_int_ge(failures, 5);
    ck_assert_int_lt(failures, 150);
    pc_figure_free(figure);
}
END_TEST

/* ---- where it goes: each test runs in a process of its own, so the environment is free to change ---- */

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

UNIT_MAIN("chart text", 120, a_diagonal_runs_from_corner_to_corner, ticks_stand_where_their_values_are,
          texts_are_real_text, without_unicode_every_byte_is_printable_ascii,
          colour_sequences_come_only_when_asked_for_and_are_closed, panels_stand_one_below_the_other,
          degenerate_data_draws_readable_charts, series_without_data_say_so, values_hidden_by_a_log_axis_are_counted,
          every_size_draws_within_its_columns_or_is_refused, every_failing_allocation_is_reported,
          a_pipe_gets_text_without_escapes_whatever_the_terminal, a_dumb_terminal_gets_no_escapes,
          terminals_with_pixels_get_pixels_but_not_inside_tmux,
          option_goes_before_variable_and_unknown_words_are_refused, the_locale_decides_between_braille_and_ascii,
          each_way_of_pixels_speaks_its_protocol, pictures_for_kitty_and_iterm_carry_a_whole_png,
          a_picture_file_keeps_its_proportions_and_fits_the_window, none_shows_nothing_and_png_names_a_new_file)
