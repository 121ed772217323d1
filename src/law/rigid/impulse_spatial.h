/* Rigid impact in space.
 *
 * The tangential velocity has two components and slip swerves: dv/dp_n = w_n - mu W_t s, s the unit slip direction
 * (Keller, J. Appl. Mech. 53, 1986; Stronge, Impact Mechanics, 2000, chapter 4; Bhatt and Koechling, J. Appl. Mech.
 * 62, 1995). Slip along an invariant direction is straight and exact; elsewhere it is integrated to rounding. From
 * rest the contact sticks iff |W_tt^-1 w_tn| <= mu_s; otherwise slip starts in the one direction s with
 * w_tn - mu W_tt s = c s, c > 0.
 */
#ifndef PC_LAW_RIGID_IMPULSE_SPATIAL_H
#define PC_LAW_RIGID_IMPULSE_SPATIAL_H

#include "law/rigid/impulse_walk.h"
#include "law/rigid/rigid.h"

/* Impact in space by the rule of a law. `out` is freshly initialised. */
pc_status pc_impulse_spatial(const pc_coulomb *coulomb, const pc_joint_rule *rule, const pc_mobility *W,
                             const double v0[3], pc_impact *out, pc_error *err);

/* States at ascending normal impulses from 0 to the total. coulomb: of slip that may swerve; NULL: all phases are
 * straight. */
void pc_impulse_path(const pc_coulomb *coulomb, const pc_mobility *W, const pc_impact *impact, const double *p_n,
                     size_t n, pc_state *out);

/* What happens from rest in the tangent plane. `ratio` is dp_T/dp_n = -W_tt^-1 w_tn, which stick takes; its size is the
 * least friction that holds the contact point. Stick: true. Slip: false, `direction` is the unit slip direction and
 * `growth` > 0 how fast slip grows with p_n. Components (t, t2). */
bool pc_impulse_rest(const pc_coulomb *coulomb, const pc_mobility *W, double ratio[2], double direction[2],
                     double *growth);

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

/* The flow of sliding: how the tangential velocity of a contact point moves while normal impulse accrues.
 *
 * With slip direction phi and speed sigma, per unit of tau with dp_n = sigma dtau,
 *     phi' = turn(phi),   (ln sigma)' = growth(phi)
 * both trigonometric polynomials of degree 2. Zeros of turn are invariant directions, along which slip is straight;
 * zeros of growth are directions in which slip changes from slowing down to speeding up (Bhatt and Koechling, J. Appl.
 * Mech. 62, 1995; Birlik 2012, section 4.1.1, whose rates are these divided by mu).
 */

typedef enum pc_flow_kind { PC_FLOW_NODE_SINK, PC_FLOW_NODE_SOURCE, PC_FLOW_SADDLE, PC_FLOW_DEGENERATE } pc_flow_kind;

typedef struct pc_flow_direction {
    double angle;       /* phi in [0, 2 pi), rad */
    double growth;      /* eigenvalue along the direction: (ln sigma)', 1/kg */
    double turn_by_phi; /* eigenvalue across it; < 0: attracting (isoclinic), > 0: repelling (separatrix), 1/kg */
    pc_flow_kind kind;  /* of the point sigma = 0 in this direction */
} pc_flow_direction;

typedef struct pc_flow {
    int n_invariant;
    pc_flow_direction invariant[4]; /* by ascending angle */
    bool every_direction;           /* all directions are invariant: slip never swerves */
    int n_change;
    double change[4];         /* flow-change directions in [0, 2 pi), ascending */
    double critical_friction; /* the least that holds the contact point from rest: |W_tt^-1 w_tn| */
    bool sticks;              /* after slip has stopped */
    double ratio[2];          /* stick: dp_t/dp_n and dp_t2/dp_n */
    double restart;           /* slip: the direction in which it starts again, rad */
    double restart_growth;    /* and the speed per unit of normal impulse, 1/kg */
} pc_flow;

pc_status pc_flow_make(const pc_mobility *W, double friction, pc_flow *flow, pc_error *err);

/* The trajectory through (v_t, v_t2) in the plane of tangential velocities, at n points equally spaced in tau from
 * `from` to `to`, from <= 0 <= to. It ends early where the speed leaves [least, most]; the number of points kept is
 * returned, which start at *first of the n. */
size_t pc_flow_trajectory(const pc_mobility *W, double friction, const double v[2], double from, double to, size_t n,
                          double least, double most, double *v_t, double *v_t2, size_t *first);

#endif
