/* What becomes of a small displacement of the state along a recorded motion.
 *
 * On arcs it follows the linearised equations of motion. At an impact a displaced motion strikes at another instant,
 * later by dt = -(g_y d)/g', g the gap; what the displacement has become afterwards is
 *
 *     d+ = D R (d- + f- dt) - f+ dt
 *
 * with R the impact as a map of the state (and of the time, where a pivot moves) and f- and f+ the rates of the state
 * before and after (the saltation matrix: Aizerman and Gantmakher 1958; Mueller 1995). D R is the derivative along the
 * one direction in question, by central differences of the law itself at displaced configurations.
 */
#ifndef PC_SIM_TANGENT_H
#define PC_SIM_TANGENT_H

#include "sim/run.h"

/* The impact with the least speed of approach so far: the nearer to a graze, the less a linearisation is worth. */
typedef struct pc_slowest {
    double speed, t; /* m/s, s; infinite: there was no impact */
} pc_slowest;

/* Carry d (2 n_dof: of q, then of u) from one time to a later one, after what happened there. PC_E_ARGUMENT: outside
 * the motion, or not recorded. PC_E_UNSUPPORTED: contacts last there, or several struck at once. */
pc_status pc_run_carry(pc_run *run, double from, double to, double *d, pc_slowest *slowest, pc_error *err);

#endif
