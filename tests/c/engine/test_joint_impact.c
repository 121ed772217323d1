/* Impacts of several contacts as one, and closed contacts as linear equations, without a run: by a provider of given
 * W. */
#include "provider_contract.h"

#include "engine/joint_impact.h"
#include "law/rigid/rigid.h"

extern const pc_law pc_law_newton, pc_law_poisson, pc_law_stronge;

static const int places[FROZEN] = {0, 1, 2, 3};

START_TEST(a_given_W_is_a_provider)
{
    pc_rng rng;
    pc_rng_seed(&rng, 7);
    for (int k = 0; k < 200; k++) {
        frozen f;
        random_frozen(&rng, 1 + (int)pc_rng_below(&rng, FROZEN), &f);
        const pc_mechanics mechanics = frozen_mechanics(&f);
        for (int i = 0; i < f.n; i++) provider_projects(&mechanics, i, k % 2);
        provider_keeps_its_word(&mechanics, f.n, places, &rng, f.v);
    }
}
END_TEST

static void meet(frozen *f, const pc_law *law, const pc_rigid *params, pc_block *block, pc_joint_impact *joint)
{
    ck_assert_int_eq(pc_joint_impact_reserve(joint, f->n, NULL), PC_OK);
    for (int i = 0; i < f->n; i++) {
        joint->place[i] = i;
        joint->contact[i] = (pc_striking){"contact", law, params, params->coulomb.friction, 1, 0};
    }
    const pc_mechanics mechanics = frozen_mechanics(f);
    pc_joint_impact_meet(joint, f->n, false, &mechanics, block);
}

/* v1 = v0 + W p, no contact approaches or pulls, and friction is within its cone. */
static void is_admissible(const frozen *f, const pc_joint_impact *joint, double mu)
{
    double size = 0;
    for (int i = 0; i < 2 * f->n; i++) size = fmax(size, fabs(joint->p[i]));
    for (int i = 0; i < 2 * f->n; i++) {
        double v = joint->v0[i];
        for (int j = 0; j < 2 * f->n; j++) v += f->W[i * 2 * f->n + j] * joint->p[j];
        ck_assert_double_eq_tol(joint->v1[i], v, 1e-11 * (1 + size));
    }
    for (int i = 0; i < f->n; i++) {
        ck_assert_double_ge(joint->v1[2 * i + PC_N], -1e-9 * (1 + size));
        ck_assert_double_ge(joint->p[2 * i + PC_N], -1e-9 * size);
        ck_assert_double_le(fabs(joint->p[2 * i + PC_T]), mu * joint->p[2 * i + PC_N] + 1e-9 * size);
    }
}

/* Twice the change of kinetic energy, by impulses that act on the mean of velocities. */
static double gain(const frozen *f, const pc_joint_impact *joint)
{
    double sum = 0;
    for (int i = 0; i < 2 * f->n; i++) sum += joint->p[i] * (joint->v0[i] + joint->v1[i]);
    return sum;
}

START_TEST(joint_rules_let_nothing_approach)
{
    const pc_law *laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    pc_rng rng;
    pc_rng_seed(&rng, 11);
    for (int k = 0; k < 600; k++) {
        frozen f;
        pc_block block;
        pc_joint_impact joint = {0};
        const double mu = k % 2 ? pc_rng_between(&rng, 0, 1) : 0;
        const pc_rigid params = {.restitution = {.value = pc_rng_between(&rng, 0, 1)}, .coulomb = {mu, mu}};
        random_frozen(&rng, 1 + (int)pc_rng_below(&rng, FROZEN), &f);
        ck_assert_int_eq(pc_block_open(&block, 2 * f.n, f.n, NULL), PC_OK);
        meet(&f, laws[k % 3], &params, &block, &joint);
        ck_assert_msg(pc_joint_impact_by_rules(&joint), "case %d", k);
        is_admissible(&f, &joint, params.coulomb.friction);
        if (k % 3 == 2 || params.coulomb.friction == 0) ck_assert_double_le(gain(&f, &joint), 1e-9);
        for (int i = 0; i < f.n && params.coulomb.friction == 0 && k % 3 == 0; i++) /* Newton's is about velocities */
            ck_assert_double_ge(joint.v1[2 * i + PC_N], -params.restitution.value * joint.v0[2 * i + PC_N] - 1e-9);
        pc_block_close(&block);
        pc_joint_impact_close(&joint);
    }
}
END_TEST

