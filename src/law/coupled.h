/* The coupled conservative Hertz law: see coupled.c. */
#ifndef PC_LAW_COUPLED_H
#define PC_LAW_COUPLED_H

#include "law/element.h"
#include "law/hertz.h"
#include "law/law.h"

typedef struct pc_coupled {
    pc_hertz hertz;
    double friction;
} pc_coupled;

extern const pc_law pc_law_coupled;
extern const pc_element pc_coupled_element;

/* Greatest |s|/u in stick; infinite where kappa mu^2 >= 1. */
double pc_coupled_cone(double kappa, double mu);

#endif
