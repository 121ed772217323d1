/* Patches of springs: their moments, force, moment and potential.
 *
 * Where Kecskemethy, Lange and Grabner (1999) have a transition function, this has a bed of springs (Winkler): the
 * potential
 *
 *     U(d, s) = k/2 int max(0, d + s x)^2 dw(x)
 *
 * over the weight dw of the patch at x. Force dU/dd and moment dU/ds need the moments of that part of the patch which
 * is below the surface, and these are elementary functions of the angle at which the slope crosses it.
 */
#include "law/flat/flat.h"

#include "math/roots.h"

#include <math.h>
#include <stdbool.h>

/* Angle of the place x on a circle of radius r about the origin. */
static double angle_of(double x, double r)
{
    return acos(fmax(-1, fmin(1, x / r)));
}

/* Weight and first three moments along the slope about the axis, of the part a <= x <= b of a disc of radius r, by
 * area: x = r cos(phi), dw = 2 r^2 sin^2(phi) dphi; and of a rim, by angle over 2 pi. */
static void add_disc(double r, double a, double b, double j[4])
{
    double part[4] = {0}, ends[2] = {angle_of(b, r), angle_of(a, r)}, w = 2 * r * r;
    for (int i = 0; i < 2; i++) {
        double phi = ends[i], s = sin(phi), sign = i ? 1 : -1;
        part[0] += sign * (phi / 2 - sin(2 * phi) / 4);
        part[1] += sign * (s * s * s / 3);
        part[2] += sign * (phi / 8 - sin(4 * phi) / 32);
        part[3] += sign * s * s * s * (1.0 / 3 - s * s / 5);
    }
    j[0] += w * part[0];
    j[1] += w * (r * part[1]);
    j[2] += w * (r * r * part[2]);
    j[3] += w * (r * r * r * part[3]);
}

static void add_rim(double r, double a, double b, double j[4])
{
    double ends[2] = {angle_of(b, r), angle_of(a, r)};
    for (int i = 0; i < 2; i++) {
        double phi = ends[i], s = sin(phi), sign = (i ? 1 : -1) / M_PI;
        j[0] += sign * phi;
        j[1] += sign * r * s;
        j[2] += sign * r * r * (phi / 2 + sin(2 * phi) / 4);
        j[3] += sign * r * r * r * (s - s * s * s / 3);
    }
}

/* A cap of this angle or less; Gauss's rule of so many points is then exact to rounding. */
enum { POINTS = 8 };
static const double SMALL = 0.3;

/* The load where only a cap of angle `end` of a circle of radius r is pressed, at the end of the patch: the sums of the
 * moments would cancel, these do not. With x = r cos(phi) the depth is s r (cos(phi) - cos(end)). */
static pc_flat_load press_cap(int model, double r, double s, double end)
{
    double force = 0, potential = 0, first = 0, second = 0; /* moments of r - x, of the pressure */
    double weight[3] = {0};                                 /* and of what is pressed */
    for (int i = 0; i < POINTS; i++) {
        double part, phi = end / 2 * (1 + pc_gauss(POINTS, i, &part)), share = part * end / 2;
        double depth = 2 * s * r * sin((end + phi) / 2) * sin((end - phi) / 2);
        double sine = sin(phi), half = sin(phi / 2), below = 2 * r * half * half;
        double dw = share * (model == PC_FLAT_RIM ? 1 / M_PI : 2 * r * r * sine * sine);
        force += depth * dw;
        potential += depth * depth / 2 * dw;
        first += below * depth * dw;
        second += below * below * depth * dw;
        weight[0] += dw;
        weight[1] += below * dw;
        weight[2] += below * below * dw;
    }
    if (!(force > 0)) return (pc_flat_load){.lever = r}; /* underflow */
    first /= force, second /= force;
    double across = model == PC_FLAT_RIM ? 1 : 1.0 / 3;
    return (pc_flat_load){.force = force,
                          .potential = potential,
                          .lever = r - first,
                          .along = second - first * first,
                          .athwart = across * (2 * r * first - second),
                          .pressed = {weight[0], first * weight[0] - weight[1],
                                      weight[2] - 2 * first * weight[1] + first * first * weight[0]}};
}

