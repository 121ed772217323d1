/* The way of a batch into a kernel and out of it, a vector at a time: columns in SI units to the scaled problem, and
 * the state at the end to the columns that are wanted. The including file has set PC_LANES; see linear/problem.h for
 * the scaling and linear/kernel.h for the letters.
 */
#ifndef PC_LAW_LINEAR_BATCH_H
#define PC_LAW_LINEAR_BATCH_H

#include "law/impact.h"
#include "law/linear/linear.h"
#include "law/linear/kernel.h"
#include "math/mobility.h"

/* What the scaled problem leaves of a vector of points. mirror: -1 where the tangent was turned round. */
typedef struct linear_units {
    lane kn, w, speed, mirror;
    lane v_t, v_n;
} linear_units;

/* xy in two parts, high + low exactly (Dekker, Numer. Math. 18, 1971; Veltkamp's split at 27 bits). What fma() does in
 * a call is done here in place. */
LANE_INLINE lane linear_low_part(lane x, lane y, lane high)
{
    const lane split = lane_set(0x1p27 + 1);
    lane cx = split * x, cy = split * y;
    lane x1 = cx - (cx - x), x2 = x - x1, y1 = cy - (cy - y), y2 = y - y1;
    return ((x1 * y1 - high) + x1 * y2 + x2 * y1) + x2 * y2;
}

/* x - y^2 without cancellation (Kahan). */
LANE_INLINE lane linear_less_square(lane x, lane y)
{
    lane square = y * y;
    return (x - square) - linear_low_part(y, y, square);
}

/* W over w_nn, with its rank settled. False where W is not positive semi-definite or w_nn is not positive. */
LANE_INLINE lane_mask linear_scale_mobility(linear *q, lane w_tt, lane w_tn, lane w, lane rank)
{
    const lane zero = lane_set(0);
    lane a = w_tt / w, b = w_tn / w;
    lane bound = lane_set(PC_RANK_TOLERANCE) * (a + lane_set(1)) * (a + lane_set(1));
    lane det = lane_select(lane_eq(rank, lane_set(1)), zero, linear_less_square(a, b));
    lane_mask good = mask_and(mask_and(lane_lt(zero, w), lane_le(zero, w_tt)), lane_le(-bound, det));
    lane_mask flat = mask_and(mask_not(lane_eq(rank, lane_set(2))), lane_le(det, bound));
    q->a = a;
    q->b = b;
    q->det = lane_select(mask_or(flat, lane_lt(det, zero)), zero, det);
    return good;
}

/* The velocities over |v_n|; after linear_scale_mobility. */
LANE_INLINE void linear_scale_velocity(linear *q, linear_units *u)
{
    const lane zero = lane_set(0), one = lane_set(1);
    u->speed = -u->v_n;
    lane vt = u->v_t / u->speed;
    lane_mask turned = mask_or(lane_lt(vt, zero), mask_and(lane_eq(vt, zero), lane_lt(q->b, zero)));
    u->mirror = lane_select(turned, -one, one);
    q->vt = u->mirror * vt;
    q->b = u->mirror * q->b;
}

/* Kinetic energy at the contact before the impact, v.W^+ v/2, in scaled units; on a problem as it was scaled. */
LANE_INLINE lane linear_energy_before(const linear *q)
{
    const lane one = lane_set(1), half = lane_set(0.5), two = lane_set(2);
    lane along = q->b * q->vt - one, length = one + q->b * q->b; /* rank 1: W = x x^T, x = (b, 1), v_n = -1 */
    lane_mask flat = lane_eq(q->det, lane_set(0));
    lane above = lane_select(flat, along * along, q->vt * q->vt + two * q->b * q->vt + q->a);
    return half * (above / lane_select(flat, length * length, q->det));
}

LANE_INLINE lane linear_input(const pc_linear_column *column, size_t i)
{
    return column->values ? lane_load(column->values + i) : lane_set(column->fixed);
}

/* Read the points from i on and start them. Points that do not approach, and what cannot be computed, get a code that
 * says so, and do not run. */
