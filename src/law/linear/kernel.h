/* The exact kernel of the linear stick-slip contact over lanes: see linear.h for the law and linear/problem.h for the
 * scaling. The including file has set PC_LANES.
 *
 * Letters (scaled: mass 1/w_nn, stiffness k_n, velocity |v_n0|): a = w_tt, b = w_tn, w_nn = 1, det = a - b^2;
 * mu friction; eta = k_n/k_t, soft = 1/eta = k_t; w = -v_n rate of indentation; fn, ft forces on the body; k stiffness
 * of the normal element on its present line, 1 or k2 = 1/E^2; sign: slip direction, 0 in stick.
 *
 * An impact is a chain of segments, each with constant coefficients. A slip segment is linear in the normal impulse
 * p, so its events are roots of polynomials of degree 1 and 2. A stick segment is a sum of two modes, and its
 * first event is found by steps that provably cannot cross a root. Where E < 1 a segment also ends at w = 0, since
 * there the normal element changes its stiffness.
 */
#ifndef PC_LAW_LINEAR_KERNEL_H
#define PC_LAW_LINEAR_KERNEL_H

#include "law/linear/problem.h"
#include "math/lane_trig.h"

/* One lane per impact. */
typedef struct linear {
#define PC_LINEAR(name) lane name;
#include "law/linear/fields.def"
#undef PC_LINEAR
} linear;

/* Initial state at touch: w = 1, v_t >= 0 (the caller mirrors). Stick iff v_t < mu eta (Birlik 3.53); on the
 * threshold the slip speed is 0 and decides by its rate, which has the sign of -drag. */
LANE_INLINE void linear_start(linear *q)
{
    const lane zero = lane_set(0), one = lane_set(1);
    q->soft = one / q->eta;
    q->k = q->w = one;
    q->f_max = q->touch = q->t = q->ft = q->fn = q->pt = q->pn = zero;
    q->work_f = q->work_n = q->peak = q->phases = q->last = q->code = q->steps = zero;
    q->peak_time = q->turn = zero;

    /* a rank-1 body whose velocity lies in the range of W keeps v_t = -b w; few roundings separate the inputs */
    lane off = lane_abs(q->vt + q->b);
    lane_mask in_range =
        mask_and(lane_eq(q->det, zero), lane_le(off, lane_set(64 * 0x1p-52) * (q->vt + lane_abs(q->b))));
    q->in_range = lane_select(in_range, one, zero);

    lane limit = q->mu * q->eta;
    lane drag = (q->mu * q->a - q->b) - limit * (one - q->mu * q->b);
    lane_mask equal = lane_eq(q->vt, limit);
    lane_mask slip = mask_or(lane_lt(limit, q->vt), mask_and_not(equal, lane_lt(zero, drag)));
    q->sign = lane_select(slip, one, zero);
    q->touch = lane_select(mask_and_not(equal, slip), one, zero);
}

/* What ends every segment alike: the count of phases, the greatest force, and the change to another line of the normal
 * element where the indentation has its maximum (onto k2) or comes back to it (onto k_n). */
LANE_INLINE void linear_finish(linear *q, lane kind, lane_mask moved, lane_mask closing, lane_mask reload)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane_mask fresh = mask_and_not(moved, lane_eq(kind, q->last));
    q->phases = q->phases + lane_select(fresh, one, zero);
    q->last = lane_select(fresh, kind, q->last);

    lane_mask top = mask_and(closing, lane_eq(q->w, zero));
    q->turn = lane_select(mask_and(top, lane_eq(q->turn, zero)), q->t, q->turn);
    lane_mask higher = mask_and(top, lane_lt(q->peak, q->fn));
    q->peak = lane_select(higher, q->fn, q->peak);
    q->peak_time = lane_select(higher, q->t, q->peak_time);

    lane_mask yields = mask_and(top, mask_and(lane_eq(q->k, one), lane_lt(one, q->k2)));
    q->f_max = lane_select(yields, q->fn, q->f_max);
    q->k = lane_select(yields, q->k2, lane_select(reload, one, q->k));
}

