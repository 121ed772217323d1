/* Instants without a run: impacts, what stays closed after them, jams, last bounces, steps by impulses, and what guards
 * that fall bring, by a provider of given W and a log that lets impulses act on a state. */
#include "provider_contract.h"

#include "base/alloc.h"
#include "engine/instant.h"
#include "law/rigid/rigid.h"

extern const pc_law pc_law_newton, pc_law_poisson;

/* An instant of a provider: its state, what it told, and workspace. */
typedef struct instant {
    frozen f;
    pc_mechanics mechanics;
    pc_contact_state at;
    pc_rigid params;
    double y[4 * FROZEN], spare[4 * FROZEN], a[2 * FROZEN], lost, driven;
    pc_contacts contacts, before, candidates;
    pc_compliant compliant;
    pc_pair_memory memory[FROZEN];
    pc_accumulation accumulation;
    pc_impact_sequence sequence;
    pc_block block;
    pc_touching touching, gone;
    int singles, joints, jams, jammed, accumulations, changes[PC_CHANGE_REST + 1];
    double ratio, end;
    bool settled;
} instant;

static pc_status act(instant *it, const int *places, int n, const pc_touch *touch, const double *p, pc_error *err)
{
    double du[2 * FROZEN];
    frozen_jump(&it->f, NULL, &(pc_contact_set){n, places, touch}, p, du);
    for (int i = 0; i < 2 * it->f.n; i++) it->y[2 * it->f.n + i] += du[i];
    return pc_mechanics_place(&it->mechanics, it->f.t, it->y) == 0 ? PC_OK : pc_mechanics_stopped(it->f.t, err);
}

static pc_status single(void *context, const pc_single_impact *single, int order, pc_error *err)
{
    instant *it = context;
    (void)order;
    it->singles++;
    return act(it, &single->place, 1, &single->touch, single->impact.impulse, err);
}

static pc_status joint(void *context, const pc_joint_impact *joint, pc_rule rule, int *order, pc_error *err)
{
    instant *it = context;
    (void)rule;
    it->joints++;
    ++*order;
    return act(it, joint->place, joint->n, joint->touch, joint->p, err);
}

static pc_status accumulation(void *context, int place, double ratio, double end, pc_error *err)
{
    instant *it = context;
    (void)place, (void)err;
    it->accumulations++;
    it->ratio = ratio;
    it->end = end;
    return PC_OK;
}

static double speed(void *context, int place)
{
    instant *it = context;
    double *greatest = &it->memory[place].greatest_speed;
    for (int k = 0; k < 2; k++) *greatest = fmax(*greatest, fabs(it->f.v[2 * place + k]));
    return pc_speed_scale(&it->memory[place], it->mechanics.fall, it->f.pairing[place].length);
}

static pc_status jam(void *context, int place, pc_error *err)
{
    instant *it = context;
    (void)err;
    it->jams++;
    it->jammed = place;
    return PC_OK;
}

static pc_status change(void *context, int place, pc_contact_change kind, int mode, pc_error *err)
{
    instant *it = context;
    (void)place, (void)mode, (void)err;
    it->changes[kind]++;
    return PC_OK;
}

/* All contacts of a provider, which touch at t = 2, by a law with e and mu. */
static void begin(instant *it, const frozen *f, const pc_law *law, double e, double mu)
{
    memset(it, 0, sizeof *it);
    const int n = f->n, side = 2 * n;
    it->f = *f;
    it->f.t = 2;
    it->params = (pc_rigid){.restitution = {.value = e}, .coulomb = {mu, mu}};
    it->mechanics = frozen_mechanics(&it->f);
    it->mechanics.fall = 1;
    memcpy(it->y, f->q, (size_t)side * sizeof *it->y);
    memcpy(it->y + side, f->v, (size_t)side * sizeof *it->y);
    for (int i = 0; i < n; i++) {
        it->f.pairing[i] = (pc_pairing){
            .name = "contact", .law = law, .params = &it->params, .friction = mu, .static_friction = mu, .length = 1};
        it->memory[i].last_impact = it->memory[i].riding = NAN;
    }
    pc_accumulation_forget(&it->accumulation);
    pc_contacts *lists[] = {&it->contacts, &it->before, &it->candidates};
    for (int i = 0; i < 3; i++) ck_assert_int_eq(pc_contacts_reserve(lists[i], n, NULL), PC_OK);
    ck_assert_int_eq(pc_impact_sequence_reserve(&it->sequence, n, NULL), PC_OK);
    ck_assert_int_eq(pc_block_open(&it->block, side, n, NULL), PC_OK);
    ck_assert_int_eq(pc_touching_find(&it->touching, &(pc_touching){0}, &it->mechanics, NULL), PC_OK);
}

