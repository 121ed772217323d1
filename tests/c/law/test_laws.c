/* What mechanics demands of every law: a row in laws.def is tested the moment it exists.
 *
 * Parameters are drawn from the sampling ranges of the rows, bodies and motions at random. Laws differ in how exact
 * they are, so bounds are those of the least exact: 1e-9 relative for laws that integrate (1e-12 a step, amplified
 * near thresholds), 1e-4 for the ring solution with its default tolerance. */
#include "engine/collide.h"
#include "unit.h"

#include "base/alloc.h"
#include "law/law.h"
#include "rng.h"

#include <math.h>
#include <string.h>

/* Seeds follow the name of the law; several are tried, and many more by long_laws.c. */
#ifndef SEEDS
#define SEEDS 4
#endif
enum { TRIALS = 10 };

typedef union any_params {
    double align;
    unsigned char bytes[1024];
} any_params;

typedef struct trial {
    const pc_law *law;
    any_params params;
    double values[64]; /* of the rows that are given */
    bool mindlin;      /* the tangential element is chosen, and it is that one */
    bool dashpot;      /* or that one */
    uint64_t given;
    pc_mobility W;
    double v0[3];
} trial;

static bool can_draw(const pc_row *row)
{
    return row->kind == PC_REAL && row->sample.hi > row->sample.lo;
}

/* Log-uniform where the range spans decades. */
static double draw(pc_rng *rng, const pc_row *row)
{
    double lo = row->sample.lo, hi = row->sample.hi;
    if (lo > 0 && hi / lo > 100) return exp(pc_rng_between(rng, log(lo), log(hi)));
    return pc_rng_between(rng, lo, hi);
}

/* Every row that has to be given and can be drawn; one of each group. */
static void choose(pc_rng *rng, trial *t)
{
    const pc_schema *schema = t->law->schema;
    bool done[9] = {false};
    t->given = 0;
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        if (!can_draw(row) || (row->group && done[row->group])) continue;
        t->values[i] = draw(rng, row);
        t->given |= UINT64_C(1) << i;
        if (row->group) done[row->group] = true;
    }
    int ratio = pc_schema_find(schema, "stiffness_ratio"), damping = pc_schema_find(schema, "tangential_damping");
    double which = damping >= 0 ? pc_rng_uniform(rng) : 1;
    t->mindlin = which < 0.4;
    t->dashpot = !t->mindlin && which < 0.7;
    if (t->dashpot) {
        t->values[damping] = exp(pc_rng_between(rng, log(0.1), log(1e4)));
        t->given |= UINT64_C(1) << damping;
    }
    if (!t->mindlin) return;
    t->values[ratio] = pc_rng_between(rng, 0.5, 3);
    t->given |= UINT64_C(1) << ratio;
}

static pc_status finish(trial *t, const double *values, pc_error *err)
{
    const pc_schema *schema = t->law->schema;
    uint64_t given = 0;
    ck_assert_msg(schema->size <= sizeof t->params, "%s", schema->name);
    pc_schema_defaults(schema, &t->params);
    for (int i = 0; i < schema->n_rows; i++) {
        if (!(t->given >> i & 1)) continue;
        pc_status status = pc_schema_set_number(schema, i, &t->params, values[i], &given, err);
        if (status) return status;
    }
    if (t->mindlin || t->dashpot) {
        int row = pc_schema_find(schema, "tangential");
        pc_status status = pc_schema_set_word(schema, row, &t->params, t->mindlin ? "mindlin" : "dashpot", &given, err);
        if (status) return status;
    }
    return pc_schema_finish(schema, &t->params, given, err);
}

