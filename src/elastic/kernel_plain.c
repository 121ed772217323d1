/* Forces with what every machine has, and the choice among instruction sets: see kernel.h. */
#include "elastic/kernel.h"

void pc_elastic_force_plain(const pc_elastic_block *b, int m, const double *u, double *f)
{
    force(b, m, u, f);
}

void pc_elastic_force(const pc_elastic_block *b, int m, const double *u, double *f)
{
#if !defined(PC_NO_X86)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        pc_elastic_force_avx512(b, m, u, f);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        pc_elastic_force_avx2(b, m, u, f);
        return;
    }
#endif
    pc_elastic_force_plain(b, m, u, f);
}
