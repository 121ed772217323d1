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

double pc_tangential_gain(const pc_tangential *e, const pc_normal *n)
{
    if (e->kind == PC_TANGENTIAL_RIGID) return 0;
    return e->kind == PC_TANGENTIAL_MINDLIN ? e->ratio * n->k : 1;
}
