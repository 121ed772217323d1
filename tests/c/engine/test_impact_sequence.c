/* Impacts one after another without a run: by a provider of given W, whose velocities the log changes. */
#include "provider_contract.h"

#include "engine/impact_sequence.h"
#include "law/rigid/rigid.h"

extern const pc_law pc_law_newton;

typedef struct told {
    frozen *f;
    int singles, joints, tied, accumulations;
    pc_rule rule;
    double ratio;
} told;

static void act(told *t, const int *places, int n, const pc_touch *touch, const double *p)
{
    double du[2 * FROZEN];
    frozen_jump(t->f, NULL, &(pc_contact_set){n, places, touch}, p, du);
    for (int i = 0; i < 2 * t->f->n; i++) t->f->v[i] += du[i];
}

static pc_status single(void *context, const pc_single_impact *single, int order, pc_error *err)
{
    told *t = context;
    (void)err;
    ck_assert_int_eq(order, t->singles + t->joints);
    t->singles++;
    t->tied += single->tied;
    act(t, &single->place, 1, &single->touch, single->impact.impulse);
    return PC_OK;
}

static pc_status joint(void *context, const pc_joint_impact *joint, pc_rule rule, int *order, pc_error *err)
{
    told *t = context;
    (void)err;
    ck_assert_int_eq(*order, t->singles + t->joints);
    t->joints++;
    ++*order;
    t->rule = rule;
    act(t, joint->place, joint->n, joint->touch, joint->p);
    return PC_OK;
}

static pc_status accumulation(void *context, int place, double ratio, double end, pc_error *err)
{
    told *t = context;
    (void)place, (void)err;
    t->accumulations++;
    t->ratio = ratio;
    ck_assert(end == 1.5); /* t + rest */
    return PC_OK;
}

static double speed(void *context, int place)
{
    const told *t = context;
    double most = 1;
    (void)place;
    for (int i = 0; i < 2 * t->f->n; i++) most = fmax(most, fabs(t->f->v[i]));
    return most;
}

