/* The coupled law: Hertz contact with a tangential stiffness from one potential, so that nothing but friction loses
 * energy.
 *
 * V(u, s) = 8/15 E* sqrt(R) u^2.5 + 4 G* sqrt(R u) s^2, F_n = dV/du, F_t = -dV/ds. The particle slips where |s|/u
 * reaches C = 2 kappa mu/(1 + sqrt(1 - kappa mu^2)), kappa = E* / (6 G*); with kappa mu^2 >= 1 it never does, and F_n then
 * grows beyond all bounds (integrably) as the bodies part.
 *
 * Source: Lai (1999), equations 5.18 to 5.27; dissimilar materials by the sums of their compliances.
 */
#include "contact/coupled.h"

#include "contact/element_law.h"

#include <math.h>

static const pc_row rows[] = {
    PC_HERTZ_ROWS(pc_coupled),
    PC_FRICTION_ROW(pc_coupled),
};

static const pc_schema schema;

static pc_status validate(void *object, uint64_t given, pc_error *err)
{
    return pc_hertz_settle(&((pc_coupled *)object)->hertz, &schema, given, err);
}

static const pc_schema schema = {
    .name = "contact.coupled",
    .summary =
        "Hertz contact whose normal and tangential stiffness come from one potential: loses friction's work alone.",
    .details =
        "F_n = K u^1.5 (1 + (s/u)^2/(4 kappa)), F_t = -K sqrt(u) s/kappa, with K = 4/3 E* sqrt(R) and kappa = E* / (6 "
        "G*) "
        "= (2 - nu)/(3 (1 - nu)) for equal materials. The contact particle sticks while |s|/u < C = 2 kappa mu/(1 + "
        "sqrt(1 - kappa mu^2)). Where kappa mu^2 >= 1 it never slips and the impact loses nothing.",
    .source = "Lai (1999), equations 5.18 to 5.30",
    .example = "local law = percuss.contact.coupled{ young = 70e9, poisson = 0.3, radius = 0.05, friction = 0.1 }\n"
               "print(string.format('%.6g', law.modulus)) --> 7.69231e+10",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(pc_coupled),
    .groups = {PC_EXACTLY_ONE, PC_EXACTLY_ONE},
    .validate = validate,
};

double pc_coupled_cone(double kappa, double mu)
{
    double rest = 1 - kappa * mu * mu;
    return rest > 0 ? 2 * kappa * mu / (1 + sqrt(rest)) : INFINITY;
}

static double length(const void *params, double mass, double speed)
{
    return pc_hertz_length(&((const pc_coupled *)params)->hertz, mass, speed);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_coupled *law = params;
    (void)mass, (void)speed;
    out->c[0] = pc_hertz_scaled(&law->hertz, scales);
    out->root = 2;
    out->tangential = (pc_tangential){.kind = PC_TANGENTIAL_COUPLED,
                                      .mu = law->friction,
                                      .ratio = 2 / (3 * law->hertz.kappa),
                                      .cone = pc_coupled_cone(law->hertz.kappa, law->friction)};
}

/* Coefficient i of a product, and of a square. */
static double product(const double *a, const double *b, int i)
{
    double sum = 0;
    for (int j = 0; j <= i; j++) sum += a[j] * b[i - j];
    return sum;
}

static double square(const double *a, int i)
{
    double sum = 0;
    for (int j = 0; 2 * j < i; j++) sum += a[j] * a[i - j];
    return i % 2 ? 2 * sum : 2 * sum + a[i / 2] * a[i / 2];
}

/* With dt = 2 y dtau the forces times 2 y are polynomials, c the scaled K:
 *
 *     stick  2 y F_n = 2 c y^4 + c q^2/(2 kappa), 2 y F_t = -2 c y^2 q/kappa, q' = 2 y v_t
 *     slip   2 y F_n = 2 c (1 + C^2/(4 kappa)) y^4, F_t = -mu sign F_n, q = sign C y^2
 *
 * so the coefficients of the motion follow one from another. */
static void series(const pc_prepared *p, const pc_course *at, pc_series *out)
{
    double c = p->c[0], kappa = 2 / (3 * p->tangential.ratio), C = p->tangential.cone, mu = p->tangential.mu;
    pc_coefficients y2, y4, w, v_t, f_n, f_t, slip;
    *out = (pc_series){.y = {at->y}, .q = {at->q}};
    for (int i = 0; i <= PC_SERIES_ORDER; i++) {
        y2[i] = square(out->y, i);
        if (at->sign) out->q[i] = out->stretch[i] = at->sign * C * y2[i];
        if (i == PC_SERIES_ORDER) break;
        y4[i] = square(y2, i);
        v_t[i] = at->w_tt * out->p_t[i] + at->w_tn * out->p_n[i] + (i == 0 ? at->v_t : 0);
        w[i] = -(at->w_tn * out->p_t[i] + at->w_nn * out->p_n[i]) + (i == 0 ? at->w : 0);
        if (at->sign) {
            f_n[i] = 2 * c * (1 + C * C / (4 * kappa)) * y4[i];
            f_t[i] = -at->sign * mu * f_n[i];
            slip[i] = v_t[i] - at->sign * C * w[i];
            out->work_f[i + 1] = product(f_t, slip, i) / (i + 1);
        } else {
            f_n[i] = 2 * c * y4[i] + c / (2 * kappa) * square(out->q, i);
            f_t[i] = -2 * c / kappa * product(y2, out->q, i);
            out->q[i + 1] = out->stretch[i + 1] = 2 * product(out->y, v_t, i) / (i + 1);
        }
        out->y[i + 1] = w[i] / (i + 1);
        out->p_t[i + 1] = f_t[i] / (i + 1);
        out->p_n[i + 1] = f_n[i] / (i + 1);
        out->work_n[i + 1] = -product(f_n, w, i) / (i + 1);
        out->t[i + 1] = 2 * out->y[i] / (i + 1);
    }
}

const pc_element pc_coupled_element = {
    .length = length, .prepare = prepare, .normal = pc_hertz_normal, .series = series};

PC_ELEMENT_LAW(pc_coupled_element)

const pc_law pc_law_coupled = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_CONSERVATIVE,
    .impact = impact,
    .trace = trace,
    .element = &pc_coupled_element,
};