/* The time of hyperbolic slip, lane by lane: it is rare. */
static inline lane linear_growth_time(lane_mask where, lane rate, lane p, lane sum, lane margin, lane other)
{
    double r[PC_LANES], impulse[PC_LANES], s[PC_LANES], m[PC_LANES], mask[PC_LANES], out[PC_LANES];
    lane_store(r, rate);
    lane_store(impulse, p);
    lane_store(s, sum);
    lane_store(m, margin);
    lane_store(mask, lane_select(where, lane_set(1), lane_set(0)));
    lane_store(out, other);
    for (int i = 0; i < PC_LANES; i++)
        if (mask[i] != 0) out[i] = pc_linear_growth_time(r[i], impulse[i], s[i], m[i]);
    return lane_load(out);
}

/* Slip. With F_t = -mu sign F_n every velocity is linear in p = integral of F_n dt:
 *   w = w0 - L p,  v_t = v_t0 - N p,  s = s0 - D p,  F_n^2 = F_n0^2 + k p (w0 + w),
 *   L = 1 - sign mu b,  N = sign mu a - b,  D = N - sign mu eta k L.
 * L < 0 is a jam: the indentation grows like a hyperbolic sine; since W is positive semi-definite, sign D > 0 then
 * unless L = 0, so that slip stops. */
LANE_INLINE void linear_apply_impulse(linear *q, lane p)
{
    const lane half = lane_set(0.5);
    lane mu = q->mu * q->sign, L = lane_set(1) - mu * q->b, N = mu * q->a - q->b, lag = mu * q->eta * q->k;
    lane w = q->w - L * p;
    lane s0 = q->vt - lag * q->w, s1 = s0 - (N - lag * L) * p;
    q->fn = lane_sqrt(lane_max(q->fn * q->fn + q->k * p * (q->w + w), lane_set(0)));
    q->ft = -(mu * q->fn);
    q->work_f = q->work_f - half * mu * p * (s0 + s1);
    q->work_n = q->work_n - half * p * (q->w + w);
    q->w = w;
    q->vt = q->vt - N * p;
    q->pn = q->pn + p;
    q->pt = q->pt - mu * p;
}

/* How long slip takes for the impulse p, from F_n = fn0 and w0 to fn1. tan(Omega dt/2) = Omega p/(F_n0 + F_n) with
 * Omega^2 = L k, whichever sign L has. */
LANE_INLINE lane linear_slip_time(const linear *q, lane p, lane fn0, lane w0, lane fn1)
{
    const lane two = lane_set(2);
    lane Lk = (lane_set(1) - q->mu * q->sign * q->b) * q->k;
    lane sum = lane_max(fn0 + fn1, lane_set(0x1p-1000));
    lane rate = lane_max(lane_sqrt(lane_abs(Lk)), lane_set(0x1p-500)); /* for L = 0 this is 2 p/sum */
    lane dt = two * lane_angle(rate * p, sum) / rate;
    lane_mask jam = lane_lt(Lk, lane_set(0));
    if (!mask_any(jam)) return dt;
    return linear_growth_time(jam, rate, p, sum, fn0 * (fn0 + fn1) + q->k * w0 * p, dt);
}

/* One slip segment, from the present state to its first event. A turning point of the indentation is one where
 * E < 1. Nothing depends on time, so that it is counted only if `times`. */
