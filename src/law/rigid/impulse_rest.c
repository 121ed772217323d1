/* Stick or slip from rest in the tangent plane: see impulse_spatial.h. */
#include "law/rigid/impulse_spatial.h"

#include "math/mobility.h"

#include <float.h>
#include <math.h>

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

static void holding_ratio(const principal *p, double r[2])
{
    double z[2];
    for (int i = 0; i < 2; i++) z[i] = p->l[i] > 0 ? -p->b[i] / p->l[i] : 0;
    for (int i = 0; i < 2; i++) r[i] = z[0] * p->u[0][i] + z[1] * p->u[1][i];
}

double pc_impulse_critical_friction(const pc_mobility *W)
{
    principal p = principal_axes(W);
    double r[2];
    holding_ratio(&p, r);
    return hypot(r[0], r[1]);
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
    holding_ratio(&p, ratio);
    double limit = coulomb->static_friction;
    if (W->rank < 3) limit += limit * PC_RANK_TOLERANCE; /* as in the plane, where W has rank 1 */
    if (hypot(ratio[0], ratio[1]) <= limit) return true;
    double mu = coulomb->friction, z[2];
    double c = slip_growth(&p, mu);
    for (int k = 0; k < 2; k++) z[k] = p.b[k] != 0 ? p.b[k] / (mu * p.l[k] + c) : 0;
    double norm = hypot(z[0], z[1]);
    for (int i = 0; i < 2; i++) direction[i] = (z[0] * p.u[0][i] + z[1] * p.u[1][i]) / norm;
    *growth = c;
    return false;
}
