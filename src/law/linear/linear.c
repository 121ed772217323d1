/* The linear stick-slip law: its parameters, the element it is elsewhere, its way over arrays, and closed forms of the
 * pendulum on it. See linear.h for the law and linear/kernel.h for the solution. */
#include "law/linear/linear.h"

#include "base/interrupt.h"
#include "law/element.h"
#include "law/linear/linear_internal.h"
#include "law/map_columns.h"
#include "law/recorder.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const pc_row pc_linear_rows[PC_LINEAR_ROWS] = {
    {.name = "stiffness",
     .symbol = "kn",
     PC_MEMBER(pc_linear, kn),
     .unit = PC_UNIT_N_PER_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e3, 1e8},
     .doc = "stiffness of the normal spring"},
    [PC_LINEAR_KT] = {.name = "tangential",
                      .symbol = "kt",
                      PC_MEMBER(pc_linear, kt),
                      .unit = PC_UNIT_N_PER_M,
                      .initial = PC_ABSENT,
                      .allowed = PC_POSITIVE,
                      .group = 1,
                      .doc = "stiffness of the tangential spring, in space the same in every direction"},
    {.name = "stiffness_ratio",
     .symbol = "eta",
     .greek = "η",
     PC_MEMBER(pc_linear, eta),
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {0.05, 5},
     .group = 1,
     .doc = "normal over tangential stiffness; 1.17 to 1.5 for Poisson's ratio 0.25 to 0.5 (Birlik 4.2.1.1.2)"},
    {.name = "friction",
     .symbol = "mu",
     .greek = "μ",
     PC_MEMBER(pc_linear, mu),
     .initial = PC_REQUIRED,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 2},
     .doc = "coefficient of friction of the contact particle, the same in stick and slip"},
    {.name = "restitution",
     .role = PC_RESTITUTION,
     .symbol = "E",
     PC_MEMBER(pc_linear, restitution),
     .initial = 1,
     .allowed = {0, 1, true, false},
     .sample = {0.3, 1},
     .doc = "root of the energy that the normal spring returns: it unloads on kn/E^2"},
};

pc_status pc_linear_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_linear *law = object;
    (void)schema, (void)err;
    if (given >> PC_LINEAR_KT & 1)
        law->eta = law->kn / law->kt;
    else
        law->kt = law->kn / law->eta;
    return PC_OK;
}

static const pc_schema schema = {
    .name = "contact.linear",
    .summary = "Normal and tangential spring with Coulomb friction, solved in closed form.",
    .details = "F_n = kn u_n and F_t = -kt u_t act on a massless contact particle that sticks while |F_t| < mu F_n and "
               "slips with F_t = -mu F_n against its velocity otherwise. An impact is a chain of stick and slip "
               "phases; no step size and no tolerance enter. With restitution E < 1 the normal spring unloads on "
               "kn/E^2 about a residual indentation and is loaded again on that line up to its greatest force. A body "
               "with one degree of freedom may wedge: then it vibrates in contact for ever, and the verdict is exact.",
    .equations = "F_n = kn u: in compression, u being the indentation\n"
                 "F_n = kn (u - u_r)/E^2: in restitution, u_r being the indentation that is left\n"
                 "F_t = -kt x: in stick, x being the stretch of the tangential spring\n"
                 "F_t = -mu s F_n: in slip, s = 1 or -1 being its direction\n"
                 "kt = kn/eta: where the stiffness ratio is given",
    .source = "Birlik (2012), sections 3.3.1.1 and 4.2.1; Stronge, Impact Mechanics (2000), chapter 5; "
              "Walton and Braun, J. Rheology 30 (1986)",
    .example = "local spring = percuss.contact.linear{ stiffness = 1.5e7, eta = 1.21, friction = 0.5 }\n"
               "print(string.format('%.4g', spring.kt)) --> 1.24e+07",
    .rows = pc_linear_rows,
    .n_rows = PC_LINEAR_ROWS,
    .size = sizeof(pc_linear),
    .groups = {PC_EXACTLY_ONE},
    .validate = pc_linear_validate,
};

PC_ONE_FRICTION(pc_linear, mu)

const pc_law pc_law_linear = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_CLOSED_FORM | PC_LAW_CONSERVATIVE,
    .impact = pc_linear_impact,
    .trace = pc_linear_trace,
    .map = pc_linear_map,
    .element = &pc_linear_element,
    .friction = friction,
};

/* ---- an element: where several contacts act at once, or the configuration moves, no closed form holds ----
 *
 * The normal spring is Walton and Braun's: loading on k_n, unloading and loading again on k_n/E^2 up to the greatest
 * force so far; the tangential one is a spring of its own.
 */

enum { LOADING, UNLOADING };

static double length(const void *params, double mass, double speed)
{
    return speed * sqrt(mass / ((const pc_linear *)params)->kn);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_linear *law = params;
    (void)mass, (void)speed;
    double stiffness = pc_scales_stiffness(scales);
    out->c[LOADING] = law->kn / stiffness;
    out->c[UNLOADING] = out->c[LOADING] / (law->restitution * law->restitution);
    out->plastic = law->restitution < 1;
    out->root = 1;
    out->linear = true;
    out->tangential = (pc_tangential){.kind = PC_TANGENTIAL_SPRING, .mu = law->mu, .kt = law->kt / stiffness};
}

