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

/* From SI to the scaled problem of linear/linear_internal.h and back. */

/* What one scaled unit is in SI; `mirror` is -1 if the tangent was turned round. */
typedef struct pc_linear_scale {
    double time, velocity, length, force, impulse, work, mirror;
} pc_linear_scale;

/* One impact in SI units, v_n < 0. rank as in pc_mobility; 0: judged here, by the same tolerance. */
typedef struct pc_linear_given {
    double w_tt, w_tn, w_nn, v_t, v_n, kn, eta, mu, restitution;
    int rank;
} pc_linear_given;

/* Fill the first seven fields of a problem. False if W is not positive semi-definite or w_nn is not positive. */
bool pc_linear_scale_problem(const pc_linear_given *given, double problem[7], pc_linear_scale *scale);

/* One impact of the linear law, segment by segment: its record, and its states at given times. */

/* Fill `out`, which is initialised and has v0 and energy0. */
pc_status pc_linear_record(const double problem[7], const pc_linear_scale *scale, pc_impact *out, pc_error *err);

/* States at n times in ascending order; a time beyond the end gives the state at the end. */
pc_status pc_linear_trace(const double problem[7], const pc_linear_scale *scale, const double *times, size_t n,
                          pc_state *out, pc_error *err);

#endif
