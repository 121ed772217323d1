/* Power series of a single contact, with what every machine has: see series.h. */
#define PC_SERIES_WIDTH 2
#include "law/series_kernel.h"

const pc_series pc_series_plain = {expand, scale, sum};

const pc_series *pc_series_widest(void)
{
#ifndef PC_NO_X86
    if (__builtin_cpu_supports("avx2")) return &pc_series_avx2;
#endif
    return &pc_series_plain;
}
