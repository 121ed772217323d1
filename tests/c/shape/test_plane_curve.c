/* Smooth curves: the nearest place against all places, splines, functions that are followed, what fits. */
#include "shape/curve_fit.h"

#include "base/alloc.h"

#include "rng.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { ROOM = 400 };
static pc_curve_span spans[ROOM];

/* Ways of a function: y = f(x), or a closed one round an axis. */
typedef struct shape {
    double amplitude, number, phase;
    bool round;
} shape;

static int place_of(double s, double place[2], void *context)
{
    const shape *w = context;
    double wave = w->amplitude * sin(w->number * s + w->phase);
    place[0] = w->round ? (1 + wave) * cos(s) : s;
    place[1] = w->round ? (1 + wave) * sin(s) : wave;
    return 2;
}

static pc_plane_curve follow(shape *w)
{
    double where = 0, from = w->round ? 0 : -2, to = w->round ? 2 * M_PI : 2;
    pc_plane_curve curve = {.spans = spans, .closed = w->round, .side = 1};
    curve.n = pc_curve_follow(spans, ROOM, place_of, w, from, to, &where);
    ck_assert_int_gt(curve.n, 0);
    ck_assert_int_eq(pc_curve_breaks(&curve), -1);
    return curve;
}

/* No place that is looked at is nearer than the nearest, which is one of the curve, and whose normal goes through the
 * point, unless it is an end. */
START_TEST(the_nearest_place_is_nearer_than_all_others)
{
    pc_rng rng;
    pc_rng_seed(&rng, 7);
    for (int i = 0; i < 24; i++) {
        shape w = {pc_rng_between(&rng, 0, 0.3), 1 + floor(pc_rng_between(&rng, 0, 4)), pc_rng_between(&rng, 0, 6),
                   i % 2};
        const pc_plane_curve curve = follow(&w);
        for (int k = 0; k < 50; k++) {
            double p[2] = {pc_rng_between(&rng, -3, 3), pc_rng_between(&rng, -3, 3)};
            pc_curve_foot foot;
            pc_curve_nearest(&curve, p[0], p[1], 0, &foot);
            double along = (p[0] - foot.point[0]) * foot.tangent[0] + (p[1] - foot.point[1]) * foot.tangent[1];
            if (foot.end == 0) {
                ck_assert_double_eq_tol(along, 0, 1e-12);
                ck_assert_double_eq_tol(fabs(foot.height), foot.distance, 1e-12);
            }
            for (int j = 0; j <= 500; j++) {
                double from = w.round ? 0 : -2, to = w.round ? 2 * M_PI : 2, place[2];
                place_of(from + (to - from) * j / 500, place, &w);
                double away = hypot(place[0] - p[0], place[1] - p[1]);
                ck_assert_msg(away >= foot.distance - 1e-12, "%g < %g", away, foot.distance);
            }
        }
    }
}
END_TEST

/* Direction and curvature of what is followed, by closed form: as the topic "curves" says. */
START_TEST(what_follows_a_function_has_its_derivatives)
{
    double worst = 0, bent = 0, most = 0;
    for (int i = 0; i < 20; i++) {
        shape w = {0.05 + 0.02 * i, 1 + 0.3 * i, 0.7 * i, false};
        const pc_plane_curve curve = follow(&w);
        for (int k = 0; k < curve.n; k++)
            for (int j = -10; j <= 10; j++) {
                double at[2], way[2], curvature;
                pc_curve_at(&spans[k], j / 10.0, at, way, &curvature);
                double a = w.number * at[0] + w.phase, slope = w.amplitude * w.number * cos(a),
                       second = -w.amplitude * w.number * w.number * sin(a), speed = hypot(1, slope);
                worst = fmax(worst, fabs(way[0] * slope - way[1]) / speed);
                most = fmax(most, fabs(curvature));
                bent = fmax(bent, fabs(curvature + second / (speed * speed * speed)));
            }
    }
    ck_assert_msg(worst < 1e-11 && bent < 1e-9 * most, "directions err by %g, curvatures by %g of %g 1/m", worst, bent,
                  most);
}
END_TEST

