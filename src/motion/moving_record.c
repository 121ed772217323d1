/* What goes into the result of an impact with the configuration moving: see moving.c. */
#include "motion/moving_internal.h"

#include "event/solve.h"

#include <math.h>
#include <string.h>

/* Of the places between which a slope is taken, as a share of the stretch. */
static const double SPACING = 1e-6;

/* Parts of a step at whose ends F_t is looked at. */
enum { PLACES = 4 };

pc_state pc_moving_state(const moving *s, const double *y, double t)
{
    moment m;
    pc_moving_evaluate(s, y, &m);
    double v = s->body.scales.velocity, l = s->body.scales.length;
    bool remembers = pc_contact_has_rings(&s->press);
    pc_state out = {.t = t * s->time,
                    .u = {(remembers ? m.press.q : y[STRETCH]) * l, m.site.u * l},
                    .v = {m.press.v_t * v, m.site.v[1] * v},
                    .F = {m.press.Ft * s->force, m.press.Fn * s->force},
                    .p = {y[PT] * s->impulse, y[PN] * s->impulse},
                    .s = {m.press.slip * v},
                    .work_n = y[WORK_N] * s->work,
                    .work_f = (y[WORK_F] + (remembers ? m.press.kept : 0)) * s->work};
    double energy = pc_mover_energy(&s->body, y + BODY, pc_moving_velocities(s, y));
    out.work_t = energy * s->work - s->out->energy0 - out.work_n - out.work_f;
    return out;
}

void pc_moving_record_peaks(moving *s, const double *y, double t)
{
    moment m;
    pc_moving_evaluate(s, y, &m);
    pc_recorder_force(&s->record, PC_T, fabs(m.press.Ft), t);
    pc_recorder_force(&s->record, PC_N, m.press.Fn, t);
}

pc_status pc_moving_open_phase(moving *s)
{
    int sign = s->press.stuck ? 0 : s->press.sign;
    pc_state start = pc_moving_state(s, s->y, s->t);
    moment m;
    pc_moving_place(s, s->y, &m);
    if (m.site.wnn - s->press.p.tangential.mu * sign * m.site.wtn < 0) s->out->flags |= PC_FLAG_JAM;
    pc_moving_record_peaks(s, s->y, s->t); /* forces jump where a damped contact begins */
    return pc_recorder_open_phase(&s->record, sign ? PC_PHASE_SLIP : PC_PHASE_STICK, sign, &start);
}

void pc_moving_close_phase(moving *s)
{
    pc_state stop = pc_moving_state(s, s->y, s->t);
    pc_recorder_close_phase(&s->record, &stop);
}

/* States at the times asked for, up to the end of a stretch. */
static void trace(moving *s, const pc_solution *stretch)
{
    pc_recorder *record = &s->record;
    while (pc_recorder_asks(record, stretch->t * s->time)) {
        double y[MOST], t = record->times[record->traced] / s->time;
        bool inside = t > stretch->t0 && pc_solution_at(stretch, t, 1, y);
        pc_state now = pc_moving_state(s, inside ? y : t > stretch->t0 ? stretch->y : s->y, t);
        pc_recorder_answer(record, &now);
    }
}

/* Slopes of |F_t| and F_n at t. A held point's friction follows from the motion, and its slope from neighbours. */
static void slopes(const moving *s, const pc_solution *stretch, double t, double out[2])
{
    double y[MOST];
    moment m;
    pc_solution_at(stretch, t, 1, y);
    pc_moving_evaluate(s, y, &m);
    out[PC_N] = m.press.dFn;
    out[PC_T] = m.press.Ft * m.press.dFt;
    if (!pc_contact_is_constrained(&s->press)) return;
    double near = SPACING * (stretch->t - stretch->t0), before = fmax(t - near, stretch->t0);
    double now[2], after = fmin(t + near, stretch->t);
    for (int i = 0; i < 2; i++) {
        pc_solution_at(stretch, i ? after : before, i ? -1 : 1, y);
        pc_moving_evaluate(s, y, &m);
        now[i] = fabs(m.press.Ft);
    }
    out[PC_T] = now[1] - now[0];
}

/* Peaks where a force crests within a stretch: with damping that is not where the indentation turns. */
static void find_crests(moving *s, const pc_solution *stretch)
{
    double before[2], after[2], now[2], y[MOST];
    size_t n;
    const pc_arc *arc = pc_trajectory_arcs(&stretch->trajectory, &n);
    if (n == 0) return;
    slopes(s, stretch, stretch->t0, before);
    for (size_t i = 0; i < n; i++, arc++) {
        slopes(s, stretch, arc->stop, after);
        for (int axis = 0; axis < 2; axis++) {
            if (!(before[axis] > 0 && after[axis] < 0)) continue;
            /* halving to the rounding of time: the force is flat there */
            double lo = arc->t, hi = arc->stop;
            for (int k = 0; k < 40; k++) {
                double middle = (lo + hi) / 2;
                slopes(s, stretch, middle, now);
                *(now[axis] > 0 ? &lo : &hi) = middle;
            }
            pc_solution_at(stretch, lo, 1, y);
            pc_moving_record_peaks(s, y, lo);
        }
        memcpy(before, after, sizeof before);
    }
}

static double friction_at(const moving *s, const pc_solution *stretch, double t)
{
    double y[MOST];
    moment m;
    pc_solution_at(stretch, t, 1, y);
    pc_moving_evaluate(s, y, &m);
    return m.press.Ft;
}

/* Where F_t changes its sign, by a zero or by a jump at the start of a stretch; rounding has none. The end of a stretch
 * is left to the next one: where contact ends, nothing but rounding is left. */
static pc_status find_reversals(moving *s, const pc_solution *stretch)
{
    double last = stretch->t0;
    size_t n_arcs;
    const pc_arc *arc = pc_trajectory_arcs(&stretch->trajectory, &n_arcs);
    for (size_t i = 0; i < n_arcs; i++, arc++) {
        for (int k = i == 0 ? 0 : 1; k < PLACES + (i + 1 < n_arcs); k++) {
            double t = arc->t + (arc->stop - arc->t) * k / PLACES, F = friction_at(s, stretch, t);
            if (!(fabs(F) > PC_MOVING_ROUNDING)) continue;
            if (F * s->friction_sign < 0) {
                double lo = last, hi = t;
                for (int n = 0; n < 50; n++) {
                    double middle = (lo + hi) / 2;
                    *(friction_at(s, stretch, middle) * s->friction_sign > 0 ? &lo : &hi) = middle;
                }
                pc_status status = pc_recorder_reversal(&s->record, hi);
                if (status != PC_OK) return status;
            }
            s->friction_sign = F < 0 ? -1 : 1;
            last = t;
        }
    }
    return PC_OK;
}

pc_status pc_moving_record_stretch(moving *s, const pc_solution *stretch)
{
    find_crests(s, stretch);
    trace(s, stretch);
    return find_reversals(s, stretch);
}

void pc_moving_finish(moving *s, double *u1, double *rotation)
{
    const pc_impact *out = s->out;
    pc_mover_end(&s->body, s->y + BODY, pc_moving_velocities(s, s->y), u1, rotation);
    pc_recorder_finish(&s->record);
    pc_recorder_judge(&s->record, PC_MOVING_ROUNDING, out->energy0, pc_tangential_may_gain(&s->press.p.tangential));
    pc_recorder_answer_rest(&s->record, &out->phases[out->n_phases - 1].stop);
}
