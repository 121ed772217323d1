/* One impact by a compliant law while the body goes on moving: see moving_body.c. */
#ifndef PC_SCENE_MOVING_BODY_H
#define PC_SCENE_MOVING_BODY_H

#include "body/body.h"
#include "law/element.h"

#include <stddef.h>

/* A free body in the plane, a pendulum or a linkage strikes with its own velocities u0.
 *
 * persistent: a contact point that has come to rest stays there until the end, whatever force that takes. Brach (1993)
 * asks only once whether friction can hold it; by Coulomb's law it slips again before the end, since the velocity
 * product wants a force when there is no pressure left. */
typedef struct pc_moving_task {
    const pc_body *body;
    const void *body_params; /* those of body->kind; may be NULL for a free body */
    const pc_element *element;
    const void *params; /* of its law */
    const double *u0;
    bool persistent;
    pc_asked asked;
} pc_moving_task;

/* `out` is initialised; its energies are those of the whole body, and the phases tell the history. u1: velocities
 * after; *rotation: the angle that the body, or the last link, turned through during contact, rad. Not approaching
 * gives PC_OUTCOME_NONE. */
pc_status pc_moving_impact(const pc_moving_task *task, pc_impact *out, double *u1, double *rotation, pc_error *err);

#endif
