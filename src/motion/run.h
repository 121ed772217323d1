/* A motion with many impacts: smooth arcs between instants at which contacts change.
 *
 * The run keeps its state, so that it can be continued, and everything that happened. An instant is settled in this
 * order: of the pairs that touch and approach, those that tie with the fastest strike, until none approaches; pairs
 * that touch and do not separate are decided to stick, to slip or to open. In between, gaps of open pairs, normal
 * forces, slip velocities and friction margins of closed ones are followed on the dense output of the integrator, so
 * that nothing is missed.
 *
 * Impacts that accumulate are recognised by their intervals, which become a geometric sequence; when the next bounce is
 * too low to be told from rounding, the run reports the time of accumulation and goes on with closed contacts. Rounding
 * is the only threshold: of positions, relative to the lengths in a gap, and of velocities, relative to the greatest
 * velocity that the pair has seen.
 *
 * With configuration = "moving" pairs whose laws are elements do not strike: while one of them is closed, a contact
 * phase (phase.h) integrates the motion with their forces, in errors that are relative to their indentations.
 */
#ifndef PC_MOTION_RUN_H
#define PC_MOTION_RUN_H

#include "engine/contact_changes.h"
#include "engine/impact_sequence.h"
#include "event/event.h"
#include "law/impact.h"
#include "motion/history.h"
#include "ode/ode.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pc_run_options {
    const pc_ode_method *method;
    pc_ode_settings settings;
    long max_impacts;
    bool record;            /* keep arcs */
    const pc_event *events; /* of the user; the state is (q, u) */
    int n_events;
    const pc_ode_method *contact; /* while a compliant contact is closed; NULL: explicit or stiff, as it turns out */
    pc_ode_settings contact_settings;                        /* of that one; rtol is of the size of contacts */
    void (*progress)(double t, long impacts, void *context); /* now and then; may be NULL */
    void *progress_context;
    pc_breaks breaks;  /* where torques and pivots jump by t alone, beside those that forces tell; must outlive the run,
                          which looks at itself by them */
    double time_scale; /* what they do by t alone lasts at least so long; 0: no step need care */
    bool assemble;     /* put joints together that are open at the start, which are else refused */
    bool separate;     /* push bodies apart that overlap at the start, which are else refused */
} pc_run_options;

/* How a scene is set in motion: what is read by name. */
typedef struct pc_run_settings {
    double duration, start;
    int max_impacts;
    bool record, assemble, separate;
} pc_run_settings;

extern const pc_schema pc_run_schema;

/* Nothing here outlives a call: another may have overwritten it. */
typedef struct pc_run_scratch {
    double *spare, *a; /* another state, accelerations */
    size_t numbers;    /* room of each */
    pc_planar system;
    pc_block block;
    pc_touching touching, gone;     /* of an instant: what touches, and what may not be closed again */
    pc_contacts before, candidates; /* of an instant: what was closed, and what may stay so */
    pc_impact_sequence sequence;    /* of an instant, and its impact of several contacts */
    pc_contact_state at;            /* for instants: see recorder.c */
    pc_contacts looked;             /* see look.h */
    pc_compliant looked_compliant;
} pc_run_scratch;

typedef struct pc_run {
    const pc_scene *scene;
    double rtol;       /* of the method: what is known of velocities, as a share of their scale */
    pc_breaks breaks;  /* of the options it was last advanced with */
    double time_scale; /* likewise */
    pc_run_history history;
    pc_run_scratch scratch;
    pc_run_state state;
} pc_run;

/* Begin at (t, y); `scene` must stay. A gap below zero is refused. */
pc_status pc_run_open(pc_run *run, const pc_scene *scene, double t, const double *y, pc_error *err);
void pc_run_close(pc_run *run);

/* Between the breaks of the run and of its forces about t, forwards, and not before its start. */
static inline pc_span pc_run_span(const pc_run *run, double t)
{
    const pc_span own = pc_breaks_span(&run->breaks, t, 1), forces = pc_scene_break_span(run->scene, t);
    return (pc_span){fmax(fmax(own.from, forces.from), run->history.t0), fmin(own.to, forces.to)};
}

/* Accelerations where the run's configuration was made last, with its contacts. < 0: stop. */
static inline int pc_run_accelerate(pc_run *run, double *a)
{
    return pc_contacts_accelerate(&run->state.contacts, &run->state.compliant, &run->scratch.system.mechanics,
                                  &run->scratch.block, a);
}

/* Room for `touching` contacts, or for those that are closed if they are more, beside compliant ones. What scratch
 * holds of contacts is lost where it grows. */
pc_status pc_run_reserve(pc_run *run, int touching, pc_error *err);

/* A function of the scene asked to stop: the failure that says so. */
pc_status pc_run_stopped(const pc_run *run, pc_error *err);

/* Go on until t. On failure the run is valid as far as it got, and may be continued. */
pc_status pc_run_advance(pc_run *run, const pc_run_options *options, double t, pc_error *err);

