/* The exact kernel of the linear stick-slip contact over lanes: see linear.h for the law and the scaling. The
 * including file has set PC_LANES.
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

#include "law/linear/linear.h"
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

/* ---- leaps ----
 *
 * Where only the edges of the cone end a segment, its end is guessed first, by Halley's method on Taylor polynomials,
 * and then proved to be the first root: a polynomial that lies below the guard over the whole leap has only positive
 * coefficients in Bernstein's form. Where no end is near, the same proof clears 2.4 rad at once. Impacts for which
 * neither is found are left to the steps of its guards.
 */

/* Guesses of one landing; it is given up beyond. */
enum { PC_LINEAR_MAX_GUESSES = 4 };

/* A guard and its first three derivatives. */
typedef struct linear_jet {
    lane g, g1, g2, g3;
} linear_jet;

LANE_INLINE linear_jet linear_jet_of(const linear_guard *g, const linear_change *x, const linear_curve *c)
{
    linear_jet j = {g->g0 + (g->P1 * x->m1 + g->P2 * x->m2), g->P1 * c->n1 + g->P2 * c->n2,
                    g->P1 * c->m1 + g->P2 * c->m2, g->P1 * c->k1 + g->P2 * c->k2};
    return j;
}

LANE_INLINE linear_jet linear_jet_at_start(const linear_guard *g, const linear_modes *v)
{
    lane p1 = g->P1 * v->l1, p2 = g->P2 * v->l2;
    linear_jet j = {g->g0, g->P1 * v->n1 + g->P2 * v->n2, -(p1 * v->m1 + p2 * v->m2), -(p1 * v->n1 + p2 * v->n2)};
    return j;
}

/* The change at a time of at most 4 rad of the faster mode, in powers of z = l t^2/16, which ask for no frequency:
 * sin y = y (1 + z S(z)), cos y = 1 - z/2 + z^2 C(z), y^2 = z <= 1, and two doublings of the angle. Polynomials as in
 * lanes.h: least maximum error, 3.4e-19 of S and 2.4e-17 of C. */
LANE_INLINE void linear_carry_mode(lane l, lane m, lane n, lane t, lane *dm, lane *dn, lane *di)
{
    const lane one = lane_set(1), two = lane_set(2);
    lane y = lane_set(0.25) * t, z = l * y * y, zz = z * z, z4 = zz * zz;
    lane s = ((lane_set(-0.16666666666666666) + z * lane_set(0.0083333333333333)) +
              zz * (lane_set(-0.00019841269841216566) + z * lane_set(2.755731919201122e-06))) +
             z4 * ((lane_set(-2.5052099244914114e-08) + z * lane_set(1.6057701922579786e-10)) +
                   zz * lane_set(-7.549371704181243e-13));
    lane c = ((lane_set(0.041666666666666644) + z * lane_set(-0.001388888888887225)) +
              zz * (lane_set(2.4801587282169773e-05) + z * lane_set(-2.7557310935140726e-07))) +
             z4 * (lane_set(2.087515693739361e-09) + z * lane_set(-1.1328236374460262e-11));
    lane sine = y + y * z * s, cosine = one - (z * lane_set(0.5) - zz * c); /* sine: over o */
    lane sine2 = two * sine * cosine, cosine2 = one - two * l * (sine * sine);
    lane S = two * sine2 * cosine2, S2 = two * sine2 * sine2;
    *di = S * m + S2 * n;
    *dm = S * n - l * S2 * m;
    *dn = -(l * *di);
}

LANE_INLINE linear_change linear_carry(const linear_modes *v, lane t)
{
    linear_change x;
    linear_carry_mode(v->l1, v->m1, v->n1, t, &x.m1, &x.n1, &x.i1);
    linear_carry_mode(v->l2, v->m2, v->n2, t, &x.m2, &x.n2, &x.i2);
    return x;
}

