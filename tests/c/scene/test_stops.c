/* Stops and dry friction of joints as places: by finite differences, by what every provider keeps, and the fixed point
 * by which friction follows from reactions. */
#include "motion_scenes.h"
#include "provider_contract.h"

#include "math/fixed_point.h"

#include <stdio.h>
#include <string.h>

enum { JOINTS = 4 };

typedef struct option {
    const char *name;
    double value;
} option;

/* A joint as its constructor makes it. */
static void make_joint(const pc_force_kind *kind, const char *a, const char *b, const option *options, pc_joint *joint)
{
    const pc_schema *schema = kind->schema;
    uint64_t given = 0;
    pc_error err = {0};
    memset(joint, 0, sizeof *joint);
    pc_schema_defaults(schema, joint);
    for (; options->name; options++)
        must(pc_schema_set_number(schema, pc_schema_find(schema, options->name), joint, options->value, &given, &err),
             &err);
    must(pc_schema_finish(schema, joint, given, &err), &err);
    snprintf(joint->common.place[0].body, PC_NAME, "%s", a);
    snprintf(joint->common.place[1].body, PC_NAME, "%s", b);
}

/* A chain with a knee, a rod on its end, a box that slides along the rod, and another one along a line in space. */
static void every_joint(pc_rng *rng, pc_scene *scene, pc_chain *chain, pc_joint joints[JOINTS], double *y)
{
    static const option knee[] = {{"lower", -1},   {"upper", 0.5},    {"restitution", 0.5},
                                  {"radius", 0.1}, {"friction", 0.3}, {NULL, 0}},
                        end[] = {{"upper", 1}, {"stiffness", 100}, {"friction_torque", 0.3}, {NULL, 0}},
                        rail[] = {{"lower", -0.5}, {"upper", 1},      {"restitution", 0},
                                  {"angle", 0.4},  {"friction", 0.2}, {NULL, 0}},
                        line[] = {{"upper", 1}, {"stiffness", 100}, {"damping", 2}, {"friction_force", 2}, {NULL, 0}};
    pc_error err = {0};
    memset(scene, 0, sizeof *scene);
    scene->gravity = 9.81;
    random_chain(rng, 3, true, chain);
    must(pc_scene_add_chain(scene, chain, "leg", &err), &err);
    must(pc_scene_add_body(scene, &(pc_free_body){1.5, 0.2}, "rod", &err), &err);
    must(pc_scene_add_body(scene, &(pc_free_body){0.7, 0.1}, "box", &err), &err);
    must(pc_scene_add_body(scene, &(pc_free_body){2, 0.3}, "cart", &err), &err);
    for (int i = 0; i < 2 * scene->n_dof; i++) y[i] = pc_rng_between(rng, -2, 2);
    make_joint(&pc_force_pin, "leg.link2", "leg.link1", knee, &joints[0]);
    make_joint(&pc_force_pin, "rod", "leg.link3", end, &joints[1]);
    make_joint(&pc_force_slider, "box", "rod", rail, &joints[2]);
    make_joint(&pc_force_slider, "cart", "ground", line, &joints[3]);
    joints[0].common.place[0].at[0] = joints[0].common.place[0].at[1] = joints[0].common.place[1].at[0] = 0;
    joints[0].common.place[1].at[1] = -chain->links[0].length;
    joints[1].at[0] = pc_rng_between(rng, -1, 1);
    joints[1].at[1] = pc_rng_between(rng, -1, 1);
    static const char *const names[JOINTS] = {"knee", "end", "rail", "line"};
    for (int i = 0; i < JOINTS; i++) {
        const pc_force_kind *kind = i < 2 ? &pc_force_pin : &pc_force_slider;
        must(pc_scene_add_force(scene, kind, &joints[i], names[i], y, &err), &err);
    }
    must(pc_scene_join(scene, &pc_law_newton, &joints[0].stop_params, &err), &err);
    ck_assert_int_eq(scene->n_own, 10);
    ck_assert_int_eq(scene->n_pairs, 10);
    ck_assert_int_eq(scene->joints[0].hinge, 1);
    ck_assert_int_eq(scene->joints[1].hinge, 0);
}

/* y after a time h with accelerations a, to the second order. */
static void later(const double *y, const double *a, int n, double h, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = y[i] + h * y[n + i] + h * h / 2 * a[i];
        out[n + i] = y[n + i] + h * a[i];
    }
}

/* Gaps change with v_n, and velocities with the accelerations that are told; also where joints are open. Central
 * differences with h = 1e-5 err by h^2 times third derivatives, some 1e2 here, and by the rounding of 1e-15 over h. */
