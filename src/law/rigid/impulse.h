/* Rigid impact followed through impulse space (Routh).
 *
 * While a rigid contact lasts nothing moves, so the normal impulse p_n takes the place of time: v = v0 + W p. In
 * each phase the force has a constant direction (slip in one direction, or stick), hence v is linear in p_n and
 * works are exact trapezia. Slip: dp_t = -mu s dp_n. When it stops the contact sticks if |w_tn| <= mu_s w_tt, with
 * dp_t/dp_n = -w_tn/w_tt; otherwise slip starts again with s = sign(w_tn). Compression ends at v_n = 0; how
 * restitution ends is the only thing in which the laws differ (pc_joint_rule).
 *
 * Routh, Dynamics of a System of Rigid Bodies (1905), part 1, chapter 5; Stronge, Proc. R. Soc. Lond. A 431 (1990);
 * Wang and Mason, J. Appl. Mech. 59 (1992).
 */
#ifndef PC_LAW_RIGID_IMPULSE_H
#define PC_LAW_RIGID_IMPULSE_H

#include "law/law.h"

/* Planar impact by Routh's path. `out` is freshly initialised. It starts where the bodies approach, or, from v_n = 0,
 * where slip in a jam presses them together. */
pc_status pc_impulse_planar(const pc_coulomb *coulomb, const pc_joint_rule *rule, const pc_mobility *W,
                            const double v0[3], pc_impact *out, pc_error *err);

/* Planar impact known by its impulse alone, as algebraic laws give it. Works and the partial sums are those of the
 * straight line in the impulse plane that leads to it. */
pc_status pc_impulse_direct(const pc_mobility *W, const double v0[3], const double p[3], pc_impact *out, pc_error *err);

/* Totals, energies and flags from phases and partial sums that are complete. */
void pc_impulse_finish(const pc_mobility *W, pc_impact *out);

#endif
