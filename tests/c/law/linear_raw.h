/* The raw stick-slip equations, integrated: the second opinion on the linear law.
 *
 * It knows two spring forces, dv/dt = W F and Coulomb's law, and nothing of modes or closed forms. Each step is one
 * Gragg-Bulirsch-Stoer extrapolation (modified midpoint with 2, 4, ..., 16 substeps: order 16); events are located by
 * bisection on the length of a step, and a guard whose derivative changes sign within a step is also examined
 * at its minimum.
 */
#ifndef TESTS_C_LINEAR_RAW_H
#define TESTS_C_LINEAR_RAW_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { RAW_UT, RAW_UN, RAW_VT, RAW_VN, RAW_PT, RAW_PN, RAW_WORK, RAW_SIZE };
enum { RAW_PHASES = 4096, RAW_COLUMNS = 8 };

typedef struct raw_impact {
    double w_tt, w_tn, w_nn, kn, kt, mu, E; /* given */
    double k, residual, u_max;              /* line of the normal spring */
    int sign;                               /* slip direction, 0 in stick */
    double y[RAW_SIZE], t;
    bool wedged, lost;
    int n_phases;
    char phases[RAW_PHASES]; /* '0' '+' '-' */
    double lengths[RAW_PHASES];
} raw_impact;

static double raw_normal_force(const raw_impact *r, const double *y)
{
    return r->k * (y[RAW_UN] - r->residual);
}

static void raw_rates(const raw_impact *r, const double *y, double *rate)
{
    double fn = raw_normal_force(r, y);
    double ft = r->sign == 0 ? -r->kt * y[RAW_UT] : -r->mu * r->sign * fn;
    double un_rate = -y[RAW_VN];
    double ut_rate = r->sign == 0 ? y[RAW_VT] : r->mu * r->sign * r->k * un_rate / r->kt;
    rate[RAW_UT] = ut_rate;
    rate[RAW_UN] = un_rate;
    rate[RAW_VT] = r->w_tt * ft + r->w_tn * fn;
    rate[RAW_VN] = r->w_tn * ft + r->w_nn * fn;
    rate[RAW_PT] = ft;
    rate[RAW_PN] = fn;
    rate[RAW_WORK] = ft * (y[RAW_VT] - ut_rate);
}

static void raw_step(const raw_impact *r, const double *from, double h, double *to)
{
    double table[RAW_COLUMNS][RAW_SIZE];
    for (int j = 0; j < RAW_COLUMNS; j++) {
        int n = 2 * (j + 1);
        double step = h / n, before[RAW_SIZE], now[RAW_SIZE], rate[RAW_SIZE];
        memcpy(before, from, sizeof before);
        raw_rates(r, from, rate);
        for (int i = 0; i < RAW_SIZE; i++) now[i] = from[i] + step * rate[i];
        for (int k = 1; k < n; k++) {
            raw_rates(r, now, rate);
            for (int i = 0; i < RAW_SIZE; i++) {
                double next = before[i] + 2 * step * rate[i];
                before[i] = now[i];
                now[i] = next;
            }
        }
        raw_rates(r, now, rate);
        for (int i = 0; i < RAW_SIZE; i++) table[j][i] = (now[i] + before[i] + step * rate[i]) / 2;
        for (int m = 1; m <= j; m++) {
            double ratio = (double)(j + 1) / (j + 1 - m);
            int row = j - m;
            for (int i = 0; i < RAW_SIZE; i++)
                table[row][i] = table[row + 1][i] + (table[row + 1][i] - table[row][i]) / (ratio * ratio - 1);
        }
    }
    memcpy(to, table[0], RAW_SIZE * sizeof *to);
}

/* Guards, positive while nothing happens, and their rates. Stick: both edges of the cone. Slip: the slip speed; F_n.
 * Then the normal spring: rate of indentation where it changes line, room below the greatest indentation. */
enum { RAW_GUARDS = 4 };
static void raw_guards(const raw_impact *r, const double *y, double *g, double *rate)
{
    double d[RAW_SIZE];
    raw_rates(r, y, d);
    double fn = raw_normal_force(r, y), fn_rate = r->k * d[RAW_UN];
    if (r->sign == 0) {
        g[0] = r->mu * fn - r->kt * y[RAW_UT];
        g[1] = r->mu * fn + r->kt * y[RAW_UT];
        rate[0] = r->mu * fn_rate - r->kt * d[RAW_UT];
        rate[1] = r->mu * fn_rate + r->kt * d[RAW_UT];
    } else {
        g[0] = r->sign * (y[RAW_VT] - d[RAW_UT]);
        rate[0] = r->sign * (d[RAW_VT] + r->mu * r->sign * r->k * d[RAW_VN] / r->kt);
        g[1] = fn;
        rate[1] = fn_rate;
    }
    bool loading = r->k == r->kn;
    g[2] = r->E < 1 && loading ? -y[RAW_VN] : 1;
    rate[2] = r->E < 1 && loading ? -d[RAW_VN] : 0;
    g[3] = loading ? 1 : r->u_max - y[RAW_UN];
    rate[3] = loading ? 0 : -d[RAW_UN];
}

static double raw_guard(const raw_impact *r, double h, int which)
{
    double y[RAW_SIZE], g[RAW_GUARDS], rate[RAW_GUARDS];
    raw_step(r, r->y, h, y);
    raw_guards(r, y, g, rate);
    return g[which];
}

