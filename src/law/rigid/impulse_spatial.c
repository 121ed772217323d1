/* The path through impulse space when it leaves the plane: see impulse_spatial.h. */
#include "law/rigid/impulse_spatial.h"

#include "math/mobility.h"
#include "math/roots.h"

#include <float.h>
#include <math.h>

/* ---- slip that swerves ----
 *
 * With x = v_t, y = v_t2, sigma = |(x, y)| and dp_n = sigma dtau the equations of slip become
 *     x' = w_tn sigma - mu (w_tt x + w_tt2 y)      p_t'  = -mu x
 *     y' = w_t2n sigma - mu (w_tt2 x + w_t2t2 y)   p_t2' = -mu y      p_n' = sigma
 *     v_n' = w_nn sigma - mu (w_tn x + w_t2n y)    W_n'  = v_n sigma  W_f' = -mu sigma^2
 * linear but for sigma^2 = x^2 + y^2, and free of the singularity that stopping slip has in p_n: slip stops at
 * tau = infinity, exponentially. (tau: Bhatt and Koechling, J. Appl. Mech. 62, 1995.) The solution advances by Taylor
 * series, whose coefficients follow from that one product; each step is its own dense output.
 */

/* Order for which the work per unit of tau is least at rounding level: above -ln(epsilon)/2, the optimum of Jorba and
 * Zou (Exp. Math. 14, 2005) for long recurrences, since what a step costs besides its coefficients counts here. */
enum { PC_SWERVE_ORDER = 28 };

typedef enum swerve_quantity {
    PC_SWERVE_X,
    PC_SWERVE_Y,
    PC_SWERVE_SPEED,
    PC_SWERVE_VN,
    PC_SWERVE_PT,
    PC_SWERVE_PN,
    PC_SWERVE_PT2,
    PC_SWERVE_WORK_N,
    PC_SWERVE_WORK_F,
    PC_N_SWERVE,
} swerve_quantity;

/* One step: each quantity as a polynomial of tau on [0, length]. p and works include their values at the start. */
typedef struct swerve_step {
    double c[PC_N_SWERVE][PC_SWERVE_ORDER + 1];
    double length;
} swerve_step;

/* Rates at which direction and speed change at slip direction phi: phi' = turn, (ln sigma)' = growth, and their
 * derivatives by phi. */
typedef struct swerve_rates {
    double growth, turn, growth_by_phi, turn_by_phi;
} swerve_rates;

/* epsilon^(1/k) for k about the order: terms that are 1 at the length found are epsilon at this share of it. */
#define STEP_SHARE 0.25

