/* The linear law over arrays: see linear.h. The kernel that suits the processor runs them. */
#include "base/interrupt.h"
#include "law/linear/linear.h"
#include "law/linear/problem.h"

#include <stdbool.h>

/* Impacts between two looks at the interrupt flag. */
enum { STRETCH = 4096 };

/* Every kernel returns the same bits, so this choice is one of speed alone. */
static bool has_width(int width)
{
#if !defined(PC_NO_X86)
    if (width == 4) return __builtin_cpu_supports("avx2");
    if (width == 8)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    return width == 1;
}

static pc_linear_kernel *kernel_of(int width)
{
#if !defined(PC_NO_X86)
    if (width == 8) return pc_linear_run8;
    if (width == 4) return pc_linear_run4;
#endif
    (void)width;
    return pc_linear_run1;
}

int pc_linear_width(void)
{
    return has_width(8) ? 8 : has_width(4) ? 4 : 1;
}

pc_status pc_linear_map_width(const pc_linear_batch *batch, size_t n, int width, size_t *failed, pc_error *err)
{
    if (!has_width(width)) return pc_fail(err, PC_E_UNSUPPORTED, "this processor has no kernel %d lanes wide", width);
    pc_linear_kernel *kernel = kernel_of(width);
    *failed = 0;
    for (size_t i = 0; i < n; i += STRETCH) {
        if (pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted after %zu of %zu impacts", i, n);
        *failed += kernel(batch, i, n - i < STRETCH ? n : i + STRETCH);
    }
    return PC_OK;
}

pc_status pc_linear_map(const pc_linear_batch *batch, size_t n, size_t *failed, pc_error *err)
{
    return pc_linear_map_width(batch, n, pc_linear_width(), failed, err);
}
