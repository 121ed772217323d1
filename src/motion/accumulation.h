/* Impacts that accumulate, by their intervals or because bounces are too low to be told from rounding. */
#ifndef PC_MOTION_ACCUMULATION_H
#define PC_MOTION_ACCUMULATION_H

#include "engine/accumulation.h"
#include "motion/resolver.h"

/* After an instant whose first impact has this record, see whether impacts accumulate, and close what they
 * lead to. */
pc_status pc_run_accumulate(pc_run *run, const pc_impact_record *record, pc_error *err);

#endif
