/* The sledge in space: checked values, the plane, the rigid limit, balances, wedging. */
#include "unit.h"

#include "base/alloc.h"
#include "engine/collide.h"
#include "law/linear/linear.h"
#include "law/rigid/rigid.h"
#include "rng.h"

#include <math.h>

extern const pc_law pc_law_sledge3d;

extern const pc_law pc_law_stronge;

static void strike(const pc_linear *law, const pc_mobility *W, const double v0[3], pc_impact *hit)
{
    pc_error err = {0};
    pc_impact_init(hit);
    pc_status status = pc_law_impact(&pc_law_sledge3d, law, W, v0, hit, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

static pc_linear spring(double kappa, double mu, double E)
{
    return (pc_linear){.kn = 1, .kt = kappa, .eta = 1 / kappa, .mu = mu, .restitution = E};
}

static const pc_mobility bar = {.tt = 2.5, .t2t2 = 4, .nn = 2.5, .tn = -1.5, .rank = 3};
static const pc_mobility general = {.tt = 3, .tt2 = 0.5, .tn = -1.2, .t2t2 = 2, .t2n = 0.4, .nn = 2.5, .rank = 3};

/* Computed with two independent solvers to 1e-9, m = c_y = 1 (kn = 1 here). */
static const struct {
    const pc_mobility *W;
    double mu, kappa, v0[3], p[3], v1[3], duration, R, loss;
    int phases;
} cases[] = {
    {&bar,
     0.3,
     0.824,
     {0.2, -1, 0.3},
     {0.0721167789347, 0.797623155611, -0.128264251365},
     {-0.81614278608, 0.885882720626, -0.213057005461},
     2.04614782736,
     1.07601899889,
     0.073304247843,
     2},
    {&bar,
     0.7,
     0.824,
     {0.2, -1, 0.3},
     {0.152021819949, 0.81042969306, -0.140951272189},
     {-0.635589989718, 0.798041502726, -0.263805088756},
     2.10154610323,
     1.10935129982,
     0.117497032366,
     2},
    {&bar,
     0.7,
     10,
     {0.4, -1, 0.6},
     {0.312893087924, 0.875562631504, -0.150191908646},
     {-0.131111227445, 0.719566946873, -0.000767634585541},
     2.29045319497,
     1.21058659861,
     0.125701558144,
     3},
    {&bar,
     0.3,
     100,
     {0.4, -1, 0.6},
     {0.119521720391, 0.826128891648, -0.139728444339},
     {-0.540389036494, 0.886039648532, 0.0410862226446},
     2.09059619371,
     1.07512953753,
     0.100251729296,
     1},
    {&general,
     0.8,
     5,
     {0.3, -1, 0.2},
     {0.350759348381, 0.943778905392, -0.375207249631},
     {0.0321397338581, 0.788453145571, 0.0024767370859},
     2.35496292074,
     1.12732237341,
     0.0795615408644,
     3},
    {&general,
     0.4,
     2,
     {0, -1, 0},
     {0.254136765268, 0.913114659812, -0.123354718343},
     {-0.395004655143, 0.928480643873, 0.245604809873},
     2.17379987432,
     1.0322710196,
     0.0979935450048,
     2},
};

START_TEST(checked_impacts_in_space_come_out_to_1e_9)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pc_linear law = spring(cases[i].kappa, cases[i].mu, 1);
        pc_impact hit;
        strike(&law, cases[i].W, cases[i].v0, &hit);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(hit.impulse[k], cases[i].p[k], 1e-9);
            ck_assert_double_eq_tol(hit.v1[k], cases[i].v1[k], 1e-9);
        }
        ck_assert_double_eq_tol(hit.duration, cases[i].duration, 1e-9);
        ck_assert_double_eq_tol(pc_impact_restitution(&hit).kinetic, cases[i].R, 1e-8);
        ck_assert_double_eq_tol(pc_impact_restitution(&hit).energetic, 1, 1e-10);
        ck_assert_double_eq_tol(-hit.work_f, cases[i].loss, 1e-9);
        ck_assert_msg(hit.n_phases == cases[i].phases, "case %d: %d phases", (int)i + 1, hit.n_phases);
        pc_impact_free(&hit);
    }
}
END_TEST

