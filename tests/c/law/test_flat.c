/* Flat contact: moments of patches against quadrature, checked impacts, conservation of energy. */
#include "unit.h"

#include "law/flat/flat.h"
#include "law/element.h"

#include <math.h>

#define PI 3.14159265358979323846

static pc_flat_result fall(const pc_flat_task *task)
{
    pc_flat_result out = {0};
    pc_error err = {0};
    ck_assert_msg(pc_flat_impact(task, &out, &err) == PC_OK, "%s", err.text);
    return out;
}

static pc_flat_task disc(int model, double tilt)
{
    return (pc_flat_task){.model = model,
                          .lens = {1, 0, 0},
                          .mass = 1,
                          .inertia = 0.25,
                          .stiffness = 1e4,
                          .tilt = tilt,
                          .speed = 1,
                          .restitution = 1};
}

/* Computed by an independent program to 1e-9. */
static const struct {
    int model;
    double tilt, velocity, rate, after, duration;
} cases[] = {
    {PC_FLAT_RIM, 1e-6, 0.999999997677, 0.000136316403062, -2.662190514e-07, 0.0314171927549},
    {PC_FLAT_RIM, 1e-3, 0.997688307605, 0.13591233747, -0.000233626083025, 0.032650094704},
    {PC_FLAT_RIM, 0.5, -0.509002098518, -1.72153055588, 0.446007094997, 0.0634912322409},
    {PC_FLAT_AREA, 1e-6, 1, 0, -1e-6, 0.0314179265359},
    {PC_FLAT_AREA, 1e-3, 0.999999999996, 5.37114997057e-06, -0.000999994628883, 0.0334159216481},
    {PC_FLAT_AREA, 0.5, -0.481485600712, -1.7529080025, 0.365969442761, 0.161352847934},
};

START_TEST(discs_fall_on_a_plane_as_checked)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pc_flat_task task = disc(cases[i].model, cases[i].tilt);
        pc_flat_result r = fall(&task);
        ck_assert_msg(fabs(r.velocity - cases[i].velocity) <= 1e-9, "case %d: v %.12g", (int)i, r.velocity);
        ck_assert_msg(fabs(r.rate - cases[i].rate) <= 1e-9, "case %d: rate %.12g", (int)i, r.rate);
        ck_assert_msg(fabs(r.tilt - cases[i].after) <= 1e-9, "case %d: tilt %.12g", (int)i, r.tilt);
        ck_assert_msg(fabs(r.duration - cases[i].duration) <= 1e-9, "case %d: %.12g s", (int)i, r.duration);
        ck_assert_double_eq_tol(r.impulse, 1 + r.velocity, 1e-12);
    }
}
END_TEST

static const struct {
    double other, area, centroid, second, velocity, rate, tilt, duration;
} overlaps[] = {
    {1, 2.15210922503, 0.25, 0.428819929483, 0.931640314269, -0.726763578691, -0.0268052903031, 0.0382613402342},
    {0.3, 0.282743338823, 0.5, 0.0770475598293, 0.0752363992435, -1.99433145111, -0.0950226873227, 0.0690916461266},
};

START_TEST(discs_overlap_in_part_as_checked)
{
    for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++) {
        pc_flat_task task = disc(PC_FLAT_OVERLAP, 0);
        task.lens.other = overlaps[i].other;
        task.lens.offset = 0.5;
        pc_lens_load whole = pc_lens_press(&task.lens, 1, (const double[2]){0}, true); /* at a depth of 1 */
        ck_assert_double_eq_tol(whole.force, overlaps[i].area, 1e-10);
        ck_assert_double_eq_tol(whole.centre[0], overlaps[i].centroid, 1e-10);
        double second = whole.spread[0] + whole.centre[0] * whole.centre[0];
        ck_assert_double_eq_tol(second * whole.force, overlaps[i].second, 1e-10);
        task.stiffness = 1e4 * whole.force;
        pc_flat_result r = fall(&task);
        ck_assert_double_eq_tol(r.velocity, overlaps[i].velocity, 1e-9);
        ck_assert_double_eq_tol(r.rate, overlaps[i].rate, 1e-9);
        ck_assert_double_eq_tol(r.tilt, overlaps[i].tilt, 1e-9);
        ck_assert_double_eq_tol(r.duration, overlaps[i].duration, 1e-9);
    }
}
END_TEST

