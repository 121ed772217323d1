/* Walton and Braun's law: loading along one line, unloading along a steeper one.
 *
 * F_n = k1 u while u grows beyond all it was; k2 (u - u0) below, unloading or loading again, until the first line is
 * met. e = sqrt(k1/k2) in a central impact.
 *
 * Source: Walton and Braun, J. Rheology 30 (1986).
 */
#include "law/law.h"
#include "law/element.h"
#include "law/series.h"

#include <math.h>

typedef struct walton_braun {
    double loading, unloading, restitution;
    pc_tangential_choice tangential;
} walton_braun;

enum { LOADING, UNLOADING };

static const pc_row rows[] = {
    PC_ROW(walton_braun, loading, "stiffness", .symbol = "k1", .unit = PC_UNIT_N_PER_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .sample = {1e3, 1e8}, .doc = "stiffness of first loading"),
    PC_ROW(walton_braun, unloading, "unloading", .symbol = "k2", .unit = PC_UNIT_N_PER_M, .initial = PC_ABSENT,
           .allowed = PC_POSITIVE, .group = 1, .doc = "stiffness of unloading and loading again, not below the first"),
    PC_RESTITUTION_ROW(walton_braun, 1, "kinematic restitution of a central impact: sqrt(k1/k2)", {0, 1, true, false},
                       .sample = {0.3, 1}),
    PC_TANGENTIAL_ROWS(walton_braun),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    walton_braun *law = object;
    if (pc_schema_given(schema, given, "restitution"))
        law->unloading = law->loading / (law->restitution * law->restitution);
    else if (law->unloading < law->loading)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: unloading (k2) = %.10g N/m; it must not be below stiffness (k1) = %.10g N/m", schema->name,
                       law->unloading, law->loading);
    else
        law->restitution = sqrt(law->loading / law->unloading);
    return pc_tangential_validate(schema, &law->tangential, err);
}

static const pc_schema schema = {
    .name = "contact.walton_braun",
    .summary = "Loading along one line, unloading along a steeper one: a loss without a rate.",
    .details = "F_n = k1 u while the indentation grows beyond all it was, k2 (u - u0) below. A central impact has e = "
               "sqrt(k1/k2) at every speed and leaves the indentation u0.",
    .equations = "F_n = k1 u: in compression, u being the indentation\n"
                 "F_n = k2 (u - u_r): in restitution, u_r being the indentation that is left\n"
                 "e = sqrt(k1/k2): of a central impact\n"
                 "|F_t| <= mu F_n: always",
    .source = "Walton and Braun, J. Rheology 30 (1986)",
    .example = "print(percuss.contact.walton_braun{ k1 = 1e6, k2 = 4e6, friction = 0.2 }.restitution) --> 0.5",
    PC_ROWS(rows),
    .size = sizeof(walton_braun),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

static double length(const void *params, double mass, double speed)
{
    return speed * sqrt(mass / ((const walton_braun *)params)->loading);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const walton_braun *law = params;
    (void)mass, (void)speed;
    double stiffness = pc_scales_stiffness(scales);
    out->c[LOADING] = law->loading / stiffness;
    out->c[UNLOADING] = law->unloading / stiffness;
    out->plastic = law->unloading > law->loading;
    out->root = 1;
    out->linear = true;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    double k1 = p->c[LOADING], k2 = p->c[UNLOADING];
    double residual = x->branch ? x->memory * (1 - k1 / k2) : 0;
    out->k = out->dFdu = x->branch ? k2 : k1;
    out->release = x->u - residual;
    out->F = out->k * out->release;
    out->dFdw = out->dk = out->ddk = 0;
    out->kink = 1;
}

static double stored(const pc_prepared *p, const pc_indent *x)
{
    double most = x->branch ? x->memory : x->u, force = p->c[LOADING] * most;
    double left = x->u - (most - force / p->c[UNLOADING]);
    return p->c[UNLOADING] * left * left / 2;
}

static void shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)beyond;
    *out = pc_force_elastic(p->c[x->branch ? UNLOADING : LOADING], 1, 1);
    out->offset = x->branch ? x->memory * (1 - p->c[LOADING] / p->c[UNLOADING]) : 0;
}

static const pc_element element = {
    .length = length, .prepare = prepare, .normal = normal, .stored = stored, .shape = shape};

PC_ELEMENT_LAW(walton_braun, walton_braun, tangential.mu, tangential.rolling, PC_LAW_MAY_GAIN)
