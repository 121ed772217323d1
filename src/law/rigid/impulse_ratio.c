/* Algebraic laws: see impulse_ratio.h. */
#include "law/rigid/impulse_ratio.h"

#include "law/rigid/impulse_spatial.h"
#include "math/mobility.h"

#include <math.h>

double pc_ratio_normal(const pc_mobility *W, const double v0[3], double e, double ratio)
{
    return -(1 + e) * v0[PC_N] / (W->nn + W->tn * ratio);
}

double pc_ratio_after(const pc_mobility *W, const double v0[3], double e, double ratio)
{
    return v0[PC_T] + (W->tn + W->tt * ratio) * pc_ratio_normal(W, v0, e, ratio);
}

double pc_ratio_reaching(const pc_mobility *W, const double v0[3], double e, double v_t)
{
    double rebound = (1 + e) * v0[PC_N], missing = v0[PC_T] - v_t;
    double weight = missing * W->tn - rebound * W->tt; /* p_n det W */
    return weight > 0 ? (rebound * W->tn - missing * W->nn) / weight : NAN;
}

void pc_ratio_lossless(const pc_mobility *W, const double v0[3], double e, double bounds[2])
{
    /* p.(v0 + v1) = 0 times (w_nn + w_tn r)/p_n: a r^2 + 2 b r + c = 0 */
    double v_t = v0[PC_T], v_n = v0[PC_N];
    double a = 2 * v_t * W->tn - (1 + e) * v_n * W->tt, b = v_t * W->nn - e * v_n * W->tn;
    double c = (1 - e) * v_n * W->nn;
    double root = sqrt(b * b - a * c); /* a c <= 0 unless friction alone can stop the body */
    double q = b >= 0 ? -(b + root) : root - b;
    double first = q / a, second = q != 0 ? c / q : 0;
    if (!isfinite(first)) first = NAN;
    bounds[0] = fmin(first, second);
    bounds[1] = fmax(first, second);
    if (isnan(first)) bounds[0] = NAN;
}

double pc_ratio_against_departure(const void *params, const pc_mobility *W, const double v0[3])
{
    const pc_rigid *law = params;
    double e = law->restitution, mu = law->coulomb.friction, r = pc_ratio_reaching(W, v0, e, 0);
    if (fabs(r) <= law->coulomb.static_friction) return r;
    /* v_t+ has the same sign for all ratios short of sticking, which is that of r = 0 */
    return pc_ratio_after(W, v0, e, 0) > 0 ? -mu : mu;
}

pc_status pc_ratio_impact(const pc_schema *schema, pc_ratio_rule *rule, const void *params, const pc_mobility *W,
                          const double v0[3], pc_impact *out, pc_error *err)
{
    pc_mobility plane;
    pc_status status = pc_ratio_plane(schema->name, W, v0, &plane, err);
    if (status) return status;
    if (v0[PC_N] >= 0) {
        for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    double ratio = rule(params, &plane, v0), p_n = pc_ratio_normal(&plane, v0, *(const double *)params, ratio);
    if (!(p_n > 0 && p_n < INFINITY))
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s: no impulse with the ratio p_t/p_n = %.6g can reverse the normal velocity of this body",
                       schema->name, ratio);
    return pc_impulse_direct(&plane, v0, (double[3]){ratio * p_n, p_n, 0}, out, err);
}

pc_status pc_ratio_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err)
{
    (void)params, (void)err;
    pc_impulse_path(NULL, W, impact, p_n, n, out);
    return PC_OK;
}

pc_status pc_ratio_plane(const char *law, const pc_mobility *W, const double v0[3], pc_mobility *plane, pc_error *err)
{
    *plane = *W;
    if (W->t2t2 == 0 && v0[PC_T2] == 0) return PC_OK;
    if (v0[PC_T2] == 0 && pc_mobility_planar(W, plane)) return PC_OK;
    return pc_fail(err, PC_E_UNSUPPORTED, "%s is a planar law, but this impact leaves the plane", law);
}
