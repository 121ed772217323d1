/* What a motion watches for between two instants: gaps of open pairs, forces, slips and edges of closed ones, and what
 * the user asks.
 *
 * It is a list of events (event/event.h) of the contacts that an instant has. Compliant contacts that are closed watch
 * for themselves: see engine/phase.h.
 */
#ifndef PC_SCENE_GUARDS_H
#define PC_SCENE_GUARDS_H

#include "engine/instant.h"
#include "event/event.h"
#include "scene/places.h"

typedef struct pc_guards pc_guards;

/* What an event of the locator guards. */
typedef struct pc_guard {
    pc_guards *list;
    pc_guard_kind what;
    int pair, sign; /* MARGIN: slip that begins there; BOUND: which margin of the feature; USER: pair says which */
    double slack;   /* GAP: of what rides along, see pc_pair_rides_along; BOUND: of what is beyond it already */
} pc_guard;

struct pc_guards {
    pc_planar *planar;
    const pc_scene *scene;
    const pc_instant *instant;
    const pc_event *users;
    int n_users;
    double rtol; /* of the integration between instants */
    pc_error *err;
    pc_locator locator;
    pc_event *events;
    pc_guard *guards;
    pc_guard *caused;         /* events before */
    size_t most;              /* for so many there is room in these lists */
    size_t closed, compliant; /* contacts for which that was found; */
    bool fits;                /* as was what is known of them */
    double *linear;           /* the gap of each pair that may have it: see pc_event.linear */
    int *row;                 /* which of these is of each pair; -1: none */
    bool plain;               /* nothing but gaps is watched, of all pairs */
    bool closed_form;         /* all gaps are known so where nothing touches: see pc_guards_foresee */
    double *known;            /* see guards.c */
    size_t known_size, known_at;
};

/* Memory for all guards that there may be; members up to the locator are set, the others zero. */
pc_status pc_guards_open(pc_guards *guards);
void pc_guards_close(pc_guards *guards);

/* Begin to watch, after the events [first, last) that were found or, if there are none, from the start. */
pc_status pc_guards_watch(pc_guards *guards, int first, int last);

/* True for a step in contact if nothing is watched but gaps far wider than what moves in it, by velocities alone. The
 * state is that before it. */
bool pc_guards_is_far(pc_guards *guards, const pc_stepper *stepper);

/* How far constant accelerations a lead before t_end, from the state at t on, if all that is watched is known in closed
 * form: for *length, to the time *end, and what falls there is found, at the end of the step. False: it is not. */
bool pc_guards_foresee(pc_guards *guards, double t, const double *y, const double *a, double t_end, double *length,
                       double *end);

/* Leave the guards in peace that cannot fall in a step, before which the state is; true if that is all of them. */
bool pc_guards_skip_idle(pc_guards *guards, const pc_dense *dense);

/* Forces that friction makes grow round by more than when the watch began: as they were found last, in this step. */
void pc_guards_blur(pc_guards *guards);

/* Forget the gaps found in a step that closed where compliant outlines do not touch. */
pc_status pc_guards_leave_out(pc_guards *guards, const pc_dense *dense);

/* What strikes holds to the part of the outlines at which it was found: the correction of closed contacts may put it
 * beyond the end of that, by as much. */
pc_status pc_guards_keep_parts(pc_guards *guards, int first, int last);

#endif
