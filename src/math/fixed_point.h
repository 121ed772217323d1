/* The fixed point x = g(x) of a function that changes x by less than x changes: each round takes g in place of x, less
 * what the last two rounds tell of the error that is left (Anderson, J. ACM 12 (1965), with a memory of one round). Of
 * one variable it is the secant method, which squares the error, nearly, in every round; without a memory the error
 * shrinks by the share with which g follows x. */
#ifndef PC_MATH_FIXED_POINT_H
#define PC_MATH_FIXED_POINT_H

#include <stdbool.h>

typedef struct pc_fixed_point {
    int n, round;
    double worst;        /* error of the last round */
    bool failed;         /* too many of them */
    double *x, *g;       /* the caller's: where to begin, and then, each round, g there */
    double *lack, *last; /* workspace: g - x and g of the round before */
} pc_fixed_point;

/* With g known at x. True: x is the next place to ask at; false: it is the fixed point, up to the share `within` of the
 * greatest or to the rounding of g, or has failed. Variables are >= 0. */
bool pc_fixed_point_next(pc_fixed_point *at, double within);

#endif
