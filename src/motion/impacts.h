/* Impacts at one instant of a run: see engine/impact_sequence.h and engine/joint_impact.h. */
#ifndef PC_MOTION_IMPACTS_H
#define PC_MOTION_IMPACTS_H

#include "motion/resolver.h"

/* One impact of one pair by its law, from v_n = 0. *nothing: the law has none. */
pc_status pc_run_single_impact(pc_run *run, int pair, int order, bool *nothing, pc_error *err);

/* What an impact of all that touches as one, by the joint rules of their laws, makes of the velocities u there; it is
 * not recorded. */
pc_status pc_run_joint_jump(pc_run *run, const pc_touching *touching, double *u, pc_error *err);

/* Contacts of which some slip and for which no forces were found, from v_n = 0. *nothing: no impulse came of it, and
 * slips below `slow` are stopped by the load in no time; then only those contacts are left that bear it. order: counts
 * the impacts of this instant. */
pc_status pc_run_jam_impact(pc_run *run, pc_contacts *contacts, int *order, double *slow, bool *nothing, pc_error *err);

/* What a pair that approaches with a speed says about joint impacts; false: its law has none. */
bool pc_run_joint_rule(const pc_run *run, int pair, double approach, pc_joint_rule *rule);

/* The velocities after a time h of loads and of impulses with which the pairs answer them, without restitution. */
pc_status pc_run_impulse_step(pc_run *run, const pc_touching *touching, double h, pc_error *err);

/* Impacts until no pair approaches. order: of the next impact at this instant. */
pc_status pc_run_impact_sequence(pc_run *run, const pc_touching *touching, int *order, pc_error *err);

/* What a law is asked about a pair that touches in the placed system: its W and the velocity of its contact point. */
pc_status pc_run_approach(pc_run *run, int pair, const pc_touch *touch, pc_mobility *W, double v[2], pc_error *err);

/* Room for one more impact; its states begin as q, u, u, 0. */
pc_status pc_run_new_impact(pc_run *run, pc_impact_record **record, double **states, pc_error *err);

#endif
