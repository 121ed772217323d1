/* Steps of the driver: by series, or by the integrator. See driver.h. */
#include "law/driver_internal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The series of a step lie where its dense output does. */
enum { BLOCK = PC_SERIES_BLOCK };
_Static_assert((int)PC_SERIES_Y == Y && (int)PC_SERIES_Q == Q && (int)PC_SERIES_PT == PT && (int)PC_SERIES_PN == PN &&
                   PC_SERIES_STRETCH == UT - BLOCK && PC_SERIES_WN == WN - BLOCK && PC_SERIES_WF == WF - BLOCK,
               "the state holds what the series tell, in their order");

static const pc_expansion *series_of(const pc_dense *dense)
{
    return (const void *)dense->c;
}

/* Step over radius of convergence: 1e-13^(1/32), 1e-13 being what the first term left out may be. */
static const double PACE = 0.39;

/* Longest step by series, scaled: guards are looked at in five places of it. */
static const double LONGEST = 0.5;

const double *pc_drive_at(const drive *d)
{
    return d->series ? d->at : d->stepper.y;
}

void pc_drive_motion_at(const drive *d, const pc_dense *dense, double x, double *state)
{
    if (d->series)
        d->series->sum(series_of(dense)->motion, x, state);
    else
        pc_dense_eval(dense, x, state);
}

void pc_drive_state_at(const drive *d, const pc_dense *dense, double x, double *state)
{
    pc_drive_motion_at(d, dense, x, state);
    if (d->series) d->series->sum(series_of(dense)->rest, x, state + BLOCK);
}

double pc_drive_time_at(const drive *d, const pc_dense *dense, double x)
{
    if (!d->series) return pc_poly_eval(dense->c + (d->n - 1) * (dense->degree + 1), dense->degree, x);
    double rest[BLOCK];
    d->series->sum(series_of(dense)->rest, x, rest);
    return rest[PC_SERIES_TIME];
}

/* The series converge up to the nearest singularity in the complex plane, and fall off like (h/radius)^k. The radius is
 * the least |c_k|^(-1/k) of the later coefficients; from a touch only every (PC_SERIES_POWER + 1)-th need differ from
 * 0. Of |c_k| the exponent is enough. */
static double reach(const pc_expansion *s)
{
    double least = INFINITY;
    for (int k = PC_SERIES_ORDER - PC_SERIES_POWER; k <= PC_SERIES_ORDER; k++) {
        /* the greatest has the greatest bits */
        uint64_t bits[6], most = 0;
        memcpy(bits, s->motion[k], BLOCK * sizeof *bits);
        memcpy(bits + BLOCK, s->rest[k], 2 * sizeof *bits);
        for (int i = 0; i < 6; i++) most = bits[i] << 1 > most ? bits[i] << 1 : most;
        double size = -((double)(most >> 53) - 1022) / k;
        if (most > 0 && size < least) least = size;
    }
    return fmin(exp2(least) * PACE, LONGEST);
}

static void series_step(drive *d)
{
    const contact *c = &d->contacts[0];
    const moment *m = d->node[0];
    pc_course course = {d->W[0], d->W[1], d->W[3], d->at[Y], d->at[Q], m->vt, m->w, c->mode == SLIP ? c->sign : 0};
    pc_tangential e = c->p.tangential;
    if (c->p.pulls && c->kink_side < 0) e.mu = 0;
    pc_expansion *s = (void *)d->dense.c;
    d->series->expand(&c->shape, c->p.root, &e, &course, s);
    double h = reach(s);
    d->series->scale(s, h);
    s->motion[0][PC_SERIES_PT] = d->at[PT];
    s->motion[0][PC_SERIES_PN] = d->at[PN];
    memcpy(s->rest[0], d->at + BLOCK, BLOCK * sizeof *d->at);
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
