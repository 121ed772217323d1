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

#include "law/impact.h"
#include "law/law.h"
#include "math/mobility.h"

#include <stdbool.h>
#include <stddef.h>

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

/* Inside the linear law: the scaled problem, which its kernels share at every width, and the record of one impact.
 *
 * Units: mass 1/w_nn, stiffness k_n, velocity |v_n0|. Then w_nn = k_n = 1 and w = 1 at touch, and the impact depends on
 * six numbers alone: a, b, mu, eta, E and v_t. The caller mirrors the tangent so that v_t >= 0, which makes
 * mirrored impacts equal to the last bit.
 */

/* How an impact stands. */
enum {
    PC_LINEAR_RUNNING,
    PC_LINEAR_REBOUND,
    PC_LINEAR_WEDGED,
    PC_LINEAR_ENDLESS, /* v0 outside the range of a rank-1 W drives the point into the obstacle for ever */
    PC_LINEAR_LIMIT,   /* a limit below was reached */
    PC_LINEAR_NONE,    /* the bodies do not approach */
    PC_LINEAR_REFUSED, /* the input cannot be solved */
};

/* Bounds of one impact that keep it below a second. A sphere has about sqrt(1/eta) segments, so that 100,000 allow eta
 * down to 1e-9; stick takes about two steps for each radian of its faster mode. */
enum { PC_LINEAR_MAX_SEGMENTS = 100000, PC_LINEAR_MAX_STEPS = 300000 };

enum {
#define PC_LINEAR(name) PC_LINEAR_FIELD_##name,
#include "law/linear/fields.def"
#undef PC_LINEAR
    PC_LINEAR_N_FIELDS
};

/* Run the points first .. end - 1 of a map that has all rows and return how many failed. The widths give the same bits.
 */
typedef size_t pc_linear_kernel(const pc_map_columns *map, size_t first, size_t end);
pc_linear_kernel pc_linear_run1, pc_linear_run4, pc_linear_run8;

/* Time of a slip segment that grows or decays like exp(rate t): see linear_slip. `margin` is F_n0 (F_n0 + F_n) +
 * k w0 p, `sum` is F_n0 + F_n. */
double pc_linear_growth_time(double rate, double p, double sum, double margin);

/* pc_law.impact: one impact, segment by segment. */
pc_status pc_linear_impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked, pc_impact *out,
                           pc_error *err);

#endif
