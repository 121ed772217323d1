/* Planar chains: against maximal coordinates with multipliers, momentum, energy. */
#include "body/chain.h"
#include "math/linsolve.h"
#include "motion_scenes.h"

enum { MOST = 8, UNKNOWNS = 5 * MOST };

static const double no_motion[2] = {0, 0};

/* Accelerations by Newton and Euler in maximal coordinates: for each link ax, ay of its mass centre and its
 * angular acceleration, for each joint its force on the link below, with the joints' accelerations equal as
 * constraints. Torques are taken from pc_chain_load, whose force is gravity and whose moment is about the upper
 * joint. */
static void maximal(const pc_chain *chain, const pc_chain_force *loads, const double *q, const double *u,
                    const double pivot[2], double *alpha, double *reaction)
{
    int n = chain->n, size = 5 * n, pivots[UNKNOWNS];
    double A[UNKNOWNS * UNKNOWNS] = {0}, b[UNKNOWNS] = {0};
    for (int i = 0; i < n; i++) {
        const pc_link *link = &chain->links[i];
        double ex = sin(q[i]), ey = -cos(q[i]), c = link->center, l = link->length;
        double upper[2] = {-c * ex, -c * ey}, lower[2] = {(l - c) * ex, (l - c) * ey};
        double *rows = A + 3 * i * size;
        int R = 3 * n + 2 * i; /* on this link at its upper joint; the next on the next link */
        rows[3 * i] = rows[size + 3 * i + 1] = link->mass;
        rows[2 * size + 3 * i + 2] = link->inertia;
        rows[R] = rows[size + R + 1] = -1;
        rows[2 * size + R] = upper[1];
        rows[2 * size + R + 1] = -upper[0];
        if (i + 1 < n) {
            rows[R + 2] = rows[size + R + 3] = 1;
            rows[2 * size + R + 2] = -lower[1];
            rows[2 * size + R + 3] = lower[0];
        }
        b[3 * i] = loads[i].fx;
        b[3 * i + 1] = loads[i].fy;
        b[3 * i + 2] = loads[i].moment - (c * ex * loads[i].fy - c * ey * loads[i].fx);
        /* acceleration of the upper joint seen from this link, minus that from the one above */
        double *constraint = A + (3 * n + 2 * i) * size, *right = b + 3 * n + 2 * i;
        for (int side = 0; side < 2; side++) {
            int k = i - side;
            if (k < 0) {
                right[0] += pivot[0];
                right[1] += pivot[1];
                continue;
            }
            double kx = sin(q[k]), ky = -cos(q[k]), arm = side ? chain->links[k].length - chain->links[k].center : -c;
            double sign = side ? -1 : 1, w2 = u[k] * u[k];
            constraint[3 * k] += sign;
            constraint[size + 3 * k + 1] += sign;
            constraint[3 * k + 2] += sign * -arm * ky;
            constraint[size + 3 * k + 2] += sign * arm * kx;
            right[0] += sign * w2 * arm * kx;
            right[1] += sign * w2 * arm * ky;
        }
    }
    ck_assert(pc_lu_factor(A, size, pivots));
    pc_lu_solve(A, size, pivots, b);
    for (int i = 0; i < n; i++) alpha[i] = b[3 * i + 2];
    memcpy(reaction, b + 3 * n, 2 * (size_t)n * sizeof *b);
}

