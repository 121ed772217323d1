/* The kernel of the linear law for AVX2: see linear/kernel.h. */
#define PC_LANES 4
#include "law/linear/run.h"

size_t pc_linear_run4(const pc_linear_batch *batch, size_t first, size_t end)
{
    return linear_run(batch, first, end);
}
