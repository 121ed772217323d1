/* Ends of compliant contacts at edges, beyond which they go on elsewhere. */
#ifndef PC_MOTION_HANDOVER_H
#define PC_MOTION_HANDOVER_H

#include "motion/run.h"

/* A closed compliant contact ends. True if that is at an edge beyond which it goes on elsewhere. Whether a
 * sharp corner is beyond the end of its side. Whether the pair, placed, may begin where its gap closes: not at an edge
 * at which a contact goes on, or has ended. Let a sharp corner hold to the side before which it is; false: there is
 * none. */
bool pc_run_handover(pc_run *run, int which);
bool pc_run_is_off(const pc_run *run, int which);
bool pc_run_may_begin(pc_run *run, int pair);
bool pc_run_keep_feature(pc_run *run, int pair);

/* True if an open pair holds to the side in which it has left an indentation. */
bool pc_run_keeps_feature(const pc_run *run, int pair);

#endif