START_TEST(accelerations_and_reactions_are_those_of_maximal_coordinates)
{
    pc_rng rng;
    pc_rng_seed(&rng, 51);
    for (int k = 0; k < 2000; k++) {
        pc_chain chain;
        pc_chain_node nodes[MOST + 1];
        pc_chain_force forces[MOST];
        double q[MOST], u[MOST], alpha[MOST], want[MOST], reaction[2 * MOST];
        random_chain(&rng, 1 + (int)pc_rng_below(&rng, MOST), true, &chain);
        for (int i = 0; i < chain.n; i++) {
            q[i] = pc_rng_between(&rng, -4, 4);
            u[i] = pc_rng_between(&rng, -5, 5);
        }
        double t = pc_rng_between(&rng, 0, 3), pivot[2] = {pc_rng_between(&rng, -9, 9), pc_rng_between(&rng, -9, 9)};
        pc_chain_place(&chain, no_motion, q, nodes);
        pc_chain_factor(&chain, nodes);
        pc_chain_load(&chain, nodes, t, q, u, 9.81, forces);
        pc_chain_push(nodes, chain.n - 1, 0.3, -0.2, 4, 7, forces); /* a force on the last link */
        pc_chain_solve(&chain, nodes, pivot, u, forces, alpha);
        maximal(&chain, forces, q, u, pivot, want, reaction);
        /* the condition of the dense system reaches 1e4 with the lightest links below the heaviest */
        double size = 1, force = 1;
        for (int i = 0; i < chain.n; i++) size = fmax(size, fabs(want[i]));
        for (int i = 0; i < 2 * chain.n; i++) force = fmax(force, fabs(reaction[i]));
        for (int i = 0; i < chain.n; i++) {
            ck_assert_double_eq_tol(want[i], alpha[i], 1e-11 * size);
            ck_assert_double_eq_tol(reaction[2 * i], forces[i].rx, 1e-11 * force);
            ck_assert_double_eq_tol(reaction[2 * i + 1], forces[i].ry, 1e-11 * force);
        }
    }
}
END_TEST

/* Velocities of the joints, the end included. */
static void velocities(const pc_chain *chain, const pc_chain_node *nodes, const double *u, double (*v)[2])
{
    v[0][0] = v[0][1] = 0;
    for (int i = 0; i < chain->n; i++) {
        v[i + 1][0] = v[i][0] - chain->links[i].length * u[i] * nodes[i].ey;
        v[i + 1][1] = v[i][1] + chain->links[i].length * u[i] * nodes[i].ex;
    }
}

/* An impulse p at the end changes the kinetic energy by p.(v0 + v1)/2, v the velocity of the end. */
START_TEST(impulses_change_the_energy_by_their_work)
{
    pc_rng rng;
    pc_rng_seed(&rng, 52);
    for (int k = 0; k < 1000; k++) {
        pc_chain chain;
        pc_chain_node nodes[MOST + 1];
        pc_chain_force forces[MOST];
        double v0[MOST + 1][2], v1[MOST + 1][2];
        double q[MOST], u[MOST], du[MOST], p[2] = {pc_rng_between(&rng, -1, 1), pc_rng_between(&rng, -1, 1)};
        random_chain(&rng, 1 + (int)pc_rng_below(&rng, MOST), false, &chain);
        int n = chain.n;
        for (int i = 0; i < n; i++) {
            q[i] = pc_rng_between(&rng, -4, 4);
            u[i] = pc_rng_between(&rng, -5, 5);
        }
        pc_chain_place(&chain, no_motion, q, nodes);
        velocities(&chain, nodes, u, v0);
        pc_chain_factor(&chain, nodes);
        double before = pc_chain_kinetic(&chain, nodes, no_motion, u);
        pc_chain_unload(&chain, forces);
        pc_chain_push(nodes, n - 1, nodes[n].x, nodes[n].y, p[0], p[1], forces);
        pc_chain_solve(&chain, nodes, no_motion, NULL, forces, du);
        for (int i = 0; i < n; i++) u[i] += du[i];
        velocities(&chain, nodes, u, v1);
        double after = pc_chain_kinetic(&chain, nodes, no_motion, u);
        double work = 0.5 * (p[0] * (v0[n][0] + v1[n][0]) + p[1] * (v0[n][1] + v1[n][1]));
        ck_assert_double_eq_tol(after - before, work, 1e-12 * (before + after));
    }
}
END_TEST

/* Momentum of all links. */
static void momentum(const pc_chain *chain, const double *q, const double *u, double p[2])
{
    pc_chain_node nodes[MOST + 1];
    pc_chain_place(chain, no_motion, q, nodes);
    double v[MOST + 1][2];
    velocities(chain, nodes, u, v);
    p[0] = p[1] = 0;
    for (int i = 0; i < chain->n; i++) {
        const pc_link *link = &chain->links[i];
        p[0] += link->mass * (v[i][0] - link->center * u[i] * nodes[i].ey);
        p[1] += link->mass * (v[i][1] + link->center * u[i] * nodes[i].ex);
    }
}

