/* Power series of a single contact with what every machine has, and forces that are sums of powers: see series.h. */
#define PC_SERIES_WIDTH 2
#include "law/series_kernel.h"

const pc_series pc_series_plain = {expand, scale, sum};

const pc_series *pc_series_widest(void)
{
#ifndef PC_NO_X86
    if (__builtin_cpu_supports("avx2")) return &pc_series_avx2;
#endif
    return &pc_series_plain;
}

/* ---- forces that are sums of powers ---- */

static double power_of(double y, int n)
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
                      .kink = INFINITY};
}

void pc_force_normal(const pc_force *f, int root, double y, double u, double w, pc_normal *out)
{
    int e = f->elastic_power, d = f->damping_power, s = f->stiffness_power, low = d < e ? d : e;
    /* most laws have d = e and s = e - root */
    double v = power_of(y, root), below = power_of(y, e - root), at_e = below * v;
    out->F = f->base + f->elastic * at_e;
    out->dFdu = e * f->elastic * below / root;
    out->dFdw = 0;
    if (f->damping != 0) {
        out->dFdw = f->damping * (d == e ? at_e : power_of(y, d));
        out->F += out->dFdw * w;
        if (d > 0) out->dFdu += d * f->damping * (d == e ? below : power_of(y, d - root)) / root * w;
    }
    out->k = f->stiffness * (s == e - root ? below : power_of(y, s));
    out->dk = out->ddk = 0;
    if (s > 0) {
        out->dk = f->stiffness * s / root * power_of(y, s - root);
        out->ddk = out->dk * (s - root) / (root * v);
    }
    /* beyond the parting, where an even power would rise again, it goes on falling */
    double deep = power_of(fabs(y), e - low);
    out->release = f->ends_by_force ? f->elastic * copysign(deep, y) + f->damping * power_of(y, d - low) * w : y;
    out->kink = f->kink < INFINITY ? f->kink - u : 1;
}
