/* The list of laws: see laws.def. */
#include "law/law.h"

#define PC_LAW(name) extern const pc_law pc_law_##name;
#include "law/laws.def"
#undef PC_LAW

const pc_law *const pc_laws[] = {
#define PC_LAW(name) &pc_law_##name,
#include "law/laws.def"
#undef PC_LAW
};

const int pc_n_laws = sizeof pc_laws / sizeof pc_laws[0];

double pc_law_restitution(const pc_law *law, const void *params, double w_nn, double v, pc_error *err)
{
    const pc_mobility W = {.nn = w_nn, .rank = 1};
    pc_impact hit;
    pc_impact_init(&hit);
    pc_status status = law->impact(params, &W, (const double[3]){0, -v, 0}, &hit, err);
    double e = status == PC_OK ? pc_impact_restitution(&hit).kinematic : NAN;
    pc_impact_free(&hit);
    return e;
}
