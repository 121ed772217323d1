/* What decides an instant at which pairs touch. */
#ifndef PC_MOTION_RESOLVER_H
#define PC_MOTION_RESOLVER_H

#include "motion/run.h"

/* Pairs that touch at an instant, closed before or reached now. */
typedef struct pc_touching {
    int n;
    int pair[PC_CLOSED];
    bool rest[PC_CLOSED];  /* slip has just come to a stop: v_t is 0, whatever rounding says */
    bool still[PC_CLOSED]; /* v_n counts as 0: impacts have accumulated */
    int slip[PC_CLOSED];   /* sign of a slip that begins now, else 0 */
    bool kept[PC_CLOSED];  /* closed until now, and nothing has changed velocities since: it neither approaches nor
                              separates, and slips as `rest` and `slip` say, whatever rounding says */
} pc_touching;

pc_status pc_touching_add(pc_touching *touching, int pair, bool rest, bool still, pc_error *err);

/* Sort what touches by where it does, in the placed system, from left to right and then upwards, and by the normals
 * there: the order of lists of bodies and obstacles then reaches neither arithmetic nor choices. */
void pc_touching_sort(pc_touching *touching, const pc_run *run);

/* What touches without having been closed (a row of balls at rest) takes part in an impact; `gone` do not. */
pc_status pc_run_add_touching(pc_run *run, const pc_touching *gone, pc_touching *touching, pc_error *err);

/* Everything that happens at the run's t and y to the pairs that touch: impacts until none approaches, then
 * how the others go on. jam: a pair whose slip presses it, struck from v_n = 0; or -1. Where nothing comes of it the
 * run is unsettled, with its contacts as they were. */
pc_status pc_run_resolve(pc_run *run, pc_touching *touching, int jam, pc_error *err);

#endif
