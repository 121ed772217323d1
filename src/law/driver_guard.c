/* What may change a contact's mode, and when: see driver.h.
 *
 * A *guard* is positive while the mode lasts. It is looked at in five places of each step, which the integrator
 * resolves to its tolerance, and followed down where it dips in between. What merely has to be noted (turning points,
 * crests, reversals) is a *mark*: it changes its sign.
 */
#include "law/driver_internal.h"

#include "math/roots.h"

#include <math.h>

const double pc_drive_places[PC_DRIVE_NODES] = {0, 0.25, 0.5, 0.75, 1};

/* Force or root of the indentation, scaled, that rounding makes where nothing has moved yet: 1e-30 is seen. */
static const double RESTING = 1e-15;

/* A cone or a slip speed this far below zero, in scaled units, may be the integrator's error: at the exact threshold
 * between stick and slip both start from zero and grow with the fifth power of time only. Or it may be what rounding of
 * the velocities is, and a damper makes of it. In a row, contacts of bodies
 * that still rest hold rounding alone, which is no release. */
static double noise(const drive *d, int i, int which)
{
    const contact *c = &d->contacts[i];
    double least = 10 * d->task->tolerance;
    switch (which) {
    case RELEASE: return d->k > 1 ? RESTING : 0;
    case CONE_UP:
    case CONE_DOWN: return fmax(least, c->p.tangential.mu * d->node[0][i].n.dFdw * c->fine[PC_N]);
    case ARREST: return fmax(least, c->fine[PC_T]);
    default: return 0;
    }
}

/* Guards that reach zero together with the end of contact, to rounding of the step, are part of the end. */
static const double TOGETHER = 1e-9;

typedef struct probe {
    const drive *d;
    const pc_dense *dense;
    int contact, which;
} probe;

static double cone(const contact *c, const moment *m, int sign)
{
    const pc_tangential *e = &c->p.tangential;
    if (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED)
        return isfinite(e->cone) ? e->cone * m->u - sign * m->q : 1;
    return e->mu * fmax(m->Fn, 0) + sign * m->Ft;
}

/* True if a guard may fall in the mode that the contact is in. */
static bool applies(const contact *c, int which)
{
    bool open = c->mode == OPEN;
    switch (which) {
    case CLOSE: return open;
    case RECOVER: return open && c->residual > 0;
    case CONE_UP:
    case CONE_DOWN: return c->mode == STICK;
    case ARREST: return c->mode == SLIP;
    case BRANCH: return !open && c->p.plastic;
    default: return !open;
    }
}

/* Positive while the contact stays as it is; 1 where it has no such place. */
double pc_drive_guard(const contact *c, const moment *m, int which)
{
    switch (which) {
    case RELEASE: return m->n.release;
    case CLOSE: return -m->u;
    case RECOVER: return m->u + c->residual;
    case CONE_UP: return cone(c, m, 1);
    case CONE_DOWN: return cone(c, m, -1);
    case ARREST: return c->sign * m->slip;
    case KINK: return m->n.kink == 1 ? 1 : c->kink_side * m->n.kink;
    case BRANCH: return c->branch == 0 ? m->w : c->memory - m->u;
    case TURN: return m->w;
    case REVERSAL: return m->Ft;
    case CREST_N: return m->dFn;
    default: return m->Ft * m->dFt;
    }
}

void pc_drive_look(const drive *d, const pc_dense *dense, double x, moment *out)
{
    pc_drive_state_at(d, dense, x, d->state);
    pc_drive_moments(d, d->state, out);
}

void pc_drive_glance(const drive *d, const pc_dense *dense, double x, moment *out)
{
    pc_drive_motion_at(d, dense, x, d->state);
    pc_drive_moments(d, d->state, out);
}

static double probe_at(double x, void *context)
{
    const probe *p = context;
    pc_drive_glance(p->d, p->dense, x, p->d->probe);
    return pc_drive_guard(&p->d->contacts[p->contact], &p->d->probe[p->contact], p->which);
}

/* Zero between a and b, where the values are fa and fb; a where they have the same sign (a jump at a). */
static double zero_between(const probe *p, double a, double fa, double b, double fb)
{
    if ((fa > 0) == (fb > 0)) return a;
    return pc_root_between(probe_at, (void *)p, a, fa, b, fb, 0);
}

double pc_drive_zero(const drive *d, const pc_dense *dense, int i, int which, double a, double fa, double b, double fb)
{
    probe p = {d, dense, i, which};
    return zero_between(&p, a, fa, b, fb);
}

/* Follow a dip between a and b down by golden section until it is below `floor`; its place, or 2 if it stays above. */
static double dip(const probe *p, double floor, double a, double b)
{
    const double golden = 0.3819660112501051;
    double x1 = a + golden * (b - a), x2 = b - golden * (b - a);
    double f1 = probe_at(x1, (void *)p), f2 = probe_at(x2, (void *)p);
    for (int i = 0; i < 40 && f1 >= floor && f2 >= floor; i++) {
        if (f1 < f2) {
            b = x2, x2 = x1, f2 = f1;
            x1 = a + golden * (b - a);
            f1 = probe_at(x1, (void *)p);
        } else {
            a = x1, x1 = x2, f1 = f2;
            x2 = b - golden * (b - a);
            f2 = probe_at(x2, (void *)p);
        }
    }
    return f1 < floor ? x1 : f2 < floor ? x2 : 2;
}

