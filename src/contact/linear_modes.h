/* Stick in modes: see linear_kernel.h for the letters.
 *
 * In coordinates y = sqrt(k) u the equations are y'' = -A y with A = K^(1/2) W K^(1/2) symmetric: two modes, each
 * m(t) = m C + n S with 1 - C = l S2, S = sin(o t)/o, S2 = (1 - cos(o t))/l, o^2 = l, formed so that l = 0 (rank 1: a
 * drift) is no special case.
 */
#ifndef PC_CONTACT_LINEAR_MODES_H
#define PC_CONTACT_LINEAR_MODES_H

#include "contact/linear_kernel.h"

/* Modes and their state at the start of the segment. e1 belongs to the larger eigenvalue l1; r: amplitude of m';
 * i = 1/o, i2 = 0 where the second mode is a drift. */
typedef struct linear_modes {
    lane l1, l2, o1, o2, i1, i2;
    lane e1t, e1n, e2t, e2n;
    lane m1, m2, n1, n2;
    lane r1, r2;
    lane root_k, root_c; /* of the stiffness and of its inverse */
} linear_modes;

/* How far the modes have come at time t: increments of m and of m' = n, and the integral of m. */
typedef struct linear_change {
    lane m1, m2, n1, n2, i1, i2;
} linear_change;

LANE_INLINE linear_modes linear_find_modes(const linear *q)
{
    const lane zero = lane_set(0), one = lane_set(1), half = lane_set(0.5);
    linear_modes v;
    lane root_k = lane_sqrt(q->k);
    v.root_k = root_k;
    v.root_c = one / root_k;
    /* one Jacobi rotation; the smaller eigenvalue from the determinant, which keeps its digits near rank 1 */
    lane alpha = q->a * q->soft, beta = -(q->b * q->root_soft * root_k);
    lane d = half * (alpha - q->k), h = lane_sqrt(d * d + beta * beta);
    v.l1 = half * (alpha + q->k) + h;
    v.o1 = lane_sqrt(v.l1);
    v.i1 = one / v.o1;
    v.l2 = q->det * q->soft * q->k * (v.i1 * v.i1);
    v.o2 = lane_sqrt(v.l2);
    v.i2 = lane_select(lane_lt(v.l2, lane_set(0x1p-600)), zero, one / v.o2);
    lane tangent = beta / lane_max(lane_abs(d) + h, lane_set(0x1p-1000));
    lane c = one / lane_sqrt(one + tangent * tangent), s = tangent * c;
    lane_mask normal = lane_lt(d, zero); /* e1 is nearer to the normal */
    v.e1t = lane_select(normal, s, c);
    v.e1n = lane_select(normal, c, s);
    v.e2t = lane_select(normal, c, -s);
    v.e2n = lane_select(normal, -s, c);

    lane yt = -(q->ft * q->root_eta), yn = q->fn * v.root_c;
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
    lane f1 = v->root_k * v->e1n, f2 = v->root_k * v->e2n, t1 = q->root_soft * v->e1t, t2 = q->root_soft * v->e2t;
    lane fn = lane_max(q->fn + (f1 * x->m1 + f2 * x->m2), lane_set(0));
    q->work_n = q->work_n - lane_set(0.5) * (fn - q->fn) * (fn + q->fn) * (v->root_c * v->root_c);
    q->fn = fn;
    q->ft = q->ft - (t1 * x->m1 + t2 * x->m2);
    q->vt = q->vt + (v->e1t * x->n1 + v->e2t * x->n2) * q->root_eta;
    q->w = q->w + (v->e1n * x->n1 + v->e2n * x->n2) * v->root_c;
    q->pn = q->pn + (f1 * x->i1 + f2 * x->i2);
    q->pt = q->pt - (t1 * x->i1 + t2 * x->i2);
}

#endif
