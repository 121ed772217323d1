/* The sudden end of a compliant contact that is still stretched. */
#ifndef PC_MOTION_SPRING_RELEASE_H
#define PC_MOTION_SPRING_RELEASE_H

#include "motion/run.h"

/* A contact that parts at the run's t and y gives back at once what its springs still hold. Velocities jump, and all
 * rates are in `now`; *at: the configuration after that; duration: how long it takes. The record of the impact, when
 * the contact is no longer closed, goes on to the end of that. */
pc_status pc_run_release_springs(pc_run *run, const pc_configuration **at, int which, double *duration, pc_error *err);
pc_status pc_run_end_spring_release(pc_run *run, size_t impact, double duration, pc_error *err);

#endif
