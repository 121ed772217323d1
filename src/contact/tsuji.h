/* Tsuji's law: see tsuji.c. */
#ifndef PC_CONTACT_TSUJI_H
#define PC_CONTACT_TSUJI_H

#include "contact/element.h"
#include "contact/hertz.h"
#include "contact/law.h"

typedef struct pc_tsuji {
    pc_hertz hertz;
    double alpha, restitution;
    pc_tangential_choice tangential;
} pc_tsuji;

extern const pc_law pc_law_tsuji;

#endif
