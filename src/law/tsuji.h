/* Tsuji's law: see tsuji.c. */
#ifndef PC_LAW_TSUJI_H
#define PC_LAW_TSUJI_H

#include "law/element.h"
#include "law/hertz.h"
#include "law/law.h"

typedef struct pc_tsuji {
    pc_hertz hertz;
    double alpha, restitution;
    pc_tangential_choice tangential;
} pc_tsuji;

extern const pc_law pc_law_tsuji;

#endif
