/* A compliant impact of a run as a whole record: see impact_history.c. */
#ifndef PC_MOTION_IMPACT_HISTORY_H
#define PC_MOTION_IMPACT_HISTORY_H

#include "law/impact.h"
#include "motion/run.h"

/* A compliant impact of a recorded run, as far as it has got; times count from its beginning, energies are the
 * contact's share. `out` is initialised. joints: room for the impulse (x, y) on each link at its upper joint, of
 * n_nodes, N s; that of weight and motion meanwhile is in it. PC_E_ARGUMENT if the motion was not recorded. */
pc_status pc_run_compliant_impact(pc_run *run, size_t impact, pc_impact *out, double *joints, pc_error *err);

#endif
