/* Impacts as userdata. */
#ifndef PC_BIND_BIND_IMPACT_H
#define PC_BIND_BIND_IMPACT_H

#include "bind/bind.h"
#include "body/body.h"
#include "law/impact.h"

/* Payload: the law's result together with what the body makes of it. User value 1 is the body, 2 the law. */
typedef struct pc_bound_impact {
    pc_impact impact;
    pc_mobility W;
    double u0[PC_BODY_DOF], u1[PC_BODY_DOF]; /* the body's own velocities before and after */
    double energy0, energy1;                 /* its kinetic energy, J */
    double loss_max;                         /* greatest loss possible, v0.W^-1.v0/2 (Lai 5.72), J */
    bool moving, persistent;                 /* the configuration moved; then energies are those of the body */
    double rotation;                         /* rad, meanwhile */
} pc_bound_impact;

enum { PC_IMPACT_BODY = 1, PC_IMPACT_LAW, PC_IMPACT_USERVALUES = 2 };

extern const pc_type pc_type_impact;

/* Push { word = true } of each flag (PC_FLAG_*). */
void pc_impact_push_flags(lua_State *L, unsigned flags);

#endif
