/* Adhesion after Derjaguin, Muller and Toporov: Hertz contact and a constant attraction while it lasts.
 *
 * F_n = K u^1.5 - 2 pi Gamma R. The force jumps to its pull-off value at the touch and the contact ends at u = 0, so
 * nothing is lost. Friction is bounded by mu F_n and 0 where the bodies pull.
 *
 * Source: Derjaguin, Muller and Toporov, J. Colloid Interface Sci. 53 (1975).
 */
#include "law/hertz.h"
#include "law/law.h"
#include "law/series.h"

#include <math.h>

typedef struct dmt {
    pc_hertz hertz;
    double work;
    pc_tangential_choice tangential;
} dmt;

enum { STIFFNESS, PULL };

static const pc_row rows[] = {
    PC_HERTZ_ROWS(dmt),
    PC_ROW(dmt, work, "work_of_adhesion", .symbol = "Gamma", .greek = "Γ", .unit = {.kg = 1, .s = -2},
           .initial = PC_REQUIRED, .allowed = PC_NONNEGATIVE, .sample = {0.01, 1},
           .doc = "work that parts a unit of surface, 2 gamma of equal solids"),
    PC_TANGENTIAL_ROWS(dmt),
};

PC_HERTZ_VALIDATE(dmt)

static const pc_schema schema = {
    .name = "contact.dmt",
    .summary = "Hertz contact with a constant attraction while the bodies touch: small stiff adhesive spheres.",
    .details = "Right where the Tabor parameter is small; nothing is lost at the touch or the parting, so an impact "
               "without friction has e = 1. A slow one whose friction takes what the attraction has given ends "
               "\"adhered\". What rests in a scene of frozen configuration is held by 2 pi Gamma R, and "
               "friction is bounded there by mu times F_n and that, as Derjaguin has it.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K u^1.5 - 2 pi Gamma R: at the indentation u\n"
                 "|F_t| <= mu F_n: and 0 where F_n < 0",
    .source = "Derjaguin, Muller and Toporov, J. Colloid Interface Sci. 53 (1975)",
    .example =
        "local law = percuss.contact.dmt{ modulus = 1e9, radius = 1e-4, work_of_adhesion = 0.1, friction = 0 }\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 1e-4, mass = 1e-8 }, law, { vt = 0, vn = -0.1 })\n"
        "print(string.format('%.4e N', hit.peak.n)) --> 8.4430e-04 N",
    PC_ROWS(rows),
    .size = sizeof(dmt),
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE},
    .validate = validate,
};

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const dmt *law = params;
    (void)mass, (void)speed;
    double force = scales->mass * scales->velocity * scales->velocity / scales->length;
    out->c[STIFFNESS] = pc_hertz_scaled(&law->hertz, scales);
    out->c[PULL] = 2 * M_PI * law->work * pc_hertz_radius(&law->hertz) / force;
    out->pulls = law->work > 0;
    out->root = 2;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    pc_hertz_normal(p, x, out);
    out->F -= p->c[PULL];
    if (p->pulls) out->kink = out->F; /* friction begins there */
}

/* Nothing at the touch. */
static double stored(const pc_prepared *p, const pc_indent *x)
{
    return pc_hertz_stored(p, x) - p->c[PULL] * x->u;
}

static void shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    pc_hertz_shape(p, x, beyond, out);
    out->base = -p->c[PULL];
}

static double pull_off(const void *params)
{
    const dmt *law = params;
    return 2 * M_PI * law->work * pc_hertz_radius(&law->hertz);
}

static const pc_element element = {.length = pc_hertz_length,
                                   .pull_off = pull_off,
                                   .prepare = prepare,
                                   .normal = normal,
                                   .stored = stored,
                                   .shape = shape};

PC_ELEMENT_LAW(dmt, dmt, tangential.mu, tangential.rolling, PC_LAW_MAY_GAIN | PC_LAW_ADHESIVE)
