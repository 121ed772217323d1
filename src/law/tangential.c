/* Tangential elements: see tangential.h. */
#include "law/tangential.h"

#include "law/element.h"

#include <math.h>

const char *const pc_tangential_words[] = {"rigid", "spring", "mindlin", NULL};

pc_status pc_tangential_validate(const pc_schema *schema, const pc_tangential_choice *choice, pc_error *err)
{
    bool spring = choice->kind == PC_TANGENTIAL_SPRING, mindlin = choice->kind == PC_TANGENTIAL_MINDLIN;
    const char *word = pc_tangential_words[choice->kind];
    if (spring == isnan(choice->kt))
        return pc_fail(err, PC_E_ARGUMENT, "%s: tangential = \"%s\" %s tangential_stiffness (kt)", schema->name, word,
                       spring ? "needs" : "does not take");
    if (mindlin == isnan(choice->eta))
        return pc_fail(err, PC_E_ARGUMENT, "%s: tangential = \"%s\" %s stiffness_ratio (eta)", schema->name, word,
                       mindlin ? "needs" : "does not take");
    return PC_OK;
}

pc_tangential pc_tangential_prepare(const pc_tangential_choice *choice, double stiffness)
{
    pc_tangential e = {.kind = (pc_tangential_kind)choice->kind, .mu = choice->mu};
    if (e.kind == PC_TANGENTIAL_SPRING) e.kt = choice->kt / stiffness;
    if (e.kind == PC_TANGENTIAL_MINDLIN) e.ratio = 1 / choice->eta;
    return e;
}

bool pc_tangential_starts_stuck(const pc_tangential *e, const pc_normal *n, double u, double w, double v_t)
{
    if (v_t == 0 || isinf(e->cone)) return true;
    if (!(w > 0)) return false;
    double slope = fabs(v_t) / w;
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING: return e->kt * u * slope <= e->mu * n->F;
    case PC_TANGENTIAL_MINDLIN:
        /* along u = w t the force is ratio k u/(1 + d ln k/d ln u) for a power law */
        return e->ratio * n->k * u / (1 + n->dk * u / n->k) * slope <= e->mu * n->F;
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_RINGS:
    case PC_TANGENTIAL_COUPLED: return slope <= e->cone;
    case PC_TANGENTIAL_RIGID: break;
    }
    return false;
}

double pc_tangential_force(const pc_tangential *e, const pc_normal *n, double q)
{
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING: return -e->kt * q;
    case PC_TANGENTIAL_MINDLIN: return -q;
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_COUPLED: return -e->ratio * n->k * q;
    case PC_TANGENTIAL_RINGS:
    case PC_TANGENTIAL_RIGID: break;
    }
    return 0;
}

double pc_tangential_extra(const pc_tangential *e, const pc_normal *n, double q)
{
    return e->kind == PC_TANGENTIAL_COUPLED && q != 0 ? e->ratio * n->dk * q * q / 2 : 0;
}

double pc_tangential_stored(const pc_tangential *e, const pc_normal *n, double q)
{
    if (q == 0) return 0;
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING: return e->kt * q * q / 2;
    case PC_TANGENTIAL_MINDLIN: return q * q / (2 * e->ratio * n->k);
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_COUPLED: return e->ratio * n->k * q * q / 2;
    case PC_TANGENTIAL_RINGS:
    case PC_TANGENTIAL_RIGID: break;
    }
    return 0;
}

double pc_tangential_gain(const pc_tangential *e, const pc_normal *n)
{
    if (e->kind == PC_TANGENTIAL_RIGID) return 0;
    return e->kind == PC_TANGENTIAL_MINDLIN ? e->ratio * n->k : 1;
}

/* F: the pressure, u: the indentation. */
static double slip_q(const pc_tangential *e, int sign, double u, double F)
{
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING: return sign * (e->mu * F / e->kt);
    case PC_TANGENTIAL_MINDLIN: return sign * (e->mu * F);
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_COUPLED: return sign * (e->cone * u);
    case PC_TANGENTIAL_RINGS:
    case PC_TANGENTIAL_RIGID: break;
    }
    return 0;
}

pc_slide pc_tangential_slip(const pc_tangential *e, const pc_normal *n, bool pulls, int sign, double u)
{
    if (e->mu == 0) return (pc_slide){0, 0, n->F};
    double F = pulls ? fmax(n->F, 0) : n->F, q = slip_q(e, sign, u, F), extra = pc_tangential_extra(e, n, q);
    return (pc_slide){q, -sign * (e->mu * (F + extra)), n->F + extra};
}

double pc_tangential_creep(const pc_tangential *e, const pc_normal *n, int sign, double w, double dF)
{
    if (e->mu == 0) return 0;
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING: return sign * (e->mu * dF / e->kt);
    case PC_TANGENTIAL_MINDLIN: return sign * (e->mu * dF / (e->ratio * n->k));
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_COUPLED: return sign * (e->cone * w);
    case PC_TANGENTIAL_RINGS:
    case PC_TANGENTIAL_RIGID: break;
    }
    return 0;
}