static double circle_error(int n)
{
    double points[ROOM][2], worst = 0;
    int bad;
    for (int i = 0; i < n; i++) {
        points[i][0] = cos(2 * M_PI * i / n);
        points[i][1] = sin(2 * M_PI * i / n);
    }
    ck_assert_int_eq(pc_curve_spline(spans, (const double(*)[2])points, n, true, &bad, NULL), PC_OK);
    const pc_plane_curve curve = {.spans = spans, .n = n, .closed = true, .side = 1};
    ck_assert_int_eq(pc_curve_breaks(&curve), -1);
    for (int i = 0; i < n; i++) {
        double at[2], way[2], curvature, before;
        pc_curve_at(&spans[i], 0, at, way, &curvature);
        worst = fmax(worst, fabs(hypot(at[0], at[1]) - 1));
        pc_curve_at(&spans[i], 1, at, way, &before);
        ck_assert_double_eq_tol(at[0], points[(i + 1) % n][0], 1e-15);
        pc_curve_at(&spans[(i + 1) % n], -1, at, way, &curvature);
        ck_assert_double_eq_tol(before, curvature, 1e-9); /* C2 */
    }
    return worst;
}

/* Of many spans those are left out whose blocks are far: a circle by 200 points, and a straight line of 1,000. */
START_TEST(the_nearest_place_of_many_spans_is_found)
{
    static pc_curve_span many[999];
    static double points[1000][2];
    pc_rng rng;
    pc_rng_seed(&rng, 8);
    int bad;
    for (int i = 0; i < 1000; i++) points[i][0] = i * 0.01 + 0.003 * sin(i), points[i][1] = 0.5 * points[i][0];
    ck_assert_int_eq(pc_curve_spline(many, (const double(*)[2])points, 1000, false, &bad, NULL), PC_OK);
    const pc_plane_curve line = {.spans = many, .n = 999, .side = 1};
    ck_assert(!pc_curve_meets_itself(&line));
    ck_assert_double_lt(circle_error(200), 1e-7);
    const pc_plane_curve circle = {.spans = spans, .n = 200, .closed = true, .side = 1};
    ck_assert(!pc_curve_meets_itself(&circle));
    for (int i = 0; i < 2000; i++) {
        double p[2] = {pc_rng_between(&rng, -3, 3), pc_rng_between(&rng, -3, 3)};
        pc_curve_foot foot;
        pc_curve_nearest(&circle, p[0], p[1], 0, &foot);
        ck_assert_double_eq_tol(foot.distance, fabs(hypot(p[0], p[1]) - 1), 1e-7);
        pc_curve_nearest(&line, p[0] + 5, p[1] + 2.5, 0, &foot);
        ck_assert_double_eq_tol(foot.distance, fabs(p[1] - 0.5 * p[0]) / hypot(1, 0.5), 1e-12);
    }
}
END_TEST

START_TEST(splines_are_smooth_and_err_by_the_fourth_power)
{
    for (int n = 8; n <= 64; n *= 2) {
        double order = log2(circle_error(n) / circle_error(2 * n));
        ck_assert_msg(order > 3.8 && order < 4.3, "%d points: order %g", n, order);
    }
    /* of few points, and a cubic of x, which an open one meets in its middle up to the parameter */
    const double line[2][2] = {{0, 0}, {1, 2}}, three[3][2] = {{0, 0}, {1, 0.2}, {2, 0}};
    int bad;
    double at[2], way[2], curvature;
    ck_assert_int_eq(pc_curve_spline(spans, line, 2, false, &bad, NULL), PC_OK);
    pc_curve_at(spans, 0.5, at, way, &curvature);
    ck_assert(at[0] == 0.75 && at[1] == 1.5 && curvature == 0);
    ck_assert_int_eq(pc_curve_spline(spans, three, 3, false, &bad, NULL), PC_OK);
    const pc_plane_curve curve = {.spans = spans, .n = 2, .side = 1};
    ck_assert_int_eq(pc_curve_breaks(&curve), -1);
    pc_curve_at(spans, 1, at, way, &curvature);
    ck_assert_double_eq_tol(way[1], 0, 1e-15);
}
END_TEST