/* A change that goes on for a time h of at most 2^-6 rad, from the mode m and its rate n: S and S2 by their series. */
LANE_INLINE void linear_creep_mode(lane l, lane m, lane n, lane h, lane *dm, lane *dn, lane *di)
{
    const lane one = lane_set(1);
    lane z = l * h * h;
    lane S = h * (one - z * lane_set(1.0 / 6) * (one - z * lane_set(1.0 / 20) * (one - z * lane_set(1.0 / 42))));
    lane S2 = lane_set(0.5) * (h * h) *
              (one - z * lane_set(1.0 / 12) * (one - z * lane_set(1.0 / 30) * (one - z * lane_set(1.0 / 56))));
    lane i = S * m + S2 * n;
    *di = *di + i;
    *dm = *dm + (S * n - l * S2 * m);
    *dn = *dn - l * i;
}

LANE_INLINE linear_change linear_creep(const linear_modes *v, const linear_change *from, lane h)
{
    linear_change x = *from;
    linear_creep_mode(v->l1, v->m1 + from->m1, v->n1 + from->n1, h, &x.m1, &x.n1, &x.i1);
    linear_creep_mode(v->l2, v->m2 + from->m2, v->n2 + from->n2, h, &x.m2, &x.n2, &x.i2);
    return x;
}

/* Where the parabola of a falling guard is 0: ahead of a positive value, behind a negative one; infinity if nowhere. */
LANE_INLINE lane linear_parabola_root(const linear_jet *j)
{
    const lane zero = lane_set(0), two = lane_set(2);
    lane disc = j->g1 * j->g1 - two * j->g * j->g2;
    lane below = lane_sqrt(lane_max(disc, zero)) - j->g1;
    return lane_select(mask_and(lane_le(zero, disc), lane_lt(zero, below)), two * j->g / below, lane_set(INFINITY));
}

/* A step of Halley's method on the Taylor polynomial of degree 6 of a guard. */
LANE_INLINE lane linear_polish(const linear_guard *g, const linear_modes *v, const linear_jet *j, const linear_curve *c,
                               lane h)
{
    lane p1 = g->P1 * v->l1, p2 = g->P2 * v->l2;
    lane g4 = -(p1 * c->m1 + p2 * c->m2), g5 = -(p1 * c->k1 + p2 * c->k2);
    lane g6 = p1 * v->l1 * c->m1 + p2 * v->l2 * c->m2;
    lane a2 = lane_set(0.5) * j->g2, a3 = lane_set(1.0 / 6) * j->g3, a4 = lane_set(1.0 / 24) * g4;
    lane a5 = lane_set(1.0 / 120) * g5, a6 = lane_set(1.0 / 720) * g6;
    lane d2 = lane_set(0.5) * j->g3, d3 = lane_set(1.0 / 6) * g4, d4 = lane_set(1.0 / 24) * g5;
    lane d5 = lane_set(1.0 / 120) * g6;
    lane hh = h * h;
    lane value = (j->g + h * j->g1) + hh * ((a2 + h * a3) + hh * ((a4 + h * a5) + hh * a6));
    lane slope = (j->g1 + h * j->g2) + hh * ((d2 + h * d3) + hh * (d4 + h * d5));
    lane curve = (j->g2 + h * j->g3) + hh * (d3 * lane_set(3) + h * d4 * lane_set(4));
    return h - lane_set(2) * value * slope / (lane_set(2) * slope * slope - value * curve);
}

/* Is a guard positive all the way from `start`, where it may be 0, to a time r later with jet `end`, where it is 0 if
 * `root`? `touched`: at the start it is 0 with slope 0.
 *
 * The polynomial of degree 7 with the values and three derivatives of g at both ends differs from g by at most
 * M x^4 (r - x)^4/8!, M a bound of the eighth derivative (Hermite's interpolation). Less this, it is a polynomial of
 * degree 8 whose Bernstein coefficients b0 ... b8 follow from the derivatives (b0-b3 and b5-b8) and, for b4, from the
 * eighth difference, which only the bound makes differ from 0. If all are positive but those that are 0 by nature, so
 * is g inside. `noise` stands for some hundred roundings of the terms; r |m'| <= 4 |m| + r |n| within a leap. */
