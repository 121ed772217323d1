/* What lies between data and devices: labels, limits, ticks, clipping, thinning, dashes. */
#include "chart/axis.h"
#include "chart/curve.h"
#include "chart/label.h"
#include "chart/layout.h"
#include "unit.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A small generator of our own keeps the cases the same everywhere (Marsaglia's xorshift). */
static uint64_t state = 88172645463325252u;

static double uniform(double lo, double hi)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return lo + (hi - lo) * (double)(state >> 11) / 9007199254740992.0;
}

static pc_panel *new_panel(pc_figure **figure)
{
    pc_panel *panel;
    ck_assert_int_eq(pc_figure_new(figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(*figure, &panel, NULL), PC_OK);
    return panel;
}

static void add(pc_panel *panel, const char *kind, const double *x, const double *y, size_t n)
{
    pc_status status = pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, n, "s", (pc_style){0}, NULL);
    ck_assert_int_eq(status, PC_OK);
}

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

START_TEST(plplot_labels_use_its_escapes)
{
    pc_buffer text = {0};
    pc_label_plplot("F_t #1 m^2", &text);
    ck_assert_str_eq(pc_buffer_text(&text), "F#dt#u ##1 m#u2#d");
    pc_buffer_free(&text);
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

/* ---- clipping ---- */

START_TEST(clipped_segments_lie_in_the_box_and_on_the_segment)
{
    const pc_box box = {0, 0, 10, 5};
    int hits = 0;
    for (int i = 0; i < 100000; i++) {
        double size = pow(10, uniform(0, 6));
        double x0 = uniform(-size, size), y0 = uniform(-size, size), x1 = uniform(-size, size),
               y1 = uniform(-size, size);
        double cx0 = x0, cy0 = y0, cx1 = x1, cy1 = y1, length = hypot(x1 - x0, y1 - y0);
        bool hit = pc_clip_segment(box, &cx0, &cy0, &cx1, &cy1);
        hits += hit;
        /* rounding of the intersection grows with the segment's length */
        double slack = 1e-15 * 8 * size;
        if (!hit) {
            /* then no point of the segment is well inside */
            for (int k = 0; k <= 100; k++) {
                double px = x0 + k / 100.0 * (x1 - x0), py = y0 + k / 100.0 * (y1 - y0);
                ck_assert(!(px > slack && px < 10 - slack && py > slack && py < 5 - slack));
            }
            continue;
        }
        const double ends[2][2] = {{cx0, cy0}, {cx1, cy1}};
        for (int k = 0; k < 2; k++) {
            ck_assert(ends[k][0] >= -slack && ends[k][0] <= 10 + slack);
            ck_assert(ends[k][1] >= -slack && ends[k][1] <= 5 + slack);
            double off = ((ends[k][0] - x0) * (y1 - y0) - (ends[k][1] - y0) * (x1 - x0)) / length;
            ck_assert_double_le(fabs(off), slack);
        }
    }
    ck_assert_int_gt(hits, 1000);
}
END_TEST

/* ---- thinning ---- */

typedef struct seen {
    double lo, hi;
    long points;
    int runs;
    double length;
    double first_x, last_x;
} seen;

static void see(void *context, const double *x, const double *y, int n)
{
    seen *s = context;
    if (s->runs == 0) s->first_x = x[0];
    s->last_x = x[n - 1];
    s->runs++;
    s->points += n;
    for (int i = 0; i < n; i++) {
        s->lo = fmin(s->lo, y[i]);
        s->hi = fmax(s->hi, y[i]);
        if (i > 0) s->length += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    }
}

static seen trace(pc_panel *panel, pc_box frame, pc_box box, double column)
{
    seen s = {.lo = INFINITY, .hi = -INFINITY};
    pc_scale x, y;
    pc_panel_limits(panel, &x, &y);
    pc_status status = pc_curve_runs(&panel->series[0], &x, &y, frame, box, column, see, &s, NULL);
    ck_assert_int_eq(status, PC_OK);
    return s;
}

START_TEST(a_million_points_thin_to_the_device_and_keep_every_extreme)
{
    enum { N = 1000000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = uniform(-1, 1);
    }
    y[123457] = 50;
    y[765433] = -70;
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    add(panel, "line", x, y, N);
    pc_scale sx, sy;
    pc_panel_limits(panel, &sx, &sy);
    const pc_box frame = {0, 0, 700, 400};
    seen s = trace(panel, frame, frame, 1);
    ck_assert_int_eq(s.runs, 1);
    ck_assert_int_le((int)s.points, 4 * 702);
    ck_assert_double_eq_tol(s.hi, 400 * pc_scale_position(&sy, 50), 1e-9);
    ck_assert_double_eq_tol(s.lo, 400 * pc_scale_position(&sy, -70), 1e-9);
    pc_figure_free(figure);
    free(x);
    free(y);
}
END_TEST

START_TEST(gaps_break_a_line_and_leave_no_bridge)
{
    const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 1, NAN, 1, INFINITY, 0, 1};
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    add(panel, "line", x, y, 7);
    const pc_box frame = {0, 0, 600, 100};
    seen s = trace(panel, frame, frame, 1);
    ck_assert_int_eq(s.runs, 3);
    ck_assert_int_eq((int)s.points, 2 + 1 + 2);
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_line_that_leaves_the_frame_and_returns_ends_at_its_edge)
{
    const double x[] = {0, 1, 2}, y[] = {0.5, 1e9, 0.5};
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    add(panel, "line", x, y, 3);
    ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", 0, 1, false, NULL), PC_OK);
    const pc_box frame = {0, 0, 200, 100};
    seen s = trace(panel, frame, frame, 1);
    ck_assert_int_eq(s.runs, 2);
    ck_assert_double_le(s.hi, 100 + 1e-6);
    /* both pieces stand upright at the two ends: half the frame high each */
    ck_assert_double_eq_tol(s.length, 100, 1e-4);
    pc_figure_free(figure);
}
END_TEST

