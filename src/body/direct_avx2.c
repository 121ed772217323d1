/* Short chains with AVX2: see direct.h. */
#include "body/direct_kernel.h"

int pc_direct_run_avx2(const pc_direct *d, double t, const double *q, const double *u, double *a)
{
    return run(d, t, q, u, a);
}
