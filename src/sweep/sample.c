/* Where the points of a sweep lie: see sample.h. */
#include "sweep/sample.h"

/* Joe and Kuo (2008), file new-joe-kuo-6: for coordinates 2, 3, ... the degree s of a primitive polynomial over GF(2),
 * its inner coefficients as bits, and the first direction integers m. */
static const struct {
    unsigned s, a;
    uint64_t m[7];
} primitive[PC_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/* Bratley and Fox (1988), eqs 2 and 3, with v = m/2^(k+1) in 64 binary places. The first coordinate is van der
 * Corput's. */
void pc_sample_directions(unsigned d, uint64_t v[64])
{
    if (d == 0) {
        for (unsigned k = 0; k < 64; k++) v[k] = UINT64_C(1) << (63 - k);
        return;
    }
    unsigned s = primitive[d - 1].s, a = primitive[d - 1].a;
    for (unsigned k = 0; k < s; k++) v[k] = primitive[d - 1].m[k] << (63 - k);
    for (unsigned k = s; k < 64; k++) {
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for (unsigned j = 1; j < s; j++)
            if (a >> (s - 1 - j) & 1) v[k] ^= v[k - j];
    }
}

/* The finalizer of splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t pc_sample_hash(uint64_t seed, uint64_t a, uint64_t b)
{
    return mix(mix(mix(seed) ^ a) ^ b);
}

static double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

static uint64_t sobol(const uint64_t v[64], uint64_t i)
{
    uint64_t x = 0;
    for (uint64_t gray = i ^ (i >> 1), k = 0; gray; gray >>= 1, k++)
        if (gray & 1) x ^= v[k];
    return x;
}

/* A balanced Feistel network on the smallest even number of bits that holds n; images beyond n are sent through again,
 * which ends because the network is a permutation. */
uint64_t pc_sample_permute(uint64_t seed, uint64_t i, uint64_t n)
{
    enum { ROUNDS = 6 };
    unsigned half = 1;
    while (half < 32 && n > UINT64_C(1) << (2 * half)) half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint64_t next = left ^ (pc_sample_hash(seed, round, right) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

/* `directions` are those of coordinate d for Sobol's sequence. */
static double sample(pc_sampling kind, uint64_t seed, unsigned d, uint64_t i, uint64_t n, const uint64_t directions[64])
{
    switch (kind) {
    case PC_SAMPLE_SOBOL: return unit(sobol(directions, i) ^ pc_sample_hash(seed, d, UINT64_MAX));
    case PC_SAMPLE_LATIN: {
        uint64_t part = pc_sample_permute(pc_sample_hash(seed, d, UINT64_MAX), i, n);
        double x = ((double)part + unit(pc_sample_hash(seed, i, d))) / (double)n;
        return x < 1 ? x : 0x1.fffffffffffffp-1;
    }
    default: return unit(pc_sample_hash(seed, i, d));
    }
}

void pc_sample_column(pc_sampling kind, uint64_t seed, unsigned d, uint64_t n, uint64_t first, uint64_t stride,
                      size_t count, double *out)
{
    uint64_t directions[64] = {0};
    if (kind == PC_SAMPLE_SOBOL) pc_sample_directions(d, directions);
    for (size_t k = 0; k < count; k++) out[k] = sample(kind, seed, d, first + k * stride, n, directions);
}

double pc_sample(pc_sampling kind, uint64_t seed, unsigned d, uint64_t i, uint64_t n)
{
    double x;
    pc_sample_column(kind, seed, d, n, i, 1, 1, &x);
    return x;
}
