/* Inside the spatial law: the end of swerving slip, all at once.
 *
 * Slip that stops turns into an attracting direction phi*: with z = phi - phi* the speed falls as
 * sigma = C z^alpha E(z), alpha = growth(phi*)/turn'(phi*) > 0, E analytic. So impulse, velocity and work left over are
 * power series of z times powers of z, integrated term by term; nothing remains of the exponential approach.
 */
#ifndef PC_LAW_RIGID_IMPULSE_SETTLE_H
#define PC_LAW_RIGID_IMPULSE_SETTLE_H

#include "law/rigid/impulse_swerve.h"

/* What slip still brings until it stops. */
typedef struct pc_settling {
    double dp_t, dp_n, dp_t2; /* impulse, N s */
    double dv_n;              /* change of normal velocity, m/s */
    double bend;              /* work of the normal force beyond dp_n (v_n before + v_n after)/2, J */
    bool one_way;             /* v_n rises all the time, or falls all the time */
} pc_settling;

/* From slip direction (c, s), |(c, s)| = 1, at a speed. False where no attracting direction in which slip stops is near
 * enough for the series. */
bool pc_settle(const pc_mobility *W, double mu, double c, double s, double speed, const pc_swerve_rates *rates,
               pc_settling *out);

#endif
