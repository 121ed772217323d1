/* How outlines touch, by finite differences: gaps, velocities and accelerations of contact points, and forces. */
#include "motion_scenes.h"
#include "provider_contract.h"

#include <float.h>

enum { BODIES = 5 };

static int parabola(double s, double place[2], void *context)
{
    (void)context;
    place[0] = s;
    place[1] = 0.2 * s * s - 2;
    return 2;
}

/* Curves that bodies with sides may touch: a track of a line, an arc and a line, one of a function, and a circle. They
 * swing and turn. */
static void add_curves(pc_scene *scene)
{
    enum { ROOM = 40 };
    static pc_curve_span spans[3][ROOM];
    pc_plane_curve curves[3] = {{.n = 3, .side = 1}, {.side = 1}, {.n = 4, .side = 1, .closed = true}};
    const double a[2] = {-4, 1}, b[2] = {-2, -1}, centre[2] = {-1, 0}, c[2] = {0, -1}, d[2] = {2, 1};
    pc_curve_line(&spans[0][0], a, b);
    pc_curve_arc(&spans[0][1], centre, sqrt(2), -0.75 * M_PI, M_PI / 2);
    pc_curve_line(&spans[0][2], c, d);
    double where;
    curves[1].n = pc_curve_follow(spans[1], ROOM, parabola, NULL, -3, 3, &where);
    ck_assert_int_gt(curves[1].n, 0);
    for (int i = 0; i < 4; i++) pc_curve_arc(&spans[2][i], (const double[2]){0.5, 0.5}, 4, i * M_PI / 2, M_PI / 2);
    for (int i = 0; i < 3; i++) {
        pc_error err = {0};
        curves[i].spans = spans[i];
        ck_assert_int_eq(pc_curve_breaks(&curves[i]), -1);
        pc_outline outline = pc_outline_curve("curve", &curves[i], 0.1, -0.2, i == 1 ? 0.05 : 0);
        const pc_drive drive = {.amplitude_x = 0.1 * i,
                                .amplitude_y = 0.2 * i,
                                .amplitude_angle = 0.1 * (i > 1),
                                .frequency = 2,
                                .rate = 0.7 * (i == 1),
                                .surface_speed = 0.3 * i};
        must(pc_scene_add_obstacle(scene, &outline, &drive, &err), &err);
    }
}

/* Everything that can touch: a chain, a disc, a rod, a box, capsules, fixed outlines and curves, anywhere. */
static void every_outline(pc_rng *rng, pc_scene *scene, pc_chain *chain, double *y)
{
    pc_error err = {0};
    memset(scene, 0, sizeof *scene);
    scene->gravity = 9.81;
    random_chain(rng, 3, true, chain);
    must(pc_scene_add_chain(scene, chain, "chain", &err), &err);
    pc_outline end = pc_outline_point("end", chain->links[2].length, 0, 0.05);
    end.member = 0;
    end.link = 2;
    add_hull(scene, end);
    static const pc_free_shape shapes[BODIES] = {
        {.shape = PC_SHAPE_DISC, .mass = 1, .inertia = 0.3, .radius = 0.3},
        {.shape = PC_SHAPE_ROD, .mass = 2, .inertia = 0.4, .length = 1.5, .radius = NAN},
        {.shape = PC_SHAPE_BOX, .mass = 1.5, .inertia = 0.2, .width = 0.7, .height = 1.1, .radius = NAN},
        {.shape = PC_SHAPE_CAPSULE, .mass = 1, .inertia = 0.1, .length = 0.8, .radius = 0.2},
        {.shape = PC_SHAPE_CAPSULE, .mass = 1, .inertia = 0.3, .length = 1.4, .radius = 0.1},
    };
    for (int i = 0; i < BODIES; i++) must(pc_scene_add_free(scene, &shapes[i], "body", &err), &err);
    static const double up[2] = {0, 1}, left[2] = {-1, 0}, ends[4] = {-2, -1, 1, -2},
                        square[8] = {1, 1, 2, 1, 2, 2, 1, 2};
    add_hull(scene, pc_outline_plane("plane", 0.1, -3, 0.6, 0.8));
    add_hull(scene, pc_outline_point("peg", 0.3, 0.2, 0.4));
    add_hull(scene, pc_outline_wedge("step", -1.5, -0.5, up, left));
    add_hull(scene, pc_outline_polygon("block", square, 4, 0));
    add_hull(scene, pc_outline_polygon("bar", ends, 2, 0.1));
    add_curves(scene);
    static pc_rigid law = {.restitution = {.value = 1}, .coulomb = {0.3, 0.3}, .rolling = 0.01};
    must(pc_scene_join(scene, &pc_law_poisson, &law, &err), &err);
    for (int i = 0; i < 2 * scene->n_dof; i++) y[i] = pc_rng_between(rng, -3, 3);
}

