/* Power laws with damping in proportion to the elastic force, so that the force starts and ends at zero.
 *
 * F_n = k u^p (1 + zeta w). A central impact has a - ln(1 + a) = -b - ln(1 - b) with a = zeta v_in, b = zeta v_out,
 * e = b/a, whatever p, k and the mass: first integral of m w' = -k u^p (1 + zeta w) over u. Lankarani and Nikravesh
 * take zeta = 3 (1 - e^2)/(4 v_in), p = 1.5, by an energy argument that holds near e = 1: the restitution that comes
 * out is larger than the one asked for, the more so the smaller it is.
 *
 * Sources: Hunt and Crossley, J. Appl. Mech. 42 (1975); Lankarani and Nikravesh, J. Mech. Design 112 (1990).
 */
#include "law/element.h"

#include "law/law.h"
#include "law/series.h"

#include <math.h>

/* ---- the normal force ---- */

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

/* Length of the scaled problem: (m v^2/k)^(1/(p + 1)). */
static double length(const void *params, double mass, double speed)
{
    const pc_power *power = &((const pc_hunt_crossley *)params)->power;
    return pow(mass * speed * speed / power->k, 1 / (power->p + 1));
}

static void normal(const pc_prepared *at, const pc_indent *x, pc_normal *out)
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

static double stored(const pc_prepared *at, const pc_indent *x)
{
    double p = at->c[EXPONENT];
    return at->c[STIFFNESS] * pow(fabs(x->u), p + 1) / (p + 1);
}

static void shape(const pc_prepared *at, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(at->c[STIFFNESS], (int)lround(at->c[EXPONENT] * at->root), at->root);
    out->damping = at->c[STIFFNESS] * at->c[ZETA];
}

/* ---- Hunt and Crossley ---- */

static const pc_row rows[] = {
    PC_ROW(pc_hunt_crossley, power.k, "stiffness", .symbol = "k",
           .unit = {.kg = 1, .m = 1, .s = -2, .m_minus = "exponent"}, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e6, 1e10}, .doc = "stiffness of F_n = k u^p; 4/3 E* sqrt(R) for Hertz contact"),
    PC_ROW(pc_hunt_crossley, power.p, "exponent", .symbol = "p", .initial = 1.5, .allowed = {1, 10, false, false},
           .sample = {1, 2.5}, .doc = "exponent of the indentation; 1.5 for Hertz contact, 1 for a linear spring"),
    PC_ROW(pc_hunt_crossley, damping, "damping", .symbol = "zeta", .greek = "ζ", .unit = {.m = -1, .s = 1},
           .initial = PC_ABSENT, .allowed = PC_NONNEGATIVE, .sample = {0, 1}, .group = 1,
           .doc = "damping zeta: the force is k u^p (1 + zeta du/dt)"),
    PC_RESTITUTION_ROW(
        pc_hunt_crossley, 1,
        "kinematic restitution of a central impact; zeta then follows exactly from it and each impact's speed",
        {0.05, 1, false, false}),
    PC_TANGENTIAL_ROWS(pc_hunt_crossley),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_hunt_crossley *law = object;
    (void)given;
    law->near_one = false;
    return pc_tangential_validate(schema, &law->tangential, err);
}

static pc_status validate_nikravesh(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_hunt_crossley *law = object;
    (void)given;
    law->power.p = 1.5;
    law->near_one = true;
    return pc_tangential_validate(schema, &law->tangential, err);
}

