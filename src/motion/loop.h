/* The loop of a run, while it goes on: what it integrates with, what it watches, and its instants. */
#ifndef PC_MOTION_LOOP_H
#define PC_MOTION_LOOP_H

#include "scene/flight.h"
#include "motion/run.h"
#include "engine/instant.h"
#include "engine/phase.h"

typedef struct pc_loop pc_loop;

/* What an event of the locator guards. */
typedef struct pc_guard {
    pc_loop *l;
    pc_guard_kind what;
    int pair, sign; /* MARGIN: slip that begins there; BOUND: which margin of the feature */
    double slack;   /* GAP: of what rides along, see pc_pair_rides_along; BOUND: of what is beyond it already */
} pc_guard;

struct pc_loop {
    pc_run *run;
    const pc_run_options *options;
    pc_flight flight;
    pc_ode_problem problem;
    pc_stepper stepper;     /* while no compliant contact is closed */
    pc_contact_phase phase; /* while one is */
    pc_locator locator;
    pc_event *events;
    pc_guard *guards;
    pc_guard *caused; /* events before */
    size_t most;      /* for so many there is room in these lists */
    double *linear;   /* of each pair that may have it: see pc_event.linear */
    int n_linear;     /* of which so many have it */
    double *known;    /* see event_list.c */
    size_t known_size, known_at;
    pc_error *err;
    double t_end;
    pc_restarts restarts;
    pc_instant instant; /* see run.c */
};

/* event_list.c: memory for all guards that there may be. */
pc_status pc_loop_open_guards(pc_loop *l);
void pc_loop_close_guards(pc_loop *l);

/* Begin to watch, after the events [first, last) that were found or, if there are none, from the start. */
pc_status pc_loop_watch(pc_loop *l, int first, int last);

/* True for a step in contact if nothing is watched but gaps far wider than what moves in it, by velocities alone. */
bool pc_loop_is_far(pc_loop *l);

/* Leave the guards in peace that cannot fall in a step; true if that is all of them. */
bool pc_loop_skip_idle(pc_loop *l, const pc_dense *dense);

/* Forget the gaps found in a step that closed where compliant outlines do not touch. */
pc_status pc_loop_leave_out(pc_loop *l, const pc_dense *dense);

/* What strikes holds to the part of the outlines at which it was found: the correction of closed contacts
 * may put it beyond the end of that, by as much. */
pc_status pc_loop_keep_features(pc_loop *l, int first, int last);

#endif
