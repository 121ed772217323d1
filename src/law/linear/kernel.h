/* The exact kernel of the linear stick-slip contact over lanes: see linear.h for the law and linear_internal.h for
 * the scaling. The including file has set PC_LANES.
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

#include "law/linear/linear_internal.h"
#include "math/lanes.h"

/* One lane per impact. */
typedef struct linear {
#define PC_LINEAR(name) lane name;
#include "law/linear/fields.def"
#undef PC_LINEAR
} linear;

/* How fast slip along `mu` = mu s dies away, for each unit of normal impulse; lag = mu s eta k. What is rounding of its
 * terms counts as none: where both springs have one frequency, slip along the cone and stick on its edge are the same,
 * and neither ends before the contact does. */
LANE_INLINE lane linear_drag(const linear *q, lane mu, lane lag)
{
    const lane one = lane_set(1), few = lane_set(8 * 0x1p-52);
    lane drag = (mu * q->a - q->b) - lag * (one - mu * q->b);
    lane size = lane_abs(mu) * q->a + lane_abs(q->b) + lane_abs(lag) * (one + lane_abs(mu * q->b));
    return lane_select(lane_le(lane_abs(drag), few * size), lane_set(0), drag);
}

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
    lane_mask equal = lane_eq(q->vt, limit);
    lane_mask slip = mask_or(lane_lt(limit, q->vt), mask_and_not(equal, lane_lt(zero, linear_drag(q, q->mu, limit))));
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
    lane D = linear_drag(q, mu, lag);
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

/* ---- stick in modes ----
 *
 * With F = (F_t, F_n) the equations are F'' = -B F, B = [soft a, soft b; k b, k]. The left eigenvectors of B, scaled to
 * 1 in one component, give two modes m, each m(t) = m C + n S with n = m', 1 - C = l S2, S = sin(o t)/o,
 * S2 = (1 - cos(o t))/l, o^2 = l, formed so that l = 0 (rank 1: a drift) is no special case.
 */

/* Modes and their state at the start of the segment; 1 belongs to the larger eigenvalue. F_n = f1 m1 + f2 m2, F_t
 * likewise; s: amplitude of m''. */
typedef struct linear_modes {
    lane l1, l2;
    lane f1, f2, t1, t2;
    lane m1, m2, n1, n2;
    lane s1, s2;
    lane c; /* 1/k */
    /* by linear_find_paces: o, 1/o (0 where the mode is a drift), amplitude of m' */
    lane o1, o2, i1, i2, r1, r2;
} linear_modes;

/* How far the modes have come at time t: increments of m and of m' = n, and the integral of m. */
typedef struct linear_change {
    lane m1, m2, n1, n2, i1, i2;
} linear_change;

/* All but the paces. */
LANE_INLINE linear_modes linear_find_modes(const linear *q)
{
    const lane zero = lane_set(0), one = lane_set(1), half = lane_set(0.5);
    linear_modes v;
    /* the smaller eigenvalue from the determinant, which keeps its digits near rank 1 */
    lane alpha = q->soft * q->a, d = half * (alpha - q->k), bk = q->b * q->k;
    lane h = lane_sqrt(d * d + bk * (q->b * q->soft));
    v.l1 = half * (alpha + q->k) + h;
    v.l2 = q->det * q->soft * q->k / v.l1;
    v.c = one / q->k;

    /* the modes of the tangent, F_t + y F_n, and of the normal, F_n - z F_t; which one is faster? */
    lane_mask normal = lane_lt(d, zero);
    lane g = lane_max(lane_abs(d) + h, lane_set(0x1p-1000));
    lane inverse = one / lane_select(normal, -g, g);
    lane y = q->b * q->soft * inverse, z = bk * inverse, i = one / (one + y * z);
    v.t1 = lane_select(normal, -(y * i), i);
    v.t2 = lane_select(normal, i, -(y * i));
    v.f1 = lane_select(normal, i, z * i);
    v.f2 = lane_select(normal, z * i, i);

    lane ft_rate = -(q->soft * q->vt), fn_rate = q->k * q->w;
    lane mt = q->ft + y * q->fn, mn = q->fn - z * q->ft;
    lane nt = ft_rate + y * fn_rate, nn = fn_rate - z * ft_rate;
    v.m1 = lane_select(normal, mn, mt);
    v.m2 = lane_select(normal, mt, mn);
    v.n1 = lane_select(normal, nn, nt);
    v.n2 = lane_select(lane_eq(q->in_range, one), zero, lane_select(normal, nt, nn));
    v.s1 = lane_sqrt(v.l1 * (v.l1 * (v.m1 * v.m1) + v.n1 * v.n1));
    v.s2 = lane_sqrt(v.l2 * (v.l2 * (v.m2 * v.m2) + v.n2 * v.n2));
    v.o1 = v.o2 = v.i1 = v.i2 = v.r1 = v.r2 = zero;
    return v;
}

