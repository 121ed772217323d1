/* The angle functions of the kernels against the C library, and their lanes against each other. */
#define PC_LANES 1
#include "unit.h"

#include "math/lane_trig.h"
#include "math/rng.h"

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

UNIT_MAIN("lane trigonometry", 60, half_angle_products_are_within_eight_units_of_rounding,
          angles_of_the_first_quadrant_are_within_two_units_of_rounding, rounding_goes_to_the_nearest_even_integer,
          rough_inverses_are_within_their_bound)
