/* The flow of sliding: checked values, all zeros found, trajectories that obey the directions. */
#include "unit.h"

#include "law/rigid/impulse_spatial.h"
#include "math/mobility.h"
#include "rng.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Birlik (2012), 4.1.1.1, corrected: pendulum of unit mass. Eigenvalues there are per mu p_n. */
typedef struct reference_case {
    double theta_deg, mu;
    int n_invariant;
    struct {
        double angle, across, along;
        pc_flow_kind kind;
    } invariant[4];
    int n_change;
    double change[2];
} reference_case;

static const reference_case cases[] = {
    {60,
     1,
     4,
     {{0, -1.1830127018922192, 0.18301270189221924, PC_FLOW_SADDLE},
      {2.1862760354652844, 0.5, -1, PC_FLOW_SADDLE},
      {3.141592653589793, -0.31698729810778054, -0.6830127018922194, PC_FLOW_NODE_SINK},
      {4.096909271714302, 0.5, -1, PC_FLOW_SADDLE}},
     2,
     {0.4474278089301275, 5.835757498249458}},
    {30,
     1,
     2,
     {{0, -0.6830127018922193, -0.3169872981077807, PC_FLOW_NODE_SINK},
      {3.141592653589793, 0.18301270189221908, -1.1830127018922192, PC_FLOW_SADDLE}},
     0,
     {0}},
    {60,
     0.5,
     2,
     {{0, -1.6160254037844386, 0.6160254037844386, PC_FLOW_SADDLE},
      {3.141592653589793, 0.11602540378443882, -1.1160254037844388, PC_FLOW_SADDLE}},
     2,
     {0.7761096141468397, 5.507075693032746}},
    {45,
     1.2,
     4,
     {{0, -0.9166666666666665, -0.08333333333333343, PC_FLOW_NODE_SINK},
      {2.5559071101326434, 0.15277777777777718, -1, PC_FLOW_SADDLE},
      {3.141592653589793, -0.08333333333333298, -0.916666666666667, PC_FLOW_NODE_SINK},
      {3.7272781970469433, 0.1527777777777773, -1, PC_FLOW_SADDLE}},
     0,
     {0}},
    {60,
     2,
     4,
     {{0, -0.9665063509461096, -0.033493649053890434, PC_FLOW_NODE_SINK},
      {1.863639098523472, 0.6875, -1, PC_FLOW_SADDLE},
      {3.141592653589793, -0.5334936490538902, -0.4665063509461098, PC_FLOW_NODE_SINK},
      {4.419546208656115, 0.6875, -1, PC_FLOW_SADDLE}},
     0,
     {0}},
};

static void check(const reference_case *c, const pc_flow *flow)
{
    ck_assert_int_eq(flow->n_invariant, c->n_invariant);
    for (int i = 0; i < c->n_invariant; i++) {
        ck_assert_double_eq_tol(flow->invariant[i].angle, c->invariant[i].angle, 1e-13);
        ck_assert_double_eq_tol(flow->invariant[i].growth / c->mu, c->invariant[i].along, 1e-14);
        ck_assert_double_eq_tol(flow->invariant[i].turn_by_phi / c->mu, c->invariant[i].across, 1e-14);
        ck_assert_int_eq(flow->invariant[i].kind, c->invariant[i].kind);
    }
    ck_assert_int_eq(flow->n_change, c->n_change);
    for (int i = 0; i < c->n_change; i++) ck_assert_double_eq_tol(flow->change[i], c->change[i], 1e-13);
}

START_TEST(the_pendulum_of_table_4_2_has_the_checked_directions)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double a = cases[i].theta_deg * pi / 180, c = cos(a), s = sin(a);
        pc_mobility W = {.tt = c * c, .tn = c * s, .nn = s * s, .t2t2 = 1, .rank = 2};
        pc_flow flow;
        ck_assert_int_eq(pc_flow_make(&W, cases[i].mu, &flow, NULL), PC_OK);
        check(&cases[i], &flow);
        ck_assert_double_eq_tol(flow.critical_friction, tan(a), 1e-14);
        ck_assert_int_eq(flow.sticks, cases[i].mu >= tan(a));
    }
}
END_TEST

/* Checked value F3-G0: a general body. */
START_TEST(a_general_body_has_the_checked_directions)
{
    pc_mobility W = {.tt = 1.303925806328583,
                     .tt2 = 0.3014264102009942,
                     .tn = 0.3081694402420575,
                     .t2t2 = 1.3383649677722829,
                     .t2n = -0.040166414523449316,
                     .nn = 0.7672821927560737,
                     .rank = 3};
    static const reference_case c = {
        0,
        0.3,
        2,
        {{3.297853173235697, 1.146460716495508, -2.3913154708159547, PC_FLOW_SADDLE},
         {5.938111131209175, -1.4223314062515993, -0.10399649123507482, PC_FLOW_NODE_SINK}},
        0,
        {0}};
    pc_flow flow;
    ck_assert_int_eq(pc_flow_make(&W, 0.3, &flow, NULL), PC_OK);
    check(&c, &flow);
    ck_assert_double_eq_tol(flow.critical_friction, 0.2712461728982538, 1e-14);
}
END_TEST

