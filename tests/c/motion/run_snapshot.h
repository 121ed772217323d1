/* Snapshots of the state of a run, made of the members that state.def lists: what is not among them decides nothing. */
#ifndef PERCUSS_RUN_SNAPSHOT_H
#define PERCUSS_RUN_SNAPSHOT_H

#include "motion_scenes.h"
#include "motion/state.h"

static inline pc_rings *snapshot_of_rings(const pc_rings *rings)
{
    if (!rings) return NULL;
    pc_rings *copy = pc_rings_new((size_t)rings->n);
    ck_assert_ptr_nonnull(copy);
#define PC_RINGS_MEMBER(name) copy->name = rings->name;
#include "motion/state.def"
    memcpy(copy->ring, rings->ring, (size_t)rings->n * sizeof *rings->ring);
    return copy;
}

/* Make a state of the same scene, which is open, equal to another one. */
static inline void take_snapshot(pc_run_state *to, const pc_run_state *from)
{
    pc_error err = {0};
    must(pc_run_state_reserve(to, from->contacts.n + from->compliant.n, from->compliant.n, &err), &err);
    for (int i = 0; i < to->compliant.n; i++) pc_contact_close_rings(&to->compliant.contact[i].base);
    to->compliant.version++; /* whoever has measured its contacts measures them again */
    to->compliant.n = from->compliant.n;
    for (int i = 0; i < from->compliant.n; i++) {
        to->compliant.contact[i] = from->compliant.contact[i];
        to->compliant.contact[i].base.rings = snapshot_of_rings(from->compliant.contact[i].base.rings);
    }
    pc_contacts_copy(&to->contacts, &from->contacts);
#define PC_STATE_VALUE(type, name, count) memcpy(&to->name, &from->name, sizeof to->name);
#define PC_STATE_LIST(type, name, size) memcpy(to->name, from->name, pc_run_state_##size(from) * sizeof(type));
#define PC_ACCUMULATION_MEMBER(name)                                                                                   \
    memcpy(&to->accumulation.name, &from->accumulation.name, sizeof to->accumulation.name);
#include "motion/state.def"
}

/* To the last bit. */
#define DIFFERS(name) (memcmp(&a->name, &b->name, sizeof a->name) != 0)

static inline bool same_rings(const pc_rings *a, const pc_rings *b)
{
    if (!a || !b) return a == b;
    bool differ = a->n != b->n;
#define PC_RINGS_MEMBER(name) differ = differ || DIFFERS(name);
#include "motion/state.def"
    return !differ && memcmp(a->ring, b->ring, (size_t)a->n * sizeof *a->ring) == 0;
}

static inline bool same_contacts(const pc_compliant_contact *a, const pc_compliant_contact *b)
{
    bool differ = !same_rings(a->base.rings, b->base.rings);
#define PC_CLOSED_MEMBER(name) differ = differ || DIFFERS(name);
#include "motion/state.def"
    return !differ;
}

static inline bool same_memories(const pc_pair_memory *a, const pc_pair_memory *b)
{
    bool differ = false;
#define PC_MEMORY(type, name) differ = differ || DIFFERS(name);
#include "motion/state.def"
    return !differ;
}

static inline bool same_doubles(const double *a, const double *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static inline bool same_ints(const int *a, const int *b)
{
    return *a == *b;
}

static inline bool same_states(const pc_run_state *a, const pc_run_state *b)
{
    bool differ = DIFFERS(n_dof) || DIFFERS(n_pairs) || DIFFERS(contacts.n) || DIFFERS(compliant.n);
#define PC_STATE_VALUE(type, name, count) differ = differ || DIFFERS(name);
#define PC_ACCUMULATION_MEMBER(name) differ = differ || DIFFERS(accumulation.name);
#include "motion/state.def"
    for (int i = 0; !differ && i < a->contacts.n; i++) differ = DIFFERS(contacts.pair[i]) || DIFFERS(contacts.mode[i]);
    for (int i = 0; !differ && i < a->compliant.n; i++)
        differ = !same_contacts(&a->compliant.contact[i], &b->compliant.contact[i]);
#define SAME_OF(list) _Generic(list, double * : same_doubles, int * : same_ints, pc_pair_memory * : same_memories)
#define PC_STATE_LIST(type, name, size)                                                                                \
    for (size_t i = 0; !differ && i < pc_run_state_##size(a); i++) differ = !SAME_OF(a->name)(a->name + i, b->name + i);
#include "motion/state.def"
    return !differ;
}

#endif
