/* Impacts of elements: forces that follow the motion of one contact or several, with stick, slip and their works.
 *
 * The configuration is frozen: v = v0 + W p; or, of a single contact, a body moves meanwhile: dv/dt = W F + c, with a
 * velocity product c, in the configuration that it has come to. Each contact is open, sticks or slips; the motion
 * between changes is followed by power series where an element has them and W stays, and integrated (DOP853) where not,
 * and changes are located on the polynomials of the steps. Where a shape was found by trial a step by series counts
 * only if the element has its forces at the places of the step; else it is integrated from there. Where damping keeps
 * these steps short and is long over, stiff ones (Rodas5P) take their place, within which a place is found by a shorter
 * step. Where the damper of an only contact has taken all force away bodies of a frozen configuration glide apart. With
 * k > 1 contacts W couples them through its off-diagonal blocks, and contacts may open and close again until none
 * approaches. Contacts without a tangential element hold each other: which of them stick, with what forces, is decided
 * for all of them together. Where the tangential element has a history (law/contact.h) the motion goes by short steps,
 * at the end of which that is carried on.
 *
 * Why this is a loop of its own, beside that of a run (engine/phase.h, contact_changes.h): it is quick, and tells more.
 * Maps, sweeps and frozen scenes call it a million times; it knows no scene, and all of a contact is about 1 in its
 * units. By power series an impact takes 10 us to 20 us; a moving body as the one contact of a run took 230 us to 690
 * us where this takes 55 us to 190 us. A run knows a contact among others, whose errors it bounds by the size of an
 * impact like this, and leaves the record to be read off its arcs; here the record is what the motion is followed for:
 * reversals and greatest forces are found as exactly as changes, a contact that never ends is told by how it swings,
 * and several contacts of a frozen configuration are solved as one.
 *
 * Both are about time and steps alone. What a contact is stands once, in law/contact.h: its forces and rates, the
 * history of rings, guards and what becomes of its mode as one falls, how it begins, and what it stores. So does the
 * walk over the guards (event/event.h) and the record of an impact (law/recorder.h).
 */
#ifndef PC_ENGINE_ELEMENT_IMPACT_H
#define PC_ENGINE_ELEMENT_IMPACT_H

#include "law/element.h"

#include <stddef.h>

/* Relative and absolute error of a step, in scaled units. Steps are so few that their errors do not add up to more
 * than a few times this; energies of conservative laws then close to 1e-11. */
#define PC_ELEMENT_TOLERANCE 1e-12

typedef struct pc_element_contact {
    const pc_element *element;
    const void *params;
} pc_element_contact;

/* Coordinates and velocities that a body may have. */
enum { PC_ELEMENT_DOF = 24 };

/* A body in a configuration, seen from its contact. Accelerations of its velocities: bias + across F_t + along F_n. */
typedef struct pc_element_frame {
    double v[2], size[2]; /* velocity of the contact point, and the sum of what it is made of, without signs: m/s */
    pc_mobility W;
    double c[2]; /* velocity product, m/s^2 */
    double bias[PC_ELEMENT_DOF], across[PC_ELEMENT_DOF], along[PC_ELEMENT_DOF];
} pc_element_frame;

/* What moves while a contact lasts. Its coordinates q are angles, rad, from where it began, and their rates the last
 * n_q of its velocities u, rad/s; those before are m/s. */
typedef struct pc_element_body {
    int n_q, n_u;
    double reach; /* m, its size; 0 where nothing turns it */
    const void *self;
    void (*place)(const void *self, const double *q, const double *u, pc_element_frame *out);
    double (*energy)(const void *self, const double *q, const double *u); /* kinetic, J */
    const double *u0;
    bool persistent;     /* a contact point that has come to rest stays there until the end */
    double *turned, *u1; /* out: q and u in the end; where the contact never ends, as it came to rest */
} pc_element_body;

typedef struct pc_element_task {
    int k;
    const pc_element_contact *contacts;
    const double *W;             /* 2k x 2k, row-major; t and n of each contact in turn, 1/kg */
    int rank;                    /* of W; k = 1: what makes a contact wedge */
    const double *v0;            /* 2k, m/s */
    const double *gaps;          /* k > 1: distances at the start, m; NULL: all touch */
    const pc_element_body *body; /* k = 1: what moves, from W and v0; NULL: the configuration is frozen */
    const pc_turning *turning;   /* k = 1, frozen: what turns about t2 against a length; NULL: nothing resists that */
    double tolerance;            /* of integration; series are exact to rounding */
    pc_asked asked;              /* k = 1 */
} pc_element_task;

/* What happened at one contact, SI. */
typedef struct pc_element_summary {
    double v[2], p[2];     /* at the end */
    double work_n, work_f; /* J */
    double peak[2], peak_time[2];
    double start, stop; /* s, first touch and last parting; NaN if it never closed */
    int n_closings;
    double couple, rate; /* with `turning`: the couple's impulse, N m s; the rate at the end, rad/s */
} pc_element_summary;

/* Run. `summary` has k elements. `record`, for k = 1, takes the phases and the outcome; it is initialised; may be
 * NULL. `duration` (s) may be NULL. */
pc_status pc_element_run(const pc_element_task *task, pc_element_summary *summary, pc_impact *record, double *duration,
                         pc_error *err);

/* pc_law.impact of a law that is an element. */
pc_status pc_element_impact(const pc_element *element, const void *params, const pc_mobility *W, const double v0[3],
                            pc_asked asked, pc_impact *out, pc_error *err);

#endif
