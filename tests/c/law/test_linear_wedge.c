/* Wedging of the single-link pendulum: the closed forms against checked values, and the kernel's verdict against the
 * closed forms. */
#include "unit.h"

#include "engine/collide.h"
#include "law/linear/linear.h"

#include <math.h>

static const double degree = M_PI / 180;

START_TEST(critical_angles_are_those_of_the_reference)
{
    /* mu, eta, degrees: Birlik's Tables 4.3 and 4.4 and others, in 15 digits from 40-digit arithmetic */
    static const double table[][3] = {
        {1, 1.21, 11.585123543233804},    {1, 0.1, 36.07019922400871},      {1, 0.01, 43.88718875707242},
        {1, 0.001, 44.88575088546975},    {0.1, 0.001, 5.710366234776557},  {0.25, 0.001, 14.032874131275014},
        {0.5, 0.001, 26.542156899767253}, {0.75, 0.001, 36.80814181604116}, {0.2, 1.21, 9.571891762365555},
        {0.4, 1.21, 13.278066440118899},  {0.7, 1.17, 13.496596453235215},  {1.5, 0.1, 39.8055710922652},
        {2, 0.05, 49.361907424253054},    {0.3, 0.5, 14.342011103537626},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double angle = pc_wedge_critical_angle(table[i][0], table[i][1], 1) / degree;
        ck_assert_double_eq_tol(angle, table[i][2], 1e-13 * table[i][2]);
    }
    double low, high;
    ck_assert(pc_wedge_friction_range(26 * degree, 0.01, 1, &low, &high));
    ck_assert_double_eq_tol(low, 0.49245244182343684, 1e-13);
    ck_assert_double_eq_tol(high, 67.68843141463114, 1e-12 * 67);
    double mu;
    ck_assert_double_eq_tol(pc_wedge_greatest_angle(0.1, 1, &mu) / degree, 40.275598362919496, 1e-12);
    ck_assert_double_eq_tol(mu, 1.8257418583505536, 1e-14);
    ck_assert_double_eq_tol(pc_pendulum_greatest_loss(30 * degree, 1.21, &mu), 0.46105, 5e-6);
    ck_assert_double_eq_tol(mu, 0.39348, 5e-6);
}
END_TEST

START_TEST(the_range_of_friction_and_the_critical_angle_invert_each_other)
{
    for (double eta = 1e-3; eta < 5; eta *= 3)
        for (double mu = 0.05; mu < 20; mu *= 1.7)
            for (double e = 0.4; e <= 1; e += 0.2) {
                double low, high, angle = pc_wedge_critical_angle(mu, eta, e), at;
                ck_assert(pc_wedge_friction_range(angle * (1 - 1e-9), eta, e, &low, &high));
                double nearest = fmin(fabs(low / mu - 1), fabs(high / mu - 1));
                ck_assert_double_lt(nearest, 1e-3);
                ck_assert_double_le(angle, pc_wedge_greatest_angle(eta, e, &at) * (1 + 1e-14));
                ck_assert(!pc_wedge_friction_range(pc_wedge_greatest_angle(eta, e, &at) * 1.0001, eta, e, &low, &high));
            }
}
END_TEST

static void strike(double theta, double mu, double eta, double e, pc_impact *hit)
{
    pc_linear law = {.kn = 1, .kt = 1 / eta, .eta = eta, .mu = mu, .restitution = e};
    double s = sin(theta), c = cos(theta);
    pc_mobility W = {.tt = c * c, .tn = s * c, .nn = s * s, .rank = 1};
    double v0[3] = {-c, -s, 0};
    pc_error err = {0};
    ck_assert_msg(pc_law_impact(&pc_law_linear, &law, &W, v0, hit, &err) == PC_OK, "%s", err.text);
}

START_TEST(verdict_changes_at_the_critical_angle_also_below_full_restitution)
{
    for (double eta = 0.003; eta < 3; eta *= 2.1)
        for (double mu = 0.1; mu < 6; mu *= 1.5)
            for (double e = 0.4; e <= 1; e += 0.15) {
                double angle = pc_wedge_critical_angle(mu, eta, e);
                pc_impact inside;
                strike(angle * (1 - 1e-9), mu, eta, e, &inside);
                pc_impact outside;
                strike(angle * (1 + 1e-9), mu, eta, e, &outside);
                ck_assert_msg(inside.outcome == PC_OUTCOME_WEDGED, "mu %g eta %g E %g: no wedge below", mu, eta, e);
                ck_assert_msg(outside.outcome == PC_OUTCOME_REBOUND, "mu %g eta %g E %g: wedge above", mu, eta, e);
                pc_impact_free(&inside);
                pc_impact_free(&outside);
            }
}
END_TEST

START_TEST(speeds_and_losses_of_the_kernel_are_the_closed_forms)
{
    for (double eta = 0.003; eta < 8; eta *= 1.9)
        for (double theta = 0.03; theta < 1.55; theta += 0.09)
            for (double mu = 0.02; mu < 6; mu *= 1.4) {
                pc_impact hit;
                strike(theta, mu, eta, 1, &hit);
                bool wedges = theta < pc_wedge_critical_angle(mu, eta, 1);
                ck_assert_msg((hit.outcome == PC_OUTCOME_WEDGED) == wedges, "theta %g mu %g eta %g", theta, mu, eta);
                /* conditioning: the square root of 1 - loss near the critical angle */
                double ratio = hypot(hit.v1[PC_T], hit.v1[PC_N]), want = pc_pendulum_speed_ratio(theta, mu, eta);
                ck_assert_double_eq_tol(ratio * ratio, want * want, 1e-12);
                ck_assert_double_eq_tol(1 - hit.energy1 / hit.energy0, pc_pendulum_loss(theta, mu, eta), 1e-12);
                pc_impact_free(&hit);
            }
}
END_TEST

START_TEST(small_tangential_compliance_tends_to_the_rigid_energetic_pendulum)
{
    /* (Vf/V0)^2 differs by 4 mu^2 eta T/(T + mu) in the limit: first order in eta */
    double theta = 30 * degree, mu = 0.3, rigid = pc_pendulum_rigid_speed_ratio(theta, mu, 1), last = 0;
    for (double eta = 1e-2; eta > 1e-5; eta /= 10) {
        pc_impact hit;
        strike(theta, mu, eta, 1, &hit);
        double gap = hypot(hit.v1[PC_T], hit.v1[PC_N]) - rigid;
        ck_assert_double_gt(gap, 0);
        if (last > 0) ck_assert_double_eq_tol(last / gap, 10, 0.2);
        last = gap;
        pc_impact_free(&hit);
    }
}
END_TEST

UNIT_MAIN("linear law: wedging", 30, critical_angles_are_those_of_the_reference,
          the_range_of_friction_and_the_critical_angle_invert_each_other,
          verdict_changes_at_the_critical_angle_also_below_full_restitution,
          speeds_and_losses_of_the_kernel_are_the_closed_forms,
          small_tangential_compliance_tends_to_the_rigid_energetic_pendulum)
