/* Axes: labels, limits, ticks, frames. */
#include "chart/figure/figure.h"
#include "chart_panels.h"
#include "unit.h"

#include "base/alloc.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- labels ---- */

static void check_plain(const char *label, bool unicode, const char *expected)
{
    pc_buffer text = {0};
    pc_label_plain(label, unicode, &text);
    ck_assert_str_eq(pc_buffer_text(&text), expected);
    pc_buffer_free(&text);
}

START_TEST(scripts_become_raised_and_lowered_characters)
{
    check_plain("ω_0 t", true, "ω₀ t");
    check_plain("F_t/μ", true, "Fₜ/μ");
    check_plain("m^2", true, "m²");
    check_plain("10^{-3}", true, "10⁻³");
    check_plain("s^-1", true, "s⁻¹");
}
END_TEST

START_TEST(scripts_without_such_characters_stay_as_written)
{
    check_plain("N/m^1.5", true, "N/m^1.5");
    check_plain("θ_cr", true, "θ_cr");
}
END_TEST

START_TEST(names_with_underscores_stay_names)
{
    check_plain("loss_fraction", true, "loss_fraction");
    check_plain("restitution_e_n", true, "restitution_e_n");
    check_plain("time_s", true, "time_s");
    check_plain("time_{s}", true, "timeₛ");
    check_plain("\\F\\_t", true, "F_t");
}
END_TEST

START_TEST(ascii_labels_spell_greek)
{
    check_plain("ω_0 t", false, "omega_0 t");
    check_plain("Δθ ≥ 5°", false, "Deltatheta >= 5 deg");
    check_plain("\u22121.5", false, "-1.5");
    check_plain("漢", false, "?");
}
END_TEST

START_TEST(markup_is_read_in_pieces)
{
    static const struct {
        const char *text;
        int height;
    } pieces[] = {{"F", 0}, {"t", -1}, {" ", 0}, {"#", 0}, {"1", 0}, {" ", 0}, {"m", 0}, {"2", 1}};
    pc_label_reader reader = {"F_t #1 m^2", 0};
    pc_label_piece piece;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        ck_assert(pc_label_read(&reader, &piece));
        ck_assert_int_eq(piece.height, pieces[i].height);
        ck_assert_uint_eq(piece.size, strlen(pieces[i].text));
        ck_assert_int_eq(strncmp(piece.start, pieces[i].text, piece.size), 0);
    }
    ck_assert(!pc_label_read(&reader, &piece));
}
END_TEST

START_TEST(cleaned_labels_hold_no_control_bytes_and_only_good_utf8)
{
    char *clean = pc_label_clean("a\033[31mb\n\x80\xC3\xA9\xFF\xED\xA0\x80\xC2\x9B.");
    ck_assert_str_eq(clean, "a [31mb \uFFFD\u00E9\uFFFD\uFFFD\uFFFD\uFFFD .");
    pc_free(clean);
}
END_TEST