static void end(instant *it)
{
    pc_contacts *lists[] = {&it->contacts, &it->before, &it->candidates};
    for (int i = 0; i < 3; i++) pc_contacts_close(lists[i]);
    pc_impact_sequence_close(&it->sequence);
    pc_block_close(&it->block);
    pc_free(it->touching.at);
    pc_free(it->gone.at);
}

static pc_resolver resolver_of(instant *it)
{
    it->at = (pc_contact_state){.mechanics = &it->mechanics,
                                .t = it->f.t,
                                .y = it->y,
                                .contacts = &it->contacts,
                                .compliant = &it->compliant,
                                .memory = it->memory,
                                .a = it->a,
                                .block = &it->block};
    return (pc_resolver){.at = &it->at,
                         .log = {it, single, joint, accumulation, speed, jam, change},
                         .rule = PC_RULE_TIED,
                         .rtol = 1e-10,
                         .lost = &it->lost,
                         .driven = &it->driven,
                         .accumulation = &it->accumulation,
                         .spare = it->spare,
                         .before = &it->before,
                         .candidates = &it->candidates,
                         .sequence = &it->sequence};
}

static void resolve(instant *it, int which)
{
    pc_error err = {0};
    pc_resolver resolver = resolver_of(it);
    pc_status status = pc_resolve(&resolver, &it->touching, which, &it->settled, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

/* A particle of mass 1 under its weight, with the velocity v. */
static frozen particle(double v_t, double v_n)
{
    return (frozen){.n = 1, .W = {1, 0, 0, 1}, .v = {v_t, v_n}, .load = {0, -1}};
}

START_TEST(what_falls_bounces_and_what_touches_stays)
{
    static const double e[] = {0.5, 0};
    for (int k = 0; k < 2; k++) {
        const frozen f = particle(3, -2);
        instant it;
        begin(&it, &f, &pc_law_newton, e[k], 0.25);
        ck_assert_int_eq(it.touching.n, 1);
        resolve(&it, -1);
        ck_assert(it.settled);
        ck_assert_int_eq(it.singles, 1);
        ck_assert_double_eq_tol(it.f.v[PC_N], 2 * e[k], 1e-15);
        ck_assert_int_eq(it.contacts.n, e[k] == 0);
        if (e[k] == 0) ck_assert_int_eq(it.contacts.mode[0], 1);
        ck_assert_double_eq_tol(it.f.v[PC_T], 3 - 0.25 * 2 * (1 + e[k]), 1e-14);
        ck_assert(it.memory[0].last_impact == 2);
        ck_assert(!it.memory[0].low_bounce);
        ck_assert(isnan(it.memory[0].riding));
        end(&it);
    }
    const frozen f = particle(0, 0);
    instant it;
    begin(&it, &f, &pc_law_newton, 0.5, 0.25);
    resolve(&it, -1);
    ck_assert(it.settled);
    ck_assert_int_eq(it.singles + it.joints + it.jams + it.accumulations, 0);
    ck_assert_int_eq(it.contacts.n, 1);
    ck_assert_int_eq(it.contacts.mode[0], 0);
    ck_assert(isnan(it.memory[0].last_impact));
    end(&it);
}
END_TEST

/* What separates slower than v_rest is stopped. */
START_TEST(v_rest_stops_what_hardly_bounces)
{
    for (int stops = 0; stops < 2; stops++) {
        const frozen f = particle(0, -0.2);
        instant it;
        begin(&it, &f, &pc_law_newton, 0.5, 0.25);
        pc_error err = {0};
        pc_resolver resolver = resolver_of(&it);
        resolver.v_rest = stops ? 0.11 : 0.09;
        ck_assert_int_eq(pc_resolve(&resolver, &it.touching, -1, &it.settled, &err), PC_OK);
        ck_assert_int_eq(it.contacts.n, stops);
        ck_assert_double_eq_tol(it.f.v[PC_N], stops ? 0 : 0.1, 1e-15);
        ck_assert_double_eq_tol(it.lost, stops ? 0.5 * 0.01 : 0, 1e-17);
        end(&it);
    }
}
END_TEST

/* The second of two bounces whose height is below rounding is the last one: bounces of the speeds v, e v, e^2 v, ...
 * end after 2 e v/(a (1 - e)). */
START_TEST(a_bounce_below_rounding_is_the_last)
{
    const double e = 0.75, v = 1e-7;
    for (int low = 0; low < 2; low++) {
        const frozen f = particle(0, -v);
        instant it;
        begin(&it, &f, &pc_law_newton, e, 0);
        it.memory[0].last_impact = low ? 2 - 2 * v : 1; /* it has come from a bounce of this speed, or from afar */
        it.memory[0].greatest_speed = 1;
        resolve(&it, -1);
        ck_assert(it.settled);
        ck_assert_int_eq(it.singles, 1);
        ck_assert_int_eq(it.memory[0].low_bounce, low);
        ck_assert_int_eq(it.contacts.n, low);
        ck_assert_int_eq(it.accumulations, low);
        ck_assert_double_eq_tol(it.f.v[PC_N], low ? 0 : e * v, 1e-22);
        if (low) {
            ck_assert_double_eq_tol(it.ratio, e, 1e-14);
            ck_assert_double_eq_tol(it.end - 2, 2 * e * v / (1 - e), 4e-16);
            ck_assert_double_eq_tol(it.lost, 0.5 * e * v * e * v, 1e-28);
        }
        end(&it);
    }
}
END_TEST

/* A ball that bounces under a constant load comes to rest where its impacts end. That is known before they are too low
 * to be told from rounding; where nothing is known of the heights (`apart`, as for bounces of several contacts in turn)
 * by their intervals alone. These sum up to 2 e/(1 - e); they round by 4e-16 of t, which the extrapolation to the end
 * makes 1/(1 - e)^2 times as much. */
START_TEST(bounces_accumulate_where_they_end)
{
    static const double e[] = {0.2, 0.5, 0.8};
    for (int k = 0; k < 6; k++) {
        const bool apart = k >= 3;
        const double ratio = e[k % 3];
        frozen f = particle(0, -1);
        instant it;
        pc_error err = {0};
        begin(&it, &f, &pc_law_newton, ratio, 0);
        const double over = it.f.t + 2 * ratio / (1 - ratio);
        for (int i = 0;; i++) {
            const double v0 = it.f.v[PC_N];
            ck_assert_int_lt(i, 200);
            if (apart) it.memory[0].last_impact = NAN;
            resolve(&it, -1);
            if (it.accumulations > 0) break;
            ck_assert_double_eq_tol(it.f.v[PC_N], -ratio * v0, 4e-16); /* of a sum of two terms below 2 */
            pc_resolver resolver = resolver_of(&it);
            it.touching.n = 0;
            ck_assert_int_eq(pc_resolver_accumulate(&resolver, 0, v0, i % 2 ? NAN : -ratio * v0, &it.touching, &err),
                             PC_OK);
            ck_assert_int_eq(it.touching.n, it.accumulations);
            if (it.accumulations > 0) {
                ck_assert(apart);
                resolve(&it, -1);
                break;
            }
            it.f.t += 2 * it.f.v[PC_N];
            it.y[2 + PC_N] = -it.f.v[PC_N];
            ck_assert_int_eq(pc_mechanics_place(&it.mechanics, it.f.t, it.y), 0);
            ck_assert_int_eq(pc_touching_find(&it.touching, &(pc_touching){0}, &it.mechanics, NULL), PC_OK);
        }
        ck_assert_double_eq_tol(it.ratio, ratio, 1e-9);
        ck_assert_double_eq_tol(it.end, over, 4e-16 * over / ((1 - ratio) * (1 - ratio)));
        ck_assert_int_eq(it.contacts.n, 1);
        ck_assert(it.f.v[PC_N] == 0);
        end(&it);
    }
}
END_TEST

/* A rod that slides in the direction s and is pressed down: for mu > w_nn/|w_tn| no force is consistent, and the
 * impulse that stops the slip lets it bounce by Poisson's law. */
START_TEST(slip_that_jams_is_struck_from_rest)
{
    for (int s = -1; s <= 1; s += 2)
        for (int k = 0; k < 20; k++) {
            const double mu = 0.125 + 0.0625 * k;
            const bool jams = mu * 1.5 > 1;
            const frozen f = {.n = 1, .W = {4, s * 1.5, s * 1.5, 1}, .v = {s * 2, 0}, .load = {0, -1}};
            instant it;
            begin(&it, &f, &pc_law_poisson, 0.5, mu);
            resolve(&it, -1);
            ck_assert(it.settled);
            ck_assert_int_eq(it.jams, jams);
            ck_assert_int_eq(it.singles, jams);
            ck_assert_int_eq(it.contacts.n, !jams);
            if (jams) {
                ck_assert_int_eq(it.jammed, 0);
                ck_assert_double_gt(it.f.v[PC_N], 0);
                ck_assert_double_lt(frozen_energy((const pc_configuration *)&it.f),
                                    frozen_energy((const pc_configuration *)&f));
            } else {
                ck_assert_int_eq(it.contacts.mode[0], s);
                ck_assert(it.f.v[PC_T] == s * 2);
            }
            end(&it);
        }
}
END_TEST

/* What touches without being pressed rides along, and is struck when what it leans on moves. */
START_TEST(what_carries_nothing_rides_along)
{
    frozen f = {.n = 2, .load = {0, -1, 0, 0}};
    for (int i = 0; i < 4; i++) f.W[5 * i] = 1;
    instant it;
    begin(&it, &f, &pc_law_newton, 0.5, 0.25);
    resolve(&it, -1);
    ck_assert(it.settled);
    ck_assert_int_eq(it.contacts.n, 1);
    ck_assert_int_eq(it.contacts.pair[0], 0);
    ck_assert(it.memory[1].riding == 2);
    ck_assert(isnan(it.memory[0].riding));
    end(&it);
}
END_TEST

/* Bits do not depend on the order in which contacts were found, nor, up to signs, on left and right. */
START_TEST(mirrors_and_the_order_of_lists_change_nothing)
{
    pc_rng rng;
    pc_rng_seed(&rng, 41);
    for (int k = 0; k < 300; k++) {
        frozen f, g;
        instant a, b;
        const double e = pc_rng_between(&rng, 0, 0.9), mu = pc_rng_between(&rng, 0, 0.3);
        random_frozen(&rng, 1 + (int)pc_rng_below(&rng, FROZEN), &f);
        for (int i = 0; i < f.n; i++) f.q[2 * i + PC_N] = 0;
        g = f;
        for (int i = 0; i < 2 * f.n; i += 2) { /* t turned round */
            g.v[i] = -g.v[i];
            g.load[i] = -g.load[i];
            for (int j = 1; j < 2 * f.n; j += 2) {
                g.W[i * 2 * f.n + j] = -g.W[i * 2 * f.n + j];
                g.W[j * 2 * f.n + i] = -g.W[j * 2 * f.n + i];
            }
        }
        begin(&a, &f, &pc_law_newton, e, mu);
        begin(&b, &g, &pc_law_newton, e, mu);
        for (int i = 0; i < f.n / 2; i++) {
            const pc_touching_pair other = b.touching.at[i];
            b.touching.at[i] = b.touching.at[f.n - 1 - i];
            b.touching.at[f.n - 1 - i] = other;
        }
        resolve(&a, -1);
        resolve(&b, -1);
        ck_assert_int_eq(a.settled, b.settled);
        ck_assert_int_eq(a.singles, b.singles);
        ck_assert_int_eq(a.contacts.n, b.contacts.n);
        for (int i = 0; i < 2 * f.n; i++) ck_assert(b.f.v[i] == (i % 2 == PC_T ? -1 : 1) * a.f.v[i]);
        for (int i = 0; i < a.contacts.n; i++) {
            ck_assert_int_eq(a.contacts.pair[i], b.contacts.pair[i]);
            ck_assert_int_eq(a.contacts.mode[i], -b.contacts.mode[i]);
        }
        for (int i = 0; i < f.n; i++) ck_assert_double_ge(a.f.v[2 * i + PC_N], -1e-9);
        end(&a);
        end(&b);
    }
}
END_TEST

/* In a short time h a load accelerates what touches, but for what its contacts take: a particle that is pressed slides
 * on with v - mu h, one that is lifted leaves with h. */
START_TEST(a_step_by_impulses_takes_what_presses)
{
    static const double weight[] = {-1, 1};
    for (int k = 0; k < 2; k++) {
        frozen f = particle(3, 0);
        f.load[PC_N] = weight[k];
        instant it;
        pc_error err = {0};
        const double h = 0.01, mu = 0.25;
        begin(&it, &f, &pc_law_newton, 0.5, mu);
        pc_resolver resolver = resolver_of(&it);
        ck_assert_int_eq(pc_impulse_step(&resolver, &it.touching, h, &err), PC_OK);
        ck_assert_double_eq_tol(it.y[2 + PC_N], k == 0 ? 0 : h, 1e-15);
        ck_assert_double_eq_tol(it.y[2 + PC_T], k == 0 ? 3 - mu * h : 3, 1e-15);
        end(&it);
    }
}
END_TEST

/* A step changes velocities by a share of the greatest, but is over in half of the time until something strikes. */
START_TEST(a_step_by_impulses_ends_before_the_next_impact)
{
    frozen f = {.n = 2, .q = {0, 0, 0, 0.5}, .v = {0, 0, 0, -2}, .load = {0, -4, 0, 0}};
    for (int i = 0; i < 4; i++) f.W[5 * i] = 1;
    static const double share[] = {0.1, 10};
    for (int k = 0; k < 2; k++) {
        instant it;
        double h;
        pc_error err = {0};
        begin(&it, &f, &pc_law_newton, 0.5, 0);
        ck_assert_int_eq(it.touching.n, 1);
        it.memory[0].greatest_speed = 3;
        pc_resolver resolver = resolver_of(&it);
        ck_assert_int_eq(pc_impulse_step_length(&resolver, &it.touching, share[k], &h, &err), PC_OK);
        ck_assert_double_eq_tol(h, k == 0 ? 0.1 * 3 / 4 : 0.125, 1e-16);
        end(&it);
    }
}
END_TEST

/* A slip that was put back past zero has come to rest, unless velocities have jumped: then they say how it goes on. */
START_TEST(what_was_closed_takes_part_as_it_has_moved)
{
    const struct {
        int mode;
        double v_t;
        bool jumped, turned, rest;
    } cases[] = {{1, -1, false, true, true},       {1, -1, true, true, false},  {-1, -1, false, false, false},
                 {1, -1e-18, false, false, false}, {0, -1, false, false, true}, {-1, 1, false, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const frozen f = particle(cases[i].v_t, 0);
        instant it;
        begin(&it, &f, &pc_law_newton, 0, 0.25);
        it.touching.n = 0;
        it.contacts.n = 1;
        it.contacts.pair[0] = 0;
        it.contacts.mode[0] = cases[i].mode;
        const pc_resolver r = resolver_of(&it);
        ck_assert_int_eq(pc_resolver_has_turned(&r, 0), cases[i].turned);
        ck_assert_int_eq(pc_resolver_add_closed(&r, cases[i].jumped, &it.touching, NULL), PC_OK);
        ck_assert_int_eq(it.touching.n, 1);
        ck_assert_int_eq(it.touching.at[0].rest, cases[i].rest);
        ck_assert_int_eq(it.touching.at[0].slip, cases[i].rest ? 0 : cases[i].mode);
        ck_assert_int_eq(it.touching.at[0].kept, !cases[i].jumped);
        pc_contacts_open(&it.contacts, 1);
        ck_assert_int_eq(it.contacts.n, 1);
        pc_contacts_open(&it.contacts, 0);
        ck_assert_int_eq(it.contacts.n, 0);
        end(&it);
    }
}
END_TEST

/* ---- guards that fall ---- */

static pc_status room(void *context, int lasting, pc_instant *now, pc_error *err)
{
    (void)err;
    ck_assert_int_le(lasting, ((instant *)context)->f.n);
    now->resolver = resolver_of(context);
    return PC_OK;
}

static pc_instant instant_of(instant *it)
{
    const pc_resolver r = resolver_of(it);
    return (pc_instant){.resolver = r,
                        .changes = {.at = r.at},
                        .touching = &it->touching,
                        .gone = &it->gone,
                        .context = it,
                        .reserve = room,
                        .last = 1,
                        .end = 3};
}

/* A particle under a load, closed in a mode (none: open), as one guard falls. */
static void fall(instant *it, const double load[2], const double v[2], bool closed, int mode, pc_guard_kind what,
                 int sign)
{
    frozen f = {.n = 1, .W = {1, 0, 0, 1}, .v = {v[PC_T], v[PC_N]}, .load = {load[PC_T], load[PC_N]}};
    pc_error err = {0};
    begin(it, &f, &pc_law_newton, 0.5, 0.25);
    it->touching.n = 0;
    it->contacts.n = closed;
    it->contacts.mode[0] = mode;
    pc_instant now = instant_of(it);
    ck_assert_int_eq(pc_mechanics_place(&it->mechanics, now.resolver.at->t, it->y), 0);
    pc_instant_open(&now);
    const pc_fallen_guard guard = {what, 0, sign, 2, false};
    ck_assert_int_eq(pc_instant_take(&now, &guard, &err), PC_OK);
    ck_assert_int_eq(pc_instant_close(&now, &err), PC_OK);
}

static int told(const instant *it)
{
    int all = 0;
    for (int k = 0; k <= PC_CHANGE_REST; k++) all += it->changes[k];
    return all;
}

START_TEST(a_guard_that_falls_changes_its_contact_alone_and_once)
{
    static const double still[2] = {0, 0}, right[2] = {3, 0}, down[2] = {0, -2}, lifted[2] = {0, 1},
                        weight[2] = {0, -1}, pushed[2] = {0.5, -1}, held[2] = {0.1, -1};
    instant it;
    fall(&it, lifted, still, true, 0, PC_GUARDS_NORMAL, 0);
    ck_assert(it.contacts.n == 0 && it.changes[PC_CHANGE_END] == 1 && told(&it) == 1);
    end(&it);
    fall(&it, pushed, still, true, 0, PC_GUARDS_MARGIN, 1);
    ck_assert(it.contacts.n == 1 && it.contacts.mode[0] == 1 && it.changes[PC_CHANGE_SLIP] == 1 && told(&it) == 1);
    end(&it);
    fall(&it, held, still, true, 0, PC_GUARDS_MARGIN, 1); /* an error of the step broke it: it sticks */
    ck_assert(it.contacts.n == 1 && it.contacts.mode[0] == 0 && told(&it) == 0);
    end(&it);
    fall(&it, weight, right, true, 1, PC_GUARDS_SLIP, 0); /* whatever rounding says of v_t */
    ck_assert(it.contacts.n == 1 && it.contacts.mode[0] == 0 && it.changes[PC_CHANGE_STICK] == 1);
    ck_assert_double_eq_tol(it.f.v[PC_T], 0, 1e-15);
    end(&it);
    fall(&it, weight, down, false, 0, PC_GUARDS_GAP, 0);
    ck_assert(it.contacts.n == 0 && it.singles == 1 && told(&it) == 0);
    ck_assert_double_eq_tol(it.f.v[PC_N], 1, 1e-15);
    end(&it);
    fall(&it, weight, right, true, 1, PC_GUARDS_RECOVERY, 0);
    ck_assert(it.contacts.n == 1 && it.contacts.mode[0] == 1 && told(&it) == 0);
    end(&it);
}
END_TEST

START_TEST(what_lies_on_the_floor_at_the_start_rests)
{
    static const double depths[] = {0, 1e-9};
    for (int k = 0; k < 2; k++) {
        frozen f = particle(0, 0);
        instant it;
        pc_error err = {0};
        f.q[PC_N] = -depths[k];
        begin(&it, &f, &pc_law_newton, 0.5, 0.25);
        pc_instant now = instant_of(&it);
        pc_status status = pc_instant_begin(&now, &err);
        ck_assert_int_eq(status, k ? PC_E_ARGUMENT : PC_OK);
        ck_assert_int_eq(it.changes[PC_CHANGE_BEGIN], !k);
        ck_assert_int_eq(it.changes[PC_CHANGE_REST], !k);
        if (k) ck_assert_ptr_nonnull(strstr(err.text, "begins with an overlap of 1e-09 m"));
        end(&it);
    }
}
END_TEST

UNIT_MAIN("resolver", 30, what_falls_bounces_and_what_touches_stays, v_rest_stops_what_hardly_bounces,
          a_bounce_below_rounding_is_the_last, bounces_accumulate_where_they_end, slip_that_jams_is_struck_from_rest,
          what_carries_nothing_rides_along, mirrors_and_the_order_of_lists_change_nothing,
          a_step_by_impulses_takes_what_presses, a_step_by_impulses_ends_before_the_next_impact,
          what_was_closed_takes_part_as_it_has_moved, a_guard_that_falls_changes_its_contact_alone_and_once,
          what_lies_on_the_floor_at_the_start_rests)
