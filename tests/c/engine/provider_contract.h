/* What every provider keeps (engine/provider.h), on contacts anywhere; and a provider of given W, whose velocities are
 * those of the contacts themselves. */
#ifndef TESTS_C_PROVIDER_CONTRACT_H
#define TESTS_C_PROVIDER_CONTRACT_H

#include "engine/lasting.h"
#include "law/impact.h"
#include "math/linsolve.h"
#include "rng.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { TOGETHER = 64 }; /* places at most */

/* Where some resist rolling, every other contact is a couple. W is symmetric and zero where places are not coupled,
 * accelerations under forces F are b + W F, whether these are given together or in two parts, and v after the jumps of
 * impulses is v + W p, which is what the jumps change of it; but for normal rows of what is always closed. u: the
 * velocities of the configuration, which change. */
static inline void provider_keeps_its_word(const pc_mechanics *m, int n, const int *places, pc_rng *rng, double *u)
{
    static double W[4 * TOGETHER * TOGETHER];
    double p[2 * TOGETHER], before[2 * TOGETHER], bias[2 * TOGETHER], du[64] = {0}, a[2][64], largest = 0, fastest = 0,
                                                                      load = 0;
    pc_touch touch[TOGETHER];
    const pc_contact_set set = {n, places, touch};
    const int side = 2 * n;
    double t;
    const double *at_q, *at_u;
    ck_assert_int_le(m->n, 64);
    m->provider->state(m->at, &t, &at_q, &at_u);
    ck_assert_ptr_eq(at_u, u);
    for (int i = 0; i < n; i++) {
        pc_mechanics_touch(m, places[i], &touch[i]);
        if (m->rolls && i % 2) touch[i].couple = 0.1;
        pc_mechanics_velocity(m, places[i], &touch[i], before + 2 * i);
    }
    m->provider->mobility(m->self, m->at, &set, W);
    for (int i = 0; i < side * side; i++) largest = fmax(largest, fabs(W[i]));
    ck_assert_double_gt(largest, 0);
    for (int i = 0; i < side; i++) {
        p[i] = pc_rng_between(rng, -1, 1);
        fastest = fmax(fastest, fabs(before[i]));
        for (int j = 0; j < i; j++) ck_assert_double_eq_tol(W[i * side + j], W[j * side + i], 1e-13 * largest);
    }
    for (int i = 0; i < side * side; i++)
        if (!m->provider->coupled(m->self, m->at, places[i / side / 2], places[i % side / 2])) ck_assert(W[i] == 0);
    const int half = n / 2;
    const pc_acting rest = {{n - half, places + half, touch + half}, p + 2 * half, NULL},
                    first = {{half, places, touch}, p, &rest};
    ck_assert_int_eq(pc_mechanics_accelerations(m, NULL, a[0]), 0);
    ck_assert_int_eq(pc_mechanics_accelerations(m, &first, a[1]), 0);
    for (int i = 0; i < n; i++) {
        pc_mechanics_acceleration(m, places[i], &touch[i], a[0], bias + 2 * i);
        load = fmax(load, fmax(fabs(bias[2 * i]), fabs(bias[2 * i + 1])));
    }
    for (int i = 0; i < side; i++) {
        double b[2], want = bias[i];
        if (i % 2 == PC_N && pc_mechanics_pairing(m, places[i / 2])->always) continue;
        pc_mechanics_acceleration(m, places[i / 2], &touch[i / 2], a[1], b);
        for (int j = 0; j < side; j++) want += W[i * side + j] * p[j];
        ck_assert_double_eq_tol(b[i % 2], want, 1e-13 * (load + n * largest));
    }
    pc_mechanics_jump(m, &set, p, du);
    for (int i = 0; i < m->n; i++) u[i] += du[i];
    for (int i = 0; i < side; i++) {
        double v[2], dv[2], want = before[i];
        pc_mechanics_velocity(m, places[i / 2], &touch[i / 2], v);
        pc_mechanics_change(m, places[i / 2], &touch[i / 2], du, dv);
        if (i % 2 == PC_N && pc_mechanics_pairing(m, places[i / 2])->always) {
            ck_assert(v[PC_N] == 0 && dv[PC_N] == 0);
            continue;
        }
        for (int j = 0; j < side; j++) want += W[i * side + j] * p[j];
        ck_assert_double_eq_tol(v[i % 2], want, 1e-13 * (fastest + n * largest));
        ck_assert_double_eq_tol(dv[i % 2], want - before[i], 1e-13 * (fastest + n * largest));
    }
}