START_TEST(steps_hold_each_value_until_the_next_point)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    add(panel, "step", x, y, 3);
    ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", 0, 1, false, NULL), PC_OK);
    const pc_box frame = {0, 0, 200, 100};
    /* two level pieces of 100 and two upright ones of 100; the column is narrow enough to keep every corner */
    seen s = trace(panel, frame, frame, 1e-3);
    ck_assert_double_eq_tol(s.length, 400, 1e-6);
    pc_figure_free(figure);
}
END_TEST

START_TEST(log_axes_hide_and_count_what_is_not_positive)
{
    const double x[] = {1, 10, 100, 1000}, y[] = {1, 0, -5, 10};
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    panel->x.log = panel->y.log = true;
    add(panel, "line", x, y, 4);
    ck_assert_uint_eq(pc_panel_count_masked(panel), 2);
    ck_assert(pc_panel_has_data(panel, &panel->series[0]) && !pc_panel_is_empty(panel));
    const pc_box frame = {0, 0, 300, 100};
    seen s = trace(panel, frame, frame, 1);
    ck_assert_int_eq(s.runs, 2);
    ck_assert_double_eq_tol(s.last_x, 300, 1e-9);
    pc_figure_free(figure);
}
END_TEST

START_TEST(an_interrupt_stops_drawing)
{
    const double x[] = {0, 1}, y[] = {0, 1};
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    add(panel, "line", x, y, 2);
    pc_layout layout;
    pc_interrupt_flag = 1;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_E_INTERRUPTED);
    pc_interrupt_flag = 0;
    pc_figure_free(figure);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(points_outside_the_frame_are_not_drawn)
{
    const double x[] = {0, 1, 2, 3, NAN}, y[] = {0.5, 7, 0.25, -1, 0};
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    add(panel, "scatter", x, y, 5);
    ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", 0, 1, false, NULL), PC_OK);
    pc_scale sx, sy;
    pc_panel_limits(panel, &sx, &sy);
    seen s = {.lo = INFINITY, .hi = -INFINITY};
    const pc_box frame = {0, 0, 100, 100};
    ck_assert_int_eq(pc_curve_points(&panel->series[0], &sx, &sy, frame, 1, see, &s, NULL), PC_OK);
    ck_assert_int_eq(s.runs, 2);
    ck_assert(s.lo == 25 && s.hi == 50);
    pc_figure_free(figure);
}
END_TEST

