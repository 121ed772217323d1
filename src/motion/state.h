/* The state of a run: what decides its future, and nothing else. A copy is a snapshot, from which the run goes on as it
 * did the first time: save.c makes those that last. */
#ifndef PC_MOTION_STATE_H
#define PC_MOTION_STATE_H

#include "engine/resolver.h"
#include "scene/planar.h"

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
    return 2 * (size_t)state->n_dof + PC_ROWS * (size_t)state->compliant.n;
}
static inline size_t pc_run_state_pairs(const pc_run_state *state)
{
    return (size_t)state->n_pairs;
}
static inline size_t pc_run_state_room(const pc_run_state *state)
{
    return 2 * (size_t)state->n_dof + PC_ROWS * state->compliant.room;
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

/* ---- pairs near contact ---- */

/* What has to close of an open pair: its gap, of a compliant contact that has left an indentation from there, of a thin
 * pair the height before its face. memory: of all pairs. */
double pc_pair_gap(const pc_configuration *c, const pc_places *places, const pc_pair_memory *memory, int pair);

/* A thin core has two faces: the site is before the one on whose side it is seen, and where it is too near to tell,
 * before the one it was. True if that has changed. */
bool pc_pair_update_face(const pc_configuration *c, pc_places *places, int pair);

/* An open pair that touches and neither moves nor accelerates: contacts that carry the load keep it there, up to the
 * errors of the integrator between corrections. So it closes only below those. */
bool pc_pair_rides_along(const pc_configuration *c, const pc_places *places, const pc_run_state *state,
                         const double *accelerations, int pair);

/* The greatest velocity that a pair has met, at least that of a fall over its lengths. Normal velocities within the
 * resolution of zero are zero: rounding of that. */
double pc_pair_speed_scale(const pc_scene *scene, const pc_pair_memory *memory, int pair);
double pc_pair_resolution(const pc_scene *scene, const pc_pair_memory *memory, int pair);

/* Note how fast a pair may be moving, for that. */
void pc_pair_record_speed(const pc_configuration *c, pc_pair_memory *memory, int pair);

#endif
