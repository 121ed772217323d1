/* The fixed point x = g(x) of a function: each round takes g in place of x, less what the last rounds tell of the error
 * that is left (Anderson, J. ACM 12 (1965)). Where g is linear as many rounds as there are variables, and one more,
 * find it, whether g follows x by less than x changes or not. */
#ifndef PC_MATH_FIXED_POINT_H
#define PC_MATH_FIXED_POINT_H

#include <stdbool.h>

/* Rounds that are remembered. */
enum { PC_FIXED_POINT_MEMORY = 4 };

typedef struct pc_fixed_point {
    int n, round, plain; /* plain: g alone is taken for the first so many rounds, which keeps to one side of bends */
    double *x, *g;       /* the caller's: where to begin, and then, each round, g there */
    double *lack, *last; /* workspace: g - x and g of the rounds before, PC_FIXED_POINT_MEMORY numbers for each */
    double worst;        /* error of the last round */
    double first, grown; /* greatest of the first round, and of the last one as a multiple of it */
    bool failed;         /* too many of them */
} pc_fixed_point;

/* With g known at x. True: x is the next place to ask at; false: it is the fixed point, up to the share `within` of the
 * greatest, or of the size of what it is a difference of, or to the rounding of g, or has failed. Variables are >= 0.
 */
bool pc_fixed_point_next(pc_fixed_point *at, double within, double size);

#endif
