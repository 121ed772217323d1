/* Compliant contacts of a run begin, change and end, and what is recorded of that: see engine/contact_changes.h. */
#ifndef PC_MOTION_CONTACT_CHANGES_H
#define PC_MOTION_CONTACT_CHANGES_H

#include "engine/contact_changes.h"
#include "motion/run.h"

/* At the run's t and y. Close a pair, unless it only touches and separates; within a motion one begins without a force,
 * however deep it is (a corner comes before a side while another contact keeps the two outlines pressed): as if that
 * were an indentation left behind. What a guard that has fallen brings; every contact after velocities jumped; what the
 * records of the closed ones can tell by now. */
pc_status pc_run_close_pair(pc_run *run, int pair, pc_error *err);
pc_status pc_run_close_late(pc_run *run, int pair, pc_error *err);
pc_status pc_run_change(pc_run *run, int which, int guard, pc_error *err);
pc_status pc_run_stick_again(pc_run *run, pc_error *err);
pc_status pc_run_update_impacts(pc_run *run, pc_error *err);

/* A held point that a corner has set moving, at v_t, slips. */
pc_status pc_run_let_slip(pc_run *run, int which, double v_t, pc_error *err);

/* The state is that at the end of a step or of a part of it: contacts with a history go on from there. */
pc_status pc_run_carry_histories(pc_run *run, pc_error *err);

#endif
