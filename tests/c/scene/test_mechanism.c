/* Mechanisms: what differences tell against slopes by hand, Lagrange's equations, and what every provider keeps. The
 * system is a cart with a double pendulum of points, whose tip meets a wall that swings and the cart's own floor. */
#include "motion_scenes.h"
#include "provider_contract.h"
#include "scene/places.h"

#include <string.h>

static const double cart = 2, m1 = 0.7, m2 = 0.4, l1 = 0.5, l2 = 0.3, g = 9.81, damping = 0.2;
static const double swing = 0.05, frequency = 7;
enum { N = 3, GAPS = 2 };

static int mass_of(void *context, const double *q, double *M)
{
    (void)context;
    double c1 = cos(q[1]), c2 = cos(q[2]), c = cos(q[1] - q[2]);
    const double rows[] = {cart + m1 + m2,      (m1 + m2) * l1 * c1, m2 * l2 * c2,
                           (m1 + m2) * l1 * c1, (m1 + m2) * l1 * l1, m2 * l1 * l2 * c,
                           m2 * l2 * c2,        m2 * l1 * l2 * c,    m2 * l2 * l2};
    memcpy(M, rows, sizeof rows);
    return 0;
}

static int potential_of(void *context, const double *q, double *V)
{
    (void)context;
    *V = -(m1 + m2) * g * l1 * cos(q[1]) - m2 * g * l2 * cos(q[2]);
    return 0;
}

static int force_of(void *context, double t, const double *q, const double *u, double *Q)
{
    (void)context;
    (void)q;
    Q[0] = 0.3 * sin(2 * t);
    Q[1] = 0;
    Q[2] = -damping * u[2];
    return 0;
}

static int gap_of(void *context, int gap, double t, const double *q, double *value)
{
    (void)context;
    *value = gap == 0 ? 2 + swing * sin(frequency * t) - q[0] - l1 * sin(q[1]) - l2 * sin(q[2])
                      : 1.2 - l1 * cos(q[1]) - l2 * cos(q[2]);
    return 0;
}

static int no_row(void *context, int gap, double t, const double *q, double *row)
{
    (void)context, (void)gap, (void)t, (void)q, (void)row;
    return -1;
}

/* The tip slides up the wall, and along the floor, which is the cart's. */
static int tangent_of(void *context, int gap, double t, const double *q, double *row)
{
    (void)context, (void)t;
    row[0] = row[3] = 0;
    row[1] = gap == 0 ? l1 * sin(q[1]) : l1 * cos(q[1]);
    row[2] = gap == 0 ? l2 * sin(q[2]) : l2 * cos(q[2]);
    return 0;
}

static void complain(void *context, const char *text)
{
    (void)context;
    ck_abort_msg("%s", text);
}

static const pc_mechanism_functions functions = {mass_of, force_of, potential_of, gap_of, no_row, tangent_of, complain};
static pc_mechanism_coordinate coordinates[N] = {
    {.name = "x"}, {.name = "a", .angle = true}, {.name = "b", .angle = true}};
static pc_mechanism_gap gaps[GAPS] = {{.name = "wall", .has_tangent = true}, {.name = "floor", .has_tangent = true}};
static bool turns[N * (GAPS + 1)];
static pc_mechanism mechanism = {.n = N,
                                 .n_gaps = GAPS,
                                 .coordinates = coordinates,
                                 .gaps = gaps,
                                 .turns = turns,
                                 .has_force = true,
                                 .has_potential = true,
                                 .call = &functions,
                                 .context = &mechanism};

static void prepare(void)
{
    pc_error err = {0};
    const double q[N] = {0.1, 0.4, -0.3}, u[N] = {0.2, 1, -2};
    ck_assert_msg(pc_mechanism_prepare(&mechanism, q, u, &err) == PC_OK, "%s", err.text);
}

START_TEST(it_is_found_on_what_the_functions_depend)
{
    static const bool want[N * (GAPS + 1)] = {false, true, true, true, true, true, false, true, true};
    prepare();
    ck_assert_mem_eq(turns, want, sizeof want);
    ck_assert(gaps[0].moves && !gaps[1].moves && mechanism.timed_force);
    for (int i = 0; i < N; i++) ck_assert(coordinates[i].scale == 1);
    /* of sin 7t steps of 0.003 s leave out 0.021^6/140 = 6e-13, and those of 0.01 s 8e-10 */
    ck_assert_double_eq_tol(mechanism.time_scale, 0.3, 1e-15);
}
END_TEST

/* Slopes by differences: to 1e-12 of the lengths, up to 6 m here, times rates; and what velocities bend of a gap to
 * some 1e-12 of that times rates^2. */
