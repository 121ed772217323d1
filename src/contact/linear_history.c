/* The record of one impact of the linear law: see linear_history.h. The kernel runs one lane wide; this file
 * watches it pass from segment to segment. */
#define PC_LANES 1
#include "contact/linear_history.h"
#include "base/interrupt.h"
#include "contact/linear_stick.h"

#include <math.h>
#include <string.h>

/* State in SI units; `sign` is the slip direction of the phase that it belongs to, 0 in stick. */
static pc_state state_of(const linear *q, double sign, const pc_linear_scale *scale)
{
    double m = scale->mirror;
    double residual = q->k == 1 ? 0 : q->f_max * (1 - 1 / q->k2);
    double slip = sign != 0 ? q->vt - q->mu * sign * q->eta * q->k * q->w : 0;
    pc_state s = {.t = q->t * scale->time};
    s.u[PC_T] = -m * q->ft * q->eta * scale->length;
    s.u[PC_N] = (residual + q->fn / q->k) * scale->length;
    s.v[PC_T] = m * q->vt * scale->velocity;
    s.v[PC_N] = -q->w * scale->velocity;
    s.F[PC_T] = m * q->ft * scale->force;
    s.F[PC_N] = q->fn * scale->force;
    s.p[PC_T] = m * q->pt * scale->impulse;
    s.p[PC_N] = q->pn * scale->impulse;
    s.s[0] = m * slip * scale->velocity;
    s.work_n = q->work_n * scale->work;
    s.work_t = -q->eta * q->ft * q->ft / 2 * scale->work;
    s.work_f = q->work_f * scale->work;
    return s;
}

/* Time after t0 at which a guard next has the value 0; infinity if it has none up to `end`. t0 > 0 is such a zero. */
static double next_zero(const linear_modes *v, const linear_guard *guard, bool of_rates, double t0, double end)
{
    if (!(guard->bound > 0)) return INFINITY;
    double fourth = v->r1 * v->l1 * v->o1 + v->r2 * v->l2 * v->o2;
    double cap = 1.75 * sqrt((v->r1 * v->o1 + v->r2 * v->o2) / fourth), t = t0;
    linear_guard g = *guard;
    for (int pass = 0; pass < PC_LINEAR_MAX_STEPS && t <= end; pass++) {
        linear_change x = linear_follow(v, t);
        linear_curve c = linear_bend(v, &x);
        if (pass == 0) {
            /* turned so that it is positive where it starts or, from a zero, where it goes */
            double slope = of_rates ? g.P1 * c.m1 + g.P2 * c.m2 : g.P1 * c.n1 + g.P2 * c.n2;
            double sign = copysign(1, t0 == 0 && g.g0 != 0 ? g.g0 : slope);
            g = (linear_guard){sign * g.g0, sign * g.P1, sign * g.P2, g.bound};
        }
        linear_stride stride = of_rates ? linear_rate_step(&g, v, &x, &c, cap, 0x1p-53 * (t + cap))
                                        : linear_guard_step(&g, v, &x, &c, cap, 0x1p-53 * (t + cap));
        t += stride.h;
        if (stride.found && !(pass == 0 && t0 > 0)) return t;
    }
    return INFINITY;
}

/* What happens within a stick segment and is no event of it: reversals of F_t and its greatest value. */
static pc_status watch_stick(const linear *before, const linear *after, const pc_linear_scale *scale, pc_impact *out)
{
    linear_modes v = linear_find_modes(before, sqrt(before->k));
    double end = after->t - before->t;
    double c1 = v.r1 * v.l1 * v.l1, c2 = v.r2 * v.l2 * v.l2;
    double t1 = -before->root_soft * v.e1t, t2 = -before->root_soft * v.e2t;
    linear_guard force = {before->ft, t1, t2, fabs(t1) * c1 + fabs(t2) * c2};
    /* where contact ends F_t ends with it, which is no reversal */
    double inside = after->code == PC_LINEAR_REBOUND ? end * (1 - 1e-9) : end;
    for (double t = 0; (t = next_zero(&v, &force, false, t, inside)) < inside;)
        if (!pc_impact_push_reversal(out, (before->t + t) * scale->time)) return PC_E_MEMORY;

    double s1 = v.e1t / before->root_soft, s2 = v.e2t / before->root_soft;
    linear_guard speed = {before->vt, s1, s2, fabs(s1) * c1 * v.o1 + fabs(s2) * c2 * v.o2};
    for (double t = 0; (t = next_zero(&v, &speed, true, t, end)) < end;) {
        linear_change x = linear_follow(&v, t);
        double ft = fabs(before->ft + t1 * x.m1 + t2 * x.m2) * scale->force;
        if (ft > out->peak[PC_T]) {
            out->peak[PC_T] = ft;
            out->peak_time[PC_T] = (before->t + t) * scale->time;
        }
    }
    return PC_OK;
}