static inline const pc_impact_record *pc_run_impacts(const pc_run *run, size_t *n)
{
    *n = run->history.impacts.used;
    return run->history.impacts.data;
}

static inline const pc_event_record *pc_run_events(const pc_run *run, size_t *n)
{
    *n = run->history.events.used;
    return run->history.events.data;
}

/* The state at t from the recorded arcs; side < 0: before what happened there. The arc that it lies in; the number
 * of arcs if t is outside or nothing was recorded. */
size_t pc_run_at(const pc_run *run, double t, int side, double *y);

/* The recorder of a run: what engine/resolver.h and engine/contact_changes.h decide is told here, and kept. */

/* At the run's t and y; where these are, or scratch, may have changed: its contacts there once more. */
pc_resolver pc_run_resolver(pc_run *run);
pc_contact_changes pc_run_changes(pc_run *run);
pc_contact_state *pc_run_contact_state(pc_run *run);

/* What the records of closed compliant contacts can tell by now. */
pc_status pc_run_update_impacts(pc_run *run, pc_error *err);

/* The state is that at the end of a step or of a part of it: contacts with a history go on from there. */
pc_status pc_run_carry_histories(pc_run *run, pc_error *err);

/* A compliant impact of a run as a whole record. */

/* A compliant impact of a recorded run, as far as it has got; times count from its beginning, energies are the
 * contact's share. `out` is initialised. joints: room for the impulse (x, y) on each link at its upper joint, of
 * n_nodes, N s; that of weight and motion meanwhile is in it. PC_E_ARGUMENT if the motion was not recorded. */
pc_status pc_run_compliant_impact(pc_run *run, size_t impact, pc_impact *out, double *joints, pc_error *err);

/* A run in a file: everything that it was, so that a run read back answers as the first one did and goes on bit by bit
 * as it would have.
 *
 * The file holds two notes of the caller, bytes that this part does not look into (how to make the scene again, how the
 * run was asked for), then the run: its state and all that it recorded, numbers as 8 bytes with the least significant
 * first. It begins with a mark and the version of the format and ends with a checksum of everything before. Equal runs
 * make equal files.
 */

enum { PC_SAVE_VERSION = 24, PC_SAVE_NOTES = 2 };

typedef struct pc_note {
    const unsigned char *bytes;
    size_t n;
} pc_note;

/* Write the run; the file appears whole or not at all. */
pc_status pc_run_save(const pc_run *run, const pc_note notes[PC_SAVE_NOTES], const char *path, pc_error *err);

/* The parts of a file whose bytes were read; they must stay. PC_E_ARGUMENT: it is no saved run, one of another version,
 * or damaged. `path` is for the message. */
typedef struct pc_saved {
    pc_note notes[PC_SAVE_NOTES], run;
    const char *path;
} pc_saved;
pc_status pc_saved_open(pc_saved *saved, pc_note file, const char *path, pc_error *err);

/* The run of such a file in its scene; afterwards it is open and complete, or nothing was kept. */
pc_status pc_saved_restore(const pc_saved *saved, pc_run *run, const pc_scene *scene, pc_error *err);

/* What becomes of a small displacement of the state along a recorded motion.
 *
 * On arcs it follows the linearised equations of motion, those with the forces of the contacts that are closed. Where
 * the contacts change, a displaced motion changes at another instant, later by dt = -(g_y d)/g', g the function whose
 * zero it is: a gap, a slip velocity, an excess over friction. What the displacement has become afterwards is
 *
 *     d+ = D R (d- + f- dt) - f+ dt
 *
 * with R the impact as a map of the state (and of the time, where a pivot moves), the identity where nothing jumps, and
 * f- and f+ the rates of the state before and after (the saltation matrix: Aizerman and Gantmakher 1958; Mueller 1995).
 * D R is the derivative along the one direction in question, by central differences of four points of the law itself
 * at displaced configurations, as are the rates along an arc. A contact that lifts off because its force has come to
 * zero changes no rate: there d+ = d-.
 *
 * A contact that is closed stays so in the neighbouring motions, and joints keep together, so the displacement is one
 * that they allow: what they forbid is taken away at the start, and an impact without restitution, or a slip that
 * stops, takes it by itself. A contact that gives by a linear force is part of the rates f while it lasts.
 */

/* The impact with the least speed of approach so far: the nearer to a graze, the less a linearisation is worth. */
typedef struct pc_slowest {
    double speed, t; /* m/s, s; infinite: there was no impact */
} pc_slowest;

/* Carry d (2 n_dof: of q, then of u) from one time to a later one, after what happened there. PC_E_ARGUMENT: outside
 * the motion, or not recorded. PC_E_UNSUPPORTED: compliant contacts with more to remember move along, or the motion is
 * no smooth function of its start there: grazes, jams, contacts whose order matters. */
pc_status pc_run_carry(pc_run *run, double from, double to, double *d, pc_slowest *slowest, pc_error *err);

#endif
