/* What changes within a step while compliant contacts are closed: see phase.h.
 *
 * Guards are looked at in five places of a step, all of them in one evaluation each, and followed down where they dip
 * in between; their zeros are then found on the guards themselves. Beyond the end of a contact its forces pull, so
 * where one ends the others are looked at up to there; what falls together with the end is part of it.
 */
#include "math/roots.h"
#include "motion/phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A step whose length times the fastest rate is above this says little of what is between its ends. */
static const double COARSE = 3;

/* Steps in which what is pressed turns little. */
enum { TURNING = 8 };

/* Guards that reach zero together with the end of contact, to rounding of the step. */
static const double TOGETHER = 1e-9;

/* Gaps round like the lengths in them: pressed by less, a contact has not begun. */
static const double TOUCHING = 1e-13;

/* Shares of a step: over which the slope of a guard is taken, and by which the zero of a path may miss that of the
 * motion. */
static const double NEARBY = 1e-6, FARTHEST = 1e-2;

/* A guard that keeps this share of its values on both sides where it was found to be zero has jumped there. */
static const double JUMP = 1e-3;

/* A force within its crest, as a share of what was greatest so far, is worth a closer look. */
static const double NEAR_CREST = 0.5;

/* Where a crest is found, in periods, unless tolerances are wider: the force itself misses it by the square of that. */
static const double CREST = 1e-7;

/* Between two places where a guard is above this share of its greatest value in the step it does not fall to zero and
 * rise again, or it would be greater at others. */
static const double DEEP = 0.5;

typedef struct probe {
    pc_contact_phase *s;
    const pc_dense *dense;
    int contact, guard;
    double shift; /* added to the guard */
    bool close;   /* to the motion itself, though paths are drawn */
    bool failed;
} probe;

/* Components of the state that forces depend on: what slips has no variable of its own. */
static int needed(const pc_contact_phase *s)
{
    const pc_compliant *c = &s->run->state.compliant;
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].press.stuck || pc_contact_has_rings(&c->contact[i].press)) return s->problem.ode.n;
    return s->problem.ode.n_positions * 2;
}

static bool look(pc_contact_phase *s, const pc_dense *dense, double x)
{
    pc_dense part = *dense;
    double *y = s->base;
    part.n = needed(s);
    pc_dense_eval(&part, x, y);
    return pc_contact_phase_evaluate(s, x == 1 ? dense->t + dense->h : dense->t + x * dense->h, y, false) == 0;
}

/* The same, or as good as the tolerance. */
static bool see(pc_contact_phase *s, const pc_dense *dense, double x)
{
    if (!s->drawn) return look(s, dense, x);
    pc_contact_phase_interpolate(s, dense, x);
    return true;
}

static double probe_at(double x, void *context)
{
    probe *p = context;
    const pc_compliant *c = &p->s->run->state.compliant;
    if (!(p->close ? look(p->s, p->dense, x) : see(p->s, p->dense, x))) p->failed = true;
    return pc_contact_guard(&c->contact[p->contact].press, &c->now[p->contact], p->guard) + p->shift;
}

/* The release or the kink, whose size the law alone knows. */
static double value_at(const pc_run_contact *c, int guard, double u, double w)
{
    pc_contact_values m = {.u = u, .w = w};
    pc_contact_normal(&c->press, &m);
    return guard == PC_GUARD_RELEASE ? m.n.release : m.n.kink;
}

/* What an error du makes of it where there is no depth, and dw at the depth where the step ends. A touch is a matter of
 * the speed it comes with. */
static double blur_of(const pc_contact_phase *s, int which, int guard, double du, double dw)
{
    const pc_run_contact *c = &s->run->state.compliant.contact[which];
    double deep = fmin(fmax(s->node[PC_PHASE_NODES - 1][which].u, 0), c->length), w = c->press.armed ? 0 : c->speed;
    return fabs(value_at(c, guard, du, w) - value_at(c, guard, 0, w)) +
           fabs(value_at(c, guard, deep, dw) - value_at(c, guard, deep, 0));
}

/* How far from zero the release may stand by an error du of the indentation and dw of its rate. A contact may only
 * touch by the rounding of its gap; one that ends in a spring release is pushed out before it gets there. */