/* The state after a time h with accelerations a, to the second order. */
static void later(const double *y, const double *a, int n, double h, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = y[i] + h * y[n + i] + h * h / 2 * a[i];
        out[n + i] = y[n + i] + h * a[i];
    }
}

/* v_n is the rate of the gap, margins have the rates that are told, and the accelerations are the rates of v, wherever
 * a pair is, with frames that turn and points of contact that wander. Central differences with h = 1e-5 err by h^2
 * times third derivatives, up to some 1e3 here where a site is not nearer than 0.1 to a corner, and by the rounding of
 * 1e-15 over h. */
static void check_rates(int which)
{
    pc_rng rng;
    pc_rng_seed(&rng, 100 + (uint64_t)which);
    pc_scene scene;
    pc_chain chain;
    double y[64], a[32], early[64], late[64];
    const double h = 1e-5;
    every_outline(&rng, &scene, &chain, y);
    pc_planar system;
    must(pc_planar_open(&system, &scene, NULL), NULL);
    ck_assert_ptr_nonnull(pc_planar_make(&system, 0.3, y));
    ck_assert_int_eq(pc_mechanics_accelerations(&system.mechanics, NULL, a), 0);
    later(y, a, scene.n_dof, -h, early);
    later(y, a, scene.n_dof, h, late);
    int corners = 0, sides = 0, ends = 0;
    for (int p = 0; p < scene.n_pairs; p++) {
        pc_touch touch[3];
        double v[3][2], margin[3][PC_MARGINS], passing[PC_MARGINS], rate[2];
        const double *states[3] = {early, y, late};
        for (int k = 0; k < 3; k++) {
            ck_assert_ptr_nonnull(pc_planar_make(&system, 0.3 + (k - 1) * h, states[k]));
            pc_configuration_touch(&system.now, &system.places, p, &touch[k]);
            system.places.feature[p] = touch[k].feature;
            pc_configuration_velocity(&system.now, p, &touch[k], v[k]);
            pc_configuration_margins(&system.now, &system.places, p, margin[k]);
            if (k == 1) pc_configuration_margin_rates(&system.now, p, &touch[k], passing);
            if (k == 1) pc_configuration_acceleration(&system.now, p, &touch[k], a, rate);
        }
        if (touch[1].distance < 0.1 || fabs(touch[1].curvature) > 5) continue;
        corners += isfinite(touch[1].distance);
        sides += isinf(touch[1].distance);
        const char *name = scene.pairs[p].name;
        double gap_rate = (touch[2].gap - touch[0].gap) / (2 * h);
        ck_assert_msg(fabs(gap_rate - v[1][PC_N]) < 1e-6, "%s: %.12g, %.12g", name, gap_rate, v[1][PC_N]);
        for (int i = 0; i < PC_MARGINS; i++) {
            if (isinf(margin[1][i])) continue;
            ends++;
            double difference = (margin[2][i] - margin[0][i]) / (2 * h);
            ck_assert_msg(fabs(difference - passing[i]) < 1e-6 * (1 + fabs(passing[i])), "%s: margin %d: %.12g, %.12g",
                          name, i, difference, passing[i]);
        }
        for (int i = 0; i < 2; i++) {
            double difference = (v[2][i] - v[0][i]) / (2 * h);
            ck_assert_msg(fabs(difference - rate[i]) < 2e-6 * (1 + fabs(rate[i])), "%s %s: %.12g, %.12g", name,
                          i == PC_T ? "t" : "n", difference, rate[i]);
        }
    }
    ck_assert_int_gt(corners, 10);
    ck_assert_int_gt(sides, 30);
    ck_assert_int_gt(ends, 100);
    pc_planar_close(&system);
    pc_scene_free(&scene);
}

