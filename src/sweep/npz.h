/* Arrays in NumPy's .npz form: a zip archive with one .npy file an array, without compression (NEP 1; APPNOTE of
 * PKWARE, 4.3). numpy.load reads it. */
#ifndef PC_SWEEP_NPZ_H
#define PC_SWEEP_NPZ_H

#include "base/status.h"

#include <stddef.h>

typedef struct pc_npz_column {
    const char *name;
    const double *values;
    size_t n;
} pc_npz_column;

/* The file appears whole or not at all. PC_E_LIMIT for what a zip archive of the classic form cannot hold: 4 GiB, or
 * 65535 arrays. */
pc_status pc_npz_write(const char *path, const pc_npz_column *columns, size_t n, pc_error *err);

#endif
