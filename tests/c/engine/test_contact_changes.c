/* Compliant contacts begin, change and end without a run, on a provider of given W and a log that counts. */
#include "element_unit.h"
#include "provider_contract.h"

#include "engine/contact_changes.h"

#include <float.h>

static const double CLOSE = 1e-12;

enum { MOST = 2 };

/* Particles, what was told of their contacts, and who decides it. */
typedef struct instant {
    particles p;
    pc_provider provider;
    pc_mechanics mechanics;
    pc_contacts contacts;
    pc_compliant compliant;
    pc_block block;
    pc_pair_memory memory[MOST];
    double y[MOST * (4 + PC_ROWS)], a[2 * MOST], friction, elements;
    filled law[MOST];
    pc_contact_state at;
    pc_contact_changes changes;
    int opened, begun, told[PC_CHANGE_REST + 1], ended, releases;
    double work[3], more, v[2];
    pc_spring_release release;
    bool refuses;
} instant;

static pc_status opened(void *context, int at, size_t *impact, pc_error *err)
{
    instant *it = context;
    ck_assert_int_lt(at, it->p.f.n);
    if (it->refuses) return pc_fail(err, PC_E_MEMORY, "refused");
    *impact = (size_t)it->opened++;
    return PC_OK;
}

static pc_status begun(void *context, int which, const double W[4], const double v[2], pc_error *err)
{
    instant *it = context;
    (void)err;
    ck_assert_int_lt(which, it->compliant.n);
    ck_assert(W[3] == it->p.f.W[0]);
    memcpy(it->v, v, sizeof it->v);
    it->begun++;
    return PC_OK;
}

static pc_status change(void *context, int which, pc_contact_change kind, pc_error *err)
{
    (void)which, (void)err;
    ((instant *)context)->told[kind]++;
    return PC_OK;
}

static pc_status ended(void *context, int which, double more, const double work[3], pc_error *err)
{
    instant *it = context;
    (void)err;
    ck_assert_int_lt(which, it->compliant.n);
    memcpy(it->work, work, sizeof it->work);
    it->more = more;
    it->ended++;
    return PC_OK;
}

static void release(void *context, size_t impact, const pc_spring_release *with, const double *reactions)
{
    (void)impact, (void)reactions;
    ((instant *)context)->release = *with;
}

static void released(void *context, size_t impact, double duration, const double *a, const double b[2])
{
    instant *it = context;
    (void)impact;
    ck_assert_double_eq(duration, it->more);
    for (int i = 0; i < 2; i++) ck_assert_double_eq(a[i], b[i]);
    it->releases++;
}

/* n particles of mass 1/w under a load, all of which touch at (q, v) as the first does. */
static void begin(instant *it, int n, double w, const double load[2], const filled *law, double u, double v_t,
                  double v_n)
{
    *it = (instant){.p.f.n = n, .provider = frozen_provider};
    it->provider.place = particles_place;
    it->provider.state = particles_state;
    it->mechanics = frozen_mechanics(&it->p.f);
    it->mechanics.provider = &it->provider;
    ck_assert_int_eq(pc_block_open(&it->block, 2 * n, n, NULL), PC_OK);
    ck_assert_int_eq(pc_contacts_reserve(&it->contacts, n, NULL), PC_OK);
    ck_assert_int_eq(pc_compliant_reserve(&it->compliant, n, NULL), PC_OK);
    for (int i = 0; i < n; i++) {
        it->law[i] = *law;
        it->p.f.W[(2 * i) * 2 * n + 2 * i] = it->p.f.W[(2 * i + 1) * 2 * n + 2 * i + 1] = w;
        memcpy(it->p.f.load + 2 * i, load, 2 * sizeof *load);
        it->p.f.pairing[i] = (pc_pairing){
            .name = "contact", .law = law->law, .params = &it->law[i].params, .length = 1, .endless = true};
        it->y[2 * i + PC_N] = -u;
        it->y[2 * n + 2 * i + PC_T] = v_t;
        it->y[2 * n + 2 * i + PC_N] = v_n;
    }
    it->at = (pc_contact_state){.mechanics = &it->mechanics,
                                .t = 2,
                                .y = it->y,
                                .contacts = &it->contacts,
                                .compliant = &it->compliant,
                                .memory = it->memory,
                                .a = it->a,
                                .block = &it->block};
    it->changes = (pc_contact_changes){.at = &it->at,
                                       .log = {it, opened, begun, change, ended, release, released, 0, NULL},
                                       .friction = &it->friction,
                                       .elements = &it->elements};
}

