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
