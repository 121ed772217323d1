/* Fields of figures: palettes, contours, streamlines, arrows, and what of them is drawn. */
#include "chart/bands.h"
#include "chart/contour.h"
#include "chart/field.h"
#include "chart/label.h"
#include "chart/layout.h"
#include "chart/render.h"
#include "chart/stream.h"
#include "chart/text.h"
#include "unit.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <string.h>

static pc_figure *new_figure(pc_panel **panel)
{
    pc_figure *figure;
    ck_assert_int_eq(pc_figure_new(&figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_set_size(figure, 640, 400, 1, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(figure, panel, NULL), PC_OK);
    return figure;
}

/* A function of x and y on an n x m grid over [-2, 2] x [-1, 1]. */
typedef double (*function)(double x, double y);

enum { NX = 41, NY = 31 };

static pc_field *add_field(pc_panel *panel, const char *kind, function f, function g)
{
    static double x[NX], y[NY], values[2][NX * NY];
    for (int i = 0; i < NX; i++) x[i] = -2 + 4.0 * i / (NX - 1);
    for (int j = 0; j < NY; j++) y[j] = -1 + 2.0 * j / (NY - 1);
    for (int i = 0; i < NX; i++) {
        for (int j = 0; j < NY; j++) {
            values[0][i * NY + j] = f(x[i], y[j]);
            values[1][i * NY + j] = g ? g(x[i], y[j]) : 0;
        }
    }
    pc_field *field;
    pc_error err = {0};
    pc_status status = pc_panel_add_field(panel, pc_field_kind_find(kind), x, NX, y, NY,
                                          (const double *const[]){values[0], values[1]}, &field, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
    return field;
}

static double bowl(double x, double y)
{
    return x * x + 4 * y * y;
}

static double saddle(double x, double y)
{
    return x * y;
}

static double slope(double x, double y)
{
    (void)y;
    return x;
}

static double minus_y(double x, double y)
{
    (void)x;
    return -y;
}

static double quarter_x(double x, double y)
{
    (void)y;
    return x / 4;
}

static double one(double x, double y)
{
    (void)x;
    (void)y;
    return 1;
}

static double zero(double x, double y)
{
    (void)x;
    (void)y;
    return 0;
}

static double nothing(double x, double y)
{
    (void)x;
    (void)y;
    return NAN;
}

static double half_known(double x, double y)
{
    (void)y;
    return x < 0 ? (double)NAN : x;
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

/* ---- pages ---- */

START_TEST(pixels_of_a_heatmap_have_the_colours_of_its_values)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "heatmap", half_known, NULL);
    for (int turned = 0; turned < 2; turned++) {
        if (turned) ck_assert_int_eq(pc_axis_set_limits(&panel->x, "x", 2.05, -2.05, false, NULL), PC_OK);
        pc_layout layout;
        ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
        const pc_panel_layout *p = &layout.panels[0];
        pc_buffer pixels = {0};
        ck_assert_int_eq(pc_figure_pixels(figure, 640, 400, 96, &pixels, NULL), PC_OK);
        for (int i = 0; i < NX; i++) {
            double x = p->frame.x0 + pc_scale_position(&p->x, field->x[i]) * (p->frame.x1 - p->frame.x0);
            for (int j = 1; j < NY - 1; j += 7) {
                double y = p->frame.y0 + pc_scale_position(&p->y, field->y[j]) * (p->frame.y1 - p->frame.y0);
                const unsigned char *rgb =
                    (const unsigned char *)pixels.data + 3 * ((399 - (int)floor(y)) * 640 + (int)floor(x));
                pc_colour wanted = field->x[i] < 0
                                       ? figure->theme->page
                                       : pc_palette_at(field->palette, pc_scale_position(&p->z, field->x[i]));
                /* 128 shades stand for the palette, whose steepest channel changes by 5 from one to the next */
                ck_assert_int_le(abs(rgb[0] - wanted.red), 5);
                ck_assert_int_le(abs(rgb[1] - wanted.green), 5);
                ck_assert_int_le(abs(rgb[2] - wanted.blue), 5);
            }
        }
        /* the bar: least below, greatest above, beside the frame */
        ck_assert(p->bar.x0 > p->frame.x1 && p->bar.x1 < 640);
        for (int end = 0; end < 2; end++) {
            double y = end ? p->bar.y1 - 3 : p->bar.y0 + 3, x = (p->bar.x0 + p->bar.x1) / 2;
            const unsigned char *rgb =
                (const unsigned char *)pixels.data + 3 * ((399 - (int)floor(y)) * 640 + (int)floor(x));
            pc_colour wanted = pc_palette_at(field->palette, end);
            ck_assert_int_le(abs(rgb[0] - wanted.red) + abs(rgb[1] - wanted.green) + abs(rgb[2] - wanted.blue), 20);
        }
        pc_buffer_free(&pixels);
        pc_layout_free(&layout);
    }
    pc_figure_free(figure);
}
END_TEST

START_TEST(values_between_grid_points_are_bilinear_and_bands_lie_between_levels)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "bands", saddle, NULL); /* x y is bilinear itself */
    field->values[0][7 * NY + 7] = NAN;
    ck_assert_int_eq(pc_field_set_levels(field, (const double[]){1, -1, 0}, 3, NULL), PC_OK);
    pc_bands bands;
    pc_bands_make(field, &bands);
    for (int i = 0; i <= 100; i++) {
        double x = -2 + 0.04 * i, y = 1 - 0.02 * (i * i % 101);
        double value = pc_bands_value(&bands, x, y);
        bool beside = fabs(x - field->x[7]) < 0.1 - 1e-9 && fabs(y - field->y[7]) < 2.0 / (NY - 1) - 1e-9;
        if (!beside) ck_assert_double_eq_tol(value, x * y, 1e-15 * 8);
        if (beside) ck_assert(isnan(value));
        int band = (value >= -1) + (value >= 0) + (value >= 1);
        ck_assert_int_eq(pc_bands_find(&bands, value), beside ? -1 : band);
    }
    ck_assert(isnan(pc_bands_value(&bands, 2.01, 0)));
    ck_assert(isnan(pc_bands_value(&bands, 0, -1.01)));
    ck_assert_int_eq(pc_bands_find(&bands, INFINITY), -1);
    /* the scale is -2 to 2: bands of a quarter each */
    for (int band = 0; band < 4; band++)
        ck_assert_double_eq_tol(pc_bands_position(&bands, band), 0.125 + 0.25 * band, 1e-15);
    pc_figure_free(figure);
}
END_TEST

