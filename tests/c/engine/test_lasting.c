/* Contacts that last without a run: their forces, whether they persist, which stay closed, and what projection takes,
 * by a provider of given W. */
#include "provider_contract.h"

#include "base/tolerance.h"

typedef struct closed {
    pc_mechanics mechanics;
    pc_contacts contacts;
    pc_block block;
} closed;

/* All contacts of a provider, at rest, with the friction mu. */
static void close_all(frozen *f, double mu, closed *c)
{
    *c = (closed){.mechanics = frozen_mechanics(f)};
    ck_assert_int_eq(pc_block_open(&c->block, 2 * f->n, f->n, NULL), PC_OK);
    ck_assert_int_eq(pc_contacts_reserve(&c->contacts, f->n, NULL), PC_OK);
    c->contacts.n = f->n;
    for (int i = 0; i < f->n; i++) {
        c->contacts.pair[i] = i;
        c->contacts.mode[i] = 0;
        f->pairing[i] = (pc_pairing){.name = "contact", .friction = mu, .static_friction = mu, .length = 1};
    }
}

static void open_all(closed *c)
{
    pc_contacts_close(&c->contacts);
    pc_block_close(&c->block);
}

/* A particle of mass 0.5 on an incline at the angle a, towards +t. */
static frozen incline(double a)
{
    return (frozen){.n = 1, .W = {2, 0, 0, 2}, .load = {9.81 * sin(a), -9.81 * cos(a)}};
}

START_TEST(a_particle_rests_on_an_incline_or_slides)
{
    const double mu = 0.4;
    for (int k = -12; k <= 12; k++) {
        const double angle = 0.1 * k, N = 0.5 * 9.81 * cos(angle);
        const int sign = angle > 0 ? 1 : -1;
        frozen f = incline(angle);
        closed c;
        double a[2];
        bool hold;
        close_all(&f, mu, &c);
        const bool rests = fabs(tan(angle)) < mu;
        ck_assert_int_eq(pc_contacts_persist(&c.contacts, NULL, &c.mechanics, &c.block, &hold), 0);
        ck_assert_int_eq(hold, rests);
        ck_assert_int_eq((int)pc_contacts_decide(&c.contacts, NULL, &c.mechanics, &c.block), PC_CONSISTENT);
        ck_assert_int_eq(c.contacts.n, 1);
        ck_assert_int_eq(c.contacts.mode[0], rests ? 0 : sign);
        ck_assert_double_eq_tol(c.contacts.press[0], 9.81 * cos(angle), 1e-14 * 9.81);
        ck_assert_int_eq(pc_contacts_accelerate(&c.contacts, NULL, &c.mechanics, &c.block, a), 0);
        ck_assert_double_eq_tol(c.contacts.force[0][PC_N], N, 1e-14 * N);
        ck_assert_double_eq_tol(c.contacts.force[0][PC_T], rests ? -0.5 * 9.81 * sin(angle) : -sign * mu * N, 1e-14);
        ck_assert_double_eq_tol(a[PC_N], 0, 1e-14);
        ck_assert_double_eq_tol(a[PC_T], rests ? 0 : f.load[PC_T] - sign * mu * 9.81 * cos(angle), 1e-14);
        open_all(&c);
    }
}
END_TEST

START_TEST(what_is_pulled_away_opens_and_what_nothing_presses_carries_nothing)
{
    /* two particles: one is pulled, the other pressed; then a lever between them that takes the load off the second */
    frozen f = {.n = 2, .load = {0, 1, 0, -1}};
    closed c;
    bool hold;
    for (int i = 0; i < 4; i++) f.W[5 * i] = 1;
    close_all(&f, 0.3, &c);
    ck_assert_int_eq(pc_contacts_persist(&c.contacts, NULL, &c.mechanics, &c.block, &hold), 0);
    ck_assert(!hold);
    ck_assert_int_eq((int)pc_contacts_decide(&c.contacts, NULL, &c.mechanics, &c.block), PC_CONSISTENT);
    ck_assert_int_eq(c.contacts.n, 1);
    ck_assert_int_eq(c.contacts.pair[0], 1);
    open_all(&c);
    f = (frozen){.n = 2, .load = {0, -1, 0, 0.25}};
    for (int i = 0; i < 4; i++) f.W[5 * i] = 1;
    f.W[4 * 1 + 3] = f.W[4 * 3 + 1] = -0.25; /* what presses on the first lifts the second: 0.25 - 0.25 = 0 */
    close_all(&f, 0, &c);
    ck_assert_int_eq((int)pc_contacts_decide(&c.contacts, NULL, &c.mechanics, &c.block), PC_CONSISTENT);
    ck_assert_int_eq(c.contacts.n, 1);
    ck_assert_int_eq(c.contacts.pair[0], 0);
    open_all(&c);
}
END_TEST

