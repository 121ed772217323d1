/* The rings of Maw's solution in motion: see maw.h.
 *
 * The rings are bounded by the contact radii of the steps of compression, so that each step takes exactly one ring in,
 * and one out in restitution. Second order: an impulse over a step is the mean of the force ratios times the exact
 * normal impulse, so gross slip is exact.
 */
#include "law/maw/maw.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>

/* Passes of the implicit step: each reduces its error by about chi times the square of the step. */
enum { PASSES = 4 };

/* Steps are graded so that the first rings are not much wider than the last. */
static double angle_of(int i, int n)
{
    if (i > n) return M_PI - angle_of(2 * n - i, n);
    double s = (double)i / n;
    return M_PI / 2 * s * s * (3 - s) / 2;
}

/* Time between two angles in [0, pi/2]: the integral of 4/5 sin(phi)^(-1/5), smooth in phi^(4/5); Gauss with four
 * points. */
static double quarter(double a, double b)
{
    static const double x[2] = {0.3399810435848563, 0.8611363115940526};
    static const double w[2] = {0.6521451548625461, 0.3478548451374538};
    double lo = pow(a, 0.8), hi = pow(b, 0.8), half = (hi - lo) / 2, middle = (hi + lo) / 2, sum = 0;
    for (int k = 0; k < 4; k++) {
        double theta = middle + (k % 2 ? half : -half) * x[k / 2], phi = pow(theta, 1.25);
        sum += w[k / 2] * pow(phi / sin(phi), 0.2);
    }
    return half * sum;
}

/* Compression and restitution mirror each other. */
double pc_maw_time(double a, double b)
{
    if (b <= M_PI / 2) return quarter(a, b);
    if (a >= M_PI / 2) return quarter(M_PI - b, M_PI - a);
    return quarter(a, M_PI / 2) + quarter(M_PI - b, M_PI / 2);
}

typedef struct row {
    int n;
    const double *x2;     /* squares of the radii of the rings' bounds, n + 1 */
    const double *weight; /* n + 1: of each spring within a contact of any size; its last one counts differently but
                             carries nothing */
    double *stretch;      /* n + 1, at the start of the step; */
    double *next;         /* and at its end */
} row;

typedef struct sums {
    double force, normal; /* of the springs; of the bounds of their stretch */
    double work;          /* of slip over the step */
    int stuck;            /* number of springs that stick; index of the outermost below */
    int outermost;
    double slipped; /* sum of slips, for its sign */
} sums;

/* Carry the springs within the contact, indices below `inside`, through a displacement dz to an indentation u. */
static sums carry(const row *r, int inside, double u, double dz)
{
    sums s = {.outermost = -1};
    for (int j = 0; j < inside; j++) {
        double bound = fmax(u - r->x2[j], 0), trial = r->stretch[j] + dz;
        double now = fmin(fmax(trial, -bound), bound), slip = trial - now;
        r->next[j] = now;
        s.force += r->weight[j] * now;
        s.normal += r->weight[j] * bound;
        s.work -= r->weight[j] * (now + r->stretch[j]) / 2 * slip;
        s.slipped += slip;
        if (slip == 0) s.stuck++, s.outermost = j;
    }
    return s;
}

/* ---- when slip begins and ends: to second order, as everything else ---- */

/* All rings slip at step `old`, and stick from where the contact point is no faster than the bounds of their stretches
 * grow: |psi| = cos(phi). While all slip, |psi| falls by 2 chi d(1 - cos(phi)), so cos(phi) of that instant follows. */
static double arrest(const pc_maw_step *old, const pc_maw_step *new, double chi)
{
    double cosine = (old->slip * old->psi - 2 * chi * cos(old->phi)) / (1 - 2 * chi);
    double phi = acos(fmin(1, fmax(-1, cosine)));
    if (!(phi < new->phi)) return new->t;
    /* the step before may have gone on slipping while the stretches it ends with are no smaller than their bounds */
    return phi > old->phi ? old->t + pc_maw_time(old->phi, phi) : old->t - pc_maw_time(phi, old->phi);
}

/* True if some spring sticks at a share of the step from `old` to `new`. */
static bool sticks_at(const row *r, int inside, const pc_maw_step *old, const pc_maw_step *new, double chi,
                      double share, double *t)
{
    double phi = old->phi + share * (new->phi - old->phi), u = pow(sin(phi), 0.8);
    double psi = old->psi + chi * (cos(old->phi) - cos(phi)) * (old->ratio + new->ratio);
    *t = old->t + pc_maw_time(old->phi, phi);
    double dz = (*t - old->t) * (old->psi + psi) / 2;
    for (int j = 0; j < inside; j++)
        if (fabs(r->stretch[j] + dz) <= u - r->x2[j]) return true;
    return false;
}

/* The last springs that stick at `old` let go before `new`: by bisection to the rounding of a share. */
static double release(const row *r, int inside, const pc_maw_step *old, const pc_maw_step *new, double chi)
{
    double lo = 0, hi = 1, t = new->t;
    for (int i = 0; i < 40; i++) {
        double share = (lo + hi) / 2, at;
        if (sticks_at(r, inside, old, new, chi, share, &at))
            lo = share;
        else
            hi = share, t = at;
    }
    return t;
}