START_TEST(pixels_of_bands_have_one_colour_up_to_the_level)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "bands", slope, NULL);
    ck_assert_int_eq(pc_field_set_levels(field, (const double[]){-1.03, 0.51}, 2, NULL), PC_OK);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *p = &layout.panels[0];
    /* unlike the cells of a heatmap, bands end at the outer grid lines */
    ck_assert_double_eq(p->x.lo, -2);
    ck_assert_double_eq(p->x.hi, 2);
    pc_bands bands;
    pc_bands_make(field, &bands);
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, 640, 400, 96, &pixels, NULL), PC_OK);
    int row = 399 - (int)(0.5 * (p->frame.y0 + p->frame.y1)), seen[3] = {0};
    for (int column = (int)p->frame.x0 + 3; column < (int)p->frame.x1 - 3; column++) {
        double x = pc_scale_value(&p->x, (column + 0.5 - p->frame.x0) / (p->frame.x1 - p->frame.x0));
        /* two pixels at a level may be of either side */
        double pixel = 4 / (p->frame.x1 - p->frame.x0);
        if (fabs(x + 1.03) < 2 * pixel || fabs(x - 0.51) < 2 * pixel) continue;
        int band = pc_bands_find(&bands, x);
        pc_colour wanted = pc_palette_at(field->palette, pc_bands_position(&bands, band));
        const unsigned char *rgb = (const unsigned char *)pixels.data + 3 * (row * 640 + column);
        ck_assert_int_le(abs(rgb[0] - wanted.red) + abs(rgb[1] - wanted.green) + abs(rgb[2] - wanted.blue), 3);
        seen[band]++;
    }
    ck_assert(seen[0] > 50 && seen[1] > 50 && seen[2] > 50);
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_heatmap_has_no_seams)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "heatmap", one, NULL);
    field->z.lo = 0;
    field->z.hi = 2;
    /* alternate two close shades, so that every edge of a cell is painted */
    for (int k = 0; k < NX * NY; k++) field->values[0][k] = 1 + 0.01 * (k % 2);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_box f = layout.panels[0].frame;
    for (int size = 1; size <= 2; size++) {
        pc_buffer pixels = {0};
        ck_assert_int_eq(pc_figure_pixels(figure, 640 * size, 400 * size, 96 * size, &pixels, NULL), PC_OK);
        pc_colour wanted = pc_palette_at(field->palette, 0.5);
        for (int row = (int)f.y0 + 2; row < f.y1 - 2; row++) {
            for (int c = (int)f.x0 + 2; c < f.x1 - 2; c++) {
                const unsigned char *rgb =
                    (const unsigned char *)pixels.data + 3 * ((400 * size - 1 - size * row) * 640 * size + size * c);
                ck_assert_msg(abs(rgb[0] - wanted.red) + abs(rgb[1] - wanted.green) + abs(rgb[2] - wanted.blue) < 30,
                              "at %d, %d: %d %d %d", c, row, rgb[0], rgb[1], rgb[2]);
            }
        }
        pc_buffer_free(&pixels);
    }
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