static void close_place(instant *it, int at)
{
    pc_error err = {0};
    pc_status status = pc_changes_close(&it->changes, at, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

static void guard(instant *it, int which, int what)
{
    pc_error err = {0};
    pc_status status = pc_changes_guard(&it->changes, which, what, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

static void end(instant *it)
{
    for (int i = 0; i < it->compliant.n; i++) pc_contact_close_rings(&it->compliant.contact[i].base);
    pc_block_close(&it->block);
    pc_contacts_close(&it->contacts);
    pc_compliant_close(&it->compliant);
}

static const double none[2] = {0, 0};

static filled spring(double damping_ratio, const char *tangential)
{
    if (strcmp(tangential, "rigid") == 0)
        return fill("kelvin_voigt", "stiffness", 800.0, "damping_ratio", damping_ratio, "friction", 0.25, "tangential",
                    tangential, NULL);
    return fill("kelvin_voigt", "stiffness", 800.0, "damping_ratio", damping_ratio, "friction", 0.25, "tangential",
                tangential, "tangential_stiffness", 400.0, NULL);
}

/* Length: v sqrt(m/k). The force of the damper is there at the touch. */
START_TEST(what_approaches_closes_with_its_scales)
{
    const filled law = spring(0.1, "rigid");
    instant it;
    begin(&it, 1, 2, none, &law, 0, 3, -1.5);
    close_place(&it, 0);
    ck_assert_int_eq(it.compliant.n, 1);
    ck_assert_int_eq(it.opened, 1);
    ck_assert_int_eq(it.begun, 1);
    const pc_compliant_contact *c = it.compliant.contact;
    ck_assert_double_eq_tol(c->mass, 0.5, CLOSE);
    ck_assert_double_eq_tol(c->speed, 1.5, CLOSE);
    ck_assert_double_eq_tol(c->length, 1.5 * sqrt(0.5 / 800), CLOSE);
    ck_assert(!c->base.stuck);
    ck_assert_int_eq(c->base.sign, 1);
    const double force = 2 * 0.1 * sqrt(800 * 0.5) * 1.5;
    ck_assert_double_eq_tol(it.compliant.now[0].Fn, force, CLOSE * force);
    ck_assert_double_eq_tol(it.compliant.now[0].Ft, -0.25 * force, CLOSE * force);
    ck_assert(it.v[PC_T] == 3 && it.v[PC_N] == -1.5);
    ck_assert(it.elements == 0);
    end(&it);
}
END_TEST

START_TEST(what_only_touches_does_not_close)
{
    const filled law = spring(0.1, "rigid");
    const double v_n[] = {1, 0};
    for (int i = 0; i < 2; i++) {
        instant it;
        begin(&it, 1, 2, none, &law, 0, 0, v_n[i]);
        close_place(&it, 0);
        ck_assert_int_eq(it.compliant.n + it.opened + it.begun, 0);
        end(&it);
    }
}
END_TEST

/* What is deep has the speed of the impact that would come as deep, and what it stores is no work of a motion; what is
 * pressed has that of the fall through a length. */
START_TEST(depth_and_load_give_a_scale_at_rest)
{
    const filled law = spring(0.1, "rigid");
    const double load[2] = {0, -8}, omega = sqrt(2 * 800.0);
    instant it;
    begin(&it, 1, 2, none, &law, 0.01, 0, 0);
    close_place(&it, 0);
    ck_assert_double_eq_tol(it.compliant.contact[0].speed, 0.01 * omega, 1e-3 * omega);
    ck_assert_double_eq_tol(it.elements, -800 * 0.01 * 0.01 / 2, CLOSE);
    end(&it);
    begin(&it, 1, 2, load, &law, 0, 0, 0);
    close_place(&it, 0);
    ck_assert_double_eq_tol(it.compliant.contact[0].speed, 8 / omega, 1e-2 * 8 / omega);
    end(&it);
}
END_TEST

/* What loads it sideways is held up to mu times what presses. */
START_TEST(friction_holds_a_point_that_it_can)
{
    const filled law = spring(0, "rigid");
    for (int i = 0; i < 2; i++) {
        const double load[2] = {i ? 3 : 1, -10};
        instant it;
        begin(&it, 1, 1, load, &law, 0.01, 0, 0);
        close_place(&it, 0);
        ck_assert(it.compliant.contact[0].base.stuck == (i == 0)); /* it holds 2 N: 0.25 of 8 */
        end(&it);
    }
}
END_TEST

/* The damper leaves an indentation; the other contact moves up in the list, with its rows. */
START_TEST(what_ends_leaves_its_indentation_and_its_works)
{
    const filled law = spring(0.1, "rigid");
    instant it;
    begin(&it, 2, 2, none, &law, 0, 0, -1);
    close_place(&it, 0);
    close_place(&it, 1);
    for (int i = 0; i < 2; i++) it.y[2 * i + PC_N] = -1e-4 * (i + 1);
    double *rows = it.y + 8;
    for (int k = 0; k < PC_ROWS; k++) rows[k] = k, rows[PC_ROWS + k] = 10 + k;
    guard(&it, 0, PC_GUARD_RELEASE);
    ck_assert_int_eq(it.compliant.n, 1);
    ck_assert_int_eq(it.ended, 1);
    ck_assert_int_eq(it.compliant.contact[0].pair, 1);
    for (int k = 0; k < PC_ROWS; k++) ck_assert(rows[k] == 10 + k);
    ck_assert_double_eq_tol(it.memory[0].residual, 1e-4, CLOSE);
    ck_assert(it.memory[1].residual == 0);
    ck_assert(!it.memory[0].permanent);
    ck_assert(it.friction == it.work[2] && it.elements == it.work[0] + it.work[1]);
    ck_assert(it.more == 0 && it.releases == 0);
    end(&it);
}
END_TEST

START_TEST(a_jump_of_velocities_turns_slip_and_frees_what_was_held)
{
    const filled law = spring(0, "rigid");
    for (int i = 0; i < 2; i++) {
        instant it;
        begin(&it, 1, 1, none, &law, 0.01, i ? 0 : 1, 0);
        close_place(&it, 0);
        ck_assert(it.compliant.contact[0].base.stuck == (i == 1));
        it.y[2 + PC_T] = -1;
        ck_assert_int_eq(pc_changes_jump(&it.changes, NULL, NULL), PC_OK);
        ck_assert(!it.compliant.contact[0].base.stuck);
        ck_assert_int_eq(it.compliant.contact[0].base.sign, -1);
        ck_assert_int_eq(it.told[i ? PC_CHANGE_SLIP : PC_CHANGE_REVERSAL], 1);
        int all = 0;
        for (int k = 0; k <= PC_CHANGE_REST; k++) all += it.told[k];
        ck_assert_int_eq(all, 1);
        end(&it);
    }
}
END_TEST

/* At rest within its slip a point stays if friction holds the load, else it goes back. */
START_TEST(an_arrest_sticks_or_turns)
{
    const filled law = spring(0, "rigid");
    for (int i = 0; i < 2; i++) {
        const double load[2] = {i ? -3 : -1, 0};
        instant it;
        begin(&it, 1, 1, load, &law, 0.01, 1, 0);
        close_place(&it, 0);
        it.y[2 + PC_T] = 0;
        guard(&it, 0, PC_GUARD_ARREST);
        ck_assert(it.compliant.contact[0].base.stuck == (i == 0));
        ck_assert_int_eq(it.told[i ? PC_CHANGE_REVERSAL : PC_CHANGE_STICK], 1);
        end(&it);
    }
}
END_TEST

START_TEST(a_cone_lets_slip_its_own_way)
{
    const filled law = spring(0, "rigid");
    for (int sign = -1; sign <= 1; sign += 2) {
        instant it;
        begin(&it, 1, 1, none, &law, 0.01, 0, 0);
        close_place(&it, 0);
        guard(&it, 0, sign > 0 ? PC_GUARD_CONE_UP : PC_GUARD_CONE_DOWN);
        ck_assert(!it.compliant.contact[0].base.stuck);
        ck_assert_int_eq(it.compliant.contact[0].base.sign, sign);
        ck_assert_int_eq(it.told[PC_CHANGE_SLIP], 1);
        end(&it);
    }
}
END_TEST

/* The law that loses nothing but by friction, with a cone that does not end: what its springs hold at the parting comes
 * back as kinetic energy, and the impulses are those of the velocities. */
START_TEST(a_spring_release_gives_back_what_is_stored)
{
    const filled law = fill("coupled", "modulus", 1e4, "radius", 1.0, "kappa", 2.0, "friction", 1.0, NULL);
    instant it;
    begin(&it, 1, 2, none, &law, 0, 0.5, -1);
    close_place(&it, 0);
    pc_compliant_contact *c = it.compliant.contact;
    ck_assert_double_gt(c->base.parting, 0);
    it.y[PC_N] = -c->base.parting;
    it.y[2 + PC_N] = 0.1;
    it.y[4 + PC_ROW_Q] = 100 * c->base.parting;
    ck_assert_int_eq(pc_changes_evaluate(&it.changes, NULL), PC_OK);
    const double stored = pc_compliant_stored(&it.compliant), before = frozen_energy((const pc_configuration *)&it.p.f);
    ck_assert_double_gt(stored, 0);
    guard(&it, 0, PC_GUARD_RELEASE);
    ck_assert_int_eq(it.compliant.n, 0);
    ck_assert_int_eq(it.releases, 1);
    ck_assert_double_gt(it.more, 0);
    const double after = frozen_energy((const pc_configuration *)&it.p.f);
    ck_assert_double_eq_tol(after, before + stored, 1e-12 * after);
    ck_assert_double_eq_tol(it.y[2 + PC_T], 0.5 + 2 * it.release.impulse[PC_T], 1e-12);
    ck_assert_double_eq_tol(it.y[2 + PC_N], 0.1 + 2 * it.release.impulse[PC_N], 1e-12);
    ck_assert(it.release.unbounded);
    end(&it);
}
END_TEST

START_TEST(a_contact_that_cannot_be_recorded_does_not_begin)
{
    const filled law = spring(0, "rigid");
    instant it;
    begin(&it, 1, 1, none, &law, 0, 0, -1);
    it.refuses = true;
    ck_assert_int_eq(pc_changes_close(&it.changes, 0, NULL), PC_E_MEMORY);
    ck_assert_int_eq(it.compliant.n, 0);
    end(&it);
}
END_TEST

UNIT_MAIN("contact changes", 30, what_approaches_closes_with_its_scales, what_only_touches_does_not_close,
          depth_and_load_give_a_scale_at_rest, friction_holds_a_point_that_it_can,
          what_ends_leaves_its_indentation_and_its_works, a_jump_of_velocities_turns_slip_and_frees_what_was_held,
          an_arrest_sticks_or_turns, a_cone_lets_slip_its_own_way, a_spring_release_gives_back_what_is_stored,
          a_contact_that_cannot_be_recorded_does_not_begin)
