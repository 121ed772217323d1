/* Inside the spatial law: slip that swerves.
 *
 * With x = v_t, y = v_t2, sigma = |(x, y)| and dp_n = sigma dtau the equations of slip become
 *     x' = w_tn sigma - mu (w_tt x + w_tt2 y)      p_t'  = -mu x
 *     y' = w_t2n sigma - mu (w_tt2 x + w_t2t2 y)   p_t2' = -mu y      p_n' = sigma
 *     v_n' = w_nn sigma - mu (w_tn x + w_t2n y)    W_n'  = v_n sigma  W_f' = -mu sigma^2
 * linear but for sigma^2 = x^2 + y^2, and free of the singularity that stopping slip has in p_n: slip stops at
 * tau = infinity, exponentially. (tau: Bhatt and Koechling, J. Appl. Mech. 62, 1995.) The solution advances by Taylor
 * series, whose coefficients follow from that one product; each step is its own dense output.
 */
#ifndef PC_LAW_RIGID_IMPULSE_SWERVE_H
#define PC_LAW_RIGID_IMPULSE_SWERVE_H

#include "law/rigid/impulse_walk.h"

/* Order for which the work per unit of tau is least at rounding level: above -ln(epsilon)/2, the optimum of Jorba and
 * Zou (Exp. Math. 14, 2005) for long recurrences, since what a step costs besides its coefficients counts here. */
enum { PC_SWERVE_ORDER = 28 };

typedef enum pc_swerve_quantity {
    PC_SWERVE_X,
    PC_SWERVE_Y,
    PC_SWERVE_SPEED,
    PC_SWERVE_VN,
    PC_SWERVE_PT,
    PC_SWERVE_PN,
    PC_SWERVE_PT2,
    PC_SWERVE_WORK_N,
    PC_SWERVE_WORK_F,
    PC_N_SWERVE,
} pc_swerve_quantity;

/* One step: each quantity as a polynomial of tau on [0, length]. p and works include their values at the start. */
typedef struct pc_swerve {
    double c[PC_N_SWERVE][PC_SWERVE_ORDER + 1];
    double length;
} pc_swerve;

/* Rates at which direction and speed change at slip direction phi: phi' = turn, (ln sigma)' = growth, and their
 * derivatives by phi. */
typedef struct pc_swerve_rates {
    double growth, turn, growth_by_phi, turn_by_phi;
} pc_swerve_rates;
pc_swerve_rates pc_swerve_rate(const pc_mobility *W, double mu, double cosine, double sine);

/* The series from where the walk stands, with the length on which it is good to rounding. */
void pc_swerve_expand(pc_swerve *swerve, const pc_mobility *W, double mu, const pc_walk *walk);

double pc_swerve_value(const pc_swerve *swerve, pc_swerve_quantity quantity, double tau);
void pc_swerve_values(const pc_swerve *swerve, double tau, double values[PC_N_SWERVE]);

/* tau in [a, b] where a series, which is f_a and f_b at the ends, takes a value between them; it does so once. */
double pc_series_solve(const double *c, double a, double f_a, double b, double f_b, double value);

/* The zero of a series in (a, b); NaN if it has the same sign at both ends. */
double pc_series_sign_change(const double *c, double a, double b);

/* ---- the end of slip, all at once ----
 *
 * Slip that stops turns into an attracting direction phi*: with z = phi - phi* the speed falls as
 * sigma = C z^alpha E(z), alpha = growth(phi*)/turn'(phi*) > 0, E analytic. So impulse, velocity and work left over are
 * power series of z times powers of z, integrated term by term; nothing remains of the exponential approach.
 */

/* What slip still brings until it stops. */
typedef struct pc_settling {
    double dp_t, dp_n, dp_t2; /* impulse, N s */
    double dv_n;              /* change of normal velocity, m/s */
    double bend;              /* work of the normal force beyond dp_n (v_n before + v_n after)/2, J */
    bool one_way;             /* v_n rises all the time, or falls all the time */
} pc_settling;

/* From slip direction (c, s), |(c, s)| = 1, at a speed. False where no attracting direction in which slip stops is near
 * enough for the series. */
bool pc_settle(const pc_mobility *W, double mu, double c, double s, double speed, const pc_swerve_rates *rates,
               pc_settling *out);

#endif
