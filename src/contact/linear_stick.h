/* Stick segments of the linear kernel over lanes: see linear_kernel.h for the letters.
 *
 * In coordinates y = sqrt(k) u the equations are y'' = -A y with A = K^(1/2) W K^(1/2) symmetric: two modes, each
 * m(t) = m C + n S with 1 - C = l S2, S = sin(o t)/o, S2 = (1 - cos(o t))/l, o^2 = l, formed so that l = 0 (rank 1: a
 * drift) is no special case. Everything that can end a segment is a sum of two modes, a guard g(t) >= 0: either edge of
 * the cone, the rate of indentation, the distance of F_n from its greatest value.
 */
#ifndef PC_CONTACT_LINEAR_STICK_H
#define PC_CONTACT_LINEAR_STICK_H

#include "contact/linear_kernel.h"

/* Modes and their state at the start of the segment. e1 belongs to the larger eigenvalue l1; r: amplitude of m'. */
typedef struct linear_modes {
    lane l1, l2, o1, o2;
    lane e1t, e1n, e2t, e2n;
    lane m1, m2, n1, n2;
    lane r1, r2;
} linear_modes;

/* How far the modes have come at time t: increments of m and of m' = n, and the integral of m. */
typedef struct linear_change {
    lane m1, m2, n1, n2, i1, i2;
} linear_change;

/* g = g0 + P1 (change of m1) + P2 (change of m2); `bound` >= |g''''|. */
typedef struct linear_guard {
    lane g0, P1, P2, bound;
} linear_guard;

/* A step, and whether its end is a root to the accuracy of time. */
typedef struct linear_stride {
    lane h;
    lane_mask found;
} linear_stride;

static inline linear_modes linear_find_modes(const linear *q, lane root_k)
{
    const lane zero = lane_set(0), one = lane_set(1), half = lane_set(0.5);
    linear_modes v;
    /* one Jacobi rotation; the smaller eigenvalue from the determinant, which keeps its digits near rank 1 */
    lane alpha = q->a * q->soft, beta = -(q->b * q->root_soft * root_k);
    lane d = half * (alpha - q->k), h = lane_sqrt(d * d + beta * beta);
    v.l1 = half * (alpha + q->k) + h;
    v.l2 = q->det * q->soft * q->k / v.l1;
    v.o1 = lane_sqrt(v.l1);
    v.o2 = lane_sqrt(v.l2);
    lane tangent = beta / lane_max(lane_abs(d) + h, lane_set(0x1p-1000));
    lane c = one / lane_sqrt(one + tangent * tangent), s = tangent * c;
    lane_mask normal = lane_lt(d, zero); /* e1 is nearer to the normal */
    v.e1t = lane_select(normal, s, c);
    v.e1n = lane_select(normal, c, s);
    v.e2t = lane_select(normal, c, -s);
    v.e2n = lane_select(normal, -s, c);

    lane yt = -(q->ft / q->root_soft), yn = q->fn / root_k;
    lane zt = q->root_soft * q->vt, zn = root_k * q->w;
    v.m1 = v.e1t * yt + v.e1n * yn;
    v.m2 = v.e2t * yt + v.e2n * yn;
    v.n1 = v.e1t * zt + v.e1n * zn;
    v.n2 = v.e2t * zt + v.e2n * zn;
    v.n2 = lane_select(lane_eq(q->in_range, one), zero, v.n2);
    v.r1 = lane_sqrt(v.l1 * v.m1 * v.m1 + v.n1 * v.n1);
    v.r2 = lane_sqrt(v.l2 * v.m2 * v.m2 + v.n2 * v.n2);
    return v;
}

static inline linear_change linear_follow(const linear_modes *v, lane t)
{
    const lane half = lane_set(0.5), two = lane_set(2);
    lane ss, sc;
    lane_half_angle(v->o1 * t, &ss, &sc);
    lane s = two * sc / v->o1, s2 = two * ss / v->l1;
    linear_change x;
    x.i1 = s * v->m1 + s2 * v->n1;
    x.m1 = s * v->n1 - v->l1 * s2 * v->m1;
    x.n1 = -(v->l1 * x.i1);

    lane_half_angle(v->o2 * t, &ss, &sc);
    lane_mask drift = lane_lt(v->l2, lane_set(0x1p-600));
    s = lane_select(drift, t, two * sc / v->o2);
    s2 = lane_select(drift, half * t * t, two * ss / v->l2);
    x.i2 = s * v->m2 + s2 * v->n2;
    x.m2 = s * v->n2 - v->l2 * s2 * v->m2;
    x.n2 = -(v->l2 * x.i2);
    return x;
}

