/* Tsuji's law: Hertz contact with a damping that makes restitution independent of speed.
 *
 * F_n = K u^1.5 + alpha sqrt(m K) u^0.25 w; the contact ends where F_n falls to 0. In units of m, K and the speed
 * alpha is all that is left, so e(alpha) is one curve; it has no closed form and is solved for once, when the law is
 * made. u^0.25 is the variable in which both powers are smooth.
 *
 * Source: Tsuji, Tanaka and Ishida, Powder Technology 71 (1992).
 */
#include "law/tsuji.h"

#include "law/element_law.h"
#include "law/series.h"
#include "math/roots.h"

#include <math.h>

enum { STIFFNESS, DAMPING };

static const pc_row rows[] = {
    PC_HERTZ_ROWS(pc_tsuji),
    {.name = "damping",
     .symbol = "alpha",
     .greek = "α",
     .kind = PC_REAL,
     .offset = offsetof(pc_tsuji, alpha),
     .initial = PC_ABSENT,
     .allowed = {0, 10, false, false},
     .sample = {0, 1},
     .group = 3,
     .doc = "damping alpha in F_n = K u^1.5 + alpha sqrt(m K) u^0.25 du/dt"},
    {.name = "restitution",
     .role = PC_RESTITUTION,
     .symbol = "e",
     .kind = PC_REAL,
     .offset = offsetof(pc_tsuji, restitution),
     .initial = PC_ABSENT,
     .allowed = {0.05, 1, false, false},
     .group = 3,
     .doc = "kinematic restitution of a central impact at any speed; alpha is solved for"},
    PC_TANGENTIAL_ROWS(pc_tsuji),
};

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_tsuji *law = params;
    (void)speed;
    double c = pc_hertz_scaled(&law->hertz, scales);
    out->c[STIFFNESS] = c;
    out->c[DAMPING] = law->alpha * sqrt(c * mass / scales->mass);
    out->root = 4;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales->mass * scales->velocity * scales->velocity /
                                                                  (scales->length * scales->length));
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
    if (d == 0) out->release = y;
    out->kink = 1;
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
    out->ends_by_force = p->c[DAMPING] > 0;
}

static const pc_element element = {
    .length = pc_hertz_length, .prepare = prepare, .normal = normal, .stored = stored, .shape = shape};

PC_ELEMENT_LAW(element)

typedef struct search {
    pc_tsuji law;
    double wanted;
    pc_error *err;
    pc_status status;
} search;

/* e of a central impact less the wanted one, in units in which m = K = v = 1. */
static double excess(double alpha, void *context)
{
    search *s = context;
    const pc_mobility W = {.nn = 1, .rank = 1};
    const double v0[3] = {0, -1, 0};
    pc_impact hit;
    s->law.alpha = alpha;
    s->status = pc_drive_impact(&element, &s->law, &W, v0, &hit, s->err);
    double e = hit.v1[PC_N];
    pc_impact_free(&hit);
    return s->status ? NAN : e - s->wanted;
}

static pc_status find_alpha(pc_tsuji *law, pc_error *err)
{
    search s = {.law = {.hertz = {.modulus = 0.75, .radius = 1, .counter_radius = NAN}},
                .wanted = law->restitution,
                .err = err};
    law->alpha = 0;
    if (law->restitution == 1) return PC_OK;
    /* e falls from 1; at alpha = 10 it is below the least that is allowed */
    double high = excess(10, &s);
    if (s.status == PC_OK) law->alpha = pc_root_between(excess, &s, 0, 1 - s.wanted, 10, high, 1e-14);
    return s.status;
}

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_tsuji *law = object;
    pc_status status = pc_hertz_validate(schema, law, given, err);
    if (status) return status;
    pc_hertz_offer(&law->hertz, &law->tangential, schema, given);
    status = pc_tangential_validate(schema, &law->tangential, err);
    if (!status && pc_schema_given(schema, given, "restitution")) status = find_alpha(law, err);
    return status;
}

static const pc_schema schema = {
    .name = "contact.tsuji",
    .summary = "Hertz contact with a damping that makes restitution the same at every speed.",
    .details =
        "F_n = K u^1.5 + alpha sqrt(m K) u^0.25 du/dt with m = 1/w_nn; the contact ends where the force has fallen "
        "to 0, so the bodies never pull at each other. alpha(e) is solved for when the law is made.",
    .source = "Tsuji, Tanaka and Ishida, Powder Technology 71 (1992)",
    .example =
        "local law = percuss.contact.tsuji{ young = 70e9, poisson = 0.3, radius = 0.01, restitution = 0.9, friction = "
        "0 }\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 0.01, mass = 0.03 }, law, { vt = 0, vn = -2 })\n"
        "print(string.format('%.9f', hit.restitution.kinematic)) --> 0.900000000",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(pc_tsuji),
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE, PC_EXACTLY_ONE},
    .validate = validate,
};

PC_ONE_FRICTION(pc_tsuji, tangential.mu)

const pc_law pc_law_tsuji = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_MAY_GAIN,
    .impact = impact,
    .trace = trace,
    .element = &element,
    .friction = friction,
};