/* Distance of the centre of pressure from the axis, over the radius, at chi = a sin(tilt)/d. */
START_TEST(the_centre_of_pressure_goes_from_the_axis_to_the_rim)
{
    static const double chi[] = {0.1, 0.5, 1, 2, 10, -10, -2, -1.1};
    static const double lever[] = {0.025,          0.125,          0.25,           0.404297651816,
                                   0.550572168885, 0.628134395437, 0.789544200257, 0.961153710972};
    pc_flat_patch patch = {PC_FLAT_AREA, 1};
    for (size_t i = 0; i < sizeof chi / sizeof *chi; i++) {
        pc_flat_load load = pc_flat_press(&patch, 1 / chi[i], 1, false);
        ck_assert_double_eq_tol(load.moment / load.force, lever[i], 1e-9);
    }
}
END_TEST

/* Force and moment are the derivatives of the potential: central differences of step 1e-5 have errors of order 1e-10
 * times its third derivatives, which are of order 10 here away from the edges. */
START_TEST(force_and_moment_come_from_one_potential)
{
    static const pc_flat_patch patches[] = {{PC_FLAT_RIM, 1}, {PC_FLAT_AREA, 1}};
    const double h = 1e-5;
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++)
        for (double d = -0.25; d < 0.5; d += 0.11)
            for (double s = -0.61; s < 0.7; s += 0.17) {
                const pc_flat_patch *p = &patches[i];
                pc_flat_load load = pc_flat_press(p, d, s, false);
                double force =
                    (pc_flat_press(p, d + h, s, false).potential - pc_flat_press(p, d - h, s, false).potential) /
                    (2 * h);
                double moment =
                    (pc_flat_press(p, d, s + h, false).potential - pc_flat_press(p, d, s - h, false).potential) /
                    (2 * h);
                ck_assert_msg(fabs(load.force - force) <= 1e-8, "patch %d, d %g, s %g: %.12g, %.12g", (int)i, d, s,
                              load.force, force);
                ck_assert_double_eq_tol(load.moment, moment, 1e-8);
                ck_assert(load.force >= 0);
            }
}
END_TEST

START_TEST(elastic_contact_conserves_energy_from_point_to_surface)
{
    for (int model = PC_FLAT_RIM; model <= PC_FLAT_OVERLAP; model++)
        for (double tilt = 1e-5; tilt < 1; tilt *= 2.3)
            for (int sign = -1; sign <= 1; sign += 2) {
                pc_flat_task task = disc(model, sign * tilt);
                task.lens.other = 0.7;
                task.lens.offset = 0.6;
                task.rate = 0.4;
                pc_flat_result r = fall(&task);
                ck_assert_msg(fabs(r.energy1 / r.energy0 - 1) <= 1e-10, "model %d, tilt %g: %.3g", model, sign * tilt,
                              r.energy1 / r.energy0 - 1);
            }
}
END_TEST

START_TEST(a_disc_that_falls_flat_bounces_as_a_point_on_a_spring)
{
    for (int model = PC_FLAT_RIM; model <= PC_FLAT_AREA; model++) {
        pc_flat_task task = disc(model, 0);
        pc_flat_result r = fall(&task);
        ck_assert_double_eq_tol(r.velocity, 1, 1e-11);
        ck_assert_double_eq_tol(r.duration, PI / 100, 1e-12);
        /* the moment of a whole disc is rounding: sin(pi) */
        ck_assert_double_eq_tol(r.rate, 0, 1e-12);
        ck_assert_double_eq_tol(r.tilt, 0, 1e-12);
    }
}
END_TEST

/* Flat, the faces are a point mass on one spring. Tilted, damping takes energy of every motion that it meets. */
START_TEST(damping_gives_the_restitution_asked_for_and_only_takes_energy)
{
    for (int model = PC_FLAT_RIM; model <= PC_FLAT_OVERLAP; model++)
        for (int i = 1; i < 4; i++) {
            pc_flat_task task = disc(model, 0);
            task.lens.other = 1.5; /* the disc lies within the other one */
            task.restitution = 0.3 * i;
            pc_flat_result r = fall(&task);
            ck_assert_double_eq_tol(r.velocity, 0.3 * i, 1e-10);
            task.restitution = 1;
            task.damping = pc_hunt_crossley_a(0.3 * i);
            r = fall(&task);
            ck_assert_double_eq_tol(r.velocity, 0.3 * i, 1e-10);
            for (int k = 0; k < 6; k++) {
                task = disc(model, 0.15 * k + 0.01);
                task.lens.other = 0.7;
                task.lens.offset = 0.6;
                task.restitution = 0.3 * i;
                r = fall(&task);
                ck_assert_double_lt(r.energy1, r.energy0);
            }
        }
}
END_TEST

