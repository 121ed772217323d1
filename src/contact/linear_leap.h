/* The end of a stick segment in one leap: see linear_stick.h.
 *
 * Where only the edges of the cone end a segment, its end is guessed first, by Newton's method on Taylor polynomials,
 * and then proved to be the first root: a polynomial that lies below the guard over the whole leap has only positive
 * coefficients in Bernstein's form. Proofs reach about 4 rad of the faster mode. Impacts for which none is found are
 * left to the steps of linear_guard.h.
 */
#ifndef PC_CONTACT_LINEAR_LEAP_H
#define PC_CONTACT_LINEAR_LEAP_H

#include "contact/linear_guard.h"

/* Bound on the guesses of one leap; it returns to the steps beyond. */
enum { PC_LINEAR_MAX_LEAPS = 4 };

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

/* Where the parabola of a falling guard is 0: ahead of a positive value, behind a negative one; infinity if nowhere. */
LANE_INLINE lane linear_parabola_root(const linear_jet *j)
{
    const lane zero = lane_set(0), two = lane_set(2);
    lane disc = j->g1 * j->g1 - two * j->g * j->g2;
    lane below = lane_sqrt(lane_max(disc, zero)) - j->g1;
    return lane_select(mask_and(lane_le(zero, disc), lane_lt(zero, below)), two * j->g / below, lane_set(INFINITY));
}

/* Two steps of Newton's method on the Taylor polynomial of degree 6 of a guard. */
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
    for (int i = 0; i < 2; i++) {
        lane hh = h * h;
        lane value = (j->g + h * j->g1) + hh * ((a2 + h * a3) + hh * ((a4 + h * a5) + hh * a6));
        lane slope = (j->g1 + h * j->g2) + hh * ((d2 + h * d3) + hh * (d4 + h * d5));
        h = h - value / slope;
    }
    return h;
}

/* Carry the change x, whose curve is c, over a time h of at most 2^-11 rad: Taylor's series up to h^4. */
LANE_INLINE linear_change linear_creep(const linear_modes *v, const linear_change *x, const linear_curve *c, lane h)
{
    const lane half = lane_set(0.5), third = lane_set(1.0 / 3), quarter = lane_set(0.25);
    lane j1 = -(v->l1 * c->m1), j2 = -(v->l2 * c->m2), s1 = -(v->l1 * c->k1), s2 = -(v->l2 * c->k2);
    lane h2 = half * h, h3 = third * h, h4 = quarter * h;
    linear_change y;
    y.i1 = x->i1 + h * ((v->m1 + x->m1) + h2 * (c->n1 + h3 * (c->m1 + h4 * c->k1)));
    y.i2 = x->i2 + h * ((v->m2 + x->m2) + h2 * (c->n2 + h3 * (c->m2 + h4 * c->k2)));
    y.m1 = x->m1 + h * (c->n1 + h2 * (c->m1 + h3 * (c->k1 + h4 * j1)));
    y.m2 = x->m2 + h * (c->n2 + h2 * (c->m2 + h3 * (c->k2 + h4 * j2)));
    y.n1 = x->n1 + h * (c->m1 + h2 * (c->k1 + h3 * (j1 + h4 * s1)));
    y.n2 = x->n2 + h * (c->m2 + h2 * (c->k2 + h3 * (j2 + h4 * s2)));
    return y;
}

/* Is a guard positive all the way from `start`, where it may be 0, to a time r later with jet `end`, where it is 0 if
 * `root`? `touched`: at the start it is 0 with slope 0.
 *
 * The polynomial of degree 7 with the values and three derivatives of g at both ends differs from g by at most
 * M x^4 (r - x)^4/8!, M a bound of the eighth derivative (Hermite's interpolation). Less this, it is a polynomial of
 * degree 8 whose Bernstein coefficients b0 ... b8 follow from the derivatives (b0-b3 and b5-b8) and, for b4, from the
 * eighth difference, which only the bound makes differ from 0. If all are positive but those that are 0 by nature, so
 * is g inside. `noise` stands for some hundred roundings of the terms. */