static double blur_of_release(const pc_contact_phase *s, int which, double du, double dw)
{
    const pc_run_contact *c = &s->run->state.compliant.contact[which];
    if (!c->press.armed) du = fmax(du, TOUCHING * s->run->scene->pairs[c->pair].length);
    if (c->press.parting > 0) du = fmin(du, c->press.armed ? 0 : c->press.parting / 4);
    double deep = blur_of(s, which, PC_GUARD_RELEASE, 0, dw), touch = blur_of(s, which, PC_GUARD_RELEASE, du, 0);
    if (!c->press.armed) return deep + touch;
    /* where a damper has taken the force away an error of u makes none, however steep a root of it is */
    const pc_contact_values *end = &s->node[PC_PHASE_NODES - 1][which];
    double u = fmax(end->u, 0), here = value_at(c, PC_GUARD_RELEASE, u, end->w);
    return deep + fmin(touch, fabs(value_at(c, PC_GUARD_RELEASE, u + du, end->w) - here));
}

/* How far below zero a guard may stand by the error of the integration: at the exact threshold between stick and slip
 * both start from zero and grow with a high power of time only; and what is loaded and unloaded by next to nothing does
 * not change its branch. What a damper makes of an error of w it takes away again within its own time, so that where a
 * force falls to zero it has fallen; but a touch has not lasted that long, and a coarse step leaves of it the less the
 * longer it is. */
static double noise(const pc_contact_phase *s, int which, int guard)
{
    const pc_run_contact *c = &s->run->state.compliant.contact[which];
    double error = 10 * s->tolerance, u = error * c->length, w = error * c->speed;
    double lasting = !c->press.armed ? w : s->reach > COARSE ? s->tolerance * c->speed / s->reach : 0;
    pc_tangential_kind kind = c->press.p.tangential.kind;
    bool stretch = kind == PC_TANGENTIAL_SECANT || kind == PC_TANGENTIAL_COUPLED;
    switch (guard) {
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN: return stretch ? u : error * c->mass * c->speed * c->speed / c->length;
    case PC_GUARD_ARREST: return w + 2 * c->press.backward;
    case PC_GUARD_BRANCH: return c->press.branch == 0 ? w : u;
    case PC_GUARD_RELEASE: return blur_of_release(s, which, u, lasting);
    default: return blur_of(s, which, guard, u, lasting);
    }
}

/* The zero of the motion near that of its paths, whose slopes are as exact as their places: a look leaves of the
 * distance its own size, or the tolerance, as a share. From the nearest one look is enough. */
static double approach(probe *p, double a, double fa, double b, double fb, double x)
{
    double from = fmax(a, x - NEARBY), to = fmin(b, x + NEARBY), start = x;
    double slope = (probe_at(to, p) - probe_at(from, p)) / (to - from);
    p->close = true;
    for (int k = 0; k < 2; k++) {
        double last = x;
        x -= probe_at(x, p) / slope;
        if (fabs(x - last) <= NEARBY && x >= a && x <= b) break;
        if (fabs(x - start) <= FARTHEST && x >= a && x <= b) continue;
        x = pc_root_between(probe_at, p, a, fa, b, fb, 0);
        break;
    }
    p->close = false;
    return x;
}

/* Where a frame jumps a guard falls without being zero: the change belongs to the far side, where it has fallen. On the
 * near side the next step would find the same jump again, for ever. */
static double beyond_jump(probe *p, double x, double fa, double b, double fb)
{
    double least = JUMP * fmin(fa, -fb), here = probe_at(x, p);
    for (double step = DBL_EPSILON; here > least && x < b; step *= 2) {
        x = fmin(x + step, b);
        here = probe_at(x, p);
    }
    return x;
}

static double zero_between(probe *p, double a, double fa, double b, double fb)
{
    if ((fa > 0) == (fb > 0)) return a; /* a jump at a */
    double x = pc_root_between(probe_at, p, a, fa, b, fb, p->s->drawn ? NEARBY : 0);
    if (p->s->drawn) x = approach(p, a, fa, b, fb, x);
    return beyond_jump(p, x, fa, b, fb);
}

