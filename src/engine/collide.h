/* Impacts of one contact at frozen configuration by any law: its own way, or the motion of its element
 * (element_impact.h). */
#ifndef PC_ENGINE_COLLIDE_H
#define PC_ENGINE_COLLIDE_H

#include "law/law.h"

/* As pc_law.impact and pc_law.trace, of laws that are elements as well. */
pc_status pc_law_impact(const pc_law *law, const void *params, const pc_mobility *W, const double v0[3], pc_impact *out,
                        pc_error *err);
pc_status pc_law_trace(const pc_law *law, const void *params, const pc_mobility *W, const pc_impact *impact,
                       const double *times, size_t n, pc_state *out, pc_error *err);

/* Kinematic restitution of a central impact on a body of mass 1/w_nn with the speed v > 0; NaN with `err` filled. */
double pc_law_restitution(const pc_law *law, const void *params, double w_nn, double v, pc_error *err);

#endif
