/* Neumaier's variant of Kahan's compensated sum (ZAMM 54, 1974, 39-51): the low-order part lost by each addition is
 * kept and added at the end. Its error is one rounding of the result plus about n eps^2 sum|x|, so that for any array
 * that fits into memory only the rounding remains, unless the terms cancel to that degree. */
#ifndef PC_MATH_COMPENSATED_H
#define PC_MATH_COMPENSATED_H

#include <math.h>

typedef struct pc_compensated {
    double sum, lost;
} pc_compensated;

static inline void pc_compensated_add(pc_compensated *a, double x)
{
    double sum = a->sum + x;
    a->lost += fabs(a->sum) >= fabs(x) ? (a->sum - sum) + x : (x - sum) + a->sum;
    a->sum = sum;
}

/* Where the sum itself is infinite or NaN the lost part means nothing (inf - inf). */
static inline double pc_compensated_total(pc_compensated a)
{
    return isfinite(a.sum) ? a.sum + a.lost : a.sum;
}

#endif
