/* Bernstein polynomials: see poly.h. Farouki, The Bernstein polynomial basis: a centennial retrospective (2012). */
#include "math/poly.h"

#include <math.h>
#include <stdbool.h>

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
/* Horner's rule in the ratio of x and 1 - x, whichever way it is below 1. */
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

int pc_poly_variations(const double *b, int degree)
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