static void check_rates(int which)
{
    static const double h = 1e-5;
    pc_rng rng;
    pc_scene scene;
    pc_chain chain;
    pc_joint joints[JOINTS];
    pc_planar system;
    double y[64], a[32], around[2][64], gap[2], v[2][2], now[2], b[2];
    pc_touch touch;
    pc_rng_seed(&rng, 500 + (uint64_t)which);
    every_joint(&rng, &scene, &chain, joints, y);
    must(pc_planar_open(&system, &scene, NULL), NULL);
    for (int i = 0; i < scene.n_dof; i++) a[i] = pc_rng_between(&rng, -3, 3);
    for (int k = 0; k < 2; k++) later(y, a, scene.n_dof, k ? h : -h, around[k]);
    for (int p = 0; p < scene.n_pairs; p++) {
        for (int k = 0; k < 2; k++) {
            ck_assert_ptr_nonnull(pc_planar_make(&system, 0, around[k]));
            pc_configuration_contact(&system.now, &system.places, p, &touch, v[k]);
            gap[k] = touch.gap;
            ck_assert_ptr_nonnull(pc_planar_make_pair(&system, p, 0, around[k])); /* with fewer members made */
            ck_assert(pc_configuration_gap(&system.now, &system.places, p) == gap[k]);
        }
        ck_assert_ptr_nonnull(pc_planar_make(&system, 0, y));
        pc_configuration_contact(&system.now, &system.places, p, &touch, now);
        pc_configuration_acceleration(&system.now, p, &touch, a, b);
        if (scene.pairs[p].kind == PC_PAIR_DRY)
            ck_assert(gap[0] == 0 && gap[1] == 0 && now[PC_N] == 0);
        else
            ck_assert_double_eq_tol((gap[1] - gap[0]) / (2 * h), now[PC_N], 1e-8);
        for (int k = 0; k < 2; k++) ck_assert_double_eq_tol((v[1][k] - v[0][k]) / (2 * h), b[k], 1e-7);
    }
    pc_planar_close(&system);
    pc_scene_free(&scene);
}

START_TEST(velocities_and_accelerations_are_rates_of_gaps_and_velocities)
{
    for (int i = 0; i < 40; i++) check_rates(i);
}
END_TEST

START_TEST(responses_to_forces_and_impulses_are_symmetric)
{
    for (int i = 0; i < 40; i++) {
        pc_rng rng;
        pc_scene scene;
        pc_chain chain;
        pc_joint joints[JOINTS];
        pc_planar system;
        double y[64];
        int places[16];
        pc_rng_seed(&rng, 600 + (uint64_t)i);
        every_joint(&rng, &scene, &chain, joints, y);
        must(pc_planar_open(&system, &scene, NULL), NULL);
        ck_assert_ptr_nonnull(pc_planar_make(&system, 0.3, y));
        for (int p = 0; p < scene.n_pairs; p++) places[p] = p;
        provider_keeps_its_word(&system.mechanics, scene.n_pairs, places, &rng, y + scene.n_dof);
        pc_planar_close(&system);
        pc_scene_free(&scene);
    }
}
END_TEST

/* x = share M x + c with M of rows whose sizes sum up to 1: for every share below 1 there is one, in few rounds. */
START_TEST(fixed_points_are_found)
{
    enum { N = 4 };
    pc_rng rng;
    pc_rng_seed(&rng, 1);
    for (int i = 0; i < 400; i++) {
        double M[N][N], c[N], x[N] = {0}, g[N], lack[N * PC_FIXED_POINT_MEMORY], last[N * PC_FIXED_POINT_MEMORY],
                              share = pc_rng_between(&rng, 0, 0.95);
        const int n = 1 + i % N;
        pc_fixed_point point = {.n = n, .x = x, .g = g, .lack = lack, .last = last};
        for (int j = 0; j < n; j++) {
            double sum = 0;
            c[j] = pc_rng_between(&rng, 0, 1);
            for (int k = 0; k < n; k++) sum += M[j][k] = pc_rng_between(&rng, 0.01, 1);
            for (int k = 0; k < n; k++) M[j][k] *= share / sum;
        }
        int rounds = 0;
        do {
            rounds++;
            for (int j = 0; j < n; j++) {
                g[j] = c[j];
                for (int k = 0; k < n; k++) g[j] += M[j][k] * x[k];
            }
        } while (pc_fixed_point_next(&point, 1e-14, 0));
        ck_assert(!point.failed);
        for (int j = 0; j < n; j++) ck_assert_double_eq_tol(g[j], x[j], 1e-13);
        ck_assert_int_le(rounds, n == 1 ? 4 : 30); /* one variable: the secant is the line itself */
    }
}
END_TEST

START_TEST(what_has_no_fixed_point_is_said_to_have_none)
{
    double x = 0, g, lack[PC_FIXED_POINT_MEMORY], last[PC_FIXED_POINT_MEMORY];
    pc_fixed_point point = {.n = 1, .x = &x, .g = &g, .lack = lack, .last = last};
    do g = 2 * x + 1; /* of which -1 is one, but variables are not negative */
    while (pc_fixed_point_next(&point, 1e-14, 0));
    ck_assert(point.failed);
}
END_TEST

UNIT_MAIN("stops", 20, velocities_and_accelerations_are_rates_of_gaps_and_velocities,
          responses_to_forces_and_impulses_are_symmetric, fixed_points_are_found,
          what_has_no_fixed_point_is_said_to_have_none)
