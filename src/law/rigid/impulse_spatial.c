/* The path through impulse space when it leaves the plane: see impulse_spatial.h. */
#include "law/rigid/impulse_spatial.h"

#include "law/rigid/impulse_swerve.h"
#include "math/mobility.h"

#include <float.h>
#include <math.h>

/* W_tt = l[0] u[0] u[0]^T + l[1] u[1] u[1]^T with l[0] >= l[1] >= 0, and w_tn = b[0] u[0] + b[1] u[1]. Since W is
 * positive semi-definite b vanishes where l does. */
typedef struct principal {
    double l[2], u[2][2], b[2];
} principal;

static principal principal_axes(const pc_mobility *W)
{
    double mean = (W->tt + W->t2t2) / 2, half = (W->tt - W->t2t2) / 2;
    double spread = hypot(half, W->tt2);
    double angle = atan2(W->tt2, half) / 2, c = cos(angle), s = sin(angle);
    if (W->tt2 == 0) { /* exact axes keep a planar problem planar */
        c = half >= 0;
        s = half < 0;
    }
    principal p = {.u = {{c, s}, {-s, c}}};
    p.l[0] = mean + spread;
    p.l[1] = p.l[0] > 0 ? fmax((W->tt * W->t2t2 - W->tt2 * W->tt2) / p.l[0], 0) : 0;
    for (int i = 0; i < 2; i++) p.b[i] = W->tn * p.u[i][0] + W->t2n * p.u[i][1];
    if (p.l[1] <= PC_RANK_TOLERANCE * p.l[0]) p.l[1] = p.b[1] = 0;
    return p;
}

/* c > 0 with |(mu W_tt + c)^-1 w_tn| = 1. The reciprocal of the norm is concave and increasing in c, so Newton's
 * method from the left converges without overshoot (Conn, Gould and Toint, Trust-Region Methods, 2000, section 7.3).
 */
static double slip_growth(const principal *p, double mu)
{
    double c = fmax(hypot(p->b[0], p->b[1]) - mu * p->l[0], 0);
    for (int i = 0; i < 100; i++) {
        double norm2 = 0, slope = 0;
        for (int k = 0; k < 2; k++) {
            if (p->b[k] == 0) continue;
            double d = mu * p->l[k] + c, z = p->b[k] / d;
            norm2 += z * z;
            slope += z * z / d;
        }
        double step = norm2 * (sqrt(norm2) - 1) / slope;
        c += step;
        if (fabs(step) <= 2 * DBL_EPSILON * c) break;
    }
    return c;
}

bool pc_impulse_rest(const pc_coulomb *coulomb, const pc_mobility *W, double ratio[2], double direction[2],
                     double *growth)
{
    principal p = principal_axes(W);
    double mu = coulomb->friction, z[2];
    for (int k = 0; k < 2; k++) z[k] = p.l[k] > 0 ? -p.b[k] / p.l[k] : 0;
    for (int i = 0; i < 2; i++) ratio[i] = z[0] * p.u[0][i] + z[1] * p.u[1][i];
    double limit = coulomb->static_friction;
    if (W->rank < 3) limit += limit * PC_RANK_TOLERANCE; /* as in the plane, where W has rank 1 */
    if (hypot(ratio[0], ratio[1]) <= limit) return true;
    double c = slip_growth(&p, mu);
    for (int k = 0; k < 2; k++) z[k] = p.b[k] != 0 ? p.b[k] / (mu * p.l[k] + c) : 0;
    double norm = hypot(z[0], z[1]);
    for (int i = 0; i < 2; i++) direction[i] = (z[0] * p.u[0][i] + z[1] * p.u[1][i]) / norm;
    *growth = c;
    return false;
}

/* ---- the path ---- */
/* Slip closer than this to an invariant direction is straight: the rounding of its rate of turning. */
#define STRAIGHT (8 * DBL_EPSILON)

/* What the end of slip may leave out, as a fraction of the speed before impact. */
#define LEFT_OUT (2 * DBL_EPSILON)

/* Where the rounding of velocities after an impulse is such a share of the speed before, nothing is known of them. */
#define UNKNOWN 0.1

/* Steps of a swerve. The direction settles within some forty units of 1/turn_by_phi and a step covers about half of
 * one, so this is out of reach unless a rate is zero to rounding. */
enum { STEPS_MAX = 2000 };

