/* Moments of the lens in which two discs overlap, on one side of a line.
 *
 * With xi along the slope and eta across it, the lens is cut into strips along eta between the places where its upper
 * or lower boundary goes from one circle to the other. Over a strip the moment of xi^a eta^b is, at either boundary,
 * the integral of xi^a eta^(b + 1)/(b + 1), and on a circle, xi = c + r cos(phi), eta = e +- r sin(phi), that is a sum
 * of integrals of cos^m sin^n, which have closed forms.
 */
#include "contact/flat_lens.h"

#include <math.h>

/* Orders of the moments, and of the sines and cosines that they need. */
enum { ORDER = 3, SINES = ORDER + 3 };

typedef struct circle {
    double c, e, r; /* centre along and across the slope, radius */
} circle;

typedef struct moments {
    double m[ORDER + 1][ORDER + 1]; /* of xi^a eta^b, a + b <= ORDER */
} moments;

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Integrals of cos^m sin^n from 0 to phi, but for a constant. */
static void integrate(double phi, double out[ORDER + 1][SINES])
{
    double c = cos(phi), s = sin(phi);
    double cm = 1, before = 0; /* c^m, c^(m - 1) */
    for (int m = 0; m <= ORDER; m++, before = cm, cm *= c) {
        out[m][0] = m == 0 ? phi : m == 1 ? s : before * s / m + (m - 1.0) / m * out[m - 2][0];
        out[m][1] = -cm * c / (m + 1);
        double sn = s; /* s^(n - 1) */
        for (int n = 2; n < SINES; n++, sn *= s)
            out[m][n] = -cm * c * sn / (m + n) + (n - 1.0) / (m + n) * out[m][n - 2];
    }
}

static double choose(int n, int k)
{
    static const double table[ORDER + 2][ORDER + 2] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    return table[n][k];
}

/* Add what the boundary on a circle from xi = from to xi = to contributes: the upper half, or, side = -1, taken off,
 * the lower half. */
static void add_boundary(const circle *o, int side, double from, double to, moments *out)
{
    double first[ORDER + 1][SINES], last[ORDER + 1][SINES];
    integrate(acos(clamp((from - o->c) / o->r, -1, 1)), first);
    integrate(acos(clamp((to - o->c) / o->r, -1, 1)), last);
    double c[SINES] = {1}, e[SINES] = {1}, r[2 * SINES] = {1};
    for (int k = 1; k < SINES; k++) c[k] = c[k - 1] * o->c, e[k] = e[k - 1] * o->e;
    for (int k = 1; k < 2 * SINES; k++) r[k] = r[k - 1] * o->r;
    for (int a = 0; a <= ORDER; a++)
        for (int b = 0; a + b <= ORDER; b++) {
            double sum = 0;
            for (int k = 0; k <= a; k++)
                for (int l = 0; l <= b + 1; l++)
                    sum += choose(a, k) * c[a - k] * choose(b + 1, l) * e[b + 1 - l] * (l % 2 && side < 0 ? -1 : 1) *
                           r[k + l + 1] * (last[k][l + 1] - first[k][l + 1]);
            out->m[a][b] -= side * sum / (b + 1); /* d xi = -r sin(phi) d phi */
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

double pc_lens_reach(const pc_lens *lens, const double u[2])
{
    double c = lens->offset, r = lens->radius, q = lens->other, corner[2];
    double x = r * u[0] - c, y = r * u[1];
    if (x * x + y * y <= q * q) return r; /* the far point of the first disc lies in the second */
    x = c + q * u[0], y = q * u[1];
    if (x * x + y * y <= r * r) return c * u[0] + q;
    if (pc_lens_corners(lens, corner) == 0) return fmin(r, c * u[0] + q); /* rounding */
    return corner[0] * u[0] + corner[1] * fabs(u[1]);
}

/* Moments of the lens where xi >= cut, along the direction u. */
static moments measure(const pc_lens *lens, const double u[2], double cut)
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
    moments out = {{{0}}};
    for (int i = 0; i + 1 < n; i++) {
        double from = places[i], to = places[i + 1], middle = (from + to) / 2;
        if (!(from >= low && to <= high && to > from)) continue;
        int top = height(&o[1], 1, middle) < height(&o[0], 1, middle);
        int bottom = height(&o[1], -1, middle) > height(&o[0], -1, middle);
        if (!(height(&o[top], 1, middle) > height(&o[bottom], -1, middle))) continue;
        add_boundary(&o[top], 1, from, to, &out);
        add_boundary(&o[bottom], -1, from, to, &out);
    }
    return out;
}

double pc_lens_area(const pc_lens *lens)
{
    static const double u[2] = {1, 0};
    return measure(lens, u, -INFINITY).m[0][0];
}

pc_lens_load pc_lens_press(const pc_lens *lens, double d, const double p[2])
{
    double s = hypot(p[0], p[1]), u[2] = {1, 0};
    if (s > 0) u[0] = p[0] / s, u[1] = p[1] / s;
    pc_lens_load out = {0};
    if (!(d + s * pc_lens_reach(lens, u) > 0)) return out;
    moments w = measure(lens, u, s > 0 ? -d / s : -INFINITY);
    double along[2] = {d * w.m[1][0] + s * w.m[2][0], d * w.m[0][1] + s * w.m[1][1]};
    double xx = d * w.m[2][0] + s * w.m[3][0], xy = d * w.m[1][1] + s * w.m[2][1], yy = d * w.m[0][2] + s * w.m[1][2];
    out.force = fmax(d * w.m[0][0] + s * w.m[1][0], 0);
    out.potential = (d * d * w.m[0][0] + 2 * d * s * w.m[1][0] + s * s * w.m[2][0]) / 2;
    /* (xi, eta) = (u.r, u x r) back to (x, y) */
    out.moment[0] = u[0] * along[0] - u[1] * along[1];
    out.moment[1] = u[1] * along[0] + u[0] * along[1];
    out.second[0] = u[0] * u[0] * xx - 2 * u[0] * u[1] * xy + u[1] * u[1] * yy;
    out.second[1] = u[0] * u[1] * (xx - yy) + (u[0] * u[0] - u[1] * u[1]) * xy;
    out.second[2] = u[1] * u[1] * xx + 2 * u[0] * u[1] * xy + u[0] * u[0] * yy;
    return out;
}
