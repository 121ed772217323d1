/* Stick segments of the linear kernel over lanes: see linear/kernel.h for the letters, linear/modes.h for the solution
 * and linear/leap.h and linear/guard.h for how its end is found. */
#ifndef PC_LAW_LINEAR_STICK_H
#define PC_LAW_LINEAR_STICK_H

#include "law/linear/leap.h"

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
