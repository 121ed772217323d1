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

/* Modes and their state at the start of the segment. e1 belongs to the larger eigenvalue l1; r: amplitude of m';
 * i = 1/o, i2 = 0 where the second mode is a drift. */
typedef struct linear_modes {
    lane l1, l2, o1, o2, i1, i2;
    lane e1t, e1n, e2t, e2n;
    lane m1, m2, n1, n2;
    lane r1, r2;
} linear_modes;

/* How far the modes have come at time t: increments of m and of m' = n, and the integral of m. */
typedef struct linear_change {
    lane m1, m2, n1, n2, i1, i2;
} linear_change;

/* g = g0 + P1 (change of m1) + P2 (change of m2); `bound` >= its fifth derivative, always. */
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
    v.i1 = one / v.o1;
    v.i2 = lane_select(lane_lt(v.l2, lane_set(0x1p-600)), zero, one / v.o2);
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

/* A step within which g has no root, given g >= 0, four derivatives at its start and a bound of the fifth.
 *
 * On [0, H] the second derivative is at least g2 + l h with l = g3 + min(0, H (g4/2 - bound H/6)), so g lies above a
 * cubic. With its last term taken at H where it falls, the cubic lies above a parabola; h is the parabola's first root,
 * or H when it has none. Near a root H = 2 g/|g1|, which makes the iteration converge with order 3 from the safe side.
 * `tolerance` is that of time; `cap` bounds H. */
static inline linear_stride linear_step(lane g, lane g1, lane g2, lane g3, lane g4, lane bound, lane cap,
                                        lane tolerance)
{
    const lane zero = lane_set(0), two = lane_set(2), half = lane_set(0.5), sixth = lane_set(1.0 / 6);
    g = lane_max(g, zero);
    lane H = lane_select(lane_lt(g1, zero), lane_min(-two * g / g1, cap), cap);
    lane l = lane_min(g3 + lane_min(H * (half * g4 - sixth * bound * H), zero), zero);
    lane curve = g2 + l * H * lane_set(1.0 / 3);
    lane disc = g1 * g1 - two * g * curve;
    lane slope = lane_sqrt(lane_max(disc, zero));
    lane_mask rises = lane_lt(zero, g1);
    lane above = lane_select(rises, g1 + slope, two * g);
    lane below = lane_select(rises, -curve, slope - g1);
    lane_mask cuts = mask_and(lane_le(zero, disc), lane_lt(zero, below));
    lane h = lane_select(cuts, lane_min(above / below, H), H);
    /* how far g can lie above the parabola at h */
    lane higher = lane_abs(g4) + lane_set(0.2) * bound * h;
    lane gap = h * h * sixth * (h * (lane_abs(g3) + lane_set(0.25) * higher * h) - l * H);
    linear_stride stride = {h, mask_or(mask_and(cuts, lane_le(gap, tolerance * slope)), lane_le(h, tolerance))};
    return stride;
}

/* Derivatives of the modes at the changed state x, which all guards share: n the first, m the second, k the third. */
typedef struct linear_curve {
    lane n1, n2, m1, m2, k1, k2;
} linear_curve;

static inline linear_curve linear_bend(const linear_modes *v, const linear_change *x)
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

/* The step for a guard on m. */
static inline linear_stride linear_guard_step(const linear_guard *g, const linear_modes *v, const linear_change *x,
                                              const linear_curve *c, lane cap, lane tolerance)
{
    return linear_step(g->g0 + (g->P1 * x->m1 + g->P2 * x->m2), g->P1 * c->n1 + g->P2 * c->n2,
                       g->P1 * c->m1 + g->P2 * c->m2, g->P1 * c->k1 + g->P2 * c->k2,
                       -(g->P1 * (v->l1 * c->m1) + g->P2 * (v->l2 * c->m2)), g->bound, cap, tolerance);
}

/* The step for a guard on m': g0 + P1 (change of n1) + P2 (change of n2). */
static inline linear_stride linear_rate_step(const linear_guard *g, const linear_modes *v, const linear_change *x,
                                             const linear_curve *c, lane cap, lane tolerance)
{
    return linear_step(g->g0 + (g->P1 * x->n1 + g->P2 * x->n2), g->P1 * c->m1 + g->P2 * c->m2,
                       g->P1 * c->k1 + g->P2 * c->k2, -(g->P1 * (v->l1 * c->m1) + g->P2 * (v->l2 * c->m2)),
                       -(g->P1 * (v->l1 * c->k1) + g->P2 * (v->l2 * c->k2)), g->bound, cap, tolerance);
}

/* First step from an edge of the cone reached by slip: there g = g1 = 0 and g begins to grow, so that
 * g >= h^2 (g2/2 + g3 h/6 - m4 h^2/24) > 0 up to the root of the bracket; 0.8 of it is taken. Where g2 is 0 but for
 * rounding (the exact threshold) g3 decides. No step if g does not grow. */