/* Slip in the direction s towards which a normal force presses: the cone lets go beyond mu = w_nn/(s w_tn). */
START_TEST(no_force_is_consistent_with_slip_that_jams)
{
    for (int s = -1; s <= 1; s += 2)
        for (int k = 0; k < 40; k++) {
            const double mu = 0.05 + 0.1 * k;
            frozen f = {.n = 1, .W = {4, s * 1.5, s * 1.5, 1}, .load = {0, -1}};
            closed c;
            double a[2];
            close_all(&f, mu, &c);
            c.contacts.mode[0] = s;
            const pc_verdict verdict = pc_contacts_decide(&c.contacts, NULL, &c.mechanics, &c.block);
            const double mobility = pc_contacts_slip_mobility(&c.contacts, &c.mechanics, &c.block, 0);
            ck_assert_double_eq_tol(mobility, 1 - 1.5 * mu, 1e-14);
            ck_assert_int_eq((int)verdict, mobility > 0 ? PC_CONSISTENT : PC_INCONSISTENT);
            if (verdict == PC_CONSISTENT) {
                ck_assert_int_eq(pc_contacts_accelerate(&c.contacts, NULL, &c.mechanics, &c.block, a), 0);
                ck_assert_double_eq_tol(c.contacts.force[0][PC_N], 1 / mobility, 1e-12 / mobility);
            }
            open_all(&c);
        }
}
END_TEST

/* Modes and forces that were decided on are a solution: nothing pulls or leaves its cone, what opens separates, what
 * begins to slip does so against its friction. W is that of as many freedoms as it has rows, and mu so small that
 * rubbing contacts hardly press each other. */
static int check_solution(frozen *f, double mu)
{
    closed c;
    double a[2 * FROZEN], size = 1;
    bool left[FROZEN], hold;
    close_all(f, mu, &c);
    for (int i = 0; i < f->n; i++) left[i] = true;
    if (pc_contacts_decide(&c.contacts, NULL, &c.mechanics, &c.block) != PC_CONSISTENT) {
        open_all(&c);
        return 0;
    }
    ck_assert_int_eq(pc_contacts_accelerate(&c.contacts, NULL, &c.mechanics, &c.block, a), 0);
    for (int i = 0; i < c.contacts.n; i++) size = fmax(size, fabs(c.contacts.force[i][PC_N]));
    for (int i = 0; i < c.contacts.n; i++) {
        const int pair = c.contacts.pair[i], mode = c.contacts.mode[i];
        const double *force = c.contacts.force[i], small = 1e-9 * size;
        left[pair] = false;
        ck_assert_double_gt(force[PC_N], 0);
        ck_assert_double_le(fabs(force[PC_T]), mu * force[PC_N] + small);
        ck_assert_double_eq_tol(a[2 * pair + PC_N], 0, small);
        if (mode == 0)
            ck_assert_double_eq_tol(a[2 * pair + PC_T], 0, small);
        else
            ck_assert_double_ge(mode * a[2 * pair + PC_T], -small);
    }
    for (int i = 0; i < f->n; i++)
        if (left[i]) ck_assert_double_ge(a[2 * i + PC_N], -1e-9 * size);
    ck_assert_int_eq(pc_contacts_persist(&c.contacts, NULL, &c.mechanics, &c.block, &hold), 0);
    open_all(&c);
    return 1;
}

START_TEST(what_is_decided_is_a_solution)
{
    pc_rng rng;
    int solved = 0;
    pc_rng_seed(&rng, 31);
    for (int k = 0; k < 500; k++) {
        frozen f;
        random_frozen(&rng, 1 + (int)pc_rng_below(&rng, FROZEN), &f);
        solved += check_solution(&f, pc_rng_between(&rng, 0, 0.3));
    }
    ck_assert_int_gt(solved, 450);
}
END_TEST

