/* What is known of pairs near contact: their gaps, before which face they are, and how fast they are. */
#ifndef PC_MOTION_PROXIMITY_H
#define PC_MOTION_PROXIMITY_H

#include "motion/run.h"

#include <float.h>

/* Rounding of a gap, as a share of the lengths in it. */
#define PC_TOUCHING (64 * DBL_EPSILON)

/* What has to close of an open pair in the placed system: its gap, of a compliant contact that has left an
 * indentation from there, of a thin pair the height before its face. */
double pc_run_gap(const pc_run *run, int pair);

/* A thin core has two faces: the site is before the one on whose side it is seen, and where it is too near to tell,
 * before the one it was. True if that has changed. */
bool pc_run_update_face(pc_run *run, int pair);

/* An open pair that touches and neither moves nor accelerates, for the accelerations run->scratch.a: contacts that
 * carry the load keep it there, up to the errors of the integrator between corrections. So it closes only below
 * those. */
bool pc_run_rides_along(const pc_run *run, int pair);

/* Parts of the outlines that the pairs hold to now, in the run's system. */
void pc_run_restore_features(pc_run *run);

/* None held: every pair is at what is nearest. */
void pc_run_release_features(pc_run *run);

/* The greatest velocity that a pair has met, at least that of a fall over its lengths. */
double pc_run_speed_scale(const pc_run *run, int pair);

/* Normal velocities within this of zero are zero: rounding of that. */
double pc_run_resolution(const pc_run *run, int pair);

/* Note how fast a pair may be moving, for that. */
void pc_run_record_speed(pc_run *run, int pair);

#endif
