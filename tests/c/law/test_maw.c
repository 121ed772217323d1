/* Maw, Barber and Fawcett's solution: exact limits, checked values, and second order under refinement. */
#include "unit.h"

#include "engine/collide.h"
#include "law/maw/maw.h"
#include "rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double rebound(double psi1, double chi, int n)
{
    pc_maw_step *steps = malloc((2 * (size_t)n + 1) * sizeof *steps);
    ck_assert_ptr_nonnull(steps);
    ck_assert_int_eq(pc_maw_run(psi1, chi, n, steps, NULL, 0, NULL), PC_OK);
    double psi2 = steps[2 * n].psi;
    free(steps);
    return psi2;
}

/* Checked values from front tracking, 1e-9 (tests/reference/lai1999.json, mbf-*). */
static const double checked[][3] = {
    {1.0, 1.441176470588, -0.05969670394344}, {2.0, 1.441176470588, -0.8372100067684},
    {3.0, 1.441176470588, -1.379683292358},   {4.0, 1.441176470588, -1.436512224694},
    {4.7, 1.441176470588, -1.061610994439},   {0.5, 1.235294117647, -0.09046717588093},
    {2.5, 1.235294117647, -1.345963715189},   {3.5, 1.235294117647, -1.307239799758},
    {1.5, 0.8235294117647, -1.186661236606},  {2.0, 0.8235294117647, -1.197958982814},
};
enum { N_CHECKED = sizeof checked / sizeof *checked };

START_TEST(rebounds_converge_to_the_checked_values)
{
    for (int i = 0; i < N_CHECKED; i++) {
        /* second order: about n^-2 times a constant near 2 */
        double got = rebound(checked[i][0], checked[i][1], 1600);
        ck_assert_msg(fabs(got - checked[i][2]) < 2e-6, "psi1 = %g, chi = %g: %.10f, not %.10f", checked[i][0],
                      checked[i][1], got, checked[i][2]);
    }
}
END_TEST

START_TEST(the_order_of_convergence_is_two)
{
    /* Errors of single cases jump a little as fronts pass from ring to ring: the mean over all cases counts. */
    double sum[4] = {0};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < N_CHECKED; i++)
            sum[k] += fabs(rebound(checked[i][0], checked[i][1], 100 << k) - checked[i][2]);
    double order = log2(sum[0] / sum[3]) / 3;
    ck_assert_msg(order > 1.8 && order < 2.4, "observed order %.2f", order);
}
END_TEST

START_TEST(gross_slip_is_exact_and_begins_where_it_should)
{
    for (double chi = 0.6; chi < 4; chi += 0.37) {
        double edge = 4 * chi - 1;
        ck_assert_double_eq_tol(rebound(edge + 0.01, chi, 50), edge + 0.01 - 4 * chi, 1e-12);
        ck_assert_double_eq_tol(rebound(20, chi, 50), 20 - 4 * chi, 1e-12);
        pc_maw_step steps[401];
        ck_assert_int_eq(pc_maw_run(edge - 0.05, chi, 200, steps, NULL, 0, NULL), PC_OK);
        bool stuck = false;
        for (int i = 1; i <= 400; i++) stuck = stuck || steps[i].slip == 0;
        ck_assert_msg(stuck, "chi = %g", chi);
    }
}
END_TEST

START_TEST(it_starts_in_full_stick_up_to_psi_of_one)
{
    pc_maw_step steps[201];
    ck_assert_int_eq(pc_maw_run(0.999, 1.44, 100, steps, NULL, 0, NULL), PC_OK);
    ck_assert_int_eq(steps[1].slip, 0);
    ck_assert_int_eq(pc_maw_run(1.1, 1.44, 100, steps, NULL, 0, NULL), PC_OK);
    ck_assert_int_eq(steps[1].slip, 1);
}
END_TEST

START_TEST(mirror_images_are_exact)
{
    for (double psi = 0.3; psi < 6; psi += 0.7) ck_assert_double_eq(rebound(-psi, 1.3, 64), -rebound(psi, 1.3, 64));
}
END_TEST

