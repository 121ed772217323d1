/* What goes into the result of an impact with the sledge in space: see sledge3d/run.c. */
#include "law/sledge3d/internal.h"

#include <math.h>

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

pc_state pc_sledge3d_state(const sledge *s, const double *y)
{
    moment m;
    pc_sledge3d_evaluate(s, y, &m);
    pc_state out = {.t = y[TIME] * s->time};
    double total = 0;
    for (int i = 0; i < 3; i++) {
        out.v[i] = m.v[i] * s->speed;
        out.F[i] = m.F[i] * s->force;
        out.p[i] = y[P + i] * s->impulse;
        total += y[P + i] * (s->v0[i] + m.v[i]) / 2;
    }
    out.u[PC_N] = y[U] * s->length;
    out.u[PC_T] = s->kappa > 0 ? -m.F[PC_T] / s->kappa * s->length : 0;
    out.u[PC_T2] = s->kappa > 0 ? -m.F[PC_T2] / s->kappa * s->length : 0;
    for (int i = 0; i < 2; i++) out.s[i] = m.s[i] * s->speed;
    out.work_n = y[WORK_N] * s->work;
    out.work_f = y[WORK_F] * s->work;
    out.work_t = (total - y[WORK_N] - y[WORK_F]) * s->work;
    return out;
}

/* Impulse and work since w last changed its sign go to compression or restitution. */
void pc_sledge3d_settle(sledge *s)
{
    double *impulse = s->closing ? s->out->impulse_compression : s->out->impulse_restitution;
    double *work = s->closing ? &s->out->work_n_compression : &s->out->work_n_restitution;
    for (int i = 0; i < 3; i++) {
        impulse[i] += (s->y[P + i] - s->mark[i]) * s->impulse;
        s->mark[i] = s->y[P + i];
    }
    *work += (s->y[WORK_N] - s->mark_work) * s->work;
    s->mark_work = s->y[WORK_N];
}

pc_status pc_sledge3d_open_phase(sledge *s)
{
    pc_impact *out = s->out;
    pc_phase *phase = pc_impact_push(out);
    if (!phase) return pc_fail(s->err, PC_E_MEMORY, "not enough memory for %d phases", out->n_phases + 1);
    moment m;
    pc_sledge3d_evaluate(s, s->y, &m);
    *phase = (pc_phase){.kind = s->mode == STICK ? PC_PHASE_STICK : PC_PHASE_SLIP, .start = pc_sledge3d_state(s, s->y)};
    if (s->mode == STICK) return PC_OK;
    double along = s->mode == SLIP ? m.turned[0] : m.v[PC_T];
    phase->sign = (along > 0) - (along < 0);
    for (int i = 0; i + 1 < out->n_phases; i++)
        if (out->phases[i].kind == PC_PHASE_SLIP && out->phases[i].sign * phase->sign < 0)
            out->flags |= PC_FLAG_REVERSE_SLIP;
    if (s->mode == SLIP &&
        s->W[PC_N][PC_N] < s->mu * (s->W[PC_N][PC_T] * m.turned[0] + s->W[PC_N][PC_T2] * m.turned[1]))
        out->flags |= PC_FLAG_JAM;
    return PC_OK;
}

void pc_sledge3d_close_phase(sledge *s)
{
    pc_phase *last = &s->out->phases[s->out->n_phases - 1];
    last->stop = pc_sledge3d_state(s, s->y);
    /* a phase of no duration leaves no trace */
    if (!(last->stop.t > last->start.t) && s->out->n_phases > 1) s->out->n_phases--;
}

void pc_sledge3d_trace_now(sledge *s)
{
    const pc_sledge3d_trace *trace = s->trace;
    if (!trace) return;
    for (; s->n_traced < trace->n && trace->times[s->n_traced] <= s->y[TIME] * s->time * (1 + 1e-15); s->n_traced++) {
        trace->states[s->n_traced] = pc_sledge3d_state(s, s->y);
        trace->states[s->n_traced].t = trace->times[s->n_traced];
    }
}

void pc_sledge3d_note_peaks(sledge *s, const double *y)
{
    moment m;
    pc_sledge3d_evaluate(s, y, &m);
    double now[2] = {s->force * hypot(m.F[PC_T], m.F[PC_T2]), s->force * m.F[PC_N]};
    for (int i = 0; i < 2; i++) {
        if (!(now[i] > s->out->peak[i])) continue;
        s->out->peak[i] = now[i];
        s->out->peak_time[i] = y[TIME] * s->time;
    }
}

/* The contact does not end: what is left of the motion dies out. */
void pc_sledge3d_stay(sledge *s, const pc_mobility *W)
{
    pc_phase *last = &s->out->phases[s->out->n_phases - 1];
    pc_state end = pc_sledge3d_state(s, s->y);
    s->out->arrest_time = end.t;
    double g[3];
    pc_mobility_solve_pseudo(W, end.v, g);
    for (int i = 0; i < 3; i++) {
        double work = -g[i] * end.v[i] / 2;
        *(i == PC_N ? &end.work_n : &end.work_t) += work;
        end.p[i] -= g[i];
        end.v[i] = 0;
    }
    end.t = INFINITY;
    last->stop = end;
    s->out->outcome = PC_OUTCOME_WEDGED;
}

void pc_sledge3d_finish(sledge *s)
{
    pc_impact *out = s->out;
    const pc_phase *last = &out->phases[out->n_phases - 1];
    const pc_state *end = &last->stop;
    bool stays = out->outcome == PC_OUTCOME_WEDGED;
    out->duration = end->t;
    for (int i = 0; i < 3; i++) {
        out->v1[i] = end->v[i];
        out->impulse[i] = end->p[i];
    }
    out->work_n = end->work_n;
    out->work_t = end->work_t;
    out->work_f = end->work_f;
    out->energy1 = stays ? 0 : out->energy0 + (end->work_n + end->work_t + end->work_f);
    if (out->n_phases == 1) out->flags |= last->kind == PC_PHASE_SLIP ? PC_FLAG_GROSS_SLIP : PC_FLAG_GROSS_STICK;
    if (out->work_n_restitution > -out->work_n_compression * (1 + ROUNDING)) out->flags |= PC_FLAG_E_ABOVE_ONE;
    if (out->energy1 > out->energy0 * (1 + ROUNDING)) out->flags |= PC_FLAG_GAINED_ENERGY;
    if (s->trace)
        for (; s->n_traced < s->trace->n; s->n_traced++) s->trace->states[s->n_traced] = *end;
}
