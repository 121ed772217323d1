/* Stick segments of the linear kernel over lanes: see linear/kernel.h for the letters and the solution in modes.
 *
 * Where only the edges of the cone end a segment, its end is guessed first, by Halley's method on Taylor polynomials,
 * and then proved to be the first root: a polynomial that lies below the guard over the whole leap has only positive
 * coefficients in Bernstein's form. Where no end is near, the same proof clears 2.4 rad at once. Impacts for which
 * neither is found are left to the steps of its guards.
 */
#ifndef PC_LAW_LINEAR_STICK_H
#define PC_LAW_LINEAR_STICK_H

#include "law/linear/kernel.h"

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