/* A trial that the law accepts: cross-checks may refuse a draw, and some laws want w_tn = 0. */
static void random_trial(pc_rng *rng, const pc_law *law, trial *t)
{
    pc_error err = {0};
    for (int attempt = 0; attempt < 100; attempt++) {
        t->law = law;
        choose(rng, t);
        if (finish(t, t->values, &err)) continue;
        double w = exp(pc_rng_between(rng, -2, 4)), a = pc_rng_between(rng, 0.3, 4), c = pc_rng_between(rng, -0.9, 0.9);
        t->W = (pc_mobility){.tt = a * w, .tn = c * w * sqrt(a), .nn = w, .rank = 2};
        t->v0[PC_T] = pc_rng_between(rng, -4, 4);
        t->v0[PC_N] = -pc_rng_between(rng, 0.05, 4);
        t->v0[PC_T2] = 0;
        pc_impact hit;
        pc_impact_init(&hit);
        pc_status status = pc_law_impact(law, &t->params, &t->W, t->v0, &hit, &err);
        pc_impact_free(&hit);
        if (status == PC_E_UNSUPPORTED) {
            t->W.tn = 0;
            pc_impact_init(&hit);
            status = pc_law_impact(law, &t->params, &t->W, t->v0, &hit, &err);
            pc_impact_free(&hit);
        }
        ck_assert_msg(status == PC_OK || status == PC_E_ARGUMENT, "%s: %s", law->schema->name, err.text);
        if (status == PC_OK) return;
    }
    ck_abort_msg("%s takes none of 100 draws: %s", law->schema->name, err.text);
}

static void strike(const trial *t, pc_impact *hit)
{
    pc_error err = {0};
    pc_impact_init(hit);
    pc_status status = pc_law_impact(t->law, &t->params, &t->W, t->v0, hit, &err);
    ck_assert_msg(status == PC_OK, "%s: %s", t->law->schema->name, err.text);
}

/* Run `check` on trials of every law; `test` tells the tests apart. */
static void each(int test, void (*check)(trial *t, pc_impact *hit))
{
    for (int i = 0; i < pc_n_laws; i++) {
        for (int k = 0; k < SEEDS * TRIALS; k++) {
            static pc_rng rng;
            static trial t;
            if (k % TRIALS == 0)
                pc_rng_seed(&rng, unit_seed(pc_laws[i]->schema->name, (uint64_t)(100 * (k / TRIALS) + test)));
            random_trial(&rng, pc_laws[i], &t);
            pc_impact hit;
            strike(&t, &hit);
            check(&t, &hit);
            pc_impact_free(&hit);
        }
    }
}

#define NAME(t) (t)->law->schema->name

static double speed_of(const trial *t)
{
    return hypot(t->v0[0], t->v0[1]);
}

static bool is_exact(const trial *t)
{
    return pc_schema_find(t->law->schema, "rings") < 0;
}

static void check_balance(trial *t, pc_impact *hit)
{
    double m = 1 / t->W.nn, v = speed_of(t);
    const double *p = hit->impulse, tt = t->W.tt * p[0], tn = t->W.tn * p[1], nt = t->W.tn * p[0], nn = t->W.nn * p[1];
    /* where W is nearly singular the sums cancel: their rounding */
    double fine_t = 1e-14 * (fabs(tt) + fabs(tn)), fine_n = 1e-14 * (fabs(nt) + fabs(nn));
    ck_assert_msg(fabs(hit->v1[0] - t->v0[0] - tt - tn) <= 1e-9 * v + fine_t, "%s: v_t", NAME(t));
    ck_assert_msg(fabs(hit->v1[1] - t->v0[1] - nt - nn) <= 1e-9 * v + fine_n, "%s: v_n", NAME(t));
    ck_assert_msg(p[1] >= 0 || hit->outcome == PC_OUTCOME_ADHERED, "%s: the obstacle pulls", NAME(t));
    ck_assert_msg(fabs(hit->impulse_compression[1] + hit->impulse_restitution[1] - p[1]) <= m * (1e-9 * v + fine_n),
                  "%s: impulses of compression and restitution", NAME(t));
    double change = pc_mobility_energy(&t->W, hit->v1) - pc_mobility_energy(&t->W, t->v0);
    /* an energy is known from velocities to their rounding over the least eigenvalue of W */
    double left = t->W.tt > 0 ? 1 - t->W.tn * t->W.tn / (t->W.tt * t->W.nn) : 1;
    double near = (1e-9 + (left > 1e-8 ? 1e-14 / left : 0)) * hit->energy0;
    ck_assert_msg(fabs(change - (hit->energy1 - hit->energy0)) <= near, "%s: energy", NAME(t));
    double works = hit->work_n + hit->work_t + hit->work_f;
    ck_assert_msg(fabs(change - works) <= near, "%s: works %.12g, change %.12g J", NAME(t), works, change);
}

