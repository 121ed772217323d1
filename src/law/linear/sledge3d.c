/* Two tangential springs, a normal spring, and a particle that Coulomb friction holds: the linear law in space.
 *
 * The sledge is a point without mass on the obstacle, joined to the contact point by a normal spring and by an
 * isotropic tangential one. It rests while |F_T| < mu F_n. When it slides, the stretch x stays on the cone,
 * |x| = mu F_n/k_t, and the sledge moves along x: two nonholonomic constraints for its two coordinates.
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extension (2), derived anew; Stronge, Impact Mechanics (2000),
 * chapter 5, in the plane. The normal spring returns E^2 of its energy on the line of Walton and Braun, J. Rheology 30
 * (1986).
 *
 * Scaled units: mass 1/w_nn, speed |v_n0|, stiffness kn. With F = (F_t, F_n, F_t2), u the indentation, x the stretch:
 *
 *     v = v0 + W p,   p' = F,   u' = w = -v_n,   F_n = k (u - rest),   k = 1 loading, 1/E^2 unloading
 *     stick   x' = v_T, F_T = -kappa x
 *     slip    x = rho nhat, rho = mu F_n/kappa, F_T = -mu F_n nhat, rho theta' = v_T.that,
 *             slip speed sigma = v_T.nhat - rho' >= 0
 *
 * Slip is singular where F_n = 0, at its start and at the end of contact, so it runs on a clock of its own,
 * dt = F_n dtau, on which theta_tau = (kappa/mu) v_T.that is regular and both ends lie at infinity. It starts from the
 * series of the regular solution (the others leave t = 0 as t^(-kappa |v_T|/(mu w))) and ends where the rest of the
 * contact is so short that forces fall linearly. theta is counted from the direction in which the phase began, so that
 * motion in a plane stays there exactly and mirror images are equal to the last bit.
 */
#include "base/status.h"
#include "event/event.h"
#include "law/linear/linear.h"
#include "law/recorder.h"
#include "math/linsolve.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The state; X is the stretch along t and t2 in stick; in slip X[0] is the angle theta. */
enum { TIME, U, X, P = X + 2, WORK_N = P + 3, WORK_F, N };

typedef enum mode { STICK, SLIP, SMOOTH } mode;

typedef struct moment {
    double v[3], w, F[3], dFn;
    double s[2];      /* slip velocity */
    double sigma;     /* slip speed */
    double across;    /* v_T.that */
    double turned[2]; /* nhat */
} moment;

typedef struct sledge {
    double W[3][3], v0[3]; /* scaled */
    double kappa, mu, E2;
    int rank;
    mode mode;
    double begin[2]; /* slip: nhat where the phase began */
    double k, rest;  /* of the normal spring as it stands */
    double memory;   /* greatest indentation; infinite while loading for the first time */
    double y[N];
    double speed, length, time, force, impulse, work; /* SI values of the scaled units */
    pc_recorder record;
    pc_impact *out;
    pc_error *err;
} sledge;

/* What may happen, in the order in which simultaneous events act. */
enum { RELEASE, TURN, RELOAD, CONE, ARREST, TRACE, CREST, REVERSAL, N_EVENTS };

enum { MAX_PHASES = 20000 };

/* Relative and absolute error of a step; energies of conservative impacts then close to 1e-11. */
static const double TOLERANCE = 1e-12;

/* Force at which the contact counts as over; the impulse left out is its square. */
static const double FLOOR = 1e-11;

/* Start of the series as a fraction of the time in which it changes; its errors are of third and fourth order. */
static const double EARLY = 1e-4;

/* What integration may do to the distance from the cone, relative to mu F_n: a wedged contact with one degree of
 * freedom touches the cone once a period. */
static const double TOUCHING = 1e-9;

/* What the integrator's error may add to an energy. */
static const double ROUNDING = 1e-10;

/* ---- the equations ---- */

