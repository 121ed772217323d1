/* Slip in 20,000 random scenes with friction, with and without v_rest, and in 3,000 falling rods: friction takes
 * energy, and slip begins where it is driven to. */
#include "friction_random.h"

static void check_tips(double v_rest)
{
    enum { CHAINS = 20000, ERRORS = 20 };
    int errors = 0;
    for (uint64_t k = 0; k < CHAINS; k++) errors += tip_check(k, v_rest);
    printf("v_rest %g: %d of %d ended in an error\n", v_rest, errors, CHAINS);
    ck_assert_int_le(errors, ERRORS);
}

START_TEST(friction_takes_energy_at_the_tips_of_chains)
{
    check_tips(0);
}
END_TEST

START_TEST(friction_takes_energy_at_the_tips_of_chains_that_stop_bouncing)
{
    check_tips(1e-3);
    check_tips(1e-2);
}
END_TEST

START_TEST(falling_rods_slip_where_they_are_driven_to)
{
    static const double rtol[] = {1e-12, 1e-9, 1e-6};
    for (int k = 0; k < 3; k++) {
        pc_rng rng;
        pc_rng_seed(&rng, 5);
        for (int i = 0; i < 1000; i++) {
            falling_rod rod = rod_random(&rng);
            rod_fall(&rod, rtol[k]);
        }
    }
}
END_TEST

UNIT_MAIN("long_slip", 1200, friction_takes_energy_at_the_tips_of_chains,
          friction_takes_energy_at_the_tips_of_chains_that_stop_bouncing, falling_rods_slip_where_they_are_driven_to)
