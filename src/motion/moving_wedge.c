/* Stick for good, with the configuration moving.
 *
 * A body with one degree of freedom, a pendulum, carries its contact point along one curve, so both its velocities
 * vanish together. Where friction holds the contact point itself the body is at rest with it, and stays. Where an
 * element joins it to what friction holds, the body vibrates on both springs. Its energy does not grow, so once it has
 * swung to and fro without slipping, its forces never come nearer to the cone again. Either is the verdict of the
 * frozen configuration: the body is wedged. With more degrees of freedom nothing keeps it, and contact ends.
 */
#include "motion/moving_internal.h"

#include <math.h>
#include <string.h>

enum { TO_AND_FRO = 3 };

/* A turn this soon after another, in the element's time, is the same. */
static const double AT_ONCE = 1e-6;

/* A closing speed that is none, as a share of the one that the impact began with. */
static const double STANDSTILL = 1e-9;

/* What damping has slowed down is still if what is left of its way, v^2/a, is such a share of its length. */
static const double STILL = 1e-6;

/* Forces that balance but for this share of them leave no acceleration; and so far within the cone they stay there. */
static const double BALANCED = 1e-3;

/* Forces at two turns a period apart that agree so well are those of a vibration without damping. */
static const double SAME = 1e-6;

static void note_turn(moving *s)
{
    stay *hold = &s->stay;
    const pc_impact *out = s->out;
    if (hold->turns == 0) {
        arrest *a = &hold->arrest;
        *a = (arrest){.state = pc_moving_state(s, s->y, s->t),
                      .n_phases = out->n_phases,
                      .flags = out->flags,
                      .compression = s->record.compression,
                      .restitution = s->record.restitution};
        memcpy(a->y, s->y, sizeof a->y);
    }
    moment m;
    pc_moving_evaluate(s, s->y, &m);
    hold->t[hold->turns] = s->t;
    hold->F[hold->turns][PC_T] = m.press.Ft;
    hold->F[hold->turns][PC_N] = m.press.Fn;
    hold->turns++;
}

void pc_moving_grips(moving *s)
{
    stay *hold = &s->stay;
    if (s->body.n_u != 1) return;
    /* a vibration touches the cone where it came to rest: what it slips there is the error of the integrator */
    double rubbed = fabs(s->y[WORK_F] - hold->rubbed) * s->work;
    if (hold->turns > 0 && rubbed <= PC_MOVING_ROUNDING * s->out->energy0) return;
    hold->turns = 0;
    hold->rubbed = s->y[WORK_F];
    moment m;
    pc_moving_place(s, s->y, &m);
    if (fabs(m.press.w) > STANDSTILL) return;
    pc_recorder_settle(&s->record, s->y + PT, s->y[WORK_N]);
    note_turn(s);
    hold->rests = pc_contact_is_constrained(&s->press);
}

void pc_moving_turns(moving *s)
{
    stay *hold = &s->stay;
    if (s->body.n_u != 1 || !s->press.stuck || hold->turns == TO_AND_FRO) return;
    if (hold->turns > 0 && s->t - hold->t[hold->turns - 1] < AT_ONCE) return;
    note_turn(s);
}

bool pc_moving_is_wedged(const moving *s)
{
    return s->stay.turns == TO_AND_FRO || s->stay.rests;
}

pc_status pc_moving_waits(moving *s)
{
    moment m;
    pc_moving_evaluate(s, s->y, &m);
    double w = m.press.w, Fn = m.press.Fn, mu = s->press.p.tangential.mu;
    double dw = m.site.wtn * m.press.Ft + m.site.wnn * Fn + m.site.c[1];
    bool still = w * w <= STILL * fabs(dw) * m.press.u;
    /* A damper that lets it creep to where the springs balance: so slowly that the forces balance on the way, and their
     * ratio, which is that of the body's one direction, is then what it stays. */
    bool creeps = fabs(dw) <= BALANCED * m.site.wnn * Fn && fabs(m.press.Ft) <= (1 - BALANCED) * mu * Fn;
    if (s->body.n_u == 1 && s->press.stuck && (still || creeps)) {
        while (s->stay.turns < TO_AND_FRO) note_turn(s);
        s->stay.fades = true;
        return PC_OK;
    }
    return pc_fail_at(s->err, PC_E_NUMERIC, s->t * s->time, "contact", "the contact has not ended after %.3g s",
                      s->t * s->time);
}

/* Frequency, mean and amplitude of the forces from now on; unknown where the vibration dies away. */
static void watch_lock(const moving *s, pc_impact *out)
{
    const stay *hold = &s->stay;
    bool still = hold->rests;
    const double *first = hold->F[0], *second = still ? first : hold->F[1], *third = still ? first : hold->F[2];
    double size = fabs(first[PC_N]) + fabs(first[PC_T]);
    if (hold->fades || hypot(third[PC_T] - first[PC_T], third[PC_N] - first[PC_N]) > SAME * size) return;
    /* between its ends a vibration turns; what creeps seems to, by rounding */
    if (!still && !(hypot(second[PC_T] - first[PC_T], second[PC_N] - first[PC_N]) > SAME * size)) return;
    if (!still) out->lock_frequency = 2 * M_PI / ((hold->t[2] - hold->t[0]) * s->time);
    for (int i = 0; i < 2; i++) {
        out->lock_mean[i] = (first[i] + second[i]) / 2 * s->force;
        out->lock_amplitude[i] = fabs(first[i] - second[i]) / 2 * s->force;
    }
}

pc_status pc_moving_finish_wedged(moving *s, double *u1, double *rotation)
{
    pc_impact *out = s->out;
    const arrest *a = &s->stay.arrest;
    pc_recorder *record = &s->record;
    pc_mover_end(&s->body, a->y + BODY, pc_moving_velocities(s, a->y), u1, rotation);
    u1[0] = 0;
    out->n_phases = a->n_phases;
    out->flags = a->flags;
    record->compression = a->compression;
    record->restitution = a->restitution;
    if (record->compression_time == 0) record->compression_time = a->state.t;
    pc_recorder_stay(record, &a->state);
    pc_recorder_finish(record);
    watch_lock(s, out);

    pc_state rest = a->state;
    if (pc_recorder_asks(record, INFINITY) && !s->stay.rests) {
        pc_status status = pc_moving_linger(s, record->times[record->n_times - 1] / s->time);
        if (status != PC_OK) return status;
        rest = pc_moving_state(s, s->y, s->t);
    }
    rest.t = INFINITY;
    pc_recorder_answer_rest(record, &rest);
    return PC_OK;
}
