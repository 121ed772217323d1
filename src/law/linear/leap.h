/* The end of a stick segment in leaps: see linear/stick.h.
 *
 * Where only the edges of the cone end a segment, its end is guessed first, by Halley's method on Taylor polynomials,
 * and then proved to be the first root: a polynomial that lies below the guard over the whole leap has only positive
 * coefficients in Bernstein's form. Where no end is near, the same proof clears 2.4 rad at once. Impacts for which
 * neither is found are left to the steps of linear/guard.h.
 */
#ifndef PC_LAW_LINEAR_LEAP_H
#define PC_LAW_LINEAR_LEAP_H

#include "law/linear/guard.h"

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
 * lane_trig.h: least maximum error, 3.4e-19 of S and 2.4e-17 of C. */
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
            linear_change all = {change->m1 + leap.at.m1, change->m2 + leap.at.m2, change->n1 + leap.at.n1,
                                 change->n2 + leap.at.n2, change->i1 + leap.at.i1, change->i2 + leap.at.i2};
            *change = all;
            *time = *time + leap.time;
            *side = leap.low;
            *steps = *steps + one;
            return leap.lands;
        }
        lane_mask moves = mask_or(leap.lands, leap.clears);
        linear_change x = linear_choose(leap.lands, &leap.at, &leap.beyond);
        linear_change sum = {change->m1 + x.m1, change->m2 + x.m2, change->n1 + x.n1,
                             change->n2 + x.n2, change->i1 + x.i1, change->i2 + x.i2};
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

#endif