/* Add the moments of the part a <= x <= b of a disc of radius r about x0: x = x0 + r cos(phi), dw = 2 r^2 sin^2(phi)
 * dphi. */
static void add_disc(double r, double x0, double a, double b, double j[3])
{
    double ends[2] = {acos(fmax(-1, fmin(1, (b - x0) / r))), acos(fmax(-1, fmin(1, (a - x0) / r)))};
    for (int i = 0; i < 2; i++) {
        double phi = ends[i], s = sin(phi), w = (i ? 2 : -2) * r * r;
        double area = phi / 2 - sin(2 * phi) / 4, first = r * (s * s * s / 3);
        double second = r * r * (phi / 8 - sin(4 * phi) / 32);
        j[0] += w * area;
        j[1] += w * (x0 * area + first);
        j[2] += w * (x0 * x0 * area + 2 * x0 * first + second);
    }
}

/* The lens in strips across the offset: the chord is that of the circle whose arc lies nearer, and they change over
 * where the rims cross. */
static void add_lens(const pc_lens *l, double a, double b, double j[3])
{
    double c = l->offset, r = l->radius, q = l->other, corner[2];
    a = fmax(a, fmax(-r, c - q));
    b = fmin(b, fmin(r, c + q));
    if (!(a < b)) return;
    if (!pc_lens_corners(l, corner)) {
        add_disc(fmin(q, r), q < r ? c : 0, a, b, j);
        return;
    }
    double middle = fmax(a, fmin(b, corner[0]));
    bool beyond = c > 0;
    if (middle > a) add_disc(beyond ? q : r, beyond ? c : 0, a, middle, j);
    if (b > middle) add_disc(beyond ? r : q, beyond ? 0 : c, middle, b, j);
}

/* Two ways to one number: strips along a slope in the plane of the axes, and the lens cut in a general direction. */
START_TEST(the_lens_is_made_of_strips_where_the_slope_is_along_the_offset)
{
    static const pc_lens lenses[] = {{1, 1, 0.5}, {1, 0.3, 0.5}, {1, 0.8, 0.6}, {1, 0.8, -0.6}, {0.3, 1, 0.2}};
    for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++)
        for (double d = -0.3; d < 0.5; d += 0.11)
            for (double s = -0.61; s < 0.7; s += 0.17) {
                double j[3] = {0}, cut = -d / s;
                add_lens(&lenses[i], s > 0 ? cut : -INFINITY, s > 0 ? INFINITY : cut, j);
                pc_lens_load load = pc_lens_press(&lenses[i], d, (double[]){s, 0}, false);
                ck_assert_double_eq_tol(load.force, d * j[0] + s * j[1], 1e-12);
                ck_assert_double_eq_tol(load.moment[0], d * j[1] + s * j[2], 1e-12);
                ck_assert_double_eq_tol(load.potential, (d * d * j[0] + 2 * d * s * j[1] + s * s * j[2]) / 2, 1e-12);
                ck_assert_double_eq_tol(load.moment[1], 0, 1e-12);
            }
}
END_TEST

/* As above for the patch: central differences of step 1e-5. A lens that lies within one disc is a disc, and has no
 * direction. */
