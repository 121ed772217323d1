/* Inside the motion of a disc on a plane: its state and its moment. See disc_plane.c and disc_plane/at.c.
 *
 * Scaled units: the disc's radius and mass, and the time sqrt(m/k).
 */
#ifndef PC_MOTION_DISC_PLANE_INTERNAL_H
#define PC_MOTION_DISC_PLANE_INTERNAL_H

#include "law/flat/flat.h"
#include "ode/ode.h"
#include "motion/disc_plane/disc_plane.h"

/* The state: place and velocity of the centre, axis, angular momentum, sledge, works. SLEDGE is the stretch in stick
 * and a unit vector along it in slip; unused while dragging. */
enum {
    PLACE,
    SPEED = PLACE + 3,
    AXIS = SPEED + 3,
    MOMENTUM = AXIS + 3,
    SLEDGE = MOMENTUM + 3,
    WORK_T = SLEDGE + 3,
    LOSS_N,
    N
};

/* How the sledge moves. DRAGGED: in slip so fast for its stretch that it trails straight behind the contact. */
typedef enum hold { NONE, STICK, SLIP, DRAGGED } hold;

typedef struct disc {
    pc_flat_patch patch;
    double density;        /* of springs */
    double inertia, polar; /* about a diameter, about the axis */
    double kt, mu, zeta, g;
    hold hold;
    bool touching, whole;                      /* some of it is pressed; all of it is */
    double length, time, speed, force, energy; /* SI values of the scaled units */
} disc;

typedef struct moment {
    double axis[3], omega[3];
    double slope[3], s, cosine; /* of the tilt: the part of -n within the disc, its size, n.axis */
    double d, ddot, sdot;       /* penetration of the centre; rates of d and s */
    pc_flat_load load;          /* of the springs, for a density of 1 */
    double lever, w;            /* of the pressure centre, down the slope; rate of the depth there */
    double F, V[3], R;          /* normal force; velocity at the sledge; greatest stretch */
    double f[3];                /* force along the plane, and the couple over the radius of gyration */
    double gyration;
    double a[3], torque[3];
    double stored; /* of the normal springs */
    double damped; /* power lost by damping */
    double Fdot;
} moment;

/* A state of the motion, scaled, after which the mode stays for a while. */
typedef struct pc_disc_mark {
    double t, y[N];
    hold hold;
    bool touching, whole;
} pc_disc_mark;

/* Scales and constants. */
void pc_disc_scale(const pc_disc_plane *task, disc *s);

/* The equations of motion, for pc_ode_problem; context is the disc. And how they are integrated. */
int pc_disc_rates(double t, const double *y, double *rate, void *context);
pc_ode_settings pc_disc_settings(const disc *s);

/* disc_plane/at.c: keep a mark. */
pc_status pc_disc_run_mark(pc_disc_run *run, const disc *s, double t, const double *y, pc_error *err);

/* Forces and accelerations at a state, in the hold at hand. */
void pc_disc_evaluate(const disc *s, const double *y, moment *m);

/* Rate of the normal force, into m->Fdot. */
void pc_disc_force_rate(const disc *s, moment *m);

/* What is told of a state. */
pc_disc_row pc_disc_row_at(const disc *s, double t, const double *y);

/* Energy in the stretch of the sledge, scaled. */
double pc_disc_stretched(const disc *s, const double *y);

/* All energy of a state with what was lost since the start, scaled. */
double pc_disc_ledger(const disc *s, const double *y);

#endif