static void evaluate(const sledge *s, const double *y, moment *m)
{
    for (int i = 0; i < 3; i++)
        m->v[i] = s->v0[i] + s->W[i][PC_T] * y[P + PC_T] + s->W[i][PC_N] * y[P + PC_N] + s->W[i][PC_T2] * y[P + PC_T2];
    m->w = -m->v[PC_N];
    m->F[PC_N] = s->k * (y[U] - s->rest);
    m->dFn = s->k * m->w;
    m->F[PC_T] = m->F[PC_T2] = m->s[0] = m->s[1] = m->sigma = m->across = 0;
    if (s->mode == STICK) {
        m->F[PC_T] = -s->kappa * y[X];
        m->F[PC_T2] = -s->kappa * y[X + 1];
    } else if (s->mode == SLIP) {
        double c = cos(y[X]), d = sin(y[X]);
        double a = s->begin[0] * c - s->begin[1] * d, b = s->begin[1] * c + s->begin[0] * d;
        m->turned[0] = a, m->turned[1] = b;
        m->F[PC_T] = -s->mu * m->F[PC_N] * a;
        m->F[PC_T2] = -s->mu * m->F[PC_N] * b;
        m->sigma = m->v[PC_T] * a + m->v[PC_T2] * b - s->mu / s->kappa * m->dFn;
        m->across = m->v[PC_T2] * a - m->v[PC_T] * b;
        m->s[0] = m->sigma * a, m->s[1] = m->sigma * b;
    } else {
        m->s[0] = m->v[PC_T], m->s[1] = m->v[PC_T2];
        m->sigma = hypot(m->s[0], m->s[1]);
    }
}

static int rates(double tau, const double *y, double *rate, void *context)
{
    const sledge *s = context;
    moment m;
    (void)tau;
    evaluate(s, y, &m);
    double clock = s->mode == SLIP ? m.F[PC_N] : 1;
    rate[TIME] = clock;
    rate[U] = clock * m.w;
    rate[X] = s->mode == STICK ? m.v[PC_T] : s->mode == SLIP ? s->kappa / s->mu * m.across : 0;
    rate[X + 1] = s->mode == STICK ? m.v[PC_T2] : 0;
    for (int i = 0; i < 3; i++) rate[P + i] = clock * m.F[i];
    rate[WORK_N] = -clock * m.F[PC_N] * m.w;
    rate[WORK_F] = s->mode == SLIP ? -clock * s->mu * m.F[PC_N] * m.sigma : 0;
    return 0;
}

/* ---- what goes into the record ---- */

