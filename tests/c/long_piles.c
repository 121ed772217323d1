/* Random stacks of boxes, by every rigid law and both rules, that stand or fall on one another, until they rest or the
 * time is over: none may end in an error, gain or lose energy unaccounted, or sink. */
#include "pile_scenes.h"

static void stack(pc_rng *rng, int n, pile *p)
{
    bool falls = pc_rng_below(rng, 2);
    double y = 0, x = 0;
    for (int i = 0; i < n; i++) {
        double half = pc_rng_between(rng, 0.1, 0.4);
        y += half + (falls ? pc_rng_between(rng, 0.01, 0.3) : 0);
        x += i > 0 && pc_rng_below(rng, 2) ? pc_rng_between(rng, -0.1, 0.1) : 0;
        pile_add(p, PC_SHAPE_BOX, pc_rng_between(rng, 0.5, 2), 0.5, half, x, y, 0);
        y += half;
    }
}

static void random_stack(pc_rng *rng, pile *p)
{
    static const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    double friction = pc_rng_below(rng, 5) == 0 ? 0 : pc_rng_uniform(rng);
    double restitution = pc_rng_below(rng, 4) == 0 ? 0 : 0.9 * pc_rng_uniform(rng);
    pile_begin(p, laws[pc_rng_below(rng, 3)], restitution, friction);
    p->scene.rule = pc_rng_below(rng, 3) == 0 ? PC_RULE_SIMULTANEOUS : PC_RULE_SEQUENTIAL;
    stack(rng, 2 + (int)pc_rng_below(rng, 5), p);
    pile_bin(p, 0);
}

START_TEST(stacks_stand_or_fall_and_come_to_rest)
{
    enum { SCENES = 40 };
    const double rtol = 1e-9;
    int rested = 0;
    for (int k = 0; k < SCENES; k++) {
        pc_rng rng;
        pc_rng_seed(&rng, (uint64_t)(2000 + k));
        pile p;
        random_stack(&rng, &p);
        pile_outcome out = pile_run(&p, 3, rtol);
        ck_assert_msg(out.status == PC_OK, "scene %d: %s", k, out.err.text);
        /* of the works of friction, which are as good as the dense output, over thousands of arcs */
        ck_assert_msg(out.ledger <= 1e3 * rtol, "scene %d: the ledger is open by %g", k, out.ledger);
        ck_assert_msg(out.deepest <= 10 * rtol, "scene %d: overlap of %g", k, out.deepest);
        rested += out.kinetic < 1e-9;
    }
    printf("%d of %d stacks came to rest\n", rested, SCENES);
    ck_assert_int_gt(rested, SCENES * 3 / 4);
}
END_TEST

UNIT_MAIN("long_piles", 600, stacks_stand_or_fall_and_come_to_rest)
