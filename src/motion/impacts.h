/* Impacts at one instant: of one pair, of several as one problem, and one set after another. */
#ifndef PC_MOTION_IMPACTS_H
#define PC_MOTION_IMPACTS_H

#include "motion/resolver.h"

/* One impact of one pair by its law. tied: others approach as fast, and the order is that of the places. */
pc_status pc_run_single_impact(pc_run *run, int pair, int order, bool from_rest, bool tied, bool *nothing,
                               pc_error *err);

/* Several pairs as one problem. By the joint rules of their laws, under the rule that decided so; by
 * the forces of compliant laws while the configuration is frozen; not *found: there are no such rules or impulses, or
 * no end of the contacts, and nothing has happened. Without restitution; or contacts of which some slip and for which
 * no forces were found, from v_n = 0. order: counts the impacts of this instant. *nothing: no impulse came of it, and
 * slips below `slow` are stopped by the load in no time; then only those contacts are left that bear it. */
pc_status pc_run_joint_impact(pc_run *run, int n, const int *pairs, pc_rule rule, int *order, bool *found,
                              pc_error *err);
pc_status pc_run_joint_compliant_impact(pc_run *run, int n, const int *pairs, int *order, bool *found, pc_error *err);
pc_status pc_run_unsolved(const pc_run *run, int n, pc_error *err);
pc_status pc_run_joint_plastic_impact(pc_run *run, int n, const int *pairs, int *order, pc_error *err);
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
pc_status pc_run_new_impact(pc_run *run, pc_impact_record **hit, double **states, pc_error *err);

#endif
