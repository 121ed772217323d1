/* Maw's rings beneath a body that gives way: see maw.h. */
#include "law/maw/maw.h"

#include "base/alloc.h"
#include "law/recorder.h"

#include <math.h>
#include <string.h>

/* The row of springs reaches this far, in contact radii of Hertz's impact: tangential motion may drive the body deeper.
 */
static const double REACH = 1.5;

/* Steps of the fastest mode's period, at least; contact times after which a motion that still touches is given up. */
enum { STEPS_OF_PERIOD = 60, LONGEST = 100 };

typedef struct row {
    int n;
    const double *u; /* indentation at which spring j touches, m */
    double *stretch, *next;
} row;

typedef struct flexible {
    const pc_maw_flexible *task;
    row row;
    double K, kappa, mu; /* F_n = K depth^1.5, N/m^1.5 */
    double dt;
    double depth;      /* of the contact itself */
    double shift;      /* of the foot of the springs along t */
    double F[2];       /* t, n */
    double x[2], v[2]; /* of the contact point, as the rigid body moves it */
    double q[PC_VIBRATION_MOST], rate[PC_VIBRATION_MOST];
    double work_f;
    int slip; /* sign if every spring slips, else 0 */
    bool touches;
} flexible;

/* The depth at which the contact and what lies in series with it give way by `way` in all. */
static double find_depth(const flexible *f, double way)
{
    const double c = f->task->normal_compliance * f->K;
    if (way <= 0) return 0;
    double depth = f->depth > 0 && f->depth < way ? f->depth : way;
    for (int i = 0; i < 60; i++) { /* Newton's steps: from above down where c > 0, from below up where c < 0 */
        double off = depth + c * depth * sqrt(depth) - way, slope = 1 + 1.5 * c * sqrt(depth);
        double next = fmax(depth - off / slope, 0);
        if (fabs(next - depth) <= 1e-15 * way) return next;
        depth = next;
    }
    return depth;
}

typedef struct carried {
    double force, slope, slipped, work; /* tangential force; its change with the shift; sums over springs */
    int inside, stuck;
} carried;

/* Springs that touch at a depth, their feet moved by dz since another: those that touch later move by a share of it. */
static carried carry(const flexible *f, double since, double depth, double dz)
{
    const row *r = &f->row;
    carried out = {0};
    const double cone = 1.5 * f->kappa * f->mu, normal = f->K * depth * sqrt(depth);
    double bounds = 0, pulling = 0, stuck = 0;
    for (int j = 0; j < r->n && r->u[j] < depth; j++) {
        double share = r->u[j] > since ? (depth - r->u[j]) / (depth - since) : 1;
        double bound = cone * (depth - r->u[j]), trial = r->stretch[j] + share * dz;
        double now = fmin(fmax(trial, -bound), bound), slip = trial - now;
        r->next[j] = now;
        bounds += bound, pulling += now;
        out.work -= (now + r->stretch[j]) / 2 * slip;
        out.slipped += slip;
        if (slip == 0) out.stuck++, stuck += share;
        out.inside++;
    }
    if (bounds > 0) { /* a share of mu F_n, so that gross slip is exact */
        double unit = f->mu * normal / bounds;
        out.force = -unit * pulling, out.slope = -unit * stuck, out.work *= unit;
    }
    return out;
}

/* Contact forces for displacements of the contact point by rigid body and modes. */
static void press(flexible *f, double across, double way)
{
    const double since = f->depth;
    f->depth = find_depth(f, way);
    f->F[PC_N] = f->K * f->depth * sqrt(f->depth);
    if (f->depth == 0) {
        memset(f->row.stretch, 0, (size_t)f->row.n * sizeof *f->row.stretch);
        f->shift = across, f->F[PC_T] = 0, f->slip = 0, f->touches = false;
        return;
    }
    /* shift - C F_t(shift) = across: piecewise linear and increasing */
    const double C = f->task->tangential_compliance;
    double dz = f->F[PC_T] * C + across - f->shift;
    carried c = carry(f, since, f->depth, dz);
    for (int i = 0; C > 0 && i < 60; i++) {
        double off = f->shift + dz - C * c.force - across;
        if (fabs(off) <= 1e-14 * (fabs(across) + fabs(C * c.force))) break;
        dz -= off / (1 - C * c.slope);
        c = carry(f, since, f->depth, dz);
    }
    f->shift += dz;
    f->F[PC_T] = c.force;
    f->work_f += c.work;
    f->slip = c.inside == 0 || c.stuck > 0 ? 0 : c.slipped > 0 ? 1 : -1;
    if (f->mu == 0) f->slip = 0;
    memcpy(f->row.stretch, f->row.next, (size_t)c.inside * sizeof *f->row.stretch);
    memset(f->row.stretch + c.inside, 0, (size_t)(f->row.n - c.inside) * sizeof *f->row.stretch);
    f->touches = true;
}

