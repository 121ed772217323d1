/* One recorder fills the records of all impacts whose motion is followed in time: see recorder.h. */
#include "law/recorder.h"

#include <math.h>

pc_status pc_impact_begin(pc_impact *out, pc_mobility *W, int d, const double v0[3], pc_error *err)
{
    pc_impact_init(out);
    for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
    if (!isfinite(v0[PC_T]) || !isfinite(v0[PC_N]) || (d == 3 && !isfinite(v0[PC_T2])))
        return d == 3 ? pc_fail(err, PC_E_ARGUMENT, "velocity before the impact (%g, %g, %g) m/s must be finite",
                                v0[PC_T], v0[PC_N], v0[PC_T2])
                      : pc_fail(err, PC_E_ARGUMENT, "velocity before the impact (%g, %g) m/s must be finite", v0[PC_T],
                                v0[PC_N]);
    if (d == 2) *W = (pc_mobility){.tt = W->tt, .tn = W->tn, .nn = W->nn, .rank = W->rank};
    if (W->rank == 0 && pc_mobility_rank(W, &W->rank, err)) return PC_E_ARGUMENT;
    out->energy0 = out->energy1 = pc_mobility_energy(W, v0);
    if (v0[PC_N] >= 0) out->outcome = PC_OUTCOME_NONE;
    return PC_OK;
}

void pc_recorder_touch(pc_recorder *r, double way, const double *p, double work_n)
{
    r->way = way;
    for (int i = 0; i < r->d; i++) r->mark[i] = p[i];
    r->mark[3] = work_n;
}

void pc_recorder_settle(pc_recorder *r, const double *p, double work_n)
{
    double dp[3];
    for (int i = 0; i < r->d; i++) dp[i] = p[i] - r->mark[i];
    pc_recorder_add(r, r->way > 0, dp, work_n - r->mark[3]);
    pc_recorder_touch(r, r->way, p, work_n);
}

void pc_recorder_turn(pc_recorder *r, double t, const double *p, double work_n)
{
    pc_recorder_settle(r, p, work_n);
    if (r->way > 0 && r->compression_time == 0) r->compression_time = t * r->time;
    if (r->way < 0 && r->out) r->out->flags |= PC_FLAG_RECOMPRESSION;
    r->way = -r->way;
}

pc_status pc_recorder_reversal(pc_recorder *r, double t)
{
    if (!r->out || pc_impact_push_reversal(r->out, t * r->time)) return PC_OK;
    return pc_fail(r->err, PC_E_MEMORY, "not enough memory for the reversals of an impact");
}

pc_status pc_recorder_open_phase(pc_recorder *r, pc_phase_kind kind, int sign, const pc_state *start)
{
    pc_impact *out = r->out;
    if (pc_recorder_goes_on(r, kind, sign)) return PC_OK;
    pc_phase *phase = pc_impact_push(out);
    if (!phase) return pc_fail(r->err, PC_E_MEMORY, "not enough memory for %d phases", out->n_phases + 1);
    phase->kind = kind;
    phase->sign = sign;
    phase->start = *start;
    for (int i = 0; i + 1 < out->n_phases; i++)
        if (out->phases[i].sign * sign < 0) out->flags |= PC_FLAG_REVERSE_SLIP;
    return PC_OK;
}

void pc_recorder_close_phase(pc_recorder *r, const pc_state *stop)
{
    pc_impact *out = r->out;
    pc_phase *last = &out->phases[out->n_phases - 1];
    last->stop = *stop;
    if (!(stop->t > last->start.t) && out->n_phases > 1) out->n_phases--;
}

void pc_recorder_stay(pc_recorder *r, pc_outcome how, const pc_state *arrest)
{
    pc_impact *out = r->out;
    pc_phase *last = &out->phases[out->n_phases - 1];
    out->outcome = how;
    out->arrest_time = arrest->t;
    last->stop = *arrest;
    last->stop.t = INFINITY;
}

void pc_recorder_finish(pc_recorder *r)
{
    pc_impact *out = r->out;
    const pc_state *end = &out->phases[out->n_phases - 1].stop;
    bool stays = out->outcome == PC_OUTCOME_WEDGED, held = out->outcome == PC_OUTCOME_ADHERED;
    out->duration = end->t;
    out->compression_time = r->compression_time;
    for (int i = 0; i < r->d; i++) {
        out->v1[i] = stays || (held && i == PC_N) ? 0 : end->v[i];
        out->impulse[i] = end->p[i];
        out->impulse_compression[i] = r->compression.impulse[i];
        out->impulse_restitution[i] = r->restitution.impulse[i];
    }
    for (int i = 0; i < 2; i++) {
        out->peak[i] = r->peaks.force[i];
        out->peak_time[i] = r->peaks.time[i];
    }
    out->work_n = end->work_n;
    out->work_t = end->work_t;
    out->work_f = end->work_f;
    out->work_n_compression = r->compression.work;
    out->work_n_restitution = r->restitution.work;
    out->energy1 = stays ? 0 : out->energy0 + (end->work_n + end->work_t + end->work_f);
    if (held) out->energy1 = fmax(out->energy1, 0); /* of what slides on */
}

void pc_recorder_judge(pc_recorder *r, double rounding, double energy, bool may_gain)
{
    pc_impact *out = r->out;
    double error = rounding * energy, gained = out->work_n + out->work_t + out->work_f;
    if (out->n_phases == 1) out->flags |= out->phases->kind == PC_PHASE_SLIP ? PC_FLAG_GROSS_SLIP : PC_FLAG_GROSS_STICK;
    if (out->work_n_restitution > -out->work_n_compression * (1 + rounding)) out->flags |= PC_FLAG_E_ABOVE_ONE;
    if (out->outcome != PC_OUTCOME_WEDGED && gained > error) out->flags |= PC_FLAG_GAINED_ENERGY;
    if (may_gain && out->work_t > error) out->flags |= PC_FLAG_TANGENTIAL_GAIN;
}

void pc_recorder_answer(pc_recorder *r, const pc_state *state)
{
    pc_state *out = &r->asked.states[r->answered];
    *out = *state;
    out->t = r->asked.times[r->answered++];
}

void pc_recorder_answer_rest(pc_recorder *r, const pc_state *end)
{
    while (r->answered < r->asked.n) {
        pc_recorder_answer(r, end);
        if (!isinf(end->t)) r->asked.states[r->answered - 1].t = end->t;
    }
}
