/* The coupled law: Hertz contact with a tangential stiffness from one potential, so that nothing but friction loses
 * energy.
 *
 * V(u, s) = 8/15 E* sqrt(R) u^2.5 + 4 G* sqrt(R u) s^2, F_n = dV/du, F_t = -dV/ds. The particle slips where |s|/u
 * reaches C = 2 kappa mu/(1 + sqrt(1 - kappa mu^2)), kappa = E* / (6 G*); with kappa mu^2 >= 1 it never does, and F_n
 * then grows beyond all bounds (integrably) as the bodies part.
 *
 * Source: Lai (1999), equations 5.18 to 5.27; dissimilar materials by the sums of their compliances.
 */
#include "law/hertz.h"

#include <math.h>

static const pc_row rows[] = {
    PC_HERTZ_ROWS(pc_coupled),
    PC_FRICTION_ROW(pc_coupled, friction),
};

static const pc_schema schema = {
    .name = "contact.coupled",
    .summary =
        "Hertz contact whose normal and tangential stiffness come from one potential: loses friction's work alone.",
    .details =
        "F_n = K u^1.5 (1 + (s/u)^2/(4 kappa)), F_t = -K sqrt(u) s/kappa, with K = 4/3 E* sqrt(R) and kappa = E* / (6 "
        "G*) = (2 - nu)/(3 (1 - nu)) for equal materials. The contact particle sticks while |s|/u < C = 2 kappa mu/(1 "
        "+ sqrt(1 - kappa mu^2)). Where kappa mu^2 >= 1 it never slips and the impact loses nothing; F_n then grows "
        "beyond all bounds as the bodies part, where there is a stretch left, and its peak is infinite.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K u^1.5 (1 + (x/u)^2/(4 kappa)): u is the indentation, x the stretch along t\n"
                 "F_t = -K sqrt(u) x/kappa: so that an energy is behind both forces\n"
                 "|x|/u <= 2 kappa mu/(1 + sqrt(1 - kappa mu^2)): with equality in slip\n"
                 "F_t = -mu s F_n: in slip, s = 1 or -1 being its direction",
    .source = "Lai (1999), equations 5.18 to 5.30",
    .example = "local law = percuss.contact.coupled{ young = 70e9, poisson = 0.3, radius = 0.05, friction = 0.1 }\n"
               "print(string.format('%.6g', law.modulus)) --> 7.69231e+10",
    PC_ROWS(rows),
    .size = sizeof(pc_coupled),
    .groups = {PC_EXACTLY_ONE, PC_EXACTLY_ONE},
    .validate = pc_hertz_validate,
};

double pc_coupled_cone(double kappa, double mu)
{
    double rest = 1 - kappa * mu * mu;
    return rest > 0 ? 2 * kappa * mu / (1 + sqrt(rest)) : INFINITY;
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_coupled *law = params;
    (void)mass, (void)speed;
    out->c[0] = pc_hertz_scaled(&law->hertz, scales);
    out->root = 2;
    out->has_shape = true;
    out->tangential = (pc_tangential){.kind = PC_TANGENTIAL_COUPLED,
                                      .mu = law->friction,
                                      .ratio = 2 / (3 * law->hertz.kappa),
                                      .cone = pc_coupled_cone(law->hertz.kappa, law->friction)};
}

const pc_element pc_coupled_element = {.length = pc_hertz_length,
                                       .prepare = prepare,
                                       .normal = pc_hertz_normal,
                                       .stored = pc_hertz_stored,
                                       .shape = pc_hertz_shape};

PC_ONE_FRICTION(pc_coupled, friction)

const pc_law pc_law_coupled = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_CONSERVATIVE,
    .element = &pc_coupled_element,
    .friction = friction,
};
