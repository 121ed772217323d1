/* The linear law as an element: where several contacts act at once, or the configuration moves, no closed form holds.
 *
 * The normal spring is Walton and Braun's: loading on k_n, unloading and loading again on k_n/E^2 up to the greatest
 * force so far; the tangential one is a spring of its own.
 */
#include "law/element.h"
#include "law/linear/linear.h"

#include <math.h>

enum { LOADING, UNLOADING };

static double length(const void *params, double mass, double speed)
{
    return speed * sqrt(mass / ((const pc_linear *)params)->kn);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_linear *law = params;
    (void)mass, (void)speed;
    double stiffness = scales->mass * scales->velocity * scales->velocity / (scales->length * scales->length);
    out->c[LOADING] = law->kn / stiffness;
    out->c[UNLOADING] = out->c[LOADING] / (law->restitution * law->restitution);
    out->plastic = law->restitution < 1;
    out->root = 1;
    out->linear = true;
    out->tangential = (pc_tangential){.kind = PC_TANGENTIAL_SPRING, .mu = law->mu, .kt = law->kt / stiffness};
}

/* Distance from where unloading ends, once the greatest indentation is `most`. */
static double left(const pc_prepared *p, double u, double most)
{
    return u - most * (1 - p->c[LOADING] / p->c[UNLOADING]);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    out->k = out->dFdu = p->c[x->branch ? UNLOADING : LOADING];
    out->release = x->branch ? left(p, x->u, x->memory) : x->u;
    out->F = out->k * out->release;
    out->dFdw = out->dk = out->ddk = 0;
    out->kink = 1;
}

static double stored(const pc_prepared *p, const pc_indent *x)
{
    double d = left(p, x->u, x->branch ? x->memory : x->u);
    return p->c[UNLOADING] * d * d / 2;
}

const pc_element pc_linear_element = {.length = length, .prepare = prepare, .normal = normal, .stored = stored};
