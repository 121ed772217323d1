/* See fixed_point.h. */
#include "math/fixed_point.h"

#include "math/linsolve.h"

#include <math.h>

/* Newton's method would take a few; what needs more has no fixed point, or g is not smooth there. */
enum { ROUNDS = 60, MEMORY = PC_FIXED_POINT_MEMORY };

/* Where errors below this share no longer shrink, they are the rounding of g: a linear system in it that leaves no more
 * than six digits would leave less. */
static const double BLURRED = 1e-10;

/* Changes of the error that are this share of others tell nothing of their own. */
static const double ALIKE = 1e-10;

/* Of round k before this one, of a variable. */
static double *before(const pc_fixed_point *p, double *list, int i, int k)
{
    return &list[i * MEMORY + (p->round - k) % MEMORY];
}

/* Shares of the last m rounds with which their changes of the error make up most of it: least squares. */
static void find_shares(const pc_fixed_point *p, int m, double share[MEMORY])
{
    double A[MEMORY * (MEMORY + 1)];
    int order[MEMORY];
    for (int a = 0; a < m; a++) {
        double *row = A + a * (m + 1);
        for (int b = 0; b <= m; b++) row[b] = 0;
        for (int i = 0; i < p->n; i++) {
            const double f = p->g[i] - p->x[i], change = f - *before(p, p->lack, i, a + 1);
            for (int b = 0; b < m; b++) row[b] += change * (f - *before(p, p->lack, i, b + 1));
            row[m] += change * f;
        }
    }
    pc_solve_dependent(A, m, 1, ALIKE, false, share, order);
}

bool pc_fixed_point_next(pc_fixed_point *p, double within, double size)
{
    double most = size, worst = 0, share[MEMORY];
    for (int i = 0; i < p->n; i++) {
        most = fmax(most, fabs(p->g[i]));
        worst = fmax(worst, fabs(p->g[i] - p->x[i]));
    }
    if (p->round == 0) p->first = most;
    p->grown = p->first > 0 ? most / p->first : 1;
    const bool shrinks = p->round == 0 || worst < p->worst;
    if (worst <= within * most || (worst <= BLURRED * most && !shrinks)) return false;
    p->worst = worst;
    int m = p->round < MEMORY ? p->round : MEMORY - 1;
    if (m > p->n) m = p->n;
    if (p->round < p->plain) m = 0;
    find_shares(p, m, share);
    for (int i = 0; i < p->n; i++) {
        double next = p->g[i];
        for (int k = 0; k < m; k++) next -= share[k] * (p->g[i] - *before(p, p->last, i, k + 1));
        *before(p, p->lack, i, 0) = p->g[i] - p->x[i];
        *before(p, p->last, i, 0) = p->g[i];
        p->x[i] = next >= 0 ? next : p->g[i]; /* where it bends, the line may meet x below zero */
    }
    p->failed = ++p->round > ROUNDS || isnan(worst);
    return !p->failed;
}
