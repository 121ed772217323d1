/* Whittaker's law: v_t+ = 0 if friction can bring that about, else friction against v_t+. */
#include "law/rigid/rigid.h"

static const pc_row rows[] = {
    PC_RATIO_RESTITUTION_ROW(pc_rigid),
    PC_RIGID_FRICTION_ROW("coefficient of friction: bound on the impulse ratio"),
};

static const pc_schema schema = {
    .name = "contact.whittaker",
    .summary = "Newton's restitution; friction acts on the velocities before and after alone.",
    .details = "Right where slip keeps its direction. May create energy where it does not; the result says so "
               "(flags.gained_energy). Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "v_t' = 0: if friction can stop the slip\n"
                 "p_t = -mu s p_n: if it can not, s being the direction of slip before",
    .source = "Whittaker, Analytical Dynamics (1904); Lai (1999), chapter 2",
    .example = "print(percuss.contact.whittaker{ restitution = 0.5, friction = 0.2 }.e) --> 0.5",
    PC_ROWS(rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RATIO_RULE(pc_ratio_against_departure)

const pc_law pc_law_whittaker = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN,
    .impact = impact,
    .path = pc_ratio_path,
    .friction = pc_rigid_friction,
};