/* Everything that does not change along the way. */
typedef struct law {
    const pc_coulomb *coulomb;
    const pc_mobility *W;
    const pc_joint_rule *rule;
    double speed0; /* |v0| */
    double rate;   /* bound on the rates of speed and direction */
    bool may_jam;  /* friction can turn the approach round */
    bool singular; /* in stick nothing can move */
} law;

/* hypot without its care for overflow, which costs more than the rest of a step */
static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* W has no motion left when the tangential one is held. */
static bool is_singular(const pc_mobility *W)
{
    if (W->rank >= 3) return false;
    double trace = W->tt + W->t2t2;
    int held = trace > 0 ? (W->tt * W->t2t2 - W->tt2 * W->tt2 > PC_RANK_TOLERANCE * trace * trace ? 2 : 1) : 0;
    return W->rank <= held;
}

/* Slip that keeps its direction (c, s), with speed growing at `growth` per unit of p_n. */
static pc_line straight_slip(const pc_mobility *W, double mu, double c, double s, double growth)
{
    return (pc_line){.kind = PC_PHASE_SLIP,
                     .sign = sign_of(c),
                     .slope_p = {-mu * c, 1, -mu * s},
                     .slope_v = {growth * c, W->nn - mu * (W->tn * c + W->t2n * s), growth * s},
                     .stops = growth < 0};
}

static pc_line line_from_rest(const law *l)
{
    double ratio[2], direction[2], growth;
    if (!pc_impulse_rest(l->coulomb, l->W, ratio, direction, &growth))
        return straight_slip(l->W, l->coulomb->friction, direction[0], direction[1], growth);
    double slope = l->W->nn + l->W->tn * ratio[0] + l->W->t2n * ratio[1];
    return (pc_line){.kind = PC_PHASE_STICK,
                     .slope_p = {ratio[0], 1, ratio[1]},
                     .slope_v = {0, l->singular ? 0 : fmax(slope, 0), 0}};
}

/* To the values at a point of a step. `zero`: v_n is 0 there. */
static void advance_to(pc_walk *walk, const double q[PC_N_SWERVE], bool zero)
{
    double v_n = zero ? 0 : q[PC_SWERVE_VN];
    const double dp[3] = {q[PC_SWERVE_PT] - walk->p[PC_T], q[PC_SWERVE_PN] - walk->p[PC_N],
                          q[PC_SWERVE_PT2] - walk->p[PC_T2]};
    pc_walk_sum(walk->impact, walk->v[PC_N] < 0 || v_n < 0, dp, q[PC_SWERVE_WORK_N] - walk->work_n, 3);
    *walk = (pc_walk){.impact = walk->impact,
                      .p = {q[PC_SWERVE_PT], q[PC_SWERVE_PN], q[PC_SWERVE_PT2]},
                      .v = {q[PC_SWERVE_X], v_n, q[PC_SWERVE_Y]},
                      .work_n = q[PC_SWERVE_WORK_N],
                      .work_f = q[PC_SWERVE_WORK_F]};
}

/* Over [a, b] of a step, on which v_n is monotonic; the walk stands at a. True if the contact ends there. */
static bool pass(pc_walk *walk, const law *l, const pc_swerve *step, double a, double b)
{
    double at_b[PC_N_SWERVE], at_r[PC_N_SWERVE];
    pc_swerve_values(step, b, at_b);
    while (a < b) {
        double v_n = walk->v[PC_N], v_b = at_b[PC_SWERVE_VN];
        bool compression = v_n < 0 || (v_n == 0 && v_b < 0);
        /* up to r, where v_n passes through 0, or to b */
        bool turns = compression ? v_b >= 0 : v_b < 0;
        double r = b;
        if (turns) {
            r = pc_series_solve(step->c[PC_SWERVE_VN], a, v_n, b, v_b, 0);
            pc_swerve_values(step, r, at_r);
        }
        const double *there = turns ? at_r : at_b;
        if (compression) {
            if (v_b < v_n) walk->impact->flags |= PC_FLAG_JAM;
        } else {
            double lack = pc_rule_lack(l->rule, walk->impact, v_n);
            if (lack <= 0) return true;
            static const pc_swerve_quantity measure[] = {[PC_JOINT_NEWTON] = PC_SWERVE_VN,
                                                         [PC_JOINT_POISSON] = PC_SWERVE_PN,
                                                         [PC_JOINT_STRONGE] = PC_SWERVE_WORK_N};
            pc_swerve_quantity q = measure[l->rule->kind];
            double now = pc_rule_measure(l->rule, v_n, walk->p[PC_N], walk->work_n);
            if (there[q] - now >= lack) {
                pc_swerve_values(step, pc_series_solve(step->c[q], a, now, r, there[q], now + lack), at_r);
                advance_to(walk, at_r, false);
                return true;
            }
            if (turns) walk->impact->flags |= PC_FLAG_RECOMPRESSION;
        }
        advance_to(walk, there, turns);
        a = r;
    }
    return false;
}

