/* The linear stick-slip law: its parameters, the element it is elsewhere, its way over arrays, and closed forms of the
 * pendulum on it. See linear.h for the law and linear/kernel.h for the solution. */
#include "law/linear/linear.h"

#include "base/status.h"
#include "law/element.h"
#include "law/law.h"
#include "law/recorder.h"
#include "math/roots.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const pc_row pc_linear_rows[PC_LINEAR_ROWS] = {
    PC_ROW(pc_linear, kn, "stiffness", .symbol = "kn", .unit = PC_UNIT_N_PER_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .sample = {1e3, 1e8}, .doc = "stiffness of the normal spring"),
    [PC_LINEAR_KT] = PC_ROW(pc_linear, kt, "tangential", .symbol = "kt", .unit = PC_UNIT_N_PER_M, .initial = PC_ABSENT,
                            .allowed = PC_POSITIVE, .group = 1,
                            .doc = "stiffness of the tangential spring, in space the same in every direction"),
    PC_ROW(pc_linear, eta, "stiffness_ratio", .symbol = "eta", .greek = "η", .initial = PC_ABSENT,
           .allowed = PC_POSITIVE, .sample = {0.05, 5}, .group = 1,
           .doc = "normal over tangential stiffness; 1.17 to 1.5 for Poisson's ratio 0.25 to 0.5 (Birlik 4.2.1.1.2)"),
    PC_ROW(pc_linear, mu, "friction", .symbol = "mu", .greek = "μ", .initial = PC_REQUIRED, .allowed = PC_NONNEGATIVE,
           .sample = {0, 2}, .doc = "coefficient of friction of the contact particle, the same in stick and slip"),
    PC_ROW(pc_linear, restitution, "restitution", .role = PC_RESTITUTION, .symbol = "E", .initial = 1,
           .allowed = {0, 1, true, false}, .sample = {0.3, 1},
           .doc = "root of the energy that the normal spring returns: it unloads on kn/E^2"),
};

pc_status pc_linear_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_linear *law = object;
    (void)schema, (void)err;
    if (given >> PC_LINEAR_KT & 1)
        law->eta = law->kn / law->kt;
    else
        law->kt = law->kn / law->eta;
    return PC_OK;
}

static const pc_schema schema = {
    .name = "contact.linear",
    .summary = "Normal and tangential spring with Coulomb friction, solved in closed form.",
    .details = "F_n = kn u_n and F_t = -kt u_t act on a massless contact particle that sticks while |F_t| < mu F_n and "
               "slips with F_t = -mu F_n against its velocity otherwise. An impact is a chain of stick and slip "
               "phases; no step size and no tolerance enter. With restitution E < 1 the normal spring unloads on "
               "kn/E^2 about a residual indentation and is loaded again on that line up to its greatest force. A body "
               "with one degree of freedom may wedge: then it vibrates in contact for ever, and the verdict is exact.",
    .equations = "F_n = kn u: in compression, u being the indentation\n"
                 "F_n = kn (u - u_r)/E^2: in restitution, u_r being the indentation that is left\n"
                 "F_t = -kt x: in stick, x being the stretch of the tangential spring\n"
                 "F_t = -mu s F_n: in slip, s = 1 or -1 being its direction\n"
                 "kt = kn/eta: where the stiffness ratio is given",
    .source = "Birlik (2012), sections 3.3.1.1 and 4.2.1; Stronge, Impact Mechanics (2000), chapter 5; "
              "Walton and Braun, J. Rheology 30 (1986)",
    .example = "local spring = percuss.contact.linear{ stiffness = 1.5e7, eta = 1.21, friction = 0.5 }\n"
               "print(string.format('%.4g', spring.kt)) --> 1.24e+07",
    .rows = pc_linear_rows,
    .n_rows = PC_LINEAR_ROWS,
    .size = sizeof(pc_linear),
    .groups = {PC_EXACTLY_ONE},
    .validate = pc_linear_validate,
};

PC_ONE_FRICTION(pc_linear, mu)

const pc_law pc_law_linear = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_CLOSED_FORM | PC_LAW_CONSERVATIVE,
    .impact = pc_linear_impact,
    .map = pc_linear_map,
    .element = &pc_linear_element,
    .friction = friction,
};

