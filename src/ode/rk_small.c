/* Small systems by DOP853, on every processor: see rk_small.h. */
#include "ode/rk_small.h"

const pc_rk_kernel pc_rk_small = {advance, interpolate};

const pc_rk_kernel *pc_rk_fastest(size_t stride)
{
    if (stride > SMALL) return &pc_rk_any;
#if !defined(PC_NO_X86)
    if (__builtin_cpu_supports("avx2")) return &pc_rk_small_avx2;
#endif
    return &pc_rk_small;
}
