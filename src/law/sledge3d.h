/* The stick-slip law with linear springs in space: see sledge3d.c. */
#ifndef PC_LAW_SLEDGE3D_H
#define PC_LAW_SLEDGE3D_H

#include "law/law.h"

typedef struct pc_sledge3d {
    double kn, kt, eta, mu, restitution;
} pc_sledge3d;

extern const pc_law pc_law_sledge3d;

#endif
