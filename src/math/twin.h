/* Two doubles at a time: every processor has arithmetic on pairs, and pairs cannot change a result. */
#ifndef PC_MATH_TWIN_H
#define PC_MATH_TWIN_H

#include <stdint.h>
#include <string.h>

typedef double pc_twin __attribute__((vector_size(16)));
typedef int64_t pc_twin_bits __attribute__((vector_size(16)));

static inline pc_twin pc_twin_load(const double *from)
{
    pc_twin twin;
    memcpy(&twin, from, sizeof twin);
    return twin;
}

static inline void pc_twin_store(double *to, pc_twin twin)
{
    memcpy(to, &twin, sizeof twin);
}

#endif
