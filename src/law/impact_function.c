/* The impact function of multibody codes: a power law with a damping that is ramped up with the depth.
 *
 * F_n = max(0, k u^p + c w step(u/d)), step(s) = s^2 (3 - 2 s) up to s = 1 and 1 beyond. The force starts at zero and
 * the bodies never pull at each other; the contact lasts until u = 0. On the way out damping may cut the force to 0,
 * and where p < 2 it comes back before the end, because near u = 0 the step falls faster than the elastic force: an
 * event at the first zero of the force would end such a contact too early.
 *
 * Source: the IMPACT function of MSC Adams, whose parameters these are; the step is its STEP function.
 */
#include "law/element.h"
#include "law/law.h"

#include <math.h>

typedef struct impact_function {
    double stiffness, exponent, damping, depth;
    pc_tangential_choice tangential;
} impact_function;

/* Scaled. */
enum { STIFFNESS, EXPONENT, DAMPING, DEPTH };

static const pc_row rows[] = {
    PC_ROW(impact_function, stiffness, "stiffness", .symbol = "k",
           .unit = {.kg = 1, .m = 1, .s = -2, .m_minus = "exponent"}, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e6, 1e9}, .doc = "stiffness of k u^p"),
    PC_ROW(impact_function, exponent, "exponent", .symbol = "p", .initial = 1.5, .allowed = {1, 10, false, false},
           .sample = {1, 2.5}, .doc = "exponent of the indentation; 1.5 for Hertz contact, 1 for a linear spring"),
    PC_ROW(impact_function, damping, "damping", .symbol = "c", .unit = {.kg = 1, .s = -1}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .sample = {0, 100},
           .doc = "greatest constant of the damper, c_max, from the depth d on"),
    PC_ROW(impact_function, depth, "depth", .symbol = "d", .unit = PC_UNIT_M, .initial = 1e-4, .allowed = PC_POSITIVE,
           .sample = {1e-5, 1e-3}, .doc = "indentation at which the damper is fully in"),
    PC_TANGENTIAL_ROWS(impact_function),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)given;
    return pc_tangential_validate(schema, &((impact_function *)object)->tangential, err);
}

static const pc_schema schema = {
    .name = "contact.impact_function",
    .summary = "The impact function of multibody codes: a power law whose damping grows in over a depth.",
    .details =
        "F_n = max(0, k u^p + c step(u/d) du/dt), step(s) = s^2 (3 - 2 s) up to s = 1, then 1. The contact lasts "
        "until u = 0: a force that damping has cut to 0 may come back before that.",
    .equations = "F_n = k u^p + c w s^2 (3 - 2 s): if that is positive, with s = u/d up to u = d and then 1\n"
                 "F_n = 0: if it is not\n"
                 "|F_t| <= mu F_n: always",
    .source = "IMPACT function of MSC Adams/Solver; Giesbers, Contact Mechanics in MSC Adams (2012)",
    .example = "local law = percuss.contact.impact_function{ k = 1e8, c = 1000, depth = 1e-4, friction = 0 }\n"
               "local hit = percuss.collide(percuss.body.sphere{ radius = 0.05, mass = 1 }, law, { vt = 0, vn = -1 })\n"
               "print(string.format('%.6f', hit.restitution.kinematic)) --> 0.416553",
    PC_ROWS(rows),
    .size = sizeof(impact_function),
    .validate = validate,
};

/* Of the elastic force; damping makes the contact no deeper. */
static double length(const void *params, double mass, double speed)
{
    const impact_function *law = params;
    return pow(mass * speed * speed / law->stiffness, 1 / (law->exponent + 1));
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const impact_function *law = params;
    (void)mass, (void)speed;
    double energy = scales->mass * scales->velocity * scales->velocity, stiffness = pc_scales_stiffness(scales);
    out->c[STIFFNESS] = law->stiffness * pow(scales->length, law->exponent + 1) / energy;
    out->c[EXPONENT] = law->exponent;
    out->c[DAMPING] = law->damping * scales->velocity / scales->length / stiffness;
    out->c[DEPTH] = law->depth / scales->length;
    out->root = law->exponent == round(law->exponent) ? 1 : 2;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

/* The ramp of the damper over u^2, and the rate of the ramp. */
static double ramp(double u, double d, double *rate)
{
    double s = u / d;
    *rate = s < 1 ? 6 * s * (1 - s) / d : 0;
    return s < 1 ? (3 - 2 * s) / (d * d) : 1 / (u * u);
}

static void normal(const pc_prepared *at, const pc_indent *x, pc_normal *out)
{
    double c = at->c[STIFFNESS], p = at->c[EXPONENT], u = fabs(x->u), rate;
    double over = ramp(u, at->c[DEPTH], &rate), power = pow(u, p - 1), damper = at->c[DAMPING];
    out->k = p * c * power;
    out->dk = (p - 1) * out->k / x->u;
    out->ddk = (p - 2) * out->dk / x->u;
    out->F = c * power * x->u + damper * over * u * x->u * x->w;
    out->dFdu = out->k + damper * rate * x->w;
    out->dFdw = damper * over * u * x->u;
    out->release = x->y;
    /* The force over the lower of its powers of u, which has a size at the touch, and beyond it that of the touch: a
     * step that leads there tells of a force that comes back just before. The bend of the force at the end of the ramp
     * is left to the control of steps. */
    if (x->y < 0) over = ramp(u = 0, at->c[DEPTH], &rate);
    double lower = p < 2 ? c + damper * over * pow(u, 2 - p) * x->w : c * pow(u, p - 2) + damper * over * x->w;
    out->kink = lower;
    if (lower < 0) out->F = out->dFdu = out->dFdw = 0;
}

static double stored(const pc_prepared *at, const pc_indent *x)
{
    double p = at->c[EXPONENT];
    return at->c[STIFFNESS] * pow(fabs(x->u), p + 1) / (p + 1);
}

static const pc_element element = {.length = length, .prepare = prepare, .normal = normal, .stored = stored};

PC_ELEMENT_LAW(impact_function, impact_function, tangential.mu, tangential.rolling, PC_LAW_MAY_GAIN)
