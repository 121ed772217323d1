/* Closed forms of restitution in a central impact. */
#ifndef PC_LAW_RESTITUTION_H
#define PC_LAW_RESTITUTION_H

/* Hunt and Crossley: a = zeta v_in at which e is achieved, 0.05 <= e <= 1. */
double pc_hunt_crossley_a(double e);

/* Spring and dashpot: the damping ratio that gives e. Tension: until u = 0; clipped: until F = 0, and e of that. */
double pc_tension_ratio(double e);
double pc_clipped_ratio(double e);
double pc_clipped_e(double z);

#endif