/* The vibration in which a wedged body stays. */
static void watch_lock(const linear *q, const pc_linear_scale *scale, pc_impact *out)
{
    double root_k = sqrt(q->k);
    linear_modes v = linear_find_modes(q, root_k);
    double swing = v.r1 / v.o1;
    out->lock_frequency = v.o1 / scale->time;
    out->lock_mean[PC_N] = root_k * v.e2n * v.m2 * scale->force;
    out->lock_mean[PC_T] = -scale->mirror * q->root_soft * v.e2t * v.m2 * scale->force;
    out->lock_amplitude[PC_N] = root_k * fabs(v.e1n) * swing * scale->force;
    out->lock_amplitude[PC_T] = q->root_soft * fabs(v.e1t) * swing * scale->force;
}

/* Enter one segment in the record. A segment of no duration leaves no trace in it. */
static pc_status enter_segment(const linear *before, const linear *after, const pc_linear_scale *scale, pc_impact *out)
{
    double sign = before->sign;
    if (!(after->t > before->t)) return PC_OK;
    pc_phase_kind kind = sign != 0 ? PC_PHASE_SLIP : PC_PHASE_STICK;
    pc_phase *phase = out->n_phases > 0 ? &out->phases[out->n_phases - 1] : NULL;
    if (!phase || phase->kind != kind || phase->sign != (int)(sign * scale->mirror)) {
        if (phase && kind == PC_PHASE_SLIP)
            for (int i = 0; i < out->n_phases; i++)
                if (out->phases[i].kind == kind && out->phases[i].sign != (int)(sign * scale->mirror))
                    out->flags |= PC_FLAG_REVERSE_SLIP;
        phase = pc_impact_push(out);
        if (!phase) return PC_E_MEMORY;
        phase->kind = kind;
        phase->sign = (int)(sign * scale->mirror);
        phase->start = state_of(before, sign, scale);
    }
    phase->stop = state_of(after, sign, scale);
    if (after->code == PC_LINEAR_WEDGED) {
        phase->stop = phase->start;
        phase->stop.t = INFINITY;
        return PC_OK;
    }

    double m = scale->mirror;
    bool closing = before->w + after->w > 0;
    double *impulse = closing ? out->impulse_compression : out->impulse_restitution;
    impulse[PC_T] += m * (after->pt - before->pt) * scale->impulse;
    impulse[PC_N] += (after->pn - before->pn) * scale->impulse;
    double work = (after->work_n - before->work_n) * scale->work;
    *(closing ? &out->work_n_compression : &out->work_n_restitution) += work;
    if (closing && before->w == 0 && before->turn > 0) out->flags |= PC_FLAG_RECOMPRESSION;
    if (kind == PC_PHASE_SLIP && 1 - before->mu * sign * before->b < 0) out->flags |= PC_FLAG_JAM;

    if (kind == PC_PHASE_STICK && watch_stick(before, after, scale, out)) return PC_E_MEMORY;
    double force = fabs(after->ft) * scale->force;
    if (force > out->peak[PC_T]) {
        out->peak[PC_T] = force;
        out->peak_time[PC_T] = after->t * scale->time;
    }
    return PC_OK;
}

static pc_status unfinished(const linear *q, const pc_linear_scale *scale, pc_error *err)
{
    double t = q->t * scale->time;
    if (q->code == PC_LINEAR_ENDLESS)
        return pc_fail_at(err, PC_E_NUMERIC, t, "u_n",
                          "the contact never ends: W has rank 1 and the velocity before the impact lies outside its "
                          "range, so that no impulse stops the contact point");
    return pc_fail_at(
        err, PC_E_LIMIT, t, "phases",
        "more than %d segments of stick and slip or %d steps: stiffness ratio eta = %.6g with w_tt/w_nn = "
        "%.6g and a relative determinant of W of %.3g make the tangential vibration too fast for this "
        "impact",
        PC_LINEAR_MAX_SEGMENTS, PC_LINEAR_MAX_STEPS, q->eta, q->a, q->det);
}

/* One segment further. */
static void advance(linear *q)
{
    if (q->sign != 0)
        linear_slip(q, true);
    else
        linear_stick(q, true);
}

static linear start(const double problem[7])
{
    linear q;
    memset(&q, 0, sizeof q);
    memcpy(&q, problem, 7 * sizeof *problem); /* the fields are in the order of linear_fields.def */
    linear_start(&q);
    return q;
}