/* Chords of a rim have their springs at the ends, those of a face all along: <y^2> = (r^2 - x^2) or a third of it. */
static pc_flat_load press_part(const pc_flat_patch *patch, double d, double s, double lo, double hi)
{
    double r = patch->radius, j[4] = {0};
    if (lo < hi && patch->model == PC_FLAT_RIM) add_rim(r, lo, hi, j);
    if (lo < hi && patch->model != PC_FLAT_RIM) add_disc(r, lo, hi, j);
    pc_flat_load load = {.force = d * j[0] + s * j[1],
                         .moment = d * j[1] + s * j[2],
                         .potential = (d * d * j[0] + 2 * d * s * j[1] + s * s * j[2]) / 2};
    if (!(load.force > 0)) return (pc_flat_load){.lever = s > 0 ? hi : s < 0 ? lo : 0}; /* less than rounding */
    load.lever = load.moment / load.force;
    double square = (d * j[2] + s * j[3]) / load.force;
    load.along = fmax(square - load.lever * load.lever, 0);
    load.pressed[0] = j[0];
    load.pressed[1] = j[1] - load.lever * j[0];
    load.pressed[2] = j[2] - load.lever * (j[1] + load.pressed[1]);
    load.athwart = fmax(r * r - square, 0) / (patch->model == PC_FLAT_RIM ? 1 : 3);
    return load;
}

pc_flat_load pc_flat_press(const pc_flat_patch *patch, double d, double s, bool whole)
{
    double r = patch->radius, low = d - s * r, high = d + s * r;
    if (whole) return press_part(patch, d, s, -r, r);
    if (low <= 0 && high <= 0) return (pc_flat_load){.lever = s > 0 ? r : s < 0 ? -r : 0};
    if (low >= 0 && high >= 0) return press_part(patch, d, s, -r, r);
    double deepest = fmax(low, high) / (2 * r * fabs(s)); /* sin^2(angle/2) of the cap */
    if (!(deepest < SMALL * SMALL / 4)) return press_part(patch, d, s, s > 0 ? -d / s : -r, s > 0 ? r : -d / s);
    pc_flat_load load = press_cap(patch->model, r, fabs(s), 2 * asin(sqrt(deepest)));
    double side = s > 0 ? 1 : -1;
    load.lever *= side;
    load.moment = load.lever * load.force;
    load.pressed[1] *= side;
    return load;
}

double pc_flat_damp(double elastic, double zeta, double w, double size, double *couple)
{
    double F = elastic * fmax(1 + zeta * w, 0);
    *couple = 0;
    if (zeta > 0 && F > 0) *couple = zeta * elastic / sqrt(1 + zeta * zeta * size * (elastic / F) * (elastic / F));
    return F;
}

/* The load on the lens in which two discs overlap, on one side of a line.
 *
 * With xi along the slope and eta across it, the lens is cut into strips along eta between the places where its upper
 * or lower boundary goes from one circle to the other. Over a strip the integral of depth^p xi^a eta^b is, at either
 * boundary, that of depth^p xi^a eta^(b + 1)/(b + 1), and on a circle, xi = c + r cos(phi), eta = e +- r sin(phi), a
 * polynomial in cosines and sines. Places are told from the deepest one, and integrals by sums over the arcs, since
 * closed forms would cancel where little is pressed.
 */

typedef struct circle {
    double c, e, r; /* centre along and across the slope, radius */
} circle;

/* Depth at the deepest place, which is (xi, eta), and how it grows along xi. */
typedef struct depth_field {
    double deepest, slope, xi, eta;
} depth_field;

/* Area of a part of the lens, and of the pressure on it: force, potential, first and second moments about the deepest
 * place (xi, eta; xi xi, xi eta, eta eta). */
typedef struct sums {
    double area, force, potential, first[2], second[3];
} sums;

/* On an arc of half a radian the rule is exact to rounding for what the loads ask. */
static const double ARC = 0.5;

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* What an arc at phi adds. */
static void add_place(const circle *o, int side, double phi, double arc, const depth_field *at, sums *out)
{
    double sine = sin(phi), xi = o->c + o->r * cos(phi) - at->xi, eta = o->e + side * o->r * sine - at->eta;
    double depth = at->deepest + at->slope * xi, strip = side * arc * o->r * sine * eta, force = strip * depth;
    out->area += strip;
    out->force += force;
    out->potential += force * depth / 2;
    out->first[0] += force * xi;
    out->first[1] += force * eta / 2;
    out->second[0] += force * xi * xi;
    out->second[1] += force * xi * eta / 2;
    out->second[2] += force * eta * eta / 3;
}

/* Add the boundary on a circle from xi = from to xi = to: the upper half, or, side = -1, taken off, the lower half. */
static void add_boundary(const circle *o, int side, double from, double to, const depth_field *at, sums *out)
{
    double first = acos(clamp((to - o->c) / o->r, -1, 1)), last = acos(clamp((from - o->c) / o->r, -1, 1));
    int arcs = (int)ceil((last - first) / ARC);
    for (int k = 0; k < arcs; k++) {
        double half = (last - first) / (2 * arcs), middle = first + (2 * k + 1) * half;
        for (int i = 0; i < POINTS; i++) {
            double weight, place = middle + half * pc_gauss(POINTS, i, &weight);
            add_place(o, side, place, half * weight, at, out);
        }
    }
}

