/* Rigid impacts: time of one impact in the plane and in space, beside the closed-form linear law. Minimum of repeats.
 */
#include "engine/collide.h"
#include "law/law.h"
#include "law/linear/linear.h"
#include "law/rigid/rigid.h"
#include "rng.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

extern const pc_law pc_law_poisson, pc_law_stronge, pc_law_newton;

enum { N = 1000, REPEATS = 40 };

typedef struct sample {
    pc_mobility W;
    double v0[3];
    pc_rigid rigid;
    pc_linear linear;
} sample;

static sample samples[N];

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Random free bodies, planar or spatial, with friction and motions that give slip, stick and reversal. */
static void draw(bool spatial)
{
    pc_rng rng;
    pc_rng_seed(&rng, 1);
    for (int i = 0; i < N; i++) {
        double x = pc_rng_between(&rng, -1, 1), z = pc_rng_between(&rng, -1, 1), y = pc_rng_between(&rng, -1, 1);
        double mu = pc_rng_between(&rng, 0, 1), J = pc_rng_between(&rng, 0.2, 1);
        sample *s = &samples[i];
        /* unit mass, inertia J about every axis, arm (x, z, y): W = 1 + (r.r - r r^T)/J */
        s->W = (pc_mobility){.tt = 1 + z * z / J, .tn = -x * z / J, .nn = 1 + x * x / J, .rank = 2};
        if (spatial) {
            s->W = (pc_mobility){.tt = 1 + (z * z + y * y) / J,
                                 .tn = -x * z / J,
                                 .nn = 1 + (x * x + y * y) / J,
                                 .t2t2 = 1 + (x * x + z * z) / J,
                                 .tt2 = -x * y / J,
                                 .t2n = -z * y / J,
                                 .rank = 3};
        }
        double v_t = pc_rng_between(&rng, -1, 1), v_t2 = pc_rng_between(&rng, -1, 1);
        s->v0[PC_T] = v_t;
        s->v0[PC_N] = -1;
        s->v0[PC_T2] = spatial ? v_t2 : 0;
        s->rigid = (pc_rigid){.restitution = {.value = pc_rng_between(&rng, 0, 1)}, .coulomb = {mu, mu}};
        s->linear = (pc_linear){.kn = 1, .kt = 1 / 1.21, .eta = 1.21, .mu = mu, .restitution = 1};
    }
}

static double measure(const pc_law *law, bool linear, double *checksum)
{
    double best = INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        double sum = 0, start = seconds();
        for (int i = 0; i < N; i++) {
            const sample *s = &samples[i];
            pc_impact hit;
            pc_impact_init(&hit);
            if (!pc_law_impact(law, linear ? (const void *)&s->linear : &s->rigid, &s->W, s->v0, &hit, NULL))
                sum += hit.v1[PC_N];
            pc_impact_free(&hit);
        }
        best = fmin(best, (seconds() - start) / N);
        *checksum = sum;
    }
    return best;
}

int main(void)
{
    static const struct {
        const char *name;
        const pc_law *law;
    } laws[] = {{"newton", &pc_law_newton}, {"poisson", &pc_law_poisson}, {"stronge", &pc_law_stronge}};
    double checksum;
    for (int spatial = 0; spatial < 2; spatial++) {
        draw(spatial);
        for (int i = 0; i < 3; i++) {
            double t = measure(laws[i].law, false, &checksum);
            printf("%-8s %-8s %8.1f ns   (sum %.12g)\n", laws[i].name, spatial ? "spatial" : "planar", 1e9 * t,
                   checksum);
        }
    }
    draw(false);
    double t = measure(&pc_law_linear, true, &checksum);
    printf("%-8s %-8s %8.1f ns   (sum %.12g)\n", "linear", "planar", 1e9 * t, checksum);
    return 0;
}
