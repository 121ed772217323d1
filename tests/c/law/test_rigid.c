/* Planar rigid laws with Coulomb friction: checked values, an independent solution, and what must always hold. */
#include "unit.h"

#include "base/status.h"
#include "engine/collide.h"
#include "law/law.h"
#include "law/rigid/rigid.h"
#include "math/mobility.h"
#include "rng.h"
#include "rigid_oracle.h"

#include <float.h>
#include <stdint.h>

extern const pc_law pc_law_newton, pc_law_poisson, pc_law_stronge;

typedef struct reference_case {
    const char *id;
    const pc_law *law;
    double coefficient, mu, W[3], before[2], p[2], after[2], loss;
} reference_case;

static const reference_case cases[] = {
#include "../../reference/rigid_planar.inc"
};
enum { N_CASES = sizeof cases / sizeof *cases };

static pc_rng rng;

static double uniform(double lo, double hi)
{
    return pc_rng_between(&rng, lo, hi);
}

static pc_mobility planar(double tt, double tn, double nn)
{
    pc_mobility W = {.tt = tt, .tn = tn, .nn = nn};
    ck_assert_int_eq(pc_mobility_rank(&W, &W.rank, NULL), PC_OK);
    return W;
}

static pc_rigid parameters(double coefficient, double mu)
{
    return (pc_rigid){.restitution = {.value = coefficient}, .coulomb = {mu, mu}};
}

static void collide(const pc_law *law, const pc_rigid *params, const pc_mobility *W, const double v0[3], pc_impact *hit)
{
    pc_impact_init(hit);
    pc_error err = {0};
    ck_assert_msg(pc_law_impact(law, params, W, v0, hit, &err) == PC_OK, "%s: %s", law->schema->name, err.text);
}

/* A random positive semi-definite W: principal values over four decades, any orientation; every fourth of rank 1. */
static pc_mobility random_mobility(int i)
{
    double a = uniform(0, 3.14159), big = exp(uniform(-3, 3)), small = i % 4 ? big * exp(uniform(-9, 0)) : 0;
    double c = cos(a), s = sin(a);
    pc_mobility W = {.tt = big * c * c + small * s * s, .tn = (big - small) * c * s, .nn = big * s * s + small * c * c};
    W.rank = i % 4 ? 2 : 1;
    return W;
}

/* A motion that W allows and that approaches; every eighth starts without slip. */
static void random_motion(const pc_mobility *W, int i, double v0[3])
{
    v0[PC_N] = -uniform(0.1, 2);
    v0[PC_T] = W->rank == 1 ? v0[PC_N] * W->tn / W->nn : i % 8 == 1 ? 0 : uniform(-3, 3);
    v0[PC_T2] = 0;
}

/* Friction from 0 to 10, every fifth just beside the jam and every seventh just beside the edge of stick. */
static double random_friction(const pc_mobility *W, int i)
{
    double side = 1 + uniform(-1, 1) * exp(uniform(-20, 0));
    if (i % 5 == 0 && W->tn != 0) return fmin(W->nn / fabs(W->tn) * side, 10);
    if (i % 7 == 0 && W->tt > 0) return fmin(fabs(W->tn) / W->tt * side, 10);
    return i % 11 ? uniform(0, 10) : 0;
}

static double gain(const pc_impact *hit)
{
    return (hit->impulse[PC_T] * (hit->v0[PC_T] + hit->v1[PC_T]) +
            hit->impulse[PC_N] * (hit->v0[PC_N] + hit->v1[PC_N])) /
           2;
}

