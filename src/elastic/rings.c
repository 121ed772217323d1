/* The rings that touch: see elastic.h. */
#include "elastic/elastic.h"

#include "math/linsolve.h"

#include <math.h>
#include <string.h>

/* Sweeps of Gauss and Seidel's method, and the share of the greatest force below which a change is none. */
enum { SWEEPS = 20000 };
static const double CONVERGED = 1e-14;

/* Factors of S over the members, L D^1/2 row by row: the set is listed in `list`. */
static void factor_set(pc_elastic_rings *r, const signed char *member, const int *list, int k)
{
    if (r->kept && memcmp(r->factored, member, (size_t)r->n) == 0) return;
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) {
            double sum = r->S[(size_t)list[i] * r->stride + (size_t)list[j]];
            const double *a = r->factor + i * r->n, *b = r->factor + j * r->n;
            for (int l = 0; l < j; l++) sum -= a[l] * b[l];
            r->factor[i * r->n + j] = i == j ? sqrt(sum) : sum / b[j];
        }
    memcpy(r->factored, member, (size_t)r->n);
    r->kept = true;
}

static void solve_set(const pc_elastic_rings *r, int k, double *b)
{
    for (int i = 0; i < k; i++) {
        for (int l = 0; l < i; l++) b[i] -= r->factor[i * r->n + l] * b[l];
        b[i] /= r->factor[i * r->n + i];
    }
    for (int i = k - 1; i >= 0; i--) {
        for (int l = i + 1; l < k; l++) b[i] -= r->factor[l * r->n + i] * b[l];
        b[i] /= r->factor[i * r->n + i];
    }
}

static double row_sum(const pc_elastic_rings *r, int i, const double *f)
{
    double sum = 0;
    for (int j = 0; j < r->n; j++) sum += r->S[(size_t)i * r->stride + (size_t)j] * f[j];
    return sum;
}

static pc_status unsettled(pc_error *err)
{
    return pc_fail(err, PC_E_NUMERIC, "the rings in contact do not settle");
}

/* ---- forces between bounds: within them a ring stays at its old place, at one it may be aside of that ---- */

typedef struct bounds {
    const double *least, *most, *old;
} bounds;

static double clamp(const bounds *b, int i, double f)
{
    return fmax(b->least[i], fmin(b->most[i], f));
}

static pc_status solve_by_sweeps(pc_elastic_rings *r, const double *w0, const bounds *b, double *f, double *w,
                                 pc_error *err)
{
    for (int i = 0; i < r->n; i++) f[i] = clamp(b, i, f[i]);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0, most = 0;
        for (int i = 0; i < r->n; i++) {
            double own = r->S[(size_t)i * r->stride + (size_t)i];
            double next = clamp(b, i, f[i] - (w0[i] + row_sum(r, i, f) - b->old[i]) / own);
            change = fmax(change, fabs(next - f[i])), most = fmax(most, fabs(next));
            f[i] = next;
        }
        if (change > CONVERGED * most) continue;
        for (int i = 0; i < r->n; i++) {
            bool fixed = b->least[i] >= b->most[i];
            r->state[i] = (signed char)(fixed ? 0 : f[i] <= b->least[i] ? -1 : f[i] >= b->most[i] ? 1 : 0);
            w[i] = w0[i] + row_sum(r, i, f);
        }
        return PC_OK;
    }
    return unsettled(err);
}

