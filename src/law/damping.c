/* Springs with a damper beside them: power laws whose damping goes with the elastic force or grows in over a depth, and
 * laws whose contact ends where the damper has brought the force down to 0, or with tension at u = 0. */
#include "law/element.h"
#include "law/hertz.h"
#include "law/law.h"
#include "law/series.h"

#include <math.h>

/* Constants of the elements, scaled. */
enum { STIFFNESS, DAMPING, EXPONENT, DEPTH };

/* ---- Hunt and Crossley, Lankarani and Nikravesh ---- */

/* Power laws with damping in proportion to the elastic force, so that the force starts and ends at zero.
 *
 * F_n = k u^p (1 + zeta w). A central impact has a - ln(1 + a) = -b - ln(1 - b) with a = zeta v_in, b = zeta v_out,
 * e = b/a, whatever p, k and the mass: first integral of m w' = -k u^p (1 + zeta w) over u. Lankarani and Nikravesh
 * take zeta = 3 (1 - e^2)/(4 v_in), p = 1.5, by an energy argument that holds near e = 1: the restitution that comes
 * out is larger than the one asked for, the more so the smaller it is.
 *
 * Sources: Hunt and Crossley, J. Appl. Mech. 42 (1975); Lankarani and Nikravesh, J. Mech. Design 112 (1990).
 */

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

/* Length of the scaled problem, of parameters that begin with a pc_power: (m v^2/k)^(1/(p + 1)). */
static double power_length(const void *params, double mass, double speed)
{
    const pc_power *power = params;
    return pow(mass * speed * speed / power->k, 1 / (power->p + 1));
}

static void scale_power(const pc_power *power, const pc_scales *scales, pc_prepared *out)
{
    double energy = scales->mass * scales->velocity * scales->velocity;
    out->c[STIFFNESS] = power->k * pow(scales->length, power->p + 1) / energy;
    out->c[EXPONENT] = power->p;
}

static void power_normal(const pc_prepared *at, const pc_indent *x, pc_normal *out)
{
    double c = at->c[STIFFNESS], p = at->c[EXPONENT], damped = 1 + at->c[DAMPING] * x->w;
    double lower = p == 1.5 ? x->y : p == 1 ? 1 : pow(fabs(x->u), p - 1); /* u^(p - 1) */
    double elastic = c * lower * x->u;
    out->k = p * c * lower;
    out->dk = (p - 1) * out->k / x->u;
    out->ddk = (p - 2) * out->dk / x->u;
    out->F = elastic * damped;
    out->dFdu = out->k * damped;
    out->dFdw = elastic * at->c[DAMPING];
    out->release = x->y * (x->y < 0 ? fabs(damped) : damped); /* where both factors have fallen it is over as well */
    out->kink = 1;
}

static double power_stored(const pc_prepared *at, const pc_indent *x)
{
    double p = at->c[EXPONENT];
    return at->c[STIFFNESS] * pow(fabs(x->u), p + 1) / (p + 1);
}

static void power_shape(const pc_prepared *at, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(at->c[STIFFNESS], (int)lround(at->c[EXPONENT] * at->root), at->root);
    out->damping = at->c[STIFFNESS] * at->c[DAMPING];
}

