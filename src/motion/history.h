/* What has happened in a run: events, impacts, and with arcs the motion between them. */
#ifndef PC_MOTION_HISTORY_H
#define PC_MOTION_HISTORY_H

#include "law/recorder.h"
#include "motion/state.h"
#include "ode/ode.h"

struct pc_run;

typedef enum pc_event_kind {
    PC_EVENT_IMPACT,       /* one law, one pair */
    PC_EVENT_BEGIN,        /* a contact closes for good */
    PC_EVENT_ACCUMULATION, /* impacts have accumulated */
    PC_EVENT_STICK,
    PC_EVENT_SLIP,     /* stick breaks */
    PC_EVENT_REVERSAL, /* slip goes on the other way */
    PC_EVENT_LIFT,     /* a closed contact opens */
    PC_EVENT_JAM,      /* slip presses the bodies together (Painleve): an impact from v_n = 0 */
    PC_EVENT_REST,     /* nothing moves any more */
    PC_EVENT_USER,     /* an event function of the user */
    PC_EVENT_KINDS
} pc_event_kind;

const char *pc_event_kind_word(pc_event_kind kind);

/* Anything that happened; impact: its index, pair: which pair, or which user event; ratio: of an accumulation. */
typedef struct pc_event_record {
    double t;
    pc_event_kind kind;
    int pair, mode;
    size_t impact;
    double ratio;
} pc_event_record;

/* One impact of one pair. v: of the contact point (t, n). Energies are those of the whole scene, potential included;
 * what is lost is energy0 + driven - energy1.
 * `states`: q, u before, u after, then the joint impulses (x, y on each link at its upper joint) of chains.
 *
 * A compliant one begins at t; while it lasts it tells how far it has got. Its energies differ by what its own law and
 * friction took. */
typedef struct pc_impact_record {
    double t;
    int pair, order; /* order: of impacts at this instant, from 0 */
    pc_mobility W;
    double v0[2], v1[2], impulse[2];
    double turning[4], couple; /* where it resists rolling: W's rows (rate by p_t, by p_n, by a couple) and the rate
                                * before; the couple's impulse, N m s */
    double energy0, energy1;
    double driven; /* work that the drives of obstacles gave, J */
    pc_outcome outcome;
    unsigned flags;
    int n_phases;
    int rule;       /* pc_rule: sequential, by its own law; else one of several that were struck as one */
    bool compliant; /* by a compliant law while everything moved */
    size_t history; /* then its pc_impact_history */
    size_t states;
} pc_impact_record;

/* W as the law was asked about it; `turning` is kept for that. */
pc_mobility pc_impact_record_mobility(const pc_impact_record *record, pc_turning *turning);

/* What only a compliant one has: it is over at `stop` (NaN: it lasts); begun: the event with which it
 * begins, after which those with its number say how it went on; slips: directions in which it has slipped, 1 for + and
 * 2 for -; work: of the normal element, of the tangential one, and of friction, J. */
typedef struct pc_impact_history {
    double stop;
    pc_peaks peaks;
    double work[3];
    size_t begun;
    unsigned slips;
} pc_impact_history;

/* What goes with an arc. work: see pc_work, and what impacts lost, up to its start, J. */
typedef struct pc_arc_record {
    size_t modes; /* which contacts were closed */
    double work[PC_WORKS], lost;
    double sprung;                 /* see state.def */
    size_t compliant, n_compliant; /* compliant contacts that were closed */
} pc_arc_record;

/* A set of contacts that were closed on arcs, n from `first` on in `closed`. */
typedef struct pc_modes {
    int n;
    size_t first;
} pc_modes;

typedef struct pc_closed_pair {
    int pair, feature;
    signed char mode, roll;
} pc_closed_pair;

/* What has happened: only appended to. Pools hold what their names say. */
typedef struct pc_run_history {
    double t0; /* the start */
    pc_trajectory trajectory;
    pc_pool arcs; /* pc_arc_record, one for each arc of the trajectory */
    pc_pool modes, closed, compliant, impacts, impact_histories, states, events;
    pc_ode_statistics statistics;
} pc_run_history;

/* The record of an impact, and what a compliant one has besides. */
static inline pc_impact_record *pc_run_impact_record(const pc_run_history *history, size_t impact)
{
    return (pc_impact_record *)history->impacts.data + impact;
}

static inline pc_impact_history *pc_run_impact_history(const pc_run_history *history, size_t impact)
{
    return (pc_impact_history *)history->impact_histories.data + pc_run_impact_record(history, impact)->history;
}

pc_status pc_run_log(struct pc_run *run, pc_event_record event, pc_error *err);
pc_status pc_run_record_arc(struct pc_run *run, const pc_dense *dense, double stop, bool keep, pc_error *err);
pc_status pc_run_record_modes(struct pc_run *run, pc_error *err);

/* The pairs of a recorded set of modes; these as contacts, for which there is room, and what they hold to
 * as `own` of the run's system. */
const pc_closed_pair *pc_run_closed(const struct pc_run *run, size_t modes, int *n);
void pc_run_restore_modes(struct pc_run *run, size_t modes, pc_contacts *contacts);

/* ---- energies and works ---- */

/* Works on the fraction from 0 to x of an arc, added to work; those of the friction at each closed contact in its list.
 * < 0: stop. */
int pc_run_add_work(struct pc_run *run, pc_contacts *contacts, pc_compliant *compliant, const pc_dense *dense, double x,
                    double work[PC_WORKS]);

/* Power of the drive of an obstacle, or, if `which` < 0, of all of them, at contacts whose forces are known, W. */
double pc_run_drive_power(const pc_configuration *now, int which, const pc_contacts *contacts,
                          const pc_compliant *compliant);

/* Points of Gauss's rule along an arc. */
enum { PC_RUN_NODES = 6 };

/* What one force of the scene has done from one time to another, within the recorded motion, J: work[0] what it damped,
 * work[1] what it gave, if it stores nothing. */
pc_status pc_run_force_work(struct pc_run *run, int force, double from, double to, double work[2], pc_error *err);

/* Friction takes energy from what slips: stop where its work at a compliant contact has given more than the errors of
 * an arc explain. A tangential element whose stiffness changes under load may give some by its nature, which its record
 * says. */
pc_status pc_run_check_compliant(struct pc_run *run, int which, double work, pc_error *err);
bool pc_run_has_work(const pc_scene *scene, const pc_contacts *contacts, const pc_compliant *compliant);

#endif
