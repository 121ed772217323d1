/* Random piles for tests: what is thrown, stacked, leant and built on floors, between walls and over obstacles. */
#ifndef TESTS_C_PILE_RANDOM_H
#define TESTS_C_PILE_RANDOM_H

#include "pile_scenes.h"

/* n bodies of all shapes in cells of 1 m, some of them upright and at rest. */
static inline void pile_scatter(pile *p, pc_rng *rng, int n, int columns, double bottom)
{
    for (int i = 0; i < n; i++) {
        pc_shape kind = (pc_shape)pc_rng_below(rng, 4);
        bool upright = pc_rng_below(rng, 4) == 0;
        double x = i % columns - 0.5 * (columns - 1) + pc_rng_between(rng, -0.05, 0.05);
        double y = bottom + i / columns + 0.5 + pc_rng_between(rng, -0.05, 0.05);
        double a = pc_rng_between(rng, 0.15, 0.4), b = pc_rng_between(rng, 0.1, 0.25);
        if (kind == PC_SHAPE_CAPSULE || kind == PC_SHAPE_BOX) a *= 0.65;
        double angle = upright ? M_PI / 2 * (double)pc_rng_below(rng, 4) : pc_rng_between(rng, -M_PI, M_PI);
        pile_add(p, kind, pc_rng_between(rng, 0.2, 3), a, b, x, y, angle);
        if (upright) continue;
        double *rates = p->start[i] + 3;
        rates[0] = pc_rng_between(rng, -1, 1);
        rates[1] = pc_rng_between(rng, -1, 0.5);
        rates[2] = pc_rng_between(rng, -3, 3);
    }
}

/* Boxes as wide as one another or a little narrower, exactly above one another or beside. */
static inline void pile_stack(pile *p, pc_rng *rng, int n, bool falls)
{
    double y = 0, x = 0;
    for (int i = 0; i < n; i++) {
        double half = pc_rng_between(rng, 0.1, 0.4), width = 0.5 - 0.03 * i * (double)pc_rng_below(rng, 2);
        y += half + (falls ? pc_rng_between(rng, 0.01, 0.3) : 0);
        x += i > 0 && pc_rng_below(rng, 2) ? pc_rng_between(rng, -0.1, 0.1) : 0;
        double angle = falls && pc_rng_below(rng, 2) ? pc_rng_between(rng, -0.01, 0.01) : 0;
        pile_add(p, PC_SHAPE_BOX, pc_rng_between(rng, 0.5, 2), width, half, x, y, angle);
        y += half;
    }
}

/* Rods of one length that meet at their tips, or capsules. */
static inline void pile_lean(pile *p, pc_rng *rng, int pairs)
{
    for (int k = 0; k < pairs; k++) {
        double lean = pc_rng_between(rng, 0.2, 0.9), round = pc_rng_below(rng, 2) ? 0 : 0.1;
        double y = cos(lean) / 2 + (round > 0 ? round : 0.001), away = sin(lean) / 2 + round;
        pc_shape kind = round > 0 ? PC_SHAPE_CAPSULE : PC_SHAPE_ROD;
        double apart = round > 0 ? 0 : 0.02;
        pile_add(p, kind, 1, 0.5, round, 3.0 * k - away, y, -lean);
        pile_add(p, kind, 1, 0.5, round, 3.0 * k + away + apart, y, lean);
    }
}

/* Storeys of two pillars and a lintel. */
static inline void pile_arch(pile *p, pc_rng *rng, int storeys)
{
    double drop = pc_rng_below(rng, 2) ? 0 : 0.05, y = 0;
    for (int k = 0; k < storeys; k++) {
        pile_add(p, PC_SHAPE_BOX, 1, 0.1, 0.3, -0.5, y + 0.3 + drop, 0);
        pile_add(p, PC_SHAPE_BOX, 1, 0.1, 0.3, 0.5, y + 0.3 + drop, 0);
        y += 0.6 + drop;
        pile_add(p, PC_SHAPE_BOX, 1.5, 0.7, 0.1, pc_rng_between(rng, -0.05, 0.05), y + 0.1 + drop, 0);
        y += 0.2 + drop;
    }
}

typedef enum pile_kind {
    PILE_ON_FLOOR,
    PILE_IN_BIN,
    PILE_OVER_OBSTACLES,
    PILE_STACK,
    PILE_FALLING_STACK,
    PILE_LEANING,
    PILE_ARCH,
    PILE_BOXES,
    PILE_KINDS
} pile_kind;

static inline pile pile_random(pile_kind kind, uint64_t seed)
{
    static const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    const double block[] = {-0.5, 0, 0.6, 0, 0.6, 0.4, -0.5, 0.4}, bar[] = {-1.8, 0.9, -0.9, 0.5};
    pc_rng rng;
    pile p;
    pc_rng_seed(&rng, seed * PILE_KINDS + kind);
    double friction = pc_rng_below(&rng, 5) == 0 ? 0 : pc_rng_uniform(&rng);
    double restitution = pc_rng_below(&rng, 4) == 0 ? 0 : 0.9 * pc_rng_uniform(&rng);
    pile_begin(&p, laws[pc_rng_below(&rng, 3)], restitution, friction);
    p.scene.rule = pc_rng_below(&rng, 3) == 0 ? PC_RULE_SIMULTANEOUS : PC_RULE_SEQUENTIAL;
    int n = 2 + (int)pc_rng_below(&rng, 5);
    double half = kind == PILE_IN_BIN ? 1.05 : kind == PILE_BOXES ? 0.9 : 0;
    switch (kind) {
    case PILE_ON_FLOOR: pile_scatter(&p, &rng, n, 2 + (int)pc_rng_below(&rng, 3), 0.05); break;
    case PILE_IN_BIN: pile_scatter(&p, &rng, n, 2, 0.05); break;
    case PILE_OVER_OBSTACLES: pile_scatter(&p, &rng, n, 2, 1.1); break;
    case PILE_STACK:
    case PILE_FALLING_STACK: pile_stack(&p, &rng, n, kind == PILE_FALLING_STACK); break;
    case PILE_LEANING: pile_lean(&p, &rng, 1 + n % 3); break;
    case PILE_ARCH: pile_arch(&p, &rng, 1 + n % 2); break;
    default:
        for (int i = 0; i < n; i++) {
            double a = pc_rng_between(&rng, 0.1, 0.3), b = pc_rng_between(&rng, 0.1, 0.2);
            pile_add(&p, PC_SHAPE_BOX, 1, a, b, (i % 2 - 0.5) * 0.85, 0.5 + i / 2 * 0.9,
                     pc_rng_between(&rng, -1.5, 1.5));
        }
    }
    pile_bin(&p, half);
    if (kind == PILE_OVER_OBSTACLES) {
        add_hull(&p.scene, pc_outline_polygon("block", block, 4, 0));
        add_hull(&p.scene, pc_outline_polygon("bar", bar, 2, 0));
        add_hull(&p.scene, pc_outline_point("peg", 1.2, 0.5, 0.1));
    }
    return p;
}

#endif