/* Projection of one contact, which slips or sticks (mode 0): positions change by what closes its gap to the first
 * order, velocities by what leaves it none along the normal, nor along the tangent if it sticks. */
static inline void provider_projects(const pc_mechanics *m, int place, int mode)
{
    double t, y[128], before[2], v[2], largest = 0;
    const double *q, *u;
    const int n = m->n;
    pc_contacts c = {0};
    pc_block block;
    pc_touch touch;
    m->provider->state(m->at, &t, &q, &u);
    memcpy(y, q, (size_t)n * sizeof *y);
    memcpy(y + n, u, (size_t)n * sizeof *y);
    ck_assert_int_eq(pc_contacts_reserve(&c, 1, NULL), PC_OK);
    ck_assert_int_eq(pc_block_open(&block, n, 2, NULL), PC_OK); /* with what holds it against rolling */
    c.n = 1;
    c.roll[0] = 0;
    c.pair[0] = place;
    c.mode[0] = mode;
    pc_contacts_project(&c, m, &block, false, y);
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fmax(fabs(y[i]), fabs(y[n + i])));
        y[i] -= q[i];
        y[n + i] -= u[i];
    }
    pc_mechanics_touch(m, place, &touch);
    pc_mechanics_change(m, place, &touch, y, v);
    ck_assert_double_eq_tol(v[PC_N], -touch.gap, 1e-12 * (largest + fabs(touch.gap)));
    pc_mechanics_velocity(m, place, &touch, before);
    pc_mechanics_change(m, place, &touch, y + n, v);
    ck_assert_double_eq_tol(before[PC_N] + v[PC_N], 0, 1e-12 * largest);
    if (mode == 0) ck_assert_double_eq_tol(before[PC_T] + v[PC_T], 0, 1e-12 * largest);
    pc_contacts_close(&c);
    pc_block_close(&block);
}

enum { FROZEN = 4 };

/* Itself its configuration. load: the accelerations of contacts without their forces. */
typedef struct frozen {
    int n;
    double t, W[4 * FROZEN * FROZEN], q[2 * FROZEN], v[2 * FROZEN], load[2 * FROZEN];
    pc_pairing pairing[FROZEN];
} frozen;

static inline int frozen_place(const void *self, double t, const double *y, pc_configuration *out)
{
    frozen *f = (frozen *)out;
    (void)self;
    f->t = t;
    memcpy(f->q, y, 2 * (size_t)f->n * sizeof *y);
    memcpy(f->v, y + 2 * f->n, 2 * (size_t)f->n * sizeof *y);
    return 0;
}

static inline void frozen_state(const pc_configuration *c, double *t, const double **q, const double **u)
{
    const frozen *f = (const frozen *)c;
    *t = f->t;
    *q = f->q;
    *u = f->v;
}

/* Kinetic energy alone: v^T W^-1 v / 2. */
static inline double frozen_energy(const pc_configuration *c)
{
    const frozen *f = (const frozen *)c;
    const int side = 2 * f->n;
    double A[2 * FROZEN * (2 * FROZEN + 1)], p[2 * FROZEN], sum = 0;
    int order[2 * FROZEN];
    for (int i = 0; i < side; i++) {
        memcpy(A + i * (side + 1), f->W + i * side, (size_t)side * sizeof *A);
        A[i * (side + 1) + side] = f->v[i];
    }
    pc_solve_dependent(A, side, 1, 1e-12, false, p, order);
    for (int i = 0; i < side; i++) sum += 0.5 * f->v[i] * p[i];
    return sum;
}

static inline void frozen_touch(const void *self, const pc_configuration *c, int place, pc_touch *touch)
{
    (void)c;
    *touch = (pc_touch){.gap = ((const frozen *)self)->q[2 * place + PC_N], .n = {0, 1}, .meets = true};
    touch->center[0][0] = touch->center[1][0] = place; /* side by side, in the order of their numbers */
}

static inline void frozen_velocity(const pc_configuration *c, int place, const pc_touch *touch, double v[2])
{
    (void)touch;
    memcpy(v, ((const frozen *)c)->v + 2 * place, 2 * sizeof *v);
}

