/* Maw's rings beneath a body that gives way: its modes of vibration, and linear compliances in series with the contact,
 * by which a finite body differs from a half-space.
 *
 * The indentation is u_n = depth + C_n F_n, where F_n = K depth^1.5; the contact point moves by s - C_t F_t, where s is
 * the shift of the springs' feet. Modes obey q'' + omega^2 q = phi . F. Rigid body and modes are integrated by Verlet's
 * method, the springs stick and slip at every step as in maw.c; all of second order.
 */
#ifndef PC_LAW_MAW_FLEXIBLE_H
#define PC_LAW_MAW_FLEXIBLE_H

#include "law/hertz.h"
#include "law/impact.h"

typedef struct pc_maw_flexible {
    const pc_hertz *hertz;
    const pc_mobility *W; /* with its modes, if it has any */
    double friction;
    double normal_compliance, tangential_compliance; /* C_n, C_t: m/N */
    int rings;                                       /* in Hertz's contact radius */
} pc_maw_flexible;

/* The impact, whose beginning pc_impact_begin has made, and states at times in ascending order. */
pc_status pc_maw_flexible_run(const pc_maw_flexible *task, const double v0[3], const double *times, size_t n,
                              pc_state *states, pc_impact *out, pc_error *err);

#endif
