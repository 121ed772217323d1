/* The flow of sliding: how the tangential velocity of a contact point moves while normal impulse accrues.
 *
 * With slip direction phi and speed sigma, per unit of tau with dp_n = sigma dtau,
 *     phi' = turn(phi),   (ln sigma)' = growth(phi)
 * both trigonometric polynomials of degree 2. Zeros of turn are invariant directions, along which slip is straight;
 * zeros of growth are directions in which slip changes from slowing down to speeding up (Bhatt and Koechling, J. Appl.
 * Mech. 62, 1995; Birlik 2012, section 4.1.1, whose rates are these divided by mu).
 */
#ifndef PC_LAW_RIGID_FLOW_H
#define PC_LAW_RIGID_FLOW_H

#include "law/rigid/impulse.h"

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
