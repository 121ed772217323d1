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

pc_status pc_sledge3d_open_phase(sledge *s)
{
    moment m;
    pc_sledge3d_evaluate(s, s->y, &m);
    double along = s->mode == SLIP ? m.turned[0] : s->mode == SMOOTH ? m.v[PC_T] : 0;
    if (s->mode == SLIP &&
        s->W[PC_N][PC_N] < s->mu * (s->W[PC_N][PC_T] * m.turned[0] + s->W[PC_N][PC_T2] * m.turned[1]))
        s->out->flags |= PC_FLAG_JAM;
    pc_state start = pc_sledge3d_state(s, s->y);
    return pc_recorder_open_phase(&s->record, s->mode == STICK ? PC_PHASE_STICK : PC_PHASE_SLIP,
                                  (along > 0) - (along < 0), &start);
}

void pc_sledge3d_close_phase(sledge *s)
{
    pc_state stop = pc_sledge3d_state(s, s->y);
    pc_recorder_close_phase(&s->record, &stop);
}

void pc_sledge3d_trace_now(sledge *s)
{
    pc_state now = pc_sledge3d_state(s, s->y);
    while (pc_recorder_asks(&s->record, s->y[TIME] * s->time * (1 + 1e-15))) pc_recorder_answer(&s->record, &now);
}

void pc_sledge3d_note_peaks(sledge *s, const double *y)
{
    moment m;
    pc_sledge3d_evaluate(s, y, &m);
    pc_recorder_force(&s->record, PC_T, hypot(m.F[PC_T], m.F[PC_T2]), y[TIME]);
    pc_recorder_force(&s->record, PC_N, m.F[PC_N], y[TIME]);
}

/* The contact does not end: what is left of the motion dies out. */
void pc_sledge3d_stay(sledge *s, const pc_mobility *W)
{
    pc_state end = pc_sledge3d_state(s, s->y);
    double g[3];
    pc_mobility_solve_pseudo(W, end.v, g);
    for (int i = 0; i < 3; i++) {
        double work = -g[i] * end.v[i] / 2;
        *(i == PC_N ? &end.work_n : &end.work_t) += work;
        end.p[i] -= g[i];
        end.v[i] = 0;
    }
    pc_recorder_stay(&s->record, &end);
}

void pc_sledge3d_finish(sledge *s)
{
    const pc_impact *out = s->out;
    pc_recorder_finish(&s->record);
    pc_recorder_judge(&s->record, ROUNDING, out->energy0, false);
    pc_recorder_answer_rest(&s->record, &out->phases[out->n_phases - 1].stop);
}
