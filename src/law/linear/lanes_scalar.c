/* The kernel of the linear law in plain C: see linear/kernel.h. */
#define PC_LANES 1
#include "law/linear/run.h"

size_t pc_linear_run1(const pc_map_columns *map, size_t first, size_t end)
{
    return linear_run(map, first, end);
}
