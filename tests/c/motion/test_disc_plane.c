/* A disc in space on a plane: limits that other laws know, closed forms of sliding, spinning and rolling, energy. */
#include "unit.h"

#include "restitution_forms.h"

#include "base/alloc.h"
#include "engine/collide.h"
#include "law/flat/flat.h"
#include "law/linear/linear.h"
#include "motion/disc_plane/disc_plane.h"

#include <math.h>

extern const pc_law pc_law_sledge3d;

#define PI 3.14159265358979323846

static pc_disc_plane disc(int model)
{
    return (pc_disc_plane){.model = model,
                           .radius = 1,
                           .mass = 1,
                           .inertia = 0.25,
                           .polar = 0.5,
                           .stiffness = 1e4,
                           .eta = 1.21,
                           .height = NAN,
                           .rows = 201,
                           .max_steps = 1000000};
}

static void run(const pc_disc_plane *task, pc_disc_run *out)
{
    pc_error err = {0};
    ck_assert_msg(pc_disc_plane_run(task, out, &err) == PC_OK, "%s", err.text);
}

/* Without friction and gravity it is the impact of pc_flat_impact, which follows another part of the axis. */
START_TEST(without_friction_it_is_the_flat_impact)
{
    static const double tilts[] = {1e-3, 0.1, 0.5, 1.2};
    for (int model = PC_FLAT_RIM; model <= PC_FLAT_AREA; model++)
        for (int i = 0; i < 4; i++) {
            pc_flat_task task = {.model = model,
                                 .lens = {1, 0, 0},
                                 .mass = 1,
                                 .inertia = 0.25,
                                 .stiffness = 1e4,
                                 .speed = 1,
                                 .restitution = 1};
            task.tilt = tilts[i];
            pc_flat_result want;
            pc_error err = {0};
            ck_assert(pc_flat_impact(&task, &want, &err) == PC_OK);
            pc_disc_plane d = disc(model);
            d.tilt = tilts[i];
            d.height = sin(tilts[i]);
            d.velocity[2] = -1;
            d.duration = want.duration * (1 + 1e-9);
            pc_disc_run got;
            run(&d, &got);
            const pc_disc_row *end = &got.rows[d.rows - 1];
            ck_assert_msg(fabs(end->vz - want.velocity) <= 1e-9, "%d, %g: %.12g, %.12g", model, tilts[i], end->vz,
                          want.velocity);
            ck_assert_msg(fabs(fabs(end->tilt) - fabs(want.tilt)) <= 1e-9, "%d, %g: %.12g, %.12g", model, tilts[i],
                          end->tilt, want.tilt);
            ck_assert_msg(got.drift <= 1e-10 * 0.5, "drift %g", got.drift);
            pc_disc_run_free(&got);
        }
}
END_TEST

/* It falls flat, sliding and spinning at once: with W = diag(1/m, r^2/C) and -v as the motion along (x, r turn) it is
 * the sledge in space, swerving between sliding and spinning. At the touch and the parting the stretch trails: the
 * direction is off by 1/LAG^2 of the force, which is below 1/LAG of its peak there, so 1e-6 is ample. */
START_TEST(a_flat_fall_with_spin_is_the_sledge_in_space)
{
    static const double motions[][2] = {{0.5, 0}, {0.1, 0.3}, {2, 1}, {0.05, -0.4}};
    for (int model = PC_FLAT_RIM; model <= PC_FLAT_AREA; model++)
        for (int i = 0; i < 4; i++) {
            double r = model == PC_FLAT_RIM ? 1 : sqrt(0.5);
            pc_mobility W = {.tt = 1, .nn = 1, .t2t2 = r * r / 0.3, .rank = 3};
            pc_linear law = {.kn = 1e4, .kt = 1e4 / 1.21, .eta = 1.21, .mu = 0.2, .restitution = 1};
            double v0[3] = {[PC_T] = motions[i][0], [PC_N] = -1, [PC_T2] = r * motions[i][1]};
            pc_impact hit;
            pc_error err = {0};
            pc_impact_init(&hit);
            ck_assert(pc_law_impact(&pc_law_sledge3d, &law, &W, v0, &hit, &err) == PC_OK);
            pc_disc_plane d = disc(model);
            d.polar = 0.3;
            d.friction = 0.2;
            d.height = 0;
            d.velocity[0] = motions[i][0];
            d.velocity[2] = -1;
            d.spin = motions[i][1];
            d.duration = hit.duration * 1.01;
            pc_disc_run got;
            run(&d, &got);
            const pc_disc_row *end = &got.rows[d.rows - 1];
            ck_assert_double_eq_tol(end->vz, hit.v1[PC_N], 1e-9);
            ck_assert_msg(fabs(end->vx - hit.v1[PC_T]) <= 1e-6, "%d, %d: vx %.10g, %.10g", model, i, end->vx,
                          hit.v1[PC_T]);
            ck_assert_msg(fabs(r * end->spin - hit.v1[PC_T2]) <= 1e-6, "%d, %d: spin %.10g, %.10g", model, i, end->spin,
                          hit.v1[PC_T2] / r);
            ck_assert(end->mode == PC_DISC_FLIGHT);
            pc_disc_run_free(&got);
            pc_impact_free(&hit);
        }
}
END_TEST

