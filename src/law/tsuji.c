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
#include "law/hertz.h"
#include "law/law.h"
#include "law/element.h"
#include "law/series.h"

#include <math.h>

typedef struct tsuji {
    pc_hertz hertz;
    double alpha, restitution;
    bool tension;
    pc_tangential_choice tangential;
} tsuji;

enum { STIFFNESS, DAMPING };

static const pc_row rows[] = {
    PC_HERTZ_ROWS(tsuji),
    PC_ROW(tsuji, alpha, "damping", .symbol = "alpha", .greek = "α", .initial = PC_ABSENT,
           .allowed = {0, 10, false, false}, .sample = {0, 1}, .group = 3,
           .doc = "damping alpha in F_n = K u^1.5 + alpha sqrt(m K) u^0.25 du/dt"),
    PC_RESTITUTION_ROW(tsuji, 3, "kinematic restitution of a central impact at any speed, from which alpha follows",
                       {0.05, 1, false, false}),
    PC_TENSION_ROW(tsuji),
    PC_TANGENTIAL_ROWS(tsuji),
};

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const tsuji *law = params;
    (void)speed;
    double c = pc_hertz_scaled(&law->hertz, scales);
    out->c[STIFFNESS] = c;
    out->c[DAMPING] = law->alpha * sqrt(c * mass / scales->mass);
    out->pulls = law->tension;
    out->root = 4;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
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

static double stored(const pc_prepared *p, const pc_indent *x)
{
    double y2 = x->y * x->y;
    return 0.4 * p->c[STIFFNESS] * y2 * x->u * x->u;
}

static void shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    *out = pc_force_elastic(p->c[STIFFNESS], 6, 4);
    out->damping = p->c[DAMPING];
    out->damping_power = 1;
    out->ends_by_force = p->c[DAMPING] > 0 && !p->pulls;
}

static const pc_element element = {
    .length = pc_hertz_length, .prepare = prepare, .normal = normal, .stored = stored, .shape = shape};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
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

static const pc_schema schema = {
    .name = "contact.tsuji",
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
    PC_ROWS(rows),
    .size = sizeof(tsuji),
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE, PC_EXACTLY_ONE},
    .validate = validate,
};

PC_ELEMENT_LAW(tsuji, tsuji, tangential.mu, tangential.rolling, PC_LAW_MAY_GAIN)
