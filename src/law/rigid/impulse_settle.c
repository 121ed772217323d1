/* The end of swerving slip: see impulse_settle.h. */
#include "law/rigid/impulse_settle.h"

#include <float.h>
#include <math.h>

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
