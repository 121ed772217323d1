/* The motion of an impact of elements: its scaled state, its equations and its steps. See element_impact.h. */
#ifndef PC_ENGINE_ELEMENT_MOTION_H
#define PC_ENGINE_ELEMENT_MOTION_H

#include "event/event.h"
#include "law/contact.h"
#include "engine/element_impact.h"
#include "law/recorder.h"
#include "law/series.h"
#include "ode/ode.h"

/* Components of the state for each contact; then come the coordinates and velocities of a body that moves, what each
 * contact remembers, and last the time. Y is y = (u - offset)^(1/root) with one contact, and u with more or where
 * elements have a history. The first four are what forces follow from, with those of the body. */
enum { Y, Q, PT, PN, UT, WN, WF, PER_CONTACT, BODY = PER_CONTACT };

/* Root of the indentation, scaled, that counts as none. */
#define PC_ELEMENT_PARTED 1e-14

typedef struct contact {
    pc_contact base;
    pc_force shape; /* with series: of the stretch that it is in */
    bool open;
    pc_recorder record; /* `out` with k = 1 only */
    double ft_sign;     /* last seen, other than 0 */
    int turns;          /* turning points in this stick phase */
    double residual;    /* k > 1: indentation that was left, from which the gap counts until it has opened as far */
    double fine[2];     /* parts of v_t and w, scaled, that are rounding */
    int recall;         /* where the state holds what it remembers */
} contact;

static inline bool sticks(const contact *c)
{
    return !c->open && c->base.stuck;
}

static inline bool slips(const contact *c)
{
    return !c->open && !c->base.stuck;
}

/* How the motion is followed. */
typedef enum pc_element_way { BY_SERIES, BY_EXPLICIT_STEPS, BY_STIFF_STEPS } pc_element_way;

typedef struct motion {
    int k, n;
    const pc_element_task *task;
    const pc_element_body *body; /* NULL: frozen */
    contact *contacts;
    double *W, *v0;          /* scaled; W of a body that moves where it was last placed */
    pc_element_frame *frame; /* of such a body, there, scaled */
    struct {
        double W[4], v0[2], cross[2], own,
            rate0;                           /* those at the start; the rate is one of a velocity, scaled: times the
                                                     length, by impulses and by the couple over it */
        double rate, by[2], couple, with[2]; /* now: the rate is rate + by.p, the couple's impulse couple + with.p */
    } rolling;                /* of what resists rolling: while it rolls or is held, W and v0 have the couple in them */
    double turn, spin;        /* rad, rad/s: units of its coordinates and of their rates */
    double energy0;           /* its energy at the start, J */
    double carry;             /* with a history: the step at whose end that is carried on ends there */
    int root;                 /* of the indentation, that the state holds */
    pc_contact_values *now;   /* k, for the right-hand side */
    pc_contact_values *probe; /* k, for roots */
    double place[PC_GUARD_PLACES];            /* along a step, or up to where a contact ends in it */
    pc_contact_values *node[PC_GUARD_PLACES]; /* k each, there */
    double *state;                            /* n, for probes */
    double *rest;                             /* n, where a contact that may never end has come to rest */
    double *spare;                            /* 3n, for the Jacobian */
    double *shift;             /* 2k, scaled: of the velocities of the contact points, for the Jacobian */
    double *scale;             /* n, sizes of the errors of stiff steps */
    int n_held, *held, *order; /* contacts that stick without an element of their own */
    struct {
        double *A, *inverse, *work;
    } hold; /* of W between them */
    pc_scales scales;
    double time, force, impulse, work; /* SI value of the scaled units */
    pc_element_way way;
    int at_limit; /* steps in turn that speak for another way */
    pc_ode_problem problem;
    pc_stepper stepper;      /* not in use with series */
    pc_stepper *inside;      /* of stiff steps: starts where the last one did */
    const pc_series *series; /* NULL: the contacts have no shape, and the integrator is their way */
    const pc_dense *step;    /* the last one; what is not the stepper's is `own` */
    /* By series a step is a polynomial in powers of its fraction x: at own.c the coefficients of the first four
     * components for each power in turn, then those of the others. Of stiff ones there are t and h alone. */
    pc_dense own;
    double *at, tau;             /* where the next step begins */
    _Alignas(8) double memory[]; /* also where a double could begin at any fourth byte */
} motion;

/* The values of all contacts at a state. */
void pc_element_values(const motion *d, const double *state, pc_contact_values *out);

/* Take note of the rounding of each contact's velocities: where W is nearly singular, impulses grow far beyond what
 * they change of v = v0 + W p. */
void pc_element_resolve(const motion *d, const double *state);

/* By stiff steps the state holds the work of friction less this much, which a spring of contact i stores. */
double pc_element_apart(const motion *d, int i, const pc_contact_values *m);

/* What resists rolling rolls in that direction from a state on; 0: a couple holds it. */
void pc_element_roll(motion *d, int roll, const double *state);

/* The rate of what resists rolling and the impulse of its couple, scaled. */
double pc_element_turning(const motion *d, const double *state);
double pc_element_couple(const motion *d, const double *state);

/* What contact 0 of a frozen configuration has done on the bodies, its couple as well, scaled. */
double pc_element_worked(const motion *d, const double *state, const pc_contact_values *m);

/* What of a state is the body's, as it begins. */
void pc_element_begin_body(const motion *d, double *state);

/* Coordinates and velocities of the body at a state, SI; and what its kinetic energy has gained, scaled. */
void pc_element_body_at(const motion *d, const double *state, double q[PC_ELEMENT_DOF], double u[PC_ELEMENT_DOF]);
double pc_element_gained(const motion *d, const double *state);

/* With series: take the shape of the stretch that contact i is in now, at the indentation u; what the state holds at
 * Y changes with it. */
void pc_element_reshape(motion *d, int i, double u, double *state);

/* Take note of which rigid contacts stick, after a change of mode. */
void pc_element_hold(motion *d);

/* Modes of the rigid contacts whose points are at rest, after a jump of forces; `out` are the values then. */
void pc_element_balance(motion *d, const double *y, pc_contact_values *out);

/* State at the start of the next step. */
const double *pc_element_at(const motion *d);

/* State at the fraction x of the last step; of it only what forces follow from; and the time alone. */
void pc_element_state_at(const motion *d, double x, double *state);
void pc_element_motion_at(const motion *d, double x, double *state);
double pc_element_time_at(const motion *d, double x);

/* How the motion is followed from now on; one step; and a new beginning at a state. */
pc_status pc_element_take(motion *d, pc_element_way way, pc_error *err);
pc_status pc_element_step(motion *d, pc_error *err);
pc_status pc_element_start(motion *d, double tau, const double *y, pc_error *err);

pc_status pc_element_open(motion **out, const pc_element_task *task, pc_error *err);
void pc_element_close(motion *d);

#endif