/* Random bodies with the whole of W, and random motions. */
static void draw(pc_rng *rng, pc_mobility *W, double v0[3])
{
    double J[3][5] = {{0}}, w[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 5; k++) J[i][k] = pc_rng_between(rng, -1, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 5; k++) w[i][j] += J[i][k] * J[j][k];
    *W = (pc_mobility){
        .tt = w[0][0], .tn = w[0][1], .nn = w[1][1], .tt2 = w[0][2], .t2n = w[1][2], .t2t2 = w[2][2], .rank = 3};
    v0[PC_T] = pc_rng_between(rng, -2, 2);
    v0[PC_T2] = pc_rng_between(rng, -2, 2);
    v0[PC_N] = -1;
}

START_TEST(in_the_plane_it_is_the_linear_law)
{
    pc_rng rng;
    pc_rng_seed(&rng, 1);
    for (int i = 0; i < 200; i++) {
        pc_mobility W;
        double v0[3];
        pc_error err = {0};
        draw(&rng, &W, v0);
        W.tt2 = W.t2n = v0[PC_T2] = 0;
        pc_linear law = spring(exp(pc_rng_between(&rng, -2, 3)), pc_rng_between(&rng, 0, 1.5),
                               i % 2 ? 1 : pc_rng_between(&rng, 0.3, 1));
        pc_linear plane = {.kn = 1, .kt = law.kt, .eta = law.eta, .mu = law.mu, .restitution = law.restitution};
        pc_impact hit, other;
        strike(&law, &W, v0, &hit);
        ck_assert(pc_law_impact(&pc_law_linear, &plane, &W, v0, &other, &err) == PC_OK);
        for (int k = 0; k < 2; k++)
            ck_assert_msg(fabs(hit.v1[k] - other.v1[k]) <= 1e-9, "impact %d: v[%d] = %.14g, linear %.14g", i, k,
                          hit.v1[k], other.v1[k]);
        ck_assert(hit.v1[PC_T2] == 0 && hit.n_phases == other.n_phases);
        ck_assert_double_eq_tol(hit.duration, other.duration, 1e-9);
        ck_assert_double_eq_tol(hit.work_f, other.work_f, 1e-9);
        ck_assert_double_eq_tol(hit.peak[0], other.peak[0], 1e-9);
        ck_assert_double_eq_tol(hit.peak[1], other.peak[1], 1e-9);
        ck_assert_double_eq_tol(hit.compression_time, other.compression_time, 1e-8);
        ck_assert_int_eq(hit.n_reversals, other.n_reversals);
        pc_impact_free(&hit);
        pc_impact_free(&other);
    }
}
END_TEST

START_TEST(a_ball_that_falls_straight_comes_straight_back)
{
    /* no tangential force at all: half a period in, E times half a period out, e = E */
    static const pc_mobility ball = {.tt = 3.5, .t2t2 = 3.5, .nn = 1, .rank = 3};
    static const double v0[3] = {0, -1, 0};
    for (double E = 0.25; E <= 1; E += 0.25)
        for (double mu = 0.01; mu < 2000; mu *= 10) {
            pc_linear law = spring(0.8, mu, E);
            pc_impact hit;
            strike(&law, &ball, v0, &hit);
            ck_assert_int_eq(hit.n_phases, 1);
            ck_assert_int_eq(hit.phases[0].kind, PC_PHASE_STICK);
            ck_assert_double_eq_tol(hit.v1[PC_N], E, 1e-10);
            ck_assert_double_eq_tol(hit.impulse[PC_N], 1 + E, 1e-10);
            ck_assert_double_eq_tol(hit.duration, acos(-1) / 2 * (1 + E), 1e-10);
            ck_assert_double_eq(hit.v1[PC_T], 0);
            pc_impact_free(&hit);
        }
}
END_TEST

