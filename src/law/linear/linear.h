/* The linear stick-slip law: a normal and a tangential spring that share a massless particle with Coulomb friction.
 *
 * F_n = k_n u_n, F_t = -k_t u_t, eta = k_n/k_t; the particle sticks while |F_t| < mu F_n and slips with
 * F_t = -mu sign(s) F_n, s its velocity along t. With restitution E < 1 the normal spring unloads, and is loaded again
 * up to its greatest force, on k_n/E^2 about a residual indentation (Walton and Braun's line): E is the
 * square root of the energy returned by a normal impact. E = 0 is not offered: its unloading is infinitely stiff, and
 * the limit of a stuck tangential spring then depends on how E tends to 0.
 *
 * Sources: Birlik (2012), sections 3.3 and 4.2; Stronge, Impact Mechanics (2000), chapter 5; Walton and Braun,
 * J. Rheology 30 (1986). Every phase is solved in closed form.
 */
#ifndef PC_LAW_LINEAR_LINEAR_H
#define PC_LAW_LINEAR_LINEAR_H

#include "law/law.h"
#include "law/map_columns.h"

#include <stdbool.h>

/* k_t and eta: one is given, the other derived. */
typedef struct pc_linear {
    double kn, kt; /* N/m */
    double eta;    /* k_n/k_t */
    double mu;
    double restitution;
} pc_linear;

extern const pc_law pc_law_linear;

/* Rows and pc_schema.validate of a pc_linear, which the law in space (law/linear/sledge3d.c) has as well. */
enum { PC_LINEAR_KN, PC_LINEAR_KT, PC_LINEAR_ETA, PC_LINEAR_MU, PC_LINEAR_E, PC_LINEAR_ROWS };
extern const pc_row pc_linear_rows[PC_LINEAR_ROWS];
pc_status pc_linear_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err);

/* The same law as an element, for several contacts at once and for contacts within a motion (linear.c). */
extern const struct pc_element pc_linear_element;

/* pc_law.map, on the widest kernel of this processor. v_n >= 0 gives outcome PC_OUTCOME_NONE and the velocities
 * unchanged. What cannot be solved reads NaN in every column and is counted in `failed`: W not positive semi-definite
 * or with w_nn <= 0, parameters outside their range, more segments than the stated limit. Polls pc_interrupted(). */
pc_status pc_linear_map(const pc_map_columns *map, size_t *failed, pc_error *err);

/* The same at a given width: 1, 4 or 8 lanes; PC_E_UNSUPPORTED if the processor lacks the instructions. */
pc_status pc_linear_map_width(const pc_map_columns *map, int width, size_t *failed, pc_error *err);

/* The single-link pendulum on the linear law, in formulas: when it wedges, and what it loses.
 *
 * A pendulum strikes at the angle theta from the normal, 0 < theta < pi/2, in the direction of its motion (its W has
 * rank 1). With T = tan(theta) every quantity here depends on mu, eta and E alone: speed, mass, radius,
 * length and k_n cancel. These are independent of the kernel, which they check. Derived from the two slides about
 * the stick phase (Birlik 2012, sections 4.2.1 and 4.2.1.5, with the corrections that T is not a function of speed and
 * that mu has an upper limit too).
 */

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