static double raw_guard_rate(const raw_impact *r, double h, int which)
{
    double y[RAW_SIZE], g[RAW_GUARDS], rate[RAW_GUARDS];
    raw_step(r, r->y, h, y);
    raw_guards(r, y, g, rate);
    return rate[which];
}

static double raw_bisect(const raw_impact *r, double lo, double hi, int which,
                         double (*f)(const raw_impact *, double, int), bool falling)
{
    for (int i = 0; i < 60 && lo < hi; i++) {
        double mid = lo + (hi - lo) / 2;
        if (mid == lo || mid == hi) break;
        if ((f(r, mid, which) > 0) == falling)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

static void raw_begin_phase(raw_impact *r)
{
    char kind = r->sign == 0 ? '0' : r->sign > 0 ? '+' : '-';
    if (r->n_phases > 0 && r->phases[r->n_phases - 1] == kind) return;
    if (r->n_phases + 1 >= RAW_PHASES) {
        r->lost = true;
        return;
    }
    r->lengths[r->n_phases] = 0;
    r->phases[r->n_phases++] = kind;
}

/* Integrate to the end of contact, or for `patience` vibrations within one phase, after which it counts as wedged. */
static void raw_run(raw_impact *r, double v_t, double v_n, double patience)
{
    r->k = r->kn;
    r->residual = r->u_max = r->t = 0;
    r->wedged = r->lost = false;
    r->n_phases = 0;
    memset(r->y, 0, sizeof r->y);
    r->y[RAW_VT] = v_t;
    r->y[RAW_VN] = v_n;
    r->sign = fabs(v_t) < r->mu * r->kn / r->kt * -v_n ? 0 : v_t < 0 ? -1 : 1;
    raw_begin_phase(r);
    double k2 = r->kn / (r->E * r->E), fast = sqrt(r->w_tt * r->kt + r->w_nn * k2);
    if (r->mu * fabs(r->w_tn) > r->w_nn) fast = fmax(fast, sqrt(r->mu * fabs(r->w_tn) * k2));
    double h = 0.25 / fast, in_phase = 0, peak = 0;
    bool fresh = true; /* guards that are 0 now are leaving 0 */
    while (!r->lost && r->t * fast < 1e6) {
        double g0[RAW_GUARDS], rate0[RAW_GUARDS], g1[RAW_GUARDS], rate1[RAW_GUARDS], y[RAW_SIZE];
        raw_guards(r, r->y, g0, rate0);
        raw_step(r, r->y, h, y);
        raw_guards(r, y, g1, rate1);
        peak = fmax(peak, raw_normal_force(r, y));
        double first = INFINITY;
        int event = -1;
        for (int i = 0; i < RAW_GUARDS; i++) {
            /* a cone that is touched to rounding has not been left: a locked body does so once a vibration */
            double touch = r->sign == 0 && i < 2 ? -1e-11 * r->mu * peak : 0;
            double zero = i < 2 ? (r->sign == 0 ? 1e-13 * r->mu * peak : 0) : i == 2 ? -1e-12 * v_n : 0;
            double hi = h, lo = fresh && g0[i] <= zero ? h * 1e-4 : 0;
            bool dips = g1[i] >= touch && rate0[i] < 0 && rate1[i] > 0;
            if (dips) {
                hi = raw_bisect(r, 0, h, i, raw_guard_rate, false);
                if (raw_guard(r, hi, i) >= touch) continue;
            } else if (g1[i] >= touch) {
                continue;
            }
            if (lo > 0 && raw_guard(r, lo, i) <= 0) {
                /* a phase that begins at the greatest indentation, to rounding: rank 1 stops slipping there */
                if (i != 2) continue;
                hi = lo = 0;
            }
            double at = raw_bisect(r, lo, hi, i, raw_guard, true);
            if (at < first) {
                first = at;
                event = i;
            }
        }
        fresh = false;
        double step = event < 0 ? h : first;
        raw_step(r, r->y, step, r->y);
        r->t += step;
        r->lengths[r->n_phases - 1] += step;
        in_phase += step;
        if (event < 0) {
            if (in_phase * fast > patience && r->sign == 0) {
                r->wedged = true;
                return;
            }
            continue;
        }
        double fn = raw_normal_force(r, r->y);
        if (event == 2) { /* greatest indentation: from here on the stiffer line */
            r->u_max = r->y[RAW_UN];
            r->residual = r->u_max * (1 - r->E * r->E);
            r->k = k2;
        } else if (event == 3) {
            r->k = r->kn;
            r->residual = 0;
        } else if (r->sign == 0) {
            if (fn <= 1e-11 * peak) return; /* both edges meet at F_n = 0 */
            r->sign = event == 0 ? 1 : -1;  /* on the first edge F_t = -mu F_n */
            in_phase = 0;
            fresh = true;
        } else if (event == 1) {
            return;
        } else {
            r->y[RAW_UT] = r->mu * r->sign * fn / r->kt;
            r->sign = 0;
            in_phase = 0;
            fresh = true;
        }
        if (r->sign != 0) r->y[RAW_UT] = r->mu * r->sign * fn / r->kt;
        raw_begin_phase(r);
    }
    r->lost = true;
}

#endif
