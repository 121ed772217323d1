/* 100,000 bounces with known answers and 10,000 spinning rods between planes, at tolerances from 1e-3 to 1e-13: none
 * missed, none false. */
#include "motion_oracle.h"

#include <stdio.h>

START_TEST(a_hundred_thousand_bounces)
{
    pc_rng rng;
    pc_rng_seed(&rng, 71);
    long n = 0;
    while (n < 100000) n += bounce(&rng);
}
END_TEST

START_TEST(ten_thousand_spinning_rods)
{
    pc_rng rng;
    pc_rng_seed(&rng, 72);
    long rods = 0, impacts = 0, left_out = 0;
    while (rods < 10000) {
        int n = spin(&rng);
        if (n < 0) {
            left_out++;
            continue;
        }
        rods++;
        impacts += n;
    }
    printf("%ld impacts of %ld rods; %ld cases too near to a graze to know the answer by sampling\n", impacts, rods,
           left_out);
}
END_TEST

UNIT_MAIN("long_sim", 1200, a_hundred_thousand_bounces, ten_thousand_spinning_rods)
