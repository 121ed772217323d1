/* The linear law against its raw equations on 10,000 random impacts. */
#include "unit.h"

#include "linear_random.h"

START_TEST(ten_thousand_random_impacts_agree_with_the_integrated_equations)
{
    pc_rng rng;
    pc_rng_seed(&rng, 2);
    for (int i = 0; i < 10000; i++) {
        random_case c = random_impact(&rng);
        compare_with_raw(&c, i);
    }
}
END_TEST

UNIT_MAIN("linear law: raw equations", 600, ten_thousand_random_impacts_agree_with_the_integrated_equations)
