/* Maw's rings at a frozen configuration whose normal and tangential motions are coupled.
 *
 * With w_tn the friction changes the indentation, and Hertz's closed form of it is lost: the motion is integrated from
 * the end of one step of the rings (law/rings.h) to that of the next. Scaled units are those of law/element.h.
 */
#include "law/maw/coupled.h"

#include "base/interrupt.h"
#include "law/contact.h"
#include "law/recorder.h"
#include "math/roots.h"
#include "ode/ode.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { U, VT, VN, Q, PT, PN, WORK_N, WORK_T, N }; /* WORK_T: all of the tangential force */

/* Relative and absolute error of a step; and a step where there is no friction. */
static const double TOLERANCE = 1e-12, SMOOTH = 0.05;

/* How long a contact may last, in units of the element's time. */
static const double LONGEST = 500;

/* A body with one degree of freedom is wedged when it has swung to and fro without slipping as a whole: its energy does
 * not grow. */
enum { TO_AND_FRO = 3 };

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

typedef struct coupled {
    pc_contact press;
    double tt, tn; /* W, scaled; w_nn = 1 */
    double y[N], t;
    double friction; /* F_t at the end of the step before */
    bool may_wedge;  /* W has rank 1 */
    int turns;       /* in this stick */
    pc_state arrest; /* at the first of them */
    double time, length, speed, mass;
    pc_ode_problem problem;
    pc_stepper stepper;
    pc_recorder record;
    pc_impact *out;
    pc_error *err;
} coupled;

static void look(const coupled *c, const double *y, pc_contact_values *m)
{
    *m = (pc_contact_values){.u = y[U], .w = -y[VN], .v_t = y[VT], .q = y[Q]};
    pc_contact_forces(&c->press, m);
    pc_contact_rates(&c->press, m, -(c->tn * m->Ft + m->Fn));
}

static int rates(double t, const double *y, double *rate, void *context)
{
    const coupled *c = context;
    pc_contact_values m;
    (void)t;
    look(c, y, &m);
    rate[U] = -y[VN];
    rate[VT] = c->tt * m.Ft + c->tn * m.Fn;
    rate[VN] = c->tn * m.Ft + m.Fn;
    rate[Q] = y[VT];
    rate[PT] = m.Ft;
    rate[PN] = m.Fn;
    rate[WORK_N] = m.Fn * y[VN];
    rate[WORK_T] = m.Ft * y[VT];
    return 0;
}

/* ---- what goes into the result ---- */

static pc_state state_of(const coupled *c, const double *y, double t)
{
    pc_contact_values m;
    look(c, y, &m);
    double force = c->mass * c->speed / c->time, impulse = c->mass * c->speed, work = impulse * c->speed;
    double v0[2] = {c->out->v0[PC_T] / c->speed, -1};
    double all = (y[PT] * (v0[0] + y[VT]) + y[PN] * (v0[1] + y[VN])) / 2, friction = y[WORK_T] + m.kept;
    return (pc_state){.t = t * c->time,
                      .u = {y[Q] * c->length, y[U] * c->length},
                      .v = {y[VT] * c->speed, y[VN] * c->speed},
                      .F = {m.Ft * force, m.Fn * force},
                      .p = {y[PT] * impulse, y[PN] * impulse},
                      .work_n = y[WORK_N] * work,
                      .work_f = friction * work,
                      .work_t = (all - y[WORK_N] - friction) * work};
}

static void note_peaks(coupled *c)
{
    pc_contact_values m;
    look(c, c->y, &m);
    pc_recorder_force(&c->record, PC_T, fabs(m.Ft), c->t);
    pc_recorder_force(&c->record, PC_N, m.Fn, c->t);
}

static pc_status open_phase(coupled *c, const pc_state *at)
{
    int sign = c->press.stuck ? 0 : c->press.sign;
    if (1 - c->press.p.tangential.mu * sign * c->tn < 0) c->out->flags |= PC_FLAG_JAM;
    if (sign) c->turns = 0;
    return pc_recorder_open_phase(&c->record, sign ? PC_PHASE_SLIP : PC_PHASE_STICK, sign, at);
}

/* States at the times asked for, up to t in a step. */
static void trace(coupled *c, const pc_dense *dense, double t)
{
    while (pc_recorder_asks(&c->record, t * c->time)) {
        double y[N], at = c->record.times[c->record.traced] / c->time;
        pc_dense_eval(dense, fmax(0, (at - dense->t) / dense->h), y);
        pc_state now = state_of(c, y, at);
        pc_recorder_answer(&c->record, &now);
    }
}

static void turn(coupled *c)
{
    pc_recorder_turn(&c->record, c->t, c->y + PT, c->y[WORK_N]);
    if (c->may_wedge && c->press.stuck && c->turns++ == 0) c->arrest = state_of(c, c->y, c->t);
}