/* Follow a dip between a and b down by golden section until it is below -floor; its place, or 2 if it stays above. */
static double dip(probe *p, double floor, double a, double b)
{
    const double golden = 0.3819660112501051;
    double x1 = a + golden * (b - a), x2 = b - golden * (b - a);
    double f1 = probe_at(x1, p), f2 = probe_at(x2, p);
    for (int i = 0; i < 40 && f1 >= -floor && f2 >= -floor; i++) {
        if (f1 < f2) {
            b = x2, x2 = x1, f2 = f1;
            x1 = a + golden * (b - a);
            f1 = probe_at(x1, p);
        } else {
            a = x1, x1 = x2, f1 = f2;
            x2 = b - golden * (b - a);
            f2 = probe_at(x2, p);
        }
    }
    return f1 < -floor ? x1 : f2 < -floor ? x2 : 2;
}

/* Rate of a guard, up to a positive factor; NaN where it is not known. */
static double slope_of(const pc_contact *c, const pc_contact_values *m, int guard)
{
    const pc_tangential *e = &c->p.tangential;
    int sign = guard == PC_GUARD_CONE_UP ? 1 : -1;
    if (guard == PC_GUARD_RELEASE) return c->parting > 0 ? m->w : m->dFn;
    if (guard != PC_GUARD_CONE_UP && guard != PC_GUARD_CONE_DOWN) return NAN;
    if (e->kind == PC_TANGENTIAL_RIGID) return NAN;
    if (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED) return e->cone * m->w - sign * m->creep;
    return e->mu * m->dFn + sign * m->dFt;
}

/* Where a guard falls that is above zero at a, or at the beginning of the step as far below as noise may be, and below
 * it at b: it may have risen before. */
static double fall_between(probe *p, double floor, double a, double fa, double b, double fb)
{
    if (fa > 0 || a > 0) return zero_between(p, a, fa, b, fb);
    double found = 0;
    p->shift = floor;
    for (double x = b / 2; x > 1e-9 * b && found == 0; x /= 8) {
        double value = probe_at(x, p);
        if (value > 0) found = zero_between(p, x, value, b, fb + floor);
    }
    p->shift = 0;
    return found;
}

/* Where a guard first falls in the step; 2 if it does not. */
static double first_fall(probe *p)
{
    pc_contact_phase *s = p->s;
    const pc_contact *c = &s->run->state.compliant.contact[p->contact].press;
    double v[PC_PHASE_NODES];
    double least = INFINITY, most = -INFINITY;
    for (int j = 0; j < PC_PHASE_NODES; j++) {
        v[j] = pc_contact_guard(c, &s->node[j][p->contact], p->guard);
        most = fmax(most, v[j]);
        if (j > 0) least = fmin(least, v[j]);
    }
    if (least == 1) return 2; /* it does not apply, or is far from falling */
    if (c->fresh) v[0] = fmax(v[0], 0);
    double floor = noise(s, p->contact, p->guard);
    if (s->coarse) { /* within such a step it is less exact than at the end, by far */
        const int last = PC_PHASE_NODES - 1;
        return v[last] < -floor ? fall_between(p, floor, s->place[0], v[0], s->place[last], v[last]) : 2;
    }
    for (int j = 1; j < PC_PHASE_NODES; j++) {
        if (v[j] < -floor) return fall_between(p, floor, s->place[j - 1], v[j - 1], s->place[j], v[j]);
        if (isnan(v[j])) return 2;
        const pc_contact_values *a = &s->node[j - 1][p->contact], *b = &s->node[j][p->contact];
        if (slope_of(c, a, p->guard) < 0 && slope_of(c, b, p->guard) > 0) {
            if (fmin(v[j - 1], v[j]) > DEEP * most) continue; /* a swing that goes so far in so short a time */
            double low = dip(p, floor, s->place[j - 1], s->place[j]);
            if (low < 2) return fall_between(p, floor, s->place[j - 1], v[j - 1], low, probe_at(low, p));
            continue;
        }
        if (j + 1 == PC_PHASE_NODES || !(v[j] < v[j - 1] && v[j] <= v[j + 1])) continue;
        double bend = v[j - 1] - 2 * v[j] + v[j + 1], tilt = v[j + 1] - v[j - 1];
        if (v[j] - tilt * tilt / (8 * bend) > v[j] / 4) continue;
        double low = dip(p, floor, s->place[j - 1], s->place[j + 1]);
        if (low < 2) return fall_between(p, floor, s->place[j - 1], v[j - 1], low, probe_at(low, p));
    }
    return 2;
}

