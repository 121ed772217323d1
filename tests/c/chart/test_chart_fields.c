/* Fields of figures before they are drawn: palettes, grids, contours, streamlines, arrows. */
#include "chart/figure/figure.h"
#include "chart/media/media.h"
#include "chart_field_samples.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static double quarter_x(double x, double y)
{
    (void)y;
    return x / 4;
}

/* ---- palettes ---- */

/* What a person without one kind of cone sees, in linear light: F. Vienot, H. Brettel and J. Mollon (1999), "Digital
 * video colourmaps for checking the legibility of displays by dichromats". */
static pc_colour seen_without(pc_colour c, bool red)
{
    const double linear[3] = {pow(c.red / 255.0, 2.2), pow(c.green / 255.0, 2.2), pow(c.blue / 255.0, 2.2)};
    double share = red ? 0.11238 : 0.29275, blue = red ? 0.00401 : -0.02234;
    double yellow = share * linear[0] + (1 - share) * linear[1];
    double rest = blue * linear[0] - blue * linear[1] + linear[2];
    unsigned char y = (unsigned char)(255 * pow(fmin(fmax(yellow, 0), 1), 1 / 2.2) + 0.5);
    unsigned char b = (unsigned char)(255 * pow(fmin(fmax(rest, 0), 1), 1 / 2.2) + 0.5);
    return (pc_colour){y, y, b, true};
}

START_TEST(sequential_palettes_grow_in_lightness_for_every_eye)
{
    for (const pc_palette *p = pc_palettes; p->name; p++) {
        if (p->diverging) continue;
        for (int eye = 0; eye < 3; eye++) {
            double before = -1;
            for (int i = 0; i <= 20; i++) {
                pc_colour c = pc_palette_at(p, i / 20.0);
                double lightness = pc_colour_lightness(eye ? seen_without(c, eye == 1) : c);
                ck_assert_msg(lightness > before, "%s, eye %d, at %g: %g after %g", p->name, eye, i / 20.0, lightness,
                              before);
                before = lightness;
            }
        }
        double ends = pc_colour_lightness(pc_palette_at(p, 1)) - pc_colour_lightness(pc_palette_at(p, 0));
        ck_assert_double_ge(ends, 60);
    }
}
END_TEST

START_TEST(diverging_palettes_are_lightest_in_the_middle)
{
    int found = 0;
    for (const pc_palette *p = pc_palettes; p->name; p++) {
        if (!p->diverging) continue;
        found++;
        for (int i = 1; i <= 20; i++) {
            double out = pc_colour_lightness(pc_palette_at(p, 0.5 + i / 40.0));
            ck_assert_double_lt(out, pc_colour_lightness(pc_palette_at(p, 0.5 + (i - 1) / 40.0)));
            out = pc_colour_lightness(pc_palette_at(p, 0.5 - i / 40.0));
            ck_assert_double_lt(out, pc_colour_lightness(pc_palette_at(p, 0.5 - (i - 1) / 40.0)));
        }
    }
    ck_assert_int_ge(found, 1);
}
END_TEST

START_TEST(colours_of_a_diverging_palette_are_centred_on_zero)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "heatmap", bowl, NULL);
    for (const pc_palette *p = pc_palettes; p->name; p++) {
        field->palette = p;
        pc_scale z;
        pc_field_scale(field, &z);
        ck_assert_double_eq(z.hi, 8);
        ck_assert_double_eq(z.lo, p->diverging ? -8 : 0);
    }
    pc_figure_free(figure);
}
END_TEST

/* ---- grids ---- */

START_TEST(descending_grid_lines_are_turned_with_their_values)
{
    const double x[] = {3, 1}, y[] = {0, 2, 5}, turned[] = {5, 2, 0}, z[] = {1, 2, 3, 4, 5, 6};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *f;
    const pc_field_kind *kind = pc_field_kind_find("heatmap");
    ck_assert_int_eq(pc_panel_add_field(panel, kind, x, 2, y, 3, (const double *const[]){z, NULL}, &f, NULL), PC_OK);
    ck_assert(f->x[0] == 1 && f->x[1] == 3 && f->values[0][0] == 4 && f->values[0][5] == 3);
    ck_assert_int_eq(pc_panel_add_field(panel, kind, x, 2, turned, 3, (const double *const[]){z, NULL}, &f, NULL),
                     PC_OK);
    ck_assert(f->y[0] == 0 && f->values[0][0] == 6 && f->values[0][5] == 1);
    pc_figure_free(figure);
}
END_TEST

