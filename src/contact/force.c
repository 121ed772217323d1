/* Normal forces that are sums of powers: see force.h. */
#include "contact/force.h"

#include <math.h>

static double power(double y, int n)
{
    double x = 1;
    for (int i = n < 0 ? -n : n; i > 0; i >>= 1, y *= y)
        if (i & 1) x *= y;
    return n < 0 ? 1 / x : x;
}

pc_force pc_force_elastic(double elastic, int e, int root)
{
    return (pc_force){.elastic = elastic,
                      .elastic_power = e,
                      .damping_power = e,
                      .stiffness = elastic * e / root,
                      .stiffness_power = e - root,
                      .knot = INFINITY};
}

void pc_force_normal(const pc_force *f, int root, double y, double u, double w, pc_normal *out)
{
    int e = f->elastic_power, d = f->damping_power, s = f->stiffness_power, low = d < e ? d : e;
    double elastic = f->elastic * power(y, e);
    out->F = f->base + elastic;
    out->dFdu = e * f->elastic * power(y, e - root) / root;
    out->dFdw = 0;
    if (f->damping != 0) {
        out->dFdw = f->damping * power(y, d);
        out->F += out->dFdw * w;
        if (d > 0) out->dFdu += d * f->damping * power(y, d - root) / root * w;
    }
    out->k = f->stiffness * power(y, s);
    out->dk = out->ddk = 0;
    if (s > 0) {
        out->dk = f->stiffness * s / root * power(y, s - root);
        out->ddk = out->dk * (s - root) / root * power(y, -root);
    }
    out->release = f->ends_by_force ? f->elastic * power(y, e - low) + f->damping * power(y, d - low) * w : y;
    out->knot = f->knot < INFINITY ? f->knot - u : 1;
}
