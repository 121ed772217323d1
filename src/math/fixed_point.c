/* See fixed_point.h. */
#include "math/fixed_point.h"

#include <math.h>

/* A share of 0.7 leaves 1e-16 of the error after so many rounds without a memory; what needs more has none, or more
 * than one. */
enum { ROUNDS = 100 };

/* Where errors below this share no longer shrink, they are the rounding of g: a linear system in it that leaves no more
 * than six digits would leave less. */
static const double BLURRED = 1e-10;

bool pc_fixed_point_next(pc_fixed_point *p, double within)
{
    double most = 0, worst = 0, above = 0, below = 0;
    for (int i = 0; i < p->n; i++) {
        const double f = p->g[i] - p->x[i], change = p->round > 0 ? f - p->lack[i] : 0;
        most = fmax(most, fabs(p->g[i]));
        worst = fmax(worst, fabs(f));
        above += change * f;
        below += change * change;
    }
    const bool shrinks = p->round == 0 || worst < p->worst;
    if (worst <= within * most || (worst <= BLURRED * most && !shrinks)) return false;
    p->worst = worst;
    const double share = below > 0 ? above / below : 0;
    for (int i = 0; i < p->n; i++) {
        const double next = share == 0 ? p->g[i] : p->g[i] - share * (p->g[i] - p->last[i]);
        p->lack[i] = p->g[i] - p->x[i];
        p->last[i] = p->g[i];
        p->x[i] = fmax(next, 0);
    }
    p->failed = ++p->round > ROUNDS || isnan(worst);
    return !p->failed;
}