START_TEST(tractions_carry_the_force_and_keep_within_friction)
{
    enum { RINGS = 400, POINTS = 4001 };
    static pc_maw_step steps[2 * RINGS + 1];
    static double profile[RINGS + 1], radius[POINTS], traction[POINTS], limit[POINTS];
    int at[] = {100, 400, 600};
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(pc_maw_run(2, 1.441176470588, RINGS, steps, profile, at[k], NULL), PC_OK);
        double u = pow(sin(steps[at[k]].phi), 0.8), a = sqrt(u), sum = 0;
        for (int i = 0; i < POINTS; i++) radius[i] = a * (i + 0.5) / POINTS;
        pc_maw_traction(profile, RINGS, u, radius, POINTS, traction, limit);
        for (int i = 0; i < POINTS; i++) {
            sum += traction[i] * radius[i] * a / POINTS;
            /* the piecewise linear stretches make traction wrong by the square root of a ring at the edge */
            ck_assert_double_le(fabs(traction[i]), limit[i] + 0.05);
        }
        /* the pressure sqrt(u - r^2) sums to u^1.5/3 in the same way */
        double ratio = -3 * sum / pow(u, 1.5);
        ck_assert_msg(fabs(ratio - steps[at[k]].ratio) < 2e-3, "step %d: %.6f from tractions, %.6f from springs", at[k],
                      ratio, steps[at[k]].ratio);
    }
}
END_TEST

static void make(pc_maw *law, double tolerance)
{
    const pc_schema *schema = pc_law_maw.schema;
    uint64_t given = 0;
    pc_schema_defaults(schema, law);
    const struct {
        const char *name;
        double value;
    } rows[] = {{"modulus", 1}, {"poisson", 0.3}, {"radius", 1}, {"friction", 0.5}, {"tolerance", tolerance}};
    for (int i = 0; i < 5; i++)
        pc_schema_set_number(schema, pc_schema_find(schema, rows[i].name), law, rows[i].value, &given, NULL);
    ck_assert_int_eq(pc_schema_finish(schema, law, given, NULL), PC_OK);
}

START_TEST(a_tolerance_is_met)
{
    double unit = 1.5 * (1.7 / 2.1) * 0.5;
    for (int i = 0; i < 5; i++) {
        pc_maw law;
        make(&law, 1e-6);
        pc_mobility W = {.tt = 3.5, .nn = 1, .rank = 2};
        double v0[3] = {checked[i][0] * unit, -1, 0};
        pc_impact hit;
        ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &hit, NULL), PC_OK);
        double error = hit.v1[PC_T] / unit - checked[i][2];
        ck_assert_msg(fabs(error) < 1e-6, "psi1 = %g: error %.1e", checked[i][0], error);
        ck_assert_double_eq(hit.v1[PC_N], 1);
        /* what friction has not taken is what springs hold, 0 */
        ck_assert_double_eq_tol(hit.work_t / hit.energy0, 0, 1e-15);
        pc_impact_free(&hit);
    }
}
END_TEST

/* A random impact, coupled or not, by this many rings or to a tolerance. */
static void strike(pc_rng *rng, bool coupled, int rings, double tolerance, pc_impact *hit, double *unit, double *chi)
{
    pc_maw law;
    make(&law, tolerance);
    double mu = exp(pc_rng_between(rng, log(0.05), log(1.5))), kappa = law.hertz.kappa;
    *chi = exp(pc_rng_between(rng, log(0.3), log(4)));
    *unit = 1.5 * kappa * mu;
    law.friction = mu;
    if (rings > 0) law.annuli = rings;
    pc_mobility W = {.tt = 3 * kappa * *chi, .nn = 1, .rank = 2};
    double share = pc_rng_between(rng, -0.9, 0.9), v0[3] = {pc_rng_between(rng, 0, 4 * *chi) * *unit, -1, 0};
    if (coupled) W.tn = share * sqrt(W.tt);
    pc_error err = {0};
    ck_assert_msg(pc_law_impact(&pc_law_maw, &law, &W, v0, hit, &err) == PC_OK, "%s", err.text);
}

