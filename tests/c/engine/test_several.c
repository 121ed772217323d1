/* Several contacts at once with rigid friction: a disc in a groove, whose two contacts couple through the disc, and a
 * block that falls on its feet, whose friction forces are not determined. */
#include "unit.h"

#include "element_unit.h"

#include "engine/element_impact.h"
#include "rng.h"

#include <stdio.h>

static void near(const char *what, int i, double got, double want, double bound)
{
    ck_assert_msg(fabs(got - want) <= bound, "case %d, %s: %.15g, not %.15g; difference %.2e, bound %.1e", i, what, got,
                  want, got - want, bound);
}

/* A planar body at points of contact: rows of J are t.v + (r x t) omega and n.v + (r x n) omega. */
typedef struct body {
    double mass, inertia;
    int k;
    double r[3][2], n[3][2];
} body;

/* W and v0 of the contacts when the body moves with v = (x, y, omega). */
static void contacts_of(const body *b, const double v[3], double *W, double *v0)
{
    double J[6][3], inverse[3] = {1 / b->mass, 1 / b->mass, 1 / b->inertia};
    int rows = 2 * b->k;
    for (int i = 0; i < b->k; i++) {
        const double *r = b->r[i], *n = b->n[i], t[2] = {n[1], -n[0]};
        J[2 * i][0] = t[0], J[2 * i][1] = t[1], J[2 * i][2] = r[0] * t[1] - r[1] * t[0];
        J[2 * i + 1][0] = n[0], J[2 * i + 1][1] = n[1], J[2 * i + 1][2] = r[0] * n[1] - r[1] * n[0];
    }
    for (int i = 0; i < rows; i++) {
        v0[i] = 0;
        for (int c = 0; c < 3; c++) v0[i] += J[i][c] * v[c];
        for (int j = 0; j < rows; j++) {
            W[i * rows + j] = 0;
            for (int c = 0; c < 3; c++) W[i * rows + j] += J[i][c] * inverse[c] * J[j][c];
        }
    }
}

/* A disc of radius 1 and mass 1 in a groove whose sides have the normals at angles a and b from the vertical. It may
 * wedge for good where mu >= cot((b - a)/2). */
static body groove(double a, double b)
{
    body g = {.mass = 1, .inertia = 0.5, .k = 2, .n = {{sin(a), cos(a)}, {sin(b), cos(b)}}};
    for (int i = 0; i < 2; i++) g.r[i][0] = -g.n[i][0], g.r[i][1] = -g.n[i][1];
    return g;
}

static void run(const body *b, const filled *law, const double v[3], pc_element_summary *s, double *v0)
{
    double W[36];
    pc_element_contact contacts[3];
    contacts_of(b, v, W, v0);
    for (int i = 0; i < b->k; i++) contacts[i] = (pc_element_contact){law->law->element, &law->params};
    pc_element_task task = {.k = b->k, .contacts = contacts, .W = W, .v0 = v0, .tolerance = 1e-13};
    pc_error err = {0};
    ck_assert_msg(pc_element_run(&task, s, NULL, NULL, &err) == PC_OK, "%s", err.text);
}

static filled elastic(double mu, double kt)
{
    return kt > 0 ? fill("hunt_crossley", "stiffness", 1.0, "damping", 0.0, "friction", mu, "tangential", "spring",
                         "tangential_stiffness", kt, NULL)
                  : fill("hunt_crossley", "stiffness", 1.0, "damping", 0.0, "friction", mu, NULL);
}

START_TEST(friction_alone_takes_energy_and_stays_in_its_cone)
{
    pc_rng rng;
    pc_rng_seed(&rng, 21);
    int stuck = 0;
    for (int i = 0; i < 200; i++) {
        body g = groove(pc_rng_between(&rng, -0.8, -0.2), pc_rng_between(&rng, 0.2, 0.8));
        double mu = pc_rng_between(&rng, 0.05, 0.95), v0[4];
        double v[3] = {pc_rng_between(&rng, -0.3, 0.3), -1, pc_rng_between(&rng, -2, 2)};
        filled law = elastic(mu, 0);
        pc_element_summary s[2];
        run(&g, &law, v, s, v0);
        double total = 0, works = 0;
        for (int c = 0; c < 2; c++) {
            const double *before = v0 + 2 * c;
            total += s[c].p[0] * (before[0] + s[c].v[0]) / 2 + s[c].p[1] * (before[1] + s[c].v[1]) / 2;
            works += s[c].work_n + s[c].work_f;
            ck_assert_double_le(s[c].work_f, 1e-12);
            ck_assert_double_le(fabs(s[c].p[0]), mu * s[c].p[1] * (1 + 1e-10) + 1e-12);
            /* The spring has given back what it took. Where one contact ends while the other presses, its force u^1.5
             * has no second derivative, and the step across may pass with some thousand times the tolerance of
             * 1e-13. */
            near("work of the normal force", i, s[c].work_n, 0, 1e-9);
            ck_assert_double_ge(s[c].v[1], -1e-9);
            stuck += fabs(s[c].v[0]) < 1e-11;
        }
        near("energy", i, total, works, 1e-11);
    }
    ck_assert_int_ge(stuck, 40);
    ck_assert_int_le(stuck, 360);
}
END_TEST