START_TEST(wrong_grids_are_refused_and_leave_the_panel_as_it_was)
{
    const double good[] = {0, 1, 2}, back[] = {0, 2, 1}, same[] = {0, 1, 1}, bad[] = {0, NAN, 2}, z[9] = {0};
    const double *const wrong[] = {back, same, bad};
    static const char *const words[] = {"ascend", "repeats", "finite"};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field;
    const pc_field_kind *kind = pc_field_kind_find("contour");
    const double *const values[2] = {z, NULL};
    for (int i = 0; i < 3; i++) {
        pc_error err = {0};
        ck_assert_int_eq(pc_panel_add_field(panel, kind, good, 3, wrong[i], 3, values, &field, &err), PC_E_ARGUMENT);
        ck_assert_msg(strstr(err.text, words[i]) != NULL, "%s", err.text);
    }
    ck_assert_int_eq(pc_panel_add_field(panel, kind, good, 1, good, 3, values, &field, NULL), PC_E_ARGUMENT);
    ck_assert_uint_eq(panel->n_fields, 0);
    pc_figure_free(figure);
}
END_TEST

START_TEST(edges_lie_halfway_or_at_the_mean_ratio)
{
    const double even[] = {1, 2, 4}, decades[] = {1, 10, 100};
    double edges[4];
    pc_field_edges(even, 3, false, edges);
    ck_assert(edges[0] == 0.5 && edges[1] == 1.5 && edges[2] == 3 && edges[3] == 5);
    pc_field_edges(decades, 3, true, edges);
    for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(log10(edges[i]), i - 0.5, 1e-12);
}
END_TEST

/* ---- contours ---- */

typedef struct traced {
    int runs, closed, points;
    double worst, length; /* worst: of the function along the lines */
    function f;
    double level;
} traced;

static void see_contour(void *context, const double *x, const double *y, int n)
{
    traced *t = context;
    t->runs++;
    t->points += n;
    t->closed += x[0] == x[n - 1] && y[0] == y[n - 1];
    for (int i = 0; i < n; i++) {
        t->worst = fmax(t->worst, fabs(t->f(x[i], y[i]) - t->level));
        if (i > 0) t->length += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    }
}

static traced trace(function f, double level)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "contour", f, NULL);
    traced t = {.f = f, .level = level};
    ck_assert_int_eq(pc_contour_trace(field, level, see_contour, &t, NULL), PC_OK);
    pc_figure_free(figure);
    return t;
}

START_TEST(an_ellipse_is_one_closed_line_of_the_right_length)
{
    /* x^2 + 4 y^2 = 1: half axes 1 and 1/2; length 4 a E(1 - b^2/a^2) = 4.8442241 */
    traced t = trace(bowl, 1);
    ck_assert_int_eq(t.runs, 1);
    ck_assert_int_eq(t.closed, 1);
    /* between grid points values run straight: the error of a chord of h = 0.1 and 1/15 is f'' h^2 / 8 */
    ck_assert_double_le(t.worst, 2 * 0.1 * 0.1 / 8 + 8.0 / 225 / 8);
    ck_assert_double_eq_tol(t.length, 4.8442241, 0.01);
}
END_TEST

START_TEST(lines_that_leave_the_grid_are_open)
{
    /* of x^2 + 4 y^2 = 5 only the arcs in the four corners lie in [-2, 2] x [-1, 1] */
    traced t = trace(bowl, 5);
    ck_assert_int_eq(t.runs, 4);
    ck_assert_int_eq(t.closed, 0);
}
END_TEST

START_TEST(a_saddle_has_its_four_branches_through_its_middle)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        traced t = trace(saddle, 0.05 * sign);
        ck_assert_int_eq(t.runs, 2);
        ck_assert_int_eq(t.closed, 0);
        ck_assert_double_le(t.worst, 0.1 / 15 / 2);
    }
}
END_TEST

START_TEST(no_line_passes_where_values_are_missing)
{
    traced t = trace(half_known, 1);
    ck_assert_int_eq(t.runs, 1);
    ck_assert_double_eq_tol(t.length, 2, 1e-12);
    ck_assert_int_eq(trace(nothing, 1).runs, 0);
    ck_assert_int_eq(trace(half_known, -1).runs, 0);
    ck_assert_int_eq(trace(one, 2).runs, 0);
}
END_TEST

