/* Closed forms of restitution in a central impact. */
#ifndef PC_LAW_RESTITUTION_H
#define PC_LAW_RESTITUTION_H

#include "base/row.h"

/* Row of laws that may be told the restitution of a central impact instead of what makes them lose energy, another row
 * of the group; after the text the range that is allowed. */
#define PC_RESTITUTION_ROW(type, group_, text, ...)                                                                    \
    {                                                                                                                  \
        .name = "restitution", .role = PC_RESTITUTION, .symbol = "e", PC_MEMBER(type, restitution),                    \
        .initial = PC_ABSENT, .allowed = __VA_ARGS__, .group = group_, .doc = text                                     \
    }

/* Hunt and Crossley: a = zeta v_in at which e is achieved, 0.05 <= e <= 1. */
double pc_hunt_crossley_a(double e);

/* Spring and dashpot: the damping ratio that gives e. Tension: until u = 0; clipped: until F = 0, and e of that. */
double pc_tension_ratio(double e);
double pc_clipped_ratio(double e);
double pc_clipped_e(double z);

#endif