START_TEST(dashes_cover_their_share_of_a_line_however_it_is_divided)
{
    double x[1001], y[1001];
    for (int i = 0; i <= 1000; i++) {
        x[i] = i;
        y[i] = 0;
    }
    for (int dash = PC_DASH_DASHED; dash < PC_N_DASHES; dash++) {
        double on = 0, all = 0;
        int each = 0; /* dashes a period */
        for (int i = 0; pc_dash_patterns[dash][i] != 0; i++) {
            all += pc_dash_patterns[dash][i];
            if (i % 2 == 1) continue;
            on += pc_dash_patterns[dash][i];
            each++;
        }
        seen fine = {0}, coarse = {0};
        const double ex[2] = {0, 1000}, ey[2] = {0, 0};
        pc_dash_run((pc_dash)dash, 2, x, y, 1001, see, &fine);
        pc_dash_run((pc_dash)dash, 2, ex, ey, 2, see, &coarse);
        ck_assert_double_eq_tol(fine.length, coarse.length, 1e-9 * 1000);
        /* the last period may be cut anywhere */
        ck_assert_double_eq_tol(coarse.length, 1000 * on / all, 2 * all);
        ck_assert_int_ge(coarse.runs, each * (int)(1000 / (2 * all)));
        ck_assert_int_le(coarse.runs, each * (int)(1000 / (2 * all) + 1));
    }
}
END_TEST

/* ---- layout ---- */

static bool within(pc_box inner, pc_box outer)
{
    return inner.x0 >= outer.x0 && inner.x1 <= outer.x1 && inner.y0 >= outer.y0 && inner.y1 <= outer.y1;
}

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

typedef struct meeting {
    pc_box box;
    int inside;
} meeting;

static void meet(void *context, const double *x, const double *y, int n)
{
    meeting *m = context;
    for (int i = 1; i < n; i++) {
        double x0 = x[i - 1], y0 = y[i - 1], x1 = x[i], y1 = y[i];
        m->inside += pc_clip_segment(m->box, &x0, &y0, &x1, &y1);
    }
}

START_TEST(legends_inside_the_frame_hide_no_curve)
{
    enum { N = 200 };
    int placed = 0;
    for (int trial = 0; trial < 300; trial++) {
        double x[N], y[N], bend = uniform(-3, 3), tilt = uniform(-4, 4), wave = uniform(0, 12);
        for (int i = 0; i < N; i++) {
            x[i] = i / (N - 1.0);
            y[i] = bend * x[i] * x[i] + tilt * x[i] + sin(wave * x[i]);
        }
        pc_figure *figure;
        pc_panel *panel = new_panel(&figure);
        add(panel, "line", x, y, N);
        pc_layout layout;
        ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
        const pc_panel_layout *p = &layout.panels[0];
        ck_assert_int_eq(p->n_entries, 1);
        if (p->legend_inside) {
            placed++;
            meeting m = {.box = p->legend};
            ck_assert(within(p->legend, p->frame));
            pc_curve_runs(&panel->series[0], &p->x, &p->y, p->frame, p->frame, 1, meet, &m, NULL);
            ck_assert_int_eq(m.inside, 0);
        } else {
            ck_assert(p->entries[0].y > p->frame.y1 && p->entries[0].y < layout.height);
        }
        pc_layout_free(&layout);
        pc_figure_free(figure);
    }
    ck_assert_int_gt(placed, 200);
}
END_TEST

/* ---- figures ---- */

START_TEST(automatic_dashes_differ_from_each_other_and_from_those_asked_for)
{
    const double x[] = {0, 1};
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    const pc_dash asked[] = {PC_DASH_AUTO, PC_DASH_DASHED, PC_DASH_AUTO, PC_DASH_AUTO, PC_DASH_DOTTED, PC_DASH_AUTO};
    for (int i = 0; i < 6; i++) {
        pc_style style = {.dash = asked[i]};
        ck_assert_int_eq(pc_panel_add_series(panel, &pc_series_kinds[0], x, x, 2, NULL, style, NULL), PC_OK);
    }
    ck_assert_int_eq(pc_panel_series_dash(panel, 0), PC_DASH_SOLID);
    for (size_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < i; k++) ck_assert_int_ne(pc_panel_series_dash(panel, i), pc_panel_series_dash(panel, k));
    }
    pc_figure_free(figure);
}
END_TEST

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

START_TEST(spans_of_one_label_share_a_tint_and_unlabelled_ones_follow)
{
    pc_figure *figure;
    pc_panel *panel = new_panel(&figure);
    static const char *const labels[] = {"stick", "slip", NULL, "stick", NULL, "slip", "jam"};
    static const int tints[] = {0, 1, 1, 0, 0, 1, 2};
    for (int i = 0; i < 7; i++) ck_assert_int_eq(pc_panel_add_span(panel, i, i + 1, labels[i], NULL), PC_OK);
    for (int i = 0; i < 7; i++) ck_assert_int_eq(pc_panel_span_tint(panel, (size_t)i), tints[i]);
    pc_figure_free(figure);
}
END_TEST

