/* Laws that unload along another curve than they were loaded along, without a rate. */
#include "law/element.h"
#include "law/hertz.h"
#include "law/law.h"
#include "law/series.h"

#include <math.h>

/* ---- Walton and Braun ---- */

/* Walton and Braun's law: loading along one line, unloading along a steeper one.
 *
 * F_n = k1 u while u grows beyond all it was; k2 (u - u0) below, unloading or loading again, until the first line is
 * met. e = sqrt(k1/k2) in a central impact.
 *
 * Source: Walton and Braun, J. Rheology 30 (1986).
 */

typedef struct walton_braun {
    double loading, unloading, restitution;
    pc_tangential_choice tangential;
} walton_braun;

static const pc_row walton_rows[] = {
    PC_ROW(walton_braun, loading, "stiffness", .symbol = "k1", .unit = PC_UNIT_N_PER_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .sample = {1e3, 1e8}, .doc = "stiffness of first loading"),
    PC_ROW(walton_braun, unloading, "unloading", .symbol = "k2", .unit = PC_UNIT_N_PER_M, .initial = PC_ABSENT,
           .allowed = PC_POSITIVE, .group = 1, .doc = "stiffness of unloading and loading again, not below the first"),
    PC_RESTITUTION_ROW(walton_braun, 1, "kinematic restitution of a central impact: sqrt(k1/k2)", {0, 1, true, false},
                       .sample = {0.3, 1}),
    PC_TANGENTIAL_ROWS(walton_braun),
};

static pc_status walton_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
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

static void walton_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const walton_braun *law = params;
    (void)mass, (void)speed;
    double stiffness = pc_scales_stiffness(scales);
    out->c[PC_LOADING] = law->loading / stiffness;
    out->c[PC_UNLOADING] = law->unloading / stiffness;
    out->plastic = law->unloading > law->loading;
    out->root = 1;
    out->linear = true;
    out->has_shape = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

/* What is left where the force has fallen to 0. */
static double residual(const pc_prepared *p, double most)
{
    return most * (1 - p->c[PC_LOADING] / p->c[PC_UNLOADING]);
}

void pc_lines_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    out->k = out->dFdu = p->c[x->branch ? PC_UNLOADING : PC_LOADING];
    out->release = x->branch ? x->u - residual(p, x->memory) : x->u;
    out->F = out->k * out->release;
    out->dFdw = out->dk = out->ddk = 0;
    out->kink = 1;
}

double pc_lines_stored(const pc_prepared *p, const pc_indent *x)
{
    double left = x->u - residual(p, x->branch ? x->memory : x->u);
    return p->c[PC_UNLOADING] * left * left / 2;
}

static void walton_shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)beyond;
    *out = pc_force_elastic(p->c[x->branch ? PC_UNLOADING : PC_LOADING], 1, 1);
    out->offset = x->branch ? residual(p, x->memory) : 0;
}

static const pc_element walton_element = {.length = pc_spring_length,
                                          .prepare = walton_prepare,
                                          .normal = pc_lines_normal,
                                          .stored = pc_lines_stored,
                                          .shape = walton_shape};

PC_ELEMENT_LAW(
    walton_braun, walton_braun, walton_rows, walton_element, 0,
    .summary = "Loading along one line, unloading along a steeper one: a loss without a rate.",
    .details = "F_n = k1 u while the indentation grows beyond all it was, k2 (u - u0) below. A central impact has e = "
               "sqrt(k1/k2) at every speed and leaves the indentation u0.",
    .equations = "F_n = k1 u: in compression, u being the indentation\n"
                 "F_n = k2 (u - u_r): in restitution, u_r being the indentation that is left\n"
                 "e = sqrt(k1/k2): of a central impact\n"
                 "|F_t| <= mu F_n: always",
    .source = "Walton and Braun, J. Rheology 30 (1986)",
    .example = "print(percuss.contact.walton_braun{ k1 = 1e6, k2 = 4e6, friction = 0.2 }.restitution) --> 0.5",
    .groups = {PC_EXACTLY_ONE}, .validate = walton_validate)

/* ---- Thornton ---- */

/* Thornton's law: Hertz contact that yields.
 *
 * Up to u_y = R (pi p_y/(2 E*))^2 the contact is elastic, F = K u^1.5. Beyond, the pressure is cut off at p_y and the
 * force grows along the tangent, F = F_y + pi p_y R (u - u_y). Unloading and loading again are elastic, with the
 * flatter radius R_p, R_p F_max = R K u_max^1.5, to a residual indentation. With x = V_y/V, V_y the speed at which
 * yield begins, a central impact has
 *
 *     e = sqrt(6 sqrt(3)/5) sqrt(1 - x^2/6) (x/(x + 2 sqrt(6/5 - x^2/5)))^(1/4), V >= V_y.
 *
 * Source: Thornton, J. Appl. Mech. 64 (1997).
 */

typedef struct thornton {
    pc_hertz hertz;
    double yield;
    pc_tangential_choice tangential;
} thornton;

/* Scaled: K, indentation and force at yield, slope beyond. */
enum { STIFFNESS, U_YIELD, F_YIELD, SLOPE };