static inline linear_stride linear_leave(const linear_guard *g, const linear_modes *v, const linear_curve *c, lane cap)
{
    const lane zero = lane_set(0), two = lane_set(2);
    lane g2 = g->P1 * c->m1 + g->P2 * c->m2, g3 = g->P1 * c->k1 + g->P2 * c->k2;
    lane c1 = lane_abs(g->P1) * v->r1 * v->o1, c2 = lane_abs(g->P2) * v->r2 * v->o2;
    lane noise = lane_set(0x1p-48) * (c1 + c2), m4 = c1 * v->l1 + c2 * v->l2;
    g2 = lane_select(lane_le(lane_abs(g2), noise), zero, g2);
    lane root = lane_sqrt(lane_max(lane_set(4) * g3 * g3 + lane_set(12) * m4 * g2, zero));
    lane h = lane_set(0.8) * (two * g3 + root) / m4;
    h = lane_select(lane_lt(g2, zero), zero, lane_max(h, zero));
    linear_stride stride = {lane_min(h, cap), lane_le(h, zero)};
    return stride;
}

/* Does stick last for ever? Rank 1 only: then one mode vibrates about a fixed mean (or one that drifts when v0 lies
 * outside the range of W), and neither edge is reached iff on both the mean exceeds the amplitude, or the motion starts
 * on the edge at rest, which is then its nearest approach. With E < 1 the vibration must also stay on the line of k2.
 * Rank 2 cannot hold: every mode has mean 0, so F_n would have to become negative. `drifts`: the mean does not leave
 * the cone, so that what has not ended after many vibrations never will. */
static inline lane_mask linear_holds(const linear *q, const linear_modes *v, lane root_k, const linear_guard *lower,
                                     const linear_guard *upper, lane_mask *drifts)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane_mask rank1 = lane_eq(q->det, zero);
    *drifts = rank1;
    if (!mask_any(rank1)) return rank1;
    lane swing = v->r1 * v->i1;
    lane lower_swing = lane_select(lane_eq(q->touch, one), zero, lane_abs(lower->P1) * swing);
    lane upper_swing = lane_select(lane_eq(q->touch, -one), zero, lane_abs(upper->P1) * swing);
    lane_mask clear = mask_and(lane_lt(lower_swing, lower->P2 * v->m2), lane_lt(upper_swing, upper->P2 * v->m2));
    lane_mask stays = mask_and(lane_le(zero, lower->P2 * v->n2), lane_le(zero, upper->P2 * v->n2));
    *drifts = mask_and(rank1, stays);
    lane top = root_k * (v->e2n * v->m2 + lane_abs(v->e1n) * swing);
    lane_mask elastic = mask_or(lane_eq(q->k2, one),
                                mask_and(mask_not(lane_eq(q->k, one)), lane_le(top, q->f_max * lane_set(1 + 0x1p-40))));
    return mask_and(*drifts, mask_and(clear, elastic));
}

/* One stick segment, from the present state to its first event. `turns`: turning points of the indentation are
 * events for all; they always are where E < 1. */
