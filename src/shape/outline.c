/* Hulls: see outline.h. */
#include "shape/outline.h"

#include <math.h>
#include <stdio.h>

static pc_hull new_hull(const char *name)
{
    pc_hull hull = {.member = -1};
    snprintf(hull.name, sizeof hull.name, "%s", name);
    return hull;
}

pc_hull pc_hull_point(const char *name, double x, double y, double radius)
{
    pc_hull hull = new_hull(name);
    hull.x = x;
    hull.y = y;
    hull.radius = radius;
    return hull;
}

pc_hull pc_hull_plane(const char *name, double x, double y, double nx, double ny)
{
    pc_hull hull = new_hull(name);
    hull.n_sides = 1;
    hull.sides[0] = (pc_side){x, y, -ny, nx, -INFINITY, INFINITY};
    return hull;
}

pc_hull pc_hull_polygon(const char *name, const double *corners, int n, double radius)
{
    pc_hull hull = new_hull(name);
    hull.radius = radius;
    hull.n_sides = n;
    hull.closed = true;
    for (int i = 0; i < n; i++) {
        const double *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % n);
        double length = hypot(b[0] - a[0], b[1] - a[1]);
        hull.sides[i] = (pc_side){a[0], a[1], (b[0] - a[0]) / length, (b[1] - a[1]) / length, 0, length};
    }
    return hull;
}

pc_hull pc_hull_wedge(const char *name, double x, double y, const double e[2], const double f[2])
{
    pc_hull hull = new_hull(name);
    hull.n_sides = 2;
    hull.sides[0] = (pc_side){x, y, e[0], e[1], -INFINITY, 0};
    hull.sides[1] = (pc_side){x, y, f[0], f[1], 0, INFINITY};
    return hull;
}

bool pc_hull_corner(const pc_hull *hull, int i, double corner[2])
{
    bool is = hull->n_sides == 0 ? i == 0 : i < hull->n_sides && hull->sides[i].lo == 0;
    if (is) {
        corner[0] = hull->n_sides ? hull->sides[i].x : hull->x;
        corner[1] = hull->n_sides ? hull->sides[i].y : hull->y;
    }
    return is;
}

bool pc_hull_is_bar(const pc_hull *hull)
{
    const pc_side *a = &hull->sides[0], *b = &hull->sides[1];
    return hull->n_sides == 2 && a->ex == -b->ex && a->ey == -b->ey;
}

/* The side that ends at corner i. */
static int side_before(const pc_hull *hull, int i)
{
    return (i + hull->n_sides - 1) % hull->n_sides;
}

/* How far the cone of rays lies on the outer side of a side. */
static double outside(const pc_side *s, double (*rays)[2])
{
    double least = INFINITY;
    for (int k = 0; k < 2; k++) least = fmin(least, rays[k][0] * s->ey - rays[k][1] * s->ex);
    return least;
}

/* A cone reaches through a side that does so by more than rounding, as a share of its length. This is asked within so
 * many tolerances behind the side, or drift would make a difference. */
static const double THROUGH = -0.1, CLOSE = 1e5;

int pc_hull_nearest(const pc_hull *hull, double x, double y, double tolerance, double (*rays)[2], bool firm)
{
    int found = -1, deepest = 0;
    double best = 0, height[PC_HULL_SIDES];
    for (int i = 0; i < hull->n_sides; i++) {
        const pc_side *s = &hull->sides[i];
        double place = pc_side_place(s, x, y);
        height[i] = pc_side_height(s, x, y);
        bool close = height[i] <= tolerance && height[i] >= -CLOSE * tolerance;
        if (firm && rays && close && outside(s, rays) < THROUGH) height[i] = -INFINITY;
        if (height[i] > height[deepest]) deepest = i;
        if (height[i] < -tolerance || place < s->lo - tolerance || place > s->hi + tolerance) continue;
        double score = rays ? outside(s, rays) : 0;
        bool alike = found >= 0 && fabs(height[i] - height[found]) <= 2 * tolerance;
        if (found < 0 || (alike ? score > best : height[i] > height[found])) {
            found = i;
            best = score;
        }
    }
    if (found >= 0) return 2 * found + 1;
    /* inside; but what is on the line of a bar, and not found before a side of it, is beyond an end */
    if (hull->n_sides > 0 && height[deepest] <= 0 && !pc_hull_is_bar(hull)) return 2 * deepest + 1;
    double least = INFINITY, corner[2];
    for (int i = 0; i < PC_HULL_SIDES; i++) {
        if (!pc_hull_corner(hull, i, corner)) continue;
        double away = hypot(x - corner[0], y - corner[1]);
        if (!(away < least)) continue;
        least = away;
        found = i;
    }
    return 2 * found;
}

int pc_hull_side_before(const pc_hull *hull, double x, double y, double tolerance, double (*rays)[2])
{
    int found = -1;
    double best = 0;
    for (int i = 0; i < hull->n_sides; i++) {
        double height = pc_side_height(&hull->sides[i], x, y);
        if ((rays && outside(&hull->sides[i], rays) < THROUGH) || (found >= 0 && height <= best)) continue;
        found = i;
        best = height;
    }
    if (found < 0) return -1;
    double place = pc_side_place(&hull->sides[found], x, y);
    return place < hull->sides[found].lo - tolerance || place > hull->sides[found].hi + tolerance ? -1 : found;
}

void pc_hull_margins(const pc_hull *hull, int feature, double x, double y, double margin[2])
{
    const pc_side *s = &hull->sides[feature / 2];
    margin[0] = margin[1] = INFINITY;
    if (hull->n_sides == 0) return;
    double place = pc_side_place(s, x, y);
    if (feature % 2) {
        margin[0] = place - s->lo;
        margin[1] = s->hi - place;
    } else {
        const pc_side *before = &hull->sides[side_before(hull, feature / 2)];
        margin[0] = pc_side_place(before, x, y) - before->hi;
        if (!pc_hull_is_bar(hull)) margin[1] = -place;
    }
}

int pc_hull_neighbour(const pc_hull *hull, int feature, int step)
{
    int n = 2 * hull->n_sides;
    return (feature + step + n) % n;
}

bool pc_hull_rays(const pc_hull *hull, int i, double rays[2][2])
{
    if (hull->n_sides == 0) return false;
    const pc_side *before = &hull->sides[side_before(hull, i)], *after = &hull->sides[i];
    rays[0][0] = -before->ex;
    rays[0][1] = -before->ey;
    rays[1][0] = after->ex;
    rays[1][1] = after->ey;
    return true;
}

double pc_hull_reach(const pc_hull *hull)
{
    double most = hull->n_sides == 0 ? fabs(hull->x) + fabs(hull->y) : 0;
    for (int i = 0; i < hull->n_sides; i++) most = fmax(most, fabs(hull->sides[i].x) + fabs(hull->sides[i].y));
    return most;
}
