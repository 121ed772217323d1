/* Ends of sequences of impacts, from the times and loads of a few of them, with no motion around. */
#include "engine/accumulation.h"
#include "unit.h"

#include <math.h>

/* A point above a floor under a load A(t) = g + k t, which gives back e of its speed: after an impact at t with the
 * speed v, v = A d/2 + k d^2/6. Returns the length of the flight; *v: of the next impact. */
static double fly(double g, double k, double t, double *v)
{
    double A = g + k * t, d = 2 * *v / A;
    for (int i = 0; i < 50; i++) d = 2 * *v / (A + k * d / 3);
    *v = d * (0.5 * A + k * d / 3);
    return d;
}

/* The end of all bounces that begin at t with the speed v. */
static double end_of(double g, double k, double e, double t, double v)
{
    while (v > 1e-17) {
        t += fly(g, k, t, &v);
        v *= e;
    }
    return t;
}

START_TEST(bounces_under_a_load_that_changes_end_when_they_do)
{
    for (int i = 0; i < 6; i++) {
        const double g = 9.81, e = 0.3 + 0.1 * i, start = 0.01;
        for (int sign = -1; sign <= 1; sign++) {
            double k = sign * 20, t = 0, v = start, ratio;
            pc_accumulation a = {0};
            pc_accumulation_forget(&a);
            const double end = end_of(g, k, e, t, v);
            int looks = 0;
            for (int n = 0; n < 40 && v > 1e-8; n++) {
                pc_accumulation_add(&a, t, 3);
                ratio = e;
                double load = g + k * t, d = 2 * v / load;
                if (pc_accumulation_follow(&a, load, v, false, &ratio)) {
                    pc_accumulation_look_ahead(&a, (double[2]){load + k * d / 2, load + k * d}, 0);
                    looks++;
                }
                ck_assert(n < 2 || ratio == e); /* three impacts of one pair are a sequence */
                t += fly(g, k, t, &v);
                v *= e;
            }
            ck_assert_int_gt(looks, 2);
            ck_assert_double_le(fabs(pc_accumulation_end(&a, 3, t, 1) - end), 1e-11 * end);
            ck_assert_double_eq(pc_accumulation_end(&a, 4, t, 1), 1); /* of another pair nothing is known */
        }
    }
}
END_TEST

START_TEST(what_breaks_a_sequence_begins_another)
{
    pc_accumulation a = {0};
    double ratio = 0.5;
    pc_accumulation_forget(&a);
    for (int i = 0; i < 6; i++) {
        pc_accumulation_add(&a, 2 - ldexp(1, -i), 0);
        ratio = 0.5;
        pc_accumulation_follow(&a, 4, ldexp(1, -i), false, &ratio); /* flights of 2 v/4 */
    }
    ck_assert_double_eq(a.load[2], 4);
    ratio = 0.6; /* another law, or slip in another mode */
    pc_accumulation_add(&a, 2 - ldexp(1, -6), 0);
    pc_accumulation_follow(&a, 4, ldexp(1, -6), false, &ratio);
    ck_assert(isnan(a.load[1]) && a.ratio == 0.6);
    pc_accumulation_add(&a, 2 - ldexp(1, -7), 1); /* another pair */
    ck_assert(!pc_accumulation_follow(&a, 4, ldexp(1, -7), false, &ratio));
    ck_assert(isnan(ratio) && isnan(a.load[0]));
}
END_TEST

/* Intervals that shrink by one ratio, or by two in turn, go on for their geometric sum. */
START_TEST(the_rest_of_intervals_is_their_sum)
{
    pc_accumulation a = {0};
    for (int k = 0; k < 20; k++) {
        double first = 0.2 + 0.03 * k, second = k % 2 ? first : 0.9 - 0.02 * k, d = 1, t = 0, rest, ratio;
        pc_accumulation_forget(&a);
        for (int i = 0; i < 5; i++) {
            if (i < 4) ck_assert_double_eq(pc_accumulation_rest(&a, t), 0);
            pc_accumulation_add(&a, t, i % 2);
            t += d;
            d *= i % 2 ? second : first;
        }
        /* t: of the next impact, and d: the interval after it */
        double both = first * second, sum = (d + d * second) / (1 - both);
        ck_assert_double_eq_tol(pc_accumulation_rest(&a, t), sum, 1e-12 * sum);
        ck_assert(!pc_accumulation_is_due(&a, 1, 1, NAN, &ratio, &rest)); /* they are not low yet */
        pc_accumulation_add(&a, t, 0);
        ck_assert(pc_accumulation_is_due(&a, 1e-12, 1, NAN, &ratio, &rest));
        ck_assert_double_eq_tol(rest, sum, 1e-12 * sum);
        ck_assert_double_eq_tol(ratio, sqrt(both), 1e-12);
        ck_assert(pc_accumulation_is_due(&a, 1e-12, 1, 0.25, &ratio, &rest));
        ck_assert_double_eq(ratio, 0.25);
    }
}
END_TEST

/* Ratios that depend on the speed: 1 - c v^p, or a constant from some speed on. */
typedef struct falling {
    double c, p, knee;
} falling;

static pc_status ratio_at(const void *context, double v, double *ratio, pc_error *err)
{
    const falling *f = context;
    (void)err;
    *ratio = 1 - f->c * pow(fmax(v, f->knee), f->p);
    return PC_OK;
}

START_TEST(bounces_that_fall_by_a_law_end_when_it_says)
{
    const falling laws[] = {{0.3, 0.2, 0}, {0.1, 0.2, 0},      {0.05, 0.5, 0},
                            {0.4, 0.8, 0}, {0.3, -0.05, 1e-6}, {0.2, 0.5, 1e-3}};
    pc_error err = {0};
    for (int i = 0; i < 6; i++) {
        /* term by term, and what is left after many more of them than are followed: v is a flow of the number of terms,
         * dv/dn = -x v - x (x v)' v/2 with x = c v^p, and the sum is the integral of v dn and half of the first term */
        double v = 0.1, sum = 0, left, ratio;
        for (int n = 0; n < 3000000 && v > 1e-30; n++, v *= ratio) {
            sum += v;
            ratio_at(&laws[i], v, &ratio, &err);
        }
        double p = laws[i].p;
        if (v > 1e-30) sum += pow(v, 1 - p) / ((1 - p) * laws[i].c) - (1 + p) * v / 2 + v / 2;
        ck_assert_int_eq(pc_bounces_left(ratio_at, &laws[i], 0.1, &left, &err), PC_OK);
        /* of p = 0.8 a twentieth is left after all those terms; the tails leave out some x^2 v, and sums round */
        ck_assert_double_eq_tol(0.1 * left, sum, 1e-10 * sum);
    }
    double left;
    const falling never[] = {{0.3, 1, 0}, {0, 0.5, 0}}, same = {0.3, 0, 0};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pc_bounces_left(ratio_at, &never[i], 0.1, &left, &err), PC_OK);
        ck_assert_double_eq(left, 0);
    }
    ck_assert_int_eq(pc_bounces_left(ratio_at, &same, 0.1, &left, &err), PC_OK);
    ck_assert_double_eq(left, 0); /* as the last ratio says */
}
END_TEST

UNIT_MAIN("accumulation", 30, bounces_under_a_load_that_changes_end_when_they_do, what_breaks_a_sequence_begins_another,
          the_rest_of_intervals_is_their_sum, bounces_that_fall_by_a_law_end_when_it_says)
