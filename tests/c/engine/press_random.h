/* Random motions of bodies that press each other and what is fixed, thin sides and ends among it, for tests of what a
 * recorded motion tells afterwards. */
#ifndef TESTS_C_PRESS_RANDOM_H
#define TESTS_C_PRESS_RANDOM_H

#include "element_unit.h"
#include "pile_scenes.h"

/* Two bodies above something, by a compliant law of which no force has a root at its touch, so that the rule of Gauss
 * and Legendre is as exact as the polynomials of an arc. */
static inline void press_random(pile *p, filled *law, uint64_t seed)
{
    static const pc_shape shapes[] = {PC_SHAPE_ROD, PC_SHAPE_ROD, PC_SHAPE_BOX, PC_SHAPE_CAPSULE, PC_SHAPE_DISC};
    pc_rng rng;
    pc_rng_seed(&rng, seed);
    memset(p, 0, sizeof *p);
    p->scene.gravity = 9.81;
    p->scene.configuration = PC_CONFIGURATION_MOVING;
    double k = pow(10, pc_rng_between(&rng, 3, 5)), mu = pc_rng_below(&rng, 3) ? pc_rng_between(&rng, 0.1, 0.8) : 0;
    bool spring = pc_rng_below(&rng, 3) == 0;
    double along = k * pc_rng_between(&rng, 0.3, 1.2);
    const char *kind = spring ? "spring" : "rigid", *more = spring ? "tangential_stiffness" : NULL;
    if (pc_rng_below(&rng, 2))
        *law = fill("kelvin_voigt", "stiffness", k, "damping", pow(10, pc_rng_between(&rng, -1, 2)), "friction", mu,
                    "tangential", kind, more, along, NULL);
    else
        *law = fill("walton_braun", "stiffness", k, "unloading", k * pc_rng_between(&rng, 1, 3), "friction", mu,
                    "tangential", kind, more, along, NULL);
    for (int i = 0; i < 2; i++) {
        double a = pc_rng_between(&rng, 0.1, 0.3), b = pc_rng_between(&rng, 0.03, 0.08);
        pile_add(p, shapes[pc_rng_below(&rng, 5)], pc_rng_between(&rng, 0.5, 2), a, b, pc_rng_between(&rng, -0.2, 0.2),
                 0.6 + 0.6 * i, pc_rng_between(&rng, -M_PI, M_PI));
        double *rates = p->start[i] + 3;
        rates[0] = pc_rng_between(&rng, -1, 1);
        rates[1] = pc_rng_between(&rng, -2, 0);
        rates[2] = pc_rng_between(&rng, -3, 3);
    }
    const double bar[] = {-0.3, 0.12, 0.2, 0.15}, block[] = {-0.2, 0, 0.2, 0, 0.2, 0.15, -0.2, 0.15};
    double round = pc_rng_below(&rng, 2) ? 0.03 : 0, x = pc_rng_between(&rng, -0.1, 0.1);
    add_hull(&p->scene, pc_outline_plane("floor", 0, 0, 0, 1));
    switch (pc_rng_below(&rng, 3)) {
    case 0: add_hull(&p->scene, pc_outline_point("peg", x, 0.15, round)); break;
    case 1: add_hull(&p->scene, pc_outline_polygon("bar", bar, 2, round)); break;
    default: add_hull(&p->scene, pc_outline_polygon("block", block, 4, 0));
    }
    pc_error err = {0};
    must(pc_scene_join(&p->scene, law->law, &law->params, &err), &err);
}

enum { PRESS_HITS = 400 };

/* What a recorded motion tells of itself: errors of the integrals of its forces against the impulses of its records, as
 * a share of the greater of the two, and how far `dissipated` falls at most, as a share of its energy at the start. */
typedef struct press_told {
    double impulse, fall;
    size_t hit;  /* of the impulse */
    double when; /* of the fall */
} press_told;

