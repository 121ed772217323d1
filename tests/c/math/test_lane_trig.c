/* The angle functions of the kernels against the C library, and their lanes against each other. */
#define PC_LANES 1
#include "unit.h"

#include "math/lanes.h"
#include "rng.h"
#include "math/twin.h"

START_TEST(half_angle_products_are_within_eight_units_of_rounding)
{
    pc_rng rng;
    pc_rng_seed(&rng, 5);
    for (int i = 0; i < 1000000; i++) {
        /* angles of a few periods, small ones, and large ones up to the stated limit */
        double size = i % 3 == 0 ? 20 : i % 3 == 1 ? pow(10, pc_rng_between(&rng, -12, 0)) : 4e6;
        double x = pc_rng_between(&rng, -size, size), ss, sc;
        lane_half_angle(x, &ss, &sc);
        long double s = sinl(x / 2.0L), c = cosl(x / 2.0L);
        ck_assert_double_le(fabs((double)(ss - s * s)), 8 * 0x1p-53);
        ck_assert_double_le(fabs((double)(sc - s * c)), 8 * 0x1p-53);
        if (size > 1) continue;
        /* small angles keep their relative accuracy */
        ck_assert_double_le(fabs((double)(ss / (s * s) - 1)), 8 * 0x1p-53);
        ck_assert_double_le(fabs((double)(sc / (s * c) - 1)), 8 * 0x1p-53);
    }
}
END_TEST

START_TEST(angles_of_the_first_quadrant_are_within_two_units_of_rounding)
{
    pc_rng rng;
    pc_rng_seed(&rng, 6);
    for (int i = 0; i < 1000000; i++) {
        double y = pow(10, pc_rng_between(&rng, -8, 8)), x = pow(10, pc_rng_between(&rng, -8, 8));
        long double want = atan2l(y, x);
        ck_assert_double_le(fabs((double)(lane_angle(y, x) / want - 1)), 2 * 0x1p-52);
    }
    ck_assert(lane_angle(0, 1) == 0);
    ck_assert(lane_angle(1, 0) == M_PI_2);
    ck_assert(lane_angle(3, 3) == M_PI_4);
}
END_TEST

START_TEST(rounding_goes_to_the_nearest_even_integer)
{
    for (int i = -1000; i <= 1000; i++) ck_assert(lane_round(i / 4.0) == nearbyint(i / 4.0));
}
END_TEST

START_TEST(rough_inverses_are_within_their_bound)
{
    for (double x = 1e-300; x < 1e300; x *= 1.0007) ck_assert_double_le(fabs(lane_rough_inverse(x) * x - 1), 0.051);
}
END_TEST

START_TEST(sines_and_cosines_of_pairs_are_within_one_unit_of_rounding)
{
    pc_rng rng;
    pc_rng_seed(&rng, 7);
    for (int i = 0; i < 1000000; i++) {
        double size = i % 3 == 0 ? 20 : i % 3 == 1 ? pow(10, pc_rng_between(&rng, -12, 0)) : 0x1p20;
        double x[2] = {pc_rng_between(&rng, -size, size), pc_rng_between(&rng, -20, 20)}, s[2], c[2];
        pc_sincos_pair(x, s, c);
        for (int k = 0; k < 2; k++) {
            long double sine = sinl(x[k]), cosine = cosl(x[k]);
            ck_assert_double_le(fabs((double)(s[k] - sine)), 0x1p-52);
            ck_assert_double_le(fabs((double)(c[k] - cosine)), 0x1p-52);
            if (fabs(x[k]) <= 0.7) ck_assert_double_le(fabs((double)(s[k] - sine)), 0x1p-52 * fabs(x[k]));
        }
        double single[2] = {x[0], 0}, one[2], other[2]; /* neighbours do not matter */
        pc_sincos_pair(single, one, other);
        ck_assert(one[0] == s[0] && other[0] == c[0] && one[1] == 0 && other[1] == 1);
    }
    double x[2] = {1e9, -1e300}, s[2], c[2];
    pc_sincos_pair(x, s, c);
    ck_assert(s[0] == sin(1e9) && c[1] == cos(-1e300));
    pc_sincos_pair((double[2]){NAN, 1}, s, c);
    ck_assert(isnan(s[0]) && isnan(c[0]) && s[1] == sin(1.0));
}
END_TEST

UNIT_MAIN("lane trigonometry", 60, sines_and_cosines_of_pairs_are_within_one_unit_of_rounding,
          half_angle_products_are_within_eight_units_of_rounding,
          angles_of_the_first_quadrant_are_within_two_units_of_rounding, rounding_goes_to_the_nearest_even_integer,
          rough_inverses_are_within_their_bound)
