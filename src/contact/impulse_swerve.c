/* Taylor series of swerving slip: see impulse_swerve.h. */
#include "contact/impulse_swerve.h"

#include <float.h>
#include <math.h>

pc_swerve_rates pc_swerve_rate(const pc_mobility *W, double mu, double c, double s)
{
    /* A = dv/dp_n at slip direction (c, s); along it and across it */
    double at = W->tn - mu * (W->tt * c + W->tt2 * s), at2 = W->t2n - mu * (W->tt2 * c + W->t2t2 * s);
    double growth = c * at + s * at2, turn = c * at2 - s * at;
    double along_across = (W->t2t2 - W->tt) * c * s + W->tt2 * (c * c - s * s);
    double across = W->tt * s * s - 2 * W->tt2 * c * s + W->t2t2 * c * c;
    return (pc_swerve_rates){growth, turn, turn - mu * along_across, -growth - mu * across};
}

/* (a b)_k */
static double product(const double *a, const double *b, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++) sum += a[i] * b[k - i];
    return sum;
}

/* (a a)_k without the terms that hold a_k itself */
static double inner_square(const double *a, int k)
{
    double sum = 0;
    for (int i = 1, j = k - 1; i < j; i++, j--) sum += a[i] * a[j];
    sum *= 2;
    if (k % 2 == 0 && k > 0) sum += a[k / 2] * a[k / 2];
    return sum;
}

/* From the decay of the last two coefficients: the length at which the first term left out falls to rounding. */
static double step_length(const pc_swerve *s)
{
    enum { N = PC_SWERVE_ORDER };
    double scale = s->c[PC_SWERVE_SPEED][0], length = INFINITY;
    for (int k = N - 1; k <= N; k++) {
        double last = fmax(fabs(s->c[PC_SWERVE_X][k]), fabs(s->c[PC_SWERVE_Y][k]));
        if (last > 0) length = fmin(length, exp(log(DBL_EPSILON / 4 * scale / last) / k));
    }
    return length;
}

void pc_swerve_expand(pc_swerve *swerve, const pc_mobility *W, double mu, const pc_walk *walk)
{
    double(*c)[PC_SWERVE_ORDER + 1] = swerve->c;
    double *x = c[PC_SWERVE_X], *y = c[PC_SWERVE_Y], *sigma = c[PC_SWERVE_SPEED], *v_n = c[PC_SWERVE_VN];
    x[0] = walk->v[PC_T];
    y[0] = walk->v[PC_T2];
    v_n[0] = walk->v[PC_N];
    sigma[0] = hypot(x[0], y[0]);
    c[PC_SWERVE_PT][0] = walk->p[PC_T];
    c[PC_SWERVE_PN][0] = walk->p[PC_N];
    c[PC_SWERVE_PT2][0] = walk->p[PC_T2];
    c[PC_SWERVE_WORK_N][0] = walk->work_n;
    c[PC_SWERVE_WORK_F][0] = walk->work_f;
    double square = sigma[0] * sigma[0];
    for (int k = 0; k < PC_SWERVE_ORDER; k++) {
        if (k > 0) {
            double rest = inner_square(x, k) + inner_square(y, k) + 2 * (x[0] * x[k] + y[0] * y[k]);
            sigma[k] = (rest - inner_square(sigma, k)) / (2 * sigma[0]);
            square = rest;
        }
        double next = 1.0 / (k + 1);
        x[k + 1] = next * (W->tn * sigma[k] - mu * (W->tt * x[k] + W->tt2 * y[k]));
        y[k + 1] = next * (W->t2n * sigma[k] - mu * (W->tt2 * x[k] + W->t2t2 * y[k]));
        v_n[k + 1] = next * (W->nn * sigma[k] - mu * (W->tn * x[k] + W->t2n * y[k]));
        c[PC_SWERVE_PT][k + 1] = -next * mu * x[k];
        c[PC_SWERVE_PN][k + 1] = next * sigma[k];
        c[PC_SWERVE_PT2][k + 1] = -next * mu * y[k];
        c[PC_SWERVE_WORK_N][k + 1] = next * product(v_n, sigma, k);
        c[PC_SWERVE_WORK_F][k + 1] = -next * mu * square;
    }
    sigma[PC_SWERVE_ORDER] = 0; /* not needed: speed is taken from x and y */
    swerve->length = step_length(swerve);
}

static double horner(const double *c, double tau)
{
    double sum = c[PC_SWERVE_ORDER];
    for (int k = PC_SWERVE_ORDER - 1; k >= 0; k--) sum = sum * tau + c[k];
    return sum;
}

static double slope(const double *c, double tau)
{
    double sum = PC_SWERVE_ORDER * c[PC_SWERVE_ORDER];
    for (int k = PC_SWERVE_ORDER - 1; k >= 1; k--) sum = sum * tau + k * c[k];
    return sum;
}

double pc_swerve_value(const pc_swerve *swerve, pc_swerve_quantity quantity, double tau)
{
    return horner(swerve->c[quantity], tau);
}

double pc_series_solve(const double *c, double value, double a, double b)
{
    bool rising = horner(c, a) < value;
    /* Newton's method, kept inside the bracket [a, b] */
    double tau = a + (b - a) / 2;
    for (int i = 0; i < 100; i++) {
        double f = horner(c, tau) - value;
        if ((f < 0) == rising)
            a = tau;
        else
            b = tau;
        double next = tau - f / slope(c, tau);
        if (!(next > a && next < b)) next = a + (b - a) / 2;
        if (f == 0 || fabs(next - tau) <= DBL_EPSILON * fabs(tau)) return tau;
        tau = next;
    }
    return tau;
}

double pc_series_sign_change(const double *c, double a, double b)
{
    double at_a = horner(c, a), at_b = horner(c, b);
    return at_a * at_b < 0 ? pc_series_solve(c, 0, a, b) : NAN;
}