static pc_status run(row *r, double psi1, double chi, const double *angles, const double *times, pc_maw_step *steps,
                     double *profile, int at, pc_error *err)
{
    int n = r->n;
    steps[0] = (pc_maw_step){.psi = psi1, .slip = fabs(psi1) > 1 ? (psi1 > 0 ? 1 : -1) : 0, .changed = NAN};
    /* at the touch the springs stretch as psi t against a bound t */
    steps[0].ratio = -fmin(fmax(psi1, -1), 1);
    for (int i = 1; i <= 2 * n; i++) {
        if (i % 64 == 0 && pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, steps[i - 1].t, "rings", "interrupted during an impact");
        const pc_maw_step *old = &steps[i - 1];
        pc_maw_step *new = &steps[i];
        int from = i <= n ? i - 1 : 2 * n - i, size = i <= n ? i : 2 * n - i; /* ring that is crossed; radius index */
        int inside = i <= n ? i : 2 * n - i + 1;
        double dt = times[from], u = r->x2[size];
        double impulse = cos(angles[i - 1]) - cos(angles[i]);
        double ratio = old->ratio, psi = old->psi, dz = 0;
        sums s = {0};
        for (int pass = 0; pass < PASSES; pass++) {
            psi = old->psi + 2 * chi * impulse * (old->ratio + ratio) / 2;
            dz = dt * (old->psi + psi) / 2;
            s = carry(r, inside, u, dz);
            ratio = s.normal > 0 ? -s.force / s.normal : old->ratio;
        }
        *new = (pc_maw_step){
            .t = old->t + dt, .phi = angles[i], .psi = psi, .z = old->z + dz, .ratio = ratio, .changed = NAN};
        new->work_f = old->work_f + 1.5 * s.work;
        new->stick_radius = s.outermost < 0 ? 0 : sqrt(r->x2[s.outermost]);
        new->slip = s.stuck > 0 ? 0 : s.slipped > 0 ? 1 : -1;
        if (i > 1 && new->slip != old->slip)
            new->changed = old->slip ? arrest(old, new, chi) : release(r, inside, old, new, chi);
        double *spare = r->stretch;
        r->stretch = r->next;
        r->next = spare;
        for (int j = inside; j <= n; j++) r->stretch[j] = 0;
        new->middle = r->stretch[0];
        for (int j = 0; profile && i == at && j <= n; j++) profile[j] = r->stretch[j];
    }
    return PC_OK;
}

pc_status pc_maw_run(double psi1, double chi, int n, pc_maw_step *steps, double *profile, int at, pc_error *err)
{
    size_t size = (size_t)n + 1;
    double *memory = pc_calloc(7 * size, sizeof *memory);
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rings", n);
    double *x2 = memory, *weight = x2 + size, *times = weight + size, *angles = times + size; /* angles: 2 n + 1 */
    row r = {n, x2, weight, angles + 2 * size, angles + 3 * size};
    for (int i = 0; i <= 2 * n; i++) angles[i] = angle_of(i, n);
    for (int j = 0; j <= n; j++) x2[j] = pow(sin(angles[j]), 0.8);
    for (int j = 0; j < n; j++) times[j] = pc_maw_time(angles[j], angles[j + 1]);
    /* trapezoidal in the radius */
    for (int j = 0; j < n; j++) weight[j] = (sqrt(x2[j + 1]) - (j > 0 ? sqrt(x2[j - 1]) : 0)) / 2;
    pc_status status = run(&r, psi1, chi, angles, times, steps, profile, at, err);
    pc_free(memory);
    return status;
}

pc_status pc_maw_rebound(double psi1, double chi, int n, double *psi2, pc_error *err)
{
    pc_maw_step *steps = pc_calloc(2 * (size_t)n + 1, sizeof *steps);
    if (!steps) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rings", n);
    pc_status status = pc_maw_run(psi1, chi, n, steps, NULL, 0, err);
    *psi2 = steps[2 * n].psi;
    pc_free(steps);
    return status;
}

/* Integral of dx/sqrt(x^2 - r^2) from a to b, a >= r. */
static double segment(double a, double b, double r)
{
    if (r == 0) return log(b / a);
    return log((b + sqrt((b - r) * (b + r))) / (a + sqrt((a - r) * (a + r))));
}

void pc_maw_traction(const double *profile, int rings, double u, const double *radii, int n, double *traction,
                     double *limit)
{
    for (int i = 0; i < n; i++) {
        double r = radii[i], sum = 0, x0 = 0;
        for (int j = 0; j < rings; j++) {
            double x1 = pow(sin(angle_of(j + 1, rings)), 0.4);
            double slope = (profile[j + 1] - profile[j]) / (x1 - x0);
            double from = fmax(x0, r);
            /* at the middle the integrand's pole meets a slope that vanishes with x */
            if (x1 > from && slope != 0 && from > 0) sum -= slope / 2 * segment(from, x1, r);
            x0 = x1;
        }
        traction[i] = sum;
        if (limit) limit[i] = sqrt(fmax(u - r * r, 0));
    }
}