START_TEST(velocities_and_accelerations_are_rates_of_gaps_and_velocities)
{
    for (int i = 0; i < 40; i++) check_rates(i);
}
END_TEST

/* Forces act where velocities are taken: W is symmetric (Maxwell's reciprocity), and forces and impulses do what it
 * says. */
static void check_provider(int which)
{
    pc_rng rng;
    pc_rng_seed(&rng, 200 + (uint64_t)which);
    pc_scene scene;
    pc_chain chain;
    double y[64];
    every_outline(&rng, &scene, &chain, y);
    pc_planar system;
    must(pc_planar_open(&system, &scene, NULL), NULL);
    ck_assert_ptr_nonnull(pc_planar_make(&system, 0.3, y));
    for (int p = 0; p < scene.n_pairs; p++) provider_projects(&system.mechanics, p, p % 2);
    for (int first = 0; first + TOGETHER <= scene.n_pairs; first += TOGETHER) {
        int pairs[TOGETHER];
        for (int i = 0; i < TOGETHER; i++) pairs[i] = first + i;
        provider_keeps_its_word(&system.mechanics, TOGETHER, pairs, &rng, y + scene.n_dof);
    }
    pc_planar_close(&system);
    pc_scene_free(&scene);
}

START_TEST(responses_to_forces_and_impulses_are_symmetric)
{
    for (int i = 0; i < 20; i++) check_provider(i);
}
END_TEST

/* The distance of a point from a segment, from a box: by the nearest of many points of the outline. */
static void check_distance(int which)
{
    pc_rng rng;
    pc_rng_seed(&rng, 300 + (uint64_t)which);
    static const double ends[4] = {-0.7, 0.2, 0.9, -0.4}, box[8] = {0, -1, 2, -0.5, 1.75, 0.5, -0.25, 0};
    const double radius = which % 2 ? 0 : 0.15;
    pc_outline outline =
        which % 4 < 2 ? pc_outline_polygon("bar", ends, 2, radius) : pc_outline_polygon("block", box, 4, radius);
    pc_free_shape disc = {.shape = PC_SHAPE_DISC, .mass = 1, .inertia = 1, .radius = 0.1};
    static pc_rigid law = {.restitution = {.value = 1}, .coulomb = {0, 0}};
    pc_scene scene = {0};
    pc_error err = {0};
    must(pc_scene_add_free(&scene, &disc, "disc", &err), &err);
    add_hull(&scene, outline);
    must(pc_scene_join(&scene, &pc_law_poisson, &law, &err), &err);
    pc_planar system;
    must(pc_planar_open(&system, &scene, &err), &err);
    ck_assert_int_eq(scene.n_pairs, 1);
    for (int k = 0; k < 50; k++) {
        double y[6] = {pc_rng_between(&rng, -2, 3), pc_rng_between(&rng, -2, 2)}, least = INFINITY;
        bool inside = outline.n_sides == 4;
        for (int i = 0; i < outline.n_sides; i++) {
            const pc_side *s = &outline.sides[i];
            inside &= pc_side_height(s, y[0], y[1]) < 0;
            for (int j = 0; j <= 2000; j++) {
                double l = s->hi * j / 2000;
                least = fmin(least, hypot(y[0] - s->x - l * s->ex, y[1] - s->y - l * s->ey));
            }
        }
        if (inside) continue;
        ck_assert_ptr_nonnull(pc_planar_make(&system, 0, y));
        /* the outline is sampled every 1e-3: the nearest sample is off by 5e-4, its distance by 1e-6/(8 d) */
        ck_assert_double_eq_tol(pc_configuration_gap(&system.now, &system.places, 0), least - 0.1 - radius,
                                fmin(5e-4, 2e-7 / least) + 1e-12);
    }
    pc_planar_close(&system);
    pc_scene_free(&scene);
}

START_TEST(gaps_are_distances_of_outlines)
{
    for (int i = 0; i < 8; i++) check_distance(i);
}
END_TEST

UNIT_MAIN("touch", 20, velocities_and_accelerations_are_rates_of_gaps_and_velocities,
          responses_to_forces_and_impulses_are_symmetric, gaps_are_distances_of_outlines)
