/* The linear law against its raw equations on 1,000 random impacts; long_linear_raw.c runs 10,000. */
#include "unit.h"

#include "linear_random.h"

START_TEST(a_thousand_random_impacts_agree_with_the_integrated_equations)
{
    pc_rng rng;
    pc_rng_seed(&rng, 1);
    for (int i = 0; i < 1000; i++) {
        random_case c = random_impact(&rng);
        compare_with_raw(&c, i);
    }
}
END_TEST

UNIT_MAIN("linear law: raw equations", 120, a_thousand_random_impacts_agree_with_the_integrated_equations)
