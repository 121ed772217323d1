/* What decides an instant at which contacts touch.
 *
 * Impacts, one set after another, until none approaches; then which of those that touch and do not separate go on
 * closed, and how. Where slip presses a contact harder than its normal force can relieve (Painleve), an impact from
 * v_n = 0 comes first; and a bounce that is too low to be told from rounding is the last of its contact. Where all that
 * comes to nothing, because an instant brings back what it has decided, a step by impulses leads past it.
 *
 * A resolver has mechanics and state by pointers, and tells whoever has them what happens.
 */
#ifndef PC_ENGINE_RESOLVER_H
#define PC_ENGINE_RESOLVER_H

#include "engine/accumulation.h"
#include "engine/compliant.h"
#include "engine/impact_sequence.h"

#include <math.h>

/* What is remembered of a place. */
typedef struct pc_pair_memory {
#define PC_MEMORY(type, name) type name;
#include "engine/memory.def"
#undef PC_MEMORY
} pc_pair_memory;

/* The greatest velocity that a contact has met, at least that of a fall over its lengths: what has always been at rest
 * has seen none. */
static inline double pc_speed_scale(const pc_pair_memory *memory, double fall, double length)
{
    return fmax(memory->greatest_speed, sqrt(fall * length));
}

/* Contacts at one time of a state, for those who decide what becomes of them. */
typedef struct pc_contact_state {
    const pc_mechanics *mechanics;
    double t, *y;
    pc_contacts *contacts;
    pc_compliant *compliant;
    pc_pair_memory *memory; /* of all places */

    /* workspace: accelerations */
    double *a;
    pc_block *block;
} pc_contact_state;

/* Make its configuration; then, accelerations in it under all contacts and `more`, energy, and of a place the greatest
 * velocity it has met, what of that is rounding, so that velocities within it are zero, its velocity, and the sign with
 * which it rolls against a resistance. */
pc_status pc_contact_state_place(const pc_contact_state *state, pc_error *err);
pc_status pc_contact_state_accelerate(const pc_contact_state *state, const pc_acting *more, double *a, pc_error *err);
double pc_contact_state_energy(const pc_contact_state *state);
double pc_contact_state_speed(const pc_contact_state *state, int place);
double pc_contact_state_resolution(const pc_contact_state *state, int place);
void pc_contact_state_velocity(const pc_contact_state *state, int place, double v[2]);
int pc_contact_state_roll(const pc_contact_state *state, int place);

typedef struct pc_resolver {
    pc_contact_state *at;
    pc_impact_log log;
    pc_rule rule;
    double rtol;   /* what is known of velocities, as a share of those that contacts have met */
    double v_rest; /* a normal velocity after an impact below this becomes 0; 0: off */
    bool jumped;   /* set where impulses have changed velocities, by more than drift */

    /* of the state; lost: J, also by what projections took; driven: J, work of what moves by itself in that */
    double *lost, *driven;
    pc_accumulation *accumulation;

    /* workspace with room for all that touches: another state; what was closed before, what may stay so */
    double *spare;
    pc_contacts *before, *candidates;
    pc_impact_sequence *sequence;
} pc_resolver;

/* What touches without having been closed (a row of balls at rest) takes part in an impact; what is `gone` does not. */
pc_status pc_touching_find(pc_touching *touching, const pc_touching *gone, const pc_mechanics *mechanics,
                           pc_error *err);

/* Where the configuration has been made. A slip that has been put back past zero with its contact, when the drift of an
 * integration was corrected, has come to rest as far as the errors of the integration tell: whether closed contact i
 * has. The closed contacts take part in what happens, as they have moved until now; `jumped`: velocities have changed.
 */
bool pc_resolver_has_turned(const pc_resolver *resolver, int i);
pc_status pc_resolver_add_closed(const pc_resolver *resolver, bool jumped, pc_touching *touching, pc_error *err);

/* Everything that happens at t and y, for which the configuration has been made, to what touches. jam: a place whose
 * slip presses it, struck from v_n = 0; or -1. What was closed is in `before` then. *settled: if not, nothing comes of
 * it, and the contacts are as they were. */
pc_status pc_resolve(pc_resolver *resolver, pc_touching *touching, int jam, bool *settled, pc_error *err);

/* The same, quicker, where nothing is closed and one place touches alone, strikes, and leaves for more than a bounce
 * that is to be the last. *settled: if not, it is not so, and nothing has happened. */
pc_status pc_resolve_alone(pc_resolver *resolver, int place, const pc_touch *touch, bool *settled, pc_error *err);

/* What an impact of all that touches as one, by the joint rules of their laws, makes of the velocities u; it is not
 * told. */
pc_status pc_resolver_joint_jump(pc_resolver *resolver, const pc_touching *touching, double *u, pc_error *err);

/* What joints among all that touches rub with the impulses of their reactions, in the configuration after the jump that
 * was solved for last, makes of the velocities u; it is not told. */
pc_status pc_resolver_rub_jump(pc_resolver *resolver, const pc_touching *touching, double *u, pc_error *err);

/* What a contact gives back of a speed v: by its law, without friction. */
pc_status pc_resolver_restitution(const pc_resolver *resolver, int place, double v, double *e, pc_error *err);

/* accumulation.c: pc_bounces_left by the law of a place. */
pc_status pc_resolver_bounces(const pc_resolver *resolver, int place, double v, double *left, pc_error *err);

/* accumulation.c: after an instant at which a contact has struck first, with v_n = v0, and left with v1 (NaN: as it
 * does now), see whether impacts accumulate; then what touches is added for an instant without v_n. */
pc_status pc_resolver_accumulate(pc_resolver *resolver, int place, double v0, double v1, pc_touching *touching,
                                 pc_error *err);

/* impulse_step.c: how long a step is that changes velocities by a share of the greatest, and is over before half of the
 * time until something else strikes; and the velocities after it: of loads, and of impulses with which the contacts
 * answer them, without restitution. */
pc_status pc_impulse_step_length(pc_resolver *resolver, const pc_touching *touching, double share, double *h,
                                 pc_error *err);
pc_status pc_impulse_step(pc_resolver *resolver, const pc_touching *touching, double h, pc_error *err);

/* All that touches as one problem. */
pc_joint_impact *pc_resolver_meet(pc_resolver *resolver, const pc_touching *touching);

#endif
