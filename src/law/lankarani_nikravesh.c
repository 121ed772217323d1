/* Lankarani and Nikravesh's law: Hertz contact with Hunt and Crossley's damping, its factor taken from a wanted
 * restitution by an energy argument that holds near e = 1.
 *
 * F_n = k u^1.5 (1 + zeta w), zeta = 3 (1 - e^2)/(4 v_in). The restitution that comes out is larger than the one asked
 * for, the more so the smaller it is; an impact reports what it achieved.
 *
 * Source: Lankarani and Nikravesh, J. Mech. Design 112 (1990).
 */
#include "law/element_law.h"
#include "law/hunt_crossley.h"

typedef struct lankarani_nikravesh {
    pc_power power;
    double restitution;
    pc_tangential_choice tangential;
} lankarani_nikravesh;

static const pc_row rows[] = {
    {.name = "stiffness",
     .symbol = "k",
     .kind = PC_REAL,
     .offset = offsetof(lankarani_nikravesh, power) + offsetof(pc_power, k),
     .unit = {.kg = 1, .m = -0.5F, .s = -2},
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e6, 1e10},
     .doc = "stiffness of F_n = k u^1.5: 4/3 E* sqrt(R)"},
    {.name = "restitution",
     .symbol = "e",
     .kind = PC_REAL,
     .offset = offsetof(lankarani_nikravesh, restitution),
     .initial = PC_REQUIRED,
     .allowed = {0, 1, false, false},
     .sample = {0.3, 1},
     .doc = "restitution put into zeta = 3 (1 - e^2)/(4 v_in); the one achieved is larger"},
    PC_TANGENTIAL_ROWS(lankarani_nikravesh),
};

static const pc_schema schema;

static pc_status validate(void *object, uint64_t given, pc_error *err)
{
    lankarani_nikravesh *law = object;
    (void)given;
    law->power.p = 1.5;
    return pc_tangential_validate(&schema, &law->tangential, err);
}

static const pc_schema schema = {
    .name = "contact.lankarani_nikravesh",
    .summary = "Hertz contact with damping in proportion to the force, set from a wanted restitution near 1.",
    .details =
        "F_n = k u^1.5 (1 + zeta du/dt) with zeta = 3 (1 - e^2)/(4 v_in). Only near e = 1 does an impact achieve "
        "the restitution that was asked for; hunt_crossley with a restitution achieves it exactly.",
    .source = "Lankarani and Nikravesh, J. Mech. Design 112 (1990)",
    .example =
        "local law = percuss.contact.lankarani_nikravesh{ stiffness = 1e9, restitution = 0.5, friction = 0 }\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 0.01, mass = 0.03 }, law, { vt = 0, vn = -1 })\n"
        "print(string.format('%.3f', hit.restitution.kinematic)) --> 0.725",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(lankarani_nikravesh),
    .validate = validate,
};

static double length(const void *params, double mass, double speed)
{
    return pc_power_length(&((const lankarani_nikravesh *)params)->power, mass, speed);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const lankarani_nikravesh *law = params;
    double e = law->restitution;
    (void)mass;
    pc_power_prepare(&law->power, &law->tangential, scales, 0.75 * (1 - e * e) / speed, out);
}

static const pc_element element = {
    .length = length,
    .prepare = prepare,
    .normal = pc_power_normal,
    .stored = pc_power_stored,
    .shape = pc_power_shape,
};

PC_ELEMENT_LAW(element)

PC_ONE_FRICTION(lankarani_nikravesh, tangential.mu)

const pc_law pc_law_lankarani_nikravesh = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_MAY_GAIN,
    .impact = impact,
    .trace = trace,
    .element = &element,
    .friction = friction,
    .asked = "restitution",
};
