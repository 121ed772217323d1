/* One impact of the linear law, segment by segment: its record, and its states at given times. */
#ifndef PC_LAW_LINEAR_HISTORY_H
#define PC_LAW_LINEAR_HISTORY_H

#include "law/impact.h"
#include "law/linear/scale.h"

#include <stddef.h>

/* Fill `out`, which is initialised and has v0 and energy0. */
pc_status pc_linear_record(const double problem[7], const pc_linear_scale *scale, pc_impact *out, pc_error *err);

/* States at n times in ascending order; a time beyond the end gives the state at the end. */
pc_status pc_linear_trace(const double problem[7], const pc_linear_scale *scale, const double *times, size_t n,
                          pc_state *out, pc_error *err);

#endif