START_TEST(impulse_and_energy_balance)
{
    each(1, check_balance);
}
END_TEST

static void check_gain(trial *t, pc_impact *hit)
{
    /* what an element without a potential creates, it says */
    bool created = t->mindlin && hit->work_t > 1e-9 * hit->energy0;
    bool told = hit->flags & PC_FLAG_TANGENTIAL_GAIN;
    ck_assert_msg(!created || told, "%s: the tangential element gave %.3g J of %.3g J", NAME(t), hit->work_t,
                  hit->energy0);
    ck_assert_msg(!told || t->mindlin || !strcmp(NAME(t), "contact.hertz_mindlin"), "%s", NAME(t));
    bool gains = hit->energy1 > hit->energy0 * (1 + 1e-9);
    bool flagged = hit->flags & PC_FLAG_GAINED_ENERGY;
    ck_assert_msg(!gains || flagged, "%s: energy grew from %.12g to %.12g J and no flag says so", NAME(t), hit->energy0,
                  hit->energy1);
    ck_assert_msg(!flagged || t->law->abilities & PC_LAW_MAY_GAIN, "%s gains energy and does not say that it may",
                  NAME(t));
}

START_TEST(energy_is_not_created_unless_the_law_says_so_and_the_impact_is_flagged)
{
    each(2, check_gain);
}
END_TEST

static void check_friction(trial *t, pc_impact *hit)
{
    ck_assert_msg(hit->work_f <= 1e-9 * hit->energy0 || (t->law->abilities & PC_LAW_MAY_GAIN && !t->law->element),
                  "%s: friction does %.3g J of work in an impact of %.3g J", NAME(t), hit->work_f, hit->energy0);
    int row = pc_schema_find(t->law->schema, "friction"), more = pc_schema_find(t->law->schema, "static_friction");
    if (row < 0 || t->law->abilities & PC_LAW_ADHESIVE) return;
    double mu = pc_row_number(&t->law->schema->rows[row], &t->params);
    if (more >= 0) mu = fmax(mu, pc_row_number(&t->law->schema->rows[more], &t->params));
    ck_assert_msg(fabs(hit->impulse[0]) <= mu * hit->impulse[1] * (1 + 1e-9), "%s: |p_t|/p_n = %.12g, mu = %.12g",
                  NAME(t), fabs(hit->impulse[0]) / hit->impulse[1], mu);
}

START_TEST(friction_takes_energy_and_keeps_within_its_cone)
{
    each(3, check_friction);
}
END_TEST

static void check_conservative(trial *t, pc_impact *hit)
{
    if (!(t->law->abilities & PC_LAW_CONSERVATIVE)) return;
    int row = pc_schema_find(t->law->schema, "restitution");
    if (row >= 0 && pc_row_number(&t->law->schema->rows[row], &t->params) != 1) return;
    double left = (hit->work_n + hit->work_t) / hit->energy0, bound = is_exact(t) ? 1e-11 : 1e-4;
    ck_assert_msg(fabs(left) <= bound, "%s: %.2e of the energy is neither returned nor taken by friction", NAME(t),
                  left);
}

START_TEST(conservative_laws_lose_exactly_the_work_of_friction)
{
    each(4, check_conservative);
}
END_TEST

