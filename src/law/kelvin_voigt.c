/* Kelvin and Voigt's law: a spring and a dashpot side by side.
 *
 * F_n = k u + c w. The force jumps to c w at the touch. Clipped, the contact ends where F_n falls to 0, with u still
 * positive; unclipped ("tension") it ends at u = 0 and pulls before. With z = c/(2 sqrt(k m)):
 *
 *     unclipped  e = exp(-pi z/sqrt(1 - z^2)), z < 1
 *     clipped    e = exp(-2 z acos(z)/sqrt(1 - z^2)), beyond z = 1 with acosh(z)/sqrt(z^2 - 1)
 *
 * since F_n = 0 at the angle omega t = 2 acos z, where the speed is v exp(-beta t). Friction is 0 while F_n < 0.
 *
 * Source: Schwager and Poeschel, Granular Matter 9 (2007), for the clipped contact; the form above is simpler.
 */
#include "law/law.h"
#include "law/element.h"
#include "law/series.h"

#include <math.h>

typedef struct kelvin_voigt {
    double stiffness, damping, ratio, restitution;
    bool tension;
    pc_tangential_choice tangential;
} kelvin_voigt;

enum { STIFFNESS, DAMPING };

static const pc_row rows[] = {
    PC_ROW(kelvin_voigt, stiffness, "stiffness", .symbol = "k", .unit = PC_UNIT_N_PER_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .sample = {1e3, 1e8}, .doc = "stiffness of the spring"),
    PC_ROW(kelvin_voigt, damping, "damping", .symbol = "c", .unit = {.kg = 1, .s = -1}, .initial = PC_ABSENT,
           .allowed = PC_NONNEGATIVE, .group = 1, .doc = "constant of the dashpot"),
    PC_ROW(kelvin_voigt, ratio, "damping_ratio", .symbol = "z", .initial = PC_ABSENT, .allowed = PC_NONNEGATIVE,
           .sample = {0, 0.9}, .group = 1, .doc = "damping over its critical value, c/(2 sqrt(k m)) with m = 1/w_nn"),
    PC_RESTITUTION_ROW(kelvin_voigt, 1,
                       "kinematic restitution of a central impact, from which the damping ratio follows",
                       {0, 1, true, false}),
    PC_TENSION_ROW(kelvin_voigt),
    PC_TANGENTIAL_ROWS(kelvin_voigt),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    kelvin_voigt *law = object;
    if (pc_schema_given(schema, given, "restitution"))
        law->ratio = law->tension ? pc_tension_ratio(law->restitution) : pc_clipped_ratio(law->restitution);
    if (law->tension && law->ratio >= 1)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: damping_ratio (z) = %.10g; with tension it must be below 1, or the contact never ends",
                       schema->name, law->ratio);
    return pc_tangential_validate(schema, &law->tangential, err);
}

static const pc_schema schema = {
    .name = "contact.kelvin_voigt",
    .summary = "A linear spring and a dashpot side by side, with or without tension at the end.",
    .details =
        "F_n = k u + c du/dt. The force jumps to c |v_n| at the touch. By default the contact ends where the force "
        "has fallen to 0; with tension = true it lasts until u = 0, and the force is negative before.",
    .equations = "F_n = k u + c w: at the indentation u and its rate w\n"
                 "z = c/(2 sqrt(k m_n)): damping ratio, with the mass m_n = 1/w_nn\n"
                 "|F_t| <= mu F_n: always",
    .source = "Schwager and Poeschel, Granular Matter 9 (2007)",
    .example = "local law = percuss.contact.kelvin_voigt{ stiffness = 1e6, restitution = 0.5, friction = 0 }\n"
               "print(string.format('%.6f', law.damping_ratio)) --> 0.255276",
    PC_ROWS(rows),
    .size = sizeof(kelvin_voigt),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

static double length(const void *params, double mass, double speed)
{
    return speed * sqrt(mass / ((const kelvin_voigt *)params)->stiffness);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const kelvin_voigt *law = params;
    (void)speed;
    double stiffness = pc_scales_stiffness(scales);
    double c = isnan(law->ratio) ? law->damping : 2 * law->ratio * sqrt(law->stiffness * mass);
    out->c[STIFFNESS] = law->stiffness / stiffness;
    out->c[DAMPING] = c * scales->velocity / scales->length / stiffness;
    out->pulls = law->tension;
    out->root = 1;
    out->linear = true;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    out->F = p->c[STIFFNESS] * x->u + p->c[DAMPING] * x->w;
    out->dFdu = out->k = p->c[STIFFNESS];
    out->dFdw = p->c[DAMPING];
    out->dk = out->ddk = 0;
    out->release = p->pulls ? x->u : out->F;
    out->kink = p->pulls ? out->F : 1; /* friction ends there */
}

static double stored(const pc_prepared *p, const pc_indent *x)
{
    return p->c[STIFFNESS] * x->u * x->u / 2;
}

static void shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(p->c[STIFFNESS], 1, 1);
    out->damping = p->c[DAMPING];
    out->damping_power = 0;
    out->ends_by_force = !p->pulls;
}

static const pc_element element = {
    .length = length, .prepare = prepare, .normal = normal, .stored = stored, .shape = shape};

PC_ELEMENT_LAW(kelvin_voigt, kelvin_voigt, tangential.mu, tangential.rolling, PC_LAW_MAY_GAIN)