LANE_INLINE lane_mask linear_stays(const linear_guard *g, const linear_modes *v, const linear_jet *start,
                                   const linear_jet *end, lane r, lane_mask touched, lane_mask root)
{
    const lane zero = lane_set(0), two = lane_set(2), three = lane_set(3);
    lane c1 = lane_abs(g->P1), c2 = lane_abs(g->P2);
    lane swing =
        lane_set(4) * (c1 * lane_abs(v->m1) + c2 * lane_abs(v->m2)) + r * (c1 * lane_abs(v->n1) + c2 * lane_abs(v->n2));
    lane noise = lane_set(0x1p-42) * (lane_abs(start->g) + swing);
    lane bound = c1 * v->s1 * (v->l1 * v->l1 * v->l1) + c2 * v->s2 * (v->l2 * v->l2 * v->l2);
    lane rr = r * r, r4 = rr * rr;
    lane d1 = lane_set(1.0 / 8) * r, d2 = lane_set(1.0 / 56) * rr, d3 = lane_set(1.0 / 336) * (r * rr);
    lane s1 = d1 * lane_select(touched, zero, start->g1), s2 = d2 * start->g2, s3 = d3 * start->g3;
    lane e0 = lane_select(root, zero, end->g), e1 = d1 * end->g1, e2 = d2 * end->g2, e3 = d3 * end->g3;
    lane b1 = start->g + s1, b2 = start->g + (two * s1 + s2), b3 = start->g + (three * (s1 + s2) + s3);
    lane b7 = e0 - e1, b6 = e0 - (two * e1 - e2), b5 = e0 - (three * (e1 - e2) + e3);
    lane b4 = lane_set(1.0 / 70) * (lane_set(56) * (b3 + b5) - lane_set(28) * (b2 + b6) + lane_set(8) * (b1 + b7) -
                                    (start->g + e0) - lane_set(1.0 / 40320) * (bound * (r4 * r4)));
    b1 = lane_select(touched, b2, b1);
    e0 = lane_select(root, b7, e0);
    /* b4 comes last, because what is not a number passes lane_min from there alone, and b4 depends on everything */
    lane least = lane_min(lane_min(lane_min(b1, b2), lane_min(b3, b5)), lane_min(lane_min(b6, b7), e0));
    lane_mask exact = mask_or(mask_not(root), lane_le(lane_abs(end->g), noise));
    return mask_and(mask_and(lane_lt(noise, lane_min(least, b4)), lane_le(zero, start->g)), exact);
}

/* What one leap has found, counted from its start. */
typedef struct linear_leap {
    lane_mask lands, clears; /* on an edge after `time`; or nothing happens during `reach` */
    lane time, reach, low;   /* low: 1 lower edge, -1 upper edge */
    linear_change at, beyond;
} linear_leap;

/* Look for the end of stick from the modes v on, and prove it.
 *
 * The first guess is made at `reach`. Two are the rule, the second one from a point within 2^-6 rad of the end, where
 * two steps of Halley's method, of which the first knows two derivatives only, are exact; what wanders off or does not
 * come close in four is given up. */