static const pc_schema schema = {
    .name = "contact.hunt_crossley",
    .summary = "Power law with damping in proportion to the force, which starts and ends at zero.",
    .details =
        "F_n = k u^p (1 + zeta du/dt). Given zeta, faster impacts lose a larger part; given restitution, zeta is "
        "a/|v_n| with a the root of a - ln(1 + a) = -e a - ln(1 - e a).",
    .equations = "F_n = k u^p (1 + zeta w): at the indentation u and its rate w\n"
                 "a - ln(1 + a) = -e a - ln(1 - e a): of a central impact, with a = zeta |v_n|\n"
                 "|F_t| <= mu F_n: always",
    .source = "Hunt and Crossley, J. Appl. Mech. 42 (1975)",
    .example =
        "local law = percuss.contact.hunt_crossley{ stiffness = 1e9, restitution = 0.8, friction = 0.3 }\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 0.01, mass = 0.03 }, law, { vt = 0, vn = -1 })\n"
        "print(string.format('%.9f', hit.restitution.kinematic)) --> 0.800000000",
    PC_ROWS(rows),
    .size = sizeof(pc_hunt_crossley),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_hunt_crossley *law = params;
    (void)mass;
    double e = law->restitution;
    double zeta = isnan(e) ? law->damping : (law->near_one ? 0.75 * (1 - e * e) : pc_hunt_crossley_a(e)) / speed;
    const pc_power *power = &law->power;
    double energy = scales->mass * scales->velocity * scales->velocity;
    out->c[STIFFNESS] = power->k * pow(scales->length, power->p + 1) / energy;
    out->c[EXPONENT] = power->p;
    out->c[ZETA] = zeta * scales->velocity;
    out->root = root_of(power->p);
    out->has_shape = out->root > 0;
    if (!out->has_shape) out->root = 2;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static const pc_element element = {
    .length = length,
    .prepare = prepare,
    .normal = normal,
    .stored = stored,
    .shape = shape,
};

PC_ELEMENT_LAW(hunt_crossley, pc_hunt_crossley, tangential.mu, tangential.rolling, PC_LAW_MAY_GAIN)

/* ---- Lankarani and Nikravesh ---- */

static const pc_row nikravesh_rows[] = {
    PC_ROW(pc_hunt_crossley, power.k, "stiffness", .symbol = "k", .unit = {.kg = 1, .m = -0.5F, .s = -2},
           .initial = PC_REQUIRED, .allowed = PC_POSITIVE, .sample = {1e6, 1e10},
           .doc = "stiffness of F_n = k u^1.5: 4/3 E* sqrt(R)"),
    PC_ROW(pc_hunt_crossley, restitution, "restitution", .role = PC_RESTITUTION, .symbol = "e", .initial = PC_REQUIRED,
           .allowed = {0, 1, false, false}, .sample = {0.3, 1},
           .doc = "restitution put into zeta = 3 (1 - e^2)/(4 v_in); the one achieved is larger"),
    PC_TANGENTIAL_ROWS(pc_hunt_crossley),
};

static const pc_schema nikravesh_schema = {
    .name = "contact.lankarani_nikravesh",
    .summary = "Hertz contact with damping in proportion to the force, set from a wanted restitution near 1.",
    .details =
        "F_n = k u^1.5 (1 + zeta du/dt) with zeta = 3 (1 - e^2)/(4 v_in). Only near e = 1 does an impact achieve "
        "the restitution that was asked for; hunt_crossley with a restitution achieves it exactly.",
    .equations = "F_n = k u^1.5 (1 + zeta w): at the indentation u and its rate w\n"
                 "zeta = 3 (1 - e^2)/(4 |v_n|): v_n being that before the impact\n"
                 "|F_t| <= mu F_n: always",
    .source = "Lankarani and Nikravesh, J. Mech. Design 112 (1990)",
    .example =
        "local law = percuss.contact.lankarani_nikravesh{ stiffness = 1e9, restitution = 0.5, friction = 0 }\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 0.01, mass = 0.03 }, law, { vt = 0, vn = -1 })\n"
        "print(string.format('%.3f', hit.restitution.kinematic)) --> 0.725",
    PC_ROWS(nikravesh_rows),
    .size = sizeof(pc_hunt_crossley),
    .validate = validate_nikravesh,
};

const pc_law pc_law_lankarani_nikravesh = {
    .schema = &nikravesh_schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_MAY_GAIN,
    .element = &element,
    .friction = friction,
    .turning = turning,
};
