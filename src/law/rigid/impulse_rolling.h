/* Rigid impact in which the contact resists turning: rolling about tangents, twisting about the normal.
 *
 * Beside its impulse p the contact passes on a couple c, and beside its velocity v it has the relative rate w of what
 * turns: (v, w) = (v, w)0 + M (p, c), M being W with the rows of turning. Both couples are cones as friction is:
 *
 *     |p_t| <= mu p_n     |c_roll| <= rolling p_n     |c_twist| <= twisting p_n
 *
 * each against its own velocity while that is not zero, and what holds it at zero, within the bound, else. Which of
 * those that are zero stay so, and where the others start, is one convex problem: the forces of greatest dissipation
 * for bounds that p_n gives, which has one solution in velocities (Moreau 1988, Unilateral contact and dry friction).
 *
 * In the plane, and where nothing swerves, the path is a polygon and exact; elsewhere it is integrated to rounding.
 */
#ifndef PC_LAW_RIGID_IMPULSE_ROLLING_H
#define PC_LAW_RIGID_IMPULSE_ROLLING_H

#include "law/rigid/rigid.h"

/* Impact by the rule of a law. W->turning is there, and one of the resistances is not 0; `out` is freshly initialised.
 */
pc_status pc_impulse_rolling(const pc_coulomb *coulomb, const pc_turning_resistance *resistance,
                             const pc_joint_rule *rule, const pc_mobility *W, const double v0[3], pc_impact *out,
                             pc_error *err);

/* States at ascending normal impulses from 0 to the total. */
pc_status pc_impulse_rolling_path(const pc_coulomb *coulomb, const pc_turning_resistance *resistance,
                                  const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                                  pc_state *out, pc_error *err);

#endif
