/* The normal force k u^p (1 + zeta w): see hunt_crossley.h. */
#include "law/hunt_crossley.h"

#include "law/series.h"

#include <math.h>

/* Constants of the element, scaled. */
enum { STIFFNESS, EXPONENT, ZETA };

/* Deepest root of u that is tried; beyond it the powers grow so high that integration is as cheap. */
enum { DEEPEST = 6 };

/* The root of u in which u^p is a whole power that series can follow; 0: there is none. */
static int root_of(double p)
{
    /* 10 / 3 and its kin are whole to rounding */
    const double whole = 1e-14;
    for (int n = 1; n <= DEEPEST; n++)
        if (fabs(n * p - round(n * p)) <= whole * n * p && n * p + n - 1 <= PC_SERIES_POWER) return n;
    return 0;
}

double pc_power_length(const pc_power *power, double mass, double speed)
{
    return pow(mass * speed * speed / power->k, 1 / (power->p + 1));
}

void pc_power_prepare(const pc_power *power, const pc_tangential_choice *tangential, const pc_scales *scales,
                      double zeta, pc_prepared *out)
{
    double energy = scales->mass * scales->velocity * scales->velocity;
    out->c[STIFFNESS] = power->k * pow(scales->length, power->p + 1) / energy;
    out->c[EXPONENT] = power->p;
    out->c[ZETA] = zeta * scales->velocity;
    out->root = root_of(power->p);
    out->has_shape = out->root > 0;
    if (!out->has_shape) out->root = 2;
    out->tangential = pc_tangential_prepare(tangential, energy / (scales->length * scales->length));
}

void pc_power_normal(const pc_prepared *at, const pc_indent *x, pc_normal *out)
{
    double c = at->c[STIFFNESS], p = at->c[EXPONENT], damped = 1 + at->c[ZETA] * x->w;
    double lower = p == 1.5 ? x->y : p == 1 ? 1 : pow(fabs(x->u), p - 1); /* u^(p - 1) */
    double elastic = c * lower * x->u;
    out->k = p * c * lower;
    out->dk = (p - 1) * out->k / x->u;
    out->ddk = (p - 2) * out->dk / x->u;
    out->F = elastic * damped;
    out->dFdu = out->k * damped;
    out->dFdw = elastic * at->c[ZETA];
    out->release = x->y * (x->y < 0 ? fabs(damped) : damped); /* where both factors have fallen it is over as well */
    out->kink = 1;
}

double pc_power_stored(const pc_prepared *at, const pc_indent *x)
{
    double p = at->c[EXPONENT];
    return at->c[STIFFNESS] * pow(fabs(x->u), p + 1) / (p + 1);
}

void pc_power_shape(const pc_prepared *at, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(at->c[STIFFNESS], (int)lround(at->c[EXPONENT] * at->root), at->root);
    out->damping = at->c[STIFFNESS] * at->c[ZETA];
}
