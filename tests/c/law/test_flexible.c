/* Bodies that give way beneath Maw's rings: modes of rods, and compliances in series with the contact. */
#include "unit.h"

#include "body/body.h"
#include "engine/collide.h"
#include "law/maw/maw.h"
#include "math/linsolve.h"
#include "rng.h"

#include <math.h>
#include <string.h>

START_TEST(pencils_are_solved)
{
    enum { N = 9 };
    for (uint64_t seed = 1; seed <= 5; seed++) {
        pc_rng rng;
        pc_rng_seed(&rng, seed);
        double K[N * N], M[N * N], k[N * N], m[N * N], values[N], vectors[N * N];
        memset(m, 0, sizeof m);
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                k[i * N + j] = k[j * N + i] = pc_rng_uniform(&rng) - 0.5;
                m[i * N + j] = m[j * N + i] =
                    0.1 * (pc_rng_uniform(&rng) - 0.5) + (i == j ? 1 + pc_rng_uniform(&rng) : 0);
            }
        memcpy(K, k, sizeof K);
        memcpy(M, m, sizeof M);
        ck_assert(pc_eigen_pencil(N, K, M, values, vectors));
        for (int v = 0; v < N; v++) {
            const double *x = vectors + v * N;
            double norm = 0;
            if (v > 0) ck_assert_double_le(values[v - 1], values[v]);
            for (int i = 0; i < N; i++) {
                double left = 0, right = 0;
                for (int j = 0; j < N; j++) left += k[i * N + j] * x[j], right += m[i * N + j] * x[j];
                ck_assert_double_eq_tol(left, values[v] * right, 1e-13);
                norm += x[i] * right;
            }
            ck_assert_double_eq_tol(norm, 1, 1e-13);
        }
        m[0] = -1;
        memcpy(M, m, sizeof M);
        ck_assert(!pc_eigen_pencil(N, K, M, values, vectors));
    }
}
END_TEST

static const double E = 70e9, RHO = 2700;

START_TEST(slender_rods_have_the_modes_of_bernoulli_and_of_bars)
{
    /* free ends: cos x cosh x = 1; a bar: whole halves of a wave. Shear and rotation lower bending frequencies by some
     * (r/L)^2 x^2, 2e-4 here for the first */
    const double x[] = {4.730040745, 7.853204624, 10.995607838};
    pc_beam beam = {.length = 1, .radius = 0.002, .young = E, .poisson = 0.3, .density = RHO, .bending = 3, .axial = 3};
    pc_vibration modes;
    ck_assert_int_eq(pc_beam_modes(&beam, 0, &modes, NULL), PC_OK);
    ck_assert_int_eq(modes.n, 6);
    const double c = sqrt(E / RHO), mass = RHO * M_PI * beam.radius * beam.radius;
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(modes.omega[k] / (x[k] * x[k] * c * beam.radius / 2), 1, 3e-4 * (k + 1) * (k + 1));
        ck_assert_double_eq_tol(modes.omega[3 + k] / ((k + 1) * M_PI * c), 1, 1e-6);
        /* at a free end both are twice their mean over the length, in the square */
        ck_assert_double_eq_tol(fabs(modes.t[k]) * sqrt(mass), 2, 3e-3 * (k + 1));
        ck_assert_double_eq_tol(modes.along_n[k], 0, 1e-12);
        ck_assert_double_eq_tol(fabs(modes.along_n[3 + k]) * sqrt(mass), sqrt(2), 1e-5);
        ck_assert_double_eq_tol(modes.t[3 + k], 0, 1e-12);
    }
}
END_TEST

START_TEST(caps_load_the_ends_of_a_bar)
{
    /* tan-like equation of a bar with masses m at both ends: the lowest mode is antisymmetric, x tan x = M/m with x = k
     * L/2 and M half of the bar */
    pc_beam beam = {
        .length = 0.5, .radius = 0.05, .young = E, .poisson = 0.3, .density = RHO, .round = true, .axial = 1};
    pc_vibration modes;
    ck_assert_int_eq(pc_beam_modes(&beam, 0, &modes, NULL), PC_OK);
    double x = modes.omega[0] / sqrt(E / RHO) * beam.length / 2;
    double cap = 2.0 / 3 * beam.radius, half = beam.length / 2; /* in lengths of the bar */
    ck_assert_double_eq_tol(x * tan(x), half / cap, 1e-6 * half / cap);
}
END_TEST

static const pc_hertz hertz = {.modulus = 7e10, .kappa = 0.8, .radius = 0.05, .counter_radius = INFINITY};

static pc_maw law_with(double c_n, double c_t, double tolerance)
{
    return (pc_maw){.hertz = hertz,
                    .friction = 0.3,
                    .tolerance = tolerance,
                    .body_compliance = 2,
                    .normal_compliance = c_n,
                    .tangential_compliance = c_t};
}

