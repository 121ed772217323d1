/* The rings that touch: contact without mass, solved anew at every step.
 *
 * w = w0 + S f, where S (symmetric, positive) is the compliance of the rings and w0 what the body's motion alone would
 * give. Sets of rings that touch, stick or slip change rarely, so they are followed: the factors of a set serve until
 * it changes. Where sets do not settle, Gauss and Seidel's method decides.
 */
#ifndef PC_ELASTIC_RINGS_H
#define PC_ELASTIC_RINGS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { PC_ELASTIC_RINGS_MOST = 130 };

typedef struct pc_elastic_rings {
    int n;
    const double *S; /* n x n; of rows `stride` apart */
    size_t stride;
    signed char state[PC_ELASTIC_RINGS_MOST]; /* pressing: 1 touches; rubbing: 0 sticks, +-1: friction pulls this way */
    signed char factored[PC_ELASTIC_RINGS_MOST]; /* members of the set whose factors are kept */
    bool kept;
    double *factor; /* room for n x n */
} pc_elastic_rings;

/* P >= 0, w0 + S P >= 0, one of them 0. The set of the last step is the first that is tried. */
pc_status pc_elastic_rings_press(pc_elastic_rings *rings, const double *w0, double *P, pc_error *err);

/* |Q| <= bound; w stays as it was (`old`) where |Q| < bound, and goes against Q elsewhere. Rings of bound 0 are free.
 */
pc_status pc_elastic_rings_rub(pc_elastic_rings *rings, const double *w0, const double *bound, const double *old,
                               double *Q, double *w, pc_error *err);

/* Normal and radial forces at once: S is of W of each ring, then of U of each; `gap` is added to W. f: both forces, on
 * entry those of the last step; w: both displacements. */
pc_status pc_elastic_rings_grip(int n, const double *S, const double *w0, const double *gap, double friction,
                                const double *old, double *f, double *w, pc_error *err);

#endif