/* The springs stretch first, within sqrt(m/kt): rows after that. */
START_TEST(a_sliding_disc_slows_by_mu_g)
{
    pc_disc_plane d = disc(PC_FLAT_AREA);
    d.friction = 0.3;
    d.gravity = 9.81;
    d.velocity[1] = 2;
    d.duration = 0.6;
    pc_disc_run got;
    run(&d, &got);
    const pc_disc_row *a = &got.rows[40], *b = &got.rows[200];
    ck_assert_double_eq_tol((a->vy - b->vy) / (b->t - a->t), 0.3 * 9.81, 1e-9);
    ck_assert_double_eq_tol(b->vx, 0, 1e-15);
    ck_assert_double_eq_tol(b->friction, 0.3 * 9.81, 1e-9);
    ck_assert_double_eq_tol(b->lost_friction + b->kinetic + b->stored + b->potential,
                            got.rows[0].kinetic + got.rows[0].stored + got.rows[0].potential, 1e-11);
    pc_disc_run_free(&got);
}
END_TEST

START_TEST(a_spinning_disc_slows_by_the_couple_at_the_radius_of_gyration)
{
    for (int model = PC_FLAT_RIM; model <= PC_FLAT_AREA; model++) {
        pc_disc_plane d = disc(model);
        d.friction = 0.3;
        d.gravity = 9.81;
        d.spin = 7;
        d.duration = 0.6;
        pc_disc_run got;
        run(&d, &got);
        const pc_disc_row *a = &got.rows[40], *b = &got.rows[200];
        double couple = 0.3 * 9.81 * (model == PC_FLAT_RIM ? 1 : sqrt(0.5));
        ck_assert_double_eq_tol(-b->couple, couple, 1e-9);
        ck_assert_double_eq_tol((a->spin - b->spin) / (b->t - a->t), couple / 0.5, 1e-9);
        pc_disc_run_free(&got);
    }
}
END_TEST

/* With C = m r^2 sliding and spinning have one law, so that their ratio stays: they end together, after
 * sqrt(v^2 + r^2 omega^2)/(mu g) to within the times of the springs. */
START_TEST(sliding_and_spinning_end_together)
{
    pc_disc_plane d = disc(PC_FLAT_AREA);
    d.friction = 0.3;
    d.gravity = 9.81;
    d.velocity[0] = 1.5;
    d.spin = 3;
    double end = hypot(1.5, 3 * sqrt(0.5)) / (0.3 * 9.81);
    d.duration = end;
    pc_disc_run got;
    run(&d, &got);
    for (int i = 40; i < 190; i++) {
        ck_assert_double_eq_tol(got.rows[i].spin / got.rows[i].vx, 2, 1e-8);
        ck_assert_int_eq((int)got.rows[i].mode, PC_DISC_SLIP);
        /* the stretch at the start, and what the velocity gained meanwhile: mu m g/kt and less than a period */
        double left = hypot(got.rows[i].vx, got.rows[i].spin * sqrt(0.5)) / (0.3 * 9.81);
        ck_assert_double_eq_tol(got.rows[i].t + left, end, 1e-3);
    }
    ck_assert_double_lt(hypot(got.rows[200].vx, got.rows[200].spin), 0.05);
    pc_disc_run_free(&got);
}
END_TEST

/* An upright disc set down sliding rolls in the end with m a^2/(m a^2 + C) of its speed, 2/3; friction takes 1/3 of the
 * energy. The pressure centre is above the rim by part of the penetration, which falls with the stiffness. */
