/* Scenes for tests of motions. */
#ifndef TESTS_C_MOTION_SCENES_H
#define TESTS_C_MOTION_SCENES_H

#include "law/law.h"
#include "law/rigid/rigid.h"
#include "rng.h"
#include "scene/part.h"
#include "motion/look.h"
#include "unit.h"

#include <math.h>
#include <string.h>

extern const pc_law pc_law_newton, pc_law_poisson, pc_law_stronge, pc_law_linear;

static inline void must(pc_status status, const pc_error *err)
{
    ck_assert_msg(status == PC_OK, "%s", err->text);
}

/* Random links: rods of every build, some with damping, springs and torques. */
static inline void random_chain(pc_rng *rng, int n, bool driven, pc_chain *chain)
{
    memset(chain, 0, sizeof *chain);
    chain->n = n;
    for (int i = 0; i < n; i++) {
        pc_link *link = &chain->links[i];
        link->mass = pc_rng_between(rng, 0.1, 3);
        link->length = pc_rng_between(rng, 0.1, 1);
        link->center = link->length * pc_rng_between(rng, -0.2, 1.2);
        link->inertia = link->mass * link->length * link->length * pc_rng_between(rng, 0.02, 0.3);
        link->reach = link->length;
        if (!driven) continue;
        link->damping = pc_rng_between(rng, 0, 0.5);
        link->stiffness = pc_rng_between(rng, 0, 2);
        link->rest_angle = pc_rng_between(rng, -1, 1);
        link->torque = pc_rng_between(rng, -2, 2);
        link->frequency = pc_rng_between(rng, 0, 9);
        link->from = pc_rng_below(rng, 2) == 1;
    }
}

/* The double pendulum of Sypniewska-Kaminska (2017), section 4; her angles turn the other way. */
static inline void paper_chain(pc_chain *chain)
{
    memset(chain, 0, sizeof *chain);
    chain->n = 2;
    chain->links[0] = (pc_link){.mass = 3.2, .length = 0.5, .center = 0.25, .inertia = 0.0676, .reach = 0.5};
    chain->links[1] =
        (pc_link){.mass = 3.8, .length = 0.6, .center = 0.3627, .inertia = 0.164, .radius = 0.05, .reach = 0.65};
}

static inline void paper_start(double y[4])
{
    double degree = M_PI / 180;
    memcpy(y, (double[4]){-140 * degree, 90 * degree, -1.2, 0.5}, 4 * sizeof *y);
}

static inline void add_hull(pc_scene *scene, pc_outline outline)
{
    pc_error err = {0};
    must(pc_scene_add_outline(scene, &outline, &err), &err);
}

/* A chain with its end above a floor at `depth`. */
static inline void chain_scene(pc_scene *scene, const pc_chain *chain, double depth, const pc_law *law,
                               const void *params)
{
    pc_error err = {0};
    memset(scene, 0, sizeof *scene);
    scene->gravity = 9.81;
    must(pc_scene_add_chain(scene, chain, "chain", &err), &err);
    const pc_link *last = &chain->links[chain->n - 1];
    pc_outline end = pc_outline_point("end", last->reach, 0, last->radius);
    end.member = 0;
    end.link = chain->n - 1;
    add_hull(scene, end);
    add_hull(scene, pc_outline_plane("floor", 0, -depth, 0, 1));
    must(pc_scene_join(scene, law, params, &err), &err);
}

static inline pc_rigid rigid(double restitution, double friction)
{
    return (pc_rigid){.restitution = {.value = restitution}, .coulomb = {friction, friction}};
}

static inline pc_run_options run_options(const pc_ode_method *solver, double rtol)
{
    pc_run_options options = {.method = solver, .record = true};
    pc_schema_defaults(options.method->schema, &options.settings);
    options.settings.rtol = rtol;
    options.settings.atol = 0.1 * rtol;
    options.settings.max_steps = 100000000;
    return options;
}

#endif
