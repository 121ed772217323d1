/* The single-link pendulum on the linear law, in formulas: when it wedges, and what it loses.
 *
 * A pendulum strikes at the angle theta from the normal, 0 < theta < pi/2, in the direction of its motion (its W has
 * rank 1). With T = tan(theta) every quantity here depends on mu, eta and E alone: speed, mass, radius,
 * length and k_n cancel. These are independent of the kernel, which they check. Derived from the two slides about
 * the stick phase (Birlik 2012, sections 4.2.1 and 4.2.1.5, with the corrections that T is not a function of speed and
 * that mu has an upper limit too).
 */
#ifndef PC_LAW_LINEAR_WEDGE_H
#define PC_LAW_LINEAR_WEDGE_H

#include <stdbool.h>

/* Below this angle (rad) a pendulum wedges: the root of mu h T^2 + (1 + 3 mu^2 h) T - mu = 0, h = eta/E^2. */
double pc_wedge_critical_angle(double mu, double eta, double restitution);

/* At this angle a pendulum wedges for mu_low < mu < mu_high; false if it does for no mu. */
bool pc_wedge_friction_range(double theta, double eta, double restitution, double *mu_low, double *mu_high);

/* The greatest critical angle over all mu, tan = tan(15 deg)/sqrt(h), and the mu where it is reached, 1/sqrt(3 h). */
double pc_wedge_greatest_angle(double eta, double restitution, double *mu);

/* Fraction of the kinetic energy that friction takes, E = 1, and speed after over speed before; 1 and 0 when it
 * wedges. */
double pc_pendulum_loss(double theta, double mu, double eta);
double pc_pendulum_speed_ratio(double theta, double mu, double eta);

/* The friction at which the loss is greatest, and that loss (which counts the vibration as lost where it wedges). */
double pc_pendulum_greatest_loss(double theta, double eta, double *mu);

/* The rigid pendulum with energetic restitution e: e sqrt((T - mu)/(T + mu)), 0 for mu >= T. Birlik's 4.69 lacks the
 * square root. */
double pc_pendulum_rigid_speed_ratio(double theta, double mu, double restitution);

#endif
