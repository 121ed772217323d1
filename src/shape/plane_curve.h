/* Smooth curves in the plane: lines, arcs of circles and polynomials, one after the other, each from where and in the
 * direction in which the one before ends. A curve is a wire without thickness: it is seen from both of its sides.
 *
 * A span is known by its place v from -1 to 1. Its polynomials are Chebyshev series, which may be followed a little
 * beyond its ends. Directions: T along the curve, N = (-T_y, T_x) to its left.
 */
#ifndef PC_SHAPE_PLANE_CURVE_H
#define PC_SHAPE_PLANE_CURVE_H

#include "base/status.h"

#include <stdbool.h>

/* Highest degree, and at how many places of a span its course is known beforehand. */
enum { PC_CURVE_DEGREE = 16, PC_CURVE_NODES = 9, PC_CURVE_BLOCK = 32 };

/* degree 0: an arc of a circle, from an angle on, by a turn (> 0: anticlockwise). Of what follows a function, `turn` is
 * how much of it. */
typedef struct pc_curve_span {
    int degree;
    double x[PC_CURVE_DEGREE + 1], y[PC_CURVE_DEGREE + 1];
    double centre[2], radius, from, turn;
    double length;
    double node[PC_CURVE_NODES][2];
    double middle[2], reach;             /* of a circle that holds it */
    double block_middle[2], block_reach; /* of the first of each PC_CURVE_BLOCK: of one that holds them all */
} pc_curve_span;

/* The side on which things move, and on which it was tried what fits: 1, to the left, or -1. Its middle: about which an
 * obstacle turns. crosses: it meets itself elsewhere than where it is closed, as a loop that is entered and left does.
 */
typedef struct pc_plane_curve {
    const pc_curve_span *spans; /* of whoever described it */
    int n;
    bool closed, crosses;
    int side;
} pc_plane_curve;

/* Where a point is beside a curve: the place that is nearest to it there. */
typedef struct pc_curve_foot {
    int span, end; /* end: -1, 1: the point is beyond the first or the last end of the curve; else 0 */
    double place, point[2], tangent[2];
    double distance, height; /* height: along N */
    double curvature;        /* of the curve, 1/m, positive: its centre is to the right, as if seen from a hill */
    double margin[2];        /* way along the span to its ends, negative beyond */
    double speed;            /* rate of the first, and minus that of the other, by that of the point along T */
} pc_curve_foot;

/* The nearest place of all. tolerance: what is no farther beyond an end of the curve is not beyond it. */
void pc_curve_nearest(const pc_plane_curve *curve, double x, double y, double tolerance, pc_curve_foot *out);

/* The nearest place of one span, which goes on a little beyond its ends. */
void pc_curve_on_span(const pc_plane_curve *curve, int span, double x, double y, pc_curve_foot *out);

/* An end of an open curve (0, 1), and the direction T there. */
void pc_curve_end(const pc_plane_curve *curve, int which, double point[2], double tangent[2]);

/* Place, direction and curvature at a place of a span. */
void pc_curve_at(const pc_curve_span *span, double v, double point[2], double tangent[2], double *curvature);

/* Greatest |x| + |y| of its places. */
double pc_curve_reach(const pc_plane_curve *curve);

/* ---- spans ---- */

/* The most by which a span turns, rad. */
#define PC_CURVE_TURN 2.0

void pc_curve_line(pc_curve_span *span, const double a[2], const double b[2]);
void pc_curve_arc(pc_curve_span *span, const double centre[2], double radius, double from, double turn);

/* The stretch of a span between two of its places, as a span of its own. */
void pc_curve_stretch(pc_curve_span *out, const pc_curve_span *span, double from, double to);

/* A cubic spline of n points, n - 1 spans, or n of a closed one, by the length of its chords; its second derivative is
 * continuous, the third also at the first and the last point within (not-a-knot). PC_E_ARGUMENT: two points that follow
 * each other are one, or it turns too far between two; *bad is the first of the two. */
pc_status pc_curve_spline(pc_curve_span *spans, const double (*points)[2], int n, bool closed, int *bad, pc_error *err);

/* Spans that follow a function to rounding, at most `room`: how many; 0: it is not smooth near *where, or goes no way
 * there; < 0: it has stopped. f writes the place for s. */
int pc_curve_follow(pc_curve_span *spans, int room, int (*f)(double s, double place[2], void *context), void *context,
                    double from, double to, double *where);

/* After spans were made one by one: the circles of their blocks. */
void pc_curve_gather(pc_curve_span *spans, int n);

/* Where a span does not go on as the one before ends: its number; -1: nowhere. A closed curve goes on at its end. */
int pc_curve_breaks(const pc_plane_curve *curve);

/* A span so short beside its distance from the origin that rounding takes it, or not finite: its number; -1: there is
 * none. */
int pc_curve_vanishes(const pc_plane_curve *curve);

bool pc_curve_meets_itself(const pc_plane_curve *curve);

#endif