START_TEST(long_labels_are_cut_with_an_ellipsis)
{
    char longer[1000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    char *clean = pc_label_clean(longer);
    ck_assert_uint_eq(strlen(clean), PC_LABEL_LENGTH - 1 + strlen("…"));
    ck_assert_str_eq(clean + PC_LABEL_LENGTH - 1, "…");
    pc_free(clean);
}
END_TEST

/* ---- limits and ticks ---- */

/* Labelled ticks lie within the limits, grow, and read back as their values; there are at least two. */
static void check_ticks(pc_scale *scale, int wanted)
{
    pc_scale_set_ticks(scale, wanted);
    double lo = fmin(scale->lo, scale->hi), hi = fmax(scale->lo, scale->hi), slack = 1e-5 * (hi - lo);
    int labelled = 0;
    for (int i = 0; i < scale->n_ticks; i++) {
        double value = scale->ticks[i].value;
        ck_assert_msg(value >= lo - slack && value <= hi + slack, "tick %g outside [%g, %g]", value, lo, hi);
        if (i > 0 && !scale->log) ck_assert(value > scale->ticks[i - 1].value);
        labelled += scale->ticks[i].text[0] != '\0';
    }
    ck_assert_msg(labelled >= 2, "%d ticks on [%.17g, %.17g]", labelled, lo, hi);
    ck_assert_int_lt(labelled, PC_TICKS_MAX);
}

START_TEST(ticks_lie_on_the_axis_for_every_size_of_numbers)
{
    for (int i = 0; i < 20000; i++) {
        double width = pow(10, uniform(-290, 290)), middle = uniform(-3, 3) * width;
        if (i % 3 == 0) middle = width * pow(10, uniform(0, 10)); /* narrow beside its distance from 0 */
        pc_scale scale = {.lo = middle - width / 2, .hi = middle + width / 2};
        check_ticks(&scale, 3 + i % 8);
    }
}
END_TEST

START_TEST(log_ticks_lie_on_the_axis_for_every_size_of_numbers)
{
    for (int i = 0; i < 5000; i++) {
        double lo = pow(10, uniform(-300, 280)), ratio = pow(10, uniform(0.05, i % 2 ? 2 : 20));
        pc_scale scale = {.lo = lo, .hi = lo * ratio, .log = true};
        check_ticks(&scale, 3 + i % 8);
    }
}
END_TEST

static void check_texts(double lo, double hi, int wanted, const char *common, const char *const *texts)
{
    pc_scale scale = {.lo = lo, .hi = hi};
    pc_scale_set_ticks(&scale, wanted);
    ck_assert_str_eq(scale.common, common);
    for (int i = 0; texts[i]; i++) {
        ck_assert_int_lt(i, scale.n_ticks);
        ck_assert_str_eq(scale.ticks[i].text, texts[i]);
    }
}

START_TEST(tick_texts_are_round_and_share_what_is_large)
{
    check_texts(0, 1, 5, "", (const char *const[]){"0.0", "0.2", "0.4", "0.6", "0.8", "1.0", NULL});
    check_texts(-0.5, 0.5, 4, "", (const char *const[]){"\u22120.50", "\u22120.25", "0.00", "0.25", "0.50", NULL});
    check_texts(0, 4e6, 4, "×10^{6}", (const char *const[]){"0", "1", "2", "3", "4", NULL});
    check_texts(0, 2e-7, 2, "×10^{-7}", (const char *const[]){"0", "1", "2", NULL});
    check_texts(1200, 1200.0004, 4, "×10^{-4} + 1200", (const char *const[]){"0", "1", "2", "3", "4", NULL});
}
END_TEST

START_TEST(limits_of_degenerate_data_are_finite_and_apart)
{
    static const double cases[][3] = {
        {1, 1, 1},
        {0, 0, 0},
        {NAN, NAN, NAN},
        {NAN, 2, INFINITY},
        {-INFINITY, 3, NAN},
        {1e300, -1e300, 0},
        {5e-324, 0, 0},
        {DBL_MAX, -DBL_MAX, 1},
        {1, 1 + 1e-15, 1},
        {-1e-300, 0, 1e-300},
        {DBL_MAX, DBL_MAX, DBL_MAX},
    };
    static const double x[] = {1, 2, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int log = 0; log < 2; log++) {
            pc_figure *figure;
            pc_panel *panel = new_panel(&figure);
            panel->y.log = log;
            add(panel, "line", x, cases[i], 3);
            pc_scale sx, sy;
            pc_panel_limits(panel, &sx, &sy);
            ck_assert_msg(isfinite(sy.lo) && isfinite(sy.hi) && isfinite(sy.hi - sy.lo) && sy.lo < sy.hi,
                          "case %d: limits %g, %g", (int)i, sy.lo, sy.hi);
            if (log) ck_assert_double_gt(sy.lo, 0);
            pc_figure_free(figure);
        }
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(given_limits_are_kept_and_bad_ones_refused)
{
    pc_axis axis = {.lo = NAN, .hi = NAN};
    pc_error err = {0};
    ck_assert_int_eq(pc_axis_set_limits(&axis, "x", 3, -1, false, &err), PC_OK);
    ck_assert(axis.lo == 3 && axis.hi == -1);
    ck_assert_int_eq(pc_axis_set_limits(&axis, "x", 0, 1, true, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "xlim[1] = 0"));
    ck_assert_int_eq(pc_axis_set_limits(&axis, "y", 1, INFINITY, false, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_axis_set_limits(&axis, "y", 2, 2, false, &err), PC_E_ARGUMENT);
    ck_assert(axis.lo == 3 && axis.hi == -1);
}
END_TEST

/* ---- layout ---- */

START_TEST(frames_of_a_grid_line_up_and_stay_on_the_page)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1000, 123456}, z[] = {0, 1e-9, 2e-9};
    pc_figure *figure;
    ck_assert_int_eq(pc_figure_new(&figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_set_size(figure, 900, 700, 2, NULL), PC_OK);
    for (int i = 0; i < 5; i++) {
        pc_panel *panel;
        ck_assert_int_eq(pc_figure_add_panel(figure, &panel, NULL), PC_OK);
        add(panel, "line", x, i % 2 ? y : z, 3);
        if (i == 2) ck_assert_int_eq(pc_panel_set_text(&panel->y.label, "F", NULL), PC_OK);
    }
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    for (int i = 0; i < 5; i++) {
        pc_box f = layout.panels[i].frame;
        ck_assert(within(f, (pc_box){0, 0, 900, 700}));
        ck_assert(f.x1 - f.x0 > 200 && f.y1 - f.y0 > 100);
        ck_assert_double_eq_tol(f.x0, layout.panels[i % 2].frame.x0, 1e-9);
        ck_assert_double_eq_tol(f.y1, layout.panels[i / 2 * 2].frame.y1, 1e-9);
    }
    pc_layout_free(&layout);
    pc_figure_free(figure);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- figures ---- */

START_TEST(limits_move_to_a_round_value_nearby_and_no_farther)
{
    static const double ends[][4] = {{0.001, 4.98, 0, 5}, {0.3, 4.2, 0.3, 4.2}, {-1, 1, -1, 1}};
    const double y[] = {0, 1};
    for (int i = 0; i < 3; i++) {
        pc_figure *figure;
        pc_panel *panel = new_panel(&figure);
        add(panel, "line", ends[i], y, 2);
        pc_scale sx, sy;
        pc_panel_limits(panel, &sx, &sy);
        ck_assert_double_eq_tol(sx.lo, ends[i][2], 1e-12);
        ck_assert_double_eq_tol(sx.hi, ends[i][3], 1e-12);
        pc_figure_free(figure);
    }
}
END_TEST

UNIT_MAIN("chart axes", 120, scripts_become_raised_and_lowered_characters,
          scripts_without_such_characters_stay_as_written, names_with_underscores_stay_names, ascii_labels_spell_greek,
          markup_is_read_in_pieces, cleaned_labels_hold_no_control_bytes_and_only_good_utf8,
          long_labels_are_cut_with_an_ellipsis, ticks_lie_on_the_axis_for_every_size_of_numbers,
          log_ticks_lie_on_the_axis_for_every_size_of_numbers, tick_texts_are_round_and_share_what_is_large,
          limits_of_degenerate_data_are_finite_and_apart, given_limits_are_kept_and_bad_ones_refused,
          frames_of_a_grid_line_up_and_stay_on_the_page, limits_move_to_a_round_value_nearby_and_no_farther)
