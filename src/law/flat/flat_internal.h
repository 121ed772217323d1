/* Inside flat impacts: what discs that tilt along the slope and in any direction share. */
#ifndef PC_LAW_FLAT_FLAT_INTERNAL_H
#define PC_LAW_FLAT_FLAT_INTERNAL_H

#include "law/flat/flat.h"
#include "event/solve.h"

#include <float.h>
#include <math.h>

/* Edges this near the surface, scaled, leave it together. */
#define PC_FLAT_TOGETHER 1e-11

/* The same where the middle is at this depth: a steep disc has an edge there by a difference of large numbers. */
static inline double pc_flat_near(double depth)
{
    return PC_FLAT_TOGETHER + 16 * DBL_EPSILON * fabs(depth);
}

/* Refuse what cannot be scaled: the time sqrt(m/k) and the slope, speed times time over radius, must be normal numbers,
 * and `way`, the indentation that a search by doubling ended at, finite. */
pc_status pc_flat_check(const pc_flat_task *task, double T, double slope, double way, pc_error *err);

/* Follow the scaled equations until one of the edges says that contact has ended. longest: time in which it would be at
 * its deepest, where it takes longer than flat; T: unit of time, s. */
pc_status pc_flat_follow(const pc_ode_problem *problem, const pc_event *edges, int n_edges, const double *y0,
                         double longest, double T, pc_solution *end, pc_error *err);

/* The same for discs that overlap, tilted in any direction: flat/skew.c. pc_flat_impact calls it where it has to. */
pc_status pc_flat_skew_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err);

#endif
