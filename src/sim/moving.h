/* One impact by a compliant law while the body goes on moving: see moving.c. */
#ifndef PC_SIM_MOVING_H
#define PC_SIM_MOVING_H

#include "body/body.h"
#include "contact/element.h"

/* A free body in the plane strikes with its own velocities u0 (vt, vn, omega). `out` is initialised; its energies are
 * those of the whole body, and the phases tell the history. u1: velocities after; *rotation: the angle turned through
 * during contact, rad. Not approaching gives PC_OUTCOME_NONE.
 *
 * persistent: a contact point that has come to rest stays there until the end, whatever force that takes. Brach (1993)
 * asks only once whether friction can hold it; by Coulomb's law it slips again before the end, since the velocity
 * product wants a force when there is no pressure left. */
pc_status pc_moving_impact(const pc_body *body, const pc_element *element, const void *params, const double *u0,
                           bool persistent, pc_impact *out, double *u1, double *rotation, pc_error *err);

#endif