START_TEST(an_upright_disc_comes_to_roll_with_two_thirds_of_its_speed)
{
    double off[2];
    for (int i = 0; i < 2; i++) {
        pc_disc_plane d = disc(PC_FLAT_RIM);
        d.stiffness = i ? 1e6 : 1e4;
        d.friction = 0.3;
        d.gravity = 9.81;
        d.tilt = PI / 2;
        d.velocity[1] = 1;
        d.duration = 0.5;
        pc_disc_run got;
        run(&d, &got);
        const pc_disc_row *end = &got.rows[200];
        off[i] = fabs(end->lost_friction / 0.5 - 1.0 / 3);
        /* spring vibration of (mu m g)/sqrt(kt m) is left */
        ck_assert_double_eq_tol(end->vy, 2.0 / 3, 0.3 * 9.81 / sqrt(d.stiffness / 1.21));
        ck_assert_double_eq_tol(end->tilt, PI / 2, 1e-12);
        ck_assert_double_eq_tol(end->vx, 0, 1e-12);
        ck_assert_double_le(got.drift, 1e-10);
        pc_disc_run_free(&got);
    }
    ck_assert_msg(off[1] < 1e-3 && off[1] < off[0] / 5, "%.3g, %.3g", off[0], off[1]);
}
END_TEST

/* A disc that rolls as a cone does: the contact does not turn, so nothing is lost. By the moments about the centre
 * Omega^2 = m g a cos/[(C + m a^2) sin^3/cos + A sin cos], spin -Omega sin^2/cos, speed a Omega sin^2/cos. */
START_TEST(steady_rolling_about_the_apex_of_a_cone_goes_on)
{
    double worst[2] = {0}, lost[2];
    double tilt = 0.5, s = sin(tilt), c = cos(tilt);
    double turn = sqrt(9.81 * c / (1.5 * s * s * s / c + 0.25 * s * c)), spin = -turn * s * s / c;
    for (int i = 0; i < 2; i++) {
        pc_disc_plane d = disc(PC_FLAT_RIM);
        d.stiffness = i ? 1e6 : 1e4;
        d.friction = 0.9;
        d.gravity = 9.81;
        d.tilt = tilt;
        d.precession = turn;
        d.spin = spin;
        d.velocity[1] = -spin;
        d.duration = 1;
        pc_disc_run got;
        run(&d, &got);
        for (int k = 0; k < d.rows; k++) {
            const pc_disc_row *r = &got.rows[k];
            worst[i] = fmax(worst[i], fabs(r->tilt - tilt));
            if (i) ck_assert_double_eq_tol(r->precession, turn, 2e-3 * turn);
        }
        double angle = got.rows[d.rows - 1].azimuth - remainder(turn, 2 * PI);
        ck_assert_double_eq_tol(angle, 0, i ? 2e-3 : 2e-2);
        lost[i] = got.rows[d.rows - 1].lost_friction / got.rows[0].kinetic;
        ck_assert_double_le(got.drift, 1e-10);
        pc_disc_run_free(&got);
    }
    ck_assert_msg(worst[1] < worst[0] / 5 && worst[1] < 2e-4, "tilt is off by %.3g, %.3g", worst[0], worst[1]);
    ck_assert_msg(lost[1] < lost[0] && lost[1] < 1e-3, "lost %.3g, %.3g", lost[0], lost[1]);
}
END_TEST

START_TEST(a_damped_flat_fall_has_hunt_and_crossleys_restitution)
{
    for (int i = 1; i < 4; i++) {
        pc_disc_plane d = disc(PC_FLAT_AREA);
        d.damping = 0.4 * i;
        d.velocity[2] = -1;
        d.duration = 0.1;
        pc_disc_run got;
        run(&d, &got);
        const pc_disc_row *end = &got.rows[200];
        ck_assert_double_eq_tol(end->vz, hunt_crossley_e(0.4 * i), 1e-10);
        ck_assert_double_eq_tol(end->lost_damping, (1 - end->vz * end->vz) / 2, 1e-10);
        pc_disc_run_free(&got);
    }
}
END_TEST

/* Steady rolling at lever l: A Omega^2 sin = m g l + (C + m l^2) Omega spin tan. A disc that settles slowly passes
 * through such states: it gains and loses tilt at 2 per cent of its rate of rolling at most, and the balance holds to
 * the nutation that the start leaves. In the end it lies flat. */
