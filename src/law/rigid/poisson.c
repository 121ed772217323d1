/* Poisson's law with Coulomb friction: contact ends when the normal impulse of restitution is R times that of
 * compression. */
#include "law/law.h"
#include "law/rigid/rigid.h"

static const pc_row rows[] = {
    PC_RIGID_ROWS("R", "kinetic coefficient of restitution R = p_n(restitution)/p_n(compression)"),
};

static const pc_schema schema = {
    .name = "contact.poisson",
    .summary = "Rigid impact with friction; the normal impulse of restitution is R times that of compression.",
    .details = "Never creates energy, though the energetic coefficient that comes out may exceed 1.",
    .equations = "p_r = R p_c: normal impulses of restitution and of compression\n"
                 "dp_t = -mu s dp_n: in slip, s = 1 or -1 being its direction\n"
                 "|dp_t| <= mu dp_n: in stick",
    .source = "Routh (1905); Sypniewska-Kaminska (2017), equations 28-37; Wang and Mason (1992)",
    .example = "print(percuss.contact.poisson{ restitution = 0.9, friction = 0.15 }.R) --> 0.9",
    PC_ROWS(rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RIGID_RULE(PC_JOINT_POISSON)

const pc_law pc_law_poisson = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_SPATIAL,
    .impact = impact,
    .path = pc_rigid_path,
    .friction = pc_rigid_friction,
    .rolling = pc_rigid_rolling,
    .joint_rule = joint_rule,
};
