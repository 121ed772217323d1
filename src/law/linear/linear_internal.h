/* Inside the linear law: the scaled problem, which its kernels share at every width, and the record of one impact.
 *
 * Units: mass 1/w_nn, stiffness k_n, velocity |v_n0|. Then w_nn = k_n = 1 and w = 1 at touch, and the impact depends on
 * six numbers alone: a, b, mu, eta, E and v_t. The caller mirrors the tangent so that v_t >= 0, which makes
 * mirrored impacts equal to the last bit.
 */
#ifndef PC_LAW_LINEAR_LINEAR_INTERNAL_H
#define PC_LAW_LINEAR_LINEAR_INTERNAL_H

#include "law/impact.h"
#include "law/map_columns.h"
#include "math/mobility.h"

#include <stdbool.h>
#include <stddef.h>

/* How an impact stands. */
enum {
    PC_LINEAR_RUNNING,
    PC_LINEAR_REBOUND,
    PC_LINEAR_WEDGED,
    PC_LINEAR_ENDLESS, /* v0 outside the range of a rank-1 W drives the point into the obstacle for ever */
    PC_LINEAR_LIMIT,   /* a limit below was reached */
    PC_LINEAR_NONE,    /* the bodies do not approach */
    PC_LINEAR_REFUSED, /* the input cannot be solved */
};

/* Bounds of one impact that keep it below a second. A sphere has about sqrt(1/eta) segments, so that 100,000 allow eta
 * down to 1e-9; stick takes about two steps for each radian of its faster mode. */
enum { PC_LINEAR_MAX_SEGMENTS = 100000, PC_LINEAR_MAX_STEPS = 300000 };

enum {
#define PC_LINEAR(name) PC_LINEAR_FIELD_##name,
#include "law/linear/fields.def"
#undef PC_LINEAR
    PC_LINEAR_N_FIELDS
};

/* Run the points first .. end - 1 of a map that has all rows and return how many failed. The widths give the same bits.
 */
typedef size_t pc_linear_kernel(const pc_map_columns *map, size_t first, size_t end);
pc_linear_kernel pc_linear_run1, pc_linear_run4, pc_linear_run8;

/* Time of a slip segment that grows or decays like exp(rate t): see linear_slip. `margin` is F_n0 (F_n0 + F_n) +
 * k w0 p, `sum` is F_n0 + F_n. */
double pc_linear_growth_time(double rate, double p, double sum, double margin);

/* pc_law.impact and pc_law.trace: one impact, segment by segment. */
pc_status pc_linear_impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out, pc_error *err);
pc_status pc_linear_trace(const void *params, const pc_mobility *W, const pc_impact *from, const double *times,
                          size_t n, pc_state *out, pc_error *err);

#endif