static void check_mirror(trial *t, pc_impact *hit)
{
    trial mirrored = *t;
    mirrored.W.tn = -t->W.tn;
    mirrored.v0[0] = -t->v0[0];
    int row = pc_schema_find(t->law->schema, "impulse_ratio");
    if (row >= 0) return; /* a law whose parameter has the sign of the tangent */
    pc_impact other;
    strike(&mirrored, &other);
    ck_assert_msg(other.v1[0] == -hit->v1[0] && other.v1[1] == hit->v1[1] && other.impulse[1] == hit->impulse[1] &&
                      other.n_phases == hit->n_phases && other.work_f == hit->work_f,
                  "%s: v_t %.17g and %.17g", NAME(t), hit->v1[0], other.v1[0]);
    pc_impact_free(&other);
}

START_TEST(mirror_images_are_equal_to_the_last_bit)
{
    each(5, check_mirror);
}
END_TEST

/* Jams drive the bodies together up to a thousand times as fast as they approached. */
static void check_fast_slip(pc_rng *rng, trial *t, int friction)
{
    pc_error err = {0};
    t->values[friction] = pc_rng_between(rng, 1, 3);
    t->given |= UINT64_C(1) << friction;
    if (finish(t, t->values, &err)) return;
    double way = t->v0[PC_T] < 0 ? -1 : 1;
    t->v0[PC_T] = way * -t->v0[PC_N] * exp(pc_rng_between(rng, log(1e3), log(1e5)));
    pc_impact hit;
    pc_impact_init(&hit);
    pc_status status = pc_law_impact(t->law, &t->params, &t->W, t->v0, &hit, &err);
    /* rules for the impulse ratio may have no solution */
    ck_assert_msg(status == PC_OK || status == PC_E_UNSUPPORTED,
                  "%s, W = {%.17g, %.17g, %.17g}, v = {%.17g, %.17g}, mindlin %d: %s", NAME(t), t->W.tt, t->W.tn,
                  t->W.nn, t->v0[0], t->v0[1], t->mindlin, err.text);
    if (status == PC_OK && hit.outcome == PC_OUTCOME_REBOUND) check_balance(t, &hit);
    pc_impact_free(&hit);
}

START_TEST(fast_slip_with_much_friction_is_computed)
{
    for (int i = 0; i < pc_n_laws; i++) {
        int row = pc_schema_find(pc_laws[i]->schema, "friction");
        if (row < 0) continue;
        pc_rng rng;
        pc_rng_seed(&rng, unit_seed(pc_laws[i]->schema->name, 12));
        for (int k = 0; k < 5 * SEEDS; k++) {
            static trial t;
            random_trial(&rng, pc_laws[i], &t);
            check_fast_slip(&rng, &t, row);
        }
    }
}
END_TEST

START_TEST(fast_slip_with_a_nearly_singular_mobility_is_computed)
{
    /* Impulses grow to 1e5 times what changes the velocities, of which the rest is rounding. */
    for (int i = 0; i < pc_n_laws; i++) {
        int row = pc_schema_find(pc_laws[i]->schema, "friction");
        if (row < 0) continue;
        pc_rng rng;
        pc_rng_seed(&rng, unit_seed(pc_laws[i]->schema->name, 13));
        for (int k = 0; k < 40; k++) {
            static trial t;
            random_trial(&rng, pc_laws[i], &t);
            /* rings follow their history, at 1e-4; what a dashpot holds may creep for as good as ever */
            if (!is_exact(&t) || t.dashpot || t.W.tn == 0) continue;
            double left = exp(pc_rng_between(&rng, log(1e-7), log(1e-2)));
            t.W.tn = copysign(sqrt((1 - left) * t.W.tt * t.W.nn), t.W.tn);
            check_fast_slip(&rng, &t, row);
        }
    }
}
END_TEST

