/* Random motions with friction for tests: chains whose tip comes to a floor, piles, and rods that fall over. */
#ifndef TESTS_C_FRICTION_RANDOM_H
#define TESTS_C_FRICTION_RANDOM_H

#include "pile_random.h"

/* What friction gave in lasting contacts, J, by the greatest rise of its work on the recorded arcs, and the size of the
 * energies meanwhile, J. */
typedef struct friction_gain {
    double gain, scale, when;
} friction_gain;

static inline friction_gain friction_gained(pc_run *run)
{
    friction_gain out = {0};
    pc_error err = {0};
    size_t n;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n);
    const pc_arc_record *records = run->history.arcs.data;
    double low = INFINITY, high = -INFINITY, kinetic = 0, least = 0;
    for (size_t i = 0; i < n; i++) {
        pc_look look;
        must(pc_run_look(run, arcs[i].t, 1, &look, &err), &err);
        low = fmin(low, look.potential);
        high = fmax(high, look.potential);
        kinetic = fmax(kinetic, look.kinetic);
        double work = i + 1 < n ? records[i + 1].work[3] : run->state.work[3];
        if (work - least > out.gain) out.gain = work - least, out.when = arcs[i].t;
        least = fmin(least, work);
    }
    out.scale = kinetic + high - low;
    return out;
}

/* 100 rtol of the size of the energies: works of friction are integrated along the dense output, over many arcs. */
static inline void check_friction(pc_run *run, double rtol, const char *what, unsigned long seed)
{
    friction_gain g = friction_gained(run);
    ck_assert_msg(g.gain <= 100 * rtol * g.scale, "%s, %lu: friction gave %g J of %g J at t = %g", what, seed, g.gain,
                  g.scale, g.when);
}

/* Two links that hang nearly straight, with their tip a little above a floor. */
typedef struct tip_scene {
    pc_scene scene;
    pc_chain chain;
    pc_rigid law;
    double y[4];
} tip_scene;

static inline void tip_random(tip_scene *s, uint64_t seed, double v_rest)
{
    static const pc_law *const laws[] = {&pc_law_newton, &pc_law_poisson, &pc_law_stronge};
    pc_rng rng;
    memset(s, 0, sizeof *s);
    pc_rng_seed(&rng, seed);
    double depth = 0;
    s->chain.n = 2;
    for (int i = 0; i < 2; i++) {
        double length = pc_rng_between(&rng, 0.1, 1), mass = pc_rng_between(&rng, 0.1, 3);
        s->chain.links[i] = (pc_link){.mass = mass,
                                      .length = length,
                                      .center = length / 2,
                                      .inertia = mass * length * length / 12,
                                      .reach = length};
        double wide = pc_rng_below(&rng, 4) == 0 ? 1.5 : 0.3;
        s->y[i] = pc_rng_between(&rng, -wide, wide);
        s->y[2 + i] = pc_rng_between(&rng, -0.3, 0.3);
        depth += length * cos(s->y[i]);
    }
    s->law = rigid(0.95 * pc_rng_uniform(&rng), pc_rng_uniform(&rng));
    double gap = pc_rng_below(&rng, 2) ? 1e-6 : pc_rng_between(&rng, 0, 0.05);
    chain_scene(&s->scene, &s->chain, depth + gap, laws[pc_rng_below(&rng, 3)], &s->law);
    s->scene.v_rest = v_rest;
}

/* Returns whether the motion ended in an error. Where the second link has folded back along the first the tip can move
 * across them only, and a force along them lies within the cone: no impulse changes some approaches, and on the way
 * there slip jams. */