static told strike(frozen *f, double e, double mu, pc_rule rule)
{
    told t = {.f = f};
    const pc_rigid params = {.restitution = {.value = e}, .coulomb = {mu, mu}};
    const pc_impact_log log = {&t, single, joint, accumulation, speed, NULL, NULL};
    const pc_mechanics mechanics = frozen_mechanics(f);
    pc_block block;
    pc_error err = {0};
    ck_assert_int_eq(pc_block_open(&block, 2 * f->n, f->n, &err), PC_OK);
    pc_impact_sequence sequence = {.mechanics = &mechanics,
                                   .block = &block,
                                   .log = &log,
                                   .rule = rule,
                                   .t = 1,
                                   .rtol = 1e-10,
                                   .rest = 0.5,
                                   .n = f->n};
    ck_assert_int_eq(pc_impact_sequence_reserve(&sequence, f->n, &err), PC_OK);
    for (int i = 0; i < f->n; i++) {
        sequence.place[i] = i;
        sequence.contact[i] = (pc_striking){"contact", &pc_law_newton, &params, mu, 1, 0};
    }
    pc_status status = pc_impact_sequence_strike(&sequence, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
    ck_assert_int_eq(sequence.order, t.singles + t.joints);
    pc_block_close(&block);
    pc_impact_sequence_close(&sequence);
    return t;
}

/* Three equal balls in a row without friction; entries of W along the normals. */
static frozen row_of_balls(double v1, double v2)
{
    frozen f = {.n = 2, .v = {0, v1, 0, v2}};
    f.W[0] = f.W[10] = 1; /* what turns and slides does not matter here */
    f.W[5] = f.W[15] = 2;
    f.W[7] = f.W[13] = -1;
    return f;
}

START_TEST(a_ball_sends_the_last_of_a_row_away)
{
    for (pc_rule rule = PC_RULE_TIED; rule <= PC_RULE_SEQUENTIAL; rule += 2) {
        frozen f = row_of_balls(-1, 0);
        const told t = strike(&f, 1, 0, rule);
        ck_assert_int_eq(t.singles, 2);
        ck_assert_int_eq(t.joints + t.tied + t.accumulations, 0);
        ck_assert_double_eq_tol(f.v[1], 0, 1e-15);
        ck_assert_double_eq_tol(f.v[3], 1, 1e-15);
    }
}
END_TEST

START_TEST(contacts_that_tie_are_one_impact_or_flagged)
{
    frozen f = row_of_balls(-1, -1);
    told t = strike(&f, 0.5, 0, PC_RULE_TIED);
    ck_assert_int_eq(t.joints, 1);
    ck_assert_int_eq(t.singles, 0);
    ck_assert_int_eq((int)t.rule, PC_RULE_TIED);
    ck_assert_double_eq_tol(f.v[1], 0.5, 1e-15);
    ck_assert_double_eq_tol(f.v[3], 0.5, 1e-15);
    f = row_of_balls(-1, -1);
    t = strike(&f, 0.5, 0, PC_RULE_SEQUENTIAL);
    ck_assert_int_eq(t.joints, 0);
    ck_assert_int_eq(t.tied, 1);
    f = row_of_balls(-1, 0);
    t = strike(&f, 0.5, 0, PC_RULE_SIMULTANEOUS);
    ck_assert_int_eq(t.joints, 1);
    ck_assert_int_eq((int)t.rule, PC_RULE_SIMULTANEOUS);
}
END_TEST

/* What does not couple is never one impact. */
START_TEST(contacts_apart_are_impacts_of_their_own)
{
    frozen f = row_of_balls(-1, -1);
    f.W[7] = f.W[13] = 0;
    const told t = strike(&f, 0.5, 0, PC_RULE_TIED);
    ck_assert_int_eq(t.joints, 0);
    ck_assert_int_eq(t.singles, 2);
    ck_assert_double_eq_tol(f.v[1], 0.5, 1e-15);
    ck_assert_double_eq_tol(f.v[3], 0.5, 1e-15);
}
END_TEST

/* A ball between walls that leave no play: each impact is e times as fast as the one before, without end. */
START_TEST(an_endless_sequence_is_completed)
{
    static const double e[] = {0, 0.3, 0.7, 1};
    for (int k = 0; k < 4; k++) {
        frozen f = {.n = 2, .v = {0, -1, 0, 1}};
        f.W[0] = f.W[10] = 1;
        f.W[5] = f.W[15] = 1;
        f.W[7] = f.W[13] = -1;
        const told t = strike(&f, e[k], 0, PC_RULE_TIED);
        ck_assert_int_eq(t.accumulations, e[k] > 0);
        ck_assert_double_eq_tol(f.v[1], 0, 1e-12);
        ck_assert_double_eq_tol(f.v[3], 0, 1e-12);
        if (e[k] > 0) ck_assert_double_eq_tol(t.ratio, e[k], 0.05);
        ck_assert_int_le(t.singles, 100000);
    }
}
END_TEST

START_TEST(in_the_end_nothing_approaches)
{
    pc_rng rng;
    pc_rng_seed(&rng, 21);
    for (int k = 0; k < 300; k++) {
        frozen f;
        random_frozen(&rng, 1 + (int)pc_rng_below(&rng, FROZEN), &f);
        strike(&f, pc_rng_between(&rng, 0, 0.9), pc_rng_between(&rng, 0, 0.5), (pc_rule)(k % 3));
        for (int i = 0; i < f.n; i++) ck_assert_double_ge(f.v[2 * i + PC_N], -1e-9 * speed(&(told){.f = &f}, 0));
    }
}
END_TEST

UNIT_MAIN("impact_sequence", 30, a_ball_sends_the_last_of_a_row_away, contacts_that_tie_are_one_impact_or_flagged,
          contacts_apart_are_impacts_of_their_own, an_endless_sequence_is_completed, in_the_end_nothing_approaches)