LANE_INLINE linear_leap linear_find_leap(const linear_modes *v, const linear_guard *lower, const linear_guard *upper,
                                         lane_mask on_lower, lane_mask on_upper, lane_mask wanted)
{
    const lane zero = lane_set(0), one = lane_set(1), two = lane_set(2);
    linear_change start = {zero, zero, zero, zero, zero, zero};
    linear_leap leap;
    lane trace = v->l1 + v->l2;
    leap.reach = lane_set(2.4) / lane_sqrt(trace);
    leap.beyond = linear_carry(v, leap.reach);
    linear_curve there = linear_bend(v, &leap.beyond);
    linear_jet jl = linear_jet_of(lower, &leap.beyond, &there), ju = linear_jet_of(upper, &leap.beyond, &there);
    lane hl = linear_parabola_root(&jl), hu = linear_parabola_root(&ju);
    lane_mask low = lane_lt(hl, hu);
    linear_guard g = {lane_select(low, lower->g0, upper->g0), lane_select(low, lower->P1, upper->P1),
                      lane_select(low, lower->P2, upper->P2), zero};
    linear_jet j = {lane_select(low, jl.g, ju.g), lane_select(low, jl.g1, ju.g1), lane_select(low, jl.g2, ju.g2),
                    lane_select(low, jl.g3, ju.g3)};
    lane h = linear_polish(&g, v, &j, &there, lane_select(low, hl, hu)), t = leap.reach + h;
    lane_mask going = mask_and(wanted, lane_lt(lane_abs(h), leap.reach));
    leap.at = start;
    leap.lands = mask_and_not(wanted, wanted);
    for (int guess = 1; guess < PC_LINEAR_MAX_GUESSES; guess++) {
        going = mask_and(going, mask_and(lane_lt(zero, t), lane_le(t * t * trace, lane_set(16))));
        if (!mask_any(going)) break;
        linear_change x = linear_carry(v, t);
        linear_curve c = linear_bend(v, &x);
        j = linear_jet_of(&g, &x, &c);
        h = linear_polish(&g, v, &j, &c, -(two * j.g * j.g1) / (two * j.g1 * j.g1 - j.g * j.g2));
        lane_mask close = mask_and(going, lane_le(h * h * trace, lane_set(0x1p-12)));
        linear_change y = linear_creep(v, &x, h);
        if (guess == 1) { /* what is not going is dead, and nothing has landed that could be spoilt */
            t = t + h;
            leap.at = y;
        } else {
            t = lane_select(going, t + h, t);
            leap.at = linear_choose(close, &y, &leap.at);
        }
        leap.lands = mask_or(leap.lands, close);
        going = mask_and_not(going, close);
    }
    leap.time = t;
    leap.low = lane_select(low, one, -one);

    linear_curve c = linear_bend(v, &leap.at);
    linear_jet lower_start = linear_jet_at_start(lower, v), upper_start = linear_jet_at_start(upper, v);
    leap.clears = mask_and_not(wanted, wanted);
    if (mask_any(leap.lands)) {
        linear_jet lower_end = linear_jet_of(lower, &leap.at, &c), upper_end = linear_jet_of(upper, &leap.at, &c);
        leap.lands = mask_and(leap.lands, linear_stays(lower, v, &lower_start, &lower_end, t, on_lower, low));
        leap.lands = mask_and(leap.lands, linear_stays(upper, v, &upper_start, &upper_end, t, on_upper, mask_not(low)));
    }
    lane_mask left = mask_and_not(wanted, leap.lands);
    if (mask_any(left)) {
        lane_mask never = mask_and_not(low, low);
        leap.clears = mask_and(left, linear_stays(lower, v, &lower_start, &jl, leap.reach, on_lower, never));
        leap.clears = mask_and(leap.clears, linear_stays(upper, v, &upper_start, &ju, leap.reach, on_upper, never));
    }
    return leap;
}

/* Leap to the end of stick segments that only the edges of the cone can end, for the lanes wanted. Returns those that
 * have arrived; `time`, `change` and `steps` count up for the others too, as far as they have come. */
