/* Inside of tangent.h: an instant at which contacts change. */
#ifndef PC_MOTION_VARIATION_SALTATION_H
#define PC_MOTION_VARIATION_SALTATION_H

#include "motion/variation/internal.h"

/* Displacements and speeds below this share of what they are compared with are zero, and those that differ by less are
 * the same: differences of laws that integrate are known to some 1e-9, and chains of impacts multiply that. */
#define PC_SAME 1e-6

typedef struct pc_instant {
    double t;
    size_t first, last; /* events */
    int n, *pair;       /* impacts, in their order: in the carrier's list */
    bool together;
    const pc_contacts *after;     /* that are closed then */
    const pc_closed_pair *closed; /* the same, with the parts of the outlines to which they hold */
} pc_instant;

static inline int pc_instant_find(const pc_contacts *contacts, int pair)
{
    int i = 0;
    while (i < contacts->n && contacts->pair[i] != pair) i++;
    return i < contacts->n ? i : -1;
}

/* One more contact, the i-th of another list. */
static inline void pc_instant_add(pc_contacts *contacts, const pc_contacts *from, int i)
{
    contacts->pair[contacts->n] = from->pair[i];
    contacts->mode[contacts->n++] = from->mode[i];
}

static inline const char *pc_instant_name(const pc_carrier *c, int pair)
{
    return c->run->scene->pairs[pair].name;
}

/* Whether something was told of a pair then. */
bool pc_instant_tells(const pc_carrier *c, const pc_instant *now, pc_event_kind kind, int pair);

pc_status pc_instant_refuse(const pc_carrier *c, const pc_instant *now, int pair, const char *why);

/* d += rates dt with the contacts that are closed. */
pc_status pc_carrier_shift(pc_carrier *c, double t, const double *y, double dt);

/* What is closed after an instant, except what is struck at it or ends bouncing: contacts that were closed before, and
 * some that touched and now bear a load. These have to touch in a displaced motion, whose d is that at t + dt. They are
 * put into `kept_closed`. */
pc_status pc_instant_go_on(pc_carrier *c, const pc_instant *now, double dt);

/* saltation_impacts.c: pass the impacts of an instant, from the state y, which becomes that after them. */
pc_status pc_instant_impact(pc_carrier *c, pc_instant *now);

#endif
