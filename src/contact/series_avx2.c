/* Power series of a single contact for AVX2: see series_kernel.h. */
#define PC_SERIES_WIDTH 4
#include "contact/series_kernel.h"

const pc_series pc_series_avx2 = {expand, scale, sum};