pc_status pc_linear_record(const double problem[7], const pc_linear_scale *scale, pc_impact *out, pc_error *err)
{
    linear q = start(problem);
    for (int n = 0; q.code == PC_LINEAR_RUNNING; n++) {
        if (n == PC_LINEAR_MAX_SEGMENTS) q.code = PC_LINEAR_LIMIT;
        if (n % 256 == 255 && pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, q.t * scale->time, "phases", "interrupted during an impact");
        if (q.code != PC_LINEAR_RUNNING) break;
        linear before = q;
        advance(&q);
        if (q.code == PC_LINEAR_ENDLESS || q.code == PC_LINEAR_LIMIT) break;
        if (enter_segment(&before, &q, scale, out))
            return pc_fail(err, PC_E_MEMORY, "not enough memory for %d phases", out->n_phases + 1);
        if (q.code == PC_LINEAR_WEDGED) {
            watch_lock(&before, scale, out);
            out->arrest_time = out->phases[out->n_phases - 1].start.t;
        }
    }
    if (q.code != PC_LINEAR_REBOUND && q.code != PC_LINEAR_WEDGED) return unfinished(&q, scale, err);

    bool wedged = q.code == PC_LINEAR_WEDGED;
    const pc_state *last = &out->phases[out->n_phases - 1].stop;
    out->outcome = wedged ? PC_OUTCOME_WEDGED : PC_OUTCOME_REBOUND;
    out->duration = last->t;
    out->compression_time = q.turn * scale->time;
    for (int i = 0; i < 3; i++) {
        out->v1[i] = wedged ? 0 : last->v[i];
        out->impulse[i] = last->p[i];
    }
    out->work_n = last->work_n;
    out->work_t = last->work_t;
    out->work_f = last->work_f;
    out->peak[PC_N] = q.peak * scale->force;
    out->peak_time[PC_N] = q.peak_time * scale->time;
    out->energy1 = wedged ? 0 : out->energy0 + (last->work_n + last->work_t + last->work_f);
    if (out->n_phases == 1) out->flags |= out->phases->kind == PC_PHASE_SLIP ? PC_FLAG_GROSS_SLIP : PC_FLAG_GROSS_STICK;
    if (out->work_n_restitution > -out->work_n_compression * (1 + 1e-12)) out->flags |= PC_FLAG_E_ABOVE_ONE;
    return PC_OK;
}

/* The state a time dt into a segment. */
static linear inside_segment(const linear *before, double dt)
{
    linear q = *before;
    q.t += dt;
    if (before->sign == 0) {
        double root_k = sqrt(before->k);
        linear_modes v = linear_find_modes(before, root_k);
        linear_change x = linear_follow(&v, dt);
        q.fn += root_k * (v.e1n * x.m1 + v.e2n * x.m2);
        q.ft -= q.root_soft * (v.e1t * x.m1 + v.e2t * x.m2);
        q.vt += (v.e1t * x.n1 + v.e2t * x.n2) / q.root_soft;
        q.w += (v.e1n * x.n1 + v.e2n * x.n2) / root_k;
        q.pn += root_k * (v.e1n * x.i1 + v.e2n * x.i2);
        q.pt -= q.root_soft * (v.e1t * x.i1 + v.e2t * x.i2);
        q.work_n -= (q.fn - before->fn) * (q.fn + before->fn) / 2 / q.k;
        return q;
    }
    /* slip: u_n'' = -L F_n; p from F_n and w by the sine and 1 - cosine of the segment, which tend to dt, dt^2/2 */
    double mu = q.mu * q.sign, L = 1 - mu * q.b, N = mu * q.a - q.b, lag = mu * q.eta * q.k;
    double rate = sqrt(fabs(L * q.k)), z = rate * dt, s = dt, c = dt * dt / 2;
    if (L > 0) {
        s = sin(z) / rate;
        c = 2 * pow(sin(z / 2) / rate, 2);
    } else if (L < 0) {
        s = sinh(z) / rate;
        c = 2 * pow(sinh(z / 2) / rate, 2);
    }
    double p = q.fn * s + q.k * q.w * c;
    double s0 = q.vt - lag * q.w, s1 = s0 - (N - lag * L) * p, w1 = q.w - L * p;
    q.work_f -= mu * p * (s0 + s1) / 2;
    q.work_n -= p * (q.w + w1) / 2;
    q.fn = sqrt(fmax(q.fn * q.fn + q.k * p * (q.w + w1), 0));
    q.ft = -mu * q.fn;
    q.w = w1;
    q.vt -= N * p;
    q.pn += p;
    q.pt -= mu * p;
    return q;
}

pc_status pc_linear_trace(const double problem[7], const pc_linear_scale *scale, const double *times, size_t n,
                          pc_state *out, pc_error *err)
{
    linear q = start(problem), before = q;
    size_t i = 0;
    for (int segment = 0; i < n && q.code == PC_LINEAR_RUNNING && segment < PC_LINEAR_MAX_SEGMENTS; segment++) {
        if (segment % 256 == 255 && pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, q.t * scale->time, "trace", "interrupted during a trace");
        before = q;
        advance(&q);
        for (; i < n && times[i] < q.t * scale->time; i++) {
            linear now = inside_segment(&before, times[i] / scale->time - before.t);
            out[i] = state_of(&now, before.sign, scale);
        }
    }
    for (; i < n; i++) out[i] = state_of(&q, before.sign, scale);
    return PC_OK;
}