START_TEST(discs_fit_where_they_touch_in_one_place)
{
    double where[2], limit;
    shape wave = {0.1, 5, 0, false}; /* its hollows have the radius 1/(0.1 25) = 0.4 */
    pc_plane_curve curve = follow(&wave);
    ck_assert_int_eq(pc_curve_takes(&curve, 0.39, where, &limit), PC_CURVE_FITS);
    ck_assert_int_ne(pc_curve_takes(&curve, 0.42, where, &limit), PC_CURVE_FITS);
    ck_assert(pc_curve_bulges(&curve, where));
    for (int i = 0; i < 3; i++) pc_curve_arc(&spans[i], (const double[2]){0, 0}, 1, i * 1.9, 1.9);
    curve = (pc_plane_curve){.spans = spans, .n = 3, .side = 1}; /* open by 0.583 rad: a chord of 0.5748 */
    ck_assert(!pc_curve_bulges(&curve, where));
    ck_assert_int_eq(pc_curve_takes(&curve, 0.28, where, &limit), PC_CURVE_FITS);
    ck_assert_int_eq(pc_curve_takes(&curve, 0.30, where, &limit), PC_CURVE_OPENING);
    ck_assert_double_eq_tol(limit, 2 * sin(M_PI - 2.85), 1e-12);
    ck_assert_int_eq(pc_curve_takes(&curve, 1.01, where, &limit), PC_CURVE_TIGHT);
    ck_assert_double_eq_tol(limit, 1, 1e-12);
    /* two straight walls, 1 apart, joined by half a circle: nothing larger goes between */
    pc_curve_line(&spans[0], (const double[2]){-0.5, 2}, (const double[2]){-0.5, 0});
    pc_curve_arc(&spans[1], (const double[2]){0, 0}, 0.5, M_PI, M_PI);
    pc_curve_line(&spans[2], (const double[2]){0.5, 0}, (const double[2]){0.5, 2});
    curve = (pc_plane_curve){.spans = spans, .n = 3, .side = 1};
    ck_assert_int_eq(pc_curve_takes(&curve, 0.49, where, &limit), PC_CURVE_FITS);
    ck_assert_int_ne(pc_curve_takes(&curve, 0.51, where, &limit), PC_CURVE_FITS);
}
END_TEST

/* No place that is looked at is nearer to a point than the nearest. */
static void look_for_nearer(const pc_plane_curve *part, const double point[2])
{
    pc_curve_foot foot;
    pc_curve_nearest(part, point[0], point[1], 0, &foot);
    for (int i = 0; i < part->n; i++)
        for (int k = 0; k <= 40; k++) {
            double place[2], tangent[2], curvature;
            pc_curve_at(&part->spans[i], -1 + k / 20.0, place, tangent, &curvature);
            ck_assert_double_ge(hypot(place[0] - point[0], place[1] - point[1]), foot.distance * (1 - 1e-12));
        }
}

/* Places of a part at which a disc touches it besides the one at v: those that are as near to its middle as that, but
 * for rounding, and not beside it. */
static int touches_besides(const pc_plane_curve *part, double radius, const double centre[2], const double at[2])
{
    int found = 0;
    for (int i = 0; i < part->n; i++)
        for (int k = 0; k <= 40; k++) {
            double place[2], tangent[2], curvature;
            pc_curve_at(&part->spans[i], -1 + k / 20.0, place, tangent, &curvature);
            double away = hypot(place[0] - centre[0], place[1] - centre[1]);
            bool beside = hypot(place[0] - at[0], place[1] - at[1]) < 0.2 * radius;
            found += away < radius * (1 + 1e-3) && !beside;
        }
    return found;
}