LANE_INLINE void linear_open(const pc_linear_batch *batch, size_t i, linear *q, linear_units *u)
{
    const lane zero = lane_set(0), one = lane_set(1), endless = lane_set(INFINITY);
    u->v_t = linear_input(&batch->v_t, i);
    u->v_n = linear_input(&batch->v_n, i);
    u->w = linear_input(&batch->w_nn, i);
    u->kn = linear_input(&batch->kn, i);
    q->mu = linear_input(&batch->mu, i);
    q->eta = linear_input(&batch->eta, i);
    lane E = linear_input(&batch->restitution, i);
    q->k2 = one / (E * E);
    lane_mask good = linear_scale_mobility(q, linear_input(&batch->w_tt, i), linear_input(&batch->w_tn, i), u->w,
                                           linear_input(&batch->rank, i));
    linear_scale_velocity(q, u);

    lane_mask approaches = lane_lt(u->v_n, zero);
    lane_mask sound = mask_and(mask_and(lane_lt(lane_abs(u->v_t), endless), lane_lt(lane_abs(u->v_n), endless)),
                               mask_and(mask_and(lane_lt(zero, u->kn), lane_lt(u->kn, endless)),
                                        mask_and(lane_lt(zero, q->eta), lane_lt(q->eta, endless))));
    sound = mask_and(sound, mask_and(mask_and(lane_le(zero, q->mu), lane_lt(q->mu, endless)),
                                     mask_and(lane_lt(zero, E), lane_le(E, one))));
    linear_start(q);
    lane code = lane_select(approaches, lane_set(PC_LINEAR_REFUSED), lane_set(PC_LINEAR_NONE));
    code = lane_select(mask_and(approaches, good), zero, code);
    q->code = lane_select(sound, code, lane_set(PC_LINEAR_REFUSED));
}

/* ---- results ---- */

/* How the points of a vector ended. plain: all in rebound. */
typedef struct linear_verdict {
    lane_mask wedged, none, failed;
    bool plain;
} linear_verdict;

LANE_INLINE linear_verdict linear_judge(lane code)
{
    linear_verdict v;
    lane_mask rebound = lane_eq(code, lane_set(PC_LINEAR_REBOUND));
    v.wedged = lane_eq(code, lane_set(PC_LINEAR_WEDGED));
    v.none = lane_eq(code, lane_set(PC_LINEAR_NONE));
    v.failed = mask_not(mask_or(mask_or(rebound, v.wedged), v.none));
    v.plain = !mask_any(mask_not(rebound));
    return v;
}

/* Write one column, if it is wanted: 0 where nothing happened, NaN where it failed. */
LANE_INLINE void linear_put(double *column, size_t i, const linear_verdict *v, lane value, lane none)
{
    if (!column) return;
    if (!v->plain) value = lane_select(v->failed, lane_set(NAN), lane_select(v->none, none, value));
    lane_store(column + i, value);
}

/* Write the points from i on. Returns how many failed. */
LANE_INLINE int linear_close(const pc_linear_batch *batch, size_t i, const linear *q, const linear_units *u)
{
    const lane zero = lane_set(0);
    linear_verdict v = linear_judge(q->code);
    lane speed = u->speed, tangent = u->mirror * q->vt, normal = -q->w;
    if (!v.plain) {
        tangent = lane_select(v.wedged, zero, tangent);
        normal = lane_select(v.wedged, zero, normal);
    }
    linear_put(batch->after_t, i, &v, tangent * speed, u->v_t);
    linear_put(batch->after_n, i, &v, normal * speed, u->v_n);
    lane outcome = lane_select(v.wedged, lane_set(PC_OUTCOME_WEDGED), lane_set(PC_OUTCOME_REBOUND));
    linear_put(batch->outcome, i, &v, outcome, lane_set(PC_OUTCOME_NONE));
    linear_put(batch->phases, i, &v, q->phases, zero);

    lane impulse = speed / u->w, work = impulse * speed;
    linear_put(batch->p_t, i, &v, u->mirror * q->pt * impulse, zero);
    linear_put(batch->p_n, i, &v, q->pn * impulse, zero);
    linear_put(batch->work_n, i, &v, q->work_n * work, zero);
    linear_put(batch->work_f, i, &v, q->work_f * work, zero);
    if (batch->loss || batch->loss_fraction) {
        linear before = *q;
        before.vt = u->mirror * (u->v_t / speed);
        lane energy = linear_energy_before(&before);
        lane loss = lane_select(v.wedged, energy, -(q->work_n + q->work_f));
        linear_put(batch->loss, i, &v, loss * work, zero);
        linear_put(batch->loss_fraction, i, &v, loss / energy, zero);
    }
    if (batch->duration || batch->compression_time || batch->peak_n || batch->peak_time) {
        lane root = lane_sqrt(u->kn * u->w), time = lane_set(1) / root;
        linear_put(batch->duration, i, &v, q->t * time, zero);
        linear_put(batch->compression_time, i, &v, q->turn * time, zero);
        linear_put(batch->peak_n, i, &v, q->peak * (u->kn * (speed / root)), zero);
        linear_put(batch->peak_time, i, &v, q->peak_time * time, zero);
    }
    return mask_any(v.failed) ? mask_count(v.failed) : 0;
}

#endif
