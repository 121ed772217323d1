/* Rigid impact in space.
 *
 * The tangential velocity has two components and slip swerves: dv/dp_n = w_n - mu W_t s, s the unit slip direction
 * (Keller, J. Appl. Mech. 53, 1986; Stronge, Impact Mechanics, 2000, chapter 4; Bhatt and Koechling, J. Appl. Mech.
 * 62, 1995). Slip along an invariant direction is straight and exact; elsewhere it is integrated to rounding. From
 * rest the contact sticks iff |W_tt^-1 w_tn| <= mu_s; otherwise slip starts in the one direction s with
 * w_tn - mu W_tt s = c s, c > 0.
 */
#ifndef PC_LAW_RIGID_IMPULSE_SPATIAL_H
#define PC_LAW_RIGID_IMPULSE_SPATIAL_H

#include "law/rigid/impulse.h"

/* Impact in space by the rule of a law. `out` is freshly initialised. */
pc_status pc_impulse_spatial(const pc_coulomb *coulomb, const pc_joint_rule *rule, const pc_mobility *W,
                             const double v0[3], pc_impact *out, pc_error *err);

/* States at ascending normal impulses from 0 to the total. coulomb: of slip that may swerve; NULL: all phases are
 * straight. */
void pc_impulse_path(const pc_coulomb *coulomb, const pc_mobility *W, const pc_impact *impact, const double *p_n,
                     size_t n, pc_state *out);

/* What happens from rest in the tangent plane. `ratio` is dp_T/dp_n = -W_tt^-1 w_tn, which stick takes; its size is the
 * least friction that holds the contact point. Stick: true. Slip: false, `direction` is the unit slip direction and
 * `growth` > 0 how fast slip grows with p_n. Components (t, t2). */
bool pc_impulse_rest(const pc_coulomb *coulomb, const pc_mobility *W, double ratio[2], double direction[2],
                     double *growth);

#endif
