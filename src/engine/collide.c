/* Impacts of one contact by any law: see collide.h. */
#include "engine/collide.h"

#include "engine/element_impact.h"

#include <math.h>

/* W with the resistance of the law in its turning, which is kept in `turning`. */
static pc_mobility resisted(const pc_law *law, const void *params, const pc_mobility *W, pc_turning *turning)
{
    pc_mobility out = *W;
    pc_turning_resistance resistance = {0};
    if (!W->turning) return out;
    if (law->turning) law->turning(params, &resistance);
    *turning = *W->turning;
    turning->rolling = resistance.rolling;
    out.turning = turning;
    return out;
}

static pc_status make(const pc_law *law, const void *params, const pc_mobility *W, const double v0[3], pc_asked asked,
                      pc_impact *out, pc_error *err)
{
    if (W->modes && !(law->abilities & PC_LAW_VIBRATES))
        return pc_fail(err, PC_E_UNSUPPORTED, "%s takes no modes of vibration from a body; contact.maw does",
                       law->schema->name);
    pc_turning turning;
    const pc_mobility with = resisted(law, params, W, &turning);
    bool own = law->impact && (!law->takes || law->takes(params, W));
    if (own) return law->impact(params, &with, v0, asked, out, err);
    return pc_element_impact(law->element, params, &with, v0, asked, out, err);
}

pc_status pc_law_impact(const pc_law *law, const void *params, const pc_mobility *W, const double v0[3], pc_impact *out,
                        pc_error *err)
{
    return make(law, params, W, v0, (pc_asked){0}, out, err);
}

pc_status pc_law_trace(const pc_law *law, const void *params, const pc_mobility *W, const pc_impact *impact,
                       const double *times, size_t n, pc_state *out, pc_error *err)
{
    if (impact->outcome == PC_OUTCOME_NONE)
        return pc_fail(err, PC_E_ARGUMENT, "there was no impact: the bodies did not approach");
    pc_impact again;
    pc_impact_init(&again);
    pc_status status = make(law, params, W, impact->v0, (pc_asked){n, times, out}, &again, err);
    pc_impact_free(&again);
    return status;
}

double pc_law_restitution(const pc_law *law, const void *params, double w_nn, double v, pc_error *err)
{
    const pc_mobility W = {.nn = w_nn, .rank = 1};
    pc_impact hit;
    pc_impact_init(&hit);
    pc_status status = pc_law_impact(law, params, &W, (const double[3]){0, -v, 0}, &hit, err);
    double e = status == PC_OK ? pc_impact_restitution(&hit).kinematic : NAN;
    pc_impact_free(&hit);
    return e;
}