void pc_contact_phase_couple(pc_contact_phase *s)
{
    pc_run *run = s->run;
    const pc_compliant *c = &run->state.compliant;
    int pair[PC_CLOSED], side = 2 * c->n;
    for (int i = 0; i < c->n; i++) pair[i] = c->contact[i].pair;
    pc_block_build(&run->scratch.block, &run->scratch.system, pair, c->touch, c->n);
    for (int j = 0; j < c->n; j++) {
        double friction = run->scene->pairs[pair[j]].friction;
        s->give[j] = 0;
        for (int i = 0; i < c->n; i++) {
            const double *W = run->scratch.block.W + (2 * i + PC_N) * side + 2 * j;
            s->give[j] += fabs(W[PC_N]) + friction * fabs(W[PC_T]);
        }
    }
}

double pc_contact_phase_fastest(const pc_contact_phase *s)
{
    const pc_compliant *c = &s->run->state.compliant;
    double most = 0;
    for (int i = 0; i < c->n; i++) {
        const pc_normal *n = &c->now[i].n;
        double w = s->give[i];
        most = fmax(most, fabs(n->dFdw) * w + sqrt(fabs(n->dFdu) * w));
    }
    return most;
}

/* Look at the nodes from the beginning to the fraction `end` of the step. */
static bool look_up_to(pc_contact_phase *s, const pc_dense *dense, double end)
{
    size_t size = (size_t)s->run->state.compliant.n * sizeof(pc_contact_values);
    for (int j = 1; j < PC_PHASE_NODES; j++) {
        s->place[j] = j + 1 == PC_PHASE_NODES ? end : end * j / (PC_PHASE_NODES - 1);
        if (s->place[j] == 1) continue; /* known */
        if (!see(s, dense, s->place[j])) return false;
        memcpy(s->node[j], s->run->state.compliant.now, size);
    }
    return true;
}

/* True if a contact is about to end at the fraction x of the step, as far as the error of the integration can tell: in
 * depth, or in time. Beyond the end its other guards mean nothing, and some jump there: what they do now is part of the
 * end. */
static bool ends_at(probe *p, double x)
{
    const pc_contact_phase *s = p->s;
    const pc_run_contact *c = &s->run->state.compliant.contact[p->contact];
    const pc_contact_values *m = &s->run->state.compliant.now[p->contact];
    probe end = {.s = p->s, .dense = p->dense, .contact = p->contact, .guard = PC_GUARD_RELEASE};
    double left = probe_at(x, &end), error = 10 * s->tolerance;
    p->failed = end.failed;
    /* what a damper lets fall by shares does not come to zero in that time */
    double own = fmin(s->period, fabs(s->stepper.h) / s->reach);
    if (!c->press.p.pulls && m->Fn < 0) return true;
    if (!c->press.armed) return false;
    return left <= blur_of_release(s, p->contact, error * c->length, 0) || m->Fn < -m->dFn * error * own;
}

/* The first of some guards of all contacts to fall before change->x. */
static bool find_first(pc_contact_phase *s, const pc_dense *dense, int from, int to, pc_contact_phase_change *change)
{
    for (int i = 0; i < s->run->state.compliant.n; i++)
        for (int g = from; g < to; g++) {
            probe p = {.s = s, .dense = dense, .contact = i, .guard = g};
            double x = first_fall(&p);
            bool over = x <= 1 && g != PC_GUARD_RELEASE && ends_at(&p, x);
            if (p.failed) return false;
            if (over) continue;
            if (x < change->x) *change = (pc_contact_phase_change){x, i, g};
        }
    return true;
}

/* The last node, with all rates. */
static bool look_at_end(pc_contact_phase *s)
{
    if (pc_contact_phase_evaluate(s, s->stepper.t, s->stepper.y, true) != 0) return false;
    memcpy(s->node[PC_PHASE_NODES - 1], s->run->state.compliant.now,
           (size_t)s->run->state.compliant.n * sizeof(pc_contact_values));
    return true;
}

/* The first and the last node; what the others need is known then. Most long steps of collocation end beyond their
 * contact, where paths tell all that matters. */