START_TEST(without_restitution_what_is_pressed_stops)
{
    pc_rng rng;
    pc_rng_seed(&rng, 12);
    for (int k = 0; k < 300; k++) {
        frozen f;
        pc_block block;
        pc_joint_impact joint = {0};
        const double mu = pc_rng_between(&rng, 0, 1);
        const pc_rigid params = {.restitution = {.value = 1}, .coulomb = {mu, mu}};
        random_frozen(&rng, 1 + (int)pc_rng_below(&rng, FROZEN), &f);
        ck_assert_int_eq(pc_block_open(&block, 2 * f.n, f.n, NULL), PC_OK);
        meet(&f, &pc_law_poisson, &params, &block, &joint);
        ck_assert_msg(pc_joint_impact_plastic(&joint), "case %d", k);
        is_admissible(&f, &joint, params.coulomb.friction);
        for (int i = 0; i < f.n; i++) ck_assert_double_eq_tol(joint.v1[2 * i + PC_N] * joint.p[2 * i + PC_N], 0, 1e-8);
        pc_block_close(&block);
        pc_joint_impact_close(&joint);
    }
}
END_TEST

/* One contact that slips in the direction s, pressed by a load: for w_nn - mu s w_tn > 0 a force answers the load and
 * no impulse is left as its time goes to zero; below that the slip jams, and an impulse stops it. */
START_TEST(slip_that_jams_is_stopped_by_an_impulse)
{
    for (int s = -1; s <= 1; s += 2)
        for (int k = 0; k < 40; k++) {
            const double mu = 0.05 + 0.1 * k, load[2] = {0, -1};
            frozen f = {.n = 1, .W = {4, s * 1.5, s * 1.5, 1}, .v = {s * 2, 0}};
            const pc_rigid params = {.restitution = {.value = 0}, .coulomb = {mu, mu}};
            pc_block block;
            pc_joint_impact joint = {0};
            pc_error err = {0};
            double slow;
            bool nothing;
            ck_assert_int_eq(pc_block_open(&block, 2, 1, NULL), PC_OK);
            meet(&f, &pc_law_poisson, &params, &block, &joint);
            const double mobility = pc_block_slip_mobility(&block, 0, s, mu);
            ck_assert_double_eq_tol(mobility, 1 - 1.5 * mu, 1e-15);
            ck_assert(pc_joint_impact_jam(&joint, &s, load, &slow, &nothing));
            ck_assert_int_eq(nothing, mobility > 0);
            if (!nothing) {
                ck_assert(pc_joint_impact_after_jam(&joint, &err));
                is_admissible(&f, &joint, mu);
                ck_assert_double_eq_tol(joint.v1[PC_T], 0, 1e-6);
            }
            pc_block_close(&block);
            pc_joint_impact_close(&joint);
        }
}
END_TEST

/* Forces that keep modes: nothing accelerates along a normal, or where a contact sticks, and slip has its friction. */
START_TEST(forces_keep_the_modes_of_closed_contacts)
{
    pc_rng rng;
    pc_rng_seed(&rng, 13);
    for (int k = 0; k < 300; k++) {
        frozen f;
        pc_block block;
        double force[FROZEN][2], size = 0;
        random_frozen(&rng, 1 + (int)pc_rng_below(&rng, FROZEN), &f);
        ck_assert_int_eq(pc_block_open(&block, 2 * f.n, f.n, NULL), PC_OK);
        pc_touch touch[FROZEN];
        const pc_mechanics mechanics = frozen_mechanics(&f);
        pc_block_build(&block, &mechanics, &(pc_contact_set){f.n, places, touch});
        pc_kept_modes *kept = &block.kept;
        kept->n = f.n;
        for (int i = 0; i < f.n; i++) {
            kept->mode[i] = (int)pc_rng_below(&rng, 3) - 1;
            kept->friction[i] = kept->static_friction[i] = pc_rng_between(&rng, 0, 0.2);
        }
        memcpy(block.b, f.v, sizeof f.v);
        pc_block_solve_modes(&block, true, false, force);
        for (int i = 0; i < f.n; i++) size = fmax(size, fmax(fabs(force[i][0]), fabs(force[i][1])));
        for (int i = 0; i < 2 * f.n; i++) {
            double a = f.v[i];
            for (int j = 0; j < 2 * f.n; j++) a += f.W[i * 2 * f.n + j] * force[j / 2][j % 2];
            if (i % 2 == PC_N || kept->mode[i / 2] == 0)
                ck_assert_double_eq_tol(a, 0, 1e-9 * (1 + size));
            else
                ck_assert_double_eq_tol(force[i / 2][PC_T],
                                        -kept->mode[i / 2] * kept->friction[i / 2] * force[i / 2][PC_N], 1e-12 * size);
        }
        pc_block_close(&block);
    }
}
END_TEST

UNIT_MAIN("joint_impact", 30, a_given_W_is_a_provider, joint_rules_let_nothing_approach,
          without_restitution_what_is_pressed_stops, slip_that_jams_is_stopped_by_an_impulse,
          forces_keep_the_modes_of_closed_contacts)