START_TEST(velocities_impulses_and_works_balance_in_space)
{
    pc_rng rng;
    pc_rng_seed(&rng, 2);
    for (int i = 0; i < 200; i++) {
        pc_mobility W;
        double v0[3];
        draw(&rng, &W, v0);
        double E = i % 2 ? 1 : pc_rng_between(&rng, 0.3, 1);
        pc_linear law = spring(exp(pc_rng_between(&rng, -2, 2)), pc_rng_between(&rng, 0, 1.5), E);
        pc_impact hit;
        strike(&law, &W, v0, &hit);
        const double *p = hit.impulse;
        double change = pc_mobility_energy(&W, hit.v1) - pc_mobility_energy(&W, v0);
        ck_assert_double_eq_tol(hit.v1[0], v0[0] + W.tt * p[0] + W.tn * p[1] + W.tt2 * p[2], 1e-12);
        ck_assert_double_eq_tol(hit.v1[1], v0[1] + W.tn * p[0] + W.nn * p[1] + W.t2n * p[2], 1e-12);
        ck_assert_double_eq_tol(hit.v1[2], v0[2] + W.tt2 * p[0] + W.t2n * p[1] + W.t2t2 * p[2], 1e-12);
        ck_assert_msg(fabs(change - (hit.work_n + hit.work_t + hit.work_f)) <= 1e-10 * hit.energy0,
                      "impact %d: energy %.12g, works %.12g", i, change, hit.work_n + hit.work_t + hit.work_f);
        ck_assert_msg(fabs(hit.work_t) <= 1e-10 * hit.energy0, "impact %d: springs keep %.3g", i, hit.work_t);
        /* a second compression takes up again what the first gave back, so that E counts it twice */
        if (!(hit.flags & PC_FLAG_RECOMPRESSION))
            ck_assert_double_eq_tol(pc_impact_restitution(&hit).energetic, E, 1e-9);
        ck_assert(hit.work_f <= 1e-12);
        pc_impact_free(&hit);
    }
}
END_TEST

/* Turning the tangents about n by any angle turns the answer. */
START_TEST(no_direction_in_the_tangent_plane_is_special)
{
    double v0[3] = {0.3, -1, 0.2}, c = cos(0.7), d = sin(0.7);
    const pc_mobility *W = &general;
    pc_mobility turned = {.nn = W->nn, .rank = 3};
    turned.tn = c * W->tn - d * W->t2n;
    turned.t2n = d * W->tn + c * W->t2n;
    turned.tt = c * c * W->tt - 2 * c * d * W->tt2 + d * d * W->t2t2;
    turned.t2t2 = d * d * W->tt + 2 * c * d * W->tt2 + c * c * W->t2t2;
    turned.tt2 = c * d * (W->tt - W->t2t2) + (c * c - d * d) * W->tt2;
    double v[3] = {c * v0[0] - d * v0[2], v0[1], d * v0[0] + c * v0[2]};
    pc_linear law = spring(5, 0.8, 0.7);
    pc_impact one, two;
    strike(&law, W, v0, &one);
    strike(&law, &turned, v, &two);
    ck_assert_double_eq_tol(two.v1[0], c * one.v1[0] - d * one.v1[2], 1e-10);
    ck_assert_double_eq_tol(two.v1[2], d * one.v1[0] + c * one.v1[2], 1e-10);
    ck_assert_double_eq_tol(two.v1[1], one.v1[1], 1e-10);
    pc_impact_free(&one);
    pc_impact_free(&two);
}
END_TEST

static double distance_to_rigid(double kappa, double mu, double E, const double v0[3])
{
    pc_linear law = spring(kappa, mu, E);
    pc_rigid limit = {.restitution = {.value = E}, .coulomb = {mu, mu}};
    pc_impact hit, rigid;
    pc_error err = {0};
    strike(&law, &bar, v0, &hit);
    pc_impact_init(&rigid);
    ck_assert(pc_law_impact(&pc_law_stronge, &limit, &bar, v0, &rigid, &err) == PC_OK);
    double square = 0;
    for (int k = 0; k < 3; k++) square += (hit.impulse[k] - rigid.impulse[k]) * (hit.impulse[k] - rigid.impulse[k]);
    pc_impact_free(&hit);
    pc_impact_free(&rigid);
    return sqrt(square);
}