START_TEST(random_impacts_meet_their_tolerance)
{
    /* against 16 times as many rings, which are off by a 256th of it */
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        pc_rng rng;
        pc_impact hit, better;
        double unit, chi, tolerance = 1e-3;
        pc_rng_seed(&rng, unit_seed("contact.maw", (uint64_t)i));
        strike(&rng, i % 2, 0, tolerance, &hit, &unit, &chi);
        pc_rng_seed(&rng, unit_seed("contact.maw", (uint64_t)i));
        strike(&rng, i % 2, 0, tolerance / 256, &better, &unit, &chi);
        for (int k = 0; k < 2; k++) {
            double off = fabs(hit.v1[k] - better.v1[k]) / unit;
            worst = fmax(worst, off);
            ck_assert_msg(off <= tolerance, "impact %d, chi = %g: error %.2e", i, chi, off);
        }
        pc_impact_free(&hit);
        pc_impact_free(&better);
    }
    ck_assert_msg(worst > 0.2e-3, "the rings are more than twice as many as needed: error %.1e", worst);
}
END_TEST

START_TEST(phases_begin_where_they_do_to_second_order)
{
    /* A step of n rings is about 1/n of the duration. Times that fell on steps would be off by up to 60/n^2 here. */
    double sum[2] = {0};
    for (int i = 0; i < 60; i++) {
        pc_impact hit[3];
        double unit, chi;
        static const int rings[3] = {40, 80, 640};
        for (int k = 0; k < 3; k++) {
            pc_rng rng;
            pc_rng_seed(&rng, unit_seed("contact.maw: phases", (uint64_t)i));
            strike(&rng, i % 2, rings[k], 1e-3, &hit[k], &unit, &chi);
        }
        for (int k = 0; k < 2; k++) {
            /* what begins where the last few of 40 rings touch is not compared: they do not tell stick from slip */
            double end = hit[2].duration * (1 - 8. / (40 * 40));
            while (hit[2].phases[hit[2].n_phases - 1].start.t > end) hit[2].n_phases--;
            while (hit[k].phases[hit[k].n_phases - 1].start.t > end) hit[k].n_phases--;
            ck_assert_int_eq(hit[k].n_phases, hit[2].n_phases);
            for (int j = 0; j < hit[k].n_phases; j++) {
                const pc_phase *a = &hit[k].phases[j], *b = &hit[2].phases[j];
                double off = fabs(a->start.t - b->start.t) / hit[2].duration, n = rings[k];
                ck_assert_int_eq(a->sign, b->sign);
                ck_assert_msg(off <= 4 * (1 + chi) / (n * n),
                              "impact %d, phase %d: %.17g with %g rings, %.17g with more", i, j, a->start.t, n,
                              b->start.t);
                sum[k] += off;
            }
            pc_impact_free(&hit[k]);
        }
        pc_impact_free(&hit[2]);
    }
    double order = log2(sum[0] / sum[1]);
    ck_assert_msg(order > 1.7 && order < 2.5, "observed order %.2f", order);
}
END_TEST

START_TEST(a_tolerance_out_of_reach_is_refused_at_once)
{
    pc_maw law;
    make(&law, 1e-7);
    pc_mobility W = {.tt = 40, .nn = 1, .rank = 2};
    double v0[3] = {1, -1, 0};
    pc_impact hit;
    pc_error err = {0};
    ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &hit, &err), PC_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.text, "8192 are the most"));
    W.tn = 1;
    ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &hit, &err), PC_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.text, "8192 are the most"));
}
END_TEST

START_TEST(work_of_friction_by_quadrature_is_what_the_force_takes)
{
    pc_maw_step steps[801];
    for (int i = 0; i < 5; i++) {
        double psi1 = checked[i][0], chi = checked[i][1], off[2];
        for (int k = 0; k < 2; k++) {
            int n = 200 << k;
            ck_assert_int_eq(pc_maw_run(psi1, chi, n, steps, NULL, 0, NULL), PC_OK);
            double psi2 = steps[2 * n].psi, all = (psi2 * psi2 - psi1 * psi1) / (5 * chi);
            off[k] = fabs(steps[2 * n].work_f / all - 1);
        }
        ck_assert_msg(off[1] < 3e-4 && off[0] / off[1] > 3, "psi1 = %g: %.1e, %.1e", psi1, off[0], off[1]);
    }
}
END_TEST