START_TEST(stiff_springs_tend_to_rigid_friction)
{
    pc_rng rng;
    pc_rng_seed(&rng, 22);
    double worst[3] = {0};
    for (int i = 0; i < 24; i++) {
        body g = groove(pc_rng_between(&rng, -0.8, -0.3), pc_rng_between(&rng, 0.3, 0.8));
        double mu = pc_rng_between(&rng, 0.1, 0.9), v0[4];
        double v[3] = {pc_rng_between(&rng, -0.2, 0.2), -1, pc_rng_between(&rng, -1.5, 1.5)};
        filled rigid = elastic(mu, 0);
        pc_element_summary limit[2], s[2];
        run(&g, &rigid, v, limit, v0);
        for (int j = 0; j < 3; j++) {
            filled springs = elastic(mu, 100 * pow(100, j));
            run(&g, &springs, v, s, v0);
            for (int c = 0; c < 2; c++)
                worst[j] = fmax(worst[j], hypot(s[c].v[0] - limit[c].v[0], s[c].v[1] - limit[c].v[1]));
        }
    }
    /* what a spring still holds at release goes with the root of its compliance */
    ck_assert_msg(worst[0] < 0.3 && worst[1] < 0.3 * worst[0] && worst[2] < 0.3 * worst[1], "%g, %g, %g", worst[0],
                  worst[1], worst[2]);
}
END_TEST

START_TEST(contacts_that_do_not_couple_stick_for_themselves)
{
    pc_rng rng;
    pc_rng_seed(&rng, 23);
    for (int i = 0; i < 60; i++) {
        filled law[2];
        pc_mobility m[2];
        double v0[4], W[16] = {0};
        pc_element_contact contacts[2];
        pc_element_summary s[2];
        for (int c = 0; c < 2; c++) {
            law[c] = elastic(pc_rng_between(&rng, 0.05, 1.5), 0);
            double tt = pc_rng_between(&rng, 0.5, 4), tn = pc_rng_between(&rng, -0.9, 0.9) * sqrt(tt);
            m[c] = (pc_mobility){.tt = tt, .tn = tn, .nn = 1, .rank = 2};
            v0[2 * c] = pc_rng_between(&rng, -2, 2);
            v0[2 * c + 1] = -pc_rng_between(&rng, 0.3, 1);
            contacts[c] = (pc_element_contact){law[c].law->element, &law[c].params};
            W[10 * c] = tt, W[10 * c + 1] = W[10 * c + 4] = tn, W[10 * c + 5] = 1;
        }
        pc_element_task task = {.k = 2, .contacts = contacts, .W = W, .v0 = v0, .tolerance = 1e-13};
        pc_error err = {0};
        ck_assert_msg(pc_element_run(&task, s, NULL, NULL, &err) == PC_OK, "%s", err.text);
        for (int c = 0; c < 2; c++) {
            pc_impact alone;
            strike(&law[c], &m[c], v0[2 * c], v0[2 * c + 1], &alone);
            near("v_t", i, s[c].v[0], alone.v1[0], 1e-9);
            near("v_n", i, s[c].v[1], alone.v1[1], 1e-9);
            near("friction", i, s[c].work_f, alone.work_f, 1e-9);
            pc_impact_free(&alone);
        }
    }
}
END_TEST

START_TEST(a_block_on_two_feet_stops_whatever_each_foot_holds)
{
    body block = {
        .mass = 1,
        .inertia = 0.6,
        .k = 2,
        .r = {{-1, -0.5}, {1, -0.5}},
        .n = {{0, 1}, {0, 1}},
    };
    double v0[4];
    const double v[3] = {0.4, -1, 0};
    pc_element_summary s[2];
    filled law = elastic(2, 0);
    run(&block, &law, v, s, v0);
    for (int c = 0; c < 2; c++) near("feet at rest along the floor", c, s[c].v[0], 0, 1e-12);
    /* how the feet share the push is not determined, its sum and everything else is */
    filled springs = elastic(2, 1e6);
    pc_element_summary t[2];
    run(&block, &springs, v, t, v0);
    near("push", 0, s[0].p[0] + s[1].p[0], t[0].p[0] + t[1].p[0], 1e-4);
    for (int c = 0; c < 2; c++) {
        near("p_n", c, s[c].p[1], t[c].p[1], 1e-4);
        near("v_n", c, s[c].v[1], t[c].v[1], 1e-4);
    }
}
END_TEST

