/* One impact of a body with an obstacle: what a law makes of it, and what becomes of the body.
 *
 * The configuration is frozen, or it moves on while a compliant law acts (scene/moving_body.h).
 */
#ifndef PC_MOTION_COLLISION_H
#define PC_MOTION_COLLISION_H

#include "base/row.h"
#include "body/body.h"
#include "law/law.h"

#include <stdbool.h>

typedef struct pc_collide_options {
    int configuration; /* pc_compliance */
    int stick;         /* 1: persistent, see moving_body.h */
} pc_collide_options;

extern const pc_schema pc_collide_schema;

/* What its rows are, wherever they are explained. */
#define PC_COLLIDE_CONFIGURATION                                                                                       \
    "moving: a free body in the plane, a pendulum or a linkage turns while a compliant law acts; energies are those "  \
    "of the body, and a pendulum may wedge"
#define PC_COLLIDE_STICK                                                                                               \
    "of a moving one; persistent: a contact point that has come to rest stays there, as in Brach's simulation"

/* Who strikes by which law, with their parameters; body_params: those of body->kind, NULL for a pair. All stay the
 * caller's. */
typedef struct pc_colliding {
    const pc_body *body;
    const void *body_params;
    const pc_law *law;
    const void *law_params;
} pc_colliding;

typedef struct pc_collision {
    pc_impact impact;
    pc_mobility W;
    bool resists; /* the law resists the turning of the body, which is: */
    pc_turning turning;
    double u0[PC_BODY_DOF], u1[PC_BODY_DOF]; /* the body's own velocities before and after */
    double energy0, energy1;                 /* its kinetic energy, J; of a body known by W alone the contact's share */
    double loss_max;                         /* greatest loss possible, v0.W^-1.v0/2 (Lai 5.72), J */
    bool moving, persistent;                 /* the configuration moved; then energies are those of the body */
    double rotation;                         /* rad, meanwhile */
} pc_collision;

/* The impact at own velocities u0 with the contact point's v0 = J u0; of a body known by W alone v0 is all there is,
 * and u0 is not read. PC_E_ARGUMENT: the bodies do not approach; PC_E_UNSUPPORTED: law and body do not go together.
 * `out` is filled by this call, with an impact inside that pc_impact_free frees, on failure too. */
pc_status pc_collide(const pc_colliding *who, const pc_collide_options *options, const double *u0, const double v0[3],
                     pc_collision *out, pc_error *err);

/* W with what else a law asks of it. The collision keeps what it points to. */
static inline pc_mobility pc_collision_mobility(const pc_collision *collision)
{
    pc_mobility W = collision->W;
    W.turning = collision->resists ? &collision->turning : NULL;
    return W;
}

/* States at times in ascending order, s, for compliant laws; a time beyond the end gives the state at the end. A moving
 * impact is run again for them. */
pc_status pc_collision_trace(const pc_colliding *who, const pc_collision *collision, const double *times, size_t n,
                             pc_state *states, pc_error *err);

/* Kinetic energy of the body in such a state, J: that before and the works since. */
static inline double pc_collision_energy(const pc_collision *collision, const pc_state *state)
{
    return collision->energy0 + (state->work_n + state->work_t + state->work_f);
}

#endif