START_TEST(colours_are_read_by_name_and_number)
{
    pc_colour colour;
    ck_assert(pc_colour_parse("#0072b2", &colour));
    ck_assert(colour.red == 0 && colour.green == 0x72 && colour.blue == 0xB2 && colour.given);
    for (int i = 0; pc_colour_names[i]; i++) ck_assert(pc_colour_parse(pc_colour_names[i], &colour));
    static const char *const bad[] = {"", "#", "#12345", "#12345g", "#1234567", "Blue", "puce"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert(!pc_colour_parse(bad[i], &colour));
    ck_assert_int_eq(pc_colour_terminal((pc_colour){255, 0, 0, true}), 196);
    ck_assert_int_eq(pc_colour_terminal((pc_colour){255, 255, 255, true}), 231);
}
END_TEST

/* Builds and lays out a figure with everything on it; any of its requests for memory may fail. */
static pc_status build_all(void)
{
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    pc_figure *figure = NULL;
    pc_panel *panel;
    pc_layout layout;
    pc_status s = pc_figure_new(&figure, NULL);
    if (!s) s = pc_figure_set_title(figure, "title", NULL);
    if (!s) s = pc_figure_add_panel(figure, &panel, NULL);
    if (!s) s = pc_panel_set_text(&panel->x.label, "x", NULL);
    if (!s) s = pc_panel_add_series(panel, &pc_series_kinds[0], x, y, 3, "a", (pc_style){0}, NULL);
    if (!s) s = pc_panel_add_series(panel, &pc_series_kinds[2], x, y, 3, "b", (pc_style){0}, NULL);
    if (!s) s = pc_panel_add_guide(panel, true, 1, "g", (pc_style){0}, NULL);
    if (!s) s = pc_panel_add_span(panel, 0, 1, "s", NULL);
    if (!s) s = pc_panel_add_note(panel, 1, 1, "n", NULL);
    if (!s && (s = pc_layout_make(figure, &layout, NULL)) == PC_OK) pc_layout_free(&layout);
    pc_figure_free(figure);
    return s;
}

START_TEST(every_failing_allocation_is_reported_and_nothing_leaks)
{
    int failures = 0;
    for (long n = 0;; n++) {
        pc_alloc_fail_after(n);
        pc_status status = build_all();
        pc_alloc_fail_after(-1);
        ck_assert_int_eq((int)pc_alloc_live(), 0);
        if (status == PC_OK && n > 60) break;
        failures += status == PC_E_MEMORY;
        ck_assert(status == PC_OK || status == PC_E_MEMORY);
    }
    ck_assert_int_gt(failures, 15);
}
END_TEST

UNIT_MAIN("chart data", 120, scripts_become_raised_and_lowered_characters,
          scripts_without_such_characters_stay_as_written, names_with_underscores_stay_names, ascii_labels_spell_greek,
          plplot_labels_use_its_escapes, cleaned_labels_hold_no_control_bytes_and_only_good_utf8,
          long_labels_are_cut_with_an_ellipsis, ticks_lie_on_the_axis_for_every_size_of_numbers,
          log_ticks_lie_on_the_axis_for_every_size_of_numbers, tick_texts_are_round_and_share_what_is_large,
          limits_of_degenerate_data_are_finite_and_apart, given_limits_are_kept_and_bad_ones_refused,
          clipped_segments_lie_in_the_box_and_on_the_segment,
          a_million_points_thin_to_the_device_and_keep_every_extreme, gaps_break_a_line_and_leave_no_bridge,
          a_line_that_leaves_the_frame_and_returns_ends_at_its_edge, steps_hold_each_value_until_the_next_point,
          log_axes_hide_and_count_what_is_not_positive, an_interrupt_stops_drawing,
          points_outside_the_frame_are_not_drawn, dashes_cover_their_share_of_a_line_however_it_is_divided,
          frames_of_a_grid_line_up_and_stay_on_the_page, legends_inside_the_frame_hide_no_curve,
          automatic_dashes_differ_from_each_other_and_from_those_asked_for,
          limits_move_to_a_round_value_nearby_and_no_farther,
          spans_of_one_label_share_a_tint_and_unlabelled_ones_follow, colours_are_read_by_name_and_number,
          every_failing_allocation_is_reported_and_nothing_leaks)
