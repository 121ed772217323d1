/* Forces with AVX-512: see kernel.h. */
#include "elastic/kernel.h"

void pc_elastic_force_avx512(const pc_elastic_block *b, int m, const double *u, double *f)
{
    force(b, m, u, f);
}
