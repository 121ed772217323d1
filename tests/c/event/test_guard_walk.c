/* The first guard to fall within a step: guards given in closed form, whose zeros are known. */
#include "event/event.h"
#include "unit.h"

#include <math.h>

enum { GUARDS = 3 };

typedef double guard_of(double x);

/* The guards of one contact; NULL: it cannot fall. */
typedef struct step {
    guard_of *guard[GUARDS], *rate[GUARDS], *exact;
    double noise, place[PC_GUARD_PLACES];
    int looks;
    bool fails;
} step;

static void look(pc_guard_walk *walk, int i, double x)
{
    step *s = walk->context;
    ck_assert_double_eq(s->place[i], x);
    s->looks++;
    walk->failed |= s->fails;
}

static pc_guard_known values(pc_guard_walk *walk, int contact, int guard, double *value, double *rate)
{
    const step *s = walk->context;
    ck_assert_int_eq(contact, 0);
    if (!s->guard[guard]) return PC_GUARD_OFF;
    for (int j = 0; j < PC_GUARD_PLACES; j++) {
        value[j] = s->guard[guard](s->place[j]);
        if (s->rate[guard]) rate[j] = s->rate[guard](s->place[j]);
    }
    return s->rate[guard] ? PC_GUARD_RATES : PC_GUARD_VALUES;
}

static double noise(pc_guard_walk *walk, int contact, int guard)
{
    (void)contact, (void)guard;
    return ((const step *)walk->context)->noise;
}

static double at(pc_guard_walk *walk, int contact, int guard, double x)
{
    (void)contact;
    return ((const step *)walk->context)->guard[guard](x);
}

static double exact(pc_guard_walk *walk, int contact, int guard, double x)
{
    (void)contact, (void)guard;
    return ((const step *)walk->context)->exact(x);
}

static pc_guard_fall walk_over(step *s, bool ends_only)
{
    pc_guard_walk walk = {.contacts = 1,
                          .guards = GUARDS,
                          .place = s->place,
                          .ends_only = ends_only,
                          .context = s,
                          .look = look,
                          .values = values,
                          .noise = noise,
                          .at = at,
                          .exact = s->exact ? exact : NULL};
    pc_guard_fall fall;
    ck_assert_int_eq(pc_guard_walk_find(&walk, &fall), !s->fails);
    return fall;
}

static double falls_at_0_7(double x)
{
    return 0.7 - x;
}

static double falls_at_0_4_and_rises_at_0_9(double x)
{
    return (x - 0.4) * (x - 0.9);
}

static double falls_after_the_end(double x)
{
    return 0.72 - x;
}

static double falls_with_the_end(double x)
{
    return 0.7 - 1e-11 - x;
}

/* Little below zero where the contact ends, and far below it beyond. */
static double falls_before_the_end(double x)
{
    return 0.1 * (0.69 - x) - 10 * fmax(x - 0.7, 0);
}

/* Between two places, of which both are far above. */
static double narrow(double x)
{
    return (x - 0.31) * (x - 0.31) - 1e-6;
}

static double narrow_rate(double x)
{
    return 2 * (x - 0.31);
}

/* Like that of a contact that starts at its cone. */
static double rises_from_rounding(double x)
{
    return x * x * (0.6 - x) - 1e-15;
}

static double never_rises(double x)
{
    return -x * x;
}

static double jumps_at_0_55(double x)
{
    return x < 0.55 ? 1 : -1;
}

static double nearly_0_7(double x)
{
    return 0.7 + 1e-9 - x;
}

START_TEST(the_end_comes_before_what_falls_beyond_it)
{
    step s = {.guard = {falls_at_0_7, falls_after_the_end, falls_with_the_end}};
    pc_guard_fall fall = walk_over(&s, false);
    ck_assert_int_eq(fall.guard, 0);
    ck_assert_double_eq_tol(fall.x, 0.7, 1e-15);
    ck_assert_double_eq(s.place[PC_GUARD_PLACES - 1], fall.x);
}
END_TEST