/* Parts are stretches of the curve, all of it, and wherever a disc gets to it touches each of them once. */
START_TEST(parts_of_a_curve_are_touched_in_one_place)
{
    static pc_curve_span own[ROOM];
    shape shapes[] = {
        {0.3, 5, 0.4, false}, {0.5, 9, 1, false}, {0.3, 1, 0, true}, {0.25, 3, 0.2, true}, {0.2, 5, 0, true}};
    int reached = 0;
    for (int i = 0; i < 3; i++)
        for (double radius = 0.3; radius < 0.9; radius *= 1.6)
            for (int side = -1; side < 2; side += 2) {
                pc_plane_curve curve = follow(&shapes[i]);
                double where[2], limit, length = 0, whole = 0;
                pc_curve_cut *cuts;
                int n;
                curve.side = side;
                if (pc_curve_takes(&curve, radius, where, &limit) == PC_CURVE_FITS) continue;
                ck_assert_int_eq(pc_curve_find_cuts(&curve, radius, &cuts, &n, NULL), PC_OK);
                for (int k = 0; k < curve.n; k++) whole += spans[k].length;
                for (int k = curve.closed ? 0 : -1; n > 0 && k < n; k++) {
                    double from = k < 0 ? 0 : cuts[k].at, to = k + 1 < n ? cuts[k + 1].at : curve.n;
                    if (curve.closed && k + 1 == n) to = cuts[0].at + curve.n;
                    ck_assert(from < to);
                    const int m = pc_curve_part(&curve, from, to, NULL);
                    ck_assert_int_le(m, ROOM);
                    const pc_plane_curve part = {.spans = own, .n = pc_curve_part(&curve, from, to, own), .side = side};
                    ck_assert_int_eq(part.n, m);
                    ck_assert_int_eq(pc_curve_breaks(&part), -1);
                    for (int j = 0; j < m; j++) length += own[j].length;
                    for (int j = 0; j <= 10 * m; j++) {
                        double at[2], way[2], curvature;
                        const int span = j < 10 * m ? j / 10 : m - 1;
                        pc_curve_foot foot;
                        pc_curve_at(&own[span], -1 + (j - 10 * span) / 5.0, at, way, &curvature);
                        pc_curve_nearest(&curve, at[0], at[1], 0, &foot);
                        ck_assert_double_lt(foot.distance, 1e-13);
                        const double centre[2] = {at[0] - side * radius * way[1], at[1] + side * radius * way[0]};
                        if (j % 4 == 0) look_for_nearer(&part, centre); /* in what it does not reach, too */
                        pc_curve_nearest(&curve, centre[0], centre[1], 0, &foot);
                        if (-side * curvature * radius > 0.8 || foot.distance < radius * (1 - 1e-9)) continue;
                        reached++;
                        ck_assert_int_eq(touches_besides(&part, radius, centre, at), 0);
                    }
                }
                if (n > 0) ck_assert_double_eq_tol(length, whole, 1e-4 * whole);
                pc_free(cuts);
            }
    ck_assert_int_gt(reached, 200);
    /* in a hollow of its own radius it lies everywhere */
    pc_curve_cut *cuts;
    int n;
    pc_curve_arc(&spans[0], (const double[2]){0, 0}, 1, 0, 1.9);
    const pc_plane_curve arc = {.spans = spans, .n = 1, .side = 1};
    ck_assert_int_eq(pc_curve_find_cuts(&arc, 1, &cuts, &n, NULL), PC_OK);
    ck_assert_int_eq(n, 0);
    pc_free(cuts);
}
END_TEST

UNIT_MAIN("plane_curve", 60, the_nearest_place_is_nearer_than_all_others, what_follows_a_function_has_its_derivatives,
          the_nearest_place_of_many_spans_is_found, splines_are_smooth_and_err_by_the_fourth_power,
          discs_fit_where_they_touch_in_one_place, parts_of_a_curve_are_touched_in_one_place)