/* Add forces at t, times `weight`, to the integrals of their hits, and to those of their magnitudes. */
static inline void press_add(const pc_look *look, double weight, double (*sum)[2], double (*size)[2])
{
    for (int k = 0; k < look->compliant->n; k++) {
        size_t hit = look->compliant->contact[k].impact;
        const double F[2] = {look->compliant->now[k].Ft, look->compliant->now[k].Fn};
        for (int j = 0; j < 2 && hit < PRESS_HITS; j++) {
            sum[hit][j] += weight * F[j];
            size[hit][j] += weight * fabs(F[j]);
        }
    }
}

static inline press_told press_tell(pc_run *run)
{
    static const double node[] = {0.2386191860831969086, 0.6612093864662645136, 0.9324695142031520278};
    static const double weight[] = {0.4679139345726910474, 0.3607615730481386076, 0.1713244923791703450};
    enum { HALVES = 2 };
    press_told out = {0};
    pc_error err = {0};
    static double sum[PRESS_HITS][2], size[PRESS_HITS][2];
    memset(sum, 0, sizeof sum);
    memset(size, 0, sizeof size);
    size_t n_arcs;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n_arcs);
    double most = -INFINITY;
    pc_look look;
    for (size_t i = 0; i < n_arcs; i++) {
        double h = (arcs[i].stop - arcs[i].t) / HALVES;
        for (int part = 0; part < HALVES; part++)
            for (int k = 0; k < 6; k++) {
                int turn = k < 3 ? 2 - k : k - 3;
                double x = 0.5 * (1 + (k < 3 ? -1 : 1) * node[turn]);
                must(pc_run_look(run, arcs[i].t + h * (part + x), 1, &look, &err), &err);
                press_add(&look, 0.5 * h * weight[turn], sum, size);
                if (most - look.dissipated > out.fall) {
                    out.fall = most - look.dissipated;
                    out.when = arcs[i].t + h * (part + x);
                }
                most = fmax(most, look.dissipated);
            }
    }
    out.fall /= fabs(run->state.energy0);
    size_t n;
    const pc_impact_record *impacts = pc_run_impacts(run, &n);
    for (size_t i = 0; i < n && i < PRESS_HITS; i++)
        for (int k = 0; k < 2; k++) {
            /* those of the gentlest are known as a share of what the bodies have seen, some N s */
            double scale = fmax(fmax(size[i][PC_N], fabs(impacts[i].impulse[PC_N])), 1e-2);
            double off = fabs(sum[i][k] - impacts[i].impulse[k]) / scale;
            if (off > out.impulse) out.impulse = off, out.hit = i;
        }
    return out;
}

/* Returns whether the motion ended in an error. */
static inline bool press_check(uint64_t seed)
{
    const double rtol = 1e-9;
    pile p;
    filled law;
    pc_error err = {0};
    pc_run run;
    double y[6 * PILE_BODIES] = {0};
    press_random(&p, &law, seed);
    for (int i = 0; i < p.n; i++)
        for (int k = 0; k < 3; k++) y[3 * i + k] = p.start[i][k], y[3 * (p.n + i) + k] = p.start[i][3 + k];
    must(pc_run_open(&run, &p.scene, 0, y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, rtol);
    options.contact_settings = options.settings;
    bool failed = pc_run_advance(&run, &options, 1, &err) != PC_OK;
    if (failed) printf("%lu: %s\n", (unsigned long)seed, err.text);
    press_told told = press_tell(&run);
    /* arcs are polynomials that follow the motion to its tolerance at their ends, and hardly worse between */
    ck_assert_msg(told.impulse <= 1e3 * rtol, "%lu: impulse of contact %zu off by %g", (unsigned long)seed, told.hit,
                  told.impulse);
    ck_assert_msg(told.fall <= 1e3 * rtol, "%lu: dissipated falls by %g at %.12g", (unsigned long)seed, told.fall,
                  told.when);
    pc_run_close(&run);
    pc_scene_free(&p.scene);
    return failed;
}

#endif
