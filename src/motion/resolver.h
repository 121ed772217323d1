/* The resolver of a run: engine/resolver.h decides, and here it is told. */
#ifndef PC_MOTION_RESOLVER_H
#define PC_MOTION_RESOLVER_H

#include "engine/resolver.h"
#include "motion/run.h"

/* At the run's t and y. */
pc_resolver pc_run_resolver(pc_run *run);

/* The run's list of what touches, with nothing in it, nor in that of what is gone; what touches without having been
 * closed, unless it is gone. */
pc_touching *pc_run_begin_touching(pc_run *run);
pc_status pc_run_find_touching(pc_run *run, pc_touching *touching, pc_error *err);

/* Everything that happens at the run's t and y to the pairs that touch. jam: a pair whose slip presses it, struck from
 * v_n = 0; or -1. Where nothing comes of it the run is unsettled, with its contacts as they were. */
pc_status pc_run_resolve(pc_run *run, pc_touching *touching, int jam, pc_error *err);

/* Room for one more impact; its states begin as q, u, u, 0. */
pc_status pc_run_new_impact(pc_run *run, pc_impact_record **record, double **states, pc_error *err);

/* What the joints passed on of the forces or impulses that were solved for last: (x, y) on each link at its upper
 * joint, of n_nodes. */
void pc_run_reactions(const pc_run *run, double *out);

#endif