/* The whole step, cut where v_n has an extremum. There may be one only if friction can turn the approach round (jam):
 * v_n' = sigma (w_nn - mu w_tn.s), which is monotonic in the direction of slip on either side of s parallel w_tn. */
static bool pass_step(pc_walk *walk, const law *l, const pc_swerve *step)
{
    const pc_mobility *W = l->W;
    double cut[5] = {0};
    int n = 1;
    if (l->may_jam) {
        double across[PC_SWERVE_ORDER + 1], rise[PC_SWERVE_ORDER + 1] = {0};
        for (int k = 0; k <= PC_SWERVE_ORDER; k++) {
            across[k] = W->tn * step->c[PC_SWERVE_Y][k] - W->t2n * step->c[PC_SWERVE_X][k];
            if (k < PC_SWERVE_ORDER) rise[k] = (k + 1) * step->c[PC_SWERVE_VN][k + 1];
        }
        double middle = pc_series_sign_change(across, 0, step->length);
        double piece[3] = {0, isnan(middle) ? step->length : middle, step->length};
        for (int i = 0; i < 2; i++) {
            double extremum = piece[i] < piece[i + 1] ? pc_series_sign_change(rise, piece[i], piece[i + 1]) : NAN;
            if (!isnan(extremum)) cut[n++] = extremum;
            if (i == 0 && !isnan(middle)) cut[n++] = middle;
        }
    }
    cut[n] = step->length;
    for (int i = 0; i < n; i++)
        if (pass(walk, l, step, cut[i], cut[i + 1])) return true;
    return false;
}

/* The rest of slip as one line, if it settles and no event lies on the way, or if it is straight to rounding; `bend`
 * is the work that the normal force does beyond that along the line, and friction less. False: not yet. */
static bool last_line(const pc_walk *walk, const law *l, const pc_swerve_rates *rates, double c, double s, double speed,
                      pc_line *line, double *bend)
{
    double mu = l->coulomb->friction, v_n = walk->v[PC_N];
    double delta = rates->turn / rates->turn_by_phi;
    double g1 = rates->turn_by_phi, f0 = rates->growth - rates->growth_by_phi * delta;
    if (!(g1 < 0 && f0 < 0)) return false;
    /* what a small angle does weighs the more, the slower direction and speed settle */
    bool straight = speed * fabs(delta) * (l->rate * l->rate / (g1 * f0)) <= LEFT_OUT * l->speed0;
    if (straight && !l->singular) {
        *line = straight_slip(l->W, mu, c, s, rates->growth);
        return true;
    }
    /* an event clearly ahead: no use to go to the end */
    double rise = l->W->nn - mu * (l->W->tn * c + l->W->t2n * s), ahead = -speed * rise / rates->growth;
    double lack = v_n < 0 ? 0 : pc_rule_lack(l->rule, walk->impact, v_n);
    if (!straight && v_n < 0 && v_n + 0.5 * ahead > 0) return false;
    pc_settling rest;
    if (!pc_settle(l->W, mu, c, s, speed, rates, &rest)) return false;
    double dv_n = rest.dv_n, dp = rest.dp_n;
    if (l->singular && fabs(v_n + dv_n) <= PC_COINCIDENCE * l->speed0) dv_n = -v_n;
    *bend = rest.bend;
    *line = (pc_line){.kind = PC_PHASE_SLIP,
                      .slope_p = {rest.dp_t / dp, 1, rest.dp_t2 / dp},
                      .slope_v = {-walk->v[PC_T] / dp, dv_n / dp, -walk->v[PC_T2] / dp},
                      .stops = true};
    if (straight) return true; /* events may lie on it */
    if (!rest.one_way) return false;
    if (v_n < 0) return v_n + dv_n <= 0;
    double work = dp * (v_n + dv_n / 2) + rest.bend;
    return v_n > 0 && v_n + dv_n >= 0 && pc_rule_measure(l->rule, dv_n, dp, work) < lack;
}

