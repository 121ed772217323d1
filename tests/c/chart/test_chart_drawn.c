/* Figures as files: what was drawn. */
#include "chart/figure/figure.h"
#include "chart/media/media.h"
#include "chart_waves.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- SVG ---- */

/* The letters between <text ...> and </text>, without the marks inside. Advances *at; false after the last. */
static bool next_text(const char **at, char *text, size_t size)
{
    const char *s = strstr(*at, "<text");
    if (!s) return false;
    const char *end = strstr(s, "</text>");
    ck_assert_ptr_nonnull(end);
    size_t n = 0;
    bool inside = false;
    for (s = strchr(s, '>'); s < end; s++) {
        if (*s == '>')
            inside = true;
        else if (*s == '<')
            inside = false;
        else if (inside && n + 1 < size)
            text[n++] = *s;
    }
    text[n] = '\0';
    *at = end;
    return true;
}

/* Numeric references. */
static void decode(char *text)
{
    pc_buffer plain = {0};
    for (const char *s = text; *s;) {
        unsigned code;
        int used = 0;
        if (sscanf(s, "&#x%x;%n", &code, &used) == 1 && used)
            pc_buffer_put(&plain, code);
        else if (sscanf(s, "&#%u;%n", &code, &used) == 1 && used)
            pc_buffer_put(&plain, code);
        else
            pc_buffer_append(&plain, s, (size_t)(used = 1));
        s += used;
    }
    ck_assert_uint_lt(plain.size, 256);
    strcpy(text, pc_buffer_text(&plain));
    pc_buffer_free(&plain);
}

static bool has_text(const pc_buffer *svg, const char *wanted)
{
    char text[1024];
    for (const char *at = svg->data; next_text(&at, text, sizeof text);) {
        decode(text);
        if (strcmp(text, wanted) == 0) return true;
    }
    return false;
}

START_TEST(svg_holds_titles_labels_ticks_and_legend_as_text)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_figure_set_title(figure, "Sphere, μ = 0.5 & e < 1", NULL);
    pc_panel_set_text(&panel->x.label, "ω_0 t", NULL);
    pc_panel_set_text(&panel->y.label, "F", NULL);
    pc_panel_set_text(&panel->y.unit, "N/m^2", NULL);
    pc_panel_add_note(panel, 1, 0, "a #1 note", NULL);
    pc_buffer svg = {0};
    render(figure, "x.svg", &svg);
    static const char *const texts[] = {
        "Sphere, μ = 0.5 & e < 1", "ω0 t", "F [N/m2]", "Ft/μ", "a #1 note", "0.5", "3.0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(has_text(&svg, texts[i]), "no text \"%s\"", texts[i]);
    }
    pc_buffer_free(&svg);
    pc_figure_free(figure);
}
END_TEST

START_TEST(svg_curve_lies_on_the_function)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *p = &layout.panels[0];
    const double scale = 0.75; /* points a pixel */
    pc_buffer svg = {0};
    render(figure, "x.svg", &svg);
    int points = 0;
    double first = INFINITY, last = -INFINITY;
    for (const char *at = svg.data; (at = strstr(at, "stroke=\"#FF0000\"")) != NULL;) {
        at = strstr(at, "points=\"");
        ck_assert_ptr_nonnull(at);
        at += strlen("points=\"");
        double x, y;
        for (int used; sscanf(at, " %lf,%lf%n", &x, &y, &used) == 2; at += used) {
            double u = (x / scale - p->frame.x0) / (p->frame.x1 - p->frame.x0);
            double v = (y / scale - p->frame.y0) / (p->frame.y1 - p->frame.y0);
            double t = p->x.lo + u * (p->x.hi - p->x.lo), f = p->y.lo + v * (p->y.hi - p->y.lo);
            /* the sample of the legend has the same colour and lies elsewhere */
            bool legend = x / scale >= p->entries[0].x - 1 &&
                          x / scale <= p->entries[0].x + pc_entry_sample(&layout.type) + 1 &&
                          fabs(y / scale - p->entries[0].y) < 1;
            if (legend) continue;
            /* coordinates have two decimals: 0.01 points of 300 are 1e-4 of the axis; chords of 100 pieces add
             * (3 * 0.03)^2 / 8 = 1e-3 at most between the points, and thinning keeps points of the data */
            ck_assert_double_eq_tol(f, sin(3 * t), 2e-3);
            points++;
            first = fmin(first, t);
            last = fmax(last, t);
        }
    }
    ck_assert_int_ge(points, N - 1);
    ck_assert_double_eq_tol(first, 0, 1e-3);
    ck_assert_double_eq_tol(last, 3, 1e-3);
    pc_buffer_free(&svg);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

/* ---- pixels ---- */

static const unsigned char *pixel(const pc_buffer *pixels, int width, double x, double y, int height)
{
    int column = (int)floor(x), row = height - 1 - (int)floor(y);
    return (const unsigned char *)pixels->data + 3 * (row * width + column);
}

static bool is_red(const unsigned char *rgb)
{
    return rgb[0] > 200 && rgb[1] < 120 && rgb[2] < 120;
}