/* Distance from where unloading ends, once the greatest indentation is `most`. */
static double left(const pc_prepared *p, double u, double most)
{
    return u - most * (1 - p->c[LOADING] / p->c[UNLOADING]);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    out->k = out->dFdu = p->c[x->branch ? UNLOADING : LOADING];
    out->release = x->branch ? left(p, x->u, x->memory) : x->u;
    out->F = out->k * out->release;
    out->dFdw = out->dk = out->ddk = 0;
    out->kink = 1;
}

static double stored(const pc_prepared *p, const pc_indent *x)
{
    double d = left(p, x->u, x->branch ? x->memory : x->u);
    return p->c[UNLOADING] * d * d / 2;
}

const pc_element pc_linear_element = {.length = length, .prepare = prepare, .normal = normal, .stored = stored};

/* ---- arrays, run by the kernel that suits the processor ---- */

/* Impacts between two looks at the interrupt flag. */
enum { STRETCH = 4096 };

/* NULL if the processor lacks the instructions. Every kernel returns the same bits, so this choice is one of speed
 * alone. */
static pc_linear_kernel *kernel_of(int width)
{
#if !defined(PC_NO_X86)
    if (width == 4 && __builtin_cpu_supports("avx2")) return pc_linear_run4;
    if (width == 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return pc_linear_run8;
#endif
    return width == 1 ? pc_linear_run1 : NULL;
}

pc_status pc_linear_map_width(const pc_map_columns *map, int width, size_t *failed, pc_error *err)
{
    pc_linear_kernel *kernel = kernel_of(width);
    if (!kernel) return pc_fail(err, PC_E_UNSUPPORTED, "this processor has no kernel %d lanes wide", width);
    pc_map_columns all = *map;
    pc_map_column rows[PC_LINEAR_ROWS];
    for (int i = 0; i < PC_LINEAR_ROWS && !map->rows; i++)
        rows[i] = (pc_map_column){NULL, pc_row_number(&pc_linear_rows[i], map->params)};
    if (!map->rows) all.rows = rows;
    *failed = 0;
    for (size_t i = 0; i < map->n; i += STRETCH) {
        if (pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted after %zu of %zu impacts", i, map->n);
        *failed += kernel(&all, i, map->n - i < STRETCH ? map->n : i + STRETCH);
    }
    if (*failed)
        pc_fail(err, PC_E_NUMERIC, "%s: W is not positive semi-definite, or there are more phases than can be computed",
                schema.name);
    return PC_OK;
}

pc_status pc_linear_map(const pc_map_columns *map, size_t *failed, pc_error *err)
{
    return pc_linear_map_width(map, kernel_of(8) ? 8 : kernel_of(4) ? 4 : 1, failed, err);
}

/* ---- the pendulum ---- */

double pc_wedge_critical_angle(double mu, double eta, double restitution)
{
    double h = eta / (restitution * restitution);
    double b = 1 + 3 * mu * mu * h;
    return atan(2 * mu / (b + sqrt(b * b + 4 * mu * mu * h)));
}

bool pc_wedge_friction_range(double theta, double eta, double restitution, double *mu_low, double *mu_high)
{
    double h = eta / (restitution * restitution), T = tan(theta);
    /* the same equation as one in mu: 3 h T mu^2 - (1 - h T^2) mu + T = 0 */
    double b = 1 - h * T * T, discriminant = b * b - 12 * h * T * T;
    if (!(b > 0 && discriminant >= 0)) return false;
    double root = b + sqrt(discriminant);
    *mu_low = 2 * T / root;
    *mu_high = root / (6 * h * T);
    return true;
}

double pc_wedge_greatest_angle(double eta, double restitution, double *mu)
{
    double root = sqrt(eta) / restitution;
    if (mu) *mu = 1 / (sqrt(3) * root);
    return atan((2 - sqrt(3)) / root); /* tan(15 deg) = 2 - sqrt(3) */
}

/* What both slides take, as a fraction; above 1 the second one stops first. */
static double slides(double T, double mu, double eta)
{
    double stick = mu * eta * T;
    if (stick >= 1) return 0;
    return 2 * mu * (1 - stick) / ((mu + T) * (1 + stick));
}

double pc_pendulum_loss(double theta, double mu, double eta)
{
    return fmin(slides(tan(theta), mu, eta), 1);
}

double pc_pendulum_speed_ratio(double theta, double mu, double eta)
{
    double T = tan(theta), stick = mu * eta * T;
    if (stick >= 1) return 1;
    /* 1 - loss, written so that it does not cancel at the critical angle */
    double square = (T - mu) / (T + mu) + 4 * mu * mu * eta * T / ((T + mu) * (1 + stick));
    return sqrt(fmax(square, 0));
}

double pc_pendulum_greatest_loss(double theta, double eta, double *mu)
{
    double T = tan(theta), q = eta * T * T;
    double best = (sqrt(2 * (1 + q) / eta) - T) / (2 + q);
    if (mu) *mu = best;
    return pc_pendulum_loss(theta, best, eta);
}

double pc_pendulum_rigid_speed_ratio(double theta, double mu, double restitution)
{
    double T = tan(theta);
    return mu < T ? restitution * sqrt((T - mu) / (T + mu)) : 0;
}
