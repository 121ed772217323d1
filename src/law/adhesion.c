/* Spheres whose surfaces hold together: stiff ones by a constant attraction, soft ones by a neck. */
#include "law/hertz.h"
#include "law/law.h"
#include "law/series.h"

#include <math.h>

typedef struct adhesive {
    pc_hertz hertz;
    double work;
    pc_tangential_choice tangential;
} adhesive;

static const pc_row rows[] = {
    PC_HERTZ_ROWS(adhesive),
    PC_ROW(adhesive, work, "work_of_adhesion", .symbol = "Gamma", .greek = "Γ", .unit = {.kg = 1, .s = -2},
           .initial = PC_REQUIRED, .allowed = PC_NONNEGATIVE, .sample = {0.01, 1},
           .doc = "work that parts a unit of surface, 2 gamma of equal solids"),
    PC_TANGENTIAL_ROWS(adhesive),
};

PC_HERTZ_VALIDATE(adhesive)

/* Scaled: K; the pull of stiff spheres, or, where soft ones hold together, b and f. */
enum { STIFFNESS, PULL, DEPTH = PULL, FORCE };

/* ---- Derjaguin, Muller and Toporov ---- */

/* Adhesion after Derjaguin, Muller and Toporov: Hertz contact and a constant attraction while it lasts.
 *
 * F_n = K u^1.5 - 2 pi Gamma R. The force jumps to its pull-off value at the touch and the contact ends at u = 0, so
 * nothing is lost. Friction is bounded by mu F_n and 0 where the bodies pull.
 *
 * Source: Derjaguin, Muller and Toporov, J. Colloid Interface Sci. 53 (1975).
 */

static void dmt_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const adhesive *law = params;
    (void)mass, (void)speed;
    double force = scales->mass * scales->velocity * scales->velocity / scales->length;
    out->c[STIFFNESS] = pc_hertz_scaled(&law->hertz, scales);
    out->c[PULL] = 2 * M_PI * law->work * pc_hertz_radius(&law->hertz) / force;
    out->pulls = law->work > 0;
    out->root = 2;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static void dmt_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    pc_hertz_normal(p, x, out);
    out->F -= p->c[PULL];
    if (p->pulls) out->kink = out->F; /* friction begins there */
}

/* Nothing at the touch. */
static double dmt_stored(const pc_prepared *p, const pc_indent *x)
{
    return pc_hertz_stored(p, x) - p->c[PULL] * x->u;
}

static void dmt_shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    pc_hertz_shape(p, x, beyond, out);
    out->base = -p->c[PULL];
}

static double dmt_pull_off(const void *params)
{
    const adhesive *law = params;
    return 2 * M_PI * law->work * pc_hertz_radius(&law->hertz);
}

static const pc_element dmt_element = {.length = pc_hertz_length,
                                       .pull_off = dmt_pull_off,
                                       .prepare = dmt_prepare,
                                       .normal = dmt_normal,
                                       .stored = dmt_stored,
                                       .shape = dmt_shape};

PC_ELEMENT_LAW(
    dmt, adhesive, rows, dmt_element, PC_LAW_ADHESIVE,
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
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE}, .validate = validate)

/* ---- Johnson, Kendall and Roberts ---- */

/* Adhesion after Johnson, Kendall and Roberts: soft spheres whose surfaces hold together, by a neck that they are
 * pulled apart by.
 *
 * Indentation and force by the radius a of the contact circle:
 *
 *     u = a^2/R - sqrt(2 pi Gamma a/E*),   F_n = 4 E* a^3/(3 R) - sqrt(8 pi Gamma E* a^3).
 *
 * Nothing acts before u = 0, where the surfaces snap together: a jumps to its value there and F_n to -4/3 pi Gamma R.
 * From then on the contact lasts until du/da = 0, where u is negative. By x = sqrt(a/a1), a1 the radius there,
 *
 *     u/b = x^4 - 4 x,   F_n/f = 4/3 x^6 - 8 x^3,   b = a1^2/R,   f = E* a1^3/R,   a1^3 = pi Gamma R^2/(8 E*),
 *
 * it ends at x = 1, u = -3 b, begins at x^3 = 4, has no force at x^3 = 6, and pulls most at x^3 = 3: 3/2 pi Gamma R.
 * The work f b (8/15 x^10 - 16/3 x^7 + 8 x^4) is stored, but for what the neck has taken between u = 0 and its end,
 * 7.0922 (Gamma^5 R^4/E*^2)^(1/3), which is lost: e = sqrt(1 - V^2/v^2) of a central impact, V the speed with that
 * energy, and below it the bodies stay together. Tangential stiffness is that of the contact circle, 8 G* a. Friction
 * is bounded by mu F_n and 0 where the bodies pull.
 *
 * Sources: Johnson, Kendall and Roberts, Proc. R. Soc. Lond. A 324 (1971); Thornton and Ning, Powder Technology 99
 * (1998), for impacts.
 */

/* The radius of the contact circle where it parts, m. */
static double least_radius(const adhesive *law)
{
    double R = pc_hertz_radius(&law->hertz);
    return cbrt(M_PI * law->work * R * R / (8 * law->hertz.modulus));
}

static double work_at(double x)
{
    double x3 = x * x * x, x4 = x3 * x;
    return x4 * (x3 * (8. / 15 * x3 - 16. / 3) + 8);
}

/* Of the touch. */
static const double X0 = 1.5874010519681994748; /* 4^(1/3) */

