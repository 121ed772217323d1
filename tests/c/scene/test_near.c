/* Steps in which a gap cannot close: what is said of them holds at every place of the step, and is said often. */
#include "motion_scenes.h"
#include "scene/places.h"

#include <stdio.h>

enum { DEGREE = 7, PLACES = 60 };

static pc_chain chain;
static pc_rigid law;

/* Coordinates as polynomials that wander by about `spread`. */
static void wander(pc_rng *rng, const pc_scene *scene, double spread, pc_dense *dense)
{
    for (int i = 0; i < dense->n; i++) {
        double *c = dense->c + i * (DEGREE + 1);
        c[0] = pc_rng_between(rng, -5, 5);
        if (i < scene->n_dof)
            for (int j = 1; j <= DEGREE; j++) c[j] = c[0] + pc_rng_between(rng, -spread, spread);
    }
}

START_TEST(what_is_clear_of_a_plane_is_above_it_everywhere)
{
    pc_error err = {0};
    pc_rng rng;
    pc_rng_seed(&rng, 91);
    law = rigid(0.5, 0.1);
    int said = 0, parts = 0, above = 0, rising = 0, leaving = 0, closing = 0, falls = 0;
    double length = 0, full = 0;
    for (int k = 0; k < 3000; k++) {
        pc_scene scene = {.gravity = 9.81};
        if (k % 2) {
            random_chain(&rng, 1 + k % 4, false, &chain);
            chain.pivot = (pc_pivot){.x = pc_rng_between(&rng, -1, 1), .y = pc_rng_between(&rng, -1, 1)};
            must(pc_scene_add_chain(&scene, &chain, "chain", &err), &err);
        } else {
            pc_free_body body = {1, 0.1};
            must(pc_scene_add_body(&scene, &body, "body", &err), &err);
        }
        pc_outline tip = pc_outline_point("tip", pc_rng_between(&rng, -1, 1), pc_rng_between(&rng, -1, 1), 0.1);
        tip.member = 0;
        tip.link = k % 2 ? chain.n - 1 : 0;
        double angle = pc_rng_between(&rng, -4, 4), far = pc_rng_between(&rng, -1, 3);
        pc_outline plane = pc_outline_plane("plane", -far * cos(angle), -far * sin(angle), cos(angle), sin(angle));
        must(pc_scene_add_outline(&scene, &tip, &err), &err);
        must(pc_scene_add_outline(&scene, &plane, &err), &err);
        must(pc_scene_join(&scene, &pc_law_newton, &law, &err), &err);
        double c[2 * 8 * (DEGREE + 1)] = {0}, y[16];
        pc_dense dense = {0, 1, 2 * scene.n_dof, DEGREE, c};
        wander(&rng, &scene, k % 3 ? 0.2 : 4, &dense);
        pc_run run;
        pc_dense_eval(&dense, 0, y);
        must(pc_run_open(&run, &scene, 0, y, &err), &err);
        double gap[PLACES + 1], least = INFINITY, first = 1;
        for (int i = PLACES; i >= 0; i--) {
            pc_dense_eval(&dense, (double)i / PLACES, y);
            ck_assert_ptr_nonnull(pc_planar_make_pair(&run.scratch.system, 0, 0, y));
            gap[i] = pc_configuration_gap(&run.scratch.system.now, &run.scratch.system.places, 0);
            least = fmin(least, gap[i]);
            if (gap[i] <= 0) first = (double)i / PLACES;
        }
        double whole = pc_clearance_until(&scene, 0, INFINITY, false, NULL, &dense);
        bool falling = false;
        double clear = pc_clearance_until(&scene, 0, INFINITY, true, NULL, &dense),
               from = pc_clearance_until(&scene, 0, INFINITY, true, &falling, &dense);
        ck_assert(whole == 0 || whole == 1);
        ck_assert_double_ge(clear, whole);
        if (clear == 1) ck_assert_double_gt(least, 0);
        ck_assert_double_ge(first, clear);
        ck_assert_double_ge(clear, from);
        closing += gap[0] > 0 && first < 1;
        falls += falling && gap[0] > 0 && first < 1;
        for (int i = 0; i < PLACES && falling; i++)
            if ((double)i / PLACES >= from) ck_assert_double_lt(gap[i + 1], gap[i]);
        said += whole == 1;
        parts += clear == 1;
        above += least > 0;
        if (gap[0] > 0 && least <= 0) length += clear, full += first;

        /* the same with the plane where the site begins: it may rise from there */
        scene.outlines[1].sides[0].x += gap[0] * cos(angle);
        scene.outlines[1].sides[0].y += gap[0] * sin(angle);
        double risen = pc_clearance_until(&scene, 0, 0, true, NULL, &dense);
        for (int i = 1; i <= PLACES && (double)i / PLACES <= risen; i++) ck_assert_double_gt(gap[i] - gap[0], 0);
        rising += risen > 0;
        leaving += gap[1] > gap[0];
        pc_run_close(&run);
        pc_scene_free(&scene);
    }
    /* where the coordinates wander far their Bernstein coefficients enclose them loosely */
    printf("%d of %d steps without contact were seen to be\n", said, above);
    ck_assert_int_gt(2 * said, above);
    printf("%d by parts; of steps that end in contact %.0f %% are clear\n", parts, 100 * length / full);
    ck_assert_int_gt(10 * parts, 9 * above);
    ck_assert_double_gt(length, 0.7 * full);
    printf("%d of %d gaps that close were seen to fall\n", falls, closing);
    ck_assert_int_gt(falls, 10); /* among such that wander */
    printf("%d of %d that leave a plane were seen to\n", rising, leaving);
    ck_assert_int_gt(2 * rising, leaving);
}
END_TEST

UNIT_MAIN("near", 60, what_is_clear_of_a_plane_is_above_it_everywhere)
