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

#include <math.h>

bool pc_flat_extent(const pc_flat_patch *patch, double *lo, double *hi)
{
    *lo = -patch->radius;
    *hi = patch->radius;
    if (patch->model != PC_FLAT_OVERLAP) return true;
    *lo = fmax(*lo, patch->offset - patch->other);
    *hi = fmin(*hi, patch->offset + patch->other);
    return *lo < *hi;
}

/* Angle of the place x on a circle of radius r about the origin. */
static double angle_of(double x, double r)
{
    return acos(fmax(-1, fmin(1, x / r)));
}

/* Add the moments of the part a <= x <= b of a disc of radius r about x0: x = x0 + r cos(phi), dw = 2 r^2 sin^2(phi)
 * dphi. */
static void add_disc(double r, double x0, double a, double b, double j[4])
{
    double part[4] = {0}, ends[2] = {angle_of(b - x0, r), angle_of(a - x0, r)};
    for (int i = 0; i < 2; i++) {
        double phi = ends[i], s = sin(phi), sign = i ? 1 : -1;
        part[0] += sign * (phi / 2 - sin(2 * phi) / 4);
        part[1] += sign * (s * s * s / 3);
        part[2] += sign * (phi / 8 - sin(4 * phi) / 32);
        part[3] += sign * s * s * s * (1.0 / 3 - s * s / 5);
    }
    double w = 2 * r * r;
    j[0] += w * part[0];
    j[1] += w * (x0 * part[0] + r * part[1]);
    j[2] += w * (x0 * x0 * part[0] + 2 * x0 * r * part[1] + r * r * part[2]);
    j[3] += w * (x0 * x0 * x0 * part[0] + 3 * x0 * x0 * r * part[1] + 3 * x0 * r * r * part[2] + r * r * r * part[3]);
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

double pc_flat_crossing(const pc_flat_patch *p)
{
    double c = p->offset, r = p->radius, q = p->other;
    double x = p->model == PC_FLAT_OVERLAP && c != 0 ? (c * c + r * r - q * q) / (2 * c) : INFINITY;
    return fabs(x) < r ? x : INFINITY;
}

/* The chord of the overlap is that of the circle whose arc lies nearer: they change over where the rims cross. */
static void add_overlap(const pc_flat_patch *p, double a, double b, double j[4])
{
    double c = p->offset, r = p->radius, q = p->other, cross = pc_flat_crossing(p);
    if (isinf(cross)) { /* one lies inside the other */
        if (q < r)
            add_disc(q, c, a, b, j);
        else
            add_disc(r, 0, a, b, j);
        return;
    }
    double middle = fmax(a, fmin(b, cross));
    bool beyond = c > 0; /* the second disc's near arc comes first */
    if (middle > a) add_disc(beyond ? q : r, beyond ? c : 0, a, middle, j);
    if (b > middle) add_disc(beyond ? r : q, beyond ? 0 : c, middle, b, j);
}

pc_flat_moments pc_flat_part(const pc_flat_patch *patch, double a, double b)
{
    pc_flat_moments m = {{0}};
    if (!(a < b)) return m;
    switch (patch->model) {
    case PC_FLAT_RIM: add_rim(patch->radius, a, b, m.j); break;
    case PC_FLAT_AREA: add_disc(patch->radius, 0, a, b, m.j); break;
    default: add_overlap(patch, a, b, m.j);
    }
    return m;
}

/* Gauss and Legendre's rule of 8 points on [-1, 1]: the positive half. */
enum { HALF = 4 };
static const double NODES[HALF] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
static const double WEIGHTS[HALF] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/* A cap of this angle or less; the rule is then exact to rounding. */
static const double SMALL = 0.3;

/* The load where only a cap of angle `end` of a circle of radius r is pressed, at the end of the patch: the sums of the
 * moments would cancel, these do not. With x = r cos(phi) the depth is s r (cos(phi) - cos(end)). */
static pc_flat_load press_cap(int model, double r, double s, double end)
{
    double force = 0, potential = 0, first = 0, second = 0; /* moments of r - x, of the pressure */
    double weight[3] = {0};                                 /* and of what is pressed */
    for (int i = 0; i < 2 * HALF; i++) {
        double at = i < HALF ? NODES[i] : -NODES[i - HALF];
        double phi = end / 2 * (1 + at), share = WEIGHTS[i % HALF] * end / 2;
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
    pc_flat_moments m = pc_flat_part(patch, lo, hi);
    pc_flat_load load = {.force = d * m.j[0] + s * m.j[1],
                         .moment = d * m.j[1] + s * m.j[2],
                         .potential = (d * d * m.j[0] + 2 * d * s * m.j[1] + s * s * m.j[2]) / 2};
    if (!(load.force > 0)) return (pc_flat_load){.lever = s > 0 ? hi : s < 0 ? lo : 0}; /* less than rounding */
    load.lever = load.moment / load.force;
    double r = patch->radius, square = (d * m.j[2] + s * m.j[3]) / load.force;
    load.along = fmax(square - load.lever * load.lever, 0);
    load.pressed[0] = m.j[0];
    load.pressed[1] = m.j[1] - load.lever * m.j[0];
    load.pressed[2] = m.j[2] - load.lever * (m.j[1] + load.pressed[1]);
    if (patch->model != PC_FLAT_OVERLAP) load.athwart = fmax(r * r - square, 0) / (patch->model == PC_FLAT_RIM ? 1 : 3);
    return load;
}

/* The circle whose arc the patch ends with, on the side of x: its radius, and where its centre is. */
static double radius_at(const pc_flat_patch *patch, double side, double *centre)
{
    bool other = patch->model == PC_FLAT_OVERLAP && side * patch->offset + patch->other < patch->radius;
    *centre = other ? patch->offset : 0;
    return other ? patch->other : patch->radius;
}

pc_flat_load pc_flat_press(const pc_flat_patch *patch, double d, double s)
{
    double lo, hi;
    pc_flat_extent(patch, &lo, &hi);
    double low = d + s * lo, high = d + s * hi;
    if (low <= 0 && high <= 0) return (pc_flat_load){.lever = s > 0 ? hi : s < 0 ? lo : 0};
    if (low >= 0 && high >= 0) return press_part(patch, d, s, lo, hi);
    double side = s > 0 ? 1 : -1, cut = -d / s, centre, r = radius_at(patch, side, &centre);
    double deepest = fmax(low, high) / (2 * r * fabs(s)),
           cross = pc_flat_crossing(patch); /* sin^2(angle/2) of the cap */
    bool cap = deepest < SMALL * SMALL / 4 && !(isfinite(cross) && side * (cross - cut) > 0);
    if (!cap) return s > 0 ? press_part(patch, d, s, cut, hi) : press_part(patch, d, s, lo, cut);
    pc_flat_load load = press_cap(patch->model, r, fabs(s), 2 * asin(sqrt(deepest)));
    load.lever = centre + side * load.lever;
    load.moment = load.lever * load.force;
    load.pressed[1] *= side;
    return load;
}

pc_flat_load pc_flat_press_whole(const pc_flat_patch *patch, double d, double s)
{
    double lo, hi;
    pc_flat_extent(patch, &lo, &hi);
    return press_part(patch, d, s, lo, hi);
}

double pc_flat_damp(double elastic, double zeta, double w, double size, double *couple)
{
    double F = elastic * fmax(1 + zeta * w, 0);
    *couple = 0;
    if (zeta > 0 && F > 0) *couple = zeta * elastic / sqrt(1 + zeta * zeta * size * (elastic / F) * (elastic / F));
    return F;
}