LANE_INLINE lane_mask linear_leap_on(const linear_modes *v, const linear_guard *lower, const linear_guard *upper,
                                     lane_mask on_lower, lane_mask on_upper, lane_mask wanted, lane *time, lane *side,
                                     linear_change *change, lane *steps)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane_mask arrived = mask_and_not(wanted, wanted);
    linear_modes from = *v;
    linear_guard below = *lower, above = *upper;
    for (;;) {
        linear_leap leap = linear_find_leap(&from, &below, &above, on_lower, on_upper, wanted);
        if (!mask_any(mask_not(leap.lands))) { /* the usual case, without selections */
            *change = linear_add(change, &leap.at);
            *time = *time + leap.time;
            *side = leap.low;
            *steps = *steps + one;
            return leap.lands;
        }
        lane_mask moves = mask_or(leap.lands, leap.clears);
        linear_change x = linear_choose(leap.lands, &leap.at, &leap.beyond);
        linear_change sum = linear_add(change, &x);
        *change = linear_choose(moves, &sum, change);
        *time = lane_select(moves, *time + lane_select(leap.lands, leap.time, leap.reach), *time);
        *side = lane_select(leap.lands, leap.low, *side);
        *steps = *steps + lane_select(moves, one, zero);
        arrived = mask_or(arrived, leap.lands);
        wanted = mask_and(leap.clears, lane_lt(*steps, lane_set(PC_LINEAR_MAX_STEPS)));
        if (!mask_any(wanted)) return arrived;
        /* go on from there */
        from.m1 = v->m1 + change->m1;
        from.m2 = v->m2 + change->m2;
        from.n1 = v->n1 + change->n1;
        from.n2 = v->n2 + change->n2;
        below.g0 = lower->g0 + (lower->P1 * change->m1 + lower->P2 * change->m2);
        above.g0 = upper->g0 + (upper->P1 * change->m1 + upper->P2 * change->m2);
        on_lower = on_upper = mask_and_not(wanted, wanted);
    }
}

/* ---- whole segments ---- */

/* Does stick last for ever? Rank 1 only: then one mode vibrates about a fixed mean (or one that drifts when v0 lies
 * outside the range of W), and neither edge is reached iff on both the mean exceeds the amplitude, or the motion starts
 * on the edge at rest, which is then its nearest approach. With E < 1 the vibration must also stay on the line of k2.
 * Rank 2 cannot hold: every mode has mean 0, so F_n would have to become negative. `drifts`: the mean does not leave
 * the cone, so that what has not ended after many vibrations never will. */
static inline lane_mask linear_holds(const linear *q, const linear_modes *v, const linear_guard *lower,
                                     const linear_guard *upper, lane_mask *drifts)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane_mask rank1 = lane_eq(q->det, zero);
    *drifts = rank1;
    if (!mask_any(rank1)) return rank1;
    lane swing = lane_sqrt(v->m1 * v->m1 + v->n1 * v->n1 / v->l1);
    lane lower_swing = lane_select(lane_eq(q->touch, one), zero, lane_abs(lower->P1) * swing);
    lane upper_swing = lane_select(lane_eq(q->touch, -one), zero, lane_abs(upper->P1) * swing);
    lane_mask clear = mask_and(lane_lt(lower_swing, lower->P2 * v->m2), lane_lt(upper_swing, upper->P2 * v->m2));
    lane_mask stays = mask_and(lane_le(zero, lower->P2 * v->n2), lane_le(zero, upper->P2 * v->n2));
    *drifts = mask_and(rank1, stays);
    lane top = v->f2 * v->m2 + lane_abs(v->f1) * swing;
    lane_mask elastic = mask_or(lane_eq(q->k2, one),
                                mask_and(mask_not(lane_eq(q->k, one)), lane_le(top, q->f_max * lane_set(1 + 0x1p-40))));
    return mask_and(*drifts, mask_and(clear, elastic));
}

/* How a stick segment ends: the change until then, its time, and what ended it: side 1 the lower edge, -1 the upper
 * one, 2 the rate of indentation, 3 the greatest F_n. active: has not ended yet. */
typedef struct linear_ending {
    linear_change x;
    lane t, side;
    lane_mask active;
} linear_ending;

/* Go to the end of a stick segment by steps that cannot cross it, the way of those that cannot leap. Returns the lanes
 * that are given up. Further guards: room below the greatest F_n while the line of k2 is climbed, and the rate of
 * indentation with the sign that makes it positive from the start on. */
