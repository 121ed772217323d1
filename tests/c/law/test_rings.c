/* A row of springs along paths in (u, z): exact answers of Mindlin's, and the ledger whatever the path. */
#include "unit.h"

#include "base/alloc.h"
#include "law/contact.h"
#include "rng.h"

#include <math.h>

/* F_n = u^1.5, so that 3/2 kappa mu = CONE is the greatest stretch over depth. */
#define MU 0.4
#define KAPPA 0.8
#define CONE (1.5 * KAPPA * MU)
#define STIFFNESS (1 / KAPPA)

static double normal(double u)
{
    return u > 0 ? u * sqrt(u) : 0;
}

static pc_rings *open(int wanted, double u, double w)
{
    pc_rings *rings;
    ck_assert_int_eq(pc_rings_open(&rings, MU, STIFFNESS, wanted, 1, 1, u, w, NULL), PC_OK);
    return rings;
}

static pc_rings_force press(const pc_rings *rings, double u, double z)
{
    pc_rings_force force;
    pc_rings_press(rings, u, z, 0, 0, normal(u), 0, &force);
    return force;
}

static void carry(pc_rings *rings, double u, double z)
{
    ck_assert_int_eq(pc_rings_carry(rings, u, z, 0, normal(u), NULL), PC_OK);
}

/* From where it is along a straight line in n steps; the work of F_t by Simpson's rule. */
static double go(pc_rings *rings, double u, double z, int n)
{
    double u0 = rings->u, z0 = rings->z, work = 0;
    for (int i = 0; i < n; i++) {
        double a = (double)i / n, b = (i + 1.0) / n, sum = 0;
        for (int k = 0; k < 3; k++) {
            double x = a + (b - a) * k / 2;
            sum += (k == 1 ? 4 : 1) * press(rings, u0 + x * (u - u0), z0 + x * (z - z0)).Ft;
        }
        work += sum / 6 * (z - z0) / n;
        carry(rings, u0 + b * (u - u0), z0 + b * (z - z0));
    }
    return work;
}

/* Cattaneo and Mindlin: monotonic shear of a contact that stays pressed by u, over mu F_n. */
static double cattaneo(double share)
{
    return share < 1 ? 1 - pow(1 - share, 1.5) : 1;
}

START_TEST(shear_at_constant_pressure_is_cattaneos_and_turns_back_by_masings_rule)
{
    double before = 0;
    for (int n = 50; n <= 400; n *= 2) {
        pc_rings *rings = open(n, 1, 0);
        double off = 0, most = 0.8;
        for (int i = 1; i <= 8; i++) {
            go(rings, 1, CONE * most * i / 8, 1);
            off = fmax(off, fabs(press(rings, 1, rings->z).Ft + MU * cattaneo(most * i / 8)));
        }
        /* backwards twice the curve from the point of return, so that a whole cycle closes */
        for (int i = 1; i <= 16; i++) {
            go(rings, 1, CONE * most * (1 - i / 8.0), 1);
            double wanted = MU * (cattaneo(most) - 2 * cattaneo(most * i / 16));
            off = fmax(off, fabs(press(rings, 1, rings->z).Ft + wanted));
        }
        if (before > 0) ck_assert_msg(off < before / 3, "%d rings: %.2e after %.2e", n, off, before);
        before = off;
        pc_rings_close(rings);
    }
    ck_assert_double_le(before, 1e-5);
}
END_TEST

START_TEST(a_cycle_of_shear_takes_what_mindlin_and_deresiewicz_say)
{
    /* the area between the branches: with g(s) = 1 - (1 - s)^1.5 and amplitude m of CONE u,
       4 mu CONE (2 G(m) - m g(m)), G the integral of g (Masing) */
    double m = 0.7, g = 1 - pow(1 - m, 1.5), G = m - (1 - pow(1 - m, 2.5)) / 2.5;
    double exact = 4 * MU * CONE * (2 * G - m * g);
    pc_rings *rings = open(800, 1, 0);
    go(rings, 1, CONE * m, 50);
    double work = go(rings, 1, -CONE * m, 2000) + go(rings, 1, CONE * m, 2000);
    ck_assert_msg(fabs(work + exact) < 1e-5 * exact, "%.10f, not %.10f", -work, exact);
    pc_rings_close(rings);
}
END_TEST