/* Degenerate fields draw on every device and as text, whatever the kind. */
START_TEST(degenerate_fields_draw_everywhere)
{
    static const function fields[] = {nothing, one, zero, half_known, bowl};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; pc_field_kinds[k].name; k++) {
            for (int log = 0; log < 2; log++) {
                pc_panel *panel;
                pc_figure *figure = new_figure(&panel);
                panel->x.log = log;
                pc_field *field = add_field(panel, pc_field_kinds[k].name, fields[i], fields[4 - i]);
                if (log) field->z.log = true;
                pc_panel_set_text(&field->label, "field", NULL);
                pc_error err = {0};
                for (int f = 0; pc_formats[f].ending; f++) {
                    pc_buffer bytes = {0};
                    pc_status status = pc_figure_render(figure, &pc_formats[f], 96, &bytes, &err);
                    ck_assert_msg(status == PC_OK, "%s of field %d: %s", pc_field_kinds[k].name, i, err.text);
                    pc_buffer_free(&bytes);
                }
                for (int unicode = 0; unicode < 2; unicode++) {
                    pc_buffer text = {0};
                    pc_status status = pc_figure_text(figure, (pc_text_options){70, 24, unicode, false}, &text, &err);
                    ck_assert_msg(status == PC_OK, "%s", err.text);
                    if (fields[i] == nothing) ck_assert_ptr_nonnull(strstr(text.data, "no data"));
                    for (size_t b = 0; !unicode && b < text.size; b++) ck_assert_int_gt(text.data[b], 0);
                    pc_buffer_free(&text);
                }
                pc_figure_free(figure);
            }
        }
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(text_shades_grow_with_the_value)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "heatmap", slope, NULL);
    pc_panel_set_text(&field->z.label, "loss", NULL);
    pc_panel_set_text(&field->z.unit, "J", NULL);
    pc_buffer text = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){70, 20, false, false}, &text, NULL), PC_OK);
    ck_assert_ptr_nonnull(strstr(text.data, "loss [J] -2 "));
    /* a row of the map: the ramp in its order, each shade once in a run */
    static const char ramp[] = ".:-=+*#%@";
    const char *row = strstr(text.data, " 0 +");
    ck_assert_ptr_nonnull(row);
    int at = 0, seen = 1;
    for (row += 4; *row != '\n'; row++) {
        const char *shade = strchr(ramp, *row);
        ck_assert_msg(shade != NULL, "'%c' in a row", *row);
        ck_assert_int_ge((int)(shade - ramp), at);
        ck_assert_int_le((int)(shade - ramp), at + 1);
        seen += shade - ramp > at;
        at = (int)(shade - ramp);
    }
    ck_assert_int_eq(seen, 9);
    pc_buffer_free(&text);
    pc_figure_free(figure);
}
END_TEST

/* PLplot writes some texts of an SVG by the numbers of their characters. */
static bool svg_holds(const pc_buffer *svg, const char *text)
{
    pc_buffer numbers = {0};
    for (; *text; text++) pc_buffer_print(&numbers, "&#x%x;", (unsigned)*text);
    bool found = strstr(svg->data, pc_buffer_text(&numbers)) != NULL;
    pc_buffer_free(&numbers);
    return found;
}