/* The number of closed and open lines does not depend on which way round the grid is. */
START_TEST(random_fields_have_lines_that_close_or_end_at_the_edge)
{
    enum { N = 24 };
    static double z[N * N], lines[N];
    unsigned state = 12345;
    for (int i = 0; i < N; i++) lines[i] = i;
    for (int k = 0; k < N * N; k++) {
        state = state * 1664525u + 1013904223u;
        z[k] = (state >> 8) / 16777216.0;
    }
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field;
    const double *const values[2] = {z, NULL};
    const pc_field_kind *kind = pc_field_kind_find("contour");
    ck_assert_int_eq(pc_panel_add_field(panel, kind, lines, N, lines, N, values, &field, NULL), PC_OK);
    for (int level = 1; level < 10; level++) {
        traced t = {.f = zero};
        ck_assert_int_eq(pc_contour_trace(field, level / 10.0, see_contour, &t, NULL), PC_OK);
        /* every crossed edge gives one point, a closed line its first twice */
        int edges = 0, at_edge = 0;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                bool above = z[i * N + j] >= level / 10.0;
                if (i + 1 < N && above != (z[(i + 1) * N + j] >= level / 10.0)) {
                    edges++;
                    at_edge += j == 0 || j == N - 1;
                }
                if (j + 1 < N && above != (z[i * N + j + 1] >= level / 10.0)) {
                    edges++;
                    at_edge += i == 0 || i == N - 1;
                }
            }
        }
        ck_assert_int_eq(t.points, edges + t.closed);
        ck_assert_int_eq(2 * (t.runs - t.closed), at_edge);
    }
    pc_figure_free(figure);
}
END_TEST

START_TEST(levels_are_round_sorted_and_limited)
{
    const double mixed[] = {3, 1, 2, 1}, bad[] = {1, INFINITY};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "contour", bowl, NULL);
    double levels[PC_LEVELS_MAX];
    int n = pc_field_levels(field, levels);
    ck_assert_int_ge(n, 4);
    for (int i = 0; i < n; i++) ck_assert_double_eq(levels[i], i);
    ck_assert_int_eq(pc_field_set_levels(field, mixed, 4, NULL), PC_OK);
    ck_assert_int_eq(pc_field_levels(field, levels), 3);
    ck_assert(levels[0] == 1 && levels[1] == 2 && levels[2] == 3);
    pc_error err = {0};
    ck_assert_int_eq(pc_field_set_levels(field, bad, 2, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "levels[2] = inf"));
    ck_assert_int_eq(pc_field_set_levels(field, mixed, 0, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_field_levels(field, levels), 3);
    pc_figure_free(figure);
}
END_TEST

/* ---- flows ---- */

typedef struct streams {
    const pc_stream *flow;
    int runs, points;
    double worst; /* sine of the angle between line and flow, 40 and more from the middle of the frame */
    double x[20000], y[20000];
    int line[20000];
} streams;

static void see_stream(void *context, const double *x, const double *y, int n)
{
    streams *s = context;
    for (int i = 0; i < n; i++) {
        ck_assert_int_lt(s->points, 20000);
        s->x[s->points] = x[i];
        s->y[s->points] = y[i];
        s->line[s->points++] = s->runs;
        double u, v;
        if (i == 0 || !pc_stream_at(s->flow, 0.5 * (x[i] + x[i - 1]), 0.5 * (y[i] + y[i - 1]), &u, &v)) continue;
        double dx = x[i] - x[i - 1], dy = y[i] - y[i - 1];
        ck_assert_double_gt(u * dx + v * dy, 0);
        bool middle = hypot(x[i] - 200, y[i] - 100) < 40;
        if (!middle) s->worst = fmax(s->worst, fabs(u * dy - v * dx) / (hypot(u, v) * hypot(dx, dy)));
    }
    s->runs++;
}

static pc_stream make_flow(pc_figure *figure, pc_box frame)
{
    pc_scale x, y;
    pc_stream flow;
    pc_panel_limits(figure->panels[0], &x, &y);
    ck_assert_int_eq(pc_stream_make(&figure->panels[0]->fields[0], &x, &y, frame, &flow, NULL), PC_OK);
    return flow;
}

