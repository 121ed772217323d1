/* Stronge's law with Coulomb friction: contact ends when the work of the normal force in restitution is E^2 times
 * what it took in compression. */
#include "law/law.h"
#include "law/rigid/rigid.h"

static const pc_row rows[] = {
    PC_RIGID_ROWS("E", "energetic coefficient of restitution, E^2 = W_n(restitution)/-W_n(compression)"),
};

static const pc_schema schema = {
    .name = "contact.stronge",
    .summary = "Rigid impact with friction; the normal force gives back E^2 of the work it took.",
    .details = "Never creates energy. With E = 1 it loses the work of friction alone and is the limit of the linear "
               "contact for infinite tangential stiffness.",
    .equations = "W_r = -E^2 W_c: normal works of restitution and of compression\n"
                 "dp_t = -mu s dp_n: in slip, s = 1 or -1 being its direction\n"
                 "|dp_t| <= mu dp_n: in stick",
    .source = "Stronge, Proc. R. Soc. Lond. A 431 (1990), 169-181; Brach (1993); Kecskemethy (1999)",
    .example = "print(percuss.contact.stronge{ restitution = 0.5, friction = 0.3 }.E) --> 0.5",
    PC_ROWS(rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RIGID_RULE(PC_JOINT_STRONGE)

const pc_law pc_law_stronge = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_SPATIAL | PC_LAW_CONSERVATIVE,
    .impact = impact,
    .path = pc_rigid_path,
    .friction = pc_rigid_friction,
    .rolling = pc_rigid_rolling,
    .joint_rule = joint_rule,
};
