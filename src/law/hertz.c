/* Hertz contact: its elastic constants (see hertz.h), and the laws with a tangential stiffness in proportion to the
 * normal one. */
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

/* ---- laws with tangential stiffness ---- */

static void prepare(const pc_hertz *h, pc_tangential_kind kind, double mu, double cone, const pc_scales *scales,
                    pc_prepared *out)
{
    out->c[0] = pc_hertz_scaled(h, scales);
    out->root = 2;
    out->has_shape = true;
    out->tangential = (pc_tangential){.kind = kind, .mu = mu, .ratio = 2 / (3 * h->kappa), .cone = cone};
}

/* The coupled law: Hertz contact with a tangential stiffness from one potential, so that nothing but friction loses
 * energy.
 *
 * V(u, s) = 8/15 E* sqrt(R) u^2.5 + 4 G* sqrt(R u) s^2, F_n = dV/du, F_t = -dV/ds. The particle slips where |s|/u
 * reaches C = 2 kappa mu/(1 + sqrt(1 - kappa mu^2)), kappa = E* / (6 G*); with kappa mu^2 >= 1 it never does, and F_n
 * then grows beyond all bounds (integrably) as the bodies part.
 *
 * Source: Lai (1999), equations 5.18 to 5.27; dissimilar materials by the sums of their compliances.
 */

static const pc_row coupled_rows[] = {
    PC_HERTZ_ROWS(pc_coupled),
    PC_FRICTION_ROW(pc_coupled, friction),
};

static const pc_schema coupled_schema = {
    .name = "contact.coupled",
    .summary =
        "Hertz contact whose normal and tangential stiffness come from one potential: loses friction's work alone.",
    .details =
        "F_n = K u^1.5 (1 + (s/u)^2/(4 kappa)), F_t = -K sqrt(u) s/kappa, with K = 4/3 E* sqrt(R) and kappa = E* / (6 "
        "G*) = (2 - nu)/(3 (1 - nu)) for equal materials. The contact particle sticks while |s|/u < C = 2 kappa mu/(1 "
        "+ sqrt(1 - kappa mu^2)). Where kappa mu^2 >= 1 it never slips and the impact loses nothing; F_n then grows "
        "beyond all bounds as the bodies part, where there is a stretch left, and its peak is infinite.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K u^1.5 (1 + (x/u)^2/(4 kappa)): u is the indentation, x the stretch along t\n"
                 "F_t = -K sqrt(u) x/kappa: so that an energy is behind both forces\n"
                 "|x|/u <= 2 kappa mu/(1 + sqrt(1 - kappa mu^2)): with equality in slip\n"
                 "F_t = -mu s F_n: in slip, s = 1 or -1 being its direction",
    .source = "Lai (1999), equations 5.18 to 5.30",
    .example = "local law = percuss.contact.coupled{ young = 70e9, poisson = 0.3, radius = 0.05, friction = 0.1 }\n"
               "print(string.format('%.6g', law.modulus)) --> 7.69231e+10",
    PC_ROWS(coupled_rows),
    .size = sizeof(pc_coupled),
    .groups = {PC_EXACTLY_ONE, PC_EXACTLY_ONE},
    .validate = pc_hertz_validate,
};

double pc_coupled_cone(double kappa, double mu)
{
    double rest = 1 - kappa * mu * mu;
    return rest > 0 ? 2 * kappa * mu / (1 + sqrt(rest)) : INFINITY;
}

static void coupled_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_coupled *law = params;
    (void)mass, (void)speed;
    prepare(&law->hertz, PC_TANGENTIAL_COUPLED, law->friction, pc_coupled_cone(law->hertz.kappa, law->friction), scales,
            out);
}

const pc_element pc_coupled_element = {.length = pc_hertz_length,
                                       .prepare = coupled_prepare,
                                       .normal = pc_hertz_normal,
                                       .stored = pc_hertz_stored,
                                       .shape = pc_hertz_shape};

PC_ONE_FRICTION(pc_coupled, friction)

const pc_law pc_law_coupled = {
    .schema = &coupled_schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_CONSERVATIVE,
    .element = &pc_coupled_element,
    .friction = friction,
};

/* Hertz and Mindlin without slip at the edge: the law of most particle codes.
 *
 * F_n = K u^1.5, and a tangential stiffness 8 G* sqrt(R u) with Coulomb's limit on the whole force. `incremental`:
 * dF_t = -8 G* sqrt(R u) ds. `secant`: F_t = -8 G* sqrt(R u) s, slip at |s|/u = kappa mu (Lai 1999, eqs 5.11, 5.12).
 * The normal force does not know of the tangential stretch, so neither form has a potential: a stretch stored at one
 * indentation is returned at another, and the works in the result show what that creates or destroys.
 *
 * Sources: Mindlin, J. Appl. Mech. 16 (1949); Lai (1999), section 5.1; Di Renzo and Di Maio, Chem. Eng. Sci. 59 (2004).
 */

typedef struct hertz_mindlin {
    pc_hertz hertz;
    pc_tangential_choice tangential; /* friction and rolling of it */
    int form;
} hertz_mindlin;

enum { INCREMENTAL, SECANT };

static const char *const forms[] = {"incremental", "secant", NULL};

static const pc_row mindlin_rows[] = {
    PC_HERTZ_ROWS(hertz_mindlin),
    PC_FRICTION_ROW(hertz_mindlin, tangential.mu),
    PC_CHOICE_ROW(hertz_mindlin, form, "form", forms, .initial = INCREMENTAL,
                  .doc = "incremental: dF_t = -8 G* sqrt(R u) ds; secant: F_t = -8 G* sqrt(R u) s"),
    PC_ROLLING_ROW(hertz_mindlin, tangential.rolling),
};

static void mindlin_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const hertz_mindlin *law = params;
    (void)mass, (void)speed;
    prepare(&law->hertz, law->form == SECANT ? PC_TANGENTIAL_SECANT : PC_TANGENTIAL_MINDLIN, law->tangential.mu,
            law->hertz.kappa * law->tangential.mu, scales, out);
}

static const pc_element mindlin_element = {.length = pc_hertz_length,
                                           .prepare = mindlin_prepare,
                                           .normal = pc_hertz_normal,
                                           .stored = pc_hertz_stored,
                                           .shape = pc_hertz_shape};

PC_ELEMENT_LAW(
    hertz_mindlin, hertz_mindlin, mindlin_rows, mindlin_element, 0,
    .summary = "Hertz contact with Mindlin's no-slip stiffness, as particle codes have it; not conservative.",
    .details =
        "F_n = K u^1.5; the tangential stiffness is 8 G* sqrt(R u), applied to increments or to the whole stretch, "
        "with |F_t| <= mu F_n. Both forms create or destroy a little energy: work.tangential less work.friction "
        "is what the tangential element has not given back.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K u^1.5: by Hertz, u being the indentation\n"
                 "k_t = K sqrt(u)/kappa: tangential stiffness, equal to 8 G_c sqrt(R u)\n"
                 "|F_t| <= mu F_n: always\n"
                 "F_t = -mu s F_n: in slip, s = 1 or -1 being its direction",
    .source = "Mindlin, J. Appl. Mech. 16 (1949); Lai (1999), equations 5.11 and 5.12",
    .example = "local law = percuss.contact.hertz_mindlin{ modulus = 1, kappa = 0.8, radius = 1, friction = 0.5 }\n"
               "print(law.form) --> incremental",
    .groups = {PC_EXACTLY_ONE, PC_EXACTLY_ONE}, .validate = pc_hertz_validate)
