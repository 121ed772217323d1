/* Charts as text. */
#include "chart/figure/figure.h"
#include "chart/media/media.h"
#include "chart/text/text.h"
#include "chart_curves.h"
#include "unit.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

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
    draw(figure, (pc_text_options){60, 20, true, false, false}, &p);
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
    draw(figure, (pc_text_options){64, 22, true, false, false}, &p);
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
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){80, 24, true, false, false}, &text, NULL), PC_OK);
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
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){80, 24, false, false, false}, &text, NULL), PC_OK);
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
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, false, false}, &plain, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, true, false}, &coloured, NULL), PC_OK);
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
    draw(figure, (pc_text_options){60, 30, true, false, false}, &p);
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
            draw(figure, (pc_text_options){60, 16, true, false, false}, &p);
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
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, false, false}, &text, NULL), PC_OK);
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
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){60, 16, true, false, false}, &text, NULL), PC_OK);
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
            pc_status status =
                pc_figure_text(figure, (pc_text_options){columns, rows, true, false, false}, &text, &err);
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
        pc_status status = pc_figure_text(figure, (pc_text_options){60, 16, true, false, false}, &text, NULL);
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

UNIT_MAIN("chart text", 120, a_diagonal_runs_from_corner_to_corner, ticks_stand_where_their_values_are,
          texts_are_real_text, without_unicode_every_byte_is_printable_ascii,
          colour_sequences_come_only_when_asked_for_and_are_closed, panels_stand_one_below_the_other,
          degenerate_data_draws_readable_charts, series_without_data_say_so, values_hidden_by_a_log_axis_are_counted,
          every_size_draws_within_its_columns_or_is_refused, every_failing_allocation_is_reported)