static void kick(flexible *f, double h)
{
    const pc_mobility *W = f->task->W;
    const pc_vibration *m = W->modes;
    f->v[PC_T] += h * (W->tt * f->F[PC_T] + W->tn * f->F[PC_N]);
    f->v[PC_N] += h * (W->tn * f->F[PC_T] + W->nn * f->F[PC_N]);
    for (int k = 0; m && k < m->n; k++)
        f->rate[k] += h * (m->t[k] * f->F[PC_T] + m->along_n[k] * f->F[PC_N] - m->omega[k] * m->omega[k] * f->q[k]);
}

static void step(flexible *f)
{
    const pc_vibration *m = f->task->W->modes;
    kick(f, f->dt / 2);
    double across = 0, way = 0;
    for (int i = 0; i < 2; i++) f->x[i] += f->dt * f->v[i];
    for (int k = 0; m && k < m->n; k++) {
        f->q[k] += f->dt * f->rate[k];
        across += m->t[k] * f->q[k], way -= m->along_n[k] * f->q[k];
    }
    press(f, f->x[PC_T] + across, way - f->x[PC_N]);
    kick(f, f->dt / 2);
}

/* ---- what is recorded ---- */

static pc_state state_of(const flexible *f, const pc_state *before)
{
    pc_state s = *before;
    s.t = before->t + f->dt;
    for (int i = 0; i < 2; i++) {
        double dp = f->dt / 2 * (before->F[i] + f->F[i]), work = dp * (before->v[i] + f->v[i]) / 2;
        s.p[i] += dp;
        if (i == PC_N)
            s.work_n += work;
        else
            s.work_t += work;
        s.F[i] = f->F[i], s.v[i] = f->v[i];
    }
    /* all that the tangential force does but friction: stored in springs, compliances and modes */
    s.work_t -= f->work_f - before->work_f;
    s.work_f = f->work_f;
    s.u[PC_N] = f->depth;
    s.u[PC_T] = f->row.stretch[0];
    double grown = f->slip * 1.5 * f->kappa * f->mu * (s.u[PC_N] - before->u[PC_N]) / f->dt;
    s.s[0] = f->slip ? f->v[PC_T] - grown : f->mu == 0 ? f->v[PC_T] : 0;
    return s;
}

/* States in between are on a straight line. */
static void answer(pc_recorder *r, const pc_state *a, const pc_state *b)
{
    while (pc_recorder_asks(r, b->t)) {
        double share = b->t > a->t ? (pc_recorder_next(r) - a->t) / (b->t - a->t) : 1;
        pc_state s = *b;
#define BETWEEN(member) s.member = a->member + share * (b->member - a->member)
        for (int i = 0; i < 2; i++) BETWEEN(u[i]), BETWEEN(v[i]), BETWEEN(F[i]), BETWEEN(p[i]);
        BETWEEN(work_n), BETWEEN(work_t), BETWEEN(work_f);
#undef BETWEEN
        pc_recorder_answer(r, &s);
    }
}

/* One step's place in the record: turns, reversals, phases, greatest forces. */
static pc_status note(pc_recorder *r, const flexible *f, const pc_state *a, const pc_state *b)
{
    pc_status status = PC_OK;
    int slip = f->mu > 0 ? f->slip : f->v[PC_T] > 0 ? 1 : f->v[PC_T] < 0 ? -1 : 0;
    if (!f->touches && r->out->n_phases > 0) {
        slip = r->out->phases[r->out->n_phases - 1].sign; /* contact is lost within the step */
    } else if (r->out->n_phases == 0 || !pc_recorder_goes_on(r, slip ? PC_PHASE_SLIP : PC_PHASE_STICK, slip)) {
        if (r->out->n_phases > 0) pc_recorder_close_phase(r, a);
        status = pc_recorder_open_phase(r, slip ? PC_PHASE_SLIP : PC_PHASE_STICK, slip, a);
    }
    if (!status && a->F[PC_T] * b->F[PC_T] < 0)
        status = pc_recorder_reversal(r, a->t + (b->t - a->t) * a->F[PC_T] / (a->F[PC_T] - b->F[PC_T]));
    if (status) return status;
    pc_recorder_force(r, PC_T, fabs(b->F[PC_T]), b->t);
    pc_recorder_force(r, PC_N, b->F[PC_N], b->t);
    if ((a->v[PC_N] < 0) != (b->v[PC_N] < 0) && b->v[PC_N] != a->v[PC_N]) {
        double share = a->v[PC_N] / (a->v[PC_N] - b->v[PC_N]), p[2];
        for (int i = 0; i < 2; i++) p[i] = a->p[i] + share * (b->p[i] - a->p[i]);
        /* work is a parabola in the impulse where the velocity is a straight line */
        double work = a->work_n + share * (b->p[PC_N] - a->p[PC_N]) * a->v[PC_N] / 2;
        pc_recorder_turn(r, a->t + share * (b->t - a->t), p, work);
    }
    return PC_OK;
}

