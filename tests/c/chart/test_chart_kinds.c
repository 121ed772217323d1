/* Bars, error bars, histograms, second axes, polar panels and equal units: what is computed and what is drawn. */
#include "chart/figure/figure.h"
#include "chart/text/text.h"
#include "chart/paint/paint.h"
#include "chart_figure.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

static void add(pc_panel *panel, const char *kind, const double *x, const double *y, size_t n, const pc_reach *reach,
                const char *colour)
{
    pc_style style = {.dash = PC_DASH_SOLID};
    pc_error err = {0};
    if (colour) ck_assert(pc_colour_parse(colour, &style.colour));
    pc_status status = pc_panel_add_reaching(panel, pc_series_kind_find(kind), x, y, n, reach ? reach : &(pc_reach){0},
                                             "s", style, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

/* Colour of the page's pixel at a point of the layout. */
static pc_colour pixel(const pc_buffer *pixels, double x, double y)
{
    const unsigned char *rgb =
        (const unsigned char *)pixels->data + 3 * ((HEIGHT - 1 - (int)floor(y)) * WIDTH + (int)floor(x));
    return (pc_colour){rgb[0], rgb[1], rgb[2], true};
}

static bool is_red(pc_colour c)
{
    return c.red > 180 && c.green < 140 && c.blue < 140;
}

static double place(const pc_scale *scale, double value, double from, double to)
{
    return from + pc_scale_position(scale, value) * (to - from);
}

/* ---- histograms ---- */

START_TEST(histograms_count_every_value_once)
{
    const double edges[] = {0, 1, 2, 4};
    const double values[] = {-1, 0, 0.5, 1, 1, 2, 3.9, 4, 4.1, NAN, INFINITY};
    double counts[3];
    ck_assert_uint_eq(pc_histogram_count(values, 11, edges, 3, counts), 4);
    ck_assert(counts[0] == 2 && counts[1] == 2 && counts[2] == 3);
}
END_TEST

START_TEST(the_number_of_bins_follows_the_published_rules)
{
    enum { N = 1000 };
    double values[N], lo, hi;
    size_t n;
    /* evenly spread over [0, 1]: half the range between the quartiles, so n = 1 / (2 * 0.5 / 10) */
    for (int i = 0; i < N; i++) values[i] = (double)i / (N - 1);
    ck_assert_int_eq(pc_histogram_bins(values, N, 200, &lo, &hi, &n, NULL), PC_OK);
    ck_assert(lo == 0 && hi == 1);
    ck_assert_int_le(abs((int)n - 10), 1);
    /* more than half of them equal: log2 1000 + 1, rounded up */
    for (int i = 0; i < 800; i++) values[i] = 0.25;
    ck_assert_int_eq(pc_histogram_bins(values, N, 200, &lo, &hi, &n, NULL), PC_OK);
    ck_assert_uint_eq(n, 11);
    for (int i = 0; i < N; i++) values[i] = 7;
    ck_assert_int_eq(pc_histogram_bins(values, N, 200, &lo, &hi, &n, NULL), PC_OK);
    ck_assert(n == 1 && lo < 7 && hi > 7);
    for (int i = 0; i < N; i++) values[i] = NAN;
    ck_assert_int_eq(pc_histogram_bins(values, N, 200, &lo, &hi, &n, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- bars ---- */

START_TEST(bars_stand_on_zero_and_are_as_high_as_their_values)
{
    double x[] = {1, 2}, y[] = {4, 1}, lo[] = {0.75, 1.75}, hi[] = {1.25, 2.25}, base[] = {0, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->legend = false;
    add(panel, "bars", x, y, 2, &(pc_reach){.x_lo = lo, .x_hi = hi, .y_lo = base}, "#ff0000");
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *l = &layout.panels[0];
    ck_assert_double_eq(l->y.lo, 0);
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    for (int i = 0; i < 2; i++) {
        double px = place(&l->x, x[i], l->frame.x0, l->frame.x1);
        double left = place(&l->x, lo[i], l->frame.x0, l->frame.x1);
        double top = place(&l->y, y[i], l->frame.y0, l->frame.y1);
        ck_assert(is_red(pixel(&pixels, px, top - 3)) && is_red(pixel(&pixels, px, l->frame.y0 + 3)));
        ck_assert(!is_red(pixel(&pixels, px, top + 3)));
        ck_assert(is_red(pixel(&pixels, left + 3, top - 3)) && !is_red(pixel(&pixels, left - 3, top - 3)));
    }
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(bars_on_a_log_axis_begin_at_its_lower_end)
{
    double x[] = {1, 2}, y[] = {1000, 10}, base[] = {0, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->y.log = true;
    panel->legend = false;
    double lo[] = {0.6, 1.6}, hi[] = {1.4, 2.4};
    add(panel, "bars", x, y, 2, &(pc_reach){.x_lo = lo, .x_hi = hi, .y_lo = base}, "#ff0000");
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *l = &layout.panels[0];
    ck_assert_double_gt(l->y.lo, 0);
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    double px = place(&l->x, 1, l->frame.x0, l->frame.x1);
    ck_assert(is_red(pixel(&pixels, px, l->frame.y0 + 3)));
    ck_assert_int_eq((int)pc_panel_count_masked(panel), 0);
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(whiskers_reach_their_errors_and_limits_hold_them)
{
    double x[] = {1, 2, 3}, y[] = {1, 2, NAN}, lo[] = {0, 1.5, 0}, hi[] = {3, 2.5, 9}, left[] = {0.5, NAN, 0};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->legend = false;
    add(panel, "errorbars", x, y, 3, &(pc_reach){.x_lo = left, .y_lo = lo, .y_hi = hi}, "#ff0000");
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *l = &layout.panels[0];
    /* the third point is none, so its errors do not count */
    ck_assert(l->y.lo <= 0 && l->y.hi >= 3 && l->y.hi < 4 && l->x.lo <= 0.5);
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    double px = place(&l->x, 1, l->frame.x0, l->frame.x1);
    for (double v = 0.1; v < 2.95; v += 0.1) {
        double py = place(&l->y, v, l->frame.y0, l->frame.y1);
        bool red = is_red(pixel(&pixels, px, py)) || is_red(pixel(&pixels, px - 1, py));
        ck_assert_msg(red, "no whisker at %g", v);
    }
    ck_assert(!is_red(pixel(&pixels, px, place(&l->y, 3, l->frame.y0, l->frame.y1) + 4)));
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

/* ---- axes ---- */

START_TEST(a_right_axis_has_limits_ticks_and_curves_of_its_own)
{
    const double x[] = {0, 1}, small[] = {0, 1}, large[] = {2e5, 1e5};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->legend = false;
    pc_panel_set_text(&panel->right.label, "stiffness", NULL);
    pc_panel_set_text(&panel->right.unit, "N/m", NULL);
    add(panel, "line", x, small, 2, NULL, "#0000ff");
    add(panel, "line", x, large, 2, NULL, "#ff0000");
    ck_assert(!pc_panel_has_right(panel));
    panel->series[1].right = true;
    ck_assert(pc_panel_has_right(panel));
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *l = &layout.panels[0];
    ck_assert(l->y.hi < 2 && l->right.lo > 5e4 && l->right.hi > 2e5 && l->right.n_ticks >= 3);
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    for (int i = 1; i < 20; i++) {
        double at = i / 20.0, px = place(&l->x, at, l->frame.x0, l->frame.x1);
        double py = place(&l->right, 2e5 - at * 1e5, l->frame.y0, l->frame.y1);
        ck_assert_msg(is_red(pixel(&pixels, px, py)), "at %g", at);
    }
    pc_buffer_clear(&pixels);
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){70, 20, true, false, false}, &pixels, NULL), PC_OK);
    ck_assert_ptr_nonnull(strstr(pixels.data, "stiffness [N/m]  ×10⁵\n"));
    ck_assert_ptr_nonnull(strstr(pixels.data, "├ 2.0\n"));
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_log_right_axis_hides_what_is_not_positive_there_alone)
{
    const double x[] = {0, 1, 2}, y[] = {-1, 0, 10};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->right.log = true;
    add(panel, "line", x, y, 3, NULL, NULL);
    ck_assert_uint_eq(pc_panel_count_masked(panel), 0);
    panel->series[0].right = true;
    ck_assert_uint_eq(pc_panel_count_masked(panel), 2);
    pc_figure_free(figure);
}
END_TEST

START_TEST(equal_panels_have_units_of_equal_length)
{
    const double x[] = {0, 10}, y[] = {0, 1};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->equal = true;
    add(panel, "line", x, y, 2, NULL, NULL);
    for (int tall = 0; tall < 2; tall++) {
        if (tall) ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", 0, 40, false, NULL), PC_OK);
        pc_layout layout;
        ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
        const pc_panel_layout *l = &layout.panels[0];
        double unit_x = (l->frame.x1 - l->frame.x0) / (l->x.hi - l->x.lo);
        double unit_y = (l->frame.y1 - l->frame.y0) / (l->y.hi - l->y.lo);
        /* frames lie on whole pixels: each side may be off by two */
        double slack = 2 / fmin(l->frame.x1 - l->frame.x0, l->frame.y1 - l->frame.y0);
        ck_assert_double_eq_tol(unit_x / unit_y, 1, slack);
        pc_layout_free(&layout);
    }
    pc_figure_free(figure);
}
END_TEST

START_TEST(polar_panels_draw_a_circle_of_constant_radius)
{
    enum { N = 400 };
    double angle[N], radius[N];
    for (int i = 0; i < N; i++) {
        angle[i] = 6.283185307179586 * i / (N - 1);
        radius[i] = 3;
    }
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->polar = true;
    panel->legend = false;
    panel->y.hi = 4;
    add(panel, "line", angle, radius, N, NULL, "#ff0000");
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_box f = layout.panels[0].frame;
    ck_assert_double_eq_tol(f.x1 - f.x0, f.y1 - f.y0, 1.01);
    double x = (f.x0 + f.x1) / 2, y = (f.y0 + f.y1) / 2, r = 0.75 * (f.x1 - f.x0) / 2;
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    for (int i = 0; i < 50; i++) {
        double u = cos(i * 0.1256637), v = sin(i * 0.1256637);
        bool red = false;
        for (double off = -1; off <= 1; off += 0.5)
            red = red || is_red(pixel(&pixels, x + (r + off) * u, y + (r + off) * v));
        ck_assert_msg(red, "at %d of 50", i);
        ck_assert(!is_red(pixel(&pixels, x + (r - 6) * u, y + (r - 6) * v)));
    }
    pc_buffer_clear(&pixels);
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){70, 24, true, false, false}, &pixels, NULL), PC_OK);
    ck_assert(strstr(pixels.data, "90°") && strstr(pixels.data, "180°") && strstr(pixels.data, " 0°"));
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(polar_panels_refuse_what_has_no_meaning_there)
{
    const double x[] = {0, 1}, y[] = {1, 2};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    panel->polar = true;
    pc_error err = {0};
    static const char *const kinds[] = {"step", "bars", "errorbars"};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pc_panel_add_series(panel, pc_series_kind_find(kinds[i]), x, y, 2, NULL, (pc_style){0}, &err),
                         PC_E_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(err.text, kinds[i]));
    }
    ck_assert_int_eq(pc_panel_add_span(panel, 0, 1, NULL, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_panel_add_guide(panel, true, 1, NULL, (pc_style){0}, NULL), PC_E_ARGUMENT);
    ck_assert(panel->n_series == 0 && panel->n_spans == 0 && panel->n_guides == 0);
    pc_figure_free(figure);
}
END_TEST

/* ---- every kind ---- */

START_TEST(every_kind_draws_degenerate_data_on_every_device)
{
    static const double cases[][3] = {
        {1, 1, 1}, {NAN, 2, NAN}, {NAN, NAN, NAN}, {INFINITY, 1, -INFINITY}, {0, 1e300, -1e300}};
    double x[] = {1, 2, 3}, below[] = {0, NAN, -INFINITY}, above[] = {1e308, 1, INFINITY};
    for (int k = 0; pc_series_kinds[k].name; k++) {
        for (int i = 0; i < 5; i++) {
            for (int way = 0; way < 4; way++) {
                pc_panel *panel;
                pc_figure *figure = new_figure(&panel);
                panel->y.log = way == 1;
                panel->equal = way == 2;
                panel->polar =
                    way == 3 && !pc_series_kinds[k].filled && !pc_series_kinds[k].whiskered && !pc_series_kinds[k].held;
                add(panel, pc_series_kinds[k].name, x, cases[i], 3,
                    &(pc_reach){.x_lo = below, .x_hi = above, .y_lo = below, .y_hi = above}, NULL);
                pc_error err = {0};
                for (int f = 0; pc_formats[f].ending; f++) {
                    pc_buffer bytes = {0};
                    pc_status status = pc_figure_render(figure, &pc_formats[f], 96, &bytes, &err);
                    ck_assert_msg(status == PC_OK, "%s, case %d, way %d, %s: %s", pc_series_kinds[k].name, i, way,
                                  pc_formats[f].ending, err.text);
                    pc_buffer_free(&bytes);
                }
                pc_buffer text = {0};
                pc_status status = pc_figure_text(figure, (pc_text_options){60, 20, true, false, false}, &text, &err);
                ck_assert_msg(status == PC_OK, "%s", err.text);
                pc_buffer_free(&text);
                pc_figure_free(figure);
            }
        }
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(every_failing_allocation_while_adding_leaves_the_panel_as_it_was)
{
    double x[] = {1, 2}, y[] = {4, 1}, lo[] = {0, 1}, hi[] = {2, 3};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    long before = pc_alloc_live();
    int failures = 0;
    for (long n = 0; panel->n_series == 0; n++) {
        ck_assert_int_lt((int)n, 50);
        pc_alloc_fail_after(n);
        pc_status status = pc_panel_add_reaching(panel, pc_series_kind_find("errorbars"), x, y, 2,
                                                 &(pc_reach){lo, hi, lo, hi}, "label", (pc_style){0}, NULL);
        pc_alloc_fail_after(-1);
        failures += status == PC_E_MEMORY;
        if (status) ck_assert_int_eq((int)pc_alloc_live(), (int)before);
    }
    ck_assert_int_ge(failures, 7);
    pc_figure_free(figure);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- windows ---- */

START_TEST(without_a_display_a_window_is_an_error_and_the_process_goes_on)
{
    const double x[] = {0, 1};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, x, 2, NULL, NULL);
    pc_error err = {0};
    unsetenv("DISPLAY");
    ck_assert_int_eq(pc_plplot_window(figure, &err), PC_E_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, "DISPLAY"));
    /* a display that no server listens on; the name of the machine keeps it from waiting for a network */
    setenv("DISPLAY", "unix:4711", 1);
    ck_assert_int_eq(pc_plplot_window(figure, &err), PC_E_SYSTEM);
    ck_assert_msg(strstr(err.text, "no window: ") == err.text && strlen(err.text) > 15, "%s", err.text);
    pc_buffer bytes = {0};
    ck_assert_int_eq(pc_figure_render(figure, &pc_formats[PC_FORMAT_PNG], 96, &bytes, NULL), PC_OK);
    pc_buffer_free(&bytes);
    pc_figure_free(figure);
}
END_TEST

UNIT_MAIN("chart kinds", 180, histograms_count_every_value_once, the_number_of_bins_follows_the_published_rules,
          bars_stand_on_zero_and_are_as_high_as_their_values, bars_on_a_log_axis_begin_at_its_lower_end,
          whiskers_reach_their_errors_and_limits_hold_them, a_right_axis_has_limits_ticks_and_curves_of_its_own,
          a_log_right_axis_hides_what_is_not_positive_there_alone, equal_panels_have_units_of_equal_length,
          polar_panels_draw_a_circle_of_constant_radius, polar_panels_refuse_what_has_no_meaning_there,
          every_kind_draws_degenerate_data_on_every_device,
          every_failing_allocation_while_adding_leaves_the_panel_as_it_was,
          without_a_display_a_window_is_an_error_and_the_process_goes_on)
