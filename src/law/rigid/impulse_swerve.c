/* Taylor series of swerving slip: see impulse_swerve.h. */
#include "law/rigid/impulse_swerve.h"

#include <float.h>
#include <math.h>

/* epsilon^(1/k) for k about the order: terms that are 1 at the length found are epsilon at this share of it. */
#define STEP_SHARE 0.25

pc_swerve_rates pc_swerve_rate(const pc_mobility *W, double mu, double c, double s)
{
    /* A = dv/dp_n at slip direction (c, s); along it and across it */
    double at = W->tn - mu * (W->tt * c + W->tt2 * s), at2 = W->t2n - mu * (W->tt2 * c + W->t2t2 * s);
    double growth = c * at + s * at2, turn = c * at2 - s * at;
    double along_across = (W->t2t2 - W->tt) * c * s + W->tt2 * (c * c - s * s);
    double across = W->tt * s * s - 2 * W->tt2 * c * s + W->t2t2 * c * c;
    return (pc_swerve_rates){growth, turn, turn - mu * along_across, -growth - mu * across};
}

/* Coefficient k of x^2 + y^2 and of v_n sigma, both without the terms that hold sigma_k, and of sigma^2 without those.
 * One loop with a sum for each: they would wait for their additions one by one. */
typedef struct products {
    double squares, sigma_square, vn_sigma;
} products;

static products convolve(const double *x, const double *y, const double *v, const double *sigma, int k)
{
    double xx = 0, yy = 0, ss = 0, vs = 0, sv = 0;
    int i = 1, j = k - 1;
    for (; i < j; i++, j--) {
        xx += x[i] * x[j];
        yy += y[i] * y[j];
        ss += sigma[i] * sigma[j];
        vs += v[i] * sigma[j];
        sv += sigma[i] * v[j];
    }
    products p = {2 * (xx + yy), 2 * ss, vs + sv};
    if (i == j) {
        p.squares += x[i] * x[i] + y[i] * y[i];
        p.sigma_square += sigma[i] * sigma[i];
        p.vn_sigma += v[i] * sigma[i];
    }
    p.squares += 2 * (x[0] * x[k] + y[0] * y[k]);
    p.vn_sigma += v[k] * sigma[0];
    return p;
}

/* The length at which the last terms fall to rounding; those left out are smaller. Three of them, since a pair of
 * complex singularities makes single ones small. The product v_n sigma counts as well: its terms can be 2^k times those
 * of its factors. */
static double step_length(const pc_swerve *s)
{
    double speed = 1 / s->c[PC_SWERVE_SPEED][0], whole = s->c[PC_SWERVE_SPEED][0] + fabs(s->c[PC_SWERVE_VN][0]);
    double work = 1 / (whole * whole), exponent = INFINITY;
    for (int k = PC_SWERVE_ORDER - 3; k < PC_SWERVE_ORDER; k++) {
        double size = fmax(fabs(s->c[PC_SWERVE_X][k]), fabs(s->c[PC_SWERVE_Y][k]));
        size = fmax(size, fabs(s->c[PC_SWERVE_SPEED][k])) * speed;
        size = fmax(size, (k + 1) * fabs(s->c[PC_SWERVE_WORK_N][k + 1]) * work);
        if (size > 0) exponent = fmin(exponent, -log2(size) / k);
    }
    return STEP_SHARE * exp2(exponent);
}

/* 1/(k + 1): a division in the recurrence would take as long as the rest of it. */
static const double reciprocal[] = {1,        1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
                                    1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16,
                                    1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24,
                                    1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30};
_Static_assert(sizeof reciprocal / sizeof *reciprocal >= PC_SWERVE_ORDER, "a reciprocal for every order");

