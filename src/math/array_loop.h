/* For the kernels of arrays only: loops that can be interrupted, without a test per element. */
#ifndef PC_MATH_ARRAY_LOOP_H
#define PC_MATH_ARRAY_LOOP_H

#include "base/interrupt.h"
#include "base/status.h"

#include <stddef.h>

/* Elements between two looks at the interrupt flag: a few milliseconds of the slowest function. */
enum { PC_ARRAY_CHUNK = 1 << 16 };

/* End of the chunk that begins at `start`. */
static inline size_t pc_chunk_end(size_t start, size_t n)
{
    return n - start > PC_ARRAY_CHUNK ? start + PC_ARRAY_CHUNK : n;
}

static inline pc_status pc_array_stopped(size_t done, size_t n, pc_error *err)
{
    return pc_fail(err, PC_E_INTERRUPTED, "interrupted after %zu of %zu elements", done, n);
}

/* Runs its body for [start, end) chunk by chunk; leaves the enclosing function when interrupted. */
#define PC_CHUNKS(n, start, end, err)                                                                                  \
    for (size_t start = 0, end = pc_chunk_end(0, (n)); start < (n); start = end, end = pc_chunk_end(start, (n)))       \
        if (pc_interrupted())                                                                                          \
            return pc_array_stopped(start, (n), (err));                                                                \
        else

#endif