START_TEST(within_the_cone_loading_sticks_and_unloading_gives_all_back)
{
    double ratio = 0.9 * CONE;
    pc_rings *rings = open(200, 0, 1);
    double in = go(rings, 1, ratio, 2000);
    /* springs that touch from depth d on are stretched by ratio (u - d): F_t = k 2/3 ratio u^1.5 */
    double force = STIFFNESS * 2 / 3 * ratio;
    ck_assert_double_eq_tol(press(rings, 1, ratio).Ft, -force, 1e-4 * force);
    double out = go(rings, 0, 0, 2000);
    ck_assert_double_eq_tol(in, -0.4 * force * ratio, 1e-4 * force * ratio);
    ck_assert_double_eq_tol(in + out, 0, 1e-5 * fabs(in));
    pc_rings_close(rings);
}
END_TEST

START_TEST(gross_slip_is_mu_times_the_pressure_whatever_the_rings)
{
    for (int n = 2; n < 100; n = 2 * n + 1) {
        pc_rings *rings = open(n, 0, 1);
        for (int i = 1; i < 2 * n; i++) {
            double x = (i <= n ? i : 2 * n - i) / (double)n, u = x * x, z = rings->z + 3 * CONE * fabs(u - rings->u);
            pc_rings_force now = press(rings, u, z);
            ck_assert_double_eq_tol(now.Ft, -MU * normal(u), 1e-14);
            ck_assert_int_eq(now.slip, 1);
            carry(rings, u, z);
        }
        pc_rings_close(rings);
    }
}
END_TEST

/* Along any path on which the contact grows by a ring in a step, what is done on the springs is stored or taken by
 * friction, which never gives: but for the outermost rings, whose bounds are not straight. What a ring of width d holds
 * when it is new is k CONE^2 d^5 at most, and it is less than a few of these. */
START_TEST(no_path_creates_energy)
{
    pc_rng rng;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        pc_rng_seed(&rng, seed);
        int n = 3 + (int)(seed % 40);
        pc_rings *rings = open(n, 0, 1);
        double work = 0, stored = 0;
        for (int i = 0; i < 300; i++) {
            double x0 = sqrt(rings->u), x = fmin(fmax(0, x0 + pc_rng_between(&rng, -0.1, 0.1)), x0 + 1.0 / n),
                   u = x * x;
            double z = rings->z + pc_rng_between(&rng, -0.15, 0.15) * CONE;
            /* along one step, in places close enough for a quadrature of the kinks */
            enum { PLACES = 400 };
            double u0 = rings->u, z0 = rings->z, last = press(rings, u0, z0).Ft, step = 0, beyond = 0;
            for (int k = 1; k <= PLACES; k++) {
                double part = (double)k / PLACES, at = u0 + part * (u - u0);
                pc_rings_force now = press(rings, at, z0 + part * (z - z0));
                beyond = fmax(beyond, fabs(now.Ft) - MU * normal(at) * (1 + 1e-13));
                step += (last + now.Ft) / 2 * (z - z0) / PLACES;
                last = now.Ft;
            }
            ck_assert_double_le(beyond, 1e-16);
            double after = press(rings, u, z).stored, friction = step + after - stored, most = fmax(x, x0);
            /* trapezoidal: of the order of the change of the force in a place times that of z */
            double change = STIFFNESS * most * fabs(z - z0) + MU * most * most * most;
            double error = change * fabs(z - z0) / PLACES / PLACES + 1e-15;
            error += 4 * STIFFNESS * CONE * CONE * pow(n, -5);
            ck_assert_msg(friction <= error, "seed %d, step %d: friction gives %.2e", (int)seed, i, friction);
            carry(rings, u, z);
            ck_assert_double_eq_tol(press(rings, u, z).stored, after, 1e-15);
            ck_assert_double_eq_tol(press(rings, u, z).Ft, last, 1e-14);
            work += step;
            stored = after;
        }
        ck_assert_double_le(work + stored, 0);
        pc_rings_close(rings);
    }
}
END_TEST

