/* Whittaker's law with a friction that fades with the speed of slip before: mu = mu_0/(1 + |v_t|/V). */
#include "law/rigid/rigid.h"

#include <math.h>

typedef struct fading {
    pc_rigid rigid; /* with mu_0 */
    double speed;
} fading;

static const pc_row fading_rows[] = {
    PC_RATIO_RESTITUTION_ROW(pc_rigid),
    PC_RIGID_FRICTION_ROW("coefficient of friction of the slowest impacts"),
    PC_ROW(fading, speed, "speed", .symbol = "V", .unit = PC_UNIT_M_PER_S, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .sample = {0.1, 10}, .doc = "of slip, at which the friction is half of that"),
};

static double ratio(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    const fading *law = params;
    pc_rigid at_speed = law->rigid;
    at_speed.coulomb.friction /= 1 + fabs(v0[PC_T]) / law->speed;
    at_speed.coulomb.static_friction = at_speed.coulomb.friction;
    return pc_ratio_against_departure(&at_speed, e, W, v0);
}

PC_RATIO_LAW(fading, fading, ratio, PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN, pc_rigid_friction, NULL,
             .summary = "Newton's restitution; friction fades with the speed of slip.",
             .equations = "v_n' = -e v_n: afterwards", .source = "none: a trial",
             .example = "print(percuss.contact.fading{ restitution = 0.9, friction = 0.1, speed = 2 }.V) --> 2.0",
             .validate = pc_rigid_validate)