void pc_swerve_expand(pc_swerve *swerve, const pc_mobility *W, double mu, const pc_walk *walk)
{
    double(*c)[PC_SWERVE_ORDER + 1] = swerve->c;
    double *x = c[PC_SWERVE_X], *y = c[PC_SWERVE_Y], *sigma = c[PC_SWERVE_SPEED], *v_n = c[PC_SWERVE_VN];
    x[0] = walk->v[PC_T];
    y[0] = walk->v[PC_T2];
    v_n[0] = walk->v[PC_N];
    sigma[0] = sqrt(x[0] * x[0] + y[0] * y[0]);
    c[PC_SWERVE_PT][0] = walk->p[PC_T];
    c[PC_SWERVE_PN][0] = walk->p[PC_N];
    c[PC_SWERVE_PT2][0] = walk->p[PC_T2];
    c[PC_SWERVE_WORK_N][0] = walk->work_n;
    c[PC_SWERVE_WORK_F][0] = walk->work_f;
    double half = 0.5 / sigma[0];
    products p = {.squares = sigma[0] * sigma[0], .vn_sigma = v_n[0] * sigma[0]};
    for (int k = 0; k < PC_SWERVE_ORDER; k++) {
        if (k > 0) {
            p = convolve(x, y, v_n, sigma, k);
            sigma[k] = (p.squares - p.sigma_square) * half;
            p.vn_sigma += v_n[0] * sigma[k];
        }
        double next = reciprocal[k];
        x[k + 1] = next * (W->tn * sigma[k] - mu * (W->tt * x[k] + W->tt2 * y[k]));
        y[k + 1] = next * (W->t2n * sigma[k] - mu * (W->tt2 * x[k] + W->t2t2 * y[k]));
        v_n[k + 1] = next * (W->nn * sigma[k] - mu * (W->tn * x[k] + W->t2n * y[k]));
        c[PC_SWERVE_PT][k + 1] = -next * mu * x[k];
        c[PC_SWERVE_PN][k + 1] = next * sigma[k];
        c[PC_SWERVE_PT2][k + 1] = -next * mu * y[k];
        c[PC_SWERVE_WORK_N][k + 1] = next * p.vn_sigma;
        c[PC_SWERVE_WORK_F][k + 1] = -next * mu * p.squares;
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

/* Value and derivative side by side. */
static double horner_slope(const double *c, double tau, double *slope)
{
    double sum = c[PC_SWERVE_ORDER], d = 0;
    for (int k = PC_SWERVE_ORDER - 1; k >= 0; k--) {
        d = d * tau + sum;
        sum = sum * tau + c[k];
    }
    *slope = d;
    return sum;
}

double pc_swerve_value(const pc_swerve *swerve, pc_swerve_quantity quantity, double tau)
{
    return horner(swerve->c[quantity], tau);
}

void pc_swerve_values(const pc_swerve *swerve, double tau, double values[PC_N_SWERVE])
{
    /* side by side: each sum alone would wait for its own additions */
    double sum[PC_N_SWERVE];
    for (int q = 0; q < PC_N_SWERVE; q++) sum[q] = swerve->c[q][PC_SWERVE_ORDER];
    for (int k = PC_SWERVE_ORDER - 1; k >= 0; k--)
        for (int q = 0; q < PC_N_SWERVE; q++) sum[q] = sum[q] * tau + swerve->c[q][k];
    for (int q = 0; q < PC_N_SWERVE; q++) values[q] = sum[q];
}

double pc_series_solve(const double *c, double a, double f_a, double b, double f_b, double value)
{
    f_a -= value;
    f_b -= value;
    bool rising = f_a < f_b;
    double width = b - a;
    /* Newton's method from the chord, kept inside the bracket [a, b] */
    double tau = a + width * (f_a / (f_a - f_b));
    if (!(tau >= a && tau <= b)) tau = a + width / 2;
    for (int i = 0; i < 100; i++) {
        double slope, f = horner_slope(c, tau, &slope) - value;
        if ((f < 0) == rising)
            a = tau;
        else
            b = tau;
        double next = tau - f / slope;
        if (!(next >= a && next <= b)) next = a + (b - a) / 2;
        double change = fabs(next - tau);
        tau = next;
        /* convergence is quadratic: the next change would be below rounding */
        if (f == 0 || change <= 1e-12 * width || change <= DBL_EPSILON * fabs(tau)) break;
    }
    return tau;
}

double pc_series_sign_change(const double *c, double a, double b)
{
    double f_a = horner(c, a), f_b = horner(c, b);
    return f_a * f_b < 0 ? pc_series_solve(c, a, f_a, b, f_b, 0) : NAN;
}

/* ---- the end of slip ---- */
/* The series serves up to this distance from phi*, and up to this fraction of the distance at which the rate of turning
 * may vanish again; 18 terms then reach rounding. */
#define FARTHEST 0.25
#define FRACTION 0.15
enum { ORDER = 18 };

/* f = constant + a cos z + b sin z + a2 cos 2z + b2 sin 2z as powers of z */
static void trig_powers(double constant, double a, double b, double a2, double b2, double f[ORDER + 1])
{
    double over_factorial = 1, two = 1;
    for (int k = 0; k <= ORDER; k++) {
        double sign = k % 4 < 2 ? 1 : -1;
        f[k] = sign * over_factorial * (k % 2 ? b + two * b2 : a + two * a2);
        over_factorial /= k + 1;
        two *= 2;
    }
    f[0] += constant;
}

static void multiply(const double a[ORDER + 1], const double b[ORDER + 1], double out[ORDER + 1])
{
    for (int k = 0; k <= ORDER; k++) {
        double even = 0, odd = 0; /* two sums, so that additions overlap */
        int i = 0;
        for (; i < k; i += 2) {
            even += a[i] * b[k - i];
            odd += a[i + 1] * b[k - i - 1];
        }
        if (i == k) even += a[k] * b[0];
        out[k] = even + odd;
    }
}

/* a/b */
static void divide(const double a[ORDER + 1], const double b[ORDER + 1], double out[ORDER + 1])
{
    double scale = 1 / b[0];
    for (int k = 0; k <= ORDER; k++) {
        double even = a[k], odd = 0;
        int i = 0;
        for (; i + 1 < k; i += 2) {
            even -= out[i] * b[k - i];
            odd -= out[i + 1] * b[k - i - 1];
        }
        if (i < k) even -= out[i] * b[k - i];
        out[k] = (even + odd) * scale;
    }
}

/* Integral of x^(exponent - 1) f(z0 x) over x from 0 to 1. */
static double integral(const double f[ORDER + 1], double exponent, double z0)
{
    double sum = 0;
    for (int k = ORDER; k > 0; k--) sum = (sum + f[k] / (exponent + k)) * z0;
    return sum + f[0] / exponent;
}

bool pc_settle(const pc_mobility *W, double mu, double c, double s, double speed, const pc_swerve_rates *rates,
               pc_settling *out)
{
    double z = rates->turn / rates->turn_by_phi;
    if (!(rates->turn_by_phi < 0 && fabs(z) < FARTHEST)) return false;
    /* phi* by Newton's method; C, S its direction */
    double C = c, S = s, z0 = 0, step = z;
    pc_swerve_rates at = *rates;
    for (int i = 0; i < 8; i++) {
        z0 += step;
        if (!(fabs(z0) < FARTHEST)) return false;
        C = c * cos(z0) + s * sin(z0);
        S = s * cos(z0) - c * sin(z0);
        at = pc_swerve_rate(W, mu, C, S);
        if (fabs(step) <= 1e-9) break; /* the next one would be rounding */
        step = at.turn / at.turn_by_phi;
    }
    double g1 = at.turn_by_phi, alpha = at.growth / g1;
    if (!(fabs(step) <= 1e-9 && g1 < 0 && at.growth < 0)) return false;

    /* turn and growth about phi*: their parts of angle phi and 2 phi */
    double difference = mu * (W->tt - W->t2t2) / 2, cross = mu * W->tt2, CC = C * C - S * S, CS = 2 * C * S;
    double along = W->tn * C + W->t2n * S, across = W->t2n * C - W->tn * S;
    double even = difference * CC + cross * CS, odd = cross * CC - difference * CS;
    double turn[ORDER + 1], growth[ORDER + 1];
    trig_powers(0, across, -along, -odd, even, turn); /* turn[0] is rounding */
    trig_powers(-mu * (W->tt + W->t2t2) / 2, along, across, -even, -odd, growth);

    /* turn = z H, and growth/turn = alpha/z + Q */
    double H[ORDER + 1], R[ORDER + 1], Q[ORDER + 1];
    for (int k = 0; k < ORDER; k++) H[k] = turn[k + 1];
    H[ORDER] = 0;
    if (!(fabs(z0) < FRACTION * fabs(H[0] / H[1]))) return false;
    for (int k = 0; k < ORDER; k++) R[k] = growth[k + 1] - alpha * H[k + 1];
    R[ORDER] = 0;
    divide(R, H, Q);

    /* E = exp of the integral of Q, and at z0 */
    double E[ORDER + 1] = {1}, K[ORDER + 1];
    for (int k = 1; k <= ORDER; k++) {
        double sum = 0;
        for (int i = 1; i <= k; i++) sum += Q[i - 1] * E[k - i];
        E[k] = sum / k;
    }
    divide(E, H, K);
    /* the last two terms, since symmetric bodies have even ones alone */
    double power = pow(fabs(z0), ORDER - 1), last = fmax(fabs(K[ORDER - 1]), fabs(K[ORDER] * z0)) * power;
    if (!(last <= DBL_EPSILON * fabs(K[0]))) return false;
    double at_z0 = 0;
    for (int k = ORDER; k >= 0; k--) at_z0 = at_z0 * z0 + E[k];

    /* dp = sigma/turn dz, from z0 down to 0; with cos and sin of phi for the tangential parts */
    double cosine[ORDER + 1], sine[ORDER + 1], product[ORDER + 1];
    trig_powers(0, C, -S, 0, 0, cosine);
    trig_powers(0, S, C, 0, 0, sine);
    double unit = -speed / at_z0;
    out->dp_n = unit * integral(K, alpha, z0);
    multiply(K, cosine, product);
    out->dp_t = -mu * unit * integral(product, alpha, z0);
    multiply(K, sine, product);
    out->dp_t2 = -mu * unit * integral(product, alpha, z0);
    out->dv_n = W->nn * out->dp_n + W->tn * out->dp_t + W->t2n * out->dp_t2;

    /* v_n = v_n(stop) - unit x^alpha M(z), dM from rise = dv_n/dp_n; its work over dp, less that of the chord */
    double rise[ORDER + 1], M[ORDER + 1];
    trig_powers(W->nn, -mu * along, -mu * across, 0, 0, rise);
    multiply(K, rise, M);
    for (int k = 0; k <= ORDER; k++) M[k] /= alpha + k;
    multiply(M, K, product);
    out->bend = -unit * unit * integral(product, 2 * alpha, z0) + out->dv_n * out->dp_n / 2;
    double rise_now = W->nn - mu * (W->tn * c + W->t2n * s);
    out->one_way = rise_now * rise[0] > 0;
    return true;
}
