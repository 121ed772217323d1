/* Falls of functions that are known in closed form: those of parabolas, and of random polynomials with waves beside
 * a search that looks everywhere. */
#include "event/event.h"
#include "unit.h"

#include "rng.h"

#include <math.h>

START_TEST(a_parabola_falls_where_its_formula_says)
{
    pc_closed_form f = {.t = 3, .c = {{2}, {1}, {-5}}};
    pc_fall fall = pc_closed_form_fall(&f, 1e-15, INFINITY);
    ck_assert_int_eq(fall.kind, PC_FALL_FOUND);
    ck_assert_double_eq_tol(fall.s, (1 + sqrt(41)) / 10, 1e-15);
    ck_assert_double_eq_tol(fall.rate, -sqrt(41), 1e-14);
    ck_assert_int_eq(pc_closed_form_fall(&f, 1e-15, 0.7).kind, PC_FALL_NONE); /* it comes after that */
    f.c[2][0] = 5;
    fall = pc_closed_form_fall(&f, 1e-15, 100);
    ck_assert_int_eq(fall.kind, PC_FALL_NONE);
    ck_assert_double_eq(fall.s, 100);
}
END_TEST

START_TEST(what_leaves_zero_falls_when_it_comes_back)
{
    pc_closed_form f = {.t = 7, .c = {{0}, {3}, {-4.905}}};
    pc_fall fall = pc_closed_form_fall(&f, 1e-15, INFINITY);
    ck_assert_int_eq(fall.kind, PC_FALL_FOUND);
    ck_assert_double_eq_tol(fall.s, 3 / 4.905, 1e-15);
    f.c[0][0] = -1e-16; /* rounding */
    ck_assert_double_eq_tol(pc_closed_form_fall(&f, 1e-15, INFINITY).s, 3 / 4.905, 1e-14);
    f.c[0][0] = -1e-14;
    ck_assert_int_eq(pc_closed_form_fall(&f, 1e-15, INFINITY).kind, PC_FALL_UNKNOWN);
    f.c[0][0] = 0;
    f.c[1][0] = 1e-9; /* by less than rounding */
    ck_assert_int_eq(pc_closed_form_fall(&f, 1e-15, INFINITY).kind, PC_FALL_UNKNOWN);
    f.c[1][0] = -1;
    ck_assert_int_eq(pc_closed_form_fall(&f, 1e-15, INFINITY).kind, PC_FALL_UNKNOWN);
}
END_TEST

/* cos s + level touches zero at pi for 1, from there on twice for less. */
START_TEST(near_a_graze_the_first_of_two_zeros_is_found_or_none)
{
    for (int k = 2; k <= 12; k++) {
        const double off = pow(10, -k), until = 2 * M_PI;
        pc_closed_form f = {.c = {{1 - off}}, .n = 1, .wave = {{.b = {1}, .frequency = 1}}};
        pc_fall fall = pc_closed_form_fall(&f, 1e-15, until);
        ck_assert_int_eq(fall.kind, PC_FALL_FOUND);
        /* the value rounds by 1e-16, which its slope turns into time */
        ck_assert_double_eq_tol(fall.s, acos(off - 1), 1e-15 + 1e-15 / sqrt(2 * off));
        f.c[0][0] = 1 + off;
        fall = pc_closed_form_fall(&f, 1e-15, until);
        ck_assert_int_eq(fall.kind, PC_FALL_NONE);
        ck_assert_double_eq(fall.s, until);
    }
}
END_TEST

/* First place where it is below zero, in steps that are a small part of its fastest wave. */
static double search(const pc_closed_form *f, double from, double until)
{
    double fastest = 1;
    for (int i = 0; i < f->n; i++) fastest = fmax(fastest, fabs(f->wave[i].frequency));
    double step = 4e-3 / fastest;
    for (double s = from; s < until; s += step)
        if (pc_closed_form_value(f, s) < 0) return s;
    return INFINITY;
}

/* One of the kinds that there are, from far enough above zero. */
static pc_closed_form draw(pc_rng *rng, int kind)
{
    pc_closed_form f = {.t = pc_rng_between(rng, 0, 1000), .radius = pc_rng_between(rng, 0.2, 1)};
    bool distance = kind != PC_CLOSED_HEIGHT;
    double least = f.radius + pc_rng_between(rng, 0, 0.2);
    f.kind = kind;
    f.n = (int)pc_rng_below(rng, PC_WAVES + 1);
    for (int i = 0; i < f.n; i++) {
        double size = pc_rng_between(rng, 0, 0.4);
        for (int k = 0; k < 2; k++) {
            f.wave[i].a[k] = pc_rng_between(rng, -size, size);
            f.wave[i].b[k] = pc_rng_between(rng, -size, size);
        }
        f.wave[i].frequency = pc_rng_between(rng, -40, 40);
        f.wave[i].phase = pc_rng_between(rng, -3, 3);
        f.wave[i].by_time = pc_rng_uniform(rng) < 0.5;
        least += 2 * size;
    }
    for (int k = 0; k < 2; k++) {
        f.c[1][k] = pc_rng_between(rng, -2, distance ? 2 : 5);
        f.c[2][k] = pc_rng_between(rng, -5, distance ? 5 : 1);
        if (kind == PC_CLOSED_INSIDE) f.c[2][k] *= 0.02; /* else all leave it */
    }
    f.c[0][0] = kind == PC_CLOSED_INSIDE ? 0 : least;
    if (kind == PC_CLOSED_INSIDE) f.radius = least + pc_rng_between(rng, 0, 3);
    return f;
}

START_TEST(the_first_zero_of_random_functions_is_found)
{
    pc_rng rng;
    int fell[3] = {0}, stayed[3] = {0};
    pc_rng_seed(&rng, unit_seed("closed form", 1));
    for (int k = 0; k < 1200; k++) {
        const double until = 4;
        const int kind = k % 3;
        const pc_closed_form f = draw(&rng, kind);
        if (pc_closed_form_value(&f, 0) <= 1e-12) continue;
        pc_fall fall = pc_closed_form_fall(&f, 1e-15, until);
        ck_assert_int_ne(fall.kind, PC_FALL_UNKNOWN);
        double first = search(&f, 0, fall.s);
        if (fall.kind == PC_FALL_FOUND) {
            fell[kind]++;
            ck_assert_double_le(fall.s, until);
            ck_assert_double_le(fall.rate, 0);
            /* the time rounds by 1e-13, its waves by that times 40 */
            ck_assert_double_eq_tol(pc_closed_form_value(&f, fall.s), 0, 1e-11);
            double ahead = pc_closed_form_value(&f, fall.s + 1e-6), behind = pc_closed_form_value(&f, fall.s - 1e-6);
            ck_assert_double_eq_tol(fall.rate, (ahead - behind) / 2e-6, 1e-5);
        } else {
            stayed[kind]++;
            ck_assert_double_eq(fall.s, until);
        }
        ck_assert_msg(!(first < fall.s - 1e-9), "%d: it is below zero at %.17g, told was %.17g", k, first, fall.s);
    }
    for (int k = 0; k < 3; k++) {
        ck_assert_int_gt(fell[k], 60);
        ck_assert_int_gt(stayed[k], 40);
    }
}
END_TEST

UNIT_MAIN("closed forms", 60, a_parabola_falls_where_its_formula_says, what_leaves_zero_falls_when_it_comes_back,
          near_a_graze_the_first_of_two_zeros_is_found_or_none, the_first_zero_of_random_functions_is_found)
