/* What the two ends of a step tell of a closed contact: see phase.h.
 *
 * Between them u is followed by the quintic that has its place, rate and curvature at both ends, v_t and q by cubics.
 * That is enough to see that nothing comes near a change; where something may, the motion itself is looked at.
 */
#include "engine/phase.h"

#include <math.h>

/* What stays above this share of its greatest value in a step is far from falling: the quintic errs by h^6/46080 of an
 * amplitude, h in radians, the cubics by h^4/384. */
static const double CLEAR = 0.05;

/* Share taken of the step that would just meet the tolerance, which is steady while a contact with smooth forces lasts;
 * at most, towards its end. The last step ends beyond that by more than is known of it: by twice what a guard may fall
 * by the error of the integration (tolerances, in periods), and a share of what was left. */
static const double BOLD = 0.9, BOLDEST = 0.97, FALLEN = 20, BEYOND = 1.002;
enum { MOST_AIMED = 4 };

/* What ends nearer than this share of a step is not worth one of its own: there its polynomial is exact as well. */
static const double NEAREST = 0.1;

/* Value at x of the cubic with values a, b and slopes da, db at the ends of a unit interval. */
static double cubic(double x, double a, double da, double b, double db)
{
    double y = 1 - x, d = b - a;
    return a + x * (d + y * (y * (da - d) - x * (db - d)));
}

/* Value, slope and curvature at x of the quintic with these at both ends of a unit interval. */
static void quintic(double x, const double at0[3], const double at1[3], double out[3])
{
    /* what is left above the parabola at 0 has value, slope and curvature e at 1: x^3 (c0 + c1 x + c2 x^2) */
    double e0 = at1[0] - at0[0] - at0[1] - at0[2] / 2, e1 = at1[1] - at0[1] - at0[2], e2 = at1[2] - at0[2];
    double c0 = 10 * e0 - 4 * e1 + e2 / 2, c1 = -15 * e0 + 7 * e1 - e2, c2 = 6 * e0 - 3 * e1 + e2 / 2;
    out[0] = at0[0] + x * (at0[1] + x * (at0[2] / 2 + x * (c0 + x * (c1 + x * c2))));
    out[1] = at0[1] + x * (at0[2] + x * (3 * c0 + x * (4 * c1 + x * 5 * c2)));
    out[2] = at0[2] + x * (6 * c0 + x * (12 * c1 + x * 20 * c2));
}

static void between(const pc_contact *c, double h, const pc_contact_values *a, const pc_contact_values *b, double x,
                    pc_contact_values *m)
{
    const pc_tangential *e = &c->p.tangential;
    const double u0[3] = {a->u, h * a->w, h * h * a->dw}, u1[3] = {b->u, h * b->w, h * h * b->dw};
    double u[3];
    quintic(x, u0, u1, u);
    *m = (pc_contact_values){.u = u[0], .w = u[1] / h, .v_t = cubic(x, a->v_t, h * a->dv_t, b->v_t, h * b->dv_t)};
    if (c->stuck)
        m->q =
            cubic(x, a->q, h * a->v_t * pc_tangential_gain(e, &a->n), b->q, h * b->v_t * pc_tangential_gain(e, &b->n));
    pc_contact_forces(c, m);
    pc_contact_rates(c, m, u[2] / (h * h));
}

/* A guard that stands at zero in the beginning rises, and then it stays far above. */
static bool stays_clear(const pc_contact_phase *s, int which, int guard)
{
    const pc_contact *c = &s->compliant->contact[which].base;
    double most = -INFINITY, least = INFINITY, first = pc_contact_guard(c, &s->node[0][which], guard);
    for (int j = 1; j < PC_GUARD_PLACES; j++) {
        double v = pc_contact_guard(c, &s->node[j][which], guard);
        most = fmax(most, v);
        if (isnan(v)) return false;
        least = fmin(least, v);
    }
    bool risen = first > CLEAR * most || (guard == PC_GUARD_RELEASE && s->node[0][which].dFn > 0);
    return risen && least > CLEAR * most;
}

bool pc_contact_phase_predict(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    const int last = PC_GUARD_PLACES - 1;
    if (!pc_contact_phase_is_short(s)) return false;
    for (int i = 0; i < c->n; i++)
        if (pc_contact_is_constrained(&c->contact[i].base) || pc_contact_has_rings(&c->contact[i].base))
            return false; /* friction follows from the motion, or from its history */
    for (int j = 0; j <= last; j++) {
        s->place[j] = (double)j / last;
        if (j == 0 || j == last) continue;
        for (int i = 0; i < c->n; i++)
            between(&c->contact[i].base, s->stepper.h, &s->node[0][i], &s->node[last][i], s->place[j], &s->node[j][i]);
    }
    for (int i = 0; i < c->n; i++)
        for (int guard = 0; guard < PC_GUARDS; guard++)
            if (!stays_clear(s, i, guard)) return false;
    return true;
}

/* Time from the end of the last step until the normal force of a contact is zero, if it goes on as that of a linear
 * spring and damper under the load that is on it: about that load it swings by R cos(rate t - phase). */
static double time_left(const pc_contact_phase *s, int which)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    const pc_contact_values *m = &s->node[PC_GUARD_PLACES - 1][which];
    double damping = m->n.dFdw / c->mass / 2, square = m->n.dFdu / c->mass - damping * damping;
    if (!(square > 0) || c->base.p.root != 1) return INFINITY;
    double rate = sqrt(square), load = m->Fn + c->mass * m->dw;
    double swing[2] = {m->Fn - load, (m->dFn + damping * (m->Fn - load)) / rate}, most = hypot(swing[0], swing[1]);
    return fabs(load) < most ? (atan2(swing[1], swing[0]) + acos(-load / most)) / rate : INFINITY;
}

void pc_contact_phase_choose_step(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    double left = INFINITY, longest = s->stepper.h_next / s->method->ode->safety;
    double most = fmin(BOLDEST * longest, s->stepper.settings.max_step);
    bool smooth = true;
    for (int i = 0; i < c->n; i++) {
        left = fmin(left, time_left(s, i));
        smooth &= c->contact[i].base.p.root == 1;
    }
    double steps = ceil(left / most);
    if (smooth) s->stepper.h_next = BOLD * longest;
    if (left > NEAREST * most && steps <= MOST_AIMED)
        s->stepper.h_next = steps == 1 ? left * BEYOND + FALLEN * s->tolerance * s->period : left / steps;
}
