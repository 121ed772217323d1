/* Motions with impacts in C: known bounces and spinning rods, energy in impacts, failures, memory. The reference values
 * of Sypniewska-Kaminska's pendulum are tested from Lua. */
#include "base/alloc.h"
#include "base/status.h"
#include "motion_oracle.h"

START_TEST(known_bounces_happen_and_no_others)
{
    pc_rng rng;
    pc_rng_seed(&rng, 61);
    for (int k = 0; k < 500; k++) bounce(&rng);
}
END_TEST

START_TEST(spinning_rods_strike_where_sampling_finds_it)
{
    pc_rng rng;
    pc_rng_seed(&rng, 62);
    int agreed = 0;
    for (int k = 0; k < 200; k++) agreed += spin(&rng) > 0;
    ck_assert_int_gt(agreed, 150);
}
END_TEST

/* Poisson without friction and loss: the impact alone keeps the kinetic energy to rounding. */
START_TEST(elastic_smooth_impacts_keep_the_energy)
{
    pc_error err = {0};
    pc_chain chain;
    pc_rng rng;
    pc_rng_seed(&rng, 63);
    for (int k = 0; k < 100; k++) {
        random_chain(&rng, 1 + (int)pc_rng_below(&rng, 6), false, &chain);
        double length = 0, y[12];
        for (int i = 0; i < chain.n; i++) length += chain.links[i].length;
        for (int i = 0; i < chain.n; i++) {
            y[i] = M_PI + pc_rng_between(&rng, -1.4, 1.4);
            y[chain.n + i] = pc_rng_between(&rng, -2, 2);
        }
        pc_rigid law = rigid(1, 0);
        pc_scene scene;
        chain_scene(&scene, &chain, 0.5 * length, &pc_law_poisson, &law);
        pc_run run;
        must(pc_run_open(&run, &scene, 0, y, &err), &err);
        pc_run_options options = run_options(&pc_ode_dop853, 1e-6);
        must(pc_run_advance(&run, &options, 2, &err), &err);
        size_t n;
        const pc_impact_record *impacts = pc_run_impacts(&run, &n);
        for (size_t i = 0; i < n; i++) {
            /* total energies, whose rounding is that of the potential (at most 18 kg are 6 links) and of their sum */
            ck_assert_double_eq_tol(impacts[i].energy1, impacts[i].energy0,
                                    1e-14 * (fabs(impacts[i].energy0) + 9.81 * 18 * length));
        }
        pc_run_close(&run);
        pc_scene_free(&scene);
    }
}
END_TEST

/* The linear law at frozen configuration serves a motion as any rigid law does; at eta near 0 it is Stronge's. */
START_TEST(a_compliant_law_serves_a_motion)
{
    pc_error err = {0};
    pc_chain chain;
    paper_chain(&chain);
    double y[4], params[64] = {0}, first[2];
    pc_scene scene;
    for (int k = 0; k < 2; k++) {
        pc_rigid law = rigid(1, 0.15);
        uint64_t given = 0;
        const pc_schema *schema = pc_law_linear.schema;
        ck_assert_uint_le(schema->size, sizeof params);
        pc_schema_defaults(schema, params);
        must(pc_schema_set_number(schema, pc_schema_find(schema, "stiffness"), params, 1e7, &given, &err), &err);
        must(pc_schema_set_number(schema, pc_schema_find(schema, "eta"), params, 1e-6, &given, &err), &err);
        must(pc_schema_set_number(schema, pc_schema_find(schema, "friction"), params, 0.15, &given, &err), &err);
        must(pc_schema_finish(schema, params, given, &err), &err);
        if (k)
            chain_scene(&scene, &chain, 0.9, &pc_law_linear, params);
        else
            chain_scene(&scene, &chain, 0.9, &pc_law_stronge, &law);
        ck_assert_double_eq(scene.pairs[0].friction, 0.15);
        paper_start(y);
        pc_run run;
        must(pc_run_open(&run, &scene, 0, y, &err), &err);
        pc_run_options options = run_options(&pc_ode_dop853, 1e-10);
        must(pc_run_advance(&run, &options, 2, &err), &err);
        size_t n;
        const pc_impact_record *impacts = pc_run_impacts(&run, &n);
        ck_assert_uint_ge(n, 1);
        first[k] = impacts[0].energy1;
        pc_run_close(&run);
        pc_scene_free(&scene);
    }
    /* the deviation is of the order of sqrt(eta) of the energy lost */
    ck_assert_double_eq_tol(first[0], first[1], 0.05);
}
END_TEST