START_TEST(a_rolling_disc_settles_ever_faster_until_it_lies_flat)
{
    pc_disc_plane d = disc(PC_FLAT_RIM);
    d.radius = 0.0375;
    d.mass = 0.4;
    d.inertia = 0.4 * 0.0375 * 0.0375 / 4;
    d.polar = 2 * d.inertia;
    d.stiffness = 1e5;
    d.friction = 0.3;
    d.damping = 2;
    d.gravity = 9.81;
    d.tilt = 0.3;
    d.precession = sqrt(4 * 9.81 / (0.0375 * sin(0.3)));
    d.duration = 2;
    pc_disc_run got;
    run(&d, &got);
    for (int i = 1; i < d.rows; i++) {
        const pc_disc_row *r = &got.rows[i];
        ck_assert_double_ge(r->lost_damping, got.rows[i - 1].lost_damping);
        ck_assert_double_ge(r->lost_friction, got.rows[i - 1].lost_friction - 1e-12);
        if (r->tilt < 1e-3) continue;
        double l = r->lever, turn = r->precession;
        double weight = d.mass * 9.81 * l + (d.polar + d.mass * l * l) * turn * r->spin * tan(r->tilt);
        ck_assert_double_eq_tol(d.inertia * turn * turn * sin(r->tilt) / weight, 1, 0.1);
    }
    ck_assert_double_gt(got.rows[120].precession, 4 * got.rows[0].precession);
    ck_assert_double_lt(got.rows[d.rows - 1].tilt, 1e-6);
    ck_assert_double_eq_tol(got.rows[d.rows - 1].force, 0.4 * 9.81, 1e-3);
    ck_assert_double_le(got.drift, 1e-11 * got.rows[0].kinetic);
    pc_disc_run_free(&got);
}
END_TEST

/* Everything at once: dropped tilted, spinning and sliding, on a rough damped plane. */
START_TEST(the_ledger_closes_through_bounces_slips_and_rolls)
{
    for (int model = PC_FLAT_RIM; model <= PC_FLAT_AREA; model++) {
        pc_disc_plane d = disc(model);
        d.friction = 0.4;
        d.damping = 0.3;
        d.gravity = 9.81;
        d.tilt = 0.4;
        d.height = 1;
        d.spin = 4;
        d.tilt_rate = -0.7;
        d.precession = 2;
        d.velocity[0] = 1;
        d.velocity[1] = -0.6;
        d.duration = 3;
        pc_disc_run got;
        run(&d, &got);
        ck_assert_uint_gt(got.n_phases, 5);
        ck_assert_msg(got.drift <= 1e-10 * (got.rows[0].kinetic + got.rows[0].potential), "drift %.3g J", got.drift);
        double before = 0;
        for (size_t i = 0; i < got.n_phases; i++) {
            ck_assert_double_eq_tol(got.phases[i].start, before, 1e-15);
            before = got.phases[i].stop;
        }
        for (int i = 1; i < d.rows; i++) {
            const pc_disc_row *r = &got.rows[i];
            ck_assert_double_ge(r->lost_friction, got.rows[i - 1].lost_friction - 1e-10);
            ck_assert_double_le(r->friction, 0.4 * r->force + 1e-9);
            ck_assert_double_ge(r->force, 0);
        }
        pc_disc_run_free(&got);
    }
}
END_TEST

START_TEST(short_memory_and_failures_leave_nothing_behind)
{
    pc_disc_plane d = disc(PC_FLAT_AREA);
    d.friction = 0.3;
    d.gravity = 9.81;
    d.height = 0.2;
    d.tilt = 0.1;
    d.duration = 0.25;
    pc_status status = PC_E_MEMORY;
    long live = pc_alloc_live(), n = 0;
    for (; status && n < 1000000; n += 1 + n / 8) {
        pc_disc_run got;
        pc_error err = {0};
        pc_alloc_fail_after(n);
        status = pc_disc_plane_run(&d, &got, &err);
        pc_alloc_fail_after(-1);
        ck_assert_msg(status == PC_OK || status == PC_E_MEMORY, "request %ld: %s", n, err.text);
        pc_disc_run_free(&got);
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert_int_gt(n, 5);
    ck_assert(status == PC_OK);
}
END_TEST

UNIT_MAIN("disc_plane", 120, without_friction_it_is_the_flat_impact, a_flat_fall_with_spin_is_the_sledge_in_space,
          a_sliding_disc_slows_by_mu_g, a_spinning_disc_slows_by_the_couple_at_the_radius_of_gyration,
          sliding_and_spinning_end_together, an_upright_disc_comes_to_roll_with_two_thirds_of_its_speed,
          steady_rolling_about_the_apex_of_a_cone_goes_on, a_damped_flat_fall_has_hunt_and_crossleys_restitution,
          a_rolling_disc_settles_ever_faster_until_it_lies_flat, the_ledger_closes_through_bounces_slips_and_rolls,
          short_memory_and_failures_leave_nothing_behind)