static double jkr_sticking_speed(const void *params, double mass)
{
    const adhesive *law = params;
    double a = least_radius(law), R = pc_hertz_radius(&law->hertz), unit = law->hertz.modulus * pow(a, 5) / (R * R);
    return sqrt(2 * unit * (work_at(1) - work_at(X0)) / mass);
}

static double jkr_pull_off(const void *params)
{
    const adhesive *law = params;
    return 1.5 * M_PI * law->work * pc_hertz_radius(&law->hertz);
}

static void jkr_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const adhesive *law = params;
    (void)mass, (void)speed;
    double a = least_radius(law), R = pc_hertz_radius(&law->hertz);
    double force = scales->mass * scales->velocity * scales->velocity / scales->length;
    out->c[STIFFNESS] = pc_hertz_scaled(&law->hertz, scales);
    out->c[DEPTH] = a * a / R / scales->length;
    out->c[FORCE] = law->hertz.modulus * a * a * a / R / force;
    out->pulls = law->work > 0;
    out->neck = 3 * out->c[DEPTH];
    out->root = 2;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

/* z = x - 1 from s = sqrt(u/b + 3), that is s = z sqrt(z^2 + 4 z + 6): a growing function for all z, so that an
 * integrator may look beyond the end. By Newton's method, from what is right for great s and for small. */
static double find_z(double s)
{
    double z = s > 0 ? fmin(sqrt(s), s / sqrt(6.0)) : fmax(-sqrt(-s) - 1, s / sqrt(3.0));
    for (int i = 0; i < 50; i++) {
        double root = sqrt((z + 4) * z + 6), step = (z * root - s) * root / (2 * ((z + 3) * z + 3));
        z -= step;
        if (fabs(step) <= 1e-9 * fabs(z)) break; /* its square is what is left */
    }
    return z;
}

/* The slope has no bound at the end itself. */
static const double STEEPEST = 1e-12;

static void jkr_normal(const pc_prepared *p, const pc_indent *at, pc_normal *out)
{
    if (!p->pulls) {
        pc_hertz_normal(p, at, out);
        return;
    }
    double b = p->c[DEPTH], f = p->c[FORCE], x = 1 + find_z(at->y / sqrt(b)), x2 = x * x, x3 = x * x2, slope = x3 - 1;
    if (fabs(slope) < STEEPEST) slope = copysign(STEEPEST, slope);
    out->F = f * x3 * (4. / 3 * x3 - 8);
    out->dFdu = f / b * 2 * x2 * (x3 - 3) / slope;
    out->dFdw = 0;
    out->k = 2 * f / b * x2; /* 2 E* a, that of a flat circle */
    out->dk = f / (b * b) * x / slope;
    out->ddk = 0; /* of the coupled element alone */
    out->release = at->y;
    out->kink = out->F; /* friction begins there */
}

/* Nothing at the touch. */
static double jkr_stored(const pc_prepared *p, const pc_indent *at)
{
    if (!p->pulls) return pc_hertz_stored(p, at);
    double b = p->c[DEPTH];
    return p->c[FORCE] * b * (work_at(1 + find_z(at->y / sqrt(b))) - work_at(X0));
}

static const pc_element jkr_element = {.length = pc_hertz_length,
                                       .sticking_speed = jkr_sticking_speed,
                                       .pull_off = jkr_pull_off,
                                       .prepare = jkr_prepare,
                                       .normal = jkr_normal,
                                       .stored = jkr_stored};

PC_ELEMENT_LAW(
    jkr, adhesive, rows, jkr_element, PC_LAW_ADHESIVE,
    .summary = "Adhesion of soft spheres: they snap together, stay below a sticking speed, and part by a neck.",
    .details =
        "Right where the Tabor parameter is large. A central impact has e = sqrt(1 - V^2/v^2), with V the sticking "
        "speed; below it the outcome is \"adhered\": the contact never ends, and what is told of it is how it was when "
        "the neck held it back, where v_n = 0. In a scene of frozen configuration what adheres goes on as a rigid "
        "contact, which pulls with 3/2 pi Gamma R at most and whose friction is bounded by mu times F_n and that, as "
        "Derjaguin has it; it is pulled off without the way that the neck takes.",
    .equations =
        "u = r_c^2/R - sqrt(2 pi Gamma r_c/E_c): by the radius r_c of the contact circle\n"
        "F_n = 4 E_c r_c^3/(3 R) - sqrt(8 pi Gamma E_c r_c^3): from u = 0 on, until du/dr_c = 0 on the way out\n"
        "m_n = 1/w_nn: the mass that the contact sees\n"
        "V = sqrt(14.18439194/m_n) (Gamma^5 R^4/E_c^2)^(1/6): the sticking speed\n"
        "v_n' = sqrt(v_n^2 - V^2): after a central impact that is faster\n"
        "|F_t| <= mu F_n: and 0 where F_n < 0",
    .source = "Johnson, Kendall and Roberts, Proc. R. Soc. Lond. A 324 (1971); Thornton and Ning, Powder Technology 99 "
              "(1998)",
    .example = "local law = percuss.contact.jkr{ modulus = 1e9, radius = 1e-4, work_of_adhesion = 0.1, friction = 0 }\n"
               "local dust = percuss.body.sphere{ radius = 1e-4, mass = 1e-8 }\n"
               "for _, speed in ipairs{ 0.01, 0.02 } do\n"
               "    local hit = percuss.collide(dust, law, { vt = 0, vn = -speed })\n"
               "    print(hit.outcome, string.format('%.6f', hit.restitution.kinematic))\n"
               "end\n"
               "--> adhered\t0.000000\n"
               "--> rebound\t0.803362",
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE}, .validate = validate)