/* A step within which g has no root, given g >= 0 and three derivatives at its start.
 *
 * On [0, H] the second derivative is at least g2 + l h with l = min(0, g3 - bound H/2), so g lies above a parabola; h
 * is the parabola's first root, or H when it has none. Near a root H = 2 g/|g1|, which makes the iteration converge
 * with order 3 from the safe side. `tolerance` is that of time; `cap` bounds H. */
static inline linear_stride linear_step(lane g, lane g1, lane g2, lane g3, lane bound, lane cap, lane tolerance)
{
    const lane zero = lane_set(0), two = lane_set(2);
    g = lane_max(g, zero);
    lane H = lane_select(lane_lt(g1, zero), lane_min(-two * g / g1, cap), cap);
    lane l = lane_min(g3 - lane_set(0.5) * bound * H, zero);
    lane curve = g2 + l * H * lane_set(1.0 / 3);
    lane disc = g1 * g1 - two * g * curve;
    lane slope = lane_sqrt(lane_max(disc, zero));
    lane_mask rises = lane_lt(zero, g1);
    lane above = lane_select(rises, g1 + slope, two * g);
    lane below = lane_select(rises, -curve, slope - g1);
    lane_mask cuts = mask_and(lane_le(zero, disc), lane_lt(zero, below));
    lane h = lane_select(cuts, lane_min(above / below, H), H);
    /* how far g can lie above the parabola at h */
    lane gap = h * h * (h * (lane_abs(g3) + lane_set(0.25) * bound * h) - l * H) * lane_set(1.0 / 6);
    linear_stride stride = {h, mask_or(mask_and(cuts, lane_le(gap, tolerance * slope)), lane_le(h, tolerance))};
    return stride;
}

/* The step for a guard on m, at the changed state x. */
static inline linear_stride linear_guard_step(const linear_guard *g, const linear_modes *v, const linear_change *x,
                                              lane cap, lane tolerance)
{
    lane m1 = v->l1 * (v->m1 + x->m1), m2 = v->l2 * (v->m2 + x->m2);
    lane n1 = v->n1 + x->n1, n2 = v->n2 + x->n2;
    return linear_step(g->g0 + (g->P1 * x->m1 + g->P2 * x->m2), g->P1 * n1 + g->P2 * n2, -(g->P1 * m1 + g->P2 * m2),
                       -(g->P1 * (v->l1 * n1) + g->P2 * (v->l2 * n2)), g->bound, cap, tolerance);
}

/* First step from an edge of the cone reached by slip: there g = g1 = 0 and g begins to grow, so that
 * g >= g2 h^2/2 - m3 h^3/6 > 0 up to 3 g2/m3; where g2 is 0 but for rounding (the exact threshold)
 * g >= g3 h^3/6 - m4 h^4/24 > 0 up to 4 g3/m4. Half of it is taken; nothing if g does not grow. */
static inline linear_stride linear_leave(const linear_guard *g, const linear_modes *v, lane cap)
{
    const lane zero = lane_set(0);
    lane g2 = -(g->P1 * v->l1 * v->m1 + g->P2 * v->l2 * v->m2);
    lane g3 = -(g->P1 * v->l1 * v->n1 + g->P2 * v->l2 * v->n2);
    lane c1 = lane_abs(g->P1) * v->r1, c2 = lane_abs(g->P2) * v->r2;
    lane m2 = c1 * v->o1 + c2 * v->o2, m3 = c1 * v->l1 + c2 * v->l2;
    lane h = lane_select(lane_lt(lane_set(0x1p-48) * m2, g2), lane_set(1.5) * g2 / m3,
                         lane_max(lane_set(2) * g3 / g->bound, zero));
    linear_stride stride = {lane_min(h, cap), lane_le(h, zero)};
    return stride;
}

/* Does stick last for ever? Rank 1 only: then one mode vibrates about a fixed mean (or one that drifts when v0 lies
 * outside the range of W), and neither edge is reached iff on both the mean exceeds the amplitude, or the motion starts
 * on the edge at rest, which is then its nearest approach. With E < 1 the vibration must also stay on the line of k2.
 * Rank 2 cannot hold: every mode has mean 0, so F_n would have to become negative. */
