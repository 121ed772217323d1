/* A phase of a motion during which compliant contacts are closed: its integrator, and what ends their modes.
 *
 * Errors are measured by the contacts: a step may be wrong by rtol of the indentations, speeds and forces that an
 * impact like the one that closed would have, as far as each coordinate takes part in it. Where the contacts are linear
 * springs and dampers the method is collocation, whose steps are as long as half a contact or a whole one, else it is
 * explicit, while accuracy decides the length of the steps; where the damping of a contact, or a spring that no longer
 * moves, keeps them at the edge of stability, or none has swung for a while, the stiff method takes over, and gives way
 * again when its steps have become as short.
 */
#ifndef PC_ENGINE_PHASE_H
#define PC_ENGINE_PHASE_H

#include "engine/collocation.h"
#include "engine/compliant.h"
#include "event/event.h"
#include "law/recorder.h"

/* Within a step this long, in periods, its ends tell most of what happens. */
#define PC_PHASE_NEAR 1.1

/* An explicit step whose length times the fastest rate is above this is at the edge of stability. DOP853 is stable up
 * to about 6, and at the loosest tolerances that make sense accuracy keeps it well below 2. */
#define PC_PHASE_EDGE 4

/* A contact in a step of collocation: see phase_collocation.c. */
enum { PC_PHASE_POINTS = 10, PC_PHASE_PATHS = 2 };
enum { PC_PATH_W, PC_PATH_T, PC_PATH_U, PC_PATH_Q, PC_PATH_DW, PC_PATH_DT, PC_PATHS };
typedef struct pc_contact_phase_path {
    double u[PC_PHASE_POINTS], w[PC_PHASE_POINTS], v_t[PC_PHASE_POINTS]; /* at the points */
    double row[PC_PHASE_POINTS + 1][PC_PATHS]; /* Bernstein coefficients of all in the step times their binomials */
} pc_contact_phase_path;

typedef struct pc_contact_phase pc_contact_phase;

/* Methods whose first steps have one length in response times of the contact. */
typedef enum pc_phase_first_step {
    PC_FIRST_STEP_EXPLICIT,
    PC_FIRST_STEP_COLLOCATION,
    PC_FIRST_STEPS
} pc_phase_first_step;

/* How a phase is integrated. */
typedef struct pc_phase_method {
    const pc_ode_method *ode;
    bool (*serves)(const pc_contact_phase *phase);    /* the contacts that are closed; NULL: all */
    double (*longest)(const pc_contact_phase *phase); /* step that guards allow, s */
    pc_phase_first_step first_step;
    bool follows_any_rate; /* the fastest rate does not limit its steps, which are as exact inside as at their ends: it
                              gives way to the stiff method only where attempts are refused */
} pc_phase_method;

/* A quicker way than by configurations, where no force has to be asked for: whether it serves these contacts; then
 * their values at y, with forces, in `now`, and accelerations of everything. serves = NULL: there is none. */
typedef struct pc_phase_shortcut {
    bool (*serves)(void *self, const pc_compliant *compliant);
    void (*accelerate)(void *self, pc_compliant *compliant, const double *y, double *a);
    void *self;
} pc_phase_shortcut;

/* What it is asked for. peaks: where the greatest forces of an impact are kept. method: of the user; NULL: explicit or
 * stiff, as it turns out. time_scale: what functions of the scene do by t alone lasts at least so long; 0: no step need
 * care. */
typedef struct pc_contact_phase_options {
    pc_peaks *(*peaks)(void *log, size_t impact);
    void *log;
    pc_phase_shortcut shortcut;
    const pc_ode_method *method;
    pc_ode_settings settings;
    double time_scale;
} pc_contact_phase_options;

struct pc_contact_phase {
    const pc_mechanics *mechanics;
    pc_contacts *contacts; /* of the state: what lasts */
    pc_compliant *compliant;
    pc_block *block;
    pc_contact_phase_options options;
    pc_pairing *pairing;           /* of the closed contacts */
    bool direct;                   /* it serves the closed contacts */
    pc_phase_method own;           /* with the user's method; ode: NULL, as it turns out */
    const pc_phase_method *method; /* the one in use */
    pc_spring_problem problem;
    pc_stepper stepper;
    const pc_dense *dense; /* of the last step, where it was asked for */
    bool open;
    double tolerance;
    size_t room;                              /* contacts for which all lists have room */
    double *scale, *base, *a, *spare, *rates; /* size of the components; workspace */
    double *unit, *slope;                     /* workspace of the Jacobian: see phase_jacobian.c */
    pc_contact_values *given;                 /* as well */
    double period;                            /* shortest time in which a contact would push a body back, s */
    double response_time; /* the same, or the time of damping if it is shorter, where the contact begins, s */
    double first_step[PC_FIRST_STEPS]; /* of a contact, in response times, as it turned out last time; 0: none yet */
    bool first;                        /* the next step is the first of a contact */
    bool evaluated;                    /* rates were evaluated since this was cleared; the first evaluation fills all of
                                          `now`, since a method evaluates rates where it starts, if at all */
    int n;                             /* contacts closed when sizes were last measured, and which version of them */
    unsigned version;
    double *mobility;        /* what a normal force at each contact does to all of them, 1/kg */
    double stiffness_number; /* length of the last step times the fastest rate; NaN if something has changed since */
    double free;     /* greatest share of its mobility that lasting contacts leave a contact, where it started */
    bool unresolved; /* the last step is long beside what damps it: only its end is exact */
    int at_limit;    /* steps in a row that belong to the other method */
    bool rejected, rejected_before; /* attempts at the last step were; at the one before */
    pc_ode_statistics statistics;
    bool predicted;                /* the ends of the step tell that nothing changes in it, and give the inner nodes */
    double place[PC_GUARD_PLACES]; /* in the step, or up to where a contact ends in it */
    pc_contact_values *node[PC_GUARD_PLACES]; /* there; the last: where the next step begins */
    int point; /* of a step of collocation at which rates are evaluated next; PC_PHASE_POINTS: all were; < 0: there is
                  no such step */
    pc_contact_phase_path path[PC_PHASE_PATHS];
    bool interpolated; /* the paths are those of the step */
};

