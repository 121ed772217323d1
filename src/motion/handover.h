/* Ends of compliant contacts at edges, beyond which they go on elsewhere. */
#ifndef PC_MOTION_HANDOVER_H
#define PC_MOTION_HANDOVER_H

#include "motion/state.h"

/* In the configuration of a state, or that of a pair: a closed contact ends; true if that is at an edge beyond which it
 * goes on elsewhere. Whether a sharp corner is beyond the end of its side. Whether a pair may begin where its gap
 * closes: not at an edge at which a contact goes on, or has ended. Let a sharp corner hold to the side before which it
 * is; false: there is none. */
bool pc_compliant_hand_over(const pc_configuration *at, pc_run_state *state, int which);
bool pc_compliant_is_off(const pc_configuration *at, const pc_run_state *state, int which);
bool pc_compliant_may_begin(const pc_configuration *at, pc_run_state *state, int pair);
bool pc_compliant_hold_side(const pc_configuration *at, pc_run_state *state, int pair);

/* True if an open pair holds to the side in which it has left an indentation. */
bool pc_compliant_keeps_side(const pc_scene *scene, const pc_run_state *state, int pair);

#endif