static const pc_row power_rows[] = {
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

static pc_status power_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
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

static void power_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_hunt_crossley *law = params;
    (void)mass;
    double e = law->restitution;
    double zeta = isnan(e) ? law->damping : (law->near_one ? 0.75 * (1 - e * e) : pc_hunt_crossley_a(e)) / speed;
    scale_power(&law->power, scales, out);
    out->c[DAMPING] = zeta * scales->velocity;
    out->root = root_of(law->power.p);
    out->has_shape = out->root > 0;
    if (!out->has_shape) out->root = 2;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static const pc_element power_element = {
    .length = power_length,
    .prepare = power_prepare,
    .normal = power_normal,
    .stored = power_stored,
    .shape = power_shape,
};

PC_ELEMENT_LAW(
    hunt_crossley, pc_hunt_crossley, power_rows, power_element, 0,
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
    .groups = {PC_EXACTLY_ONE}, .validate = power_validate)

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

PC_ELEMENT_LAW(
    lankarani_nikravesh, pc_hunt_crossley, nikravesh_rows, power_element, 0,
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
    .validate = validate_nikravesh)

/* ---- the impact function of multibody codes ---- */

/* The impact function of multibody codes: a power law with a damping that is ramped up with the depth.
 *
 * F_n = max(0, k u^p + c w step(u/d)), step(s) = s^2 (3 - 2 s) up to s = 1 and 1 beyond. The force starts at zero and
 * the bodies never pull at each other; the contact lasts until u = 0. On the way out damping may cut the force to 0,
 * and where p < 2 it comes back before the end, because near u = 0 the step falls faster than the elastic force: an
 * event at the first zero of the force would end such a contact too early.
 *
 * Source: the IMPACT function of MSC Adams, whose parameters these are; the step is its STEP function.
 */

typedef struct impact_function {
    pc_power power;
    double damping, depth;
    pc_tangential_choice tangential;
} impact_function;

static const pc_row ramp_rows[] = {
    PC_ROW(impact_function, power.k, "stiffness", .symbol = "k",
           .unit = {.kg = 1, .m = 1, .s = -2, .m_minus = "exponent"}, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e6, 1e9}, .doc = "stiffness of k u^p"),
    PC_ROW(impact_function, power.p, "exponent", .symbol = "p", .initial = 1.5, .allowed = {1, 10, false, false},
           .sample = {1, 2.5}, .doc = "exponent of the indentation; 1.5 for Hertz contact, 1 for a linear spring"),
    PC_ROW(impact_function, damping, "damping", .symbol = "c", .unit = {.kg = 1, .s = -1}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .sample = {0, 100},
           .doc = "greatest constant of the damper, c_max, from the depth d on"),
    PC_ROW(impact_function, depth, "depth", .symbol = "d", .unit = PC_UNIT_M, .initial = 1e-4, .allowed = PC_POSITIVE,
           .sample = {1e-5, 1e-3}, .doc = "indentation at which the damper is fully in"),
    PC_TANGENTIAL_ROWS(impact_function),
};

static pc_status ramp_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)given;
    return pc_tangential_validate(schema, &((impact_function *)object)->tangential, err);
}

static void ramp_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const impact_function *law = params;
    (void)mass, (void)speed;
    scale_power(&law->power, scales, out);
    out->c[DAMPING] = law->damping * scales->velocity / scales->length / pc_scales_stiffness(scales);
    out->c[DEPTH] = law->depth / scales->length;
    out->root = law->power.p == round(law->power.p) ? 1 : 2;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

/* The ramp of the damper over u^2, and the rate of the ramp. */
static double ramp(double u, double d, double *rate)
{
    double s = u / d;
    *rate = s < 1 ? 6 * s * (1 - s) / d : 0;
    return s < 1 ? (3 - 2 * s) / (d * d) : 1 / (u * u);
}

static void ramp_normal(const pc_prepared *at, const pc_indent *x, pc_normal *out)
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

static const pc_element ramp_element = {
    .length = power_length, .prepare = ramp_prepare, .normal = ramp_normal, .stored = power_stored};

PC_ELEMENT_LAW(
    impact_function, impact_function, ramp_rows, ramp_element, 0,
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
    .validate = ramp_validate)

/* ---- what ends by its force ---- */

static void prepare_clipped(double stiffness, double damping, int root, bool tension,
                            const pc_tangential_choice *tangential, const pc_scales *scales, pc_prepared *out)
{
    out->c[STIFFNESS] = stiffness;
    out->c[DAMPING] = damping;
    out->pulls = tension;
    out->root = root;
    out->linear = root == 1;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(tangential, scales);
}

/* c u^p and a damper d u^q w by their powers of y: p = 1, q = 0 of a linear spring, else p = 3/2 and q = 1/root. */
static void clipped_shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(p->c[STIFFNESS], p->root == 1 ? 1 : 3 * p->root / 2, p->root);
    out->damping = p->c[DAMPING];
    out->damping_power = p->root > 1;
    out->ends_by_force = !p->pulls && (p->c[DAMPING] > 0 || p->root == 1);
}

/* ---- Kelvin and Voigt ---- */

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

typedef struct kelvin_voigt {
    double stiffness, damping, ratio, restitution;
    bool tension;
    pc_tangential_choice tangential;
} kelvin_voigt;