static bool look_at_ends(pc_contact_phase *s)
{
    const int last = PC_PHASE_NODES - 1;
    size_t size = (size_t)s->run->state.compliant.n * sizeof(pc_contact_values);
    memcpy(s->node[0], s->node[last], size); /* the step begins where the last one ended */
    s->drawn = !pc_contact_phase_is_short(s) && pc_contact_phase_fit_paths(s);
    if (s->drawn) {
        pc_contact_phase_interpolate(s, NULL, 1);
        memcpy(s->node[last], s->run->state.compliant.now, size);
    } else if (!look_at_end(s)) {
        return false;
    }
    if (s->stepper.statistics.steps % TURNING == 0) pc_contact_phase_couple(s);
    s->reach = pc_contact_phase_fastest(s) * fabs(s->stepper.h);
    s->coarse = s->method->ode->stiff || (s->reach > COARSE && !s->method->follows_any_rate);
    return true;
}

/* True if a contact has guards besides the release. */
static bool has_others(const pc_contact_phase *s)
{
    const pc_compliant *c = &s->run->state.compliant;
    for (int i = 0; i < c->n; i++)
        for (int g = PC_GUARD_RELEASE + 1; g < PC_GUARDS; g++)
            for (int j = 0; j < PC_PHASE_NODES; j++)
                if (pc_contact_guard(&c->contact[i].press, &s->node[j][i], g) != 1) return true;
    return false;
}

static bool find_change(pc_contact_phase *s, const pc_dense *dense, pc_contact_phase_change *change)
{
    if (!look_up_to(s, dense, 1)) return false;
    if (!find_first(s, dense, PC_GUARD_RELEASE, PC_GUARD_RELEASE + 1, change)) return false;
    pc_contact_phase_change other = {2, -1, -1};
    bool ends = change->x <= 1;
    if ((ends && change->x == 0) || !has_others(s)) return true;
    if (ends && !look_up_to(s, dense, change->x)) return false;
    if (!find_first(s, dense, PC_GUARD_RELEASE + 1, PC_GUARDS, &other)) return false;
    if (other.x < (ends ? change->x - TOGETHER : change->x)) *change = other;
    return true;
}

/* Within a step that is long beside what damps it the motion is less exact than at the end, by far: then that is all
 * that counts. */
static bool ends_above(pc_contact_phase *s)
{
    const pc_compliant *c = &s->run->state.compliant;
    const int last = PC_PHASE_NODES - 1;
    for (int i = 0; i < c->n; i++)
        for (int g = 0; g < PC_GUARDS; g++)
            if (!(pc_contact_guard(&c->contact[i].press, &s->node[last][i], g) >= 0)) return false;
    for (int j = 1; j <= last; j++) {
        s->place[j] = 1;
        if (j < last) memcpy(s->node[j], s->node[last], (size_t)c->n * sizeof *s->node[j]);
    }
    return true;
}

/* A contact that begins compressed, while its bodies part, may be over at once; in a long step it could press again
 * before the next place. (What stands beyond an edge is no matter of forces, so the guard is asked afresh.) */
static bool ends_at_once(pc_contact_phase *s, pc_contact_phase_change *change)
{
    const pc_compliant *c = &s->run->state.compliant;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *press = &c->contact[i].press;
        if (!press->fresh || !press->armed) continue;
        pc_contact_values begin = s->node[0][i];
        pc_contact_normal(press, &begin);
        if (!(begin.n.release < -noise(s, i, PC_GUARD_RELEASE))) continue;
        for (int j = 0; j < PC_PHASE_NODES; j++) s->place[j] = (double)j / (PC_PHASE_NODES - 1);
        *change = (pc_contact_phase_change){0, i, PC_GUARD_RELEASE};
        return true;
    }
    return false;
}

