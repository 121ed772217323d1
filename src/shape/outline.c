/* Hulls: see outline.h. */
#include "shape/outline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static pc_outline new_outline(const char *name)
{
    pc_outline outline = {.member = -1};
    snprintf(outline.name, sizeof outline.name, "%s", name);
    return outline;
}

pc_outline pc_outline_point(const char *name, double x, double y, double radius)
{
    pc_outline outline = new_outline(name);
    outline.x = x;
    outline.y = y;
    outline.radius = radius;
    return outline;
}

pc_outline pc_outline_plane(const char *name, double x, double y, double nx, double ny)
{
    pc_outline outline = new_outline(name);
    outline.n_sides = 1;
    outline.sides[0] = (pc_side){x, y, -ny, nx, -INFINITY, INFINITY};
    return outline;
}

pc_outline pc_outline_polygon(const char *name, const double *corners, int n, double radius)
{
    pc_outline outline = new_outline(name);
    outline.radius = radius;
    outline.n_sides = n;
    outline.closed = true;
    for (int i = 0; i < n; i++) {
        const double *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % n);
        double length = hypot(b[0] - a[0], b[1] - a[1]);
        outline.sides[i] = (pc_side){a[0], a[1], (b[0] - a[0]) / length, (b[1] - a[1]) / length, 0, length};
    }
    return outline;
}

/* What is nearer to the line of a side, as a share of its distance from where that begins, lies in it. */
static const double STRAIGHT = 1e-9;

pc_status pc_outline_check_corners(const char *what, const double (*corners)[2], int n, bool *left, pc_error *err)
{
    double area = 0;
    if (n < 3 || n > PC_OUTLINE_SIDES)
        return pc_fail(err, PC_E_ARGUMENT, "%s: corners has %d places; a polygon has 3 to %d", what, n,
                       PC_OUTLINE_SIDES);
    for (int i = 1; i + 1 < n; i++)
        area += (corners[i][0] - corners[0][0]) * (corners[i + 1][1] - corners[0][1]) -
                (corners[i][1] - corners[0][1]) * (corners[i + 1][0] - corners[0][0]);
    *left = area > 0;
    for (int i = 0; i < n; i++) { /* every other corner lies on one side of each side */
        const double *a = corners[i], *b = corners[(i + 1) % n];
        const double ab[2] = {b[0] - a[0], b[1] - a[1]};
        for (int k = 2; k < n; k++) {
            const double *c = corners[(i + k) % n];
            const double ac[2] = {c[0] - a[0], c[1] - a[1]};
            double height = (*left ? 1 : -1) * (ab[0] * ac[1] - ab[1] * ac[0]);
            if (height > STRAIGHT * hypot(ab[0], ab[1]) * hypot(ac[0], ac[1])) continue;
            return pc_fail(err, PC_E_ARGUMENT,
                           "%s: the polygon is not convex at corners[%d]: corners[%d] lies beyond the side that begins "
                           "there, or in line with it; what is not convex is put together from several",
                           what, i + 1, (i + k) % n + 1);
        }
    }
    return PC_OK;
}

pc_outline pc_outline_wedge(const char *name, double x, double y, const double e[2], const double f[2])
{
    pc_outline outline = new_outline(name);
    outline.n_sides = 2;
    outline.sides[0] = (pc_side){x, y, e[0], e[1], -INFINITY, 0};
    outline.sides[1] = (pc_side){x, y, f[0], f[1], 0, INFINITY};
    return outline;
}

pc_outline pc_outline_curve(const char *name, const pc_plane_curve *curve, double x, double y, double radius)
{
    pc_outline outline = new_outline(name);
    outline.x = x;
    outline.y = y;
    outline.radius = radius;
    outline.curve = *curve;
    outline.n_sides = curve->n;
    outline.closed = curve->closed;
    return outline;
}

int pc_outline_corners(const pc_outline *outline)
{
    return pc_outline_is_curve(outline) ? outline->n_sides + 1 : PC_OUTLINE_SIDES;
}

bool pc_outline_corner(const pc_outline *outline, int i, double corner[2])
{
    if (pc_outline_is_curve(outline)) {
        double tangent[2];
        if (outline->closed || (i != 0 && i != outline->n_sides)) return false;
        pc_curve_end(&outline->curve, i != 0, corner, tangent);
        return true;
    }
    bool is = outline->n_sides == 0 ? i == 0 : i < outline->n_sides && outline->sides[i].lo == 0;
    if (is) {
        corner[0] = outline->n_sides ? outline->sides[i].x : outline->x;
        corner[1] = outline->n_sides ? outline->sides[i].y : outline->y;
    }
    return is;
}

bool pc_outline_is_bar(const pc_outline *outline)
{
    const pc_side *a = &outline->sides[0], *b = &outline->sides[1];
    return outline->n_sides == 2 && !pc_outline_is_curve(outline) && a->ex == -b->ex && a->ey == -b->ey;
}

