/* Inside an impact with the configuration moving: what the body is to the contact. See moving.c. */
#ifndef PC_SIM_MOVING_PARTS_H
#define PC_SIM_MOVING_PARTS_H

#include "body/body.h"
#include "body/chain.h"
#include "contact/element.h"

/* A body that moves, seen from its contact with the plane; scaled: the mass 1/w_nn at the start, the speed and the
 * length of the element. Coordinates: of a free body the height of the mass centre and the angle; of a chain the
 * angles; all as changes since the start, angles in units of length/reach. Velocities: (vt, vn, omega), or the rates.
 * */
typedef struct pc_mover {
    int n_q, n_u;
    double bend;  /* length over reach */
    double reach; /* m, size of the body */
    pc_scales scales;
    double mass, inertia, arm[2], curvature; /* free: scaled, reach = 1 for lengths; curvature is the radius of it */
    const pc_chain *chain;                   /* NULL: free */
    double radius, angles[PC_BODY_DOF];      /* chain: SI, at the start */
} pc_mover;

/* Where the contact is: indentation u, velocity v, mobility, velocity product c with dv/dt = W F + c, and the
 * accelerations of the coordinates: bias + across F_t + along F_n. */
typedef struct pc_mover_site {
    double u, v[2], wtt, wtn, wnn, c[2];
    double bias[PC_BODY_DOF], across[PC_BODY_DOF], along[PC_BODY_DOF];
} pc_mover_site;

/* A free body in the plane, or a chain; `params` are those the body was made with (NULL: none). `chain` is room for the
 * chain, if it is one. */
pc_status pc_mover_open(pc_mover *mover, const pc_body *body, const void *params, pc_chain *chain, pc_error *err);

/* Scales, once the element has chosen its length; u gets the velocities u0. */
void pc_mover_scale(pc_mover *mover, const pc_body *body, const pc_scales *scales, const double *u0, double *u);

void pc_mover_place(const pc_mover *mover, const double *q, const double *u, pc_mover_site *site);

/* Rates of the coordinates. */
void pc_mover_go(const pc_mover *mover, const double *u, double *rate);

double pc_mover_energy(const pc_mover *mover, const double *q, const double *u);

/* SI values of the velocities, and the angle that the body, or its last link, turned through. */
void pc_mover_end(const pc_mover *mover, const double *q, const double *u, double *u1, double *rotation);

#endif