START_TEST(differences_are_as_good_as_is_said)
{
    pc_error err = {0};
    pc_rng rng;
    pc_mechanism_frame f;
    prepare();
    ck_assert_int_eq(pc_mechanism_frame_open(&f, &mechanism, &err), PC_OK);
    pc_rng_seed(&rng, unit_seed("differences", 1));
    for (int k = 0; k < 300; k++) {
        double q[N], u[N], v[2], a[N] = {0}, t = pc_rng_between(&rng, 0, 5), rate = frequency;
        for (int i = 0; i < N; i++) {
            q[i] = pc_rng_between(&rng, -3, 3);
            u[i] = pc_rng_between(&rng, -4, 4);
            rate = fmax(rate, fabs(u[i]));
        }
        double s1 = sin(q[1]), c1 = cos(q[1]), s2 = sin(q[2]), c2 = cos(q[2]), st = sin(frequency * t),
               ct = cos(frequency * t);
        ck_assert_int_eq(pc_mechanism_place(&f, t, q, u), 0);
        pc_mechanism_velocity(&f, 0, v);
        ck_assert_double_eq_tol(v[PC_N], swing * frequency * ct - u[0] - l1 * c1 * u[1] - l2 * c2 * u[2], 6e-12 * rate);
        pc_mechanism_drift(&f, 0, v);
        ck_assert_double_eq_tol(v[PC_N], -swing * frequency * ct, 6e-12 * rate);
        pc_mechanism_acceleration(&f, 0, a, v);
        ck_assert_double_eq_tol(v[PC_N],
                                -swing * frequency * frequency * st + l1 * s1 * u[1] * u[1] + l2 * s2 * u[2] * u[2],
                                1e-11 * rate * rate);
        ck_assert_double_eq_tol(v[PC_T], l1 * c1 * u[1] * u[1] + l2 * c2 * u[2] * u[2], 1e-12 * rate * rate);
        pc_mechanism_velocity(&f, 1, v);
        ck_assert_double_eq_tol(v[PC_N], l1 * s1 * u[1] + l2 * s2 * u[2], 6e-12 * rate);
        pc_mechanism_drift(&f, 1, v);
        ck_assert(v[PC_N] == 0);

        /* M a by Lagrange's equations by hand */
        double M[N * N], s = sin(q[1] - q[2]), Q[N];
        ck_assert_int_eq(pc_mechanism_factor(&f), 0);
        ck_assert_int_eq(pc_mechanism_load(&f), 0);
        pc_mechanism_solve(&f, a);
        mass_of(NULL, q, M);
        force_of(NULL, t, q, u, Q);
        Q[0] += (m1 + m2) * l1 * s1 * u[1] * u[1] + m2 * l2 * s2 * u[2] * u[2];
        Q[1] -= m2 * l1 * l2 * s * u[2] * u[2] + (m1 + m2) * g * l1 * s1;
        Q[2] += m2 * l1 * l2 * s * u[1] * u[1] - m2 * g * l2 * s2;
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++) sum += M[i * N + j] * a[j];
            ck_assert_double_eq_tol(sum, Q[i], 1e-11 * (10 + rate * rate));
        }
    }
    pc_mechanism_frame_close(&f);
}
END_TEST

START_TEST(it_keeps_what_every_provider_keeps)
{
    pc_error err = {0};
    pc_rng rng;
    pc_scene scene = {.gravity = 9.81};
    pc_planar planar;
    static pc_rigid law;
    prepare();
    law = rigid(0.5, 0.3);
    ck_assert_int_eq(pc_scene_add_mechanism(&scene, &mechanism, "own", &err), PC_OK);
    ck_assert_int_eq(pc_scene_join(&scene, &pc_law_newton, &law, &err), PC_OK);
    ck_assert_int_eq(scene.n_pairs, GAPS);
    ck_assert_int_eq(scene.n_drives, 1); /* of the gap that moves */
    ck_assert_int_eq(pc_planar_open(&planar, &scene, &err), PC_OK);
    pc_rng_seed(&rng, unit_seed("provider", 1));
    for (int k = 0; k < 200; k++) {
        const int places[GAPS] = {k % 2, 1 - k % 2};
        double y[2 * N];
        for (int i = 0; i < 2 * N; i++) y[i] = pc_rng_between(&rng, -2, 2);
        ck_assert_ptr_nonnull(pc_planar_make(&planar, pc_rng_between(&rng, 0, 3), y));
        provider_keeps_its_word(&planar.mechanics, 1 + k % GAPS, places, &rng, y + N);
    }
    pc_planar_close(&planar);
    pc_scene_free(&scene);
}
END_TEST

UNIT_MAIN("mechanism", 20, it_is_found_on_what_the_functions_depend, differences_are_as_good_as_is_said,
          it_keeps_what_every_provider_keeps)
