/* The list of laws: see laws.def; and the result record of an impact: see impact.h. */
#include "law/law.h"

#include "base/alloc.h"
#include "law/impact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PC_LAW(name) extern const pc_law pc_law_##name;
#include "law/laws.def"
#undef PC_LAW

const pc_law *const pc_laws[] = {
#define PC_LAW(name) &pc_law_##name,
#include "law/laws.def"
#undef PC_LAW
};

const int pc_n_laws = sizeof pc_laws / sizeof pc_laws[0];

static void empty_lists(pc_impact *impact)
{
    impact->n_phases = impact->n_reversals = 0;
    impact->capacity = PC_PHASES_INSIDE;
    impact->phases = impact->room;
    impact->reversal_capacity = PC_REVERSALS_INSIDE;
    impact->reversals = impact->reversal_room;
}

void pc_impact_init(pc_impact *impact)
{
    memset(impact, 0, offsetof(pc_impact, room));
    impact->arrest_time = impact->lock_frequency = NAN;
    for (int i = 0; i < 2; i++) impact->lock_mean[i] = impact->lock_amplitude[i] = NAN;
    empty_lists(impact);
}

pc_phase *pc_impact_push(pc_impact *impact)
{
    if ((size_t)impact->n_phases == impact->capacity) {
        bool inside = impact->phases == impact->room;
        pc_phase *block = inside ? NULL : impact->phases;
        if (!PC_GROW(block, impact->capacity, impact->n_phases + 1)) return NULL;
        if (inside) memcpy(block, impact->room, sizeof impact->room);
        impact->phases = block;
    }
    return &impact->phases[impact->n_phases++];
}

bool pc_impact_push_reversal(pc_impact *impact, double t)
{
    if ((size_t)impact->n_reversals == impact->reversal_capacity) {
        bool inside = impact->reversals == impact->reversal_room;
        double *block = inside ? NULL : impact->reversals;
        if (!PC_GROW(block, impact->reversal_capacity, impact->n_reversals + 1)) return false;
        if (inside) memcpy(block, impact->reversal_room, sizeof impact->reversal_room);
        impact->reversals = block;
    }
    impact->reversals[impact->n_reversals++] = t;
    return true;
}

void pc_impact_free(pc_impact *impact)
{
    if (impact->reversals != impact->reversal_room) pc_free(impact->reversals);
    if (impact->phases != impact->room) pc_free(impact->phases);
    empty_lists(impact);
}

pc_restitution3 pc_impact_restitution(const pc_impact *impact)
{
    pc_restitution3 r = {NAN, NAN, NAN};
    if (impact->v0[PC_N] != 0) r.kinematic = -impact->v1[PC_N] / impact->v0[PC_N];
    if (isinf(impact->duration)) return r;
    if (impact->impulse_compression[PC_N] > 0)
        r.kinetic = impact->impulse_restitution[PC_N] / impact->impulse_compression[PC_N];
    double absorbed = -impact->work_n_compression;
    if (absorbed > 0) r.energetic = sqrt(fmax(impact->work_n_restitution, 0) / absorbed);
    return r;
}

double pc_impact_loss(const pc_impact *impact)
{
    if (impact->energy1 == 0) return impact->energy0; /* wedged, or all of it but rounding */
    double lost = -(impact->work_n + impact->work_t + impact->work_f);
    double turned = impact->work_n_restitution - impact->work_n_compression;
    return fabs(lost) > 16 * DBL_EPSILON * turned ? lost : 0; /* what the sum of works leaves where nothing is lost */
}

const char *pc_outcome_word(pc_outcome outcome)
{
    static const char *const words[] = {"rebound", "wedged", "none", "adhered"};
    return words[outcome];
}

const char *pc_impact_regime(const pc_impact *impact)
{
    if (impact->outcome == PC_OUTCOME_NONE || impact->n_phases == 0) return "none";
    if (impact->outcome == PC_OUTCOME_WEDGED) return "wedged";
    if (impact->outcome == PC_OUTCOME_ADHERED) return "adhered";
    bool slips = impact->phases[0].kind == PC_PHASE_SLIP;
    switch (impact->n_phases) {
    case 1: return slips ? "gross slip" : "gross stick";
    case 2:
        if (!slips) return "stick-slip";
        return impact->phases[1].kind == PC_PHASE_SLIP ? "slip-slip" : "slip-stick";
    case 3: return slips ? "slip-stick-slip" : "many cycles";
    default: return "many cycles";
    }
}
