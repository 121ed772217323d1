/* Makes the record of an impact while a contact goes on.
 *
 * It is fed with what the contact does: forces, turns of the normal velocity, reversals of F_t, phases, and where it
 * ends. Shares of compression (v_n < 0) and restitution are differences of impulse and normal work between turns, so
 * it needs these where v_n changes its sign and no integral of its own. Whatever is not a pc_state comes in the
 * caller's units, in the plane (d = 2) and in space (d = 3) alike.
 */
#ifndef PC_LAW_RECORDER_H
#define PC_LAW_RECORDER_H

#include "law/impact.h"

typedef struct pc_record_share {
    double impulse[3], work; /* N s, J of the normal force */
} pc_record_share;

/* The greatest of forces |F_t| and F_n, and when. */
typedef struct pc_peaks {
    double force[2], time[2];
} pc_peaks;

static inline void pc_peaks_note(pc_peaks *peaks, int axis, double force, double t)
{
    if (!(force > peaks->force[axis])) return;
    peaks->force[axis] = force;
    peaks->time[axis] = t;
}

typedef struct pc_recorder {
    pc_impact *out; /* takes phases, reversals and flags; NULL: these are not kept */
    int d;
    double time, force, impulse, work; /* SI values of the caller's units */
    double way;                        /* of the indentation: > 0 grows, < 0 recovers, 0 not known yet */
    double mark[4];                    /* impulse and, last, normal work where v_n last changed its sign */
    pc_record_share compression, restitution;
    double compression_time; /* s; 0: not yet */
    pc_peaks peaks;          /* N, s */
    pc_asked asked;
    size_t answered; /* of these */
    pc_error *err;
} pc_recorder;

/* Every planar and spatial law begins so: `out` is made, v0 checked (of the plane, its two components), W given its
 * rank, and the energy taken. out->outcome is PC_OUTCOME_NONE if nothing approaches. */
pc_status pc_impact_begin(pc_impact *out, pc_mobility *W, int d, const double v0[3], pc_error *err);

/* The contact closes, by impulses and work that it has done so far. */
void pc_recorder_touch(pc_recorder *r, double way, const double *p, double work_n);

/* v_n = 0; and the end of contact. */
void pc_recorder_turn(pc_recorder *r, double t, const double *p, double work_n);
void pc_recorder_settle(pc_recorder *r, const double *p, double work_n);

/* Impulse and work of a stretch without a turn. */
static inline void pc_recorder_add(pc_recorder *r, bool closing, const double *dp, double dwork)
{
    pc_record_share *share = closing ? &r->compression : &r->restitution;
    for (int i = 0; i < r->d; i++) share->impulse[i] += dp[i] * r->impulse;
    share->work += dwork * r->work;
}

/* A force, F_n or |F_t|, that may be the greatest; and a time at which F_t changes its sign. */
static inline void pc_recorder_force(pc_recorder *r, int axis, double size, double t)
{
    pc_peaks_note(&r->peaks, axis, size * r->force, t * r->time);
}
pc_status pc_recorder_reversal(pc_recorder *r, double t);

/* True if a phase of this kind is what the last one was. */
static inline bool pc_recorder_goes_on(const pc_recorder *r, pc_phase_kind kind, int sign)
{
    const pc_impact *out = r->out;
    return out->n_phases > 0 && out->phases[out->n_phases - 1].kind == kind &&
           out->phases[out->n_phases - 1].sign == sign;
}

/* A phase begins at a state: it is the last one again if what lay between had no duration. And the last one stops; one
 * of no duration leaves no trace. */
pc_status pc_recorder_open_phase(pc_recorder *r, pc_phase_kind kind, int sign, const pc_state *start);
void pc_recorder_close_phase(pc_recorder *r, const pc_state *stop);

/* The contact never ends: it is wedged, or adheres, and has come to rest, or vibrates, since this state. */
void pc_recorder_stay(pc_recorder *r, pc_outcome how, const pc_state *arrest);

/* The result, where the last phase stops. */
void pc_recorder_finish(pc_recorder *r);

/* Flags of the whole: works that exceed `rounding` times an energy are none of the integrator's errors. `may_gain`: the
 * tangential element may give back more than it took. */
void pc_recorder_judge(pc_recorder *r, double rounding, double energy, bool may_gain);

/* ---- states at the times asked for ---- */

/* The next of them, s, and whether there is one that is not after `until`. */
static inline double pc_recorder_next(const pc_recorder *r)
{
    return r->asked.times[r->answered];
}

static inline bool pc_recorder_asks(const pc_recorder *r, double until)
{
    return r->answered < r->asked.n && r->asked.times[r->answered] <= until;
}

void pc_recorder_answer(pc_recorder *r, const pc_state *state);

/* All others are after the end: the state there, which goes on only where the contact does. */
void pc_recorder_answer_rest(pc_recorder *r, const pc_state *end);

#endif