START_TEST(pixels_of_the_curve_are_where_the_function_is)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *p = &layout.panels[0];
    for (int dense = 1; dense <= 2; dense++) {
        pc_buffer pixels = {0};
        ck_assert_int_eq(pc_figure_pixels(figure, dense * WIDTH, dense * HEIGHT, dense * 96, &pixels, NULL), PC_OK);
        ck_assert_uint_eq(pixels.size, (size_t)(3 * dense * WIDTH * dense * HEIGHT));
        for (int i = 1; i < 60; i++) {
            double t = 3.0 * i / 60, x = p->frame.x0 + pc_scale_position(&p->x, t) * (p->frame.x1 - p->frame.x0);
            double y = p->frame.y0 + pc_scale_position(&p->y, sin(3 * t)) * (p->frame.y1 - p->frame.y0);
            ck_assert_msg(is_red(pixel(&pixels, dense * WIDTH, dense * x, dense * y, dense * HEIGHT)), "at t = %g", t);
        }
        /* corners of the page are the page's colour, in every theme */
        ck_assert_int_eq(pixel(&pixels, dense * WIDTH, 0, 0, dense * HEIGHT)[1], 255);
        pc_buffer_free(&pixels);
    }
    figure->theme = pc_theme_find("dark");
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    ck_assert_int_eq(pixel(&pixels, WIDTH, 0, 0, HEIGHT)[1], figure->theme->page.green);
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_gap_in_the_data_is_a_gap_in_the_curve)
{
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {1, 1, NAN, NAN, 1, 1};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 6, NULL, "#ff0000");
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_box f = layout.panels[0].frame;
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    double middle = (f.y0 + f.y1) / 2;
    for (int i = 1; i < 50; i++) {
        double at = i / 50.0;
        if (fabs(at - 0.2) < 0.02 || fabs(at - 0.8) < 0.02) continue;
        bool drawn = is_red(pixel(&pixels, WIDTH, f.x0 + at * (f.x1 - f.x0), middle, HEIGHT));
        ck_assert_msg(drawn == (at < 0.2 || at > 0.8), "at %g of the axis", at);
    }
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(curves_do_not_leave_their_frame)
{
    const double x[] = {0, 1, 2, 3}, y[] = {-50, 50, -50, 50};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 4, NULL, "#ff0000");
    add(panel, "scatter", x, y, 4, NULL, "#ff0000");
    ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", -1, 1, false, NULL), PC_OK);
    ck_assert_int_eq(pc_axis_set_limits(&panel->x, "x", 0.5, 2.5, false, NULL), PC_OK);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_box f = layout.panels[0].frame;
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    int inside = 0;
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            if (!is_red(pixel(&pixels, WIDTH, column, row, HEIGHT))) continue;
            /* half the pen's width may lie over the edge */
            ck_assert(column >= f.x0 - 2 && column <= f.x1 + 2 && row >= f.y0 - 2 && row <= f.y1 + 2);
            inside++;
        }
    }
    ck_assert_int_gt(inside, 200);
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

/* P4 of the cases known from other tools. */
START_TEST(degenerate_data_draws_on_every_device)
{
    static const double x[] = {1, 2, 3};
    static const double cases[][3] = {
        {1, 1, 1}, {NAN, 2, NAN}, {NAN, NAN, NAN}, {INFINITY, 1, -INFINITY}, {0, 1e300, -1e300}};
    static const char *const paths[] = {"a.png", "a.svg", "a.pdf"};
    for (int i = 0; i < 5; i++) {
        for (int log = 0; log < 2; log++) {
            pc_panel *panel;
            pc_figure *figure = new_figure(&panel);
            panel->y.log = log;
            add(panel, "line", x, cases[i], 3, "line", NULL);
            add(panel, "step", x, cases[i], 0, "empty", NULL);
            add(panel, "scatter", x, cases[i], 1, "one", NULL);
            for (int k = 0; k < 3; k++) {
                pc_buffer bytes = {0};
                render(figure, paths[k], &bytes);
                ck_assert_uint_gt(bytes.size, 1000);
                pc_buffer_free(&bytes);
            }
            pc_figure_free(figure);
        }
    }
}
END_TEST

START_TEST(empty_series_and_panels_say_that_they_are)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", NULL, NULL, 0, "F_n", NULL);
    pc_buffer svg = {0};
    render(figure, "x.svg", &svg);
    ck_assert(has_text(&svg, "no data"));
    ck_assert(has_text(&svg, "Fn (no data)"));
    pc_buffer_free(&svg);
    pc_figure_free(figure);
}
END_TEST

UNIT_MAIN("chart drawn", 180, svg_holds_titles_labels_ticks_and_legend_as_text, svg_curve_lies_on_the_function,
          pixels_of_the_curve_are_where_the_function_is, a_gap_in_the_data_is_a_gap_in_the_curve,
          curves_do_not_leave_their_frame, degenerate_data_draws_on_every_device,
          empty_series_and_panels_say_that_they_are)
