/* Power series of a single contact for AVX2: see series_kernel.h. */
#define PC_SERIES_WIDTH 4
#include "law/series_kernel.h"

const pc_series pc_series_avx2 = {expand, scale, sum};
