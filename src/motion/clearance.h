/* How long gaps stay open, without the system being placed at every look. */
#ifndef PC_MOTION_CLEARANCE_H
#define PC_MOTION_CLEARANCE_H

#include "motion/run.h"

/* The gap of a site before a fixed plane, from coordinates alone, which is quicker than to place its
 * member. False for what else there is. */
bool pc_run_height(const pc_run *run, int pair, const double *q, double *height);

/* The fraction of a step up to which a gap cannot close, or has opened where it was zero: `gap`, at the beginning,
 * infinite if it is known not to be. 1: in the whole step, and for any other result with `parts` alone. *falls, unless
 * NULL: it is known to close all the way from there to the end of the step. It knows of fixed planes, and is 0 for what
 * else there is. */
double pc_run_clear_until(const pc_run *run, int pair, double gap, bool parts, bool *falls, const pc_dense *dense);

/* True if a gap cannot close in a step, by how far the outlines can have moved; the system is placed where it
 * begins. */
bool pc_run_stays_open(const pc_run *run, int pair, const pc_dense *dense);

#endif
