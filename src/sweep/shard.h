/* Which part of a sweep this process computes. Shard i of n takes the points i, i + n, i + 2n, ...: neighbours cost
 * about the same, so shards end at about the same time. */
#ifndef PC_SWEEP_SHARD_H
#define PC_SWEEP_SHARD_H

#include "base/status.h"

#include <stdint.h>

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

#endif
