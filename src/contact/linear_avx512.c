/* The kernel of the linear law for AVX-512: see linear_kernel.h. */
#define PC_LANES 8
#include "contact/linear_run.h"

void pc_linear_run8(pc_linear_block *block, int n, bool turns)
{
    /* two copies, so that neither asks at every step */
    if (turns)
        linear_run(block, n, true);
    else
        linear_run(block, n, false);
}
