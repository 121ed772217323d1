/* Piles that come to rest: many contacts at once, redundant ones, accumulations side by side. Every run has to end
 * without an error, with its energy accounted for and no body in another. */
#include "pile_scenes.h"

/* The works of friction are integrated along the dense output, to the tolerance of the motion; gaps of closed contacts
 * are corrected at every step, and in between are errors of the step. */
static void check(const char *what, const pile_outcome *out, double rtol)
{
    ck_assert_msg(out->status == PC_OK, "%s: %s", what, out->err.text);
    ck_assert_msg(out->ledger <= 10 * rtol, "%s: the ledger is open by %g", what, out->ledger);
    ck_assert_msg(out->deepest <= 10 * rtol, "%s: bodies overlap by %g", what, out->deepest);
}

START_TEST(three_boxes_stand_and_fall_on_one_another)
{
    static const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    for (int k = 0; k < 12; k++) {
        bool dropped = k >= 6;
        pile p;
        pile_begin(&p, laws[k % 3], k % 2 ? 0.4 : 0, 0.5);
        if (k % 4 >= 2) p.scene.rule = PC_RULE_SIMULTANEOUS;
        for (int i = 0; i < 3; i++)
            pile_add(&p, PC_SHAPE_BOX, 1 + i, 0.5, 0.2, dropped ? 0.1 * i : 0,
                     0.2 + 0.4 * i + (dropped ? 0.1 * (i + 1) : 0), 0);
        pile_bin(&p, 0);
        pile_outcome out = pile_run(&p, 3, 1e-9, 0);
        check("boxes", &out, 1e-9);
        ck_assert(out.rests);
        for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(out.y[i], 0.2 + 0.4 * i, 1e-9);
        ck_assert_int_ge((int)out.most, 6);
    }
}
END_TEST

/* Three in a row, two on them, one on top, in a bin that leaves a little play. The discs on top wedge the others apart
 * until walls and friction hold them. */
START_TEST(a_pyramid_of_discs_settles_in_a_bin)
{
    for (int k = 0; k < 4; k++) {
        pile p;
        pile_begin(&p, k % 2 ? &pc_law_stronge : &pc_law_poisson, 0.2 * (k / 2), 0.3);
        double r = 0.1, lift = 0.02;
        for (int row = 0; row < 3; row++)
            for (int i = 0; i < 3 - row; i++)
                pile_add(&p, PC_SHAPE_DISC, 1, r, 0, (i - 0.5 * (2 - row)) * 2.02 * r,
                         r + row * sqrt(3) * r + lift * (1 + row), 0);
        pile_bin(&p, 0.31);
        pile_outcome out = pile_run(&p, 2, 1e-9, 0);
        check("pyramid", &out, 1e-9);
        ck_assert_double_le(out.kinetic, 1e-4);
        ck_assert_int_ge((int)out.most, 8);
    }
}
END_TEST

START_TEST(discs_dropped_in_a_box_come_to_rest)
{
    pile p;
    pc_rng rng;
    pc_rng_seed(&rng, 7);
    pile_begin(&p, &pc_law_poisson, 0.3, 0.4);
    for (int i = 0; i < 6; i++) {
        pile_add(&p, PC_SHAPE_DISC, 1, 0.1, 0, (i % 3 - 1) * 0.25 + pc_rng_between(&rng, -0.02, 0.02),
                 0.15 + i / 3 * 0.25, 0);
        p.start[i][3] = pc_rng_between(&rng, -1, 1);
    }
    pile_bin(&p, 0.43);
    pile_outcome out = pile_run(&p, 3, 1e-9, 0);
    check("discs", &out, 1e-9);
    ck_assert_double_le(out.kinetic, 1e-3); /* of 6 J; a disc may still roll */
}
END_TEST

/* Not quite in one plane, or their tips would be points that meet. */
START_TEST(two_rods_lean_on_one_another)
{
    for (int k = 0; k < 4; k++) {
        double lean = 0.3 + 0.05 * k, length = 1;
        pile p;
        pile_begin(&p, &pc_law_stronge, 0.3, 0.8);
        pile_add(&p, PC_SHAPE_ROD, 1, length / 2, 0, -sin(lean) * length / 2, cos(lean) * length / 2 + 0.001, -lean);
        pile_add(&p, PC_SHAPE_ROD, 1, 0.45 * length, 0, sin(lean) * 0.45 * length + 0.003,
                 cos(lean) * 0.45 * length + 0.001, lean);
        pile_bin(&p, 0);
        pile_outcome out = pile_run(&p, 2, 1e-9, 0);
        check("rods", &out, 1e-9);
    }
}
END_TEST

