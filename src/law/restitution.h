/* Closed forms of restitution in a central impact, and their inverses. */
#ifndef PC_LAW_RESTITUTION_H
#define PC_LAW_RESTITUTION_H

/* Hunt and Crossley: a = zeta v_in at which e is achieved, 0.05 <= e <= 1. */
double pc_hunt_crossley_a(double e);

/* And back: e for a = zeta v_in >= 0. */
double pc_hunt_crossley_e(double a);

/* Spring and dashpot: damping ratio for e, and e for a damping ratio. Tension: until u = 0; clipped: until F = 0. */
double pc_tension_ratio(double e);
double pc_tension_e(double z);
double pc_clipped_ratio(double e);
double pc_clipped_e(double z);

/* Thornton: e for x = V_y/V, the speed of yield over that of the impact. */
double pc_thornton_e(double x);

#endif