/* Modes and forces by places; 9: open. */
static void decide_all(frozen *f, int *modes, double (*forces)[2])
{
    closed c;
    double a[2 * FROZEN];
    close_all(f, 0.25, &c);
    for (int i = 0; i < f->n; i++) modes[i] = 9;
    if (pc_contacts_decide(&c.contacts, NULL, &c.mechanics, &c.block) == PC_CONSISTENT) {
        pc_contacts_accelerate(&c.contacts, NULL, &c.mechanics, &c.block, a);
        for (int i = 0; i < c.contacts.n; i++) {
            modes[c.contacts.pair[i]] = c.contacts.mode[i];
            memcpy(forces[c.contacts.pair[i]], c.contacts.force[i], sizeof *forces);
        }
    }
    open_all(&c);
}

START_TEST(mirrors_and_the_order_of_lists_change_nothing)
{
    pc_rng rng;
    pc_rng_seed(&rng, 32);
    for (int k = 0; k < 300; k++) {
        frozen f, g;
        int modes[FROZEN], other[FROZEN];
        double forces[FROZEN][2] = {{0}}, others[FROZEN][2] = {{0}};
        const int n = 1 + (int)pc_rng_below(&rng, FROZEN), sign = k % 2 ? -1 : 1, shift = (int)pc_rng_below(&rng, 4);
        random_frozen(&rng, n, &f);
        g = f;
        for (int i = 0; i < 2 * n; i++) { /* contact i of f is contact i + shift of g, in a mirror */
            const int to = 2 * ((i / 2 + shift) % n) + i % 2, turn = i % 2 == PC_T ? sign : 1;
            g.load[to] = turn * f.load[i];
            for (int j = 0; j < 2 * n; j++)
                g.W[to * 2 * n + 2 * ((j / 2 + shift) % n) + j % 2] =
                    turn * (j % 2 == PC_T ? sign : 1) * f.W[i * 2 * n + j];
        }
        decide_all(&f, modes, forces);
        decide_all(&g, other, others);
        for (int i = 0; i < n; i++) {
            const int to = (i + shift) % n;
            ck_assert_int_eq(other[to], modes[i] == 9 ? 9 : sign * modes[i]);
            if (modes[i] == 9) continue;
            ck_assert_double_eq_tol(others[to][PC_N], forces[i][PC_N], 1e-10 * (1 + forces[i][PC_N]));
            ck_assert_double_eq_tol(others[to][PC_T], sign * forces[i][PC_T], 1e-10 * (1 + forces[i][PC_N]));
        }
    }
}
END_TEST

/* Bounces that are stopped bring friction with them: p_n = -v_n/(w_nn - mu s w_nt), p_t = -mu s p_n. */
START_TEST(projection_takes_gaps_and_velocities)
{
    const double mu = 0.3, v[2] = {2, 0.5};
    for (int rub = 0; rub < 2; rub++)
        for (int s = -1; s <= 1; s++) {
            frozen f = {.n = 1, .W = {3, 0.5, 0.5, 2}, .q = {7, 1e-3}, .v = {s * v[0], v[1]}};
            closed c;
            double y[4] = {f.q[0], f.q[1], f.v[0], f.v[1]};
            close_all(&f, mu, &c);
            c.contacts.mode[0] = s;
            pc_contacts_project(&c.contacts, &c.mechanics, &c.block, rub, y);
            const double slides = rub ? s * mu : 0, p_n = -v[1] / (2 - slides * 0.5);
            ck_assert_double_eq_tol(y[1], 0, 1e-18);
            ck_assert_double_eq_tol(y[0], 7 - 1e-3 / 2 * 0.5, 1e-15);
            ck_assert_double_eq_tol(y[3], 0, 1e-15);
            ck_assert_double_eq_tol(y[2], s == 0 ? 0 : s * v[0] + (0.5 - slides * 3) * p_n, 1e-15);
            open_all(&c);
        }
}
END_TEST

/* A body of mass 1 in its plane, with contacts at x, y about its centre, whose normals have these angles: there are
 * more conditions than it has freedoms. */
static frozen body_between(int n, double inertia, const double *x, const double *y, const double *angle)
{
    frozen f = {.n = n};
    double J[2 * FROZEN][3];
    for (int i = 0; i < n; i++) {
        const double c = cos(angle[i]), s = sin(angle[i]);
        const double axis[2][2] = {[PC_T] = {s, -c}, [PC_N] = {c, s}};
        for (int k = 0; k < 2; k++) {
            J[2 * i + k][0] = axis[k][0];
            J[2 * i + k][1] = axis[k][1];
            J[2 * i + k][2] = (x[i] * axis[k][1] - y[i] * axis[k][0]) / sqrt(inertia);
        }
    }
    for (int i = 0; i < 2 * n; i++)
        for (int j = 0; j < 2 * n; j++)
            for (int k = 0; k < 3; k++) f.W[i * 2 * n + j] += J[i][k] * J[j][k];
    return f;
}