static inline lane_mask linear_take_steps(linear *q, const linear_modes *modes, const linear_guard *from_lower,
                                          const linear_guard *from_upper, lane_mask closing, linear_ending *end)
{
    const lane zero = lane_set(0), one = lane_set(1);
    linear_modes v = *modes;
    linear_find_paces(&v);
    linear_guard lower = *from_lower, upper = *from_upper, room, rate;
    lane c1 = v.r1 * (v.l1 * v.l1), c2 = v.r2 * (v.l2 * v.l2);
    lower.bound = lane_abs(lower.P1) * c1 + lane_abs(lower.P2) * c2;
    upper.bound = lane_abs(upper.P1) * c1 + lane_abs(upper.P2) * c2;
    lane way = lane_select(closing, one, -one);
    rate.g0 = way * q->w;
    rate.P1 = way * v.c * v.f1;
    rate.P2 = way * v.c * v.f2;
    rate.bound = lane_abs(rate.P1) * v.s1 * (v.l1 * v.l1) + lane_abs(rate.P2) * v.s2 * (v.l2 * v.l2);
    room.g0 = q->f_max - q->fn;
    room.P1 = -v.f1;
    room.P2 = -v.f2;
    room.bound = lane_abs(v.f1) * c1 + lane_abs(v.f2) * c2;

    lane_mask splits = lane_lt(one, q->k2), climbs = mask_and(closing, mask_not(lane_eq(q->k, one)));
    lane_mask fresh = mask_and(lane_eq(end->t, zero), mask_not(lane_eq(q->touch, zero)));
    lane_mask on_lower = mask_and(fresh, lane_lt(zero, q->touch)), on_upper = mask_and(fresh, lane_lt(q->touch, zero));
    lane_mask active = end->active, tired = mask_and_not(active, active);
    linear_change x = end->x;
    linear_curve bend = linear_bend(&v, &x);
    lane cap = linear_reach(&v), t = end->t, side = end->side;
    for (int pass = 0; mask_any(active); pass++) {
        lane tolerance = lane_set(0x1p-53) * (t + cap);
        linear_stride low = linear_guard_step(&lower, &v, &x, &bend, cap, tolerance);
        linear_stride up = linear_guard_step(&upper, &v, &x, &bend, cap, tolerance);
        if (pass == 0 && mask_any(fresh)) {
            linear_guard edge = lower;
            edge.P1 = lane_select(on_upper, upper.P1, lower.P1);
            edge.P2 = lane_select(on_upper, upper.P2, lower.P2);
            linear_stride leave = linear_leave(&edge, &v, &bend, cap);
            low.h = lane_select(on_lower, leave.h, low.h);
            low.found = mask_select(on_lower, leave.found, low.found);
            up.h = lane_select(on_upper, leave.h, up.h);
            up.found = mask_select(on_upper, leave.found, up.found);
        }
        lane_mask less = lane_lt(up.h, low.h);
        lane h = lane_select(less, up.h, low.h), next = lane_select(less, -one, one);
        lane_mask found = mask_select(less, up.found, low.found);
        if (mask_any(splits)) {
            linear_stride turn = linear_rate_step(&rate, &v, &x, &bend, cap, tolerance);
            less = mask_and(splits, lane_lt(turn.h, h));
            h = lane_select(less, turn.h, h);
            next = lane_select(less, lane_set(2), next);
            found = mask_select(less, turn.found, found);
        }
        if (mask_any(climbs)) {
            linear_stride load = linear_guard_step(&room, &v, &x, &bend, cap, tolerance);
            less = mask_and(climbs, lane_lt(load.h, h));
            h = lane_select(less, load.h, h);
            next = lane_select(less, lane_set(3), next);
            found = mask_select(less, load.found, found);
        }
        lane_mask steps = active;
        t = lane_select(active, t + h, t);
        side = lane_select(mask_and(active, found), next, side);
        active = mask_and_not(active, found);
        q->steps = q->steps + lane_select(active, one, zero);
        lane_mask more = lane_lt(q->steps, lane_set(PC_LINEAR_MAX_STEPS));
        tired = mask_or(tired, mask_and_not(active, more));
        active = mask_and(active, more);
        linear_change y = linear_follow(&v, t);
        x = linear_choose(steps, &y, &x);
        bend = linear_bend(&v, &x);
    }
    end->x = linear_choose(end->active, &x, &end->x);
    end->t = lane_select(end->active, t, end->t);
    end->side = lane_select(end->active, side, end->side);
    return tired;
}

