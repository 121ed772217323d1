/* Random piles of all kinds, by every rigid law and both rules, until the time is over or there were so many impacts:
 * none may gain or lose energy unaccounted, or let bodies pass through one another, and hardly any end in an error. */
#include "pile_random.h"

static void check_kind(pile_kind kind, const char *word)
{
    enum { SCENES = 40, ERRORS = 2, IMPACTS = 20000 };
    const double rtol = 1e-9;
    int errors = 0, rested = 0;
    for (int k = 0; k < SCENES; k++) {
        pile p = pile_random(kind, (uint64_t)k);
        pile_outcome out = pile_run(&p, 3, rtol, IMPACTS);
        if (out.status != PC_OK) printf("%s, %d: %s\n", word, k, out.err.text);
        errors += out.status != PC_OK;
        rested += out.rests;
        /* of the works of friction, which are as good as the dense output, over thousands of arcs */
        ck_assert_msg(out.ledger <= 1e3 * rtol, "%s, %d: the ledger is open by %g", word, k, out.ledger);
        ck_assert_msg(out.deepest <= 10 * rtol, "%s, %d: overlap of %g", word, k, out.deepest);
    }
    printf("%s: %d of %d came to rest, %d ended in an error\n", word, rested, SCENES, errors);
    ck_assert_int_le(errors, ERRORS);
}

START_TEST(piles_on_a_floor_keep_their_energy_and_their_distance)
{
    check_kind(PILE_ON_FLOOR, "on a floor");
}
END_TEST

START_TEST(piles_in_a_bin_keep_their_energy_and_their_distance)
{
    check_kind(PILE_IN_BIN, "in a bin");
}
END_TEST

START_TEST(piles_over_obstacles_keep_their_energy_and_their_distance)
{
    check_kind(PILE_OVER_OBSTACLES, "over obstacles");
}
END_TEST

START_TEST(stacks_keep_their_energy_and_their_distance)
{
    check_kind(PILE_STACK, "a stack");
}
END_TEST

START_TEST(falling_stacks_keep_their_energy_and_their_distance)
{
    check_kind(PILE_FALLING_STACK, "a falling stack");
}
END_TEST

START_TEST(leaning_rods_and_capsules_keep_their_energy_and_their_distance)
{
    check_kind(PILE_LEANING, "leaning");
}
END_TEST

START_TEST(arches_keep_their_energy_and_their_distance)
{
    check_kind(PILE_ARCH, "an arch");
}
END_TEST

START_TEST(boxes_in_a_bin_keep_their_energy_and_their_distance)
{
    check_kind(PILE_BOXES, "boxes in a bin");
}
END_TEST

UNIT_MAIN("long_piles", 600, piles_on_a_floor_keep_their_energy_and_their_distance,
          piles_in_a_bin_keep_their_energy_and_their_distance,
          piles_over_obstacles_keep_their_energy_and_their_distance, stacks_keep_their_energy_and_their_distance,
          falling_stacks_keep_their_energy_and_their_distance,
          leaning_rods_and_capsules_keep_their_energy_and_their_distance, arches_keep_their_energy_and_their_distance,
          boxes_in_a_bin_keep_their_energy_and_their_distance)
