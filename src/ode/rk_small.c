/* Small systems by DOP853, on every processor: see rk_small.h. */
#include "ode/rk_small.h"

const pc_rk_kernel pc_rk_small = {advance, interpolate};