/* The reference has 0.00150074496829 at kappa = 100 (E = 1). The swerve lags by mu F_n/(k_t |v_T|), so the distance
 * falls as 1/kappa: by 10 from 1e3 to 1e4, up to the next order in 1/kappa. */
START_TEST(stiff_tangential_springs_tend_to_rigid_impact_with_stronges_coefficient)
{
    double v0[3] = {0.4, -1, 0.6};
    ck_assert_double_eq_tol(distance_to_rigid(100, 0.3, 1, v0), 0.00150074496829, 1e-8);
    for (int i = 0; i < 2; i++) {
        double E = i ? 0.5 : 1;
        double near = distance_to_rigid(1e3, 0.3, E, v0), nearer = distance_to_rigid(1e4, 0.3, E, v0);
        ck_assert_msg(near / nearer > 9 && near / nearer < 11, "E = %g: distances %.3g and %.3g", E, near, nearer);
    }
}
END_TEST

/* A body with one degree of freedom: J = (sin a, cos a) up to signs, here turned out of the plane by `turn`. */
static pc_mobility pendulum(double a, double turn)
{
    double t = -sin(a) * cos(turn), n = cos(a), t2 = -sin(a) * sin(turn);
    return (pc_mobility){
        .tt = t * t, .tn = t * n, .nn = n * n, .tt2 = t * t2, .t2n = t2 * n, .t2t2 = t2 * t2, .rank = 1};
}

START_TEST(bodies_with_one_degree_of_freedom_wedge_where_the_linear_law_says_so)
{
    int wedged = 0;
    for (int i = 1; i < 40; i++)
        for (int turn = 0; turn < 2; turn++) {
            double mu = 0.05 * i, a = 1.37;
            pc_linear law = spring(0.8, mu, i % 2 ? 1 : 0.7);
            pc_linear plane = {.kn = 1, .kt = law.kt, .eta = law.eta, .mu = mu, .restitution = law.restitution};
            pc_mobility W = pendulum(a, turn), flat = pendulum(a, 0);
            double v[3] = {tan(a) * cos(turn), -1, tan(a) * sin(turn)}, v_flat[3] = {tan(a), -1, 0};
            pc_impact hit, other;
            pc_error err = {0};
            strike(&law, &W, v, &hit);
            ck_assert(pc_law_impact(&pc_law_linear, &plane, &flat, v_flat, &other, &err) == PC_OK);
            ck_assert_msg(hit.outcome == other.outcome, "mu = %g: outcome %d, linear %d", mu, hit.outcome,
                          other.outcome);
            ck_assert_double_eq_tol(hit.v1[PC_N], other.v1[PC_N], 1e-9);
            ck_assert_double_eq_tol(hit.energy1, other.energy1, 1e-9);
            wedged += hit.outcome == PC_OUTCOME_WEDGED;
            pc_impact_free(&hit);
            pc_impact_free(&other);
        }
    ck_assert(wedged > 10 && wedged < 68);
}
END_TEST

/* A spherical pendulum has two degrees of freedom at the contact: nothing may keep it there but a force within the
 * cone along the direction in which it cannot move. */