static pc_status solve_between(pc_elastic_rings *r, const double *w0, const bounds *bound, double *f, double *w,
                               pc_error *err)
{
    for (int pass = 0; pass < 3 * r->n + 10; pass++) {
        signed char within[PC_ELASTIC_RINGS_MOST];
        int list[PC_ELASTIC_RINGS_MOST] = {0}, k = 0;
        double b[PC_ELASTIC_RINGS_MOST];
        for (int i = 0; i < r->n; i++) {
            within[i] = bound->least[i] < bound->most[i] && r->state[i] == 0;
            f[i] = within[i] ? 0 : r->state[i] > 0 ? bound->most[i] : bound->least[i];
            if (within[i]) list[k++] = i;
        }
        for (int i = 0; i < k; i++) b[i] = bound->old[list[i]] - w0[list[i]] - row_sum(r, list[i], f);
        factor_set(r, within, list, k);
        solve_set(r, k, b);
        for (int i = 0; i < k; i++) f[list[i]] = b[i];
        bool same = true;
        for (int i = 0; i < r->n; i++) {
            bool fixed = bound->least[i] >= bound->most[i];
            signed char next = r->state[i];
            w[i] = w0[i] + row_sum(r, i, f);
            if (within[i])
                next = (signed char)(f[i] > bound->most[i] ? 1 : f[i] < bound->least[i] ? -1 : 0);
            else if (fixed || r->state[i] * (w[i] - bound->old[i]) > 0)
                next = 0;
            same = same && (next == r->state[i] || fixed);
            r->state[i] = next;
        }
        if (same) return PC_OK;
    }
    return solve_by_sweeps(r, w0, bound, f, w, err);
}

pc_status pc_elastic_rings_press(pc_elastic_rings *r, const double *w0, double *P, pc_error *err)
{
    double zero[PC_ELASTIC_RINGS_MOST] = {0}, most[PC_ELASTIC_RINGS_MOST], w[PC_ELASTIC_RINGS_MOST];
    for (int i = 0; i < r->n; i++) most[i] = INFINITY;
    if (!r->kept) memset(r->state, -1, (size_t)r->n); /* at first none touches */
    return solve_between(r, w0, &(bounds){zero, most, zero}, P, w, err);
}

pc_status pc_elastic_rings_rub(pc_elastic_rings *r, const double *w0, const double *bound, const double *old, double *Q,
                               double *w, pc_error *err)
{
    double least[PC_ELASTIC_RINGS_MOST];
    for (int i = 0; i < r->n; i++) least[i] = -bound[i];
    return solve_between(r, w0, &(bounds){least, bound, old}, Q, w, err);
}

/* ---- normal contact with radial friction ---- */

/* Both displacements by both forces. */
static void displace(int both, const double *S, const double *w0, const double *f, double *w)
{
    for (int i = 0; i < both; i++) {
        w[i] = w0[i];
        for (int j = 0; j < both; j++) w[i] += S[(size_t)i * (size_t)both + (size_t)j] * f[j];
    }
}

/* A ring is open, sticks, or slips against a force of this sign. */
enum { OPEN = 2 };

/* Its friction. The axis does not move sideways. Where radial forces press a ring against the plane by more than a
 * share of what its pressure lifts it, there may be no solution; a ring that so much friction cannot hold has next to
 * no pressure, so less friction changes nothing else. */
static double bound_of(int i, int n, const double *S, double friction, double share)
{
    const size_t both = 2 * (size_t)n, own = (size_t)i, along = own + (size_t)n;
    if (S[along * both + along] <= 0) return 0;
    return fmin(friction, share * S[own * both + own] / fabs(S[own * both + along]));
}