/* One stick segment, from the present state to its first event. A turning point of the
 * indentation is one where E < 1. */
static inline void linear_stick(linear *q)
{
    const lane zero = lane_set(0), one = lane_set(1);
    linear_modes v = linear_find_modes(q);

    /* guards: lower edge mu F_n + F_t (then slip with sign +1), upper edge mu F_n - F_t (sign -1) */
    lane_mask on_lower = lane_eq(q->touch, one), on_upper = lane_eq(q->touch, -one);
    linear_guard lower, upper;
    lower.g0 = lane_select(on_lower, zero, q->mu * q->fn + q->ft);
    lower.P1 = q->mu * v.f1 + v.t1;
    lower.P2 = q->mu * v.f2 + v.t2;
    upper.g0 = lane_select(on_upper, zero, q->mu * q->fn - q->ft);
    upper.P1 = q->mu * v.f1 - v.t1;
    upper.P2 = q->mu * v.f2 - v.t2;
    lower.bound = upper.bound = zero;

    lane_mask splits = lane_lt(one, q->k2);
    lane w_rate = -(v.f1 * (v.l1 * v.m1) + v.f2 * (v.l2 * v.m2));
    lane_mask closing = mask_or(lane_lt(zero, q->w), mask_and(lane_eq(q->w, zero), lane_le(zero, w_rate)));
    lane_mask drifts, holds = linear_holds(q, &v, &lower, &upper, &drifts);
    linear_ending end = {.x = {zero, zero, zero, zero, zero, zero}, .t = zero, .side = zero};
    end.active = mask_not(holds);
    lane_mask leaps = mask_and_not(end.active, splits);
    if (mask_any(leaps)) {
        lane_mask lands =
            linear_leap_on(&v, &lower, &upper, on_lower, on_upper, leaps, &end.t, &end.side, &end.x, &q->steps);
        end.active = mask_and_not(end.active, lands);
    }
    lane_mask tired = mask_and_not(holds, holds);
    if (mask_any(end.active)) tired = linear_take_steps(q, &v, &lower, &upper, closing, &end);

    /* state there; what the event says is 0 is set to 0 */
    lane_mask edge = lane_eq(lane_abs(end.side), one), load = lane_eq(end.side, lane_set(3));
    linear_apply_change(q, &v, &end.x);
    q->fn = lane_select(load, q->f_max, q->fn);
    q->ft = lane_select(edge, -(end.side * q->mu * q->fn), q->ft);
    q->w = lane_select(lane_eq(end.side, lane_set(2)), zero, q->w);
    q->t = q->t + lane_select(holds, lane_set(INFINITY), end.t);
    linear_finish(q, lane_set(2), mask_or(holds, lane_lt(zero, end.t)), mask_and_not(closing, holds), load);

    /* Gross stick ends at the apex of the cone, where both forces vanish together; a slip that would last less than
     * 1e-12 of the stick before is that end. */
    lane_mask apex = mask_and(edge, lane_le(q->fn, lane_set(-0x1p-40) * q->k * q->w * end.t));
    q->fn = lane_select(apex, zero, q->fn);
    q->ft = lane_select(apex, zero, q->ft);
    lane held = lane_select(lane_eq(q->in_range, one), lane_set(PC_LINEAR_WEDGED), lane_set(PC_LINEAR_ENDLESS));
    lane code = lane_select(apex, lane_set(PC_LINEAR_REBOUND), zero);
    code = lane_select(holds, held, code);
    lane given_up = lane_select(drifts, lane_set(PC_LINEAR_ENDLESS), lane_set(PC_LINEAR_LIMIT));
    q->code = lane_select(tired, given_up, code);
    q->sign = lane_select(edge, end.side, zero);
    /* still on the edge it came from, as far as digits tell? */
    lane distance = q->mu * q->fn + q->touch * q->ft;
    lane_mask away = mask_or(edge, lane_lt(lane_set(0x1p-43) * q->mu * q->fn, distance));
    q->touch = lane_select(away, zero, q->touch);
}

