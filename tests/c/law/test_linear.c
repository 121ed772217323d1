/* Properties of the linear law: balances, symmetries, limits, extremes; the batch against the single impact. */
#include "unit.h"

#include "linear_random.h"

#include "base/alloc.h"
#include "base/status.h"

static void impact(const random_case *c, pc_impact *hit)
{
    pc_error err = {0};
    pc_status status = pc_law_impact(&pc_law_linear, &c->law, &c->W, c->v0, hit, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

static double energy_scale(const random_case *c, const pc_impact *hit)
{
    return fmax(hit->energy0, (c->v0[PC_T] * c->v0[PC_T] + c->v0[PC_N] * c->v0[PC_N]) / (c->W.tt + c->W.nn));
}

START_TEST(works_and_impulses_balance_in_every_phase)
{
    pc_rng rng;
    pc_rng_seed(&rng, 11);
    for (int i = 0; i < 20000; i++) {
        random_case c = random_impact(&rng);
        pc_impact hit;
        impact(&c, &hit);
        ck_assert_int_gt(hit.n_phases, 0);
        double scale = energy_scale(&c, &hit), speed = hypot(c.v0[PC_T], c.v0[PC_N]);
        /* each phase rounds a few times at the size of the largest velocity and work so far */
        double bound = 1e-12 * (1 + 0.05 * hit.n_phases);
        for (int k = 0; k < hit.n_phases; k++) {
            const pc_phase *p = &hit.phases[k];
            const pc_state *s = &p->stop;
            bool last = k + 1 == hit.n_phases;
            /* v = v0 + W p */
            double vt = c.v0[PC_T] + c.W.tt * s->p[PC_T] + c.W.tn * s->p[PC_N];
            double vn = c.v0[PC_N] + c.W.tn * s->p[PC_T] + c.W.nn * s->p[PC_N];
            double reach = speed + c.W.tt * fabs(s->p[PC_T]) + fabs(c.W.tn) * (fabs(s->p[PC_T]) + s->p[PC_N]) +
                           c.W.nn * s->p[PC_N];
            ck_assert_msg(fabs(vt - s->v[PC_T]) <= bound * reach, "case %d: v_t %g", i, (vt - s->v[PC_T]) / reach);
            ck_assert_msg(fabs(vn - s->v[PC_N]) <= bound * reach, "case %d: v_n %g", i, (vn - s->v[PC_N]) / reach);
            /* the change of kinetic energy, p.(v0 + v)/2, is the sum of the works */
            double gain = (s->p[PC_T] * (c.v0[PC_T] + s->v[PC_T]) + s->p[PC_N] * (c.v0[PC_N] + s->v[PC_N])) / 2;
            double works = s->work_n + s->work_t + s->work_f;
            double moved = fmax(scale, reach * reach / (c.W.tt + c.W.nn));
            ck_assert_msg(fabs(gain - works) <= bound * moved, "case %d: energy %g", i, (gain - works) / moved);
            /* the laws of the two elements and of friction */
            ck_assert(s->F[PC_N] >= 0);
            ck_assert(fabs(s->F[PC_T]) <= c.law.mu * s->F[PC_N] * (1 + 1e-12) + 1e-12 * hit.peak[PC_N]);
            ck_assert_double_eq_tol(s->F[PC_T], -c.law.kt * s->u[PC_T], 1e-12 * hit.peak[PC_N] * (1 + c.law.mu));
            ck_assert(p->kind == PC_PHASE_STICK ? p->sign == 0 : abs(p->sign) == 1);
            if (p->kind == PC_PHASE_STICK) ck_assert(s->work_f == p->start.work_f);
            if (p->kind == PC_PHASE_SLIP) ck_assert(p->sign * p->start.s[0] >= -1e-12 * reach);
            ck_assert(s->work_f <= p->start.work_f + 1e-15 * moved);
            ck_assert(s->t > p->start.t);
            if (!last) {
                const pc_state *next = &hit.phases[k + 1].start;
                ck_assert(next->t == s->t && next->F[PC_N] == s->F[PC_N] && next->v[PC_T] == s->v[PC_T]);
                ck_assert(hit.phases[k + 1].kind != p->kind || hit.phases[k + 1].sign != p->sign);
            }
        }
        ck_assert(hit.energy1 <= hit.energy0 * (1 + 1e-12));
        if (hit.outcome == PC_OUTCOME_REBOUND) {
            ck_assert(hit.v1[PC_N] >= 0);
            double sum = hit.impulse_compression[PC_N] + hit.impulse_restitution[PC_N];
            ck_assert_double_eq_tol(sum, hit.impulse[PC_N], 1e-12 * hit.impulse[PC_N]);
            double work = hit.work_n_compression + hit.work_n_restitution;
            ck_assert_double_eq_tol(work, hit.work_n, 1e-12 * scale * (1 + hit.impulse[PC_N]));
        }
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(mirrored_impacts_are_equal_to_the_last_bit)
{
    pc_rng rng;
    pc_rng_seed(&rng, 12);
    for (int i = 0; i < 5000; i++) {
        random_case c = random_impact(&rng), m = c;
        m.v0[PC_T] = -c.v0[PC_T];
        m.W.tn = -c.W.tn;
        pc_impact a, b;
        impact(&c, &a);
        impact(&m, &b);
        ck_assert(a.v1[PC_T] == -b.v1[PC_T] && a.v1[PC_N] == b.v1[PC_N]);
        ck_assert(a.impulse[PC_T] == -b.impulse[PC_T] && a.duration == b.duration && a.work_f == b.work_f);
        ck_assert_int_eq(a.n_phases, b.n_phases);
        for (int k = 0; k < a.n_phases; k++) ck_assert_int_eq(a.phases[k].sign, -b.phases[k].sign);
        pc_impact_free(&a);
        pc_impact_free(&b);
    }
}
END_TEST

START_TEST(units_of_mass_length_and_time_do_not_matter)
{
    pc_rng rng;
    pc_rng_seed(&rng, 13);
    for (int i = 0; i < 5000; i++) {
        random_case c = random_impact(&rng), s = c;
        /* powers of two: nothing rounds differently */
        double mass = exp2(3), length = exp2(-5), time = exp2(7);
        s.W.tt /= mass;
        s.W.tn /= mass;
        s.W.nn /= mass;
        s.law.kn *= mass / (time * time);
        s.law.kt *= mass / (time * time);
        for (int k = 0; k < 3; k++) s.v0[k] *= length / time;
        pc_impact a, b;
        impact(&c, &a);
        impact(&s, &b);
        ck_assert_int_eq(a.n_phases, b.n_phases);
        ck_assert(b.v1[PC_T] == a.v1[PC_T] * length / time && b.v1[PC_N] == a.v1[PC_N] * length / time);
        ck_assert(b.impulse[PC_N] == a.impulse[PC_N] * mass * length / time);
        ck_assert(b.duration == a.duration * time);
        pc_impact_free(&a);
        pc_impact_free(&b);
    }
}
END_TEST

START_TEST(trace_meets_the_phases_and_keeps_the_balance)
{
    enum { N = 200 };
    static double times[N];
    static pc_state states[N];
    pc_rng rng;
    pc_rng_seed(&rng, 14);
    for (int i = 0; i < 2000; i++) {
        random_case c = random_impact(&rng);
        pc_impact hit;
        impact(&c, &hit);
        double unit = 1 / sqrt(c.law.kn * c.W.nn);
        double end = isinf(hit.duration) ? hit.arrest_time + 20 * unit : hit.duration;
        for (int k = 0; k < N; k++) times[k] = end * k / (N - 1);
        ck_assert(pc_law_trace(&pc_law_linear, &c.law, &c.W, &hit, times, N, states, NULL) == PC_OK);
        double scale = energy_scale(&c, &hit);
        for (int k = 0; k < N; k++) {
            const pc_state *s = &states[k];
            ck_assert_double_eq_tol(s->t, times[k], 1e-12 * end);
            double gain = (s->p[PC_T] * (c.v0[PC_T] + s->v[PC_T]) + s->p[PC_N] * (c.v0[PC_N] + s->v[PC_N])) / 2;
            double reach = c.W.tt * fabs(s->p[PC_T]) + c.W.nn * s->p[PC_N] + hypot(c.v0[PC_T], c.v0[PC_N]);
            double moved = fmax(scale, reach * reach / (c.W.tt + c.W.nn));
            ck_assert_msg(fabs(gain - (s->work_n + s->work_t + s->work_f)) <= 1e-11 * moved, "case %d state %d", i, k);
            ck_assert(s->F[PC_N] >= -1e-12 * hit.peak[PC_N]);
            ck_assert(fabs(s->F[PC_T]) <= c.law.mu * s->F[PC_N] + 1e-11 * hit.peak[PC_N] * (1 + c.law.mu));
        }
        /* at the start of a phase the trace gives that start */
        for (int p = 0; p < hit.n_phases; p++) {
            pc_state s;
            double t = hit.phases[p].start.t;
            ck_assert(pc_law_trace(&pc_law_linear, &c.law, &c.W, &hit, &t, 1, &s, NULL) == PC_OK);
            ck_assert_double_eq_tol(s.F[PC_N], hit.phases[p].start.F[PC_N], 1e-11 * hit.peak[PC_N]);
        }
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(peaks_and_reversals_are_those_of_a_fine_trace)
{
    enum { N = 4000 };
    static double times[N];
    static pc_state states[N];
    pc_rng rng;
    pc_rng_seed(&rng, 15);
    for (int i = 0; i < 300; i++) {
        random_case c = random_impact(&rng);
        pc_impact hit;
        impact(&c, &hit);
        if (isinf(hit.duration)) {
            pc_impact_free(&hit);
            continue;
        }
        for (int k = 0; k < N; k++) times[k] = hit.duration * k / (N - 1);
        ck_assert(pc_law_trace(&pc_law_linear, &c.law, &c.W, &hit, times, N, states, NULL) == PC_OK);
        double peak_n = 0, peak_t = 0;
        int reversals = 0;
        double sign = 0;
        for (int k = 0; k < N; k++) {
            peak_n = fmax(peak_n, states[k].F[PC_N]);
            peak_t = fmax(peak_t, fabs(states[k].F[PC_T]));
            if (fabs(states[k].F[PC_T]) < 1e-9 * hit.peak[PC_N]) continue;
            double now = copysign(1, states[k].F[PC_T]);
            reversals += sign != 0 && now != sign;
            sign = now;
        }
        /* a sample misses a smooth peak by (omega dt)^2/8 of it, a corner where stick turns into slip by omega dt, and
         * pairs of reversals closer than dt */
        double fast = sqrt((c.W.tt * c.law.kt + c.W.nn * c.law.kn / pow(c.law.restitution, 2)) * (1 + c.law.mu));
        double corner = fast * hit.duration / N, miss = corner * corner / 8 + 1e-12;
        ck_assert_double_le(peak_n, hit.peak[PC_N] * (1 + 1e-12));
        ck_assert_double_ge(peak_n, hit.peak[PC_N] * (1 - miss));
        ck_assert_double_le(peak_t, hit.peak[PC_T] * (1 + 1e-11));
        ck_assert_double_ge(peak_t, hit.peak[PC_T] - corner * hit.peak[PC_N] * (1 + c.law.mu));
        ck_assert_int_ge(hit.n_reversals, reversals);
        double last = hit.n_reversals > 0 ? hit.reversals[hit.n_reversals - 1] : 0;
        if (last < hit.duration * (1 - 2.0 / N)) ck_assert_int_eq((hit.n_reversals - reversals) % 2, 0);
        pc_impact_free(&hit);
    }
}
END_TEST

/* A map of n points from ten columns: W, its rank, v_t, v_n, kn, eta, mu, E. */
static pc_map_columns columns(size_t n, const void *in, pc_map_column rows[PC_LINEAR_ROWS])
{
    const double *from = in;
    const int places[] = {PC_LINEAR_KN, PC_LINEAR_ETA, PC_LINEAR_MU, PC_LINEAR_E};
    rows[PC_LINEAR_KT] = (pc_map_column){NULL, NAN}; /* eta tells it */
    for (size_t k = 0; k < 4; k++) rows[places[k]] = (pc_map_column){from + (6 + k) * n, 0};
    return (pc_map_columns){.n = n,
                            .w_tt = {from, 0},
                            .w_tn = {from + n, 0},
                            .w_nn = {from + 2 * n, 0},
                            .rank = {from + 3 * n, 0},
                            .v_t = {from + 4 * n, 0},
                            .v_n = {from + 5 * n, 0},
                            .rows = rows};
}

/* A vector and a park hold other impacts when the same ones come in another order. */
START_TEST(the_order_of_the_points_changes_no_bit)
{
    enum { N = 5003, OUT = PC_N_MAP_OUTPUTS, SEEDS = 3 };
    static double in[2][10][N], out[2][OUT][N];
    static size_t place[N];
    static const int widths[] = {1, 4, 8};
    for (int seed = 0; seed < SEEDS; seed++) {
        pc_rng rng;
        pc_rng_seed(&rng, (uint64_t)(170 + seed));
        for (size_t i = 0; i < N; i++) {
            random_case c = random_impact(&rng);
            double row[] = {c.W.tt,     c.W.tn,   c.W.nn,    c.W.rank, c.v0[PC_T],
                            c.v0[PC_N], c.law.kn, c.law.eta, c.law.mu, c.law.restitution};
            for (int k = 0; k < 10; k++) in[0][k][i] = row[k];
            size_t j = (size_t)(pc_rng_uniform(&rng) * (double)(i + 1)); /* Fisher and Yates's shuffle, inside out */
            place[i] = place[j];
            place[j] = i;
        }
        for (size_t i = 0; i < N; i++)
            for (int k = 0; k < 10; k++) in[1][k][i] = in[0][k][place[i]];
        for (int k = 0; k < 3; k++) {
            for (int order = 0; order < 2; order++) {
                pc_map_column rows[PC_LINEAR_ROWS];
                pc_map_columns map = columns(N, in[order], rows);
                for (int j = 0; j < OUT; j++) map.out[j] = out[order][j];
                size_t failed = 1;
                pc_error err = {0};
                pc_status status = pc_linear_map_width(&map, order ? widths[k] : 1, &failed, &err);
                if (status == PC_E_UNSUPPORTED) break; /* another processor */
                ck_assert_msg(status == PC_OK && failed == 0, "%s", err.text);
                for (size_t i = 0; order && i < N; i++)
                    for (int j = 0; j < OUT; j++)
                        ck_assert_msg(memcmp(&out[1][j][i], &out[0][j][place[i]], sizeof(double)) == 0,
                                      "width %d, point %zu, column %d", widths[k], i, j);
            }
        }
    }
}
END_TEST

START_TEST(all_widths_give_the_same_bits_and_those_of_single_impacts)
{
    enum { N = 100003, OUT = PC_N_MAP_OUTPUTS }; /* not a multiple of any width */
    static double in[10][N], out[3][OUT][N], alone[N];
    static random_case cases[N];
    pc_rng rng;
    pc_rng_seed(&rng, 16);
    for (int i = 0; i < N; i++) {
        random_case *c = &cases[i];
        *c = random_impact(&rng);
        double row[] = {c->W.tt,     c->W.tn,   c->W.nn,    c->W.rank, c->v0[PC_T],
                        c->v0[PC_N], c->law.kn, c->law.eta, c->law.mu, c->law.restitution};
        for (int k = 0; k < 10; k++) in[k][i] = row[k];
    }
    static const int widths[] = {1, 4, 8};
    for (int k = 0; k < 3; k++) {
        double(*o)[N] = out[k];
        pc_map_column rows[PC_LINEAR_ROWS];
        pc_map_columns map = columns(N, in, rows);
        for (int j = 0; j < OUT; j++) map.out[j] = o[j];
        size_t failed = 1;
        pc_error err = {0};
        pc_status status = pc_linear_map_width(&map, widths[k], &failed, &err);
        if (status == PC_E_UNSUPPORTED) continue; /* another processor */
        ck_assert_msg(status == PC_OK, "%s", err.text);
        ck_assert_int_eq((int)failed, 0);
        ck_assert_msg(memcmp(out[0], out[k], sizeof out[0]) == 0, "width %d differs from width 1", widths[k]);
        /* nor does a column depend on what else is wanted */
        for (int j = 0; j < OUT; j++) map.out[j] = NULL;
        map.out[PC_MAP_VT] = alone;
        ck_assert(!pc_linear_map_width(&map, widths[k], &failed, &err));
        ck_assert_msg(memcmp(out[0][0], alone, sizeof alone) == 0, "width %d, v_t alone differs", widths[k]);
    }
    for (int i = 0; i < 20000; i++) {
        pc_impact hit;
        impact(&cases[i], &hit);
        double(*o)[N] = out[0];
        ck_assert(hit.v1[PC_T] == o[PC_MAP_VT][i] && hit.v1[PC_N] == o[PC_MAP_VN][i]);
        ck_assert(hit.impulse[PC_T] == o[PC_MAP_PT][i] && hit.impulse[PC_N] == o[PC_MAP_PN][i]);
        ck_assert(hit.duration == o[PC_MAP_DURATION][i] && hit.compression_time == o[PC_MAP_COMPRESSION_TIME][i] &&
                  hit.peak[PC_N] == o[PC_MAP_PEAK_N][i]);
        ck_assert(hit.work_n == o[PC_MAP_WORK_N][i] && hit.work_f == o[PC_MAP_WORK_F][i]);
        double scale = energy_scale(&cases[i], &hit);
        ck_assert_double_eq_tol(hit.energy0 - hit.energy1, o[PC_MAP_LOSS][i], 1e-11 * scale * (1 + 0.1 * hit.n_phases));
        ck_assert_int_eq((int)hit.outcome, (int)o[PC_MAP_OUTCOME][i]);
        ck_assert_int_eq(hit.n_phases, (int)o[PC_MAP_PHASES][i]);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(a_batch_refuses_single_points_and_goes_on)
{
    double w_nn[] = {1, 0, 1, 1, 1}, w_tn[] = {0, 0, 5, 0, 0}, v_n[] = {-1, -1, -1, 1, -1},
           mu[] = {0.5, 0.5, 0.5, 0.5, -1};
    double after[5], outcome[5];
    const pc_linear law = {.kn = 1, .kt = 1, .eta = 1, .restitution = 1};
    pc_map_column rows[PC_LINEAR_ROWS];
    for (int k = 0; k < PC_LINEAR_ROWS; k++) rows[k] = (pc_map_column){NULL, pc_row_number(&pc_linear_rows[k], &law)};
    rows[PC_LINEAR_MU].values = mu;
    pc_map_columns map = {.n = 5,
                          .w_tt = {NULL, 3.5},
                          .w_tn = {w_tn, 0},
                          .w_nn = {w_nn, 0},
                          .v_t = {NULL, 1},
                          .v_n = {v_n, 0},
                          .rows = rows,
                          .out = {[PC_MAP_VN] = after, [PC_MAP_OUTCOME] = outcome}};
    size_t failed;
    ck_assert(pc_linear_map(&map, &failed, NULL) == PC_OK);
    ck_assert_int_eq((int)failed, 3);
    ck_assert(after[0] > 0 && outcome[0] == PC_OUTCOME_REBOUND);
    ck_assert(isnan(after[1]) && isnan(after[2]) && isnan(after[4]) && isnan(outcome[2]));
    ck_assert(after[3] == 1 && outcome[3] == PC_OUTCOME_NONE);
    pc_interrupt_flag = 1;
    ck_assert(pc_linear_map(&map, &failed, NULL) == PC_E_INTERRUPTED);
    pc_interrupt_flag = 0;
}
END_TEST

START_TEST(extremes_of_every_parameter_end_without_a_nan)
{
    pc_rng rng;
    pc_rng_seed(&rng, 17);
    int limits = 0;
    for (int i = 0; i < 3000; i++) {
        random_case c = random_impact(&rng);
        c.law.eta = decades(&rng, -8, 8);
        c.law.mu = pc_rng_uniform(&rng) < 0.2 ? 0 : decades(&rng, -12, 6);
        double kn = decades(&rng, -3, 12), speed = decades(&rng, -9, 4) / hypot(c.v0[PC_T], c.v0[PC_N]);
        c.law.kn = kn;
        c.law.kt = kn / c.law.eta;
        for (int k = 0; k < 3; k++) c.v0[k] *= speed;
        if (c.W.rank == 2 && pc_rng_uniform(&rng) < 0.5) /* nearly rank 1 */
            c.W.tn = copysign(sqrt(c.W.tt * c.W.nn * (1 - decades(&rng, -16, -6))), c.W.tn);
        if (c.W.rank == 2 && c.W.tt * c.W.nn - c.W.tn * c.W.tn < 4e-12 * pow(c.W.tt + c.W.nn, 2)) c.W.rank = 1;
        if (pc_rng_uniform(&rng) < 0.1 && c.W.rank == 2) c.v0[PC_T] = 0;
        pc_impact hit;
        pc_error err = {0};
        pc_status status = pc_law_impact(&pc_law_linear, &c.law, &c.W, c.v0, &hit, &err);
        if (status == PC_OK) {
            ck_assert(isfinite(hit.v1[PC_T]) && isfinite(hit.v1[PC_N]) && isfinite(hit.impulse[PC_T]) &&
                      isfinite(hit.impulse[PC_N]) && isfinite(hit.work_f) && isfinite(hit.work_n));
            ck_assert(!isnan(hit.duration) && isfinite(hit.compression_time) && isfinite(hit.peak[PC_N]));
            ck_assert_msg(hit.outcome == PC_OUTCOME_WEDGED || hit.v1[PC_N] >= 0, "case %d: v_n %g of %g", i,
                          hit.v1[PC_N], c.v0[PC_N]);
        } else {
            /* too many cycles, or a single link driven from outside its range: both say so */
            ck_assert_msg(status == PC_E_LIMIT || status == PC_E_NUMERIC, "case %d: %s", i, err.text);
            ck_assert(strstr(err.text, "eta") || strstr(err.text, "rank 1"));
            limits++;
        }
        pc_impact_free(&hit);
    }
    ck_assert_int_lt(limits, 300);
}
END_TEST

START_TEST(exact_thresholds_do_not_chatter)
{
    /* sphere: stick at v_t/v_n = mu eta, gross stick at eta = 3.5/n^2, slip that stops exactly at the end */
    for (int n = 1; n <= 40; n++) {
        double eta = 3.5 / (n * n);
        random_case c = {.law = {.kn = 1, .kt = 1 / eta, .eta = eta, .mu = 0.5, .restitution = 1},
                         .W = {.tt = 3.5, .nn = 1, .rank = 2},
                         .v0 = {0.5 * eta * 0.9, -1, 0}};
        pc_impact hit;
        impact(&c, &hit);
        ck_assert_int_eq(hit.n_phases, 1);
        ck_assert(hit.phases[0].kind == PC_PHASE_STICK && (hit.flags & PC_FLAG_GROSS_STICK));
        ck_assert_double_eq_tol(hit.duration, M_PI, 1e-12);
        pc_impact_free(&hit);
        c.v0[PC_T] = 0.5 * eta;
        impact(&c, &hit);
        /* with eta = w_tt/w_nn, n = 1, the slip speed stays 0: one phase, whatever it is called */
        ck_assert(hit.phases[0].kind == PC_PHASE_STICK || (n == 1 && hit.n_phases == 1));
        ck_assert_int_le(hit.n_phases, 2 * n + 3);
        pc_impact_free(&hit);
    }
    /* with rounding between eta and w_tt/w_nn too: gross stick and gross slip are one, and turn the sliding round */
    for (int n = -8; n <= 8; n++)
        for (int m = 1; m <= 20; m++) {
            double eta = 3.5 * (1 + n * 0x1p-53), mu = 0.1 * m;
            random_case c = {.law = {.kn = 1, .kt = 1 / eta, .eta = eta, .mu = mu, .restitution = 1},
                             .W = {.tt = 3.5, .nn = 1, .rank = 2},
                             .v0 = {mu * eta, -1, 0}};
            pc_impact hit;
            impact(&c, &hit);
            ck_assert_int_eq(hit.n_phases, 1);
            ck_assert_double_eq_tol(hit.v1[PC_T], -mu * eta, 1e-14 * (1 + mu));
            ck_assert_double_eq_tol(hit.v1[PC_N], 1, 1e-14);
            ck_assert_double_eq_tol(hit.duration, M_PI, 1e-12);
            pc_impact_free(&hit);
        }
    double end = 3.5 - 0.5 * 1.21; /* s = 0 exactly at F_n = 0: v_t = 2 mu w_tt/w_nn - mu eta */
    random_case c = {.law = {.kn = 1, .kt = 1 / 1.21, .eta = 1.21, .mu = 0.5, .restitution = 1},
                     .W = {.tt = 3.5, .nn = 1, .rank = 2},
                     .v0 = {end, -1, 0}};
    pc_impact hit;
    impact(&c, &hit);
    ck_assert_int_eq(hit.n_phases, 1);
    pc_impact_free(&hit);
    /* no tangential motion at all; no friction */
    c.v0[PC_T] = 0;
    impact(&c, &hit);
    ck_assert(hit.v1[PC_T] == 0 && hit.n_phases == 1 && hit.n_reversals == 0);
    ck_assert_double_eq_tol(hit.v1[PC_N], 1, 1e-14);
    pc_impact_free(&hit);
    c.v0[PC_T] = 1;
    c.law.mu = 0;
    impact(&c, &hit);
    ck_assert(hit.v1[PC_T] == 1 && hit.v1[PC_N] == 1 && hit.n_phases == 1 && hit.work_f == 0);
    pc_impact_free(&hit);
    /* without friction slip can only turn round */
    c.W.tn = 1;
    c.v0[PC_T] = -0.5;
    impact(&c, &hit);
    ck_assert_int_eq(hit.n_phases, 2);
    ck_assert(hit.phases[0].sign == -1 && hit.phases[1].sign == 1);
    ck_assert_double_eq_tol(hit.v1[PC_T], 1.5, 1e-15);
    pc_impact_free(&hit);
}
END_TEST

START_TEST(too_many_cycles_are_refused_with_the_reason)
{
    random_case c = {.law = {.kn = 1, .kt = 1e14, .eta = 1e-14, .mu = 0.5, .restitution = 1},
                     .W = {.tt = 3.5, .nn = 1, .rank = 2},
                     .v0 = {1, -1, 0}};
    pc_impact hit;
    pc_error err = {0};
    ck_assert(pc_law_impact(&pc_law_linear, &c.law, &c.W, c.v0, &hit, &err) == PC_E_LIMIT);
    ck_assert(strstr(err.text, "eta = 1e-14"));
    pc_impact_free(&hit);
    /* 1e-8 is computed */
    c.law.eta = 1e-8;
    c.law.kt = 1e8;
    impact(&c, &hit);
    ck_assert_int_gt(hit.n_phases, 100);
    pc_impact_free(&hit);
}
END_TEST

START_TEST(small_eta_tends_to_the_rigid_law_with_energetic_restitution_one)
{
    /* Sphere that slips at first and whose slip stops in compression: rigid, it keeps the normal rebound and ends with
     * v_t = 0. The compliant one keeps its last vibration: of period sqrt(eta), within a cone that has shrunk to F_n of
     * order sqrt(eta), its speed is of order eta. */
    double last = 0;
    for (double eta = 1e-2; eta > 1e-7; eta /= 100) {
        double worst = 0;
        for (int i = 0; i < 60; i++) {
            double r = 0.3 + 0.01 * i;
            random_case c = {.law = {.kn = 1, .kt = 1 / eta, .eta = eta, .mu = 0.5, .restitution = 1},
                             .W = {.tt = 3.5, .nn = 1, .rank = 2},
                             .v0 = {r, -1, 0}};
            pc_impact hit;
            impact(&c, &hit);
            worst = fmax(worst, fabs(hit.v1[PC_T]));
            ck_assert_double_eq_tol(hit.v1[PC_N], 1, 1e-12);
            pc_impact_free(&hit);
        }
        if (last > 0) ck_assert_double_eq_tol(log10(last / worst), 2, 0.15);
        last = worst;
    }
}
END_TEST

START_TEST(restitution_below_one_is_the_root_of_the_returned_energy)
{
    for (double e = 0.05; e <= 1; e += 0.05) {
        random_case c = {.law = {.kn = 1e6, .kt = 1e6, .eta = 1, .mu = 0.3, .restitution = e},
                         .W = {.tt = 3.5, .nn = 1, .rank = 2},
                         .v0 = {0.1, -2, 0}};
        pc_impact hit;
        impact(&c, &hit);
        pc_restitution3 r = pc_impact_restitution(&hit);
        ck_assert_double_eq_tol(r.kinematic, e, 1e-14);
        ck_assert_double_eq_tol(r.kinetic, e, 1e-14);
        ck_assert_double_eq_tol(r.energetic, e, 1e-14);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(what_cannot_be_solved_is_refused)
{
    pc_linear law = {.kn = 1, .kt = 1, .eta = 1, .mu = 0.5, .restitution = 1};
    pc_impact hit;
    pc_error err = {0};
    pc_mobility flat = {.tt = 1, .rank = 1}, indefinite = {.tt = 1, .tn = 2, .nn = 1, .rank = 2};
    double v0[3] = {0, -1, 0}, wild[3] = {NAN, -1, 0}, leaving[3] = {1, 0, 0};
    pc_mobility W = {.tt = 1, .nn = 1, .rank = 2};
    ck_assert(pc_law_impact(&pc_law_linear, &law, &flat, v0, &hit, &err) == PC_E_ARGUMENT);
    ck_assert(pc_law_impact(&pc_law_linear, &law, &indefinite, v0, &hit, &err) == PC_E_ARGUMENT);
    ck_assert(pc_law_impact(&pc_law_linear, &law, &W, wild, &hit, &err) == PC_E_ARGUMENT);
    ck_assert(pc_law_impact(&pc_law_linear, &law, &W, leaving, &hit, &err) == PC_OK && hit.outcome == PC_OUTCOME_NONE);
    /* rank 1 and a velocity that no impulse along its range can stop */
    pc_mobility link = {.tt = 1, .tn = 1, .nn = 1, .rank = 1};
    double across[3] = {5, -1, 0};
    law.mu = 3;
    law.eta = 10;
    law.kt = 0.1;
    pc_status status = pc_law_impact(&pc_law_linear, &law, &link, across, &hit, &err);
    ck_assert_int_eq(status, PC_E_NUMERIC);
    ck_assert(strstr(err.text, "outside its range"));
    /* every allocation may fail: there are more phases than the record holds inside */
    law = (pc_linear){.kn = 1, .kt = 1e4, .eta = 1e-4, .mu = 0.5, .restitution = 1};
    double fast[3] = {1, -1, 0};
    pc_mobility sphere = {.tt = 3.5, .nn = 1, .rank = 2};
    int failures = 0;
    for (long n = 0;; n++) {
        long live = pc_alloc_live();
        pc_alloc_fail_after(n);
        status = pc_law_impact(&pc_law_linear, &law, &sphere, fast, &hit, &err);
        pc_alloc_fail_after(-1);
        pc_impact_free(&hit);
        ck_assert_int_eq(pc_alloc_live(), live);
        if (status == PC_OK) break;
        ck_assert(status == PC_E_MEMORY);
        failures++;
    }
    ck_assert_int_gt(failures, 2);
}
END_TEST

UNIT_MAIN("linear law", 120, works_and_impulses_balance_in_every_phase, mirrored_impacts_are_equal_to_the_last_bit,
          units_of_mass_length_and_time_do_not_matter, trace_meets_the_phases_and_keeps_the_balance,
          peaks_and_reversals_are_those_of_a_fine_trace, all_widths_give_the_same_bits_and_those_of_single_impacts,
          the_order_of_the_points_changes_no_bit, a_batch_refuses_single_points_and_goes_on,
          extremes_of_every_parameter_end_without_a_nan, exact_thresholds_do_not_chatter,
          too_many_cycles_are_refused_with_the_reason, small_eta_tends_to_the_rigid_law_with_energetic_restitution_one,
          restitution_below_one_is_the_root_of_the_returned_energy, what_cannot_be_solved_is_refused)
