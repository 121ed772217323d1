/* Polynomial roots by monotone pieces, and a bracketed root: see roots.h.
 *
 * The zeros of p' cut [0, 1] into pieces on which p is monotone, so every piece holds at most one zero and the signs
 * at its ends decide. The zeros of p' are found in the same way, from those of p''. A count of sign changes of the
 * Bernstein coefficients (at most one change: at most one root, no need for p') ends the descent early almost always. A
 * zero of p' where p itself is zero to rounding is a multiple zero of p: it has one more than p' has there.
 * Collins and Loos (1976), Polynomial real root isolation by differentiation, in the Bernstein basis.
 */
#include "math/roots.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

double pc_root_between(double (*f)(double x, void *context), void *context, double a, double fa, double b, double fb,
                       double tolerance)
{
    /* a: newest point, b: the other end of the bracket, c: the point before a (Chandrupatla's x1, x2, x3); the first
     * point by the secant: most functions here are smooth */
    if (fa == 0) return a;
    if (fb == 0) return b;
    double c, fc, t = fmin(0.9, fmax(0.1, fa / (fa - fb)));
    for (int i = 0; i < 200; i++) {
        double x = a + t * (b - a), fx = f(x, context);
        if (isnan(fx)) return NAN;
        if ((fx > 0) == (fa > 0)) {
            c = a;
            fc = fa;
        } else {
            c = b;
            fc = fb;
            b = a;
            fb = fa;
        }
        a = x;
        fa = fx;
        if (fx == 0) return x;
        double best = fabs(fa) < fabs(fb) ? a : b;
        double reach = (DBL_EPSILON * fabs(best) + 0.5 * tolerance) / fabs(b - a);
        if (reach > 0.5 || b == a) return best;
        double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
            t = fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
        else
            t = 0.5;
        t = fmin(1 - reach, fmax(reach, t));
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

typedef struct poly {
    const double *b;
    int degree;
} poly;

static double value(double x, void *context)
{
    const poly *p = context;
    return pc_poly_eval(p->b, p->degree, x);
}

static int sign(double v, double zero)
{
    return v > zero ? 1 : v < -zero ? -1 : 0;
}

/* Rounding of an evaluation: one unit for each of the operations a term goes through. */
static double rounding(const double *b, int degree)
{
    return (4 + 2 * degree) * DBL_EPSILON * pc_poly_bound(b, degree);
}

/* Zeros of a derivative in (0, 1), by the walk itself; ends included do no harm. */
static int stationary(const double *b, int degree, pc_root *roots);

int pc_poly_roots(const double *b, int degree, double zero, int *side, pc_root *roots)
{
    poly p = {b, degree};
    zero += rounding(b, degree);
    double x[PC_POLY_DEGREE + 2], v[PC_POLY_DEGREE + 2];
    int extra[PC_POLY_DEGREE + 2]; /* multiplicity of the zero of p' at x */
    int m = 0, count = 0;

    /* the ends of the monotone pieces */
    pc_root turn[PC_POLY_DEGREE + 1];
    int n_turns = 0;
    bool clear = true; /* every coefficient on one side and none near zero */
    for (int j = 0; j <= degree; j++) clear = clear && sign(b[j], zero) == sign(b[0], zero) && sign(b[j], zero) != 0;
    if (clear && (*side == PC_SIDE_UNKNOWN || *side == 0 || *side == sign(b[0], zero))) {
        *side = sign(b[0], zero);
        return 0;
    }
    if (degree > 1) n_turns = stationary(b, degree, turn);
    x[m] = 0, v[m] = b[0], extra[m++] = 0;
    int at_end = 0;
    for (int i = 0; i < n_turns; i++) {
        if (turn[i].x <= 0)
            extra[0] += turn[i].multiplicity;
        else if (turn[i].x >= 1)
            at_end += turn[i].multiplicity;
        else
            x[m] = turn[i].x, v[m] = pc_poly_eval(b, degree, turn[i].x), extra[m++] = turn[i].multiplicity;
    }
    x[m] = 1, v[m] = b[degree], extra[m++] = at_end;

    bool leaving = *side == 0; /* whatever rounding of this piece says, its start is the zero reported before */
    for (int i = 0; i < m; i++) {
        int here = leaving && i == 0 ? 0 : sign(v[i], zero);
        if (here != 0) {
            if (*side == -here) { /* p went through zero inside the piece that ends here */
                double at = i > 0 ? pc_root_between(value, &p, x[i - 1], v[i - 1], x[i], v[i], 0) : 0;
                roots[count++] = (pc_root){at, 1, *side, here};
            }
            *side = here;
            continue;
        }

        /* p is zero here: gather the points that cannot be told from this one */
        int first = i, last = i, multiplicity = 1;
        double weight = 0, sum = 0;
        while (last + 1 < m && sign(v[last + 1], zero) == 0) last++;
        for (int k = first; k <= last; k++) {
            multiplicity += extra[k];
            weight += extra[k];
            sum += extra[k] * x[k];
        }
        int before = *side == PC_SIDE_UNKNOWN ? 0 : *side;
        bool at_start = *side == PC_SIDE_UNKNOWN && first == 0;
        int after = last + 1 < m ? sign(v[last + 1], zero) : 0;
        if (*side != 0) {
            double at = weight > 0 ? sum / weight : x[first];
            if (at_start)
                at = 0;
            else if (weight == 0 && first > 0 && (v[first] > 0) != (v[first - 1] > 0))
                at = pc_root_between(value, &p, x[first - 1], v[first - 1], x[first], v[first], 0);
            roots[count++] = (pc_root){at, multiplicity, before, after};
        }
        *side = after;
        i = last + (after != 0); /* the point after was looked at */
    }
    return count;
}

/* Changes of sign in the row of coefficients, zeros left out. */
static int variations(const double *b, int degree)
{
    int changes = 0;
    double last = 0;
    for (int j = 0; j <= degree; j++) {
        if (b[j] == 0) continue;
        if (last != 0 && (b[j] < 0) != (last < 0)) changes++;
        last = b[j];
    }
    return changes;
}

static int stationary(const double *b, int degree, pc_root *roots)
{
    double d[PC_POLY_DEGREE];
    pc_poly_derivative(b, degree, d);
    int changes = variations(d, degree - 1);
    if (changes == 0 && d[0] != 0 && d[degree - 1] != 0) return 0;
    int side = PC_SIDE_UNKNOWN;
    return pc_poly_roots(d, degree - 1, 0, &side, roots);
}

/* Bernstein polynomials: Farouki, The Bernstein polynomial basis: a centennial retrospective (2012). */

static const double pascal[] = {
#include "math/pascal.inc"
};

static const double *pascal_row(int n)
{
    return pascal + n * (n + 1) / 2;
}

double pc_binomial(int n, int k)
{
    return k < 0 || k > n ? 0 : pascal_row(n)[k];
}

/* Horner's scheme in the ratio of the smaller of x, 1 - x to the larger (Volk and Schumaker 1986): all factors are
 * positive and at most 1 where it matters, so nothing cancels that the coefficients do not cancel themselves. */
void pc_poly_eval_rows(const double *b, int n, int degree, double x, double *out)
{
    const double *binomial = pascal_row(degree);
    bool far = x > 0.5;
    double big = far ? x : 1 - x, r = far ? (1 - x) / x : x / (1 - x), scale = 1;
    for (int k = degree; k > 0; k >>= 1) { /* big^degree */
        if (k & 1) scale *= big;
        big *= big;
    }
    for (int i = 0; i < n; i++, b += degree + 1) {
        double sum;
        if (far) {
            sum = b[0];
            for (int k = 1; k <= degree; k++) sum = sum * r + binomial[k] * b[k];
        } else {
            sum = b[degree];
            for (int k = degree - 1; k >= 0; k--) sum = sum * r + binomial[k] * b[k];
        }
        out[i] = sum * scale;
    }
}

double pc_poly_eval(const double *b, int degree, double x)
{
    double value;
    pc_poly_eval_rows(b, 1, degree, x, &value);
    return value;
}

void pc_poly_derivative(const double *b, int degree, double *d)
{
    for (int j = 0; j < degree; j++) d[j] = degree * (b[j + 1] - b[j]);
}

/* De Casteljau's scheme at hi keeps the left part, then at lo/hi the right part of that. */
void pc_poly_part(const double *b, int degree, double lo, double hi, double *out)
{
    for (int j = 0; j <= degree; j++) out[j] = b[j];
    for (int k = 1; k <= degree && hi < 1; k++)
        for (int j = degree; j >= k; j--) out[j] = out[j - 1] + hi * (out[j] - out[j - 1]);
    double x = lo / hi;
    for (int k = 1; k <= degree && lo > 0; k++)
        for (int j = 0; j <= degree - k; j++) out[j] += x * (out[j + 1] - out[j]);
}

double pc_poly_bound(const double *b, int degree)
{
    double bound = 0;
    for (int j = 0; j <= degree; j++) bound = fmax(bound, fabs(b[j]));
    return bound;
}

/* Shift to powers of x on [0, 1] by repeated synthetic division, then C(j, i)/C(d, i) weights. Extended precision,
 * since the powers of a wide interval cancel. */
void pc_poly_from_power(const double *a, int degree, double lo, double hi, double *b)
{
    long double c[PC_POLY_DEGREE + 1], scale = 1;
    for (int i = 0; i <= degree; i++) c[i] = a[i];
    for (int i = 0; i < degree; i++)
        for (int k = degree - 1; k >= i; k--) c[k] += (long double)lo * c[k + 1];
    for (int i = 0; i <= degree; i++) {
        c[i] *= scale;
        scale *= (long double)hi - (long double)lo;
    }
    for (int j = 0; j <= degree; j++) {
        long double sum = 0;
        for (int i = 0; i <= j; i++) sum += c[i] * (long double)pc_binomial(j, i) / (long double)pc_binomial(degree, i);
        b[j] = (double)sum;
    }
}

/* ---- Gauss-Legendre quadrature ---- */

/* A root of a Legendre polynomial that is not below 0, and its weight (Abramowitz and Stegun, 25.4.30). */
typedef struct gauss_point {
    double x, weight;
} gauss_point;

static const gauss_point gauss_4[] = {{0.3399810435848562648, 0.6521451548625461426},
                                      {0.8611363115940525752, 0.3478548451374538573}};
static const gauss_point gauss_6[] = {{0.2386191860831969086, 0.4679139345726910473},
                                      {0.6612093864662645136, 0.3607615730481386075},
                                      {0.9324695142031520278, 0.1713244923791703450}};
static const gauss_point gauss_8[] = {{0.1834346424956498049, 0.3626837833783619829},
                                      {0.5255324099163289858, 0.3137066458778872873},
                                      {0.7966664774136267395, 0.2223810344533744705},
                                      {0.9602898564975362316, 0.1012285362903762591}};
static const gauss_point gauss_16[] = {
    {0.0950125098376374401, 0.1894506104550684962}, {0.2816035507792589132, 0.1826034150449235888},
    {0.4580167776572273863, 0.1691565193950025381}, {0.6178762444026437484, 0.1495959888165767320},
    {0.7554044083550030338, 0.1246289712555338720}, {0.8656312023878317438, 0.0951585116824927848},
    {0.9445750230732325760, 0.0622535239386478928}, {0.9894009349916499325, 0.0271524594117540948}};

double pc_gauss(int n, int k, double *weight)
{
    const gauss_point *half = n == 4 ? gauss_4 : n == 6 ? gauss_6 : n == 8 ? gauss_8 : gauss_16;
    assert(n == 4 || n == 6 || n == 8 || n == 16);
    *weight = half[k / 2].weight;
    return k % 2 ? -half[k / 2].x : half[k / 2].x;
}