static pc_state state(const sledge *s, const double *y)
{
    moment m;
    evaluate(s, y, &m);
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

static pc_status open_phase(sledge *s)
{
    moment m;
    evaluate(s, s->y, &m);
    double along = s->mode == SLIP ? m.turned[0] : s->mode == SMOOTH ? m.v[PC_T] : 0;
    if (s->mode == SLIP &&
        s->W[PC_N][PC_N] < s->mu * (s->W[PC_N][PC_T] * m.turned[0] + s->W[PC_N][PC_T2] * m.turned[1]))
        s->out->flags |= PC_FLAG_JAM;
    pc_state start = state(s, s->y);
    return pc_recorder_open_phase(&s->record, s->mode == STICK ? PC_PHASE_STICK : PC_PHASE_SLIP,
                                  (along > 0) - (along < 0), &start);
}

static void close_phase(sledge *s)
{
    pc_state stop = state(s, s->y);
    pc_recorder_close_phase(&s->record, &stop);
}

static void trace_now(sledge *s)
{
    pc_state now = state(s, s->y);
    while (pc_recorder_asks(&s->record, s->y[TIME] * s->time * (1 + 1e-15))) pc_recorder_answer(&s->record, &now);
}

static void note_peaks(sledge *s, const double *y)
{
    moment m;
    evaluate(s, y, &m);
    pc_recorder_force(&s->record, PC_T, hypot(m.F[PC_T], m.F[PC_T2]), y[TIME]);
    pc_recorder_force(&s->record, PC_N, m.F[PC_N], y[TIME]);
}

/* The contact does not end: what is left of the motion dies out. */
static void stay(sledge *s, const pc_mobility *W)
{
    pc_state end = state(s, s->y);
    double g[3];
    pc_mobility_solve_pseudo(W, end.v, g);
    for (int i = 0; i < 3; i++) {
        double work = -g[i] * end.v[i] / 2;
        *(i == PC_N ? &end.work_n : &end.work_t) += work;
        end.p[i] -= g[i];
        end.v[i] = 0;
    }
    pc_recorder_stay(&s->record, PC_OUTCOME_WEDGED, &end);
}

static void finish(sledge *s)
{
    const pc_impact *out = s->out;
    pc_recorder_finish(&s->record);
    pc_recorder_judge(&s->record, ROUNDING, out->energy0, false);
    pc_recorder_answer_rest(&s->record, &out->phases[out->n_phases - 1].stop);
}

/* ---- events ---- */

/* What is asked of the sledge in a mode. */
typedef struct question {
    sledge *s;
    int kind;
} question;

static int value_of(double t, const double *y, double *g, void *context)
{
    const question *q = context;
    const sledge *s = q->s;
    moment m;
    (void)t;
    evaluate(s, y, &m);
    switch (q->kind) {
    case CONE: *g = s->mu * s->k * (y[U] - s->rest) - s->kappa * hypot(y[X], y[X + 1]); break;
    case ARREST: *g = m.sigma; break;
    case CREST: *g = y[X] * m.v[PC_T] + y[X + 1] * m.v[PC_T2]; break;
    default: *g = m.F[PC_T];
    }
    return 0;
}

static int note(double t, double *y, void *context)
{
    const question *q = context;
    (void)t;
    if (q->kind == REVERSAL) return pc_recorder_reversal(&q->s->record, y[TIME]) == PC_OK ? PC_ACTION_CONTINUE : -1;
    note_peaks(q->s, y);
    return PC_ACTION_CONTINUE;
}

/* Those without a function are linear in the state and have a row. What has an action goes on behind it. A turn passes
 * zero to a given side: arrest may come at the same instant, and then this is the first thing afterwards. */
static const struct {
    const char *name;
    int direction;
    pc_event_function g;
    pc_event_action action;
} event_kinds[N_EVENTS] = {
    [RELEASE] = {"release", -1},
    [TURN] = {"turn", -1},
    [RELOAD] = {"reload", -1},
    [CONE] = {"cone", -1, value_of},
    [ARREST] = {"slip", -1, value_of},
    [TRACE] = {"time", 1},
    [CREST] = {"crest", -1, value_of, note},
    [REVERSAL] = {"reversal", 0, value_of, note},
};

/* The events of the mode at hand; asked[i] says which one event i is. */
static int list_events(sledge *s, pc_event *events, question *asked, double rows[N_EVENTS][N + 2])
{
    bool asks = pc_recorder_asks(&s->record, INFINITY);
    const bool used[N_EVENTS] = {
        [RELEASE] = true,           [TURN] = true,  [RELOAD] = !isinf(s->memory), [CONE] = s->mode == STICK,
        [ARREST] = s->mode == SLIP, [TRACE] = asks, [CREST] = s->mode == STICK,   [REVERSAL] = s->mode != SMOOTH};
    int n = 0;
    memset(rows, 0, N_EVENTS * sizeof *rows);
    rows[RELEASE][0] = -s->k * s->rest - (s->mode == SLIP ? FLOOR : 0);
    rows[RELEASE][2 + U] = s->k;
    rows[TURN][0] = -s->v0[PC_N];
    for (int i = 0; i < 3; i++) rows[TURN][2 + P + i] = -s->W[PC_N][i];
    rows[RELOAD][0] = s->memory;
    rows[RELOAD][2 + U] = -1;
    rows[TRACE][0] = asks ? -pc_recorder_next(&s->record) / s->time : 0;
    rows[TRACE][2 + TIME] = 1;
    for (int kind = 0; kind < N_EVENTS; kind++) {
        if (!used[kind]) continue;
        asked[n] = (question){s, kind};
        events[n] = (pc_event){.name = event_kinds[kind].name,
                               .direction = kind == TURN && s->record.way < 0 ? 1 : event_kinds[kind].direction,
                               .terminal = !event_kinds[kind].action,
                               .g = event_kinds[kind].g,
                               .linear = event_kinds[kind].g ? NULL : rows[kind],
                               .action = event_kinds[kind].action,
                               .context = &asked[n]};
        n++;
    }
    return n;
}

/* ---- changes ---- */

/* A stuck contact vibrates in the modes of W and the springs about a place where W does not act. The distance from the
 * cone is concave in the displacements, so it is least at a corner of the box of amplitudes. */
static bool is_wedged(const sledge *s)
{
    if (s->mode != STICK || s->rank == 3 || (isinf(s->memory) && s->E2 < 1)) return false;
    moment m;
    evaluate(s, s->y, &m);
    double root[3] = {sqrt(s->kappa), sqrt(s->k), sqrt(s->kappa)};
    double sign[3] = {1, -1, 1}; /* indentation grows against n */
    double d[3] = {s->y[X], s->y[U] - s->rest, s->y[X + 1]};
    double B[3][3], values[3], modes[3][3], middle[3] = {0}, swing[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[i][j] = root[i] * sign[i] * s->W[i][j] * sign[j] * root[j];
    pc_eigen_symmetric3(B, values, modes);
    for (int k = 0; k < 3; k++) {
        double at = 0, speed = 0;
        for (int i = 0; i < 3; i++) {
            at += modes[i][k] * root[i] * d[i];
            speed += modes[i][k] * root[i] * sign[i] * m.v[i];
        }
        double amplitude = k < s->rank ? hypot(at, speed / sqrt(values[k])) : at;
        for (int i = 0; i < 3; i++) {
            double part = amplitude * modes[i][k] / root[i];
            if (k < s->rank)
                swing[k][i] = part;
            else
                middle[i] += part;
        }
    }
    for (int corner = 0; corner < 1 << s->rank; corner++) {
        double at[3] = {middle[0], middle[1], middle[2]};
        for (int k = 0; k < s->rank; k++)
            for (int i = 0; i < 3; i++) at[i] += corner >> k & 1 ? swing[k][i] : -swing[k][i];
        double hold = s->mu * s->k * at[PC_N], pull = s->kappa * hypot(at[PC_T], at[PC_T2]);
        double slack = TOUCHING * s->mu * s->k * fabs(middle[PC_N]);
        if (!(hold > 0 && hold - pull >= -slack && at[PC_N] + s->rest <= s->memory * (1 + TOUCHING))) return false;
    }
    return true;
}

/* Slip begins along (a, b). */
static void slide(sledge *s, double a, double b)
{
    double size = hypot(a, b);
    s->mode = SLIP;
    s->begin[0] = a / size, s->begin[1] = b / size;
    s->y[X] = s->y[X + 1] = 0;
}

/* A little way into slip from the touch: theta = c t^2, u = t - a t^3/6, scaled with w = 1. */
static void start_series(sledge *s)
{
    const double *n = s->begin;
    double(*W)[3] = s->W;
    double size = hypot(s->v0[PC_T], s->v0[PC_T2]), mu = s->mu;
    double pull_t = W[PC_T][PC_N] - mu * (W[PC_T][PC_T] * n[0] + W[PC_T][PC_T2] * n[1]);
    double pull_t2 = W[PC_T2][PC_N] - mu * (W[PC_T2][PC_T] * n[0] + W[PC_T2][PC_T2] * n[1]);
    double across = pull_t2 * n[0] - pull_t * n[1];
    double a = W[PC_N][PC_N] - mu * (W[PC_N][PC_T] * n[0] + W[PC_N][PC_T2] * n[1]);
    double t = EARLY * fmin(1, sqrt(size)), t2 = t * t;
    s->y[X] = across / (2 * (size + 2 * mu / s->kappa)) * t2;
    s->y[TIME] = t;
    s->y[U] = t - a * t2 * t / 6;
    double p = t2 / 2 - a * t2 * t2 / 24;
    s->y[P + PC_N] = p;
    s->y[P + PC_T] = -mu * n[0] * p;
    s->y[P + PC_T2] = -mu * n[1] * p;
    s->y[WORK_N] = -s->y[U] * s->y[U] / 2;
    /* slip speed is size - mu/kappa to first order */
    s->y[WORK_F] = -mu * (size - mu / s->kappa) * p;
}

static void touch(sledge *s)
{
    double size = hypot(s->v0[PC_T], s->v0[PC_T2]);
    s->mode = STICK;
    if (s->mu == 0)
        s->mode = SMOOTH;
    else if (size * s->kappa >= s->mu) /* on the threshold slip begins with no speed, and may end at once */
        slide(s, s->v0[PC_T], s->v0[PC_T2]);
}

/* What is left of the contact after slip came to its floor: time is linear in the force. */
static void run_out(sledge *s)
{
    moment m;
    evaluate(s, s->y, &m);
    if (s->mode == SLIP) {
        double left = -m.F[PC_N] / m.dFn;
        s->y[TIME] += left;
        for (int i = 0; i < 3; i++) s->y[P + i] += m.F[i] * left / 2;
        s->y[WORK_N] += -m.F[PC_N] * m.w * left / 2;
        s->y[WORK_F] += -s->mu * m.F[PC_N] * m.sigma * left / 2;
    }
    s->y[U] = s->rest;
}

/* v_n = 0 */
static void turn(sledge *s)
{
    note_peaks(s, s->y);
    if (s->record.way > 0 && s->E2 < 1 && isinf(s->memory)) {
        s->memory = s->y[U];
        s->rest = s->memory * (1 - s->E2);
        s->k = 1 / s->E2;
    }
    pc_recorder_turn(&s->record, s->y[TIME], s->y + P, s->y[WORK_N]);
}

/* Follow one mode until something changes; what it was. */
static pc_status follow(sledge *s, int *what)
{
    pc_event events[N_EVENTS];
    question asked[N_EVENTS];
    double rows[N_EVENTS][N + 2];
    int n = list_events(s, events, asked, rows);
    pc_ode_problem problem = {.n = N, .rhs = rates, .context = s, .autonomous = true};
    pc_ode_settings settings = {
        .rtol = TOLERANCE, .atol = TOLERANCE, .max_step = s->mode == SLIP ? INFINITY : 0.5, .max_steps = INT_MAX};
    pc_solve_task task = {.problem = &problem,
                          .method = &pc_ode_dop853,
                          .settings = &settings,
                          .events = events,
                          .n_events = n,
                          .max_events = INT_MAX,
                          .t1 = 1e12,
                          .y0 = s->y};
    pc_solution solution = {0};
    pc_status status = pc_solve(&task, &solution, s->err);
    if (!status && solution.stop != PC_STOP_EVENT)
        status = pc_fail_at(s->err, PC_E_NUMERIC, s->y[TIME] * s->time, "phases", "nothing ends a phase of the impact");
    if (!status) {
        memcpy(s->y, solution.y, sizeof s->y);
        *what = asked[solution.stop_event].kind;
    }
    pc_solution_free(&solution);
    return status;
}

static pc_status go(sledge *s, const pc_mobility *W)
{
    touch(s);
    trace_now(s);
    pc_status status = open_phase(s);
    if (s->mode == SLIP) start_series(s);
    for (int changes = 0; !status;) {
        int what;
        if (changes == MAX_PHASES)
            return pc_fail_at(s->err, PC_E_LIMIT, s->y[TIME] * s->time, "phases",
                              "the contact has not ended after %d changes", changes);
        if (pc_interrupted())
            return pc_fail_at(s->err, PC_E_INTERRUPTED, s->y[TIME] * s->time, "phases", "interrupted during an impact");
        if (!pc_recorder_asks(&s->record, INFINITY) && is_wedged(s)) {
            stay(s, W);
            return PC_OK;
        }
        status = follow(s, &what);
        if (status) return status;
        changes += what != TRACE;
        note_peaks(s, s->y);
        moment m;
        evaluate(s, s->y, &m);
        /* a spring that was never stretched meets the cone at its tip, where the contact ends */
        if (what == CONE && s->y[X] == 0 && s->y[X + 1] == 0) what = RELEASE;
        switch (what) {
        case RELEASE:
            run_out(s);
            pc_recorder_settle(&s->record, s->y + P, s->y[WORK_N]);
            close_phase(s);
            return PC_OK;
        case TURN: turn(s); break;
        case RELOAD:
            s->memory = INFINITY;
            s->rest = 0;
            s->k = 1;
            break;
        case TRACE: trace_now(s); break;
        case CONE:
            close_phase(s);
            slide(s, s->y[X], s->y[X + 1]);
            status = open_phase(s);
            break;
        default:
            close_phase(s);
            s->mode = STICK;
            for (int k = 0; k < 2; k++) s->y[X + k] = s->mu * m.F[PC_N] / s->kappa * m.turned[k];
            status = open_phase(s);
        }
    }
    return status;
}

/* One impact, v0[PC_N] < 0, W with its rank. `out` is initialised and has v0 and energy0. */
static pc_status solve(const pc_linear *law, const pc_mobility *W, pc_asked asked, pc_impact *out, pc_error *err)
{
    double mass = 1 / W->nn;
    sledge s = {.kappa = 1 / law->eta,
                .mu = law->mu,
                .E2 = law->restitution * law->restitution,
                .rank = W->rank,
                .k = 1,
                .memory = INFINITY,
                .speed = -out->v0[PC_N],
                .out = out,
                .err = err};
    pc_mobility_matrix(W, s.W);
    for (int i = 0; i < 3; i++) {
        s.v0[i] = out->v0[i] / s.speed;
        for (int j = 0; j < 3; j++) s.W[i][j] *= mass;
    }
    s.time = sqrt(mass / law->kn);
    s.length = s.speed * s.time;
    s.force = law->kn * s.length;
    s.impulse = mass * s.speed;
    s.work = s.impulse * s.speed;
    s.record = (pc_recorder){.out = out,
                             .d = 3,
                             .time = s.time,
                             .force = s.force,
                             .impulse = s.impulse,
                             .work = s.work,
                             .way = 1,
                             .asked = asked,
                             .err = err};
    pc_status status = go(&s, W);
    if (!status) finish(&s);
    return status;
}

/* ---- the law ---- */

static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked, pc_impact *out,
                        pc_error *err)
{
    pc_mobility given = *W;
    pc_status status = pc_impact_begin(out, &given, 3, v0, err);
    if (status != PC_OK || out->outcome == PC_OUTCOME_NONE) return status;
    if (!(W->nn > 0))
        return pc_fail(err, PC_E_ARGUMENT, "the contact point must be able to move along the normal: w_nn = %.10g 1/kg",
                       W->nn);
    return solve(params, &given, asked, out, err);
}

static const pc_schema schema = {
    .name = "contact.sledge3d",
    .summary = "Normal and tangential springs with Coulomb friction in space: the linear law with slip that swerves.",
    .details =
        "F_n = kn u_n and F_T = -kt x, x the stretch in the tangent plane, act on a massless particle that sticks "
        "while |F_T| < mu F_n. When it slips, x stays on the cone and the particle moves along x, so that the "
        "direction of slip turns with the velocity of the contact point. In the plane this is the linear law; as "
        "kt grows it tends to rigid impact with Stronge's E at a rate of 1/kt and a cost of kt. With restitution "
        "E < 1 the normal spring unloads on kn/E^2 about a residual indentation. A body without three degrees "
        "of freedom at the contact may wedge: the verdict is that no corner of the vibration leaves the cone, "
        "which is exact with one degree and with two of incommensurable frequencies.",
    .equations = "F_n = kn u: in compression, u being the indentation\n"
                 "|F_t| <= mu F_n: always, F_t being the force in the tangent plane\n"
                 "F_t = kt |x|: against the stretch x of the tangential spring",
    .source = "Kecskemethy, Lange and Grabner (1999), extension (2); Walton and Braun, J. Rheology 30 (1986)",
    .example = "local sledge = percuss.contact.sledge3d{ stiffness = 1e6, eta = 1.21, friction = 0.3 }\n"
               "local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03, spatial = true }\n"
               "local hit = percuss.collide(ball, sledge, { vt = 0.3, vt2 = 0.4, vn = -1 })\n"
               "print(hit.regime, string.format('%.6f', hit.velocity.n)) --> slip-stick-slip\t1.000000",
    .rows = pc_linear_rows,
    .n_rows = PC_LINEAR_ROWS,
    .size = sizeof(pc_linear),
    .groups = {PC_EXACTLY_ONE},
    .validate = pc_linear_validate,
};

PC_ONE_FRICTION(pc_linear, mu)

const pc_law pc_law_sledge3d = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_SPATIAL | PC_LAW_COMPLIANT | PC_LAW_CONSERVATIVE,
    .impact = impact,
    .friction = friction,
};