/* Height of a half circle at xi. */
static double height(const circle *o, int side, double xi)
{
    double x = xi - o->c;
    return o->e + side * sqrt(fmax((o->r - x) * (o->r + x), 0));
}

int pc_lens_corners(const pc_lens *lens, double corner[2])
{
    double c = lens->offset, r = lens->radius, q = lens->other;
    if (c == 0) return 0;
    double x = (c * c + (r - q) * (r + q)) / (2 * c), y2 = (r - x) * (r + x);
    if (!(y2 > 0)) return 0;
    corner[0] = x;
    corner[1] = sqrt(y2);
    return 2;
}

void pc_lens_farthest(const pc_lens *lens, const double u[2], double place[2])
{
    double c = lens->offset, r = lens->radius, q = lens->other, corner[2];
    double x = r * u[0] - c, y = r * u[1];
    place[0] = r * u[0], place[1] = r * u[1];
    if (x * x + y * y <= q * q) return; /* the far point of the first disc lies in the second */
    x = c + q * u[0], y = q * u[1];
    bool inside = x * x + y * y <= r * r;
    if (!inside && pc_lens_corners(lens, corner) > 0) {
        place[0] = corner[0], place[1] = copysign(corner[1], u[1]);
    } else if (inside || c * u[0] + q < r) { /* or it is but for rounding */
        place[0] = x, place[1] = y;
    }
}

/* The load where xi >= cut, along the direction u, told about the deepest place. */
static sums measure(const pc_lens *lens, const double u[2], double cut, const depth_field *at)
{
    circle o[2] = {{0, 0, lens->radius}, {lens->offset * u[0], -lens->offset * u[1], lens->other}};
    double places[8], corner[2];
    int n = 0;
    for (int i = 0; i < 2; i++) places[n++] = o[i].c - o[i].r, places[n++] = o[i].c + o[i].r;
    if (pc_lens_corners(lens, corner))
        for (int side = -1; side <= 1; side += 2) places[n++] = corner[0] * u[0] + side * corner[1] * u[1];
    double low = fmax(fmax(places[0], places[2]), cut), high = fmin(places[1], places[3]);
    places[n++] = low, places[n++] = high;
    for (int i = 1; i < n; i++) { /* in order */
        double x = places[i];
        int j = i;
        for (; j > 0 && places[j - 1] > x; j--) places[j] = places[j - 1];
        places[j] = x;
    }
    sums out = {0};
    for (int i = 0; i + 1 < n; i++) {
        double from = places[i], to = places[i + 1], middle = (from + to) / 2;
        if (!(from >= low && to <= high && to > from)) continue;
        int top = height(&o[1], 1, middle) < height(&o[0], 1, middle);
        int bottom = height(&o[1], -1, middle) > height(&o[0], -1, middle);
        if (!(height(&o[top], 1, middle) > height(&o[bottom], -1, middle))) continue;
        add_boundary(&o[top], 1, from, to, at, &out);
        add_boundary(&o[bottom], -1, from, to, at, &out);
    }
    return out;
}

pc_lens_load pc_lens_press(const pc_lens *lens, double d, const double p[2], bool whole)
{
    double s = hypot(p[0], p[1]), u[2] = {1, 0}, place[2];
    if (s > 0) u[0] = p[0] / s, u[1] = p[1] / s;
    pc_lens_farthest(lens, u, place);
    pc_lens_load out = {.centre = {place[0], place[1]}};
    double xi = place[0] * u[0] + place[1] * u[1], deepest = d + s * xi;
    if (!whole && !(deepest > 0)) return out;
    depth_field at = {deepest, s, xi, place[1] * u[0] - place[0] * u[1]};
    sums w = measure(lens, u, whole || s == 0 ? -INFINITY : -d / s, &at);
    /* (xi, eta) = (u.r, u x r) back to (x, y) */
    out.force = w.force;
    out.potential = w.potential;
    out.moment[0] = w.force * place[0] + u[0] * w.first[0] - u[1] * w.first[1];
    out.moment[1] = w.force * place[1] + u[1] * w.first[0] + u[0] * w.first[1];
    if (!(w.force > 0)) return out;
    double along = w.first[0] / w.force, across = w.first[1] / w.force;
    double xx = w.second[0] / w.force - along * along, xy = w.second[1] / w.force - along * across,
           yy = w.second[2] / w.force - across * across;
    out.centre[0] += u[0] * along - u[1] * across;
    out.centre[1] += u[1] * along + u[0] * across;
    out.spread[0] = u[0] * u[0] * xx - 2 * u[0] * u[1] * xy + u[1] * u[1] * yy;
    out.spread[1] = u[0] * u[1] * (xx - yy) + (u[0] * u[0] - u[1] * u[1]) * xy;
    out.spread[2] = u[1] * u[1] * xx + 2 * u[0] * u[1] * xy + u[0] * u[0] * yy;
    return out;
}
