/* Closed forms of restitution: see restitution.h. */
#include "law/restitution.h"

#include "math/roots.h"

#include <math.h>

/* (a - ln(1 + a))/a^2 for any a > -1; series where the difference cancels. */
static double gap(double a)
{
    if (fabs(a) > 0.02) return (a - log1p(a)) / (a * a);
    double sum = 0;
    for (int n = 11; n >= 2; n--) sum = 1.0 / n - a * sum;
    return sum;
}

/* a - ln(1 + a) = -b - ln(1 - b) with b = e a, over a^2. */
static double balance_a(double a, void *context)
{
    double e = *(double *)context;
    return gap(a) - e * e * gap(-e * a);
}

double pc_hunt_crossley_a(double e)
{
    if (e == 1) return 0;
    /* b comes within exp(-1/e) of 1, where the right side is infinite: for the least e allowed, 0.05, 1e-9 */
    double high = (1 - 1e-12) / e, low = 0;
    return pc_root_between(balance_a, &e, low, balance_a(low, &e), high, balance_a(high, &e), 0);
}

double pc_tension_ratio(double e)
{
    double lost = -log(e);
    return lost / hypot(M_PI, lost);
}

double pc_clipped_e(double z)
{
    if (z == 1) return exp(-2);
    double root = sqrt(fabs((1 - z) * (1 + z)));
    return exp(-2 * z * (z < 1 ? acos(z) : acosh(z)) / root);
}

static double miss(double z, void *context)
{
    return pc_clipped_e(z) - *(double *)context;
}

double pc_clipped_ratio(double e)
{
    if (e == 1) return 0;
    double high = 1;
    while (pc_clipped_e(high) > e && high < 1e150) high *= 2; /* e falls as (2 z)^-2 */
    return pc_root_between(miss, &e, 0, 1 - e, high, pc_clipped_e(high) - e, 0);
}
