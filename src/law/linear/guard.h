/* Guards of a stick segment: functions of the two modes whose first zero is wanted, and steps that cannot cross it.
 *
 * Nothing is sampled: each step comes from a bound on the next derivative, so a root is not missed however the two
 * frequencies stand to each other.
 */
#ifndef PC_LAW_LINEAR_GUARD_H
#define PC_LAW_LINEAR_GUARD_H

#include "law/linear/modes.h"

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