LANE_INLINE void linear_find_paces(linear_modes *v)
{
    const lane one = lane_set(1);
    v->o1 = lane_sqrt(v->l1);
    v->o2 = lane_sqrt(v->l2);
    v->i1 = one / v->o1;
    v->i2 = lane_select(lane_lt(v->l2, lane_set(0x1p-600)), lane_set(0), one / v->o2);
    v->r1 = lane_sqrt(v->l1 * (v->m1 * v->m1) + v->n1 * v->n1);
    v->r2 = lane_sqrt(v->l2 * (v->m2 * v->m2) + v->n2 * v->n2);
}

/* The change at any time; needs the paces. */
LANE_INLINE linear_change linear_follow(const linear_modes *v, lane t)
{
    const lane half = lane_set(0.5), two = lane_set(2);
    lane ss, sc;
    lane_half_angle(v->o1 * t, &ss, &sc);
    lane s = two * sc * v->i1, s2 = two * ss; /* S and l S2 */
    linear_change x;
    x.i1 = s * v->m1 + s2 * (v->i1 * v->i1) * v->n1;
    x.m1 = s * v->n1 - s2 * v->m1;
    x.n1 = -(v->l1 * x.i1);

    lane_half_angle(v->o2 * t, &ss, &sc);
    lane_mask drift = lane_eq(v->i2, lane_set(0));
    s = lane_select(drift, t, two * sc * v->i2);
    s2 = two * ss;
    lane square = lane_select(drift, half * t * t, s2 * (v->i2 * v->i2));
    x.i2 = s * v->m2 + square * v->n2;
    x.m2 = s * v->n2 - s2 * v->m2;
    x.n2 = -(v->l2 * x.i2);
    return x;
}

LANE_INLINE linear_change linear_choose(lane_mask m, const linear_change *yes, const linear_change *no)
{
    linear_change x = {lane_select(m, yes->m1, no->m1), lane_select(m, yes->m2, no->m2),
                       lane_select(m, yes->n1, no->n1), lane_select(m, yes->n2, no->n2),
                       lane_select(m, yes->i1, no->i1), lane_select(m, yes->i2, no->i2)};
    return x;
}

LANE_INLINE linear_change linear_add(const linear_change *a, const linear_change *b)
{
    linear_change x = {a->m1 + b->m1, a->m2 + b->m2, a->n1 + b->n1, a->n2 + b->n2, a->i1 + b->i1, a->i2 + b->i2};
    return x;
}

/* Derivatives of the modes at the changed state x, which all guards share: n the first, m the second, k the third. */
typedef struct linear_curve {
    lane n1, n2, m1, m2, k1, k2;
} linear_curve;

LANE_INLINE linear_curve linear_bend(const linear_modes *v, const linear_change *x)
{
    linear_curve c;
    c.n1 = v->n1 + x->n1;
    c.n2 = v->n2 + x->n2;
    c.m1 = -(v->l1 * (v->m1 + x->m1));
    c.m2 = -(v->l2 * (v->m2 + x->m2));
    c.k1 = -(v->l1 * c.n1);
    c.k2 = -(v->l2 * c.n2);
    return c;
}

/* Carry the state of q over the change x; time is left to the caller. */
LANE_INLINE void linear_apply_change(linear *q, const linear_modes *v, const linear_change *x)
{
    lane fn = lane_max(q->fn + (v->f1 * x->m1 + v->f2 * x->m2), lane_set(0));
    q->work_n = q->work_n - lane_set(0.5) * (fn - q->fn) * (fn + q->fn) * v->c;
    q->fn = fn;
    q->ft = q->ft + (v->t1 * x->m1 + v->t2 * x->m2);
    q->vt = q->vt - q->eta * (v->t1 * x->n1 + v->t2 * x->n2);
    q->w = q->w + v->c * (v->f1 * x->n1 + v->f2 * x->n2);
    q->pn = q->pn + (v->f1 * x->i1 + v->f2 * x->i2);
    q->pt = q->pt + (v->t1 * x->i1 + v->t2 * x->i2);
}

