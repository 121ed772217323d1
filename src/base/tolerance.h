/* Tolerances by what they mean. What has one of these meanings is written with these functions; other constants belong
 * to a method and are derived where they stand. percuss --tolerances prints them. */
#ifndef PC_BASE_TOLERANCE_H
#define PC_BASE_TOLERANCE_H

#include <float.h>
#include <math.h>

/* A sum of n products is off by at most n eps times the sum of their sizes (Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, equation 3.5). A gap or a velocity is a sum over the links from the pivot to the contact, of two
 * products each, for both bodies: 64 are those of 16 links; the roundings of longer sums cancel for the most part. */
#define PC_ROUNDING (64 * DBL_EPSILON)

/* A time t + x h rounds by eps/2 of the larger of t and h each in its share x, in the product and in the sum, and so
 * does the other time that it is compared with: 3 eps in all. Rounded up to a power of two with room for one more. */
#define PC_INSTANT (8 * DBL_EPSILON)

/* Entries of a mobility or of a mass matrix round at a few eps, and what elimination or rotation leaves in the place of
 * a zero at n eps of the largest: 5e-15 for 24 coordinates, more than two decades below. A matrix whose true pivot is
 * smaller has lost its meaning in double precision: x is known to eps/1e-12 = 2e-4 of itself. */
#define PC_RANK_TOLERANCE 1e-12

/* The root of the rank: as far above it, in digits, as below 1. A pivot above this share of the largest is one however
 * pivots were chosen; an acceleration above it is one in whatever system it is solved for; and what is given this
 * weight, or this much play, to keep a system regular is far from both rounding and effect. */
#define PC_CLEARLY 1e-6

/* What rounding leaves of a sum whose terms have these sizes in all. */
static inline double pc_rounding(double sizes)
{
    return PC_ROUNDING * sizes;
}

/* Times within a step h from t on are one instant if they are no further apart; h = 0: times near t. */
static inline double pc_one_instant(double t, double h)
{
    return PC_INSTANT * fmax(fabs(t), fabs(h));
}

/* Pivots and eigenvalues up to this are zero beside the largest. */
static inline double pc_rank_bound(double largest)
{
    return PC_RANK_TOLERANCE * largest;
}

#endif
