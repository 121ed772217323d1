/* What changes within a step while compliant contacts are closed: see phase.h.
 *
 * The walk over the guards is that of event/event.h; here is what it asks: their values, all of them in one
 * evaluation for each place, how far errors may move them, and whether a contact ends.
 */
#include "engine/phase.h"

#include "math/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A step with a stiffness number above this does not resolve what is between its ends. */
static const double UNRESOLVED = 3;

/* Steps in which closed contacts turn little: mobilities are measured again after so many. */
enum { TURNING = 8 };

/* A gap rounds like the lengths in it: a contact has begun when its indentation is above this share of them. */
static const double TOUCHING = 1e-13;

/* A crest is located if the force at a node beside it is above this share of the greatest so far. */
static const double NEAR_CREST = 0.5;

/* Error of the place of a crest, in periods, unless tolerances are wider: the error of the force is its square. */
static const double CREST = 1e-7;

/* What stays above this share of its greatest value in a step is far from falling: the quintic errs by h^6/46080 of an
 * amplitude, h in radians, the cubics by h^4/384. */
static const double CLEAR = 0.05;

/* Components of the state that forces depend on: what slips and remembers nothing has no variable of its own. */
static int needed(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].base.stuck || c->contact[i].base.p.memory > 0 || pc_contact_has_rings(&c->contact[i].base))
            return s->problem.ode.n;
    return s->problem.ode.n_positions * 2;
}

static int guards_of(const pc_contact_phase *s)
{
    return pc_compliant_rolls(s->compliant) ? PC_ALL_GUARDS : PC_GUARDS;
}

static void keep_node(pc_contact_phase *s, int i)
{
    memcpy(s->node[i], s->compliant->now, (size_t)s->compliant->n * sizeof *s->node[i]);
}

/* Evaluate the contacts at the fraction x of the step: true if the functions of the scene went on. */
static bool evaluate_at(pc_contact_phase *s, double x)
{
    pc_dense part = *s->dense;
    double *y = s->base;
    part.n = needed(s);
    pc_dense_eval(&part, x, y);
    return pc_contact_phase_evaluate(s, x == 1 ? part.t + part.h : part.t + x * part.h, y, false) == 0;
}

/* The same from the interpolant, which is as exact as the tolerance, if there is one. */
static bool interpolate_at(pc_contact_phase *s, double x)
{
    if (!s->interpolated) return evaluate_at(s, x);
    pc_contact_phase_interpolate(s, x);
    return true;
}

/* How far, m, a contact is above where a guard may be steep: its end, or its touch. */
static double depth_of(const pc_compliant_contact *c, int guard, double u)
{
    return fmax(u + (guard == PC_GUARD_RELEASE ? c->base.p.neck : 0), 0);
}

/* The release or the kink at such a depth, whose size the law alone knows; what it remembers is that of the step's
 * end. */
static double value_at(const pc_contact_phase *s, int which, int guard, double depth, double w)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    pc_contact_values m = {.u = depth - (guard == PC_GUARD_RELEASE ? c->base.p.neck : 0), .w = w};
    memcpy(m.recall, s->node[PC_GUARD_PLACES - 1][which].recall, sizeof m.recall);
    pc_contact_normal(&c->base, &m);
    return guard == PC_GUARD_RELEASE ? m.n.release : m.n.kink;
}

/* What an error du makes of it where there is no depth: a touch is a matter of the speed it comes with. And what dw
 * does at the depth where the step ends. */
static double error_of_depth(const pc_contact_phase *s, int which, int guard, double du)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    double w = c->base.armed ? 0 : c->speed;
    return fabs(value_at(s, which, guard, du, w) - value_at(s, which, guard, 0, w));
}

static double error_of_speed(const pc_contact_phase *s, int which, int guard, double dw)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    double deep = fmin(depth_of(c, guard, s->node[PC_GUARD_PLACES - 1][which].u), c->length);
    return dw > 0 ? fabs(value_at(s, which, guard, deep, dw) - value_at(s, which, guard, deep, 0)) : 0;
}