/* ---- guards of a stick segment ----
 *
 * Functions of the two modes whose first zero is wanted, and steps that cannot cross it.
 *
 * Nothing is sampled: each step comes from a bound on the next derivative, so a root is not missed however the two
 * frequencies stand to each other.
 */

/* g = g0 + P1 (change of m1) + P2 (change of m2); `bound` >= its fifth derivative, always. */
typedef struct linear_guard {
    lane g0, P1, P2, bound;
} linear_guard;

/* A step, and whether its end is a root to the accuracy of time. */
typedef struct linear_stride {
    lane h;
    lane_mask found;
} linear_stride;

/* A step within which g has no root, given g >= 0, four derivatives at its start and a bound of the fifth.
 *
 * On [0, H] the second derivative is at least g2 + l h with l = g3 + min(0, H (g4/2 - bound H/6)), so g lies above a
 * cubic. With its last term taken at H where it falls, the cubic lies above a parabola; h is the parabola's first root,
 * or H when it has none. Near a root H is about 2 g/|g1|, which makes the iteration converge with order 3 from the safe
 * side. `tolerance` is that of time; `cap` bounds H. */
LANE_INLINE linear_stride linear_step(lane g, lane g1, lane g2, lane g3, lane g4, lane bound, lane cap, lane tolerance)
{
    const lane zero = lane_set(0), two = lane_set(2), half = lane_set(0.5), sixth = lane_set(1.0 / 6);
    g = lane_max(g, zero);
    lane near = lane_set(2.1) * g * lane_rough_inverse(lane_abs(g1));
    lane H = lane_select(lane_lt(g1, zero), lane_min(near, cap), cap);
    lane l = lane_min(g3 + lane_min(H * (half * g4 - sixth * bound * H), zero), zero);
    lane curve = g2 + l * H * lane_set(1.0 / 3);
    lane disc = g1 * g1 - two * g * curve;
    lane slope = lane_sqrt(lane_max(disc, zero));
    lane_mask rises = lane_lt(zero, g1);
    lane above = lane_select(rises, g1 + slope, two * g);
    lane below = lane_select(rises, -curve, slope - g1);
    lane_mask cuts = mask_and(lane_le(zero, disc), lane_lt(zero, below));
    lane h = lane_select(cuts, lane_min(above / below, H), H);
    /* how far g can lie above the parabola at h, but for terms of its fifth power */
    lane gap = h * h * sixth * (h * (lane_abs(g3) + lane_set(0.25) * lane_abs(g4) * h) - l * H);
    linear_stride stride = {h, mask_or(mask_and(cuts, lane_le(gap, tolerance * slope)), lane_le(h, tolerance))};
    return stride;
}

/* The step for a guard on m. */
LANE_INLINE linear_stride linear_guard_step(const linear_guard *g, const linear_modes *v, const linear_change *x,
                                            const linear_curve *c, lane cap, lane tolerance)
{
    return linear_step(g->g0 + (g->P1 * x->m1 + g->P2 * x->m2), g->P1 * c->n1 + g->P2 * c->n2,
                       g->P1 * c->m1 + g->P2 * c->m2, g->P1 * c->k1 + g->P2 * c->k2,
                       -(g->P1 * (v->l1 * c->m1) + g->P2 * (v->l2 * c->m2)), g->bound, cap, tolerance);
}

/* The step for a guard on m': g0 + P1 (change of n1) + P2 (change of n2). */
LANE_INLINE linear_stride linear_rate_step(const linear_guard *g, const linear_modes *v, const linear_change *x,
                                           const linear_curve *c, lane cap, lane tolerance)
{
    return linear_step(g->g0 + (g->P1 * x->n1 + g->P2 * x->n2), g->P1 * c->m1 + g->P2 * c->m2,
                       g->P1 * c->k1 + g->P2 * c->k2, -(g->P1 * (v->l1 * c->m1) + g->P2 * (v->l2 * c->m2)),
                       -(g->P1 * (v->l1 * c->k1) + g->P2 * (v->l2 * c->k2)), g->bound, cap, tolerance);
}

