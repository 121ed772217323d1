/* What lies between data and devices: clipping, thinning, dashes, legends, figures. */
#include "chart/figure/figure.h"
#include "chart_panels.h"
#include "unit.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>

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

UNIT_MAIN("chart data", 120, clipped_segments_lie_in_the_box_and_on_the_segment,
          a_million_points_thin_to_the_device_and_keep_every_extreme, gaps_break_a_line_and_leave_no_bridge,
          a_line_that_leaves_the_frame_and_returns_ends_at_its_edge, steps_hold_each_value_until_the_next_point,
          log_axes_hide_and_count_what_is_not_positive, an_interrupt_stops_drawing,
          points_outside_the_frame_are_not_drawn, dashes_cover_their_share_of_a_line_however_it_is_divided,
          legends_inside_the_frame_hide_no_curve, automatic_dashes_differ_from_each_other_and_from_those_asked_for,
          spans_of_one_label_share_a_tint_and_unlabelled_ones_follow, colours_are_read_by_name_and_number,
          every_failing_allocation_is_reported_and_nothing_leaks)
