/* Poisson's law with a restitution that falls with the speed of the approach: R = R0/(1 + |v_n|/V). */
#include "law/rigid/rigid.h"

#include <math.h>

typedef struct tiring {
    pc_rigid rigid; /* with R0 */
    double speed;
} tiring;

static const pc_row rows[] = {
    PC_RIGID_ROWS("R", "kinetic coefficient of restitution of the slowest impacts"),
    {.name = "speed",
     .symbol = "V",
     PC_MEMBER(tiring, speed),
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {0.1, 10},
     .doc = "at which the restitution is half of that"},
};

static const pc_schema schema = {
    .name = "contact.tiring",
    .summary = "Rigid impact with friction; the restitution falls with the speed.",
    .equations = "R = R_0/(1 + |v_n|/V): at the speed of the approach",
    .source = "none: a trial",
    .example = "print(percuss.contact.tiring{ restitution = 0.9, friction = 0.1, speed = 2 }.V) --> 2.0",
    PC_ROWS(rows),
    .size = sizeof(tiring),
    .validate = pc_rigid_validate,
};

static double restitution(const tiring *law, double approach)
{
    return law->rigid.restitution / (1 + approach / law->speed);
}

static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out, pc_error *err)
{
    const tiring *law = params;
    pc_rigid at_speed = {restitution(law, fabs(v0[PC_N])), law->rigid.coulomb};
    return pc_rigid_impact(&at_speed, PC_JOINT_POISSON, W, v0, out, err);
}

static int joint_rule(const void *params, double approach, pc_joint_rule *out)
{
    *out = (pc_joint_rule){PC_JOINT_POISSON, restitution(params, approach)};
    return 0;
}

const pc_law pc_law_tiring = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_SPATIAL,
    .impact = impact,
    .path = pc_rigid_path,
    .friction = pc_rigid_friction,
    .joint_rule = joint_rule,
};