/* A guard that stands at zero when its mode begins and is negative at b: it may have risen in between. Where it falls
 * then; 0 if it never rose. */
static double fall_from_zero(const probe *p, double b, double fb)
{
    for (int i = 0; i < 20; i++) {
        double x = b / 2, f = probe_at(x, (void *)p);
        if (f > 0) return zero_between(p, x, f, b, fb);
        b = x, fb = f;
    }
    return 0;
}

/* How fast a guard changes with time, where that is known: forces of stiff dampers fall and rise again within a
 * step. */
static double trend(const contact *c, const moment *m, int which)
{
    const pc_tangential *e = &c->p.tangential;
    bool forces = e->kind == PC_TANGENTIAL_SPRING || e->kind == PC_TANGENTIAL_MINDLIN;
    if (!forces || (which != CONE_UP && which != CONE_DOWN)) return 0;
    return e->mu * m->dFn + (which == CONE_UP ? m->dFt : -m->dFt);
}

/* Where a guard of contact i first becomes negative in the step, before `limit` if it can; 2 if it does not. Beyond a
 * change the nodes mean nothing. */
static double first_fall(const drive *d, const pc_dense *dense, int i, int which, double limit)
{
    const contact *c = &d->contacts[i];
    const double *x = pc_drive_places;
    probe p = {d, dense, i, which};
    double v[PC_DRIVE_NODES];
    for (int j = 0; j < PC_DRIVE_NODES; j++) v[j] = pc_drive_guard(c, &d->node[j][i], which);
    if (c->fresh) v[0] = fmax(v[0], 0);
    for (int j = 1; j < PC_DRIVE_NODES && x[j - 1] < limit; j++) {
        if (v[j] < -noise(d, i, which) && j == 1 && c->fresh && v[0] <= noise(d, i, which))
            return fall_from_zero(&p, x[1], v[1]);
        if (v[j] < -noise(d, i, which)) return zero_between(&p, x[j - 1], v[j - 1], x[j], v[j]);
        if (isnan(v[j])) return 2;
        double rate = trend(c, &d->node[j - 1][i], which);
        if (rate < 0 && v[j - 1] > 0 &&
            v[j - 1] + rate * (pc_drive_time_at(d, dense, x[j]) - pc_drive_time_at(d, dense, x[j - 1])) < 0) {
            double low = dip(&p, -noise(d, i, which), x[j - 1], x[j]);
            if (low < 2) return zero_between(&p, x[j - 1], v[j - 1], low, -1);
        }
        if (j + 1 == PC_DRIVE_NODES || x[j] >= limit || !(v[j] < v[j - 1] && v[j] <= v[j + 1])) continue;
        double bend = v[j - 1] - 2 * v[j] + v[j + 1], tilt = v[j + 1] - v[j - 1];
        if (v[j] - tilt * tilt / (8 * bend) > v[j] / 4) continue;
        double low = dip(&p, -noise(d, i, which), x[j - 1], x[j + 1]);
        if (low < 2) return zero_between(&p, x[j - 1], v[j - 1], low, -1);
    }
    return 2;
}

/* A guard that falls just before the end of contact may be positive again at the next node, which lies beyond it: look
 * at the end itself. */
static void look_at_end(const drive *d, const pc_dense *dense, double *cut, int who, int *what)
{
    const contact *c = &d->contacts[who];
    moment at_end, before;
    int last = 1;
    while (pc_drive_places[last] < *cut) last++;
    double start = pc_drive_places[last - 1], end = *cut;
    pc_drive_glance(d, dense, end, d->probe);
    at_end = d->probe[who];
    before = d->node[last - 1][who];
    for (int g = CONE_UP; g <= ARREST; g++) {
        if (!applies(c, g)) continue;
        double fa = pc_drive_guard(c, &before, g), fb = pc_drive_guard(c, &at_end, g);
        if (!(fb < -noise(d, who, g) && fa > 0)) continue;
        double x = pc_drive_zero(d, dense, who, g, start, fa, end, fb);
        if (x < fmin(*cut, end - TOGETHER)) *cut = x, *what = g;
    }
}

/* The first change in a step; false if there is none. */
bool pc_drive_find_change(const drive *d, const pc_dense *dense, double *cut, int *who, int *what)
{
    *cut = 2;
    *who = *what = -1;
    pc_drive_resolve(d, pc_drive_at(d));
    for (int i = 0; i < d->k; i++)
        for (int g = 0; g < N_GUARDS; g++) {
            if (!applies(&d->contacts[i], g)) continue;
            double x = first_fall(d, dense, i, g, *cut);
            bool first = *what == RELEASE && *who == i ? x < *cut - TOGETHER : x < *cut;
            if (first) *cut = x, *who = i, *what = g;
        }
    if (*what == RELEASE && *cut <= 1) look_at_end(d, dense, cut, *who, what);
    return *cut <= 1;
}