START_TEST(the_reaction_of_the_pivot_is_the_rate_of_momentum)
{
    pc_rng rng;
    pc_rng_seed(&rng, 53);
    for (int k = 0; k < 200; k++) {
        pc_chain chain;
        pc_chain_node nodes[MOST + 1];
        pc_chain_force forces[MOST];
        double q[MOST], u[MOST], a[MOST], there[MOST], rate[MOST], ahead[2], behind[2], mass = 0;
        random_chain(&rng, 1 + (int)pc_rng_below(&rng, 4), true, &chain);
        for (int i = 0; i < chain.n; i++) {
            q[i] = pc_rng_between(&rng, -4, 4);
            u[i] = pc_rng_between(&rng, -2, 2);
            mass += chain.links[i].mass;
        }
        pc_chain_place(&chain, no_motion, q, nodes);
        pc_chain_factor(&chain, nodes);
        pc_chain_load(&chain, nodes, 0.7, q, u, 9.81, forces);
        pc_chain_solve(&chain, nodes, no_motion, u, forces, a);
        /* a central difference along q + h u + h^2 a/2, u + h a, whose second-order part cancels */
        double h = 1e-5, largest = 1;
        for (int s = -1; s <= 1; s += 2) {
            for (int i = 0; i < chain.n; i++) {
                there[i] = q[i] + s * h * u[i] + 0.5 * h * h * a[i];
                rate[i] = u[i] + s * h * a[i];
                largest = fmax(largest, fabs(a[i]));
            }
            momentum(&chain, there, rate, s > 0 ? ahead : behind);
        }
        /* what remains is h^2 of the third derivative, some w a^2, and rounding over h */
        double bound = 1e-9 * mass * (1 + largest * largest);
        ck_assert_double_eq_tol((ahead[0] - behind[0]) / (2 * h), forces[0].rx, bound);
        ck_assert_double_eq_tol((ahead[1] - behind[1]) / (2 * h), forces[0].ry - 9.81 * mass, bound);
    }
}
END_TEST