static const pc_row voigt_rows[] = {
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

static pc_status voigt_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
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

static void voigt_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const kelvin_voigt *law = params;
    (void)speed;
    double stiffness = pc_scales_stiffness(scales);
    double c = isnan(law->ratio) ? law->damping : 2 * law->ratio * sqrt(law->stiffness * mass);
    prepare_clipped(law->stiffness / stiffness, c * scales->velocity / scales->length / stiffness, 1, law->tension,
                    &law->tangential, scales, out);
}

static void voigt_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    out->F = p->c[STIFFNESS] * x->u + p->c[DAMPING] * x->w;
    out->dFdu = out->k = p->c[STIFFNESS];
    out->dFdw = p->c[DAMPING];
    out->dk = out->ddk = 0;
    out->release = p->pulls ? x->u : out->F;
    out->kink = p->pulls ? out->F : 1; /* friction ends there */
}

static double voigt_stored(const pc_prepared *p, const pc_indent *x)
{
    return p->c[STIFFNESS] * x->u * x->u / 2;
}

static const pc_element voigt_element = {.length = pc_spring_length,
                                         .prepare = voigt_prepare,
                                         .normal = voigt_normal,
                                         .stored = voigt_stored,
                                         .shape = clipped_shape};

PC_ELEMENT_LAW(
    kelvin_voigt, kelvin_voigt, voigt_rows, voigt_element, 0,
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
    .groups = {PC_EXACTLY_ONE}, .validate = voigt_validate)

/* ---- Tsuji, Tanaka and Ishida ---- */

/* Tsuji's law: Hertz contact with a damping that makes restitution independent of speed.
 *
 * F_n = K u^1.5 + alpha sqrt(m K) u^0.25 w; the contact ends where F_n falls to 0. In units of m, K and the speed, with
 * s = u^(5/4) and a clock of its own, d sigma = 5/4 u^0.25 dt,
 *
 *     ds/d sigma = w,  dw/d sigma = -4/5 (s + alpha w):
 *
 * a spring and dashpot of damping ratio alpha/sqrt(5), clipped where its force is 0 or, with tension, left alone until
 * u = 0. So e(alpha) is theirs (law/element.h). u^0.25 is the variable in which both powers are smooth.
 *
 * Sources: Tsuji, Tanaka and Ishida, Powder Technology 71 (1992); Antypov and Elliott, EPL 94 (2011), for the clock.
 */

typedef struct tsuji {
    pc_hertz hertz;
    double alpha, restitution;
    bool tension;
    pc_tangential_choice tangential;
} tsuji;

static const pc_row tsuji_rows[] = {
    PC_HERTZ_ROWS(tsuji),
    PC_ROW(tsuji, alpha, "damping", .symbol = "alpha", .greek = "α", .initial = PC_ABSENT,
           .allowed = {0, 10, false, false}, .sample = {0, 1}, .group = 3,
           .doc = "damping alpha in F_n = K u^1.5 + alpha sqrt(m K) u^0.25 du/dt"),
    PC_RESTITUTION_ROW(tsuji, 3, "kinematic restitution of a central impact at any speed, from which alpha follows",
                       {0.05, 1, false, false}),
    PC_TENSION_ROW(tsuji),
    PC_TANGENTIAL_ROWS(tsuji),
};

static void tsuji_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const tsuji *law = params;
    (void)speed;
    double c = pc_hertz_scaled(&law->hertz, scales);
    prepare_clipped(c, law->alpha * sqrt(c * mass / scales->mass), 4, law->tension, &law->tangential, scales, out);
}

static void tsuji_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    double y = x->y, y2 = y * y, c = p->c[STIFFNESS], d = p->c[DAMPING];
    out->release = c * y2 * y2 * y + d * x->w;
    out->F = y * out->release;
    out->dFdu = 1.5 * c * y2 + 0.25 * d * x->w / (y2 * y);
    out->dFdw = d * y;
    out->k = 1.5 * c * y2;
    out->dk = 0.75 * c / y2;
    out->ddk = -0.375 * c / (y2 * y2 * y2);
    out->kink = p->pulls ? out->release : 1; /* friction ends there */
    if (d == 0 || p->pulls) out->release = y;
}

static double tsuji_stored(const pc_prepared *p, const pc_indent *x)
{
    double y2 = x->y * x->y;
    return 0.4 * p->c[STIFFNESS] * y2 * x->u * x->u;
}

