/* Random impacts of the linear law, and the comparison of the law with the raw equations on them. */
#ifndef TESTS_C_LINEAR_RANDOM_H
#define TESTS_C_LINEAR_RANDOM_H

#include "linear_raw.h"

#include "engine/collide.h"
#include "law/linear/linear.h"
#include "rng.h"

#include <check.h>

typedef struct random_case {
    pc_linear law;
    pc_mobility W;
    double v0[3];
} random_case;

static double decades(pc_rng *rng, double lo, double hi)
{
    return pow(10, pc_rng_between(rng, lo, hi));
}

/* All bodies: sphere, shell, disc, hoop, rod, single pendulum (rank 1), any positive definite W. eta 1e-3 to 10,
 * mu 0 to 3, any incidence, E 0.3 to 1 (1 in half of the cases); mass, stiffness and speed over many decades. */
static random_case random_impact(pc_rng *rng)
{
    random_case c = {.law = {.kn = decades(rng, 2, 8), .eta = decades(rng, -3, 1), .mu = pc_rng_between(rng, 0, 3)}};
    c.law.kt = c.law.kn / c.law.eta;
    c.law.restitution = pc_rng_uniform(rng) < 0.5 ? 1 : pc_rng_between(rng, 0.3, 1);
    double w = decades(rng, -2, 3), speed = decades(rng, -3, 1);
    double incidence = pc_rng_between(rng, -M_PI_2, M_PI_2);
    c.v0[PC_T] = speed * sin(incidence);
    c.v0[PC_N] = -speed * cos(incidence);
    c.W.rank = 2;
    double kind = pc_rng_uniform(rng);
    if (kind < 0.2) {
        static const double central[] = {3.5, 2.5, 3, 2};
        c.W.tt = w * central[(int)(4 * pc_rng_uniform(rng))];
        c.W.nn = w;
    } else if (kind < 0.4) {
        double angle = pc_rng_between(rng, -M_PI_2, M_PI_2);
        c.W.tt = w * (1 + 3 * pow(cos(angle), 2));
        c.W.tn = w * 3 * sin(angle) * cos(angle);
        c.W.nn = w * (1 + 3 * pow(sin(angle), 2));
    } else if (kind < 0.6) {
        double angle = pc_rng_between(rng, 0.02, M_PI_2) * (pc_rng_uniform(rng) < 0.5 ? -1 : 1);
        c.W.tt = w * pow(cos(angle), 2);
        c.W.tn = w * sin(angle) * cos(angle);
        c.W.nn = w * pow(sin(angle), 2);
        c.W.rank = 1;
        c.v0[PC_T] = -speed * cos(angle) * copysign(1, angle);
        c.v0[PC_N] = -speed * fabs(sin(angle));
    } else {
        double a = decades(rng, -1, 1), coupling = pc_rng_between(rng, -0.98, 0.98);
        c.W.tt = w * a;
        c.W.nn = w;
        c.W.tn = w * coupling * sqrt(a);
    }
    return c;
}

static inline void append_phase(char *text, int *n, char kind)
{
    if (*n == 0 || text[*n - 1] != kind) text[(*n)++] = kind;
}

/* How far law and raw equations are apart, relative to the natural scale of each quantity. */
static inline void compare_with_raw(const random_case *c, int number)
{
    raw_impact raw = {.w_tt = c->W.tt,
                      .w_tn = c->W.tn,
                      .w_nn = c->W.nn,
                      .kn = c->law.kn,
                      .kt = c->law.kt,
                      .mu = c->law.mu,
                      .E = c->law.restitution};
    /* A single link in stick repeats itself after one vibration, 2 pi; others are followed to their end. */
    raw_run(&raw, c->v0[PC_T], c->v0[PC_N], c->W.rank == 1 ? 100 : INFINITY);
    pc_impact hit;
    pc_error err = {0};
    pc_status status = pc_law_impact(&pc_law_linear, &c->law, &c->W, c->v0, &hit, &err);
    ck_assert_msg(status == PC_OK, "case %d: %s", number, err.text);
    ck_assert_msg(!raw.lost, "case %d: the raw equations did not end", number);
    ck_assert_msg((hit.outcome == PC_OUTCOME_WEDGED) == raw.wedged, "case %d: wedged %d, raw %d", number,
                  hit.outcome == PC_OUTCOME_WEDGED, raw.wedged);

    /* A phase so short that it moves nothing by 1e-12 may be missing in one of the two. */
    double unit = 1 / sqrt(c->law.kn * c->W.nn);
    char law[RAW_PHASES], other[RAW_PHASES];
    int n = 0, m = 0;
    for (int i = 0; i < hit.n_phases && n + 1 < RAW_PHASES; i++) {
        const pc_phase *p = &hit.phases[i];
        if (p->stop.t - p->start.t > 1e-6 * unit)
            append_phase(law, &n, p->kind == PC_PHASE_STICK ? '0' : p->sign > 0 ? '+' : '-');
    }
    for (int i = 0; i < raw.n_phases; i++)
        if (raw.lengths[i] > 1e-6 * unit) append_phase(other, &m, raw.phases[i]);
    law[n] = other[m] = 0;
    ck_assert_msg(strcmp(law, other) == 0, "case %d: phases %s, raw %s", number, law, other);
    if (!raw.wedged) {
        double speed = fabs(c->v0[PC_T]) + fabs(c->v0[PC_N]), mass = 1 / c->W.nn;
        double energy = mass * speed * speed;
        double far[] = {
            (hit.v1[PC_T] - raw.y[RAW_VT]) / speed / fmax(1, sqrt(c->W.tt / c->W.nn)),
            (hit.v1[PC_N] - raw.y[RAW_VN]) / speed,
            (hit.impulse[PC_T] - raw.y[RAW_PT]) / (mass * speed),
            (hit.impulse[PC_N] - raw.y[RAW_PN]) / (mass * speed),
            (hit.work_f - raw.y[RAW_WORK]) / energy,
            (hit.duration - raw.t) / fmax(raw.t, unit),
        };
        static const char *const names[] = {"v_t", "v_n", "p_t", "p_n", "friction work", "duration"};
        for (int i = 0; i < 6; i++)
            ck_assert_msg(fabs(far[i]) < 1e-9, "case %d: %s is off by %.3g (phases %s)", number, names[i], far[i], law);
    }
    pc_impact_free(&hit);
}

#endif
