/* The state of a run: what decides its future, and nothing else. A copy is a snapshot, from which the run goes on as it
 * did the first time: save.c makes those that last. */
#ifndef PC_MOTION_STATE_H
#define PC_MOTION_STATE_H

#include "scene/places.h"

/* Works that change the energy of a scene, besides what impacts lose: of damping, torques and forces, pivots, friction,
 * and the drives of obstacles. */
typedef enum pc_work { PC_WORK_DAMPING, PC_WORK_FORCES, PC_WORK_PIVOTS, PC_WORK_FRICTION, PC_WORK_DRIVES } pc_work;
enum { PC_WORKS = PC_WORK_DRIVES + 1 };

typedef enum pc_run_stop {
    PC_RUN_END,         /* the duration is over */
    PC_RUN_EVENT,       /* a terminal event of the user */
    PC_RUN_LIMIT,       /* max_impacts */
    PC_RUN_INTERRUPTED, /* from outside */
    PC_RUN_BROKEN,      /* a failure: the status says which */
} pc_run_stop;

/* Between two advances t and y are where the run stands, `contacts` and `compliant` are closed there with modes that
 * hold (of both: n, pairs, modes and what state.def names; the rest is found anew), and pairs that are open have
 * nothing but what is remembered of them. The lists are as long as the scene makes them; y has room for the rows of all
 * compliant contacts for which there is room. */
typedef struct pc_run_state {
#define PC_STATE_VALUE(type, name, count) type name count;
#define PC_STATE_LIST(type, name, size) type *name;
#include "motion/state.def"
    int n_dof, n_pairs;
    pc_accumulation accumulation;
    pc_contacts contacts;
    pc_compliant compliant; /* contacts that are closed by their laws */
} pc_run_state;

/* Lengths of its lists, and numbers in y for which there is room. */
static inline size_t pc_run_state_numbers(const pc_run_state *state)
{
    return 2 * (size_t)state->n_dof + (size_t)(pc_compliant_rows(&state->compliant) * state->compliant.n);
}
static inline size_t pc_run_state_pairs(const pc_run_state *state)
{
    return (size_t)state->n_pairs;
}
static inline size_t pc_run_state_room(const pc_run_state *state)
{
    return 2 * (size_t)state->n_dof + (size_t)pc_compliant_rows(&state->compliant) * state->compliant.room;
}

/* What pairs hold to, in the state itself. */
static inline pc_places pc_run_state_places(const pc_run_state *state)
{
    return (pc_places){state->feature, state->face};
}

/* Nothing has happened yet at (t, y). On failure there is nothing to close. */
pc_status pc_run_state_open(pc_run_state *state, const pc_scene *scene, double t, const double *y, pc_error *err);
void pc_run_state_close(pc_run_state *state);

/* Room for contacts that last, and for compliant ones and their rows. */
pc_status pc_run_state_reserve(pc_run_state *state, int lasting, int compliant, pc_error *err);

#endif