/* Turning points of the indentation inside a stick segment, which are no events where E = 1: when w is next 0 after
 * `from`, a time within the segment that starts at q and lasts dt. While mu |b| < 1 the contact force drives w down all
 * the time, so that it has a zero only if its sign changes. */
static inline lane linear_stick_turn(const linear *q, const linear_modes *v, lane from, lane dt, lane w_end)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane_mask swings = mask_not(lane_lt(q->mu * lane_abs(q->b), one));
    lane_mask falls = mask_and(lane_eq(from, zero), mask_and(lane_lt(zero, q->w), lane_lt(w_end, zero)));
    lane_mask wanted = mask_and(mask_or(swings, falls), lane_eq(q->k2, one));
    lane never = lane_set(INFINITY);
    if (!mask_any(wanted)) return never;
    linear_guard rate = {q->w, v->c * v->f1, v->c * v->f2, zero};
    rate.bound = lane_abs(rate.P1) * v->s1 * (v->l1 * v->l1) + lane_abs(rate.P2) * v->s2 * (v->l2 * v->l2);
    lane at = linear_next_zero(v, &rate, true, from, dt, wanted);
    return lane_select(lane_lt(at, dt), at, never);
}

/* Enter a turning point at time t of the impact, with the force there, if it is a greatest indentation. */
static inline void linear_enter_top(linear *after, lane_mask top, lane_mask first, lane t, lane fn)
{
    after->turn = lane_select(mask_and(top, first), t, after->turn);
    lane_mask higher = mask_and(top, lane_lt(after->peak, fn));
    after->peak = lane_select(higher, fn, after->peak);
    after->peak_time = lane_select(higher, t, after->peak_time);
}

/* Fill turn, peak and peak_time of a segment that went from `before` to `after`, all slip or all stick. */
static inline void linear_watch(const linear *before, linear *after, bool slips)
{
    const lane zero = lane_set(0);
    lane_mask first = lane_eq(before->turn, zero), live = lane_lt(after->t, lane_set(INFINITY));
    if (slips) {
        lane p = linear_slip_turn(before, after);
        lane_mask inside = lane_lt(p, lane_set(INFINITY));
        p = lane_select(inside, p, zero);
        linear there = *before;
        linear_apply_impulse(&there, p);
        lane t = before->t + linear_slip_time(before, p, before->fn, before->w, there.fn);
        linear_enter_top(after, mask_and(inside, lane_lt(zero, before->w)), first, t, there.fn);
        return;
    }
    linear_modes v = linear_find_modes(before);
    linear_find_paces(&v);
    lane dt = after->t - before->t, from = zero;
    for (;;) {
        lane at = linear_stick_turn(before, &v, from, dt, after->w);
        lane_mask inside = mask_and(live, lane_lt(at, dt));
        if (!mask_any(inside)) return;
        lane t = lane_select(inside, at, zero);
        linear_change x = linear_follow(&v, t);
        linear_curve c = linear_bend(&v, &x);
        linear there = *before;
        linear_apply_change(&there, &v, &x);
        lane_mask top = mask_and(inside, lane_lt(v.f1 * c.m1 + v.f2 * c.m2, zero));
        linear_enter_top(after, top, first, before->t + t, there.fn);
        first = mask_and_not(first, top);
        from = lane_select(inside, at, dt);
    }
}

#endif