static inline lane_mask linear_holds(const linear *q, const linear_modes *v, lane root_k, const linear_guard *lower,
                                     const linear_guard *upper)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane_mask rank1 = lane_eq(q->det, zero);
    if (!mask_any(rank1)) return rank1;
    lane swing = v->r1 / v->o1;
    lane lower_swing = lane_select(lane_eq(q->touch, one), zero, lane_abs(lower->P1) * swing);
    lane upper_swing = lane_select(lane_eq(q->touch, -one), zero, lane_abs(upper->P1) * swing);
    lane_mask clear = mask_and(lane_lt(lower_swing, lower->P2 * v->m2), lane_lt(upper_swing, upper->P2 * v->m2));
    lane_mask stays = mask_and(lane_le(zero, lower->P2 * v->n2), lane_le(zero, upper->P2 * v->n2));
    lane top = root_k * (v->e2n * v->m2 + lane_abs(v->e1n) * swing);
    lane_mask elastic = mask_or(lane_eq(q->k2, one),
                                mask_and(mask_not(lane_eq(q->k, one)), lane_le(top, q->f_max * lane_set(1 + 0x1p-40))));
    return mask_and(mask_and(rank1, elastic), mask_and(clear, stays));
}

/* One stick segment, from the present state to its first event. */
static inline void linear_stick(linear *q)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane root_k = lane_sqrt(q->k);
    linear_modes v = linear_find_modes(q, root_k);

    /* guards: lower edge mu F_n + F_t (then slip with sign +1), upper edge mu F_n - F_t (sign -1), room below the
     * greatest F_n while the line of k2 is climbed */
    lane c1 = v.r1 * v.l1 * v.o1, c2 = v.r2 * v.l2 * v.o2;
    lane f1 = root_k * v.e1n, f2 = root_k * v.e2n;
    linear_guard lower = {q->mu * q->fn + q->ft, q->mu * f1 - q->root_soft * v.e1t, q->mu * f2 - q->root_soft * v.e2t,
                          zero};
    linear_guard upper = {q->mu * q->fn - q->ft, q->mu * f1 + q->root_soft * v.e1t, q->mu * f2 + q->root_soft * v.e2t,
                          zero};
    linear_guard room = {q->f_max - q->fn, -f1, -f2, lane_abs(f1) * c1 + lane_abs(f2) * c2};
    lane_mask on_lower = lane_eq(q->touch, one), on_upper = lane_eq(q->touch, -one);
    lower.g0 = lane_select(on_lower, zero, lower.g0);
    upper.g0 = lane_select(on_upper, zero, upper.g0);
    lower.bound = lane_abs(lower.P1) * c1 + lane_abs(lower.P2) * c2;
    upper.bound = lane_abs(upper.P1) * c1 + lane_abs(upper.P2) * c2;

    /* the rate of indentation, with the sign that makes it positive from here on: X1 m1' + X2 m2' */
    lane rate1 = -(v.l1 * v.m1), rate2 = -(v.l2 * v.m2);
    lane w_rate = v.e1n * rate1 + v.e2n * rate2;
    lane_mask closing = mask_or(lane_lt(zero, q->w), mask_and(lane_eq(q->w, zero), lane_le(zero, w_rate)));
    lane way = lane_select(closing, one, -one);
    lane X1 = way * v.e1n / root_k, X2 = way * v.e2n / root_k;
    lane w_bound = lane_abs(X1) * c1 * v.o1 + lane_abs(X2) * c2 * v.o2;
    lane_mask climbs = mask_and(closing, mask_not(lane_eq(q->k, one)));

    lane_mask holds = linear_holds(q, &v, root_k, &lower, &upper);
    lane_mask active = mask_not(holds), tired = mask_and_not(holds, holds);
    lane t = zero, side = zero; /* side: 1 lower edge, -1 upper edge, 2 w, 3 room */
    lane cap = (v.r1 * v.o1 + v.r2 * v.o2) / (c1 + c2);
    cap = lane_select(lane_lt(zero, c1 + c2), lane_set(1.5) * lane_sqrt(cap), one);
    linear_change x;
    for (int pass = 0;; pass++) {
        x = linear_follow(&v, t);
        if (!mask_any(active)) break;
        lane tolerance = lane_set(0x1p-53) * (t + cap);
        linear_stride low = linear_guard_step(&lower, &v, &x, cap, tolerance);
        linear_stride up = linear_guard_step(&upper, &v, &x, cap, tolerance);
        if (pass == 0) {
            linear_stride leave = linear_leave(&lower, &v, cap);
            low.h = lane_select(on_lower, leave.h, low.h);
            low.found = mask_select(on_lower, leave.found, low.found);
            leave = linear_leave(&upper, &v, cap);
            up.h = lane_select(on_upper, leave.h, up.h);
            up.found = mask_select(on_upper, leave.found, up.found);
        }
        lane m1 = rate1 - v.l1 * x.m1, m2 = rate2 - v.l2 * x.m2;
        lane n1 = v.l1 * (v.n1 + x.n1), n2 = v.l2 * (v.n2 + x.n2);
        linear_stride turn = linear_step(way * q->w + (X1 * x.n1 + X2 * x.n2), X1 * m1 + X2 * m2, -(X1 * n1 + X2 * n2),
                                         -(X1 * (v.l1 * m1) + X2 * (v.l2 * m2)), w_bound, cap, tolerance);

        lane_mask less = lane_lt(up.h, low.h);
        lane h = lane_select(less, up.h, low.h), next = lane_select(less, -one, one);
        lane_mask found = mask_select(less, up.found, low.found);
        less = lane_lt(turn.h, h);
        h = lane_select(less, turn.h, h);
        next = lane_select(less, lane_set(2), next);
        found = mask_select(less, turn.found, found);
        if (mask_any(climbs)) {
            linear_stride load = linear_guard_step(&room, &v, &x, cap, tolerance);
            less = mask_and(climbs, lane_lt(load.h, h));
            h = lane_select(less, load.h, h);
            next = lane_select(less, lane_set(3), next);
            found = mask_select(less, load.found, found);
        }
        t = lane_select(active, t + h, t);
        side = lane_select(mask_and(active, found), next, side);
        active = mask_and_not(active, found);
        if (pass == PC_LINEAR_MAX_STEPS) {
            tired = active;
            active = mask_and_not(active, active);
        }
    }

    /* state there; what the event says is 0 is set to 0 */
    lane_mask edge = lane_eq(lane_abs(side), one), load = lane_eq(side, lane_set(3));
    lane fn0 = q->fn, ft0 = q->ft;
    lane fn = lane_max(fn0 + (f1 * x.m1 + f2 * x.m2), zero);
    fn = lane_select(load, q->f_max, fn);
    lane ft = ft0 - q->root_soft * (v.e1t * x.m1 + v.e2t * x.m2);
    q->fn = fn;
    q->ft = lane_select(edge, -(side * q->mu * fn), ft);
    q->work_n = q->work_n - lane_set(0.5) * (fn - fn0) * (fn + fn0) / q->k;
    q->vt = q->vt + (v.e1t * x.n1 + v.e2t * x.n2) / q->root_soft;
    lane w = q->w + (v.e1n * x.n1 + v.e2n * x.n2) / root_k;
    q->w = lane_select(lane_eq(side, lane_set(2)), zero, w);
    q->pn = q->pn + (f1 * x.i1 + f2 * x.i2);
    q->pt = q->pt - q->root_soft * (v.e1t * x.i1 + v.e2t * x.i2);
    linear_finish(q, lane_set(2), lane_select(holds, lane_set(INFINITY), t), mask_and_not(closing, holds), load);

    /* Gross stick ends at the apex of the cone, where both forces vanish together; a slip that would begin below 1e-12
     * of the greatest force is that end. */
    lane_mask end = mask_and(edge, lane_le(fn, lane_set(0x1p-40) * q->peak));
    q->fn = lane_select(end, zero, q->fn);
    q->ft = lane_select(end, zero, q->ft);
    lane held = lane_select(lane_eq(q->in_range, one), lane_set(PC_LINEAR_WEDGED), lane_set(PC_LINEAR_ENDLESS));
    lane code = lane_select(end, lane_set(PC_LINEAR_REBOUND), zero);
    code = lane_select(holds, held, code);
    q->code = lane_select(tired, lane_set(PC_LINEAR_LIMIT), code);
    q->sign = lane_select(edge, side, zero);
    /* still on the edge it came from, as far as digits tell? */
    lane distance = q->mu * q->fn + q->touch * q->ft;
    lane_mask away = mask_or(edge, lane_lt(lane_set(0x1p-43) * q->mu * q->fn, distance));
    q->touch = lane_select(away, zero, q->touch);
}

#endif