/* Impacts that become stiff: a stuck Mindlin spring moves the bodies slowly along the one direction in which they are
 * heavy, and the damper holds them in the other. Values: u, q, v_t and w followed in quadruple precision by Radau IIA
 * of six stages, each step beside two halves of it to 1e-18; modes change where a guard is zero to 1e-30. Given are
 * v1, impulse, work of friction, and when slip ends and begins again. */
static const struct stiff_impact {
    const char *law;
    double W[3], v0[2];
    struct {
        const char *name;
        double value;
    } rows[5];
    double v1[2], impulse[2], work_f, changes[2];
} stiff_impacts[] = {
    {"contact.lankarani_nikravesh",
     {0.1, -0.13038, 0.17},
     {-6000, -2.5},
     {{"stiffness", 1e8}, {"restitution", 0.7}, {"friction", 1.8}, {"stiffness_ratio", 1.7}},
     {4895.514072864846, 6.535947712418301},
     {1755793386.936121, 1346590298.968701},
     -7538761.461624765,
     {3.085595111480764e-3, 0.1000329802292314}},
    {"contact.hunt_crossley", /* exponents that series follow, and one that they do not */
     {1, 0.99999, 1},
     {8000, -1},
     {{"stiffness", 2e8}, {"damping", 0.4}, {"friction", 2}, {"stiffness_ratio", 1.9}, {"exponent", 2}},
     {-5902.061660632522, 2.5},
     {-695281557.6894146, 695274608.3738377},
     -485514.2810421916,
     {3.090065120909175e-3, 4.399269357655325e-2}},
    {"contact.hunt_crossley",
     {2, 1.4142, 1},
     {20000, -2},
     {{"stiffness", 1e7}, {"damping", 0.3}, {"friction", 1.5}, {"stiffness_ratio", 1.2}, {"exponent", 1.7}},
     {-15457.01141029810, 3.333333333333333},
     {-924519129.5698150, 1307454958.370966},
     -2116792.484140280,
     {3.600553705095942e-3, 7.492290951742822e-2}},
    {"contact.hunt_crossley",
     {3, 1.7320505, 1},
     {4000, -1},
     {{"stiffness", 1e7}, {"damping", 0.2}, {"friction", 2.5}, {"stiffness_ratio", 1.6}, {"exponent", 1.5}},
     {-3055.003508569015, 5},
     {-6631374038.587005, 11485874725.22164},
     -85554.85829295928,
     {2.244006406612064e-3, 0.4803615846307090}},
};

static const pc_law *law_of(const char *name)
{
    for (int i = 0; i < pc_n_laws; i++)
        if (!strcmp(pc_laws[i]->schema->name, name)) return pc_laws[i];
    ck_abort_msg("no law %s", name);
}

static void check_stiff(const struct stiff_impact *c)
{
    static trial t;
    pc_error err = {0};
    t = (trial){.law = law_of(c->law), .mindlin = true, .v0 = {c->v0[0], c->v0[1], 0}};
    t.W = (pc_mobility){.tt = c->W[0], .tn = c->W[1], .nn = c->W[2], .rank = 2};
    for (int i = 0; i < 5 && c->rows[i].name; i++) {
        int row = pc_schema_find(t.law->schema, c->rows[i].name);
        t.values[row] = c->rows[i].value;
        t.given |= UINT64_C(1) << row;
    }
    ck_assert_msg(finish(&t, t.values, &err) == PC_OK, "%s", err.text);
    pc_impact hit;
    strike(&t, &hit);
    /* rounding of W grows by the inverse of its relative determinant, which is 4e-7 in the worst of these */
    const double near = 1e-8, speed = fabs(c->v0[0]);
    ck_assert_int_eq(hit.outcome, PC_OUTCOME_REBOUND);
    ck_assert_int_eq(hit.n_phases, 3);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(hit.v1[i], c->v1[i], near * speed);
        ck_assert_double_eq_tol(hit.impulse[i] / c->impulse[i], 1, near);
        ck_assert_double_eq_tol(hit.phases[i].stop.t / c->changes[i], 1, near);
    }
    ck_assert_double_eq_tol(hit.work_f, c->work_f, near * hit.energy0);
    check_balance(&t, &hit);
    pc_impact_free(&hit);
}