static inline bool pc_contact_phase_is_short(const pc_contact_phase *phase)
{
    return phase->stepper.h <= PC_PHASE_NEAR * phase->period;
}

/* For contacts of a state. All but options must stay; block and configuration are overwritten. */
pc_status pc_contact_phase_open(pc_contact_phase *phase, pc_contacts *contacts, pc_compliant *compliant,
                                const pc_mechanics *mechanics, pc_block *block, const pc_contact_phase_options *options,
                                pc_error *err);
void pc_contact_phase_close(pc_contact_phase *phase);

/* Begin or go on from (t, y). */
pc_status pc_contact_phase_start(pc_contact_phase *phase, double t, const double *y, pc_error *err);

/* The rows in y were put right after the step, in a way that changes no rate. */
void pc_contact_phase_adopt_rows(pc_contact_phase *phase, const double *y);

/* No contact is closed any more. */
void pc_contact_phase_leave(pc_contact_phase *phase);

/* One step, and the first change in it. Its polynomial is the stepper's, and made only if it is asked for. */
pc_status pc_contact_phase_step(pc_contact_phase *phase, double t_end, pc_guard_fall *change, pc_error *err);

/* True if nothing moves at (t, y), and nothing will, as far as the tolerance tells. */
bool pc_contact_phase_rests(pc_contact_phase *phase, double t, const double *y);

/* Fill the mobility of a contact: the sum of a column of W with the friction that a normal force brings, so that all
 * contacts together answer no faster than these say. share: how much of each velocity a unit of normal and of
 * tangential impulse there makes, together. */
void pc_contact_phase_respond(pc_contact_phase *phase, int which, double *share);

/* The fastest rate, 1/s, at which the contacts as they are in `now` answer: damping and vibration. */
double pc_contact_phase_fastest(const pc_contact_phase *phase);

/* The first change in a step. */
pc_status pc_contact_phase_find_change(pc_contact_phase *phase, pc_guard_fall *change, pc_error *err);

/* Greatest forces of a step up to the fraction x, into the records. */
pc_status pc_contact_phase_record_peaks(pc_contact_phase *phase, double x, pc_error *err);

/* Everything in the system at a state: forces and rates of the closed contacts in `now`; `ends`: with the rates of
 * their velocities, which the ends of a step tell. < 0: stop. */
int pc_contact_phase_evaluate(pc_contact_phase *phase, double t, const double *y, bool ends);

/* True if v_t of a contact does something; then a second spring follows it. */
static inline bool pc_contact_phase_has_tangent(const pc_contact *contact)
{
    return contact->stuck || contact->p.tangential.mu > 0;
}

/* phase_collocation.c */
extern const pc_phase_method pc_phase_collocation;
int pc_contact_phase_springs(double t, const double *y, pc_springs *springs, void *phase);
int pc_contact_phase_others(int point, double t, const double *y, const double *x, const double *v, double *dydt,
                            void *phase);

/* Remember the contacts in `now` at a point of a step. Whether they have paths in it: all points were seen, and no edge
 * is near any pair. Then what is in `now` at its end; and, when the paths were drawn beside the polynomial of the step,
 * at its fraction x. */
void pc_contact_phase_record_point(pc_contact_phase *phase);
bool pc_contact_phase_has_paths(const pc_contact_phase *phase);
void pc_contact_phase_take_end(pc_contact_phase *phase);
void pc_contact_phase_fit_paths(pc_contact_phase *phase);
void pc_contact_phase_interpolate(pc_contact_phase *phase, double x);

/* phase_jacobian.c: velocity (t, n) of a contact point for a unit rate of each coordinate; its second part is the
 * gradient of the gap. */
void pc_contact_phase_unit_velocities(pc_contact_phase *phase, int pair, const pc_touch *touch, double *unit);
int pc_contact_phase_rhs(double t, const double *y, double *dydt, void *phase);
int pc_contact_phase_jacobian(double t, const double *y, double *dfdy, void *phase);

#endif
