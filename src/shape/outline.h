/* The outline of what can touch: a convex core of corners and straight sides, and a radius round it.
 *
 * A smooth curve is an outline as well, of an obstacle: it has no inside, its sides are its spans, and where one goes
 * on as the one before ends there is no corner; an open one has two, its ends.
 *
 * A point with a radius is a disc, two sides back to back make a rod (with a radius: a capsule), one side without ends
 * is a half plane, two sides that meet in a corner and have no other end are a step. Sides run anticlockwise round the
 * core, in the frame (along, across) of the link they belong to, or in (x, y) of an obstacle where it was described.
 *
 * A point beside the core is nearest to one *feature*: corner i (number 2 i), or side i from there on (2 i + 1). The
 * margins of a feature say how far the point is from where its neighbour takes over; they are smooth.
 */
#ifndef PC_SHAPE_OUTLINE_H
#define PC_SHAPE_OUTLINE_H

#include "shape/plane_curve.h"

#include <stdbool.h>

enum { PC_OUTLINE_SIDES = 16, PC_NAME = 32 };

/* Bytes of the name of a part, with its zero: the longest that leaves room for ".corner16". */
enum { PC_PART_NAME = 21 };

/* From its first corner (x, y) along the unit vector e, lo to hi; the outward normal is (e_y, -e_x). lo = 0, or minus
 * infinity: then (x, y) is where it ends. */
typedef struct pc_side {
    double x, y, ex, ey, lo, hi;
} pc_side;

/* Of a part of a curve: of which outline, by its number in a scene from 1 on, 0 for what is none; for discs of what
 * radius; which of its ends are cuts, and where such discs come along there on the open side. */
typedef struct pc_outline_part {
    int whole;
    double radius;
    bool cut[2], passes[2];
} pc_outline_part;

typedef struct pc_outline {
    int member, link; /* member < 0: of an obstacle, whose drive `link` is, from 1 on; 0: it stands still */
    int n_sides;      /* of a curve: its spans, which are not among the sides below */
    bool closed;      /* the last side ends where the first begins */
    bool joined;      /* corner 0 is a joint, whose site belongs to the outline before, or to none */
    double x, y;      /* of a point, which has no sides; the middle of a curve */
    double radius;    /* negative: of a point, the inside of a circle */
    pc_side sides[PC_OUTLINE_SIDES];
    pc_plane_curve curve; /* no spans: it is none */
    pc_outline_part part;
    char name[PC_NAME];
} pc_outline;

static inline bool pc_outline_is_curve(const pc_outline *outline)
{
    return outline->curve.n > 0;
}

/* Outlines of obstacles with a name; the rest of one that belongs to a member is for the caller to fill in. */
pc_outline pc_outline_point(const char *name, double x, double y, double radius);
pc_outline pc_outline_plane(const char *name, double x, double y, double nx, double ny);
pc_outline pc_outline_polygon(const char *name, const double *corners, int n,
                              double radius); /* x, y of each; 2: a segment */
/* PC_E_ARGUMENT: the corners are too few or too many for one, or not those of a convex polygon, listed either way
 * round; the error calls it `what`. *left: they are listed anticlockwise. */
pc_status pc_outline_check_corners(const char *what, const double (*corners)[2], int n, bool *left, pc_error *err);

/* The side that ends at the corner comes along e, the one that leaves it goes along f, to the left of e. */
pc_outline pc_outline_wedge(const char *name, double x, double y, const double e[2], const double f[2]);

/* A half plane: one straight side. */
static inline bool pc_outline_is_plane(const pc_outline *outline)
{
    return outline->n_sides == 1 && !pc_outline_is_curve(outline);
}

/* The spans have to stay. radius: half the thickness of the wire; (x, y): what it turns about. */
pc_outline pc_outline_curve(const char *name, const pc_plane_curve *curve, double x, double y, double radius);

/* The feature at which a point is beside a curve. */
static inline int pc_outline_foot_feature(const pc_outline *outline, const pc_curve_foot *foot)
{
    return foot->end == 0 ? 2 * foot->span + 1 : foot->end < 0 ? 0 : 2 * outline->n_sides;
}

/* Corners, for i from 0 to pc_outline_corners() - 1. False: there is none. */
int pc_outline_corners(const pc_outline *outline);
bool pc_outline_corner(const pc_outline *outline, int i, double corner[2]);

/* Height of a point above a side, and its place along it. */
static inline double pc_side_height(const pc_side *s, double x, double y)
{
    return (x - s->x) * s->ey - (y - s->y) * s->ex;
}

static inline double pc_side_place(const pc_side *s, double x, double y)
{
    return (x - s->x) * s->ex + (y - s->y) * s->ey;
}

/* The feature nearest to a point outside; inside, that of the nearest side. A point within `tolerance` of where two
 * meet belongs to the side. Where two sides are as near (at a corner), the one behind which the cone spanned by `rays`
 * from the point lies the least; NULL: the first. firm: nothing sinks into the outline, so that a side through which
 * the cone reaches is not touched: what falls on another side along its end (a box on one as wide) does not touch
 * this. */
int pc_outline_nearest(const pc_outline *outline, double x, double y, double tolerance, double (*rays)[2], bool firm);

/* The side before which a corner is that has the cone of rays, outside or inside: of those through which the cone does
 * not reach the one it is highest above; -1: it is beyond an end of that. */
int pc_outline_side_before(const pc_outline *outline, double x, double y, double tolerance, double (*rays)[2]);

/* True for two sides back to back: a rod, a capsule, a bar. */
bool pc_outline_is_bar(const pc_outline *outline);

/* Margins towards the feature before and the one after; infinite where there is none. The end of a bar meets both of
 * its sides in one line: there the first margin stands for both, and the height above a side tells which it is. */
void pc_outline_margins(const pc_outline *outline, int feature, double x, double y, double margin[2]);

/* Rates of the finite ones where the point (x, y) moves with (vx, vy). */
void pc_outline_margin_rates(const pc_outline *outline, int feature, double x, double y, double vx, double vy,
                             double rate[2]);

/* The neighbour of a feature; step: -1 or 1. */
int pc_outline_neighbour(const pc_outline *outline, int feature, int step);

/* Directions from corner i along both of its sides; false: it has none. */
bool pc_outline_rays(const pc_outline *outline, int i, double rays[2][2]);

/* Two sides back to back without a radius of their own, or a curve. */
static inline bool pc_outline_thin(const pc_outline *outline)
{
    return pc_outline_is_curve(outline) || (outline->closed && outline->n_sides == 2);
}

/* Greatest distance of a point that defines it from the origin of its frame, summed over the axes. */
double pc_outline_reach(const pc_outline *outline);

#endif
