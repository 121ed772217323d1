/* Impacts that accumulate, by their intervals or because bounces are too low to be told from rounding. */
#ifndef PC_MOTION_ACCUMULATION_H
#define PC_MOTION_ACCUMULATION_H

#include "engine/accumulation.h"
#include "motion/resolver.h"

/* Remember the impacts from `first` on, for what follows: whether a pair that separates may stay closed, if
 * the bounce is low; whether it is, with the speed v and the acceleration a that presses it; the event of it. */
void pc_run_record_bounces(pc_run *run, const pc_touching *touching, const pc_contacts *before, size_t first);
bool pc_run_may_stay(pc_run *run, int pair, double v);
bool pc_run_ends_bouncing(const pc_run *run, int pair, double v, double a);

/* An impact so gentle, beside what the pair has seen, that it can be one of the last of its bounces. Those
 * of several contacts may follow one another as closely while they are fast. */
bool pc_run_is_gentle(const pc_run *run, int pair, double v);
pc_status pc_run_log_accumulation(pc_run *run, int pair, double v, double a, pc_error *err);

/* After an instant whose first impact has this record, see whether impacts accumulate, and close what they
 * lead to. */
pc_status pc_run_accumulate(pc_run *run, const pc_impact_record *record, pc_error *err);

#endif