START_TEST(streamlines_follow_the_flow_and_keep_their_distance)
{
    static streams s;
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add_field(panel, "streamlines", minus_y, quarter_x);
    const pc_box frame = {0, 0, 400, 200};
    pc_stream flow = make_flow(figure, frame);
    s.flow = &flow;
    ck_assert_int_eq(pc_stream_lines(&flow, 20, see_stream, &s, NULL), PC_OK);
    ck_assert_int_ge(s.runs, 8);
    /* orbits are ellipses twice as wide as high; 40 from the middle the least radius is 10, where the flow turns by a
     * quarter radian along a step of 2.5, and a chord deviates from the flow at its middle by (2.5/10)^2 / 8 */
    ck_assert_double_le(s.worst, 0.01);
    /* every point of the frame has a line within a spacing and a half */
    for (int px = 20; px < 400; px += 10) {
        for (int py = 20; py < 200; py += 10) {
            double nearest = INFINITY;
            for (int i = 0; i < s.points; i++) nearest = fmin(nearest, hypot(s.x[i] - px, s.y[i] - py));
            ck_assert_msg(nearest < 30, "nothing within %g of (%d, %d)", nearest, px, py);
        }
    }
    for (int i = 0; i < s.points; i++) {
        ck_assert(s.x[i] >= 0 && s.x[i] <= 400 && s.y[i] >= 0 && s.y[i] <= 200);
        for (int k = i + 1; k < s.points; k++) {
            if (s.line[k] != s.line[i]) ck_assert_double_ge(hypot(s.x[k] - s.x[i], s.y[k] - s.y[i]), 10 - 1e-9);
        }
    }
    pc_stream_free(&flow);
    pc_figure_free(figure);
}
END_TEST

START_TEST(closed_orbits_close)
{
    static streams s;
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    /* on a frame whose sides have the ratio of the axes' units, orbits are circles about its middle */
    add_field(panel, "streamlines", minus_y, slope);
    const pc_box frame = {0, 0, 400, 200};
    pc_stream flow = make_flow(figure, frame);
    s = (streams){.flow = &flow};
    ck_assert_int_eq(pc_stream_lines(&flow, 20, see_stream, &s, NULL), PC_OK);
    int whole = 0;
    for (int line = 0; line < s.runs; line++) {
        int first = -1, last = 0;
        double least = INFINITY, most = 0;
        for (int i = 0; i < s.points; i++) {
            if (s.line[i] != line) continue;
            if (first < 0) first = i;
            last = i;
            least = fmin(least, hypot(s.x[i] - 200, s.y[i] - 100));
            most = fmax(most, hypot(s.x[i] - 200, s.y[i] - 100));
        }
        /* the rule's error accumulates over a turn to about 2 pi (2.5 / r)^2 / 8 of the radius, r from 20 up */
        ck_assert_double_le(most - least, 0.5);
        whole += s.x[first] == s.x[last] && s.y[first] == s.y[last];
    }
    ck_assert_int_ge(whole, 3);
    pc_stream_free(&flow);
    pc_figure_free(figure);
}
END_TEST

static void see_arrow(void *context, const double *x, const double *y, int n)
{
    streams *s = context;
    ck_assert_int_eq(n, 2);
    ck_assert(x[1] > x[0] && fabs(y[1] - y[0]) < 1e-12);
    s->worst = fmax(s->worst, x[1] - x[0]);
    s->runs++;
}

START_TEST(arrows_point_along_the_flow_and_none_stands_where_it_rests)
{
    static streams s;
    const pc_box frame = {0, 0, 400, 200};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add_field(panel, "vectors", one, zero);
    pc_stream flow = make_flow(figure, frame);
    pc_stream_arrows(&flow, 25, 3, see_arrow, &s);
    ck_assert_int_ge(s.runs, 60);
    ck_assert_double_eq_tol(s.worst, 25, 1e-9);
    pc_stream_free(&flow);
    pc_figure_free(figure);
    function still[] = {zero, nothing};
    for (int i = 0; i < 2; i++) {
        figure = new_figure(&panel);
        add_field(panel, "vectors", still[i], zero);
        flow = make_flow(figure, frame);
        s = (streams){.flow = &flow};
        pc_stream_arrows(&flow, 25, 3, see_arrow, &s);
        ck_assert_int_eq(pc_stream_lines(&flow, 25, see_stream, &s, NULL), PC_OK);
        ck_assert_int_eq(s.runs, 0);
        pc_stream_free(&flow);
        pc_figure_free(figure);
    }
}
END_TEST

UNIT_MAIN("chart fields", 180, sequential_palettes_grow_in_lightness_for_every_eye,
          diverging_palettes_are_lightest_in_the_middle, colours_of_a_diverging_palette_are_centred_on_zero,
          descending_grid_lines_are_turned_with_their_values, wrong_grids_are_refused_and_leave_the_panel_as_it_was,
          edges_lie_halfway_or_at_the_mean_ratio, an_ellipse_is_one_closed_line_of_the_right_length,
          lines_that_leave_the_grid_are_open, a_saddle_has_its_four_branches_through_its_middle,
          no_line_passes_where_values_are_missing, random_fields_have_lines_that_close_or_end_at_the_edge,
          levels_are_round_sorted_and_limited, streamlines_follow_the_flow_and_keep_their_distance, closed_orbits_close,
          arrows_point_along_the_flow_and_none_stands_where_it_rests)