static inline void linear_slip(linear *q, bool times)
{
    const lane zero = lane_set(0), one = lane_set(1), never = lane_set(INFINITY);
    lane mu = q->mu * q->sign;
    lane L = one - mu * q->b;
    lane lag = mu * q->eta * q->k;
    lane D = (mu * q->a - q->b) - lag * L;
    lane s0 = q->vt - lag * q->w;
    lane rise2 = q->fn * q->fn / q->k; /* F_n^2/k */
    lane_mask closing = mask_or(lane_lt(zero, q->w), mask_and(lane_eq(q->w, zero), lane_lt(L, zero)));

    /* turning point of the indentation */
    lane p_turn = q->w / L;
    p_turn = lane_select(lane_lt(zero, p_turn), p_turn, never);

    /* slip stops; in a rank-1 body it does so exactly where the indentation turns, because both speeds are one */
    lane p_stop = lane_max(s0 / D, zero);
    p_stop = lane_select(lane_lt(zero, q->sign * D), p_stop, never);
    p_stop = lane_select(lane_eq(q->in_range, one), p_turn, p_stop);
    p_turn = lane_select(lane_lt(one, q->k2), p_turn, never);

    /* contact ends: the smallest p with F_n = 0, in the form that does not cancel */
    lane disc = q->w * q->w + L * rise2;
    lane root = lane_sqrt(lane_max(disc, zero));
    lane_mask rising = lane_lt(zero, q->w);
    lane p_end = lane_select(rising, q->w + root, rise2) / lane_select(rising, L, root - q->w);
    p_end = lane_select(mask_and(lane_le(zero, disc), lane_le(zero, p_end)), p_end, never);

    /* F_n comes back to its greatest value so far */
    lane p_load = never;
    lane_mask climbs = mask_and(closing, mask_not(lane_eq(q->k, one)));
    if (mask_any(climbs)) {
        lane rise = q->f_max * q->f_max / q->k - rise2;
        disc = q->w * q->w - L * rise;
        p_load = rise / (q->w + lane_sqrt(lane_max(disc, zero)));
        p_load = lane_select(mask_and(mask_and(climbs, lane_le(zero, disc)), lane_lt(zero, p_load)), p_load, never);
    }

    /* A stop within 1e-14 of the end, relative, is the end: F_n would be below 1e-7 of its scale and all later changes
     * of velocity below 1e-14. */
    p_stop = lane_select(lane_lt(p_end, p_stop * lane_set(1 + 0x1p-46)), never, p_stop);
    lane p = lane_min(lane_min(p_stop, p_end), lane_min(p_turn, p_load));
    lane_mask endless = lane_eq(p, never);
    p = lane_select(endless, zero, p);
    lane_mask stop = lane_eq(p_stop, p), end = lane_eq(p_end, p), load = lane_eq(p_load, p);

    /* state there; what the event says is 0 is set to 0, also w where it is 0 but for rounding */
    lane fn0 = q->fn, w0 = q->w;
    linear_apply_impulse(q, p);
    lane_mask still = lane_lt(lane_abs(q->w), lane_set(0x1p-50) * lane_abs(w0));
    q->w = lane_select(mask_or(lane_eq(p_turn, p), mask_and(stop, still)), zero, q->w);
    q->fn = lane_select(end, zero, lane_select(load, q->f_max, q->fn));
    q->ft = -(mu * q->fn);
    q->vt = lane_select(stop, lag * q->w, q->vt);
    if (times) q->t = q->t + linear_slip_time(q, p, fn0, w0, q->fn);
    linear_finish(q, lane_set(2) + q->sign, lane_lt(zero, p), closing, load);
    q->code = lane_select(endless, lane_set(PC_LINEAR_ENDLESS), lane_select(end, lane_set(PC_LINEAR_REBOUND), zero));
    /* without friction there is nothing to stick with: slip goes on the other way */
    lane_mask smooth = lane_eq(q->mu, zero);
    q->touch = lane_select(mask_and_not(stop, smooth), q->sign, zero);
    q->sign = lane_select(stop, lane_select(smooth, -q->sign, zero), q->sign);
}

/* The impulse at which the indentation turns inside a slip segment; infinity if it does not. */
LANE_INLINE lane linear_slip_turn(const linear *before, const linear *after)
{
    const lane zero = lane_set(0), never = lane_set(INFINITY);
    lane L = lane_set(1) - before->mu * before->sign * before->b;
    lane p = before->w / L;
    return lane_select(mask_and(lane_lt(zero, p), lane_lt(p, after->pn - before->pn)), p, never);
}

#endif
