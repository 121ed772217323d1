/* An independent solution of the planar rigid impact in long double, for comparison: Routh's construction as geometry.
 * The path is a function p_t(p_n) made from the lines of friction and of sticking; where compression and contact end
 * is found by bisection on p_n. It shares no formula for events with the library. */
#ifndef TESTS_C_RIGID_ORACLE_H
#define TESTS_C_RIGID_ORACLE_H

#include "law/impact.h"

#include <math.h>
#include <stdbool.h>

typedef long double real;

typedef struct oracle {
    real tt, tn, nn, v_t, v_n; /* the problem */
    real corner;               /* p_n where slip stops (infinite: never) */
    real first, second;        /* dp_t/dp_n before and after */
    real condition;            /* how much the slopes of the velocities amplify rounding */
} oracle;

static real oracle_p_t(const oracle *o, real p_n)
{
    if (p_n <= o->corner) return o->first * p_n;
    return o->first * o->corner + o->second * (p_n - o->corner);
}

static real oracle_v_t(const oracle *o, real p_n)
{
    return o->v_t + o->tt * oracle_p_t(o, p_n) + o->tn * p_n;
}

static real oracle_v_n(const oracle *o, real p_n)
{
    return o->v_n + o->tn * oracle_p_t(o, p_n) + o->nn * p_n;
}

/* Work of the normal force between two points of the path: trapezia between corners. */
static real oracle_work(const oracle *o, real a, real b)
{
    real m = a < o->corner && o->corner < b ? o->corner : b;
    return (m - a) * (oracle_v_n(o, a) + oracle_v_n(o, m)) / 2 + (b - m) * (oracle_v_n(o, m) + oracle_v_n(o, b)) / 2;
}

static oracle oracle_make(const pc_mobility *W, const double v0[3], real mu)
{
    oracle o = {W->tt, W->tn, W->nn, v0[PC_T], v0[PC_N], INFINITY, 0, 0, 1};
    bool sticks = fabsl(o.tn) <= mu * o.tt;
    real rest = sticks ? (o.tt > 0 ? -o.tn / o.tt : 0) : -mu * (o.tn > 0 ? 1 : -1);
    if (o.v_t == 0) {
        o.first = rest;
        o.condition = (o.nn + fabsl(o.tn * rest)) / fabsl(o.nn + o.tn * rest);
        return o;
    }
    o.first = -mu * (o.v_t > 0 ? 1 : -1);
    o.second = rest;
    real slope = o.tt * o.first + o.tn;
    if (slope * o.v_t < 0) o.corner = -o.v_t / slope;
    real slope_n = o.nn + o.tn * o.first;
    o.condition = (o.nn + fabsl(o.tn * o.first)) / fabsl(slope_n) + (o.tt * mu + fabsl(o.tn)) / fabsl(slope);
    if (o.corner < INFINITY) {
        slope_n = o.nn + o.tn * o.second;
        o.condition += (o.nn + fabsl(o.tn * o.second)) / fabsl(slope_n);
    }
    return o;
}

/* The last zero of v_n: compression ends there. Doubling, then bisection; 0 if v_n stays negative to 1e30. */
static real oracle_compression(const oracle *o)
{
    real lo = o->corner < INFINITY && oracle_v_n(o, o->corner) < 0 ? o->corner : 0, hi = lo + 1e-12L;
    while (oracle_v_n(o, hi) < 0) {
        if (hi > 1e30L) return 0;
        hi += hi;
    }
    for (int i = 0; i < 250; i++) {
        real mid = (lo + hi) / 2;
        if (oracle_v_n(o, mid) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}

/* Measure of restitution in the three laws: 'n'ewton, 'p'oisson, 's'tronge. */
static real oracle_excess(const oracle *o, char law, real coefficient, real p_c, real p)
{
    switch (law) {
    case 'n': return oracle_v_n(o, p) + coefficient * o->v_n;
    case 'p': return p - p_c - coefficient * p_c;
    default: return oracle_work(o, p_c, p) + coefficient * coefficient * oracle_work(o, 0, p_c);
    }
}

static real oracle_end(const oracle *o, char law, real coefficient, real p_c)
{
    real lo = p_c, hi = p_c * 1.0000001L;
    while (oracle_excess(o, law, coefficient, p_c, hi) < 0 && hi < 1e30L) hi += hi - p_c * 0.99L;
    for (int i = 0; i < 250; i++) {
        real mid = (lo + hi) / 2;
        if (oracle_excess(o, law, coefficient, p_c, mid) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}

#endif
