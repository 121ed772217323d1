/* The rings that touch: see elastic.h. */
#include "elastic/elastic.h"

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

/* ---- normal contact ---- */

static pc_status press_by_sweeps(pc_elastic_rings *r, const double *w0, double *P, pc_error *err)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0, most = 0;
        for (int i = 0; i < r->n; i++) {
            double own = r->S[(size_t)i * r->stride + (size_t)i];
            double next = fmax(0, P[i] - (w0[i] + row_sum(r, i, P)) / own);
            change = fmax(change, fabs(next - P[i])), most = fmax(most, next);
            P[i] = next;
        }
        if (change > CONVERGED * most) continue;
        for (int i = 0; i < r->n; i++) r->state[i] = P[i] > 0;
        return PC_OK;
    }
    return unsettled(err);
}

pc_status pc_elastic_rings_press(pc_elastic_rings *r, const double *w0, double *P, pc_error *err)
{
    for (int pass = 0; pass < 3 * r->n + 10; pass++) {
        int list[PC_ELASTIC_RINGS_MOST] = {0}, k = 0;
        double b[PC_ELASTIC_RINGS_MOST];
        for (int i = 0; i < r->n; i++)
            if (r->state[i]) list[k] = i, b[k++] = -w0[i];
        factor_set(r, r->state, list, k);
        solve_set(r, k, b);
        memset(P, 0, (size_t)r->n * sizeof *P);
        for (int i = 0; i < k; i++) P[list[i]] = b[i];
        bool same = true;
        for (int i = 0; i < r->n; i++) {
            bool touches = r->state[i] ? P[i] > 0 : w0[i] + row_sum(r, i, P) < 0;
            same = same && touches == (r->state[i] != 0);
            r->state[i] = touches;
        }
        if (same) return PC_OK;
    }
    for (int i = 0; i < r->n; i++) P[i] = fmax(P[i], 0);
    return press_by_sweeps(r, w0, P, err);
}

/* ---- rubbing ---- */

static pc_status rub_by_sweeps(pc_elastic_rings *r, const double *w0, const double *bound, const double *old, double *Q,
                               double *w, pc_error *err)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0, most = 0;
        for (int i = 0; i < r->n; i++) {
            double own = r->S[(size_t)i * r->stride + (size_t)i];
            double next = fmax(-bound[i], fmin(bound[i], Q[i] - (w0[i] + row_sum(r, i, Q) - old[i]) / own));
            change = fmax(change, fabs(next - Q[i])), most = fmax(most, bound[i]);
            Q[i] = next;
        }
        if (change > CONVERGED * most) continue;
        for (int i = 0; i < r->n; i++) {
            r->state[i] = (signed char)(fabs(Q[i]) < bound[i] ? 0 : Q[i] > 0 ? 1 : -1);
            w[i] = w0[i] + row_sum(r, i, Q);
        }
        return PC_OK;
    }
    return unsettled(err);
}

pc_status pc_elastic_rings_rub(pc_elastic_rings *r, const double *w0, const double *bound, const double *old, double *Q,
                               double *w, pc_error *err)
{
    for (int pass = 0; pass < 3 * r->n + 10; pass++) {
        signed char sticks[PC_ELASTIC_RINGS_MOST];
        int list[PC_ELASTIC_RINGS_MOST] = {0}, k = 0;
        double b[PC_ELASTIC_RINGS_MOST];
        for (int i = 0; i < r->n; i++) {
            sticks[i] = bound[i] > 0 && r->state[i] == 0;
            Q[i] = sticks[i] ? 0 : r->state[i] * bound[i];
            if (sticks[i]) list[k++] = i;
        }
        for (int i = 0; i < k; i++) b[i] = old[list[i]] - w0[list[i]] - row_sum(r, list[i], Q);
        factor_set(r, sticks, list, k);
        solve_set(r, k, b);
        for (int i = 0; i < k; i++) Q[list[i]] = b[i];
        bool same = true;
        for (int i = 0; i < r->n; i++) {
            w[i] = w0[i] + row_sum(r, i, Q);
            signed char next = r->state[i];
            if (bound[i] <= 0)
                next = 0;
            else if (sticks[i])
                next = (signed char)(Q[i] > bound[i] ? 1 : Q[i] < -bound[i] ? -1 : 0);
            else if (r->state[i] * (w[i] - old[i]) > 0)
                next = 0;
            same = same && (next == r->state[i] || bound[i] <= 0);
            r->state[i] = next;
        }
        if (same) return PC_OK;
    }
    for (int i = 0; i < r->n; i++) Q[i] = fmax(-bound[i], fmin(bound[i], Q[i]));
    return rub_by_sweeps(r, w0, bound, old, Q, w, err);
}

/* ---- normal contact with radial friction ---- */

pc_status pc_elastic_rings_grip(int n, const double *S, const double *w0, const double *gap, double friction,
                                const double *old, double *f, double *w, pc_error *err)
{
    const int both = 2 * n;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0, most = 0;
        for (int i = 0; i < both; i++) {
            const double *row = S + (size_t)i * (size_t)both;
            double at = w0[i], next = 0;
            for (int j = 0; j < both; j++) at += row[j] * f[j];
            if (i < n) {
                next = fmax(0, f[i] - (at + gap[i]) / row[i]);
                most = fmax(most, next);
            } else if (row[i] > 0) { /* the axis does not move sideways */
                double bound = friction * f[i - n];
                next = fmax(-bound, fmin(bound, f[i] - (at - old[i]) / row[i]));
            }
            change = fmax(change, fabs(next - f[i]));
            f[i] = next;
        }
        if (change > 1e-12 * most) continue; /* forces decide all else linearly: a thousandth of the balance allowed */
        for (int i = 0; i < both; i++) {
            w[i] = w0[i];
            for (int j = 0; j < both; j++) w[i] += S[(size_t)i * (size_t)both + (size_t)j] * f[j];
        }
        return PC_OK;
    }
    return unsettled(err);
}