/* A beam on three posts. Least-norm forces, linear in x, would pull it to the last one, where bounds press: the others
 * carry it as if that were not there, N_1 d + N_2 (d - D) = 0, up to the weight of what carries nothing. */
START_TEST(a_beam_on_three_posts_is_pulled_by_none)
{
    const double g = 9.81, up[3] = {acos(0), acos(0), acos(0)}, low[3] = {0};
    for (int k = 1; k <= 20; k++)
        for (int s = -1; s <= 1; s += 2) {
            const double d = 1e-3 * k, x[3] = {-s * d, s * 0.9, s * 0.95};
            frozen f = body_between(3, 0.1, x, low, up);
            closed c;
            double a[2 * FROZEN];
            for (int i = 0; i < 3; i++) f.load[2 * i + PC_N] = -g;
            close_all(&f, 0.3, &c);
            ck_assert_int_eq(pc_contacts_accelerate(&c.contacts, NULL, &c.mechanics, &c.block, a), 0);
            const double N[3] = {g * 0.9 / (0.9 + d), g * d / (0.9 + d), 0};
            for (int i = 0; i < 3; i++) {
                ck_assert_double_ge(c.contacts.force[i][PC_N], 0);
                ck_assert_double_eq_tol(c.contacts.force[i][PC_N], N[i], 2 * PC_CLEARLY * g);
                ck_assert_double_eq_tol(a[2 * i + PC_N], 0, 1e-12 * g);
            }
            open_all(&c);
        }
}
END_TEST

/* The load is what forces within their cones balance: such forces are found, wherever contacts are and whichever slip,
 * and the motion is that. */
START_TEST(what_can_be_held_by_pressing_is_not_pulled)
{
    pc_rng rng;
    pc_rng_seed(&rng, 5);
    for (int trial = 0; trial < 4000; trial++) {
        const double mu = pc_rng_between(&rng, 0.05, 0.8);
        double x[FROZEN], y[FROZEN], angle[FROZEN], F[2 * FROZEN], a[2 * FROZEN], size = 0;
        int mode[FROZEN];
        for (int i = 0; i < FROZEN; i++) {
            x[i] = pc_rng_between(&rng, -1, 1);
            y[i] = pc_rng_between(&rng, -0.3, 0.3);
            angle[i] = pc_rng_between(&rng, 0, 6.3);
            mode[i] = (int)pc_rng_below(&rng, 3) - 1;
            F[2 * i + PC_N] = pc_rng_between(&rng, 0.01, 1);
            F[2 * i + PC_T] = (mode[i] ? -mode[i] : pc_rng_between(&rng, -0.9, 0.9)) * mu * F[2 * i + PC_N];
        }
        frozen f = body_between(FROZEN, 0.2, x, y, angle);
        closed c;
        for (int i = 0; i < 2 * FROZEN; i++)
            for (int k = 0; k < 2 * FROZEN; k++) f.load[i] -= f.W[i * 2 * FROZEN + k] * F[k];
        close_all(&f, mu, &c);
        memcpy(c.contacts.mode, mode, sizeof mode);
        ck_assert_int_eq(pc_contacts_accelerate(&c.contacts, NULL, &c.mechanics, &c.block, a), 0);
        for (int i = 0; i < FROZEN; i++) size = fmax(size, c.contacts.force[i][PC_N]);
        for (int i = 0; i < FROZEN && c.block.shared; i++) {
            const double *force = c.contacts.force[i];
            ck_assert_double_ge(force[PC_N], -1e-9 * size);
            ck_assert_double_eq_tol(a[2 * i + PC_N], 0, 1e-8);
            if (mode[i] == 0) ck_assert_double_eq_tol(a[2 * i + PC_T], 0, 1e-8);
        }
        open_all(&c);
    }
}
END_TEST

UNIT_MAIN("lasting", 30, a_particle_rests_on_an_incline_or_slides,
          what_is_pulled_away_opens_and_what_nothing_presses_carries_nothing,
          no_force_is_consistent_with_slip_that_jams, what_is_decided_is_a_solution,
          mirrors_and_the_order_of_lists_change_nothing, projection_takes_gaps_and_velocities,
          a_beam_on_three_posts_is_pulled_by_none, what_can_be_held_by_pressing_is_not_pulled)