START_TEST(what_begins_in_an_obstacle_is_refused)
{
    pc_error err = {0};
    pc_chain chain;
    paper_chain(&chain);
    pc_rigid law = rigid(0.9, 0);
    pc_scene scene;
    chain_scene(&scene, &chain, 0.9, &pc_law_poisson, &law);
    double y[4] = {0};
    pc_run run;
    must(pc_run_open(&run, &scene, 0, y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, 1e-10);
    ck_assert_int_eq(pc_run_advance(&run, &options, 1, &err), PC_E_ARGUMENT);
    ck_assert_msg(strstr(err.text, "an overlap of 0.3 m"), "%s", err.text);
    pc_run_close(&run);
    pc_scene_free(&scene);
}
END_TEST

START_TEST(an_interrupted_run_goes_on_where_it_was)
{
    pc_error err = {0};
    pc_chain chain;
    paper_chain(&chain);
    pc_rigid law = rigid(0.9, 0.15);
    pc_scene scene;
    chain_scene(&scene, &chain, 0.9, &pc_law_poisson, &law);
    double y[4];
    paper_start(y);
    pc_run run;
    must(pc_run_open(&run, &scene, 0, y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, 1e-10);
    must(pc_run_advance(&run, &options, 3, &err), &err);
    pc_interrupt_flag = 1;
    ck_assert_int_eq(pc_run_advance(&run, &options, 6, &err), PC_E_INTERRUPTED);
    pc_interrupt_flag = 0;
    ck_assert_int_eq(run.state.stop, PC_RUN_INTERRUPTED);
    ck_assert_double_eq(run.state.t, 3);
    must(pc_run_advance(&run, &options, 6, &err), &err);
    size_t n;
    pc_run_impacts(&run, &n);
    ck_assert_uint_eq(n, 10);
    pc_run_close(&run);
    pc_scene_free(&scene);
}
END_TEST

/* Every request for memory of a run with impacts and lasting contacts fails once: an error, and nothing left behind. */
START_TEST(memory_may_run_out_anywhere)
{
    pc_error err = {0};
    pc_chain chain;
    paper_chain(&chain);
    pc_rigid law = rigid(0.2, 0.15);
    double y[4];
    paper_start(y);
    long live = pc_alloc_live();
    bool done = false;
    for (long k = 0; !done && k < 1000; k++) {
        pc_scene scene;
        chain_scene(&scene, &chain, 0.9, &pc_law_poisson, &law);
        pc_alloc_fail_after(k);
        pc_run run;
        pc_status status = pc_run_open(&run, &scene, 0, y, &err);
        if (status == PC_OK) {
            pc_run_options options = run_options(&pc_ode_dop853, 1e-8);
            status = pc_run_advance(&run, &options, 3, &err);
            pc_run_close(&run);
        }
        done = status == PC_OK;
        pc_alloc_fail_after(-1);
        if (!done) ck_assert_int_eq(status, PC_E_MEMORY);
        pc_scene_free(&scene);
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert(done);
}
END_TEST

UNIT_MAIN("sim", 120, known_bounces_happen_and_no_others, spinning_rods_strike_where_sampling_finds_it,
          elastic_smooth_impacts_keep_the_energy, a_compliant_law_serves_a_motion,
          what_begins_in_an_obstacle_is_refused, an_interrupted_run_goes_on_where_it_was, memory_may_run_out_anywhere)