static const pc_element tsuji_element = {.length = pc_hertz_length,
                                         .prepare = tsuji_prepare,
                                         .normal = tsuji_normal,
                                         .stored = tsuji_stored,
                                         .shape = clipped_shape};

static pc_status tsuji_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    tsuji *law = object;
    double e = law->restitution;
    if (pc_schema_given(schema, given, "restitution"))
        law->alpha = sqrt(5) * (law->tension ? pc_tension_ratio(e) : pc_clipped_ratio(e));
    if (law->tension && law->alpha >= sqrt(5))
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: damping (alpha) = %.10g; with tension it must be below sqrt(5), or the contact never ends",
                       schema->name, law->alpha);
    return pc_hertz_validate_choice(schema, &law->hertz, &law->tangential, given, err);
}

PC_ELEMENT_LAW(
    tsuji, tsuji, tsuji_rows, tsuji_element, 0,
    .summary = "Hertz contact with a damping that makes restitution the same at every speed.",
    .details = "F_n = K u^1.5 + alpha sqrt(m K) u^0.25 du/dt with m = 1/w_nn; by default the contact ends where the "
               "force has fallen to 0, and with tension = true at u = 0. alpha/sqrt(5) is the damping ratio of a "
               "spring and dashpot with "
               "the same e.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "m_n = 1/w_nn: the mass that the contact sees\n"
                 "F_n = K u^1.5 + alpha sqrt(m_n K) u^0.25 w: at the indentation u and its rate w\n"
                 "|F_t| <= mu F_n: always",
    .source = "Tsuji, Tanaka and Ishida, Powder Technology 71 (1992)",
    .example =
        "local law = percuss.contact.tsuji{ young = 70e9, poisson = 0.3, radius = 0.01, restitution = 0.9, friction = "
        "0 }\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 0.01, mass = 0.03 }, law, { vt = 0, vn = -2 })\n"
        "print(string.format('%.9f', hit.restitution.kinematic)) --> 0.900000000",
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE, PC_EXACTLY_ONE}, .validate = tsuji_validate)

/* ---- the viscoelastic sphere ---- */

/* The viscoelastic sphere: Hertz contact with a damping in proportion to the rate of the elastic stress.
 *
 * F_n = K (u^1.5 + 3/2 A u^0.5 w); the contact ends where F_n falls to 0, with tension where u does. Restitution
 * depends on mass and speed through b = A (K/m)^(2/5) |v|^(1/5) alone and falls with it, as in experiments below
 * yield: e = 1 - C1 b + 3/5 C1^2 b^2 - ..., C1 = 1.0041..., to the order at which the end of the contact plays no part.
 *
 * Sources: Kuwabara and Kono, Jpn. J. Appl. Phys. 26 (1987); Brilliantov, Spahn, Hertzsch and Poeschel, Phys. Rev. E 53
 * (1996); Schwager and Poeschel, Phys. Rev. E 78 (2008), for the end of the contact.
 */

typedef struct viscoelastic {
    pc_hertz hertz;
    double dissipation;
    bool tension;
    pc_tangential_choice tangential;
} viscoelastic;

static const pc_row viscous_rows[] = {
    PC_HERTZ_ROWS(viscoelastic),
    PC_ROW(viscoelastic, dissipation, "dissipation", .symbol = "A", .unit = {.s = 1}, .initial = PC_REQUIRED,
           .allowed = PC_NONNEGATIVE, .sample = {0, 1e-4},
           .doc = "dissipative constant A of the material, the time in which its viscous stress relaxes"),
    PC_TENSION_ROW(viscoelastic),
    PC_TANGENTIAL_ROWS(viscoelastic),
};

PC_HERTZ_VALIDATE(viscoelastic)

static void viscous_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const viscoelastic *law = params;
    (void)mass, (void)speed;
    double c = pc_hertz_scaled(&law->hertz, scales);
    double damping = 1.5 * c * law->dissipation * scales->velocity / scales->length;
    prepare_clipped(c, damping, 2, law->tension, &law->tangential, scales, out);
}

static void viscous_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
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

static const pc_element viscous_element = {.length = pc_hertz_length,
                                           .prepare = viscous_prepare,
                                           .normal = viscous_normal,
                                           .stored = pc_hertz_stored,
                                           .shape = clipped_shape};

PC_ELEMENT_LAW(
    viscoelastic, viscoelastic, viscous_rows, viscous_element, 0,
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
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE}, .validate = validate)