pc_status pc_contact_phase_find_change(pc_contact_phase *s, pc_contact_phase_change *change, pc_error *err)
{
    pc_compliant *c = &s->run->state.compliant;
    *change = (pc_contact_phase_change){2, -1, -1};
    bool good = look_at_ends(s), glanced = s->drawn, over = good && ends_at_once(s, change);
    s->foreseen = good && !over && (s->coarse ? ends_above(s) : pc_contact_phase_predict(s));
    s->drawn = good && !over && !s->foreseen && (glanced || pc_contact_phase_fit_paths(s));
    if (good && !over && !s->foreseen) {
        const pc_dense *dense;
        pc_status status = pc_stepper_dense(&s->stepper, &dense, err);
        if (status != PC_OK) return status;
        good = find_change(s, dense, change);
        if (good && glanced && change->x > 1) good = look_at_end(s);
    }
    for (int i = 0; i < c->n && good; i++) {
        pc_contact *press = &c->contact[i].press;
        if (change->x > 0) press->fresh = false;
        if (press->backward > 0 && change->x > 1 &&
            press->sign * s->node[PC_PHASE_NODES - 1][i].slip > 10 * s->tolerance * c->contact[i].speed)
            press->backward = 0;
        if (press->armed) continue;
        /* a touch may be slower than what is typical of it, and is told by its depth */
        double floor = noise(s, i, PC_GUARD_RELEASE);
        double deep =
            fmax(10 * s->tolerance * c->contact[i].length, TOUCHING * s->run->scene->pairs[c->contact[i].pair].length);
        for (int j = 1; j < PC_PHASE_NODES && s->place[j] <= change->x; j++)
            press->armed |= s->node[j][i].n.release > floor || (press->parting == 0 && s->node[j][i].u > deep);
    }
    if (good) return PC_OK;
    return pc_fail_stopped(err, s->stepper.t_old, "torque", "a function of the scene asked to stop near t = %.17g",
                           s->stepper.t_old);
}

/* ---- greatest forces ---- */

typedef struct crest {
    pc_contact_phase *s;
    const pc_dense *dense;
    int contact, axis;
} crest;

static double slope_at(double x, void *context)
{
    crest *p = context;
    const pc_contact_values *m = &p->s->run->state.compliant.now[p->contact];
    if (!see(p->s, p->dense, x)) return NAN;
    return p->axis == PC_N ? m->dFn : m->Ft * m->dFt;
}

static void note(pc_impact_history *record, int axis, double force, double t)
{
    if (!(force > record->peak[axis])) return;
    record->peak[axis] = force;
    record->peak_time[axis] = t;
}

/* The crest of a force between two nodes. */
static pc_status note_crest(pc_contact_phase *s, int which, int axis, int node, const double rate[2], double x,
                            pc_error *err)
{
    const pc_contact_values *m = &s->run->state.compliant.now[which];
    const pc_dense *dense;
    pc_status status = pc_stepper_dense(&s->stepper, &dense, err);
    if (status != PC_OK) return status;
    crest p = {s, dense, which, axis};
    double at = pc_root_between(slope_at, &p, s->place[node], rate[0], s->place[node + 1], rate[1],
                                fmax(CREST, s->tolerance) * s->period / s->stepper.h);
    if (at <= x && see(s, dense, at))
        note(pc_run_impact_history(s->run, s->run->state.compliant.contact[which].hit), axis,
             axis == PC_N ? m->Fn : fabs(m->Ft), dense->t + at * dense->h);
    return PC_OK;
}

pc_status pc_contact_phase_record_peaks(pc_contact_phase *s, double x, pc_error *err)
{
    pc_compliant *c = &s->run->state.compliant;
    const int last = PC_PHASE_NODES - 1;
    pc_status status = PC_OK;
    for (int i = 0; i < c->n && status == PC_OK; i++) {
        pc_impact_history *record = pc_run_impact_history(s->run, c->contact[i].hit);
        for (int j = 0; j <= last && status == PC_OK; j++) {
            const pc_contact_values *a = &s->node[j][i], *b = a;
            if (s->place[j] > x) break;
            if (!s->foreseen || j == 0 || j == last) {
                double t = s->stepper.t_old + s->place[j] * s->stepper.h;
                note(record, PC_N, a->Fn, t);
                note(record, PC_T, fabs(a->Ft), t);
            }
            if (j == last) break;
            b = &s->node[j + 1][i];
            double rates[2][2] = {{a->Ft * a->dFt, b->Ft * b->dFt}, {a->dFn, b->dFn}};
            const double most[2] = {fmax(fabs(a->Ft), fabs(b->Ft)), fmax(a->Fn, b->Fn)};
            for (int axis = 0; axis < 2 && status == PC_OK; axis++) {
                const double *r = rates[axis];
                if (r[0] > 0 && r[1] < 0 && most[axis] > NEAR_CREST * record->peak[axis])
                    status = note_crest(s, i, axis, j, r, x, err);
            }
        }
    }
    return status;
}