/* First step from an edge of the cone reached by slip: there g = g1 = 0 and g begins to grow, so that
 * g >= h^2 (g2/2 + g3 h/6 - m4 h^2/24) > 0 up to the root of the bracket; 0.8 of it is taken. Where g2 is 0 but for
 * rounding (the exact threshold) g3 decides. No step if g does not grow. */
LANE_INLINE linear_stride linear_leave(const linear_guard *g, const linear_modes *v, const linear_curve *c, lane cap)
{
    const lane zero = lane_set(0), two = lane_set(2);
    lane g2 = g->P1 * c->m1 + g->P2 * c->m2, g3 = g->P1 * c->k1 + g->P2 * c->k2;
    lane c1 = lane_abs(g->P1) * v->s1, c2 = lane_abs(g->P2) * v->s2;
    lane noise = lane_set(0x1p-48) * (c1 + c2), m4 = c1 * v->l1 + c2 * v->l2;
    g2 = lane_select(lane_le(lane_abs(g2), noise), zero, g2);
    lane root = lane_sqrt(lane_max(lane_set(4) * g3 * g3 + lane_set(12) * m4 * g2, zero));
    lane h = lane_set(0.8) * (two * g3 + root) / m4;
    h = lane_select(lane_lt(g2, zero), zero, lane_max(h, zero));
    linear_stride stride = {lane_min(h, cap), lane_le(h, zero)};
    return stride;
}

/* Longest step worth trying: the time in which the motion as a whole turns by 1.75 rad. */
LANE_INLINE lane linear_reach(const linear_modes *v)
{
    lane fourth = v->s1 * v->l1 + v->s2 * v->l2, second = v->s1 + v->s2;
    lane turn = lane_set(1.75) * lane_sqrt(second / fourth);
    return lane_select(lane_lt(lane_set(0), fourth), turn, lane_set(1));
}

/* When a guard (on m', if `of_rates`) is next 0 after `from`, for the lanes wanted; infinity if it is not before `end`.
 * from > 0 is such a time itself. */
static inline lane linear_next_zero(const linear_modes *v, const linear_guard *guard, bool of_rates, lane from,
                                    lane end, lane_mask wanted)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane cap = linear_reach(v), t = from, at = lane_set(INFINITY);
    lane_mask again = lane_lt(zero, from), active = mask_and(wanted, lane_lt(zero, guard->bound));
    linear_guard g = *guard;
    for (int pass = 0; pass < PC_LINEAR_MAX_STEPS && mask_any(active); pass++) {
        linear_change x = linear_follow(v, t);
        linear_curve c = linear_bend(v, &x);
        lane limit = cap;
        if (pass == 0) {
            /* turned so that it is positive where it starts or, from a zero, where it goes */
            lane g1 = of_rates ? g.P1 * c.m1 + g.P2 * c.m2 : g.P1 * c.n1 + g.P2 * c.n2;
            lane g2 = of_rates ? g.P1 * c.k1 + g.P2 * c.k2 : g.P1 * c.m1 + g.P2 * c.m2;
            lane_mask off = mask_and_not(mask_not(lane_eq(g.g0, zero)), again);
            lane_mask flat = mask_and_not(lane_eq(g1, zero), off);
            lane first = lane_select(off, g.g0, lane_select(flat, g2, g1));
            lane way = lane_select(lane_lt(first, zero), -one, one);
            g.g0 = way * g.g0;
            g.P1 = way * g.P1;
            g.P2 = way * g.P2;
            /* from a start at rest on 0 the bound says nothing: a short step leaves it */
            limit = lane_select(flat, lane_set(0x1p-4) * cap, cap);
        }
        lane tolerance = lane_set(0x1p-53) * (t + cap);
        linear_stride stride = of_rates ? linear_rate_step(&g, v, &x, &c, limit, tolerance)
                                        : linear_guard_step(&g, v, &x, &c, limit, tolerance);
        t = lane_select(active, t + stride.h, t);
        lane_mask found = mask_and(active, stride.found);
        if (pass == 0) found = mask_and_not(found, again);
        at = lane_select(found, t, at);
        active = mask_and(mask_and_not(active, found), lane_le(t, end));
    }
    return at;
}

#endif