static void finish(coupled *c)
{
    const pc_impact *out = c->out;
    if (c->turns == TO_AND_FRO) pc_recorder_stay(&c->record, &c->arrest);
    pc_recorder_finish(&c->record);
    pc_recorder_judge(&c->record, ROUNDING, out->energy0, false);
    pc_recorder_answer_rest(&c->record, &out->phases[out->n_phases - 1].stop);
}

/* ---- the motion ---- */

/* A weighted sum of the state that passes through zero. */
typedef struct zero {
    const pc_dense *dense;
    double weight[N];
} zero;

static double sum_of(const zero *z, const double *y)
{
    double sum = 0;
    for (int i = 0; i < N; i++) sum += z->weight[i] * y[i];
    return sum;
}

static double value_at(double x, void *context)
{
    const zero *z = context;
    double y[N];
    pc_dense_eval(z->dense, x, y);
    return sum_of(z, y);
}

/* Where it does so in a step at whose ends it has other signs. */
static double zero_in(const coupled *c, zero *z)
{
    return pc_root_between(value_at, z, 0, sum_of(z, c->y), 1, sum_of(z, c->stepper.y), 0);
}

/* The step again as far as t, which the polynomial has found, and on to the zero itself: the polynomial knows its place
 * less well than the integrator does. */
static pc_status step_to(coupled *c, double t, const zero *z)
{
    double rate[N];
    c->stepper.h_next = t - c->t;
    pc_status status = pc_stepper_start(&c->stepper, c->t, c->y, c->err);
    while (status == PC_OK && c->stepper.t < t) status = pc_stepper_step(&c->stepper, t, c->err);
    if (status != PC_OK) return status;
    rates(t, c->stepper.y, rate, c);
    double dt = -sum_of(z, c->stepper.y) / sum_of(z, rate);
    for (int i = 0; i < N; i++) c->stepper.y[i] += dt * rate[i];
    c->stepper.t += dt;
    return PC_OK;
}

/* All rings slip while the contact point is faster than the bounds of their stretches grow: sign v_t > 3/2 kappa mu w.
 * False where they do not, or where too few touch to tell. */
static bool slips_as_a_whole(const coupled *c, zero *z)
{
    if (!pc_contact_has_rings(&c->press) || c->press.stuck || !pc_contact_has_mode(&c->press)) return false;
    z->weight[VT] = c->press.sign;
    z->weight[VN] = c->press.p.tangential.cone;
    return sum_of(z, c->y) > 0;
}

static bool all_slip(const coupled *c, const double *y)
{
    pc_contact_values m;
    look(c, y, &m);
    return pc_contact_slips_wholly(&c->press, &m);
}

/* Where in a step, up to x, the last ring lets go; x if none sticks at its start or some still do at its end. */
static double release_in(const coupled *c, const pc_dense *dense, double x)
{
    double y[N], lo = 0, hi = x;
    if (!pc_contact_has_rings(&c->press) || !c->press.stuck || !all_slip(c, c->stepper.y)) return x;
    while (hi - lo > 1e-12 * x) {
        double middle = (lo + hi) / 2;
        pc_dense_eval(dense, middle, y);
        *(all_slip(c, y) ? &hi : &lo) = middle;
    }
    return hi;
}

static pc_status change_phase(coupled *c, const pc_state *at)
{
    pc_recorder_close_phase(&c->record, at);
    return open_phase(c, at);
}

/* What the guards have seen of slip in a step. Sums over a few rings know it less well than the guards do. */
typedef struct sighting {
    bool slips, arrested; /* all rings slipped when it began; and no longer when it ended */
    pc_state change;      /* where that was, or where the last ring let go */
} sighting;

/* The rings go on from the end of a step, in which F_t may have passed through zero. */
static pc_status carry(coupled *c, double t_old, const sighting *seen)
{
    pc_contact before = c->press;
    pc_contact_values m;
    look(c, c->y, &m);
    pc_status status = PC_OK;
    if (m.Ft * c->friction < 0)
        status = pc_recorder_reversal(&c->record, t_old + (c->t - t_old) * c->friction / (c->friction - m.Ft));
    if (m.Ft != 0) c->friction = m.Ft;
    if (status != PC_OK || !pc_contact_has_rings(&c->press)) return status;
    status = pc_contact_advance_rings(&c->press, &m, &c->y[Q], c->err);
    if (seen->slips) {
        c->press.stuck = seen->arrested;
        c->press.sign = before.sign;
    }
    if (status != PC_OK || (c->press.stuck == before.stuck && (c->press.stuck || c->press.sign == before.sign)))
        return status;
    return change_phase(c, &seen->change);
}

/* One step, or up to where v_n or u passes through zero or slip of all rings ends: a step that went on beyond that
 * would take the rings for slipping until their stretches are within their bounds again. */