/* How far from zero the release may stand by an error du of the indentation and dw of its rate. A contact may only
 * touch by the rounding of its gap; one that ends in a spring release is pushed out before it gets there. */
static double error_of_release(const pc_contact_phase *s, int which, double du, double dw)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    if (!c->base.armed) du = fmax(du, TOUCHING * s->pairing[which].length);
    if (c->base.parting > 0) du = fmin(du, c->base.armed ? 0 : c->base.parting / 4);
    double deep = error_of_speed(s, which, PC_GUARD_RELEASE, dw),
           touch = error_of_depth(s, which, PC_GUARD_RELEASE, du);
    if (!c->base.armed) return deep + touch;
    /* where a damper has taken the force away an error of u makes none, however steep a root of it is */
    const pc_contact_values *end = &s->node[PC_GUARD_PLACES - 1][which];
    double u = depth_of(c, PC_GUARD_RELEASE, end->u), here = value_at(s, which, PC_GUARD_RELEASE, u, end->w);
    return deep + fmin(touch, fabs(value_at(s, which, PC_GUARD_RELEASE, u + du, end->w) - here));
}

/* How far below zero a guard may stand by the error of the integration: at the exact threshold between stick and slip
 * both start from zero and grow with a high power of time only; and what is loaded and unloaded by next to nothing does
 * not change its branch. What a damper makes of an error of w it takes away again within its own time, so that where a
 * force falls to zero it has fallen; but a touch has not lasted that long, and an unresolved step leaves of it the less
 * the longer it is. */
static double noise(const pc_contact_phase *s, int which, int guard)
{
    const pc_compliant_contact *c = &s->compliant->contact[which];
    double error = 10 * s->tolerance, u = error * c->length, w = error * c->speed;
    double lasting = !c->base.armed                     ? w
                     : s->stiffness_number > UNRESOLVED ? s->tolerance * c->speed / s->stiffness_number
                                                        : 0;
    switch (guard) {
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN:
        return pc_tangential_bounds_stretch(&c->base.p.tangential) ? u
                                                                   : error * c->mass * c->speed * c->speed / c->length;
    case PC_GUARD_BRACE_UP:
    case PC_GUARD_BRACE_DOWN: return error * c->mass * c->speed * c->speed / c->length;
    case PC_GUARD_TURN: return w * (c->base.rolling / s->pairing[which].length);
    case PC_GUARD_ARREST: return w + 2 * c->base.backward;
    case PC_GUARD_BRANCH: return c->base.branch == 0 ? w : u;
    case PC_GUARD_RELEASE: return error_of_release(s, which, u, lasting);
    default: return error_of_depth(s, which, guard, u) + error_of_speed(s, which, guard, lasting);
    }
}

double pc_contact_phase_fastest(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    double most = 0;
    for (int i = 0; i < c->n; i++) {
        const pc_normal *n = &c->now[i].n;
        double w = s->mobility[i];
        most = fmax(most, (fabs(n->dFdw) + c->contact[i].base.p.tangential.ct) * w + sqrt(fabs(n->dFdu) * w));
    }
    return most;
}

/* ---- the walk ---- */

static void evaluate_in_step(pc_guard_walk *walk, int i, double x)
{
    pc_contact_phase *s = walk->context;
    if (x == 1) return; /* known */
    walk->failed |= !interpolate_at(s, x);
    keep_node(s, i);
}

static pc_guard_known values_in_step(pc_guard_walk *walk, int i, int guard, double *value, double *rate)
{
    const pc_contact_phase *s = walk->context;
    const pc_contact *c = &s->compliant->contact[i].base;
    bool known = pc_contact_guard_has_rate(c, guard), applies = false;
    if (!pc_contact_guard_applies(c, guard)) return PC_GUARD_OFF;
    for (int j = 0; j < PC_GUARD_PLACES; j++) {
        const pc_contact_values *m = &s->node[j][i];
        value[j] = pc_contact_guard(c, m, guard);
        applies |= value[j] != 1;
        if (known) rate[j] = pc_contact_guard_rate(c, m, guard);
    }
    if (c->fresh) value[0] = fmax(value[0], 0);
    return !applies ? PC_GUARD_OFF : known ? PC_GUARD_RATES : PC_GUARD_VALUES;
}