static double turn_at(const pc_mobility *W, double mu, double phi)
{
    double c = cos(phi), s = sin(phi);
    return c * (W->t2n - mu * (W->tt2 * c + W->t2t2 * s)) - s * (W->tn - mu * (W->tt * c + W->tt2 * s));
}

static pc_mobility random_mobility(pc_rng *rng)
{
    double m[3][3], w[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = pc_rng_between(rng, -1, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) w[i][j] += m[i][k] * m[j][k];
    return (pc_mobility){w[0][0], w[0][1], w[1][1], w[2][2], w[0][2], w[1][2], 3, NULL, NULL};
}

/* A closed curve without zeros of turn between two attracting lines does not exist, so kinds alternate. */
START_TEST(no_invariant_direction_is_missed_and_kinds_alternate)
{
    pc_rng rng;
    pc_rng_seed(&rng, 3);
    int four = 0;
    for (int i = 0; i < 5000; i++) {
        pc_mobility W = random_mobility(&rng);
        double mu = pc_rng_between(&rng, 0, 3);
        pc_flow flow;
        ck_assert_int_eq(pc_flow_make(&W, mu, &flow, NULL), PC_OK);
        enum { N = 2000 };
        int changes = 0;
        for (int k = 0; k < N; k++)
            changes += turn_at(&W, mu, 2 * pi * k / N) * turn_at(&W, mu, 2 * pi * (k + 1) / N) < 0;
        /* the scan may miss a close pair, the analysis may not */
        ck_assert_int_ge(flow.n_invariant, changes);
        ck_assert_int_eq(flow.n_invariant % 2, 0);
        for (int k = 0; k < flow.n_invariant; k++) {
            int next = (k + 1) % flow.n_invariant;
            ck_assert((flow.invariant[k].turn_by_phi < 0) != (flow.invariant[next].turn_by_phi < 0));
            ck_assert_double_le(fabs(turn_at(&W, mu, flow.invariant[k].angle)), 1e-14 * (3 + 6 * mu) * 3);
        }
        four += flow.n_invariant == 4;
        /* slip from rest follows an invariant direction in which it grows */
        if (!flow.sticks) {
            bool found = false;
            for (int k = 0; k < flow.n_invariant; k++)
                found |= fabs(flow.invariant[k].angle - flow.restart) < 1e-9 && flow.invariant[k].growth > 0;
            ck_assert(found);
            ck_assert_double_lt(mu, flow.critical_friction);
        }
    }
    ck_assert_int_gt(four, 500);
}
END_TEST

START_TEST(isotropic_bodies_do_not_swerve)
{
    pc_mobility W = {.tt = 3.5, .t2t2 = 3.5, .nn = 1, .rank = 3};
    pc_flow flow;
    ck_assert_int_eq(pc_flow_make(&W, 0.4, &flow, NULL), PC_OK);
    ck_assert(flow.every_direction && flow.n_invariant == 0 && flow.sticks);
    ck_assert_int_eq(pc_flow_make(&W, -0.1, &flow, NULL), PC_E_ARGUMENT);
}
END_TEST

/* A trajectory is one curve whichever way it is followed, and it ends along an attracting direction. */
START_TEST(trajectories_run_into_attracting_directions)
{
    pc_mobility W = {.tt = 0.25, .tn = sqrt(0.1875), .nn = 0.75, .t2t2 = 1, .rank = 2};
    enum { N = 801 };
    double x[N], y[N], v[2] = {-0.5, 0.4};
    size_t first, n = pc_flow_trajectory(&W, 1, v, -4, 36, N, 1e-20, 1e9, x, y, &first);
    ck_assert_uint_gt(n, 700);
    size_t start = 80;
    ck_assert(fabs(x[start] - v[0]) < 1e-14 && fabs(y[start] - v[1]) < 1e-14);
    double phi = atan2(y[first + n - 1], x[first + n - 1]);
    ck_assert_double_le(fmin(fabs(phi), pi - fabs(phi)), 1e-4);
    /* back from a later point to an earlier one */
    double bx[N], by[N], later[2] = {x[start + 60], y[start + 60]};
    size_t back, m = pc_flow_trajectory(&W, 1, later, -4, 36, N, 1e-20, 1e9, bx, by, &back);
    ck_assert_uint_gt(m, 100);
    ck_assert_double_eq_tol(bx[start - 60], v[0], 1e-12);
    ck_assert_double_eq_tol(by[start - 60], v[1], 1e-12);
}
END_TEST

UNIT_MAIN("flow", 60, the_pendulum_of_table_4_2_has_the_checked_directions, a_general_body_has_the_checked_directions,
          no_invariant_direction_is_missed_and_kinds_alternate, isotropic_bodies_do_not_swerve,
          trajectories_run_into_attracting_directions)
