/* Hunt and Crossley's law: damping in proportion to the elastic force, so that the force starts and ends at zero.
 *
 * F_n = k u^p (1 + zeta w). A central impact has a - ln(1 + a) = -b - ln(1 - b) with a = zeta v_in, b = zeta v_out,
 * e = b/a, whatever p, k and the mass: first integral of m w' = -k u^p (1 + zeta w) over u.
 *
 * Source: Hunt and Crossley, J. Appl. Mech. 42 (1975).
 */
#include "law/hunt_crossley.h"

#include "law/element_law.h"
#include "law/restitution.h"

#include <math.h>

static const pc_row rows[] = {
    PC_POWER_ROWS(pc_hunt_crossley),
    {.name = "damping",
     .symbol = "zeta",
     .greek = "ζ",
     .kind = PC_REAL,
     .offset = offsetof(pc_hunt_crossley, damping),
     .unit = {.m = -1, .s = 1},
     .initial = PC_ABSENT,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 1},
     .group = 1,
     .doc = "damping zeta: the force is k u^p (1 + zeta du/dt)"},
    {.name = "restitution",
     .symbol = "e",
     .kind = PC_REAL,
     .offset = offsetof(pc_hunt_crossley, restitution),
     .initial = PC_ABSENT,
     .allowed = {0.05, 1, false, false},
     .group = 1,
     .doc = "kinematic restitution of a central impact; zeta then follows exactly from it and each impact's speed"},
    PC_TANGENTIAL_ROWS(pc_hunt_crossley),
};

static const pc_schema schema;

static pc_status validate(void *object, uint64_t given, pc_error *err)
{
    const pc_hunt_crossley *law = object;
    (void)given;
    return pc_tangential_validate(&schema, &law->tangential, err);
}

static const pc_schema schema = {
    .name = "contact.hunt_crossley",
    .summary = "Power law with damping in proportion to the force, which starts and ends at zero.",
    .details =
        "F_n = k u^p (1 + zeta du/dt). Given zeta, faster impacts lose a larger part; given restitution, zeta is "
        "a/|v_n| with a the root of a - ln(1 + a) = -e a - ln(1 - e a).",
    .source = "Hunt and Crossley, J. Appl. Mech. 42 (1975)",
    .example =
        "local law = percuss.contact.hunt_crossley{ stiffness = 1e9, restitution = 0.8, friction = 0.3 }\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 0.01, mass = 0.03 }, law, { vt = 0, vn = -1 })\n"
        "print(string.format('%.9f', hit.restitution.kinematic)) --> 0.800000000",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(pc_hunt_crossley),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

static double length(const void *params, double mass, double speed)
{
    return pc_power_length(&((const pc_hunt_crossley *)params)->power, mass, speed);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_hunt_crossley *law = params;
    (void)mass;
    double zeta = isnan(law->restitution) ? law->damping : pc_hunt_crossley_a(law->restitution) / speed;
    pc_power_prepare(&law->power, &law->tangential, scales, zeta, out);
}

static const pc_element element = {
    .length = length,
    .prepare = prepare,
    .normal = pc_power_normal,
    .stored = pc_power_stored,
    .shape = pc_power_shape,
};

PC_ELEMENT_LAW(element)

PC_ONE_FRICTION(pc_hunt_crossley, tangential.mu)

const pc_law pc_law_hunt_crossley = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_MAY_GAIN,
    .impact = impact,
    .trace = trace,
    .element = &element,
    .friction = friction,
    .asked = "restitution",
};