static const pc_row thornton_rows[] = {
    PC_HERTZ_ROWS(thornton),
    PC_ROW(thornton, yield, "yield", .symbol = "py", .unit = PC_UNIT_PA, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e8, 1e10},
           .doc = "contact pressure at which the material yields, about 1.6 times the yield stress"),
    PC_TANGENTIAL_ROWS(thornton),
};

PC_HERTZ_VALIDATE(thornton)

static void thornton_prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const thornton *law = params;
    (void)mass, (void)speed;
    double relative = M_PI * law->yield / (2 * law->hertz.modulus); /* a/R at yield */
    double u = pc_hertz_radius(&law->hertz) * relative * relative / scales->length;
    double c = pc_hertz_scaled(&law->hertz, scales);
    out->c[STIFFNESS] = c;
    out->c[U_YIELD] = u;
    out->c[F_YIELD] = c * u * sqrt(u);
    out->c[SLOPE] = 1.5 * c * sqrt(u);
    out->root = 2;
    out->has_shape = true;
    out->plastic = true;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

/* Elastic with stiffness c from an indentation of d = y^2, y of either sign. */
static void elastic(double c, double y, double d, pc_normal *out)
{
    out->F = c * y * d;
    out->k = out->dFdu = 1.5 * c * fabs(y);
    out->dk = 0.75 * c / fabs(y);
    out->ddk = -0.375 * c / (fabs(y) * fabs(d));
}

/* Unloading from `memory` beyond yield: K sqrt(R_p/R), and how far u is from the residual indentation. */
static double flattened(const pc_prepared *p, double memory, double u, double *left)
{
    double c = p->c[STIFFNESS], most = p->c[F_YIELD] + p->c[SLOPE] * (memory - p->c[U_YIELD]);
    double flat = c * sqrt(c * memory * sqrt(memory) / most), reach = cbrt(most / flat);
    *left = u - (memory - reach * reach);
    return flat;
}

static void thornton_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    double c = p->c[STIFFNESS], uy = p->c[U_YIELD];
    out->dFdw = 0;
    out->release = x->y;
    out->kink = uy - x->u;
    if (x->branch && x->memory > uy) {
        double d, flat = flattened(p, x->memory, x->u, &d), y = copysign(sqrt(fabs(d)), d);
        elastic(flat, y, d, out);
        out->release = d;
        out->kink = 1;
        return;
    }
    elastic(c, x->y, x->u, out);
    if (x->u > uy) {
        out->F = p->c[F_YIELD] + p->c[SLOPE] * (x->u - uy);
        out->dFdu = p->c[SLOPE];
    }
    if (x->branch) out->kink = 1;
}

static double thornton_stored(const pc_prepared *p, const pc_indent *x)
{
    double most = x->branch ? x->memory : x->u, left = x->u, c = p->c[STIFFNESS];
    if (most > p->c[U_YIELD]) c = flattened(p, most, x->u, &left);
    return 0.4 * c * left * left * sqrt(fmax(left, 0));
}

static void thornton_shape(const pc_prepared *p, const pc_indent *x, bool beyond, pc_force *out)
{
    double c = p->c[STIFFNESS], uy = p->c[U_YIELD];
    *out = pc_force_elastic(c, 3, 2);
    if (!x->branch) out->kink = uy;
    if (x->branch && x->memory > uy) {
        double left, flat = flattened(p, x->memory, x->u, &left);
        *out = pc_force_elastic(flat, 3, 2);
        out->offset = x->u - left;
    } else if (!x->branch && beyond) {
        out->base = p->c[F_YIELD] - p->c[SLOPE] * uy;
        out->elastic = p->c[SLOPE];
        out->elastic_power = 2;
    }
}

static const pc_element thornton_element = {.length = pc_hertz_length,
                                            .prepare = thornton_prepare,
                                            .normal = thornton_normal,
                                            .stored = thornton_stored,
                                            .shape = thornton_shape};

PC_ELEMENT_LAW(
    thornton, thornton, thornton_rows, thornton_element, 0,
    .summary = "Hertz contact that yields at a contact pressure and unloads elastically from a flattened surface.",
    .details =
        "F = K u^1.5 up to u_y = R (pi py/(2 E*))^2, then F_y + pi py R (u - u_y); unloading by Hertz's law with the "
        "radius R_p = R K u_max^1.5/F_max, to a residual indentation. Below the yield speed nothing is lost.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K u^1.5: in compression, up to u_y\n"
                 "u_y = R (pi py/(2 E_c))^2: where it yields\n"
                 "F_n = K u_y^1.5 + pi py R (u - u_y): in compression, beyond u_y\n"
                 "R_p = R K u_m^1.5/F_m: radius by which it unloads, from the greatest indentation u_m and force F_m\n"
                 "|F_t| <= mu F_n: always",
    .source = "Thornton, J. Appl. Mech. 64 (1997)",
    .example =
        "local law = percuss.contact.thornton{ young = 70e9, poisson = 0.3, radius = 0.01, yield = 1e9, friction = 0 "
        "}\n"
        "local hit = percuss.collide(percuss.body.sphere{ radius = 0.01, mass = 0.0113 }, law, { vt = 0, vn = -1 })\n"
        "print(hit.restitution.kinematic < 1) --> true",
    .groups = {PC_EXACTLY_ONE, PC_AT_MOST_ONE}, .validate = validate)