START_TEST(impacts_that_become_stiff_agree_with_implicit_integration)
{
    for (size_t i = 0; i < sizeof stiff_impacts / sizeof *stiff_impacts; i++) check_stiff(&stiff_impacts[i]);
}
END_TEST

static void check_repeat(trial *t, pc_impact *hit)
{
    pc_impact again;
    strike(t, &again);
    ck_assert_msg(memcmp(again.v1, hit->v1, sizeof hit->v1) == 0 && again.work_f == hit->work_f &&
                      again.energy1 == hit->energy1,
                  "%s", NAME(t));
    pc_impact_free(&again);
}

START_TEST(the_same_impact_is_the_same_twice)
{
    each(6, check_repeat);
}
END_TEST

/* Another kilogram, metre and second. */
static const double KG = 3.7, M = 0.21, S = 11;

static double unit_of(const trial *t, const pc_row *row)
{
    double m = row->unit.m;
    if (row->unit.m_minus) {
        int power = pc_schema_find(t->law->schema, row->unit.m_minus);
        m -= pc_row_number(&t->law->schema->rows[power], &t->params);
    }
    return pow(KG, row->unit.kg) * pow(M, m) * pow(S, row->unit.s);
}

static void check_units(trial *t, pc_impact *hit)
{
    trial scaled = *t;
    double values[64], v = M / S;
    pc_error err = {0};
    for (int i = 0; i < t->law->schema->n_rows; i++)
        if (t->given >> i & 1) values[i] = t->values[i] * unit_of(t, &t->law->schema->rows[i]);
    ck_assert_msg(finish(&scaled, values, &err) == PC_OK, "%s: %s", NAME(t), err.text);
    scaled.W = (pc_mobility){.tt = t->W.tt / KG, .tn = t->W.tn / KG, .nn = t->W.nn / KG, .rank = t->W.rank};
    for (int i = 0; i < 2; i++) scaled.v0[i] = t->v0[i] * v;
    pc_impact other;
    strike(&scaled, &other);
    /* a ring joins at the end of a step, whose rounding decides which: where W couples the duration feels it as well */
    double share = is_exact(t) ? 1e-8 : 1e-6, bound = share * speed_of(t);
    for (int i = 0; i < 2; i++)
        ck_assert_msg(fabs(other.v1[i] / v - hit->v1[i]) <= bound, "%s: v %.15g and %.15g", NAME(t), hit->v1[i],
                      other.v1[i] / v);
    if (isfinite(hit->duration))
        ck_assert_msg(fabs(other.duration / S - hit->duration) <= share * hit->duration, "%s: duration", NAME(t));
    pc_impact_free(&other);
}

START_TEST(results_do_not_depend_on_units)
{
    each(8, check_units);
}
END_TEST

START_TEST(bodies_that_do_not_approach_have_no_impact)
{
    pc_rng rng;
    for (int i = 0; i < pc_n_laws; i++) {
        static trial t;
        pc_rng_seed(&rng, unit_seed(pc_laws[i]->schema->name, 9));
        random_trial(&rng, pc_laws[i], &t);
        t.v0[PC_N] = 0.3;
        pc_impact hit;
        strike(&t, &hit);
        ck_assert_msg(hit.outcome == PC_OUTCOME_NONE, "%s", NAME(&t));
        ck_assert_double_eq(hit.v1[PC_T], t.v0[PC_T]);
        pc_impact_free(&hit);
    }
}
END_TEST