LANE_INLINE lane_mask linear_stays(const linear_guard *g, const linear_modes *v, const linear_jet *start,
                                   const linear_jet *end, lane r, lane_mask touched, lane_mask root)
{
    const lane zero = lane_set(0), two = lane_set(2), three = lane_set(3);
    lane c1 = lane_abs(g->P1) * v->r1, c2 = lane_abs(g->P2) * v->r2;
    lane noise = lane_set(0x1p-42) * (lane_abs(start->g) + r * (c1 + c2));
    lane bound = (c1 * v->o1 * (v->l1 * v->l1 * v->l1) + c2 * v->o2 * (v->l2 * v->l2 * v->l2));
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

/* Leap to the end of stick segments that only the edges of the cone can end, for the lanes wanted. Returns those that
 * have arrived, with the time, the change until then, and the side: 1 for the lower edge, -1 for the upper one.
 *
 * Two passes are the rule, the second one from a point within 1e-3 rad of the end; what wanders off or does not come
 * close in four is given up. What a parabola promises within 2^-13 of the first leap, two steps of Newton's method make
 * exact. */
LANE_INLINE lane_mask linear_leap(const linear_modes *v, const linear_guard *lower, const linear_guard *upper,
                                  lane_mask on_lower, lane_mask on_upper, lane_mask wanted, lane *time, lane *side,
                                  linear_change *change)
{
    const lane zero = lane_set(0), one = lane_set(1);
    linear_change start = {zero, zero, zero, zero, zero, zero}, at = start;
    lane cap = lane_set(2.4) / lane_sqrt(v->l1 + v->l2), t = cap;
    lane_mask going = wanted, arrived = mask_and_not(wanted, wanted), low = wanted;
    for (int pass = 0; pass < PC_LINEAR_MAX_LEAPS && mask_any(going); pass++) {
        linear_change x = linear_follow(v, t);
        linear_curve c = linear_bend(v, &x);
        linear_jet jl = linear_jet_of(lower, &x, &c), ju = linear_jet_of(upper, &x, &c);
        lane hl = linear_parabola_root(&jl), hu = linear_parabola_root(&ju);
        lane_mask first = lane_lt(hl, hu);
        linear_guard g = {zero, lane_select(first, lower->P1, upper->P1), lane_select(first, lower->P2, upper->P2),
                          zero};
        linear_jet j = {lane_select(first, jl.g, ju.g), lane_select(first, jl.g1, ju.g1),
                        lane_select(first, jl.g2, ju.g2), lane_select(first, jl.g3, ju.g3)};
        lane guess = lane_select(first, hl, hu), h = linear_polish(&g, v, &j, &c, guess);
        lane_mask close = mask_and(going, lane_le(lane_abs(guess), lane_set(0x1p-13) * cap));
        going = mask_and(going, mask_and(lane_lt(zero, t + h), lane_lt(lane_abs(h), cap)));
        t = lane_select(going, t + h, t);
        low = mask_select(going, first, low);
        close = mask_and(close, going);
        if (mask_any(close)) {
            linear_change y = linear_creep(v, &x, &c, h);
            at = linear_choose(close, &y, &at);
            arrived = mask_or(arrived, close);
        }
        going = mask_and_not(going, close);
    }
    linear_curve bend = linear_bend(v, &start), c = linear_bend(v, &at);
    linear_jet lower_start = linear_jet_of(lower, &start, &bend), upper_start = linear_jet_of(upper, &start, &bend);
    linear_jet lower_end = linear_jet_of(lower, &at, &c), upper_end = linear_jet_of(upper, &at, &c);
    *time = t;
    *side = lane_select(low, one, -one);
    *change = at;
    return mask_and(arrived, mask_and(linear_stays(lower, v, &lower_start, &lower_end, t, on_lower, low),
                                      linear_stays(upper, v, &upper_start, &upper_end, t, on_upper, mask_not(low))));
}

#endif
