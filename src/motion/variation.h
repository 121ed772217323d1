/* What becomes of a small displacement of the state along a recorded motion.
 *
 * On arcs it follows the linearised equations of motion, those with the forces of the contacts that are closed. Where
 * the contacts change, a displaced motion changes at another instant, later by dt = -(g_y d)/g', g the function whose
 * zero it is: a gap, a slip velocity, an excess over friction. What the displacement has become afterwards is
 *
 *     d+ = D R (d- + f- dt) - f+ dt
 *
 * with R the impact as a map of the state (and of the time, where a pivot moves), the identity where nothing jumps, and
 * f- and f+ the rates of the state before and after (the saltation matrix: Aizerman and Gantmakher 1958; Mueller 1995).
 * D R is the derivative along the one direction in question, by central differences of four points of the law itself
 * at displaced configurations, as are the rates along an arc. A contact that lifts off because its force has come to
 * zero changes no rate: there d+ = d-.
 *
 * A contact that is closed stays so in the neighbouring motions, so the displacement is one that it allows: what it
 * forbids is taken away at the start, and an impact without restitution, or a slip that stops, takes it by itself.
 */
#ifndef PC_MOTION_VARIATION_H
#define PC_MOTION_VARIATION_H

#include "motion/run.h"

/* The impact with the least speed of approach so far: the nearer to a graze, the less a linearisation is worth. */
typedef struct pc_slowest {
    double speed, t; /* m/s, s; infinite: there was no impact */
} pc_slowest;

/* Carry d (2 n_dof: of q, then of u) from one time to a later one, after what happened there. PC_E_ARGUMENT: outside
 * the motion, or not recorded. PC_E_UNSUPPORTED: compliant contacts move along, or the motion is no smooth function of
 * its start there: grazes, jams, contacts whose order matters. */
pc_status pc_run_carry(pc_run *run, double from, double to, double *d, pc_slowest *slowest, pc_error *err);

#endif