/* Forces where each ring does what `state` says. */
static bool solve_states(int n, const double *S, const double *w0, const double *gap, double friction, double share,
                         const double *old, const signed char *state, double *f, double *work)
{
    int list[PC_ELASTIC_RINGS_MOST], k = 0, both = 2 * n;
    for (int i = 0; i < n; i++)
        if (state[i] != OPEN) list[k++] = i;
    double *b = work + 4 * k * k;
    for (int i = 0; i < k; i++) {
        const int ring = list[i];
        double *normal = work + 2 * k * i, *along = work + 2 * k * (k + i);
        memset(along, 0, (size_t)(2 * k) * sizeof *along);
        for (int j = 0; j < k; j++) {
            normal[j] = S[ring * both + list[j]], normal[k + j] = S[ring * both + n + list[j]];
            if (state[ring] != 0) continue;
            along[j] = S[(n + ring) * both + list[j]], along[k + j] = S[(n + ring) * both + n + list[j]];
        }
        b[i] = -w0[ring] - gap[ring], b[k + i] = 0;
        if (state[ring] == 0)
            b[k + i] = old[n + ring] - w0[n + ring];
        else
            along[k + i] = 1, along[i] = -state[ring] * bound_of(ring, n, S, friction, share);
    }
    int pivots[2 * PC_ELASTIC_RINGS_MOST];
    if (!pc_lu_factor(work, 2 * k, pivots)) return false;
    pc_lu_solve(work, 2 * k, pivots, b);
    memset(f, 0, (size_t)both * sizeof *f);
    for (int i = 0; i < k; i++) f[list[i]] = b[i], f[n + list[i]] = b[k + i];
    return true;
}

static bool grip_by_states(int n, const double *S, const double *w0, const double *gap, double friction, double share,
                           const double *old, double *f, double *w, double *work)
{
    signed char state[PC_ELASTIC_RINGS_MOST];
    for (int i = 0; i < n; i++) {
        double bound = bound_of(i, n, S, friction, share), Q = f[n + i];
        state[i] = f[i] <= 0 ? OPEN : bound == 0 || fabs(Q) >= bound * f[i] ? (Q < 0 ? -1 : 1) : 0;
    }
    for (int pass = 0; pass < 3 * n + 10; pass++) {
        if (!solve_states(n, S, w0, gap, friction, share, old, state, f, work)) return false;
        displace(2 * n, S, w0, f, w);
        bool same = true;
        for (int i = 0; i < n; i++) {
            double bound = bound_of(i, n, S, friction, share), P = f[i], Q = f[n + i];
            signed char next = state[i];
            if (state[i] == OPEN)
                next = w[i] + gap[i] >= 0 ? OPEN : bound == 0 ? 1 : 0;
            else if (P <= 0)
                next = OPEN;
            else if (state[i] == 0)
                next = (signed char)(fabs(Q) <= bound * P ? 0 : Q > 0 ? 1 : -1);
            else if (bound > 0 && state[i] * (w[n + i] - old[n + i]) > 0)
                next = 0;
            same = same && next == state[i];
            state[i] = next;
        }
        if (same) return true;
    }
    return false;
}

pc_status pc_elastic_rings_grip(int n, const double *S, const double *w0, const double *gap, double friction,
                                const double *old, double *f, double *w, double *work, pc_error *err)
{
    const int both = 2 * n;
    double share = 0.5;
    for (; share > 0.05; share /= 2)
        if (grip_by_states(n, S, w0, gap, friction, share, old, f, w, work)) return PC_OK;
    for (int i = 0; i < n; i++) {
        f[i] = fmax(f[i], 0);
        double bound = bound_of(i, n, S, friction, share) * f[i];
        f[n + i] = fmax(-bound, fmin(bound, f[n + i]));
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0, most = 0;
        for (int i = 0; i < both; i++) {
            const double *row = S + (size_t)i * (size_t)both;
            double at = w0[i], next = 0;
            for (int j = 0; j < both; j++) at += row[j] * f[j];
            if (i < n) {
                next = fmax(0, f[i] - (at + gap[i]) / row[i]);
                most = fmax(most, next);
            } else if (row[i] > 0) {
                double bound = bound_of(i - n, n, S, friction, share) * f[i - n];
                next = fmax(-bound, fmin(bound, f[i] - (at - old[i]) / row[i]));
            }
            change = fmax(change, fabs(next - f[i]));
            f[i] = next;
        }
        if (change > 1e-12 * most) continue; /* forces decide all else linearly: a thousandth of the balance allowed */
        displace(both, S, w0, f, w);
        return PC_OK;
    }
    return unsettled(err);
}