/* Largest change of energy in a run without obstacles, relative to `scale`. */
static double drift(const pc_chain *chain, double gravity, const double *y, double duration, double rtol, double scale)
{
    pc_error err = {0};
    pc_scene scene = {.gravity = gravity};
    must(pc_scene_add_chain(&scene, chain, "chain", &err), &err);
    pc_run run;
    must(pc_run_open(&run, &scene, 0, y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, rtol);
    options.record = false;
    double worst = 0;
    for (int k = 1; k <= 100; k++) {
        must(pc_run_advance(&run, &options, duration * k / 100, &err), &err);
        pc_look look;
        must(pc_run_look(&run, run.state.t, 1, &look, &err), &err);
        worst = fmax(worst, fabs(look.kinetic + look.potential - run.state.energy0) / scale);
    }
    pc_run_close(&run);
    pc_scene_free(&scene);
    return worst;
}

START_TEST(free_flight_keeps_the_energy_for_a_thousand_seconds)
{
    pc_chain chain;
    double y[4];
    paper_chain(&chain);
    paper_start(y);
    ck_assert_double_lt(drift(&chain, 9.81, y, 1000, 1e-12, 21.51565656292034), 1e-8);
}
END_TEST

/* Long links of point masses under a weak gravity: E = -16644.836893890. */
START_TEST(a_slow_double_pendulum_keeps_the_energy)
{
    pc_chain chain = {.n = 2};
    for (int i = 0; i < 2; i++) chain.links[i] = (pc_link){.mass = 40, .length = 200, .center = 200, .reach = 200};
    double y[4] = {1, 0, 0, 0};
    pc_chain_node nodes[3];
    pc_chain_place(&chain, no_motion, y, nodes);
    double energy = pc_chain_potential(&chain, nodes, y, 1);
    ck_assert_double_eq_tol(energy, -16644.836893890, 1e-9);
    ck_assert_double_lt(drift(&chain, 1, y, 1000, 1e-11, -energy), 1e-9);
}
END_TEST

static int some_torque(double t, const double *q, const double *u, double *torque, void *context)
{
    int n = *(int *)context;
    for (int i = 0; i < n; i++) torque[i] = sin(t + i) - 0.3 * q[i] * u[i];
    return t > 2.9 ? -7 : 0;
}

static int some_pivot(double t, double state[6], void *context)
{
    (void)context;
    for (int i = 0; i < 6; i++) state[i] = cos(t + i) * (1 + i);
    return 0;
}

START_TEST(short_chains_have_the_accelerations_of_the_recursion)
{
    pc_rng rng;
    pc_rng_seed(&rng, 58);
    int stopped = 0;
    for (int k = 0; k < 4000; k++) {
        pc_chain chain;
        pc_chain_node nodes[MOST + 1];
        pc_chain_force forces[MOST];
        pc_direct direct;
        double q[MOST], u[MOST], want[MOST], got[MOST], pivot[6];
        random_chain(&rng, 1 + k % PC_DIRECT_LINKS, k % 3 == 0, &chain);
        if (k % 5 == 0) chain.pivot = (pc_pivot){.amplitude_x = 0.3, .amplitude_y = -0.1, .frequency = 7, .phase = 1};
        if (k % 7 == 0) chain.pivot = (pc_pivot){.motion = some_pivot};
        if (k % 11 == 0) {
            chain.torque = some_torque;
            chain.torque_context = &chain.n;
        }
        for (int i = 0; i < chain.n; i++) {
            q[i] = pc_rng_between(&rng, -40, 40);
            u[i] = pc_rng_between(&rng, -5, 5);
        }
        double t = pc_rng_between(&rng, 0, 3);
        ck_assert(pc_direct_open(&direct, &chain, 9.81));
        pc_pivot_state(&chain.pivot, t, pivot);
        pc_chain_place(&chain, pivot, q, nodes);
        pc_chain_factor(&chain, nodes);
        int verdict = pc_chain_load(&chain, nodes, t, q, u, 9.81, forces);
        ck_assert_int_eq(pc_direct_accelerate(&direct, t, q, u, got), verdict);
        double plain[MOST];
        ck_assert_int_eq(pc_direct_run_any(&direct, t, q, u, plain), verdict);
        if (verdict == 0) ck_assert_mem_eq(plain, got, (size_t)chain.n * sizeof *got);
        stopped += verdict != 0;
        if (verdict != 0) continue;
        pc_chain_solve(&chain, nodes, pivot + 4, u, forces, want);
        double size = 0;
        for (int i = 0; i < chain.n; i++) size = fmax(size, fabs(want[i]));
        /* both round at 1e-16 times the condition of the mass matrix, up to some 1e3 for these links */
        for (int i = 0; i < chain.n; i++) ck_assert_double_le(fabs(got[i] - want[i]), 1e-12 * (size + 100));
    }
    ck_assert_int_gt(stopped, 0);
    pc_chain longer = {.n = PC_DIRECT_LINKS + 1};
    pc_direct direct;
    ck_assert(!pc_direct_open(&direct, &longer, 9.81));
}
END_TEST

/* The contact of a circle with a line: gap and velocity by differences of the placed chain, accelerations under its
 * force by the recursion. */
START_TEST(short_chains_press_lines_as_the_recursion_does)
{
    pc_rng rng;
    pc_rng_seed(&rng, 53);
    for (int k = 0; k < 2000; k++) {
        pc_chain chain;
        pc_chain_node nodes[2][MOST + 1];
        pc_chain_force forces[MOST];
        pc_direct direct;
        double q[MOST], u[MOST], want[MOST], got[MOST], torque[MOST] = {0}, v[2], gap[2], center[2][2];
        random_chain(&rng, 1 + k % PC_DIRECT_LINKS, false, &chain);
        chain.pivot = (pc_pivot){.x = 0.2, .y = -0.1, .amplitude_x = 0.3, .phase = 1};
        double pivot[6], angle = pc_rng_between(&rng, -4, 4);
        pc_direct_contact c = {.link = (int)pc_rng_below(&rng, (uint64_t)chain.n),
                               .along = pc_rng_between(&rng, -1, 1),
                               .across = pc_rng_between(&rng, -1, 1),
                               .radius = pc_rng_between(&rng, 0, 0.3),
                               .apart = 0.4,
                               .n = {cos(angle), sin(angle)},
                               .point = {pc_rng_between(&rng, -1, 1), pc_rng_between(&rng, -1, 1)}};
        for (int i = 0; i < chain.n; i++) {
            q[i] = pc_rng_between(&rng, -40, 40);
            u[i] = pc_rng_between(&rng, -5, 5);
        }
        ck_assert(pc_direct_open(&direct, &chain, 9.81));
        pc_direct_place at;
        pc_direct_find_place(&direct, q, &at);
        double here = pc_direct_touch(&direct, &c, &at, u, v);

        /* places a millionth of a second before and after */
        const double step = 1e-6;
        pc_pivot_state(&chain.pivot, 0, pivot);
        for (int side = 0; side < 2; side++) {
            double moved[MOST];
            for (int i = 0; i < chain.n; i++) moved[i] = q[i] + (side ? step : -step) * u[i];
            pc_chain_place(&chain, pivot, moved, nodes[side]);
            const pc_chain_node *node = &nodes[side][c.link];
            center[side][0] = node->x + c.along * node->ex - c.across * node->ey;
            center[side][1] = node->y + c.along * node->ey + c.across * node->ex;
            gap[side] = (center[side][0] - c.point[0]) * c.n[0] + (center[side][1] - c.point[1]) * c.n[1] - c.apart;
        }
        double way[2] = {center[1][0] - center[0][0], center[1][1] - center[0][1]};
        double along = (c.n[1] * way[0] - c.n[0] * way[1]) / (2 * step) + c.radius * u[c.link];
        /* differences err by step^2 u^3 l/6, some 1e-10, and by rounding over the step */
        ck_assert_double_le(fabs(here - (gap[0] + gap[1]) / 2), 1e-9);
        ck_assert_double_le(fabs(v[1] - (gap[1] - gap[0]) / (2 * step)), 1e-7);
        ck_assert_double_le(fabs(v[0] - along), 1e-7);

        const double force[2] = {pc_rng_between(&rng, -9, 9), pc_rng_between(&rng, -9, 9)};
        pc_direct_push(&direct, &c, &at, force, torque);
        pc_direct_accelerate_under(&direct, &at, u, torque, got);
        pc_chain_node *placed = nodes[0];
        pc_chain_place(&chain, pivot, q, placed);
        pc_chain_factor(&chain, placed);
        ck_assert_int_eq(pc_chain_load(&chain, placed, 0, q, u, 9.81, forces), 0);
        const pc_chain_node *node = &placed[c.link];
        double x = node->x + c.along * node->ex - c.across * node->ey - c.radius * c.n[0];
        double y = node->y + c.along * node->ey + c.across * node->ex - c.radius * c.n[1];
        pc_chain_push(placed, c.link, x, y, force[0] * c.n[1] + force[1] * c.n[0],
                      force[1] * c.n[1] - force[0] * c.n[0], forces);
        pc_chain_solve(&chain, placed, pivot + 4, u, forces, want);
        double size = 0;
        for (int i = 0; i < chain.n; i++) size = fmax(size, fabs(want[i]));
        /* as above */
        for (int i = 0; i < chain.n; i++) ck_assert_double_le(fabs(got[i] - want[i]), 1e-12 * (size + 100));
    }
}
END_TEST

UNIT_MAIN("chain", 120, short_chains_have_the_accelerations_of_the_recursion,
          short_chains_press_lines_as_the_recursion_does, accelerations_and_reactions_are_those_of_maximal_coordinates,
          impulses_change_the_energy_by_their_work, the_reaction_of_the_pivot_is_the_rate_of_momentum,
          free_flight_keeps_the_energy_for_a_thousand_seconds, a_slow_double_pendulum_keeps_the_energy)
