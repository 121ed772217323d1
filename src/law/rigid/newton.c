/* Newton's law with Coulomb friction: contact ends when v_n = -e v_n0. */
#include "law/law.h"
#include "law/rigid/rigid.h"

static const pc_row rows[] = {
    PC_RIGID_ROWS("e", "kinematic coefficient of restitution e = -v_n+/v_n-"),
};

static const pc_schema schema = {
    .name = "contact.newton",
    .summary = "Rigid impact with friction; the normal velocity is reversed by the kinematic coefficient e.",
    .details = "May create energy where slip stops or reverses; the result says so (flags.gained_energy).",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "dp_t = -mu s dp_n: in slip, s = 1 or -1 being its direction\n"
                 "|dp_t| <= mu dp_n: in stick",
    .source = "Routh (1905); Sypniewska-Kaminska (2017), section 3.3; Wang and Mason (1992)",
    .example = "print(percuss.contact.newton{ restitution = 0.8, friction = 0.3 }.e) --> 0.8",
    PC_ROWS(rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RIGID_RULE(PC_JOINT_NEWTON)

const pc_law pc_law_newton = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_SPATIAL | PC_LAW_MAY_GAIN,
    .impact = impact,
    .path = pc_rigid_path,
    .friction = pc_rigid_friction,
    .rolling = pc_rigid_rolling,
    .joint_rule = joint_rule,
};
