/* How long gaps stay open, without a configuration being made at every look. */
#ifndef PC_SCENE_CLEARANCE_H
#define PC_SCENE_CLEARANCE_H

#include "ode/ode.h"
#include "scene/configuration.h"

/* The gap of a site before a plane that is fixed or swings, from coordinates and the time alone, which is quicker than
 * to place its member. False for what else there is. */
bool pc_clearance_gap(const pc_scene *scene, int pair, double time, const double *q, double *gap);

/* The fraction of a step up to which a gap cannot close, or has opened where it was zero: `gap`, at the beginning,
 * infinite if it is known not to be. 1: in the whole step, and for any other result with `parts` alone. *falls, unless
 * NULL: it is known to close all the way from there to the end of the step. It knows of planes that are fixed or swing,
 * and is 0 for what else there is. */
double pc_clearance_until(const pc_scene *scene, int pair, double gap, bool parts, bool *falls, const pc_dense *dense);

/* True if a gap cannot close in a step, by how far the outlines can have moved; the configuration is that where it
 * begins. */
bool pc_clearance_lasts(const pc_configuration *c, const pc_places *places, int pair, const pc_dense *dense);

#endif