static void run(const pc_maw *law, const pc_mobility *W, double vt, pc_impact *out)
{
    pc_error err = {0};
    pc_impact_init(out);
    ck_assert_msg(pc_law_impact(&pc_law_maw, law, W, (const double[3]){vt, -1, 0}, out, &err) == PC_OK, "%s", err.text);
}

START_TEST(without_compliance_it_is_maws_solution)
{
    /* two integrators: in angle and in time; coupled and uncoupled */
    for (int coupled = 0; coupled < 2; coupled++) {
        const pc_mobility W = {.tt = 3.5, .tn = coupled ? 0.8 : 0, .nn = 1.2, .rank = 2};
        for (double vt = -1; vt < 2.5; vt += 0.43) {
            pc_maw rigid = law_with(0, 0, 1e-5), soft = rigid;
            rigid.body_compliance = 0;
            pc_impact a, b;
            run(&rigid, &W, vt, &a);
            run(&soft, &W, vt, &b);
            double unit = 1.5 * hertz.kappa * 0.3;
            for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(a.v1[i], b.v1[i], 4e-5 * unit);
            ck_assert_double_eq_tol(b.duration / a.duration, 1, 2e-3);
            ck_assert_double_eq_tol(b.peak[PC_N] / a.peak[PC_N], 1, 1e-4);
            ck_assert_double_eq_tol(b.work_f, a.work_f, 1e-4 * a.energy0);
            pc_impact_free(&a);
            pc_impact_free(&b);
        }
    }
}
END_TEST

START_TEST(its_order_is_two)
{
    const pc_mobility W = {.tt = 3.5, .tn = 0, .nn = 1, .rank = 2};
    double v[3];
    const double tolerances[] = {1e-3, 1e-3 / 16, 1e-3 / 4096}; /* rings go as the root: 4 times, 16 times as many */
    for (int i = 0; i < 3; i++) {
        pc_maw law = law_with(-0.4, 0.3, tolerances[i]);
        pc_impact hit;
        run(&law, &W, 0.5, &hit);
        v[i] = hit.v1[PC_T];
        pc_impact_free(&hit);
    }
    double order = log(fabs(v[0] - v[2]) / fabs(v[1] - v[2])) / log(4);
    ck_assert_msg(order > 1.3, "observed order %.2f: %.3g, %.3g", order, v[0] - v[2], v[1] - v[2]);
}
END_TEST

START_TEST(stiff_modes_change_nothing_and_heavy_ones_add_to_the_body)
{
    /* a mode far above the impact's frequencies is a compliance t^2/omega^2, none in the end; one without a spring
     * would be more of the rigid body */
    pc_mobility W = {.tt = 3.5, .tn = 0, .nn = 1, .rank = 2}, more = {.tt = 4.5, .tn = 0.5, .nn = 1.25, .rank = 2};
    pc_maw law = law_with(0, 0, 1e-4);
    pc_vibration modes = {.n = 1, .t = {1}, .along_n = {0.5}};
    pc_impact rigid, stiff, loose, heavy;
    run(&law, &W, 0.4, &rigid);
    modes.omega[0] = 400 / rigid.duration;
    W.modes = &modes;
    run(&law, &W, 0.4, &stiff);
    modes.omega[0] = 1e-4 / rigid.duration;
    run(&law, &W, 0.4, &loose);
    run(&law, &more, 0.4, &heavy);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(stiff.v1[i], rigid.v1[i], 1e-3);
        ck_assert_double_eq_tol(loose.impulse[i], heavy.impulse[i], 1e-3 * heavy.impulse[PC_N]);
    }
    pc_impact_free(&rigid), pc_impact_free(&stiff), pc_impact_free(&loose), pc_impact_free(&heavy);
}
END_TEST

START_TEST(no_other_law_takes_modes)
{
    pc_vibration modes = {.n = 1, .omega = {1e4}, .t = {1}};
    const pc_mobility W = {.tt = 3.5, .nn = 1, .rank = 2, .modes = &modes};
    for (int i = 0; i < pc_n_laws; i++) {
        if (pc_laws[i]->abilities & PC_LAW_VIBRATES) continue;
        pc_impact hit;
        pc_error err = {0};
        pc_impact_init(&hit);
        ck_assert_int_eq(pc_law_impact(pc_laws[i], NULL, &W, (const double[3]){0, -1, 0}, &hit, &err),
                         PC_E_UNSUPPORTED);
    }
}
END_TEST

UNIT_MAIN("flexible", 60, pencils_are_solved, slender_rods_have_the_modes_of_bernoulli_and_of_bars,
          caps_load_the_ends_of_a_bar, without_compliance_it_is_maws_solution, its_order_is_two,
          stiff_modes_change_nothing_and_heavy_ones_add_to_the_body, no_other_law_takes_modes)
