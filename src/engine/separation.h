/* Bodies that overlap are pushed apart, as far as they touch.
 *
 * Of all displacements that leave no overlap it looks for the least, each coordinate weighed as the mass matrix weighs
 * velocities: that is what impulses along the normals would do, M dq = sum n p with p >= 0, and each either presses and
 * leaves a gap of zero or does nothing. Gaps are not linear in the places, so it is repeated. Joints stay closed.
 */
#ifndef PC_ENGINE_SEPARATION_H
#define PC_ENGINE_SEPARATION_H

#include "engine/provider.h"

/* An overlap of what is rigid, as a share of the lengths in its gap, up to this is rounding of what was typed or
 * computed: such contacts touch. */
#define PC_OVERLAP 1e-12

/* Change the coordinates in y, of all n velocities' worth, at t. PC_E_NUMERIC: there is no such place nearby. */
pc_status pc_separate(const pc_mechanics *mechanics, double t, double *y, pc_error *err);

#endif
