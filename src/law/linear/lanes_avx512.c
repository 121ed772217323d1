/* The kernel of the linear law for AVX-512: see linear/kernel.h. */
#define PC_LANES 8
#include "law/linear/run.h"

size_t pc_linear_run8(const pc_map_columns *map, size_t first, size_t end)
{
    return linear_run(map, first, end);
}
