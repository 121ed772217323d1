/* Brach's law: restitution e and a given impulse ratio p_t/p_n. */
#include "law/rigid/rigid.h"

typedef struct brach {
    pc_coefficient restitution;
    double ratio;
} brach;

static const pc_row rows[] = {
    PC_RATIO_RESTITUTION_ROW(brach),
    {.name = "impulse_ratio",
     .symbol = "mu",
     .greek = "μ",
     PC_MEMBER(brach, ratio),
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .sample = {-0.5, 0.5},
     .doc = "ratio p_t/p_n of the whole impact, with its sign: negative opposes slip towards +t"},
};

static const pc_schema schema = {
    .name = "contact.brach",
    .summary = "Rigid impact known by its kinematic restitution and its impulse ratio.",
    .details = "A ratio beyond mu_T creates energy: allowed, and marked in the result (flags.gained_energy). Works and "
               "partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "p_t = mu p_n: with the impulse ratio mu",
    .source = "Brach, Int. J. Impact Engng 13 (1993), equations 1-8; J. Appl. Mech. 56 (1989)",
    .example = "print(percuss.contact.brach{ restitution = 0.5, impulse_ratio = -0.2 }.mu) --> -0.2",
    PC_ROWS(rows),
    .size = sizeof(brach),
};

static double ratio(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    (void)e, (void)W, (void)v0;
    return ((const brach *)params)->ratio;
}

PC_RATIO_RULE(ratio)

const pc_law pc_law_brach = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN,
    .impact = impact,
    .path = pc_ratio_path,
};