static double noise_in_step(pc_guard_walk *walk, int i, int guard)
{
    return noise(walk->context, i, guard);
}

static double at_in_step(pc_guard_walk *walk, int i, int guard, double x)
{
    pc_contact_phase *s = walk->context;
    walk->failed |= !interpolate_at(s, x);
    return pc_contact_guard(&s->compliant->contact[i].base, &s->compliant->now[i], guard);
}

static double exact_in_step(pc_guard_walk *walk, int i, int guard, double x)
{
    pc_contact_phase *s = walk->context;
    walk->failed |= !evaluate_at(s, x);
    return pc_contact_guard(&s->compliant->contact[i].base, &s->compliant->now[i], guard);
}

/* True if a contact is about to end at the fraction x of the step, as far as the error of the integration can tell: in
 * depth, or in time. Beyond the end its other guards mean nothing, and some jump there. */
static bool ends_at(pc_guard_walk *walk, int i, double x)
{
    const pc_contact_phase *s = walk->context;
    const pc_compliant_contact *c = &s->compliant->contact[i];
    const pc_contact_values *m = &s->compliant->now[i];
    double left = at_in_step(walk, i, PC_GUARD_RELEASE, x), error = 10 * s->tolerance;
    /* what a damper lets fall by shares does not come to zero in that time */
    double own = fmin(s->period, fabs(s->stepper.h) / s->stiffness_number);
    bool pulls = c->base.p.pulls; /* with a force that tells nothing of the end */
    if (!pulls && m->Fn < 0) return true;
    if (!c->base.armed) return false;
    return left <= error_of_release(s, i, error * c->length, 0) || (!pulls && m->Fn < -m->dFn * error * own);
}

static bool find_change(pc_contact_phase *s, pc_guard_fall *change)
{
    pc_guard_walk walk = {.contacts = s->compliant->n,
                          .guards = guards_of(s),
                          .place = s->place,
                          .ends_only = s->unresolved,
                          .context = s,
                          .look = evaluate_in_step,
                          .values = values_in_step,
                          .noise = noise_in_step,
                          .at = at_in_step,
                          .exact = s->interpolated ? exact_in_step : NULL,
                          .ends_at = ends_at};
    return pc_guard_walk_find(&walk, change);
}

/* ---- a step ---- */

static pc_status fail_stopped(const pc_contact_phase *s, pc_error *err)
{
    return pc_fail_stopped(err, s->stepper.t_old, "torque", "a function of the scene asked to stop near t = %.17g",
                           s->stepper.t_old);
}

/* The last node, with all rates. */
static pc_status evaluate_end(pc_contact_phase *s, pc_error *err)
{
    if (pc_contact_phase_evaluate(s, s->stepper.t, s->stepper.y, true) != 0) return fail_stopped(s, err);
    keep_node(s, PC_GUARD_PLACES - 1);
    return PC_OK;
}

static bool is_above(const pc_contact_phase *s, int node)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++)
        for (int g = 0; g < guards_of(s); g++)
            if (!(pc_contact_guard(&c->contact[i].base, &s->node[node][i], g) >= 0)) return false;
    return true;
}

/* The first and the last node; what the others need is known then. The last point of collocation tells of the end all
 * that matters to guards: many steps end beyond a change, where `exact` is left false. */
