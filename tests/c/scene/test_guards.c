/* What is watched between two instants, without a run: guards of a list of contacts on polynomials that are known. */
#include "scene/guards.h"
#include "motion_scenes.h"

static const double GRAVITY = 10, MU = 0.25;

/* A disc over a floor, what of it is closed, and who watches it. */
typedef struct watched {
    pc_scene scene;
    pc_rigid law;
    pc_planar planar;
    pc_block block;
    pc_contacts contacts;
    pc_compliant compliant;
    pc_pair_memory memory[1];
    double y[6], a[6], spare[6], steps[6 * 3];
    pc_contact_state at;
    pc_instant instant;
    pc_guards guards;
    pc_error err;
} watched;

static void begin(watched *w, const double y[6], bool closed, int mode)
{
    memset(w, 0, sizeof *w);
    w->scene.gravity = GRAVITY;
    w->law = rigid(0.5, MU);
    must(pc_scene_add_body(&w->scene, &(pc_free_body){1, 1e9}, "disc", &w->err), &w->err); /* hardly turns */
    pc_outline disc = pc_outline_point("disc", 0, 0, 0.1);
    disc.member = 0;
    add_hull(&w->scene, disc);
    add_hull(&w->scene, pc_outline_plane("floor", 0, 0, 0, 1));
    must(pc_scene_join(&w->scene, &pc_law_newton, &w->law, &w->err), &w->err);
    must(pc_planar_open(&w->planar, &w->scene, &w->err), &w->err);
    must(pc_block_open(&w->block, 3, 1, &w->err), &w->err);
    must(pc_contacts_reserve(&w->contacts, 1, &w->err), &w->err);
    memcpy(w->y, y, sizeof w->y);
    w->contacts.n = closed;
    w->contacts.mode[0] = mode;
    w->memory[0] = (pc_pair_memory){.greatest_speed = 1, .last_impact = NAN, .riding = NAN};
    w->at = (pc_contact_state){.mechanics = &w->planar.mechanics,
                               .t = 1,
                               .y = w->y,
                               .contacts = &w->contacts,
                               .compliant = &w->compliant,
                               .memory = w->memory,
                               .a = w->a,
                               .block = &w->block};
    w->instant = (pc_instant){.resolver = {.at = &w->at, .spare = w->spare}};
    w->guards =
        (pc_guards){.planar = &w->planar, .scene = &w->scene, .instant = &w->instant, .rtol = 1e-10, .err = &w->err};
    must(pc_guards_open(&w->guards), &w->err);
    must(pc_guards_watch(&w->guards, 0, 0), &w->err);
}

static void end(watched *w)
{
    pc_guards_close(&w->guards);
    pc_contacts_close(&w->contacts);
    pc_block_close(&w->block);
    pc_planar_close(&w->planar);
    pc_scene_free(&w->scene);
}

/* A step of length h with the accelerations a, from y at t = 1: the coefficients of Bernstein of degree 2. */
static pc_dense fall(watched *w, const double a[3], double h)
{
    for (int i = 0; i < 3; i++) {
        const double q = w->y[i], u = w->y[3 + i];
        double *place = w->steps + 3 * i, *speed = w->steps + 9 + 3 * i;
        place[0] = q, place[1] = q + h * u / 2, place[2] = q + h * u + h * h * a[i] / 2;
        for (int k = 0; k < 3; k++) speed[k] = u + k * h * a[i] / 2;
    }
    return (pc_dense){1, h, 6, 2, w->steps};
}

/* The only event of a step, by what it guards. */
static void find(watched *w, const pc_dense *dense, pc_guard_kind what, double t)
{
    ck_assert(!pc_guards_skip_idle(&w->guards, dense));
    must(pc_locator_scan(&w->guards.locator, dense, &w->err), &w->err);
    ck_assert_int_eq(w->guards.locator.n_found, 1);
    const pc_occurrence *found = w->guards.locator.found;
    ck_assert_int_eq(w->guards.guards[found->event].what, what);
    ck_assert_int_eq(w->guards.guards[found->event].pair, 0);
    ck_assert_double_eq_tol(found->t, t, 4e-15); /* times near 2 round by 2e-16, zeros by some of that */
}

START_TEST(a_gap_closes_where_the_polynomial_of_the_step_says)
{
    watched w;
    const double y[6] = {0, 0.6, 0, 3, 0, 0}, a[3] = {0, -GRAVITY, 0};
    begin(&w, y, false, 0);
    pc_dense dense = fall(&w, a, 0.1); /* 0.5 m take sqrt(0.1) s */
    ck_assert(pc_guards_skip_idle(&w.guards, &dense));
    dense = fall(&w, a, 0.5);
    find(&w, &dense, PC_GUARDS_GAP, 1 + sqrt(0.1));
    must(pc_guards_leave_out(&w.guards, &dense), &w.err); /* a rigid law acts at once */
    ck_assert_int_eq(w.guards.locator.n_found, 1);
    end(&w);
}
END_TEST

START_TEST(slip_ends_where_its_velocity_does_and_the_normal_force_stays)
{
    watched w;
    for (int mode = -1; mode <= 1; mode += 2) {
        const double y[6] = {0, 0.1, 0, mode * 2, 0, 0}, a[3] = {-mode * MU * GRAVITY, 0, 0};
        begin(&w, y, true, mode);
        ck_assert_double_eq_tol(w.contacts.force[0][PC_N], GRAVITY, 1e-13);
        pc_dense dense = fall(&w, a, 2);
        find(&w, &dense, PC_GUARDS_SLIP, 1 + 2 / (MU * GRAVITY));
        end(&w);
    }
}
END_TEST

/* What lies on the floor in a list of contacts is watched as that; else its gap, which is zero, closes as soon as it
 * falls, and only then. */
START_TEST(what_touches_without_being_closed_strikes_as_soon_as_it_falls)
{
    watched w;
    const double y[2][6] = {{0, 0.1, 0, 0, -1, 0}, {0, 0.1, 0, 0, 1, 0}}, a[3] = {0};
    for (int rises = 0; rises < 2; rises++) {
        begin(&w, y[rises], false, 0);
        const pc_dense dense = fall(&w, a, 0.5);
        if (rises) {
            must(pc_locator_scan(&w.guards.locator, &dense, &w.err), &w.err);
            ck_assert_int_eq(w.guards.locator.n_found, 0);
        } else {
            find(&w, &dense, PC_GUARDS_GAP, 1);
        }
        end(&w);
    }
}
END_TEST

UNIT_MAIN("guards", 30, a_gap_closes_where_the_polynomial_of_the_step_says,
          slip_ends_where_its_velocity_does_and_the_normal_force_stays,
          what_touches_without_being_closed_strikes_as_soon_as_it_falls)
