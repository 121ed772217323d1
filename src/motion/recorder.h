/* The recorder of a run: what engine/resolver.h and engine/contact_changes.h decide is told here, and kept. */
#ifndef PC_MOTION_RECORDER_H
#define PC_MOTION_RECORDER_H

#include "engine/contact_changes.h"
#include "motion/run.h"

/* At the run's t and y; where these are, or scratch, may have changed: its contacts there once more. */
pc_resolver pc_run_resolver(pc_run *run);
pc_contact_changes pc_run_changes(pc_run *run);
pc_contact_state *pc_run_contact_state(pc_run *run);

/* What the records of closed compliant contacts can tell by now. */
pc_status pc_run_update_impacts(pc_run *run, pc_error *err);

/* The state is that at the end of a step or of a part of it: contacts with a history go on from there. */
pc_status pc_run_carry_histories(pc_run *run, pc_error *err);

#endif