static void check_memory(trial *t, pc_impact *hit)
{
    long live = pc_alloc_live();
    (void)hit;
    for (long n = 0;; n++) {
        pc_impact again;
        pc_error err = {0};
        pc_impact_init(&again);
        pc_alloc_fail_after(n);
        pc_status status = pc_law_impact(t->law, &t->params, &t->W, t->v0, &again, &err);
        bool failed = pc_alloc_fail_left() < 0;
        pc_alloc_fail_after(-1);
        pc_impact_free(&again);
        ck_assert_msg(pc_alloc_live() == live, "%s: %ld blocks leak", NAME(t), pc_alloc_live() - live);
        if (!failed) break;
        ck_assert_msg(status != PC_OK, "%s: request %ld failed and nobody says so", NAME(t), n);
        ck_assert_msg(!t->law->element || status == PC_E_MEMORY, "%s: request %ld failed and the status is %s", NAME(t),
                      n, pc_status_word(status));
    }
}

START_TEST(memory_that_runs_out_is_an_error_and_leaves_nothing_behind)
{
    each(11, check_memory);
}
END_TEST

static void check_trace(trial *t, pc_impact *hit)
{
    if (!(t->law->abilities & PC_LAW_COMPLIANT)) return;
    enum { N = 9 };
    double times[N];
    pc_state s[N];
    for (int i = 0; i < N; i++) times[i] = hit->duration * i / (N - 1);
    if (!isfinite(hit->duration)) return;
    pc_error err = {0};
    ck_assert_msg(pc_law_trace(t->law, &t->params, &t->W, hit, times, N, s, &err) == PC_OK, "%s: %s", NAME(t),
                  err.text);
    double v = speed_of(t);
    for (int k = 0; k < 2; k++) {
        ck_assert_msg(fabs(s[0].v[k] - t->v0[k]) <= 1e-12 * v, "%s: start", NAME(t));
        ck_assert_msg(fabs(s[N - 1].v[k] - hit->v1[k]) <= 1e-9 * v, "%s: end", NAME(t));
    }
    for (int i = 0; i < N; i++) {
        bool pulls = t->law->abilities & PC_LAW_ADHESIVE; /* which may have a neck */
        ck_assert_msg(pulls || s[i].u[PC_N] >= -1e-9 * fabs(t->v0[1]) * hit->duration, "%s: u_n < 0", NAME(t));
        ck_assert_msg(pulls || s[i].F[PC_N] >= -1e-6 * hit->peak[PC_N], "%s: F_n = %.3g of the peak", NAME(t),
                      s[i].F[PC_N] / hit->peak[PC_N]);
        if (!pulls) continue;
        pc_coulomb coulomb;
        t->law->friction(&t->params, &coulomb);
        ck_assert_msg(fabs(s[i].F[PC_T]) <= coulomb.friction * fmax(s[i].F[PC_N], 0) + 1e-9 * hit->peak[PC_N],
                      "%s: |F_t| = %.6g N beyond the cone of F_n = %.6g N", NAME(t), fabs(s[i].F[PC_T]), s[i].F[PC_N]);
    }
}

START_TEST(traces_lead_from_before_to_after)
{
    each(10, check_trace);
}
END_TEST

UNIT_MAIN("laws", 300 + 10 * SEEDS, impulse_and_energy_balance,
          energy_is_not_created_unless_the_law_says_so_and_the_impact_is_flagged,
          friction_takes_energy_and_keeps_within_its_cone, conservative_laws_lose_exactly_the_work_of_friction,
          fast_slip_with_much_friction_is_computed, fast_slip_with_a_nearly_singular_mobility_is_computed,
          impacts_that_become_stiff_agree_with_implicit_integration, mirror_images_are_equal_to_the_last_bit,
          the_same_impact_is_the_same_twice, results_do_not_depend_on_units, bodies_that_do_not_approach_have_no_impact,
          traces_lead_from_before_to_after, memory_that_runs_out_is_an_error_and_leaves_nothing_behind)