START_TEST(mirrored_paths_have_mirrored_forces_bit_by_bit)
{
    pc_rng rng;
    pc_rng_seed(&rng, 7);
    pc_rings *one = open(20, 0, 1), *other = open(20, 0, 1);
    for (int i = 0; i < 500; i++) {
        double u = fmax(0, one->u + 0.1 * (pc_rng_uniform(&rng) - 0.45)),
               z = one->z + 0.1 * (pc_rng_uniform(&rng) - 0.5);
        double v = pc_rng_uniform(&rng) - 0.5, w = pc_rng_uniform(&rng) - 0.5;
        pc_rings_force a, b;
        pc_rings_press(one, u, z, w, v, normal(u), 1.5 * sqrt(u) * w, &a);
        pc_rings_press(other, u, -z, w, -v, normal(u), 1.5 * sqrt(u) * w, &b);
        ck_assert(a.Ft == -b.Ft && a.dFt == -b.dFt && a.power == b.power && a.stored == b.stored);
        carry(one, u, z);
        carry(other, u, -z);
    }
    pc_rings_close(one);
    pc_rings_close(other);
}
END_TEST

START_TEST(rates_are_those_of_the_forces)
{
    pc_rng rng;
    pc_rng_seed(&rng, 3);
    pc_rings *rings = open(30, 0, 1);
    int agree = 0;
    for (int i = 0; i < 400; i++) {
        double u = fmax(0.2, rings->u + 0.1 * (pc_rng_uniform(&rng) - 0.45)),
               z = rings->z + 0.2 * (pc_rng_uniform(&rng) - 0.5);
        carry(rings, u, z);
        double w = pc_rng_uniform(&rng) - 0.5, v = pc_rng_uniform(&rng) - 0.5, h = 1e-6;
        double at = u + 0.01 * w, there = z + 0.01 * v;
        pc_rings_force a = press(rings, at - h * w, there - h * v), b = press(rings, at + h * w, there + h * v), now;
        pc_rings_press(rings, at, there, w, v, normal(at), 1.5 * sqrt(at) * w, &now);
        double rate = (b.Ft - a.Ft) / (2 * h), power = -(b.stored - a.stored) / (2 * h);
        if (fabs(rate - now.dFt) < 1e-6 && fabs(power - now.power) < 1e-6) agree++;
    }
    ck_assert_int_ge(agree, 380); /* now and then a ring changes between the two places */
    pc_rings_close(rings);
}
END_TEST

START_TEST(a_load_far_beyond_the_expected_needs_few_more_rings)
{
    pc_rings *rings = open(50, 0, 1);
    for (double u = 1e-4; u < 1e4; u *= 1.002) carry(rings, u, 0);
    /* 2 n fill twice the expected radius; beyond, 2 n for each factor e of the radius */
    ck_assert_int_le(rings->n, (int)(100 * (2 + log(100.0))));
    go(rings, 1e4, CONE * 0.5e4, 4);
    ck_assert_double_eq_tol(press(rings, 1e4, rings->z).Ft / (MU * 1e6), -cattaneo(0.5), 1e-4);
    pc_rings_close(rings);
}
END_TEST

START_TEST(memory_that_runs_out_is_an_error_and_nothing_leaks)
{
    long live = pc_alloc_live();
    for (long fail = 0; fail < 2; fail++) {
        pc_rings *rings;
        pc_alloc_fail_after(fail);
        ck_assert_int_eq(pc_rings_open(&rings, MU, STIFFNESS, 10, 1, 1, 0, 1, NULL), PC_E_MEMORY);
        ck_assert_ptr_null(rings);
    }
    pc_alloc_fail_after(-1);
    pc_rings *rings = open(20, 0, 1);
    pc_status status = PC_OK;
    pc_alloc_fail_after(0);
    for (int i = 1; i < 100 && status == PC_OK; i++) status = pc_rings_carry(rings, 0.01 * i * i, 0, 1, 1, NULL);
    pc_alloc_fail_after(-1);
    ck_assert_int_eq(status, PC_E_MEMORY);
    pc_rings_close(rings);
    ck_assert_int_eq(pc_alloc_live(), live);
}
END_TEST

UNIT_MAIN("rings", 60, shear_at_constant_pressure_is_cattaneos_and_turns_back_by_masings_rule,
          a_cycle_of_shear_takes_what_mindlin_and_deresiewicz_say,
          within_the_cone_loading_sticks_and_unloading_gives_all_back,
          gross_slip_is_mu_times_the_pressure_whatever_the_rings, no_path_creates_energy,
          mirrored_paths_have_mirrored_forces_bit_by_bit, rates_are_those_of_the_forces,
          a_load_far_beyond_the_expected_needs_few_more_rings, memory_that_runs_out_is_an_error_and_nothing_leaks)