START_TEST(checked_values_are_reproduced)
{
    /* the values carry 12 digits and quantities are of order 1 to 10 */
    double bound = 2e-11;
    for (int i = 0; i < N_CASES; i++) {
        const reference_case *c = &cases[i];
        pc_mobility W = planar(c->W[0], c->W[1], c->W[2]);
        pc_rigid params = parameters(c->coefficient, c->mu);
        double v0[3] = {c->before[0], c->before[1], 0};
        pc_impact hit;
        collide(c->law, &params, &W, v0, &hit);
        const double got[5] = {hit.impulse[0], hit.impulse[1], hit.v1[0], hit.v1[1], hit.energy0 - hit.energy1};
        double want[5] = {c->p[0], c->p[1], c->after[0], c->after[1], c->loss};
        double scale = 1 + fabs(c->p[1]);
        for (int k = 0; k < 5; k++)
            ck_assert_msg(fabs(got[k] - want[k]) <= bound * scale, "%s [%d]: %.15g, reference %.15g", c->id, k, got[k],
                          want[k]);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(random_impacts_agree_with_an_independent_solution)
{
    pc_rng_seed(&rng, 1905);
    const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    int compared = 0;
    double worst = 0;
    for (int i = 0; i < 10000; i++) {
        pc_mobility W = random_mobility(4 * (i % 1000) + 1 + i % 3); /* rank 2; rank 1 has tests of its own */
        double v0[3], mu = random_friction(&W, i), coefficient = i % 10 ? uniform(0, 1) : i % 20 ? 0 : 1;
        random_motion(&W, i, v0);
        const pc_law *law = laws[i % 3];
        pc_rigid params = parameters(coefficient, mu);
        pc_impact hit;
        collide(law, &params, &W, v0, &hit);

        oracle o = oracle_make(&W, v0, mu);
        real p_c = oracle_compression(&o);
        ck_assert(p_c > 0);
        real p_n = oracle_end(&o, "nps"[i % 3], coefficient, p_c);
        /* rounding of the slopes, as the problem amplifies it; a root of the work ends with its square root */
        real bound = 32 * DBL_EPSILON * (8 + o.condition);
        real error = fmaxl(fabsl(hit.impulse[PC_N] - p_n) / p_n, fabsl(hit.impulse_compression[PC_N] - p_c) / p_c);
        real v_scale = fabsl(o.v_t) + fabsl(o.v_n) + (o.tt + o.nn) * p_n;
        error = fmaxl(error, fabsl(hit.v1[PC_T] - oracle_v_t(&o, p_n)) / v_scale);
        error = fmaxl(error, fabsl(hit.v1[PC_N] - oracle_v_n(&o, p_n)) / v_scale);
        error = fmaxl(error, fabsl(hit.impulse[PC_T] - oracle_p_t(&o, p_n)) / (p_n * (1 + mu)));
        ck_assert_msg(error <= bound, "case %d %s: error %.3Lg, bound %.3Lg (W %.6g %.6g %.6g, v %.6g %.6g, mu %.17g)",
                      i, law->schema->name, error, bound, W.tt, W.tn, W.nn, v0[0], v0[1], mu);
        worst = fmax(worst, (double)(error / bound));
        compared++;
        pc_impact_free(&hit);
    }
    ck_assert_int_eq(compared, 10000);
    ck_assert_msg(worst > 1e-4, "the bound is too wide to fail: the largest error is %.3g of it", worst);
}
END_TEST

static void check_ledger(const pc_impact *hit, const pc_mobility *W, const double v0[3])
{
    double p_t = hit->impulse[PC_T], p_n = hit->impulse[PC_N];
    double scale = fabs(v0[0]) + fabs(v0[1]) + (W->tt + W->nn) * (fabs(p_t) + p_n);
    if (hit->outcome != PC_OUTCOME_WEDGED) {
        ck_assert_double_le(fabs(hit->v1[PC_T] - v0[PC_T] - W->tt * p_t - W->tn * p_n), 1e-12 * scale);
        ck_assert_double_le(fabs(hit->v1[PC_N] - v0[PC_N] - W->tn * p_t - W->nn * p_n), 1e-12 * scale);
        double sum = hit->impulse_compression[PC_N] + hit->impulse_restitution[PC_N];
        ck_assert_double_le(fabs(sum - p_n), 1e-12 * p_n);
    } else {
        ck_assert(hit->v1[PC_T] == 0 && hit->v1[PC_N] == 0);
    }
    double works = hit->work_n + hit->work_f;
    double moved = fabs(hit->work_n_compression) + hit->work_n_restitution - hit->work_f;
    ck_assert_double_le(fabs(works - gain(hit)), 1e-12 * (moved + scale * p_n));
    ck_assert_double_le(fabs(hit->work_n_compression + hit->work_n_restitution - hit->work_n), 1e-12 * moved);
    ck_assert_double_le(hit->work_f, 0);
    /* just short of a wedge the impulses are huge and cancel: their rounding is that of velocities times impulse */
    double cancelled = 4 * DBL_EPSILON * scale * p_n;
    ck_assert_double_le(fabs(hit->energy1 - hit->energy0 - works), 1e-12 * (moved + hit->energy0) + cancelled);
    ck_assert_double_le(fabs(p_t), 10 * p_n * (1 + 1e-14));
    ck_assert_double_ge(hit->v1[PC_N], 0);
}

/* One million impacts, over all ranks, near the jam and at the edge of stick. */
START_TEST(poisson_and_stronge_never_gain_and_newtons_gains_are_flagged)
{
    pc_rng_seed(&rng, 1905);
    const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    int gains = 0, wedged = 0, jams = 0, above = 0;
    for (int i = 0; i < 1000000; i++) {
        pc_mobility W = random_mobility(i);
        double v0[3], mu = random_friction(&W, i), coefficient = i % 10 ? uniform(0, 1) : 1;
        random_motion(&W, i, v0);
        const pc_law *law = laws[i % 3];
        pc_rigid params = parameters(coefficient, mu);
        pc_impact hit;
        collide(law, &params, &W, v0, &hit);
        check_ledger(&hit, &W, v0);
        double moved = fabs(hit.work_n_compression) + hit.work_n_restitution - hit.work_f;
        bool flagged = hit.flags & PC_FLAG_GAINED_ENERGY;
        if (i % 3) {
            ck_assert_msg(!flagged && gain(&hit) <= 1e-12 * moved, "case %d: %s gains %.3g J", i, law->schema->name,
                          gain(&hit));
            if (i % 3 == 2) ck_assert(!(hit.flags & PC_FLAG_E_ABOVE_ONE));
        } else if (fabs(gain(&hit)) > 1e-11 * moved) {
            ck_assert_int_eq(flagged, gain(&hit) > 0);
            gains += flagged;
        }
        above += i % 3 == 1 && hit.flags & PC_FLAG_E_ABOVE_ONE;
        wedged += hit.outcome == PC_OUTCOME_WEDGED;
        jams += (hit.flags & PC_FLAG_JAM) != 0;
        pc_impact_free(&hit);
    }
    /* the draw holds all of what it is meant to hold */
    ck_assert_int_gt(gains, 10000);
    ck_assert_int_gt(wedged, 10000);
    ck_assert_int_gt(jams, 10000);
    ck_assert_int_gt(above, 10000);
}
END_TEST

START_TEST(nothing_is_nan_and_mirror_images_are_exact)
{
    pc_rng_seed(&rng, 1905);
    const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    for (int i = 0; i < 100000; i++) {
        pc_mobility W = random_mobility(i), M = W;
        M.tn = -W.tn;
        double v0[3], mu = random_friction(&W, i);
        random_motion(&W, i, v0);
        double mirrored[3] = {-v0[0], v0[1], 0};
        pc_rigid params = parameters(uniform(0, 1), mu);
        pc_impact a, b;
        collide(laws[i % 3], &params, &W, v0, &a);
        collide(laws[i % 3], &params, &M, mirrored, &b);
        ck_assert(a.impulse[PC_N] == b.impulse[PC_N] && a.impulse[PC_T] == -b.impulse[PC_T]);
        ck_assert(a.v1[PC_N] == b.v1[PC_N] && a.v1[PC_T] == -b.v1[PC_T]);
        ck_assert(a.flags == b.flags && a.outcome == b.outcome);
        const double all[] = {a.impulse[0], a.impulse[1], a.v1[0],    a.v1[1],   a.work_n, a.work_f,
                              a.energy0,    a.energy1,    a.duration, a.peak[0], a.peak[1]};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) ck_assert(!isnan(all[k]));
        pc_impact_free(&a);
        pc_impact_free(&b);
    }
}
END_TEST

/* Peers' case R10. */
START_TEST(no_restitution_leaves_exactly_no_normal_velocity)
{
    pc_rng_seed(&rng, 1905);
    const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    for (int i = 0; i < 30000; i++) {
        pc_mobility W = random_mobility(i);
        double v0[3], mu = random_friction(&W, i);
        random_motion(&W, i, v0);
        pc_rigid params = parameters(0, mu);
        pc_impact hit;
        collide(laws[i % 3], &params, &W, v0, &hit);
        ck_assert_msg(hit.v1[PC_N] == 0, "v_n = %g", hit.v1[PC_N]);
        pc_impact_free(&hit);
    }
}
END_TEST

/* Peers' case R13: rod of length 2 m, mass 1 kg, J = 0.01 kg m^2, at 315 degrees, falling at 6.5 m/s, e = 0.95. */
START_TEST(a_frictionless_rod_takes_the_impulse_of_theory)
{
    double arm = sqrt(0.5), J = 0.01;
    pc_mobility W = planar(1 + arm * arm / J, -arm * arm / J, 1 + arm * arm / J);
    pc_rigid params = parameters(0.95, 0);
    pc_impact hit;
    collide(&pc_law_newton, &params, &W, (double[3]){0, -6.5, 0}, &hit);
    ck_assert_double_eq_tol(hit.impulse[PC_N], 0.248529412, 5e-10);
    ck_assert_double_eq_tol(-6.5 + hit.impulse[PC_N], -6.251470588, 5e-10);
    ck_assert_double_eq_tol(hit.impulse[PC_N] * arm / J, 17.573683238, 5e-10);
    pc_impact_free(&hit);
}
END_TEST

static pc_status make(const pc_law *law, double coefficient, double mu, double mu_s, pc_rigid *out, pc_error *err)
{
    uint64_t given = 0;
    const char *const names[] = {"restitution", "friction", "static_friction"};
    const double values[] = {coefficient, mu, mu_s};
    pc_schema_defaults(law->schema, out);
    for (int i = 0; i < 3; i++) {
        if (isnan(values[i])) continue;
        int row = pc_schema_find(law->schema, names[i]);
        pc_status status = pc_schema_set_number(law->schema, row, out, values[i], &given, err);
        if (status) return status;
    }
    return pc_schema_finish(law->schema, out, given, err);
}

/* Peers' case R9. */
START_TEST(parameters_out_of_range_are_refused)
{
    const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    for (int i = 0; i < 3; i++) {
        pc_rigid params;
        pc_error err = {0};
        ck_assert_int_eq(make(laws[i], 1.1, 0.3, NAN, &params, &err), PC_E_ARGUMENT);
        ck_assert_int_eq(make(laws[i], -0.1, 0.3, NAN, &params, &err), PC_E_ARGUMENT);
        ck_assert_int_eq(make(laws[i], 0.5, -0.1, NAN, &params, &err), PC_E_ARGUMENT);
        ck_assert_int_eq(make(laws[i], 0.5, 0.3, 0.2, &params, &err), PC_E_ARGUMENT);
        ck_assert_int_eq(make(laws[i], 0.5, 0.3, NAN, &params, &err), PC_OK);
        ck_assert(params.coulomb.static_friction == 0.3);
    }
}
END_TEST

/* Without approach only friction can press the bodies together: Brach (1993), closing remark on Mason and Wang. */
START_TEST(a_jam_from_no_approach_makes_an_impact)
{
    pc_mobility W = planar(2.5, -1.5, 2.5); /* jams for mu > 5/3 */
    double v0[3] = {-1, 0, 0};
    pc_rigid params = parameters(0.5, 2);
    pc_impact hit;
    collide(&pc_law_poisson, &params, &W, v0, &hit);
    ck_assert_double_eq_tol(hit.impulse[PC_N], 0.5625, 1e-15);
    ck_assert(hit.flags & PC_FLAG_JAM);
    collide(&pc_law_stronge, &params, &W, v0, &hit);
    ck_assert_double_gt(hit.impulse[PC_N], 0);
    ck_assert_double_gt(hit.v1[PC_N], 0);
    collide(&pc_law_newton, &params, &W, v0, &hit);
    ck_assert_double_eq_tol(hit.impulse[PC_N], 0.375, 1e-15);
    ck_assert(hit.v1[PC_N] == 0);
    params.coulomb = (pc_coulomb){1.6, 1.6};
    collide(&pc_law_poisson, &params, &W, v0, &hit);
    ck_assert_int_eq(hit.outcome, PC_OUTCOME_NONE);
}
END_TEST

START_TEST(static_friction_decides_whether_slip_reverses)
{
    pc_mobility W = planar(2, -0.9, 1); /* holds from rest for mu_s >= 0.45 */
    double v0[3] = {0.4, -1, 0};
    pc_rigid params = {.restitution = {.value = 0.8}, .coulomb = {0.2, 0.44}};
    pc_impact hit;
    collide(&pc_law_poisson, &params, &W, v0, &hit);
    ck_assert(hit.n_phases == 2 && hit.phases[1].kind == PC_PHASE_SLIP && hit.phases[1].sign < 0);
    ck_assert(hit.flags & PC_FLAG_REVERSE_SLIP);
    params.coulomb.static_friction = 0.45;
    collide(&pc_law_poisson, &params, &W, v0, &hit);
    ck_assert(hit.n_phases == 2 && hit.phases[1].kind == PC_PHASE_STICK && hit.v1[PC_T] == 0);
    ck_assert_double_eq_tol(hit.phases[1].stop.p[PC_T] - hit.phases[1].start.p[PC_T],
                            0.45 * (hit.phases[1].stop.p[PC_N] - hit.phases[1].start.p[PC_N]), 1e-15);
}
END_TEST

/* A pendulum strikes at angle a from the normal; it wedges iff mu >= tan a, by all three laws. */
START_TEST(a_pendulum_wedges_beyond_the_angle_of_friction)
{
    pc_rng_seed(&rng, 1905);
    const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    for (int i = 0; i < 3000; i++) {
        double a = uniform(0.05, 1.5), side = i % 2 ? 1 + 1e-9 : 1 - 1e-9, mu = tan(a) * side;
        double c = cos(a), s = sin(a), scale = exp(uniform(-5, 5));
        pc_mobility W = planar(scale * c * c, scale * c * s, scale * s * s);
        ck_assert_int_eq(W.rank, 1);
        double rate = -uniform(0.1, 5), v0[3] = {rate * c, rate * s, 0};
        pc_rigid params = parameters(i % 5 ? uniform(0, 1) : 0, mu);
        if (!(i % 2) && params.restitution.value == 0) continue;
        pc_impact hit;
        collide(laws[i % 3], &params, &W, v0, &hit);
        if (c * c * mu - c * s == 0) continue;
        ck_assert_msg((hit.outcome == PC_OUTCOME_WEDGED) == (i % 2 == 1), "angle %.17g, mu %.17g, %s", a, mu,
                      laws[i % 3]->schema->name);
        if (hit.outcome == PC_OUTCOME_WEDGED) {
            ck_assert_double_le(fabs(hit.energy0 - hit.energy1 - hit.energy0), 1e-9 * hit.energy0);
            ck_assert(isinf(hit.duration));
        }
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(a_motion_that_w_forbids_is_refused)
{
    pc_mobility W = planar(1, 1, 1);
    pc_rigid params = parameters(0.5, 2);
    pc_impact hit;
    pc_impact_init(&hit);
    pc_error err = {0};
    ck_assert_int_eq(pc_law_impact(&pc_law_poisson, &params, &W, (double[3]){-0.5, -1, 0}, &hit, &err), PC_E_ARGUMENT);
    pc_impact_free(&hit);
}
END_TEST

/* Brach (1993), Table 2, with the work ratio as it is meant; checked values brach.T2.work. */
START_TEST(partial_impulse_ratios_are_those_of_brachs_table_2)
{
    pc_mobility W = planar(2.5, -1.5, 2.5);
    pc_rigid params = parameters(1, 0.01);
    pc_impact hit;
    collide(&pc_law_stronge, &params, &W, (double[3]){0.6, -1, 0}, &hit);
    ck_assert_double_eq_tol(hit.phases[0].stop.v[PC_N], -0.0104918032787, 1e-12);
    ck_assert_double_eq_tol(hit.impulse_compression[PC_T] / hit.impulse_compression[PC_N], -0.00978765759788, 1e-13);
    ck_assert_double_eq_tol(hit.impulse_restitution[PC_T] / hit.impulse_restitution[PC_N], 0.01, 1e-15);
    pc_restitution3 r = pc_impact_restitution(&hit);
    ck_assert_double_eq_tol(r.kinematic, 0.994018552962, 1e-11);
    ck_assert_double_eq_tol(r.energetic, 1, 1e-14);
    pc_state middle;
    ck_assert_int_eq(pc_law_stronge.path(&params, &W, &hit, &hit.impulse_compression[PC_N], 1, &middle, NULL), PC_OK);
    ck_assert_double_eq_tol(middle.v[PC_T], -0.00622752910908, 1e-12);
    ck_assert_double_eq_tol(middle.v[PC_N], 0, 1e-15);
    ck_assert_double_eq_tol(middle.work_n, hit.work_n_compression, 1e-15);
}
END_TEST

UNIT_MAIN("rigid", 120, checked_values_are_reproduced, random_impacts_agree_with_an_independent_solution,
          poisson_and_stronge_never_gain_and_newtons_gains_are_flagged, nothing_is_nan_and_mirror_images_are_exact,
          no_restitution_leaves_exactly_no_normal_velocity, a_frictionless_rod_takes_the_impulse_of_theory,
          parameters_out_of_range_are_refused, a_jam_from_no_approach_makes_an_impact,
          static_friction_decides_whether_slip_reverses, a_pendulum_wedges_beyond_the_angle_of_friction,
          a_motion_that_w_forbids_is_refused, partial_impulse_ratios_are_those_of_brachs_table_2)
