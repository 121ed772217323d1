/* The methods of a phase: see phase.h. */
#include "motion/phase.h"

#include <math.h>

double pc_phase_longest(const pc_contact_phase *s)
{
    return s->method->ode->stiff ? INFINITY : PC_PHASE_NEAR * s->period;
}

/* Forces of contacts with a history are smooth but for small kinks, on steps that are short by themselves. */
static bool has_history(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++)
        if (pc_contact_has_rings(&c->contact[i].base)) return true;
    return false;
}

static bool serves_all(const pc_contact_phase *s)
{
    (void)s;
    return true;
}

static const pc_phase_method kinked = {.ode = &pc_ode_dopri5, .serves = has_history, .longest = pc_phase_longest};
static const pc_phase_method smooth = {.ode = &pc_ode_dop853, .serves = serves_all, .longest = pc_phase_longest};
static const pc_phase_method stiff = {.ode = &pc_ode_rodas5p, .serves = serves_all, .longest = pc_phase_longest};

static const pc_phase_method *const methods[] = {&kinked, &pc_phase_collocation, &smooth, &stiff};

const pc_phase_method *pc_phase_method_for(const pc_contact_phase *s, bool is_stiff)
{
    if (s->own.ode) return &s->own;
    const pc_phase_method *const *m = methods;
    while ((*m)->ode->stiff != is_stiff || !(*m)->serves(s)) m++;
    return *m;
}