/* Slip from a moving start until it stops or the contact ends. */
static pc_status slide(pc_walk *walk, const law *l, pc_walk_reason *reason, pc_error *err)
{
    const pc_mobility *W = l->W;
    double mu = l->coulomb->friction;
    for (int i = 0; i < STEPS_MAX; i++) {
        double speed = length_of(walk->v[PC_T], walk->v[PC_T2]);
        double c = walk->v[PC_T] / speed, s = walk->v[PC_T2] / speed;
        pc_swerve_rates rates = pc_swerve_rate(W, mu, c, s);
        pc_line line;
        /* also where it has all but stopped: near a direction that repels, or attracts at no rate, it never settles */
        bool straight = fabs(rates.turn) <= STRAIGHT * l->rate || (rates.growth < 0 && speed <= LEFT_OUT * l->speed0);
        double bend = 0;
        if (straight) line = straight_slip(W, mu, c, s, rates.growth);
        if (straight || last_line(walk, l, &rates, c, s, speed, &line, &bend)) {
            pc_walk_sum(walk->impact, walk->v[PC_N] < 0, (const double[3]){0}, bend, 3);
            walk->work_n += bend;
            walk->work_f -= bend;
            *reason = pc_walk_line(walk, &line, l->singular, l->rule, 3);
            return PC_OK;
        }
        pc_swerve step;
        pc_swerve_expand(&step, W, mu, walk);
        if (pass_step(walk, l, &step)) {
            *reason = PC_WALK_ENDED;
            return PC_OK;
        }
    }
    return pc_fail(err, PC_E_NUMERIC, "the direction of slip does not settle within %d steps", STEPS_MAX);
}

static double rounding_of(const law *l, const pc_walk *walk)
{
    return pc_rounding((l->W->nn + l->rate) * walk->p[PC_N]);
}

/* Friction just at the limit between slip and stick lets slip go on without an end: a little below it the bodies part,
 * above it they stick, and at the limit itself there is no answer. */
static pc_status finish(const law *l, const pc_walk *walk, pc_impact *out, pc_error *err)
{
    if (rounding_of(l, walk) > UNKNOWN * l->speed0) return pc_walk_fail(out->v0[PC_N], err);
    pc_impulse_finish(l->W, out);
    return PC_OK;
}