START_TEST(force_and_moments_of_the_lens_come_from_one_potential)
{
    static const pc_lens lenses[] = {{1, 1, 0.5}, {1, 0.3, 0.5}, {1, 0.8, -0.6}, {0.3, 1, 0.2}, {1, 2, 0.4}};
    const double h = 1e-5;
    for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++)
        for (double d = -0.25; d < 0.5; d += 0.13)
            for (double angle = 0.1; angle < 6.2; angle += 0.7) {
                const pc_lens *l = &lenses[i];
                double p[2] = {0.37 * cos(angle), 0.37 * sin(angle)};
                pc_lens_load at = pc_lens_press(l, d, p, false);
                double force =
                    (pc_lens_press(l, d + h, p, false).potential - pc_lens_press(l, d - h, p, false).potential) /
                    (2 * h);
                ck_assert_double_eq_tol(at.force, force, 1e-8);
                for (int k = 0; k < 2; k++) {
                    double up[2] = {p[0], p[1]}, down[2] = {p[0], p[1]};
                    up[k] += h, down[k] -= h;
                    double moment =
                        (pc_lens_press(l, d, up, false).potential - pc_lens_press(l, d, down, false).potential) /
                        (2 * h);
                    ck_assert_msg(fabs(at.moment[k] - moment) <= 1e-8, "lens %d, d %g, angle %g: %.10g, %.10g", (int)i,
                                  d, angle, at.moment[k], moment);
                }
                if (l->other < 2) continue;
                pc_flat_patch disc = {PC_FLAT_AREA, 1};
                pc_flat_load round = pc_flat_press(&disc, d, 0.37, false);
                ck_assert_double_eq_tol(at.force, round.force, 1e-12);
                ck_assert_double_eq_tol(hypot(at.moment[0], at.moment[1]), round.moment, 1e-12);
            }
}
END_TEST

START_TEST(discs_tilted_across_the_offset_conserve_energy_and_mirror_each_other)
{
    for (double tilt = 1e-4; tilt < 0.6; tilt *= 3.1)
        for (double azimuth = 0.4; azimuth < 3.1; azimuth += 0.9) {
            pc_flat_task task = disc(PC_FLAT_OVERLAP, tilt);
            task.lens.other = 0.7;
            task.lens.offset = 0.6;
            task.rate = 0.4;
            task.azimuth = azimuth;
            pc_flat_result r = fall(&task);
            ck_assert_msg(fabs(r.energy1 / r.energy0 - 1) <= 1e-9, "tilt %g, azimuth %g: %.3g", tilt, azimuth,
                          r.energy1 / r.energy0 - 1);
            ck_assert_double_eq_tol(r.impulse, 1 + r.velocity, 1e-10);
            task.azimuth = -azimuth;
            pc_flat_result mirror = fall(&task);
            ck_assert_double_eq_tol(r.velocity, mirror.velocity, 1e-9);
            ck_assert_double_eq_tol(r.rate_x, -mirror.rate_x, 1e-8);
            ck_assert_double_eq_tol(r.rate_y, mirror.rate_y, 1e-8);
            ck_assert(fabs(r.rate_x) > 1e-6);
        }
}
END_TEST

/* Nearly along the offset it is the impact in the plane of the axes, whose tilt has a sign. */
START_TEST(a_small_azimuth_is_the_impact_in_the_plane)
{
    for (int e = 0; e < 2; e++)
        for (double tilt = -0.3; tilt < 0.4; tilt += 0.13) {
            pc_flat_task task = disc(PC_FLAT_OVERLAP, tilt);
            task.lens.other = 0.7;
            task.lens.offset = 0.6;
            task.rate = 0.4;
            task.restitution = e ? 0.7 : 1;
            pc_flat_result plane = fall(&task);
            task.azimuth = 1e-12;
            pc_flat_result skew = fall(&task);
            ck_assert_double_eq_tol(plane.velocity, skew.velocity, 1e-9);
            ck_assert_double_eq_tol(plane.rate, skew.rate_y, 1e-9);
            ck_assert_double_eq_tol(fabs(plane.tilt), skew.tilt, 1e-9);
            ck_assert_double_eq_tol(plane.duration, skew.duration, 1e-9);
        }
}
END_TEST

/* Where the lens ends with an arc of radius r, what is pressed to the depth s h is a parabola of half width
 * sqrt(2 r x): F = 8/15 s sqrt(2 r) h^2.5 but for a share of h/r; at a corner a wedge. Next to nothing is lost to
 * rounding. */
