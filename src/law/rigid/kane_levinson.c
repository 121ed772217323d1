/* Kane and Levinson's law: v_t+ = 0 if static friction can bring that about, else kinetic friction against v_t+. */
#include "law/rigid/rigid.h"

static const pc_row rows[] = {
    PC_RATIO_RESTITUTION_ROW(pc_rigid),
    PC_RIGID_FRICTION_ROW("coefficient of kinetic friction: the impulse ratio of an impact that slides"),
    PC_RIGID_STATIC_ROW(
        "coefficient of static friction: bound on the impulse ratio of an impact that sticks; the same as friction "
        "if not given"),
};

static const pc_schema schema = {
    .name = "contact.kane_levinson",
    .summary = "Newton's restitution; friction acts on the velocities before and after alone.",
    .details = "May create energy where slip reverses during the impact; the result says so (flags.gained_energy). "
               "Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "v_t' = 0: if static friction can do that\n"
                 "p_t = -mu s p_n: if it can not, s being the direction of slip afterwards",
    .source = "Kane and Levinson, Dynamics: Theory and Applications (1985); Lai (1999), equations 2.1-2.3",
    .example = "print(percuss.contact.kane_levinson{ e = 0.5, mu = 0.2, mu_s = 0.3 }.static_friction) --> 0.3",
    PC_ROWS(rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RATIO_RULE(pc_ratio_against_departure)

const pc_law pc_law_kane_levinson = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN,
    .impact = impact,
    .path = pc_ratio_path,
    .friction = pc_rigid_friction,
};
