/* The viscoelastic sphere: Hertz contact with a damping in proportion to the rate of the elastic stress.
 *
 * F_n = K (u^1.5 + 3/2 A u^0.5 w); the contact ends where F_n falls to 0, with tension where u does. Restitution
 * depends on mass and speed through b = A (K/m)^(2/5) |v|^(1/5) alone and falls with it, as in experiments below
 * yield: e = 1 - C1 b + 3/5 C1^2 b^2 - ..., C1 = 1.0041..., to the order at which the end of the contact plays no part.
 *
 * Sources: Kuwabara and Kono, Jpn. J. Appl. Phys. 26 (1987); Brilliantov, Spahn, Hertzsch and Poeschel, Phys. Rev. E 53
 * (1996); Schwager and Poeschel, Phys. Rev. E 78 (2008), for the end of the contact.
 */
#include "law/hertz.h"
#include "law/law.h"
#include "law/series.h"

#include <math.h>

typedef struct viscoelastic {
    pc_hertz hertz;
    double dissipation;
    bool tension;
    pc_tangential_choice tangential;
} viscoelastic;

enum { STIFFNESS, DAMPING };

static const pc_row rows[] = {
    PC_HERTZ_ROWS(viscoelastic),
    PC_ROW(viscoelastic, dissipation, "dissipation", .symbol = "A", .unit = {.s = 1}, .initial = PC_REQUIRED,
           .allowed = PC_NONNEGATIVE, .sample = {0, 1e-4},
           .doc = "dissipative constant A of the material, the time in which its viscous stress relaxes"),
    PC_TENSION_ROW(viscoelastic),
    PC_TANGENTIAL_ROWS(viscoelastic),
};

PC_HERTZ_VALIDATE(viscoelastic)

static const pc_schema schema = {
    .name = "contact.viscoelastic",
    .summary = "Hertz contact of viscoelastic spheres, whose restitution falls with the speed of approach.",
    .details =
        "F_n = K (u^1.5 + 3/2 A u^0.5 du/dt). By default the contact ends where the force has fallen to 0; with "
        "tension = true it lasts until u = 0, and the force is negative before. The kinematic restitution of a central "
        "impact depends on b alone.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K (u^1.5 + 3/2 A u^0.5 w): at the indentation u and its rate w\n"
                 "b = A (K/m_n)^0.4 |v_n|^0.2: on which restitution depends, with the mass m_n = 1/w_nn\n"
                 "|F_t| <= mu F_n: always",
    .source = "Kuwabara and Kono (1987); Brilliantov et al., Phys. Rev. E 53 (1996); Schwager and Poeschel, Phys. Rev. "
              "E 78 (2008)",
    .example =
        "local law = percuss.contact.viscoelastic{ modulus = 1e9, radius = 0.01, dissipation = 1e-6, friction = 0 }\n"
        "local function e(speed)\n"
        "    local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }\n"
        "    return percuss.collide(ball, law, { vt = 0, vn = -speed }).restitution.kinematic\n"
        "end\n"
        "print(e(0.1) > e(1), e(1) > e(10)) --> true\ttrue",
    PC_ROWS(rows),
    .size = sizeof(viscoelastic),
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE},
    .validate = validate,
};

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const viscoelastic *law = params;
    (void)mass, (void)speed;
    double c = pc_hertz_scaled(&law->hertz, scales);
    out->c[STIFFNESS] = c;
    out->c[DAMPING] = 1.5 * c * law->dissipation * scales->velocity / scales->length;
    out->pulls = law->tension;
    out->root = 2;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    double y = x->y, c = p->c[STIFFNESS], d = p->c[DAMPING], force = c * y * y + d * x->w;
    out->F = y * force;
    out->dFdu = 1.5 * c * y + 0.5 * d * x->w / y;
    out->dFdw = d * y;
    out->k = 1.5 * c * y;
    out->dk = 0.75 * c / y;
    out->ddk = -0.375 * c / (y * y * y);
    out->release = d == 0 || p->pulls ? y : c * y * fabs(y) + d * x->w; /* which falls beyond the parting too */
    out->kink = p->pulls ? force : 1;                                   /* friction ends there */
}

static void shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(p->c[STIFFNESS], 3, 2);
    out->damping = p->c[DAMPING];
    out->damping_power = 1;
    out->ends_by_force = p->c[DAMPING] > 0 && !p->pulls;
}

static const pc_element element = {
    .length = pc_hertz_length, .prepare = prepare, .normal = normal, .stored = pc_hertz_stored, .shape = shape};

PC_ELEMENT_LAW(viscoelastic, viscoelastic, tangential.mu, tangential.rolling, PC_LAW_MAY_GAIN)
