/* Power laws with damping in proportion to the elastic force: Hunt and Crossley's, and Lankarani and Nikravesh's. */
#ifndef PC_LAW_HUNT_CROSSLEY_H
#define PC_LAW_HUNT_CROSSLEY_H

#include "law/element.h"

typedef struct pc_power {
    double k, p;
} pc_power;

typedef struct pc_hunt_crossley {
    pc_power power;
    double damping, restitution;
    pc_tangential_choice tangential;
    bool near_one; /* zeta by Lankarani and Nikravesh's rule */
} pc_hunt_crossley;

#endif