static inline void linear_stick(linear *q, bool turns)
{
    const lane zero = lane_set(0), one = lane_set(1);
    lane root_k = lane_sqrt(q->k);
    linear_modes v = linear_find_modes(q, root_k);

    /* guards: lower edge mu F_n + F_t (then slip with sign +1), upper edge mu F_n - F_t (sign -1), room below the
     * greatest F_n while the line of k2 is climbed, and the rate of indentation with the sign that makes it positive
     * from here on */
    lane c1 = v.r1 * v.l1 * v.l1, c2 = v.r2 * v.l2 * v.l2;
    lane f1 = root_k * v.e1n, f2 = root_k * v.e2n;
    lane t1 = q->root_soft * v.e1t, t2 = q->root_soft * v.e2t;
    lane_mask on_lower = lane_eq(q->touch, one), on_upper = lane_eq(q->touch, -one);
    linear_guard lower, upper, room, rate;
    lower.g0 = lane_select(on_lower, zero, q->mu * q->fn + q->ft);
    lower.P1 = q->mu * f1 - t1;
    lower.P2 = q->mu * f2 - t2;
    lower.bound = lane_abs(lower.P1) * c1 + lane_abs(lower.P2) * c2;
    upper.g0 = lane_select(on_upper, zero, q->mu * q->fn - q->ft);
    upper.P1 = q->mu * f1 + t1;
    upper.P2 = q->mu * f2 + t2;
    upper.bound = lane_abs(upper.P1) * c1 + lane_abs(upper.P2) * c2;

    linear_change x = {zero, zero, zero, zero, zero, zero};
    linear_curve bend = linear_bend(&v, &x);
    lane_mask splits = lane_lt(turns ? zero : one, q->k2);
    lane w_rate = v.e1n * bend.m1 + v.e2n * bend.m2;
    lane_mask closing = mask_or(lane_lt(zero, q->w), mask_and(lane_eq(q->w, zero), lane_le(zero, w_rate)));
    lane_mask climbs = mask_and(closing, mask_not(lane_eq(q->k, one)));
    lane way = lane_select(closing, one, -one);
    rate.g0 = way * q->w;
    rate.P1 = way * v.e1n / root_k;
    rate.P2 = way * v.e2n / root_k;
    rate.bound = lane_abs(rate.P1) * c1 * v.o1 + lane_abs(rate.P2) * c2 * v.o2;
    room.g0 = q->f_max - q->fn;
    room.P1 = -f1;
    room.P2 = -f2;
    room.bound = lane_abs(f1) * c1 + lane_abs(f2) * c2;

    lane_mask drifts, holds = linear_holds(q, &v, root_k, &lower, &upper, &drifts);
    lane_mask active = mask_not(holds), tired = mask_and_not(holds, holds);
    lane t = zero, side = zero; /* side: 1 lower edge, -1 upper edge, 2 rate, 3 room */
    lane fourth = v.r1 * v.l1 * v.o1 + v.r2 * v.l2 * v.o2;
    lane cap = lane_sqrt((v.r1 * v.o1 + v.r2 * v.o2) / fourth);
    cap = lane_select(lane_lt(zero, fourth), lane_set(1.75) * cap, one);
    for (int pass = 0; mask_any(active); pass++) {
        lane tolerance = lane_set(0x1p-53) * (t + cap);
        linear_stride low = linear_guard_step(&lower, &v, &x, &bend, cap, tolerance);
        linear_stride up = linear_guard_step(&upper, &v, &x, &bend, cap, tolerance);
        if (pass == 0) {
            linear_stride leave = linear_leave(&lower, &v, &bend, cap);
            low.h = lane_select(on_lower, leave.h, low.h);
            low.found = mask_select(on_lower, leave.found, low.found);
            leave = linear_leave(&upper, &v, &bend, cap);
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
        t = lane_select(active, t + h, t);
        side = lane_select(mask_and(active, found), next, side);
        active = mask_and_not(active, found);
        q->steps = q->steps + lane_select(active, one, zero);
        lane_mask more = lane_lt(q->steps, lane_set(PC_LINEAR_MAX_STEPS));
        tired = mask_or(tired, mask_and_not(active, more));
        active = mask_and(active, more);
        x = linear_follow(&v, t);
        bend = linear_bend(&v, &x);
    }

    /* state there; what the event says is 0 is set to 0 */
    lane_mask edge = lane_eq(lane_abs(side), one), load = lane_eq(side, lane_set(3));
    lane fn0 = q->fn, ft0 = q->ft;
    lane fn = lane_max(fn0 + (f1 * x.m1 + f2 * x.m2), zero);
    fn = lane_select(load, q->f_max, fn);
    lane ft = ft0 - (t1 * x.m1 + t2 * x.m2);
    q->fn = fn;
    q->ft = lane_select(edge, -(side * q->mu * fn), ft);
    q->work_n = q->work_n - lane_set(0.5) * (fn - fn0) * (fn + fn0) / q->k;
    q->vt = q->vt + (v.e1t * x.n1 + v.e2t * x.n2) / q->root_soft;
    lane w = q->w + (v.e1n * x.n1 + v.e2n * x.n2) / root_k;
    q->w = lane_select(lane_eq(side, lane_set(2)), zero, w);
    q->pn = q->pn + (f1 * x.i1 + f2 * x.i2);
    q->pt = q->pt - (t1 * x.i1 + t2 * x.i2);
    linear_finish(q, lane_set(2), lane_select(holds, lane_set(INFINITY), t), mask_and_not(closing, holds), load);

    /* Gross stick ends at the apex of the cone, where both forces vanish together; a slip that would last less than
     * 1e-12 of the impact so far is that end. */
    lane_mask end = mask_and(edge, lane_le(fn, lane_set(-0x1p-40) * q->k * q->w * q->t));
    q->fn = lane_select(end, zero, q->fn);
    q->ft = lane_select(end, zero, q->ft);
    lane held = lane_select(lane_eq(q->in_range, one), lane_set(PC_LINEAR_WEDGED), lane_set(PC_LINEAR_ENDLESS));
    lane code = lane_select(end, lane_set(PC_LINEAR_REBOUND), zero);
    code = lane_select(holds, held, code);
    lane given_up = lane_select(drifts, lane_set(PC_LINEAR_ENDLESS), lane_set(PC_LINEAR_LIMIT));
    q->code = lane_select(tired, given_up, code);
    q->sign = lane_select(edge, side, zero);
    /* still on the edge it came from, as far as digits tell? */
    lane distance = q->mu * q->fn + q->touch * q->ft;
    lane_mask away = mask_or(edge, lane_lt(lane_set(0x1p-43) * q->mu * q->fn, distance));
    q->touch = lane_select(away, zero, q->touch);
}

#endif
