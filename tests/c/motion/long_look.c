/* What 2,400 recorded motions tell of compliant contacts agrees with what their records hold. */
#include "press_random.h"

START_TEST(integrals_of_forces_are_the_impulses_and_dissipation_never_falls)
{
    enum { SCENES = 2400, ERRORS = 24 };
    int errors = 0;
    for (uint64_t seed = 0; seed < SCENES; seed++) errors += press_check(seed);
    printf("%d of %d ended in an error\n", errors, SCENES);
    ck_assert_int_le(errors, ERRORS);
}
END_TEST

UNIT_MAIN("long_look", 1200, integrals_of_forces_are_the_impulses_and_dissipation_never_falls)
