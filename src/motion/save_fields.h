/* What the records of a run consist of, in the order of the file: see save.c. */
#ifndef PC_MOTION_SAVE_FIELDS_H
#define PC_MOTION_SAVE_FIELDS_H

#include "motion/run.h"

#include <stddef.h>

/* Every kind takes 8 bytes in the file. WORD: one of an enumeration, which may be an index to what it is called. */
typedef enum kind { REAL, INT, UNSIGNED, SIGN, FLAG, SIZE, WORD } kind;

/* `count` members of one kind at an offset. */
typedef struct field {
    size_t offset;
    kind kind;
    int count;
    int last; /* greatest value of a WORD */
} field;

#define FIELD(type, member, kind, count)                                                                               \
    {                                                                                                                  \
        offsetof(type, member), kind, count, 0                                                                         \
    }
#define FIELD_WORD(type, member, last)                                                                                 \
    {                                                                                                                  \
        offsetof(type, member), WORD, 1, last                                                                          \
    }
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const field run_fields[] = {
    FIELD(pc_run, history.t0, REAL, 1),
    FIELD(pc_run, state.t, REAL, 1),
    FIELD(pc_run, state.begun, FLAG, 1),
    FIELD_WORD(pc_run, state.stop, PC_RUN_BROKEN),
    FIELD(pc_run, state.stop_event, INT, 1),
    FIELD(pc_run, state.contacts.n, INT, 1),
    FIELD(pc_run, state.contacts.pair, INT, PC_CLOSED),
    FIELD(pc_run, state.contacts.mode, INT, PC_CLOSED),
    FIELD(pc_run, state.work, REAL, 4),
    FIELD(pc_run, state.lost, REAL, 1),
    FIELD(pc_run, state.energy0, REAL, 1),
    FIELD(pc_run, state.sprung, REAL, 1),
    FIELD(pc_run, state.compliant.n, INT, 1),
    FIELD(pc_run, state.recent, REAL, 5),
    FIELD(pc_run, state.recent_pair, INT, 4),
    FIELD(pc_run, state.bouncing, REAL, 8),
    FIELD(pc_run, state.h_next, REAL, 1),
    FIELD(pc_run, rtol, REAL, 1),
    FIELD(pc_run, history.statistics.steps, SIZE, 1),
    FIELD(pc_run, history.statistics.rejected, SIZE, 1),
    FIELD(pc_run, history.statistics.rhs_calls, SIZE, 1),
    FIELD(pc_run, history.statistics.jacobians, SIZE, 1),
    FIELD(pc_run, history.statistics.factorizations, SIZE, 1),
};

static const field memory_fields[] = {
    FIELD(pc_pair_memory, greatest_speed, REAL, 1), FIELD(pc_pair_memory, residual, REAL, 1),
    FIELD(pc_pair_memory, permanent, FLAG, 1),      FIELD(pc_pair_memory, last_impact, REAL, 1),
    FIELD(pc_pair_memory, low_bounce, FLAG, 1),     FIELD(pc_pair_memory, riding, REAL, 1),
    FIELD(pc_pair_memory, feature, SIGN, 1),        FIELD(pc_pair_memory, face, SIGN, 1),
};

static const field arc_fields[] = {
    FIELD(pc_arc, t, REAL, 1), FIELD(pc_arc, h, REAL, 1),     FIELD(pc_arc, stop, REAL, 1),
    FIELD(pc_arc, n, INT, 1),  FIELD(pc_arc, degree, INT, 1), FIELD(pc_arc, coefficient, SIZE, 1),
};

static const field arc_record_fields[] = {
    FIELD(pc_arc_record, modes, SIZE, 1),   FIELD(pc_arc_record, work, REAL, 4),
    FIELD(pc_arc_record, lost, REAL, 1),    FIELD(pc_arc_record, sprung, REAL, 1),
    FIELD(pc_arc_record, pressed, SIZE, 1), FIELD(pc_arc_record, n_pressed, SIZE, 1),
};

/* Constants of the law are made again from the scene. */
static const field pressed_fields[] = {
    FIELD(pc_run_contact, pair, INT, 1),
    FIELD(pc_run_contact, feature, INT, 1),
    FIELD(pc_run_contact, press.stuck, FLAG, 1),
    FIELD(pc_run_contact, press.sign, INT, 1),
    FIELD(pc_run_contact, press.branch, INT, 1),
    FIELD(pc_run_contact, press.memory, REAL, 1),
    FIELD(pc_run_contact, press.kink_side, INT, 1),
    FIELD(pc_run_contact, press.fresh, FLAG, 1),
    FIELD(pc_run_contact, press.armed, FLAG, 1),
    FIELD(pc_run_contact, press.backward, REAL, 1),
    FIELD(pc_run_contact, press.parting, REAL, 1),
    FIELD(pc_run_contact, residual, REAL, 1),
    FIELD(pc_run_contact, mass, REAL, 1),
    FIELD(pc_run_contact, speed, REAL, 1),
    FIELD(pc_run_contact, length, REAL, 1),
    FIELD(pc_run_contact, hit, SIZE, 1),
};

