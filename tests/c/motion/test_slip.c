/* Slip in lasting contacts: it begins where it is driven to, and friction takes energy. See also long_slip.c. */
#include "friction_random.h"

/* Its impact leaves the tip of the chain at 9 mm/s, which v_rest stops; that turns the slip from 3 to -27 mm/s. */
START_TEST(a_slip_that_is_turned_as_a_bounce_is_stopped_is_braked)
{
    static const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    const double length[] = {0.2374467975583584, 0.52065762747269195};
    const double mass[] = {1.1895277764007759, 1.4353677422337423}, rtol = 1e-10;
    double y[] = {0.16333907046615437, 0.24717484068019702, -0.1200467688022476, 0.13787165854183803};
    pc_chain chain = {.n = 2};
    double depth = 1e-6;
    for (int i = 0; i < 2; i++) {
        chain.links[i] = (pc_link){.mass = mass[i],
                                   .length = length[i],
                                   .center = length[i] / 2,
                                   .inertia = mass[i] * length[i] * length[i] / 12,
                                   .reach = length[i]};
        depth += length[i] * cos(y[i]);
    }
    for (int k = 0; k < 3; k++) {
        pc_scene scene;
        pc_error err = {0};
        pc_rigid law = rigid(0.67040189934676301, 0.16831044376978505);
        chain_scene(&scene, &chain, depth, laws[k], &law);
        scene.v_rest = 0.01;
        pc_run run;
        must(pc_run_open(&run, &scene, 0, y, &err), &err);
        pc_run_options options = run_options(&pc_ode_dop853, rtol);
        must(pc_run_advance(&run, &options, 2, &err), &err);
        size_t n;
        const pc_event_record *events = pc_run_events(&run, &n);
        ck_assert_int_eq(events[1].kind, PC_EVENT_BEGIN);
        pc_look look;
        must(pc_run_look(&run, events[1].t, 1, &look, &err), &err);
        double v[2];
        pc_configuration_velocity(&run.scratch.system.now, 0, &look.contacts->touch[0], v);
        ck_assert_double_eq_tol(v[PC_N], 0, 1e-12);
        ck_assert_double_le(v[PC_T], -0.02);
        ck_assert_int_eq(look.contacts->mode[0], -1);
        ck_assert_double_ge(look.contacts->force[0][PC_T], 0);
        check_friction(&run, rtol, "given", (unsigned long)k);
        pc_run_close(&run);
        pc_scene_free(&scene);
    }
}
END_TEST

START_TEST(friction_takes_energy_at_the_tips_of_chains)
{
    static const double slow[] = {0, 1e-3, 1e-2};
    for (uint64_t k = 0; k < 210; k++) ck_assert(!tip_check(k, slow[k % 3]));
}
END_TEST

START_TEST(falling_rods_slip_where_they_are_driven_to)
{
    static const double rtol[] = {1e-12, 1e-9, 1e-6};
    pc_rng rng;
    pc_rng_seed(&rng, 4);
    for (int k = 0; k < 30; k++) {
        falling_rod rod = rod_random(&rng);
        rod_fall(&rod, rtol[k % 3]);
    }
}
END_TEST

UNIT_MAIN("slip", 60, a_slip_that_is_turned_as_a_bounce_is_stopped_is_braked,
          friction_takes_energy_at_the_tips_of_chains, falling_rods_slip_where_they_are_driven_to)
