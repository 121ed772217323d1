/* Elastic constants of a Hertz contact: see hertz.h. */
#include "law/hertz.h"

#include "law/series.h"

#include <math.h>

/* 1/E* and 1/G* of one surface. */
static double compliance(double young, double poisson)
{
    return (1 - poisson * poisson) / young;
}

static double shear_compliance(double young, double poisson)
{
    return (2 - poisson) * 2 * (1 + poisson) / young;
}

double pc_hertz_radius(const pc_hertz *h)
{
    return isnan(h->counter_radius) ? h->radius : 1 / (1 / h->radius + 1 / h->counter_radius);
}

double pc_hertz_stiffness(const pc_hertz *h)
{
    return 4.0 / 3 * h->modulus * sqrt(pc_hertz_radius(h));
}

pc_status pc_hertz_validate(const pc_schema *schema, void *params, uint64_t given, pc_error *err)
{
    pc_hertz *h = params;
    bool young = pc_schema_given(schema, given, "young");
    bool poisson = pc_schema_given(schema, given, "poisson");
    bool counter = pc_schema_given(schema, given, "counter_young");
    if (counter != pc_schema_given(schema, given, "counter_poisson"))
        return pc_fail(err, PC_E_ARGUMENT, "%s: counter_young and counter_poisson are given together", schema->name);
    if (young && !poisson)
        return pc_fail(err, PC_E_ARGUMENT, "%s: young (E) needs poisson (nu) beside it", schema->name);
    if (counter && !young)
        return pc_fail(err, PC_E_ARGUMENT, "%s: counter_young stands beside young; the modulus already holds both",
                       schema->name);
    if (young) {
        double normal = compliance(h->young, h->poisson), shear = shear_compliance(h->young, h->poisson);
        if (counter) {
            normal += compliance(h->counter_young, h->counter_poisson);
            shear += shear_compliance(h->counter_young, h->counter_poisson);
        }
        h->modulus = 1 / normal;
        h->kappa = shear / (6 * normal);
    } else if (poisson) {
        h->kappa = (2 - h->poisson) / (3 * (1 - h->poisson));
    }
    if (h->counter_radius == 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: counter_radius must not be 0; leave it out for a plane", schema->name);
    if (!(pc_hertz_radius(h) > 0))
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: counter_radius = %.10g m is a seat that the body of radius %.10g m does not fit into",
                       schema->name, h->counter_radius, h->radius);
    return PC_OK;
}

pc_status pc_hertz_validate_choice(const pc_schema *schema, pc_hertz *h, pc_tangential_choice *choice, uint64_t given,
                                   pc_error *err)
{
    pc_status status = pc_hertz_validate(schema, h, given, err);
    if (status) return status;
    if (!pc_schema_given(schema, given, "stiffness_ratio"))
        choice->eta = choice->kind == PC_TANGENTIAL_MINDLIN ? 1.5 * h->kappa : NAN;
    return pc_tangential_validate(schema, choice, err);
}

double pc_hertz_length(const void *params, double mass, double speed)
{
    return pow(mass * speed * speed / pc_hertz_stiffness(params), 0.4);
}

double pc_hertz_scaled(const pc_hertz *h, const pc_scales *scales)
{
    double length = scales->length;
    return pc_hertz_stiffness(h) * length * length * sqrt(length) /
           (scales->mass * scales->velocity * scales->velocity);
}

void pc_hertz_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    double c = p->c[0], y = x->y;
    out->F = c * y * y * y;
    out->dFdu = out->k = 1.5 * c * y;
    out->dFdw = 0;
    out->dk = 0.75 * c / y;
    out->ddk = -0.375 * c / (y * y * y);
    out->release = y;
    out->kink = 1;
}

double pc_hertz_stored(const pc_prepared *p, const pc_indent *x)
{
    return 0.4 * p->c[0] * x->y * x->u * x->u;
}

void pc_hertz_shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(p->c[0], 3, 2);
}