/* Where the contact ends, within a step: the way goes to 0 on a straight line. */
static double end_share(double before, double after)
{
    return before > 0 && after < before ? fmin(1, before / (before - after)) : 1;
}

static double way_of(const flexible *f)
{
    const pc_vibration *m = f->task->W->modes;
    double way = -f->x[PC_N];
    for (int k = 0; m && k < m->n; k++) way -= m->along_n[k] * f->q[k];
    return way;
}

static pc_status go(flexible *f, pc_recorder *r, double contact, double quiet, pc_error *err)
{
    pc_state now = {.v = {f->v[0], f->v[1]}}, end = now;
    bool over = false, touched = false;
    pc_recorder_touch(r, 1, now.p, 0);
    for (long k = 1; !over; k++) {
        if (k % 256 == 0 && pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, now.t, "rings", "interrupted during an impact");
        if (now.t > LONGEST * contact)
            return pc_fail_at(err, PC_E_NUMERIC, now.t, "rings",
                              "the contact has not ended after %d times the duration of Hertz's", LONGEST);
        double way = way_of(f);
        bool before = f->touches;
        step(f);
        pc_state next = state_of(f, &now);
        if (f->touches || before) {
            pc_status status = note(r, f, &now, &next);
            if (status) return status;
            end = next;
            if (before && !f->touches) end.t = now.t + end_share(way, way_of(f)) * f->dt;
            answer(r, &now, &end);
            touched = true;
        }
        now = next;
        if (!isfinite(now.v[PC_N]) || !isfinite(now.v[PC_T]))
            return pc_fail_at(err, PC_E_NUMERIC, now.t, "rings", "the motion of the body is not finite");
        over = touched && !f->touches && now.t - end.t >= quiet;
    }
    pc_recorder_close_phase(r, &end);
    pc_recorder_answer_rest(r, &end);
    pc_recorder_settle(r, end.p, end.work_n);
    return PC_OK;
}

/* Rounding and the steps' errors of energy: they go as the square of a step, a thousandth of a contact or less. */
static const double NOISE = 1e-5;

pc_status pc_maw_flexible_run(const pc_maw_flexible *task, const double v0[3], pc_asked asked, pc_impact *out,
                              pc_error *err)
{
    const pc_mobility *W = task->W;
    const double K = pc_hertz_stiffness(task->hertz);
    const double depth = pow(1.25 / W->nn * v0[PC_N] * v0[PC_N] / K, 0.4);
    const double contact = 2.9432 * depth / -v0[PC_N];
    const int springs = (int)(REACH * task->rings);
    double *memory = pc_calloc(3 * (size_t)springs, sizeof *memory);
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rings", springs);
    for (int j = 0; j < springs; j++) {
        double x = (j + 0.5) / task->rings; /* in contact radii, sqrt(R depth) */
        memory[j] = x * x * depth;
    }
    flexible f = {.task = task,
                  .row = {springs, memory, memory + springs, memory + 2 * springs},
                  .K = K,
                  .kappa = task->hertz->kappa,
                  .mu = task->friction,
                  .v = {v0[PC_T], v0[PC_N]},
                  .dt = contact / (4 * task->rings)};
    double slowest = INFINITY;
    for (int k = 0; W->modes && k < W->modes->n; k++) {
        f.dt = fmin(f.dt, 2 * M_PI / W->modes->omega[k] / STEPS_OF_PERIOD);
        slowest = fmin(slowest, W->modes->omega[k]);
    }
    pc_recorder r = {
        .out = out, .d = 2, .time = 1, .force = 1, .impulse = 1, .work = 1, .way = 1, .asked = asked, .err = err};
    double quiet = isinf(slowest) ? 0 : fmin(2 * M_PI / slowest, 3 * contact);
    pc_status status = go(&f, &r, contact, quiet, err);
    if (!status) {
        pc_recorder_finish(&r);
        pc_recorder_judge(&r, NOISE, out->energy0, false);
    }
    pc_free(memory);
    return status;
}
