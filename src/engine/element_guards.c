/* What may change a contact's mode, and when: see element_impact.h.
 *
 * A *guard* is positive while the mode lasts; the first to fall in a step ends it (event/event.h). What merely has
 * to be noted (turning points, crests, reversals) is a *mark*: it changes its sign.
 */
#include "engine/element_impact_internal.h"

#include "math/roots.h"

#include <math.h>

/* Force or root of the indentation, scaled, that rounding makes where nothing has moved yet: 1e-30 is seen. */
static const double RESTING = 1e-15;

/* A cone or a slip speed this far below zero, in scaled units, may be the integrator's error: at the exact threshold
 * between stick and slip both start from zero and grow with the fifth power of time only. Or it may be what rounding of
 * the velocities is, and a damper makes of it. In a row, contacts of bodies that still rest hold rounding alone, which
 * is no release. */
static double noise(const motion *d, int i, int which)
{
    const contact *c = &d->contacts[i];
    double least = 10 * d->task->tolerance;
    switch (which) {
    case PC_GUARD_RELEASE: return d->k > 1 ? RESTING : 0;
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN: return fmax(least, c->base.p.tangential.mu * d->node[0][i].n.dFdw * c->fine[PC_N]);
    case PC_GUARD_ARREST: return fmax(least, c->fine[PC_T]);
    default: return 0;
    }
}

typedef struct probe {
    const motion *d;
    const pc_dense *dense;
    int contact, which;
} probe;

/* By how much the contact point is faster than the bounds of stretches grow: while it is, rings that slip go on. */
static double lead(const pc_contact *c, const pc_contact_values *m, int sign)
{
    return sign * m->v_t - c->p.tangential.cone * m->w;
}

/* Stick is over when the last ring lets go, and slip where all come to rest; of too few neither can be told. */
double pc_element_ring_guard(const contact *c, const pc_contact_values *m, int which)
{
    const pc_contact *base = &c->base;
    int sign = which == PC_GUARD_CONE_UP ? 1 : -1;
    switch (which) {
    case PC_GUARD_BRANCH: return base->branch ? -m->w : m->w;
    case PC_GUARD_ARREST: return base->stuck || !pc_contact_has_mode(base) ? 1 : lead(base, m, base->sign);
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN:
        if (!base->stuck || !pc_contact_has_mode(base)) return 1;
        return m->whole == sign && lead(base, m, sign) > 0 ? -1 : 1;
    default: return pc_contact_guard(base, m, which);
    }
}

/* True if a guard may fall in the mode that the contact is in. */
static bool applies(const motion *d, const contact *c, int which)
{
    bool open = c->open;
    switch (which) {
    case CLOSE: return open;
    case RECOVER: return open && c->residual > 0;
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN: return sticks(c) && !(d->body && d->body->persistent);
    case PC_GUARD_ARREST: return slips(c);
    case PC_GUARD_BRANCH: return !open && (c->base.p.plastic || pc_contact_has_rings(&c->base));
    default: return !open;
    }
}

void pc_element_evaluate(const motion *d, const pc_dense *dense, double x, pc_contact_values *out)
{
    pc_element_state_at(d, dense, x, d->state);
    pc_element_values(d, d->state, out);
}

void pc_element_evaluate_motion(const motion *d, const pc_dense *dense, double x, pc_contact_values *out)
{
    pc_element_motion_at(d, dense, x, d->state);
    pc_element_values(d, d->state, out);
}

/* Share of a step between places where F_t is taken for its slope. */
static const double NEARBY = 1e-6;

double pc_element_crest(const motion *d, const pc_dense *dense, int i, double x)
{
    double size[2];
    for (int k = 0; k < 2; k++) {
        pc_element_evaluate_motion(d, dense, k ? fmin(x + NEARBY, 1) : fmax(x - NEARBY, 0), d->probe);
        size[k] = fabs(d->probe[i].Ft);
    }
    return size[1] - size[0];
}

static double probe_at(double x, void *context)
{
    const probe *p = context;
    pc_element_evaluate_motion(p->d, p->dense, x, p->d->probe);
    return pc_element_mark(p->d, p->dense, p->contact, p->which, x, &p->d->probe[p->contact]);
}

/* a where the values have the same sign (a jump at a). */
double pc_element_zero(const motion *d, const pc_dense *dense, int i, int which, double a, double fa, double b,
                       double fb)
{
    probe p = {d, dense, i, which};
    return (fa > 0) == (fb > 0) ? a : pc_root_between(probe_at, &p, a, fa, b, fb, 0);
}

/* ---- the first guard to fall ---- */

typedef struct step {
    const motion *d;
    const pc_dense *dense;
} step;

static void evaluate_in_step(pc_guard_walk *walk, int i, double x)
{
    const step *s = walk->context;
    if (x == 1) /* the state there is that of the next step */
        pc_element_values(s->d, pc_element_at(s->d), s->d->node[i]);
    else
        pc_element_evaluate_motion(s->d, s->dense, x, s->d->node[i]);
}

static pc_guard_known values_in_step(pc_guard_walk *walk, int i, int which, double *value, double *rate)
{
    const motion *d = ((const step *)walk->context)->d;
    const contact *c = &d->contacts[i];
    if (!applies(d, c, which)) return PC_GUARD_OFF;
    /* this branch of the law has no kink */
    if (which == PC_GUARD_KINK && d->node[0][i].n.kink == 1 && d->node[PC_GUARD_PLACES - 1][i].n.kink == 1)
        return PC_GUARD_OFF;
    /* forces of stiff dampers fall and rise again within a step */
    bool known = pc_guard_is_cone(which) && pc_contact_stretch_follows(&c->base);
    for (int j = 0; j < PC_GUARD_PLACES; j++) {
        const pc_contact_values *m = &d->node[j][i];
        value[j] = pc_element_guard(c, m, which);
        if (known) rate[j] = pc_contact_guard_rate(&c->base, m, which);
    }
    if (c->base.fresh) value[0] = fmax(value[0], 0);
    return known ? PC_GUARD_RATES : PC_GUARD_VALUES;
}

static double noise_in_step(pc_guard_walk *walk, int i, int which)
{
    return noise(((const step *)walk->context)->d, i, which);
}

static double at_in_step(pc_guard_walk *walk, int i, int which, double x)
{
    const step *s = walk->context;
    probe p = {s->d, s->dense, i, which};
    return probe_at(x, &p);
}

/* The first change in a step; false if there is none. */
bool pc_element_find_change(motion *d, const pc_dense *dense, double *cut, int *who, int *what)
{
    step s = {d, dense};
    pc_guard_walk walk = {.contacts = d->k,
                          .guards = N_GUARDS,
                          .place = d->place,
                          .context = &s,
                          .look = evaluate_in_step,
                          .values = values_in_step,
                          .noise = noise_in_step,
                          .at = at_in_step};
    pc_guard_fall fall;
    pc_element_resolve(d, pc_element_at(d));
    pc_guard_walk_find(&walk, &fall);
    *cut = fall.x;
    *who = fall.contact;
    *what = fall.guard;
    return *cut <= 1;
}