START_TEST(contours_have_their_levels_as_text)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "contour", bowl, NULL);
    const double levels[] = {0.625, 3.125};
    ck_assert_int_eq(pc_field_set_levels(field, levels, 2, NULL), PC_OK);
    pc_buffer out = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){80, 24, true, false}, &out, NULL), PC_OK);
    ck_assert(strstr(out.data, "0.625") && strstr(out.data, "3.125"));
    pc_buffer_clear(&out);
    ck_assert_int_eq(pc_figure_render(figure, &pc_formats[1], 96, &out, NULL), PC_OK);
    ck_assert(svg_holds(&out, "0.625") && svg_holds(&out, "3.125"));
    field->labelled = false;
    pc_buffer_clear(&out);
    ck_assert_int_eq(pc_figure_render(figure, &pc_formats[1], 96, &out, NULL), PC_OK);
    ck_assert(!svg_holds(&out, "0.625"));
    pc_buffer_free(&out);
    pc_figure_free(figure);
}
END_TEST

START_TEST(every_failing_allocation_of_a_field_is_reported)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add_field(panel, "heatmap", bowl, NULL);
    add_field(panel, "contour", bowl, NULL);
    add_field(panel, "streamlines", minus_y, slope);
    add_field(panel, "vectors", minus_y, slope);
    long before = pc_alloc_live();
    for (int way = 0; way < 2; way++) {
        int failures = 0, successes = 0;
        for (long n = 0; n < 2000 && successes < 3; n += 1 + n / 40) {
            pc_buffer out = {0};
            pc_alloc_fail_after(n);
            pc_status status = way ? pc_figure_text(figure, (pc_text_options){60, 20, true, false}, &out, NULL)
                                   : pc_figure_render(figure, &pc_formats[1], 96, &out, NULL);
            pc_alloc_fail_after(-1);
            ck_assert(status == PC_OK || status == PC_E_MEMORY);
            failures += status == PC_E_MEMORY;
            successes = status == PC_OK ? successes + 1 : 0;
            pc_buffer_free(&out);
            ck_assert_int_eq((int)pc_alloc_live(), (int)before);
        }
        ck_assert_int_ge(failures, 10);
        ck_assert_int_eq(successes, 3);
    }
    pc_figure_free(figure);
}
END_TEST

START_TEST(an_interrupt_stops_every_kind)
{
    for (int k = 0; pc_field_kinds[k].name; k++) {
        if (pc_field_kinds[k].arrowed) continue; /* a page holds few arrows */
        pc_panel *panel;
        pc_figure *figure = new_figure(&panel);
        add_field(panel, pc_field_kinds[k].name, bowl, slope);
        pc_buffer out = {0};
        pc_interrupt_flag = 1;
        pc_status status = pc_figure_render(figure, &pc_formats[1], 96, &out, NULL);
        pc_interrupt_flag = 0;
        ck_assert_msg(status == PC_E_INTERRUPTED, "%s", pc_field_kinds[k].name);
        pc_buffer_free(&out);
        pc_figure_free(figure);
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

UNIT_MAIN("chart fields", 180, sequential_palettes_grow_in_lightness_for_every_eye,
          diverging_palettes_are_lightest_in_the_middle, colours_of_a_diverging_palette_are_centred_on_zero,
          descending_grid_lines_are_turned_with_their_values, wrong_grids_are_refused_and_leave_the_panel_as_it_was,
          edges_lie_halfway_or_at_the_mean_ratio, an_ellipse_is_one_closed_line_of_the_right_length,
          lines_that_leave_the_grid_are_open, a_saddle_has_its_four_branches_through_its_middle,
          no_line_passes_where_values_are_missing, random_fields_have_lines_that_close_or_end_at_the_edge,
          levels_are_round_sorted_and_limited, streamlines_follow_the_flow_and_keep_their_distance, closed_orbits_close,
          arrows_point_along_the_flow_and_none_stands_where_it_rests,
          pixels_of_a_heatmap_have_the_colours_of_its_values,
          values_between_grid_points_are_bilinear_and_bands_lie_between_levels,
          pixels_of_bands_have_one_colour_up_to_the_level, a_heatmap_has_no_seams, degenerate_fields_draw_everywhere,
          text_shades_grow_with_the_value, contours_have_their_levels_as_text,
          every_failing_allocation_of_a_field_is_reported, an_interrupt_stops_every_kind)
