/* The points of a sweep and its shards: see plan.h. */
#include "sweep/plan.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A whole number in decimal digits that ends at *end. */
static bool read_number(const char *text, uint64_t *number, const char **end)
{
    if (*text < '0' || *text > '9') return false;
    char *stop;
    errno = 0;
    unsigned long long value = strtoull(text, &stop, 10);
    *number = value;
    *end = stop;
    return errno == 0;
}

pc_status pc_shard_parse(const char *text, pc_shard *shard, pc_error *err)
{
    const char *end = text;
    if (!read_number(text, &shard->index, &end) || *end != '/' || !read_number(end + 1, &shard->count, &end) || *end ||
        shard->index < 1 || shard->index > shard->count)
        return pc_fail(err, PC_E_ARGUMENT, "a shard must be i/n with 1 <= i <= n, as in 2/8, not '%.60s'", text);
    return PC_OK;
}

/* `first`: the number of the first rank or task; NULL for 0. `step`: NULL for 1. SLURM_NTASKS alone would not do: it
 * is there also in a batch script that starts percuss once; a step's own count tells. */
static const struct {
    const char *rank, *size, *first, *step;
    bool last; /* `size` names the number of the last task instead of the count */
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL, false},
    {"PMI_RANK", "PMI_SIZE", NULL, NULL, false},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL, NULL, false},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", true},
    {"SGE_TASK_ID", "SGE_TASK_LAST", "SGE_TASK_FIRST", "SGE_TASK_STEPSIZE", true},
};

/* Value of a variable that is a number; `otherwise` where its name is NULL; false where it is not set. */
static bool variable(const char *name, uint64_t otherwise, uint64_t *value)
{
    *value = otherwise;
    if (!name) return true;
    const char *text = getenv(name), *end = text;
    return text && read_number(text, value, &end) && !*end;
}

pc_status pc_shard_of_environment(pc_shard *shard, const char **launcher, pc_error *err)
{
    *shard = (pc_shard){1, 1};
    *launcher = NULL;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        uint64_t rank, size, first, step;
        if (!variable(launchers[i].rank, 0, &rank) || !variable(launchers[i].size, 0, &size)) continue;
        if (!variable(launchers[i].first, 0, &first)) continue;
        if (!variable(launchers[i].step, 1, &step) || step == 0) step = 1;
        uint64_t count = launchers[i].last ? (size < first ? 0 : (size - first) / step + 1) : size;
        if (count <= 1 && rank <= first) continue;
        if (rank < first || (rank - first) / step >= count)
            return pc_fail(err, PC_E_SYSTEM, "%s = %llu does not go with %s = %llu", launchers[i].rank,
                           (unsigned long long)rank, launchers[i].size, (unsigned long long)size);
        *shard = (pc_shard){(rank - first) / step + 1, count};
        *launcher = launchers[i].rank;
        return PC_OK;
    }
    return PC_OK;
}

uint64_t pc_shard_size(pc_shard shard, uint64_t n)
{
    return n < shard.index ? 0 : (n - shard.index) / shard.count + 1;
}

/* Old speed is forgotten over this time, s: points of a grid get slower and quicker. */
#define MEMORY_SECONDS 10.0

void pc_progress_update(pc_progress *p, double seconds)
{
    double passed = seconds - p->rated_at;
    if (passed > 0) {
        double now = (double)(p->done - p->rated_done) / passed;
        /* until there is memory to lose, the mean since the start */
        double keep = p->rated_at > 0 ? exp(-passed / fmin(MEMORY_SECONDS, seconds)) : 0;
        p->rate = keep * p->rate + (1 - keep) * now;
        p->rated_at = seconds;
        p->rated_done = p->done;
    }
    p->seconds = seconds;
}

static uint64_t remaining(const pc_progress *p)
{
    return p->total - p->skipped - p->done;
}

void pc_progress_duration(double seconds, char *text, size_t size)
{
    unsigned long long s = seconds > 0 && seconds < 1e15 ? (unsigned long long)(seconds + 0.5) : 0;
    if (s >= 172800)
        snprintf(text, size, "%llu days %llu h", s / 86400, s % 86400 / 3600);
    else if (s >= 3600)
        snprintf(text, size, "%llu h %02llu min", s / 3600, s % 3600 / 60);
    else if (s >= 60)
        snprintf(text, size, "%llu min %02llu s", s / 60, s % 60);
    else
        snprintf(text, size, "%llu s", s);
}

void pc_progress_line(const pc_progress *p, char *text, size_t size)
{
    char left[64] = "", wait[32], failed[40] = "";
    unsigned long long done = p->skipped + p->done, total = p->total;
    if (p->rate > 0 && remaining(p) > 0) {
        pc_progress_duration((double)remaining(p) / p->rate, wait, sizeof wait);
        snprintf(left, sizeof left, ", %s left", wait);
    }
    if (p->failed) snprintf(failed, sizeof failed, ", %llu failed", (unsigned long long)p->failed);
    snprintf(text, size, "%.40s: %llu of %llu (%.0f %%), %.3g/s%s%s", p->name, done, total,
             total ? floor(100 * (double)done / (double)total) : 100.0, p->rate, left, failed);
}

/* The name of a sweep may hold anything; in JSON quotes, backslashes and control characters need care. */
static void escape(const char *name, char *out, size_t size)
{
    size_t n = 0;
    for (const char *c = name; *c && n + 8 < size; c++) {
        if (*c == '"' || *c == '\\')
            n += (size_t)snprintf(out + n, size - n, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            n += (size_t)snprintf(out + n, size - n, "\\u%04x", (unsigned)*c);
        else
            out[n++] = *c;
    }
    out[n] = '\0';
}

void pc_progress_json(const pc_progress *p, const char *state, char *text, size_t size)
{
    char name[128], left[32] = "null";
    escape(p->name, name, sizeof name);
    if (p->rate > 0 || remaining(p) == 0)
        snprintf(left, sizeof left, "%.3f", remaining(p) ? (double)remaining(p) / p->rate : 0.0);
    snprintf(text, size,
             "{\"sweep\": \"%s\", \"state\": \"%s\", \"total\": %llu, \"skipped\": %llu, \"done\": %llu, "
             "\"failed\": %llu, \"seconds\": %.3f, \"rate\": %.6g, \"left\": %s}",
             name, state, (unsigned long long)p->total, (unsigned long long)p->skipped, (unsigned long long)p->done,
             (unsigned long long)p->failed, p->seconds, p->rate, left);
}
