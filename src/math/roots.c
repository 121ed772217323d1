/* Polynomial roots by monotone pieces, and a bracketed root: see roots.h.
 *
 * The zeros of p' cut [0, 1] into pieces on which p is monotone, so every piece holds at most one zero and the signs
 * at its ends decide. The zeros of p' are found in the same way, from those of p''. A count of sign changes of the
 * Bernstein coefficients (at most one change: at most one root, no need for p') ends the descent early almost always. A
 * zero of p' where p itself is zero to rounding is a multiple zero of p: it has one more than p' has there.
 * Collins and Loos (1976), Polynomial real root isolation by differentiation, in the Bernstein basis.
 */
#include "math/roots.h"

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

static int stationary(const double *b, int degree, pc_root *roots)
{
    double d[PC_POLY_DEGREE];
    pc_poly_derivative(b, degree, d);
    int changes = pc_poly_variations(d, degree - 1);
    if (changes == 0 && d[0] != 0 && d[degree - 1] != 0) return 0;
    int side = PC_SIDE_UNKNOWN;
    return pc_poly_roots(d, degree - 1, 0, &side, roots);
}
