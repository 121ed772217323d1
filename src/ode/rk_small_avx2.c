/* Small systems by DOP853, with AVX2: see rk_small.h. */
#include "ode/rk_small.h"

const pc_rk_kernel pc_rk_small_avx2 = {advance, interpolate};
