/* Steps of the driver: by series, or by the integrator. See driver.h. */
#include "contact/driver_parts.h"

#include <math.h>
#include <string.h>

enum { TERMS = PC_SERIES_ORDER + 1, BLOCK = 4 };

/* Step over radius of convergence: 1e-13^(1/32), 1e-13 being what the first term left out may be. */
static const double PACE = 0.39;

/* Longest step by series, scaled: guards are looked at in five places of it. */
static const double LONGEST = 0.5;

const double *pc_drive_at(const drive *d)
{
    return d->series ? d->at : d->stepper.y;
}

typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static inline pair load(const double *p)
{
    pair v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Two components of a series at x. Horner's rule would wait for itself: four of it in x^4, side by side. */
static inline pair sum_pair(const double *c, double x2, double x4, double x)
{
    _Static_assert(TERMS % 4 == 0, "powers are summed four by four");
    const double *at = c + (TERMS - 4) * BLOCK;
    pair a = load(at), b = load(at + BLOCK), d = load(at + 2 * BLOCK), e = load(at + 3 * BLOCK);
    for (int k = TERMS - 4; k > 0; k -= 4) {
        at -= 4 * BLOCK;
        a = load(at) + x4 * a;
        b = load(at + BLOCK) + x4 * b;
        d = load(at + 2 * BLOCK) + x4 * d;
        e = load(at + 3 * BLOCK) + x4 * e;
    }
    return (a + x * b) + x2 * (d + x * e);
}

/* Four components. */
static void sum_block(const double *c, double x, double out[BLOCK])
{
    double x2 = x * x, x4 = x2 * x2;
    pair low = sum_pair(c, x2, x4, x), high = sum_pair(c + 2, x2, x4, x);
    memcpy(out, &low, sizeof low);
    memcpy(out + 2, &high, sizeof high);
}

void pc_drive_motion_at(const drive *d, const pc_dense *dense, double x, double *state)
{
    if (d->series)
        sum_block(dense->c, x, state);
    else
        pc_dense_eval(dense, x, state);
}

void pc_drive_state_at(const drive *d, const pc_dense *dense, double x, double *state)
{
    pc_drive_motion_at(d, dense, x, state);
    if (d->series) sum_block(dense->c + TERMS * BLOCK, x, state + BLOCK);
}

double pc_drive_time_at(const drive *d, const pc_dense *dense, double x)
{
    if (!d->series) return pc_poly_eval(dense->c + (d->n - 1) * (dense->degree + 1), dense->degree, x);
    double rest[BLOCK];
    sum_block(dense->c + TERMS * BLOCK, x, rest);
    return rest[BLOCK - 1];
}

/* The series converge up to the nearest singularity in the complex plane, and fall off like (h/radius)^k. The radius is
 * the least |c_k|^(-1/k) of the later coefficients; from a touch only every (PC_SERIES_POWER + 1)-th need differ from
 * 0. Of |c_k| the exponent is enough. */
static double reach(const pc_expansion *s)
{
    const double *watched[] = {s->y, s->q, s->p_t, s->p_n, s->stretch, s->work_n};
    double least = INFINITY;
    for (int k = PC_SERIES_ORDER - PC_SERIES_POWER; k <= PC_SERIES_ORDER; k++) {
        double most = 0;
        for (int i = 0; i < 6; i++) most = fabs(watched[i][k]) > most ? fabs(watched[i][k]) : most;
        if (most > 0) least = fmin(least, -(double)(ilogb(most) + 1) / k);
    }
    return fmin(exp2(least) * PACE, LONGEST);
}

static void series_step(drive *d)
{
    const contact *c = &d->contacts[0];
    const moment *m = d->node[0];
    pc_course course = {d->W[0], d->W[1], d->W[3], d->at[Y], d->at[Q], m->vt, m->w, c->mode == SLIP ? c->sign : 0};
    pc_tangential e = c->p.tangential;
    if (c->p.pulls && c->knot_side < 0) e.mu = 0;
    pc_expansion s;
    pc_series_expand(&c->shape, c->p.root, &e, &course, &s);
    double h = reach(&s), scale = 1, *motion = d->dense.c, *rest = motion + TERMS * BLOCK;
    for (int k = 0; k < TERMS; k++, scale *= h) {
        motion[k * BLOCK + Y] = s.y[k] * scale;
        motion[k * BLOCK + Q] = s.q[k] * scale;
        motion[k * BLOCK + PT] = s.p_t[k] * scale;
        motion[k * BLOCK + PN] = s.p_n[k] * scale;
        rest[k * BLOCK + UT - BLOCK] = s.stretch[k] * scale;
        rest[k * BLOCK + WN - BLOCK] = s.work_n[k] * scale;
        rest[k * BLOCK + WF - BLOCK] = s.work_f[k] * scale;
        rest[k * BLOCK + BLOCK - 1] = s.t[k] * scale;
    }
    motion[PT] = d->at[PT];
    motion[PN] = d->at[PN];
    memcpy(rest, d->at + BLOCK, BLOCK * sizeof *rest);
    pc_drive_state_at(d, &d->dense, 1, d->at);
    d->dense.t = d->tau;
    d->dense.h = h;
    d->tau += h;
}

/* Later than any contact ends, in scaled time. */
static const double HORIZON = 1e12;

pc_status pc_drive_step(drive *d, const pc_dense **dense, pc_error *err)
{
    if (d->series) {
        series_step(d);
        *dense = &d->dense;
        return PC_OK;
    }
    pc_status status = pc_stepper_step(&d->stepper, HORIZON, err);
    return status ? status : pc_stepper_dense(&d->stepper, dense, err);
}

pc_status pc_drive_start(drive *d, double tau, const double *y, pc_error *err)
{
    if (!d->series) return pc_stepper_start(&d->stepper, tau, y, err);
    memcpy(d->at, y, (size_t)d->n * sizeof *y);
    d->tau = tau;
    return PC_OK;
}