START_TEST(a_guard_that_is_positive_again_at_the_end_has_fallen_before)
{
    step s = {.guard = {falls_at_0_7, falls_at_0_4_and_rises_at_0_9}};
    pc_guard_fall fall = walk_over(&s, false);
    ck_assert_int_eq(fall.guard, 1);
    ck_assert_double_eq_tol(fall.x, 0.4, 1e-15);
    s = (step){.guard = {NULL, falls_at_0_4_and_rises_at_0_9}};
    ck_assert_double_gt(walk_over(&s, true).x, 1); /* at the end it is above zero */
}
END_TEST

START_TEST(a_guard_within_its_noise_at_the_end_has_fallen_if_it_is_below_it_beyond)
{
    step s = {.guard = {falls_at_0_7, falls_before_the_end}, .noise = 1e-2};
    pc_guard_fall fall = walk_over(&s, false);
    ck_assert_int_eq(fall.guard, 1);
    ck_assert_double_eq_tol(fall.x, 0.69, 1e-15);
}
END_TEST

START_TEST(nothing_is_looked_at_twice_where_only_the_end_can_fall)
{
    step s = {.guard = {falls_at_0_7}};
    ck_assert_double_eq_tol(walk_over(&s, false).x, 0.7, 1e-15);
    ck_assert_int_eq(s.looks, PC_GUARD_PLACES - 1);
}
END_TEST

START_TEST(a_narrow_dip_is_found_where_rates_are_known)
{
    step s = {.guard = {NULL, narrow}, .rate = {NULL, narrow_rate}};
    pc_guard_fall fall = walk_over(&s, false);
    ck_assert_double_eq_tol(fall.x, 0.31 - 1e-3, 1e-12);
    s.noise = 1e-5; /* more than its depth */
    ck_assert_double_gt(walk_over(&s, false).x, 1);
}
END_TEST

START_TEST(a_guard_that_begins_within_its_noise_may_rise_before_it_falls)
{
    step s = {.guard = {NULL, rises_from_rounding}, .noise = 1e-12};
    ck_assert_double_eq_tol(walk_over(&s, false).x, 0.6, 1e-10);
    s.guard[1] = never_rises;
    double x = walk_over(&s, false).x;
    ck_assert_double_ge(x, 0);
    ck_assert_double_le(x, 2e-6); /* where it leaves the noise */
}
END_TEST

START_TEST(a_jump_belongs_to_its_far_side)
{
    step s = {.guard = {NULL, jumps_at_0_55}};
    pc_guard_fall fall = walk_over(&s, false);
    ck_assert_double_ge(fall.x, 0.55);
    ck_assert_double_le(fall.x, 0.55 + 1e-14);
}
END_TEST

START_TEST(the_zero_is_that_of_the_motion_where_guards_only_approximate_it)
{
    step s = {.guard = {NULL, falls_at_0_7}, .exact = nearly_0_7};
    ck_assert_double_eq_tol(walk_over(&s, false).x, 0.7 + 1e-9, 1e-15);
}
END_TEST

START_TEST(a_callback_that_fails_ends_the_walk)
{
    step s = {.guard = {falls_at_0_7}, .fails = true};
    walk_over(&s, false);
    ck_assert_int_eq(s.looks, 1);
}
END_TEST

UNIT_MAIN("guard walk", 30, the_end_comes_before_what_falls_beyond_it,
          a_guard_that_is_positive_again_at_the_end_has_fallen_before,
          a_guard_within_its_noise_at_the_end_has_fallen_if_it_is_below_it_beyond,
          nothing_is_looked_at_twice_where_only_the_end_can_fall, a_narrow_dip_is_found_where_rates_are_known,
          a_guard_that_begins_within_its_noise_may_rise_before_it_falls, a_jump_belongs_to_its_far_side,
          the_zero_is_that_of_the_motion_where_guards_only_approximate_it, a_callback_that_fails_ends_the_walk)
