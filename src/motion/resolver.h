/* What decides an instant at which pairs touch. */
#ifndef PC_MOTION_RESOLVER_H
#define PC_MOTION_RESOLVER_H

#include "motion/run.h"

/* Sort what touches by where it does, in the placed system, from left to right and then upwards, and by the normals
 * there: the order of lists of bodies and obstacles then reaches neither arithmetic nor choices. */
void pc_touching_sort(pc_touching *touching, const pc_run *run);

/* The run's list of what touches, with nothing in it, nor in that of what is gone. */
pc_touching *pc_run_begin_touching(pc_run *run);

/* What touches without having been closed (a row of balls at rest) takes part in an impact; what is gone does not. */
pc_status pc_run_add_touching(pc_run *run, pc_touching *touching, pc_error *err);

/* Everything that happens at the run's t and y to the pairs that touch: impacts until none approaches, then
 * how the others go on. jam: a pair whose slip presses it, struck from v_n = 0; or -1. Where nothing comes of it the
 * run is unsettled, with its contacts as they were. */
pc_status pc_run_resolve(pc_run *run, pc_touching *touching, int jam, pc_error *err);

#endif
