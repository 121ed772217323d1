/* Seeded random numbers: xoshiro256** of Blackman and Vigna (2018), state filled by splitmix64. The same seed gives
 * the same numbers everywhere. The state is the caller's, so runs never share one. */
#ifndef PC_TESTS_RNG_H
#define PC_TESTS_RNG_H

#include <stdint.h>

typedef struct pc_rng {
    uint64_t s[4];
} pc_rng;

static inline void pc_rng_seed(pc_rng *rng, uint64_t start)
{
    for (int i = 0; i < 4; i++) {
        start += 0x9e3779b97f4a7c15u;
        uint64_t z = start;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        rng->s[i] = z ^ (z >> 31);
    }
}

static inline uint64_t pc_rng_rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* 64 random bits. */
static inline uint64_t pc_rng_next(pc_rng *rng)
{
    uint64_t *s = rng->s, result = pc_rng_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = pc_rng_rotate(s[3], 45);
    return result;
}

/* Uniform in [0, 1), 53 bits; in [lo, hi). */
static inline double pc_rng_uniform(pc_rng *rng)
{
    return (double)(pc_rng_next(rng) >> 11) * 0x1p-53;
}

static inline double pc_rng_between(pc_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * pc_rng_uniform(rng);
}

/* Uniform in 0 .. n - 1, without bias; n >= 1. */
static inline uint64_t pc_rng_below(pc_rng *rng, uint64_t n)
{
    uint64_t reject = (0 - n) % n, x; /* 2^64 mod n: what would favour small results */
    do x = pc_rng_next(rng);
    while (x < reject);
    return x % n;
}

#endif