static pc_status step(coupled *c, bool *ended)
{
    double t_old = c->t, h = pc_contact_has_rings(&c->press) ? c->press.rings->step : SMOOTH;
    const pc_dense *dense;
    c->stepper.h_next = h;
    pc_status status = pc_stepper_start(&c->stepper, c->t, c->y, c->err);
    if (status == PC_OK) status = pc_stepper_step(&c->stepper, c->t + h, c->err);
    if (status == PC_OK) status = pc_stepper_dense(&c->stepper, &dense, c->err);
    if (status != PC_OK) return status;
    const double *next = c->stepper.y;
    zero end = {.dense = dense}, slip = {.dense = dense};
    bool turns = c->record.way > 0 ? next[VN] > 0 : next[VN] < 0;
    *ended = !turns && next[U] < 0;
    end.weight[turns ? VN : U] = 1;
    double x = turns || *ended ? zero_in(c, &end) : 1;
    sighting seen = {.slips = slips_as_a_whole(c, &slip)};
    if (seen.slips && sum_of(&slip, next) < 0) {
        double at = zero_in(c, &slip);
        seen.arrested = at < x;
        if (seen.arrested) turns = *ended = false, x = at;
    }
    double t = x < 1 ? dense->t + x * dense->h : c->stepper.t;
    trace(c, dense, t);
    double released = release_in(c, dense, x), y[N];
    pc_dense_eval(dense, released, y);
    seen.change = state_of(c, y, dense->t + released * dense->h);
    if (x < 1) status = step_to(c, t, seen.arrested ? &slip : &end);
    if (status != PC_OK) return status;
    memcpy(c->y, c->stepper.y, sizeof c->y);
    if (turns) c->y[VN] = 0;
    if (*ended) c->y[U] = 0;
    c->t = c->stepper.t;
    note_peaks(c);
    if (!*ended) status = carry(c, t_old, &seen);
    if (status == PC_OK && turns) turn(c);
    return status;
}

static pc_status go(coupled *c)
{
    pc_state now = state_of(c, c->y, c->t);
    pc_status status = open_phase(c, &now);
    bool ended = false;
    while (status == PC_OK && !ended && c->turns < TO_AND_FRO) {
        if (pc_interrupted())
            return pc_fail_at(c->err, PC_E_INTERRUPTED, c->t * c->time, "rings", "interrupted during an impact");
        if (c->t > LONGEST)
            return pc_fail_at(c->err, PC_E_LIMIT, c->t * c->time, "rings", "the contact has not ended after %.3g s",
                              c->t * c->time);
        status = step(c, &ended);
    }
    if (status != PC_OK) return status;
    if (ended) {
        pc_recorder_settle(&c->record, c->y + PT, c->y[WORK_N]);
        now = state_of(c, c->y, c->t);
        pc_recorder_close_phase(&c->record, &now);
    }
    finish(c);
    return PC_OK;
}

pc_status pc_maw_couple(const pc_element *element, const void *params, int rings, const pc_mobility *W,
                        const double *times, size_t n_times, pc_state *states, pc_impact *out, pc_error *err)
{
    coupled c = {.press.element = element,
                 .tt = W->tt / W->nn,
                 .tn = W->tn / W->nn,
                 .may_wedge = W->rank == 1,
                 .mass = 1 / W->nn,
                 .speed = -out->v0[PC_N],
                 .out = out,
                 .err = err};
    c.length = element->length(params, c.mass, c.speed);
    c.time = c.length / c.speed;
    double impulse = c.mass * c.speed;
    c.record = (pc_recorder){.out = out,
                             .d = 2,
                             .time = c.time,
                             .force = impulse / c.time,
                             .impulse = impulse,
                             .work = impulse * c.speed,
                             .way = 1,
                             .times = times,
                             .states = states,
                             .n_times = n_times,
                             .err = err};
    element->prepare(params, &(pc_scales){c.mass, c.speed, c.length}, c.mass, c.speed, &c.press.p);
    c.press.p.tangential.rings = rings;
    c.y[VT] = out->v0[PC_T] / c.speed;
    c.y[VN] = -1;
    pc_contact_begin(&c.press, 0, 1, c.y[VT], 1, 0);
    c.problem = (pc_ode_problem){.n = N, .rhs = rates, .context = &c, .autonomous = true};
    pc_ode_settings settings = {TOLERANCE, TOLERANCE, SMOOTH, INFINITY, 0, INT_MAX};
    pc_status status = pc_stepper_open(&c.stepper, &pc_ode_dopri5, &c.problem, &settings, err);
    if (status == PC_OK && pc_contact_has_rings(&c.press)) status = pc_contact_open_rings(&c.press, 0, 1, 1, 1, err);
    if (status == PC_OK) status = go(&c);
    pc_contact_close_rings(&c.press);
    pc_stepper_close(&c.stepper);
    return status;
}