START_TEST(friction_that_does_nothing_takes_nothing)
{
    pc_mobility W = {.tt = 3.5, .nn = 1, .rank = 2};
    for (int k = 0; k < 2; k++) { /* struck head-on; and without friction */
        pc_maw law;
        make(&law, 1e-3);
        if (k == 1) law.friction = 0;
        double v0[3] = {k, -1, 0}, times[3] = {0, 0.1, 0.2};
        pc_impact hit;
        pc_state states[3];
        pc_error err = {0};
        ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &hit, &err), PC_OK);
        ck_assert_double_eq(hit.work_f, 0);
        ck_assert_double_eq(hit.work_t, 0);
        ck_assert_int_eq(pc_law_trace(&pc_law_maw, &law, &W, &hit, times, 3, states, &err), PC_OK);
        for (int i = 0; i < 3; i++) ck_assert_double_eq(states[i].work_f, 0);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(a_trace_joins_the_impact_and_hertz)
{
    pc_maw law;
    make(&law, 1e-5);
    pc_mobility W = {.tt = 3.5, .nn = 1, .rank = 2};
    double v0[3] = {1, -1, 0}, times[21];
    pc_impact hit;
    pc_state s[21];
    ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &hit, NULL), PC_OK);
    for (int i = 0; i < 21; i++) times[i] = hit.duration * i / 20;
    ck_assert_int_eq(pc_law_trace(&pc_law_maw, &law, &W, &hit, times, 21, s, NULL), PC_OK);
    ck_assert_double_eq_tol(s[20].v[PC_T], hit.v1[PC_T], 1e-15);
    ck_assert_double_eq_tol(s[10].u[PC_N], pow(1.25 * 0.75, 0.4), 1e-12);
    for (int i = 0; i < 21; i++) {
        /* energy of Hertz's motion: v^2/2 + 8/15 u^2.5 */
        double total = s[i].v[PC_N] * s[i].v[PC_N] / 2 + 8.0 / 15 * pow(s[i].u[PC_N], 2.5);
        ck_assert_double_eq_tol(total, 0.5, 1e-12);
        ck_assert_double_le(fabs(s[i].F[PC_T]), 0.5 * s[i].F[PC_N] * (1 + 1e-12));
    }
    pc_impact_free(&hit);
}
END_TEST

/* What couples by 1e-9 changes no more than that, though another method follows it; and nothing but friction takes
 * energy from a body that couples. */
START_TEST(coupling_is_followed_and_goes_over_into_none)
{
    pc_maw law;
    make(&law, 1e-5);
    pc_mobility W = {.tt = 3.5, .nn = 1, .rank = 2};
    double v0[3] = {1, -1, 0};
    pc_impact one, other, coupled;
    pc_error err = {0};
    ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &one, &err), PC_OK);
    W.tn = 1e-9;
    ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &other, &err), PC_OK);
    ck_assert_double_eq_tol(other.v1[PC_T], one.v1[PC_T], 3e-5); /* each has the tolerance of the law */
    ck_assert_double_eq_tol(other.v1[PC_N], 1, 1e-8);
    W.tn = 0.8;
    ck_assert_int_eq(pc_law_impact(&pc_law_maw, &law, &W, v0, &coupled, &err), PC_OK);
    ck_assert_double_eq_tol(coupled.energy1, coupled.energy0 + coupled.work_f, 1e-9);
    ck_assert_double_lt(coupled.work_f, 0);
    for (int i = 0; i < 2; i++) {
        double by = i == PC_T ? 3.5 * coupled.impulse[PC_T] + 0.8 * coupled.impulse[PC_N]
                              : 0.8 * coupled.impulse[PC_T] + coupled.impulse[PC_N];
        ck_assert_double_eq_tol(coupled.v1[i] - v0[i], by, 1e-12);
    }
    pc_impact_free(&one);
    pc_impact_free(&other);
    pc_impact_free(&coupled);
}
END_TEST

UNIT_MAIN("maw", 120, rebounds_converge_to_the_checked_values, the_order_of_convergence_is_two,
          gross_slip_is_exact_and_begins_where_it_should, it_starts_in_full_stick_up_to_psi_of_one,
          mirror_images_are_exact, tractions_carry_the_force_and_keep_within_friction, a_tolerance_is_met,
          random_impacts_meet_their_tolerance, phases_begin_where_they_do_to_second_order,
          a_tolerance_out_of_reach_is_refused_at_once, work_of_friction_by_quadrature_is_what_the_force_takes,
          friction_that_does_nothing_takes_nothing, a_trace_joins_the_impact_and_hertz,
          coupling_is_followed_and_goes_over_into_none)