pc_status pc_impulse_spatial(const pc_coulomb *coulomb, const pc_joint_rule *rule, const pc_mobility *W,
                             const double v0[3], pc_impact *out, pc_error *err)
{
    pc_walk walk = {.impact = out};
    for (int i = 0; i < 3; i++) walk.v[i] = out->v0[i] = out->v1[i] = v0[i];
    double speed = length_of(v0[PC_T], v0[PC_T2]), coupling = length_of(W->tn, W->t2n);
    law l = {.coulomb = coulomb,
             .W = W,
             .rule = rule,
             .speed0 = length_of(speed, v0[PC_N]),
             .rate = coupling + coulomb->friction * (W->tt + W->t2t2),
             .may_jam = coulomb->friction * coupling > W->nn,
             .singular = is_singular(W)};
    pc_line line;
    bool slips = speed > 0;
    if (slips)
        line = straight_slip(W, coulomb->friction, v0[PC_T] / speed, v0[PC_T2] / speed, 0);
    else
        line = line_from_rest(&l);
    if (v0[PC_N] > 0 || (v0[PC_N] == 0 && !(line.slope_v[PC_N] < 0))) {
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    if (slips) {
        pc_phase *phase = pc_walk_open(&walk, &line, err);
        if (!phase) return PC_E_MEMORY;
        pc_walk_reason reason = PC_WALK_NEVER;
        pc_status status = slide(&walk, &l, &reason, err);
        if (status) return status;
        if (reason == PC_WALK_NEVER) return pc_walk_fail(walk.v[PC_N], err);
        pc_walk_put(&walk, &phase->stop);
        if (reason == PC_WALK_ENDED) return finish(&l, &walk, out, err);
        /* where nothing can move but along the slip, a normal velocity without one is rounding */
        if (l.singular && fabs(walk.v[PC_N]) <= rounding_of(&l, &walk)) walk.v[PC_N] = 0;
        line = line_from_rest(&l);
    }
    pc_walk_reason reason;
    pc_status status = pc_walk_phase(&walk, &line, false, rule, 3, &reason, err);
    return status ? status : finish(&l, &walk, out, err);
}

/* ---- the path ---- */

static bool is_straight(const pc_phase *phase)
{
    const double *a = phase->start.s, *b = phase->stop.s;
    if (phase->kind == PC_PHASE_STICK || (a[0] == 0 && a[1] == 0)) return true;
    return a[0] * b[1] - a[1] * b[0] == 0 && !(b[0] == 0 && b[1] == 0);
}

/* The state on a straight phase at normal impulse p_n. */
static void between(const pc_phase *phase, double p_n, pc_state *out)
{
    const pc_state *a = &phase->start, *b = &phase->stop;
    double whole = b->p[PC_N] - a->p[PC_N];
    double x = whole > 0 ? (p_n - a->p[PC_N]) / whole : 1;
    *out = (pc_state){0};
    for (int i = 0; i < 3; i++) {
        out->p[i] = a->p[i] + x * (b->p[i] - a->p[i]);
        out->v[i] = a->v[i] + x * (b->v[i] - a->v[i]);
    }
    out->s[0] = out->v[PC_T];
    out->s[1] = out->v[PC_T2];
    double dp_n = out->p[PC_N] - a->p[PC_N], dp_t = out->p[PC_T] - a->p[PC_T], dp_t2 = out->p[PC_T2] - a->p[PC_T2];
    out->work_n = a->work_n + dp_n * (a->v[PC_N] + out->v[PC_N]) / 2;
    out->work_f = a->work_f + dp_t * (a->v[PC_T] + out->v[PC_T]) / 2 + dp_t2 * (a->v[PC_T2] + out->v[PC_T2]) / 2;
}

/* States of a swerving phase at p_n[0 .. n - 1], all within it. The last stretch before a stop is a straight line:
 * where the speed has fallen to this fraction it is too short to be told from one. */
#define LAST_STRETCH 1e-7
static void sample_swerve(const pc_coulomb *coulomb, const pc_mobility *W, const pc_phase *phase, const double *p_n,
                          size_t n, pc_state *out)
{
    const pc_state *start = &phase->start;
    double speed0 = hypot(start->s[0], start->s[1]);
    pc_phase rest = *phase;
    size_t done = 0;
    for (int i = 0; i < STEPS_MAX && done < n; i++) {
        pc_walk walk = {.work_n = rest.start.work_n, .work_f = rest.start.work_f};
        for (int k = 0; k < 3; k++) {
            walk.p[k] = rest.start.p[k];
            walk.v[k] = rest.start.v[k];
        }
        if (hypot(walk.v[PC_T], walk.v[PC_T2]) <= LAST_STRETCH * speed0) break;
        pc_impact unused;
        pc_impact_init(&unused);
        walk.impact = &unused;
        pc_swerve step;
        pc_swerve_expand(&step, W, coulomb->friction, &walk);
        double last = pc_swerve_value(&step, PC_SWERVE_PN, step.length);
        for (; done < n && p_n[done] <= last; done++) {
            double tau = pc_series_solve(step.c[PC_SWERVE_PN], 0, walk.p[PC_N], step.length, last, p_n[done]);
            pc_walk there = walk;
            double q[PC_N_SWERVE];
            pc_swerve_values(&step, tau, q);
            advance_to(&there, q, false);
            pc_walk_put(&there, &out[done]);
        }
        double q[PC_N_SWERVE];
        pc_swerve_values(&step, step.length, q);
        advance_to(&walk, q, false);
        pc_walk_put(&walk, &rest.start);
    }
    for (; done < n; done++) between(&rest, p_n[done], &out[done]);
}

void pc_impulse_path(const pc_coulomb *coulomb, const pc_mobility *W, const pc_impact *impact, const double *p_n,
                     size_t n, pc_state *out)
{
    size_t i = 0;
    for (int k = 0; k < impact->n_phases; k++) {
        const pc_phase *phase = &impact->phases[k];
        bool last = k == impact->n_phases - 1;
        size_t m = 0;
        while (i + m < n && (last || p_n[i + m] <= phase->stop.p[PC_N])) m++;
        if (!coulomb || is_straight(phase))
            for (size_t j = 0; j < m; j++) between(phase, p_n[i + j], &out[i + j]);
        else
            sample_swerve(coulomb, W, phase, p_n + i, m, out + i);
        i += m;
    }
}