START_TEST(a_body_with_two_degrees_of_freedom_wedges_with_enough_friction_alone)
{
    double a = 0.2, c = cos(a), d = sin(a);
    /* W acts across the link (0, a) and along t2; the link's own direction (d, -c) is blocked */
    pc_mobility W = {.tt = c * c, .tn = c * d, .nn = d * d, .t2t2 = 1, .rank = 2};
    double v0[3] = {-c / d, -1, 0.3};
    pc_impact hit;
    for (int i = 0; i < 2; i++) {
        pc_linear law = spring(0.8, i ? 0.5 : 0.1, 1);
        strike(&law, &W, v0, &hit);
        ck_assert_int_eq(hit.outcome, i ? PC_OUTCOME_WEDGED : PC_OUTCOME_REBOUND);
        double works = hit.work_n + hit.work_t + hit.work_f;
        ck_assert_double_eq_tol(hit.energy1 - hit.energy0, works, 1e-9 * hit.energy0);
        ck_assert_double_eq_tol(W.tn * hit.impulse[0] + W.nn * hit.impulse[1] + v0[1], hit.v1[1], 1e-12);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(traces_pass_through_the_states_between_the_phases)
{
    double v0[3] = {0.4, -1, 0.6};
    pc_linear law = spring(10, 0.7, 0.8);
    pc_impact hit;
    pc_error err = {0};
    strike(&law, &bar, v0, &hit);
    for (int i = 0; i < hit.n_phases; i++) {
        double times[3] = {hit.phases[i].start.t, hit.phases[i].start.t + 1e-3, hit.phases[i].stop.t};
        pc_state s[3];
        ck_assert_msg(pc_law_trace(&pc_law_sledge3d, &law, &bar, &hit, times, 3, s, &err) == PC_OK, "%s", err.text);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(s[0].v[k], hit.phases[i].start.v[k], 1e-9);
            ck_assert_double_eq_tol(s[2].v[k], hit.phases[i].stop.v[k], 1e-9);
            ck_assert_double_eq_tol(s[2].F[k], hit.phases[i].stop.F[k], 1e-9);
        }
        /* in slip the force lies on the cone, against the slip */
        if (hit.phases[i].kind == PC_PHASE_SLIP) {
            ck_assert_double_eq_tol(hypot(s[1].F[0], s[1].F[2]), 0.7 * s[1].F[1], 1e-12);
            ck_assert(s[1].F[0] * s[1].s[0] + s[1].F[2] * s[1].s[1] < 0);
            ck_assert_double_eq_tol(s[1].F[0] * s[1].s[1] - s[1].F[2] * s[1].s[0], 0, 1e-12);
        }
    }
    pc_impact_free(&hit);
}
END_TEST

/* Each request fails once; a stiff spring that holds makes more reversals than fit into the result itself. */
START_TEST(short_memory_is_reported_as_such)
{
    const pc_mobility sphere = {.tt = 3.5, .t2t2 = 3.5, .nn = 1, .rank = 3};
    pc_linear law = spring(100, 2, 1);
    double v0[3] = {[PC_T] = 0.01, [PC_N] = -1, [PC_T2] = 0.001};
    pc_status status = PC_E_MEMORY;
    int refused = 0;
    for (; status && refused < 10000; refused++) {
        pc_impact hit;
        pc_error err = {0};
        pc_impact_init(&hit);
        pc_alloc_fail_after(refused);
        status = pc_law_impact(&pc_law_sledge3d, &law, &sphere, v0, &hit, &err);
        pc_alloc_fail_after(-1);
        ck_assert_msg(status == PC_OK || (status == PC_E_MEMORY && err.code == PC_E_MEMORY), "request %d: %s", refused,
                      err.text);
        if (!status) ck_assert_int_gt(hit.n_reversals, PC_REVERSALS_INSIDE);
        pc_impact_free(&hit);
    }
    ck_assert_int_gt(refused, 2);
    ck_assert(status == PC_OK);
}
END_TEST

UNIT_MAIN("sledge3d", 120, checked_impacts_in_space_come_out_to_1e_9, in_the_plane_it_is_the_linear_law,
          a_ball_that_falls_straight_comes_straight_back, no_direction_in_the_tangent_plane_is_special,
          velocities_impulses_and_works_balance_in_space,
          stiff_tangential_springs_tend_to_rigid_impact_with_stronges_coefficient,
          bodies_with_one_degree_of_freedom_wedge_where_the_linear_law_says_so,
          a_body_with_two_degrees_of_freedom_wedges_with_enough_friction_alone,
          traces_pass_through_the_states_between_the_phases, short_memory_is_reported_as_such)