/* The side that ends at corner i. */
static int side_before(const pc_outline *outline, int i)
{
    return (i + outline->n_sides - 1) % outline->n_sides;
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

int pc_outline_nearest(const pc_outline *outline, double x, double y, double tolerance, double (*rays)[2], bool firm)
{
    if (pc_outline_is_curve(outline)) {
        pc_curve_foot foot;
        pc_curve_nearest(&outline->curve, x, y, tolerance, &foot);
        return pc_outline_foot_feature(outline, &foot);
    }
    int found = -1, deepest = 0;
    double best = 0, height[PC_OUTLINE_SIDES];
    for (int i = 0; i < outline->n_sides; i++) {
        const pc_side *s = &outline->sides[i];
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
    if (outline->n_sides > 0 && height[deepest] <= 0 && !pc_outline_is_bar(outline)) return 2 * deepest + 1;
    double least = INFINITY, corner[2];
    for (int i = 0; i < PC_OUTLINE_SIDES; i++) {
        if (!pc_outline_corner(outline, i, corner)) continue;
        double away = hypot(x - corner[0], y - corner[1]);
        if (!(away < least)) continue;
        least = away;
        found = i;
    }
    return 2 * found;
}

int pc_outline_side_before(const pc_outline *outline, double x, double y, double tolerance, double (*rays)[2])
{
    int found = -1;
    double best = 0;
    for (int i = 0; i < outline->n_sides; i++) {
        double height = pc_side_height(&outline->sides[i], x, y);
        if ((rays && outside(&outline->sides[i], rays) < THROUGH) || (found >= 0 && height <= best)) continue;
        found = i;
        best = height;
    }
    if (found < 0) return -1;
    double place = pc_side_place(&outline->sides[found], x, y);
    return place < outline->sides[found].lo - tolerance || place > outline->sides[found].hi + tolerance ? -1 : found;
}

/* How far a point is before an end of an open curve, along that. */
static double before_end(const pc_outline *outline, int which, double x, double y, double tangent[2])
{
    double end[2];
    pc_curve_end(&outline->curve, which, end, tangent);
    return (x - end[0]) * tangent[0] + (y - end[1]) * tangent[1];
}

static void curve_margins(const pc_outline *outline, int feature, double x, double y, double margin[2])
{
    double tangent[2];
    pc_curve_foot foot;
    margin[0] = margin[1] = INFINITY;
    if (feature % 2) {
        pc_curve_on_span(&outline->curve, feature / 2, x, y, &foot);
        memcpy(margin, foot.margin, sizeof foot.margin);
    } else if (feature == 0) {
        margin[1] = -before_end(outline, 0, x, y, tangent);
    } else {
        margin[0] = before_end(outline, 1, x, y, tangent);
    }
}

void pc_outline_margins(const pc_outline *outline, int feature, double x, double y, double margin[2])
{
    if (pc_outline_is_curve(outline)) {
        curve_margins(outline, feature, x, y, margin);
        return;
    }
    const pc_side *s = &outline->sides[feature / 2];
    margin[0] = margin[1] = INFINITY;
    if (outline->n_sides == 0) return;
    double place = pc_side_place(s, x, y);
    if (feature % 2) {
        margin[0] = place - s->lo;
        margin[1] = s->hi - place;
    } else {
        const pc_side *before = &outline->sides[side_before(outline, feature / 2)];
        margin[0] = pc_side_place(before, x, y) - before->hi;
        if (!pc_outline_is_bar(outline)) margin[1] = -place;
    }
}

void pc_outline_margin_rates(const pc_outline *outline, int feature, double x, double y, double vx, double vy,
                             double rate[2])
{
    rate[0] = rate[1] = 0;
    if (outline->n_sides == 0) return;
    if (pc_outline_is_curve(outline)) {
        pc_curve_foot foot = {.speed = 1};
        if (feature % 2)
            pc_curve_on_span(&outline->curve, feature / 2, x, y, &foot);
        else
            before_end(outline, feature > 0, x, y, foot.tangent);
        rate[0] = foot.speed * (vx * foot.tangent[0] + vy * foot.tangent[1]);
        rate[1] = -rate[0];
        return;
    }
    int i = feature / 2, from = feature % 2 ? i : side_before(outline, i);
    const pc_side *to = &outline->sides[i], *before = &outline->sides[from];
    rate[0] = vx * before->ex + vy * before->ey;
    if (feature % 2 || !pc_outline_is_bar(outline)) rate[1] = -(vx * to->ex + vy * to->ey);
}

int pc_outline_neighbour(const pc_outline *outline, int feature, int step)
{
    int n = 2 * outline->n_sides;
    if (pc_outline_is_curve(outline)) { /* from span to span, but for the ends of an open one */
        int next = feature + step, inner = outline->closed ? 0 : 1;
        return next % 2 == 0 && next >= inner && next <= n - inner ? (feature + 2 * step + n) % n : next;
    }
    return (feature + step + n) % n;
}

bool pc_outline_rays(const pc_outline *outline, int i, double rays[2][2])
{
    if (outline->n_sides == 0) return false;
    if (pc_outline_is_curve(outline)) { /* back to back, into the curve */
        double end[2], tangent[2];
        pc_curve_end(&outline->curve, i != 0, end, tangent);
        for (int k = 0; k < 4; k++) rays[k / 2][k % 2] = (i ? -1 : 1) * tangent[k % 2];
        return true;
    }
    const pc_side *before = &outline->sides[side_before(outline, i)], *after = &outline->sides[i];
    rays[0][0] = -before->ex;
    rays[0][1] = -before->ey;
    rays[1][0] = after->ex;
    rays[1][1] = after->ey;
    return true;
}

double pc_outline_reach(const pc_outline *outline)
{
    if (pc_outline_is_curve(outline)) return pc_curve_reach(&outline->curve);
    double most = outline->n_sides == 0 ? fabs(outline->x) + fabs(outline->y) : 0;
    for (int i = 0; i < outline->n_sides; i++) most = fmax(most, fabs(outline->sides[i].x) + fabs(outline->sides[i].y));
    return most;
}