static inline void frozen_change(const pc_configuration *c, int place, const pc_touch *touch, const double *du,
                                 double v[2])
{
    (void)c, (void)touch;
    memcpy(v, du + 2 * place, 2 * sizeof *v);
}

static inline bool frozen_is_angle(const void *self, int coordinate)
{
    (void)self, (void)coordinate;
    return false;
}

static inline bool frozen_coupled(const void *self, const pc_configuration *c, int place, int other)
{
    const frozen *f = self;
    (void)c;
    for (int i = 0; i < 4; i++)
        if (f->W[(2 * place + i / 2) * 2 * f->n + 2 * other + i % 2] != 0) return true;
    return false;
}

static inline double frozen_entry(const frozen *f, int row, int column, const int *place)
{
    return f->W[row * 2 * f->n + 2 * place[column / 2] + column % 2];
}

static inline void frozen_mobility(const void *self, const pc_configuration *c, const pc_contact_set *set, double *W)
{
    (void)c;
    for (int i = 0; i < 2 * set->n; i++)
        for (int j = 0; j < 2 * set->n; j++)
            W[i * 2 * set->n + j] = frozen_entry(self, 2 * set->place[i / 2] + i % 2, j, set->place);
}

static inline void frozen_jump(const void *self, const pc_configuration *c, const pc_contact_set *set, const double *p,
                               double *du)
{
    const frozen *f = self;
    (void)c;
    for (int i = 0; i < 2 * f->n; i++) {
        du[i] = 0;
        for (int j = 0; j < 2 * set->n; j++) du[i] += frozen_entry(f, i, j, set->place) * p[j];
    }
}

static inline int frozen_accelerations(const void *self, const pc_configuration *c, const pc_acting *acting, double *a)
{
    const frozen *f = self;
    double da[2 * FROZEN];
    memcpy(a, f->load, 2 * (size_t)f->n * sizeof *a);
    for (; acting; acting = acting->more) {
        frozen_jump(self, c, &acting->at, acting->force, da);
        for (int i = 0; i < 2 * f->n; i++) a[i] += da[i];
    }
    return 0;
}

static inline void frozen_acceleration(const void *self, const pc_configuration *c, int place, const pc_touch *touch,
                                       const double *a, double b[2])
{
    (void)self, (void)c, (void)touch;
    memcpy(b, a + 2 * place, 2 * sizeof *b);
}

static const pc_provider frozen_provider = {.place = frozen_place,
                                            .state = frozen_state,
                                            .energy = frozen_energy,
                                            .is_angle = frozen_is_angle,
                                            .touch = frozen_touch,
                                            .velocity = frozen_velocity,
                                            .change = frozen_change,
                                            .coupled = frozen_coupled,
                                            .mobility = frozen_mobility,
                                            .jump = frozen_jump,
                                            .accelerations = frozen_accelerations,
                                            .acceleration = frozen_acceleration};

static inline pc_mechanics frozen_mechanics(frozen *f)
{
    return (pc_mechanics){.provider = &frozen_provider,
                          .self = f,
                          .at = (pc_configuration *)f,
                          .pairing = f->pairing,
                          .n = 2 * f->n,
                          .n_places = f->n};
}

/* W = G G^T with as many freedoms as it has rows, and contacts that approach. */
static inline void random_frozen(pc_rng *rng, int n, frozen *f)
{
    double G[2 * FROZEN][2 * FROZEN];
    const int side = 2 * n;
    *f = (frozen){.n = n};
    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) G[i][j] = pc_rng_between(rng, -1, 1);
        f->v[i] = pc_rng_between(rng, -1, i % 2 == PC_N ? 0 : 1);
        f->load[i] = pc_rng_between(rng, -1, 1);
        f->q[i] = pc_rng_between(rng, -1, 1);
    }
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            f->W[i * side + j] = 0;
            for (int k = 0; k < side; k++) f->W[i * side + j] += G[i][k] * G[j][k];
        }
}

/* What a provider follows beside the particles: the whole state. The first member serves its functions. */
typedef struct particles {
    frozen f;
    const double *y;
} particles;

static inline int particles_place(const void *self, double t, const double *y, pc_configuration *out)
{
    ((particles *)out)->y = y;
    return frozen_place(self, t, y, out);
}

static inline void particles_state(const pc_configuration *c, double *t, const double **q, const double **u)
{
    const particles *p = (const particles *)c;
    *t = p->f.t;
    *q = p->y;
    *u = p->y + 2 * p->f.n;
}

#endif
