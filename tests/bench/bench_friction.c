/* Friction at several planar contacts: time per random tower of 2 to 30 contacts, minima of repeats. */
#include "cone_random.h"

#include <stdio.h>
#include <time.h>

enum { REPEATS = 5, PROBLEMS = 200 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    static cone_problem q[PROBLEMS];
    static const int bodies[] = {1, 4, 8, 15};
    for (int size = 0; size < 4; size++) {
        double least = INFINITY;
        pc_rng rng;
        pc_rng_seed(&rng, 1);
        for (int k = 0, got = 0; got < PROBLEMS; k++) {
            cone_random(&rng, bodies[size] == 1 ? CONE_BOX : CONE_TOWER, &q[got]);
            got += q[got].bodies == bodies[size];
        }
        for (int r = 0; r < REPEATS; r++) {
            double start = now();
            for (int k = 0; k < PROBLEMS; k++)
                if (!cone_solve(&q[k])) return 1;
            least = fmin(least, (now() - start) / PROBLEMS);
        }
        printf("friction at %d contacts of a tower: %.2f us\n", 2 * bodies[size], 1e6 * least);
    }
    return 0;
}