static pc_status evaluate_ends(pc_contact_phase *s, bool *exact, pc_error *err)
{
    const int last = PC_GUARD_PLACES - 1;
    memcpy(s->node[0], s->node[last],
           (size_t)s->compliant->n * sizeof *s->node[0]); /* the step begins where the last one ended */
    s->interpolated = pc_contact_phase_has_paths(s);
    if (s->interpolated) {
        pc_contact_phase_take_end(s);
        keep_node(s, last);
    }
    *exact = !s->interpolated || (pc_contact_phase_is_short(s) && is_above(s, last));
    pc_status status = *exact ? evaluate_end(s, err) : PC_OK;
    if (status != PC_OK) return status;
    for (int i = 0; i < s->compliant->n && s->stepper.statistics.steps % TURNING == 0; i++)
        pc_contact_phase_respond(s, i, s->spare);
    s->stiffness_number = pc_contact_phase_fastest(s) * fabs(s->stepper.h);
    s->unresolved = s->method->ode->stiff || (s->stiffness_number > UNRESOLVED && !s->method->follows_any_rate);
    return PC_OK;
}

/* True if no guard has fallen at the end of an unresolved step, whose inside is not known: the end then stands for all
 * nodes. */
static bool ends_above(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    const int last = PC_GUARD_PLACES - 1;
    if (!is_above(s, last)) return false;
    for (int j = 1; j <= last; j++) {
        s->place[j] = 1;
        if (j < last) memcpy(s->node[j], s->node[last], (size_t)c->n * sizeof *s->node[j]);
    }
    return true;
}

/* A contact that begins compressed, while its bodies part, may be over at once; in a long step it could press again
 * before the next place. (What stands beyond an edge is no matter of forces, so the guard is asked afresh.) */
static bool ends_at_once(pc_contact_phase *s, pc_guard_fall *change)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *contact = &c->contact[i].base;
        if (!contact->fresh || !contact->armed) continue;
        pc_contact_values begin = s->node[0][i];
        pc_contact_normal(contact, &begin);
        if (!(begin.n.release < -noise(s, i, PC_GUARD_RELEASE))) continue;
        for (int j = 0; j < PC_GUARD_PLACES; j++) s->place[j] = (double)j / (PC_GUARD_PLACES - 1);
        *change = (pc_guard_fall){0, i, PC_GUARD_RELEASE};
        return true;
    }
    return false;
}

/* ---- what the ends of a step tell ---- */

/* Between them u is followed by the quintic that has its place, rate and curvature at both ends, v_t and q by cubics.
 * That is enough to see that nothing comes near a change; where something may, the motion itself is looked at. */

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
    m->lean = pc_contact_needs_no_slopes(c);
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

