/* Stick in modes: see linear/kernel.h for the letters.
 *
 * With F = (F_t, F_n) the equations are F'' = -B F, B = [soft a, soft b; k b, k]. The left eigenvectors of B, scaled to
 * 1 in one component, give two modes m, each m(t) = m C + n S with n = m', 1 - C = l S2, S = sin(o t)/o,
 * S2 = (1 - cos(o t))/l, o^2 = l, formed so that l = 0 (rank 1: a drift) is no special case.
 */
#ifndef PC_LAW_LINEAR_MODES_H
#define PC_LAW_LINEAR_MODES_H

#include "law/linear/kernel.h"

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

#endif