START_TEST(little_of_an_overlap_is_an_arc_or_a_corner)
{
    const pc_lens lens = {1, 0.8, 0.6};
    const double s = 0.3;
    for (double h = 1e-4; h > 1e-9; h /= 10)
        for (int side = -1; side <= 1; side += 2) {
            double r = side > 0 ? 1 : 0.8, end = side > 0 ? 1 : 0.2;
            double share = 1.1 * h / r + 1e-15 / h, force = 8.0 / 15 * s * sqrt(2 * r) * pow(h, 2.5);
            pc_lens_load any = pc_lens_press(&lens, -s * (end - h), (double[]){side * s, 0}, false);
            ck_assert_double_eq_tol(any.force / force, 1, share);
            ck_assert_double_eq_tol(any.centre[0], side * (end - 3.0 / 7 * h), 1.1 * h * h + 1e-15);
        }
    double corner[2];
    ck_assert_int_eq(pc_lens_corners(&lens, corner), 2);
    double u[2] = {corner[0] - 0.2 * corner[1], corner[1] + 0.2 * corner[0]}; /* between the normals of the rims */
    double size = hypot(u[0], u[1]), reach = (corner[0] * u[0] + corner[1] * u[1]) / size, before = 0;
    for (double h = 1e-4; h > 1e-9; h /= 10) {
        pc_lens_load load = pc_lens_press(&lens, -s * (reach - h), (double[]){s * u[0] / size, s * u[1] / size}, false);
        double wedge = load.force / (s * h * h * h);
        if (before > 0) ck_assert_double_eq_tol(wedge / before, 1, 100 * h + 1e-15 / h);
        before = wedge;
    }
}
END_TEST

/* A corner of an overlap is a wedge to what touches it so slowly that it goes in by little: speeds after are then in
 * proportion to the one before, however long the contact takes beside one that falls flat. */
START_TEST(a_corner_may_be_touched_slowly)
{
    double before = 0;
    for (double speed = 0.1; speed > 1e-6; speed /= 10) {
        pc_flat_task task = {.model = PC_FLAT_OVERLAP,
                             .lens = {0.075, 0.11, 0.137},
                             .mass = 0.034,
                             .inertia = 4.8e-5,
                             .stiffness = 5.2e9,
                             .tilt = -0.31,
                             .speed = speed,
                             .azimuth = 1.47,
                             .restitution = 1};
        pc_flat_result r = fall(&task);
        ck_assert_double_eq_tol(r.energy1 / r.energy0, 1, 1e-9);
        if (before != 0) ck_assert_double_eq_tol(r.velocity / speed, before, 1e-3);
        before = r.velocity / speed;
    }
}
END_TEST

/* Deeply pressed it turns past upright: by an independent program, to 1e-8. */
START_TEST(a_disc_may_turn_over_on_another)
{
    pc_flat_task task = {.model = PC_FLAT_OVERLAP,
                         .lens = {0.005035172280596981, 0.004109800931132875, 0.006073874895015007},
                         .mass = 1.4027860299469446,
                         .inertia = 8.891194489730263e-06,
                         .stiffness = 15567584045.702375,
                         .tilt = -0.3174609051394488,
                         .speed = 127.12786706206714,
                         .azimuth = 1.3303829193443386,
                         .restitution = 1};
    pc_flat_result r = fall(&task);
    ck_assert_double_eq_tol(r.velocity, 106.759475, 1e-5);
    ck_assert_double_eq_tol(r.duration, 1.223179027e-4, 1e-12);
    ck_assert_double_eq_tol(r.rate_x, -24133.7249, 1e-2);
    ck_assert_double_eq_tol(r.rate_y, -1099.47205, 1e-2);
    ck_assert_double_eq_tol(cos(r.tilt), -0.336881607, 1e-7);
    ck_assert_double_eq_tol(r.energy1 / r.energy0, 1, 1e-9);
}
END_TEST

UNIT_MAIN("flat", 60, discs_fall_on_a_plane_as_checked, discs_overlap_in_part_as_checked,
          the_centre_of_pressure_goes_from_the_axis_to_the_rim, force_and_moment_come_from_one_potential,
          elastic_contact_conserves_energy_from_point_to_surface, a_disc_that_falls_flat_bounces_as_a_point_on_a_spring,
          damping_gives_the_restitution_asked_for_and_only_takes_energy,
          the_lens_is_made_of_strips_where_the_slope_is_along_the_offset,
          force_and_moments_of_the_lens_come_from_one_potential,
          discs_tilted_across_the_offset_conserve_energy_and_mirror_each_other,
          a_small_azimuth_is_the_impact_in_the_plane, little_of_an_overlap_is_an_arc_or_a_corner,
          a_corner_may_be_touched_slowly, a_disc_may_turn_over_on_another)
