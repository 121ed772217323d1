/* The points of a sweep: where they lie, which of them this process computes, and how far it is. */
#ifndef PC_SWEEP_PLAN_H
#define PC_SWEEP_PLAN_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Where the points of a sweep lie: every coordinate is a function of the point's number alone, so that a shard of a
 * sweep needs nothing of the others.
 *
 * A grid runs through its last axis fastest. Samplings give numbers in [0, 1) for point i (from 0) and coordinate d.
 */

enum { PC_SOBOL_DIMENSIONS = 21 };

typedef enum pc_sampling { PC_SAMPLE_RANDOM, PC_SAMPLE_SOBOL, PC_SAMPLE_LATIN } pc_sampling;

/* The coordinates of `count` points first, first + stride, ...:
 *
 * random  independent uniform numbers;
 * sobol   Sobol's sequence (1967) with the direction numbers of Joe and Kuo (2008), shifted digitally by the seed:
 *         every aligned run of 2^k points stays a net; d < PC_SOBOL_DIMENSIONS;
 * latin   one point in each of n equal parts of the axis, at a random place in it (McKay, Beckman and Conover 1979).
 */
void pc_sample_column(pc_sampling kind, uint64_t seed, unsigned d, uint64_t n, uint64_t first, uint64_t stride,
                      size_t count, double *out);

/* Image of i under a pseudo-random permutation of 0 .. n - 1 that the seed picks. */
uint64_t pc_sample_permute(uint64_t seed, uint64_t i, uint64_t n);

/* 64 bits that depend on all of the three. */
uint64_t pc_sample_hash(uint64_t seed, uint64_t a, uint64_t b);

/* Direction numbers of Sobol coordinate d: v[k] is that of bit k of the Gray code, in units of 2^-64. */
void pc_sample_directions(unsigned d, uint64_t v[64]);

/* Shard i of n takes the points i, i + n, i + 2n, ...: neighbours cost about the same, so shards end at about the same
 * time. */

/* index from 1 to count. The whole sweep is 1 of 1. */
typedef struct pc_shard {
    uint64_t index, count;
} pc_shard;

/* "2/8". */
pc_status pc_shard_parse(const char *text, pc_shard *shard, pc_error *err);

/* What the launcher says in the environment: mpirun (Open MPI, or MPICH and its kin by PMI), srun, or the array of a
 * job (Slurm, Grid Engine). 1 of 1 where there is none. *launcher: the variable that said so, or NULL. */
pc_status pc_shard_of_environment(pc_shard *shard, const char **launcher, pc_error *err);

/* How many of n points are the shard's. */
uint64_t pc_shard_size(pc_shard shard, uint64_t n);

/* How far a sweep is, as text for a person or a line for a program. Nothing here writes: the binding does. */

typedef struct pc_progress {
    const char *name;
    uint64_t total;   /* points of this process's part */
    uint64_t skipped; /* that were done before */
    uint64_t done;    /* now */
    uint64_t failed;  /* among those done now */
    double seconds;   /* since the start */
    double rate;      /* points a second, smoothed */
    double rated_at;  /* when `rate` was last brought up to date, and how many were done then; the module's alone */
    uint64_t rated_done;
} pc_progress;

/* Bring the rate up to date; asked a few times a second. */
void pc_progress_update(pc_progress *progress, double seconds);

/* "wedge: 52340 of 1000000 (5 %), 10400/s, 1 min 31 s left, 3 failed" */
void pc_progress_line(const pc_progress *progress, char *text, size_t size);

/* One JSON object without line end: sweep, state, total, skipped, done, failed, seconds, rate, left (null: unknown). */
void pc_progress_json(const pc_progress *progress, const char *state, char *text, size_t size);

/* "1 h 02 min", "3 min 20 s", "12 s" */
void pc_progress_duration(double seconds, char *text, size_t size);

#endif
