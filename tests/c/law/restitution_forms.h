/* Restitution of central impacts in closed form, by the damping or the yield: what laws have to achieve. */
#ifndef TESTS_RESTITUTION_FORMS_H
#define TESTS_RESTITUTION_FORMS_H

#include "math/roots.h"

#include <math.h>

/* (a - ln(1 + a))/a^2 for any a > -1; series where the difference cancels. */
static inline double form_gap(double a)
{
    if (fabs(a) > 0.02) return (a - log1p(a)) / (a * a);
    double sum = 0;
    for (int n = 11; n >= 2; n--) sum = 1.0 / n - a * sum;
    return sum;
}

/* Of Hunt and Crossley's law: a - ln(1 + a) = -b - ln(1 - b) with b = e a, over a^2. */
static inline double form_balance(double e, void *context)
{
    double a = *(double *)context;
    return form_gap(a) - e * e * form_gap(-e * a);
}

static inline double hunt_crossley_e(double a)
{
    if (a == 0) return 1;
    double high = fmin(1, (1 - 1e-12) / a);
    return pc_root_between(form_balance, &a, 0, form_balance(0, &a), high, form_balance(high, &a), 0);
}

/* Of a spring and dashpot that pulls, z < 1. */
static inline double tension_e(double z)
{
    return exp(-M_PI * z / sqrt((1 - z) * (1 + z)));
}

/* Of Thornton's law: x the speed of yield over that of the impact. */
static inline double thornton_e(double x)
{
    if (x >= 1) return 1;
    double tail = x / (x + 2 * sqrt(1.2 - x * x / 5));
    return sqrt(1.2 * sqrt(3)) * sqrt(1 - x * x / 6) * sqrt(sqrt(tail));
}

#endif
