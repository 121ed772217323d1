/* Inside an impact with the configuration moving: what the body is to the contact, and what goes into the result. See
 * moving.c. */
#ifndef PC_MOTION_MOVING_INTERNAL_H
#define PC_MOTION_MOVING_INTERNAL_H

#include "body/body.h"
#include "body/chain.h"
#include "law/contact.h"
#include "law/recorder.h"
#include "motion/moving.h"

/* A body that moves, seen from its contact with the plane; scaled: the mass 1/w_nn at the start, the speed and the
 * length of the element. Coordinates: of a free body the height of the mass centre and the angle; of a chain the
 * angles; all as changes since the start, angles in units of length/reach. Velocities: (vt, vn, omega), or the
 * rates. */
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

/* ---- the impact ---- */

/* The state: these (where the element has a history WORK_F is the whole work of F_t), then coordinates and velocities
 * of the body. */
enum { Q, STRETCH, PT, PN, WORK_N, WORK_F, BODY, MOST = BODY + 2 * PC_BODY_DOF };

/* What the integrator's error may add to an energy. */
#define PC_MOVING_ROUNDING 1e-10

typedef struct moment {
    pc_mover_site site;
    pc_contact_values press;
} moment;

/* Where a body with one degree of freedom came to rest in stick, and what the result was there. */
typedef struct arrest {
    double y[MOST];
    pc_state state;
    int n_phases;
    unsigned flags;
    pc_record_share compression, restitution;
} arrest;

/* Stick of such a body: its turns so far, the first three of them, and the work of friction when it began. */
typedef struct stay {
    int turns;
    double t[3], F[3][2], rubbed;
    bool rests; /* without a vibration */
    bool fades; /* what it still does dies away */
    arrest arrest;
} stay;

typedef struct moving {
    const pc_moving_task *task;
    pc_contact press;
    pc_mover body;
    int n;             /* of the state */
    int friction_sign; /* of F_t, last seen, other than 0 */
    double time, force, impulse, work;
    pc_recorder record;
    double y[MOST], t;
    stay stay;
    pc_impact *out;
    pc_error *err;
} moving;

static inline const double *pc_moving_velocities(const moving *s, const double *y)
{
    return y + BODY + s->body.n_q;
}

/* moving.c: place, forces and rates at a state; pc_moving_place leaves forces out. */
void pc_moving_place(const moving *s, const double *y, moment *m);
void pc_moving_evaluate(const moving *s, const double *y, moment *m);
/* Go on in this mode until t, whatever happens. */
pc_status pc_moving_linger(moving *s, double t);

/* moving_record.c: what goes into the result on the way, and in the end. */
struct pc_solution;
pc_status pc_moving_open_phase(moving *s);
void pc_moving_close_phase(moving *s);
pc_state pc_moving_state(const moving *s, const double *y, double t);
void pc_moving_record_peaks(moving *s, const double *y, double t);
/* Crests and reversals of forces, states asked for. */
pc_status pc_moving_record_stretch(moving *s, const struct pc_solution *stretch);
void pc_moving_finish(moving *s, double *u1, double *rotation);

/* moving_wedge.c: stick for good. */
void pc_moving_grips(moving *s);      /* a stick phase has been opened */
void pc_moving_turns(moving *s);      /* w has changed its sign */
pc_status pc_moving_waits(moving *s); /* nothing has happened for a long time */
bool pc_moving_is_wedged(const moving *s);
pc_status pc_moving_finish_wedged(moving *s, double *u1, double *rotation);

#endif
