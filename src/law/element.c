/* What elements share: tangential elements, and closed forms of restitution. */
#include "law/element.h"

#include "math/roots.h"

#include <math.h>

const char *const pc_tangential_words[] = {"rigid", "spring", "mindlin", "dashpot", "spring_dashpot", NULL};

pc_status pc_tangential_validate(const pc_schema *schema, const pc_tangential_choice *choice, pc_error *err)
{
    bool both = choice->kind == PC_TANGENTIAL_SPRING_DASHPOT, mindlin = choice->kind == PC_TANGENTIAL_MINDLIN;
    bool spring = both || choice->kind == PC_TANGENTIAL_SPRING, dashpot = both || choice->kind == PC_TANGENTIAL_DASHPOT;
    const char *word = pc_tangential_words[choice->kind];
    if (spring == isnan(choice->kt))
        return pc_fail(err, PC_E_ARGUMENT, "%s: tangential = \"%s\" %s tangential_stiffness (kt)", schema->name, word,
                       spring ? "needs" : "does not take");
    if (mindlin == isnan(choice->eta))
        return pc_fail(err, PC_E_ARGUMENT, "%s: tangential = \"%s\" %s stiffness_ratio (eta)", schema->name, word,
                       mindlin ? "needs" : "does not take");
    if (dashpot == isnan(choice->ct))
        return pc_fail(err, PC_E_ARGUMENT, "%s: tangential = \"%s\" %s tangential_damping (ct)", schema->name, word,
                       dashpot ? "needs" : "does not take");
    return PC_OK;
}

pc_tangential pc_tangential_prepare(const pc_tangential_choice *choice, const pc_scales *scales)
{
    double stiffness = pc_scales_stiffness(scales);
    pc_tangential e = {.kind = (pc_tangential_kind)choice->kind, .mu = choice->mu};
    if (e.kind == PC_TANGENTIAL_SPRING || e.kind == PC_TANGENTIAL_SPRING_DASHPOT) e.kt = choice->kt / stiffness;
    if (e.kind == PC_TANGENTIAL_MINDLIN) e.ratio = 1 / choice->eta;
    if (pc_tangential_is_damped(&e)) e.ct = choice->ct * scales->velocity / (scales->length * stiffness);
    return e;
}

double pc_tangential_gain(const pc_tangential *e, const pc_normal *n)
{
    if (e->kind == PC_TANGENTIAL_RIGID || e->kind == PC_TANGENTIAL_DASHPOT) return 0;
    return e->kind == PC_TANGENTIAL_MINDLIN ? e->ratio * n->k : 1;
}

double pc_spring_length(const void *params, double mass, double speed)
{
    return speed * sqrt(mass / *(const double *)params);
}

/* (a - ln(1 + a))/a^2 for any a > -1; series where the difference cancels. */
static double gap(double a)
{
    if (fabs(a) > 0.02) return (a - log1p(a)) / (a * a);
    double sum = 0;
    for (int n = 11; n >= 2; n--) sum = 1.0 / n - a * sum;
    return sum;
}

/* a - ln(1 + a) = -b - ln(1 - b) with b = e a, over a^2. */
static double balance_a(double a, void *context)
{
    double e = *(double *)context;
    return gap(a) - e * e * gap(-e * a);
}

double pc_hunt_crossley_a(double e)
{
    if (e == 1) return 0;
    /* b comes within exp(-1/e) of 1, where the right side is infinite: for the least e allowed, 0.05, 1e-9 */
    double high = (1 - 1e-12) / e, low = 0;
    return pc_root_between(balance_a, &e, low, balance_a(low, &e), high, balance_a(high, &e), 0);
}

double pc_tension_ratio(double e)
{
    double lost = -log(e);
    return lost / hypot(M_PI, lost);
}

double pc_clipped_e(double z)
{
    if (z == 1) return exp(-2);
    double root = sqrt(fabs((1 - z) * (1 + z)));
    return exp(-2 * z * (z < 1 ? acos(z) : acosh(z)) / root);
}

static double miss(double z, void *context)
{
    return pc_clipped_e(z) - *(double *)context;
}

double pc_clipped_ratio(double e)
{
    if (e == 1) return 0;
    double high = 1;
    while (pc_clipped_e(high) > e && high < 1e150) high *= 2; /* e falls as (2 z)^-2 */
    return pc_root_between(miss, &e, 0, 1 - e, high, pc_clipped_e(high) - e, 0);
}