static swerve_rates swerve_rate(const pc_mobility *W, double mu, double c, double s)
{
    /* A = dv/dp_n at slip direction (c, s); along it and across it */
    double at = W->tn - mu * (W->tt * c + W->tt2 * s), at2 = W->t2n - mu * (W->tt2 * c + W->t2t2 * s);
    double growth = c * at + s * at2, turn = c * at2 - s * at;
    double along_across = (W->t2t2 - W->tt) * c * s + W->tt2 * (c * c - s * s);
    double across = W->tt * s * s - 2 * W->tt2 * c * s + W->t2t2 * c * c;
    return (swerve_rates){growth, turn, turn - mu * along_across, -growth - mu * across};
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
static double step_length(const swerve_step *s)
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

/* The series from where the walk stands, with the length on which it is good to rounding. */
static void expand_swerve(swerve_step *swerve, const pc_mobility *W, double mu, const pc_walk *walk)
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

static void swerve_values(const swerve_step *swerve, double tau, double values[PC_N_SWERVE])
{
    /* side by side: each sum alone would wait for its own additions */
    double sum[PC_N_SWERVE];
    for (int q = 0; q < PC_N_SWERVE; q++) sum[q] = swerve->c[q][PC_SWERVE_ORDER];
    for (int k = PC_SWERVE_ORDER - 1; k >= 0; k--)
        for (int q = 0; q < PC_N_SWERVE; q++) sum[q] = sum[q] * tau + swerve->c[q][k];
    for (int q = 0; q < PC_N_SWERVE; q++) values[q] = sum[q];
}

/* tau in [a, b] where a series, which is f_a and f_b at the ends, takes a value between them; it does so once. */
static double solve_series(const double *c, double a, double f_a, double b, double f_b, double value)
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

/* The zero of a series in (a, b); NaN if it has the same sign at both ends. */
static double sign_change(const double *c, double a, double b)
{
    double f_a = horner(c, a), f_b = horner(c, b);
    return f_a * f_b < 0 ? solve_series(c, a, f_a, b, f_b, 0) : NAN;
}

/* ---- the end of slip, all at once ----
 *
 * Slip that stops turns into an attracting direction phi*: with z = phi - phi* the speed falls as
 * sigma = C z^alpha E(z), alpha = growth(phi*)/turn'(phi*) > 0, E analytic. So impulse, velocity and work left over are
 * power series of z times powers of z, integrated term by term; nothing remains of the exponential approach.
 */

/* What slip still brings until it stops. */
typedef struct settling {
    double dp_t, dp_n, dp_t2; /* impulse, N s */
    double dv_n;              /* change of normal velocity, m/s */
    double bend;              /* work of the normal force beyond dp_n (v_n before + v_n after)/2, J */
    bool one_way;             /* v_n rises all the time, or falls all the time */
} settling;

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

/* From slip direction (c, s), |(c, s)| = 1, at a speed. False where no attracting direction in which slip stops is near
 * enough for the series. */
static bool settle(const pc_mobility *W, double mu, double c, double s, double speed, const swerve_rates *rates,
                   settling *out)
{
    double z = rates->turn / rates->turn_by_phi;
    if (!(rates->turn_by_phi < 0 && fabs(z) < FARTHEST)) return false;
    /* phi* by Newton's method; C, S its direction */
    double C = c, S = s, z0 = 0, step = z;
    swerve_rates at = *rates;
    for (int i = 0; i < 8; i++) {
        z0 += step;
        if (!(fabs(z0) < FARTHEST)) return false;
        C = c * cos(z0) + s * sin(z0);
        S = s * cos(z0) - c * sin(z0);
        at = swerve_rate(W, mu, C, S);
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

/* ---- impacts ---- */

/* W_tt = l[0] u[0] u[0]^T + l[1] u[1] u[1]^T with l[0] >= l[1] >= 0, and w_tn = b[0] u[0] + b[1] u[1]. Since W is
 * positive semi-definite b vanishes where l does. */
typedef struct principal {
    double l[2], u[2][2], b[2];
} principal;

static principal principal_axes(const pc_mobility *W)
{
    double mean = (W->tt + W->t2t2) / 2, half = (W->tt - W->t2t2) / 2;
    double spread = hypot(half, W->tt2);
    double angle = atan2(W->tt2, half) / 2, c = cos(angle), s = sin(angle);
    if (W->tt2 == 0) { /* exact axes keep a planar problem planar */
        c = half >= 0;
        s = half < 0;
    }
    principal p = {.u = {{c, s}, {-s, c}}};
    p.l[0] = mean + spread;
    p.l[1] = p.l[0] > 0 ? fmax((W->tt * W->t2t2 - W->tt2 * W->tt2) / p.l[0], 0) : 0;
    for (int i = 0; i < 2; i++) p.b[i] = W->tn * p.u[i][0] + W->t2n * p.u[i][1];
    if (p.l[1] <= PC_RANK_TOLERANCE * p.l[0]) p.l[1] = p.b[1] = 0;
    return p;
}

/* c > 0 with |(mu W_tt + c)^-1 w_tn| = 1. The reciprocal of the norm is concave and increasing in c, so Newton's
 * method from the left converges without overshoot (Conn, Gould and Toint, Trust-Region Methods, 2000, section 7.3).
 */
static double slip_growth(const principal *p, double mu)
{
    double c = fmax(hypot(p->b[0], p->b[1]) - mu * p->l[0], 0);
    for (int i = 0; i < 100; i++) {
        double norm2 = 0, slope = 0;
        for (int k = 0; k < 2; k++) {
            if (p->b[k] == 0) continue;
            double d = mu * p->l[k] + c, z = p->b[k] / d;
            norm2 += z * z;
            slope += z * z / d;
        }
        double step = norm2 * (sqrt(norm2) - 1) / slope;
        c += step;
        if (fabs(step) <= 2 * DBL_EPSILON * c) break;
    }
    return c;
}

bool pc_impulse_rest(const pc_coulomb *coulomb, const pc_mobility *W, double ratio[2], double direction[2],
                     double *growth)
{
    principal p = principal_axes(W);
    double mu = coulomb->friction, z[2];
    for (int k = 0; k < 2; k++) z[k] = p.l[k] > 0 ? -p.b[k] / p.l[k] : 0;
    for (int i = 0; i < 2; i++) ratio[i] = z[0] * p.u[0][i] + z[1] * p.u[1][i];
    double limit = coulomb->static_friction;
    if (W->rank < 3) limit += limit * PC_RANK_TOLERANCE; /* as in the plane, where W has rank 1 */
    if (hypot(ratio[0], ratio[1]) <= limit) return true;
    double c = slip_growth(&p, mu);
    for (int k = 0; k < 2; k++) z[k] = p.b[k] != 0 ? p.b[k] / (mu * p.l[k] + c) : 0;
    double norm = hypot(z[0], z[1]);
    for (int i = 0; i < 2; i++) direction[i] = (z[0] * p.u[0][i] + z[1] * p.u[1][i]) / norm;
    *growth = c;
    return false;
}

/* ---- the path ---- */
/* Slip closer than this to an invariant direction is straight: the rounding of its rate of turning. */
#define STRAIGHT (8 * DBL_EPSILON)

/* What the end of slip may leave out, as a fraction of the speed before impact. */
#define LEFT_OUT (2 * DBL_EPSILON)

/* Where the rounding of velocities after an impulse is such a share of the speed before, nothing is known of them. */
#define UNKNOWN 0.1

/* Steps of a swerve. The direction settles within some forty units of 1/turn_by_phi and a step covers about half of
 * one, so this is out of reach unless a rate is zero to rounding. */
enum { STEPS_MAX = 2000 };

/* Everything that does not change along the way. */
typedef struct law {
    const pc_coulomb *coulomb;
    const pc_mobility *W;
    const pc_joint_rule *rule;
    double speed0; /* |v0| */
    double rate;   /* bound on the rates of speed and direction */
    bool may_jam;  /* friction can turn the approach round */
    bool singular; /* in stick nothing can move */
} law;

/* hypot without its care for overflow, which costs more than the rest of a step */
static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* W has no motion left when the tangential one is held. */
static bool is_singular(const pc_mobility *W)
{
    if (W->rank >= 3) return false;
    double trace = W->tt + W->t2t2;
    int held = trace > 0 ? (W->tt * W->t2t2 - W->tt2 * W->tt2 > PC_RANK_TOLERANCE * trace * trace ? 2 : 1) : 0;
    return W->rank <= held;
}

/* Slip that keeps its direction (c, s), with speed growing at `growth` per unit of p_n. */
static pc_line straight_slip(const pc_mobility *W, double mu, double c, double s, double growth)
{
    return (pc_line){.kind = PC_PHASE_SLIP,
                     .sign = sign_of(c),
                     .slope_p = {-mu * c, 1, -mu * s},
                     .slope_v = {growth * c, W->nn - mu * (W->tn * c + W->t2n * s), growth * s},
                     .stops = growth < 0};
}

static pc_line line_from_rest(const law *l)
{
    double ratio[2], direction[2], growth;
    if (!pc_impulse_rest(l->coulomb, l->W, ratio, direction, &growth))
        return straight_slip(l->W, l->coulomb->friction, direction[0], direction[1], growth);
    double slope = l->W->nn + l->W->tn * ratio[0] + l->W->t2n * ratio[1];
    return (pc_line){.kind = PC_PHASE_STICK,
                     .slope_p = {ratio[0], 1, ratio[1]},
                     .slope_v = {0, l->singular ? 0 : fmax(slope, 0), 0}};
}

/* To the values at a point of a step. `zero`: v_n is 0 there. */
static void advance_to(pc_walk *walk, const double q[PC_N_SWERVE], bool zero)
{
    double v_n = zero ? 0 : q[PC_SWERVE_VN];
    const double dp[3] = {q[PC_SWERVE_PT] - walk->p[PC_T], q[PC_SWERVE_PN] - walk->p[PC_N],
                          q[PC_SWERVE_PT2] - walk->p[PC_T2]};
    pc_walk_sum(walk->impact, walk->v[PC_N] < 0 || v_n < 0, dp, q[PC_SWERVE_WORK_N] - walk->work_n, 3);
    *walk = (pc_walk){.impact = walk->impact,
                      .p = {q[PC_SWERVE_PT], q[PC_SWERVE_PN], q[PC_SWERVE_PT2]},
                      .v = {q[PC_SWERVE_X], v_n, q[PC_SWERVE_Y]},
                      .work_n = q[PC_SWERVE_WORK_N],
                      .work_f = q[PC_SWERVE_WORK_F]};
}

/* Over [a, b] of a step, on which v_n is monotonic; the walk stands at a. True if the contact ends there. */
static bool pass(pc_walk *walk, const law *l, const swerve_step *step, double a, double b)
{
    double at_b[PC_N_SWERVE], at_r[PC_N_SWERVE];
    swerve_values(step, b, at_b);
    while (a < b) {
        double v_n = walk->v[PC_N], v_b = at_b[PC_SWERVE_VN];
        bool compression = v_n < 0 || (v_n == 0 && v_b < 0);
        /* up to r, where v_n passes through 0, or to b */
        bool turns = compression ? v_b >= 0 : v_b < 0;
        double r = b;
        if (turns) {
            r = solve_series(step->c[PC_SWERVE_VN], a, v_n, b, v_b, 0);
            swerve_values(step, r, at_r);
        }
        const double *there = turns ? at_r : at_b;
        if (compression) {
            if (v_b < v_n) walk->impact->flags |= PC_FLAG_JAM;
        } else {
            double lack = pc_rule_lack(l->rule, walk->impact, v_n);
            if (lack <= 0) return true;
            static const swerve_quantity measure[] = {[PC_JOINT_NEWTON] = PC_SWERVE_VN,
                                                      [PC_JOINT_POISSON] = PC_SWERVE_PN,
                                                      [PC_JOINT_STRONGE] = PC_SWERVE_WORK_N};
            swerve_quantity q = measure[l->rule->kind];
            double now = pc_rule_measure(l->rule, v_n, walk->p[PC_N], walk->work_n);
            if (there[q] - now >= lack) {
                swerve_values(step, solve_series(step->c[q], a, now, r, there[q], now + lack), at_r);
                advance_to(walk, at_r, false);
                return true;
            }
            if (turns) walk->impact->flags |= PC_FLAG_RECOMPRESSION;
        }
        advance_to(walk, there, turns);
        a = r;
    }
    return false;
}

/* The whole step, cut where v_n has an extremum. There may be one only if friction can turn the approach round (jam):
 * v_n' = sigma (w_nn - mu w_tn.s), which is monotonic in the direction of slip on either side of s parallel w_tn. */
static bool pass_step(pc_walk *walk, const law *l, const swerve_step *step)
{
    const pc_mobility *W = l->W;
    double cut[5] = {0};
    int n = 1;
    if (l->may_jam) {
        double across[PC_SWERVE_ORDER + 1], rise[PC_SWERVE_ORDER + 1] = {0};
        for (int k = 0; k <= PC_SWERVE_ORDER; k++) {
            across[k] = W->tn * step->c[PC_SWERVE_Y][k] - W->t2n * step->c[PC_SWERVE_X][k];
            if (k < PC_SWERVE_ORDER) rise[k] = (k + 1) * step->c[PC_SWERVE_VN][k + 1];
        }
        double middle = sign_change(across, 0, step->length);
        double piece[3] = {0, isnan(middle) ? step->length : middle, step->length};
        for (int i = 0; i < 2; i++) {
            double extremum = piece[i] < piece[i + 1] ? sign_change(rise, piece[i], piece[i + 1]) : NAN;
            if (!isnan(extremum)) cut[n++] = extremum;
            if (i == 0 && !isnan(middle)) cut[n++] = middle;
        }
    }
    cut[n] = step->length;
    for (int i = 0; i < n; i++)
        if (pass(walk, l, step, cut[i], cut[i + 1])) return true;
    return false;
}

/* The rest of slip as one line, if it settles and no event lies on the way, or if it is straight to rounding; `bend`
 * is the work that the normal force does beyond that along the line, and friction less. False: not yet. */
static bool last_line(const pc_walk *walk, const law *l, const swerve_rates *rates, double c, double s, double speed,
                      pc_line *line, double *bend)
{
    double mu = l->coulomb->friction, v_n = walk->v[PC_N];
    double delta = rates->turn / rates->turn_by_phi;
    double g1 = rates->turn_by_phi, f0 = rates->growth - rates->growth_by_phi * delta;
    if (!(g1 < 0 && f0 < 0)) return false;
    /* what a small angle does weighs the more, the slower direction and speed settle */
    bool straight = speed * fabs(delta) * (l->rate * l->rate / (g1 * f0)) <= LEFT_OUT * l->speed0;
    if (straight && !l->singular) {
        *line = straight_slip(l->W, mu, c, s, rates->growth);
        return true;
    }
    /* an event clearly ahead: no use to go to the end */
    double rise = l->W->nn - mu * (l->W->tn * c + l->W->t2n * s), ahead = -speed * rise / rates->growth;
    double lack = v_n < 0 ? 0 : pc_rule_lack(l->rule, walk->impact, v_n);
    if (!straight && v_n < 0 && v_n + 0.5 * ahead > 0) return false;
    settling rest;
    if (!settle(l->W, mu, c, s, speed, rates, &rest)) return false;
    double dv_n = rest.dv_n, dp = rest.dp_n;
    if (l->singular && fabs(v_n + dv_n) <= PC_COINCIDENCE * l->speed0) dv_n = -v_n;
    *bend = rest.bend;
    *line = (pc_line){.kind = PC_PHASE_SLIP,
                      .slope_p = {rest.dp_t / dp, 1, rest.dp_t2 / dp},
                      .slope_v = {-walk->v[PC_T] / dp, dv_n / dp, -walk->v[PC_T2] / dp},
                      .stops = true};
    if (straight) return true; /* events may lie on it */
    if (!rest.one_way) return false;
    if (v_n < 0) return v_n + dv_n <= 0;
    double work = dp * (v_n + dv_n / 2) + rest.bend;
    return v_n > 0 && v_n + dv_n >= 0 && pc_rule_measure(l->rule, dv_n, dp, work) < lack;
}

/* Slip from a moving start until it stops or the contact ends. */
static pc_status slide(pc_walk *walk, const law *l, pc_walk_reason *reason, pc_error *err)
{
    const pc_mobility *W = l->W;
    double mu = l->coulomb->friction;
    for (int i = 0; i < STEPS_MAX; i++) {
        double speed = length_of(walk->v[PC_T], walk->v[PC_T2]);
        double c = walk->v[PC_T] / speed, s = walk->v[PC_T2] / speed;
        swerve_rates rates = swerve_rate(W, mu, c, s);
        pc_line line;
        /* also where it has all but stopped: near a direction that repels, or attracts at no rate, it never settles */
        bool straight = fabs(rates.turn) <= STRAIGHT * l->rate || (rates.growth < 0 && speed <= LEFT_OUT * l->speed0);
        double bend = 0;
        if (straight) line = straight_slip(W, mu, c, s, rates.growth);
        if (straight || last_line(walk, l, &rates, c, s, speed, &line, &bend)) {
            pc_walk_sum(walk->impact, walk->v[PC_N] < 0, (const double[3]){0}, bend, 3);
            walk->work_n += bend;
            walk->work_f -= bend;
            *reason = pc_walk_line(walk, &line, l->singular, l->rule, 3);
            return PC_OK;
        }
        swerve_step step;
        expand_swerve(&step, W, mu, walk);
        if (pass_step(walk, l, &step)) {
            *reason = PC_WALK_ENDED;
            return PC_OK;
        }
    }
    return pc_fail(err, PC_E_NUMERIC, "the direction of slip does not settle within %d steps", STEPS_MAX);
}

static double rounding_of(const law *l, const pc_walk *walk)
{
    return pc_rounding((l->W->nn + l->rate) * walk->p[PC_N]);
}

/* Friction just at the limit between slip and stick lets slip go on without an end: a little below it the bodies part,
 * above it they stick, and at the limit itself there is no answer. */
static pc_status finish(const law *l, const pc_walk *walk, pc_impact *out, pc_error *err)
{
    if (rounding_of(l, walk) > UNKNOWN * l->speed0) return pc_walk_fail(out->v0[PC_N], err);
    pc_impulse_finish(l->W, out);
    return PC_OK;
}

pc_status pc_impulse_spatial(const pc_coulomb *coulomb, const pc_joint_rule *rule, const pc_mobility *W,
                             const double v0[3], pc_impact *out, pc_error *err)
{
    pc_walk walk = {.impact = out};
    for (int i = 0; i < 3; i++) walk.v[i] = out->v0[i] = out->v1[i] = v0[i];
    double speed = length_of(v0[PC_T], v0[PC_T2]), coupling = length_of(W->tn, W->t2n);
    law l = {.coulomb = coulomb,
             .W = W,
             .rule = rule,
             .speed0 = length_of(speed, v0[PC_N]),
             .rate = coupling + coulomb->friction * (W->tt + W->t2t2),
             .may_jam = coulomb->friction * coupling > W->nn,
             .singular = is_singular(W)};
    pc_line line;
    bool slips = speed > 0;
    if (slips)
        line = straight_slip(W, coulomb->friction, v0[PC_T] / speed, v0[PC_T2] / speed, 0);
    else
        line = line_from_rest(&l);
    if (v0[PC_N] > 0 || (v0[PC_N] == 0 && !(line.slope_v[PC_N] < 0))) {
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    if (slips) {
        pc_phase *phase = pc_walk_open(&walk, &line, err);
        if (!phase) return PC_E_MEMORY;
        pc_walk_reason reason = PC_WALK_NEVER;
        pc_status status = slide(&walk, &l, &reason, err);
        if (status) return status;
        if (reason == PC_WALK_NEVER) return pc_walk_fail(walk.v[PC_N], err);
        pc_walk_put(&walk, &phase->stop);
        if (reason == PC_WALK_ENDED) return finish(&l, &walk, out, err);
        /* where nothing can move but along the slip, a normal velocity without one is rounding */
        if (l.singular && fabs(walk.v[PC_N]) <= rounding_of(&l, &walk)) walk.v[PC_N] = 0;
        line = line_from_rest(&l);
    }
    pc_walk_reason reason;
    pc_status status = pc_walk_phase(&walk, &line, false, rule, 3, &reason, err);
    return status ? status : finish(&l, &walk, out, err);
}

/* ---- the path ---- */

static bool is_straight(const pc_phase *phase)
{
    const double *a = phase->start.s, *b = phase->stop.s;
    if (phase->kind == PC_PHASE_STICK || (a[0] == 0 && a[1] == 0)) return true;
    return a[0] * b[1] - a[1] * b[0] == 0 && !(b[0] == 0 && b[1] == 0);
}

/* The state on a straight phase at normal impulse p_n. */
static void between(const pc_phase *phase, double p_n, pc_state *out)
{
    const pc_state *a = &phase->start, *b = &phase->stop;
    double whole = b->p[PC_N] - a->p[PC_N];
    double x = whole > 0 ? (p_n - a->p[PC_N]) / whole : 1;
    *out = (pc_state){0};
    for (int i = 0; i < 3; i++) {
        out->p[i] = a->p[i] + x * (b->p[i] - a->p[i]);
        out->v[i] = a->v[i] + x * (b->v[i] - a->v[i]);
    }
    out->s[0] = out->v[PC_T];
    out->s[1] = out->v[PC_T2];
    double dp_n = out->p[PC_N] - a->p[PC_N], dp_t = out->p[PC_T] - a->p[PC_T], dp_t2 = out->p[PC_T2] - a->p[PC_T2];
    out->work_n = a->work_n + dp_n * (a->v[PC_N] + out->v[PC_N]) / 2;
    out->work_f = a->work_f + dp_t * (a->v[PC_T] + out->v[PC_T]) / 2 + dp_t2 * (a->v[PC_T2] + out->v[PC_T2]) / 2;
}

/* States of a swerving phase at p_n[0 .. n - 1], all within it. The last stretch before a stop is a straight line:
 * where the speed has fallen to this fraction it is too short to be told from one. */
#define LAST_STRETCH 1e-7
static void sample_swerve(const pc_coulomb *coulomb, const pc_mobility *W, const pc_phase *phase, const double *p_n,
                          size_t n, pc_state *out)
{
    const pc_state *start = &phase->start;
    double speed0 = hypot(start->s[0], start->s[1]);
    pc_phase rest = *phase;
    size_t done = 0;
    for (int i = 0; i < STEPS_MAX && done < n; i++) {
        pc_walk walk = {.work_n = rest.start.work_n, .work_f = rest.start.work_f};
        for (int k = 0; k < 3; k++) {
            walk.p[k] = rest.start.p[k];
            walk.v[k] = rest.start.v[k];
        }
        if (hypot(walk.v[PC_T], walk.v[PC_T2]) <= LAST_STRETCH * speed0) break;
        pc_impact unused;
        pc_impact_init(&unused);
        walk.impact = &unused;
        swerve_step step;
        expand_swerve(&step, W, coulomb->friction, &walk);
        double last = horner(step.c[PC_SWERVE_PN], step.length);
        for (; done < n && p_n[done] <= last; done++) {
            double tau = solve_series(step.c[PC_SWERVE_PN], 0, walk.p[PC_N], step.length, last, p_n[done]);
            pc_walk there = walk;
            double q[PC_N_SWERVE];
            swerve_values(&step, tau, q);
            advance_to(&there, q, false);
            pc_walk_put(&there, &out[done]);
        }
        double q[PC_N_SWERVE];
        swerve_values(&step, step.length, q);
        advance_to(&walk, q, false);
        pc_walk_put(&walk, &rest.start);
    }
    for (; done < n; done++) between(&rest, p_n[done], &out[done]);
}

void pc_impulse_path(const pc_coulomb *coulomb, const pc_mobility *W, const pc_impact *impact, const double *p_n,
                     size_t n, pc_state *out)
{
    size_t i = 0;
    for (int k = 0; k < impact->n_phases; k++) {
        const pc_phase *phase = &impact->phases[k];
        bool last = k == impact->n_phases - 1;
        size_t m = 0;
        while (i + m < n && (last || p_n[i + m] <= phase->stop.p[PC_N])) m++;
        if (!coulomb || is_straight(phase))
            for (size_t j = 0; j < m; j++) between(phase, p_n[i + j], &out[i + j]);
        else
            sample_swerve(coulomb, W, phase, p_n + i, m, out + i);
        i += m;
    }
}

/* A trigonometric polynomial of degree 2: c1 cos + s1 sin + constant + c2 cos 2phi + s2 sin 2phi. */
typedef struct trig {
    double c1, s1, constant, c2, s2;
} trig;

static double trig_value(const trig *f, double phi)
{
    double c = cos(phi), s = sin(phi);
    return f->c1 * c + f->s1 * s + f->constant + f->c2 * (c * c - s * s) + f->s2 * 2 * c * s;
}

static double trig_slope(const trig *f, double phi)
{
    double c = cos(phi), s = sin(phi);
    return f->s1 * c - f->c1 * s + 2 * (f->s2 * (c * c - s * s) - f->c2 * 2 * c * s);
}

static double trig_size(const trig *f)
{
    return fabs(f->c1) + fabs(f->s1) + fabs(f->constant) + fabs(f->c2) + fabs(f->s2);
}

static trig turn_of(const pc_mobility *W, double mu)
{
    return (trig){.c1 = W->t2n, .s1 = -W->tn, .c2 = -mu * W->tt2, .s2 = -mu * (W->t2t2 - W->tt) / 2};
}

static trig growth_of(const pc_mobility *W, double mu)
{
    return (trig){.c1 = W->tn,
                  .s1 = W->t2n,
                  .constant = -mu * (W->tt + W->t2t2) / 2,
                  .c2 = -mu * (W->tt - W->t2t2) / 2,
                  .s2 = -mu * W->tt2};
}

/* Zeros in [0, 2 pi), ascending, at most 4. With t = tan((phi - centre)/2) each half of the circle becomes a quartic on
 * [-1, 1], whose zeros are isolated, so none is missed. A double zero is listed once. */
static int trig_zeros(const trig *f, double zeros[4])
{
    int n = 0, side = PC_SIDE_UNKNOWN;
    double scale = trig_size(f), rounding = 8 * DBL_EPSILON * scale;
    for (int half = 0; half < 2; half++) {
        /* halves centred on 0 and pi: cos and sin change their signs, the double angle does not */
        double sign = half ? -1 : 1, c1 = sign * f->c1, s1 = sign * f->s1;
        /* times (1 + t^2)^2 */
        const double power[5] = {c1 + f->constant + f->c2, 2 * s1 + 4 * f->s2, 2 * f->constant - 6 * f->c2,
                                 2 * s1 - 4 * f->s2, -c1 + f->constant + f->c2};
        double b[5];
        pc_poly_from_power(power, 4, -1, 1, b);
        pc_root roots[5];
        int found = pc_poly_roots(b, 4, rounding, &side, roots);
        for (int i = 0; i < found && n < 4; i++) {
            double phi = 2 * atan(2 * roots[i].x - 1) + (half ? M_PI : 0);
            if (roots[i].multiplicity == 1) phi -= trig_value(f, phi) / trig_slope(f, phi); /* polish */
            phi = fmod(phi, 2 * M_PI);
            if (phi < 0) phi += 2 * M_PI;
            if (phi >= 2 * M_PI || 2 * M_PI - phi < 4 * DBL_EPSILON) phi = 0;
            bool known = false;
            for (int k = 0; k < n; k++) known |= fabs(phi - zeros[k]) < 1e-12;
            if (!known) zeros[n++] = phi;
        }
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && zeros[k] < zeros[k - 1]; k--) {
            double swap = zeros[k];
            zeros[k] = zeros[k - 1];
            zeros[k - 1] = swap;
        }
    return n;
}

static pc_flow_kind kind_of(double growth, double turn_by_phi, double rounding)
{
    if (fabs(growth) <= rounding || fabs(turn_by_phi) <= rounding) return PC_FLOW_DEGENERATE;
    if ((growth < 0) != (turn_by_phi < 0)) return PC_FLOW_SADDLE;
    return growth < 0 ? PC_FLOW_NODE_SINK : PC_FLOW_NODE_SOURCE;
}

pc_status pc_flow_make(const pc_mobility *W, double friction, pc_flow *flow, pc_error *err)
{
    if (!(friction >= 0 && friction < INFINITY))
        return pc_fail(err, PC_E_ARGUMENT, "flow: friction (mu) = %.10g; it must be >= 0", friction);
    *flow = (pc_flow){0};
    trig turn = turn_of(W, friction), growth = growth_of(W, friction);
    double size = friction * (W->tt + W->t2t2) + hypot(W->tn, W->t2n);
    /* what products of this size round to; below it a coefficient is nothing */
    double rounding = 16 * DBL_EPSILON * size;
    double zeros[4];
    flow->every_direction = trig_size(&turn) <= rounding;
    if (!flow->every_direction) {
        flow->n_invariant = trig_zeros(&turn, zeros);
        for (int i = 0; i < flow->n_invariant; i++) {
            double g = trig_value(&growth, zeros[i]), t = trig_slope(&turn, zeros[i]);
            flow->invariant[i] = (pc_flow_direction){zeros[i], g, t, kind_of(g, t, rounding)};
        }
    }
    if (trig_size(&growth) > rounding) flow->n_change = trig_zeros(&growth, flow->change);
    double direction[2];
    pc_coulomb coulomb = {friction, friction};
    flow->sticks = pc_impulse_rest(&coulomb, W, flow->ratio, direction, &flow->restart_growth);
    flow->critical_friction = hypot(flow->ratio[0], flow->ratio[1]);
    if (!flow->sticks) {
        flow->restart = atan2(direction[1], direction[0]);
        if (flow->restart < 0) flow->restart += 2 * M_PI;
    }
    return PC_OK;
}

/* Points from `k` on in steps of `stride`, at tau = 0, h, 2h, ...; h may be negative. The number of points kept. */
static size_t follow(const pc_mobility *W, double mu, const double v[2], double h, size_t n, ptrdiff_t stride,
                     double least, double most, double *v_t, double *v_t2)
{
    pc_walk walk = {.v = {v[0], 0, v[1]}};
    size_t kept = 0;
    double at = 0; /* tau of the walk */
    for (size_t i = 0; i < n;) {
        swerve_step step;
        expand_swerve(&step, W, mu, &walk);
        double reach = at + copysign(step.length, h);
        for (; i < n && fabs(h * (double)i) <= fabs(reach); i++) {
            double tau = h * (double)i - at;
            double x = horner(step.c[PC_SWERVE_X], tau), y = horner(step.c[PC_SWERVE_Y], tau);
            double speed = hypot(x, y);
            if (!(speed >= least && speed <= most)) return kept;
            v_t[(ptrdiff_t)i * stride] = x;
            v_t2[(ptrdiff_t)i * stride] = y;
            kept++;
        }
        double length = copysign(step.length, h);
        walk.v[PC_T] = horner(step.c[PC_SWERVE_X], length);
        walk.v[PC_T2] = horner(step.c[PC_SWERVE_Y], length);
        at = reach;
        double speed = hypot(walk.v[PC_T], walk.v[PC_T2]);
        if (!(speed >= least && speed <= most)) break;
    }
    return kept;
}

size_t pc_flow_trajectory(const pc_mobility *W, double friction, const double v[2], double from, double to, size_t n,
                          double least, double most, double *v_t, double *v_t2, size_t *first)
{
    double h = (to - from) / (double)(n - 1);
    size_t before = (size_t)lround(-from / h), after = n - 1 - before;
    size_t forward = follow(W, friction, v, h, after + 1, 1, least, most, v_t + before, v_t2 + before);
    if (!forward) return 0;
    size_t backward = follow(W, friction, v, -h, before + 1, -1, least, most, v_t + before, v_t2 + before);
    *first = before + 1 - backward;
    return forward + backward - 1;
}