START_TEST(three_feet_are_no_more_than_the_body_can_move)
{
    body block = {
        .mass = 1,
        .inertia = 0.6,
        .k = 3,
        .r = {{-1, -0.5}, {0, -0.5}, {1, -0.5}},
        .n = {{0, 1}, {0, 1}, {0, 1}},
    };
    double v0[6];
    const double v[3] = {0, -1, 0};
    pc_element_summary s[3];
    filled law = elastic(0.5, 0);
    run(&block, &law, v, s, v0);
    /* a symmetric fall: nothing rubs, and it leaves as it came */
    for (int c = 0; c < 3; c++) {
        near("no push", c, s[c].p[0], 0, 1e-12);
        near("v_n", c, s[c].v[1], 1, 1e-10);
    }
}
END_TEST

START_TEST(a_dashpots_jump_may_tear_another_contact_loose)
{
    /* the second contact closes later and at once with a force, while the first one sticks */
    body g = groove(-0.6, 0.6);
    double W[16], v0[4];
    const double v[3] = {0.25, -1, 0.2}, gaps[2] = {0, 0.15};
    contacts_of(&g, v, W, v0);
    filled law = fill("kelvin_voigt", "stiffness", 1.0, "damping_ratio", 0.3, "friction", 0.4, NULL);
    pc_element_contact contacts[2] = {{law.law->element, &law.params}, {law.law->element, &law.params}};
    pc_element_summary s[2];
    pc_element_task task = {.k = 2, .contacts = contacts, .W = W, .v0 = v0, .gaps = gaps, .tolerance = 1e-13};
    pc_error err = {0};
    ck_assert_msg(pc_element_run(&task, s, NULL, NULL, &err) == PC_OK, "%s", err.text);
    double total = 0, works = 0;
    for (int c = 0; c < 2; c++) {
        total += s[c].p[0] * (v0[2 * c] + s[c].v[0]) / 2 + s[c].p[1] * (v0[2 * c + 1] + s[c].v[1]) / 2;
        works += s[c].work_n + s[c].work_f;
        ck_assert_double_le(s[c].work_n, 0);
        ck_assert_double_le(s[c].work_f, 1e-12);
        ck_assert_double_le(fabs(s[c].p[0]), 0.4 * s[c].p[1] + 1e-12);
    }
    near("energy", 0, total, works, 1e-11);
    ck_assert_double_gt(s[1].start, 0);
}
END_TEST

START_TEST(contacts_that_do_not_couple_become_stiff_each_for_itself)
{
    /* the second of the stiff impacts of test_laws.c, and its mirror image */
    filled law = fill("hunt_crossley", "stiffness", 2e8, "damping", 0.4, "friction", 2.0, "exponent", 2.0, "tangential",
                      "mindlin", "stiffness_ratio", 1.9, NULL);
    const double W[16] = {1, 0.99999, 0, 0, 0.99999, 1, 0, 0, 0, 0, 1, -0.99999, 0, 0, -0.99999, 1};
    const double v0[4] = {8000, -1, -8000, -1}, v[2] = {-5902.061660632522, 2.5};
    pc_element_contact contacts[2] = {{law.law->element, &law.params}, {law.law->element, &law.params}};
    pc_element_task task = {
        .k = 2, .contacts = contacts, .W = W, .rank = 4, .v0 = v0, .tolerance = PC_ELEMENT_TOLERANCE};
    pc_element_summary s[2];
    pc_error err = {0};
    ck_assert_msg(pc_element_run(&task, s, NULL, NULL, &err) == PC_OK, "%s", err.text);
    for (int i = 0; i < 2; i++) {
        int side = i == 0 ? 1 : -1;
        near("v_t", i, s[i].v[PC_T], side * v[PC_T], 1e-8 * 8000);
        near("v_n", i, s[i].v[PC_N], v[PC_N], 1e-8 * 8000);
        near("p_t", i, s[i].p[PC_T], side * -695281557.6894146, 1e-8 * 7e8);
        near("p_n", i, s[i].p[PC_N], 695274608.3738377, 1e-8 * 7e8);
    }
}
END_TEST

UNIT_MAIN("several", 60, friction_alone_takes_energy_and_stays_in_its_cone, stiff_springs_tend_to_rigid_friction,
          contacts_that_do_not_couple_stick_for_themselves, a_block_on_two_feet_stops_whatever_each_foot_holds,
          three_feet_are_no_more_than_the_body_can_move, a_dashpots_jump_may_tear_another_contact_loose,
          contacts_that_do_not_couple_become_stiff_each_for_itself)
