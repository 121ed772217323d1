/* An elastic sphere that strikes obliquely, v/c = 1e-4: time, nodes times steps per second, and how fast coefficients
 * are read for them beside what this machine reads from memory. Times are those of the processor, minima of repeats. */
#include "elastic/elastic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 3, COEFFICIENTS = 19 + 42 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes a second of a sum over more than caches hold. */
static double bandwidth(void)
{
    enum { N = 1 << 24 };
    double *x = malloc(N * sizeof *x), best = INFINITY, sum[8] = {0};
    if (!x) return NAN;
    for (int i = 0; i < N; i++) x[i] = 1;
    for (int r = 0; r < REPEATS; r++) {
        double t = now();
        for (int i = 0; i < N; i += 8)
            for (int k = 0; k < 8; k++) sum[k] += x[i + k];
        best = fmin(best, now() - t);
    }
    free(x);
    return sum[0] > 0 ? N * sizeof *x / best : NAN;
}

int main(void)
{
    const pc_elastic_body ball = {.shape = {.radius = 0.05}, .young = 70e9, .poisson = 0.3, .density = 2700};
    const double memory = bandwidth();
    printf("reading from memory: %.1f GB/s\n", memory * 1e-9);
    const int cells[] = {10, 14, 20};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        pc_elastic_request request = {
            .motion = {.approach = 0.5, .friction = 0.1}, .cells = cells[i], .tolerance = NAN};
        request.motion.vt = pc_elastic_unit(&ball, &request.motion);
        double best = INFINITY, work = 0;
        int steps = 0;
        for (int r = 0; r < REPEATS; r++) {
            pc_elastic_hit hit;
            double t = now();
            if (pc_elastic_collide(&ball, &request, &hit, NULL)) return 1;
            best = fmin(best, now() - t);
            work = hit.result.cell_steps, steps = hit.result.steps;
            pc_elastic_hit_free(&hit);
        }
        printf("oblique sphere, %2d cells: %6.3f s, %5d steps of %4.0f nodes, %5.1f million nodes a second, "
               "coefficients at %.1f times memory's rate\n",
               cells[i], best, steps, work / steps, work / best * 1e-6,
               work / best * COEFFICIENTS * sizeof(double) / memory);
    }
    return 0;
}