START_TEST(a_lintel_lies_on_two_pillars)
{
    for (int k = 0; k < 4; k++) {
        double drop = k % 2 ? 0.02 : 0;
        pile p;
        pile_begin(&p, k / 2 ? &pc_law_newton : &pc_law_poisson, 0.2, 0.6);
        pile_add(&p, PC_SHAPE_BOX, 1, 0.1, 0.3, -0.5, 0.3 + drop, 0);
        pile_add(&p, PC_SHAPE_BOX, 1, 0.1, 0.3, 0.5, 0.3 + drop, 0);
        pile_add(&p, PC_SHAPE_BOX, 1.5, 0.7, 0.1, 0.03, 0.7 + 2 * drop, 0);
        pile_bin(&p, 0);
        pile_outcome out = pile_run(&p, 2, 1e-9, 0);
        check("lintel", &out, 1e-9);
        if (drop > 0) continue; /* what falls may topple a pillar */
        ck_assert(out.rests);
        ck_assert_double_eq_tol(out.y[2], 0.7, 1e-9);
    }
}
END_TEST

/* Corner above corner: what one box sinks into, the sides beside it are as near. */
START_TEST(a_box_that_falls_on_one_as_wide_does_not_fall_through_it)
{
    for (int k = 0; k < 6; k++) {
        pile p;
        pile_begin(&p, k % 2 ? &pc_law_newton : &pc_law_poisson, 0.25 * (k / 2), 0.4);
        for (int i = 0; i < 3; i++) pile_add(&p, PC_SHAPE_BOX, 1 + i, 0.5, 0.2, 0, 0.2 + 0.5 * i, 0);
        pile_bin(&p, 0);
        pile_outcome out = pile_run(&p, 3, 1e-9, 0);
        check("equal boxes", &out, 1e-9);
        for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(out.y[i], 0.2 + 0.4 * i, 1e-9);
    }
}
END_TEST

/* Their tips meet in a point, exactly: they hold each other, or come down together, but not through one another. */
START_TEST(rods_that_lean_tip_on_tip_do_not_cross)
{
    for (int k = 0; k < 6; k++) { /* their feet hold where friction is at least tan(lean)/2 */
        bool holds = k % 2 == 0;
        double lean = (holds ? 0.2 : 0.4) + 0.1 * k, length = 1, top = cos(lean) * length;
        pile p;
        pile_begin(&p, &pc_law_stronge, 0.2 * (k / 2), holds ? 0.7 : 0.2);
        for (int i = -1; i <= 1; i += 2)
            pile_add(&p, PC_SHAPE_ROD, 1, length / 2, 0, i * (sin(lean) * length / 2 + 0.01), top / 2 + 0.001,
                     i * lean);
        pile_bin(&p, 0);
        pile_outcome out = pile_run(&p, 2, 1e-9, 0);
        check("tips", &out, 1e-9);
        double height = out.y[0] + out.y[1];
        /* having bounced on their feet they may stand as flat as friction bears, at tan(lean) = 2 mu */
        ck_assert_msg(holds ? height >= length / hypot(1, 2 * 0.7) : height <= 1e-9, "lean %g: the tips end at %g",
                      lean, height);
    }
}
END_TEST

/* On the line of another's axis, and metres beyond its end. */
START_TEST(capsules_that_lie_in_a_row_do_not_touch_from_a_distance)
{
    pile p;
    pile_begin(&p, &pc_law_poisson, 0.5, 0.1);
    for (int i = 0; i < 3; i++) pile_add(&p, PC_SHAPE_CAPSULE, 1, 0.5, 0.1, 3.0 * i, 0.1, M_PI / 2);
    p.start[2][3] = -1;
    pile_bin(&p, 0);
    pile_outcome out = pile_run(&p, 1, 1e-9, 0);
    check("row", &out, 1e-9);
    ck_assert_int_eq((int)out.impacts, 0);
}
END_TEST

/* More contacts than one body could have alone: a wall of boxes. */
START_TEST(contacts_are_as_many_as_the_wall_has)
{
    pile p;
    pile_begin(&p, &pc_law_poisson, 0, 0.5);
    for (int row = 0; row < 5; row++)
        for (int i = 0; i < 2; i++) /* joints on joints would be corners on corners */
            pile_add(&p, PC_SHAPE_BOX, 1, 0.3, 0.1, (i - 0.5) * 0.7 + (row % 2 ? 0.05 : 0), 0.1 + 0.2 * row, 0);
    pile_bin(&p, 0);
    pile_outcome out = pile_run(&p, 1, 1e-9, 0);
    check("wall", &out, 1e-9);
    ck_assert(out.rests);
    ck_assert_int_ge((int)out.most, 20);
    for (int i = 0; i < p.n; i++) ck_assert_double_eq_tol(out.y[i], 0.1 + 0.2 * (i / 2), 1e-9);
}
END_TEST

UNIT_MAIN("piles", 120, three_boxes_stand_and_fall_on_one_another, a_pyramid_of_discs_settles_in_a_bin,
          a_box_that_falls_on_one_as_wide_does_not_fall_through_it, rods_that_lean_tip_on_tip_do_not_cross,
          capsules_that_lie_in_a_row_do_not_touch_from_a_distance, discs_dropped_in_a_box_come_to_rest,
          two_rods_lean_on_one_another, a_lintel_lies_on_two_pillars, contacts_are_as_many_as_the_wall_has)
