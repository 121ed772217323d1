/* Where the points of a sweep lie: every coordinate is a function of the point's number alone, so that a shard of a
 * sweep needs nothing of the others.
 *
 * A grid runs through its last axis fastest. Samplings give numbers in [0, 1) for point i (from 0) and coordinate d.
 */
#ifndef PC_SWEEP_SAMPLE_H
#define PC_SWEEP_SAMPLE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PC_SOBOL_DIMENSIONS = 21 };

typedef enum pc_sampling { PC_SAMPLE_RANDOM, PC_SAMPLE_SOBOL, PC_SAMPLE_LATIN } pc_sampling;

/* The coordinate of point i:
 *
 * random  independent uniform numbers;
 * sobol   Sobol's sequence (1967) with the direction numbers of Joe and Kuo (2008), shifted digitally by the seed:
 *         every aligned run of 2^k points stays a net; d < PC_SOBOL_DIMENSIONS;
 * latin   one point in each of n equal parts of the axis, at a random place in it (McKay, Beckman and Conover 1979).
 */
double pc_sample(pc_sampling kind, uint64_t seed, unsigned d, uint64_t i, uint64_t n);

/* The coordinates of `count` points first, first + stride, ...: the same numbers, faster. */
void pc_sample_column(pc_sampling kind, uint64_t seed, unsigned d, uint64_t n, uint64_t first, uint64_t stride,
                      size_t count, double *out);

/* Image of i under a pseudo-random permutation of 0 .. n - 1 that the seed picks. */
uint64_t pc_sample_permute(uint64_t seed, uint64_t i, uint64_t n);

/* 64 bits that depend on all of the three. */
uint64_t pc_sample_hash(uint64_t seed, uint64_t a, uint64_t b);

/* Direction numbers of Sobol coordinate d: v[k] is that of bit k of the Gray code, in units of 2^-64. */
void pc_sample_directions(unsigned d, uint64_t v[64]);

#endif
