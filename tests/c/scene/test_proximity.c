/* What is known of pairs near contact, asked of a configuration and what pairs remember, with no run around. */
#include "motion/state.h"
#include "motion_scenes.h"

static pc_rigid law;

/* A body with one corner of a radius, before an outline that stands still; the only pair. */
typedef struct one_pair {
    pc_scene scene;
    pc_configuration now;
    pc_places places;
    pc_run_state state;
} one_pair;

static void begin(one_pair *p, double radius, pc_outline fixed, const double *y)
{
    pc_error err = {0};
    memset(p, 0, sizeof *p);
    p->scene.gravity = 9.81;
    law = rigid(0.5, 0.1);
    must(pc_scene_add_body(&p->scene, &(pc_free_body){1, 0.1}, "body", &err), &err);
    pc_outline tip = pc_outline_point("tip", 0, 0, radius);
    tip.member = 0;
    add_hull(&p->scene, tip);
    add_hull(&p->scene, fixed);
    must(pc_scene_join(&p->scene, &pc_law_newton, &law, &err), &err);
    ck_assert_int_eq(p->scene.n_pairs, 1);
    must(pc_configuration_open(&p->now, &p->scene, &err), &err);
    must(pc_run_state_open(&p->state, &p->scene, 0, y, &err), &err);
    p->places = pc_run_state_places(&p->state);
    ck_assert_int_eq(p->places.feature[0], -1);
    ck_assert_int_eq(pc_configuration_place(&p->now, 0, y), 0);
}

static void end(one_pair *p)
{
    pc_run_state_close(&p->state);
    pc_configuration_close(&p->now);
    pc_scene_free(&p->scene);
}

START_TEST(a_residual_adds_to_the_gap)
{
    one_pair p;
    const double y[6] = {0, 0.15};
    begin(&p, 0.1, pc_outline_plane("floor", 0, 0, 0, 1), y);
    ck_assert_double_eq_tol(pc_pair_gap(&p.now, &p.places, p.state.memory, 0), 0.05, 1e-16);
    p.state.memory[0].residual = 0.01;
    ck_assert_double_eq_tol(pc_pair_gap(&p.now, &p.places, p.state.memory, 0), 0.06, 1e-16);
    end(&p);
}
END_TEST

START_TEST(a_point_that_sinks_into_a_thin_core_keeps_its_face)
{
    one_pair p;
    double y[6] = {0, 0.1};
    begin(&p, 0, pc_outline_polygon("bar", (double[4]){-1, 0, 1, 0}, 2, 0), y);
    double length = p.scene.pairs[0].length;
    ck_assert(p.scene.pairs[0].thin);
    ck_assert(pc_pair_update_face(&p.now, &p.places, 0)); /* it was not known before */
    int above = p.places.face[0];
    ck_assert_int_eq(above * above, 1);
    ck_assert_double_eq_tol(pc_pair_gap(&p.now, &p.places, p.state.memory, 0), 0.1, 1e-15);
    y[1] = -1e-5 * length;
    ck_assert_int_eq(pc_configuration_place(&p.now, 0, y), 0);
    ck_assert(!pc_pair_update_face(&p.now, &p.places, 0));
    ck_assert_double_lt(pc_pair_gap(&p.now, &p.places, p.state.memory, 0), 0);
    y[1] = -1e-3 * length;
    ck_assert_int_eq(pc_configuration_place(&p.now, 0, y), 0);
    ck_assert(pc_pair_update_face(&p.now, &p.places, 0));
    ck_assert_int_eq(p.places.face[0], -above);
    ck_assert_double_gt(pc_pair_gap(&p.now, &p.places, p.state.memory, 0), 0);
    end(&p);
}
END_TEST

START_TEST(a_speed_that_was_seen_is_the_scale_of_velocities)
{
    one_pair p;
    const double y[6] = {0, 0.1, 0, 3, -40, 2};
    begin(&p, 0.1, pc_outline_plane("floor", 0, 0, 0, 1), y);
    double fall = sqrt(9.81 * p.scene.pairs[0].length);
    ck_assert_double_eq(pc_pair_speed_scale(&p.scene, p.state.memory, 0), fall);
    pc_pair_record_speed(&p.now, p.state.memory, 0);
    double scale = pc_pair_speed_scale(&p.scene, p.state.memory, 0);
    ck_assert_double_eq_tol(scale, 3 + 40 + 0.1 * 2, 1e-14);
    ck_assert_double_eq(pc_pair_resolution(&p.scene, p.state.memory, 0), 64 * DBL_EPSILON * scale);
    end(&p);
}
END_TEST

static bool rides(const pc_contact_state *known, const double a[3])
{
    memcpy(known->a, a, 3 * sizeof *a);
    return pc_pair_rides_along(known, 0);
}

START_TEST(what_touches_without_moving_rides_along_where_others_are_closed)
{
    one_pair p;
    const double y[6] = {0, 0.1}, still[3] = {0}, falls[3] = {0, -9.81, 0};
    begin(&p, 0.1, pc_outline_plane("floor", 0, 0, 0, 1), y);
    pc_planar planar = {.places = p.places};
    const pc_mechanics mechanics = {.self = &planar, .at = &p.now};
    double a[3] = {0};
    const pc_contact_state known = {.mechanics = &mechanics,
                                    .t = p.state.t,
                                    .contacts = &p.state.contacts,
                                    .compliant = &p.state.compliant,
                                    .memory = p.state.memory,
                                    .a = a};
    ck_assert(!rides(&known, still)); /* nothing is closed that could bear it */
    p.state.contacts.n = 1;
    ck_assert(rides(&known, still));
    ck_assert(!rides(&known, falls));
    p.state.memory[0].riding = p.state.t; /* an instant has just said so */
    ck_assert(rides(&known, falls));
    end(&p);
}
END_TEST

UNIT_MAIN("proximity", 30, a_residual_adds_to_the_gap, a_point_that_sinks_into_a_thin_core_keeps_its_face,
          a_speed_that_was_seen_is_the_scale_of_velocities,
          what_touches_without_moving_rides_along_where_others_are_closed)
