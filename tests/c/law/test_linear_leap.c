/* Leaps to the end of stick (linear_leap.h): where they land is an edge of the cone, and none was crossed before. */
#define PC_LANES 1
#include "law/linear/kernel.h"
#include "rng.h"
#include "unit.h"

/* A scaled problem of rank 2 with E = 1: any coupling, eta from 1e-3 to 10. */
static linear random_problem(pc_rng *rng)
{
    linear q;
    memset(&q, 0, sizeof q);
    q.a = pow(10, pc_rng_between(rng, -0.5, 1));
    q.b = sqrt(q.a) * pc_rng_between(rng, -0.98, 0.98);
    q.det = q.a - q.b * q.b;
    q.mu = pc_rng_between(rng, 0, 2);
    q.eta = pow(10, pc_rng_between(rng, -3, 1));
    q.k2 = 1;
    q.vt = tan(pc_rng_between(rng, 0, 1.5));
    linear_start(&q);
    return q;
}

/* The least mu F_n - |F_t| inside a stick segment, as a fraction of the greatest mu F_n + |F_t|, and the same at the
 * end. Inside: a thousand points that leave out a thousandth at either end, where a guard may be 0. */
static void sample(const linear *before, double dt, double *inside, double *end)
{
    enum { POINTS = 1000 };
    linear_modes v = linear_find_modes(before);
    linear_find_paces(&v);
    double size = 0;
    *inside = INFINITY;
    *end = NAN;
    for (int i = 1; i <= POINTS; i++) {
        linear_change x = linear_follow(&v, dt * i / POINTS);
        linear there = *before;
        linear_apply_change(&there, &v, &x);
        double distance = there.mu * there.fn - fabs(there.ft);
        size = fmax(size, there.mu * there.fn + fabs(there.ft));
        if (i == POINTS)
            *end = distance;
        else
            *inside = fmin(*inside, distance);
    }
    *inside /= size;
    *end /= size;
}

START_TEST(a_leap_lands_on_the_first_edge)
{
    pc_rng rng;
    pc_rng_seed(&rng, 21);
    int after_slip = 0, leaps = 0;
    for (int i = 0; i < 1000; i++) {
        linear q = random_problem(&rng);
        for (int segment = 0; segment < 200 && q.code == PC_LINEAR_RUNNING; segment++) {
            linear before = q;
            if (before.sign != 0) {
                linear_slip(&q, true);
                continue;
            }
            linear_stick(&q);
            if (before.touch == 0) continue;
            after_slip++;
            if (q.steps != before.steps + 1 || !(q.t > before.t)) continue;
            leaps++;
            double inside, end;
            sample(&before, q.t - before.t, &inside, &end);
            /* at the end: roundings of the state and of t - t0, which is taken from t */
            ck_assert_msg(inside > 0, "case %d segment %d: %.3g inside", i, segment, inside);
            ck_assert_msg(fabs(end) < 1e-12 * (1 + q.t * sqrt(q.a / q.eta)), "case %d segment %d: %.3g at the end", i,
                          segment, end);
        }
    }
    /* half of them arrive in one leap, so that there is something to test; long ones at small eta take several */
    ck_assert_int_ge(after_slip, 1000);
    ck_assert_int_ge(leaps, after_slip / 3);
}
END_TEST

/* Guards of two modes of any size and phase, many of which dip below 0 on the way. */
START_TEST(a_proof_is_given_only_where_the_guard_stays_positive)
{
    pc_rng rng;
    pc_rng_seed(&rng, 22);
    int proved = 0, dips = 0;
    for (int i = 0; i < 20000; i++) {
        linear q = random_problem(&rng);
        linear_modes v = linear_find_modes(&q);
        linear_find_paces(&v);
        v.m1 = pc_rng_between(&rng, -1, 1) / v.o1;
        v.m2 = pc_rng_between(&rng, -1, 1) / v.o2;
        v.n1 = pc_rng_between(&rng, -1, 1);
        v.n2 = pc_rng_between(&rng, -1, 1);
        v.s1 = v.o1 * hypot(v.o1 * v.m1, v.n1);
        v.s2 = v.o2 * hypot(v.o2 * v.m2, v.n2);
        linear_guard g = {pc_rng_between(&rng, 0, 2), v.o1 * pc_rng_between(&rng, -1, 1),
                          v.o2 * pc_rng_between(&rng, -1, 1), 0};
        double r = pc_rng_between(&rng, 0.5, 5) / v.o1, least = INFINITY;
        linear_change x = {0, 0, 0, 0, 0, 0};
        linear_curve c = linear_bend(&v, &x);
        linear_jet start = linear_jet_of(&g, &x, &c), end = start;
        for (int k = 1; k <= 200; k++) {
            x = linear_follow(&v, r * k / 200);
            c = linear_bend(&v, &x);
            end = linear_jet_of(&g, &x, &c);
            least = fmin(least, end.g);
        }
        bool stays = linear_stays(&g, &v, &start, &end, r, false, false);
        dips += least < 0 && end.g > 0;
        proved += stays;
        ck_assert_msg(!(stays && least <= 0), "case %d: proved, though it falls to %.3g", i, least);
    }
    ck_assert_int_ge(dips, 500);
    ck_assert_int_ge(proved, 5000);
}
END_TEST

UNIT_MAIN("linear law: leaps", 30, a_leap_lands_on_the_first_edge, a_proof_is_given_only_where_the_guard_stays_positive)
