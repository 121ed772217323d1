/* A recorded motion at one instant, with everything that follows from the state. */
#ifndef PC_MOTION_LOOK_H
#define PC_MOTION_LOOK_H

#include "motion/run.h"

/* y: (q, u); a: accelerations. Forces of closed pairs are in `contacts`, those of compliant contacts in `compliant`,
 * joint reactions in `forces`, of each node. work: of damping, torques, pivots and friction since the start; lost: in
 * rigid impacts; stored: in the springs of compliant contacts; dissipated: by their laws, J. */
typedef struct pc_look {
    double *y, *a; /* the run's workspace, like what follows: until the next look */
    const pc_configuration *at;
    const pc_places *places; /* what pairs hold to there */
    const pc_chain_force *forces;
    pc_contacts *contacts;
    pc_compliant *compliant;
    double kinetic, potential, stored;
    double work[4], lost, dissipated;
} pc_look;

/* side < 0: before what happened at t. PC_E_ARGUMENT if t lies outside the motion or it was not recorded. */
pc_status pc_run_look(pc_run *run, double t, int side, pc_look *look, pc_error *err);

/* The same of any state (2 n_dof), as far as it follows from that alone: places and energies, no forces and no works.
 * */
pc_status pc_run_look_state(pc_run *run, double t, const double *y, pc_look *look, pc_error *err);

#endif
