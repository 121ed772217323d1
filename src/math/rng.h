/* Seeded random numbers: xoshiro256** of Blackman and Vigna (2018), state filled by splitmix64. The same seed gives
 * the same numbers everywhere. The state is the caller's, so runs never share one. */
#ifndef PC_MATH_RNG_H
#define PC_MATH_RNG_H

#include <stdint.h>

typedef struct pc_rng {
    uint64_t s[4];
} pc_rng;

void pc_rng_seed(pc_rng *rng, uint64_t seed);

/* 64 random bits. */
uint64_t pc_rng_next(pc_rng *rng);

/* Uniform in [0, 1), 53 bits; in [lo, hi). */
double pc_rng_uniform(pc_rng *rng);
double pc_rng_between(pc_rng *rng, double lo, double hi);

/* Uniform in 0 .. n - 1, without bias; n >= 1. */
uint64_t pc_rng_below(pc_rng *rng, uint64_t n);

#endif