static inline bool tip_check(uint64_t seed, double v_rest)
{
    const double rtol = 1e-9;
    tip_scene s;
    pc_run run;
    pc_error err = {0};
    tip_random(&s, seed, v_rest);
    must(pc_run_open(&run, &s.scene, 0, s.y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, rtol);
    options.max_impacts = 5000;
    bool failed = pc_run_advance(&run, &options, 2, &err) != PC_OK;
    if (failed) printf("chain %lu, v_rest %g: %s\n", (unsigned long)seed, v_rest, err.text);
    if (!failed) check_friction(&run, rtol, "chain", (unsigned long)seed);
    pc_run_close(&run);
    pc_scene_free(&s.scene);
    return failed;
}

/* A rod with one end on a floor, about which it falls from an angle, until that end slips: by formula. */
typedef struct falling_rod {
    double mass, length, gravity, friction;
    double angle, rate; /* from the vertical, at the start */
} falling_rod;

static inline falling_rod rod_random(pc_rng *rng)
{
    return (falling_rod){.mass = pc_rng_between(rng, 0.005, 3),
                         .length = pow(10, pc_rng_between(rng, -1.5, 0.5)),
                         .gravity = pc_rng_between(rng, 1, 20),
                         .friction = pc_rng_between(rng, 0.3, 1.1),
                         .angle = (pc_rng_below(rng, 2) ? -1 : 1) * pow(10, pc_rng_between(rng, -2.5, -0.6)),
                         .rate = 0};
}

/* Forces on the end that stays, at an angle: it turns about that end, with the energy it has. */
static inline void rod_forces(const falling_rod *r, double angle, double F[2])
{
    double half = r->length / 2, pull = 1.5 * r->gravity / r->length;
    double square = r->rate * r->rate + 2 * pull * (cos(r->angle) - cos(angle)), turn = pull * sin(angle);
    F[0] = r->mass * half * (turn * cos(angle) - square * sin(angle));
    F[1] = r->mass * r->gravity - r->mass * half * (turn * sin(angle) + square * cos(angle));
}

/* The first angle at which friction no longer holds the end. */
static inline double rod_onset(const falling_rod *r)
{
    double way = r->angle > 0 ? 1e-3 : -1e-3, low = r->angle, F[2];
    for (rod_forces(r, low, F); fabs(F[0]) < r->friction * F[1]; rod_forces(r, low, F)) low += way;
    double high = low;
    low -= way;
    for (int k = 0; k < 60; k++) {
        double middle = (low + high) / 2;
        rod_forces(r, middle, F);
        *(fabs(F[0]) < r->friction * F[1] ? &low : &high) = middle;
    }
    return high;
}

/* It falls until its other end is down. */
static inline void rod_fall(const falling_rod *r, double rtol)
{
    pile p;
    pc_error err = {0};
    pc_run run;
    pile_begin(&p, &pc_law_newton, 0.3, r->friction);
    p.scene.gravity = r->gravity;
    /* angles turn anticlockwise: one that grows takes the upper end to -x */
    double half = r->length / 2, c = cos(r->angle), s = sin(r->angle);
    pile_add(&p, PC_SHAPE_ROD, r->mass, half, 0, 0, 0, 0);
    pile_bin(&p, 0);
    must(pc_scene_join(&p.scene, p.kind, &p.law, &err), &err);
    double y[6] = {-half * s, half * c, r->angle, -half * c * r->rate, -half * s * r->rate, r->rate};
    must(pc_run_open(&run, &p.scene, 0, y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, rtol);
    options.max_impacts = 1;
    must(pc_run_advance(&run, &options, 1e3 * sqrt(r->length / r->gravity), &err), &err);

    size_t n;
    const pc_event_record *events = pc_run_events(&run, &n);
    /* the integration is good to its tolerance, times what a fall from a small angle makes of its errors */
    double onset = NAN, angle = rod_onset(r), bound = fmax(1e-9, 1e3 * rtol), F[2];
    rod_forces(r, angle, F);
    for (size_t i = 0; i < n; i++) {
        pc_look look;
        must(pc_run_look(&run, events[i].t, 1, &look, &err), &err);
        if (events[i].kind == PC_EVENT_IMPACT) /* it lies */
            ck_assert_double_ge(fabs(look.y[2]), M_PI / 2 - bound);
        if (isnan(onset) && events[i].kind == PC_EVENT_SLIP) {
            onset = events[i].t;
            ck_assert_double_eq_tol(look.y[2], angle, bound);
            ck_assert_int_eq(look.contacts->n, 1);
            ck_assert_double_eq_tol(look.contacts->force[0][PC_N] / F[1], 1, bound);
            ck_assert_int_eq(look.contacts->mode[0] > 0, look.contacts->force[0][PC_T] < 0);
        } else if (!isnan(onset) && events[i].kind != PC_EVENT_IMPACT) {
            /* it slips for a while: what comes at once is rounding */
            ck_assert_double_ge(events[i].t - onset, 1e-6 * sqrt(r->length / r->gravity));
        }
    }
    ck_assert_msg(!isnan(onset), "the end never slipped");
    pc_run_close(&run);
    pc_scene_free(&p.scene);
}

#endif