/* ---- an element: where several contacts act at once, or the configuration moves, no closed form holds ----
 *
 * The normal spring is Walton and Braun's: loading on k_n, unloading and loading again on k_n/E^2 up to the greatest
 * force so far; the tangential one is a spring of its own.
 */

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_linear *law = params;
    (void)mass, (void)speed;
    double stiffness = pc_scales_stiffness(scales);
    out->c[PC_LOADING] = law->kn / stiffness;
    out->c[PC_UNLOADING] = out->c[PC_LOADING] / (law->restitution * law->restitution);
    out->plastic = law->restitution < 1;
    out->root = 1;
    out->linear = true;
    out->tangential = (pc_tangential){.kind = PC_TANGENTIAL_SPRING, .mu = law->mu, .kt = law->kt / stiffness};
}

const pc_element pc_linear_element = {
    .length = pc_spring_length, .prepare = prepare, .normal = pc_lines_normal, .stored = pc_lines_stored};

/* ---- arrays, run by the kernel that suits the processor ---- */

/* Impacts between two looks at the interrupt flag. */
enum { STRETCH = 4096 };

/* NULL if the processor lacks the instructions. Every kernel returns the same bits, so this choice is one of speed
 * alone. */
static pc_linear_kernel *kernel_of(int width)
{
#if !defined(PC_NO_X86)
    if (width == 4 && __builtin_cpu_supports("avx2")) return pc_linear_run4;
    if (width == 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return pc_linear_run8;
#endif
    return width == 1 ? pc_linear_run1 : NULL;
}

pc_status pc_linear_map_width(const pc_map_columns *map, int width, size_t *failed, pc_error *err)
{
    pc_linear_kernel *kernel = kernel_of(width);
    if (!kernel) return pc_fail(err, PC_E_UNSUPPORTED, "this processor has no kernel %d lanes wide", width);
    pc_map_columns all = *map;
    pc_map_column rows[PC_LINEAR_ROWS];
    for (int i = 0; i < PC_LINEAR_ROWS && !map->rows; i++)
        rows[i] = (pc_map_column){NULL, pc_row_number(&pc_linear_rows[i], map->params)};
    if (!map->rows) all.rows = rows;
    *failed = 0;
    for (size_t i = 0; i < map->n; i += STRETCH) {
        if (pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted after %zu of %zu impacts", i, map->n);
        *failed += kernel(&all, i, map->n - i < STRETCH ? map->n : i + STRETCH);
    }
    if (*failed)
        pc_fail(err, PC_E_NUMERIC, "%s: W is not positive semi-definite, or there are more phases than can be computed",
                schema.name);
    return PC_OK;
}

pc_status pc_linear_map(const pc_map_columns *map, size_t *failed, pc_error *err)
{
    return pc_linear_map_width(map, kernel_of(8) ? 8 : kernel_of(4) ? 4 : 1, failed, err);
}

/* ---- the pendulum ---- */

double pc_wedge_critical_angle(double mu, double eta, double restitution)
{
    double h = eta / (restitution * restitution);
    double b = 1 + 3 * mu * mu * h;
    return atan(2 * mu / (b + sqrt(b * b + 4 * mu * mu * h)));
}

bool pc_wedge_friction_range(double theta, double eta, double restitution, double *mu_low, double *mu_high)
{
    double h = eta / (restitution * restitution), T = tan(theta);
    /* the same equation as one in mu: 3 h T mu^2 - (1 - h T^2) mu + T = 0 */
    double b = 1 - h * T * T, discriminant = b * b - 12 * h * T * T;
    if (!(b > 0 && discriminant >= 0)) return false;
    double root = b + sqrt(discriminant);
    *mu_low = 2 * T / root;
    *mu_high = root / (6 * h * T);
    return true;
}

double pc_wedge_greatest_angle(double eta, double restitution, double *mu)
{
    double root = sqrt(eta) / restitution;
    if (mu) *mu = 1 / (sqrt(3) * root);
    return atan((2 - sqrt(3)) / root); /* tan(15 deg) = 2 - sqrt(3) */
}

/* What both slides take, as a fraction; above 1 the second one stops first. */
static double slides(double T, double mu, double eta)
{
    double stick = mu * eta * T;
    if (stick >= 1) return 0;
    return 2 * mu * (1 - stick) / ((mu + T) * (1 + stick));
}

double pc_pendulum_loss(double theta, double mu, double eta)
{
    return fmin(slides(tan(theta), mu, eta), 1);
}

double pc_pendulum_speed_ratio(double theta, double mu, double eta)
{
    double T = tan(theta), stick = mu * eta * T;
    if (stick >= 1) return 1;
    /* 1 - loss, written so that it does not cancel at the critical angle */
    double square = (T - mu) / (T + mu) + 4 * mu * mu * eta * T / ((T + mu) * (1 + stick));
    return sqrt(fmax(square, 0));
}

double pc_pendulum_greatest_loss(double theta, double eta, double *mu)
{
    double T = tan(theta), q = eta * T * T;
    double best = (sqrt(2 * (1 + q) / eta) - T) / (2 + q);
    if (mu) *mu = best;
    return pc_pendulum_loss(theta, best, eta);
}

double pc_pendulum_rigid_speed_ratio(double theta, double mu, double restitution)
{
    double T = tan(theta);
    return mu < T ? restitution * sqrt((T - mu) / (T + mu)) : 0;
}

/* One impact of the linear law, segment by segment: from SI units to the scaled problem, its record, and its states at
 * given times. The kernel runs one lane wide. */

#define PC_LANES 1

#include "law/linear/run.h"
#include "law/linear/kernel.h"

#include <math.h>
#include <string.h>

/* ---- scaling ---- */

/* What one scaled unit is in SI; `mirror` is -1 if the tangent was turned round. */
typedef struct units_si {
    double time, velocity, length, force, impulse, work, mirror;
} units_si;

/* The impact at touch, v_n < 0, and its units. */
static pc_status start(const pc_linear *law, const pc_mobility *W, const double v0[3], linear *q, units_si *scale,
                       pc_error *err)
{
    linear_units u = {.v_t = v0[PC_T], .v_n = v0[PC_N]};
    memset(q, 0, sizeof *q);
    if (!linear_scale_mobility(q, W->tt, W->tn, W->nn, W->rank))
        return pc_fail(err, PC_E_ARGUMENT,
                       "the linear law needs a positive semi-definite W with w_nn > 0; this one has w_tt = %.10g, "
                       "w_tn = %.10g, w_nn = %.10g 1/kg",
                       W->tt, W->tn, W->nn);
    linear_scale_velocity(q, &u);
    q->mu = law->mu;
    q->eta = law->eta;
    q->k2 = 1 / (law->restitution * law->restitution);
    linear_start(q);
    double root = sqrt(law->kn * W->nn);
    scale->time = 1 / root;
    scale->velocity = u.speed;
    scale->length = u.speed / root;
    scale->force = law->kn * scale->length;
    scale->impulse = u.speed / W->nn;
    scale->work = scale->impulse * u.speed;
    scale->mirror = u.mirror;
    return PC_OK;
}

double pc_linear_growth_time(double rate, double p, double sum, double margin)
{
    double z = rate * p / sum;
    /* artanh z = log((1 + z)/sqrt(1 - z^2)), with 1 - z^2 = 2 margin/sum^2 */
    double half = z < 0.25 ? atanh(z) : log((sum + rate * p) / sqrt(2 * margin));
    return 2 * half / rate;
}

/* ---- the record, watched as the impact passes from segment to segment ---- */

/* What rounding may add to a work: there is no error of integration. */
static const double ROUNDING = 1e-12;

/* State in SI units; `sign` is the slip direction of the phase that it belongs to, 0 in stick. */
static pc_state state_of(const linear *q, double sign, const units_si *scale)
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

/* F_t a time after the start of a stick segment. */
typedef struct force_course {
    const linear_modes *v;
    double ft;
} force_course;

static double force_after(double t, void *context)
{
    const force_course *c = context;
    linear_change x = linear_follow(c->v, t);
    return c->ft + c->v->t1 * x.m1 + c->v->t2 * x.m2;
}

/* Extremes and reversals of F_t in a stick segment. Between two zeros of v_t the force is monotone, so it reverses
 * where its sign changes from one extreme to the next. */
static pc_status watch_force(const linear *before, const linear *after, const linear_modes *v, pc_recorder *record)
{
    double s1 = -before->eta * v->t1, s2 = -before->eta * v->t2;
    force_course course = {v, before->ft};
    linear_guard speed = {before->vt, s1, s2, 0};
    speed.bound = fabs(s1) * v->s1 * (v->l1 * v->l1) + fabs(s2) * v->s2 * (v->l2 * v->l2);
    double end = after->t - before->t, from = 0, last = before->ft;
    for (bool inside = true; inside;) {
        double at = linear_next_zero(v, &speed, true, from, end, true), ft = after->ft;
        inside = at < end;
        if (inside) {
            ft = force_after(at, &course);
            pc_recorder_force(record, PC_T, fabs(ft), before->t + at);
        } else {
            at = end;
        }
        if (last * ft < 0) {
            double zero = before->t + pc_root_between(force_after, &course, from, last, at, ft, 0);
            pc_status status = pc_recorder_reversal(record, zero);
            if (status) return status;
        }
        last = ft;
        from = at;
    }
    return PC_OK;
}

/* The vibration in which a wedged body stays. */
static void watch_lock(const linear *q, const units_si *scale, pc_impact *out)
{
    linear_modes v = linear_find_modes(q);
    linear_find_paces(&v);
    double swing = v.r1 / v.o1;
    out->lock_frequency = v.o1 / scale->time;
    out->lock_mean[PC_N] = v.f2 * v.m2 * scale->force;
    out->lock_mean[PC_T] = scale->mirror * v.t2 * v.m2 * scale->force;
    out->lock_amplitude[PC_N] = fabs(v.f1) * swing * scale->force;
    out->lock_amplitude[PC_T] = fabs(v.t1) * swing * scale->force;
}

/* Account for a piece of a segment without a turning point inside: the indentation grows or it recovers. */
static void enter_piece(const linear *from, const linear *to, double mirror, pc_recorder *record)
{
    bool closing = to->fn > from->fn;
    if (closing && record->restitution.impulse[PC_N] > 0) record->out->flags |= PC_FLAG_RECOMPRESSION;
    const double dp[2] = {mirror * (to->pt - from->pt), to->pn - from->pn};
    pc_recorder_add(record, closing, dp, to->work_n - from->work_n);
}

/* Enter one segment in the record, and its turning points in `after`, as linear_watch does. A segment of no duration
 * leaves no trace. */
static pc_status enter_segment(const linear *before, linear *after, const units_si *scale, pc_recorder *record)
{
    double sign = before->sign;
    if (!(after->t > before->t)) return PC_OK;
    pc_phase_kind kind = sign != 0 ? PC_PHASE_SLIP : PC_PHASE_STICK;
    int way = (int)(sign * scale->mirror);
    if (!pc_recorder_goes_on(record, kind, way)) {
        pc_state start = state_of(before, sign, scale);
        pc_status status = pc_recorder_open_phase(record, kind, way, &start);
        if (status) return status;
    }
    pc_phase *phase = &record->out->phases[record->out->n_phases - 1];
    if (after->code == PC_LINEAR_WEDGED) {
        pc_recorder_stay(record, PC_OUTCOME_WEDGED, &phase->start);
        return PC_OK;
    }
    phase->stop = state_of(after, sign, scale);

    if (1 - before->mu * sign * before->b < 0) record->out->flags |= PC_FLAG_JAM;
    pc_recorder_force(record, PC_T, fabs(after->ft), after->t);
    if (kind == PC_PHASE_SLIP) {
        double p = linear_slip_turn(before, after);
        if (!(p < INFINITY)) {
            enter_piece(before, after, scale->mirror, record);
            return PC_OK;
        }
        linear there = *before;
        linear_apply_impulse(&there, p);
        there.t += linear_slip_time(before, p, before->fn, before->w, there.fn);
        pc_recorder_force(record, PC_T, fabs(there.ft), there.t);
        linear_enter_top(after, before->w > 0, before->turn == 0, there.t, there.fn);
        enter_piece(before, &there, scale->mirror, record);
        enter_piece(&there, after, scale->mirror, record);
        return PC_OK;
    }
    linear_modes v = linear_find_modes(before);
    linear_find_paces(&v);
    linear from = *before;
    double dt = after->t - before->t, at = 0;
    bool first = before->turn == 0;
    while ((at = linear_stick_turn(before, &v, at, dt, after->w)) < dt) {
        linear_change x = linear_follow(&v, at);
        linear there = *before;
        linear_apply_change(&there, &v, &x);
        there.t += at;
        bool top = there.fn > from.fn;
        linear_enter_top(after, top, first, there.t, there.fn);
        first = first && !top;
        enter_piece(&from, &there, scale->mirror, record);
        from = there;
    }
    enter_piece(&from, after, scale->mirror, record);
    return watch_force(before, after, &v, record);
}

static pc_status unfinished(const linear *q, const units_si *scale, pc_error *err)
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

/* Fill `out`, which has v0 and energy0. */
static pc_status record_of(linear q, const units_si *scale, pc_impact *out, pc_error *err)
{
    pc_recorder record = {.out = out,
                          .d = 2,
                          .time = scale->time,
                          .force = scale->force,
                          .impulse = scale->impulse,
                          .work = scale->work,
                          .err = err};
    for (int n = 0; q.code == PC_LINEAR_RUNNING; n++) {
        if (n == PC_LINEAR_MAX_SEGMENTS) q.code = PC_LINEAR_LIMIT;
        if (n % 256 == 255 && pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, q.t * scale->time, "phases", "interrupted during an impact");
        if (q.code != PC_LINEAR_RUNNING) break;
        linear before = q;
        linear_advance(&q, q.sign != 0, (linear_wants){.times = true});
        if (q.code == PC_LINEAR_ENDLESS || q.code == PC_LINEAR_LIMIT) break;
        pc_status status = enter_segment(&before, &q, scale, &record);
        if (status) return status;
        if (q.code == PC_LINEAR_WEDGED) watch_lock(&before, scale, out);
    }
    if (q.code != PC_LINEAR_REBOUND && q.code != PC_LINEAR_WEDGED) return unfinished(&q, scale, err);

    record.compression_time = q.turn * scale->time;
    pc_recorder_force(&record, PC_N, q.peak, q.peak_time);
    pc_recorder_finish(&record);
    pc_recorder_judge(&record, ROUNDING, out->energy0, false);
    return PC_OK;
}

/* The state a time dt into a segment. */
static linear inside_segment(const linear *before, double dt)
{
    linear q = *before;
    if (before->sign == 0) {
        linear_modes v = linear_find_modes(before);
        linear_find_paces(&v);
        linear_change x = linear_follow(&v, dt);
        linear_apply_change(&q, &v, &x);
    } else {
        /* u_n'' = -L F_n; p from F_n and w by the sine and 1 - cosine of the segment, which tend to dt, dt^2/2 */
        double Lk = (1 - before->mu * before->sign * before->b) * before->k;
        double rate = sqrt(fabs(Lk)), z = rate * dt, s = dt, c = dt * dt / 2;
        if (Lk > 0) {
            s = sin(z) / rate;
            c = 2 * pow(sin(z / 2) / rate, 2);
        } else if (Lk < 0) {
            s = sinh(z) / rate;
            c = 2 * pow(sinh(z / 2) / rate, 2);
        }
        linear_apply_impulse(&q, before->fn * s + before->k * before->w * c);
    }
    q.t += dt;
    return q;
}

/* A time beyond the end gives the state at the end. */
static pc_status answer(linear q, const units_si *scale, pc_asked asked, pc_error *err)
{
    size_t i = 0;
    linear before = q;
    for (int segment = 0; i < asked.n && q.code == PC_LINEAR_RUNNING && segment < PC_LINEAR_MAX_SEGMENTS; segment++) {
        if (segment % 256 == 255 && pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, q.t * scale->time, "trace", "interrupted during a trace");
        before = q;
        linear_advance(&q, q.sign != 0, (linear_wants){.times = true});
        for (; i < asked.n && asked.times[i] < q.t * scale->time; i++) {
            linear now = inside_segment(&before, asked.times[i] / scale->time - before.t);
            asked.states[i] = state_of(&now, before.sign, scale);
        }
    }
    for (; i < asked.n; i++) asked.states[i] = state_of(&q, before.sign, scale);
    return PC_OK;
}

pc_status pc_linear_impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked, pc_impact *out,
                           pc_error *err)
{
    pc_mobility plane = *W;
    linear q;
    units_si scale = {0};
    pc_status status = pc_impact_begin(out, &plane, 2, v0, err);
    if (status || out->outcome == PC_OUTCOME_NONE) return status;
    status = start(params, &plane, v0, &q, &scale, err);
    if (status) return status;
    status = record_of(q, &scale, out, err);
    return status ? status : answer(q, &scale, asked, err);
}
