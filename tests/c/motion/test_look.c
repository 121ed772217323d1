/* What a recorded motion tells of compliant contacts agrees with what their records hold. See also long_look.c. */
#include "press_random.h"

START_TEST(integrals_of_forces_are_the_impulses_and_dissipation_never_falls)
{
    for (uint64_t seed = 0; seed < 24; seed++) ck_assert(!press_check(seed));
}
END_TEST

UNIT_MAIN("look", 120, integrals_of_forces_are_the_impulses_and_dissipation_never_falls)
