/* Power series of a contact: known functions, and the same bits by every instruction set. */
#include "unit.h"

#include "law/series.h"
#include "rng.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const pc_series *all[] = {
    &pc_series_plain,
#ifndef PC_NO_X86
    &pc_series_avx2,
#endif
};
enum { N_ALL = sizeof all / sizeof *all };

static bool runs_here(int i)
{
#ifndef PC_NO_X86
    if (i == 1) return __builtin_cpu_supports("avx2");
#endif
    return i == 0;
}

/* y'' = -y from 0 with speed 1 against a linear spring: y = sin, p_n = 1 - cos; work -sin^2/2. */
START_TEST(a_linear_spring_swings_as_sine_and_cosine)
{
    pc_force f = pc_force_elastic(1, 1, 1);
    pc_tangential e = {.kind = PC_TANGENTIAL_RIGID};
    pc_course at = {.w_nn = 1, .w = 1};
    for (int k = 0; k < N_ALL; k++) {
        if (!runs_here(k)) continue;
        pc_expansion s;
        all[k]->expand(&f, 1, &e, &at, &s);
        all[k]->scale(&s, 2);
        for (double x = 0; x <= 1; x += 0.125) {
            double motion[PC_SERIES_BLOCK], rest[PC_SERIES_BLOCK];
            all[k]->sum((const double(*)[PC_SERIES_BLOCK])s.motion, x, motion);
            all[k]->sum((const double(*)[PC_SERIES_BLOCK])s.rest, x, rest);
            ck_assert_double_eq_tol(motion[PC_SERIES_Y], sin(2 * x), 1e-15);
            ck_assert_double_eq_tol(motion[PC_SERIES_PN], 1 - cos(2 * x), 1e-15);
            ck_assert_double_eq_tol(rest[PC_SERIES_WN], -pow(sin(2 * x), 2) / 2, 1e-15);
            ck_assert_double_eq_tol(rest[PC_SERIES_TIME], 2 * x, 1e-15);
        }
    }
}
END_TEST

/* A stiff tangential spring beside it: q'' = -w_tt kt q, q = v_t sin(k t)/k. */
START_TEST(a_tangential_spring_swings_by_itself)
{
    pc_force f = pc_force_elastic(1, 1, 1);
    pc_tangential e = {.kind = PC_TANGENTIAL_SPRING, .kt = 3, .mu = 1};
    pc_course at = {.w_nn = 1, .w_tt = 3, .w = 1, .v_t = 0.7};
    pc_expansion s;
    double motion[PC_SERIES_BLOCK];
    pc_series_widest()->expand(&f, 1, &e, &at, &s);
    pc_series_widest()->sum((const double(*)[PC_SERIES_BLOCK])s.motion, 0.8, motion);
    ck_assert_double_eq_tol(motion[PC_SERIES_Q], 0.7 * sin(2.4) / 3, 1e-14);
    ck_assert_double_eq_tol(motion[PC_SERIES_PT], -0.7 * (1 - cos(2.4)) / 3, 1e-14);
}
END_TEST

START_TEST(every_instruction_set_gives_the_same_bits)
{
    static const int kinds[] = {PC_TANGENTIAL_RIGID, PC_TANGENTIAL_SPRING, PC_TANGENTIAL_MINDLIN, PC_TANGENTIAL_SECANT,
                                PC_TANGENTIAL_COUPLED};
    pc_rng rng;
    pc_rng_seed(&rng, 11);
    for (int trial = 0; trial < 500; trial++) {
        int root = 1 + (int)pc_rng_below(&rng, 4), power = root + (int)pc_rng_below(&rng, 4);
        pc_force f = pc_force_elastic(pc_rng_between(&rng, 0.2, 2), power, root);
        if (trial % 2) f.damping = pc_rng_between(&rng, 0, 1);
        pc_tangential e = {
            .kind = (pc_tangential_kind)kinds[trial % 5], .mu = 0.3, .kt = 0.8, .ratio = 0.7, .cone = 0.4};
        /* a stretch that builds on k wants a force that is 3/2 there */
        if (e.kind >= PC_TANGENTIAL_MINDLIN) root = 2, f = pc_force_elastic(f.elastic, 3, 2);
        pc_course at = {
            .w_tt = 3, .w_tn = pc_rng_between(&rng, -1, 1), .w_nn = 1, .sign = (int)pc_rng_below(&rng, 3) - 1};
        at.y = pc_rng_between(&rng, 0.1, 1);
        at.w = pc_rng_between(&rng, -1, 1);
        at.v_t = pc_rng_between(&rng, -1, 1);
        at.q = pc_rng_between(&rng, -0.2, 0.2);
        pc_expansion s[N_ALL];
        double out[N_ALL][PC_SERIES_BLOCK];
        for (int k = 0; k < N_ALL; k++) {
            if (!runs_here(k)) continue;
            all[k]->expand(&f, root, &e, &at, &s[k]);
            all[k]->scale(&s[k], 0.3);
            all[k]->sum((const double(*)[PC_SERIES_BLOCK])s[k].motion, 0.77, out[k]);
            ck_assert_int_eq(memcmp(&s[k], &s[0], sizeof s[0]), 0);
            ck_assert_int_eq(memcmp(out[k], out[0], sizeof out[0]), 0);
        }
    }
}
END_TEST

UNIT_MAIN("series", 20, a_linear_spring_swings_as_sine_and_cosine, a_tangential_spring_swings_by_itself,
          every_instruction_set_gives_the_same_bits)
