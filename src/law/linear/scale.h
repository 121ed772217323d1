/* From SI to the scaled problem of linear/problem.h and back. */
#ifndef PC_LAW_LINEAR_SCALE_H
#define PC_LAW_LINEAR_SCALE_H

#include "law/linear/problem.h"
#include "math/mobility.h"

#include <stdbool.h>

/* What one scaled unit is in SI; `mirror` is -1 if the tangent was turned round. */
typedef struct pc_linear_scale {
    double time, velocity, length, force, impulse, work, mirror;
} pc_linear_scale;

/* One impact in SI units, v_n < 0. rank as in pc_mobility; 0: judged here, by the same tolerance. */
typedef struct pc_linear_given {
    double w_tt, w_tn, w_nn, v_t, v_n, kn, eta, mu, restitution;
    int rank;
} pc_linear_given;

/* Fill the first seven fields of a problem. False if W is not positive semi-definite or w_nn is not positive. */
bool pc_linear_scale_problem(const pc_linear_given *given, double problem[7], pc_linear_scale *scale);

#endif