/* Histories of closed contacts. */
static const field rings_fields[] = {
    FIELD(pc_rings, mu, REAL, 1),   FIELD(pc_rings, stiffness, REAL, 1), FIELD(pc_rings, width, REAL, 1),
    FIELD(pc_rings, time, REAL, 1), FIELD(pc_rings, wanted, INT, 1),     FIELD(pc_rings, u, REAL, 1),
    FIELD(pc_rings, z, REAL, 1),    FIELD(pc_rings, step, REAL, 1),
};

static const field ring_fields[] = {
    FIELD(pc_ring, depth, REAL, 1), FIELD(pc_ring, width, REAL, 1),  FIELD(pc_ring, stretch, REAL, 1),
    FIELD(pc_ring, edge, REAL, 1),  FIELD(pc_ring, moment, REAL, 1),
};

static const field press_fields[] = {
    FIELD(pc_impact_history, stop, REAL, 1),      FIELD(pc_impact_history, peak, REAL, 2),
    FIELD(pc_impact_history, peak_time, REAL, 2), FIELD(pc_impact_history, work, REAL, 3),
    FIELD(pc_impact_history, phase, SIGN, 8),
};

static const field modes_fields[] = {
    FIELD(pc_modes, n, INT, 1),
    FIELD(pc_modes, pair, INT, PC_CLOSED),
    FIELD(pc_modes, mode, SIGN, PC_CLOSED),
    FIELD(pc_modes, feature, SIGN, PC_CLOSED),
};

static const field hit_fields[] = {
    FIELD(pc_impact_record, t, REAL, 1),
    FIELD(pc_impact_record, pair, INT, 1),
    FIELD(pc_impact_record, order, INT, 1),
    FIELD(pc_impact_record, W.tt, REAL, 1),
    FIELD(pc_impact_record, W.tn, REAL, 1),
    FIELD(pc_impact_record, W.nn, REAL, 1),
    FIELD_WORD(pc_impact_record, W.rank, 2),
    FIELD(pc_impact_record, v0, REAL, 2),
    FIELD(pc_impact_record, v1, REAL, 2),
    FIELD(pc_impact_record, impulse, REAL, 2),
    FIELD(pc_impact_record, energy0, REAL, 1),
    FIELD(pc_impact_record, energy1, REAL, 1),
    FIELD_WORD(pc_impact_record, outcome, PC_OUTCOME_NONE),
    FIELD(pc_impact_record, flags, UNSIGNED, 1),
    FIELD(pc_impact_record, n_phases, INT, 1),
    FIELD_WORD(pc_impact_record, rule, PC_RULE_SEQUENTIAL),
    FIELD(pc_impact_record, states, SIZE, 1),
    FIELD(pc_impact_record, pressed, FLAG, 1),
    FIELD(pc_impact_record, press, SIZE, 1),
};

static const field event_fields[] = {
    FIELD(pc_event_record, t, REAL, 1),      FIELD_WORD(pc_event_record, kind, PC_EVENT_KINDS - 1),
    FIELD(pc_event_record, pair, INT, 1),    FIELD(pc_event_record, mode, INT, 1),
    FIELD(pc_event_record, impact, SIZE, 1), FIELD(pc_event_record, ratio, REAL, 1),
};

/* The recorded lists in their order in the file; without fields: doubles. */
typedef struct list {
    size_t offset; /* of the pool */
    size_t size;   /* of one element */
    const field *fields;
    size_t n_fields;
} list;

static const field double_fields[] = {{0, REAL, 1, 0}};

#define LIST(pool, type, fields)                                                                                       \
    {                                                                                                                  \
        offsetof(pc_run, history.pool), sizeof(type), fields, COUNT(fields)                                            \
    }

static const list lists[] = {
    LIST(trajectory.arcs, pc_arc, arc_fields),      LIST(trajectory.coefficients, double, double_fields),
    LIST(arcs, pc_arc_record, arc_record_fields),   LIST(modes, pc_modes, modes_fields),
    LIST(hits, pc_impact_record, hit_fields),       LIST(states, double, double_fields),
    LIST(events, pc_event_record, event_fields),    LIST(pressed, pc_run_contact, pressed_fields),
    LIST(presses, pc_impact_history, press_fields),
};

/* A new member of these belongs in the lists above, in holds_together of save.c if it counts something or points to it,
 * and then the version of the format changes. (The sizes are those of
 * 64-bit machines; the file is the same everywhere.) */
#define IS_WHOLE(type, size) _Static_assert(sizeof(void *) != 8 || sizeof(type) == (size), "see the fields of " #type)
IS_WHOLE(pc_run, 41240);
IS_WHOLE(pc_pair_memory, 56);
IS_WHOLE(pc_arc, 40);
IS_WHOLE(pc_arc_record, 72);
IS_WHOLE(pc_modes, 388);
IS_WHOLE(pc_impact_record, 176);
IS_WHOLE(pc_event_record, 40);
IS_WHOLE(pc_run_contact, 232);
IS_WHOLE(pc_impact_history, 72);
IS_WHOLE(pc_rings, 80);
IS_WHOLE(pc_ring, 40);

#endif
