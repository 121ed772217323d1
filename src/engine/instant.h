/* An instant: everything that happens at one time of a state.
 *
 * Guards have fallen; contacts that last open, slip, or go on at another part of an outline; others begin, with impacts
 * or by their laws; then it is decided which go on, and how. Impacts that lead to others without end accumulate. Where
 * an instant brings back what it has decided, steps by impulses lead past it (impulse_step.c).
 *
 * A resolver (resolver.h) decides for what lasts, changes (contact_changes.h) bring what compliant contacts do: both
 * of the same state.
 */
#ifndef PC_ENGINE_INSTANT_H
#define PC_ENGINE_INSTANT_H

#include "engine/contact_changes.h"

/* What is guarded of a motion between two instants, of contacts that last and of open places. */
typedef enum pc_guard_kind {
    PC_GUARDS_GAP,
    PC_GUARDS_RECOVERY, /* of an indentation */
    PC_GUARDS_NORMAL,   /* force */
    PC_GUARDS_SLIP,
    PC_GUARDS_MARGIN,      /* of friction */
    PC_GUARDS_ROLL,        /* the rate of what rolls against a resistance */
    PC_GUARDS_BRACE,       /* margin of what holds against rolling */
    PC_GUARDS_PERSISTENCE, /* contacts that go on beyond their cones while there are forces for that */
    PC_GUARDS_JAM,
    PC_GUARDS_REACTION, /* its size bounds the friction of a slider, which has a kink where it turns round */
    PC_GUARDS_BOUND,    /* of the parts of the outlines that touch */
    PC_GUARDS_USER,
} pc_guard_kind;

/* One that fell at t. opens: the normal force of its contact fell as well. */
typedef struct pc_fallen_guard {
    pc_guard_kind what;
    int place, sign; /* MARGIN: of the slip that begins there; BOUND: which margin */
    double t;
    bool opens;
} pc_fallen_guard;

typedef struct pc_instant pc_instant;
struct pc_instant {
    pc_resolver resolver;
    pc_contact_changes changes;
    pc_touching *touching, *gone; /* what takes part, and what may not be closed again */

    /* Who has the state. Give it room for so many contacts that last, beside compliant ones, and let resolver and
     * changes have it where it then is. And: time and state go along this polynomial, with no contact closed; work: of
     * all but contacts meanwhile, J. */
    void *context;
    pc_status (*reserve)(void *context, int lasting, pc_instant *instant, pc_error *err);
    pc_status (*passed)(void *context, const pc_dense *step, double *work, pc_error *err);

    double start, end; /* of the motion */
    double last;       /* time of the last instant; so many in a row were without progress in time */
    int stalls;
    struct {
        double t, h, share; /* when the last one ended, how long it was (0: there was none), and what it was made for */
    } pass;                 /* a step by impulses */

    /* while guards are taken */
    bool undecided, forced;
    bool jumped; /* velocities have, by a function of the user */
    int jam;
};

/* Closed contacts drift within the tolerances of an integration: put them back. */
pc_status pc_instant_correct(pc_instant *instant, pc_error *err);

/* The guards that fell at one time, one after another (a function of the user may say meanwhile that velocities have
 * jumped); then what comes of it all. */
void pc_instant_open(pc_instant *instant);
pc_status pc_instant_take(pc_instant *instant, const pc_fallen_guard *guard, pc_error *err);
pc_status pc_instant_close(pc_instant *instant, pc_error *err);

/* How closed contacts go on where forces jump: as after an instant at which each of them may change. jumped: so have
 * velocities, by something else than contacts, and what touches is struck. */
pc_status pc_instant_decide(pc_instant *instant, bool jumped, pc_error *err);

/* A short step with impulses, where instants at one time do not come to an end. */
pc_status pc_instant_pass(pc_instant *instant, pc_error *err);

/* What touches at the start, before anything has moved. */
pc_status pc_instant_begin(pc_instant *instant, pc_error *err);

/* A compliant contact begins within a motion: without a force, however deep it is (a corner comes before a side while
 * another contact keeps the two outlines pressed), as if that were an indentation left behind. */
pc_status pc_instant_close_late(pc_instant *instant, int place, pc_error *err);

/* True if a closed place that was seen to break away (MARGIN), or to begin to roll (BRACE), is still held for the
 * forces of the configuration. */
bool pc_instant_holds(const pc_instant *instant, pc_guard_kind what, int place, int sign);

/* Whether a compliant contact may begin in the configuration: not at the end of a part, where another one goes on. */
static inline bool pc_instant_may_begin(const pc_instant *instant, int place)
{
    const pc_contact_state *at = instant->resolver.at;
    const pc_provider_parts *parts = at->mechanics->provider->parts;
    return !parts || parts->may_begin(at, place);
}

/* Noise of the forces of contacts that last, which were found last; force: the greatest of them, or of others. */
double pc_contacts_noise(const pc_contacts *contacts, const pc_mechanics *mechanics, const pc_block *block,
                         double force);
double pc_contacts_greatest(const pc_contacts *contacts);

#endif
