/* Inside the rigid laws: walking along straight lines in impulse space, in the plane and in space. */
#ifndef PC_CONTACT_IMPULSE_WALK_H
#define PC_CONTACT_IMPULSE_WALK_H

#include "contact/impulse.h"

/* Where the walk stands; the partial sums and the flags are kept in the impact. */
typedef struct pc_walk {
    pc_impact *impact;
    double p[3], v[3], work_n, work_f;
} pc_walk;

/* A straight line: changes of p and v per unit of normal impulse (slope_p[PC_N] is 1). */
typedef struct pc_line {
    pc_phase_kind kind;
    int sign;
    double slope_p[3], slope_v[3];
    bool stops; /* slip comes to rest on it */
} pc_line;

/* Why a line was left. PC_WALK_NEVER: neither a stop nor an end lies ahead. */
typedef enum pc_walk_reason { PC_WALK_STOPPED, PC_WALK_ENDED, PC_WALK_NEVER } pc_walk_reason;

void pc_walk_put(const pc_walk *walk, pc_state *state);

/* A new phase that starts here; NULL if memory is short. */
pc_phase *pc_walk_open(pc_walk *walk, pc_phase_kind kind, int sign);

/* On to p, v and works; v_n does not change its sign in between. */
void pc_walk_advance(pc_walk *walk, const double p[3], const double v[3], double work_n, double work_f);

/* On by dp along a line; `stop` and `turn` say which velocity becomes 0 there: the tangential or the normal one. */
void pc_walk_step(pc_walk *walk, const pc_line *line, double dp, bool stop, bool turn);

/* Follow a line until slip stops or the contact ends. `singular`: in stick nothing can move, so a stop and the end of
 * compression may fall together and are then taken for one. */
pc_walk_reason pc_walk_line(pc_walk *walk, const pc_line *line, bool singular, double coefficient,
                            const pc_ending *ending);

/* From v = 0 in the tangent plane on: stick, or slip again, and so on to the end. */
pc_status pc_walk_from_rest(pc_walk *walk, const pc_line *line, double coefficient, const pc_ending *ending,
                            pc_error *err);

/* The error for a motion that W cannot change. */
pc_status pc_walk_fail(const pc_walk *walk, pc_error *err);

#endif
