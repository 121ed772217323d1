/* What is known of pairs near contact in a configuration: their gaps, before which face they are, how fast they are. */
#ifndef PC_MOTION_PROXIMITY_H
#define PC_MOTION_PROXIMITY_H

#include "motion/state.h"
#include "scene/configuration.h"

/* What has to close of an open pair: its gap, of a compliant contact that has left an indentation from there, of a thin
 * pair the height before its face. memory: of all pairs. */
double pc_pair_gap(const pc_configuration *c, const pc_places *places, const pc_pair_memory *memory, int pair);

/* A thin core has two faces: the site is before the one on whose side it is seen, and where it is too near to tell,
 * before the one it was. True if that has changed. */
bool pc_pair_update_face(const pc_configuration *c, pc_places *places, int pair);

/* An open pair that touches and neither moves nor accelerates: contacts that carry the load keep it there, up to the
 * errors of the integrator between corrections. So it closes only below those. */
bool pc_pair_rides_along(const pc_configuration *c, const pc_places *places, const pc_run_state *state,
                         const double *accelerations, int pair);

/* The greatest velocity that a pair has met, at least that of a fall over its lengths. Normal velocities within the
 * resolution of zero are zero: rounding of that. */
double pc_pair_speed_scale(const pc_scene *scene, const pc_pair_memory *memory, int pair);
double pc_pair_resolution(const pc_scene *scene, const pc_pair_memory *memory, int pair);

/* Note how fast a pair may be moving, for that. */
void pc_pair_record_speed(const pc_configuration *c, pc_pair_memory *memory, int pair);

#endif