/* The nodes between the ends of a step, as far as these tell; true if no guard comes near zero. */
static bool predict(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    const int last = PC_GUARD_PLACES - 1;
    if (!pc_contact_phase_is_short(s) || !is_above(s, last)) return false;
    for (int i = 0; i < c->n; i++)
        if (pc_contact_is_constrained(&c->contact[i].base) || pc_contact_has_rings(&c->contact[i].base) ||
            c->contact[i].base.p.memory > 0 || c->contact[i].base.rolling > 0)
            return false; /* friction follows from the motion, or forces from a history */
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

/* ---- the first change ---- */

pc_status pc_contact_phase_find_change(pc_contact_phase *s, pc_guard_fall *change, pc_error *err)
{
    pc_compliant *c = s->compliant;
    *change = (pc_guard_fall){2, -1, -1};
    bool exact, over = false;
    pc_status status = evaluate_ends(s, &exact, err);
    if (status == PC_OK) over = ends_at_once(s, change);
    s->predicted = status == PC_OK && !over && (s->unresolved ? ends_above(s) : predict(s));
    s->interpolated = s->interpolated && status == PC_OK && !over && !s->predicted;
    if (status == PC_OK && !over && !s->predicted) {
        status = pc_stepper_dense(&s->stepper, &s->dense, err);
        if (status == PC_OK && s->interpolated) pc_contact_phase_fit_paths(s);
        if (status == PC_OK && !find_change(s, change)) status = fail_stopped(s, err);
    }
    if (status == PC_OK && !exact && change->x > 1) status = evaluate_end(s, err);
    for (int i = 0; i < c->n && status == PC_OK; i++) {
        pc_contact *contact = &c->contact[i].base;
        if (change->x > 0) contact->fresh = false;
        if (contact->backward > 0 && change->x > 1 &&
            contact->sign * s->node[PC_GUARD_PLACES - 1][i].slip > 10 * s->tolerance * c->contact[i].speed)
            contact->backward = 0;
        if (contact->armed) continue;
        /* a touch may be slower than what is typical of it, and is told by its depth */
        double floor = noise(s, i, PC_GUARD_RELEASE);
        double deep = fmax(10 * s->tolerance * c->contact[i].length, TOUCHING * s->pairing[i].length);
        for (int j = 1; j < PC_GUARD_PLACES && s->place[j] <= change->x; j++)
            contact->armed |= s->node[j][i].n.release > floor || (contact->parting == 0 && s->node[j][i].u > deep);
    }
    return status;
}

/* ---- greatest forces ---- */

typedef struct crest {
    pc_contact_phase *s;
    int contact, axis;
} crest;

static double slope_at(double x, void *context)
{
    crest *p = context;
    const pc_contact_values *m = &p->s->compliant->now[p->contact];
    if (!interpolate_at(p->s, x)) return NAN;
    return pc_contact_growth(m, p->axis);
}

/* True if one crest is that of both forces. */
static bool is_slipping(const pc_contact *contact)
{
    return !contact->stuck && !pc_contact_has_rings(contact);
}

/* The crest of a force between two nodes. */
static pc_status note_crest(pc_contact_phase *s, int which, int axis, int node, const double rate[2], double x,
                            pc_error *err)
{
    const pc_contact_values *m = &s->compliant->now[which];
    pc_status status = pc_stepper_dense(&s->stepper, &s->dense, err);
    if (status != PC_OK) return status;
    crest p = {s, which, axis};
    double at = pc_root_between(slope_at, &p, s->place[node], rate[0], s->place[node + 1], rate[1],
                                fmax(CREST, s->tolerance) * s->period / s->stepper.h);
    if (!(at <= x && interpolate_at(s, at))) return PC_OK;
    pc_peaks *peaks = s->options.peaks(s->options.log, s->compliant->contact[which].impact);
    double t = s->dense->t + at * s->dense->h;
    bool both = is_slipping(&s->compliant->contact[which].base);
    if (both || axis == PC_N) pc_peaks_note(peaks, PC_N, m->Fn, t);
    if (both || axis == PC_T) pc_peaks_note(peaks, PC_T, fabs(m->Ft), t);
    return PC_OK;
}

pc_status pc_contact_phase_record_peaks(pc_contact_phase *s, double x, pc_error *err)
{
    pc_compliant *c = s->compliant;
    const int last = PC_GUARD_PLACES - 1;
    pc_status status = PC_OK;
    for (int i = 0; i < c->n && status == PC_OK; i++) {
        pc_peaks *peaks = s->options.peaks(s->options.log, c->contact[i].impact);
        for (int j = 0; j <= last && status == PC_OK; j++) {
            const pc_contact_values *a = &s->node[j][i], *b = a;
            if (s->place[j] > x) break;
            if (!s->predicted || j == 0 || j == last) {
                double t = s->stepper.t_old + s->place[j] * s->stepper.h;
                pc_peaks_note(peaks, PC_N, a->Fn, t);
                pc_peaks_note(peaks, PC_T, fabs(a->Ft), t);
            }
            if (j == last) break;
            b = &s->node[j + 1][i];
            const double most[2] = {fmax(fabs(a->Ft), fabs(b->Ft)), fmax(a->Fn, b->Fn)};
            bool near[2] = {most[0] > NEAR_CREST * peaks->force[0], most[1] > NEAR_CREST * peaks->force[1]};
            if (is_slipping(&c->contact[i].base)) near[PC_N] |= near[PC_T], near[PC_T] = false;
            for (int axis = 0; axis < 2 && status == PC_OK; axis++) {
                const double rate[2] = {pc_contact_growth(a, axis), pc_contact_growth(b, axis)};
                if (near[axis] && rate[0] > 0 && rate[1] < 0) status = note_crest(s, i, axis, j, rate, x, err);
            }
        }
    }
    return status;
}
